//! From a scenario as written to a checked study, and from there to its outcome.

use crate::diagnostic::Diagnostic;
use crate::document::Document;
use crate::outcome::Outcome;
use crate::read;
use crate::scenario::{
    AnalysisKind, Base, Contact, FixedStep, IntegratorKind, Load, Matrices, MatrixForm, OneOrMany,
    Oscillator, Scenario, SystemKind, Transient, schema,
};
use stiction::integrate::{Integrator, MAX_STEPS, Plan, drive};
use stiction::law::Friction;
use stiction::matrix::Matrix;
use stiction::system::{Element, Harmonic, System};
use stiction::{Error, Faults};

/// A scenario that has passed every check, in the core's types.
#[derive(Clone, Debug)]
pub struct Study {
    /// The scenario, with all defaults filled in.
    pub scenario: Scenario,
    /// The system.
    pub system: System,
    /// The method.
    pub integrator: Integrator,
    /// What to integrate, and what to keep.
    pub plan: Plan,
}

/// The most samples of a grid: more than any figure or spreadsheet shows.
const MAX_SAMPLES: usize = 1_000_000;

impl Study {
    /// Reads a scenario; `name` is the file's, for messages, and `sets` are overrides `key=value`.
    pub fn read(name: &str, text: &str, sets: &[String]) -> Result<Self, Vec<Diagnostic>> {
        Self::from_document(read::parsed(name, text, sets, &schema())?)
    }

    /// Checks a scenario. All errors are found in one go.
    pub fn from_document(document: Document) -> Result<Self, Vec<Diagnostic>> {
        read::checked(document, &schema(), |document, scenario| Resolve::new(document).study(scenario))
    }

    /// Runs the study. `progress` is told the fraction done now and then, and may stop the run by `false`.
    pub fn run(&self, progress: &mut dyn FnMut(f64) -> bool) -> Result<Outcome, Error> {
        let t_end = self.plan.t_end;
        let record = drive(&self.system, &self.integrator, &self.plan, &mut |t| progress(t / t_end))?;
        let (n, m) = (self.system.n(), self.system.elements.len());
        Ok(Outcome::from_record(&self.scenario.title, self.system.period(), n, m, record))
    }
}

/// Turns a scenario into core types and notes what is wrong with it.
struct Resolve<'a> {
    document: &'a Document,
    found: Vec<Diagnostic>,
}

impl<'a> Resolve<'a> {
    fn new(document: &'a Document) -> Self {
        Self { document, found: Vec::new() }
    }

    fn fault(&mut self, key: &str, message: impl Into<String>, hint: Option<&str>) {
        // one fault at a key: the others are its consequences
        if !self.found.iter().any(|found| found.key == key) {
            self.found.push(self.document.diagnose(key, message.into(), hint.map(str::to_owned)));
        }
    }

    /// Takes over what a check of the core found, below `prefix`.
    fn check(&mut self, prefix: &str, check: impl FnOnce(&mut Faults)) -> bool {
        let faults = Faults::of(check);
        for fault in &faults {
            let key = format!("{prefix}.{}", fault.key);
            let hint = fault.error.hint();
            // a single table stands for a list of one: leave its number out of the path
            let key = if self.is_list(&key) {
                key
            } else {
                key.split('.').filter(|s| s.parse::<usize>().is_err()).collect::<Vec<_>>().join(".")
            };
            self.fault(&key, fault.error.to_string(), hint);
        }
        faults.is_empty()
    }

    /// Whether the first number in a path counts in a list of the document.
    fn is_list(&self, key: &str) -> bool {
        let above: Vec<&str> = key.split('.').take_while(|s| s.parse::<usize>().is_err()).collect();
        matches!(self.document.nearest(&above.join(".")).value, crate::document::Value::Array(_))
    }

