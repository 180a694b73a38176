//! A branch of periodic motions, and why it ended.

use super::Point;
use crate::Warning;

/// A branch of periodic motions.
#[derive(Clone, Debug, PartialEq)]
pub struct Branch {
    /// The motions in the order of the branch. A point without motion marks a gap, with its reason.
    pub points: Vec<Point>,
    /// Why it ended.
    pub end: BranchEnd,
    /// The parameter farthest on the way to `to` (-).
    pub reached: f64,
    /// Gaps, where the branch jumps.
    pub jumps: usize,
    /// Where the search goes on if it was stopped.
    pub place: Option<BranchPlace>,
}

/// The state of a search along a branch after some of its points, in the scaled unknowns of the search.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BranchPlace {
    /// Points before it.
    pub(super) n_points: usize,
    /// State and parameter.
    pub(super) y: Vec<f64>,
    /// Unit tangent.
    pub(super) tangent: Vec<f64>,
    /// Unit of each component of y.
    pub(super) units: Vec<f64>,
    /// Sign of the bordered determinant, 0 if it is not known.
    pub(super) orientation: f64,
    /// Length of the next step.
    pub(super) step: f64,
    /// Steps in a row that took few corrections.
    pub(super) n_easy: usize,
    /// The largest part of the way reached.
    pub(super) reached: f64,
}

impl Branch {
    /// One that is yet to begin.
    pub fn at(from: f64) -> Self {
        Self { points: Vec::new(), end: BranchEnd::Stopped, reached: from, jumps: 0, place: None }
    }

    /// Whether it arrived at `to`.
    pub fn is_complete(&self) -> bool {
        self.end == BranchEnd::Reached
    }

    /// What its reader must know, if it was to arrive at `to`.
    pub fn warnings(&self, to: f64) -> Vec<Warning> {
        let mut warnings = Vec::new();
        if !self.is_complete() {
            let (reached, because) = (self.reached, self.end.because());
            warnings.push(Warning::BranchIncomplete { reached, to, because });
        }
        if let Some(gap) = self.points.iter().find(|point| point.orbit.is_err()) {
            warnings.push(Warning::BranchJumps { n: self.jumps, first: gap.parameter });
        }
        warnings
    }
}

/// Why a branch ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BranchEnd {
    /// It arrived at `to`.
    Reached,
    /// It turned round and came back to `from`.
    Returned,
    /// It came back to a motion that it had been through before.
    Closed,
    /// It has as many points as it may have.
    Full,
    /// The motion grew beyond all bounds, as at a resonance without damping.
    Unbounded,
    /// No motion was found beyond this parameter.
    Lost,
    /// Whoever waited for it has stopped it.
    Stopped,
}

impl BranchEnd {
    /// The reason in words.
    pub fn because(&self) -> &'static str {
        match self {
            Self::Reached => "it arrived",
            Self::Returned => "the branch turns round and comes back to where it began",
            Self::Closed => "the branch comes back to itself",
            Self::Full => "it has as many points as it may have",
            Self::Unbounded => "the motion grows beyond all bounds",
            Self::Lost => "no periodic motion was found beyond",
            Self::Stopped => "it was stopped",
        }
    }
}
