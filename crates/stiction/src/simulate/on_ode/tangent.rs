//! Differences of the state along the motion: the variational equation inside a step, saltation at the event at its
//! end.

use super::OnOde;
use super::collocation::Collocation;
use crate::Error;
use crate::law::Law;
use crate::math::dense::Matrix;
use crate::simulate::Propagator;
use crate::system::{Dynamics, InputSlot, N_PASSIVE, TimeTable};

/// Step of difference quotients over the size of the state: round-off and curvature meet.
const QUOTIENT: f64 = 1e-6;

/// Storage for differences.
pub(super) struct Tangent {
    collocation: Collocation,
    /// The rates on both sides of an event, and the guards on both sides of a state.
    sides: [Vec<f64>; 2],
    guards: [Vec<f64>; 2],
}

impl Tangent {
    fn new(dynamics: &Dynamics) -> Self {
        let n_state = dynamics.n_state();
        // force-dependent laws have slopes by difference quotients
        let depends = dynamics
            .system()
            .contacts
            .iter()
            .any(|contact| contact.friction.law.friction_bounds(0.0, &[]).is_some());
        let (n, n_guards) = if dynamics.is_hybrid() { (n_state, dynamics.n_kinks()) } else { (0, 0) };
        Self {
            collocation: Collocation::new(n_state - N_PASSIVE, depends),
            sides: [vec![0.0; n], vec![0.0; n]],
            guards: [vec![0.0; n_guards], vec![0.0; n_guards]],
        }
    }
}

impl OnOde {
    /// Takes differences through the event at the end of the last step: of the guard g that has come to zero the
    /// disturbed motion is δt late, and the rates F differ on both sides.
    ///
    /// ```text
    ///   δt = −∇g·δ/ġ,   δ⁺ = R (δ + F⁻ δt) − F⁺ δt
    /// ```
    ///
    /// with the reset R of an impact, the identity at all other events.
    fn jump(&mut self, tangent: &mut Tangent, differences: &mut Matrix) {
        let (Self { dynamics, stepper, y, .. }, Tangent { sides: [before, after], guards: [up, down], .. }) =
            (self, tangent);
        let t = stepper.t();
        dynamics.derivative_after(t, stepper.y(), after);
        let mut state = stepper.y().to_vec();
        dynamics.undo_impacts(&mut state);
        dynamics.derivative(t, &state, before);
        let fastest = dynamics.scales().fastest().max(f64::MIN_POSITIVE);
        // guards are smooth where the step ended: their difference quotients have some ten digits
        let mut quotient = |step: f64, moved: &mut dyn FnMut(f64, &mut [f64]) -> f64| {
            let mut side = |sign: f64, out: &mut [f64]| {
                y.copy_from_slice(&state);
                let later = moved(sign * step, y);
                dynamics.kinks(t + later, y, out);
            };
            side(1.0, up);
            side(-1.0, down);
            stepper.landed_on().first().map_or(0.0, |on| (up[*on] - down[*on]) / (2.0 * step))
        };
        let size = |x: &[f64]| x.iter().fold(0.0f64, |size, x| size.max(x.abs()));
        let n = state.len() - N_PASSIVE;
        let sizes: Vec<f64> = (0..n).map(|j| QUOTIENT * size(&state[..n]).max(state[j].abs())).collect();
        let gradient: Vec<f64> = (0..n)
            .map(|j| {
                quotient(sizes[j].max(f64::MIN_POSITIVE), &mut |by, y| {
                    y[j] += by;
                    0.0
                })
            })
            .collect();
        // where all rests only the load goes on
        let scale = (size(&state[..n]) / size(&before[..n])).min(1.0 / fastest);
        let rate = quotient(QUOTIENT * scale, &mut |by, y| {
            y.iter_mut().zip(before.iter()).for_each(|(y, f)| *y += by * f);
            by
        });
        let mut x = vec![0.0; n];
        for j in 0..differences.n_cols {
            (0..n).for_each(|i| x[i] = differences.at(i, j));
            let late = -gradient.iter().zip(&x).map(|(g, x)| g * x).sum::<f64>() / rate;
            let late = if late.is_finite() { late } else { 0.0 };
            (0..n).for_each(|i| x[i] += before[i] * late);
            dynamics.reset_difference(&mut x, late);
            (0..n).for_each(|i| x[i] -= after[i] * late);
            dynamics.hold_difference(&mut x, after, late);
            (0..n).for_each(|i| *differences.at_mut(i, j) = x[i]);
        }
    }
}

impl Propagator for OnOde {
    fn n_state(&self) -> usize {
        self.y.len() - N_PASSIVE
    }
    fn begin(&mut self, t: f64, x: &[f64]) -> Result<(), Error> {
        self.y.fill(0.0);
        self.y[..x.len()].copy_from_slice(x);
        self.dynamics.set_clock(t);
        self.was_open.fill(None);
        self.stepper.start(&mut self.dynamics, t, &self.y)?;
        self.dynamics.check_decided()
    }
    fn state(&mut self, x: &mut [f64]) {
        x.copy_from_slice(&self.stepper.y()[..x.len()]);
    }
    fn derivative(&mut self, out: &mut [f64]) {
        self.dynamics.derivative_after(self.stepper.t(), self.stepper.y(), &mut self.y);
        out.copy_from_slice(&self.y[..out.len()]);
    }
    fn carry(&mut self, differences: &mut Matrix) {
        let mut tangent = self.tangent.take().unwrap_or_else(|| Box::new(Tangent::new(&self.dynamics)));
        let (from, t) = (self.stepper.t_old(), self.stepper.t());
        let Self { dynamics, stepper, y, .. } = self;
        tangent.collocation.carry(from, t, differences, &mut |t, jacobian| {
            stepper.dense(dynamics, t, y);
            dynamics.derivative_slopes(t, y, jacobian);
        });
        if self.dynamics.turns() {
            self.jump(&mut tangent, differences);
        }
        self.dynamics.forget_slips(differences);
        self.tangent = Some(tangent);
    }
    fn input_table(&mut self, slot: InputSlot) -> Option<&mut TimeTable> {
        self.dynamics.input_table(slot)
    }
    fn is_interpolated(&self) -> bool {
        true
    }
    fn accuracy(&self) -> f64 {
        10.0 * self.rtol
    }
    fn slope_rounding(&self) -> f64 {
        // what the collocation leaves after implicit steps, whose interpolant has order 3
        (10.0 * self.rtol).max(1e-8)
    }
}
