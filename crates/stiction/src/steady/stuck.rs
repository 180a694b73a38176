//! Contacts and sliders that stick throughout a periodic motion. A slip whose travel is round-off is none.
//!
//! Motions with stuck contacts form a continuum: constant friction forces δH only shift the motion,
//!
//! ```text
//!   K δq + W δH = 0,      δH = (H_low + H_high)/2 − (min H + max H)/2
//! ```
//!
//! Of the continuum the motion with the forces in the middle of their limits is reported, whatever neighbours
//! the search began at; only a start of the user's own leads to the motion that it ends in. A stuck slider k
//! is a spring of stiffness N σₖ whose deflection zₖ follows wᵀq: δH = N σₖ δzₖ.
//!
//! A search that comes from outside ends on the edge of the continuum: friction reaches its limit once in a
//! period, and the residual of the approach is left as slip. Whether a set-valued contact sticks is decided
//! on the motion in which it cannot slip (its limit raised): it does if the range of its friction force fits
//! between the limits. A slider sticks if the range of wᵀq does not exceed the range of its deflection.
//!
//! Loads that vary, stops, feedback and springs with corners admit no such shift: there the motion stays
//! where it was found, and a set-valued contact counts as stuck if its slip is [`ROUND_OFF`]. Sliders on
//! belts and those whose limits depend on the velocity are left as they were found.

use super::flow::{Flow, attempted};
use super::measure::{Measures, measure};
use super::newton::{Fixed, Norm, fixed_point};
use super::{Engine, State, Steady};
use crate::event::Event;
use crate::law::Law;
use crate::math::dense::{Matrix, dot};
use crate::math::pivoted;
use crate::simulate::{Integrator, Plan, drive};
use crate::system::{Contact, ForceElements, System};
use crate::{Error, Progress};

/// Travel of a contact in a period, relative to the motion, below which it is asked whether it slips at all:
/// what a search leaves where the multiplier is next to 1.
const SLIGHT: f64 = 1e-8;
/// Travel that is round-off, relative to the motion.
const ROUND_OFF: f64 = 1e-12;
/// Part of its limits by which the range of a friction force may exceed them.
const EXCESS: f64 = 1e-12;
/// By what the limits of contacts are multiplied that shall not slip.
const RAISED: f64 = 2.0;
/// Evaluations of the map for a motion that is linear.
const EVALUATIONS: u32 = 8;

/// Times the least residual, the part of the motion by which the reported one may be off the middle of the
/// continuum.
const CENTRED: f64 = 10.0;
/// Shifts to the middle: the first may start from slips of [`SLIGHT`] size, the second leaves round-off.
const SHIFTS: usize = 3;

/// The motion at `fixed` with those contacts and sliders at rest that slip by round-off only, and its
/// measures; none if `fixed` is that motion, or has no events and `keeps` its place in the continuum.
pub(super) fn stuck_member(
    steady: &Steady,
    system: &System,
    (fixed, measures): (&Fixed, &Measures),
    (period, keeps): (f64, bool),
) -> Result<Option<(Fixed, Measures)>, Error> {
    if keeps && measures.events.is_empty() {
        return Ok(None);
    }
    let norm = Norm::new(system, period);
    let size = norm.size(&fixed.x, &fixed.x).max(measures.extent);
    let shifts = may_shift(system);
    let least = if shifts { SLIGHT } else { ROUND_OFF };
    let slips_slightly = |i: &usize| {
        let law = &system.contacts[*i].friction.law;
        law.friction_bounds(0.0, &[]).is_some()
            && law.n_states() == 0
            && measures.travel[*i] <= least * size
            && (shifts || measures.events.iter().any(|event| event.contact == *i))
    };
    let contacts: Vec<usize> = (0..system.contacts.len()).filter(slips_slightly).collect();
    let sliders = if shifts { stuck_sliders(system, measures) } else { Vec::new() };
    if contacts.is_empty() && sliders.is_empty() {
        return Ok(None);
    }
    let mut held = system.clone();
    contacts.iter().for_each(|i| held.contacts[*i].load *= RAISED);
    let search = HeldSearch { steady, system, held, contacts, sliders, period, norm, size };
    Ok(attempted(search.run((fixed, measures), shifts))?.flatten())
}

/// A slider whose spring carries all of the motion along its contact.
struct StuckSlider {
    contact: usize,
    /// Its deflection among the states.
    state: usize,
    /// Stiffness N σ of its spring (N/m).
    stiffness: f64,
    /// The middle of its deflections (m).
    middle: f64,
    /// The width of its deflections (m).
    width: f64,
}

