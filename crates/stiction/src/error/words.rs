//! Errors in words, and the way out.

use super::Error;
use crate::ShortNumber;
use std::fmt;

impl Error {
    /// Whether this is the answer to a sound question, and not what kept it from being answered: there is no
    /// such motion.
    pub fn is_answer(&self) -> bool {
        matches!(
            self,
            Self::NoPeriodicMotion { .. }
                | Self::OnlySubharmonic { .. }
                | Self::GrowsWithoutEnd { .. }
                | Self::Unbalanced { .. }
        )
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::NotFinite(value) => write!(f, "{}, but it must be a finite number", ShortNumber(*value)),
            Self::NotPositive(value) => write!(f, "{}, but it must be positive", ShortNumber(*value)),
            Self::Negative(value) => write!(f, "{}, but it must not be negative", ShortNumber(*value)),
            Self::TooLarge { value, limit, because } => {
                write!(
                    f,
                    "{}, but it must be at most {}: {because}",
                    ShortNumber(*value),
                    ShortNumber(*limit)
                )
            }
            Self::NotBelow { value, limit, because } => {
                write!(f, "{}, but it must be below {}: {because}", ShortNumber(*value), ShortNumber(*limit))
            }
            Self::NotAMode { mode, because } => write!(f, "mode {mode} cannot be followed: {because}"),
            Self::TooSmall { value, limit, because } => {
                write!(
                    f,
                    "{}, but it must be at least {}: {because}",
                    ShortNumber(*value),
                    ShortNumber(*limit)
                )
            }
            Self::Length { found, expected } => {
                write!(f, "{found} numbers, but there are {expected} degrees of freedom")
            }
            Self::Shape { rows, columns, expected } => {
                write!(
                    f,
                    "{rows} × {columns}, but it must be {expected} × {expected}, as many as degrees of freedom"
                )
            }
            Self::Empty => write!(f, "empty, but there must be at least one degree of freedom"),
            Self::NotSymmetric { row, column } => {
                write!(f, "not symmetric: row {row}, column {column}, from 0, differs from its mirror image")
            }
            Self::NotPositiveDefinite => {
                write!(f, "not positive definite: some motion would have no inertia")
            }
            Self::NegativeStiffness => {
                write!(f, "a negative eigenvalue, but a structure that is reduced must be stable")
            }
            Self::ModesNotFound => write!(f, "the modes cannot be distinguished: is the model sound?"),
            Self::TooManyModes { wanted, limit } => {
                write!(f, "{wanted} modes, but at most {limit} can be kept")
            }
            Self::ToleranceMissed { tolerance, modes, reached } => {
                write!(f, "{tolerance:e}, but {modes} modes are off by {reached:.1e}")
            }
            Self::BandTooWide { band, modes, limit } => {
                write!(f, "{modes} modes lie within {band} rad/s, but at most {limit} can be kept")
            }
            Self::FactorTooLarge { entries, work } => {
                write!(f, "factors of {entries} entries by {work:.0e} multiplications, which is too much")
            }
            Self::DependentDegrees => write!(f, "the reported degrees of freedom depend on each other"),
            Self::ZeroDirection => write!(f, "zero, but a contact needs a direction"),
            Self::NotAscending { row, of } => write!(f, "{of} must ascend, but row {row}, from 0, goes back"),
            Self::Counts { found, expected, of } => {
                write!(f, "{found} numbers, but there are {expected} {of}")
            }
            Self::TooFew { found, least, of } => {
                write!(f, "{found} {of}, but there must be at least {least}")
            }
            Self::Pushes { v, phi } => {
                write!(
                    f,
                    "{} at v = {} m/s, but friction must oppose sliding, not push",
                    ShortNumber(*phi),
                    ShortNumber(*v)
                )
            }
            Self::NoInertia => f.write_str(
                "absent, but the centre of mass is not the centroid of the patch, or its shape has no area or several pieces",
            ),
            Self::LawNotGiven => {
                write!(f, "no law of this name is here, only the program that brings it along can run it")
            }
            Self::Formula(fault) => write!(f, "{fault}"),
            Self::Unbounded { v } => {
                write!(f, "its value or slope is not bounded near v = {v:.4e} m/s, but both must be")
            }
            Self::NoPointAtRest => write!(f, "no point at v = 0, where the curve would change its sign"),
            Self::ShortPeriod { period, span } => {
                write!(
                    f,
                    "{} s, but the points of the table take {} s",
                    ShortNumber(*period),
                    ShortNumber(*span)
                )
            }
            Self::NegativeLoad { load } => {
                write!(f, "{} N at the start, but a contact only presses", ShortNumber(*load))
            }
            Self::BeyondStop { position } => {
                write!(
                    f,
                    "the initial position is {} m along its direction, beyond the stop",
                    ShortNumber(*position)
                )
            }
            Self::NotBetween { value, low, high } => {
                write!(
                    f,
                    "{}, but it must be from {} to {}",
                    ShortNumber(*value),
                    ShortNumber(*low),
                    ShortNumber(*high)
                )
            }
            Self::LoadTimesSlope { contact, law } => {
                write!(
                    f,
                    "the {law} law of contact {contact} has slopes, and under a varying normal load its friction is not linear"
                )
            }
            Self::RedundantContact { contact } => {
                write!(
                    f,
                    "contact {contact} has no motion of its own beside the others, so how they share a load is not determined"
                )
            }
            Self::Rests { contact } => {
                write!(f, "contact {contact} rests, and only steady sliding has growth rates")
            }
            Self::NoEquilibrium => write!(f, "no position balances the constant loads"),
            Self::OpensInEquilibrium { contact, load } => {
                write!(
                    f,
                    "contact {contact} would be open in steady sliding: its normal load is {} N",
                    ShortNumber(*load)
                )
            }
            Self::OnlyExact { integrator } => {
                write!(
                    f,
                    "{integrator} knows no signals, varying normal loads, stops, feedback, or stiffness that is not symmetric"
                )
            }
            Self::NoSession { integrator } => {
                write!(f, "{integrator} has a fixed step, but a session goes to any time")
            }
            Self::FewSteps { integrator, step, period, least } => write!(
                f,
                "{integrator} with steps of {} s has {:.3} steps in a period of a load ({} s), but needs at least {least}",
                ShortNumber(*step),
                period / step,
                ShortNumber(*period)
            ),
            Self::SameStop { other } => {
                write!(f, "rigid as stop {other} and at the same place, but one impact has one restitution")
            }
            Self::NoGap { other, gap } => {
                write!(
                    f,
                    "between it and stop {other} there are {} m, but rigid stops must leave room to move",
                    ShortNumber(*gap)
                )
            }
            Self::CurvedSprings => {
                write!(f, "exact knows springs of straight pieces only, and one of them is a polynomial")
            }
            Self::StopsOnlyExact => {
                write!(
                    f,
                    "adaptive does not support rigid stops beside a law that can hold a contact at rest"
                )
            }
            Self::OnlyTransient => {
                write!(
                    f,
                    "the method knows no signals, varying normal loads, stops, feedback, or stiffness that is not symmetric"
                )
            }
            Self::Refused { integrator, law, reason } => {
                write!(f, "{integrator} cannot integrate the {law} law: {}", reason.because())
            }
            Self::TooLong { t, steps, estimate, limit } => {
                write!(f, "the run needs some {estimate:.1e} steps, but at most {limit:.0e} are allowed")?;
                if *steps > 0 { write!(f, "; {steps} of them reach t = {t} s") } else { Ok(()) }
            }
            Self::TooManySteps { t, limit } => write!(f, "{limit} steps are used up at t = {t} s"),
            Self::TooSteep { contact, law, t, slope } => write!(
                f,
                "at t = {t} s the {law} law of contact {contact} rises by {slope:.1e} for 1 m/s: times and velocities so near to rest cannot be resolved"
            ),
            Self::StepVanished { t } => write!(f, "no step from t = {t} s is short enough for the tolerance"),
            Self::Diverged { t, size } => {
                write!(f, "the motion grew beyond all bounds: it reaches {size:.1e} at t = {t} s")
            }
            Self::NeverStops { t } => write!(f, "the body does not stop within {} s", ShortNumber(*t)),
            Self::Interrupted { t: Some(t) } => write!(f, "stopped at t = {} s", ShortNumber(*t)),
            Self::Interrupted { t: None } => write!(f, "stopped"),
            Self::Needs { key } => write!(f, "given without {key}, which it needs"),
            Self::NoHarmonicLoad => write!(f, "no harmonic load, whose period the motion would have"),
            Self::NotCommensurate { first, other } => {
                write!(
                    f,
                    "a load with omega = {} rad/s, but it must be a multiple of the first one's {} rad/s",
                    ShortNumber(*other),
                    ShortNumber(*first)
                )
            }
            Self::NotPiecewiseLinear { contact, law } => {
                write!(f, "contact {}: the {law} law is not piecewise linear", contact)
            }
            Self::EventsAccumulate { t, span, n, contacts } => {
                write!(f, "{n} events within {span:e} s at t = {} s", ShortNumber(*t))?;
                name_contacts(f, contacts)
            }
            Self::Undecided { t, contacts } => {
                write!(f, "no consistent choice of contact modes at t = {} s", ShortNumber(*t))?;
                name_contacts(f, contacts)
            }
            Self::Crossing { first, second } => {
                write!(f, "edges {first} and {second} meet, but an outline must not cross itself or another")
            }
            Self::Unsuited { what, because } => write!(f, "{what} does not go here: {because}"),
            Self::NotPeriodic { harmonic, cycles } => {
                write!(
                    f,
                    "harmonic load {} has {} cycles per period, but it must be a whole number",
                    harmonic + 1,
                    ShortNumber(*cycles)
                )
            }
            Self::SignalNotPeriodic { cycles } => {
                write!(
                    f,
                    "a signal has {} cycles per period, but it must be a whole number",
                    ShortNumber(*cycles)
                )
            }
            Self::HeldTable => {
                write!(f, "a table that is held at its ends does not repeat itself, so no motion does")
            }
            Self::EmptyRange(end) => write!(f, "{end}, but a range needs two ends"),
            Self::Unbalanced { gain, exchange } => {
                write!(
                    f,
                    "no periodic motion: the nearest gains {gain:.3e} J in every period, of {exchange:.3e} J exchanged"
                )
            }
            Self::GrowsWithoutEnd { size } => {
                write!(f, "no periodic motion: it grows in every period, beyond {size:.1e} m")
            }
            Self::BranchJumps { from, to } => {
                write!(
                    f,
                    "the branch ends at {}; another motion was found at {}",
                    ShortNumber(*from),
                    ShortNumber(*to)
                )
            }
            Self::NoPeriodicMotion { starts, residual } if !residual.is_finite() => {
                write!(f, "no periodic motion found: none of {starts} initial guesses returns to its start")
            }
            Self::NoPeriodicMotion { starts, residual } => {
                write!(f, "no periodic motion found: {starts} initial guesses, best residual {residual:.1e}")
            }
            Self::OnlySubharmonic { order } => {
                write!(
                    f,
                    "no motion with this period, but one that repeats after {order} periods of the load"
                )
            }
        }
    }
}

