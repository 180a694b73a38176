//! The modes of elements between events.

/// The mode of a stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StopMode {
    /// It does not touch.
    Free,
    /// It pushes: by its spring and damper, or by the reaction that keeps its gap closed.
    Closed,
    /// An elastic stop is behind its surface, and its damper would pull: no force.
    Slack,
}
