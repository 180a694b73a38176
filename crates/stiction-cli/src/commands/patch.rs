//! `stiction patch`: a contact patch as numbers, curves, wrenches and limit surface.

use crate::args::Patch as Args;
use crate::failure::Failure;
use crate::output::{Files, names, print, read, stem};
use crate::patch_tables::{comparison_table, facts_table};
use serde_json::{Map, Value as Json, json};
use std::f64::consts::FRAC_PI_2;
use std::path::{Path, PathBuf};
use stiction::Fault;
use stiction::patch::{Closure, Constants};
use stiction_render::{csv, csv_17, limit_sections, limit_surface, patch_curves, patch_pressure};
use stiction_study::patch::{
    Curve, LimitPoint, Plane, compare, figure_ratios, is_round, limit_points, plan, section, sliding,
    summary, twists, wrenches,
};
use stiction_study::{Column, Diagnostic, PatchFile};

/// Directions of sliding in the figure of a patch that is not round (rad).
const DIRECTIONS: [f64; 3] = [0.0, 0.5 * FRAC_PI_2, FRAC_PI_2];
/// Rows and columns of the table of the limit surface.
const SURFACE: (usize, usize) = (25, 72);
/// Points of the sections in the table.
const SECTION: usize = 180;

pub fn run(args: &Args) -> Result<(), Failure> {
    let stdin = Path::new("-");
    if args.file == stdin && args.twists.as_deref() == Some(stdin) {
        let message = "both the patch and the twists are to come from standard input".into();
        let hint = Some("give one of them as a file".into());
        return Err(Failure::Input(vec![Diagnostic { key: "--twists".into(), message, place: None, hint }]));
    }
    let (name, text) = open(&args.file, "read the patch")?;
    let file = PatchFile::read(&name, &text, &args.set).map_err(Failure::Input)?;
    let stem = if args.file == stdin { "patch".into() } else { stem(&args.file) };
    match &args.twists {
        Some(path) => table(args, &file, &stem, path),
        None if args.limit_surface => surface(args, &file, &stem),
        None if args.compare => comparison(args, &file, &stem),
        None => curves(args, &file, &stem),
    }
}

/// Reads a file; a missing one is no reason to write a scenario.
fn open(path: &Path, doing: &'static str) -> Result<(String, String), Failure> {
    read(path).map_err(|failure| match failure {
        Failure::File { path, error, .. } => Failure::File { doing, path, error },
        other => other,
    })
}

/// What the core refuses, below the table that it stands in.
pub fn refused(faults: Vec<Fault>) -> Failure {
    let diagnose = |fault: &Fault| Diagnostic {
        key: format!("patch.{}", fault.key),
        message: fault.error.to_string(),
        place: None,
        hint: fault.error.hint().map(str::to_owned),
    };
    Failure::Input(faults.iter().map(diagnose).collect())
}

/// Where figures and data go, if anywhere.
fn directory(args: &Args) -> Option<PathBuf> {
    args.out.clone().or_else(|| (!args.json && args.twists.is_none()).then(|| PathBuf::from("out")))
}

fn columns_json(columns: &[Column]) -> Map<String, Json> {
    columns.iter().map(|column| (column.name.clone(), json!(column.values))).collect()
}

/// `--twists`: a wrench for every twist.
fn table(args: &Args, file: &PatchFile, stem: &str, path: &Path) -> Result<(), Failure> {
    let (name, text) = open(path, "read the twists")?;
    let list = twists(&name, &text).map_err(Failure::Input)?;
    let contact = file.patch.prepare().map_err(refused)?;
    let columns = wrenches(&contact, &list);
    if let Some(row) = (0..list.len()).find(|row| columns.iter().any(|c| !c.values[*row].is_finite())) {
        let message = format!("the wrench of twist {} is too large for a number", row + 1);
        return Err(Failure::Input(vec![Diagnostic { key: name, message, place: None, hint: None }]));
    }
    let text = csv_17(&columns);
    if let Some(dir) = &args.out {
        let mut files = Files::default();
        files.add(dir.join(format!("{stem}-wrenches.csv")), text.clone());
        files.write()?;
    }
    print(&if args.json { format!("{}\n", Json::from(columns_json(&columns))) } else { text })
}

/// The closures that a patch has beside the exact one.
fn closures(file: &PatchFile) -> Vec<(Closure, Constants)> {
    let exact = (Closure::Exact, Constants::Consistent);
    let pade = [(Closure::Pade1, Constants::Consistent), (Closure::Pade2, Constants::Consistent)];
    let has = |kind: &(Closure, Constants)| sliding(&file.patch, *kind, 0.0, &[]).is_ok();
    std::iter::once(exact).chain(pade.into_iter().filter(has)).collect()
}

/// Curves of all closures, in several directions if they differ.
fn all_curves(file: &PatchFile) -> Result<Vec<Curve>, Failure> {
    let ratio = figure_ratios();
    let directions = if is_round(&file.patch.shape) { &DIRECTIONS[..1] } else { &DIRECTIONS };
    let mut list = Vec::new();
    for direction in directions {
        for kind in closures(file) {
            list.push(sliding(&file.patch, kind, *direction, &ratio).map_err(refused)?);
        }
    }
    Ok(list)
}

