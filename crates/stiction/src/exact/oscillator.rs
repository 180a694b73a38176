//! The free motion of `y″ + 2σ y′ + ω₀² y = 0` in every case: under, critical, over, without stiffness,
//! without damping, and with negative damping or stiffness.
//!
//! ```text
//!   h:   y(0) = 0, y′(0) = 1         h₁:  y(0) = 1, y′(0) = 0         g = ∫h
//!   under (σ² < ω₀²):   h = e^{−στ} sin(ω_d τ)/ω_d,              h₁ = e^{−στ}(cos ω_d τ + σ sin(ω_d τ)/ω_d)
//!   over:               h = e^{s₁τ}(1 − e^{−(s₁−s₂)τ})/(s₁−s₂),  h₁ = e^{s₁τ} − s₁h        s₁ ≥ s₂ real
//!   always:             h′ = h₁ − 2σh,   h₁′ = −ω₀²h,   h₁ = 1 − ω₀²g,   ∫h₁ = h + 2σg
//! ```
//!
//! Both forms tend to `h = τ e^{−στ}` at the critical case without cancellation, `sin x/x` and `expm1` being
//! smooth.

use super::elementary;

/// Below this |s|τ the integral g comes from its series.
const SERIES: f64 = 0.5;

/// From this ratio of the rates on the fast exponential is taken by itself.
const STIFF: f64 = 8.0;

#[derive(Clone, Copy, Debug)]
enum Roots {
    Under { omega_d: f64 },
    Over { s1: f64, s2: f64 },
}

/// A linear oscillator of unit mass.
#[derive(Clone, Copy, Debug)]
pub(super) struct LinearOscillator {
    /// σ, half the damping over the mass (1/s).
    pub sigma: f64,
    /// ω₀², the stiffness over the mass (1/s²).
    pub square: f64,
    roots: Roots,
    /// √(ω₀² + 4σ²).
    stiff: f64,
    /// Whether the energy bounds the motion, and well.
    by_energy: bool,
}

impl LinearOscillator {
    pub fn new(mass: f64, damping: f64, stiffness: f64) -> Self {
        // up to this σ/ω₀ the energy bounds the motion well; beyond, the two exponentials do
        const HEAVY: f64 = 1.2;
        let (sigma, square) = (0.5 * damping / mass, stiffness / mass);
        let disc = sigma * sigma - square;
        let roots = if disc < 0.0 {
            Roots::Under { omega_d: (-disc).sqrt() }
        } else {
            // the root of larger modulus first, the other by Vieta, so that neither cancels
            let large = -(sigma + disc.sqrt().copysign(sigma));
            let small = if large == 0.0 { 0.0 } else { square / large };
            Roots::Over { s1: large.max(small), s2: large.min(small) }
        };
        let by_energy = sigma >= 0.0 && square > 0.0 && sigma * sigma <= HEAVY * HEAVY * square;
        Self { sigma, square, roots, stiff: (square.max(0.0) + 4.0 * sigma * sigma).sqrt(), by_energy }
    }

    /// ω_d, if the oscillator is underdamped (rad/s).
    pub fn omega_d(&self) -> Option<f64> {
        match self.roots {
            Roots::Under { omega_d } => Some(omega_d),
            Roots::Over { .. } => None,
        }
    }

    /// The exponents, if one of them decays much faster than the other and than the rate `rate`.
    pub fn stiff_roots(&self, rate: f64) -> Option<[f64; 2]> {
        match self.roots {
            Roots::Over { s1, s2 } if s2 < -STIFF * s1.abs().max(rate) => Some([s1, s2]),
            _ => None,
        }
    }

    /// Both exponents, the larger first, if they are real (1/s).
    pub fn real_roots(&self) -> Option<[f64; 2]> {
        match self.roots {
            Roots::Over { s1, s2 } => Some([s1, s2]),
            Roots::Under { .. } => None,
        }
    }

    /// h and h₁.
    #[inline]
    pub fn free(&self, tau: f64) -> [f64; 2] {
        match self.roots {
            Roots::Under { omega_d } => {
                let decay = if self.sigma == 0.0 { 1.0 } else { elementary::exp(-self.sigma * tau) };
                let [sine, cosine] = elementary::sincos(omega_d * tau);
                let h = sine / omega_d;
                [decay * h, decay * (cosine + self.sigma * h)]
            }
            Roots::Over { s1, s2 } => {
                let gap = s1 - s2;
                let e1 = if s1 == 0.0 { 1.0 } else { libm::exp(s1 * tau) };
                let h = e1 * if gap == 0.0 { tau } else { -libm::expm1(-gap * tau) / gap };
                let h1 = if s1 <= 0.0 { e1 - s1 * h } else { libm::exp(s2 * tau) - s2 * h };
                [h, h1]
            }
        }
    }

