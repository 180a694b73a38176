//! The equations of harmonic balance at one frequency.

mod solve;

use crate::Error;
use crate::error::Refusal;
use crate::harmonic::HarmonicMotion;
use crate::harmonic::friction::{Cells, FourierSums, SlidingContact};
use crate::harmonic::linear::{Lead, LinearPart, Responses};
use crate::harmonic::springs::SpringContact;
use crate::law::{Graph, Law};
use crate::math::complex::{Complex, complex};
use crate::math::dense::{Matrix, dot};
use crate::system::{Contact, System};
use std::sync::Arc;

/// A residual of this part of the largest friction force is rounding of the transforms.
pub(super) const ROUNDING: f64 = 1e-11;
/// ρ in units of the stiffest contact's force by velocity, one after the other. A large one finds the
/// instants of a jump with few harmonics, a small one converges from afar.
const PENALTIES: [f64; 4] = [10.0, 100.0, 1e3, 1e4];
/// A velocity of this part of what it would be without friction is rounding.
const STUCK: f64 = 1e-9;
/// Frequencies that differ by this part are multiples of each other.
const MULTIPLE: f64 = 1e-9;

/// What points along a parameter share: the linear part and the cells.
#[derive(Clone, Debug, Default)]
pub(super) struct Cache {
    linear: Option<Arc<LinearPart>>,
    cells: Vec<(usize, Arc<Cells>)>,
}

impl Cache {
    pub fn linear(&mut self, system: &System) -> Result<Arc<LinearPart>, Error> {
        if let Some(known) = self.linear.as_ref().filter(|known| known.is_of(system)) {
            return Ok(known.clone());
        }
        let linear = Arc::new(LinearPart::new(system)?);
        self.linear = Some(linear.clone());
        Ok(linear)
    }

    fn cells(&mut self, harmonics: usize) -> Arc<Cells> {
        if let Some((_, known)) = self.cells.iter().find(|(h, _)| *h == harmonics) {
            return known.clone();
        }
        let cells = Arc::new(Cells::new(harmonics));
        self.cells.push((harmonics, cells.clone()));
        cells
    }
}

pub(super) struct CondensedProblem {
    contacts: Vec<Contact>,
    constant: Vec<f64>,
    linear: Arc<LinearPart>,
    cells: Arc<Cells>,
    omega: f64,
    /// H.
    harmonics: usize,
    /// The linear part at each harmonic from 0.
    responses: Vec<Responses>,
    /// Unit of ρ (N s/m).
    impedance: f64,
    /// Scale that makes a velocity a force in the set-valued law (N s/m).
    rho: f64,
}

/// The linear part at each harmonic from 0, under the loads and with the prescribed mode there.
fn responses<'a>(
    linear: &LinearPart,
    omega: f64,
    harmonics: usize,
    given: impl Fn(usize) -> (Option<&'a [Complex]>, Lead),
) -> Result<Vec<Responses>, Error> {
    // at a resonance without damping the linear system has no periodic motion
    let resonance = || Error::NoPeriodicMotion { starts: 1, residual: f64::INFINITY };
    let mut responses = Vec::with_capacity(harmonics + 1);
    for k in 0..=harmonics {
        let (load, lead) = given(k);
        responses.push(linear.at(k as f64 * omega, load, lead).ok_or_else(resonance)?);
    }
    Ok(responses)
}

