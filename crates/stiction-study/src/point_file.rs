//! Columns of a CSV file, by their names.

use crate::budget::{Excess, bytes};
use crate::matrix_file::open;
use keyed::start;

/// Memory that a byte of a file takes at most: the shortest row has four, and is held as two numbers.
const PARSED: u64 = 8;

/// What is wrong with a file, with the name that it does not have, and the way out.
#[derive(Debug)]
pub(crate) struct ColumnFault {
    pub message: String,
    /// Number of the column that is asked for, from 0.
    pub column: Option<usize>,
    pub hint: Option<&'static str>,
}

/// The columns of these names; one without a name is that of its place in the file.
pub(crate) fn read<const N: usize>(
    path: &str,
    names: [Option<&str>; N],
    memory: u64,
) -> Result<[Vec<f64>; N], ColumnFault> {
    let wrong =
        |message: String| ColumnFault { message: format!("{path}: {message}"), column: None, hint: None };
    let (file, length) = open(path).map_err(|(message, hint)| ColumnFault { hint, ..wrong(message) })?;
    if length > memory / PARSED {
        let message = format!("{}, but at most {} are read", bytes(length), bytes(memory / PARSED));
        return Err(ColumnFault { hint: Some(Excess::HINT), ..wrong(message) });
    }
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).comment(Some(b'#')).from_reader(file);
    let header = reader.headers().map_err(|error| wrong(error.to_string()))?.clone();
    let mut places: [usize; N] = std::array::from_fn(|k| k);
    for (k, name) in names.iter().enumerate() {
        if let Some(name) = name {
            let found = header.iter().position(|column| column.trim_start_matches('\u{feff}') == *name);
            places[k] = found.ok_or_else(|| {
                let columns: Vec<&str> = header.iter().take(12).collect();
                let message = format!("{path} has no column {name}; it has {}", columns.join(", "));
                ColumnFault { message, column: Some(k), hint: None }
            })?;
        }
    }
    let mut lists: [Vec<f64>; N] = std::array::from_fn(|_| Vec::new());
    for record in reader.records() {
        let record = record.map_err(|error| wrong(error.to_string()))?;
        let line = record.position().map_or(0, csv::Position::line);
        for (place, list) in places.into_iter().zip(&mut lists) {
            let cell = record.get(place).unwrap_or("");
            match cell.parse::<f64>() {
                Ok(number) if number.is_finite() => list.push(number),
                _ => return Err(wrong(format!("line {line}: {:?} is not a finite number", start(cell)))),
            }
        }
    }
    Ok(lists)
}
