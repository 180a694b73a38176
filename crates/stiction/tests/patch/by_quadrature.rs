//! Every shape against brute-force quadrature of Coulomb's law over its area.

use crate::quadrature;
use crate::quadrature::{Law, disc, polygon, rectangle, ring};
use std::f64::consts::{PI, TAU};
use stiction::patch::{
    Annulus, Disc, Patch, PatchFriction, Piece, Polygon, Pressure, Rectangle, Ring, Shape, Twist, Wrench,
};

/// Relative to μN and μN times the size of the patch; what the quadrature is asked for.
const SAME: f64 = 1e-12;
const TOLERANCE: f64 = 1e-13;

const COULOMB: Law = [0.0; 2];

fn assert_same(found: Wrench, expected: Wrench, length: f64, what: &str) {
    let error = [found.fx - expected.fx, found.fy - expected.fy, (found.mz - expected.mz) / length];
    assert!(error.iter().all(|e| e.abs() <= SAME), "{what}: {found:?}, not {expected:?}");
}

fn contact(shape: Shape, pressure: Pressure) -> PatchFriction {
    Patch::new(shape, pressure, 1.0, 1.0).prepare().expect("a good patch")
}

/// Velocity at the middle and spin such that the centre of rotation lies `distance` away, under `angle`.
fn twist(distance: f64, angle: f64, spin: f64) -> Twist {
    Twist { vx: distance * spin * angle.sin(), vy: -distance * spin * angle.cos(), omega: spin }
}

type Density = (Pressure, fn(f64) -> f64);

const DENSITIES: [Density; 3] = [
    (Pressure::Galin, |a| a.sin() / TAU),
    (Pressure::Hertz, |a| 3.0 * a.cos() * a.cos() * a.sin() / TAU),
    (Pressure::Uniform, |a| a.sin() * a.cos() / PI),
];

#[test]
fn discs_agree_with_quadrature() {
    let radius = 0.7;
    for (pressure, density) in DENSITIES {
        let contact = contact(Shape::Disc(Disc { radius }), pressure);
        for (i, d) in [0.0, 0.01, 0.3, 0.9, 1.0, 1.2, 3.0, 40.0].into_iter().enumerate() {
            let t = twist(d * radius, 0.4 + i as f64, if i % 2 == 0 { 2.0 } else { -0.3 });
            let expected = disc(radius, &density, [0.0; 2], COULOMB, 0.0, t, TOLERANCE);
            assert_same(contact.wrench(t), expected, radius, &format!("{pressure:?} d = {d}"));
        }
    }
}

#[test]
fn rings_and_annuli_agree_with_quadrature() {
    let circle = contact(Shape::Ring(Ring { radius: 0.7 }), Pressure::Uniform);
    let annulus = contact(Shape::Annulus(Annulus { inner: 0.4, outer: 0.7 }), Pressure::Uniform);
    let density = |a: f64| 0.49 * a.sin() * a.cos() / (PI * (0.49 - 0.16));
    for (i, distance) in [0.0, 0.1, 0.39, 0.4, 0.55, 0.8, 2.0, 30.0].into_iter().enumerate() {
        let t = twist(distance, 1.0 + i as f64, if i % 2 == 0 { 2.0 } else { -0.3 });
        assert_same(circle.wrench(t), ring(0.7, [0.0; 2], COULOMB, t, TOLERANCE), 0.7, "ring");
        let expected = disc(0.7, &density, [0.0; 2], COULOMB, 0.4, t, TOLERANCE);
        assert_same(annulus.wrench(t), expected, 0.7, &format!("annulus, centre at {distance}"));
    }
}

#[test]
fn skewed_discs_obey_the_generalised_law() {
    let (radius, height, mu) = (0.7, 0.1, 0.8);
    for (law, (pressure, density)) in
        [COULOMB, [0.3, 0.5]].into_iter().flat_map(|l| DENSITIES.map(|d| (l, d)))
    {
        let x2 = match pressure {
            Pressure::Galin => 1.0 / 3.0,
            Pressure::Hertz => 1.0 / 5.0,
            _ => 1.0 / 4.0,
        } * radius
            * radius;
        let [mu1, mu2] = law;
        let patch =
            Patch { height, mu1, mu2, ..Patch::new(Shape::Disc(Disc { radius }), pressure, mu, 1.0 / mu) };
        let contact = patch.prepare().unwrap();
        for (vx, vy, omega) in [(0.5, 0.2, 1.1), (-0.3, 0.8, -2.0), (0.9, 0.0, 0.3), (0.1, -0.1, 1.5)] {
            let t = Twist { vx, vy, omega };
            let v = vx.hypot(vy);
            // the pressure leans forward by h times Coulomb's friction against the velocity
            let even = disc(radius, &density, [0.0; 2], COULOMB, 0.0, t, TOLERANCE);
            let k = -height * mu * (even.fx * vx + even.fy * vy) / (v * v * x2);
            let expected = disc(radius, &density, [k * vx, k * vy], law, 0.0, t, TOLERANCE);
            assert_same(contact.wrench(t), expected, radius, &format!("{pressure:?} {law:?} {t:?}"));
            assert!((contact.skew(t) - k * v * radius).abs() < SAME);
        }
    }
}

