//! A system on lines as plain numbers, read off a scenario by this crate's own code:
//! `M q̈ + C q̇ + K q + Σ wᵢ Hᵢ = f(t)`, `vᵢ = wᵢ·q̇ − beltᵢ`.

use stiction::system::Harmonic;
use stiction_study::{
    Acting, ActsOn, AnalysisKind, Base, ContactTable, DampingForm, InitialVectors, IntegratorKind, Load,
    Matrices, MatrixForm, OneOrMany, Scenario, Surroundings, SystemKind, Transient,
};

/// The fastest rate times the step: of order 4, the error of a step is 1e-8.
const RATE: f64 = 0.05;
/// The most steps.
const MAX_STEPS: usize = 50_000;

/// A square matrix by rows.
pub type Rows = Vec<Vec<f64>>;

/// A system on lines, its initial state, and a run of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Lines {
    /// Mass matrix (kg).
    pub mass: Rows,
    /// Damping matrix (N s/m).
    pub damping: Rows,
    /// Stiffness matrix (N/m).
    pub stiffness: Rows,
    /// Constant load (N).
    pub constant: Vec<f64>,
    /// Harmonic loads.
    pub harmonics: Vec<Harmonic>,
    /// Contacts, each with a direction, and with its law as it holds both ways: `reverse` is within it.
    pub contacts: Vec<ContactTable>,
    /// Initial positions (m).
    pub position: Vec<f64>,
    /// Initial velocities (m/s).
    pub velocity: Vec<f64>,
    /// The method, as the scenario names it.
    pub integrator: Option<IntegratorKind>,
    /// Length of the run (s).
    pub duration: f64,
    /// Part that is reported (s).
    pub window: [f64; 2],
    /// Number of samples.
    pub samples: usize,
}

/// a · b.
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// A x.
pub fn times(a: &Rows, x: &[f64]) -> Vec<f64> {
    a.iter().map(|row| dot(row, x)).collect()
}

impl Lines {
    /// Number of degrees of freedom.
    pub fn n(&self) -> usize {
        self.mass.len()
    }

    /// Direction of contact `i`.
    pub fn direction(&self, i: usize) -> &[f64] {
        self.contacts[i].on.direction.as_deref().unwrap_or(&[])
    }

    /// How many steps of fourth order a run of this length takes, with the inverse of the mass matrix; none
    /// if they are too many. `added` is the rate that a contact adds, given the acceleration by a unit force
    /// along it (1/s).
    pub fn steps(
        &self,
        duration: f64,
        inverse: &Rows,
        added: impl Fn(&ContactTable, f64) -> f64,
    ) -> Option<usize> {
        let norm = |a: &Rows| a.iter().map(|row| row.iter().map(|x| x.abs()).sum()).fold(0.0, f64::max);
        let m = norm(inverse);
        let mut rate = (m * norm(&self.stiffness)).sqrt() + m * norm(&self.damping);
        for (i, contact) in self.contacts.iter().enumerate() {
            let w = self.direction(i);
            rate += added(contact, dot(w, &times(inverse, w)));
        }
        let rate = self.harmonics.iter().map(|h| h.omega).fold(rate, f64::max);
        let steps = rate * duration / RATE + 500.0;
        (steps <= MAX_STEPS as f64).then_some(steps as usize)
    }

    /// Load at time t (N).
    pub fn force(&self, t: f64) -> Vec<f64> {
        let mut force = self.constant.clone();
        for harmonic in &self.harmonics {
            let s = (harmonic.omega * t + harmonic.phase).sin();
            force.iter_mut().zip(&harmonic.amplitude).for_each(|(f, a)| *f += a * s);
        }
        force
    }

    /// The transient of a scenario; none if it is no system on lines or no transient.
    pub fn of(scenario: &Scenario) -> Option<Self> {
        let AnalysisKind::Transient(transient) = &scenario.analysis else { return None };
        let mut lines = Self::system(scenario)?;
        let period = lines.harmonics.first().map(|h| std::f64::consts::TAU / h.omega);
        let unit = if transient.duration.is_some() { 1.0 } else { period? };
        let length = transient.duration.or(transient.periods).unwrap_or(20.0);
        lines.duration = length * unit;
        let [a, b] = transient.window.unwrap_or([0.0, length]);
        lines.window = [a * unit, b * unit];
        lines.samples = transient.samples;
        Some(lines)
    }

