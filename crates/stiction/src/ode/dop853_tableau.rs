//! Coefficients of DOP853 (@hairer1993, section II.5 and II.10), as numbers.
//!
//! ```text
//!   k_i = f(t + c_i h, y + h Σ_j a_ij k_j)         y(t + h) = y + h Σ_i b_i k_i
//! ```
//!
//! Stages 0 to 11 make the step of order 8; stage 12 is f at its end, so row 12 of `A` is b. Stages 13 to 15
//! serve the interpolant of order 7 alone. The tests sum every rooted tree up to those orders, so that no
//! misprint survives.

/// Stages of the step.
pub(crate) const STAGES: usize = 12;
/// Stages with the end of the step and the three of the interpolant.
pub(crate) const ALL_STAGES: usize = 16;

/// Nodes c_i (-).
#[rustfmt::skip]
pub(crate) const C: [f64; ALL_STAGES] = [
    0.0, 0.05260015195876773, 0.0789002279381516, 0.1183503419072274, 0.2816496580927726,
    0.3333333333333333, 0.25, 0.3076923076923077, 0.6512820512820513, 0.6, 0.8571428571428571, 1.0, 1.0,
    0.1, 0.2, 0.7777777777777778,
];

/// Weights a_ij; row 12 is b (-).
#[rustfmt::skip]
pub(crate) const A: [[f64; ALL_STAGES]; ALL_STAGES] = [
    [
        0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0,
    ],
    [
        0.05260015195876773, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0,
    ],
    [
        0.0197250569845379, 0.0591751709536137, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0,
        0.0, 0.0,
    ],
    [
        0.02958758547680685, 0.0, 0.08876275643042054, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0,
        0.0, 0.0, 0.0,
    ],
    [
        0.2413651341592667, 0.0, -0.8845494793282861, 0.924834003261792, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0,
        0.0, 0.0, 0.0, 0.0, 0.0,
    ],
    [
        0.037037037037037035, 0.0, 0.0, 0.17082860872947386, 0.12546768756682242, 0.0, 0.0, 0.0, 0.0, 0.0,
        0.0, 0.0, 0.0, 0.0, 0.0, 0.0,
    ],
    [
        0.037109375, 0.0, 0.0, 0.17025221101954405, 0.06021653898045596, -0.017578125, 0.0, 0.0, 0.0, 0.0,
        0.0, 0.0, 0.0, 0.0, 0.0, 0.0,
    ],
    [
        0.03709200011850479, 0.0, 0.0, 0.17038392571223998, 0.10726203044637328, -0.015319437748624402,
        0.008273789163814023, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0,
    ],
    [
        0.6241109587160757, 0.0, 0.0, -3.3608926294469414, -0.868219346841726, 27.59209969944671,
        20.154067550477894, -43.48988418106996, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0,
    ],
    [
        0.47766253643826434, 0.0, 0.0, -2.4881146199716677, -0.590290826836843, 21.230051448181193,
        15.279233632882423, -33.28821096898486, -0.020331201708508627, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0,
    ],
    [
        -0.9371424300859873, 0.0, 0.0, 5.186372428844064, 1.0914373489967295, -8.149787010746927,
        -18.52006565999696, 22.739487099350505, 2.4936055526796523, -3.0467644718982196, 0.0, 0.0, 0.0,
        0.0, 0.0, 0.0,
    ],
    [
        2.273310147516538, 0.0, 0.0, -10.53449546673725, -2.0008720582248625, -17.9589318631188,
        27.94888452941996, -2.8589982771350235, -8.87285693353063, 12.360567175794303, 0.6433927460157636,
        0.0, 0.0, 0.0, 0.0, 0.0,
    ],
    [
        0.054293734116568765, 0.0, 0.0, 0.0, 0.0, 4.450312892752409, 1.8915178993145003,
        -5.801203960010585, 0.3111643669578199, -0.1521609496625161, 0.20136540080403034,
        0.04471061572777259, 0.0, 0.0, 0.0, 0.0,
    ],
    [
        0.056167502283047954, 0.0, 0.0, 0.0, 0.0, 0.0, 0.25350021021662483, -0.2462390374708025,
        -0.12419142326381637, 0.15329179827876568, 0.00820105229563469, 0.007567897660545699, -0.008298,
        0.0, 0.0, 0.0,
    ],
    [
        0.03183464816350214, 0.0, 0.0, 0.0, 0.0, 0.028300909672366776, 0.053541988307438566,
        -0.05492374857139099, 0.0, 0.0, -0.00010834732869724932, 0.0003825710908356584,
        -0.00034046500868740456, 0.1413124436746325, 0.0, 0.0,
    ],
    [
        -0.42889630158379194, 0.0, 0.0, 0.0, 0.0, -4.697621415361164, 7.683421196062599, 4.06898981839711,
        0.3567271874552811, 0.0, 0.0, 0.0, -0.0013990241651590145, 2.9475147891527724, -9.15095847217987,
        0.0,
    ],
];

