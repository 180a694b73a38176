//! Modes and Taylor series agree.

use super::*;
use crate::exact::modal::Modal;
use crate::law::{Coulomb, FrictionLaw};
use crate::math::dense::Matrix;
use crate::record::{Balance, Ranges};
use crate::system::{Contact, Harmonic};

/// A fixed stream of numbers in (0, 1).
struct Stream(u64);

impl Stream {
    fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.next()
    }
}

/// AᵀA of a random A, and something on the diagonal.
fn positive(n: usize, diagonal: f64, r: &mut Stream) -> Matrix {
    let a: Vec<f64> = (0..n * n).map(|_| r.between(-1.0, 1.0)).collect();
    let mut matrix = Matrix::zeros(n, n);
    for i in 0..n {
        for j in 0..n {
            *matrix.at_mut(i, j) = (0..n).map(|k| a[k * n + i] * a[k * n + j]).sum();
        }
        *matrix.at_mut(i, i) += diagonal;
    }
    matrix
}

/// A random system, contacts on the ground or on belts, one or two loads. Damping is of Rayleigh's kind, or
/// with dashpots that couple the modes; a sixth has a rigid motion, which Rayleigh's damping may brake.
fn random(r: &mut Stream) -> System {
    let n = 2 + (5.0 * r.next()) as usize;
    let m = 1 + (3f64.min(n as f64) * r.next()) as usize;
    let (mass, mut stiffness) = (positive(n, 1.0, r), positive(n, 0.3, r));
    let scale = libm::pow(10.0, r.between(-0.5, 2.0));
    stiffness.data.iter_mut().for_each(|k| *k *= scale);
    let is_free = r.next() < 1.0 / 6.0;
    if is_free {
        // a common displacement of all takes no force
        let mean = |k: &Matrix, i: usize| k.row(i).iter().sum::<f64>() / n as f64;
        let means: Vec<f64> = (0..n).map(|i| mean(&stiffness, i)).collect();
        let all = means.iter().sum::<f64>() / n as f64;
        for i in 0..n {
            (0..n).for_each(|j| *stiffness.at_mut(i, j) += all - means[i] - means[j]);
        }
    }
    let alpha = if is_free && r.next() < 0.5 { 0.0 } else { r.between(0.0, 0.05) };
    let beta = if r.next() < 0.3 { 0.0 } else { r.between(0.0, 0.05) };
    let mut damping: Vec<f64> =
        mass.data.iter().zip(&stiffness.data).map(|(m, k)| alpha * m + beta * k).collect();
    if !is_free && r.next() < 0.6 {
        for _ in 0..1 + (2.0 * r.next()) as usize {
            let (at, size) = ((n as f64 * r.next()) as usize, libm::pow(10.0, r.between(-2.0, 2.0)));
            damping[at * n + at] += size;
        }
    }
    let contact = |i: usize, r: &mut Stream| {
        let mu = r.between(0.1, 1.0);
        let mu_static = (r.next() < 0.5).then(|| mu * r.between(1.0, 1.5));
        let mut direction: Vec<f64> = (0..n).map(|k| if k == i { 1.0 } else { 0.0 }).collect();
        if r.next() < 0.3 {
            direction[(i + 1) % n] = r.between(-1.0, 1.0);
        }
        let belt = if r.next() < 0.5 { 0.0 } else { r.between(-0.3, 0.3) };
        Contact {
            friction: FrictionLaw::Coulomb(Coulomb { mu, mu_static }).into(),
            load: 1.0,
            direction,
            belt,
        }
    };
    let harmonic = |r: &mut Stream| Harmonic {
        amplitude: (0..n).map(|_| r.between(-2.0, 2.0)).collect(),
        omega: r.between(0.3, 3.0),
        phase: r.between(0.0, 6.0),
    };
    System {
        elements: Default::default(),
        damping: Matrix { n_rows: n, n_cols: n, data: damping },
        mass,
        stiffness,
        contacts: (0..m).map(|i| contact(i, r)).collect(),
        constant: (0..n).map(|_| r.between(-0.3, 0.3)).collect(),
        harmonics: (0..1 + (2.0 * r.next()) as usize).map(|_| harmonic(r)).collect(),
        position: (0..n).map(|_| r.between(-1.0, 1.0)).collect(),
        velocity: (0..n).map(|_| r.between(-1.0, 1.0)).collect(),
    }
}

