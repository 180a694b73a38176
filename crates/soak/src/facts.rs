//! Consistency of the facts reported of a transient: by the laws of mechanics, and by the columns beside the
//! facts.
//!
//! The motion is run twice: as the scenario says, and with many samples, among them both sides of every
//! event. From the columns of the second everything is computed anew, by trapezia and by looking.

mod stick;

use crate::lines::{Lines, dot, times};
use crate::modes::inverse;
use crate::reported::{Reported, size};
use crate::verdict::{Checked, Verdict, ended};
use stick::{stick, stick_fractions};
use stiction::event::EventKind;
use stiction::law::{FrictionLaw, Graph, Law, Slip};
use stiction_study::{AnalysisKind, IntegratorKind, Scenario};

/// Samples of the second run; the second number for one seed in [`LOOKED_CLOSER`], and each where the one
/// before shows too little.
const DENSE: [usize; 3] = [2001, 8001, 64001];
/// See [`DENSE`].
const LOOKED_CLOSER: u64 = 8;
/// Balance of forces and kinematics of samples, relative to their largest term: rounding, with room for steep
/// laws.
const ROUNDING: f64 = 1e-9;
/// Facts against the columns of the same run: rounding.
const SAME_RUN: f64 = 1e-9;
/// Facts against the columns of another run of the adaptive method, whose tolerance is 1e-9 a step.
const OTHER_RUN: f64 = 1e-5;
/// The same of fixed steps across kinks, which are of first order there.
const FIXED: f64 = 1e-2;
/// Energies by trapezia, relative to the energy turned over: the square of frequency times step, with room
/// for steep laws.
const TRAPEZIA: [f64; 3] = [5e-3, 2e-3, 1e-3];
/// What extrema may exceed the dense samples by, relative to the range: half of (frequency × step)², with
/// room.
const ATTAINED: [f64; 3] = [2e-3, 1e-3, 1e-3];
/// Energy residual of the exact method and of the adaptive one, relative to the energy turned over.
const RESIDUAL: [f64; 2] = [1e-9, 1e-5];
/// Distance of the samples on both sides of an event from it, relative to the run.
const BESIDE: f64 = 1e-10;

/// Checks a transient.
pub fn facts(scenario: &Scenario, seed: u64) -> Checked {
    let Some(lines) = Lines::of(scenario) else { return crate::verdict::skip("no transient on lines") };
    let reported = match Reported::run(scenario) {
        Ok(reported) => reported,
        Err(reason) => return ended(reason),
    };
    finite(&reported)?;
    mechanics(&lines, &reported)?;
    own_columns(&lines, &reported, SAME_RUN)?;
    whole_residual(scenario, &lines, &reported)?;
    stick(&lines, &reported)?;
    // what many samples do not show more may
    let mut verdict = Err(String::new());
    for closer in usize::from(seed.is_multiple_of(LOOKED_CLOSER))..DENSE.len() {
        verdict = looked_at(scenario, &lines, &reported, closer);
        if verdict.is_ok() {
            break;
        }
    }
    verdict
}

/// Compares the reported facts with the samples of a second run, of one of the numbers of [`DENSE`].
fn looked_at(scenario: &Scenario, lines: &Lines, reported: &Reported, closer: usize) -> Checked {
    let dense = match Reported::run(&densely(scenario, lines, reported, DENSE[closer])) {
        Ok(dense) => dense,
        Err(reason) => return ended(reason),
    };
    finite(&dense)?;
    mechanics(lines, &dense)?;
    // fixed steps over a jump carry nothing between their ends
    if lines.contacts.iter().all(|c| c.law.graph() != Graph::Jump) {
        extrema(lines, reported, &dense, ATTAINED[closer])?;
    }
    energies(lines, reported, &dense, TRAPEZIA[closer])?;
    stick_fractions(lines, reported, &dense, DENSE[closer])?;
    Ok(Verdict::Passed)
}

/// Tolerance between two runs that differ in their sample times.
fn across(lines: &Lines) -> f64 {
    match lines.integrator {
        Some(IntegratorKind::Exact(_)) | None => SAME_RUN,
        Some(IntegratorKind::Adaptive(_)) => OTHER_RUN,
        Some(_) => FIXED,
    }
}

