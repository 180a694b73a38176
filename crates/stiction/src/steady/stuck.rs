//! Contacts that stick throughout a periodic motion. A slip whose travel is round-off is none.
//!
//! A search that comes from outside ends on the edge of a continuum of stuck motions: friction reaches its limit once in a
//! period, and what is left of the approach slips by about the residual. Whether such a contact sticks is decided on the
//! motion in which it cannot slip (its limit raised): if the range of its friction force fits between the limits, then there is
//! a periodic motion without any slip, as constant friction forces δH only shift the motion:
//!
//! ```text
//!   K δq + W δH = 0,      δH = (H_low + H_high)/2 − (min H + max H)/2
//! ```
//!
//! Of the continuum the motion with the forces in the middle of their limits is reported, the same from wherever the search
//! came. Loads that vary, stops and springs with corners admit no such shift: there the motion stays where it was found, and
//! counts as stuck if its slip is [`ROUND_OFF`].

use super::measure::{Measures, Tally};
use super::newton::{Fixed, Norm, fixed_point};
use super::supervised::attempted;
use super::{Engine, State, Steady};
use crate::law::Law;
use crate::math::dense::{Matrix, dot};
use crate::math::pivoted;
use crate::simulate::{Integrator, Plan, drive};
use crate::system::{System, Wider};
use crate::{Error, Progress};

/// Travel of a contact in a period, relative to the motion, below which it is asked whether it slips at all: what a search leaves
/// where the multiplier is next to 1.
pub(super) const SLIGHT: f64 = 1e-8;
/// Travel that is round-off, relative to the motion.
const ROUND_OFF: f64 = 1e-12;
/// Part of its limits by which the range of a friction force may exceed them.
const EXCESS: f64 = 1e-12;
/// By what the limits of contacts are multiplied that shall not slip.
const RAISED: f64 = 2.0;
/// Evaluations of the map for a motion that is linear.
const EVALUATIONS: u32 = 8;

/// The motion at `fixed` with those contacts at rest that slip by round-off only, and its measures; none if there are no
/// such contacts.
pub(super) fn stuck_member(
    steady: &Steady,
    system: &System,
    (fixed, measures): (&Fixed, &Measures),
    period: f64,
) -> Result<Option<(Fixed, Measures)>, Error> {
    let norm = Norm::new(system, period);
    let size = norm.size(&fixed.x, &fixed.x).max(measures.extent);
    let shifts = may_shift(system);
    let least = if shifts { SLIGHT } else { ROUND_OFF };
    let slips_slightly = |i: &usize| {
        let law = &system.contacts[*i].friction.law;
        law.hold(0.0).is_some()
            && law.n_states() == 0
            && measures.travel[*i] <= least * size
            && measures.events.iter().any(|event| event.contact == *i)
    };
    let contacts: Vec<usize> = (0..system.contacts.len()).filter(slips_slightly).collect();
    if contacts.is_empty() {
        return Ok(None);
    }
    let mut held = system.clone();
    contacts.iter().for_each(|i| held.contacts[*i].load *= RAISED);
    let search = HeldSearch { steady, system, held, contacts, period, norm };
    Ok(attempted(search.run(fixed, shifts))?.flatten())
}

/// Whether constant forces at the contacts shift a motion and change nothing else.
fn may_shift(system: &System) -> bool {
    let Wider {
        loads: _,
        contacts,
        stops,
        elastic,
        thresholds,
        curved,
        feedback,
        memory: _,
        stop_numbers: _,
    } = &system.wider;
    let is_steady = |by: &[f64]| by.iter().all(|by| *by == 0.0);
    stops.is_empty()
        && elastic.is_empty()
        && thresholds.is_empty()
        && curved.is_empty()
        && feedback.is_none()
        && contacts
            .iter()
            .all(|own| own.load.size() == 0.0 && is_steady(&own.by_position) && is_steady(&own.by_velocity))
        && system.contacts.iter().all(|contact| contact.friction.law.n_states() == 0)
}

/// A search for the motion in which some contacts cannot slip.
struct HeldSearch<'a> {
    steady: &'a Steady,
    system: &'a System,
    /// The system with the limits of those contacts raised.
    held: System,
    contacts: Vec<usize>,
    period: f64,
    norm: Norm,
}

