//! What a run says about itself where its answer is not to be trusted as it stands.
//!
//! An [`Error`](crate::Error) ends a run; a warning stands beside its result.

use crate::ShortNumber;
use std::fmt;

/// Something that the reader of a result must know, with its numbers.
#[derive(Clone, Debug, PartialEq)]
pub enum Warning {
    /// The energy balance of the whole run does not close within the bound of the method.
    EnergyResidual {
        /// Work put in, less what was stored and lost (J).
        residual: f64,
        /// The residual over the energy that was turned over (-).
        share: f64,
        /// The share that the method keeps to when its steps are right (-).
        bound: f64,
    },
    /// A friction force that is carried along as a state went beyond every force that its law allows.
    LawExceeded {
        /// The contact, from 0.
        contact: usize,
        /// The largest force (N).
        force: f64,
        /// The largest force that the law allows (N).
        bound: f64,
    },
    /// A friction force that is carried along as a state drifted off its law.
    Drift {
        /// The largest distance from the law (N).
        drift: f64,
        /// The largest force of the laws (N).
        bound: f64,
    },
    /// A contact slid faster than its law is known, and friction was held beyond that.
    LawLeft {
        /// The contact, from 0.
        contact: usize,
        /// Its largest speed (m/s).
        speed: f64,
        /// The speed up to which the law is known (m/s).
        known: f64,
    },
    /// A fixed step is beyond the stability limit of the method for the fastest oscillation of the system.
    UnstableStep {
        /// The method.
        integrator: &'static str,
        /// The step (s).
        step: f64,
        /// The longest stable step (s).
        limit: f64,
    },
    /// Numbers of a result are NaN or infinite.
    NotFinite {
        /// The quantity that has the first of them.
        quantity: &'static str,
        /// How many there are.
        n: u64,
    },
    /// More events happened than are kept.
    EventsDropped {
        /// Events that were not kept.
        n: u64,
    },
    /// More than one motion was consistent where contacts started to slip, because static friction is above
    /// kinetic friction.
    SeveralContinuations {
        /// Time of the first such event (s).
        t: f64,
        /// The contacts whose modes differ, from 0.
        contacts: Vec<usize>,
    },
    /// A reduced model is to hold up to a frequency that some of its neglected modes have.
    BandNeglected {
        /// The frequency (rad/s).
        band: f64,
        /// The lowest that a neglected mode may have (rad/s).
        neglected: f64,
    },
    /// The stiffness of a model is so ill-conditioned that its lowest modes are not certain.
    IllConditioned {
        /// Relative error of the lowest frequency that rounding may cause (-).
        rounding: f64,
    },
    /// A branch of periodic motions ended before it arrived.
    BranchIncomplete {
        /// The parameter that it reached.
        reached: f64,
        /// The parameter at which it was to arrive.
        to: f64,
        /// Why it ended.
        because: &'static str,
    },
    /// A branch of periodic motions has gaps.
    BranchJumps {
        /// How many.
        n: usize,
        /// The parameter of the first.
        first: f64,
    },
    /// Values of a parameter have no periodic motion.
    ValuesMissing {
        /// How many.
        n: usize,
        /// The first of them.
        first: f64,
        /// Why it has none.
        because: String,
    },
    /// The largest amplitude of a response lies between two of its points, and far above both.
    PeakBetweenPoints {
        /// The amplitude (m).
        peak: f64,
        /// The parameter there.
        at: f64,
        /// The largest amplitude of the points (m).
        largest: f64,
    },
    /// The amplitude between two points of a response grows without bound, or has no motion on the way.
    PeakUnresolved {
        /// The two points.
        between: [f64; 2],
    },
    /// Harmonics that are left out may change motions by more than a few percent.
    Truncated {
        /// How many motions.
        n: usize,
        /// The parameter of the worst, if there is one.
        at: Option<f64>,
        /// Its bound on the error as a part of the amplitude (-).
        share: f64,
    },
}

/// Part of its limit by which a force that is carried along may exceed it before the result counts as wrong:
/// with the published steps it does by some 2 %.
const OVERSHOOT: f64 = 0.1;

