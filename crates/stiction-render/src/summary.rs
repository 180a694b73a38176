//! An outcome in words, for people.

use std::fmt::Write;
use stiction::event::{Event, EventKind};
use stiction_study::{ColumnKind, Fact, FactKind, IntegratorKind, Outcome, Run, Shown};

/// Contacts and degrees of freedom that are listed; a chain of a hundred blocks has them in the CSV.
const MAX_LISTED: usize = 12;

/// The summary of an outcome.
pub fn summary(outcome: &Outcome) -> String {
    let title = if outcome.title.is_empty() { "Untitled scenario" } else { &outcome.title };
    let body = match &outcome.shown {
        Shown::Motion { run: Some(run), .. } => motion_summary(run, outcome),
        _ => all_facts(outcome),
    };
    format!("{title}\n{body}{}", warnings(outcome))
}

/// What the result says against itself, a line each.
fn warnings(outcome: &Outcome) -> String {
    let line = |(i, w): (usize, &stiction_study::Caution)| {
        let gap = if i == 0 { "\n" } else { "" };
        let hint = w.hint.as_ref().map(|hint| format!("  hint: {hint}\n")).unwrap_or_default();
        format!("{gap}  warning: {}\n{hint}", w.message)
    };
    outcome.warnings.iter().enumerate().map(line).collect()
}

/// All facts, one below the other.
fn all_facts(outcome: &Outcome) -> String {
    let work = &outcome.work;
    let mut text = match work.steps {
        // a search for periodic motions does not count
        0 => String::from("\n"),
        _ => format!("{}, {}\n\n", counted(work.steps, "step"), counted(work.evaluations, "evaluation")),
    };
    for fact in &outcome.facts {
        let whose = compared_law(outcome, fact).map(|law| format!("   ({law})")).unwrap_or_default();
        let (value, unit) = match fact.kind {
            kind if !TRUTHS.contains(&kind) => (short(fact.value), &*fact.unit),
            _ => (if fact.value == 0.0 { "no" } else { "yes" }.to_owned(), ""),
        };
        let line = format!("  {:<22}{value:>14}  {unit}{whose}", fact.label());
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text
}

/// Facts that are 1 or 0.
const TRUTHS: [FactKind; 4] = [FactKind::Stable, FactKind::Neutral, FactKind::Symmetric, FactKind::Complete];

/// The law whose error along a response a fact is.
fn compared_law<'a>(outcome: &'a Outcome, fact: &Fact) -> Option<&'a String> {
    let Shown::Response { laws, .. } = &outcome.shown else { return None };
    let is_error = matches!(fact.kind, FactKind::ErrorPeak | FactKind::ErrorResponse);
    laws.get(fact.index.filter(|_| is_error)?)
}

/// Quantities whose largest and smallest values stand side by side.
const RANGES: [(&str, FactKind, FactKind); 5] = [
    ("position", FactKind::PositionMax, FactKind::PositionMin),
    ("velocity", FactKind::VelocityMax, FactKind::VelocityMin),
    ("acceleration", FactKind::AccelerationMax, FactKind::AccelerationMin),
    ("friction", FactKind::FrictionMax, FactKind::FrictionMin),
    ("slope", FactKind::SlopeMax, FactKind::SlopeMin),
];

/// What `wear` and `compare` ask for.
const ASKED_FOR: [FactKind; 13] = [
    FactKind::ControlWork,
    FactKind::CirculatoryWork,
    FactKind::ActuatorWork,
    FactKind::WholeViscousLoss,
    FactKind::ContactWork,
    FactKind::FrictionWork,
    FactKind::SlipDistance,
    FactKind::ErrorTrajectory,
    FactKind::ErrorAmplitude,
    FactKind::ErrorPhase,
    FactKind::ErrorDissipation,
    FactKind::ErrorStickFraction,
    FactKind::ErrorCreep,
];

