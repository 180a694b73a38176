//! The faults of a model, each at its key.
//!
//! A model is plain data; its `check` writes every fault into [`Faults`], each with the key it belongs to.
//! After a check without faults evaluation is total: the inner loops return no `Result`.

use crate::Error;

/// Magnitudes of the scales of time, length and force that are supported, in SI units: products of a few of them are numbers.
pub(crate) const DOMAIN: std::ops::RangeInclusive<f64> = 1e-60..=1e60;

/// An error and the key that it belongs to, as a path with dots (`friction.linear.width`).
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// The path of the key.
    pub key: String,
    /// What is wrong with it.
    pub error: Error,
}

/// Collects the faults of a model while `check` walks through it.
#[derive(Clone, Debug, Default)]
pub struct Faults {
    path: Vec<String>,
    list: Vec<Fault>,
}

impl Faults {
    /// Everything that `check` has to say, in the order found.
    pub fn of(check: impl FnOnce(&mut Self)) -> Vec<Fault> {
        let mut faults = Self::default();
        check(&mut faults);
        faults.list
    }

    /// Runs `check` for a part of the model that stands below `key`.
    pub fn within(&mut self, key: impl Into<String>, check: impl FnOnce(&mut Self)) {
        self.path.push(key.into());
        check(self);
        self.path.pop();
    }

    /// Notes that `key` (below the current path; empty for the path itself) is wrong.
    pub fn push(&mut self, key: &str, error: Error) {
        let mut path = self.path.clone();
        if !key.is_empty() {
            path.push(key.to_owned());
        }
        self.list.push(Fault { key: path.join("."), error });
    }

    /// `value` must be a finite number. Returns whether it is.
    pub fn finite(&mut self, key: &str, value: f64) -> bool {
        let good = value.is_finite();
        if !good {
            self.push(key, Error::NotFinite(value));
        }
        good
    }

    /// Each value must be zero or of a magnitude that is supported; one that is not finite is a fault of its own.
    pub fn scales<'a>(&mut self, values: impl IntoIterator<Item = (&'a str, f64)>) {
        for (key, value) in values {
            if value.is_finite() && value != 0.0 && !DOMAIN.contains(&value.abs()) {
                self.push(key, Error::OutOfDomain(value));
            }
        }
    }

    /// `value` must be finite and greater than zero. Returns whether it is.
    pub fn positive(&mut self, key: &str, value: f64) -> bool {
        let good = self.finite(key, value) && value > 0.0;
        if !good && value.is_finite() {
            self.push(key, Error::NotPositive(value));
        }
        good
    }

    /// Whether `value` is from `low` to `high`.
    pub fn between(&mut self, key: &str, value: f64, low: f64, high: f64) -> bool {
        let good = self.finite(key, value) && (low..=high).contains(&value);
        if !good && value.is_finite() {
            self.push(key, Error::NotBetween { value, low, high });
        }
        good
    }

    /// `value` must be finite and not less than zero. Returns whether it is.
    pub fn not_negative(&mut self, key: &str, value: f64) -> bool {
        let good = self.finite(key, value) && value >= 0.0;
        if !good && value.is_finite() {
            self.push(key, Error::Negative(value));
        }
        good
    }

    /// `value` must be finite and at most `limit`. Returns whether it is.
    pub fn at_most(&mut self, key: &str, value: f64, limit: f64, because: &'static str) -> bool {
        let good = self.finite(key, value) && value <= limit;
        if !good && value.is_finite() {
            self.push(key, Error::TooLarge { value, limit, because });
        }
        good
    }

    /// `value` must be finite and below `limit`. Returns whether it is.
    pub fn below(&mut self, key: &str, value: f64, limit: f64, because: &'static str) -> bool {
        let good = self.finite(key, value) && value < limit;
        if !good && value.is_finite() {
            self.push(key, Error::NotBelow { value, limit, because });
        }
        good
    }

    /// `value` must be finite and at least `limit`. Returns whether it is.
    pub fn at_least(&mut self, key: &str, value: f64, limit: f64, because: &'static str) -> bool {
        let good = self.finite(key, value) && value >= limit;
        if !good && value.is_finite() {
            self.push(key, Error::TooSmall { value, limit, because });
        }
        good
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::Body;
    use crate::law::{FrictionLaw, Law, Tanh};
    use crate::patch::{Disc, Patch, Pressure, Shape};
    use crate::system::System;

    #[test]
    fn laws_patches_bodies_and_systems_of_magnitudes_beyond_the_domain_are_refused() {
        let law = |width: f64| FrictionLaw::Tanh(Tanh { mu: 0.3, width });
        let patch = |radius: f64| Patch::new(Shape::Disc(Disc { radius }), Pressure::Uniform, 0.3, 1.0);
        for size in [1e-61, 1e61] {
            let faults = [
                Faults::of(|faults| law(size).check(faults)),
                Faults::of(|faults| patch(size).check(faults)),
                Faults::of(|faults| Body::new(size, 1.0, patch(1.0)).check(faults)),
            ];
            for (list, key) in faults.iter().zip(["tanh.width", "shape", "mass"]) {
                assert!(
                    list.iter().any(|fault| fault.key == key && fault.error == Error::OutOfDomain(size)),
                    "{list:?}"
                );
            }
        }
        assert!(Faults::of(|faults| law(1e-59).check(faults)).is_empty());
        for size in [1e-61, 1e61] {
            let mut driven = System::oscillator(1.0, 0.0, 1.0).with_force(1.0, 1.0);
            driven.harmonics[0].omega = size;
            for (system, key) in [
                (System::oscillator(size, 0.0, 1.0), "mass"),
                (System::oscillator(1.0, 0.0, size), "stiffness"),
                (driven, "force.0.omega"),
            ] {
                let list = Faults::of(|faults| system.check(faults));
                assert!(list.iter().any(|fault| fault.key == key), "{size:e}: {list:?}");
            }
        }
    }
}
