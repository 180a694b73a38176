//! What is generated and committed: the JSON Schemas, the curves of the laws, the figures of the documentation.

use crate::models;
use std::error::Error;
use std::fs;
use std::path::Path;
use stiction::law::FrictionLaw;
use stiction_render::figure::{Figure, svg_outlined};
use stiction_render::{CompareRow, Zoom, behaviours, convergence, law_curve, outcome_figure};
use stiction_render::{limit_sections, limit_surface, paper_forces};
use stiction_study::compare::{Truth, comparable};
use stiction_study::papers::CASES;
use stiction_study::patch::limit_points;
use stiction_study::patch_papers::PATCH_CASES;
use stiction_study::{LawCurve, Outcome, PatchFile, Study};

/// Paths below the root, and contents.
type Files = Vec<(String, String)>;

/// Writes everything below `root`.
pub fn write(root: &Path) -> Result<(), Box<dyn Error>> {
    for (path, text) in files(root)? {
        let path = root.join(path);
        if let Some(dir) = path.parent() {
            fs::create_dir_all(dir)?;
        }
        fs::write(&path, text)?;
    }
    Ok(())
}

/// The files that differ from what would be written.
pub fn stale(root: &Path) -> Result<Vec<String>, Box<dyn Error>> {
    let differs =
        |(path, text): &(String, String)| fs::read_to_string(root.join(path)).ok().as_ref() != Some(text);
    Ok(files(root)?.into_iter().filter(differs).map(|(path, _)| path).collect())
}

fn files(root: &Path) -> Result<Files, Box<dyn Error>> {
    let mut files: Files = vec![
        ("schema/scenario.schema.json".into(), format!("{:#}\n", stiction_study::schema())),
        ("schema/patch.schema.json".into(), format!("{:#}\n", stiction_study::patch_schema())),
    ];
    files.push(("python/stiction/_models.py".into(), models::python(root, stiction_study::schema())?));
    for name in FrictionLaw::NAMES {
        let curve = LawCurve::new(name, &[], 0.0).map_err(|faults| format!("{name}: {faults:?}"))?;
        files.push(figure(&format!("crates/stiction/images/law/{name}"), &law_curve(&curve)));
    }
    let mut gallery = String::from(
        "# Gallery\n\nWritten by `cargo xtask generate` from the committed scenarios; a check fails if a figure is stale.\n",
    );
    for case in CASES.iter().filter(|case| case.paper != "paper-e") {
        let outcome = case.run(&mut |_| true)?;
        add(
            &mut files,
            &mut gallery,
            &format!("{}-{}", case.paper, case.figure),
            &outcome.title,
            &outcome_figure(&outcome),
        );
    }
    for case in &PATCH_CASES {
        let patch = case.read()?.patch;
        let curves = case.curves(&patch).map_err(|faults| format!("{}: {faults:?}", case.file))?;
        let title = match case.paper {
            "paper-c" => "Paper C: friction of a disc that slides and spins",
            _ => "Paper D: friction of a rectangle that slides and spins",
        };
        let name = format!("{}-forces", case.paper);
        add(&mut files, &mut gallery, &name, title, &paper_forces(case, &patch, &curves));
    }
    let free = CASES.iter().filter(|case| case.figure == "free").map(|case| case.run(&mut |_| true));
    let free: Vec<Outcome> = free.collect::<Result<_, _>>()?;
    let zooms = [
        Zoom { t: [0.0, 20.0], position: Some([-0.8, 2.6]) },
        Zoom { t: [0.0, 100.0], position: Some([-0.55, 0.05]) },
    ];
    let title = "Paper E: chatter, creep and rest";
    add(&mut files, &mut gallery, "paper-e-free", title, &behaviours(&free, &zooms, [3.1, 3.4], Some(-0.5)));
    for (name, text) in toml_files(&root.join("examples"))? {
        let study = Study::read(&name, &text, &[]).map_err(|faults| format!("{name}: {faults:?}"))?;
        let outcome = study.run(&mut |_| true)?;
        add(&mut files, &mut gallery, &name, &outcome.title, &outcome_figure(&outcome));
    }
    let (name, text) = ("stick_slip", fs::read_to_string(root.join("examples/stick_slip.toml"))?);
    let study = Study::read(name, &text, &[]).map_err(|faults| format!("{name}: {faults:?}"))?;
    let title = "Which regularisation, and how wide?";
    add(&mut files, &mut gallery, "compare-stick_slip", title, &convergence("", &compared(&study)?));
    for (name, text) in toml_files(&root.join("examples/patches"))? {
        let file = PatchFile::read(&name, &text, &[]).map_err(|faults| format!("{name}: {faults:?}"))?;
        let points = limit_points(&file.patch).map_err(|faults| format!("{name}: {faults:?}"))?;
        let title = format!("{}: what it holds at rest", file.title);
        let figure = limit_surface("", &points);
        add(&mut files, &mut gallery, &format!("patch-{name}-limit-surface"), &title, &figure);
        let title = format!("{}: sections", file.title);
        let figure = limit_sections("", &points);
        add(&mut files, &mut gallery, &format!("patch-{name}-limit-sections"), &title, &figure);
    }
    files.push(("docs/gallery.md".into(), gallery));
    Ok(files)
}

/// Every law that has a width, at widths that fall by decades.
fn compared(study: &Study) -> Result<Vec<CompareRow>, Box<dyn Error>> {
    let motion = comparable(study).map_err(|faults| format!("{faults:?}"))?;
    let truth = Truth::new(motion, &mut |_| true)?;
    let mut rows = Vec::new();
    for law in FrictionLaw::REGULARISED {
        for exponent in 0..6 {
            let row = truth.row(law, 0.3 * truth.speed() / 10f64.powi(exponent), &mut |_| true)?;
            rows.push(CompareRow {
                law: row.law.into(),
                width: row.width,
                trajectory: row.errors.trajectory,
                creep: row.errors.creep,
                evaluations: row.work.evaluations as f64,
            });
        }
    }
    Ok(rows)
}

/// Names and texts of the TOML files in a directory, in order.
fn toml_files(dir: &Path) -> Result<Files, Box<dyn Error>> {
    let mut list = Files::new();
    for entry in fs::read_dir(dir)? {
        let path = entry?.path();
        if path.extension().is_some_and(|ending| ending == "toml") {
            let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
            list.push((name, fs::read_to_string(&path)?));
        }
    }
    list.sort();
    Ok(list)
}

fn figure(stem: &str, figure: &Figure) -> (String, String) {
    (format!("{stem}.svg"), svg_outlined(figure))
}

/// Adds a figure to the gallery.
fn add(files: &mut Files, gallery: &mut String, name: &str, title: &str, drawn: &Figure) {
    files.push(figure(&format!("docs/figures/{name}"), drawn));
    gallery.push_str(&format!("\n## {title}\n\n![{title}](figures/{name}.svg)\n"));
}
