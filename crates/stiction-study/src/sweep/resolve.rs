//! From the table of a sweep to its axes, with everything that is wrong noted at its key.

use super::draw::{Coordinate, Draw};
use super::point::Points;
use super::table::{AxisTable, Spacing, SweepTable};
use super::unit::unit;
use super::{AxisValues, BaseSystem, MAX_DIMENSIONS, MAX_ROWS, Sweep, SweepAxis};
use crate::outcome::Fact;
use crate::point_file;
use crate::reduction::ReductionNotes;
use crate::resolve::Resolve;
use crate::scenario::{DrawKind, Scenario, schema};
use crate::task::{Task, Varied};
use crate::units::{of_rotation, turn_facts};
use keyed::{Document, Value, roots};
use stiction::ShortNumber;
use stiction::system::{Drive, Parameter, System};

/// Columns of every dataset, which no axis may be called by.
const OWN: [&str; 3] = ["index", "error", "warning"];

impl Sweep {
    /// The sweep of a scenario whose task is sound, with whatever is wrong noted.
    pub(crate) fn resolve(resolve: &mut Resolve, scenario: &mut Scenario, task: &Task) -> Option<Self> {
        let mut table = scenario.sweep.clone()?;
        let before = resolve.found.len();
        if table.over.is_empty() {
            let hint = "give an axis, as in over = [{ parameter = \"mu\", from = 0, to = 1, points = 11 }]";
            resolve.fault("sweep.over", "no axis, so nothing would vary", Some(hint));
            return None;
        }
        let draw = drawn(resolve, &table);
        let mut document = resolve.document.clone();
        without_sweep(&mut document);
        let base = resolve.system(scenario);
        // a key may stand in the sweep, too
        let mut plain = Resolve::within(&document, resolve.budget);
        plain.owners.clone_from(&resolve.owners);
        plain.reduced.clone_from(&resolve.reduced);
        let mut axes = Vec::new();
        for (k, axis) in table.over.iter_mut().enumerate() {
            let found = found(&plain, scenario, &axis.parameter, base.as_ref().map(|(s, d)| (s, d)));
            let (path, lens) = match found {
                Ok(found) => found,
                Err((message, hint)) => {
                    resolve.fault(&format!("sweep.over.{k}.parameter"), message, Some(&hint));
                    continue;
                }
            };
            let Some(values) = values(resolve, k, axis, draw.is_some()) else { continue };
            if let (AxisValues::List(list), true) = (&values, axis.file.is_some()) {
                (axis.values, axis.file, axis.column) = (Some(list.clone()), None, None);
            }
            let (symbol, unit) = match (&lens, &base) {
                (Some(lens), Some((system, _))) => {
                    let (symbol, unit) = lens.symbol_and_unit(system);
                    (symbol.to_owned(), unit.to_owned())
                }
                _ => (path.last().cloned().unwrap_or_default(), unit(&path)),
            };
            axes.push(SweepAxis { name: String::new(), symbol, unit, path, values, dimension: k, lens });
        }
        distinct(resolve, &axes, task);
        if resolve.found.len() > before {
            return None;
        }
        let reduction = resolve.reduced.as_ref().map(ReductionNotes::new);
        let mut facts = reported_facts(task, reduction.as_ref());
        let places = resolve.places.clone();
        places.facts(&mut facts);
        if scenario.system.is_rotation() {
            turn_facts(&mut facts);
            for axis in &mut axes {
                if let Some(unit) = of_rotation(&axis.unit) {
                    axis.unit = unit.to_owned();
                }
            }
        }
        name(&mut axes, &facts);
        together(resolve, &table, &mut axes, draw.is_some());
        let lengths = lengths(&axes);
        let rows = match &draw {
            Some(draw) => Some(draw.points),
            None => lengths.iter().try_fold(1u64, |n, length| n.checked_mul(*length)),
        };
        let Some(rows) = rows.filter(|rows| *rows <= MAX_ROWS) else {
            resolve.fault("sweep.over", format!("more than {MAX_ROWS} points"), None);
            return None;
        };
        let coordinates = draw
            .as_ref()
            .map_or_else(Vec::new, |draw| (0..lengths.len()).map(|d| Coordinate::new(draw, d)).collect());
        let is_lens = axes.iter().all(|axis| axis.lens.is_some());
        let base = base.filter(|_| is_lens).map(|(system, drive)| BaseSystem {
            system,
            drive,
            owners: resolve.owners.clone(),
            reduced: resolve.reduced.clone(),
        });
        scenario.sweep = Some(table);
        let is_continued = task.is_continued() && draw.is_none();
        let budget = resolve.budget;
        let scenario = scenario.clone();
        let sweep = Self {
            axes,
            draw,
            rows,
            lengths,
            coordinates,
            facts,
            is_continued,
            document,
            scenario,
            budget,
            base,
            reduction,
            places,
        };
        if resolve.found.is_empty() {
            sweep.try_ends(resolve);
        }
        (resolve.found.len() == before).then_some(sweep)
    }

