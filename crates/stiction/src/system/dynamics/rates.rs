//! Rates, motions and their slopes from the forces at a state.

use super::N_PASSIVE;
use super::forces::{ContactForce, Forces};
use super::prepared::Prepared;
use super::regime::Regime;
use super::springs::Springs;
use crate::contact::StopMode;
use crate::law::{Law, Slip, StateSlopes};
use crate::math::dense::dot;
use crate::system::Motion;

impl Forces {
    /// The derivative of the state.
    #[inline]
    pub fn derivative(&mut self, prepared: &Prepared, regime: &Regime, t: f64, y: &[f64], dy: &mut [f64]) {
        let (n, system) = (prepared.n(), &prepared.system);
        if n == 1 && prepared.is_plain {
            let &[q, v, ..] = y else { return };
            let [work_in, friction_loss] = self.evaluate_one(prepared, t, q, v);
            let acceleration = prepared.inertia.solve_one(self.residual[0]);
            let viscous_loss = v * (system.damping.data[0] * v);
            return dy.copy_from_slice(&[v, acceleration, work_in, viscous_loss, friction_loss, 0.0]);
        }
        self.evaluate(prepared, regime, t, y);
        let (q, v) = (&y[..n], &y[n..2 * n]);
        dy[..n].copy_from_slice(v);
        self.accelerate(prepared, regime, &mut dy[n..2 * n]);

        let (mut work_in, mut friction_loss) = (dot(&self.load, v), 0.0);
        if prepared.is_circulatory {
            work_in += prepared.circulatory_power(q, v);
        }
        let all = system.contacts.iter().zip(&prepared.contacts).zip(&regime.contacts).zip(&self.contacts);
        for (((contact, fixed), modes), own) in all {
            work_in -= own.force * own.belt;
            friction_loss += own.force * own.v;
            if fixed.memory.is_empty() {
                continue;
            }
            let (z, rates) = (&y[fixed.memory.clone()], &mut dy[fixed.memory.clone()]);
            match fixed.sliders.is_empty() {
                true => contact.friction.law.state_dot(Slip { v: own.v, demand: 0.0, z }, rates),
                false => Springs::new(fixed, modes, own.lag).rates(own.v, z, rates),
            }
        }
        let viscous_loss = v.iter().enumerate().map(|(i, v_i)| v_i * dot(system.damping.row(i), v)).sum();
        let [mut stop_loss, mut moving] = [0.0; 2];
        if prepared.has_elements {
            let x = prepared.feedback_states();
            self.elements.state_rates(t, [q, v, &y[x.clone()]], &mut dy[x]);
            work_in += self.elements.curved_power(t, q);
            for ((stop, own), mode) in prepared.stops.iter().zip(&self.stops).zip(&regime.stops) {
                if *mode == StopMode::Closed {
                    let force = stop.sign * stop.spring_force(q, v, own);
                    stop_loss += force * stop.approach(v, own);
                    moving += if stop.is_rigid() { own.reaction } else { force } * own.moved[1];
                }
            }
            work_in -= moving;
        }
        let passive = dy.len() - N_PASSIVE;
        dy[passive..].copy_from_slice(&[work_in, viscous_loss, friction_loss, stop_loss]);
    }

    /// The acceleration at the last evaluation; exactly none where contacts at rest hold everything.
    #[inline]
    pub fn accelerate(&self, prepared: &Prepared, regime: &Regime, out: &mut [f64]) {
        let stands = |c: &usize| self.belt(prepared, *c)[1] == 0.0;
        if regime.is_pinned(prepared) && regime.basis.members.iter().all(stands) {
            return out.fill(0.0);
        }
        out.copy_from_slice(&self.residual);
        prepared.inertia.solve(out);
        if prepared.is_plain {
            return;
        }
        // what a contact holds by itself keeps up with its surface, without rounding
        for (i, own) in self.contacts.iter().enumerate().filter(|(i, _)| regime.contacts[*i].sticks()) {
            if let Some((k, w)) = prepared.contacts[i].alone {
                out[k] = own.belt_rate / w;
            }
        }
    }

