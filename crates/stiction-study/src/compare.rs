//! Which regularisation, and how wide? Several laws against friction that really rests, for the user's own system.
//!
//! The reference is any set-valued law of the velocity. What can stand in for it has a transition of some width in place of the jump, and beyond
//! it the same curve: five laws for `coulomb`, a tanh for `stribeck` and `expression`, a straight ramp for `polyline`.

use crate::facts::FactKind;
use crate::study::Study;
use crate::task::{Task, TransientTask};
use keyed::{Diagnostic, closest};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stiction::law::{FrictionLaw, Law, Slip};
use stiction::ode::{Adaptive, Work};
use stiction::simulate::{Integrator, Plan, Record, drive};
use stiction::system::{Contact, System};
use stiction::{Error, Progress};

/// How far a regularised run is from the exact one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Errors {
    /// Largest distance of a position at a sample (m).
    pub trajectory: f64,
    /// Half the peak-to-peak of the first position, relative to the exact one (-).
    pub amplitude: f64,
    /// Phase of the first position's fundamental (rad); NaN without a harmonic load.
    pub phase: f64,
    /// Energy lost in friction, relative to the exact one (-).
    pub dissipation: f64,
    /// Part of the time in stick, difference (-).
    pub stick_fraction: f64,
    /// Largest speed of a contact that rests in truth (m/s).
    pub creep: f64,
}

/// One of the errors, which can be asked to be small.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Criterion {
    /// Largest distance of a position at a sample.
    Trajectory,
    /// Half the peak-to-peak of the first position, relative to the exact one.
    Amplitude,
    /// Phase of the first position's fundamental.
    Phase,
    /// Energy lost in friction, relative to the exact one.
    Dissipation,
    /// Part of the time in stick.
    StickFraction,
    /// Largest speed of a contact that rests in truth.
    Creep,
}

impl Criterion {
    /// All of them, in the order of the tables.
    pub const ALL: [Self; 6] =
        [Self::Trajectory, Self::Amplitude, Self::Phase, Self::Dissipation, Self::StickFraction, Self::Creep];

    /// The criterion called `name`.
    pub fn named(name: &str) -> Result<Self, Vec<Diagnostic>> {
        let names = || Self::ALL.into_iter().map(Self::name);
        Self::ALL.into_iter().find(|one| one.name() == name).ok_or_else(|| {
            let hint = closest(name, names()).map_or_else(
                || format!("one of: {}", names().collect::<Vec<_>>().join(", ")),
                |word| format!("did you mean {word}?"),
            );
            argument("criterion", format!("no error is called {name}"), Some(hint))
        })
    }

    /// The name that users write.
    pub fn name(self) -> &'static str {
        match self {
            Self::Trajectory => "trajectory",
            Self::Amplitude => "amplitude",
            Self::Phase => "phase",
            Self::Dissipation => "dissipation",
            Self::StickFraction => "stick-fraction",
            Self::Creep => "creep",
        }
    }

    /// The name of its column.
    pub fn column(self) -> String {
        self.name().replace('-', "_")
    }

    /// SI unit, `-` for a pure number.
    pub fn unit(self) -> &'static str {
        self.fact().row().unit
    }

    /// The fact of a run that is compared.
    pub(crate) fn fact(self) -> FactKind {
        match self {
            Self::Trajectory => FactKind::ErrorTrajectory,
            Self::Amplitude => FactKind::ErrorAmplitude,
            Self::Phase => FactKind::ErrorPhase,
            Self::Dissipation => FactKind::ErrorDissipation,
            Self::StickFraction => FactKind::ErrorStickFraction,
            Self::Creep => FactKind::ErrorCreep,
        }
    }
}

impl Errors {
    /// The error, with its sign.
    pub fn get(&self, criterion: Criterion) -> f64 {
        match criterion {
            Criterion::Trajectory => self.trajectory,
            Criterion::Amplitude => self.amplitude,
            Criterion::Phase => self.phase,
            Criterion::Dissipation => self.dissipation,
            Criterion::StickFraction => self.stick_fraction,
            Criterion::Creep => self.creep,
        }
    }
}

/// One law of one width against the truth.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ErrorRow {
    /// Name of the law.
    pub law: &'static str,
    /// Its width (m/s).
    pub width: f64,
    /// How wrong it is.
    #[serde(flatten)]
    pub errors: Errors,
    /// What it cost.
    pub work: Work,
}

/// A law that stands in for friction that really rests.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StandIn {
    /// Name of the law, such as `tanh`.
    pub law: String,
    /// Width of its transition (m/s).
    pub width: f64,
}

