//! Numbers that vary in time: a constant, harmonics and tables that are linear between their points.
//!
//! Steps, ramps, pulses and noise are tables too. A table is exact data: between two points it is the
//! straight line through them, and two points at the same time are a jump. Its points are events of the
//! clock, and no step crosses one.

use super::check_numbers;
use crate::{Error, Faults};

/// amplitude · sin(omega t + phase), for ever or within a window, from whose start on its time counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wave {
    /// Amplitude, in the unit of the signal.
    pub amplitude: f64,
    /// Angular frequency (rad/s).
    pub omega: f64,
    /// Phase at t = 0, or at the start of the window (rad).
    pub phase: f64,
    /// When it acts; always if absent.
    pub window: Option<Window>,
}

/// A span of time, which may come again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Window {
    /// When it begins; minus infinity if it always has been (s).
    pub start: f64,
    /// When it ends; infinity if it does not (s).
    pub end: f64,
    /// It comes again after this time, and before (s).
    pub period: Option<f64>,
}

impl Window {
    /// Writes every fault into `faults`.
    pub fn check(&self, faults: &mut Faults) {
        let Self { start, end, period } = *self;
        if !(end > start) {
            faults.push(
                "end",
                Error::TooSmall { value: end, limit: start, because: "it ends after its start" },
            );
        } else if let Some(period) = period
            && faults.finite("start", start)
            && faults.finite("end", end)
            && faults.positive("period", period)
        {
            faults.at_least("period", period, end - start, "it begins again after its end");
        }
    }

    /// The last start at or before `t`, whether `t` is inside, and the next start or end after `t` (s).
    fn at(&self, t: f64) -> (f64, bool, f64) {
        let Self { start, end, period } = *self;
        let Some(period) = period else {
            let next = [start, end].into_iter().find(|edge| *edge > t).unwrap_or(f64::INFINITY);
            return (start, start <= t && t < end, next);
        };
        // an edge that the rounding of the period has moved by is reached
        let late = t + ROUNDING * t.abs();
        let begin = |k: f64| start + k * period;
        let mut k = ((t - start) / period).floor();
        if late >= begin(k + 1.0) {
            k += 1.0;
        }
        let close = begin(k) + (end - start);
        let is_inside = late < close;
        let next = if is_inside { close } else { begin(k + 1.0) };
        (begin(k), is_inside, next)
    }
}

impl Wave {
    /// One that never begins nor ends.
    pub fn new(amplitude: f64, omega: f64, phase: f64) -> Self {
        Self { amplitude, omega, phase, window: None }
    }

    /// The wave without window that it is from `t` on, until the next break; none while it does not act.
    pub(crate) fn active(&self, t: f64) -> Option<Self> {
        let Some(window) = self.window else { return Some(*self) };
        let (start, is_inside, _) = window.at(t);
        let since = if start.is_finite() { start } else { 0.0 };
        is_inside.then_some(Self { phase: self.phase - self.omega * since, window: None, ..*self })
    }

    /// The next start or end after `t`; infinite if there is none (s).
    fn next_break(&self, t: f64) -> f64 {
        self.window.map_or(f64::INFINITY, |window| window.at(t).2)
    }

    /// Time after which it repeats itself; none if it does not (s).
    fn period(&self) -> Option<f64> {
        match self.window {
            None => Some(std::f64::consts::TAU / self.omega),
            Some(window) => window.period,
        }
    }

    pub(super) fn value(&self, t: f64) -> f64 {
        self.amplitude * libm::sin(self.omega * t + self.phase)
    }

    /// Its second derivative (1/s²).
    pub(super) fn second(&self, t: f64) -> f64 {
        -self.omega * self.omega * self.value(t)
    }

    pub(super) fn rate(&self, t: f64) -> f64 {
        self.amplitude * self.omega * libm::cos(self.omega * t + self.phase)
    }
}

/// Points that are joined by straight lines.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TimeTable {
    /// Times, ascending; two equal ones are a jump (s).
    pub times: Vec<f64>,
    /// The values, in the unit of the signal.
    pub values: Vec<f64>,
    /// The table begins again after this time; held at its ends if absent (s).
    pub period: Option<f64>,
}

/// Part of a time that its rounding may be after periods have been taken off.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

/// The piece of a table or of a polynomial at some time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct TablePiece {
    /// Value at that time, after a jump there, and the factors of the further powers of the time from then on.
    pub series: [f64; 4],
    /// Where the piece ends (s).
    pub end: f64,
}

impl TablePiece {
    fn line(value: f64, slope: f64, end: f64) -> Self {
        Self { series: [value, slope, 0.0, 0.0], end }
    }

    /// Value after another `tau` (s).
    pub fn at(&self, tau: f64) -> f64 {
        self.series.iter().rev().fold(0.0, |sum, c| sum * tau + c)
    }

