//! The plateaus, the transition through zero and the rise that the transition laws share (@ragulskis2017).
//!
//! ```text
//!   simple:  T(−Δ, Δ, −μ, μ; v)  inside |v| < Δ,  ±μ outside
//!   raised:  T(−Δ−Δa, Δ+Δa, −μ−ha, μ+ha; v)  inside |v| < Δ+Δa,
//!            T(Δ+Δa, Δ+2Δa, μ+ha, μ; v)  and its mirror image up to Δ+2Δa,  ±μ outside
//! ```
//!
//! `T` joins two points by a curve of the law's own shape, odd about its centre. The papers choose `ha = μ Δa/Δ`.

use super::{Law, Scales, Slip, StickCriterion};
use crate::{Error, Faults};

/// A law with the numbers that the transition laws have in common; [`ramp_law!`] declares it.
pub trait Profiled {
    /// These numbers.
    fn profile(&self) -> RampProfile;
}

/// The shape of a transition: a curve from (−w, −g) to (w, g), odd in x, steepest in its middle.
pub trait Ramp: Profiled {
    /// The curve at `x`, |x| ≤ w.
    fn join(&self, w: f64, g: f64, x: f64) -> f64;
    /// Its slope.
    fn join_slope(&self, w: f64, g: f64, x: f64) -> f64;
    /// Where the curve has a kink of some order between its middle and its end.
    fn kink(&self, _w: f64, _g: f64) -> Option<f64> {
        None
    }
    /// Whether the curve is the straight line g x/w.
    fn is_straight(&self) -> bool {
        false
    }
    /// Checks the parameters beyond the common ones, which are `good`.
    fn check_own(&self, _good: bool, _faults: &mut Faults) {}
}

