//! What things cost: the same work at any length, for instruction counts and for timings.
//!
//! The instructions of a case are the difference of two lengths, so that whatever comes before the first unit
//! cancels.

use crate::golden::root;
use std::f64::consts::TAU;
use std::hint::black_box;
use stiction::Progress;
use stiction::body::Body;
use stiction::exact::Exact;
use stiction::law::{Coulomb, FrictionLaw, Trigonometric};
use stiction::math::Matrix;
use stiction::ode::Adaptive;
use stiction::patch::{Disc, Patch, PatchFriction, Pressure, Rectangle, Shape, Twist};
use stiction::simulate::{Integrator, Plan, Record, drive};
use stiction::steady::{Steady, sweep};
use stiction::system::{Contact, Harmonic, System};
use stiction_study::Study;

/// One case: a name, what a unit of it is, and the work of so many units.
#[derive(Clone, Copy)]
pub struct CostCase {
    /// Its name, in kebab case.
    pub name: &'static str,
    /// What is counted.
    pub unit: &'static str,
    /// Length at which it is counted; its double is the second one.
    pub length: usize,
    /// Does the work of a length, and returns the units done.
    pub run: fn(usize) -> u64,
}

/// All cases.
pub const COSTS: &[CostCase] = &[
    CostCase { name: "engine", unit: "event", length: 500, run: engine },
    CostCase { name: "facts", unit: "event", length: 200, run: |n| reported(n, 0) },
    CostCase { name: "facts-two-masses", unit: "event", length: 20, run: two_masses_with_facts },
    CostCase { name: "samples", unit: "sample", length: 4000, run: |n| reported(20, n) },
    CostCase { name: "adaptive", unit: "period", length: 20, run: adaptive },
    CostCase { name: "body", unit: "run", length: 3, run: body },
    CostCase { name: "wrench-disc", unit: "wrench", length: 4096, run: |n| wrenches(&disc(), n) },
    CostCase { name: "wrench-rectangle", unit: "wrench", length: 4096, run: |n| wrenches(&rectangle(), n) },
    CostCase { name: "response", unit: "point", length: 100, run: response },
    CostCase { name: "study", unit: "run", length: 10, run: study },
];

/// `examples/stick_slip.toml`.
pub fn stick_slip() -> System {
    forced(0.5)
}

fn forced(omega: f64) -> System {
    let law = FrictionLaw::Coulomb(Coulomb { mu: 1.0, mu_static: None });
    System::oscillator(1.0, 0.1, 1.0).with_friction(law).with_force(2.0, omega)
}

/// `examples/trigonometric_resonance.toml` with a steeper law.
pub fn smooth() -> System {
    let law =
        FrictionLaw::Trigonometric(Trigonometric { mu: 1.6, width: 0.02, rise: None, rise_height: None });
    System::oscillator(1.0, 0.1, 1.0).with_friction(law).with_force(4.0, 1.0)
}

/// Time of so many periods of `stick_slip` (s).
pub fn periods(n: usize) -> f64 {
    n as f64 * TAU / 0.5
}

/// The bare engine: from event to event, nothing reported. Returns the events.
pub fn engine(n: usize) -> u64 {
    let t_end = periods(n);
    let Ok(mut exact) = Exact::new(&stick_slip()) else { return 0 };
    let mut events = 0;
    while exact.t() < t_end && exact.step(t_end).is_ok() {
        events += exact.events().len() as u64;
    }
    black_box(exact.t());
    events
}

/// A run of the driver.
pub fn driven(system: &System, integrator: &Integrator, t_end: f64, samples: usize) -> Record {
    let plan = Plan::new(t_end, samples);
    drive(system, integrator, &plan, &mut Progress::none()).unwrap_or_default()
}

/// Work, extrema and samples of the exact engine. Returns samples, or events without any.
fn reported(n: usize, samples: usize) -> u64 {
    let record = black_box(driven(&stick_slip(), &Integrator::Exact, periods(n), samples));
    if samples > 0 { samples as u64 } else { record.events.len() as u64 }
}

