//! The motion of a system: positions, velocities, accelerations, loads, control and friction over time; friction over the sliding velocity and
//! over the position (hysteresis); the phase plane.

use crate::drawn::Drawn;
use crate::words::axis;
use figure::{Axis, Band, Color, Dash, Figure, Legend, Panel, Series, SharedLegend, TWO_COLUMNS};
use stiction::event::EventKind;
use stiction_study::{Column, Outcome};

/// Curves in one panel; more cannot be distinguished.
pub(crate) const MAX_CURVES: usize = 6;
/// What there is one of for each contact; all other quantities belong to degrees of freedom.
const CONTACT_QUANTITIES: [&str; 4] = ["sliding", "friction", "slope", "normal_load"];
/// Below this part of the window, stick phases are too short to be shaded.
const SHADE_FROM: f64 = 0.1;
/// Difference of a sliding velocity from that of its degrees of freedom, relative to its largest value.
const ROUND_OFF: f64 = 1e-12;
/// Width of the line behind the friction of a contact that sticks (pt).
const STUCK: f64 = 3.2;

/// The figure of a run with `n` degrees of freedom and `m` contacts. Panels in which nothing changes are left out.
pub fn oscillation(outcome: &Outcome, n: usize, m: usize) -> Figure {
    let is_single = n == 1 && m <= 1;
    let has_belt = m == 1
        && n == 1
        && outcome.quantity("sliding", 0).map(|c| &c.values)
            != outcome.quantity("velocity", 0).map(|c| &c.values);
    let v = if has_belt || !is_single { "sliding" } else { "velocity" };
    let mut pairs = vec![("t", "position"), ("t", "velocity"), ("t", "acceleration")];
    // what shakes a base, a varying load, a controller
    pairs.extend([("t", "absolute_acceleration"), ("t", "normal_load"), ("t", "control_force")]);
    if m > 0 {
        pairs.push(("t", "friction"));
        if is_single {
            pairs.push(("t", "slope"));
        }
        pairs.push((v, "friction"));
        if is_single {
            pairs.extend([(v, "slope"), ("position", "friction")]);
        }
    }
    pairs.push(("position", "velocity"));
    let is_shaded = shades(outcome, m);
    let drawn = Drawn::new(outcome);
    let loops = (!is_single).then(|| hysteresis(outcome, &drawn, m));
    let panels: Vec<Panel> = (pairs.iter())
        .map(|(x, y)| panel(outcome, &drawn, x, y, is_single, is_shaded))
        .chain(loops)
        .filter(|panel| panel.series.iter().any(is_informative))
        .collect();
    let is_plain = is_single && !is_shaded;
    Figure {
        title: title(outcome, n, m),
        width: TWO_COLUMNS,
        columns: match panels.len() {
            2 | 4 => 2,
            _ => 3,
        },
        ratio: 0.72,
        panels,
        legend: if is_plain { SharedLegend::None } else { SharedLegend::Below },
        ..Figure::default()
    }
}

/// Whether stick phases are long enough to be shaded: of one contact, or of all together.
fn shades(outcome: &Outcome, m: usize) -> bool {
    let Some(t) = outcome.column("t").filter(|t| t.values.len() > 1) else { return false };
    let window = t.values[t.values.len() - 1] - t.values[0];
    let bands = stick_phases(outcome, m);
    bands.iter().map(|band| band.x[1] - band.x[0]).sum::<f64>() > SHADE_FROM * window
}

/// Whether a curve shows more than zeros, and one quantity over another more than a line along an axis.
fn is_informative(series: &Series) -> bool {
    let varies = |values: &[f64]| {
        let mut values = values.iter().filter(|value| value.is_finite());
        values.next().is_some_and(|first| values.any(|value| value != first))
    };
    let is_zero = series.y.iter().all(|y| *y == 0.0 || !y.is_finite());
    !is_zero && varies(&series.x)
}

/// One quantity over another, a curve for each degree of freedom or contact.
fn panel(outcome: &Outcome, drawn: &Drawn, x: &str, y: &str, is_single: bool, is_shaded: bool) -> Panel {
    let mut panel = Panel { legend: Legend::None, ..Panel::default() };
    let mut shown: Vec<&Column> = Vec::new();
    // beams and plates have rotations beside displacements
    let unit = |column: &Column| column.unit.starts_with("rad");
    let is_rotation = (0..).map_while(|i| outcome.quantity(y, i)).all(unit);
    for (i, column) in (0..).map_while(|i| Some((i, outcome.quantity(y, i)?))) {
        if unit(column) != is_rotation {
            continue;
        }
        if shown.len() == MAX_CURVES {
            break;
        }
        let Some(over) = (if x == "t" { outcome.column("t") } else { outcome.quantity(x, i) }) else { break };
        let number = column.index.unwrap_or(i);
        let label = match column.node {
            _ if is_single => String::new(),
            Some(node) => format!("node {node}"),
            None => curve_label(y, number),
        };
        let (mut along, mut values) = (drawn.values(over), drawn.values(column));
        if values.len() != along.len() || !outcome.instants.iter().any(|own| own.kind == column.kind) {
            // known at the samples only
            (along, values) = (over.values.clone(), column.values.clone());
        }
        if matches!(x, "velocity" | "sliding") {
            cut_at_impacts(outcome, drawn, &mut along, &mut values);
        }
        if !is_single && (x, y) == ("t", "friction") {
            panel.series.extend(stuck_parts(outcome, number, &along, &values));
        }
        panel.series.push(Series::line(label, along, values));
        if shown.is_empty() {
            panel.x = axis(over, is_single);
        }
        shown.push(column);
    }
    if let Some(first) = shown.first() {
        panel.y = axis(first, is_single);
    }
    if x == "t" && is_shaded {
        panel.bands = stick_phases(outcome, if is_single { 1 } else { n_contacts(outcome) });
    }
    panel
}

