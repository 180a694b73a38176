//! `stiction reproduce`: the papers' figures, and their printed numbers beside ours.

use crate::args::ReproduceArgs;
use crate::failure::Failure;
use crate::output::{Files, names, prepare, print};
use crate::progress::with_bar;
use stiction_render::{csv, drawing_figure, section_text};
use stiction_study::paper::{ReportSection, wanted};
use stiction_study::{Provenance, sha256};

pub fn run(args: &ReproduceArgs) -> Result<(), Failure> {
    let papers = wanted(args.paper.as_deref(), args.figure.as_deref())
        .map_err(|unknown| Failure::Input(vec![*unknown]))?;
    prepare(&args.out)?;
    let mut n_off = 0;
    for (paper, figures) in papers {
        let is_wanted = |name: &str| figures.contains(&name);
        let sections = with_bar(paper.name(), |progress| paper.reproduce(&is_wanted, progress))
            .map_err(|error| Failure::run(paper.name(), error))?;
        let dir = args.out.join(paper.name());
        for section in &sections {
            n_off += section.checks().iter().filter(|check| !check.agrees).count();
            let written = files(section, &dir)?.write()?;
            print(&format!("{}  wrote {}\n\n", section_text(section), names(&written)))?;
        }
    }
    if n_off > 0 { Err(Failure::Differs { n: n_off }) } else { Ok(()) }
}

/// Data, cases and figures of a section.
fn files(section: &ReportSection, dir: &std::path::Path) -> Result<Files, Failure> {
    let mut files = Files::default();
    for (name, columns) in &section.data {
        files.add(dir.join(format!("{name}.csv")), csv(columns));
    }
    for case in &section.cases {
        files.add(dir.join(format!("{}.toml", case.stem())), case.text);
    }
    // the cases lie beside the tables
    let cases: String = section.cases.iter().map(|case| case.text).collect();
    let hash = sha256(cases.as_bytes());
    let from = Provenance::of(&format!("reproduce {}", section.name), cases, hash);
    for (name, drawing) in &section.figures {
        files.add_figure_from(dir, name, drawing_figure(drawing), Some(&from))?;
    }
    Ok(files)
}