impl HeldSearch<'_> {
    fn run(&self, fixed: &Fixed, shifts: bool) -> Result<Option<(Fixed, Measures)>, Error> {
        let mut x = fixed.x.clone();
        if !self.stop(&mut x) {
            return Ok(None);
        }
        let mut found = self.fixed(x)?;
        if shifts {
            let Some(forces) = self.shift(&found.x)? else { return Ok(None) };
            let Some(shift) = self.deflection(&forces) else { return Ok(None) };
            if shift.iter().any(|shift| *shift != 0.0) {
                found.x.iter_mut().zip(&shift).for_each(|(x, shift)| *x += shift);
                found = self.fixed(found.x)?;
            }
        }
        let slips =
            |measures: &Measures| measures.events.iter().any(|event| self.contacts.contains(&event.contact));
        let Some(measures) = found.measures.take().filter(|measures| !slips(measures)) else {
            return Ok(None);
        };
        let (iterations, periods) = (fixed.iterations, fixed.periods);
        Ok(Some((Fixed { iterations, periods, ..found }, measures)))
    }

    /// Brings the contacts to rest at t = 0: v ← v − W (WᵀW)⁻¹ (Wᵀv − belt).
    fn stop(&self, x: &mut [f64]) -> bool {
        let n = self.norm.n();
        let m = self.contacts.len();
        let direction = |k: usize| &self.system.contacts[self.contacts[k]].direction;
        let v = &mut x[n..2 * n];
        let mut gram = Matrix::zeros(m, m);
        let mut sliding = vec![0.0; m];
        for (i, &contact) in self.contacts.iter().enumerate() {
            let belt = self.system.contacts[contact].belt + self.system.wider.belt(contact, 0.0);
            sliding[i] = dot(direction(i), v) - belt;
            (0..m).for_each(|j| *gram.at_mut(i, j) = dot(direction(i), direction(j)));
        }
        let is_found = pivoted::solve(&mut gram, &mut sliding);
        for (k, part) in sliding.iter().enumerate() {
            v.iter_mut().zip(direction(k)).for_each(|(v, w)| *v -= part * w);
        }
        self.norm.snap(x);
        is_found
    }

    /// The periodic motion next to `x`, measured.
    fn fixed(&self, x: Vec<f64>) -> Result<Fixed, Error> {
        let Self { steady, held, period, norm, .. } = self;
        let engine = self.engine();
        let tolerance = steady.tolerance.max(engine.floor());
        let mut flow = engine.flow(held)?;
        let tally = || Some(Tally::new(held, *period, steady.dof));
        let limits = (tolerance, EVALUATIONS);
        let mut fixed = fixed_point(&mut *flow, *period, norm, x, limits, (&tally, true))?;
        if fixed.measures.is_none() {
            fixed.measures = Some(super::measure::measure(&mut *flow, held, &fixed.x, *period, steady.dof)?);
        }
        Ok(fixed)
    }

    fn engine(&self) -> Engine {
        self.steady.engine.clone().unwrap_or_else(|| Engine::of(self.system))
    }

    /// δH of each contact that cannot slip; none if the range of its friction force exceeds the limits.
    fn shift(&self, x: &[f64]) -> Result<Option<Vec<f64>>, Error> {
        let n = self.norm.n();
        let State { position, velocity, .. } = State::from_slice(x, n);
        let system = System { position, velocity, ..self.held.clone() };
        let integrator = match self.engine() {
            Engine::Exact => Integrator::Exact,
            Engine::Adaptive(settings) => Integrator::Adaptive(settings),
        };
        let record = drive(&system, &integrator, &Plan::new(self.period, 0), &mut Progress::none())?;
        let shift = |i: &usize| {
            let contact = &self.system.contacts[*i];
            let hold = contact.friction.law.hold(0.0)?;
            let [low, high] = [contact.load * hold.low, contact.load * hold.high];
            let range = record.ranges.get(3 * n + i)?;
            let fits = range.max - range.min <= (1.0 + EXCESS) * (high - low);
            fits.then_some(0.5 * (low + high) - 0.5 * (range.min + range.max))
        };
        Ok(self.contacts.iter().map(shift).collect())
    }

    /// δq = −K⁻¹ W δH.
    fn deflection(&self, forces: &[f64]) -> Option<Vec<f64>> {
        let mut shift = vec![0.0; self.norm.n()];
        for (i, force) in self.contacts.iter().zip(forces) {
            let direction = &self.system.contacts[*i].direction;
            shift.iter_mut().zip(direction).for_each(|(shift, w)| *shift -= w * force);
        }
        pivoted::solve(&mut self.system.stiffness.clone(), &mut shift).then_some(shift)
    }
}
