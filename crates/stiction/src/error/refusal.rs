//! Why a method refuses a law that it would integrate wrongly.

/// Why a method refuses a law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Refusal {
    /// The law is set-valued at rest.
    SetValued,
    /// The law's graph is not a polyline.
    Curved,
    /// The law jumps.
    Jump,
    /// The law depends on the force to be balanced.
    Demand,
    /// The law has an internal state.
    Memory,
    /// The law has springs whose sliders let go.
    Springs,
    /// The static friction of the law grows while it rests.
    Ages,
    /// The static friction is above the kinetic friction.
    StaticExcess,
    /// The law is set-valued at rest, and its friction changes with the speed.
    Sloped,
    /// The law is too steep for the step.
    TooSteep {
        /// The step (s).
        step: f64,
        /// The longest stable step (s).
        limit: f64,
    },
}

impl Refusal {
    /// The reason in words.
    pub fn because(&self) -> String {
        match self {
            Self::SetValued => "it is set-valued at rest, and steps in time would chatter or creep".into(),
            Self::Curved => "its graph is not made of straight pieces".into(),
            Self::Jump => "it jumps".into(),
            Self::Demand => "it depends on the force it must balance, not on the velocity alone".into(),
            Self::Memory => "it has an internal state".into(),
            Self::Springs => "its sliders stick and let go at events".into(),
            Self::Ages => "its static friction grows while it rests".into(),
            Self::StaticExcess => "its static friction is above its kinetic friction".into(),
            Self::Sloped => "it is set-valued at rest, and changes with the speed or the direction".into(),
            Self::TooSteep { step, limit } => {
                format!("it is so steep near zero that steps of {step} s are unstable (limit {limit:.3e} s)")
            }
        }
    }

    /// The way out.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::SetValued => {
                "use [integrator.exact] or [integrator.adaptive], or a regularised law: quinn sticks exactly"
            }
            Self::Curved => "use coulomb or linear, or [integrator.adaptive]",
            Self::Jump => "use a regularised law such as quinn, or coulomb with [integrator.exact]",
            Self::Springs => "use [integrator.exact] or [integrator.adaptive]",
            Self::Ages => "use [integrator.adaptive]",
            Self::StaticExcess => "search with [analysis.steady], or set mu_static = mu",
            Self::Sloped => "search with [analysis.steady]",
            Self::Demand | Self::Memory => "use [integrator.adaptive] or [integrator.rk4]",
            Self::TooSteep { .. } => "shorten the step, widen the law, or use [integrator.adaptive]",
        }
    }
}
