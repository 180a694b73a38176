//! `stiction map`: pictures of a dataset.

use crate::dataset_args::MapArgs;
use crate::failure::Failure;
use crate::output::{Files, names, print};
use figure::Figure;
use std::collections::BTreeMap;
use stiction::ShortNumber;
use stiction_dataset::{AxisEntry, Dataset, DatasetError};
use stiction_render::{MapQuantity, coloured_points, cuts, heat_map, histogram, scatter};

/// Curves of one picture.
const CURVES: usize = 6;

pub fn run(args: &MapArgs) -> Result<(), Failure> {
    let dataset = Dataset::open(&args.folder).map_err(Failure::dataset)?;
    let title = dataset.manifest.title.clone();
    let z = quantity(&dataset, &args.z)?;
    let kept = kept(&dataset, args)?;
    if kept.rows.iter().all(|row| z.values[*row].is_nan()) {
        let n = kept.rows.len();
        return Err(unanswerable(
            format!("none of the {n} rows has a number for {}, so that there is nothing to draw", args.z),
            "`stiction info` says why rows have no result".into(),
        ));
    }
    let (stem, figure) = match (&args.x, &args.y) {
        (None, _) => {
            let values = kept.rows.iter().map(|row| z.values[*row]).collect();
            (format!("histogram-{}", args.z), histogram(&title, &MapQuantity { values, ..z }))
        }
        (Some(x_name), Some(y_name)) if dataset.manifest.draw.is_some() => {
            let of = |name: &str| -> Result<MapQuantity, Failure> {
                let quantity = quantity(&dataset, name)?;
                let values = kept.rows.iter().map(|row| quantity.values[*row]).collect();
                Ok(MapQuantity { values, ..quantity })
            };
            (format!("points-{}", args.z), coloured_points(&title, &of(x_name)?, &of(y_name)?, &of(&args.z)?))
        }
        (Some(x_name), Some(y_name)) => {
            let (x, y) = (quantity(&dataset, x_name)?, quantity(&dataset, y_name)?);
            let (x_axis, y_axis) = (ascending(&x, &kept.rows), ascending(&y, &kept.rows));
            let mut cells = vec![f64::NAN; x_axis.len() * y_axis.len()];
            for row in &kept.rows {
                let place = |axis: &[f64], v: f64| axis.binary_search_by(|at| at.total_cmp(&v)).ok();
                if let (Some(i), Some(j)) = (place(&x_axis, x.values[*row]), place(&y_axis, y.values[*row])) {
                    cells[j * x_axis.len() + i] = z.values[*row];
                }
            }
            if x_axis.len() < 2 || y_axis.len() < 2 || cells.len() > 4 * kept.rows.len() {
                return Err(unanswerable(
                    format!("the rows are no grid over {x_name} and {y_name}"),
                    "name two axes of the grid; `stiction info` lists them".into(),
                ));
            }
            let (x, y) = (MapQuantity { values: x_axis, ..x }, MapQuantity { values: y_axis, ..y });
            (format!("map-{}", args.z), heat_map(&title, &x, &y, &MapQuantity { values: cells, ..z }))
        }
        (Some(x_name), None) => {
            let x = quantity(&dataset, x_name)?;
            let axis = dataset.manifest.axes.iter().find(|axis| axis.name == *x_name);
            let is_line = dataset.manifest.draw.is_none() && ascending(&x, &kept.rows).len() > 1;
            match axis.filter(|_| is_line) {
                Some(axis) => {
                    let (x, curves) = curves(&dataset, axis, &kept.rows, x, &z)?;
                    (format!("cuts-{}", args.z), cuts(&title, &x, &z, &curves))
                }
                // values of which no two are alike make no curves
                None => {
                    let of = |quantity: &MapQuantity| {
                        let values = kept.rows.iter().map(|row| quantity.values[*row]).collect();
                        MapQuantity { values, ..quantity.clone() }
                    };
                    (format!("points-{}", args.z), scatter(&title, &of(&x), &of(&z)))
                }
            }
        }
    };
    let folder = args.out.clone().unwrap_or_else(|| args.folder.clone());
    let mut files = Files::with_figures(&args.figure);
    let note = dataset.manifest.provenance("map").json();
    files.add_figure(&folder, &stem, &Figure { note, ..figure })?;
    let written = files.write()?;
    let fixed = if kept.fixed.is_empty() { String::new() } else { format!("at {}\n", kept.fixed.join(", ")) };
    print(&format!("{fixed}wrote {}\n", names(&written)))
}

/// Names, and values at each place of the first quantity.
type Curves = Vec<(String, Vec<f64>)>;

