//! Friction in time: its Fourier coefficients and their derivatives.
//!
//! The period is cut into cells that resolve the highest harmonic; where Kronrod's formula and Gauss's differ
//! (a kink, a jump of the slope, a steep transition) a cell is halved until they do not. Nothing is assumed
//! of the law.

use crate::law::{Graph, Law, Slip};
use crate::system::Contact;

/// Kronrod's formula of 15 points with Gauss's of 7 inside (@piessens1983, routine QK15): nodes on [0, 1],
/// both weights, from the middle outwards.
const KRONROD: [[f64; 3]; 8] = [
    [0.0, 0.209_482_141_084_727_82, 0.417_959_183_673_469_4],
    [0.207_784_955_007_898_48, 0.204_432_940_075_298_89, 0.0],
    [0.405_845_151_377_397_2, 0.190_350_578_064_785_42, 0.381_830_050_505_118_9],
    [0.586_087_235_467_691_1, 0.169_004_726_639_267_9, 0.0],
    [0.741_531_185_599_394_5, 0.140_653_259_715_525_92, 0.279_705_391_489_276_64],
    [0.864_864_423_359_769_1, 0.104_790_010_322_250_17, 0.0],
    [0.949_107_912_342_758_5, 0.063_092_092_629_978_54, 0.129_484_966_168_869_7],
    [0.991_455_371_120_812_6, 0.022_935_322_010_529_22, 0.0],
];
/// Nodes in a cell.
const NODES: usize = 15;
/// Difference of both formulas, relative to the largest friction, at which Kronrod's is exact to 1e-12: it
/// errs by about the 1.5th power of it.
const APART: f64 = 1e-8;
/// Halvings of a cell at most: 2⁻³⁰ of it moves no coefficient.
const DEPTH: u32 = 30;
/// Cells for each harmonic.
const CELLS: usize = 2;

/// Nodes and weights of a cell on [−1, 1].
pub(super) fn rule() -> [[f64; 3]; NODES] {
    let mut rule = [[0.0; 3]; NODES];
    for (i, [x, kronrod, gauss]) in KRONROD.into_iter().enumerate() {
        rule[7 + i] = [x, kronrod, gauss];
        rule[7 - i] = [-x, kronrod, gauss];
    }
    rule
}

/// The cells of a period with cosines and sines of all harmonics at their nodes.
#[derive(Clone, Debug)]
pub(super) struct Cells {
    harmonics: usize,
    n: usize,
    rule: [[f64; 3]; NODES],
    /// Cosines and sines of θ, 2θ, … up to twice the harmonics, node after node.
    turns: Vec<[f64; 2]>,
}

/// Fourier sums over a period.
#[derive(Clone, Debug)]
pub(super) struct FourierSums {
    /// Mean, cosines and sines of the friction.
    pub friction: Vec<f64>,
    /// Means of the slopes by force and by velocity times cosine and sine of kθ, k up to twice the harmonics.
    pub slopes: Vec<[f64; 4]>,
    /// Derivative of the harmonics by those of the displacement, row after row; empty where the friction
    /// depends on velocities alone.
    pub by_displacement: Vec<f64>,
    /// Whether a spring holds all the time.
    pub sticks: bool,
}

/// One contact at a given share of its friction.
pub(super) struct SlidingContact<'a> {
    pub contact: &'a Contact,
    /// Share of the friction (-).
    pub level: f64,
    /// Scale that makes a velocity a force in the set-valued law (N s/m).
    pub rho: f64,
    /// Mean, cosines and sines of the sliding velocity and of the force that is balanced.
    pub velocity: &'a [f64],
    pub force: &'a [f64],
}

impl SlidingContact<'_> {
    /// Friction force, and its derivatives by the force that is balanced and by the velocity.
    fn friction(&self, v: f64, force: f64) -> [f64; 3] {
        let load = self.level * self.contact.load;
        let viscous = self.contact.load * self.contact.friction.viscous;
        let law = &self.contact.friction.law;
        if law.graph() != Graph::SetValued {
            let (phi, slope) = (law.coefficient(Slip::at(v)), law.slope(Slip::at(v)));
            return [load * phi + viscous * v, 0.0, load * slope + viscous];
        }
        let limit = load * law.bound();
        let wanted = force - viscous * v + self.rho * v;
        if wanted.abs() <= limit {
            [force + self.rho * v, 1.0, self.rho]
        } else {
            [limit.copysign(wanted) + viscous * v, 0.0, viscous]
        }
    }

    fn is_set_valued(&self) -> bool {
        self.contact.friction.law.graph() == Graph::SetValued
    }

    fn at(&self, turns: &[[f64; 2]]) -> [f64; 3] {
        let v = sample(self.velocity, turns);
        self.friction(v, if self.is_set_valued() { sample(self.force, turns) } else { 0.0 })
    }

    /// Slope by the velocity at an angle of the period (N s/m).
    pub fn slope(&self, theta: f64) -> f64 {
        let mut turns = vec![[0.0; 2]; self.velocity.len() / 2];
        fill_turns(theta, &mut turns);
        self.at(&turns)[2]
    }

    /// The largest friction (N).
    fn size(&self) -> f64 {
        self.level * self.contact.load * self.contact.friction.law.bound()
    }
}

