//! Periodic motions of systems that nothing but belts and constant loads drives: the period is an unknown
//! too.
//!
//! ```text
//!   P_T(x) = x,   p·(x − x₀) = 0        p = ẋ₀: the state may move across the motion, not along it
//!
//!   ⎡ P′ − I   ẋ(T) ⎤ ⎡ δx ⎤     ⎡ P(x) − x    ⎤
//!   ⎣ pᵀ        0   ⎦ ⎣ δT ⎦ = − ⎣ p·(x − x₀)  ⎦
//! ```
//!
//! The first guess is the return of a transient to the plane through x₀.

use super::flow::Flow;
use super::flow::attempted;
use super::newton::{self, Fixed, Norm};
use super::starts::reference;
use super::{Orbit, State, Steady};
use crate::Error;
use crate::math::dense::Matrix;
use crate::math::pivoted;
use crate::system::{Motion, System};
use std::f64::consts::TAU;

/// Transients before a return is looked for, in periods of the system without friction, one after the other.
const TRANSIENTS: [f64; 4] = [10.0, 40.0, 150.0, 600.0];
/// A return may take this many such periods.
const LONGEST: f64 = 2000.0;
/// Looks per stretch for the return.
const LOOKS: usize = 8;
/// A return comes back to within this part of the largest distance.
const NEAR: f64 = 0.1;
/// Speeds below this, relative to the system's own, are rest.
const REST: f64 = 1e-9;
/// Newton steps.
const MAX_ITERATIONS: u32 = 30;
/// Residuals below this that do not shrink any more are rounding.
const ROUNDING: f64 = 1e-10;

/// A time that a search does not walk much beyond (s).
pub(super) fn longest(system: &System) -> f64 {
    TRANSIENTS.len() as f64 * LONGEST * TAU / reference(system).1
}

pub(super) fn orbit(
    steady: &Steady,
    flow: &mut Flow,
    system: &System,
    start: &State,
    tolerance: f64,
) -> Result<Orbit, Error> {
    let (length, omega) = reference(system);
    let own = TAU / omega;
    let norm = Norm::new(system, own);
    let mut x = start.to_vec(flow.n_state());
    let mut residual = f64::INFINITY;
    let mut iterations = 0;
    for transient in TRANSIENTS {
        newton::run(flow, transient * own, &mut x, 1)?;
        let mut rates = vec![0.0; x.len()];
        flow.begin(0.0, &x)?;
        flow.derivative(&mut rates);
        let zeros = vec![0.0; x.len()];
        if norm.distance(&rates, &zeros) <= REST * omega * length {
            // at rest for ever: a fixed point without period
            break;
        }
        let mut search = ReturnSearch { flow, system, norm: &norm, p: rates.clone(), x0: x.clone() };
        let Some(period) = search.guess(LONGEST * own)? else { continue };
        match search.newton(period, tolerance, &mut iterations)? {
            Ok((fixed, period)) => {
                flow.begin(0.0, &fixed.x)?;
                flow.derivative(&mut rates);
                if norm.distance(&rates, &zeros) <= REST * omega * length {
                    // an equilibrium, sliding at constant speed
                    break;
                }
                return steady.describe(flow, system, fixed, (period, 1, true), start);
            }
            Err(missed) => residual = residual.min(missed),
        }
    }
    Err(Error::NoPeriodicMotion { starts: 1, residual })
}

struct ReturnSearch<'a, 'p> {
    flow: &'a mut Flow<'p>,
    system: &'a System,
    norm: &'a Norm,
    /// ẋ₀.
    p: Vec<f64>,
    x0: Vec<f64>,
}

impl ReturnSearch<'_, '_> {
    /// Signed distance from the plane through x₀.
    fn side(&self, x: &[f64]) -> f64 {
        let part = |i: usize| {
            let unit = self.norm.unit(i);
            self.p[i] / unit * (x[i] - self.x0[i]) / unit
        };
        (0..x.len()).map(part).sum()
    }

