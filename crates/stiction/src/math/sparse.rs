//! Square sparse matrices by rows: what a file or a generator of models holds.

use super::dense::Matrix;

/// A square sparse matrix, row after row, columns ascending, without zeros.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SparseMatrix {
    n: usize,
    /// Where each row begins in the lists below; one more at the end.
    starts: Vec<usize>,
    columns: Vec<usize>,
    values: Vec<f64>,
}

impl SparseMatrix {
    /// The matrix with these entries (row, column, value) from 0; entries in one place are added. `None` if
    /// one lies outside.
    pub fn new(n: usize, entries: &[(usize, usize, f64)]) -> Option<Self> {
        if entries.iter().any(|&(i, j, _)| i >= n || j >= n) {
            return None;
        }
        let mut counts = vec![0; n + 1];
        entries.iter().for_each(|&(i, ..)| counts[i + 1] += 1);
        for i in 0..n {
            counts[i + 1] += counts[i];
        }
        let mut next = counts.clone();
        let mut sorted = vec![(0, 0.0); entries.len()];
        for &(i, j, value) in entries {
            sorted[next[i]] = (j, value);
            next[i] += 1;
        }
        let mut matrix = Self { n, starts: vec![0], columns: Vec::new(), values: Vec::new() };
        for i in 0..n {
            let row = &mut sorted[counts[i]..counts[i + 1]];
            row.sort_by_key(|&(j, _)| j);
            let mut row = row.iter().copied().peekable();
            while let Some((j, mut value)) = row.next() {
                while let Some((_, more)) = row.next_if(|&(next, _)| next == j) {
                    value += more;
                }
                matrix.push(j, value);
            }
            matrix.starts.push(matrix.values.len());
        }
        Some(matrix)
    }

    /// Adds an entry to the row under way.
    fn push(&mut self, j: usize, value: f64) {
        if value != 0.0 {
            self.columns.push(j);
            self.values.push(value);
        }
    }

    /// A matrix of zeros.
    pub fn zeros(n: usize) -> Self {
        Self { n, starts: vec![0; n + 1], columns: Vec::new(), values: Vec::new() }
    }

    /// A matrix with `diagonal` on its diagonal.
    pub fn diagonal(diagonal: &[f64]) -> Self {
        let mut matrix = Self { n: diagonal.len(), starts: vec![0], ..Self::default() };
        for (i, value) in diagonal.iter().enumerate() {
            matrix.push(i, *value);
            matrix.starts.push(matrix.values.len());
        }
        matrix
    }

    /// Number of rows and of columns.
    pub fn n(&self) -> usize {
        self.n
    }

    /// Number of entries that are not zero.
    pub fn n_entries(&self) -> usize {
        self.values.len()
    }

    /// Columns and values of row `i`.
    pub fn row(&self, i: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let range = self.starts[i]..self.starts[i + 1];
        self.columns[range.clone()].iter().copied().zip(self.values[range].iter().copied())
    }

    /// The entry in row `i`, column `j`.
    pub fn at(&self, i: usize, j: usize) -> f64 {
        let range = self.starts[i]..self.starts[i + 1];
        self.columns[range.clone()].binary_search(&j).map_or(0.0, |at| self.values[range.start + at])
    }

    /// `out += scale · self · x`.
    pub fn add_product(&self, scale: f64, x: &[f64], out: &mut [f64]) {
        for (i, out) in out.iter_mut().enumerate() {
            *out += scale * self.row(i).map(|(j, a)| a * x[j]).sum::<f64>();
        }
    }

    /// `self · x`.
    pub fn product(&self, x: &[f64]) -> Vec<f64> {
        (0..self.n).map(|i| self.row(i).map(|(j, a)| a * x[j]).sum()).collect()
    }

    /// `a · self + b · other`, both of one size.
    pub fn combined(&self, a: f64, b: f64, other: &Self) -> Self {
        let mut sum = Self { n: self.n, starts: vec![0], ..Self::default() };
        for i in 0..self.n {
            let (mut left, mut right) = (self.row(i).peekable(), other.row(i).peekable());
            loop {
                let j = match (left.peek(), right.peek()) {
                    (None, None) => break,
                    (Some(&(j, _)), None) | (None, Some(&(j, _))) => j,
                    (Some(&(j, _)), Some(&(k, _))) => j.min(k),
                };
                let x = left.next_if(|&(k, _)| k == j).map_or(0.0, |(_, x)| x);
                let y = right.next_if(|&(k, _)| k == j).map_or(0.0, |(_, y)| y);
                sum.push(j, a * x + b * y);
            }
            sum.starts.push(sum.values.len());
        }
        sum
    }

    /// The first pair of places that break the symmetry by more than rounding.
    pub fn asymmetry(&self) -> Option<[usize; 2]> {
        let differs = |&(i, j, a): &(usize, usize, f64)| {
            let b = self.at(j, i);
            (a - b).abs() > 1e-12 * a.abs().max(b.abs())
        };
        let mut entries = (0..self.n).flat_map(|i| self.row(i).map(move |(j, a)| (i, j, a)));
        entries.find(differs).map(|(i, j, _)| [i, j])
    }

    /// The first entry that is not a finite number.
    pub fn not_finite(&self) -> Option<f64> {
        self.values.iter().copied().find(|x| !x.is_finite())
    }

    /// The same as a dense matrix.
    pub fn to_dense(&self) -> Matrix {
        let mut matrix = Matrix::zeros(self.n, self.n);
        for i in 0..self.n {
            self.row(i).for_each(|(j, a)| *matrix.at_mut(i, j) = a);
        }
        matrix
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> SparseMatrix {
        let entries =
            [(2, 0, 3.0), (0, 0, 1.0), (0, 0, 1.0), (1, 2, -1.0), (2, 1, 4.0), (1, 2, 1.0), (2, 2, 5.0)];
        SparseMatrix::new(3, &entries).unwrap()
    }

    #[test]
    fn entries_in_one_place_are_added_and_zeros_left_out() {
        let matrix = example();
        assert_eq!(matrix.to_dense().data, [2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 3.0, 4.0, 5.0]);
        assert_eq!(matrix.n_entries(), 4);
        assert_eq!((matrix.at(2, 1), matrix.at(1, 2)), (4.0, 0.0));
        assert!(SparseMatrix::new(3, &[(0, 3, 1.0)]).is_none());
    }

    #[test]
    fn products_and_sums_are_those_of_the_dense_matrix() {
        let (matrix, x) = (example(), [1.0, -2.0, 0.5]);
        let mut dense = vec![0.0; 3];
        matrix.to_dense().add_product(1.0, &x, &mut dense);
        assert_eq!(matrix.product(&x), dense);
        let sum = matrix.combined(2.0, -1.0, &SparseMatrix::diagonal(&[4.0, 1.0, 0.0]));
        assert_eq!(sum.to_dense().data, [0.0, 0.0, 0.0, 0.0, -1.0, 0.0, 6.0, 8.0, 10.0]);
        assert_eq!(sum.n_entries(), 4);
    }

    #[test]
    fn asymmetry_is_seen_from_either_side() {
        assert_eq!(example().asymmetry(), Some([2, 0]));
        assert_eq!(SparseMatrix::new(2, &[(0, 1, 1.0)]).unwrap().asymmetry(), Some([0, 1]));
        assert_eq!(SparseMatrix::new(2, &[(0, 1, 1.0), (1, 0, 1.0 + 1e-15)]).unwrap().asymmetry(), None);
    }
}
