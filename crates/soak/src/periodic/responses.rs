//! Responses over a frequency, point by point.

use super::*;

/// The search along a parameter of a scenario.
fn response_task(study: &Study) -> Option<&ResponseTask> {
    match &study.task {
        Task::Response(task) => Some(task),
        _ => None,
    }
}

/// The system of a scenario at a value of its frequency.
fn at_frequency(lines: &Lines, omega: f64) -> Lines {
    let mut lines = lines.clone();
    lines.harmonics.iter_mut().for_each(|h| h.omega = omega);
    lines
}

/// Checks a sweep: each motion comes back to itself, and where there is only one the way does not matter.
pub fn response(scenario: &Scenario, _seed: u64) -> Checked {
    let Some(lines) = Lines::system(scenario) else { return skip("no system on lines") };
    let AnalysisKind::Response(response) = &scenario.analysis else { return skip("no response") };
    let reported = match Reported::run_for(scenario, SEARCH) {
        Ok(reported) => reported,
        Err(reason) => return searched(reason),
    };
    let back = Response { from: response.to, to: response.from, ..response.clone() };
    let back = Scenario { analysis: AnalysisKind::Response(back), ..scenario.clone() };
    let back = match Reported::run_for(&back, SEARCH) {
        Ok(reported) => reported,
        Err(reason) => return searched(reason),
    };
    let study = read(scenario)?;
    let Some(task) = response_task(&study) else { return skip("no response") };
    let values = reported.column("omega");
    let family = |value: f64| task.varied.parameter.at(&task.system, value);
    let points = match patient(SEARCH, |progress| sweep(&task.steady, &family, values, progress)) {
        Ok(points) => points,
        Err(reason) => return searched(reason),
    };
    let n_back = all_come_back(&lines, &points)?;
    let (forth, mut reverse) = (reported.column("amplitude"), back.column("amplitude").to_vec());
    reverse.reverse();
    if is_unique(&lines) {
        let scale = size(forth).max(1e-6);
        let differs = (0..forth.len()).find(|&i| !(forth[i] - reverse[i]).abs().le(&(SAME * scale)));
        if let Some(i) = differs.filter(|&i| forth[i].is_finite() || reverse[i].is_finite()) {
            return Err(format!(
                "at {} rad/s the amplitude is {} on the way up, but {} on the way down",
                values[i], forth[i], reverse[i]
            ));
        }
    }
    if n_back == 0 { skip("own integration: none for these laws") } else { Ok(Verdict::Passed) }
}

/// How many of the motions an own integration has looked at; an error if one does not come back to itself.
fn all_come_back(lines: &Lines, points: &[Point]) -> Result<usize, String> {
    let mut n = 0;
    for Point { parameter, orbit } in points {
        if let Ok(orbit) = orbit {
            let back = comes_back(&at_frequency(lines, *parameter), orbit);
            n += usize::from(back.map_err(|error| format!("at {parameter} rad/s: {error}"))?);
        }
    }
    Ok(n)
}

/// Points along which a branch is looked at.
const LOOKED_AT: usize = 8;

/// Checks a branch through folds: it arrives or says why not, its motions come back to themselves, and a
/// sweep through the same values has motions that do, the same ones where there is only one.
pub fn folds(scenario: &Scenario, _seed: u64) -> Checked {
    let Some(lines) = Lines::system(scenario) else { return skip("no system on lines") };
    let AnalysisKind::Response(response) = &scenario.analysis else { return skip("no response") };
    let response = Response { through_folds: true, points: 40, ..response.clone() };
    let scenario = Scenario { analysis: AnalysisKind::Response(response.clone()), ..scenario.clone() };
    let reported = match Reported::run_for(&scenario, SEARCH) {
        Ok(reported) => reported,
        Err(reason) => return searched(reason),
    };
    let study = read(&scenario)?;
    let Some(task) = response_task(&study) else { return skip("no response") };
    let family = |value: f64| task.varied.parameter.at(&task.system, value);
    let max_step = 1.0 / response.points as f64;
    let continuation = Continuation {
        steady: task.steady.clone(),
        from: response.from,
        to: response.to,
        max_step,
        step: Continuation::default().step.min(max_step),
        max_points: 100_000,
        ..Continuation::default()
    };
    let branch = match patient(SEARCH, |progress| continuation.run(&family, progress)) {
        Ok(branch) => branch,
        Err(reason) => return searched(reason),
    };
    let (reached, complete) = (reported.fact("branch_end"), reported.fact("complete"));
    if (complete == 1.0) != (reached == response.to) || complete != f64::from(u8::from(branch.is_complete()))
    {
        return Err(format!("reached {reached} of {}, but complete is {complete}", response.to));
    }
    if complete != 1.0 && reported.warnings.is_empty() {
        return Err(format!("ended at {reached} without a word"));
    }
    if reported.fact("jumps") > 0.0 && !reported.column("amplitude").iter().any(|x| x.is_nan()) {
        return Err("the branch jumps, but its curve has no gap".into());
    }
    let every = (branch.points.len() / LOOKED_AT).max(1);
    let looked_at: Vec<Point> = branch.points.iter().step_by(every).cloned().collect();
    let n_back = all_come_back(&lines, &looked_at)?;
    let mut values: Vec<f64> = looked_at.iter().map(|point| point.parameter).collect();
    values.sort_by(f64::total_cmp);
    values.dedup();
    let points = match patient(SEARCH, |progress| sweep(&task.steady, &family, &values, progress)) {
        Ok(points) => points,
        Err(reason) => return searched(reason),
    };
    all_come_back(&lines, &points)?;
    if is_unique(&lines) {
        let amplitude = |point: &Point| point.orbit.as_ref().ok().map(|orbit| orbit.amplitude);
        let scale = points.iter().filter_map(amplitude).fold(1e-6, f64::max);
        for point in &looked_at {
            let same = points.iter().find(|other| other.parameter == point.parameter);
            if let (Some(a), Some(b)) = (amplitude(point), same.and_then(amplitude))
                && (a - b).abs() > SAME * scale
            {
                return Err(format!(
                    "at {} rad/s the branch has the amplitude {a}, but the sweep {b}",
                    point.parameter
                ));
            }
        }
    }
    if n_back == 0 { skip("own integration: none for these laws") } else { Ok(Verdict::Passed) }
}
