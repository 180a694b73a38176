//! Prediction along a parameter from the motions found last.
//!
//! ```text
//!   x(p) ≈ Σ xᵢ Π (p − pⱼ)/(pᵢ − pⱼ),   i, j over the last two or three
//! ```
//!
//! The polynomial through the last states is so near the next one that Newton's method needs fewer periods.
//! It is only a place to begin: where the search from there does not succeed at once, it begins at the last
//! motion itself.

use super::flow::attempted;
use super::sweep::first;
use super::{Orbit, State, Steady};
use crate::system::System;
use crate::{Error, Progress};

/// States that a polynomial goes through.
pub(super) const DEGREE: usize = 3;
/// A value farther away than this, in units of the last step, is out of reach of the polynomial.
const REACH: f64 = 1.5;

/// The motions found last along a parameter.
#[derive(Clone, Debug, Default)]
pub struct Trail {
    /// Values and states, the last one last; of motions that hang together.
    known: Vec<(f64, State)>,
    /// Events of the last one in a period.
    n_events: usize,
    /// Whether the last motion is isolated, so that a state beside it converges to no other one.
    is_isolated: bool,
}

impl Trail {
    /// Forgets all motions.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Adds a motion.
    pub(super) fn add(&mut self, parameter: f64, orbit: &Orbit) {
        self.is_isolated = orbit.is_stable();
        // with the order of its phases the motion changes its kind, and what it took many periods to reach
        // may be far away
        if !self.is_isolated || orbit.convergence.periods > 0 || orbit.events.len() != self.n_events {
            self.known.clear();
        }
        self.n_events = orbit.events.len();
        if self.known.len() == DEGREE {
            self.known.rotate_left(1);
            self.known.truncate(DEGREE - 1);
        }
        self.known.push((parameter, orbit.state.clone()));
    }

    /// The state that the last ones lead to; `None` if there are too few, or too far away.
    fn guess(&self, parameter: f64) -> Option<State> {
        let [.., (before, _), (last, state)] = &self.known[..] else { return None };
        let is_near = (parameter - last).abs() <= REACH * (last - before).abs();
        if !(is_near && self.is_isolated && parameter != *last) {
            return None;
        }
        let weight = |i: usize| {
            let own = self.known[i].0;
            let others = self.known.iter().enumerate().filter(|(j, _)| *j != i);
            others.map(|(_, (other, _))| (parameter - other) / (own - other)).product::<f64>()
        };
        let weights: Vec<f64> = (0..self.known.len()).map(weight).collect();
        let mut guess = state.clone();
        for (k, list) in [&mut guess.position, &mut guess.velocity, &mut guess.memory].into_iter().enumerate()
        {
            for (i, x) in list.iter_mut().enumerate() {
                let known = self.known.iter().map(|(_, state)| {
                    let lists = [&state.position, &state.velocity, &state.memory];
                    lists[k].get(i).copied().unwrap_or(0.0)
                });
                // what does not move rests, to the bit
                if known.clone().any(|own| own != *x) {
                    *x = known.zip(&weights).map(|(own, weight)| weight * own).sum();
                }
            }
        }
        Some(guess)
    }
}

impl Steady {
    /// The periodic motion at the next value of a parameter, which joins the `trail`: the one that the trail
    /// leads to; where there is none, or that leads nowhere, the first stable one that the starts lead to,
    /// else the first. The system must have passed its check.
    pub fn along(
        &self,
        system: &System,
        trail: &mut Trail,
        parameter: f64,
        progress: &mut Progress,
    ) -> Result<Orbit, Error> {
        let onward = Self { transient: 0, starts: Vec::new(), ..self.clone() };
        if let Some(guess) = trail.guess(parameter) {
            let found = attempted(onward.from(system, &guess, progress))?;
            if let Some(orbit) = found.filter(|orbit| orbit.convergence.periods == 0 && orbit.is_stable()) {
                trail.add(parameter, &orbit);
                return Ok(orbit);
            }
            // the states do not hang together as they seemed to
            trail.known.drain(..trail.known.len() - 1);
        }
        let near = match trail.known.last() {
            Some((_, state)) => attempted(onward.from(system, state, progress))?,
            None => None,
        };
        let orbit = match near {
            Some(orbit) => orbit,
            None => {
                let orbit = first(self, system, progress)?;
                // it may be on another branch
                trail.known.clear();
                orbit
            }
        };
        trail.add(parameter, &orbit);
        Ok(orbit)
    }
}
