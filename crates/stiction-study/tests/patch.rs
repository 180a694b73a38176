//! Tables about contact patches, against what is known in other ways.

use stiction::patch::{Closure, Constants, Patch, Pressure, Ring, Shape, Twist, Wrench};
use stiction_study::PatchFile;
use stiction_study::paper::{
    DIRECTIONS, KNOWN_ERRORS, PAPERS, PrintedRectangle, disc_properties, rectangle_properties,
};
use stiction_study::patch::{
    PatchStudy, Plane, Quantity, all_curves, compare, drag, limit_points, plan, section, sliding, summary,
};

/// The patch of a paper.
fn of_paper(name: &str) -> Patch {
    let paper = PAPERS.into_iter().find(|paper| paper.name() == name).unwrap();
    let case = paper.cases().iter().find(|case| case.is_patch).unwrap();
    case.patch().unwrap().patch().clone()
}

fn disc() -> Patch {
    of_paper("paper-c")
}

fn plate() -> Patch {
    of_paper("paper-d")
}

/// A command asks many things of a patch, and each of its variants is prepared once.
#[test]
fn a_patch_is_prepared_once() {
    let study = PatchStudy::from(plate());
    summary(&study).unwrap();
    all_curves(&study).unwrap();
    section(&study).unwrap();
    plan(&study).unwrap();
    // at rest about the centre; the plan; by three closures; without and with height, which is that of the exact closure
    let prepared = study.n_prepared();
    assert!(prepared <= 6, "{prepared}");
    compare(&study).unwrap();
    all_curves(&study).unwrap();
    summary(&study).unwrap();
    assert_eq!(study.n_prepared(), prepared);
    limit_points(&study).unwrap();
    limit_points(&study).unwrap();
    assert!(study.n_prepared() <= prepared + 1);
}

fn feet() -> Patch {
    let text = include_str!("../../../examples/patches/three_feet.toml");
    PatchFile::read("feet", text, &["patch.centre=[0.05, -0.02]".into()]).unwrap().patch
}

#[test]
fn the_properties_of_the_papers_hold_for_the_exact_integrals_only() {
    let off =
        |patch: &Patch| disc_properties(&patch.clone().into()).unwrap().iter().filter(|p| !p.agrees).count();
    assert_eq!(off(&disc()), 0);
    let pade = Patch { closure: Closure::Pade1, ..disc() };
    // the value along v = u/2 and along v = 2u
    assert_eq!(off(&pade), 2);
    // and the slopes of M and F⊥ at u = 0
    assert_eq!(off(&Patch { constants: Constants::AsPrinted, ..pade }), 4);
    let numbers: Vec<_> = disc_properties(&disc().into()).unwrap().iter().map(|p| p.number).collect();
    assert!(["1", "2", "3", "4", "5", "6", "7"].iter().all(|n| numbers.contains(n)));
    assert!(rectangle_properties(&plate().into(), &DIRECTIONS).unwrap().iter().all(|p| p.agrees));
}

#[test]
fn the_errors_of_the_pade_models_are_the_known_ones() {
    let comparison = compare(&disc().into()).unwrap();
    for known in KNOWN_ERRORS {
        let found = comparison.worst(known.closure, known.constants, known.quantity).unwrap();
        assert!((100.0 * found - known.percent).abs() <= 0.5, "{known:?}: {found}");
    }
    // without skew there is no transverse force to be wrong about
    let flat = compare(&Patch { height: 0.0, ..disc() }.into()).unwrap();
    assert_eq!(flat.worst(Closure::Pade1, Constants::Consistent, Quantity::Across), None);
    // a punch alone has printed constants
    assert_eq!(compare(&Patch { pressure: Pressure::Hertz, ..disc() }.into()).unwrap().deviations.len(), 6);
    let ring = Patch::new(Shape::Ring(Ring { radius: 0.1 }), Pressure::Uniform, 0.3, 10.0);
    assert_eq!(compare(&ring.into()).unwrap_err()[0].key, "closure");
}