    fn study(mut self, scenario: Scenario) -> Result<Study, Vec<Diagnostic>> {
        let (prefix, system) = match &scenario.system {
            SystemKind::Oscillator(oscillator) => ("system.oscillator", self.oscillator(oscillator)),
            SystemKind::Matrices(matrices) => ("system.matrices", self.matrices(matrices)),
        };
        let is_sound = self.check(prefix, |faults| system.check(faults));
        let AnalysisKind::Transient(transient) = &scenario.analysis;
        let period = system.period().filter(|period| period.is_finite() && *period > 0.0);
        // a faulty load hides the period: what depends on it is checked with some other
        let hides_period = |d: &Diagnostic| [".force", ".base"].iter().any(|list| d.key.contains(list));
        let period = period.or_else(|| self.found.iter().any(hides_period).then_some(1.0));
        let plan = self.plan(transient, period);
        let integrator = self.integrator(&scenario.integrator, period, plan.as_ref());
        if let Some(integrator) = integrator.as_ref().filter(|_| is_sound) {
            self.check(prefix, |faults| integrator.admit(&system, faults));
        }
        match (plan, integrator) {
            (Some(plan), Some(integrator)) if self.found.is_empty() => {
                Ok(Study { scenario, system, integrator, plan })
            }
            _ => Err(self.found),
        }
    }

    fn oscillator(&mut self, o: &Oscillator) -> System {
        let mut system = System::oscillator(o.mass, o.damping, o.stiffness);
        system.position = vec![o.initial.position];
        system.velocity = vec![o.initial.velocity];
        self.surroundings("system.oscillator", &mut system, &o.force, &o.base, &o.friction);
        system
    }

    fn matrices(&mut self, m: &Matrices) -> System {
        let mass = matrix(&m.mass);
        let n = mass.n_rows;
        let or_zero = |form: &Option<MatrixForm>| form.as_ref().map_or_else(|| Matrix::zeros(n, n), matrix);
        let vector = |values: &Option<Vec<f64>>| values.clone().unwrap_or_else(|| vec![0.0; n]);
        let mut system = System {
            damping: or_zero(&m.damping),
            stiffness: or_zero(&m.stiffness),
            mass,
            elements: Vec::new(),
            constant: vec![0.0; n],
            harmonics: Vec::new(),
            position: vector(&m.initial.position),
            velocity: vector(&m.initial.velocity),
        };
        for (key, form) in
            [("mass", Some(&m.mass)), ("damping", m.damping.as_ref()), ("stiffness", m.stiffness.as_ref())]
        {
            if let Some(MatrixForm::Rows(rows)) = form
                && let Some(row) = rows.iter().position(|row| row.len() != rows.len())
            {
                let message = format!(
                    "not square: row {row} has {} numbers, but there are {} rows",
                    rows[row].len(),
                    rows.len()
                );
                self.fault(&format!("system.matrices.{key}"), message, None);
            }
        }
        self.surroundings("system.matrices", &mut system, &m.force, &m.base, &m.friction);
        system
    }

    /// Loads, base motion and contacts.
    fn surroundings(
        &mut self,
        prefix: &str,
        system: &mut System,
        force: &OneOrMany<Load>,
        base: &OneOrMany<Base>,
        friction: &OneOrMany<Contact>,
    ) {
        let n = system.n();
        let path = |list: &str, of: &OneOrMany<Load>, i: usize| match of {
            OneOrMany::One(_) => format!("{prefix}.{list}"),
            OneOrMany::Many(_) => format!("{prefix}.{list}.{i}"),
        };
        for (i, load) in force.iter().enumerate() {
            let key = path("force", force, i);
            let direction = self.direction(&key, n, load.dof, load.direction.as_ref());
            let mut is_sound = self.check(&key, |faults| {
                faults.finite("constant", load.constant);
                faults.finite("amplitude", load.amplitude);
                faults.finite("phase", load.phase);
                if let Some(omega) = load.omega {
                    faults.positive("omega", omega);
                }
            });
            if load.amplitude != 0.0 && load.omega.is_none() {
                self.fault(&format!("{key}.amplitude"), "given without omega, which it needs", None);
                is_sound = false;
            }
            if !is_sound || direction.len() != n {
                continue;
            }
            for (constant, w) in system.constant.iter_mut().zip(&direction) {
                *constant += load.constant * w;
            }
            if let Some(omega) = load.omega {
                let amplitude = direction.iter().map(|w| load.amplitude * w).collect();
                system.harmonics.push(Harmonic { amplitude, omega, phase: load.phase });
            }
        }
        for (i, base_i) in base.iter().enumerate() {
            let key = match base {
                OneOrMany::One(_) => format!("{prefix}.base"),
                OneOrMany::Many(_) => format!("{prefix}.base.{i}"),
            };
            let is_sound = self.check(&key, |faults| {
                faults.finite("amplitude", base_i.amplitude);
                faults.positive("omega", base_i.omega);
                faults.finite("phase", base_i.phase);
            });
            let direction = base_i.direction.clone().unwrap_or_else(|| vec![1.0; n]);
            if direction.len() != n || direction.iter().any(|w| !w.is_finite()) {
                self.fault(&format!("{key}.direction"), format!("there must be {n} finite numbers"), None);
            } else if is_sound {
                system.shake(&direction, base_i.amplitude, base_i.omega, base_i.phase);
            }
        }
        for (i, contact) in friction.iter().enumerate() {
            let key = match friction {
                OneOrMany::One(_) => format!("{prefix}.friction"),
                OneOrMany::Many(_) => format!("{prefix}.friction.{i}"),
            };
            system.elements.push(Element {
                friction: Friction { law: contact.law.clone(), viscous: contact.viscous },
                load: contact.load,
                direction: self.direction(&key, n, contact.dof, contact.direction.as_ref()),
                belt: contact.belt,
            });
        }
    }

