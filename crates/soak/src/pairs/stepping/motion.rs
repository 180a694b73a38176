//! Forces and accelerations between events.

use super::*;

impl ElementStepping<'_> {
    /// All positions and velocities, and the accelerations of the prescribed degrees of freedom.
    pub(super) fn whole(&self, t: f64, y: &[f64]) -> [Vec<f64>; 3] {
        let n = self.n();
        let mut all: [Vec<f64>; 3] = std::array::from_fn(|_| vec![0.0; self.system.n()]);
        for (k, i) in self.free.iter().enumerate() {
            (all[0][*i], all[1][*i]) = (y[k], y[n + k]);
        }
        if let Some(prescribed) = self.prescribed {
            for (motion, state) in prescribed.motions.iter().zip(prescribed.states(t)) {
                (0..3).for_each(|order| all[order][motion.dof] = state[order]);
            }
        }
        all
    }

    pub(super) fn belt(&self, t: f64) -> [f64; 2] {
        let varying = self.system.elements.contacts.iter();
        let own = self.system.contacts[0].belt;
        varying.fold([own, 0.0], |[b, rate], own| [b + own.belt.at(t), rate + own.belt.rate(t)])
    }

    pub(super) fn load(&self, t: f64, q: &[f64], v: &[f64]) -> f64 {
        let varying = self.system.elements.contacts.iter();
        let added = varying.map(|own| own.load.at(t) + dot(&own.by_position, q) + dot(&own.by_velocity, v));
        self.system.contacts[0].load + added.sum::<f64>()
    }

    pub(super) fn sliding(&self, t: f64, v: &[f64]) -> f64 {
        let w = &self.system.contacts[0].direction;
        let terms: f64 = w.iter().zip(v).map(|(w, v)| (w * v).abs()).sum();
        let belt = self.belt(t)[0];
        let sliding = dot(w, v) - belt;
        if sliding.abs() <= STILL * (terms + belt.abs()) { 0.0 } else { sliding }
    }

    /// How far a stop is passed, and how fast (m, m/s).
    pub(super) fn gap(&self, stop: &RigidStop, t: f64, q: &[f64], v: &[f64]) -> [f64; 2] {
        [
            dot(&stop.direction, q) - stop.position - stop.moves.at(t),
            dot(&stop.direction, v) - stop.moves.rate(t),
        ]
    }

    pub(super) fn compression(stop: &ElasticStop, t: f64, q: &[f64], v: &[f64]) -> [f64; 2] {
        let x = dot(&stop.direction, q) - stop.position - stop.moves.at(t);
        [stop.stiffness * x, stop.damping * (dot(&stop.direction, v) - stop.moves.rate(t))]
    }

    pub(super) fn excess(&self, threshold: &Threshold, t: f64, [q, v, x]: [&[f64]; 3]) -> f64 {
        let inputs = self.system.elements.feedback.iter().flat_map(|own| &own.inputs);
        let driven: f64 = threshold.by_input.iter().zip(inputs).map(|(by, r)| by * r.at(t)).sum();
        let seen = dot(&threshold.by_position, q) + dot(&threshold.by_velocity, v);
        seen + dot(&threshold.by_state, x) + driven - threshold.at
    }

    /// The load on every degree of freedom but friction and rigid stops, and the rates of feedback.
    pub(super) fn forces(&self, t: f64, [q, v, x]: [&[f64]; 3]) -> (Vec<f64>, Vec<f64>) {
        let System { elements, constant, harmonics, .. } = self.system;
        let (kq, cv) = (times(&self.stiffness, q), times(&self.damping, v));
        let mut force: Vec<f64> = (0..q.len()).map(|k| constant[k] - kq[k] - cv[k]).collect();
        let mut add = |direction: &[f64], size: f64| {
            force.iter_mut().zip(direction).for_each(|(f, w)| *f += size * w);
        };
        harmonics.iter().for_each(|h| add(&h.amplitude, (h.omega * t + h.phase).sin()));
        elements.loads.iter().for_each(|load| add(&load.direction, load.signal.at(t)));
        for spring in &elements.curved {
            let u = dot(&spring.direction, q) + spring.moves.at(t);
            let powers = spring.coefficients.iter().zip(1..).map(|(c, power)| c * u.powi(power));
            add(&spring.direction, -powers.sum::<f64>());
        }
        for stop in &elements.elastic {
            let [spring, damper] = Self::compression(stop, t, q, v);
            let limited = if stop.is_limited { damper.min(spring) } else { damper };
            if spring > 0.0 {
                add(&stop.direction, -(spring + limited).max(0.0));
            }
        }
        let mut rates = vec![0.0; x.len()];
        if let Some(own) = &elements.feedback {
            let r: Vec<f64> = own.inputs.iter().map(|input| input.at(t)).collect();
            let product = |[a, b, c, d]: [&Matrix; 4], i: usize| {
                dot(a.row(i), q) + dot(b.row(i), v) + dot(c.row(i), x) + dot(d.row(i), &r)
            };
            for (i, f) in force.iter_mut().enumerate() {
                *f += product([&own.f_position, &own.f_velocity, &own.f_state, &own.f_input], i);
            }
            for (i, rate) in rates.iter_mut().enumerate() {
                *rate = product([&own.b_position, &own.b_velocity, &own.a, &own.b_input], i);
            }
        }
        for threshold in &elements.thresholds {
            let excess = self.excess(threshold, t, [q, v, x]).max(0.0);
            force.iter_mut().zip(&threshold.force).for_each(|(f, w)| *f += excess * w);
            rates.iter_mut().zip(&threshold.rate).for_each(|(f, w)| *f += excess * w);
        }
        (force, rates)
    }

    /// ẏ and the balance of forces at one instant.
    pub(super) fn derivative(&self, t: f64, y: &[f64], modes: &Modes, dy: &mut [f64]) -> Balance {
        let (n, p, law) = (self.n(), self.n_feedback(), self.law);
        let [q, v, given] = self.whole(t, y);
        let x = &y[2 * n..2 * n + p];
        let z = &y[2 * n + p..];
        let (mut force, rates) = self.forces(t, [&q, &v, x]);
        let inertia = times(&self.mass, &given);
        force.iter_mut().zip(&inertia).for_each(|(f, m)| *f -= m);
        let mut force = self.kept(&force);
        let direction = &self.system.contacts[0].direction;
        let (w, [belt, belt_rate]) = (self.kept(direction), self.belt(t));
        let load = self.load(t, &q, &v);
        let mw = times(&self.inverse, &w);
        let g = dot(&w, &mw);
        // what keeps the contact's velocity
        let demand_of = |force: &[f64]| (dot(&mw, force) + dot(direction, &given) - belt_rate) / g / load;
        let mut demand = 0.0;
        let mut sliding = dot(direction, &v) - belt;
        let dz = &mut dy[2 * n + p..];
        let phi = match &modes.contact {
            ContactState::Stick => {
                law.state_dot(Slip { v: 0.0, demand: 0.0, z }, dz);
                demand = demand_of(&force);
                if modes.closed.is_some() { 0.0 } else { demand }
            }
            ContactState::Springs(springs) => Self::spring_force(law, springs, sliding, z, dz),
            own => {
                if let ContactState::Slide(sign) = own {
                    sliding = sign * (sign * sliding).max(1e-300);
                }
                law.state_dot(Slip { v: sliding, demand: 0.0, z }, dz);
                if *own == ContactState::Free && law.friction_bounds(sliding, z).is_some() {
                    demand = demand_of(&force);
                }
                law.coefficient(Slip { v: sliding, demand, z })
            }
        };
        force.iter_mut().zip(&w).for_each(|(f, w)| *f -= w * load * phi);
        let mut reaction = 0.0;
        if let Some(k) = modes.closed {
            let stop = &self.system.elements.stops[k];
            let s = self.kept(&stop.direction);
            let ms = times(&self.inverse, &s);
            let off = dot(&ms, &force) + dot(&stop.direction, &given) - second(&stop.moves, t);
            reaction = off / dot(&s, &ms);
            force.iter_mut().zip(&s).for_each(|(f, s)| *f -= s * reaction);
        }
        let acceleration = times(&self.inverse, &force);
        dy[..n].copy_from_slice(&y[n..2 * n]);
        dy[n..2 * n].copy_from_slice(&acceleration);
        dy[2 * n..2 * n + p].copy_from_slice(&rates);
        Balance { acceleration, demand, reaction, load }
    }

    /// φ of springs with sliders, and the rates of their deflections.
    pub(super) fn spring_force(
        law: &FrictionLaw,
        springs: &[(Slider, f64)],
        v: f64,
        z: &[f64],
        dz: &mut [f64],
    ) -> f64 {
        let lag = law.lag(v);
        let mut phi = 0.0;
        for (((slider, slips), z), rate) in springs.iter().zip(z).zip(dz) {
            let own = slider.stiffness * z;
            *rate = match lag {
                _ if *slips == 0.0 => v,
                Some(lag) => {
                    let limit = slips * slider.limit_towards(*slips);
                    lag.rate * (limit - own / lag.share) / slider.stiffness
                }
                None => 0.0,
            };
            let is_bent = *slips == 0.0 || lag.is_some();
            phi += if is_bent { own } else { slips * slider.limit_towards(*slips) };
        }
        phi
    }
}
