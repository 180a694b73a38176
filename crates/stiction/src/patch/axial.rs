//! Discs, rings and annuli, with the skew of the pressure and the terms of the generalised Coulomb law.
//!
//! Per unit μN, with f = F∥/v, m = M/ω, and j the transverse force of a pressure 1 + x (x along the velocity)
//! over ω:
//!
//! ```text
//!   F = −f v − κ j ω ẑ × v/|v|,    M = −m ω
//! ```
//!
//! The overturning moment h F∥ of Coulomb's friction shifts the pressure by ⟨x²⟩κ, which makes it p(1 + κx),
//! with κ = hμ f v/⟨x²⟩. The generalised law 1 + μ₁V³ − μ₂V adds the polynomials
//!
//! ```text
//!   f += μ₁v² − μ₂ + 2μ₁ω²⟨r²⟩
//!   m += (2μ₁v² − μ₂)⟨r²⟩ + μ₁ω²⟨r⁴⟩
//!   j += μ₁(v²⟨r²⟩ + ω²⟨r⁴⟩)/2 − μ₂⟨r²⟩/2
//! ```
//!
//! to the traction, not to κ, which therefore stays within the bound that `check` relies on. The skew is
//! taken along the velocity, as in the paper, so f and m do not feel it.

use super::pade::Pade;
use super::profile::Profile;
use super::{Jacobian, Twist, Wrench};
use crate::math::wide::{LANES, WideLane};

#[derive(Clone, Debug)]
pub(super) struct Axial {
    pub profile: Profile,
    /// Load and radius of the disc, and of the disc cut out of it.
    pub layers: [(f64, f64); 2],
    pub pade: Option<Pade>,
    /// ⟨r²⟩ and ⟨r⁴⟩.
    pub r2: f64,
    pub r4: f64,
    /// hμ/⟨x²⟩.
    pub tilt: f64,
    /// Relative gradient of the pressure (1/m).
    pub gradient: [f64; 2],
    pub mu1: f64,
    pub mu2: f64,
}

/// f, m and j; `lead` is the f that skews the pressure: Coulomb's, and of first order in both Padé closures.
#[derive(Clone, Copy, Default)]
pub(super) struct Parts {
    pub force: f64,
    pub lead: f64,
    pub moment: f64,
    pub skew: f64,
}

/// Slopes of [`Parts`] along v and ω: ∂f/∂v, ∂f/∂ω, the same of `lead`, ∂m/∂v, ∂(ωm)/∂ω, ∂j/∂v, ω ∂j/∂ω.
#[derive(Clone, Copy, Default)]
pub(super) struct PartSlopes {
    pub force_v: f64,
    pub force_w: f64,
    pub lead_v: f64,
    pub lead_w: f64,
    pub moment_v: f64,
    pub moment_w: f64,
    pub skew_v: f64,
    pub skew_w: f64,
}

impl Axial {
    pub fn disc(profile: Profile, radius: f64) -> Self {
        Self::layered(profile, [(1.0, radius), (0.0, 0.0)])
    }

    pub fn annulus(inner: f64, outer: f64) -> Self {
        let area = (outer - inner) * (outer + inner);
        Self::layered(Profile::Uniform, [(outer * outer / area, outer), (-inner * inner / area, inner)])
    }

    fn layered(profile: Profile, layers: [(f64, f64); 2]) -> Self {
        let r2 = 2.0 * profile.x2() * layers.iter().map(|&(w, r)| w * r * r).sum::<f64>();
        let r4 = profile.r4() * layers.iter().map(|&(w, r)| w * (r * r) * (r * r)).sum::<f64>();
        Self { profile, layers, pade: None, r2, r4, tilt: 0.0, gradient: [0.0; 2], mu1: 0.0, mu2: 0.0 }
    }

    /// Radius of the outer edge.
    pub fn radius(&self) -> f64 {
        self.layers[0].1
    }

