//! Points that are drawn: each is a pure function of the seed and its number, so that any of them can be made
//! anywhere.

use super::sobol::{BITS, SobolDirections};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How points are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DrawKind {
    /// Independent points.
    Random,
    /// One point in each of as many equal parts of every axis.
    LatinHypercube,
    /// Sobol's sequence, scrambled; most even if the number of points is a power of two.
    Sobol,
}

/// Points that are drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Draw {
    /// How.
    pub kind: DrawKind,
    /// How many.
    pub points: u64,
    /// Other seeds give other points.
    pub seed: u64,
}

/// One coordinate of all points.
#[derive(Clone, Debug)]
pub(super) struct Coordinate {
    draw: Draw,
    /// Key of its random numbers.
    key: u64,
    directions: Option<SobolDirections>,
}

impl Coordinate {
    /// Coordinate `d` of the points of a draw.
    pub fn new(draw: &Draw, d: usize) -> Self {
        let key = hash(draw.seed, d as u64);
        let directions = (draw.kind == DrawKind::Sobol).then(|| SobolDirections::new(d));
        Self { draw: draw.clone(), key, directions }
    }

    /// The coordinate of point `i`, above 0 and below 1.
    pub fn at(&self, i: u64) -> f64 {
        match (self.draw.kind, &self.directions) {
            (DrawKind::LatinHypercube, _) => {
                let n = self.draw.points.max(1);
                let stratum = permuted(i % n, n, self.key);
                // rounding could take the last to 1
                ((stratum as f64 + unit(hash(self.key, i))) / n as f64).min(1.0 - f64::EPSILON / 2.0)
            }
            (DrawKind::Sobol, Some(directions)) => {
                let x = scrambled(directions.coordinate(i), self.key);
                (x as f64 + 0.5) / (1u64 << BITS) as f64
            }
            _ => unit(hash(self.key, i)),
        }
    }
}

/// Owen's scrambling (@owen1995): each bit is flipped or not, as a hash of all bits above it says.
fn scrambled(x: u64, key: u64) -> u64 {
    (0..BITS).fold(x, |y, b| {
        // the bits above bit b, behind a one that says how many they are
        let above = (x >> (BITS - b)) | (1 << b);
        y ^ ((hash(key, above) & 1) << (BITS - 1 - b))
    })
}

/// A permutation of 0 … n − 1 by four rounds of a Feistel network on the least even number of bits that holds
/// n; what falls outside is sent round again.
fn permuted(i: u64, n: u64, key: u64) -> u64 {
    let half = (64 - (n - 1).leading_zeros()).div_ceil(2).max(1);
    let mask = (1u64 << half) - 1;
    let mut x = i;
    loop {
        let (mut left, mut right) = (x >> half, x & mask);
        for round in 0..4 {
            (left, right) = (right, left ^ (hash(key ^ round, right) & mask));
        }
        x = (left << half) | right;
        if x < n {
            return x;
        }
    }
}

/// A number above 0 and below 1 of 52 random bits.
fn unit(bits: u64) -> f64 {
    ((bits >> 12) as f64 + 0.5) / (1u64 << 52) as f64
}

/// The output function of SplitMix64 (@steele2014), twice.
fn hash(a: u64, b: u64) -> u64 {
    let mix = |z: u64| {
        let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
    mix(mix(a.wrapping_add(GOLDEN)).wrapping_add(b.wrapping_mul(GOLDEN)).wrapping_add(GOLDEN))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn coordinates(draw: &Draw, d: usize) -> Vec<f64> {
        let coordinate = Coordinate::new(draw, d);
        (0..draw.points).map(|i| coordinate.at(i)).collect()
    }

    #[test]
    fn a_latin_hypercube_has_one_point_in_each_part() {
        for points in [1, 2, 3, 7, 100, 1023, 1024, 1025] {
            let draw = Draw { kind: DrawKind::LatinHypercube, points, seed: 5 };
            let mut parts: Vec<u64> =
                coordinates(&draw, 2).iter().map(|x| (x * points as f64) as u64).collect();
            assert!(points <= 7 || !parts.is_sorted(), "a permutation, not the order");
            parts.sort_unstable();
            assert!(parts.into_iter().eq(0..points), "{points} points");
        }
    }

    #[test]
    fn scrambling_keeps_one_point_in_each_part_and_depends_on_the_seed() {
        let of = |seed| coordinates(&Draw { kind: DrawKind::Sobol, points: 256, seed }, 3);
        let mut parts: Vec<u64> = of(1).iter().map(|x| (x * 256.0) as u64).collect();
        parts.sort_unstable();
        assert!(parts.into_iter().eq(0..256));
        assert_ne!(of(1), of(2));
    }

    /// Means, variances and correlations of independent uniform numbers, each within five standard
    /// deviations.
    #[test]
    fn random_points_are_uniform_and_independent() {
        let draw = Draw { kind: DrawKind::Random, points: 20_000, seed: 3 };
        let n = 20_000.0f64;
        let [x, y] = [0, 1].map(|d| coordinates(&draw, d));
        let mean = |list: &mut dyn Iterator<Item = f64>| list.sum::<f64>() / n;
        let centred = |list: &[f64]| list.iter().map(|x| x - 0.5).collect::<Vec<_>>();
        let (x, y) = (centred(&x), centred(&y));
        assert!(mean(&mut x.iter().copied()).abs() < 5.0 / (12.0 * n).sqrt());
        // the variance of a square is 1/180
        assert!((mean(&mut x.iter().map(|x| x * x)) - 1.0 / 12.0).abs() < 5.0 / (180.0 * n).sqrt());
        let product = mean(&mut x.iter().zip(&y).map(|(x, y)| x * y));
        let serial = mean(&mut x.windows(2).map(|w| w[0] * w[1]));
        for covariance in [product, serial] {
            assert!(covariance.abs() < 5.0 / (12.0 * n.sqrt()), "{covariance}");
        }
    }

    #[test]
    fn numbers_stay_within_the_interval() {
        assert!(unit(0) > 0.0 && unit(u64::MAX) < 1.0);
        let last =
            Coordinate::new(&Draw { kind: DrawKind::LatinHypercube, points: u64::MAX >> 11, seed: 0 }, 0);
        assert!((0..100).all(|i| last.at(i) > 0.0 && last.at(i) < 1.0));
    }
}
