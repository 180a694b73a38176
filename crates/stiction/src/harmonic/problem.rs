//! The equations of harmonic balance at one frequency, and their solution.

use super::HarmonicMotion;
use crate::Error;
use crate::law::{Graph, Law, Slip};
use crate::math::complex::Complex;
use crate::math::lu::Lu;
use crate::simulate::Refusal;
use crate::system::{Contact, System};

/// Samples of the friction in a period, in units of the harmonics: enough for the harmonics that are left out to be estimated.
const SAMPLES: usize = 16;
/// Fewest samples: a narrow law is steep.
const MIN_SAMPLES: usize = 256;
/// Newton's steps at one friction level.
const MAX_STEPS: u32 = 60;
/// A residual of this part of the largest friction force is rounding of the transforms.
const ROUNDING: f64 = 1e-12;
/// Halvings of a step of Newton's method.
const HALVINGS: u32 = 12;
/// Shares of the friction through which the search goes if the whole at once fails.
const LEVELS: [f64; 5] = [0.2, 0.4, 0.6, 0.8, 1.0];
/// ρ in units of the stiffest contact's force by velocity: so large that few harmonics find the mean of a jump, so small that the jump is
/// sampled as a slope.
const PENALTY: f64 = 30.0;
/// Frequencies that differ by this part are multiples of each other.
const MULTIPLE: f64 = 1e-9;

pub(super) struct CondensedProblem<'a> {
    system: &'a System,
    omega: f64,
    /// H.
    harmonics: usize,
    /// Samples in a period, and the cosines and sines of the angle of one sample times 0 … n − 1.
    n_samples: usize,
    turns: Vec<[f64; 2]>,
    /// Displacement without friction, by harmonic.
    free: Vec<Vec<Complex>>,
    /// Z_k⁻¹W, by harmonic and contact.
    response: Vec<Vec<Vec<Complex>>>,
    /// Scale that makes a velocity a force in the set-valued law (N s/m).
    rho: f64,
}

impl<'a> CondensedProblem<'a> {
    pub fn new(system: &'a System, harmonics: usize) -> Result<Self, Error> {
        let omega = system.harmonics.first().map(|h| h.omega).ok_or(Error::NoHarmonicLoad)?;
        for contact in &system.contacts {
            refuse(contact)?;
        }
        let (n, n_samples) = (system.n(), (SAMPLES * (harmonics + 1)).max(MIN_SAMPLES).next_power_of_two());
        let angle = std::f64::consts::TAU / n_samples as f64;
        let turns = (0..n_samples).map(|j| libm::sincos(angle * j as f64)).map(|(s, c)| [c, s]).collect();
        let mut problem = Self {
            system,
            omega,
            harmonics,
            n_samples,
            turns,
            free: Vec::with_capacity(harmonics + 1),
            response: Vec::with_capacity(harmonics + 1),
            rho: 1.0,
        };
        let mut loads = vec![vec![Complex { re: 0.0, im: 0.0 }; n]; harmonics + 1];
        loads[0].iter_mut().zip(&system.constant).for_each(|(load, constant)| load.re = *constant);
        for harmonic in &system.harmonics {
            let ratio = harmonic.omega / omega;
            let k = ratio.round();
            if k < 1.0 || (ratio - k).abs() > MULTIPLE * ratio {
                return Err(Error::NotCommensurate { first: omega, other: harmonic.omega });
            }
            // sin(kΩt + φ) = Re(−i e^{iφ} e^{ikΩt})
            let (sine, cosine) = libm::sincos(harmonic.phase);
            if let Some(load) = loads.get_mut(k as usize) {
                for (load, amplitude) in load.iter_mut().zip(&harmonic.amplitude) {
                    load.re += amplitude * sine;
                    load.im -= amplitude * cosine;
                }
            }
        }
        for (k, load) in loads.into_iter().enumerate() {
            let (free, response) = problem.linear(k, load)?;
            problem.free.push(free);
            problem.response.push(response);
        }
        let stiffest = (0..system.contacts.len()).map(|i| {
            let g = problem.compliance(1, i, i);
            omega * libm::hypot(g.re, g.im)
        });
        let mobility = stiffest.fold(0.0, f64::max);
        problem.rho = PENALTY * if mobility > 0.0 { 1.0 / mobility } else { 1.0 };
        Ok(problem)
    }

