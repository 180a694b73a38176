//! The modes of elements between events.

use crate::event::EventKind;

/// One of the two ends of an interval, or of two directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Low,
    High,
}

impl Side {
    /// The end of its limits that a contact has reached which slips on this piece.
    pub fn of_piece(piece: usize) -> Self {
        if piece > 0 { Self::High } else { Self::Low }
    }
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

    /// Whether it sticks and yields.
    pub fn yields(self) -> bool {
        matches!(self, Self::Stick { yields: Some(_), .. })
    }

    /// The same, but not yielding.
    pub fn without_yielding(self) -> Self {
        match self {
            Self::Stick { corner, .. } => Self::Stick { corner, yields: None },
            mode => mode,
        }
    }

    // of contacts whose laws are set-valued at zero velocity alone

    /// Slip in a direction, 1 or −1.
    pub fn slip(direction: f64) -> Self {
        Self::Slip { piece: usize::from(direction > 0.0) }
    }

    /// The mode of a contact by whether its normal load presses, and by its sliding velocity.
    pub fn placed(presses: bool, sliding: f64) -> Self {
        match presses {
            false => Self::Open,
            true if sliding == 0.0 => Self::STICK,
            true => Self::slip(sliding),
        }
    }

    /// The mode where loads or belts have jumped: that by the velocity, but for slip that keeps its direction.
    pub fn after_jump(self, presses: bool, sliding: f64) -> Self {
        match self {
            Self::Slip { piece } if presses && direction(piece) * sliding >= 0.0 => self,
            _ => Self::placed(presses, sliding),
        }
    }

    /// The mode beyond a limit of stick: slip, or yielding if others keep the contact in place.
    pub fn beyond(side: Side, is_kept: bool) -> Self {
        match is_kept {
            true => Self::Stick { corner: 0, yields: Some(side) },
            false => Self::slip(if side == Side::High { 1.0 } else { -1.0 }),
        }
    }

    /// The mode of a contact that slips, pushed back at once: one that others keep in place yields.
    pub fn at_rest(self, is_kept: bool) -> Self {
        match self {
            Self::Slip { piece } if is_kept => Self::beyond(Side::of_piece(piece), true),
            Self::Slip { .. } => Self::STICK,
            mode => mode,
        }
    }

    /// The mode that the guards ask for: of stick that both limits are reached, or one of yielding that it unloads;
    /// of slip that the velocity is zero, or has passed it.
    pub fn after_guards(self, has_come: [bool; 2], sliding: f64, is_kept: bool) -> Self {
        match self {
            Self::Slip { piece } if has_come[0] || direction(piece) * sliding < 0.0 => Self::STICK,
            Self::Stick { yields: Some(_), .. } if has_come[0] => Self::STICK,
            Self::Stick { yields: None, .. } if has_come[0] => Self::beyond(Side::High, is_kept),
            Self::Stick { yields: None, .. } if has_come[1] => Self::beyond(Side::Low, is_kept),
            mode => mode,
        }
    }

    /// What happens where the mode becomes `next`.
    pub fn event(self, next: Self) -> Option<EventKind> {
        match (self, next) {
            (before, after) if before == after => None,
            (Self::Open, _) => Some(EventKind::Land),
            (_, Self::Open) => Some(EventKind::Lift),
            // a redundant contact that yields still sticks
            (before, after) if before.sticks() && after.sticks() => None,
            (before, after) => Some(EventKind::at_corner(true, before.sticks(), after.sticks())),
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
    /// The mode of a stop by whether it is reached, and whether it pushes.
    pub fn at(is_reached: bool, pushes: bool) -> Self {
        match (is_reached, pushes) {
            (false, _) => Self::Free,
            (true, true) => Self::Closed,
            (true, false) => Self::Slack,
        }
    }
}
