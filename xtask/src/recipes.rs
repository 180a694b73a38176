//! The recipes of CONTRIBUTING.md, followed on a copy of the tree: a law, a shape, an integrator, an analysis and a front end are added from
//! their templates, everything generated is written, and the conformance suites judge the new members.
//!
//! A recipe fails if it does not suffice, that is, if the copy does not build, generate or pass; and if `generate` has to
//! touch a file that is neither of the recipe nor generated.

use crate::Done;
use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What a recipe does to one file.
enum Change {
    /// A new file from a template.
    New(&'static str),
    /// Pieces of text, each behind a line that stands in the file.
    Rows(&'static [(&'static str, &'static str)]),
}

/// The files of a recipe.
struct Recipe {
    name: &'static str,
    /// The number of files that the recipe may touch.
    most: usize,
    changes: &'static [(&'static str, Change)],
}

const RECIPES: &[Recipe] = &[
    Recipe {
        name: "law",
        most: 3,
        changes: &[
            ("crates/stiction/src/law/algebraic.rs", Change::New(include_str!("../recipes/law.rs.txt"))),
            (
                "crates/stiction/src/law/mod.rs",
                Change::Rows(&[
                    ("", "pub mod algebraic;\n"),
                    ("pub mod trigonometric;\n", "\npub use algebraic::Algebraic;\n"),
                    (
                        "\nlaws! {\n",
                        "    /// Smooth friction by an algebraic function.\n    \"algebraic\" => Algebraic { mu: \"-\", width: \"m/s\" },\n",
                    ),
                ]),
            ),
            (
                "docs/references.bib",
                Change::Rows(&[("", "@article{recipe2000,\n  title = {A law},\n  year = {2000}\n}\n\n")]),
            ),
        ],
    },
    Recipe {
        name: "shape",
        most: 3,
        changes: &[
            (
                "crates/stiction/src/patch/shape/hexagon.rs",
                Change::New(include_str!("../recipes/shape.rs.txt")),
            ),
            (
                "crates/stiction/src/patch/shape/mod.rs",
                Change::Rows(&[
                    ("mod disc;\n", "mod hexagon;\n"),
                    ("pub use disc::Disc;\n", "pub use hexagon::Hexagon;\n"),
                    (
                        "\nshapes! {\n",
                        "    /// Regular hexagon about the centre, two corners on the x axis.\n    \"hexagon\" => Hexagon(Hexagon),\n",
                    ),
                ]),
            ),
        ],
    },
    Recipe {
        name: "contact element",
        most: 3,
        changes: &[
            (
                "crates/stiction-study/src/scenario/tether.rs",
                Change::New(include_str!("../recipes/element.rs.txt")),
            ),
            (
                "crates/stiction-study/src/scenario.rs",
                Change::Rows(&[
                    ("mod structure;\n", "mod tether;\n"),
                    ("pub use one_sided::StopTable;\n", "pub use tether::TetherTable;\n"),
                    (
                        "pub stop: OneOrMany<StopTable>,\n",
                        "    /// Tethers, one or a list.\n    #[serde(default, skip_serializing_if = \"OneOrMany::is_empty\")]\n    pub tether: OneOrMany<TetherTable>,\n",
                    ),
                    (
                        "let stops = one_sided::listed(\"stop\", &self.stop);\n",
                        "        let stops = stops.chain(one_sided::listed(\"tether\", &self.tether));\n",
                    ),
                ]),
            ),
            (
                "crates/reference/src/elements.rs",
                Change::Rows(&[(
                    "pub const ELEMENTS: &[Element] = &[\n",
                    "    element(\"Tether\", \"tether\", \"tether = { length = 0.5, stiffness = 200.0, damping = 4.0 }\\n\"),\n",
                )]),
            ),
        ],
    },
    Recipe {
        name: "integrator",
        most: 3,
        changes: &[
            (
                "crates/stiction/src/simulate/heun.rs",
                Change::New(include_str!("../recipes/integrator.rs.txt")),
            ),
            (
                "crates/stiction/src/simulate/mod.rs",
                Change::Rows(&[
                    ("mod fixed;\n", "mod heun;\n"),
                    ("pub use drive::{Plan, Record, drive, drive_partly};\n", "pub use heun::Heun;\n"),
                    (
                        "pub enum Integrator {\n",
                        "    /// Heun's method with a fixed step.\n    Heun {\n        /// Length of the step (s).\n        step: f64,\n    },\n",
                    ),
                    (
                        "pub fn name(&self) -> &'static str {\n        match self {\n",
                        "            Self::Heun { .. } => \"heun\",\n",
                    ),
                    (
                        "pub fn step(&self) -> Option<f64> {\n        match self {\n",
                        "            Self::Heun { step } => Some(*step),\n",
                    ),
                    (
                        "Result<Box<dyn Stepper>, Error> {\n        self.know(system)?;\n        let dynamics = Dynamics::new(system).ok_or(Error::NotPositiveDefinite)?;\n        Ok(match self {\n",
                        "            Self::Heun { step } => Box::new(Heun::start(dynamics, *step, t_end)?),\n",
                    ),
                    (
                        "let refusal = match self {\n",
                        "                Self::Heun { .. } if law.graph() != Graph::Continuous => Some(Refusal::Jump),\n",
                    ),
                    (
                        "let knows = match self {\n",
                        "            Self::Heun { .. } => system.elements.is_empty(),\n",
                    ),
                ]),
            ),
            (
                "crates/stiction-study/src/scenario/integrator.rs",
                Change::Rows(&[
                    (
                        "pub enum IntegratorKind {\n",
                        "    /// Heun's method of order 2.\n    Heun(FixedStep),\n",
                    ),
                    (
                        "pub fn name(&self) -> &'static str {\n        match self {\n",
                        "            Self::Heun(_) => \"heun\",\n",
                    ),
                    (
                        "Option<Integrator> {\n        Some(match self {\n",
                        "            Self::Heun(fixed) => Integrator::Heun { step: fixed.resolve(resolve, \"integrator.heun\", period, plan)? },\n",
                    ),
                ]),
            ),
        ],
    },
    Recipe {
        name: "front end",
        most: 1,
        changes: &[(
            "crates/stiction-render/examples/front_end.rs",
            Change::New(include_str!("../recipes/front_end.rs.txt")),
        )],
    },
    Recipe {
        name: "analysis",
        most: 4,
        changes: &[
            (
                "crates/stiction-study/src/task/curves.rs",
                Change::New(include_str!("../recipes/analysis.rs.txt")),
            ),
            (
                "crates/stiction-study/src/task/mod.rs",
                Change::Rows(&[
                    ("mod transient;\n", "mod curves;\npub use curves::{Curves, CurvesTask};\n"),
                    (
                        "pub enum AnalysisKind {\n",
                        "    /// The friction of the contacts over their sliding velocity.\n    Curves(Curves),\n",
                    ),
                    (
                        "Option<Task> {\n        match self {\n",
                        "            Self::Curves(curves) => curves.resolve(resolve, scenario),\n",
                    ),
                    ("pub enum Task {\n", "    /// Friction curves.\n    Curves(CurvesTask),\n"),
                    (
                        "Result<Outcome, Error> {\n        match self {\n",
                        "            Self::Curves(task) => task.run(title, progress),\n",
                    ),
                    ("pub enum Shown {\n", "    /// Friction over sliding velocity.\n    Curves,\n"),
                ]),
            ),
            ("crates/stiction-render/src/curves.rs", Change::New(include_str!("../recipes/figure.rs.txt"))),
            (
                "crates/stiction-render/src/lib.rs",
                Change::Rows(&[
                    ("mod convergence;\n", "mod curves;\n"),
                    ("match &outcome.shown {\n", "        Shown::Curves => curves::curves(outcome),\n"),
                ]),
            ),
        ],
    },
];

