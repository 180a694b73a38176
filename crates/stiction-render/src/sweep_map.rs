//! Rows of a sweep as pictures: heat map with contours or regimes, line cuts, histogram.

use crate::summary::short;
use figure::{
    Axis, AxisSide, Color, Dash, Figure, HeatMap, Legend, Marker, MarkerShape, Note, Panel, Series, viridis,
};

/// Values that are few enough to have a colour each.
const REGIMES: usize = 12;
/// Contours of a map, about.
const CONTOURS: f64 = 7.0;
/// Points of a contour that is long enough for a number.
const LABELLED: usize = 6;
/// Distance of a number from the border and from others, in parts of the box.
const ROOM: f64 = 0.06;
/// Classes of a quantity that points are coloured by.
const CLASSES: usize = 6;
/// Curves of one picture at most.
const CURVES: usize = 8;

/// A quantity: its name, unit and values.
#[derive(Clone, Debug, PartialEq)]
pub struct MapQuantity {
    /// Letter or name.
    pub label: String,
    /// SI unit, `-` for a pure number.
    pub unit: String,
    /// Whether it is shown by its logarithm.
    pub is_log: bool,
    /// The values.
    pub values: Vec<f64>,
}

impl MapQuantity {
    fn axis(&self) -> Axis {
        let unit = if self.unit == "-" { "" } else { &self.unit };
        let axis = Axis::new(self.label.clone(), unit);
        if self.is_log { axis.log() } else { axis }
    }

    /// The axis from the first to the last of its ascending values.
    fn spanning(&self) -> Axis {
        match self.values[..] {
            [first, .., last] => self.axis().range(first, last),
            _ => self.axis(),
        }
    }
}

/// A heat map of `z` over `x` and `y`, which ascend; `z` has a row for each value of `y`. Whole numbers of which there are few, such
/// as numbers of stops, have a colour each and lines between them; others have contours.
pub fn heat_map(title: &str, x: &MapQuantity, y: &MapQuantity, z: &MapQuantity) -> Figure {
    let mut distinct: Vec<f64> = z.values.iter().copied().filter(|z| z.is_finite()).collect();
    distinct.sort_by(f64::total_cmp);
    distinct.dedup();
    let is_discrete = distinct.len() <= REGIMES && distinct.iter().all(|z| z.fract() == 0.0);
    let heat = HeatMap {
        x: x.values.clone(),
        y: y.values.clone(),
        z: z.values.clone(),
        axis: z.axis(),
        is_discrete,
    };
    let levels: Vec<f64> = if is_discrete {
        distinct.windows(2).map(|pair| 0.5 * (pair[0] + pair[1])).collect()
    } else {
        distinct.first().zip(distinct.last()).map_or_else(Vec::new, |(lo, hi)| levels(*lo, *hi))
    };
    let width = if is_discrete { 0.8 } else { 0.35 };
    let contour = |level: &f64| heat.contour(*level).with_line(width, Dash::Solid).color(Color::Black);
    let series: Vec<Series> = levels.iter().map(contour).collect();
    let notes = if is_discrete { Vec::new() } else { labels(x, y, &levels, &series) };
    let panel = Panel {
        x: x.spanning(),
        y: y.spanning(),
        series,
        notes,
        heat: Some(heat),
        legend: Legend::None,
        ..Panel::default()
    };
    Figure { title: title.into(), ratio: 0.8, panels: vec![panel], ..Figure::default() }
}

