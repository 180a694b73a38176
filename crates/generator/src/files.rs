//! What is generated and committed: the JSON Schemas, the curves of the laws, the figures of the documentation.

use crate::keys::Reference;
use crate::support::Support;
use crate::{bibliography, models, pages};
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
use stiction_study::paper::{PAPERS, ReportSection};
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
        (
            "crates/stiction-study/schema/scenario.schema.json".into(),
            format!("{:#}\n", stiction_study::schema()),
        ),
        (
            "crates/stiction-study/schema/patch.schema.json".into(),
            format!("{:#}\n", stiction_study::patch_schema()),
        ),
    ];
    files.push(("python/stiction/_models.py".into(), models::python(root, stiction_study::schema())?));
    for name in FrictionLaw::NAMES {
        let curve = LawCurve::new(name, &[], 0.0).map_err(|faults| format!("{name}: {faults:?}"))?;
        files.push(figure(&format!("crates/stiction/images/law/{name}"), &law_curve(&curve)));
    }
    let mut gallery = String::from(GALLERY);
    let examples = toml_files(&root.join("examples"))?;
    for (name, text) in &examples {
        let study = Study::read(name, text, &[]).map_err(|faults| format!("{name}: {faults:?}"))?;
        let outcome = study.run(&mut Progress::none())?;
        let about = scenario(&pages::comment(text), &format!("examples/{name}.toml"), text);
        add(&mut files, &mut gallery, name, (&outcome.title, &about), &outcome_figure(&outcome));
    }
    let (name, text) = ("stick_slip", fs::read_to_string(root.join("examples/stick_slip.toml"))?);
    let study = Study::read(name, &text, &[]).map_err(|faults| format!("{name}: {faults:?}"))?;
    let title = "Which regularisation, and how wide?";
    let about = "The error of a regularised law falls with its width, that of `quinn` with the square of it. Drawn by \
                 `stiction compare examples/stick_slip.toml`.";
    add(&mut files, &mut gallery, "compare-stick_slip", (title, about), &convergence("", &compared(&study)?));
    let title = "Den Hartog's oscillator: sticking phases in half a period";
    let about = "Each cell is a periodic motion, found without a transient, over frequency and friction in parts of the load. Grey cells \
                 have no motion whose halves mirror each other. A map like this is a [sweep](sweep.md).";
    add(&mut files, &mut gallery, "map-den_hartog", (title, about), &regimes()?);
    for (name, text) in toml_files(&root.join("examples/patches"))? {
        let file = PatchFile::read(&name, &text, &[]).map_err(|faults| format!("{name}: {faults:?}"))?;
        let points =
            limit_points(&file.patch.clone().into()).map_err(|faults| format!("{name}: {faults:?}"))?;
        let title = format!("{}: limit surface", file.title);
        let about = scenario(
            &format!(
                "{} Forces and moments inside the surface hold the patch at rest.",
                pages::comment(&text)
            ),
            &format!("examples/patches/{name}.toml"),
            &text,
        );
        let figure = limit_surface("", &points);
        add(&mut files, &mut gallery, &format!("patch-{name}-limit-surface"), (&title, &about), &figure);
        let title = format!("{}: sections of the limit surface", file.title);
        let about = format!(
            "Sections of the surface above. The file is `examples/patches/{name}.toml`; `stiction patch` with `--limit-surface` draws both."
        );
        let figure = limit_sections("", &points);
        add(&mut files, &mut gallery, &format!("patch-{name}-limit-sections"), (&title, &about), &figure);
    }
    gallery.push_str("\n## Papers\n\nThe figures of the five papers: [papers](papers.md).\n");
    let sections = files_of_papers(&mut files)?;
    files.push(papers(root, &sections)?);
    files.extend(reference(root, &examples)?);
    gallery.push_str("\n## The lab\n\nThe page on which scenarios are played with: [the lab](lab.md).\n\n");
    for name in pictures(&root.join("docs/figures"))? {
        gallery.push_str(&format!("![{}](figures/{name}.png)\n", name.replace(['-', '_'], " ")));
    }
    files.push(("docs/gallery.md".into(), gallery));
    files.push(("docs/reference/facts.md".into(), stiction_study::facts_page()));
    Ok(files)
}

/// The sections of all papers, whose figures are added to `files`.
fn files_of_papers(files: &mut Generated) -> Result<Vec<(String, ReportSection)>, Box<dyn Error>> {
    let mut sections = Vec::new();
    for paper in PAPERS {
        let is_shown = |name: &str| paper.gallery().contains(&name);
        for section in paper.reproduce(&is_shown, &mut Progress::none())? {
            for (name, drawing) in &section.figures {
                let stem = format!("docs/figures/{}-{name}", paper.name());
                files.push(figure(&stem, &drawing_figure(drawing)));
            }
            sections.push((paper.name().to_owned(), section));
        }
    }
    Ok(sections)
}

/// The page of the papers.
fn papers(root: &Path, sections: &[(String, ReportSection)]) -> Result<(String, String), Box<dyn Error>> {
    let rows = fs::read_to_string(root.join("docs/reference/papers.txt"))?;
    Ok(("docs/papers.md".into(), pages::papers(&rows, sections)?))
}

/// The reference: every key, every law, what goes with what.
fn reference(root: &Path, examples: &Generated) -> Result<Generated, Box<dyn Error>> {
    let mut scenarios = examples.clone();
    scenarios.extend(toml_files(&root.join("examples/patches"))?.into_iter().map(|(name, text)| {
        // a patch is a table of a body, too
        (name, text.replace("[patch]", "[system.body.patch]"))
    }));
    for paper in PAPERS {
        let cases = paper.cases().iter().filter(|case| !case.is_patch);
        scenarios.extend(cases.map(|case| (case.file.to_owned(), case.text.to_owned())));
    }
    let more = fs::read_to_string(root.join("docs/reference/examples.toml"))?;
    let reference = Reference::new(stiction_study::schema(), &scenarios, &more)?;
    let support = Support::new()?;
    let sources = bibliography::sources(&fs::read_to_string(root.join("docs/references.bib"))?);
    let mut files = reference.pages(&support)?;
    files.push(("docs/references.md".into(), bibliography::page(&sources)));
    files.push(("docs/reference/support.md".into(), support.page()?));
    files.push(("docs/reference/laws.md".into(), pages::laws(root, &reference, &support, &sources)?));
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

const GALLERY: &str = "# Gallery

Every figure is written by `cargo xtask generate` from the scenario below it; a check fails if one is stale. To have one: save the scenario as a
file and give it to `stiction run`, or open it in [the lab](lab.md).
";

/// What a figure shows, and the file that it is made from, folded.
fn scenario(about: &str, path: &str, text: &str) -> String {
    let lines: Vec<&str> = text.lines().skip_while(|line| line.starts_with('#')).collect();
    format!("{about}\n\n:::{{dropdown}} `{path}`\n```toml\n{}\n```\n:::", lines.join("\n"))
}

/// Adds a figure with its title and what it shows to the gallery.
fn add(
    files: &mut Generated,
    gallery: &mut String,
    name: &str,
    (title, about): (&str, &str),
    drawn: &Figure,
) {
    files.push(figure(&format!("docs/figures/{name}"), drawn));
    gallery.push_str(&format!("\n## {title}\n\n![{title}](figures/{name}.svg)\n\n{about}\n"));
}
