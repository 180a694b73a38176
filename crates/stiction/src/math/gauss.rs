//! Gauss's formula: nodes and weights (Legendre).

/// Nodes and weights on [−1, 1].
pub(crate) fn legendre(n: usize) -> Vec<(f64, f64)> {
    let polynomial = |x: f64| {
        let (mut a, mut b) = (1.0, x);
        for i in 2..=n {
            let i = i as f64;
            (a, b) = (b, ((2.0 * i - 1.0) * x * b - (i - 1.0) * a) / i);
        }
        (b, n as f64 * (x * b - a) / (x * x - 1.0))
    };
    (0..n)
        .map(|i| {
            let mut x = libm::cos(std::f64::consts::PI * (i as f64 + 0.75) / (n as f64 + 0.5));
            // Newton from this start converges to the last bit in four steps
            for _ in 0..6 {
                let (p, slope) = polynomial(x);
                x -= p / slope;
            }
            let slope = polynomial(x).1;
            (x, 2.0 / ((1.0 - x * x) * slope * slope))
        })
        .collect()
}

/// Gauss's formula with ten nodes on [0, 1]: distances of the nodes from the middle, and weights.
const TEN: [(f64, f64); 5] = [
    (0.074_437_169_490_815_6, 0.147_762_112_357_376_44),
    (0.216_697_697_064_623_6, 0.134_633_359_654_998_17),
    (0.339_704_784_149_512_2, 0.109_543_181_257_991_02),
    (0.432_531_683_344_492_26, 0.074_725_674_575_290_3),
    (0.486_953_264_258_585_87, 0.033_335_672_154_344_07),
];

/// Ten nodes on [0, 1] in ascending order, with their weights.
pub(crate) fn ten() -> impl Iterator<Item = (f64, f64)> {
    let below = TEN.iter().rev().map(|&(x, w)| (0.5 - x, w));
    below.chain(TEN.iter().map(|&(x, w)| (0.5 + x, w)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_ten_is_the_one_that_newton_finds() {
        let mut found: Vec<(f64, f64)> = legendre(10).iter().map(|(x, w)| (0.5 + 0.5 * x, 0.5 * w)).collect();
        found.sort_by(|a, b| a.0.total_cmp(&b.0));
        for ((x, w), (x_ten, w_ten)) in found.into_iter().zip(ten()) {
            assert!((x - x_ten).abs() < 4e-16 && (w - w_ten).abs() < 4e-16, "{x} {w} {x_ten} {w_ten}");
        }
    }

    #[test]
    fn the_formula_integrates_polynomials_up_to_degree_nineteen() {
        for degree in 0..20 {
            let sum: f64 = ten().map(|(x, w)| w * x.powi(degree)).sum();
            // twenty roundings of numbers of order one
            assert!((sum - 1.0 / (degree + 1) as f64).abs() < 4e-15, "degree {degree}: {sum}");
        }
    }
}
