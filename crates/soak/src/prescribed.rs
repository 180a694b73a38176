//! Random systems on a base that moves, described again with the base as a degree of freedom that moves as
//! prescribed.
//!
//! In the axes of the base its motion p(t) is the load −M r p̈. Seen from outside it is what springs, dampers
//! and contacts hang on:
//!
//! ```text
//!   M q̈ + C (q̇ − r ṗ) + K (q − r p) + Σ w H = f,   v = w·(q̇ − r ṗ) − belt,   q = u + r p
//! ```
//!
//! with r the motion of everything together. The first knows accelerations of the base only, the second
//! positions and velocities; transients, periodic motions and their multipliers are the same.

use crate::dice::Dice;
use crate::generate::grounded_chain;
use crate::verdict::{Checked, Verdict, skip, transient_of};
use std::fmt::Write;
use stiction::math::Matrix;
use stiction::simulate::{Integrator, Record, drive};
use stiction::steady::{Orbit, State, Steady};
use stiction::system::{BaseMotion, Prescribed, PrescribedMotion, Signal, System, Wave};
use stiction::{Error, Progress};
use stiction_study::{Scenario, Study};

/// Relative difference allowed between the two descriptions: round-off of some hundred events.
const SAME: f64 = 1e-8;
/// Multipliers of periodic motions, which lose digits where two of them are close.
const MULTIPLIERS: f64 = 1e-6;
/// What disturbances are multiplied by in a period at most, where the search ends at the motion itself.
const DIES_OUT: f64 = 0.99;

/// The scenario of a seed.
pub fn prescribed_of(seed: u64) -> Scenario {
    let text = text(&mut Dice::new(seed ^ 0x1ED5));
    let study = Study::read("soak.toml", &text, &[]);
    study.map(|study| study.scenario).unwrap_or_else(|faults| unreachable!("{faults:?}\n{text}"))
}

fn text(dice: &mut Dice) -> String {
    let n = 1 + dice.below(3);
    let mut text = String::from("[system.matrices]\n");
    let list = |dice: &mut Dice, a: f64, b: f64| -> Vec<f64> { (0..n).map(|_| dice.between(a, b)).collect() };
    let (mass, damping) = (list(dice, 0.5, 2.0), list(dice, 0.05, 0.5));
    let stiffness = grounded_chain(dice, n, |_, spring| spring);
    let omega = dice.decades(0.4, 3.0);
    let mut frictions = Vec::new();
    for dof in 0..n {
        let mu = dice.between(0.05, 0.4);
        let law = match dice.below(4) {
            0 => format!("coulomb = {{ mu = {mu}, mu_static = {} }}", mu * dice.between(1.0, 1.5)),
            1 => format!("linear = {{ mu = {mu}, width = {} }}", dice.decades(0.01, 0.3)),
            2 => continue,
            _ => format!("coulomb.mu = {mu}"),
        };
        let belt = if dice.chance(0.3) { dice.between(-0.4, 0.4) } else { 0.0 };
        let load = dice.between(0.3, 2.0);
        frictions.push(format!("{{ {law}, load = {load}, dof = {dof}, belt = {belt} }}"));
    }
    _ = writeln!(text, "mass = {mass:?}\ndamping = {damping:?}\nstiffness = {stiffness:?}");
    _ = writeln!(text, "friction = [{}]", frictions.join(", "));
    if dice.chance(0.5) {
        let (size, phase, dof) = (dice.between(0.1, 2.0), dice.between(-3.0, 3.0), dice.below(n));
        _ = writeln!(text, "force = {{ amplitude = {size}, omega = {omega}, phase = {phase}, dof = {dof} }}");
    }
    let (size, phase) = (dice.between(0.05, 1.5), dice.between(-3.0, 3.0));
    _ = writeln!(text, "base = {{ amplitude = {size}, omega = {omega}, phase = {phase} }}");
    _ = writeln!(
        text,
        "[analysis.transient]\nperiods = {}\nsamples = 101\n[integrator.exact]",
        2 + dice.below(8)
    );
    text
}

