//! Errors: what can be wrong with a model, and what can go wrong in a run.
//!
//! One list: each variant is a fact with its numbers, beside it the sentence and the way out.

mod facts;
mod refusal;

pub use refusal::Refusal;

use crate::formula::FormulaFault;
use facts::{AtTime, Contacts, InitialGuesses, Reached, Varying, facts};

facts! {
    /// A fact about an input or a run, with its numbers.
    pub enum Error {
        /// A number is NaN or infinite.
        NotFinite(value: f64) says "{value}, but it must be a finite number";
        /// A magnitude beyond 1e±60 in SI units.
        OutOfDomain(value: f64) says "{value}, but magnitudes from 1e-60 to 1e60 are supported";
            hint "use units in which the numbers of the problem are nearer to one";
        /// A number must be greater than zero.
        NotPositive(value: f64) says "{value}, but it must be positive";
        /// A number must not be less than zero.
        Negative(value: f64) says "{value}, but it must not be negative";
        /// A number must stay at or below a limit that something else sets.
        TooLarge {
            /// The number found.
            value: f64,
            /// The largest that is allowed.
            limit: f64,
            /// What sets the limit.
            because: &'static str,
        } says "{value}, but it must be at most {limit}: {because}";
        /// A number must stay below a limit that something else sets.
        NotBelow {
            /// The number found.
            value: f64,
            /// The limit, itself not allowed.
            limit: f64,
            /// What sets the limit.
            because: &'static str,
        } says "{value}, but it must be below {limit}: {because}";
        /// A mode that cannot be followed.
        NotAMode {
            /// The mode, from 0.
            mode: usize,
            /// Why not.
            because: &'static str,
        } says "mode {mode} cannot be followed: {because}";
        /// A number must stay above (or at) a limit that something else sets.
        TooSmall {
            /// The number found.
            value: f64,
            /// The smallest that is allowed.
            limit: f64,
            /// What sets the limit.
            because: &'static str,
        } says "{value}, but it must be at least {limit}: {because}";
        /// A matrix has the wrong shape.
        Shape {
            /// Rows found.
            rows: usize,
            /// Columns found.
            columns: usize,
            /// The number of degrees of freedom.
            expected: usize,
        } says "{rows} × {columns}, but it must be {expected} × {expected}, as many as degrees of freedom";
        /// A system without degrees of freedom.
        Empty says "empty, but there must be at least one degree of freedom";
        /// A matrix must be symmetric.
        NotSymmetric {
            /// Row of the first entry that differs from its mirror image, from 0.
            row: usize,
            /// Its column, from 0.
            column: usize,
        } says "not symmetric: row {row}, column {column}, from 0, differs from its mirror image";
        /// A matrix must be positive definite.
        NotPositiveDefinite says "not positive definite: some motion would have no inertia";
        /// A stiffness has a negative eigenvalue where none may be.
        NegativeStiffness says "a negative eigenvalue, but a structure that is reduced must be stable";
        /// The modes of a structure cannot be distinguished.
        ModesNotFound says "the modes cannot be distinguished: is the model sound?";
        /// A structure has fewer modes than are wanted.
        TooManyModes {
            /// Modes wanted.
            wanted: usize,
            /// Modes that can be kept.
            limit: usize,
        } says "{wanted} modes, but at most {limit} can be kept";
            hint "keep fewer modes, or leave reduce out";
        /// No number of modes keeps the error of a reduction below its tolerance.
        ToleranceMissed {
            /// The tolerance (-).
            tolerance: f64,
            /// The most modes that were tried.
            modes: usize,
            /// The error that they leave (-).
            reached: f64,
        } says "{tolerance:e}, but {modes} modes are off by {reached:.1e}";
            hint "loosen the tolerance, narrow the band, or leave reduce out";
        /// More modes lie within a band than a reduction may keep.
        BandTooWide {
            /// Upper end of the band (rad/s).
            band: f64,
            /// Modes within it.
            modes: usize,
            /// The most that may be kept.
            limit: usize,
        } says "{modes} modes lie within {band} rad/s, but at most {limit} can be kept";
            hint "narrow the band to what the loads excite";
        /// A sparse factorisation would take too much memory or time.
        FactorTooLarge {
            /// Entries of the factor.
            entries: usize,
            /// Multiplications that it takes.
            work: f64,
        } says "factors of {entries} entries by {work:.0e} multiplications, which is too much";
            hint "a coarser mesh, or more memory";
        /// Degrees of freedom that are to be reported depend on each other in a reduced model.
        DependentDegrees says "the reported degrees of freedom depend on each other";
            hint "name each degree of freedom once";
        /// A friction contact needs a direction.
        ZeroDirection says "zero, but a contact needs a direction";
        /// The times of a table, or the velocities of a curve, must ascend.
        NotAscending {
            /// The first row that goes back, from 0.
            row: usize,
            /// What must ascend.
            of: &'static str,
        } says "{of} must ascend, but row {row}, from 0, goes back";
        /// Two lists that belong together have different lengths.
        Counts {
            /// The length found.
            found: usize,
            /// The length of the other.
            expected: usize,
            /// What the other holds.
            of: &'static str,
        } says "{found} numbers, but there are {expected} {of}";
        /// A list is too short.
        TooFew {
            /// The length found.
            found: usize,
            /// The least that there must be.
            least: usize,
            /// What it holds.
            of: &'static str,
        } says "{found} {of}, but there must be at least {least}";
        /// Friction that does not oppose sliding.
        Pushes {
            /// The sliding velocity (m/s).
            v: f64,
            /// The coefficient there (-).
            phi: f64,
        } says "{phi} at v = {v} m/s, but friction must oppose sliding, not push";
            hint "coefficients have the sign of their velocity: multiply a formula of the speed abs(v) by sign(v)";
        /// A curve for both directions does not say what happens at rest.
        NoPointAtRest says "no point at v = 0, where the curve would change its sign";
            hint "give the curve over the speed alone, or the points on both sides of v = 0 and at it";
        /// The moment of inertia of a body is neither given nor that of a uniform body with the shape of its
        /// patch.
        NoInertia
            says "absent, but the centre of mass is not the centroid of the patch, or its shape has no area or several pieces";
            hint "give inertia (kg m²), or set centre_of_mass to the centroid of the shape";
        /// A law is only known to the program that brings it along.
        LawNotGiven says "no law of this name is registered: only the program that defines it can run it";
        /// A formula cannot be read.
        Formula(fault: FormulaFault) says "{fault}";
        /// The value or the slope of a formula is not bounded.
        Unbounded {
            /// A velocity near which that is so (m/s).
            v: f64,
        } says "its value or slope is not bounded near v = {v:.4e} m/s, but both must be";
            hint "a jump is possible at v = 0, by sign(v); lower reach if the formula ends somewhere";
        /// A table repeats before it has ended.
        ShortPeriod {
            /// The period (s).
            period: f64,
            /// Time from the first to the last point (s).
            span: f64,
        } says "{period} s, but the points of the table take {span} s";
        /// A normal load is negative at the start.
        NegativeLoad {
            /// The load (N).
            load: f64,
        } says "{load} N at the start, but a contact only presses";
        /// The initial position is beyond a stop.
        BeyondStop {
            /// The initial position along the stop's direction (m).
            position: f64,
        } says "the initial position is {position} m along its direction, beyond the stop";
        /// A number is not between two others.
        NotBetween {
            /// The number.
            value: f64,
            /// The smallest.
            low: f64,
            /// The largest.
            high: f64,
        } says "{value}, but it must be from {low} to {high}";
        /// The friction of a law with a slope under a normal load that varies is not linear.
        LoadTimesSlope {
            /// The contact, from 0.
            contact: usize,
            /// Its law.
            law: &'static str,
        }
            says "the {law} law of contact {contact} has slopes, and under a varying normal load its friction is not linear";
            hint "use [integrator.adaptive], coulomb without viscous friction, or a constant load";
        /// A contact rests, where sliding is asked for.
        Rests {
            /// The contact, from 0.
            contact: usize,
        } says "contact {contact} rests, and only steady sliding has growth rates";
            hint "give the contact a belt";
        /// No position balances the constant loads.
        NoEquilibrium says "no position balances the constant loads";
            hint "hold every degree of freedom by a spring";
        /// A contact would be open where all forces balance.
        OpensInEquilibrium {
            /// The contact, from 0.
            contact: usize,
            /// Its normal load there (N).
            load: f64,
        } says "contact {contact} would be open in steady sliding: its normal load is {load} N";
        /// A method does not know signals, varying normal loads, stops, feedback, or stiffness without a
        /// potential.
        OnlyExact {
            /// The method.
            integrator: &'static str,
        }
            says "{integrator} does not support signals, varying normal loads, stops, feedback, or stiffness that is not symmetric";
            hint "use [integrator.exact] with coulomb friction";
        /// A method of a fixed step does not go from one time to any other.
        NoSession {
            /// The method.
            integrator: &'static str,
        } says "{integrator} has a fixed step, but a session goes to any time";
            hint "use exact or adaptive";
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
        }
            says "{integrator} with steps of {step} s has {:.3} steps in a period of a load ({period} s), but needs at least {least}", period.0 / step.0;
            hint "shorten the step, or use [integrator.adaptive]";
        /// A rigid stop is at the place of another one.
        SameStop {
            /// The other stop, as listed, from 0.
            other: usize,
        } says "rigid as stop {other} and at the same place, but one impact has one restitution";
            hint "leave one of them out";
        /// Two rigid stops that face each other leave no room between them.
        NoGap {
            /// The other stop, as listed, from 0.
            other: usize,
            /// The room between them (m).
            gap: f64,
        } says "between it and stop {other} there are {gap} m, but rigid stops must leave room to move";
            hint "prescribe the motion of the degree of freedom, or give elastic stops a stiffness";
        /// Between events the motion under polynomial springs is not linear.
        CurvedSprings says "exact supports springs of straight pieces only, and one of them is a polynomial";
            hint "use [integrator.adaptive], or positions and forces in place of the polynomial";
        /// A method of an analysis does not know them.
        OnlyTransient
            says "the method does not support signals, varying normal loads, stops, feedback, or stiffness that is not symmetric";
            hint "use [analysis.transient], or [analysis.steady] without harmonic_balance";
        /// A method refuses a law that it would integrate wrongly.
        Refused {
            /// The method.
            integrator: &'static str,
            /// The law.
            law: &'static str,
            /// Why.
            reason: Refusal,
        } says "{integrator} cannot integrate the {law} law: {}", reason.because();
            hint reason.hint();
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
        }
            says "the run needs some {estimate:.1e} steps, but at most {limit:.0e} are allowed{}", Reached(steps, t);
            hint "shorten the run, lengthen a fixed step, or widen the law";
        /// An integration used up its steps.
        TooManySteps {
            /// Time reached (s).
            t: f64,
            /// The number of steps allowed.
            limit: u64,
        } says "{limit} steps are used up at t = {t} s";
            hint "raise max_steps, loosen rtol, or use method = \"auto\"";
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
        }
            says "at t = {t} s the {law} law of contact {contact} rises by {slope:.1e} for 1 m/s: times and velocities so near to rest cannot be resolved";
            hint "widen the law (of rate-and-state lower mu/a), or take a set-valued one, such as coulomb-dwell";
        /// No step is short enough for the tolerance.
        StepVanished {
            /// Time reached (s).
            t: f64,
        } says "no step from t = {t} s is short enough for the tolerance";
            hint "loosen rtol or atol, or widen the law";
        /// The motion grew beyond all bounds: its numbers are no longer finite, or beyond every scale of the
        /// problem.
        Diverged {
            /// Time at which that was seen (s).
            t: f64,
            /// The largest number of the state there, in SI units.
            size: f64,
        } says "the motion grew beyond all bounds: it reaches {size:.1e} at t = {t} s";
            hint "look for negative damping or a resonance; with fixed steps, shorten the step";
        /// A body slides for ever.
        NeverStops {
            /// How long it was followed (s).
            t: f64,
        } says "the body does not stop within {t} s";
            hint "give the run a duration in [analysis.transient]";
        /// The run was stopped from outside.
        Interrupted {
            /// The time that the motion had reached; none in a search over many motions (s).
            t: Option<f64>,
        } says "stopped{}", AtTime(t);
        /// A key means nothing without another one.
        Needs {
            /// The key that is missing.
            key: &'static str,
        } says "given without {key}, which it needs";
        /// A motion with the period of the load needs a harmonic load.
        NoHarmonicLoad says "no harmonic load, whose period the motion would have";
        /// The frequencies of the loads have no common period.
        NotCommensurate {
            /// Frequency of the first load (rad/s).
            first: f64,
            /// A frequency that is no multiple of it (rad/s).
            other: f64,
        }
            says "a load with omega = {other} rad/s, but it must be a multiple of the first one's {first} rad/s";
        /// The exact method needs laws whose graph is a polyline.
        NotPiecewiseLinear {
            /// The contact, from 0.
            contact: usize,
            /// The name of its law.
            law: &'static str,
        } says "contact {contact}: the {law} law is not piecewise linear";
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
        } says "{n} events within {span:e} s at t = {t} s{}", Contacts(contacts);
        /// It cannot be decided which contacts stick and which slip.
        Undecided {
            /// The time (s).
            t: f64,
            /// The contacts in question, from 0.
            contacts: Vec<usize>,
        } says "no consistent choice of contact modes at t = {t} s{}", Contacts(contacts);
        /// Two edges of an outline meet.
        Crossing {
            /// Number of the first edge, from 0; it begins at the corner of that number.
            first: usize,
            /// Number of the second edge, from 0.
            second: usize,
        } says "edges {first} and {second} meet, but an outline must not cross itself or another";
        /// A choice that does not go with the rest of the model.
        Unsuited {
            /// What was chosen.
            what: &'static str,
            /// Why it cannot be had here.
            because: &'static str,
        } says "{what} is not supported here: {because}";
        /// A load or a signal does not repeat itself within the period that was asked for.
        NotPeriodic {
            /// The harmonic load, from 0; none of a signal.
            harmonic: Option<usize>,
            /// Its cycles per period.
            cycles: f64,
        } says "{} has {cycles} cycles per period, but it must be a whole number", Varying(harmonic);
            hint "raise the order of the subharmonic until all loads repeat";
        /// A table that is held at its ends, or a harmonic that begins or ends, does not repeat itself.
        HeldTable says "a table that is held at its ends, or a harmonic that begins or ends, does not repeat itself, so no motion does";
            hint "give it a period";
        /// A range whose two ends are the same number.
        EmptyRange(end: f64) says "{end}, but a range needs two ends";
        /// A motion comes back to itself, but gains or loses energy in every period.
        Unbalanced {
            /// Energy gained per period (J).
            gain: f64,
            /// Energy that the motion exchanges per period, to and fro (J).
            exchange: f64,
        }
            says "no periodic motion: the nearest gains {gain:.3e} J in every period, of {exchange:.3e} J exchanged";
            hint "look for a resonance without damping, or negative damping";
        /// A motion that grows in every period, as at resonance without damping.
        GrowsWithoutEnd {
            /// The size to which it was followed (m).
            size: f64,
        } says "no periodic motion: it grows in every period, beyond {size:.1e} m";
            hint "look for a resonance without damping, or negative damping";
        /// A branch of periodic motions ends at one parameter, and another begins at the next.
        BranchJumps {
            /// Where it ends.
            from: f64,
            /// Where the other begins.
            to: f64,
        } says "the branch ends at {from}; another motion was found at {to}";
        /// No periodic motion was found.
        NoPeriodicMotion {
            /// Starts that were tried.
            starts: usize,
            /// The smallest distance between a state and its image, relative to the motion (-).
            residual: f64,
        } says "no periodic motion found: {}", InitialGuesses(starts, residual.0);
            hint "give other starts, a longer transient, or a subharmonic order";
        /// No motion with the period asked for was found, but one with a multiple of it.
        OnlySubharmonic {
            /// Periods of the load after which it repeats itself (-).
            order: u32,
        } says "no motion with this period, but one that repeats after {order} periods of the load";
            hint "[analysis.steady] finds it if subharmonic is that number; [analysis.bifurcation] shows such motions along a parameter";
    }
}

impl std::error::Error for Error {}

impl Error {
    /// Whether this is the answer to a sound question, and not a reason why it was not answered: there is no such motion.
    pub fn is_answer(&self) -> bool {
        matches!(
            self,
            Self::NoPeriodicMotion { .. }
                | Self::OnlySubharmonic { .. }
                | Self::GrowsWithoutEnd { .. }
                | Self::Unbalanced { .. }
        )
    }

    /// A motion that has left all bounds at `t`; `state` are its numbers there, none if they are not finite.
    pub(crate) fn diverged(t: f64, state: &[f64]) -> Self {
        let size = state.iter().fold(0.0f64, |size, x| size.max(x.abs()));
        let is_finite = !state.is_empty() && state.iter().all(|x| x.is_finite());
        Self::Diverged { t, size: if is_finite { size } else { f64::INFINITY } }
    }
}