fn is_exact(lines: &Lines) -> bool {
    matches!(lines.integrator, Some(IntegratorKind::Exact(_)))
}

/// The same run with many samples in the window, among them both sides of every event.
fn densely(scenario: &Scenario, lines: &Lines, reported: &Reported, n: usize) -> Scenario {
    let [a, b] = lines.window;
    let mut times: Vec<f64> = (0..n).map(|i| a + (b - a) * i as f64 / (n - 1) as f64).collect();
    let beside = BESIDE * lines.duration;
    times.extend(reported.events.iter().flat_map(|e| [e.t - beside, e.t + beside]));
    times.retain(|t| (a..=b).contains(t) && *t <= lines.duration);
    times.sort_by(f64::total_cmp);
    times.dedup();
    let mut scenario = scenario.clone();
    if let AnalysisKind::Transient(transient) = &mut scenario.analysis {
        transient.times = Some(times);
    }
    scenario
}

fn finite(reported: &Reported) -> Result<(), String> {
    for (name, value) in &reported.facts {
        if !value.is_finite() {
            return Err(format!("fact {name} is {value}"));
        }
    }
    for (name, column) in &reported.columns {
        if let Some(i) = column.iter().position(|x| !x.is_finite()) {
            return Err(format!("column {name} is {} at row {i}", column[i]));
        }
    }
    Ok(())
}

/// Balance of forces, sliding velocities, the law and its bound, at every sample.
fn mechanics(lines: &Lines, reported: &Reported) -> Result<(), String> {
    let (n, m) = (lines.n(), lines.contacts.len());
    let [position, velocity, acceleration] =
        ["position", "velocity", "acceleration"].map(|name| reported.columns_of(name, n));
    let [sliding, friction] = ["sliding", "friction"].map(|name| reported.columns_of(name, m));
    let row = |columns: &[&[f64]], i: usize| -> Vec<f64> { columns.iter().map(|c| c[i]).collect() };
    let states_of = |c: usize| -> Vec<&[f64]> {
        let names = lines.contacts[c].law.states().names();
        names.iter().map(|state| reported.column(&Reported::name(&state.name, c, m))).collect()
    };
    let states: Vec<Vec<&[f64]>> = (0..m).map(states_of).collect();
    let t = reported.column("t");
    for (i, &t) in t.iter().enumerate() {
        let (q, v, a) = (row(&position, i), row(&velocity, i), row(&acceleration, i));
        let (s, h) = (row(&sliding, i), row(&friction, i));
        let terms =
            [times(&lines.mass, &a), times(&lines.damping, &v), times(&lines.stiffness, &q), lines.force(t)];
        for k in 0..n {
            let contacts = (0..m).map(|c| lines.direction(c)[k] * h[c]);
            let sum = terms[0][k] + terms[1][k] + terms[2][k] - terms[3][k] + contacts.clone().sum::<f64>();
            let scale = terms.iter().map(|x| size(x)).chain(contacts.map(f64::abs)).fold(1e-3, f64::max);
            if sum.abs() > ROUNDING * scale {
                return Err(format!(
                    "t = {t}: the balance of forces {k} is off by {sum:e}, its terms are {scale:e}"
                ));
            }
        }
        for c in 0..m {
            contact(lines, c, t, [dot(lines.direction(c), &v), s[c], h[c], size(&v)], &row(&states[c], i))?;
        }
    }
    Ok(())
}