/// The system with its base as one more degree of freedom, which is prescribed.
fn seen_from_outside(system: &System, base: &BaseMotion) -> Option<(System, Prescribed)> {
    let n = system.n();
    let r = &base.direction;
    // M alone knows nothing of the base; of C and K each row sees where it stands
    let wall = |m: &Matrix, hangs: bool| {
        let mut whole = Matrix::zeros(n + 1, n + 1);
        for i in 0..n {
            for j in 0..n {
                *whole.at_mut(i, j) = m.at(i, j);
                if hangs {
                    *whole.at_mut(i, n) -= m.at(i, j) * r[j];
                    *whole.at_mut(n, j) -= r[i] * m.at(i, j);
                    *whole.at_mut(n, n) += r[i] * m.at(i, j) * r[j];
                }
            }
        }
        if !hangs {
            *whole.at_mut(n, n) = 1.0;
        }
        whole
    };
    let mut whole = System {
        mass: wall(&system.mass, false),
        damping: wall(&system.damping, true),
        stiffness: wall(&system.stiffness, true),
        ..system.clone()
    };
    // the load of the base is the last
    whole.harmonics.pop();
    whole.harmonics.iter_mut().for_each(|load| load.amplitude.push(0.0));
    whole.constant.push(0.0);
    for contact in &mut whole.contacts {
        let along: f64 = contact.direction.iter().zip(r).map(|(w, r)| w * r).sum();
        contact.direction.push(-along);
    }
    let wave = Wave::new(base.amplitude, base.omega, base.phase);
    let position = Signal { waves: vec![wave], ..Signal::default() };
    let [p, rate] = moved(base, 0.0);
    (0..n).for_each(|i| {
        (whole.position[i], whole.velocity[i]) =
            (whole.position[i] + r[i] * p, whole.velocity[i] + r[i] * rate)
    });
    whole.position.push(0.0);
    whole.velocity.push(0.0);
    whole.prescribe(vec![PrescribedMotion::new(n, position)]).ok()
}

/// Position and velocity of the base.
fn moved(base: &BaseMotion, t: f64) -> [f64; 2] {
    let angle = base.omega * t + base.phase;
    [base.amplitude * angle.sin(), base.amplitude * base.omega * angle.cos()]
}

/// All that must hold for a system on a base that moves.
pub fn prescribed(scenario: &Scenario, _seed: u64) -> Checked {
    let task = match transient_of(scenario) {
        Ok(task) => task,
        Err(verdict) => return verdict,
    };
    let (system, plan) = (&task.system, &task.plan);
    let bases = task.shaking.as_ref().map_or(&[][..], |shaking| &shaking.bases);
    let [base] = bases else { return skip("no base") };
    if !system.elements.is_empty() {
        return skip("more than a base");
    }
    let Some((outside, _)) = seen_from_outside(system, base) else {
        return Err("it is refused from outside".into());
    };
    let run = |system: &System| drive(system, &Integrator::Exact, plan, &mut Progress::none());
    let (inside, seen) = match (run(system), run(&outside)) {
        (Ok(inside), Ok(seen)) => (inside, seen),
        (Err(Error::Undecided { .. }), _) | (_, Err(Error::Undecided { .. })) => return skip("undecided"),
        (Err(error), _) | (_, Err(error)) => return Err(error.to_string()),
    };
    alike(base, &inside, &seen)?;
    periodic(base, system, &outside)
}

