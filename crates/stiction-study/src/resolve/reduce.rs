//! Reduction of a model: what it must keep, and everything that acts on it in the degrees of freedom that are left.

use super::Resolve;
use super::directions::Degrees;
use crate::budget::MAX_DEGREES;
use crate::scenario::{InitialVectors, Reduce, Scenario, Surroundings};
use stiction::structure::{Reduced, ReducedSize, Reduction, StructuralModel};
use stiction::system::{Contact, Drive, System};
use stiction::{Error, Faults};

/// Harmonics of the highest load that matter unless the scenario says otherwise.
const HARMONICS: f64 = 10.0;

impl Resolve<'_> {
    /// The reduced system and its loads, with whatever is wrong noted.
    pub(super) fn reduced(
        &mut self,
        scenario: &Scenario,
        reduce: &Reduce,
        model: &StructuralModel,
        degrees: &Degrees,
        s: &Surroundings,
    ) -> Option<(System, Drive)> {
        let prefix = scenario.system.key();
        let n = degrees.n;
        let (mut drive, mut contacts) = self.surroundings(prefix, degrees, &s.acting);
        self.check(prefix, |faults| model.check(faults));
        self.check(prefix, |faults| check_vectors(n, &contacts, &drive, &s.initial, faults));
        let reported = self.reported(scenario, reduce, degrees, &contacts, &drive);
        let size = self.reduced_size(prefix, reduce);
        if !self.found.is_empty() {
            return None;
        }
        let directions = contacts.iter().map(|contact| contact.direction.clone());
        let directions = directions.chain(drive.loads.iter().map(|load| load.direction.clone()));
        let pushes = drive.bases.iter().map(|base| model.mass.product(&base.direction));
        let inputs: Vec<Vec<f64>> = directions.chain(pushes).collect();
        let states = [&s.initial.position, &s.initial.velocity];
        let states: Vec<Vec<f64>> =
            states.into_iter().flatten().filter(|x| x.iter().any(|x| *x != 0.0)).cloned().collect();
        let n_shapes = inputs.len() + reported.len() + states.len() + reduce.modes.unwrap_or(0);
        if n_shapes > MAX_DEGREES {
            let message =
                format!("{n_shapes} modes and static shapes, but at most {MAX_DEGREES} are allowed");
            self.fault(&format!("{prefix}.reduce"), message, None);
            return None;
        }
        let band = reduce.band.or_else(|| default_band(scenario, &drive));
        let request =
            Reduction { size: size?, band, inputs, reported, states, max_entries: self.budget.factor() };
        let reduced = match request.apply(model) {
            Ok(reduced) => reduced,
            Err(error) => {
                let key = match &error {
                    Error::NotPositiveDefinite => "mass",
                    Error::NegativeStiffness => "stiffness",
                    Error::TooManyModes { .. } => "reduce.modes",
                    Error::ToleranceMissed { .. } => "reduce.tolerance",
                    Error::BandTooWide { .. } if reduce.band.is_some() => "reduce.band",
                    _ => "reduce",
                };
                self.fault(&format!("{prefix}.{key}"), error.to_string(), error.hint());
                return None;
            }
        };
        contacts.iter_mut().for_each(|contact| contact.direction = reduced.direction(&contact.direction));
        drive.loads.iter_mut().for_each(|load| load.direction = reduced.direction(&load.direction));
        drive.bases.iter_mut().for_each(|base| base.direction = reduced.state(&base.direction));
        let r = reduced.report.reduced;
        let state =
            |given: &Option<Vec<f64>>| given.as_ref().map_or_else(|| vec![0.0; r], |x| reduced.state(x));
        let Reduced { mass, damping, stiffness, .. } = reduced.clone();
        let mut system = System {
            elements: Default::default(),
            mass,
            damping,
            stiffness,
            contacts,
            constant: vec![0.0; r],
            harmonics: Vec::new(),
            position: state(&s.initial.position),
            velocity: state(&s.initial.velocity),
        };
        drive.act_on(&mut system);
        self.reduced = Some(reduced);
        Some((system, drive))
    }

    /// Degrees of freedom that are reported, each once: those asked for, those with a contact or a load, the one that the analysis
    /// measures.
    fn reported(
        &mut self,
        scenario: &Scenario,
        reduce: &Reduce,
        degrees: &Degrees,
        contacts: &[Contact],
        drive: &Drive,
    ) -> Vec<usize> {
        let n = degrees.n;
        let prefix = format!("{}.reduce", scenario.system.key());
        let mut reported: Vec<usize> = Vec::new();
        let directions = contacts.iter().map(|contact| &contact.direction);
        for direction in directions.chain(drive.loads.iter().map(|load| &load.direction)) {
            let mut entries = direction.iter().enumerate().filter(|(_, w)| **w != 0.0);
            if let (Some((dof, _)), None) = (entries.next(), entries.next()) {
                reported.push(dof);
            }
        }
        if let Some(nodes) = &reduce.nodes {
            reported.extend(self.nodes(&format!("{prefix}.nodes"), degrees, nodes));
        }
        let listed = reduce.dofs.iter().map(|dof| (format!("{prefix}.dofs"), *dof));
        let measured = scenario.analysis.measured().map(|(key, dof)| (key.to_owned(), dof));
        for (key, dof) in listed.chain(measured) {
            if dof < n {
                reported.push(dof);
            } else {
                let message = format!("{dof}, but the degrees of freedom are 0 to {}", n.saturating_sub(1));
                self.fault(&key, message, None);
            }
        }
        let mut each = Vec::new();
        for dof in reported {
            if !each.contains(&dof) {
                each.push(dof);
            }
        }
        if each.is_empty() {
            let hint = "name degrees of freedom in dofs, or nodes";
            self.fault(
                &prefix,
                "no degree of freedom is reported: none has a contact or a load of its own",
                Some(hint),
            );
        }
        each
    }

    fn reduced_size(&mut self, prefix: &str, reduce: &Reduce) -> Option<ReducedSize> {
        let prefix = format!("{prefix}.reduce");
        let is_sound = self.check(&prefix, |faults| {
            for (key, value) in [("tolerance", reduce.tolerance), ("band", reduce.band)] {
                if let Some(value) = value {
                    faults.positive(key, value);
                }
            }
            if reduce.modes == Some(0) {
                faults.push("modes", Error::NotPositive(0.0));
            }
        });
        match (reduce.modes, reduce.tolerance) {
            (Some(modes), None) => is_sound.then_some(ReducedSize::Modes(modes)),
            (None, Some(tolerance)) => is_sound.then_some(ReducedSize::Tolerance(tolerance)),
            (Some(_), Some(_)) => {
                let message = "given beside modes, but there must be one";
                self.fault(&format!("{prefix}.tolerance"), message, None);
                None
            }
            (None, None) => {
                self.fault(&prefix, "neither modes nor tolerance is given", None);
                None
            }
        }
    }
}

