//! No step of any method allocates, for any law: a long run asks for as much memory as a short one.

use crate::counting;
use stiction::Progress;
use stiction::law::{FrictionLaw, Graph, Law};
use stiction::math::Matrix;
use stiction::ode::{Adaptive, Method};
use stiction::simulate::{Integrator, Plan, drive};
use stiction::system::{Contact, Harmonic, System};

fn allocations(system: &System, integrator: &Integrator, t_end: f64) -> (u64, u64) {
    let plan =
        Plan { t_end, window: [0.0, t_end], times: vec![0.0, t_end], lands_on_times: true, max_steps: None };
    let before = counting::allocations();
    let record = drive(system, integrator, &plan, &mut Progress::none()).unwrap();
    (counting::allocations() - before, record.work.steps)
}

/// One and two degrees of freedom with this law, and contacts that depend on each other.
fn systems(law: &FrictionLaw) -> [System; 3] {
    let one = System::oscillator(1.0, 0.1, 1.0).with_friction(law.clone()).with_force(4.0, 1.0);
    let contact = |direction: [f64; 2]| Contact {
        friction: law.clone().into(),
        load: 1.0,
        direction: direction.to_vec(),
        belt: 0.1,
    };
    let two = System {
        elements: Default::default(),
        mass: Matrix { n_rows: 2, n_cols: 2, data: vec![2.0, 0.1, 0.1, 1.0] },
        damping: Matrix::diagonal(&[0.1, 0.1]),
        stiffness: Matrix { n_rows: 2, n_cols: 2, data: vec![2.0, -1.0, -1.0, 1.0] },
        contacts: vec![contact([1.0, 0.0]), contact([-1.0, 1.0])],
        constant: vec![0.0; 2],
        harmonics: vec![Harmonic { amplitude: vec![0.0, 3.0], omega: 1.0, phase: 0.0 }],
        position: vec![0.0; 2],
        velocity: vec![0.0; 2],
    };
    let mut redundant = two.clone();
    redundant.contacts.extend([contact([0.0, 1.0]), contact([1.0, 0.0])]);
    [one, two, redundant]
}

#[test]
fn a_run_ten_times_as_long_allocates_no_more() {
    let step = 1e-3;
    let adaptive = |method| Integrator::Adaptive(Adaptive { rtol: 1e-6, method, ..Adaptive::default() });
    let integrators = [
        Integrator::Incremental { step },
        Integrator::Rk4 { step },
        adaptive(Method::Auto),
        adaptive(Method::Explicit),
        adaptive(Method::Implicit),
    ];
    let mut n_compared = 0;
    for law in FrictionLaw::examples() {
        // so that rk4 stays stable at this step
        if law.steepest() > 500.0 && law.graph() == Graph::Continuous {
            continue;
        }
        // contacts in parallel say something new where they rest
        let n_systems = if law.graph() == Graph::SetValued { 3 } else { 2 };
        for system in systems(&law).into_iter().take(n_systems) {
            for integrator in &integrators {
                if !stiction::Faults::of(|faults| integrator.admit(&system, faults)).is_empty() {
                    continue;
                }
                let (short, few) = allocations(&system, integrator, 2.0);
                let (long, many) = allocations(&system, integrator, 20.0);
                assert!(many > 2 * few, "{law:?} {integrator:?}");
                assert_eq!(short, long, "{} on {law:?}, {few} and {many} steps", integrator.name());
                n_compared += 1;
            }
        }
    }
    assert!(n_compared > 100, "{n_compared}");
}
