//! `stiction tune`: the coarsest size of each law whose error stays below a tolerance.

use super::compare::option;
use crate::args::TuneArgs;
use crate::failure::Failure;
use crate::output::{print, print_json, read, stem};
use crate::progress::with_bar;
use stiction_render::tune_text;
use stiction_study::Study;
use stiction_study::compare::{
    Criterion, ErrorRow, Truth, check_tolerance, regularised_laws, require_set_valued_transient,
};

pub fn run(args: &TuneArgs) -> Result<(), Failure> {
    let budget = args.limits.budget();
    let (name, text) = read(&args.source.file, &budget)?;
    let study = Study::read_within(&name, &text, &args.source.set, budget).map_err(Failure::Input)?;
    let criterion = Criterion::named(&args.criterion).map_err(option)?;
    check_tolerance(args.tolerance).map_err(option)?;
    let motion = require_set_valued_transient(&study).map_err(Failure::Input)?;
    let laws = regularised_laws(&args.source.laws, motion).map_err(option)?;
    let (truth, found) = with_bar("tune", |progress| {
        let truth = Truth::new(motion, &mut progress.at(0.0))
            .map_err(|error| Failure::run(stem(&args.source.file), error))?;
        let mut found = Vec::new();
        let n = laws.len() as f64;
        for (i, law) in laws.iter().enumerate() {
            let part = &mut progress.part(i as f64 / n, (i + 1) as f64 / n);
            let row = truth.coarsest(law, criterion, args.tolerance, part);
            found.push((*law, row.map_err(|error| Failure::run(*law, error))?));
        }
        Ok((truth, found))
    })?;
    if args.json {
        let row = |(law, row): &(&str, Option<ErrorRow>)| serde_json::json!({ "law": law, "coarsest": row });
        return print_json(&found.iter().map(row).collect::<Vec<_>>());
    }
    print(&tune_text(&study.scenario.title, &truth, criterion, args.tolerance, &found))?;
    if found.iter().all(|(_, row)| row.is_none()) { Err(Failure::Untuned) } else { Ok(()) }
}