    /// The direction that `dof` or `direction` gives.
    fn direction(
        &mut self,
        key: &str,
        n: usize,
        dof: Option<usize>,
        direction: Option<&Vec<f64>>,
    ) -> Vec<f64> {
        let unit = |i: usize| (0..n).map(|k| if k == i { 1.0 } else { 0.0 }).collect();
        match (dof, direction) {
            (Some(_), Some(_)) => {
                self.fault(&format!("{key}.dof"), "given beside direction, but there must be one", None);
                unit(0)
            }
            (None, Some(direction)) => direction.clone(),
            (Some(dof), None) if dof < n => unit(dof),
            (Some(dof), None) => {
                let message = format!("{dof}, but the degrees of freedom are 0 to {}", n.saturating_sub(1));
                self.fault(&format!("{key}.dof"), message, None);
                unit(0)
            }
            (None, None) if n <= 1 => unit(0),
            (None, None) => {
                let hint = "say which degree of freedom, from 0, or give a direction";
                self.fault(key, "neither dof nor direction is given", Some(hint));
                unit(0)
            }
        }
    }

    fn plan(&mut self, transient: &Transient, period: Option<f64>) -> Option<Plan> {
        let key = |name: &str| format!("analysis.transient.{name}");
        let before = self.found.len();
        // length of the run in the unit of the window, and that unit in seconds
        let (length, unit, what) = match (transient.periods, transient.duration) {
            (Some(_), Some(_)) => {
                self.fault(&key("duration"), "given beside periods, but there must be one", None);
                return None;
            }
            (Some(periods), None) => match period {
                Some(period) => (periods, period, "periods"),
                None => {
                    let hint = "give duration in seconds instead, or a force with omega";
                    self.fault(&key("periods"), "there is no harmonic load that sets a period", Some(hint));
                    return None;
                }
            },
            (None, Some(duration)) => (duration, 1.0, "duration"),
            (None, None) => match period {
                Some(period) => (20.0, period, "periods"),
                None => {
                    let hint = "add [analysis.transient] with duration = … (s)";
                    self.fault(
                        "analysis.transient",
                        "duration is missing: no harmonic load sets a period",
                        Some(hint),
                    );
                    return None;
                }
            },
        };
        if !self.check("analysis.transient", |faults| {
            faults.positive(what, length);
        }) {
            return None;
        }
        let t_end = length * unit;
        if !t_end.is_finite() {
            self.fault(&key(what), format!("{length} is too long"), None);
            return None;
        }
        let [a, b] = transient.window.unwrap_or([0.0, length]);
        if !(0.0 <= a && a < b && b <= length) {
            let message =
                format!("[{a}, {b}], but it must ascend within [0, {length}], the length of the run");
            self.fault(&key("window"), message, None);
            return None;
        }
        let window = [a * unit, if b == length { t_end } else { b * unit }];
        let times = match &transient.times {
            Some(times) => {
                if times.iter().any(|t| !(0.0..=t_end).contains(t)) || times.windows(2).any(|w| w[0] > w[1]) {
                    let message =
                        format!("the times must ascend within [0, {t_end}] s, the length of the run");
                    self.fault(&key("times"), message, None);
                }
                times.clone()
            }
            None if !(2..=MAX_SAMPLES).contains(&transient.samples) => {
                let message = format!("{}, but it must be from 2 to {MAX_SAMPLES}", transient.samples);
                self.fault(&key("samples"), message, None);
                Vec::new()
            }
            None => {
                let n = transient.samples - 1;
                let at = |i: usize| window[0] + (window[1] - window[0]) * i as f64 / n as f64;
                (0..=n).map(|i| if i == n { window[1] } else { at(i) }).collect()
            }
        };
        let plan = Plan { t_end, window, times, lands_on_times: transient.times.is_some() };
        (self.found.len() == before).then_some(plan)
    }