    /// Inlined, so that a literal `skewed` leaves out what only the skew needs.
    #[inline(always)]
    fn parts(&self, v2: f64, omega: f64, skewed: bool) -> Parts {
        let mut parts = match &self.pade {
            Some(pade) => pade.parts(v2.sqrt(), omega.abs(), skewed),
            None => {
                let (w, r) = self.layers[0];
                let (w2, r2) = self.layers[1];
                let drag = self.profile.drag(v2, r * omega.abs());
                let mut p = Parts {
                    force: w * drag.force,
                    lead: 0.0,
                    moment: w * r * r * drag.moment,
                    skew: w * r * r * drag.skew,
                };
                if r2 > 0.0 {
                    let drag = self.profile.drag(v2, r2 * omega.abs());
                    p.force += w2 * drag.force;
                    p.moment += w2 * r2 * r2 * drag.moment;
                    p.skew += w2 * r2 * r2 * drag.skew;
                }
                p.lead = p.force;
                p
            }
        };
        if self.mu1 != 0.0 || self.mu2 != 0.0 {
            let (a, b) = (self.mu1, self.mu2);
            let w2 = omega * omega;
            parts.force += a * v2 - b + 2.0 * a * w2 * self.r2;
            parts.moment += (2.0 * a * v2 - b) * self.r2 + a * w2 * self.r4;
            parts.skew += 0.5 * (a * (v2 * self.r2 + w2 * self.r4) - b * self.r2);
        }
        parts
    }

    fn slopes(&self, v2: f64, omega: f64) -> PartSlopes {
        let v = v2.sqrt();
        let mut slopes = match &self.pade {
            Some(pade) => pade.slopes(v, omega),
            None => {
                let [mut force, mut moment, mut skew, mut j] = [0.0; 4];
                for &(w, r) in self.layers.iter().filter(|(_, r)| *r > 0.0) {
                    let slope = self.profile.slope(v2, r * omega.abs());
                    force += w * slope.force;
                    moment += w * r * r * slope.moment;
                    skew += w * r * r * slope.skew;
                    j += w * r * r * self.profile.drag(v2, r * omega.abs()).skew;
                }
                // a potential of degree 1: ∂f/∂ω / ω = ∂m/∂v / v, and ω ∂/∂ω = −1 − v ∂/∂v
                PartSlopes {
                    force_v: v * force,
                    force_w: omega * moment,
                    lead_v: v * force,
                    lead_w: omega * moment,
                    moment_v: v * moment,
                    moment_w: -v2 * moment,
                    skew_v: v * skew,
                    skew_w: -j - v2 * skew,
                }
            }
        };
        let (a, b) = (self.mu1, self.mu2);
        let w2 = omega * omega;
        slopes.force_v += 2.0 * a * v;
        slopes.force_w += 4.0 * a * omega * self.r2;
        slopes.moment_v += 4.0 * a * v * self.r2;
        slopes.moment_w += (2.0 * a * v2 - b) * self.r2 + 3.0 * a * w2 * self.r4;
        slopes.skew_v += a * v * self.r2;
        slopes.skew_w += a * w2 * self.r4;
        slopes
    }

    /// Whether nothing but the profile counts.
    pub fn is_plain(&self) -> bool {
        let [gx, gy] = self.gradient;
        self.pade.is_none() && self.layers[1].1 == 0.0 && [self.tilt, self.mu1, self.mu2, gx, gy] == [0.0; 5]
    }

    /// `gain` times the wrench of a plain disc, carried along `arm`. Ordered so that all factors are ready
    /// when the integrals are: a quarter faster than [`wrench`](Self::wrench).
    #[inline(always)]
    pub fn plain_wrench(&self, Twist { vx, vy, omega }: Twist, [x, y]: [f64; 2], gain: f64) -> Wrench {
        let radius = self.layers[0].1;
        let ([force, moment, _], r) = self.profile.table(vx * vx + vy * vy, radius * omega.abs());
        let k = -gain * r;
        let (kx, ky) = (k * vx, k * vy);
        let (lever, spin) = (x * ky - y * kx, k * radius * radius * omega);
        Wrench { fx: force * kx, fy: force * ky, mz: force * lever + moment * spin }
    }

