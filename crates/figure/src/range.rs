//! The part of an axis that the data need.

use super::{Across, Panel, Scale};

/// Values beyond this count as infinite: sums and differences of the others cannot overflow.
pub(crate) const HUGE: f64 = 1e300;
/// Two values that differ by less, relative to their size, count as equal: the difference is rounding.
const EQUAL: f64 = 1e-12;
/// Free space beside the data, relative to their span (-).
const MARGIN: f64 = 0.05;

/// Whether a value can be shown on a scale.
pub(crate) fn is_shown(v: f64, scale: Scale) -> bool {
    v.abs() <= HUGE && (scale == Scale::Linear || v >= 1.0 / HUGE)
}

/// The ranges of x and y of a panel.
pub(crate) fn of(panel: &Panel) -> [[f64; 2]; 2] {
    let (x, y) = (&panel.x, &panel.y);
    let points =
        || panel.series.iter().flat_map(|s| s.x.iter().zip(&s.y)).map(|(&x, &y)| [x, y]).chain(extras(panel));
    let shown = |p: &[f64; 2]| is_shown(p[0], x.scale) && is_shown(p[1], y.scale);
    let x_given = given(x.range, x.scale);
    let x_range = x_given.unwrap_or_else(|| {
        let rules = panel.rules.iter().filter_map(|r| if let Across::X(v) = r.at { Some(v) } else { None });
        let values = points().filter(shown).map(|p| p[0]).chain(rules.filter(|&v| is_shown(v, x.scale)));
        let margin = if is_function(panel) { 0.0 } else { MARGIN };
        let range = padded(extent(values), x.scale, margin);
        if margin > 0.0 { snapped(range, x.scale) } else { range }
    });
    let y_range = given(y.range, y.scale).unwrap_or_else(|| {
        // a given x range zooms: y follows what is visible
        let visible = |p: &[f64; 2]| x_given.is_none_or(|[lo, hi]| lo <= p[0] && p[0] <= hi);
        let mut data = extent(points().filter(shown).filter(visible).map(|p| p[1]));
        if data.is_none() {
            data = extent(points().filter(shown).map(|p| p[1]));
        }
        let rules = panel.rules.iter().filter_map(|r| if let Across::Y(v) = r.at { Some(v) } else { None });
        let values = data.into_iter().flatten().chain(rules.filter(|&v| is_shown(v, y.scale)));
        snapped(padded(extent(values), y.scale, MARGIN), y.scale)
    });
    [x_range, y_range]
}

/// Points that are not of a series: the ends of the arrows.
fn extras(panel: &Panel) -> impl Iterator<Item = [f64; 2]> {
    panel.arrows.iter().flat_map(|arrow| [arrow.from, arrow.to])
}

/// Curves over a growing x, which may touch the sides of the box.
fn is_function(panel: &Panel) -> bool {
    let mut curves = panel.series.iter().filter(|s| s.fill.is_none()).peekable();
    !panel.equal_aspect
        && curves.peek().is_some()
        && curves.all(|s| {
            let x = s.x.iter().filter(|v| v.is_finite());
            s.marker.is_none() && x.clone().zip(x.skip(1)).all(|(a, b)| a <= b)
        })
}

/// The given range, in order, if it can be shown.
pub(crate) fn given(range: Option<[f64; 2]>, scale: Scale) -> Option<[f64; 2]> {
    let [a, b] = range?;
    let (lo, hi) = (a.min(b), a.max(b));
    (is_shown(lo, scale) && is_shown(hi, scale) && !is_point(lo, hi)).then_some([lo, hi])
}

/// Smallest and largest.
pub(crate) fn extent(values: impl Iterator<Item = f64>) -> Option<[f64; 2]> {
    values.fold(None, |range, v| match range {
        None => Some([v, v]),
        Some([lo, hi]) => Some([lo.min(v), hi.max(v)]),
    })
}

fn is_point(lo: f64, hi: f64) -> bool {
    hi - lo <= EQUAL * lo.abs().max(hi.abs()) || hi - lo < 1.0 / HUGE
}

