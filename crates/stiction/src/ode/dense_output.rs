//! One step: what it starts from, and the solution inside it as a polynomial in θ = (t − t₀)/h.

use super::dop853::Dop853;
use super::radau5::Radau5;

/// What a step starts from, and how long it is.
#[derive(Clone, Copy)]
pub(crate) struct StepStart<'a> {
    pub t: f64,
    pub y: &'a [f64],
    /// f(t, y).
    pub f: &'a [f64],
    /// A time and a state next to (t, y), on the side of a kink that the step lies on.
    pub near: (f64, &'a [f64]),
    /// Length of the step.
    pub h: f64,
}

/// A polynomial from the start of a step to its end, and a little beyond.
#[derive(Clone, Copy)]
pub(crate) enum DenseOutput<'a> {
    /// Cubic through both ends with their slopes: costs nothing, good enough to see what is near.
    Hermite { h: f64, y: &'a [f64], f: &'a [f64], y_new: &'a [f64], f_new: &'a [f64] },
    /// Interpolant of order 7.
    Explicit { kernel: &'a Dop853, y: &'a [f64] },
    /// Collocation polynomial of order 3.
    Implicit { kernel: &'a Radau5, y: &'a [f64] },
}

impl DenseOutput<'_> {
    /// The first components of the state at θ.
    pub fn at(&self, theta: f64, out: &mut [f64]) {
        match *self {
            Self::Hermite { h, y, f, y_new, f_new } => {
                let (x, x1, n) = (theta, 1.0 - theta, out.len());
                let (y, f, y_new, f_new) = (&y[..n], &f[..n], &y_new[..n], &f_new[..n]);
                for (i, out) in out.iter_mut().enumerate() {
                    let dy = y_new[i] - y[i];
                    let (a, b) = (h * f[i] - dy, dy - h * f_new[i]);
                    *out = y[i] + x * (dy + x1 * (x1 * a + x * b));
                }
            }
            Self::Explicit { kernel, y } => kernel.interpolate(y, theta, out),
            Self::Implicit { kernel, y } => kernel.interpolate(y, theta, out),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hermite_path_reproduces_a_cubic() {
        let y = |t: f64| 1.0 + 2.0 * t - 3.0 * t * t + 0.5 * t * t * t;
        let f = |t: f64| 2.0 - 6.0 * t + 1.5 * t * t;
        let (t, h) = (0.3, 1.7);
        let path = DenseOutput::Hermite { h, y: &[y(t)], f: &[f(t)], y_new: &[y(t + h)], f_new: &[f(t + h)] };
        for theta in [0.0, 0.2, 0.5, 1.0, 1.2] {
            let mut out = [0.0];
            path.at(theta, &mut out);
            // rounding of numbers of order ten
            assert!((out[0] - y(t + theta * h)).abs() < 1e-14, "θ = {theta}");
        }
    }
}