impl CondensedProblem {
    pub fn new(system: &System, harmonics: usize, cache: &mut Cache) -> Result<Self, Error> {
        let omega = system.harmonics.first().map(|h| h.omega).ok_or(Error::NoHarmonicLoad)?;
        system.contacts.iter().try_for_each(refuse)?;
        let (n, m) = (system.n(), system.contacts.len());
        let linear = cache.linear(system)?;
        let mut loads: Vec<Option<Vec<Complex>>> = vec![None; harmonics + 1];
        loads[0] = Some(system.constant.iter().map(|f| complex(*f, 0.0)).collect());
        for harmonic in &system.harmonics {
            let ratio = harmonic.omega / omega;
            let k = ratio.round();
            if k < 1.0 || (ratio - k).abs() > MULTIPLE * ratio {
                return Err(Error::NotCommensurate { first: omega, other: harmonic.omega });
            }
            // sin(kΩt + φ) = Re(−i e^{iφ} e^{ikΩt})
            let (sine, cosine) = libm::sincos(harmonic.phase);
            if let Some(load) = loads.get_mut(k as usize) {
                let load = load.get_or_insert_with(|| vec![complex(0.0, 0.0); n]);
                for (load, amplitude) in load.iter_mut().zip(&harmonic.amplitude) {
                    *load = *load + complex(amplitude * sine, -amplitude * cosine);
                }
            }
        }
        let responses = responses(&linear, omega, harmonics, |k| (loads[k].as_deref(), Lead::default()))?;
        let own = |i: usize| responses.get(1).map_or(0.0, |r| omega * r.compliance[i * m + i].modulus());
        let mobility = (0..m).map(own).fold(0.0, f64::max);
        let impedance = if mobility > 0.0 { 1.0 / mobility } else { 1.0 };
        let rho = PENALTIES[0] * impedance;
        Ok(Self { impedance, rho, ..Self::condensed(system, linear, omega, responses, cache) })
    }

    /// The problem of a nonlinear mode: the motion with the frequency `omega` in which one mode, `lead`,
    /// moves as given.
    pub fn with_mode(
        system: &System,
        harmonics: usize,
        omega: f64,
        lead: Lead,
        cache: &mut Cache,
    ) -> Result<Self, Error> {
        system.contacts.iter().try_for_each(refuse)?;
        let linear = cache.linear(system)?;
        let constant: Vec<Complex> = system.constant.iter().map(|f| complex(*f, 0.0)).collect();
        let responses = responses(&linear, omega, harmonics, |k| {
            let own = Lead { mode: lead.mode.filter(|_| k == 1), ..lead };
            ((k == 0).then_some(&constant[..]), own)
        })?;
        Ok(Self::condensed(system, linear, omega, responses, cache))
    }

    /// The problem of a linear part with these responses, in units of its own.
    fn condensed(
        system: &System,
        linear: Arc<LinearPart>,
        omega: f64,
        responses: Vec<Responses>,
        cache: &mut Cache,
    ) -> Self {
        let harmonics = responses.len() - 1;
        Self {
            contacts: system.contacts.clone(),
            constant: system.constant.clone(),
            linear,
            cells: cache.cells(harmonics),
            omega,
            harmonics,
            responses,
            impedance: 1.0,
            rho: 1.0,
        }
    }

    /// The force on the prescribed mode under the friction forces z; zero in a nonlinear mode (N).
    pub fn mode_force(&self, z: &[f64]) -> Complex {
        let response = &self.responses[1];
        let forces = self.forces(z, 1);
        response
            .mode_force_by
            .iter()
            .zip(&forces)
            .fold(response.mode_force, |sum, (by, force)| sum - *by * *force)
    }

    /// Derivative of the real and the imaginary part of that force by the forces z.
    pub fn leading_slopes(&self) -> [Vec<f64>; 2] {
        let width = self.width();
        let mut rows = [vec![0.0; self.contacts.len() * width], vec![0.0; self.contacts.len() * width]];
        for (i, by) in self.responses[1].mode_force_by.iter().enumerate() {
            // the force is a − ib
            (rows[0][i * width + 1], rows[0][i * width + 2]) = (-by.re, -by.im);
            (rows[1][i * width + 1], rows[1][i * width + 2]) = (-by.im, by.re);
        }
        rows
    }

    /// The friction that the motion without it would cause: where a search begins.
    pub fn free_friction(&self) -> Vec<f64> {
        let z = vec![0.0; self.contacts.len() * self.width()];
        self.sums(&z, 1.0, false).into_iter().flat_map(|sums| sums.friction).collect()
    }

    /// Whether a law jumps, so that what is left out moves the jump and comes back in full.
    pub fn has_jumps(&self) -> bool {
        self.contacts.iter().any(|contact| contact.friction.law.graph() == Graph::SetValued)
    }

    /// Length of the unknowns of one contact: mean, cosines and sines of its force.
    fn width(&self) -> usize {
        2 * self.harmonics + 1
    }

    /// The largest friction force (N).
    pub fn bound(&self) -> f64 {
        let bound = |c: &Contact| c.load * c.friction.law.bound();
        self.contacts.iter().map(bound).fold(f64::MIN_POSITIVE, f64::max)
    }

