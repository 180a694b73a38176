//! The regime of a stretch: the mode of every element.

use super::model::Model;
use crate::contact::{ContactMode, SliderMode, StopMode};

/// The mode of every element.
#[derive(Debug, Default, PartialEq)]
pub(in crate::exact) struct Regime {
    pub contacts: Vec<ContactMode>,
    pub sliders: Vec<SliderMode>,
    /// Of the rigid stops.
    pub stops: Vec<StopMode>,
    pub one_sided: Vec<StopMode>,
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
        self.stops.clone_from(&other.stops);
        self.one_sided.clone_from(&other.one_sided);
    }
}

impl Regime {
    /// Whether no element but contacts has another mode than in `other`.
    pub fn differs_in_contacts_at_most(&self, other: &Self) -> bool {
        let Self { contacts: _, sliders, stops, one_sided } = self;
        *sliders == other.sliders && *stops == other.stops && *one_sided == other.one_sided
    }

    /// Contacts, stops and one-sided elements open, sliders sticking.
    pub fn open(model: &Model) -> Self {
        Self {
            contacts: vec![ContactMode::Open; model.contacts.len()],
            sliders: vec![SliderMode::Stick; model.sliders.len()],
            stops: vec![StopMode::Free; model.stops.len()],
            one_sided: vec![StopMode::Free; model.one_sided.len()],
        }
    }
}
