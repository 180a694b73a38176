//! `stiction tune`: the widest transition whose error stays below a tolerance.

use super::compare::{json, line, note, option};
use crate::args::Tune;
use crate::failure::Failure;
use crate::output::{print, read, stem};
use crate::progress::Progress;
use stiction_study::Study;
use stiction_study::compare::{Truth, attainable, comparable, regularised};

pub fn run(args: &Tune) -> Result<(), Failure> {
    let (name, text) = read(&args.file)?;
    let study = Study::read(&name, &text, &args.set).map_err(Failure::Input)?;
    let laws = regularised(&args.laws).map_err(option)?;
    attainable(&args.criterion, args.tolerance).map_err(option)?;
    let motion = comparable(&study).map_err(Failure::Input)?;
    let mut progress = Progress::new("tune");
    let truth = Truth::new(motion, &mut |_| progress.tell(0.0))
        .map_err(|error| Failure::Run { title: stem(&args.file), error })?;
    let mut found = Vec::new();
    for (i, law) in laws.iter().enumerate() {
        let mut tell = |part: f64| progress.tell((i as f64 + part) / laws.len() as f64);
        let row = truth.widest(law, &args.criterion, args.tolerance, &mut tell);
        found.push((*law, row.map_err(|error| Failure::Run { title: (*law).into(), error })?));
    }
    drop(progress);
    if args.json {
        let rows: Vec<_> = found
            .iter()
            .map(|(law, row)| serde_json::json!({ "law": law, "widest": row.as_ref().map(json) }))
            .collect();
        return print(&format!("{}\n", serde_json::Value::from(rows)));
    }
    let mut out = format!(
        "{}\nwidest transition with {} error at most {}\n\n{:<16}{:>12}{:>12}{:>12}{:>12}{:>12}{:>12}{:>12}{:>13}\n",
        study.scenario.title,
        args.criterion,
        args.tolerance,
        "law",
        "width",
        "trajectory",
        "amplitude",
        "phase",
        "dissipation",
        "stick",
        "creep",
        "evaluations"
    );
    for (law, row) in &found {
        match row {
            Some(row) => out.push_str(&format!("{}\n", line(row))),
            None => out.push_str(&format!("{law:<16}  none between 1e-6 and 1 of the largest speed\n")),
        }
    }
    out.push_str(note(&truth));
    print(&out)?;
    if found.iter().all(|(_, row)| row.is_none()) { Err(Failure::Untuned) } else { Ok(()) }
}
