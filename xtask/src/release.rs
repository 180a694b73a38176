//! A release, ready to push: everything is checked, what can be built here is built into `dist`, installed into bare environments
//! without compiler and network, and run. Nothing is pushed; `.github/workflows/release.yml` builds and publishes for all systems.

use crate::python::Environment;
use crate::{Done, cargo, done, target};
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What builds wheels and links for other systems.
const TOOLS: &[&str] = &["maturin>=1.9,<2", "ziglang==0.15.2", "cargo-zigbuild>=0.20"];
/// Targets that a Linux machine builds without further tools.
const HERE: [&str; 4] = [
    "x86_64-unknown-linux-gnu",
    "x86_64-unknown-linux-musl",
    "aarch64-unknown-linux-gnu",
    "aarch64-unknown-linux-musl",
];
/// The C library of 2014, which every Linux in use has.
const GLIBC: &str = "2.17";
/// Files beside the program in an archive.
const BESIDE: [&str; 5] = ["README.md", "LICENSE", "LICENSE-MIT", "LICENSE-APACHE", "THIRD-PARTY.md"];
const USAGE: &str =
    "usage: cargo xtask release [--check | --all | --try | --binary TARGET | --wheel TARGET [PYTHON]]";

/// Checks, builds, installs and tries; stops before the push.
pub fn run(root: &Path, args: &[String]) -> Done {
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args[..] {
        ["--check"] => check(root),
        ["--try"] => try_all(root),
        ["--binary", target] => binary(root, target).map(|_| ()),
        ["--wheel", target] => wheel(root, target, None),
        ["--wheel", target, python] => wheel(root, target, Some(python)),
        [] => whole(root, &HERE[1..2], &HERE[..1]),
        ["--all"] => whole(root, &HERE, &HERE),
        _ => Err(USAGE.into()),
    }
}

fn whole(root: &Path, binaries: &[&str], wheels: &[&str]) -> Done {
    check(root)?;
    let dist = root.join("dist");
    if dist.exists() {
        fs::remove_dir_all(&dist)?;
    }
    // every crate, built from its own package, in the order of its dependencies
    cargo(root, &["publish", "--workspace", "--dry-run", "--allow-dirty", "--quiet"], &[])?;
    tools(root)?.run(root, "maturin", &["sdist", "--out", "dist"])?;
    for target in wheels {
        wheel(root, target, None)?;
    }
    for target in binaries {
        binary(root, target)?;
    }
    installers(root)?;
    if cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        try_all(root)?;
    }
    sizes(&dist)?;
    println!(
        "\nnothing was pushed; `git tag v{0} && git push origin v{0}` publishes (.github/workflows/release.yml)",
        version(root)?
    );
    Ok(())
}

/// Installs what `dist` holds into bare environments, and runs it.
fn try_all(root: &Path) -> Done {
    try_wheel(root)?;
    try_binary(root)?;
    try_sdist(root)
}

/// The version, which the manifest of the workspace alone decides.
fn version(root: &Path) -> Result<String, Box<dyn Error>> {
    field(&fs::read_to_string(root.join("Cargo.toml"))?, "version = \"")
}

fn field(text: &str, start: &str) -> Result<String, Box<dyn Error>> {
    let line = text.lines().find_map(|line| line.strip_prefix(start));
    Ok(line.and_then(|rest| rest.split('"').next()).ok_or_else(|| format!("no line {start}"))?.to_owned())
}

/// Fails where a file states another version, or where the changelog has no section for this one.
fn check(root: &Path) -> Done {
    let version = version(root)?;
    let repository = field(&fs::read_to_string(root.join("Cargo.toml"))?, "repository = \"")?;
    for (file, wanted) in [
        ("CITATION.cff", format!("\nversion: {version}\n")),
        ("CITATION.cff", format!("\nrepository-code: {repository}\n")),
        ("codemeta.json", format!("\"version\": \"{version}\"")),
        ("codemeta.json", format!("\"codeRepository\": \"{repository}\"")),
        ("CHANGELOG.md", format!("\n## {version}")),
        ("pyproject.toml", "dynamic = [\"version\"]".into()),
        ("pyproject.toml", repository.clone()),
        ("python/README.md", repository.clone()),
    ] {
        if !fs::read_to_string(root.join(file))?.contains(&wanted) {
            return Err(format!("{file} lacks {:?}", wanted.trim()).into());
        }
    }
    let manifest = fs::read_to_string(root.join("Cargo.toml"))?;
    let other = manifest.lines().find(|line| {
        line.contains("path = \"crates/")
            && line.contains("version = ")
            && !line.contains(&format!("version = \"{version}\""))
    });
    other.map_or(Ok(()), |line| Err(format!("Cargo.toml states another version: {line}").into()))
}

