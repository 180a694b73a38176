//! The same problems in other simulators (`bench/peers`).

use crate::python::Environment;
use std::error::Error;
use std::fs;
use std::path::Path;

const REQUIREMENTS: &str = "bench/peers/requirements.txt";

/// Installs the peers and the package as users get it, runs all of them, and writes `bench/peers/results`.
pub fn run(root: &Path) -> Result<(), Box<dyn Error>> {
    let environment = Environment::new(root, "peers-venv")?;
    environment.install(root, &fs::read_to_string(root.join(REQUIREMENTS))?, &["-r", REQUIREMENTS])?;
    environment.run(
        root,
        "python",
        &["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "."],
    )?;
    environment.run(root, "python", &["bench/peers/run.py"])
}
