//! Tables about contact patches, for people.

use crate::summary::short;
use std::fmt::Write;
use stiction::patch::Patch;
use stiction_study::patch::{Comparison, LimitPoints, model_name};
use stiction_study::{Fact, FactKind, PatchFile};

/// The numbers that describe a patch.
pub fn facts_table(file: &PatchFile, facts: &[Fact]) -> String {
    let title = if file.title.is_empty() { "Untitled patch" } else { &file.title };
    let mut text = format!("{title}\n{}\n\n", described(&file.patch));
    for fact in facts {
        let name = match fact.kind {
            FactKind::ForceLimit => "force in pure sliding".into(),
            FactKind::MomentLimit => "moment in pure spin".into(),
            FactKind::PressureCentreX => "centre of pressure x".into(),
            FactKind::PressureCentreY => "centre of pressure y".into(),
            FactKind::Skew => "skew in sliding".into(),
            FactKind::HeightLimit => "tips from a height of".into(),
            _ => fact.label(),
        };
        let unit = match fact.kind {
            FactKind::Skew => "(1 lifts an edge)".into(),
            FactKind::HeightLimit if file.patch.height > 0.0 => {
                let left = 100.0 * (1.0 - file.patch.height / fact.value);
                format!("{}   (height {} m, {left:.0} % left)", fact.unit, short(file.patch.height))
            }
            _ => fact.unit.to_string(),
        };
        let _ = writeln!(text, "  {name:<22}{:>14}  {unit}", short(fact.value));
    }
    text
}

fn described(patch: &Patch) -> String {
    let shape = patch.shape.description(&short);
    let pressure = match patch.shape.pieces() {
        Some(_) => String::new(),
        None => format!(", {}", patch.pressure.description()),
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
        let name = format!("{}, {}", d.quantity.symbol(), model_name(d.closure, d.constants));
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

/// What a patch holds at rest.
pub fn limit_table(title: &str, points: &LimitPoints) -> String {
    let title = if title.is_empty() { "Untitled patch" } else { title };
    format!(
        "{title}\nwhat it holds at rest, about the reference point\n\n  {:<22}{:>14}  N\n  {:<22}{:>14}  N m\n",
        "largest force",
        short(points.force),
        "largest moment",
        short(points.moment)
    )
}
