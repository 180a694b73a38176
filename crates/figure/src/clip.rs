//! Clipping to the axes box: polylines by Liang and Barsky, polygons by Sutherland and Hodgman.

/// Corners of a box: smallest x, smallest y, largest x, largest y (pt).
pub(crate) type ClipBox = [f64; 4];

/// The parts of a polyline inside the box; a point that is not finite breaks the line.
pub(crate) fn polyline(points: impl Iterator<Item = [f64; 2]>, bounds: ClipBox) -> Vec<Vec<[f64; 2]>> {
    let mut parts: Vec<Vec<[f64; 2]>> = Vec::new();
    let mut part: Vec<[f64; 2]> = Vec::new();
    let mut last = None;
    for p in points {
        let Some(a) = last else {
            last = is_finite(p).then_some(p);
            continue;
        };
        let piece = if is_finite(p) { segment(a, p, bounds) } else { None };
        last = is_finite(p).then_some(p);
        match piece {
            Some([q, r]) => {
                if part.last() != Some(&q) {
                    flush(&mut parts, &mut part);
                    part.push(q);
                }
                part.push(r);
            }
            None => flush(&mut parts, &mut part),
        }
    }
    flush(&mut parts, &mut part);
    parts
}

fn flush(parts: &mut Vec<Vec<[f64; 2]>>, part: &mut Vec<[f64; 2]>) {
    if part.len() > 1 {
        parts.push(std::mem::take(part));
    }
    part.clear();
}

fn is_finite(p: [f64; 2]) -> bool {
    p[0].is_finite() && p[1].is_finite()
}

/// The part of a segment inside the box.
pub(crate) fn segment(a: [f64; 2], b: [f64; 2], bounds: ClipBox) -> Option<[[f64; 2]; 2]> {
    let (mut from, mut to) = (0.0_f64, 1.0_f64);
    for i in 0..2 {
        let d = b[i] - a[i];
        for (limit, sign) in [(bounds[i], -1.0), (bounds[i + 2], 1.0)] {
            // inside: sign (a + s d − limit) ≤ 0
            let (speed, room) = (sign * d, sign * (limit - a[i]));
            if speed == 0.0 && room < 0.0 {
                return None;
            } else if speed > 0.0 {
                to = to.min(room / speed);
            } else if speed < 0.0 {
                from = from.max(room / speed);
            }
        }
    }
    let at = |s: f64| [a[0] + s * (b[0] - a[0]), a[1] + s * (b[1] - a[1])];
    // ends inside stay as they are, so that neighbouring pieces join
    let start = if from == 0.0 { a } else { at(from) };
    let end = if to == 1.0 { b } else { at(to) };
    (from <= to).then_some([start, end])
}

/// The part of a polygon inside the box.
pub(crate) fn polygon(ring: &[[f64; 2]], bounds: ClipBox) -> Vec<[f64; 2]> {
    let mut ring = ring.to_vec();
    for (i, limit, sign) in
        [(0, bounds[0], -1.0), (1, bounds[1], -1.0), (0, bounds[2], 1.0), (1, bounds[3], 1.0)]
    {
        let out = |p: &[f64; 2]| sign * (p[i] - limit);
        let mut kept = Vec::with_capacity(ring.len() + 4);
        for (j, q) in ring.iter().enumerate() {
            let p = &ring[(j + ring.len() - 1) % ring.len()];
            let (dp, dq) = (out(p), out(q));
            if (dp > 0.0) != (dq > 0.0) {
                let s = dp / (dp - dq);
                kept.push([p[0] + s * (q[0] - p[0]), p[1] + s * (q[1] - p[1])]);
            }
            if dq <= 0.0 {
                kept.push(*q);
            }
        }
        ring = kept;
    }
    ring
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOX: ClipBox = [0.0, 0.0, 10.0, 5.0];

    #[test]
    fn a_line_that_leaves_and_returns_is_two_parts() {
        let points = [[1.0, 1.0], [5.0, 9.0], [9.0, 1.0], [9.0, 2.0]];
        let parts = polyline(points.into_iter(), BOX);
        let expected = vec![vec![[1.0, 1.0], [3.0, 5.0]], vec![[7.0, 5.0], [9.0, 1.0], [9.0, 2.0]]];
        assert_eq!(parts, expected);
    }

    #[test]
    fn nan_breaks_a_line_and_a_lone_point_is_no_line() {
        let points = [
            [1.0, 1.0],
            [2.0, 1.0],
            [f64::NAN, 1.0],
            [3.0, 1.0],
            [4.0, f64::INFINITY],
            [5.0, 1.0],
            [6.0, 2.0],
        ];
        let parts = polyline(points.into_iter(), BOX);
        assert_eq!(parts, vec![vec![[1.0, 1.0], [2.0, 1.0]], vec![[5.0, 1.0], [6.0, 2.0]]]);
    }

    #[test]
    fn a_polygon_around_the_box_becomes_the_box() {
        let ring = polygon(&[[-1.0, -1.0], [11.0, -1.0], [11.0, 6.0], [-1.0, 6.0]], BOX);
        let area: f64 = (0..ring.len())
            .map(|i| {
                let (p, q) = (ring[i], ring[(i + 1) % ring.len()]);
                0.5 * (p[0] * q[1] - p[1] * q[0])
            })
            .sum();
        assert_eq!(area, 50.0);
        assert!(polygon(&[[20.0, 1.0], [21.0, 1.0], [20.0, 2.0]], BOX).is_empty());
    }
}
