//! Units that people think in: one rule for all keys of a scenario.
//!
//! Beside `omega` and `phase` of a wave `frequency` (Hz) may stand for `omega`; beside every angle in radians
//! a key with `_deg` at its end may stand for it, in degrees: `phase_deg`, `tilt_deg`. Such keys are turned
//! into those in SI units before anything else looks at a document; the schema lists them beside theirs.
//! Numbers of a law that are per newton of normal load have a key with `contact_` at its beginning in N/m and
//! N s/m ([`crate::scenario::ContactTable`]).

use crate::outcome::{Fact, Outcome};
use crate::scenario::CONTACT;
use keyed::{Diagnostic, Document, Node, Value};
use serde_json::{Map, Value as Json, json};
use std::collections::BTreeSet;
use std::f64::consts::{PI, TAU};
use stiction::law::FrictionLaw;

const FREQUENCY: &str = "frequency";
const DEGREES: &str = "_deg";
/// Says in the schema which key a key stands for in another unit.
const INSTEAD_OF: &str = "x-instead-of";

/// A description that ends in the unit of an angle.
fn is_angle(property: &Json) -> bool {
    property["description"].as_str().is_some_and(|text| text.ends_with("(rad)."))
}

/// Names of the keys that are angles somewhere in a schema.
fn angles(schema: &Json) -> BTreeSet<&str> {
    let mut names = BTreeSet::new();
    each_object(schema, &mut |properties| {
        names.extend(
            properties.iter().filter(|(_, property)| is_angle(property)).map(|(name, _)| name.as_str()),
        );
    });
    names
}

fn each_object<'a>(schema: &'a Json, look: &mut dyn FnMut(&'a Map<String, Json>)) {
    match schema {
        Json::Object(entries) => {
            if let Some(Json::Object(properties)) = entries.get("properties") {
                look(properties);
            }
            entries.values().for_each(|child| each_object(child, look));
        }
        Json::Array(items) => items.iter().for_each(|child| each_object(child, look)),
        _ => {}
    }
}

/// Lists the keys in other units beside theirs.
pub(crate) fn extend(schema: &mut Json) {
    match schema {
        Json::Object(entries) => {
            if let Some(Json::Object(properties)) = entries.get_mut("properties") {
                *properties = extended(std::mem::take(properties));
            }
            entries.values_mut().for_each(extend);
        }
        Json::Array(items) => items.iter_mut().for_each(extend),
        _ => {}
    }
}

/// Lists the numbers of laws in N/m and N s/m beside those per newton of load; one of the two is required.
pub(crate) fn extend_laws(schema: &mut Json, laws: &[FrictionLaw]) {
    for law in laws {
        let reference = law_reference(schema, law.name()).and_then(|name| schema["$defs"].get_mut(name));
        let Some(Json::Object(table)) = reference else { continue };
        for name in law.per_newton() {
            let Some(Json::Object(properties)) = table.get_mut("properties") else { continue };
            let (own, other) = (name.to_owned(), format!("{CONTACT}{name}"));
            let mut property = properties[&own].clone();
            if properties.contains_key(&other) {
                continue;
            }
            let unit = if is_stiffness(name) { "N/m" } else { "N s/m" };
            let text = property["description"].as_str().unwrap_or_default();
            let what = text.split(" over the normal load").next().unwrap_or_default().trim_end_matches(',');
            let text = format!("{what}, instead of `{own}`; the normal load must be constant ({unit}).");
            property["description"] = text.into();
            property[INSTEAD_OF] = own.as_str().into();
            properties.insert(other.clone(), property);
            if let Some(Json::Array(required)) = table.get_mut("required") {
                required.retain(|key| *key != *own);
            }
            let either = json!({ "oneOf": [{ "required": [own] }, { "required": [other] }] });
            if let Json::Array(all) = table.entry("allOf").or_insert_with(|| json!([])) {
                all.push(either);
            }
        }
    }
}

/// Whether a number of a law per newton of load is a stiffness; otherwise it is a damping.
pub(crate) fn is_stiffness(name: &str) -> bool {
    name == "stiffness"
}

/// Name of the definition of a law in a schema.
fn law_reference(schema: &Json, law: &str) -> Option<String> {
    let kinds = schema["$defs"]["Contact"]["oneOf"].as_array()?;
    let kind = kinds.iter().find_map(|kind| kind["properties"].get(law))?;
    Some(kind["$ref"].as_str()?.rsplit('/').next()?.to_owned())
}

