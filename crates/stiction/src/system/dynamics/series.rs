//! One degree of freedom whose laws are elementary functions of the velocity: power series that follow from each other.
//!
//! ```text
//!   (j+1) q_{j+1} = h v_j,    (j+1) v_{j+1} = h (f_j − c v_j − k q_j − Σ wᵢHᵢⱼ) / m        s = τ/h
//! ```
//!
//! The series are q, v, f and then H of each contact. While every law is flat they are entire and slow, and exact to rounding.

use super::{Contact, Dynamics, N_PASSIVE, System};
use crate::exact::panel::{GAUSS, at_nodes};
use crate::law::{GraphPiece, Law, PieceShape, Slip};
use crate::math::series::{DEGREE, PowerSeries, RECIPROCAL};
use crate::ode::{SeriesReach, SwitchLine};

/// Length of a step times the fastest rate: 2²³/23! = 3e-16 is left out, and Gauss's rule of ten points errs by less than 1e-18 in
/// the products of two series.
const ANGLE: f64 = 2.0;

impl Dynamics {
    /// How many series there are; none if the system has none.
    pub(crate) fn n_series(&self) -> usize {
        if self.pieces.is_empty() { 0 } else { 3 + self.states.len() }
    }

    /// How long the series of a step from `y` on may be, as long as no switch vanishes; none if a law has none there (s).
    pub(crate) fn series_reach(&self, y: &[f64]) -> Option<SeriesReach> {
        if self.pieces.is_empty() {
            return None;
        }
        let mut is_exact = true;
        for (i, contact) in self.system.contacts.iter().enumerate() {
            let is_flat = self.piece(i, y[1])?.shape == PieceShape::Flat;
            is_exact &= is_flat && contact.friction.viscous == 0.0;
        }
        Some(SeriesReach { longest: ANGLE / self.load_rate(), is_exact })
    }

    /// Switch `k` as a function of the velocity of the body.
    pub(crate) fn switch_line(&self, k: usize) -> Option<SwitchLine> {
        if self.pieces.is_empty() {
            return None;
        }
        let mut breakpoints = self.system.contacts.iter().zip(&self.states).flat_map(|(contact, state)| {
            state.breakpoints.iter().map(|b| (contact.direction[0], -contact.belt - b))
        });
        let (factor, constant) = breakpoints.nth(k)?;
        Some(SwitchLine { component: 1, factor, constant })
    }

    /// The piece of the graph of contact `i` at the velocity `v` of the body.
    #[inline]
    fn piece(&self, i: usize, v: f64) -> Option<GraphPiece> {
        let sliding = self.sliding(i, &[v]);
        let law = &self.system.contacts[i].friction.law;
        if sliding.abs() > self.states[i].flat {
            let slip = Slip { v: sliding, demand: 0.0, z: &[] };
            return Some(GraphPiece::flat(law.coefficient(slip)));
        }
        law.piece(sliding)
    }

    /// The fastest rate, loads included (1/s).
    fn load_rate(&self) -> f64 {
        self.system.harmonics.iter().map(|harmonic| harmonic.omega).fold(self.base_stiffness, f64::max)
    }

    /// Writes the series over a time `h` from (t, y) on; `near` lies on the side of a kink that they are for.
    pub(crate) fn series(&mut self, t: f64, y: &[f64], near: &[f64], h: f64, out: &mut [PowerSeries]) {
        let [q, v, load, forces @ ..] = out else { return };
        self.load_series(t, h, load);
        (q[0], v[0]) = (y[0], y[1]);
        for (i, force) in forces.iter_mut().enumerate() {
            let piece = self.piece(i, near[1]).unwrap_or(GraphPiece::flat(0.0));
            let contact = &self.system.contacts[i];
            let sliding = contact.direction[0] * y[1] - contact.belt;
            let phi = self.pieces[i].start(piece, sliding) + contact.friction.viscous * sliding;
            force[0] = contact.load * phi;
        }
        let per_mass = self.inertia.solve_one(1.0);
        let System { damping, stiffness, contacts, .. } = &self.system;
        let rates = [per_mass, damping.data[0], stiffness.data[0]];
        if let ([pieces], [contact], [force]) = (&mut self.pieces[..], &contacts[..], &mut *forces) {
            // the same for one contact, with the shape of its law known to the loop
            let Contact { direction, load: normal, friction, .. } = contact;
            let numbers = [direction[0], *normal, friction.viscous];
            pieces.run(numbers, rates, h, [q, v, load, force]);
            return;
        }
        for j in 0..DEGREE {
            let mut sum = load[j] - rates[1] * v[j] - rates[2] * q[j];
            for (contact, force) in contacts.iter().zip(&*forces) {
                sum -= contact.direction[0] * force[j];
            }
            let length = h * RECIPROCAL[j + 1];
            (q[j + 1], v[j + 1]) = (length * v[j], length * (per_mass * sum));
            for ((contact, force), piece) in contacts.iter().zip(&mut *forces).zip(&mut self.pieces) {
                let sliding = contact.direction[0] * v[j + 1];
                let phi = piece.next(j + 1, sliding) + contact.friction.viscous * sliding;
                force[j + 1] = contact.load * phi;
            }
        }
    }

