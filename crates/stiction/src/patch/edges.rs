//! Closed forms of a polygon that spins about a centre of rotation: sums over its edges.
//!
//! With ρ the position relative to the centre of rotation and r = ρ + c relative to the centroid, the
//! friction of the pressures 1, x and y (r = (x, y)) follows from integrals of |ρ| along the edges,
//!
//! ```text
//!   ∫ ρ/|ρ| dA = Σ n I          ∫ |ρ| dA = ⅓ Σ h I         I = ∫|ρ| ds,   T = ∫ r|ρ| ds
//!   ∫ r_j ρ_i/|ρ| dA = Σ n_i T_j − δ_ij ∫|ρ| dA
//!   ∫ r_j r·ρ/|ρ| dA = Σ (h₀ − ¾h) T_j − ¾ c_j ∫|ρ| dA
//! ```
//!
//! n the outward normal, t the tangent, h = ρ·n, h₀ = r·n, s = ρ·t. With the distances ρ₁, ρ₂ of the ends, σ
//! = ρ₁ + ρ₂, y = ℓ/σ and z = (s₁ + s₂)/σ (elliptic coordinates about the edge),
//!
//! ```text
//!   I = ¼σ² (y(1 + z²) + (1 − z²)(1 − y²) atanh y)
//!   ∫(s − s̄)|ρ| ds = ⅛σ³ z ((1 − z²)(y − (1 − y²) atanh y) + ⅔y³z²)
//! ```
//!
//! in which every term is positive: nothing cancels within an edge, and no case needs care (centre on an
//! edge: y = 1; on a vertex: y = |z| = 1).

use super::special::{atanh, atanh_rest};

/// One edge; coordinates relative to the centroid.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    start: [f64; 2],
    /// Outward normal; the tangent is (−n_y, n_x).
    normal: [f64; 2],
    length: f64,
    /// r·n.
    offset: f64,
    /// r·t of the middle.
    middle: f64,
}

/// Outline of a polygon, material on the left of every edge.
#[derive(Clone, Debug)]
pub(super) struct Outline {
    loops: Vec<Vec<Edge>>,
    pub area: f64,
}

/// Means over the area for the three pressures 1, x and y: of ρ/|ρ| and of r·ρ/|ρ|.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pull {
    pub force: [f64; 2],
    pub moment: f64,
}

/// Means over the area of ρρᵀ/|ρ|³ (xx, xy, yy) for one pressure.
pub(super) type Spread = [f64; 3];

impl Outline {
    pub fn new(loops: &[Vec<[f64; 2]>], area: f64) -> Self {
        let edges = |corners: &Vec<[f64; 2]>| {
            let edge = |i: usize| {
                let (a, b) = (corners[i], corners[(i + 1) % corners.len()]);
                let d = [b[0] - a[0], b[1] - a[1]];
                let length = libm::hypot(d[0], d[1]);
                let normal = [d[1] / length, -d[0] / length];
                let offset = a[0] * normal[0] + a[1] * normal[1];
                let middle = 0.5 * ((a[1] + b[1]) * normal[0] - (a[0] + b[0]) * normal[1]);
                Edge { start: a, normal, length, offset, middle }
            };
            (0..corners.len()).map(edge).collect()
        };
        Self { loops: loops.iter().map(edges).collect(), area }
    }

    /// Corners relative to the centroid.
    pub fn corners(&self) -> impl Iterator<Item = [f64; 2]> {
        self.loops.iter().flatten().map(|edge| edge.start)
    }

    /// Whether a point lies inside.
    pub fn contains(&self, [x, y]: [f64; 2]) -> bool {
        let mut inside = false;
        for edges in &self.loops {
            for (i, edge) in edges.iter().enumerate() {
                let (a, b) = (edge.start, edges[(i + 1) % edges.len()].start);
                if (a[1] > y) != (b[1] > y) && x < a[0] + (y - a[1]) / (b[1] - a[1]) * (b[0] - a[0]) {
                    inside = !inside;
                }
            }
        }
        inside
    }

    /// Calls `visit(edge, ρ₁, ρ₂)` for every edge, with the distances of its ends from `c`.
    #[inline]
    fn walk(&self, c: [f64; 2], mut visit: impl FnMut(&Edge, f64, f64)) {
        let distance = |edge: &Edge| {
            let (x, y) = (edge.start[0] - c[0], edge.start[1] - c[1]);
            (x * x + y * y).sqrt()
        };
        for edges in &self.loops {
            let first = distance(&edges[0]);
            let mut rho1 = first;
            for pair in edges.windows(2) {
                let rho2 = distance(&pair[1]);
                visit(&pair[0], rho1, rho2);
                rho1 = rho2;
            }
            visit(&edges[edges.len() - 1], rho1, first);
        }
    }

    /// Uniform pressure, centre of rotation at `c`.
    pub fn pull(&self, c: [f64; 2]) -> Pull {
        let [mut fx, mut fy, mut moment] = [0.0; 3];
        self.walk(c, |edge, rho1, rho2| {
            let Reach { whole, cn, .. } = edge.reach(c, rho1, rho2);
            fx += edge.normal[0] * whole;
            fy += edge.normal[1] * whole;
            // ∫|ρ| + c·∫ρ/|ρ|, h = h₀ − c·n
            moment += (edge.offset + 2.0 * cn) * whole;
        });
        let a = 1.0 / self.area;
        Pull { force: [fx * a, fy * a], moment: moment * a / 3.0 }
    }

