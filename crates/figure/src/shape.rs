//! A series on the page: mapped to points, clipped to the box, simplified.

use super::axis::Map;
use super::clip::{self, ClipBox};
use super::cover::{Cover, uncovered};
use super::simplify::simplified;
use super::{Dash, Line, Marker, Series};

/// Largest distance between a curve and its drawing (pt): a fifth of a pixel at 300 dpi.
pub(crate) const ERROR: f64 = 0.05;
/// Curves with fewer points are drawn as they are.
const SHORT: usize = 500;
/// Coordinates far outside the box are brought to this distance, so that they stay finite (pt).
const FAR: f64 = 1e9;

/// The axes box on the page and the maps of its axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Frame {
    pub(crate) x: Map,
    pub(crate) y: Map,
    /// Left, top, width, height (pt).
    pub(crate) area: [f64; 4],
}

impl Frame {
    /// A point in data units on the page; NaN if it cannot be shown.
    pub(crate) fn at(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let [left, top, width, height] = self.area;
        let far = |v: f64| v.clamp(-FAR, FAR);
        [far(left + width * self.x.fraction(x)), far(top + height * (1.0 - self.y.fraction(y)))]
    }

    pub(crate) fn bounds(&self) -> ClipBox {
        let [left, top, width, height] = self.area;
        [left, top, left + width, top + height]
    }

    fn points(&self, series: &Series) -> impl Iterator<Item = [f64; 2]> {
        series.x.iter().zip(&series.y).map(|(&x, &y)| self.at([x, y]))
    }

    /// The curve through the points of a series, for a stroke.
    pub(crate) fn curve(&self, series: &Series, line: Line, i: usize) -> Vec<Vec<[f64; 2]>> {
        let mut parts: Vec<_> = clip::polyline(self.points(series), self.bounds())
            .iter()
            .map(|part| simplified(part, ERROR))
            .collect();
        let is_dashed = line.dash != Dash::Solid && !line.dash.pattern(i).is_empty();
        // a dashed curve that retraces itself would fill its own gaps
        if is_dashed || parts.iter().map(Vec::len).sum::<usize>() > SHORT {
            // a break in a dashed line restarts its pattern: only long runs are worth it
            let run = if is_dashed { 30.0 } else { 2.0 };
            // laps beside each other within a stroke fill the gaps as well
            let halo = if is_dashed { line.width } else { 0.0 };
            let mut cover = Cover::new(self.bounds(), line.width.max(0.1)).with_halo(halo);
            parts = parts.iter().flat_map(|part| uncovered(part, &mut cover, run)).collect();
        }
        parts
    }

    /// The closed polygons of a series.
    pub(crate) fn polygons(&self, series: &Series) -> Vec<Vec<[f64; 2]>> {
        let points: Vec<[f64; 2]> = self.points(series).collect();
        points
            .split(|p| !(p[0].is_finite() && p[1].is_finite()))
            .map(|ring| simplified(&clip::polygon(ring, self.bounds()), ERROR))
            .filter(|ring| ring.len() > 2)
            .collect()
    }

    /// The points of a series inside the box, without those that lie under others.
    pub(crate) fn marks(&self, series: &Series, marker: Marker) -> Vec<[f64; 2]> {
        let [left, top, right, bottom] = self.bounds();
        let is_inside = |p: &[f64; 2]| left <= p[0] && p[0] <= right && top <= p[1] && p[1] <= bottom;
        let mut marks: Vec<_> = self.points(series).filter(is_inside).collect();
        if marks.len() > SHORT {
            // open markers hide each other only where they coincide
            let width = if marker.filled { marker.size } else { 0.3 };
            let mut cover = Cover::new(self.bounds(), width.max(0.1));
            marks.retain(|&p| {
                let is_new = !cover.has(p, p);
                cover.ink(p, p);
                is_new
            });
        }
        marks
    }

