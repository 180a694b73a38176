//! A number with its derivatives by the three components of the twist.

use std::ops::{Add, Div, Mul, Sub};

#[derive(Clone, Copy, Debug)]
pub(super) struct Dual {
    pub value: f64,
    pub slope: [f64; 3],
}

impl Dual {
    /// The i-th component of the twist itself.
    pub fn variable(value: f64, i: usize) -> Self {
        let mut slope = [0.0; 3];
        slope[i] = 1.0;
        Self { value, slope }
    }

    pub fn times(self, c: f64) -> Self {
        Self { value: c * self.value, slope: self.slope.map(|s| c * s) }
    }

    /// At zero the slope is taken as zero.
    pub fn sqrt(self) -> Self {
        let root = self.value.sqrt();
        let half = if root > 0.0 { 0.5 / root } else { 0.0 };
        Self { value: root, slope: self.slope.map(|s| half * s) }
    }

    pub fn abs(self) -> Self {
        self.times(1f64.copysign(self.value))
    }

    fn with(self, o: Self, value: f64, a: f64, b: f64) -> Self {
        Self { value, slope: std::array::from_fn(|i| a * self.slope[i] + b * o.slope[i]) }
    }
}

impl Add for Dual {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        self.with(o, self.value + o.value, 1.0, 1.0)
    }
}

impl Sub for Dual {
    type Output = Self;
    fn sub(self, o: Self) -> Self {
        self.with(o, self.value - o.value, 1.0, -1.0)
    }
}

impl Mul for Dual {
    type Output = Self;
    fn mul(self, o: Self) -> Self {
        self.with(o, self.value * o.value, o.value, self.value)
    }
}

impl Div for Dual {
    type Output = Self;
    fn div(self, o: Self) -> Self {
        let value = self.value / o.value;
        self.with(o, value, 1.0 / o.value, -value / o.value)
    }
}
