//! The coefficient of friction along a motion as a power series, term by term as the motion's own terms become known.
//!
//! With x = rate (v − centre) and its terms x_j
//!
//! ```text
//!   sine:  j s_j =  Σ i x_i c_{j−i},   j c_j = −Σ i x_i s_{j−i}        i = 1 … j
//!   tanh:  j s_j =  Σ i x_i c_{j−i},     c_j = −Σ s_i s_{j−i}          c = 1 − s²
//! ```

use crate::law::{GraphPiece, PieceShape};
use crate::math::series::{DEGREE, PowerSeries, RECIPROCAL};

/// The terms so far of a piece of a graph along a motion.
#[derive(Clone, Debug)]
pub(super) struct PieceSeries {
    piece: GraphPiece,
    /// i x_i.
    rates: PowerSeries,
    /// c_j and −s_j, or c_j and s_j of tanh, the last first.
    pairs: [[f64; 2]; DEGREE + 1],
}

impl PieceSeries {
    pub fn new() -> Self {
        Self { piece: GraphPiece::flat(0.0), rates: PowerSeries::default(), pairs: [[0.0; 2]; DEGREE + 1] }
    }

    /// Starts along `piece` at the sliding velocity `v`; returns the coefficient there.
    pub fn start(&mut self, piece: GraphPiece, v: f64) -> f64 {
        self.piece = piece;
        let x = piece.rate * (v - piece.centre);
        let value = match piece.shape {
            PieceShape::Flat => 0.0,
            PieceShape::Line => x,
            PieceShape::Sine => {
                let (sine, cosine) = libm::sincos(x);
                self.keep(0, [cosine, -sine]);
                sine
            }
            PieceShape::Tanh => {
                let tanh = libm::tanh(x);
                // 1 − tanh² without cancellation
                let e = libm::exp(-2.0 * x.abs());
                self.keep(0, [4.0 * e / ((1.0 + e) * (1.0 + e)), tanh]);
                tanh
            }
        };
        piece.level + piece.size * value
    }

    /// Term j > 0 of the coefficient from term j of the sliding velocity.
    #[inline]
    pub fn next(&mut self, j: usize, v: f64) -> f64 {
        match self.piece.shape {
            PieceShape::Flat => 0.0,
            PieceShape::Line => self.next_line(v),
            PieceShape::Sine => self.next_sine(j, v),
            PieceShape::Tanh => self.next_tanh(j, v),
        }
    }

    #[inline(always)]
    fn next_line(&self, v: f64) -> f64 {
        self.piece.size * (self.piece.rate * v)
    }

    #[inline(always)]
    fn next_sine(&mut self, j: usize, v: f64) -> f64 {
        self.rates[j] = j as f64 * (self.piece.rate * v);
        let [s, c] = self.product(j).map(|sum| sum * RECIPROCAL[j]);
        self.keep(j, [c, -s]);
        self.piece.size * s
    }

    #[inline(always)]
    fn next_tanh(&mut self, j: usize, v: f64) -> f64 {
        self.rates[j] = j as f64 * (self.piece.rate * v);
        let s = self.product(j)[0] * RECIPROCAL[j];
        self.keep(j, [0.0, s]);
        let own = &self.pairs[DEGREE - j..];
        let square: f64 = own.iter().zip(own.iter().rev()).map(|([_, a], [_, b])| a * b).sum();
        self.keep(j, [-square, s]);
        self.piece.size * s
    }

    /// Position, velocity and force of a body with this one contact, after the first terms, from the load: the same numbers as
    /// [`Self::next`] term by term. `numbers` are direction, normal load and viscous friction of the contact, `rates` the reciprocal
    /// of the mass, damping and stiffness.
    pub fn run(&mut self, numbers: [f64; 3], rates: [f64; 3], h: f64, series: [&mut PowerSeries; 4]) {
        match self.piece.shape {
            PieceShape::Flat => body_terms(numbers, rates, h, series, |_, _| 0.0),
            PieceShape::Line => body_terms(numbers, rates, h, series, |_, v| self.next_line(v)),
            PieceShape::Sine => body_terms(numbers, rates, h, series, |j, v| self.next_sine(j, v)),
            PieceShape::Tanh => body_terms(numbers, rates, h, series, |j, v| self.next_tanh(j, v)),
        }
    }