/// The motion over the base and the one from outside, sample by sample, and their events.
fn alike(base: &BaseMotion, inside: &Record, seen: &Record) -> Result<(), String> {
    let (a, b) = (&inside.samples, &seen.samples);
    let columns = [(&a.position, &b.position), (&a.velocity, &b.velocity)];
    for (order, (own, outside)) in columns.into_iter().enumerate() {
        let size = outside.iter().flatten().fold(1e-3, |size: f64, x| size.max(x.abs()));
        for (k, (own, outside)) in own.iter().zip(outside).enumerate() {
            for (i, (x, y)) in own.iter().zip(outside).enumerate() {
                let expected = x + base.direction[k] * moved(base, a.t[i])[order];
                if !((y - expected).abs() <= SAME * size) {
                    return Err(format!(
                        "degree of freedom {k} is at {y} at {} s, but the base carries it to {expected}",
                        a.t[i]
                    ));
                }
            }
        }
    }
    let kinds =
        |record: &Record| record.events.iter().map(|event| (event.contact, event.kind)).collect::<Vec<_>>();
    if kinds(inside) != kinds(seen) {
        return Err(format!("{} events, but {} from outside", inside.events.len(), seen.events.len()));
    }
    let times = inside.events.iter().zip(&seen.events);
    match times.map(|(a, b)| (a.t - b.t).abs()).fold(0.0, f64::max) {
        // an event that is nearly none moves by the root of round-off
        off if off <= 1e-6 => Ok(()),
        off => Err(format!("events are {off:e} s apart")),
    }
}

/// The periodic motions that rest leads to, and their multipliers.
fn periodic(base: &BaseMotion, system: &System, outside: &System) -> Checked {
    // under falling friction the map over one period jumps: whether a start leads to a motion, and to which
    // of several, depends on round-off
    if system.contacts.iter().any(falls) {
        return Ok(Verdict::Passed);
    }
    let n = system.n();
    let [p, rate] = moved(base, 0.0);
    let still = State::rest(n);
    let carried = State {
        position: base.direction.iter().map(|r| r * p).collect(),
        velocity: base.direction.iter().map(|r| r * rate).collect(),
        memory: Vec::new(),
    };
    let found = |system: &System, start: &State| Steady::default().from(system, start, &mut Progress::none());
    let (inside, seen) = match (found(system, &still), found(outside, &carried)) {
        (Ok(inside), Ok(seen)) => (inside, seen),
        (Err(_), Err(_)) => return Ok(Verdict::Passed),
        (Err(error), _) | (_, Err(error)) => {
            return Err(format!("only one of two equivalent descriptions has a periodic motion: {error}"));
        }
    };
    // where contacts hold, motions form a continuum, at whose edge the search stops short
    let dies_out = |orbit: &Orbit| orbit.multipliers.iter().all(|m| m.modulus() < DIES_OUT);
    if !(dies_out(&inside) && dies_out(&seen)) {
        return Ok(Verdict::Passed);
    }
    let size = seen.extent.max(1e-3);
    let pairs = [
        (&inside.state.position, &seen.state.position, p, 1.0),
        (&inside.state.velocity, &seen.state.velocity, rate, base.omega),
    ];
    for (own, other, base_part, unit) in pairs {
        for (k, (x, y)) in own.iter().zip(other).enumerate() {
            let expected = x + base.direction[k] * base_part;
            if !((y - expected).abs() <= 10.0 * SAME * size * unit.max(1.0)) {
                return Err(format!(
                    "periodic motion: {y} of degree of freedom {k}, but {expected} over the base"
                ));
            }
        }
    }
    let moduli = |orbit: &Orbit| orbit.multipliers.iter().map(|m| m.modulus()).collect::<Vec<f64>>();
    let (a, b) = (moduli(&inside), moduli(&seen));
    let off = a.iter().zip(&b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    if off > MULTIPLIERS {
        return Err(format!("multipliers {a:?}, but {b:?} from outside"));
    }
    Ok(Verdict::Passed)
}

/// Whether static friction lies above kinetic.
fn falls(contact: &stiction::system::Contact) -> bool {
    contact.friction.law.number("mu_static").is_some_and(|s| Some(s) != contact.friction.law.number("mu"))
}
