//! The derivative of the rates by the state.

use super::{ContactState, Dynamics};
use crate::law::{Law, Slip};

impl Dynamics {
    /// ∂ẏ/∂y without the work integrals, row-major.
    pub fn derivative_slopes(&mut self, t: f64, y: &[f64], jac: &mut [f64]) {
        let (n, m) = (self.system.n(), self.states.len());
        let na = 2 * n + self.n_memory;
        jac.fill(0.0);
        self.balance(t, y);
        for i in 0..n {
            jac[i * na + n + i] = 1.0;
        }
        // −M⁻¹K and −M⁻¹C, column by column
        let mut column = std::mem::take(&mut self.load);
        for j in 0..n {
            for (matrix, offset) in [(&self.system.stiffness, 0), (&self.system.damping, n)] {
                (0..n).for_each(|i| column[i] = -matrix.at(i, j));
                self.inertia.solve(&mut column);
                (0..n).for_each(|i| jac[(n + i) * na + offset + j] += column[i]);
            }
        }
        self.load = column;
        for i in 0..m {
            let (contact, state) = (&self.system.contacts[i], &mut self.states[i]);
            let law = &contact.friction.law;
            let slip = Slip { v: state.v, demand: 0.0, z: &y[state.memory.clone()] };
            let own = if state.answers { 0.0 } else { law.slope(slip) };
            let slope = state.load * (own + contact.friction.viscous);
            match state.springs.is_empty() {
                true => law.state_slopes(slip, &mut state.slopes),
                false => state.set_spring_slopes(&y[state.memory.clone()]),
            }
            let (first, n_z) = (state.memory.start, state.memory.len());
            for (row, mobility) in state.mobility.iter().enumerate() {
                let row = &mut jac[(n + row) * na..][..na];
                for (j, w) in contact.direction.iter().enumerate() {
                    row[n + j] -= mobility * slope * w;
                }
                for (k, slope) in state.slopes.coefficient.iter().enumerate() {
                    row[first + k] -= mobility * state.load * slope;
                }
            }
            for k in 0..n_z {
                let row = &mut jac[(first + k) * na..][..na];
                row[first..first + n_z].copy_from_slice(&state.slopes.dot_z[k * n_z..(k + 1) * n_z]);
                for (j, w) in contact.direction.iter().enumerate() {
                    row[n + j] = state.slopes.dot_v[k] * w;
                }
            }
        }
        self.wide_slopes(t, y, jac, na);
        if let Some(stops) = &self.stops {
            stops.add_slopes(n, na, jac);
        }
        if !self.held_index.is_empty() {
            self.held_slopes(jac, na);
        }
    }

