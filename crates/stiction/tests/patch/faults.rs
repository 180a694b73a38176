//! Bad input: every fault names its key and its limit.

use stiction::patch::{
    Annulus, Closure, Constants, Disc, Patch, Piece, Polygon, Pressure, Rectangle, Ring, Shape,
};

fn faults(patch: &Patch) -> Vec<(String, String)> {
    let list = patch.prepare().expect_err("must be refused");
    list.into_iter().map(|f| (f.key, f.error.to_string())).collect()
}

fn disc() -> Patch {
    Patch::new(Shape::Disc(Disc { radius: 0.1 }), Pressure::Galin, 0.4, 30.0)
}

fn polygon(vertices: &[[f64; 2]]) -> Patch {
    Patch::new(
        Shape::Polygon(Polygon { vertices: vertices.to_vec(), holes: vec![] }),
        Pressure::Uniform,
        0.4,
        30.0,
    )
}

#[track_caller]
fn assert_fault(patch: &Patch, key: &str, words: &str) {
    let found = faults(patch);
    assert!(found.iter().any(|(k, e)| k == key && e.contains(words)), "{found:?}");
}

#[test]
fn a_good_patch_has_no_faults() {
    assert!(disc().prepare().is_ok());
    assert!(polygon(&[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]).prepare().is_ok());
}

#[test]
fn every_number_must_be_finite_and_of_the_right_sign() {
    for bad in [f64::NAN, f64::INFINITY] {
        assert_fault(&Patch { mu: bad, ..disc() }, "mu", "finite");
        assert_fault(&Patch { load: bad, ..disc() }, "load", "finite");
        assert_fault(&Patch { height: bad, ..disc() }, "height", "finite");
        assert_fault(&Patch { width: bad, ..disc() }, "width", "finite");
        assert_fault(&Patch { mu1: bad, ..disc() }, "mu1", "finite");
        assert_fault(&Patch { mu2: bad, ..disc() }, "mu2", "finite");
        assert_fault(&Patch { centre: [0.0, bad], ..disc() }, "centre", "finite");
        assert_fault(&polygon(&[[0.0, 0.0], [bad, 0.0], [0.0, 1.0]]), "shape.polygon.vertices.1", "finite");
        assert_fault(
            &Patch { shape: Shape::Ring(Ring { radius: bad }), pressure: Pressure::Uniform, ..disc() },
            "shape.ring.radius",
            "finite",
        );
    }
    assert_fault(&Patch { mu: -0.1, ..disc() }, "mu", "not be negative");
    assert_fault(&Patch { load: 0.0, ..disc() }, "load", "positive");
    assert_fault(&Patch { width: -1.0, ..disc() }, "width", "not be negative");
    assert_fault(
        &Patch { shape: Shape::Disc(Disc { radius: -1.0 }), ..disc() },
        "shape.disc.radius",
        "positive",
    );
}

#[test]
fn all_faults_are_reported_at_once() {
    let found = faults(&Patch { mu: -1.0, load: -1.0, shape: Shape::Disc(Disc { radius: 0.0 }), ..disc() });
    assert_eq!(found.iter().map(|f| f.0.as_str()).collect::<Vec<_>>(), ["mu", "load", "shape.disc.radius"]);
}

#[test]
fn an_annulus_needs_a_hole_smaller_than_itself() {
    let annulus = |inner, outer| Patch {
        shape: Shape::Annulus(Annulus { inner, outer }),
        pressure: Pressure::Uniform,
        ..disc()
    };
    assert_fault(&annulus(0.3, 0.2), "shape.annulus.inner", "at most");
    assert_fault(&annulus(-0.1, 0.2), "shape.annulus.inner", "positive");
}

#[test]
fn polygons_must_be_simple_and_enclose_something() {
    let key = "shape.polygon.vertices";
    assert_fault(&polygon(&[[0.0, 0.0], [1.0, 0.0]]), key, "at least 3");
    assert_fault(&polygon(&[[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.0]]), key, "edges 0 and 2 meet");
    assert_fault(&polygon(&[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]]), key, "edges 0 and 2 meet");
    assert_fault(&polygon(&[[0.0, 0.0], [1.0, 0.0], [2.0, 1e-12]]), key, "enclose nothing");
    assert_fault(
        &polygon(&[[0.0, 0.0], [1.0, 0.0], [1.0, 0.0], [0.0, 1.0]]),
        "shape.polygon.vertices.1",
        "coincide",
    );
    // an edge that touches a corner
    assert_fault(&polygon(&[[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 0.0], [0.0, 1.0]]), key, "meet");
}

