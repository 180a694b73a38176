//! Reference lines, arrows and texts inside a box.

use super::axis::NUMBER;
use super::clip::segment;
use super::font::Fonts;
use super::shape::Frame;
use super::svg::{Anchor, Canvas, Lettering, Path};
use super::text::{CAPITAL, Rich};
use super::{Across, Panel, Side};

/// Space between a point and its text (pt).
const GAP: f64 = 3.0;
/// Length and half width of the head of an arrow (pt).
const HEAD: [f64; 2] = [5.0, 1.7];

/// Reference lines, below the series.
pub(super) fn rules(canvas: &mut Canvas, panel: &Panel, frame: &Frame) {
    let [left, top, right, bottom] = frame.bounds();
    let mut path = Path::default();
    for rule in &panel.rules {
        match rule.at {
            Across::X(v) => {
                let x = frame.at([v, frame.y.range[0]])[0];
                if left <= x && x <= right {
                    path.polyline(&[[x, bottom], [x, top]]);
                }
            }
            Across::Y(v) => {
                let y = frame.at([frame.x.range[0], v])[1];
                if top <= y && y <= bottom {
                    path.polyline(&[[left, y], [right, y]]);
                }
            }
        }
    }
    canvas.path(&path, "fill=\"none\" stroke=\"#666\" stroke-width=\".5\" stroke-dasharray=\"2.5 1.5\"");
}

/// Arrows and texts, above the series.
pub(super) fn arrows_and_texts(canvas: &mut Canvas, panel: &Panel, frame: &Frame, fonts: &Fonts) {
    for arrow in &panel.arrows {
        let [a, b] = [frame.at(arrow.from), frame.at(arrow.to)];
        let length = libm::hypot(b[0] - a[0], b[1] - a[1]);
        let Some([from, to]) = segment(a, b, frame.bounds()) else { continue };
        if !length.is_finite() || length < 0.1 {
            continue;
        }
        let u = [(b[0] - a[0]) / length, (b[1] - a[1]) / length];
        let color = arrow.color.hex(6);
        let [mut shaft, mut head] = [Path::default(), Path::default()];
        let long = HEAD[0].min(0.6 * length);
        let wide = HEAD[1] * long / HEAD[0];
        let neck = [to[0] - 0.8 * long * u[0], to[1] - 0.8 * long * u[1]];
        shaft.polyline(&[from, if to == b { neck } else { to }]);
        canvas.path(&shaft, &format!("fill=\"none\" stroke=\"{color}\" stroke-width=\".8\""));
        if to == b {
            let base = [to[0] - long * u[0], to[1] - long * u[1]];
            let side = |s: f64| [base[0] - s * wide * u[1], base[1] + s * wide * u[0]];
            head.polygon(&[to, side(1.0), side(-1.0)]);
            canvas.path(&head, &format!("fill=\"{color}\""));
        }
    }
    for (text, [x, _, _, y]) in texts(panel, frame, fonts) {
        let how =
            Lettering { size: NUMBER, anchor: Anchor::Start, color: "#000", upright: false, halo: true };
        canvas.text([x, y - NUMBER * text.descent()], &text, how);
    }
}

/// What a legend must not hide: the diagonals of the texts, and the arrows.
pub(super) fn obstacles(panel: &Panel, frame: &Frame, fonts: &Fonts) -> Vec<Vec<[f64; 2]>> {
    let texts =
        texts(panel, frame, fonts).into_iter().map(|(_, [l, t, r, b])| vec![[l, t], [r, b], [l, b], [r, t]]);
    let arrows = panel.arrows.iter().map(|arrow| vec![frame.at(arrow.from), frame.at(arrow.to)]);
    texts.chain(arrows).collect()
}

/// All texts with their left, top, right and bottom (pt).
fn texts(panel: &Panel, frame: &Frame, fonts: &Fonts) -> Vec<(Rich, [f64; 4])> {
    let [left, top, right, _] = frame.bounds();
    let notes = panel.notes.iter().map(|note| (Rich::parse(&note.text), frame.at(note.at), note.side));
    let rules = panel.rules.iter().map(|rule| {
        let text = Rich::parse(&rule.label);
        let width = text.width(fonts, NUMBER);
        let (at, side) = match rule.at {
            Across::X(v) => {
                let x = frame.at([v, frame.y.range[0]])[0];
                let side = if x + width + 2.0 * GAP < right { Side::Right } else { Side::Left };
                ([x, top + GAP + 0.5 * NUMBER], side)
            }
            Across::Y(v) => {
                let y = frame.at([frame.x.range[0], v])[1];
                (
                    [right - GAP - 0.5 * width, y + 1.0],
                    if y < top + 1.6 * NUMBER { Side::Below } else { Side::Above },
                )
            }
        };
        (text, at, side)
    });
    let is_inside = |at: [f64; 2]| left <= at[0] && at[0] <= right;
    notes
        .chain(rules)
        .filter(|(text, at, _)| !text.is_empty() && at[1].is_finite() && is_inside(*at))
        .map(|(text, at, side)| {
            let area = beside(&text, at, side, frame, fonts);
            (text, area)
        })
        .collect()
}

/// Left, top, right and bottom of a text beside a point, moved into the box where it would leave it (pt).
fn beside(text: &Rich, [x, y]: [f64; 2], side: Side, frame: &Frame, fonts: &Fonts) -> [f64; 4] {
    let (w, above, below) = (text.width(fonts, NUMBER), NUMBER * text.ascent(), NUMBER * text.descent());
    let half = 0.5 * NUMBER * CAPITAL;
    let (left, baseline) = match side {
        Side::Right => (x + GAP, y + half),
        Side::Left => (x - GAP - w, y + half),
        Side::Above => (x - 0.5 * w, y - GAP),
        Side::Below => (x - 0.5 * w, y + GAP + above),
        Side::Center => (x - 0.5 * w, y + half),
    };
    let [l, t, r, b] = frame.bounds();
    let left = left.min(r - 1.5 - w).max(l + 1.5);
    let baseline = baseline.min(b - 1.5 - below).max(t + 1.5 + above);
    [left, baseline - above, left + w, baseline + below]
}
