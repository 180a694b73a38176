//! Degrees of freedom whose motion is prescribed.

use super::Resolve;
use super::directions::{Degrees, member_key};
use crate::scenario::{OneOrMany, PrescribedTable};
use stiction::system::{Drive, PrescribedFault, PrescribedMotion, PrescribedRate, System};

impl Resolve<'_> {
    /// The motion that a table gives, of the first degree of freedom.
    fn given_motion(&mut self, key: &str, table: &PrescribedTable) -> Option<PrescribedMotion> {
        let given = [
            ("position", &table.position),
            ("velocity", &table.velocity),
            ("acceleration", &table.acceleration),
        ];
        let mut forms = given.iter().filter_map(|(name, form)| Some((*name, form.as_ref()?)));
        let Some((name, form)) = forms.next() else {
            self.fault(key, "none of position, velocity and acceleration is given", None);
            return None;
        };
        if let Some((second, _)) = forms.next() {
            let message = format!("given beside {name}, but one is enough");
            self.fault(&format!("{key}.{second}"), message, None);
            return None;
        }
        let initial = [
            ("initial_position", table.initial_position, name != "position"),
            ("initial_velocity", table.initial_velocity, name == "acceleration"),
        ];
        for (own, value, is_used) in initial {
            if value.is_some() && !is_used {
                let message = format!("given beside {name}, which says it already");
                self.fault(&format!("{key}.{own}"), message, None);
                return None;
            }
        }
        let is_finite = self.check(key, |faults| {
            for (own, value, _) in initial {
                value.iter().for_each(|value| _ = faults.finite(own, *value));
            }
        });
        let signal = self.signal(&format!("{key}.{name}"), &form.table()).filter(|_| is_finite)?;
        if name == "position" {
            return Some(PrescribedMotion::new(0, signal));
        }
        let rate = PrescribedRate {
            signal,
            is_acceleration: name == "acceleration",
            position: table.initial_position,
            velocity: table.initial_velocity,
            since: 0.0,
        };
        Some(PrescribedMotion::from_rate(0, rate))
    }

    /// The system without the degrees of freedom whose motion is prescribed, which belong to its drive then; as it is if something
    /// is wrong.
    pub(super) fn prescribed(
        &mut self,
        prefix: &str,
        degrees: &Degrees,
        tables: &OneOrMany<PrescribedTable>,
        system: System,
        mut drive: Drive,
    ) -> (System, Drive) {
        if tables.is_empty() || !system.has_matching_sizes() {
            return (system, drive);
        }
        let before = self.found.len();
        // the motions, each with its table
        let mut motions: Vec<(PrescribedMotion, usize)> = Vec::new();
        for (i, table) in tables.iter().enumerate() {
            let key = member_key(prefix, "prescribed", tables, i);
            let Some(motion) = self.given_motion(&key, table) else { continue };
            for direction in self.directions(&key, degrees, &table.on) {
                let mut entries = direction.iter().enumerate().filter(|(_, w)| **w != 0.0);
                let (Some((dof, 1.0)), None) = (entries.next().map(|(i, w)| (i, *w)), entries.next()) else {
                    let hint = Some("give dof or node");
                    self.fault(&format!("{key}.direction"), "not one degree of freedom", hint);
                    continue;
                };
                if motions.iter().any(|(motion, _)| motion.dof == dof) {
                    self.fault(&key, format!("degree of freedom {dof} is prescribed already"), None);
                    continue;
                }
                motions.push((PrescribedMotion { dof, ..motion.clone() }, i));
            }
        }
        if self.found.len() > before {
            return (system, drive);
        }
        motions.sort_by_key(|(motion, _)| motion.dof);
        self.owners.motions = motions.iter().map(|(_, table)| *table).collect();
        let owners = self.owners.clone();
        let key =
            |k: usize| member_key(prefix, "prescribed", tables, owners.motions.get(k).copied().unwrap_or(0));
        let motions: Vec<PrescribedMotion> = motions.into_iter().map(|(motion, _)| motion).collect();
        match system.clone().prescribe(motions) {
            Ok((free, prescribed)) => {
                drive.prescribed = Some(prescribed);
                (free, drive)
            }
            Err(fault) => {
                let (key, message, hint) = match fault {
                    PrescribedFault::Jump(k) => {
                        (format!("{}.position", key(k)), "the position jumps".to_owned(), Some("give a ramp"))
                    }
                    PrescribedFault::Impulse(k) => (
                        key(k),
                        "its velocity jumps at corners, but the mass matrix couples it to others".to_owned(),
                        Some("give a wave, or lump the masses"),
                    ),
                    PrescribedFault::Contact(i) => {
                        let table = owners.contacts.get(i).copied().unwrap_or(i);
                        let message = format!(
                            "friction.{table} acts on prescribed degrees of freedom alone, and its law does not determine the force \
                             at rest"
                        );
                        let hint =
                            "use a law with an elastic part (jenkins, dahl, lugre, …) or a regularised one";
                        (key(0), message, Some(hint))
                    }
                    PrescribedFault::Stop(i) => {
                        let table = owners.stops.get(i).map_or("stop", String::as_str);
                        let message = format!("{table} is rigid, but what it bounds moves as prescribed");
                        (key(0), message, Some("give it a stiffness"))
                    }
                    PrescribedFault::StopWithFeedback(i) => {
                        let table = owners.stops.get(i).map_or("stop", String::as_str);
                        let message = format!(
                            "{table} touches it and is rigid: what holds the motion is not known beside control"
                        );
                        (key(0), message, Some("give it a stiffness"))
                    }
                    PrescribedFault::Feedback => {
                        (key(0), "a controller acts on it, but it moves as prescribed".to_owned(), None)
                    }
                };
                self.fault(&key, message, hint);
                (system, drive)
            }
        }
    }
}
