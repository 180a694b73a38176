//! Friction of a patch by brute force: adaptive Gauss–Kronrod quadrature of Coulomb's law over the area.
//!
//! Shares nothing with the closed forms: polar coordinates about the middle of a disc, scan lines across a
//! polygon, cut at the centre of rotation, where the direction of sliding jumps.

#![allow(dead_code)]

use stiction::patch::{Twist, Wrench};

const NODES: [f64; 11] = [
    0.995_657_163_025_808_1,
    0.973_906_528_517_171_7,
    0.930_157_491_355_708_2,
    0.865_063_366_688_984_5,
    0.780_817_726_586_416_9,
    0.679_409_568_299_024_4,
    0.562_757_134_668_604_7,
    0.433_395_394_129_247_2,
    0.294_392_862_701_460_2,
    0.148_874_338_981_631_22,
    0.0,
];
const KRONROD: [f64; 11] = [
    0.011_694_638_867_371_874,
    0.032_558_162_307_964_725,
    0.054_755_896_574_351_995,
    0.075_039_674_810_919_96,
    0.093_125_454_583_697_6,
    0.109_387_158_802_297_64,
    0.123_491_976_262_065_84,
    0.134_709_217_311_473_34,
    0.142_775_938_577_060_09,
    0.147_739_104_901_338_49,
    0.149_445_554_002_916_9,
];
const GAUSS: [f64; 5] = [
    0.066_671_344_308_688_14,
    0.149_451_349_150_580_6,
    0.219_086_362_515_982_04,
    0.269_266_719_309_996_35,
    0.295_524_224_714_752_87,
];

/// ∫f over [a, b] by halving, until Gauss and Kronrod agree to `tolerance` on every part.
pub fn integral(
    f: &mut dyn FnMut(f64) -> [f64; 3],
    a: f64,
    b: f64,
    tolerance: f64,
    depth: usize,
) -> [f64; 3] {
    let (middle, half) = (0.5 * (a + b), 0.5 * (b - a));
    let [mut kronrod, mut gauss] = [[0.0; 3]; 2];
    for (i, (node, weight)) in NODES.iter().zip(KRONROD).enumerate() {
        let sides: &[f64] = if *node == 0.0 { &[0.0] } else { &[-1.0, 1.0] };
        for side in sides {
            let value = f(middle + side * half * node);
            for k in 0..3 {
                kronrod[k] += weight * value[k] * half;
                if i % 2 == 1 {
                    gauss[k] += GAUSS[i / 2] * value[k] * half;
                }
            }
        }
    }
    let error = (0..3).map(|k| (kronrod[k] - gauss[k]).abs()).fold(0.0, f64::max);
    // the Kronrod value is far better than its difference from the Gauss value says
    if depth == 0 || error <= tolerance {
        return kronrod;
    }
    let left = integral(f, a, middle, tolerance, depth - 1);
    let right = integral(f, middle, b, tolerance, depth - 1);
    [0, 1, 2].map(|k| left[k] + right[k])
}

/// ∫f over [a, b] cut at those of `cuts` that lie inside.
pub fn pieced(f: &mut dyn FnMut(f64) -> [f64; 3], a: f64, b: f64, cuts: &[f64], tolerance: f64) -> [f64; 3] {
    let mut ends: Vec<f64> = cuts.iter().copied().filter(|c| *c > a && *c < b).collect();
    ends.extend([a, b]);
    ends.sort_by(f64::total_cmp);
    let mut sum = [0.0; 3];
    for pair in ends.windows(2).filter(|p| p[1] > p[0]) {
        let part = integral(f, pair[0], pair[1], tolerance, 30);
        sum = [0, 1, 2].map(|k| sum[k] + part[k]);
    }
    sum
}

/// The generalised Coulomb law, mu1 and mu2.
pub type Law = [f64; 2];

fn traction(twist: Twist, [mu1, mu2]: Law, [x, y]: [f64; 2]) -> [f64; 3] {
    let (vx, vy) = (twist.vx - twist.omega * y, twist.vy + twist.omega * x);
    let speed = vx.hypot(vy);
    if speed == 0.0 {
        return [0.0; 3];
    }
    let c = -(1.0 + mu1 * speed.powi(3) - mu2 * speed) / speed;
    [c * vx, c * vy, c * (x * vy - y * vx)]
}

fn centre(twist: Twist) -> Option<[f64; 2]> {
    (twist.omega != 0.0).then(|| [-twist.vy / twist.omega, twist.vx / twist.omega])
}

