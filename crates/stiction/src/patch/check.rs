//! What can be wrong with a patch.
//!
//! Tipping is decided here for every motion at once: sliding friction cannot exceed μN, so the pressure
//! shifts by at most hμ, in any direction; the check demands that no such shift makes the pressure negative
//! anywhere.

use super::friction::PatchFriction;
use super::polygon::area_and_centroid;
use super::shape::{Loop, Setting, finite_point};
use super::{Closure, Patch, Pressure, Shape};
use crate::{Error, Faults};

impl Patch {
    /// Writes down every fault.
    pub fn check(&self, faults: &mut Faults) {
        let mut good = faults.not_negative("mu", self.mu);
        good &= faults.positive("load", self.load);
        good &= faults.not_negative("height", self.height);
        good &= finite_point(faults, "centre", self.centre);
        faults.not_negative("width", self.width);
        let [x, y] = self.centre;
        let lengths = [("height", self.height), ("centre", x), ("centre", y), ("shape", self.shape.radius())];
        faults.scales(lengths.into_iter().chain([("load", self.load), ("width", self.width)]));
        self.check_law(faults);
        good &= self.check_shape(faults);
        good &= self.check_closure(faults);
        if good && self.height * self.mu > 0.0 {
            let limit = PatchFriction::new(&Self { height: 0.0, ..self.clone() }, false).tipping() / self.mu;
            faults.at_most("height", self.height, limit, "higher, sliding friction can tip the body");
        }
    }

    /// 1 + μ₁V³ − μ₂V must not become negative: its least value is 1 − √(4μ₂³/(27μ₁)).
    fn check_law(&self, faults: &mut Faults) {
        if faults.not_negative("mu1", self.mu1) && faults.finite("mu2", self.mu2) {
            let limit = libm::cbrt(6.75 * self.mu1);
            faults.at_most(
                "mu2",
                self.mu2,
                limit,
                "beyond the cube root of 27/4 mu1 friction would drive the body",
            );
        }
    }

    fn check_shape(&self, faults: &mut Faults) -> bool {
        let mut good = false;
        faults.within("shape", |faults| good = self.shape.check(faults));
        if self.shape.pieces().is_none() {
            return self.pressure.check(&self.shape, good, faults) && good;
        }
        if self.pressure != Pressure::Uniform {
            let because = "every piece has a pressure of its own";
            faults.push("pressure", Error::Unsuited { what: "this pressure", because });
            good = false;
        }
        good
    }

    fn check_closure(&self, faults: &mut Faults) -> bool {
        let mut good = true;
        if self.closure != Closure::Exact {
            let setting = Setting { patch: self, pressure: self.pressure, is_single: true, leans: false };
            self.shape.check_closure(&setting, &mut |key, what, because| {
                faults.push(key, Error::Unsuited { what, because });
                good = false;
            });
        }
        good
    }
}

impl Pressure {
    /// Checks that `shape` has this pressure, and that it is nowhere negative.
    pub(super) fn check(&self, shape: &Shape, good_outline: bool, faults: &mut Faults) -> bool {
        let because = match (self, shape.corners()) {
            (Self::Uniform, _) => return true,
            (Self::Galin | Self::Hertz, _) if shape.has_elastic_pressure() => return true,
            (Self::Galin | Self::Hertz, _) => "only discs have it",
            (Self::Linear { gradient }, loops) => {
                let mut good = true;
                faults.within("pressure.linear", |faults| {
                    good = finite_point(faults, "gradient", *gradient);
                    if good && good_outline {
                        let round = || 1.0 - libm::hypot(gradient[0], gradient[1]) * shape.radius();
                        let least = loops.map_or_else(round, |loops| least_pressure(&loops, *gradient));
                        let because = "relative to the mean: the pressure must not be negative at an edge";
                        good = faults.at_least("gradient", least, 0.0, because);
                    }
                });
                return good;
            }
        };
        faults.push("pressure", Error::Unsuited { what: "this pressure", because });
        false
    }
}

/// The least of 1 + g·(r − centroid) over the corners.
fn least_pressure(loops: &[Loop], [gx, gy]: [f64; 2]) -> f64 {
    let (_, [cx, cy]) = area_and_centroid(loops);
    let pressure = |p: &[f64; 2]| 1.0 + gx * (p[0] - cx) + gy * (p[1] - cy);
    loops[0].iter().map(pressure).fold(f64::INFINITY, f64::min)
}
