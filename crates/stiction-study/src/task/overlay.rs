//! Responses at several values of another number, drawn over each other.

use super::periodic::{Searched, Varied};
use crate::facts::FactKind;
use crate::outcome::Outcome;
use crate::resolve::Resolve;
use crate::scenario::Scenario;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Values of another number, at each of which a response is computed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Overlay")]
pub struct OverlayTable {
    /// Key of the number: its path, or the end of it.
    pub parameter: String,
    /// Its values (unit of the parameter).
    pub values: Vec<f64>,
}

/// The most responses that are drawn over each other: more cannot be distinguished.
pub(super) const MAX_OVERLAID: usize = 12;

impl OverlayTable {
    pub(super) fn resolve(
        &self,
        resolve: &mut Resolve,
        scenario: &Scenario,
        searched: &Searched,
        varied: &Varied,
    ) -> Option<Vec<(Varied, f64)>> {
        let before = resolve.found.len();
        let key = |name: &str| format!("analysis.response.overlay.{name}");
        if self.values.is_empty() || self.values.len() > MAX_OVERLAID {
            let message = format!("{} values, but there must be 1 to {MAX_OVERLAID}", self.values.len());
            resolve.fault(&key("values"), message, None);
            return None;
        }
        let base = (&searched.system, &searched.drive);
        let found = match Varied::find(resolve, &self.parameter, &scenario.system, base) {
            Ok(found) => found,
            Err((message, hint)) => {
                resolve.fault(&key("parameter"), message, hint.as_deref());
                return None;
            }
        };
        if found.parameter.overlaps(&varied.parameter) {
            resolve.fault(&key("parameter"), "the one that the response varies already", None);
        }
        for value in &self.values {
            let is_sound = resolve.check("analysis.response.overlay.values", |faults| {
                found.parameter.check(&searched.system, *value, faults);
            });
            if !is_sound {
                break;
            }
        }
        (resolve.found.len() == before).then(|| self.values.iter().map(|v| (found.clone(), *v)).collect())
    }
}

/// Adds the rows of another response below those of the first; counts add up, and the largest peak counts.
pub(super) fn overlay(all: &mut Outcome, more: Outcome) {
    let peak =
        |outcome: &Outcome| outcome.fact_of(FactKind::PeakAmplitude, None).unwrap_or(f64::NEG_INFINITY);
    let is_higher = peak(&more) > peak(all);
    let dip = |outcome: &Outcome| outcome.fact_of(FactKind::DipAmplitude, None).unwrap_or(f64::INFINITY);
    let is_lower = dip(&more) < dip(all);
    for fact in more.facts {
        let Some(own) = all.facts.iter_mut().find(|own| (own.kind, own.index) == (fact.kind, fact.index))
        else {
            all.facts.push(fact);
            continue;
        };
        own.value = match fact.kind {
            FactKind::PeakAmplitude | FactKind::PeakAt | FactKind::PeakFrom | FactKind::PeakTo => {
                if is_higher { fact.value } else { own.value }
            }
            FactKind::DipAmplitude | FactKind::DipAt => {
                if is_lower {
                    fact.value
                } else {
                    own.value
                }
            }
            FactKind::BranchEnd | FactKind::Complete => own.value.min(fact.value),
            FactKind::Truncation | FactKind::TruncationShare | FactKind::Harmonics => {
                own.value.max(fact.value)
            }
            _ => own.value + fact.value,
        };
    }
    for (own, column) in all.samples.iter_mut().zip(more.samples) {
        own.values.extend(column.values);
    }
    all.warnings.extend(more.warnings);
}
