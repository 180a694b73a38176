//! Contacts whose internal states say whether they stick: springs with sliders, and bristles.

use super::{Motion, System};
use crate::law::{Slider, Slip};
use crate::math::root::crossing;
use std::ops::Range;

/// Deflections within this part of their range from its end are at it.
const AT_END: f64 = 1e-12;

/// Speeds below this part of the fastest are rest: no tolerance is so fine that their sign is more than
/// rounding.
pub(crate) const STILL: f64 = 1e-12;

/// Parts of a stretch that is looked at closer.
const CLOSER: usize = 16;
/// Part of a stretch at its ends by which the rate of the margin is known.
const EDGE: f64 = 1.0 / 32.0;

/// Stick criterion of a contact, evaluated on a motion.
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
    /// The largest sliding speed noted (m/s).
    fastest: f64,
}

impl System {
    /// The contacts whose internal states say whether they stick.
    pub(crate) fn sticking(&self) -> Vec<Sticking> {
        let mut end = 0;
        let of_contact = |(contact, own): (usize, &super::Contact)| {
            let law = &own.friction.law;
            let states = end..end + law.n_states();
            end = states.end;
            let (springs, is_late) = (law.sliders(), law.lag(0.0).is_some());
            let has_margin = springs.is_some() || law.stick_margin(Slip::at(0.0)).is_some();
            has_margin.then(|| Sticking {
                contact,
                states,
                springs: springs.unwrap_or_default(),
                is_late,
                fastest: 0.0,
            })
        };
        self.contacts.iter().enumerate().filter_map(of_contact).collect()
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
                let near = AT_END * (spring.limit + spring.reverse_limit);
                let [high, low] = [spring.limit, spring.reverse_limit].map(|limit| limit - near);
                (high - spring.stiffness * z).min(low + spring.stiffness * z)
            };
            return self.springs.iter().zip(z).map(left).fold(0.0, f64::max);
        }
        self.margin_at(system, self.seen(motion.sliding[self.contact]), z)
    }

    fn margin_at(&self, system: &System, v: f64, z: &[f64]) -> f64 {
        let slip = Slip { v, demand: 0.0, z };
        system.contacts[self.contact].friction.law.stick_margin(slip).unwrap_or(0.0)
    }

    /// Notes how fast the contact slides.
    pub fn note(&mut self, motion: &Motion) {
        self.fastest = self.fastest.max(motion.sliding[self.contact].abs());
    }

    /// A sliding velocity; none where another contact holds the mass, but for rounding.
    pub fn seen(&self, v: f64) -> f64 {
        if v.abs() <= STILL * self.fastest { 0.0 } else { v }
    }

    /// The same of bristles, as the contact slides in this direction, if one is given, so slowly that it is
    /// at rest: what holds on either side of a reversal.
    pub fn margin_towards(&self, system: &System, motion: &Motion, direction: Option<f64>) -> f64 {
        let z = motion.states.get(self.states.clone()).unwrap_or_default();
        match direction {
            Some(direction) => self.margin_at(system, f64::MIN_POSITIVE.copysign(direction), z),
            None => self.margin(system, motion),
        }
    }
}

/// A stretch of a motion along which bristles may begin and cease to hold.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BristleStretch {
    /// Its ends (s).
    pub span: [f64; 2],
    /// The margins at its ends.
    pub margins: [f64; 2],
    /// When the contact reverses, if it does (s), and the direction in which it slides from then on: there
    /// the margin jumps.
    pub turn: Option<(f64, f64)>,
    /// Parts between which the margin is looked at.
    pub looks: usize,
}

impl BristleStretch {
    /// Visits the times when the bristles begin to hold (true) and cease to (false), in order. `margin` gives
    /// the margin at a time, or towards a direction there.
    pub fn changes(&self, mut margin: impl FnMut(f64, Option<f64>) -> f64, mut visit: impl FnMut(f64, bool)) {
        let ([mut from, to], [mut before, after]) = (self.span, self.margins);
        if let Some((turn, direction)) = self.turn {
            if turn > from {
                let until = margin(turn, Some(-direction));
                self.along([from, turn], [before, until], &mut margin, &mut visit);
                before = until;
            }
            let behind = margin(turn, Some(direction));
            if (before > 0.0) != (behind > 0.0) {
                visit(turn, behind > 0.0);
            }
            (from, before) = (turn, behind);
        }
        self.along([from, to], [before, after], &mut margin, &mut visit);
    }

