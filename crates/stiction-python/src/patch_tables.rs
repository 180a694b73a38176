//! What is asked of a patch besides its wrench: curves, Padé errors, limit surface, pressure.

use crate::arrays::{filled, map_rows, rows, slice};
use crate::errors;
use crate::patch::Patch;
use crate::watch::{Tell, watched_all};
use pyo3::prelude::*;
use stiction::patch::{Closure, Constants, Twist};
use stiction::{Error, Fault};
use stiction_study::patch::{Quantity, compare, figure_ratios, limit_points, sliding, summary};

/// Points of the largest surface: more would fill the memory.
const MOST: usize = 1_000_000;

/// What the core refuses, as a `ScenarioError`.
pub fn refused(py: Python, faults: &[Fault]) -> PyErr {
    let diagnose = |fault: &Fault| stiction_study::Diagnostic {
        key: format!("patch.{}", fault.key),
        message: fault.error.to_string(),
        place: None,
        hint: fault.error.hint().map(str::to_owned),
    };
    errors::scenario(py, &faults.iter().map(diagnose).collect::<Vec<_>>())
}

/// Closure, constants, part of friction, worst error, and where: ratio and direction.
type Deviation = (&'static str, &'static str, &'static str, Option<f64>, f64, f64);

#[pymethods]
impl Patch {
    /// Names, numbers and units of what describes the patch.
    fn facts(&self, py: Python) -> PyResult<Vec<(String, f64, &'static str)>> {
        let facts = summary(self.plain()).map_err(|faults| refused(py, &faults))?;
        Ok(facts.into_iter().map(|fact| (fact.name, fact.value, fact.unit)).collect())
    }

    /// F∥/(μN), F⊥/(μN) and M/(μNR) over v/(ωR): four columns.
    #[pyo3(signature = (direction, ratio=None))]
    fn curve(&self, py: Python, direction: f64, ratio: Option<Vec<f64>>) -> PyResult<[Vec<f64>; 4]> {
        let patch = self.plain();
        let ratio = ratio.unwrap_or_else(figure_ratios);
        let found = sliding(patch, (patch.closure, patch.constants), direction, &ratio);
        let curve = found.map_err(|faults| refused(py, &faults))?;
        Ok([curve.ratio, curve.along, curve.across, curve.moment])
    }

    /// The worst errors of the Padé closures.
    fn deviations(&self, py: Python) -> PyResult<Vec<Deviation>> {
        let found = py.detach(|| compare(self.plain())).map_err(|faults| refused(py, &faults))?;
        let row = |d: &stiction_study::patch::Deviation| {
            let closure = match d.closure {
                Closure::Exact => "exact",
                Closure::Pade1 => "pade1",
                Closure::Pade2 => "pade2",
            };
            let constants = match d.constants {
                Constants::Consistent => "consistent",
                Constants::AsPrinted => "as-printed",
            };
            let quantity = match d.quantity {
                Quantity::Along => "along",
                Quantity::Across => "across",
                Quantity::Moment => "moment",
            };
            (closure, constants, quantity, d.worst, d.ratio, d.direction)
        };
        Ok(found.deviations.iter().map(row).collect())
    }

    /// Points of the limit surface, rows of equal elevation of the moment: fx, fy, mz and the motion of the start.
    fn limit_surface<'py>(
        &self,
        py: Python<'py>,
        n_rows: i64,
        n_columns: i64,
    ) -> PyResult<Bound<'py, PyAny>> {
        let sizes = (usize::try_from(n_rows).unwrap_or(0), usize::try_from(n_columns).unwrap_or(0));
        let (2.., 3.., ..=MOST) = (sizes.0, sizes.1, sizes.0.saturating_mul(sizes.1)) else {
            let message = format!("{n_rows} × {n_columns} points, but a surface has 2 × 3 to {MOST} of them");
            return Err(errors::value(message, None));
        };
        let (n_rows, n_columns) = sizes;
        let points = limit_points(self.plain()).map_err(|faults| refused(py, &faults))?;
        let row = |i: &usize, tell: Tell| {
            if !tell(0.0) {
                return Err(Error::Interrupted { t: None });
            }
            let row = points.parallel(*i, n_rows, n_columns).into_iter().take(n_columns);
            let numbers = row.flat_map(|p| {
                let (w, m) = (p.wrench, p.motion);
                [w.fx, w.fy, w.mz, m.vx, m.vy, m.omega]
            });
            Ok(numbers.collect::<Vec<f64>>())
        };
        let places: Vec<usize> = (0..n_rows).collect();
        let values = watched_all(py, None, &places, |i| format!("row {i}"), row)?.concat();
        filled(py, &[n_rows * n_columns, 6], |out| {
            out.copy_from_slice(&values);
            Ok(())
        })
    }

    /// Pressure in a motion at points (x, y, anything) (Pa).
    fn pressure<'py>(&self, points: &Bound<'py, PyAny>, twist: [f64; 3]) -> PyResult<Bound<'py, PyAny>> {
        let py = points.py();
        let (array, shape) = rows(points, "points", "x (m), y (m) and a zero")?;
        let [vx, vy, omega] = twist;
        let contact = self.contact();
        map_rows(py, &shape, ("points", slice(&array)?), |[x, y, _]| {
            [contact.pressure(Twist { vx, vy, omega }, [x, y])]
        })
    }
}
