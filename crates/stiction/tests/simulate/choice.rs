//! Where static friction is above kinetic friction more than one continuation may be consistent: the run says
//! so.

use stiction::law::{Coulomb, FrictionLaw};
use stiction::math::Matrix;
use stiction::ode::Adaptive;
use stiction::simulate::{Integrator, Plan, drive};
use stiction::system::{Contact, Harmonic, System};
use stiction::{Progress, Warning};

fn engines() -> [Integrator; 2] {
    [Integrator::Exact, Integrator::Adaptive(Adaptive { rtol: 1e-11, atol: 1e-13, ..Adaptive::default() })]
}

/// A stack of blocks, each on springs to the ground: contact 0 on the ground, contact i between the blocks i
/// − 1 and i.
fn stack(masses: &[f64], stiffness: &[f64], mu: &[[f64; 2]], force: &[f64], omega: f64) -> System {
    let n = masses.len();
    let contact = |i: usize| {
        let mut direction = vec![0.0; n];
        direction[i] = 1.0;
        if i > 0 {
            direction[i - 1] = -1.0;
        }
        let law = FrictionLaw::Coulomb(Coulomb { mu: mu[i][0], mu_static: Some(mu[i][1]) });
        Contact { friction: law.into(), load: 1.0, direction, belt: 0.0 }
    };
    System {
        mass: Matrix::diagonal(masses),
        damping: Matrix::zeros(n, n),
        stiffness: Matrix::diagonal(stiffness),
        contacts: (0..n).map(contact).collect(),
        constant: vec![0.0; n],
        harmonics: vec![Harmonic { amplitude: force.to_vec(), omega, phase: 0.0 }],
        position: vec![0.0; n],
        velocity: vec![0.0; n],
        elements: Default::default(),
    }
}

/// Time and contacts of the warning.
fn choice(system: &System, integrator: &Integrator, t_end: f64) -> Option<(f64, Vec<usize>)> {
    let record = drive(system, integrator, &Plan::new(t_end, 0), &mut Progress::none()).unwrap();
    let mut all = record.warnings.into_iter().filter_map(|warning| match warning {
        Warning::SeveralContinuations { t, contacts } => Some((t, contacts)),
        _ => None,
    });
    let first = all.next();
    assert_eq!(all.next(), None);
    first
}

/// The push sin t is carried by both contacts, until the lower one reaches its static limit at 0.4 N: it may
/// slip, or the upper one, which has less kinetic friction.
#[test]
fn a_stack_in_which_either_contact_may_slip_is_reported() {
    let pushed = |mu: [[f64; 2]; 2]| stack(&[1.0, 1.0], &[0.0, 0.0], &mu, &[0.0, 1.0], 1.0);
    for engine in engines() {
        let (t, contacts) = choice(&pushed([[0.32, 0.4], [0.3, 0.45]]), &engine, 1.0).unwrap();
        assert!((t - 0.4f64.asin()).abs() < 1e-9, "{}: {t}", engine.name());
        assert_eq!(contacts, [0, 1]);
        for mu in [[[0.4, 0.4], [0.45, 0.45]], [[0.32, 0.4], [0.42, 0.45]]] {
            assert_eq!(choice(&pushed(mu), &engine, 1.0), None, "{}", engine.name());
        }
        // at the start a load that is there at once
        let mut at_once = pushed([[0.32, 0.4], [0.3, 0.38]]);
        at_once.harmonics.clear();
        at_once.constant[1] = 0.42;
        assert_eq!(choice(&at_once, &engine, 1.0), Some((0.0, vec![0, 1])), "{}", engine.name());
    }
}

/// The engines measure how far a contact is beyond its limit in different units and may choose differently;
/// both say so, of the same event.
#[test]
fn both_engines_report_the_same_first_choice() {
    let mut seed = 88_172_645_463_325_252u64;
    let mut random = move || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed >> 11) as f64 / (1u64 << 53) as f64
    };
    let mut n_reported = 0;
    for n in [2, 3].repeat(50) {
        let mut list = |from: f64, to: f64| (0..n).map(|_| from + (to - from) * random()).collect::<Vec<_>>();
        let (masses, stiffness, force) = (list(0.5, 1.5), list(0.5, 1.5), list(-2.0, 2.0));
        let (mu, excess, omega) = (list(0.3, 1.2), list(0.0, 0.5), list(0.5, 1.5)[0]);
        let system = |excess: &dyn Fn(usize) -> f64| {
            let mu: Vec<_> = (0..n).map(|i| [mu[i], mu[i] * (1.0 + excess(i))]).collect();
            stack(&masses, &stiffness, &mu, &force, omega)
        };
        let [a, b] = engines().map(|engine| {
            assert_eq!(choice(&system(&|_| 0.0), &engine, 20.0), None);
            choice(&system(&|i| excess[i]), &engine, 20.0)
        });
        n_reported += usize::from(a.is_some());
        let is_same = match (&a, &b) {
            (Some(a), Some(b)) => (a.0 - b.0).abs() < 1e-7 && a.1 == b.1,
            _ => a == b,
        };
        assert!(is_same, "{a:?} {b:?}");
    }
    assert!(n_reported > 10, "{n_reported}");
}
