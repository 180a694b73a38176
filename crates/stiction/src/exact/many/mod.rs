//! Several degrees of freedom: patches of Taylor series from event to event.
//!
//! While everything rests the forces are sums of sine waves and a drift, and the search is that of one degree
//! of freedom, over any span of time at once.

mod accumulate;
mod rest;
mod search;
mod tangent;
#[cfg(test)]
mod tests;

use super::load_harmonics::{Demand, Side};
use super::modal::Modal;
use super::mode_selection::{leave, settle};
use super::prepared::Prepared;
use super::root_isolation::Stalled;
use super::segment::{ORDER, PolylineMode, Segment};
use super::time::Time;
use crate::Error;
use crate::event::{Event, EventKind};
use crate::system::{Motion, System};
pub(super) use search::first_root;

#[derive(Clone, Debug)]
pub(super) struct Many {
    body: Prepared,
    /// The motion in modes, where that is exact and worth it; the segments then only settle what rests.
    modal: Option<Box<Modal>>,
    patch: Box<Segment>,
    next: Box<Segment>,
    /// Whether the patch has been walked to its end, and `next` follows.
    ended: bool,
    /// The first event in the patch, once it has been searched for: its time as a fraction, and the contacts.
    found: Option<f64>,
    fired: Vec<(usize, Side)>,
    is_searched: bool,
    /// What the resting contacts hold if nothing can move, and up to where that was searched.
    demands: Vec<Demand>,
    demand_from: Vec<f64>,
    rests: bool,
    next_rests: bool,
    /// Whether the patch is carried in modes, and whether the next one is: a set of resting contacts may have
    /// none that are good.
    in_modes: bool,
    next_in_modes: bool,
    now: Time,
    series: [f64; ORDER + 1],
    scratch: Vec<f64>,
    /// Velocities at the nodes of a quadrature, for each degree of freedom.
    at_nodes: Vec<[f64; 10]>,
    /// Accelerations, and forces with their rates, at the end of a phase in modes.
    end_acceleration: Vec<f64>,
    end_state: [Vec<f64>; 2],
    end_force: Vec<[f64; 2]>,
    pub events: Vec<Event>,
    /// Positions (m) and velocities (m/s) beyond these have left all bounds.
    pub largest: [f64; 2],
}

impl Many {
    pub fn new(system: &System) -> Result<Self, Error> {
        let body = Prepared::new(system)?;
        let m = body.contacts.len();
        let patch = Box::new(Segment::new(&body));
        let mut many = Self {
            next: patch.clone(),
            patch,
            ended: false,
            found: None,
            fired: Vec::with_capacity(m),
            is_searched: false,
            demands: vec![Demand::with_capacity(body.tones.len()); m],
            demand_from: vec![0.0; m],
            rests: false,
            next_rests: false,
            in_modes: false,
            next_in_modes: false,
            now: Time::default(),
            series: [0.0; ORDER + 1],
            scratch: vec![0.0; 3 * body.n + body.contacts.len()],
            at_nodes: vec![[0.0; 10]; body.n],
            end_acceleration: vec![0.0; body.n],
            end_state: [vec![0.0; body.n], vec![0.0; body.n]],
            end_force: vec![[0.0; 2]; m],
            events: Vec::with_capacity(m),
            largest: [f64::INFINITY; 2],
            modal: Modal::new(system, &body).map(Box::new),
            body,
        };
        many.restart(0.0, &system.position, &system.velocity)?;
        Ok(many)
    }

    pub fn restart(&mut self, t: f64, q: &[f64], v: &[f64]) -> Result<(), Error> {
        let n = self.body.n;
        self.events.clear();
        self.now = Time::new(t);
        let next = &mut self.next;
        next.start = self.now;
        next.q[..n].copy_from_slice(q);
        next.v[..n].copy_from_slice(v);
        for (i, contact) in self.body.contacts.iter().enumerate() {
            next.at[i] = None;
            let (sliding, noise) = (self.body.sliding(i, v), self.body.sliding_rounding(i, v));
            next.mode[i] = match contact.line.place_within(sliding, noise) {
                Ok(corner) if contact.line.corners[corner].is_jump() => {
                    PolylineMode::Rest { corner, yields: None }
                }
                Ok(corner) => {
                    next.at[i] = Some(Side::Low);
                    PolylineMode::Slide { piece: corner + 1 }
                }
                Err(piece) => PolylineMode::Slide { piece },
            };
        }
        self.decide()?;
        self.turn_over();
        Ok(())
    }

    pub fn t(&self) -> f64 {
        self.now.t
    }

    pub fn start(&self) -> f64 {
        self.patch.start.t
    }

    pub fn rate(&self) -> f64 {
        self.body.fastest(0.0)
    }

    /// The rate to which the cost of a motion in modes is tied (1/s).
    pub fn pace(&self) -> Option<f64> {
        self.modal.as_ref().map(|modal| modal.pace(&self.body))
    }

