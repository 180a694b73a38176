//! What is generated and committed: the JSON Schemas, the curves of the laws, the figures of the documentation.

use crate::models;
use figure::{Figure, svg_outlined};
use std::error::Error;
use std::fs;
use std::path::Path;
use stiction::Progress;
use stiction::law::FrictionLaw;
use stiction_render::{
    MapQuantity, convergence, drawing_figure, heat_map, law_curve, limit_sections, limit_surface,
    outcome_figure,
};
use stiction_study::compare::{ErrorRow, Sizes, Truth, require_set_valued_transient};
use stiction_study::paper::PAPERS;
use stiction_study::patch::limit_points;
use stiction_study::sweep::SweepRow;
use stiction_study::{LawCurve, PatchFile, Study};

/// Paths below the root, and contents.
type Generated = Vec<(String, String)>;

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

/// Fails if a committed file differs from what would be written.
pub fn check(root: &Path) -> Result<(), Box<dyn Error>> {
    let differs =
        |(path, text): &(String, String)| fs::read_to_string(root.join(path)).ok().as_ref() != Some(text);
    let stale: Vec<String> = files(root)?.into_iter().filter(differs).map(|(path, _)| path).collect();
    if stale.is_empty() {
        return Ok(());
    }
    Err(format!("stale: {}\nhint: cargo xtask generate", stale.join(", ")).into())
}

fn files(root: &Path) -> Result<Generated, Box<dyn Error>> {
    stiction_study::use_generated_schemas();
    let mut files: Generated = vec![
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
    for paper in PAPERS {
        let is_shown = |name: &str| paper.gallery().contains(&name);
        for section in paper.reproduce(&is_shown, &mut Progress::none())? {
            for (name, drawing) in &section.figures {
                let name = format!("{}-{name}", paper.name());
                add(&mut files, &mut gallery, &name, &section.title, &drawing_figure(drawing));
            }
        }
    }
    for (name, text) in toml_files(&root.join("examples"))? {
        let study = Study::read(&name, &text, &[]).map_err(|faults| format!("{name}: {faults:?}"))?;
        let outcome = study.run(&mut Progress::none())?;
        add(&mut files, &mut gallery, &name, &outcome.title, &outcome_figure(&outcome));
    }
    let (name, text) = ("stick_slip", fs::read_to_string(root.join("examples/stick_slip.toml"))?);
    let study = Study::read(name, &text, &[]).map_err(|faults| format!("{name}: {faults:?}"))?;
    let title = "Which regularisation, and how wide?";
    add(&mut files, &mut gallery, "compare-stick_slip", title, &convergence("", &compared(&study)?));
    let title = "Den Hartog's oscillator: sticking phases in half a period, over frequency and friction in parts of the load";
    add(&mut files, &mut gallery, "map-den_hartog", title, &regimes()?);
    for (name, text) in toml_files(&root.join("examples/patches"))? {
        let file = PatchFile::read(&name, &text, &[]).map_err(|faults| format!("{name}: {faults:?}"))?;
        let points =
            limit_points(&file.patch.clone().into()).map_err(|faults| format!("{name}: {faults:?}"))?;
        let title = format!("{}: what it holds at rest", file.title);
        let figure = limit_surface("", &points);
        add(&mut files, &mut gallery, &format!("patch-{name}-limit-surface"), &title, &figure);
        let title = format!("{}: sections", file.title);
        let figure = limit_sections("", &points);
        add(&mut files, &mut gallery, &format!("patch-{name}-limit-sections"), &title, &figure);
    }
    gallery.push_str("\n## The lab\n\nWhat it is: [lab.md](lab.md).\n\n");
    for name in pictures(&root.join("docs/figures"))? {
        gallery.push_str(&format!("![{}](figures/{name}.png)\n", name.replace(['-', '_'], " ")));
    }
    files.push(("docs/gallery.md".into(), gallery));
    files.push(("docs/facts.md".into(), stiction_study::facts_page()));
    Ok(files)
}

/// Every law that stands in for Coulomb's, at sizes of its own.
fn compared(study: &Study) -> Result<Vec<ErrorRow>, Box<dyn Error>> {
    let motion = require_set_valued_transient(study).map_err(|faults| format!("{faults:?}"))?;
    let truth = Truth::new(motion, &mut Progress::none())?;
    let pairs = truth.pairs::<&str>(&[], &Sizes::default()).map_err(|faults| format!("{faults:?}"))?;
    let row = |(law, size)| truth.row(law, size, &mut Progress::none());
    Ok(pairs.into_iter().map(row).collect::<Result<_, _>>()?)
}

/// The number of sticking phases in half a period over frequency and friction, of the oscillator with m = k = P = 1. Frequencies lie
/// beside resonance, where the motion grows without end, and beside its even fractions, where there are many motions;
/// a motion whose halves differ is left out.
fn regimes() -> Result<Figure, Box<dyn Error>> {
    let text = "[system.oscillator]\nmass = 1\nstiffness = 1\nfriction.coulomb.mu = 0.3\nforce = { amplitude = 1, omega = 0.7 }\n\
        [analysis.steady]\n[sweep]\nover = [{ parameter = \"omega\", from = 0.105, to = 1.295, points = 120 }, \
        { parameter = \"mu\", from = 0.01, to = 0.99, points = 99 }]\n";
    let study = Study::read("map", text, &[]).map_err(|faults| format!("map: {faults:?}"))?;
    let sweep = study.sweep.ok_or("the map has no sweep")?;
    let rows = sweep.rows(0..sweep.rows, false, &mut Progress::none())?;
    let place = sweep.columns().iter().position(|column| column.name == "stops").ok_or("no stops")?;
    let fact = |row: &SweepRow| row.facts[place - sweep.axes.len()];
    let (n, quantity) = (99, |label: &str, unit: &str, values: Vec<f64>| MapQuantity {
        label: label.into(),
        unit: unit.into(),
        is_log: false,
        values,
    });
    let x = quantity("*ω*", "rad/s", rows.iter().step_by(n).map(|row| row.values[0]).collect());
    let y = quantity("*μN*/*P*", "-", rows.iter().take(n).map(|row| row.values[1]).collect());
    let cell = |j: usize| {
        rows.iter()
            .skip(j)
            .step_by(n)
            .map(|row| fact(row).filter(|stops| stops % 2.0 == 0.0).map_or(f64::NAN, |stops| stops / 2.0))
    };
    let z = quantity("sticking phases in half a period", "-", (0..n).flat_map(cell).collect());
    Ok(heat_map("", &x, &y, &z))
}

/// Names and texts of the TOML files in a directory, in order.
fn toml_files(dir: &Path) -> Result<Generated, Box<dyn Error>> {
    let mut list = Generated::new();
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

/// The pictures of the lab, in order; a browser made them (`cargo xtask test-lab --screenshots`).
fn pictures(dir: &Path) -> Result<Vec<String>, Box<dyn Error>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(dir)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        names.extend(name.strip_suffix(".png").filter(|name| name.starts_with("lab-")).map(str::to_owned));
    }
    names.sort();
    Ok(names)
}

fn figure(stem: &str, figure: &Figure) -> (String, String) {
    (format!("{stem}.svg"), svg_outlined(figure))
}

/// Adds a figure to the gallery.
fn add(files: &mut Generated, gallery: &mut String, name: &str, title: &str, drawn: &Figure) {
    files.push(figure(&format!("docs/figures/{name}"), drawn));
    gallery.push_str(&format!("\n## {title}\n\n![{title}](figures/{name}.svg)\n"));
}
