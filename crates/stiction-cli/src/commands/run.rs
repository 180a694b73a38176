//! `stiction run`: scenarios in, numbers and figures out.

use crate::args::{FigureArgs, RunArgs};
use crate::failure::Failure;
use crate::interrupt;
use crate::output::{Files, misread, names, prepare, print, print_json, read, stem};
use crate::progress::with_advice;
use figure::Figure;
use keyed::Diagnostic;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use stiction::Error;
use stiction_render::{comparison, events_csv, outcome_csv, outcome_figure, summary};
use stiction_study::{Finished, Outcome, Provenance, Study};

pub fn run(args: &RunArgs) -> Result<(), Failure> {
    let budget = args.limits.budget();
    // everything is checked before anything runs
    let mut studies = Vec::new();
    let mut faults = Vec::new();
    for path in &args.files {
        let (name, text) = read(path, &budget)?;
        match Study::read_within(&name, &text, &args.set, budget) {
            Ok(study) => studies.push((unique_stem(path, &studies), study)),
            Err(diagnostics) => faults.extend(misread(path, &text, "system", diagnostics)),
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
    let provenances: Vec<Option<Provenance>> =
        studies.iter().map(|(_, study)| Provenance::new("run", &study.scenario)).collect();
    let begun = begun(args.resume, dir.as_deref(), &studies, &provenances)?;
    let (outcomes, stopped) = computed(&studies, begun);
    let (failure, left) = stopped.map_or((None, None), |(failure, left)| (Some(failure), left));
    if failure.is_some() {
        interrupt::over();
    }
    let (written, trouble) = match &dir {
        Some(dir) => {
            let look = &args.output.figure;
            write((dir, look), &studies, &outcomes, &provenances, left.as_ref())?
        }
        None => (Vec::new(), None),
    };
    report(args, (&studies, &outcomes), &provenances, &written)?;
    failure.or(trouble).map_or_else(|| judged(&studies, &outcomes), Err)
}

/// The ending of the file in which a run that was stopped leaves its points.
const INCOMPLETE: &str = "incomplete.json";

/// The points that runs that were stopped have left, for each study.
fn begun(
    resumes: bool,
    dir: Option<&Path>,
    studies: &[(String, Study)],
    provenances: &[Option<Provenance>],
) -> Result<Vec<Finished>, Failure> {
    let mut begun = Vec::new();
    for ((stem, _), provenance) in studies.iter().zip(provenances) {
        let path =
            dir.map(|dir| dir.join(format!("{stem}.{INCOMPLETE}"))).filter(|path| resumes && path.exists());
        let Some(path) = path else {
            begun.push(Finished::default());
            continue;
        };
        let text = fs::read_to_string(&path).map_err(|error| Failure::read(&path, error))?;
        let refused = |message: String| {
            let message = format!("{} {message}", path.display());
            let hint = Some("remove it, or leave --resume out, to begin anew".into());
            Failure::Input(vec![Diagnostic { key: String::new(), message, place: None, hint }])
        };
        let (hash, finished) =
            Finished::read(&text).map_err(|because| refused(format!("is damaged: {because}")))?;
        if provenance.as_ref().map(|provenance| provenance.hash.as_str()) != Some(&hash) {
            return Err(refused("was begun with another scenario".into()));
        }
        begun.push(finished);
    }
    Ok(begun)
}

/// Why the runs ended early, and the points that the last one has left.
type Stopped = (Failure, Option<Finished>);

/// The outcomes of all studies up to the first that fails or is stopped; of that one the points that are finished.
fn computed(studies: &[(String, Study)], begun: Vec<Finished>) -> (Vec<Outcome>, Option<Stopped>) {
    let mut outcomes = Vec::new();
    for ((stem, study), mut finished) in studies.iter().zip(begun) {
        match with_advice(stem, study.advice(), |progress| study.run_onto(&mut finished, progress)) {
            Ok(outcome) => outcomes.push(outcome),
            Err(error) => {
                let was_stopped = matches!(error, Error::Interrupted { .. });
                let failure = Failure::run(stem.as_str(), error);
                let Some(outcome) = study.unfinished(&finished).filter(|_| was_stopped) else {
                    return (outcomes, Some((failure, None)));
                };
                outcomes.push(outcome);
                return (
                    outcomes,
                    Some((failure.keeping(finished.len(), finished.is_kept()), Some(finished))),
                );
            }
        }
    }
    (outcomes, None)
}

/// Writes the outcomes: numbers first, so that a figure that cannot be drawn loses none. Gives the paths, and what is wrong
/// with a figure. `left` are the points of the last outcome, if it is incomplete.
fn write(
    (dir, look): (&Path, &FigureArgs),
    studies: &[(String, Study)],
    outcomes: &[Outcome],
    provenances: &[Option<Provenance>],
    left: Option<&Finished>,
) -> Result<(Vec<PathBuf>, Option<Failure>), Failure> {
    let (mut numbers, mut figures) = (Files::default(), Files::with_figures(look));
    let mut trouble = None;
    for (i, ((stem, _), outcome)) in studies.iter().zip(outcomes).enumerate() {
        let provenance = provenances[i].as_ref();
        numbers.add(dir.join(format!("{stem}.csv")), outcome_csv(outcome));
        numbers.add(dir.join(format!("{stem}.events.csv")), events_csv(&outcome.events));
        numbers.add_scenario(dir, stem, provenance);
        let left = left.filter(|left| i + 1 == outcomes.len() && left.is_kept());
        if let Some((left, provenance)) = left.zip(provenance) {
            numbers.add(dir.join(format!("{stem}.{INCOMPLETE}")), left.json(&provenance.hash));
        }
        trouble = figures.add_figure_from(dir, stem, outcome_figure(outcome), provenance).err().or(trouble);
    }
    let compared = comparison(&titled(studies, outcomes));
    if outcomes.len() > 1 && !compared.panels.is_empty() {
        let all: Vec<String> =
            provenances.iter().take(outcomes.len()).flatten().map(Provenance::json).collect();
        let note = format!("[{}]", all.join(","));
        trouble = figures.add_figure(dir, "comparison", &Figure { note, ..compared }).err().or(trouble);
    }
    let complete = outcomes.len() - usize::from(left.is_some());
    let written = numbers.and(figures).write()?;
    for (stem, _) in &studies[..complete] {
        // what an earlier run has left is of no use any more
        let _ = fs::remove_file(dir.join(format!("{stem}.{INCOMPLETE}")));
    }
    Ok((written, trouble))
}

/// Prints the outcomes, in words or as JSON.
fn report(
    args: &RunArgs,
    (studies, outcomes): (&[(String, Study)], &[Outcome]),
    provenances: &[Option<Provenance>],
    written: &[PathBuf],
) -> Result<(), Failure> {
    if outcomes.is_empty() {
        return Ok(());
    }
    if args.output.json {
        return match (outcomes, studies) {
            ([one], [_]) => print_json(&one.json_from(provenances[0].as_ref())),
            (many, _) => {
                let each = many.iter().zip(provenances);
                print_json(&each.map(|(one, from)| one.json_from(from.as_ref())).collect::<Vec<_>>())
            }
        };
    }
    let texts: Vec<String> = outcomes.iter().map(summary).collect();
    let mut text = texts.join("\n");
    text.push_str(&format!("\nwrote {}\n", names(written)));
    for path in
        args.files.iter().zip(studies).filter(|(_, (_, study))| study.sweep.is_some()).map(|(path, _)| path)
    {
        text.push_str(&format!("its [sweep] is run by `stiction sweep {}`\n", path.display()));
    }
    print(&text)
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
fn outputs(stem: &str) -> [String; 7] {
    ["csv", "events.csv", "scenario.toml", "svg", "png", "pdf", INCOMPLETE]
        .map(|ending| format!("{stem}.{ending}"))
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
