//! Springs with sliders: what they give in a regime, and when they let go.

use super::prepared::ContactElement;
use super::regime::ContactRegime;
use crate::contact::SliderMode;
use crate::law::{FrictionLaw, Slider, SliderLag, StateSlopes};

/// A spring that moves towards the end of its range, nearer to it than this part of the whole range, lets go:
/// springs that were caught together reach it together again, to their rounding, and no step is so short.
const NEAR_END: f64 = 1e-12;

/// The springs of a contact.
pub(super) struct Springs<'a> {
    sliders: &'a [Slider],
    modes: &'a [SliderMode],
    lag: Option<SliderLag>,
}

/// Whether a deflection `z` is at the end of the range of a spring towards `way`, which is `share` of that at rest;
/// either end may be 0.
pub(super) fn is_at_end(slider: &Slider, way: f64, z: f64, share: f64) -> bool {
    let [high, low] = [1.0, -1.0].map(|way| slider.reach_towards(way));
    way * z >= share * slider.reach_towards(way) - NEAR_END * (high + low)
}

/// The limits of the springs of a law at both ends over those at rest, at this sliding velocity: an end that the contact
/// moves away from does not let go.
pub(super) fn limits_ahead(law: &FrictionLaw, sliding: f64) -> [f64; 2] {
    [sliding, -sliding].map(|v| law.lag(v.max(0.0)).map_or(1.0, |lag| lag.share))
}

impl<'a> Springs<'a> {
    pub fn new(contact: &'a ContactElement, modes: &'a ContactRegime, lag: Option<SliderLag>) -> Self {
        Self { sliders: &contact.sliders, modes: &modes.sliders, lag }
    }

    /// The springs with the ends at which they slip, 1 or −1; 0 of those that stick.
    fn all(&self) -> impl Iterator<Item = (&Slider, f64)> {
        self.sliders.iter().zip(self.modes.iter().map(|mode| mode.way()))
    }

    /// φ at the deflections `z` (-).
    pub fn coefficient(&self, z: &[f64]) -> f64 {
        let share = |((slider, slips), z): ((&Slider, f64), &f64)| match slips {
            _ if self.lag.is_some() && slider.holds() => slider.stiffness * z,
            0.0 if slider.holds() => slider.stiffness * z,
            slips => slips * slider.limit_towards(slips),
        };
        self.all().zip(z).map(share).sum()
    }

    /// ż at the sliding velocity `v` (m/s); what remembers that they slip changes at events only.
    pub fn rates(&self, v: f64, z: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        for ((rate, (slider, slips)), z) in out.iter_mut().zip(self.all()).zip(z) {
            *rate = match self.lag {
                _ if slips == 0.0 && slider.holds() => v,
                Some(lag) if slips != 0.0 => lag.rates(*slider, slips, *z)[0],
                _ => 0.0,
            };
        }
    }

    /// The derivatives by the deflections.
    pub fn slopes(&self, z: &[f64], out: &mut StateSlopes) {
        let StateSlopes { coefficient, dot_v, dot_z } = out;
        let n = dot_v.len();
        dot_z.fill(0.0);
        for (k, ((slider, slips), z)) in self.all().zip(z).enumerate() {
            let sticks = slips == 0.0 && slider.holds();
            let late = self.lag.filter(|_| slips != 0.0);
            let is_spring = sticks || late.is_some() && slider.holds();
            coefficient[k] = if is_spring { slider.stiffness } else { 0.0 };
            dot_v[k] = f64::from(u8::from(sticks));
            if let Some(lag) = late {
                [_, dot_v[k], dot_z[k * n + k]] = lag.rates(*slider, slips, *z);
            }
        }
    }

    /// Whether spring `k` with the deflections `z` sticks at the end of its range towards `way`.
    pub fn lets_go(&self, k: usize, way: f64, z: &[f64]) -> bool {
        let slider = &self.sliders[k];
        self.modes[k].sticks() && slider.holds() && is_at_end(slider, way, z[k], 1.0)
    }
}
