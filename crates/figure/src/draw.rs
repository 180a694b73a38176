//! From layout to SVG.

use super::axis::{LABEL, NUMBER};
use super::font::Fonts;
use super::layout::{NUMBER_GAP, Placed, TICK, place};
use super::shape::Frame;
use super::style::CyclePlace;
use super::svg::{Anchor, Canvas, Lettering, Letters, PathData, number};
use super::text::{CAPITAL, Rich};
use super::{Figure, Line, Panel, annotate, legend, marks, style};

/// Length of a tick without a number (pt).
const MINOR: f64 = 1.5;
/// Stroke of boxes and ticks (pt).
const AXES: &str = "fill=\"none\" stroke=\"#000\" stroke-width=\".5\"";
/// Bands that are nearer to each other are drawn as one (pt).
const SEPARATE: f64 = 0.05;

#[cfg(test)]
std::thread_local! {
    /// Figures that this thread has laid out.
    pub(crate) static LAYOUTS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// The whole figure.
pub(crate) fn figure(figure: &Figure, letters: Letters) -> String {
    let fonts = Fonts::embedded();
    #[cfg(test)]
    LAYOUTS.with(|n| n.set(n.get() + 1));
    let layout = place(figure, &fonts);
    let mut canvas = Canvas::new(&fonts, letters);
    let centre = Lettering { size: 0.0, anchor: Anchor::Middle, color: "#000", upright: false, halo: false };
    for (block, top) in [(&layout.title, layout.title_top), (&layout.subtitle, layout.subtitle_top)] {
        for (baseline, line) in block.baselines() {
            let how = Lettering { size: block.size, ..centre };
            canvas.text([0.5 * layout.size[0], top + baseline], line, how);
        }
    }
    let places = style::places(figure);
    for ((panel, placed), places) in figure.panels.iter().zip(&layout.panels).zip(&places) {
        if let Some(heat) = &panel.heat {
            heat.cells(&mut canvas, &placed.frame);
        }
        bands(&mut canvas, panel, &placed.frame);
        if figure.grid {
            grid(&mut canvas, placed);
        }
        annotate::rules(&mut canvas, panel, &placed.frame);
        series(&mut canvas, panel, places, &placed.frame);
        annotate::rule_labels(&mut canvas, panel, &placed.frame, &fonts);
        annotate::arrows_and_texts(&mut canvas, panel, &placed.frame, &fonts);
        if !panel.is_bare {
            axes(&mut canvas, placed);
        }
        labels(&mut canvas, placed);
        if let (Some(heat), Some(bar)) = (&panel.heat, &placed.bar) {
            heat.draw_bar(&mut canvas, &placed.frame, bar);
        }
        if let Some((key, corner, is_inside)) = &placed.key {
            key.draw(&mut canvas, *corner, *is_inside);
        }
    }
    if let Some((key, corner)) = &layout.key {
        key.draw(&mut canvas, *corner, false);
    }
    canvas.finish(layout.size, &figure.note)
}

/// Attributes of a curve, for the series number `i`.
pub(crate) fn stroke(line: Line, color: &str, i: usize) -> String {
    let width = if line.width.is_finite() { line.width.clamp(0.05, 20.0) } else { Line::default().width };
    let mut attributes = format!("fill=\"none\" stroke=\"{color}\" stroke-width=\"{}\"", number(width));
    let pattern: Vec<String> = line.dash.pattern(i).iter().map(|d| number(d * width.max(0.6))).collect();
    if !pattern.is_empty() {
        attributes += &format!(" stroke-dasharray=\"{}\"", pattern.join(" "));
    }
    attributes
}

fn bands(canvas: &mut Canvas, panel: &Panel, frame: &Frame) {
    let [left, top, right, bottom] = frame.bounds();
    let mut spans: Vec<[f64; 2]> = panel
        .bands
        .iter()
        .map(|band| band.x.map(|v| frame.at([v, frame.y.range[0]])[0]))
        .map(|[a, b]| [a.min(b).max(left), a.max(b).min(right)])
        .filter(|[a, b]| a < b)
        .collect();
    spans.sort_by(|a, b| a[0].total_cmp(&b[0]));
    let mut joined: Vec<[f64; 2]> = Vec::new();
    for span in spans {
        match joined.last_mut() {
            Some(last) if span[0] - last[1] < SEPARATE => last[1] = last[1].max(span[1]),
            _ => joined.push(span),
        }
    }
    let mut path = PathData::default();
    for [a, b] in joined {
        path.polygon(&[[a, top], [b, top], [b, bottom], [a, bottom]]);
    }
    canvas.path(&path, &format!("fill=\"{}\"", legend::BAND));
}

fn grid(canvas: &mut Canvas, placed: &Placed) {
    let [left, top, right, bottom] = placed.frame.bounds();
    let mut path = PathData::default();
    for x in places(placed, &placed.x_ticks.major, 0) {
        path.polyline(&[[x, top], [x, bottom]]);
    }
    for y in places(placed, &placed.y_ticks.major, 1) {
        path.polyline(&[[left, y], [right, y]]);
    }
    canvas.path(&path, "fill=\"none\" stroke=\"#ddd\" stroke-width=\".4\"");
}

/// Values of an axis (0: x, 1: y) on the page.
fn places<'a>(placed: &'a Placed, values: &'a [f64], axis: usize) -> impl Iterator<Item = f64> + 'a {
    let frame = &placed.frame;
    let origin = [frame.x.range[0], frame.y.range[0]];
    values.iter().map(move |&v| frame.at(if axis == 0 { [v, origin[1]] } else { [origin[0], v] })[axis])
}

fn series(canvas: &mut Canvas, panel: &Panel, places: &[CyclePlace], frame: &Frame) {
    for (place, s) in places.iter().zip(&panel.series) {
        let color = s.color.hex(place.color);
        if let Some(opacity) = s.fill {
            let mut path = PathData::default();
            frame.polygons(s).iter().for_each(|ring| path.polygon(ring));
            let opacity = if opacity.is_finite() { opacity.clamp(0.0, 1.0) } else { 1.0 };
            let mut attributes = format!("fill=\"{color}\" fill-opacity=\"{}\"", number(opacity));
            if let Some(line) = s.line {
                attributes += &stroke(line, &color, place.dash).replace("fill=\"none\"", "");
            }
            canvas.path(&path, &attributes);
        } else if let Some(line) = s.line {
            let mut path = PathData::default();
            frame.curve(s, line, place.dash).iter().for_each(|part| path.polyline(part));
            let cap = if line.dash.pattern(place.dash).is_empty() { " stroke-linecap=\"round\"" } else { "" };
            canvas.path(&path, &(stroke(line, &color, place.dash) + cap));
        }
        if let Some(marker) = s.marker {
            marks::draw(canvas, &frame.marks(s, marker), marker, &color, place.shape);
        }
    }
}

fn axes(canvas: &mut Canvas, placed: &Placed) {
    let [left, _, _, bottom] = placed.frame.bounds();
    canvas.rect(placed.frame.area, AXES);
    let mut path = PathData::default();
    for (values, length) in [(&placed.x_ticks.major, TICK), (&placed.x_ticks.minor, MINOR)] {
        for x in places(placed, values, 0) {
            path.polyline(&[[x, bottom], [x, bottom + length]]);
        }
    }
    for (values, length) in [(&placed.y_ticks.major, TICK), (&placed.y_ticks.minor, MINOR)] {
        for y in places(placed, values, 1) {
            path.polyline(&[[left, y], [left - length, y]]);
        }
    }
    canvas.path(&path, AXES);
}

fn labels(canvas: &mut Canvas, placed: &Placed) {
    let [left, top, right, bottom] = placed.frame.bounds();
    let how = Lettering { size: NUMBER, anchor: Anchor::Middle, color: "#000", upright: false, halo: false };
    if placed.is_numbered {
        let ascent = placed.x_ticks.labels.iter().map(Rich::ascent).fold(0.0, f64::max);
        let y = bottom + TICK + NUMBER_GAP + NUMBER * ascent;
        for (x, text) in places(placed, &placed.x_ticks.major, 0).zip(&placed.x_ticks.labels) {
            canvas.text([x, y], text, how);
        }
    }
    for (y, text) in places(placed, &placed.y_ticks.major, 1).zip(&placed.y_ticks.labels) {
        let at = [left - TICK - NUMBER_GAP, y + 0.5 * NUMBER * CAPITAL];
        canvas.text(at, text, Lettering { anchor: Anchor::End, ..how });
    }
    for (baseline, line) in placed.x_label.baselines() {
        let how = Lettering { size: placed.x_label.size, ..how };
        canvas.text([0.5 * (left + right), placed.x_label_top + baseline], line, how);
    }
    for (baseline, line) in placed.y_label.baselines() {
        let how = Lettering { size: placed.y_label.size, upright: true, ..how };
        canvas.text([placed.y_label_left + baseline, 0.5 * (top + bottom)], line, how);
    }
    let above = top - placed.heading_bottom - placed.heading.height();
    for (baseline, line) in placed.heading.baselines() {
        let how = Lettering { size: placed.heading.size.min(LABEL), anchor: Anchor::Start, ..how };
        canvas.text([left, above + baseline], line, how);
    }
}