    /// Adds what feedback and normal loads that vary with the motion contribute; of laws that answer their
    /// demand the load is taken as constant.
    fn wide_slopes(&mut self, t: f64, y: &[f64], jac: &mut [f64], na: usize) {
        let n = self.system.n();
        let x = self.feedback_states();
        let Some(elements) = &self.elements else { return };
        let f = &elements.feedback;
        let mut column = std::mem::take(&mut self.load);
        let parts = [(&f.f_position, 0), (&f.f_velocity, n), (&f.f_state, x.start)];
        for (matrix, offset) in parts {
            for j in 0..matrix.n_cols {
                (0..n).for_each(|i| column[i] = matrix.at(i, j));
                self.inertia.solve(&mut column);
                (0..n).for_each(|i| jac[(n + i) * na + offset + j] += column[i]);
            }
        }
        for (matrix, offset) in [(&f.b_position, 0), (&f.b_velocity, n), (&f.a, x.start)] {
            for i in 0..matrix.n_rows {
                jac[(x.start + i) * na + offset..][..matrix.n_cols].copy_from_slice(matrix.row(i));
            }
        }
        let state = [&y[..n], &y[n..2 * n], &y[x.clone()]];
        for k in 0..elements.n_thresholds() {
            let Some(threshold) = elements.exceeded(k, t, state) else { continue };
            column.copy_from_slice(&threshold.force);
            self.inertia.solve(&mut column);
            let parts =
                [(&threshold.by_position, 0), (&threshold.by_velocity, n), (&threshold.by_state, x.start)];
            for (by, offset) in parts {
                for (j, by) in by.iter().enumerate().filter(|(_, by)| **by != 0.0) {
                    (0..n).for_each(|i| jac[(n + i) * na + offset + j] += column[i] * by);
                    let rates = threshold.rate.iter().enumerate();
                    rates.for_each(|(i, rate)| jac[(x.start + i) * na + offset + j] += rate * by);
                }
            }
        }
        for (direction, stiffness) in elements.curved(t, &y[..n]) {
            column.copy_from_slice(direction);
            self.inertia.solve(&mut column);
            for (j, w) in direction.iter().enumerate() {
                (0..n).for_each(|i| jac[(n + i) * na + j] -= column[i] * stiffness * w);
            }
        }
        self.load = column;
        for k in 0..elements.n_contacts() {
            let (i, slopes) = elements.load_slopes(k);
            let (state, friction) = (&self.states[i], &self.system.contacts[i].friction);
            if state.answers || state.load == 0.0 {
                continue;
            }
            let slip = Slip { v: state.v, demand: 0.0, z: &y[state.memory.clone()] };
            let phi = friction.viscous * state.v + friction.law.coefficient(slip);
            for (row, mobility) in state.mobility.iter().enumerate() {
                for (slopes, offset) in slopes.into_iter().zip([0, n]) {
                    let row = &mut jac[(n + row) * na + offset..][..n];
                    row.iter_mut().zip(slopes).for_each(|(entry, slope)| *entry -= mobility * phi * slope);
                }
            }
        }
    }

    /// Adds what constraints and force-dependent laws contribute to the rows of the accelerations, which hold
    /// everything else already.
    ///
    /// A force between its bounds follows its demand, which sees the accelerations without it and the other
    /// forces; one at a bound follows its own velocity alone.
    fn held_slopes(&mut self, jac: &mut [f64], na: usize) {
        let (n, h, n_stops) = (self.system.n(), self.held_index.len(), self.n_stops());
        self.fill_held();
        let mut b = std::mem::take(&mut self.held.b);
        for j in 0..na {
            for (a, &c) in self.held_index.iter().enumerate() {
                let direction = self.constraint(c)[0];
                b[a] = direction.iter().enumerate().map(|(row, w)| w * jac[(n + row) * na + j]).sum();
                self.held.force[a] = 0.0;
                let Some(i) = c.checked_sub(n_stops).filter(|i| self.states[*i].answers) else { continue };
                let (contact, state) = (&self.system.contacts[i], &self.states[i]);
                let w = if (n..2 * n).contains(&j) { contact.direction[j - n] } else { 0.0 };
                let slip = Slip { v: state.v, demand: state.demand, z: &[] };
                // of the shift, or of the bound
                let shift = state.load * contact.friction.law.slope(slip) * w;
                b[a] += self.joint_rate(i).map_or(self.delassus.at(c, c) * shift, |rate| rate * w);
                self.held.force[a] = shift;
            }
            std::mem::swap(&mut b, &mut self.held.b);
            let (states, index) = (&self.states, &self.held_index);
            self.held.respond(h, |a| {
                let Some(ContactState { demand, hold, answers: true, .. }) =
                    index[a].checked_sub(n_stops).map(|i| &states[i])
                else {
                    return true;
                };
                let phi = demand + hold.shift;
                hold.low < phi && phi < hold.high
            });
            std::mem::swap(&mut b, &mut self.held.b);
            for (a, &c) in self.held_index.iter().enumerate() {
                for (row, mobility) in self.constraint(c)[1].iter().enumerate() {
                    jac[(n + row) * na + j] -= mobility * self.held.force[a];
                }
            }
        }
        self.held.b = b;
    }
}
