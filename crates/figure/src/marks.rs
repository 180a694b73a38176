//! Markers at points.

use super::svg::{Canvas, PathData, number};
use super::{Marker, MarkerShape};

/// Stroke of open markers and of those made of lines (pt).
const STROKE: f64 = 0.7;

/// Draws a marker at each point, for the series number `i`.
pub(crate) fn draw(canvas: &mut Canvas, points: &[[f64; 2]], marker: Marker, color: &str, i: usize) {
    let size = if marker.size.is_finite() { marker.size.clamp(0.1, 100.0) } else { Marker::default().size };
    let shape = marker.shape.resolve(i);
    let mut path = PathData::default();
    for &p in points {
        outline(&mut path, p, shape, size, marker.filled);
    }
    let attributes = match (shape, marker.filled) {
        // a dot is a stroke without length and with round ends
        (MarkerShape::Circle, true) => {
            format!(
                "fill=\"none\" stroke=\"{color}\" stroke-width=\"{}\" stroke-linecap=\"round\"",
                number(size)
            )
        }
        (MarkerShape::Cross | MarkerShape::Plus, _) => {
            format!("fill=\"none\" stroke=\"{color}\" stroke-width=\"{STROKE}\"")
        }
        (_, true) => format!("fill=\"{color}\""),
        (_, false) => format!("fill=\"#fff\" stroke=\"{color}\" stroke-width=\"{STROKE}\""),
    };
    canvas.path(&path, &attributes);
}

fn outline(path: &mut PathData, [x, y]: [f64; 2], shape: MarkerShape, size: f64, is_filled: bool) {
    let r = 0.5 * size;
    // corners in units of the radius, such that all shapes look equally large
    let mut corners = |unit: &[[f64; 2]]| {
        let points: Vec<_> = unit.iter().map(|u| [x + r * u[0], y + r * u[1]]).collect();
        path.polygon(&points);
    };
    match shape {
        MarkerShape::Square => corners(&[[-0.9, -0.9], [0.9, -0.9], [0.9, 0.9], [-0.9, 0.9]]),
        MarkerShape::Triangle => corners(&[[0.0, -1.25], [1.1, 0.75], [-1.1, 0.75]]),
        MarkerShape::Diamond => corners(&[[0.0, -1.3], [1.15, 0.0], [0.0, 1.3], [-1.15, 0.0]]),
        MarkerShape::Cross => {
            path.polyline(&[[x - r, y - r], [x + r, y + r]]);
            path.polyline(&[[x - r, y + r], [x + r, y - r]]);
        }
        MarkerShape::Plus => {
            path.polyline(&[[x - 1.2 * r, y], [x + 1.2 * r, y]]);
            path.polyline(&[[x, y - 1.2 * r], [x, y + 1.2 * r]]);
        }
        MarkerShape::Auto | MarkerShape::Circle if is_filled => path.dot([x, y]),
        MarkerShape::Auto | MarkerShape::Circle => path.circle([x, y], r),
    }
}
