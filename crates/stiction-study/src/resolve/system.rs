//! Systems on lines: matrices wherever they are stored, loads, base motions and contacts.

use super::Resolve;
use crate::budget::{MAX_CONTACTS, MAX_DEGREES, MAX_LOADS};
use crate::matrix_file;
use crate::scenario::{
    Base, ContactTable, DampingForm, InitialVectors, Load, Matrices, MatrixForm, ModelDamping, Nodes,
    OneOrMany, Oscillator, StoredMatrix, Surroundings, SystemKind,
};
use stiction::Faults;
use stiction::law::Friction;
use stiction::math::{Matrix, SparseMatrix};
use stiction::structure::{Assembly, modal_damping};
use stiction::system::{AppliedLoad, BaseMotion, Contact, Drive, System};

/// What the degrees of freedom of a system are.
struct Degrees {
    n: usize,
    /// Degree of freedom of each node; none if the system has no nodes.
    nodes: Option<Vec<Option<usize>>>,
    /// The motion of everything together.
    together: Vec<f64>,
}

impl Degrees {
    /// Degrees of freedom that are all displacements.
    fn plain(n: usize) -> Self {
        Self { n, nodes: None, together: vec![1.0; n] }
    }
}

impl Resolve<'_> {
    /// The system on lines and its loads as written, with whatever is wrong noted; `None` for a body.
    pub fn system(&mut self, kind: &SystemKind) -> Option<(System, Drive)> {
        match kind {
            SystemKind::Oscillator(oscillator) => Some(self.oscillator(oscillator)),
            SystemKind::Matrices(matrices) => self.matrices(matrices),
            SystemKind::Chain(table) => {
                let chain = &table.chain;
                let made = self.generated("system.chain", "masses", chain.n(), |faults| chain.check(faults));
                made.then(|| self.assembled("system.chain", chain.assemble(), &table.surroundings))?
            }
            SystemKind::Beam(table) => {
                let beam = &table.beam;
                let made = self.generated("system.beam", "elements", beam.n(), |faults| beam.check(faults));
                made.then(|| self.assembled("system.beam", beam.assemble(), &table.surroundings))?
            }
            SystemKind::Body(_) => None,
        }
    }

    fn oscillator(&mut self, o: &Oscillator) -> (System, Drive) {
        let mut system = System::oscillator(o.mass, o.damping, o.stiffness);
        system.position = vec![o.initial.position];
        system.velocity = vec![o.initial.velocity];
        let degrees = Degrees::plain(1);
        let drive =
            self.surroundings("system.oscillator", &mut system, &degrees, &o.force, &o.base, &o.friction);
        (system, drive)
    }

    fn matrices(&mut self, m: &Matrices) -> Option<(System, Drive)> {
        let mass = self.matrix("system.matrices.mass", &m.mass);
        let stiffness = m.stiffness.as_ref().map(|form| self.matrix("system.matrices.stiffness", form));
        let mass = mass?;
        let n = mass.n();
        let stiffness = stiffness.unwrap_or_else(|| Some(SparseMatrix::zeros(n)))?;
        self.structure("system.matrices", mass, stiffness, Degrees::plain(n), &m.surroundings)
    }

    /// Whether what is to be generated is sound, and not too large for the key that sets its size.
    fn generated(&mut self, prefix: &str, key: &str, n: usize, check: impl FnOnce(&mut Faults)) -> bool {
        let is_sound = self.check(prefix, check);
        if n > MAX_DEGREES {
            let message = format!("{n} degrees of freedom, but at most {MAX_DEGREES} are allowed");
            self.fault(&format!("{prefix}.{key}"), message, None);
        }
        is_sound && n <= MAX_DEGREES
    }

    fn assembled(&mut self, prefix: &str, made: Assembly, s: &Surroundings) -> Option<(System, Drive)> {
        let degrees = Degrees { n: made.mass.n(), together: made.together(), nodes: Some(made.nodes) };
        self.structure(prefix, made.mass, made.stiffness, degrees, s)
    }

    fn structure(
        &mut self,
        prefix: &str,
        mass: SparseMatrix,
        stiffness: SparseMatrix,
        degrees: Degrees,
        s: &Surroundings,
    ) -> Option<(System, Drive)> {
        let n = mass.n();
        let (mass, stiffness) = (mass.to_dense(), stiffness.to_dense());
        let damping = match &s.damping {
            None => Matrix::zeros(n, n),
            Some(DampingForm::Matrix(form)) => self.matrix(&format!("{prefix}.damping"), form)?.to_dense(),
            Some(DampingForm::Model(model)) => self.damping(prefix, model, &mass, &stiffness)?,
        };
        let InitialVectors { position, velocity } = s.initial.clone();
        let mut system = System {
            mass,
            damping,
            stiffness,
            contacts: Vec::new(),
            constant: vec![0.0; n],
            harmonics: Vec::new(),
            position: position.unwrap_or_else(|| vec![0.0; n]),
            velocity: velocity.unwrap_or_else(|| vec![0.0; n]),
        };
        let drive = self.surroundings(prefix, &mut system, &degrees, &s.force, &s.base, &s.friction);
        Some((system, drive))
    }

    /// A matrix wherever it is stored, unless it is too large. Rows of unequal length are noted and cut.
    fn matrix(&mut self, key: &str, form: &MatrixForm) -> Option<SparseMatrix> {
        let too_large = |n: usize| format!("{n} degrees of freedom, but at most {MAX_DEGREES} are allowed");
        match form {
            MatrixForm::Diagonal(diagonal) if diagonal.len() <= MAX_DEGREES => {
                Some(SparseMatrix::diagonal(diagonal))
            }
            MatrixForm::Rows(rows) if rows.len() <= MAX_DEGREES => {
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
                self.fault(key, too_large(list.len()), None);
                None
            }
            MatrixForm::Rows(list) => {
                self.fault(key, too_large(list.len()), None);
                None
            }
            MatrixForm::Stored(StoredMatrix::File(path)) => {
                match matrix_file::read(path, MAX_DEGREES, self.budget.memory) {
                    Ok(matrix) => Some(matrix),
                    Err(fault) => {
                        self.fault(&format!("{key}.file"), fault.message, fault.hint);
                        None
                    }
                }
            }
            MatrixForm::Stored(StoredMatrix::Sparse(s)) => {
                let key = format!("{key}.sparse");
                if s.n > MAX_DEGREES {
                    self.fault(&format!("{key}.n"), too_large(s.n), None);
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

    /// The damping matrix that follows from a model.
    fn damping(
        &mut self,
        prefix: &str,
        model: &ModelDamping,
        mass: &Matrix,
        stiffness: &Matrix,
    ) -> Option<Matrix> {
        match model {
            ModelDamping::Rayleigh(r) => {
                let is_sound = self.check(&format!("{prefix}.damping.rayleigh"), |faults| {
                    faults.finite("alpha", r.alpha);
                    faults.finite("beta", r.beta);
                });
                let mut damping = Matrix::zeros(mass.n_rows, mass.n_rows);
                if stiffness.data.len() == mass.data.len() {
                    let entries = mass.data.iter().zip(&stiffness.data);
                    damping.data = entries.map(|(m, k)| r.alpha * m + r.beta * k).collect();
                }
                is_sound.then_some(damping)
            }
            ModelDamping::Modal(ratios) => {
                let key = format!("{prefix}.damping.modal");
                if ratios.len() > mass.n_rows || ratios.is_empty() {
                    let message = format!("{} ratios, but there are {} modes", ratios.len(), mass.n_rows);
                    self.fault(&key, message, None);
                    return None;
                }
                let ratios: Vec<f64> = ratios.iter().copied().collect();
                if let Some(ratio) = ratios.iter().find(|ratio| !ratio.is_finite()) {
                    self.fault(&key, format!("{ratio}, but it must be a finite number"), None);
                    return None;
                }
                // matrices that are unsound are reported as such
                let zero = || Matrix::zeros(mass.n_rows, mass.n_rows);
                Some(modal_damping(mass, stiffness, &ratios).unwrap_or_else(zero))
            }
        }
    }

    /// Loads, base motion and contacts.
    fn surroundings(
        &mut self,
        prefix: &str,
        system: &mut System,
        degrees: &Degrees,
        force: &OneOrMany<Load>,
        base: &OneOrMany<Base>,
        friction: &OneOrMany<ContactTable>,
    ) -> Drive {
        let n = degrees.n;
        let mut drive = Drive::default();
        let n_nodes = degrees.nodes.as_ref().map_or(0, Vec::len);
        let n_contacts = |contact: &ContactTable| match &contact.node {
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
        if lengths.iter().any(|(_, found, most)| found > most) {
            return drive;
        }
        for (i, load) in force.iter().enumerate() {
            let key = member_key(prefix, "force", force, i);
            let place =
                ActsOn { dof: load.dof, direction: load.direction.as_ref(), node: load.node.as_ref() };
            // nodes that share a load are one direction
            let direction =
                self.directions(&key, degrees, place).into_iter().reduce(added).unwrap_or_default();
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
            let key = member_key(prefix, "base", base, i);
            let is_sound = self.check(&key, |faults| {
                faults.finite("amplitude", base_i.amplitude);
                faults.positive("omega", base_i.omega);
                faults.finite("phase", base_i.phase);
            });
            let direction = base_i.direction.clone().unwrap_or_else(|| degrees.together.clone());
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
        self.owners.clear();
        for (i, contact) in friction.iter().enumerate() {
            let key = member_key(prefix, "friction", friction, i);
            let (dof, direction, node) = (contact.dof, contact.direction.as_ref(), contact.node.as_ref());
            for direction in self.directions(&key, degrees, ActsOn { dof, direction, node }) {
                self.owners.push(i);
                system.contacts.push(Contact {
                    friction: Friction { law: contact.law.clone(), viscous: contact.viscous },
                    load: contact.load,
                    direction,
                    belt: contact.belt,
                });
            }
        }
        drive
    }

    /// The directions that `dof`, `direction` or `node` gives: one for each node.
    fn directions(&mut self, key: &str, degrees: &Degrees, place: ActsOn) -> Vec<Vec<f64>> {
        let n = degrees.n;
        let unit = |i: usize| (0..n).map(|k| if k == i { 1.0 } else { 0.0 }).collect::<Vec<f64>>();
        match place {
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
            ActsOn { dof: Some(dof), .. } if dof < n => return vec![unit(dof)],
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

    /// The degrees of freedom that displace these nodes.
    fn nodes(&mut self, key: &str, degrees: &Degrees, nodes: &Nodes) -> Vec<usize> {
        let Some(known) = &degrees.nodes else {
            self.fault(key, "only chains and beams have nodes", Some("give dof or direction"));
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

/// Where a load or a contact acts, as written.
#[derive(Clone, Copy)]
struct ActsOn<'a> {
    dof: Option<usize>,
    direction: Option<&'a Vec<f64>>,
    node: Option<&'a Nodes>,
}

fn added(mut sum: Vec<f64>, more: Vec<f64>) -> Vec<f64> {
    sum.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
    sum
}

/// The path of member `i` of a list; one table stands for a list of one.
fn member_key<T>(prefix: &str, list: &str, of: &OneOrMany<T>, i: usize) -> String {
    match of {
        OneOrMany::One(_) => format!("{prefix}.{list}"),
        OneOrMany::Many(_) => format!("{prefix}.{list}.{i}"),
    }
}
