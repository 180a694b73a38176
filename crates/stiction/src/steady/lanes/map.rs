//! The map over one period, W masses at once, along an order of phases that is known beforehand.
//!
//! Every slide is in closed form (see `exact`), w = Re c e^{sτ} + Re q e^{iωτ}; its end is found by Newton's method from a guess on the Taylor
//! polynomial of w there, and that no end comes earlier is proved (see `proof`). A lane whose phases have another order, or nearly so, or whose
//! proof fails, is marked; what it then holds means nothing.
//!
//! Loops over lanes have no branches and no calls, so that compilers use vector registers; no lane depends on the others, so that its bits
//! are the same for every W.

use super::numbers::LaneSystems;
use crate::math::complex::{Complex, complex};
use crate::math::wide::{exp_of, sincos_of};
use std::f64::consts::TAU;

/// Phases of a period, at most.
pub(super) const MOST_PHASES: usize = 16;
/// Guesses that are improved before an end is given up.
const ROUNDS: usize = 3;
/// A step this short (rad of the fastest rate) has a Taylor polynomial of fifth order to rounding.
const NEAR: f64 = 3e-3;
/// Steps of Newton's method on a polynomial.
const STEPS: usize = 4;
/// A part of the period that an event must keep from its end.
const APART: f64 = 1e-10;
/// Closer to the crest of the load than this the angle of an exit loses half its digits.
const CREST: f64 = 1e-6;
/// Rounding of a force, in units of its terms.
const NOISE: f64 = 8.0 * f64::EPSILON;
/// Angle of a cell (rad of the fastest rate).
const CELL: f64 = 1.5;

/// A phase of the order that is known beforehand.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct PhaseKind {
    /// Sign of the velocity, zero at rest.
    pub sign: f64,
    /// Order of the zero of the velocity at its start: none in the first, one after a slide, two out of rest without a jump of friction.
    pub order: usize,
    /// Cells of the proof.
    pub cells: usize,
}

impl PhaseKind {
    /// Enough cells for a phase of this length.
    pub fn covering(self, length: f64, rate: f64) -> Self {
        // a little longer than the one known
        let cells = (1.02 * length * rate / CELL).ceil().clamp(2.0, 1e3);
        Self { cells: cells as usize, ..self }
    }
}

/// A phase of W masses.
#[derive(Clone, Copy, Debug)]
pub(super) struct LanePhase<const W: usize> {
    /// Time at its start, and its length (s); before the walk a guess of the latter.
    pub t: [f64; W],
    pub length: [f64; W],
    /// Sine and cosine of the load's angle at its start.
    pub angle: [[f64; W]; 2],
    /// Positions at both ends (m).
    pub ends: [[f64; W]; 2],
    /// c and q, real and imaginary parts.
    pub free: [[f64; W]; 2],
    pub wave: [[f64; W]; 2],
    /// e^{sτ} and e^{iωτ} at its end.
    pub decay: [[f64; W]; 2],
    pub turn: [[f64; W]; 2],
}

impl<const W: usize> Default for LanePhase<W> {
    fn default() -> Self {
        let (one, two) = ([0.0; W], [[0.0; W]; 2]);
        Self { t: one, length: one, angle: two, ends: two, free: two, wave: two, decay: two, turn: two }
    }
}

/// A period of W masses.
#[derive(Clone, Debug)]
pub(super) struct LaneWalk<const W: usize> {
    pub phases: [LanePhase<W>; MOST_PHASES],
    /// The end.
    pub end: LaneMotion<W>,
}

/// W masses at an instant.
#[derive(Clone, Copy, Debug)]
pub(super) struct LaneMotion<const W: usize> {
    /// Position and velocity.
    pub u: [f64; W],
    pub v: [f64; W],
    /// Their derivative by the state at the start: ∂u/∂u, ∂u/∂v, ∂v/∂u, ∂v/∂v.
    pub slopes: [[f64; W]; 4],
    /// Zero if all went as known beforehand.
    pub faults: [f64; W],
    /// Time, acceleration, sine and cosine of the load's angle.
    t: [f64; W],
    pub a: [f64; W],
    sine: [f64; W],
    cosine: [f64; W],
    /// Velocity and acceleration just before the end of a slide.
    pub before: [[f64; W]; 2],
}

impl<const W: usize> LaneWalk<W> {
    pub fn new() -> Self {
        let one = [0.0; W];
        let end = LaneMotion {
            u: one,
            v: one,
            slopes: [one; 4],
            faults: one,
            t: one,
            a: one,
            sine: one,
            cosine: one,
            before: [one; 2],
        };
        Self { phases: [LanePhase::default(); MOST_PHASES], end }
    }