    /// The response to a load, and to a unit force of each contact, at the harmonic k.
    #[allow(clippy::type_complexity)]
    fn linear(&self, k: usize, mut load: Vec<Complex>) -> Result<(Vec<Complex>, Vec<Vec<Complex>>), Error> {
        let (system, n) = (self.system, self.system.n());
        let rate = k as f64 * self.omega;
        let mut lu = Lu::<Complex>::new(n);
        for (z, ((m, c), k)) in
            lu.a.iter_mut().zip(system.mass.data.iter().zip(&system.damping.data).zip(&system.stiffness.data))
        {
            *z = Complex { re: k - rate * rate * m, im: rate * c };
        }
        let column = |contact: &Contact| -> Vec<Complex> {
            contact.direction.iter().map(|w| Complex { re: *w, im: 0.0 }).collect()
        };
        let mut response: Vec<Vec<Complex>> = system.contacts.iter().map(column).collect();
        if !lu.factor() {
            if k > 0 {
                // an undamped resonance: no periodic motion of the linear system
                return Err(Error::NoPeriodicMotion { starts: 1, residual: f64::INFINITY });
            }
            // the mean position of a body without springs is free: zero is one of them
            let zero = Complex { re: 0.0, im: 0.0 };
            return Ok((vec![zero; n], vec![vec![zero; n]; response.len()]));
        }
        lu.solve(&mut load);
        response.iter_mut().for_each(|column| lu.solve(column));
        Ok((load, response))
    }

    /// G_k between contacts i and j.
    fn compliance(&self, k: usize, i: usize, j: usize) -> Complex {
        let direction = &self.system.contacts[i].direction;
        let mut sum = Complex { re: 0.0, im: 0.0 };
        for (w, x) in direction.iter().zip(&self.response[k][j]) {
            sum = sum + x.times(*w);
        }
        sum
    }

    /// Whether a law jumps, so that what is left out moves the jump and comes back in full.
    pub fn has_jumps(&self) -> bool {
        self.system.contacts.iter().any(|contact| contact.friction.law.graph() == Graph::SetValued)
    }

    /// Length of the unknowns of one contact: mean, cosines and sines of its force.
    fn width(&self) -> usize {
        2 * self.harmonics + 1
    }

    /// The motion, from a known one nearby if there is one.
    pub fn solve(&self, start: Option<&HarmonicMotion>) -> Result<HarmonicMotion, Error> {
        let width = self.width();
        let m = self.system.contacts.len();
        let mut z = vec![0.0; m * width];
        if let Some(start) = start {
            for (k, row) in start.friction.iter().enumerate().take(self.harmonics + 1) {
                for (i, [re, im]) in row.iter().enumerate().take(m) {
                    z[i * width + if k == 0 { 0 } else { 2 * k - 1 }] = *re;
                    if k > 0 {
                        z[i * width + 2 * k] = -im;
                    }
                }
            }
        }
        let mut iterations = 0;
        let from_start = z.clone();
        if m > 0 && !self.newton(&mut z, 1.0, &mut iterations) {
            z = from_start;
            z.fill(0.0);
            for level in LEVELS {
                if !self.newton(&mut z, level, &mut iterations) {
                    return Err(Error::NoPeriodicMotion { starts: 1, residual: self.residual(&z, 1.0) });
                }
            }
        }
        Ok(self.motion(&z, iterations))
    }

    /// Newton's method with halved steps. Says whether it converged.
    fn newton(&self, z: &mut [f64], level: f64, iterations: &mut u32) -> bool {
        let bound: f64 =
            self.system.contacts.iter().map(|c| c.load * c.friction.law.bound()).fold(0.0, f64::max);
        let enough = ROUNDING * level * bound.max(f64::MIN_POSITIVE);
        let size = z.len();
        let mut lu = Lu::<f64>::new(size);
        let mut residual = vec![0.0; size];
        let mut trial = vec![0.0; size];
        let mut norm = self.balance(z, level, &mut residual, Some(&mut lu.a));
        for _ in 0..MAX_STEPS {
            if norm <= enough {
                return true;
            }
            *iterations += 1;
            if !lu.factor() {
                return false;
            }
            lu.solve(&mut residual);
            let step = residual.clone();
            let mut share = 1.0;
            let mut best = f64::INFINITY;
            for _ in 0..HALVINGS {
                for (trial, (z, step)) in trial.iter_mut().zip(z.iter().zip(&step)) {
                    *trial = z - share * step;
                }
                best = self.balance(&trial, level, &mut residual, None);
                if best < (1.0 - 0.1 * share) * norm || best <= enough {
                    break;
                }
                share *= 0.5;
            }
            if !best.is_finite() {
                return false;
            }
            // a kinked law may need a step that does not help at once
            z.copy_from_slice(&trial);
            norm = self.balance(z, level, &mut residual, Some(&mut lu.a));
        }
        norm <= 1e3 * enough
    }