/// The band that the loads and what the analysis varies set; none without loads (rad/s).
fn default_band(scenario: &Scenario, drive: &Drive) -> Option<f64> {
    let loads = drive.loads.iter().filter_map(|load| load.omega);
    let bases = drive.bases.iter().map(|base| base.omega);
    let highest = loads.chain(bases).chain(scenario.analysis.frequencies()).fold(0.0f64, f64::max);
    (highest > 0.0 && highest.is_finite()).then_some(HARMONICS * highest)
}

/// Writes what is wrong with the lengths and numbers of vectors, which the reduction is made for.
fn check_vectors(
    n: usize,
    contacts: &[Contact],
    drive: &Drive,
    initial: &InitialVectors,
    faults: &mut Faults,
) {
    let check = |faults: &mut Faults, key: &str, vector: &[f64]| {
        if vector.len() != n {
            faults.push(key, Error::Counts { found: vector.len(), expected: n, of: "degrees of freedom" });
        } else if let Some(x) = vector.iter().find(|x| !x.is_finite()) {
            faults.push(key, Error::NotFinite(*x));
        }
    };
    for (i, contact) in contacts.iter().enumerate() {
        faults.within(format!("friction.{i}"), |faults| {
            check(faults, "direction", &contact.direction);
            if contact.direction.iter().all(|w| *w == 0.0) {
                faults.push("direction", Error::ZeroDirection);
            }
        });
    }
    for (i, load) in drive.loads.iter().enumerate() {
        faults.within(format!("force.{i}"), |faults| check(faults, "direction", &load.direction));
    }
    faults.within("initial", |faults| {
        for (key, vector) in [("position", &initial.position), ("velocity", &initial.velocity)] {
            if let Some(vector) = vector {
                check(faults, key, vector);
            }
        }
    });
}
