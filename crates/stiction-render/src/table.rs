//! Tables as CSV: a header of names, then numbers that read back to the same bits.

use std::fmt::Write;
use stiction::event::Event;
use stiction_study::{Column, ColumnKind, Outcome};

/// Name of the column that marks samples among the rows between them.
const SAMPLE: &str = "sample";

/// The samples of an outcome as CSV. Where a quantity of a motion has its largest or its smallest value between two samples, that
/// instant is a row, too, so that the extrema of the columns are those of the summary; `sample` is 0 there and 1 elsewhere. Internal
/// states are reported at samples only.
pub fn outcome_csv(outcome: &Outcome) -> String {
    let (samples, instants) = (&outcome.samples, &outcome.instants);
    let n = samples.first().map_or(0, |column| column.values.len());
    let chosen = missed(samples, instants);
    if instants.is_empty() || n == 0 {
        return csv(samples);
    }
    // an instant at the time of a sample is the side before a jump
    let mut rows: Vec<(f64, bool, usize)> =
        chosen.iter().map(|row| (instants[0].values[*row], false, *row)).collect();
    rows.extend(samples[0].values.iter().enumerate().map(|(row, t)| (*t, true, row)));
    rows.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let merged = |column: &Column| {
        let between = instants.iter().find(|other| other.name == column.name);
        let value = |(_, is_sample, row): &(f64, bool, usize)| match is_sample {
            true => column.values[*row],
            false => between.map_or(f64::NAN, |between| between.values[*row]),
        };
        Column { values: rows.iter().map(value).collect(), ..column.clone() }
    };
    let marks = rows.iter().map(|(_, is_sample, _)| f64::from(u8::from(*is_sample))).collect();
    let mark = Column::new(ColumnKind::Chosen, marks).named(SAMPLE);
    csv(&samples.iter().map(merged).chain([mark]).collect::<Vec<_>>())
}

/// The instants at which a quantity is beyond all its samples.
fn missed(samples: &[Column], instants: &[Column]) -> Vec<usize> {
    let mut rows = Vec::new();
    for column in samples.iter().skip(1) {
        let Some(between) = instants.iter().find(|other| other.name == column.name) else { continue };
        for sign in [1.0, -1.0] {
            let mut most = column.values.iter().map(|x| sign * x).fold(f64::NEG_INFINITY, f64::max);
            let mut row = None;
            for (i, x) in between.values.iter().enumerate().filter(|(_, x)| x.is_finite()) {
                if sign * x > most {
                    (most, row) = (sign * x, Some(i));
                }
            }
            rows.extend(row);
        }
    }
    rows.sort_unstable();
    rows.dedup();
    rows
}

/// Columns as CSV.
pub fn csv(columns: &[Column]) -> String {
    with_numbers(columns, number)
}

fn with_numbers(columns: &[Column], number: impl Fn(f64) -> String) -> String {
    let mut text = columns.iter().map(|column| column.name.as_str()).collect::<Vec<_>>().join(",");
    text.push('\n');
    let rows = columns.iter().map(|column| column.values.len()).min().unwrap_or(0);
    for row in 0..rows {
        for (i, column) in columns.iter().enumerate() {
            let comma = if i == 0 { "" } else { "," };
            // writing into a string cannot fail
            let _ = write!(text, "{comma}{}", number(column.values[row]));
        }
        text.push('\n');
    }
    text
}

/// Columns as CSV with 17 significant digits in every number.
pub fn csv_17(columns: &[Column]) -> String {
    with_numbers(columns, |x| format!("{x:.16e}"))
}

/// Events as CSV.
pub fn events_csv(events: &[Event]) -> String {
    let mut text = String::from("t,contact,kind\n");
    for event in events {
        let _ = writeln!(text, "{},{},{}", number(event.t), event.contact, event.kind.name());
    }
    text
}

/// The shortest text that reads back to the same number, with an exponent where that is shorter to read.
fn number(x: f64) -> String {
    let size = x.abs();
    if x == 0.0 || !x.is_finite() || (1e-5..1e16).contains(&size) { format!("{x}") } else { format!("{x:e}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn numbers_read_back_to_the_same_bits() {
        for x in [0.0, -0.0, 1.0, -0.1, 1e-300, 5e-324, 1.7976931348623157e308, 1.0 / 3.0, 123456789.12345679]
        {
            assert_eq!(number(x).parse::<f64>().unwrap().to_bits(), x.to_bits(), "{x}");
        }
    }

    #[test]
    fn a_table_has_a_header_and_a_line_for_each_row() {
        let column = |name: &str, values: Vec<f64>| Column::new(ColumnKind::Time, values).named(name);
        let text = csv(&[column("t", vec![0.0, 1e-9]), column("u", vec![1.5, -2.0])]);
        assert_eq!(text, "t,u\n0,1.5\n1e-9,-2\n");
    }
}
