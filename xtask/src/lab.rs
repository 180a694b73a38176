//! The lab: the core as WebAssembly, the page around it, and its tests in node and in a browser.
//!
//! The built page `crates/stiction-lab/lab.html` is committed and bears a hash of what it was built from. `cargo xtask lab` builds it,
//! `cargo xtask test-lab` checks the hash and tests the page as it is.

use crate::{Done, NotRun, done, program, target};
use std::env;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const TARGET: &str = "wasm32-unknown-unknown";
const PAGE: &str = "crates/stiction-lab/lab.html";
const BUILD: &str = "lab/build.mjs";
/// The core may nest as deep as in a native program.
const STACK: &str = "-Clink-arg=-zstack-size=8388608";
/// Debian's compiler for WebAssembly, for machines without rustup; its packages are unpacked, not installed.
const PACKAGES: [&str; 4] = ["rustc-web", "libstd-rust-web-dev", "rust-web-src", "libstd-rust-web-1."];
/// What the page's build and tests take from npm, in exact versions with checksums.
const NPM: [&str; 2] = ["package.json", "package-lock.json"];
/// Variable that allows a stage to install Debian packages; without it a test leaves the system of its user alone.
const INSTALL: &str = "XTASK_INSTALL";
/// Programs that are Chromium.
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// Builds the page.
pub fn build(root: &Path) -> Done {
    let (tools, core) = (tools(root)?, core(root)?);
    done(Command::new("node").arg(BUILD).arg(core).current_dir(root).env("LAB_TOOLS", tools))
}

/// Installs what the tests of the page need.
pub fn install(root: &Path) -> Done {
    tools(root)?;
    browser().map(|_| ())
}

/// Tests the page in node and in a browser; `--node` and `--browser` select one, `--screenshots` takes pictures instead.
///
/// Where the committed page was built from other sources, the present scripts are tested around its core, whose numbers are then not
/// compared bit by bit.
pub fn test(root: &Path, args: &[String]) -> Done {
    let has = |name: &str| args.iter().any(|arg| arg == name);
    let is_stale = check_stamp(root).is_err();
    let tools = tools(root)?;
    let mut page = root.join(PAGE);
    if is_stale {
        eprintln!(
            "xtask: {PAGE} was built from other sources: its core is tested with the present scripts, without bits"
        );
        let tested = target(root).join("lab.html");
        let mut build = Command::new("node");
        done(build.arg(BUILD).arg(&page).arg(&tested).current_dir(root).env("LAB_TOOLS", &tools))?;
        page = tested;
    }
    let browser = if has("--node") { PathBuf::new() } else { browser()? };
    // the command line that the page is compared with
    let binary = program(root, "stiction")?;
    let tests: &[&str] = match () {
        () if has("--screenshots") => &["lab/tests/screenshots.mjs"],
        () if has("--node") => &["lab/tests/node.mjs"],
        () if has("--browser") => &["lab/tests/browser.mjs"],
        () => &["lab/tests/node.mjs", "lab/tests/browser.mjs"],
    };
    for test in tests {
        let mut command = Command::new("node");
        command.arg(test).args(args).current_dir(root);
        command
            .env("STICTION", &binary)
            .env("LAB_TOOLS", &tools)
            .env("CHROMIUM", &browser)
            .env("LAB_PAGE", &page);
        if is_stale {
            command.env("LAB_STALE", "1");
        }
        done(&mut command)?;
    }
    Ok(())
}

/// Whether the page was built from the present sources.
pub fn check_stamp(root: &Path) -> Done {
    let output = Command::new("node").args([BUILD, "--stamp"]).current_dir(root).output().map_err(no_node)?;
    let stamp = String::from_utf8(output.stdout)?;
    let page = fs::read_to_string(root.join(PAGE))?;
    if !stamp.trim().is_empty() && page.contains(&format!("content=\"{}\"", stamp.trim())) {
        return Ok(());
    }
    Err(format!(
        "{PAGE} was built from other sources\nhint: cargo xtask lab, a few minutes, and commit {PAGE}"
    )
    .into())
}

/// The core as WebAssembly.
fn core(root: &Path) -> Result<PathBuf, Box<dyn Error>> {
    let mut command = Command::new(env!("CARGO"));
    command.args(["rustc", "--package", "stiction-lab", "--crate-type", "cdylib", "--profile", "lab"]);
    command.args(["--target", TARGET]).current_dir(root);
    // the page must not depend on where packages lie on the machine that builds it
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(PathBuf::from(env::var_os("HOME")?).join(".cargo"))).unwrap_or_default();
    let flags = format!("{STACK} --remap-path-prefix={}=crates", home.join("registry/src").display());
    command.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", flags);
    if !has_target(root) {
        let debian = debian(root)?;
        let lib = debian.join("usr/lib");
        let llvm = newest(&lib, "llvm-")?;
        let libraries = [lib.clone(), lib.join("x86_64-linux-gnu"), llvm.join("lib")];
        command.arg("-Zbuild-std=std,panic_abort").env("RUSTC_BOOTSTRAP", "1");
        command
            .env("RUSTC", debian.join("usr/bin/rustc"))
            .env("LD_LIBRARY_PATH", env::join_paths(libraries)?);
        command.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", llvm.join("bin/wasm-ld"));
    }
    eprintln!("xtask: the core for {TARGET}");
    done(&mut command)?;
    Ok(target(root).join(TARGET).join("lab/stiction_lab.wasm"))
}

