//! What is measured of a law that stands in.

use super::stand_in::argument;
use crate::facts::FactKind;
use keyed::{Diagnostic, closest};
use serde::Serialize;

/// How far a regularised run is from the exact one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Errors {
    /// Largest distance of a position at a sample (m).
    pub trajectory: f64,
    /// Half the peak-to-peak of the first position, relative to the exact one (-).
    pub amplitude: f64,
    /// Phase of the first position's fundamental (rad); NaN without a harmonic load.
    pub phase: f64,
    /// Energy lost in friction, relative to the exact one (-).
    pub dissipation: f64,
    /// Part of the time in stick, difference (-); NaN for bristles, of which it is not reported.
    pub stick_fraction: f64,
    /// Largest speed of a contact that rests in truth (m/s).
    pub creep: f64,
}

/// One of the errors, which can be asked to be small.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Criterion {
    /// Largest distance of a position at a sample.
    Trajectory,
    /// Half the peak-to-peak of the first position, relative to the exact one.
    Amplitude,
    /// Phase of the first position's fundamental.
    Phase,
    /// Energy lost in friction, relative to the exact one.
    Dissipation,
    /// Part of the time in stick.
    StickFraction,
    /// Largest speed of a contact that rests in truth.
    Creep,
}

impl Criterion {
    /// All of them, in the order of the tables.
    pub const ALL: [Self; 6] =
        [Self::Trajectory, Self::Amplitude, Self::Phase, Self::Dissipation, Self::StickFraction, Self::Creep];

    /// The criterion called `name`.
    pub fn named(name: &str) -> Result<Self, Vec<Diagnostic>> {
        let names = || Self::ALL.into_iter().map(Self::name);
        Self::ALL.into_iter().find(|one| one.name() == name).ok_or_else(|| {
            let hint = closest(name, names()).map_or_else(
                || format!("one of: {}", names().collect::<Vec<_>>().join(", ")),
                |word| format!("did you mean {word}?"),
            );
            argument("criterion", format!("no error is called {name}"), Some(hint))
        })
    }

    /// The name that users write.
    pub fn name(self) -> &'static str {
        match self {
            Self::Trajectory => "trajectory",
            Self::Amplitude => "amplitude",
            Self::Phase => "phase",
            Self::Dissipation => "dissipation",
            Self::StickFraction => "stick-fraction",
            Self::Creep => "creep",
        }
    }

    /// The name of its column.
    pub fn column(self) -> String {
        self.name().replace('-', "_")
    }

    /// SI unit, `-` for a pure number.
    pub fn unit(self) -> &'static str {
        self.fact().row().unit
    }

    /// The fact of a run that is compared.
    pub(crate) fn fact(self) -> FactKind {
        match self {
            Self::Trajectory => FactKind::ErrorTrajectory,
            Self::Amplitude => FactKind::ErrorAmplitude,
            Self::Phase => FactKind::ErrorPhase,
            Self::Dissipation => FactKind::ErrorDissipation,
            Self::StickFraction => FactKind::ErrorStickFraction,
            Self::Creep => FactKind::ErrorCreep,
        }
    }
}

impl Errors {
    /// The error, with its sign.
    pub fn get(&self, criterion: Criterion) -> f64 {
        match criterion {
            Criterion::Trajectory => self.trajectory,
            Criterion::Amplitude => self.amplitude,
            Criterion::Phase => self.phase,
            Criterion::Dissipation => self.dissipation,
            Criterion::StickFraction => self.stick_fraction,
            Criterion::Creep => self.creep,
        }
    }
}