    /// Pressures 1, x and y, centre of rotation at `c`.
    pub fn pulls(&self, c: [f64; 2]) -> [Pull; 3] {
        let [mut one, mut x, mut y] = [Pull::default(); 3];
        let mut rho_mean = 0.0;
        self.walk(c, |edge, rho1, rho2| {
            let reach = edge.reach(c, rho1, rho2);
            let Reach { whole, cn, .. } = reach;
            let [nx, ny] = edge.normal;
            let tangent = edge.middle * whole + reach.uneven();
            let tx = nx * edge.offset * whole - ny * tangent;
            let ty = ny * edge.offset * whole + nx * tangent;
            let h = edge.offset - cn;
            rho_mean += h * whole;
            one.force[0] += nx * whole;
            one.force[1] += ny * whole;
            one.moment += (edge.offset + 2.0 * cn) * whole;
            x.force[0] += nx * tx;
            x.force[1] += ny * tx;
            x.moment += (edge.offset - 0.75 * h) * tx;
            y.force[0] += nx * ty;
            y.force[1] += ny * ty;
            y.moment += (edge.offset - 0.75 * h) * ty;
        });
        rho_mean /= 3.0;
        one.moment /= 3.0;
        x.force[0] -= rho_mean;
        y.force[1] -= rho_mean;
        x.moment -= 0.75 * c[0] * rho_mean;
        y.moment -= 0.75 * c[1] * rho_mean;
        let a = 1.0 / self.area;
        [one, x, y].map(|p| Pull { force: [p.force[0] * a, p.force[1] * a], moment: p.moment * a })
    }

    /// ⟨ρρᵀ/|ρ|³⟩ for the pressures 1, x and y, centre of rotation at `c`:
    ///
    /// ```text
    ///   ∫ρρᵀ/|ρ|³ dA = Σ h ∫ρρᵀ/|ρ|³ ds,   ∫ρ_k ρρᵀ/|ρ|³ dA = ½ Σ h ∫ρ_k ρρᵀ/|ρ|³ ds
    ///   ∫ds/ρ³ = [s/ρ]/h²,  ∫s/ρ³ = −[1/ρ],  ∫s²/ρ³ = Λ − [s/ρ],  ∫s³/ρ³ = [ρ + h²/ρ],  Λ = 2 atanh y
    /// ```
    pub fn spreads(&self, c: [f64; 2]) -> [Spread; 3] {
        let mut sums = [[0.0; 3]; 3];
        self.walk(c, |edge, rho1, rho2| {
            let [nx, ny] = edge.normal;
            let h = edge.offset - c[0] * nx - c[1] * ny;
            if h == 0.0 {
                return;
            }
            let middle = edge.middle - c[1] * nx + c[0] * ny;
            let (s1, s2) = (middle - 0.5 * edge.length, middle + 0.5 * edge.length);
            let sigma = rho1 + rho2;
            // σ − ℓ without cancellation where the centre is close to the edge
            let rest = if s1 < 0.0 && s2 > 0.0 {
                h * h / (rho1 - s1) + h * h / (rho2 + s2)
            } else {
                sigma - edge.length
            };
            let lambda = 2.0 * atanh(edge.length / sigma, rest / sigma);
            let turn = s2 / rho2 - s1 / rho1;
            let inverse = 1.0 / rho2 - 1.0 / rho1;
            let b = [turn, -h * inverse, lambda - turn];
            let a3 = (rho2 + h * h / rho2) - (rho1 + h * h / rho1);
            let a = [h * b[0], h * b[1], h * b[2], a3];
            let turned = |[nn, nt, tt]: [f64; 3], scale: f64, into: &mut Spread| {
                // n = (nx, ny), t = (−ny, nx)
                into[0] += scale * (nx * nx * nn - 2.0 * nx * ny * nt + ny * ny * tt);
                into[1] += scale * (nx * ny * (nn - tt) + (nx * nx - ny * ny) * nt);
                into[2] += scale * (ny * ny * nn + 2.0 * nx * ny * nt + nx * nx * tt);
            };
            let third = |n: f64, t: f64| [n * a[0] + t * a[1], n * a[1] + t * a[2], n * a[2] + t * a[3]];
            turned(b, h, &mut sums[0]);
            turned(third(nx, -ny), 0.5 * h, &mut sums[1]);
            turned(third(ny, nx), 0.5 * h, &mut sums[2]);
        });
        // r = ρ + c
        let one = sums[0].map(|v| v / self.area);
        let about = |k: usize| [0, 1, 2].map(|i| sums[k + 1][i] / self.area + c[k] * one[i]);
        [one, about(0), about(1)]
    }
}

/// The integral of |ρ| along an edge, and what it is made of.
struct Reach {
    whole: f64,
    cn: f64,
    sigma: f64,
    y: f64,
    z: f64,
    psi: f64,
}

impl Edge {
    #[inline]
    fn reach(&self, c: [f64; 2], rho1: f64, rho2: f64) -> Reach {
        let [nx, ny] = self.normal;
        let cn = c[0] * nx + c[1] * ny;
        let ct = c[1] * nx - c[0] * ny;
        let sigma = rho1 + rho2;
        let inverse = 1.0 / sigma;
        let y = self.length * inverse;
        let z = 2.0 * (self.middle - ct) * inverse;
        let rest = ((sigma - self.length) * inverse).max(0.0);
        let psi = rest * (1.0 + y) * atanh(y, rest);
        let z2 = z * z;
        let whole = 0.25 * sigma * sigma * (y * (1.0 + z2) + (1.0 - z2) * psi);
        Reach { whole, cn, sigma, y, z, psi }
    }
}

impl Reach {
    /// ∫(s − s̄)|ρ| ds.
    fn uneven(&self) -> f64 {
        let Self { sigma, y, z, psi, .. } = *self;
        let z2 = z * z;
        0.125 * sigma * sigma * sigma * z * ((1.0 - z2) * atanh_rest(y, psi) + 2.0 / 3.0 * y * y * y * z2)
    }
}
