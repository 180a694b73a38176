//! Pages of the site that are written: laws, papers, gallery.

use crate::bibliography::{Source, linked};
use crate::keys::Reference;
use crate::support::SupportTable;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use stiction::law::FrictionLaw;
use stiction_study::paper::{Check, ReportSection};

/// What `docs/reference/laws.toml` says of a law.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct About {
    /// In LaTeX.
    formula: String,
    /// What a contact does under a load below its limit.
    at_rest: String,
    /// When to use it.
    #[serde(rename = "use")]
    when: String,
}

const LAWS: &str = "# Laws

$φ$ is friction over the normal load, $v$ the sliding velocity; the friction force is $H = N φ$. Under a load below the limit a contact either
*sticks* (zero velocity), *creeps* (at a speed proportional to its regularisation width), or *deflects elastically*. `stiffness` and `damping` are
per newton of normal load: 1000 1/m under a load of 20 N is a spring of 20 000 N/m. `contact_stiffness` and `contact_damping` are in N/m and N s/m
([stiffness in N/m](../howto/stiffness.md)). Beside each law a contact takes `load`, `belt`, `viscous` and more: [contacts](contacts.md).

";

/// The page of the laws: a table that helps to choose, then formula, curve and parameters of each.
pub fn laws(
    root: &Path,
    reference: &Reference,
    support: &SupportTable,
    sources: &[Source],
) -> Result<String, Box<dyn Error>> {
    let about: BTreeMap<String, About> =
        toml::from_str(&fs::read_to_string(root.join("docs/reference/laws.toml"))?)?;
    let mut text = String::from(LAWS);
    text.push_str("## Which law when\n\n| law | under load below its limit | use it when |\n|---|---|---|\n");
    for name in FrictionLaw::NAMES {
        let (rest, when) = about.get(*name).map_or(("", ""), |about| (&about.at_rest, &about.when));
        writeln!(text, "| [`{name}`](#law-{name}) | {rest} | {when} |")?;
    }
    for name in FrictionLaw::NAMES {
        writeln!(text, "\n(law-{name})=\n## `{name}`\n")?;
        let source = root.join(format!("crates/stiction/src/law/{}.rs", name.replace('-', "_")));
        let source = fs::read_to_string(source)?;
        match about.get(*name) {
            Some(about) => {
                writeln!(
                    text,
                    "```{{math}}\n{}\n```\n\n{}\n",
                    about.formula.trim(),
                    linked(&prose(&source), sources, "../references.md")
                )?;
                writeln!(
                    text,
                    "Under load below its limit: {}. Use it when {}.\n",
                    about.at_rest, about.when
                )?;
            }
            None => writeln!(text, "```text\n{}\n```\n", crate::models::head(&source))?,
        }
        writeln!(text, "![curve of {name}](../../crates/stiction/images/law/{name}.svg)\n")?;
        text.push_str(&support.of_law(name));
        text.push_str(&reference.law(name)?);
    }
    Ok(text)
}

/// The head of a source file without its formula, which is set in type.
fn prose(source: &str) -> String {
    let lines = source.lines().map_while(|line| line.strip_prefix("//!"));
    let mut is_formula = false;
    let mut text = String::new();
    for line in lines {
        let line = line.strip_prefix(' ').unwrap_or(line);
        if line.starts_with("```") {
            is_formula = !is_formula;
        } else if !is_formula {
            text.push_str(&line.replace('|', "\\|").replace("[`", "`").replace("`]", "`"));
            text.push('\n');
        }
    }
    text.trim().to_owned()
}

const PAPERS: &str = "# Papers, printed and computed

`stiction reproduce` computes every figure and every printed number of five papers again. This page holds its result: *printed* is the
number in the paper, *expected* the value that follows from its equations where the print is wrong ([errata](errata.md)), *computed* what
this version gives.

| | paper | used for |
|---|---|---|
";

/// The page of the papers: a row for each, then every printed number beside the one that is computed.
pub fn papers(rows: &str, sections: &[(String, ReportSection)]) -> Result<String, Box<dyn Error>> {
    let mut text = format!("{PAPERS}{rows}");
    for (paper, section) in sections {
        writeln!(text, "\n## {}: {}\n", section.name, section.title)?;
        let checks = section.checks();
        if !checks.is_empty() {
            text.push_str("| | printed | expected | computed | agrees |\n|---|---:|---:|---:|:-:|\n");
        }
        for check in &checks {
            writeln!(text, "{}", row(check))?;
        }
        for note in &section.notes {
            writeln!(text, "\n{}", note.replace('|', "\\|"))?;
        }
        if let Some((figure, _)) = section.figures.first() {
            let name = format!("{paper}-{figure}");
            writeln!(text, "\n![{}](figures/{name}.svg)", section.title)?;
        }
    }
    Ok(text)
}

fn row(check: &Check) -> String {
    let printed = check.printed.map_or_else(|| "–".into(), number);
    let agrees = if check.agrees { "✓" } else { "✗" };
    let name = check.name.replace('|', "\\|").replace('_', " ");
    format!("| {name} | {printed} | {} | {} | {agrees} |", number(check.expected), number(check.found))
}

/// Eight digits; what is only round-off is zero.
fn number(value: f64) -> String {
    if value.abs() < 1e-12 {
        "0".into()
    } else {
        format!("{value:.8}").trim_end_matches('0').trim_end_matches('.').to_owned()
    }
}

/// The comment at the head of a scenario.
pub fn comment(text: &str) -> String {
    let lines = text.lines().take_while(|line| line.starts_with('#'));
    lines.map(|line| line.trim_start_matches('#').trim()).collect::<Vec<_>>().join(" ")
}
