//! Paper E: what friction models do with a body that should stand still. It chatters, creeps, or rests.

use super::{Case, Check, CheckTable, Drawing, Paper, ReportSection, Reproduced, case};
use crate::facts::ColumnKind;
use crate::outcome::Outcome;
use stiction::Progress;

pub(super) struct PaperE;

/// Where the free body rests under exact Coulomb friction (m), and from when (s).
const REST: (f64, f64) = (-0.5, 4.0);
/// A body that moves less than this in 96 s rests (m).
const STILL: f64 = 1e-12;
/// A velocity that turns back more often chatters.
const CHATTER: usize = 1000;
/// The case whose law claims rest.
const CLAIMS_REST: &str = "paper-e/quinn.toml";

/// A part of the time axis that is shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Zoom {
    /// First and last time (s).
    pub t: [f64; 2],
    /// Smallest and largest position, by default those of the data (m).
    pub position: Option<[f64; 2]>,
}

/// What a body does after it should have stopped.
#[derive(Clone, Debug, PartialEq)]
pub struct AfterStop {
    /// Name of the model.
    pub title: String,
    /// Last position (m).
    pub last: f64,
    /// How far it moves from 4 s to 100 s (m).
    pub moved: f64,
    /// Its largest speed meanwhile (m/s).
    pub speed: f64,
    /// How often its velocity turns back meanwhile.
    pub flips: usize,
    /// Whether its law claims that it rests.
    pub claims_rest: bool,
}

impl AfterStop {
    fn of(case: &Case, outcome: &Outcome) -> Self {
        let values = |kind: ColumnKind| {
            let column = outcome.samples.iter().find(|column| column.kind == kind);
            column.map_or(&[][..], |column| column.values.as_slice())
        };
        let (t, x, v) =
            (values(ColumnKind::Time), values(ColumnKind::Position), values(ColumnKind::Velocity));
        let from = t.iter().position(|t| *t >= REST.1).unwrap_or(0);
        let (x, v) = (&x[from..], &v[from..]);
        let largest = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let smallest = x.iter().copied().fold(f64::INFINITY, f64::min);
        Self {
            title: outcome.title.clone(),
            last: x.last().copied().unwrap_or(f64::NAN),
            moved: largest - smallest,
            speed: v.iter().map(|v| v.abs()).fold(0.0, f64::max),
            flips: v.windows(3).filter(|w| (w[1] - w[0]) * (w[2] - w[1]) < 0.0).count(),
            claims_rest: case.file == CLAIMS_REST,
        }
    }

    /// What it does, in words.
    pub fn behaviour(&self) -> &'static str {
        if self.moved < STILL {
            "rests"
        } else if self.flips > CHATTER {
            "chatters and creeps"
        } else {
            "creeps"
        }
    }

    /// Whether a law that claims rest keeps its word.
    pub(super) fn check(&self) -> Option<Check> {
        self.claims_rest.then(|| Check {
            name: format!("{}: moved at rest (m)", self.title),
            printed: None,
            expected: 0.0,
            found: self.moved,
            agrees: self.moved < STILL,
        })
    }
}

impl Paper for PaperE {
    fn name(&self) -> &'static str {
        "paper-e"
    }

    fn cases(&self) -> &'static [Case] {
        const {
            &[
                case!("free", "paper-e/sign-coulomb.toml", false, &[]),
                case!("free", "paper-e/linear.toml", false, &[]),
                case!("free", "paper-e/quinn.toml", false, &[]),
                case!("driven", "paper-e/driven-sign-coulomb.toml", false, &[]),
                case!("driven", "paper-e/driven-linear.toml", false, &[]),
                case!("driven", "paper-e/driven-quinn.toml", false, &[]),
            ]
        }
    }

    fn figures(&self) -> &'static [&'static str] {
        &["free", "driven"]
    }

    fn gallery(&self) -> &'static [&'static str] {
        &["free"]
    }

    fn reproduce(&self, is_wanted: &dyn Fn(&str) -> bool, progress: &mut Progress) -> Reproduced {
        let mut sections = Vec::new();
        let figures: Vec<&str> = self.figures().iter().copied().filter(|name| is_wanted(name)).collect();
        let total = self.cases().iter().filter(|case| figures.contains(&case.figure)).count() as f64;
        let mut done = 0.0;
        for figure in figures {
            let title = if figure == "free" { "Chatter, creep and rest" } else { "The same, driven" };
            let mut section = ReportSection::new(format!("{} {figure}", self.name()), title);
            let mut outcomes = Vec::new();
            for case in self.cases().iter().filter(|case| case.figure == figure) {
                let outcome = case.run(&mut progress.part(done / total, (done + 1.0) / total))?;
                section.data.push((case.stem(), outcome.samples.clone()));
                section.cases.push(*case);
                outcomes.push(outcome);
                done += 1.0;
            }
            let drawing = if figure == "free" {
                let rows = section.cases.iter().zip(&outcomes).map(|(c, o)| AfterStop::of(c, o));
                section.tables.push(CheckTable::Rest(rows.collect()));
                let note = "moved, |v|: from t = 4 s to 100 s, when the body should stand still";
                section.notes.push(note.into());
                let all = Zoom { t: [0.0, 20.0], position: Some([-0.8, 2.6]) };
                let creep = Zoom { t: [0.0, 100.0], position: Some([-0.55, 0.05]) };
                let (zooms, near_stick) = (vec![all, creep], [3.1, 3.4]);
                Drawing::Behaviours { outcomes, zooms, near_stick, truth: Some(REST.0) }
            } else {
                let t = outcomes.first().and_then(|outcome| outcome.samples.first());
                let last = t.and_then(|t| t.values.last().copied()).unwrap_or(0.0);
                let near_stick = [0.75 * last, last];
                let zooms = [[0.0, last], near_stick].map(|t| Zoom { t, position: None }).into();
                Drawing::Behaviours { outcomes, zooms, near_stick, truth: None }
            };
            // the two figures are named after their cases
            let name = self.figures().iter().copied().find(|name| *name == figure).unwrap_or_default();
            section.figures.push((name, drawing));
            sections.push(section);
        }
        Ok(sections)
    }
}
