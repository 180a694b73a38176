//! A beam with a dry contact at its tip: the bare exact engine, the same with reports under the driver, with a dashpot that couples its modes, harmonic
//! balance, and steady states by shooting; then ten thousand degrees of freedom, reduced. Times are those of the processor.

// a bench that cannot run may panic
#![allow(clippy::unwrap_used)]

use std::hint::black_box;
use std::time::Instant;
use stiction::Progress;
use stiction::exact::Exact;
use stiction::harmonic::HarmonicBalance;
use stiction::law::{Coulomb, FrictionLaw, Tanh};
use stiction::math::Matrix;
use stiction::simulate::{Integrator, Plan, drive};
use stiction::steady::{State, Steady};
use stiction::structure::{
    Assembly, Chain, ChainEnd, Plate, ReducedSize, Reduction, StructuralDamping, StructuralModel, Support,
};
use stiction::system::{Contact, Harmonic, System};
use stiction_reference::beams::cantilever;

const PERIODS: f64 = 6.0;
/// Of a response.
const POINTS: usize = 100;

/// What this thread has taken since `start`, by the processor where the system reports it (Linux) (s).
fn taken(start: (Instant, Option<f64>)) -> f64 {
    match (start.1, processor_time()) {
        (Some(before), Some(now)) => now - before,
        _ => start.0.elapsed().as_secs_f64(),
    }
}

fn now() -> (Instant, Option<f64>) {
    (Instant::now(), processor_time())
}

/// Time of this thread on a processor (s).
fn processor_time() -> Option<f64> {
    let reported = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    reported.split_whitespace().next()?.parse::<f64>().ok().map(|nanoseconds| 1e-9 * nanoseconds)
}

/// The most memory that the process has had (MB).
fn peak_memory() -> Option<f64> {
    let reported = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = reported.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse::<f64>().ok().map(|kilobytes| kilobytes / 1024.0)
}

/// Time of one of many runs (s). The system reports processor time in ticks of some milliseconds, so that runs are counted until they have taken
/// many of these.
fn mean(mut run: impl FnMut()) -> f64 {
    let (start, mut runs) = (now(), 0);
    while runs == 0 || taken(start) < 0.5 {
        run();
        runs += 1;
    }
    taken(start) / f64::from(runs)
}

/// Events in six periods, and the time of one period of the bare engine (s).
fn bare(system: &System) -> (usize, f64) {
    let end = PERIODS * system.period().unwrap();
    let mut events = 0;
    let time = mean(|| {
        let mut exact = Exact::new(system).unwrap();
        events = 0;
        while exact.t() < end {
            exact.step(end).unwrap();
            events += exact.events().len();
        }
        black_box(exact.t());
    });
    (events, time / PERIODS)
}

/// The cantilever of 8 elements with a small mass on a spring at its middle, whose own rate is `rate` (1/s).
fn with_rider(rate: f64) -> System {
    let beam = cantilever(8, 0.0, 0.0);
    let (n, middle, mass) = (beam.n(), 6, 1e-3);
    let bordered = |matrix: &Matrix| {
        let mut bordered = Matrix::zeros(n + 1, n + 1);
        (0..n * n).for_each(|i| *bordered.at_mut(i / n, i % n) = matrix.at(i / n, i % n));
        bordered
    };
    let (mut m, mut k) = (bordered(&beam.mass), bordered(&beam.stiffness));
    *m.at_mut(n, n) = mass;
    let spring = mass * rate * rate;
    for (i, j, sign) in [(n, n, 1.0), (middle, middle, 1.0), (n, middle, -1.0), (middle, n, -1.0)] {
        *k.at_mut(i, j) += sign * spring;
    }
    let mut system = beam;
    let longer = |x: &mut Vec<f64>| x.push(0.0);
    system.contacts.iter_mut().for_each(|contact| longer(&mut contact.direction));
    system.harmonics.iter_mut().for_each(|harmonic| longer(&mut harmonic.amplitude));
    [&mut system.constant, &mut system.position, &mut system.velocity].into_iter().for_each(longer);
    system.damping = Matrix { data: k.data.iter().map(|k| 0.01 * k).collect(), ..k };
    (system.mass, system.stiffness) = (m, k);
    system
}