/// One contact at one instant: its sliding velocity, and its force by its law, with its internal states.
fn contact(lines: &Lines, c: usize, t: f64, [wv, s, h, speed]: [f64; 4], z: &[f64]) -> Result<(), String> {
    let contact = &lines.contacts[c];
    let scale = speed + contact.belt.abs() + 1e-3;
    if (s - (wv - contact.belt)).abs() > ROUNDING * scale {
        return Err(format!(
            "t = {t}, contact {c}: sliding {s:e}, but w·v − belt is {:e}",
            wv - contact.belt
        ));
    }
    let (law, load) = (&contact.law, contact.load);
    let dry = h - load * contact.viscous * s;
    let limit = load * law.bound();
    if !law.has_memory() && dry.abs() > limit * (1.0 + ROUNDING) {
        return Err(format!("t = {t}, contact {c}: friction {dry:e}, but its law allows {limit:e}"));
    }
    if s == 0.0 && law.graph() == Graph::SetValued {
        let [low, high] =
            law.friction_bounds(0.0, z).map_or([-limit, limit], |hold| [load * hold.low, load * hold.high]);
        let room = ROUNDING * high.max(-low);
        if dry > high + room || dry < low - room {
            return Err(format!(
                "t = {t}, contact {c}: it holds {dry:e}, but its law allows {low:e} to {high:e}"
            ));
        }
        return Ok(());
    }
    if law.friction_bounds(s, &[]).is_some_and(|_| law.graph() != Graph::SetValued) {
        return Ok(());
    }
    if law.graph() == Graph::SetValued && s.abs() < ROUNDING * scale {
        return Ok(());
    }
    let slip = Slip { v: s, demand: 0.0, z };
    let expected = load * law.coefficient(slip);
    // round-off of the velocity, as steep as the law
    let steepest = if law.steepest().is_finite() { law.steepest() } else { law.slope(slip).abs() };
    let steepness = if law.graph() == Graph::Continuous { load * steepest * scale * 1e-12 } else { 0.0 };
    if (dry - expected).abs() > ROUNDING * limit + steepness {
        return Err(format!(
            "t = {t}, contact {c}: friction {dry:e} at {s:e} m/s, but its law says {expected:e}"
        ));
    }
    Ok(())
}

/// No sample lies outside its extrema.
fn own_columns(lines: &Lines, reported: &Reported, tolerance: f64) -> Result<(), String> {
    let (n, m) = (lines.n(), lines.contacts.len());
    let answers = if tolerance > SAME_RUN { Answers::new(lines, reported, tolerance) } else { None };
    for (quantity, of) in
        [("position", n), ("velocity", n), ("acceleration", n), ("friction", m), ("slope", m)]
    {
        for i in 0..of {
            let name = Reported::name(quantity, i, of);
            let (max, min) = (reported.fact(&format!("{name}_max")), reported.fact(&format!("{name}_min")));
            let column = reported.column(&name);
            let answers = answers.as_ref().map_or(0.0, |answers| match quantity {
                "acceleration" => answers.accelerations[i],
                "friction" => answers.forces[i],
                _ => 0.0,
            });
            let room = room(quantity, [min, max], column, tolerance) + answers;
            if let Some(x) = column.iter().find(|x| !(min - room..=max + room).contains(*x)) {
                return Err(format!(
                    "{name}: {x} stands in the columns, but the extrema are {min} and {max}"
                ));
            }
        }
    }
    Ok(())
}

/// What the samples of a quantity may be outside its extrema.
fn room(quantity: &str, [min, max]: [f64; 2], column: &[f64], tolerance: f64) -> f64 {
    // forces answer the velocity as steeply as their laws do
    let tolerance = if matches!(quantity, "position" | "velocity") { tolerance } else { 10.0 * tolerance };
    tolerance * (max - min).max(1e-3 * size(column)) + 1e-6 * tolerance
}

/// What forces and accelerations make of velocities that are as good as the tolerance: a contact that creeps
/// has an acceleration far smaller than the forces that it is the rest of, and these change with the velocity
/// as steeply as their laws.
struct Answers {
    /// Of the contacts (N).
    forces: Vec<f64>,
    /// Of the degrees of freedom (m/s²).
    accelerations: Vec<f64>,
}

