//! What the searches for periodic motions have in common: the engine, the parameter that is varied, values
//! without a motion.

use crate::facts::ColumnKind;
use crate::lens;
use crate::outcome::{Caution, Column};
use crate::resolve::Resolve;
use crate::scenario::{IntegratorKind, Scenario, SystemKind};
use stiction::harmonic::HarmonicBalance;
use stiction::law::{Graph, Law};
use stiction::ode::{Adaptive, Method};
use stiction::steady::{Steady, shooting_work};
use stiction::system::{Contact, Drive, Harmonic, Parameter, Prescribed, System, SystemNumber};
use stiction::{Error, Fault, Faults, ShortNumber, Warning};

/// The most points of a response.
pub(super) const MAX_POINTS: usize = 100_000;

/// Number of values along a parameter (-).
pub(super) fn default_points() -> usize {
    200
}

/// Tolerances of periodic motions under laws that are not polylines.
pub(super) const TIGHT: Adaptive =
    Adaptive { rtol: 1e-12, atol: 1e-14, method: Method::Auto, max_steps: 10_000_000, max_step: None };

/// A system whose periodic motions are looked for.
pub(super) struct Searched {
    pub system: System,
    pub drive: Drive,
    /// How to search, with the engine of the scenario.
    pub steady: Steady,
    /// Harmonic balance, where shooting would take too long and nothing was said about the method.
    pub chosen: Option<ChosenMethod>,
}

impl Searched {
    /// The system of a scenario and the engine of its search, with whatever is wrong noted. Harmonic balance
    /// integrates nothing; `motions` is how many are searched for, if it may be chosen instead of shooting.
    pub(super) fn resolve(
        resolve: &mut Resolve,
        scenario: &mut Scenario,
        is_harmonic: bool,
        motions: Option<usize>,
    ) -> Option<Self> {
        let prefix = scenario.system.key();
        let (system, drive) = system_of(resolve, scenario)?;
        let dof = measured(resolve, scenario, &drive)?;
        let free = motions.filter(|_| scenario.integrator.is_none() && !is_harmonic);
        let chosen = free.and_then(|motions| ChosenMethod::of(&system, motions));
        if chosen.is_some() {
            return Some(Self { system, drive, steady: Steady { dof, ..Steady::default() }, chosen });
        }
        if is_harmonic {
            if scenario.integrator.is_some() {
                let hint = "leave one of them out";
                resolve.fault(
                    "integrator",
                    "given beside harmonic_balance, which integrates nothing",
                    Some(hint),
                );
            }
            return Some(Self { system, drive, steady: Steady { dof, ..Steady::default() }, chosen });
        }
        if let Err(error) = stiction::steady::know(&system) {
            resolve.fault(prefix, error.to_string(), error.hint());
        }
        let kind = scenario.integrator.get_or_insert_with(|| IntegratorKind::suited(&system, TIGHT));
        let Some((engine, integrator)) = kind.engine() else {
            resolve.fault("integrator", "periodic motions are found by exact or adaptive", None);
            return None;
        };
        resolve.check(prefix, |faults| integrator.admit(&system, faults));
        let steady = Steady { engine: Some(engine), dof, ..Steady::default() };
        Some(Self { system, drive, steady, chosen })
    }
}

/// Periods with their derivative that a motion takes by shooting, about.
const PERIODS: f64 = 20.0;
/// Multiplications beyond which shooting is not waited for: some minutes.
const TOO_LONG: f64 = 1e12;
/// Harmonics of all friction forces at most: a matrix that is factored within a second.
const UNKNOWNS: usize = 3000;
/// Harmonic balance that nobody asked for: to a part in a thousand, or as far as some seconds go.
const QUICK: HarmonicBalance = HarmonicBalance { harmonics: 7, max_harmonics: 31, tolerance: 1e-3 };

/// Harmonic balance, chosen because shooting would take too long.
#[derive(Clone, Debug)]
pub struct ChosenMethod {
    /// The method.
    pub harmonic: HarmonicBalance,
    /// Multiplications that shooting would take.
    work: f64,
    /// Degrees of freedom.
    n: usize,
}

impl ChosenMethod {
    /// Harmonic balance for `motions` of a system, if it suits it and shooting would take too long.
    fn of(system: &System, motions: usize) -> Option<Self> {
        let work = PERIODS * motions as f64 * shooting_work(system)?;
        let harmonic = QUICK;
        let unknowns = (2 * harmonic.max_harmonics + 1).saturating_mul(system.contacts.len());
        let first = system.harmonics.first()?.omega;
        let is_periodic = |h: &Harmonic| (h.omega / first - (h.omega / first).round()).abs() < 1e-9;
        // a law that jumps takes many harmonics
        let jumps = |contact: &Contact| contact.friction.law.graph() == Graph::SetValued;
        let suits = unknowns <= UNKNOWNS
            && !system.contacts.iter().any(jumps)
            && system.harmonics.iter().all(is_periodic)
            && Faults::of(|faults| harmonic.admit(system, faults)).is_empty();
        (work > TOO_LONG && suits).then_some(Self { harmonic, work, n: system.n() })
    }

