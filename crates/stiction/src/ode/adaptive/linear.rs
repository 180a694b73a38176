//! Steps where the problem is linear: a power series that is exact to rounding, up to the first switch that vanishes.
//!
//! Nothing is estimated and nothing is repeated: the series is as good inside the step as at its end, so that the step ends wherever
//! a switch vanishes along it.

use super::{AdaptiveStepper, Crossing, DenseOutput, Leg, Method, SHORTEST};
use crate::Error;
use crate::ode::problem::{Ode, PowerSeries};

impl AdaptiveStepper {
    /// The same, with series where the problem says that it is linear; not if the user has chosen a method.
    ///
    /// Such steps are as long as the series allows, whatever the tolerance.
    pub(crate) fn with_series(mut self) -> Self {
        if self.settings.method == Method::Auto {
            self.series = vec![PowerSeries::default(); self.n_active];
        }
        self
    }

    /// The series of the last step and the length that they are over; none if it was no such step.
    pub(crate) fn last_series(&self) -> Option<(&[PowerSeries], f64)> {
        self.last.is_none().then_some((&self.series[..], self.h_path))
    }

    /// One step along the series, at most `reach` long and not beyond `t_end`.
    pub(super) fn linear_step(
        &mut self,
        ode: &mut (impl Ode + ?Sized),
        t_end: f64,
        reach: f64,
    ) -> Result<(), Error> {
        self.count_try()?;
        let rest = t_end - self.t;
        let h = reach.min(self.longest).min(rest);
        ode.series(self.t, &self.y, &self.y_near, h, &mut self.series);
        self.work.evaluations += 1;
        self.end_series(ode, h, 1.0);
        let found = self.first_zero(ode, h);
        let (mut t, mut theta) = (if h >= rest { t_end } else { self.t + h }, 1.0);
        if let Some(crossing) = found {
            theta = crossing.theta;
            t = (self.t + theta * h).min(t_end);
            self.end_series(ode, h, theta);
        }
        let works = self.n_active;
        ode.series_works(self.t, h, &self.series, theta, &mut self.y_new[works..]);
        self.y_new[works..].iter_mut().zip(&self.y[works..]).for_each(|(new, y)| *new += y);

        let on = found.map(|crossing| crossing.switch);
        self.watch.evaded(None);
        self.watch.cut(None);
        self.last = None;
        // how short the steps behind the last kink must be was not found out
        self.leaves = None;
        if self.shift(ode, t, h, on, h)? {
            self.pending = Some((self.h, on));
        } else if let Some(switch) = on {
            self.turn(ode, self.h, switch);
        }
        Ok(())
    }

    /// The active components of the state at θ, and f there, as the end of the step.
    fn end_series(&mut self, ode: &mut (impl Ode + ?Sized), h: f64, theta: f64) {
        DenseOutput::Series(&self.series).at(theta, &mut self.y_new[..self.n_active]);
        ode.rhs(self.t + theta * h, &self.y_new, &mut self.f_new);
        self.work.evaluations += 1;
    }

    /// The first zero of a switch along the series.
    fn first_zero(&mut self, ode: &mut (impl Ode + ?Sized), h: f64) -> Option<Crossing> {
        if self.watch.is_idle() || !ode.may_switch(h, [&self.y, &self.f], [&self.y_new, &self.f_new]) {
            return None;
        }
        let leg = Leg { t: self.t, h, path: DenseOutput::Series(&self.series) };
        self.watch.first_crossing(ode, leg, SHORTEST * f64::EPSILON * self.t.abs() / h)
    }
}
