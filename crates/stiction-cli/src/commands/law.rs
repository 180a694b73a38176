//! `stiction law`: a law as a table and a figure.

use crate::args::LawArgs;
use crate::failure::Failure;
use crate::output::{Files, names, print, print_json};
use keyed::Diagnostic;
use serde_json::json;
use stiction::law::FrictionLaw;
use stiction_render::{csv, law_curve};
use stiction_study::{LawCurve, LawParameter, Provenance};

/// Rows of the table when no velocities are asked for.
const ROWS: usize = 41;

pub fn run(args: &LawArgs) -> Result<(), Failure> {
    let Some(name) = &args.name else {
        return print(&format!("{}\n", FrictionLaw::NAMES.join("\n")));
    };
    let mut curve = LawCurve::new(name, &args.set, args.demand).map_err(Failure::Input)?;
    let unsound: Vec<Diagnostic> = (args.at.iter().chain([&args.demand]).filter(|x| !x.is_finite()))
        .map(|x| Diagnostic {
            key: "--at".into(),
            message: format!("{x}, but it must be a finite number"),
            place: None,
            hint: None,
        })
        .collect();
    if !unsound.is_empty() {
        return Err(Failure::Input(unsound));
    }
    let dir = args.output.dir(!args.at.is_empty());
    let (law, viscous) = (&curve.friction.law, curve.friction.viscous);
    let mut given = json!({ "friction": law.forward(), "viscous": viscous, "demand": args.demand });
    if let Some(reverse) = law.reverse() {
        given["reverse"] = reverse.into();
    }
    let provenance = Provenance::new("law", &given);
    let mut written = Vec::new();
    if let Some(dir) = &dir {
        let mut files = Files::with_figures(&args.output.figure);
        let stem = format!("law-{name}");
        files.add(dir.join(format!("{stem}.csv")), csv(&curve.columns()));
        files.add_figure_from(dir, &stem, law_curve(&curve), provenance.as_ref())?;
        files.add_scenario(dir, &stem, provenance.as_ref());
        written = files.write()?;
    }
    curve.velocities = if args.at.is_empty() { curve.grid(ROWS) } else { args.at.clone() };
    let columns = curve.columns();
    if args.output.json {
        let mut object: serde_json::Map<String, serde_json::Value> =
            columns.iter().map(|column| (column.name.clone(), column.values.clone().into())).collect();
        object.insert("parameters".into(), curve.parameters().iter().map(parameter_json).collect());
        object.insert("provenance".into(), json!(provenance));
        return print_json(&object);
    }
    let mut text =
        format!("{}\n{:>24}{:>24}{:>24}\n", parameters(&curve), "v (m/s)", "coefficient (-)", "slope (s/m)");
    for row in 0..curve.velocities.len() {
        for column in &columns {
            text.push_str(&format!("{:>24}", digits(column.values[row])));
        }
        text.push('\n');
    }
    if !written.is_empty() {
        text.push_str(&format!("\nwrote {}\n", names(&written)));
    }
    print(&text)
}

/// The law and its parameters: name, value, unit, meaning.
fn parameters(curve: &LawCurve) -> String {
    let mut all = curve.parameters();
    all.iter_mut().filter(|one| one.value.is_empty()).for_each(|one| "absent".clone_into(&mut one.value));
    let widest =
        |f: fn(&LawParameter) -> &str| all.iter().map(|one| f(one).chars().count()).max().unwrap_or(0);
    let widths = [widest(|one| &one.name), widest(|one| &one.value), widest(|one| &one.unit)];
    let mut text = format!("{}\n", curve.friction.law.name());
    for LawParameter { name, value, unit, meaning } in &all {
        let [a, b, c] = widths;
        text.push_str(&format!("  {name:<a$}  {value:>b$} {unit:<c$}  {meaning}\n"));
    }
    text
}

fn parameter_json(LawParameter { name, value, unit, meaning }: &LawParameter) -> serde_json::Value {
    let value: serde_json::Value = serde_json::from_str(value).unwrap_or_else(|_| value.as_str().into());
    json!({ "name": name, "value": value, "unit": unit, "meaning": meaning })
}

/// All digits of a number.
fn digits(x: f64) -> String {
    let size = x.abs();
    if x == 0.0 || (1e-4..1e7).contains(&size) { format!("{x}") } else { format!("{x:e}") }
}
