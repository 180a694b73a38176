//! The friction forces of contacts that answer their demand, all at once.
//!
//! A contact that holds supplies `Hᵢ = Nᵢ clamp(dᵢ + shiftᵢ, lowᵢ, highᵢ)`, where the demand dᵢ is what would make its
//! own acceleration zero *given the forces of all the others*. With `G = Wᵀ M⁻¹ W` and the free accelerations `b`:
//!
//! ```text
//!   Gᵢᵢ Nᵢ dᵢ = bᵢ − Σ_{j≠i} Gᵢⱼ Hⱼ
//!   ⇔  H = argmin ½ HᵀG H − (b + diag(G) N shift)ᵀ H   on the box  N low ≤ H ≤ N high
//! ```
//!
//! a convex problem: sweeps guess which contacts are at a bound, pivoting settles it (Murty's rule, so it ends). Two
//! contacts in parallel make G singular; the motion is still unique, and the forces are shared in the order of the contacts.

use crate::math::dense::{dot, factor, solve};

/// Sweeps that guess the active set; coupled chains of a few contacts are settled by then.
const SWEEPS: usize = 4;
/// A pivot below this fraction of its diagonal is a dependence between contacts, not a number.
const DEPENDENT: f64 = 1e-11;
/// Rounding of a gradient, relative to its terms.
const ROUNDING: f64 = 1e-13;

#[derive(Clone, Copy, Debug, PartialEq)]
enum BoxPlace {
    Low,
    Free,
    High,
}

/// Storage for the largest problem that will come.
#[derive(Clone, Debug)]
pub(super) struct Held {
    /// Delassus matrix of the held contacts, row-major, h×h.
    pub g: Vec<f64>,
    /// Right-hand side.
    pub b: Vec<f64>,
    /// Smallest forces.
    pub low: Vec<f64>,
    /// Largest forces.
    pub high: Vec<f64>,
    /// The solution.
    pub force: Vec<f64>,
    place: Vec<BoxPlace>,
    free: Vec<usize>,
    reduced: Vec<f64>,
    rhs: Vec<f64>,
}

impl Held {
    pub fn new(m: usize) -> Self {
        Self {
            g: vec![0.0; m * m],
            b: vec![0.0; m],
            low: vec![0.0; m],
            high: vec![0.0; m],
            force: vec![0.0; m],
            place: vec![BoxPlace::Free; m],
            free: Vec::with_capacity(m),
            reduced: vec![0.0; m * m],
            rhs: vec![0.0; m],
        }
    }

    /// Solves for the first `h` contacts.
    pub fn solve(&mut self, h: usize) {
        if h == 1 {
            self.force[0] = (self.b[0] / self.g[0]).clamp(self.low[0], self.high[0]);
            return;
        }
        for i in 0..h {
            self.force[i] = 0f64.clamp(self.low[i], self.high[i]);
        }
        for _ in 0..SWEEPS {
            if self.sweep(h) {
                return;
            }
        }
        for i in 0..h {
            self.place[i] = match self.force[i] {
                x if x <= self.low[i] => BoxPlace::Low,
                x if x >= self.high[i] => BoxPlace::High,
                _ => BoxPlace::Free,
            };
        }
        // exchange all wrong places at once while that helps, then one at a time: the last one is Murty's rule
        let (mut fewest, mut patience) = (h + 1, 3);
        for _ in 0..50 * h {
            self.solve_free(h);
            let wrong = (0..h).filter(|&i| self.right_place(h, i) != self.place[i]).count();
            if wrong == 0 {
                break;
            }
            if wrong < fewest {
                (fewest, patience) = (wrong, 3);
            } else {
                patience -= 1;
            }
            if patience > 0 {
                for i in 0..h {
                    let right = self.right_place(h, i);
                    self.place[i] = right;
                }
            } else if let Some(i) = (0..h).rev().find(|&i| self.right_place(h, i) != self.place[i]) {
                self.place[i] = self.right_place(h, i);
                patience = 1;
                fewest = 0;
            }
        }
        for i in 0..h {
            self.force[i] = self.force[i].clamp(self.low[i], self.high[i]);
        }
    }

    /// One Gauss–Seidel sweep. Says whether nothing moved any more.
    fn sweep(&mut self, h: usize) -> bool {
        let mut still = true;
        for i in 0..h {
            let row = &self.g[i * h..(i + 1) * h];
            let others = dot(row, &self.force[..h]) - row[i] * self.force[i];
            let next = ((self.b[i] - others) / row[i]).clamp(self.low[i], self.high[i]);
            still &= (next - self.force[i]).abs() <= f64::EPSILON * next.abs();
            self.force[i] = next;
        }
        still
    }

