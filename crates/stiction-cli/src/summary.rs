//! An outcome in words, for people.

use std::fmt::Write;
use stiction::event::EventKind;
use stiction::integrate::Integrator;
use stiction_study::{Motion, Outcome, Study, Task};

/// Contacts and degrees of freedom that are listed; a chain of a hundred blocks has them in the CSV.
const MAX_LISTED: usize = 12;

/// The summary of a run.
pub fn summary(study: &Study, outcome: &Outcome) -> String {
    let title = if outcome.title.is_empty() { "Untitled scenario" } else { &outcome.title };
    match &study.task {
        Task::Motion(motion) => format!("{title}\n{}", motion_summary(motion, outcome)),
        Task::Slide(_) | Task::Periodic(_) => format!("{title}\n{}", facts(outcome)),
    }
}

/// All facts, one below the other.
fn facts(outcome: &Outcome) -> String {
    let work = &outcome.work;
    let mut text = match work.steps {
        // a search for periodic motions does not count
        0 => String::from("\n"),
        _ => format!("{} steps, {} evaluations\n\n", thousands(work.steps), thousands(work.evaluations)),
    };
    for fact in &outcome.facts {
        let _ = writeln!(text, "  {:<22}{:>14}  {}", label(&fact.name), short(fact.value), fact.unit);
    }
    text
}

fn motion_summary(motion: &Motion, outcome: &Outcome) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "{}", method(motion, outcome));
    let _ = writeln!(text, "\n  {:<22}{:>14}{:>14}", window(motion), "max", "min");
    let mut listed = 0;
    for fact in &outcome.facts {
        let Some(name) = fact.name.strip_suffix("_max") else { continue };
        listed += 1;
        if listed > 5 * MAX_LISTED {
            continue;
        }
        let min = outcome.fact(&format!("{name}_min")).unwrap_or(f64::NAN);
        let _ =
            writeln!(text, "  {:<22}{:>14}{:>14}  {}", label(name), short(fact.value), short(min), fact.unit);
    }

    let fact = |name: &str| outcome.fact(name).unwrap_or(f64::NAN);
    let _ = writeln!(text, "\n  energy over the whole run");
    for (name, key) in [
        ("work in", "work_in"),
        ("= stored", "stored"),
        ("+ viscous loss", "viscous_loss"),
        ("+ friction loss", "friction_loss"),
    ] {
        let _ = writeln!(text, "  {name:<22}{:>14}  J", short(fact(key)));
    }
    let residual = fact("energy_residual");
    let share =
        residual.abs() / fact("work_in").abs().max(fact("friction_loss").abs()).max(f64::MIN_POSITIVE);
    let _ = writeln!(
        text,
        "  {:<22}{:>14}  J   ({share:.1e} of the work)",
        "+ residual",
        format!("{residual:.1e}")
    );

    let _ = writeln!(text);
    for fact in outcome.facts.iter().filter(|f| f.name.starts_with("stick_fraction")).take(MAX_LISTED) {
        let _ = writeln!(text, "  {:<22}{:>14}  %", label(&fact.name), short(100.0 * fact.value));
    }
    if let Some(drift) = outcome.fact("drift") {
        let _ = writeln!(text, "  {:<22}{:>14}  N", "drift off the law", short(drift));
    }
    let count = |kind: EventKind| outcome.events.iter().filter(|event| event.kind == kind).count();
    let counts = [EventKind::Stick, EventKind::Slip, EventKind::Reverse, EventKind::Corner];
    let counts: Vec<String> = counts
        .iter()
        .filter(|kind| count(**kind) > 0)
        .map(|kind| format!("{} {}", kind.name(), count(*kind)))
        .collect();
    let _ = writeln!(text, "  {:<22}{:>14}  ({})", "events", outcome.events.len(), counts.join(", "));
    text
}

fn method(motion: &Motion, outcome: &Outcome) -> String {
    let work = &outcome.work;
    let mut parts = vec![format!("{}, {} steps", motion.integrator.name(), thousands(work.steps))];
    match &motion.integrator {
        Integrator::Incremental { step } | Integrator::Rk4 { step } => {
            parts.push(format!("of {} s", short(*step)))
        }
        Integrator::Exact => {}
        Integrator::Adaptive(_) => {
            if work.implicit_steps > 0 {
                parts.push(format!("({} implicit)", thousands(work.implicit_steps)));
            }
            parts.push(format!("and {} evaluations", thousands(work.evaluations)));
        }
    }
    parts.push(format!("over {} s", short(motion.plan.t_end)));
    if let Some(period) = outcome.fact("period") {
        parts.push(format!("(period {} s)", short(period)));
    }
    parts.join(" ")
}

fn window(motion: &Motion) -> String {
    let [a, b] = motion.plan.window;
    format!("{} to {} s", short(a), short(b))
}

fn label(name: &str) -> String {
    name.replace('_', " ")
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
