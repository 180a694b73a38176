//! Nonlinear modes: frequency and damping of an autonomous structure as functions of the amplitude.
//!
//! The extended periodic motion concept (@krack2015) makes a decaying motion periodic by a force that
//! replaces what is lost,
//!
//! ```text
//!   M q̈ + (C − ξM) q̇ + K q + W H = f₀,    q = Re Σ Q_k e^{ikωt},    D = ξ/(2ω)
//! ```
//!
//! so that a structure which vibrates in one mode decays by Ȧ = −DωA, to first order in D. The mode's own
//! coordinate at the first harmonic is given, a real number; ω and ξ follow from the condition that the force
//! on it vanishes. As in forced vibration the unknowns are the harmonics of the friction forces, and those
//! two.
//!
//! D is a ratio of energies, D = E_lost/(4π E_kinetic,max) at one harmonic; a heavily damped structure (D
//! near one) vibrates no more, and then its numbers describe the periodic motion only.

use super::linear::Lead;
use super::problem::{Cache, CondensedProblem, ROUNDING};
use super::{HarmonicBalance, HarmonicMotion, SAFETY, know};
use crate::math::lu::Lu;
use crate::system::System;
use crate::{Error, Progress};

/// Newton's steps at one amplitude, and halvings of each.
const MAX_STEPS: u32 = 40;
const HALVINGS: u32 = 10;
/// Difference of ω and ξ for the derivative by them, as a part of the linear mode's ω.
const DIFFERENCE: f64 = 1e-7;
/// Shares of the friction through which the first search goes if the whole at once fails.
const LEVELS: [f64; 6] = [0.05, 0.2, 0.4, 0.6, 0.8, 1.0];
/// Halvings of the way, in the logarithm, from one amplitude to the next.
const MAX_HALVINGS: u32 = 8;
/// A share of a mode below this part of its largest is that of a node.
const NODE: f64 = 1e-9;
/// Steps towards a finer motion, to this part of the residual.
const REFINEMENTS: usize = 6;
const RESOLVED: f64 = 0.03;

/// A periodic motion of a nonlinear mode.
#[derive(Clone, Debug, PartialEq)]
pub struct ModalMotion {
    /// The motion; its Ω is the frequency of the mode (rad/s).
    pub motion: HarmonicMotion,
    /// D (-).
    pub damping: f64,
    /// How far the frequency is off at most, for the harmonics that are left out (rad/s).
    pub frequency_error: f64,
    /// How far D is off at most, for the harmonics that are left out (-).
    pub damping_error: f64,
}

/// An amplitude, and the motion of the mode there.
#[derive(Clone, Debug, PartialEq)]
pub struct ModalPoint {
    /// What the linear mode contributes to the first harmonic of the degree of freedom (m).
    pub amplitude: f64,
    /// The motion, or why there is none.
    pub motion: Result<ModalMotion, Error>,
}

/// Unknowns of a nonlinear mode: friction forces, ω and ξ.
#[derive(Clone, Debug)]
struct ModalState {
    z: Vec<f64>,
    omega: f64,
    growth: f64,
}

/// A nonlinear mode of a system.
struct ModalProblem<'a> {
    system: &'a System,
    cache: &'a mut Cache,
    mode: usize,
    /// ω of the linear mode (rad/s).
    omega: f64,
    harmonics: usize,
}

/// Residuals of a state: of the forces, and of the force on the prescribed mode.
struct ModalResidual {
    values: Vec<f64>,
    norm: f64,
}

impl HarmonicBalance {
    /// The motions of a nonlinear mode at the given amplitudes: what the linear mode number `mode`, from 0,
    /// contributes to the first harmonic of degree of freedom `dof`. Harmonic loads are left out. The system
    /// must have passed its check.
    pub fn nonlinear_mode(
        &self,
        system: &System,
        mode: usize,
        dof: usize,
        amplitudes: &[f64],
        progress: &mut Progress,
    ) -> Result<Vec<ModalPoint>, Error> {
        let mut points = Vec::new();
        self.nonlinear_mode_into(&mut points, system, (mode, dof), amplitudes, progress)?;
        Ok(points.into_iter().flatten().collect())
    }