fn extended(properties: Map<String, Json>) -> Map<String, Json> {
    let is_wave = properties.contains_key("omega") && properties.contains_key("phase");
    let number = |description: String, other: &str| json!({ "type": ["number", "null"], "format": "double", "description": description, INSTEAD_OF: other });
    let mut all = Map::new();
    for (name, property) in properties {
        let angle = is_angle(&property);
        all.insert(name.clone(), property);
        if is_wave && name == "omega" {
            all.insert(FREQUENCY.into(), number("Frequency, instead of `omega` (Hz).".into(), "omega"));
        }
        if angle {
            all.insert(
                format!("{name}{DEGREES}"),
                number(format!("The same in degrees, instead of `{name}` (°)."), &name),
            );
        }
    }
    all
}

/// Turns keys in other units into those in SI units; what stands beside the key that it is to be is a fault.
pub(crate) fn convert(document: &mut Document, schema: fn() -> &'static Json) -> Vec<Diagnostic> {
    if !has_any(&document.root) {
        return Vec::new();
    }
    let angles = angles(schema());
    let mut twice: Vec<(String, String)> = Vec::new();
    walk(&mut document.root, "", &angles, &mut twice);
    let fault = |(key, other): &(String, String)| {
        let message = format!("given beside {other}, but there must be one");
        document.diagnose(key, message, None)
    };
    let faults = twice.iter().map(fault).collect();
    for (key, _) in &twice {
        document.root.remove(&key.split('.').map(str::to_owned).collect::<Vec<_>>());
    }
    faults
}

fn has_any(node: &Node) -> bool {
    match &node.value {
        Value::Table(entries) => {
            entries.iter().any(|(key, child)| key == FREQUENCY || key.ends_with(DEGREES) || has_any(child))
        }
        Value::Array(items) => items.iter().any(has_any),
        _ => false,
    }
}

fn walk(node: &mut Node, path: &str, angles: &BTreeSet<&str>, twice: &mut Vec<(String, String)>) {
    let below = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
    match &mut node.value {
        Value::Table(entries) => {
            let names: Vec<String> = entries.iter().map(|(key, _)| key.clone()).collect();
            for (key, child) in entries.iter_mut() {
                let angle = key.strip_suffix(DEGREES).filter(|name| angles.contains(name));
                let (name, factor) = match angle {
                    Some(name) => (name.to_owned(), PI / 180.0),
                    None if key == FREQUENCY => ("omega".to_owned(), TAU),
                    None => {
                        walk(child, &below(key), angles, twice);
                        continue;
                    }
                };
                let number = match child.value {
                    Value::Float(x) => x,
                    Value::Integer(x) => x as f64,
                    // the schema says that it must be a number
                    _ => continue,
                };
                if names.contains(&name) {
                    twice.push((below(key), name));
                } else {
                    child.value = Value::Float(factor * number);
                    *key = name;
                }
            }
        }
        Value::Array(items) => {
            for (i, item) in items.iter_mut().enumerate() {
                walk(item, &below(&i.to_string()), angles, twice);
            }
        }
        _ => {}
    }
}

/// The unit that stands for one of displacements where degrees of freedom are angles.
pub(crate) fn of_rotation(unit: &str) -> Option<&'static str> {
    Some(match unit {
        "m" => "rad",
        "m/s" => "rad/s",
        "m/s²" => "rad/s²",
        "N" => "N m",
        "N/m" => "N m/rad",
        "N s/m" => "N m s/rad",
        "s/m" => "s/rad",
        "1/m" => "1/rad",
        "kg" => "kg m²",
        _ => return None,
    })
}

/// Converts an outcome to the units of rotation.
pub(crate) fn turn(outcome: &mut Outcome) {
    turn_facts(&mut outcome.facts);
    for column in outcome.samples.iter_mut().chain(&mut outcome.instants) {
        if let Some(unit) = of_rotation(&column.unit) {
            column.unit = unit.into();
        }
    }
}

/// The facts in the units of rotation.
pub(crate) fn turn_facts(facts: &mut [Fact]) {
    for fact in facts {
        if let Some(unit) = of_rotation(&fact.unit) {
            fact.unit = unit.into();
        }
    }
}
