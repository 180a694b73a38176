//! The modes of elements between events, and how they follow from each other.

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

    /// The modes of a closed contact whose law is set-valued at zero velocity alone.
    pub const CLOSED: [Self; 3] = [Self::STICK, Self::Slip { piece: 1 }, Self::Slip { piece: 0 }];

    /// Whether the contact sticks.
    pub fn sticks(self) -> bool {
        matches!(self, Self::Stick { .. })
    }

    /// Whether it sticks and yields.
    pub fn yields(self) -> bool {
        matches!(self, Self::Stick { yields: Some(_), .. })
    }

    /// The mode of a contact that need not yield any longer.
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

    /// The mode of a contact that slips, pushed back at once: one that others keep in place yields.
    pub fn at_rest(self, is_kept: bool) -> Self {
        match self {
            Self::Slip { piece: 0 } => self.past_corner(Side::High, true, is_kept),
            _ => self.past_corner(Side::Low, true, is_kept),
        }
    }

    /// The mode that the guards ask for: of stick that both limits are reached, or one of yielding that it unloads;
    /// of slip that the velocity is zero, or has passed it.
    pub fn after_guards(self, has_come: [bool; 2], sliding: f64, is_kept: bool) -> Self {
        match self {
            Self::Slip { piece } if has_come[0] || direction(piece) * sliding < 0.0 => Self::STICK,
            Self::Stick { yields: Some(_), .. } if has_come[0] => Self::STICK,
            Self::Stick { yields: None, .. } if has_come[0] => self.at_limit(Side::High, is_kept),
            Self::Stick { yields: None, .. } if has_come[1] => self.at_limit(Side::Low, is_kept),
            mode => mode,
        }
    }

    // of any contact

    /// The mode of a closed contact by where its velocity is on the graph: at this corner, or on this piece.
    pub fn on_graph(place: Result<usize, usize>, is_jump: impl Fn(usize) -> bool) -> Self {
        match place {
            Ok(corner) if is_jump(corner) => Self::Stick { corner, yields: None },
            Ok(corner) => Self::Slip { piece: corner + 1 },
            Err(piece) => Self::Slip { piece },
        }
    }

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

/// The mode of a spring with a slider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SliderMode {
    /// The slider sticks, the spring follows the sliding velocity.
    Stick,
    /// The slider slips at this end of the spring's range.
    Slip(Side),
}

impl SliderMode {
    /// Slip at the end that `way` points to; stick where it is zero.
    pub fn towards(way: f64) -> Self {
        match way {
            0.0 => Self::Stick,
            way => Self::Slip(if way > 0.0 { Side::High } else { Side::Low }),
        }
    }

    /// Where to it slips, 1 or −1; 0 of stick.
    pub fn way(self) -> f64 {
        match self {
            Self::Stick => 0.0,
            Self::Slip(Side::High) => 1.0,
            Self::Slip(Side::Low) => -1.0,
        }
    }

    /// Whether it sticks.
    pub fn sticks(self) -> bool {
        self == Self::Stick
    }

    /// What happens to the contact of a spring that goes over from this mode to the `next`.
    pub fn event(self, next: Self) -> Option<EventKind> {
        let [stuck, sticks] = [self.sticks(), next.sticks()];
        (stuck != sticks).then(|| EventKind::at_corner(true, stuck, sticks))
    }
}

/// The mode of a stop, or of another element that acts on one side of a limit.
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
    /// Whether it is in contact and pushes.
    pub fn is_closed(self) -> bool {
        self == Self::Closed
    }

    /// What happens to an elastic stop that goes over from this mode to the `next`.
    pub fn event(self, next: Self) -> Option<EventKind> {
        match (self, next) {
            (Self::Free, Self::Closed | Self::Slack) => Some(EventKind::Impact),
            (Self::Closed | Self::Slack, Self::Free) => Some(EventKind::Release),
            _ => None,
        }
    }

    /// The mode of a stop by whether it is reached, and whether it pushes.
    pub fn at(is_reached: bool, pushes: bool) -> Self {
        match (is_reached, pushes) {
            (false, _) => Self::Free,
            (true, true) => Self::Closed,
            (true, false) => Self::Slack,
        }
    }

    /// The mode of a rigid stop.
    pub fn rigid(is_closed: bool) -> Self {
        Self::at(is_closed, true)
    }
}
