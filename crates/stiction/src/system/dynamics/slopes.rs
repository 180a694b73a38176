//! The derivative of the rates by the state.

use super::forces::Forces;
use super::prepared::Prepared;
use super::regime::Regime;
use super::stops::StopKind;
use crate::contact::StopMode;
use crate::law::{Law, Slip};
use crate::math::dense::Matrix;

/// JacobianRows of ∂ẏ/∂y without the work integrals, and what inverts the mass matrix in them.
struct JacobianRows<'a> {
    prepared: &'a Prepared,
    all: &'a mut [f64],
    /// Columns of a row.
    n_columns: usize,
    /// Scratch: a column of forces.
    column: &'a mut [f64],
}

impl JacobianRows<'_> {
    /// Row `i` from column `from` on.
    fn row(&mut self, i: usize, from: usize) -> &mut [f64] {
        &mut self.all[i * self.n_columns + from..(i + 1) * self.n_columns]
    }

    /// M⁻¹ of forces, into `column`.
    fn accelerate(&mut self, force: impl Fn(usize) -> f64) {
        self.column.iter_mut().enumerate().for_each(|(i, entry)| *entry = force(i));
        self.prepared.inertia.solve(self.column);
    }

    /// Adds `by` times `column` to column `j` of the accelerations.
    fn add(&mut self, j: usize, by: f64) {
        let n = self.prepared.n();
        (0..n).for_each(|i| self.all[(n + i) * self.n_columns + j] += self.column[i] * by);
    }

    /// Adds M⁻¹ F for the columns of `force`, from column `from` on.
    fn add_all(&mut self, force: &Matrix, from: usize, by: f64) {
        for j in 0..force.n_cols {
            self.accelerate(|i| force.at(i, j));
            self.add(from + j, by);
        }
    }
}

impl Forces {
    /// ∂ẏ/∂y without the work integrals, row-major.
    pub fn derivative_slopes(
        &mut self,
        prepared: &Prepared,
        regime: &Regime,
        t: f64,
        y: &[f64],
        jac: &mut [f64],
    ) {
        let (n, na) = (prepared.n(), 2 * prepared.n() + prepared.n_memory);
        jac.fill(0.0);
        self.evaluate(prepared, regime, t, y);
        for i in 0..n {
            jac[i * na + n + i] = 1.0;
        }
        let mut column = std::mem::take(&mut self.load);
        let mut rows = JacobianRows { prepared, all: jac, n_columns: na, column: &mut column };
        rows.add_all(&prepared.system.stiffness, 0, -1.0);
        rows.add_all(&prepared.system.damping, n, -1.0);
        for (i, fixed) in prepared.contacts.iter().enumerate() {
            self.set_state_slopes(prepared, regime, i, y);
            let (contact, own) = (&prepared.system.contacts[i], &self.contacts[i]);
            let slip = Slip { v: own.v, demand: 0.0, z: &y[fixed.memory.clone()] };
            let of_law = if fixed.answers { 0.0 } else { contact.friction.law.slope(slip) };
            let slope = own.load * (of_law + contact.friction.viscous);
            let (first, n_z) = (fixed.memory.start, fixed.memory.len());
            for (row, mobility) in fixed.mobility.iter().enumerate() {
                let row = rows.row(n + row, 0);
                for (j, w) in contact.direction.iter().enumerate() {
                    row[n + j] -= mobility * slope * w;
                }
                for (k, slope) in own.slopes.coefficient.iter().enumerate() {
                    row[first + k] -= mobility * own.load * slope;
                }
            }
            for k in 0..n_z {
                let row = rows.row(first + k, 0);
                row[first..first + n_z].copy_from_slice(&own.slopes.dot_z[k * n_z..(k + 1) * n_z]);
                for (j, w) in contact.direction.iter().enumerate() {
                    row[n + j] = own.slopes.dot_v[k] * w;
                }
            }
        }
        self.add_elements(&mut rows, t, y);
        self.add_varying_loads(&mut rows, y);
        self.load = column;
        add_stops(prepared, regime, na, jac);
        if !self.held_index.is_empty() {
            self.add_held(prepared, jac, na);
        }
    }

