//! The motion that is reported against one that this crate has integrated itself.

use crate::dice::Dice;
use crate::event_stepping::EventStepping;
use crate::lines::Lines;
use crate::modes::Follower;
use crate::reported::{Reported, size};
use crate::steps::Stepped;
use crate::verdict::{Checked, Verdict, ended, skip};
use stiction::law::{FrictionLaw, Graph, Law};
use stiction_study::{IntegratorKind, Scenario};

/// Positions and velocities of two exact methods, relative to the motion: roundings, a thousand times over.
const SAME: f64 = 1e-9;
/// A disturbance by which the own integration shows how well the motion is determined.
const DISTURBANCE: f64 = 1e-11;
/// The reported motion may be off by so many times what the disturbance changes.
const AMPLIFIED: f64 = 10.0;
/// A disturbance that grows beyond this part of the motion: events that are a matter of rounding.
const UNDETERMINED: f64 = 1e-5;
/// Small steps against error-controlled ones with 1e-9 a step, relative to the motion.
const STEPS: f64 = 1e-5;

/// Checks a transient against an own integration.
pub fn reference(scenario: &Scenario, seed: u64) -> Checked {
    let Some(lines) = Lines::of(scenario) else { return skip("no transient on lines") };
    let is_exact = matches!(lines.integrator, Some(IntegratorKind::Exact(_)));
    if !is_exact && !matches!(lines.integrator, Some(IntegratorKind::Adaptive(_))) {
        return skip("fixed steps");
    }
    let reported = match Reported::run(scenario) {
        Ok(reported) => reported,
        Err(reason) => return ended(reason),
    };
    let turns = |law: &FrictionLaw| {
        law.sliders().is_some() || law.graph() == Graph::SetValued && law.corners().is_none()
    };
    if lines.contacts.iter().any(|contact| turns(&contact.law)) {
        return by_event_stepping(&lines, &reported);
    }
    if is_exact { by_modes(&lines, &reported, seed) } else { by_steps(&lines, &reported) }
}

/// Contacts that stick and slip at events by Runge–Kutta steps between them, twice, the second time with half
/// the step.
fn by_event_stepping(lines: &Lines, reported: &Reported) -> Checked {
    let Some(event_stepping) = EventStepping::new(lines) else { return skip("several contacts rest") };
    let t = reported.column("t");
    let Some(steps) = event_stepping.steps(lines.duration) else { return skip("too steep for small steps") };
    let (Some(coarse), Some(fine)) =
        (event_stepping.rows(&[], t, steps), event_stepping.rows(&[], t, 2 * steps))
    else {
        return skip("own integration: events accumulate");
    };
    let own = apart(lines, reported, &coarse, &fine);
    if !(own < UNDETERMINED.sqrt()) {
        return skip("the small steps are too long");
    }
    let far = distance(lines, reported, &fine);
    if far > STEPS + AMPLIFIED * own {
        return Err(format!(
            "off by {far:e} from own steps between events, which differ by {own:e} among themselves"
        ));
    }
    Ok(Verdict::Passed)
}

/// Distance of rows of positions and velocities from the columns, in parts of the motion.
fn distance(lines: &Lines, reported: &Reported, rows: &[Vec<f64>]) -> f64 {
    let n = lines.n();
    let columns = [reported.columns_of("position", n), reported.columns_of("velocity", n)].concat();
    let sizes = sizes(lines, reported);
    let mut worst = 0.0f64;
    for (k, column) in columns.iter().enumerate() {
        let far = column.iter().zip(rows).map(|(x, row)| (x - row[k]).abs()).fold(0.0, f64::max);
        worst = worst.max(far / sizes[k / n]);
    }
    worst
}

/// Distance of two lists of rows, in parts of the motion.
fn apart(lines: &Lines, reported: &Reported, a: &[Vec<f64>], b: &[Vec<f64>]) -> f64 {
    let (n, sizes) = (lines.n(), sizes(lines, reported));
    let pairs = a.iter().zip(b).flat_map(|(a, b)| a.iter().zip(b).take(2 * n).enumerate());
    pairs.map(|(k, (a, b))| (a - b).abs() / sizes[k / n]).fold(0.0, f64::max)
}

