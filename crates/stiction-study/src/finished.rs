//! Points of an analysis along a parameter that are finished: what a run that was stopped leaves, and another
//! one goes on from.

use crate::outcome::Outcome;
use serde::{Deserialize, Serialize};
use stiction::Error;
use stiction::harmonic::{HarmonicBranch, HarmonicMotion, HarmonicPoint, ModalPoint};
use stiction::stability::SteadySlidingState;
use stiction::steady::{Branch, BranchPlace, Orbit, Point, Section, Stability, State};

/// The finished points of an analysis. Branches by harmonic balance, nonlinear modes and motions in time are
/// begun anew: they are not kept in files.
#[derive(Clone, Debug, Default)]
pub struct Finished {
    /// Those of each response that is drawn over the others.
    pub(crate) responses: Vec<FinishedResponse>,
    /// Those of a bifurcation diagram.
    pub(crate) sections: Vec<Section>,
    /// Those of steady sliding.
    pub(crate) sliding: Vec<Result<SteadySlidingState, Error>>,
    /// Those of a nonlinear mode, each at its place among all amplitudes.
    pub(crate) modes: Vec<Option<ModalPoint>>,
    /// A motion in time, up to where it was stopped.
    pub(crate) motion: Option<Box<Outcome>>,
    /// Nothing is computed: the outcome is made of what is there.
    pub(crate) is_all: bool,
}

/// The finished points of one response, by whatever method finds them.
#[derive(Clone, Debug, Default)]
pub(crate) struct FinishedResponse {
    pub points: Vec<Point>,
    pub branch: Option<Branch>,
    pub harmonic: Vec<HarmonicPoint>,
    pub harmonic_branch: Option<HarmonicBranch>,
}

impl FinishedResponse {
    fn len(&self) -> usize {
        let branch = self.branch.as_ref().map_or(0, |branch| branch.points.len());
        let harmonic = self.harmonic_branch.as_ref().map_or(0, |branch| branch.points.len());
        self.points.len() + self.harmonic.len() + branch + harmonic
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Finished {
    /// How many points there are.
    pub fn len(&self) -> usize {
        self.sections.len()
            + self.responses.iter().map(FinishedResponse::len).sum::<usize>()
            + self.sliding.len()
            + self.modes.iter().flatten().count()
    }

    /// Whether there is nothing, not even a part of a motion in time.
    pub fn is_empty(&self) -> bool {
        self.len() == 0 && self.motion.is_none()
    }

    /// Whether another run can go on from a file of them.
    pub fn is_kept(&self) -> bool {
        let has_place = |one: &FinishedResponse| one.branch.as_ref().is_some_and(|own| own.place.is_some());
        let is_kept =
            |one: &FinishedResponse| !(one.points.is_empty() && one.harmonic.is_empty()) || has_place(one);
        let kept = self.responses.iter().any(is_kept);
        kept || !self.sections.is_empty() || !self.sliding.is_empty()
    }

    /// As text; `hash` says what they were computed from.
    pub fn json(&self, hash: &str) -> String {
        let responses = self.responses.iter().map(|one| KeptResponse {
            points: one.points.iter().map(|point| Kept::new(point.parameter, &point.orbit)).collect(),
            harmonic: one.harmonic.iter().map(|point| Kept::new(point.parameter, &point.motion)).collect(),
            branch: one.branch.as_ref().and_then(KeptBranch::new),
        });
        let sections = self.sections.iter().map(|section| Kept::new(section.parameter, &section.states));
        // its values follow from the scenario
        let sliding = self.sliding.iter().map(|state| Kept::new(0.0, state));
        let kept = KeptPoints {
            hash: hash.into(),
            responses: responses.collect(),
            sections: sections.collect(),
            sliding: sliding.collect(),
        };
        serde_json::to_string(&kept).unwrap_or_default()
    }

    /// What a text of [`Finished::json`] holds, and the hash of what they were computed from.
    pub fn read(text: &str) -> Result<(String, Self), String> {
        let kept: KeptPoints = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let responses = kept.responses.into_iter().map(|one| FinishedResponse {
            points: restored(one.points, |parameter, orbit| Point { parameter, orbit }),
            harmonic: restored(one.harmonic, |parameter, motion| HarmonicPoint { parameter, motion }),
            branch: one.branch.and_then(KeptBranch::restored),
            harmonic_branch: None,
        });
        let sections = restored(kept.sections, |parameter, states| Section { parameter, states });
        let sliding = restored(kept.sliding, |_, state| state);
        Ok((kept.hash, Self { responses: responses.collect(), sections, sliding, ..Self::default() }))
    }
}

#[derive(Serialize, Deserialize)]
struct KeptPoints {
    hash: String,
    responses: Vec<KeptResponse>,
    sections: Vec<Kept<Vec<State>>>,
    #[serde(default)]
    sliding: Vec<Kept<SteadySlidingState>>,
}

#[derive(Serialize, Deserialize)]
struct KeptResponse {
    points: Vec<Kept<Orbit>>,
    harmonic: Vec<Kept<(HarmonicMotion, Stability)>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    branch: Option<KeptBranch>,
}

/// A branch through folds that was stopped.
#[derive(Serialize, Deserialize)]
struct KeptBranch {
    points: Vec<Kept<Orbit>>,
    jumps: usize,
    place: BranchPlace,
}

impl KeptBranch {
    fn new(branch: &Branch) -> Option<Self> {
        let points = branch.points.iter().map(|point| Kept::new(point.parameter, &point.orbit)).collect();
        Some(Self { points, jumps: branch.jumps, place: branch.place.clone()? })
    }

    /// The branch, if all of its points are there.
    fn restored(self) -> Option<Branch> {
        let n = self.points.len();
        let points = restored(self.points, |parameter, orbit| Point { parameter, orbit });
        let from = points.first()?.parameter;
        let is_whole = points.len() == n;
        is_whole.then(|| Branch { points, jumps: self.jumps, place: Some(self.place), ..Branch::at(from) })
    }
}

/// A value of the parameter, and what was found there.
#[derive(Serialize, Deserialize)]
struct Kept<T> {
    parameter: f64,
    found: Option<T>,
    /// Starts and smallest residual of a search that found nothing.
    miss: Option<(usize, f64)>,
    /// The ends of a gap in a branch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    gap: Option<[f64; 2]>,
}

impl<T: Clone> Kept<T> {
    fn new(parameter: f64, found: &Result<T, Error>) -> Self {
        let miss = match found {
            Err(Error::NoPeriodicMotion { starts, residual }) if residual.is_finite() => {
                Some((*starts, *residual))
            }
            _ => None,
        };
        let gap = match found {
            Err(Error::BranchJumps { from, to }) => Some([*from, *to]),
            _ => None,
        };
        Self { parameter, found: found.as_ref().ok().cloned(), miss, gap }
    }
}

/// Points as they were, up to the first that failed for a reason that is not kept.
fn restored<T, P>(list: Vec<Kept<T>>, point: impl Fn(f64, Result<T, Error>) -> P) -> Vec<P> {
    let found = |Kept { parameter, found, miss, gap }: Kept<T>| {
        let found = match (found, miss, gap) {
            (Some(found), ..) => Ok(found),
            (None, Some((starts, residual)), _) => Err(Error::NoPeriodicMotion { starts, residual }),
            (None, None, Some([from, to])) => Err(Error::BranchJumps { from, to }),
            (None, None, None) => return None,
        };
        Some(point(parameter, found))
    };
    list.into_iter().map_while(found).collect()
}