    /// A sweep of which neither end can be run is a mistake; others have rows that say what is wrong with
    /// them.
    fn try_ends(&self, resolve: &mut Resolve) {
        let mut points = Points::new(self, false);
        let mut tried = |i: u64| points.task(&self.values(i)).err();
        if let (Some(first), Some(_)) = (tried(0), tried(self.rows.saturating_sub(1))) {
            let message = format!("neither the first nor the last point can be run: {first}");
            resolve.fault("sweep.over", message, None);
        }
    }
}

/// Notes axes that set one number, and those that set one that the analysis varies: the last to be set would
/// win. Axes are those of the table in its order.
fn distinct(resolve: &mut Resolve, axes: &[SweepAxis], task: &Task) {
    let hint = "leave one of them out";
    for axis in axes {
        let (k, path) = (axis.dimension, axis.path.join("."));
        let earlier = axes.iter().take_while(|other| other.dimension != k);
        if let Some(other) = earlier.clone().find(|other| axis.is_one_with(&other.path, other.lens.as_ref()))
        {
            let message = format!("{path} is the number that sweep.over.{} varies already", other.dimension);
            resolve.fault(&format!("sweep.over.{k}.parameter"), message, Some(hint));
        }
        if task.varied().iter().any(|own| axis.is_one_with(&own.path, Some(&own.parameter))) {
            let message = format!("{path} is varied by the analysis itself");
            let hint = "vary another number, or compute single motions with [analysis.steady]";
            resolve.fault(&format!("sweep.over.{k}.parameter"), message, Some(hint));
        }
    }
}

impl SweepAxis {
    /// Whether setting it sets what another path leads to, or a part of it.
    fn is_one_with(&self, path: &[String], lens: Option<&Parameter>) -> bool {
        // a frequency in hertz is the one in rad/s
        let alike = |(a, b): (&String, &String)| {
            a == b || [a, b].map(|w| w == "omega" || w == "frequency") == [true; 2]
        };
        let through_lens = self.lens.as_ref().zip(lens).is_some_and(|(own, other)| own.overlaps(other));
        through_lens || self.path.iter().zip(path).all(alike)
    }
}

/// How points are drawn, if they are.
fn drawn(resolve: &mut Resolve, table: &SweepTable) -> Option<Draw> {
    let Some(kind) = table.draw else {
        if table.points.is_some() {
            let hint = "say how: draw = \"random\", \"latin-hypercube\" or \"sobol\"";
            resolve.fault("sweep.points", "given without draw", Some(hint));
        }
        return None;
    };
    let points = match table.points {
        None => {
            resolve.fault("sweep.draw", "given without points, the number of points that are drawn", None);
            1
        }
        Some(points) if !(1..=MAX_ROWS).contains(&points) => {
            resolve.fault("sweep.points", format!("{points}, but it must be from 1 to {MAX_ROWS}"), None);
            1
        }
        Some(points) => points,
    };
    if kind == DrawKind::Sobol && table.over.len() > MAX_DIMENSIONS {
        let message = format!("{} axes, but Sobol's sequence has {MAX_DIMENSIONS} here", table.over.len());
        resolve.fault("sweep.draw", message, Some("use latin-hypercube"));
    }
    Some(Draw { kind, points, seed: table.seed })
}

