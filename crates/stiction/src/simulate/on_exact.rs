//! Adapts the exact engine to the `Stepper` trait.
//!
//! A step goes from event to event. The engine gives the work and the extrema over it, exact to round-off,
//! see `exact::panel`.

use super::{Accumulated, Balance, Ranges, Samples, Stepper};
use crate::Error;
use crate::event::Event;
use crate::exact::Exact;
use crate::ode::Work;
use crate::system::{Dynamics, Motion};

/// Longest step, in radians of the fastest oscillation that it is tied to, so that progress can be reported.
const LONGEST: f64 = 256.0;

/// The exact engine under way.
pub(super) struct OnExact {
    exact: Exact,
    /// Start of the last step (s).
    t_old: f64,
    /// Longest step (s).
    longest: f64,
    balance: Balance,
    steps: u64,
}

impl OnExact {
    pub fn start(dynamics: &mut Dynamics) -> Result<Self, Error> {
        let system = dynamics.system();
        let exact = Exact::new(system)?;
        let rate = exact.pace().unwrap_or(dynamics.base_rate());
        let fastest = system.harmonics.iter().map(|h| h.omega).fold(rate, f64::max);
        Ok(Self {
            exact,
            t_old: 0.0,
            longest: if fastest > 0.0 { LONGEST / fastest } else { f64::INFINITY },
            balance: Balance::default(),
            steps: 0,
        })
    }
}

impl Stepper for OnExact {
    fn step(&mut self, _dynamics: &mut Dynamics, t_stop: f64) -> Result<(), Error> {
        let t = self.exact.t();
        let end = if t_stop - t > 1.5 * self.longest { t + self.longest } else { t_stop };
        self.exact.step(end)?;
        self.steps += 1;
        self.t_old = t;
        Ok(())
    }

    fn t(&self) -> f64 {
        self.exact.t()
    }

    fn t_old(&self) -> f64 {
        self.t_old
    }

    fn motion(&mut self, _dynamics: &mut Dynamics, t: f64, out: &mut Motion) {
        self.exact.motion(t, out);
    }

    fn motion_before(&mut self, _dynamics: &mut Dynamics, t: f64, out: &mut Motion) {
        self.exact.motion_before(t, out);
    }

    fn sample(&mut self, _dynamics: &mut Dynamics, times: &[f64], now: &mut Motion, samples: &mut Samples) {
        self.exact.sample(times, now, samples);
    }

    fn accumulate(
        &mut self,
        _dynamics: &mut Dynamics,
        span: [f64; 2],
        ranges: Option<&mut Ranges>,
    ) -> Accumulated {
        self.exact.accumulate(span, ranges, &mut self.balance)
    }

    #[inline]
    fn balance(&mut self, _dynamics: &mut Dynamics, _t: f64) -> Balance {
        self.balance
    }

    fn work(&self) -> Work {
        Work { steps: self.steps, ..Work::default() }
    }

    fn has_long_steps(&self) -> bool {
        true
    }

    #[inline]
    fn events(&self) -> Option<&[Event]> {
        Some(self.exact.events())
    }

    #[inline]
    fn sliding_inside(&self, i: usize) -> f64 {
        self.exact.sliding_inside(i)
    }
}
