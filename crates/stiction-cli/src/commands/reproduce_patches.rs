//! `stiction reproduce paper-c`, `paper-d`: friction of a disc and of a rectangle that slide and spin.

use crate::commands::patch::{curve_columns, refused};
use crate::failure::Failure;
use crate::output::{Files, names, print};
use crate::patch_tables::{model, property_table};
use crate::progress::Progress;
use std::path::Path;
use stiction::patch::Patch;
use stiction_render::{csv, limit_sections, limit_surface, outcome_figure, paper_forces, patch_pressure};
use stiction_study::Study;
use stiction_study::patch::{compare, limit_points, plan, section};
use stiction_study::patch_papers::{
    DIRECTIONS, KNOWN_ERRORS, PAPER_D_MOTION, PatchCase, Printed, disc_properties, rectangle_properties,
};

/// The errors of the Padé models are given in whole percents (%).
const PERCENT: f64 = 0.5;
/// Draws the figures of a paper and checks what it states. Gives the number of statements that do not hold.
pub fn run(case: &PatchCase, figure: Option<&str>, dir: &Path) -> Result<usize, Failure> {
    let patch = case.read().map_err(|error| Failure::Run { title: case.file.into(), error })?.patch;
    let mut files = Files::default();
    for name in case.figures.iter().filter(|name| figure.is_none_or(|wanted| wanted == **name)) {
        let drawn = match *name {
            "forces" => {
                let curves = case.curves(&patch).map_err(refused)?;
                files.add(dir.join("forces.csv"), csv(&curve_columns(&curves)));
                paper_forces(case, &patch, &curves)
            }
            "pressure" => {
                let section = section(&patch).map_err(refused)?;
                patch_pressure("", section.as_ref(), &plan(&patch).map_err(refused)?)
            }
            "motion" => {
                let study = Study::read("motion.toml", PAPER_D_MOTION, &[]).map_err(Failure::Input)?;
                let mut progress = Progress::new("motion");
                let outcome = study
                    .run(&mut |fraction| progress.tell(fraction))
                    .map_err(|error| Failure::Run { title: "motion.toml".into(), error })?;
                files.add(dir.join("motion.csv"), csv(&outcome.samples));
                files.add(dir.join("motion.toml"), PAPER_D_MOTION);
                outcome_figure(&outcome)
            }
            "limit-sections" => limit_sections("", &limit_points(&patch).map_err(refused)?),
            _ => limit_surface("", &limit_points(&patch).map_err(refused)?),
        };
        files.add_figure(dir, name, &drawn)?;
    }
    files.add(dir.join(case.file), case.text);
    let (text, n_off) = if case.paper == "paper-c" { disc(&patch)? } else { rectangle(&patch)? };
    let written = files.write()?;
    print(&format!("{}\n{text}  wrote {}\n\n", case.paper, names(&written)))?;
    Ok(n_off)
}

/// Paper C: properties 1–7 and the errors of the Padé models.
fn disc(patch: &Patch) -> Result<(String, usize), Failure> {
    let (mut text, mut n_off) = property_table(&disc_properties(patch).map_err(refused)?);
    let comparison = compare(patch).map_err(refused)?;
    text.push_str(&format!("\n  {:<36}{:>12}{:>14}\n", "worst error over all v/u", "known", "found"));
    for known in KNOWN_ERRORS {
        let found = comparison.worst(known.closure, known.constants, known.quantity).unwrap_or(f64::NAN);
        let agrees = (100.0 * found - known.percent).abs() <= PERCENT;
        n_off += usize::from(!agrees);
        text.push_str(&format!(
            "  {:<36}{:>10} %{:>12.1} %{}\n",
            format!("{}, {}", known.quantity.symbol(), model(known.closure, known.constants)),
            known.percent,
            100.0 * found,
            if agrees { "" } else { "  off" }
        ));
    }
    Ok((text, n_off))
}

/// Paper D: the limits of the integrals, and what is finite of the printed constants.
fn rectangle(patch: &Patch) -> Result<(String, usize), Failure> {
    let properties = rectangle_properties(patch, &DIRECTIONS).map_err(refused)?;
    let (mut text, n_off) = property_table(&properties);
    let printed = Printed::new(patch);
    text.push_str(&format!(
        "\n  as printed: I₁ = {:.4}, I₆ = {:.4}, I₃ = I₉ = 0, I₀ = {:.4} at φ = 45° and infinite otherwise,\n  \
         so F⊥ is zero, M constant, and F∥ can be drawn at 45° only\n",
        printed.i1, printed.i6, printed.i0
    ));
    Ok((text, n_off))
}
