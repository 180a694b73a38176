//! Moments of a polygon, Z(j,k) = ⟨z^j z̄^k⟩ over its area, z = (x + iy)/L.
//!
//! ```text
//!   ∫ z^j z̄^k dA = 1/(2i(k+1)) ∮ z^j z̄^(k+1) dz
//! ```
//!
//! Every edge integral is a polynomial, which Gauss–Legendre nodes integrate exactly.

use crate::math::complex::{Complex, complex};
use crate::math::gauss::legendre;

/// Z(j,k) for j + k ≤ order, lengths in units of `unit`.
#[derive(Clone, Debug)]
pub(super) struct Moments {
    order: usize,
    table: Vec<Complex>,
}

impl Moments {
    /// Loops of corners about the origin, material on the left of every edge.
    pub fn of(loops: &[Vec<[f64; 2]>], area: f64, unit: f64, order: usize) -> Self {
        let mut table = vec![Complex::default(); (order + 1) * (order + 1)];
        let nodes = legendre(order / 2 + 2);
        for corners in loops {
            for (i, a) in corners.iter().enumerate() {
                let b = corners[(i + 1) % corners.len()];
                let (za, zb) = (complex(a[0] / unit, a[1] / unit), complex(b[0] / unit, b[1] / unit));
                let dz = zb - za;
                for &(t, weight) in &nodes {
                    let z = za + dz.times(0.5 * (1.0 + t));
                    // dz/(2i) times half the node's weight, in units of the area
                    let mut row = -dz.turned().times(0.25 * weight * unit * unit / area);
                    for j in 0..=order {
                        let mut term = row;
                        for k in 0..=order - j {
                            term = term * z.conj();
                            let sum = &mut table[j * (order + 1) + k];
                            *sum = *sum + term.times(1.0 / (k + 1) as f64);
                        }
                        row = row * z;
                    }
                }
            }
        }
        Self { order, table }
    }

    /// ⟨z^j z̄^k⟩.
    pub fn z(&self, j: usize, k: usize) -> Complex {
        self.table[j * (self.order + 1) + k]
    }

    /// ⟨x z^j z̄^k⟩.
    pub fn xz(&self, j: usize, k: usize) -> Complex {
        (self.z(j + 1, k) + self.z(j, k + 1)).times(0.5)
    }

    /// ⟨y z^j z̄^k⟩.
    pub fn yz(&self, j: usize, k: usize) -> Complex {
        -(self.z(j + 1, k) - self.z(j, k + 1)).turned().times(0.5)
    }
}
