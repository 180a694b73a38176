//! What the periodic motions of W masses are like, from the phases of a walk: the integrals of `exact` in closed form.

use super::map::{LanePhase, LaneWalk, PhaseKind};
use super::numbers::LaneSystems;
use crate::exact::GAUSS;
use crate::math::complex::{Complex, complex};
use std::f64::consts::{PI, TAU};

/// Energy lost by the free motion, as a part, that is known to 64 ulps from what is left.
const WEAK: f64 = 1.0 / 64.0;
/// The sum of the parts of the work may be this much smaller than the parts before Gauss's formula is better.
const CANCELS: f64 = 64.0;

/// What is measured of W motions.
#[derive(Clone, Debug)]
pub(super) struct LaneTally<const W: usize> {
    pub work_in: [f64; W],
    pub viscous_loss: [f64; W],
    pub friction_loss: [f64; W],
    pub exchange: [f64; W],
    /// ∫u sin θ and ∫u cos θ.
    pub sums: [[f64; W]; 2],
    /// Extrema of the position.
    pub low: [f64; W],
    pub high: [f64; W],
    /// Time at rest (s).
    pub rest: [f64; W],
    /// ∫w² and the sizes of the parts that it is a sum of in closed form.
    pub square: [f64; W],
    pub parts: [f64; W],
    /// ∫(F − constant)w, and the same with the wave of the load a quarter of its period earlier.
    push: [f64; W],
    turned: [f64; W],
    /// Position and velocity half a period after the start.
    pub half: [[f64; W]; 2],
}

/// ∫w, ∫w², ∫(F − constant)w, and the last with the wave of the load a quarter of its period earlier.
struct LaneWork {
    path: f64,
    square: f64,
    push: f64,
    turned: f64,
}

impl<const W: usize> LaneTally<W> {
    pub fn new() -> Self {
        let one = [0.0; W];
        Self {
            work_in: one,
            viscous_loss: one,
            friction_loss: one,
            exchange: one,
            sums: [one; 2],
            low: [f64::INFINITY; W],
            high: [f64::NEG_INFINITY; W],
            rest: one,
            square: one,
            parts: one,
            push: one,
            turned: one,
            half: [one; 2],
        }
    }

    /// Measures the motions of a walk.
    #[inline(always)]
    pub fn measure(&mut self, systems: &LaneSystems<W>, order: &[PhaseKind], walk: &LaneWalk<W>) {
        // on its own, so that a compiler sees that nothing else is written
        let mut new = Self::new();
        // where the load passes through zero, if it does
        let mut crossing = [0.0; W];
        for i in 0..W {
            let level = -systems.constant[i] / systems.size[i];
            crossing[i] = if level == 0.0 { 0.0 } else { libm::asin(level) };
        }
        for (k, kind) in order.iter().enumerate() {
            let phase = &walk.phases[k];
            new.add_ends(systems, phase, kind.sign, &walk.angle_after(k, order.len(), systems));
            if kind.sign != 0.0 {
                new.add_slide(systems, phase, &crossing);
            }
        }
        if (0..W).any(|i| new.is_coarse(i)) {
            new.refine(systems, order, walk);
        }
        new.finish(systems, walk);
        new.look(systems, order, walk);
        *self = new;
    }

    /// What both ends of a phase say.
    #[inline(always)]
    fn add_ends(&mut self, s: &LaneSystems<W>, phase: &LanePhase<W>, sign: f64, after: &[[f64; W]; 2]) {
        let [sine, cosine] = &phase.angle;
        for i in 0..W {
            let (u, end) = (phase.ends[0][i], phase.ends[1][i]);
            self.sums[0][i] += (u * cosine[i] - end * after[1][i]) / s.omega[i];
            self.sums[1][i] += (end * after[0][i] - u * sine[i]) / s.omega[i];
            self.low[i] = self.low[i].min(u).min(end);
            self.high[i] = self.high[i].max(u).max(end);
            self.rest[i] += if sign == 0.0 { phase.length[i] } else { 0.0 };
            let lost = sign * s.kinetic[i] * (end - u);
            self.friction_loss[i] += lost;
            self.exchange[i] += lost.abs();
        }
    }