impl StandIn {
    /// The law's name and width, if it stands in for those of all contacts.
    pub(crate) fn resolve(&self, contacts: &[Contact]) -> Result<(&'static str, f64), Vec<Diagnostic>> {
        let rests = |contact: &Contact| really_rests(&contact.friction.law);
        if contacts.is_empty() || !contacts.iter().all(rests) {
            return Err(vec![nothing_rests("")]);
        }
        let at = |key: &'static str| {
            move |mut list: Vec<Diagnostic>| {
                list.iter_mut().for_each(|fault| fault.key = format!(".{key}"));
                list
            }
        };
        let laws = stands_in(&[&self.law], contacts).map_err(at("law"))?;
        check_widths(&[self.width]).map_err(at("width"))?;
        Ok((laws[0], self.width))
    }
}

/// A system under friction that really rests, ready to be compared with.
pub struct Truth {
    system: System,
    plan: Plan,
    period: Option<f64>,
    record: Record,
}

/// Widths to compare when none are given, as parts of the largest sliding speed.
const PARTS: [f64; 7] = [0.3, 0.1, 0.03, 0.01, 1e-3, 1e-4, 1e-5];

/// A fault of an argument.
fn argument(key: &str, message: String, hint: Option<String>) -> Vec<Diagnostic> {
    vec![Diagnostic { key: key.into(), message, place: None, hint }]
}

/// The laws called `names` among those that stand in for the laws of a motion; all of them if there are no names.
pub fn regularised_laws<S: AsRef<str>>(
    names: &[S],
    motion: &TransientTask,
) -> Result<Vec<&'static str>, Vec<Diagnostic>> {
    stands_in(names, &motion.system.contacts)
}

fn stands_in<S: AsRef<str>>(names: &[S], contacts: &[Contact]) -> Result<Vec<&'static str>, Vec<Diagnostic>> {
    let fits =
        |name: &&str| contacts.iter().all(|contact| contact.friction.law.regularised_as(name, 1.0).is_some());
    let known: Vec<&'static str> = FrictionLaw::REGULARISED.iter().copied().filter(fits).collect();
    if known.is_empty() {
        let message = "no law stands in for those of all contacts".to_owned();
        return Err(argument("laws", message, Some("give all contacts the same kind of law".into())));
    }
    if names.is_empty() {
        return Ok(known);
    }
    let law = contacts.first().map_or("coulomb", |contact| contact.friction.law.name());
    let find = |name: &S| {
        let name = name.as_ref();
        known.iter().copied().find(|law| *law == name).ok_or_else(|| {
            let hint = closest(name, known.iter().copied()).map_or_else(
                || format!("one of: {}", known.join(", ")),
                |word| format!("did you mean {word}?"),
            );
            argument("laws", format!("no law that stands in for {law} is called {name}"), Some(hint))
        })
    };
    names.iter().map(find).collect()
}

/// Widths that can be compared.
pub fn check_widths(widths: &[f64]) -> Result<(), Vec<Diagnostic>> {
    match widths.iter().find(|w| !(w.is_finite() && **w > 0.0)) {
        Some(width) => Err(argument("widths", format!("{width}, but a width must be positive"), None)),
        None => Ok(()),
    }
}

/// A tolerance that can be met.
pub fn check_tolerance(tolerance: f64) -> Result<(), Vec<Diagnostic>> {
    if !(tolerance.is_finite() && tolerance > 0.0) {
        return Err(argument("tolerance", format!("{tolerance}, but it must be positive"), None));
    }
    Ok(())
}

/// Every law at every width; without widths at some parts of the largest sliding speed (m/s).
pub fn pairs(laws: &[&'static str], widths: &[f64], speed: f64) -> Vec<(&'static str, f64)> {
    let defaults: Vec<f64> = PARTS.iter().map(|part| part * speed).collect();
    let widths = if widths.is_empty() { &defaults } else { widths };
    laws.iter().flat_map(|law| widths.iter().map(|width| (*law, *width))).collect()
}

/// Tolerance of a reference with a curved law: rounding is not far.
const TRUE_RTOL: f64 = 1e-12;
/// Tolerance of the regularised runs: far below the error of any width of interest.
const RTOL: f64 = 1e-9;

/// Ratio of two widths that are tried one after the other: four to a decade.
const GROWTH: f64 = 1.778_279_410_038_922_8;
/// The narrowest width that is tried, as a part of the largest speed.
const NARROWEST: f64 = 1e-6;
/// Widths from there to the largest speed, and halvings of the last ratio down to one percent.
const MOST_ROWS: f64 = 25.0 + 6.0;

/// The motion of a study to which regularised laws can be compared: every contact has a law that really rests.
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
                "only motions from an initial state are compared",
                "write [analysis.transient], long enough to show what you ask for",
            ));
        }
    };
    let contacts = &motion.system.contacts;
    if contacts.is_empty() || !contacts.iter().all(|e| really_rests(&e.friction.law)) {
        return Err(vec![nothing_rests("")]);
    }
    Ok(motion)
}

