//! An axis of known length: where values stand, which ticks fit, and what its label says.

use super::font::Fonts;
use super::text::{CAPITAL, LEADING, Rich, Script};
use super::ticks::{Ticks, ten_to, ticks};
use super::{Axis, Scale};

/// Size of the numbers at the ticks (pt).
pub(crate) const NUMBER: f64 = 7.0;
/// Size of the axis labels (pt).
pub(crate) const LABEL: f64 = 8.0;
/// Smallest size to which a long label is reduced (pt).
const SMALLEST: f64 = 5.0;

/// Which way an axis runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    Right,
    Up,
}

/// The range of an axis and its scale: a map from values to 0 … 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Map {
    pub(crate) scale: Scale,
    pub(crate) range: [f64; 2],
}

impl Map {
    /// Where a value stands between the ends, 0 … 1 for those in the range; NaN for those that cannot be shown.
    pub(crate) fn fraction(&self, v: f64) -> f64 {
        let [lo, hi] = self.range;
        match self.scale {
            _ if !super::range::is_shown(v, self.scale) => f64::NAN,
            Scale::Linear => (v - lo) / (hi - lo),
            Scale::Log => libm::log10(v / lo) / libm::log10(hi / lo),
        }
    }

    /// The densest ticks whose numbers do not touch on an axis of this length (pt).
    pub(crate) fn ticks(&self, length: f64, way: Way, fonts: &Fonts) -> Ticks {
        let comfortable = if way == Way::Right { 19.0 } else { 14.0 };
        let most = ((length / comfortable) as usize).clamp(3, 9);
        let mut best = ticks(self.range, self.scale, most, length);
        for n in (2..=most).rev() {
            let fewer = ticks(self.range, self.scale, n, length);
            if fewer.labels.len() < 2 {
                break;
            }
            best = fewer;
            if self.fits(&best, length, way, fonts) {
                return best;
            }
        }
        // nothing fits: number only some of them
        while best.labels.len() > 1 && !self.fits(&best, length, way, fonts) {
            thin(&mut best);
        }
        best
    }

    fn fits(&self, ticks: &Ticks, length: f64, way: Way, fonts: &Fonts) -> bool {
        // pt between two numbers
        let gap = if way == Way::Right { 5.0 } else { 2.8 };
        let ends: Vec<(f64, f64)> = ticks
            .major
            .iter()
            .zip(&ticks.labels)
            .map(|(&v, label)| {
                let half = match way {
                    Way::Right => 0.5 * label.width(fonts, NUMBER),
                    Way::Up => 0.5 * NUMBER * CAPITAL,
                };
                let at = length * self.fraction(v);
                (at - half, at + half)
            })
            .collect();
        ends.iter().zip(ends.iter().skip(1)).all(|(a, b)| a.1 + gap <= b.0)
    }
}

/// Takes the numbers from every second tick.
fn thin(ticks: &mut Ticks) {
    let pairs: Vec<_> =
        std::mem::take(&mut ticks.major).into_iter().zip(std::mem::take(&mut ticks.labels)).collect();
    for (i, (value, label)) in pairs.into_iter().enumerate() {
        if i % 2 == 0 {
            ticks.major.push(value);
            ticks.labels.push(label);
        } else {
            ticks.minor.push(value);
        }
    }
}

/// `u (m)`, with the power of ten and the offset of the ticks: `u − 1000 (10⁻³ m)`.
pub(crate) fn label(axis: &Axis, ticks: &Ticks) -> Rich {
    let mut rich = Rich::parse(&axis.label);
    if !ticks.offset.is_empty() {
        let (sign, size) = match ticks.offset.strip_prefix('\u{2212}') {
            Some(size) => ("+", size),
            None => ("\u{2212}", ticks.offset.as_str()),
        };
        rich.push(&format!(" {sign}\u{2009}{size}"), false, Script::Normal);
    }
    let mut unit = Rich::default();
    if ticks.exponent != 0 {
        unit.append(&ten_to(ticks.exponent));
        if !axis.unit.is_empty() {
            unit.push("\u{2009}", false, Script::Normal);
        }
    }
    unit.append(&Rich::parse(&axis.unit));
    if !unit.is_empty() {
        rich.push(if rich.is_empty() { "(" } else { " (" }, false, Script::Normal);
        rich.append(&unit);
        rich.push(")", false, Script::Normal);
    }
    rich
}

/// A text brought below a width: broken into lines, and reduced if a word is too long.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Block {
    pub(crate) lines: Vec<Rich>,
    pub(crate) size: f64,
}

impl Block {
    pub(crate) fn new(text: &Rich, size: f64, limit: f64, fonts: &Fonts) -> Self {
        if text.is_empty() {
            return Self { lines: Vec::new(), size };
        }
        let lines = text.wrap(fonts, size, limit);
        let widest = lines.iter().map(|l| l.width(fonts, size)).fold(0.0, f64::max);
        let size = if widest > limit { (size * limit / widest).max(SMALLEST) } else { size };
        Self { lines, size }
    }

    /// From the top of the first line to the bottom of the last (pt).
    pub(crate) fn height(&self) -> f64 {
        let (Some(first), Some(last)) = (self.lines.first(), self.lines.last()) else { return 0.0 };
        self.size * (first.ascent() + last.descent() + LEADING * (self.lines.len() - 1) as f64)
    }

    /// Lines with their baselines, counted from the top of the block (pt).
    pub(crate) fn baselines(&self) -> impl Iterator<Item = (f64, &Rich)> {
        let first = self.lines.first().map_or(0.0, Rich::ascent);
        let at = move |i: usize| self.size * (first + LEADING * i as f64);
        self.lines.iter().enumerate().map(move |(i, line)| (at(i), line))
    }

    /// Width of the widest line (pt).
    pub(crate) fn width(&self, fonts: &Fonts) -> f64 {
        self.lines.iter().map(|l| l.width(fonts, self.size)).fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_never_touch() {
        let fonts = Fonts::embedded();
        let ranges =
            [[113.0, 126.0], [-20.0, 20.0], [0.0, 1e-12], [1e9, 1e9 + 1.0], [1e-8, 1e8], [12345.0, 99999.0]];
        for range in ranges {
            for scale in [Scale::Linear, Scale::Log] {
                let map = Map {
                    scale,
                    range: if scale == Scale::Log { range.map(|v: f64| v.abs().max(1e-3)) } else { range },
                };
                if map.range[0] == map.range[1] {
                    continue;
                }
                for length in [15.0, 30.0, 50.0, 100.0, 200.0, 450.0] {
                    for way in [Way::Right, Way::Up] {
                        let t = map.ticks(length, way, &fonts);
                        assert!(
                            map.fits(&t, length, way, &fonts),
                            "{range:?} {scale:?} {length} {way:?}: {t:?}"
                        );
                        assert!(!t.labels.is_empty(), "{range:?} {scale:?} {length} {way:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn the_label_says_the_power_and_the_offset() {
        let read =
            |axis: &Axis, t: &Ticks| label(axis, t).runs.iter().map(|r| r.text.as_str()).collect::<String>();
        let axis = Axis::new("*u*", "m");
        assert_eq!(read(&axis, &Ticks::default()), "u (m)");
        let t = Ticks { exponent: -3, offset: "5.2".to_string(), ..Ticks::default() };
        assert_eq!(read(&axis, &t), "u −\u{2009}5.2 (10−3\u{2009}m)");
        assert_eq!(read(&Axis::default(), &t), " −\u{2009}5.2 (10−3)");
        assert_eq!(read(&Axis::new("μ", ""), &Ticks::default()), "μ");
    }
}
