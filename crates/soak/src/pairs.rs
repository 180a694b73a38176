//! Every law beside every element, in a transient, a search for periodic motions and a response: random numbers, one mass or two.
//!
//! | what | compared with |
//! |---|---|
//! | transients of set-valued laws, laws of sliders, Quinn's law, functions of the velocity and laws with memory | steps of fourth order that are cut at every event and kink ([`ElementStepping`]), twice, the second time with half the step |
//! | transients of `karnopp`, which run with fixed steps | the set-valued law that they tend to, by those steps |
//! | periodic motions | those steps over one period: the motion comes back |
//! | responses | the periodic motions at each value of the parameter, which come back, and half the range of those steps at their ends |
//!
//! The steps share the values of signals and laws with the program, and no equation of motion, event or mode. A system
//! that is too stiff for them, or whose contact opens, is skipped.

mod stepping;

use crate::dice::Dice;
use crate::generate::varied;
use crate::reported::{Ended, patient};
use crate::verdict::{Checked, Verdict, ended, skip};
use std::time::Duration;
use stepping::{Course, ElementStepping};
use stiction::law::{Coulomb, FrictionLaw, Graph, Law, Slip};
use stiction::simulate::{Record, drive};
use stiction::steady::{Orbit, Point, State, sweep};
use stiction::system::{Prescribed, System};
use stiction_reference::elements::{ELEMENTS, Element, LOAD, parameter, system};
use stiction_study::{
    AnalysisKind, FixedStep, IntegratorKind, OneOrMany, ResponseTask, Scenario, SteadySettings, Study,
    SystemKind, Task, TransientTask,
};

/// Analyses of pairs.
const ANALYSES: [&str; 3] = [
    "[analysis.transient]\nduration = 8.0\nsamples = 101\n",
    "[analysis.steady]\n",
    "[analysis.response]\nparameter = \"mass\"\nfrom = 1.0\nto = 1.2\npoints = 2\n",
];
/// Fixed steps of Karnopp's law, which needs them.
const FIXED: FixedStep = FixedStep { step: Some(5e-4), steps_per_period: None };
/// Number of pairs with an analysis. A seed beyond it is another system of the same pair.
pub const PAIRS: u64 = (FrictionLaw::NAMES.len() * ELEMENTS.len() * ANALYSES.len()) as u64;
/// Seeds that follow each other are far apart among the pairs: a prime that does not divide their number.
const STRIDE: u64 = 769;

/// Numbers are multiplied by factors between these.
const FACTORS: [f64; 2] = [0.7, 1.4];
/// Slopes at rest above this need steps that are too small (s/m).
const STEEPEST: f64 = 150.0;
/// Tries for numbers that the program accepts.
const TRIES: u64 = 50;
/// A search that takes longer is left out.
const SEARCH: Duration = Duration::from_secs(20);

/// Positions and velocities, relative to the motion: error control of the program with 1e-9 a step.
const SAME: f64 = 1e-5;
/// The program may be off by so many times what the two step sizes differ by.
const AMPLIFIED: f64 = 10.0;
/// Step sizes that differ by more say nothing.
const ROUGH: f64 = 1e-3;
/// Number of steps beyond which there is no halving.
const MOST_STEPS: usize = 100_000;
/// Laws that jump, by fixed steps, against the set-valued law: some steps in velocities that they are late.
const FIXED_STEPS: f64 = 3e-2;
/// Motions that are smaller are compared as if they had this size: a few steps of chattering (m, m/s).
const CHATTERING: f64 = 0.05;
/// By how much a periodic motion may miss itself.
const MISS: f64 = 1e-6;
/// Amplitude of a response against that of own steps, of which there are 300 at least: they miss a peak by (π/300)²/2.
const AMPLITUDE: f64 = 1e-4;

/// The scenario of a seed.
pub fn pair_of(seed: u64) -> Scenario {
    let (law, element, analysis) = pair(seed);
    let examples: Vec<FrictionLaw> =
        FrictionLaw::examples().into_iter().filter(|own| own.name() == law).collect();
    let tried = |attempt: u64| {
        let mut dice = Dice::new(seed.wrapping_mul(TRIES).wrapping_add(attempt) ^ 0x9A15);
        let example = dice.pick(&examples).clone();
        let drive = if element.drives() { "" } else { LOAD };
        let lines = format!("{drive}{}friction.coulomb.mu = 0.3\n", element.lines);
        let (tables, varied_number) = match (dice.chance(0.5), parameter(&lines)) {
            (false, own) => (system(&lines), own),
            (true, "mass") => (doubled(&lines), "mass.0"),
            (true, own) => (doubled(&lines), own),
        };
        let tables = changed(&tables, &mut dice);
        let analysis = ANALYSES[analysis].replace("mass", varied_number);
        let study = Study::read("soak.toml", &format!("{tables}{analysis}"), &[]).ok()?;
        let mut scenario = study.scenario;
        // not the one that suits the law in whose place another one goes
        let is_transient = matches!(scenario.analysis, AnalysisKind::Transient(_));
        scenario.integrator =
            (is_transient && example.name() == "karnopp").then_some(IntegratorKind::Rk4(FIXED));
        let law = varied(&mut dice, &example);
        let is_steep = law.slope(Slip::at(0.0)) > STEEPEST;
        set_law(&mut scenario.system, law);
        (!is_steep).then_some(scenario)
    };
    (0..TRIES).find_map(tried).unwrap_or_else(|| unreachable!("{law} beside {}", element.name))
}

