//! What happens to a contact at one instant.

#[cfg(feature = "serde")]
use {schemars::JsonSchema, serde::Deserialize, serde::Serialize};

/// The kind of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize, JsonSchema), serde(rename_all = "kebab-case"))]
pub enum EventKind {
    /// Sliding ends: the contact holds its load.
    Stick,
    /// Sliding begins out of rest.
    Slip,
    /// The sliding velocity passes through zero without rest.
    Reverse,
    /// The sliding velocity passes a corner of the law.
    Corner,
}

impl EventKind {
    /// The name that users read.
    pub fn name(self) -> &'static str {
        match self {
            Self::Stick => "stick",
            Self::Slip => "slip",
            Self::Reverse => "reverse",
            Self::Corner => "corner",
        }
    }
}

/// One entry of the event log.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize, JsonSchema))]
pub struct Event {
    /// Time (s).
    pub t: f64,
    /// The contact, counted from 0.
    pub contact: usize,
    /// What happens to it.
    pub kind: EventKind,
}