/// A trigonometric polynomial, given by mean, cosines and sines.
#[inline]
pub(super) fn sample(coefficients: &[f64], turns: &[[f64; 2]]) -> f64 {
    let pairs = coefficients[1..].chunks_exact(2).zip(turns);
    coefficients[0] + pairs.map(|(ab, [c, s])| ab[0] * c + ab[1] * s).sum::<f64>()
}

/// Cosines and sines of the multiples of θ.
pub(super) fn fill_turns(theta: f64, turns: &mut [[f64; 2]]) {
    let (sine, cosine) = libm::sincos(theta);
    let [mut c, mut s] = [1.0, 0.0];
    for (k, turn) in turns.iter_mut().enumerate() {
        (c, s) = if k % 32 == 31 {
            // before the roundings of the recursion add up
            let (s, c) = libm::sincos((k + 1) as f64 * theta);
            (c, s)
        } else {
            (c * cosine - s * sine, s * cosine + c * sine)
        };
        *turn = [c, s];
    }
}

impl Cells {
    pub fn new(harmonics: usize) -> Self {
        let n = CELLS * (harmonics + 1).max(4);
        let (rule, width) = (rule(), 2 * harmonics);
        let mut turns = vec![[0.0; 2]; n * NODES * width];
        for cell in 0..n {
            for (i, [x, ..]) in rule.iter().enumerate() {
                let theta = std::f64::consts::TAU * (cell as f64 + 0.5 + 0.5 * x) / n as f64;
                let node = cell * NODES + i;
                fill_turns(theta, &mut turns[node * width..(node + 1) * width]);
            }
        }
        Self { harmonics, n, rule, turns }
    }

    /// The Fourier coefficients of the friction, and those of its slopes if asked for.
    pub fn sums(&self, sliding: &SlidingContact, with_slopes: bool) -> FourierSums {
        let harmonics = self.harmonics;
        let mut sums = FourierSums {
            friction: vec![0.0; 2 * harmonics + 1],
            slopes: vec![[0.0; 4]; if with_slopes { 2 * harmonics + 1 } else { 0 }],
            by_displacement: Vec::new(),
            sticks: false,
        };
        self.visit(sliding, |weight, turns, [value, by_force, by_velocity]| {
            sums.friction[0] += weight * value;
            for (ab, [c, s]) in sums.friction[1..].chunks_exact_mut(2).zip(turns) {
                ab[0] += 2.0 * weight * value * c;
                ab[1] += 2.0 * weight * value * s;
            }
            if !with_slopes || (by_force == 0.0 && by_velocity == 0.0) {
                return;
            }
            let (force, velocity) = (weight * by_force, weight * by_velocity);
            sums.slopes[0][0] += force;
            sums.slopes[0][2] += velocity;
            for (sum, [c, s]) in sums.slopes[1..].iter_mut().zip(turns) {
                sum[0] += force * c;
                sum[1] += force * s;
                sum[2] += velocity * c;
                sum[3] += velocity * s;
            }
        });
        sums
    }

    /// Energy lost in a period, over its length: the mean of friction times velocity (W).
    pub fn power(&self, sliding: &SlidingContact) -> f64 {
        let mut sum = 0.0;
        self.visit(sliding, |weight, turns, [value, ..]| {
            sum += weight * value * sample(sliding.velocity, turns);
        });
        sum
    }

    /// Calls `add` with the weight, the cosines and sines, and the friction with its slopes at every node.
    /// The weights sum to one.
    fn visit(&self, sliding: &SlidingContact, mut add: impl FnMut(f64, &[[f64; 2]], [f64; 3])) {
        let width = 2 * self.harmonics;
        let enough = APART * sliding.size();
        let mut local = vec![[0.0; 2]; NODES * width];
        let mut values = [[0.0; 3]; NODES];
        for cell in 0..self.n {
            let turns = &self.turns[cell * NODES * width..(cell + 1) * NODES * width];
            for (value, turns) in values.iter_mut().zip(turns.chunks_exact(width)) {
                *value = sliding.at(turns);
            }
            let weight = 1.0 / self.n as f64;
            if self.difference(&values) > enough {
                let span = [cell as f64 * weight, (cell + 1) as f64 * weight];
                self.halve(sliding, span, 1, &mut local, &mut add);
                continue;
            }
            for ((value, turns), [_, kronrod, _]) in
                values.iter().zip(turns.chunks_exact(width)).zip(&self.rule)
            {
                add(0.5 * weight * kronrod, turns, *value);
            }
        }
    }

