//! Which regularisation, and how wide? Several laws against set-valued friction, for the user's own system.
//!
//! The reference is any set-valued law of the velocity. What can stand in for it has a size in place of the
//! jump, the width of a transition or the stiffness of what bends before it slides, and beyond it the same
//! curve: most laws for `coulomb`, a tanh and bristles for `stribeck`, a tanh for `expression`, a straight
//! ramp for `polyline`.

mod criterion;
mod stand_in;

pub use criterion::{Criterion, Errors};
pub use stand_in::{Sizes, StandIn, regularised_laws};

use crate::study::Study;
use crate::task::{Task, TransientTask};
use keyed::Diagnostic;
use serde::Serialize;
use stand_in::{argument, nothing_rests, really_rests, size_of, stands_in};
use stiction::law::{FrictionLaw, Law, Size, Slip};
use stiction::ode::{Adaptive, Work};
use stiction::simulate::{Integrator, Plan, Record, drive};
use stiction::system::{Contact, Dynamics, System};
use stiction::{Error, Progress};

/// One law of one size against the truth.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ErrorRow {
    /// Name of the law.
    pub law: &'static str,
    /// Name of the number by which it tends to the truth: `width` or `stiffness`.
    pub parameter: &'static str,
    /// The value of that number.
    pub size: f64,
    /// Its unit.
    pub unit: &'static str,
    /// How wrong it is.
    #[serde(flatten)]
    pub errors: Errors,
    /// What it cost.
    pub work: Work,
}

/// A system under set-valued friction, ready to be compared with.
pub struct Truth {
    system: System,
    plan: Plan,
    period: Option<f64>,
    record: Record,
}

/// Sizes to compare when none are given, as parts of the scale of their motion.
const PARTS: [f64; 7] = [0.3, 0.1, 0.03, 0.01, 1e-3, 1e-4, 1e-5];

/// A tolerance that can be met.
pub fn check_tolerance(tolerance: f64) -> Result<(), Vec<Diagnostic>> {
    if !(tolerance.is_finite() && tolerance > 0.0) {
        return Err(argument("tolerance", format!("{tolerance}, but it must be positive"), None));
    }
    Ok(())
}

/// Tolerance of a reference with a curved law: rounding is not far.
const TRUE_RTOL: f64 = 1e-12;
/// Tolerance of the regularised runs: far below the error of any size of interest.
const RTOL: f64 = 1e-9;

/// Ratio of two sizes that are tried one after the other: four to a decade.
const GROWTH: f64 = 1.778_279_410_038_922_8;
/// The finest size that is tried, as a part of the scale of the motion.
const FINEST: f64 = 1e-6;
/// Sizes from there to that scale, and halvings of the last ratio down to one percent.
const MOST_ROWS: f64 = 25.0 + 6.0;

/// The motion of a study to which regularised laws can be compared: every contact has a set-valued law.
pub fn require_set_valued_transient(study: &Study) -> Result<&TransientTask, Vec<Diagnostic>> {
    let fault = |message: &str, hint: &str| {
        vec![Diagnostic { key: String::new(), message: message.into(), place: None, hint: Some(hint.into()) }]
    };
    let motion = match &study.task {
        Task::Transient(motion) => motion,
        Task::Slide(_) => {
            return Err(fault("a body on the plane has nothing to compare with", "give a system on lines"));
        }
        _ => {
            return Err(fault(
                "only motions from an initial state are compared in this way",
                "write [analysis.transient], long enough to show what you ask for; a response compares laws by its own key compare = [{ law = …, width = … }]",
            ));
        }
    };
    let contacts = &motion.system.contacts;
    if contacts.is_empty() || !contacts.iter().all(|e| really_rests(&e.friction.law)) {
        return Err(vec![nothing_rests("")]);
    }
    Ok(motion)
}

impl Truth {
    /// Runs a [comparable](require_set_valued_transient) motion exactly, or as nearly as steps allow where a
    /// law is curved. `progress` receives the fraction done now and then.
    pub fn new(motion: &TransientTask, progress: &mut Progress) -> Result<Self, Error> {
        let (system, plan) = (motion.system.clone(), motion.plan.clone());
        let is_exact = system.contacts.iter().all(|contact| contact.friction.law.is_piecewise_linear());
        let tight = Adaptive { rtol: TRUE_RTOL, atol: 1e-2 * TRUE_RTOL, ..Adaptive::default() };
        let integrator = if is_exact { Integrator::Exact } else { Integrator::Adaptive(tight) };
        let record = drive(&system, &integrator, &plan, progress)?;
        Ok(Self { period: system.period(), system, plan, record })
    }

