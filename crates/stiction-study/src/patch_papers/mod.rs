//! The papers on contact patches: C (disc, @kireenkov) and D (rectangle, @salimov2021).
//!
//! What they draw and state is computed again from the exact integrals; where the print is wrong, both are given.

mod disc;
mod rectangle;

pub use disc::{KNOWN_ERRORS, KnownError, disc_properties};
pub use rectangle::{Printed, rectangle_properties};

use crate::patch::{Curve, figure_ratios, sliding};
use crate::patch_file::PatchFile;
use std::f64::consts::{FRAC_PI_4, PI};
use stiction::patch::{Closure, Constants, Patch};
use stiction::{Error, Fault};

/// Directions in which the rectangle of paper D slides (rad): between the axes, where it is pushed aside.
pub const DIRECTIONS: [f64; 3] = [PI / 9.0, FRAC_PI_4, 7.0 * PI / 18.0];

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
}

/// A patch of a paper.
#[derive(Clone, Copy, Debug)]
pub struct PatchCase {
    /// `paper-c`.
    pub paper: &'static str,
    /// Name of the file.
    pub file: &'static str,
    /// The file.
    pub text: &'static str,
    /// The figures that are drawn of it.
    pub figures: &'static [&'static str],
}

impl PatchCase {
    /// Reads the patch.
    pub fn read(&self) -> Result<PatchFile, Error> {
        // a committed file that does not pass is a bug that the tests find
        PatchFile::read(self.file, self.text, &[]).map_err(|_| Error::Empty)
    }

    /// The curves of the paper's figure: every model of paper C; exact and first order in several directions of paper D.
    pub fn curves(&self, patch: &Patch) -> Result<Vec<Curve>, Vec<Fault>> {
        let ratio = figure_ratios();
        let exact = (Closure::Exact, Constants::Consistent);
        let first = (Closure::Pade1, Constants::Consistent);
        if self.paper == "paper-c" {
            let others = [
                (Closure::Pade2, Constants::Consistent),
                (Closure::Pade1, Constants::AsPrinted),
                (Closure::Pade2, Constants::AsPrinted),
            ];
            let kinds = [exact, first].into_iter().chain(others);
            return kinds.map(|kind| sliding(patch, kind, 0.0, &ratio)).collect();
        }
        let both = |phi: &f64| [exact, first].map(|kind| sliding(patch, kind, *phi, &ratio));
        DIRECTIONS.iter().flat_map(both).collect()
    }
}

/// Both papers.
pub const PATCH_CASES: [PatchCase; 2] = [
    PatchCase {
        paper: "paper-c",
        file: "disc.toml",
        text: include_str!("../../papers/paper-c/disc.toml"),
        figures: &["forces", "pressure", "limit-surface", "limit-sections"],
    },
    PatchCase {
        paper: "paper-d",
        file: "rectangle.toml",
        text: include_str!("../../papers/paper-d/rectangle.toml"),
        figures: &["forces", "limit-surface", "limit-sections", "motion"],
    },
];

/// The body of paper D in motion, as a scenario.
pub const PAPER_D_MOTION: &str = include_str!("../../papers/paper-d/motion.toml");
