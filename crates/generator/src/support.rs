//! Which laws and elements each integrator and analysis takes, asked of the program itself: a small scenario for each pair is read
//! and checked.

use std::error::Error;
use std::fmt::Write as _;
use stiction::law::FrictionLaw;
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

const DRIVEN: &str = "force = { amplitude = 1.0, omega = 0.7 }\n";
/// Elements: definition, name, lines of `[system.oscillator]`.
const ELEMENTS: &[(&str, &str, &str)] = &[
    ("Load", "harmonic load", DRIVEN),
    (
        "Points",
        "load by points in time",
        "force.table = { times = [0.0, 1.0, 2.0], values = [0.0, 1.0, 0.0], period = 2.0 }\n",
    ),
    (
        "",
        "load that begins and ends, again and again",
        "force = { amplitude = 1.0, omega = 3.0, start = 0.5, end = 2.0, period = 4.0 }\n",
    ),
    ("Base", "moving base", "base = { amplitude = 0.1, omega = 0.7 }\n"),
    (
        "VaryingLoad",
        "normal load that varies in time",
        "friction.load_varies = { amplitude = 0.5, omega = 1.4 }\n",
    ),
    ("", "normal load that varies with the motion", "friction.load_varies.by_position = [0.1]\n"),
    ("", "belt that varies in time", "friction.belt_varies = { amplitude = 0.5, omega = 0.7 }\n"),
    (
        "Spring",
        "spring of straight pieces",
        "spring = { positions = [-1.0, -0.5, 0.5, 1.0], forces = [-2.5, -0.5, 0.5, 2.5] }\n",
    ),
    ("", "polynomial spring", "spring.polynomial = [1.0, 0.0, 2.0]\n"),
    ("Stop", "rigid stop", "stop = { upper = 0.5, restitution = 0.7 }\n"),
    ("", "elastic stop", "stop = { upper = 0.5, stiffness = 200.0 }\n"),
    (
        "",
        "elastic stop with limited damping",
        "stop = { upper = 0.5, stiffness = 200.0, damping = 4.0, limited_damping = true }\n",
    ),
    (
        "",
        "stop fixed in space beside a moving base",
        "base = { amplitude = 0.1, omega = 0.7 }\nstop = { upper = 0.5, restitution = 0.7, fixed_in_space = true }\n",
    ),
    (
        "Prescribed",
        "prescribed position",
        "prescribed = { dof = 1, position = { amplitude = 0.5, omega = 0.7 } }\nfriction.dof = 0\n",
    ),
    (
        "",
        "prescribed acceleration",
        "prescribed = { dof = 1, acceleration = { amplitude = 0.5, omega = 0.7 } }\nfriction.dof = 0\n",
    ),
    (
        "",
        "stop on a prescribed motion",
        "prescribed = { dof = 1, position = { amplitude = 0.5, omega = 0.7 } }\nfriction.dof = 0\n\
         stop = { direction = [1.0, -1.0], upper = 0.2, restitution = 0.7 }\n",
    ),
    (
        "",
        "polynomial spring on a prescribed motion",
        "prescribed = { dof = 1, position = { amplitude = 0.5, omega = 0.7 } }\nfriction.dof = 0\n\
         spring = { direction = [1.0, -1.0], polynomial = [1.0, 0.0, 2.0] }\n",
    ),
    ("Control", "controller", "control = { kp = 4.0, ki = 2.0, kd = 1.5 }\n"),
    (
        "StateSpace",
        "first-order states",
        "state_space = { a = [[-2.0]], b_velocity = [[-1.0]], f_state = [[0.5]] }\n",
    ),
];

const COULOMB: &str = "friction.coulomb.mu = 0.3\n";
const TANH: &str = "friction.tanh = { mu = 0.3, width = 0.1 }\n";

/// Names that take something.
type Takes = Vec<&'static str>;

/// What the program takes.
pub struct SupportTable {
    laws: Vec<(&'static str, Takes, Takes)>,
    elements: Vec<(&'static str, &'static str, Takes, Takes)>,
}

impl SupportTable {
    /// Asks for every law and element.
    pub fn new() -> Result<Self, Box<dyn Error>> {
        let mut laws = Vec::new();
        for name in FrictionLaw::NAMES {
            let curve = LawCurve::new(name, &[], 0.0).map_err(|faults| format!("{name}: {faults:?}"))?;
            let law = serde_json::to_value(&curve.friction.law)?;
            let friction = format!("friction.{name} = {}\n", crate::keys::literal(&law[name]));
            let found: Vec<(Takes, Takes)> = forms(&friction).iter().map(|lines| taken(lines)).collect();
            let is_in = |name: &&str| found.iter().any(|(_, takes)| takes.contains(name));
            let analyses = ANALYSES.iter().map(|(name, _)| *name).filter(is_in).collect();
            laws.push((*name, found[0].0.clone(), analyses));
        }
        let elements = ELEMENTS.iter().map(|(table, name, lines)| {
            // signals drive by themselves
            let is_signal = ["force", "base", "prescribed"].iter().any(|key| lines.starts_with(key));
            let forms = if is_signal { vec![(*lines).to_owned()] } else { forms(lines) };
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
        Ok(Self { laws, elements })
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
        Ok(text)
    }
}

/// Integrators and analyses that take the lines; an analysis may need `rk4`.
fn taken(lines: &str) -> (Takes, Takes) {
    // which motion is prescribed no mass says
    let varied = match is_pair(lines) {
        true if lines.contains("acceleration") => "\"prescribed.acceleration.omega\"",
        true => "\"prescribed.position.omega\"",
        false => "\"mass\"",
    };
    let is_read = |tables: &str| {
        let text = format!("{}{}", system(lines), tables.replace("\"mass\"", varied));
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
    vec![format!("{DRIVEN}{lines}"), lines.to_owned(), format!("{lines}friction.belt = 1.0\n")]
}

/// Whether the lines are of two masses, one of which is prescribed.
fn is_pair(lines: &str) -> bool {
    lines.contains("prescribed")
}

fn system(lines: &str) -> String {
    if is_pair(lines) {
        return format!(
            "[system.matrices]\nmass = [1.0, 1.0]\ndamping = [[0.1, 0.0], [0.0, 0.0]]\nstiffness = [[2.0, -1.0], [-1.0, 1.0]]\n{lines}"
        );
    }
    format!("[system.oscillator]\nmass = 1.0\ndamping = 0.1\nstiffness = 1.0\n{lines}")
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
