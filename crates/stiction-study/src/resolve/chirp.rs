//! A sine whose frequency goes evenly from one value to another, as a table.
//!
//! ```text
//!   s(t) = A sin φ,    φ = ω₀ t + ½ (ω₁ − ω₀) t²/T,    0 ≤ t ≤ T
//! ```
//!
//! The points stand at equal steps of the phase, so that all periods are drawn alike; at low frequencies, which change much within
//! such a step, at equal times.

use super::Resolve;
use crate::scenario::{ChirpTable, PointTable};
use std::f64::consts::TAU;
use stiction::system::TimeTable;

/// Points in a period: straight lines between them are off by h² ω²/8 = (π/64)²/2 of the amplitude, 0.12 %.
const PER_PERIOD: f64 = 64.0;
/// The slow frequency in √|dω/dt|.
const SLOW: f64 = 2.0;
/// The most points.
const MAX_POINTS: f64 = 20_000.0;

impl Resolve<'_> {
    /// A table of a chirp.
    pub(super) fn chirp(&mut self, key: &str, points: &PointTable, chirp: &ChirpTable) -> Option<TimeTable> {
        if points.period.is_some() {
            let message = "given beside chirp, which does not repeat itself";
            self.fault(&format!("{key}.period"), message, None);
            return None;
        }
        let key = format!("{key}.chirp");
        let is_sound = self.check(&key, |faults| {
            faults.finite("amplitude", chirp.amplitude);
            faults.not_negative("from", chirp.from);
            faults.not_negative("to", chirp.to);
            faults.positive("duration", chirp.duration);
            if chirp.from + chirp.to <= 0.0 {
                faults.positive("to", chirp.to);
            }
        });
        if !is_sound {
            return None;
        }
        let n = steps(chirp);
        if n > MAX_POINTS {
            let message = format!("{n:.0} points, but at most {MAX_POINTS:.0} are made");
            self.fault(&format!("{key}.duration"), message, Some("make it shorter or slower"));
            return None;
        }
        Some(table(chirp))
    }
}

/// The frequency below which a step is bounded by the change of the frequency (rad/s): at twice √|dω/dt| that change bends the sine
/// by a quarter of what the frequency does, and by less above it; as both are in quadrature, lines are off by 3 % more there.
fn slow(chirp: &ChirpTable) -> f64 {
    SLOW * ((chirp.to - chirp.from).abs() / chirp.duration).sqrt()
}

/// ∫ max(ω, slow) dt from zero frequency to this part of the slow one, less a constant: the phase above it, its tangent below.
fn way(part: f64) -> f64 {
    SLOW * SLOW * if part < 1.0 { part - 0.5 } else { 0.5 * part * part }
}

/// The part of the slow frequency at which that way has been gone.
fn part_at(way: f64) -> f64 {
    let way = way / (SLOW * SLOW);
    if way < 0.5 { way + 0.5 } else { (2.0 * way).sqrt() }
}

/// Steps from beginning to end (-).
fn steps(chirp: &ChirpTable) -> f64 {
    (PER_PERIOD * length(chirp) / TAU).ceil().max(1.0)
}

/// The whole way of the points.
fn length(chirp: &ChirpTable) -> f64 {
    let slow = slow(chirp);
    if chirp.from.min(chirp.to) >= slow {
        return 0.5 * (chirp.from + chirp.to) * chirp.duration;
    }
    (way(chirp.to / slow) - way(chirp.from / slow)).abs()
}

fn table(chirp: &ChirpTable) -> TimeTable {
    let ChirpTable { amplitude, from, to, duration } = *chirp;
    let (n, rate, slow) = (steps(chirp), (to - from) / duration, slow(chirp));
    let length = length(chirp);
    let at = |k: usize| {
        let come = length * k as f64 / n;
        let t = if from.min(to) >= slow {
            // ω₀ t + ½ rate t² = φ without a difference of roots, for the rate may be zero
            2.0 * come / (from + (from * from + 2.0 * rate * come).max(0.0).sqrt())
        } else {
            let way = way(from / slow) + come.copysign(rate);
            (slow * part_at(way) - from) / rate
        };
        let t = if k == n as usize { duration } else { t.clamp(0.0, duration) };
        (t, amplitude * libm::sin(t * (from + 0.5 * rate * t)))
    };
    let (mut times, mut values): (Vec<f64>, Vec<f64>) = (0..=n as usize).map(at).unzip();
    times.push(duration);
    values.push(0.0);
    TimeTable { times, values, period: None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_the_sine_within_what_its_lines_leave() {
        let ends =
            [(1.0, 9.0), (9.0, 1.0), (0.0, 5.0), (5.0, 0.0), (4.8, 0.0), (3.0, 3.0), (0.0, 0.1), (0.05, 0.0)];
        for (from, to) in ends {
            let chirp = ChirpTable { amplitude: 2.0, from, to, duration: 20.0 };
            let table = table(&chirp);
            assert!(table.times.windows(2).all(|pair| pair[0] <= pair[1]), "{from} {to}");
            let mut largest: f64 = 0.0;
            for k in 0..20_000 {
                let t = 20.0 * f64::from(k) / 20_000.0;
                let i = table.times.partition_point(|other| *other <= t) - 1;
                let share = (t - table.times[i]) / (table.times[i + 1] - table.times[i]);
                let value = table.values[i] + share * (table.values[i + 1] - table.values[i]);
                let exact = 2.0 * libm::sin(from * t + 0.5 * (to - from) * t * t / 20.0);
                largest = largest.max((value - exact).abs());
            }
            // (π/64)²/2, and √(1 + 1/16) times that where the frequency is low
            assert!(largest < 2.0 * 1.25e-3, "{from} {to}: {largest}");
            assert_eq!(table.values.last(), Some(&0.0));
            // it is over at once, and the step before that is one like the others
            let end = &table.times[table.times.len() - 4..];
            assert_eq!(end[2..], [20.0; 2]);
            assert!((end[2] - end[1] - (end[1] - end[0])).abs() < 0.1 * (end[1] - end[0]), "{end:?}");
        }
    }
}
