//! Piecewise linear laws against small Runge–Kutta steps that end at every corner.

use stiction::event::EventKind;
use stiction::exact::Exact;
use stiction::law::{FrictionLaw, Law, Linear, Slip};
use stiction::system::{Motion, System};

const STEP: f64 = 4e-4;
/// Motions of up to 20 m by small steps of order 4 that end at the corners.
const TOLERANCE: f64 = 1e-11;

/// One degree of freedom with one contact, by Runge–Kutta steps that stop at the corners of the law.
struct Steps<'a> {
    system: &'a System,
    corners: Vec<f64>,
    t: f64,
    y: [f64; 2],
    n_corners: usize,
}

impl Steps<'_> {
    /// `inside` is a velocity on the piece in use: its straight line is continued.
    fn slope(&self, t: f64, [u, v]: [f64; 2], inside: f64) -> [f64; 2] {
        let s = self.system;
        let contact = &s.contacts[0];
        let sliding = v - contact.belt;
        let law = &contact.friction.law;
        let phi = law.coefficient(Slip::at(inside)) + law.slope(Slip::at(inside)) * (sliding - inside);
        let friction = contact.load * (phi + contact.friction.viscous * sliding);
        let load: f64 = s.harmonics.iter().map(|h| h.amplitude[0] * (h.omega * t + h.phase).sin()).sum();
        let force = load + s.constant[0] - s.damping.at(0, 0) * v - s.stiffness.at(0, 0) * u - friction;
        [v, force / s.mass.at(0, 0)]
    }

    fn advance(&self, h: f64, inside: f64) -> [f64; 2] {
        let add = |y: [f64; 2], s: f64, d: [f64; 2]| [y[0] + s * d[0], y[1] + s * d[1]];
        let (t, y) = (self.t, self.y);
        let k1 = self.slope(t, y, inside);
        let k2 = self.slope(t + 0.5 * h, add(y, 0.5 * h, k1), inside);
        let k3 = self.slope(t + 0.5 * h, add(y, 0.5 * h, k2), inside);
        let k4 = self.slope(t + h, add(y, h, k3), inside);
        let mean = |i: usize| (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]) / 6.0;
        [y[0] + h * mean(0), y[1] + h * mean(1)]
    }

    fn run(&mut self, t_end: f64) {
        let belt = self.system.contacts[0].belt;
        // times on a grid, so that no rounding accumulates
        let mut tick = 1;
        while self.t < t_end {
            let grid = (tick as f64 * STEP).min(t_end);
            let full = grid - self.t;
            // the piece that the motion goes into
            let ahead = self.advance(full.min(1e-7), self.y[1] - belt)[1] - belt;
            let piece = self.corners.partition_point(|c| *c < ahead);
            let low = if piece > 0 { self.corners[piece - 1] } else { f64::NEG_INFINITY };
            let high = self.corners.get(piece).copied().unwrap_or(f64::INFINITY);
            let inside = ahead;
            let out = |y: [f64; 2]| y[1] - belt < low || y[1] - belt > high;
            let mut h = full;
            if out(self.advance(full, inside)) {
                let (mut a, mut b) = (0.0, full);
                for _ in 0..50 {
                    let middle = 0.5 * (a + b);
                    if out(self.advance(middle, inside)) { b = middle } else { a = middle }
                }
                h = b;
                self.n_corners += 1;
            }
            self.y = self.advance(h, inside);
            if h == full {
                (self.t, tick) = (grid, tick + 1);
            } else {
                self.t += h;
            }
        }
    }
}

fn laws() -> Vec<FrictionLaw> {
    let linear = |mu, width, rise, rise_height| FrictionLaw::Linear(Linear { mu, width, rise, rise_height });
    vec![
        linear(1.6, 0.8, None, None),
        linear(0.6, 0.05, None, None),
        linear(1.6, 0.8, Some(0.8), None),
        linear(0.5, 0.2, Some(0.1), Some(0.4)),
    ]
}

#[test]
fn ramps_agree_with_small_steps() {
    let mut worst = 0.0f64;
    for law in laws() {
        for (c, k, p, omega, belt, viscous) in [
            (0.1, 1.0, 4.0, 1.0, 0.0, 0.0),
            (0.0, 1.0, 2.0, 0.6, 0.13, 0.0),
            (0.2, 2.5, 1.5, 1.7, -0.31, 0.2),
            (2.0, 1.0, 5.0, 0.9, 0.0, 0.0),
            (0.3, 0.0, 2.2, 1.1, 0.07, 0.1),
            (0.0, 4.0, 0.0, 1.0, 0.45, 0.0),
        ] {
            let mut system = System::oscillator(1.0, c, k).with_friction(law.clone()).with_force(p, omega);
            system.contacts[0].belt = belt;
            system.contacts[0].friction.viscous = viscous;
            (system.position[0], system.velocity[0]) = (0.3, 0.21);
            let t_end = 30.0;
            let mut steps =
                Steps { system: &system, corners: law.breakpoints(), t: 0.0, y: [0.3, 0.21], n_corners: 0 };
            steps.run(t_end);
            let mut exact = Exact::new(&system).unwrap();
            let mut motion = Motion::zero(1, 1);
            let mut n_corners = 0;
            while exact.t() < t_end {
                exact.step(t_end).unwrap();
                assert!(exact.events().iter().all(|event| event.kind == EventKind::Corner));
                n_corners += exact.events().len();
                // on the graph of the law at any time
                exact.motion(0.5 * (exact.start() + exact.t()), &mut motion);
                let slip = Slip::at(motion.sliding[0]);
                let phi = law.coefficient(slip) + viscous * slip.v;
                assert!((motion.friction[0] - phi).abs() < 1e-12, "{law:?}");
            }
            exact.motion(t_end, &mut motion);
            let error = (motion.position[0] - steps.y[0]).abs().max((motion.velocity[0] - steps.y[1]).abs());
            worst = worst.max(error);
            assert!(error < TOLERANCE, "{law:?}, c = {c}, k = {k}, P = {p}, ω = {omega}: {error:e}");
            assert_eq!(n_corners, steps.n_corners, "{law:?}, c = {c}, k = {k}, P = {p}, ω = {omega}");
        }
    }
    println!("worst error {worst:e}");
}

/// A ramp so steep that a small-step method would need a million steps per second.
#[test]
fn ramps_a_billion_times_steeper_than_the_motion_tend_to_coulomb() {
    use stiction::law::Coulomb;
    let system = |law| System::oscillator(1.0, 0.1, 1.0).with_friction(law).with_force(4.0, 1.0);
    let end = |law| {
        let mut exact = Exact::new(&system(law)).unwrap();
        let mut motion = Motion::zero(1, 1);
        while exact.t() < 50.0 {
            exact.step(50.0).unwrap();
        }
        exact.motion(50.0, &mut motion);
        motion.position[0]
    };
    let truth = end(FrictionLaw::Coulomb(Coulomb { mu: 3.2, mu_static: None }));
    for width in [1e-3, 1e-5, 1e-7, 1e-9] {
        let error =
            end(FrictionLaw::Linear(Linear { mu: 3.2, width, rise: None, rise_height: None })) - truth;
        // the creep during rest: its speed is below the width
        assert!(error.abs() < 50.0 * width, "width {width:e}: {error:e}");
    }
}
