//! Where the time goes, example by example, and the speeds that users are promised, as ratios of one run.
//!
//! A power series of degree 22 counts as one evaluation of `adaptive`, so that its time per evaluation says
//! nothing: the time per step is printed. Times of Python and SciPy are processor times.
//!
//! The columns of Python and SciPy need `cargo xtask python`; without it they stay empty.

use serde_json::Value as Json;
use std::hint::black_box;
use std::process::Command;
use std::time::Instant;
use stiction::Progress;
use stiction::body::Body;
use stiction::exact::Exact;
use stiction::ode::Adaptive;
use stiction::simulate::{Integrator, Plan, Record, drive};
use stiction_render::outcome_figure;
use stiction_soak::cost::{
    disc, driven, engine, periods, rectangle, response, smooth, spinning_disc, tight, wrenches,
};
use stiction_soak::golden::{goldens, root};
use stiction_study::{Study, Task, TransientTask};

/// The least time of some runs (s): three at least, then until the time is over.
fn least<T>(seconds: f64, mut run: impl FnMut() -> T) -> f64 {
    let (mut best, begin) = (f64::INFINITY, Instant::now());
    for i in 0.. {
        let start = Instant::now();
        black_box(run());
        best = best.min(start.elapsed().as_secs_f64());
        if i >= 2 && begin.elapsed().as_secs_f64() > seconds {
            break;
        }
    }
    best
}

fn main() {
    let python = from_python();
    table(&python["examples"]);
    promises(&python);
}

/// What the script measured; null where it cannot run.
fn from_python() -> Json {
    let python = root().join("target/python/bin/python");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/time.py");
    let output = Command::new(python).arg(script).output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    serde_json::from_str(&text).unwrap_or_else(|_| {
        println!("no package in target/python, so nothing of Python and SciPy (cargo xtask python)\n");
        Json::Null
    })
}

/// One row for each example (µs). Engine, accumulation, samples and facts are the differences between timed
/// runs; each is what its run takes beyond the one before, which noise can make negative. The last column is
/// the whole run from Python.
fn table(examples: &Json) {
    let heads = ["read", "engine", "accumulate", "samples", "facts", "svg, png", "in Python"];
    println!("{:<26}{}", "µs", heads.map(|head| format!("{head:>11}")).concat());
    for golden in goldens().unwrap_or_default() {
        if golden.is_patch || !golden.scenario.starts_with("examples/") {
            continue;
        }
        let text = std::fs::read_to_string(root().join(&golden.scenario)).unwrap_or_default();
        let Ok(study) = Study::read(&golden.name, &text, &[]) else { continue };
        let mut run = || {
            black_box(study.run(&mut Progress::none()).is_ok());
        };
        let Ok(outcome) = study.run(&mut Progress::none()) else { continue };
        let read = least(0.05, || Study::read(&golden.name, &text, &[]));
        let parts = match &study.task {
            Task::Transient(task) => {
                let [engine, reported, sampled, whole] = transient(task, &mut run);
                [engine, reported - engine, sampled - reported, whole - sampled]
            }
            _ => [least(0.1, run), f64::NAN, f64::NAN, f64::NAN],
        };
        let figure = least(0.1, || figure::svg_and_png(&outcome_figure(&outcome), 144.0).is_ok());
        let python = examples[&golden.name].as_f64().unwrap_or(f64::NAN);
        let [engine, with_facts, samples, facts] = parts;
        let cell = |s: f64| if s.is_nan() { format!("{:>11}", "") } else { format!("{:>11.1}", 1e6 * s) };
        let row = [read, engine, with_facts, samples, facts, figure, python];
        println!("{:<26}{}", golden.name, row.map(cell).concat());
    }
}

/// Seconds of the engine alone, with work and extrema, with samples too, and of the whole `run`, which take
/// turns.
fn transient(task: &TransientTask, run: &mut dyn FnMut()) -> [f64; 4] {
    let drive_by = |plan: &Plan| {
        black_box(drive(&task.system, &task.integrator, plan, &mut Progress::none()).is_ok());
    };
    let unseen = Plan { window: [task.plan.t_end; 2], times: Vec::new(), ..task.plan.clone() };
    let reported = Plan { times: Vec::new(), ..task.plan.clone() };
    let mut bare = || {
        if task.integrator != Integrator::Exact {
            return drive_by(&unseen);
        }
        let Ok(mut exact) = Exact::new(&task.system) else { return };
        while exact.t() < task.plan.t_end && exact.step(task.plan.t_end).is_ok() {}
        black_box(exact.t());
    };
    let mut runs: [&mut dyn FnMut(); 4] =
        [&mut bare, &mut || drive_by(&reported), &mut || drive_by(&task.plan), run];
    let (mut best, begin) = ([f64::INFINITY; 4], Instant::now());
    for i in 0.. {
        for (best, run) in best.iter_mut().zip(&mut runs) {
            let start = Instant::now();
            run();
            *best = best.min(start.elapsed().as_secs_f64());
        }
        if i >= 2 && begin.elapsed().as_secs_f64() > 0.4 {
            break;
        }
    }
    best
}

