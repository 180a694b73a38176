//! The methods that integrate, as users name them, and their settings.

use crate::resolve::Resolve;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stiction::ode::Adaptive;
use stiction::simulate::{Integrator, MAX_STEPS, Plan};
use stiction::steady::Engine;
use stiction::system::System;
use stiction::{Error, ShortNumber};

/// How to integrate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum IntegratorKind {
    /// The incremental scheme of Ragulskis et al. 2017.
    Incremental(FixedStep),
    /// The classical Runge–Kutta method of order 4.
    Rk4(FixedStep),
    /// Error control, stops at the kinks of the laws, goes implicit where a law is steep.
    Adaptive(Adaptive),
    /// No step size: closed form from event to event, for Coulomb's law and laws of straight pieces.
    Exact(ExactSettings),
}

impl IntegratorKind {
    /// The name that users write.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Incremental(_) => "incremental",
            Self::Rk4(_) => "rk4",
            Self::Adaptive(_) => "adaptive",
            Self::Exact(_) => "exact",
        }
    }

    /// Whether the method keeps to one length of its steps.
    pub(crate) fn has_fixed_steps(&self) -> bool {
        matches!(self, Self::Incremental(_) | Self::Rk4(_))
    }

    /// The method, with its step in seconds.
    pub(crate) fn resolve(
        &self,
        resolve: &mut Resolve,
        period: Option<f64>,
        plan: Option<&Plan>,
    ) -> Option<Integrator> {
        Some(match self {
            Self::Incremental(fixed) => Integrator::Incremental {
                step: fixed.resolve(resolve, "integrator.incremental", period, plan)?,
            },
            Self::Rk4(fixed) => {
                Integrator::Rk4 { step: fixed.resolve(resolve, "integrator.rk4", period, plan)? }
            }
            Self::Adaptive(adaptive) => {
                if !resolve.check("integrator.adaptive", |faults| adaptive.check(faults)) {
                    return None;
                }
                Integrator::Adaptive(adaptive.clone())
            }
            Self::Exact(_) => Integrator::Exact,
        })
    }

    /// Where the step of a method that keeps to one is given.
    pub(crate) fn step_key(&self) -> String {
        let name = match self {
            Self::Incremental(FixedStep { step: None, .. }) | Self::Rk4(FixedStep { step: None, .. }) => {
                "steps_per_period"
            }
            _ => "step",
        };
        format!("integrator.{}.{name}", self.name())
    }

    /// The engine that finds periodic motions by this method, and the method; none if it cannot.
    pub(crate) fn engine(&self) -> Option<(Engine, Integrator)> {
        Some(match self {
            Self::Exact(_) => (Engine::Exact, Integrator::Exact),
            Self::Adaptive(a) => (Engine::Adaptive(a.clone()), Integrator::Adaptive(a.clone())),
            _ => return None,
        })
    }

    /// The method for a scenario that names none: exact where the laws allow it, else adaptive with these settings.
    pub(crate) fn suited(system: &System, settings: Adaptive) -> Self {
        match system.is_piecewise_linear() {
            true => Self::Exact(ExactSettings {}),
            false => Self::Adaptive(settings),
        }
    }
}

/// The exact method has nothing to set.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExactSettings {}

/// A fixed step, given by its length or by the number in a period of the first harmonic load.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FixedStep {
    /// Length of the step (s).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<f64>,
    /// Steps in a period of the first harmonic load (-).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steps_per_period: Option<f64>,
}

impl FixedStep {
    /// Length of the step (s).
    fn resolve(
        &self,
        resolve: &mut Resolve,
        key: &str,
        period: Option<f64>,
        plan: Option<&Plan>,
    ) -> Option<f64> {
        let (name, step) = match (self.step, self.steps_per_period) {
            (Some(step), None) => {
                resolve.check(key, |faults| {
                    faults.positive("step", step);
                });
                ("step", step)
            }
            (None, Some(steps)) => {
                let is_sound = resolve.check(key, |faults| {
                    faults.positive("steps_per_period", steps);
                });
                let Some(period) = period.filter(|_| is_sound) else {
                    if is_sound {
                        let message = "there is no harmonic load that sets a period";
                        resolve.fault(
                            &format!("{key}.steps_per_period"),
                            message,
                            Some("give step in seconds instead"),
                        );
                    }
                    return None;
                };
                ("steps_per_period", period / steps)
            }
            (Some(_), Some(_)) => {
                let message = "given beside steps_per_period, but there must be one";
                resolve.fault(&format!("{key}.step"), message, None);
                return None;
            }
            (None, None) => {
                resolve.fault(key, "neither step (s) nor steps_per_period is given", None);
                return None;
            }
        };
        if let Some(plan) = plan
            && plan.t_end / step > MAX_STEPS
        {
            let error = Error::TooLong { t: 0.0, steps: 0, estimate: plan.t_end / step, limit: MAX_STEPS };
            resolve.fault(&format!("{key}.{name}"), error.to_string(), error.hint());
            return None;
        }
        if !(step > 0.0 && step.is_finite()) {
            // a number that is itself wrong has been reported already
            let step = ShortNumber(step);
            let message = format!("a step of {step} s, but it must be positive and finite");
            resolve.fault(&format!("{key}.{name}"), message, None);
            return None;
        }
        Some(step)
    }
}
