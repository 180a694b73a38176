//! Derivatives and integrals of signals.
//!
//! The integral of a table is a polynomial of second order between its points, the integral of that one of
//! third order; what repeats itself is split into its mean, whose integral drifts, and the rest. A harmonic
//! that begins and ends leaves a constant behind.

use super::signal::{Polynomials, Signal, TimeTable, Wave, Window};
use std::f64::consts::FRAC_PI_2;

/// Part of its terms by which a signal may jump at a break, as the times are rounded (-).
const JUMP: f64 = 1e-11;

/// Part of the time since the last break (-).
const BEFORE: f64 = 1e-6;

impl Signal {
    /// Its derivative, after corners and without what a jump would be.
    pub(crate) fn derivative(&self) -> Self {
        let wave = |w: &Wave| Wave { amplitude: w.amplitude * w.omega, phase: w.phase + FRAC_PI_2, ..*w };
        let table = |table: &TimeTable| {
            // held before the first point and after the last one
            let mut steps = TimeTable { period: table.period, ..TimeTable::default() };
            let mut last = 0.0;
            for (k, t) in table.times.iter().enumerate() {
                let slope = table.slope_after(k);
                steps.times.extend([*t, *t]);
                steps.values.extend([last, slope]);
                last = slope;
            }
            // one that repeats begins with the slope that it ends with
            if table.period.is_some() {
                steps.values[0] = last;
            }
            steps
        };
        let polynomials = |own: &Polynomials| Polynomials {
            series: own.series.iter().map(|[_, b, c, d]| [*b, 2.0 * c, 3.0 * d, 0.0]).collect(),
            ..own.clone()
        };
        Self {
            constant: 0.0,
            waves: self.waves.iter().map(wave).collect(),
            tables: self.tables.iter().map(table).collect(),
            polynomials: self.polynomials.iter().map(polynomials).collect(),
        }
    }

    /// The sum with `factor` times another signal.
    pub fn add(&mut self, factor: f64, other: &Self) {
        if factor == 0.0 {
            return;
        }
        self.constant += factor * other.constant;
        self.waves.extend(other.waves.iter().map(|w| Wave { amplitude: factor * w.amplitude, ..*w }));
        self.tables.extend(other.tables.iter().map(|table| TimeTable {
            values: table.values.iter().map(|v| factor * v).collect(),
            ..table.clone()
        }));
        self.polynomials.extend(other.polynomials.iter().map(|own| Polynomials {
            series: own.series.iter().map(|series| series.map(|c| factor * c)).collect(),
            ..own.clone()
        }));
    }

    /// Whether nothing is in it.
    pub fn is_zero(&self) -> bool {
        self.constant == 0.0 && self.waves.is_empty() && self.tables.is_empty() && self.polynomials.is_empty()
    }

    /// Whether its value jumps at a break.
    pub(super) fn jumps(&self) -> bool {
        let mut breaks: Vec<f64> = Vec::new();
        for Window { start, end, period } in self.waves.iter().filter_map(|wave| wave.window) {
            breaks.extend([start, end, start + period.unwrap_or(0.0)]);
        }
        let tables = self.tables.iter().map(|table| (&table.times, table.period));
        for (times, period) in tables.chain(self.polynomials.iter().map(|own| (&own.times, own.period))) {
            breaks.extend(times);
            breaks.extend(period.map(|period| times[0] + period));
        }
        breaks.retain(|t| t.is_finite());
        breaks.sort_by(f64::total_cmp);
        breaks.dedup();
        let size = self.size();
        (0..breaks.len()).any(|k| {
            // just before, where no other break is
            let t = breaks[k];
            let gap = if k > 0 { t - breaks[k - 1] } else { breaks.get(1).map_or(1.0, |next| next - t) };
            (self.at_from(t - BEFORE * gap, t) - self.at(t)).abs() > JUMP * size
        })
    }

    /// An integral: without mean where the signal repeats itself without mean, otherwise from nothing at the
    /// first point of a table, at the start of a harmonic, and at t = 0.
    pub(super) fn integral(&self) -> Self {
        let mut integral = Self::default();
        // what goes on evenly: a value at t = 0, slopes and their sizes
        let (mut value, mut slope, mut size) = (0.0, self.constant, self.constant.abs());
        let mut add = |integral: &mut Self, own: Polynomials| {
            let (rest, [drift, from]) = own.split();
            integral.polynomials.push(rest);
            (value, slope, size) = (value - drift * from, slope + drift, size + drift.abs());
        };
        for wave in &self.waves {
            let amplitude = wave.amplitude / wave.omega;
            integral.waves.push(Wave { amplitude, phase: wave.phase - FRAC_PI_2, ..*wave });
            if let Some(window) = wave.window {
                let mean = mean_within(amplitude, wave, window);
                left_behind(amplitude, wave, window).into_iter().for_each(|own| add(&mut integral, own));
                if let Some(own) = integral.polynomials.last_mut().filter(|_| mean != 0.0) {
                    own.series.iter_mut().for_each(|series| series[0] -= mean);
                }
            }
        }
        let tables = self.tables.iter().map(TimeTable::polynomials);
        for own in tables.chain(self.polynomials.iter().cloned()) {
            add(&mut integral, own.integral());
        }
        if slope.abs() > JUMP * size {
            integral.polynomials.push(Polynomials::line(value, slope));
        }
        integral
    }

