//! What a run must say about itself: the warnings that follow from its record.

use super::{Integrator, RK4_OSCILLATION, Record};
use crate::Warning;
use crate::law::Law;
use crate::record::Samples;
use crate::system::Dynamics;

/// Part of its limit by which a force that is carried along may exceed it without a word: steps that resolve
/// the law stay within.
const EXCESS: f64 = 1e-4;
/// A drift off the law by this part of its largest force is worth a word.
const DRIFT: f64 = 0.1;

impl Integrator {
    /// Share of the energy turned over within which the balance of a run closes that the method integrates as
    /// it should.
    ///
    /// The exact method errs by rounding, which adds up over long runs. Error control bounds each step, not
    /// their sum, and three digits are a usual distance between the two. A fixed step is the user's own
    /// choice: one per cent.
    pub fn energy_bound(&self) -> f64 {
        match self {
            Self::Exact => 1e-9,
            Self::Adaptive(settings) => (1e3 * settings.rtol).clamp(1e-6, 1e-2),
            _ => 1e-2,
        }
    }
}

/// The warnings of a run, the gravest first.
pub(super) fn warnings(dynamics: &Dynamics, integrator: &Integrator, record: &Record) -> Vec<Warning> {
    let mut warnings = Vec::with_capacity(8);
    let system = dynamics.system();
    let (n, m) = (system.n(), system.contacts.len());
    warnings.extend(not_finite(record));
    let (residual, share, bound) =
        (record.energy_residual(), record.energy_share(), integrator.energy_bound());
    // rounding alone where nothing is turned over: products so small have lost their digits
    if !(share <= bound) && !(residual.abs() <= f64::MIN_POSITIVE / f64::EPSILON) {
        warnings.push(Warning::EnergyResidual { residual, share, bound });
    }
    if let Some(drift) = record.drift {
        let mut largest = 0.0f64;
        for (contact, e) in system.contacts.iter().enumerate() {
            let range = record.ranges[3 * n + contact];
            let force = if range.max > -range.min { range.max } else { range.min };
            let speeds = &record.ranges[n..2 * n];
            let fastest: f64 =
                e.direction.iter().zip(speeds).map(|(w, v)| w.abs() * v.max.max(-v.min)).sum::<f64>()
                    + e.belt.abs();
            let bound = e.load * (e.friction.law.bound() + e.friction.viscous * fastest);
            largest = largest.max(bound);
            if force.abs() > (1.0 + EXCESS) * bound {
                warnings.push(Warning::LawExceeded { contact, force, bound });
            }
        }
        if drift > DRIFT * largest && m > 0 {
            warnings.push(Warning::Drift { drift, bound: largest });
        }
    }
    for (contact, e) in system.contacts.iter().enumerate() {
        let known = e.friction.law.scales().known_to;
        let speed = record.samples.sliding[contact].iter().fold(0.0, |speed: f64, v| speed.max(v.abs()));
        if speed > known {
            warnings.push(Warning::LawLeft { contact, speed, known });
        }
    }
    if let Integrator::Rk4 { step } = integrator
        && step * dynamics.scales().oscillation > RK4_OSCILLATION
    {
        let limit = RK4_OSCILLATION / dynamics.scales().oscillation;
        warnings.push(Warning::UnstableStep { integrator: integrator.name(), step: *step, limit });
    }
    if record.n_events_dropped > 0 {
        warnings.push(Warning::EventsDropped { n: record.n_events_dropped });
    }
    warnings
}

/// Counts the numbers of a record that are not finite.
fn not_finite(record: &Record) -> Option<Warning> {
    let Samples { t, position, velocity, acceleration, sliding, friction, slope, states } = &record.samples;
    let columns = [
        ("position", position),
        ("velocity", velocity),
        ("acceleration", acceleration),
        ("sliding velocity", sliding),
        ("friction force", friction),
        ("slope", slope),
        ("internal state", states),
    ];
    let bad = |column: &[f64]| {
        // most columns have none, which is seen faster than counted
        let has_any = column.iter().fold(false, |has_any, x| has_any | !x.is_finite());
        if has_any { column.iter().filter(|x| !x.is_finite()).count() as u64 } else { 0 }
    };
    let (mut n, mut first) = (bad(t), "time");
    for (name, group) in columns {
        let count: u64 = group.iter().map(|column| bad(column)).sum();
        if n == 0 && count > 0 {
            first = name;
        }
        n += count;
    }
    let totals = [record.total.work_in, record.total.losses()];
    // an empty window has no extrema
    let taken = record.ranges.iter().filter(|range| !(range.max < range.min));
    let ranges = taken.flat_map(|range| [range.max, range.min]);
    let others = bad(&totals) + ranges.filter(|x| !x.is_finite()).count() as u64;
    if n == 0 && others > 0 {
        first = "extrema and energies";
    }
    (n + others > 0).then_some(Warning::NotFinite { quantity: first, n: n + others })
}
