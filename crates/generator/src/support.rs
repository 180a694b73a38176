//! Which laws and elements each integrator and analysis takes, and each pair of a law and an element, asked of the program itself:
//! a small scenario for each is read and checked. The soak runs the pairs (`crates/soak/src/pairs.rs`).

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write as _;
use stiction::law::FrictionLaw;
use stiction_reference::elements::{ELEMENTS, Element, LOAD, parameter, system};
use stiction_study::{LawCurve, Study};

/// Names of the integrators, and their tables.
const INTEGRATORS: [(&str, &str); 4] = [
    ("exact", "[integrator.exact]\n"),
    ("adaptive", "[integrator.adaptive]\n"),
    ("rk4", "[integrator.rk4]\nstep = 1e-3\n"),
    ("incremental", "[integrator.incremental]\nstep = 1e-3\n"),
];
const TRANSIENT: &str = "[analysis.transient]\nduration = 1.0\n";
/// Names of the analyses, and their tables.
const ANALYSES: [(&str, &str); 7] = [
    ("transient", TRANSIENT),
    ("steady", "[analysis.steady]\n"),
    ("harmonic balance", "[analysis.steady]\nharmonic_balance = {}\n"),
    ("response", "[analysis.response]\nparameter = \"mass\"\nfrom = 1.0\nto = 2.0\npoints = 2\n"),
    ("bifurcation", "[analysis.bifurcation]\nparameter = \"mass\"\nfrom = 1.0\nto = 2.0\npoints = 2\n"),
    ("stability", "[analysis.stability]\nparameter = \"mass\"\nfrom = 1.0\nto = 2.0\npoints = 2\n"),
    ("nonlinear-mode", "[analysis.nonlinear-mode]\nfrom = 0.01\nto = 1.0\n"),
];

const COULOMB: &str = "friction.coulomb.mu = 0.3\n";
const TANH: &str = "friction.tanh = { mu = 0.3, width = 0.1 }\n";

/// Names that take something.
type Takes = Vec<&'static str>;

