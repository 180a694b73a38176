//! `stiction rerun`: what a result was made from is run again, and compared with it.

use crate::args::RerunArgs;
use crate::failure::Failure;
use crate::output::print;
use crate::progress::{with_bar, with_rows};
use figure::{Figure, note_of, svg, svg_and_png};
use keyed::Diagnostic;
use serde_json::Value as Json;
use std::fs;
use std::path::{Path, PathBuf};
use stiction_dataset::{CSV, Dataset, DatasetError, DatasetPart, MANIFEST, SweepProgress, SweepRun};
use stiction_render::{events_csv, outcome_csv, outcome_figure};
use stiction_study::budget;
use stiction_study::defaults::DPI;
use stiction_study::{Outcome, Provenance, Study, Sweep, files_hash};

/// Differences that are printed.
const SHOWN: usize = 10;

pub fn run(args: &RerunArgs) -> Result<(), Failure> {
    let path = &args.file;
    let (differences, note) = match dataset_of(path) {
        Some(folder) => again_rows(&folder, args)?,
        None => (again(path, args)?, String::new()),
    };
    let name = path.display();
    if differences.is_empty() {
        return print(&format!("{name}: the same{note}\n"));
    }
    let mut text = format!("{name}: not the same\n");
    differences.iter().take(SHOWN).for_each(|line| text.push_str(&format!("  {line}\n")));
    if differences.len() > SHOWN {
        text.push_str(&format!("  and {} differences more\n", differences.len() - SHOWN));
    }
    print(&text)?;
    Err(Failure::Differs { n: differences.len() })
}

/// The folder of the dataset that a path is, or is in.
fn dataset_of(path: &Path) -> Option<PathBuf> {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or("");
    let is_table = name == "rows.csv" || name == MANIFEST || name.ends_with(".parquet");
    let above = if is_table { path.parent() } else { None };
    let places = [Some(path), above, above.and_then(Path::parent)];
    places.into_iter().flatten().find(|place| place.join(MANIFEST).is_file()).map(Path::to_owned)
}

fn unknown(path: &Path, message: &str, hint: &str) -> Failure {
    let message = format!("{}: {message}", path.display());
    Failure::Input(vec![Diagnostic { key: String::new(), message, place: None, hint: Some(hint.into()) }])
}

/// What is said of inputs whose hash is another.
const CHANGED: &str = "its inputs: the scenario, or a file that it names, was changed since";

const HINT: &str = "results of `stiction run` (CSV, JSON, SVG, PNG) and `stiction sweep` do; a table needs its .scenario.toml";

/// Runs the scenario of a table, an outcome or a figure.
fn again(path: &Path, args: &RerunArgs) -> Result<Vec<String>, Failure> {
    let most = args.limits.budget().memory;
    if fs::metadata(path).is_ok_and(|file| file.len() > most) {
        return Err(Failure::Long { name: path.display().to_string(), most: budget::bytes(most) });
    }
    let bytes = fs::read(path).map_err(|error| Failure::read(path, error))?;
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    let none = || unknown(path, "it does not say where it comes from", HINT);
    if ending == "json" {
        let found: Json = serde_json::from_slice(&bytes).map_err(|_| none())?;
        let list = if let Json::Array(list) = found { list } else { vec![found] };
        if list.is_empty() {
            return Err(unknown(path, "it holds no result, so that nothing can be compared", HINT));
        }
        let mut differences = Vec::new();
        for one in &list {
            let provenance =
                one.get("provenance").cloned().and_then(|json| serde_json::from_value(json).ok());
            let provenance: Provenance = provenance.ok_or_else(none)?;
            let outcome = outcome(path, &provenance, args, &mut differences)?;
            let now = serde_json::to_value(outcome.json_from(Some(&provenance))).unwrap_or_default();
            compared("", one, &now, &mut differences);
        }
        return Ok(differences);
    }
    let provenance = match ending {
        "csv" => {
            let stem = name.trim_end_matches(".csv").trim_end_matches(".events");
            let beside = path.with_file_name(format!("{stem}.scenario.toml"));
            fs::read_to_string(beside).ok().and_then(|text| Provenance::read_toml(&text))
        }
        _ => note_of(&bytes).and_then(|note| serde_json::from_str(&note).ok()),
    };
    let provenance = provenance.ok_or_else(none)?;
    let mut differences = Vec::new();
    let outcome = outcome(path, &provenance, args, &mut differences)?;
    let figure = || Figure { note: provenance.json(), ..outcome_figure(&outcome) };
    let drawn = || svg_and_png(&figure(), DPI).map_err(Failure::Figure);
    differences.extend(match ending {
        "csv" if name.ends_with(".events.csv") => cells(&bytes, &events_csv(&outcome.events)),
        "csv" => cells(&bytes, &outcome_csv(&outcome)),
        // Python writes letters as letters
        "svg" => picture(drawn()?.0.as_bytes() == bytes || svg(&figure()).as_bytes() == bytes),
        _ => picture(drawn()?.1 == bytes),
    });
    Ok(differences)
}