    /// Adds what feedback, thresholds and polynomial springs contribute.
    fn add_elements(&self, rows: &mut JacobianRows, t: f64, y: &[f64]) {
        let (prepared, elements) = (rows.prepared, &self.elements);
        let (n, x) = (prepared.n(), prepared.feedback_states());
        if let Some(f) = &elements.feedback {
            for (matrix, from) in [(&f.f_position, 0), (&f.f_velocity, n), (&f.f_state, x.start)] {
                rows.add_all(matrix, from, 1.0);
            }
            for (matrix, from) in [(&f.b_position, 0), (&f.b_velocity, n), (&f.a, x.start)] {
                for i in 0..matrix.n_rows {
                    rows.row(x.start + i, from)[..matrix.n_cols].copy_from_slice(matrix.row(i));
                }
            }
        }
        let state = [&y[..n], &y[n..2 * n], &y[x.clone()]];
        for threshold in (0..elements.n_thresholds()).filter_map(|k| elements.exceeded(k, t, state)) {
            rows.accelerate(|i| threshold.force[i]);
            let parts =
                [(&threshold.by_position, 0), (&threshold.by_velocity, n), (&threshold.by_state, x.start)];
            for (by, from) in parts {
                for (j, by) in by.iter().enumerate().filter(|(_, by)| **by != 0.0) {
                    rows.add(from + j, *by);
                    let rates = threshold.rate.iter().enumerate();
                    rates.for_each(|(i, rate)| rows.row(x.start + i, from)[j] += rate * by);
                }
            }
        }
        for (direction, stiffness) in elements.curved(t, &y[..n]) {
            rows.accelerate(|i| -direction[i]);
            rows.column.iter_mut().for_each(|entry| *entry *= stiffness);
            direction.iter().enumerate().for_each(|(j, w)| rows.add(j, *w));
        }
    }

    /// Adds what normal loads that vary with the motion contribute; of force-dependent laws the load is taken as
    /// constant.
    fn add_varying_loads(&self, rows: &mut JacobianRows, y: &[f64]) {
        let (prepared, n) = (rows.prepared, rows.prepared.n());
        for k in 0..self.elements.n_contacts() {
            let (i, slopes) = self.elements.load_slopes(k);
            let (fixed, own) = (&prepared.contacts[i], &self.contacts[i]);
            if fixed.answers || own.load == 0.0 {
                continue;
            }
            let friction = &prepared.system.contacts[i].friction;
            let slip = Slip { v: own.v, demand: 0.0, z: &y[fixed.memory.clone()] };
            let phi = friction.viscous * own.v + friction.law.coefficient(slip);
            for (row, mobility) in fixed.mobility.iter().enumerate() {
                for (slopes, from) in slopes.into_iter().zip([0, n]) {
                    let entries = rows.row(n + row, from).iter_mut();
                    entries.zip(slopes).for_each(|(entry, slope)| *entry -= mobility * phi * slope);
                }
            }
        }
    }

    /// Adds what constraints and force-dependent laws contribute to the rows of the accelerations, which hold
    /// everything else already.
    ///
    /// A force between its bounds follows its demand, which sees the accelerations without it and the other
    /// forces; one at a bound follows its own velocity alone.
    fn add_held(&mut self, prepared: &Prepared, jac: &mut [f64], na: usize) {
        let (n, h, n_stops) = (prepared.n(), self.held_index.len(), prepared.n_stops);
        let answering = |c: usize| c.checked_sub(n_stops).filter(|i| prepared.contacts[*i].answers);
        self.fill_held(prepared);
        for j in 0..na {
            for (a, &c) in self.held_index.iter().enumerate() {
                let direction = prepared.direction(c).iter().enumerate();
                self.held.b[a] = direction.map(|(row, w)| w * jac[(n + row) * na + j]).sum();
                self.held.force[a] = 0.0;
                let Some(i) = answering(c) else { continue };
                let (contact, own) = (&prepared.system.contacts[i], &self.contacts[i]);
                let w = if (n..2 * n).contains(&j) { contact.direction[j - n] } else { 0.0 };
                let slip = Slip { v: own.v, demand: own.demand, z: &[] };
                // of the shift, or of the bound
                let shift = own.load * contact.friction.law.slope(slip) * w;
                let rate = self.joint_rate(prepared, i);
                self.held.b[a] += rate.map_or(prepared.delassus.at(c, c) * shift, |rate| rate * w);
                self.held.force[a] = shift;
            }
            let (contacts, index) = (&self.contacts, &self.held_index);
            self.held.respond(h, |a| {
                answering(index[a]).map(|i| &contacts[i]).is_none_or(|own| {
                    let phi = own.demand + own.bounds.shift;
                    own.bounds.low < phi && phi < own.bounds.high
                })
            });
            for (&c, force) in self.held_index.iter().zip(&self.held.force) {
                for (row, mobility) in prepared.mobility(c).iter().enumerate() {
                    jac[(n + row) * na + j] -= mobility * force;
                }
            }
        }
    }
}

/// Adds what elastic stops contribute, `na` columns a row.
fn add_stops(prepared: &Prepared, regime: &Regime, na: usize, jac: &mut [f64]) {
    let n = prepared.n();
    for (stop, _) in prepared.stops.iter().zip(&regime.stops).filter(|(_, mode)| **mode == StopMode::Closed) {
        let StopKind::Elastic { stiffness, damping } = stop.kind else { continue };
        let (stiffness, damping) = (stop.sign * stiffness, stop.sign * damping);
        for (i, mobility) in stop.mobility.iter().enumerate() {
            for (j, w) in stop.direction.iter().enumerate() {
                jac[(n + i) * na + j] -= mobility * stiffness * w;
                jac[(n + i) * na + n + j] -= mobility * damping * w;
            }
        }
    }
}
