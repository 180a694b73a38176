//! The linear part of a system at a frequency, seen from the contacts: the dynamic compliance.
//!
//! ```text
//!   Z(ω)⁻¹ = (K − ω²M + iωC)⁻¹ = Σ φφᵀ/(ω_j² − ω² + iω(α + βω_j²))      if C = αM + βK
//! ```
//!
//! In natural modes a frequency costs as much as there are modes, for each pair of contacts; damping of another kind needs a
//! factorisation of Z.

use crate::Error;
use crate::math::complex::{Complex, complex};
use crate::math::dense::Matrix;
use crate::math::lu::{Lu, Scalar};
use crate::system::{System, natural_modes, rayleigh};

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
    /// α and β, if the modes are those of the damped system too.
    rayleigh: Option<(f64, f64)>,
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
            rayleigh: rayleigh(system),
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

    /// The responses at a frequency, to a load of the degrees of freedom if there is one. `None` at a resonance without damping.
    /// Motions without stiffness have no mean.
    pub fn at(&self, omega: f64, load: Option<&[Complex]>) -> Option<Responses> {
        let m = self.directions.len();
        let mut responses = match self.rayleigh {
            Some((alpha, beta)) => self.in_modes(omega, [alpha, beta], load)?,
            None if omega == 0.0 => self.in_modes(0.0, [0.0; 2], load)?,
            None => self.factored(omega, load)?,
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
        self.rayleigh.is_some() || omega == 0.0
    }

    fn in_modes(&self, omega: f64, [alpha, beta]: [f64; 2], load: Option<&[Complex]>) -> Option<Responses> {
        let n = self.n();
        let mut receptance = Vec::with_capacity(n);
        for &square in &self.squares {
            let z = complex(square - omega * omega, omega * (alpha + beta * square));
            receptance.push(match z.size() {
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
        pushed.iter_mut().zip(&receptance).for_each(|(pushed, r)| *pushed = *pushed * *r);
        let contact =
            |i: usize| self.sliding.row(i).iter().zip(&receptance).map(|(w, r)| r.times(*w)).collect();
        let contacts = (0..self.directions.len()).map(contact).collect();
        Some(Responses { load: pushed, contacts, free: Vec::new(), compliance: Vec::new() })
    }

    fn factored(&self, omega: f64, load: Option<&[Complex]>) -> Option<Responses> {
        let n = self.n();
        let mut lu = Lu::<Complex>::new(n);
        let entries = self.mass.data.iter().zip(&self.damping.data).zip(&self.stiffness.data);
        for (z, ((m, c), k)) in lu.a.iter_mut().zip(entries) {
            *z = complex(k - omega * omega * m, omega * c);
        }
        if !lu.factor() {
            return None;
        }
        let solved = |mut x: Vec<Complex>| {
            lu.solve(&mut x);
            x
        };
        let load = load.map_or_else(|| vec![Complex::ZERO; n], |load| solved(load.to_vec()));
        let column = |w: &Vec<f64>| solved(w.iter().map(|w| complex(*w, 0.0)).collect());
        let contacts = self.directions.iter().map(column).collect();
        Some(Responses { load, contacts, free: Vec::new(), compliance: Vec::new() })
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

    /// What a unit force of contact `i` moves most, in modes bounded by the sum of their sizes.
    pub fn largest(&self, omega: f64, responses: &Responses, i: usize) -> f64 {
        let response = &responses.contacts[i];
        let size = |x: &Complex| libm::hypot(x.re, x.im);
        if !self.is_modal(omega) {
            return response.iter().map(size).fold(0.0, f64::max);
        }
        let row = |k: usize| {
            let sum = self.shape.row(k).iter().zip(response);
            size(&sum.fold(Complex::ZERO, |sum, (shape, x)| sum + x.times(*shape)))
        };
        (0..self.n()).map(row).fold(0.0, f64::max)
    }

    /// Whether the mean forces of loads and contacts, which can be as large as `bound`, leave the motions without stiffness in balance.
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
