//! Systems on lines: matrices wherever they are stored, loads, base motions and contacts.

use super::Resolve;
use crate::budget::{Excess, MAX_CONTACTS, MAX_DEGREES, MAX_LOADS, MAX_SPARSE_DEGREES};
use crate::complete_law;
use crate::matrix_file;
use crate::places::NodePlaces;
use crate::scenario::{
    Acting, ActsOn, CONTACT, ContactTable, DampingForm, InitialVectors, MatrixForm, ModelDamping, MotionKind,
    Nodes, OneOrMany, Oscillator, RayleighDamping, Scenario, StoredMatrix, Surroundings, SystemKind,
};
use crate::units::is_stiffness;
use stiction::Faults;
use stiction::law::{Coulomb, Friction, FrictionLaw};
use stiction::math::{Matrix, SparseMatrix};
use stiction::structure::{Assembly, StructuralDamping, StructuralModel};
use stiction::system::{AppliedLoad, BaseMotion, Contact, Drive, System};

/// A sound law in place of one that is not.
fn none() -> FrictionLaw {
    FrictionLaw::Coulomb(Coulomb { mu: 0.0, mu_static: None })
}

/// What the degrees of freedom of a system are.
pub(super) struct Degrees {
    pub n: usize,
    /// Degree of freedom of each node; none if the system has no nodes.
    nodes: Option<Vec<Option<usize>>>,
    /// The motion of everything together.
    pub(super) together: Vec<f64>,
}

impl Degrees {
    /// Degrees of freedom that are all displacements.
    fn plain(n: usize) -> Self {
        Self { n, nodes: None, together: vec![1.0; n] }
    }
}

