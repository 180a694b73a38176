//! Loads by signals, varying normal loads and stops.

use super::Resolve;
use super::directions::{Degrees, member_key};
use crate::budget::MAX_LOADS;
use crate::scenario::{Acting, Base, ContactTable, OneOrMany, SignalTable, StopTable};
use stiction::system::{
    Drive, ElasticStop, ForceElements, RigidStop, Signal, SignalLoad, System, VaryingContact, Wave,
};

impl Resolve<'_> {
    /// Everything beyond matrices, harmonic loads and constant normal loads. `owners` must be set.
    pub(super) fn force_elements(
        &mut self,
        prefix: &str,
        degrees: &Degrees,
        Acting { force, friction, stop: stops, control: controls, state_space: spaces, .. }: &Acting,
    ) -> ForceElements {
        let n = degrees.n;
        let mut elements = ForceElements::default();
        for (list, found) in
            [("stop", stops.len()), ("control", controls.len()), ("state_space", spaces.len())]
        {
            if found > MAX_LOADS {
                let message = format!("{found} entries, but at most {MAX_LOADS} are allowed");
                self.fault(&format!("{prefix}.{list}"), message, None);
                return elements;
            }
        }
        for (i, load) in force.iter().enumerate() {
            let key = member_key(prefix, "force", force, i);
            // what never begins nor ends is a harmonic of the system
            let is_windowed = load.has_window();
            let own = SignalTable {
                constant: 0.0,
                amplitude: if is_windowed { load.amplitude } else { 0.0 },
                omega: load.omega.filter(|_| is_windowed),
                phase: if is_windowed { load.phase } else { 0.0 },
                start: load.start,
                end: load.end,
                period: load.period,
                table: load.table.clone(),
            };
            if !is_windowed && own.table.is_none() {
                continue;
            }
            let Some(signal) = self.signal(&key, &own) else { continue };
            let direction = self.direction(&key, degrees, &load.on);
            elements.loads.push(SignalLoad { direction, signal });
        }
        for (i, contact) in friction.iter().enumerate() {
            let key = member_key(prefix, "friction", friction, i);
            let Some(varying) = self.varying(&key, n, contact) else { continue };
            let owned = (0..self.owners.contacts.len()).filter(|k| self.owners.contacts[*k] == i);
            elements.contacts.extend(owned.map(|k| VaryingContact { contact: k, ..varying.clone() }));
        }
        self.stops(prefix, degrees, stops, &mut elements);
        let is_controlled = !controls.is_empty() || !spaces.is_empty();
        if is_controlled
            && let Some((feedback, thresholds)) = self.feedback(prefix, degrees, controls, spaces)
        {
            (elements.feedback, elements.thresholds) = (Some(feedback), thresholds);
        }
        elements
    }

    /// Stops, the rigid ones and the elastic ones in lists of their own.
    fn stops(
        &mut self,
        prefix: &str,
        degrees: &Degrees,
        stops: &OneOrMany<StopTable>,
        elements: &mut ForceElements,
    ) {
        // of each stop its number as listed and its table
        let (mut rigid, mut elastic) = (Vec::new(), Vec::new());
        for (i, stop) in stops.iter().enumerate() {
            let key = member_key(prefix, "stop", stops, i);
            if stop.upper.is_none() && stop.lower.is_none() {
                self.fault(&key, "neither upper nor lower is given", None);
            }
            let before = self.found.len();
            if stop.limited_damping && stop.damping.is_none() {
                let message = "given without damping, which it needs";
                self.fault(&format!("{key}.limited_damping"), message, None);
            }
            for (name, is_given) in
                [("restitution", stop.restitution.is_some()), ("damping", stop.damping.is_some())]
            {
                if is_given && (name == "restitution") == stop.stiffness.is_some() {
                    let message = if name == "restitution" {
                        "given beside stiffness, but an elastic stop needs none"
                    } else {
                        "given without stiffness, which it needs"
                    };
                    self.fault(&format!("{key}.{name}"), message, None);
                }
            }
            let restitution = stop.restitution.unwrap_or(0.0);
            let damping = stop.damping.unwrap_or(0.0);
            self.check(&key, |faults| {
                faults.between("restitution", restitution, 0.0, 1.0);
                faults.not_negative("damping", damping);
                if let Some(stiffness) = stop.stiffness {
                    faults.positive("stiffness", stiffness);
                }
            });
            if self.found.len() > before {
                continue;
            }
            for direction in self.directions(&key, degrees, &stop.on) {
                for (sign, position) in [(1.0, stop.upper), (-1.0, stop.lower)] {
                    let Some(position) = position else { continue };
                    let direction = direction.iter().map(|w| sign * w).collect();
                    let position = sign * position;
                    let listed = (rigid.len() + elastic.len(), i);
                    match stop.stiffness {
                        None => {
                            rigid.push(listed);
                            let own = RigidStop { direction, position, restitution, ..RigidStop::default() };
                            elements.stops.push(own);
                        }
                        Some(stiffness) => {
                            elastic.push(listed);
                            elements.elastic.push(ElasticStop {
                                direction,
                                position,
                                stiffness,
                                damping,
                                is_limited: stop.limited_damping,
                                ..ElasticStop::default()
                            });
                        }
                    }
                }
            }
        }
        (elements.stop_numbers, self.owners.stops) = rigid.into_iter().chain(elastic).unzip();
        let is_fixed =
            |k: &usize| stops.iter().nth(self.owners.stops[*k]).is_some_and(|stop| stop.fixed_in_space);
        self.owners.fixed_stops = (0..self.owners.stops.len()).filter(is_fixed).collect();
    }

    /// The loads of bases whose acceleration a table gives: −M direction b̈.
    pub(super) fn records(
        &mut self,
        prefix: &str,
        degrees: &Degrees,
        base: &OneOrMany<Base>,
        drive: &mut Drive,
        system: &mut System,
    ) {
        drive.fixed_stops = self.owners.fixed_stops.clone();
        if !drive.fixed_stops.is_empty() && base.is_empty() {
            let message = "a stop is fixed in space, but there is no base that moves";
            self.fault(&format!("{prefix}.stop"), message, None);
        }
        for (i, record) in base.iter().enumerate() {
            let key = member_key(prefix, "base", base, i);
            let Some(signal) = self.acceleration(&key, record) else { continue };
            let along = record.direction.clone().unwrap_or_else(|| degrees.together.clone());
            let mut direction = vec![0.0; degrees.n];
            // another length has been refused
            if along.len() == degrees.n {
                system.mass.add_product(-1.0, &along, &mut direction);
                drive.records.push(SignalLoad { direction: along, signal: signal.clone() });
                system.elements.loads.push(SignalLoad { direction, signal });
            }
        }
        drive.fix_stops(system);
    }

    /// The acceleration of a base but for a harmonic that never begins nor ends; none if there is nothing.
    fn acceleration(&mut self, key: &str, base: &Base) -> Option<Signal> {
        let mut signal = Signal::default();
        if base.has_window() {
            let (start, end, omega) = (base.start, base.end, base.omega);
            let window = self.window(key, [start, end, base.period], omega != 0.0)?;
            let amplitude = -base.amplitude * omega * omega;
            signal.waves.push(Wave { window, ..Wave::new(amplitude, omega, base.phase) });
        }
        if let Some(points) = &base.acceleration {
            signal.tables.push(self.points(&format!("{key}.acceleration"), points)?);
        }
        (!signal.waves.is_empty() || !signal.tables.is_empty()).then_some(signal)
    }

    /// What varies at a contact, if anything does.
    fn varying(&mut self, key: &str, n: usize, contact: &ContactTable) -> Option<VaryingContact> {
        if contact.load_varies.is_none() && contact.belt_varies.is_none() {
            return None;
        }
        let varies = contact.load_varies.clone().unwrap_or_default();
        let load = SignalTable {
            constant: 0.0,
            amplitude: varies.amplitude,
            omega: varies.omega,
            phase: varies.phase,
            start: varies.start,
            end: varies.end,
            period: varies.period,
            table: varies.table,
        };
        let load = self.signal(&format!("{key}.load_varies"), &load);
        let belt = contact.belt_varies.clone().unwrap_or_default();
        let belt = self.signal(&format!("{key}.belt_varies"), &belt);
        let mut vector = |name: &str, vector: &Option<Vec<f64>>| {
            let vector = vector.clone().unwrap_or_else(|| vec![0.0; n]);
            if vector.len() != n || vector.iter().any(|x| !x.is_finite()) {
                let message = format!("there must be {n} finite numbers");
                self.fault(&format!("{key}.load_varies.{name}"), message, None);
                return None;
            }
            Some(vector)
        };
        let by_position = vector("by_position", &varies.by_position);
        let by_velocity = vector("by_velocity", &varies.by_velocity);
        Some(VaryingContact {
            contact: 0,
            load: load?,
            belt: belt?,
            by_position: by_position?,
            by_velocity: by_velocity?,
        })
    }
}
