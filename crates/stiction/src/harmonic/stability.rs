//! What becomes of small disturbances of a motion found by harmonic balance.
//!
//! A disturbance obeys `M δq̈ + (C + Σ w h(t) wᵀ) δq̇ + K δq = 0` with the slopes h = dH/dv along the motion.
//! Where none of them is negative its energy does not grow, whatever the motion is; springs with sliders lose
//! energy of disturbances only. Where friction falls with the velocity the multipliers of one period decide,
//! by the midpoint rule, which neither adds nor takes energy by itself.

use super::problem::CondensedProblem;
use super::{HarmonicMotion, problem};
use crate::Error;
use crate::error::Refusal;
use crate::math::complex::Complex;
use crate::math::dense::Matrix;
use crate::math::eigen::eigenvalues;
use crate::math::lu::Lu;
use crate::steady::Stability;
use crate::system::System;

/// Instants at which the slopes are looked at; steps of the rule, which resolve some thirty harmonics to a
/// percent.
const STEPS: usize = 2048;
/// A slope below this part of the largest one is rounding.
const FALLING: f64 = 1e-9;
/// A multiplier this far from the unit circle is off it: the error of the rule.
const NEUTRAL: f64 = 1e-5;

/// What becomes of small disturbances of `motion`.
pub(super) fn stability(
    system: &System,
    motion: &HarmonicMotion,
    cache: &mut problem::Cache,
) -> Result<Stability, Error> {
    let problem = CondensedProblem::new(system, motion.n_harmonics(), cache)?;
    let slopes = problem.slopes(motion, STEPS);
    let largest = slopes.data.iter().fold(0.0, |a: f64, h| a.max(h.abs()));
    let is_damped = system.damping.data.iter().all(|c| *c == 0.0) || is_semidefinite(&system.damping);
    if slopes.data.iter().all(|h| *h >= -FALLING * largest) && is_damped {
        // where a contact sticks all the time the motions form a continuum
        return Ok(if problem.has_stuck(motion) { Stability::Neutral } else { Stability::Stable });
    }
    if let Some(law) = problem.springs() {
        // what a spring holds depends on where it last slid
        return Err(Error::Refused {
            integrator: "stability by harmonic balance",
            law,
            reason: Refusal::Springs,
        });
    }
    let monodromy = monodromy(system, &slopes, std::f64::consts::TAU / motion.omega);
    let modulus = monodromy.map_or(f64::NAN, |monodromy| {
        eigenvalues(&monodromy).into_iter().map(Complex::modulus).fold(0.0, f64::max)
    });
    Ok(match modulus {
        m if m < 1.0 - NEUTRAL => Stability::Stable,
        m if m <= 1.0 + NEUTRAL => Stability::Neutral,
        _ => Stability::Unstable,
    })
}

/// Whether the symmetric part of a matrix has no negative eigenvalue, to rounding.
fn is_semidefinite(matrix: &Matrix) -> bool {
    let n = matrix.n_rows;
    let mut symmetric = matrix.clone();
    for i in 0..n {
        (0..n).for_each(|j| *symmetric.at_mut(i, j) = 0.5 * (matrix.at(i, j) + matrix.at(j, i)));
    }
    let values = crate::math::symmetric::eigen(&symmetric).map(|(values, _)| values);
    let rounding = 1e-12 * symmetric.norm();
    values.and_then(|values| values.first().copied()).is_some_and(|least| least >= -rounding)
}

/// The derivative of the state one period later by the state; `None` if a step cannot be solved.
fn monodromy(system: &System, slopes: &Matrix, period: f64) -> Option<Matrix> {
    let (n, h) = (system.n(), period / STEPS as f64);
    let mut state = Matrix::diagonal(&vec![1.0; 2 * n]);
    let mut lu = Lu::<f64>::new(n);
    let mut right = vec![0.0; n];
    for step in 0..STEPS {
        // the slopes in the middle of the step
        let next = (step + 1) % STEPS;
        for (entry, ((m, c), k)) in
            lu.a.iter_mut().zip(system.mass.data.iter().zip(&system.damping.data).zip(&system.stiffness.data))
        {
            *entry = 2.0 / h * m + c + 0.5 * h * k;
        }
        for (i, contact) in system.contacts.iter().enumerate() {
            let slope = 0.5 * (slopes.at(i, step) + slopes.at(i, next));
            for (a, wa) in contact.direction.iter().enumerate().filter(|(_, w)| **w != 0.0) {
                for (b, wb) in contact.direction.iter().enumerate().filter(|(_, w)| **w != 0.0) {
                    lu.a[a * n + b] += slope * wa * wb;
                }
            }
        }
        if !lu.factor() {
            return None;
        }
        for column in 0..2 * n {
            // (2M/h + C + hK/2) v̄ = 2M v/h − K q
            for (a, right) in right.iter_mut().enumerate() {
                *right = (0..n)
                    .map(|b| {
                        2.0 / h * system.mass.at(a, b) * state.at(n + b, column)
                            - system.stiffness.at(a, b) * state.at(b, column)
                    })
                    .sum();
            }
            lu.solve(&mut right);
            for (a, mean) in right.iter().enumerate() {
                *state.at_mut(a, column) += h * mean;
                let v = state.at_mut(n + a, column);
                *v = 2.0 * mean - *v;
            }
        }
    }
    Some(state)
}
