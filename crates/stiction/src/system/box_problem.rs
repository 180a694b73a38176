//! Coupled friction forces of force-dependent contacts, as a box-constrained quadratic program.
//!
//! A contact supplies `Hᵢ = Nᵢ clamp(dᵢ + shiftᵢ, lowᵢ, highᵢ)`, where the demand dᵢ would make its own
//! acceleration zero *given the forces of all the others*. With `G = Wᵀ M⁻¹ W` and the free accelerations
//! `b`:
//!
//! ```text
//!   Gᵢᵢ Nᵢ dᵢ = bᵢ − Σ_{j≠i} Gᵢⱼ Hⱼ
//!   ⇔  H = argmin ½ HᵀG H − (b + diag(G) N shift)ᵀ H   on the box  N low ≤ H ≤ N high
//! ```
//!
//! The problem is convex. Gauss–Seidel sweeps guess the active set, and block pivoting corrects it. If
//! pivoting cycles, an active-set method takes over (@nocedal2006, ch. 16). Contacts in parallel make G
//! singular: the motion is still unique, the forces are not, and `contact::Distribution` selects those that are
//! reported.

use crate::math::dense::{dot, factor, solve};

/// Pivoting steps beside two for each contact before the active-set method takes over.
const EXCHANGES: usize = 10;
/// Active-set steps for each contact, at most: typically two.
const WALK: usize = 20;
/// Gauss–Seidel sweeps that guess the active set; they solve coupled chains of a few contacts.
const SWEEPS: usize = 4;
/// A pivot below this fraction of its diagonal is round-off: the contact is redundant.
const DEPENDENT: f64 = 1e-11;
/// Round-off of a gradient, relative to its terms.
const ROUNDING: f64 = 1e-13;

#[derive(Clone, Copy, Debug, PartialEq)]
enum BoxPlace {
    Low,
    Free,
    High,
}

/// Box-constrained quadratic program, with storage for all contacts.
#[derive(Clone, Debug)]
pub(super) struct BoxProblem {
    /// Delassus matrix of the sticking contacts, row-major, h×h.
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
    /// Free contacts that depend on those in `free`.
    spare: Vec<usize>,
    reduced: Vec<f64>,
    rhs: Vec<f64>,
}

