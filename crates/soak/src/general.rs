//! Random systems with signals, varying normal loads and belts, springs of straight pieces and polynomial
//! ones, stops, limited control, first-order states, stiffness without a potential and motions that are
//! prescribed.
//!
//! Their energy balances, stops are not passed, friction stays within its load; the mirror image of a system
//! moves as the mirror image of its motion; what is prescribed stands in Newton's law of the whole system;
//! where `adaptive` may integrate a system, it finds the motion of `exact`; and a session whose inputs are
//! set from time to time, saved and restored ends where the run does.

mod random;

use crate::dice::Dice;
use crate::verdict::{Checked, Verdict, skip, transient_of};
use stiction::law::Law;
use stiction::ode::Adaptive;
use stiction::simulate::{Integrator, Plan, Record, Session, drive};
use stiction::system::{CurvedSpring, Prescribed, Signal, System, Threshold};
use stiction::{Error, Progress};
use stiction_study::{Scenario, Study};

/// Share of the energy turned over that is rounding of some hundred events.
const ENERGY: f64 = 1e-9;
/// Part of the motion by which mirror images may differ: roundings grow from impact to impact.
const MIRRORED: f64 = 1e-7;
/// Part of the motion by which `adaptive` at 1e-10 may differ.
const ADAPTIVE: f64 = 1e-5;
/// Tries for a system that passes its check.
const TRIES: u64 = 50;

/// The scenario of a seed.
pub fn general_of(seed: u64) -> Scenario {
    let tries =
        (0..TRIES).map(|i| random::text(&mut Dice::new(seed.wrapping_mul(TRIES).wrapping_add(i) ^ 0x71DE)));
    let plain =
        "[system.oscillator]\nmass = 1\nstiffness = 1\n[analysis.transient]\nduration = 1\n".to_owned();
    let mut read = tries.chain([plain]).filter_map(|text| Study::read("soak.toml", &text, &[]).ok());
    read.next().map(|study| study.scenario).unwrap_or_else(|| unreachable!("an oscillator is a system"))
}

/// All that must hold for a system with force elements.
pub fn general(scenario: &Scenario, _seed: u64) -> Checked {
    let task = match transient_of(scenario) {
        Ok(task) => task,
        Err(verdict) => return verdict,
    };
    let (system, plan) = (&task.system, &task.plan);
    if !system.is_general() {
        return skip("no force elements");
    }
    if !system.elements.curved.is_empty() {
        return curved(system, plan);
    }
    let exact = match drive(system, &Integrator::Exact, plan, &mut Progress::none()) {
        Ok(record) => record,
        Err(error @ (Error::Diverged { .. } | Error::EventsAccumulate { .. })) => {
            return skip(error.to_string().split(' ').next().unwrap_or_default());
        }
        Err(error) => return Err(error.to_string()),
    };
    sound(system, &exact)?;
    if let Some(prescribed) = &task.prescribed {
        whole(prescribed, &exact)?;
    }
    let twin = drive(&mirrored(system), &Integrator::Exact, plan, &mut Progress::none())
        .map_err(|error| format!("mirrored: {error}"))?;
    near(&exact, &twin, -1.0, MIRRORED).map_err(|off| format!("the mirror image is off by {off:e}"))?;
    prescribed(system, &exact, plan.t_end)?;
    let is_continuous = system
        .contacts
        .iter()
        .all(|c| c.friction.law.friction_bounds(0.0, &[]).is_none() && c.friction.law.steepest().is_finite());
    let has_stops = !(system.elements.stops.is_empty() && system.elements.elastic.is_empty());
    if is_continuous && !has_stops {
        let settings = Adaptive { rtol: 1e-10, atol: 1e-12, ..Adaptive::default() };
        let other = drive(system, &Integrator::Adaptive(settings), plan, &mut Progress::none())
            .map_err(|error| format!("adaptive: {error}"))?;
        near(&exact, &other, 1.0, ADAPTIVE).map_err(|off| format!("adaptive is off by {off:e}"))?;
    }
    Ok(Verdict::Passed)
}