/// Names contacts as scenarios and events count them, from 0.
fn name_contacts(f: &mut fmt::Formatter, contacts: &[usize]) -> fmt::Result {
    let names: Vec<String> = contacts.iter().map(usize::to_string).collect();
    match names.len() {
        0 => write!(f, ", at stops, springs or controllers"),
        1 => write!(f, ", contact {}", names[0]),
        _ => write!(f, ", contacts {}", names.join(", ")),
    }
}

impl Error {
    /// The way out, where there is one to point at.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Refused { reason, .. } => Some(reason.hint()),
            Self::NoInertia => {
                Some("give inertia (kg m²), or set centre_of_mass to the centroid of the shape")
            }
            Self::NeverStops { .. } => Some("give the run a duration in [analysis.transient]"),
            Self::TooLong { .. } => Some("shorten the run, lengthen a fixed step, or widen the law"),
            Self::TooManySteps { .. } => Some("raise max_steps, loosen rtol, or use method = \"auto\""),
            Self::TooSteep { .. } => Some(
                "widen the law (of rate-and-state lower mu/a), or take a set-valued one, such as coulomb-dwell",
            ),
            Self::StepVanished { .. } => Some("loosen rtol or atol, or widen the law"),
            Self::Diverged { .. } => {
                Some("look for negative damping or a resonance; with fixed steps, shorten the step")
            }
            Self::Unbalanced { .. } | Self::GrowsWithoutEnd { .. } => {
                Some("look for a resonance without damping, or negative damping")
            }
            Self::TooManyModes { .. } => Some("keep fewer modes, or leave reduce out"),
            Self::ToleranceMissed { .. } => {
                Some("loosen the tolerance, narrow the band, or leave reduce out")
            }
            Self::BandTooWide { .. } => Some("narrow the band to what the loads excite"),
            Self::FactorTooLarge { .. } => Some("a coarser mesh, or more memory"),
            Self::DependentDegrees => Some("name each degree of freedom once"),
            Self::Rests { .. } => Some("give the contact a belt"),
            Self::NoEquilibrium => Some("hold every degree of freedom by a spring"),
            Self::OnlyExact { .. } => Some("use [integrator.exact] with coulomb friction"),
            Self::StopsOnlyExact => {
                Some("give the stop a stiffness, or use [integrator.exact] with coulomb friction")
            }
            Self::NoSession { .. } => Some("use exact or adaptive"),
            Self::FewSteps { .. } => Some("shorten the step, or use [integrator.adaptive]"),
            Self::SameStop { .. } => Some("leave one of them out"),
            Self::NoGap { .. } => {
                Some("prescribe the motion of the degree of freedom, or give elastic stops a stiffness")
            }
            Self::CurvedSprings => {
                Some("use [integrator.adaptive], or positions and forces in place of the polynomial")
            }
            Self::OnlyTransient => {
                Some("use [analysis.transient], or [analysis.steady] without harmonic_balance")
            }
            Self::LoadTimesSlope { .. } => {
                Some("use [integrator.adaptive], coulomb without viscous friction, or a constant load")
            }
            Self::RedundantContact { .. } => Some("join parallel contacts into one of their summed load"),
            Self::HeldTable => Some("give the table a period"),
            Self::Unbounded { .. } => {
                Some("a jump is possible at v = 0, by sign(v); lower reach if the formula ends somewhere")
            }
            Self::Pushes { .. } => Some(
                "coefficients have the sign of their velocity: multiply a formula of the speed abs(v) by sign(v)",
            ),
            Self::NoPointAtRest => {
                Some("give the curve over the speed alone, or the points on both sides of v = 0 and at it")
            }
            Self::NotPeriodic { .. } | Self::SignalNotPeriodic { .. } => {
                Some("raise the order of the subharmonic until all loads repeat")
            }
            Self::NoPeriodicMotion { .. } => {
                Some("give other starts, a longer transient, or a subharmonic order")
            }
            Self::OnlySubharmonic { .. } => Some(
                "[analysis.steady] finds it if subharmonic is that number; [analysis.bifurcation] shows such motions along a parameter",
            ),
            _ => None,
        }
    }
}
