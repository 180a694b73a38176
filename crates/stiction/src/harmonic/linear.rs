//! The linear part of a system at a frequency, seen from the contacts: the dynamic compliance.
//!
//! ```text
//!   Z(ω)⁻¹ = (K − ω²M + iωC)⁻¹ = Σ φφᵀ/(ω_j² − ω² + iωc_j)      if ΦᵀCΦ = diag(c), as of Rayleigh's and of modal damping
//! ```
//!
//! In natural modes a frequency costs as much as there are modes, for each pair of contacts; damping of
//! another kind needs a factorisation of Z.
//!
//! For nonlinear modes C is replaced by C − ξM, and at the first harmonic one mode moves by a given amount:
//! the force on it that this takes must vanish.

use crate::Error;
use crate::math::complex::{Complex, complex};
use crate::math::dense::Matrix;
use crate::math::lu::{Lu, Scalar};
use crate::system::{System, modal_rates, natural_modes};

/// The linear part of a system, prepared.
#[derive(Clone, Debug)]
pub(super) struct LinearPart {
    mass: Matrix,
    damping: Matrix,
    stiffness: Matrix,
    directions: Vec<Vec<f64>>,
    /// Φ and ω².
    shape: Matrix,
    squares: Vec<f64>,
    /// WᵀΦ, one row a contact.
    sliding: Matrix,
    /// c of each mode, if the modes are those of the damped system too (1/s).
    rates: Option<Vec<f64>>,
}

/// What the linear part does at one frequency.
#[derive(Clone, Debug)]
pub(super) struct Responses {
    /// The motion under the load: in modes, or of the degrees of freedom themselves.
    load: Vec<Complex>,
    /// The motion under a unit force of each contact.
    contacts: Vec<Vec<Complex>>,
    /// The load's motion and the compliance G, at the contacts.
    pub free: Vec<Complex>,
    pub compliance: Vec<Complex>,
    /// The force on the prescribed mode: under the load, and under a unit force of each contact.
    pub mode_force: Complex,
    pub mode_force_by: Vec<Complex>,
}

/// How the linear part is changed for a nonlinear mode.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Lead {
    /// ξ (1/s).
    pub growth: f64,
    /// The prescribed mode and its coordinate.
    pub mode: Option<(usize, f64)>,
}

impl LinearPart {
    pub fn new(system: &System) -> Result<Self, Error> {
        let (n, m) = (system.n(), system.contacts.len());
        let (shape, squares) =
            natural_modes(&system.mass, &system.stiffness).ok_or(Error::NotPositiveDefinite)?;
        let mut sliding = Matrix::zeros(m, n);
        for (i, contact) in system.contacts.iter().enumerate() {
            for (k, w) in contact.direction.iter().enumerate().filter(|(_, w)| **w != 0.0) {
                for j in 0..n {
                    *sliding.at_mut(i, j) += w * shape.at(k, j);
                }
            }
        }
        Ok(Self {
            mass: system.mass.clone(),
            damping: system.damping.clone(),
            stiffness: system.stiffness.clone(),
            directions: system.contacts.iter().map(|contact| contact.direction.clone()).collect(),
            rates: modal_rates(system, &shape, &squares),
            shape,
            squares,
            sliding,
        })
    }

    /// Whether a system has the same linear part.
    pub fn is_of(&self, system: &System) -> bool {
        self.mass == system.mass
            && self.damping == system.damping
            && self.stiffness == system.stiffness
            && self.directions.iter().eq(system.contacts.iter().map(|contact| &contact.direction))
    }

    fn n(&self) -> usize {
        self.mass.n_rows
    }

    /// ω² of a mode and its share in a degree of freedom (1/s²).
    pub fn mode(&self, j: usize, dof: usize) -> Option<[f64; 2]> {
        Some([*self.squares.get(j)?, self.shape.at(dof, j)])
    }

    /// The largest share of a mode in any degree of freedom.
    pub fn largest_share(&self, j: usize) -> f64 {
        (0..self.n()).map(|dof| self.shape.at(dof, j).abs()).fold(0.0, f64::max)
    }

    /// The responses at a frequency, to a load of the degrees of freedom if there is one. `None` at a
    /// resonance without damping. Motions without stiffness have no mean.
    pub fn at(&self, omega: f64, load: Option<&[Complex]>, lead: Lead) -> Option<Responses> {
        let m = self.directions.len();
        let mut responses = match &self.rates {
            Some(rates) => self.in_modes(omega, rates, load, lead)?,
            None if omega == 0.0 => self.in_modes(0.0, &vec![0.0; self.n()], load, lead)?,
            None => self.factored(omega, load, lead)?,
        };
        let is_modal = self.is_modal(omega);
        let sliding = |i: usize, response: &[Complex]| {
            let row = if is_modal { self.sliding.row(i) } else { &self.directions[i] };
            row.iter().zip(response).fold(Complex::ZERO, |sum, (w, x)| sum + x.times(*w))
        };
        responses.free = (0..m).map(|i| sliding(i, &responses.load)).collect();
        responses.compliance = Vec::with_capacity(m * m);
        for i in 0..m {
            responses.compliance.extend((0..m).map(|j| sliding(i, &responses.contacts[j])));
        }
        Some(responses)
    }

    fn is_modal(&self, omega: f64) -> bool {
        self.rates.is_some() || omega == 0.0
    }

