//! The report on a paper: its figures, and what it states beside what was found.

use crate::behaviours::behaviours;
use crate::limit_surface::{limit_sections, limit_surface};
use crate::outcome_figure;
use crate::patch_curves::{disc_forces, rectangle_forces};
use crate::patch_pressure::patch_pressure;
use figure::Figure;
use std::fmt::Write;
use stiction_study::paper::{AfterStop, Check, CheckTable, Drawing, KnownError, Property, ReportSection};

/// The figure of a drawing.
pub fn drawing_figure(drawing: &Drawing) -> Figure {
    match drawing {
        Drawing::Outcome(outcome) => outcome_figure(outcome),
        Drawing::Behaviours { outcomes, zooms, near_stick, truth } => {
            behaviours(outcomes, zooms, *near_stick, *truth)
        }
        Drawing::DiscForces { curves, moment_limit, reach } => disc_forces(curves, *moment_limit, *reach),
        Drawing::RectangleForces { curves, printed, radius, grip } => {
            rectangle_forces(curves, printed, [*radius, *grip])
        }
        Drawing::Pressure { section, plan } => patch_pressure("", section.as_ref(), plan),
        Drawing::LimitSurface(points) => limit_surface("", points),
        Drawing::LimitSections(points) => limit_sections("", points),
    }
}

/// The text of a section.
pub fn section_text(section: &ReportSection) -> String {
    let mut text = format!("{}: {}\n", section.name, section.title);
    for (i, table) in section.tables.iter().enumerate() {
        if i > 0 {
            text.push('\n');
        }
        text.push_str(&match table {
            CheckTable::Facts(checks) => facts(checks),
            CheckTable::Properties(properties) => property_table(properties),
            CheckTable::ModelErrors(rows) => model_errors(rows),
            CheckTable::Rest(rows) => rest(rows),
        });
    }
    for note in &section.notes {
        let _ = writeln!(text, "  {note}");
    }
    text
}

fn verdict(agrees: bool) -> &'static str {
    if agrees { "" } else { "  off" }
}

fn facts(checks: &[Check]) -> String {
    let mut text = format!("  {:<20}{:>12}{:>16}{:>14}\n", "", "printed", "computed", "difference");
    for check in checks {
        let (name, found) = (check.name.replace('_', " "), check.found);
        let difference = found - check.expected;
        let verdict = verdict(check.agrees);
        let _ =
            writeln!(text, "  {name:<20}{:>12.4}{found:>16.8}{difference:>14.1e}{verdict}", check.expected);
    }
    text
}

fn property_table(properties: &[Property]) -> String {
    let mut text = format!("  {:<36}{:>12}{:>14}{:>14}\n", "property", "printed", "expected", "found");
    for p in properties {
        let name = format!("{:<2}{}", p.number, p.name);
        let printed = p.printed.map_or_else(String::new, digits);
        // rounding errors of what should be zero have no digits worth six places
        let found =
            if p.expected == 0.0 && p.found != 0.0 { format!("{:.0e}", p.found) } else { digits(p.found) };
        let (expected, verdict) = (digits(p.expected), verdict(p.agrees));
        let _ = writeln!(text, "  {name:<36}{printed:>12}{expected:>14}{found:>14}{verdict}");
    }
    text
}

fn model_errors(rows: &[(KnownError, f64)]) -> String {
    let mut text = format!("  {:<36}{:>12}{:>14}\n", "worst error over all v/u", "known", "found");
    for (known, found) in rows {
        let check = known.check(*found);
        let _ = writeln!(
            text,
            "  {:<36}{:>10} %{:>12.1} %{}",
            known.label(),
            check.expected,
            check.found,
            verdict(check.agrees)
        );
    }
    text
}

fn rest(rows: &[AfterStop]) -> String {
    let mut text = format!(
        "  {:<18}{:>14}{:>14}{:>16}  behaviour (exact: rest at x = −0.5)\n",
        "", "x(100 s)", "moved", "largest |v|"
    );
    for row in rows {
        let _ = writeln!(
            text,
            "  {:<18}{:>14.6}{:>14.1e}{:>16.1e}  {}",
            row.title,
            row.last,
            row.moved,
            row.speed,
            row.behaviour()
        );
    }
    text
}

/// A number to eight digits.
fn digits(x: f64) -> String {
    let decimals = if x == 0.0 { 0 } else { (7.0 - x.abs().log10().floor()).clamp(0.0, 12.0) as usize };
    let text = format!("{x:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}
