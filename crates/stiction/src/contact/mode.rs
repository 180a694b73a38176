//! The modes of elements between events.

/// The mode of a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum ContactMode {
    /// No sliding velocity; the friction force lies within the static limits.
    Stick,
    /// Sliding in this direction, 1 or −1.
    Slip(f64),
    /// No normal load, no force.
    Open,
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