    fn in_modes(&self, omega: f64, rates: &[f64], load: Option<&[Complex]>, lead: Lead) -> Option<Responses> {
        let (n, m) = (self.n(), self.directions.len());
        let mut receptance = Vec::with_capacity(n);
        let impedance = |j: usize| complex(self.squares[j] - omega * omega, omega * (rates[j] - lead.growth));
        for j in 0..n {
            let z = impedance(j);
            receptance.push(match z.size() {
                _ if lead.mode.is_some_and(|(mode, _)| mode == j) => Complex::ZERO,
                0.0 if omega == 0.0 => Complex::ZERO,
                0.0 => return None,
                _ => z.reciprocal(),
            });
        }
        let mut pushed = vec![Complex::ZERO; n];
        for (k, load) in load.unwrap_or_default().iter().enumerate().filter(|(_, load)| load.size() > 0.0) {
            for (pushed, x) in pushed.iter_mut().zip(self.shape.row(k)) {
                *pushed = *pushed + load.times(*x);
            }
        }
        let (mut mode_force, mut mode_force_by) = (Complex::ZERO, Vec::new());
        if let Some((j, amount)) = lead.mode {
            mode_force = impedance(j).times(amount) - pushed[j];
            mode_force_by = (0..m).map(|i| complex(-self.sliding.at(i, j), 0.0)).collect();
        }
        pushed.iter_mut().zip(&receptance).for_each(|(pushed, r)| *pushed = *pushed * *r);
        if let Some((j, amount)) = lead.mode {
            pushed[j] = complex(amount, 0.0);
        }
        let contact =
            |i: usize| self.sliding.row(i).iter().zip(&receptance).map(|(w, r)| r.times(*w)).collect();
        let contacts = (0..m).map(contact).collect();
        Some(Responses {
            load: pushed,
            contacts,
            free: Vec::new(),
            compliance: Vec::new(),
            mode_force,
            mode_force_by,
        })
    }

    /// By elimination; the prescribed mode is a constraint φᵀMx = its coordinate, whose multiplier is the
    /// force on it.
    fn factored(&self, omega: f64, load: Option<&[Complex]>, lead: Lead) -> Option<Responses> {
        let n = self.n();
        let size = n + usize::from(lead.mode.is_some());
        let mut lu = Lu::<Complex>::new(size);
        for i in 0..n {
            for j in 0..n {
                let (m, c, k) = (self.mass.at(i, j), self.damping.at(i, j), self.stiffness.at(i, j));
                lu.a[i * size + j] = complex(k - omega * omega * m, omega * (c - lead.growth * m));
            }
        }
        if let Some((mode, _)) = lead.mode {
            for i in 0..n {
                let along: f64 = (0..n).map(|j| self.mass.at(i, j) * self.shape.at(j, mode)).sum();
                lu.a[i * size + n] = complex(-along, 0.0);
                lu.a[n * size + i] = complex(along, 0.0);
            }
        }
        if !lu.factor() {
            return None;
        }
        let solved = |mut x: Vec<Complex>, amount: f64| {
            x.resize(size, complex(amount, 0.0));
            lu.solve(&mut x);
            let force = x.get(n).copied().unwrap_or(Complex::ZERO);
            x.truncate(n);
            (x, force)
        };
        let none = vec![Complex::ZERO; n];
        let (load, mode_force) =
            solved(load.map_or(none, <[Complex]>::to_vec), lead.mode.map_or(0.0, |(_, a)| a));
        let column = |w: &Vec<f64>| solved(w.iter().map(|w| complex(*w, 0.0)).collect(), 0.0);
        let (contacts, mode_force_by) = self.directions.iter().map(column).unzip();
        Some(Responses {
            load,
            contacts,
            free: Vec::new(),
            compliance: Vec::new(),
            mode_force,
            mode_force_by,
        })
    }

    /// The motion of the degrees of freedom under the load and the friction forces.
    pub fn motion(&self, omega: f64, responses: &Responses, forces: &[Complex]) -> Vec<Complex> {
        let mut x = responses.load.clone();
        for (response, force) in responses.contacts.iter().zip(forces) {
            x.iter_mut().zip(response).for_each(|(x, r)| *x = *x - *r * *force);
        }
        if !self.is_modal(omega) {
            return x;
        }
        let row = |k: usize| {
            self.shape.row(k).iter().zip(&x).fold(Complex::ZERO, |sum, (shape, x)| sum + x.times(*shape))
        };
        (0..self.n()).map(row).collect()
    }

    /// Whether the mean forces of loads and contacts, which can be as large as `bound`, leave the motions
    /// without stiffness in balance.
    pub fn has_mean(&self, constant: &[f64], forces: &[f64], bound: f64) -> bool {
        let n = self.n();
        (0..n).filter(|j| self.squares[*j] == 0.0).all(|j| {
            let column = |k: usize| self.shape.at(k, j);
            let (mut sum, mut size) = (0.0, 0.0);
            for (k, load) in constant.iter().enumerate() {
                sum += column(k) * load;
                size += (column(k) * load).abs();
            }
            for (i, force) in forces.iter().enumerate() {
                sum -= self.sliding.at(i, j) * force;
                size += (self.sliding.at(i, j) * bound).abs();
            }
            sum.abs() <= BALANCED * size
        })
    }
}

/// Mean forces that differ by this part of them are in balance.
const BALANCED: f64 = 1e-6;
