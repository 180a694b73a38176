//! A sine whose frequency goes evenly from one value to another, as a table.
//!
//! ```text
//!   s(t) = A sin φ,    φ = ω₀ t + ½ (ω₁ − ω₀) t²/T,    0 ≤ t ≤ T
//! ```
//!
//! The points stand at equal steps of the phase, so that all periods are drawn alike.

use super::Resolve;
use crate::scenario::{ChirpTable, PointTable};
use std::f64::consts::TAU;
use stiction::system::TimeTable;

/// Points in a period: straight lines between them are off by 1 − cos(π/64) of the amplitude.
const PER_PERIOD: f64 = 64.0;
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

/// Steps of the phase from beginning to end (-).
fn steps(chirp: &ChirpTable) -> f64 {
    (PER_PERIOD * 0.5 * (chirp.from + chirp.to) * chirp.duration / TAU).ceil()
}

fn table(chirp: &ChirpTable) -> TimeTable {
    let ChirpTable { amplitude, from, to, duration } = *chirp;
    let (n, rate) = (steps(chirp), (to - from) / duration);
    let last = 0.5 * (from + to) * duration;
    let at = |k: usize| {
        let phase = last * k as f64 / n;
        // ω₀ t + ½ rate t² = φ without a difference of roots
        let root = (from * from + 2.0 * rate * phase).max(0.0).sqrt();
        let t = if k == 0 { 0.0 } else { (2.0 * phase / (from + root)).min(duration) };
        (t, amplitude * libm::sin(phase))
    };
    let (mut times, mut values): (Vec<f64>, Vec<f64>) = (0..=n as usize).map(at).unzip();
    times.push(duration.max(times[n as usize]));
    values.push(0.0);
    TimeTable { times, values, period: None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_the_sine_within_what_its_lines_leave() {
        for (from, to) in [(1.0, 9.0), (9.0, 1.0), (0.0, 5.0), (5.0, 0.0), (3.0, 3.0)] {
            let chirp = ChirpTable { amplitude: 2.0, from, to, duration: 20.0 };
            let table = table(&chirp);
            assert!(table.times.windows(2).all(|pair| pair[0] <= pair[1]), "{from} {to}");
            let mut largest: f64 = 0.0;
            for k in 0..5000 {
                let t = 19.99 * f64::from(k) / 5000.0;
                let i = table.times.partition_point(|other| *other <= t) - 1;
                let share = (t - table.times[i]) / (table.times[i + 1] - table.times[i]);
                let value = table.values[i] + share * (table.values[i + 1] - table.values[i]);
                let exact = 2.0 * libm::sin(from * t + 0.5 * (to - from) * t * t / 20.0);
                largest = largest.max((value - exact).abs());
            }
            // where the frequency itself changes much within one step, at zero frequency, lines are off by little more
            assert!(largest < 2.0 * 2.5e-3, "{from} {to}: {largest}");
            assert_eq!(table.values.last(), Some(&0.0));
        }
    }
}