    /// Lines and points that a legend must not hide.
    pub(crate) fn obstacles(&self, series: &[Series]) -> Vec<Vec<[f64; 2]>> {
        const COARSE: f64 = 0.5; // pt
        let mut lines = Vec::new();
        for s in series {
            if s.line.is_some() && s.fill.is_none() {
                let parts = clip::polyline(self.points(s), self.bounds());
                lines.extend(parts.iter().map(|part| simplified(part, COARSE)));
            }
            if s.fill.is_some() {
                for mut ring in self.polygons(s) {
                    ring.extend(ring.first().copied());
                    lines.push(ring);
                }
            }
            if let Some(marker) = s.marker {
                lines.extend(self.marks(s, marker).into_iter().map(|p| vec![p, p]));
            }
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Scale;

    fn frame() -> Frame {
        let unit = Map { scale: Scale::Linear, range: [-1.0, 1.0] };
        Frame { x: unit, y: unit, area: [30.0, 10.0, 200.0, 150.0] }
    }

    #[test]
    fn a_dashed_curve_that_retraces_itself_is_drawn_once() {
        let circle = |laps: f64| {
            let n = 60.0 * laps;
            let angle = |i: i32| std::f64::consts::TAU * laps * f64::from(i) / n;
            // every lap is a little broader
            let radius = |i: i32| 0.8 + 1e-3 * f64::from(i) / 60.0;
            let at = |i: i32| (radius(i) * libm::cos(angle(i)), radius(i) * libm::sin(angle(i)));
            let (x, y) = (0..=n as i32).map(at).unzip();
            Series::line("", x, y)
        };
        let length = |laps: f64, dash: Dash| -> f64 {
            let parts = frame().curve(&circle(laps), Line { width: 0.9, dash }, 0);
            let way = |p: &[[f64; 2]]| libm::hypot(p[1][0] - p[0][0], p[1][1] - p[0][1]);
            parts.iter().flat_map(|part| part.windows(2)).map(way).sum()
        };
        let once = length(1.0, Dash::Solid);
        for dash in [Dash::Dashed, Dash::Dotted, Dash::DashDot] {
            assert!((length(1.0, dash) / once - 1.0).abs() < 0.02, "{dash:?}");
            assert!((length(3.0, dash) / once - 1.0).abs() < 0.05, "{dash:?}: {}", length(3.0, dash) / once);
        }
    }

    /// Curves of 10⁵ points: dense oscillation, winding phase portrait, slowly filling spiral, noise.
    fn long() -> Vec<Series> {
        let n = 100_000;
        let t = |i: i32| f64::from(i) / f64::from(n);
        let line = |f: &dyn Fn(f64) -> [f64; 2]| {
            let points: Vec<_> = (0..n).map(|i| f(t(i))).collect();
            Series::line("", points.iter().map(|p| p[0]).collect(), points.iter().map(|p| p[1]).collect())
        };
        let (sin, cos) = (libm::sin, libm::cos);
        let chaos = |s: f64| {
            let v = sin(s * 12345.6) * 43758.5453;
            2.0 * (v - v.floor()) - 1.0
        };
        vec![
            line(&|s| [2.0 * s - 1.0, sin(9000.0 * s)]),
            line(&|s| [cos(3000.0 * s), sin(3000.0 * s) * (1.0 + 0.1 * sin(9000.0 * s))]),
            line(&|s| [s * cos(2000.0 * s), s * sin(2000.0 * s)]),
            line(&|s| [2.0 * s - 1.0, chaos(s)]),
            line(&|s| [chaos(s), chaos(s + 7.0)]),
        ]
    }

    #[test]
    fn long_curves_are_drawn_with_few_points_and_nothing_visible_is_lost() {
        for (k, series) in long().iter().enumerate() {
            let line = Line { width: 0.9, dash: Dash::Solid };
            let parts = frame().curve(series, line, 0);
            let count: usize = parts.iter().map(Vec::len).sum();
            // at some 9 bytes each
            assert!(9 * count < 150_000, "curve {k}: {count} points");
            // ink what is drawn: no point of the curve is farther from ink than a cell
            let cell = 0.9 / 4.0;
            let mut cover = Cover::new(frame().bounds(), 0.9 + 2.0 * (ERROR + cell));
            for part in &parts {
                for pair in part.windows(2) {
                    cover.ink(pair[0], pair[1]);
                }
            }
            let [left, top, right, bottom] = frame().bounds();
            let is_inside = |p: &[f64; 2]| left <= p[0] && p[0] <= right && top <= p[1] && p[1] <= bottom;
            for p in frame().points(series).filter(is_inside) {
                assert!(cover.is_inked(p), "curve {k}: {p:?} is bare");
            }
        }
    }
}
