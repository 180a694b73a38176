//! Axes as they are written on a command line, and how they come into a scenario.
//!
//! ```text
//!   omega=0.2:2:400       400 values from 0.2 to 2
//!   width=1e-4:1:30:log   equal ratios
//!   mu=0.1,0.2,0.5        a list
//!   mu=@friction.csv      the column mu of a CSV file;  mu=@friction.csv#mean  another
//!   mu=0.1:0.3            a range from which points are drawn
//! ```

use super::table::{AxisTable, Spacing, SweepTable};
use crate::scenario::schema;
use keyed::{Document, Node, Origin, Value, roots};
use serde_json::Value as Json;

/// The axis that a text stands for; otherwise what is wrong with it.
pub fn axis_of(text: &str) -> Result<AxisTable, String> {
    let shape = "an axis is written KEY=FROM:TO:POINTS, KEY=FROM:TO:POINTS:log, KEY=V,V,… or KEY=@FILE";
    let (key, values) = text.split_once('=').ok_or(shape)?;
    let axis = AxisTable::new(key.trim());
    let number = |word: &str| {
        let number: f64 =
            word.trim().parse().map_err(|_| format!("{} is not a number: {shape}", word.trim()))?;
        if number.is_finite() { Ok(number) } else { Err(format!("{} is not a finite number", word.trim())) }
    };
    if let Some(path) = values.strip_prefix('@') {
        let (file, column) = match path.rsplit_once('#') {
            Some((file, column)) => (file, Some(column.to_owned())),
            None => (path, None),
        };
        return Ok(AxisTable { file: Some(file.into()), column, ..axis });
    }
    if !values.contains(':') {
        let list = values.split(',').map(number).collect::<Result<_, _>>()?;
        return Ok(AxisTable { values: Some(list), ..axis });
    }
    let mut words: Vec<&str> = values.split(':').collect();
    let spacing = match words.last().map(|word| word.trim()) {
        Some("log") => {
            words.pop();
            Spacing::Log
        }
        _ => Spacing::Linear,
    };
    let points = |word: &str| {
        word.trim().parse::<u64>().map_err(|_| format!("{} is not a number of points: {shape}", word.trim()))
    };
    let (from, to, points) = match words.as_slice() {
        [from, to] => (number(from)?, number(to)?, None),
        [from, to, n] => (number(from)?, number(to)?, Some(points(n)?)),
        _ => return Err(shape.into()),
    };
    Ok(AxisTable { from: Some(from), to: Some(to), points, spacing, ..axis })
}

/// Puts axes into the sweep of a document, in place of those of the same parameter, and what else a sweep
/// says. `written` is how the user put each axis, for messages.
pub fn put_axes(
    document: &mut Document,
    over: &[(AxisTable, String)],
    rest: &SweepTable,
) -> Result<(), String> {
    let mut list = match &document.nearest("sweep.over").value {
        Value::Array(list) => list.clone(),
        _ => Vec::new(),
    };
    let parameter = |node: &Node| match &node.value {
        Value::Table(entries) => entries.iter().find_map(|(key, node)| match &node.value {
            Value::String(text) if key == "parameter" => Some(text.clone()),
            _ => None,
        }),
        _ => None,
    };
    let mut places = Vec::new();
    for (k, (axis, written)) in over.iter().enumerate() {
        if let Some((_, earlier)) = over[..k].iter().find(|(other, _)| other.parameter == axis.parameter) {
            return Err(format!("{} varies twice: {earlier} and {written}", axis.parameter));
        }
        let place = list.iter().position(|node| parameter(node).as_ref() == Some(&axis.parameter));
        places.push(place.unwrap_or(list.len()));
        if place.is_none() {
            list.push(node(serde_json::to_value(axis).map_err(|error| error.to_string())?));
        }
    }
    let roots = roots(schema());
    let mut assign = |key: &str, value: Value, written: &str| {
        document.assign(key, value, written, &roots).map_err(|(message, _)| message)
    };
    let first = over.first().map_or("", |(_, written)| written);
    if !over.is_empty() {
        assign("sweep.over", Value::Array(list), first)?;
    }
    for ((axis, written), place) in over.iter().zip(places) {
        let json = serde_json::to_value(axis).map_err(|error| error.to_string())?;
        assign(&format!("sweep.over.{place}"), node(json).value, written)?;
    }
    let Json::Object(entries) = serde_json::to_value(rest).map_err(|error| error.to_string())? else {
        return Ok(());
    };
    let is_given = |key: &str| match key {
        "over" => false,
        "seed" => rest.seed != 0,
        _ => true,
    };
    for (key, value) in entries.into_iter().filter(|(key, _)| is_given(key)) {
        assign(&format!("sweep.{key}"), node(value.clone()).value, &format!("--{key} {value}"))?;
    }
    Ok(())
}

fn node(json: Json) -> Node {
    let value = match json {
        Json::Object(entries) => {
            Value::Table(entries.into_iter().map(|(key, json)| (key, node(json))).collect())
        }
        Json::Array(items) => Value::Array(items.into_iter().map(node).collect()),
        Json::String(text) => Value::String(text),
        Json::Bool(truth) => Value::Boolean(truth),
        Json::Number(number) => match number.as_i64() {
            Some(whole) => Value::Integer(whole),
            None => Value::Float(number.as_f64().unwrap_or(f64::NAN)),
        },
        Json::Null => Value::Table(Vec::new()),
    };
    Node { value, origin: Origin::Nowhere }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_are_written_in_a_few_ways() {
        let range =
            AxisTable { from: Some(0.2), to: Some(2.0), points: Some(400), ..AxisTable::new("omega") };
        assert_eq!(axis_of("omega=0.2:2:400"), Ok(range.clone()));
        assert_eq!(axis_of("omega=0.2:2:400:log"), Ok(AxisTable { spacing: Spacing::Log, ..range.clone() }));
        assert_eq!(axis_of(" omega = 0.2 : 2"), Ok(AxisTable { points: None, ..range }));
        assert_eq!(axis_of("mu=0.1,-2e-3").map(|axis| axis.values), Ok(Some(vec![0.1, -2e-3])));
        let file = axis_of("a.b=@x/y.csv#m").map(|axis| (axis.parameter, axis.file, axis.column));
        assert_eq!(file, Ok(("a.b".into(), Some("x/y.csv".into()), Some("m".into()))));
        for wrong in [
            "",
            "omega",
            "omega=",
            "omega=1:2:3:4",
            "omega=a:2:3",
            "omega=1:2:1.5",
            "mu=1,,2",
            "mu=nan",
            "mu=0:inf:3",
        ] {
            assert!(axis_of(wrong).is_err(), "{wrong}");
        }
    }
}