/// What `generate` may touch.
const GENERATED: &[&str] = &[
    "crates/stiction-study/schema/",
    "docs/figures/",
    "docs/gallery.md",
    "docs/papers.md",
    "docs/reference/",
    "docs/references.md",
    "python/stiction/_models.py",
    "crates/stiction/images/law/",
];

/// The suites that judge new members: the new law is drawn, and runs under the new analysis and the new integrator, which the new front
/// end shows; the new element runs beside friction, and beside other laws as own steps say.
const SUITES: &[&[&str]] = &[
    &["test", "--quiet", "--package", "stiction", "--test", "all", "--", "law::", "patch::"],
    &["run", "--quiet", "--package", "stiction-cli", "--", "law", "algebraic", "--out", "target/law"],
    &["run", "--quiet", "--package", "stiction-cli", "--", "run", CURVES.0, "--out", "target/run"],
    &["run", "--quiet", "--package", "stiction-render", "--example", "front_end", "--", HEUN.0],
    &["run", "--quiet", "--package", "stiction-cli", "--", "run", TETHER.0, "--out", "target/run"],
    &[
        "run",
        "--quiet",
        "--release",
        "--package",
        "stiction-soak",
        "--bin",
        "stiction-soak",
        "--",
        "--check",
        "pairs",
        "--systems",
        "120",
        "--bodies",
        "0",
    ],
];