/// What must hold under polynomial springs, which `exact` does not know.
fn curved(system: &System, plan: &Plan) -> Checked {
    let settings = Adaptive { rtol: 1e-10, atol: 1e-12, ..Adaptive::default() };
    let adaptive = Integrator::Adaptive(settings);
    let run = |system: &System| drive(system, &adaptive, plan, &mut Progress::none());
    let record = match run(system) {
        Ok(record) => record,
        Err(Error::Diverged { .. }) => return skip("diverged"),
        Err(error) => return Err(error.to_string()),
    };
    if record.energy_share() > ADAPTIVE {
        return Err(format!("{:e} of the energy is missing", record.energy_share()));
    }
    let twin = run(&mirrored(system)).map_err(|error| format!("mirrored: {error}"))?;
    near(&record, &twin, -1.0, ADAPTIVE).map_err(|off| format!("the mirror image is off by {off:e}"))?;
    let refused = drive(system, &Integrator::Exact, plan, &mut Progress::none());
    if refused.err() != Some(Error::CurvedSprings) {
        return Err("exact does not refuse a polynomial spring".to_owned());
    }
    Ok(Verdict::Passed)
}

/// Newton's law of the degrees of freedom that are left, and the sliding of all contacts, in the system as it
/// was.
fn whole(prescribed: &Prescribed, record: &Record) -> Result<(), String> {
    let (system, s) = (prescribed.whole(), &record.samples);
    let elements = &system.elements;
    let has_more = elements.feedback.is_some()
        || !(elements.thresholds.is_empty() && elements.stops.is_empty() && elements.elastic.is_empty());
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    for (i, &t) in s.t.iter().enumerate() {
        let states = prescribed.states(t);
        let of = |columns: &[Vec<f64>], order: usize| {
            let mut all = vec![0.0; system.n()];
            prescribed.free.iter().zip(columns).for_each(|(k, column)| all[*k] = column[i]);
            prescribed.motions.iter().zip(&states).for_each(|(motion, state)| all[motion.dof] = state[order]);
            all
        };
        let (q, v, a) = (of(&s.position, 0), of(&s.velocity, 1), of(&s.acceleration, 2));
        for (k, contact) in system.contacts.iter().enumerate() {
            let varying = elements.contacts.iter().filter(|varying| varying.contact == k);
            let belt = contact.belt + varying.map(|varying| varying.belt.at(t)).sum::<f64>();
            let (expected, found) = (dot(&contact.direction, &v) - belt, s.sliding[k][i]);
            if (expected - found).abs() > 1e-11 * (1.0 + dot(&v, &v).sqrt() + belt.abs()) {
                return Err(format!(
                    "contact {k} slides with {found} m/s at {t} s, but the velocities say {expected}"
                ));
            }
        }
        // at corners and events accelerations jump, and a sample may see either side
        let is_near = |other: f64| (other - t).abs() < 1e-9;
        let breaks = elements.loads.iter().map(|load| &load.signal);
        let breaks = breaks.chain(prescribed.motions.iter().map(|motion| &motion.position));
        let is_corner = breaks.clone().any(|signal| is_near(signal.next_break(t - 1e-9)));
        if has_more || is_corner || record.events.iter().any(|event| is_near(event.t)) {
            continue;
        }
        for &k in &prescribed.free {
            let waves = system.harmonics.iter().map(|h| h.amplitude[k] * (h.omega * t + h.phase).sin());
            let signals = elements.loads.iter().map(|load| load.direction[k] * load.signal.at(t));
            let friction = system.contacts.iter().zip(&s.friction).map(|(c, h)| c.direction[k] * h[i]);
            let terms = [
                dot(system.mass.row(k), &a),
                dot(system.damping.row(k), &v),
                dot(system.stiffness.row(k), &q),
                friction.sum::<f64>(),
                -system.constant[k] - waves.chain(signals).sum::<f64>(),
            ];
            let (rest, size) = (terms.iter().sum::<f64>(), terms.iter().map(|x| x.abs()).sum::<f64>());
            if rest.abs() > 1e-9 * (1.0 + size) {
                return Err(format!("{rest} N are missing at degree of freedom {k} at {t} s"));
            }
        }
    }
    Ok(())
}

/// Advances of a session.
const ADVANCES: u32 = 23;

/// A session in many advances ends where the run does, and goes on bit by bit from a state in between.
fn prescribed(system: &System, record: &Record, t_end: f64) -> Result<(), String> {
    let started =
        || Session::new(system, &Integrator::Exact, &[]).map_err(|error| format!("session: {error}"));
    let mut session = started()?;
    let mut between = session.state();
    let to = |i: u32| t_end * f64::from(i) / f64::from(ADVANCES);
    let go =
        |session: &mut Session, i: u32| session.advance(to(i)).map_err(|error| format!("session: {error}"));
    for i in 1..=ADVANCES {
        go(&mut session, i)?;
        if i == ADVANCES / 2 {
            between = session.state();
        }
    }
    let size = |x: &[f64]| x.iter().fold(1e-3f64, |size, x| size.max(x.abs()));
    let largest = record.samples.position.iter().map(|column| size(column)).fold(0.0, f64::max);
    let pairs = record.end.position.iter().zip(&session.motion().position);
    let off = pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) / largest;
    if !(off <= MIRRORED) {
        return Err(format!("a session ends {off:e} off the run"));
    }
    let mut other = started()?;
    other.restore(&between).map_err(|error| format!("restored: {error}"))?;
    for i in ADVANCES / 2 + 1..=ADVANCES {
        go(&mut other, i)?;
    }
    if other.state() != session.state() {
        return Err("a session that was restored goes another way".to_owned());
    }
    Ok(())
}

