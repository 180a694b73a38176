//! The family of analyses: what can be asked of a system, one file each.
//!
//! An analysis is resolved into a task, the core's types with everything checked, and the task is run into an
//! outcome. A new one is a file here with its settings, its task and these two steps, and a row in each list
//! below.

mod bifurcation;
mod chosen;
mod compared;
mod extrema;
mod harmonic;
mod nonlinear_mode;
mod overlay;
mod periodic;
mod response;
mod slide;
mod stability;
mod steady;
mod transient;

pub use bifurcation::{BifurcationSettings, BifurcationTask};
pub use harmonic::HarmonicSettings;
pub use nonlinear_mode::{NonlinearModeSettings, NonlinearModeTask};
pub use overlay::OverlayTable;
pub use periodic::Varied;
pub use response::{LogAxes, Response, ResponseTask, Search};
pub use slide::SlideTask;
pub use stability::{StabilitySettings, StabilityTask};
pub use steady::{Start, SteadySettings, SteadyTask};
pub use transient::{Transient, TransientTask};

use crate::facts::FactKind;
use crate::finished::Finished;
use crate::outcome::{Fact, Outcome, Run};
use crate::resolve::Resolve;
use crate::scenario::Scenario;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stiction::body::MovingSurface;
use stiction::steady::Trail;
use stiction::{Error, Progress};

/// Samples of one period.
const SAMPLES: usize = 2000;
/// The most points of a branch.
const MAX_BRANCH: usize = 100_000;

/// What to compute.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum AnalysisKind {
    /// The motion from the initial state.
    Transient(Transient),
    /// Periodic motions, found without waiting for transients to die out.
    Steady(SteadySettings),
    /// Periodic motions along a parameter: frequency response, or any other branch.
    Response(Response),
    /// The state once per period of the load, after a transient, along a parameter.
    Bifurcation(BifurcationSettings),
    /// Growth rates and frequencies of small motions about steady sliding, along a parameter.
    Stability(StabilitySettings),
    /// Frequency and damping of a vibration mode with friction, over its amplitude.
    NonlinearMode(NonlinearModeSettings),
}

impl Default for AnalysisKind {
    fn default() -> Self {
        Self::Transient(Transient::default())
    }
}

impl AnalysisKind {
    /// The task that the analysis sets, with whatever is wrong noted.
    pub(crate) fn resolve(self, resolve: &mut Resolve, scenario: &mut Scenario) -> Option<Task> {
        match self {
            Self::Transient(transient) => transient.resolve(resolve, scenario),
            Self::Steady(steady) => steady.resolve(resolve, scenario),
            Self::Response(response) => response.resolve(resolve, scenario),
            Self::Bifurcation(bifurcation) => bifurcation.resolve(resolve, scenario),
            Self::Stability(stability) => stability.resolve(resolve, scenario),
            Self::NonlinearMode(mode) => mode.resolve(resolve, scenario),
        }
    }

    /// The degree of freedom and the node that are measured, with the key of their table.
    pub(crate) fn measured_place(&mut self) -> Option<(&'static str, &mut usize, &mut Option<usize>)> {
        match self {
            Self::Steady(steady) => Some(("analysis.steady", &mut steady.dof, &mut steady.node)),
            Self::Response(response) => Some(("analysis.response", &mut response.dof, &mut response.node)),
            Self::NonlinearMode(mode) => Some(("analysis.nonlinear-mode", &mut mode.dof, &mut mode.node)),
            _ => None,
        }
    }

    /// The degree of freedom that is measured, and its key: a reduced model must report it.
    pub(crate) fn measured(&self) -> Option<(&'static str, usize)> {
        match self {
            Self::Steady(steady) => Some(("analysis.steady.dof", steady.dof)),
            Self::Response(response) => Some(("analysis.response.dof", response.dof)),
            Self::Bifurcation(_) => Some(("analysis.bifurcation", 0)),
            Self::NonlinearMode(mode) => Some(("analysis.nonlinear-mode.dof", mode.dof)),
            _ => None,
        }
    }

    /// The frequencies between which a load is varied, if one is (rad/s).
    pub(crate) fn frequencies(&self) -> Vec<f64> {
        let (parameter, ends) = match self {
            Self::Response(Response { parameter, from, to, .. })
            | Self::Bifurcation(BifurcationSettings { parameter, from, to, .. }) => (parameter, [*from, *to]),
            _ => return Vec::new(),
        };
        match parameter.split('.').next_back() {
            Some("omega") => ends.to_vec(),
            Some("frequency") => ends.map(|hertz| std::f64::consts::TAU * hertz).to_vec(),
            _ => Vec::new(),
        }
    }
}

/// What to compute, in the core's types.
#[derive(Clone, Debug)]
pub enum Task {
    /// The motion of a system on lines.
    Transient(Box<TransientTask>),
    /// The motion of a body on the plane.
    Slide(Box<SlideTask>),
    /// Periodic motions.
    Steady(Box<SteadyTask>),
    /// Periodic motions along a parameter.
    Response(Box<ResponseTask>),
    /// States once per period along a parameter.
    Bifurcation(Box<BifurcationTask>),
    /// Growth rates along a parameter.
    Stability(Box<StabilityTask>),
    /// A mode along its amplitude.
    NonlinearMode(Box<NonlinearModeTask>),
}

/// Degrees of freedom of a structure, whose fastest modes set the steps.
const STRUCTURE: usize = 10;