    /// Sets the forces of the free contacts so that none of them accelerates; contacts that depend on others keep theirs.
    fn solve_free(&mut self, h: usize) {
        self.free.clear();
        for i in 0..h {
            match self.place[i] {
                BoxPlace::Low => self.force[i] = self.low[i],
                BoxPlace::High => self.force[i] = self.high[i],
                BoxPlace::Free => {
                    self.force[i] = self.force[i].clamp(self.low[i], self.high[i]);
                    self.free.push(i);
                }
            }
        }
        self.solve_listed(h);
    }

    /// How the forces change with the right-hand side `b` and with those forces that are not free, all given as changes.
    pub fn respond(&mut self, h: usize, is_free: impl Fn(usize) -> bool) {
        self.free.clear();
        for i in (0..h).filter(|i| is_free(*i)) {
            self.force[i] = 0.0;
            self.free.push(i);
        }
        self.solve_listed(h);
    }

    /// Solves for the forces of the contacts in `free`.
    fn solve_listed(&mut self, h: usize) {
        loop {
            let f = self.free.len();
            for (a, &i) in self.free.iter().enumerate() {
                let mut rest = self.b[i];
                for j in 0..h {
                    if !self.free.contains(&j) {
                        rest -= self.g[i * h + j] * self.force[j];
                    }
                }
                self.rhs[a] = rest;
                for (c, &j) in self.free.iter().enumerate() {
                    self.reduced[a * f + c] = self.g[i * h + j];
                }
            }
            if factor(&mut self.reduced[..f * f], f, DEPENDENT) {
                solve(&self.reduced[..f * f], f, &mut self.rhs[..f]);
                for (a, &i) in self.free.iter().enumerate() {
                    self.force[i] = self.rhs[a];
                }
                return;
            }
            // the last contact depends on the others: it keeps its force
            self.free.pop();
        }
    }

    /// Where contact `i` belongs, given the forces.
    fn right_place(&self, h: usize, i: usize) -> BoxPlace {
        let row = &self.g[i * h..(i + 1) * h];
        let gradient = dot(row, &self.force[..h]) - self.b[i];
        let size: f64 =
            self.b[i].abs() + row.iter().zip(&self.force).map(|(g, f)| (g * f).abs()).sum::<f64>();
        let slack = ROUNDING * size;
        match self.place[i] {
            BoxPlace::Free => {
                let span = ROUNDING * (self.high[i] - self.low[i]);
                if self.force[i] < self.low[i] - span {
                    BoxPlace::Low
                } else if self.force[i] > self.high[i] + span {
                    BoxPlace::High
                } else {
                    BoxPlace::Free
                }
            }
            BoxPlace::Low if gradient < -slack => BoxPlace::Free,
            BoxPlace::High if gradient > slack => BoxPlace::Free,
            place => place,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A deterministic stream of numbers in (−1, 1).
    fn noise(seed: &mut u64) -> f64 {
        *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (*seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    /// The conditions of the minimum, which only the solution satisfies: at a bound the gradient pushes outwards.
    fn worst_violation(held: &Held, h: usize) -> f64 {
        let mut worst = 0.0f64;
        for i in 0..h {
            let x = held.force[i];
            assert!(held.low[i] <= x && x <= held.high[i]);
            let gradient = dot(&held.g[i * h..(i + 1) * h], &held.force[..h]) - held.b[i];
            let violation = match x {
                x if x == held.low[i] => -gradient,
                x if x == held.high[i] => gradient,
                _ => gradient.abs(),
            };
            worst = worst.max(violation);
        }
        worst
    }

    #[test]
    fn random_problems_are_solved_to_rounding() {
        let mut seed = 7;
        for h in 1..=12 {
            for _ in 0..200 {
                let mut held = Held::new(h);
                let k = h + 2;
                let w: Vec<f64> = (0..h * k).map(|_| noise(&mut seed)).collect();
                for i in 0..h {
                    for j in 0..h {
                        held.g[i * h + j] = dot(&w[i * k..(i + 1) * k], &w[j * k..(j + 1) * k]);
                    }
                    held.b[i] = 3.0 * noise(&mut seed);
                    held.low[i] = -noise(&mut seed).abs();
                    held.high[i] = noise(&mut seed).abs();
                }
                held.solve(h);
                let worst = worst_violation(&held, h);
                assert!(worst < 1e-10, "h = {h}: {worst:e}");
            }
        }
    }

    #[test]
    fn parallel_contacts_share_a_load_that_both_can_carry() {
        let mut held = Held::new(2);
        held.g = vec![1.0; 4];
        held.b = vec![1.5; 2];
        held.low = vec![-1.0; 2];
        held.high = vec![1.0; 2];
        held.solve(2);
        assert_eq!(held.force[0] + held.force[1], 1.5);
    }
}