    /// The unknowns of a motion: mean, cosines and sines of the friction forces, contact after contact.
    pub fn unknowns(&self, motion: &HarmonicMotion) -> Vec<f64> {
        let (width, m) = (self.width(), self.contacts.len());
        let mut z = vec![0.0; m * width];
        for (k, row) in motion.friction.iter().enumerate().take(self.harmonics + 1) {
            for (i, [re, im]) in row.iter().enumerate().take(m) {
                z[i * width + (2 * k).saturating_sub(1)] = *re;
                if k > 0 {
                    z[i * width + 2 * k] = -im;
                }
            }
        }
        z
    }

    /// Friction that follows from the unknowns: its residual against them, its derivative, and the norm of
    /// the residual.
    pub fn balance(
        &self,
        z: &[f64],
        level: f64,
        residual: &mut [f64],
        jacobian: Option<&mut Vec<f64>>,
    ) -> f64 {
        residual.copy_from_slice(z);
        let sums = self.sums(z, level, jacobian.is_some());
        for (residual, sums) in residual.chunks_mut(self.width()).zip(&sums) {
            residual.iter_mut().zip(&sums.friction).for_each(|(residual, friction)| *residual -= friction);
        }
        if let Some(jacobian) = jacobian {
            self.derivative(&sums, jacobian);
        }
        residual.iter().map(|r| r.abs()).fold(0.0, f64::max)
    }

    /// The friction of every contact that follows from the forces z.
    fn sums(&self, z: &[f64], level: f64, with_slopes: bool) -> Vec<FourierSums> {
        let velocity = self.velocities(z);
        let has_springs = self.contacts.iter().any(|contact| contact.friction.law.sliders().is_some());
        let displacement = if has_springs { self.displacements(z) } else { Vec::new() };
        let own = |i: usize, contact: &Contact| {
            let range = i * self.width()..(i + 1) * self.width();
            let displacement = displacement.get(range.clone()).unwrap_or_default();
            SpringContact::new(contact, level, self.omega, &velocity[range], displacement)
        };
        let sums = |(i, contact): (usize, &Contact)| match own(i, contact) {
            Some(springs) => springs.sums(with_slopes),
            None => self.cells.sums(&self.sliding(i, level, &velocity, z), with_slopes),
        };
        self.contacts.iter().enumerate().map(sums).collect()
    }

