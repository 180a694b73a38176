//! Responses under several laws: that of set-valued friction, and those of laws that stand in for it.

use super::overlay::MAX_OVERLAID;
use super::periodic::{Searched, TIGHT};
use super::response::ResponseTask;
use crate::compare::{StandIn, regularised};
use crate::facts::FactKind;
use crate::outcome::{Fact, Outcome};
use crate::resolve::Resolve;
use crate::scenario::IntegratorKind;
use stiction::ShortNumber;
use stiction::harmonic::HarmonicBalance;
use stiction::law::FrictionLaw;
use stiction::steady::{Engine, Steady, know};
use stiction::system::System;

/// The laws that stand in and their sizes, with whatever is wrong noted.
pub(super) fn compared_laws(
    list: &[StandIn],
    resolve: &mut Resolve,
    (searched, harmonic): (&Searched, Option<&HarmonicBalance>),
) -> Vec<(&'static str, f64)> {
    let at = |key: &str| format!("analysis.response.compare{key}");
    if list.len() >= MAX_OVERLAID {
        let message = format!("{} laws, but there must be less than {MAX_OVERLAID}", list.len());
        resolve.fault(&at(""), message, None);
        return Vec::new();
    }
    let mut laws = Vec::new();
    for (i, stand_in) in list.iter().enumerate() {
        match stand_in.resolve(&searched.system.contacts) {
            Ok((name, size)) => {
                let system = regularised(&searched.system, name, size);
                let key = at(&format!(".{i}.law"));
                match harmonic {
                    Some(method) => _ = resolve.check(&key, |faults| method.admit(&system, faults)),
                    None => {
                        if let Err(error) = know(&system) {
                            resolve.fault(&key, error.to_string(), error.hint());
                        }
                    }
                }
                laws.push((name, size));
            }
            Err(faults) => {
                for fault in faults {
                    resolve.fault(&at(&format!(".{i}{}", fault.key)), fault.message, fault.hint.as_deref());
                }
            }
        }
    }
    laws
}

/// How periodic motions are found under a law that stands in: as those of the true one, unless that takes
/// straight pieces.
fn steady_under(steady: &Steady, system: &System) -> Steady {
    match (&steady.engine, IntegratorKind::suited(system, TIGHT).engine()) {
        (Some(Engine::Exact), Some((engine, _))) => Steady { engine: Some(engine), ..steady.clone() },
        _ => steady.clone(),
    }
}

impl ResponseTask {
    /// The response under the true law, 0, or under one that stands in for it.
    pub(super) fn under_law(&self, law: usize) -> Self {
        let Some((name, size)) = law.checked_sub(1).and_then(|i| self.compare.get(i)) else {
            return self.clone();
        };
        let steady = steady_under(&self.steady, &regularised(&self.system, name, *size));
        Self { law: Some(law), steady, ..self.clone() }
    }

    /// The laws that are compared, by name and size, the true one first.
    pub(super) fn law_names(&self) -> Vec<String> {
        if self.compare.is_empty() {
            return Vec::new();
        }
        let own = self.system.contacts.first().map_or("", |contact| contact.friction.law.name());
        let named = self.compare.iter().map(|(name, size)| match FrictionLaw::size(name) {
            Some(kind) => format!("{name}, {} {} {}", kind.name(), ShortNumber(*size), kind.unit()),
            None => (*name).to_owned(),
        });
        [own.to_owned()].into_iter().chain(named).collect()
    }
}

/// Whether a fact belongs to the peak or the dip of a response.
fn is_of_an_extremum(kind: FactKind) -> bool {
    let own = [FactKind::PeakAmplitude, FactKind::PeakAt, FactKind::PeakFrom, FactKind::PeakTo];
    own.contains(&kind) || matches!(kind, FactKind::DipAmplitude | FactKind::DipAt)
}

/// Reports the deviation of the response of a law from the true one, whose rows come first; its own peak is
/// not reported.
pub(super) fn add_errors(all: &Outcome, more: &mut Outcome, law: usize, is_pointwise: bool) {
    let rows = more.samples.first().map_or(0, |column| column.values.len());
    let peak = |outcome: &Outcome| outcome.fact_of(FactKind::PeakAmplitude, None);
    let (Some(own), Some(truth)) = (peak(more), peak(all)) else { return };
    more.facts.retain(|fact| !is_of_an_extremum(fact.kind));
    if !(truth > 0.0) {
        return;
    }
    more.facts.push(Fact::new(FactKind::ErrorPeak, own / truth - 1.0).at(law));
    if is_pointwise {
        let amplitudes = |outcome: &Outcome| outcome.samples[1].values[..rows].to_vec();
        let pairs = amplitudes(more).into_iter().zip(amplitudes(all));
        let off = pairs.map(|(a, b)| (a - b).abs()).filter(|off| !off.is_nan()).fold(0.0, f64::max);
        more.facts.push(Fact::new(FactKind::ErrorResponse, off / truth).at(law));
    }
}