    /// Carries the states `x` through a period. The lengths of the phases must be guesses, and become what they are.
    #[inline(always)]
    pub fn period(&mut self, systems: &LaneSystems<W>, order: &[PhaseKind], x: &[[f64; W]; 2]) {
        let Some(first) = order.first() else { return };
        // on their own, so that a compiler sees that nothing else is written
        let mut now = self.end;
        now.begin(systems, first.sign, x);
        for (k, kind) in order.iter().enumerate() {
            let next = order.get(k + 1);
            let mut phase = self.phases[k];
            (phase.t, phase.ends[0], phase.angle) = (now.t, now.u, [now.sine, now.cosine]);
            if kind.sign == 0.0 {
                now.rest(systems, &mut phase, next.map(|next| next.sign));
            } else {
                now.begin_slide(systems, &mut phase);
                match next {
                    Some(_) => now.end_slide(systems, &mut phase),
                    None => now.last_slide(systems, &mut phase),
                }
                now.prove(systems, &phase, kind, next.is_some());
                now.leave_slide(systems, &phase);
                if let Some(next) = next {
                    now.land(systems, kind.sign, next.sign);
                }
            }
            phase.ends[1] = now.u;
            self.phases[k] = phase;
        }
        self.end = now;
    }
}

impl<const W: usize> LaneMotion<W> {
    #[inline(always)]
    fn begin(&mut self, s: &LaneSystems<W>, sign: f64, x: &[[f64; W]; 2]) {
        (self.u, self.v) = (x[0], x[1]);
        (self.sine, self.cosine) = (s.sine, s.cosine);
        (self.t, self.faults) = ([0.0; W], [0.0; W]);
        self.slopes = [[1.0; W], [0.0; W], [0.0; W], [1.0; W]];
        for i in 0..W {
            let load = s.constant[i] + s.size[i] * self.sine[i] - s.stiffness[i] * self.u[i];
            self.a[i] = (load - s.damping[i] * self.v[i] - sign * s.kinetic[i]) / s.mass[i];
            let held = s.limit[i] - load.abs() - s.noise(i, self.u[i], 0.0);
            let rests = if self.v[i] == 0.0 { held } else { -1.0 };
            self.faults[i] += fault(if sign == 0.0 { rests } else { sign * self.v[i] });
        }
    }

    /// c and q.
    #[inline(always)]
    fn begin_slide(&mut self, s: &LaneSystems<W>, phase: &mut LanePhase<W>) {
        for i in 0..W {
            let wave = s.gain(i) * complex(self.cosine[i], self.sine[i]);
            let a = self.v[i] - wave.re;
            let b = self.a[i] + s.omega[i] * wave.im;
            (phase.free[0][i], phase.free[1][i]) = (a, -(b + s.sigma[i] * a) / s.omega_d[i]);
            (phase.wave[0][i], phase.wave[1][i]) = (wave.re, wave.im);
        }
    }

    /// The time at which the velocity is zero, near the guess.
    #[inline(always)]
    fn end_slide(&mut self, s: &LaneSystems<W>, phase: &mut LanePhase<W>) {
        let mut known = [0.0; W];
        for _ in 0..ROUNDS {
            for i in 0..W {
                let tau = phase.length[i];
                let (e, w) = s.factors(i, tau);
                let d = s.derivatives::<6>(i, phase.free(i) * e, phase.wave(i) * w);
                let [d0, d1, d2, d3, d4, d5] = d;
                let mut step = -d0 / d1;
                for _ in 0..STEPS {
                    let value = d0
                        + step
                            * (d1
                                + step
                                    * (0.5 * d2
                                        + step * (d3 / 6.0 + step * (d4 / 24.0 + step * (d5 / 120.0)))));
                    let slope = d1 + step * (d2 + step * (0.5 * d3 + step * (d4 / 6.0 + step * (d5 / 24.0))));
                    step -= value / slope;
                }
                let is_near = step.abs() * s.rate[i] <= NEAR;
                // e^{sτ} and e^{iωτ} a little later
                let z = complex(-s.sigma[i] * step, s.omega_d[i] * step);
                let e = e + e * grown(z);
                let w = w + w * grown(complex(0.0, s.omega[i] * step));
                let is_known = known[i] > 0.0;
                let keep = |old: f64, new: f64| if is_known { old } else { new };
                phase.length[i] = keep(tau, tau + step);
                phase.decay[0][i] = keep(phase.decay[0][i], e.re);
                phase.decay[1][i] = keep(phase.decay[1][i], e.im);
                phase.turn[0][i] = keep(phase.turn[0][i], w.re);
                phase.turn[1][i] = keep(phase.turn[1][i], w.im);
                known[i] = if is_near { 1.0 } else { known[i] };
            }
            if known.iter().all(|known| *known > 0.0) {
                break;
            }
        }
        for i in 0..W {
            let room = s.period[i] * (1.0 - APART) - (self.t[i] + phase.length[i]);
            self.faults[i] += fault(known[i]) + fault(room) + fault(phase.length[i]);
        }
    }

