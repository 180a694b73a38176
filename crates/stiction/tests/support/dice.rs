//! Random numbers for tests: the same on every machine.

/// A linear congruence with the multiplier of MMIX (@knuth1997); the high bits are the good ones.
pub struct Dice(pub u64);

impl Dice {
    /// A number in [0, 1).
    pub fn roll(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn between(&mut self, a: f64, b: f64) -> f64 {
        a + (b - a) * self.roll()
    }

    pub fn chance(&mut self, p: f64) -> bool {
        self.roll() < p
    }

    /// A number from 0 to n − 1.
    pub fn below(&mut self, n: usize) -> usize {
        (self.roll() * n as f64) as usize
    }
}
