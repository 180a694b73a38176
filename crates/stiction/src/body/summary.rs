//! What a run has to say.

use crate::ode::Work;
use crate::patch::{Twist, Wrench};
use std::iter::repeat_n;
#[cfg(feature = "serde")]
use {schemars::JsonSchema, serde::Deserialize, serde::Serialize};

/// Whether the body moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize, JsonSchema), serde(rename_all = "kebab-case"))]
pub enum BodyPhase {
    /// At rest on the plane, or on the surface that moves over it.
    Rest,
    /// Sliding, spinning, or both.
    Sliding,
}

/// The body at one moment, relative to the plane.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Pose {
    /// Time (s).
    pub t: f64,
    /// Position of the reference point along x (m).
    pub x: f64,
    /// Position of the reference point along y (m).
    pub y: f64,
    /// Angle of the body's x axis from the world's (rad).
    pub angle: f64,
    /// Velocity of the reference point and spin, in world axes.
    pub twist: Twist,
    /// Friction on the body about the reference point, in world axes; at rest it is what holds the body.
    pub friction: Wrench,
}

/// Poses column by column.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PoseColumns {
    /// Time, x, y, angle, vx, vy, spin, fx, fy, mz: the numbers of a [`Pose`] in their order.
    pub columns: [Vec<f64>; Pose::NUMBERS],
}

impl Pose {
    /// How many numbers a pose has.
    pub const NUMBERS: usize = 10;

    fn numbers(&self) -> [f64; Self::NUMBERS] {
        let Self { t, x, y, angle, twist, friction } = *self;
        [t, x, y, angle, twist.vx, twist.vy, twist.omega, friction.fx, friction.fy, friction.mz]
    }

    fn from_numbers([t, x, y, angle, vx, vy, omega, fx, fy, mz]: [f64; Self::NUMBERS]) -> Self {
        Self { t, x, y, angle, twist: Twist { vx, vy, omega }, friction: Wrench { fx, fy, mz } }
    }
}

impl PoseColumns {
    /// Empty columns with room for so many poses.
    pub fn with_capacity(n: usize) -> Self {
        Self { columns: std::array::from_fn(|_| Vec::with_capacity(n)) }
    }

    /// The poses one by one.
    pub fn poses(&self) -> impl Iterator<Item = Pose> {
        (0..self.columns[0].len()).map(|i| Pose::from_numbers(std::array::from_fn(|k| self.columns[k][i])))
    }

    pub(super) fn push(&mut self, pose: &Pose) {
        self.columns.iter_mut().zip(pose.numbers()).for_each(|(column, number)| column.push(number));
    }

    /// One pose at several times.
    pub fn repeat(&mut self, times: &[f64], pose: &Pose) {
        let [t, others @ ..] = &mut self.columns;
        t.extend_from_slice(times);
        for (column, number) in others.iter_mut().zip(&pose.numbers()[1..]) {
            column.extend(repeat_n(*number, times.len()));
        }
    }

    /// Poses at several times from their other numbers, of which there may be more.
    #[inline]
    pub(super) fn extend<const N: usize>(&mut self, times: &[f64], numbers: [&[f64; N]; Pose::NUMBERS - 1]) {
        let n = times.len().min(N);
        let [t, others @ ..] = &mut self.columns;
        t.extend_from_slice(&times[..n]);
        for (column, numbers) in others.iter_mut().zip(numbers) {
            column.extend_from_slice(&numbers[..n]);
        }
    }
}

/// What can happen to a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize, JsonSchema), serde(rename_all = "kebab-case"))]
pub enum BodyEventKind {
    /// The applied wrench leaves the limit surface and the body begins to move.
    Start,
    /// Translation and spin vanish together.
    Stop,
}

/// Something that happens to a body.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct BodyEvent {
    /// Time (s).
    pub t: f64,
    /// What happens.
    pub kind: BodyEventKind,
    /// Direction in which the motion begins or vanishes: a twist of the reference point in world axes, of unit speed
    /// at the centre of mass (the spin times the radius of gyration counts as speed).
    pub motion: Twist,
    /// v/(|ω| R) of that motion at the reference point, R the size of the patch; ∞ without spin (-).
    pub ratio: f64,
}

/// A run in a few numbers. Energies are relative to the plane, or to the surface that moves over it; the drive of the inner mass counts as work of the loads.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Summary {
    /// Time reached (s).
    pub t: f64,
    /// Whether the body moves then.
    pub phase: BodyPhase,
    /// The last stop, if the body is at rest after one (s).
    pub stop_time: Option<f64>,
    /// Number of stops (-).
    pub stops: u64,
    /// Length of the path of the reference point on the surface: the stopping distance (m).
    pub path: f64,
    /// Displacement of the reference point (m).
    pub displacement: [f64; 2],
    /// Angle from the initial velocity to the displacement, counter-clockwise; 0 without either (rad).
    pub deflection: f64,
    /// Displacement across the initial velocity, to the left (m).
    pub transverse: f64,
    /// v/(|ω| R) at the last stop, or now if the body slides; none if it never moved (-).
    pub ratio: Option<f64>,
    /// Revolutions, counter-clockwise (-).
    pub turns: f64,
    /// Kinetic energy at the start (J).
    pub initial_energy: f64,
    /// Kinetic energy now (J).
    pub energy: f64,
    /// Work of all loads but friction (J).
    pub work_in: f64,
    /// Work lost in the contact (J).
    pub friction_loss: f64,
    /// What the balance of energy fails by (J).
    pub residual: f64,
    /// What it cost.
    pub work: Work,
}

/// A whole run.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct BodyRun {
    /// The body at the times asked for.
    pub samples: Vec<Pose>,
    /// Starts and stops, in order.
    pub events: Vec<BodyEvent>,
    /// The run in a few numbers.
    pub summary: Summary,
}