    /// The slide lasts to the end of the period.
    #[inline(always)]
    fn last_slide(&mut self, s: &LaneSystems<W>, phase: &mut LanePhase<W>) {
        for i in 0..W {
            let tau = s.period[i] - self.t[i];
            let (e, w) = s.factors(i, tau);
            phase.length[i] = tau;
            (phase.decay[0][i], phase.decay[1][i]) = (e.re, e.im);
            (phase.turn[0][i], phase.turn[1][i]) = (w.re, w.im);
        }
    }

    /// Position, velocity, differences and angles at the end of a slide, before the event there.
    #[inline(always)]
    fn leave_slide(&mut self, s: &LaneSystems<W>, phase: &LanePhase<W>) {
        for i in 0..W {
            let (e, w) = (phase.decay(i), phase.turn(i));
            self.u[i] += s.path(i, [phase.free(i), phase.wave(i)], [e, w]);
            self.v[i] = self.before[0][i];
            self.a[i] = self.before[1][i];
            self.t[i] += phase.length[i];
            let h = e.im / s.omega_d[i];
            let h1 = e.re + s.sigma[i] * h;
            let (damped, pull) = (h1 - 2.0 * s.sigma[i] * h, s.square[i] * h);
            for column in 0..2 {
                let (du, dv) = (self.slopes[column][i], self.slopes[2 + column][i]);
                self.slopes[column][i] = du * h1 + dv * h;
                self.slopes[2 + column][i] = dv * damped - du * pull;
            }
            let (sine, cosine) = (self.sine[i], self.cosine[i]);
            self.sine[i] = sine * w.re + cosine * w.im;
            self.cosine[i] = cosine * w.re - sine * w.im;
        }
    }

    /// A slide has come to its end; the demand decides whether it rests or turns round.
    #[inline(always)]
    fn land(&mut self, s: &LaneSystems<W>, sign: f64, next: f64) {
        for i in 0..W {
            let demand = s.constant[i] + s.size[i] * self.sine[i] - s.stiffness[i] * self.u[i];
            let noise = s.noise(i, self.u[i], self.t[i]);
            let turns = -sign * demand - s.limit[i] - noise;
            let rests = s.limit[i] - demand.abs() - noise;
            let is_rest = next == 0.0;
            self.faults[i] += fault(if is_rest { rests } else { turns });
            let a = if is_rest { 0.0 } else { (demand + sign * s.kinetic[i]) / s.mass[i] };
            let jump = a / self.a[i];
            self.slopes[2][i] *= jump;
            self.slopes[3][i] *= jump;
            (self.v[i], self.a[i]) = (0.0, a);
        }
    }