/// The path of a key, and the lens on it if it is a number of the system; otherwise what is wrong, and the
/// way out.
fn found(
    resolve: &Resolve,
    scenario: &Scenario,
    key: &str,
    base: Option<(&System, &Drive)>,
) -> Result<(Vec<String>, Option<Parameter>), (String, String)> {
    if let Some(base) = base
        && let Ok(Varied { parameter, path }) = Varied::find(resolve, key, &scenario.system, base)
    {
        return Ok((path, Some(parameter)));
    }
    let roots: Vec<&str> = roots(schema()).into_iter().filter(|root| *root != "sweep").collect();
    let path = resolve.document.find(key, &roots)?;
    match resolve.document.nearest(&path.join(".")).value {
        Value::String(_) | Value::Boolean(_) | Value::Datetime(_) => {
            Err((format!("{} is not a number", path.join(".")), "name a key that holds a number".into()))
        }
        _ => Ok((path, None)),
    }
}

/// The values of axis `k`, if nothing is wrong with them.
fn values(resolve: &mut Resolve, k: usize, axis: &AxisTable, is_drawn: bool) -> Option<AxisValues> {
    let key = |name: &str| format!("sweep.over.{k}.{name}");
    let is_range = axis.from.is_some() || axis.to.is_some();
    let given = [(is_range, "from"), (axis.values.is_some(), "values"), (axis.file.is_some(), "file")];
    let mut given = given.into_iter().filter(|(is_given, _)| *is_given).map(|(_, name)| name);
    let (kind, more) = (given.next(), given.next());
    if let (Some(kind), Some(more)) = (kind, more) {
        resolve.fault(&key(more), format!("given beside {kind}, but there must be one"), None);
        return None;
    }
    match kind {
        None => {
            let hint = "give from, to and points, or values, or file";
            resolve.fault(
                &format!("sweep.over.{k}"),
                format!("{} has no values", axis.parameter),
                Some(hint),
            );
            None
        }
        Some("from") => range(resolve, k, axis, is_drawn),
        Some(_) => {
            if axis.points.is_some() {
                resolve.fault(&key("points"), "given beside a list, which has its own number", None);
                return None;
            }
            let (list, name) = match (&axis.values, &axis.file) {
                (Some(list), _) => (list.clone(), "values"),
                (None, file) => {
                    let name = axis.column.as_deref().unwrap_or(&axis.parameter);
                    let path = file.as_deref().unwrap_or_default();
                    match point_file::read(path, [Some(name)], resolve.budget.memory) {
                        Ok([list]) => (list, "file"),
                        Err(fault) => {
                            let at = if fault.column.is_some() { "column" } else { "file" };
                            resolve.fault(&key(at), fault.message, fault.hint);
                            return None;
                        }
                    }
                }
            };
            if list.is_empty() {
                resolve.fault(&key(name), "no values", None);
                return None;
            }
            if let Some(wrong) = list.iter().find(|value| !value.is_finite()) {
                resolve.fault(&key(name), format!("{wrong}, but values must be finite"), None);
                return None;
            }
            Some(AxisValues::List(list))
        }
    }
}

fn range(resolve: &mut Resolve, k: usize, axis: &AxisTable, is_drawn: bool) -> Option<AxisValues> {
    let key = |name: &str| format!("sweep.over.{k}.{name}");
    let (Some(from), Some(to)) = (axis.from, axis.to) else {
        resolve.fault(&format!("sweep.over.{k}"), "both from and to are needed", None);
        return None;
    };
    for (name, value) in [("from", from), ("to", to)] {
        if !value.is_finite() {
            resolve.fault(&key(name), format!("{value}, but it must be finite"), None);
            return None;
        }
    }
    if axis.spacing == Spacing::Log && !(from * to > 0.0) {
        let [from, to] = [from, to].map(ShortNumber);
        let message =
            format!("log from {from} to {to}, but both ends must have one sign and neither be zero");
        resolve.fault(&key("spacing"), message, None);
        return None;
    }
    let points = match (axis.points, is_drawn) {
        (None, true) => 0,
        (Some(_), true) => {
            resolve.fault(&key("points"), "given beside draw, whose points are counted in [sweep]", None);
            return None;
        }
        (None, false) => {
            let hint = "the number of values from `from` to `to`; or draw points, with draw = \"sobol\"";
            resolve.fault(&format!("sweep.over.{k}"), "points is missing", Some(hint));
            return None;
        }
        (Some(points), false) if !(1..=MAX_ROWS).contains(&points) => {
            resolve.fault(&key("points"), format!("{points}, but it must be from 1 to {MAX_ROWS}"), None);
            return None;
        }
        (Some(points), false) => points,
    };
    Some(AxisValues::Range { ends: [from, to], spacing: axis.spacing, points })
}

