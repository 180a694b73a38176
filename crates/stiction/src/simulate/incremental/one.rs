//! The incremental scheme for one degree of freedom with one contact, the papers' case, in plain numbers: the same step as in
//! `incremental.rs` without vectors, as fast as a loop written by hand.
//!
//! The force is carried as it acts on the mass, `Q = w H`, with the slope `w² C`; for `w = 1` they are H and C.

use crate::law::{Friction, Law, Slip};
use crate::simulate::Balance;
use crate::simulate::fixed::{StepGrid, hermite, turns};
use crate::system::{Harmonic, Motion, System};

/// The motion at one instant.
#[derive(Clone, Copy, Debug, Default)]
struct Instant {
    u: f64,
    v: f64,
    a: f64,
    /// w H.
    force: f64,
    /// w² C.
    slope: f64,
    load: f64,
}

/// The oscillator, the state and the work done.
#[derive(Clone, Debug)]
pub(super) struct One {
    h: f64,
    c: f64,
    k: f64,
    /// 1/(m + h c/2 + h² k/4).
    s: f64,
    w: f64,
    belt: f64,
    /// Path of the belt in a step, over w.
    belt_path: f64,
    /// w² N.
    gain: f64,
    friction: Friction,
    /// Speed beyond which the law is constant.
    flat_beyond: f64,
    constant: f64,
    waves: Vec<GridWave>,
    old: Instant,
    now: Instant,
    pub balance: Balance,
    pub balance_old: Balance,
}

/// Points of the grid that share one evaluation of sine and cosine.
const BLOCK: u64 = 32;

/// A harmonic on the grid. Inside a block of points its sine comes from the angle-sum formula and a table, which is several
/// times faster than a sine and as exact to two roundings.
#[derive(Clone, Debug)]
struct GridWave {
    amplitude: f64,
    omega: f64,
    phase: f64,
    /// cos and sin of the angles from the first point of a block to the others.
    turns: [[f64; 2]; BLOCK as usize],
    block: u64,
    sine: f64,
    cosine: f64,
}

impl GridWave {
    fn new(amplitude: f64, omega: f64, phase: f64, h: f64) -> Self {
        let turn = |i: usize| {
            let (sine, cosine) = libm::sincos(omega * (i as f64 * h));
            [cosine, sine]
        };
        let turns = std::array::from_fn(turn);
        Self { amplitude, omega, phase, turns, block: u64::MAX, sine: 0.0, cosine: 0.0 }
    }

    /// The value at point `k`.
    #[inline(always)]
    fn at(&mut self, grid: &StepGrid, k: u64) -> f64 {
        let block = k / BLOCK;
        if block != self.block {
            self.block = block;
            (self.sine, self.cosine) = libm::sincos(self.omega * grid.time(block * BLOCK) + self.phase);
        }
        let [cosine, sine] = self.turns[(k % BLOCK) as usize];
        self.amplitude * (self.sine * cosine + self.cosine * sine)
    }
}

impl One {
    /// The scheme on `system` from `motion` on, if the system is of this kind.
    pub fn new(system: &System, motion: &Motion, grid: &StepGrid) -> Option<Self> {
        let [contact] = system.contacts.as_slice() else { return None };
        if system.n() != 1 {
            return None;
        }
        let h = grid.step;
        let (c, k, w) = (system.damping.at(0, 0), system.stiffness.at(0, 0), contact.direction[0]);
        let constant = system.constant[0];
        let wave = |f: &Harmonic| GridWave::new(f.amplitude[0], f.omega, f.phase, h);
        let mut waves: Vec<GridWave> = system.harmonics.iter().map(wave).collect();
        let now = Instant {
            u: motion.position[0],
            v: motion.velocity[0],
            a: motion.acceleration[0],
            force: w * motion.friction[0],
            slope: w * w * motion.slope[0],
            load: load(constant, &mut waves, grid, 0),
        };
        Some(Self {
            h,
            c,
            k,
            s: 1.0 / (system.mass.at(0, 0) + 0.5 * h * c + 0.25 * h * h * k),
            w,
            belt: contact.belt,
            belt_path: h * contact.belt / w,
            gain: w * w * contact.load,
            friction: contact.friction.clone(),
            flat_beyond: contact.friction.law.flat_beyond(),
            constant,
            waves,
            old: now,
            now,
            balance: Balance::default(),
            balance_old: Balance::default(),
        })
    }

