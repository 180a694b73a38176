//! Fewer points for the same line: greedy sleeve fitting (@zhao1997).
//!
//! From an anchor a the line goes on to p as long as the ray from a through p meets the disc of radius ε around every
//! point passed, and p is not nearer to a than the farthest of them by more than ε. The allowed rays form a sector
//! that every point narrows; the work is one pass. A point passed is at most √2 ε from the segment: ε beside the ray,
//! and ε beyond its end.

use std::f64::consts::FRAC_1_SQRT_2;

/// The line through some of the points such that none is farther from it than `error`; both ends stay.
pub(crate) fn simplified(points: &[[f64; 2]], error: f64) -> Vec<[f64; 2]> {
    let eps = error * FRAC_1_SQRT_2;
    let Some((&first, rest)) = points.split_first() else { return Vec::new() };
    let mut kept = vec![first];
    let (mut anchor, mut last) = (first, first);
    let mut sector: Option<[[f64; 2]; 2]> = None;
    let mut farthest = 0.0_f64;
    for &p in rest {
        let v = [p[0] - anchor[0], p[1] - anchor[1]];
        let d = libm::hypot(v[0], v[1]);
        let on_ray = sector.is_none_or(|[right, left]| cross(right, v) >= 0.0 && cross(v, left) >= 0.0);
        if on_ray && d + eps >= farthest {
            farthest = farthest.max(d);
            sector = narrowed(sector, v, d, eps);
        } else {
            kept.push(last);
            anchor = last;
            let v = [p[0] - anchor[0], p[1] - anchor[1]];
            farthest = libm::hypot(v[0], v[1]);
            sector = narrowed(None, v, farthest, eps);
        }
        last = p;
    }
    if points.len() > 1 {
        kept.push(last);
    }
    kept
}

/// The rays of a sector that also meet the disc around `v`, which is at distance `d`.
fn narrowed(sector: Option<[[f64; 2]; 2]>, v: [f64; 2], d: f64, eps: f64) -> Option<[[f64; 2]; 2]> {
    if d <= eps {
        return sector;
    }
    // tangents from the anchor to the disc
    let (sin, cos) = (eps / d, (1.0 - (eps / d) * (eps / d)).sqrt());
    let mut right = [v[0] * cos + v[1] * sin, v[1] * cos - v[0] * sin];
    let mut left = [v[0] * cos - v[1] * sin, v[1] * cos + v[0] * sin];
    if let Some([r, l]) = sector {
        right = if cross(r, right) > 0.0 { right } else { r };
        left = if cross(l, left) < 0.0 { left } else { l };
    }
    Some([right, left])
}

fn cross(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(in super::super) fn distance(p: [f64; 2], a: [f64; 2], b: [f64; 2]) -> f64 {
        let (d, v) = ([b[0] - a[0], b[1] - a[1]], [p[0] - a[0], p[1] - a[1]]);
        let length = d[0] * d[0] + d[1] * d[1];
        let s = if length > 0.0 { ((v[0] * d[0] + v[1] * d[1]) / length).clamp(0.0, 1.0) } else { 0.0 };
        (v[0] - s * d[0]).hypot(v[1] - s * d[1])
    }

    /// Random walks, circles, reversals on a line and noise smaller than the error.
    fn curves() -> Vec<Vec<[f64; 2]>> {
        let mut seed = 1_u64;
        let mut random = move || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
        };
        let mut walk = |step: f64| {
            let mut p = [0.0, 0.0];
            (0..2000)
                .map(|_| {
                    p = [p[0] + step * random(), p[1] + step * random()];
                    p
                })
                .collect::<Vec<_>>()
        };
        let walks = [walk(0.01), walk(0.1), walk(3.0)];
        let circle =
            (0..5000).map(|i| [40.0 * libm::cos(0.01 * f64::from(i)), 40.0 * libm::sin(0.01 * f64::from(i))]);
        let reversing = (0..5000).map(|i| [30.0 * libm::sin(0.013 * f64::from(i)), 0.0]);
        let fan = (0..100).map(|i| [if i % 2 == 0 { 0.0 } else { f64::from(i) }, f64::from(i)]);
        walks.into_iter().chain([circle.collect(), reversing.collect(), fan.collect()]).collect()
    }

    #[test]
    fn no_point_is_farther_from_the_line_than_the_error() {
        const ROUNDING: f64 = 1e-9;
        for (i, points) in curves().into_iter().enumerate() {
            for error in [0.01, 0.05, 0.5] {
                let line = simplified(&points, error);
                // the kept points are points of the curve in their order; each is compared with its own segment
                let mut k = 0;
                for &p in &points {
                    while k + 1 < line.len() && p == line[k + 1] {
                        k += 1;
                    }
                    let near = [k.saturating_sub(1), k]
                        .into_iter()
                        .filter(|&j| j + 1 < line.len())
                        .map(|j| distance(p, line[j], line[j + 1]))
                        .fold(f64::INFINITY, f64::min);
                    assert!(near <= error + ROUNDING, "curve {i}, error {error}: {near}");
                }
                assert_eq!(k, line.len() - 1, "curve {i}: a kept point is not of the curve");
            }
        }
    }

    #[test]
    fn a_straight_line_needs_two_points_and_a_circle_few() {
        let straight: Vec<_> = (0..1000).map(|i| [f64::from(i), 2.0 * f64::from(i)]).collect();
        assert_eq!(simplified(&straight, 0.05).len(), 2);
        // a chord of a circle of radius r with sagitta e spans 2 acos(1 − e/r): 63 chords for one turn here
        let circle: Vec<_> = (0..=6283)
            .map(|i| [40.0 * libm::cos(0.001 * f64::from(i)), 40.0 * libm::sin(0.001 * f64::from(i))])
            .collect();
        assert!(simplified(&circle, 0.05).len() < 2 * 63);
    }

    #[test]
    fn short_input_is_kept() {
        assert!(simplified(&[], 1.0).is_empty());
        assert_eq!(simplified(&[[1.0, 2.0]], 1.0), vec![[1.0, 2.0]]);
        assert_eq!(simplified(&[[1.0, 2.0], [1.0, 2.0]], 1.0).len(), 2);
    }
}
