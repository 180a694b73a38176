//! Newton's method on the equations of harmonic balance, and the distance to the motion with more harmonics.

use super::{CondensedProblem, PENALTIES, ROUNDING};
use crate::Error;
use crate::harmonic::HarmonicMotion;
use crate::math::lu::Lu;

/// Newton's steps at one friction level.
const MAX_STEPS: u32 = 60;
/// Part of the residual at which the distance to a finer motion is known to a few percent.
const RESOLVED: f64 = 0.03;
/// Whole steps of Newton's method towards a finer motion.
const REFINEMENTS: usize = 4;
/// Halvings of a step of Newton's method.
const HALVINGS: u32 = 12;
/// Shares of the friction through which the search goes if the whole at once fails.
const LEVELS: [f64; 5] = [0.2, 0.4, 0.6, 0.8, 1.0];

impl CondensedProblem {
    /// The motion, from a known one nearby if there is one.
    pub fn solve(&mut self, start: Option<&HarmonicMotion>) -> Result<HarmonicMotion, Error> {
        if self.contacts.is_empty() {
            return self.finish(&[], 0);
        }
        let mut iterations = 0;
        if let Some(start) = start {
            let mut z = self.unknowns(start);
            self.set_sharp(true);
            if self.newton(&mut z, 1.0, &mut iterations) {
                return self.finish(&z, iterations);
            }
            if let Ok(motion) = self.solve_from(self.unknowns(start)) {
                return Ok(motion);
            }
        }
        let z = vec![0.0; self.contacts.len() * self.width()];
        self.solve_from(z.clone()).or_else(|_| {
            self.set_sharp(false);
            let mut z = z;
            for level in LEVELS {
                if !self.newton(&mut z, level, &mut iterations) {
                    let residual = self.balance(&z, 1.0, &mut vec![0.0; z.len()], None) / self.bound();
                    return Err(Error::NoPeriodicMotion { starts: 1, residual });
                }
            }
            self.solve_from(z)
        })
    }

    /// The motion near the unknowns z.
    pub fn solve_from(&mut self, mut z: Vec<f64>) -> Result<HarmonicMotion, Error> {
        let mut iterations = 0;
        self.set_sharp(false);
        if !self.newton(&mut z, 1.0, &mut iterations) {
            let residual = self.balance(&z, 1.0, &mut vec![0.0; z.len()], None) / self.bound();
            return Err(Error::NoPeriodicMotion { starts: 1, residual });
        }
        if self.has_jumps() {
            self.sharpen(&mut z, &mut iterations);
        }
        self.finish(&z, iterations)
    }

    /// Raises ρ as far as Newton's method follows.
    fn sharpen(&mut self, z: &mut [f64], iterations: &mut u32) {
        let mut trial = z.to_vec();
        for penalty in &PENALTIES[1..] {
            let before = self.rho;
            self.rho = penalty * self.impedance;
            trial.copy_from_slice(z);
            if !self.newton(&mut trial, 1.0, iterations) {
                self.rho = before;
                return;
            }
            z.copy_from_slice(&trial);
        }
    }

    /// The motion of converged unknowns.
    pub fn finish(&self, z: &[f64], iterations: u32) -> Result<HarmonicMotion, Error> {
        let means: Vec<f64> = z.chunks(self.width()).map(|z| z[0]).collect();
        if !self.linear.has_mean(&self.constant, &means, self.bound()) {
            return Err(Error::NoPeriodicMotion { starts: 1, residual: f64::INFINITY });
        }
        Ok(self.motion(z, iterations))
    }

    /// Takes ρ to where a motion that is known was found, or to where one is sought.
    pub fn set_sharp(&mut self, is_sharp: bool) {
        self.rho = PENALTIES[if is_sharp { PENALTIES.len() - 1 } else { 0 }] * self.impedance;
    }

    /// Newton's method with halved steps. Returns whether it converged.
    pub fn newton(&self, z: &mut [f64], level: f64, iterations: &mut u32) -> bool {
        let enough = ROUNDING * level * self.bound();
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
                // the derivative is at hand if the step is good, as the last ones are
                best = self.balance(&trial, level, &mut residual, Some(&mut lu.a));
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
            norm = best;
        }
        norm <= 1e2 * enough
    }

    /// How far each degree of freedom of the solution with more harmonics lies from `motion`, which solves
    /// this problem with fewer (m).
    ///
    /// Newton's method from the motion itself, as far as [`RESOLVED`] of the way: the first step is the
    /// residual of the equation in time, taken through its linearised compliance.
    pub fn distance_from(&mut self, motion: &HarmonicMotion) -> Vec<f64> {
        let unknown = vec![f64::INFINITY; self.constant.len()];
        if self.contacts.is_empty() {
            return self.positions_apart(&[], motion);
        }
        self.rho = motion.rho;
        let mut z = self.unknowns(motion);
        let size = z.len();
        let mut lu = Lu::<f64>::new(size);
        let mut residual = vec![0.0; size];
        let first = self.balance(&z, 1.0, &mut residual, Some(&mut lu.a));
        let mut norm = first;
        for _ in 0..REFINEMENTS {
            if !lu.factor() {
                return unknown;
            }
            lu.solve(&mut residual);
            z.iter_mut().zip(&residual).for_each(|(z, step)| *z -= step);
            norm = self.balance(&z, 1.0, &mut residual, Some(&mut lu.a));
            if norm <= (RESOLVED * first).max(ROUNDING * self.bound()) {
                return self.positions_apart(&z, motion);
            }
        }
        // a law that jumps, or nearly so: from the start with halved steps
        z = self.unknowns(motion);
        if norm.is_nan() || !self.newton(&mut z, 1.0, &mut 0) {
            return self.solve(Some(motion)).map_or(unknown, |finer| finer.distances(motion));
        }
        self.positions_apart(&z, motion)
    }
}
