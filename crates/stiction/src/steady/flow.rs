//! What the search for steady states asks of an engine: carry a state, and differences of it, along the
//! motion.

use super::variational::Collocation;
use crate::Error;
use crate::event::Event;
use crate::exact::{CycleShare, Exact, has_sliders};
use crate::law::Law;
use crate::math::dense::Matrix;
use crate::ode::{Adaptive, AdaptiveStepper};
use crate::simulate::{Balance, Integrator, Samples, motion_in_step, step_on};
use crate::system::{Dynamics, Motion, N_PASSIVE, System};

/// Motion from any state `x = [q, q̇, z]`, stretch by stretch.
pub(super) trait Flow {
    /// Number of components of x.
    fn n_state(&self) -> usize;
    /// Starts at (t, x).
    fn begin(&mut self, t: f64, x: &[f64]) -> Result<(), Error>;
    /// Goes on to the end of the next smooth stretch, at most to `t_end`.
    fn step(&mut self, t_end: f64) -> Result<(), Error>;
    /// Takes note of the work of the last stretch, where that is not a part of the state.
    fn accumulate(&mut self) -> Result<(), Error> {
        Ok(())
    }
    /// Says what is being sought, to who listens.
    fn say(&self, _words: &dyn Fn() -> String) {}
    /// Time reached (s).
    fn t(&self) -> f64;
    /// The state reached.
    fn state(&mut self, x: &mut [f64]);
    /// ẋ at the time reached.
    fn derivative(&mut self, out: &mut [f64]);
    /// Carries the columns of `differences` through the last stretch and the events at its end.
    fn carry(&mut self, differences: &mut Matrix);
    /// The motion at `t` in the last stretch.
    fn motion(&mut self, t: f64, out: &mut Motion);
    /// The motion at `times`, which ascend in the last stretch, as new rows of `out`; `now` is scratch.
    fn sample(&mut self, times: &[f64], now: &mut Motion, out: &mut Samples) {
        for &t in times {
            self.motion(t, now);
            out.push(now);
        }
    }
    /// What the last stretch adds to the measures of a period, if the engine knows it in closed form; the
    /// wave that they are about has frequency and phase `tone`.
    fn cycle(&mut self, _tone: [f64; 2]) -> Result<Option<CycleShare>, Error> {
        Ok(None)
    }
    /// Contacts that changed between stick and slip at the time reached, for set-valued laws.
    fn events(&self) -> &[Event];
    /// Work done since the start, if the engine integrates it along.
    fn balance(&self) -> Option<Balance>;
    /// Whether the motion inside a stretch is less exact than at its ends.
    fn is_interpolated(&self) -> bool;
    /// Relative error of the motion over a period, rounding or tolerance (-).
    fn accuracy(&self) -> f64;
    /// Relative error of [`Flow::carry`] over a period (-).
    fn slope_rounding(&self) -> f64;
    /// How many parts of the last stretch are short enough for a quadrature, given the fastest rate of the
    /// system (1/s).
    fn n_parts(&mut self, rate: f64) -> usize;
}

/// The exact engine.
pub(super) struct ExactFlow {
    exact: Exact,
    motion: Motion,
    from: f64,
    /// Longest stretch (s).
    reach: f64,
    n: usize,
    /// Work since the start, of systems whose loads the engine alone knows.
    balance: Option<Balance>,
    /// wᵀM⁻¹w of each contact (1/kg).
    compliance: Vec<f64>,
}

/// Rounding of the exact engine's motion over a period.
pub(super) const EXACT_ACCURACY: f64 = 1e-15;
/// Round-off of its derivative: some hundred events and stretches, and its amplification by the times of
/// events.
pub(super) const EXACT_SLOPES: f64 = 1e-12;
/// Angle over which Gauss's formula with ten nodes is exact to rounding.
const ANGLE: f64 = 5.0;
/// Angle of the fastest rate that is searched for an event in one go: a fraction of a millisecond (rad).
const REACH: f64 = 1000.0;
/// Parts that a stretch is divided into at most.
const MAX_PARTS: f64 = 4096.0;

/// An error if the system drives itself by what never repeats, so that no motion does.
pub fn know(system: &System) -> Result<(), Error> {
    system.elements.never_ends()
}

