//! A map of steady states over frequency and friction ratio of Den Hartog's oscillator: points a second on one thread and on
//! all cores, memory, and the ratio to transients by SciPy at a sample of the points, with their errors.
//!
//! `cargo bench -p stiction-dataset`; `STICTION_MAP=1000` for a million points.

use std::path::Path;
use std::process::Command;
use std::time::Instant;
use stiction::Progress;
use stiction::law::{Coulomb, FrictionLaw};
use stiction::steady::{Steady, Trail};
use stiction::system::System;
use stiction_dataset::SweepRun;
use stiction_study::Study;

fn main() {
    // cargo test runs benches, too
    if std::env::args().any(|arg| arg == "--test") {
        return;
    }
    let n: u64 = std::env::var("STICTION_MAP").ok().and_then(|n| n.parse().ok()).unwrap_or(300);
    let text = format!(
        "[system.oscillator]\nmass = 1\nstiffness = 1\nfriction.coulomb.mu = 0.3\nforce = {{ amplitude = 1, omega = 0.7 }}\n\
         [analysis.steady]\n[sweep]\nover = [\n\
         {{ parameter = \"omega\", from = 0.2, to = 2, points = {n} }},\n\
         {{ parameter = \"mu\", from = 0.01, to = 0.99, points = {n} }},\n]\n"
    );
    let study = match Study::read("map.toml", &text, &[]) {
        Ok(study) => study,
        Err(faults) => return eprintln!("{faults:?}"),
    };
    let Some(sweep) = &study.sweep else { return };
    let folder = std::env::temp_dir().join(format!("stiction-map-{}", std::process::id()));
    let mut rates = Vec::new();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    for threads in [1, cores] {
        let start = Instant::now();
        let run = SweepRun { threads: Some(threads), ..SweepRun::default() };
        let before = cpu();
        match run.run(sweep, &folder, &mut |_| true) {
            Ok(dataset) => {
                let (time, busy) = (start.elapsed().as_secs_f64(), cpu() - before);
                let rate = dataset.done as f64 / time;
                let per_cpu = dataset.done as f64 / busy * threads as f64;
                println!(
                    "{threads} threads: {} points, {} failed, {time:.2} s, {rate:.0} points/s; {per_cpu:.0} points/s of processor time",
                    dataset.done, dataset.failed
                );
                rates.push((threads, rate, per_cpu));
            }
            Err(error) => println!("{error}"),
        }
        let _ = std::fs::remove_dir_all(&folder);
    }
    if let [(_, one, _), (threads, all, _)] = rates[..] {
        println!("parallel efficiency {:.2}", all / one / threads as f64);
    }
    println!("largest memory {:.0} MB", peak());
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/transients.py");
    let python = std::env::var("STICTION_PYTHON").unwrap_or_else(|_| "python3".into());
    let Some(output) = Command::new(python).arg(script).output().ok().filter(|it| it.status.success()) else {
        return println!("no SciPy: set STICTION_PYTHON to a Python that has it");
    };
    let exact: Vec<f64> = POINTS.iter().map(|[omega, mu]| amplitude(*omega, *mu)).collect();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let mut words = line.split_whitespace();
        let name = words.next().unwrap_or("");
        let numbers: Vec<f64> = words.filter_map(|word| word.parse().ok()).collect();
        let [seconds, found @ ..] = &numbers[..] else { continue };
        let errors = found.iter().zip(&exact).map(|(found, exact)| (found / exact - 1.0).abs());
        let error = errors.fold(0.0, f64::max);
        println!(
            "SciPy's transient, {name}: {seconds:.3} s of processor time a point, amplitude wrong by up to {error:.0e}"
        );
        // by processor time on both sides, which others on the machine do not change
        for (threads, _, per_cpu) in &rates {
            let ratio = per_cpu * seconds;
            println!("{threads} threads: {ratio:.0} times as fast as a loop over them");
        }
    }
}

/// The points at which SciPy is asked, as in `transients.py`.
const POINTS: [[f64; 2]; 12] = {
    let (omega, mu) = ([0.3, 0.7, 1.2, 1.8], [0.1, 0.4, 0.8]);
    let mut points = [[0.0; 2]; 12];
    let mut i = 0;
    while i < 12 {
        points[i] = [omega[i / 3], mu[i % 3]];
        i += 1;
    }
    points
};

/// Amplitude of the periodic motion at a point of the map (m).
fn amplitude(omega: f64, mu: f64) -> f64 {
    let law = FrictionLaw::Coulomb(Coulomb { mu, mu_static: None });
    let system = System::oscillator(1.0, 0.0, 1.0).with_friction(law).with_force(1.0, omega);
    let orbit = Steady::default().along(&system, &mut Trail::default(), omega, &mut Progress::none());
    orbit.map_or(f64::NAN, |orbit| orbit.amplitude)
}

/// Processor time of this process so far (s).
fn cpu() -> f64 {
    // times in 1/100 s, fields 14 and 15, counted behind the name in parentheses
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<f64> = stat
        .rsplit(')')
        .next()
        .unwrap_or("")
        .split_whitespace()
        .filter_map(|word| word.parse().ok())
        .collect();
    fields.get(10).zip(fields.get(11)).map_or(f64::NAN, |(user, system)| (user + system) / 100.0)
}

/// Most memory that this process has had (MB).
fn peak() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap_or("");
    line.split_whitespace().nth(1).and_then(|kb| kb.parse::<f64>().ok()).map_or(f64::NAN, |kb| kb / 1000.0)
}
