//! One step: the sliding velocities at Radau's nodes by Newton's method, and the error of the polynomial
//! through them.

use super::weights::STAGES;
use super::{CondensedFlow, ModeTable};
use crate::law::{Law, Slip};
use crate::math::dense::dot;
use crate::system::Contact;
use std::sync::Arc;

/// A step is doubled if its error is below this part of what is allowed: it grows as h⁷ at least.
const DOUBLE: f64 = 1.0 / 400.0;
/// Newton's steps and their halvings.
const MAX_ITERATIONS: usize = 30;
const HALVINGS: usize = 20;
/// A step of Newton's method below this part of the velocities is rounding.
const ROUNDING: f64 = 1e-15;

impl CondensedFlow {
    /// Friction and its slope.
    pub(super) fn friction(contact: &Contact, v: f64) -> [f64; 2] {
        let friction = &contact.friction;
        let slope = friction.law.slope(Slip::at(v)) + friction.viscous;
        [contact.load * friction.coefficient(Slip::at(v)), contact.load * slope]
    }

    /// Tries a step; returns whether its error is small enough, and to be doubled.
    pub(super) fn attempt(&mut self, table: &Arc<ModeTable>) -> Option<bool> {
        let (n, m, h) = (self.structure.n, self.structure.contacts.len(), table.h);
        let size = m * STAGES;
        // loads at the nodes
        for k in 0..STAGES {
            let pushed = &mut self.last.pushed[k * n..(k + 1) * n];
            pushed.copy_from_slice(&self.structure.constant);
            for (omega, phase, amplitude) in &self.structure.tones {
                let sine = libm::sin(omega * (self.last.from + self.structure.nodes.at[k] * h) + phase);
                pushed.iter_mut().zip(amplitude).for_each(|(p, a)| *p += a * sine);
            }
        }
        // sliding velocities without friction
        let mut a = vec![0.0; size];
        for k in 0..STAGES {
            for (j, step) in table.steps[k * n..(k + 1) * n].iter().enumerate() {
                let [q, v] = self.last.begin[j];
                let mut x = step.free[1][0] * q + step.free[1][1] * v;
                for (l, w) in step.velocity.iter().enumerate() {
                    x += w * self.last.pushed[l * n + j];
                }
                (0..m).for_each(|i| a[i * STAGES + k] += self.structure.sliding.at(i, j) * x);
            }
        }
        for (own, contact) in a.chunks_mut(STAGES).zip(&self.structure.contacts) {
            own.iter_mut().for_each(|v| *v -= contact.belt);
        }
        if !self.solve(table, &a) {
            return None;
        }
        self.fastest = self.last.v.iter().fold(self.fastest, |fastest, v| fastest.max(v.abs()));
        let forces: Vec<f64> = (0..size)
            .map(|e| Self::friction(&self.structure.contacts[e / STAGES], self.last.v[e])[0])
            .collect();
        for k in 0..STAGES {
            for i in 0..m {
                let force = forces[i * STAGES + k];
                let pushed = &mut self.last.pushed[k * n..(k + 1) * n];
                pushed.iter_mut().zip(self.structure.sliding.row(i)).for_each(|(p, s)| *p -= s * force);
            }
        }
        // what the first node is off the polynomial through the others, at the end of the step
        let mut error = vec![0.0; m];
        for (j, step) in table.steps[(STAGES - 1) * n..].iter().enumerate() {
            let others: f64 =
                (1..STAGES).map(|l| self.structure.nodes.first[l] * self.last.pushed[l * n + j]).sum();
            let moved = step.velocity[0] * (self.last.pushed[j] - others);
            (0..m).for_each(|i| error[i] += self.structure.sliding.at(i, j) * moved);
        }
        let error = error.iter().fold(0.0, |a: f64, e| a.max(e.abs())) / (self.rtol * self.fastest);
        if !(error <= 1.0) {
            return None;
        }
        for (j, step) in table.steps[(STAGES - 1) * n..].iter().enumerate() {
            let [q, v] = self.last.begin[j];
            let mut end = [0, 1].map(|row: usize| step.free[row][0] * q + step.free[row][1] * v);
            for l in 0..STAGES {
                end[0] += step.position[l] * self.last.pushed[l * n + j];
                end[1] += step.velocity[l] * self.last.pushed[l * n + j];
            }
            self.last.end[j] = end;
        }
        Some(error < DOUBLE)
    }

    /// v + B H(v) = a by Newton's method with halved steps; returns whether it converged.
    fn solve(&mut self, table: &ModeTable, a: &[f64]) -> bool {
        let size = a.len();
        let start = |i: usize, contact: &Contact| {
            let v: f64 =
                self.last.begin.iter().zip(self.structure.sliding.row(i)).map(|([_, v], s)| v * s).sum();
            v - contact.belt
        };
        let starts: Vec<f64> = self.structure.contacts.iter().enumerate().map(|(i, c)| start(i, c)).collect();
        (0..size).for_each(|e| self.last.v[e] = starts[e / STAGES]);
        let mut forces = vec![0.0; size];
        let (mut residual, mut trial) = (vec![0.0; size], vec![0.0; size]);
        let contacts = &self.structure.contacts;
        let mut evaluate = |v: &[f64], residual: &mut [f64], slopes: &mut [f64]| -> f64 {
            for e in 0..size {
                [forces[e], slopes[e]] = Self::friction(&contacts[e / STAGES], v[e]);
            }
            for (e, residual) in residual.iter_mut().enumerate() {
                *residual = v[e] - a[e] + dot(&table.mobility[e * size..(e + 1) * size], &forces);
            }
            residual
                .iter()
                .fold(0.0, |norm: f64, r| if r.is_nan() { f64::INFINITY } else { norm.max(r.abs()) })
        };
        let mut norm = evaluate(&self.last.v, &mut residual, &mut self.last.slopes);
        let scale = a.iter().fold(self.fastest, |scale, a| scale.max(a.abs()));
        for _ in 0..MAX_ITERATIONS {
            if norm <= ROUNDING * scale {
                return true;
            }
            for (e, row) in self.lu.a.chunks_mut(size).enumerate() {
                let mobility = &table.mobility[e * size..(e + 1) * size];
                row.iter_mut().zip(mobility.iter().zip(&self.last.slopes)).for_each(|(x, (b, h))| *x = b * h);
                row[e] += 1.0;
            }
            if !self.lu.factor() {
                return false;
            }
            let mut step = residual.clone();
            self.lu.solve(&mut step);
            let mut share = 1.0;
            let before = norm;
            for _ in 0..HALVINGS {
                trial
                    .iter_mut()
                    .zip(self.last.v.iter().zip(&step))
                    .for_each(|(x, (v, s))| *x = v - share * s);
                norm = evaluate(&trial, &mut residual, &mut self.last.slopes);
                if norm < (1.0 - 0.1 * share) * before {
                    break;
                }
                share *= 0.5;
            }
            if !(norm < before) {
                // what does not shrink any more is rounding, or the step is too long
                evaluate(&self.last.v, &mut residual, &mut self.last.slopes);
                return before <= 1e2 * ROUNDING * scale;
            }
            self.last.v.copy_from_slice(&trial);
        }
        false
    }
}