    fn sliding<'a>(&'a self, i: usize, level: f64, velocity: &'a [f64], z: &'a [f64]) -> SlidingContact<'a> {
        let own = i * self.width()..(i + 1) * self.width();
        SlidingContact {
            contact: &self.contacts[i],
            level,
            rho: self.rho,
            velocity: &velocity[own.clone()],
            force: &z[own],
        }
    }

    /// Displacements of the contacts that follow from the forces z, their belts at rest, as mean, cosines and
    /// sines.
    fn displacements(&self, z: &[f64]) -> Vec<f64> {
        let (width, m) = (self.width(), self.contacts.len());
        let mut displacement = vec![0.0; m * width];
        for i in 0..m {
            for (k, response) in self.responses.iter().enumerate() {
                let mut x = response.free[i];
                for j in 0..m {
                    let force = match k {
                        0 => complex(z[j * width], 0.0),
                        _ => complex(z[j * width + 2 * k - 1], -z[j * width + 2 * k]),
                    };
                    x = x - response.compliance[i * m + j] * force;
                }
                displacement[i * width + (2 * k).saturating_sub(1)] = x.re;
                if k > 0 {
                    displacement[i * width + 2 * k] = -x.im;
                }
            }
        }
        displacement
    }

    /// Sliding velocities that follow from the forces z, as mean, cosines and sines.
    fn velocities(&self, z: &[f64]) -> Vec<f64> {
        let mut velocity = self.displacements(z);
        for (own, contact) in velocity.chunks_mut(self.width()).zip(&self.contacts) {
            own[0] = -contact.belt;
            for (k, pair) in own[1..].chunks_exact_mut(2).enumerate() {
                let rate = (k + 1) as f64 * self.omega;
                (pair[0], pair[1]) = (rate * pair[1], -(rate * pair[0]));
            }
        }
        velocity
    }

    /// I − ∂(friction)/∂z, row after row.
    fn derivative(&self, sums: &[FourierSums], jacobian: &mut [f64]) {
        let (width, m) = (self.width(), self.contacts.len());
        let size = m * width;
        jacobian.fill(0.0);
        // mean of slope · (cos or sin of p) · (cos or sin of q): products of two harmonics fall on sum and
        // difference
        let product = |i: usize, which: usize, [p, is_sine_p]: [usize; 2], [q, is_sine_q]: [usize; 2]| {
            let (sum, difference) = (&sums[i].slopes[p + q], &sums[i].slopes[p.abs_diff(q)]);
            let (c, s) = (2 * which, 2 * which + 1);
            let signed = if p >= q { difference[s] } else { -difference[s] };
            match (is_sine_p, is_sine_q) {
                (0, 0) => 0.5 * (difference[c] + sum[c]),
                (1, 1) => 0.5 * (difference[c] - sum[c]),
                (1, 0) => 0.5 * (sum[s] + signed),
                _ => 0.5 * (sum[s] - signed),
            }
        };
        let function = |a: usize| [a.div_ceil(2), usize::from(a > 0 && a.is_multiple_of(2))];
        for i in 0..m {
            for a in 0..width {
                let weight = if a == 0 { 1.0 } else { 2.0 };
                let row = &mut jacobian[(i * width + a) * size..(i * width + a + 1) * size];
                row[i * width + a] += 1.0;
                for b in 0..width {
                    row[i * width + b] -= weight * product(i, 0, function(a), function(b));
                }
                let springs = &sums[i].by_displacement;
                if !springs.is_empty() {
                    let by = &springs[a * width..(a + 1) * width];
                    for (k, response) in self.responses.iter().enumerate() {
                        for j in 0..m {
                            let d = response.compliance[i * m + j].times(-1.0);
                            if k == 0 {
                                row[j * width] -= by[0] * d.re;
                                continue;
                            }
                            row[j * width + 2 * k - 1] -= by[2 * k - 1] * d.re - by[2 * k] * d.im;
                            row[j * width + 2 * k] -= by[2 * k - 1] * d.im + by[2 * k] * d.re;
                        }
                    }
                }
                // velocity harmonics by force harmonics: V = −ikΩ G Λ
                for (k, response) in self.responses.iter().enumerate().skip(1) {
                    let by_cosine = weight * product(i, 1, function(a), [k, 0]);
                    let by_sine = weight * product(i, 1, function(a), [k, 1]);
                    for j in 0..m {
                        let d = response.compliance[i * m + j].turned().times(-(k as f64) * self.omega);
                        // (va, vb) = (α a + β b, −β a + α b) for d = α + iβ
                        row[j * width + 2 * k - 1] -= by_cosine * d.re - by_sine * d.im;
                        row[j * width + 2 * k] -= by_cosine * d.im + by_sine * d.re;
                    }
                }
            }
        }
    }

    /// The motion under the friction forces z.
    fn motion(&self, z: &[f64], iterations: u32) -> HarmonicMotion {
        let m = self.contacts.len();
        let velocity = self.velocities(z);
        let period = std::f64::consts::TAU / self.omega;
        let power = |i: usize| match self.contacts[i].friction.law.sliders() {
            // the velocity has no more harmonics than the force that is balanced
            Some(_) => {
                let own = i * self.width()..(i + 1) * self.width();
                let mean = z[own.start] * velocity[own.start];
                0.5 * (dot(&z[own.clone()], &velocity[own]) + mean)
            }
            None => self.cells.power(&self.sliding(i, 1.0, &velocity, z)),
        };
        let mut motion = HarmonicMotion {
            omega: self.omega,
            position: Vec::with_capacity(self.harmonics + 1),
            friction: Vec::with_capacity(self.harmonics + 1),
            friction_loss: period * (0..m).map(power).sum::<f64>(),
            truncation: f64::INFINITY,
            truncations: vec![f64::INFINITY; self.constant.len()],
            iterations,
            rho: self.rho,
        };
        for k in 0..=self.harmonics {
            motion.position.push(self.positions(z, k).iter().map(|q| [q.re, q.im]).collect());
            motion.friction.push(self.forces(z, k).iter().map(|force| [force.re, force.im]).collect());
        }
        motion
    }

    /// The sum over the harmonics of what the forces z move differently from `motion`, of each degree of
    /// freedom (m).
    pub fn positions_apart(&self, z: &[f64], motion: &HarmonicMotion) -> Vec<f64> {
        let mut apart = vec![0.0; self.constant.len()];
        for k in 0..=self.harmonics {
            let q = self.positions(z, k);
            for (dof, (sum, q)) in apart.iter_mut().zip(&q).enumerate() {
                let [re, im] = motion.position.get(k).map_or([0.0; 2], |row| row[dof]);
                *sum += libm::hypot(q.re - re, q.im - im);
            }
        }
        apart
    }

    /// Harmonic k of the degrees of freedom under the forces z.
    fn positions(&self, z: &[f64], k: usize) -> Vec<Complex> {
        self.linear.motion(k as f64 * self.omega, &self.responses[k], &self.forces(z, k))
    }

    /// Harmonic k of the forces z.
    fn forces(&self, z: &[f64], k: usize) -> Vec<Complex> {
        let width = self.width();
        let force = |own: &[f64]| match k {
            0 => complex(own[0], 0.0),
            _ => complex(own[2 * k - 1], -own[2 * k]),
        };
        z.chunks(width).map(force).collect()
    }

    /// Whether a contact under a set-valued law never slides.
    pub fn has_stuck(&self, motion: &HarmonicMotion) -> bool {
        let z = self.unknowns(motion);
        let velocity = self.velocities(&z);
        let free = |i: usize, k: usize| k as f64 * self.omega * self.responses[k].free[i].modulus();
        (0..self.contacts.len()).any(|i| {
            let own = &velocity[i * self.width()..(i + 1) * self.width()];
            let size: f64 = own.iter().map(|v| v.abs()).sum();
            let unheld =
                (1..=self.harmonics).map(|k| free(i, k)).sum::<f64>() + self.bound() / self.impedance;
            self.contacts[i].friction.law.graph() == Graph::SetValued && size <= STUCK * unheld
        }) || self.sums(&z, 1.0, false).iter().any(|sums| sums.sticks)
    }

    /// The first law of springs with sliders.
    pub fn springs(&self) -> Option<&'static str> {
        let law = |contact: &Contact| contact.friction.law.sliders().map(|_| contact.friction.law.name());
        self.contacts.iter().find_map(law)
    }

    /// The slopes dH/dv of the contacts at `n` instants of the period, contact after contact.
    pub fn slopes(&self, motion: &HarmonicMotion, n: usize) -> Matrix {
        let z = self.unknowns(motion);
        let velocity = self.velocities(&z);
        let mut slopes = Matrix::zeros(self.contacts.len(), n);
        for (i, contact) in self.contacts.iter().enumerate() {
            if contact.friction.law.sliders().is_some() {
                let viscous = contact.load * contact.friction.viscous;
                (0..n).for_each(|s| *slopes.at_mut(i, s) = viscous);
                continue;
            }
            let sliding = self.sliding(i, 1.0, &velocity, &z);
            for s in 0..n {
                *slopes.at_mut(i, s) = sliding.slope(std::f64::consts::TAU * s as f64 / n as f64);
            }
        }
        slopes
    }
}

/// Refuses a law that is neither a function, or a set, of the velocity alone, nor one of springs with
/// sliders.
pub(super) fn refuse(contact: &Contact) -> Result<(), Error> {
    let law = &contact.friction.law;
    // the corners of a set-valued law end at its kinetic level
    let corners = law.corners().unwrap_or_default();
    let is_coulomb = corners.iter().all(|[v, phi]| *v == 0.0 && phi.abs() == law.bound());
    let is_flat = !corners.is_empty() && corners.iter().all(|[v, _]| *v == 0.0);
    let reason = match law.graph() {
        Graph::SetValued if is_flat && is_coulomb => return Ok(()),
        Graph::SetValued if is_flat => Refusal::StaticExcess,
        Graph::SetValued => Refusal::Sloped,
        Graph::Jump => Refusal::Jump,
        // limits that follow the velocity have a memory of their own
        _ if law.sliders().is_some() && law.lag(0.0).is_none() => return Ok(()),
        _ if law.has_memory() => Refusal::Memory,
        _ if law.friction_bounds(0.0, &[]).is_some() => Refusal::Demand,
        Graph::Continuous => return Ok(()),
    };
    Err(Error::Refused { integrator: "harmonic balance", law: law.name(), reason })
}