    /// The free motion and its derivative after τ, from their values at the start and from h and h₁ there. Of two
    /// exponents that are far apart the slow one is not found as a difference of large numbers.
    #[inline]
    pub fn carried(&self, [y, y1]: [f64; 2], tau: f64, [h, h1]: [f64; 2]) -> [f64; 2] {
        if let Roots::Over { s1, s2 } = self.roots
            && s2 < -STIFF * s1.abs()
            && (s1 - s2) * tau > 1.0
        {
            let gap = s1 - s2;
            let slow = (y1 - s2 * y) / gap * libm::exp(s1 * tau);
            let fast = (s1 * y - y1) / gap * libm::exp(s2 * tau);
            return [slow + fast, s1 * slow + s2 * fast];
        }
        [y * h1 + y1 * h, y1 * (h1 - 2.0 * self.sigma * h) - y * self.square * h]
    }

    /// g, the integral of h, given h₁.
    pub fn integral(&self, tau: f64, h1: f64) -> f64 {
        // terms of that series: 2¹⁸ · 0.5¹⁸/18! is below rounding
        const TERMS: usize = 18;
        let (slow, fast) = match self.roots {
            Roots::Under { .. } => (self.square.sqrt(), self.square.sqrt()),
            Roots::Over { s1, s2 } => (s1.abs().min(s2.abs()), s1.abs().max(s2.abs())),
        };
        if fast * tau < SERIES {
            // y″ + 2σy′ + ω₀²y = 1 from rest: (j+1)(j+2)a_{j+2} = −2σ(j+1)a_{j+1} − ω₀²a_j
            let (damping, square) = (2.0 * self.sigma * tau, self.square * tau * tau);
            let (mut before, mut last) = (0.0, 0.5 * tau * tau);
            let mut sum = last;
            for j in 1..TERMS {
                let j = j as f64;
                let next = -(damping * (j + 1.0) * last + square * before) / ((j + 1.0) * (j + 2.0));
                (before, last) = (last, next);
                sum += next;
            }
            return sum;
        }
        match self.roots {
            Roots::Over { s1, s2 } if slow * tau < SERIES => {
                let part = |s: f64| if s == 0.0 { tau } else { libm::expm1(s * tau) / s };
                (part(s1) - part(s2)) / (s1 - s2)
            }
            _ => (1.0 - h1) / self.square,
        }
    }

    /// Bounds on |y‴| and |y⁗| from now on, given y and y′ now.
    ///
    /// `push` bounds a force on the oscillator, `rate` the frequency of that force.
    #[inline]
    pub fn bounds(&self, y: f64, y1: f64, push: f64, rate: f64) -> Bounds {
        // a bound under a push holds for this angle of the push (rad)
        const REACH: f64 = 1.2;
        let Self { sigma, square, roots, stiff, by_energy } = *self;
        if by_energy {
            // √(y′² + ω₀²y²) does not grow but for the push
            let reach = if push > 0.0 { REACH / rate } else { f64::INFINITY };
            let e = (y1 * y1 + square * y * y).sqrt() + if push > 0.0 { reach * push } else { 0.0 };
            let second = stiff * e + push;
            let third = 2.0 * sigma * second + square * e + rate * push;
            let fourth = 2.0 * sigma * third + square * second + rate * rate * push;
            return Bounds { third, fourth, reach };
        }
        if let Roots::Over { s1, s2 } = roots
            && s1 <= 0.0
            && s1 > s2
            && push == 0.0
        {
            let gap = s1 - s2;
            let (a, b) = ((y1 - s2 * y) / gap * s1 * s1 * s1, (s1 * y - y1) / gap * s2 * s2 * s2);
            let (third, fourth) = (a.abs() + b.abs(), (a * s1).abs() + (b * s2).abs());
            return Bounds { third, fourth, reach: f64::INFINITY };
        }
        // |y′| + ρ|y| grows at most at the rate r: Gronwall over 1/r, a factor of e
        let rho = square.abs().sqrt().max(sigma.abs()).max(rate);
        if rho == 0.0 {
            return Bounds { third: 0.0, fourth: 0.0, reach: f64::INFINITY };
        }
        let r = 2.0 * sigma.abs() + rho + square.abs() / rho;
        let e = std::f64::consts::E * (y1.abs() + rho * y.abs() + push / r);
        let second = (2.0 * sigma.abs() + square.abs() / rho) * e + push;
        let third = 2.0 * sigma.abs() * second + square.abs() * e + rate * push;
        let fourth = 2.0 * sigma.abs() * third + square.abs() * second + rate * rate * push;
        Bounds { third, fourth, reach: 1.0 / r }
    }
}

