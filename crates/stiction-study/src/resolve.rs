//! From a scenario to the core's types, with everything that is wrong noted at its key.

use crate::diagnostic::Diagnostic;
use crate::document::{Document, Value};
use crate::scenario::{
    AnalysisKind, Base, Contact, FixedStep, IntegratorKind, Load, Matrices, MatrixForm, OneOrMany,
    Oscillator, Scenario, SystemKind, Transient,
};
use crate::study::{Motion, Slide, Study, Task};
use stiction::body::Body;
use stiction::integrate::{Adaptive, Integrator, MAX_STEPS, Plan};
use stiction::law::Friction;
use stiction::matrix::Matrix;
use stiction::system::{Element, Harmonic, System};
use stiction::{Error, Faults};

/// The most samples of a grid: more than any figure or spreadsheet shows.
const MAX_SAMPLES: usize = 1_000_000;

/// Turns a scenario into core types and notes what is wrong with it.
pub(crate) struct Resolve<'a> {
    pub(crate) document: &'a Document,
    pub(crate) found: Vec<Diagnostic>,
}

impl<'a> Resolve<'a> {
    pub fn new(document: &'a Document) -> Self {
        Self { document, found: Vec::new() }
    }

    pub(crate) fn fault(&mut self, key: &str, message: impl Into<String>, hint: Option<&str>) {
        // one fault at a key: the others are its consequences
        if !self.found.iter().any(|found| found.key == key) {
            self.found.push(self.document.diagnose(key, message.into(), hint.map(str::to_owned)));
        }
    }

    /// Takes over what a check of the core found, below `prefix`.
    pub(crate) fn check(&mut self, prefix: &str, check: impl FnOnce(&mut Faults)) -> bool {
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
        matches!(self.document.nearest(&above.join(".")).value, Value::Array(_))
    }

    pub fn study(mut self, mut scenario: Scenario) -> Result<Study, Vec<Diagnostic>> {
        let transient = match scenario.analysis.clone() {
            AnalysisKind::Transient(transient) => transient,
            other => {
                let periodic = self.periodic(&mut scenario, other);
                return match periodic {
                    Some(periodic) if self.found.is_empty() => {
                        Ok(Study { scenario, task: Task::Periodic(Box::new(periodic)) })
                    }
                    _ => Err(self.found),
                };
            }
        };
        let task = match scenario.system.clone() {
            SystemKind::Oscillator(oscillator) => {
                let system = self.oscillator(&oscillator);
                self.motion("system.oscillator", system, &mut scenario, &transient).map(Task::Motion)
            }
            SystemKind::Matrices(matrices) => {
                let system = self.matrices(&matrices);
                self.motion("system.matrices", system, &mut scenario, &transient).map(Task::Motion)
            }
            SystemKind::Body(body) => self.slide(*body, &mut scenario, transient).map(Task::Slide),
        };
        match task {
            Some(task) if self.found.is_empty() => Ok(Study { scenario, task }),
            _ => Err(self.found),
        }
    }

    fn motion(
        &mut self,
        prefix: &str,
        system: System,
        scenario: &mut Scenario,
        transient: &Transient,
    ) -> Option<Motion> {
        let is_sound = self.check(prefix, |faults| system.check(faults));
        let period = system.period().filter(|period| period.is_finite() && *period > 0.0);
        // a faulty load hides the period: what depends on it is checked with some other
        let hides_period = |d: &Diagnostic| [".force", ".base"].iter().any(|list| d.key.contains(list));
        let period = period.or_else(|| self.found.iter().any(hides_period).then_some(1.0));
        let plan = self.plan(transient, period);
        let kind =
            scenario.integrator.get_or_insert_with(|| IntegratorKind::Adaptive(Adaptive::default())).clone();
        let integrator = self.integrator(&kind, period, plan.as_ref());
        if let Some(integrator) = integrator.as_ref().filter(|_| is_sound) {
            self.check(prefix, |faults| integrator.admit(&system, faults));
        }
        Some(Motion { system, integrator: integrator?, plan: plan? })
    }

    /// The system on lines, with whatever is wrong noted; `None` for a body.
    pub fn system(&mut self, kind: &SystemKind) -> Option<System> {
        match kind {
            SystemKind::Oscillator(oscillator) => Some(self.oscillator(oscillator)),
            SystemKind::Matrices(matrices) => Some(self.matrices(matrices)),
            SystemKind::Body(_) => None,
        }
    }

    fn slide(&mut self, body: Body, scenario: &mut Scenario, transient: Transient) -> Option<Slide> {
        self.check("system.body", |faults| body.check(faults));
        let settings =
            match scenario.integrator.get_or_insert_with(|| IntegratorKind::Adaptive(Body::settings())) {
                IntegratorKind::Adaptive(settings) => settings.clone(),
                _ => {
                    self.fault("integrator", "a body on the plane is integrated by adaptive only", None);
                    return None;
                }
            };
        self.check("integrator.adaptive", |faults| settings.check(faults));
        if transient.periods.is_some() {
            let hint = "give duration in seconds, or nothing: the run then ends when the body stops";
            self.fault("analysis.transient.periods", "a body has no period", Some(hint));
            return None;
        }
        let Some(duration) = transient.duration else {
            if let Some(key) =
                transient.window.map(|_| "window").or(transient.times.as_ref().map(|_| "times"))
            {
                let message = "given without duration, which it needs";
                self.fault(&format!("analysis.transient.{key}"), message, None);
            }
            let samples = transient.samples.clamp(2, MAX_SAMPLES);
            return Some(Slide { body, settings, t_end: None, window: None, times: None, samples });
        };
        let plan = self.plan(&Transient { duration: Some(duration), ..transient.clone() }, None)?;
        Some(Slide {
            body,
            settings,
            t_end: Some(plan.t_end),
            window: Some(plan.window),
            times: Some(plan.times),
            samples: transient.samples,
        })
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
