//! The papers' cases as scenarios, and the numbers that they print.

use crate::outcome::Outcome;
use crate::study::Study;
use stiction::Error;

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

/// One case of a paper.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// `paper-b`.
    pub paper: &'static str,
    /// `fig-2`.
    pub figure: &'static str,
    /// Name of the scenario in the project.
    pub file: &'static str,
    /// The scenario.
    pub scenario: &'static str,
    /// The numbers that the paper prints for it.
    pub printed: &'static [Printed],
}

impl Case {
    /// Runs the case.
    pub fn run(&self, progress: &mut dyn FnMut(f64) -> bool) -> Result<Outcome, Error> {
        // a committed scenario that does not pass is a bug that the tests find
        let study = Study::read(self.file, self.scenario, &[]).map_err(|_| Error::Empty)?;
        study.run(progress)
    }
}

macro_rules! case {
    ($paper:literal, $figure:literal, $name:literal, $printed:expr) => {
        Case {
            paper: $paper,
            figure: $figure,
            file: concat!($paper, "/", $name, ".toml"),
            scenario: include_str!(concat!("../papers/", $paper, "/", $name, ".toml")),
            printed: $printed,
        }
    };
}

/// The ten facts of which paper B prints values, and the values: max and min of u, u̇, ü, H, C.
const fn paper_b(values: [f64; 10]) -> [Printed; 10] {
    const FACTS: [&str; 10] = [
        "position_max",
        "position_min",
        "velocity_max",
        "velocity_min",
        "acceleration_max",
        "acceleration_min",
        "friction_max",
        "friction_min",
        "slope_max",
        "slope_min",
    ];
    let mut printed = [Printed { fact: "", value: 0.0, allows: 0.5e-4 }; 10];
    let mut i = 0;
    while i < 10 {
        printed[i].fact = FACTS[i];
        printed[i].value = values[i];
        i += 1;
    }
    printed
}

// @ragulskis2017, figs. 1–4. The minimum of ü in fig. 2 is printed −21.0508 in panel c and −21.0506 in panel i.
#[rustfmt::skip]
#[allow(clippy::approx_constant)]
mod printed {
    use super::{Printed, paper_b};
    pub const B1: &[Printed] = &paper_b([19.6296, -19.5686, 19.6286, -19.6349, 21.0595, -21.0536, 1.5659, -1.6327, 2.0, 0.0]);
    pub const B2: &[Printed] = &paper_b([19.5902, -19.5974, 19.6236, -19.6302, 21.0568, -21.0506, 1.6000, -1.5988, 3.1416, 0.0]);
    pub const B3: &[Printed] = &paper_b([19.5609, -19.4964, 19.5601, -19.5728, 22.4839, -22.4712, 3.1590, -3.2458, 2.0, -2.0]);
    pub const B4: &[Printed] = &paper_b([19.5036, -19.5098, 19.5469, -19.5554, 22.4739, -22.4659, 3.1981, -3.1996, 3.1416, -3.1416]);
}

/// Every case, in the order of the papers.
pub const CASES: &[Case] = &[
    case!("paper-a", "fig-1", "fig-1", &[]),
    case!("paper-a", "fig-2", "fig-2", &[]),
    case!("paper-a", "fig-3", "fig-3", &[]),
    case!("paper-a", "fig-4", "fig-4", &[]),
    case!("paper-b", "fig-1", "fig-1", printed::B1),
    case!("paper-b", "fig-2", "fig-2", printed::B2),
    case!("paper-b", "fig-3", "fig-3", printed::B3),
    case!("paper-b", "fig-4", "fig-4", printed::B4),
    case!("paper-e", "free", "sign-coulomb", &[]),
    case!("paper-e", "free", "linear", &[]),
    case!("paper-e", "free", "demand-aware", &[]),
    case!("paper-e", "driven", "driven-sign-coulomb", &[]),
    case!("paper-e", "driven", "driven-linear", &[]),
    case!("paper-e", "driven", "driven-demand-aware", &[]),
];
