//! Whether the motion after an event was one of several: static friction above kinetic friction of coupled
//! contacts.
//!
//! Looked at where contacts at rest start to slip, at t = 0 and at the events of the window, from the motion
//! alone and so for every engine: with the relative accelerations u̇ and the friction h of contacts without
//! sliding velocity, c = u̇ + G h are their accelerations without friction, and [`Continuations`] enumerates
//! the modes that are consistent. Contacts that are not coupled through G do not matter.
//!
//! No statement is made on systems with contacts that vary (which prescribed motion makes too), rigid stops,
//! or laws that depend on the demand or on the time at rest, nor on redundant contacts and on more than
//! [`MOST`] coupled contacts at rest.

use super::Stepper;
use crate::Warning;
use crate::contact::continuations::{Continuations, FrictionLimits, MOST};
use crate::event::{Event, EventKind};
use crate::law::{Graph, Law, Slip};
use crate::math::dense::dot;
use crate::record::Ranges;
use crate::system::{Contact, Dynamics, Motion, System};

/// Below this part of its terms a number is round-off: an entry of G, an acceleration, a sliding velocity.
const ROUNDING: f64 = 1e-12;

/// Looks for the first event with several continuations.
pub(super) struct UniquenessWatch {
    /// Of each contact with a set-valued law.
    limits: Vec<Option<FrictionLimits>>,
    /// Of each contact the others that it is coupled with.
    coupled: Vec<Vec<usize>>,
    probe: Motion,
    /// Time, and the contacts that differ.
    found: Option<(f64, [Option<usize>; MOST])>,
}

/// FrictionLimits of a contact with a set-valued law.
fn limits(contact: &Contact) -> Option<FrictionLimits> {
    let law = &contact.friction.law;
    let hold = law.friction_bounds(0.0, &[]).filter(|_| law.graph() == Graph::SetValued)?;
    let kinetic =
        [-f64::MIN_POSITIVE, f64::MIN_POSITIVE].map(|v| contact.load * law.coefficient(Slip::at(v)));
    Some(FrictionLimits { at_rest: [contact.load * hold.low, contact.load * hold.high], kinetic })
}

impl UniquenessWatch {
    /// None if the system leaves no choice, or if no statement is made on it.
    pub fn new(dynamics: &Dynamics) -> Option<Box<Self>> {
        let system = dynamics.system();
        if system.contacts.len() < 2
            || !system.elements.contacts.is_empty()
            || !system.elements.stops.is_empty()
        {
            return None;
        }
        let limits: Vec<_> = system.contacts.iter().map(limits).collect();
        let depends = |(contact, limits): (&Contact, &Option<FrictionLimits>)| {
            let law = &contact.friction.law;
            if limits.is_some() { law.has_memory() } else { law.friction_bounds(0.0, &[]).is_some() }
        };
        let has_excess = |limits: &Option<FrictionLimits>| limits.is_some_and(|limits| limits.has_excess());
        if !limits.iter().any(has_excess) || system.contacts.iter().zip(&limits).any(depends) {
            return None;
        }
        let coupled = coupling(dynamics, &limits);
        // excess without a neighbour leaves no choice
        let may_choose = (0..limits.len()).any(|i| has_excess(&limits[i]) && !coupled[i].is_empty());
        let probe = Motion::zero(system.n(), system.contacts.len());
        may_choose.then(|| Box::new(Self { limits, coupled, probe, found: None }))
    }

    /// Looks at the motion at t = 0.
    pub fn begin(&mut self, dynamics: &Dynamics, now: &Motion) {
        for i in 0..self.limits.len() {
            let direction = &dynamics.system().contacts[i].direction;
            let terms = direction.iter().zip(&now.acceleration).map(|(w, a)| w * a);
            let (sum, size) = terms.fold((0.0, 0.0), |(sum, size): (f64, f64), x| (sum + x, size + x.abs()));
            if sum.abs() > ROUNDING * size {
                let fastest = now.velocity.iter().fold(0.0, |fastest: f64, v| fastest.max(v.abs()));
                self.look(dynamics, now, i, fastest);
            }
        }
    }

    /// Looks at events in the last step; `ranges` of the velocities are the measure of their round-off.
    pub fn take_events(&mut self, stepper: &mut dyn Stepper, events: &[Event], ranges: &Ranges) {
        let n = self.probe.position.len();
        // a reversal is a slip out of zero velocity too
        let starts = |event: &&Event| event.kind.is_slip() || event.kind == EventKind::Reverse;
        for event in events.iter().filter(starts) {
            if self.found.is_some() {
                return;
            }
            let mut probe = std::mem::take(&mut self.probe);
            stepper.motion(event.t, &mut probe);
            let speeds = (n..2 * n).map(|k| ranges.range(k).max.max(-ranges.range(k).min));
            self.look(stepper.dynamics(), &probe, event.contact, speeds.fold(0.0, f64::max));
            self.probe = probe;
        }
    }

    /// Enumerates the continuations of the contacts at rest that are coupled with contact `first`, which
    /// starts to slip; `fastest` is the largest speed so far (m/s).
    fn look(&mut self, dynamics: &Dynamics, now: &Motion, first: usize, fastest: f64) {
        let is_candidate = |i: usize| {
            let Contact { direction, belt, .. } = &dynamics.system().contacts[i];
            let size = direction.iter().map(|w| w.abs() * fastest).sum::<f64>() + belt.abs();
            self.limits[i].is_some() && dynamics.sliding(i, &now.velocity).abs() <= ROUNDING * size
        };
        if self.found.is_some() || !is_candidate(first) {
            return;
        }
        let (mut members, mut n, mut next) = ([first; MOST], 1, 0);
        while next < n {
            for &j in &self.coupled[members[next]] {
                if members[..n].contains(&j) || !is_candidate(j) {
                    continue;
                }
                if n == MOST {
                    return;
                }
                members[n] = j;
                n += 1;
            }
            next += 1;
        }
        members[..n].sort_unstable();
        let limits = members.map(|i| self.limits[i].unwrap_or_default());
        if n < 2 || !limits[..n].iter().any(FrictionLimits::has_excess) {
            return;
        }
        let system: &System = dynamics.system();
        let g = |a: usize, b: usize| dynamics.delassus(members[a], members[b]);
        let mut c = [0.0; MOST];
        for (a, c) in c[..n].iter_mut().enumerate() {
            *c = dot(&system.contacts[members[a]].direction, &now.acceleration)
                + (0..n).map(|b| g(a, b) * now.friction[members[b]]).sum::<f64>();
        }
        if let Some(differs) = Continuations::new(n, c, limits, g).differing() {
            self.found = Some((now.t, std::array::from_fn(|a| differs[a].then_some(members[a]))));
        }
    }

    /// The warning, if there is one.
    pub fn warning(&self) -> Option<Warning> {
        let (t, contacts) = self.found?;
        Some(Warning::SeveralContinuations { t, contacts: contacts.into_iter().flatten().collect() })
    }
}

/// Of each contact with limits the others with limits that it is coupled with through G.
fn coupling(dynamics: &Dynamics, limits: &[Option<FrictionLimits>]) -> Vec<Vec<usize>> {
    let m = limits.len();
    let are_coupled = |i: usize, j: usize| {
        let size = (dynamics.delassus(i, i) * dynamics.delassus(j, j)).sqrt();
        i != j && dynamics.delassus(i, j).abs() > ROUNDING * size
    };
    let of = |i: usize| {
        (0..m).filter(|&j| limits[i].is_some() && limits[j].is_some() && are_coupled(i, j)).collect()
    };
    (0..m).map(of).collect()
}
