//! Formulas in one variable `v` that users write: text → checked program, evaluated without allocation.
//!
//! ```text
//!   sum     = product { (+ | -) product }          numbers 1, 0.5, 2e-3;  pi;  v;  named parameters
//!   product = signed { (* | /) signed }            functions of one argument: sin cos tan exp ln sqrt tanh atan asinh abs sign
//!   signed  = (+ | -) signed | power               of two: min max
//!   power   = atom [ ^ signed ]                    -v^2 is -(v^2), 2^3^2 is 2^(3^2), 2^-1 is 0.5
//!   atom    = number | name | name ( sum { , sum } ) | ( sum )
//! ```
//!
//! A program is evaluated in numbers, in dual numbers (value and derivative; @griewank2008), and in intervals
//! (@moore2009), which bound value and derivative over a range for certain: where both are bounded,
//! evaluation cannot fail.
//!
//! ```
//! use stiction::formula::Formula;
//!
//! let formula = Formula::parse("mu*v/(1 + abs(v)/w)", [("mu", 0.6), ("w", 0.5)].into_iter())?;
//! assert_eq!(formula.value(0.5), 0.15);
//! assert_eq!(formula.value_and_slope(0.5), [0.15, 0.15]);
//! assert!(formula.bounds(0.0, 10.0).is_ok_and(|bounds| bounds.value >= 0.6 / 2.1));
//! // a pole is found for certain
//! let pole = Formula::parse("1/(v - 2)", std::iter::empty())?;
//! assert!(pole.bounds(0.0, 10.0).is_err_and(|place| (place - 2.0).abs() < 1e-3));
//! # Ok::<(), stiction::formula::FormulaFault>(())
//! ```

mod interval;
mod parse;
mod scalar;

pub use parse::{FormulaFault, FormulaProblem};
pub(crate) use parse::{is_name, is_taken};

use interval::Interval;
use scalar::{Evaluable, WithSlope};

/// Parts in which a low value is looked for at most: some milliseconds.
const MOST_PARTS: usize = 30_000;
/// The longest text, in characters.
pub const MAX_LENGTH: usize = 2_000;
/// Brackets, signs and powers within one another.
pub const MAX_NESTING: usize = 64;
/// Numbers that are kept for later at a time.
const MAX_STACK: usize = 32;

/// A function by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Function {
    Sin,
    Cos,
    Tan,
    Exp,
    Ln,
    Sqrt,
    Tanh,
    Atan,
    Asinh,
    Abs,
    Sign,
    Min,
    Max,
}

impl Function {
    /// All of them by the names that users write.
    pub(crate) const NAMED: [(&'static str, Self); 13] = [
        ("sin", Self::Sin),
        ("cos", Self::Cos),
        ("tan", Self::Tan),
        ("exp", Self::Exp),
        ("ln", Self::Ln),
        ("sqrt", Self::Sqrt),
        ("tanh", Self::Tanh),
        ("atan", Self::Atan),
        ("asinh", Self::Asinh),
        ("abs", Self::Abs),
        ("sign", Self::Sign),
        ("min", Self::Min),
        ("max", Self::Max),
    ];

    fn n_arguments(self) -> usize {
        if matches!(self, Self::Min | Self::Max) { 2 } else { 1 }
    }
}

/// A step of a program, which takes its arguments from a stack.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Op {
    Number(f64),
    Variable,
    Negate,
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
    /// To a power that is a number.
    To(f64),
    Call(Function),
}

/// A formula in `v` whose parameters have their values.
#[derive(Clone, Debug, PartialEq)]
pub struct Formula {
    ops: Vec<Op>,
}

/// What a formula reaches over a range.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FormulaBounds {
    /// The largest |value|, from above.
    pub value: f64,
    /// The largest |derivative|, from above.
    pub slope: f64,
}

/// Parts into which a range is cut at first.
const PARTS: usize = 128;
/// Halvings of a part in which a formula seems unbounded.
const HALVINGS: usize = 40;

/// A value or slope beyond this is none that anybody means: next to v = 0 a pole is still a number.
const LARGEST: f64 = 1e100;

