//! A map of steady states over frequency and friction ratio of Den Hartog's oscillator: points a second on one thread and on
//! all cores, memory, and the ratio to transients by SciPy at a sample of the points.
//!
//! `cargo bench -p stiction-dataset`; `STICTION_MAP=1000` for a million points.

use std::path::Path;
use std::process::Command;
use std::time::Instant;
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
    match Command::new(python).arg(script).output() {
        Ok(output) if output.status.success() => {
            let seconds: f64 = String::from_utf8_lossy(&output.stdout).trim().parse().unwrap_or(f64::NAN);
            println!("SciPy's transient: {seconds:.3} s of processor time a point");
            // by processor time on both sides, which others on the machine do not change
            for (threads, _, per_cpu) in rates {
                println!(
                    "{threads} threads: {:.0} times as fast as a loop over SciPy transients",
                    per_cpu * seconds
                );
            }
        }
        _ => println!("no SciPy: set STICTION_PYTHON to a Python that has it"),
    }
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
