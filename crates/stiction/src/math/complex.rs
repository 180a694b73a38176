//! Complex numbers. Of a point (x, y) of the plane z = x + iy.

use std::ops::{Add, Mul, Neg, Sub};

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Complex {
    pub re: f64,
    pub im: f64,
}

pub(crate) const fn complex(re: f64, im: f64) -> Complex {
    Complex { re, im }
}

impl Complex {
    pub fn conj(self) -> Self {
        complex(self.re, -self.im)
    }

    /// i z.
    pub fn turned(self) -> Self {
        complex(-self.im, self.re)
    }

    /// |z|.
    pub fn modulus(self) -> f64 {
        libm::hypot(self.re, self.im)
    }

    /// √z in the right half plane.
    pub fn root(self) -> Self {
        let r = self.modulus();
        if r == 0.0 {
            return Self::default();
        }
        let large = (0.5 * (r + self.re.abs())).sqrt();
        let small = 0.5 * self.im.abs() / large;
        match self.re >= 0.0 {
            true => complex(large, small.copysign(self.im)),
            false => complex(small, large.copysign(self.im)),
        }
    }

    pub fn times(self, c: f64) -> Self {
        complex(c * self.re, c * self.im)
    }
}

impl Add for Complex {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        complex(self.re + o.re, self.im + o.im)
    }
}

impl Sub for Complex {
    type Output = Self;
    fn sub(self, o: Self) -> Self {
        complex(self.re - o.re, self.im - o.im)
    }
}

impl Neg for Complex {
    type Output = Self;
    fn neg(self) -> Self {
        complex(-self.re, -self.im)
    }
}

impl Mul for Complex {
    type Output = Self;
    fn mul(self, o: Self) -> Self {
        complex(self.re * o.re - self.im * o.im, self.re * o.im + self.im * o.re)
    }
}
