//! A quantity over a grid as colours, with its bar; and the lines along which it has a given value.
//!
//! The colours are those of viridis: their lightness grows evenly, so that a grey print and colour-blind readers see the same
//! map. Cells are drawn in runs of one colour; where there are more than the eye can resolve, the nearest one counts, never a mean,
//! so that a boundary stays sharp.

use super::axis::{Block, LABEL, Map, NUMBER, Way, label};
use super::font::Fonts;
use super::layout::{LABEL_GAP, NUMBER_GAP, TICK};
use super::shape::Frame;
use super::svg::{Anchor, Canvas, Lettering, PathData};
use super::text::CAPITAL;
use super::ticks::Ticks;
use super::{Axis, Color, Scale, Series, range};
use std::collections::BTreeMap;

/// A quantity over a grid: what its cells are coloured by.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HeatMap {
    /// Centres of the columns, ascending.
    pub x: Vec<f64>,
    /// Centres of the rows, ascending.
    pub y: Vec<f64>,
    /// The quantity, row after row, `x.len()` values each; NaN where there is none.
    pub z: Vec<f64>,
    /// What the colours mean; all values are shown unless it has a range.
    pub axis: Axis,
    /// Few values, each with a colour of its own, such as numbers of stops.
    pub is_discrete: bool,
}

/// Steps of the colours.
const STEPS: usize = 64;
/// Columns and rows that can be distinguished in a figure.
const CELLS: usize = 300;
/// The most values that have a colour each.
const DISCRETE: usize = 32;
/// Width of the bar, and its distance from the box (pt).
const BAR: [f64; 2] = [7.0, 6.0];
/// Colour where there is no value.
const NOTHING: &str = "#ddd";

/// Colours at equal distances.
const VIRIDIS: [[f64; 3]; 9] = [
    [68.0, 1.0, 84.0],
    [71.0, 45.0, 123.0],
    [59.0, 82.0, 139.0],
    [44.0, 114.0, 142.0],
    [33.0, 145.0, 140.0],
    [40.0, 174.0, 128.0],
    [94.0, 201.0, 98.0],
    [173.0, 220.0, 48.0],
    [253.0, 231.0, 37.0],
];

/// The colour at a part of the way, 0 … 1, as in a heat map.
pub fn viridis(u: f64) -> Color {
    let at = u.clamp(0.0, 1.0) * (VIRIDIS.len() - 1) as f64;
    let k = (at as usize).min(VIRIDIS.len() - 2);
    let mix = |c: usize| VIRIDIS[k][c] + (at - k as f64) * (VIRIDIS[k + 1][c] - VIRIDIS[k][c]);
    Color::Rgb([0, 1, 2].map(|c| mix(c).round() as u8))
}

fn color(u: f64) -> String {
    viridis(u).hex(0)
}

/// What belongs to the bar: its ticks and label, in the layout of a panel.
pub(crate) struct ColorBar {
    map: Map,
    ticks: Ticks,
    label: Block,
    numbers: f64,
}

impl ColorBar {
    /// How far numbers or label stand out above and below a box of this height (pt).
    pub(crate) fn excess(&self, height: f64, fonts: &Fonts) -> f64 {
        let end = |v: &f64| {
            let u = self.map.fraction(*v);
            0.5 * NUMBER - height * u.min(1.0 - u)
        };
        let numbers = self.ticks.major.iter().map(end).fold(0.0, f64::max);
        numbers.max(0.5 * (self.label.width(fonts) - height))
    }
}

impl HeatMap {
    /// The values that have a colour each, ascending; none if they have not, or if they are too many.
    fn distinct(&self) -> Vec<f64> {
        let mut values: Vec<f64> = Vec::new();
        for z in self.z.iter().filter(|z| self.is_discrete && z.is_finite()) {
            if let Err(place) = values.binary_search_by(|value| value.total_cmp(z)) {
                values.insert(place, *z);
            }
            if values.len() > DISCRETE || z.abs() > 1e9 {
                return Vec::new();
            }
        }
        values
    }

