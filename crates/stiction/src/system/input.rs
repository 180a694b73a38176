//! Inputs: numbers that are not known beforehand, but set as the motion goes on.
//!
//! An input is a table of two points that is written anew: held from a time on, or a straight line to its
//! next value.

use super::{Signal, SignalLoad, System, TimeTable, VaryingContact};
use crate::{Error, Faults};

/// Where an input acts; it adds to what the system has there.
#[derive(Clone, Debug, PartialEq)]
pub enum InputPlace {
    /// A load (N) along a direction.
    Load {
        /// Share of each degree of freedom (-).
        direction: Vec<f64>,
    },
    /// The normal load of a contact (N).
    NormalLoad {
        /// Number of the contact.
        contact: usize,
    },
    /// The velocity of the counter-surface of a contact (m/s).
    Belt {
        /// Number of the contact.
        contact: usize,
    },
    /// An input of feedback, such as the reference of a controller.
    Reference {
        /// Number of the input.
        input: usize,
    },
}

/// The table that stands for an input in a system.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct InputSlot {
    pub place: SlotPlace,
    /// Number of the table in its signal.
    pub table: usize,
}

/// The signal that it belongs to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum SlotPlace {
    /// Of `elements.loads`.
    Load(usize),
    /// Of a contact, by its own number.
    NormalLoad(usize),
    Belt(usize),
    /// Of the inputs of feedback.
    Feedback(usize),
}

impl InputPlace {
    /// Writes every fault into `faults`.
    pub(crate) fn check(&self, system: &System, faults: &mut Faults) {
        let mut below = |key: &str, value: usize, n: usize| {
            if value >= n {
                let because = "they are counted from 0";
                faults.push(key, Error::NotBelow { value: value as f64, limit: n as f64, because });
            }
        };
        match self {
            Self::Load { direction } => {
                super::check_vector(faults, "direction", direction, system.n());
            }
            Self::NormalLoad { contact } | Self::Belt { contact } => {
                below("contact", *contact, system.contacts.len());
            }
            Self::Reference { input } => {
                below("input", *input, system.elements.feedback.as_ref().map_or(0, |f| f.inputs.len()));
            }
        }
    }

    /// Adds a table for the input to a system that it fits.
    pub(crate) fn add_to(&self, system: &mut System, size: f64) -> InputSlot {
        let n = system.n();
        // from 0 to a typical value: what is prepared for a system must not take it for constant
        let table = TimeTable { times: vec![0.0, 1.0], values: vec![0.0, size], period: None };
        let push = |signal: &mut Signal| {
            signal.tables.push(table.clone());
            signal.tables.len() - 1
        };
        match self {
            Self::Load { direction } => {
                system
                    .elements
                    .loads
                    .push(SignalLoad { direction: direction.clone(), signal: table.clone().into() });
                InputSlot { place: SlotPlace::Load(system.elements.loads.len() - 1), table: 0 }
            }
            &Self::NormalLoad { contact } => {
                let table = push(&mut varying(system, contact, n).load);
                InputSlot { place: SlotPlace::NormalLoad(contact), table }
            }
            &Self::Belt { contact } => {
                let table = push(&mut varying(system, contact, n).belt);
                InputSlot { place: SlotPlace::Belt(contact), table }
            }
            &Self::Reference { input } => {
                let feedback = system.elements.feedback.as_mut();
                let table = feedback.map_or(0, |feedback| push(&mut feedback.inputs[input]));
                InputSlot { place: SlotPlace::Feedback(input), table }
            }
        }
    }
}

/// What varies at a contact.
fn varying(system: &mut System, contact: usize, n: usize) -> &mut VaryingContact {
    let contacts = &mut system.elements.contacts;
    let known = contacts.iter().position(|varying| varying.contact == contact);
    let place = known.unwrap_or_else(|| {
        let (load, belt) = (Signal::default(), Signal::default());
        let (by_position, by_velocity) = (vec![0.0; n], vec![0.0; n]);
        contacts.push(VaryingContact { contact, load, by_position, by_velocity, belt });
        contacts.len() - 1
    });
    &mut contacts[place]
}

impl TimeTable {
    /// Makes a table of two points the straight line through these; the same value twice is held.
    pub(crate) fn set_line(&mut self, [from, to]: [f64; 2], values: [f64; 2]) {
        let is_held = values[0] == values[1];
        // without a point ahead, a value that is held ends no stretch
        self.times.copy_from_slice(&[from, if is_held { from } else { to }]);
        self.values.copy_from_slice(&values);
    }
}
