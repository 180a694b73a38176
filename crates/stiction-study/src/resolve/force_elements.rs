//! Loads by signals, varying normal loads and stops.

use super::Resolve;
use super::directions::{Degrees, member_key};
use crate::budget::MAX_LOADS;
use crate::scenario::{Acting, AnyStop, Base, ContactTable, OneOrMany, OneSidedTable, SignalTable};
use stiction::system::{Drive, ForceElements, Signal, SignalLoad, System, VaryingContact, Wave};

impl Resolve<'_> {
    /// Everything beyond matrices, harmonic loads and constant normal loads. `owners` must be set.
    pub(super) fn force_elements(
        &mut self,
        prefix: &str,
        degrees: &Degrees,
        acting: &Acting,
    ) -> ForceElements {
        let Acting { force, friction, control: controls, state_space: spaces, .. } = acting;
        let (n, one_sided) = (degrees.n, acting.one_sided());
        let mut elements = ForceElements::default();
        for (list, found) in
            [("stop", one_sided.len()), ("control", controls.len()), ("state_space", spaces.len())]
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
        self.one_sided(prefix, degrees, &one_sided, &mut elements);
        let is_controlled = !controls.is_empty() || !spaces.is_empty();
        if is_controlled
            && let Some((feedback, thresholds)) = self.feedback(prefix, degrees, controls, spaces)
        {
            (elements.feedback, elements.thresholds) = (Some(feedback), thresholds);
        }
        elements
    }

    /// Elements that act on one side of a limit: rigid stops and elastic ones in lists of their own.
    fn one_sided(
        &mut self,
        prefix: &str,
        degrees: &Degrees,
        tables: &[(String, &dyn OneSidedTable)],
        elements: &mut ForceElements,
    ) {
        // of each stop its number as listed, the key of its table, and whether that is fixed in space
        let (mut rigid, mut elastic) = (Vec::new(), Vec::new());
        for (own, table) in tables {
            let (key, before) = (format!("{prefix}.{own}"), self.found.len());
            let mut wrong = Vec::new();
            self.check(&key, |faults| table.check(&mut wrong, faults));
            for (name, message) in wrong {
                let key = if name.is_empty() { key.clone() } else { format!("{key}.{name}") };
                self.fault(&key, message, None);
            }
            if self.found.len() > before {
                continue;
            }
            for direction in self.directions(&key, degrees, table.on()) {
                for element in table.elements(&direction) {
                    let listed = (rigid.len() + elastic.len(), (own.clone(), table.is_fixed_in_space()));
                    match element {
                        AnyStop::Rigid(stop) => {
                            rigid.push(listed);
                            elements.stops.push(stop);
                        }
                        AnyStop::Elastic(stop) => {
                            elastic.push(listed);
                            elements.elastic.push(stop);
                        }
                    }
                }
            }
        }
        let owners: Vec<(String, bool)>;
        (elements.stop_numbers, owners) = rigid.into_iter().chain(elastic).unzip();
        self.owners.fixed_stops = (0..owners.len()).filter(|k| owners[*k].1).collect();
        self.owners.stops = owners.into_iter().map(|(key, _)| key).collect();
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
