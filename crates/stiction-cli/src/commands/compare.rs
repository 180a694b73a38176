//! `stiction compare`: how wrong is each regularisation, for this system?

use crate::args::CompareArgs;
use crate::failure::Failure;
use crate::output::{Files, names, prepare, print, print_json, read, stem};
use crate::progress::with_bar;
use keyed::Diagnostic;
use std::time::Instant;
use stiction_render::{compare_csv, compare_text, convergence};
use stiction_study::compare::{Sizes, Truth, regularised_laws, require_set_valued_transient};
use stiction_study::{Provenance, Study};

pub fn run(args: &CompareArgs) -> Result<(), Failure> {
    let budget = args.limits.budget();
    let (name, text) = read(&args.source.file, &budget)?;
    let study = Study::read_within(&name, &text, &args.source.set, budget).map_err(Failure::Input)?;
    let sizes = Sizes { widths: args.widths.clone(), stiffnesses: args.stiffnesses.clone() };
    sizes.check().map_err(option)?;
    let motion = require_set_valued_transient(&study).map_err(Failure::Input)?;
    regularised_laws(&args.source.laws, motion).map_err(option)?;
    let dir = args.output.dir(false);
    dir.as_deref().map_or(Ok(()), prepare)?;
    let (truth, rows, seconds) = with_bar("compare", |progress| {
        let truth = Truth::new(motion, &mut progress.at(0.0))
            .map_err(|error| Failure::run(stem(&args.source.file), error))?;
        let pairs = truth.pairs(&args.source.laws, &sizes).map_err(option)?;
        let (mut rows, mut seconds) = (Vec::new(), Vec::new());
        for (i, (law, size)) in pairs.iter().enumerate() {
            let start = Instant::now();
            let at = |i: usize| i as f64 / pairs.len() as f64;
            let row = truth
                .row(law, *size, &mut progress.part(at(i), at(i + 1)))
                .map_err(|error| Failure::run(format!("{law}, size {size}"), error))?;
            rows.push(row);
            seconds.push(start.elapsed().as_secs_f64());
        }
        Ok((truth, rows, seconds))
    })?;

    let mut written = Vec::new();
    if let Some(dir) = &dir {
        let mut files = Files::with_figures(&args.output.figure);
        let stem = format!("{}-compare", stem(&args.source.file));
        files.add(dir.join(format!("{stem}.csv")), compare_csv(&rows));
        let provenance = Provenance::new("compare", &study.scenario);
        files.add_figure_from(dir, &stem, convergence(&study.scenario.title, &rows), provenance.as_ref())?;
        files.add_scenario(dir, &stem, provenance.as_ref());
        written = files.write()?;
    }
    if args.output.json {
        let provenance = Provenance::new("compare", &study.scenario);
        let object = serde_json::json!({ "speed": truth.speed(), "length": truth.length(), "rows": rows, "provenance": provenance });
        return print_json(&object);
    }
    let table = compare_text(&study.scenario.title, &truth, &rows, &seconds);
    print(&format!("{table}\nwrote {}\n", names(&written)))
}

/// What is wrong with an argument, by the name of its option.
pub fn option(faults: Vec<Diagnostic>) -> Failure {
    Failure::Input(
        faults.into_iter().map(|fault| Diagnostic { key: format!("--{}", fault.key), ..fault }).collect(),
    )
}
