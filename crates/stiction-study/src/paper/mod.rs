//! The papers as a family: the cases of each, the numbers that it prints, whether they come out again, and
//! its figures.
//!
//! A paper is one file. Its report is plain data: checks, columns, and drawings that name what is drawn and
//! not how.

mod a;
mod b;
mod c;
mod d;
mod e;

pub use c::{KNOWN_ERRORS, KnownError, disc_properties};
pub use d::{DIRECTIONS, PrintedRectangle, rectangle_properties};
pub use e::{AfterStop, Zoom};

use crate::outcome::{Column, Outcome};
use crate::patch::{Curve, LimitPoints, PatchStudy, PressureSection, TopView};
use crate::patch_file::PatchFile;
use crate::study::Study;
use keyed::{Diagnostic, closest};
use stiction::{Error, Fault, Progress};

/// Every paper, in order.
pub const PAPERS: [&dyn Paper; 5] = [&a::PaperA, &b::PaperB, &c::PaperC, &d::PaperD, &e::PaperE];

/// The sections of a report.
pub type Reproduced = Result<Vec<ReportSection>, Error>;

/// A paper whose figures and numbers are computed again.
pub trait Paper: Sync {
    /// `paper-a`.
    fn name(&self) -> &'static str;
    /// Its cases.
    fn cases(&self) -> &'static [Case];
    /// Its figures, in order.
    fn figures(&self) -> &'static [&'static str];
    /// The figures that the gallery shows.
    fn gallery(&self) -> &'static [&'static str] {
        self.figures()
    }
    /// The sections of the report that hold the figures wanted.
    fn reproduce(&self, is_wanted: &dyn Fn(&str) -> bool, progress: &mut Progress) -> Reproduced;
}

/// A paper, and those of its figures that are wanted.
pub type Chosen = (&'static dyn Paper, Vec<&'static str>);

/// The papers and figures called `paper` and `figure`, all if absent; or what is wrong with the names.
pub fn wanted(paper: Option<&str>, figure: Option<&str>) -> Result<Vec<Chosen>, Box<Diagnostic>> {
    let is_it = |name: &str, wanted: Option<&str>| wanted.is_none_or(|wanted| wanted == name);
    let figures = |of: &dyn Paper| -> Vec<&'static str> {
        of.figures().iter().copied().filter(|name| is_it(name, figure)).collect()
    };
    let found: Vec<_> = (PAPERS.into_iter().filter(|of| is_it(of.name(), paper)))
        .map(|of| (of, figures(of)))
        .filter(|(_, figures)| !figures.is_empty())
        .collect();
    if !found.is_empty() {
        return Ok(found);
    }
    let known = PAPERS.into_iter().find(|of| Some(of.name()) == paper);
    let (word, known): (&str, Vec<&str>) = match (figure, known) {
        (Some(figure), Some(of)) => (figure, of.figures().to_vec()),
        _ => (paper.unwrap_or_default(), PAPERS.iter().map(|of| of.name()).collect()),
    };
    let hint = closest(word, known.iter().copied())
        .map_or_else(|| format!("one of: {}", known.join(", ")), |word| format!("did you mean {word}?"));
    let message = format!("nothing is called {word}");
    Err(Box::new(Diagnostic { key: String::new(), message, place: None, hint: Some(hint) }))
}

/// A number as printed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Printed {
    /// Name of the fact.
    pub fact: &'static str,
    /// The printed value.
    pub value: f64,
    /// What the print allows: half a unit of its last digit.
    pub allows: f64,
}

/// One case of a paper: a scenario or a patch.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// The figure that it belongs to.
    pub figure: &'static str,
    /// Name of its file, below the papers.
    pub file: &'static str,
    /// The file.
    pub text: &'static str,
    /// Whether it is a patch rather than a scenario.
    pub is_patch: bool,
    /// The numbers that the paper prints for it.
    pub printed: &'static [Printed],
}