/// The values of an axis, and one curve over them for each combination of what else varies; not more than a picture can hold.
fn curves(
    dataset: &Dataset,
    x_axis: &AxisEntry,
    rows: &[usize],
    x: MapQuantity,
    z: &MapQuantity,
) -> Result<(MapQuantity, Curves), Failure> {
    let axis = ascending(&x, rows);
    let mut curves: BTreeMap<Vec<u64>, (String, Vec<f64>)> = BTreeMap::new();
    // axes that move together with the one that is shown are no others
    let others: Vec<MapQuantity> = dataset
        .manifest
        .axes
        .iter()
        .filter(|entry| entry.dimension != x_axis.dimension)
        .map(|entry| quantity(dataset, &entry.name))
        .collect::<Result<_, _>>()?;
    for row in rows {
        // positive and negative numbers in their order
        let order = |v: f64| v.to_bits() ^ if v < 0.0 { u64::MAX } else { 1 << 63 };
        let key: Vec<u64> = others.iter().map(|other| order(other.values[*row])).collect();
        let (_, values) = curves.entry(key).or_insert_with(|| {
            let name = |other: &MapQuantity| format!("{} = {:.4}", other.label, other.values[*row]);
            (others.iter().map(name).collect::<Vec<_>>().join(", "), vec![f64::NAN; axis.len()])
        });
        if let Ok(i) = axis.binary_search_by(|at| at.total_cmp(&x.values[*row])) {
            values[i] = z.values[*row];
        }
    }
    let curves: Curves = curves.into_values().collect();
    // evenly chosen where there are more than a picture can hold
    let n = curves.len();
    let picked = |k: usize| curves[if n > CURVES { k * (n - 1) / (CURVES - 1) } else { k }].clone();
    let curves = (0..n.min(CURVES)).map(picked).collect();
    Ok((MapQuantity { values: axis, ..x }, curves))
}

fn unanswerable(message: String, hint: String) -> Failure {
    Failure::dataset(DatasetError::Unanswerable { message, hint })
}

/// A column of the dataset.
fn quantity(dataset: &Dataset, name: &str) -> Result<MapQuantity, Failure> {
    let values = dataset.numbers(name).map_err(Failure::dataset)?;
    let column = dataset.manifest.columns.iter().find(|column| column.name == name);
    let axis = dataset.manifest.axes.iter().find(|axis| axis.name == name);
    let words = name.replace('_', " ");
    let label = match column.map(|column| column.symbol.as_str()) {
        Some(symbol) if !symbol.is_empty() && symbol != name => {
            let italic = if symbol.chars().count() == 1 { format!("*{symbol}*") } else { symbol.to_owned() };
            if axis.is_some() { italic } else { format!("{words} {italic}") }
        }
        _ => words,
    };
    let unit = column.map_or_else(|| "-".into(), |column| column.unit.clone());
    Ok(MapQuantity { label, unit, is_log: axis.is_some_and(|axis| axis.log), values })
}

/// The values of an axis in some rows, ascending, each once.
fn ascending(quantity: &MapQuantity, rows: &[usize]) -> Vec<f64> {
    let mut values: Vec<f64> = rows.iter().map(|row| quantity.values[*row]).collect();
    values.sort_by(f64::total_cmp);
    values.dedup();
    values
}

/// The rows that are shown, and what they were chosen by.
struct KeptCells {
    rows: Vec<usize>,
    fixed: Vec<String>,
}

/// The rows in which the axes that are not shown have the values asked for, or those nearest to them. In a map each must have
/// one; the first is taken where none is asked for.
fn kept(dataset: &Dataset, args: &MapArgs) -> Result<KeptCells, Failure> {
    let mut rows: Vec<usize> = (0..dataset.done as usize).collect();
    let mut fixed = Vec::new();
    let mut wishes: BTreeMap<String, f64> = BTreeMap::new();
    for text in &args.at {
        let wish =
            text.split_once('=').and_then(|(key, value)| Some((key.trim(), value.trim().parse().ok()?)));
        let Some((key, value)) = wish else {
            return Err(unanswerable(
                format!("--at {text}"),
                "it is written AXIS=VALUE, as in --at mu=0.3".into(),
            ));
        };
        if !dataset.manifest.axes.iter().any(|axis| axis.name == key) {
            let known: Vec<&str> = dataset.manifest.axes.iter().map(|axis| axis.name.as_str()).collect();
            return Err(unanswerable(format!("{key} is no axis"), format!("one of {}", known.join(", "))));
        }
        wishes.insert(key.into(), value);
    }
    // axes that move together with one that is shown are shown with it
    let dimension = |name: &Option<String>| {
        let axis = dataset.manifest.axes.iter().find(|axis| Some(&axis.name) == name.as_ref());
        axis.map(|axis| axis.dimension)
    };
    let shown = [dimension(&args.x), dimension(&args.y)];
    for axis in &dataset.manifest.axes {
        let wish = wishes.get(&axis.name).copied();
        let is_free = shown.contains(&Some(axis.dimension)) || args.y.is_none();
        if wish.is_none() && (is_free || dataset.manifest.draw.is_some()) {
            continue;
        }
        let values = dataset.numbers(&axis.name).map_err(Failure::dataset)?;
        let nearest = |wish: f64| {
            let distance = |v: &f64| (v - wish).abs();
            values.iter().copied().min_by(|a, b| distance(a).total_cmp(&distance(b)))
        };
        if let Some(value) = wish.map_or(values.first().copied(), nearest) {
            rows.retain(|row| values[*row] == value);
            fixed.push(format!("{} = {}", axis.name, ShortNumber(value)));
        }
    }
    Ok(KeptCells { rows, fixed })
}