    fn residual(&self, z: &[f64], level: f64) -> f64 {
        self.balance(z, level, &mut vec![0.0; z.len()], None)
    }

    /// cos and sin of kΩt at sample s.
    #[inline]
    fn turn(&self, k: usize, s: usize) -> [f64; 2] {
        self.turns[(k * s) & (self.n_samples - 1)]
    }

    /// Friction that follows from the unknowns: its residual against them, its derivative, and the norm of the residual.
    fn balance(&self, z: &[f64], level: f64, residual: &mut [f64], jacobian: Option<&mut Vec<f64>>) -> f64 {
        let (width, m) = (self.width(), self.system.contacts.len());
        let mut velocity = vec![0.0; m * width];
        self.velocities(z, &mut velocity);
        let n = self.n_samples;
        let mut slopes = vec![[0.0; 2]; m * n];
        residual.copy_from_slice(z);
        for (i, contact) in self.system.contacts.iter().enumerate() {
            for s in 0..n {
                let (v, force) = (self.sample(&velocity[i * width..], s), self.sample(&z[i * width..], s));
                let (value, by_force, by_velocity) = self.friction(contact, level, v, force);
                slopes[i * n + s] = [by_force, by_velocity];
                let weight = 2.0 / n as f64;
                residual[i * width] -= 0.5 * weight * value;
                for k in 1..=self.harmonics {
                    let [c, sine] = self.turn(k, s);
                    residual[i * width + 2 * k - 1] -= weight * value * c;
                    residual[i * width + 2 * k] -= weight * value * sine;
                }
            }
        }
        if let Some(jacobian) = jacobian {
            self.derivative(&slopes, jacobian);
        }
        residual.iter().map(|r| r.abs()).fold(0.0, f64::max)
    }

    /// Sliding velocities that follow from the forces z, as mean, cosines and sines.
    fn velocities(&self, z: &[f64], velocity: &mut [f64]) {
        let (width, m) = (self.width(), self.system.contacts.len());
        for (i, contact) in self.system.contacts.iter().enumerate() {
            velocity[i * width] = -contact.belt;
            for k in 1..=self.harmonics {
                let mut x = Complex { re: 0.0, im: 0.0 };
                for (w, free) in contact.direction.iter().zip(&self.free[k]) {
                    x = x + free.times(*w);
                }
                for j in 0..m {
                    let force = Complex { re: z[j * width + 2 * k - 1], im: -z[j * width + 2 * k] };
                    x = x - self.compliance(k, i, j) * force;
                }
                let v = x.turned().times(k as f64 * self.omega);
                velocity[i * width + 2 * k - 1] = v.re;
                velocity[i * width + 2 * k] = -v.im;
            }
        }
    }

    /// A trigonometric polynomial at sample s.
    fn sample(&self, coefficients: &[f64], s: usize) -> f64 {
        let mut value = coefficients[0];
        for k in 1..=self.harmonics {
            let [c, sine] = self.turn(k, s);
            value += coefficients[2 * k - 1] * c + coefficients[2 * k] * sine;
        }
        value
    }

    /// Friction force, and its derivatives by the force that is balanced and by the velocity.
    fn friction(&self, contact: &Contact, level: f64, v: f64, force: f64) -> (f64, f64, f64) {
        let load = level * contact.load;
        let viscous = contact.load * contact.friction.viscous;
        let law = &contact.friction.law;
        if law.graph() != Graph::SetValued {
            let (phi, slope) = (law.coefficient(Slip::at(v)), law.slope(Slip::at(v)));
            return (load * phi + viscous * v, 0.0, load * slope + viscous);
        }
        let limit = load * law.bound();
        let dry = force - viscous * v;
        let wanted = dry + self.rho * v;
        if wanted.abs() <= limit {
            (force + self.rho * v, 1.0, self.rho)
        } else {
            (limit.copysign(wanted) + viscous * v, 0.0, viscous)
        }
    }

