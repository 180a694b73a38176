//! `stiction compare`: how wrong is each regularisation, for this system?

use crate::args::Compare;
use crate::failure::Failure;
use crate::output::{Files, print, read, stem};
use crate::progress::Progress;
use crate::summary::{short, thousands};
use std::path::PathBuf;
use std::time::Instant;
use stiction_render::{CompareRow, convergence};
use stiction_study::compare::{Row, Truth, comparable, default_widths, positive, regularised};
use stiction_study::{Diagnostic, Study};

pub fn run(args: &Compare) -> Result<(), Failure> {
    let (name, text) = read(&args.file)?;
    let study = Study::read(&name, &text, &args.set).map_err(Failure::Input)?;
    let laws = regularised(&args.laws).map_err(option)?;
    positive(&args.widths).map_err(option)?;
    let motion = comparable(&study).map_err(Failure::Input)?;
    let mut progress = Progress::new("compare");
    let truth = Truth::new(motion, &mut |_| progress.tell(0.0))
        .map_err(|error| Failure::Run { title: stem(&args.file), error })?;
    let speed = truth.speed();
    let widths: Vec<f64> = if args.widths.is_empty() { default_widths(speed) } else { args.widths.clone() };
    let mut rows: Vec<(Row, f64)> = Vec::new();
    let total = (laws.len() * widths.len()) as f64;
    for law in &laws {
        for width in &widths {
            let start = Instant::now();
            let done = rows.len() as f64;
            let row = truth
                .row(law, *width, &mut |part| progress.tell((done + part) / total))
                .map_err(|error| Failure::Run { title: format!("{law}, width {width}"), error })?;
            rows.push((row, start.elapsed().as_secs_f64()));
        }
    }
    drop(progress);

    let dir = args.out.clone().or_else(|| (!args.json).then(|| PathBuf::from("out")));
    let mut written = Vec::new();
    if let Some(dir) = &dir {
        let mut files = Files::default();
        let stem = format!("{}-compare", stem(&args.file));
        let points: Vec<CompareRow> = rows.iter().map(|(row, _)| point(row)).collect();
        files.add(dir.join(format!("{stem}.csv")), csv(&rows));
        files.add_figure(dir, &stem, &convergence(&study.scenario.title, &points))?;
        written = files.write()?;
    }
    if args.json {
        let rows: Vec<_> = rows.iter().map(|(row, _)| json(row)).collect();
        return print(&format!("{}\n", serde_json::json!({ "speed": speed, "rows": rows })));
    }
    let mut out = format!(
        "{}\nexact Coulomb friction is the truth; largest sliding speed {} m/s\n\n{}\n",
        study.scenario.title,
        short(speed),
        heading()
    );
    for (row, seconds) in &rows {
        out.push_str(&format!("{}{:>11.2}\n", line(row), 1e3 * seconds));
    }
    out.push_str(note(&truth));
    let names: Vec<String> = written.iter().map(|path| path.display().to_string()).collect();
    out.push_str(&format!("\nwrote {}\n", names.join(", ")));
    print(&out)
}

/// What no width can mend.
pub fn note(truth: &Truth) -> &'static str {
    match truth.has_static_excess() {
        true => {
            "\nmu_static is above mu, which these laws do not have: part of the error stays at any width\n"
        }
        false => "",
    }
}

fn point(row: &Row) -> CompareRow {
    CompareRow {
        law: row.law.into(),
        width: row.width,
        trajectory: row.errors.trajectory,
        creep: row.errors.creep,
        evaluations: row.work.evaluations as f64,
    }
}

fn heading() -> String {
    format!(
        "{:<16}{:>12}{:>12}{:>12}{:>12}{:>12}{:>12}{:>12}{:>13}{:>11}",
        "law",
        "width",
        "trajectory",
        "amplitude",
        "phase",
        "dissipation",
        "stick",
        "creep",
        "evaluations",
        "ms"
    )
}

pub fn line(row: &Row) -> String {
    let e = &row.errors;
    format!(
        "{:<16}{:>12.2e}{:>12.1e}{:>12.1e}{:>12.1e}{:>12.1e}{:>12.1e}{:>12.1e}{:>13}",
        row.law,
        row.width,
        e.trajectory,
        e.amplitude,
        e.phase,
        e.dissipation,
        e.stick_fraction,
        e.creep,
        thousands(row.work.evaluations)
    )
}

pub fn json(row: &Row) -> serde_json::Value {
    let e = &row.errors;
    serde_json::json!({
        "law": row.law,
        "width": row.width,
        "trajectory": e.trajectory,
        "amplitude": e.amplitude,
        "phase": e.phase,
        "dissipation": e.dissipation,
        "stick_fraction": e.stick_fraction,
        "creep": e.creep,
        "work": row.work,
    })
}

fn csv(rows: &[(Row, f64)]) -> String {
    let mut text = String::from(
        "law,width,trajectory,amplitude,phase,dissipation,stick_fraction,creep,steps,evaluations\n",
    );
    for (row, _) in rows {
        let e = &row.errors;
        text.push_str(&format!(
            "{},{:e},{:e},{:e},{:e},{:e},{:e},{:e},{},{}\n",
            row.law,
            row.width,
            e.trajectory,
            e.amplitude,
            e.phase,
            e.dissipation,
            e.stick_fraction,
            e.creep,
            row.work.steps,
            row.work.evaluations
        ));
    }
    text
}

/// What is wrong with an argument, by the name of its option.
pub fn option(faults: Vec<Diagnostic>) -> Failure {
    Failure::Input(
        faults.into_iter().map(|fault| Diagnostic { key: format!("--{}", fault.key), ..fault }).collect(),
    )
}
