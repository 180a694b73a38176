//! The parameters of a law with their units and the values that are used.

use crate::law_curve::LawCurve;
use crate::scenario::{CONTACT, schema};
use crate::sweep::{described, unit};
use serde_json::Value as Json;
use stiction::law::FrictionLaw;

/// A parameter of a law.
#[derive(Clone, Debug, PartialEq)]
pub struct LawParameter {
    /// The key that users write.
    pub name: String,
    /// The value as text; empty where it is left out.
    pub value: String,
    /// SI unit; empty if it has none, as a text.
    pub unit: String,
    /// What it is, in the words of the schema.
    pub meaning: String,
}

impl LawCurve {
    /// The parameters of the law in the order of the schema, and those beside it that are not left out. Where
    /// the load is not 1 N, stiffness and damping per newton of load are followed by those of the contact
    /// itself.
    pub fn parameters(&self) -> Vec<LawParameter> {
        let law = self.friction.law.forward();
        let path =
            |key: &str| ["system", "oscillator", "friction", law.name(), key].map(str::to_owned).to_vec();
        let beside = |key: &str| ["system", "oscillator", "friction", key].map(str::to_owned).to_vec();
        let written = serde_json::to_value(law).unwrap_or_default();
        let table = &written[law.name()];
        let mut all = Vec::new();
        for key in keys(law) {
            let value = table.get(&key).filter(|value| !value.is_null()).map_or_else(String::new, text);
            all.push(parameter(&path(&key), &value));
            if self.load != 1.0 && law.per_newton().any(|name| name == key) {
                let scaled = scaled(&table[&key], self.load);
                all.push(parameter(&path(&format!("{CONTACT}{key}")), &text(&scaled)));
            }
        }
        let beside_law = [
            ("viscous", self.friction.viscous, 0.0),
            ("reverse", self.friction.law.reverse().unwrap_or(1.0), 1.0),
            ("load", self.load, 1.0),
        ];
        for (key, value, _) in beside_law.into_iter().filter(|(_, value, plain)| value != plain) {
            all.push(parameter(&beside(key), &number(value)));
        }
        all
    }
}

fn parameter(path: &[String], value: &str) -> LawParameter {
    let name = path.last().cloned().unwrap_or_default();
    let (meaning, unit) = (described(path).unwrap_or_default(), unit(path));
    let meaning = meaning.trim_end_matches('.').trim_end_matches(&format!(" ({unit})")).to_owned();
    LawParameter { name, value: value.to_owned(), unit, meaning }
}

/// The keys of a law, those in other units left out.
fn keys(law: &FrictionLaw) -> Vec<String> {
    let laws = schema()["$defs"]["Contact"]["oneOf"].as_array().into_iter().flatten();
    let reference = laws.filter_map(|one| one["properties"].get(law.name())?["$ref"].as_str()).next();
    let table = reference.and_then(|reference| schema().pointer(reference.trim_start_matches('#')));
    let properties = table.and_then(|table| table["properties"].as_object());
    let keys = properties.into_iter().flatten().map(|(key, _)| key.clone());
    keys.filter(|key| !key.starts_with(CONTACT)).collect()
}

fn scaled(value: &Json, factor: f64) -> Json {
    match value {
        Json::Array(items) => items.iter().map(|item| scaled(item, factor)).collect(),
        other => other.as_f64().map_or(Json::Null, |x| (x * factor).into()),
    }
}

/// A value as users write it.
fn text(value: &Json) -> String {
    match value {
        Json::Array(items) => format!("[{}]", items.iter().map(text).collect::<Vec<_>>().join(", ")),
        Json::Object(entries) => {
            let entries: Vec<String> =
                entries.iter().map(|(key, value)| format!("{key} = {}", text(value))).collect();
            format!("{{ {} }}", entries.join(", "))
        }
        Json::String(text) => format!("\"{text}\""),
        other => other.as_f64().map_or_else(|| other.to_string(), number),
    }
}

fn number(x: f64) -> String {
    let size = x.abs();
    if x == 0.0 || (1e-4..1e7).contains(&size) { format!("{x}") } else { format!("{x:e}") }
}
