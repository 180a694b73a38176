//! Time as a sum of two numbers, so that a phase starts where the one before it ended, to the last bit.

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Time {
    /// The time, rounded (s).
    pub t: f64,
    /// What the rounding took away (s).
    pub rest: f64,
}

impl Time {
    pub fn new(t: f64) -> Self {
        Self { t, rest: 0.0 }
    }

    /// `self` + τ (@knuth1997, two-sum).
    #[inline]
    pub fn plus(self, tau: f64) -> Self {
        let add = tau + self.rest;
        let t = self.t + add;
        let part = t - self.t;
        let rest = (self.t - (t - part)) + (add - part);
        Self { t, rest }
    }

    /// `t` − self (s).
    #[inline]
    pub fn until(self, t: f64) -> f64 {
        (t - self.t) - self.rest
    }

    /// The time that has passed at `t`; zero at the rounded start (s).
    #[inline]
    pub fn since(self, t: f64) -> f64 {
        if t == self.t { 0.0 } else { self.until(t).max(0.0) }
    }

    /// ω·self + φ (rad).
    #[inline]
    pub fn angle(self, omega: f64, phase: f64) -> f64 {
        (omega * self.t + phase) + omega * self.rest
    }
}
