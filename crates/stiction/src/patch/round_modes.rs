//! Discs, rings and annuli whose pressure has a gradient.
//!
//! The power that friction takes under the pressure (g·r) p₀(|r|) alone, per unit μN, is a potential of its wrench. Nothing but the
//! directions of g and of the velocity distinguishes a direction of the plane, and a mirror along the velocity takes D to −D for g along it; so
//!
//! ```text
//!   D(g) = ∫ p₀ g·r |V| dA = ω s j,    s = g_x v_y − g_y v_x,    j(|v|, ω) = ∫ p₀ x²/|V| dA, x along the velocity
//!   F = −∂D/∂v,    M = −∂D/∂ω
//! ```
//!
//! with the transverse integral j of [`axial`](super::axial), which is homogeneous of degree −1. With j′ = (∂j/∂v)/v, j″ = (∂j′/∂v)/v, and
//! k = j + ω ∂j/∂ω = −v²j′,
//!
//! ```text
//!   F = −ω (j ∂s/∂v + s j′ v),     M = −s k
//! ```

use super::axial::Axial;
use super::part::add;
use super::{Jacobian, Twist, Wrench};

/// The transverse integral and its slopes.
#[derive(Clone, Copy, Default)]
struct Transverse {
    /// j.
    value: f64,
    /// j′ and j″.
    slope: f64,
    bend: f64,
    /// k, (∂k/∂v)/v and ∂k/∂ω.
    turn: f64,
    turn_v: f64,
    turn_w: f64,
}

/// ∂s/∂v of the gradients along x and y.
const SIDES: [[f64; 2]; 2] = [[0.0, 1.0], [-1.0, 0.0]];

impl Axial {
    fn transverse(&self, v2: f64, omega: f64) -> Transverse {
        let mut sum = Transverse::default();
        for &(w, r) in self.layers.iter().filter(|(_, r)| *r > 0.0) {
            let u = r * omega.abs();
            let w = w * r * r;
            sum.value += w * self.profile.drag(v2, u).skew;
            sum.slope += w * self.profile.slope(v2, u).skew;
            let [bend, bend_u] = self.profile.skew_bend(v2, u);
            sum.bend += w * bend;
            sum.turn_w -= v2 * omega * w * r * r * bend_u;
        }
        sum.turn = -v2 * sum.slope;
        sum.turn_v = -2.0 * sum.slope - v2 * sum.bend;
        let (a, b, w2) = (self.mu1, self.mu2, omega * omega);
        sum.value += 0.5 * (a * (v2 * self.r2 + w2 * self.r4) - b * self.r2);
        sum.slope += a * self.r2;
        sum.turn += 0.5 * (a * (v2 * self.r2 + 3.0 * w2 * self.r4) - b * self.r2);
        sum.turn_v += a * self.r2;
        sum.turn_w += 3.0 * a * omega * self.r4;
        sum
    }

    /// The wrenches at the centre of the pressures 1, x and y (the last two times metres).
    pub fn modes(&self, twist: Twist) -> [Wrench; 3] {
        let Twist { vx, vy, omega } = twist;
        let t = self.transverse(vx * vx + vy * vy, omega);
        let [x, y] = SIDES.map(|[a, b]| {
            let s = a * vx + b * vy;
            Wrench {
                fx: -omega * (t.value * a + s * t.slope * vx),
                fy: -omega * (t.value * b + s * t.slope * vy),
                mz: -s * t.turn,
            }
        });
        [self.wrench(twist), x, y]
    }

    /// Their derivatives by the twist at the centre.
    pub fn mode_jacobians(&self, twist: Twist) -> [Jacobian; 3] {
        let Twist { vx, vy, omega } = twist;
        let t = self.transverse(vx * vx + vy * vy, omega);
        let v = [vx, vy];
        let [x, y] = SIDES.map(|side| {
            let s = side[0] * vx + side[1] * vy;
            let mut jacobian = [[0.0; 3]; 3];
            for i in 0..2 {
                for k in 0..2 {
                    let own = if i == k { s } else { 0.0 };
                    let mixed = side[i] * v[k] + side[k] * v[i] + own;
                    jacobian[i][k] = -omega * (t.slope * mixed + s * t.bend * v[i] * v[k]);
                }
                jacobian[i][2] = -side[i] * t.turn - s * t.turn_v * v[i];
                jacobian[2][i] = jacobian[i][2];
            }
            jacobian[2][2] = -s * t.turn_w;
            jacobian
        });
        [self.jacobian(twist), x, y]
    }

    /// The wrench at the centre with the gradient of the pressure, per unit μN.
    pub fn skewed_wrench(&self, twist: Twist) -> Wrench {
        let [one, x, y] = self.modes(twist);
        one.plus(self.gradient[0], x).plus(self.gradient[1], y)
    }

    /// Its derivative by the twist at the centre.
    pub fn skewed_jacobian(&self, twist: Twist) -> Jacobian {
        let [mut one, x, y] = self.mode_jacobians(twist);
        add(&mut one, self.gradient[0], x);
        add(&mut one, self.gradient[1], y);
        one
    }

    /// ⟨xx⟩, ⟨xy⟩, ⟨yy⟩ about the centre (m²).
    pub fn second(&self) -> [f64; 3] {
        [0.5 * self.r2, 0.0, 0.5 * self.r2]
    }

    /// From the centre to the centre of pressure (m).
    pub fn shift(&self) -> [f64; 2] {
        self.gradient.map(|g| 0.5 * self.r2 * g)
    }

    /// hμ at which sliding may lift the edge (m).
    pub fn tipping(&self) -> f64 {
        let [gx, gy] = self.gradient;
        0.5 * self.r2 * (1.0 / self.radius() - libm::hypot(gx, gy))
    }

    /// How much of the pressure at the edge a further gradient takes away, where it takes the most (-).
    pub fn lifted(&self, [gx, gy]: [f64; 2]) -> f64 {
        // the most of −δg·r/(1 + g·r) over the circle: the least k ≥ 0 with |δg + k g| R ≤ k
        let (r, [ox, oy]) = (self.radius(), self.gradient);
        let [square, cross, own] = [gx * gx + gy * gy, gx * ox + gy * oy, 1.0 / (r * r) - ox * ox - oy * oy];
        (cross + (cross * cross + own * square).sqrt()) / own
    }
}
