//! Springs with sliders in time: the Fourier coefficients of their force and its derivative.
//!
//! Between two instants at which the sliding velocity v turns, the displacement u is monotonic and every
//! spring answers
//!
//! ```text
//!   f(θ) = clip(c + k u(θ), −L′, L)    c stays until the slider has slid: then c = L − k u or −L′ − k u at the next turn
//! ```
//!
//! so that the force is known in closed form at every angle: no step in time is taken. The period is cut at
//! the turns and where sliders let go, and each part is integrated by Kronrod's formula, which is exact there
//! to rounding. Springs start without deflection at u = 0 and run through periods until they repeat
//! themselves.
//!
//! Moving a harmonic of u moves the force by k (e(θ) − e(θ_c)), e its cosine or sine and θ_c the turn at
//! which c was made; the shift of the turns themselves has no effect of first order.

use super::friction::{FourierSums, fill_turns, rule, sample};
use crate::law::Slider;
use crate::system::Contact;

/// Places in a period of the highest harmonic at which turns are looked for.
const PLACES: usize = 16;
/// Periods until springs repeat themselves: one loads them, one lets all slide that do.
const SETTLING: usize = 3;
/// Halvings of a part that holds a turn or a limit: to the last bit.
const HALVINGS: usize = 60;

/// The springs of a contact under a displacement that is known.
pub(super) struct SpringContact<'a> {
    /// The springs, with their forces (N/m, N).
    springs: Vec<Slider>,
    viscous: f64,
    /// Mean, cosines and sines of the sliding velocity and of the displacement.
    velocity: &'a [f64],
    displacement: &'a [f64],
    /// Displacement by which the belt runs ahead, for each unit of angle (m).
    drift: f64,
    /// Where the velocity turns, ascending.
    turns: Vec<f64>,
}

/// One spring: c, and the turn at which it was made, if its slider has slid.
#[derive(Clone, Copy, Debug, Default)]
struct AnsweringSpring {
    c: f64,
    made: Option<usize>,
}

impl<'a> SpringContact<'a> {
    /// `None` for a contact without springs.
    pub fn new(
        contact: &Contact,
        level: f64,
        omega: f64,
        velocity: &'a [f64],
        displacement: &'a [f64],
    ) -> Option<Self> {
        let load = level * contact.load;
        let spring = |slider: Slider| Slider {
            stiffness: load * slider.stiffness,
            limit: load * slider.limit,
            reverse_limit: load * slider.reverse_limit,
        };
        let springs: Vec<Slider> = contact.friction.law.sliders()?.into_iter().map(spring).collect();
        let viscous = contact.load * contact.friction.viscous;
        let drift = velocity[0] / omega;
        let mut own = Self { springs, viscous, velocity, displacement, drift, turns: Vec::new() };
        own.turns = own.find_turns();
        Some(own)
    }

    fn harmonics(&self) -> usize {
        self.velocity.len() / 2
    }

    fn at(coefficients: &[f64], theta: f64, scratch: &mut [[f64; 2]]) -> f64 {
        fill_turns(theta, scratch);
        sample(coefficients, scratch)
    }

    fn u(&self, theta: f64, scratch: &mut [[f64; 2]]) -> f64 {
        Self::at(self.displacement, theta, scratch) + self.drift * theta
    }

    fn find_turns(&self) -> Vec<f64> {
        let places = PLACES * (self.harmonics() + 1);
        let mut scratch = vec![[0.0; 2]; self.harmonics()];
        let mut v = |theta: f64| Self::at(self.velocity, theta, &mut scratch);
        let h = std::f64::consts::TAU / places as f64;
        let mut turns = Vec::new();
        let mut before = v(0.0);
        for place in 0..places {
            let [mut a, mut b] = [place as f64 * h, (place + 1) as f64 * h];
            let after = v(b);
            if (before < 0.0) != (after < 0.0) {
                for _ in 0..HALVINGS {
                    let middle = 0.5 * (a + b);
                    if (v(middle) < 0.0) == (before < 0.0) { a = middle } else { b = middle }
                }
                turns.push(a);
            }
            before = after;
        }
        turns
    }

