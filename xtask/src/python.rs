//! The Python package: its virtual environment, its wheel, its tests.

use crate::{Done, NotRun, done, program};
use std::env;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What the tests need beside the wheel, and what builds the wheel, in exact versions.
pub const REQUIREMENTS: &str = "python/requirements-test.txt";
/// uv installs in seconds what takes pip minutes, and resolves for all versions of Python at once.
pub const UV: &str = "uv==0.13.7";
/// zig links against an old C library, so that the wheel runs on every Linux since 2014.
const WHEEL: &[&str] = &["maturin[zig]>=1.9,<2"];

/// A virtual environment below `target`.
pub struct Environment {
    dir: PathBuf,
}

impl Environment {
    /// Makes the environment called `name`, if it is not there.
    pub fn new(root: &Path, name: &str) -> Result<Self, Box<dyn Error>> {
        let dir = root.join("target").join(name);
        let environment = Self { dir };
        if !environment.program("python").exists() {
            eprintln!("xtask: a virtual environment in target/{name}");
            let python = if cfg!(windows) { "python" } else { "python3" };
            let mut command = Command::new(python);
            command.args(["-m", "venv"]).arg(&environment.dir);
            done(&mut command).map_err(|error| {
                NotRun(format!("{error}\nhint: Python 3.10 or newer with its venv module is needed (Debian: python3-venv)"))
            })?;
        }
        Ok(environment)
    }

    /// The path of a program in the environment.
    pub fn program(&self, name: &str) -> PathBuf {
        self.dir.join(if cfg!(windows) { "Scripts" } else { "bin" }).join(name)
    }

    /// Runs a program of the environment in `root`.
    pub fn run(&self, root: &Path, name: &str, args: &[&str]) -> Done {
        done(&mut self.command(root, name, args)?)
    }

    /// What a program of the environment prints.
    pub fn output(&self, root: &Path, name: &str, args: &[&str]) -> Result<String, Box<dyn Error>> {
        let output = self.command(root, name, args)?.stderr(Stdio::inherit()).output()?;
        if !output.status.success() {
            return Err(format!("{name} {} ended with {}", args.join(" "), output.status).into());
        }
        Ok(String::from_utf8(output.stdout)?)
    }

    /// A program of the environment with arguments, as if the environment were activated.
    pub fn command(&self, root: &Path, name: &str, args: &[&str]) -> Result<Command, Box<dyn Error>> {
        eprintln!("xtask: {name} {}", args.join(" "));
        // as if the environment were activated, whatever other is
        let bin = self.program("");
        let path = env::var_os("PATH").unwrap_or_default();
        let path = env::join_paths(std::iter::once(bin).chain(env::split_paths(&path)))?;
        let mut command = Command::new(self.program(name));
        command.args(args).current_dir(root);
        command.env("VIRTUAL_ENV", &self.dir).env("PATH", path).env_remove("PYTHONPATH");
        Ok(command)
    }

    /// Installs packages unless they are there already; `key` says what is wanted.
    pub fn install(&self, root: &Path, key: &str, args: &[&str]) -> Done {
        let stamp = self.dir.join("installed.txt");
        if fs::read_to_string(&stamp).is_ok_and(|have| have == key) {
            return Ok(());
        }
        let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", UV];
        self.run(root, "python", &pip)?;
        self.run(root, "uv", &[&["pip", "install", "--quiet"], args].concat())?;
        Ok(fs::write(stamp, key)?)
    }
}

/// Builds and installs the package, and runs all its tests.
pub fn test(root: &Path) -> Done {
    released(root)?;
    types(root)?;
    pytest(root)
}

/// Types of the installed package: its sources, and its stubs against what is compiled.
pub fn types(root: &Path) -> Done {
    let environment = environment(root)?;
    environment.run(root, "python", &["-m", "mypy"])?;
    let stubs = ["-m", "mypy.stubtest", "--allowlist", "python/stubtest.txt", "stiction"];
    environment.run(root, "python", &stubs)
}

/// Tests of the installed package.
pub fn pytest(root: &Path) -> Done {
    // the command line that the package is compared with
    let binary = program(root, "stiction")?;
    let environment = environment(root)?;
    done(environment.command(root, "python", &["-m", "pytest"])?.env("STICTION", binary))
}

/// The environment of the tests, in which the package may be missing.
pub fn environment(root: &Path) -> Result<Environment, Box<dyn Error>> {
    let environment = Environment::new(root, "python")?;
    environment.install(
        root,
        &fs::read_to_string(root.join(REQUIREMENTS))?,
        &["--require-hashes", "-r", REQUIREMENTS],
    )?;
    Ok(environment)
}

/// The environment of the tests with the package, optimised, with failures that tests ask for.
pub fn released(root: &Path) -> Result<Environment, Box<dyn Error>> {
    let environment = environment(root)?;
    let wheels = root.join("target/python-wheels");
    if wheels.exists() {
        fs::remove_dir_all(&wheels)?;
    }
    let build = ["build", "--quiet", "--release", "--features=failpoints", "--out", "target/python-wheels"];
    environment.run(root, "maturin", &build)?;
    let wheel = fs::read_dir(&wheels)?.next().ok_or("maturin left no wheel")??.path();
    let wheel = wheel.to_str().ok_or("the path of the wheel is not text")?;
    environment.run(root, "uv", &["pip", "install", "--quiet", "--reinstall", "--no-deps", wheel])?;
    Ok(environment)
}

/// Wheels for other machines, into `dist`.
pub fn wheel(root: &Path) -> Done {
    let environment = Environment::new(root, "wheel")?;
    environment.install(root, &WHEEL.join("\n"), WHEEL)?;
    let linux: &[&str] =
        if cfg!(target_os = "linux") { &["--zig", "--compatibility", "manylinux2014"] } else { &[] };
    environment.run(root, "maturin", &[&["build", "--release", "--out", "dist"][..], linux].concat())
}
