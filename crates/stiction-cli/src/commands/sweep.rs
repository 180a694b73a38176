//! `stiction sweep`: a scenario at many values of some of its numbers, into a dataset.

use super::info;
use crate::dataset_args::{DrawChoice, SweepArgs};
use crate::failure::Failure;
use crate::output::{print, print_json, read, stem};
use crate::progress::with_rows;
use keyed::{Diagnostic, Document, Place};
use std::path::{Path, PathBuf};
use stiction_dataset::{SweepProgress, SweepRun, refine};
use stiction_study::sweep::{AxisTable, SweepTable, axis_of, put_axes};
use stiction_study::{DrawKind, Study, Sweep, assign};

pub fn run(args: &SweepArgs) -> Result<(), Failure> {
    let sweep = resolved(args)?;
    let folder = args.out.clone().unwrap_or_else(|| PathBuf::from("out").join(stem(&args.file)));
    let run = SweepRun {
        resume: args.resume,
        shard: args.shard,
        threads: args.threads.map(usize::from),
        samples: args.samples,
        rows_per_part: args.rows_per_part,
    };
    let name = folder.display().to_string();
    let dataset =
        with_rows(&name, |progress| run.run(&sweep, &folder, progress)).map_err(Failure::dataset)?;
    let boundary = match &args.refine {
        Some(fact) => {
            let threads = args.threads.map(usize::from);
            let work = |progress: &mut (dyn FnMut(SweepProgress) -> bool + Send)| {
                refine(&sweep, &dataset, fact, args.tolerance, threads, progress)
            };
            let (path, found) = with_rows(&name, work).map_err(Failure::dataset)?;
            format!("{} changes in {} places: {}\n", fact, found.len(), path.display())
        }
        None => String::new(),
    };
    if args.json {
        print_json(&dataset.manifest)?;
    } else {
        print(&(info::summary(&dataset)? + &boundary))?;
    }
    if dataset.done > 0 && dataset.failed == dataset.done {
        let message = format!("none of the {} points has a result", dataset.done);
        return Err(Failure::Wrong(vec![(name, message)]));
    }
    Ok(())
}

/// The sweep of the scenario, with the axes of the command line.
fn resolved(args: &SweepArgs) -> Result<Sweep, Failure> {
    let budget = args.limits.budget();
    let (name, text) = read(&args.file, &budget)?;
    budget.check_file(&name, &text).map_err(Failure::Input)?;
    let mut document = keyed::parsed(&name, &text, &args.set, &assign).map_err(Failure::Input)?;
    put(args, &mut document)?;
    let study = Study::within(document, budget).map_err(Failure::Input)?;
    study.sweep.ok_or_else(|| {
        let hint = "give --over, as in --over mu=0:1:11, or a table [sweep] in the scenario";
        let message = format!("{}: nothing varies", Path::new(&name).display());
        Failure::Input(vec![Diagnostic { key: String::new(), message, place: None, hint: Some(hint.into()) }])
    })
}

fn put(args: &SweepArgs, document: &mut Document) -> Result<(), Failure> {
    let mut faults = Vec::new();
    let mut over: Vec<(AxisTable, String)> = Vec::new();
    for text in &args.over {
        match axis_of(text) {
            Ok(axis) => over.push((axis, format!("--over {text}"))),
            Err(message) => {
                let place = Some(Place { source: "--over".into(), line: None, text: text.clone() });
                faults.push(Diagnostic { key: String::new(), message, place, hint: None });
            }
        }
    }
    let draw = args.drawn.draw.map(|draw| match draw {
        DrawChoice::Random => DrawKind::Random,
        DrawChoice::LatinHypercube => DrawKind::LatinHypercube,
        DrawChoice::Sobol => DrawKind::Sobol,
    });
    let groups =
        args.together.iter().map(|group| group.split(',').map(|key| key.trim().to_owned()).collect());
    let rest = SweepTable {
        over: Vec::new(),
        together: groups.collect(),
        draw,
        points: args.drawn.points,
        seed: args.drawn.seed.unwrap_or(0),
    };
    if let Err(message) = put_axes(document, &over, &rest) {
        faults.push(Diagnostic { key: String::new(), message, place: None, hint: None });
    }
    if faults.is_empty() { Ok(()) } else { Err(Failure::Input(faults)) }
}
