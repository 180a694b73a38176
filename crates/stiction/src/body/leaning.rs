//! How a mass that moves inside the body shifts the pressure under it.
//!
//! The weights of both masses and the pressure are in balance: the centre of pressure is the centre of gravity,
//!
//! ```text
//!   c_p + s = m₁ r/(m + m₁)        about the centre of mass C, c_p the centre of the patch's own pressure
//! ```
//!
//! and the pressure leans by g = S⁻¹s. Neglected are vertical accelerations, and heights: the inner mass and the forces act in the plane, or,
//! if the patch has a height, at that of the centre of mass, whose overturning moment is added as ever.
//!
//! The relative pressure at corner v is q_v(t) = q_v⁰ + g(t)·a_v, a sum of the path's harmonics. It must stay positive at all times, or the body
//! would tip: for a uniform disc while the centre of gravity is within a quarter of its radius. Round patches have the corners of a polygon about
//! them.

use super::{Body, InnerMass, Oscillation, Pose};
use crate::Faults;
use crate::math::plane::{dot2, plus};
use crate::patch::PatchFriction;
use crate::{Error, math::plane::Turn};

/// The least pressure at a corner, in parts of the mean, that is not taken for a lifted one (-).
pub(super) const LEAST: f64 = 1e-3;

/// Instants in a common period at which the least pressure is looked for.
const LOOKS: u32 = 2048;
/// The slowest frequency of a path is at most so many times the common one.
const DIVISORS: u32 = 16;
/// Frequencies whose ratio is closer to a whole number than this have it (-).
const WHOLE: f64 = 1e-12;

/// How the inner mass shifts the pressure.
#[derive(Clone, Debug)]
pub(super) struct Leaning {
    /// S⁻¹ (1/m²).
    compliance: [f64; 3],
    /// Centre of the patch's own pressure relative to the centre of mass (m).
    centre: [f64; 2],
    /// m₁/(m + m₁).
    share: f64,
    /// Largest ratio of two pressures at one corner at any two times (-).
    ratio: f64,
    /// Σ ωᵢ² |gᵢ·a| over the least pressure, at the worst corner (1/s²).
    curvature: f64,
    /// Least pressure at a corner in parts of the mean, for certain (-).
    least: f64,
}

impl Leaning {
    /// `inner` is placed relative to the centre of mass. None for patches that cannot lean.
    pub fn new(contact: &PatchFriction, inner: &InnerMass, share: f64) -> Option<Self> {
        let compliance = contact.leaning()?;
        let centre = contact.centre_of_pressure();
        let mut new = Self { compliance, centre, share, ratio: 1.0, curvature: 0.0, least: f64::INFINITY };
        let middle = new.at(inner.centre);
        for (own, arm) in contact.corner_pressures() {
            let constant = own + dot2(middle, arm);
            let waves: Vec<(f64, f64, f64)> =
                inner.path.iter().map(|o| (o.omega, o.phase, new.change(o, arm))).collect();
            let [low, high] = range(constant, &waves);
            new.least = new.least.min(low);
            new.ratio = new.ratio.max(high.max(own) / low.min(own));
            let curved = waves.iter().map(|(omega, _, size)| omega * omega * size.abs()).sum::<f64>();
            new.curvature = new.curvature.max(curved / low);
        }
        Some(new)
    }

    fn applied(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let [xx, xy, yy] = self.compliance;
        [xx * x + xy * y, xy * x + yy * y]
    }

    /// The lean while the inner mass is at `r` (1/m).
    pub fn at(&self, r: [f64; 2]) -> [f64; 2] {
        self.applied(plus(r.map(|v| self.share * v), -1.0, self.centre))
    }

    /// The lean and its rate, of an inner mass on its path.
    pub fn with_rate(&self, [r, r_dot, _]: [[f64; 2]; 3]) -> [[f64; 2]; 2] {
        [self.at(r), self.applied(r_dot.map(|v| self.share * v))]
    }

    /// What an oscillation of the inner mass adds to the pressure at a corner (-).
    fn change(&self, oscillation: &Oscillation, arm: [f64; 2]) -> f64 {
        dot2(self.applied(oscillation.amplitude.map(|v| self.share * v)), arm)
    }

    /// Bounds on a wrench and its second derivative in the norm of the patch by itself, in that of the leaning patch at any time. A chord over
    /// which the pressure bends by half is not taken: twice κ².
    pub fn bounds(&self, largest: f64, curvature: f64) -> (f64, f64) {
        (self.ratio * largest, 2.0 * self.ratio * self.ratio * (curvature + self.curvature))
    }
}

