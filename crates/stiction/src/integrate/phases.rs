//! The exact engine under the driver: from event to event, with the work of each stretch by quadrature.
//!
//! A stretch ends at an event or after a fraction of the fastest period, so that extrema are found inside it. The motion is
//! exact at every instant, so Gauss–Legendre panels, halved until they agree, give the work to rounding.

use super::{Balance, Stepper, Work};
use crate::Error;
use crate::event::Event;
use crate::exact::Exact;
use crate::matrix::dot;
use crate::system::{Dynamics, Motion};

/// Nodes and weights of the Gauss–Legendre rule of order 16 on [−1, 1], the positive half.
const GAUSS: [[f64; 2]; 4] = [
    [0.183_434_642_495_649_8, 0.362_683_783_378_362],
    [0.525_532_409_916_329, 0.313_706_645_877_887_3],
    [0.796_666_477_413_626_7, 0.222_381_034_453_374_48],
    [0.960_289_856_497_536_3, 0.101_228_536_290_376_26],
];
/// Two panels agree to this part of the work: rounding.
const AGREE: f64 = 1e-13;
/// Halvings of a panel.
const DEPTH: u32 = 12;

/// The exact engine under way.
pub(super) struct Phases {
    exact: Exact,
    /// Start of the last stretch (s).
    t_old: f64,
    /// Longest stretch (s).
    longest: f64,
    balance: Balance,
    steps: u64,
    probe: Motion,
    load: Vec<f64>,
}

impl Phases {
    pub fn start(dynamics: &mut Dynamics) -> Result<Self, Error> {
        let system = dynamics.system();
        let (n, m) = (system.n(), system.elements.len());
        let fastest = system.harmonics.iter().map(|h| h.omega).fold(dynamics.base_rate(), f64::max);
        Ok(Self {
            exact: Exact::new(system)?,
            t_old: 0.0,
            longest: if fastest > 0.0 { 1.0 / fastest } else { f64::INFINITY },
            balance: Balance::default(),
            steps: 0,
            probe: Motion::zero(n, m),
            load: vec![0.0; n],
        })
    }

    /// How long the fastest transient takes that may begin at `t` (s).
    fn transient(&mut self, dynamics: &Dynamics, t: f64) -> f64 {
        self.exact.motion(t, &mut self.probe);
        let slopes = self.probe.slope.iter().enumerate();
        let rate: f64 = slopes.map(|(i, slope)| slope.abs() * dynamics.compliance(i)).sum();
        if rate * self.longest > 1.0 { 1.0 / rate } else { self.longest }
    }

    /// Power of the loads and belts, of the dampers and of the contacts at `t` (W).
    fn power(&mut self, dynamics: &Dynamics, t: f64) -> [f64; 3] {
        self.exact.motion(t, &mut self.probe);
        let (system, motion) = (dynamics.system(), &self.probe);
        dynamics.external(t, &mut self.load);
        let mut work_in = dot(&self.load, &motion.velocity);
        let mut friction = 0.0;
        for (i, element) in system.elements.iter().enumerate() {
            work_in -= motion.friction[i] * element.belt;
            friction += motion.friction[i] * motion.sliding[i];
        }
        let drag = |i: usize| motion.velocity[i] * dot(system.damping.row(i), &motion.velocity);
        [work_in, (0..motion.velocity.len()).map(drag).sum(), friction]
    }

    /// Work between `a` and `b` by one panel.
    fn panel(&mut self, dynamics: &Dynamics, a: f64, b: f64) -> [f64; 3] {
        let (middle, half) = (0.5 * (a + b), 0.5 * (b - a));
        let mut sum = [0.0; 3];
        for [node, weight] in GAUSS {
            for side in [-node, node] {
                let power = self.power(dynamics, middle + half * side);
                sum.iter_mut().zip(power).for_each(|(sum, power)| *sum += half * weight * power);
            }
        }
        sum
    }

    fn work_between(&mut self, dynamics: &Dynamics, a: f64, b: f64, whole: [f64; 3], depth: u32) -> [f64; 3] {
        let middle = 0.5 * (a + b);
        let (left, right) = (self.panel(dynamics, a, middle), self.panel(dynamics, middle, b));
        let both = [0, 1, 2].map(|i| left[i] + right[i]);
        let size = both.iter().map(|w| w.abs()).fold(0.0, f64::max);
        let off = (0..3).map(|i| (both[i] - whole[i]).abs()).fold(0.0, f64::max);
        // an instant late in a run is known to its own rounding, which no shorter panel mends
        let rounding = f64::EPSILON * b / (b - a);
        if depth == 0 || off <= (AGREE + rounding) * size {
            return both;
        }
        let left = self.work_between(dynamics, a, middle, left, depth - 1);
        let right = self.work_between(dynamics, middle, b, right, depth - 1);
        [0, 1, 2].map(|i| left[i] + right[i])
    }
}

impl Stepper for Phases {
    fn step(&mut self, dynamics: &mut Dynamics, t_stop: f64) -> Result<(), Error> {
        let t = self.exact.t();
        let end = if t_stop - t > 1.5 * self.longest { t + self.longest } else { t_stop };
        self.exact.step(end)?;
        self.steps += 1;
        self.t_old = t;
        let (a, b) = (t, self.exact.t());
        // a steep piece of a law begins with a short transient: panels that double in length, the first as short as that
        let (mut from, mut length) = (a, self.transient(dynamics, a));
        while from < b {
            let to = if b - from > 1.5 * length { from + length } else { b };
            let whole = self.panel(dynamics, from, to);
            let [work_in, viscous, friction] = self.work_between(dynamics, from, to, whole, DEPTH);
            self.balance.work_in += work_in;
            self.balance.viscous_loss += viscous;
            self.balance.friction_loss += friction;
            (from, length) = (to, 2.0 * length);
        }
        Ok(())
    }

    fn t(&self) -> f64 {
        self.exact.t()
    }

    fn t_old(&self) -> f64 {
        self.t_old
    }

    fn motion(&mut self, _dynamics: &mut Dynamics, t: f64, out: &mut Motion) {
        self.exact.motion(t, out);
    }

    fn energy(&mut self, dynamics: &mut Dynamics) -> f64 {
        let t = self.exact.t();
        self.exact.motion(t, &mut self.probe);
        let y: Vec<f64> = self.probe.position.iter().chain(&self.probe.velocity).copied().collect();
        dynamics.energy(&y)
    }

    fn balance(&self) -> Balance {
        self.balance
    }

    fn work(&self) -> Work {
        Work { steps: self.steps, ..Work::default() }
    }

    fn has_long_steps(&self) -> bool {
        true
    }

    fn events(&self) -> Option<&[Event]> {
        Some(self.exact.events())
    }
}

#[cfg(test)]
mod tests {
    use super::GAUSS;

    #[test]
    fn the_rule_is_exact_to_degree_15() {
        for power in (0..16).step_by(2) {
            let sum: f64 = GAUSS.iter().map(|[x, w]| 2.0 * w * x.powi(power)).sum();
            assert!((sum - 2.0 / (f64::from(power) + 1.0)).abs() < 1e-15, "{power}: {sum}");
        }
    }
}
