//! How small differences of the state are carried along.
//!
//! Within a stretch a difference obeys the homogeneous equations. Of a guard g that ends it the disturbed motion is δt late,
//! and an impact R acts on the velocities:
//!
//! ```text
//!   δt = −∇g·δ/ġ,   δ⁺ = R δ + (R F⁻ − F⁺) δt,   F: the rates of the state on both sides
//! ```

use super::super::segment::ORDER;
use super::{Piecewise, value};
use crate::math::dense::{Matrix, dot};

impl Piecewise {
    /// Carries the columns of `differences` from the time `from` in the current stretch to now and through the event there.
    pub fn carry(&self, from: f64, differences: &mut Matrix) {
        let (size, d) = (self.model.layout.state(), self.model.layout.len());
        let start = self.current.start;
        let tau = start.since(self.now.t) - start.since(from);
        let rows = differences.n_rows.min(size);
        let s = start.since(self.now.t) / self.current.length;
        let z: Vec<f64> = (0..d).map(|k| value(&self.current.z, d, k, s)).collect();
        let before: Vec<f64> = (0..size).map(|k| dot(self.current.regime.matrix.row(k), &z)).collect();
        let [mut x, mut term, mut next] = [vec![0.0; size], vec![0.0; size], vec![0.0; size]];
        for j in 0..differences.n_cols {
            x.fill(0.0);
            (0..rows).for_each(|k| x[k] = differences.at(k, j));
            self.flow(tau, &mut x, [&mut term, &mut next]);
            if self.ended {
                self.jump(&z, &before, &mut x);
            }
            (0..rows).for_each(|k| *differences.at_mut(k, j) = x[k]);
        }
    }

    /// The homogeneous motion over τ, with scratch.
    fn flow(&self, tau: f64, x: &mut [f64], [mut term, mut next]: [&mut Vec<f64>; 2]) {
        let size = x.len();
        self.model.project_difference(&self.current.basis, x);
        term.copy_from_slice(x);
        for j in 0..ORDER {
            let step = tau / (j + 1) as f64;
            for (k, next) in next.iter_mut().enumerate() {
                *next = step * dot(&self.current.regime.matrix.row(k)[..size], term);
            }
            x.iter_mut().zip(next.iter()).for_each(|(x, term)| *x += term);
            std::mem::swap(&mut term, &mut next);
        }
    }

    /// Takes a difference through the event at the end of the stretch, where z and the rates of the state were these.
    fn jump(&self, z: &[f64], before: &[f64], x: &mut [f64]) {
        let (n, size) = (self.model.layout.n, x.len());
        if let Some(timer) = self.timer {
            let d = self.model.layout.len();
            let row = &self.current.regime.guards[timer].row;
            // signals change a guard too
            let rate: f64 = (0..d).map(|k| row[k] * dot(self.current.regime.matrix.row(k), z)).sum();
            let late = -dot(&row[..size], x) / rate;
            if late.is_finite() {
                x.iter_mut().zip(before).for_each(|(x, f)| *x += f * late);
                self.strike(&mut x[n..2 * n]);
                for (k, x) in x.iter_mut().enumerate() {
                    *x -= dot(self.next.regime.matrix.row(k), &self.next.z[..d]) * late;
                }
            }
        }
        self.model.project_difference(&self.next.basis, x);
    }

    /// The impacts on a difference of the velocities.
    fn strike(&self, v: &mut [f64]) {
        for &stop in &self.hit {
            let wall = &self.model.stops[stop];
            let impulse =
                (1.0 + wall.restitution) * dot(&wall.direction, v) / self.model.stop_compliance(stop);
            v.iter_mut()
                .zip(self.model.stop_mobility(stop))
                .for_each(|(v, mobility)| *v -= impulse * mobility);
        }
    }
}