/// The curves as columns: ratio, then F∥, F⊥ and M of each.
pub fn curve_columns(curves: &[Curve]) -> Vec<Column> {
    let column = |name: String, values: &[f64]| Column {
        symbol: name.clone(),
        name,
        unit: "-",
        values: values.to_vec(),
    };
    let mut columns: Vec<Column> =
        curves.first().map(|curve| column("ratio".into(), &curve.ratio)).into_iter().collect();
    let is_single = curves.iter().all(|curve| curve.direction == curves[0].direction);
    for curve in curves {
        let kind = match (curve.closure, curve.constants) {
            (Closure::Exact, _) => "",
            (Closure::Pade1, Constants::Consistent) => "_pade1",
            (Closure::Pade2, Constants::Consistent) => "_pade2",
            (Closure::Pade1, Constants::AsPrinted) => "_pade1_printed",
            (Closure::Pade2, Constants::AsPrinted) => "_pade2_printed",
        };
        let angle =
            if is_single { String::new() } else { format!("_{}", curve.direction.to_degrees().round()) };
        for (name, values) in [("along", &curve.along), ("across", &curve.across), ("moment", &curve.moment)]
        {
            columns.push(column(format!("{name}{kind}{angle}"), values));
        }
    }
    columns
}

/// Without a flag: the numbers, the curves over v/(ωR), the pressure.
fn curves(args: &Args, file: &PatchFile, stem: &str) -> Result<(), Failure> {
    let facts = summary(&file.patch).map_err(refused)?;
    let curves = all_curves(file)?;
    let mut files = Files::default();
    if let Some(dir) = &directory(args) {
        let section = section(&file.patch).map_err(refused)?;
        let plan = plan(&file.patch).map_err(refused)?;
        files.add(dir.join(format!("{stem}.csv")), csv(&curve_columns(&curves)));
        files.add_figure(dir, stem, &patch_curves(&file.title, &curves))?;
        let figure = patch_pressure(&file.title, section.as_ref(), &plan);
        files.add_figure(dir, &format!("{stem}-pressure"), &figure)?;
    }
    let written = files.write()?;
    if args.json {
        let samples = columns_json(&curve_columns(&curves));
        let object = json!({ "title": file.title, "facts": facts, "samples": samples });
        return print(&format!("{object}\n"));
    }
    print(&format!("{}\nwrote {}\n", facts_table(file, &facts), names(&written)))
}

/// `--compare`: the Padé closures against the exact integrals.
fn comparison(args: &Args, file: &PatchFile, stem: &str) -> Result<(), Failure> {
    let result = compare(&file.patch).map_err(refused)?;
    let curves = all_curves(file)?;
    let mut files = Files::default();
    if let Some(dir) = &directory(args) {
        files.add_figure(dir, &format!("{stem}-compare"), &patch_curves(&file.title, &curves))?;
    }
    let written = files.write()?;
    if args.json {
        return print(&format!("{}\n", json!({ "title": file.title, "deviations": result.deviations })));
    }
    let table = comparison_table(&file.title, &result, !is_round(&file.patch.shape));
    print(&format!("{table}\nwrote {}\n", names(&written)))
}

/// `--limit-surface`: what the patch holds at rest.
fn surface(args: &Args, file: &PatchFile, stem: &str) -> Result<(), Failure> {
    let points = limit_points(&file.patch).map_err(refused)?;
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
    let mut files = Files::default();
    if let Some(dir) = &directory(args) {
        files.add(dir.join(format!("{stem}-limit-surface.csv")), csv(&columns));
        for (plane, columns) in &sections {
            files.add(dir.join(format!("{stem}-limit-{}.csv", plane.name())), csv(columns));
        }
        files.add_figure(dir, &format!("{stem}-limit-surface"), &limit_surface(&file.title, &points))?;
        files.add_figure(dir, &format!("{stem}-limit-sections"), &limit_sections(&file.title, &points))?;
    }
    let written = files.write()?;
    if args.json {
        let sections: Map<String, Json> =
            sections.iter().map(|(plane, c)| (plane.name().into(), columns_json(c).into())).collect();
        let object = json!({
            "title": file.title,
            "force_limit": points.force,
            "moment_limit": points.moment,
            "points": columns_json(&columns),
            "sections": sections,
        });
        return print(&format!("{object}\n"));
    }
    let title = if file.title.is_empty() { "Untitled patch" } else { &file.title };
    print(&format!(
        "{title}\nwhat it holds at rest, about the reference point\n\n  {:<22}{:>14}  N\n  {:<22}{:>14}  N m\n\nwrote {}\n",
        "largest force",
        crate::summary::short(points.force),
        "largest moment",
        crate::summary::short(points.moment),
        names(&written)
    ))
}

fn point_columns(points: &[LimitPoint]) -> Vec<Column> {
    let column = |name: &str, unit: &'static str, f: &dyn Fn(&LimitPoint) -> f64| Column {
        name: name.into(),
        symbol: name.into(),
        unit,
        values: points.iter().map(f).collect(),
    };
    vec![
        column("fx", "N", &|p| p.wrench.fx),
        column("fy", "N", &|p| p.wrench.fy),
        column("mz", "N m", &|p| p.wrench.mz),
        column("vx", "m/s", &|p| p.motion.vx),
        column("vy", "m/s", &|p| p.motion.vy),
        column("omega", "rad/s", &|p| p.motion.omega),
    ]
}
