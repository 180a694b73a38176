//! Vectors of the plane and twists as three numbers.

/// ẑ × a.
pub(crate) fn turned([x, y]: [f64; 2]) -> [f64; 2] {
    [-y, x]
}

/// The component of a × b along ẑ.
pub(crate) fn cross(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

pub(crate) fn dot2(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

/// a + c b.
pub(crate) fn plus(a: [f64; 2], c: f64, b: [f64; 2]) -> [f64; 2] {
    [a[0] + c * b[0], a[1] + c * b[1]]
}

pub(crate) fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(crate) fn norm(a: [f64; 3]) -> f64 {
    dot(a, a).sqrt()
}

pub(crate) fn unit(a: [f64; 3]) -> [f64; 3] {
    let length = norm(a);
    a.map(|v| v / length)
}

/// Solves a x = b, rows of a given, by Cramer's rule.
pub(crate) fn solved(a: [[f64; 3]; 3], b: [f64; 3]) -> [f64; 3] {
    let cross = |p: [f64; 3], q: [f64; 3]| {
        [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]]
    };
    let columns: [[f64; 3]; 3] = std::array::from_fn(|k| [a[0][k], a[1][k], a[2][k]]);
    let det = dot(columns[0], cross(columns[1], columns[2]));
    [
        dot(b, cross(columns[1], columns[2])) / det,
        dot(columns[0], cross(b, columns[2])) / det,
        dot(columns[0], cross(columns[1], b)) / det,
    ]
}

/// An orientation, prepared for turning vectors.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turn {
    sin: f64,
    cos: f64,
}

impl Turn {
    /// No turn at all.
    pub const NONE: Self = Self { sin: 0.0, cos: 1.0 };

    pub fn by(angle: f64) -> Self {
        let (sin, cos) = libm::sincos(angle);
        Self { sin, cos }
    }

    /// From body to world axes.
    pub fn out(self, [x, y]: [f64; 2]) -> [f64; 2] {
        [self.cos * x - self.sin * y, self.sin * x + self.cos * y]
    }

    /// From world to body axes.
    pub fn back(self, [x, y]: [f64; 2]) -> [f64; 2] {
        [self.cos * x + self.sin * y, self.cos * y - self.sin * x]
    }
}