/// A line of what must show.
fn promise(what: &str, is: f64, sign: &str, must: f64) {
    println!("{what:<76} {is:>9.1}   ({sign} {must})");
}

fn promises(python: &Json) {
    let number = |value: &Json| value.as_f64().unwrap_or(f64::NAN);
    println!();
    let engine_20 = least(0.5, || engine(20));
    let package = number(&python["package"]["many"]);
    let bar = 3.0 * engine_20 + 60e-9 * 1281.0;
    promise(
        "stick-slip from Python, 1281 samples: of 3 engines and 60 ns a sample (%)",
        100.0 * package / bar,
        "≤",
        100.0,
    );
    let many = 20_000;
    let reported =
        least(1.0, || driven(&stiction_soak::cost::stick_slip(), &Integrator::Exact, periods(many), 0));
    promise(
        "stick-slip, 20000 periods with facts: of the engine (%)",
        100.0 * reported / least(1.0, || engine(many)),
        "≤",
        150.0,
    );

    let run = || driven(&smooth(), &tight(), 40.0 * std::f64::consts::PI, 2);
    let (seconds, record) = (least(0.5, run), run());
    promise("trigonometric law: evaluations", record.work.evaluations as f64, "≤", 6000.0);
    let steps = record.work.steps as f64;
    println!(
        "{:<76} {:>9.1}",
        "trigonometric law: µs per step, a power series and f at its end",
        1e6 * seconds / steps
    );
    lsoda(&python["scipy"]["lsoda"], number(&python["package"]["smooth"]), &record);

    let slide = || {
        let simulation = spinning_disc().simulation(&Adaptive::default());
        simulation.is_ok_and(|mut simulation| simulation.run(1.5, &[], &mut Progress::none()).is_ok())
    };
    let slide = least(0.5, slide);
    promise("spinning disc: µs", 1e6 * slide, "≤", 150.0);
    spinning(&python["package"]["disc"], &python["scipy"]["disc"]);

    for (name, patch, bar) in [("rectangle", rectangle(), 60.0), ("uniform disc", disc(), 35.0)] {
        let seconds = least(0.3, || wrenches(&patch, 4096)) / 4096.0;
        promise(&format!("{name}: ns per wrench"), 1e9 * seconds, "≤", bar);
    }
    println!("{:<76} {:>9.1}", "response of 1000 points: µs per point", 1e3 * least(0.5, || response(1000)));
}

/// The spinning disc from Python: the same samples at the same tolerances, and what both are off by at the
/// end.
fn spinning(package: &Json, scipy: &Json) {
    let number = |value: &Json| value.as_f64().unwrap_or(f64::NAN);
    let truth = spinning_disc().simulation(&Body::settings()).map_or(f64::NAN, |mut run| {
        run.run(1.5, &[], &mut Progress::none()).map_or(f64::NAN, |run| run.summary.path)
    });
    let error = |value: &Json| (number(&value["x"]) / truth - 1.0).abs();
    let (own, other) = (error(package), error(scipy));
    let what =
        format!("spinning disc from Python, 1501 samples, error {own:.0e}: × SciPy, error {other:.0e}");
    promise(&what, number(&scipy["seconds"]) / number(&package["seconds"]), "≥", 100.0);
}

/// LSODA at the same tolerance, and at the one that brings it nearest to our error: the fastest of those at
/// least as good, else its best.
fn lsoda(runs: &Json, seconds: f64, record: &Record) {
    let exact = Integrator::Adaptive(Adaptive { rtol: 1e-13, atol: 1e-13, ..Adaptive::default() });
    let truth = driven(&smooth(), &exact, 40.0 * std::f64::consts::PI, 2);
    let last = |record: &Record| [&record.samples.position, &record.samples.velocity].map(|x| x[0][1]);
    let error = |state: [f64; 2]| {
        let [u, v] = last(&truth);
        f64::max((state[0] - u).abs(), (state[1] - v).abs())
    };
    let own = error(last(record));
    println!("{:<76} {own:>9.1e}", "trigonometric law: error of the last state");
    let number = |value: &Json| value.as_f64().unwrap_or(f64::NAN);
    let off = |run: &&Json| error([number(&run["state"][0]), number(&run["state"][1])]);
    let print = |run: &Json| {
        let what = format!(
            "trigonometric law from Python: × LSODA at rtol {:e}, error {:.1e}",
            number(&run["rtol"]),
            off(&run)
        );
        promise(&what, number(&run["seconds"]) / seconds, "≥", 100.0);
    };
    let Some(runs) = runs.as_array() else { return };
    let time = |run: &&Json| number(&run["seconds"]);
    if let Some(run) = runs.iter().find(|run| number(&run["rtol"]) == 1e-9) {
        print(run);
    }
    let good = runs.iter().filter(|run| off(run) <= own).min_by(|a, b| time(a).total_cmp(&time(b)));
    let best = runs.iter().min_by(|a, b| off(a).total_cmp(&off(b)));
    if let Some(run) = good.or(best) {
        print(run);
    }
}