fn picture(is_same: bool) -> Vec<String> {
    if is_same {
        Vec::new()
    } else {
        vec!["the picture is drawn from other numbers, or in another way".into()]
    }
}

/// The outcome of the scenario that a file was made from; a difference if that is not what its hash was made of.
fn outcome(
    path: &Path,
    provenance: &Provenance,
    args: &RerunArgs,
    differences: &mut Vec<String>,
) -> Result<Outcome, Failure> {
    if provenance.command != "run" {
        let message = format!("it was made by `stiction {}`", provenance.command);
        return Err(unknown(
            path,
            &message,
            "results of `stiction run` and `stiction sweep` can be run again",
        ));
    }
    origin(provenance)?;
    let name = path.display().to_string();
    let study = Study::read_within(&name, &provenance.scenario, &[], args.limits.budget());
    let study = study.map_err(Failure::Input)?;
    if !provenance.is_of(&study.scenario) {
        differences.push(CHANGED.into());
    }
    with_bar(&name, |progress| study.run(progress)).map_err(|error| Failure::run(name.clone(), error))
}

/// Says what is not as it was when the file was made.
fn origin(provenance: &Provenance) -> Result<(), Failure> {
    let now = Provenance::of("", String::new(), String::new());
    if now.stiction != provenance.stiction || now.commit != provenance.commit {
        let version = |of: &Provenance| {
            let commit = of.commit.as_ref().map(|commit| format!(" ({commit})")).unwrap_or_default();
            format!("{}{commit}", of.stiction)
        };
        print(&format!("made by stiction {}, run again by {}\n", version(provenance), version(&now)))?;
    }
    Ok(())
}

/// What two values in JSON differ in.
fn compared(place: &str, was: &Json, now: &Json, found: &mut Vec<String>) {
    match (was, now) {
        (Json::Object(a), Json::Object(b)) => {
            for key in a.keys().chain(b.keys().filter(|key| !a.contains_key(*key))) {
                let inner = if place.is_empty() { key.clone() } else { format!("{place}.{key}") };
                compared(&inner, a.get(key).unwrap_or(&Json::Null), b.get(key).unwrap_or(&Json::Null), found);
            }
        }
        (Json::Array(a), Json::Array(b)) if a.len() == b.len() => {
            for (i, (a, b)) in a.iter().zip(b).enumerate() {
                // facts are known by their names
                let name = a.get("name").and_then(Json::as_str).map_or_else(|| i.to_string(), str::to_owned);
                compared(&format!("{place}.{name}"), a, b, found);
            }
        }
        (a, b) if a == b => {}
        (a, b) => found.push(format!("{place}: was {a}, is {b}")),
    }
}

