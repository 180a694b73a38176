//! How small differences of the state are carried along.
//!
//! Within a stretch a difference obeys the homogeneous equations. Of a guard g that ends it the disturbed
//! motion is δt late, and an impact R acts on the velocities:
//!
//! ```text
//!   δt = −∇g·δ/ġ,   δ⁺ = R δ + (R F⁻ − F⁺) δt,   F: the rates of the state on both sides
//! ```

use super::super::segment::ORDER;
use super::{Piecewise, value};
use crate::math::dense::{Matrix, dot};

/// A row of the rates of the state. Most have one entry at most: positions and springs follow a velocity.
enum RateRow<'a> {
    One(usize, f64),
    Many(&'a [f64]),
}

impl<'a> RateRow<'a> {
    fn new(row: &'a [f64]) -> Self {
        let mut entries = (0..row.len()).filter(|j| row[*j] != 0.0);
        match (entries.next().unwrap_or(0), entries.next()) {
            (j, None) => Self::One(j, row[j]),
            _ => Self::Many(row),
        }
    }

    #[inline]
    fn times(&self, x: &[f64]) -> f64 {
        match *self {
            // a sum with zeros has no negative zero
            Self::One(j, rate) => 0.0 + rate * x[j],
            Self::Many(row) => dot(row, x),
        }
    }
}

/// Rates at the event that ends a stretch.
struct Ending {
    /// F⁻ of the state.
    before: Vec<f64>,
    /// F⁺ of the state.
    after: Vec<f64>,
    /// ġ of the guard.
    guard: f64,
}

impl Piecewise {
    /// Carries the columns of `differences` from the time `from` in the current stretch to now and through
    /// the event there.
    pub fn carry(&self, from: f64, differences: &mut Matrix) {
        let (size, d) = (self.model.layout.state(), self.model.layout.len());
        let start = self.current.start;
        let tau = start.since(self.now.t) - start.since(from);
        let rows = differences.n_rows.min(size);
        let s = start.since(self.now.t) / self.current.length;
        let z: Vec<f64> = (0..d).map(|k| value(&self.current.z, d, k, s)).collect();
        let ending = self.ended.then(|| self.ending(&z));
        let [mut x, mut term, mut next] = [vec![0.0; size], vec![0.0; size], vec![0.0; size]];
        let rates: Vec<RateRow> =
            (0..size).map(|k| RateRow::new(&self.current.regime.matrix.row(k)[..size])).collect();
        for j in 0..differences.n_cols {
            x.fill(0.0);
            (0..rows).for_each(|k| x[k] = differences.at(k, j));
            self.flow(tau, &rates, &mut x, [&mut term, &mut next]);
            if let Some(ending) = &ending {
                self.jump(ending, &mut x);
            }
            (0..rows).for_each(|k| *differences.at_mut(k, j) = x[k]);
        }
    }

    /// The homogeneous motion over τ, with scratch.
    fn flow(&self, tau: f64, rates: &[RateRow], x: &mut [f64], [mut term, mut next]: [&mut Vec<f64>; 2]) {
        self.model.project_difference(&self.current.basis, x);
        term.copy_from_slice(x);
        for j in 0..ORDER {
            let step = tau / (j + 1) as f64;
            for (next, row) in next.iter_mut().zip(rates) {
                *next = step * row.times(term);
            }
            x.iter_mut().zip(next.iter()).for_each(|(x, term)| *x += term);
            std::mem::swap(&mut term, &mut next);
        }
    }

    /// What the event at the end of the stretch, at z, does to every difference.
    fn ending(&self, z: &[f64]) -> Ending {
        let (size, d) = (self.model.layout.state(), self.model.layout.len());
        let matrix = &self.current.regime.matrix;
        let row = self.timer.map(|timer| &self.current.regime.guards[timer].row);
        Ending {
            before: (0..size).map(|k| dot(matrix.row(k), z)).collect(),
            after: (0..size).map(|k| dot(self.next.regime.matrix.row(k), &self.next.z[..d])).collect(),
            // signals change a guard too
            guard: row.map_or(0.0, |row| (0..d).map(|k| row[k] * dot(matrix.row(k), z)).sum()),
        }
    }

    /// Takes a difference through the event at the end of the stretch.
    fn jump(&self, ending: &Ending, x: &mut [f64]) {
        let (n, size) = (self.model.layout.n, x.len());
        if let Some(timer) = self.timer {
            let late = -dot(&self.current.regime.guards[timer].row[..size], x) / ending.guard;
            if late.is_finite() {
                x.iter_mut().zip(&ending.before).for_each(|(x, f)| *x += f * late);
                self.strike(&mut x[n..2 * n]);
                x.iter_mut().zip(&ending.after).for_each(|(x, f)| *x -= f * late);
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