#[test]
fn holes_lie_inside_and_apart() {
    let square =
        |x: f64, y: f64, r: f64| vec![[x - r, y - r], [x + r, y - r], [x + r, y + r], [x - r, y + r]];
    let frame = |holes| Patch {
        shape: Shape::Polygon(Polygon { vertices: square(0.0, 0.0, 1.0), holes }),
        ..polygon(&[])
    };
    assert!(frame(vec![square(0.4, 0.4, 0.2), square(-0.4, 0.4, 0.2)]).prepare().is_ok());
    assert_fault(&frame(vec![square(1.0, 0.0, 0.2)]), "shape.polygon.holes.0", "meet");
    assert_fault(&frame(vec![square(3.0, 0.0, 0.2)]), "shape.polygon.holes.0", "inside");
    assert_fault(
        &frame(vec![square(0.0, 0.0, 0.4), square(0.0, 0.0, 0.2)]),
        "shape.polygon.holes.1",
        "apart",
    );
    assert_fault(
        &frame(vec![square(0.0, 0.0, 0.2), square(0.0, 0.0, 0.4)]),
        "shape.polygon.holes.1",
        "apart",
    );
}

#[test]
fn the_pressure_must_suit_the_shape_and_not_be_negative() {
    let plate = |pressure| Patch {
        shape: Shape::Rectangle(Rectangle { length: 1.0, width: 0.5 }),
        pressure,
        ..disc()
    };
    assert_fault(&plate(Pressure::Galin), "pressure", "only discs");
    let leaning = |part: f64| {
        let gradient = [0.6, -0.8].map(|v| part * v / disc().shape.radius());
        Patch { pressure: Pressure::Linear { gradient }, ..disc() }
    };
    assert!(leaning(0.999).prepare().is_ok());
    assert_fault(&leaning(1.001), "pressure.linear.gradient", "negative at an edge");
    assert_fault(&Patch { closure: Closure::Pade1, ..leaning(0.5) }, "closure", "alike all around");
    assert!(plate(Pressure::Linear { gradient: [2.0, 0.0] }).prepare().is_ok());
    assert_fault(
        &plate(Pressure::Linear { gradient: [2.0, 0.1] }),
        "pressure.linear.gradient",
        "negative at an edge",
    );
    assert_fault(
        &plate(Pressure::Linear { gradient: [f64::NAN, 0.1] }),
        "pressure.linear.gradient",
        "finite",
    );
}

#[test]
fn tipping_names_the_greatest_height() {
    // h μ R/⟨x²⟩ = 1
    for (pressure, x2) in [(Pressure::Galin, 1.0 / 3.0), (Pressure::Hertz, 0.2), (Pressure::Uniform, 0.25)] {
        let limit = x2 * 0.1 / 0.4;
        assert!(Patch { pressure, height: limit * 0.9999, ..disc() }.prepare().is_ok());
        let list = Patch { pressure, height: limit * 1.0001, ..disc() }.prepare().expect_err("tips");
        assert_eq!(list[0].key, "height");
        let stiction::Error::TooLarge { limit: found, .. } = list[0].error else { panic!("{list:?}") };
        assert!((found / limit - 1.0).abs() < 1e-14);
    }
    // a rectangle: the corner of the short side, 1 = hμ √((6/a)² + (6/b)²)
    let plate = Patch {
        shape: Shape::Rectangle(Rectangle { length: 1.0, width: 0.5 }),
        pressure: Pressure::Uniform,
        ..disc()
    };
    let limit = 1.0 / (0.4 * 6f64.hypot(12.0));
    assert!(Patch { height: limit * 0.9999, ..plate.clone() }.prepare().is_ok());
    assert_fault(&Patch { height: limit * 1.0001, ..plate }, "height", "tip");
}