/// What two tables differ in.
fn cells(was: &[u8], now: &str) -> Vec<String> {
    let was = String::from_utf8_lossy(was).into_owned();
    if was == now {
        return Vec::new();
    }
    let (n_was, n_now) = (was.lines().count(), now.lines().count());
    let heads: Vec<&str> = now.lines().next().unwrap_or("").split(',').collect();
    let mut found = Vec::new();
    if n_was != n_now {
        found.push(format!("had {n_was} lines, has {n_now}"));
    }
    for (row, (a, b)) in was.lines().zip(now.lines()).enumerate() {
        for (k, (a, b)) in a.split(',').zip(b.split(',')).enumerate().filter(|(_, (a, b))| a != b) {
            found.push(format!("line {}, {}: was {a}, is {b}", row + 1, heads.get(k).unwrap_or(&"")));
        }
    }
    if found.is_empty() {
        found.push("not the same bytes".into());
    }
    found
}

/// Computes the rows of a dataset again, part by part. Gives what differs, and how much was compared if that is not all.
fn again_rows(folder: &Path, args: &RerunArgs) -> Result<(Vec<String>, String), Failure> {
    let dataset = Dataset::open(folder).map_err(Failure::dataset)?;
    let manifest = &dataset.manifest;
    if dataset.done == 0 {
        return Err(unknown(folder, "it holds no rows, so that nothing can be compared", HINT));
    }
    origin(&manifest.provenance("sweep"))?;
    let name = folder.join(MANIFEST).display().to_string();
    let study = Study::read_within(&name, &manifest.scenario, &[], args.limits.budget());
    let Some(sweep) = study.map_err(Failure::Input)?.sweep else {
        return Err(unknown(folder, "its scenario has no sweep", HINT));
    };
    let mut differences = Vec::new();
    if files_hash(sweep.scenario()) != manifest.files {
        differences.push(CHANGED.into());
    }
    let rows_per_part = Some(manifest.rows_per_part);
    let run = SweepRun { samples: manifest.samples, rows_per_part, ..SweepRun::default() };
    let work =
        |progress: &mut (dyn FnMut(SweepProgress) -> bool + Send)| rows(&run, &sweep, &dataset, progress);
    differences.extend(with_rows(&folder.display().to_string(), work).map_err(Failure::dataset)?);
    if let Ok(table) = fs::read(folder.join(CSV)) {
        let rows = dataset.csv().map_err(Failure::dataset)?;
        differences.extend(cells(&table, &rows).into_iter().map(|line| format!("{CSV}: {line}")));
    }
    let note = match dataset.is_complete() {
        true => String::new(),
        false => format!(", {} of {} rows are there", dataset.done, manifest.rows),
    };
    Ok((differences, note))
}

fn rows(
    run: &SweepRun,
    sweep: &Sweep,
    dataset: &Dataset,
    progress: &mut (dyn FnMut(SweepProgress) -> bool + Send),
) -> Result<Vec<String>, DatasetError> {
    let mut differences = Vec::new();
    let mut computed = 0;
    for k in &dataset.parts {
        let of_all = |done: SweepProgress| SweepProgress {
            computed: computed + done.computed,
            rows: dataset.done,
            ..done
        };
        for (name, bytes) in run.part(sweep, *k, &mut |done| progress(of_all(done)))? {
            let path = dataset.folder.join(&name);
            if fs::read(&path).ok().as_deref() == Some(&bytes) {
                continue;
            }
            let wrong = |error| DatasetError::Damaged { path: path.clone(), because: format!("{error}") };
            let (was, now) =
                (DatasetPart::open(&path).map_err(wrong)?, DatasetPart::of(bytes).map_err(wrong)?);
            let before = differences.len();
            for column in &dataset.manifest.columns {
                let lists =
                    (was.numbers(&column.name).map_err(wrong)?, now.numbers(&column.name).map_err(wrong)?);
                let (Some(a), Some(b)) = lists else { continue };
                let first = dataset.manifest.range(*k).start;
                let cells = (first..).zip(a.iter().zip(&b)).filter(|(_, (a, b))| a.to_bits() != b.to_bits());
                differences
                    .extend(cells.map(|(i, (a, b))| format!("row {i}, {}: was {a}, is {b}", column.name)));
            }
            if differences.len() == before {
                differences.push(format!("{name}: other bytes"));
            }
        }
        let range = dataset.manifest.range(*k);
        computed += range.end - range.start;
    }
    Ok(differences)
}