    /// The same into a list with a place for each amplitude: motions that are finished stay when it is
    /// stopped.
    pub fn nonlinear_mode_into(
        &self,
        points: &mut Vec<Option<ModalPoint>>,
        system: &System,
        (mode, dof): (usize, usize),
        amplitudes: &[f64],
        progress: &mut Progress,
    ) -> Result<(), Error> {
        know(system)?;
        let mut cache = Cache::default();
        let linear = cache.linear(system)?;
        let refused = |because| Error::NotAMode { mode, because };
        let known = linear.mode(mode, dof.min(system.n() - 1));
        let [square, share] = known.ok_or(refused("there are no more modes"))?;
        if square <= 0.0 {
            return Err(refused("it has no stiffness, so that it does not vibrate"));
        }
        if share.abs() <= NODE * linear.largest_share(mode) {
            return Err(refused("it does not move the degree of freedom that is measured"));
        }
        // from the largest amplitude, at which friction matters least, downwards
        let mut order: Vec<usize> = (0..amplitudes.len()).collect();
        order.sort_by(|a, b| amplitudes[*b].total_cmp(&amplitudes[*a]));
        points.clear();
        points.resize(amplitudes.len(), None);
        let mut last: Option<(f64, ModalState)> = None;
        for (done, &i) in order.iter().enumerate() {
            progress.report(done as f64 / amplitudes.len() as f64)?;
            let amount = amplitudes[i] / share.abs();
            let known = last.as_ref().filter(|_| !system.contacts.is_empty());
            let harmonics = known.map_or(self.harmonics.max(1), |(_, state)| state.n_harmonics(system));
            let mut problem =
                ModalProblem { system, cache: &mut cache, mode, omega: square.sqrt(), harmonics };
            let found = problem
                .found(amount, last.as_ref())
                .and_then(|state| self.judged(&mut problem, amount, state));
            let motion = match found {
                Ok((state, motion)) => {
                    last = Some((amount, state));
                    Ok(motion)
                }
                Err(error) => Err(error),
            };
            points[i] = Some(ModalPoint { amplitude: amplitudes[i], motion });
        }
        progress.report(1.0)
    }

    /// The motion of a state with as many more harmonics as it needs, and its errors stated.
    fn judged(
        &self,
        problem: &mut ModalProblem,
        amount: f64,
        mut state: ModalState,
    ) -> Result<(ModalState, ModalMotion), Error> {
        loop {
            let harmonics = problem.harmonics;
            let mut motion = problem.at(amount, &state)?.finish(&state.z, 0)?;
            problem.harmonics = 2 * harmonics + 1;
            let (finer, moved) = problem.finer(amount, &state, &motion)?;
            motion.state_truncation(&moved);
            if harmonics >= self.max_harmonics || motion.truncation <= self.tolerance * motion.size() {
                let damping = |state: &ModalState| 0.5 * state.growth / state.omega;
                let found = ModalMotion {
                    damping: damping(&state),
                    frequency_error: SAFETY * (finer.omega - state.omega).abs()
                        + super::ROUNDING * state.omega,
                    damping_error: SAFETY * (damping(&finer) - damping(&state)).abs() + super::ROUNDING,
                    motion,
                };
                return Ok((state, found));
            }
            problem.harmonics = problem.harmonics.min(self.max_harmonics);
            state = finer.with_harmonics(problem.system, problem.harmonics);
            state = problem.newton(amount, state, 1.0)?;
        }
    }
}

impl ModalState {
    fn n_harmonics(&self, system: &System) -> usize {
        self.z.len() / (2 * system.contacts.len()).max(1)
    }

    /// The same with more harmonics, or fewer.
    fn with_harmonics(&self, system: &System, harmonics: usize) -> Self {
        let (m, width) = (system.contacts.len(), 2 * harmonics + 1);
        let old = self.z.len() / m.max(1);
        let mut z = vec![0.0; m * width];
        for (own, before) in z.chunks_mut(width).zip(self.z.chunks(old.max(1))) {
            let common = width.min(old);
            own[..common].copy_from_slice(&before[..common]);
        }
        Self { z, ..*self }
    }
}

