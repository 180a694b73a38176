//! Models of beams for the tests.

use stiction::law::{Coulomb, FrictionLaw};
use stiction::math::Matrix;
use stiction::system::{Contact, Harmonic, System};

/// A cantilever of `n` Euler–Bernoulli elements with consistent mass, EI = ρA = L = 1, and degrees of freedom
/// (w, w′) from node 1 on; C = αM + βK. At its tip the load sin 3.4t and a contact with μ = 0.3, μ_static =
/// 0.4 under unit load.
pub fn cantilever(n: usize, alpha: f64, beta: f64) -> System {
    let h = 1.0 / n as f64;
    let (mut mass, mut stiffness) = (Matrix::zeros(2 * n, 2 * n), Matrix::zeros(2 * n, 2 * n));
    let m = [
        [156.0, 22.0 * h, 54.0, -13.0 * h],
        [22.0 * h, 4.0 * h * h, 13.0 * h, -3.0 * h * h],
        [54.0, 13.0 * h, 156.0, -22.0 * h],
        [-13.0 * h, -3.0 * h * h, -22.0 * h, 4.0 * h * h],
    ];
    let k = [
        [12.0, 6.0 * h, -12.0, 6.0 * h],
        [6.0 * h, 4.0 * h * h, -6.0 * h, 2.0 * h * h],
        [-12.0, -6.0 * h, 12.0, -6.0 * h],
        [6.0 * h, 2.0 * h * h, -6.0 * h, 4.0 * h * h],
    ];
    for element in 0..n {
        for a in 0..4 {
            for b in 0..4 {
                let (Some(i), Some(j)) = ((2 * element + a).checked_sub(2), (2 * element + b).checked_sub(2))
                else {
                    continue;
                };
                *mass.at_mut(i, j) += h / 420.0 * m[a][b];
                *stiffness.at_mut(i, j) += k[a][b] / (h * h * h);
            }
        }
    }
    let damping = mass.data.iter().zip(&stiffness.data).map(|(m, k)| alpha * m + beta * k).collect();
    let tip = 2 * n - 2;
    let unit = |at: usize| (0..2 * n).map(|i| f64::from(u8::from(i == at))).collect::<Vec<f64>>();
    let law = FrictionLaw::Coulomb(Coulomb { mu: 0.3, mu_static: Some(0.4) });
    System {
        elements: Default::default(),
        damping: Matrix { n_rows: 2 * n, n_cols: 2 * n, data: damping },
        mass,
        stiffness,
        contacts: vec![Contact { friction: law.into(), load: 1.0, direction: unit(tip), belt: 0.0 }],
        constant: vec![0.0; 2 * n],
        harmonics: vec![Harmonic { amplitude: unit(tip), omega: 3.4, phase: 0.0 }],
        position: vec![0.0; 2 * n],
        velocity: vec![0.0; 2 * n],
    }
}