    /// Rate after another `tau` (s).
    pub fn rate(&self, tau: f64) -> f64 {
        let [_, b, c, d] = self.series;
        b + tau * (2.0 * c + 3.0 * d * tau)
    }

    /// Rate of that (s).
    pub fn second(&self, tau: f64) -> f64 {
        2.0 * self.series[2] + 6.0 * self.series[3] * tau
    }
}

/// The place of a time in a list of times, ascending and not empty, that may begin again after a period: the
/// number of times up to it, the time within the list, and what was taken off it.
fn locate(times: &[f64], period: Option<f64>, t: f64) -> (usize, f64, f64) {
    let first = times[0];
    // the time within the table, and what has to be added to come back
    let shift = period.map_or(0.0, |period| period * ((t - first) / period).floor());
    let mut at = t - shift;
    let mut shift = shift;
    if let Some(period) = period
        && at >= first + period
    {
        // the quotient was rounded down
        at -= period;
        shift += period;
    }
    // a point that the rounding of the period has moved by is reached
    let rounding = if shift == 0.0 { 0.0 } else { ROUNDING * t.abs() };
    if let Some(period) = period
        && at + rounding >= first + period
    {
        at -= period;
        shift += period;
    }
    (times.partition_point(|time| *time <= at + rounding), at, shift)
}

/// Polynomials of time, one from each of its times on: what the integral of a table is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Polynomials {
    /// Where each begins, ascending; the first holds before as well (s).
    pub times: Vec<f64>,
    /// Factors of the powers of the time since then, from the constant on.
    pub series: Vec<[f64; 4]>,
    /// They begin again after this time; the last goes on if absent (s).
    pub period: Option<f64>,
}

impl Polynomials {
    /// Whether there are times, each with a polynomial.
    pub(crate) fn is_whole(&self) -> bool {
        !self.times.is_empty() && self.times.len() == self.series.len()
    }

    /// The piece at `t`, by powers of the time since then.
    fn piece(&self, t: f64) -> TablePiece {
        let (next, at, shift) = locate(&self.times, self.period, t);
        let from = next.saturating_sub(1);
        let tau = at - self.times[from];
        let here = TablePiece { series: self.series[from], end: 0.0 };
        let closes = self.period.map_or(f64::INFINITY, |period| self.times[0] + period);
        TablePiece {
            series: [here.at(tau), here.rate(tau), 0.5 * here.second(tau), here.series[3]],
            end: self.times.get(next).copied().unwrap_or(closes) + shift,
        }
    }

    fn is_constant(&self) -> bool {
        self.series.iter().all(|series| series[1..] == [0.0; 3] && series[0] == self.series[0][0])
    }

    /// A bound on the absolute value before the last of its times, and a typical one after it.
    fn size(&self) -> f64 {
        let ends = self.times.iter().skip(1).zip(&self.times).map(|(end, start)| end - start);
        let spans = ends.chain([self.period.map_or(0.0, |period| period)]);
        let sizes = self.series.iter().zip(spans);
        sizes
            .map(|(series, tau)| series.iter().rev().fold(0.0, |sum: f64, c| sum * tau + c.abs()))
            .fold(0.0, f64::max)
    }
}

impl TimeTable {
    /// Writes every fault into `faults`.
    pub fn check(&self, faults: &mut Faults) {
        let (found, expected) = (self.values.len(), self.times.len());
        if expected == 0 {
            return faults.push("times", Error::TooFew { found: 0, least: 1, of: "times" });
        }
        if found != expected {
            return faults.push("values", Error::Counts { found, expected, of: "times" });
        }
        let are_finite =
            check_numbers(faults, "times", &self.times) & check_numbers(faults, "values", &self.values);
        if are_finite && let Some(row) = self.times.windows(2).position(|pair| pair[1] < pair[0]) {
            return faults.push("times", Error::NotAscending { row: row + 1, of: "times" });
        }
        if let Some(period) = self.period
            && faults.positive("period", period)
            && are_finite
        {
            let span = self.times[expected - 1] - self.times[0];
            if period < span {
                faults.push("period", Error::ShortPeriod { period, span });
            }
        }
    }

    /// The next point after `t`; infinite if there is none (s).
    pub(crate) fn next_break(&self, t: f64) -> f64 {
        next_end(t, |t| self.piece(t).end)
    }

    /// Whether all values are one.
    pub(crate) fn is_constant(&self) -> bool {
        self.values.windows(2).all(|pair| pair[0] == pair[1])
    }

    /// Whether there are points, each with a time and a value.
    pub(crate) fn is_whole(&self) -> bool {
        !self.times.is_empty() && self.times.len() == self.values.len()
    }

