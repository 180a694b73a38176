//! What happens at a contact.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The kind of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum EventKind {
    /// The contact comes to stick: for a regularised law, the speed falls below its width.
    Stick,
    /// The contact leaves stick.
    Slip,
    /// The sliding velocity changes its sign.
    Reverse,
}

/// Something that happens at a contact.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Event {
    /// Time (s).
    pub t: f64,
    /// Index of the contact, from 0.
    pub element: usize,
    /// What happens.
    pub kind: EventKind,
}
