//! One degree of freedom while every law is flat: the motion is linear, and its power series follow from each other.
//!
//! ```text
//!   (j+1) q_{j+1} = h v_j,    (j+1) v_{j+1} = h (f_j − c v_j − k q_j − Σ wᵢHᵢ [j = 0]) / m        s = τ/h
//! ```

use super::{Dynamics, N_PASSIVE};
use crate::exact::panel::{GAUSS, at_nodes, value};
use crate::law::{Law, Slip};
use crate::ode::{DEGREE, PowerSeries};

/// Length of a step times the fastest rate: 2²³/23! = 3e-16 is left out, and Gauss's rule of ten points errs by less than 1e-18 in
/// the products of two series.
const ANGLE: f64 = 2.0;

impl Dynamics {
    /// How long the series of a step from `y` on may be, as long as no law bends; none if one does (s).
    pub(crate) fn linear_reach(&self, y: &[f64]) -> Option<f64> {
        let n = self.system.n();
        if n != 1 || !self.is_plain {
            return None;
        }
        let is_flat = |i: usize| self.sliding(i, &y[n..2 * n]).abs() > self.states[i].flat;
        (0..self.states.len()).all(is_flat).then(|| ANGLE / self.load_rate())
    }

    /// The fastest rate, loads included (1/s).
    fn load_rate(&self) -> f64 {
        self.system.harmonics.iter().map(|harmonic| harmonic.omega).fold(self.base_stiffness, f64::max)
    }

    /// Writes position and velocity as power series over a time `h` from (t, y) on; `near` lies on the side of a kink that they
    /// are for.
    pub(crate) fn series(&self, t: f64, y: &[f64], near: &[f64], h: f64, out: &mut [PowerSeries]) {
        let [q, v] = out else { return };
        let load = self.load_series(t, h);
        let mut friction = 0.0;
        for (i, contact) in self.system.contacts.iter().enumerate() {
            friction += contact.direction[0] * self.flat_force(i, near[1]);
        }
        let (damping, stiffness) = (self.system.damping.data[0], self.system.stiffness.data[0]);
        (q[0], v[0]) = (y[0], y[1]);
        for j in 0..DEGREE {
            let mut force = load[j] - damping * v[j] - stiffness * q[j];
            if j == 0 {
                force -= friction;
            }
            let length = h / (j + 1) as f64;
            (q[j + 1], v[j + 1]) = (length * v[j], length * self.inertia.solve_one(force));
        }
    }

    /// Writes work in, viscous loss and friction loss over the part θ of the step whose series are given: integrals of
    /// products, none of them from the positions, which the balance of energy compares them with.
    pub(crate) fn series_works(&self, t: f64, h: f64, series: &[PowerSeries], theta: f64, out: &mut [f64]) {
        let ([_, v], [work_in, viscous_loss, friction_loss]) = (series, out) else { return };
        let length = theta * h;
        // over the part: c_j θʲ
        let part = |c: &PowerSeries| {
            let mut power = 1.0;
            c.map(|c| {
                let own = c * power;
                power *= theta;
                own
            })
        };
        let (load, velocity) = (at_nodes(&part(&self.load_series(t, h))), at_nodes(&part(v)));
        let (mut power, mut square, mut mean) = (0.0, 0.0, 0.0);
        for ((load, v), [_, weight]) in load.iter().zip(&velocity).zip(&GAUSS) {
            power += weight * load * v;
            square += weight * v * v;
            mean += weight * v;
        }
        let middle = value(v, 0.5 * theta);
        let (mut belts, mut lost) = (0.0, 0.0);
        for (i, contact) in self.system.contacts.iter().enumerate() {
            let force = self.flat_force(i, middle);
            belts += force * contact.belt;
            lost += force * (contact.direction[0] * mean - contact.belt);
        }
        *work_in = length * (power - belts);
        *viscous_loss = length * (self.system.damping.data[0] * square);
        *friction_loss = length * lost;
    }

    /// Force of a contact whose law is flat at the velocity `v` of the body (N).
    fn flat_force(&self, i: usize, v: f64) -> f64 {
        let contact = &self.system.contacts[i];
        let slip = Slip { v: self.sliding(i, &[v]), demand: 0.0, z: &[] };
        contact.load * contact.friction.law.coefficient(slip)
    }

    /// The load as a power series over a time `h` from `t` on.
    fn load_series(&self, t: f64, h: f64) -> PowerSeries {
        let mut load = PowerSeries::default();
        load[0] = self.system.constant[0];
        for harmonic in &self.system.harmonics {
            let (sine, cosine) = libm::sincos(harmonic.omega * t + harmonic.phase);
            let (turn, mut size) = (harmonic.omega * h, harmonic.amplitude[0]);
            for (j, load) in load.iter_mut().enumerate() {
                *load += size * [sine, cosine, -sine, -cosine][j % 4];
                size *= turn / (j + 1) as f64;
            }
        }
        load
    }
}

// the three works stand where the series leave off
const _: () = assert!(N_PASSIVE == 3);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::{FrictionLaw, Trigonometric};
    use crate::system::System;

    #[test]
    fn the_rates_of_the_series_are_those_of_the_system() {
        let law =
            FrictionLaw::Trigonometric(Trigonometric { mu: 0.4, width: 0.1, rise: None, rise_height: None });
        let mut system = System::oscillator(1.3, 0.4, 2.0).with_friction(law).with_force(1.7, 1.1);
        system.contacts[0].belt = 0.25;
        let mut dynamics = Dynamics::new(&system).unwrap();
        let (t, y) = (5.3, [0.3, -0.9, 0.0, 0.0, 0.0]);
        let h = dynamics.linear_reach(&y).unwrap();
        let mut series = [PowerSeries::default(); 2];
        dynamics.series(t, &y, &y, h, &mut series);
        let fixed = dynamics.clone();
        let works = |theta: f64| {
            let mut out = [0.0; 3];
            fixed.series_works(t, h, &series, theta, &mut out);
            out
        };
        let (mut state, mut rates) = (y, [0.0; 5]);
        for theta in [0.0, 0.1, 0.25] {
            let step = 1e-5;
            let jets = series.map(|c| [value(&c, theta), value(&c, theta + step), value(&c, theta - step)]);
            let works = [works(theta + step), works(theta - step)];
            (state[0], state[1]) = (jets[0][0], jets[1][0]);
            // the law is flat there
            assert!(dynamics.linear_reach(&state).is_some());
            dynamics.derivative(t + theta * h, &state, &mut rates);
            for (i, rate) in rates.iter().enumerate() {
                let change = if i < 2 { jets[i][1] - jets[i][2] } else { works[0][i - 2] - works[1][i - 2] };
                // central differences: the square of the step, and rounding over the step
                let error = (change / (2.0 * step * h) - rate).abs();
                assert!(error < 1e-9, "{theta} {i}: {error:e}");
            }
        }
        // inside the transition there is no series
        assert_eq!(dynamics.linear_reach(&[0.0, 0.2, 0.0, 0.0, 0.0]), None);
    }
}