    /// Which method was chosen, and why.
    pub(super) fn note(&self) -> Caution {
        let Self { work, n, .. } = self;
        Caution {
            name: "method-chosen".into(),
            message: format!(
                "motions are found by harmonic balance: by shooting {n} degrees of freedom would take about \
                 {work:.0e} multiplications"
            ),
            hint: Some(
                "write harmonic_balance = {} to choose it yourself, reduce the model, or give an integrator for shooting"
                    .into(),
            ),
            is_failure: false,
        }
    }
}

/// The system on lines of a scenario and its loads, if nothing is wrong with them.
pub(super) fn system_of(resolve: &mut Resolve, scenario: &Scenario) -> Option<(System, Drive)> {
    if let SystemKind::Body(_) = &scenario.system {
        let hint = "use [analysis.transient]";
        resolve.fault("analysis", "a body on the plane has no periodic analysis", Some(hint));
        return None;
    }
    let before = resolve.found.len();
    let (system, drive) = resolve.system(scenario)?;
    resolve.check(scenario.system.key(), |faults| system.check(faults));
    // what follows would be consequences
    (resolve.found.len() == before).then_some((system, drive))
}

/// Notes a fault if a part of the system moves as prescribed: the motion sought is autonomous.
pub(super) fn refuse_prescribed(resolve: &mut Resolve, scenario: &Scenario, drive: &Drive, what: &str) {
    let moves =
        |prescribed: &Prescribed| prescribed.motions.iter().any(|motion| !motion.position.is_constant());
    if drive.prescribed.as_ref().is_some_and(moves) {
        let message = format!("moves, but {what}");
        let hint = "hold it at a constant position, or use [analysis.response]";
        resolve.fault(&format!("{}.prescribed", scenario.system.key()), message, Some(hint));
    }
}

/// The degree of freedom that an analysis measures, as the system that is computed numbers it; one that does
/// not exist has none there either.
pub(super) fn measured(resolve: &mut Resolve, scenario: &Scenario, drive: &Drive) -> Option<usize> {
    let (key, dof) = scenario.analysis.measured().unwrap_or(("analysis", 0));
    let Some(prescribed) = drive.prescribed.as_ref() else { return Some(resolve.dof(dof)) };
    if dof >= prescribed.n() {
        return Some(usize::MAX);
    }
    let left = prescribed.left(dof);
    if left.is_none() {
        let message = format!("degree of freedom {dof} moves as prescribed");
        resolve.fault(key, message, Some("measure one that moves freely: give dof"));
    }
    left
}

/// The number of a system that is varied.
#[derive(Clone, Debug)]
pub struct Varied {
    /// The number.
    pub parameter: Parameter,
    /// The end of its path.
    pub path: Vec<String>,
}

impl Varied {
    /// The number of the system that a key names; otherwise what is wrong, and the way out.
    pub(crate) fn find(
        resolve: &Resolve,
        key: &str,
        kind: &SystemKind,
        (system, drive): (&System, &Drive),
    ) -> Result<Self, (String, Option<String>)> {
        // documents have angular frequencies only, whatever was written
        if let Some(above) =
            key.strip_suffix("frequency").filter(|above| above.is_empty() || above.ends_with('.'))
        {
            let Self { parameter, mut path } =
                Self::find(resolve, &format!("{above}omega"), kind, (system, drive))?;
            let none = || (format!("{key} is not a frequency of a load"), None);
            path.last_mut().into_iter().for_each(|last| "frequency".clone_into(last));
            return Ok(Self { parameter: parameter.in_hertz().ok_or_else(none)?, path });
        }
        let (path, numbers) = match resolve.document.find(key, &["system"]) {
            Ok(path) if path[0] == "system" => {
                let numbers = lens::numbers(kind, &resolve.owners, &path);
                (path, numbers)
            }
            Ok(path) => {
                let message = format!("{} is not part of the system, so nothing would vary", path.join("."));
                return Err((message, Some("name a key below [system]".into())));
            }
            Err((message, hint)) => {
                shared(resolve, key, kind, (system, drive)).ok_or((message, Some(hint)))?
            }
        };
        if resolve.reduced.is_some() && numbers.iter().any(is_of_the_model) {
            let message = format!("{} belongs to the model that is reduced", path.join("."));
            return Err((message, Some("vary a load, a contact or a frequency, or leave reduce out".into())));
        }
        let acting = kind.acting();
        let has_record =
            acting.is_some_and(|acting| acting.base.iter().any(|base| base.acceleration.is_some()));
        if has_record && numbers.iter().any(|number| matches!(number, SystemNumber::Mass(_))) {
            return Err(("a mass, which the record of a base loads, cannot vary".into(), None));
        }
        let has_springs = acting.is_some_and(|acting| !acting.spring.is_empty());
        if has_springs && numbers.iter().any(|number| matches!(number, SystemNumber::Stiffness(_))) {
            return Err(("a stiffness beside springs of straight pieces cannot vary".into(), None));
        }
        let missing = || (format!("{} is not a number of the system", path.join(".")), None);
        let parameter = Parameter::new(system, drive.clone(), numbers).ok_or_else(missing)?;
        Ok(Self { parameter, path })
    }

