//! Systems on lines: matrices, loads, base motions and contacts.

use super::Resolve;
use super::directions::{Degrees, member_key};
use super::matrices::{limit, too_large};
use crate::budget::{Excess, MAX_CONTACTS, MAX_LOADS};
use crate::complete_law;
use crate::places::NodePlaces;
use crate::scenario::{
    Acting, Base, CONTACT, ContactTable, DampingForm, InitialVectors, IntegratorKind, Load, MotionKind,
    Nodes, OneOrMany, Oscillator, Scenario, Surroundings, SystemKind,
};
use crate::units::is_stiffness;
use stiction::law::{Coulomb, Friction, FrictionLaw};
use stiction::math::{Matrix, SparseMatrix};
use stiction::structure::{Assembly, StructuralDamping, StructuralModel};
use stiction::system::{AppliedLoad, BaseMotion, Contact, Drive, System};

/// A sound law in place of one that is not.
fn none() -> FrictionLaw {
    FrictionLaw::Coulomb(Coulomb { mu: 0.0, mu_static: None })
}

impl Resolve<'_> {
    /// The system on lines and its loads as written, with whatever is wrong noted; `None` for a body.
    pub fn system(&mut self, scenario: &Scenario) -> Option<(System, Drive)> {
        if let Some(given) = self.given.take() {
            return Some(given);
        }
        let (mut system, drive) = self.assembled(scenario)?;
        if !scenario.integrator.as_ref().is_some_and(IntegratorKind::has_fixed_steps) {
            for law in system.contacts.iter_mut().map(|contact| &mut contact.friction.law) {
                if let FrictionLaw::SignCoulomb(sign) = law.forward() {
                    let coulomb = FrictionLaw::Coulomb(sign.filippov());
                    *law = match law.reverse() {
                        Some(reverse) => coulomb.directed(reverse),
                        None => coulomb,
                    };
                }
            }
        }
        Some((system, drive))
    }

    fn assembled(&mut self, scenario: &Scenario) -> Option<(System, Drive)> {
        match &scenario.system {
            SystemKind::Oscillator(oscillator) => self.oscillator(oscillator),
            SystemKind::Matrices(m) => {
                let limit = limit(&m.surroundings);
                let mass = self.matrix("system.matrices.mass", &m.mass, limit);
                let stiffness = m.stiffness.as_ref();
                let stiffness = stiffness.map(|form| self.matrix("system.matrices.stiffness", form, limit));
                let mass = mass?;
                let n = mass.n();
                let stiffness = stiffness.unwrap_or_else(|| Some(SparseMatrix::zeros(n)))?;
                self.structure(scenario, [mass, stiffness], Degrees::plain(n), &m.surroundings)
            }
            SystemKind::Chain(table) => {
                let n = table.n().map_err(|message| self.fault("system.chain.masses", message, None)).ok()?;
                // a number beyond the limit is refused before there is a list of that length
                let chain = table.chain(n.min(limit(&table.surroundings)));
                self.check("system.chain", |faults| chain.check(faults));
                self.generated(scenario, "masses", n, || chain.assemble(), &table.surroundings)
            }
            SystemKind::Beam(table) => {
                let wrong = |(key, message): (&str, String)| {
                    let key =
                        if key.is_empty() { "system.beam".to_owned() } else { format!("system.beam.{key}") };
                    self.fault(&key, message, None);
                };
                let beam = table.beam().map_err(wrong).ok()?;
                self.check("system.beam", |faults| beam.check(faults));
                self.generated(scenario, "elements", beam.n(), || beam.assemble(), &table.surroundings)
            }
            SystemKind::Plate(table) => {
                let plate = &table.plate;
                self.check("system.plate", |faults| plate.check(faults));
                self.generated(scenario, "elements", plate.n(), || plate.assemble(), &table.surroundings)
            }
            SystemKind::Body(_) => None,
        }
    }

    fn oscillator(&mut self, o: &Oscillator) -> Option<(System, Drive)> {
        let mut system = System::oscillator(o.mass, o.damping, o.stiffness);
        system.position = vec![o.initial.position];
        system.velocity = vec![o.initial.velocity];
        let (mut drive, contacts) = self.surroundings("system.oscillator", &Degrees::plain(1), &o.acting);
        drive.act_on(&mut system);
        let elements = self.force_elements("system.oscillator", &Degrees::plain(1), &o.acting);
        let mut system = System { contacts, elements, ..system };
        if !self.fits("system.oscillator", &system) {
            return None;
        }
        self.records("system.oscillator", &Degrees::plain(1), &o.acting.base, &mut drive, &mut system);
        self.springs("system.oscillator", &Degrees::plain(1), &o.acting.spring, &mut system);
        self.initial_states("system.oscillator", &o.initial.states, o.initial.time, &mut system);
        Some(self.prescribed("system.oscillator", &Degrees::plain(1), &o.acting.prescribed, system, drive))
    }

    /// Whether matrices and vectors have the sizes of one system, so that more can be added to it; what is wrong is noted.
    fn fits(&mut self, prefix: &str, system: &System) -> bool {
        system.has_matching_sizes() || {
            self.check(prefix, |faults| system.check(faults));
            false
        }
    }

    /// The system of a generator, if nothing is wrong with its numbers and it is not too large for the key that sets its size.
    fn generated(
        &mut self,
        scenario: &Scenario,
        key: &str,
        n: usize,
        assemble: impl FnOnce() -> Assembly,
        s: &Surroundings,
    ) -> Option<(System, Drive)> {
        let limit = limit(s);
        if n > limit {
            self.fault(&format!("{}.{key}", scenario.system.key()), too_large(n, limit), way_out(s));
        }
        if !self.found.is_empty() {
            return None;
        }
        let made = assemble();
        let together = made.together();
        self.places = NodePlaces::new(made.nodes.clone(), &together);
        let degrees = Degrees { n: made.mass.n(), together, nodes: Some(made.nodes) };
        self.structure(scenario, [made.mass, made.stiffness], degrees, s)
    }

    fn structure(
        &mut self,
        scenario: &Scenario,
        [mass, stiffness]: [SparseMatrix; 2],
        degrees: Degrees,
        s: &Surroundings,
    ) -> Option<(System, Drive)> {
        let prefix = scenario.system.key();
        let n = mass.n();
        if s.acting.kind == MotionKind::Rotation
            && matches!(scenario.system, SystemKind::Beam(_) | SystemKind::Plate(_))
        {
            let message = "\"rotation\", but the nodes of beams and plates are displaced";
            self.fault(&format!("{prefix}.kind"), message, None);
        }
        let damping = match &s.damping {
            None => StructuralDamping::Rayleigh { alpha: 0.0, beta: 0.0 },
            Some(DampingForm::Matrix(form)) => {
                StructuralDamping::Matrix(self.matrix(&format!("{prefix}.damping"), form, limit(s))?)
            }
            Some(DampingForm::Model(model)) => self.damping(prefix, model, n)?,
        };
        let model = StructuralModel { mass, damping, stiffness };
        if let Some(reduce) = &s.reduce {
            let varies =
                |contact: &ContactTable| contact.load_varies.is_some() || contact.belt_varies.is_some();
            let acting = &s.acting;
            let is_general = !acting.one_sided().is_empty()
                || !acting.control.is_empty()
                || !acting.state_space.is_empty()
                || !acting.spring.is_empty()
                || !acting.prescribed.is_empty()
                || acting.friction.iter().any(varies)
                || acting.force.iter().any(|load| load.table.is_some() || load.has_window())
                || acting.base.iter().any(|base| base.acceleration.is_some() || base.has_window());
            if is_general {
                let message = "given beside tables, varying loads, springs, stops, control or prescribed motions, which it does not know";
                self.fault(&format!("{prefix}.reduce"), message, None);
            }
            if !s.initial.states.is_empty() || s.initial.time != 0.0 {
                let message = "given beside initial states or an initial time, which it does not know";
                self.fault(&format!("{prefix}.reduce"), message, None);
            }
            return self.reduced(scenario, reduce, &model, &degrees, s);
        }
        let zero = || Matrix::zeros(n, n);
        let InitialVectors { position, velocity, states, time } = s.initial.clone();
        let (mut drive, contacts) = self.surroundings(prefix, &degrees, &s.acting);
        let mut system = System {
            elements: self.force_elements(prefix, &degrees, &s.acting),
            // matrices that are unsound are reported as such
            damping: model.damping_matrix().unwrap_or_else(zero),
            mass: model.mass.to_dense(),
            stiffness: model.stiffness.to_dense(),
            contacts,
            constant: vec![0.0; n],
            harmonics: Vec::new(),
            position: position.unwrap_or_else(|| vec![0.0; n]),
            velocity: velocity.unwrap_or_else(|| vec![0.0; n]),
        };
        if !self.fits(prefix, &system) {
            return None;
        }
        drive.act_on(&mut system);
        self.records(prefix, &degrees, &s.acting.base, &mut drive, &mut system);
        self.springs(prefix, &degrees, &s.acting.spring, &mut system);
        self.initial_states(prefix, &states, time, &mut system);
        Some(self.prescribed(prefix, &degrees, &s.acting.prescribed, system, drive))
    }

    /// The states at t = 0 beyond positions and velocities, if they are given.
    fn initial_states(&mut self, prefix: &str, states: &[f64], time: f64, system: &mut System) {
        self.check(prefix, |faults| {
            faults.within("initial", |faults| {
                faults.finite("time", time);
                states.iter().for_each(|x| _ = faults.finite("states", *x));
            });
        });
        let expected = system.initial_states().len();
        if states.is_empty() {
            return;
        }
        if states.len() != expected {
            let message =
                format!("{} numbers, but laws and controllers have {expected} states", states.len());
            return self.fault(&format!("{prefix}.initial.states"), message, None);
        }
        system.set_initial_states(states);
    }

    /// Loads, base motion and contacts.
    pub(super) fn surroundings(
        &mut self,
        prefix: &str,
        degrees: &Degrees,
        Acting { force, base, friction, .. }: &Acting,
    ) -> (Drive, Vec<Contact>) {
        let n = degrees.n;
        let mut drive = Drive::default();
        let n_nodes = degrees.nodes.as_ref().map_or(0, Vec::len);
        let n_contacts = |contact: &ContactTable| match &contact.on.node {
            Some(Nodes::Many(nodes)) => nodes.len(),
            Some(Nodes::Word(_)) => n_nodes,
            _ => 1,
        };
        let lengths = [
            ("force", force.len(), MAX_LOADS),
            ("base", base.len(), MAX_LOADS),
            ("friction", friction.iter().map(n_contacts).sum(), MAX_CONTACTS),
        ];
        for (list, found, most) in lengths.into_iter().filter(|(_, found, most)| found > most) {
            let message = format!("{found} entries, but at most {most} are allowed");
            self.fault(&format!("{prefix}.{list}"), message, None);
        }
        // each of them has a direction, which is one number for each degree of freedom
        let n_directions: usize = lengths.iter().map(|(_, found, _)| found).sum();
        if let Err(excess) = self.budget.table(n, n_directions) {
            let message = format!("{n_directions} loads and contacts of {n} degrees of freedom {excess}");
            self.fault(prefix, message, Some(Excess::HINT));
            return (drive, Vec::new());
        }
        if lengths.iter().any(|(_, found, most)| found > most) {
            return (drive, Vec::new());
        }
        drive.loads = self.loads(prefix, degrees, force);
        drive.bases = self.bases(prefix, degrees, base);
        (drive, self.contacts(prefix, degrees, friction))
    }

    /// The loads but for tables.
    fn loads(&mut self, prefix: &str, degrees: &Degrees, force: &OneOrMany<Load>) -> Vec<AppliedLoad> {
        let mut loads = Vec::new();
        for (i, load) in force.iter().enumerate() {
            let key = member_key(prefix, "force", force, i);
            let direction = self.direction(&key, degrees, &load.on);
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
            if !is_sound || direction.len() != degrees.n {
                continue;
            }
            loads.push(AppliedLoad {
                constant: load.constant,
                amplitude: load.amplitude,
                // one that begins or ends is a load by a signal
                omega: load.omega.filter(|_| !load.has_window()),
                phase: load.phase,
                direction,
            });
        }
        loads
    }

    /// The harmonic motions of the base that never begin nor end.
    fn bases(&mut self, prefix: &str, degrees: &Degrees, base: &OneOrMany<Base>) -> Vec<BaseMotion> {
        let n = degrees.n;
        let mut bases = Vec::new();
        for (i, base_i) in base.iter().enumerate() {
            let key = member_key(prefix, "base", base, i);
            let is_sound = self.check(&key, |faults| {
                faults.finite("amplitude", base_i.amplitude);
                if base_i.omega != 0.0 || base_i.acceleration.is_none() {
                    faults.positive("omega", base_i.omega);
                }
                faults.finite("phase", base_i.phase);
            });
            let direction = base_i.direction.clone().unwrap_or_else(|| degrees.together.clone());
            if direction.len() != n || direction.iter().any(|w| !w.is_finite()) {
                self.fault(&format!("{key}.direction"), format!("there must be {n} finite numbers"), None);
            } else if base_i.omega == 0.0 && base_i.amplitude != 0.0 && is_sound {
                self.fault(&format!("{key}.amplitude"), "given without omega, which it needs", None);
            } else if base_i.omega != 0.0 && is_sound && !base_i.has_window() {
                let (amplitude, omega, phase) = (base_i.amplitude, base_i.omega, base_i.phase);
                bases.push(BaseMotion { amplitude, omega, phase, direction });
            }
        }
        bases
    }

    /// The contacts, a table with several nodes as one for each.
    fn contacts(
        &mut self,
        prefix: &str,
        degrees: &Degrees,
        friction: &OneOrMany<ContactTable>,
    ) -> Vec<Contact> {
        let mut contacts = Vec::new();
        self.owners.contacts.clear();
        for (i, contact) in friction.iter().enumerate() {
            let key = member_key(prefix, "friction", friction, i);
            let is_sound = self.at_load(&key, contact);
            let written = if is_sound { contact.law_per_newton() } else { none() };
            let mut law = contact.directed(self.law(&key, &written));
            let viscous = if is_sound { contact.viscous_per_newton() } else { 0.0 };
            let friction = Friction { law: law.clone(), viscous };
            if !self.check(&key, |faults| friction.check(faults)) {
                // what is wrong has been noted, and nothing is prepared from it
                law = none();
            }
            for direction in self.directions(&key, degrees, &contact.on) {
                self.owners.contacts.push(i);
                contacts.push(Contact {
                    friction: Friction { law: law.clone(), viscous },
                    load: contact.load,
                    direction,
                    belt: contact.belt,
                });
            }
        }
        contacts
    }

    /// Whether numbers in N/m and N s/m can be divided by the load; notes where it is zero or not constant.
    fn at_load(&mut self, key: &str, contact: &ContactTable) -> bool {
        let Some(first) = contact.all_at_load().first().copied() else { return true };
        if contact.contact_viscous.is_some() && contact.viscous != 0.0 {
            let message = "given beside viscous, but there must be one";
            self.fault(&format!("{key}.contact_viscous"), message, None);
        }
        let law = contact.law.name();
        let name = match first {
            "viscous" => "contact_viscous".to_owned(),
            name => format!("{law}.{CONTACT}{name}"),
        };
        let unit = if is_stiffness(first) { "1/m" } else { "s/m" };
        let hint = format!("give {first} instead: {CONTACT}{first} over the load ({unit})");
        if contact.load_varies.is_some() {
            let message =
                format!("given at a load that varies, but the {first} of {law} is proportional to the load");
            self.fault(&format!("{key}.{name}"), message, Some(&hint));
        } else if contact.load == 0.0 {
            self.fault(&format!("{key}.{name}"), "given at the load 0, by which it is divided", Some(&hint));
            return false;
        }
        true
    }

    /// The law of a contact, with the points of its file if it has one.
    fn law(&mut self, key: &str, law: &FrictionLaw) -> FrictionLaw {
        complete_law::completed(law, self.budget.memory).unwrap_or_else(|fault| {
            self.fault(&format!("{key}.{}", fault.key), fault.message, fault.hint);
            // what is wrong has been noted
            none()
        })
    }
}

/// What to do about a model that is too large.
fn way_out(s: &Surroundings) -> Option<&'static str> {
    s.reduce.is_none().then_some("reduce = { modes = 20 } takes larger models")
}