    /// The same between two times, without a reversal.
    fn along(
        &self,
        [from, to]: [f64; 2],
        [mut before, after]: [f64; 2],
        margin: &mut impl FnMut(f64, Option<f64>) -> f64,
        visit: &mut impl FnMut(f64, bool),
    ) {
        let length = (to - from) / self.looks as f64;
        let at = |look: usize| if look == self.looks { to } else { from + look as f64 * length };
        // what the margin changes by along one part, from the part before; at the ends from a small part
        let mut change = (margin(from + EDGE * length, None) - before) / EDGE;
        for look in 1..=self.looks {
            let [a, b] = [look - 1, look].map(at);
            let is_last = look == self.looks;
            let now = if is_last { after } else { margin(b, None) };
            let is_passed = |value: f64| (value > 0.0) != (before > 0.0);
            let mut comes_back = || {
                let behind = (now - margin(b - EDGE * length, None)) / EDGE;
                is_passed(now - behind)
            };
            if is_passed(now) {
                visit(crossing([a, b], [before, now], 0.0, |t| margin(t, None)), now > 0.0);
            } else if is_passed(before + change) || is_last && comes_back() {
                // it heads for zero, and turns or jumps before
                let mut last = (a, before);
                for part in 1..=CLOSER {
                    let t = if part == CLOSER { b } else { a + (b - a) * part as f64 / CLOSER as f64 };
                    let value = if part == CLOSER { now } else { margin(t, None) };
                    if (last.1 > 0.0) != (value > 0.0) {
                        let zero = crossing([last.0, t], [last.1, value], 0.0, |t| margin(t, None));
                        visit(zero, value > 0.0);
                    }
                    last = (t, value);
                }
            }
            change = now - before;
            before = now;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::BristleStretch;

    #[test]
    fn bristles_that_hold_before_a_reversal_hold_from_then_on() {
        // they begin to hold at 0.3, let go where the margin of the other direction ends, at 0.9
        let margin = |t: f64, direction: Option<f64>| match direction {
            Some(direction) if direction > 0.0 => 0.9 - t,
            Some(_) => t - 0.3,
            None if t < 0.6 => t - 0.3,
            None => 0.9 - t,
        };
        let expected = [(0.3, true), (0.9, false)];
        // without the reversal they are seen to head for zero
        for turn in [Some((0.6, 1.0)), None] {
            let stretch = BristleStretch { span: [0.0, 1.0], margins: [-0.3, -0.1], turn, looks: 1 };
            let mut found = Vec::new();
            stretch.changes(margin, |t, holds| found.push((t, holds)));
            assert_eq!(found.len(), expected.len(), "{found:?}");
            // straight lines: the first secant is the zero
            assert!(found.iter().zip(&expected).all(|(a, b)| (a.0 - b.0).abs() < 1e-15 && a.1 == b.1));
        }
    }

    #[test]
    fn a_slip_that_ends_with_a_jump_is_seen() {
        // the limit jumps up at 0.95, or from the other end of time at 0.05
        let margin = |t: f64, _: Option<f64>| if t < 0.95 { 0.9 - t } else { 1.0 };
        let ends = |margin: &dyn Fn(f64, Option<f64>) -> f64| [margin(0.0, None), margin(1.0, None)];
        let stretch = BristleStretch { span: [0.0, 1.0], margins: ends(&margin), turn: None, looks: 1 };
        let mut found = Vec::new();
        stretch.changes(margin, |t, holds| found.push((t, holds)));
        let is_near = |(a, b): (&(f64, bool), (f64, bool))| (a.0 - b.0).abs() < 1e-12 && a.1 == b.1;
        let matches = |expected: [(f64, bool); 2], found: &[(f64, bool)]| {
            found.len() == 2 && found.iter().zip(expected).all(is_near)
        };
        assert!(matches([(0.9, false), (0.95, true)], &found), "{found:?}");

        let reversed = |t: f64, way: Option<f64>| margin(1.0 - t, way);
        let stretch = BristleStretch { span: [0.0, 1.0], margins: ends(&reversed), turn: None, looks: 1 };
        let mut found = Vec::new();
        stretch.changes(reversed, |t, holds| found.push((t, holds)));
        assert!(matches([(0.05, false), (0.1, true)], &found), "{found:?}");
    }

    #[test]
    fn a_hold_inside_a_stretch_is_seen() {
        // positive between 0.4 and 0.7 only
        let margin = |t: f64, _: Option<f64>| (t - 0.4) * (0.7 - t);
        let stretch = BristleStretch {
            span: [0.0, 1.0],
            margins: [margin(0.0, None), margin(1.0, None)],
            turn: None,
            looks: 4,
        };
        let mut found = Vec::new();
        stretch.changes(margin, |t, holds| found.push((t, holds)));
        assert!(found.len() == 2 && found[0].1 && !found[1].1, "{found:?}");
        // the zeros of a parabola, to rounding
        assert!((found[0].0 - 0.4).abs() < 1e-14 && (found[1].0 - 0.7).abs() < 1e-14, "{found:?}");
    }
}
