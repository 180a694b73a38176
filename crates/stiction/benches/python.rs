//! The Python package against a loop in Rust over the same numbers, in one run that takes turns.
//!
//! Needs the package in `target/python` as users get it: `cargo xtask python`. The bars: one call below 2 µs; arrays at most
//! 1.3 times what a loop that makes a new list takes, both on one thread. Then the package on all threads.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Instant;
use stiction::law::{
    Coulomb, FrictionLaw, Law, Linear, Lugre, SteadySliding, Stribeck, Trigonometric, Weakening,
};
use stiction::patch::{Disc, Patch, PatchFriction, Pressure, Rectangle, Shape, Twist};

const VELOCITIES: usize = 1_000_000;
const TWISTS: usize = 100_000;
const CALLS: usize = 10_000;
const ROUNDS: usize = 30;

/// Seconds by case.
type Seconds = BTreeMap<String, f64>;

fn laws() -> Vec<FrictionLaw> {
    let (mu, mu_static, velocity) = (0.3, 0.5, 0.1);
    let (rise, rise_height, weakening) = (None, None, Weakening::Gaussian);
    vec![
        FrictionLaw::Linear(Linear { mu, width: 0.1, rise, rise_height }),
        FrictionLaw::Trigonometric(Trigonometric { mu, width: 0.1, rise, rise_height }),
        FrictionLaw::Coulomb(Coulomb { mu, mu_static: Some(0.4) }),
        FrictionLaw::Stribeck(Stribeck {
            mu,
            mu_static,
            velocity,
            width: Some(0.01),
            weakening,
            exponent: None,
        }),
        FrictionLaw::Lugre(Lugre { mu, mu_static, velocity, stiffness: 1e3, damping: 10.0, exponent: None }),
    ]
}

fn contacts() -> Vec<(&'static str, PatchFriction)> {
    let disc = Shape::Disc(Disc { radius: 0.1 });
    let rectangle = Shape::Rectangle(Rectangle { length: 0.5, width: 0.2 });
    let contact = |shape: &Shape, pressure| Patch::new(shape.clone(), pressure, 0.3, 10.0).prepare().unwrap();
    vec![
        ("disc, uniform", contact(&disc, Pressure::Uniform)),
        ("disc, galin", contact(&disc, Pressure::Galin)),
        ("rectangle", contact(&rectangle, Pressure::Uniform)),
    ]
}

/// The seconds that making a list takes.
fn seconds<T>(list: impl FnOnce() -> Vec<T>) -> f64 {
    let start = Instant::now();
    drop(black_box(list()));
    start.elapsed().as_secs_f64()
}

/// One round of every case in Rust.
fn round(laws: &[FrictionLaw], contacts: &[(&str, PatchFriction)], v: &[f64], twists: &[Twist]) -> Seconds {
    let mut found = Seconds::new();
    for law in laws {
        let friction = law.clone().into();
        let mut steady = SteadySliding::new(&friction);
        let value = |v: &f64| law.coefficient(steady.slip(*v, 0.0));
        found.insert(law.name().into(), seconds(|| black_box(v).iter().map(value).collect()));
    }
    for (name, contact) in contacts {
        let list = || black_box(twists).iter().map(|twist| contact.wrench(*twist)).collect();
        found.insert((*name).into(), seconds(list));
    }
    found
}

/// The package, waiting to be asked for a round.
struct Package {
    child: Child,
    ask: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Package {
    fn new(threads: Option<&str>) -> Option<Self> {
        let python = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/python/bin/python");
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/python.py");
        let mut command = Command::new(python);
        command.arg(script).args([VELOCITIES, TWISTS, CALLS].map(|n| n.to_string()));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).envs(threads.map(|n| ("RAYON_NUM_THREADS", n)));
        let mut child = command.spawn().ok()?;
        let (ask, answers) = (child.stdin.take()?, BufReader::new(child.stdout.take()?));
        Some(Self { child, ask, answers })
    }

    fn round(&mut self) -> Option<Seconds> {
        writeln!(self.ask).ok()?;
        let mut line = String::new();
        self.answers.read_line(&mut line).ok()?;
        serde_json::from_str(&line).ok()
    }
}

/// Keeps the least of each case.
fn keep(best: &mut Seconds, found: Seconds) {
    for (name, seconds) in found {
        let least = best.entry(name).or_insert(f64::INFINITY);
        *least = least.min(seconds);
    }
}

fn main() {
    let (laws, contacts) = (laws(), contacts());
    let v: Vec<f64> = (0..VELOCITIES).map(|i| 2.0 * i as f64 / (VELOCITIES - 1) as f64 - 1.0).collect();
    let twist = |i: f64| Twist { vx: i.cos(), vy: (0.7 * i).sin(), omega: 10.0 * (0.3 * i).sin() };
    let twists: Vec<Twist> = (0..TWISTS).map(|i| twist(i as f64)).collect();
    let (Some(mut one), Some(mut all)) = (Package::new(Some("1")), Package::new(None)) else {
        println!("no package in target/python: nothing to compare with (cargo xtask python)");
        return;
    };
    let (mut rust, mut single, mut threaded) = (Seconds::new(), Seconds::new(), Seconds::new());
    for _ in 0..ROUNDS {
        keep(&mut rust, round(&laws, &contacts, &v, &twists));
        let (Some(a), Some(b)) = (one.round(), all.round()) else {
            println!("the package in target/python does not work (cargo xtask python)");
            return;
        };
        keep(&mut single, a);
        keep(&mut threaded, b);
    }
    println!("{VELOCITIES} velocities, {TWISTS} twists, the best of {ROUNDS} rounds");
    println!("{:24}{:>12}{:>12}{:>8}{:>16}", "", "Rust (ms)", "Python (ms)", "ratio", "all threads");
    for (name, seconds) in &rust {
        let (a, b) = (single[name], threaded[name]);
        println!("{name:24}{:12.2}{:12.2}{:8.2}{:16.2}", 1e3 * seconds, 1e3 * a, a / seconds, 1e3 * b);
    }
    println!("(bar: 1.3)");
    for (name, seconds) in single.iter().filter(|(name, _)| name.starts_with("call")) {
        println!("{name:24}{:12.2} µs   (bar: 2)", 1e6 * seconds);
    }
    for mut package in [one, all] {
        drop(package.ask);
        let _ = package.child.wait();
    }
}