fn tools(root: &Path) -> Result<Environment, Box<dyn Error>> {
    let environment = Environment::new(root, "release-tools")?;
    environment.install(root, &TOOLS.join("\n"), TOOLS)?;
    Ok(environment)
}

/// The standard library of a target, from rustup.
fn add(root: &Path, triple: &str) -> Done {
    done(Command::new("rustup").args(["target", "add", triple]).current_dir(root))
}

/// A wheel for a target, into `dist`: for every Python from 3.10 on, or for the one given, such as `python3.14t`.
fn wheel(root: &Path, triple: &str, python: Option<&str>) -> Done {
    add(root, triple)?;
    let mut args = vec!["build", "--release", "--out", "dist", "--target", triple];
    args.extend(python.into_iter().flat_map(|python| ["--interpreter", python]));
    if triple.contains("linux") {
        let compatibility = if triple.ends_with("musl") { "musllinux_1_2" } else { "manylinux2014" };
        args.extend(["--zig", "--compatibility", compatibility]);
    }
    tools(root)?.run(root, "maturin", &args)
}

/// The command line for a target as an archive with its checksum, into `dist`.
fn binary(root: &Path, triple: &str) -> Result<PathBuf, Box<dyn Error>> {
    add(root, triple)?;
    let package = ["--release", "--package", "stiction-cli", "--locked", "--target"];
    if cfg!(target_os = "linux") {
        let with_libc = if triple.ends_with("-gnu") && triple.contains("linux") {
            format!("{triple}.{GLIBC}")
        } else {
            triple.into()
        };
        let build = [&["zigbuild"][..], &package, &[&with_libc]].concat();
        tools(root)?.run(root, "cargo-zigbuild", &build)?;
    } else {
        cargo(root, &[&["build"][..], &package, &[triple]].concat(), &[])?;
    }
    let (ending, archive) = if triple.contains("windows") { (".exe", "zip") } else { ("", "tar.gz") };
    let name = format!("stiction-{}-{triple}", version(root)?);
    let folder = target(root).join("release-archives").join(&name);
    fs::create_dir_all(&folder)?;
    let program = target(root).join(triple).join("release").join(format!("stiction{ending}"));
    fs::copy(program, folder.join(format!("stiction{ending}")))?;
    for file in BESIDE {
        fs::copy(root.join(file), folder.join(file))?;
    }
    let file = format!("{name}.{archive}");
    fs::create_dir_all(root.join("dist"))?;
    let pack = format!(
        "import hashlib, shutil, sys; from pathlib import Path\n\
         made = Path(shutil.make_archive({stem:?}, {kind:?}, {base:?}, {name:?}))\n\
         made.with_name(made.name + '.sha256').write_text(hashlib.sha256(made.read_bytes()).hexdigest() + '  ' + made.name + '\\n')",
        stem = root.join("dist").join(&name),
        kind = if archive == "zip" { "zip" } else { "gztar" },
        base = folder.parent().unwrap_or(root),
    );
    tools(root)?.run(root, "python", &["-c", &pack])?;
    Ok(root.join("dist").join(file))
}

/// The installers with version and address, into `dist`.
fn installers(root: &Path) -> Done {
    let repository = field(&fs::read_to_string(root.join("Cargo.toml"))?, "repository = \"")?;
    for name in ["install.sh", "install.ps1"] {
        let text = fs::read_to_string(root.join("release").join(name))?;
        let text = text.replace("@VERSION@", &version(root)?).replace("@REPOSITORY@", &repository);
        fs::write(root.join("dist").join(name), text)?;
    }
    Ok(())
}

