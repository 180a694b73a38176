//! How contacts share what they hold, where some depend on others.
//!
//! The motion determines only what they hold together, `G H`. Of all forces that do they take, as the exact engine does,
//!
//! ```text
//!   min Σ √Gᵢᵢ (Hᵢ − middleᵢ)²/halfᵢ   over all H on the box with G H as it is
//! ```
//!
//! a continuous function of the load, which neither the order of the contacts nor their gearing (w → αw, limit → limit/α) nor a
//! cut of one into two changes. By multipliers:
//! each round adds what is left of `G H` to what the next is asked for (@nocedal2006, ch. 17).

use super::{BoxProblem, ROUNDING};
use crate::math::dense::dot;

/// Stiffness of the springs, relative to that of the contacts: small, so that few rounds are enough, and large against rounding.
const SOFT: f64 = 1e-4;
/// Rounds, at most: three or four are the rule.
const ROUNDS: usize = 60;
/// A range counts as no narrower than this part of the widest.
const NARROWEST: f64 = 1e-6;

/// Storage for the largest problem that will come.
#[derive(Clone, Debug)]
pub(in crate::system) struct MinimumNorm {
    /// The middle of the range of each contact goes in here (N).
    pub middle: Vec<f64>,
    /// Half of its width (N).
    pub half: Vec<f64>,
    springs: BoxProblem,
    /// What the contacts hold together (m/s²).
    together: Vec<f64>,
    /// Their forces before they are shared (N).
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

    /// Shares what the first `h` contacts hold by the solution in `held`. Returns whether there is anything to share.
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
        // what is left is rounding
        held.read_places(h);
        held.list_free(h);
        held.list_independent(h);
        held.balance_listed(h);
        held.step(h, None);
        true
    }
}
