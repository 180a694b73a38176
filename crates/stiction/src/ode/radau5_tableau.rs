//! The coefficients of Radau IIA with three stages (@hairer1996, IV.8).

/// √6.
const S: f64 = 2.449489742783178;
/// Nodes.
pub(super) const C: [f64; 3] = [(4.0 - S) / 10.0, (4.0 + S) / 10.0, 1.0];
/// Weights; the last row makes the step.
pub(super) const A: [[f64; 3]; 3] = [
    [(88.0 - 7.0 * S) / 360.0, (296.0 - 169.0 * S) / 1800.0, (-2.0 + 3.0 * S) / 225.0],
    [(296.0 + 169.0 * S) / 1800.0, (88.0 + 7.0 * S) / 360.0, (-2.0 - 3.0 * S) / 225.0],
    [(16.0 - S) / 36.0, (16.0 + S) / 36.0, 1.0 / 9.0],
];
/// Real eigenvalue γ = 3 + 3^⅔ − 3^⅓ of A⁻¹.
pub(super) const GAMMA: f64 = 3.637834252744496;
/// Complex eigenvalue α − iβ of A⁻¹.
pub(super) const ALPHA: f64 = 2.6810828736277523;
pub(super) const BETA: f64 = 3.0504301992474105;
/// Eigenvectors, and their inverse.
pub(super) const T: [[f64; 3]; 3] = [
    [0.09443876248897524, -0.1412552950209542, 0.03002919410514742],
    [0.2502131229653333, 0.20412935229379994, -0.3829421127572619],
    [1.0, 1.0, 0.0],
];
pub(super) const TI: [[f64; 3]; 3] = [
    [4.178718591551904, 0.32768282076106237, 0.5233764454994495],
    [-4.178718591551904, -0.32768282076106237, 0.47662355450055044],
    [0.5028726349457868, -2.571926949855605, 0.5960392048282249],
];
/// Weights of the stages in the error estimate.
pub(super) const E: [f64; 3] = [(-13.0 - 7.0 * S) / 3.0, (-13.0 + 7.0 * S) / 3.0, -1.0 / 3.0];
/// Powers θ, θ², θ³ of the collocation polynomial, per stage.
pub(super) const P: [[f64; 3]; 3] = [
    [(13.0 + 7.0 * S) / 3.0, (-23.0 - 22.0 * S) / 3.0, 10.0 / 3.0 + 5.0 * S],
    [(13.0 - 7.0 * S) / 3.0, (-23.0 + 22.0 * S) / 3.0, 10.0 / 3.0 - 5.0 * S],
    [1.0 / 3.0, -8.0 / 3.0, 10.0 / 3.0],
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ode::rooted_trees::{dot, rooted_trees};

    /// Rounding of sums of products of numbers below 20.
    const ROUNDING: f64 = 1e-13;

    fn product(a: &[[f64; 3]; 3], b: &[[f64; 3]; 3]) -> [[f64; 3]; 3] {
        std::array::from_fn(|i| std::array::from_fn(|j| (0..3).map(|k| a[i][k] * b[k][j]).sum()))
    }

    fn is_close(a: &[[f64; 3]; 3], b: &[[f64; 3]; 3]) -> bool {
        a.iter().flatten().zip(b.iter().flatten()).all(|(a, b)| (a - b).abs() < ROUNDING)
    }

    #[test]
    fn the_table_satisfies_every_condition_of_order_5() {
        let rows: Vec<Vec<f64>> = A.iter().map(|row| row.to_vec()).collect();
        for tree in rooted_trees(&rows, 5) {
            assert!((dot(&A[2], &tree.weights) - 1.0 / tree.density).abs() < ROUNDING, "{}", tree.order);
        }
        for (row, c) in A.iter().zip(C) {
            assert!((row.iter().sum::<f64>() - c).abs() < ROUNDING);
        }
    }

    #[test]
    fn the_transformation_makes_the_inverse_of_the_table_block_diagonal() {
        let one = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let block = [[GAMMA, 0.0, 0.0], [0.0, ALPHA, BETA], [0.0, -BETA, ALPHA]];
        assert!(is_close(&product(&T, &TI), &one));
        // A⁻¹ = T block T⁻¹
        assert!(is_close(&product(&A, &product(&T, &product(&block, &TI))), &one));
    }

    #[test]
    fn the_polynomial_passes_through_the_stages() {
        for (j, c) in C.iter().enumerate() {
            for (i, p) in P.iter().enumerate() {
                let value = c * (p[0] + c * (p[1] + c * p[2]));
                assert!((value - f64::from(u8::from(i == j))).abs() < ROUNDING);
            }
        }
    }

    #[test]
    fn the_error_estimate_vanishes_for_cubics_with_their_slope_at_the_start() {
        // z = c^k h^k: γ₀ (f₀ h + Σ e z) must vanish for y = t, t², t³ (f₀ = 1, 0, 0)
        for k in 1..=3 {
            let sum: f64 = E.iter().zip(C).map(|(e, c)| e * c.powi(k)).sum();
            let slope = if k == 1 { 1.0 } else { 0.0 };
            assert!((sum + slope).abs() < ROUNDING, "power {k}: {sum}");
        }
    }
}
