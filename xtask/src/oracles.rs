//! Reference tables of the tests: written anew by the scripts beside them, or compared with what is committed.

use crate::Done;
use crate::python::{self, Environment};
use std::error::Error;
use std::fs;
use std::path::Path;
use std::thread;

/// Where scripts and tables are.
const DIR: &str = "crates/stiction/tests/reference";

struct Oracle {
    /// The name of the table.
    name: &'static str,
    /// The script with its arguments.
    script: &'static [&'static str],
    /// What it prints, below [`DIR`].
    file: &'static str,
    agreement: Agreement,
    /// `cargo xtask test` checks every so-manieth row; never, if none is given.
    every: Option<usize>,
}

/// What two runs of a script have in common.
#[derive(Clone, Copy)]
enum Agreement {
    /// Every digit: multiple precision.
    Digits,
    /// Numbers up to this difference: double precision, whose last digits depend on the libraries.
    Within(f64),
}

const ORACLES: [Oracle; 11] = [
    table("laws", &["laws.py"], "laws.csv", Some(1)),
    table("disc", &["disc.py"], "disc.csv", Some(6)),
    table("polygon", &["polygon.py"], "polygon.csv", Some(6)),
    table("axial", &["axial.py"], "axial.csv", Some(1)),
    table("coulomb", &["coulomb.py"], "coulomb.csv", Some(1)),
    table("coulomb_events", &["coulomb.py", "events"], "coulomb_events.csv", Some(1)),
    table("beam_m", &["beam_matrices.py", "m"], "beam_m.mtx", Some(1)),
    table("beam_k", &["beam_matrices.py", "k"], "beam_k.mtx", Some(1)),
    table("sobol", &["sobol.py"], "sobol.csv", Some(1)),
    table("coefficients", &["coefficients.py"], "../../src/patch/coefficients.rs", Some(1)),
    // minutes; the error that the script allows to its rows
    Oracle {
        agreement: Agreement::Within(1e-9),
        ..table("adaptive_laws", &["adaptive_laws.py"], "adaptive_laws.csv", None)
    },
];

const fn table(
    name: &'static str,
    script: &'static [&'static str],
    file: &'static str,
    every: Option<usize>,
) -> Oracle {
    Oracle { name, script, file, agreement: Agreement::Digits, every }
}

/// Writes the tables that the arguments name, or all; `--check` compares instead, `--sample` as the tests do.
pub fn run(root: &Path, args: &[String]) -> Done {
    if args == ["--sample"] {
        return sample(root);
    }
    let is_check = args.iter().any(|arg| arg == "--check");
    let names: Vec<&str> = args.iter().map(String::as_str).filter(|&arg| arg != "--check").collect();
    if let Some(name) = names.iter().find(|&name| ORACLES.iter().all(|oracle| oracle.name != *name)) {
        let known: Vec<&str> = ORACLES.iter().map(|oracle| oracle.name).collect();
        return Err(format!("no table is called {name}\nhint: {}", known.join(", ")).into());
    }
    let wanted = ORACLES.iter().filter(|oracle| names.is_empty() || names.contains(&oracle.name));
    let environment = python::environment(root)?;
    all(wanted.map(|oracle| {
        let environment = &environment;
        move || if is_check { oracle.check(root, environment, 1) } else { oracle.write(root, environment) }
    }))
}

/// Compares what takes seconds, of the slower tables a sample of their rows.
pub fn sample(root: &Path) -> Done {
    let environment = python::environment(root)?;
    all(ORACLES.iter().filter_map(|oracle| {
        let (every, environment) = (oracle.every?, &environment);
        Some(move || oracle.check(root, environment, every))
    }))
}

/// Runs all jobs at once and reports every failure.
fn all<F: FnOnce() -> Done + Send>(jobs: impl Iterator<Item = F>) -> Done {
    let failures: Vec<String> = thread::scope(|scope| {
        let run = |job: F| scope.spawn(move || job().map_err(|error| error.to_string()));
        let threads: Vec<_> = jobs.map(run).collect();
        let ended =
            threads.into_iter().map(|thread| thread.join().unwrap_or(Err("a thread panicked".into())));
        ended.filter_map(Result::err).collect()
    });
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n").into()) }
}

impl Oracle {
    fn printed(
        &self,
        root: &Path,
        environment: &Environment,
        more: &[&str],
    ) -> Result<String, Box<dyn Error>> {
        let script = format!("{DIR}/{}", self.script[0]);
        environment.output(root, "python", &[&[script.as_str()], &self.script[1..], more].concat())
    }

    fn write(&self, root: &Path, environment: &Environment) -> Done {
        // read by the script before it is replaced
        let text = self.printed(root, environment, &[])?;
        Ok(fs::write(root.join(DIR).join(self.file), text)?)
    }

    /// Compares every so-manieth row with the committed table.
    fn check(&self, root: &Path, environment: &Environment, every: usize) -> Done {
        let stride = every.to_string();
        let more: &[&str] = if every > 1 { &["--every", &stride] } else { &[] };
        let printed = self.printed(root, environment, more)?;
        let committed = fs::read_to_string(root.join(DIR).join(self.file))?;
        let expected: Vec<&str> =
            committed.lines().take(1).chain(committed.lines().skip(1).step_by(every)).collect();
        let found: Vec<&str> = printed.lines().collect();
        if found.len() != expected.len() {
            return Err(
                format!("{}: {} lines, {} are committed", self.name, found.len(), expected.len()).into()
            );
        }
        for (found, expected) in found.into_iter().zip(expected) {
            if !self.agreement.holds(found, expected) {
                let hint = format!("cargo xtask oracles {}", self.name);
                let name = self.name;
                return Err(
                    format!("{name}: computed  {found}\n{name}: committed {expected}\nhint: {hint}").into()
                );
            }
        }
        Ok(())
    }
}

impl Agreement {
    fn holds(self, found: &str, expected: &str) -> bool {
        let Self::Within(tolerance) = self else { return found == expected };
        let cells = |line: &str| line.split(';').map(str::to_owned).collect::<Vec<_>>();
        let (found, expected) = (cells(found), cells(expected));
        found.len() == expected.len()
            && found.iter().zip(&expected).all(|(a, b)| match (a.parse::<f64>(), b.parse::<f64>()) {
                (Ok(a), Ok(b)) => (a - b).abs() <= tolerance,
                _ => a == b,
            })
    }
}
