//! The adaptive integrator against known solutions.

use crate::kinked;
use std::f64::consts::PI;

use crate::kinked::Kinked;
use crate::phases::Phases;
use stiction::Error;
use stiction::ode::{Adaptive, AdaptiveStepper, Method, Ode, Work};

const METHODS: [Method; 3] = [Method::Explicit, Method::Implicit, Method::Auto];

fn settings(method: Method, rtol: f64) -> Adaptive {
    Adaptive { rtol, atol: 1e-2 * rtol, method, ..Adaptive::default() }
}

/// The state at `t_end`, and the work.
fn run(settings: &Adaptive, ode: &mut dyn Ode, y: &[f64], t_end: f64) -> Result<(Vec<f64>, Work), Error> {
    let mut stepper = AdaptiveStepper::new(settings, ode);
    stepper.start(ode, 0.0, y)?;
    while stepper.t() < t_end {
        stepper.step(ode, t_end)?;
    }
    assert_eq!(stepper.t().to_bits(), t_end.to_bits(), "the run must end on t_end bit by bit");
    Ok((stepper.y().to_vec(), stepper.work()))
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// A problem made of functions, with an estimate of its stiffness and without passive components.
struct Given<F, J, S> {
    n: usize,
    rhs: F,
    jacobian: J,
    n_guards: usize,
    guards: S,
    stiffness: f64,
}

impl<F, J, S> Ode for Given<F, J, S>
where
    F: Fn(f64, &[f64], &mut [f64]),
    J: Fn(f64, &[f64], &mut [f64]),
    S: Fn(f64, &[f64], &mut [f64]),
{
    fn n(&self) -> usize {
        self.n
    }

    fn rhs(&mut self, t: f64, y: &[f64], dy: &mut [f64]) {
        (self.rhs)(t, y, dy);
    }

    fn jacobian(&mut self, t: f64, y: &[f64], jac: &mut [f64]) {
        (self.jacobian)(t, y, jac);
    }

    fn n_guards(&self) -> usize {
        self.n_guards
    }

    fn guards(&mut self, t: f64, y: &[f64], out: &mut [f64]) {
        (self.guards)(t, y, out);
    }

    fn stiffness(&mut self, _t: f64, _y: &[f64]) -> f64 {
        self.stiffness
    }
}

fn no_guards(_t: f64, _y: &[f64], _out: &mut [f64]) {}

/// ü = −u, with `n_guards` given.
fn harmonic(n_guards: usize, guards: impl Fn(f64, &[f64], &mut [f64])) -> impl Ode {
    Given {
        n: 2,
        rhs: |_, y: &[f64], dy: &mut [f64]| (dy[0], dy[1]) = (y[1], -y[0]),
        jacobian: |_, _: &[f64], jac: &mut [f64]| jac.copy_from_slice(&[0.0, 1.0, -1.0, 0.0]),
        n_guards,
        guards,
        stiffness: 1.0,
    }
}

#[test]
fn the_harmonic_oscillator_keeps_its_phase() {
    // ten turns at rtol: the global error is a small multiple of the tolerance times the number of turns
    for (rtol, bound) in [(1e-6, 1e-4), (1e-9, 1e-7), (1e-12, 1e-10)] {
        for method in METHODS {
            let t_end = 20.0 * PI;
            let (y, _) =
                run(&settings(method, rtol), &mut harmonic(0, no_guards), &[1.0, 0.0], t_end).unwrap();
            let exact = [libm::cos(t_end), -libm::sin(t_end)];
            let error = distance(&y, &exact);
            assert!(error < bound, "{method:?}, rtol {rtol:e}: {error:e}");
        }
    }
}

#[test]
fn dense_output_follows_the_solution_inside_every_step() {
    // the explicit interpolant errs by some ten times the step; the implicit one is of order 3 only
    for (method, bound) in [(Method::Explicit, 1e-8), (Method::Implicit, 1e-6)] {
        let mut ode = harmonic(0, no_guards);
        let mut stepper = AdaptiveStepper::new(&settings(method, 1e-10), &ode);
        stepper.start(&mut ode, 0.0, &[1.0, 0.0]).unwrap();
        let mut y = [0.0; 2];
        while stepper.t() < 10.0 {
            stepper.step(&mut ode, 10.0).unwrap();
            let (a, b) = (stepper.t_old(), stepper.t());
            for i in 0..=8 {
                let t = a + (b - a) * f64::from(i) / 8.0;
                stepper.dense(&mut ode, t, &mut y);
                let error = distance(&y, &[libm::cos(t), -libm::sin(t)]);
                assert!(error < bound, "{method:?}, t = {t}: {error:e}");
            }
            stepper.dense(&mut ode, a, &mut y);
            assert_eq!(y, stepper.y_old());
            stepper.dense(&mut ode, b, &mut y);
            assert_eq!(y, stepper.y());
        }
    }
}

#[test]
fn a_stiff_linear_problem_costs_few_steps() {
    const LAMBDA: f64 = -1e6;
    // ẏ = λ (y − cos t) − sin t from y = 2: e^{λt} + cos t
    for method in [Method::Implicit, Method::Auto] {
        let mut ode = Given {
            n: 1,
            rhs: |t, y: &[f64], dy: &mut [f64]| dy[0] = LAMBDA * (y[0] - libm::cos(t)) - libm::sin(t),
            jacobian: |_, _: &[f64], jac: &mut [f64]| jac[0] = LAMBDA,
            n_guards: 0,
            guards: no_guards,
            stiffness: -LAMBDA,
        };
        let (y, work) = run(&settings(method, 1e-9), &mut ode, &[2.0], 10.0).unwrap();
        assert!((y[0] - libm::cos(10.0)).abs() < 1e-8, "{method:?}: {}", y[0]);
        // an explicit method would need 10 · 10⁶ / 6 of them
        assert!(work.steps < 600, "{method:?}: {work:?}");
        assert!(work.factorisations < 400 && work.jacobians < 20, "{method:?}: {work:?}");
    }
}

#[test]
fn van_der_pol_agrees_with_the_published_solution() {
    const EPS: f64 = 1e-6;
    // @mazzia2008, problem VDPOL at t = 2; LSODA at rtol = 1e-12 gives the same to 1.3e-11
    const PUBLISHED: [f64; 2] = [1.706167732170483, -0.8928097010247975];
    for method in [Method::Implicit, Method::Auto] {
        let mut ode = Given {
            n: 2,
            rhs: |_, y: &[f64], dy: &mut [f64]| {
                dy[0] = y[1];
                dy[1] = ((1.0 - y[0] * y[0]) * y[1] - y[0]) / EPS;
            },
            jacobian: |_, y: &[f64], jac: &mut [f64]| {
                let a = (-2.0 * y[0] * y[1] - 1.0) / EPS;
                jac.copy_from_slice(&[0.0, 1.0, a, (1.0 - y[0] * y[0]) / EPS]);
            },
            n_guards: 0,
            guards: no_guards,
            stiffness: 3.0 / EPS,
        };
        let (y, work) = run(&settings(method, 1e-9), &mut ode, &[2.0, 0.0], 2.0).unwrap();
        let error = distance(&y, &PUBLISHED);
        assert!(error < 1e-8, "{method:?}: {error:e}");
        assert!(work.steps < 6000, "{method:?}: {work:?}");
    }
}

#[test]
fn kinks_do_not_cost_the_order() {
    // twenty periods at rtol = 1e-10
    const AGREEMENT: f64 = 1e-8;
    let t_end = 40.0 * PI;
    for mu in [1.6, 3.2] {
        for width in [1.0, 1e-1, 1e-2, 1e-3, 1e-4] {
            let mut ode = Kinked { mu, width };
            let (exact, n_kinks) = Phases::new(ode).state(t_end);
            for method in METHODS {
                let (y, work) = run(&settings(method, 1e-10), &mut ode, &[0.0, 0.0], t_end).unwrap();
                let error = distance(&y, &exact);
                assert!(error < AGREEMENT, "mu {mu}, width {width:e}, {method:?}: {error:e}");
                assert_eq!(work.kinks, n_kinks, "mu {mu}, width {width:e}, {method:?}");
                // a kink costs a repetition or a rejection now and then, not several
                assert!(work.repeated < n_kinks, "mu {mu}, width {width:e}, {method:?}: {work:?}");
            }
        }
    }
}

#[test]
fn auto_costs_about_the_same_at_every_ramp() {
    let t_end = 40.0 * PI;
    for (mu, most) in [(1.6, 10_000), (3.2, 45_000)] {
        for width in [1.0, 1e-1, 1e-2, 1e-3, 1e-4] {
            let mut ode = Kinked { mu, width };
            let (_, work) = run(&settings(Method::Auto, 1e-10), &mut ode, &[0.0, 0.0], t_end).unwrap();
            assert!(work.evaluations < most, "mu {mu}, width {width:e}: {work:?}");
        }
    }
    // sticking in a narrow ramp is for the implicit method
    let mut ode = Kinked { mu: 3.2, width: 1e-4 };
    let (_, work) = run(&settings(Method::Auto, 1e-10), &mut ode, &[0.0, 0.0], t_end).unwrap();
    assert!(work.implicit_steps > 100, "{work:?}");
}

#[test]
fn every_kink_is_met_to_rounding_and_reported() {
    for method in METHODS {
        let mut ode = Kinked { mu: 1.6, width: 0.1 };
        let mut stepper = AdaptiveStepper::new(&settings(method, 1e-8), &ode);
        stepper.start(&mut ode, 0.0, &[0.0, 0.0]).unwrap();
        let mut n_kinks = 0;
        while stepper.t() < 30.0 {
            stepper.step(&mut ode, 30.0).unwrap();
            if let [switch] = stepper.landed_on() {
                let side = if *switch == 0 { 1.0 } else { -1.0 };
                // velocities of order ten
                assert!((stepper.y()[1] - side * 0.1).abs() < 1e-14, "{method:?}: {:?}", stepper.y());
                n_kinks += 1;
            } else {
                assert!(stepper.landed_on().is_empty());
            }
        }
        assert_eq!(n_kinks, stepper.work().kinks);
        assert!(n_kinks > 10);
    }
}

#[test]
fn passive_components_ride_along_and_change_nothing() {
    /// The kinked oscillator with the work of friction, and with the work of the force.
    struct WithWork(Kinked);

    impl Ode for WithWork {
        fn n(&self) -> usize {
            4
        }
        fn n_passive(&self) -> usize {
            2
        }
        fn rhs(&mut self, t: f64, y: &[f64], dy: &mut [f64]) {
            self.0.rhs(t, y, &mut dy[..2]);
            let friction = self.0.mu * (y[1] / self.0.width).clamp(-1.0, 1.0) + kinked::C * y[1];
            dy[2] = friction * y[1];
            dy[3] = kinked::P * libm::sin(t) * y[1];
        }
        fn jacobian(&mut self, t: f64, y: &[f64], jac: &mut [f64]) {
            self.0.jacobian(t, y, jac);
        }
        fn n_guards(&self) -> usize {
            2
        }
        fn guards(&mut self, t: f64, y: &[f64], out: &mut [f64]) {
            self.0.guards(t, y, out);
        }
        fn stiffness(&mut self, t: f64, y: &[f64]) -> f64 {
            self.0.stiffness(t, y)
        }
    }

    for width in [1.0, 1e-2, 1e-4] {
        for method in METHODS {
            let mut alone = Kinked { mu: 3.2, width };
            let settings = settings(method, 1e-10);
            let (y, work) = run(&settings, &mut alone, &[0.0, 0.0], 50.0).unwrap();
            let (y4, work4) = run(&settings, &mut WithWork(alone), &[0.0; 4], 50.0).unwrap();
            assert_eq!(y4[..2], y[..], "{method:?}, width {width:e}");
            assert_eq!(work4.steps, work.steps);
            // work of the force = energy + what friction took
            let energy = 0.5 * (y[0] * y[0] * kinked::K + y[1] * y[1]);
            let balance = y4[3] - y4[2] - energy;
            assert!(balance.abs() < 1e-7 * y4[3], "{method:?}, width {width:e}: {balance:e} of {}", y4[3]);
        }
    }
}

#[test]
fn stops_are_met_exactly_and_do_not_spoil_the_step_size() {
    for method in METHODS {
        let mut ode = Kinked { mu: 1.6, width: 1e-2 };
        let settings = settings(method, 1e-9);
        let mut stepper = AdaptiveStepper::new(&settings, &ode);
        stepper.start(&mut ode, 0.0, &[0.0, 0.0]).unwrap();
        for i in 1..=100 {
            let stop = 0.3 * f64::from(i) + 1e-3 * libm::sin(f64::from(i));
            while stepper.t() < stop {
                stepper.step(&mut ode, stop).unwrap();
            }
            assert_eq!(stepper.t().to_bits(), stop.to_bits());
        }
        let t_end = stepper.t();
        let (_, free) = run(&settings, &mut ode, &[0.0, 0.0], t_end).unwrap();
        // a stop costs about one step
        assert!(stepper.work().steps < free.steps + 150, "{method:?}: {:?} {free:?}", stepper.work());
        // nothing lies behind
        let work = stepper.work();
        stepper.step(&mut ode, t_end).unwrap();
        assert_eq!((stepper.t(), stepper.work()), (t_end, work));
    }
}

#[test]
fn grazing_chattering_and_coinciding_guards_do_not_hold_up_the_run() {
    let exact = [libm::cos(30.0), -libm::sin(30.0)];
    let graze = |offset: f64| move |_: f64, y: &[f64], out: &mut [f64]| out[0] = y[0] - 1.0 + offset;
    type Switches = Box<dyn Fn(f64, &[f64], &mut [f64])>;
    let cases: [(&str, usize, Switches); 9] = [
        ("touches", 1, Box::new(graze(0.0))),
        ("just crosses", 1, Box::new(graze(1e-12))),
        ("crosses twice within a step", 1, Box::new(graze(1e-4))),
        ("just misses", 1, Box::new(graze(-1e-12))),
        ("twins", 2, Box::new(|_, y, out| (out[0], out[1]) = (y[0] - 0.3, y[0] - 0.3))),
        (
            "neighbours",
            3,
            Box::new(|_, y, out| {
                (out[0], out[1], out[2]) = (y[0] - 0.3, y[0] - 0.3 - 1e-15, 0.3 + 1e-13 - y[0]);
            }),
        ),
        ("zero", 1, Box::new(|_, _, out| out[0] = 0.0)),
        ("noise around zero", 1, Box::new(|_, y, out| out[0] = y[0] * y[0] + y[1] * y[1] - 1.0)),
        (
            "rounding alone",
            1,
            Box::new(|t, _, out| {
                let (s, c) = (libm::sin(1e3 * t), libm::cos(1e3 * t));
                out[0] = s * s + c * c - 1.0;
            }),
        ),
    ];
    for (name, n, guards) in cases {
        for method in METHODS {
            let mut ode = harmonic(n, &guards);
            let settings = Adaptive { max_steps: 20_000, ..settings(method, 1e-9) };
            let (y, work) = run(&settings, &mut ode, &[1.0, 0.0], 30.0).unwrap();
            let error = distance(&y, &exact);
            assert!(error < 1e-7, "{name}, {method:?}: {error:e}, {work:?}");
        }
    }
}

#[test]
fn a_double_crossing_inside_one_step_is_seen() {
    // u = cos t leaves the band u > 1 − 5e-3 for good but for 0.2 s around each maximum
    let mut ode = harmonic(1, |_, y: &[f64], out: &mut [f64]| out[0] = y[0] - 0.995);
    // at this tolerance a step is longer than that
    let (_, work) = run(&settings(Method::Explicit, 1e-6), &mut ode, &[1.0, 0.0], 4.0 * PI + 1.0).unwrap();
    assert_eq!(work.kinks, 5);
}

#[test]
fn a_run_that_cannot_go_on_says_when_and_why() {
    let blow_up = |rhs: fn(f64, &[f64], &mut [f64])| Given {
        n: 1,
        rhs,
        jacobian: |_, y: &[f64], jac: &mut [f64]| jac[0] = 2.0 * y[0],
        n_guards: 0,
        guards: no_guards,
        stiffness: 1.0,
    };
    for method in METHODS {
        let settings = settings(method, 1e-9);
        // ẏ = y² from 1 has a pole at t = 1
        let mut pole = blow_up(|_, y, dy| dy[0] = y[0] * y[0]);
        match run(&settings, &mut pole, &[1.0], 2.0) {
            Err(Error::StepVanished { t } | Error::Diverged { t, .. }) => {
                assert!((t - 1.0).abs() < 1e-6, "{t}")
            }
            other => panic!("{method:?}: {other:?}"),
        }
        let mut nan = blow_up(|t, _, dy| dy[0] = if t > 0.5 { f64::NAN } else { 1.0 });
        match run(&settings, &mut nan, &[1.0], 2.0) {
            Err(error @ Error::Diverged { t, .. }) => {
                assert!((t - 0.5).abs() < 1e-6, "{t}");
                assert!(error.hint().is_some());
            }
            other => panic!("{method:?}: {other:?}"),
        }
        assert_eq!(
            run(&settings, &mut nan, &[f64::NAN], 2.0),
            Err(Error::Diverged { t: 0.0, size: f64::INFINITY })
        );
        let few = Adaptive { max_steps: 10, ..settings };
        match run(&few, &mut harmonic(0, no_guards), &[1.0, 0.0], 1e3) {
            Err(Error::TooManySteps { t, limit: 10 }) => assert!(t > 0.0 && t < 1e3),
            other => panic!("{method:?}: {other:?}"),
        }
    }
}

#[test]
fn no_step_is_longer_than_allowed() {
    let mut ode = harmonic(0, no_guards);
    let settings = Adaptive { max_step: Some(0.01), ..settings(Method::Auto, 1e-6) };
    let (_, work) = run(&settings, &mut ode, &[1.0, 0.0], 1.0).unwrap();
    assert!(work.steps >= 100, "{work:?}");
}

#[test]
fn equal_runs_give_equal_bits() {
    let mut ode = Kinked { mu: 3.2, width: 1e-3 };
    let settings = settings(Method::Auto, 1e-8);
    let first = run(&settings, &mut ode, &[0.0, 0.0], 50.0).unwrap();
    // a stepper that has been used before forgets everything
    let mut stepper = AdaptiveStepper::new(&settings, &ode);
    for _ in 0..2 {
        stepper.start(&mut ode, 0.0, &[0.0, 0.0]).unwrap();
        while stepper.t() < 50.0 {
            stepper.step(&mut ode, 50.0).unwrap();
        }
        assert_eq!((stepper.y().to_vec(), stepper.work()), first);
    }
}
