//! NumPy in and out: plain numbers by the shortest way, arrays of any shape without a copy where they are in order.

use crate::errors;
use crate::guard::{guarded, inject};
use crate::threads::is_forked;
use numpy::{PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyFloat, PyInt};
use rayon::prelude::*;

/// Fewer contacts than this are done by the calling thread: waking others takes as long.
const FEW: usize = 8192;
/// Rows in place of contacts: one takes a few times as long.
const FEW_ROWS: usize = 2048;
/// Elements that a thread takes at a time.
const CHUNK: usize = 2048;
/// Rows that a thread takes at a time.
const ROWS: usize = 512;

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

/// The number in a plain number; NaN and infinity are refused.
#[inline]
pub fn number(value: &Bound<PyAny>, name: &str) -> Option<PyResult<f64>> {
    let x = match value.cast::<PyFloat>() {
        Ok(x) => x.value(),
        Err(_) if value.is_exact_instance_of::<PyInt>() => value.extract().ok()?,
        Err(_) => return None,
    };
    Some(if x.is_finite() { Ok(x) } else { Err(not_finite(name, x, None)) })
}

/// The numbers in whatever a caller gave; `unit` is what a quantity with units is converted to.
pub fn real<'py>(value: &Bound<'py, PyAny>, name: &str, unit: &str) -> PyResult<Real<'py>> {
    static REAL: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    if let Some(x) = number(value, name) {
        return x.map(Real::One);
    }
    if let Ok(array) = value.cast_exact::<PyArrayDyn<f64>>()
        && array.is_c_contiguous()
        && array.data().is_aligned()
        && let Ok(array) = array.try_readonly()
    {
        return Ok(Real::Many(array));
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

/// A new array that `fill` fills; one without dimensions becomes a plain number.
pub fn filled<'py>(
    py: Python<'py>,
    shape: &[usize],
    fill: impl FnOnce(&mut [f64]) -> PyResult<()>,
) -> PyResult<Bound<'py, PyAny>> {
    if shape.is_empty() {
        let mut one = [0.0];
        guarded(|| fill(&mut one))?;
        return Ok(PyFloat::new(py, one[0]).into_any());
    }
    // not zeros: to touch the memory once more takes as long as a simple law
    static EMPTY: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let empty = EMPTY.import(py, "numpy", "empty")?;
    let array = empty.call1((shape,))?.cast_into::<PyArrayDyn<f64>>()?;
    let mut values = array.try_readwrite()?;
    let values = values.as_slice_mut()?;
    guarded(|| fill(values))?;
    Ok(array.into_any())
}

/// An array of this shape that `fill` fills, part by part, from the same parts of the `inputs`; on all cores where there are
/// many. The inputs must be finite; each has a name and as many numbers as the result.
pub fn map<'py, const N: usize>(
    py: Python<'py>,
    shape: &[usize],
    inputs: [(&str, &[f64]); N],
    fill: impl Fn([&[f64]; N], &mut [f64]) + Send + Sync,
) -> PyResult<Bound<'py, PyAny>> {
    // a part at a time, so that what is checked is still near when it is computed with
    let part = |(k, out): (usize, &mut [f64])| {
        inject("work");
        let (first, n) = (k * CHUNK, out.len());
        let parts = inputs.map(|(_, values)| &values[first..first + n]);
        if !parts.iter().all(|part| is_finite(part)) {
            return None;
        }
        fill(parts, out);
        Some(())
    };
    filled(py, shape, |out| {
        let done = if out.len() < FEW || is_forked() {
            out.chunks_mut(CHUNK).enumerate().try_for_each(part)
        } else {
            py.detach(|| out.par_chunks_mut(CHUNK).enumerate().try_for_each(part))
        };
        done.ok_or_else(|| first_infinite(&inputs, 1))
    })
}

/// `f` of every row of three numbers, which gives `N` numbers, in an array of this shape; on all cores where there are many.
pub fn map_rows<'py, const N: usize>(
    py: Python<'py>,
    shape: &[usize],
    (name, rows): (&str, &[f64]),
    f: impl Fn([f64; 3]) -> [f64; N] + Send + Sync,
) -> PyResult<Bound<'py, PyAny>> {
    let part = |(rows, out): (&[f64], &mut [f64])| {
        inject("work");
        if !is_finite(rows) {
            return None;
        }
        for (row, out) in rows.chunks_exact(3).zip(out.chunks_exact_mut(N)) {
            out.copy_from_slice(&f([row[0], row[1], row[2]]));
        }
        Some(())
    };
    filled(py, shape, |out| {
        let done = if rows.len() / 3 < FEW_ROWS || is_forked() {
            rows.chunks(3 * ROWS).zip(out.chunks_mut(N * ROWS)).try_for_each(part)
        } else {
            py.detach(|| rows.par_chunks(3 * ROWS).zip(out.par_chunks_mut(N * ROWS)).try_for_each(part))
        };
        done.ok_or_else(|| first_infinite(&[(name, rows)], 3))
    })
}

/// Whether all are finite, without a branch for each number.
fn is_finite(values: &[f64]) -> bool {
    values.iter().fold(true, |all, x| all & x.is_finite())
}

/// Says where the first number is that is not finite, in rows of `width` numbers.
fn first_infinite(inputs: &[(&str, &[f64])], width: usize) -> PyErr {
    let place = |values: &[f64]| values.iter().position(|x| !x.is_finite());
    let found =
        inputs.iter().find_map(|(name, values)| Some((*name, values[place(values)?], place(values)?)));
    let (name, x, at) = found.unwrap_or(("", f64::NAN, 0));
    let rows = if width > 1 { ".all(axis=-1)" } else { "" };
    not_finite(name, x, Some((at / width, rows)))
}

fn not_finite(name: &str, x: f64, at: Option<(usize, &str)>) -> PyErr {
    let place = at.map(|(at, _)| format!("[{at}]")).unwrap_or_default();
    let hint = at.map(|(_, rows)| format!("leave such values out, as in {name}[np.isfinite({name}){rows}]"));
    errors::value(format!("{name}{place} is {x}, but it must be a finite number"), hint.as_deref())
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
