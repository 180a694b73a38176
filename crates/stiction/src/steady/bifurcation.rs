//! Bifurcation diagrams: what remains after a transient, once per period of the load, against a parameter.

use super::flow::Flow;
use super::supervised::Supervised;
use super::{Engine, State};
use crate::Error;
use crate::system::System;

/// What to record.
#[derive(Clone, Debug, PartialEq)]
pub struct Bifurcation {
    /// Periods of the load that are not recorded (-).
    pub transient: u32,
    /// Periods of the load that are (-).
    pub samples: u32,
    /// Whether a parameter starts where the one before ended, or at the initial state of its system.
    pub follows: bool,
    /// What carries the motion; chosen by [`Engine::of`] if absent.
    pub engine: Option<Engine>,
}

impl Default for Bifurcation {
    fn default() -> Self {
        Self { transient: 200, samples: 50, follows: true, engine: None }
    }
}

/// The states at the beginning of each period of the load.
#[derive(Clone, Debug, PartialEq)]
pub struct Section {
    /// The parameter.
    pub parameter: f64,
    /// The states.
    pub states: Vec<State>,
}

impl Section {
    /// How many positions of degree of freedom `dof` differ by more than `distance` (m): 1 for a motion with the period
    /// of the load, k for a subharmonic of order k.
    pub fn n_distinct(&self, dof: usize, distance: f64) -> usize {
        let mut q: Vec<f64> = self.states.iter().map(|state| state.position[dof]).collect();
        q.sort_by(f64::total_cmp);
        q.windows(2).filter(|pair| pair[1] - pair[0] > distance).count() + usize::from(!q.is_empty())
    }
}

/// The sections of `family` at the given parameters. `progress` is told the part of the work done now and then, and may
/// stop it by `false`.
pub fn bifurcation(
    settings: &Bifurcation,
    family: &dyn Fn(f64) -> System,
    parameters: &[f64],
    progress: &mut dyn FnMut(f64) -> bool,
) -> Result<Vec<Section>, Error> {
    let mut sections = Vec::with_capacity(parameters.len());
    let mut last: Option<State> = None;
    let n_periods = settings.transient + settings.samples;
    for (done, &parameter) in parameters.iter().enumerate() {
        let system = family(parameter);
        let period = system.period().ok_or(Error::Needs { key: "force" })?;
        let engine = settings.engine.clone().unwrap_or_else(|| Engine::of(&system));
        let t_end = period * f64::from(n_periods);
        let mut tell = |t: f64| progress((done as f64 + t / t_end) / parameters.len() as f64);
        let mut flow = Supervised::new(engine.flow(&system)?, &mut tell);
        let own = State {
            position: system.position.clone(),
            velocity: system.velocity.clone(),
            memory: Vec::new(),
        };
        let start = last.take().filter(|_| settings.follows).unwrap_or(own);
        let mut x = start.to_vec(flow.n_state());
        // the clock runs on: other loads may repeat themselves more rarely, or never
        flow.begin(0.0, &x)?;
        let mut states = Vec::with_capacity(settings.samples as usize);
        for i in 0..n_periods {
            let t = period * f64::from(i);
            while flow.t() < t {
                flow.step(t)?;
            }
            if i >= settings.transient {
                flow.state(&mut x);
                states.push(State::from_slice(&x, system.n()));
            }
        }
        last = states.last().cloned();
        sections.push(Section { parameter, states });
    }
    Ok(sections)
}
