//! What is asked of a patch besides its wrench: curves, Padé errors, limit surface, pressure.

use crate::arrays::{filled, map_rows, rows, slice};
use crate::errors;
use crate::guard::guarded;
use crate::outcome::{FactOut, facts};
use crate::patch::PyPatch;
use crate::watch::{Deadline, watched_all};
use pyo3::prelude::*;
use stiction::patch::Twist;
use stiction::{Fault, Progress};
use stiction_study::patch::{compare, diagnosed, figure_ratios, limit_points, sliding, summary};

/// Points of the largest surface: more would fill the memory.
const MOST: usize = 1_000_000;

/// What the core refuses, as a `ScenarioError`.
pub fn refused(py: Python, faults: &[Fault]) -> PyErr {
    errors::scenario(py, &diagnosed(faults))
}

/// Closure, constants, part of friction, worst error, and where: ratio and direction.
type DeviationRow = (&'static str, &'static str, &'static str, Option<f64>, f64, f64);

#[pymethods]
impl PyPatch {
    /// Names, numbers, units, symbols and meanings of what describes the patch.
    fn facts(&self, py: Python) -> PyResult<Vec<FactOut>> {
        guarded(|| summary(self.study()).map(|found| facts(&found)).map_err(|faults| refused(py, &faults)))
    }

    /// F∥/(μN), F⊥/(μN) and M/(μNR) over v/(ωR): four columns.
    #[pyo3(signature = (direction, ratio=None))]
    fn curve(&self, py: Python, direction: f64, ratio: Option<Vec<f64>>) -> PyResult<[Vec<f64>; 4]> {
        guarded(|| {
            let patch = self.study().patch();
            let ratio = ratio.unwrap_or_else(figure_ratios);
            let found = sliding(self.study(), (patch.closure, patch.constants), direction, &ratio);
            let curve = found.map_err(|faults| refused(py, &faults))?;
            Ok([curve.ratio, curve.along, curve.across, curve.moment])
        })
    }

    /// The worst errors of the Padé closures.
    fn deviations(&self, py: Python) -> PyResult<Vec<DeviationRow>> {
        let row = |d: &stiction_study::patch::Deviation| {
            let [closure, constants, quantity] = d.names();
            (closure, constants, quantity, d.worst, d.ratio, d.direction)
        };
        guarded(|| {
            let found = py.detach(|| compare(self.study())).map_err(|faults| refused(py, &faults))?;
            Ok(found.deviations.iter().map(row).collect())
        })
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
        let points = guarded(|| limit_points(self.study()).map_err(|faults| refused(py, &faults)))?;
        let row = |i: &usize, progress: &mut Progress| {
            progress.report(0.0)?;
            let row = points.parallel(*i, n_rows, n_columns).into_iter().take(n_columns);
            let numbers = row.flat_map(|p| {
                let (w, m) = (p.wrench, p.motion);
                [w.fx, w.fy, w.mz, m.vx, m.vy, m.omega]
            });
            Ok(numbers.collect::<Vec<f64>>())
        };
        let places: Vec<usize> = (0..n_rows).collect();
        let values = watched_all(py, None, Deadline::NONE, &places, |i| format!("row {i}"), row)?.concat();
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