    /// The integrals over a slide.
    #[inline(always)]
    fn add_slide(&mut self, s: &LaneSystems<W>, phase: &LanePhase<W>, crossing: &[f64; W]) {
        let mut changes = [[0.0; W]; 2];
        for i in 0..W {
            let now = s.omega[i] * phase.t[i] + s.phase[i];
            let at = |base: f64| {
                let turns = floor((now - base) / TAU) + 1.0;
                let tau = (base + turns * TAU - now) / s.omega[i];
                // a level that is not reached is a NaN
                if tau > 0.0 && tau < phase.length[i] { tau } else { 0.0 }
            };
            let (rise, fall) = (at(crossing[i]), at(PI - crossing[i]));
            (changes[0][i], changes[1][i]) = (rise.min(fall), rise.max(fall));
        }
        let mut pushed = [0.0; W];
        for changes in &changes {
            for i in 0..W {
                let (e, w) = s.factors(i, changes[i]);
                let work = s.slide_work(i, phase, [e, w], changes[i]);
                let push = work.push + s.constant[i] * work.path;
                self.exchange[i] += (push - pushed[i]).abs();
                pushed[i] = push;
            }
        }
        for i in 0..W {
            let factors = [phase.decay(i), phase.turn(i)];
            let work = s.slide_work(i, phase, factors, phase.length[i]);
            let push = work.push + s.constant[i] * work.path;
            self.exchange[i] += (push - pushed[i]).abs();
            self.push[i] += work.push;
            self.turned[i] += work.turned;
            let (c, q) = (phase.free(i), phase.wave(i));
            self.square[i] += work.square;
            self.parts[i] += (c.re * c.re + c.im * c.im + q.re * q.re + q.im * q.im) * phase.length[i];
        }
    }

    /// Whether the parts of the work in closed form nearly cancel each other.
    #[inline(always)]
    fn is_coarse(&self, i: usize) -> bool {
        self.parts[i] > CANCELS * self.square[i]
    }

    /// The same integrals by Gauss's formula in lanes where the closed form has lost digits: there the velocity itself has lost half as many.
    #[inline(always)]
    fn refine(&mut self, s: &LaneSystems<W>, order: &[PhaseKind], walk: &LaneWalk<W>) {
        let [mut square, mut push, mut turned] = [[0.0; W]; 3];
        for (phase, kind) in walk.phases.iter().zip(order).filter(|(_, kind)| kind.sign != 0.0) {
            // of 2.5 rad of the fastest rate at most, which ten nodes integrate to rounding
            let panels = (3 * kind.cells).div_ceil(5);
            for panel in 0..panels {
                for [node, weight] in GAUSS {
                    let part = (panel as f64 + node) / panels as f64;
                    let weight = weight / panels as f64;
                    for i in 0..W {
                        let (e, w) = s.factors(i, part * phase.length[i]);
                        let velocity = (phase.free(i) * e).re + (phase.wave(i) * w).re;
                        let share = weight * phase.length[i] * velocity;
                        let (sine, cosine) = (phase.angle[0][i], phase.angle[1][i]);
                        square[i] += share * velocity;
                        push[i] += share * s.size[i] * (sine * w.re + cosine * w.im);
                        turned[i] -= share * s.size[i] * (cosine * w.re - sine * w.im);
                    }
                }
            }
        }
        for i in 0..W {
            let is_coarse = self.is_coarse(i);
            self.square[i] = if is_coarse { square[i] } else { self.square[i] };
            self.push[i] = if is_coarse { push[i] } else { self.push[i] };
            self.turned[i] = if is_coarse { turned[i] } else { self.turned[i] };
        }
    }

    /// What follows from the integrals.
    #[inline(always)]
    fn finish(&mut self, s: &LaneSystems<W>, walk: &LaneWalk<W>) {
        for i in 0..W {
            let path = walk.end.u[i] - walk.phases[0].ends[0][i];
            self.work_in[i] = self.push[i] + s.constant[i] * path;
            self.viscous_loss[i] = s.damping[i] * self.square[i];
            self.exchange[i] += self.viscous_loss[i].abs();
            // ∫w cos θ and ∫w sin θ, over the size of the wave
            self.sums[0][i] -= self.turned[i] / s.size[i] / s.omega[i];
            self.sums[1][i] -= self.push[i] / s.size[i] / s.omega[i];
        }
    }