    /// What the regularised laws are compared with, in words.
    pub fn reference(&self) -> String {
        let name = self.system.contacts.first().map_or("coulomb", |contact| contact.friction.law.name());
        if name == "coulomb" { "exact Coulomb friction".into() } else { format!("the set-valued {name} law") }
    }

    /// The exact run.
    pub fn record(&self) -> &Record {
        &self.record
    }

    /// The largest sliding speed of the exact run (m/s): the scale of widths.
    pub fn speed(&self) -> f64 {
        let speeds = self.record.samples.sliding.iter().flatten();
        speeds.map(|v| v.abs()).fold(0.0, f64::max).max(f64::MIN_POSITIVE)
    }

    /// Half the peak-to-peak of the position that moves farthest in the exact run (m): the scale of what
    /// bends before it slides.
    pub fn length(&self) -> f64 {
        let halves =
            self.record.ranges.iter().take(self.system.n()).map(|range| 0.5 * (range.max - range.min));
        halves.fold(0.0, f64::max).max(f64::MIN_POSITIVE)
    }

    /// How coarse the law called `name` is at most, and its size when it is so coarse.
    fn scale(&self, name: &str) -> (f64, impl Fn(f64) -> f64 + use<>) {
        let size = size_of(name);
        let mu = self.system.contacts.iter().map(|contact| contact.friction.law.bound()).fold(0.0, f64::max);
        let scale = match size {
            Size::Width => self.speed(),
            Size::Stiffness => self.length(),
        };
        (scale, move |coarseness| size.of(coarseness, mu))
    }

    /// The laws called `names`, all that stand in if there are none, each with the sizes of its kind; where
    /// these are not given, with some down to a hundred-thousandth of the scale of the motion. If there are
    /// sizes and no names, laws whose sizes are not given are left out.
    pub fn pairs<S: AsRef<str>>(
        &self,
        names: &[S],
        sizes: &Sizes,
    ) -> Result<Vec<(&'static str, f64)>, Vec<Diagnostic>> {
        let laws = stands_in(names, &self.system.contacts)?;
        let takes_all = !names.is_empty() || *sizes == Sizes::default();
        let mut pairs = Vec::new();
        for law in laws {
            let given = sizes.of(size_of(law));
            let (scale, size) = self.scale(law);
            if given.is_empty() && takes_all {
                pairs.extend(PARTS.iter().map(|part| (law, size(part * scale))));
            }
            pairs.extend(given.iter().map(|size| (law, *size)));
        }
        Ok(pairs)
    }

    /// The same system under the law called `name` with this size. `progress` receives the fraction done.
    pub fn row(&self, name: &'static str, size: f64, progress: &mut Progress) -> Result<ErrorRow, Error> {
        let system = regularised(&self.system, name, size);
        let is_elastic = |contact: &Contact| contact.friction.law.sliders().is_some();
        let integrator = if system.is_piecewise_linear() && system.contacts.iter().all(is_elastic) {
            Integrator::Exact
        } else {
            Integrator::Adaptive(Adaptive { rtol: RTOL, ..Adaptive::default() })
        };
        let record = drive(&system, &integrator, &self.plan, progress)?;
        let own = size_of(name);
        let (parameter, unit, errors) = (own.name(), own.unit(), self.errors(&record));
        Ok(ErrorRow { law: name, parameter, size, unit, errors, work: record.work })
    }

    fn errors(&self, record: &Record) -> Errors {
        let (truth, found) = (&self.record.samples, &record.samples);
        let distance = |a: &[Vec<f64>], b: &[Vec<f64>]| {
            let pairs = a.iter().flatten().zip(b.iter().flatten());
            pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
        };
        let half = |record: &Record| record.ranges.first().map_or(0.0, |r| 0.5 * (r.max - r.min));
        let mean_stick = |record: &Record| {
            let all = &record.stick_fraction;
            all.iter().map(|reported| reported.unwrap_or(f64::NAN)).sum::<f64>() / all.len().max(1) as f64
        };
        let mut creep = 0.0f64;
        for (exact, v) in truth.sliding.iter().flatten().zip(found.sliding.iter().flatten()) {
            if *exact == 0.0 {
                creep = creep.max(v.abs());
            }
        }
        let phase = self.period.map_or(f64::NAN, |period| {
            let of =
                |samples: &stiction::simulate::Samples| fundamental(&samples.t, &samples.position[0], period);
            wrap(of(found) - of(truth))
        });
        let relative = |a: f64, b: f64| if b == 0.0 { a } else { a / b - 1.0 };
        Errors {
            trajectory: distance(&truth.position, &found.position),
            amplitude: relative(half(record), half(&self.record)),
            phase,
            dissipation: relative(record.balance.friction_loss, self.record.balance.friction_loss),
            stick_fraction: mean_stick(record) - mean_stick(&self.record),
            creep,
        }
    }

