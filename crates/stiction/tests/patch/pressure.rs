//! The pressure carries the load, and its centre is where the overturning moment puts it.

use std::f64::consts::TAU;
use stiction::patch::{Annulus, Disc, Patch, Piece, Polygon, Pressure, Rectangle, Shape, Twist};

const LOAD: f64 = 30.0;

/// Midpoints on `n` × `n` cells: an edge through the cells costs about 1/n of its share, of either sign.
const CELLS: usize = 600;
const GRID: f64 = 2e-3;

fn patch(shape: Shape, pressure: Pressure) -> Patch {
    Patch { height: 0.02, centre: [0.03, -0.01], ..Patch::new(shape, pressure, 0.4, LOAD) }
}

fn foot(centre: [f64; 2]) -> Piece {
    Piece { shape: Shape::Disc(Disc { radius: 0.02 }), pressure: Pressure::Hertz, centre, share: 1.0 }
}

fn examples() -> Vec<Patch> {
    let triangle = vec![[-0.1, -0.1], [0.12, -0.08], [0.02, 0.14]];
    let frame = Shape::Polygon(Polygon {
        vertices: vec![[-0.1, -0.1], [0.1, -0.1], [0.1, 0.1], [-0.1, 0.1]],
        holes: vec![vec![[-0.02, -0.03], [0.05, -0.03], [0.05, 0.04], [-0.02, 0.04]]],
    });
    vec![
        patch(Shape::Disc(Disc { radius: 0.12 }), Pressure::Uniform),
        patch(Shape::Disc(Disc { radius: 0.12 }), Pressure::Hertz),
        patch(Shape::Disc(Disc { radius: 0.12 }), Pressure::Linear { gradient: [2.0, -1.0] }),
        patch(Shape::Annulus(Annulus { inner: 0.06, outer: 0.12 }), Pressure::Uniform),
        patch(Shape::Rectangle(Rectangle { length: 0.24, width: 0.16 }), Pressure::Uniform),
        patch(
            Shape::Rectangle(Rectangle { length: 0.24, width: 0.16 }),
            Pressure::Linear { gradient: [2.0, -1.0] },
        ),
        patch(Shape::Polygon(Polygon { vertices: triangle, holes: vec![] }), Pressure::Uniform),
        patch(frame, Pressure::Linear { gradient: [1.0, 2.0] }),
        patch(
            Shape::Pieces(vec![foot([0.1, 0.0]), foot([-0.06, 0.09]), foot([-0.06, -0.09])]),
            Pressure::Uniform,
        ),
    ]
}

/// ∫p dA, ∫p x dA and ∫p y dA on a grid.
fn moments(patch: &Patch, twist: Twist) -> [f64; 3] {
    let contact = patch.prepare().unwrap();
    let (side, mut sums) = (0.4 / CELLS as f64, [0.0; 3]);
    for i in 0..CELLS {
        for k in 0..CELLS {
            let [x, y] = [i, k].map(|j| -0.2 + side * (j as f64 + 0.5));
            let p = contact.pressure(twist, [x, y]) * side * side;
            assert!(p >= 0.0, "{patch:?} at {x} {y}");
            [p, p * x, p * y].iter().zip(&mut sums).for_each(|(more, sum)| *sum += more);
        }
    }
    sums
}

#[test]
fn the_pressure_carries_the_load_and_balances_the_overturning_moment() {
    for patch in examples() {
        let flat = Patch { height: 0.0, ..patch.clone() };
        let [_, x0, y0] = moments(&flat, Twist::default());
        for (angle, omega) in [(0.3, 0.0), (2.0, 0.0), (4.0, 6.0)] {
            let twist = Twist { vx: f64::cos(angle), vy: f64::sin(angle), omega };
            let [load, x, y] = moments(&patch, twist);
            assert!((load / LOAD - 1.0).abs() < GRID, "{patch:?}: {load}");
            // N s = −h F
            let w = patch.prepare().unwrap().wrench(twist);
            let [sx, sy] = [x - x0 + patch.height * w.fx, y - y0 + patch.height * w.fy];
            // a disc takes the skew along the velocity of its centre alone, as the paper does
            let is_disc = matches!(patch.shape, Shape::Disc(Disc { .. }) | Shape::Annulus(Annulus { .. }));
            if omega == 0.0 || !is_disc {
                assert!(sx.hypot(sy) < GRID * LOAD * 0.1, "{patch:?} {twist:?}: {sx} {sy}");
            }
        }
    }
}

#[test]
fn galins_pressure_carries_the_load() {
    // r = R sin θ takes the edge's singularity away
    let patch = patch(Shape::Disc(Disc { radius: 0.12 }), Pressure::Galin);
    let contact = patch.prepare().unwrap();
    let n = 2000;
    let ring = |i: usize| {
        let t = TAU / 4.0 * (i as f64 + 0.5) / n as f64;
        let r = 0.12 * t.sin();
        contact.pressure(Twist::default(), [0.03, -0.01 + r]) * TAU * r * 0.12 * t.cos() * TAU
            / 4.0
            / n as f64
    };
    let load: f64 = (0..n).map(ring).sum();
    assert!((load / LOAD - 1.0).abs() < 1e-6, "{load}");
}

#[test]
fn there_is_no_pressure_beside_the_patch() {
    for patch in examples() {
        let contact = patch.prepare().unwrap();
        for point in [[0.4, 0.0], [-0.4, 0.1], [0.0, 0.3]] {
            assert_eq!(contact.pressure(Twist { vx: 1.0, vy: 0.0, omega: 1.0 }, point), 0.0);
        }
    }
}

#[test]
fn at_the_tipping_height_the_least_pressure_is_zero() {
    let plate = patch(Shape::Rectangle(Rectangle { length: 0.24, width: 0.16 }), Pressure::Uniform);
    let height = Patch { height: 0.0, ..plate.clone() }.prepare().unwrap().tipping() / plate.mu;
    let contact = Patch { height: height * (1.0 - 1e-12), centre: [0.0; 2], ..plate }.prepare().unwrap();
    // towards the corner whose shift counts most: along S⁻¹ corner
    let (x, y) = (0.12 / 0.24f64.powi(2), 0.08 / 0.16f64.powi(2));
    let contact_at = |sign: f64| {
        let twist = Twist { vx: sign * x, vy: sign * y, omega: 0.0 };
        contact.pressure(twist, [0.12 * (1.0 - 1e-9), 0.08 * (1.0 - 1e-9)])
    };
    let mean = LOAD / (0.24 * 0.16);
    assert!(contact_at(-1.0) < 1e-6 * mean, "{}", contact_at(-1.0));
    assert!((contact_at(1.0) / mean - 2.0).abs() < 1e-6);
}
