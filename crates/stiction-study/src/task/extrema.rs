//! The peak and the dip of a response, refined between its points.

use crate::facts::FactKind;
use crate::outcome::{Caution, Column, Fact};
use stiction::steady::{Extreme, Extremum, extremum};
use stiction::system::System;
use stiction::{Error, Faults, Warning};

/// Part of the peak by which the largest point may be below it before that is said: what a curve through the
/// points shows.
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
    /// The extrema of a response whose first columns are parameter and amplitude; `evaluate` gives amplitudes
    /// between its points, also at `hints`, next to which a peak may be.
    pub(super) fn find(
        samples: &[Column],
        hints: &[f64],
        evaluate: &mut dyn FnMut(f64) -> Result<Option<f64>, Error>,
    ) -> Result<Self, Error> {
        let [parameter, amplitude, ..] = samples else {
            return Ok(Self { peak: None, dip: None, largest: f64::NAN });
        };
        let points: Vec<[f64; 2]> =
            parameter.values.iter().zip(&amplitude.values).map(|(at, value)| [*at, *value]).collect();
        let dip = extremum(&points, Extreme::Smallest, evaluate)?;
        let more = with_hints(&points, hints, evaluate)?;
        let mut peak = extremum(&more, Extreme::Largest, evaluate)?;
        if let Some(peak) = peak.as_mut().filter(|peak| peak.between[0] != peak.between[1]) {
            // where it was bracketed by a hint, by the points around it
            let is_around = |pair: &&[[f64; 2]]| is_between(peak.at, [pair[0][0], pair[1][0]]);
            if more.len() > points.len()
                && let Some(pair) = points.windows(2).find(is_around)
            {
                peak.between = [pair[0][0], pair[1][0]];
            }
        }
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

/// Hints at most: each costs a motion.
const MOST_HINTS: usize = 16;

fn is_between(x: f64, [a, b]: [f64; 2]) -> bool {
    (a < x && x < b) || (b < x && x < a)
}

/// The points of a sweep with those at hints that lie on slopes: next to a point above its neighbours a peak
/// is looked for anyway.
fn with_hints(
    points: &[[f64; 2]],
    hints: &[f64],
    evaluate: &mut dyn FnMut(f64) -> Result<Option<f64>, Error>,
) -> Result<Vec<[f64; 2]>, Error> {
    let is_peak = |i: usize| {
        let value = |k: usize| points.get(k).map_or(f64::NEG_INFINITY, |point| point[1]);
        points[i][1] >= value(i.wrapping_sub(1)) && points[i][1] >= value(i + 1)
    };
    let is_monotone = points.windows(3).all(|three| is_between(three[1][0], [three[0][0], three[2][0]]));
    let mut all = points.to_vec();
    let mut n_hints = 0;
    for i in (1..points.len()).rev().filter(|_| is_monotone) {
        let mut inside: Vec<f64> = hints
            .iter()
            .copied()
            .filter(|hint| is_between(*hint, [points[i - 1][0], points[i][0]]))
            .collect();
        if is_peak(i - 1) || is_peak(i) || inside.is_empty() {
            continue;
        }
        let is_forward = points[i][0] > points[i - 1][0];
        inside.sort_by(|a, b| if is_forward { b.total_cmp(a) } else { a.total_cmp(b) });
        for hint in inside {
            n_hints += 1;
            if n_hints <= MOST_HINTS
                && let Some(value) = evaluate(hint)?
            {
                all.insert(i, [hint, value]);
            }
        }
    }
    Ok(all)
}

/// The facts, without their numbers.
pub(super) fn reported_facts(unit: &'static str) -> Vec<Fact> {
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
