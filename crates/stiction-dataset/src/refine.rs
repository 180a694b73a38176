//! Where a fact that takes whole numbers, such as the number of stops, changes along the axis that varies fastest: found between
//! neighbouring rows by bisection, so that a boundary is sharp at few points.

use crate::dataset::Dataset;
use crate::disk::replace;
use crate::error::DatasetError;
use crate::lock;
use crate::run::SweepProgress;
use rayon::prelude::*;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use stiction::{Error, Progress};
use stiction_study::sweep::{AxisValues, Spacing, Sweep};

/// The most halvings: after them the ends are neighbouring numbers.
const HALVINGS: usize = 60;

/// A place at which a fact changes.
#[derive(Clone, Debug, PartialEq)]
pub struct Boundary {
    /// Values of the axes on both sides.
    pub sides: [Vec<f64>; 2],
    /// The fact on both sides.
    pub facts: [f64; 2],
}

/// Finds all changes of a fact between neighbouring rows of a complete grid, each to `tolerance` of the length of the axis, and
/// writes them to `boundary-FACT.csv`. `report` receives how many are found, and stops it by `false`.
pub fn refine(
    sweep: &Sweep,
    dataset: &Dataset,
    fact: &str,
    tolerance: f64,
    threads: Option<usize>,
    report: &mut (dyn FnMut(SweepProgress) -> bool + Send),
) -> Result<(PathBuf, Vec<Boundary>), DatasetError> {
    let unanswerable =
        |message: String, hint: &str| DatasetError::Unanswerable { message, hint: hint.into() };
    let n_axes = sweep.axes.len();
    let columns = sweep.columns();
    let Some(place) = columns.iter().skip(n_axes).position(|column| column.name == fact) else {
        let known: Vec<&str> = columns.iter().skip(n_axes).map(|column| column.name.as_str()).collect();
        return Err(unanswerable(
            format!("there is no fact {fact}"),
            &format!("one of {}", known.join(", ")),
        ));
    };
    let last = sweep.axes.iter().map(|axis| axis.dimension).max().unwrap_or(0);
    let length =
        sweep.axes.iter().find(|axis| axis.dimension == last).map_or(1, |axis| axis.values.len()).max(1);
    if sweep.draw.is_some() || !dataset.is_complete() {
        let message = "a boundary is looked for in a whole grid".into();
        return Err(unanswerable(message, "leave --draw and --shard out"));
    }
    if !(tolerance > 0.0) {
        return Err(unanswerable(
            format!("--tolerance {tolerance}, but it must be positive"),
            "1e-6 is usual",
        ));
    }
    let numbers = dataset.numbers(fact)?;
    let starts: Vec<usize> = (1..numbers.len())
        .filter(|i| !(*i as u64).is_multiple_of(length))
        .map(|i| i - 1)
        .filter(|i| {
            let (a, b) = (numbers[*i], numbers[i + 1]);
            a != b && !a.is_nan() && !b.is_nan()
        })
        .collect();
    let listener = Mutex::new(report);
    let computed = AtomicU64::new(0);
    let rows = starts.len() as u64;
    let goes_on = |done: u64| {
        let progress = SweepProgress { before: 0, computed: done, rows };
        listener.lock().is_ok_and(|mut report| report(progress))
    };
    let one = |i: &usize| {
        let found =
            bisected(sweep, (*i as u64, last, length), place, [numbers[*i], numbers[i + 1]], tolerance)?;
        if goes_on(1 + computed.fetch_add(1, Relaxed)) {
            Ok(found)
        } else {
            Err(Error::Interrupted { t: None })
        }
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0)).build();
    let pool =
        pool.map_err(|error| unanswerable(format!("no threads: {error}"), "give fewer by --threads"))?;
    let found: Result<Vec<Boundary>, Error> = pool.install(|| starts.par_iter().map(one).collect());
    let found = found.map_err(|error| match error {
        Error::Interrupted { .. } => {
            DatasetError::Stopped { done: dataset.done, rows: dataset.manifest.rows }
        }
        error => DatasetError::Run(error),
    })?;
    let path = dataset.folder.join(format!("boundary-{fact}.csv"));
    let _alone = lock::alone(&dataset.folder);
    replace(&path, csv(sweep, last, fact, &found).as_bytes())
        .map_err(|error| DatasetError::write(&path, error))?;
    Ok((path, found))
}

/// The change between row `i` and the next, along the dimension `last` with so many values.
fn bisected(
    sweep: &Sweep,
    (i, last, length): (u64, usize, u64),
    place: usize,
    mut facts: [f64; 2],
    tolerance: f64,
) -> Result<Boundary, Error> {
    let ends = [sweep.values(i), sweep.values(i + 1)];
    let at = |u: f64| -> Vec<f64> {
        let value = |(k, axis): (usize, &stiction_study::sweep::SweepAxis)| {
            let [a, b] = [ends[0][k], ends[1][k]];
            match &axis.values {
                _ if axis.dimension != last || u == 0.0 => a,
                _ if u == 1.0 => b,
                AxisValues::Range { spacing: Spacing::Log, .. } => a * (b / a).powf(u),
                _ => a + (b - a) * u,
            }
        };
        sweep.axes.iter().enumerate().map(value).collect()
    };
    let (mut lo, mut hi) = (0.0, 1.0);
    // one interval is this part of the axis
    let enough = tolerance * length.saturating_sub(1).max(1) as f64;
    for _ in 0..HALVINGS {
        let middle = 0.5 * (lo + hi);
        if hi - lo <= enough || middle <= lo || middle >= hi {
            break;
        }
        let row = sweep.row_at(&at(middle), &mut Progress::none())?;
        match row.facts[place] {
            Some(fact) if fact == facts[0] => lo = middle,
            // a third regime between: the change that is nearer to the first side
            Some(fact) => (hi, facts[1]) = (middle, fact),
            None => break,
        }
    }
    Ok(Boundary { sides: [at(lo), at(hi)], facts })
}

fn csv(sweep: &Sweep, last: usize, fact: &str, found: &[Boundary]) -> String {
    let mut head = Vec::new();
    for axis in &sweep.axes {
        if axis.dimension == last {
            head.extend([format!("{}_below", axis.name), format!("{}_above", axis.name)]);
        } else {
            head.push(axis.name.clone());
        }
    }
    head.extend([format!("{fact}_below"), format!("{fact}_above")]);
    let mut text = head.join(",") + "\n";
    for Boundary { sides, facts } in found {
        let mut cells = Vec::new();
        for (k, axis) in sweep.axes.iter().enumerate() {
            cells.push(sides[0][k].to_string());
            if axis.dimension == last {
                cells.push(sides[1][k].to_string());
            }
        }
        cells.extend(facts.map(|fact| fact.to_string()));
        text.push_str(&(cells.join(",") + "\n"));
    }
    text
}