/// The number of each contour on its longest line, at the place that is farthest from other numbers and from the border.
fn labels(x: &MapQuantity, y: &MapQuantity, levels: &[f64], contours: &[Series]) -> Vec<Note> {
    let place = |axis: &MapQuantity, v: f64| {
        let ends = axis.values.first().zip(axis.values.last());
        let shown = |v: f64| if axis.is_log { v.abs().log10() } else { v };
        ends.map_or(0.5, |(a, b)| (shown(v) - shown(*a)) / (shown(*b) - shown(*a)))
    };
    let mut taken: Vec<[f64; 2]> = Vec::new();
    let mut notes = Vec::new();
    for (level, contour) in levels.iter().zip(contours) {
        let points: Vec<[f64; 2]> =
            contour.x.iter().copied().zip(contour.y.iter().copied()).map(|(x, y)| [x, y]).collect();
        let lines = points.split(|point| point[0].is_nan());
        let Some(line) = lines.max_by_key(|line| line.len()).filter(|line| line.len() >= LABELLED) else {
            continue;
        };
        let room = |at: &&[f64; 2]| {
            let [u, v] = [place(x, at[0]), place(y, at[1])];
            let border = u.min(1.0 - u).min(v).min(1.0 - v);
            taken.iter().map(|[a, b]| (u - a).hypot(v - b)).fold(border, f64::min)
        };
        let Some(at) = line.iter().max_by(|a, b| room(a).total_cmp(&room(b))) else { continue };
        if room(&at) > ROOM {
            taken.push([place(x, at[0]), place(y, at[1])]);
            // what rounding has left behind the digits that distinguish levels
            let text = format!("{}", (level * 1e9).round() / 1e9);
            notes.push(Note { text, at: *at, side: AxisSide::Center });
        }
    }
    notes
}

/// Round values between two ends.
fn levels(lo: f64, hi: f64) -> Vec<f64> {
    let rough = (hi - lo) / CONTOURS;
    if !(rough > 0.0 && rough.is_finite()) {
        return Vec::new();
    }
    let decade = 10f64.powf(rough.log10().floor());
    let step =
        [1.0, 2.0, 5.0, 10.0].map(|k| k * decade).into_iter().find(|step| *step >= rough).unwrap_or(rough);
    let first = (lo / step).floor() as i64 + 1;
    (first..).map(|k| k as f64 * step).take_while(|level| *level < hi).collect()
}

/// Curves of `z` over `x`, one for each name.
pub fn cuts(title: &str, x: &MapQuantity, z: &MapQuantity, curves: &[(String, Vec<f64>)]) -> Figure {
    let curve =
        |(name, values): &(String, Vec<f64>)| Series::line(name.clone(), x.values.clone(), values.clone());
    let series = curves.iter().take(CURVES).map(curve).collect();
    let panel = Panel { x: x.axis(), y: z.axis(), series, ..Panel::default() };
    Figure { title: title.into(), panels: vec![panel], ..Figure::default() }
}

/// `z` over `x` as points, one for each row.
pub fn scatter(title: &str, x: &MapQuantity, z: &MapQuantity) -> Figure {
    let mut points = Series::points("", x.values.clone(), z.values.clone());
    points.marker = Some(Marker { shape: MarkerShape::Circle, size: 1.6, ..Marker::default() });
    let panel = Panel { x: x.axis(), y: z.axis(), series: vec![points], ..Panel::default() };
    Figure { title: title.into(), panels: vec![panel], ..Figure::default() }
}

/// `y` over `x` as points, one for each row, coloured by `z` in classes: each value of few whole numbers, or equal intervals of others.
pub fn coloured_points(title: &str, x: &MapQuantity, y: &MapQuantity, z: &MapQuantity) -> Figure {
    let mut distinct: Vec<f64> = z.values.iter().copied().filter(|z| z.is_finite()).collect();
    distinct.sort_by(f64::total_cmp);
    distinct.dedup();
    let is_discrete = distinct.len() <= REGIMES && distinct.iter().all(|z| z.fract() == 0.0);
    let (lo, hi) = distinct.first().copied().zip(distinct.last().copied()).unwrap_or((0.0, 1.0));
    let n = if is_discrete { distinct.len().max(1) } else { CLASSES };
    let step = (hi - lo) / n as f64;
    let class = |z: f64| match is_discrete {
        true => distinct.iter().position(|own| *own == z),
        false if !z.is_finite() => None,
        false if step > 0.0 => Some((((z - lo) / step) as usize).min(n - 1)),
        false => Some(0),
    };
    let mut series = Vec::new();
    for k in 0..n {
        let rows: Vec<usize> = (0..z.values.len()).filter(|row| class(z.values[*row]) == Some(k)).collect();
        if rows.is_empty() {
            continue;
        }
        let [from, to] = [k, k + 1].map(|k| short(lo + step * k as f64));
        let value = distinct.get(k).copied().filter(|_| is_discrete);
        let label = value.map_or_else(|| format!("{from} to {to}"), short);
        let unit = if z.unit == "-" { String::new() } else { format!(" {}", z.unit) };
        // the first class says what is coloured
        let label = match series.is_empty() {
            true => format!("{} {label}{unit}", z.label),
            false => format!("{label}{unit}"),
        };
        let pick = |values: &[f64]| rows.iter().map(|row| values[*row]).collect();
        let mut points = Series::points(label, pick(&x.values), pick(&y.values));
        let marker = Marker { shape: MarkerShape::Circle, size: 2.2, ..Marker::default() };
        points.marker = Some(marker);
        let part = if n > 1 { k as f64 / (n - 1) as f64 } else { 0.0 };
        series.push(points.color(viridis(part)));
    }
    let panel = Panel { x: x.axis(), y: y.axis(), series, legend: Legend::Below, ..Panel::default() };
    Figure { title: title.into(), ratio: 0.8, panels: vec![panel], ..Figure::default() }
}