impl ExactFlow {
    pub fn new(system: &System) -> Result<Self, Error> {
        know(system)?;
        let n = system.n();
        let exact = Exact::new(system)?;
        let m = system.contacts.len();
        let compliance = if n == 1 {
            system.contacts.iter().map(|e| e.direction[0] * e.direction[0] / system.mass.at(0, 0)).collect()
        } else {
            let dynamics = Dynamics::new(system).ok_or(Error::NotPositiveDefinite)?;
            (0..m).map(|i| dynamics.compliance(i)).collect()
        };
        let reach = REACH / exact.rate();
        let motion = Motion::zero(n, m).with_states(exact.n_states());
        let balance = (system.is_general() || has_sliders(system)).then(Balance::default);
        Ok(Self { exact, motion, from: 0.0, reach, n, balance, compliance })
    }
}

impl Flow for ExactFlow {
    fn n_state(&self) -> usize {
        2 * self.n + self.exact.n_states()
    }
    fn begin(&mut self, t: f64, x: &[f64]) -> Result<(), Error> {
        self.from = t;
        if let Some(balance) = &mut self.balance {
            *balance = Balance::default();
        }
        let (q, rest) = x.split_at(self.n);
        let (v, states) = rest.split_at(self.n);
        self.exact.restart_with(t, q, v, states)
    }
    fn step(&mut self, t_end: f64) -> Result<(), Error> {
        self.from = self.exact.t();
        self.exact.step(t_end.min(self.from + self.reach))
    }
    fn accumulate(&mut self) -> Result<(), Error> {
        let Some(balance) = &mut self.balance else { return Ok(()) };
        self.exact.accumulate([self.from, self.exact.t()], None, balance)
    }
    fn t(&self) -> f64 {
        self.exact.t()
    }
    fn state(&mut self, x: &mut [f64]) {
        self.exact.motion(self.exact.t(), &mut self.motion);
        x[..self.n].copy_from_slice(&self.motion.position);
        x[self.n..2 * self.n].copy_from_slice(&self.motion.velocity);
        x[2 * self.n..].copy_from_slice(&self.motion.states);
    }
    fn derivative(&mut self, out: &mut [f64]) {
        self.exact.motion(self.exact.t(), &mut self.motion);
        out[..self.n].copy_from_slice(&self.motion.velocity);
        out[self.n..2 * self.n].copy_from_slice(&self.motion.acceleration);
        self.exact.state_rates(&mut out[2 * self.n..]);
    }
    fn carry(&mut self, differences: &mut Matrix) {
        self.exact.carry(self.from, differences);
    }
    fn motion(&mut self, t: f64, out: &mut Motion) {
        self.exact.motion(t, out);
    }
    fn sample(&mut self, times: &[f64], now: &mut Motion, out: &mut Samples) {
        self.exact.sample(times, now, out);
    }
    fn cycle(&mut self, tone: [f64; 2]) -> Result<Option<CycleShare>, Error> {
        self.exact.cycle(self.from, tone)
    }
    fn events(&self) -> &[Event] {
        self.exact.events()
    }
    fn balance(&self) -> Option<Balance> {
        self.balance
    }
    fn is_interpolated(&self) -> bool {
        false
    }
    fn accuracy(&self) -> f64 {
        EXACT_ACCURACY
    }
    fn slope_rounding(&self) -> f64 {
        EXACT_SLOPES
    }
    fn n_parts(&mut self, rate: f64) -> usize {
        if self.balance.is_some() {
            // a stretch is one series
            return 1;
        }
        let (from, t) = (self.from, self.exact.t());
        self.exact.motion(0.5 * (from + t), &mut self.motion);
        let steep = |(slope, compliance): (&f64, &f64)| slope.abs() * compliance;
        let rate = rate + self.motion.slope.iter().zip(&self.compliance).map(steep).sum::<f64>();
        (2.0 * rate * (t - from) / ANGLE).ceil().clamp(1.0, MAX_PARTS) as usize
    }
}

/// The adaptive integrator for continuous laws, with the variational equation by collocation.
pub(super) struct SmoothFlow {
    dynamics: Dynamics,
    stepper: AdaptiveStepper,
    collocation: Collocation,
    y: Vec<f64>,
    /// Scratch for accelerations.
    rates: Vec<f64>,
    n_state: usize,
    rtol: f64,
    events: Vec<Event>,
    /// Scratch for what an event makes of differences.
    sides: [Vec<f64>; 2],
    switches: [Vec<f64>; 2],
}