impl Formula {
    /// Reads a formula in `v` with named parameters.
    pub fn parse<'a>(
        text: &str,
        parameters: impl Iterator<Item = (&'a str, f64)> + Clone,
    ) -> Result<Self, FormulaFault> {
        parse::parsed(text, parameters).map(|ops| Self { ops })
    }

    /// The value at `v`.
    #[inline]
    pub fn value(&self, v: f64) -> f64 {
        self.run(v)
    }

    /// Value and derivative at `v`; where one side of a kink is as good as the other, either.
    #[inline]
    pub fn value_and_slope(&self, v: f64) -> [f64; 2] {
        let WithSlope { value, slope } = self.run(WithSlope { value: v, slope: 1.0 });
        [value, slope]
    }

    /// Bounds from `low` to `high`, for certain; otherwise a place near which value or derivative may be
    /// unbounded.
    pub fn bounds(&self, low: f64, high: f64) -> Result<FormulaBounds, f64> {
        let mut bounds = FormulaBounds::default();
        let at = |k: usize| if k == PARTS { high } else { low + (high - low) * (k as f64 / PARTS as f64) };
        for k in 0..PARTS {
            self.cover(at(k), at(k + 1), HALVINGS, &mut bounds)?;
        }
        Ok(bounds)
    }

    fn cover(&self, low: f64, high: f64, halvings: usize, bounds: &mut FormulaBounds) -> Result<(), f64> {
        let v = WithSlope { value: Interval { low, high }, slope: Interval::number(1.0) };
        let WithSlope { value, slope } = self.run(v);
        if value.size() < LARGEST && slope.size() < LARGEST {
            bounds.value = bounds.value.max(value.size());
            bounds.slope = bounds.slope.max(slope.size());
            return Ok(());
        }
        let middle = low + 0.5 * (high - low);
        if halvings == 0 {
            return Err(middle);
        }
        self.cover(low, middle, halvings - 1, bounds)?;
        self.cover(middle, high, halvings - 1, bounds)
    }

    /// A place between `low` and `high` at which `sign` times the value is below `floor`, by branch and
    /// bound: parts are halved until an interval proves that there is none in them. None is found for
    /// certain, except where the value touches the floor within the resolution of `MOST_PARTS`.
    pub fn place_below(&self, [low, high]: [f64; 2], sign: f64, floor: f64) -> Option<f64> {
        let at = |k: usize| if k == PARTS { high } else { low + (high - low) * (k as f64 / PARTS as f64) };
        let mut parts: Vec<[f64; 2]> = (0..PARTS).map(|k| [at(k), at(k + 1)]).collect();
        let (mut halves, mut n_seen) = (Vec::new(), 0);
        while !parts.is_empty() && n_seen < MOST_PARTS {
            for &[low, high] in &parts {
                let middle = low + 0.5 * (high - low);
                let value = sign * self.value(middle);
                if value < floor {
                    return Some(middle);
                }
                if self.least([low, high], sign, value) < floor && low < middle && middle < high {
                    halves.extend([[low, middle], [middle, high]]);
                }
            }
            n_seen += parts.len();
            parts.clear();
            std::mem::swap(&mut parts, &mut halves);
        }
        None
    }

    /// A lower bound on `sign` times the value from `low` to `high`, in the middle of which it is `value`: by
    /// its interval, or by that of its slope.
    fn least(&self, [low, high]: [f64; 2], sign: f64, value: f64) -> f64 {
        let v = WithSlope { value: Interval { low, high }, slope: Interval::number(1.0) };
        let all = self.run(v);
        let own = if sign > 0.0 { all.value.low } else { -all.value.high };
        let by_slope = value - 0.5 * (high - low) * all.slope.size();
        let least = own.max(by_slope);
        if least.is_nan() { f64::NEG_INFINITY } else { least }
    }