/// What the program takes.
pub struct SupportTable {
    laws: Vec<(&'static str, Takes, Takes)>,
    elements: Vec<(&'static str, &'static str, Takes, Takes)>,
    pairs: Pairs,
}

/// Every law beside every element.
struct Pairs {
    /// For each law its name and, for each element, which of [`PAIRED`] run.
    rows: Vec<(&'static str, Vec<[bool; 3]>)>,
    /// Reasons of refusals, with what they refuse: analysis, law, element.
    refusals: BTreeMap<String, Vec<[&'static str; 3]>>,
}

/// Letters and names of the analyses of pairs.
const PAIRED: [(&str, &str); 3] = [("t", "transient"), ("s", "steady"), ("r", "response")];

impl SupportTable {
    /// Asks for every law and element.
    pub fn new() -> Result<Self, Box<dyn Error>> {
        let mut laws = Vec::new();
        let mut pairs = Pairs { rows: Vec::new(), refusals: BTreeMap::new() };
        for name in FrictionLaw::NAMES {
            let curve = LawCurve::new(name, &[], 0.0).map_err(|faults| format!("{name}: {faults:?}"))?;
            let law = serde_json::to_value(&curve.friction.law)?;
            let friction = format!("friction.{name} = {}\n", crate::keys::literal(&law[name]));
            let found: Vec<(Takes, Takes)> = forms(&friction).iter().map(|lines| taken(lines)).collect();
            let is_in = |name: &&str| found.iter().any(|(_, takes)| takes.contains(name));
            let analyses = ANALYSES.iter().map(|(name, _)| *name).filter(is_in).collect();
            laws.push((*name, found[0].0.clone(), analyses));
            pairs.add(name, &friction);
        }
        let elements = ELEMENTS.iter().map(|element| {
            let Element { table, name, lines } = element;
            let forms = if element.drives() { vec![(*lines).to_owned()] } else { forms(lines) };
            let with =
                |law: &str| forms.iter().map(|lines| taken(&format!("{lines}{law}"))).collect::<Vec<_>>();
            let (coulomb, smooth) = (with(COULOMB), with(TANH));
            let is_in = |name: &&str| coulomb.iter().chain(&smooth).any(|(takes, _)| takes.contains(name));
            let integrators = INTEGRATORS.iter().map(|(name, _)| *name).filter(is_in).collect();
            let is_in = |name: &&str| coulomb.iter().any(|(_, takes)| takes.contains(name));
            let analyses = ANALYSES.iter().map(|(name, _)| *name).filter(is_in).collect();
            (*table, *name, integrators, analyses)
        });
        let elements = elements.collect();
        Ok(Self { laws, elements, pairs })
    }

    /// A sentence for the table of an element, if it is one.
    pub fn of(&self, table: &str) -> String {
        let found = self.elements.iter().find(|(name, ..)| *name == table && !table.is_empty());
        found.map_or_else(String::new, |(_, _, integrators, analyses)| {
            format!("Integrators: {}. Analyses: {}.\n\n", listed(integrators), listed(analyses))
        })
    }

    /// A sentence for a law.
    pub fn of_law(&self, law: &str) -> String {
        let found = self.laws.iter().find(|(name, ..)| *name == law);
        found.map_or_else(String::new, |(_, integrators, analyses)| {
            format!("Integrators: {}. Analyses: {}.\n\n", listed(integrators), listed(analyses))
        })
    }

    /// The page with both tables.
    pub fn page(&self) -> Result<String, Box<dyn Error>> {
        let mut text = String::from(
            "# What goes with what\n\nWritten by asking the program: a small scenario for each pair is checked. Where a pair is refused, the message names \
             the reason and an alternative.\n\n## Laws\n\nOne mass with a harmonic load; analyses with the integrator that the program chooses.\n\n",
        );
        let rows = self.laws.iter().map(|(name, integrators, analyses)| {
            (format!("[`{name}`](laws.md#law-{name})"), integrators, analyses)
        });
        text.push_str(&matrix("law", rows)?);
        text.push_str("\n## Elements\n\nBeside `coulomb` friction, or beside a continuous law where an integrator with fixed steps takes no other.\n\n");
        let rows = self
            .elements
            .iter()
            .map(|(_, name, integrators, analyses)| ((*name).to_owned(), integrators, analyses));
        text.push_str(&matrix("element", rows)?);
        text.push_str(&self.pairs()?);
        Ok(text)
    }

    /// The section of pairs.
    fn pairs(&self) -> Result<String, Box<dyn Error>> {
        let Pairs { rows, refusals } = &self.pairs;
        let all = PAIRED.len() * rows.iter().map(|(_, cells)| cells.len()).sum::<usize>();
        let running = rows.iter().flat_map(|(_, cells)| cells).flatten().filter(|runs| **runs).count();
        let mut text = format!(
            "\n## Pairs\n\nEach law beside each element: `t` transient, `s` steady, `r` response, ✓ all three. {running} of {all} pairs run \
             ({:.1} %).\n",
            100.0 * running as f64 / all as f64
        );
        let is_fixed = |name: &str| {
            let found = self.laws.iter().find(|(law, ..)| *law == name);
            found.is_some_and(|(_, integrators, _)| {
                !integrators.iter().any(|name| *name == "exact" || *name == "adaptive")
            })
        };
        let fixed: Vec<&str> = rows.iter().map(|(name, _)| *name).filter(|name| is_fixed(name)).collect();
        writeln!(text, "With fixed steps (`rk4`) only: {}.\n", listed(&fixed))?;
        for (i, element) in ELEMENTS.iter().enumerate() {
            writeln!(text, "{}. {}", i + 1, element.name)?;
        }
        let numbers: Vec<String> = (1..=ELEMENTS.len()).map(|i| i.to_string()).collect();
        write!(text, "\n| law | {} |\n|---|{}\n", numbers.join(" | "), ":-:|".repeat(numbers.len()))?;
        for (name, cells) in rows {
            let cells: Vec<String> = cells.iter().map(cell).collect();
            writeln!(text, "| `{name}` | {} |", cells.join(" | "))?;
        }
        text.push_str("\nWhat is refused, and why:\n\n");
        for (reason, refused) in refusals {
            writeln!(text, "* {reason} ({}).", refused_of(refused))?;
        }
        Ok(text)
    }
}

impl Pairs {
    /// Adds a law, given by its line.
    fn add(&mut self, law: &'static str, friction: &str) {
        let cells = ELEMENTS.iter().map(|element| {
            let drive = if element.drives() { "" } else { LOAD };
            let lines = format!("{drive}{}{friction}", element.lines);
            PAIRED.map(|(_, name)| {
                let found = ANALYSES.iter().find(|(own, _)| *own == name).map_or("", |(_, table)| *table);
                let refused = refusal(&lines, found);
                if let Some(reason) = &refused {
                    self.refusals.entry(reason.clone()).or_default().push([name, law, element.name]);
                }
                refused.is_none()
            })
        });
        self.rows.push((law, cells.collect()));
    }
}

/// The letters of what runs.
fn cell(runs: &[bool; 3]) -> String {
    if runs.iter().all(|runs| *runs) {
        return "✓".into();
    }
    let letters = PAIRED.iter().zip(runs).filter(|(_, runs)| **runs).map(|((letter, _), _)| *letter);
    letters.collect::<Vec<_>>().join(" ")
}

/// Which analyses, laws and elements a reason refuses; all elements are not named.
fn refused_of(refused: &[[&'static str; 3]]) -> String {
    let distinct = |k: usize| {
        let mut list: Vec<&str> = Vec::new();
        for entry in refused {
            if !list.contains(&entry[k]) {
                list.push(entry[k]);
            }
        }
        list
    };
    let (analyses, laws, elements) = (distinct(0), distinct(1), distinct(2));
    let beside = if elements.len() == ELEMENTS.len() { "any element".into() } else { elements.join("; ") };
    format!("{} with {} beside {beside}", analyses.join(", "), listed(&laws))
}

/// Why an analysis of the lines is refused, with the integrator that the program chooses and with `rk4`; none if it runs with one.
fn refusal(lines: &str, analysis: &str) -> Option<String> {
    let reason = |tables: &str| {
        let text = format!("{}{}", system(lines), tables.replace("mass", parameter(lines)));
        let errors = Study::read("probe", &text, &[]).err()?;
        Some(errors.into_iter().next().map_or_else(String::new, |error| error.message))
    };
    let (chosen, fixed) = (reason(analysis)?, reason(&format!("{}{analysis}", INTEGRATORS[2].1))?);
    Some(if chosen == fixed { chosen } else { format!("{chosen}; {fixed}") })
}

/// Integrators and analyses that take the lines; an analysis may need `rk4`.
fn taken(lines: &str) -> (Takes, Takes) {
    let is_read = |tables: &str| {
        let text = format!("{}{}", system(lines), tables.replace("mass", parameter(lines)));
        Study::read("probe", &text, &[]).is_ok()
    };
    let integrators = INTEGRATORS
        .iter()
        .filter(|(_, table)| is_read(&format!("{table}{TRANSIENT}")))
        .map(|(name, _)| *name);
    let fixed = INTEGRATORS[2].1;
    let analyses = ANALYSES.iter().filter(|(_, table)| is_read(table) || is_read(&format!("{fixed}{table}")));
    (integrators.collect(), analyses.map(|(name, _)| *name).collect())
}

/// The lines driven by a load, by nothing, and by a belt: small motions and modes have no load.
fn forms(lines: &str) -> Vec<String> {
    vec![format!("{LOAD}{lines}"), lines.to_owned(), format!("{lines}friction.belt = 1.0\n")]
}

fn listed(names: &[&str]) -> String {
    if names.is_empty() {
        "none".into()
    } else {
        names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
    }
}

fn matrix<'a>(
    head: &str,
    rows: impl Iterator<Item = (String, &'a Takes, &'a Takes)>,
) -> Result<String, Box<dyn Error>> {
    let names: Vec<&str> = INTEGRATORS.iter().chain(&ANALYSES).map(|(name, _)| *name).collect();
    let mut text = format!("| {head} | {} |\n|---|{}\n", names.join(" | "), ":-:|".repeat(names.len()));
    for (name, integrators, analyses) in rows {
        let cells: Vec<&str> = names
            .iter()
            .map(|name| if integrators.contains(name) || analyses.contains(name) { "✓" } else { "" })
            .collect();
        writeln!(text, "| {name} | {} |", cells.join(" | "))?;
    }
    Ok(text)
}
