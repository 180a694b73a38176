//! The table of facts and columns: what each number that is printed, drawn or saved means.
//!
//! Summaries, JSON, Python and `docs/reference/facts.md` read this table. A number cannot be reported without a row: facts and columns are
//! made from their kind, and the kinds are the rows.

use serde::{Deserialize, Serialize};
use std::fmt::Write;

/// One row: what a number is called and what it means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meaning {
    /// Name in snake case; `{}` stands where the number of the degree of freedom, contact or multiplier goes.
    pub pattern: &'static str,
    /// Letter of the literature.
    pub symbol: &'static str,
    /// SI unit, `-` for a pure number; empty where it is that of the varied parameter.
    pub unit: &'static str,
    /// What it is, in a sentence.
    pub meaning: &'static str,
}

impl Meaning {
    /// The name; with its number where there are several.
    pub fn name(&self, index: Option<usize>) -> String {
        self.pattern.replace("{}", &index.map(|i| format!("_{i}")).unwrap_or_default())
    }

    /// The name of a quantity of a node.
    pub fn name_at_node(&self, node: usize) -> String {
        self.pattern.replace("{}", &format!("_node_{node}"))
    }
}

macro_rules! table {
    ($(#[$doc:meta])* $family:ident { $($kind:ident: $pattern:literal, $symbol:literal, $unit:literal, $meaning:literal;)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum $family {
            $(#[doc = $meaning] $kind,)*
        }

        impl $family {
            /// All rows, in the order of the documentation.
            pub const ALL: &[Self] = &[$(Self::$kind,)*];

            /// The row of the table.
            pub fn row(self) -> Meaning {
                match self {
                    $(Self::$kind => Meaning {
                        pattern: $pattern,
                        symbol: $symbol,
                        unit: $unit,
                        meaning: $meaning,
                    },)*
                }
            }
        }
    };
}

table! {
    /// The facts: single numbers that a run, a search or a patch comes to.
    FactKind {
        // periodic motions
        Period: "period", "T", "s", "Period: of the first harmonic load in a transient, of the motion in a search for periodic motions.";
        Amplitude: "amplitude", "X", "m", "Half the distance between the largest and the smallest position of the measured degree of freedom in one period.";
        Fundamental: "fundamental", "X₁", "m", "Amplitude of that position's harmonic at the frequency of the first load.";
        Phase: "phase", "φ", "rad", "Phase of that harmonic relative to the load, negative if it lags; absent where there is no load or no motion.";
        CycleWorkIn: "cycle_work_in", "W", "J", "Work of loads, belts and feedback in one period.";
        CycleFrictionLoss: "cycle_friction_loss", "E_{f}", "J", "Energy lost in the contacts in one period.";
        CycleViscousLoss: "cycle_viscous_loss", "E_{c}", "J", "Energy lost in the dampers in one period.";
        CycleImpactLoss: "cycle_impact_loss", "E_{i}", "J", "Energy lost in impacts on stops in one period; absent if nothing hits a stop.";
        Stops: "stops", "n", "-", "Times in a period at which a contact comes to rest.";
        MeanStickFraction: "stick_fraction", "s", "-", "Share of the period in which a contact sticks, the mean over the contacts; absent if no law says what stick is, as rate-and-state friction, which creeps under any load.";
        Stable: "stable", "", "-", "1 if every small disturbance of the periodic motion dies out, 0 if not.";
        Neutral: "neutral", "", "-", "1 if small disturbances neither grow nor die out, as in rest under dry friction or where a slider sticks throughout, 0 if not.";
        Symmetric: "symmetric", "", "-", "1 if the motion is its own mirror image half a period later, 0 if not.";
        Multiplier: "multiplier{}", "|λ|", "-", "Modulus of a Floquet multiplier, the largest first: the factor by which a disturbance grows in one period.";
        OrbitResidual: "orbit_residual", "r", "-", "Distance between the state and its image one period later, relative to the motion.";
        Truncation: "truncation", "ε", "m", "How far the displacement that is measured is off at most, for the harmonics that harmonic balance leaves out: three times the distance to the motion with twice as many; along a parameter the largest of all points.";
        TruncationShare: "truncation_share", "ε/X", "-", "That error as a part of the amplitude; along a parameter the largest of all points.";
        Harmonics: "harmonics", "H", "-", "Harmonics that harmonic balance keeps; along a parameter the most of all points.";
        Orbits: "orbits", "", "-", "Number of periodic motions that were found; the first is described by the facts without a number, the others by orbit_0_…, orbit_1_….";
        // responses and diagrams
        Points: "points", "", "-", "Points at which a periodic motion was found.";
        MissingPoints: "missing_points", "", "-", "Values of the parameter at which none was found.";
        PeakAmplitude: "peak_amplitude", "X_{max}", "m", "The largest amplitude along the parameter; between points of the response it is refined.";
        PeakAt: "peak_at", "", "", "The value of the parameter at that amplitude.";
        PeakFrom: "peak_from", "", "", "The point of the response before the peak; that of the peak where it is the first or the last.";
        PeakTo: "peak_to", "", "", "The point of the response after the peak.";
        DipAmplitude: "dip_amplitude", "X_{min}", "m", "The smallest amplitude between larger ones along the parameter, if there is one above zero; between points of the response it is refined.";
        DipAt: "dip_at", "", "", "The value of the parameter at that amplitude.";
        UnstablePoints: "unstable_points", "", "-", "Points whose motion is unstable.";
        CriticalAt: "critical{}_at", "", "", "The value of the parameter at which steady sliding becomes unstable, or stable again.";
        LargestDamping: "largest_damping", "D_{max}", "-", "The largest damping ratio of a nonlinear mode over its amplitudes.";
        LargestDampingAt: "largest_damping_at", "A_{D}", "m", "The amplitude at which it is that.";
        HighestFrequency: "highest_frequency", "ω_{max}", "rad/s", "The highest angular frequency of a nonlinear mode over its amplitudes.";
        LowestFrequency: "lowest_frequency", "ω_{min}", "rad/s", "The lowest one.";
        NeutralPoints: "neutral_points", "", "-", "Points whose motion is neither stable nor unstable, such as rest.";
        BranchEnd: "branch_end", "", "", "The last value of the parameter that a branch reached.";
        Complete: "complete", "", "-", "1 if the branch reached its end, 0 if it ended before.";
        Jumps: "jumps", "", "-", "NodePlaces at which a branch could not be followed and was taken up again elsewhere.";
        // extrema of a motion over the window
        PositionMax: "position{}_max", "u", "m", "The largest position in the window.";
        PositionMin: "position{}_min", "u", "m", "The smallest position in the window.";
        VelocityMax: "velocity{}_max", "u̇", "m/s", "The largest velocity in the window.";
        VelocityMin: "velocity{}_min", "u̇", "m/s", "The smallest velocity in the window.";
        AccelerationMax: "acceleration{}_max", "ü", "m/s²", "The largest acceleration in the window.";
        AccelerationMin: "acceleration{}_min", "ü", "m/s²", "The smallest acceleration in the window.";
        FrictionMax: "friction{}_max", "H", "N", "The largest friction force of a contact in the window; it stands on the left of the equation of motion, so a positive force opposes a positive sliding velocity.";
        FrictionMin: "friction{}_min", "H", "N", "The smallest friction force of a contact in the window.";
        SlopeMax: "slope{}_max", "C", "N s/m", "The largest slope dH/dv of a contact in the window.";
        SlopeMin: "slope{}_min", "C", "N s/m", "The smallest slope dH/dv of a contact in the window.";
        StickFraction: "stick_fraction{}", "s", "-", "Share of the window in which a contact sticks; absent if its law does not say what stick is, as rate-and-state friction, which creeps under any load.";
        ContactWork: "work{}", "W", "J", "Energy lost in a contact in the window; asked for by `wear`.";
        FrictionWork: "friction_work{}", "∫|Hv|dt", "J", "Work of friction in a contact in the window without its sign, to which wear is proportional; asked for by `wear`.";
        SlipDistance: "slip_distance{}", "s", "m", "Way that a contact slides in the window, to and fro; asked for by `wear`.";
        CirculatoryWork: "circulatory_work", "W", "J", "Work that the part of the stiffness that is not symmetric puts in, in the window, a part of `work_in`; asked for by `wear`.";
        ActuatorWork: "actuator_work{}", "W", "J", "Work that what leads a prescribed degree of freedom puts into the whole system in the window; asked for by `wear`.";
        WholeViscousLoss: "whole_viscous_loss", "", "J", "Viscous loss of the whole system in the window, its prescribed degrees of freedom included; asked for by `wear`.";
        ControlWork: "control_work", "W", "J", "Work that controllers and state spaces put in, in the window, a part of `work_in`; asked for by `wear`.";
        ErrorTrajectory: "error_trajectory", "", "m", "Largest distance of a position at a sample, with the law of `compare` in place of those of set-valued laws.";
        ErrorAmplitude: "error_amplitude", "", "-", "By how much half the peak-to-peak of the first position is off then, relative to the true one.";
        ErrorPhase: "error_phase", "", "rad", "By how much the phase of its fundamental is off; absent without a harmonic load.";
        ErrorDissipation: "error_dissipation", "", "-", "By how much the energy lost in friction is off, relative to the true one.";
        ErrorStickFraction: "error_stick_fraction", "", "-", "By how much the share of the window in stick is off, the mean over the contacts.";
        ErrorCreep: "error_creep", "", "m/s", "Largest speed of a contact that rests in truth.";
        ErrorPeak: "error_peak{}", "", "-", "By how much the largest amplitude along the parameter of a response is off with this law of `compare`, from 1, relative to the true one.";
        ErrorResponse: "error_response{}", "", "-", "Largest deviation of the amplitude along the parameter then, relative to the largest true amplitude; absent on a branch through folds.";
        Drift: "drift", "", "N", "Largest distance in the window between the friction force that `incremental` carries along and its law.";
        DiscretisationError: "discretisation_error", "", "-", "Largest error of the force in a hysteresis loop that the finite number of sliders of four-parameter-iwan makes, over the force of macro-slip; the largest of all contacts.";
        // energies
        WorkIn: "work_in", "W", "J", "Work of the loads, belts and controllers in the window; of a body in the whole run. Beside prescribed motions the energies are those of the free degrees of freedom, and what springs and dampers to the prescribed ones do to them is work.";
        Stored: "stored", "ΔE", "J", "Change of kinetic and elastic energy over the window.";
        ViscousLoss: "viscous_loss", "E_{c}", "J", "Energy lost in the dampers in the window; beside prescribed motions as if all other degrees of freedom were held.";
        FrictionLoss: "friction_loss", "E_{f}", "J", "Energy lost in the contacts in the window; of a body in the whole run.";
        ImpactLoss: "impact_loss", "E_{i}", "J", "Energy lost in impacts on stops in the window; absent if nothing hits a stop.";
        EnergyResidual: "energy_residual", "", "J", "Work put in over the whole run, less what is stored and lost: zero for the true motion.";
        EnergyTurnover: "energy_turnover", "", "J", "Energy turned over in the whole run, the measure of the residual: work and losses without their signs, and the largest stored energy.";
        EventsDropped: "events_dropped", "", "-", "Events in the window that were not kept because there were too many.";
        // models that were reduced
        ModelDegrees: "model_degrees", "n", "-", "Degrees of freedom of the model before its reduction.";
        ReducedDegrees: "reduced_degrees", "", "-", "Degrees of freedom after it: modes, static shapes of contacts and loads, initial states.";
        ModesKept: "modes_kept", "", "-", "Modes that are kept.";
        NeglectedFrequency: "neglected_frequency", "ω", "rad/s", "No neglected mode has a lower frequency.";
        ComplianceBand: "compliance_band", "ω", "rad/s", "Frequency up to which `compliance_error` holds.";
        ComplianceError: "compliance_error", "", "-", "Bound on the error of the dynamic compliance between contacts, loads and reported degrees of freedom, up to `compliance_band`, relative to the static compliance without rigid motions; an estimate if a damping matrix couples the modes.";
        ReductionRounding: "reduction_rounding", "", "-", "Relative error of the lowest frequency that rounding of the full matrices may cause.";
        // bodies on the plane
        StopTime: "stop_time", "t", "s", "When the body came to rest for good; absent if it still moves.";
        Path: "path", "", "m", "Length of the path of the reference point, on the surface if one moves over the plane.";
        DisplacementX: "displacement_x", "x", "m", "How far the reference point has moved along x.";
        DisplacementY: "displacement_y", "y", "m", "How far the reference point has moved along y.";
        Deflection: "deflection", "", "rad", "Angle from the initial velocity of the reference point to its displacement, counter-clockwise; 0 without either.";
        LateralDisplacement: "lateral_displacement", "", "m", "Displacement across the initial velocity, positive to its left.";
        FinalRatio: "final_ratio", "v/(|ω|R)", "-", "Ratio of sliding to spinning at the last stop, or at the end if the body moves; infinite without spin, absent if it never moved.";
        Revolutions: "revolutions", "", "-", "Revolutions of the body, counter-clockwise.";
        InitialEnergy: "initial_energy", "E", "J", "Kinetic energy at the start, relative to the plane or to the surface that moves over it.";
        FinalEnergy: "final_energy", "E", "J", "Kinetic energy at the end.";
        // contact patches
        ForceLimit: "force_limit", "μN", "N", "Friction force in pure sliding: the largest force that the patch holds.";
        MomentLimit: "moment_limit", "M₀", "N m", "Friction moment in pure spin about the centre of the patch.";
        PressureCentreX: "pressure_centre_x", "x", "m", "Centre of pressure at rest along x, from the centre of the patch.";
        PressureCentreY: "pressure_centre_y", "y", "m", "Centre of pressure at rest along y, from the centre of the patch.";
        Skew: "skew", "", "-", "How far sliding shifts the centre of pressure, as a part of the shift that lifts an edge.";
        HeightLimit: "height_limit", "h", "m", "Height of the centre of mass from which the patch tips in sliding.";
    }
}

table! {
    /// The columns: numbers along the time or a parameter.
    ColumnKind {
        Time: "t", "t", "s", "Time.";
        Position: "position{}", "u", "m", "Position of a degree of freedom; from the base if there is one.";
        Velocity: "velocity{}", "u̇", "m/s", "Velocity of a degree of freedom.";
        Acceleration: "acceleration{}", "ü", "m/s²", "Acceleration of a degree of freedom.";
        AbsolutePosition: "absolute_position{}", "x", "m", "Position of a degree of freedom in space, where a base moves harmonically; not reported beside a record of its acceleration.";
        AbsoluteVelocity: "absolute_velocity{}", "ẋ", "m/s", "Velocity of a degree of freedom in space.";
        AbsoluteAcceleration: "absolute_acceleration{}", "ẍ", "m/s²", "Acceleration of a degree of freedom in space.";
        Reaction: "reaction{}", "R", "N", "Force that holds a degree of freedom whose motion is prescribed, along it.";
        Sliding: "sliding{}", "v", "m/s", "Sliding velocity of a contact: w·q̇ less the velocity of the belt.";
        Friction: "friction{}", "H", "N", "Friction force of a contact, on the left of the equation of motion.";
        Slope: "slope{}", "C", "N s/m", "Slope dH/dv of a contact's law.";
        NormalLoad: "normal_load{}", "N", "N", "Normal load of a contact, where it varies; zero while the contact is open.";
        ControlForce: "control_force{}", "F", "N", "Force of the controllers on a degree of freedom, limits included.";
        State: "state{}", "z", "", "Internal state of a contact's law, in its own unit and under its own name: deflection (m), log_age (-), time_at_rest (s).";
        FeedbackState: "feedback{}", "x", "", "State of a controller or of a state space, in the order of `initial.states`, after those of the laws.";
        X: "x", "x", "m", "Position of the body's reference point along x.";
        Y: "y", "y", "m", "Position of the body's reference point along y.";
        Angle: "angle", "ψ", "rad", "Angle of the body's x axis, counter-clockwise.";
        Vx: "vx", "v_{x}", "m/s", "Velocity of the reference point along x.";
        Vy: "vy", "v_{y}", "m/s", "Velocity of the reference point along y.";
        Omega: "omega", "ω", "rad/s", "Spin, counter-clockwise.";
        Fx: "fx", "F_{x}", "N", "Force along x: of friction on the body, or applied on a limit surface.";
        Fy: "fy", "F_{y}", "N", "Force along y.";
        Mz: "mz", "M", "N m", "Moment about the reference point.";
        FootLoad: "foot_load{}", "N", "N", "Normal load of a foot of a body that stands on several pieces; sliding shifts it if the patch has a height, and the inner mass if it `shifts_pressure`.";
        Parameter: "parameter", "", "", "The parameter that is varied, under the name of its key.";
        Amplitude: "amplitude", "X", "m", "Half the distance between the largest and the smallest position in one period.";
        StuckAmplitude: "stuck_amplitude", "X", "m", "Amplitude of the linear system in which all contacts hold; asked for by `references`.";
        FreeAmplitude: "free_amplitude", "X", "m", "Amplitude of the linear system without contacts; asked for by `references`.";
        Chosen: "fact", "", "", "A fact of the motion that `facts` of a response asks for, under its name.";
        Overlay: "overlay", "", "", "Number of each of several responses drawn in one figure, under the name of its key.";
        ComparedLaw: "law", "law", "-", "The law that a row of a response belongs to: 0 for those of set-valued laws, then the laws of `compare` from 1.";
        Phase: "phase", "phase", "rad", "Phase of the position's fundamental relative to the load, negative if it lags.";
        FrictionLoss: "friction_loss", "friction loss", "J", "Energy lost in the contacts in one period.";
        Stops: "stops", "stops per period", "-", "Times in a period at which a contact comes to rest.";
        StickFraction: "stick_fraction", "stick fraction", "-", "Share of the period in which a contact sticks, the mean over the contacts; absent if no law says what stick is, as rate-and-state friction, which creeps under any load.";
        Stability: "stability", "stability", "-", "1 for a stable motion, 0 for a neutral one such as rest, −1 for an unstable one.";
        GrowthRate: "growth{}", "Re λ", "1/s", "Growth rate of a small motion about steady sliding, followed along the parameter.";
        ModeFrequency: "frequency{}", "Im λ", "rad/s", "Its angular frequency.";
        ModalAmplitude: "modal_amplitude", "A", "m", "What the mode without friction contributes to the first harmonic of the measured position in a nonlinear mode.";
        NonlinearFrequency: "mode_frequency", "ω", "rad/s", "Angular frequency of a nonlinear mode.";
        DampingRatio: "damping_ratio", "D", "-", "Damping ratio of a nonlinear mode: a vibration decays by Ȧ = −DωA.";
        FrequencyError: "frequency_error", "frequency error", "rad/s", "How far the frequency is off at most, for the harmonics that are left out.";
        DampingError: "damping_error", "damping error", "-", "How far the damping ratio is off at most, for the harmonics that are left out.";
        Multiplier: "multiplier", "largest |multiplier|", "-", "Modulus of the largest Floquet multiplier.";
        Period: "period", "period", "s", "Period of the motion.";
        Truncation: "truncation", "truncation error", "m", "How far the displacement that is measured is off at most, for the harmonics that harmonic balance leaves out: three times the distance to the motion with twice as many.";
        TruncationShare: "truncation_share", "truncation error, relative", "-", "That error as a part of the amplitude.";
        Harmonics: "harmonics", "harmonics", "-", "Harmonics that harmonic balance keeps.";
        LawVelocity: "v", "v", "m/s", "Sliding velocity.";
        Coefficient: "coefficient", "φ", "-", "Friction coefficient of a law.";
        LawSlope: "slope", "dφ/dv", "s/m", "Its slope; for a law with memory that of steady sliding.";
        Ratio: "ratio", "v/(ωR)", "-", "Ratio of sliding to spinning of a patch.";
        Along: "along", "F∥/(μN)", "-", "Force against the velocity, in parts of the largest.";
        Across: "across", "F⊥/(μN)", "-", "Force to the right of the velocity, in parts of the largest.";
        Moment: "moment", "M/(μNR)", "-", "Moment against the spin, in parts of μNR.";
    }
}

/// Letters in tables and figures that are not a fact or a column of their own.
pub const SYMBOLS: &[(&str, &str)] = &[
    ("R", "size of a patch: distance of its farthest point from its centre (m)"),
    ("N", "normal load of a contact or a patch (N)"),
    ("μ", "friction coefficient in sliding (-)"),
    ("M₀", "friction moment of a patch in pure spin (N m)"),
    ("P", "amplitude of a harmonic load (N)"),
    ("ω", "angular frequency of a load, or spin of a body (rad/s)"),
    ("Δ", "width of the transition of a regularised law (m/s)"),
    ("F∥, F⊥", "friction force of a patch against its velocity, and to the right of it (N)"),
];

/// `docs/reference/facts.md`.
pub fn facts_page() -> String {
    let mut text = String::from(
        "# Facts and columns\n\nWhat every number means that a summary, a JSON file, a CSV file or `outcome.facts` holds. Written by \
         `cargo xtask generate` from the\ntable that the programs read. `_i` stands for the number of a degree of freedom, a contact or a \
         multiplier, from 0; it is left out\nwhere there is one degree of freedom or one contact. The window is `analysis.transient.window`, \
         or the whole run.\n\nJSON has no NaN and no infinity: such a number is `null`. In a column it says that there is no value, as in a \
         response at a\nparameter without a periodic motion; a fact that is `null` is named in `warnings`.\n",
    );
    let mut section = |title: &str, rows: Vec<Meaning>| {
        let _ = writeln!(text, "\n## {title}\n\n| name | symbol | unit | meaning |\n|---|---|---|---|");
        for row in rows {
            let name = row.pattern.replace("{}", "_i");
            let symbol = row.symbol.replace('|', "\\|").replace("_{", "<sub>").replace('}', "</sub>");
            let unit = if row.unit.is_empty() { "of the parameter" } else { row.unit };
            let _ = writeln!(text, "| `{name}` | {symbol} | {unit} | {} |", row.meaning);
        }
    };
    section("Facts", FactKind::ALL.iter().map(|kind| kind.row()).collect());
    section("Columns", ColumnKind::ALL.iter().map(|kind| kind.row()).collect());
    text.push_str("\n## Symbols\n\n| symbol | meaning |\n|---|---|\n");
    for (symbol, meaning) in SYMBOLS {
        let _ = writeln!(text, "| {symbol} | {meaning} |");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_says_what_it_means_in_a_sentence() {
        let rows = FactKind::ALL.iter().map(|k| k.row()).chain(ColumnKind::ALL.iter().map(|k| k.row()));
        for row in rows {
            assert!(row.meaning.ends_with('.') && row.meaning.len() > 4, "{}", row.pattern);
            let name = row.name(None);
            assert!(name.chars().all(|c| c.is_ascii_lowercase() || c == '_'), "{name}");
        }
    }

    #[test]
    fn numbers_stand_where_the_pattern_says() {
        assert_eq!(FactKind::PositionMax.row().name(Some(3)), "position_3_max");
        assert_eq!(FactKind::PositionMax.row().name(None), "position_max");
        assert_eq!(FactKind::Multiplier.row().name(Some(0)), "multiplier_0");
    }
}