    /// The parts of a period between turns: begin, end, and the turn at its end, if there is one.
    fn stretches(&self) -> Vec<([f64; 2], Option<usize>)> {
        let tau = std::f64::consts::TAU;
        let Some(first) = self.turns.first() else { return vec![([0.0, tau], None)] };
        let end = |i: usize| self.turns.get(i + 1).copied().unwrap_or(first + tau);
        let next = |i: usize| if i + 1 < self.turns.len() { i + 1 } else { 0 };
        (0..self.turns.len()).map(|i| ([self.turns[i], end(i)], Some(next(i)))).collect()
    }

    /// Runs the springs along a stretch whose displacement ends at `u`; says which ones slid.
    fn pass(&self, states: &mut [AnsweringSpring], u: f64, turn: Option<usize>, mut slid: impl FnMut(usize)) {
        for (i, (state, spring)) in states.iter_mut().zip(&self.springs).enumerate() {
            let force = state.c + spring.stiffness * u;
            if !holds(spring, force) {
                let end = spring.limit_towards(force).copysign(force);
                *state = AnsweringSpring { c: end - spring.stiffness * u, made: turn.or(Some(usize::MAX)) };
                slid(i);
            }
        }
    }

    /// Force, its derivative and whether a slider never slides.
    pub fn sums(&self, with_slopes: bool) -> FourierSums {
        let (harmonics, width) = (self.harmonics(), self.velocity.len());
        let stretches = self.stretches();
        let mut scratch = vec![[0.0; 2]; harmonics];
        let mut states = vec![AnsweringSpring::default(); self.springs.len()];
        let period = self.drift * std::f64::consts::TAU;
        for _ in 0..SETTLING {
            for ([_, end], turn) in &stretches {
                self.pass(&mut states, self.u(*end, &mut scratch), *turn, |_| {});
            }
            // the next period counts its displacement anew
            states
                .iter_mut()
                .zip(&self.springs)
                .for_each(|(state, spring)| state.c += spring.stiffness * period);
        }
        let mut friction = vec![0.0; width];
        // ⟨slope · e · e⟩ as the harmonics of the slope, and for every turn what it is subtracted by
        let mut slopes = vec![[0.0; 4]; if with_slopes { width } else { 0 }];
        let mut made = vec![vec![0.0; width]; if with_slopes { self.turns.len() } else { 0 }];
        let mut has_slid = vec![false; self.springs.len()];
        let mut turns = vec![[0.0; 2]; 2 * harmonics];
        let rule = rule();
        for ([begin, end], turn) in &stretches {
            for [a, b] in self.parts(&states, [*begin, *end], &mut scratch) {
                let middle = self.u(0.5 * (a + b), &mut scratch);
                let answer = |state: &AnsweringSpring, spring: &Slider| state.c + spring.stiffness * middle;
                let (mut constant, mut stiffness) = (0.0, 0.0);
                for (state, spring) in states.iter().zip(&self.springs) {
                    let force = answer(state, spring);
                    if holds(spring, force) {
                        constant += state.c;
                        stiffness += spring.stiffness;
                    } else {
                        constant += spring.limit_towards(force).copysign(force);
                    }
                }
                let cells = ((b - a) / std::f64::consts::PI * (harmonics + 1) as f64).ceil().max(1.0);
                let h = (b - a) / cells;
                for cell in 0..cells as usize {
                    for [x, weight, _] in &rule {
                        let theta = a + h * (cell as f64 + 0.5 + 0.5 * x);
                        fill_turns(theta, &mut turns);
                        let u = sample(self.displacement, &turns[..harmonics]) + self.drift * theta;
                        let force = constant + stiffness * u;
                        let weight = 0.5 * h * weight / std::f64::consts::TAU;
                        add(&mut friction, weight * force, &turns);
                        if with_slopes && stiffness > 0.0 {
                            slopes[0][0] += weight * stiffness;
                            for (slope, [c, s]) in slopes[1..].iter_mut().zip(&turns) {
                                slope[0] += weight * stiffness * c;
                                slope[1] += weight * stiffness * s;
                            }
                            for (state, spring) in states.iter().zip(&self.springs) {
                                if let Some(row) = state.made.and_then(|turn| made.get_mut(turn))
                                    && holds(spring, answer(state, spring))
                                {
                                    add(row, weight * spring.stiffness, &turns);
                                }
                            }
                        }
                    }
                }
            }
            let u = self.u(*end, &mut scratch);
            self.pass(&mut states, u, *turn, |i| has_slid[i] = true);
        }
        let mut by_displacement = Vec::new();
        if with_slopes {
            by_displacement = products(&slopes, width);
            for (theta, row) in self.turns.iter().zip(&made) {
                fill_turns(*theta, &mut scratch);
                for (line, by) in by_displacement.chunks_mut(width).zip(row) {
                    line[0] -= by;
                    for (pair, [c, s]) in line[1..].chunks_exact_mut(2).zip(&scratch) {
                        pair[0] -= by * c;
                        pair[1] -= by * s;
                    }
                }
            }
        }
        friction.iter_mut().zip(self.velocity).for_each(|(f, v)| *f += self.viscous * v);
        slopes.fill([0.0; 4]);
        if let Some(first) = slopes.first_mut() {
            first[2] = self.viscous;
        }
        FourierSums { friction, slopes, by_displacement, sticks: has_slid.contains(&false) }
    }

