//! `stiction run`: scenarios in, numbers and figures out.

use crate::args::RunArgs;
use crate::failure::Failure;
use crate::output::{Files, names, prepare, print, print_json, read, stem};
use crate::progress::with_advice;
use figure::Figure;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use stiction_render::{comparison, csv, events_csv, outcome_figure, summary};
use stiction_study::{Outcome, Provenance, Study};

pub fn run(args: &RunArgs) -> Result<(), Failure> {
    let budget = args.limits.budget();
    // everything is checked before anything runs
    let mut studies = Vec::new();
    let mut faults = Vec::new();
    for path in &args.files {
        let (name, text) = read(path, &budget)?;
        match Study::read_within(&name, &text, &args.set, budget) {
            Ok(study) => studies.push((unique_stem(path, &studies), study)),
            Err(diagnostics) => faults.extend(diagnostics),
        }
    }
    if !faults.is_empty() {
        return Err(Failure::Input(faults));
    }
    let dir = args.output.dir(false);
    if let Some(dir) = &dir {
        check_names(dir, &args.files, &studies)?;
        prepare(dir)?;
    }
    let mut outcomes = Vec::new();
    for (stem, study) in &studies {
        let outcome = with_advice(stem, study.advice(), |progress| study.run(progress));
        outcomes.push(outcome.map_err(|error| Failure::run(stem.as_str(), error))?);
    }

    let provenances: Vec<Option<Provenance>> =
        studies.iter().map(|(_, study)| Provenance::new("run", &study.scenario)).collect();
    let mut files = Files::default();
    if let Some(dir) = &dir {
        for (((stem, _), outcome), provenance) in studies.iter().zip(&outcomes).zip(&provenances) {
            files.add(dir.join(format!("{stem}.csv")), csv(&outcome.samples));
            files.add(dir.join(format!("{stem}.events.csv")), events_csv(&outcome.events));
            files.add_scenario(dir, stem, provenance.as_ref());
            files.add_figure_from(dir, stem, outcome_figure(outcome), provenance.as_ref())?;
        }
        let compared = comparison(&titled(&studies, &outcomes));
        if outcomes.len() > 1 && !compared.panels.is_empty() {
            let all: Vec<String> = provenances.iter().flatten().map(Provenance::json).collect();
            let note = format!("[{}]", all.join(","));
            files.add_figure(dir, "comparison", &Figure { note, ..compared })?;
        }
    }
    let written = files.write()?;

    if args.output.json {
        match outcomes.as_slice() {
            [one] => print_json(&one.json_from(provenances[0].as_ref()))?,
            many => {
                let each = many.iter().zip(&provenances);
                print_json(&each.map(|(one, from)| one.json_from(from.as_ref())).collect::<Vec<_>>())?;
            }
        }
        return judged(&studies, &outcomes);
    }
    let texts: Vec<String> = outcomes.iter().map(summary).collect();
    let mut text = texts.join("\n");
    text.push_str(&format!("\nwrote {}\n", names(&written)));
    for path in
        args.files.iter().zip(&studies).filter(|(_, (_, study))| study.sweep.is_some()).map(|(path, _)| path)
    {
        text.push_str(&format!("its [sweep] is run by `stiction sweep {}`\n", path.display()));
    }
    print(&text)?;
    judged(&studies, &outcomes)
}

/// Whether all runs are what was asked for.
fn judged(studies: &[(String, Study)], outcomes: &[Outcome]) -> Result<(), Failure> {
    let failures = |((stem, _), outcome): (&(String, Study), &Outcome)| {
        let failed = outcome.warnings.iter().filter(|warning| warning.is_failure);
        failed.map(|warning| (stem.clone(), warning.message.clone())).collect::<Vec<_>>()
    };
    let wrong: Vec<_> = studies.iter().zip(outcomes).flat_map(failures).collect();
    if wrong.is_empty() { Ok(()) } else { Err(Failure::Wrong(wrong)) }
}

/// Files that belong to the scenario called `stem`.
fn outputs(stem: &str) -> [String; 5] {
    ["csv", "events.csv", "scenario.toml", "svg", "png"].map(|ending| format!("{stem}.{ending}"))
}

/// No two scenarios may write a file of the same name.
fn check_names(dir: &Path, files: &[PathBuf], studies: &[(String, Study)]) -> Result<(), Failure> {
    let mut taken: BTreeMap<String, &Path> = BTreeMap::new();
    if studies.len() > 1 {
        taken.extend(outputs("comparison").map(|name| (name, Path::new("the comparison"))));
    }
    for (path, (stem, _)) in files.iter().zip(studies) {
        for name in outputs(stem) {
            if let Some(other) = taken.insert(name.clone(), path) {
                let sources = Some([other.to_owned(), path.clone()]);
                return Err(Failure::Shared { path: dir.join(name), sources });
            }
        }
    }
    Ok(())
}

/// The stem of a file, with a number if an earlier one has the same.
fn unique_stem(path: &Path, studies: &[(String, Study)]) -> String {
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
