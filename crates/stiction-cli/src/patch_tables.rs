//! Tables about contact patches, for people.

use crate::summary::short;
use std::fmt::Write;
use stiction::patch::{Closure, Constants, Patch, Pressure, Shape};
use stiction_study::patch::Comparison;
use stiction_study::patch_papers::Property;
use stiction_study::{Fact, PatchFile};

/// The numbers that describe a patch.
pub fn facts_table(file: &PatchFile, facts: &[Fact]) -> String {
    let title = if file.title.is_empty() { "Untitled patch" } else { &file.title };
    let mut text = format!("{title}\n{}\n\n", described(&file.patch));
    for fact in facts {
        let name = match fact.name.as_str() {
            "force_limit" => "force in pure sliding",
            "moment_limit" => "moment in pure spin",
            "pressure_centre_x" => "centre of pressure x",
            "pressure_centre_y" => "centre of pressure y",
            "skew" => "skew in sliding",
            "height_limit" => "tips from a height of",
            other => other,
        };
        let unit = match fact.unit {
            "-" => "(1 lifts an edge)".into(),
            unit if fact.name == "height_limit" && file.patch.height > 0.0 => {
                let left = 100.0 * (1.0 - file.patch.height / fact.value);
                format!("{unit}   (height {} m, {left:.0} % left)", short(file.patch.height))
            }
            unit => unit.to_owned(),
        };
        let _ = writeln!(text, "  {name:<22}{:>14}  {unit}", short(fact.value));
    }
    text
}

fn described(patch: &Patch) -> String {
    let shape = match &patch.shape {
        Shape::Disc { radius } => format!("disc of radius {} m", short(*radius)),
        Shape::Ring { radius } => format!("ring of radius {} m", short(*radius)),
        Shape::Annulus { inner, outer } => {
            format!("annulus of radii {} and {} m", short(*inner), short(*outer))
        }
        Shape::Rectangle { length, width } => format!("rectangle {} m × {} m", short(*length), short(*width)),
        Shape::Polygon { vertices, holes } if holes.is_empty() => {
            format!("polygon of {} corners", vertices.len())
        }
        Shape::Polygon { vertices, holes } => {
            format!("polygon of {} corners, {} holes", vertices.len(), holes.len())
        }
        Shape::Pieces(pieces) => format!("{} pieces", pieces.len()),
    };
    let pressure = match patch.pressure {
        _ if matches!(patch.shape, Shape::Pieces(_)) => "",
        Pressure::Galin => ", pressure of a flat punch",
        Pressure::Hertz => ", pressure of a sphere",
        Pressure::Uniform => ", uniform pressure",
        Pressure::Linear { .. } => ", linear pressure",
    };
    format!("{shape}{pressure}, μ = {}, load {} N", short(patch.mu), short(patch.load))
}

/// The worst errors of the closures.
pub fn comparison_table(title: &str, comparison: &Comparison, has_directions: bool) -> String {
    let title = if title.is_empty() { "Untitled patch" } else { title };
    let mut text =
        format!("{title}\nworst error of the Padé closures, in parts of the largest exact value\n\n");
    let _ = write!(text, "  {:<32}{:>10}{:>14}", "", "error", "at v/(ωR)");
    text.push_str(if has_directions { "      at φ\n" } else { "\n" });
    for d in &comparison.deviations {
        let name = format!("{}, {}", d.quantity.symbol(), model(d.closure, d.constants));
        match d.worst {
            Some(worst) => {
                let _ = write!(text, "  {name:<32}{:>9.1} %{:>13}", 100.0 * worst, short_3(d.ratio));
                let angle = format!("{:>9.0}°\n", d.direction.to_degrees());
                text.push_str(if has_directions { &angle } else { "\n" });
            }
            None => {
                let _ = writeln!(text, "  {name:<32}{:>11}", "0");
            }
        }
    }
    text
}

fn short_3(x: f64) -> String {
    if x.is_finite() { format!("{x:.3}") } else { "-".into() }
}

/// A closure in words.
pub fn model(closure: Closure, constants: Constants) -> String {
    let order = match closure {
        Closure::Exact => return "exact".into(),
        Closure::Pade1 => "first order",
        Closure::Pade2 => "second order",
    };
    let constants = match constants {
        Constants::Consistent => "consistent",
        Constants::AsPrinted => "as printed",
    };
    format!("{order}, {constants}")
}

/// A number to eight digits.
fn digits(x: f64) -> String {
    let decimals = if x == 0.0 { 0 } else { (7.0 - x.abs().log10().floor()).clamp(0.0, 12.0) as usize };
    let text = format!("{x:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// Properties with the values that they should have, and how many have others.
pub fn property_table(properties: &[Property]) -> (String, usize) {
    let mut text = format!("  {:<36}{:>12}{:>14}{:>14}\n", "property", "printed", "expected", "found");
    let mut n_off = 0;
    for p in properties {
        let name = format!("{:<2}{}", p.number, p.name);
        let printed = p.printed.map_or_else(String::new, digits);
        let verdict = if p.agrees { "" } else { "  off" };
        n_off += usize::from(!p.agrees);
        // rounding errors of what should be zero have no digits worth six places
        let found =
            if p.expected == 0.0 && p.found != 0.0 { format!("{:.0e}", p.found) } else { digits(p.found) };
        let _ = writeln!(text, "  {name:<36}{printed:>12}{:>14}{found:>14}{verdict}", digits(p.expected));
    }
    (text, n_off)
}
