//! The modes of elements between events.

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
