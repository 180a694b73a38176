//! The propagator of a search for steady states, under supervision: it reports progress and can be stopped.

use crate::simulate::Propagator;
use crate::system::System;
use crate::{Error, Progress};
use std::ops::{Deref, DerefMut};

/// Steps of one degree of freedom between two reports of progress, a fraction of a millisecond; fewer of
/// larger systems, whose differences cost as the square of their size and more.
const PROGRESS: u64 = 64;

/// An error if the system drives itself by what never repeats, so that no motion does.
pub fn know(system: &System) -> Result<(), Error> {
    system.elements.never_ends()
}

/// Motion from any state, step by step: `progress` receives the time walked since the flow was made, all walks
/// together (s), and may stop the next step.
pub(super) struct Flow<'a> {
    propagator: Box<dyn Propagator>,
    progress: Progress<'a>,
    longest: f64,
    /// Time walked before the last beginning, and where that was (s).
    walked: f64,
    begun: f64,
    steps: u64,
    every: u64,
}

impl Deref for Flow<'_> {
    type Target = dyn Propagator;
    fn deref(&self) -> &Self::Target {
        &*self.propagator
    }
}

impl DerefMut for Flow<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut *self.propagator
    }
}

impl<'a> Flow<'a> {
    pub fn new(propagator: Box<dyn Propagator>, progress: Progress<'a>, longest: f64) -> Self {
        let size = propagator.n_state() as u64;
        let every = (4 * PROGRESS / (size * size)).clamp(1, PROGRESS);
        Self { propagator, progress, longest, walked: 0.0, begun: 0.0, steps: 0, every }
    }

    fn total(&self) -> f64 {
        self.walked + (self.propagator.t() - self.begun)
    }

    /// Starts at (t, x).
    pub fn begin(&mut self, t: f64, x: &[f64]) -> Result<(), Error> {
        self.walked = self.total();
        self.begun = t;
        self.propagator.begin(t, x)
    }

    /// Makes one step, at most to `t_end`.
    pub fn step(&mut self, t_end: f64) -> Result<(), Error> {
        self.steps += 1;
        if self.steps.is_multiple_of(self.every) {
            let total = self.total();
            self.progress.report(total / self.longest)?;
        }
        self.propagator.step(t_end)
    }

    /// Reports what is being sought.
    pub fn say(&self, words: &dyn Fn() -> String) {
        self.progress.say(words);
    }
}

/// Result of one attempt among several: nothing if it failed, unless it was stopped from outside.
pub(super) fn attempted<T>(result: Result<T, Error>) -> Result<Option<T>, Error> {
    match result {
        Ok(found) => Ok(Some(found)),
        Err(error @ Error::Interrupted { .. }) => Err(error),
        Err(_) => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::super::newton::walk;
    use super::*;
    use crate::event::EventKind;
    use crate::law::{FrictionLaw, Graph, Law};
    use crate::math::dense::Matrix;
    use crate::ode::Adaptive;
    use crate::simulate::Integrator;

    /// The adaptive integrator with tight tolerances.
    fn adaptive(system: &System) -> Result<Flow<'static>, Error> {
        let settings = Adaptive { rtol: 1e-12, atol: 1e-14, ..Adaptive::default() };
        Ok(Flow::new(Integrator::Adaptive(settings).propagator(system)?, Progress::none(), 1.0))
    }

    /// The carried derivative by the first components of the state against central differences of the map.
    fn compare(flow: &mut Flow, first: &[f64], period: f64, step: impl Fn(usize) -> f64, name: &str) {
        let n = flow.n_state();
        let mut x = vec![0.0; n];
        x[..first.len()].copy_from_slice(first);
        let mut slopes = Matrix::zeros(n, n);
        walk(flow, period, &mut x.clone(), Some(&mut slopes)).unwrap();
        for j in 0..first.len() {
            let ends = [step(j), -step(j)].map(|step| {
                let mut x = x.clone();
                x[j] += step;
                walk(flow, period, &mut x, None).unwrap();
                x
            });
            for (i, (up, down)) in ends[0].iter().zip(&ends[1]).enumerate().take(first.len()) {
                let quotient = (up - down) / (2.0 * step(j));
                let error = (slopes.at(i, j) - quotient).abs() / (1.0 + quotient.abs());
                assert!(error < 1e-6, "{name} {i} {j}: {} {quotient}", slopes.at(i, j));
            }
        }
    }

    /// Central differences of the map over one period against the variational equation, for every continuous
    /// law.
    #[test]
    fn the_derivative_of_every_continuous_law_is_that_of_its_map() {
        let smooth = |law: &FrictionLaw| law.graph() == Graph::Continuous && law.sliders().is_none();
        for law in FrictionLaw::examples().into_iter().filter(smooth) {
            let name = law.name();
            let system = System::oscillator(1.0, 0.05, 1.0).with_friction(law).with_force(2.0, 0.6);
            let mut flow = adaptive(&system).unwrap();
            let n = flow.n_state();
            let x = [-1.9, 1.3, 4e-4];
            // bristles are stiff: their state has a small scale of its own; rtol over the step, and its square
            compare(&mut flow, &x[..n], 4.0, |j| if j == 2 { 1e-6 } else { 1e-5 }, name);
        }
    }

    /// The same of laws that rest: a mass stops, stands still until the load lets it go, and slides on.
    #[test]
    fn the_derivative_of_laws_that_rest_is_that_of_their_map() {
        let mut seen = 0;
        for law in FrictionLaw::examples().into_iter().filter(|law| law.graph() == Graph::SetValued) {
            let name = law.name();
            let (force, omega) = (1.4 * law.bound(), 0.35);
            let system = System::oscillator(1.0, 0.05, 1.0).with_friction(law).with_force(force, omega);
            let Ok(mut flow) = adaptive(&system) else { continue };
            let n = flow.n_state();
            let mut x = vec![0.0; n];
            x[..2].copy_from_slice(&[-0.9 * force, 0.4 * force]);
            // until half a second after it has begun to slide again
            let end = x.clone();
            flow.begin(0.0, &end).unwrap();
            let (mut stops, mut slips) = (0, None);
            while slips.is_none() && flow.t() < 60.0 {
                flow.step(60.0).unwrap();
                let is = |kind| flow.events().iter().any(|event| event.kind == kind);
                stops += usize::from(is(EventKind::Stick));
                slips = (stops > 0 && is(EventKind::Slip)).then(|| flow.t());
            }
            let Some(slip) = slips else { continue };
            // the square of the step, and ten digits of the rate at which the switch comes
            compare(&mut flow, &x[..2], slip + 0.5, |_| 1e-5, name);
            seen += 1;
        }
        assert!(seen >= 5, "{seen} laws");
    }
}
