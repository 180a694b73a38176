//! A law that is harder one way than the other.
//!
//! ```text
//!   φ' = φ       where φ ≥ 0
//!   φ' = r φ     where φ < 0
//! ```
//!
//! One rule for every number of every law: friction that opposes sliding in the negative direction is r times that of the law, static, kinetic
//! and on any curve; with r = 0 it acts one way only. At rest the range is [−r μs, μs], so that a contact that rests under the law rests under
//! this one. Of laws with memory it is the sign of the force that counts, and their bristles are r times as stiff one way: the force has no jump. Springs with sliders,
//! and laws that answer their demand in motion, have no such form.

use super::{FrictionLaw, Graph, Hold, Law, Slip, StateName, StateSlopes};
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

    fn scaled(&self, hold: Hold) -> Hold {
        let [low, high] = [hold.low, hold.high].map(|phi| phi * self.factor(phi));
        Hold { low, high, ..hold }
    }

    /// Whether the law cannot be told from its coefficient: its friction is made of parts, or of its demand.
    pub(super) fn has_no_direction(&self) -> bool {
        self.law.sliders().is_some() || self.law.hold(0.0).is_some() && self.law.graph() != Graph::SetValued
    }
}

impl Law for Directed {
    fn check(&self, faults: &mut Faults) {
        self.law.check(faults);
        let why = "springs with sliders and laws that answer their demand have no direction";
        if faults.not_negative("reverse", self.reverse) && self.has_no_direction() {
            faults.at_least("reverse", self.reverse, 1.0, why);
            faults.at_most("reverse", self.reverse, 1.0, why);
        }
    }
    #[inline]
    fn coefficient(&self, slip: Slip) -> f64 {
        if slip.v == 0.0
            && self.law.graph() == Graph::SetValued
            && let Some(hold) = self.hold_at_rest(slip.z)
        {
            return slip.demand.clamp(hold.low, hold.high);
        }
        let phi = self.law.coefficient(slip);
        phi * self.factor(phi)
    }
    #[inline]
    fn slope(&self, slip: Slip) -> f64 {
        let phi = self.law.coefficient(slip);
        // on its way through zero the velocity tells the side
        let side = if phi == 0.0 { slip.v } else { phi };
        self.law.slope(slip) * self.factor(side)
    }
    fn steepest(&self) -> f64 {
        self.law.steepest() * self.reverse.max(1.0)
    }
    fn bound(&self) -> f64 {
        self.law.bound() * self.reverse.max(1.0)
    }
    fn stick_speed(&self) -> Option<f64> {
        self.law.stick_speed()
    }
    fn stick_margin(&self, slip: Slip) -> Option<f64> {
        self.law.stick_margin(slip)
    }
    fn transition(&self) -> Option<f64> {
        self.law.transition()
    }
    fn flat_beyond(&self) -> f64 {
        self.law.flat_beyond()
    }
    fn reach(&self) -> Option<f64> {
        self.law.reach()
    }
    fn known_to(&self) -> f64 {
        self.law.known_to()
    }
    fn breakpoints(&self) -> Vec<f64> {
        let mut points = self.law.breakpoints();
        if !points.contains(&0.0) {
            points.push(0.0);
            points.sort_by(f64::total_cmp);
        }
        points
    }
    fn n_switches(&self) -> usize {
        self.law.n_switches() + usize::from(self.law.has_memory())
    }
    fn switches(&self, slip: Slip, out: &mut [f64]) {
        let own = self.law.n_switches();
        self.law.switches(slip, &mut out[..own]);
        if let Some(out) = out.get_mut(own) {
            *out = self.law.coefficient(slip);
        }
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
                corners.push([v0 - (v - v0) * phi0 / (phi - phi0), 0.0]);
            }
            corners.push([v, phi * self.factor(phi)]);
        }
        Some(corners)
    }
    fn graph(&self) -> Graph {
        self.law.graph()
    }
    #[inline]
    fn hold(&self, v: f64) -> Option<Hold> {
        self.law.hold(v).map(|hold| self.scaled(hold))
    }
    #[inline]
    fn hold_at_rest(&self, z: &[f64]) -> Option<Hold> {
        self.law.hold_at_rest(z).map(|hold| self.scaled(hold))
    }
    fn n_states(&self) -> usize {
        self.law.n_states()
    }
    fn state_names(&self) -> Vec<StateName> {
        self.law.state_names()
    }
    fn state_dot(&self, slip: Slip, out: &mut [f64]) {
        self.law.state_dot(slip, out);
    }
    fn steady_states(&self, v: f64, out: &mut [f64]) {
        self.law.steady_states(v, out);
    }
    fn state_slopes(&self, slip: Slip, out: &mut StateSlopes) {
        self.law.state_slopes(slip, out);
        let factor = self.factor(self.law.coefficient(slip));
        out.coefficient.iter_mut().for_each(|slope| *slope *= factor);
    }
}