fn motion_summary(run: &Run, outcome: &Outcome) -> String {
    let mut text = String::new();
    let [from, to] = run.window.map(short);
    let _ = writeln!(text, "{}", method(run, outcome));
    text.push_str(&reduction(outcome));
    let _ = writeln!(text, "\n  {:<22}{:>14}{:>14}", format!("{from} to {to} s"), "max", "min");
    for (name, max, min) in RANGES {
        for fact in outcome.facts.iter().filter(|fact| fact.kind == max).take(MAX_LISTED) {
            let least = outcome.fact_of(min, fact.index).unwrap_or(f64::NAN);
            let label = match (fact.node, fact.index) {
                (Some(node), _) => format!("{name} node {node}"),
                (None, Some(i)) => format!("{name} {i}"),
                (None, None) => name.to_owned(),
            };
            let _ =
                writeln!(text, "  {label:<22}{:>14}{:>14}  {}", short(fact.value), short(least), fact.unit);
        }
    }

    let fact = |kind: FactKind| outcome.fact_of(kind, None).unwrap_or(f64::NAN);
    let is_led = outcome.samples.iter().any(|column| column.kind == ColumnKind::Reaction);
    let whose = if is_led { ", of the free degrees of freedom" } else { "" };
    let _ = writeln!(text, "\n  energy from {from} to {to} s{whose}");
    for (name, kind) in [
        ("work in", FactKind::WorkIn),
        ("= stored", FactKind::Stored),
        ("+ viscous loss", FactKind::ViscousLoss),
        ("+ friction loss", FactKind::FrictionLoss),
        ("+ impact loss", FactKind::ImpactLoss),
    ] {
        if let Some(energy) = outcome.fact_of(kind, None) {
            let _ = writeln!(text, "  {name:<22}{:>14}  J", short(energy));
        }
    }
    let residual = fact(FactKind::EnergyResidual);
    let share = residual.abs() / fact(FactKind::EnergyTurnover).max(f64::MIN_POSITIVE);
    let _ = writeln!(
        text,
        "  {:<22}{:>14}  J   ({share:.1e} of the energy turned over)",
        "residual, whole run",
        format!("{residual:.1e}")
    );

    let _ = writeln!(text);
    let is_stick = |fact: &&Fact| fact.kind == FactKind::StickFraction;
    for fact in outcome.facts.iter().filter(is_stick).take(MAX_LISTED) {
        let _ = writeln!(text, "  {:<22}{:>14}  {}", fact.label(), short(fact.value), fact.unit);
    }
    for fact in outcome.facts.iter().filter(|fact| ASKED_FOR.contains(&fact.kind)).take(6 * MAX_LISTED) {
        let _ = writeln!(text, "  {:<22}{:>14}  {}", fact.label(), short(fact.value), fact.unit);
    }
    if let Some(drift) = outcome.facts.iter().find(|fact| fact.kind == FactKind::Drift) {
        let _ = writeln!(text, "  {:<22}{:>14}  {}", "drift off the law", short(drift.value), drift.unit);
    }
    if let Some(error) = outcome.fact_of(FactKind::DiscretisationError, None) {
        let _ = writeln!(text, "  {:<22}{:>14}  -", "discretisation error", short(error));
    }
    let counts = event_counts(run, outcome);
    let counts = if counts.is_empty() { counts } else { format!("  ({counts})") };
    let _ = writeln!(text, "  {:<22}{:>14}{counts}", "events", outcome.events.len());
    text
}

/// How many events of each kind there are. A contact of springs sticks until all its sliders slide, and its events are theirs.
fn event_counts(run: &Run, outcome: &Outcome) -> String {
    let mut counts = Vec::new();
    for of_slider in [false, true] {
        for kind in EventKind::ALL {
            let is_it = |event: &&Event| {
                event.kind == kind && of_slider == (!kind.is_of_stop() && run.sprung.contains(&event.contact))
            };
            let n = outcome.events.iter().filter(is_it).count();
            if n > 0 {
                counts.push(format!("{}{} {n}", if of_slider { "slider " } else { "" }, kind.name()));
            }
        }
    }
    counts.join(", ")
}

/// How the model was reduced, and how much that matters; nothing if it was not.
fn reduction(outcome: &Outcome) -> String {
    let fact = |kind: FactKind| outcome.fact_of(kind, None);
    let Some(degrees) = fact(FactKind::ModelDegrees) else { return String::new() };
    let number = |kind: FactKind| short(fact(kind).unwrap_or(f64::NAN));
    format!(
        "reduced from {degrees} to {} degrees of freedom, {} of them modes; neglected modes lie above {} rad/s\n\
         compliance within {:.1e} up to {} rad/s\n",
        number(FactKind::ReducedDegrees),
        number(FactKind::ModesKept),
        number(FactKind::NeglectedFrequency),
        fact(FactKind::ComplianceError).unwrap_or(f64::NAN),
        number(FactKind::ComplianceBand)
    )
}

fn method(run: &Run, outcome: &Outcome) -> String {
    let work = &outcome.work;
    let mut parts = vec![format!("{}, {}", run.integrator.name(), counted(work.steps, "step"))];
    match (&run.integrator, run.step) {
        (_, Some(step)) => parts.push(format!("of {} s", short(step))),
        (IntegratorKind::Adaptive(_), None) => {
            if work.implicit_steps > 0 {
                parts.push(format!("({} implicit)", thousands(work.implicit_steps)));
            }
            parts.push(format!("and {}", counted(work.evaluations, "evaluation")));
        }
        _ => {}
    }
    parts.push(format!("over {} s", short(run.t_end)));
    if let Some(period) = outcome.fact_of(FactKind::Period, None) {
        parts.push(format!("(period {} s)", short(period)));
    }
    parts.join(" ")
}

/// A number to six digits.
pub fn short(x: f64) -> String {
    if x == 0.0 || !x.is_finite() {
        return format!("{x}");
    }
    let size = x.abs();
    if (1e-4..1e6).contains(&size) {
        let decimals = (5 - size.log10().floor() as i32).clamp(0, 9) as usize;
        let text = format!("{x:.decimals$}");
        if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
    } else {
        format!("{x:.4e}")
    }
}

/// So many of a thing.
fn counted(n: u64, thing: &str) -> String {
    format!("{} {thing}{}", thousands(n), if n == 1 { "" } else { "s" })
}

/// A count with thin groups of three digits.
pub fn thousands(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_six_digits_and_no_trailing_zeros() {
        let cases = [
            (19.59018830839038, "19.5902"),
            (-0.1, "-0.1"),
            (400000.0, "400000"),
            (0.0, "0"),
            (1e-12, "1.0000e-12"),
        ];
        for (x, text) in cases {
            assert_eq!(short(x), text);
        }
        assert_eq!(thousands(1234567), "1 234 567");
    }
}
