//! Bifurcation diagrams: what remains after a transient, once per period of the load, against a parameter.

use super::flow::Flow;
use super::sweep::sound;
use super::{Engine, State};
use crate::system::System;
use crate::{Error, Progress};

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
    /// The states, or why there are none.
    pub states: Result<Vec<State>, Error>,
}

impl Section {
    /// How many positions of degree of freedom `dof` differ by more than `distance` (m): 1 for a motion with
    /// the period of the load, k for a subharmonic of order k.
    pub fn n_distinct(&self, dof: usize, distance: f64) -> usize {
        let mut q: Vec<f64> = self.states.iter().flatten().map(|state| state.position[dof]).collect();
        q.sort_by(f64::total_cmp);
        q.windows(2).filter(|pair| pair[1] - pair[0] > distance).count() + usize::from(!q.is_empty())
    }
}

/// The sections of `family` at the given parameters, one for each of them. `progress` receives the part of
/// the work done now and then.
pub fn bifurcation(
    settings: &Bifurcation,
    family: &dyn Fn(f64) -> System,
    parameters: &[f64],
    progress: &mut Progress,
) -> Result<Vec<Section>, Error> {
    let mut sections = Vec::with_capacity(parameters.len());
    bifurcation_onto(&mut sections, settings, family, parameters, progress)?;
    Ok(sections)
}

/// Continues after the sections of the first parameters that are there already. Those that are finished stay
/// when it is stopped.
pub fn bifurcation_onto(
    sections: &mut Vec<Section>,
    settings: &Bifurcation,
    family: &dyn Fn(f64) -> System,
    parameters: &[f64],
    progress: &mut Progress,
) -> Result<(), Error> {
    let known = sections.last().and_then(|section| section.states.as_ref().ok());
    let mut last: Option<State> = known.and_then(|states| states.last().cloned());
    for (done, &parameter) in parameters.iter().enumerate().skip(sections.len()) {
        let n = parameters.len() as f64;
        let mut own = progress.part(done as f64 / n, (done + 1) as f64 / n);
        let start = last.take().filter(|_| settings.follows);
        let states = match sound(family(parameter)) {
            Ok(system) => section(settings, &system, start, &mut own),
            Err(error) => Err(error),
        };
        match &states {
            Ok(states) => last = states.last().cloned(),
            Err(error @ (Error::Interrupted { .. } | Error::Needs { .. })) => return Err(error.clone()),
            Err(_) => {}
        }
        sections.push(Section { parameter, states });
    }
    Ok(())
}

/// The states of one system after its transient, from `start` or its own initial state.
fn section(
    settings: &Bifurcation,
    system: &System,
    start: Option<State>,
    progress: &mut Progress,
) -> Result<Vec<State>, Error> {
    let period = system.period().ok_or(Error::Needs { key: "force" })?;
    let engine = settings.engine.clone().unwrap_or_else(|| Engine::of(system));
    let n_periods = u64::from(settings.transient) + u64::from(settings.samples);
    let t_end = period * n_periods as f64;
    let mut flow = Flow::new(engine.propagator(system)?, progress.part(0.0, 1.0), t_end);
    let mut x = start.unwrap_or_else(|| State::initial(system)).to_vec(flow.n_state());
    // the clock runs on: other loads may repeat themselves more rarely, or never
    flow.begin(0.0, &x)?;
    let mut states = Vec::new();
    for i in 0..n_periods {
        let t = period * i as f64;
        while flow.t() < t {
            flow.step(t)?;
        }
        if i >= u64::from(settings.transient) {
            flow.state(&mut x);
            states.push(State::from_slice(&x, system.n()));
        }
    }
    Ok(states)
}
