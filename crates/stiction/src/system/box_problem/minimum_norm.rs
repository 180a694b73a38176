//! Force distribution among redundant (statically indeterminate) contacts.
//!
//! The motion determines only `G H`. Of all friction forces that give it, the weighted minimum-norm
//! distribution is taken, as in the exact engine:
//!
//! ```text
//!   min Σ √Gᵢᵢ (Hᵢ − middleᵢ)²/halfᵢ   over all H on the box with G H as it is
//! ```
//!
//! It is a continuous function of the load and invariant under the order of the contacts, their gearing (w →
//! αw, limit → limit/α) and the division of one contact into two. Solved by the method of multipliers
//! (@nocedal2006, ch. 17).

use super::{BoxProblem, ROUNDING};
use crate::math::dense::dot;

/// Weight of the penalty, relative to G: small, so that few rounds suffice, and large against round-off.
const SOFT: f64 = 1e-4;
/// Multiplier updates, at most: typically three or four.
const ROUNDS: usize = 60;
/// Lower limit of a range, relative to the widest.
const NARROWEST: f64 = 1e-6;

/// Minimum-norm problem, with storage for all contacts.
#[derive(Clone, Debug)]
pub(in crate::system) struct MinimumNorm {
    /// Middle of the force range of each contact; input (N).
    pub middle: Vec<f64>,
    /// Half-width of the range; input (N).
    pub half: Vec<f64>,
    springs: BoxProblem,
    /// G H, which the distribution keeps (m/s²).
    together: Vec<f64>,
    /// Forces before the distribution (N).
    pub before: Vec<f64>,
}

impl MinimumNorm {
    pub fn new(m: usize) -> Self {
        let zeros = || vec![0.0; m];
        Self {
            middle: zeros(),
            half: zeros(),
            springs: BoxProblem::new(m),
            together: zeros(),
            before: zeros(),
        }
    }

    /// Distributes the forces of the first `h` contacts in `held`. Returns whether some contacts are
    /// redundant.
    pub fn solve(&mut self, held: &mut BoxProblem, h: usize) -> bool {
        let Self { middle, half, springs, together, before } = self;
        before[..h].copy_from_slice(&held.force[..h]);
        for (i, together) in together[..h].iter_mut().enumerate() {
            let at_bound = held.pull(h, i) != 0.0;
            let range = [held.low[i], held.high[i]];
            [springs.low[i], springs.high[i]] = if at_bound { [held.force[i]; 2] } else { range };
            *together = dot(&held.g[i * h..(i + 1) * h], &held.force[..h]);
        }
        springs.g[..h * h].copy_from_slice(&held.g[..h * h]);
        springs.free.clear();
        springs.free.extend((0..h).filter(|&i| springs.low[i] < springs.high[i]));
        springs.list_independent(h);
        let widest = half[..h].iter().fold(0.0, |a: f64, x| a.max(*x));
        if springs.spare.is_empty() || !(widest > 0.0 && widest < f64::INFINITY) {
            return false;
        }
        let root = |i: usize| held.g[i * h + i].sqrt();
        let stiffness: f64 = (0..h).map(|i| root(i) * half[i]).sum::<f64>() / h as f64;
        let spring = |i: usize| SOFT * stiffness * root(i) / half[i].max(NARROWEST * widest);
        for i in 0..h {
            springs.g[i * h + i] += spring(i);
            springs.b[i] = together[i] + spring(i) * middle[i];
        }
        for _ in 0..ROUNDS {
            springs.solve(h);
            let mut is_left = false;
            for (i, together) in together[..h].iter().enumerate() {
                let row = &held.g[i * h..(i + 1) * h];
                let left = together - dot(row, &springs.force[..h]);
                let size = row.iter().zip(&springs.force).map(|(g, f)| (g * f).abs()).sum::<f64>();
                is_left |= left.abs() > ROUNDING * (together.abs() + size);
                springs.b[i] += left;
            }
            if !is_left {
                break;
            }
        }
        held.force[..h].copy_from_slice(&springs.force[..h]);
        // the remaining residual is round-off
        held.read_places(h);
        held.list_free(h);
        held.list_independent(h);
        held.balance_listed(h);
        held.step(h, None);
        true
    }
}