/// Law, element and analysis of a seed.
fn pair(seed: u64) -> (&'static str, &'static Element, usize) {
    let number = (seed.wrapping_mul(STRIDE) % PAIRS) as usize;
    let (analysis, pair) = (number % ANALYSES.len(), number / ANALYSES.len());
    (FrictionLaw::NAMES[pair / ELEMENTS.len()], &ELEMENTS[pair % ELEMENTS.len()], analysis)
}

/// The table of a system of two free masses with these lines, which act on the first.
fn doubled(lines: &str) -> String {
    let is_prescribed = lines.contains("prescribed");
    let lines = [
        ("by_position = [0.1]", "by_position = [0.1, 0.0]"),
        ("b_velocity = [[-1.0]], f_state = [[0.5]]", "b_velocity = [[-1.0, 0.0]], f_state = [[0.5], [0.0]]"),
        ("dof = 1", "dof = 2"),
        ("[1.0, -1.0]", "[1.0, 0.0, -1.0]"),
    ]
    .iter()
    .fold(lines.to_owned(), |lines, (one, two)| lines.replace(one, two));
    // what says nothing else acts on the first
    let mut placed = String::new();
    for line in lines.lines() {
        let key = line.split([' ', '.']).next().unwrap_or_default();
        let has_place =
            matches!(key, "base" | "state_space") || line.contains("dof") || line.contains("direction");
        placed += &match line.strip_suffix(" }").filter(|_| line.starts_with(&format!("{key} ="))) {
            _ if has_place || key == "friction" => format!("{line}\n"),
            Some(open) => format!("{open}, dof = 0 }}\n"),
            None => format!("{line}\n{key}.dof = 0\n"),
        };
    }
    if !placed.contains("friction.dof") {
        placed += "friction.dof = 0\n";
    }
    let (mass, stiffness) = if is_prescribed {
        ("[1.0, 0.8, 1.0]", "[[2.5, -0.5, -1.0], [-0.5, 1.5, 0.0], [-1.0, 0.0, 1.0]]")
    } else {
        ("[1.0, 0.8]", "[[1.5, -0.5], [-0.5, 1.5]]")
    };
    let damping = if is_prescribed {
        "[[0.1, 0.0, 0.0], [0.0, 0.2, 0.0], [0.0, 0.0, 0.0]]"
    } else {
        "[[0.1, 0.0], [0.0, 0.2]]"
    };
    format!("[system.matrices]\nmass = {mass}\ndamping = {damping}\nstiffness = {stiffness}\n{placed}")
}

/// The text with its numbers multiplied: those with a point, each key by a factor of its own, times and frequencies by one, so
/// that what is periodic remains so.
fn changed(text: &str, dice: &mut Dice) -> String {
    let time = dice.decades(FACTORS[0], FACTORS[1]);
    let (mut factor, mut key, mut number, mut changed) = (1.0, String::new(), String::new(), String::new());
    for c in text.chars().chain(['\n']) {
        if c.is_ascii_digit() && key.is_empty() || c == '.' && !number.is_empty() {
            number.push(c);
            continue;
        }
        match number.parse::<f64>() {
            Ok(x) if number.contains('.') => changed += &format!("{:?}", x * factor),
            _ => changed += &number,
        }
        number.clear();
        match c {
            'a'..='z' | 'A'..='Z' | '_' => key.push(c),
            '=' => {
                factor = match key.as_str() {
                    "omega" => 1.0 / time,
                    "times" | "start" | "end" | "period" => time,
                    "direction" => 1.0,
                    _ => dice.decades(FACTORS[0], FACTORS[1]),
                };
                key.clear();
            }
            // a path, whose last key counts
            ' ' => {}
            _ => key.clear(),
        }
        changed.push(c);
    }
    changed
}

/// Gives the contact of a system a law.
fn set_law(kind: &mut SystemKind, law: FrictionLaw) {
    let friction = match kind {
        SystemKind::Oscillator(own) => &mut own.acting.friction,
        SystemKind::Matrices(own) => &mut own.surroundings.acting.friction,
        _ => return,
    };
    if let OneOrMany::One(contact) = friction {
        contact.law = law;
    }
}

