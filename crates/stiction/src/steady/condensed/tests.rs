//! Against the adaptive integrator, and the equations of motion.

use super::super::flow::Flow;
use super::super::newton::walk;
use super::*;
use crate::Progress;
use crate::law::{FrictionLaw, Tanh, Trigonometric};
use crate::simulate::Integrator;
use crate::system::Harmonic;

fn flow(propagator: Box<dyn Propagator>) -> Flow<'static> {
    Flow::new(propagator, Progress::none(), 1.0)
}

/// Five masses between springs, two contacts, one on a belt.
fn chain(laws: [FrictionLaw; 2], beta: f64) -> System {
    let n = 5;
    let mut stiffness = Matrix::diagonal(&[2.0, 2.0, 2.0, 2.0, 1.0]);
    for i in 1..n {
        (*stiffness.at_mut(i, i - 1), *stiffness.at_mut(i - 1, i)) = (-1.0, -1.0);
    }
    stiffness.data.iter_mut().for_each(|k| *k *= 3.0);
    let unit = |at: usize| (0..n).map(|i| f64::from(u8::from(i == at))).collect::<Vec<f64>>();
    let contact = |law: FrictionLaw, at: usize, belt: f64| {
        let friction = crate::law::Friction { law, viscous: 0.02 };
        Contact { friction, load: 1.0, direction: unit(at), belt }
    };
    let [a, b] = laws;
    System {
        elements: Default::default(),
        mass: Matrix::diagonal(&[1.0, 0.5, 2.0, 1.0, 0.7]),
        damping: Matrix { data: stiffness.data.iter().map(|k| beta * k).collect(), ..stiffness },
        stiffness,
        contacts: vec![contact(a, 1, 0.0), contact(b, 4, 0.2)],
        constant: vec![0.0, 0.1, 0.0, 0.0, 0.0],
        harmonics: vec![
            Harmonic { amplitude: unit(0), omega: 0.9, phase: 0.3 },
            Harmonic { amplitude: unit(3), omega: 1.8, phase: 0.0 },
        ],
        position: vec![0.0; n],
        velocity: vec![0.0; n],
    }
}

#[test]
fn a_period_and_its_derivative_are_those_of_the_adaptive_integrator() {
    let tanh = |width: f64| FrictionLaw::Tanh(Tanh { mu: 0.3, width });
    let trigonometric =
        FrictionLaw::Trigonometric(Trigonometric { mu: 0.3, width: 0.2, rise: None, rise_height: None });
    let settings = Adaptive { rtol: 1e-12, atol: 1e-14, ..Adaptive::default() };
    for (laws, beta) in [
        ([tanh(0.1), tanh(0.02)], 0.01),
        ([tanh(1e-3), trigonometric.clone()], 0.3),
        ([trigonometric, tanh(0.5)], 0.0),
    ] {
        let system = chain(laws, beta);
        let period = system.period().unwrap();
        let mut condensed = flow(Box::new(CondensedFlow::new(&system, &settings).unwrap()));
        let mut smooth = flow(Integrator::Adaptive(settings.clone()).propagator(&system).unwrap());
        let x: Vec<f64> = (0..10).map(|i| 0.3 * libm::sin(1.7 * i as f64)).collect();
        let (mut a, mut b) = (x.clone(), x.clone());
        let (mut slopes_a, mut slopes_b) = (Matrix::zeros(10, 10), Matrix::zeros(10, 10));
        walk(&mut condensed, period, &mut a, Some(&mut slopes_a)).unwrap();
        walk(&mut smooth, period, &mut b, Some(&mut slopes_b)).unwrap();
        let off = a.iter().zip(&b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        let slopes = slopes_a.data.iter().zip(&slopes_b.data).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        println!("beta {beta}: states apart by {off:.1e}, derivatives by {slopes:.1e}");
        assert!(off < 1e-10, "beta {beta}: {off:e}");
        assert!(slopes < 1e-6, "beta {beta}: {slopes:e}");
    }
}

#[test]
fn a_contact_that_does_not_move_is_no_obstacle() {
    let tanh = FrictionLaw::Tanh(Tanh { mu: 0.3, width: 0.1 });
    let mut system = chain([tanh.clone(), tanh], 0.01);
    system.contacts.truncate(1);
    system.constant.fill(0.0);
    system.harmonics.iter_mut().for_each(|tone| tone.amplitude = vec![0.0, 0.0, 0.0, 0.0, 1.0]);
    // node 1 is cut off from the rest
    for i in [0, 2, 3, 4] {
        for matrix in [&mut system.stiffness, &mut system.damping] {
            (*matrix.at_mut(1, i), *matrix.at_mut(i, 1)) = (0.0, 0.0);
        }
    }
    let settings = Adaptive { rtol: 1e-12, atol: 1e-14, ..Adaptive::default() };
    let mut flow = flow(Box::new(CondensedFlow::new(&system, &settings).unwrap()));
    let mut x = vec![0.0; 10];
    walk(&mut flow, system.period().unwrap(), &mut x, None).unwrap();
    assert!(x[1] == 0.0 && x[4].abs() > 1e-3, "{x:?}");
}

#[test]
fn the_motion_inside_a_step_obeys_its_equation() {
    let tanh = |width: f64| FrictionLaw::Tanh(Tanh { mu: 0.3, width });
    let system = chain([tanh(0.1), tanh(0.05)], 0.02);
    let settings = Adaptive { rtol: 1e-12, atol: 1e-14, ..Adaptive::default() };
    let mut flow = CondensedFlow::new(&system, &settings).unwrap();
    flow.begin(0.0, &[0.1; 10]).unwrap();
    let mut motion = Motion::zero(5, 2);
    for _ in 0..40 {
        let from = flow.t();
        flow.step(f64::MAX).unwrap();
        for part in [0.0, 0.2, 0.7, 1.0] {
            let t = from + part * (flow.t() - from);
            flow.motion(t, &mut motion);
            let mut force = system.constant.clone();
            for tone in &system.harmonics {
                let sine = libm::sin(tone.omega * t + tone.phase);
                force.iter_mut().zip(&tone.amplitude).for_each(|(f, a)| *f += a * sine);
            }
            system.mass.add_product(-1.0, &motion.acceleration, &mut force);
            system.damping.add_product(-1.0, &motion.velocity, &mut force);
            system.stiffness.add_product(-1.0, &motion.position, &mut force);
            for (contact, friction) in system.contacts.iter().zip(&motion.friction) {
                force.iter_mut().zip(&contact.direction).for_each(|(f, w)| *f -= w * friction);
            }
            // between its nodes the polynomial of the friction is off by what the error control allows over a
            // step
            assert!(force.iter().all(|f| f.abs() < 1e-8), "{t}: {force:?}");
        }
    }
}
