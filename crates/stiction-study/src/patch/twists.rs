//! A table of twists from CSV, and the wrenches that belong to it.

use crate::facts::ColumnKind;
use crate::outcome::Column;
use csv::StringRecord;
use keyed::{Diagnostic, Place};
use stiction::patch::{PatchFriction, Twist};

/// The columns of a table of twists.
const COLUMNS: [&str; 3] = ["vx", "vy", "omega"];
/// Errors that are listed one by one; more would hide the first.
const MAX_LISTED: usize = 20;

/// Twists from CSV: a header that names `vx`, `vy` and `omega` in any order, then a line for each twist.
/// Cells may be quoted, other columns are left alone, empty lines skipped. `name` is the file's, for
/// messages.
pub fn twists(name: &str, text: &str) -> Result<Vec<Twist>, Vec<Diagnostic>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut table = Table { name, text, found: Vec::new(), n_found: 0 };
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes());
    let mut names: Option<(StringRecord, [usize; 3])> = None;
    let mut list = Vec::new();
    for record in reader.records() {
        let cells = match record {
            Ok(cells) => cells,
            Err(error) => {
                let line = error.position().map_or(1, csv::Position::line);
                table.fault("", format!("not valid CSV: {error}"), None, line);
                continue;
            }
        };
        if cells.len() == 1 && cells[0].is_empty() {
            continue;
        }
        let line = cells.position().map_or(1, csv::Position::line);
        let Some((names, places)) = &names else {
            let Some(places) = table.places(line, &cells) else { return Err(table.found) };
            names = Some((cells, places));
            continue;
        };
        if cells.len() != names.len() {
            let message = format!("{} values, but the header names {} columns", cells.len(), names.len());
            table.fault("", message, None, line);
            continue;
        }
        let [vx, vy, omega] =
            [0, 1, 2].map(|i| table.number(COLUMNS[i], &cells[places[i]], line).unwrap_or(0.0));
        list.push(Twist { vx, vy, omega });
    }
    if names.is_none() {
        table.fault("", "empty, but there must be a header: vx,vy,omega".into(), None, 1);
    }
    if table.n_found > table.found.len() {
        let message = format!("{} more errors of this kind", table.n_found - table.found.len());
        table.found.push(Diagnostic { key: String::new(), message, place: None, hint: None });
    }
    if table.found.is_empty() { Ok(list) } else { Err(table.found) }
}

struct Table<'a> {
    name: &'a str,
    text: &'a str,
    found: Vec<Diagnostic>,
    n_found: usize,
}

impl Table<'_> {
    fn fault(&mut self, key: &str, message: String, hint: Option<&str>, line: u64) {
        self.n_found += 1;
        if self.found.len() < MAX_LISTED {
            let line = line as usize;
            let text = self.text.lines().nth(line.saturating_sub(1)).unwrap_or("");
            let text = text.trim().chars().take(90).collect();
            let place = Some(Place { source: self.name.into(), line: Some(line), text });
            self.found.push(Diagnostic { key: key.into(), message, place, hint: hint.map(str::to_owned) });
        }
    }

    /// Where the columns stand.
    fn places(&mut self, line: u64, names: &StringRecord) -> Option<[usize; 3]> {
        let hint = if names.iter().any(|name| name.contains(';')) {
            "columns are separated by commas"
        } else {
            "the header names vx, vy and omega, in any order"
        };
        for column in COLUMNS {
            match names.iter().filter(|name| *name == column).count() {
                0 => self.fault(column, "no such column in the header".into(), Some(hint), line),
                1 => {}
                n => self.fault(column, format!("{n} columns, but there must be one"), None, line),
            }
        }
        let place = |column: &str| names.iter().position(|name| name == column);
        self.found.is_empty().then_some(COLUMNS.map(|column| place(column).unwrap_or(0)))
    }

    fn number(&mut self, column: &str, cell: &str, line: u64) -> Option<f64> {
        match cell.parse::<f64>() {
            Ok(value) if value.is_finite() => Some(value),
            Ok(value) => {
                self.fault(column, format!("{value}, but it must be a finite number"), None, line);
                None
            }
            Err(_) => {
                let what = if cell.is_empty() {
                    "nothing".into()
                } else {
                    format!("\"{}\"", cell.chars().take(40).collect::<String>())
                };
                self.fault(column, format!("{what}, but it must be a number"), None, line);
                None
            }
        }
    }
}

/// The columns fx, fy and mz, a row for each twist.
pub fn wrenches(contact: &PatchFriction, twists: &[Twist]) -> [Column; 3] {
    let column = |kind: ColumnKind| Column::new(kind, Vec::with_capacity(twists.len()));
    let mut columns = [column(ColumnKind::Fx), column(ColumnKind::Fy), column(ColumnKind::Mz)];
    for twist in twists {
        let w = contact.wrench(*twist);
        // no minus before a zero
        for (column, value) in columns.iter_mut().zip([w.fx, w.fy, w.mz]) {
            column.values.push(value + 0.0);
        }
    }
    columns
}

#[cfg(test)]
mod tests {
    use super::*;

    fn errors(text: &str) -> Vec<String> {
        twists("t.csv", text).expect_err(text).iter().map(Diagnostic::to_string).collect()
    }

    #[test]
    fn columns_stand_in_any_order_and_others_are_left_alone() {
        let list = twists("t.csv", "\u{feff}omega, note,vy,vx\r\n1,a, 2 ,3e-1\r\n\n-4,,5,6\n").unwrap();
        assert_eq!(list[0], Twist { vx: 0.3, vy: 2.0, omega: 1.0 });
        assert_eq!(list[1], Twist { vx: 6.0, vy: 5.0, omega: -4.0 });
        assert_eq!(twists("t.csv", "vx,vy,omega\n").unwrap(), []);
        let quoted = "\"vx\",\"vy\",\"omega\",\"note\"\r\n\"1\",\"-2e-1\",\"3\",\"a, \"\"b\"\"\"\r\n  \r\n";
        assert_eq!(twists("t.csv", quoted).unwrap(), [Twist { vx: 1.0, vy: -0.2, omega: 3.0 }]);
    }

    #[test]
    fn every_error_names_its_line_and_column() {
        let found = errors("vx,vy,omega\n1,2,3\nx,2,nan\n1,2\n1,,3\n");
        assert_eq!(found.len(), 4);
        for (error, words) in found.iter().zip([
            ["t.csv:3", "vx: \"x\""],
            ["t.csv:3", "omega: NaN"],
            ["t.csv:4", "2 values"],
            ["t.csv:5", "vy: nothing"],
        ]) {
            assert!(words.iter().all(|word| error.contains(word)), "{error}");
        }
        assert!(errors("vx,vy\n")[0].contains("omega: no such column"));
        assert!(errors("vx;vy;omega\n")[0].contains("commas"));
        assert!(errors("vx,vx,vy,omega\n")[0].contains("vx: 2 columns"));
        assert!(errors("\n")[0].contains("empty"));
        let many = errors(&("vx,vy,omega\n".to_owned() + &"a,0,0\n".repeat(100)));
        assert!(many.len() == MAX_LISTED + 1 && many[MAX_LISTED].contains("80 more"), "{many:?}");
    }
}