#[test]
fn printed_integrals_of_the_rectangle_agree_with_a_sum_over_cells() {
    // midpoints of 2000 × 800 cells; the integrands are at most as singular as 1/r²
    const GRID: f64 = 2e-3;
    let (n, m) = (2000, 800);
    let (a, b) = (0.5 / n as f64, 0.2 / m as f64);
    let [mut i0, mut i6] = [0.0; 2];
    let (s, c) = PrintedRectangle::DIRECTION.sin_cos();
    for i in 0..n {
        for k in 0..m {
            let (x, y) = (-0.25 + a * (i as f64 + 0.5), -0.1 + b * (k as f64 + 0.5));
            let r2 = x * x + y * y;
            i0 += (r2 * r2.sqrt() + (y * c + x * s) * (x * s - y * c)) / (r2 * r2) * 98.1 * a * b;
            i6 += (x * x - y * y) / r2.sqrt() * 98.1 * a * b;
        }
    }
    let printed = PrintedRectangle::new(&plate());
    assert!((printed.i0 / i0 - 1.0).abs() < GRID, "{} {i0}", printed.i0);
    assert!((printed.i6 / i6 - 1.0).abs() < GRID, "{} {i6}", printed.i6);
}

#[test]
fn points_of_the_limit_surface_lie_on_it() {
    const ON: f64 = 1e-10;
    for patch in [disc(), plate(), feet()] {
        let points = limit_points(&patch.clone().into()).unwrap();
        let surface = patch.limit_surface().unwrap();
        for plane in Plane::ALL {
            for p in points.section(plane, 40) {
                assert!((surface.limit(p.wrench).factor - 1.0).abs() < ON);
            }
        }
        for level in [-0.7, 0.0, 0.4] {
            for w in points.level(level * points.moment, 40) {
                assert!((surface.limit(w).factor - 1.0).abs() < ON, "{w:?}");
                assert!((w.mz - level * points.moment).abs() < ON * points.moment, "{w:?}");
            }
        }
        // no held moment is larger
        let top = |w: Wrench| w.mz <= points.moment * (1.0 + ON);
        assert!(points.parallels(9, 16).iter().flatten().all(|p| top(p.wrench)));
    }
}

#[test]
fn curves_do_not_depend_on_where_the_reference_point_is() {
    let kind = (Closure::Exact, Constants::Consistent);
    let ratio = [0.1, 1.0, 7.0];
    let moved = sliding(&feet().into(), kind, 0.4, &ratio).unwrap();
    let centred = sliding(&Patch { centre: [0.0; 2], ..feet() }.into(), kind, 0.4, &ratio).unwrap();
    assert_eq!(moved, centred);
}

#[test]
fn drag_is_the_wrench_split_along_the_motion() {
    let contact = plate().prepare().unwrap();
    for phi in [0.0, 0.7, 2.0, -1.3f64] {
        let twist = Twist { vx: 0.2 * phi.cos(), vy: 0.2 * phi.sin(), omega: 1.1 };
        let d = drag(&contact, 0.2, phi, 1.1);
        let w = contact.wrench(twist);
        assert!((d.along.hypot(d.across) - w.fx.hypot(w.fy)).abs() < 1e-14 * 9.81);
        assert!((0.2 * d.along + 1.1 * d.moment + w.power(twist)).abs() < 1e-14);
    }
}

#[test]
fn the_plan_knows_centre_of_pressure_and_tipping() {
    // a gradient g shifts the centre by g a²/12
    let tilted = Patch {
        pressure: Pressure::Linear { gradient: [2.0, 0.0] },
        height: 0.01,
        mu: 0.5,
        centre: [3.0, 4.0],
        ..plate()
    };
    let found = plan(&tilted.into()).unwrap();
    assert!((found.centre_of_pressure[0] - 2.0 * 0.25 / 12.0).abs() < 1e-14);
    assert_eq!(found.centre_of_pressure[1], 0.0);
    assert_eq!(found.shift, 0.005);
    // a disc under a sphere's pressure: ⟨x²⟩/R = R/5
    let sphere = Patch { pressure: Pressure::Hertz, ..disc() };
    assert!((plan(&sphere.into()).unwrap().tipping - 0.02).abs() < 1e-16);
}