    /// The coarsest size up to which `criterion` stays below `tolerance`, known to one percent; `None` if not
    /// even a millionth of the scale is fine enough. Sizes are tried from fine to coarse, because an error
    /// may pass through zero again at a size where everything else is wrong. `progress` receives the part of
    /// the longest search done.
    pub fn coarsest(
        &self,
        name: &'static str,
        criterion: Criterion,
        tolerance: f64,
        progress: &mut Progress,
    ) -> Result<Option<ErrorRow>, Error> {
        let fits = |row: &ErrorRow| row.errors.get(criterion).abs() <= tolerance;
        let (scale, size) = self.scale(name);
        let mut best = None;
        let mut coarse = FINEST * scale;
        let mut n_rows = 0.0;
        let mut next_row = |coarse: f64| {
            let part = &mut progress.part(n_rows / MOST_ROWS, (n_rows + 1.0) / MOST_ROWS);
            let row = self.row(name, size(coarse), part);
            n_rows += 1.0;
            row
        };
        loop {
            let row = next_row(coarse)?;
            if !fits(&row) {
                break;
            }
            best = Some((coarse, row));
            if coarse >= scale {
                return Ok(best.map(|(_, row)| row));
            }
            coarse = (coarse * GROWTH).min(scale);
        }
        let Some((mut fine, mut best)) = best else { return Ok(None) };
        while coarse / fine > 1.01 {
            let middle = (fine * coarse).sqrt();
            let row = next_row(middle)?;
            if fits(&row) {
                (fine, best) = (middle, row);
            } else {
                coarse = middle;
            }
        }
        Ok(Some(best))
    }

    /// Whether some contact has more static than kinetic friction, which no regularised law has: its error
    /// stays.
    pub fn has_static_excess(&self) -> bool {
        let excess = |law: &FrictionLaw| {
            let beside = |v: f64| law.coefficient(Slip::at(v)).abs() * (1.0 + 1e-12);
            law.friction_bounds(0.0, &[]).is_some_and(|hold| {
                hold.high > beside(f64::MIN_POSITIVE) || -hold.low > beside(-f64::MIN_POSITIVE)
            })
        };
        self.system.contacts.iter().any(|contact| excess(&contact.friction.law))
    }
}

/// The system with the law called `name` of this size at every contact that it stands in for.
pub(crate) fn regularised(system: &System, name: &str, size: f64) -> System {
    let mut other = system.clone();
    let dynamics = Dynamics::new(system);
    for (i, contact) in other.contacts.iter_mut().enumerate() {
        let felt = dynamics.as_ref().map_or(0.0, |dynamics| 1.0 / (dynamics.compliance(i) * contact.load));
        let inertia = if felt.is_finite() && felt > 0.0 { felt } else { 0.0 };
        if let Some(law) = contact.friction.law.regularised_as(name, size, inertia) {
            contact.friction.law = law;
        }
    }
    other
}

/// Phase of the component of period `period` in samples (rad), by the trapezoidal rule over the samples.
fn fundamental(t: &[f64], x: &[f64], period: f64) -> f64 {
    let (mut sine, mut cosine) = (0.0, 0.0);
    for i in 1..t.len() {
        let h = 0.5 * (t[i] - t[i - 1]);
        for k in [i - 1, i] {
            let (s, c) = libm::sincos(std::f64::consts::TAU / period * t[k]);
            sine += h * x[k] * s;
            cosine += h * x[k] * c;
        }
    }
    libm::atan2(cosine, sine)
}

/// An angle between −π and π.
fn wrap(angle: f64) -> f64 {
    angle - std::f64::consts::TAU * (angle / std::f64::consts::TAU).round()
}