impl Answers {
    fn new(lines: &Lines, reported: &Reported, tolerance: f64) -> Option<Self> {
        let (n, m) = (lines.n(), lines.contacts.len());
        let inverse = inverse(&lines.mass)?;
        let speeds: Vec<f64> = (0..n)
            .map(|k| {
                let name = Reported::name("velocity", k, n);
                let range = ["_min", "_max"].map(|end| reported.fact(&format!("{name}{end}")));
                room("velocity", range, reported.column(&name), tolerance)
            })
            .collect();
        let force = |c: usize| {
            let sliding: f64 = lines.direction(c).iter().zip(&speeds).map(|(w, v)| (w * v).abs()).sum();
            let steepest = size(reported.column(&Reported::name("slope", c, m)));
            // a law steeper than velocities can resolve is as good as its own part of the balance
            (steepest * sliding).min(tolerance * size(reported.column(&Reported::name("friction", c, m))))
        };
        let forces: Vec<f64> = (0..m).map(force).collect();
        let mut accelerations = vec![0.0; n];
        for (c, force) in forces.iter().enumerate() {
            let answer = times(&inverse, lines.direction(c));
            accelerations.iter_mut().zip(answer).for_each(|(a, w)| *a += (w * force).abs());
        }
        Some(Self { forces, accelerations })
    }
}

/// How far a peak beside the sample of this value may stand out: a parabola by an eighth of the change to the
/// neighbours, what begins or ends a short slip by more.
fn beside(column: &[f64], sample: f64) -> f64 {
    let changes =
        column.windows(2).filter(|pair| pair.contains(&sample)).map(|pair| (pair[1] - pair[0]).abs());
    0.5 * changes.fold(0.0, f64::max)
}

/// The extrema bound the dense samples, and are attained between them.
fn extrema(lines: &Lines, reported: &Reported, dense: &Reported, attained: f64) -> Result<(), String> {
    let across = across(lines);
    let mut both = dense.clone();
    both.facts = reported.facts.clone();
    own_columns(lines, &both, across)?;
    let (n, m) = (lines.n(), lines.contacts.len());
    // a transition that is crossed between two samples has an acceleration, a force and a slope that no
    // sample shows
    let is_steep = lines.contacts.iter().any(|c| c.law.graph() != Graph::SetValued);
    let quantities: &[(&str, usize)] = if is_steep {
        &[("position", n), ("velocity", n)]
    } else {
        &[("position", n), ("velocity", n), ("acceleration", n), ("friction", m)]
    };
    for &(quantity, of) in quantities {
        for i in 0..of {
            let name = Reported::name(quantity, i, of);
            let column = dense.column(&name);
            let range = [f64::min, f64::max].map(|f| column.iter().copied().reduce(f).unwrap_or(0.0));
            let room = (attained + across) * (range[1] - range[0]) + 1e-9 * size(column) + 1e-12;
            for (fact, sample) in [("_min", range[0]), ("_max", range[1])] {
                let fact = reported.fact(&format!("{name}{fact}"));
                if (fact - sample).abs() > room + beside(column, sample) {
                    return Err(format!(
                        "{name}: the extremum is said to be {fact}, but samples reach {sample}"
                    ));
                }
            }
        }
    }
    Ok(())
}

/// ∫ x dt by trapezia.
pub(crate) fn integral(t: &[f64], x: impl Fn(usize) -> f64) -> f64 {
    (1..t.len()).map(|i| 0.5 * (t[i] - t[i - 1]) * (x(i) + x(i - 1))).sum()
}

/// ∫ x dt by trapezia, and what every other sample would make of it otherwise: what is shorter than a step
/// shows there.
pub(crate) fn integral_and_doubt(t: &[f64], x: impl Fn(usize) -> f64) -> [f64; 2] {
    let fine = integral(t, &x);
    let last = t.len().saturating_sub(1);
    let mut rows: Vec<usize> = (0..=last).step_by(2).collect();
    if rows.last() != Some(&last) {
        rows.push(last);
    }
    let times: Vec<f64> = rows.iter().filter_map(|&i| t.get(i).copied()).collect();
    [fine, (integral(&times, |i| x(rows[i])) - fine).abs()]
}

