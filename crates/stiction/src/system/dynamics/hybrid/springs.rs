//! Springs with sliders: how they stand, what they give, and where they are caught and let go.

use super::super::{ContactState, Dynamics};
use crate::law::{Slider, StateSlopes};
use crate::math::dense::Matrix;

/// A spring with its slider: how it stands, and how it goes on.
#[derive(Clone, Copy, Debug)]
pub(in crate::system::dynamics) struct SpringState {
    pub slider: Slider,
    /// The end of its range at which it slips, 1 or −1; 0 if it sticks.
    pub slips: f64,
    pub next: f64,
}

/// A spring that moves towards the end of its range, nearer to it than this part of the whole range, lets go:
/// springs that were caught together reach it together again, to their rounding, and no step is so short.
const NEAR_END: f64 = 1e-12;

impl SpringState {
    /// The ends of its range above and below, without their signs (m).
    pub(super) fn reaches(&self) -> [f64; 2] {
        [1.0, -1.0].map(|way| self.slider.reach_towards(way))
    }

    pub(super) fn sticks(&self) -> bool {
        self.slips == 0.0 && self.slider.holds()
    }

    /// Whether a deflection `z` is at the end of the range towards `way`, which is `share` of that at rest;
    /// either end may be 0.
    pub(super) fn is_at_end(&self, way: f64, z: f64, share: f64) -> bool {
        let [high, low] = self.reaches();
        way * z >= share * self.slider.reach_towards(way) - NEAR_END * (high + low)
    }
}

impl ContactState {
    /// φ of the springs (-).
    pub(in crate::system::dynamics) fn spring_coefficient(&self, z: &[f64]) -> f64 {
        let share = |(spring, z): (&SpringState, &f64)| match spring.slips {
            _ if self.lag.is_some() && spring.slider.holds() => spring.slider.stiffness * z,
            0.0 if spring.slider.holds() => spring.slider.stiffness * z,
            slips => slips * spring.slider.limit_towards(slips),
        };
        self.springs.iter().zip(z).map(share).sum()
    }

    /// Where it is remembered which springs slip, where that does not follow from their deflections.
    pub(in crate::system::dynamics) fn slip_places(&self) -> std::ops::Range<usize> {
        match self.springs.is_empty() {
            true => 0..0,
            false => self.memory.start + self.springs.len()..self.memory.end,
        }
    }

    /// ż of the springs (m/s); what remembers that they slip changes at events only.
    pub(in crate::system::dynamics) fn spring_rates(&self, z: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        for ((rate, spring), z) in out.iter_mut().zip(&self.springs).zip(z) {
            *rate = match self.lag {
                _ if spring.sticks() => self.v,
                Some(lag) if spring.slips != 0.0 => lag.rates(spring.slider, spring.slips, *z)[0],
                _ => 0.0,
            };
        }
    }

    /// The derivatives by the deflections, as the springs stand.
    pub(in crate::system::dynamics) fn set_spring_slopes(&mut self, z: &[f64]) {
        let StateSlopes { coefficient, dot_v, dot_z } = &mut self.slopes;
        let n = dot_v.len();
        dot_z.fill(0.0);
        for (k, (spring, z)) in self.springs.iter().zip(z).enumerate() {
            let late = self.lag.filter(|_| spring.slips != 0.0);
            let is_spring = spring.sticks() || late.is_some() && spring.slider.holds();
            coefficient[k] = if is_spring { spring.slider.stiffness } else { 0.0 };
            dot_v[k] = f64::from(u8::from(spring.sticks()));
            if let Some(lag) = late {
                [_, dot_v[k], dot_z[k * n + k]] = lag.rates(spring.slider, spring.slips, *z);
            }
        }
    }

    /// Whether spring `k` sticks at the end of its range towards `way`.
    pub(super) fn lets_go(&self, k: usize, way: f64, y: &[f64]) -> bool {
        self.springs[k].sticks() && self.springs[k].is_at_end(way, y[self.memory.start + k], 1.0)
    }

    /// Writes how the springs go on.
    pub(super) fn remember_slips(&self, y: &mut [f64]) {
        y[self.slip_places()].iter_mut().zip(&self.springs).for_each(|(slips, spring)| *slips = spring.next);
    }
}

impl Dynamics {
    /// The limits of the springs of contact `i` at both ends over those at rest: an end that the contact
    /// moves away from does not let go.
    pub(super) fn limits_ahead(&self, i: usize, sliding: f64) -> [f64; 2] {
        let law = &self.system.contacts[i].friction.law;
        match self.states[i].lag {
            None => [1.0; 2],
            Some(_) => [sliding, -sliding].map(|v| law.lag(v.max(0.0)).map_or(1.0, |lag| lag.share)),
        }
    }

    /// Takes out of differences, one a column, what remembers which springs slip: that does not change by a
    /// little.
    pub(crate) fn forget_slips(&self, differences: &mut Matrix) {
        for i in self.states.iter().flat_map(ContactState::slip_places) {
            (0..differences.n_cols).for_each(|j| *differences.at_mut(i, j) = 0.0);
        }
    }
}