/// A structure of `n` degrees of freedom, reduced to a hundredth up to twice its lowest frequency, and its response near resonance with friction
/// at one place and a load at another.
fn reduced_response(name: &str, assembly: Assembly, [load, contact]: [usize; 2], [omega, force]: [f64; 2]) {
    let n = assembly.mass.n();
    let unit = |at: usize| (0..n).map(|i| f64::from(u8::from(i == at))).collect::<Vec<f64>>();
    let start = now();
    let model = StructuralModel {
        mass: assembly.mass,
        stiffness: assembly.stiffness,
        damping: StructuralDamping::Modal(vec![0.01]),
    };
    let reduction = Reduction {
        size: ReducedSize::Tolerance(1e-2),
        band: Some(3.0 * omega),
        inputs: vec![unit(load), unit(contact)],
        reported: vec![contact],
        states: Vec::new(),
        max_entries: 50_000_000,
    };
    let reduced = reduction.apply(&model).unwrap();
    let reducing = taken(start);
    let n_reduced = reduced.report.reduced;
    let law = FrictionLaw::Coulomb(Coulomb { mu: 0.3, mu_static: None });
    let (direction, amplitude) = (reduced.direction(&unit(contact)), reduced.direction(&unit(load)));
    let mut system = System {
        elements: Default::default(),
        contacts: vec![Contact { friction: law.into(), load: force, direction, belt: 0.0 }],
        constant: vec![0.0; n_reduced],
        harmonics: vec![Harmonic {
            amplitude: amplitude.iter().map(|a| a * force).collect(),
            omega,
            phase: 0.0,
        }],
        position: vec![0.0; n_reduced],
        velocity: vec![0.0; n_reduced],
        mass: reduced.mass,
        damping: reduced.damping,
        stiffness: reduced.stiffness,
    };
    let (start, method) = (now(), HarmonicBalance::fixed(15));
    let (mut near, mut largest) = (None, 0.0f64);
    for point in 0..POINTS {
        system.harmonics[0].omega = omega * (0.5 + point as f64 / POINTS as f64);
        let motion = method.solve(&system, near.as_ref()).unwrap();
        largest = largest.max(motion.amplitude(0));
        near = Some(motion);
    }
    let responding = taken(start);
    let start = now();
    system.harmonics[0].omega = omega;
    let end = 10.0 * system.period().unwrap();
    let mut exact = Exact::new(&system).unwrap();
    let mut events = 0;
    while exact.t() < end {
        exact.step(end).unwrap();
        events += exact.events().len();
    }
    println!(
        "{name}: {n} degrees of freedom to {n_reduced}, error {:.0e}, in {reducing:.2} s; {POINTS} points in {:.1} ms (up to {largest:.2e} m); \
         ten periods with {events} events in {:.1} ms; {:.0} MB at most so far",
        reduced.report.error,
        1e3 * responding,
        1e3 * taken(start),
        peak_memory().unwrap_or(f64::NAN)
    );
}

/// The cantilever with a dashpot at its middle and Rayleigh's damping, so that damping couples its modes.
fn with_dashpot(mut system: System, at: usize) -> System {
    *system.damping.at_mut(at, at) += 0.5;
    system
}

