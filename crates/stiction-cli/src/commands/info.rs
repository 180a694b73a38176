//! `stiction info`: what a dataset holds.

use crate::dataset_args::InfoArgs;
use crate::failure::Failure;
use crate::output::{print, print_json};
use std::fmt::Write;
use stiction_dataset::{AxisEntry, Dataset};
use stiction_render::short;

/// Reasons that are shown.
const REASONS: usize = 5;

pub fn run(args: &InfoArgs) -> Result<(), Failure> {
    let dataset = Dataset::open(&args.folder).map_err(Failure::dataset)?;
    if args.json { print_json(&dataset.manifest) } else { print(&summary(&dataset)?) }
}

/// A dataset in words.
pub fn summary(dataset: &Dataset) -> Result<String, Failure> {
    let manifest = &dataset.manifest;
    let mut text = String::new();
    let title = if manifest.title.is_empty() { String::new() } else { format!("{}: ", manifest.title) };
    let _ = writeln!(text, "{title}{}, {} of {} rows", manifest.task, dataset.done, manifest.rows);
    let axis = |axis: &AxisEntry| {
        let [from, to] = axis.range;
        let points = if axis.points == 0 { "drawn".into() } else { format!("{} values", axis.points) };
        let unit = if axis.unit == "-" { String::new() } else { format!(" {}", axis.unit) };
        let log = if axis.log { ", log" } else { "" };
        format!("  {:<20} {from} to {to}{unit}, {points}{log}", axis.name)
    };
    for entry in &manifest.axes {
        let _ = writeln!(text, "{}", axis(entry));
    }
    for column in manifest.columns.iter().skip(manifest.axes.len()) {
        let numbers = dataset.numbers(&column.name).map_err(Failure::dataset)?;
        let found: Vec<f64> = numbers.into_iter().filter(|x| !x.is_nan()).collect();
        let (Some(min), Some(max)) =
            (found.iter().copied().reduce(f64::min), found.iter().copied().reduce(f64::max))
        else {
            continue;
        };
        let unit = if column.unit == "-" { String::new() } else { format!(" {}", column.unit) };
        let _ = writeln!(text, "  {:<20} {} … {}{unit}", column.name, short(min), short(max));
    }
    if dataset.failed > 0 {
        let _ = writeln!(text, "{} rows have no result:", dataset.failed);
        let reasons = dataset.reasons().map_err(Failure::dataset)?;
        for (reason, n) in reasons.iter().take(REASONS) {
            let _ = writeln!(text, "  {n} × {reason}");
        }
        if reasons.len() > REASONS {
            let _ = writeln!(text, "  and {} reasons more, in the column error", reasons.len() - REASONS);
        }
    }
    let _ = writeln!(
        text,
        "{}: {} parts, hash {}",
        dataset.folder.display(),
        dataset.parts.len(),
        &manifest.hash[..manifest.hash.len().min(12)]
    );
    Ok(text)
}