/// A scenario of the new analysis under the new law.
const CURVES: (&str, &str) = (
    "target/curves.toml",
    "\
[system.oscillator]
mass = 1.0
stiffness = 1.0
friction.algebraic = { mu = 0.3, width = 0.01 }

[analysis.curves]
",
);

/// A motion by the new integrator; the energy balance judges it.
const HEUN: (&str, &str) = (
    "target/heun.toml",
    "\
[system.oscillator]
mass = 1.0
stiffness = 1.0
force = { amplitude = 1.0, omega = 0.7 }
friction.algebraic = { mu = 0.3, width = 0.05 }

[integrator.heun]
steps_per_period = 2000

[analysis.transient]
periods = 5
",
);

/// The response of a mass on the new element, beside friction.
const TETHER: (&str, &str) = (
    "target/tether.toml",
    "\
[system.oscillator]
mass = 1.0
stiffness = 1.0
force = { amplitude = 1.0, omega = 0.7 }
friction.coulomb = { mu = 0.3 }
tether = { length = 0.5, stiffness = 10.0, damping = 0.2 }

[analysis.response]
parameter = \"omega\"
from = 0.8
to = 1.2
points = 5
",
);

/// Where the version of all packages stands, and what is put before it in the copy.
const MANIFEST: &str = "Cargo.toml";
const COPY: &str = "9";

/// Follows all recipes on a copy below `target`.
pub fn check(root: &Path) -> Done {
    eprintln!("xtask: do the recipes of CONTRIBUTING.md suffice?");
    let mut tree = BTreeMap::new();
    for path in listed(root)? {
        tree.insert(path.clone(), fs::read(root.join(path))?);
    }
    // packages of the same version would be taken for those of the tree, and the tree for built when the copy is
    let manifest = String::from_utf8(tree.remove(MANIFEST).unwrap_or_default())?;
    let version = manifest.split_once("\nversion = ").and_then(|(_, rest)| rest.lines().next());
    let version = version.ok_or_else(|| format!("{MANIFEST} states no version"))?;
    // that of the packages, and what they ask of each other
    let renamed = manifest.replace(version, &version.replacen('"', &format!("\"{COPY}"), 1));
    tree.insert(MANIFEST.to_owned(), renamed.into_bytes());
    let original = tree.clone();
    let mut touched = BTreeSet::new();
    for recipe in RECIPES {
        if recipe.changes.len() > recipe.most {
            let n = recipe.changes.len();
            return Err(format!(
                "the recipe of a {} touches {n} files, not {} at most",
                recipe.name, recipe.most
            )
            .into());
        }
        for (path, change) in recipe.changes {
            let text = applied(tree.get(*path), change);
            let text = text.map_err(|error| format!("recipe of a {}: {path}: {error}", recipe.name))?;
            tree.insert(path.to_string(), text.into_bytes());
            touched.insert(*path);
        }
    }
    let copy = root.join("target/recipes");
    sync(&tree, &copy)?;
    fs::create_dir_all(copy.join("target"))?;
    for (path, scenario) in [CURVES, HEUN, TETHER] {
        fs::write(copy.join(path), scenario)?;
    }
    cargo(&copy, &["run", "--quiet", "--package", "stiction-generator"])?;
    let is_expected = |path: &str| {
        touched.contains(path)
            || path == "Cargo.lock"
            || GENERATED.iter().any(|generated| path.starts_with(generated))
    };
    let differs = |path: &String| fs::read(copy.join(path)).ok().as_ref() != original.get(path);
    let strays: Vec<String> =
        below(&copy)?.into_iter().filter(|path| differs(path) && !is_expected(path)).collect();
    if !strays.is_empty() {
        return Err(format!("files outside the recipes had to change: {strays:?}").into());
    }
    for suite in SUITES {
        cargo(&copy, suite)?;
    }
    Ok(())
}

