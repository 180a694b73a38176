//! What can be wrong with a model, and what can go wrong in a run.
//!
//! A model is plain data; its `check` writes every fault into [`Faults`], each with the key it belongs to.
//! After a check without faults evaluation is total: the inner loops return no `Result`.

use std::fmt;

/// A fact about an input or a run, with its numbers.
#[derive(Clone, Debug, PartialEq)]
pub enum Error {
    /// A number is NaN or infinite.
    NotFinite(f64),
    /// A number must be greater than zero.
    NotPositive(f64),
    /// A number must not be less than zero.
    Negative(f64),
    /// A number must stay below (or at) a limit that something else sets.
    TooLarge {
        /// The number found.
        value: f64,
        /// The largest that is allowed (excluded where the reason says so).
        limit: f64,
        /// What sets the limit.
        because: &'static str,
    },
    /// A number must stay above (or at) a limit that something else sets.
    TooSmall {
        /// The number found.
        value: f64,
        /// The smallest that is allowed.
        limit: f64,
        /// What sets the limit.
        because: &'static str,
    },
    /// Two edges of an outline meet.
    Crossing {
        /// Number of the first edge, from 0; it begins at the corner of that number.
        first: usize,
        /// Number of the second edge, from 0.
        second: usize,
    },
    /// A choice that does not go with the rest of the model.
    Unsuited {
        /// What was chosen.
        what: &'static str,
        /// Why it cannot be had here.
        because: &'static str,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::NotFinite(value) => write!(f, "{value}, but it must be a finite number"),
            Self::NotPositive(value) => write!(f, "{value}, but it must be positive"),
            Self::Negative(value) => write!(f, "{value}, but it must not be negative"),
            Self::TooLarge { value, limit, because } => {
                write!(f, "{value}, but it must be at most {limit}: {because}")
            }
            Self::TooSmall { value, limit, because } => {
                write!(f, "{value}, but it must be at least {limit}: {because}")
            }
            Self::Crossing { first, second } => {
                write!(f, "edges {first} and {second} meet, but an outline must not cross itself or another")
            }
            Self::Unsuited { what, because } => write!(f, "{what} does not go here: {because}"),
        }
    }
}

impl std::error::Error for Error {}

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

    /// `value` must be a finite number. Says whether it is.
    pub fn finite(&mut self, key: &str, value: f64) -> bool {
        let good = value.is_finite();
        if !good {
            self.push(key, Error::NotFinite(value));
        }
        good
    }

    /// `value` must be finite and greater than zero. Says whether it is.
    pub fn positive(&mut self, key: &str, value: f64) -> bool {
        let good = self.finite(key, value) && value > 0.0;
        if !good && value.is_finite() {
            self.push(key, Error::NotPositive(value));
        }
        good
    }

    /// `value` must be finite and not less than zero. Says whether it is.
    pub fn not_negative(&mut self, key: &str, value: f64) -> bool {
        let good = self.finite(key, value) && value >= 0.0;
        if !good && value.is_finite() {
            self.push(key, Error::Negative(value));
        }
        good
    }

    /// `value` must be finite and at most `limit`. Says whether it is.
    pub fn at_most(&mut self, key: &str, value: f64, limit: f64, because: &'static str) -> bool {
        let good = self.finite(key, value) && value <= limit;
        if !good && value.is_finite() {
            self.push(key, Error::TooLarge { value, limit, because });
        }
        good
    }

    /// `value` must be finite and at least `limit`. Says whether it is.
    pub fn at_least(&mut self, key: &str, value: f64, limit: f64, because: &'static str) -> bool {
        let good = self.finite(key, value) && value >= limit;
        if !good && value.is_finite() {
            self.push(key, Error::TooSmall { value, limit, because });
        }
        good
    }
}