/// Declares a transition law with the numbers of its own, and adds those that all have.
macro_rules! ramp_law {
    ($(#[doc = $doc:literal])* pub struct $name:ident { $($(#[doc = $own_doc:literal])* pub $own:ident: f64,)* }) => {
        $(#[doc = $doc])*
        #[derive(Clone, Debug, PartialEq)]
        #[cfg_attr(feature = "serde", derive(Serialize, Deserialize, JsonSchema), serde(deny_unknown_fields))]
        pub struct $name {
            /// Friction coefficient μ (-).
            pub mu: f64,
            /// Half-width Δ of the transition (m/s).
            pub width: f64,
            $($(#[doc = $own_doc])* pub $own: f64,)*
            /// Width Δa of the rise near zero velocity; absent in the simple law (m/s).
            #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
            pub rise: Option<f64>,
            /// Height ha of the rise; μ Δa/Δ if absent (-).
            #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
            pub rise_height: Option<f64>,
        }

        impl Profiled for $name {
            #[inline]
            fn profile(&self) -> RampProfile {
                let Self { mu, width, rise, rise_height, .. } = *self;
                RampProfile { mu, width, rise, rise_height }
            }
        }
    };
}
pub(super) use ramp_law;

impl<R: Ramp> Law for R {
    fn check(&self, faults: &mut Faults) {
        let good = self.profile().check(faults);
        self.check_own(good, faults);
    }
    #[inline]
    fn coefficient(&self, Slip { v, .. }: Slip) -> f64 {
        self.profile().coefficient(self, v)
    }
    #[inline]
    fn slope(&self, Slip { v, .. }: Slip) -> f64 {
        self.profile().slope(self, v)
    }
    fn bound(&self) -> f64 {
        self.profile().peak()
    }
    fn scales(&self) -> Scales {
        let profile = self.profile();
        let slopes = profile.transitions().map(|(w, g)| self.join_slope(w, g, 0.0));
        Scales {
            steepest: Some(slopes.fold(0.0, f64::max)),
            stick: StickCriterion::Speed(profile.top()),
            flat_beyond: profile.width + 2.0 * profile.rise(),
            ..Scales::default()
        }
    }
    fn breakpoints(&self) -> Vec<f64> {
        self.profile().breakpoints(|w, g| self.kink(w, g))
    }
    fn corners(&self) -> Option<Vec<[f64; 2]>> {
        self.is_straight().then(|| self.profile().corners())
    }
}

/// The numbers that the transition laws have in common, as the user wrote them.
#[derive(Clone, Copy)]
pub struct RampProfile {
    pub mu: f64,
    pub width: f64,
    pub rise: Option<f64>,
    pub rise_height: Option<f64>,
}

impl RampProfile {
    /// Writes every fault; false if there is one.
    fn check(&self, faults: &mut Faults) -> bool {
        let mut good = faults.not_negative("mu", self.mu);
        good &= faults.positive("width", self.width);
        if let Some(rise) = self.rise {
            good &= faults.positive("rise", rise);
        }
        if let Some(height) = self.rise_height {
            good &= faults.positive("rise_height", height);
            if self.rise.is_none() {
                faults.push("rise_height", Error::Needs { key: "rise" });
                good = false;
            }
        }
        good
    }

    /// Δa, zero for a simple law.
    #[inline]
    fn rise(&self) -> f64 {
        self.rise.unwrap_or(0.0)
    }

    /// ha, zero for a simple law.
    #[inline]
    fn height(&self) -> f64 {
        match self.rise {
            None => 0.0,
            Some(rise) => self.rise_height.unwrap_or(self.mu * rise / self.width),
        }
    }

    /// Speed at the end of the transition through zero.
    #[inline]
    fn top(&self) -> f64 {
        self.width + self.rise()
    }

    /// Coefficient there.
    #[inline]
    fn peak(&self) -> f64 {
        self.mu + self.height()
    }

    #[inline]
    fn coefficient(&self, shape: &impl Ramp, v: f64) -> f64 {
        let speed = v.abs();
        let (top, peak) = (self.top(), self.peak());
        let value = if speed < top {
            shape.join(top, peak, speed)
        } else if speed < top + self.rise() {
            let (w, g) = (0.5 * self.rise(), 0.5 * self.height());
            self.mu + g - shape.join(w, g, speed - (top + w))
        } else {
            self.mu
        };
        value.copysign(v)
    }

    #[inline]
    fn slope(&self, shape: &impl Ramp, v: f64) -> f64 {
        let speed = v.abs();
        let (top, peak) = (self.top(), self.peak());
        if speed < top {
            shape.join_slope(top, peak, speed)
        } else if speed < top + self.rise() {
            let (w, g) = (0.5 * self.rise(), 0.5 * self.height());
            -shape.join_slope(w, g, speed - (top + w))
        } else {
            0.0
        }
    }

    /// Half-width and half-height of the transitions in use, the one through zero first.
    pub fn transitions(&self) -> impl Iterator<Item = (f64, f64)> {
        let back = (self.rise() > 0.0).then_some((0.5 * self.rise(), 0.5 * self.height()));
        std::iter::once((self.top(), self.peak())).chain(back)
    }

    /// All kinks, when each transition of half-width w has kinks at ±w and at ±`inner(w, g)`.
    fn breakpoints(&self, inner: impl Fn(f64, f64) -> Option<f64>) -> Vec<f64> {
        let top = self.top();
        let mut speeds = Vec::new();
        for ((w, g), centre) in self.transitions().zip([0.0, top + 0.5 * self.rise()]) {
            let inner = inner(w, g);
            speeds.extend(inner.map(|x| centre + x));
            if centre > 0.0 {
                speeds.extend(inner.map(|x| centre - x));
            }
            speeds.push(centre + w);
        }
        let mut all: Vec<f64> = speeds.iter().flat_map(|&s| [-s, s]).collect();
        all.sort_by(f64::total_cmp);
        all
    }

    /// The corners of the polyline through the ends of the transitions.
    fn corners(&self) -> Vec<[f64; 2]> {
        let (top, peak) = (self.top(), self.peak());
        let mut right = vec![[top, peak]];
        if self.rise() > 0.0 {
            right.push([top + self.rise(), self.mu]);
        }
        let left = right.iter().rev().map(|&[v, phi]| [-v, -phi]);
        left.chain(right.iter().copied()).collect()
    }
}