    /// The piece that begins at or before `t`.
    pub(crate) fn piece(&self, t: f64) -> TablePiece {
        let (first, n) = (self.times[0], self.times.len());
        let (next, at, shift) = locate(&self.times, self.period, t);
        let closes = self.period.map(|period| (first + period, self.values[0]));
        let after = if next < n { Some((self.times[next], self.values[next])) } else { closes };
        match (next, after) {
            (0, _) => TablePiece::line(self.values[0], 0.0, first),
            (_, None) => TablePiece::line(self.values[n - 1], 0.0, f64::INFINITY),
            (_, Some((end, value))) => {
                let (from, base) = (self.times[next - 1], self.values[next - 1]);
                // the last point of a table that begins again without a gap is its first
                if end <= from {
                    return TablePiece::line(value, 0.0, end + shift);
                }
                let slope = (value - base) / (end - from);
                TablePiece::line(base + slope * (at - from).max(0.0), slope, end + shift)
            }
        }
    }
}

/// The first end of a piece after `t`; infinite if there is none (s).
fn next_end(t: f64, end_at: impl Fn(f64) -> f64) -> f64 {
    let end = end_at(t);
    if end > t {
        return end;
    }
    // round-off of the period may put an end at the time itself
    let end = end_at(t + t.abs() * f64::EPSILON + f64::MIN_POSITIVE);
    if end > t { end } else { f64::INFINITY }
}

/// constant + Σ waves + Σ tables + Σ polynomials.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Signal {
    /// The constant part.
    pub constant: f64,
    /// The harmonic parts.
    pub waves: Vec<Wave>,
    /// The parts from tables.
    pub tables: Vec<TimeTable>,
    /// The parts from integrals of tables.
    pub polynomials: Vec<Polynomials>,
}

impl From<TimeTable> for Signal {
    fn from(table: TimeTable) -> Self {
        Self { tables: vec![table], ..Self::default() }
    }
}

impl From<f64> for Signal {
    fn from(constant: f64) -> Self {
        Self { constant, ..Self::default() }
    }
}

impl Signal {
    /// Writes every fault into `faults`.
    pub fn check(&self, faults: &mut Faults) {
        faults.finite("constant", self.constant);
        for wave in &self.waves {
            faults.finite("amplitude", wave.amplitude);
            faults.positive("omega", wave.omega);
            faults.finite("phase", wave.phase);
            if let Some(window) = &wave.window {
                window.check(faults);
            }
        }
        for (i, table) in self.tables.iter().enumerate() {
            faults.within("table", |faults| faults.within(i.to_string(), |faults| table.check(faults)));
        }
    }

    /// The value at `t`, after a jump there.
    pub fn at(&self, t: f64) -> f64 {
        self.at_from(t, t)
    }

    /// The value at `t` on the pieces of the time `since`.
    pub(super) fn at_from(&self, since: f64, t: f64) -> f64 {
        let waves = self.waves_at(since).map(|wave| wave.value(t));
        self.constant + waves.chain(self.pieces(since).map(|piece| piece.at(t - since))).sum::<f64>()
    }

    /// The rate at `t`, after a kink there (1/s).
    pub fn rate(&self, t: f64) -> f64 {
        let waves = self.waves_at(t).map(|wave| wave.rate(t));
        waves.chain(self.pieces(t).map(|piece| piece.series[1])).sum()
    }

    /// The pieces of its tables and polynomials at `t`.
    pub(crate) fn pieces(&self, t: f64) -> impl Iterator<Item = TablePiece> {
        let tables = self.tables.iter().map(move |table| table.piece(t));
        tables.chain(self.polynomials.iter().map(move |own| own.piece(t)))
    }

    /// The waves that act from `t` on, until the next break, without their windows.
    pub(crate) fn waves_at(&self, t: f64) -> impl Iterator<Item = Wave> {
        self.waves.iter().filter_map(move |wave| wave.active(t))
    }

    /// The next point of a table, start or end of a wave after `t`; infinite if there is none (s).
    pub fn next_break(&self, t: f64) -> f64 {
        let tables = self.tables.iter().map(|table| table.next_break(t));
        let polynomials = self.polynomials.iter().map(|own| next_end(t, |t| own.piece(t).end));
        let waves = self.waves.iter().map(|wave| wave.next_break(t));
        tables.chain(polynomials).chain(waves).fold(f64::INFINITY, f64::min)
    }

    /// Whether some part of it goes on without end and does not repeat itself.
    pub(crate) fn never_repeats(&self) -> bool {
        self.tables.iter().any(|table| table.period.is_none() && !table.is_constant())
            || self.waves.iter().any(|wave| wave.amplitude != 0.0 && wave.period().is_none())
            || self.polynomials.iter().any(|own| own.period.is_none() && !own.is_constant())
    }