    #[inline]
    fn run<T: Evaluable>(&self, v: T) -> T {
        let mut stack = [T::number(0.0); MAX_STACK];
        let mut n = 0;
        for op in &self.ops {
            // a program that fits its stack was checked when it was made
            match *op {
                Op::Number(_) | Op::Variable => {
                    stack[n] = if let Op::Number(x) = op { T::number(*x) } else { v };
                    n += 1;
                }
                Op::Negate => stack[n - 1] = stack[n - 1].negated(),
                Op::To(power) => stack[n - 1] = stack[n - 1].to(power),
                Op::Call(f) if f.n_arguments() == 1 => stack[n - 1] = stack[n - 1].call(f),
                Op::Add | Op::Subtract | Op::Multiply | Op::Divide | Op::Power | Op::Call(_) => {
                    let (a, b) = (stack[n - 2], stack[n - 1]);
                    n -= 1;
                    stack[n - 1] = match *op {
                        Op::Add => a.plus(b),
                        Op::Subtract => a.plus(b.negated()),
                        Op::Multiply => a.times(b),
                        Op::Divide => a.over(b),
                        Op::Power => a.power(b),
                        Op::Call(Function::Max) => T::lesser(a, b, b, a),
                        _ => T::lesser(a, b, a, b),
                    };
                }
            }
        }
        stack[0]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str, v: f64) -> f64 {
        Formula::parse(text, [("a", 2.0), ("b_1", -3.0)].into_iter()).unwrap().value(v)
    }

    #[test]
    fn operators_bind_as_in_mathematics() {
        let known: [(&str, f64); 18] = [
            ("1 + 2*3", 7.0),
            ("(1 + 2)*3", 9.0),
            ("2 - 3 - 4", -5.0),
            ("12/3/2", 2.0),
            ("2^3^2", 512.0),
            ("-v^2", -9.0),
            ("(-v)^2", 9.0),
            ("2^-1", 0.5),
            ("2*-3", -6.0),
            ("--3", 3.0),
            ("+a*b_1", -6.0),
            ("1e-1 + .5 + 2.", 2.6),
            ("min(v, 2) + max(v, 2)", 5.0),
            ("sign(-v)*abs(-v)", -3.0),
            ("ln(exp(v))", 3.0),
            ("sqrt(v*v) + tanh(0) + atan(0) + asinh(0) + sin(0) + tan(0)", 3.0),
            ("cos(pi)", -1.0),
            ("v^a/a^v", 9.0 / 8.0),
        ];
        for (text, value) in known {
            assert!((at(text, 3.0) - value).abs() < 1e-14, "{text}: {}", at(text, 3.0));
        }
    }

    #[test]
    fn slopes_are_the_central_differences() {
        let texts = [
            "sin(v) + cos(2*v)*tan(v/3)",
            "exp(-abs(v)/0.3)*sign(v)",
            "ln(1 + v^2) - sqrt(1 + abs(v))",
            "tanh(v/0.4)*atan(v) + asinh(3*v)",
            "min(v, 0.3)*max(v, -0.2)",
            "abs(v)^1.5 + (1 + abs(v))^v",
            "v^3/(1 + v)^2 - (2 + v)^-2",
            "2^v",
        ];
        for text in texts {
            let formula = Formula::parse(text, [].into_iter()).unwrap();
            for v in [-0.71, -0.13, 0.17, 0.9] {
                let h = 1e-5;
                let quotient = (formula.value(v + h) - formula.value(v - h)) / (2.0 * h);
                let [value, slope] = formula.value_and_slope(v);
                assert_eq!(value, formula.value(v), "{text}");
                assert!(
                    (slope - quotient).abs() < 1e-8 * (1.0 + slope.abs()),
                    "{text} at {v}: {slope} {quotient}"
                );
                // and intervals hold both
                let bounds = formula.bounds(v - 1e-3, v + 1e-3).unwrap();
                assert!(value.abs() <= bounds.value && slope.abs() <= bounds.slope, "{text}: {bounds:?}");
                assert!(bounds.value < 1.2 * value.abs() + 0.1, "{text}: {bounds:?}");
            }
        }
    }

