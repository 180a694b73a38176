//! The pressure gradient that the overturning moment of friction brings about.
//!
//! A body whose centre of mass is h above the plane shifts its pressure by s = −hF/N; the friction force F
//! itself depends on the shifted pressure. With S the second moments of the pressure, g = S⁻¹s its gradient,
//! and the modes φ₀, φ_x, φ_y (friction of the pressures 1, x, y per unit μN),
//!
//! ```text
//!   F/(μN) = φ₀ + φ_x g_x + φ_y g_y,   g = −hμ S⁻¹ F/(μN)   ⇒   (1 + hμ S⁻¹[φ_x φ_y]) g = −hμ S⁻¹ φ₀
//! ```
//!
//! a linear system of two equations, solved directly. It has exactly one solution: while no s with |s| ≤ hμ
//! makes the pressure negative (which `check` demands), the map s ↦ −hF(s)/N takes that disc into its
//! interior (|F| < μN as soon as the body spins), so it has a fixed point there, and a line of them would
//! have to cross the boundary. F is Coulomb's friction here, also under the generalised law, whose force has
//! no bound.

use super::{Jacobian, Wrench};

#[derive(Clone, Debug)]
pub(super) struct Tilt {
    /// hμ S⁻¹: xx, xy, yy (1/m).
    matrix: [f64; 3],
}

/// The wrenches of the pressures 1, x and y and their derivatives by the twist.
pub(super) struct TiltModes {
    pub wrenches: [Wrench; 3],
    pub slopes: [Jacobian; 3],
}

impl Tilt {
    /// `reach` is hμ.
    pub fn new(reach: f64, second: [f64; 3]) -> Self {
        Self { matrix: inverse(second).map(|v| reach * v) }
    }

    fn applied(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let [xx, xy, yy] = self.matrix;
        [xx * x + xy * y, xy * x + yy * y]
    }

    /// Solves (1 + hμ S⁻¹[φ_x φ_y]) g = −hμ S⁻¹ f.
    fn solved(&self, modes: &[Wrench; 3], f: [f64; 2]) -> [f64; 2] {
        let [a, c] = self.applied([modes[1].fx, modes[1].fy]);
        let [b, d] = self.applied([modes[2].fx, modes[2].fy]);
        let (a, d) = (1.0 + a, 1.0 + d);
        let [x, y] = self.applied(f);
        let det = a * d - b * c;
        [(b * y - d * x) / det, (c * x - a * y) / det]
    }

    /// The gradient of the pressure (1/m).
    pub fn gradient(&self, modes: &[Wrench; 3]) -> [f64; 2] {
        self.solved(modes, [modes[0].fx, modes[0].fy])
    }

    /// The same for a known force, in parts of μN.
    pub fn gradient_under(&self, [fx, fy]: [f64; 2]) -> [f64; 2] {
        self.applied([-fx, -fy])
    }

    /// The derivative of φ₀ + g·φ by the twist, g included; `bare` is what g follows from.
    pub fn jacobian(&self, full: &TiltModes, bare: &TiltModes) -> Jacobian {
        let TiltModes { wrenches: modes, slopes } = bare;
        let g = self.gradient(modes);
        let at_fixed_pressure =
            |j: &[Jacobian; 3], i: usize, k: usize| j[0][i][k] + g[0] * j[1][i][k] + g[1] * j[2][i][k];
        let rows = full.wrenches.map(|w| [w.fx, w.fy, w.mz]);
        let columns: [[f64; 2]; 3] = std::array::from_fn(|k| {
            self.solved(modes, [at_fixed_pressure(slopes, 0, k), at_fixed_pressure(slopes, 1, k)])
        });
        std::array::from_fn(|i| {
            std::array::from_fn(|k| {
                let [dgx, dgy] = columns[k];
                at_fixed_pressure(&full.slopes, i, k) + dgx * rows[1][i] + dgy * rows[2][i]
            })
        })
    }
}

/// Inverse of a symmetric matrix given as xx, xy, yy.
pub(super) fn inverse([xx, xy, yy]: [f64; 3]) -> [f64; 3] {
    let det = xx * yy - xy * xy;
    [yy / det, -xy / det, xx / det]
}

#[cfg(test)]
mod tests {
    use crate::patch::{Disc, Patch, Piece, Pressure, Ring, Shape, Twist};

    /// Thin rings, whose friction against pure sliding is μ times their load.
    #[test]
    fn the_loads_of_the_feet_carry_the_weight_and_the_moment_of_friction() {
        let at = [[0.2, 0.0], [-0.1, 0.17], [-0.1, -0.17]];
        let foot = |centre, share| {
            let shape = Shape::Ring(Ring { radius: 0.01 });
            Piece { shape, pressure: Pressure::Uniform, centre, share }
        };
        let feet: Vec<Piece> = at.iter().zip([1.0, 2.0, 2.0]).map(|(c, share)| foot(*c, share)).collect();
        let patch = Patch::new(Shape::Pieces(feet), Pressure::Uniform, 0.5, 60.0);
        let high = Patch { height: 0.1, ..patch.clone() };
        let flat = patch.prepare().unwrap().foot_loads([3.0, 4.0]).unwrap();
        assert!(flat.iter().zip([12.0, 24.0, 24.0]).all(|(a, b)| (a - b).abs() < 1e-13));
        let friction = high.prepare().unwrap();
        for twist in [
            Twist { vx: 1.0, vy: 0.0, omega: 0.0 },
            Twist { vx: -0.3, vy: 0.4, omega: 2.0 },
            Twist { vx: 0.0, vy: 0.1, omega: -3.0 },
        ] {
            let w = friction.wrench(twist);
            let loads = friction.foot_loads([w.fx, w.fy]).unwrap();
            assert!((loads.iter().sum::<f64>() - 60.0).abs() < 1e-12);
            for k in 0..2 {
                // the centre of pressure goes by −h F/N
                let centre = |loads: &[f64]| loads.iter().zip(&at).map(|(n, c)| n * c[k]).sum::<f64>();
                let shift = -0.1 * [w.fx, w.fy][k];
                assert!((centre(&loads) - centre(&flat) - shift).abs() < 1e-12, "{twist:?}");
            }
            // each foot by itself under its load
            let own = at.iter().zip(&loads).map(|(centre, load)| {
                let ring = Patch::new(Shape::Ring(Ring { radius: 0.01 }), Pressure::Uniform, 0.5, *load);
                Patch { centre: *centre, ..ring }.prepare().unwrap().wrench(twist)
            });
            let (fx, mz) = own.fold((0.0, 0.0), |sum, w| (sum.0 + w.fx, sum.1 + w.mz));
            assert!((fx - w.fx).abs() < 1e-11 && (mz - w.mz).abs() < 1e-11, "{twist:?}");
        }
        let disc = Patch::new(Shape::Disc(Disc { radius: 0.1 }), Pressure::Uniform, 0.5, 60.0);
        assert_eq!(disc.prepare().unwrap().foot_loads([1.0, 0.0]), None);
    }
}