/// Sets of resting contacts that occurred, and those of them that have modes; events, and the motion at the
/// end, in modes or by Taylor series.
fn run(system: &System, in_modes: bool, end: f64) -> Option<([usize; 2], Vec<Event>, Motion)> {
    let mut taylor = Taylor::new(system).ok()?;
    taylor.modal = in_modes.then(|| Modal::wherever_exact(system, &taylor.model).map(Box::new)).flatten();
    assert_eq!(taylor.modal.is_some(), in_modes);
    taylor.restart(0.0, &system.position, &system.velocity, None).ok()?;
    let mut events = Vec::new();
    while taylor.t() < end {
        taylor.step(end).ok()?;
        events.extend_from_slice(&taylor.events);
    }
    let mut motion = Motion::zero(system.n(), system.contacts.len());
    taylor.motion(end, &mut motion);
    Some((taylor.modal.map_or([0; 2], |modal| modal.n_sets()), events, motion))
}

#[test]
fn modes_and_taylor_series_give_the_same_motion() {
    // roundings of some hundred events, each of which the motion may amplify a little
    const TOLERANCE: f64 = 1e-9;
    let mut r = Stream(0x9e37_79b9_7f4a_7c15);
    let (mut compared, mut n_sets) = (0, [0; 2]);
    for case in 0..200 {
        let system = random(&mut r);
        let (Some((sets, a, x)), Some((_, b, y))) = (run(&system, true, 20.0), run(&system, false, 20.0))
        else {
            continue;
        };
        compared += 1;
        (n_sets[0], n_sets[1]) = (n_sets[0] + sets[0], n_sets[1] + sets[1]);
        let kinds = |events: &[Event]| events.iter().map(|e| (e.contact, e.kind)).collect::<Vec<_>>();
        assert_eq!(kinds(&a), kinds(&b), "case {case}: {a:?}\n{b:?}\n{system:?}");
        for (a, b) in a.iter().zip(&b) {
            assert!((a.t - b.t).abs() < TOLERANCE, "case {case}: {a:?} {b:?}");
        }
        let pairs = [
            (&x.position, &y.position),
            (&x.velocity, &y.velocity),
            (&x.acceleration, &y.acceleration),
            (&x.friction, &y.friction),
        ];
        for (x, y) in pairs.iter().flat_map(|(x, y)| x.iter().zip(y.iter())) {
            assert!((x - y).abs() < TOLERANCE * (1.0 + y.abs()), "case {case}: {x} {y}");
        }
    }
    assert!(compared > 190, "{compared}");
    // a set has no modes where exponents nearly agree, or a load is at resonance
    assert!(100 * n_sets[1] >= 98 * n_sets[0], "{n_sets:?}");
}

/// A chain of 16 masses whose damping couples the modes, with dashpots at both ends and a contact near its
/// middle; the last mass is small and hangs on a spring of the given rate.
fn dashpot_chain(rate: f64) -> System {
    let n = 17;
    let mass = Matrix::diagonal(&(0..n).map(|i| if i + 1 == n { 1e-3 } else { 1.0 }).collect::<Vec<_>>());
    let mut stiffness = Matrix::diagonal(&vec![0.2; n]);
    for i in 1..n {
        let k = if i + 1 == n { 1e-3 * rate * rate } else { 40.0 };
        for (a, b, sign) in [(i, i, 1.0), (i - 1, i - 1, 1.0), (i, i - 1, -1.0), (i - 1, i, -1.0)] {
            *stiffness.at_mut(a, b) += sign * k;
        }
    }
    let mut damping = Matrix { data: stiffness.data.iter().map(|k| 1e-3 * k).collect(), ..stiffness };
    *damping.at_mut(0, 0) += 2.0;
    *damping.at_mut(15, 15) += 9.0;
    let unit = |at: usize| (0..n).map(|i| f64::from(u8::from(i == at))).collect::<Vec<f64>>();
    let law = FrictionLaw::Coulomb(Coulomb { mu: 0.3, mu_static: Some(0.4) });
    System {
        elements: Default::default(),
        mass,
        damping,
        stiffness,
        contacts: vec![Contact { friction: law.into(), load: 1.0, direction: unit(7), belt: 0.0 }],
        constant: vec![0.0; n],
        harmonics: vec![Harmonic { amplitude: unit(9), omega: 0.7, phase: 0.0 }],
        position: vec![0.0; n],
        velocity: vec![0.0; n],
    }
}

