//! Points of an analysis along a parameter that are finished: what a run that was stopped leaves, and another one goes on from.

use serde::{Deserialize, Serialize};
use stiction::Error;
use stiction::harmonic::{HarmonicBranch, HarmonicMotion, HarmonicPoint};
use stiction::steady::{Branch, Orbit, Point, Section, Stability, State};

/// The finished points of an analysis. Branches through folds are begun anew: they are not kept in files.
#[derive(Clone, Debug, Default)]
pub struct Finished {
    /// Those of each response that is drawn over the others.
    pub(crate) responses: Vec<FinishedResponse>,
    /// Those of a bifurcation diagram.
    pub(crate) sections: Vec<Section>,
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
        self.sections.len() + self.responses.iter().map(FinishedResponse::len).sum::<usize>()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether another run can go on from a file of them.
    pub fn is_kept(&self) -> bool {
        let kept = self.responses.iter().any(|one| !(one.points.is_empty() && one.harmonic.is_empty()));
        kept || !self.sections.is_empty()
    }

    /// As text; `hash` says what they were computed from.
    pub fn json(&self, hash: &str) -> String {
        let responses = self.responses.iter().map(|one| KeptResponse {
            points: one.points.iter().map(|point| Kept::new(point.parameter, &point.orbit)).collect(),
            harmonic: one.harmonic.iter().map(|point| Kept::new(point.parameter, &point.motion)).collect(),
        });
        let sections = self.sections.iter().map(|section| Kept::new(section.parameter, &section.states));
        let kept =
            KeptPoints { hash: hash.into(), responses: responses.collect(), sections: sections.collect() };
        serde_json::to_string(&kept).unwrap_or_default()
    }

    /// What a text of [`Finished::json`] holds, and the hash of what they were computed from.
    pub fn read(text: &str) -> Result<(String, Self), String> {
        let kept: KeptPoints = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let responses = kept.responses.into_iter().map(|one| FinishedResponse {
            points: restored(one.points, |parameter, orbit| Point { parameter, orbit }),
            harmonic: restored(one.harmonic, |parameter, motion| HarmonicPoint { parameter, motion }),
            ..FinishedResponse::default()
        });
        let sections = restored(kept.sections, |parameter, states| Section { parameter, states });
        Ok((kept.hash, Self { responses: responses.collect(), sections, is_all: false }))
    }
}

#[derive(Serialize, Deserialize)]
struct KeptPoints {
    hash: String,
    responses: Vec<KeptResponse>,
    sections: Vec<Kept<Vec<State>>>,
}

#[derive(Serialize, Deserialize)]
struct KeptResponse {
    points: Vec<Kept<Orbit>>,
    harmonic: Vec<Kept<(HarmonicMotion, Stability)>>,
}

/// A value of the parameter, and what was found there.
#[derive(Serialize, Deserialize)]
struct Kept<T> {
    parameter: f64,
    found: Option<T>,
    /// Starts and smallest residual of a search that found nothing.
    miss: Option<(usize, f64)>,
}

impl<T: Clone> Kept<T> {
    fn new(parameter: f64, found: &Result<T, Error>) -> Self {
        let miss = match found {
            Err(Error::NoPeriodicMotion { starts, residual }) if residual.is_finite() => {
                Some((*starts, *residual))
            }
            _ => None,
        };
        Self { parameter, found: found.as_ref().ok().cloned(), miss }
    }
}

/// Points as they were, up to the first that failed for a reason that is not kept.
fn restored<T, P>(list: Vec<Kept<T>>, point: impl Fn(f64, Result<T, Error>) -> P) -> Vec<P> {
    let found = |Kept { parameter, found, miss }: Kept<T>| match (found, miss) {
        (Some(found), _) => Some(point(parameter, Ok(found))),
        (None, Some((starts, residual))) => {
            Some(point(parameter, Err(Error::NoPeriodicMotion { starts, residual })))
        }
        (None, None) => None,
    };
    list.into_iter().map_while(found).collect()
}