/// Works, losses and stored energy of the window from the columns.
fn energies(lines: &Lines, reported: &Reported, dense: &Reported, trapezia: f64) -> Result<(), String> {
    let (n, m) = (lines.n(), lines.contacts.len());
    let t = dense.column("t");
    let [position, velocity] = ["position", "velocity"].map(|name| dense.columns_of(name, n));
    let [sliding, friction] = ["sliding", "friction"].map(|name| dense.columns_of(name, m));
    let row = |columns: &[&[f64]], i: usize| -> Vec<f64> { columns.iter().map(|c| c[i]).collect() };
    let load = |i: usize| dot(&lines.force(t[i]), &row(&velocity, i));
    let belts = |i: usize| -> f64 { -(0..m).map(|c| friction[c][i] * lines.contacts[c].belt).sum::<f64>() };
    let viscous = |i: usize| dot(&row(&velocity, i), &times(&lines.damping, &row(&velocity, i)));
    let contact = |i: usize| -> f64 { (0..m).map(|c| friction[c][i] * sliding[c][i]).sum() };
    let stored = |i: usize| {
        let (q, v) = (row(&position, i), row(&velocity, i));
        0.5 * (dot(&v, &times(&lines.mass, &v)) + dot(&q, &times(&lines.stiffness, &q)))
    };
    let Some(last) = t.len().checked_sub(1) else { return Ok(()) };
    let turnover = [&load as &dyn Fn(usize) -> f64, &belts, &viscous, &contact]
        .iter()
        .map(|power| integral(t, |i| power(i).abs()))
        .sum::<f64>()
        + (0..=last).map(stored).fold(0.0, f64::max);
    // under fixed steps a law that jumps chatters from step to step: samples show neither its mean force nor
    // the mean velocity
    let jumps = lines.contacts.iter().any(|c| c.law.graph() == Graph::Jump);
    let samples_show = |name: &str| !jumps || !matches!(name, "work_in" | "viscous_loss" | "friction_loss");
    for (name, [expected, doubt]) in [
        ("work_in", integral_and_doubt(t, |i| load(i) + belts(i))),
        ("viscous_loss", integral_and_doubt(t, viscous)),
        ("friction_loss", integral_and_doubt(t, contact)),
        ("stored", [stored(last) - stored(0), 0.0]),
    ] {
        let fact = reported.fact(name);
        if !samples_show(name) {
            continue;
        }
        if (fact - expected).abs() > (trapezia + across(lines)) * turnover + doubt + 1e-12 {
            return Err(format!(
                "{name} is said to be {fact}, but the columns give {expected} (turnover {turnover})"
            ));
        }
    }
    Ok(())
}

/// The energy balance closes, measured by the energy turned over.
fn whole_residual(scenario: &Scenario, lines: &Lines, reported: &Reported) -> Result<(), String> {
    let of_window = residual(lines, reported);
    let AnalysisKind::Transient(transient) = &scenario.analysis else { return of_window };
    if of_window.is_ok() || transient.window.is_none() {
        return of_window;
    }
    // the residual is that of the whole run: the window may show less than was turned over
    let mut whole = scenario.clone();
    if let AnalysisKind::Transient(transient) = &mut whole.analysis {
        transient.window = None;
    }
    Reported::run(&whole).map_or(of_window, |reported| residual(lines, &reported))
}

/// The same by the columns of one run.
fn residual(lines: &Lines, reported: &Reported) -> Result<(), String> {
    let bound = match lines.integrator {
        Some(IntegratorKind::Exact(_)) => RESIDUAL[0],
        Some(IntegratorKind::Adaptive(_)) => RESIDUAL[1],
        _ => return Ok(()),
    };
    let row = |columns: &[&[f64]], i: usize| -> Vec<f64> { columns.iter().map(|c| c[i]).collect() };
    let [position, velocity] = ["position", "velocity"].map(|name| reported.columns_of(name, lines.n()));
    let stored = |i: usize| {
        let (q, v) = (row(&position, i), row(&velocity, i));
        0.5 * (dot(&v, &times(&lines.mass, &v)) + dot(&q, &times(&lines.stiffness, &q)))
    };
    let largest = (0..reported.column("t").len()).map(stored).fold(0.0, f64::max);
    let work = ["work_in", "viscous_loss", "friction_loss"].map(|name| reported.fact(name).abs());
    let start = dot(&lines.velocity, &times(&lines.mass, &lines.velocity))
        + dot(&lines.position, &times(&lines.stiffness, &lines.position));
    let turnover = largest + 0.5 * start.abs() + work.iter().sum::<f64>();
    let residual = reported.fact("energy_residual");
    if residual.abs() > bound * turnover + 1e-14 {
        return Err(format!("the energy residual is {residual:e} of {turnover:e} J"));
    }
    Ok(())
}