/// Checks a pair of a law and an element.
pub fn pairs(scenario: &Scenario, _seed: u64) -> Checked {
    let text = scenario.to_toml().map_err(|error| error.message.clone())?;
    let study = match Study::read("soak.toml", &text, &[]) {
        Ok(study) => study,
        Err(errors) => {
            return ended(Ended::Refused(errors.first().map_or_else(String::new, |e| e.message.clone())));
        }
    };
    match &study.task {
        Task::Transient(task) => transient(task),
        Task::Steady(task) => {
            let mut steady = task.steady.clone();
            steady.starts = vec![State::initial(&task.system)];
            let orbits = match patient(SEARCH, |progress| steady.find(&task.system, progress)) {
                Ok(orbits) => orbits,
                Err(reason) => return searched(reason),
            };
            let found = orbits.iter().map(|orbit| comes_back(&task.system, task.prescribed.as_ref(), orbit));
            judged(found.collect())
        }
        Task::Response(task) => response(scenario, task),
        _ => skip("another analysis"),
    }
}

/// What an ended search means: one that takes long says nothing.
fn searched(reason: Ended) -> Checked {
    match reason {
        Ended::Endless => skip("a long search"),
        refused => ended(refused),
    }
}

/// The worst of several verdicts; skipped if all are.
fn judged(list: Vec<Checked>) -> Checked {
    let mut verdict = Verdict::Skipped("no motion".into());
    for found in list {
        let found = found?;
        if verdict != Verdict::Passed {
            verdict = found;
        }
    }
    Ok(verdict)
}

/// Own motion at ascending times, and by how much it may be off in parts of `sizes`.
fn own_motion(
    own: &ElementStepping,
    start: &[f64],
    times: &[f64],
    sizes: &[f64],
) -> Result<(Course, f64), &'static str> {
    let duration = times.last().copied().unwrap_or(0.0);
    let mut steps = own.steps(duration).ok_or("too stiff for small steps")?;
    let mut coarse = own.run(start, times, steps)?;
    loop {
        steps *= 2;
        let fine = own.run(start, times, steps)?;
        let off = apart(&coarse.rows, &fine.rows, sizes);
        if off <= SAME {
            return Ok((fine, off));
        } else if steps > MOST_STEPS {
            return if off <= ROUGH { Ok((fine, off)) } else { Err("the small steps are too long") };
        }
        coarse = fine;
    }
}

/// Distance of two lists of rows, column by column in parts of its size.
fn apart(a: &[Vec<f64>], b: &[Vec<f64>], sizes: &[f64]) -> f64 {
    let rows = a.iter().zip(b);
    let pairs = rows.flat_map(|(a, b)| a.iter().zip(b).zip(sizes));
    pairs.map(|((a, b), size)| (a - b).abs() / size).fold(0.0, f64::max)
}

/// The largest entry of some columns of rows, at least 1e-3.
fn largest(rows: &[Vec<f64>], columns: std::ops::Range<usize>) -> f64 {
    rows.iter().flat_map(|row| &row[columns.clone()]).fold(1e-3, |size: f64, x| size.max(x.abs()))
}

fn transient(task: &TransientTask) -> Checked {
    let record = match patient(SEARCH, |progress| drive(&task.system, &task.integrator, &task.plan, progress))
    {
        Ok(record) => record,
        Err(reason) => return ended(reason),
    };
    let system = &task.system;
    let Some(contact) = system.contacts.first() else { return skip("no contact") };
    let law = &contact.friction.law;
    let jumps = law.graph() == Graph::Jump;
    let stands_in = jumps.then(|| set_valued(law));
    let own = ElementStepping::new(system, task.prescribed.as_ref(), stands_in.as_ref());
    let Some(own) = own else { return skip("several contacts") };
    let start = own.state(&system.position, &system.velocity, &system.initial_states());
    let n = system.n();
    let rows = rows_of(&record);
    // a law that jumps never comes to rest under fixed steps
    let least = if jumps { CHATTERING } else { 0.0 };
    let [position, velocity] = [0..n, n..2 * n].map(|columns| largest(&rows, columns).max(least));
    let sizes = [vec![position; n], vec![velocity; n]].concat();
    let (found, off) = match own_motion(&own, &start, &record.samples.t, &sizes) {
        Ok(found) => found,
        Err(reason) => return skip(reason),
    };
    let far = apart(&rows, &found.rows, &sizes);
    // inside its dead zone a law holds a contact that moves
    let dead_zone = law.number("width").unwrap_or(0.0);
    let allowed = if jumps { FIXED_STEPS + 3.0 * dead_zone / velocity } else { SAME + AMPLIFIED * off };
    if !(far <= allowed) {
        return Err(format!(
            "off by {far:e} from own steps between events, which differ by {off:e} among themselves"
        ));
    }
    Ok(Verdict::Passed)
}

