//! Reference lines, arrows and texts inside a box.

use super::axis::{Block, NUMBER};
use super::clip::segment;
use super::font::Fonts;
use super::shape::Frame;
use super::svg::{Anchor, Canvas, Lettering, PathData};
use super::text::{CAPITAL, Rich};
use super::{Across, AxisSide, Panel};

/// Space between a point and its text (pt).
const GAP: f64 = 3.0;
/// Smallest space between a text and the box around it (pt).
const INSET: f64 = 1.5;
/// Space between a box and the name of a reference line (pt).
const RULE_GAP: f64 = 2.5;
/// Length and half width of the head of an arrow (pt).
const HEAD: [f64; 2] = [5.0, 1.7];

/// Reference lines, below the series.
pub(crate) fn rules(canvas: &mut Canvas, panel: &Panel, frame: &Frame) {
    let mut path = PathData::default();
    lines(panel, frame).iter().for_each(|line| path.polyline(line));
    canvas.path(&path, "fill=\"none\" stroke=\"#666\" stroke-width=\".5\" stroke-dasharray=\"2.5 1.5\"");
}

/// The reference lines inside the box.
pub(crate) fn lines(panel: &Panel, frame: &Frame) -> Vec<Vec<[f64; 2]>> {
    let [left, top, right, bottom] = frame.bounds();
    panel
        .rules
        .iter()
        .filter_map(|rule| match (rule.at, place(rule.at, frame)?) {
            (Across::X(_), x) => Some(vec![[x, bottom], [x, top]]),
            (Across::Y(_), y) => Some(vec![[left, y], [right, y]]),
        })
        .collect()
}

/// Where a line crosses its axis, if it is inside the box (pt).
fn place(at: Across, frame: &Frame) -> Option<f64> {
    let [left, top, right, bottom] = frame.bounds();
    let (v, from, to) = match at {
        Across::X(x) => (frame.at([x, frame.y.range[0]])[0], left, right),
        Across::Y(y) => (frame.at([frame.x.range[0], y])[1], top, bottom),
    };
    (from <= v && v <= to).then_some(v)
}

/// Space for the names of the reference lines, right of the box and above it (pt).
pub(crate) fn margins(panel: &Panel, frame: &Frame, fonts: &Fonts) -> (f64, f64) {
    let [across_x, across_y] = names(panel, frame);
    let aside = across_y.iter().map(|(_, text)| RULE_GAP + text.width(fonts, NUMBER)).fold(0.0, f64::max);
    // names longer than the box begin at its left
    let [left, _, right, _] = frame.bounds();
    let all = across_x.iter().map(|(_, text)| RULE_GAP + text.width(fonts, NUMBER)).sum::<f64>();
    let long = all - (right - left);
    let above =
        across_x.iter().map(|(_, text)| RULE_GAP + NUMBER * (text.ascent() + 0.1)).fold(0.0, f64::max);
    (aside.max(long), above)
}

/// Left end of the first name above the box (pt).
pub(crate) fn first_name(panel: &Panel, frame: &Frame, fonts: &Fonts) -> f64 {
    let left = |(x, text): &(f64, Rich)| x - 0.5 * text.width(fonts, NUMBER);
    names(panel, frame)[0].iter().map(left).fold(f64::INFINITY, f64::min)
}

/// Names of the lines across x and across y with their places, in order.
fn names(panel: &Panel, frame: &Frame) -> [Vec<(f64, Rich)>; 2] {
    let mut lists = [Vec::new(), Vec::new()];
    for rule in panel.rules.iter().filter(|rule| !rule.label.trim().is_empty()) {
        let list = if matches!(rule.at, Across::X(_)) { &mut lists[0] } else { &mut lists[1] };
        list.extend(place(rule.at, frame).map(|at| (at, Rich::parse(&rule.label))));
    }
    for list in &mut lists {
        list.sort_by(|a, b| a.0.total_cmp(&b.0));
    }
    lists
}

/// Names of the reference lines at their ends outside the box, moved apart where they would touch.
pub(crate) fn rule_labels(canvas: &mut Canvas, panel: &Panel, frame: &Frame, fonts: &Fonts) {
    let [left, top, right, bottom] = frame.bounds();
    let how = Lettering { size: NUMBER, anchor: Anchor::Middle, color: "#000", upright: false, halo: false };
    let [across_x, across_y] = names(panel, frame);
    let wide = |(x, text): &(f64, Rich)| (*x, 0.5 * (text.width(fonts, NUMBER) + RULE_GAP));
    let places = apart(across_x.iter().map(wide).collect(), left, right);
    for (x, (_, text)) in places.into_iter().zip(&across_x) {
        canvas.text([x, top - RULE_GAP], text, how);
    }
    let places = apart(across_y.iter().map(|&(y, _)| (y, 0.5 * NUMBER)).collect(), top, bottom);
    for (y, (_, text)) in places.into_iter().zip(&across_y) {
        let at = [right + RULE_GAP, y + 0.5 * NUMBER * CAPITAL];
        canvas.text(at, text, Lettering { anchor: Anchor::Start, ..how });
    }
}

