//! Matrices wherever they are stored, and models of damping.

use super::Resolve;
use crate::budget::{MAX_DEGREES, MAX_SPARSE_DEGREES};
use crate::matrix_file;
use crate::scenario::{MatrixForm, ModelDamping, RayleighDamping, StoredMatrix, Surroundings};
use stiction::math::SparseMatrix;
use stiction::structure::StructuralDamping;

impl Resolve<'_> {
    /// A matrix wherever it is stored, unless it is too large. Rows of unequal length are noted and cut.
    pub(super) fn matrix(&mut self, key: &str, form: &MatrixForm, limit: usize) -> Option<SparseMatrix> {
        match form {
            MatrixForm::Diagonal(diagonal) if diagonal.len() <= limit => {
                Some(SparseMatrix::diagonal(diagonal))
            }
            MatrixForm::Rows(rows) if rows.len() <= limit => {
                if let Some(row) = rows.iter().position(|row| row.len() != rows.len()) {
                    let message = format!(
                        "not square: row {row}, from 0, has {} numbers, but there are {} rows",
                        rows[row].len(),
                        rows.len()
                    );
                    self.fault(key, message, None);
                }
                let row = |(i, row): (usize, &Vec<f64>)| -> Vec<(usize, usize, f64)> {
                    row.iter().take(rows.len()).enumerate().map(|(j, a)| (i, j, *a)).collect()
                };
                SparseMatrix::new(rows.len(), &rows.iter().enumerate().flat_map(row).collect::<Vec<_>>())
            }
            MatrixForm::Diagonal(list) => {
                self.fault(key, too_large(list.len(), limit), None);
                None
            }
            MatrixForm::Rows(list) => {
                self.fault(key, too_large(list.len(), limit), None);
                None
            }
            MatrixForm::Stored(StoredMatrix::File(path)) => {
                match matrix_file::read(path, limit, self.budget.memory) {
                    Ok(matrix) => Some(matrix),
                    Err(fault) => {
                        self.fault(&format!("{key}.file"), fault.message, fault.hint);
                        None
                    }
                }
            }
            MatrixForm::Stored(StoredMatrix::Sparse(s)) => {
                let key = format!("{key}.sparse");
                if s.n > limit {
                    self.fault(&format!("{key}.n"), too_large(s.n, limit), None);
                    return None;
                }
                if s.rows.len() != s.values.len() || s.columns.len() != s.values.len() {
                    let message = format!(
                        "{} rows, {} columns and {} values, but each entry has one of each",
                        s.rows.len(),
                        s.columns.len(),
                        s.values.len()
                    );
                    self.fault(&key, message, None);
                    return None;
                }
                let entries = s.rows.iter().zip(&s.columns).zip(&s.values).map(|((i, j), a)| (*i, *j, *a));
                let matrix = SparseMatrix::new(s.n, &entries.collect::<Vec<_>>());
                if matrix.is_none() {
                    let message =
                        format!("an entry lies outside: rows and columns are 0 to {}", s.n.saturating_sub(1));
                    self.fault(&key, message, None);
                }
                matrix
            }
        }
    }

    /// The damping that follows from a model of it, for so many modes.
    pub(super) fn damping(
        &mut self,
        prefix: &str,
        model: &ModelDamping,
        n: usize,
    ) -> Option<StructuralDamping> {
        match model {
            ModelDamping::Rayleigh(RayleighDamping { alpha, beta }) => {
                let (alpha, beta) = (*alpha, *beta);
                let is_sound = self.check(&format!("{prefix}.damping.rayleigh"), |faults| {
                    faults.finite("alpha", alpha);
                    faults.finite("beta", beta);
                });
                is_sound.then_some(StructuralDamping::Rayleigh { alpha, beta })
            }
            ModelDamping::Modal(ratios) => {
                let key = format!("{prefix}.damping.modal");
                if ratios.len() > n || ratios.is_empty() {
                    self.fault(&key, format!("{} ratios, but there are {n} modes", ratios.len()), None);
                    return None;
                }
                if let Some(ratio) = ratios.iter().find(|ratio| !ratio.is_finite()) {
                    self.fault(&key, format!("{ratio}, but it must be a finite number"), None);
                    return None;
                }
                Some(StructuralDamping::Modal(ratios.iter().copied().collect()))
            }
        }
    }
}

/// The most degrees of freedom.
pub(super) fn limit(s: &Surroundings) -> usize {
    if s.reduce.is_some() { MAX_SPARSE_DEGREES } else { MAX_DEGREES }
}

pub(super) fn too_large(n: usize, limit: usize) -> String {
    format!("{n} degrees of freedom, but at most {limit} are allowed")
}
