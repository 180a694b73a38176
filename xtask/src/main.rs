//! The project's own chores: `cargo xtask` lists them.
//!
//! `test` runs everything that a change can break, `quick` what an edit can break, `verify` all long forms before a
//! release; each is a list of stages (`stages.rs`, `quick.rs`), and each stage is a command of its own. This program
//! has few dependencies, so that it builds in seconds; what needs the library is `crates/generator`.

mod citations;
mod house;
mod instructions;
mod lab;
mod lexer;
mod lock;
mod metadata;
mod names;
mod notices;
mod oracles;
mod peers;
mod python;
mod quick;
mod recipes;
mod release;
mod runner;
mod rust;
mod site;
mod stages;
mod supply;

use std::env;
use std::error::Error;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// Features of the builds that are tested: failures that tests ask for.
const FEATURES: &str = "--features=stiction-cli/failpoints,stiction-python/failpoints";

/// What a chore ends with.
type Done = Result<(), Box<dyn Error>>;

const USAGE: &str = "\
usage: cargo xtask COMMAND

test                            everything that a change can break
quick [PACKAGE | FILE ...]      what an edit can break: without arguments, what differs from the last commit
verify                          test and all long forms, before a release

generate [--check]              writes, or compares, what is generated: schemas, classes, figures, notices
golden [--bless]                compares the examples with tests/golden and tests/work, or writes these anew
lab                             builds the page of `stiction lab`
release [--check | --all | --try | --binary TARGET | --wheel TARGET [PYTHON]]
                                checks, builds, installs and tries a release; pushes nothing
site                            builds the site into target/site: pages that open from the file system
python | wheel                  installs the Python package into target/python; builds wheels into dist
lock [--upgrade]                writes the exact versions of the Python packages that the tests use

stages of test, each by itself:
format citations names house versions build clippy rust documentation commands
python-tools python-tests python-types test-python
lab-tools test-lab [--node | --browser] [--movements N] [--screenshots]
test-site [--screenshots]

stages of verify, each by itself:
supply page unoptimised recipes peers
oracles [--check | --sample] [TABLE ...]    instructions [--bless | --since COMMIT]
soak [--minutes N] [--systems N] [--bodies N] [--seed S] [--replay FILE]
fuzz [--minutes N] [--executions N] [--seed S] [--target T]    crash [--kills N]";

fn main() -> ExitCode {
    let command = env::args().nth(1).unwrap_or_default();
    let more: Vec<String> = env::args().skip(2).collect();
    match run(&root(), &command, &more) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error}");
            if error.is::<NotRun>() { ExitCode::from(runner::NOT_RUN) } else { ExitCode::FAILURE }
        }
    }
}

fn run(root: &Path, command: &str, more: &[String]) -> Done {
    match command {
        "test" => stages::test(root),
        "quick" => quick::run(root, more),
        "verify" => stages::verify(root),
        "format" => cargo(root, &["fmt", "--all", "--check"], &[]),
        "citations" => citations::check(root),
        "names" => names::check(root),
        "house" => house::check(root),
        "versions" => lock::check(root).and_then(|()| release::run(root, &["--check".into()])),
        "build" => rust::build(root),
        "clippy" => clippy(root),
        "quick-clippy" => quick::clippy(root, more),
        "rust" => rust::test(root, &rust::whole()),
        "quick-tests" => quick::test(root, more),
        "unoptimised" => cargo(root, &["test", "--workspace"], &[]),
        "documentation" => documentation(root),
        "commands" => commands(root),
        "generate" => generate(root, more),
        "golden" => golden(root, more),
        "notices" => notices::write(root),
        "supply" => supply::check(root),
        "lock" => lock::write(root, more),
        "python" => python::released(root).map(|_| ()),
        "python-tools" => python::environment(root).map(|_| ()),
        "python-tests" => python::pytest(root),
        "python-types" => python::types(root),
        "test-python" => python::test(root),
        "wheel" => python::wheel(root),
        "lab" => lab::build(root),
        "lab-tools" => lab::install(root),
        "test-lab" => lab::test(root, more),
        "page" => lab::check_stamp(root),
        "site" => site::build(root),
        "release" => release::run(root, more),
        "test-site" => site::test(root, more),
        "recipes" => recipes::check(root),
        "oracles" => oracles::run(root, more),
        "instructions" => instructions::run(root, more),
        "soak" => long(root, "stiction-soak", more),
        "fuzz" => long(root, "stiction-fuzz", more),
        "crash" => crash(root, more),
        "peers" => peers::run(root),
        _ => Err(USAGE.into()),
    }
}