/// Sizes of the positions (m) and velocities (m/s) of a motion.
fn sizes(lines: &Lines, reported: &Reported) -> [f64; 2] {
    let belts = lines.contacts.iter().map(|c| c.belt.abs()).fold(1e-3, f64::max);
    let of = |name: &str| reported.columns_of(name, lines.n()).iter().map(|c| size(c)).fold(1e-3, f64::max);
    [of("position"), of("velocity").max(belts)]
}

fn by_modes(lines: &Lines, reported: &Reported, seed: u64) -> Checked {
    let Some(follower) = Follower::new(lines) else { return skip("a law that is no polyline") };
    let t = reported.column("t");
    let followed = match follower.clone().follow(t, lines.window) {
        Ok(followed) => followed,
        Err(reason) => return skip(&reason),
    };
    if followed.is_ambiguous {
        return skip("static friction leaves several motions");
    }
    let far = distance(lines, reported, &followed.rows);
    let span = lines.window[1] - lines.window[0];
    let m = lines.contacts.len();
    // a share of time is as good as the instants of the events
    let rests = (0..m)
        .map(|c| (reported.fact(&Reported::name("stick_fraction", c, m)) - followed.rest[c] / span).abs());
    let is_coulomb = |c: &usize| matches!(lines.contacts[*c].law, FrictionLaw::Coulomb(_));
    let rest_off = rests.enumerate().filter(|(c, _)| is_coulomb(c)).map(|(_, off)| off).fold(0.0, f64::max);
    if far <= SAME && rest_off <= SAME {
        return Ok(Verdict::Passed);
    }
    // is the motion determined so well?
    let mut dice = Dice::new(seed ^ 0xD157);
    let (mut moved, mut rest_moved) = (0.0f64, 0.0f64);
    for _ in 0..3 {
        let disturbed = follower.clone().disturbed(|| DISTURBANCE * dice.between(-1.0, 1.0));
        let Ok(other) = disturbed.follow(t, lines.window) else {
            return skip("own integration: undetermined");
        };
        moved = moved.max(apart(lines, reported, &followed.rows, &other.rows));
        let rests = other.rest.iter().zip(&followed.rest).map(|(a, b)| (a - b).abs() / span);
        rest_moved = rests.fold(rest_moved, f64::max);
    }
    if moved > UNDETERMINED || rest_moved > 1e-2 {
        return skip("events are a matter of rounding");
    }
    if far > SAME + AMPLIFIED * moved {
        return Err(format!(
            "off by {far:e} from an own integration with {} events, which a disturbance of {DISTURBANCE:e} moves by {moved:e}",
            followed.n_events
        ));
    }
    // a motion that dies out along an exponential rests where rounding ends it
    let faint = |c: usize| {
        let sliding = reported.column(&Reported::name("sliding", c, m));
        let faint = 1e-9 * size(sliding).max(1e-3);
        let n_faint = sliding.iter().filter(|s| **s != 0.0 && s.abs() < faint).count();
        n_faint as f64 / sliding.len().max(1) as f64
    };
    let dies_out = (0..m).map(faint).fold(0.0, f64::max);
    if rest_off > SAME + AMPLIFIED * rest_moved + dies_out {
        return Err(format!("the stick fractions are off by {rest_off:e} from an own integration"));
    }
    Ok(Verdict::Passed)
}

/// Any continuous law by Runge–Kutta steps of order 4, twice, the second time with half the step.
fn by_steps(lines: &Lines, reported: &Reported) -> Checked {
    let Some(stepped) = Stepped::new(lines) else { return skip("no small steps for these laws") };
    let t = reported.column("t");
    let Some(steps) = stepped.steps(lines.duration) else { return skip("too steep for small steps") };
    let (coarse, fine) = (stepped.rows(&[], t, steps), stepped.rows(&[], t, 2 * steps));
    let own = apart(lines, reported, &coarse, &fine);
    if !(own < UNDETERMINED.sqrt()) {
        return skip("the small steps are too long");
    }
    let far = distance(lines, reported, &fine);
    if far > STEPS + AMPLIFIED * own {
        return Err(format!("off by {far:e} from small steps, which differ by {own:e} among themselves"));
    }
    Ok(Verdict::Passed)
}