fn main() {
    println!("cantilever, contact at its tip, C = 0.01 K");
    let mut reference = None;
    for n in [8, 26, 80] {
        let system = cantilever(n, 0.0, 0.01);
        let (events, time) = bare(&system);
        let per_event = PERIODS * time / events as f64 / (2 * n) as f64;
        let ratio = per_event / *reference.get_or_insert(per_event);
        println!(
            "{:>4} degrees of freedom {events:>4} events {:>9.3} ms a period, {ratio:.2} of the first per event and degree",
            2 * n,
            1e3 * time
        );
    }
    // the highest rate grows with the fourth power of the number of elements: a hundredfold from 8 to 26
    for n in [8, 26] {
        let system = cantilever(n, 0.0, 0.01);
        let plan = Plan::new(PERIODS * system.period().unwrap(), 2001);
        let mut share = 0.0;
        let reported = mean(|| {
            let record = drive(&system, &Integrator::Exact, &plan, &mut Progress::none()).unwrap();
            share = record.energy_share();
        });
        println!(
            "{:>4} degrees of freedom, facts with 2001 samples {:>9.3} ms a period, energy residual {share:.0e}",
            2 * n,
            1e3 * reported / PERIODS
        );
    }

    println!("with a dashpot at its middle, which couples the modes");
    for n in [8, 26] {
        let system = with_dashpot(cantilever(n, 0.0, 0.01), n - n % 2);
        let start = now();
        let mut exact = Exact::new(&system).unwrap();
        let end = PERIODS * system.period().unwrap();
        let mut events = 0;
        while exact.t() < end {
            exact.step(end).unwrap();
            events += exact.events().len();
        }
        let first = taken(start);
        let again = mean(|| {
            exact.restart(0.0, &system.position, &system.velocity).unwrap();
            while exact.t() < end {
                exact.step(end).unwrap();
            }
        });
        let plan = Plan::new(end, 0);
        let mut share = 0.0;
        let reported = mean(|| {
            share = drive(&system, &Integrator::Exact, &plan, &mut Progress::none()).unwrap().energy_share();
        });
        println!(
            "{:>4} degrees of freedom {events:>4} events {:>9.3} ms a period with its modes, {:.3} ms once they are known, with facts {:.3} ms, energy \
             residual {share:.0e}",
            2 * n,
            1e3 * first / PERIODS,
            1e3 * again / PERIODS,
            1e3 * reported / PERIODS
        );
    }

    println!("the same, larger: modes of each set of resting contacts, and six periods once they are known");
    for n in [50, 100, 150] {
        let system = with_dashpot(cantilever(n, 0.0, 0.01), n);
        let end = PERIODS * system.period().unwrap();
        let start = now();
        let mut exact = Exact::new(&system).unwrap();
        let mut events = 0;
        while exact.t() < end {
            exact.step(end).unwrap();
            events += exact.events().len();
        }
        let first = taken(start);
        let start = now();
        exact.restart(0.0, &system.position, &system.velocity).unwrap();
        while exact.t() < end {
            exact.step(end).unwrap();
        }
        let again = taken(start);
        // at rest and sliding
        let set = 0.5 * (first - again);
        println!(
            "{:>4} degrees of freedom {events:>4} events {set:>9.2} s a set, {:.1} ms",
            2 * n,
            1e3 * again
        );
    }

    let mut first = None;
    println!(
        "a small mass on a stiff spring on it: the highest rate alone grows; without the dashpot, and with it"
    );
    for (is_coupled, rate) in
        [(false, 2e4), (false, 2e5), (false, 2e6), (true, 2e4), (true, 2e5), (true, 2e6)]
    {
        if rate == 2e4 {
            first = None;
        }
        let system = with_rider(rate);
        let system = if is_coupled { with_dashpot(system, 8) } else { system };
        let (events, bare) = bare(&system);
        let plan = Plan::new(PERIODS * system.period().unwrap(), 0);
        let reported =
            mean(|| drop(drive(&system, &Integrator::Exact, &plan, &mut Progress::none()).unwrap()));
        let per_event = [PERIODS * bare / events as f64, reported / events as f64];
        let [a, b] = *first.get_or_insert(per_event);
        println!(
            "{rate:>8.0e} 1/s {events:>4} events {:>9.1} µs an event, with facts {:.1} µs: {:.2} and {:.2} of the first",
            1e6 * per_event[0],
            1e6 * per_event[1],
            per_event[0] / a,
            per_event[1] / b
        );
    }

    let mut system = cantilever(8, 0.0, 0.01);
    system.contacts[0].friction = FrictionLaw::Tanh(Tanh { mu: 0.3, width: 0.05 }).into();
    let method = HarmonicBalance::fixed(15);
    let near = method.solve(&system, None).unwrap();
    let cold = mean(|| drop(black_box(method.solve(&system, None).unwrap())));
    let warm = mean(|| drop(black_box(method.solve(&system, Some(&near)).unwrap())));
    println!(
        "harmonic balance, tanh, 15 harmonics: {:.3} ms from nothing, {:.3} ms from a neighbour",
        1e3 * cold,
        1e3 * warm
    );
    let error = near.truncation / near.amplitude(14);
    println!("  stated error {error:.1e} of the amplitude");

    println!("steady state by shooting, tanh, from the motion by harmonic balance");
    for n in [8, 20] {
        let mut system = cantilever(n, 0.0, 0.01);
        system.contacts[0].friction = FrictionLaw::Tanh(Tanh { mu: 0.3, width: 0.05 }).into();
        let motion = method.solve(&system, None).unwrap();
        let start = State {
            position: (0..2 * n).map(|i| motion.position_at(i, 0.0)).collect(),
            velocity: (0..2 * n).map(|i| motion.velocity_at(i, 0.0)).collect(),
            memory: Vec::new(),
        };
        let steady = Steady { transient: 0, dof: 2 * n - 2, ..Steady::default() };
        let mut periods = 0;
        let time = mean(|| {
            let orbit = steady.from(&system, &start, &mut Progress::none()).unwrap();
            periods = orbit.convergence.iterations + orbit.convergence.periods;
        });
        println!("{:>4} degrees of freedom {:>9.1} ms, {periods} periods", 2 * n, 1e3 * time);
    }

    println!("reduced");
    let chain = Chain {
        mass: vec![1e-4; 10_000],
        stiffness: 1e4,
        ground: 0.0,
        left: ChainEnd::Fixed,
        right: ChainEnd::Fixed,
    };
    // π for a rod of unit length, mass and stiffness
    reduced_response("chain", chain.assemble(), [5000, 2500], [std::f64::consts::PI, 1.0]);
    let plate = Plate {
        elements: [58, 56],
        sides: [1.0, 1.0],
        thickness: 0.01,
        young: 2.1e11,
        poisson: 0.3,
        density: 7800.0,
        left: Support::Pinned,
        right: Support::Pinned,
        bottom: Support::Pinned,
        top: Support::Pinned,
    };
    let assembly = plate.assemble();
    let places = [28 * 59 + 29, 14 * 59 + 14].map(|node| assembly.nodes[node].unwrap());
    // 2π² √(D/ρt) of a pinned square
    let lowest = 2.0 * std::f64::consts::PI.powi(2) * (2.1e11 * 1e-4 / (12.0 * 0.91) / 7800.0f64).sqrt();
    reduced_response("plate", assembly, places, [lowest, 100.0]);
}