/// The masses of `examples/two_masses.toml` under Coulomb's law.
fn two_masses_with_facts(n: usize) -> u64 {
    let contact = |load: f64, direction: [f64; 2]| Contact {
        friction: FrictionLaw::Coulomb(Coulomb { mu: 0.3, mu_static: None }).into(),
        load,
        direction: direction.to_vec(),
        belt: 0.0,
    };
    let matrix = |[a, b, c]: [f64; 3]| {
        let mut matrix = Matrix::diagonal(&[a, c]);
        (*matrix.at_mut(0, 1), *matrix.at_mut(1, 0)) = (b, b);
        matrix
    };
    let system = System {
        elements: Default::default(),
        mass: Matrix::diagonal(&[1.0, 0.5]),
        damping: matrix([0.1, -0.05, 0.05]),
        stiffness: matrix([2.0, -1.0, 1.0]),
        contacts: vec![contact(1.0, [1.0, 0.0]), contact(0.5, [0.0, 1.0])],
        constant: vec![0.0; 2],
        harmonics: vec![Harmonic { amplitude: vec![0.0, 1.2], omega: 0.7, phase: 0.0 }],
        position: vec![0.0; 2],
        velocity: vec![0.0; 2],
    };
    driven(&system, &Integrator::Exact, n as f64 * TAU / 0.7, 0).events.len() as u64
}

/// Tolerances of the adaptive case.
pub fn tight() -> Integrator {
    Integrator::Adaptive(Adaptive { rtol: 1e-9, atol: 1e-9, ..Adaptive::default() })
}

/// By the period: evaluations cost less than work and extrema, and a better method takes fewer.
fn adaptive(n: usize) -> u64 {
    black_box(driven(&smooth(), &tight(), n as f64 * TAU, 0));
    n as u64
}

/// `examples/spinning_disc.toml`.
pub fn spinning_disc() -> Body {
    let patch = Patch::new(Shape::Disc(Disc { radius: 0.1 }), Pressure::Uniform, 0.2, 0.0);
    Body { velocity: [1.0, 0.0], spin: 30.0, ..Body::new(1.0, 0.005, patch) }
}

fn body(n: usize) -> u64 {
    for _ in 0..n {
        let Ok(mut simulation) = spinning_disc().simulation(&Adaptive::default()) else { return 0 };
        black_box(simulation.run(1.5, &[], &mut Progress::none()).is_ok());
    }
    n as u64
}

fn patch(shape: Shape) -> Option<PatchFriction> {
    Patch::new(shape, Pressure::Uniform, 0.3, 10.0).prepare().ok()
}

/// A uniform disc.
pub fn disc() -> Option<PatchFriction> {
    patch(Shape::Disc(Disc { radius: 0.1 }))
}

/// A uniform rectangle.
pub fn rectangle() -> Option<PatchFriction> {
    patch(Shape::Rectangle(Rectangle { length: 0.16, width: 0.12 }))
}

/// Sums wrenches over twists whose velocities fill the unit square and whose spins reach the rim's.
pub fn wrenches(patch: &Option<PatchFriction>, n: usize) -> u64 {
    let Some(patch) = patch else { return 0 };
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 53) as f64 * 2.0 - 1.0
    };
    let mut sum = 0.0;
    for _ in 0..n {
        let wrench = patch.wrench(Twist { vx: random(), vy: random(), omega: 10.0 * random() });
        sum += wrench.fx + wrench.fy + wrench.mz;
    }
    black_box(sum);
    n as u64
}

/// Steady states along the frequency, 0.3 to 1.8 rad/s.
pub fn response(n: usize) -> u64 {
    let values: Vec<f64> = (0..n).map(|i| 0.3 + 1.5 * i as f64 / n as f64).collect();
    let points = sweep(&Steady::default(), &forced, &values, &mut Progress::none());
    points.map_or(0, |points| points.iter().filter(|point| point.orbit.is_ok()).count() as u64)
}

/// From text to facts and columns: `examples/stick_slip.toml`.
fn study(n: usize) -> u64 {
    let Ok(text) = std::fs::read_to_string(root().join("examples/stick_slip.toml")) else { return 0 };
    for _ in 0..n {
        let Ok(study) = Study::read("stick_slip", &text, &[]) else { return 0 };
        black_box(study.run(&mut Progress::none()).is_ok());
    }
    n as u64
}
