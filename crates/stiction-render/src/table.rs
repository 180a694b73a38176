//! Tables as CSV: a header of names, then numbers that read back to the same bits.

use std::fmt::Write;
use stiction::event::Event;
use stiction_study::Column;

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
    use stiction_study::ColumnKind;

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
