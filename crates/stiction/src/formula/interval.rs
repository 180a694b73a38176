//! Intervals that hold every value that an expression can have (@moore2009).

use super::Function;
use super::scalar::Evaluable;
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// All numbers from `low` to `high`; infinite where nothing is known, NaN where there may be no number at
/// all.
#[derive(Clone, Copy, Debug)]
pub(super) struct Interval {
    pub low: f64,
    pub high: f64,
}

/// Part of a number by which results are widened: rounding, and the last digits of the functions.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

impl Interval {
    const ALL: Self = Self { low: f64::NEG_INFINITY, high: f64::INFINITY };
    /// Such as a logarithm of what may be negative: no function of it is a number for certain.
    const NONE: Self = Self { low: f64::NAN, high: f64::NAN };

    fn is_none(self) -> bool {
        self.low.is_nan() || self.high.is_nan()
    }

    fn is_finite(self) -> bool {
        self.low.is_finite() && self.high.is_finite()
    }

    /// The largest |x|.
    pub fn size(self) -> f64 {
        self.high.max(-self.low)
    }

    fn has_zero(self) -> bool {
        // nor is a NaN passed over
        !(self.low > 0.0 || self.high < 0.0)
    }

    /// What holds all of these numbers, and the rounding of each.
    fn over_all<const N: usize>(numbers: [f64; N]) -> Self {
        if numbers.iter().any(|x| x.is_nan()) {
            return Self::ALL;
        }
        let low = numbers.iter().copied().fold(f64::INFINITY, f64::min);
        let high = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        Self { low: low - ROUNDING * low.abs(), high: high + ROUNDING * high.abs() }
    }

    /// What comes of two intervals, if there are numbers in both.
    fn with(self, other: Self, found: impl FnOnce(Self, Self) -> Self) -> Self {
        if self.is_none() || other.is_none() { Self::NONE } else { found(self, other) }
    }

    /// The image under a function that only grows.
    fn mapped(self, f: impl Fn(f64) -> f64) -> Self {
        Self::over_all([f(self.low), f(self.high)])
    }

    fn square(self) -> Self {
        let size = self.size();
        let least = if self.has_zero() { 0.0 } else { self.low.abs().min(self.high.abs()) };
        Self::over_all([least * least, size * size])
    }

    fn sine(self) -> Self {
        // so far out nothing is known, and in a whole turn everything is met
        if !self.is_finite() || self.size() > 1e9 || self.high - self.low >= TAU {
            return Self { low: -1.0, high: 1.0 };
        }
        let has_crest = |at: f64| {
            let turns = |x: f64| ((x - at) / TAU).floor();
            turns(self.low) != turns(self.high)
        };
        // beside a crest the sine is within rounding of it
        let Self { low, high } = self.mapped(libm::sin);
        let (low, high) = (low - 1e-6, high + 1e-6);
        Self {
            low: if has_crest(-FRAC_PI_2) { -1.0 } else { low.max(-1.0) },
            high: if has_crest(FRAC_PI_2) { 1.0 } else { high.min(1.0) },
        }
    }
}

impl Evaluable for Interval {
    fn number(x: f64) -> Self {
        if x.is_finite() { Self { low: x, high: x } } else { Self::ALL }
    }
    fn negated(self) -> Self {
        Self { low: -self.high, high: -self.low }
    }
    fn plus(self, other: Self) -> Self {
        self.with(other, |a, b| Self::over_all([a.low + b.low, a.high + b.high]))
    }
    fn times(self, other: Self) -> Self {
        let zero = |x: Self| x.low == 0.0 && x.high == 0.0;
        if zero(self) && other.is_finite() || zero(other) && self.is_finite() {
            return Self::number(0.0);
        }
        let products = |a: Self, b: Self| [a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high];
        self.with(other, |a, b| Self::over_all(products(a, b)))
    }
    fn over(self, other: Self) -> Self {
        if other.has_zero() {
            return Self::NONE;
        }
        let ratios = |a: Self, b: Self| [a.low / b.low, a.low / b.high, a.high / b.low, a.high / b.high];
        self.with(other, |a, b| Self::over_all(ratios(a, b)))
    }
    fn to(self, power: f64) -> Self {
        if power == 1.0 || self.is_none() {
            return self;
        }
        let is_whole = power == power.trunc();
        let is_even = is_whole && (0.5 * power).trunc() == 0.5 * power;
        if power < 0.0 {
            return Self::number(1.0).over(self.to(-power));
        }
        match (is_whole, is_even) {
            _ if power == 2.0 => self.square(),
            (true, true) => {
                let least = if self.has_zero() { 0.0 } else { self.low.abs().min(self.high.abs()) };
                Self { low: least, high: self.size() }.mapped(|x| libm::pow(x, power))
            }
            (true, false) => self.mapped(|x| libm::pow(x, power)),
            _ if self.low < 0.0 => Self::NONE,
            _ => self.mapped(|x| libm::pow(x, power)),
        }
    }
    fn power(self, power: Self) -> Self {
        power.times(self.call(Function::Ln)).call(Function::Exp)
    }
    fn call(self, f: Function) -> Self {
        if self.is_none() {
            return self;
        }
        match f {
            Function::Sin => self.sine(),
            Function::Cos => self.plus(Self::number(FRAC_PI_2)).sine(),
            // between two poles it only grows
            Function::Tan => {
                let branch = |x: f64| ((x + FRAC_PI_2) / PI).floor();
                let is_one = self.high - self.low < PI && branch(self.low) == branch(self.high);
                if is_one && self.size() < 1e9 { self.mapped(libm::tan) } else { Self::ALL }
            }
            Function::Exp => self.mapped(libm::exp),
            Function::Ln if !(self.low > 0.0) => Self::NONE,
            Function::Ln => self.mapped(libm::log),
            Function::Sqrt if !(self.low >= 0.0) => Self::NONE,
            Function::Sqrt => self.mapped(f64::sqrt),
            Function::Tanh => {
                let Self { low, high } = self.mapped(libm::tanh);
                Self { low: low.max(-1.0), high: high.min(1.0) }
            }
            Function::Atan => self.mapped(libm::atan),
            Function::Asinh => self.mapped(libm::asinh),
            Function::Abs if self.low >= 0.0 => self,
            Function::Abs if self.high <= 0.0 => self.negated(),
            Function::Abs => Self { low: 0.0, high: self.size() },
            Function::Sign if self.low > 0.0 => Self::number(1.0),
            Function::Sign if self.high < 0.0 => Self::number(-1.0),
            Function::Sign => Self { low: -1.0, high: 1.0 },
            Function::Min | Function::Max => self,
        }
    }
    fn lesser(a: Self, b: Self, x: Self, y: Self) -> Self {
        if a.is_none() || b.is_none() {
            Self::NONE
        } else if a.high <= b.low {
            x
        } else if b.high < a.low {
            y
        } else {
            x.with(y, |x, y| Self { low: x.low.min(y.low), high: x.high.max(y.high) })
        }
    }
    fn sign_slope(self) -> Self {
        if self.has_zero() { Self::ALL } else { Self::number(0.0) }
    }
}
