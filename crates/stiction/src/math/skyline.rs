//! LDLᵀ factorisation of a sparse symmetric matrix within its envelope (@george1981, chapter 4).
//!
//! ```text
//!   P A Pᵀ = L D Lᵀ,     row i of L begins where row i of P A Pᵀ does
//! ```
//!
//! P is the reverse Cuthill–McKee order. Models of chains, beams, plates and shells have a narrow envelope,
//! for which rows in one piece are as quick as any general sparse factor, and the memory is known before it
//! is taken. D gives the number of negative eigenvalues (Sylvester), so that eigenvalues below a shift can be
//! counted.

use super::dense::quick_dot;
use super::sparse::SparseMatrix;

/// An order of the rows, and where each row of the factor begins.
#[derive(Clone, Debug)]
pub(crate) struct Envelope {
    /// The row of the matrix that stands at each place of the factor.
    order: Vec<usize>,
    /// The inverse.
    place: Vec<usize>,
    /// First column of each row.
    first: Vec<usize>,
}

impl Envelope {
    /// The envelope of matrices of one size with symmetric patterns, and of all their sums.
    pub fn new(patterns: &[&SparseMatrix]) -> Self {
        let order = reverse_cuthill_mckee(patterns);
        let mut place = vec![0; order.len()];
        order.iter().enumerate().for_each(|(new, &old)| place[old] = new);
        let first =
            |(new, &old): (usize, &usize)| neighbours(patterns, old).map(|j| place[j]).fold(new, usize::min);
        let first = order.iter().enumerate().map(first).collect();
        Self { order, place, first }
    }

    /// Entries of the factor.
    pub fn n_entries(&self) -> usize {
        self.first.iter().enumerate().map(|(i, first)| i - first).sum()
    }

    /// Multiplications that the factorisation takes.
    pub fn work(&self) -> f64 {
        self.first.iter().enumerate().map(|(i, first)| 0.5 * ((i - first) as f64).powi(2)).sum()
    }
}

/// The factors L and D.
#[derive(Clone, Debug)]
pub(crate) struct Skyline {
    envelope: Envelope,
    /// Where each row of L begins.
    starts: Vec<usize>,
    lower: Vec<f64>,
    diagonal: Vec<f64>,
    /// The smallest pivot relative to its entry of the matrix.
    least: f64,
}

impl Skyline {
    /// Factors a symmetric matrix whose pattern lies within the envelope; `None` at a pivot that is zero or
    /// not finite.
    pub fn new(envelope: &Envelope, matrix: &SparseMatrix) -> Option<Self> {
        let n = matrix.n();
        let mut starts = Vec::with_capacity(n + 1);
        let mut end = 0;
        for (i, first) in envelope.first.iter().enumerate() {
            starts.push(end);
            end += i - first;
        }
        starts.push(end);
        let mut lower = vec![0.0; end];
        let mut diagonal = vec![0.0; n];
        let mut least = f64::INFINITY;
        for i in 0..n {
            let first = envelope.first[i];
            let (above, row) = lower.split_at_mut(starts[i]);
            let row = &mut row[..i - first];
            let mut pivot = 0.0;
            for (j, a) in matrix.row(envelope.order[i]) {
                match envelope.place[j] {
                    j if j < i => row[j - first] = a,
                    j if j == i => pivot = a,
                    _ => {}
                }
            }
            let own: f64 = pivot;
            // first L D, then L: the products with earlier rows need the former
            for j in first..i {
                let from = envelope.first[j].max(first);
                let other = &above[starts[j] + from - envelope.first[j]..starts[j + 1]];
                row[j - first] -= quick_dot(&row[from - first..j - first], other);
            }
            for (entry, d) in row.iter_mut().zip(&diagonal[first..]) {
                let scaled = *entry / d;
                pivot -= *entry * scaled;
                *entry = scaled;
            }
            if pivot == 0.0 || !pivot.is_finite() {
                return None;
            }
            least = least.min(pivot / own.abs());
            diagonal[i] = pivot;
        }
        Some(Self { envelope: envelope.clone(), starts, lower, diagonal, least })
    }

    /// Number of negative eigenvalues of the matrix.
    pub fn n_negative(&self) -> usize {
        self.diagonal.iter().filter(|d| **d < 0.0).count()
    }

    /// Whether every pivot is above `floor` times its entry of the matrix.
    pub fn is_definite(&self, floor: f64) -> bool {
        self.least > floor
    }

    /// Replaces `x` by the solution of `A y = x`.
    pub fn solve(&self, x: &mut [f64]) {
        let Envelope { order, first, .. } = &self.envelope;
        let mut y: Vec<f64> = order.iter().map(|&old| x[old]).collect();
        for i in 0..y.len() {
            let row = &self.lower[self.starts[i]..self.starts[i + 1]];
            y[i] -= quick_dot(row, &y[first[i]..i]);
        }
        y.iter_mut().zip(&self.diagonal).for_each(|(y, d)| *y /= d);
        for i in (0..y.len()).rev() {
            let (above, at) = y.split_at_mut(i);
            let row = &self.lower[self.starts[i]..self.starts[i + 1]];
            above[first[i]..].iter_mut().zip(row).for_each(|(y, l)| *y -= l * at[0]);
        }
        order.iter().zip(&y).for_each(|(&old, y)| x[old] = *y);
    }
}

/// The columns of row `i` in all patterns, some of them more than once.
fn neighbours<'a>(patterns: &'a [&SparseMatrix], i: usize) -> impl Iterator<Item = usize> + 'a {
    patterns.iter().flat_map(move |pattern| pattern.row(i).map(|(j, _)| j))
}

