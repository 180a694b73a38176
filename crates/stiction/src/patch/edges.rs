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

use super::lanes::{LANES, Lane, atanh_terms, in_lanes, lane, total};
use super::special::atanh;

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

/// Edges that are summed together. The last block of an outline is filled up with edges that have no normal.
#[derive(Clone, Debug)]
struct EdgeBlock {
    ends: [[Lane; 2]; 2],
    normal: [Lane; 2],
    length: Lane,
    offset: Lane,
    middle: Lane,
}

/// Outline of a polygon, material on the left of every edge.
#[derive(Clone, Debug)]
pub(super) struct Outline {
    loops: Vec<Vec<Edge>>,
    blocks: Vec<EdgeBlock>,
    /// 1/area.
    pub per_area: f64,
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
        let loops: Vec<Vec<Edge>> = loops.iter().map(edges).collect();
        let pairs = |edges: &Vec<Edge>| {
            let next = |i: usize| edges[(i + 1) % edges.len()].start;
            edges.iter().enumerate().map(|(i, edge)| (*edge, next(i))).collect::<Vec<_>>()
        };
        let all: Vec<(Edge, [f64; 2])> = loops.iter().flat_map(pairs).collect();
        let blocks = all.chunks(LANES).map(EdgeBlock::new).collect();
        Self { loops, blocks, per_area: 1.0 / area }
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

    in_lanes! {
        /// Sums of [`pull`](Self::pull) lane by lane: fx, fy and three times the moment, times the area.
        pull_sums, plain_pull_sums, wide_pull_sums, [f64; 2], [Lane; 3]
    }
    in_lanes! {
        /// Sums of [`pulls`](Self::pulls) lane by lane: for each pressure fx, fy and the moment; three times that of |ρ|.
        pulls_sums, plain_pulls_sums, wide_pulls_sums, [f64; 2], ([[Lane; 3]; 3], Lane)
    }

    /// Uniform pressure, centre of rotation at `c`.
    #[inline]
    pub fn pull(&self, c: [f64; 2]) -> Pull {
        let sums = self.pull_sums(c);
        let [fx, fy, moment] = [total(&sums[0]), total(&sums[1]), total(&sums[2])];
        let a = self.per_area;
        Pull { force: [fx * a, fy * a], moment: moment * (a / 3.0) }
    }

    #[inline(always)]
    fn plain_pull_sums(&self, c: [f64; 2]) -> [Lane; 3] {
        let [mut fx, mut fy, mut moment] = [[0.0; LANES]; 3];
        for block in &self.blocks {
            let Reach { whole, cn, .. } = block.reach(c);
            let [nx, ny] = &block.normal;
            fx = lane(|i| fx[i] + nx[i] * whole[i]);
            fy = lane(|i| fy[i] + ny[i] * whole[i]);
            // ∫|ρ| + c·∫ρ/|ρ|, h = h₀ − c·n
            moment = lane(|i| moment[i] + (block.offset[i] + 2.0 * cn[i]) * whole[i]);
        }
        [fx, fy, moment]
    }

    #[inline(always)]
    fn plain_pulls_sums(&self, c: [f64; 2]) -> ([[Lane; 3]; 3], Lane) {
        let mut sums = [[[0.0; LANES]; 3]; 3];
        let mut rho_mean = [0.0; LANES];
        for block in &self.blocks {
            let reach = block.reach(c);
            let Reach { whole, cn, .. } = &reach;
            let ([nx, ny], offset) = (&block.normal, &block.offset);
            let uneven = reach.uneven();
            let tangent = lane(|i| block.middle[i] * whole[i] + uneven[i]);
            let tx = lane(|i| nx[i] * offset[i] * whole[i] - ny[i] * tangent[i]);
            let ty = lane(|i| ny[i] * offset[i] * whole[i] + nx[i] * tangent[i]);
            let h = lane(|i| offset[i] - cn[i]);
            rho_mean = lane(|i| rho_mean[i] + h[i] * whole[i]);
            let lever = lane(|i| offset[i] - 0.75 * h[i]);
            let first = lane(|i| (offset[i] + 2.0 * cn[i]) / 3.0);
            for (sum, (along, lever)) in sums.iter_mut().zip([(whole, &first), (&tx, &lever), (&ty, &lever)])
            {
                for (sum, weight) in sum.iter_mut().zip([nx, ny, lever]) {
                    *sum = lane(|i| sum[i] + weight[i] * along[i]);
                }
            }
        }
        (sums, rho_mean)
    }