/// Bounds on derivatives, and the time for which they hold.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    pub third: f64,
    pub fourth: f64,
    pub reach: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Few roundings of numbers of order one, and of exponentials of moderate arguments.
    const TOLERANCE: f64 = 4e-14;

    /// The solution of y″ + 2σy′ + ω₀²y = 1·`load` by its Taylor series in many short steps: y, y′, ∫y.
    fn series(sigma: f64, square: f64, start: [f64; 2], tau: f64) -> [f64; 3] {
        let steps = 1 + (8.0 * tau * (sigma.abs() + square.abs().sqrt())) as usize;
        let h = tau / steps as f64;
        let [mut y, mut y1] = start;
        let mut integral = 0.0;
        for _ in 0..steps {
            let (mut a, mut b, mut power) = (y, y1, 1.0);
            let (mut sum, mut sum1, mut area) = (0.0, 0.0, 0.0);
            for j in 0..25 {
                // a, b: coefficients of orders j and j + 1
                let j = j as f64;
                sum += a * power;
                sum1 += (j + 1.0) * b * power;
                power *= h;
                area += a * power / (j + 1.0);
                let next = -(2.0 * sigma * (j + 1.0) * b + square * a) / ((j + 1.0) * (j + 2.0));
                (a, b) = (b, next);
            }
            (y, y1) = (sum, sum1);
            integral += area;
        }
        [y, y1, integral]
    }

    fn cases() -> Vec<(f64, f64)> {
        let mut all = vec![(0.0, 0.0), (0.5, 0.0), (0.0, 1e-12), (1e-9, 1e-20), (1e-3, 1e-9), (-0.2, 1.0)];
        all.extend([(0.0, -0.25), (0.3, -0.5), (-1.5, 1.0), (3.0, 1.0), (20.0, 1.0), (8.0, 1e-6)]);
        for near in [0.0, 1e-15, 1e-12, 1e-8, 1e-4, 1e-2, -1e-15, -1e-12, -1e-8, -1e-4, -1e-2, 0.5, 0.95] {
            all.push((1.0 - near, 1.0));
        }
        all
    }

    #[test]
    fn every_damping_case_agrees_with_the_series() {
        for (sigma, square) in cases() {
            let oscillator = LinearOscillator::new(1.0, 2.0 * sigma, square);
            for tau in [1e-6, 1e-3, 0.1, 0.4, 0.9, 2.5, 7.0] {
                let [h, h1] = oscillator.free(tau);
                let g = oscillator.integral(tau, h1);
                let truth = series(sigma, square, [0.0, 1.0], tau);
                let truth1 = series(sigma, square, [1.0, 0.0], tau);
                for (name, found, expected) in [
                    ("h", h, truth[0]),
                    ("h1", h1, truth1[0]),
                    ("h'", h1 - 2.0 * sigma * h, truth[1]),
                    ("g", g, truth[2]),
                    ("g1", h + 2.0 * sigma * g, truth1[2]),
                ] {
                    let size = 1.0 + expected.abs();
                    let error = (found - expected).abs() / size;
                    assert!(error < TOLERANCE, "{name} at σ = {sigma}, ω₀² = {square}, τ = {tau}: {error:e}");
                }
                let relative = (g / truth[2] - 1.0).abs();
                assert!(relative < 1e-13, "g at σ = {sigma}, ω₀² = {square}, τ = {tau}: {relative:e}");
            }
        }
    }

    #[test]
    fn the_bounds_on_the_derivatives_hold() {
        for (sigma, square) in cases() {
            let oscillator = LinearOscillator::new(1.0, 2.0 * sigma, square);
            for (y, y1) in [(1.0, 0.0), (0.0, 1.0), (1.0, -1.0), (0.3, 2.0)] {
                let bounds = oscillator.bounds(y, y1, 0.0, 0.0);
                for i in 0..50 {
                    let tau = bounds.reach.min(8.0) * i as f64 / 50.0;
                    let [h, h1] = oscillator.free(tau);
                    let now = y * h1 + y1 * h;
                    let slope = -y * square * h + y1 * (h1 - 2.0 * sigma * h);
                    let second = -2.0 * sigma * slope - square * now;
                    let third = -2.0 * sigma * second - square * slope;
                    let fourth = -2.0 * sigma * third - square * second;
                    let case = format!("σ = {sigma}, ω₀² = {square}, τ = {tau}");
                    assert!(third.abs() <= (1.0 + 1e-9) * bounds.third + 1e-15, "{case}");
                    assert!(fourth.abs() <= (1.0 + 1e-9) * bounds.fourth + 1e-15, "{case}");
                }
            }
        }
    }
}
