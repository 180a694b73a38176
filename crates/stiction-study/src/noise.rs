//! Band-limited noise as a table: tones at the multiples of one frequency within a band, of one amplitude,
//! their phases by chance (@shinozuka1972).
//!
//! ```text
//!   s(t) = rms √(2/K) Σ sin(2πk t/T + φₖ),    low ≤ 2πk/T ≤ high,   K tones
//! ```
//!
//! Over the duration T its mean is zero and its root mean square is as given, up to the straight lines
//! between the points; one duration later it is the same.

use crate::scenario::NoiseTable;
use std::f64::consts::TAU;

/// Points in a period of the fastest tone: straight lines between them are off by 2 % of it.
const PER_PERIOD: f64 = 16.0;
/// The most points: tones times points are some seconds.
pub(crate) const MAX_POINTS: f64 = 20_000.0;

/// Numbers of points and of tones.
pub(crate) fn size(noise: &NoiseTable) -> (f64, f64) {
    let tone = TAU / noise.duration;
    let n_points = (PER_PERIOD * noise.high / tone).ceil() + 1.0;
    (n_points, (noise.high / tone).floor() - (noise.low / tone).ceil().max(1.0) + 1.0)
}

/// Times and values.
pub(crate) fn points(noise: &NoiseTable) -> (Vec<f64>, Vec<f64>) {
    let tone = TAU / noise.duration;
    let (n_points, n_tones) = size(noise);
    let first = (noise.low / tone).ceil().max(1.0);
    let mut state = noise.seed;
    let phases: Vec<f64> = (0..n_tones as usize).map(|_| TAU * uniform(&mut state)).collect();
    let amplitude = noise.rms * (2.0 / n_tones).sqrt();
    let last = n_points as usize - 1;
    let part = |i: usize| i as f64 / last as f64;
    let value = |i: usize| {
        let sine = |(k, phase): (usize, &f64)| {
            // whole turns are left out before they cost digits
            let turns = (first + k as f64) * part(i);
            libm::sin(TAU * (turns - turns.floor()) + phase)
        };
        amplitude * phases.iter().enumerate().map(sine).sum::<f64>()
    };
    let mut values: Vec<f64> = (0..last).map(value).collect();
    values.push(values[0]);
    ((0..=last).map(|i| noise.duration * part(i)).collect(), values)
}

/// A number from 0 to 1, of the splitmix64 sequence (@steele2014).
fn uniform(state: &mut u64) -> f64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_has_its_root_mean_square_no_mean_and_nothing_outside_its_band() {
        let noise = NoiseTable { rms: 1.5, low: 2.0, high: 9.0, duration: 40.0, seed: 7 };
        let (times, values) = points(&noise);
        let n = values.len() - 1;
        let mean = |f: &dyn Fn(usize) -> f64| (0..n).map(f).sum::<f64>() / n as f64;
        assert!(mean(&|i| values[i]).abs() < 1e-13);
        assert!((mean(&|i| values[i] * values[i]).sqrt() - 1.5).abs() < 1e-12);
        assert_eq!((times[0], times[n], values[0]), (0.0, 40.0, values[n]));
        for k in 1..80 {
            let omega = TAU * k as f64 / 40.0;
            let part = mean(&|i| values[i] * (omega * times[i]).cos())
                .hypot(mean(&|i| values[i] * (omega * times[i]).sin()));
            assert_eq!(part > 1e-12, (2.0..=9.0).contains(&omega), "{omega}: {part}");
        }
        assert_ne!(values, points(&NoiseTable { seed: 8, ..noise }).1);
    }
}
