//! What a formula can be evaluated in: numbers, intervals, and dual numbers of either.

use super::Function;

/// Something that a formula can be evaluated in.
pub(super) trait Evaluable: Copy {
    fn number(x: f64) -> Self;
    fn negated(self) -> Self;
    fn plus(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
    fn over(self, other: Self) -> Self;
    /// To the power of a number.
    fn to(self, power: f64) -> Self;
    fn power(self, power: Self) -> Self;
    /// A function of one argument.
    fn call(self, f: Function) -> Self;
    /// `x` where a ≤ b, else `y`.
    fn lesser(a: Self, b: Self, x: Self, y: Self) -> Self;
    /// The derivative of sign.
    fn sign_slope(self) -> Self;
}

impl Evaluable for f64 {
    #[inline]
    fn number(x: f64) -> Self {
        x
    }
    #[inline]
    fn negated(self) -> Self {
        -self
    }
    #[inline]
    fn plus(self, other: Self) -> Self {
        self + other
    }
    #[inline]
    fn times(self, other: Self) -> Self {
        self * other
    }
    #[inline]
    fn over(self, other: Self) -> Self {
        self / other
    }
    #[inline]
    fn to(self, power: f64) -> Self {
        match power {
            1.0 => self,
            2.0 => self * self,
            -1.0 => 1.0 / self,
            power => libm::pow(self, power),
        }
    }
    #[inline]
    fn power(self, power: Self) -> Self {
        libm::pow(self, power)
    }
    #[inline]
    fn call(self, f: Function) -> Self {
        match f {
            Function::Sin => libm::sin(self),
            Function::Cos => libm::cos(self),
            Function::Tan => libm::tan(self),
            Function::Exp => libm::exp(self),
            Function::Ln => libm::log(self),
            Function::Sqrt => self.sqrt(),
            Function::Tanh => libm::tanh(self),
            Function::Atan => libm::atan(self),
            Function::Asinh => libm::asinh(self),
            Function::Abs => self.abs(),
            Function::Sign if self == 0.0 => 0.0,
            Function::Sign => 1f64.copysign(self),
            // of two arguments
            Function::Min | Function::Max => self,
        }
    }
    #[inline]
    fn lesser(a: Self, b: Self, x: Self, y: Self) -> Self {
        if a <= b { x } else { y }
    }
    #[inline]
    fn sign_slope(self) -> Self {
        0.0
    }
}

/// A value and its derivative.
#[derive(Clone, Copy, Debug)]
pub(super) struct WithSlope<T> {
    pub value: T,
    pub slope: T,
}

impl<T: Evaluable> WithSlope<T> {
    /// f(self), where f has these value and derivative.
    #[inline]
    fn chain(self, value: T, derivative: T) -> Self {
        Self { value, slope: derivative.times(self.slope) }
    }
}

impl<T: Evaluable> Evaluable for WithSlope<T> {
    #[inline]
    fn number(x: f64) -> Self {
        Self { value: T::number(x), slope: T::number(0.0) }
    }
    #[inline]
    fn negated(self) -> Self {
        Self { value: self.value.negated(), slope: self.slope.negated() }
    }
    #[inline]
    fn plus(self, other: Self) -> Self {
        Self { value: self.value.plus(other.value), slope: self.slope.plus(other.slope) }
    }
    #[inline]
    fn times(self, other: Self) -> Self {
        let slope = self.slope.times(other.value).plus(self.value.times(other.slope));
        Self { value: self.value.times(other.value), slope }
    }
    #[inline]
    fn over(self, other: Self) -> Self {
        // (a/b)′ = (a′ − (a/b) b′)/b
        let value = self.value.over(other.value);
        let slope = self.slope.plus(value.times(other.slope).negated()).over(other.value);
        Self { value, slope }
    }
    #[inline]
    fn to(self, power: f64) -> Self {
        if power == 0.0 {
            return Self::number(1.0);
        }
        let before = if power == 1.0 { T::number(1.0) } else { self.value.to(power - 1.0) };
        self.chain(self.value.to(power), T::number(power).times(before))
    }
    #[inline]
    fn power(self, power: Self) -> Self {
        // aᵇ (b′ ln a + b a′/a)
        let value = self.value.power(power.value);
        let log = power.slope.times(self.value.call(Function::Ln));
        let slope = log.plus(power.value.times(self.slope).over(self.value)).times(value);
        Self { value, slope }
    }
    #[inline]
    fn call(self, f: Function) -> Self {
        let (x, one) = (self.value, T::number(1.0));
        let value = x.call(f);
        let derivative = match f {
            Function::Sin => x.call(Function::Cos),
            Function::Cos => x.call(Function::Sin).negated(),
            Function::Tan => one.plus(value.to(2.0)),
            Function::Exp => value,
            Function::Ln => one.over(x),
            Function::Sqrt => one.over(value.plus(value)),
            // (1 − t)(1 + t) keeps its digits where t is near 1
            Function::Tanh => one.plus(value.negated()).times(one.plus(value)),
            Function::Atan => one.over(one.plus(x.to(2.0))),
            Function::Asinh => one.over(one.plus(x.to(2.0)).call(Function::Sqrt)),
            Function::Abs => x.call(Function::Sign),
            Function::Sign => x.sign_slope(),
            Function::Min | Function::Max => one,
        };
        self.chain(value, derivative)
    }
    #[inline]
    fn lesser(a: Self, b: Self, x: Self, y: Self) -> Self {
        Self {
            value: T::lesser(a.value, b.value, x.value, y.value),
            slope: T::lesser(a.value, b.value, x.slope, y.slope),
        }
    }
    #[inline]
    fn sign_slope(self) -> Self {
        // nobody asks for a second derivative
        Self::number(0.0)
    }
}
