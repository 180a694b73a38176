//! The peak and the dip of a response, refined between its points.

use crate::facts::FactKind;
use crate::outcome::{Caution, Column, Fact};
use stiction::steady::{Extreme, Extremum, extremum};
use stiction::system::System;
use stiction::{Error, Faults, Warning};

/// Part of the peak by which the largest point may be below it before that is said: what a curve through the points shows.
const COARSE: f64 = 0.05;

/// The largest amplitude of a response, and the smallest between larger ones.
#[derive(Clone, Debug)]
pub(super) struct RefinedExtrema {
    peak: Option<Extremum>,
    dip: Option<Extremum>,
    /// The largest amplitude of the points (m).
    largest: f64,
}

impl RefinedExtrema {
    /// The extrema of a response whose first columns are parameter and amplitude; `evaluate` gives amplitudes between its points.
    pub(super) fn find(
        samples: &[Column],
        evaluate: &mut dyn FnMut(f64) -> Result<Option<f64>, Error>,
    ) -> Result<Self, Error> {
        let [parameter, amplitude, ..] = samples else {
            return Ok(Self { peak: None, dip: None, largest: f64::NAN });
        };
        let points: Vec<[f64; 2]> =
            parameter.values.iter().zip(&amplitude.values).map(|(at, value)| [*at, *value]).collect();
        let peak = extremum(&points, Extreme::Largest, evaluate)?;
        let dip = extremum(&points, Extreme::Smallest, evaluate)?;
        let largest = amplitude.values.iter().fold(f64::NAN, |largest: f64, value| largest.max(*value));
        Ok(Self { peak, dip: dip.filter(|dip| dip.unresolved.is_none()), largest })
    }

    /// The facts; parameters have a `unit`.
    pub(super) fn facts(&self, unit: &str) -> Vec<Fact> {
        let mut facts = Vec::new();
        let at = |kind: FactKind, value: f64| Fact::new(kind, value).in_unit(unit.to_owned());
        if let Some(Extremum { at: place, value, between: [from, to], .. }) = self.peak {
            facts.push(Fact::new(FactKind::PeakAmplitude, value));
            facts.push(at(FactKind::PeakAt, place));
            facts.push(at(FactKind::PeakFrom, from));
            facts.push(at(FactKind::PeakTo, to));
        }
        if let Some(Extremum { at: place, value, .. }) = self.dip {
            facts.push(Fact::new(FactKind::DipAmplitude, value));
            facts.push(at(FactKind::DipAt, place));
        }
        facts
    }

    /// What the points do not show.
    pub(super) fn warnings(&self) -> Vec<Caution> {
        let Some(peak) = self.peak else { return Vec::new() };
        let mut warnings = Vec::new();
        if self.largest < (1.0 - COARSE) * peak.value {
            warnings.push(Warning::PeakBetweenPoints {
                peak: peak.value,
                at: peak.at,
                largest: self.largest,
            });
        }
        warnings.extend(peak.unresolved.map(|between| Warning::PeakUnresolved { between }));
        warnings.iter().map(Caution::from).collect()
    }
}

/// The facts, without their numbers.
pub(super) fn told(unit: &'static str) -> Vec<Fact> {
    let fact = |kind| Fact::new(kind, f64::NAN);
    let at = |kind| fact(kind).in_unit(unit);
    vec![
        fact(FactKind::PeakAmplitude),
        at(FactKind::PeakAt),
        at(FactKind::PeakFrom),
        at(FactKind::PeakTo),
        fact(FactKind::DipAmplitude),
        at(FactKind::DipAt),
    ]
}

/// Whether a system passes its check.
pub(super) fn is_sound(system: &System) -> bool {
    Faults::of(|faults| system.check(faults)).is_empty()
}
