//! The limit surface.

use stiction::patch::{
    Annulus, Disc, LimitSurface, Patch, Piece, Polygon, Pressure, Rectangle, Ring, Shape, Twist, Wrench,
};

/// What the load factor is good for.
const FACTOR: f64 = 1e-12;

fn examples() -> Vec<LimitSurface> {
    let foot = |centre, radius| Piece {
        shape: Shape::Disc(Disc { radius }),
        pressure: Pressure::Uniform,
        centre,
        share: 1.0,
    };
    let small = Shape::Pieces([[0.5, 0.0], [-0.3, 0.4], [-0.3, -0.4]].map(|c| foot(c, 0.01)).to_vec());
    let triangle =
        Shape::Polygon(Polygon { vertices: vec![[0.0, 0.0], [0.4, 0.1], [0.1, 0.5]], holes: vec![] });
    [
        (Shape::Disc(Disc { radius: 0.1 }), Pressure::Galin),
        (Shape::Disc(Disc { radius: 0.1 }), Pressure::Hertz),
        (Shape::Disc(Disc { radius: 10.0 }), Pressure::Uniform),
        (Shape::Ring(Ring { radius: 0.1 }), Pressure::Uniform),
        (Shape::Annulus(Annulus { inner: 0.05, outer: 0.1 }), Pressure::Uniform),
        (Shape::Rectangle(Rectangle { length: 0.5, width: 0.2 }), Pressure::Uniform),
        (Shape::Rectangle(Rectangle { length: 1.0, width: 0.01 }), Pressure::Uniform),
        (triangle.clone(), Pressure::Uniform),
        (triangle, Pressure::Linear { gradient: [1.0, 1.0] }),
        (small, Pressure::Uniform),
    ]
    .map(|(shape, pressure)| Patch {
        centre: [0.3, -0.1],
        height: 0.01,
        width: 0.1,
        ..Patch::new(shape, pressure, 0.4, 30.0)
    })
    .map(|patch| patch.limit_surface().expect("a good patch"))
    .to_vec()
}

fn twists() -> impl Iterator<Item = Twist> {
    (0..60).map(|i| {
        let (a, b) = (2.4 * i as f64, (i as f64 + 0.5) / 30.0 - 1.0);
        let flat = (1.0 - b * b).sqrt();
        Twist { vx: flat * a.cos(), vy: flat * a.sin(), omega: b * if i % 3 == 0 { 20.0 } else { 1.0 } }
    })
}

fn times(c: f64, w: Wrench) -> Wrench {
    Wrench { fx: c * w.fx, fy: c * w.fy, mz: c * w.mz }
}

#[test]
fn the_wrench_that_resists_a_motion_is_on_the_surface() {
    for (k, surface) in examples().iter().enumerate() {
        for t in twists() {
            let held = times(-1.0, surface.wrench(t));
            for load in [1e-6, 0.3, 1.0, 250.0] {
                let limit = surface.limit(times(load, held));
                let error = (limit.factor / load - 1.0).abs();
                assert!(error <= FACTOR, "example {k} {t:?}: {} instead of {load}", limit.factor);
            }
        }
    }
}

#[test]
fn the_motion_is_the_one_that_the_wrench_starts() {
    for (k, surface) in examples().iter().enumerate() {
        for t in twists() {
            let held = times(-1.0, surface.wrench(t));
            let m = surface.limit(held).motion;
            // at the surface the power of the load equals what friction takes: the best motion is no worse
            // than t
            let (load, taken) = (held.power(m), surface.dissipation(m));
            assert!((load / taken - 1.0).abs() <= FACTOR, "example {k} {t:?}");
        }
    }
}

#[test]
fn no_motion_beats_the_factor() {
    for (k, surface) in examples().iter().enumerate() {
        for w in [[3.0, 1.0, 0.2], [0.0, 0.0, -1.0], [1.0, -9.0, 4.0], [-5.0, 0.0, 0.0], [0.1, 0.1, 0.001]] {
            let w = Wrench { fx: w[0], fy: w[1], mz: w[2] };
            let factor = surface.limit(w).factor;
            let best = twists().map(|t| w.power(t) / surface.dissipation(t)).fold(0.0, f64::max);
            assert!(best <= factor * (1.0 + FACTOR), "example {k} {w:?}: {best} > {factor}");
            assert!(
                surface.is_inside(times(0.999 / factor, w)) && !surface.is_inside(times(1.001 / factor, w))
            );
        }
    }
}

#[test]
fn forces_through_the_centre_of_a_disc_follow_coulombs_law() {
    let surface =
        Patch::new(Shape::Disc(Disc { radius: 0.1 }), Pressure::Galin, 0.4, 30.0).limit_surface().unwrap();
    let limit = surface.limit(Wrench { fx: 3.6, fy: 4.8, mz: 0.0 });
    assert!((limit.factor - 0.5).abs() < FACTOR && limit.motion.omega.abs() < 1e-12);
    let moment = std::f64::consts::PI / 4.0 * 0.4 * 30.0 * 0.1;
    assert!(
        (surface.limit(Wrench { fx: 0.0, fy: 0.0, mz: -3.0 * moment }).factor - 3.0).abs() < 3.0 * FACTOR
    );
    assert_eq!(surface.limit(Wrench::default()).factor, 0.0);
    assert!(surface.is_inside(Wrench::default()));
}
