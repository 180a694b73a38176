//! The modes of elements between events, and how they follow from each other.

use crate::event::EventKind;

/// One of the two ends of an interval, or of two directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Low,
    High,
}

/// The mode of a contact. The graph of its law is cut into pieces by corners; a law that is set-valued at zero
/// velocity alone has one corner and two pieces, of negative and of positive sliding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ContactMode {
    /// No normal load, no force.
    Open,
    /// The sliding velocity stays at a corner; the friction force lies within its limits. A redundant contact
    /// that yields gives all it can hold, in the direction of that end, and others hold it in place.
    Stick { corner: usize, yields: Option<Side> },
    /// On a piece.
    Slip { piece: usize },
}

impl ContactMode {
    /// Stick of a contact whose law is set-valued at zero velocity alone.
    pub const STICK: Self = Self::Stick { corner: 0, yields: None };

    /// Whether the contact sticks.
    pub fn sticks(self) -> bool {
        matches!(self, Self::Stick { .. })
    }

    /// Slip of such a contact in a direction, 1 or −1.
    pub fn slip(direction: f64) -> Self {
        Self::Slip { piece: usize::from(direction > 0.0) }
    }
}

impl ContactMode {
    /// At the end of the piece on which the contact slips: at a jump of the graph it sticks, and keeps its force where
    /// others keep it in place; at a kink it slips on.
    pub fn past_corner(self, side: Side, is_jump: bool, is_kept: bool) -> Self {
        let Self::Slip { piece } = self else { return self };
        let (corner, next) = match side {
            Side::Low => (piece.saturating_sub(1), piece.saturating_sub(1)),
            Side::High => (piece, piece + 1),
        };
        let from = if side == Side::High { Side::Low } else { Side::High };
        match is_jump {
            true => Self::Stick { corner, yields: is_kept.then_some(from) },
            false => Self::Slip { piece: next },
        }
    }

    /// At the end of the forces that the contact can hold: it yields where others keep it in place, and slips otherwise.
    pub fn at_limit(self, side: Side, is_kept: bool) -> Self {
        match self {
            Self::Stick { corner, .. } if is_kept => Self::Stick { corner, yields: Some(side) },
            Self::Stick { corner, .. } => Self::Slip { piece: corner + usize::from(side == Side::High) },
            other => other,
        }
    }

    /// Of a contact that need not yield any longer.
    pub fn unloaded(self) -> Self {
        match self {
            Self::Stick { corner, .. } => Self::Stick { corner, yields: None },
            other => other,
        }
    }

    /// What happens to a contact that goes over from this mode to the `next`; `is_jump` says of a corner of the graph
    /// whether it is a jump.
    pub fn event(self, next: Self, is_jump: impl Fn(usize) -> bool) -> Option<EventKind> {
        match (self, next) {
            (Self::Stick { corner, .. }, Self::Slip { .. }) => {
                Some(EventKind::at_corner(is_jump(corner), true, false))
            }
            (Self::Slip { .. }, Self::Stick { corner, .. }) => {
                Some(EventKind::at_corner(is_jump(corner), false, true))
            }
            (Self::Slip { piece: a }, Self::Slip { piece: b }) if a != b => {
                Some(EventKind::at_corner(is_jump(a.min(b)), false, false))
            }
            (Self::Open, Self::Slip { .. } | Self::Stick { .. }) => Some(EventKind::Land),
            (Self::Slip { .. } | Self::Stick { .. }, Self::Open) => Some(EventKind::Lift),
            _ => None,
        }
    }
}

/// The direction of slip on one of the two pieces of a law that is set-valued at zero velocity alone.
pub(crate) fn direction(piece: usize) -> f64 {
    if piece > 0 { 1.0 } else { -1.0 }
}

/// The mode of a stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StopMode {
    /// Not in contact.
    Free,
    /// It pushes: by its spring and damper, or by the reaction that keeps its gap closed.
    Closed,
    /// An elastic stop is compressed, and its damper would pull: no force.
    Slack,
}

impl StopMode {
    /// What happens to an elastic stop that goes over from this mode to the `next`.
    pub fn event(self, next: Self) -> Option<EventKind> {
        match (self, next) {
            (Self::Free, Self::Closed | Self::Slack) => Some(EventKind::Impact),
            (Self::Closed | Self::Slack, Self::Free) => Some(EventKind::Release),
            _ => None,
        }
    }
}