/// The least and the largest value of a sum of harmonics (ω, φ, amplitude), for certain: no value lies outside.
fn range(constant: f64, waves: &[(f64, f64, f64)]) -> [f64; 2] {
    // harmonics of one frequency are one
    let mut phasors: Vec<(f64, [f64; 2])> = Vec::new();
    for &(omega, phase, size) in waves {
        let (sin, cos) = libm::sincos(phase);
        let more = [size * cos, size * sin];
        match phasors.iter_mut().find(|(other, _)| *other == omega) {
            Some((_, sum)) => *sum = plus(*sum, 1.0, more),
            None => phasors.push((omega, more)),
        }
    }
    let sizes: Vec<f64> = phasors.iter().map(|(_, [a, b])| libm::hypot(*a, *b)).collect();
    let all: f64 = sizes.iter().sum();
    let slowest = phasors.iter().map(|(omega, _)| *omega).fold(f64::INFINITY, f64::min);
    let is_multiple = |omega: f64, base: f64| {
        let ratio = omega / base;
        (ratio - ratio.round()).abs() <= WHOLE * ratio
    };
    let base = (1..=DIVISORS)
        .map(|k| slowest / f64::from(k))
        .find(|base| phasors.iter().all(|(omega, _)| is_multiple(*omega, *base)));
    let (Some(base), true) = (base, phasors.len() > 1) else { return [constant - all, constant + all] };
    // between two looks a function bends by no more than its largest second derivative allows
    let step = std::f64::consts::TAU / f64::from(LOOKS);
    let bend: f64 =
        phasors.iter().zip(&sizes).map(|((omega, _), size)| (omega / base) * (omega / base) * size).sum();
    let slack = bend * step * step / 8.0;
    let value = |k: u32| {
        let of = |(omega, [a, b]): &(f64, [f64; 2])| {
            let (sin, cos) = libm::sincos((omega / base).round() * step * f64::from(k));
            a * sin + b * cos
        };
        phasors.iter().map(of).sum::<f64>()
    };
    let (low, high) = (0..LOOKS)
        .map(value)
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
    [constant + (low - slack).max(-all), constant + (high + slack).min(all)]
}

impl Body {
    /// Whether the inner mass may shift the pressure: the patch carries the weight, can lean, and never tips.
    pub(super) fn check_leaning(&self, faults: &mut Faults) {
        let Some(inner) = self.inner_mass.as_ref().filter(|inner| inner.shifts_pressure) else { return };
        let key = "inner_mass.shifts_pressure";
        let what = "a pressure that follows the inner mass";
        if self.patch.load != 0.0 {
            let because = "the patch has a load of its own, which need not be the weight";
            return faults.push(key, Error::Unsuited { what, because });
        }
        let Some((contact, leaning)) = self.leaning(inner) else { return };
        let Some(leaning) = leaning else {
            let because = if contact.is_single() {
                "the fractions of a Padé closure are for the patch's own pressure; leave out `closure`"
            } else {
                "the feet stand on one line"
            };
            return faults.push(key, Error::Unsuited { what, because });
        };
        let because = "the inner mass lifts an edge or a foot, and the body tips";
        if !(leaning.least >= LEAST) {
            faults.push(key, Error::TooSmall { value: leaning.least, limit: LEAST, because });
        }
    }

    /// The patch about the centre of mass and how it leans; none for a patch with faults.
    fn leaning(&self, inner: &InnerMass) -> Option<(PatchFriction, Option<Leaning>)> {
        let offset = self.centre_of_mass;
        let loaded = self.loaded_patch();
        let patch = crate::patch::Patch { centre: plus(loaded.centre, -1.0, offset), ..loaded };
        let contact = patch.prepare_leaning().ok()?;
        let inner = inner.waves_about(offset);
        let leaning = Leaning::new(&contact, &inner, inner.mass / (self.mass + inner.mass));
        Some((contact, leaning))
    }
}

impl InnerMass {
    /// The mass with all of its path as oscillations about a middle, which is relative to `centre`.
    pub(super) fn waves_about(&self, centre: [f64; 2]) -> Self {
        let mut inner = self.clone();
        if let Some(points) = inner.points.take() {
            let (mean, waves) = points.oscillations();
            inner.centre = plus(inner.centre, 1.0, mean);
            inner.path.extend(waves);
        }
        inner.centre = plus(inner.centre, -1.0, centre);
        inner
    }
}

/// The normal loads of the feet of a body that stands on several.
#[derive(Clone, Debug)]
pub struct FootLoads {
    contact: PatchFriction,
    leaning: Option<(Leaning, InnerMass)>,
}

impl FootLoads {
    /// None for a body with faults.
    pub fn new(body: &Body) -> Option<Self> {
        match body.inner_mass.as_ref().filter(|inner| inner.shifts_pressure) {
            Some(inner) => {
                let (contact, leaning) = body.leaning(inner)?;
                Some(Self { contact, leaning: Some((leaning?, inner.waves_about(body.centre_of_mass))) })
            }
            None => Some(Self { contact: body.loaded_patch().prepare().ok()?, leaning: None }),
        }
    }

    /// The loads at a pose (N). None for a patch of one piece, and under the generalised law with a height, where the pressure follows Coulomb's
    /// friction.
    pub fn at(&self, pose: &Pose) -> Option<Vec<f64>> {
        let force = Turn::by(pose.angle).back([pose.friction.fx, pose.friction.fy]);
        let lean = self.leaning.as_ref().map_or([0.0; 2], |(leaning, inner)| leaning.at(inner.place(pose.t)));
        self.contact.foot_loads_leaning(force, lean)
    }
}

impl InnerMass {
    /// Where it is at `t`, of a path of oscillations alone.
    fn place(&self, t: f64) -> [f64; 2] {
        let moved = |r: [f64; 2], o: &Oscillation| plus(r, libm::sin(o.omega * t + o.phase), o.amplitude);
        self.path.iter().fold(self.centre, moved)
    }
}