impl Warning {
    /// The name by which programs know it, in kebab-case.
    pub fn name(&self) -> &'static str {
        match self {
            Self::EnergyResidual { .. } => "energy-residual",
            Self::LawExceeded { .. } => "law-exceeded",
            Self::Drift { .. } => "drift",
            Self::LawLeft { .. } => "law-left",
            Self::UnstableStep { .. } => "unstable-step",
            Self::NotFinite { .. } => "not-finite",
            Self::EventsDropped { .. } => "events-dropped",
            Self::SeveralContinuations { .. } => "several-continuations",
            Self::BandNeglected { .. } => "band-neglected",
            Self::IllConditioned { .. } => "ill-conditioned",
            Self::BranchIncomplete { .. } => "branch-incomplete",
            Self::BranchJumps { .. } => "branch-jumps",
            Self::ValuesMissing { .. } => "values-missing",
            Self::PeakBetweenPoints { .. } => "peak-between-points",
            Self::PeakUnresolved { .. } => "peak-unresolved",
            Self::Truncated { .. } => "truncated",
        }
    }

    /// Whether the result is wrong, so that a command must not end as if it were right.
    pub fn is_failure(&self) -> bool {
        match self {
            Self::EnergyResidual { .. } | Self::NotFinite { .. } => true,
            Self::LawExceeded { force, bound, .. } => !(force.abs() <= (1.0 + OVERSHOOT) * bound),
            Self::BranchIncomplete { .. } => true,
            Self::Drift { .. } | Self::UnstableStep { .. } | Self::EventsDropped { .. } => false,
            Self::BranchJumps { .. } | Self::ValuesMissing { .. } | Self::SeveralContinuations { .. } => {
                false
            }
            Self::PeakBetweenPoints { .. } | Self::PeakUnresolved { .. } | Self::Truncated { .. } => false,
            Self::BandNeglected { .. } | Self::IllConditioned { .. } | Self::LawLeft { .. } => false,
        }
    }

    /// The way out, where there is one to point at.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::EnergyResidual { .. } => Some("shorten the step, tighten rtol, or use [integrator.exact]"),
            Self::LawExceeded { .. } | Self::Drift { .. } => {
                Some("shorten the step, or use [integrator.adaptive]")
            }
            Self::UnstableStep { .. } => Some("shorten the step, or use [integrator.adaptive]"),
            Self::LawLeft { .. } => Some("add points at higher speeds, or raise reach"),
            Self::NotFinite { .. } => None,
            Self::EventsDropped { .. } => Some("shorten the window"),
            Self::SeveralContinuations { .. } => {
                Some("compare with mu_static = mu, which leaves one continuation")
            }
            Self::BandNeglected { .. } => {
                Some("keep more modes, give a tolerance instead, or narrow the band")
            }
            Self::IllConditioned { .. } => Some("a coarser mesh, or units in which entries are alike"),
            Self::BranchIncomplete { .. } => Some("begin at the other end, or sweep without through_folds"),
            Self::BranchJumps { .. } | Self::ValuesMissing { .. } => None,
            Self::PeakBetweenPoints { .. } => {
                Some("raise points: the curve is drawn through the points only")
            }
            Self::PeakUnresolved { .. } => {
                Some("raise points there, or add damping: a resonance may be unbounded")
            }
            Self::Truncated { .. } => {
                Some("raise harmonics, or leave them out to have as many as the tolerance asks for")
            }
        }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::EnergyResidual { residual, share, bound } => write!(
                f,
                "the energy balance misses {residual:.3e} J, {share:.1e} of the energy turned over, \
                 but it must close within {bound:.0e}"
            ),
            Self::LawExceeded { contact, force, bound } => write!(
                f,
                "contact {contact}: the friction force reaches {force:.6e} N, {:.2} % beyond the {bound:.6e} N that its law allows",
                100.0 * (force.abs() / bound - 1.0)
            ),
            Self::Drift { drift, bound } => write!(
                f,
                "the friction force drifts {drift:.3e} N off its law, whose largest force is {bound:.3e} N"
            ),
            Self::LawLeft { contact, speed, known } => write!(
                f,
                "contact {contact} slides at up to {speed:.3e} m/s, but its law is known up to {known:.3e} m/s: friction was held beyond"
            ),
            Self::UnstableStep { integrator, step, limit } => write!(
                f,
                "{integrator} is unstable with steps of {} s: the fastest oscillation needs at most {limit:.3e} s",
                ShortNumber(*step)
            ),
            Self::NotFinite { quantity, n } => {
                write!(f, "{n} numbers of the result are not finite, the first of them of the {quantity}")
            }
            Self::EventsDropped { n } => write!(f, "{n} events were not kept"),
            Self::SeveralContinuations { t, contacts } => {
                let noun = if contacts.len() == 1 { "contact" } else { "contacts" };
                write!(
                    f,
                    "at t = {:.6} s more than one continuation is consistent ({noun} ",
                    ShortNumber(*t)
                )?;
                for (k, contact) in contacts.iter().enumerate() {
                    let is_last = k + 1 == contacts.len();
                    let separator = if k == 0 {
                        ""
                    } else if is_last {
                        " and "
                    } else {
                        ", "
                    };
                    write!(f, "{separator}{contact}")?;
                }
                f.write_str(
                    ", static above kinetic friction): a contact that can rest rests, and the one farthest beyond its limit slips first",
                )
            }
            Self::BandNeglected { band, neglected } => write!(
                f,
                "the reduced model is to hold up to {band:.4e} rad/s, but it neglects modes from {neglected:.4e} rad/s on"
            ),
            Self::IllConditioned { rounding } => write!(
                f,
                "the stiffness is ill-conditioned: rounding may change the lowest frequency by {rounding:.0e} of it"
            ),
            Self::BranchIncomplete { reached, to, because } => {
                let [reached, to] = [*reached, *to].map(ShortNumber);
                write!(f, "the branch ends at {reached} and does not arrive at {to}: {because}")
            }
            Self::BranchJumps { n: 1, first } => write!(f, "the branch has a gap at {}", ShortNumber(*first)),
            Self::BranchJumps { n, first } => {
                write!(f, "the branch has {n} gaps, the first at {}", ShortNumber(*first))
            }
            Self::ValuesMissing { n, first, because } => {
                let first = ShortNumber(*first);
                write!(f, "{n} values of the parameter have no motion, the first of them {first}: {because}")
            }
            Self::PeakBetweenPoints { peak, at, largest } => write!(
                f,
                "the peak of {peak:.4e} m at {:.7} lies between points, the largest of which has {largest:.4e} m",
                ShortNumber(*at)
            ),
            Self::PeakUnresolved { between: [a, b] } => {
                write!(
                    f,
                    "the amplitude between {:.7} and {:.7} is not resolved: it may be larger than at any point",
                    ShortNumber(*a),
                    ShortNumber(*b)
                )
            }
            Self::Truncated { n, at, share } => {
                let percent = 100.0 * share;
                match at {
                    Some(at) => write!(
                        f,
                        "harmonic balance: {n} motions whose truncation error may exceed a few percent, {percent:.0} % of the amplitude at {:.7}",
                        ShortNumber(*at)
                    ),
                    None => write!(
                        f,
                        "harmonic balance: the truncation error may be {percent:.0} % of the amplitude"
                    ),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Warning;

    #[test]
    fn a_warning_has_a_name_in_kebab_case_and_says_its_numbers() {
        let all = [
            Warning::EnergyResidual { residual: 1.5, share: 0.25, bound: 1e-9 },
            Warning::LawExceeded { contact: 0, force: -115.0, bound: 0.3 },
            Warning::Drift { drift: 0.5, bound: 1.0 },
            Warning::LawLeft { contact: 0, speed: 2.5, known: 1.0 },
            Warning::UnstableStep { integrator: "rk4", step: 0.5, limit: 0.1 },
            Warning::NotFinite { quantity: "position", n: 3 },
            Warning::EventsDropped { n: 7 },
            Warning::SeveralContinuations { t: 1.5, contacts: vec![0, 1, 3] },
            Warning::BranchIncomplete { reached: 0.7, to: 2.0, because: "it turns round" },
            Warning::BranchJumps { n: 2, first: 0.5 },
            Warning::ValuesMissing { n: 3, first: 0.0, because: "zero".into() },
        ];
        for warning in all {
            assert!(warning.name().chars().all(|c| c.is_ascii_lowercase() || c == '-'));
            assert!(warning.to_string().contains(|c: char| c.is_ascii_digit()), "{warning}");
        }
    }
}
