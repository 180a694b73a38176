//! Points of the limit surface: the largest wrench in every direction that the patch holds at rest, about the
//! reference point, and the motion in which the body would start there.

use super::PatchStudy;
use crate::facts::ColumnKind;
use crate::outcome::Column;
use std::f64::consts::{FRAC_PI_2, TAU};
use std::sync::Arc;
use stiction::patch::{LimitSurface, Twist, Wrench};
use stiction::{Fault, Faults};

/// Halvings of an interval of length 2 down to rounding.
const HALVINGS: usize = 52;

/// A point of the limit surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LimitPoint {
    /// The applied wrench.
    pub wrench: Wrench,
    /// The motion in which the body starts: normal to the surface.
    pub motion: Twist,
}

/// A plane through the origin of the space of wrenches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plane {
    /// Force along x and moment.
    FxMz,
    /// Force along y and moment.
    FyMz,
    /// Force without moment.
    FxFy,
}

impl Plane {
    /// All planes.
    pub const ALL: [Self; 3] = [Self::FxMz, Self::FyMz, Self::FxFy];

    /// Name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::FxMz => "fx-mz",
            Self::FyMz => "fy-mz",
            Self::FxFy => "fx-fy",
        }
    }
}

/// The limit surface as a table of points.
#[derive(Clone, Debug)]
pub struct LimitPoints {
    /// The largest force, μN (N).
    pub force: f64,
    /// The moment that it takes to spin the body about the reference point; no held moment is larger (N m).
    pub moment: f64,
    surface: Arc<LimitSurface>,
}

/// The limit surface of a patch.
pub fn limit_points(study: &PatchStudy) -> Result<LimitPoints, Vec<Fault>> {
    let patch = study.patch();
    // without friction the surface is a point
    let faults = Faults::of(|faults| {
        faults.positive("mu", patch.mu);
    });
    if !faults.is_empty() {
        return Err(faults);
    }
    let surface = study.surface()?;
    let moment = surface.dissipation(Twist { vx: 0.0, vy: 0.0, omega: 1.0 });
    Ok(LimitPoints { force: patch.mu * patch.load, moment, surface })
}

impl LimitPoints {
    /// The point in a direction: the angle of the force from x, and the elevation of the moment (rad). Force
    /// and moment are measured in their largest values.
    pub fn towards(&self, azimuth: f64, elevation: f64) -> LimitPoint {
        let flat = self.force * libm::cos(elevation);
        let wrench = Wrench {
            fx: flat * libm::cos(azimuth),
            fy: flat * libm::sin(azimuth),
            mz: self.moment * libm::sin(elevation),
        };
        let limit = self.surface.limit(wrench);
        let scaled = |v: f64| v / limit.factor;
        let wrench = Wrench { fx: scaled(wrench.fx), fy: scaled(wrench.fy), mz: scaled(wrench.mz) };
        LimitPoint { wrench, motion: limit.motion }
    }

    /// The applied wrench that starts a motion: the point of the surface whose normal is that motion.
    pub fn supporting(&self, motion: Twist) -> Wrench {
        let w = self.surface.wrench(motion);
        Wrench { fx: -w.fx, fy: -w.fy, mz: -w.mz }
    }

    /// Where the moment has a given value (N m): a closed curve of the points whose normals have `n`
    /// directions.
    ///
    /// The surface is convex, so the moment of the point that starts a motion grows with its spin: halving
    /// finds it.
    pub fn level(&self, moment: f64, n: usize) -> Vec<Wrench> {
        let point = |k: usize| {
            let angle = TAU * (k % n) as f64 / n as f64;
            let (vx, vy) = (libm::cos(angle), libm::sin(angle));
            let at = |t: f64| {
                let omega = t / ((1.0 - t) * (1.0 + t)) * self.force / self.moment;
                self.supporting(Twist { vx, vy, omega })
            };
            let (mut low, mut high) = (-1.0, 1.0);
            for _ in 0..HALVINGS {
                let middle = 0.5 * (low + high);
                if at(middle).mz < moment { low = middle } else { high = middle }
            }
            at(0.5 * (low + high))
        };
        (0..=n).map(point).collect()
    }

    /// Rows of equal elevation from pole to pole, each closed.
    pub fn parallels(&self, rows: usize, columns: usize) -> Vec<Vec<LimitPoint>> {
        (0..rows).map(|i| self.parallel(i, rows, columns)).collect()
    }

    /// Row `i` of `rows` rows of equal elevation from pole to pole, closed.
    pub fn parallel(&self, i: usize, rows: usize, columns: usize) -> Vec<LimitPoint> {
        let elevation = FRAC_PI_2 * (2.0 * i as f64 / (rows - 1) as f64 - 1.0);
        let azimuth = |k: usize| TAU * (k % columns) as f64 / columns as f64;
        (0..=columns).map(|k| self.towards(azimuth(k), elevation)).collect()
    }

    /// Where a plane cuts the surface: a closed curve of `n` points.
    pub fn section(&self, plane: Plane, n: usize) -> Vec<LimitPoint> {
        (0..=n)
            .map(|k| {
                let angle = TAU * (k % n) as f64 / n as f64;
                match plane {
                    Plane::FxMz => self.towards(0.0, angle),
                    Plane::FyMz => self.towards(FRAC_PI_2, angle),
                    Plane::FxFy => self.towards(angle, 0.0),
                }
            })
            .collect()
    }
}

/// Points as columns: the wrench, and the motion of the start.
pub fn point_columns(points: &[LimitPoint]) -> Vec<Column> {
    let column =
        |kind: ColumnKind, f: &dyn Fn(&LimitPoint) -> f64| Column::new(kind, points.iter().map(f).collect());
    vec![
        column(ColumnKind::Fx, &|p| p.wrench.fx),
        column(ColumnKind::Fy, &|p| p.wrench.fy),
        column(ColumnKind::Mz, &|p| p.wrench.mz),
        column(ColumnKind::Vx, &|p| p.motion.vx),
        column(ColumnKind::Vy, &|p| p.motion.vy),
        column(ColumnKind::Omega, &|p| p.motion.omega),
    ]
}
