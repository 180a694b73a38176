//! The exact engine under the driver: from event to event, with the work of each stretch by quadrature.
//!
//! A stretch ends at an event or after a fraction of the fastest period, so that extrema are found inside it. The motion is
//! exact at every instant, so Gauss–Kronrod panels, halved until both rules agree, give the work to rounding.

use super::{Balance, Stepper, Work};
use crate::Error;
use crate::event::Event;
use crate::exact::Exact;
use crate::matrix::dot;
use crate::system::{Dynamics, Motion};

/// Nodes of the Gauss–Kronrod rule of 10 and 21 points on [−1, 1], the positive half and the middle; every second is one of
/// Gauss's (@piessens1983).
const NODES: [f64; 11] = [
    0.995_657_163_025_808_1,
    0.973_906_528_517_171_7,
    0.930_157_491_355_708_2,
    0.865_063_366_688_984_5,
    0.780_817_726_586_416_9,
    0.679_409_568_299_024_4,
    0.562_757_134_668_604_7,
    0.433_395_394_129_247_2,
    0.294_392_862_701_460_2,
    0.148_874_338_981_631_22,
    0.0,
];
/// Weights of all 21 points.
const KRONROD: [f64; 11] = [
    0.011_694_638_867_371_874,
    0.032_558_162_307_964_725,
    0.054_755_896_574_351_995,
    0.075_039_674_810_919_96,
    0.093_125_454_583_697_6,
    0.109_387_158_802_297_64,
    0.123_491_976_262_065_84,
    0.134_709_217_311_473_34,
    0.142_775_938_577_060_09,
    0.147_739_104_901_338_49,
    0.149_445_554_002_916_9,
];
/// Weights of Gauss's 10 points.
const GAUSS: [f64; 5] = [
    0.066_671_344_308_688_14,
    0.149_451_349_150_580_6,
    0.219_086_362_515_982_04,
    0.269_266_719_309_996_35,
    0.295_524_224_714_752_87,
];
/// Longest stretch, in radians of the fastest oscillation: both rules agree to rounding on it.
const LONGEST: f64 = 3.0;
/// Both rules agree to this part of the work: rounding.
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
            longest: if fastest > 0.0 { LONGEST / fastest } else { f64::INFINITY },
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

    /// Work between `a` and `b`.
    fn work_between(&mut self, dynamics: &Dynamics, a: f64, b: f64, depth: u32) -> [f64; 3] {
        let (middle, half) = (0.5 * (a + b), 0.5 * (b - a));
        let [mut kronrod, mut gauss] = [[0.0; 3]; 2];
        for (i, (node, weight)) in NODES.iter().zip(KRONROD).enumerate() {
            let sides: &[f64] = if *node == 0.0 { &[0.0] } else { &[-1.0, 1.0] };
            for side in sides {
                let power = self.power(dynamics, middle + side * half * node);
                for k in 0..3 {
                    kronrod[k] += half * weight * power[k];
                    if i % 2 == 1 {
                        gauss[k] += half * GAUSS[i / 2] * power[k];
                    }
                }
            }
        }
        let size = kronrod.iter().map(|w| w.abs()).fold(0.0, f64::max);
        let off = (0..3).map(|k| (kronrod[k] - gauss[k]).abs()).fold(0.0, f64::max);
        // an instant late in a run is known to its own rounding, which no shorter panel mends
        let rounding = f64::EPSILON * b / (b - a);
        if depth == 0 || off <= (AGREE + rounding) * size {
            return kronrod;
        }
        let left = self.work_between(dynamics, a, middle, depth - 1);
        let right = self.work_between(dynamics, middle, b, depth - 1);
        [0, 1, 2].map(|k| left[k] + right[k])
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
            let [work_in, viscous, friction] = self.work_between(dynamics, from, to, DEPTH);
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
    use super::{GAUSS, KRONROD, NODES};

    #[test]
    fn the_rules_are_exact_to_degrees_19_and_31() {
        let twice = |i: usize| if NODES[i] == 0.0 { 1.0 } else { 2.0 };
        for power in (0..32).step_by(2) {
            let exact = 2.0 / (f64::from(power) + 1.0);
            let sum: f64 = (0..11).map(|i| twice(i) * KRONROD[i] * NODES[i].powi(power)).sum();
            assert!((sum - exact).abs() < 1e-15, "{power}: {sum}");
            let sum: f64 = (0..5).map(|i| 2.0 * GAUSS[i] * NODES[2 * i + 1].powi(power)).sum();
            assert!(power >= 20 || (sum - exact).abs() < 1e-15, "{power}: {sum}");
        }
    }
}