    /// Σ i x_i times both of a pair, in two sums that do not wait for each other.
    #[inline(always)]
    fn product(&self, j: usize) -> [f64; 2] {
        let (rates, pairs) = (&self.rates[1..=j], &self.pairs[DEGREE + 1 - j..]);
        let (mut even, mut odd) = ([0.0; 2], [0.0; 2]);
        let (blocks, paired) = (rates.chunks_exact(4), pairs.chunks_exact(4));
        let (rest, paired_rest) = (blocks.remainder(), paired.remainder());
        for (x, p) in blocks.zip(paired) {
            let (&[x0, x1, x2, x3], &[p0, p1, p2, p3]) = (x, p) else { break };
            even = [even[0] + x0 * p0[0], even[1] + x0 * p0[1]];
            odd = [odd[0] + x1 * p1[0], odd[1] + x1 * p1[1]];
            even = [even[0] + x2 * p2[0], even[1] + x2 * p2[1]];
            odd = [odd[0] + x3 * p3[0], odd[1] + x3 * p3[1]];
        }
        for (x, p) in rest.iter().zip(paired_rest) {
            even = [even[0] + x * p[0], even[1] + x * p[1]];
        }
        [even[0] + odd[0], even[1] + odd[1]]
    }

    /// Keeps a pair.
    #[inline(always)]
    fn keep(&mut self, j: usize, pair: [f64; 2]) {
        self.pairs[DEGREE - j] = pair;
    }
}

#[inline(always)]
fn body_terms(
    [direction, normal, viscous]: [f64; 3],
    [per_mass, damping, stiffness]: [f64; 3],
    h: f64,
    [q, v, load, force]: [&mut PowerSeries; 4],
    mut next: impl FnMut(usize, f64) -> f64,
) {
    for j in 0..DEGREE {
        let mut sum = load[j] - damping * v[j] - stiffness * q[j];
        sum -= direction * force[j];
        let length = h * RECIPROCAL[j + 1];
        (q[j + 1], v[j + 1]) = (length * v[j], length * (per_mass * sum));
        let sliding = direction * v[j + 1];
        force[j + 1] = normal * (next(j + 1, sliding) + viscous * sliding);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_series_of_every_shape_is_that_of_its_function() {
        // along v(s) = 0.3 − 0.2 s + 0.1 s² with x = 1.5 (v − 0.1)
        let v = [0.3, -0.2, 0.1];
        for shape in [PieceShape::Flat, PieceShape::Line, PieceShape::Sine, PieceShape::Tanh] {
            let piece = GraphPiece { shape, level: 0.4, size: 0.7, centre: 0.1, rate: 1.5 };
            let mut series = PieceSeries::new();
            let mut terms = PowerSeries::default();
            terms[0] = series.start(piece, v[0]);
            for (j, term) in terms.iter_mut().enumerate().skip(1) {
                *term = series.next(j, v.get(j).copied().unwrap_or(0.0));
            }
            // within a seventh of the radius of convergence, 3.3, the terms that are left out are below rounding
            for s in [-0.45, 0.0, 0.3, 0.45] {
                let x = 1.5 * (v[0] + s * (v[1] + s * v[2]) - 0.1);
                let g = match shape {
                    PieceShape::Flat => 0.0,
                    PieceShape::Line => x,
                    PieceShape::Sine => libm::sin(x),
                    PieceShape::Tanh => libm::tanh(x),
                };
                let value = terms.iter().rev().fold(0.0, |sum, c| sum * s + c);
                assert!((value - (0.4 + 0.7 * g)).abs() < 1e-15, "{shape:?} at {s}: {value}");
            }
        }
    }
}