/// The sliders whose deflections are as wide as the motion along their contacts.
fn stuck_sliders(system: &System, measures: &Measures) -> Vec<StuckSlider> {
    let mut stuck = Vec::new();
    let mut state = 2 * system.n();
    for (i, contact) in system.contacts.iter().enumerate() {
        let law = &contact.friction.law;
        let first = state;
        state += law.n_states();
        let is_still = contact.belt == 0.0
            && system.elements.contacts.get(i).is_none_or(|varying| varying.belt.size() == 0.0);
        let Some(sliders) = law.sliders().filter(|_| is_still && law.lag(0.0).is_none()) else { continue };
        for (k, slider) in sliders.iter().enumerate().filter(|(_, slider)| slider.holds()) {
            let [forth, back] = [1.0, -1.0].map(|direction| slider.reach_towards(direction));
            let own = StuckSlider {
                contact: i,
                state: first + k,
                stiffness: contact.load * slider.stiffness,
                middle: 0.5 * (forth - back),
                width: forth + back,
            };
            if own.fits(measures) {
                stuck.push(own);
            }
        }
    }
    stuck
}

impl StuckSlider {
    /// Whether the motion along the contact is within the deflections.
    fn fits(&self, measures: &Measures) -> bool {
        let [low, high] = measures.spans[self.contact];
        high - low <= (1.0 + EXCESS) * self.width
    }
}

/// Whether constant forces at the contacts shift a motion and change nothing else.
fn may_shift(system: &System) -> bool {
    let ForceElements {
        loads: _,
        contacts,
        stops,
        elastic,
        thresholds,
        curved,
        feedback,
        memory: _,
        stop_numbers: _,
    } = &system.elements;
    let is_steady = |by: &[f64]| by.iter().all(|by| *by == 0.0);
    stops.is_empty()
        && elastic.is_empty()
        && thresholds.is_empty()
        && curved.is_empty()
        && feedback.is_none()
        && contacts
            .iter()
            .all(|own| own.load.size() == 0.0 && is_steady(&own.by_position) && is_steady(&own.by_velocity))
        && system.contacts.iter().all(|contact| {
            let law = &contact.friction.law;
            law.n_states() == 0 || law.sliders().is_some() && law.lag(0.0).is_none()
        })
}

/// A search for the motion in which some contacts and sliders do not slip.
struct HeldSearch<'a> {
    steady: &'a Steady,
    system: &'a System,
    /// The system with the limits of those contacts raised.
    held: System,
    contacts: Vec<usize>,
    sliders: Vec<StuckSlider>,
    period: f64,
    norm: Norm,
    /// The size of the motion (m).
    size: f64,
}

