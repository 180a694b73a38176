//! Kirchhoff's plate in rectangular elements of twelve degrees of freedom (@adini1961) with consistent mass.
//!
//! ```text
//!   w = Σ a_k ξᵖηᵠ,   (p, q) with p + q ≤ 3, and (3, 1), (1, 3);     degrees (w, ∂w/∂x, ∂w/∂y) of each corner
//!   K = D ∫ w_xx² + w_yy² + 2ν w_xx w_yy + 2(1 − ν) w_xy²,    M = ρt ∫ w²,    D = E t³/(12(1 − ν²))
//! ```
//!
//! Bending of a thin plate; shear and rotary inertia are neglected. Slopes across the edges of elements are not continuous: frequencies
//! converge from below, as the square of the mesh width.

use super::{Assembling, Assembly, Support};
use crate::Faults;
use crate::math::lu::Lu;

/// Exponents of the monomials.
const EXPONENTS: [[usize; 2]; 12] =
    [[0, 0], [1, 0], [0, 1], [2, 0], [1, 1], [0, 2], [3, 0], [2, 1], [1, 2], [0, 3], [3, 1], [1, 3]];

/// More degrees of freedom than this are not counted one by one.
const MANY: usize = 10_000_000;

/// A thin rectangular plate in bending.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
pub struct Plate {
    /// Number of elements along x and y; node i + j (elements along x + 1) is the i-th along x, the j-th along y, from 0.
    pub elements: [usize; 2],
    /// Lengths of the sides along x and y (m).
    pub sides: [f64; 2],
    /// Thickness t (m).
    pub thickness: f64,
    /// Young's modulus E (Pa).
    pub young: f64,
    /// Poisson's ratio ν (-).
    pub poisson: f64,
    /// Density ρ (kg/m³).
    pub density: f64,
    /// Support of the edge x = 0.
    #[cfg_attr(feature = "serde", serde(default = "pinned"))]
    pub left: Support,
    /// Support of the opposite edge.
    #[cfg_attr(feature = "serde", serde(default = "pinned"))]
    pub right: Support,
    /// Support of the edge y = 0.
    #[cfg_attr(feature = "serde", serde(default = "pinned"))]
    pub bottom: Support,
    /// Support of the opposite edge.
    #[cfg_attr(feature = "serde", serde(default = "pinned"))]
    pub top: Support,
}

#[cfg(feature = "serde")]
fn pinned() -> Support {
    Support::Pinned
}

impl Plate {
    /// Writes every fault into `faults`.
    pub fn check(&self, faults: &mut Faults) {
        for i in 0..2 {
            faults.positive("elements", self.elements[i] as f64);
            faults.positive("sides", self.sides[i]);
        }
        for (key, value) in [("thickness", self.thickness), ("young", self.young), ("density", self.density)]
        {
            faults.positive(key, value);
        }
        let because = "an isotropic material";
        if faults.at_least("poisson", self.poisson, 0.0, because) {
            faults.at_most("poisson", self.poisson, 0.5, because);
        }
        if self.n() == 0 {
            faults.push("elements", crate::Error::Empty);
        }
    }

    /// Number of degrees of freedom.
    pub fn n(&self) -> usize {
        let n_nodes = self.elements[0].saturating_add(1).saturating_mul(self.elements[1].saturating_add(1));
        let all = n_nodes.saturating_mul(3);
        if all > MANY { all } else { (0..all).filter(|&i| !self.is_held(i)).count() }
    }

    /// Whether a support holds degree of freedom `i`, counted with those that are held.
    fn is_held(&self, i: usize) -> bool {
        let [nx, ny] = self.elements;
        let (x, y) = (i / 3 % (nx + 1), i / 3 / (nx + 1));
        // an edge holds the deflection and the slope along it; a clamped one the slope across it too
        let holds = |support: Support, along: usize| match (support, i % 3) {
            (Support::Free, _) => false,
            (Support::Clamped, _) => true,
            (Support::Pinned, kind) => kind == 0 || kind == along,
        };
        (x == 0 && holds(self.left, 2))
            || (x == nx && holds(self.right, 2))
            || (y == 0 && holds(self.bottom, 1))
            || (y == ny && holds(self.top, 1))
    }