    #[test]
    fn poles_jumps_and_vertical_tangents_are_found_for_certain() {
        let place = |text: &str| Formula::parse(text, [].into_iter()).unwrap().bounds(1e-300, 1.0);
        for (text, at) in [
            ("1/(v - 0.123456789)^2", 0.123456789),
            ("sign(v - 0.37)", 0.37),
            ("sqrt(abs(v - 0.2))", 0.2),
            ("ln(v - 0.5)", 0.25),
            ("tan(3*v)", std::f64::consts::PI / 6.0),
            ("0/0", 0.0),
        ] {
            let found = place(text).unwrap_err();
            assert!((found - at).abs() < 1e-3 || at == 0.25 && found < 0.5 || at == 0.0, "{text}: {found}");
        }
        // a bounded function, a factor of zero, a quotient: none of them makes a number of what is none
        for text in ["0*sin(ln(v - 2))", "tanh(ln(v - 2))", "1/(1 + exp(ln(v - 2)))", "min(v, sqrt(v - 2))"] {
            assert!(place(text).is_err(), "{text}");
        }
        for text in ["sin(1000*v)", "exp(-v/1e-3)", "v*v - v + 0.25", "min(v, abs(v - 0.5))", "1/(1e-6 + v)"]
        {
            assert!(place(text).is_ok(), "{text}");
        }
    }

    #[test]
    fn narrow_dips_are_found_and_their_absence_is_proved() {
        for (text, dips) in [
            ("0.3 - 5*exp(-((v - 0.123456)/1e-4)^2)", true),
            ("0.3 - 5*exp(-((v - 7.123456789)/1e-7)^2)", true),
            ("0.3 - 0.300001*exp(-((v - 7.123456789)/1e-7)^2)", true),
            ("0.3 - 0.299999*exp(-((v - 7.123456789)/1e-7)^2)", false),
            ("0.3 - 0.4*exp(-v/1e-8)", true),
            ("0.3 - 0.299*exp(-v/1e-8)", false),
            ("tanh(v/1e-3)", false),
            ("v*v - 0.2*v + 0.01", false),
            ("v*v - 0.2*v + 0.00999", true),
        ] {
            let formula = Formula::parse(text, [].into_iter()).unwrap();
            let found = formula.place_below([1e-300, 10.0], 1.0, -1e-12);
            assert_eq!(found.is_some(), dips, "{text}: {found:?}");
            let mirrored =
                Formula::parse(&format!("-({})", text.replace('v', "(-v)")), [].into_iter()).unwrap();
            let found = mirrored.place_below([-10.0, -1e-300], -1.0, -1e-12);
            assert_eq!(found.is_some(), dips, "{text}, mirrored: {found:?}");
        }
    }

    #[test]
    fn what_does_not_parse_is_marked() {
        let fault = |text: &str| {
            let fault = Formula::parse(text, [("mu", 0.3)].into_iter()).unwrap_err();
            (fault.to_string(), fault.column)
        };
        for (text, column, says) in [
            ("1/(1 + 3*w)", 10, "1/(1 + 3*▸w◂)"),
            ("1 +", 4, "ends"),
            ("", 1, "ends"),
            ("2 3", 3, "▸3◂"),
            ("(v", 3, "ends"),
            ("v)", 2, "▸)◂"),
            ("min(v)", 1, "2 arguments"),
            ("sin(v, 2)", 1, "1 argument"),
            ("sin v", 1, "brackets"),
            ("mu(v)", 1, "no function"),
            ("v ** 2", 3, "^"),
            ("1..2", 1, "▸1..2◂"),
            ("v $ 2", 3, "▸$◂"),
            ("expp(v)", 1, "functions are"),
            ("1e999*v", 1, "number"),
            ("µ*v", 1, "µ"),
        ] {
            let (message, found) = fault(text);
            assert_eq!(found, column, "{text}: {message}");
            assert!(message.contains(says), "{text}: {message}");
        }
        // limits that no honest formula meets
        assert!(fault(&"(".repeat(100)).0.contains("nested"));
        assert!(fault(&"-".repeat(1000)).0.contains("nested"));
        assert!(fault(&"2^".repeat(500)).0.contains("nested"));
        assert!(fault(&"1+".repeat(2000)).0.contains("characters"));
        let wide = format!("{}v{}", "(v+v*(".repeat(20), "))".repeat(20));
        assert!(fault(&wide).0.contains("nested"));
    }
}