/// A disc about the reference point, per unit μN; `density(α)` is p r dr/dα over N at r = R sin α, and the
/// pressure is multiplied by 1 + skew·r.
pub fn disc(
    radius: f64,
    density: &dyn Fn(f64) -> f64,
    skew: [f64; 2],
    law: Law,
    inner: f64,
    twist: Twist,
    tolerance: f64,
) -> Wrench {
    use std::f64::consts::{FRAC_PI_2, TAU};
    let cut = centre(twist).map(|[x, y]| (x.hypot(y), y.atan2(x).rem_euclid(TAU)));
    let alpha = cut.map_or(9.0, |(r, _)| if r < radius { (r / radius).asin() } else { 9.0 });
    let theta = cut.map_or(0.0, |(_, t)| t);
    let mut around = |a: f64| {
        let r = radius * a.sin();
        let weight = density(a);
        let mut point = |t: f64| {
            let p = [r * t.cos(), r * t.sin()];
            let pressure = weight * (1.0 + skew[0] * p[0] + skew[1] * p[1]);
            traction(twist, law, p).map(|v| v * pressure)
        };
        let half = theta + 0.5 * TAU;
        pieced(&mut point, theta, theta + TAU, &[half], tolerance / 10.0)
    };
    let [fx, fy, mz] = pieced(&mut around, (inner / radius).asin(), FRAC_PI_2, &[alpha], tolerance);
    Wrench { fx, fy, mz }
}

/// A circle about the reference point, per unit μN.
pub fn ring(radius: f64, skew: [f64; 2], law: Law, twist: Twist, tolerance: f64) -> Wrench {
    use std::f64::consts::TAU;
    let theta = centre(twist).map_or(0.0, |[x, y]| y.atan2(x).rem_euclid(TAU));
    let mut point = |t: f64| {
        let p = [radius * t.cos(), radius * t.sin()];
        let pressure = (1.0 + skew[0] * p[0] + skew[1] * p[1]) / TAU;
        traction(twist, law, p).map(|v| v * pressure)
    };
    let [fx, fy, mz] = pieced(&mut point, theta, theta + TAU, &[theta + 0.5 * TAU], tolerance);
    Wrench { fx, fy, mz }
}

/// A polygon, holes included, per unit μN and with pressure `density(x, y)`; moments about the reference
/// point.
pub fn polygon(
    loops: &[Vec<[f64; 2]>],
    density: &dyn Fn(f64, f64) -> f64,
    law: Law,
    twist: Twist,
    tolerance: f64,
) -> Wrench {
    let f = |x: f64, y: f64| traction(twist, law, [x, y]).map(|v| v * density(x, y));
    let [fx, fy, mz] = area(loops, &f, centre(twist), tolerance);
    Wrench { fx, fy, mz }
}

/// ∫f dA over a polygon, cut at a point where f is not smooth.
pub fn area(
    loops: &[Vec<[f64; 2]>],
    f: &dyn Fn(f64, f64) -> [f64; 3],
    spot: Option<[f64; 2]>,
    tolerance: f64,
) -> [f64; 3] {
    let corners: Vec<[f64; 2]> = loops.iter().flatten().copied().collect();
    let mut cuts: Vec<f64> = corners.iter().map(|p| p[1]).collect();
    cuts.extend(spot.map(|c| c[1]));
    let low = corners.iter().map(|p| p[1]).fold(f64::INFINITY, f64::min);
    let high = corners.iter().map(|p| p[1]).fold(f64::NEG_INFINITY, f64::max);
    let mut line = |y: f64| {
        let mut crossings = Vec::new();
        for corners in loops {
            for (i, a) in corners.iter().enumerate() {
                let b = corners[(i + 1) % corners.len()];
                if (a[1] > y) != (b[1] > y) {
                    crossings.push(a[0] + (y - a[1]) / (b[1] - a[1]) * (b[0] - a[0]));
                }
            }
        }
        crossings.sort_by(f64::total_cmp);
        let mut sum = [0.0; 3];
        let mut point = |x: f64| f(x, y);
        for pair in crossings.chunks_exact(2) {
            let cut = spot.map_or(f64::NAN, |c| c[0]);
            let part = pieced(&mut point, pair[0], pair[1], &[cut], tolerance / 10.0);
            sum = [0, 1, 2].map(|k| sum[k] + part[k]);
        }
        sum
    };
    pieced(&mut line, low, high, &cuts, tolerance)
}

pub fn rectangle(length: f64, width: f64) -> Vec<[f64; 2]> {
    let (x, y) = (length / 2.0, width / 2.0);
    vec![[-x, -y], [x, -y], [x, y], [-x, y]]
}