    /// Settles the modes of the next patch and completes its series.
    fn decide(&mut self) -> Result<(), Error> {
        let t = self.next.start.t;
        settle(&self.body, &mut self.next).map_err(|contacts| Error::Undecided { t, contacts })?;
        self.next_rests = self.next.basis.members.len() == self.body.n;
        self.next_in_modes =
            !self.next_rests && self.modal.as_mut().is_some_and(|modal| modal.begin(&self.body, &self.next));
        if !self.next_rests && !self.next_in_modes {
            self.next.extend(&self.body, ORDER);
        }
        Ok(())
    }

    /// Makes the next patch the current one.
    fn turn_over(&mut self) {
        std::mem::swap(&mut self.patch, &mut self.next);
        if let Some(modal) = &mut self.modal {
            modal.turn_over();
        }
        (self.rests, self.in_modes) = (self.next_rests, self.next_in_modes);
        self.ended = false;
        self.is_searched = false;
        if self.rests {
            self.rest();
        }
    }

    /// Goes on to the next event, to the end of the patch, or to `t_end`, whichever comes first.
    pub fn step(&mut self, t_end: f64) -> Result<(), Error> {
        if self.ended {
            self.turn_over();
        }
        self.events.clear();
        let end = self.patch.start.until(t_end);
        let tau = if self.rests {
            let exit = self.rest_exit(end).map_err(|Stalled| self.stalled())?;
            let Some((tau, i, side)) = exit else {
                self.now = Time::new(t_end);
                return Ok(());
            };
            self.fired.clear();
            self.fired.push((i, side));
            tau
        } else if let Some(modal) = self.modal.as_mut().filter(|_| self.in_modes) {
            let event = modal.search(&self.body, &self.patch, end);
            let event = event.map_err(|Stalled| Error::StepVanished { t: self.patch.start.t })?;
            let Some((tau, i, side)) = event else {
                self.now = Time::new(t_end);
                let ([q, v], n) = (&mut self.end_state, self.body.n);
                modal.state(&self.body, false, end, &mut q[..n], &mut v[..n], &mut self.end_acceleration);
                return check_size(t_end, q, v, self.largest);
            };
            self.found = Some(tau);
            self.fired.clear();
            self.fired.push((i, side));
            tau
        } else {
            if !self.is_searched {
                self.search().map_err(|Stalled| self.stalled())?;
            }
            let tau = self.found.unwrap_or(1.0) * self.patch.length;
            if tau > end {
                self.now = Time::new(t_end);
                return Ok(());
            }
            tau
        };
        self.now = self.patch.start.plus(tau);
        self.ended = true;
        self.follow(tau)?;
        let n = self.body.n;
        check_size(self.now.t, &self.next.q[..n], &self.next.v[..n], self.largest)
    }

    /// Prepares the patch after the current one, which ends at τ.
    fn follow(&mut self, tau: f64) -> Result<(), Error> {
        let (n, m) = (self.body.n, self.body.contacts.len());
        let (patch, next) = (&self.patch, &mut self.next);
        next.start = self.now;
        next.mode.copy_from_slice(&patch.mode);
        if self.rests {
            for k in 0..n {
                next.q[k] = patch.q[k] + patch.v[k] * tau;
                next.v[k] = patch.v[k];
            }
        } else if let Some(modal) = self.modal.as_mut().filter(|_| self.in_modes) {
            modal.state(
                &self.body,
                false,
                tau,
                &mut next.q[..n],
                &mut next.v[..n],
                &mut self.end_acceleration,
            );
            for (i, force) in self.end_force.iter_mut().enumerate() {
                *force = modal.force(&self.body, false, tau, i);
            }
        } else {
            patch.state(tau / patch.length, &mut next.q[..n], &mut next.v[..n], &mut self.scratch[..n]);
        }
        let mut is_open = false;
        for i in 0..m {
            // contacts that did not leave the end they started at are asked again
            next.at[i] = match &self.modal {
                Some(modal) if self.in_modes => modal.open(i),
                _ if patch.lead[i] == 0 => patch.at[i],
                _ => None,
            };
            is_open |= next.at[i].is_some();
        }
        if self.found.is_none() && !self.rests && !is_open {
            next.share_recurrence(patch);
            next.constrain(&self.body);
            next.begin(&self.body, patch.length);
            next.extend(&self.body, ORDER);
            next.at.fill(None);
            (self.next_rests, self.next_in_modes) = (false, false);
            return Ok(());
        }
        // others that are at a corner at the same time, within rounding
        for (i, contact) in self.body.contacts.iter().enumerate() {
            let PolylineMode::Slide { piece } = patch.mode[i] else { continue };
            let v = self.body.sliding(i, &next.v[..n]);
            let near = |corner: usize| {
                let limit = contact.line.corners.get(corner)?;
                ((v - limit.v).abs() <= patch.sliding_noise[i]).then_some(())
            };
            let side = match (piece.checked_sub(1).and_then(near), near(piece)) {
                (Some(()), _) => Side::Low,
                (None, Some(())) => Side::High,
                _ => continue,
            };
            if self.fired.iter().all(|fired| fired.0 != i) {
                self.fired.push((i, side));
            }
        }
        // trial modes
        for &(i, side) in &self.fired {
            let corners = &self.body.contacts[i].line.corners;
            match patch.mode[i] {
                PolylineMode::Slide { piece } => {
                    let corner = if side == Side::High { piece } else { piece - 1 };
                    if corners[corner].is_jump() {
                        next.mode[i] = PolylineMode::Rest { corner, yields: None };
                    } else {
                        leave(next, i, corner, side);
                    }
                }
                // the modes know for certain that the force passes its limit; a series of a stiff system may
                // not see it
                PolylineMode::Rest { corner, yields: None } if self.in_modes => {
                    leave(next, i, corner, side);
                }
                PolylineMode::Rest { .. } => {}
            }
        }
        self.decide()?;
        for i in 0..m {
            let corners = &self.body.contacts[i].line.corners;
            let jump = |corner: usize, kind| if corners[corner].is_jump() { kind } else { EventKind::Corner };
            let kind = match (self.patch.mode[i], self.next.mode[i]) {
                (PolylineMode::Rest { corner, .. }, PolylineMode::Slide { .. }) => {
                    jump(corner, EventKind::Slip)
                }
                (PolylineMode::Slide { .. }, PolylineMode::Rest { corner, .. }) => {
                    jump(corner, EventKind::Stick)
                }
                (PolylineMode::Slide { piece: a }, PolylineMode::Slide { piece: b }) if a != b => {
                    jump(a.min(b), EventKind::Reverse)
                }
                _ => continue,
            };
            self.events.push(Event { t: self.now.t, contact: i, kind });
        }
        Ok(())
    }

