//! `stiction reproduce`: the papers' figures, and their printed numbers beside ours.

use crate::args::Reproduce;
use crate::commands::reproduce_patches;
use crate::failure::Failure;
use crate::output::{Files, names, print};
use crate::progress::Progress;
use crate::summary::short;
use std::path::Path;
use stiction_render::{Zoom, behaviours, csv, outcome_figure};
use stiction_study::papers::{CASES, Case};
use stiction_study::patch_papers::PATCH_CASES;
use stiction_study::{Diagnostic, Outcome, closest};

pub fn run(args: &Reproduce) -> Result<(), Failure> {
    let wanted: Vec<(&str, &str)> =
        figures().into_iter().filter(|(paper, figure)| is_wanted(args, paper, figure)).collect();
    if wanted.is_empty() {
        return Err(Failure::Input(vec![unknown(args)]));
    }
    let mut n_off = 0;
    let mut papers: Vec<&str> = wanted.iter().map(|(paper, _)| *paper).collect();
    papers.dedup();
    for paper in papers {
        let dir = args.out.join(paper);
        if let Some(case) = PATCH_CASES.iter().find(|case| case.paper == paper) {
            n_off += reproduce_patches::run(case, args.figure.as_deref(), &dir)?;
            continue;
        }
        let cases: Vec<&Case> =
            CASES.iter().filter(|case| case.paper == paper && is_wanted(args, paper, case.figure)).collect();
        n_off += if paper == "paper-e" { paper_e(&cases, &dir)? } else { nine_panels(&cases, &dir)? };
    }
    if n_off > 0 { Err(Failure::Differs { n: n_off }) } else { Ok(()) }
}

/// Papers and their figures, in order.
fn figures() -> Vec<(&'static str, &'static str)> {
    let patches = PATCH_CASES.iter().flat_map(|case| case.figures.iter().map(|figure| (case.paper, *figure)));
    let mut list: Vec<_> = CASES.iter().map(|case| (case.paper, case.figure)).chain(patches).collect();
    // the order of the figures of a paper stays
    list.sort_by_key(|(paper, _)| *paper);
    list
}

fn is_wanted(args: &Reproduce, paper: &str, figure: &str) -> bool {
    args.paper.as_ref().is_none_or(|wanted| wanted == paper)
        && args.figure.as_ref().is_none_or(|wanted| wanted == figure)
}

fn unknown(args: &Reproduce) -> Diagnostic {
    let paper = args.paper.as_deref().unwrap_or("");
    let all = figures();
    let of_paper: Vec<&str> = all.iter().filter(|(of, _)| *of == paper).map(|(_, figure)| *figure).collect();
    let (word, known) = match (&args.figure, of_paper.is_empty()) {
        (Some(figure), false) => (figure.as_str(), of_paper),
        _ => (paper, all.iter().map(|(paper, _)| *paper).collect()),
    };
    let mut list = known.clone();
    list.dedup();
    let hint = closest(word, known)
        .map_or_else(|| format!("one of: {}", list.join(", ")), |w| format!("did you mean {w}?"));
    Diagnostic {
        key: String::new(),
        message: format!("nothing is called {word}"),
        place: None,
        hint: Some(hint),
    }
}

fn run_case(case: &Case) -> Result<Outcome, Failure> {
    let mut progress = Progress::new(case.file);
    case.run(&mut |fraction| progress.tell(fraction))
        .map_err(|error| Failure::Run { title: case.file.into(), error })
}

/// Papers A and B: a figure of nine panels for each case, and the table of printed numbers.
fn nine_panels(cases: &[&Case], dir: &Path) -> Result<usize, Failure> {
    let mut n_off = 0;
    for case in cases {
        let outcome = run_case(case)?;
        let mut files = Files::default();
        files.add(dir.join(format!("{}.csv", case.figure)), csv(&outcome.samples));
        files.add(dir.join(format!("{}.toml", case.figure)), case.scenario);
        files.add_figure(dir, case.figure, &outcome_figure(&outcome))?;
        let mut text = format!("{} {}: {}\n", case.paper, case.figure, outcome.title);
        if !case.printed.is_empty() {
            text.push_str(&format!("  {:<20}{:>12}{:>16}{:>14}\n", "", "printed", "computed", "difference"));
        }
        for printed in case.printed {
            let computed = outcome.fact(printed.fact).unwrap_or(f64::NAN);
            let difference = computed - printed.value;
            // a hair of rounding on top of half a unit of the last printed digit
            let agrees = difference.abs() <= printed.allows * (1.0 + 1e-9);
            n_off += usize::from(!agrees);
            let name = printed.fact.replace('_', " ");
            let verdict = if agrees { "" } else { "  off" };
            text.push_str(&format!(
                "  {name:<20}{:>12.4}{computed:>16.8}{difference:>14.1e}{verdict}\n",
                printed.value
            ));
        }
        if let Some(drift) = outcome.fact("drift") {
            text.push_str(&format!("  the carried force drifts off the law by up to {} N\n", short(drift)));
        }
        let written = files.write()?;
        text.push_str(&format!("  wrote {}\n\n", names(&written)));
        print(&text)?;
    }
    Ok(n_off)
}