    fn integrator(
        &mut self,
        kind: &IntegratorKind,
        period: Option<f64>,
        plan: Option<&Plan>,
    ) -> Option<Integrator> {
        Some(match kind {
            IntegratorKind::Incremental(fixed) => {
                Integrator::Incremental { step: self.step("integrator.incremental", fixed, period, plan)? }
            }
            IntegratorKind::Rk4(fixed) => {
                Integrator::Rk4 { step: self.step("integrator.rk4", fixed, period, plan)? }
            }
            IntegratorKind::Adaptive(adaptive) => {
                if !self.check("integrator.adaptive", |faults| adaptive.check(faults)) {
                    return None;
                }
                Integrator::Adaptive(adaptive.clone())
            }
            IntegratorKind::Exact(_) => Integrator::Exact,
        })
    }

    /// Length of a fixed step (s).
    fn step(
        &mut self,
        key: &str,
        fixed: &FixedStep,
        period: Option<f64>,
        plan: Option<&Plan>,
    ) -> Option<f64> {
        let (name, step) = match (fixed.step, fixed.steps_per_period) {
            (Some(step), None) => {
                self.check(key, |faults| {
                    faults.positive("step", step);
                });
                ("step", step)
            }
            (None, Some(steps)) => {
                let is_sound = self.check(key, |faults| {
                    faults.positive("steps_per_period", steps);
                });
                let Some(period) = period.filter(|_| is_sound) else {
                    if is_sound {
                        let message = "there is no harmonic load that sets a period";
                        self.fault(
                            &format!("{key}.steps_per_period"),
                            message,
                            Some("give step in seconds instead"),
                        );
                    }
                    return None;
                };
                ("steps_per_period", period / steps)
            }
            (Some(_), Some(_)) => {
                let message = "given beside steps_per_period, but there must be one";
                self.fault(&format!("{key}.step"), message, None);
                return None;
            }
            (None, None) => {
                self.fault(key, "neither step (s) nor steps_per_period is given", None);
                return None;
            }
        };
        if let Some(plan) = plan
            && plan.t_end / step > MAX_STEPS
        {
            let error = Error::TooLong { wanted: plan.t_end / step, limit: MAX_STEPS };
            self.fault(&format!("{key}.{name}"), error.to_string(), error.hint());
            return None;
        }
        (step > 0.0 && step.is_finite()).then_some(step)
    }
}

/// A matrix from its rows or its diagonal. Rows of unequal length are padded; they have been reported by then.
fn matrix(form: &MatrixForm) -> Matrix {
    match form {
        MatrixForm::Diagonal(diagonal) => Matrix::diagonal(diagonal),
        MatrixForm::Rows(rows) => {
            let n = rows.len();
            let mut matrix = Matrix::zeros(n, n);
            for (i, row) in rows.iter().enumerate() {
                for (j, value) in row.iter().take(n).enumerate() {
                    *matrix.at_mut(i, j) = *value;
                }
            }
            matrix
        }
    }
}