/// A stage that could not run because a tool is missing.
#[derive(Debug)]
struct NotRun(String);

impl fmt::Display for NotRun {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for NotRun {}

fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_owned()
}

/// Where cargo builds.
fn target(root: &Path) -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from)
}

/// Clippy of everything, and the core without its default features.
fn clippy(root: &Path) -> Done {
    cargo(root, &["clippy", "--workspace", FEATURES, "--all-targets", "--", "-D", "warnings"], &[])?;
    cargo(root, &["check", "--package", "stiction", "--no-default-features"], &[])
}

/// The pages of the API without a warning, and their examples.
fn documentation(root: &Path) -> Done {
    cargo(root, &["doc", "--workspace", "--no-deps"], &[("RUSTDOCFLAGS", "-D warnings")])?;
    cargo(root, &["test", "--release", "--workspace", FEATURES, "--doc"], &[])
}

/// The commands of the long forms, for a moment.
fn commands(root: &Path) -> Done {
    long(root, "stiction-soak", &["--systems", "2", "--bodies", "1"].map(String::from))?;
    long(root, "stiction-fuzz", &["--executions", "100"].map(String::from))
}

/// Writes what is generated, or fails if it is stale.
fn generate(root: &Path, args: &[String]) -> Done {
    // the packages of the workspace together, so that their dependencies are those of the tests
    let program = program(root, "stiction-generate")?;
    match args {
        [] => {
            done(Command::new(program).current_dir(root))?;
            notices::write(root)
        }
        [check] if check == "--check" => {
            let notices = notices::check(root);
            done(Command::new(program).arg("--check").current_dir(root))?;
            notices
        }
        _ => Err("usage: cargo xtask generate [--check]".into()),
    }
}

/// A program of the workspace, optimised.
fn program(root: &Path, name: &str) -> Result<PathBuf, Box<dyn Error>> {
    cargo(root, &["build", "--quiet", "--release", "--workspace", FEATURES, "--bins"], &[])?;
    Ok(target(root).join("release").join(format!("{name}{}", env::consts::EXE_SUFFIX)))
}

/// Compares the examples with their goldens, or writes these anew.
fn golden(root: &Path, args: &[String]) -> Done {
    let test = [
        "test",
        "--quiet",
        "--release",
        "--package",
        "stiction-soak",
        "--test",
        "golden",
        "--",
        "--nocapture",
    ];
    match args {
        [] => cargo(root, &test, &[]),
        [bless] if bless == "--bless" => cargo(root, &test, &[("STICTION_BLESS", "1")]),
        _ => Err("usage: cargo xtask golden [--bless]".into()),
    }
}

/// A program that runs for long, optimised; it checks its own arguments.
fn long(root: &Path, name: &str, args: &[String]) -> Done {
    done(Command::new(program(root, name)?).args(args).current_dir(root))
}

/// Kills the command line while it writes, and makes it fail and die at every write and rename.
fn crash(root: &Path, args: &[String]) -> Done {
    let kills = match args {
        [] => "500",
        [name, kills] if name == "--kills" && kills.parse::<u64>().is_ok() => kills,
        _ => return Err("usage: cargo xtask crash [--kills N]".into()),
    };
    let test =
        ["test", "--release", "--package", "stiction-cli", "--test", "all", "crash::", "--", "--nocapture"];
    cargo(root, &test, &[("STICTION_KILLS", kills)])
}

fn cargo(root: &Path, args: &[&str], variables: &[(&str, &str)]) -> Done {
    let mut command = Command::new(env!("CARGO"));
    done(command.args(args).envs(variables.iter().copied()).current_dir(root))
}

/// Runs a command whose failure is an error.
fn done(command: &mut Command) -> Done {
    let words: Vec<_> = std::iter::once(command.get_program()).chain(command.get_args()).collect();
    let line = words.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ");
    eprintln!("xtask: {line}");
    let status = command.status().map_err(|error| format!("{line}: cannot be run: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{line}: ended with {status}").into()) }
}