#[test]
fn round_patches_whose_pressure_has_a_gradient_agree_with_quadrature() {
    let radius = 0.7;
    for (law, gradient) in
        [COULOMB, [0.3, 0.5]].into_iter().flat_map(|law| [[1.1, -0.6], [-0.2, 0.9]].map(|g| (law, g)))
    {
        let [mu1, mu2] = law;
        let contact = |shape: Shape| {
            let patch = Patch::new(shape, Pressure::Linear { gradient }, 1.0, 1.0);
            Patch { mu1, mu2, ..patch }.prepare().expect("a good patch")
        };
        let full = contact(Shape::Disc(Disc { radius }));
        let circle = contact(Shape::Ring(Ring { radius }));
        let annulus = contact(Shape::Annulus(Annulus { inner: 0.4, outer: radius }));
        let [of_disc, of_annulus] = [PI, PI * (0.49 - 0.16) / 0.49];
        for (i, d) in [0.0, 1e-9, 0.01, 0.3, 0.57, 0.9, 1.0, 1.2, 3.0, 40.0, 1e9].into_iter().enumerate() {
            let spin = [2.0, -0.3][i % 2] / f64::max(d, 1.0);
            let t = twist(d * radius, 0.4 + i as f64, spin);
            let what = format!("d = {d}, {gradient:?} {law:?}");
            let at = |area: f64, inner: f64| {
                let density = |a: f64| a.sin() * a.cos() / area;
                disc(radius, &density, gradient, law, inner, t, TOLERANCE)
            };
            assert_same(full.wrench(t), at(of_disc, 0.0), radius, &format!("disc, {what}"));
            assert_same(annulus.wrench(t), at(of_annulus, 0.4), radius, &format!("annulus, {what}"));
            let expected = ring(radius, gradient, law, t, TOLERANCE);
            assert_same(circle.wrench(t), expected, radius, &format!("ring, {what}"));
        }
    }
}

/// A disc and a polygon of many corners about the same area, high above the plane: the tilt of both follows
/// friction in all directions.
#[test]
fn a_disc_whose_pressure_has_a_gradient_tilts_as_a_polygon_does() {
    let (radius, n) = (0.7, 2000);
    let angle = |i: usize| TAU * i as f64 / n as f64;
    // of the same area
    let out = radius * (TAU / n as f64 / (TAU / n as f64).sin()).sqrt();
    let vertices: Vec<[f64; 2]> = (0..n).map(|i| [out * angle(i).cos(), out * angle(i).sin()]).collect();
    let high = |shape: Shape| {
        let patch = Patch::new(shape, Pressure::Linear { gradient: [0.5, -0.3] }, 0.8, 1.25);
        Patch { height: 0.06, ..patch }.prepare().expect("a good patch")
    };
    let full = high(Shape::Disc(Disc { radius }));
    let corners = high(Shape::Polygon(Polygon { vertices, holes: vec![] }));
    for (vx, vy, omega) in [(0.5, 0.2, 1.1), (-0.3, 0.8, -2.0), (0.9, 0.0, 0.3), (0.1, -0.1, 1.5)] {
        let t = Twist { vx, vy, omega };
        let [a, b] = [full.wrench(t), corners.wrench(t)];
        // the second moments of the polygon differ by (π/n)⁴
        let error = [a.fx - b.fx, a.fy - b.fy, a.mz - b.mz];
        assert!(error.iter().all(|e| e.abs() < 1e-10), "{t:?}: {a:?} {b:?}");
        assert!((full.skew(t) - corners.skew(t)).abs() < 1e-5, "{} {}", full.skew(t), corners.skew(t));
        let point = [0.3, 0.2];
        assert!((full.pressure(t, point) - corners.pressure(t, point)).abs() < 1e-9);
    }
}

