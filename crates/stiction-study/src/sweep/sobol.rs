//! Sobol's sequence with the direction numbers of Joe and Kuo (@joe2008), in the order of the Gray code.
//!
//! ```text
//!   x_i = ⊕ V_b over the bits b of i ⊕ ⌊i/2⌋,     V_b = m_b / 2^{b+1}
//!   m_b = 2 a₁ m_{b−1} ⊕ … ⊕ 2^{s−1} a_{s−1} m_{b−s+1} ⊕ 2^s m_{b−s} ⊕ m_{b−s}
//! ```
//!
//! with the primitive polynomial x^s + a₁ x^{s−1} + … + 1 of each dimension. Points 0 … 2^k − 1 of any
//! dimension fall one each into the 2^k equal parts of the interval.

/// Bits of a coordinate: all of them fit a number of double precision.
pub const BITS: u32 = 52;
/// The most dimensions.
pub const MAX_DIMENSIONS: usize = 64;

/// Direction numbers of one dimension.
#[derive(Clone, Debug, PartialEq)]
pub struct SobolDirections([u64; BITS as usize]);

impl SobolDirections {
    /// Those of dimension `d`, below [`MAX_DIMENSIONS`].
    pub fn new(d: usize) -> Self {
        let mut m = [1u64; BITS as usize];
        if let Some((polynomial, initial)) = d.checked_sub(1).and_then(|d| ROWS.get(d)) {
            let s = initial.len();
            m[..s].copy_from_slice(initial);
            for b in s..BITS as usize {
                m[b] = m[b - s] ^ (m[b - s] << s);
                for k in 1..s {
                    if polynomial >> (s - k) & 1 == 1 {
                        m[b] ^= m[b - k] << k;
                    }
                }
            }
        }
        for (b, m) in m.iter_mut().enumerate() {
            *m <<= BITS - 1 - b as u32;
        }
        Self(m)
    }

    /// Coordinate of point `i` in parts of 2^-`BITS`.
    pub fn coordinate(&self, i: u64) -> u64 {
        let gray = i ^ (i >> 1);
        self.0.iter().enumerate().filter(|(b, _)| gray >> b & 1 == 1).fold(0, |x, (_, v)| x ^ v)
    }
}

