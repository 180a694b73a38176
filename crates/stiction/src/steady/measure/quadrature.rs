//! Integrals along a smooth stretch by Gauss's formula.

use super::super::flow::Flow;
use super::Tally;
use crate::law::Law;
use crate::math::dense::dot;
use crate::math::gauss::ten;
use crate::record::Samples;
use crate::system::Motion;

/// Parts of a stretch whose nodes are asked together.
const PARTS: usize = 4;

impl Tally<'_> {
    /// Room for what Gauss's formula needs.
    fn prepare(&mut self, now: &Motion) {
        if self.force.is_empty() {
            (self.old, self.probe) = (now.clone(), now.clone());
            let (n, m) = (self.system.n(), self.system.contacts.len());
            self.nodes = Samples::new(n, m, 10 * PARTS).with_states(now.states.len());
            self.force = vec![0.0; n];
        }
    }

    /// Adds a smooth stretch by Gauss's formula; `now` is scratch.
    pub(super) fn stretch(&mut self, flow: &mut Flow, [from, to]: [f64; 2], now: &mut Motion) {
        self.prepare(now);
        let mut old = std::mem::replace(&mut self.old, Motion::zero(0, 0));
        if from == 0.0 {
            flow.motion(from, &mut old);
        }
        let n_parts = flow.n_parts([from, to]);
        let h = (to - from) / n_parts as f64;
        for first in (0..n_parts).step_by(PARTS) {
            let parts = first..(first + PARTS).min(n_parts);
            self.times.clear();
            for part in parts.clone() {
                self.times.extend(ten().map(|(node, _)| from + h * (part as f64 + node)));
            }
            self.nodes.clear();
            flow.sample(&self.times, now, &mut self.nodes);
            for (i, (_, weight)) in parts.flat_map(|_| ten()).enumerate() {
                self.nodes.row(i, now);
                self.add(now, h * weight);
                self.between(flow, &old, now);
                std::mem::swap(&mut old, now);
            }
        }
        // a contact rests for the whole stretch, or not at all; so it is with sliders
        for (i, contact) in self.system.contacts.iter().enumerate() {
            let sticks = match self.sticking(i) {
                Some(own) => own.has_springs() && own.margin(self.system, &old) > 0.0,
                None => old.sliding[i] == 0.0 && contact.friction.law.bound() > 0.0,
            };
            if sticks {
                self.rest_time[i] += to - from;
            }
        }
        flow.motion(to, now);
        self.between(flow, &old, now);
        self.extend_range(now.position[self.dof]);
        std::mem::swap(&mut old, now);
        self.old = old;
    }

    /// Adds the integrands at `now`.
    fn add(&mut self, now: &Motion, weight: f64) {
        let [omega, phase] = self.tone;
        let (sine, cosine) = libm::sincos(omega * now.t + phase);
        let q = now.position[self.dof];
        self.sums[0] += weight * q * sine;
        self.sums[1] += weight * q * cosine;
        if self.is_general {
            self.driving(now);
        } else {
            self.external(now, (omega, sine));
        }
        self.extent = now.position.iter().fold(self.extent, |extent, q| extent.max(q.abs()));
        let v = &now.velocity;
        for (f, v) in self.force.iter().zip(v) {
            self.exchange += weight * (f * v).abs();
        }
        self.balance.work_in += weight * dot(&self.force, v);
        for (i, v_i) in v.iter().enumerate() {
            let power = v_i * dot(self.system.damping.row(i), v);
            self.exchange += weight * power.abs();
            self.balance.viscous_loss += weight * power;
        }
        for (i, contact) in self.system.contacts.iter().enumerate() {
            let (belt, loss) = (now.friction[i] * contact.belt, now.friction[i] * now.sliding[i]);
            self.exchange += weight * (belt.abs() + loss.abs());
            self.balance.work_in -= weight * belt;
            self.balance.friction_loss += weight * loss;
            self.travel[i] += weight * now.sliding[i].abs();
        }
    }

    /// The load f(t).
    fn external(&mut self, now: &Motion, (omega, sine): (f64, f64)) {
        self.force.copy_from_slice(&self.system.constant);
        for (i, harmonic) in self.system.harmonics.iter().enumerate() {
            let sine = if i == 0 && harmonic.omega == omega {
                sine
            } else {
                libm::sin(harmonic.omega * now.t + harmonic.phase)
            };
            for (f, a) in self.force.iter_mut().zip(&harmonic.amplitude) {
                *f += a * sine;
            }
        }
    }

    /// What drives a system whose loads the engine alone knows: M q̈ + C q̇ + K q + Σ wᵢ Hᵢ. What stops hold
    /// does no work.
    fn driving(&mut self, now: &Motion) {
        let system = self.system;
        self.force.fill(0.0);
        system.mass.add_product(1.0, &now.acceleration, &mut self.force);
        system.damping.add_product(1.0, &now.velocity, &mut self.force);
        system.stiffness.add_product(1.0, &now.position, &mut self.force);
        for (contact, friction) in system.contacts.iter().zip(&now.friction) {
            self.force.iter_mut().zip(&contact.direction).for_each(|(f, w)| *f += w * friction);
        }
    }
}