impl SmoothFlow {
    pub fn new(system: &System, settings: &Adaptive) -> Result<Self, Error> {
        know(system)?;
        Integrator::Adaptive(settings.clone()).know(system)?;
        let dynamics = Dynamics::new(system).ok_or(Error::NotPositiveDefinite)?;
        let stepper = AdaptiveStepper::new(settings, &dynamics);
        let n_state = dynamics.n_state() - N_PASSIVE;
        let y = dynamics.initial_state();
        // laws that answer their demand have slopes by difference quotients
        let answers = system.contacts.iter().any(|contact| contact.friction.law.hold(0.0).is_some());
        let collocation = Collocation::new(n_state, answers);
        let (n, n_kinks) = if dynamics.is_hybrid() { (y.len(), dynamics.n_kinks()) } else { (0, 0) };
        let sides = [vec![0.0; n], vec![0.0; n]];
        let switches = [vec![0.0; n_kinks], vec![0.0; n_kinks]];
        let (rtol, events, rates) = (settings.rtol, Vec::new(), vec![0.0; system.n()]);
        Ok(Self { dynamics, stepper, collocation, y, rates, n_state, rtol, events, sides, switches })
    }

    /// Takes differences through the event at the end of the last step: of the switch g that has come the
    /// disturbed motion is δt late, and the rates F differ on both sides.
    ///
    /// ```text
    ///   δt = −∇g·δ/ġ,   δ⁺ = R (δ + F⁻ δt) − F⁺ δt
    /// ```
    ///
    /// with the reset R of an impact, the identity at all other events.
    fn jump(&mut self, differences: &mut Matrix) {
        let Self { dynamics, stepper, y, sides: [before, after], switches: [up, down], n_state, .. } = self;
        let t = stepper.t();
        dynamics.derivative_after(t, stepper.y(), after);
        let mut state = stepper.y().to_vec();
        dynamics.undo_impacts(&mut state);
        dynamics.derivative(t, &state, before);
        let fastest = dynamics.base_rate().max(dynamics.fastest_load()).max(f64::MIN_POSITIVE);
        // switches are smooth where the step ended: difference quotients of theirs have some ten digits
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
        let n = *n_state;
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
            dynamics.reset_difference(&mut x);
            (0..n).for_each(|i| x[i] -= after[i] * late);
            dynamics.hold_difference(&mut x, after, late);
            (0..n).for_each(|i| *differences.at_mut(i, j) = x[i]);
        }
    }
}

/// Step of difference quotients over the size of the state: rounding and curvature meet.
const QUOTIENT: f64 = 1e-6;

impl Flow for SmoothFlow {
    fn n_state(&self) -> usize {
        self.n_state
    }
    fn begin(&mut self, t: f64, x: &[f64]) -> Result<(), Error> {
        self.y.fill(0.0);
        self.y[..self.n_state].copy_from_slice(x);
        self.dynamics.set_clock(t);
        self.stepper.start(&mut self.dynamics, t, &self.y)
    }
    fn step(&mut self, t_end: f64) -> Result<(), Error> {
        step_on(&mut self.stepper, &mut self.dynamics, t_end)?;
        self.events.clear();
        let t = self.stepper.t();
        for sliders in [false, true] {
            self.events.extend(self.dynamics.turning(sliders).map(|(contact, kind)| Event {
                t,
                contact,
                kind,
            }));
        }
        let stops = self.dynamics.stop_events().map(|(contact, kind)| Event { t, contact, kind });
        self.events.extend(stops);
        Ok(())
    }
    fn t(&self) -> f64 {
        self.stepper.t()
    }
    fn state(&mut self, x: &mut [f64]) {
        x.copy_from_slice(&self.stepper.y()[..self.n_state]);
    }
    fn derivative(&mut self, out: &mut [f64]) {
        self.dynamics.derivative_after(self.stepper.t(), self.stepper.y(), &mut self.y);
        out.copy_from_slice(&self.y[..self.n_state]);
    }
    fn carry(&mut self, differences: &mut Matrix) {
        let (from, t) = (self.stepper.t_old(), self.stepper.t());
        let Self { dynamics, stepper, y, .. } = self;
        self.collocation.carry(from, t, differences, &mut |t, jacobian| {
            stepper.dense(dynamics, t, y);
            dynamics.derivative_slopes(t, y, jacobian);
        });
        if self.dynamics.turns() {
            self.jump(differences);
        }
        self.dynamics.forget_slips(differences);
    }
    fn motion(&mut self, t: f64, out: &mut Motion) {
        let Self { stepper, dynamics, y, rates, n_state, .. } = self;
        motion_in_step(stepper, dynamics, t, [&mut y[..*n_state], rates], out);
    }
    fn events(&self) -> &[Event] {
        &self.events
    }
    fn balance(&self) -> Option<Balance> {
        Some(Balance::from_state(self.stepper.y()))
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
    fn n_parts(&mut self, _rate: f64) -> usize {
        1
    }
}

#[cfg(test)]
mod tests {
    use super::super::newton::walk;
    use super::*;
    use crate::event::EventKind;
    use crate::law::{FrictionLaw, Graph};

