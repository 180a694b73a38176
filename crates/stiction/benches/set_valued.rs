//! A set-valued law against the same law with a narrow ramp through zero: the belt cycle m = k = 1, belt 0.2, slip force 1/(1 + 3|v|).

use std::time::Instant;
use stiction::Progress;
use stiction::event::EventKind;
use stiction::law::{Expression, FrictionLaw, Stribeck, Weakening};
use stiction::ode::Adaptive;
use stiction::simulate::{Integrator, Plan, drive};
use stiction::system::System;

/// The period, from quadratures in many digits (s).
const PERIOD: f64 = 12.001_031_294_830_578;
/// The regularised laws are run with error control far below the error of their width, and the narrowest need not be better.
const RTOL: f64 = 1e-10;

/// Runs of each law.
const RUNS: usize = 9;

fn measure(name: &str, law: FrictionLaw, rtol: f64) {
    let mut system = System::oscillator(1.0, 0.0, 1.0).with_friction(law);
    system.contacts[0].belt = 0.2;
    let adaptive = Integrator::Adaptive(Adaptive { rtol, atol: 1e-2 * rtol, ..Adaptive::default() });
    // the least of several runs: what else goes on only adds
    let mut seconds = f64::INFINITY;
    let mut run = || {
        let start = Instant::now();
        let record = drive(&system, &adaptive, &Plan::new(60.0, 2), &mut Progress::none()).unwrap();
        seconds = seconds.min(start.elapsed().as_secs_f64());
        record
    };
    (1..RUNS).for_each(|_| drop(run()));
    let record = run();
    let slips: Vec<f64> =
        record.events.iter().filter(|event| event.kind == EventKind::Slip).map(|event| event.t).collect();
    let error = (slips[slips.len() - 1] - slips[slips.len() - 2] - PERIOD).abs();
    println!(
        "{name:<28} {:>9} steps {:>10} evaluations {:>10.3} ms   error of the period {error:9.1e} s",
        record.work.steps,
        record.work.evaluations,
        1e3 * seconds
    );
}

fn main() {
    let stribeck = |width: Option<f64>| {
        let (mu, mu_static, velocity, exponent) = (0.0, 1.0, 1.0 / 3.0, None);
        let weakening = Weakening::Hyperbolic;
        FrictionLaw::Stribeck(Stribeck { mu, mu_static, velocity, width, weakening, exponent })
    };
    for width in [1e-2, 1e-4, 1e-6, 1e-8] {
        measure(&format!("regularised, width {width:e}"), stribeck(Some(width)), RTOL);
    }
    measure("set-valued", stribeck(None), 1e-12);
    let formula = FrictionLaw::Expression(Expression::new("sign(v)/(1 + 3*abs(v))", &[]));
    measure("set-valued, by its formula", formula, 1e-12);
}
