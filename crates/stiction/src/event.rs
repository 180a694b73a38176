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
    /// The normal load vanishes and the contact opens.
    Lift,
    /// The normal load comes back and the contact closes.
    Land,
    /// A stop is hit, and the velocity turns round.
    Impact,
    /// The bounces off a stop have ended: it holds.
    Hold,
    /// A stop lets go.
    Release,
}

impl EventKind {
    /// All kinds, in the order in which they are listed.
    pub const ALL: [Self; 9] = [
        Self::Stick,
        Self::Slip,
        Self::Reverse,
        Self::Corner,
        Self::Lift,
        Self::Land,
        Self::Impact,
        Self::Hold,
        Self::Release,
    ];

    /// What a contact does at a corner of its law that it reaches, leaves or passes: a jump, at which it can stick,
    /// or a kink.
    pub(crate) fn at_corner(is_jump: bool, stuck: bool, sticks: bool) -> Self {
        match (is_jump, stuck, sticks) {
            (false, ..) => Self::Corner,
            (true, _, true) => Self::Stick,
            (true, true, false) => Self::Slip,
            (true, false, false) => Self::Reverse,
        }
    }

    /// Whether sliding ends in rest.
    pub(crate) fn is_stick(self) -> bool {
        self == Self::Stick
    }

    /// Whether sliding begins out of rest; a reversal does not count.
    pub(crate) fn is_slip(self) -> bool {
        self == Self::Slip
    }

    /// Whether it happens to a stop and not to a contact.
    pub fn is_of_stop(self) -> bool {
        matches!(self, Self::Impact | Self::Hold | Self::Release)
    }

    /// Whether the normal load of a contact vanishes or comes back.
    pub(crate) fn is_of_load(self) -> bool {
        matches!(self, Self::Lift | Self::Land)
    }

    /// The name that users read.
    pub fn name(self) -> &'static str {
        match self {
            Self::Stick => "stick",
            Self::Slip => "slip",
            Self::Reverse => "reverse",
            Self::Corner => "corner",
            Self::Lift => "lift",
            Self::Land => "land",
            Self::Impact => "impact",
            Self::Hold => "hold",
            Self::Release => "release",
        }
    }
}

/// One entry of the event log.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize, JsonSchema))]
pub struct Event {
    /// Time (s).
    pub t: f64,
    /// The contact, or the stop, counted from 0 as listed; of a stop table with two sides the upper one first.
    pub contact: usize,
    /// What happens to it.
    pub kind: EventKind,
}