/// Primitive polynomials by their bits, and the first numbers m, from the second dimension on.
const ROWS: [(u64, &[u64]); MAX_DIMENSIONS - 1] = [
    (3, &[1]),
    (7, &[1, 3]),
    (11, &[1, 3, 1]),
    (13, &[1, 1, 1]),
    (19, &[1, 1, 3, 3]),
    (25, &[1, 3, 5, 13]),
    (37, &[1, 1, 5, 5, 17]),
    (41, &[1, 1, 5, 5, 5]),
    (47, &[1, 1, 7, 11, 19]),
    (55, &[1, 1, 5, 1, 1]),
    (59, &[1, 1, 1, 3, 11]),
    (61, &[1, 3, 5, 5, 31]),
    (67, &[1, 3, 3, 9, 7, 49]),
    (91, &[1, 1, 1, 15, 21, 21]),
    (97, &[1, 3, 1, 13, 27, 49]),
    (103, &[1, 1, 1, 15, 7, 5]),
    (109, &[1, 3, 1, 15, 13, 25]),
    (115, &[1, 1, 5, 5, 19, 61]),
    (131, &[1, 3, 7, 11, 23, 15, 103]),
    (137, &[1, 3, 7, 13, 13, 15, 69]),
    (143, &[1, 1, 3, 13, 7, 35, 63]),
    (145, &[1, 3, 5, 9, 1, 25, 53]),
    (157, &[1, 3, 1, 13, 9, 35, 107]),
    (167, &[1, 3, 1, 5, 27, 61, 31]),
    (171, &[1, 1, 5, 11, 19, 41, 61]),
    (185, &[1, 3, 5, 3, 3, 13, 69]),
    (191, &[1, 1, 7, 13, 1, 19, 1]),
    (193, &[1, 3, 7, 5, 13, 19, 59]),
    (203, &[1, 1, 3, 9, 25, 29, 41]),
    (211, &[1, 3, 5, 13, 23, 1, 55]),
    (213, &[1, 3, 7, 3, 13, 59, 17]),
    (229, &[1, 3, 1, 3, 5, 53, 69]),
    (239, &[1, 1, 5, 5, 23, 33, 13]),
    (241, &[1, 1, 7, 7, 1, 61, 123]),
    (247, &[1, 1, 7, 9, 13, 61, 49]),
    (253, &[1, 3, 3, 5, 3, 55, 33]),
    (285, &[1, 3, 1, 15, 31, 13, 49, 245]),
    (299, &[1, 3, 5, 15, 31, 59, 63, 97]),
    (301, &[1, 3, 1, 11, 11, 11, 77, 249]),
    (333, &[1, 3, 1, 11, 27, 43, 71, 9]),
    (351, &[1, 1, 7, 15, 21, 11, 81, 45]),
    (355, &[1, 3, 7, 3, 25, 31, 65, 79]),
    (357, &[1, 3, 1, 1, 19, 11, 3, 205]),
    (361, &[1, 1, 5, 9, 19, 21, 29, 157]),
    (369, &[1, 3, 7, 11, 1, 33, 89, 185]),
    (391, &[1, 3, 3, 3, 15, 9, 79, 71]),
    (397, &[1, 3, 7, 11, 15, 39, 119, 27]),
    (425, &[1, 1, 3, 1, 11, 31, 97, 225]),
    (451, &[1, 1, 1, 3, 23, 43, 57, 177]),
    (463, &[1, 3, 7, 7, 17, 17, 37, 71]),
    (487, &[1, 3, 1, 5, 27, 63, 123, 213]),
    (501, &[1, 1, 3, 5, 11, 43, 53, 133]),
    (529, &[1, 3, 5, 5, 29, 17, 47, 173, 479]),
    (539, &[1, 3, 3, 11, 3, 1, 109, 9, 69]),
    (545, &[1, 1, 1, 5, 17, 39, 23, 5, 343]),
    (557, &[1, 3, 1, 5, 25, 15, 31, 103, 499]),
    (563, &[1, 1, 1, 11, 11, 17, 63, 105, 183]),
    (601, &[1, 1, 5, 11, 9, 29, 97, 231, 363]),
    (607, &[1, 1, 5, 15, 19, 45, 41, 7, 383]),
    (617, &[1, 3, 7, 7, 31, 19, 83, 137, 221]),
    (623, &[1, 1, 1, 3, 23, 15, 111, 223, 83]),
    (631, &[1, 1, 5, 13, 31, 15, 55, 25, 161]),
    (637, &[1, 1, 3, 13, 25, 47, 39, 87, 257]),
];

#[cfg(test)]
mod tests {
    use super::*;

    /// Points that SciPy makes (`scipy.stats.qmc.Sobol` without scrambling), of 30 bits.
    #[test]
    fn points_are_those_of_scipy() {
        let table = include_str!("../../../stiction/tests/reference/sobol.csv");
        for line in table.lines() {
            let numbers: Vec<u64> = line.split(',').map(|cell| cell.parse().unwrap()).collect();
            assert_eq!(numbers.len(), 1 + MAX_DIMENSIONS);
            for (d, x) in numbers[1..].iter().enumerate() {
                let found = SobolDirections::new(d).coordinate(numbers[0]);
                assert_eq!(found, x << (BITS - 30), "point {}, dimension {d}", numbers[0]);
            }
        }
    }

    /// What makes the sequence Sobol's: it holds for no other choice of odd numbers but by chance.
    #[test]
    fn every_dimension_puts_one_point_into_each_part() {
        const LEVEL: u32 = 10;
        for d in 0..MAX_DIMENSIONS {
            let directions = SobolDirections::new(d);
            let mut seen = [false; 1 << LEVEL];
            for i in 0..1u64 << LEVEL {
                seen[(directions.coordinate(i) >> (BITS - LEVEL)) as usize] = true;
            }
            assert!(seen.iter().all(|seen| *seen), "dimension {d}");
        }
    }

    /// The first two dimensions are a (0, m, 2)-net: one point in every box of 2^-a by 2^-(m-a).
    #[test]
    fn the_first_two_dimensions_are_a_net() {
        const M: u32 = 8;
        let [x, y] = [0, 1].map(SobolDirections::new);
        for a in 0..=M {
            let mut seen = [0; 1 << M];
            for i in 0..1u64 << M {
                let column = x.coordinate(i).checked_shr(BITS - a).unwrap_or(0);
                let row = y.coordinate(i).checked_shr(BITS - (M - a)).unwrap_or(0);
                seen[(column << (M - a) | row) as usize] += 1;
            }
            assert!(seen.iter().all(|n| *n == 1), "boxes of 2^-{a}");
        }
    }
}
