//! `stiction patch`: a contact patch as numbers, curves, wrenches and limit surface.

use crate::args::PatchArgs as Args;
use crate::failure::Failure;
use crate::output::{Files, misread, names, print, print_data, print_json, read, stem};
use keyed::Diagnostic;
use serde_json::{Map, Value as Json, json};
use std::path::{Path, PathBuf};
use stiction::Fault;
use stiction_render::{
    comparison_table, csv, csv_17, facts_table, limit_sections, limit_surface, limit_table, patch_curves,
    patch_pressure,
};
use stiction_study::defaults::{SECTION, SURFACE};
use stiction_study::patch::{
    LimitPoint, PatchStudy, Plane, all_curves, compare, curve_columns, diagnosed, limit_points, plan,
    point_columns, section, summary, twists, wrenches,
};
use stiction_study::{Budget, Column, PatchFile, Provenance, facts_json};

pub fn run(args: &Args) -> Result<(), Failure> {
    let stdin = Path::new("-");
    if args.file == stdin && args.twists.as_deref() == Some(stdin) {
        let message = "both the patch and the twists are to come from standard input".into();
        let hint = Some("give one of them as a file".into());
        return Err(Failure::Input(vec![Diagnostic { key: "--twists".into(), message, place: None, hint }]));
    }
    let (name, text) = open(&args.file, "read the patch")?;
    let file = PatchFile::read(&name, &text, &args.set);
    let file = file.map_err(|faults| Failure::Input(misread(&args.file, &text, "patch", faults)))?;
    let stem = if args.file == stdin { "patch".into() } else { stem(&args.file) };
    let study = PatchStudy::from(file.patch.clone());
    match &args.twists {
        Some(path) => table(args, &study, &stem, path),
        None if args.limit_surface => surface(args, &file, &study, &stem),
        None if args.compare => comparison(args, &file, &study, &stem),
        None => curves(args, &file, &study, &stem),
    }
}

/// Reads a file; a missing one is no reason to write a scenario.
fn open(path: &Path, doing: &'static str) -> Result<(String, String), Failure> {
    read(path, &Budget::default()).map_err(|failure| match failure {
        Failure::File { path, error, .. } => Failure::File { doing, path, error },
        other => other,
    })
}

/// What the core refuses.
fn refused(faults: Vec<Fault>) -> Failure {
    Failure::Input(diagnosed(&faults))
}

/// Where figures and data go, if anywhere.
fn directory(args: &Args) -> Option<PathBuf> {
    args.output.dir(args.twists.is_some())
}

fn columns_json(columns: &[Column]) -> Map<String, Json> {
    columns.iter().map(|column| (column.name.clone(), json!(column.values))).collect()
}

/// `--twists`: a wrench for every twist.
fn table(args: &Args, study: &PatchStudy, stem: &str, path: &Path) -> Result<(), Failure> {
    let (name, text) = open(path, "read the twists")?;
    let list = twists(&name, &text).map_err(Failure::Input)?;
    let contact = study.friction().map_err(refused)?;
    let columns = wrenches(&contact, &list);
    if let Some(row) = (0..list.len()).find(|row| columns.iter().any(|c| !c.values[*row].is_finite())) {
        let message = format!("the wrench of twist {row}, counted from 0, is too large for a number");
        return Err(Failure::Input(vec![Diagnostic { key: name, message, place: None, hint: None }]));
    }
    let text = csv_17(&columns);
    if let Some(dir) = &args.output.out {
        let mut files = Files::with_figures(&args.output.figure);
        files.add(dir.join(format!("{stem}-wrenches.csv")), text.clone());
        files.write()?;
    }
    if args.output.json { print_json(&columns_json(&columns)) } else { print_data(&text) }
}