impl Task {
    /// What to write instead where the run takes too long, of a model that is `reduced` or not.
    pub(crate) fn advice(&self, reduced: bool) -> Option<&'static str> {
        let harmonic = match self {
            Self::Steady(task) => task.harmonic.as_ref(),
            Self::Response(task) => task.harmonic.as_ref(),
            _ => None,
        };
        if harmonic.is_some_and(|settings| settings.max_harmonics > settings.harmonics) {
            return Some(
                "harmonics are added down to the tolerance: harmonic_balance = { tolerance = 1e-2 } mostly suffices",
            );
        }
        let (n, is_shooting) = match self {
            Self::Steady(task) if task.steady.subharmonic > 1 => {
                return Some("lower subharmonic: every step of the search runs through all of its periods");
            }
            // harmonic balance needs the period of a load
            Self::Steady(task) if task.system.is_autonomous() && task.system.n() < STRUCTURE => {
                return Some(
                    "give a state near the motion in starts, or a less stiff law, as coulomb or stribeck",
                );
            }
            Self::Steady(task) => (task.system.n(), task.harmonic.is_none()),
            Self::Response(task) => (task.system.n(), task.harmonic.is_none()),
            Self::Bifurcation(task) => (task.system.n(), false),
            Self::Transient(task) => (task.system.n(), false),
            _ => return None,
        };
        match (n >= STRUCTURE && !reduced, is_shooting) {
            (true, true) => Some(
                "reduce the model by reduce = { modes = 10 }, or find the motions by harmonic_balance = {}",
            ),
            (true, false) => {
                Some("reduce the model by reduce = { modes = 10 }: its fastest modes set the steps")
            }
            (false, true) if matches!(self, Self::Steady(_)) => {
                Some("find the motions by harmonic_balance = {}")
            }
            (false, true) => Some("find the motions by harmonic_balance = {}, or ask for fewer points"),
            (false, false) => {
                Some("shorten the run, or take a less steep law or one that sticks, as coulomb")
            }
        }
    }

    /// Runs the task. `progress` receives the fraction done now and then.
    /// Points that are finished are those of a run that was stopped.
    pub(crate) fn run(
        &self,
        title: &str,
        finished: &mut Finished,
        progress: &mut Progress,
    ) -> Result<Outcome, Error> {
        match self {
            Self::Transient(task) => task.run(title, finished, progress),
            Self::Slide(task) => task.run(title, progress),
            Self::Steady(task) => task.run(title, progress),
            Self::Response(task) => task.run(title, finished, progress),
            Self::Bifurcation(task) => task.run(title, finished, progress),
            Self::Stability(task) => task.run(title, finished, progress),
            Self::NonlinearMode(task) => task.run(title, finished, progress),
        }
    }
}

impl Task {
    /// The facts that a sweep keeps of it, each with its unit and without its number.
    pub(crate) fn reported_facts(&self) -> Vec<Fact> {
        match self {
            Self::Transient(task) => task.reported_facts(),
            Self::Slide(_) => slide::reported_facts(),
            Self::Steady(task) => task.reported_facts(),
            Self::Response(task) => task.reported_facts(),
            Self::Stability(task) => task.reported_facts(),
            Self::NonlinearMode(task) => task.reported_facts(),
            _ => [FactKind::Points, FactKind::MissingPoints].map(|kind| Fact::new(kind, f64::NAN)).into(),
        }
    }

    /// Runs the task as a point of a sweep. A search for periodic motions goes on along the `trail` of the
    /// rows before; `row` is the number of this one; without `samples` none are taken where the facts need
    /// none.
    pub(crate) fn point(
        &mut self,
        title: &str,
        (trail, row): (&mut Trail, u64),
        samples: bool,
        progress: &mut Progress,
    ) -> Result<Outcome, Error> {
        match self {
            Self::Steady(task) if task.harmonic.is_none() => {
                task.point(title, (trail, row), samples, progress)
            }
            Self::Transient(task) if !samples => {
                task.forgo_samples();
                task.run(title, &mut Finished::default(), progress)
            }
            _ => self.run(title, &mut Finished::default(), progress),
        }
    }

    /// The numbers of the system that it varies itself.
    pub(crate) fn varied(&self) -> Vec<&Varied> {
        match self {
            Self::Response(task) => {
                task.overlay.iter().take(1).map(|(also, _)| also).chain([&task.varied]).collect()
            }
            Self::Bifurcation(task) => vec![&task.varied],
            Self::Stability(task) => vec![&task.varied],
            _ => Vec::new(),
        }
    }

    /// Whether a point of a sweep can begin where another ended.
    pub(crate) fn is_continued(&self) -> bool {
        matches!(self, Self::Steady(task) if task.harmonic.is_none())
    }
}

/// What an outcome shows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shown {
    /// The motion of a system on lines.
    Motion {
        /// Number of degrees of freedom.
        n: usize,
        /// Number of friction contacts.
        m: usize,
        /// How it was integrated; none for one period of a motion that a search found.
        run: Option<Run>,
    },
    /// The motion of a body on the plane.
    Slide {
        /// Outlines of its contact in body axes (m).
        outlines: Vec<Vec<[f64; 2]>>,
        /// Direction downhill, if the plane is inclined, as an angle from the x axis (rad).
        downhill: Option<f64>,
        /// The surface that moves over the plane, if there is one.
        surface: Option<MovingSurface>,
    },
    /// Periodic motions along the parameter in the first column.
    Response {
        /// Logarithmic axes.
        log: Option<LogAxes>,
        /// Columns of facts that are drawn; those of every response if empty.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        facts: Vec<String>,
        /// Names of the laws that are compared, the true one first; none if there is only that.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        laws: Vec<String>,
    },
    /// States along the parameter in the first column.
    Bifurcation,
    /// Growth rates and frequencies along the parameter in the first column.
    Stability,
    /// Frequency and damping along the amplitude in the first column.
    NonlinearMode,
}