/// Middles of intervals, given in order with their half lengths, moved such that they do not touch: back from the
/// upper end, then forward from the lower one.
fn apart(intervals: Vec<(f64, f64)>, low: f64, high: f64) -> Vec<f64> {
    let mut places = intervals;
    let mut limit = high;
    for (at, half) in places.iter_mut().rev() {
        *at = at.min(limit - *half);
        limit = *at - *half;
    }
    let mut limit = low;
    for (at, half) in &mut places {
        *at = at.max(limit + *half);
        limit = *at + *half;
    }
    places.into_iter().map(|(at, _)| at).collect()
}

/// Arrows and texts, above the series.
pub(crate) fn arrows_and_texts(canvas: &mut Canvas, panel: &Panel, frame: &Frame, fonts: &Fonts) {
    for arrow in &panel.arrows {
        let [a, b] = [frame.at(arrow.from), frame.at(arrow.to)];
        let length = libm::hypot(b[0] - a[0], b[1] - a[1]);
        let Some([from, to]) = segment(a, b, frame.bounds()) else { continue };
        if !length.is_finite() || length < 0.1 {
            continue;
        }
        let u = [(b[0] - a[0]) / length, (b[1] - a[1]) / length];
        let color = arrow.color.hex(6);
        let [mut shaft, mut head] = [PathData::default(), PathData::default()];
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
    for (block, [x, y, _, _]) in texts(panel, frame, fonts) {
        let how =
            Lettering { size: block.size, anchor: Anchor::Start, color: "#000", upright: false, halo: true };
        for (baseline, line) in block.baselines() {
            canvas.text([x, y + baseline], line, how);
        }
    }
}

/// What a legend must not hide: the diagonals of the texts, and the arrows.
pub(crate) fn obstacles(panel: &Panel, frame: &Frame, fonts: &Fonts) -> Vec<Vec<[f64; 2]>> {
    let texts =
        texts(panel, frame, fonts).into_iter().map(|(_, [l, t, r, b])| vec![[l, t], [r, b], [l, b], [r, t]]);
    let arrows = panel.arrows.iter().map(|arrow| vec![frame.at(arrow.from), frame.at(arrow.to)]);
    texts.chain(arrows).collect()
}

/// All texts with their left, top, right and bottom (pt).
fn texts(panel: &Panel, frame: &Frame, fonts: &Fonts) -> Vec<(Block, [f64; 4])> {
    let width = frame.area[2] - 2.0 * INSET;
    panel
        .notes
        .iter()
        .map(|note| {
            (Block::new(&Rich::parse(&note.text), NUMBER, width, fonts), frame.at(note.at), note.side)
        })
        .filter(|(block, at, _)| !block.lines.is_empty() && at[0].is_finite() && at[1].is_finite())
        .map(|(block, at, side)| {
            let area = beside(&block, at, side, frame, fonts);
            (block, area)
        })
        .collect()
}

/// Left, top, right and bottom of a text beside a point, moved into the box where it would leave it (pt).
fn beside(block: &Block, [x, y]: [f64; 2], side: AxisSide, frame: &Frame, fonts: &Fonts) -> [f64; 4] {
    let (w, h) = (block.width(fonts), block.height());
    // the letters, without what hangs below the last line
    let visible = h - block.size * 0.21;
    let (left, top) = match side {
        AxisSide::Right => (x + GAP, y - 0.5 * visible),
        AxisSide::Left => (x - GAP - w, y - 0.5 * visible),
        AxisSide::Above => (x - 0.5 * w, y - GAP - visible),
        AxisSide::Below => (x - 0.5 * w, y + GAP),
        AxisSide::Center => (x - 0.5 * w, y - 0.5 * visible),
    };
    let [l, t, r, b] = frame.bounds();
    let left = left.min(r - INSET - w).max(l + INSET);
    let top = top.min(b - INSET - h).max(t + INSET);
    [left, top, left + w, top + h]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_move_apart_and_stay_in_order() {
        assert_eq!(apart(vec![(10.0, 3.0), (50.0, 3.0)], 0.0, 100.0), [10.0, 50.0]);
        assert_eq!(apart(vec![(98.0, 3.0), (99.0, 3.0)], 0.0, 100.0), [91.0, 97.0]);
        assert_eq!(apart(vec![(1.0, 3.0), (2.0, 3.0)], 0.0, 100.0), [3.0, 9.0]);
        assert_eq!(apart(vec![(50.0, 30.0), (60.0, 30.0)], 0.0, 100.0), [30.0, 90.0]);
    }
}
