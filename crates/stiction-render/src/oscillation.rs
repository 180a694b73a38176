//! The motion of a system: the papers' nine panels for one degree of freedom with one contact, six panels for more.

use crate::drawn::Drawn;
use figure::{Axis, Band, Figure, Legend, Panel, Series, SharedLegend, TWO_COLUMNS};
use stiction::event::EventKind;
use stiction_study::{Column, Outcome};

/// Curves in one panel; more cannot be told apart.
pub(crate) const MAX_CURVES: usize = 6;
/// What there is one of for each contact; all other quantities belong to degrees of freedom.
const CONTACT_QUANTITIES: [&str; 3] = ["sliding", "friction", "slope"];
/// Below this part of the window, stick phases are too short to be shaded.
const SHADE_FROM: f64 = 0.1;

/// The figure of a run with `n` degrees of freedom and `m` contacts.
pub fn oscillation(outcome: &Outcome, n: usize, m: usize) -> Figure {
    let is_single = n == 1 && m <= 1;
    let has_belt = m == 1
        && n == 1
        && outcome.quantity("sliding", 0).map(|c| &c.values)
            != outcome.quantity("velocity", 0).map(|c| &c.values);
    let v = if has_belt || !is_single { "sliding" } else { "velocity" };
    // a law without a slope leaves its place to what shakes a base: the acceleration in space
    let is_zero = |column: &Column| column.values.iter().all(|x| *x == 0.0);
    let is_shaken = is_single
        && outcome.quantity("slope", 0).is_some_and(is_zero)
        && outcome.quantity("absolute_acceleration", 0).is_some();
    let slope = if is_shaken { "absolute_acceleration" } else { "slope" };
    let mut pairs = vec![("t", "position"), ("t", "velocity"), ("t", "acceleration")];
    if m > 0 {
        pairs.push(("t", "friction"));
        if is_single {
            pairs.push(("t", slope));
        }
        pairs.push((v, "friction"));
        if is_single {
            pairs.push((v, slope));
        }
    }
    pairs.push(("position", "velocity"));
    if is_single || m == 0 {
        pairs.push(("velocity", "acceleration"));
    }
    let is_shaded = is_single && outcome.fact("stick_fraction").is_some_and(|f| f > SHADE_FROM);
    let drawn = Drawn::new(outcome);
    let panels: Vec<Panel> =
        pairs.iter().map(|(x, y)| panel(outcome, &drawn, x, y, is_single, is_shaded)).collect();
    Figure {
        title: title(outcome, n, m),
        width: TWO_COLUMNS,
        columns: 3,
        ratio: 0.72,
        panels,
        legend: if is_single && !is_shaded { SharedLegend::None } else { SharedLegend::Below },
        ..Figure::default()
    }
}

/// One quantity over another, a curve for each degree of freedom or contact.
fn panel(outcome: &Outcome, drawn: &Drawn, x: &str, y: &str, is_single: bool, is_shaded: bool) -> Panel {
    let mut panel = Panel { legend: Legend::None, ..Panel::default() };
    let mut shown: Vec<&Column> = Vec::new();
    for i in 0..MAX_CURVES {
        let Some(column) = outcome.quantity(y, i) else { break };
        let Some(over) = (if x == "t" { outcome.column("t") } else { outcome.quantity(x, i) }) else { break };
        let label = if is_single { String::new() } else { curve_label(y, column.index.unwrap_or(i)) };
        let (mut along, mut values) = (drawn.values(over), drawn.values(column));
        if matches!(x, "velocity" | "sliding") {
            cut_at_impacts(outcome, drawn, &mut along, &mut values);
        }
        panel.series.push(Series::line(label, along, values));
        if i == 0 {
            panel.x = axis(over, is_single);
        }
        shown.push(column);
    }
    if let Some(first) = shown.first() {
        panel.y = axis(first, is_single);
    }
    if x == "t" && is_shaded {
        panel.bands = stick_phases(outcome);
    }
    panel
}

/// Velocities jump at an impact: nothing is drawn between the rows before and after it.
fn cut_at_impacts(outcome: &Outcome, drawn: &Drawn, x: &mut Vec<f64>, y: &mut Vec<f64>) {
    let impacts = outcome.events.iter().filter(|event| event.kind == EventKind::Impact);
    let mut impacts = impacts.map(|event| event.t).peekable();
    let Some(t) = outcome.column("t").filter(|_| impacts.peek().is_some()) else { return };
    let t = drawn.values(t);
    let mut n_cuts = 0;
    for i in 1..t.len().min(x.len()) {
        while impacts.next_if(|impact| *impact < t[i]).is_some() {}
        if t[i] == t[i - 1] && impacts.peek() == Some(&t[i]) {
            x.insert(i + n_cuts, f64::NAN);
            y.insert(i + n_cuts, f64::NAN);
            n_cuts += 1;
        }
    }
}

/// The name of a curve: degrees of freedom and contacts are counted apart, and look apart.
fn curve_label(quantity: &str, i: usize) -> String {
    let of = if CONTACT_QUANTITIES.contains(&quantity) { "contact" } else { "DOF" };
    format!("{of} {i}")
}

/// The title, and which curves are left out, if any.
fn title(outcome: &Outcome, n: usize, m: usize) -> String {
    let listed =
        |name: &str, of: usize| (of > MAX_CURVES).then(|| format!("{name} 0 to {} of {of}", MAX_CURVES - 1));
    let left_out: Vec<String> = [listed("DOF", n), listed("contacts", m)].into_iter().flatten().collect();
    match left_out.as_slice() {
        [] => outcome.title.clone(),
        parts => format!("{} ({})", outcome.title, parts.join(", ")).trim().to_owned(),
    }
}

/// The axis of a quantity; with several curves its symbol stands without a number.
pub(crate) fn axis(column: &Column, is_single: bool) -> Axis {
    let symbol: String = match is_single {
        true => column.symbol.clone(),
        false => column.symbol.chars().filter(|c| !('₀'..='₉').contains(c)).collect(),
    };
    Axis::new(format!("*{symbol}*"), column.unit.as_ref())
}

/// The intervals between `stick` and `slip` events.
pub(crate) fn stick_phases(outcome: &Outcome) -> Vec<Band> {
    let Some(t) = outcome.column("t").filter(|t| !t.values.is_empty()) else { return Vec::new() };
    let (first, last) = (t.values[0], t.values[t.values.len() - 1]);
    let mut bands = Vec::new();
    let band = |from: f64, to: f64| Band { label: "stick".into(), x: [from, to] };
    let mut since: Option<f64> = None;
    let mut is_first = true;
    for event in &outcome.events {
        match event.kind {
            EventKind::Stick => since = Some(event.t),
            EventKind::Slip => {
                if let Some(from) = since.take().or(is_first.then_some(first)) {
                    bands.push(band(from, event.t));
                }
            }
            _ => continue,
        }
        is_first = false;
    }
    bands.extend(since.map(|from| band(from, last)));
    bands
}