fn arrow() -> Vec<[f64; 2]> {
    vec![[0.0, 0.0], [1.0, 0.3], [0.2, 0.25], [0.3, 1.0], [-0.4, 0.5]]
}

#[test]
fn polygons_agree_with_quadrature_at_every_distance_of_the_centre_of_rotation() {
    for (name, corners) in
        [("square", rectangle(1.0, 1.0)), ("plank", rectangle(2.0, 0.1)), ("triangle", arrow()[..3].to_vec())]
    {
        let area = (0..corners.len())
            .map(|i| (corners[i], corners[(i + 1) % corners.len()]))
            .map(|(a, b)| 0.5 * (a[0] * b[1] - a[1] * b[0]))
            .sum::<f64>();
        let size = corners.iter().map(|p| p[0].hypot(p[1])).fold(0.0, f64::max);
        let shape = Shape::Polygon(Polygon { vertices: corners.clone(), holes: vec![] });
        let contact = contact(shape, Pressure::Uniform);
        let mut worst: f64 = 0.0;
        for i in 0..70 {
            let distance = 10f64.powf(-5.0 + 0.15 * i as f64);
            let t = twist(distance, 2.4 * i as f64, if i % 2 == 0 { 1.0 } else { -1.0 } / distance);
            let expected =
                polygon(std::slice::from_ref(&corners), &|_, _| 1.0 / area.abs(), COULOMB, t, TOLERANCE);
            let found = contact.wrench(t);
            assert_same(found, expected, size, &format!("{name}, centre at {distance}"));
            worst = worst.max((found.fx - expected.fx).abs()).max((found.mz - expected.mz).abs() / size);
        }
        println!("{name}: worst {worst:e}");
    }
}

#[test]
fn linear_pressure_agrees_with_quadrature_at_every_distance_of_the_centre_of_rotation() {
    let (length, width, gradient) = (0.8, 0.5, [1.2, -1.5]);
    let corners = rectangle(length, width);
    let contact = contact(Shape::Rectangle(Rectangle { length, width }), Pressure::Linear { gradient });
    let density = |x: f64, y: f64| (1.0 + gradient[0] * x + gradient[1] * y) / (length * width);
    for i in 0..70 {
        let distance = 10f64.powf(-5.0 + 0.15 * i as f64);
        let t = twist(distance, 2.4 * i as f64, if i % 2 == 0 { 1.0 } else { -1.0 } / distance);
        let expected = polygon(std::slice::from_ref(&corners), &density, COULOMB, t, TOLERANCE);
        assert_same(contact.wrench(t), expected, 0.5, &format!("centre at {distance}"));
    }
}

#[test]
fn the_centre_of_rotation_may_lie_on_a_vertex_or_on_an_edge() {
    let corners = arrow();
    let area = 0.5
        * (0..5)
            .map(|i| (corners[i], corners[(i + 1) % 5]))
            .map(|(a, b)| a[0] * b[1] - a[1] * b[0])
            .sum::<f64>();
    let contact =
        contact(Shape::Polygon(Polygon { vertices: corners.clone(), holes: vec![] }), Pressure::Uniform);
    for i in 0..5 {
        let (a, b) = (corners[i], corners[(i + 1) % 5]);
        for s in [0.0, 1e-9, 0.25, 0.5] {
            let c = [a[0] + s * (b[0] - a[0]), a[1] + s * (b[1] - a[1])];
            let t = Twist { vx: 3.0 * c[1], vy: -3.0 * c[0], omega: 3.0 };
            let expected = polygon(std::slice::from_ref(&corners), &|_, _| 1.0 / area, COULOMB, t, TOLERANCE);
            assert_same(contact.wrench(t), expected, 1.0, &format!("edge {i}, {s} along"));
        }
    }
}

#[test]
fn a_polygon_with_a_hole_is_a_difference() {
    let (outer, hole) = (rectangle(1.0, 0.8), vec![[0.1, -0.1], [0.4, 0.0], [0.1, 0.3]]);
    let area = 0.8 - 0.5 * (0.3 * 0.4);
    let shape = Shape::Polygon(Polygon { vertices: outer.clone(), holes: vec![hole.clone()] });
    let contact = contact(shape, Pressure::Uniform);
    for t in [twist(0.3, 1.0, 2.0), twist(0.2, 6.0, -1.0), twist(20.0, 0.0, 0.1), twist(3.0, 2.0, 1.0)] {
        let expected = polygon(&[outer.clone(), hole.clone()], &|_, _| 1.0 / area, COULOMB, t, TOLERANCE);
        assert_same(contact.wrench(t), expected, 0.5, "frame");
    }
}

