//! Periodic motions: each comes back to itself under an own integration, and so do motions beside it as its
//! multipliers say; whatever is measured, whichever way a parameter is swept, and along a branch as along a
//! sweep.

mod responses;

use crate::dice::Dice;
use crate::event_stepping::EventStepping;
use crate::generate::random_lines;
use crate::lines::{Lines, Rows};
use crate::modes::Follower;
use crate::reported::{Ended, Reported, patient, size};
use crate::steps::Stepped;
use crate::verdict::{Checked, Verdict, ended, skip};
pub use responses::{folds, response};
use std::time::Duration;
use stiction::law::{FrictionLaw, Graph, Law};
use stiction::steady::{Continuation, Orbit, Point, sweep};
use stiction::system::Harmonic;
use stiction_study::{
    AnalysisKind, ContactTable, IntegratorKind, Response, ResponseTask, Scenario, SteadySettings, Study, Task,
};

/// By how much a motion may miss itself, relative to it: the search has 1e-13, the own integration roundings.
const MISS: f64 = 1e-8;
/// The same with small steps, beside what they differ by among themselves.
const MISS_STEPS: f64 = 1e-6;
/// Derivatives against differences: the root of the rounding of a period, with room.
const DERIVATIVE: f64 = 1e-4;
/// Step of the differences, relative to the motion.
const STEP: f64 = 1e-6;
/// A search that takes longer is left out.
const SEARCH: Duration = Duration::from_secs(20);
/// Amplitudes of two searches, relative to the motion.
const SAME: f64 = 1e-6;

