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

const SEPARATORS: &str = "columns are separated by commas, and numbers have decimal points: replace semicolons, tabs and decimal commas";
const HEADER: &str = "begin the file with a line of names, or leave the names of the columns out";

/// The columns of these names; one without a name is that of its place in the file. The first line is a
/// header unless it is made of numbers.
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
    let mut builder = csv::ReaderBuilder::new();
    let builder = builder.has_headers(false).trim(csv::Trim::All).comment(Some(b'#'));
    let mut records = builder.from_reader(file).into_records();
    let unreadable = |error: csv::Error| {
        let is_uneven = matches!(error.kind(), csv::ErrorKind::UnequalLengths { .. });
        ColumnFault { hint: is_uneven.then_some(SEPARATORS), ..wrong(error.to_string()) }
    };
    let Some(first) = records.next() else { return Err(wrong("the file is empty".into())) };
    let first = first.map_err(unreadable)?;
    let places = places(path, names, &first)?;
    let has_header = places.iter().any(|place| number(first.get(*place).unwrap_or("")).is_none());
    let mut lists: [Vec<f64>; N] = std::array::from_fn(|_| Vec::new());
    for record in std::iter::once(Ok(first)).chain(records).skip(usize::from(has_header)) {
        let record = record.map_err(unreadable)?;
        let line = record.position().map_or(0, csv::Position::line);
        for (place, list) in places.into_iter().zip(&mut lists) {
            let cell = record.get(place).unwrap_or("");
            let Some(number) = number(cell) else {
                let message = format!("line {line}: {:?} is not a finite number", start(cell));
                let hint = cell.contains([';', '\t', ',']).then_some(SEPARATORS);
                return Err(ColumnFault { hint, ..wrong(message) });
            };
            list.push(number);
        }
    }
    Ok(lists)
}

/// A cell as a finite number.
fn number(cell: &str) -> Option<f64> {
    cell.trim_start_matches('\u{feff}').parse().ok().filter(|number: &f64| number.is_finite())
}

/// Where the columns stand, by the first line of the file.
fn places<const N: usize>(
    path: &str,
    names: [Option<&str>; N],
    header: &csv::StringRecord,
) -> Result<[usize; N], ColumnFault> {
    let mut places: [usize; N] = std::array::from_fn(|k| k);
    let is_foreign = header.iter().any(|cell| cell.contains([';', '\t']));
    for (k, name) in names.iter().enumerate() {
        let fault = |message: String, hint| ColumnFault {
            message: format!("{path} {message}"),
            column: Some(k),
            hint,
        };
        let Some(name) = name else {
            if header.get(k).is_none() {
                let message = format!("has {} columns, but {N} are read", header.len());
                return Err(ColumnFault { column: None, ..fault(message, is_foreign.then_some(SEPARATORS)) });
            }
            continue;
        };
        let mut found = (0..header.len()).filter(|i| header[*i].trim_start_matches('\u{feff}') == *name);
        places[k] = match (found.next(), found.next()) {
            (Some(place), None) => place,
            (Some(first), Some(second)) => {
                let message =
                    format!("has two columns {name}, number {} and number {}", first + 1, second + 1);
                return Err(fault(message, Some("rename one of them")));
            }
            (None, _) if is_foreign => return Err(fault(format!("has no column {name}"), Some(SEPARATORS))),
            (None, _) if header.iter().all(|cell| number(cell).is_some()) => {
                return Err(fault(
                    format!("has no column {name}: its first line is made of numbers"),
                    Some(HEADER),
                ));
            }
            (None, _) => {
                let columns: Vec<&str> = header.iter().take(12).collect();
                return Err(fault(format!("has no column {name}; it has {}", columns.join(", ")), None));
            }
        };
    }
    Ok(places)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of<const N: usize>(
        name: &str,
        text: &str,
        names: [Option<&str>; N],
    ) -> Result<[Vec<f64>; N], ColumnFault> {
        let path = std::env::temp_dir().join(format!("stiction-{name}-{}.csv", std::process::id()));
        std::fs::write(&path, text).unwrap();
        let found = read(&path.to_string_lossy(), names, 1 << 30);
        std::fs::remove_file(&path).unwrap();
        found
    }

    #[test]
    fn a_first_line_of_numbers_is_no_header() {
        let rows = Ok::<_, String>([vec![0.0, 1.0], vec![2.0, 3.0]]);
        for text in [
            "0,2\n1,3\n",
            "t,f\n0,2\n1,3\n",
            "# a remark\n0, 2\n1, 3",
            "\u{feff}0,2\n1,3\n",
            "t,1st\n0,2\n1,3",
        ] {
            assert_eq!(of("header", text, [None, None]).map_err(|fault| fault.message), rows, "{text}");
        }
        // columns that are not read may hold anything
        assert_eq!(of("more", "0,2,a\n1,3,b\n", [None, None]).map_err(|fault| fault.message), rows);
        let fault = of("named", "0,2\n1,3\n", [Some("t"), None]).unwrap_err();
        assert!(fault.message.contains("first line is made of numbers") && fault.hint == Some(HEADER));
    }

    #[test]
    fn two_columns_of_one_name_are_refused() {
        let text = "t,f,f\n0,1,2\n";
        let fault = of("twice", text, [Some("t"), Some("f")]).unwrap_err();
        assert!(fault.message.contains("two columns f, number 2 and number 3"), "{}", fault.message);
        assert!(of("by-place", text, [Some("t"), None]).is_ok());
    }

    #[test]
    fn other_separators_are_named() {
        for text in [
            "t;f\n0;1\n",
            "0;1\n1;2\n",
            "t;f\n0,5;1,5\n1,5;2,5\n",
            "t\tf\n0\t1\n",
            "t,f\n0,5,1,5\n",
            "t,f\n\"0,5\",1\n",
        ] {
            for names in [[None, None], [Some("t"), Some("f")]] {
                let fault = of("separator", text, names).unwrap_err();
                assert_eq!(fault.hint, Some(SEPARATORS), "{text}: {}", fault.message);
            }
        }
        let long = of("long", &format!("t,f\n0,{}\n", "x".repeat(10_000)), [None, None]).unwrap_err();
        assert!(long.message.len() < 300);
    }
}