#[test]
fn a_tilted_rectangle_agrees_with_quadrature_of_its_own_pressure() {
    let (length, width, height, mu) = (0.5, 0.3, 0.07, 0.4);
    let g0 = [0.5, -0.7];
    for law in [COULOMB, [0.05, 0.3]] {
        let patch = Patch {
            height,
            mu1: law[0],
            mu2: law[1],
            ..Patch::new(
                Shape::Rectangle(Rectangle { length, width }),
                Pressure::Linear { gradient: g0 },
                mu,
                1.0 / mu,
            )
        };
        let contact = patch.prepare().unwrap();
        let coulomb = Patch { mu1: 0.0, mu2: 0.0, ..patch }.prepare().unwrap();
        for t in [
            twist(0.1, 1.0, 2.0),
            twist(0.3, 4.0, -1.5),
            twist(3.0, 2.0, 0.2),
            Twist { vx: 1.0, vy: 0.4, omega: 0.0 },
        ] {
            let found = contact.wrench(t);
            // the pressure that Coulomb's friction brings about: s = −hF/N
            let force = coulomb.wrench(t);
            let s = [-height * mu * force.fx, -height * mu * force.fy];
            let g = [g0[0] + s[0] * 12.0 / (length * length), g0[1] + s[1] * 12.0 / (width * width)];
            let density = |x: f64, y: f64| (1.0 + g[0] * x + g[1] * y) / (length * width);
            let expected = polygon(&[rectangle(length, width)], &density, law, t, TOLERANCE);
            assert_same(found, expected, 0.3, &format!("{law:?} {t:?}"));
        }
    }
}

#[test]
fn three_feet_share_the_load_as_statics_demands() {
    let (height, mu) = (0.1, 0.5);
    let feet = [[0.5, 0.0], [-0.3, 0.4], [-0.3, -0.4]];
    let shares = [0.4, 0.3, 0.3];
    let foot = |i: usize| Piece {
        shape: Shape::Disc(Disc { radius: 0.05 }),
        pressure: Pressure::Hertz,
        centre: feet[i],
        share: shares[i] * 7.0,
    };
    let shape = Shape::Pieces((0..3).map(foot).collect());
    let contact = Patch { height, ..Patch::new(shape, Pressure::Uniform, mu, 1.0 / mu) }.prepare().unwrap();
    let [_, (_, density), _] = DENSITIES;
    let middle: [f64; 2] = [0, 1].map(|k| (0..3).map(|i| shares[i] * feet[i][k]).sum());
    for t in [twist(0.3, 1.0, 2.0), twist(0.5, 0.1, -1.0), twist(4.0, 3.0, 0.3)] {
        let found = contact.wrench(t);
        // loads: sum 1, and moments about the middle that balance h F
        let s = [-height * mu * found.fx, -height * mu * found.fy];
        let x: Vec<[f64; 2]> = feet.iter().map(|p| [p[0] - middle[0], p[1] - middle[1]]).collect();
        let cross = |a: [f64; 2], b: [f64; 2]| a[0] * b[1] - a[1] * b[0];
        let minus = |a: [f64; 2], b: [f64; 2]| [a[0] - b[0], a[1] - b[1]];
        let total = cross(minus(x[1], x[0]), minus(x[2], x[0]));
        let mut expected = Wrench::default();
        for (i, foot) in feet.into_iter().enumerate() {
            let (j, k) = ((i + 1) % 3, (i + 2) % 3);
            let load = cross(minus(x[j], s), minus(x[k], s)) / total;
            let w = disc(0.05, &density, [0.0; 2], COULOMB, 0.0, t.at(foot), TOLERANCE).carried(foot);
            expected.fx += load * w.fx;
            expected.fy += load * w.fy;
            expected.mz += load * w.mz;
        }
        assert_same(found, expected, 0.5, &format!("{t:?}"));
    }
}

#[test]
fn gauss_and_kronrod_weights_integrate_polynomials() {
    for n in 0..19 {
        let exact = (1.0 - (-2f64).powi(n + 1)) / (n + 1) as f64;
        let found = quadrature::integral(&mut |x| [x.powi(n); 3], -2.0, 1.0, 1.0, 0)[0];
        assert!((found - exact).abs() < 1e-14 * 3f64.powi(n + 1), "x^{n}: {found}, not {exact}");
    }
}
