//! The smallest scenario that still fails, by trying smaller ones.

use crate::lines::Lines;
use std::time::{Duration, Instant};
use stiction_study::{AnalysisKind, Scenario, SystemKind};

/// Rounds of attempts: each takes away what the last has made possible.
const ROUNDS: usize = 40;
/// After so long what was found is small enough.
const PATIENCE: Duration = Duration::from_secs(60);

/// The smallest scenario found that still fails.
pub fn shrunk(scenario: &Scenario, fails: &dyn Fn(&Scenario) -> bool) -> Scenario {
    let (mut best, start) = (scenario.clone(), Instant::now());
    for _ in 0..ROUNDS {
        let before = best.clone();
        for smaller in smaller(&best) {
            if start.elapsed() > PATIENCE {
                return best;
            }
            if smaller != best && fails(&smaller) {
                best = smaller;
                break;
            }
        }
        if best == before {
            break;
        }
    }
    best
}

/// Scenarios that are a little smaller, the boldest first.
fn smaller(scenario: &Scenario) -> Vec<Scenario> {
    match &scenario.system {
        SystemKind::Body(body) => {
            let mut list = Vec::new();
            let mut with = |change: &dyn Fn(&mut stiction::body::Body)| {
                let mut body = body.clone();
                change(&mut body);
                list.push(Scenario { system: SystemKind::Body(body), ..scenario.clone() });
            };
            with(&|body| body.forces.clear());
            with(&|body| body.vibration.clear());
            with(&|body| body.inner_mass = None);
            with(&|body| body.centre_of_mass = [0.0; 2]);
            with(&|body| body.patch.centre = [0.0; 2]);
            with(&|body| body.tilt = 0.0);
            with(&|body| body.position = [0.0; 2]);
            with(&|body| body.angle = 0.0);
            with(&|body| body.patch.height = 0.0);
            with(&|body| (body.patch.mu1, body.patch.mu2) = (0.0, 0.0));
            list
        }
        _ if matches!(scenario.analysis, AnalysisKind::Transient(_)) => {
            let Some(lines) = Lines::of(scenario) else { return Vec::new() };
            smaller_lines(&lines).iter().map(Lines::scenario).collect()
        }
        _ => {
            let Some(lines) = Lines::system(scenario) else { return Vec::new() };
            let with = |lines: &Lines| Scenario { analysis: scenario.analysis.clone(), ..lines.scenario() };
            smaller_lines(&lines).iter().map(with).collect()
        }
    }
}

fn smaller_lines(lines: &Lines) -> Vec<Lines> {
    let mut list = Vec::new();
    let mut with = |change: &dyn Fn(&mut Lines)| {
        let mut smaller = lines.clone();
        change(&mut smaller);
        list.push(smaller);
    };
    if lines.n() > 1 {
        for k in 0..lines.n() {
            with(&|lines| without(lines, k));
        }
    }
    for c in 0..lines.contacts.len() {
        with(&|lines| _ = lines.contacts.remove(c));
    }
    for h in 0..lines.harmonics.len() {
        with(&|lines| _ = lines.harmonics.remove(h));
    }
    with(&|lines| {
        lines.duration *= 0.5;
        lines.window = [0.0, lines.duration];
    });
    with(&|lines| lines.window = [0.0, lines.duration]);
    with(&|lines| lines.damping.iter_mut().flatten().for_each(|c| *c = 0.0));
    with(&|lines| lines.constant.fill(0.0));
    with(&|lines| lines.position.fill(0.0));
    with(&|lines| lines.velocity.fill(0.0));
    with(&|lines| lines.contacts.iter_mut().for_each(|c| c.viscous = 0.0));
    with(&|lines| lines.contacts.iter_mut().for_each(|c| c.belt = 0.0));
    with(&|lines| lines.contacts.iter_mut().for_each(|c| c.load = 1.0));
    with(&|lines| lines.harmonics.iter_mut().for_each(|h| h.phase = 0.0));
    with(&|lines| {
        let round = |x: &mut f64| *x = (x.abs() * 8.0).ceil().copysign(*x) / 8.0;
        for matrix in [&mut lines.mass, &mut lines.damping, &mut lines.stiffness] {
            matrix.iter_mut().flatten().for_each(round);
        }
        for vector in [&mut lines.constant, &mut lines.position, &mut lines.velocity] {
            vector.iter_mut().for_each(round);
        }
        lines.harmonics.iter_mut().for_each(|h| {
            h.amplitude.iter_mut().for_each(round);
            round(&mut h.omega);
        });
    });
    list
}

/// Takes degree of freedom `k` out, and what has no direction left.
fn without(lines: &mut Lines, k: usize) {
    for matrix in [&mut lines.mass, &mut lines.damping, &mut lines.stiffness] {
        matrix.remove(k);
        matrix.iter_mut().for_each(|row| _ = row.remove(k));
    }
    for vector in [&mut lines.constant, &mut lines.position, &mut lines.velocity] {
        vector.remove(k);
    }
    lines.harmonics.iter_mut().for_each(|h| _ = h.amplitude.remove(k));
    for contact in &mut lines.contacts {
        if let Some(direction) = &mut contact.on.direction {
            direction.remove(k);
        }
    }
    lines.contacts.retain(|c| c.on.direction.as_ref().is_some_and(|d| d.iter().any(|w| *w != 0.0)));
}