    /// What a search that came to no end says.
    fn stalled(&self) -> Error {
        Error::StepVanished { t: self.patch.start.t }
    }

    /// The whole motion at `t`, which lies in the current patch; at its end what holds after it.
    pub fn motion(&mut self, t: f64, out: &mut Motion) {
        self.motion_of(self.ended && t >= self.now.t, t, out);
    }

    /// The same; at the end of the patch what holds before it.
    pub fn motion_before(&mut self, t: f64, out: &mut Motion) {
        self.motion_of(false, t, out);
    }

    fn motion_of(&mut self, after: bool, t: f64, out: &mut Motion) {
        let (patch, rests, in_modes) = if after {
            (&self.next, self.next_rests, self.next_in_modes)
        } else {
            (&self.patch, self.rests, self.in_modes)
        };
        let tau = patch.start.since(t);
        let (n, m) = (self.body.n, self.body.contacts.len());
        out.t = t;
        if let Some(modal) = self.modal.as_mut().filter(|_| in_modes) {
            modal.motion(&self.body, patch, after, tau, out);
            out.t = t;
            return;
        }
        if rests {
            for k in 0..n {
                out.position[k] = patch.q[k] + patch.v[k] * tau;
                out.velocity[k] = patch.v[k];
            }
            out.acceleration.fill(0.0);
        } else {
            let s = tau / patch.length;
            patch.state(s, &mut out.position, &mut out.velocity, &mut out.acceleration);
        }
        for (i, contact) in self.body.contacts.iter().enumerate() {
            match patch.mode[i] {
                PolylineMode::Slide { piece } => {
                    let piece = contact.line.pieces[piece];
                    out.sliding[i] = self.body.sliding(i, &out.velocity);
                    out.friction[i] = piece.force + piece.slope * out.sliding[i];
                    out.slope[i] = piece.slope;
                }
                PolylineMode::Rest { corner, .. } => {
                    out.sliding[i] = contact.line.corners[corner].v;
                    out.slope[i] = contact.line.rest_slope(corner);
                    let held = if let Some(force) = patch.yielded(&self.body, i) {
                        force
                    } else if !rests {
                        Segment::value(&patch.force[i..], m, tau / patch.length)[0]
                    } else if after {
                        patch.force[i]
                    } else {
                        self.demands[i].jet(tau)[0]
                    };
                    // beyond its limits by no more than the rounding of the time
                    let corner = contact.line.corners[corner];
                    out.friction[i] = held.max(corner.low).min(corner.high);
                }
            }
        }
    }
}

/// An error if positions or velocities have left all bounds.
fn check_size(t: f64, q: &[f64], v: &[f64], largest: [f64; 2]) -> Result<(), Error> {
    let is_within = |x: &[f64], limit: f64| x.iter().all(|x| x.is_finite() && x.abs() <= limit);
    if is_within(q, largest[0]) && is_within(v, largest[1]) {
        return Ok(());
    }
    Err(Error::diverged(t, &[q, v].concat()))
}