/// Makes `copy` hold the files of `tree`; those that are equal keep their times, so that little is built anew.
fn sync(tree: &BTreeMap<String, Vec<u8>>, copy: &Path) -> Done {
    for (path, text) in tree {
        let to = copy.join(path);
        if fs::read(&to).ok().as_ref() != Some(text) {
            if let Some(dir) = to.parent() {
                fs::create_dir_all(dir)?;
            }
            fs::write(&to, text)?;
        }
    }
    for path in below(copy)?.iter().filter(|path| !tree.contains_key(*path)) {
        fs::remove_file(copy.join(path))?;
    }
    Ok(())
}

/// The files below `root` that are not ignored.
fn listed(root: &Path) -> Result<BTreeSet<String>, Box<dyn Error>> {
    let args = ["ls-files", "--cached", "--others", "--exclude-standard"];
    let output = Command::new("git").args(args).current_dir(root).output()?;
    let names = String::from_utf8(output.stdout)?;
    Ok(names.lines().filter(|name| root.join(name).is_file()).map(str::to_owned).collect())
}

/// The files of the copy, what is built aside.
fn below(copy: &Path) -> Result<BTreeSet<String>, Box<dyn Error>> {
    let mut found = BTreeSet::new();
    let mut dirs = vec![PathBuf::new()];
    while let Some(dir) = dirs.pop() {
        for entry in fs::read_dir(copy.join(&dir))? {
            let entry = entry?;
            let path = dir.join(entry.file_name());
            if entry.file_type()?.is_dir() {
                if path != Path::new("target") {
                    dirs.push(path);
                }
            } else {
                found.insert(path.to_string_lossy().replace('\\', "/"));
            }
        }
    }
    Ok(found)
}

/// A file after its change.
fn applied(before: Option<&Vec<u8>>, change: &Change) -> Result<String, Box<dyn Error>> {
    match (change, before) {
        (Change::New(text), None) => Ok((*text).to_owned()),
        (Change::New(_), Some(_)) => Err("it exists already".into()),
        (Change::Rows(_), None) => Err("there is no such file".into()),
        (Change::Rows(rows), Some(before)) => {
            let mut text = String::from_utf8(before.clone())?;
            for (after, row) in *rows {
                let place = match *after {
                    // before the first module, or at the beginning
                    "" => text.find("pub mod ").unwrap_or(0),
                    after => text.find(after).ok_or_else(|| format!("{after:?} is not in it"))? + after.len(),
                };
                text.insert_str(place, row);
            }
            Ok(text)
        }
    }
}

fn cargo(copy: &Path, args: &[&str]) -> Done {
    eprintln!("xtask: recipes: cargo {}", args.join(" "));
    // what is built from other packages is shared with the tree
    let mut command = Command::new(env!("CARGO"));
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| copy.join("../../target"), PathBuf::from);
    let status = command.args(args).current_dir(copy).env("CARGO_TARGET_DIR", target).status()?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("cargo {} failed in {}", args.join(" "), copy.display()).into())
    }
}
