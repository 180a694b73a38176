//! Python's values and the values of a scenario.

use crate::errors;
use keyed::{Node, Origin, Value};
use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyMapping, PySequence, PyString};

/// Tables within tables; a scenario needs seven.
const DEEPEST: usize = 64;

/// The tree of a scenario in a dict, or in an object with `to_dict()`.
pub fn node(value: &Bound<PyAny>) -> PyResult<Node> {
    within(value, &mut Vec::new())
}

fn within(value: &Bound<PyAny>, path: &mut Vec<String>) -> PyResult<Node> {
    let node = |value: Value| Ok(Node { value, origin: Origin::Nowhere });
    if path.len() > DEEPEST {
        let message = format!("{} … is nested too deep", path[..4].join("."));
        return Err(errors::value(message, Some("does a dict contain itself?")));
    }
    if let Ok(truth) = value.cast::<PyBool>() {
        return node(Value::Boolean(truth.is_true()));
    }
    if let Ok(number) = value.cast::<PyFloat>() {
        return node(Value::Float(number.value()));
    }
    if value.is_instance_of::<PyInt>() {
        // too long for a whole number: its size is what matters
        return node(match value.extract::<i64>() {
            Ok(x) => Value::Integer(x),
            Err(_) => Value::Float(value.extract().unwrap_or(f64::INFINITY)),
        });
    }
    if let Ok(text) = value.cast::<PyString>() {
        return node(Value::String(encoded(text, path)?));
    }
    if let Ok(mapping) = value.cast::<PyMapping>() {
        let mut entries = Vec::new();
        for item in mapping.items()?.iter() {
            let (key, value): (Bound<PyAny>, Bound<PyAny>) = item.extract()?;
            let Ok(key) = key.cast::<PyString>() else {
                let kind = key.get_type().name()?;
                return Err(errors::kind(
                    at(path, &format!("a key is of type {kind}")),
                    Some("keys are texts"),
                ));
            };
            let key = encoded(key, path)?;
            if value.is_none() {
                continue;
            }
            path.push(key.clone());
            entries.push((key, within(&value, path)?));
            path.pop();
        }
        return node(Value::Table(entries));
    }
    for (method, hint) in [("to_dict", "an object of this package"), ("tolist", "a NumPy array")] {
        let Some(method) = value.getattr_opt(method)? else { continue };
        if value.hasattr("__self__")? || value.is_instance_of::<pyo3::types::PyType>() {
            let message = at(path, &format!("a class, where {hint} belongs"));
            return Err(errors::kind(message, Some("call it, with its parameters by name")));
        }
        let plain = match method.call0() {
            Ok(plain) => plain,
            // what looks like an array and is none
            Err(error) if error.is_instance_of::<PyException>(value.py()) => break,
            Err(error) => return Err(error),
        };
        path.push(String::new());
        let found = within(&plain, path);
        path.pop();
        return found;
    }
    if let Ok(items) = value.cast::<PySequence>() {
        let mut list = Vec::new();
        for i in 0..items.len()? {
            path.push(i.to_string());
            list.push(within(&items.get_item(i)?, path)?);
            path.pop();
        }
        return node(Value::Array(list));
    }
    let kind = value.get_type().name()?;
    let message = at(path, &format!("of type {kind}, which no scenario holds"));
    Err(errors::kind(message, Some("numbers, texts, lists, dicts, NumPy arrays or objects of this package")))
}

/// A text that a file can hold.
fn encoded(text: &Bound<PyString>, path: &[String]) -> PyResult<String> {
    let refused = |_| {
        errors::value(at(path, "a text that cannot be written as UTF-8"), Some("it has a lone surrogate"))
    };
    text.to_str().map(str::to_owned).map_err(refused)
}

/// What is wrong, after the path of the key.
fn at(path: &[String], message: &str) -> String {
    let parts: Vec<&str> = path.iter().map(String::as_str).filter(|part| !part.is_empty()).collect();
    if parts.is_empty() { message.to_owned() } else { format!("{}: {message}", parts.join(".")) }
}

/// A tree as Python's dicts, lists, numbers and texts.
pub fn plain<'py>(py: Python<'py>, node: &Node) -> PyResult<Bound<'py, PyAny>> {
    Ok(match &node.value {
        Value::Table(entries) => {
            let dict = PyDict::new(py);
            for (key, node) in entries {
                dict.set_item(key, plain(py, node)?)?;
            }
            dict.into_any()
        }
        Value::Array(items) => {
            let items: Vec<Bound<PyAny>> =
                items.iter().map(|node| plain(py, node)).collect::<PyResult<_>>()?;
            PyList::new(py, items)?.into_any()
        }
        Value::Float(x) => x.into_pyobject(py)?.into_any(),
        Value::Integer(x) => x.into_pyobject(py)?.into_any(),
        Value::String(x) | Value::Datetime(x) => x.into_pyobject(py)?.into_any(),
        Value::Boolean(x) => PyBool::new(py, *x).to_owned().into_any(),
    })
}