    /// A stretch cut where sliders let go.
    fn parts(
        &self,
        states: &[AnsweringSpring],
        [begin, end]: [f64; 2],
        scratch: &mut [[f64; 2]],
    ) -> Vec<[f64; 2]> {
        let [from, to] = [begin, end].map(|theta| self.u(theta, scratch));
        let mut cuts = vec![begin, end];
        for (state, spring) in states.iter().zip(&self.springs) {
            let limit = spring.limit_towards(to - from).copysign(to - from);
            let at = (limit - state.c) / spring.stiffness;
            if (at - from) * (at - to) < 0.0 {
                let [mut a, mut b] = [begin, end];
                for _ in 0..HALVINGS {
                    let middle = 0.5 * (a + b);
                    if (self.u(middle, scratch) - at) * (from - at) > 0.0 { a = middle } else { b = middle }
                }
                cuts.push(a);
            }
        }
        cuts.sort_by(f64::total_cmp);
        cuts.windows(2).map(|pair| [pair[0], pair[1]]).filter(|[a, b]| b > a).collect()
    }
}

/// Whether a spring holds this force (N).
fn holds(spring: &Slider, force: f64) -> bool {
    force.abs() < spring.limit_towards(force)
}

/// Adds a value at an angle to mean, cosines and sines.
fn add(coefficients: &mut [f64], value: f64, turns: &[[f64; 2]]) {
    coefficients[0] += value;
    for (pair, [c, s]) in coefficients[1..].chunks_exact_mut(2).zip(turns) {
        pair[0] += 2.0 * value * c;
        pair[1] += 2.0 * value * s;
    }
}