    /// Values and colours.
    fn map(&self, distinct: &[f64]) -> Map {
        if !distinct.is_empty() {
            // half a step on both sides, so that a number stands in the middle of its colour
            return Map { scale: Scale::Linear, range: [-0.5, distinct.len() as f64 - 0.5] };
        }
        let scale = self.axis.scale;
        let shown = || self.z.iter().copied().filter(|z| range::is_shown(*z, scale));
        let range = range::given(self.axis.range, scale)
            .unwrap_or_else(|| range::padded(range::extent(shown()), scale, 0.0));
        Map { scale, range }
    }

    /// The bar of a box of this height, and the space that it takes beside the box (pt).
    pub(crate) fn bar(&self, height: f64, fonts: &Fonts) -> (ColorBar, f64) {
        let values = self.distinct();
        let map = self.map(&values);
        let mut ticks = map.ticks(height, Way::Up, fonts);
        if !values.is_empty() {
            ticks.major = (0..values.len()).map(|k| k as f64).collect();
            ticks.labels = values.iter().map(|value| super::text::Rich::plain(format!("{value}"))).collect();
            ticks.minor.clear();
            (ticks.exponent, ticks.offset) = (0, String::new());
        }
        let numbers = ticks.labels.iter().map(|text| text.width(fonts, NUMBER)).fold(0.0, f64::max);
        let label = Block::new(&label(&self.axis, &ticks), LABEL, (1.2 * height).max(60.0), fonts);
        let space = BAR[1] + BAR[0] + TICK + NUMBER_GAP + numbers + LABEL_GAP + label.height();
        (ColorBar { map, ticks, label, numbers }, space)
    }

    /// Part of the way along the colours, by its step; none where nothing is to be shown.
    fn step(&self, map: &Map, distinct: &[f64], z: f64) -> Option<usize> {
        if !distinct.is_empty() {
            return distinct.iter().position(|value| *value == z);
        }
        let u = map.fraction(z);
        // beyond the range it has the colour of the end
        (!u.is_nan()).then(|| ((u * STEPS as f64) as usize).min(STEPS - 1))
    }

    /// The colour of a step.
    fn color(step: usize, n: usize) -> String {
        let n = if n > 0 { n } else { STEPS };
        color(if n < 2 { 0.5 } else { step as f64 / (n - 1) as f64 })
    }

    /// Draws the cells.
    pub(crate) fn cells(&self, canvas: &mut Canvas, frame: &Frame) {
        if self.x.is_empty() || self.z.len() != self.x.len() * self.y.len() {
            return;
        }
        let [left, top, right, bottom] = frame.bounds();
        let at_x = |x: f64| frame.at([x, frame.y.range[0]])[0];
        let at_y = |y: f64| frame.at([frame.x.range[0], y])[1];
        let columns = bins(&self.x.iter().map(|x| at_x(*x)).collect::<Vec<_>>(), [left, right]);
        let rows = bins(&self.y.iter().map(|y| at_y(*y)).collect::<Vec<_>>(), [bottom, top]);
        let distinct = self.distinct();
        let map = self.map(&distinct);
        let mut paths: BTreeMap<Option<usize>, PathData> = BTreeMap::new();
        for (j, y) in &rows {
            let step = |i: &usize| self.step(&map, &distinct, self.z[j * self.x.len() + i]);
            let mut k = 0;
            while k < columns.len() {
                let own = step(&columns[k].0);
                let end = (k..columns.len()).find(|l| step(&columns[*l].0) != own).unwrap_or(columns.len());
                let (a, b) = (columns[k].1[0], columns[end - 1].1[1]);
                if [a, b, y[0], y[1]].iter().all(|end| end.is_finite()) {
                    let path = paths.entry(own).or_default();
                    path.polygon(&[[a, y[0]], [b, y[0]], [b, y[1]], [a, y[1]]]);
                }
                k = end;
            }
        }
        for (step, path) in &paths {
            let color = step.map_or_else(|| NOTHING.into(), |step| Self::color(step, distinct.len()));
            canvas.path(path, &format!("fill=\"{color}\" shape-rendering=\"crispEdges\""));
        }
    }