    /// Steps from point `k0` of the grid to point `k1`. Says whether the motion is still finite.
    pub fn run(&mut self, grid: &StepGrid, k0: u64, k1: u64) -> bool {
        // locals, so that the state stays in registers
        let (mut now, mut balance) = (self.now, self.balance);
        let mut waves = std::mem::take(&mut self.waves);
        for k in k0 + 1..k1 {
            let load = load(self.constant, &mut waves, grid, k);
            now = self.step(now, load, &mut balance);
        }
        (self.old, self.balance_old) = (now, balance);
        self.now = self.step(now, load(self.constant, &mut waves, grid, k1), &mut balance);
        (self.waves, self.balance) = (waves, balance);
        self.now.a.is_finite()
    }

    /// One step to a point where the load is `load`.
    #[inline(always)]
    fn step(&self, old: Instant, load: f64, balance: &mut Balance) -> Instant {
        let h = self.h;
        let gain = 0.5 * h * old.slope;
        let rhs = load
            - old.force
            - gain * old.a
            - self.c * (old.v + 0.5 * h * old.a)
            - self.k * (old.u + h * old.v + 0.25 * h * h * old.a);
        let a = rhs * self.s / (1.0 + gain * self.s);
        let sum = old.a + a;
        let u = old.u + h * old.v + 0.25 * h * h * sum;
        let v = old.v + 0.5 * h * sum;
        let force = old.force + old.slope * (v - old.v);
        let sliding = self.w * v - self.belt;
        let slope = if sliding.abs() >= self.flat_beyond {
            self.gain * self.friction.viscous
        } else {
            self.gain * self.friction.slope(Slip::at(sliding))
        };
        // work by the trapezoidal rule
        let (mean, mean_force) = (0.5 * h * (old.v + v), 0.5 * (old.force + force));
        let from_belt = mean_force * self.belt_path;
        balance.friction_loss += mean_force * mean - from_belt;
        balance.work_in += mean * 0.5 * (old.load + load) - from_belt;
        balance.viscous_loss += mean * 0.5 * self.c * (old.v + v);
        Instant { u, v, a, force, slope, load }
    }

    /// The motion at the fraction `theta` of the last step.
    pub fn motion(&self, theta: f64, out: &mut Motion) {
        let (old, now, h) = (&self.old, &self.now, self.h);
        let line = |a: f64, b: f64| if theta == 1.0 { b } else { a + theta * (b - a) };
        out.position[0] = hermite(theta, h, old.u, old.v, now.u, now.v);
        out.velocity[0] = hermite(theta, h, old.v, old.a, now.v, now.a);
        out.acceleration[0] = line(old.a, now.a);
        out.sliding[0] = self.w * out.velocity[0] - self.belt;
        out.friction[0] = line(old.force, now.force) / self.w;
        out.slope[0] = line(old.slope, now.slope) / (self.w * self.w);
    }

    /// Where position and velocity turn in the last step, as fractions of it.
    pub fn turns(&self) -> [[Option<f64>; 2]; 2] {
        let (old, now, h) = (&self.old, &self.now, self.h);
        [turns(h, old.u, old.v, now.u, now.v), turns(h, old.v, old.a, now.v, now.a)]
    }
}

#[inline(always)]
fn load(constant: f64, waves: &mut [GridWave], grid: &StepGrid, k: u64) -> f64 {
    let mut load = constant;
    for wave in waves {
        load += wave.at(grid, k);
    }
    load
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wave_on_the_grid_is_the_sine() {
        let grid = StepGrid::new(0.0123, 40.0).unwrap();
        let mut wave = GridWave::new(3.0, 1.7, 0.4, grid.step);
        for k in (0..3000).chain([5, 31, 32, 33]) {
            let sine = 3.0 * libm::sin(1.7 * grid.time(k) + 0.4);
            // the argument is rounded up to three times, by half an ε of its size, in both
            let allowed = 3.0 * f64::EPSILON * (4.0 + 2.0 * 1.7 * grid.time(k));
            assert!((wave.at(&grid, k) - sine).abs() <= allowed, "{k}");
        }
    }
}
