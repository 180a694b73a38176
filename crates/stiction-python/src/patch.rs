//! A contact patch, evaluated.

use crate::arrays::{map_rows, rows, slice};
use crate::guard::guarded;
use crate::law::PyAnyRef;
use crate::patch_tables::refused;
use crate::{errors, tree};
use keyed::{Document, Node, Origin, Value};
use pyo3::prelude::*;
use std::sync::Arc;
use stiction::patch::{LimitSurface, PatchFriction, Twist, Wrench};
use stiction_study::patch::PatchStudy;
use stiction_study::{PatchFile, assign_to_patch};

/// A checked contact patch.
#[pyclass(name = "Patch", frozen, module = "stiction._core")]
pub struct PyPatch {
    study: PatchStudy,
    contact: Arc<PatchFriction>,
    surface: Arc<LimitSurface>,
}

const TWIST: &str = "vx (m/s), vy (m/s), omega (rad/s)";
const WRENCH: &str = "fx (N), fy (N), mz (N m)";

#[pymethods]
impl PyPatch {
    #[new]
    fn new(py: Python, tree: PyAnyRef) -> PyResult<Self> {
        guarded(|| {
            let root = Value::Table(vec![("patch".into(), tree::node(tree)?)]);
            let document = Document::from_tree("", Node { value: root, origin: Origin::Nowhere });
            let file = PatchFile::from_document(document).map_err(|faults| errors::scenario(py, &faults))?;
            let study = PatchStudy::from(file.patch);
            let contact = study.friction().map_err(|faults| refused(py, &faults))?;
            let surface = study.surface().map_err(|faults| refused(py, &faults))?;
            Ok(Self { study, contact, surface })
        })
    }

    /// The friction wrench on the body for every twist.
    fn wrench<'py>(&self, twists: PyAnyRef<'_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        self.map(twists, "twists", TWIST, &[3], |[vx, vy, omega]| {
            let w = self.contact.wrench(Twist { vx, vy, omega });
            [w.fx, w.fy, w.mz]
        })
    }

    /// Derivative of the wrench by the twist, rows (fx, fy, mz).
    fn jacobian<'py>(&self, twists: PyAnyRef<'_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        self.map(twists, "twists", TWIST, &[3, 3], |[vx, vy, omega]| {
            let [a, b, c] = self.contact.jacobian(Twist { vx, vy, omega });
            [a[0], a[1], a[2], b[0], b[1], b[2], c[0], c[1], c[2]]
        })
    }

    /// Power of friction, never positive (W).
    fn power<'py>(&self, twists: PyAnyRef<'_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        self.map(twists, "twists", TWIST, &[], |[vx, vy, omega]| {
            [self.contact.power(Twist { vx, vy, omega })]
        })
    }

    /// Load factor of every applied wrench, and the motion in which the body would start: four numbers.
    fn limit<'py>(&self, wrenches: PyAnyRef<'_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        self.map(wrenches, "wrenches", WRENCH, &[4], |[fx, fy, mz]| {
            let limit = self.surface.limit(Wrench { fx, fy, mz });
            [limit.factor, limit.motion.vx, limit.motion.vy, limit.motion.omega]
        })
    }

    /// Height times friction coefficient at which sliding lifts an edge (m).
    #[getter]
    fn tipping(&self) -> PyResult<f64> {
        guarded(|| Ok(self.contact.tipping()))
    }
}

impl PyPatch {
    pub fn study(&self) -> &PatchStudy {
        &self.study
    }

    pub fn contact(&self) -> &PatchFriction {
        &self.contact
    }

    fn map<'py, const N: usize>(
        &self,
        value: PyAnyRef<'_, 'py>,
        name: &str,
        columns: &str,
        trailing: &[usize],
        f: impl Fn([f64; 3]) -> [f64; N] + Send + Sync,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = value.py();
        let (array, mut shape) = rows(value, name, columns)?;
        shape.extend(trailing);
        map_rows(py, &shape, (name, slice(&array)?), f)
    }
}

/// Whether a file describes a patch by itself.
#[pyfunction]
pub fn is_patch(text: &str) -> PyResult<bool> {
    let is_patch = |document: Document| match &document.root.value {
        Value::Table(entries) => {
            let has = |name: &str| entries.iter().any(|(key, _)| key == name);
            has("patch") && !has("system")
        }
        _ => false,
    };
    guarded(|| Ok(Document::parse("", text).is_ok_and(is_patch)))
}

/// The tree of a patch file and its title; `sets` are overrides.
#[pyfunction]
pub fn read_patch<'py>(
    py: Python<'py>,
    name: &str,
    text: &str,
    sets: Vec<(String, Bound<'py, PyAny>)>,
) -> PyResult<(String, Bound<'py, PyAny>)> {
    guarded(|| {
        let mut document = Document::parse(name, text).map_err(|faults| errors::scenario(py, &faults))?;
        crate::study::assign(py, &mut document, sets, &assign_to_patch)?;
        let tree = document.nearest("patch").clone();
        let file = PatchFile::from_document(document).map_err(|faults| errors::scenario(py, &faults))?;
        Ok((file.title, tree::plain(py, &tree)?))
    })
}
