//! Observed orders of the integrators where the law is smooth, against closed forms and the reference of
//! another program.

use std::f64::consts::TAU;
use stiction::Progress;
use stiction::law::{FrictionLaw, Law, Linear, Slip, Tanh};
use stiction::ode::{Adaptive, Method};
use stiction::simulate::{Integrator, Plan, Record, drive};
use stiction::system::System;

const T_END: f64 = 20.0 * TAU;
/// Leading errors at these steps are within a few per cent of a pure power, which moves an order by less.
const OFF: f64 = 0.2;

fn run(law: FrictionLaw, integrator: &Integrator) -> Record {
    let system = System::oscillator(1.0, 0.1, 1.0).with_friction(law).with_force(4.0, 1.0);
    let plan = Plan {
        t_end: T_END,
        window: [0.0, T_END],
        times: vec![T_END],
        lands_on_times: true,
        max_steps: None,
    };
    drive(&system, integrator, &plan, &mut Progress::none()).unwrap()
}

fn smooth() -> FrictionLaw {
    FrictionLaw::Tanh(Tanh { mu: 1.6, width: 1.0 })
}

/// Position and velocity at the end with the smooth law (see `reference/adaptive_laws.py`).
fn reference() -> [f64; 2] {
    let table = include_str!("../reference/adaptive_laws.csv");
    let key = r#"oscillator;{"tanh": {"mu": 1.6, "width": 1.0}};"#;
    let row: Vec<&str> = table.lines().find(|line| line.starts_with(key)).unwrap().split(';').collect();
    [row[5].parse().unwrap(), row[7].parse().unwrap()]
}

/// Errors of the motion and of the friction force.
fn errors(record: &Record, law: &FrictionLaw, [u, v]: [f64; 2]) -> [f64; 2] {
    let samples = &record.samples;
    let motion = (samples.position[0][0] - u).abs().max((samples.velocity[0][0] - v).abs());
    [motion, (samples.friction[0][0] - law.coefficient(Slip::at(v))).abs()]
}

/// Asserts the order in which the errors fall when a period has 2n steps in place of n: of motion, friction
/// force and one more. Returns the finer run.
fn assert_order(
    order: f64,
    (law, exact): (&FrictionLaw, [f64; 2]),
    integrator: fn(f64) -> Integrator,
    n: f64,
    more: fn(&Record) -> Option<(&'static str, f64)>,
) -> Record {
    let [coarse, fine] = [n, 2.0 * n].map(|n| run(law.clone(), &integrator(TAU / n)));
    let all = |record: &Record| {
        let [motion, friction] = errors(record, law, exact);
        [("motion", motion), ("friction", friction)].into_iter().chain(more(record))
    };
    for ((what, a), (_, b)) in all(&coarse).zip(all(&fine)) {
        let observed = libm::log2(a / b);
        assert!((observed - order).abs() < OFF, "{what}: order {observed}, {a:e} {b:e}");
    }
    fine
}

fn rk4(step: f64) -> Integrator {
    Integrator::Rk4 { step }
}

fn incremental(step: f64) -> Integrator {
    Integrator::Incremental { step }
}

#[test]
fn rk4_has_order_4_and_so_has_its_energy_balance() {
    assert_order(4.0, (&smooth(), reference()), rk4, 800.0, |record| {
        Some(("energy", record.energy_residual()))
    });
}

#[test]
fn the_incremental_scheme_has_order_1_in_everything_where_the_slope_changes() {
    assert_order(1.0, (&smooth(), reference()), incremental, 1600.0, |record| {
        Some(("drift", record.drift.unwrap()))
    });
}

#[test]
fn the_incremental_scheme_has_order_2_where_the_slope_is_constant() {
    // a ramp so wide that it is never left
    let (mu, width) = (1.6, 40.0);
    let law = FrictionLaw::Linear(Linear { mu, width, rise: None, rise_height: None });
    // ü + d u̇ + u = P sin t from rest, at t = T_END where sin t = 0 and cos t = 1
    let (d, p) = (0.1 + mu / width, 4.0);
    let w = (1.0 - 0.25 * d * d).sqrt();
    let (sin, cos, e) = (libm::sin(w * T_END), libm::cos(w * T_END), libm::exp(-0.5 * d * T_END));
    let exact = [p / d * (e * (cos + 0.5 * d / w * sin) - 1.0), -p / (d * w) * e * sin];
    let fine = assert_order(2.0, (&law, exact), incremental, 400.0, |_| None);
    // on a straight line the carried force stays on the law, up to the rounding of its additions
    assert!(fine.drift.unwrap() < 1e-12, "{:?}", fine.drift);
}

#[test]
fn the_energy_balance_of_the_incremental_scheme_shows_rounding_only() {
    for n in [100.0, 1000.0] {
        let record = run(smooth(), &Integrator::Incremental { step: TAU / n });
        // some 10⁴ additions, each rounded to 1e-16
        assert!(record.energy_residual().abs() < 1e-12 * record.total.work_in, "{n}");
    }
}

#[test]
fn adaptive_errors_follow_the_tolerance() {
    // a step may err by rtol times the size of the motion, 20; damping forgets errors within some 20 s, which
    // are 100 steps.
    // met: below 10, but 228 at rtol = 1e-8, from one explicit step that ends in the foot of the law (see
    // `dop853.rs`)
    const GROWTH: f64 = 20.0 * 100.0;
    // down to the error of the reference
    const REFERENCE: f64 = 1e-11;
    for (method, order) in [(Method::Explicit, 8.0), (Method::Implicit, 4.0), (Method::Auto, 8.0)] {
        let mut steps = Vec::new();
        for k in 3..=11 {
            let rtol = libm::pow(10.0, -f64::from(k));
            let settings = Adaptive { rtol, atol: 1e-2 * rtol, method, ..Adaptive::default() };
            let record = run(smooth(), &Integrator::Adaptive(settings));
            let [error, _] = errors(&record, &smooth(), reference());
            assert!(error < GROWTH * rtol + REFERENCE, "{method:?}, rtol {rtol:e}: {error:e}");
            let residual = record.energy_residual().abs();
            assert!(residual < rtol * record.total.work_in, "{method:?}, rtol {rtol:e}: {residual:e}");
            steps.push(record.work.steps as f64);
        }
        // over the last three decades the steps shorten as their error estimate wants
        let n = steps.len();
        let observed = 3.0 / libm::log10(steps[n - 1] / steps[n - 4]);
        assert!((observed / order - 1.0).abs() < 0.1, "{method:?}: order {observed}, steps {steps:?}");
    }
}