/// How often values of `z` occur: as many bars of equal width as the square root of their number, at most 60.
pub fn histogram(title: &str, z: &MapQuantity) -> Figure {
    let values: Vec<f64> = z.values.iter().copied().filter(|z| z.is_finite()).collect();
    let lo = values.iter().copied().fold(f64::INFINITY, f64::min);
    let hi = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let n = (values.len() as f64).sqrt().clamp(1.0, 60.0) as usize;
    let width = if hi > lo { (hi - lo) / n as f64 } else { 1.0 };
    let mut counts = vec![0usize; n];
    for value in &values {
        counts[(((value - lo) / width) as usize).min(n - 1)] += 1;
    }
    let (mut x, mut y) = (Vec::new(), Vec::new());
    for (k, count) in counts.iter().enumerate() {
        let (a, b) = (lo + width * k as f64, lo + width * (k + 1) as f64);
        x.extend([a, a, b, b, f64::NAN]);
        y.extend([0.0, *count as f64, *count as f64, 0.0, f64::NAN]);
    }
    let series = if values.is_empty() { Vec::new() } else { vec![Series::polygon("", x, y)] };
    let panel = Panel { x: z.axis(), y: Axis::new("points", ""), series, ..Panel::default() };
    Figure { title: title.into(), panels: vec![panel], ..Figure::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quantity(values: Vec<f64>) -> MapQuantity {
        MapQuantity { label: "*z*".into(), unit: "-".into(), is_log: false, values }
    }

    #[test]
    fn whole_numbers_have_boundaries_and_others_round_contours() {
        let (x, y) = (quantity(vec![0.0, 1.0, 2.0]), quantity(vec![0.0, 1.0]));
        let figure = heat_map("", &x, &y, &quantity(vec![0.0, 0.0, 2.0, 0.0, 2.0, 4.0]));
        let panel = &figure.panels[0];
        assert!(panel.heat.as_ref().is_some_and(|heat| heat.is_discrete));
        assert_eq!(panel.series.len(), 2, "between 0 and 2, between 2 and 4");
        assert_eq!(levels(0.03, 1.0), [0.2, 0.4, 0.6000000000000001, 0.8]);
        assert!(levels(1.0, 1.0).is_empty() && levels(f64::NAN, 1.0).is_empty());
    }

    #[test]
    fn contours_say_their_values() {
        let axis = quantity((0..41).map(|k| f64::from(k) / 40.0).collect());
        let z = |j: usize| axis.values.iter().map(move |x| x + 0.3 * j as f64 / 40.0);
        let figure = heat_map("", &axis, &axis, &quantity((0..41).flat_map(z).collect()));
        let panel = &figure.panels[0];
        assert!(panel.notes.len() >= 4, "{:?}", panel.notes);
        for note in &panel.notes {
            let [x, y] = note.at;
            assert!((x + 0.3 * y - note.text.parse::<f64>().unwrap()).abs() < 1e-12, "{note:?}");
        }
    }

    #[test]
    fn a_histogram_counts_every_value_once() {
        let figure =
            histogram("", &quantity((0..1000).map(|i| f64::from(i % 97)).chain([f64::NAN]).collect()));
        let heights: f64 = figure.panels[0].series[0].y.chunks(5).map(|bar| bar[1]).sum();
        assert_eq!(heights, 1000.0);
    }
}