#[test]
fn at_the_greatest_height_the_skew_reaches_one_and_no_more() {
    let plate = Patch {
        shape: Shape::Rectangle(Rectangle { length: 1.0, width: 0.5 }),
        pressure: Pressure::Uniform,
        ..disc()
    };
    let contact = Patch { height: (1.0 - 1e-12) / (0.4 * 6f64.hypot(12.0)), ..plate }.prepare().unwrap();
    let mut most: f64 = 0.0;
    for i in 0..3600 {
        let a = i as f64 * 1e-3 * std::f64::consts::TAU / 3.6;
        let twist = stiction::patch::Twist { vx: a.cos(), vy: a.sin(), omega: 1e-9 };
        most = most.max(contact.skew(twist));
    }
    assert!(most <= 1.0 && most > 0.9999, "{most}");
}

#[test]
fn feet_on_a_line_cannot_hold_a_body_up() {
    let foot = |x: f64| Piece {
        shape: Shape::Disc(Disc { radius: 0.01 }),
        pressure: Pressure::Hertz,
        centre: [x, 0.0],
        share: 1.0,
    };
    let shape = Shape::Pieces(vec![foot(0.0), foot(0.2), foot(0.5)]);
    let patch = Patch { shape, pressure: Pressure::Uniform, ..disc() };
    assert!(patch.prepare().is_ok());
    assert_fault(&Patch { height: 1e-3, ..patch.clone() }, "height", "tip");
    let Shape::Pieces(mut pieces) = patch.shape.clone() else { unreachable!() };
    pieces[1].share = -1.0;
    pieces[2].shape = Shape::Pieces(vec![]);
    let bad = Patch { shape: Shape::Pieces(pieces), ..patch.clone() };
    assert_fault(&bad, "shape.pieces.1.share", "positive");
    assert_fault(&bad, "shape.pieces.2.shape", "in pieces");
    assert_fault(&Patch { shape: Shape::Pieces(vec![]), ..patch.clone() }, "shape.pieces", "at least 1");
    assert_fault(&Patch { pressure: Pressure::Galin, ..patch }, "pressure", "of its own");
}

#[test]
fn closures_exist_for_discs_and_rectangles() {
    let ring = Patch { shape: Shape::Ring(Ring { radius: 0.1 }), pressure: Pressure::Uniform, ..disc() };
    assert_fault(&Patch { closure: Closure::Pade1, ..ring }, "closure", "only discs and rectangles");
    let hertz = Patch {
        pressure: Pressure::Hertz,
        closure: Closure::Pade2,
        constants: Constants::AsPrinted,
        ..disc()
    };
    assert_fault(&hertz, "constants", "galin");
    let plate = Patch {
        shape: Shape::Rectangle(Rectangle { length: 1.0, width: 0.5 }),
        pressure: Pressure::Uniform,
        ..disc()
    };
    assert_fault(&Patch { closure: Closure::Pade1, height: 1e-3, ..plate }, "height", "no skewed pressure");
}

#[test]
fn the_generalised_law_must_not_drive() {
    // 1 + μ₁V³ − μ₂V touches zero at μ₂³ = 27μ₁/4
    assert!(Patch { mu1: 4.0, mu2: 2.999, ..disc() }.prepare().is_ok());
    assert_fault(&Patch { mu1: 4.0, mu2: 3.001, ..disc() }, "mu2", "at most 3");
    assert_fault(&Patch { mu1: 0.0, mu2: 0.1, ..disc() }, "mu2", "at most 0");
}

#[test]
fn a_patch_reads_as_it_is_written() {
    let text = r#"{
        "shape": { "polygon": { "vertices": [[0, 0], [1, 0], [0, 1]] } },
        "pressure": { "linear": { "gradient": [0.1, 0.2] } },
        "mu": 0.3, "load": 12
    }"#;
    let patch: Patch = serde_json::from_str(text).unwrap();
    assert!(patch.prepare().is_ok() && patch.closure == Closure::Exact && patch.width == 0.0);
    let again: Patch = serde_json::from_str(&serde_json::to_string(&patch).unwrap()).unwrap();
    assert_eq!(again, patch);
    let disc: Patch = serde_json::from_str(
        r#"{ "shape": { "disc": { "radius": 0.1 } }, "pressure": "galin", "mu": 0.3, "load": 1,
             "closure": "pade2", "constants": "as-printed" }"#,
    )
    .unwrap();
    assert_eq!(disc.constants, Constants::AsPrinted);
    assert!(serde_json::from_str::<Patch>(&text.replace("\"mu\"", "\"mue\": 1, \"mu\"")).is_err());
    assert!(serde_json::from_str::<Patch>(&text.replace("\"vertices\"", "\"corners\"")).is_err());
}
