//! Contacts whose internal states say whether they stick: springs with sliders, and bristles.

use super::{Motion, System};
use crate::law::{Law, Slider, Slip};
use std::ops::Range;

/// Deflections within this part of the end of a range are at it.
const AT_END: f64 = 1e-12;

/// How to tell from a motion whether a contact sticks.
#[derive(Clone, Debug)]
pub(crate) struct Sticking {
    /// The contact.
    pub contact: usize,
    /// Its internal states among those of a motion.
    states: Range<usize>,
    /// Its springs; of bristles none.
    springs: Vec<Slider>,
    /// Whether further states say which springs slip.
    is_late: bool,
}

impl System {
    /// The contacts whose internal states say whether they stick.
    pub(crate) fn sticking(&self) -> Vec<Sticking> {
        let mut end = 0;
        let told = |(contact, own): (usize, &super::Contact)| {
            let law = &own.friction.law;
            let states = end..end + law.n_states();
            end = states.end;
            let (springs, is_late) = (law.sliders(), law.lag(0.0).is_some());
            let is_told = springs.is_some() || law.stick_margin(Slip::at(0.0)).is_some();
            is_told.then(|| Sticking { contact, states, springs: springs.unwrap_or_default(), is_late })
        };
        self.contacts.iter().enumerate().filter_map(told).collect()
    }
}

impl Sticking {
    /// Whether the contact is made of springs with sliders, which turn between steps.
    pub fn has_springs(&self) -> bool {
        !self.springs.is_empty()
    }

    /// How far the contact is from letting go; it sticks where this is positive (-).
    pub fn margin(&self, system: &System, motion: &Motion) -> f64 {
        let z = motion.states.get(self.states.clone()).unwrap_or_default();
        if self.has_springs() && self.is_late {
            let sticks = |slips: &f64| *slips == 0.0;
            return f64::from(u8::from(z.iter().skip(self.springs.len()).any(sticks)));
        }
        if self.has_springs() {
            let left = |(spring, z): (&Slider, &f64)| {
                let [high, low] = [spring.limit, spring.reverse_limit].map(|limit| (1.0 - AT_END) * limit);
                (high - spring.stiffness * z).min(low + spring.stiffness * z)
            };
            return self.springs.iter().zip(z).map(left).fold(0.0, f64::max);
        }
        let slip = Slip { v: motion.sliding[self.contact], demand: 0.0, z };
        system.contacts[self.contact].friction.law.stick_margin(slip).unwrap_or(0.0)
    }
}
