//! Errors of regularised laws as tables: for people and as CSV.

use crate::summary::{short, thousands};
use std::fmt::Write;
use stiction_study::compare::{Criterion, ErrorRow, Truth};

fn heading() -> String {
    let mut text = format!("{:<20}{:>25}", "law", "size");
    for criterion in Criterion::ALL {
        let name = if criterion == Criterion::StickFraction { "stick" } else { criterion.name() };
        let _ = write!(text, "{name:>12}");
    }
    text + &format!("{:>13}", "evaluations")
}

fn line(row: &ErrorRow) -> String {
    let size = format!("{} {:.2e} {:<3}", row.parameter, row.size, row.unit);
    let mut text = format!("{:<20}{size:>25}", row.law);
    for criterion in Criterion::ALL {
        let error = row.errors.get(criterion);
        let _ = if error.is_nan() { write!(text, "{:>12}", "-") } else { write!(text, "{error:>12.1e}") };
    }
    text + &format!("{:>13}", thousands(row.work.evaluations))
}

/// What no size can mend.
fn note(truth: &Truth) -> &'static str {
    match truth.has_static_excess() {
        true => {
            "\nstatic friction is above that of sliding, which these laws do not have: part of the error stays at any size\n"
        }
        false => "",
    }
}

/// The errors of laws and sizes; `seconds` is how long each row took, where that is known.
pub fn compare_text(title: &str, truth: &Truth, rows: &[ErrorRow], seconds: &[f64]) -> String {
    let mut text = format!(
        "{title}\n{} is the truth; largest sliding speed {} m/s, half the widest way {} m\n\n{}",
        truth.reference(),
        short(truth.speed()),
        short(truth.length()),
        heading()
    );
    text.push_str(if seconds.is_empty() { "\n" } else { "         ms\n" });
    for (i, row) in rows.iter().enumerate() {
        text.push_str(&line(row));
        if let Some(seconds) = seconds.get(i) {
            let _ = write!(text, "{:>11.2}", 1e3 * seconds);
        }
        text.push('\n');
    }
    text + note(truth)
}

/// The coarsest size of each law.
pub fn tune_text(
    title: &str,
    truth: &Truth,
    criterion: Criterion,
    tolerance: f64,
    found: &[(&str, Option<ErrorRow>)],
) -> String {
    let name = criterion.name();
    let mut text = format!("{title}\ncoarsest size with {name} error at most {tolerance}\n\n{}\n", heading());
    for (law, row) in found {
        match row {
            Some(row) => text.push_str(&format!("{}\n", line(row))),
            None => {
                text.push_str(&format!("{law:<20}  none between 1e-6 and 1 of the scale of the motion\n"))
            }
        }
    }
    text + note(truth)
}

/// The errors as CSV.
pub fn compare_csv(rows: &[ErrorRow]) -> String {
    let names: Vec<String> = Criterion::ALL.into_iter().map(Criterion::column).collect();
    let mut text = format!("law,parameter,size,unit,{},steps,evaluations\n", names.join(","));
    for row in rows {
        let _ = write!(text, "{},{},{:e},{}", row.law, row.parameter, row.size, row.unit);
        for criterion in Criterion::ALL {
            let _ = write!(text, ",{:e}", row.errors.get(criterion));
        }
        let _ = writeln!(text, ",{},{}", row.work.steps, row.work.evaluations);
    }
    text
}