    /// The matrices; the degrees of freedom are deflection and slopes along x and y of each node, without those that a support holds.
    pub fn assemble(&self) -> Assembly {
        let [nx, ny] = self.elements;
        let (mass, stiffness) = self.element();
        let mut assembling = Assembling::new((0..3 * (nx + 1) * (ny + 1)).map(|i| self.is_held(i)));
        for (x, y) in (0..nx * ny).map(|i| (i % nx, i / nx)) {
            let corner = |dx: usize, dy: usize| 3 * (x + dx + (nx + 1) * (y + dy));
            let corners = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
            let places: [usize; 12] = std::array::from_fn(|i| corners[i / 3] + i % 3);
            assembling.add(places, &mass, &stiffness);
        }
        assembling.finish(3)
    }

    /// Mass and stiffness of an element.
    fn element(&self) -> ([[f64; 12]; 12], [[f64; 12]; 12]) {
        let [a, b] = [0, 1].map(|i| self.sides[i] / self.elements[i] as f64);
        let shapes = shapes(a, b);
        let weight = self.density * self.thickness * a * b;
        let rigidity =
            self.young * self.thickness.powi(3) / (12.0 * (1.0 - self.poisson * self.poisson)) * a * b;
        // ∫ of products of monomials and of their second derivatives
        let derivative = |[p, q]: [usize; 2], [dp, dq]: [usize; 2]| {
            let falling = |p: usize, d: usize| (0..d).map(|k| p as f64 - k as f64).product::<f64>();
            let factor = falling(p, dp) * falling(q, dq) / (a.powi(dp as i32) * b.powi(dq as i32));
            (factor, [p.saturating_sub(dp), q.saturating_sub(dq)])
        };
        let integral = |i: usize, di: [usize; 2], j: usize, dj: [usize; 2]| {
            let ((x, [p, q]), (y, [r, s])) = (derivative(EXPONENTS[i], di), derivative(EXPONENTS[j], dj));
            x * y / ((p + r + 1) as f64 * (q + s + 1) as f64)
        };
        let (xx, yy, xy, nu) = ([2, 0], [0, 2], [1, 1], self.poisson);
        let bending = |i: usize, j: usize| {
            integral(i, xx, j, xx)
                + integral(i, yy, j, yy)
                + nu * (integral(i, xx, j, yy) + integral(i, yy, j, xx))
                + 2.0 * (1.0 - nu) * integral(i, xy, j, xy)
        };
        let inertia = |i: usize, j: usize| integral(i, [0, 0], j, [0, 0]);
        (
            congruent(&shapes, |i, j| weight * inertia(i, j)),
            congruent(&shapes, |i, j| rigidity * bending(i, j)),
        )
    }
}

/// Coefficients of the monomials in (x/a, y/b), one column for each degree of freedom of an element.
fn shapes(a: f64, b: f64) -> [[f64; 12]; 12] {
    let mut lu = Lu::<f64>::new(12);
    for (corner, [x, y]) in [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]].into_iter().enumerate() {
        for (k, [p, q]) in EXPONENTS.into_iter().enumerate() {
            let power = |x: f64, p: usize| x.powi(p as i32);
            let slope = |x: f64, p: usize| if p == 0 { 0.0 } else { p as f64 * power(x, p - 1) };
            let values =
                [power(x, p) * power(y, q), slope(x, p) * power(y, q) / a, power(x, p) * slope(y, q) / b];
            (0..3).for_each(|i| lu.a[(3 * corner + i) * 12 + k] = values[i]);
        }
    }
    let is_regular = lu.factor();
    debug_assert!(is_regular, "the twelve degrees of freedom determine the twelve monomials");
    let mut shapes = [[0.0; 12]; 12];
    for j in 0..12 {
        let mut column = [0.0; 12];
        column[j] = 1.0;
        lu.solve(&mut column);
        (0..12).for_each(|i| shapes[i][j] = column[i]);
    }
    shapes
}

/// SᵀGS for the matrix G with these entries, symmetric to the last bit.
fn congruent(shapes: &[[f64; 12]; 12], entry: impl Fn(usize, usize) -> f64) -> [[f64; 12]; 12] {
    let mut inner = [[0.0; 12]; 12];
    for (i, row) in inner.iter_mut().enumerate() {
        (0..12).for_each(|j| row[j] = entry(i, j));
    }
    let mut outer = [[0.0; 12]; 12];
    for a in 0..12 {
        let image: [f64; 12] = std::array::from_fn(|i| (0..12).map(|j| inner[i][j] * shapes[j][a]).sum());
        for b in 0..=a {
            let value = (0..12).map(|i| shapes[i][b] * image[i]).sum();
            (outer[a][b], outer[b][a]) = (value, value);
        }
    }
    outer
}

