//! Stops of contacts that creep: a contact with a set-valued law stops when it sticks; another one rests while its speed
//! is below the stick speed of its law, and it stops if it leaves that zone on the side it came from, or lingers there
//! [`LINGER`] times as long as it would take to coast through.

use super::flow::Flow;
use crate::event::Event;
use crate::law::{Graph, Law};
use crate::math::dense::dot;
use crate::system::{Contact, Motion, System};

/// Times the coasting time: passing slowly with a quarter of the acceleration left still counts as passing.
const LINGER: f64 = 4.0;

/// Counts the stops along a periodic motion.
pub(super) struct CreepStops {
    zones: Vec<Option<StickZone>>,
    n: u32,
}

/// A contact that creeps, as it is followed through the zone below its stick speed.
struct StickZone {
    speed: f64,
    direction: Vec<f64>,
    /// When and from which side it came, and how long it would coast; none while it is outside, and if it was inside
    /// at the start.
    entry: Option<(f64, f64, f64)>,
    /// Time inside before the first exit, if it began inside: the end of a stay that began in the period before.
    head: f64,
    is_inside: bool,
}

impl CreepStops {
    pub fn new(system: &System) -> Self {
        let zone = |contact: &Contact| {
            let law = &contact.friction.law;
            // a contact without friction never sticks
            let creeps = law.graph() != Graph::SetValued && law.bound() > 0.0;
            let speed = law.stick_speed().filter(|_| creeps)?;
            let direction = contact.direction.clone();
            Some(StickZone { speed, direction, entry: None, head: 0.0, is_inside: false })
        };
        Self { zones: system.contacts.iter().map(zone).collect(), n: 0 }
    }

    /// Starts at the motion at t = 0.
    pub fn begin(&mut self, now: &Motion) {
        for (zone, v) in self.zones.iter_mut().zip(&now.sliding) {
            zone.iter_mut().for_each(|zone| zone.is_inside = v.abs() <= zone.speed);
        }
    }

    /// Takes note of an event in the last step; `now` is scratch.
    pub fn take(&mut self, flow: &mut Flow, event: &Event, now: &mut Motion) {
        let Some(zone) = self.zones.get_mut(event.contact).and_then(Option::as_mut) else { return };
        let t = event.t;
        if !(event.kind.is_stick() || event.kind.is_slip()) {
            return;
        }
        flow.motion(t, now);
        let side = now.sliding[event.contact].signum();
        zone.is_inside = event.kind.is_stick();
        if zone.is_inside {
            let coasting = 2.0 * zone.speed / dot(&zone.direction, &now.acceleration).abs();
            zone.entry = Some((t, side, coasting));
        } else if let Some((since, from, coasting)) = zone.entry.take() {
            self.n += u32::from(from == side || t - since > LINGER * coasting);
        } else {
            zone.head = t;
        }
    }

    /// The number of stops in a period: a stay at its end goes on at its start.
    pub fn close(self, period: f64) -> u32 {
        let lingers = |zone: &&StickZone| {
            zone.entry.is_some_and(|(since, _, coasting)| period - since + zone.head > LINGER * coasting)
        };
        self.n + self.zones.iter().flatten().filter(lingers).count() as u32
    }
}