    /// A rest, which ends by a slip in the direction of `next`, or lasts to the end of the period.
    #[inline(always)]
    fn rest(&mut self, s: &LaneSystems<W>, phase: &mut LanePhase<W>, next: Option<f64>) {
        let sign = next.unwrap_or(1.0);
        // sine and cosine of the turns to both exits
        let mut turns = [[[0.0; W]; 2]; 2];
        let mut exits = [[[0.0; W]; 2]; 2];
        for i in 0..W {
            let base = s.constant[i] - s.stiffness[i] * self.u[i];
            for (exit, own) in [1.0, -1.0].into_iter().enumerate() {
                let level = (own * s.limit[i] - base) / s.size[i];
                // an exit upwards is where the load rises
                let flank = own * (1.0 - level * level).max(0.0).sqrt();
                let cosine = if s.size[i] < 0.0 { -flank } else { flank };
                exits[exit][0][i] = level;
                exits[exit][1][i] = cosine;
                turns[exit][0][i] = level * self.cosine[i] - cosine * self.sine[i];
                turns[exit][1][i] = cosine * self.cosine[i] + level * self.sine[i];
                self.faults[i] += fault((level.abs() - 1.0).abs() - CREST);
            }
        }
        let mut angles = [[f64::INFINITY; W]; 2];
        for exit in 0..2 {
            for i in 0..W {
                if exits[exit][0][i].abs() < 1.0 {
                    let angle = libm::atan2(turns[exit][0][i], turns[exit][1][i]);
                    angles[exit][i] = if angle < 0.0 { angle + TAU } else { angle };
                }
            }
        }
        let (own, other) = if sign > 0.0 { (0, 1) } else { (1, 0) };
        for i in 0..W {
            let left = s.period[i] - self.t[i];
            for column in 0..2 {
                self.slopes[2 + column][i] = 0.0;
            }
            if next.is_none() {
                let first = angles[0][i].min(angles[1][i]) / s.omega[i];
                self.faults[i] += fault(first - left - APART * s.period[i]);
                phase.length[i] = left;
                self.t[i] = s.period[i];
                continue;
            }
            let tau = angles[own][i] / s.omega[i];
            self.faults[i] += fault(left - tau - APART * s.period[i])
                + fault(angles[other][i] - angles[own][i])
                + fault(tau);
            phase.length[i] = tau;
            self.t[i] += tau;
            (self.sine[i], self.cosine[i]) = (exits[own][0][i], exits[own][1][i]);
            self.a[i] = sign * (s.limit[i] - s.kinetic[i]) / s.mass[i];
            let rate = s.size[i] * s.omega[i] * self.cosine[i];
            let ratio = -self.a[i] * s.stiffness[i] / rate;
            for column in 0..2 {
                self.slopes[2 + column][i] = ratio * self.slopes[column][i];
            }
        }
    }
}

impl<const W: usize> LanePhase<W> {
    #[inline(always)]
    pub fn free(&self, i: usize) -> Complex {
        complex(self.free[0][i], self.free[1][i])
    }
    #[inline(always)]
    pub fn wave(&self, i: usize) -> Complex {
        complex(self.wave[0][i], self.wave[1][i])
    }
    #[inline(always)]
    pub fn decay(&self, i: usize) -> Complex {
        complex(self.decay[0][i], self.decay[1][i])
    }
    #[inline(always)]
    pub fn turn(&self, i: usize) -> Complex {
        complex(self.turn[0][i], self.turn[1][i])
    }
}

impl<const W: usize> LaneSystems<W> {
    /// e^{sτ} and e^{iωτ}.
    #[inline(always)]
    pub fn factors(&self, i: usize, tau: f64) -> (Complex, Complex) {
        let decay = exp_of(-self.sigma[i] * tau);
        let [sine, cosine] = sincos_of(self.omega_d[i] * tau);
        let [turn, other] = sincos_of(self.omega[i] * tau);
        (complex(decay * cosine, decay * sine), complex(other, turn))
    }

    /// w and its derivatives where free part and wave are c e^{sτ} and q e^{iωτ}.
    #[inline(always)]
    pub fn derivatives<const N: usize>(&self, i: usize, free: Complex, wave: Complex) -> [f64; N] {
        let (sigma, square, omega) = (self.sigma[i], self.square[i], self.omega[i]);
        let (mut y, mut y1) = (free.re, -sigma * free.re - self.omega_d[i] * free.im);
        let (mut x, mut x1) = (wave.re, -omega * wave.im);
        let mut d = [0.0; N];
        for d in &mut d {
            *d = y + x;
            (y, y1) = (y1, -2.0 * sigma * y1 - square * y);
            (x, x1) = (x1, -omega * omega * x);
        }
        d
    }

    /// Rounding of what must be held.
    #[inline(always)]
    fn noise(&self, i: usize, u: f64, t: f64) -> f64 {
        let wave = self.size[i].abs() * (1.0 + 0.125 * self.omega[i] * t);
        NOISE * (self.constant[i].abs() + (self.stiffness[i] * u).abs() + self.limit[i] + wave)
    }
}

/// One if something is not above zero.
#[inline(always)]
pub(super) fn fault(margin: f64) -> f64 {
    if margin > 0.0 { 0.0 } else { 1.0 }
}

/// e^z − 1 for a small z.
#[inline(always)]
fn grown(z: Complex) -> Complex {
    let one = |z: Complex| complex(1.0 + z.re, z.im);
    z * one(z.times(0.5) * one(z.times(1.0 / 3.0) * one(z.times(0.25) * one(z.times(0.2)))))
}