/// An order with a narrow envelope: breadth first from an outlying row, neighbours of low degree first,
/// reversed.
fn reverse_cuthill_mckee(patterns: &[&SparseMatrix]) -> Vec<usize> {
    let n = patterns.first().map_or(0, |pattern| pattern.n());
    let degree: Vec<usize> = (0..n).map(|i| neighbours(patterns, i).count()).collect();
    let mut by_degree: Vec<usize> = (0..n).collect();
    by_degree.sort_by_key(|&i| degree[i]);
    let mut seen = vec![0; n];
    let mut round = 0;
    let mut is_placed = vec![false; n];
    let mut order = Vec::with_capacity(n);
    for &seed in &by_degree {
        if is_placed[seed] {
            continue;
        }
        // the row farthest from the seed, until none is farther
        round += 1;
        let mut best = Levels::new(patterns, &degree, seed, &mut seen, round);
        loop {
            let far = best.order[best.last..].iter().copied().min_by_key(|&i| degree[i]).unwrap_or(seed);
            round += 1;
            let next = Levels::new(patterns, &degree, far, &mut seen, round);
            if next.depth <= best.depth {
                break;
            }
            best = next;
        }
        best.order.iter().for_each(|&i| is_placed[i] = true);
        order.extend(best.order);
    }
    order.reverse();
    order
}

/// Rows by their distance from one of them.
struct Levels {
    order: Vec<usize>,
    /// Number of levels.
    depth: usize,
    /// Where the last one begins.
    last: usize,
}

impl Levels {
    /// `seen` holds the round in which each row was met last.
    fn new(
        patterns: &[&SparseMatrix],
        degree: &[usize],
        start: usize,
        seen: &mut [usize],
        round: usize,
    ) -> Self {
        let mut levels = Self { order: vec![start], depth: 1, last: 0 };
        seen[start] = round;
        loop {
            let end = levels.order.len();
            for at in levels.last..end {
                let from = levels.order.len();
                for j in neighbours(patterns, levels.order[at]) {
                    if seen[j] != round {
                        seen[j] = round;
                        levels.order.push(j);
                    }
                }
                levels.order[from..].sort_by_key(|&j| degree[j]);
            }
            if levels.order.len() == end {
                return levels;
            }
            (levels.last, levels.depth) = (end, levels.depth + 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::symmetric::eigen;

    /// A grid of springs on the ground, its rows in an order that says nothing: 7 i mod n.
    fn grid(width: usize, height: usize, ground: f64) -> SparseMatrix {
        let n = width * height;
        let name = |x: usize, y: usize| 7 * (x + width * y) % n;
        let mut entries = Vec::new();
        for (x, y) in (0..n).map(|i| (i % width, i / width)) {
            entries.push((name(x, y), name(x, y), ground + 0.1 * (x + 2 * y) as f64));
            let right = (x + 1 < width).then(|| name(x + 1, y));
            let up = (y + 1 < height).then(|| name(x, y + 1));
            for other in right.into_iter().chain(up) {
                let i = name(x, y);
                entries.extend([(i, i, 1.0), (other, other, 1.0), (i, other, -1.0), (other, i, -1.0)]);
            }
        }
        SparseMatrix::new(n, &entries).unwrap()
    }

    #[test]
    fn the_order_narrows_the_envelope_to_the_width_of_a_grid() {
        let (width, height) = (5, 40);
        let envelope = Envelope::new(&[&grid(width, height, 1.0)]);
        let n = width * height;
        assert!(envelope.n_entries() <= (width + 1) * n, "{} entries", envelope.n_entries());
        let mut order = envelope.order.clone();
        order.sort_unstable();
        assert!(order.into_iter().eq(0..n));
    }

    #[test]
    fn solutions_satisfy_the_equations() {
        // ground springs of both signs: definite and indefinite
        for ground in [0.5, -3.0] {
            let matrix = grid(4, 9, ground);
            let factor = Skyline::new(&Envelope::new(&[&matrix]), &matrix).unwrap();
            let b: Vec<f64> = (0..36).map(|i| libm::sin(1.0 + i as f64)).collect();
            let mut x = b.clone();
            factor.solve(&mut x);
            let rest = matrix.product(&x).iter().zip(&b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(rest < 1e-12, "{rest:e}");
        }
    }

    #[test]
    fn negative_pivots_count_the_eigenvalues_below_zero() {
        for ground in [0.5, -0.7, -3.0, -6.0] {
            let matrix = grid(4, 9, ground);
            let (values, _) = eigen(&matrix.to_dense()).unwrap();
            let below = values.iter().filter(|value| **value < 0.0).count();
            let factor = Skyline::new(&Envelope::new(&[&matrix]), &matrix).unwrap();
            assert_eq!(factor.n_negative(), below, "{ground}");
            assert_eq!(factor.is_definite(0.0), below == 0);
        }
    }

    #[test]
    fn parts_that_do_not_hang_together_are_factored_too() {
        let matrix = SparseMatrix::new(
            4,
            &[(0, 0, 2.0), (3, 3, 4.0), (1, 1, 3.0), (1, 2, 1.0), (2, 1, 1.0), (2, 2, 1.0)],
        )
        .unwrap();
        let mut x = [2.0, 4.0, 2.0, 8.0];
        Skyline::new(&Envelope::new(&[&matrix]), &matrix).unwrap().solve(&mut x);
        assert!(x.iter().zip([1.0, 1.0, 1.0, 2.0]).all(|(x, y)| (x - y).abs() < 1e-15), "{x:?}");
        let zero = SparseMatrix::zeros(2);
        assert!(Skyline::new(&Envelope::new(&[&zero]), &zero).is_none());
    }
}
