//! What can be wrong with a body.

use super::{Body, Force, InnerMass, Oscillation, PathPoints};
use crate::{Error, Faults};
use std::f64::consts::FRAC_PI_2;

impl Body {
    /// Writes down every fault; those of the patch stand below `patch`.
    pub fn check(&self, faults: &mut Faults) {
        let mut has_weight = faults.positive("mass", self.mass);
        match self.inertia {
            Some(inertia) => _ = faults.positive("inertia", inertia),
            None if self.moment_of_inertia().is_none() => faults.push("inertia", Error::NoInertia),
            None => {}
        }
        has_weight &= faults.not_negative("gravity", self.gravity);
        has_weight &= faults.below(
            "tilt",
            self.tilt.abs(),
            FRAC_PI_2,
            "a plane, not a wall; tilt is in radians, tilt_deg in degrees",
        );
        faults.finite("downhill", self.downhill);
        check_point(faults, "centre_of_mass", self.centre_of_mass);
        for (i, force) in self.forces.iter().enumerate() {
            faults.within(format!("forces.{i}"), |faults| force.check(faults));
        }
        check_oscillations(faults, "vibration", &self.vibration);
        if let Some(surface) = &self.surface {
            faults.within("surface", |faults| surface.check(faults));
        }
        if let Some(inner) = &self.inner_mass {
            faults.within("inner_mass", |faults| has_weight &= inner.check(faults));
        }
        check_point(faults, "position", self.position);
        faults.finite("angle", self.angle);
        check_point(faults, "velocity", self.velocity);
        faults.finite("spin", self.spin);
        let inertias =
            [("mass", self.mass), ("inertia", self.inertia.unwrap_or(0.0)), ("gravity", self.gravity)];
        let motion = [self.position, self.velocity].concat();
        let motion = ["position", "position", "velocity", "velocity"].into_iter().zip(motion);
        faults.scales(inertias.into_iter().chain(motion).chain([("spin", self.spin)]));

        if has_weight {
            self.check_leaning(faults);
        }
        // without a weight only the load is unknown
        let mut patch = self.loaded_patch();
        if !has_weight && self.patch.load == 0.0 {
            patch.load = 1.0;
        }
        faults.within("patch", |faults| {
            patch.check(faults);
            if self.patch.width > 0.0 {
                let because = "a body comes to rest exactly and must not creep";
                faults.push("width", Error::Unsuited { what: "a width", because });
            }
        });
    }
}

impl Force {
    fn check(&self, faults: &mut Faults) {
        check_point(faults, "constant", self.constant);
        check_point(faults, "amplitude", self.amplitude);
        faults.finite("moment", self.moment);
        faults.finite("moment_amplitude", self.moment_amplitude);
        check_point(faults, "point", self.point);
        faults.finite("phase", self.phase);
        if self.amplitude == [0.0; 2] && self.moment_amplitude == 0.0 {
            faults.not_negative("omega", self.omega);
        } else {
            faults.positive("omega", self.omega);
        }
    }
}

impl InnerMass {
    /// Checks the mass.
    fn check(&self, faults: &mut Faults) -> bool {
        check_point(faults, "centre", self.centre);
        check_oscillations(faults, "path", &self.path);
        if let Some(points) = &self.points {
            faults.within("points", |faults| points.check(faults));
        }
        faults.positive("mass", self.mass)
    }
}

/// Most points of a path: each of its waves is looked at in every step.
const MAX_POINTS: usize = 64;

impl PathPoints {
    fn check(&self, faults: &mut Faults) {
        faults.positive("period", self.period);
        let n = self.x.len();
        if n == 0 {
            faults.push("x", Error::TooFew { found: 0, least: 1, of: "points" });
        }
        faults.at_most("x", n as f64, MAX_POINTS as f64, "each point costs time in every step");
        if self.y.len() != n {
            faults.push("y", Error::Counts { found: self.y.len(), expected: n, of: "positions along x" });
        }
        for (key, values) in [("x", &self.x), ("y", &self.y)] {
            values.iter().for_each(|v| _ = faults.finite(key, *v));
        }
    }
}

fn check_oscillations(faults: &mut Faults, key: &str, oscillations: &[Oscillation]) {
    for (i, oscillation) in oscillations.iter().enumerate() {
        faults.within(format!("{key}.{i}"), |faults| {
            check_point(faults, "amplitude", oscillation.amplitude);
            faults.positive("omega", oscillation.omega);
            faults.finite("phase", oscillation.phase);
        });
    }
}

fn check_point(faults: &mut Faults, key: &str, [x, y]: [f64; 2]) {
    if faults.finite(key, x) {
        faults.finite(key, y);
    }
}