/// Whether the compiler in use has the target; rustup is asked to add it if it has not.
fn has_target(root: &Path) -> bool {
    let lists = || {
        let output =
            Command::new("rustup").args(["target", "list", "--installed"]).current_dir(root).output();
        output.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).lines().any(|line| line == TARGET))
    };
    if lists() {
        return true;
    }
    eprintln!("xtask: rustup target add {TARGET}");
    let added = Command::new("rustup").args(["target", "add", TARGET]).current_dir(root).status();
    added.is_ok_and(|status| status.success()) && lists()
}

/// Debian's compiler for WebAssembly, unpacked below `target`.
fn debian(root: &Path) -> Result<PathBuf, Box<dyn Error>> {
    let folder = target(root).join("wasm-toolchain");
    let unpacked = folder.join("root");
    if unpacked.join("usr/bin/rustc").exists() {
        return Ok(unpacked);
    }
    let hint = format!("hint: rustup target add {TARGET}");
    fs::create_dir_all(&folder)?;
    done(Command::new("apt-get").args(["update", "--quiet"])).map_err(|error| format!("{error}\n{hint}"))?;
    let names = Command::new("apt-cache").args(["search", "--names-only", "."]).output()?;
    let names = String::from_utf8_lossy(&names.stdout).into_owned();
    let names: Vec<&str> = names.lines().filter_map(|line| line.split_whitespace().next()).collect();
    let mut wanted: Vec<&str> = Vec::new();
    for package in PACKAGES {
        let found = names.iter().copied().filter(|name| name.starts_with(package) && !name.ends_with("-bpf"));
        wanted.push(
            found.max_by_key(|name| number(name)).ok_or_else(|| format!("no package {package}\n{hint}"))?,
        );
    }
    for stem in ["libllvm", "lld-"] {
        let is_it = |name: &&str| name.strip_prefix(stem).is_some_and(|rest| rest.parse::<u32>().is_ok());
        wanted.push(names.iter().copied().filter(is_it).max_by_key(|name| number(name)).ok_or(hint.clone())?);
    }
    eprintln!("xtask: apt-get download {} into {}", wanted.join(" "), folder.display());
    done(Command::new("apt-get").arg("download").args(&wanted).current_dir(&folder))?;
    for entry in fs::read_dir(&folder)? {
        let package = entry?.path();
        if package.extension().is_some_and(|ending| ending == "deb") {
            done(Command::new("dpkg").arg("-x").arg(&package).arg(&unpacked))?;
        }
    }
    Ok(unpacked)
}

/// The last number in a name.
fn number(name: &str) -> u32 {
    let digits = name.rsplit(|c: char| !c.is_ascii_digit()).find(|part| !part.is_empty());
    digits.and_then(|part| part.parse().ok()).unwrap_or(0)
}

/// The entry of a folder whose name begins so and ends with the largest number.
fn newest(folder: &Path, beginning: &str) -> Result<PathBuf, Box<dyn Error>> {
    let name =
        |path: &PathBuf| path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let all = fs::read_dir(folder)?.filter_map(|entry| Some(entry.ok()?.path()));
    let best = all.filter(|path| name(path).starts_with(beginning)).max_by_key(|path| number(&name(path)));
    best.ok_or_else(|| format!("nothing called {beginning}… in {}", folder.display()).into())
}

/// The folder with what is taken from npm.
pub fn tools(root: &Path) -> Result<PathBuf, Box<dyn Error>> {
    let folder = target(root).join("lab-tools");
    let lock = root.join("lab/tools");
    let key = fs::read_to_string(lock.join(NPM[1]))?;
    if fs::read_to_string(folder.join("installed.txt")).is_ok_and(|have| have == key) {
        return Ok(folder);
    }
    fs::create_dir_all(&folder)?;
    for name in NPM {
        fs::copy(lock.join(name), folder.join(name))?;
    }
    let mut npm = Command::new("npm");
    npm.args(["ci", "--silent", "--ignore-scripts", "--no-audit", "--no-fund"]).current_dir(&folder);
    done(&mut npm).map_err(|error| {
        NotRun(format!("{error}; hint: node 20 or newer with npm is needed (Debian: nodejs npm)"))
    })?;
    fs::write(folder.join("installed.txt"), key)?;
    Ok(folder)
}

/// Chromium: the one of `CHROMIUM`, one that is installed, or, where `XTASK_INSTALL` is set, Debian's, which is installed.
pub fn browser() -> Result<PathBuf, Box<dyn Error>> {
    if let Some(own) = env::var_os("CHROMIUM") {
        return Ok(own.into());
    }
    let find = || {
        let paths = env::var_os("PATH").unwrap_or_default();
        let all = env::split_paths(&paths).flat_map(|folder| BROWSERS.map(|name| folder.join(name)));
        all.into_iter().find(|program| program.is_file())
    };
    if let Some(found) = find() {
        return Ok(found);
    }
    let hint = "no Chromium; hint: install it, set CHROMIUM to the program, or on Debian set XTASK_INSTALL=1";
    if env::var_os(INSTALL).is_none() {
        return Err(NotRun(hint.into()).into());
    }
    let apt =
        |args: &[&str]| Command::new("apt-get").args(args).status().is_ok_and(|status| status.success());
    let installed = (apt(&["update", "--quiet"])) && apt(&["install", "--yes", "--quiet", "chromium"]);
    find().filter(|_| installed).ok_or_else(|| NotRun(hint.into()).into())
}

fn no_node(error: std::io::Error) -> String {
    format!("node cannot be run: {error}\nhint: node 20 or newer is needed (Debian: nodejs)")
}