impl Resolve<'_> {
    /// The system on lines and its loads as written, with whatever is wrong noted; `None` for a body.
    pub fn system(&mut self, scenario: &Scenario) -> Option<(System, Drive)> {
        if let Some(given) = self.given.take() {
            return Some(given);
        }
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

    /// Puts the degree of freedom of a node that is measured in the place of the node.
    pub(super) fn measured_node(&mut self, scenario: &mut Scenario) {
        let nodes = match &scenario.system {
            _ if scenario.analysis.measured_place().is_none_or(|(_, _, node)| node.is_none()) => return,
            SystemKind::Chain(table) => {
                let n = table.n().ok().filter(|n| *n <= limit(&table.surroundings));
                n.map(|n| (0..n).map(Some).collect())
            }
            SystemKind::Beam(table) => {
                let beam = table.beam().ok().filter(|beam| beam.n() <= limit(&table.surroundings));
                beam.filter(|beam| Faults::of(|faults| beam.check(faults)).is_empty())
                    .map(|beam| beam.assemble().nodes)
            }
            SystemKind::Plate(table) => {
                let plate = Some(&table.plate).filter(|plate| plate.n() <= limit(&table.surroundings));
                plate
                    .filter(|plate| Faults::of(|faults| plate.check(faults)).is_empty())
                    .map(|plate| plate.assemble().nodes)
            }
            _ => Some(Vec::new()),
        };
        let Some((key, dof, node)) = scenario.analysis.measured_place() else { return };
        let key = format!("{key}.node");
        // what is wrong with the structure itself is reported when it is made
        let (Some(nodes), Some(wanted)) = (nodes, node.take()) else { return };
        if *dof != 0 {
            return self.fault(&key, "given beside dof, but there must be one", None);
        }
        match nodes.get(wanted) {
            Some(Some(own)) => *dof = *own,
            Some(None) => self.fault(&key, format!("{wanted}, but a support holds that node"), None),
            None if nodes.is_empty() => {
                self.fault(&key, "only chains, beams and plates have nodes", Some("give dof"));
            }
            None => self.fault(&key, format!("{wanted}, but the nodes are 0 to {}", nodes.len() - 1), None),
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
            let is_general = !acting.stop.is_empty()
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

    /// A matrix wherever it is stored, unless it is too large. Rows of unequal length are noted and cut.
    fn matrix(&mut self, key: &str, form: &MatrixForm, limit: usize) -> Option<SparseMatrix> {
        match form {
            MatrixForm::Diagonal(diagonal) if diagonal.len() <= limit => {
                Some(SparseMatrix::diagonal(diagonal))
            }
            MatrixForm::Rows(rows) if rows.len() <= limit => {
                if let Some(row) = rows.iter().position(|row| row.len() != rows.len()) {
                    let message = format!(
                        "not square: row {row}, from 0, has {} numbers, but there are {} rows",
                        rows[row].len(),
                        rows.len()
                    );
                    self.fault(key, message, None);
                }
                let row = |(i, row): (usize, &Vec<f64>)| -> Vec<(usize, usize, f64)> {
                    row.iter().take(rows.len()).enumerate().map(|(j, a)| (i, j, *a)).collect()
                };
                SparseMatrix::new(rows.len(), &rows.iter().enumerate().flat_map(row).collect::<Vec<_>>())
            }
            MatrixForm::Diagonal(list) => {
                self.fault(key, too_large(list.len(), limit), None);
                None
            }
            MatrixForm::Rows(list) => {
                self.fault(key, too_large(list.len(), limit), None);
                None
            }
            MatrixForm::Stored(StoredMatrix::File(path)) => {
                match matrix_file::read(path, limit, self.budget.memory) {
                    Ok(matrix) => Some(matrix),
                    Err(fault) => {
                        self.fault(&format!("{key}.file"), fault.message, fault.hint);
                        None
                    }
                }
            }
            MatrixForm::Stored(StoredMatrix::Sparse(s)) => {
                let key = format!("{key}.sparse");
                if s.n > limit {
                    self.fault(&format!("{key}.n"), too_large(s.n, limit), None);
                    return None;
                }
                if s.rows.len() != s.values.len() || s.columns.len() != s.values.len() {
                    let message = format!(
                        "{} rows, {} columns and {} values, but each entry has one of each",
                        s.rows.len(),
                        s.columns.len(),
                        s.values.len()
                    );
                    self.fault(&key, message, None);
                    return None;
                }
                let entries = s.rows.iter().zip(&s.columns).zip(&s.values).map(|((i, j), a)| (*i, *j, *a));
                let matrix = SparseMatrix::new(s.n, &entries.collect::<Vec<_>>());
                if matrix.is_none() {
                    let message =
                        format!("an entry lies outside: rows and columns are 0 to {}", s.n.saturating_sub(1));
                    self.fault(&key, message, None);
                }
                matrix
            }
        }
    }

    /// The damping that follows from a model of it, for so many modes.
    fn damping(&mut self, prefix: &str, model: &ModelDamping, n: usize) -> Option<StructuralDamping> {
        match model {
            ModelDamping::Rayleigh(RayleighDamping { alpha, beta }) => {
                let (alpha, beta) = (*alpha, *beta);
                let is_sound = self.check(&format!("{prefix}.damping.rayleigh"), |faults| {
                    faults.finite("alpha", alpha);
                    faults.finite("beta", beta);
                });
                is_sound.then_some(StructuralDamping::Rayleigh { alpha, beta })
            }
            ModelDamping::Modal(ratios) => {
                let key = format!("{prefix}.damping.modal");
                if ratios.len() > n || ratios.is_empty() {
                    self.fault(&key, format!("{} ratios, but there are {n} modes", ratios.len()), None);
                    return None;
                }
                if let Some(ratio) = ratios.iter().find(|ratio| !ratio.is_finite()) {
                    self.fault(&key, format!("{ratio}, but it must be a finite number"), None);
                    return None;
                }
                Some(StructuralDamping::Modal(ratios.iter().copied().collect()))
            }
        }
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
        let mut contacts = Vec::new();
        // each of them has a direction, which is one number for each degree of freedom
        let n_directions: usize = lengths.iter().map(|(_, found, _)| found).sum();
        if let Err(excess) = self.budget.table(n, n_directions) {
            let message = format!("{n_directions} loads and contacts of {n} degrees of freedom {excess}");
            self.fault(prefix, message, Some(Excess::HINT));
            return (drive, contacts);
        }
        if lengths.iter().any(|(_, found, most)| found > most) {
            return (drive, contacts);
        }
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
            if !is_sound || direction.len() != n {
                continue;
            }
            drive.loads.push(AppliedLoad {
                constant: load.constant,
                amplitude: load.amplitude,
                // one that begins or ends is a load by a signal
                omega: load.omega.filter(|_| !load.has_window()),
                phase: load.phase,
                direction,
            });
        }
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
                drive.bases.push(BaseMotion { amplitude, omega, phase, direction });
            }
        }
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
        (drive, contacts)
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

    /// The direction of a load: nodes that share it are one.
    pub(super) fn direction(&mut self, key: &str, degrees: &Degrees, on: &ActsOn) -> Vec<f64> {
        self.directions(key, degrees, on).into_iter().reduce(added).unwrap_or_default()
    }

    /// The directions that `dof`, `direction` or `node` gives: one for each node.
    pub(super) fn directions(&mut self, key: &str, degrees: &Degrees, on: &ActsOn) -> Vec<Vec<f64>> {
        let n = degrees.n;
        let unit = |i: usize| (0..n).map(|k| if k == i { 1.0 } else { 0.0 }).collect::<Vec<f64>>();
        match on {
            ActsOn { dof: Some(_), direction: Some(_), .. } => {
                self.fault(&format!("{key}.dof"), "given beside direction, but there must be one", None);
            }
            ActsOn { node: Some(_), dof, direction } if dof.is_some() || direction.is_some() => {
                let other = if dof.is_some() { "dof" } else { "direction" };
                let message = format!("given beside {other}, but there must be one");
                self.fault(&format!("{key}.node"), message, None);
            }
            ActsOn { node: Some(nodes), .. } => {
                let dofs = self.nodes(&format!("{key}.node"), degrees, nodes);
                return dofs.into_iter().map(unit).collect();
            }
            ActsOn { direction: Some(direction), .. } => return vec![direction.clone()],
            ActsOn { dof: Some(dof), .. } if *dof < n => return vec![unit(*dof)],
            ActsOn { dof: Some(dof), .. } => {
                let message = format!("{dof}, but the degrees of freedom are 0 to {}", n.saturating_sub(1));
                self.fault(&format!("{key}.dof"), message, None);
            }
            _ if n <= 1 => {}
            _ => {
                let hint = match degrees.nodes {
                    Some(_) => "say which node, from 0",
                    None => "say which degree of freedom, from 0, or give a direction",
                };
                self.fault(key, "neither dof nor direction is given", Some(hint));
            }
        }
        vec![unit(0)]
    }

    /// Takes note of the nodes whose displacements are reported.
    pub(crate) fn reported_nodes(&mut self, key: &str, nodes: &Nodes) {
        let listed: Vec<usize> = match nodes {
            Nodes::Word(_) => {
                (0..self.places.nodes().len()).filter(|i| self.places.nodes()[*i].is_some()).collect()
            }
            Nodes::One(node) => vec![*node],
            Nodes::Many(nodes) => nodes.clone(),
        };
        let known = self.places.nodes().to_vec();
        if known.is_empty() {
            return self.fault(key, "only chains, beams and plates have nodes", None);
        }
        for (i, node) in listed.iter().enumerate() {
            match known.get(*node) {
                Some(None) => self.fault(key, format!("{node}, but a support holds that node"), None),
                None => self.fault(key, format!("{node}, but the nodes are 0 to {}", known.len() - 1), None),
                Some(Some(_)) if listed[..i].contains(node) => {
                    self.fault(key, format!("node {node} is given twice"), None);
                }
                Some(Some(dof))
                    if self.reduced.as_ref().is_some_and(|reduced| reduced.reported(*dof).is_none()) =>
                {
                    let message = format!("{node}, but the reduced model does not report that node");
                    self.fault(key, message, Some("add it to nodes of reduce"));
                }
                Some(Some(_)) => {}
            }
        }
        if listed.is_empty() {
            self.fault(key, "an empty list", None);
        }
        self.places.reported = Some(listed);
    }

    /// The degrees of freedom that displace these nodes.
    pub(super) fn nodes(&mut self, key: &str, degrees: &Degrees, nodes: &Nodes) -> Vec<usize> {
        let Some(known) = &degrees.nodes else {
            self.fault(key, "only chains, beams and plates have nodes", Some("give dof or direction"));
            return vec![0];
        };
        let listed = match nodes {
            Nodes::Word(_) => return known.iter().flatten().copied().collect(),
            Nodes::One(node) => std::slice::from_ref(node),
            Nodes::Many(nodes) => nodes,
        };
        let mut dofs = Vec::new();
        for node in listed {
            match known.get(*node) {
                Some(Some(dof)) => dofs.push(*dof),
                Some(None) => self.fault(key, format!("{node}, but a support holds that node"), None),
                None => self.fault(key, format!("{node}, but the nodes are 0 to {}", known.len() - 1), None),
            }
        }
        if listed.is_empty() {
            self.fault(key, "an empty list", None);
        }
        dofs
    }
}

/// The most degrees of freedom.
fn limit(s: &Surroundings) -> usize {
    if s.reduce.is_some() { MAX_SPARSE_DEGREES } else { MAX_DEGREES }
}

fn too_large(n: usize, limit: usize) -> String {
    format!("{n} degrees of freedom, but at most {limit} are allowed")
}

/// What to do about a model that is too large.
fn way_out(s: &Surroundings) -> Option<&'static str> {
    s.reduce.is_none().then_some("reduce = { modes = 20 } takes larger models")
}

fn added(mut sum: Vec<f64>, more: Vec<f64>) -> Vec<f64> {
    sum.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
    sum
}

/// The path of member `i` of a list; one table stands for a list of one.
pub(super) fn member_key<T>(prefix: &str, list: &str, of: &OneOrMany<T>, i: usize) -> String {
    match of {
        OneOrMany::One(_) => format!("{prefix}.{list}"),
        OneOrMany::Many(_) => format!("{prefix}.{list}.{i}"),
    }
}
