//! What can be wrong with a model, and what can go wrong in a run.
//!
//! A model is plain data; its `check` writes every fault into [`Faults`], each with the key it belongs to.
//! After a check without faults evaluation is total: the inner loops return no `Result`.

use crate::integrate::Refusal;
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
    /// A number must stay at or below a limit that something else sets.
    TooLarge {
        /// The number found.
        value: f64,
        /// The largest that is allowed.
        limit: f64,
        /// What sets the limit.
        because: &'static str,
    },
    /// A number must stay below a limit that something else sets.
    NotBelow {
        /// The number found.
        value: f64,
        /// The limit, itself not allowed.
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
    /// A list has the wrong length.
    Length {
        /// The length found.
        found: usize,
        /// The length that fits.
        expected: usize,
    },
    /// A matrix has the wrong shape.
    Shape {
        /// Rows found.
        rows: usize,
        /// Columns found.
        columns: usize,
        /// The number of degrees of freedom.
        expected: usize,
    },
    /// A system without degrees of freedom.
    Empty,
    /// A matrix must be symmetric.
    NotSymmetric {
        /// Row of the first entry that differs from its mirror image, from 0.
        row: usize,
        /// Its column, from 0.
        column: usize,
    },
    /// A matrix must be positive definite.
    NotPositiveDefinite,
    /// A friction contact needs a direction.
    ZeroDirection,
    /// A method refuses a law that it would integrate wrongly.
    Refused {
        /// The method.
        integrator: &'static str,
        /// The law.
        law: &'static str,
        /// Why.
        reason: Refusal,
    },
    /// A run would take more steps than anybody waits for.
    TooLong {
        /// Steps that the run would need.
        wanted: f64,
        /// Steps that are allowed.
        limit: f64,
    },
    /// An integration used up its steps.
    TooManySteps {
        /// Time reached (s).
        t: f64,
        /// The number of steps allowed.
        limit: u64,
    },
    /// No step is short enough for the tolerance.
    StepVanished {
        /// Time reached (s).
        t: f64,
    },
    /// The state or its derivative is no longer finite.
    Diverged {
        /// Time of the last finite state (s).
        t: f64,
    },
    /// A body slides for ever.
    NeverStops {
        /// How long it was followed (s).
        t: f64,
    },
    /// The run was stopped from outside.
    Interrupted {
        /// The time that the motion had reached; none in a search over many motions (s).
        t: Option<f64>,
    },
    /// A key means nothing without another one.
    Needs {
        /// The key that is missing.
        key: &'static str,
    },
    /// The exact method needs laws whose graph is a polyline.
    NotPiecewiseLinear {
        /// The contact, from 0.
        element: usize,
        /// The name of its law.
        law: &'static str,
    },
    /// Events follow each other without end in next to no time.
    EventsAccumulate {
        /// The time reached (s).
        t: f64,
        /// The time in which the events happened (s).
        span: f64,
        /// How many there were.
        n: u64,
        /// The contacts of the last one, from 0.
        elements: Vec<usize>,
    },
    /// It cannot be decided which contacts stick and which slip.
    Undecided {
        /// The time (s).
        t: f64,
        /// The contacts in question, from 0.
        elements: Vec<usize>,
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
    /// A load does not repeat itself within the period that was asked for.
    NotPeriodic {
        /// The harmonic load, from 0.
        harmonic: usize,
        /// Its cycles per period.
        cycles: f64,
    },
    /// A range whose two ends are the same number.
    EmptyRange(f64),
    /// No periodic motion was found.
    NoPeriodicMotion {
        /// Starts that were tried.
        starts: usize,
        /// The smallest distance between a state and its image, relative to the motion (-).
        residual: f64,
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
            Self::NotBelow { value, limit, because } => {
                write!(f, "{value}, but it must be below {limit}: {because}")
            }
            Self::TooSmall { value, limit, because } => {
                write!(f, "{value}, but it must be at least {limit}: {because}")
            }
            Self::Length { found, expected } => {
                write!(f, "{found} numbers, but there are {expected} degrees of freedom")
            }
            Self::Shape { rows, columns, expected } => {
                write!(
                    f,
                    "{rows} × {columns}, but it must be {expected} × {expected}, as many as degrees of freedom"
                )
            }
            Self::Empty => write!(f, "empty, but there must be at least one degree of freedom"),
            Self::NotSymmetric { row, column } => {
                write!(
                    f,
                    "not symmetric: row {}, column {} differs from its mirror image",
                    row + 1,
                    column + 1
                )
            }
            Self::NotPositiveDefinite => {
                write!(f, "not positive definite: some motion would have no inertia")
            }
            Self::ZeroDirection => write!(f, "zero, but a contact needs a direction"),
            Self::Refused { integrator, law, reason } => {
                write!(f, "{integrator} cannot integrate the {law} law: {}", reason.because())
            }
            Self::TooLong { wanted, limit } => {
                write!(f, "the run needs {wanted:.3e} steps, but at most {limit:.0e} are allowed")
            }
            Self::TooManySteps { t, limit } => write!(f, "{limit} steps are used up at t = {t} s"),
            Self::StepVanished { t } => write!(f, "no step from t = {t} s is short enough for the tolerance"),
            Self::Diverged { t } => write!(f, "the motion grew beyond all bounds at t = {t} s"),
            Self::NeverStops { t } => write!(f, "the body does not stop within {t} s"),
            Self::Interrupted { t: Some(t) } => write!(f, "stopped at t = {t} s"),
            Self::Interrupted { t: None } => write!(f, "stopped"),
            Self::Needs { key } => write!(f, "given without {key}, which it needs"),
            Self::NotPiecewiseLinear { element, law } => {
                write!(f, "contact {}: the {law} law is not piecewise linear", element + 1)
            }
            Self::EventsAccumulate { t, span, n, elements } => {
                write!(f, "{n} events within {span:e} s at t = {t} s, ")?;
                contacts(f, elements)
            }
            Self::Undecided { t, elements } => {
                write!(f, "no consistent choice of stick and slip at t = {t} s, ")?;
                contacts(f, elements)
            }
            Self::Crossing { first, second } => {
                write!(f, "edges {first} and {second} meet, but an outline must not cross itself or another")
            }
            Self::Unsuited { what, because } => write!(f, "{what} does not go here: {because}"),
            Self::NotPeriodic { harmonic, cycles } => {
                write!(
                    f,
                    "harmonic load {} has {cycles} cycles per period, but it must be a whole number",
                    harmonic + 1
                )
            }
            Self::EmptyRange(end) => write!(f, "{end}, but a range needs two ends"),
            Self::NoPeriodicMotion { starts, residual } => {
                write!(
                    f,
                    "no periodic motion from {starts} starts: the nearest misses itself by {residual:.1e}"
                )
            }
        }
    }
}