    /// The time of the first return to x₀.
    fn guess(&mut self, longest: f64) -> Result<Option<f64>, Error> {
        let n = self.system.n();
        let mut x = self.x0.clone();
        let mut motion = Motion::zero(n, self.system.contacts.len()).with_states(x.len() - 2 * n);
        let take = |motion: &Motion, x: &mut [f64]| {
            x[..n].copy_from_slice(&motion.position);
            x[n..2 * n].copy_from_slice(&motion.velocity);
            x[2 * n..].copy_from_slice(&motion.states);
        };
        // a stretch without events may be long
        let reach = TAU / self.norm.omega;
        let (mut farthest, mut before, mut t_before) = (0.0f64, 0.0, 0.0);
        self.flow.begin(0.0, &self.x0)?;
        while self.flow.t() < longest {
            let from = self.flow.t();
            self.flow.step(longest.min(from + reach))?;
            let to = self.flow.t();
            for look in 1..=LOOKS {
                let t = from + (to - from) * look as f64 / LOOKS as f64;
                self.flow.motion(t, &mut motion);
                take(&motion, &mut x);
                let side = self.side(&x);
                let distance = self.norm.distance(&x, &self.x0);
                farthest = farthest.max(distance);
                if before < 0.0 && side >= 0.0 {
                    let returned = t_before + (t - t_before) * before / (before - side);
                    self.flow.motion(returned.max(from), &mut motion);
                    take(&motion, &mut x);
                    if self.norm.distance(&x, &self.x0) <= NEAR * farthest {
                        return Ok(Some(returned));
                    }
                }
                (before, t_before) = (side, t);
            }
        }
        Ok(None)
    }

    /// The motion and its period, or by how much it was missed.
    fn newton(
        &mut self,
        mut period: f64,
        tolerance: f64,
        iterations: &mut u32,
    ) -> Result<Result<(Fixed, f64), f64>, Error> {
        let n = self.x0.len();
        let mut x = self.x0.clone();
        let mut best: Option<(Fixed, f64)> = None;
        for _ in 0..MAX_ITERATIONS {
            *iterations += 1;
            let mut image = x.clone();
            let mut slopes = Matrix::zeros(n, n);
            let known = best.as_ref().map_or(f64::INFINITY, |best| best.0.residual);
            if attempted(newton::walk(self.flow, period, &mut image, Some(&mut slopes)))?.is_none() {
                return Ok(best.ok_or(known));
            }
            let residual = self.norm.distance(&x, &image) / self.norm.size(&x, &image);
            let is_better = residual < known;
            if is_better {
                let fixed = Fixed {
                    x: x.clone(),
                    slopes: slopes.clone(),
                    residual,
                    iterations: *iterations,
                    periods: 0,
                };
                best = Some((fixed, period));
            }
            // one step more than the tolerance asks for: a multiplier next to 1 leaves the state farther away
            // than its image
            if (residual <= tolerance && known <= tolerance) || (!is_better && known <= ROUNDING) {
                break;
            }
            // scaled so that all unknowns are lengths
            let mut matrix = Matrix::zeros(n + 1, n + 1);
            let mut step = vec![0.0; n + 1];
            let mut rates = vec![0.0; n];
            self.flow.derivative(&mut rates);
            for i in 0..n {
                let unit = self.norm.unit(i);
                for j in 0..n {
                    let own = if i == j { 1.0 } else { 0.0 };
                    *matrix.at_mut(i, j) = (slopes.at(i, j) - own) * self.norm.unit(j) / unit;
                }
                *matrix.at_mut(i, n) = rates[i] / unit;
                *matrix.at_mut(n, i) = self.p[i] / unit;
                step[i] = -(image[i] - x[i]) / unit;
            }
            step[n] = -self.side(&x);
            if !pivoted::solve(&mut matrix, &mut step) {
                break;
            }
            let shift = step[n];
            // a period does not change by more than a part of itself
            let length = (0.3 * period / shift.abs()).min(1.0);
            for i in 0..n {
                x[i] += length * step[i] * self.norm.unit(i);
            }
            period += length * shift;
        }
        Ok(match best {
            Some(best) if best.0.residual <= tolerance.max(ROUNDING) => Ok(best),
            Some(best) => Err(best.0.residual),
            None => Err(f64::INFINITY),
        })
    }
}