impl HeldSearch<'_> {
    fn run(
        &self,
        (fixed, measures): (&Fixed, &Measures),
        shifts: bool,
    ) -> Result<Option<(Fixed, Measures)>, Error> {
        let mut found = (fixed.clone(), measures.clone());
        if !self.contacts.is_empty() {
            if !self.stop(&mut found.0.x) {
                return Ok(None);
            }
            found = self.fixed(found.0.x)?;
        }
        if shifts {
            found = match self.centred(found)? {
                Some(found) => found,
                None => return Ok(None),
            };
        }
        let (found, mut measures) = found;
        let slips = |event: &Event| self.contacts.contains(&event.contact);
        if measures.events.iter().any(slips) || !self.sliders.iter().all(|slider| slider.fits(&measures)) {
            return Ok(None);
        }
        if self.is_all_stuck() {
            // springs give back what they take
            measures.balance.friction_loss = 0.0;
        }
        let (iterations, periods) = (fixed.iterations, fixed.periods);
        Ok(Some((Fixed { iterations, periods, ..found }, measures)))
    }

    /// Whether nothing slips anywhere.
    fn is_all_stuck(&self) -> bool {
        let is_stuck = |(i, contact): (usize, &Contact)| {
            let own = || self.sliders.iter().filter(|slider| slider.contact == i).count();
            self.contacts.contains(&i) || contact.friction.law.sliders().is_some_and(|all| own() == all.len())
        };
        self.system.contacts.iter().enumerate().all(is_stuck)
    }

    /// The motion with all forces in the middle of their limits, or as near to it as redundant contacts and
    /// soft springs admit.
    fn centred(&self, mut found: (Fixed, Measures)) -> Result<Option<(Fixed, Measures)>, Error> {
        let tolerance = CENTRED * self.engine().floor() * self.size;
        for round in 0..=SHIFTS {
            let Some(forces) = self.forces(&found.0.x)? else { return Ok(None) };
            let Some(shift) = self.shift(&found, &forces) else { return Ok(None) };
            let is_small = |(i, by): (usize, &f64)| by.abs() <= tolerance * self.norm.unit(i);
            if round == SHIFTS || shift.iter().enumerate().all(is_small) {
                let holds = forces.iter().all(|force| force.offset.abs() <= force.room);
                return Ok(holds.then_some(found));
            }
            found.0.x.iter_mut().zip(&shift).for_each(|(x, by)| *x += by);
            found = self.fixed(found.0.x)?;
        }
        Ok(None)
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
            let belt = self.system.contacts[contact].belt + self.system.elements.belt(contact, 0.0);
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
    fn fixed(&self, x: Vec<f64>) -> Result<(Fixed, Measures), Error> {
        let Self { steady, held, period, norm, .. } = self;
        let engine = self.engine();
        let tolerance = steady.tolerance.max(engine.floor());
        let mut progress = Progress::none();
        let mut flow = Flow::new(engine.propagator(held)?, progress.part(0.0, 1.0), 1.0);
        let fixed = fixed_point(&mut flow, *period, norm, x, (tolerance, EVALUATIONS))?;
        let measures = measure(&mut flow, held, &fixed.x, *period, steady.dof)?;
        Ok((fixed, measures))
    }

    fn engine(&self) -> Engine {
        self.steady.engine.clone().unwrap_or_else(|| Engine::of(self.system))
    }

    /// δq and δz from the motion to the middle of the continuum.
    fn shift(&self, (found, measures): &(Fixed, Measures), forces: &[HeldForce]) -> Option<Vec<f64>> {
        let n = self.norm.n();
        let mut shift = vec![0.0; found.x.len()];
        let mut push = |contact: usize, force: f64| {
            let direction = &self.system.contacts[contact].direction;
            shift.iter_mut().zip(direction).for_each(|(shift, w)| *shift -= w * force);
        };
        let deflection = |slider: &StuckSlider| {
            let [low, high] = measures.spans[slider.contact];
            let along = dot(&self.system.contacts[slider.contact].direction, &found.x[..n]);
            slider.middle - (found.x[slider.state] + 0.5 * (low + high) - along)
        };
        self.contacts.iter().zip(forces).for_each(|(contact, force)| push(*contact, force.offset));
        self.sliders.iter().for_each(|slider| push(slider.contact, slider.stiffness * deflection(slider)));
        self.sliders.iter().for_each(|slider| shift[slider.state] = deflection(slider));
        pivoted::solve(&mut self.system.stiffness.clone(), &mut shift[..n]).then_some(shift)
    }

    /// The friction forces of the contacts that cannot slip; none if the range of one exceeds its limits.
    fn forces(&self, x: &[f64]) -> Result<Option<Vec<HeldForce>>, Error> {
        if self.contacts.is_empty() {
            return Ok(Some(Vec::new()));
        }
        let n = self.norm.n();
        let State { position, velocity, memory } = State::from_slice(x, n);
        let mut system = System { position, velocity, ..self.held.clone() };
        system.elements.memory = memory;
        let integrator = match self.engine() {
            Engine::Exact => Integrator::Exact,
            Engine::Adaptive(settings) => Integrator::Adaptive(settings),
        };
        let record = drive(&system, &integrator, &Plan::new(self.period, 0), &mut Progress::none())?;
        let force = |i: &usize| {
            let contact = &self.system.contacts[*i];
            let hold = contact.friction.law.friction_bounds(0.0, &[])?;
            let [low, high] = [contact.load * hold.low, contact.load * hold.high];
            let range = record.ranges.get(3 * n + i)?;
            let room = (0.5 + EXCESS) * (high - low) - 0.5 * (range.max - range.min);
            let offset = 0.5 * (low + high) - 0.5 * (range.min + range.max);
            (room >= 0.0).then_some(HeldForce { offset, room })
        };
        Ok(self.contacts.iter().map(force).collect())
    }
}

/// The friction force of a contact that cannot slip.
struct HeldForce {
    /// From the middle of its range to the middle of the limits (N).
    offset: f64,
    /// Offset up to which the range is within the limits (N).
    room: f64,
}