    /// Draws the bar beside a box.
    pub(crate) fn draw_bar(&self, canvas: &mut Canvas, frame: &Frame, bar: &ColorBar) {
        let [_, top, right, bottom] = frame.bounds();
        let (left, height) = (right + BAR[1], bottom - top);
        let n_values = self.distinct().len();
        let n = if n_values > 0 { n_values } else { STEPS };
        for k in 0..n {
            let y = bottom - height * (k + 1) as f64 / n as f64;
            let area = [left, y, BAR[0], height / n as f64];
            canvas
                .rect(area, &format!("fill=\"{}\" shape-rendering=\"crispEdges\"", Self::color(k, n_values)));
        }
        let axes = "fill=\"none\" stroke=\"#000\" stroke-width=\".5\"";
        canvas.rect([left, top, BAR[0], height], axes);
        let mut path = PathData::default();
        let how =
            Lettering { size: NUMBER, anchor: Anchor::Start, color: "#000", upright: false, halo: false };
        for (value, text) in bar.ticks.major.iter().zip(&bar.ticks.labels) {
            let y = bottom - height * bar.map.fraction(*value);
            path.polyline(&[[left + BAR[0], y], [left + BAR[0] + TICK, y]]);
            canvas.text([left + BAR[0] + TICK + NUMBER_GAP, y + 0.5 * NUMBER * CAPITAL], text, how);
        }
        canvas.path(&path, axes);
        let at = left + BAR[0] + TICK + NUMBER_GAP + bar.numbers + LABEL_GAP;
        for (baseline, line) in bar.label.baselines() {
            let how = Lettering { size: bar.label.size, anchor: Anchor::Middle, upright: true, ..how };
            canvas.text([at + baseline, 0.5 * (top + bottom)], line, how);
        }
    }

    /// The line along which the quantity has the value `level`, by linear interpolation between neighbouring cells; cells without
    /// a value end it.
    pub fn contour(&self, level: f64) -> Series {
        let (nx, ny) = (self.x.len(), self.y.len());
        let mut series = Series::line("", Vec::new(), Vec::new());
        if nx < 2 || ny < 2 || self.z.len() != nx * ny {
            return series;
        }
        // edges of the grid of centres by number: those along x, then those along y
        let cross = |a: f64, b: f64| (a < level) != (b < level);
        let z = |i: usize, j: usize| self.z[j * nx + i];
        let mut ends: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for j in 0..ny - 1 {
            for i in 0..nx - 1 {
                let corners = [z(i, j), z(i + 1, j), z(i + 1, j + 1), z(i, j + 1)];
                if corners.iter().any(|z| !z.is_finite()) {
                    continue;
                }
                let edges = [j * nx + i, nx * ny + j * nx + i + 1, (j + 1) * nx + i, nx * ny + j * nx + i];
                let crossed: Vec<usize> =
                    (0..4).filter(|k| cross(corners[*k], corners[(k + 1) % 4])).map(|k| edges[k]).collect();
                // in a saddle the mean of the corners says which crossings hang together
                let is_turned = (corners.iter().sum::<f64>() / 4.0 < level) == (corners[0] < level);
                let pairs: Vec<[usize; 2]> = match crossed[..] {
                    [a, b] => vec![[a, b]],
                    [a, b, c, d] if is_turned => vec![[a, b], [c, d]],
                    [a, b, c, d] => vec![[d, a], [b, c]],
                    _ => Vec::new(),
                };
                for [a, b] in pairs {
                    ends.entry(a).or_default().push(b);
                    ends.entry(b).or_default().push(a);
                }
            }
        }
        let point = |edge: usize| {
            let (is_upright, k) = (edge >= nx * ny, edge % (nx * ny));
            let (i, j) = (k % nx, k / nx);
            let [a, b] = [z(i, j), if is_upright { z(i, j + 1) } else { z(i + 1, j) }];
            let u = (level - a) / (b - a);
            if is_upright {
                [self.x[i], self.y[j] + u * (self.y[j + 1] - self.y[j])]
            } else {
                [self.x[i] + u * (self.x[i + 1] - self.x[i]), self.y[j]]
            }
        };
        // lines that end at a border first, closed ones then
        let mut starts: Vec<usize> =
            ends.iter().filter(|(_, next)| next.len() == 1).map(|(edge, _)| *edge).collect();
        starts.extend(ends.keys());
        for start in starts {
            let mut edge = start;
            let mut is_first = true;
            while let Some(next) = ends.get_mut(&edge).and_then(Vec::pop) {
                if is_first {
                    let [x, y] = point(edge);
                    series.x.extend([f64::NAN, x]);
                    series.y.extend([f64::NAN, y]);
                    is_first = false;
                }
                if let Some(back) = ends.get_mut(&next)
                    && let Some(k) = back.iter().position(|to| *to == edge)
                {
                    back.swap_remove(k);
                }
                let [x, y] = point(next);
                series.x.push(x);
                series.y.push(y);
                edge = next;
            }
        }
        series
    }
}

