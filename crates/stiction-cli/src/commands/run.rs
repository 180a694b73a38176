//! `stiction run`: scenarios in, numbers and figures out.

use crate::args::Run;
use crate::failure::Failure;
use crate::output::{Files, names, print, read, stem};
use crate::progress::Progress;
use crate::summary::summary;
use std::collections::BTreeSet;
use std::path::PathBuf;
use stiction_render::{comparison, csv, events_csv, outcome_figure};
use stiction_study::{Outcome, Study};

pub fn run(args: &Run) -> Result<(), Failure> {
    // everything is checked before anything runs
    let mut studies = Vec::new();
    let mut faults = Vec::new();
    for path in &args.files {
        let (name, text) = read(path)?;
        match Study::read(&name, &text, &args.set) {
            Ok(study) => studies.push((unique_stem(path, &studies), study)),
            Err(diagnostics) => faults.extend(diagnostics),
        }
    }
    if !faults.is_empty() {
        return Err(Failure::Input(faults));
    }
    let mut outcomes = Vec::new();
    for (stem, study) in &studies {
        let mut progress = Progress::new(stem);
        let outcome = study.run(&mut |fraction| progress.tell(fraction));
        outcomes.push(outcome.map_err(|error| Failure::Run { title: stem.clone(), error })?);
    }

    let dir = args.out.clone().or_else(|| (!args.json).then(|| PathBuf::from("out")));
    let mut files = Files::default();
    if let Some(dir) = &dir {
        for ((stem, _), outcome) in studies.iter().zip(&outcomes) {
            files.add(dir.join(format!("{stem}.csv")), csv(&outcome.samples));
            files.add(dir.join(format!("{stem}.events.csv")), events_csv(&outcome.events));
            files.add_figure(dir, stem, &outcome_figure(outcome))?;
        }
        let compared = comparison(&titled(&studies, &outcomes));
        if outcomes.len() > 1 && !compared.panels.is_empty() {
            files.add_figure(dir, "comparison", &compared)?;
        }
    }
    let written = files.write()?;

    if args.json {
        let objects: Vec<_> = outcomes.iter().map(Outcome::to_json).collect();
        let json = match objects.as_slice() {
            [one] => one.to_string(),
            many => serde_json::Value::from(many.to_vec()).to_string(),
        };
        return print(&format!("{json}\n"));
    }
    let texts: Vec<String> =
        studies.iter().zip(&outcomes).map(|((_, study), outcome)| summary(study, outcome)).collect();
    let mut text = texts.join("\n");
    text.push_str(&format!("\nwrote {}\n", names(&written)));
    print(&text)
}

/// The stem of a file, with a number if an earlier one has the same.
fn unique_stem(path: &std::path::Path, studies: &[(String, Study)]) -> String {
    let taken: BTreeSet<&str> = studies.iter().map(|(stem, _)| stem.as_str()).collect();
    let plain = stem(path);
    let numbered = (2..).map(|i| format!("{plain}-{i}"));
    std::iter::once(plain.clone())
        .chain(numbered)
        .find(|name| !taken.contains(name.as_str()))
        .unwrap_or(plain)
}

/// Outcomes that all have a title of their own, for a legend.
fn titled(studies: &[(String, Study)], outcomes: &[Outcome]) -> Vec<Outcome> {
    let titles: BTreeSet<&str> = outcomes.iter().map(|outcome| outcome.title.as_str()).collect();
    let is_clear = titles.len() == outcomes.len() && !titles.contains("");
    let name = |(stem, _): &(String, Study), outcome: &Outcome| {
        let title = if is_clear { outcome.title.clone() } else { stem.clone() };
        Outcome { title, ..outcome.clone() }
    };
    studies.iter().zip(outcomes).map(|(study, outcome)| name(study, outcome)).collect()
}
