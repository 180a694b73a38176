//! From a scenario to the core's types, with everything that is wrong noted at its key.

use crate::budget::{Budget, MAX_CONTACTS, MAX_DEGREES, MAX_LOADS};
use crate::scenario::{
    Base, ContactTable, Load, Matrices, MatrixForm, OneOrMany, Oscillator, Scenario, SystemKind,
};
use crate::study::Study;
use keyed::{Diagnostic, Document, MAX_SHOWN, Value};
use stiction::Faults;
use stiction::law::Friction;
use stiction::math::Matrix;
use stiction::system::{AppliedLoad, BaseMotion, Contact, Drive, System};

/// Turns a scenario into core types and notes what is wrong with it.
pub(crate) struct Resolve<'a> {
    pub(crate) document: &'a Document,
    pub(crate) budget: Budget,
    /// The first [`MAX_SHOWN`] faults.
    pub(crate) found: Vec<Diagnostic>,
    /// Number of the others.
    n_more: usize,
}

impl<'a> Resolve<'a> {
    pub fn within(document: &'a Document, budget: Budget) -> Self {
        Self { document, budget, found: Vec::new(), n_more: 0 }
    }

    /// What was found, and how much more.
    fn faults(mut self) -> Vec<Diagnostic> {
        if self.n_more > 0 {
            self.found.push(Diagnostic::more(self.n_more));
        }
        self.found
    }

    pub(crate) fn fault(&mut self, key: &str, message: impl Into<String>, hint: Option<&str>) {
        if self.found.len() == MAX_SHOWN {
            self.n_more += 1;
            return;
        }
        // one fault at a key: the others are its consequences
        if !self.found.iter().any(|found| found.key == key) {
            self.found.push(self.document.diagnose(key, message.into(), hint.map(str::to_owned)));
        }
    }

    /// Takes over what a check of the core found, below `prefix`.
    pub(crate) fn check(&mut self, prefix: &str, check: impl FnOnce(&mut Faults)) -> bool {
        let faults = Faults::of(check);
        self.n_more += faults.len().saturating_sub(MAX_SHOWN);
        for fault in faults.iter().take(MAX_SHOWN) {
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
        let task = scenario.analysis.clone().resolve(&mut self, &mut scenario);
        match task {
            Some(task) if self.found.is_empty() => Ok(Study { scenario, task }),
            _ => Err(self.faults()),
        }
    }

    /// The system on lines and its loads as written, with whatever is wrong noted; `None` for a body.
    pub fn system(&mut self, kind: &SystemKind) -> Option<(System, Drive)> {
        match kind {
            SystemKind::Oscillator(oscillator) => Some(self.oscillator(oscillator)),
            SystemKind::Matrices(matrices) => self.matrices(matrices),
            SystemKind::Body(_) => None,
        }
    }

    fn oscillator(&mut self, o: &Oscillator) -> (System, Drive) {
        let mut system = System::oscillator(o.mass, o.damping, o.stiffness);
        system.position = vec![o.initial.position];
        system.velocity = vec![o.initial.velocity];
        let drive = self.surroundings("system.oscillator", &mut system, &o.force, &o.base, &o.friction);
        (system, drive)
    }

    /// The system, unless it is too large.
    fn matrices(&mut self, m: &Matrices) -> Option<(System, Drive)> {
        let forms =
            [("mass", Some(&m.mass)), ("damping", m.damping.as_ref()), ("stiffness", m.stiffness.as_ref())];
        for (key, form) in forms {
            if let Some(n) = form.map(MatrixForm::len).filter(|n| *n > MAX_DEGREES) {
                let message = format!("{n} degrees of freedom, but at most {MAX_DEGREES} are allowed");
                self.fault(&format!("system.matrices.{key}"), message, None);
                return None;
            }
        }
        let mass = matrix(&m.mass);
        let n = mass.n_rows;
        let or_zero = |form: &Option<MatrixForm>| form.as_ref().map_or_else(|| Matrix::zeros(n, n), matrix);
        let vector = |values: &Option<Vec<f64>>| values.clone().unwrap_or_else(|| vec![0.0; n]);
        let mut system = System {
            damping: or_zero(&m.damping),
            stiffness: or_zero(&m.stiffness),
            mass,
            contacts: Vec::new(),
            constant: vec![0.0; n],
            harmonics: Vec::new(),
            position: vector(&m.initial.position),
            velocity: vector(&m.initial.velocity),
        };
        for (key, form) in forms {
            if let Some(MatrixForm::Rows(rows)) = form
                && let Some(row) = rows.iter().position(|row| row.len() != rows.len())
            {
                let message = format!(
                    "not square: row {row}, from 0, has {} numbers, but there are {} rows",
                    rows[row].len(),
                    rows.len()
                );
                self.fault(&format!("system.matrices.{key}"), message, None);
            }
        }
        let drive = self.surroundings("system.matrices", &mut system, &m.force, &m.base, &m.friction);
        Some((system, drive))
    }

    /// Loads, base motion and contacts.
    fn surroundings(
        &mut self,
        prefix: &str,
        system: &mut System,
        force: &OneOrMany<Load>,
        base: &OneOrMany<Base>,
        friction: &OneOrMany<ContactTable>,
    ) -> Drive {
        let n = system.n();
        let mut drive = Drive::default();
        let lengths = [
            ("force", force.len(), MAX_LOADS),
            ("base", base.len(), MAX_LOADS),
            ("friction", friction.len(), MAX_CONTACTS),
        ];
        for (list, found, most) in lengths.into_iter().filter(|(_, found, most)| found > most) {
            let message = format!("{found} entries, but at most {most} are allowed");
            self.fault(&format!("{prefix}.{list}"), message, None);
        }
        if lengths.iter().any(|(_, found, most)| found > most) {
            return drive;
        }
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
            drive.loads.push(AppliedLoad {
                constant: load.constant,
                amplitude: load.amplitude,
                omega: load.omega,
                phase: load.phase,
                direction,
            });
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
                drive.bases.push(BaseMotion {
                    amplitude: base_i.amplitude,
                    omega: base_i.omega,
                    phase: base_i.phase,
                    direction,
                });
            }
        }
        drive.act_on(system);
        for (i, contact) in friction.iter().enumerate() {
            let key = match friction {
                OneOrMany::One(_) => format!("{prefix}.friction"),
                OneOrMany::Many(_) => format!("{prefix}.friction.{i}"),
            };
            system.contacts.push(Contact {
                friction: Friction { law: contact.law.clone(), viscous: contact.viscous },
                load: contact.load,
                direction: self.direction(&key, n, contact.dof, contact.direction.as_ref()),
                belt: contact.belt,
            });
        }
        drive
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