impl Case {
    /// Runs the scenario.
    pub fn run(&self, progress: &mut Progress) -> Result<Outcome, Error> {
        // a committed scenario that does not pass is a bug that the tests find
        let study = Study::read(self.file, self.text, &[]).map_err(|_| Error::Empty)?;
        study.run(progress)
    }

    /// Reads the patch.
    pub fn patch(&self) -> Result<PatchStudy, Error> {
        let file = PatchFile::read(self.file, self.text, &[]).map_err(|_| Error::Empty)?;
        Ok(file.patch.into())
    }

    /// The file's name without folder and ending.
    pub fn stem(&self) -> &'static str {
        let name = self.file.rsplit('/').next().unwrap_or(self.file);
        name.strip_suffix(".toml").unwrap_or(name)
    }
}

macro_rules! case {
    ($figure:literal, $file:literal, $is_patch:literal, $printed:expr) => {
        $crate::paper::Case {
            figure: $figure,
            file: $file,
            text: include_str!(concat!("../../papers/", $file)),
            is_patch: $is_patch,
            printed: $printed,
        }
    };
}
use case;

/// A part of the report on a paper.
#[derive(Clone, Debug)]
pub struct ReportSection {
    /// `paper-b fig-2`.
    pub name: String,
    /// What it shows.
    pub title: String,
    /// What the paper states, beside what was found.
    pub tables: Vec<CheckTable>,
    /// What there is to add, a line each.
    pub notes: Vec<String>,
    /// Tables by the names of their files, without the ending.
    pub data: Vec<(&'static str, Vec<Column>)>,
    /// The cases that were computed.
    pub cases: Vec<Case>,
    /// The figures by their names.
    pub figures: Vec<(&'static str, Drawing)>,
}

impl ReportSection {
    fn new(name: String, title: impl Into<String>) -> Self {
        Self {
            name,
            title: title.into(),
            tables: Vec::new(),
            notes: Vec::new(),
            data: Vec::new(),
            cases: Vec::new(),
            figures: Vec::new(),
        }
    }

    /// Everything that was checked.
    pub fn checks(&self) -> Vec<Check> {
        self.tables.iter().flat_map(CheckTable::checks).collect()
    }
}

/// What is drawn.
#[derive(Clone, Debug)]
pub enum Drawing {
    /// An outcome, as `stiction run` draws it.
    Outcome(Box<Outcome>),
    /// Chatter, creep and rest side by side.
    Behaviours {
        /// The runs, named by their titles.
        outcomes: Vec<Outcome>,
        /// Parts of the time axis for the position.
        zooms: Vec<Zoom>,
        /// Interval of the friction and the trajectory (s).
        near_stick: [f64; 2],
        /// Position of rest under exact Coulomb friction (m).
        truth: Option<f64>,
    },
    /// Friction of a disc by several models, in units of its limits.
    DiscForces {
        /// The curves, of one direction.
        curves: Vec<Curve>,
        /// M₀ in units of μNR (-).
        moment_limit: f64,
        /// hf/R (-).
        reach: f64,
    },
    /// Friction of a rectangle in several directions, and what is finite of its printed fractions.
    RectangleForces {
        /// The curves.
        curves: Vec<Curve>,
        /// What is printed.
        printed: PrintedRectangle,
        /// Turns v/(ωR) into v/ω (m).
        radius: f64,
        /// μN (N).
        grip: f64,
    },
    /// The pressure of a patch at rest and in sliding.
    Pressure {
        /// Along the line of sliding.
        section: Option<PressureSection>,
        /// From above.
        plan: TopView,
    },
    /// What a patch holds at rest, in projection.
    LimitSurface(LimitPoints),
    /// Its sections.
    LimitSections(LimitPoints),
}

/// What a paper states, as it should be and as it is found.
#[derive(Clone, Debug, PartialEq)]
pub struct Check {
    /// What is stated.
    pub name: String,
    /// The value that the paper prints, if it prints one.
    pub printed: Option<f64>,
    /// The value that it should have.
    pub expected: f64,
    /// The value found.
    pub found: f64,
    /// Whether the two are the same.
    pub agrees: bool,
}

/// A table of statements of one kind.
#[derive(Clone, Debug, PartialEq)]
pub enum CheckTable {
    /// Facts that are printed.
    Facts(Vec<Check>),
    /// Properties of the integrals.
    Properties(Vec<Property>),
    /// Errors of models over all ratios (%).
    ModelErrors(Vec<(KnownError, f64)>),
    /// What bodies do that should stand still.
    Rest(Vec<AfterStop>),
}

impl CheckTable {
    /// The statements in one form.
    pub fn checks(&self) -> Vec<Check> {
        match self {
            Self::Facts(checks) => checks.clone(),
            Self::Properties(properties) => properties.iter().map(Property::check).collect(),
            Self::ModelErrors(rows) => rows.iter().map(|(known, found)| known.check(*found)).collect(),
            Self::Rest(rows) => rows.iter().filter_map(AfterStop::check).collect(),
        }
    }
}

/// A property that a paper states, as it should be and as it is found.
#[derive(Clone, Debug, PartialEq)]
pub struct Property {
    /// Number in the paper; empty if it has none.
    pub number: &'static str,
    /// What is stated.
    pub name: String,
    /// The value that the paper prints, where it is another.
    pub printed: Option<f64>,
    /// The value that follows from the integrals.
    pub expected: f64,
    /// The value found.
    pub found: f64,
    /// Whether the two are the same.
    pub agrees: bool,
}

impl Property {
    fn new(number: &'static str, name: impl Into<String>, expected: f64, found: f64, tolerance: f64) -> Self {
        let size = if expected == 0.0 { 1.0 } else { expected.abs() };
        let agrees = (found - expected).abs() <= tolerance * size;
        Self { number, name: name.into(), printed: None, expected, found, agrees }
    }

    fn printed(self, value: f64) -> Self {
        Self { printed: Some(value), ..self }
    }

    fn check(&self) -> Check {
        let name = [self.number, &self.name].into_iter().filter(|part| !part.is_empty());
        Check {
            name: name.collect::<Vec<_>>().join(" "),
            printed: self.printed,
            expected: self.expected,
            found: self.found,
            agrees: self.agrees,
        }
    }
}

/// What the core refuses about a committed patch, which the tests find.
fn refused(faults: Vec<Fault>) -> Error {
    faults.into_iter().next().map_or(Error::Empty, |fault| fault.error)
}

/// Papers A and B: a section for each case, its figure the nine panels of its run, with the printed numbers
/// beside ours.
fn nine_panels(
    paper: &dyn Paper,
    is_wanted: &dyn Fn(&str) -> bool,
    progress: &mut Progress,
) -> Result<Vec<ReportSection>, Error> {
    let cases: Vec<&Case> = paper.cases().iter().filter(|case| is_wanted(case.figure)).collect();
    let n = cases.len() as f64;
    let section = |(i, case): (usize, &&Case)| {
        let outcome = case.run(&mut progress.part(i as f64 / n, (i as f64 + 1.0) / n))?;
        let mut section = ReportSection::new(format!("{} {}", paper.name(), case.figure), &outcome.title);
        if !case.printed.is_empty() {
            let check = |printed: &Printed| {
                let found = outcome.fact(printed.fact).unwrap_or(f64::NAN);
                // a hair of rounding on top of half a unit of the last printed digit
                let agrees = (found - printed.value).abs() <= printed.allows * (1.0 + 1e-9);
                let (name, value) = (printed.fact.into(), printed.value);
                Check { name, printed: Some(value), expected: value, found, agrees }
            };
            section.tables.push(CheckTable::Facts(case.printed.iter().map(check).collect()));
        }
        if let Some(drift) = outcome.fact("drift") {
            section.notes.push(format!("the carried force drifts off the law by up to {drift:.6} N"));
        }
        section.data.push((case.figure, outcome.samples.clone()));
        section.cases.push(**case);
        section.figures.push((case.figure, Drawing::Outcome(Box::new(outcome))));
        Ok(section)
    };
    cases.iter().enumerate().map(section).collect()
}