    /// The whole motion at (t, y).
    pub fn motion(&mut self, prepared: &Prepared, regime: &Regime, t: f64, y: &[f64], out: &mut Motion) {
        let (n, first) = (prepared.n(), regime.basis.members.len());
        self.evaluate(prepared, regime, t, y);
        if self.divide(prepared, first)
            && let Some(share) = &self.share
        {
            for (a, &c) in self.held_index.iter().enumerate().skip(first) {
                let i = c - prepared.n_stops;
                self.contacts[i].force += share.force[i] - self.held.force[a];
            }
        }
        out.t = t;
        out.position.copy_from_slice(&y[..n]);
        out.velocity.copy_from_slice(&y[n..2 * n]);
        out.states.iter_mut().zip(&y[2 * n..]).for_each(|(x, y)| *x = *y);
        self.accelerate(prepared, regime, &mut out.acceleration);
        for (i, own) in self.contacts.iter().enumerate() {
            out.sliding[i] = own.v;
            out.friction[i] = own.force;
            out.slope[i] = self.slope(prepared, i, y);
        }
        if out.states.is_empty() {
            return;
        }
        // within a step the springs stand as they do, whatever comes at its end
        for (fixed, modes) in prepared.contacts.iter().zip(&regime.contacts) {
            for (k, mode) in fixed.slip_places().zip(&modes.sliders) {
                out.states.get_mut(k - 2 * n).into_iter().for_each(|state| *state = mode.way());
            }
        }
    }

    /// dH/dv of contact `i` at the last evaluation (N s/m).
    #[inline]
    pub fn slope(&self, prepared: &Prepared, i: usize, y: &[f64]) -> f64 {
        let (friction, own) = (&prepared.system.contacts[i].friction, &self.contacts[i]);
        let slip = Slip { v: own.v, demand: own.demand, z: &y[prepared.contacts[i].memory.clone()] };
        own.load * (friction.law.slope(slip) + friction.viscous)
    }

    /// The derivatives of contact `i` by its internal states at the last evaluation.
    pub fn set_state_slopes(&mut self, prepared: &Prepared, regime: &Regime, i: usize, y: &[f64]) {
        let (fixed, own) = (&prepared.contacts[i], &mut self.contacts[i]);
        let z = &y[fixed.memory.clone()];
        match fixed.sliders.is_empty() {
            true => {
                let slip = Slip { v: own.v, demand: 0.0, z };
                prepared.system.contacts[i].friction.law.state_slopes(slip, &mut own.slopes);
            }
            false => Springs::new(fixed, &regime.contacts[i], own.lag).slopes(z, &mut own.slopes),
        }
    }

    /// A bound on the fastest rate of change near the state (1/s).
    pub fn fastest_rate(&mut self, prepared: &Prepared, regime: &Regime, t: f64, y: &[f64]) -> f64 {
        let n = prepared.n();
        if prepared.is_plain {
            // the slopes ask for the velocities only
            for i in 0..self.contacts.len() {
                self.contacts[i].v = self.sliding(prepared, i, &y[n..2 * n]);
            }
        } else {
            self.evaluate(prepared, regime, t, y);
        }
        let mut rate = prepared.scales.rate + regime.stop_rate(prepared);
        let Self { elements, load: mobility, .. } = self;
        for (direction, stiffness) in elements.curved(t, &y[..n]) {
            mobility.copy_from_slice(direction);
            prepared.inertia.solve(mobility);
            rate += (stiffness * dot(direction, mobility)).abs().sqrt();
        }
        for i in 0..self.contacts.len() {
            let compliance = prepared.delassus(i, i);
            rate += compliance * self.slope(prepared, i, y).abs();
            if prepared.is_plain {
                continue;
            }
            self.set_state_slopes(prepared, regime, i, y);
            let ContactForce { slopes: StateSlopes { coefficient, dot_z, .. }, load, .. } = &self.contacts[i];
            let own: f64 = dot_z.iter().map(|slope| slope.abs()).sum();
            let pull: f64 = coefficient.iter().map(|slope| slope.abs()).sum();
            rate += own + (compliance * load * pull).sqrt();
        }
        rate
    }
}