/// A range with a margin; something around a single value, and something around nothing.
pub(crate) fn padded(range: Option<[f64; 2]>, scale: Scale, margin: f64) -> [f64; 2] {
    match (range, scale) {
        (None, Scale::Linear) => [0.0, 1.0],
        (None, Scale::Log) => [0.1, 10.0],
        (Some([lo, hi]), Scale::Linear) if is_point(lo, hi) => {
            let size = lo.abs().max(hi.abs());
            let half = if size < 1.0 / HUGE { 1.0 } else { 0.1 * size };
            [lo - half, hi + half]
        }
        (Some([lo, hi]), Scale::Linear) => [lo - margin * (hi - lo), hi + margin * (hi - lo)],
        (Some([lo, hi]), Scale::Log) if is_point(lo, hi) => [lo / 4.0, 4.0 * hi],
        (Some([lo, hi]), Scale::Log) => {
            let factor = libm::pow(hi / lo, margin);
            // hi/lo may overflow
            if factor.is_finite() { [lo / factor, hi * factor] } else { [lo, hi] }
        }
    }
}

/// A range whose ends are moved to ticks where these are near.
fn snapped([lo, hi]: [f64; 2], scale: Scale) -> [f64; 2] {
    const NEAR: f64 = 0.05; // of the span
    let (a, b) = match scale {
        Scale::Linear => (lo, hi),
        Scale::Log => (libm::log10(lo), libm::log10(hi)),
    };
    let step = match scale {
        Scale::Linear => super::ticks::step(a, b, 5),
        Scale::Log => 1.0,
    };
    let (down, up) = ((a / step).floor() * step, (b / step).ceil() * step);
    let is_near = |d: f64| d <= NEAR * (b - a);
    let end = |v: f64| if scale == Scale::Log { libm::pow(10.0, v) } else { v };
    [if is_near(a - down) { end(down) } else { lo }, if is_near(up - b) { end(up) } else { hi }]
}

/// Both ranges widened until one unit has the same length on the axes of a box.
pub(crate) fn equalised([x, y]: [[f64; 2]; 2], [width, height]: [f64; 2]) -> [[f64; 2]; 2] {
    let per_point = ((x[1] - x[0]) / width).max((y[1] - y[0]) / height);
    let widened = |[lo, hi]: [f64; 2], length: f64| {
        let half = 0.5 * per_point * length;
        let middle = 0.5 * (lo + hi);
        [middle - half, middle + half]
    };
    [widened(x, width), widened(y, height)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Series;

    #[test]
    fn a_zoomed_panel_shows_what_is_visible() {
        let x: Vec<f64> = (0..=100).map(f64::from).collect();
        let mut panel = Panel { series: vec![Series::line("", x.clone(), x)], ..Panel::default() };
        panel.x.range = Some([10.0, 20.0]);
        let [x, y] = of(&panel);
        assert_eq!(x, [10.0, 20.0]);
        // 9.5 … 20.5 with the margin; the next tick above is too far
        assert_eq!(y, [9.5, 20.5]);
    }

    #[test]
    fn every_input_gives_a_range_with_a_finite_positive_span() {
        let lists =
            [vec![], vec![f64::NAN], vec![3.0; 5], vec![0.0], vec![1e300, -1e300], vec![1e-310, 2e-310]];
        let more =
            [vec![1.0, 1.0 + 1e-15], vec![f64::INFINITY, 1.0], vec![-1e9, -1e9 - 1.0], vec![1e-300, 1e300]];
        for list in lists.into_iter().chain(more) {
            for scale in [Scale::Linear, Scale::Log] {
                let mut panel =
                    Panel { series: vec![Series::line("", list.clone(), list.clone())], ..Panel::default() };
                panel.x.scale = scale;
                panel.y.scale = scale;
                for [lo, hi] in of(&panel) {
                    assert!((hi - lo).is_finite() && hi > lo, "{list:?}: {lo} … {hi}");
                    assert!(scale == Scale::Linear || lo > 0.0, "{list:?}: {lo} … {hi}");
                }
            }
        }
    }

    #[test]
    fn equal_aspect_keeps_the_data_and_equalises_the_units() {
        let [x, y] = equalised([[0.0, 10.0], [0.0, 1.0]], [100.0, 50.0]);
        assert_eq!(x, [0.0, 10.0]);
        assert_eq!(y, [-2.0, 3.0]);
    }
}
