//! The adaptive integrator while contacts rest: nothing moves, the load comes and goes, and velocities are
//! rounding.

use stiction::law::{FrictionLaw, Quinn};
use stiction::ode::{Adaptive, AdaptiveStepper, Method};
use stiction::system::{Dynamics, System};

const METHODS: [Method; 3] = [Method::Explicit, Method::Implicit, Method::Auto];

fn on_belt(mu: f64, width: f64, belt: f64, force: f64, omega: f64) -> System {
    let law = FrictionLaw::Quinn(Quinn { mu, width });
    let mut system = System::oscillator(1.0, 0.1, 1.0).with_friction(law).with_force(force, omega);
    system.contacts[0].belt = belt;
    system
}

#[test]
fn a_contact_breaks_away_the_first_time_its_load_is_too_large() {
    // it rides on the belt, u = b t, and must hold P sin t − c b − k b t
    let (mu, belt, force) = (3.2, 0.05, 2.9);
    let mut system = on_belt(mu, 0.1, belt, force, 1.0);
    system.velocity[0] = belt;
    let demand = |t: f64| force * libm::sin(t) - 0.1 * belt - belt * t;
    let scan = (0..).map(|k| 1e-3 * f64::from(k));
    let after = scan.into_iter().find(|t| demand(*t).abs() > mu).unwrap();
    let (mut a, mut b) = (after - 1e-3, after);
    for _ in 0..60 {
        let middle = 0.5 * (a + b);
        if demand(middle).abs() > mu { b = middle } else { a = middle }
    }
    assert!(b > 9.0, "the second trough of the load is the first that is too deep: {b}");
    for method in METHODS {
        for rtol in [1e-4, 1e-6, 1e-8, 1e-10] {
            let settings = Adaptive { rtol, atol: 1e-2 * rtol, method, ..Adaptive::default() };
            let mut dynamics = Dynamics::new(&system).unwrap();
            let mut stepper = AdaptiveStepper::new(&settings, &dynamics);
            let y = dynamics.initial_state();
            stepper.start(&mut dynamics, 0.0, &y).unwrap();
            while stepper.landed_on().is_empty() && stepper.t() < 100.0 {
                stepper.step(&mut dynamics, 100.0).unwrap();
            }
            let off = (stepper.t() - b).abs();
            // nothing has been integrated but a straight line
            assert!(off < 1e-12, "{method:?}, rtol {rtol:e}: {} instead of {b}", stepper.t());
        }
    }
}

#[test]
fn velocities_of_rounding_do_not_hold_up_a_run() {
    // at rest on a belt the sliding velocity is left at a few roundings of either sign, and kinks lie as
    // close
    for method in METHODS {
        for (mu, width) in [(3.2, 0.01), (3.2, 0.14), (2.1, 1e-3), (1.1, 0.14)] {
            for belt in [0.5, -0.7, 0.1, 0.3] {
                let system = on_belt(mu, width, belt, 4.0, 1.0);
                let settings = Adaptive { rtol: 1e-10, max_steps: 40_000, method, ..Adaptive::default() };
                let mut dynamics = Dynamics::new(&system).unwrap();
                let mut stepper = AdaptiveStepper::new(&settings, &dynamics);
                let y = dynamics.initial_state();
                stepper.start(&mut dynamics, 0.0, &y).unwrap();
                while stepper.t() < 50.0 {
                    let result = stepper.step(&mut dynamics, 50.0);
                    assert!(result.is_ok(), "{method:?}, mu {mu}, width {width}, belt {belt}: {result:?}");
                }
            }
        }
    }
}