/// Friction over the relative displacement of each contact that acts on one degree of freedom or between two: hysteresis loops.
fn hysteresis(outcome: &Outcome, drawn: &Drawn, m: usize) -> Panel {
    let mut panel = Panel { legend: Legend::None, ..Panel::default() };
    for contact in 0..m.min(MAX_CURVES) {
        let Some(friction) = outcome.quantity("friction", contact) else { continue };
        let Some((a, b)) = between(outcome, contact) else { continue };
        let mut along = drawn.values(a);
        if let Some(b) = b {
            along.iter_mut().zip(drawn.values(b)).for_each(|(a, b)| *a -= b);
        }
        panel.x = Axis::new("displacement of contact", a.unit.as_ref());
        panel.y = axis(friction, false);
        let label = curve_label("friction", friction.index.unwrap_or(contact));
        panel.series.push(Series::line(label, along, drawn.values(friction)));
    }
    panel
}

/// The position whose velocity is the sliding velocity of a contact, or the two whose velocities differ by it.
fn between(outcome: &Outcome, contact: usize) -> Option<(&Column, Option<&Column>)> {
    let sliding = &outcome.quantity("sliding", contact)?.values;
    let size = sliding.iter().fold(0.0, |size: f64, u| size.max(u.abs()));
    let all = |name: &'static str| (0..).map_while(move |i| outcome.quantity(name, i)).collect::<Vec<_>>();
    let (positions, velocities) = (all("position"), all("velocity"));
    if size == 0.0 || positions.len() != velocities.len() {
        return None;
    }
    let is_it =
        |v: &dyn Fn(usize) -> f64| (0..sliding.len()).all(|k| (v(k) - sliding[k]).abs() <= ROUND_OFF * size);
    for (a, v) in positions.iter().zip(&velocities) {
        if is_it(&|k| v.values[k]) {
            return Some((a, None));
        }
        for (b, w) in positions.iter().zip(&velocities) {
            if is_it(&|k| v.values[k] - w.values[k]) {
                return Some((a, Some(b)));
            }
        }
    }
    None
}

/// The parts of a curve of friction in which its contact sticks, as a broad line behind it.
fn stuck_parts(outcome: &Outcome, contact: usize, t: &[f64], y: &[f64]) -> Option<Series> {
    let phases = phases_of(outcome, contact);
    let sticks = |t: &f64| phases.iter().any(|[from, to]| from <= t && t <= to);
    let y: Vec<f64> = t.iter().zip(y).map(|(t, y)| if sticks(t) { *y } else { f64::NAN }).collect();
    let is_any = y.iter().any(|y| y.is_finite());
    let line = Series::line("contact sticks", t.to_vec(), y);
    is_any.then_some(line.with_line(STUCK, Dash::Solid).color(Color::Rgb([190; 3])))
}

/// Number of contacts with a column.
fn n_contacts(outcome: &Outcome) -> usize {
    (0..).take_while(|i| outcome.quantity("friction", *i).is_some()).count()
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

/// The intervals in which all of `m` contacts stick.
pub(crate) fn stick_phases(outcome: &Outcome, m: usize) -> Vec<Band> {
    let mut all: Option<Vec<[f64; 2]>> = None;
    for contact in 0..m {
        let own = phases_of(outcome, contact);
        all = Some(match all {
            None => own,
            Some(before) => common(&before, &own),
        });
    }
    let label = if m > 1 { "all contacts stick" } else { "stick" };
    all.unwrap_or_default().into_iter().map(|x| Band { label: label.into(), x }).collect()
}

/// What two ascending lists of intervals have in common.
fn common(a: &[[f64; 2]], b: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let (mut i, mut j, mut both) = (0, 0, Vec::new());
    while i < a.len() && j < b.len() {
        let (from, to) = (a[i][0].max(b[j][0]), a[i][1].min(b[j][1]));
        if from < to {
            both.push([from, to]);
        }
        if a[i][1] < b[j][1] { i += 1 } else { j += 1 }
    }
    both
}

/// The intervals between `stick` and `slip` events of a contact.
fn phases_of(outcome: &Outcome, contact: usize) -> Vec<[f64; 2]> {
    let Some(t) = outcome.column("t").filter(|t| !t.values.is_empty()) else { return Vec::new() };
    let (first, last) = (t.values[0], t.values[t.values.len() - 1]);
    let mut phases = Vec::new();
    let mut since: Option<f64> = None;
    let mut is_first = true;
    for event in outcome.events.iter().filter(|event| event.contact == contact) {
        match event.kind {
            EventKind::Stick => since = Some(event.t),
            EventKind::Slip => {
                if let Some(from) = since.take().or(is_first.then_some(first)) {
                    phases.push([from, event.t]);
                }
            }
            _ => continue,
        }
        is_first = false;
    }
    phases.extend(since.map(|from| [from, last]));
    phases
}
