//! Modes of the elements.

use super::model::Model;
use crate::contact::{Side, StopMode};

/// Mode of a spring with a slider.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum SliderMode {
    /// The slider sticks, the spring follows the sliding velocity.
    Stick,
    /// The slider slides at this end of the spring's range.
    Slip(Side),
}

/// Modes of all elements but the contacts.
#[derive(Debug, Default, PartialEq)]
pub(super) struct ElementModes {
    pub sliders: Vec<SliderMode>,
    /// Which rigid stops are closed.
    pub closed: Vec<bool>,
    pub elastic: Vec<StopMode>,
    /// Which thresholds are exceeded.
    pub beyond: Vec<bool>,
}

impl Clone for ElementModes {
    fn clone(&self) -> Self {
        let mut other = Self::default();
        other.clone_from(self);
        other
    }
    // without allocation
    fn clone_from(&mut self, other: &Self) {
        self.sliders.clone_from(&other.sliders);
        self.closed.clone_from(&other.closed);
        self.elastic.clone_from(&other.elastic);
        self.beyond.clone_from(&other.beyond);
    }
}

impl ElementModes {
    pub fn free(model: &Model) -> Self {
        Self {
            sliders: vec![SliderMode::Stick; model.sliders.len()],
            closed: vec![false; model.stops.len()],
            elastic: vec![StopMode::Free; model.elastic.len()],
            beyond: vec![false; model.thresholds.len()],
        }
    }
}
