//! Numbers that vary in time: a constant, harmonics and tables that are linear between their points.
//!
//! Steps, ramps, pulses and noise are tables too. A table is exact data: between two points it is the
//! straight line through them, and two points at the same time are a jump. Its points are events of the
//! clock, and no step crosses one.

use super::check_numbers;
use crate::{Error, Faults};

/// amplitude · sin(omega t + phase).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wave {
    /// Amplitude, in the unit of the signal.
    pub amplitude: f64,
    /// Angular frequency (rad/s).
    pub omega: f64,
    /// Phase at t = 0 (rad).
    pub phase: f64,
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

/// The piece of a table at some time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct TablePiece {
    /// Value at that time, after a jump there.
    pub value: f64,
    /// Slope from there on (1/s).
    pub slope: f64,
    /// Where the piece ends (s).
    pub end: f64,
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
        let end = self.piece(t).end;
        if end > t {
            return end;
        }
        // round-off of the period may put an end at the time itself
        let end = self.piece(t + t.abs() * f64::EPSILON + f64::MIN_POSITIVE).end;
        if end > t { end } else { f64::INFINITY }
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
        let first = self.times[0];
        // the time within the table, and what has to be added to come back
        let shift = self.period.map_or(0.0, |period| period * ((t - first) / period).floor());
        let mut at = t - shift;
        let mut shift = shift;
        if let Some(period) = self.period
            && at >= first + period
        {
            // the quotient was rounded down
            at -= period;
            shift += period;
        }
        // a point that the rounding of the period has moved by is reached
        let rounding = if shift == 0.0 { 0.0 } else { ROUNDING * t.abs() };
        if let Some(period) = self.period
            && at + rounding >= first + period
        {
            at -= period;
            shift += period;
        }
        let next = self.times.partition_point(|time| *time <= at + rounding);
        let n = self.times.len();
        let closes = self.period.map(|period| (first + period, self.values[0]));
        let after = if next < n { Some((self.times[next], self.values[next])) } else { closes };
        match (next, after) {
            (0, _) => TablePiece { value: self.values[0], slope: 0.0, end: first },
            (_, None) => TablePiece { value: self.values[n - 1], slope: 0.0, end: f64::INFINITY },
            (_, Some((end, value))) => {
                let (from, base) = (self.times[next - 1], self.values[next - 1]);
                // the last point of a table that begins again without a gap is its first
                if end <= from {
                    return TablePiece { value, slope: 0.0, end: end + shift };
                }
                let slope = (value - base) / (end - from);
                TablePiece { value: base + slope * (at - from).max(0.0), slope, end: end + shift }
            }
        }
    }
}

/// constant + Σ waves + Σ tables.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Signal {
    /// The constant part.
    pub constant: f64,
    /// The harmonic parts.
    pub waves: Vec<Wave>,
    /// The parts from tables.
    pub tables: Vec<TimeTable>,
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
        }
        for (i, table) in self.tables.iter().enumerate() {
            faults.within("table", |faults| faults.within(i.to_string(), |faults| table.check(faults)));
        }
    }

    /// The value at `t`, after a jump there.
    pub fn at(&self, t: f64) -> f64 {
        let waves = self.waves.iter().map(|w| w.amplitude * libm::sin(w.omega * t + w.phase));
        let tables = self.tables.iter().map(|table| table.piece(t).value);
        self.constant + waves.chain(tables).sum::<f64>()
    }

    /// The rate at `t`, after a kink there (1/s).
    pub fn rate(&self, t: f64) -> f64 {
        let waves = self.waves.iter().map(|w| w.amplitude * w.omega * libm::cos(w.omega * t + w.phase));
        waves.chain(self.tables.iter().map(|table| table.piece(t).slope)).sum()
    }

    /// The next point of a table after `t`; infinite if there is none (s).
    pub fn next_break(&self, t: f64) -> f64 {
        self.tables.iter().map(|table| table.next_break(t)).fold(f64::INFINITY, f64::min)
    }

    /// Moves its clock on by `time` (s).
    pub fn begin_at(&mut self, time: f64) {
        self.waves.iter_mut().for_each(|wave| wave.phase += wave.omega * time);
        self.tables.iter_mut().flat_map(|table| &mut table.times).for_each(|t| *t -= time);
    }

    /// A bound on the absolute value.
    pub fn size(&self) -> f64 {
        let table = |table: &TimeTable| table.values.iter().fold(0.0f64, |size, x| size.max(x.abs()));
        self.constant.abs()
            + self.waves.iter().map(|wave| wave.amplitude.abs()).sum::<f64>()
            + self.tables.iter().map(table).sum::<f64>()
    }

    /// Whether the value never changes.
    pub fn is_constant(&self) -> bool {
        self.waves.iter().all(|wave| wave.amplitude == 0.0) && self.tables.iter().all(TimeTable::is_constant)
    }

    /// The periods of its parts that have one (s).
    pub(super) fn periods(&self) -> impl Iterator<Item = f64> {
        let waves = self.waves.iter().filter(|wave| wave.amplitude != 0.0);
        let tables = self.tables.iter().filter(|table| !table.is_constant());
        waves.map(|wave| std::f64::consts::TAU / wave.omega).chain(tables.filter_map(|table| table.period))
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
            assert!((at.slope - later.slope).abs() <= 1e-12 * at.slope.abs() && at.end > t, "{t}");
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