/// A system with loads of one frequency, damping, and laws that the searches take.
fn periodic_lines(seed: u64) -> Lines {
    let mut dice = Dice::new(seed ^ 0x0DB1);
    let mut seed = seed;
    // laws that are not polylines take long in several degrees of freedom, and bristles in any
    let is_quick = |lines: &Lines| match lines.integrator {
        Some(IntegratorKind::Exact(_)) => lines.n() <= 4,
        Some(IntegratorKind::Adaptive(_)) => {
            // a set-valued one has no steep place
            let rests = |c: &ContactTable| c.law.graph() == Graph::SetValued;
            lines.n() <= 2 && lines.contacts.iter().all(|c| rests(c) || c.load * c.law.steepest() < 30.0)
        }
        _ => false,
    };
    let mut lines = loop {
        let lines = random_lines(seed);
        if is_quick(&lines) {
            break lines;
        }
        seed = seed.wrapping_add(1_000_000);
    };
    // tied to the ground: a system that drifts has no periodic motion
    lines.stiffness[0][0] += 0.5;
    let n = lines.n();
    // the searches choose their own tolerances
    lines.integrator = lines.integrator.filter(|kind| matches!(kind, IntegratorKind::Exact(_)));
    let omega = lines.harmonics.first().map_or_else(|| dice.decades(0.3, 3.0), |h| h.omega);
    let phase = lines.harmonics.first().map_or(0.0, |h| h.phase);
    let mut amplitude = lines.harmonics.first().map_or_else(|| vec![0.0; n], |h| h.amplitude.clone());
    amplitude[dice.below(n)] = dice.between(0.2, 2.0);
    lines.harmonics = vec![Harmonic { amplitude, omega, phase }];
    let (a, b) = (dice.between(0.02, 0.2), 0.1 * dice.roll());
    let entry = |i: usize, j: usize| a * lines.mass[i][j] + b * lines.stiffness[i][j];
    lines.damping = (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect();
    lines
}

/// The search for periodic motions of a seed.
pub fn steady_of(seed: u64) -> Scenario {
    let analysis = AnalysisKind::Steady(SteadySettings::default());
    Scenario { analysis, ..periodic_lines(seed).scenario() }
}

/// The response along the frequency of a seed.
pub fn response_of(seed: u64) -> Scenario {
    let mut dice = Dice::new(seed ^ 0x0DB2);
    let from = dice.decades(0.3, 1.0);
    let analysis = AnalysisKind::Response(Response {
        harmonic_balance: None,
        parameter: "omega".into(),
        from,
        to: from * dice.between(1.5, 3.0),
        points: 9,
        through_folds: false,
        dof: 0,
        node: None,
        references: false,
        facts: Vec::new(),
        log: None,
        overlay: None,
        compare: Vec::new(),
    });
    Scenario { analysis, ..periodic_lines(seed).scenario() }
}

/// Whether at most one periodic motion exists: friction never falls as the speed grows, and damping acts on
/// everything.
fn is_unique(lines: &Lines) -> bool {
    let grows = |law: &FrictionLaw| match law {
        FrictionLaw::Coulomb(law) => law.mu_static.is_none_or(|mu_static| mu_static == law.mu),
        FrictionLaw::Linear(law) => law.rise.is_none(),
        FrictionLaw::Trigonometric(law) => law.rise.is_none(),
        FrictionLaw::Tanh(_) => true,
        _ => false,
    };
    lines.contacts.iter().all(|c| grows(&c.law)) && (0..lines.n()).all(|k| lines.damping[k][k] > 0.0)
}

/// An own integration over a time, from a state with internal states.
enum Own<'a> {
    Modes(Box<Follower>),
    Steps(Stepped<'a>, usize),
    EventStepping(EventStepping<'a>, usize),
}

impl<'a> Own<'a> {
    fn new(lines: &'a Lines, time: f64) -> Option<Self> {
        if let Some(follower) = Follower::new(lines) {
            return Some(Self::Modes(Box::new(follower)));
        }
        if let Some(stepped) =
            Stepped::new(lines).filter(|_| lines.contacts.iter().all(|c| c.law.sliders().is_none()))
        {
            let steps = stepped.steps(time)?;
            return Some(Self::Steps(stepped, steps));
        }
        let event_stepping = EventStepping::new(lines)?;
        let steps = event_stepping.steps(time)?;
        Some(Self::EventStepping(event_stepping, steps))
    }

    /// The state after a time, and by how much it may be off.
    fn image(&self, lines: &Lines, x: &[f64], time: f64) -> Option<(Vec<f64>, f64)> {
        let n = lines.n();
        match self {
            Self::Modes(follower) => {
                let start = (**follower).clone().restarted(&x[..n], &x[n..2 * n]);
                let followed = start.follow(&[time], [0.0, time]).ok().filter(|f| !f.is_ambiguous)?;
                Some((followed.rows.first()?.clone(), 0.0))
            }
            Self::Steps(stepped, steps) => {
                let [coarse, fine] = [*steps, 2 * steps].map(|steps| stepped.rows(x, &[time], steps));
                twice(coarse.first()?, fine.first()?)
            }
            Self::EventStepping(event_stepping, steps) => {
                let rows = |steps: usize| event_stepping.rows(x, &[time], steps);
                twice(rows(*steps)?.first()?, rows(2 * steps)?.first()?)
            }
        }
    }
}

/// A state by steps and by half of them: the better one, and by how much they differ.
fn twice(coarse: &[f64], fine: &[f64]) -> Option<(Vec<f64>, f64)> {
    let off = coarse.iter().zip(fine).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    Some((fine.to_vec(), off))
}

fn state(orbit: &Orbit) -> Vec<f64> {
    [&orbit.state.position[..], &orbit.state.velocity, &orbit.state.memory].concat()
}

/// Sizes of positions, velocities and internal states of a motion.
fn scales(lines: &Lines, orbit: &Orbit) -> Vec<f64> {
    let (n, rate) = (lines.n(), std::f64::consts::TAU / orbit.period);
    let length = orbit.extent.max(1e-6);
    let belts = lines.contacts.iter().map(|c| c.belt.abs()).fold(length * rate, f64::max);
    let mut scales = vec![length; n];
    scales.resize(2 * n, belts);
    // the slip flags of springs are no deflections
    let (mut memory, mut rest) = (Vec::new(), &orbit.state.memory[..]);
    for contact in &lines.contacts {
        let (own, others) = rest.split_at(contact.law.n_states().min(rest.len()));
        let deflections = if contact.law.lag(0.0).is_some() { own.len() / 2 } else { own.len() };
        memory.extend_from_slice(&own[..deflections]);
        rest = others;
    }
    scales.resize(state(orbit).len(), size(&memory).max(1e-6));
    scales
}

/// Whether a reported motion comes back to itself; false if the own integration cannot say.
fn comes_back(lines: &Lines, orbit: &Orbit) -> Result<bool, String> {
    let Some(own) = Own::new(lines, orbit.period) else { return Ok(false) };
    let x = state(orbit);
    let Some((image, off)) = own.image(lines, &x, orbit.period) else { return Ok(false) };
    let scales = scales(lines, orbit);
    let miss = (0..x.len()).map(|i| (image[i] - x[i]).abs() / scales[i]).fold(0.0, f64::max);
    let least = scales.iter().copied().fold(f64::INFINITY, f64::min);
    let allowed = match own {
        Own::Modes(_) => MISS,
        Own::Steps(..) | Own::EventStepping(..) => MISS_STEPS + 3.0 * off / least,
    };
    if allowed > 1e-3 {
        return Ok(false);
    }
    if miss > allowed {
        return Err(format!(
            "did not converge: residual {miss:e} of the motion after one period of {}",
            orbit.period
        ));
    }
    Ok(true)
}

/// The derivative of the own map by differences, each with how far its two sides are apart; none where the
/// map is not smooth or cannot be had.
fn differences(lines: &Lines, orbit: &Orbit) -> Option<Vec<Vec<[f64; 2]>>> {
    let own = Own::new(lines, orbit.period)?;
    if !matches!(own, Own::Modes(_)) {
        // small steps across kinks are too rough for differences
        return None;
    }
    let (x, scales) = (state(orbit), scales(lines, orbit));
    let n = x.len();
    let at_x = own.image(lines, &x, orbit.period)?.0;
    let mut rows = vec![vec![[0.0; 2]; n]; n];
    for j in 0..n {
        let step = STEP * scales[j];
        let image = |sign: f64| {
            let mut y = x.clone();
            y[j] += sign * step;
            Some(own.image(lines, &y, orbit.period)?.0)
        };
        let (ahead, behind) = (image(1.0)?, image(-1.0)?);
        for i in 0..n {
            let [right, left] = [ahead[i] - at_x[i], at_x[i] - behind[i]].map(|d| d / step);
            // in units of the motion
            let unit = scales[j] / scales[i];
            if (right - left).abs() * unit > 0.1 * DERIVATIVE.sqrt() {
                return None;
            }
            rows[i][j] = [0.5 * (right + left), (right - left).abs()];
        }
    }
    Some(rows)
}

/// The multipliers and the derivative that is reported, against differences and each other.
fn multipliers(lines: &Lines, orbit: &Orbit) -> Result<bool, String> {
    let n = state(orbit).len();
    let reported: Rows = (0..n).map(|i| (0..n).map(|j| orbit.monodromy.at(i, j)).collect()).collect();
    let trace: f64 = (0..n).map(|i| reported[i][i]).sum();
    let sum: f64 = orbit.multipliers.iter().map(|m| m.re).sum();
    let largest = orbit.multipliers.iter().map(|m| m.modulus()).fold(1e-3, f64::max);
    if orbit.multipliers.len() != n || (sum - trace).abs() > 1e-6 * largest {
        return Err(format!("the multipliers add up to {sum}, but the trace of the derivative is {trace}"));
    }
    let Some(found) = differences(lines, orbit) else { return Ok(false) };
    let scales = scales(lines, orbit);
    let unit = |i: usize, j: usize| scales[j] / scales[i];
    let norm = (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
    let norm = norm.map(|(i, j)| found[i][j][0].abs() * unit(i, j)).fold(1.0, f64::max);
    for i in 0..n {
        for j in 0..n {
            let [found, doubt] = found[i][j];
            let off = (reported[i][j] - found).abs() * unit(i, j);
            if off > DERIVATIVE * norm + doubt * unit(i, j) {
                return Err(format!(
                    "the derivative of state {i} by state {j} is said to be {}, but differences give {}",
                    reported[i][j], found
                ));
            }
        }
    }
    Ok(true)
}

/// What an ended search means: one that takes long says nothing.
fn searched(reason: Ended) -> Checked {
    match reason {
        Ended::Endless => skip("a long search"),
        refused => ended(refused),
    }
}

/// Checks a search: every motion comes back to itself, its multipliers are those of differences, its facts
/// those of its columns, and nothing but the measured position depends on which is measured.
pub fn steady(scenario: &Scenario, _seed: u64) -> Checked {
    let Some(lines) = Lines::system(scenario) else { return skip("no system on lines") };
    let reported = match Reported::run_for(scenario, SEARCH) {
        Ok(reported) => reported,
        Err(reason) => return searched(reason),
    };
    let study = read(scenario)?;
    let Task::Steady(task) = &study.task else { return skip("no search") };
    let orbits = match patient(SEARCH, |progress| task.steady.find(&task.system, progress)) {
        Ok(orbits) => orbits,
        Err(reason) => return searched(reason),
    };
    let (mut n_back, mut n_smooth) = (0, 0);
    for orbit in &orbits {
        n_back += usize::from(comes_back(&lines, orbit)?);
        n_smooth += usize::from(multipliers(&lines, orbit)?);
    }
    // under dry friction a motion that rests may rest anywhere in a band
    let differs = |orbit: &&Orbit| (orbit.amplitude - orbits[0].amplitude).abs() > SAME * orbits[0].extent;
    if let Some(other) = orbits.iter().find(differs).filter(|_| is_unique(&lines)) {
        let (a, b) = (orbits[0].amplitude, other.amplitude);
        return Err(format!("motions of {a} m and {b} m, where only one can be"));
    }
    cycle(&lines, &reported)?;
    measured(scenario, &lines, &reported)?;
    match (n_back, n_smooth) {
        (0, _) => skip("own integration: none for these laws"),
        (_, 0) => skip("multipliers: not smooth"),
        _ => Ok(Verdict::Passed),
    }
}

fn read(scenario: &Scenario) -> Result<Study, String> {
    let text = scenario.to_toml().map_err(|error| error.message.clone())?;
    Study::read("soak.toml", &text, &[]).map_err(|list| format!("{list:?}"))
}

/// The facts of a cycle by its columns.
fn cycle(lines: &Lines, reported: &Reported) -> Result<(), String> {
    let n = lines.n();
    let t = reported.column("t");
    if t.is_empty() {
        return Ok(());
    }
    let half = |column: &[f64]| {
        let [low, high] = [f64::min, f64::max].map(|f| column.iter().copied().reduce(f).unwrap_or(0.0));
        0.5 * (high - low)
    };
    let position = reported.columns_of("position", n);
    let (amplitude, sampled) = (reported.fact("amplitude"), half(position[0]));
    let room = 1e-4 * size(position[0]).max(1e-9);
    // 2000 samples of a cycle miss a peak by (π/2000)²/2
    if !(amplitude >= sampled - 1e-9 * room && amplitude <= sampled + room) {
        return Err(format!("the amplitude is said to be {amplitude}, but the columns give {sampled}"));
    }
    let [work_in, viscous, friction] =
        ["cycle_work_in", "cycle_viscous_loss", "cycle_friction_loss"].map(|name| reported.fact(name));
    let size = work_in.abs() + viscous.abs() + friction.abs();
    if (work_in - viscous - friction).abs() > 1e-6 * size + 1e-12 {
        return Err(format!("a cycle takes in {work_in} J, but loses {} J", viscous + friction));
    }
    for (cycle, window) in [(work_in, "work_in"), (viscous, "viscous_loss"), (friction, "friction_loss")] {
        let fact = reported.fact(window);
        if (fact - cycle).abs() > 1e-6 * size + 1e-9 {
            return Err(format!("{window} is {fact} J in the columns, but {cycle} J in the cycle"));
        }
    }
    Ok(())
}

/// Whichever position is measured, the motions are the same.
fn measured(scenario: &Scenario, lines: &Lines, reported: &Reported) -> Result<(), String> {
    for dof in 1..lines.n() {
        let mut other = scenario.clone();
        let AnalysisKind::Steady(settings) = &mut other.analysis else { return Ok(()) };
        settings.dof = dof;
        let other = match Reported::run_for(&other, SEARCH) {
            Ok(reported) => reported,
            // on a busy machine this one took longer
            Err(Ended::Endless) => return Ok(()),
            Err(Ended::Refused(reason)) => return Err(format!("with dof = {dof}: {reason}")),
        };
        for name in ["orbits", "period", "stable", "neutral", "stops", "stick_fraction", "multiplier_0"] {
            let (a, b) = (reported.fact(name), other.fact(name));
            // a fact may be absent of both: of a system without contacts there is no stick
            if !((a - b).abs() <= 1e-9 * a.abs() || a.is_nan() && b.is_nan()) {
                return Err(format!("{name} is {a} with dof = 0, but {b} with dof = {dof}"));
            }
        }
        if reported.columns != other.columns {
            return Err(format!("another motion is shown with dof = {dof}"));
        }
        let (max, min) = (format!("position_{dof}_max"), format!("position_{dof}_min"));
        let (amplitude, found) = (other.fact("amplitude"), 0.5 * (reported.fact(&max) - reported.fact(&min)));
        if !reported.column("t").is_empty() && (amplitude - found).abs() > 1e-6 * amplitude.abs().max(1e-6) {
            return Err(format!(
                "the amplitude of dof {dof} is said to be {amplitude}, its extrema give {found}"
            ));
        }
    }
    Ok(())
}