/// Whether some regularised law stands in for this one.
fn really_rests(law: &FrictionLaw) -> bool {
    FrictionLaw::REGULARISED.iter().any(|name| law.regularised_as(name, 1.0).is_some())
}

fn nothing_rests(key: &str) -> Diagnostic {
    Diagnostic {
        key: key.into(),
        message: "every contact must have a law that really rests, which the others are compared with".into(),
        place: None,
        hint: Some(
            "write friction.coulomb = { mu = … }, or stribeck without width, polyline, expression".into(),
        ),
    }
}

impl Truth {
    /// Runs a [comparable](require_set_valued_transient) motion exactly, or as nearly as steps allow where a law is curved. `progress` is told the fraction done now and then.
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
        if name == "coulomb" {
            "exact Coulomb friction".into()
        } else {
            format!("the {name} law, which really rests,")
        }
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

    /// The same system under the law called `name` with this width. `progress` is told the fraction done.
    pub fn row(&self, name: &'static str, width: f64, progress: &mut Progress) -> Result<ErrorRow, Error> {
        let mut system = self.system.clone();
        for contact in &mut system.contacts {
            if let Some(law) = contact.friction.law.regularised_as(name, width) {
                contact.friction.law = law;
            }
        }
        let integrator = Integrator::Adaptive(Adaptive { rtol: RTOL, ..Adaptive::default() });
        let record = drive(&system, &integrator, &self.plan, progress)?;
        Ok(ErrorRow { law: name, width, errors: self.errors(&record), work: record.work })
    }

    fn errors(&self, record: &Record) -> Errors {
        let (truth, found) = (&self.record.samples, &record.samples);
        let distance = |a: &[Vec<f64>], b: &[Vec<f64>]| {
            let pairs = a.iter().flatten().zip(b.iter().flatten());
            pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
        };
        let half = |record: &Record| record.ranges.first().map_or(0.0, |r| 0.5 * (r.max - r.min));
        let mean_stick = |record: &Record| {
            let all: Vec<f64> = record.stick_fraction.iter().flatten().copied().collect();
            all.iter().sum::<f64>() / all.len().max(1) as f64
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

    /// The widest transition up to which `criterion` stays below `tolerance`, known to one percent; `None` if not even a
    /// millionth of the largest speed is narrow enough. Widths are tried from narrow to wide, because an error may pass
    /// through zero again at a width where everything else is wrong. `progress` is told the part of the longest search done.
    pub fn widest(
        &self,
        name: &'static str,
        criterion: Criterion,
        tolerance: f64,
        progress: &mut Progress,
    ) -> Result<Option<ErrorRow>, Error> {
        let fits = |row: &ErrorRow| row.errors.get(criterion).abs() <= tolerance;
        let speed = self.speed();
        let mut best = None;
        let mut wide = NARROWEST * speed;
        let mut n_rows = 0.0;
        let mut next_row = |width: f64| {
            let part = &mut progress.part(n_rows / MOST_ROWS, (n_rows + 1.0) / MOST_ROWS);
            let row = self.row(name, width, part);
            n_rows += 1.0;
            row
        };
        loop {
            let row = next_row(wide)?;
            if !fits(&row) {
                break;
            }
            best = Some(row);
            if wide >= speed {
                return Ok(best);
            }
            wide = (wide * GROWTH).min(speed);
        }
        let Some(mut best) = best else { return Ok(None) };
        while wide / best.width > 1.01 {
            let width = (best.width * wide).sqrt();
            let row = next_row(width)?;
            if fits(&row) {
                best = row;
            } else {
                wide = width;
            }
        }
        Ok(Some(best))
    }

    /// Whether some contact has more static than kinetic friction, which no regularised law has: its error stays.
    pub fn has_static_excess(&self) -> bool {
        let excess = |law: &FrictionLaw| {
            let beside = |v: f64| law.coefficient(Slip::at(v)).abs() * (1.0 + 1e-12);
            law.hold(0.0).is_some_and(|hold| {
                hold.high > beside(f64::MIN_POSITIVE) || -hold.low > beside(-f64::MIN_POSITIVE)
            })
        };
        self.system.contacts.iter().any(|contact| excess(&contact.friction.law))
    }
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