/// An empty folder below the target folder.
fn bare(root: &Path, name: &str) -> Result<PathBuf, Box<dyn Error>> {
    let folder = target(root).join("release-bare").join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    Ok(folder)
}

/// A command without network, whose path holds `bin` and nothing that compiles.
fn isolated(bin: &Path, folder: &Path, program: &Path) -> Command {
    // by its whole path, since the path of the command holds `bin` alone
    let mut command = Command::new("/usr/bin/unshare");
    command.args(["--net", "--map-root-user", "--user"]).arg(program).current_dir(folder);
    command.env_clear().env("PATH", bin).env("HOME", folder);
    command
}

/// Installs a wheel into an environment of its own, offline, and runs the smoke test there.
fn try_installed(root: &Path, name: &str, wheel: &Path) -> Done {
    let folder = bare(root, name)?;
    // NumPy is fetched while there is a network
    let numpy = target(root).join("release-numpy");
    if !numpy.exists() {
        let fetch = ["-m", "pip", "download", "--quiet", "--only-binary=:all:", "numpy", "--dest"];
        done(Command::new("python3").args(fetch).arg(&numpy))?;
    }
    done(Command::new("python3").args(["-m", "venv"]).arg(folder.join("env")))?;
    let bin = folder.join("env/bin");
    let mut install = isolated(&bin, &folder, &bin.join("python"));
    install.args(["-m", "pip", "install", "--quiet", "--no-index", "--find-links"]).arg(numpy).arg(wheel);
    done(&mut install)?;
    done(isolated(&bin, &folder, &bin.join("python")).arg(root.join("release/smoke.py")))
}

fn try_wheel(root: &Path) -> Done {
    let wheel = find(&root.join("dist"), |name| {
        name.ends_with(".whl") && name.contains("manylinux") && name.contains("x86_64")
    })?;
    try_installed(root, "wheel", &wheel)
}

/// The source distribution makes a wheel, which runs.
fn try_sdist(root: &Path) -> Done {
    let is_sdist = |name: &str| name == format!("stiction-{}.tar.gz", version(root).unwrap_or_default());
    let sdist = find(&root.join("dist"), is_sdist)?;
    let folder = bare(root, "sdist-wheel")?;
    let environment = tools(root)?;
    let mut build = environment.command(
        root,
        "python",
        &["-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir"],
    )?;
    done(build.arg(&folder).arg(sdist).env("CARGO_TARGET_DIR", target(root).join("release-sdist")))?;
    try_installed(root, "sdist", &find(&folder, |name| name.ends_with(".whl"))?)
}

/// The installer puts the program into an empty home, and the program runs a scenario.
fn try_binary(root: &Path) -> Done {
    let folder = bare(root, "binary")?;
    let mut install = Command::new("sh");
    install.arg(root.join("dist/install.sh")).current_dir(&folder).env_clear();
    install.env("PATH", "/usr/bin:/bin").env("HOME", &folder).env("STICTION_FROM", root.join("dist"));
    done(&mut install)?;
    let bin = folder.join(".local/bin");
    let example = root.join("examples/stick_slip.toml");
    done(isolated(&bin, &folder, &bin.join("stiction")).arg("run").arg(example))?;
    let made = folder.join("out/stick_slip.png");
    if made.exists() { Ok(()) } else { Err("the program left no figure".into()) }
}

fn find(folder: &Path, is_it: impl Fn(&str) -> bool) -> Result<PathBuf, Box<dyn Error>> {
    let names = fs::read_dir(folder)?.filter_map(|entry| Some(entry.ok()?.path()));
    let found =
        names.into_iter().find(|path| path.file_name().is_some_and(|name| is_it(&name.to_string_lossy())));
    found.ok_or_else(|| format!("nothing of that kind in {}", folder.display()).into())
}

/// Prints what was made, and how large it is.
fn sizes(dist: &Path) -> Done {
    let mut rows = Vec::new();
    for entry in fs::read_dir(dist)? {
        let entry = entry?;
        rows.push((entry.file_name().to_string_lossy().into_owned(), entry.metadata()?.len()));
    }
    rows.sort();
    for (name, bytes) in rows {
        println!("{:>9.1} kB  {name}", bytes as f64 / 1e3);
    }
    Ok(())
}