    /// The same for several twists, each number of a wrench by itself.
    #[inline]
    pub fn plain_wrenches(
        &self,
        [vx, vy, omega]: [&WideLane; 3],
        [x, y]: [f64; 2],
        gain: f64,
    ) -> [WideLane; 3] {
        let radius = self.layers[0].1;
        let [mut ax, mut ay, mut v2, mut u] = [[0.0; LANES]; 4];
        for i in 0..LANES {
            // as `Twist::at`
            (ax[i], ay[i]) = (vx[i] - omega[i] * y, vy[i] + omega[i] * x);
            (v2[i], u[i]) = (ax[i] * ax[i] + ay[i] * ay[i], radius * omega[i].abs());
        }
        let [force, moment, r] = self.profile.tables(&v2, &u);
        let [mut fx, mut fy, mut mz] = [[0.0; LANES]; 3];
        for i in 0..LANES {
            let k = -gain * r[i];
            let (kx, ky) = (k * ax[i], k * ay[i]);
            let (lever, spin) = (x * ky - y * kx, k * radius * radius * omega[i]);
            (fx[i], fy[i], mz[i]) = (force[i] * kx, force[i] * ky, force[i] * lever + moment[i] * spin);
        }
        [fx, fy, mz]
    }

    /// The wrench at the centre per unit μN, of a pressure without a gradient.
    #[inline(always)]
    pub fn wrench(&self, Twist { vx, vy, omega }: Twist) -> Wrench {
        let v2 = vx * vx + vy * vy;
        if self.tilt == 0.0 {
            let p = self.parts(v2, omega, false);
            return Wrench { fx: -p.force * vx, fy: -p.force * vy, mz: -p.moment * omega };
        }
        let p = self.parts(v2, omega, true);
        let side = self.tilt * p.lead * p.skew * omega;
        Wrench { fx: side * vy - p.force * vx, fy: -side * vx - p.force * vy, mz: -p.moment * omega }
    }

    /// Its derivative by the twist at the centre.
    pub fn jacobian(&self, Twist { vx, vy, omega }: Twist) -> Jacobian {
        let v2 = vx * vx + vy * vy;
        let v = v2.sqrt();
        let (ex, ey) = if v > 0.0 { (vx / v, vy / v) } else { (0.0, 0.0) };
        let p = self.parts(v2, omega, true);
        let s = self.slopes(v2, omega);
        // side force t ω ẑ × v, t = tilt · lead · skew
        let t = self.tilt * p.lead * p.skew;
        let t_v = self.tilt * (s.lead_v * p.skew + p.lead * s.skew_v);
        let tw_w = t + self.tilt * (omega * s.lead_w * p.skew + p.lead * s.skew_w);
        [
            [
                -p.force - s.force_v * vx * ex + t_v * omega * vy * ex,
                -s.force_v * vx * ey + omega * (t + t_v * vy * ey),
                -s.force_w * vx + tw_w * vy,
            ],
            [
                -s.force_v * vy * ex - omega * (t + t_v * vx * ex),
                -p.force - s.force_v * vy * ey - t_v * omega * vx * ey,
                -s.force_w * vy - tw_w * vx,
            ],
            [-s.moment_v * omega * ex, -s.moment_v * omega * ey, -s.moment_w],
        ]
    }

    /// The skew κR of the pressure at its outer edge: 1 tips.
    pub fn skew(&self, Twist { vx, vy, omega }: Twist) -> f64 {
        let v2 = vx * vx + vy * vy;
        self.tilt * self.radius() * self.parts(v2, omega, true).lead * v2.sqrt()
    }
}
