//! Degrees of freedom whose motion is prescribed.

use super::Resolve;
use super::system::{Degrees, member_key};
use crate::scenario::{OneOrMany, PrescribedTable};
use stiction::system::{Drive, PrescribedFault, PrescribedMotion, System};

impl Resolve<'_> {
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
            let Some(position) = self.signal(&format!("{key}.position"), &table.position.table()) else {
                continue;
            };
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
                motions.push((PrescribedMotion { dof, position: position.clone() }, i));
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
                        format!("{}.position.table", key(k)),
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
                        let hint = "use a spring of straight pieces between both degrees of freedom";
                        let table = owners.stops.get(i).copied().unwrap_or(i);
                        (key(0), format!("stop.{table} touches it, but a stop must be fixed"), Some(hint))
                    }
                    PrescribedFault::Curved => {
                        let hint = "use a spring of straight pieces";
                        (key(0), "a polynomial spring touches it".to_owned(), Some(hint))
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