/// Names contacts as users count them.
fn contacts(f: &mut fmt::Formatter, elements: &[usize]) -> fmt::Result {
    let names: Vec<String> = elements.iter().map(|i| (i + 1).to_string()).collect();
    write!(f, "contacts {}", names.join(", "))
}

impl std::error::Error for Error {}

impl Error {
    /// The way out, where there is one to point at.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Refused { reason, .. } => Some(reason.hint()),
            Self::NeverStops { .. } => Some("give the run a duration in [analysis.transient]"),
            Self::TooLong { .. } => Some("lengthen the step or shorten the run"),
            Self::TooManySteps { .. } => Some("raise max_steps, loosen rtol, or use method = \"auto\""),
            Self::StepVanished { .. } => Some("loosen rtol or atol, or widen the law"),
            Self::Diverged { .. } => {
                Some("look for negative damping or a resonance; with fixed steps, shorten the step")
            }
            Self::NotPeriodic { .. } => Some("raise the order of the subharmonic until all loads repeat"),
            Self::NoPeriodicMotion { .. } => {
                Some("give other starts, a longer transient, or a subharmonic order")
            }
            _ => None,
        }
    }
}

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

    /// `value` must be finite and below `limit`. Says whether it is.
    pub fn below(&mut self, key: &str, value: f64, limit: f64, because: &'static str) -> bool {
        let good = self.finite(key, value) && value < limit;
        if !good && value.is_finite() {
            self.push(key, Error::NotBelow { value, limit, because });
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
