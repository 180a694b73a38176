//! The site: static pages from `docs`, which open from the file system without network.
//!
//! Sphinx runs in the environment of the Python tests, which has the package, so that its docstrings become pages. MathJax
//! comes from npm with the tools of the lab and is copied into the site.

use crate::{Done, done, lab, python, target};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What is taken from MathJax: scripts, and a font in parts that are loaded when a formula needs them.
const SCRIPTS: [&str; 4] = ["startup.js", "core.js", "input/tex.js", "output/svg.js"];
const MATHJAX: &str = "node_modules/mathjax";
const FONT: &str = "node_modules/@mathjax/mathjax-newcm-font";

/// Where the site is.
pub fn folder(root: &Path) -> PathBuf {
    target(root).join("site")
}

/// Builds the site; a warning of Sphinx is an error.
pub fn build(root: &Path) -> Done {
    let tools = lab::tools(root)?;
    let environment = python::environment(root)?;
    if environment.output(root, "python", &["-c", "import stiction"]).is_err() {
        python::released(root)?;
    }
    let files = target(root).join("site-files");
    let mathjax = files.join("mathjax");
    if !mathjax.join("fonts/svg.js").exists() {
        for script in SCRIPTS {
            let place = mathjax.join(script);
            fs::create_dir_all(place.parent().unwrap_or(&mathjax))?;
            fs::copy(tools.join(MATHJAX).join(script), place)?;
        }
        copy(&tools.join(FONT).join("svg"), &mathjax.join("fonts/svg"))?;
        fs::copy(tools.join(FONT).join("svg.js"), mathjax.join("fonts/svg.js"))?;
    }
    let out = folder(root);
    let out = out.to_str().ok_or("the path of the site is not text")?;
    let build =
        ["-m", "sphinx", "--quiet", "--fail-on-warning", "--keep-going", "--builder", "html", "docs", out];
    done(environment.command(root, "python", &build)?.env("SITE_FILES", files))?;
    // the lab, live
    fs::copy(root.join("crates/stiction-lab/lab.html"), folder(root).join("live.html"))?;
    println!("the site is {out}/index.html");
    Ok(())
}

/// Builds the site, follows its links, and opens all pages in a browser; `--screenshots` takes pictures.
pub fn test(root: &Path, args: &[String]) -> Done {
    build(root)?;
    let mut command = Command::new("node");
    command.arg("docs/tests/site.mjs").args(args).current_dir(root);
    done(
        command
            .env("SITE", folder(root))
            .env("LAB_TOOLS", lab::tools(root)?)
            .env("CHROMIUM", lab::browser()?),
    )
}

/// Copies a folder with all that is below it.
fn copy(from: &Path, to: &Path) -> Done {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let place = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &place)?;
        } else {
            fs::copy(entry.path(), place)?;
        }
    }
    Ok(())
}