impl ModalProblem<'_> {
    fn at(&mut self, amount: f64, state: &ModalState) -> Result<CondensedProblem, Error> {
        let lead = Lead { growth: state.growth, mode: Some((self.mode, amount)) };
        CondensedProblem::with_mode(self.system, self.harmonics, state.omega, lead, self.cache)
    }

    /// The state at an amplitude, from the one before if there is one.
    fn found(&mut self, amount: f64, last: Option<&(f64, ModalState)>) -> Result<ModalState, Error> {
        if let Some((before, state)) = last
            && let Ok(found) = self.follow(*before, amount, state)
        {
            return Ok(found);
        }
        let size = self.system.contacts.len() * (2 * self.harmonics + 1);
        let mut start = ModalState { z: vec![0.0; size], omega: self.omega, growth: 0.0 };
        start.z = self.at(amount, &start)?.free_friction();
        if let Ok(found) = self.newton(amount, start.clone(), 1.0) {
            return Ok(found);
        }
        start.z.iter_mut().for_each(|z| *z *= LEVELS[0]);
        for level in LEVELS {
            start = self.newton(amount, start, level)?;
        }
        Ok(start)
    }

    /// From one amplitude to another, in as many steps as it takes.
    fn follow(&mut self, from: f64, to: f64, state: &ModalState) -> Result<ModalState, Error> {
        let (mut at, mut now, mut step) = (0.0, state.clone(), 1.0);
        let mut halvings = 0;
        loop {
            let amount = from * libm::pow(to / from, at + step);
            match self.newton(amount, now.clone(), 1.0) {
                Ok(next) if at + step >= 1.0 => return Ok(next),
                Ok(next) => {
                    (at, now) = (at + step, next);
                    step = (2.0 * step).min(1.0 - at);
                }
                Err(error) if halvings == MAX_HALVINGS => return Err(error),
                Err(_) => {
                    step *= 0.5;
                    halvings += 1;
                }
            }
        }
    }

    /// The equations in units of the friction that occurs and of the mode's own forces.
    fn residual(
        &mut self,
        amount: f64,
        state: &ModalState,
        level: f64,
        unit: f64,
        jacobian: Option<&mut Lu<f64>>,
    ) -> Result<ModalResidual, Error> {
        let problem = self.at(amount, state)?;
        let n = state.z.len();
        let own = self.omega * self.omega * amount;
        let equations = |problem: &CondensedProblem, slopes: Option<&mut Vec<f64>>| {
            let mut values = vec![0.0; n + 2];
            problem.balance(&state.z, level, &mut values[..n], slopes);
            values[..n].iter_mut().for_each(|x| *x /= unit);
            let mode_force = problem.mode_force(&state.z);
            (values[n], values[n + 1]) = (mode_force.re / own, mode_force.im / own);
            values
        };
        let Some(lu) = jacobian else {
            let values = equations(&problem, None);
            let norm = values
                .iter()
                .fold(0.0, |norm: f64, x| if x.is_nan() { f64::INFINITY } else { norm.max(x.abs()) });
            return Ok(ModalResidual { values, norm });
        };
        let mut slopes = vec![0.0; n * n];
        let values = equations(&problem, Some(&mut slopes));
        let norm = values
            .iter()
            .fold(0.0, |norm: f64, x| if x.is_nan() { f64::INFINITY } else { norm.max(x.abs()) });
        // unknowns in the same units: z over the unit of force, ω and ξ over the linear ω
        let size = n + 2;
        for (row, slopes) in slopes.chunks(n.max(1)).enumerate() {
            lu.a[row * size..row * size + n].copy_from_slice(slopes);
        }
        for (row, slopes) in problem.leading_slopes().iter().enumerate() {
            for (slot, slope) in lu.a[(n + row) * size..(n + row) * size + n].iter_mut().zip(slopes) {
                *slot = slope * unit / own;
            }
        }
        for (column, by) in [[1.0, 0.0], [0.0, 1.0]].iter().enumerate() {
            let h = DIFFERENCE * self.omega;
            let moved = ModalState {
                z: Vec::new(),
                omega: state.omega + h * by[0],
                growth: state.growth + h * by[1],
            };
            let other = equations(&self.at(amount, &moved)?, None);
            for (row, (a, b)) in other.iter().zip(&values).enumerate() {
                lu.a[row * size + n + column] = (a - b) / DIFFERENCE;
            }
        }
        Ok(ModalResidual { values, norm })
    }

    /// A step of Newton's method, `share` of it, away from `state`.
    fn moved(&self, state: &ModalState, step: &[f64], share: f64, unit: f64) -> ModalState {
        let n = state.z.len();
        ModalState {
            z: state.z.iter().zip(step).map(|(z, step)| z - share * unit * step).collect(),
            omega: state.omega - share * self.omega * step[n],
            growth: state.growth - share * self.omega * step[n + 1],
        }
    }

    /// The friction that occurs at an amplitude (N).
    fn unit(&mut self, amount: f64, state: &ModalState) -> Result<f64, Error> {
        let free = self.at(amount, state)?.free_friction();
        let largest = free.iter().chain(&state.z).fold(0.0, |a: f64, f| a.max(f.abs()));
        Ok(if largest > 0.0 { largest } else { 1.0 })
    }

    fn newton(&mut self, amount: f64, mut state: ModalState, level: f64) -> Result<ModalState, Error> {
        let unit = self.unit(amount, &state)?;
        let mut lu = Lu::<f64>::new(state.z.len() + 2);
        let mut now = self.residual(amount, &state, level, unit, Some(&mut lu))?;
        for _ in 0..MAX_STEPS {
            if now.norm <= ROUNDING {
                return Ok(state);
            }
            let failed = Error::NoPeriodicMotion { starts: 1, residual: now.norm };
            if !lu.factor() {
                return Err(failed);
            }
            let mut step = now.values.clone();
            lu.solve(&mut step);
            let mut share = 1.0;
            let mut next = None;
            for _ in 0..HALVINGS {
                let trial = self.moved(&state, &step, share, unit);
                if trial.omega > 0.0 {
                    let residual = self.residual(amount, &trial, level, unit, None)?;
                    if residual.norm < (1.0 - 0.1 * share) * now.norm || residual.norm <= ROUNDING {
                        next = Some(trial);
                        break;
                    }
                }
                share *= 0.5;
            }
            // what does not shrink any more is rounding, or no solution is near
            let Some(next) = next else {
                return if now.norm <= 1e2 * ROUNDING { Ok(state) } else { Err(failed) };
            };
            state = next;
            now = self.residual(amount, &state, level, unit, Some(&mut lu))?;
        }
        Err(Error::NoPeriodicMotion { starts: 1, residual: now.norm })
    }

    /// The state with the problem's harmonics, from one with fewer whose motion is `motion`; and how far the
    /// displacements move (m).
    fn finer(
        &mut self,
        amount: f64,
        state: &ModalState,
        motion: &HarmonicMotion,
    ) -> Result<(ModalState, Vec<f64>), Error> {
        let start = state.with_harmonics(self.system, self.harmonics);
        let unit = self.unit(amount, &start)?;
        let mut lu = Lu::<f64>::new(start.z.len() + 2);
        let mut finer = start.clone();
        let mut now = self.residual(amount, &finer, 1.0, unit, Some(&mut lu))?;
        let enough = (RESOLVED * now.norm).max(ROUNDING);
        for _ in 0..REFINEMENTS {
            if now.norm <= enough || !lu.factor() {
                break;
            }
            let mut step = now.values.clone();
            lu.solve(&mut step);
            finer = self.moved(&finer, &step, 1.0, unit);
            if !(finer.omega > 0.0) {
                break;
            }
            now = self.residual(amount, &finer, 1.0, unit, Some(&mut lu))?;
        }
        if !(now.norm <= enough) {
            finer = self.newton(amount, start, 1.0)?;
        }
        let moved = self.at(amount, &finer)?.positions_apart(&finer.z, motion);
        Ok((finer, moved))
    }
}