    /// The system of a scenario, with a run of no length.
    pub fn system(scenario: &Scenario) -> Option<Self> {
        let one = |x: f64| MatrixForm::Diagonal(vec![x]);
        let (matrices, acting) = match &scenario.system {
            SystemKind::Oscillator(o) => {
                let initial = InitialVectors {
                    position: Some(vec![o.initial.position]),
                    velocity: Some(vec![o.initial.velocity]),
                    ..InitialVectors::default()
                };
                let damping = Some(DampingForm::Matrix(one(o.damping)));
                let matrices = (one(o.mass), damping, Some(one(o.stiffness)), initial);
                (matrices, &o.acting)
            }
            SystemKind::Matrices(m) => {
                let s = &m.surroundings;
                let matrices = (m.mass.clone(), s.damping.clone(), m.stiffness.clone(), s.initial.clone());
                (matrices, &s.acting)
            }
            SystemKind::Chain(_) | SystemKind::Beam(_) | SystemKind::Plate(_) | SystemKind::Body(_) => {
                return None;
            }
        };
        let (mass, damping, stiffness, initial) = matrices;
        let mass = rows(&mass)?;
        let damping = match damping {
            Some(DampingForm::Matrix(form)) => Some(rows(&form)?),
            Some(DampingForm::Model(_)) => return None,
            None => None,
        };
        let stiffness = match stiffness {
            Some(form) => Some(rows(&form)?),
            None => None,
        };
        let n = mass.len();
        let zero = || vec![vec![0.0; n]; n];
        let along = |on: &ActsOn| match &on.direction {
            Some(direction) => direction.clone(),
            None => (0..n).map(|k| if k == on.dof.unwrap_or(0) { 1.0 } else { 0.0 }).collect(),
        };
        let mut lines = Self {
            damping: damping.unwrap_or_else(zero),
            stiffness: stiffness.unwrap_or_else(zero),
            constant: vec![0.0; n],
            harmonics: Vec::new(),
            contacts: Vec::new(),
            position: initial.position.unwrap_or_else(|| vec![0.0; n]),
            velocity: initial.velocity.unwrap_or_else(|| vec![0.0; n]),
            integrator: scenario.integrator.clone(),
            duration: 0.0,
            window: [0.0; 2],
            samples: 2001,
            mass,
        };
        for load in acting.force.iter() {
            let direction = along(&load.on);
            lines.constant.iter_mut().zip(&direction).for_each(|(c, w)| *c += w * load.constant);
            if let Some(omega) = load.omega {
                let amplitude = direction.iter().map(|w| w * load.amplitude).collect();
                lines.harmonics.push(Harmonic { amplitude, omega, phase: load.phase });
            }
        }
        // records are no business of these systems
        for Base { amplitude, omega, phase, direction, .. } in acting.base.iter() {
            let direction = direction.clone().unwrap_or_else(|| vec![1.0; n]);
            // −M b̈ of b = amplitude sin(ωt + phase)
            let load = times(&lines.mass, &direction).iter().map(|x| x * amplitude * omega * omega).collect();
            lines.harmonics.push(Harmonic { amplitude: load, omega: *omega, phase: *phase });
        }
        for contact in acting.friction.iter() {
            let on = ActsOn { direction: Some(along(&contact.on)), ..ActsOn::default() };
            let law = match contact.reverse {
                Some(reverse) => contact.law.clone().directed(reverse),
                None => contact.law.clone(),
            };
            lines.contacts.push(ContactTable { on, law, reverse: None, ..contact.clone() });
        }
        Some(lines)
    }

    /// The scenario of these numbers.
    pub fn scenario(&self) -> Scenario {
        let load = |direction: &[f64], constant: f64, amplitude: f64, omega: Option<f64>, phase: f64| Load {
            start: None,
            end: None,
            period: None,
            table: None,
            constant,
            amplitude,
            omega,
            phase,
            on: ActsOn { direction: Some(direction.to_vec()), ..ActsOn::default() },
        };
        let mut force: Vec<Load> =
            self.harmonics.iter().map(|h| load(&h.amplitude, 0.0, 1.0, Some(h.omega), h.phase)).collect();
        if self.constant.iter().any(|x| *x != 0.0) {
            force.push(load(&self.constant, 1.0, 0.0, None, 0.0));
        }
        let as_written = |contact: &ContactTable| ContactTable {
            law: contact.law.forward().clone(),
            reverse: contact.law.reverse(),
            ..contact.clone()
        };
        let contacts = self.contacts.iter().map(as_written).collect();
        let matrices = Matrices {
            mass: MatrixForm::Rows(self.mass.clone()),
            stiffness: Some(MatrixForm::Rows(self.stiffness.clone())),
            surroundings: Surroundings {
                damping: Some(DampingForm::Matrix(MatrixForm::Rows(self.damping.clone()))),
                acting: Acting {
                    force: OneOrMany::Many(force),
                    friction: OneOrMany::Many(contacts),
                    ..Acting::default()
                },
                initial: InitialVectors {
                    position: Some(self.position.clone()),
                    velocity: Some(self.velocity.clone()),
                    ..InitialVectors::default()
                },
                reduce: None,
            },
        };
        Scenario {
            title: String::new(),
            system: SystemKind::Matrices(matrices),
            integrator: self.integrator.clone(),
            sweep: None,
            analysis: AnalysisKind::Transient(Transient {
                duration: Some(self.duration),
                window: Some(self.window),
                samples: self.samples,
                ..Transient::default()
            }),
        }
    }
}

fn rows(form: &MatrixForm) -> Option<Rows> {
    Some(match form {
        MatrixForm::Stored(_) => return None,
        MatrixForm::Rows(rows) => rows.clone(),
        MatrixForm::Diagonal(diagonal) => {
            let row =
                |i: usize| (0..diagonal.len()).map(|j| if i == j { diagonal[i] } else { 0.0 }).collect();
            (0..diagonal.len()).map(row).collect()
        }
    })
}
