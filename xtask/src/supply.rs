//! What the project is built from: licences, sources and duplicates (`deny.toml`), and the Rust version that all of it needs.

use crate::metadata::{items, metadata};
use crate::{Done, done};
use std::path::Path;
use std::process::Command;

const VERSION: &str = "0.20.2";
const INSTALL: [&str; 6] = ["install", "cargo-deny", "--locked", "--version", VERSION, "--root"];

/// Licences, sources, duplicates; and no dependency needs a newer Rust than `rust-version` in `Cargo.toml` promises.
/// That our own code needs none is clippy's business (`incompatible_msrv`).
pub fn check(root: &Path) -> Done {
    deny(root)?;
    let metadata = metadata(root)?;
    let promised = env!("CARGO_PKG_RUST_VERSION");
    let newer = items(&metadata["packages"]).find(|package| {
        package["rust_version"].as_str().is_some_and(|needed| numbers(needed) > numbers(promised))
    });
    match newer {
        Some(package) => Err(format!(
            "{} {} needs Rust {}, but {promised} is promised\nhint: an older version of it (cargo update --precise), or a newer rust-version in Cargo.toml",
            package["name"], package["version"], package["rust_version"]
        )
        .into()),
        None => Ok(()),
    }
}

/// `1.88.0` and `1.88` are the same.
fn numbers(version: &str) -> [u32; 3] {
    let mut parts = version.split('.').map(|part| part.parse().unwrap_or(0));
    [(); 3].map(|()| parts.next().unwrap_or(0))
}

/// Runs `cargo deny`, which is installed below `target/tools` if it is not there.
fn deny(root: &Path) -> Done {
    let tools = root.join("target/tools");
    let program = tools.join("bin").join(if cfg!(windows) { "cargo-deny.exe" } else { "cargo-deny" });
    if !is_installed(&program) {
        eprintln!("xtask: cargo-deny {VERSION} into target/tools");
        // unoptimised: a third of the time to build, a second to run
        let mut install = Command::new(env!("CARGO"));
        install
            .args(INSTALL)
            .arg(&tools)
            .args(["--debug", "--force", "--quiet"])
            .env("CARGO_PROFILE_DEV_DEBUG", "0");
        done(install.current_dir(root))?;
    }
    // the database of advisories is out of reach without the network
    let args = ["--log-level", "error", "--locked", "check", "licenses", "bans", "sources"];
    eprintln!("xtask: cargo-deny {}", args.join(" "));
    done(Command::new(program).args(args).current_dir(root))
}

fn is_installed(program: &Path) -> bool {
    let output = Command::new(program).arg("--version").output();
    output.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).trim().ends_with(VERSION))
}

#[cfg(test)]
mod tests {
    use super::numbers;

    #[test]
    fn versions_are_compared_by_their_numbers() {
        assert_eq!(numbers("1.88.0"), numbers("1.88"));
        assert!(numbers("1.100") > numbers("1.88"));
        assert!(numbers("1.88.1") > numbers("1.88"));
    }
}
