//! What ends a step, and the modes after it.

use super::*;

impl ElementStepping<'_> {
    /// Whether the contact, at rest, balances a demand.
    pub(super) fn holds(&self, z: &[f64], demand: f64) -> bool {
        let bounds = self.law.friction_bounds(0.0, z);
        bounds.map_or(demand == 0.0, |hold| (hold.low..=hold.high).contains(&demand))
    }

    /// What ends the phase at (t, y), if it has ended.
    pub(super) fn ended(&self, t: f64, y: &[f64], modes: &Modes, dy: &mut [f64]) -> Option<Ending> {
        let balance = self.derivative(t, y, modes, dy);
        let [q, v, _] = self.whole(t, y);
        let z = &y[2 * self.n() + self.n_feedback()..];
        for (k, stop) in self.system.elements.stops.iter().enumerate() {
            let [beyond, speed] = self.gap(stop, t, &q, &v);
            if modes.closed != Some(k) && beyond > PASSED * (1.0 + stop.position.abs()) && speed > 0.0 {
                return Some(Ending::Impact(k));
            }
        }
        if let Some(k) = modes.closed {
            let along = dot(&self.system.elements.stops[k].direction, &self.system.contacts[0].direction);
            if modes.contact == ContactState::Stick {
                // friction holds the mass back after the stop has ceased to push
                let least = self
                    .law
                    .friction_bounds(0.0, z)
                    .map_or(0.0, |hold| (if along > 0.0 { hold.low } else { -hold.high }) * balance.load);
                if balance.reaction < least {
                    return Some(Ending::Release(-along.signum()));
                }
                return None;
            }
            if balance.reaction < 0.0 {
                return Some(Ending::Release(0.0));
            }
        }
        let sliding = self.sliding(t, &v);
        match &modes.contact {
            ContactState::Stick if !self.holds(z, balance.demand) => {
                Some(Ending::Turn(0, balance.demand.signum()))
            }
            ContactState::Slide(sign) if sign * sliding < 0.0 => Some(Ending::Turn(0, 0.0)),
            ContactState::Springs(springs) => self.spring_ended(springs, sliding, z),
            _ => None,
        }
    }

    pub(super) fn spring_ended(&self, springs: &[(Slider, f64)], sliding: f64, z: &[f64]) -> Option<Ending> {
        let law = self.law;
        for (k, ((slider, slips), z)) in springs.iter().zip(z).enumerate() {
            let limit = |way: f64| {
                let share = law.lag((way * sliding).max(0.0)).map_or(1.0, |lag| lag.share);
                slider.reach_towards(way) * share
            };
            let onset = [1.0, -1.0].into_iter().find(|way| way * sliding > 0.0 && way * z > limit(*way));
            if let Some(way) = onset.filter(|_| *slips == 0.0) {
                return Some(Ending::Turn(k, way));
            }
            if slips * sliding < 0.0 {
                return Some(Ending::Turn(k, 0.0));
            }
        }
        None
    }

    /// Goes on in other modes from (t, y).
    pub(super) fn turn(&self, t: f64, y: &mut [f64], modes: &mut Modes, ending: Ending) {
        match ending {
            Ending::Impact(k) => self.impact(t, y, modes, k),
            Ending::Release(direction) => {
                modes.closed = None;
                if modes.contact == ContactState::Stick {
                    modes.contact = ContactState::Slide(direction);
                }
            }
            Ending::Turn(k, to) => {
                if let ContactState::Springs(springs) = &mut modes.contact {
                    let before = springs[k].1;
                    for (index, spring) in springs.iter_mut().enumerate() {
                        if index == k || before != 0.0 && spring.1 == before {
                            spring.1 = to;
                        }
                    }
                    self.flag(y, &modes.contact);
                } else if to != 0.0 {
                    modes.contact = ContactState::Slide(to);
                } else {
                    self.rest(t, y, modes);
                }
            }
        }
    }

    /// Writes which springs slip into the states of a law that keeps it.
    pub(super) fn flag(&self, y: &mut [f64], contact: &ContactState) {
        let ContactState::Springs(springs) = contact else { return };
        if self.law.lag(0.0).is_some() {
            let first = y.len() - springs.len();
            y[first..].iter_mut().zip(springs).for_each(|(flag, spring)| *flag = spring.1);
        }
    }

    /// A contact whose sliding velocity has become zero: it sticks if friction holds it.
    pub(super) fn rest(&self, t: f64, y: &mut [f64], modes: &mut Modes) {
        let before = modes.contact.clone();
        let first = 2 * self.n() + self.n_feedback();
        let kept = y.to_vec();
        let mut dy = vec![0.0; y.len()];
        if modes.closed.is_some() {
            // the stop moves the mass: friction changes its direction with the velocity
            let sliding_rate = |modes: &Modes, dy: &mut [f64]| {
                let balance = self.derivative(t, y, modes, dy);
                let w = &self.system.contacts[0].direction;
                dot(&self.kept(w), &balance.acceleration) + dot(w, &self.whole(t, y)[2]) - self.belt(t)[1]
            };
            let rate = sliding_rate(modes, &mut dy);
            modes.contact =
                if rate.abs() > STILL { ContactState::Slide(rate.signum()) } else { ContactState::Stick };
            // a time at rest begins anew
            y[first..].fill(0.0);
            return;
        }
        modes.contact = ContactState::Stick;
        y[first..].fill(0.0);
        self.still(t, y);
        let demand = self.derivative(t, y, modes, &mut dy).demand;
        if !self.holds(&y[first..], demand) {
            // it has not rested: what it remembers stays
            if before == ContactState::Slide(demand.signum()) {
                y[first..].copy_from_slice(&kept[first..]);
            }
            modes.contact = ContactState::Slide(demand.signum());
        }
    }

    /// Takes the rounding out of a sliding velocity that is zero.
    pub(super) fn still(&self, t: f64, y: &mut [f64]) {
        let (n, direction) = (self.n(), &self.system.contacts[0].direction);
        let w = self.kept(direction);
        let mw = times(&self.inverse, &w);
        let off = (dot(direction, &self.whole(t, y)[1]) - self.belt(t)[0]) / dot(&w, &mw);
        (0..n).for_each(|j| y[n + j] -= mw[j] * off);
    }

    pub(super) fn impact(&self, t: f64, y: &mut [f64], modes: &mut Modes, k: usize) {
        let (n, stop) = (self.n(), &self.system.elements.stops[k]);
        let s = self.kept(&stop.direction);
        let ms = times(&self.inverse, &s);
        let [q, v, _] = self.whole(t, y);
        let speed = self.gap(stop, t, &q, &v)[1];
        let rebound = stop.restitution * speed;
        let is_last = rebound < LAST;
        let change = (speed + if is_last { 0.0 } else { rebound }) / dot(&s, &ms);
        (0..n).for_each(|j| y[n + j] -= ms[j] * change);
        if is_last {
            modes.closed = Some(k);
        }
        if !matches!(modes.contact, ContactState::Free | ContactState::Springs(_)) {
            let sliding = self.sliding(t, &self.whole(t, y)[1]);
            // beside a stop that keeps still the contact sticks
            let is_still = sliding == 0.0 || is_last && sliding.abs() < LAST;
            modes.contact =
                if is_still { ContactState::Stick } else { ContactState::Slide(sliding.signum()) };
        }
    }

    /// On which side of its kinks everything is.
    pub(super) fn sides(&self, t: f64, y: &[f64], modes: &Modes, dy: &mut [f64]) -> Vec<bool> {
        let (n, p, law) = (self.n(), self.n_feedback(), self.law);
        let demand = self.derivative(t, y, modes, dy).demand;
        let [q, v, _] = self.whole(t, y);
        let (x, z) = (&y[2 * n..2 * n + p], &y[2 * n + p..]);
        let sliding = self.sliding(t, &v);
        let elements = &self.system.elements;
        let mut sides: Vec<bool> =
            elements.thresholds.iter().map(|own| self.excess(own, t, [&q, &v, x]) > 0.0).collect();
        for stop in &elements.elastic {
            let [spring, damper] = Self::compression(stop, t, &q, &v);
            let is_closed = spring > 0.0;
            sides.extend([is_closed, is_closed && spring + damper > 0.0]);
            sides.push(is_closed && stop.is_limited && damper > spring);
        }
        if matches!(modes.contact, ContactState::Stick | ContactState::Springs(_)) {
            return sides;
        }
        sides.extend(
            law.breakpoints()
                .iter()
                .filter(|v| **v != 0.0 || modes.contact == ContactState::Free)
                .map(|v| sliding - v > NOISE),
        );
        let mut switches = vec![0.0; law.n_switches()];
        law.switches(Slip { v: sliding, demand, z }, &mut switches);
        sides.extend(switches.iter().map(|x| *x > 0.0));
        if modes.contact == ContactState::Free
            && let Some(hold) = law.friction_bounds(sliding, z)
        {
            let own = demand + hold.shift;
            sides.extend([own > hold.low, own > hold.high]);
        }
        sides
    }
}