    /// The column of its values.
    pub(super) fn column(&self, system: &System, values: Vec<f64>) -> Column {
        let column = Column::new(ColumnKind::Parameter, values);
        let key = self.path.last().map_or("parameter", String::as_str);
        // a response has columns of these names too
        let is_taken = matches!(key, "amplitude" | "phase" | "period" | "position" | "velocity");
        let above = self.path.iter().rev().skip(1).find(|part| part.parse::<usize>().is_err());
        let name = match above {
            Some(above) if is_taken || key.parse::<usize>().is_ok() => format!("{above}_{key}"),
            _ => key.to_owned(),
        };
        let (symbol, unit) = self.parameter.symbol_and_unit(system);
        Column { symbol: symbol.into(), unit: unit.into(), ..column.named(name) }
    }
}

/// A range of values as a scenario gives it.
pub(super) struct ParameterRange<'a> {
    pub prefix: &'static str,
    pub parameter: &'a str,
    pub ends: [f64; 2],
    pub points: usize,
}

impl ParameterRange<'_> {
    /// The number that is varied, after both ends of its range have been checked; the values between are when
    /// they are reached.
    pub(super) fn resolve(
        &self,
        resolve: &mut Resolve,
        kind: &SystemKind,
        (system, drive): (&System, &Drive),
    ) -> Option<Varied> {
        let Self { prefix, parameter: key, ends, points } = *self;
        if !(2..=MAX_POINTS).contains(&points) {
            resolve.fault(
                &format!("{prefix}.points"),
                format!("{points}, but it must be from 2 to {MAX_POINTS}"),
                None,
            );
            return None;
        }
        if ends[0] == ends[1] {
            resolve.fault(
                &format!("{prefix}.to"),
                format!("{}, but it must differ from `from`", ShortNumber(ends[1])),
                None,
            );
        }
        let varied = match Varied::find(resolve, key, kind, (system, drive)) {
            Ok(varied) => varied,
            Err((message, hint)) => {
                resolve.fault(&format!("{prefix}.parameter"), message, hint.as_deref());
                return None;
            }
        };
        for (name, value) in ["from", "to"].iter().zip(ends) {
            let faults = Faults::of(|faults| varied.parameter.check(system, value, faults));
            if let Some(Fault { error, .. }) = faults.first() {
                resolve.fault(&format!("{prefix}.{name}"), format!("{key} = {error}"), error.hint());
            }
        }
        Some(varied)
    }

    /// The values, both ends included; a number of points that is refused takes no memory.
    pub(super) fn values(&self) -> Vec<f64> {
        let ([from, to], n) = (self.ends, self.points.clamp(2, MAX_POINTS) - 1);
        (0..=n).map(|i| if i == n { to } else { from + (to - from) * i as f64 / n as f64 }).collect()
    }
}

/// Whether a number is one that the reduction was made for.
fn is_of_the_model(number: &SystemNumber) -> bool {
    matches!(
        number,
        SystemNumber::Mass(_)
            | SystemNumber::Damping(_)
            | SystemNumber::Stiffness(_)
            | SystemNumber::Position(_)
            | SystemNumber::Velocity(_)
            | SystemNumber::ContactDirection(_)
            | SystemNumber::LoadDirection(_)
            | SystemNumber::BaseDirection(_)
    )
}

/// A frequency that several loads, base motions and prescribed motions have in common is one parameter.
fn shared(
    resolve: &Resolve,
    key: &str,
    kind: &SystemKind,
    (system, drive): (&System, &Drive),
) -> Option<(Vec<String>, Vec<SystemNumber>)> {
    let paths = resolve.document.places(key);
    let found: Vec<Vec<SystemNumber>> =
        paths.iter().map(|path| lens::numbers(kind, &resolve.owners, path)).collect();
    if found.iter().any(Vec::is_empty) {
        return None;
    }
    let numbers = found.concat();
    let value = |number: &SystemNumber| {
        let lens = Parameter::new(system, drive.clone(), vec![number.clone()])?;
        number.is_frequency().then(|| lens.get(system))
    };
    let first = value(numbers.first()?)?;
    let is_shared = numbers.iter().all(|number| value(number) == Some(first));
    is_shared.then(|| (key.split('.').map(str::to_owned).collect(), numbers))
}

/// Values of the parameter that have no motion, with the reason of the first.
pub(super) fn missing_values(missing: &[(f64, &Error)]) -> Option<Caution> {
    let (first, error) = missing.first()?;
    let warning = Warning::ValuesMissing { n: missing.len(), first: *first, because: error.to_string() };
    Some(Caution::from(&warning))
}