/// Weights of the step less those of an embedded method of order 5 (-).
#[rustfmt::skip]
pub(crate) const E5: [f64; STAGES] = [
    0.01312004499419488, 0.0, 0.0, 0.0, 0.0, -1.2251564463762044, -0.4957589496572502, 1.6643771824549864,
    -0.35032884874997366, 0.3341791187130175, 0.08192320648511571, -0.022355307863886294,
];

/// Weights of the step less those of an embedded method of order 3 (-).
#[rustfmt::skip]
pub(crate) const E3: [f64; STAGES] = [
    -0.18980075407240762, 0.0, 0.0, 0.0, 0.0, 4.450312892752409, 1.8915178993145003, -5.801203960010585,
    -0.4226823213237919, -0.1521609496625161, 0.20136540080403034, 0.02265179219836082,
];

/// The one combination of the stages that vanishes up to order 6, stages 1 to 4 and 11 left out (-).
///
/// Ten times the unit vector: on a harmonic motion it is then half of the usual estimate.
#[rustfmt::skip]
pub(crate) const E6: [f64; STAGES] = [
    -0.02235812356539576, 0.0, 0.0, 0.0, 0.0, 6.070328897520099, 1.8735227557216005,
    -7.644785856545364, 0.6370729189529443, -0.8895619338358633, -0.02421865824802111, 0.0,
];
/// Weights of the last four coefficients of the interpolant (-).
#[rustfmt::skip]
pub(crate) const D: [[f64; ALL_STAGES]; 4] = [
    [
        -8.428938276109013, 0.0, 0.0, 0.0, 0.0, 0.5667149535193777, -3.0689499459498917, 2.38466765651207,
        2.117034582445028, -0.871391583777973, 2.2404374302607883, 0.6315787787694688,
        -0.08899033645133331, 18.148505520854727, -9.194632392478356, -4.436036387594894,
    ],
    [
        10.427508642579134, 0.0, 0.0, 0.0, 0.0, 242.28349177525817, 165.20045171727028, -374.5467547226902,
        -22.113666853125306, 7.733432668472264, -30.674084731089398, -9.332130526430229,
        15.697238121770845, -31.139403219565178, -9.35292435884448, 35.81684148639408,
    ],
    [
        19.985053242002433, 0.0, 0.0, 0.0, 0.0, -387.0373087493518, -189.17813819516758, 527.8081592054236,
        -11.57390253995963, 6.8812326946963, -1.0006050966910838, 0.7777137798053443, -2.778205752353508,
        -60.19669523126412, 84.32040550667716, 11.99229113618279,
    ],
    [
        -25.69393346270375, 0.0, 0.0, 0.0, 0.0, -154.18974869023643, -231.5293791760455, 357.6391179106141,
        93.40532418362432, -37.45832313645163, 104.0996495089623, 29.8402934266605, -43.53345659001114,
        96.32455395918828, -39.17726167561544, -149.72683625798564,
    ],
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ode::rooted_trees::{dot, rooted_trees};

    /// Rounding of sums over 16 stages with coefficients up to 400, and their products down a tree.
    const ROUNDING: f64 = 2e-12;

    fn rows() -> Vec<Vec<f64>> {
        A.iter().map(|row| row.to_vec()).collect()
    }

    #[test]
    fn row_sums_are_the_nodes_and_no_stage_looks_ahead() {
        for i in 0..ALL_STAGES {
            assert!((A[i].iter().sum::<f64>() - C[i]).abs() < ROUNDING, "row {i}");
            assert!(A[i][i..].iter().all(|a| *a == 0.0), "row {i}");
        }
    }

    #[test]
    fn the_step_satisfies_every_condition_of_order_8() {
        let trees = rooted_trees(&rows(), 8);
        assert_eq!(trees.len(), 200);
        for (i, tree) in trees.iter().enumerate() {
            let defect = dot(&A[STAGES], &tree.weights) - 1.0 / tree.density;
            assert!(defect.abs() < ROUNDING, "tree {i} with {} nodes: {defect:e}", tree.order);
        }
    }

    #[test]
    fn no_other_estimate_of_order_6_exists_and_the_last_stages_have_no_weight_in_it() {
        // eliminate the conditions over the stages with weight in the step and f at its end, columns in this
        // order
        let stages = [0, 5, 6, 7, 8, 9, 10, 11, 12];
        let trees = rooted_trees(&rows(), 6);
        let mut conditions: Vec<Vec<f64>> =
            trees.iter().map(|tree| stages.iter().map(|&i| tree.weights[i]).collect()).collect();
        let (mut rank, mut free) = (0, Vec::new());
        for column in 0..stages.len() {
            let size = |row: &usize| conditions[*row][column].abs();
            let pivot = (rank..conditions.len()).max_by(|a, b| size(a).total_cmp(&size(b))).unwrap();
            // rounding leaves some 1e-14, the smallest pivot is 2e-5
            if size(&pivot) < 1e-9 {
                free.push(stages[column]);
                continue;
            }
            conditions.swap(rank, pivot);
            let (above, below) = conditions.split_at_mut(rank + 1);
            for row in below {
                let factor = row[column] / above[rank][column];
                row.iter_mut().zip(&above[rank]).for_each(|(x, pivot)| *x -= factor * pivot);
            }
            rank += 1;
        }
        // one unknown is free, and stages 11 and 12 are not among those that it sets
        assert_eq!((rank, free), (8, vec![10]));
        assert_eq!(E6[11], 0.0);
    }

    #[test]
    fn the_embedded_methods_have_orders_6_5_and_3_and_no_more() {
        for (e, order) in [(E6, 6), (E5, 5), (E3, 3)] {
            let trees = rooted_trees(&rows(), order + 1);
            let (within, beyond): (Vec<_>, Vec<_>) = trees.iter().partition(|tree| tree.order <= order);
            assert!(within.iter().all(|tree| dot(&e, &tree.weights).abs() < ROUNDING), "order {order}");
            assert!(beyond.iter().any(|tree| dot(&e, &tree.weights).abs() > 1e-5), "order {order}");
        }
    }

    /// Weights b_i(θ) of the interpolant, from its nested form (see `dop853.rs`).
    fn interpolant_weights(x: f64) -> [f64; ALL_STAGES] {
        std::array::from_fn(|i| {
            let unit = |j: usize| f64::from(u8::from(i == j));
            let (b, first, last) = (A[STAGES][i], unit(0), unit(STAGES));
            let head = [b, first - b, 2.0 * b - first - last];
            let tail = D.iter().map(|d| d[i]);
            let terms: Vec<f64> = head.into_iter().chain(tail).collect();
            terms
                .iter()
                .enumerate()
                .rev()
                .fold(0.0, |sum, (k, term)| (sum + term) * if k % 2 == 0 { x } else { 1.0 - x })
        })
    }

    #[test]
    fn the_interpolant_satisfies_every_condition_of_order_7() {
        let trees = rooted_trees(&rows(), 7);
        assert_eq!(trees.len(), 85);
        for x in [0.0, 0.1, 0.25, 0.4, 0.5, 0.7, 0.9, 1.0] {
            let b = interpolant_weights(x);
            for (i, tree) in trees.iter().enumerate() {
                let defect = dot(&b, &tree.weights) - x.powi(tree.order as i32) / tree.density;
                assert!(defect.abs() < ROUNDING, "θ = {x}, tree {i} with {} nodes: {defect:e}", tree.order);
            }
        }
    }
}