/// The cells between two ends on the page, each with the number of its centre and its own ends: as they are if there are few, else
/// as many of one width as can be distinguished.
fn bins(centres: &[f64], [a, b]: [f64; 2]) -> Vec<(usize, [f64; 2])> {
    let n = centres.len();
    let (lo, hi) = (a.min(b), a.max(b));
    if n <= CELLS {
        let edge = |k: usize| match k {
            0 => a,
            k if k == n => b,
            k => (0.5 * (centres[k - 1] + centres[k])).clamp(lo, hi),
        };
        return (0..n).map(|k| (k, [edge(k), edge(k + 1)])).collect();
    }
    let mut nearest = 0;
    let mut bins = Vec::with_capacity(CELLS);
    for k in 0..CELLS {
        let ends = [k, k + 1].map(|k| a + (b - a) * k as f64 / CELLS as f64);
        let middle = 0.5 * (ends[0] + ends[1]);
        while nearest + 1 < n && (centres[nearest + 1] - middle).abs() <= (centres[nearest] - middle).abs() {
            nearest += 1;
        }
        bins.push((nearest, ends));
    }
    bins
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paraboloid(n: usize) -> HeatMap {
        let x: Vec<f64> = (0..n).map(|i| -1.0 + 2.0 * i as f64 / (n - 1) as f64).collect();
        let z = x.iter().flat_map(|y| x.iter().map(move |x| x * x + y * y)).collect();
        HeatMap { x: x.clone(), y: x, z, ..HeatMap::default() }
    }

    /// A circle, closed and within the error of linear interpolation, a quarter of the square of a cell at most.
    #[test]
    fn the_contour_of_a_paraboloid_is_a_circle() {
        let map = paraboloid(41);
        let contour = map.contour(0.5);
        let points: Vec<[f64; 2]> = contour.x.iter().zip(&contour.y).skip(1).map(|(x, y)| [*x, *y]).collect();
        assert!(points.len() > 50 && points.iter().all(|p| p[0].is_finite()), "one line");
        assert_eq!(points.first(), points.last(), "it is closed");
        let cell = 2.0 / 40.0;
        for [x, y] in points {
            assert!((x * x + y * y - 0.5f64).abs() <= 0.25 * cell * cell + 1e-12, "{x}, {y}");
        }
    }

    #[test]
    fn a_contour_that_leaves_the_grid_is_open_and_one_that_does_not_exist_is_empty() {
        let map = paraboloid(21);
        assert_eq!(map.contour(1.5).x.iter().filter(|x| x.is_nan()).count(), 4, "four corners");
        assert!(map.contour(-1.0).x.is_empty() && map.contour(3.0).x.is_empty());
    }

    #[test]
    fn many_cells_are_thinned_to_the_nearest() {
        let centres: Vec<f64> = (0..1000).map(f64::from).collect();
        let bins = bins(&centres, [0.0, 999.0]);
        assert_eq!(bins.len(), CELLS);
        assert!(bins.iter().all(|(k, [a, b])| (0.5 * (a + b) - *k as f64).abs() <= 0.5 + 1e-9));
        let few = super::bins(&[0.0, 1.0, 3.0], [0.0, 3.0]);
        assert_eq!(few, [(0, [0.0, 0.5]), (1, [0.5, 2.0]), (2, [2.0, 3.0])]);
    }

    #[test]
    fn colours_run_from_dark_to_light() {
        assert_eq!([0.0, 1.0].map(color), ["#440154", "#fde725"]);
    }
}