/// The set-valued law that a law which jumps tends to.
fn set_valued(law: &FrictionLaw) -> FrictionLaw {
    let number = |name: &str| law.number(name);
    FrictionLaw::Coulomb(Coulomb { mu: number("mu").unwrap_or(0.0), mu_static: number("mu_static") })
}

/// Positions and velocities of a record, sample by sample.
fn rows_of(record: &Record) -> Vec<Vec<f64>> {
    let samples = &record.samples;
    let columns = || samples.position.iter().chain(&samples.velocity);
    (0..samples.t.len()).map(|i| columns().map(|column| column[i]).collect()).collect()
}

/// Whether a periodic motion comes back to itself.
fn comes_back(system: &System, prescribed: Option<&Prescribed>, orbit: &Orbit) -> Checked {
    cycle(system, prescribed, orbit).map(|found| match found {
        Ok(_) => Verdict::Passed,
        Err(reason) => Verdict::Skipped(reason.into()),
    })
}

/// Half the range of the first degree of freedom in own steps over a period, or why there are none; an error if the motion does not
/// come back.
fn cycle(
    system: &System,
    prescribed: Option<&Prescribed>,
    orbit: &Orbit,
) -> Result<Result<f64, &'static str>, String> {
    let Some(own) = ElementStepping::new(system, prescribed, None) else {
        return Ok(Err("several contacts"));
    };
    let start = own.state(&orbit.state.position, &orbit.state.velocity, &orbit.state.memory);
    let (n, rate) = (system.n(), std::f64::consts::TAU / orbit.period);
    let length = orbit.extent.max(1e-3);
    let mut sizes = vec![length; n];
    sizes.resize(2 * n, length * rate);
    // a time at rest is recorded, but acts in rest only, whose end the velocities show
    let is_recorded = system.contacts.iter().any(|c| matches!(c.friction.law, FrictionLaw::CoulombDwell(_)));
    let memory = start[2 * n..].iter().fold(1e-3f64, |size, x| size.max(x.abs()));
    sizes.resize(start.len(), if is_recorded { f64::INFINITY } else { memory });
    let (found, off) = match own_motion(&own, &start, &[orbit.period], &sizes) {
        Ok(found) => found,
        Err(reason) => return Ok(Err(reason)),
    };
    let far = apart(&found.rows, std::slice::from_ref(&start), &sizes);
    if !(far <= MISS + AMPLIFIED * off) {
        return Err(format!(
            "a motion does not come back to itself by {far:e} after its period of {} s, but own steps differ by {off:e}",
            orbit.period
        ));
    }
    Ok(Ok(0.5 * (found.range[1] - found.range[0])))
}

/// The motions along a parameter come back, and have the amplitude that is reported.
fn response(scenario: &Scenario, task: &ResponseTask) -> Checked {
    let AnalysisKind::Response(settings) = &scenario.analysis else { return skip("no response") };
    let values = [settings.from, settings.to];
    let family = |value: f64| task.varied.parameter.at(&task.system, value);
    let points = match patient(SEARCH, |progress| sweep(&task.steady, &family, &values, progress)) {
        Ok(points) => points,
        Err(reason) => return searched(reason),
    };
    let mut list = Vec::new();
    for Point { parameter, orbit } in &points {
        let Ok(orbit) = orbit else { continue };
        // the system at this value as a user writes it
        let steady =
            Scenario { analysis: AnalysisKind::Steady(SteadySettings::default()), ..scenario.clone() };
        let text = steady.to_toml().map_err(|error| error.message.clone())?;
        let key =
            if matches!(scenario.system, SystemKind::Oscillator(_)) { "oscillator" } else { "matrices" };
        let set = format!("system.{key}.{}={parameter:?}", settings.parameter);
        let study = Study::read("soak.toml", &text, &[set]).map_err(|errors| format!("{errors:?}"))?;
        let Task::Steady(own) = &study.task else { continue };
        list.push(match cycle(&own.system, own.prescribed.as_ref(), orbit)? {
            Err(reason) => Ok(Verdict::Skipped(reason.into())),
            Ok(amplitude) if (amplitude - orbit.amplitude).abs() <= AMPLITUDE * orbit.extent.max(1e-3) => {
                Ok(Verdict::Passed)
            }
            Ok(amplitude) => Err(format!(
                "at {parameter} the amplitude is said to be {} m, but own steps have {amplitude} m",
                orbit.amplitude
            )),
        });
    }
    judged(list)
}