    /// Moves its clock on by `time` (s).
    pub fn begin_at(&mut self, time: f64) {
        for wave in &mut self.waves {
            match &mut wave.window {
                Some(window) if window.start.is_finite() => {
                    window.start -= time;
                    window.end -= time;
                }
                window => {
                    wave.phase += wave.omega * time;
                    window.iter_mut().for_each(|window| window.end -= time);
                }
            }
        }
        let tables = self.tables.iter_mut().flat_map(|table| &mut table.times);
        tables.chain(self.polynomials.iter_mut().flat_map(|own| &mut own.times)).for_each(|t| *t -= time);
    }

    /// A bound on the absolute value.
    pub fn size(&self) -> f64 {
        let table = |table: &TimeTable| table.values.iter().fold(0.0f64, |size, x| size.max(x.abs()));
        self.constant.abs()
            + self.waves.iter().map(|wave| wave.amplitude.abs()).sum::<f64>()
            + self.tables.iter().map(table).sum::<f64>()
            + self.polynomials.iter().map(Polynomials::size).sum::<f64>()
    }

    /// Whether the value never changes.
    pub fn is_constant(&self) -> bool {
        self.waves.iter().all(|wave| wave.amplitude == 0.0)
            && self.tables.iter().all(TimeTable::is_constant)
            && self.polynomials.iter().all(Polynomials::is_constant)
    }

    /// The periods of its parts that have one (s).
    pub(super) fn periods(&self) -> impl Iterator<Item = f64> {
        let waves = self.waves.iter().filter(|wave| wave.amplitude != 0.0);
        let tables = self.tables.iter().filter(|table| !table.is_constant());
        let polynomials = self.polynomials.iter().filter(|own| !own.is_constant());
        let periods = tables.filter_map(|table| table.period);
        waves.filter_map(Wave::period).chain(periods).chain(polynomials.filter_map(|own| own.period))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(period: Option<f64>) -> TimeTable {
        TimeTable { times: vec![1.0, 2.0, 2.0, 4.0], values: vec![0.0, 3.0, -1.0, 1.0], period }
    }

    #[test]
    fn a_table_is_linear_between_its_points_jumps_and_is_held_at_its_ends() {
        let signal = Signal { tables: vec![table(None)], ..Signal::default() };
        let cases = [(0.0, 0.0), (1.0, 0.0), (1.5, 1.5), (2.0, -1.0), (3.0, 0.0), (4.0, 1.0), (9.0, 1.0)];
        for (t, value) in cases {
            assert_eq!(signal.at(t), value, "{t}");
        }
        assert_eq!([0.0, 1.5, 2.5, 5.0].map(|t| signal.rate(t)), [0.0, 3.0, 1.0, 0.0]);
        assert_eq!([0.0, 1.0, 2.0].map(|t| signal.next_break(t)), [1.0, 2.0, 4.0]);
        assert_eq!(signal.next_break(4.0), f64::INFINITY);
    }

    #[test]
    fn a_table_that_repeats_is_the_same_one_period_later() {
        let signal = Signal { tables: vec![table(Some(5.0))], ..Signal::default() };
        for i in 0..500 {
            let t = 0.01 * f64::from(i) + 0.003;
            for turns in [-2.0, 1.0, 7.0] {
                assert!((signal.at(t) - signal.at(t + 5.0 * turns)).abs() < 1e-12, "{t}");
            }
        }
        // from its last point it goes to its first, one period later
        assert!((signal.at(5.0) - 0.5).abs() < 1e-15 && (signal.rate(5.0) + 0.5).abs() < 1e-15);
    }

    #[test]
    fn at_each_point_of_a_later_period_the_next_piece_has_begun() {
        let mut repeated = table(Some(0.3 + 3.0));
        repeated.times.iter_mut().for_each(|t| *t *= 1.1);
        let mut t = 0.0;
        for _ in 0..10_000 {
            t = repeated.next_break(t);
            let (at, later) = (repeated.piece(t), repeated.piece(t + 1e-6));
            let [at_slope, slope] = [at.series[1], later.series[1]];
            assert!((at_slope - slope).abs() <= 1e-12 * at_slope.abs() && at.end > t, "{t}");
        }
    }

    #[test]
    fn the_breaks_of_a_table_with_an_odd_period_never_stand_still() {
        let mut repeated = table(Some(0.3 + 3.0));
        repeated.times.iter_mut().for_each(|t| *t *= 1.1);
        let signal = Signal { tables: vec![repeated], ..Signal::default() };
        let mut t = 0.0;
        for _ in 0..10_000 {
            let next = signal.next_break(t);
            assert!(next > t);
            t = next;
        }
        // two in each period of 3.3 s: its last point is the first of the next
        assert!((t - 16_500.0).abs() < 4.0, "{t}");
    }
}