    /// Central differences of the map over one period against the variational equation, for every continuous
    /// law.
    #[test]
    fn the_derivative_of_every_continuous_law_is_that_of_its_map() {
        let settings = Adaptive { rtol: 1e-12, atol: 1e-14, ..Adaptive::default() };
        for law in FrictionLaw::examples()
            .into_iter()
            .filter(|law| law.graph() == Graph::Continuous && law.sliders().is_none())
        {
            let name = law.name();
            let system = System::oscillator(1.0, 0.05, 1.0).with_friction(law).with_force(2.0, 0.6);
            let mut flow = SmoothFlow::new(&system, &settings).unwrap();
            let n = flow.n_state();
            let x = [-1.9, 1.3, 4e-4];
            let period = 4.0;
            let mut slopes = Matrix::zeros(n, n);
            walk(&mut flow, period, &mut x[..n].to_vec(), Some(&mut slopes)).unwrap();
            for j in 0..n {
                // bristles are stiff: their state has a small scale of its own
                let step = if j == 2 { 1e-6 } else { 1e-5 };
                let ends = [step, -step].map(|step| {
                    let mut x = x[..n].to_vec();
                    x[j] += step;
                    walk(&mut flow, period, &mut x, None).unwrap();
                    x
                });
                for (i, (above, below)) in ends[0].iter().zip(&ends[1]).enumerate() {
                    let quotient = (above - below) / (2.0 * step);
                    let error = (slopes.at(i, j) - quotient).abs() / (1.0 + quotient.abs());
                    // rtol over the step, and the square of the step
                    assert!(error < 1e-6, "{name} {i} {j}: {} {quotient}", slopes.at(i, j));
                }
            }
        }
    }

    /// The same of laws that rest: a mass stops, stands still until the load lets it go, and slides on.
    #[test]
    fn the_derivative_of_laws_that_rest_is_that_of_their_map() {
        let settings = Adaptive { rtol: 1e-12, atol: 1e-14, ..Adaptive::default() };
        let mut seen = 0;
        for law in FrictionLaw::examples().into_iter().filter(|law| law.graph() == Graph::SetValued) {
            let name = law.name();
            let (force, omega) = (1.4 * law.bound(), 0.35);
            let system = System::oscillator(1.0, 0.05, 1.0).with_friction(law).with_force(force, omega);
            let Ok(mut flow) = SmoothFlow::new(&system, &settings) else { continue };
            let n = flow.n_state();
            let mut x = vec![0.0; n];
            x[..2].copy_from_slice(&[-0.9 * force, 0.4 * force]);
            // until half a second after it has begun to slide again
            let mut end = x.clone();
            flow.begin(0.0, &end).unwrap();
            let (mut stops, mut slips) = (0, None);
            while slips.is_none() && flow.t() < 60.0 {
                flow.step(60.0).unwrap();
                let is = |kind| flow.events().iter().any(|event| event.kind == kind);
                stops += usize::from(is(EventKind::Stick));
                slips = (stops > 0 && is(EventKind::Slip)).then(|| flow.t());
            }
            let Some(slip) = slips else { continue };
            let period = slip + 0.5;
            let mut slopes = Matrix::zeros(n, n);
            walk(&mut flow, period, &mut end, Some(&mut slopes)).unwrap();
            for j in 0..2 {
                let step = 1e-5;
                let ends = [step, -step].map(|step| {
                    let mut x = x.clone();
                    x[j] += step;
                    walk(&mut flow, period, &mut x, None).unwrap();
                    x
                });
                for (i, (above, below)) in ends[0].iter().zip(&ends[1]).enumerate().take(2) {
                    let quotient = (above - below) / (2.0 * step);
                    let error = (slopes.at(i, j) - quotient).abs() / (1.0 + quotient.abs());
                    // the square of the step, and ten digits of the rate at which the switch comes
                    assert!(error < 1e-6, "{name} {i} {j}: {} {quotient}", slopes.at(i, j));
                }
            }
            seen += 1;
        }
        assert!(seen >= 5, "{seen} laws");
    }
}