/// Energy, stops, friction.
fn sound(system: &System, record: &Record) -> Result<(), String> {
    let share = record.energy_share();
    if share > ENERGY {
        return Err(format!("{share:e} of the energy is missing"));
    }
    for (i, t) in record.samples.t.iter().enumerate() {
        let q: Vec<f64> = record.samples.position.iter().map(|column| column[i]).collect();
        let v: Vec<f64> = record.samples.velocity.iter().map(|column| column[i]).collect();
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        for stop in &system.elements.stops {
            let beyond = dot(&stop.direction, &q) - stop.position;
            let size = q.iter().fold(1.0f64, |size, q| size.max(q.abs()));
            if beyond > 1e-9 * size {
                return Err(format!("a stop is passed by {beyond:e} m at {t} s"));
            }
        }
        for varying in &system.elements.contacts {
            let contact = &system.contacts[varying.contact];
            let load = contact.load
                + varying.load.at(*t)
                + dot(&varying.by_position, &q)
                + dot(&varying.by_velocity, &v);
            let force = record.samples.friction[varying.contact][i].abs();
            let limit = contact.friction.law.bound() * load.max(0.0);
            let is_plain = contact.friction.viscous == 0.0;
            if is_plain && force > limit + 1e-9 * (1.0 + limit) {
                return Err(format!("friction of {force} N at {t} s, but its limit is {limit} N"));
            }
        }
    }
    Ok(())
}

/// Whether two motions are one, but for a sign; else the largest difference, relative to the motion.
fn near(a: &Record, b: &Record, sign: f64, tolerance: f64) -> Result<(), f64> {
    for (a, b) in [(&a.samples.position, &b.samples.position), (&a.samples.velocity, &b.samples.velocity)] {
        let size = a.iter().flatten().fold(1e-3, |size: f64, x| size.max(x.abs()));
        // a sample beside an impact may fall on either side of it
        for (a, b) in a.iter().zip(b) {
            let off = a.iter().zip(b).map(|(a, b)| (a - sign * b).abs()).fold(0.0, f64::max) / size;
            if !(off <= tolerance) {
                return Err(off);
            }
        }
    }
    Ok(())
}

/// The system that is its mirror image.
fn mirrored(system: &System) -> System {
    let mut other = system.clone();
    let turn = |list: &mut Vec<f64>| list.iter_mut().for_each(|x| *x = -*x);
    let turn_signal = |signal: &mut Signal| {
        signal.constant = -signal.constant;
        signal.waves.iter_mut().for_each(|wave| wave.amplitude = -wave.amplitude);
        signal.tables.iter_mut().for_each(|table| turn(&mut table.values));
    };
    [&mut other.constant, &mut other.position, &mut other.velocity].into_iter().for_each(turn);
    other.harmonics.iter_mut().for_each(|harmonic| turn(&mut harmonic.amplitude));
    other.contacts.iter_mut().for_each(|contact| contact.belt = -contact.belt);
    let elements = &mut other.elements;
    elements.loads.iter_mut().for_each(|load| turn(&mut load.direction));
    for varying in &mut elements.contacts {
        turn(&mut varying.by_position);
        turn(&mut varying.by_velocity);
        turn_signal(&mut varying.belt);
    }
    elements.stops.iter_mut().for_each(|stop| turn(&mut stop.direction));
    elements.elastic.iter_mut().for_each(|stop| turn(&mut stop.direction));
    for threshold in &mut elements.thresholds {
        let Threshold { by_position, by_velocity, by_state, by_input, force, rate, .. } = threshold;
        [by_position, by_velocity, by_state, by_input, force, rate].into_iter().for_each(turn);
    }
    // what is even turns its sign
    let even = |c: &mut CurvedSpring| c.coefficients.iter_mut().skip(1).step_by(2).for_each(|c| *c = -*c);
    elements.curved.iter_mut().for_each(even);
    if let Some(feedback) = &mut elements.feedback {
        feedback.inputs.iter_mut().for_each(turn_signal);
        turn(&mut feedback.initial);
    }
    other
}