#[cfg(test)]
mod tests {
    use super::super::damping::natural_modes;
    use super::*;
    use std::f64::consts::PI;

    fn plate(elements: [usize; 2], support: Support) -> Plate {
        let (sides, thickness, young, poisson, density) = ([1.5, 1.0], 0.01, 2e5, 0.3, 7.0);
        Plate {
            elements,
            sides,
            thickness,
            young,
            poisson,
            density,
            left: support,
            right: support,
            bottom: support,
            top: support,
        }
    }

    fn frequencies(plate: &Plate) -> Vec<f64> {
        let Assembly { mass, stiffness, .. } = plate.assemble();
        assert_eq!(mass.n(), plate.n());
        assert_eq!(mass.asymmetry().or(stiffness.asymmetry()), None);
        let (squares, _) = natural_modes(&mass.to_dense(), &stiffness.to_dense()).unwrap();
        squares.iter().map(|square| square.abs().sqrt()).collect()
    }

    /// ω = π² (m²/a² + n²/b²) √(D/ρt) of a plate that is pinned all around.
    #[test]
    fn a_pinned_plate_converges_to_its_frequencies_as_the_square_of_the_mesh() {
        let fine = plate([8, 8], Support::Pinned);
        let rigidity = fine.young * fine.thickness.powi(3) / (12.0 * (1.0 - fine.poisson.powi(2)));
        let unit = PI * PI * (rigidity / (fine.density * fine.thickness)).sqrt();
        let exact = |m: f64, n: f64| unit * (m * m / 2.25 + n * n);
        let (coarse, fine) = (frequencies(&plate([4, 4], Support::Pinned)), frequencies(&fine));
        for (j, exact) in [exact(1.0, 1.0), exact(2.0, 1.0), exact(1.0, 2.0)].into_iter().enumerate() {
            let [large, small] = [coarse[j] / exact - 1.0, fine[j] / exact - 1.0];
            assert!(small < 0.0 && small > -0.06, "mode {j}: {small}");
            assert!((3.0..5.0).contains(&(large / small)), "mode {j}: {large} {small}");
        }
    }

    /// Three motions without stiffness; a clamped plate of one element has no degree of freedom.
    #[test]
    fn a_free_plate_is_rigid_in_three_ways_and_a_clamped_element_in_none() {
        let free = frequencies(&plate([3, 2], Support::Free));
        assert!(free[2] < 1e-4 * free[3], "{:?}", &free[..5]);
        let clamped = plate([1, 1], Support::Clamped);
        assert_eq!(clamped.n(), 0);
        assert!(!Faults::of(|faults| clamped.check(faults)).is_empty());
        assert!(Faults::of(|faults| plate([2, 2], Support::Clamped).check(faults)).is_empty());
        assert_eq!(plate([usize::MAX, 2], Support::Free).n(), usize::MAX);
    }

    /// A strip that bends one way has the tip deflection of a beam with EI/(1 − ν²), here with ν = 0: F L³/(3 E I).
    #[test]
    fn a_strip_without_lateral_contraction_bends_as_a_beam() {
        let strip = Plate { poisson: 0.0, left: Support::Clamped, ..plate([6, 1], Support::Free) };
        let Assembly { stiffness, nodes, .. } = strip.assemble();
        let mut force = vec![0.0; strip.n()];
        // half at each corner of the tip: the deflection is the same along it
        [6, 13].iter().for_each(|node| force[nodes[*node].unwrap()] = 0.5);
        crate::math::dense::Cholesky::new(&stiffness.to_dense()).unwrap().solve(&mut force);
        let inertia = strip.sides[1] * strip.thickness.powi(3) / 12.0;
        let expected = strip.sides[0].powi(3) / (3.0 * strip.young * inertia);
        for node in [6, 13] {
            let found = force[nodes[node].unwrap()];
            assert!((found / expected - 1.0).abs() < 1e-3, "{found} {expected}");
        }
    }
}
