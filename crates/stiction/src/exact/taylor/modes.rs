//! The regime of a stretch: the mode of every element.

use super::model::Model;
use crate::contact::{ContactMode, Side, StopMode};

/// Mode of a spring with a slider.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::exact) enum SliderMode {
    /// The slider sticks, the spring follows the sliding velocity.
    Stick,
    /// The slider slides at this end of the spring's range.
    Slip(Side),
}

/// The mode of every element.
#[derive(Debug, Default, PartialEq)]
pub(in crate::exact) struct Regime {
    pub contacts: Vec<ContactMode>,
    pub sliders: Vec<SliderMode>,
    /// Which rigid stops are closed.
    pub closed: Vec<bool>,
    pub elastic: Vec<StopMode>,
    /// Which thresholds are exceeded.
    pub beyond: Vec<bool>,
}

impl Clone for Regime {
    fn clone(&self) -> Self {
        let mut other = Self::default();
        other.clone_from(self);
        other
    }
    // without allocation
    fn clone_from(&mut self, other: &Self) {
        self.contacts.clone_from(&other.contacts);
        self.sliders.clone_from(&other.sliders);
        self.closed.clone_from(&other.closed);
        self.elastic.clone_from(&other.elastic);
        self.beyond.clone_from(&other.beyond);
    }
}

impl Regime {
    /// Whether no element but contacts has another mode than in `other`.
    pub fn differs_in_contacts_at_most(&self, other: &Self) -> bool {
        let Self { contacts: _, sliders, closed, elastic, beyond } = self;
        *sliders == other.sliders
            && *closed == other.closed
            && *elastic == other.elastic
            && *beyond == other.beyond
    }

    /// Contacts, stops and thresholds open, sliders sticking.
    pub fn open(model: &Model) -> Self {
        Self {
            contacts: vec![ContactMode::Open; model.contacts.len()],
            sliders: vec![SliderMode::Stick; model.sliders.len()],
            closed: vec![false; model.stops.len()],
            elastic: vec![StopMode::Free; model.elastic.len()],
            beyond: vec![false; model.thresholds.len()],
        }
    }
}