    /// I − ∂(friction)/∂z, row after row.
    fn derivative(&self, slopes: &[[f64; 2]], jacobian: &mut [f64]) {
        let (width, m, n) = (self.width(), self.system.contacts.len(), self.n_samples);
        let size = m * width;
        jacobian.fill(0.0);
        // Fourier sums of the slopes up to twice the highest harmonic: products of two harmonics fall on sum and difference
        let sums: Vec<Vec<[f64; 4]>> = (0..m)
            .map(|i| {
                (0..=2 * self.harmonics)
                    .map(|k| {
                        let mut sum = [0.0; 4];
                        for s in 0..n {
                            let ([c, sine], [force, velocity]) = (self.turn(k, s), slopes[i * n + s]);
                            sum[0] += force * c;
                            sum[1] += force * sine;
                            sum[2] += velocity * c;
                            sum[3] += velocity * sine;
                        }
                        sum.map(|x| x / n as f64)
                    })
                    .collect()
            })
            .collect();
        // mean of slope · (cos or sin of p) · (cos or sin of q)
        let product = |i: usize, which: usize, [p, is_sine_p]: [usize; 2], [q, is_sine_q]: [usize; 2]| {
            let (sum, difference) = (&sums[i][p + q], &sums[i][p.abs_diff(q)]);
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
                // velocity harmonics by force harmonics: V = −ikΩ G Λ
                for k in 1..=self.harmonics {
                    let by_cosine = weight * product(i, 1, function(a), [k, 0]);
                    let by_sine = weight * product(i, 1, function(a), [k, 1]);
                    for j in 0..m {
                        let d = self.compliance(k, i, j).turned().times(-(k as f64) * self.omega);
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
        let (width, m) = (self.width(), self.system.contacts.len());
        let mut motion = HarmonicMotion {
            omega: self.omega,
            position: Vec::with_capacity(self.harmonics + 1),
            friction: Vec::with_capacity(self.harmonics + 1),
            truncation: self.truncation(z),
            iterations,
        };
        for k in 0..=self.harmonics {
            let force = |i: usize| match k {
                0 => Complex { re: z[i * width], im: 0.0 },
                _ => Complex { re: z[i * width + 2 * k - 1], im: -z[i * width + 2 * k] },
            };
            let mut q = self.free[k].clone();
            for i in 0..m {
                for (q, x) in q.iter_mut().zip(&self.response[k][i]) {
                    *q = *q - *x * force(i);
                }
            }
            motion.position.push(q.iter().map(|q| [q.re, q.im]).collect());
            motion.friction.push((0..m).map(|i| [force(i).re, force(i).im]).collect());
        }
        motion
    }

    /// Displacement that the friction's harmonics beyond H would cause, summed over as many again (m).
    fn truncation(&self, z: &[f64]) -> f64 {
        let (width, m, n) = (self.width(), self.system.contacts.len(), self.n_samples);
        let mut velocity = vec![0.0; m * width];
        self.velocities(z, &mut velocity);
        let mut error = vec![0.0; self.system.n()];
        for k in self.harmonics + 1..=(3 * self.harmonics + 2).min(n / 4) {
            let zero = vec![Complex { re: 0.0, im: 0.0 }; self.system.n()];
            let Ok((_, response)) = self.linear(k, zero) else { continue };
            for (i, contact) in self.system.contacts.iter().enumerate() {
                let mut force = [0.0; 2];
                for s in 0..n {
                    let (v, held) = (self.sample(&velocity[i * width..], s), self.sample(&z[i * width..], s));
                    let value = self.friction(contact, 1.0, v, held).0;
                    let [c, sine] = self.turn(k, s);
                    force[0] += 2.0 * value * c / n as f64;
                    force[1] += 2.0 * value * sine / n as f64;
                }
                let size = libm::hypot(force[0], force[1]);
                for (error, x) in error.iter_mut().zip(&response[i]) {
                    *error += size * libm::hypot(x.re, x.im);
                }
            }
        }
        error.into_iter().fold(0.0, f64::max)
    }
}

/// Refuses a law that is not a function, or a set, of the velocity alone.
fn refuse(contact: &Contact) -> Result<(), Error> {
    let law = &contact.friction.law;
    // the corners of a set-valued law end at its kinetic level
    let kinetic = law.corners().and_then(|corners| corners.last().map(|corner| corner[1]));
    let reason = match law.graph() {
        Graph::SetValued if kinetic == Some(law.bound()) => return Ok(()),
        Graph::SetValued => Refusal::StaticExcess,
        Graph::Jump => Refusal::Jump,
        _ if law.has_memory() => Refusal::Memory,
        _ if law.hold(0.0).is_some() => Refusal::Demand,
        Graph::Continuous => return Ok(()),
    };
    Err(Error::Refused { integrator: "harmonic balance", law: law.name(), reason })
}