    /// Difference of both formulas on a cell of unit length.
    fn difference(&self, values: &[[f64; 3]; NODES]) -> f64 {
        let terms = values.iter().zip(&self.rule);
        (terms.map(|(value, [_, kronrod, gauss])| value[0] * (kronrod - gauss)).sum::<f64>() * 0.5).abs()
    }

    /// Both halves of a part of the period, each halved again where the formulas differ.
    fn halve(
        &self,
        sliding: &SlidingContact,
        [a, b]: [f64; 2],
        depth: u32,
        turns: &mut [[f64; 2]],
        add: &mut impl FnMut(f64, &[[f64; 2]], [f64; 3]),
    ) {
        let middle = 0.5 * (a + b);
        let width = turns.len() / NODES;
        // what a half of the first cell may err is what the cell may, in parts of the period
        let enough = APART * sliding.size() * libm::pow(2.0, f64::from(depth));
        for [a, b] in [[a, middle], [middle, b]] {
            let mut values = [[0.0; 3]; NODES];
            for (i, [x, ..]) in self.rule.iter().enumerate() {
                let theta = std::f64::consts::TAU * (0.5 * (a + b) + 0.5 * (b - a) * x);
                let turns = &mut turns[i * width..(i + 1) * width];
                fill_turns(theta, turns);
                values[i] = sliding.at(turns);
            }
            if depth < DEPTH && self.difference(&values) > enough {
                self.halve(sliding, [a, b], depth + 1, turns, add);
                continue;
            }
            for (i, [_, kronrod, _]) in self.rule.iter().enumerate() {
                add(0.5 * (b - a) * kronrod, &turns[i * width..(i + 1) * width], values[i]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::{Coulomb, FrictionLaw, Linear, Tanh};

    fn contact(law: FrictionLaw) -> Contact {
        Contact { friction: law.into(), load: 1.0, direction: vec![1.0], belt: 0.0 }
    }

    #[test]
    fn kronrods_formula_is_exact_to_degree_22_and_gauss_inside_to_13() {
        for degree in 0..=22 {
            let truth = if degree % 2 == 0 { 2.0 / f64::from(degree + 1) } else { 0.0 };
            let sum = |which: usize| rule().iter().map(|r| r[which] * r[0].powi(degree)).sum::<f64>();
            assert!((sum(1) - truth).abs() < 1e-14, "degree {degree}");
            assert!(degree > 13 || (sum(2) - truth).abs() < 1e-14, "degree {degree}");
        }
    }

    #[test]
    fn a_square_wave_a_ramp_and_a_narrow_tanh_have_their_coefficients() {
        // v = cos θ: sgn has 4/π (−1)^j/(2j+1) at k = 2j + 1
        let cells = Cells::new(5);
        let mut velocity = vec![0.0; 11];
        velocity[1] = 1.0;
        let force = vec![0.0; 11];
        let narrow =
            |width: f64| FrictionLaw::Linear(Linear { mu: 1.0, width, rise: None, rise_height: None });
        let cases = [
            (FrictionLaw::Coulomb(Coulomb { mu: 1.0, mu_static: None }), 1e9, 1e-8),
            (FrictionLaw::Tanh(Tanh { mu: 1.0, width: 1e-8 }), 1.0, 1e-8),
            (narrow(1e-6), 1.0, 1e-8),
        ];
        for (law, rho, tolerance) in cases {
            let contact = contact(law);
            let sliding =
                SlidingContact { contact: &contact, level: 1.0, rho, velocity: &velocity, force: &force };
            let sums = cells.sums(&sliding, true);
            for k in 1..=5usize {
                let sign = [0.0, 1.0, 0.0, -1.0][k % 4];
                let expected = sign * 4.0 / (std::f64::consts::PI * k as f64);
                let (c, s) = (sums.friction[2 * k - 1], sums.friction[2 * k]);
                assert!((c - expected).abs() < tolerance && s.abs() < tolerance, "{k}: {c} {s}");
            }
            assert!((cells.power(&sliding) - 2.0 / std::f64::consts::PI).abs() < tolerance);
        }
        // a ramp of half-width ½: the integral of its derivative over |cos θ| < ½ by hand, 2/½ · (π/6 ·
        // 2)/(2π)
        let contact = contact(narrow(0.5));
        let sliding =
            SlidingContact { contact: &contact, level: 1.0, rho: 1.0, velocity: &velocity, force: &force };
        let sums = cells.sums(&sliding, true);
        assert!((sums.slopes[0][2] - 2.0 / 3.0).abs() < 1e-8, "{}", sums.slopes[0][2]);
    }
}
