//! A flow that reports its progress and can be stopped.

use super::flow::Flow;
use crate::event::Event;
use crate::exact::CycleShare;
use crate::math::dense::Matrix;
use crate::simulate::{Balance, Samples};
use crate::system::Motion;
use crate::{Error, Progress};

/// Stretches of one degree of freedom between two reports of progress, a fraction of a millisecond; fewer of
/// larger systems, whose differences cost as the square of their size and more.
const PROGRESS: u64 = 64;

/// A flow under supervision: `progress` receives the time walked since it was made, all walks together (s),
/// and may stop the next stretch by `false`.
pub(super) struct Supervised<'a> {
    flow: Box<dyn Flow>,
    progress: Progress<'a>,
    longest: f64,
    /// Time walked before the last beginning, and where that was (s).
    walked: f64,
    begun: f64,
    steps: u64,
    every: u64,
}

impl<'a> Supervised<'a> {
    pub fn new(flow: Box<dyn Flow>, progress: Progress<'a>, longest: f64) -> Self {
        let size = flow.n_state() as u64;
        let every = (4 * PROGRESS / (size * size)).clamp(1, PROGRESS);
        Self { flow, progress, longest, walked: 0.0, begun: 0.0, steps: 0, every }
    }

    fn total(&self) -> f64 {
        self.walked + (self.flow.t() - self.begun)
    }
}

impl Flow for Supervised<'_> {
    fn n_state(&self) -> usize {
        self.flow.n_state()
    }
    fn begin(&mut self, t: f64, x: &[f64]) -> Result<(), Error> {
        self.walked = self.total();
        self.begun = t;
        self.flow.begin(t, x)
    }
    fn step(&mut self, t_end: f64) -> Result<(), Error> {
        self.steps += 1;
        if self.steps.is_multiple_of(self.every) {
            let total = self.total();
            self.progress.report(total / self.longest)?;
        }
        self.flow.step(t_end)
    }
    fn accumulate(&mut self) -> Result<(), Error> {
        self.flow.accumulate()
    }
    fn say(&self, words: &dyn Fn() -> String) {
        self.progress.say(words);
    }
    fn t(&self) -> f64 {
        self.flow.t()
    }
    fn state(&mut self, x: &mut [f64]) {
        self.flow.state(x);
    }
    fn derivative(&mut self, out: &mut [f64]) {
        self.flow.derivative(out);
    }
    fn carry(&mut self, differences: &mut Matrix) {
        self.flow.carry(differences);
    }
    fn motion(&mut self, t: f64, out: &mut Motion) {
        self.flow.motion(t, out);
    }
    fn sample(&mut self, times: &[f64], now: &mut Motion, out: &mut Samples) {
        self.flow.sample(times, now, out);
    }
    fn cycle(&mut self, tone: [f64; 2]) -> Result<Option<CycleShare>, Error> {
        self.flow.cycle(tone)
    }
    fn events(&self) -> &[Event] {
        self.flow.events()
    }
    fn balance(&self) -> Option<Balance> {
        self.flow.balance()
    }
    fn is_interpolated(&self) -> bool {
        self.flow.is_interpolated()
    }
    fn accuracy(&self) -> f64 {
        self.flow.accuracy()
    }
    fn slope_rounding(&self) -> f64 {
        self.flow.slope_rounding()
    }
    fn n_parts(&mut self, rate: f64) -> usize {
        self.flow.n_parts(rate)
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
