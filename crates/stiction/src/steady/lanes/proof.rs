//! That a slide keeps the sign of its velocity.
//!
//! Cells cover the slide. On each of them the Taylor polynomial of w, divided by the zero of w at the end of the cell where it has one, and less
//! a bound on the remainder, is a polynomial on [0, 1]; if its Bernstein coefficients are positive, so is w inside.

use super::map::{LaneMotion, LanePhase, PhaseKind, fault};
use super::numbers::LaneSystems;
use crate::math::complex::Complex;

/// Rounding of the coefficients of a proof, in units of the parts of the velocity.
const PROOF: f64 = 32.0 * f64::EPSILON;
/// Order of the polynomials of a proof.
const ORDER: usize = 8;

impl<const W: usize> LaneMotion<W> {
    /// Proves that the velocity keeps its sign, and takes it and the acceleration at the end.
    #[inline(always)]
    pub(super) fn prove(
        &mut self,
        s: &LaneSystems<W>,
        phase: &LanePhase<W>,
        kind: &PhaseKind,
        has_event: bool,
    ) {
        match kind.order {
            0 => self.prove_first::<0>(s, phase, kind),
            1 => self.prove_first::<1>(s, phase, kind),
            _ => self.prove_first::<2>(s, phase, kind),
        }
        let cell = 1.0 / kind.cells as f64;
        for cell_of in 1..kind.cells.saturating_sub(1) {
            let at = cell_of as f64;
            for i in 0..W {
                let (c, q) = (phase.free(i), phase.wave(i));
                let h = phase.length[i] * cell;
                let (e, w) = s.factors(i, h * at);
                let d = s.derivatives::<ORDER>(i, c * e, q * w);
                self.faults[i] += s.doubt::<0>(i, [c, q], taylor(d, kind.sign, h), h);
            }
        }
        if has_event {
            self.prove_last::<1>(s, phase, kind);
        } else {
            self.prove_last::<0>(s, phase, kind);
        }
    }

    /// In the first cell, where the velocity has a zero of order P.
    #[inline(always)]
    fn prove_first<const P: usize>(&mut self, s: &LaneSystems<W>, phase: &LanePhase<W>, kind: &PhaseKind) {
        let cell = 1.0 / kind.cells as f64;
        for i in 0..W {
            let (c, q) = (phase.free(i), phase.wave(i));
            let h = phase.length[i] * cell;
            let mut d = s.derivatives::<ORDER>(i, c, q);
            (d[0], d[1]) = (self.v[i], self.a[i]);
            self.faults[i] += s.doubt::<P>(i, [c, q], taylor(d, kind.sign, h), h);
        }
    }

    /// Back from the end, where it has one of order P.
    #[inline(always)]
    fn prove_last<const P: usize>(&mut self, s: &LaneSystems<W>, phase: &LanePhase<W>, kind: &PhaseKind) {
        let cell = 1.0 / kind.cells as f64;
        for i in 0..W {
            let (c, q) = (phase.free(i), phase.wave(i));
            let h = phase.length[i] * cell;
            let d = s.derivatives::<ORDER>(i, c * phase.decay(i), q * phase.turn(i));
            self.faults[i] += s.doubt::<P>(i, [c, q], taylor(d, kind.sign, -h), h);
            (self.before[0][i], self.before[1][i]) = (d[0], d[1]);
        }
    }
}

impl<const W: usize> LaneSystems<W> {
    /// One if the velocity over its zero of order P may vanish on a cell of length `h`: the bound on the next term of its Taylor polynomial
    /// counts, and the rounding of its parts.
    #[inline(always)]
    fn doubt<const P: usize>(&self, i: usize, [c, q]: [Complex; 2], terms: [f64; ORDER], h: f64) -> f64 {
        let (square, omega) = (self.square[i] * h * h, self.omega[i] * h * (self.omega[i] * h));
        let fourth = |x: f64| (x * x) * (x * x);
        let (free, wave) = (size(c), size(q));
        let remainder = (free * fourth(square) + wave * fourth(omega)) * (1.0 / 40320.0);
        fault(least::<P>(terms, remainder) - PROOF * (free + wave))
    }
}

/// |z|.
#[inline(always)]
fn size(z: Complex) -> f64 {
    (z.re * z.re + z.im * z.im).sqrt()
}

/// The terms of the Taylor polynomial at h, with a sign.
#[inline(always)]
fn taylor(d: [f64; ORDER], sign: f64, h: f64) -> [f64; ORDER] {
    let [d0, d1, d2, d3, d4, d5, d6, d7] = d;
    let h2 = h * h;
    let (h3, h4) = (h2 * h, h2 * h2);
    [
        sign * d0,
        sign * d1 * h,
        sign * d2 * (h2 * 0.5),
        sign * d3 * (h3 * (1.0 / 6.0)),
        sign * d4 * (h4 * (1.0 / 24.0)),
        sign * d5 * (h2 * h3 * (1.0 / 120.0)),
        sign * d6 * (h3 * h3 * (1.0 / 720.0)),
        sign * d7 * (h4 * h3 * (1.0 / 5040.0)),
    ]
}

/// The least Bernstein coefficient of Σ aⱼ xʲ⁻ᴾ − r x⁸⁻ᴾ on [0, 1]: a bound below it.
#[inline(always)]
fn least<const P: usize>([a0, a1, a2, a3, a4, a5, a6, a7]: [f64; ORDER], remainder: f64) -> f64 {
    // over 1, 8, 28, 56, 70, 56, 28, 8, 1
    let r = -remainder;
    let a = match P {
        0 => [a0, a1, a2, a3, a4, a5, a6, a7, r],
        1 => [a1, a2, a3, a4, a5, a6, a7, r, 0.0],
        _ => [a2, a3, a4, a5, a6, a7, r, 0.0, 0.0],
    };
    let b = [
        a[0],
        a[1] * (1.0 / 8.0),
        a[2] * (1.0 / 28.0),
        a[3] * (1.0 / 56.0),
        a[4] * (1.0 / 70.0),
        a[5] * (1.0 / 56.0),
        a[6] * (1.0 / 28.0),
        a[7] * (1.0 / 8.0),
        a[8],
    ];
    // the first of every round of sums is the next coefficient; a NaN stays
    let sums = |b: [f64; ORDER + 1]| {
        let [b0, b1, b2, b3, b4, b5, b6, b7, b8] = b;
        [b0 + b1, b1 + b2, b2 + b3, b3 + b4, b4 + b5, b5 + b6, b6 + b7, b7 + b8, b8]
    };
    let smaller = |x: f64, y: f64| if y > x { x } else { y };
    let (b1, least) = (sums(b), b[0]);
    let (b2, least) = (sums(b1), smaller(least, b1[0]));
    let (b3, least) = (sums(b2), smaller(least, b2[0]));
    let (b4, least) = (sums(b3), smaller(least, b3[0]));
    let (b5, least) = (sums(b4), smaller(least, b4[0]));
    let (b6, least) = (sums(b5), smaller(least, b5[0]));
    let (b7, least) = (sums(b6), smaller(least, b6[0]));
    let b8 = sums(b7);
    smaller(smaller(least, b7[0]), b8[0])
}
