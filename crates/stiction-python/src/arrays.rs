//! NumPy in and out: plain numbers by the shortest way, arrays of any shape without a copy where they are in order.

use crate::errors;
use numpy::{PyArray1, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyFloat, PyInt};
use rayon::prelude::*;

/// Fewer elements than this are done by the calling thread: waking others takes as long.
const FEW: usize = 8192;
/// Elements that a thread takes at a time.
const CHUNK: usize = 2048;

/// Numbers that a caller gave.
pub enum Real<'py> {
    /// One.
    One(f64),
    /// An array in order.
    Many(PyReadonlyArrayDyn<'py, f64>),
}

/// A helper of the Python side.
fn helper<'py>(
    py: Python<'py>,
    cell: &'static PyOnceLock<Py<PyAny>>,
    name: &str,
) -> PyResult<Bound<'py, PyAny>> {
    Ok(cell.import(py, "stiction._arrays", name)?.clone())
}

/// The number in a plain number; NaN is refused.
#[inline]
pub fn number(value: &Bound<PyAny>, name: &str) -> Option<PyResult<f64>> {
    let x = match value.cast::<PyFloat>() {
        Ok(x) => x.value(),
        Err(_) if value.is_exact_instance_of::<PyInt>() => value.extract().ok()?,
        Err(_) => return None,
    };
    Some(if x.is_nan() { Err(not_a_number(name, None)) } else { Ok(x) })
}

/// The numbers in whatever a caller gave; `unit` is what a quantity with units is converted to.
pub fn real<'py>(value: &Bound<'py, PyAny>, name: &str, unit: &str) -> PyResult<Real<'py>> {
    static REAL: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    if let Some(x) = number(value, name) {
        return x.map(Real::One);
    }
    if let Ok(array) = value.cast_exact::<PyArrayDyn<f64>>() {
        let array = array.readonly();
        if array.as_slice().is_ok() {
            return Ok(Real::Many(array));
        }
    }
    let ordered = helper(value.py(), &REAL, "real")?.call1((value, name, unit))?;
    Ok(Real::Many(ordered.extract()?))
}

/// Several arrays brought to one shape.
pub fn broadcast<'py>(
    py: Python<'py>,
    values: &[(&Bound<'py, PyAny>, &str, &str)],
) -> PyResult<Vec<PyReadonlyArrayDyn<'py, f64>>> {
    static BROADCAST: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    helper(py, &BROADCAST, "broadcast")?.call1((values.to_vec(),))?.extract()
}

/// The slice of an array in order.
pub fn slice<'a>(array: &'a PyReadonlyArrayDyn<f64>) -> PyResult<&'a [f64]> {
    array.as_slice().map_err(|error| errors::value(error.to_string(), Some("give np.ascontiguousarray(…)")))
}

/// `f` of every index below `n`, on all cores, in order.
pub fn map(py: Python, n: usize, f: impl Fn(usize) -> f64 + Send + Sync) -> Vec<f64> {
    if n < FEW {
        return (0..n).map(f).collect();
    }
    py.detach(|| (0..n).into_par_iter().with_min_len(CHUNK).map(f).collect())
}

/// `f` of every row of three numbers, which gives `N` numbers; on all cores, in order.
pub fn map_rows<const N: usize>(
    py: Python,
    rows: &[f64],
    f: impl Fn([f64; 3]) -> [f64; N] + Send + Sync,
) -> Vec<f64> {
    let mut out = vec![0.0; rows.len() / 3 * N];
    let work = |(row, out): (&[f64], &mut [f64])| out.copy_from_slice(&f([row[0], row[1], row[2]]));
    if rows.len() / 3 < CHUNK {
        rows.chunks_exact(3).zip(out.chunks_exact_mut(N)).for_each(work);
    } else {
        py.detach(|| {
            let parts = rows.par_chunks(3 * CHUNK / 4).zip(out.par_chunks_mut(N * CHUNK / 4));
            parts.for_each(|(rows, out)| rows.chunks_exact(3).zip(out.chunks_exact_mut(N)).for_each(work));
        });
    }
    out
}

/// An array of this shape; one without dimensions becomes a plain number.
pub fn shaped<'py>(py: Python<'py>, values: Vec<f64>, shape: &[usize]) -> PyResult<Bound<'py, PyAny>> {
    match (shape, values.as_slice()) {
        ([], [x]) => Ok(PyFloat::new(py, *x).into_any()),
        _ => Ok(PyArray1::from_vec(py, values).reshape(shape)?.into_any()),
    }
}

/// Refuses NaN among the inputs; `values` are the results, which are NaN only where an input is.
pub fn refuse_nan(name: &str, inputs: &[f64], values: &[f64], per_row: usize) -> PyResult<()> {
    match values.iter().position(|x| x.is_nan()) {
        None => Ok(()),
        Some(_) => match inputs.iter().position(|x| x.is_nan()) {
            Some(at) => Err(not_a_number(name, Some(at / per_row.max(1)))),
            None => Ok(()),
        },
    }
}

fn not_a_number(name: &str, at: Option<usize>) -> PyErr {
    let place = at.map(|at| format!("[{at}]")).unwrap_or_default();
    let hint = "leave such values out, as in v[~np.isnan(v)]";
    errors::value(format!("{name}{place} is nan, but it must be a number"), at.map(|_| hint))
}

/// Rows of three numbers, whatever stands before the last dimension.
pub fn rows<'py>(
    value: &Bound<'py, PyAny>,
    name: &str,
    columns: &str,
) -> PyResult<(PyReadonlyArrayDyn<'py, f64>, Vec<usize>)> {
    let array = match real(value, name, "")? {
        Real::Many(array) if array.shape().last() == Some(&3) => array,
        Real::Many(array) => {
            let shape: Vec<String> = array.shape().iter().map(usize::to_string).collect();
            let comma = if shape.len() == 1 { "," } else { "" };
            let message =
                format!("{name} has the shape ({}{comma}), but it must be (3,) or (…, 3)", shape.join(", "));
            let hint = format!("one row holds {columns}; np.column_stack([…]) puts columns side by side");
            return Err(errors::value(message, Some(&hint)));
        }
        Real::One(_) => {
            let message = format!("{name} is one number, but a row of three is needed");
            return Err(errors::kind(message, Some(&format!("give {columns}"))));
        }
    };
    let leading = array.shape()[..array.shape().len() - 1].to_vec();
    Ok((array, leading))
}
