//! What can be wrong with a model, and what can go wrong in a run.

mod refusal;
mod words;

use crate::formula::FormulaFault;
pub use refusal::Refusal;

/// A fact about an input or a run, with its numbers.
#[derive(Clone, Debug, PartialEq)]
pub enum Error {
    /// A number is NaN or infinite.
    NotFinite(f64),
    /// A number must be greater than zero.
    NotPositive(f64),
    /// A number must not be less than zero.
    Negative(f64),
    /// A number must stay at or below a limit that something else sets.
    TooLarge {
        /// The number found.
        value: f64,
        /// The largest that is allowed.
        limit: f64,
        /// What sets the limit.
        because: &'static str,
    },
    /// A number must stay below a limit that something else sets.
    NotBelow {
        /// The number found.
        value: f64,
        /// The limit, itself not allowed.
        limit: f64,
        /// What sets the limit.
        because: &'static str,
    },
    /// A mode that cannot be followed.
    NotAMode {
        /// The mode, from 0.
        mode: usize,
        /// Why not.
        because: &'static str,
    },
    /// A number must stay above (or at) a limit that something else sets.
    TooSmall {
        /// The number found.
        value: f64,
        /// The smallest that is allowed.
        limit: f64,
        /// What sets the limit.
        because: &'static str,
    },
    /// A list has the wrong length.
    Length {
        /// The length found.
        found: usize,
        /// The length that fits.
        expected: usize,
    },
    /// A matrix has the wrong shape.
    Shape {
        /// Rows found.
        rows: usize,
        /// Columns found.
        columns: usize,
        /// The number of degrees of freedom.
        expected: usize,
    },
    /// A system without degrees of freedom.
    Empty,
    /// A matrix must be symmetric.
    NotSymmetric {
        /// Row of the first entry that differs from its mirror image, from 0.
        row: usize,
        /// Its column, from 0.
        column: usize,
    },
    /// A matrix must be positive definite.
    NotPositiveDefinite,
    /// A stiffness has a negative eigenvalue where none may be.
    NegativeStiffness,
    /// The modes of a structure cannot be distinguished.
    ModesNotFound,
    /// A structure has fewer modes than are wanted.
    TooManyModes {
        /// Modes wanted.
        wanted: usize,
        /// Modes that can be kept.
        limit: usize,
    },
    /// No number of modes keeps the error of a reduction below its tolerance.
    ToleranceMissed {
        /// The tolerance (-).
        tolerance: f64,
        /// The most modes that were tried.
        modes: usize,
        /// The error that they leave (-).
        reached: f64,
    },
    /// More modes lie within a band than a reduction may keep.
    BandTooWide {
        /// Upper end of the band (rad/s).
        band: f64,
        /// Modes within it.
        modes: usize,
        /// The most that may be kept.
        limit: usize,
    },
    /// A sparse factorisation would take too much memory or time.
    FactorTooLarge {
        /// Entries of the factor.
        entries: usize,
        /// Multiplications that it takes.
        work: f64,
    },
    /// Degrees of freedom that are to be reported depend on each other in a reduced model.
    DependentDegrees,
    /// A friction contact needs a direction.
    ZeroDirection,
    /// The times of a table, or the velocities of a curve, must ascend.
    NotAscending {
        /// The first row that goes back, from 0.
        row: usize,
        /// What must ascend.
        of: &'static str,
    },
    /// Two lists that belong together have different lengths.
    Counts {
        /// The length found.
        found: usize,
        /// The length of the other.
        expected: usize,
        /// What the other holds.
        of: &'static str,
    },
    /// A list is too short.
    TooFew {
        /// The length found.
        found: usize,
        /// The least that there must be.
        least: usize,
        /// What it holds.
        of: &'static str,
    },
    /// Friction that does not oppose sliding.
    Pushes {
        /// The sliding velocity (m/s).
        v: f64,
        /// The coefficient there (-).
        phi: f64,
    },
    /// A curve for both directions does not say what happens at rest.
    NoPointAtRest,
    /// The moment of inertia of a body is neither given nor that of a uniform body with the shape of its
    /// patch.
    NoInertia,
    /// A law is only known to the program that brings it along.
    LawNotGiven,
    /// A formula cannot be read.
    Formula(FormulaFault),
    /// The value or the slope of a formula is not bounded.
    Unbounded {
        /// A velocity near which that is so (m/s).
        v: f64,
    },
    /// A table repeats before it has ended.
    ShortPeriod {
        /// The period (s).
        period: f64,
        /// Time from the first to the last point (s).
        span: f64,
    },
    /// A normal load is negative at the start.
    NegativeLoad {
        /// The load (N).
        load: f64,
    },
    /// The initial position is beyond a stop.
    BeyondStop {
        /// The initial position along the stop's direction (m).
        position: f64,
    },
    /// A number is not between two others.
    NotBetween {
        /// The number.
        value: f64,
        /// The smallest.
        low: f64,
        /// The largest.
        high: f64,
    },
    /// The friction of a law with a slope under a normal load that varies is not linear.
    LoadTimesSlope {
        /// The contact, from 0.
        contact: usize,
        /// Its law.
        law: &'static str,
    },
    /// A contact has no motion of its own beside the others.
    RedundantContact {
        /// The contact, from 0.
        contact: usize,
    },
    /// A contact rests, where sliding is asked for.
    Rests {
        /// The contact, from 0.
        contact: usize,
    },
    /// No position balances the constant loads.
    NoEquilibrium,
    /// A contact would be open where all forces balance.
    OpensInEquilibrium {
        /// The contact, from 0.
        contact: usize,
        /// Its normal load there (N).
        load: f64,
    },
    /// A method does not know signals, varying normal loads, stops, feedback, or stiffness without a
    /// potential.
    OnlyExact {
        /// The method.
        integrator: &'static str,
    },
    /// A method of a fixed step does not go from one time to any other.
    NoSession {
        /// The method.
        integrator: &'static str,
    },
    /// A fixed step is too long for the period of a harmonic load.
    FewSteps {
        /// The method.
        integrator: &'static str,
        /// The step (s).
        step: f64,
        /// The period of the load (s).
        period: f64,
        /// The least number of steps in a period.
        least: f64,
    },
    /// A rigid stop is at the place of another one.
    SameStop {
        /// The other stop, as listed, from 0.
        other: usize,
    },
    /// Two rigid stops that face each other leave no room between them.
    NoGap {
        /// The other stop, as listed, from 0.
        other: usize,
        /// The room between them (m).
        gap: f64,
    },
    /// Between events the motion under polynomial springs is not linear.
    CurvedSprings,
    /// Steps in time do not resolve rigid stops together with contacts at rest.
    StopsOnlyExact,
    /// A method of an analysis does not know them.
    OnlyTransient,
    /// A method refuses a law that it would integrate wrongly.
    Refused {
        /// The method.
        integrator: &'static str,
        /// The law.
        law: &'static str,
        /// Why.
        reason: Refusal,
    },
    /// A run would take more steps than anybody waits for.
    TooLong {
        /// Time reached (s).
        t: f64,
        /// Steps made so far.
        steps: u64,
        /// Steps that the whole run would need, estimated.
        estimate: f64,
        /// Steps that are allowed.
        limit: f64,
    },
    /// An integration used up its steps.
    TooManySteps {
        /// Time reached (s).
        t: f64,
        /// The number of steps allowed.
        limit: u64,
    },
    /// A law is so steep that its contact comes to rest between neighbouring times, or slides between
    /// neighbouring velocities.
    TooSteep {
        /// The contact.
        contact: usize,
        /// Name of its law.
        law: &'static str,
        /// Time reached (s).
        t: f64,
        /// Slope of the coefficient there (s/m).
        slope: f64,
    },
    /// No step is short enough for the tolerance.
    StepVanished {
        /// Time reached (s).
        t: f64,
    },
    /// The motion grew beyond all bounds: its numbers are no longer finite, or beyond every scale of the
    /// problem.
    Diverged {
        /// Time at which that was seen (s).
        t: f64,
        /// The largest number of the state there, in SI units.
        size: f64,
    },
    /// A body slides for ever.
    NeverStops {
        /// How long it was followed (s).
        t: f64,
    },
    /// The run was stopped from outside.
    Interrupted {
        /// The time that the motion had reached; none in a search over many motions (s).
        t: Option<f64>,
    },
    /// A key means nothing without another one.
    Needs {
        /// The key that is missing.
        key: &'static str,
    },
    /// A motion with the period of the load needs a harmonic load.
    NoHarmonicLoad,
    /// The frequencies of the loads have no common period.
    NotCommensurate {
        /// Frequency of the first load (rad/s).
        first: f64,
        /// A frequency that is no multiple of it (rad/s).
        other: f64,
    },
    /// The exact method needs laws whose graph is a polyline.
    NotPiecewiseLinear {
        /// The contact, from 0.
        contact: usize,
        /// The name of its law.
        law: &'static str,
    },
    /// Events follow each other without end in next to no time.
    EventsAccumulate {
        /// The time reached (s).
        t: f64,
        /// The time in which the events happened (s).
        span: f64,
        /// How many there were.
        n: u64,
        /// The contacts of the last one, from 0.
        contacts: Vec<usize>,
    },
    /// It cannot be decided which contacts stick and which slip.
    Undecided {
        /// The time (s).
        t: f64,
        /// The contacts in question, from 0.
        contacts: Vec<usize>,
    },
    /// Two edges of an outline meet.
    Crossing {
        /// Number of the first edge, from 0; it begins at the corner of that number.
        first: usize,
        /// Number of the second edge, from 0.
        second: usize,
    },
    /// A choice that does not go with the rest of the model.
    Unsuited {
        /// What was chosen.
        what: &'static str,
        /// Why it cannot be had here.
        because: &'static str,
    },
    /// A load does not repeat itself within the period that was asked for.
    NotPeriodic {
        /// The harmonic load, from 0.
        harmonic: usize,
        /// Its cycles per period.
        cycles: f64,
    },
    /// A signal does not repeat itself within the period that was asked for.
    SignalNotPeriodic {
        /// Its cycles per period.
        cycles: f64,
    },
    /// A table that is held at its ends does not repeat itself.
    HeldTable,
    /// A range whose two ends are the same number.
    EmptyRange(f64),
    /// A motion comes back to itself, but gains or loses energy in every period.
    Unbalanced {
        /// Energy gained per period (J).
        gain: f64,
        /// Energy that the motion exchanges per period, to and fro (J).
        exchange: f64,
    },
    /// A motion that grows in every period, as at resonance without damping.
    GrowsWithoutEnd {
        /// The size to which it was followed (m).
        size: f64,
    },
    /// A branch of periodic motions ends at one parameter, and another begins at the next.
    BranchJumps {
        /// Where it ends.
        from: f64,
        /// Where the other begins.
        to: f64,
    },
    /// No periodic motion was found.
    NoPeriodicMotion {
        /// Starts that were tried.
        starts: usize,
        /// The smallest distance between a state and its image, relative to the motion (-).
        residual: f64,
    },
    /// No motion with the period asked for was found, but one with a multiple of it.
    OnlySubharmonic {
        /// Periods of the load after which it repeats itself (-).
        order: u32,
    },
}

impl std::error::Error for Error {}

impl Error {
    /// A motion that has left all bounds at `t`; `state` are its numbers there, none if they are not finite.
    pub(crate) fn diverged(t: f64, state: &[f64]) -> Self {
        let size = state.iter().fold(0.0f64, |size, x| size.max(x.abs()));
        let is_finite = !state.is_empty() && state.iter().all(|x| x.is_finite());
        Self::Diverged { t, size: if is_finite { size } else { f64::INFINITY } }
    }
}