    /// What has this rate and this value at t = 0; without one it is without mean if the rate repeats itself
    /// without mean, and zero otherwise.
    pub(super) fn integral_from(&self, value: Option<f64>) -> Self {
        let mut integral = self.integral();
        if value.is_some() || integral.never_repeats() {
            integral.constant += value.unwrap_or(0.0) - integral.at(0.0);
        }
        integral
    }
}

/// Mean over a period of −amplitude · cos(…) within the window of a wave that begins again.
fn mean_within(amplitude: f64, wave: &Wave, Window { start, end, period }: Window) -> f64 {
    let turned = libm::sin(wave.omega * (end - start) + wave.phase) - libm::sin(wave.phase);
    period.map_or(0.0, |period| -amplitude * turned / (wave.omega * period))
}

/// What the integral of a wave, amplitude · sin(…) within its window, needs besides to begin with nothing and
/// to stay where it ends.
fn left_behind(amplitude: f64, wave: &Wave, Window { start, end, period }: Window) -> Option<Polynomials> {
    let has_start = start.is_finite();
    let since = if has_start { start } else { 0.0 };
    let within = if has_start { amplitude * libm::cos(wave.phase) } else { 0.0 };
    let after = within - amplitude * libm::cos(wave.omega * (end - since) + wave.phase);
    let constant = |value: f64| [value, 0.0, 0.0, 0.0];
    let (times, series) = match (has_start, end.is_finite()) {
        (true, true) if period.is_some() => (vec![start, end], vec![constant(within), constant(after)]),
        (true, true) => (vec![start - 1.0, start, end], vec![[0.0; 4], constant(within), constant(after)]),
        (true, false) => (vec![start - 1.0, start], vec![[0.0; 4], constant(within)]),
        (false, true) => (vec![end - 1.0, end], vec![[0.0; 4], constant(after)]),
        (false, false) => return None,
    };
    Some(Polynomials { times, series, period })
}

impl TimeTable {
    /// The slope after point `k`.
    fn slope_after(&self, k: usize) -> f64 {
        let n = self.times.len();
        let (t, value) = (self.times[k], self.values[k]);
        let next = match self.period {
            _ if k + 1 < n => Some((self.times[k + 1], self.values[k + 1])),
            Some(period) => Some((self.times[0] + period, self.values[0])),
            None => None,
        };
        next.filter(|(end, _)| *end > t).map_or(0.0, |(end, to)| (to - value) / (end - t))
    }

    /// The same as polynomials of first order.
    fn polynomials(&self) -> Polynomials {
        let line = |k: usize| [self.values[k], self.slope_after(k), 0.0, 0.0];
        let mut own = Polynomials {
            times: self.times.clone(),
            series: (0..self.times.len()).map(line).collect(),
            period: self.period,
        };
        if self.period.is_none() {
            own.times.insert(0, self.times[0] - 1.0);
            own.series.insert(0, [self.values[0], 0.0, 0.0, 0.0]);
        }
        own
    }
}

impl Polynomials {
    /// A line for all times, by its value at t = 0 and its slope.
    fn line(value: f64, slope: f64) -> Self {
        Self { times: vec![0.0], series: vec![[value, slope, 0.0, 0.0]], period: None }
    }

    /// How long each lasts; the last one for no time without a period.
    fn spans(&self) -> Vec<f64> {
        let last = self.times.len() - 1;
        let end = self.period.map_or(self.times[last], |period| self.times[0] + period);
        (0..=last).map(|k| self.times.get(k + 1).copied().unwrap_or(end) - self.times[k]).collect()
    }

    /// Their integral from nothing at the first of the times where something is; of what repeats itself one
    /// whose last piece ends with the gain of a period.
    fn integral(&self) -> Self {
        let mut value = 0.0;
        let mut series = Vec::with_capacity(self.series.len());
        for ([a, b, c, _], tau) in self.series.iter().zip(self.spans()) {
            series.push([value, *a, b / 2.0, c / 3.0]);
            value += tau * (a + tau * (b / 2.0 + tau * (c / 3.0)));
        }
        if self.period.is_none() && series.len() > 1 {
            // the first piece is what was before the first point
            let offset = series[1][0];
            series.iter_mut().for_each(|series| series[0] -= offset);
        }
        Self { series, ..self.clone() }
    }

    /// What repeats itself and gains something in each period, as a rest without mean and what it gains
    /// evenly: a slope, and where that is zero.
    fn split(mut self) -> (Self, [f64; 2]) {
        let Some(period) = self.period else { return (self, [0.0; 2]) };
        let spans = self.spans();
        let gain = match (self.series.last(), spans.last()) {
            (Some([a, b, c, d]), Some(tau)) => a + tau * (b + tau * (c + tau * d)),
            _ => 0.0,
        };
        let (slope, first) = (gain / period, self.times[0]);
        let mut mean = 0.0;
        for ((series, t), tau) in self.series.iter_mut().zip(&self.times).zip(&spans) {
            series[0] -= slope * (t - first);
            series[1] -= slope;
            let [a, b, c, d] = *series;
            mean += tau * (a + tau * (b / 2.0 + tau * (c / 3.0 + tau * d / 4.0))) / period;
        }
        self.series.iter_mut().for_each(|series| series[0] -= mean);
        // what a sum of as many terms leaves of nothing
        let size = self.series.iter().map(|series| series[0].abs()).fold(0.0, f64::max);
        let drift = if gain.abs() > JUMP * size { slope } else { 0.0 };
        (self, [drift, first])
    }
}