impl BoxProblem {
    pub fn new(m: usize) -> Self {
        Self {
            g: vec![0.0; m * m],
            b: vec![0.0; m],
            low: vec![0.0; m],
            high: vec![0.0; m],
            force: vec![0.0; m],
            place: vec![BoxPlace::Free; m],
            free: Vec::with_capacity(m),
            spare: Vec::with_capacity(m),
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
        // block pivoting while the number of violations falls, then single pivots
        let (mut fewest, mut patience) = (h + 1, 3);
        for _ in 0..EXCHANGES + 2 * h {
            if !self.solve_free(h) {
                break;
            }
            let wrong = (0..h).filter(|&i| self.right_place(h, i) != self.place[i]).count();
            if wrong == 0 {
                return self.clamp(h);
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
        self.walk(h);
        self.clamp(h);
    }

    fn clamp(&mut self, h: usize) {
        for i in 0..h {
            self.force[i] = self.force[i].clamp(self.low[i], self.high[i]);
        }
    }

    /// Clamps the forces and notes which are at their bounds.
    fn read_places(&mut self, h: usize) {
        self.clamp(h);
        for i in 0..h {
            self.place[i] = match self.force[i] {
                x if x == self.low[i] => BoxPlace::Low,
                x if x == self.high[i] => BoxPlace::High,
                _ => BoxPlace::Free,
            };
        }
    }

    /// Walks to the minimum from the clamped forces: the free contacts to their balance, or to the first
    /// bound on the way; then one that depends on others and does not balance, against those, to the first
    /// bound; then a contact is taken off its bound. Each step lowers the sum that is minimised, or keeps it.
    fn walk(&mut self, h: usize) {
        self.read_places(h);
        for round in 0..WALK * (h + 1) {
            self.list_free(h);
            self.list_independent(h);
            self.balance_listed(h);
            if self.step(h, None) {
                continue;
            }
            if let Some(i) = self.spare.iter().copied().find(|&i| self.pull(h, i) != 0.0) {
                let way = self.pull(h, i);
                for a in 0..self.free.len() {
                    self.rhs[a] = -self.g[self.free[a] * h + i] * way;
                }
                let f = self.free.len();
                solve(&self.reduced[..f * f], f, &mut self.rhs[..f]);
                if self.step(h, Some((i, way))) {
                    continue;
                }
            }
            // the worst, and late the first, which cannot go round in circles
            let is_wrong = |i: &usize| match self.place[*i] {
                BoxPlace::Low => self.pull(h, *i) > 0.0,
                BoxPlace::High => self.pull(h, *i) < 0.0,
                BoxPlace::Free => false,
            };
            let mut wrong = (0..h).filter(is_wrong);
            let worst = |a: &usize, b: &usize| self.pull(h, *a).abs().total_cmp(&self.pull(h, *b).abs());
            let chosen = if round < WALK * h / 2 { wrong.max_by(worst) } else { wrong.next() };
            match chosen {
                Some(i) => self.place[i] = BoxPlace::Free,
                None => return,
            }
        }
    }

    /// Moves the listed contacts by `rhs`, as far as no force leaves its bounds, and one more contact on a
    /// way along which nothing else limits it. Returns whether a bound ended the step.
    fn step(&mut self, h: usize, along: Option<(usize, f64)>) -> bool {
        let listed = self.free.iter().zip(&self.rhs).map(|(&i, &way)| (i, way));
        let mut first: Option<(f64, usize, BoxPlace)> = along.map(|_| (f64::INFINITY, h, BoxPlace::Free));
        for (i, way) in listed.chain(along) {
            let (bound, place) =
                if way > 0.0 { (self.high[i], BoxPlace::High) } else { (self.low[i], BoxPlace::Low) };
            let part = if way == 0.0 { f64::INFINITY } else { (bound - self.force[i]) / way };
            // a full step may end on a bound by rounding
            if part < first.map_or(1.0, |first| first.0) {
                first = Some((part.max(0.0), i, place));
            }
        }
        let part = first.map_or(1.0, |first| first.0);
        for (a, &i) in self.free.iter().enumerate() {
            self.force[i] += part * self.rhs[a];
        }
        if let Some((i, way)) = along {
            self.force[i] += part * way;
        }
        let Some((_, i, place)) = first.filter(|first| first.1 < h) else { return false };
        self.place[i] = place;
        self.force[i] = if place == BoxPlace::High { self.high[i] } else { self.low[i] };
        true
    }

    /// The steepest way down of contact `i`; zero if that is rounding.
    pub fn pull(&self, h: usize, i: usize) -> f64 {
        let (gradient, slack) = self.gradient(h, i);
        if gradient.abs() > slack { -gradient } else { 0.0 }
    }

    /// One Gauss–Seidel sweep. Returns whether nothing moved any more.
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

    /// Sets the forces of the free contacts so that none of them accelerates. Returns whether that determines
    /// them.
    fn solve_free(&mut self, h: usize) -> bool {
        for i in 0..h {
            match self.place[i] {
                BoxPlace::Low => self.force[i] = self.low[i],
                BoxPlace::High => self.force[i] = self.high[i],
                BoxPlace::Free => self.force[i] = self.force[i].clamp(self.low[i], self.high[i]),
            }
        }
        self.list_free(h);
        self.solve_listed(h)
    }

    fn list_free(&mut self, h: usize) {
        self.free.clear();
        self.free.extend((0..h).filter(|&i| self.place[i] == BoxPlace::Free));
    }

    /// How the forces change with the right-hand side `b` and with those forces that are not free, all given
    /// as changes.
    pub fn respond(&mut self, h: usize, is_free: impl Fn(usize) -> bool) {
        self.free.clear();
        for i in (0..h).filter(|i| is_free(*i)) {
            self.force[i] = 0.0;
            self.free.push(i);
        }
        if !self.solve_listed(h) {
            self.list_independent(h);
            self.solve_listed(h);
        }
    }

    /// Solves for the forces of the contacts in `free`. False, and nothing done, if they depend on each
    /// other.
    fn solve_listed(&mut self, h: usize) -> bool {
        let f = self.free.len();
        for (a, &i) in self.free.iter().enumerate() {
            let mut rest = self.b[i];
            let mut next = self.free.iter().copied().peekable();
            for j in 0..h {
                if next.next_if_eq(&j).is_none() {
                    rest -= self.g[i * h + j] * self.force[j];
                }
            }
            self.rhs[a] = rest;
            for (c, &j) in self.free.iter().enumerate() {
                self.reduced[a * f + c] = self.g[i * h + j];
            }
        }
        let is_determined = factor(&mut self.reduced[..f * f], f, DEPENDENT);
        if is_determined {
            solve(&self.reduced[..f * f], f, &mut self.rhs[..f]);
            for (a, &i) in self.free.iter().enumerate() {
                self.force[i] = self.rhs[a];
            }
        }
        is_determined
    }

    /// Takes contacts that depend on those before them out of `free`, into `spare`.
    fn list_independent(&mut self, h: usize) {
        self.spare.clear();
        let mut kept = 0;
        // Cholesky's factor, a row for each contact that is kept
        let l = &mut self.reduced;
        for a in 0..self.free.len() {
            let i = self.free[a];
            let mut pivot = self.g[i * h + i];
            for c in 0..kept {
                let sum = dot(&l[kept * h..kept * h + c], &l[c * h..c * h + c]);
                let entry = (self.g[i * h + self.free[c]] - sum) / l[c * h + c];
                l[kept * h + c] = entry;
                pivot -= entry * entry;
            }
            if pivot > DEPENDENT * self.g[i * h + i] {
                l[kept * h + kept] = pivot.sqrt();
                self.free[kept] = i;
                kept += 1;
            } else {
                self.spare.push(i);
            }
        }
        self.free.truncate(kept);
    }

    /// Whether some of the first `h` contacts depend on others.
    pub fn is_redundant(&mut self, h: usize) -> bool {
        self.free.clear();
        self.free.extend(0..h);
        self.list_independent(h);
        !self.spare.is_empty()
    }

    /// The first `h` contacts by sets that depend on each other: each contact has the number of one in its
    /// set.
    pub fn dependent_sets(&mut self, h: usize) -> Vec<usize> {
        let mut set: Vec<usize> = (0..h).collect();
        self.is_redundant(h);
        let f = self.free.len();
        self.copy_listed(h);
        factor(&mut self.reduced[..f * f], f, 0.0);
        for &i in &self.spare {
            (0..f).for_each(|a| self.rhs[a] = self.g[self.free[a] * h + i]);
            solve(&self.reduced[..f * f], f, &mut self.rhs[..f]);
            // w_i = Σ α_a w_a
            for (alpha, &j) in self.rhs.iter().zip(&self.free) {
                let size = alpha.abs() * self.g[j * h + j].sqrt();
                if size > DEPENDENT.sqrt() * self.g[i * h + i].sqrt() {
                    let [from, to] = [set[j], set[i]];
                    set.iter_mut().filter(|x| **x == from).for_each(|x| *x = to);
                }
            }
        }
        set
    }

    /// The rows and columns of G of the listed contacts, into `reduced`.
    fn copy_listed(&mut self, h: usize) {
        let f = self.free.len();
        for (a, &i) in self.free.iter().enumerate() {
            for (c, &j) in self.free.iter().enumerate() {
                self.reduced[a * f + c] = self.g[i * h + j];
            }
        }
    }

    /// The changes that balance the listed contacts, which are independent, into `rhs`; their factor into
    /// `reduced`.
    fn balance_listed(&mut self, h: usize) {
        let f = self.free.len();
        for (a, &i) in self.free.iter().enumerate() {
            self.rhs[a] = -self.gradient(h, i).0;
        }
        self.copy_listed(h);
        factor(&mut self.reduced[..f * f], f, 0.0);
        solve(&self.reduced[..f * f], f, &mut self.rhs[..f]);
    }

    /// Gradient of the sum that is minimised, and its rounding.
    fn gradient(&self, h: usize, i: usize) -> (f64, f64) {
        let row = &self.g[i * h..(i + 1) * h];
        let gradient = dot(row, &self.force[..h]) - self.b[i];
        let size: f64 =
            self.b[i].abs() + row.iter().zip(&self.force).map(|(g, f)| (g * f).abs()).sum::<f64>();
        (gradient, ROUNDING * size)
    }

    /// Where contact `i` belongs, given the forces.
    fn right_place(&self, h: usize, i: usize) -> BoxPlace {
        let (gradient, slack) = self.gradient(h, i);
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
mod tests;
