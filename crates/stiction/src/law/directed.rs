//! A law that is harder one way than the other.
//!
//! ```text
//!   φ' = φ       where φ ≥ 0
//!   φ' = r φ     where φ < 0
//! ```
//!
//! One rule for every number of every law: friction that opposes sliding in the negative direction is r times that of the law, static, kinetic
//! and on any curve; with r = 0 it acts one way only. At rest the range is [−r μs, μs], so that a contact that rests under the law rests under
//! this one. Of laws with memory it is the sign of the force that counts, and their bristles are r times as stiff one way: the force has no jump.
//! Springs with sliders keep their stiffness, and have limits −r μₖ and μₖ.
//!
//! A law that depends on the demand d in motion is shifted and stretched, so that it holds −r μ to μ at rest:
//!
//! ```text
//!   φ'(v, d) = c + g φ(v, (d − c)/g),   c = ½ (1 − r) μ,   g = ½ (1 + r)
//! ```

use super::{FrictionBounds, FrictionLaw, Graph, Law, Scales, Slider, Slip, StateSlopes, States, sliders};
use crate::Faults;

/// A law whose friction against negative sliding is multiplied by a number.
#[derive(Clone, Debug, PartialEq)]
pub struct Directed {
    /// The law, as it holds in the positive direction.
    pub law: FrictionLaw,
    /// Friction against negative sliding over that of the law, r (-).
    pub reverse: f64,
}

impl Directed {
    #[inline]
    fn factor(&self, phi: f64) -> f64 {
        if phi < 0.0 { self.reverse } else { 1.0 }
    }

    fn scaled(&self, bounds: FrictionBounds) -> FrictionBounds {
        let [low, high] = [bounds.low, bounds.high].map(|phi| phi * self.factor(phi));
        FrictionBounds { low, high, ..bounds }
    }

    /// Shift c and stretch g of a force-dependent law.
    #[inline]
    fn shift_and_stretch(&self) -> [f64; 2] {
        [0.5 * (1.0 - self.reverse) * self.law.bound(), 0.5 * (1.0 + self.reverse)]
    }

    /// Whether the law is made of springs with sliders.
    #[inline]
    fn is_elastic(&self) -> bool {
        self.law.slider(0).is_some()
    }

    fn each(&self) -> impl Iterator<Item = Slider> {
        (0..).map_while(|k| self.slider(k))
    }

    fn reversed(&self, slider: Slider) -> Slider {
        Slider { reverse_limit: self.reverse * slider.reverse_limit, ..slider }
    }
}

impl Law for Directed {
    fn check(&self, faults: &mut Faults) {
        self.law.check(faults);
        faults.not_negative("reverse", self.reverse);
    }
    #[inline]
    fn coefficient(&self, slip: Slip) -> f64 {
        if let Some(bounds) = self.friction_bounds(slip.v, slip.z) {
            return (slip.demand + bounds.shift).clamp(bounds.low, bounds.high);
        }
        if self.is_elastic() {
            return self.each().enumerate().map(|(k, slider)| slider.share(slip.state(k))).sum();
        }
        let phi = self.law.coefficient(slip);
        phi * self.factor(phi)
    }
    #[inline]
    fn slope(&self, slip: Slip) -> f64 {
        if self.law.graph() != Graph::SetValued && self.law.friction_bounds(slip.v, slip.z).is_some() {
            let [shift, stretch] = self.shift_and_stretch();
            return stretch * self.law.slope(Slip { demand: (slip.demand - shift) / stretch, ..slip });
        }
        let phi = self.law.coefficient(slip);
        // on its way through zero the velocity determines the side
        let side = if phi == 0.0 { slip.v } else { phi };
        self.law.slope(slip) * self.factor(side)
    }
    fn scales(&self) -> Scales {
        let own = self.law.scales();
        Scales { steepest: own.steepest.map(|steepest| steepest * self.reverse.max(1.0)), ..own }
    }
    fn bound(&self) -> f64 {
        self.law.bound() * self.reverse.max(1.0)
    }
    fn breakpoints(&self) -> Vec<f64> {
        let mut points = self.law.breakpoints();
        if !points.contains(&0.0) {
            points.push(0.0);
            points.sort_by(f64::total_cmp);
        }
        points
    }
    fn switches(&self, slip: Slip, out: &mut [f64]) -> usize {
        let own = self.law.switches(slip, out);
        if !self.law.has_memory() || self.is_elastic() {
            return own;
        }
        if let Some(out) = out.get_mut(own) {
            *out = self.law.coefficient(slip);
        }
        own + 1
    }
    fn corners(&self) -> Option<Vec<[f64; 2]>> {
        let own = self.law.corners()?;
        let mut corners: Vec<[f64; 2]> = Vec::with_capacity(own.len() + 1);
        for (i, &[v, phi]) in own.iter().enumerate() {
            // a piece that passes through zero bends there
            if let Some(&[v0, phi0]) = i.checked_sub(1).and_then(|before| own.get(before))
                && phi0 < 0.0
                && phi > 0.0
                && v > v0
            {
                // by sums that cancel exactly where the law is odd
                corners.push([(v0 * phi - v * phi0) / (phi - phi0), 0.0]);
            }
            corners.push([v, phi * self.factor(phi)]);
        }
        Some(corners)
    }
    fn slider(&self, k: usize) -> Option<Slider> {
        self.law.slider(k).map(|slider| self.reversed(slider))
    }
    fn graph(&self) -> Graph {
        self.law.graph()
    }
    #[inline]
    fn friction_bounds(&self, v: f64, z: &[f64]) -> Option<FrictionBounds> {
        let bounds = self.law.friction_bounds(v, z)?;
        if self.law.graph() == Graph::SetValued {
            return Some(self.scaled(bounds));
        }
        let [shift, stretch] = self.shift_and_stretch();
        let [low, high] = [bounds.low, bounds.high].map(|phi| shift + stretch * phi);
        Some(FrictionBounds { shift: stretch * bounds.shift, low, high })
    }
    #[inline]
    fn states(&self) -> States {
        self.law.states()
    }
    fn state_dot(&self, slip: Slip, out: &mut [f64]) {
        match self.is_elastic() {
            true => sliders::state_dot(self.each(), self.law.lag(slip.v), slip, out),
            false => self.law.state_dot(slip, out),
        }
    }
    fn steady_states(&self, v: f64, out: &mut [f64]) {
        match self.is_elastic() {
            true => sliders::steady_states(self.each(), self.law.lag(v), v, out),
            false => self.law.steady_states(v, out),
        }
    }
    fn state_slopes(&self, slip: Slip, out: &mut StateSlopes) {
        if self.is_elastic() {
            return sliders::state_slopes(self.each(), self.law.lag(slip.v), slip, out);
        }
        self.law.state_slopes(slip, out);
        let factor = self.factor(self.law.coefficient(slip));
        out.coefficient.iter_mut().for_each(|slope| *slope *= factor);
    }
}
