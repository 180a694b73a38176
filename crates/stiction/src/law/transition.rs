//! The plateaus, the transition through zero and the rise that the transition laws share (@ragulskis2017).
//!
//! ```text
//!   simple:  T(−Δ, Δ, −μ, μ; v)  inside |v| < Δ,  ±μ outside
//!   raised:  T(−Δ−Δa, Δ+Δa, −μ−ha, μ+ha; v)  inside |v| < Δ+Δa,
//!            T(Δ+Δa, Δ+2Δa, μ+ha, μ; v)  and its mirror image up to Δ+2Δa,  ±μ outside
//! ```
//!
//! `T` joins two points by a curve of the law's own shape, odd about its centre. The papers choose `ha = μ Δa/Δ`.

use crate::{Error, Faults};

/// The shape of a transition: a curve from (−w, −g) to (w, g), odd in x.
pub(super) trait Shape {
    /// The curve at `x`, |x| ≤ w.
    fn join(&self, w: f64, g: f64, x: f64) -> f64;
    /// Its slope.
    fn join_slope(&self, w: f64, g: f64, x: f64) -> f64;
}

/// The numbers that the transition laws have in common.
#[derive(Clone, Copy)]
pub(super) struct Profile {
    mu: f64,
    width: f64,
    /// Δa, zero for a simple law.
    rise: f64,
    /// ha, zero for a simple law.
    height: f64,
}

impl Profile {
    #[inline]
    pub fn new(mu: f64, width: f64, rise: Option<f64>, rise_height: Option<f64>) -> Self {
        match rise {
            None => Self { mu, width, rise: 0.0, height: 0.0 },
            Some(rise) => Self { mu, width, rise, height: rise_height.unwrap_or(mu * rise / width) },
        }
    }

    /// Checks the parameters as the user wrote them.
    pub fn check(
        faults: &mut Faults,
        mu: f64,
        width: f64,
        rise: Option<f64>,
        rise_height: Option<f64>,
    ) -> bool {
        let mut good = faults.positive("mu", mu);
        good &= faults.positive("width", width);
        if let Some(rise) = rise {
            good &= faults.positive("rise", rise);
        }
        if let Some(height) = rise_height {
            good &= faults.positive("rise_height", height);
            if rise.is_none() {
                faults.push("rise_height", Error::Needs { key: "rise" });
                good = false;
            }
        }
        good
    }

    #[inline]
    pub fn coefficient(&self, shape: &impl Shape, v: f64) -> f64 {
        let speed = v.abs();
        let (top, peak) = (self.width + self.rise, self.mu + self.height);
        let value = if speed < top {
            shape.join(top, peak, speed)
        } else if speed < top + self.rise {
            let (w, g) = (0.5 * self.rise, 0.5 * self.height);
            self.mu + g - shape.join(w, g, speed - (top + w))
        } else {
            self.mu
        };
        value.copysign(v)
    }

    #[inline]
    pub fn slope(&self, shape: &impl Shape, v: f64) -> f64 {
        let speed = v.abs();
        let (top, peak) = (self.width + self.rise, self.mu + self.height);
        if speed < top {
            shape.join_slope(top, peak, speed)
        } else if speed < top + self.rise {
            let (w, g) = (0.5 * self.rise, 0.5 * self.height);
            -shape.join_slope(w, g, speed - (top + w))
        } else {
            0.0
        }
    }

    /// Half-width and half-height of the transitions in use, the one through zero first.
    pub fn transitions(&self) -> impl Iterator<Item = (f64, f64)> {
        let through_zero = (self.width + self.rise, self.mu + self.height);
        let back = (self.rise > 0.0).then_some((0.5 * self.rise, 0.5 * self.height));
        std::iter::once(through_zero).chain(back)
    }

    pub fn bound(&self) -> f64 {
        self.mu + self.height
    }

    pub fn stick_speed(&self) -> f64 {
        self.width + self.rise
    }

    pub fn flat_beyond(&self) -> f64 {
        self.width + 2.0 * self.rise
    }

    /// All kinks, when each transition of half-width w has kinks at ±w and at ±`inner(w, g)`.
    pub fn breakpoints(&self, inner: impl Fn(f64, f64) -> Option<f64>) -> Vec<f64> {
        let top = self.width + self.rise;
        let mut speeds = Vec::new();
        for ((w, g), centre) in self.transitions().zip([0.0, top + 0.5 * self.rise]) {
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
    pub fn corners(&self) -> Vec<[f64; 2]> {
        let (top, peak) = (self.width + self.rise, self.mu + self.height);
        let mut right = vec![[top, peak]];
        if self.rise > 0.0 {
            right.push([top + self.rise, self.mu]);
        }
        let left = right.iter().rev().map(|&[v, phi]| [-v, -phi]);
        left.chain(right.iter().copied()).collect()
    }
}
