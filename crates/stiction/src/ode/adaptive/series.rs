//! Steps along power series, up to the first switch that vanishes: the series is as good inside the step as at its end, so that the
//! step ends wherever a switch vanishes along it.
//!
//! Where the problem is linear and slow nothing is estimated: the series is exact to rounding over its whole length. Elsewhere its last
//! terms say how long it may be (@jorba2005), and f at its end whether that is true. The terms scale with the powers of the length, so
//! that no step is computed twice.

use super::{AdaptiveStepper, Crossing, DenseOutput, Leg, Method, SHORTEST};
use crate::Error;
use crate::math::series::{DEGREE, PowerSeries, shorten, slope_at};
use crate::ode::problem::{Ode, SeriesReach};

/// Part of the tolerance that the last terms may have. The digits cost little: each takes a tenth of the length.
const SHARE: f64 = 0.1;
/// From here on terms are last ones: of even and odd functions some vanish.
const LAST: usize = DEGREE - 3;
/// Part of the length at which they have it.
const SAFETY: f64 = 0.9;
/// The product h λ beyond which a series may be held down by stiffness, of nine that its polynomial is stable to.
const STIFF_SERIES: f64 = 5.0;

impl AdaptiveStepper {
    /// The same, with series where the problem has them; not if the user has chosen a method.
    pub(crate) fn with_series(mut self, ode: &(impl Ode + ?Sized)) -> Self {
        if self.settings.method == Method::Auto {
            self.series = vec![PowerSeries::default(); ode.n_series()];
            self.lines = (0..ode.n_switches()).map_while(|k| ode.switch_line(k)).collect();
        }
        self
    }

    /// The series of the last step and the length that they are over; none if it was no such step.
    pub(crate) fn last_series(&self) -> Option<(&[PowerSeries], f64)> {
        self.last.is_none().then_some((&self.series[..], self.h_path))
    }

    /// One step along the series, not beyond `t_end`; false if their terms are beyond all numbers.
    pub(super) fn series_step(
        &mut self,
        ode: &mut (impl Ode + ?Sized),
        t_end: f64,
        reach: SeriesReach,
    ) -> Result<bool, Error> {
        self.count_try()?;
        let rest = t_end - self.t;
        let longest = reach.longest.min(self.longest).min(rest);
        let mut h = if reach.is_exact { longest } else { longest.min(1.0 / self.stiffness) };
        ode.series(self.t, &self.y, &self.y_near, h, &mut self.series);
        self.work.evaluations += 1;
        if !reach.is_exact {
            let factor = (SAFETY * self.room()).min(longest / h);
            if !(factor > 0.0) {
                return Ok(false);
            }
            h = if factor * h >= longest { longest } else { factor * h };
            self.scale(factor);
        }
        let (found, theta) = loop {
            let found = self.first_zero(ode, h);
            let theta = found.map_or(1.0, |crossing| crossing.theta);
            self.end_series(ode, h, theta);
            if reach.is_exact || self.is_confirmed(h, theta) {
                break (found, theta);
            }
            self.work.rejected += 1;
            if h <= SHORTEST * f64::EPSILON * self.t.abs() {
                return Err(Error::StepVanished { t: self.t });
            }
            h *= 0.5;
            self.scale(0.5);
        };
        let t = if found.is_none() && h >= rest { t_end } else { (self.t + theta * h).min(t_end) };
        let works = self.n_active;
        ode.series_works(h, &self.series, theta, &mut self.y_new[works..]);
        self.y_new[works..].iter_mut().zip(&self.y[works..]).for_each(|(new, y)| *new += y);

        let on = found.map(|crossing| crossing.switch);
        self.watch.evaded(None, false);
        self.watch.cut(None);
        self.last = None;
        // how short the steps behind the last kink must be was not found out
        self.leaves = None;
        if self.shift(ode, t, h, on, h)? {
            self.pending = Some((self.h, on));
        } else if let Some(switch) = on {
            self.turn(ode, self.h, switch);
        } else if !reach.is_exact {
            self.stiffness = ode.stiffness(self.t, &self.y);
            if let Some(h) = self.choice.change(h, h, self.stiffness, STIFF_SERIES) {
                self.h = h;
                self.implicit.restart();
            }
        }
        Ok(true)
    }

    /// By how much the step may be longer until the last terms have their share of the tolerance; NaN if they are beyond all numbers.
    fn room(&self) -> f64 {
        let mut largest = 0.0;
        for (i, (series, y)) in self.series.iter().zip(&self.y[..self.n_active]).enumerate() {
            let last = series[LAST..].iter().fold(0.0, |sum, c| sum + c.abs());
            largest = f64::max(largest, last / (SHARE * self.tolerance.scale(i, *y, *y)));
            if !last.is_finite() {
                return f64::NAN;
            }
        }
        let power = if largest > 1.0 { LAST } else { DEGREE };
        libm::pow(largest, -1.0 / power as f64)
    }

    /// Makes the series those over a step that is so many times as long.
    fn scale(&mut self, factor: f64) {
        self.series.iter_mut().for_each(|series| shorten(series, factor));
    }

    /// Whether the slopes of the series at the end of the step, at θ, are those of the problem, to the tolerance.
    fn is_confirmed(&self, h: f64, theta: f64) -> bool {
        let ends = self.y.iter().zip(&self.y_new).zip(&self.f_new);
        self.series[..self.n_active].iter().zip(ends).enumerate().all(|(i, (series, ((y, y_new), f_new)))| {
            // not even a NaN is passed over
            (slope_at(series, theta) - h * f_new).abs() <= self.tolerance.scale(i, *y, *y_new)
        })
    }

    /// The active components of the state at θ, and f there, as the end of the step.
    fn end_series(&mut self, ode: &mut (impl Ode + ?Sized), h: f64, theta: f64) {
        DenseOutput::Series(&self.series).at(theta, &mut self.y_new[..self.n_active]);
        ode.rhs(self.t + theta * h, &self.y_new, &mut self.f_new);
        self.work.evaluations += 1;
    }

    /// The first zero of a switch along the series.
    fn first_zero(&mut self, ode: &mut (impl Ode + ?Sized), h: f64) -> Option<Crossing> {
        if self.watch.is_idle() {
            return None;
        }
        let earliest = SHORTEST * f64::EPSILON * self.t.abs() / h;
        if self.lines.len() == ode.n_switches() {
            return self.watch.first_on_lines(&self.series, &self.lines, earliest);
        }
        let leg = Leg { t: self.t, h, path: DenseOutput::Series(&self.series) };
        self.watch.first_crossing(ode, leg, earliest)
    }
}