    /// Pressures 1, x and y, centre of rotation at `c`.
    pub fn pulls(&self, c: [f64; 2]) -> [Pull; 3] {
        let (sums, rho_mean) = self.pulls_sums(c);
        let rho_mean = total(&rho_mean) / 3.0;
        let totals = |sum: &[Lane; 3]| [total(&sum[0]), total(&sum[1]), total(&sum[2])];
        let (one, mut x, mut y) = (totals(&sums[0]), totals(&sums[1]), totals(&sums[2]));
        x[0] -= rho_mean;
        y[1] -= rho_mean;
        x[2] -= 0.75 * c[0] * rho_mean;
        y[2] -= 0.75 * c[1] * rho_mean;
        let a = self.per_area;
        let pull = |[fx, fy, moment]: [f64; 3]| Pull { force: [fx * a, fy * a], moment: moment * a };
        [pull(one), pull(x), pull(y)]
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
        let one = sums[0].map(|v| v * self.per_area);
        let about = |k: usize| [0, 1, 2].map(|i| sums[k + 1][i] * self.per_area + c[k] * one[i]);
        [one, about(0), about(1)]
    }
}

/// The integrals of |ρ| along edges, and what they are made of.
struct Reach {
    whole: Lane,
    cn: Lane,
    sigma: Lane,
    y: Lane,
    z: Lane,
    /// y − (1 − y²) atanh y.
    remainder: Lane,
}

impl EdgeBlock {
    /// From at most [`LANES`] edges and their ends.
    fn new(edges: &[(Edge, [f64; 2])]) -> Self {
        let at = |i: usize| edges[i.min(edges.len() - 1)];
        // an edge that fills up: no normal, and nothing that divides by zero
        let or_none = |i: usize, value: f64| if i < edges.len() { value } else { 0.0 };
        Self {
            ends: [0, 1]
                .map(|end| [0, 1].map(|k| lane(|i| if end == 0 { at(i).0.start[k] } else { at(i).1[k] }))),
            normal: [0, 1].map(|k| lane(|i| or_none(i, at(i).0.normal[k]))),
            length: lane(|i| at(i).0.length),
            offset: lane(|i| or_none(i, at(i).0.offset)),
            middle: lane(|i| or_none(i, at(i).0.middle)),
        }
    }

    #[inline(always)]
    fn reach(&self, c: [f64; 2]) -> Reach {
        let [nx, ny] = &self.normal;
        let distance = |[x, y]: &[Lane; 2]| {
            lane(|i| ((x[i] - c[0]) * (x[i] - c[0]) + (y[i] - c[1]) * (y[i] - c[1])).sqrt())
        };
        let (rho1, rho2) = (distance(&self.ends[0]), distance(&self.ends[1]));
        let cn = lane(|i| c[0] * nx[i] + c[1] * ny[i]);
        let ct = lane(|i| c[1] * nx[i] - c[0] * ny[i]);
        let sigma = lane(|i| rho1[i] + rho2[i]);
        let inverse = lane(|i| 1.0 / sigma[i]);
        let y = lane(|i| self.length[i] * inverse[i]);
        let z = lane(|i| 2.0 * (self.middle[i] - ct[i]) * inverse[i]);
        let rest = lane(|i| {
            let rest = (sigma[i] - self.length[i]) * inverse[i];
            if rest > 0.0 { rest } else { 0.0 }
        });
        let (psi, remainder) = atanh_terms(&y, &rest);
        let whole = lane(|i| {
            let z2 = z[i] * z[i];
            0.25 * sigma[i] * sigma[i] * (y[i] * (1.0 + z2) + (1.0 - z2) * psi[i])
        });
        Reach { whole, cn, sigma, y, z, remainder }
    }
}

impl Reach {
    /// ∫(s − s̄)|ρ| ds.
    #[inline(always)]
    fn uneven(&self) -> Lane {
        let Self { sigma, y, z, remainder, .. } = self;
        lane(|i| {
            let (s3, y3, z2) = (sigma[i] * sigma[i] * sigma[i], y[i] * y[i] * y[i], z[i] * z[i]);
            0.125 * s3 * z[i] * ((1.0 - z2) * remainder[i] + 2.0 / 3.0 * y3 * z2)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_registers_give_the_same_bits() {
        let pentagon = vec![vec![[-0.3, -0.1], [0.2, -0.2], [0.4, 0.1], [0.1, 0.3], [-0.2, 0.2]]];
        let outline = Outline::new(&pentagon, 0.2);
        for i in 0..1000 {
            let c = [libm::sin(i as f64), libm::cos(1.7 * i as f64)];
            let bits = |sums: [Lane; 3]| sums.map(|lane| lane.map(f64::to_bits));
            let all = |(sums, rho): ([[Lane; 3]; 3], Lane)| (sums.map(bits), rho.map(f64::to_bits));
            assert_eq!(all(outline.pulls_sums(c)), all(outline.plain_pulls_sums(c)));
            assert_eq!(bits(outline.pull_sums(c)), bits(outline.plain_pull_sums(c)));
        }
    }
}
