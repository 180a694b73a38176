//! Sweeps: the analysis of a scenario at many values of some of its numbers.
//!
//! ```text
//!   row i:   values of the axes (grid by mixed radix, or drawn)  ──lenses──▶  system  ──analysis──▶  facts, or why not
//! ```
//!
//! A row is a pure function of the scenario and its number, so that any part of a sweep can be computed
//! anywhere, in any order, and anew. Searches for periodic motions on a grid go on from the motions of the
//! rows before, along the axis that varies fastest; they begin afresh with every block of [`BLOCK`] rows, so
//! that a row depends on its block and on nothing else.
//!
//! What varies is set through lenses made once. A key that is no number of the system, such as the length of
//! a run, or that shapes the model, is set in the document instead, which is then checked and resolved at
//! every point.

mod axis;
mod draw;
mod notation;
mod point;
mod resolve;
mod sobol;
mod table;
mod unit;

pub(crate) use unit::{described, unit};

pub use axis::AxisValues;
pub use draw::{Draw, DrawKind};
pub use notation::{axis_of, put_axes};
pub use point::SweepRow;
pub use sobol::{MAX_DIMENSIONS, SobolDirections};
pub use table::{AxisTable, Spacing, SweepTable};

use crate::budget::Budget;
use crate::outcome::Fact;
use crate::places::NodePlaces;
use crate::reduction::ReductionNotes;
use crate::resolve::Owners;
use crate::scenario::{Scenario, SystemKind};
use draw::Coordinate;
use keyed::Document;
use std::ops::Range;
use stiction::structure::Reduced;
use stiction::system::{Drive, Parameter, System};
use stiction::{Error, Progress};

/// Rows of a grid whose periodic motions are found one from the other: the search from afar at the first
/// costs some ten times as much as each of the others, and a longer block would leave cores without work.
pub const BLOCK: u64 = 64;
/// The most rows.
pub const MAX_ROWS: u64 = 1 << 40;

/// A number that varies.
#[derive(Clone, Debug)]
pub struct SweepAxis {
    /// Name of its column.
    pub name: String,
    /// Letter of the literature.
    pub symbol: String,
    /// SI unit, `-` for a pure number.
    pub unit: String,
    /// Path of its key.
    pub path: Vec<String>,
    /// Its values.
    pub values: AxisValues,
    /// The dimension of the grid, or of the points that are drawn, that it moves along.
    pub dimension: usize,
    lens: Option<Parameter>,
}

/// A column of the rows.
#[derive(Clone, Debug, PartialEq)]
pub struct SweepColumn {
    /// Name, in snake case.
    pub name: String,
    /// Letter of the literature.
    pub symbol: String,
    /// SI unit, `-` for a pure number.
    pub unit: String,
    /// What it is, in a sentence.
    pub meaning: String,
}

/// A checked sweep: its rows, by their numbers.
#[derive(Clone, Debug)]
pub struct Sweep {
    /// What varies; of a grid the last varies fastest.
    pub axes: Vec<SweepAxis>,
    /// How points are drawn; a grid if absent.
    pub draw: Option<Draw>,
    /// Number of rows.
    pub rows: u64,
    /// Values along each dimension of a grid.
    lengths: Vec<u64>,
    coordinates: Vec<Coordinate>,
    facts: Vec<Fact>,
    is_continued: bool,
    /// The document without its sweep.
    document: Document,
    scenario: Scenario,
    budget: Budget,
    base: Option<BaseSystem>,
    reduction: Option<ReductionNotes>,
    places: NodePlaces,
}

/// The system as written, for lenses.
#[derive(Clone, Debug)]
struct BaseSystem {
    system: System,
    drive: Drive,
    owners: Owners,
    reduced: Option<Reduced>,
}

impl Sweep {
    /// The scenario, with all defaults filled in and the values of files in place of their names.
    pub fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    /// What is computed at every point, in a word.
    pub fn task(&self) -> String {
        if let SystemKind::Body(_) = self.scenario.system {
            return "slide".into();
        }
        let tagged = serde_json::to_value(&self.scenario.analysis).ok();
        tagged.as_ref().and_then(|json| json.as_object()?.keys().next().cloned()).unwrap_or_default()
    }

    /// Rows that are computed one from the other: parts of a sweep begin at multiples of it.
    pub fn block(&self) -> u64 {
        if self.is_continued { BLOCK } else { 1 }
    }

    /// The columns of values and facts, in order.
    pub fn columns(&self) -> Vec<SweepColumn> {
        let axis = |axis: &SweepAxis| SweepColumn {
            name: axis.name.clone(),
            symbol: axis.symbol.clone(),
            unit: axis.unit.clone(),
            meaning: format!("Value of {}.", axis.path.join(".")),
        };
        let fact = |fact: &Fact| SweepColumn {
            name: fact.name(),
            symbol: fact.kind.row().symbol.into(),
            unit: fact.unit.to_string(),
            meaning: fact.kind.row().meaning.into(),
        };
        self.axes.iter().map(axis).chain(self.facts.iter().map(fact)).collect()
    }

    /// Values of the axes in row `i`.
    pub fn values(&self, i: u64) -> Vec<f64> {
        if self.draw.is_some() {
            let u: Vec<f64> = self.coordinates.iter().map(|coordinate| coordinate.at(i)).collect();
            return self.axes.iter().map(|axis| axis.values.drawn(u[axis.dimension])).collect();
        }
        let mut places = vec![0; self.lengths.len()];
        let mut rest = i;
        for (place, length) in places.iter_mut().zip(&self.lengths).rev() {
            (*place, rest) = (rest % length, rest / length);
        }
        self.axes.iter().map(|axis| axis.values.at(places[axis.dimension])).collect()
    }

    /// The rows of a range that begins at a block; with `samples`, those of each point too. `progress`
    /// receives the part of them done.
    pub fn rows(
        &self,
        range: Range<u64>,
        samples: bool,
        progress: &mut Progress,
    ) -> Result<Vec<SweepRow>, Error> {
        let mut points = point::Points::new(self, samples);
        let n = range.end.saturating_sub(range.start).max(1) as f64;
        let first = range.start;
        let row =
            |i: u64| points.row(i, &mut progress.part((i - first) as f64 / n, (i + 1 - first) as f64 / n));
        range.map(row).collect()
    }

    /// The row at other values of the axes, searched for afresh.
    pub fn row_at(&self, values: &[f64], progress: &mut Progress) -> Result<SweepRow, Error> {
        point::Points::new(self, false).row_at(0, values.to_vec(), progress)
    }

    /// Whether the search in row `i` begins afresh.
    fn is_first(&self, i: u64) -> bool {
        let fastest = self.lengths.last().copied().unwrap_or(1).max(1);
        self.draw.is_some() || i.is_multiple_of(BLOCK) || i.is_multiple_of(fastest)
    }
}
