//! Several degrees of freedom: patches of Taylor series from event to event.
//!
//! While everything rests the forces are sums of sine waves and a drift, and the search is that of one degree of freedom,
//! over any span of time at once.

mod tangent;
mod tell;
#[cfg(test)]
mod tests;

use super::choice::{leave, settle};
use super::march::{Guard, March, Stalled};
use super::modal::Modal;
use super::oscillator::Bounds;
use super::panel::DERIVATIVES;
use super::prepared::{Prepared, sparse_dot};
use super::segment::{ContactMode, ORDER, Segment};
use super::time::Time;
use super::tones::{Demand, Side};
use crate::Error;
use crate::event::{Event, EventKind};
use crate::system::{Motion, System};

/// Rounding of a polynomial in units of its terms.
const NOISE: f64 = 8.0 * f64::EPSILON;

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
    /// Whether the patch is carried in modes, and whether the next one is: a set of resting contacts may have none that are good.
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
                    ContactMode::Rest { corner, yields: None }
                }
                Ok(corner) => {
                    next.at[i] = Some(Side::Low);
                    ContactMode::Slide { piece: corner + 1 }
                }
                Err(piece) => ContactMode::Slide { piece },
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
            let ContactMode::Slide { piece } = patch.mode[i] else { continue };
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
                ContactMode::Slide { piece } => {
                    let corner = if side == Side::High { piece } else { piece - 1 };
                    if corners[corner].is_jump() {
                        next.mode[i] = ContactMode::Rest { corner, yields: None };
                    } else {
                        leave(next, i, corner, side);
                    }
                }
                // the modes know for certain that the force passes its limit; a series of a stiff system may not see it
                ContactMode::Rest { corner, yields: None } if self.in_modes => {
                    leave(next, i, corner, side);
                }
                ContactMode::Rest { .. } => {}
            }
        }
        self.decide()?;
        for i in 0..m {
            let corners = &self.body.contacts[i].line.corners;
            let jump = |corner: usize, kind| if corners[corner].is_jump() { kind } else { EventKind::Corner };
            let kind = match (self.patch.mode[i], self.next.mode[i]) {
                (ContactMode::Rest { corner, .. }, ContactMode::Slide { .. }) => {
                    jump(corner, EventKind::Slip)
                }
                (ContactMode::Slide { .. }, ContactMode::Rest { corner, .. }) => {
                    jump(corner, EventKind::Stick)
                }
                (ContactMode::Slide { piece: a }, ContactMode::Slide { piece: b }) if a != b => {
                    jump(a.min(b), EventKind::Reverse)
                }
                _ => continue,
            };
            self.events.push(Event { t: self.now.t, contact: i, kind });
        }
        Ok(())
    }

    /// The first event in the patch.
    fn search(&mut self) -> Result<(), Stalled> {
        self.is_searched = true;
        self.fired.clear();
        let mut first = f64::INFINITY;
        for i in 0..self.body.contacts.len() {
            for side in [Side::Low, Side::High] {
                let Some(limit) = self.limit(i, side) else { continue };
                let lead = self.load_series(i, side, limit);
                let Some(lead) = lead else { continue };
                let rests = matches!(self.patch.mode[i], ContactMode::Rest { .. });
                if let Some(s) = first_root(&self.series, lead, first.min(1.0), rests)? {
                    if s < first {
                        self.fired.clear();
                        first = s;
                    }
                    self.fired.push((i, side));
                }
            }
        }
        self.found = first.is_finite().then_some(first);
        Ok(())
    }

    /// What a search that came to no end says.
    fn stalled(&self) -> Error {
        Error::StepVanished { t: self.patch.start.t }
    }

    /// The value that contact `i` must not pass: a velocity if it slides, a force if it rests.
    fn limit(&self, i: usize, side: Side) -> Option<f64> {
        let line = &self.body.contacts[i].line;
        match self.patch.mode[i] {
            ContactMode::Slide { piece } => match side {
                Side::Low => piece.checked_sub(1).map(|corner| line.corners[corner].v),
                Side::High => line.corners.get(piece).map(|corner| corner.v),
            },
            ContactMode::Rest { yields: Some(end), .. } if end != side => None,
            ContactMode::Rest { corner, .. } => Some(match side {
                Side::Low => line.corners[corner].low,
                Side::High => line.corners[corner].high,
            }),
        }
    }

    /// The distance of contact `i` from its limit as a series, positive until the event, and the order of its first term;
    /// `None` if it stays at the limit.
    fn load_series(&mut self, i: usize, side: Side, limit: f64) -> Option<usize> {
        let (n, m) = (self.body.n, self.body.contacts.len());
        let patch = &self.patch;
        let contact = &self.body.contacts[i];
        let slides = matches!(patch.mode[i], ContactMode::Slide { .. });
        // a contact that yields is beyond its limit until it unloads
        let beyond = matches!(patch.mode[i], ContactMode::Rest { yields: Some(_), .. });
        let sign = if (side == Side::High) != beyond { -1.0 } else { 1.0 };
        for (j, c) in self.series.iter_mut().enumerate() {
            *c = sign
                * if slides {
                    sparse_dot(&contact.direction, &patch.v[j * n..])
                } else {
                    patch.force[j * m + i]
                };
        }
        self.series[0] -= sign * if slides { limit + contact.belt } else { limit };
        if patch.at[i] == Some(side) { (patch.lead[i] > 0).then_some(patch.lead[i]) } else { Some(0) }
    }

    /// Everything rests: the forces as functions of time.
    fn rest(&mut self) {
        let (body, patch) = (&self.body, &self.patch);
        let (n, m) = (body.n, body.contacts.len());
        // H with W H = x, through G H = Wᵀ M⁻¹ x
        let carried = |mut x: Vec<f64>| {
            body.apply_mobility(&mut x);
            let mut held: Vec<f64> =
                patch.basis.members.iter().map(|&i| sparse_dot(&body.contacts[i].direction, &x)).collect();
            patch.basis.solve(&mut held);
            let mut forces = vec![0.0; m];
            patch.distribute(&held, &mut forces);
            forces
        };
        let (q, v) = (&patch.q[..n], &patch.v[..n]);
        let row =
            |k: usize| body.constant[k] - sparse_dot(&body.damping[k], v) - sparse_dot(&body.stiffness[k], q);
        let mut load: Vec<f64> = (0..n).map(row).collect();
        for (i, contact) in body.contacts.iter().enumerate() {
            let force = match patch.mode[i] {
                ContactMode::Slide { .. } => patch.force[i],
                ContactMode::Rest { .. } => patch.yielded(body, i).unwrap_or(0.0),
            };
            contact.direction.iter().for_each(|&(k, w)| load[k] -= w * force);
        }
        let base = carried(load);
        let drift = carried((0..n).map(|k| -sparse_dot(&body.stiffness[k], v)).collect());
        for i in 0..m {
            // the measure of rounding of a demand is an eighth of a unit, that of a balance 512
            let scale = patch.force_noise[i] / (64.0 * f64::EPSILON);
            self.demands[i].start(base[i], drift[i], scale);
            self.demand_from[i] = 0.0;
        }
        for (omega, phase, amplitude) in &body.tones {
            let (sine, cosine) = libm::sincos(patch.start.angle(*omega, *phase));
            let wave = carried(amplitude.clone());
            for (demand, size) in self.demands.iter_mut().zip(wave) {
                demand.add(size, *omega, [sine, cosine]);
            }
        }
    }

    /// The first time at which a resting contact can hold no more, or one that yields begins to unload.
    fn rest_exit(&mut self, end: f64) -> Result<Option<(f64, usize, Side)>, Stalled> {
        let mut first: Option<(f64, usize, Side)> = None;
        for i in 0..self.body.contacts.len() {
            let ContactMode::Rest { corner, yields } = self.patch.mode[i] else { continue };
            let corner = self.body.contacts[i].line.corners[corner];
            let at = self.patch.at[i];
            let (low, high, at) = match yields {
                None => (corner.low, corner.high, at),
                Some(Side::High) => (corner.high, f64::INFINITY, at.map(|_| Side::Low)),
                Some(Side::Low) => (f64::NEG_INFINITY, corner.low, at.map(|_| Side::High)),
            };
            let end = first.map_or(end, |first| first.0);
            if let Some((tau, side)) = self.demands[i].exit(low, high, at, &mut self.demand_from[i], end)?
                && first.is_none_or(|first| tau < first.0)
            {
                first = Some((tau, i, side));
            }
        }
        Ok(first)
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
                ContactMode::Slide { piece } => {
                    let piece = contact.line.pieces[piece];
                    out.sliding[i] = self.body.sliding(i, &out.velocity);
                    out.friction[i] = piece.force + piece.slope * out.sliding[i];
                    out.slope[i] = piece.slope;
                }
                ContactMode::Rest { corner, .. } => {
                    out.sliding[i] = contact.line.corners[corner].v;
                    out.slope[i] = contact.line.pieces[corner].slope;
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

/// The first root in (0, end] of the series, which is positive at first; terms below order `lead` are rounding.
///
/// With `may_touch` a double root is none.
pub(super) fn first_root(
    series: &[f64; ORDER + 1],
    lead: usize,
    end: f64,
    may_touch: bool,
) -> Result<Option<f64>, Stalled> {
    let c = &series[lead..];
    let below: f64 = c[1..].iter().map(|c| c.abs()).sum();
    if c[0] > below * (1.0 + NOISE) {
        return Ok(None);
    }
    let (mut third, mut fourth) = (0.0, 0.0);
    for ([to_third, to_fourth], c) in DERIVATIVES.iter().zip(c) {
        third += to_third * c.abs();
        fourth += to_fourth * c.abs();
    }
    let bounds = Bounds { third, fourth, reach: f64::INFINITY };
    let (mut s, mut march) = (0.0, March::default());
    while s <= end {
        let (mut g, mut size) = ([0.0; 4], 0.0);
        for c in c.iter().rev() {
            g[3] = g[3] * s + g[2];
            g[2] = g[2] * s + g[1];
            g[1] = g[1] * s + g[0];
            g[0] = g[0] * s + c;
            size = size * s + c.abs();
        }
        let guard = Guard::new([g[0], g[1], 2.0 * g[2], 6.0 * g[3]], bounds, NOISE * size);
        if may_touch
            && guard.has_come()
            && let Some(past) = guard.passes()
        {
            s = march.after(s, past)?;
            continue;
        }
        if let Some(step) = guard.arrival() {
            let root = (s + step).max(0.0);
            return Ok((root <= end).then_some(root));
        }
        s = march.after(s, guard.safe_step())?;
    }
    Ok(None)
}