/// Names the columns of the axes: the last word of the path, and those before it where others are called the
/// same.
fn name(axes: &mut [SweepAxis], facts: &[Fact]) {
    let taken: Vec<String> = facts.iter().map(Fact::name).collect();
    let words: Vec<Vec<String>> = axes.iter().map(|axis| axis.path.clone()).collect();
    let end = |path: &[String], n: usize| path[path.len() - n..].join("_");
    for (k, axis) in axes.iter_mut().enumerate() {
        let path = &words[k];
        let is_free = |n: &usize| {
            let name = end(path, *n);
            let has_letter = path[path.len() - n].parse::<usize>().is_err();
            let is_shared =
                |(j, other): (usize, &Vec<String>)| j != k && other.len() >= *n && end(other, *n) == name;
            let is_own = OWN.contains(&name.as_str()) || taken.contains(&name);
            has_letter && !is_own && !words.iter().enumerate().any(is_shared)
        };
        let n = (1..=path.len()).find(is_free).unwrap_or(path.len());
        axis.name = end(path, n);
    }
}

/// Lets axes move together, and numbers the dimensions in the order of their first axes.
fn together(resolve: &mut Resolve, table: &SweepTable, axes: &mut [SweepAxis], is_drawn: bool) {
    for (g, group) in table.together.iter().enumerate() {
        let place = |name: &String| table.over.iter().position(|axis| axis.parameter == *name);
        let Some(places) = group.iter().map(place).collect::<Option<Vec<usize>>>() else {
            let known: Vec<&str> = table.over.iter().map(|axis| axis.parameter.as_str()).collect();
            let message = format!("{} names an axis that is not there", group.join(", "));
            resolve.fault(
                &format!("sweep.together.{g}"),
                message,
                Some(&format!("one of {}", known.join(", "))),
            );
            continue;
        };
        let Some(&first) = places.first() else { continue };
        let lengths: Vec<u64> = places.iter().map(|k| axes[*k].values.len()).collect();
        if !is_drawn && lengths.iter().any(|length| *length != lengths[0]) {
            let counts: Vec<String> =
                group.iter().zip(&lengths).map(|(name, length)| format!("{name} {length}")).collect();
            let message = format!(
                "axes that move together have as many values each, but there are {}",
                counts.join(", ")
            );
            resolve.fault(&format!("sweep.together.{g}"), message, None);
            continue;
        }
        let dimension = axes[first].dimension;
        places.iter().for_each(|k| axes[*k].dimension = dimension);
    }
    let mut order: Vec<usize> = Vec::new();
    for axis in axes.iter_mut() {
        let place = order.iter().position(|d| *d == axis.dimension).unwrap_or_else(|| {
            order.push(axis.dimension);
            order.len() - 1
        });
        axis.dimension = place;
    }
}

/// Values along each dimension.
fn lengths(axes: &[SweepAxis]) -> Vec<u64> {
    let n = axes.iter().map(|axis| axis.dimension + 1).max().unwrap_or(0);
    let length = |d: usize| axes.iter().find(|axis| axis.dimension == d).map_or(1, |axis| axis.values.len());
    (0..n).map(length).collect()
}

/// The facts that are kept of each point, under the numbers of the full model.
fn reported_facts(task: &Task, reduction: Option<&ReductionNotes>) -> Vec<Fact> {
    let mut facts = task.reported_facts();
    if let Some(reduction) = reduction {
        reduction.renumber_facts(&mut facts);
    }
    facts
}

fn without_sweep(document: &mut Document) {
    if let Value::Table(entries) = &mut document.root.value {
        entries.retain(|(key, _)| key != "sweep");
    }
}