/// Without a flag: the numbers, the curves over v/(ωR), the pressure.
fn curves(args: &Args, file: &PatchFile, study: &PatchStudy, stem: &str) -> Result<(), Failure> {
    let from = Provenance::new("patch", file);
    let facts = summary(study).map_err(refused)?;
    let curves = all_curves(study).map_err(refused)?;
    let mut files = Files::with_figures(&args.output.figure);
    if let Some(dir) = &directory(args) {
        let section = section(study).map_err(refused)?;
        let plan = plan(study).map_err(refused)?;
        files.add(dir.join(format!("{stem}.csv")), csv(&curve_columns(&curves)));
        files.add_figure_from(dir, stem, patch_curves(&file.title, &curves), from.as_ref())?;
        let figure = patch_pressure(&file.title, section.as_ref(), &plan);
        files.add_figure_from(dir, &format!("{stem}-pressure"), figure, from.as_ref())?;
        files.add_scenario(dir, stem, from.as_ref());
    }
    let written = files.write()?;
    if args.output.json {
        let samples = columns_json(&curve_columns(&curves));
        let object = json!({
            "title": file.title,
            "facts": facts_json(&facts),
            "samples": samples,
            "provenance": from,
        });
        return print_json(&object);
    }
    print(&format!("{}\nwrote {}\n", facts_table(file, &facts), names(&written)))
}

/// `--compare`: the Padé closures against the exact integrals.
fn comparison(args: &Args, file: &PatchFile, study: &PatchStudy, stem: &str) -> Result<(), Failure> {
    let from = Provenance::new("patch", file);
    let result = compare(study).map_err(refused)?;
    let curves = all_curves(study).map_err(refused)?;
    let mut files = Files::with_figures(&args.output.figure);
    if let Some(dir) = &directory(args) {
        files.add_figure_from(
            dir,
            &format!("{stem}-compare"),
            patch_curves(&file.title, &curves),
            from.as_ref(),
        )?;
    }
    let written = files.write()?;
    if args.output.json {
        return print_json(
            &json!({ "title": file.title, "deviations": result.deviations, "provenance": from }),
        );
    }
    let table = comparison_table(&file.title, &result, !file.patch.is_round());
    print(&format!("{table}\nwrote {}\n", names(&written)))
}

/// `--limit-surface`: what the patch holds at rest.
fn surface(args: &Args, file: &PatchFile, study: &PatchStudy, stem: &str) -> Result<(), Failure> {
    let from = Provenance::new("patch", file);
    let points = limit_points(study).map_err(refused)?;
    let rows: Vec<LimitPoint> = points
        .parallels(SURFACE.0, SURFACE.1)
        .into_iter()
        .flat_map(|mut row| {
            // the last point of a row is its first
            row.pop();
            row
        })
        .collect();
    let columns = point_columns(&rows);
    let sections = Plane::ALL.map(|plane| (plane, point_columns(&points.section(plane, SECTION))));
    let mut files = Files::with_figures(&args.output.figure);
    if let Some(dir) = &directory(args) {
        files.add(dir.join(format!("{stem}-limit-surface.csv")), csv(&columns));
        for (plane, columns) in &sections {
            files.add(dir.join(format!("{stem}-limit-{}.csv", plane.name())), csv(columns));
        }
        files.add_scenario(dir, &format!("{stem}-limit-surface"), from.as_ref());
        files.add_figure_from(
            dir,
            &format!("{stem}-limit-surface"),
            limit_surface(&file.title, &points),
            from.as_ref(),
        )?;
        files.add_figure_from(
            dir,
            &format!("{stem}-limit-sections"),
            limit_sections(&file.title, &points),
            from.as_ref(),
        )?;
    }
    let written = files.write()?;
    if args.output.json {
        let sections: Map<String, Json> =
            sections.iter().map(|(plane, c)| (plane.name().into(), columns_json(c).into())).collect();
        let object = json!({
            "title": file.title,
            "force_limit": points.force,
            "moment_limit": points.moment,
            "points": columns_json(&columns),
            "sections": sections,
            "provenance": from,
        });
        return print_json(&object);
    }
    print(&format!("{}\nwrote {}\n", limit_table(&file.title, &points), names(&written)))
}