    /// The state half a period after the start.
    #[inline(always)]
    fn look(&mut self, s: &LaneSystems<W>, order: &[PhaseKind], walk: &LaneWalk<W>) {
        let (mut phases, mut signs) = (LanePhase::<W>::default(), [0.0; W]);
        for i in 0..W {
            let half = 0.5 * s.period[i];
            let has_begun = |(k, _): &(usize, &PhaseKind)| walk.phases[*k].t[i] <= half;
            let Some((k, kind)) = order.iter().enumerate().rfind(has_begun) else { continue };
            let phase = &walk.phases[k];
            signs[i] = kind.sign;
            (phases.t[i], phases.ends[0][i]) = (phase.t[i], phase.ends[0][i]);
            for part in 0..2 {
                phases.free[part][i] = phase.free[part][i];
                phases.wave[part][i] = phase.wave[part][i];
            }
        }
        for i in 0..W {
            let tau = 0.5 * s.period[i] - phases.t[i];
            let (e, w) = s.factors(i, tau);
            let (c, q) = (phases.free(i), phases.wave(i));
            let v = (c * e).re + (q * w).re;
            let path = s.path(i, [c, q], [e, w]);
            let slides = signs[i] != 0.0;
            self.half[0][i] = phases.ends[0][i] + if slides { path } else { 0.0 };
            self.half[1][i] = if slides { v } else { 0.0 };
        }
    }
}

impl<const W: usize> LaneWalk<W> {
    /// Sine and cosine of the load's angle at the end of a phase.
    #[inline(always)]
    fn angle_after(&self, k: usize, n: usize, s: &LaneSystems<W>) -> [[f64; W]; 2] {
        if k + 1 < n { self.phases[k + 1].angle } else { [s.sine, s.cosine] }
    }
}

impl<const W: usize> LaneSystems<W> {
    /// The distance slid.
    #[inline(always)]
    pub fn path(&self, i: usize, [c, q]: [Complex; 2], [e, w]: [Complex; 2]) -> f64 {
        let free = c * complex(e.re - 1.0, e.im) * self.by_root(i);
        // (W − 1)/iω
        let once = complex(w.im / self.omega[i], (1.0 - w.re) / self.omega[i]);
        free.re + (q * once).re
    }

    /// The work of a slide up to the time of the factors, the formula of `exact::closed`.
    #[inline(always)]
    fn slide_work(&self, i: usize, phase: &LanePhase<W>, [e, w]: [Complex; 2], length: f64) -> LaneWork {
        let (sigma, omega) = (self.sigma[i], self.omega[i]);
        let (one, c, q) = (complex(1.0, 0.0), phase.free(i), phase.wave(i));
        let (cc, qq) = (c.re * c.re + c.im * c.im, q.re * q.re + q.im * q.im);
        let lost = 1.0 - (e.re * e.re + e.im * e.im);
        // ∫e^{−2στ}, and its series where the damping is weak: x⁷/8! is below rounding
        let x = -2.0 * sigma * length;
        let series = 1.0
            + x * (0.5
                + x * (1.0 / 6.0
                    + x * (1.0 / 24.0 + x * (1.0 / 120.0 + x * (1.0 / 720.0 + x * (1.0 / 5040.0))))));
        let fading = if lost > WEAK { lost / (2.0 * sigma) } else { length * series };
        let square = 0.25 * (c * c * (e * e - one) * self.by_root(i)).re + 0.5 * cc * fading;
        // (W² − 1)/2iω
        let twice = w.times(w.im / omega);
        let sum = (e * w - one) * self.by_sum(i);
        let difference = (e * w.conj() - one) * self.by_difference(i);
        let (both, apart, own) = (c * q * sum, c * q.conj() * difference, q * q * twice);
        let Complex { re, im } = self.load(i);
        let (along, across) = (both.re + apart.re + own.re + qq * length, both.im - apart.im + own.im);
        LaneWork {
            path: self.path(i, [c, q], [e, w]),
            square: square + both.re + apart.re + 0.5 * (own.re + qq * length),
            push: 0.5 * (re * along - im * across),
            turned: 0.5 * (im * along + re * across),
        }
    }
}

/// The largest whole number that is not larger, of a number whose whole part has 51 bits.
#[inline(always)]
fn floor(x: f64) -> f64 {
    const ROUND: f64 = 6_755_399_441_055_744.0;
    let nearest = (x + ROUND) - ROUND;
    if nearest > x { nearest - 1.0 } else { nearest }
}