    /// Writes work in, viscous loss and friction loss over the part θ of a step of length `h` whose series are given: integrals of
    /// products, none of them from the positions, which the balance of energy compares them with.
    pub(crate) fn series_works(&self, h: f64, series: &[PowerSeries], theta: f64, out: &mut [f64]) {
        let ([_, v, load, forces @ ..], [work_in, viscous_loss, friction_loss]) = (series, out) else {
            return;
        };
        let length = theta * h;
        let (load, velocity) = (at_nodes(load, theta), at_nodes(v, theta));
        let (mut power, mut square, mut mean) = (0.0, 0.0, 0.0);
        for ((load, v), [_, weight]) in load.iter().zip(&velocity).zip(&GAUSS) {
            power += weight * load * v;
            square += weight * v * v;
            mean += weight * v;
        }
        let mut lost = 0.0;
        for (contact, force) in self.system.contacts.iter().zip(forces) {
            let (w, belt) = (contact.direction[0], contact.belt);
            if force[1..].iter().all(|c| *c == 0.0) {
                // constant along the step
                power -= force[0] * belt;
                lost += force[0] * (w * mean - belt);
                continue;
            }
            for ((force, v), [_, weight]) in at_nodes(force, theta).iter().zip(&velocity).zip(&GAUSS) {
                power -= weight * force * belt;
                lost += weight * force * (w * v - belt);
            }
        }
        *work_in = length * power;
        *viscous_loss = length * (self.system.damping.data[0] * square);
        *friction_loss = length * lost;
    }

    /// The load as a power series over a time `h` from `t` on.
    fn load_series(&self, t: f64, h: f64, load: &mut PowerSeries) {
        load.fill(0.0);
        load[0] = self.system.constant[0];
        for harmonic in &self.system.harmonics {
            let (sine, cosine) = libm::sincos(harmonic.omega * t + harmonic.phase);
            let (turn, mut size) = (harmonic.omega * h, harmonic.amplitude[0]);
            for (j, load) in load.iter_mut().enumerate() {
                *load += size * [sine, cosine, -sine, -cosine][j % 4];
                if j < DEGREE {
                    size *= turn * RECIPROCAL[j + 1];
                }
            }
        }
    }
}

// the three works stand where the series leave off
const _: () = assert!(N_PASSIVE == 3);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::{FrictionLaw, Linear, Tanh, Trigonometric};
    use crate::math::series::value_at;
    use crate::system::System;

    /// Rates of the state along series from `y` on, by differences, against the right-hand side.
    fn check(system: &System, y: [f64; 5], h: f64) {
        let mut dynamics = Dynamics::new(system).unwrap();
        let t = 5.3;
        let mut series = vec![PowerSeries::default(); dynamics.n_series()];
        dynamics.series(t, &y, &y, h, &mut series);
        let fixed = dynamics.clone();
        let works = |theta: f64| {
            let mut out = [0.0; 3];
            fixed.series_works(h, &series, theta, &mut out);
            out
        };
        let (mut state, mut rates) = (y, [0.0; 5]);
        for theta in [0.0, 0.1, 0.25] {
            let step = 1e-5;
            let jets = [0, 1].map(|k| [0.0, step, -step].map(|step| value_at(&series[k], theta + step)));
            let works = [works(theta + step), works(theta - step)];
            (state[0], state[1]) = (jets[0][0], jets[1][0]);
            dynamics.derivative(t + theta * h, &state, &mut rates);
            for (i, rate) in rates.iter().enumerate() {
                let change = if i < 2 { jets[i][1] - jets[i][2] } else { works[0][i - 2] - works[1][i - 2] };
                // central differences: the square of the step, and rounding over the step
                let error = (change / (2.0 * step * h) - rate).abs();
                assert!(error < 1e-9 * (1.0 + 1.0 / h), "{:?} {theta} {i}: {error:e}", system.contacts[0]);
            }
        }
    }

    #[test]
    fn the_rates_of_the_series_are_those_of_the_system() {
        let trigonometric = Trigonometric { mu: 0.4, width: 0.1, rise: Some(0.2), rise_height: Some(0.3) };
        let linear = Linear { mu: 0.4, width: 0.1, rise: Some(0.2), rise_height: None };
        for law in [
            FrictionLaw::Trigonometric(trigonometric),
            FrictionLaw::Linear(linear),
            FrictionLaw::Tanh(Tanh { mu: 0.4, width: 0.3 }),
        ] {
            for (viscous, belt) in [(0.0, 0.25), (0.3, -0.1)] {
                let mut system =
                    System::oscillator(1.3, 0.4, 2.0).with_friction(law.clone()).with_force(1.7, 1.1);
                (system.contacts[0].belt, system.contacts[0].friction.viscous) = (belt, viscous);
                system.contacts[0].load = 1.7;
                // on the flat, on both sides of the falling piece, on the rising one
                for v in [-0.9, -0.4, 0.4, 0.02, -0.05] {
                    check(&system, [0.3, belt + v, 0.0, 0.0, 0.0], 0.02);
                }
                // two contacts that act against each other
                let mut second = system.contacts[0].clone();
                (second.direction[0], second.belt) = (-0.5, 0.3);
                system.contacts.push(second);
                check(&system, [0.3, 0.1, 0.0, 0.0, 0.0], 0.02);
            }
        }
    }

    #[test]
    fn series_are_exact_where_every_law_is_flat() {
        let law =
            FrictionLaw::Trigonometric(Trigonometric { mu: 0.4, width: 0.1, rise: None, rise_height: None });
        let system = System::oscillator(1.3, 0.4, 2.0).with_friction(law).with_force(1.7, 1.1);
        let dynamics = Dynamics::new(&system).unwrap();
        let reach = |v: f64| dynamics.series_reach(&[0.0, v, 0.0, 0.0, 0.0]).unwrap();
        assert!(reach(0.2).is_exact && !reach(0.05).is_exact);
        check(&system, [0.3, -0.9, 0.0, 0.0, 0.0], reach(-0.9).longest);
        // a viscous part is not flat
        let mut viscous = system.clone();
        viscous.contacts[0].friction.viscous = 0.1;
        assert!(!Dynamics::new(&viscous).unwrap().series_reach(&[0.0; 5]).unwrap().is_exact);
    }
}