/// Harmonics of (slope · e_p) for every e_p, one row a harmonic of the product.
fn products(slopes: &[[f64; 4]], width: usize) -> Vec<f64> {
    let function = |a: usize| (a.div_ceil(2), a > 0 && a.is_multiple_of(2));
    let mut out = vec![0.0; width * width];
    for a in 0..width {
        let (p, is_sine_p) = function(a);
        for b in 0..width {
            let (q, is_sine_q) = function(b);
            let ([c, s, ..], [dc, ds, ..]) = (slopes[p + q], slopes[p.abs_diff(q)]);
            let ds = if p >= q { ds } else { -ds };
            let mean = match (is_sine_p, is_sine_q) {
                (false, false) => 0.5 * (dc + c),
                (true, true) => 0.5 * (dc - c),
                (true, false) => 0.5 * (s + ds),
                (false, true) => 0.5 * (s - ds),
            };
            out[a * width + b] = if a == 0 { mean } else { 2.0 * mean };
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::{FrictionLaw, Iwan, Jenkins};

    fn contact(law: FrictionLaw, viscous: f64) -> Contact {
        let friction = crate::law::Friction { law, viscous };
        Contact { friction, load: 2.0, direction: vec![1.0], belt: 0.0 }
    }

    /// Velocity harmonics of a displacement at unit frequency.
    fn velocity(displacement: &[f64]) -> Vec<f64> {
        let mut v = vec![0.0; displacement.len()];
        for k in 1..=displacement.len() / 2 {
            (v[2 * k - 1], v[2 * k]) =
                (k as f64 * displacement[2 * k], -(k as f64) * displacement[2 * k - 1]);
        }
        v
    }

    #[test]
    fn a_jenkins_element_has_its_describing_function() {
        // u = a cos θ: f₁ = k_t a/π (x − ½ sin 2x) cos θ − 4L(a − u_s)/(πa) sin θ, x = acos(1 − 2u_s/a)
        let law = FrictionLaw::Jenkins(Jenkins { mu: 0.3, stiffness: 4.0 });
        let (k, limit) = (8.0, 0.6);
        let contact = contact(law, 0.0);
        for amplitude in [0.01, 0.0749, 0.0751, 0.1, 1.0, 100.0] {
            let u = [0.0, amplitude, 0.0];
            let v = velocity(&u);
            let found = SpringContact::new(&contact, 1.0, 1.0, &v, &u).unwrap().sums(false);
            let reach = limit / k;
            let x = if amplitude > reach {
                libm::acos(1.0 - 2.0 * reach / amplitude)
            } else {
                std::f64::consts::PI
            };
            let pi = std::f64::consts::PI;
            let cosine = k * amplitude / pi * (x - 0.5 * libm::sin(2.0 * x));
            let sine = -4.0 * limit * (1.0 - reach / amplitude).max(0.0) / pi;
            let f = &found.friction;
            assert!((f[1] - cosine).abs() < 1e-12 * k, "a = {amplitude}: {} {cosine}", f[1]);
            assert!((f[2] - sine).abs() < 1e-12 * k, "a = {amplitude}: {} {sine}", f[2]);
            assert_eq!(found.sticks, amplitude < reach);
        }
    }

    #[test]
    fn the_derivative_is_that_of_the_force() {
        let law = FrictionLaw::Iwan(Iwan { mu: vec![0.1, 0.2, 0.4], stiffness: vec![3.0, 2.0, 1.0] });
        let contact = contact(law, 0.01);
        let u = [0.02, 0.3, -0.1, 0.05, 0.2, -0.12, 0.1];
        for belt in [0.0, 0.2, -0.9] {
            let sums = |u: &[f64], with: bool| {
                let mut v = velocity(u);
                v[0] = -belt;
                SpringContact::new(&contact, 1.0, 1.0, &v, u).unwrap().sums(with)
            };
            let found = sums(&u, true);
            for b in 0..u.len() {
                let h = 1e-6;
                let ends = [h, -h].map(|h| {
                    let mut u = u;
                    u[b] += h;
                    sums(&u, false).friction
                });
                let own = velocity(&(0..u.len()).map(|i| f64::from(u8::from(i == b))).collect::<Vec<_>>());
                for a in 0..u.len() {
                    let quotient = (ends[0][a] - ends[1][a]) / (2.0 * h);
                    let slope = found.by_displacement[a * u.len() + b] + 0.02 * own[a];
                    assert!((quotient - slope).abs() < 1e-6, "belt {belt}, {a} by {b}: {quotient} {slope}");
                }
            }
        }
    }
}