#[test]
fn the_looks_of_an_event_do_not_grow_with_the_highest_rate() {
    let cost = |rate: f64| {
        let system = dashpot_chain(rate);
        let mut taylor = Taylor::new(&system).unwrap();
        let (mut ranges, mut balance) = (Ranges::new(17, 1, false), Balance::default());
        let mut n_events = 0;
        while taylor.t() < 60.0 {
            let from = taylor.t();
            taylor.step(60.0).unwrap();
            taylor.accumulate([from, taylor.t()], Some(&mut ranges), &mut balance);
            n_events += taylor.events.len();
        }
        let modal = taylor.modal.unwrap();
        let [met, have] = modal.n_sets();
        assert_eq!(met, have, "every set has modes");
        (n_events, modal.n_looks as f64 / n_events as f64)
    };
    let ((n_events, few), (n_more, more)) = (cost(2e3), cost(2e5));
    assert!(n_events > 20 && n_more == n_events, "{n_events} {n_more}");
    assert!(more <= 3.0 * few, "{few} and {more} looks an event");
}

#[test]
fn modes_and_taylor_series_have_the_same_derivative() {
    const TOLERANCE: f64 = 1e-7;
    let mut r = Stream(0x0123_4567_89ab_cdef);
    for case in 0..60 {
        let system = random(&mut r);
        let n = system.n();
        let carried = |in_modes: bool| {
            let mut taylor = Taylor::new(&system).ok()?;
            taylor.modal =
                in_modes.then(|| Modal::wherever_exact(&system, &taylor.model).map(Box::new)).flatten();
            taylor.restart(0.0, &system.position, &system.velocity, None).ok()?;
            let mut d = Matrix::diagonal(&vec![1.0; 2 * n]);
            while taylor.t() < 6.0 {
                let from = taylor.t();
                taylor.step(6.0).ok()?;
                taylor.carry(from, &mut d);
            }
            Some(d)
        };
        let (Some(a), Some(b)) = (carried(true), carried(false)) else { continue };
        let size = b.norm();
        for (a, b) in a.data.iter().zip(&b.data) {
            assert!((a - b).abs() < TOLERANCE * (1.0 + size), "case {case}: {a} {b}");
        }
    }
}

#[test]
fn modes_and_taylor_series_give_the_same_work_and_extrema() {
    // roundings of some hundred events, and of series against closed forms
    const TOLERANCE: f64 = 1e-9;
    let mut r = Stream(0x5851_f42d_4c95_7f2d);
    let mut compared = 0;
    for case in 0..60 {
        let system = random(&mut r);
        let (n, m) = (system.n(), system.contacts.len());
        let reported = |in_modes: bool| {
            let mut taylor = Taylor::new(&system).ok()?;
            taylor.modal =
                in_modes.then(|| Modal::wherever_exact(&system, &taylor.model).map(Box::new)).flatten();
            taylor.restart(0.0, &system.position, &system.velocity, None).ok()?;
            let mut ranges = Ranges::new(n, m, false);
            let (mut balance, mut motion) = (Balance::default(), Motion::zero(n, m));
            taylor.motion(0.0, &mut motion);
            ranges.add(&motion);
            while taylor.t() < 12.0 {
                let from = taylor.t();
                taylor.step(12.0).ok()?;
                taylor.accumulate([from, taylor.t()], Some(&mut ranges), &mut balance);
                let end = taylor.t();
                taylor.motion_before(end, &mut motion);
                ranges.add(&motion);
                taylor.motion(end, &mut motion);
                ranges.add(&motion);
            }
            Some((ranges, balance))
        };
        let (Some((a, x)), Some((b, y))) = (reported(true), reported(false)) else { continue };
        compared += 1;
        let size = 1.0 + y.work_in.abs() + y.friction_loss + y.viscous_loss;
        for (x, y) in
            [(x.work_in, y.work_in), (x.viscous_loss, y.viscous_loss), (x.friction_loss, y.friction_loss)]
        {
            assert!((x - y).abs() < TOLERANCE * size, "case {case}: {x} {y}\n{system:?}");
        }
        for k in 0..3 * n + m {
            let (a, b) = (a.range(k), b.range(k));
            let size = 1.0 + b.max.abs() + b.min.abs();
            assert!((a.max - b.max).abs() < TOLERANCE * size, "case {case}, {k}: {a:?} {b:?}");
            assert!((a.min - b.min).abs() < TOLERANCE * size, "case {case}, {k}: {a:?} {b:?}");
        }
    }
    assert!(compared > 55, "{compared}");
}