/// Where the free body of paper E rests under exact Coulomb friction (m), and from when (s).
const REST: (f64, f64) = (-0.5, 4.0);
/// A body that moves less than this in 96 s rests (m).
const STILL: f64 = 1e-12;

/// Paper E: chatter, creep and rest side by side.
fn paper_e(cases: &[&Case], dir: &Path) -> Result<usize, Failure> {
    let mut n_off = 0;
    for figure in ["free", "driven"] {
        let group: Vec<&&Case> = cases.iter().filter(|case| case.figure == figure).collect();
        if group.is_empty() {
            continue;
        }
        let outcomes: Vec<Outcome> = group.iter().map(|case| run_case(case)).collect::<Result<_, _>>()?;
        let drawn = if figure == "free" {
            let all = Zoom { t: [0.0, 20.0], position: Some([-0.8, 2.6]) };
            let creep = Zoom { t: [0.0, 100.0], position: Some([-0.55, 0.05]) };
            behaviours(&outcomes, &[all, creep], [3.1, 3.4], Some(REST.0))
        } else {
            let last = outcomes[0].column("t").and_then(|t| t.values.last().copied()).unwrap_or(0.0);
            let (all, end) = (Zoom { t: [0.0, last], position: None }, [0.75 * last, last]);
            behaviours(&outcomes, &[all, Zoom { t: end, position: None }], end, None)
        };
        let mut files = Files::default();
        for (case, outcome) in group.iter().zip(&outcomes) {
            let name = case.file.rsplit('/').next().unwrap_or(case.file).trim_end_matches(".toml");
            files.add(dir.join(format!("{name}.csv")), csv(&outcome.samples));
            files.add(dir.join(format!("{name}.toml")), case.scenario);
        }
        files.add_figure(dir, figure, &drawn)?;
        let mut text = format!("paper-e {figure}\n");
        if figure == "free" {
            text.push_str(&format!(
                "  {:<18}{:>14}{:>14}{:>16}  behaviour (exact: rest at x = −0.5)\n",
                "", "x(100 s)", "moved", "largest |v|"
            ));
            for outcome in &outcomes {
                let row = after_stop(outcome);
                text.push_str(&format!(
                    "  {:<18}{:>14.6}{:>14.1e}{:>16.1e}  {}\n",
                    outcome.title,
                    row.last,
                    row.moved,
                    row.speed,
                    row.behaviour()
                ));
                n_off += usize::from(outcome.title == "Demand-aware" && row.behaviour() != "rests");
            }
            text.push_str("  moved, |v|: from t = 4 s to 100 s, when the body should stand still\n");
        }
        let written = files.write()?;
        text.push_str(&format!("  wrote {}\n\n", names(&written)));
        print(&text)?;
    }
    Ok(n_off)
}

/// What a body does after it should have stopped.
struct AfterStop {
    last: f64,
    moved: f64,
    speed: f64,
    flips: usize,
}

fn after_stop(outcome: &Outcome) -> AfterStop {
    let values = |name: &str| outcome.column(name).map_or(&[][..], |column| column.values.as_slice());
    let (t, x, v) = (values("t"), values("position"), values("velocity"));
    let from = t.iter().position(|t| *t >= REST.1).unwrap_or(0);
    let (x, v) = (&x[from..], &v[from..]);
    let largest = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let smallest = x.iter().copied().fold(f64::INFINITY, f64::min);
    AfterStop {
        last: x.last().copied().unwrap_or(f64::NAN),
        moved: largest - smallest,
        speed: v.iter().map(|v| v.abs()).fold(0.0, f64::max),
        flips: v.windows(3).filter(|w| (w[1] - w[0]) * (w[2] - w[1]) < 0.0).count(),
    }
}

impl AfterStop {
    fn behaviour(&self) -> &'static str {
        if self.moved < STILL {
            "rests"
        } else if self.flips > 1000 {
            "chatters and creeps"
        } else {
            "creeps"
        }
    }
}
