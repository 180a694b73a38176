//! The classes of the Python package, written from the JSON Schema: one schema for every front end.
//!
//! A class stands for every table of a scenario, one for each law, shape, system, integrator and analysis. Formulas in the
//! docstrings of the laws come from the heads of their source files.

use serde_json::{Map, Value as Json};
use std::error::Error;
use std::fs;
use std::path::Path;
use stiction_reference::elements::ELEMENTS;

const HEAD: &str = r#""""The tables of a scenario as classes. Written by `cargo xtask generate` from the schema; do not edit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal

from ._base import Matrix, MatrixLike, Model, Vector, model
from ._law import Friction, Law
from ._patch import PatchBase, Shape

Table = Mapping[str, Any]

"#;

/// What every shape says of itself.
const SHAPE: &str = "\n\nAn outline; with `mu`, `load` and the like a contact patch, whose friction dF = −μ p V/|V| dA is integrated in closed\nform. Without `mu` and `load` wrenches come per unit of μN.";
/// What a shape with a width of its own says besides.
const NARROW: &str = " Its `width` is a length: a patch that is regularised below a\nspeed is `Patch(shape=Rectangle(…), width=…)`.";

/// A parameter of a class.
struct Field {
    key: String,
    annotation: String,
    part: Option<String>,
    default: Option<String>,
    text: String,
    /// Words that it takes, and what they mean.
    choices: Vec<(String, String)>,
}

/// A class to be written.
struct Class<'a> {
    name: String,
    base: &'a str,
    tag: Option<&'a str>,
    text: String,
    fields: Vec<Field>,
}

/// The module `stiction._models`.
pub fn python(root: &Path, schema: &Json) -> Result<String, Box<dyn Error>> {
    let defs = schema["$defs"].as_object().ok_or("the schema has no definitions")?;
    let mut classes = Vec::new();
    let mut families = String::new();
    let mut family = |name: &str, members: &[String]| {
        let entries: Vec<String> =
            members.iter().map(|member| format!("    {member}._tag: {member},\n")).collect();
        families.push_str(&format!("\n{name}: dict[str, type[Any]] = {{\n{}}}\n", entries.concat()));
    };

    for (constant, def, base) in [
        ("SYSTEMS", "SystemKind", "Model"),
        ("INTEGRATORS", "IntegratorKind", "Model"),
        ("ANALYSES", "AnalysisKind", "Model"),
        ("LAWS", "Contact", "Law"),
        ("SHAPES", "Shape", "Shape"),
    ] {
        let mut members = Vec::new();
        for (tag, body, about) in variants(&defs[def])? {
            // the class of laws that a program brings along is written by hand
            if tag == "custom" {
                continue;
            }
            let body = body["$ref"].as_str().map_or(body, |to| &defs[last(to)]);
            let mut text = about.to_owned();
            if base == "Law" {
                let path = root.join(format!("crates/stiction/src/law/{}.rs", tag.replace('-', "_")));
                text = format!("{about}\n\n{}", head(&fs::read_to_string(path)?));
            }
            let mut fields = match body["type"].as_str() {
                Some("array") => vec![pieces(defs, tag, body)?],
                _ => fields(defs, body)?,
            };
            if base == "Shape" {
                text.push_str(SHAPE);
                if fields.iter().any(|field| field.key == "width") {
                    text.push_str(NARROW);
                }
                add_patch_fields(&mut fields, self::fields(defs, &defs["Patch"])?);
            }
            let name = camel(tag);
            members.push(name.clone());
            classes.push(Class { name, base, tag: Some(tag), text, fields });
        }
        family(constant, &members);
    }
    let gradient = variants(&defs["Pressure"])?.into_iter().find(|(tag, ..)| *tag == "linear");
    let (tag, body, about) = gradient.ok_or("no linear pressure in the schema")?;
    let fields_of_pressure = fields(defs, body)?;
    classes.push(Class {
        name: "LinearPressure".into(),
        base: "Model",
        tag: Some(tag),
        text: about.into(),
        fields: fields_of_pressure,
    });
    for name in &plain() {
        let text = defs[*name]["description"].as_str().unwrap_or_default().to_owned();
        let mut fields = fields(defs, &defs[*name])?;
        let base = match *name {
            "Contact" => {
                let text = "The law.".into();
                let (key, annotation) = ("law".into(), "Law | Table".into());
                let (part, choices) = (Some("law".into()), Vec::new());
                fields.insert(0, Field { key, annotation, part, default: None, text, choices });
                "Friction"
            }
            "Patch" => {
                fields.iter_mut().filter(|field| field.key == "load").for_each(without_load);
                "PatchBase"
            }
            _ => "Model",
        };
        classes.push(Class { name: (*name).into(), base, tag: None, text, fields });
    }

    let mut text = String::from(HEAD);
    for class in &classes {
        text.push_str(&written(class));
    }
    text.push_str(&families);
    let plain: Vec<String> = plain().iter().map(|name| format!("    \"{name}\": {name},\n")).collect();
    text.push_str(&format!("\nTABLES: dict[str, type[Any]] = {{\n{}}}\n", plain.concat()));
    let mut names: Vec<String> = classes.iter().map(|class| format!("    \"{}\",\n", class.name)).collect();
    names.sort();
    text.push_str(&format!("\n__all__ = [\n{}]\n", names.concat()));
    Ok(text)
}

/// Tag, body and description.
type Variant<'a> = (&'a str, &'a Json, &'a str);

/// Tables without a tag, those of force elements last that are not listed.
fn plain() -> Vec<&'static str> {
    let elements = ELEMENTS.iter().map(|element| element.table);
    let further = elements.filter(|table| !table.is_empty() && !PLAIN.contains(table));
    PLAIN.iter().copied().chain(further).collect()
}

/// Tables without a tag.
const PLAIN: &[&str] = &[
    "Contact",
    "Load",
    "Base",
    "Prescribed",
    "Initial",
    "InitialVectors",
    "Points",
    "Step",
    "Span",
    "Chirp",
    "Noise",
    "Signal",
    "VaryingLoad",
    "Spring",
    "Stop",
    "Control",
    "StateSpace",
    "Reduce",
    "Start",
    "HarmonicBalance",
    "Overlay",
    "StandIn",
    "Sweep",
    "Axis",
    "Patch",
    "Piece",
    "Force",
    "Oscillation",
    "InnerMass",
    "PathPoints",
    "MovingSurface",
];

/// Tag, body and description of every variant of a tagged enum that holds a table or a list.
fn variants(def: &Json) -> Result<Vec<Variant<'_>>, Box<dyn Error>> {
    let all = def["oneOf"].as_array().ok_or("a family is not a choice")?;
    Ok(all
        .iter()
        .filter_map(|one| {
            let (tag, body) = one["properties"].as_object()?.iter().next()?;
            Some((tag.as_str(), body, one["description"].as_str().unwrap_or_default()))
        })
        .collect())
}

fn fields(defs: &Map<String, Json>, body: &Json) -> Result<Vec<Field>, Box<dyn Error>> {
    let Some(properties) = body["properties"].as_object() else { return Ok(Vec::new()) };
    let required: Vec<&str> =
        body["required"].as_array().into_iter().flatten().filter_map(Json::as_str).collect();
    let mut list = Vec::new();
    for (key, property) in properties {
        let (mut annotation, part) =
            annotation(defs, property).ok_or_else(|| format!("{key}: {property}"))?;
        let default = (!required.contains(&key.as_str())).then(|| literal(&property["default"]));
        if default.as_deref() == Some("None") && !annotation.ends_with("None") {
            annotation.push_str(" | None");
        }
        let text = property["description"].as_str().unwrap_or_default().replace('\n', " ");
        let choices = choices(defs, property);
        list.push(Field { key: key.clone(), annotation, part, default, text, choices });
    }
    // what is needed comes first, as Python has it
    list.sort_by_key(|field| field.default.is_some());
    Ok(list)
}

/// The list of feet, which has no table of its own.
fn pieces(defs: &Map<String, Json>, tag: &str, body: &Json) -> Result<Field, Box<dyn Error>> {
    let (annotation, part) = annotation(defs, body).ok_or("pieces are not a list")?;
    let text = "The feet.".into();
    Ok(Field { key: tag.into(), annotation, part, default: None, text, choices: Vec::new() })
}

/// A shape is a patch too: it takes what a patch takes, except where a length of its own has that name.
fn add_patch_fields(fields: &mut Vec<Field>, patch: Vec<Field>) {
    let own: Vec<String> = fields.iter().map(|field| field.key.clone()).collect();
    for mut field in patch {
        if field.key == "shape" || own.contains(&field.key) {
            continue;
        }
        if field.key == "load" {
            without_load(&mut field);
        }
        if field.default.is_none() {
            field.default = Some("None".into());
            field.annotation.push_str(" | None");
            field.text = format!(
                "{}; needed under a body, 1 in wrenches unless given (-).",
                field.text.trim_end_matches(" (-).")
            );
        }
        fields.push(field);
    }
}

/// No load is another thing than a load of 0: by itself a patch then gives wrenches per unit of μN.
fn without_load(field: &mut Field) {
    field.default = Some("None".into());
    field.annotation.push_str(" | None");
    field.text = "Normal load; unless given the weight under a body, 1 in wrenches (N).".into();
}

/// The type of a property, and the name of the part that it holds.
fn annotation(defs: &Map<String, Json>, property: &Json) -> Option<(String, Option<String>)> {
    if let Some(to) = property["$ref"].as_str() {
        return named(defs, last(to));
    }
    if let Some(choices) = property["anyOf"].as_array() {
        let (inner, part) = annotation(defs, choices.iter().find(|one| one["type"] != "null")?)?;
        return Some((format!("{inner} | None"), part));
    }
    let kinds: Vec<&str> = match &property["type"] {
        Json::String(kind) => vec![kind],
        Json::Array(kinds) => kinds.iter().filter_map(Json::as_str).collect(),
        _ => return None,
    };
    let null = if kinds.contains(&"null") { " | None" } else { "" };
    let (inner, part) = match *kinds.iter().find(|kind| **kind != "null")? {
        "number" => ("float".into(), None),
        "integer" => ("int".into(), None),
        "string" => ("str".into(), None),
        "boolean" => ("bool".into(), None),
        "array" => match annotation(defs, &property["items"])? {
            (item, None) if item == "float" => ("Vector".into(), None),
            (item, None) if item == "Vector" => ("Matrix".into(), None),
            (item, part) => (format!("Sequence[{item}]"), part),
        },
        // numbers by their names
        "object" if property["additionalProperties"]["type"] == "number" => {
            ("Mapping[str, float]".into(), Some("numbers".into()))
        }
        _ => return None,
    };
    Some((format!("{inner}{null}"), part))
}

fn named(defs: &Map<String, Json>, name: &str) -> Option<(String, Option<String>)> {
    let def = defs.get(name)?;
    if let Some(choices) = def["anyOf"].as_array() {
        // a matrix, nodes, or one thing or a list of such things
        match name {
            "MatrixForm" | "DampingForm" => return Some(("MatrixLike".into(), Some("matrix".into()))),
            "Nodes" => return Some(("int | Sequence[int] | Literal[\"all\"]".into(), None)),
            "SignalOrNumber" => {
                let (signal, part) = annotation(defs, choices.last()?)?;
                return Some((format!("float | {signal}"), part));
            }
            _ => {}
        }
        let (one, part) = annotation(defs, &choices[0])?;
        return Some((format!("{one} | Sequence[{one}]"), part));
    }
    let special = match name {
        "Contact" => Some(("Friction | Table", "contact")),
        "Patch" => Some(("PatchBase | Table", "patch")),
        "Shape" => Some(("Shape | Table", "shape")),
        "Pressure" => None,
        _ => Some(("", name)).filter(|_| plain().contains(&name)),
    };
    match special {
        Some(("", name)) => return Some((format!("{name} | Table"), Some(name.into()))),
        Some((annotation, part)) => return Some((annotation.into(), Some(part.into()))),
        None => {}
    }
    let words: Vec<String> = def["oneOf"]
        .as_array()?
        .iter()
        .filter_map(|one| one["const"].as_str())
        .map(|word| format!("\"{word}\""))
        .collect();
    let literal = format!("Literal[{}]", words.join(", "));
    Some(match name {
        "Pressure" => (format!("{literal} | LinearPressure | Table"), Some("pressure".into())),
        _ => (literal, None),
    })
}

/// A default as Python writes it.
fn literal(value: &Json) -> String {
    match value {
        Json::Bool(true) => "True".into(),
        Json::Bool(false) => "False".into(),
        Json::Number(_) | Json::String(_) => value.to_string(),
        Json::Array(items) => {
            let items: Vec<String> = items.iter().map(literal).collect();
            format!("({}{})", items.join(", "), if items.len() == 1 { "," } else { "" })
        }
        Json::Null | Json::Object(_) => "None".into(),
    }
}

fn written(class: &Class) -> String {
    let mut text =
        format!("\n@model\nclass {}({}):\n    \"\"\"{}\n", class.name, class.base, indented(&class.text));
    if !class.fields.is_empty() {
        text.push_str("\n    Parameters\n    ----------\n");
    }
    for field in &class.fields {
        let default = match field.default.as_deref() {
            None => String::new(),
            Some("None") => ", optional".into(),
            Some(default) => format!(", default {default}"),
        };
        let (name, kind) = (python_name(&field.key), in_words(&field.annotation));
        text.push_str(&format!("    {name} : {kind}{default}\n        {}\n", field.text));
        for (word, meaning) in &field.choices {
            text.push_str(&format!("        \"{word}\": {meaning}\n"));
        }
    }
    text.push_str("    \"\"\"\n\n");
    if let Some(tag) = class.tag {
        text.push_str(&format!("    _tag: ClassVar[str] = \"{tag}\"\n"));
    }
    let parts: Vec<String> = class
        .fields
        .iter()
        .filter_map(|f| Some(format!("\"{}\": \"{}\"", python_name(&f.key), f.part.as_ref()?)))
        .collect();
    if !parts.is_empty() {
        text.push_str(&format!("    _parts: ClassVar[dict[str, str]] = {{{}}}\n", parts.join(", ")));
    }
    let units: Vec<String> = class
        .fields
        .iter()
        .filter_map(|f| Some(format!("\"{}\": \"{}\"", python_name(&f.key), unit(&f.text)?)))
        .collect();
    if !units.is_empty() {
        text.push_str(&format!("    _units: ClassVar[dict[str, str]] = {{{}}}\n", units.join(", ")));
    }
    for field in &class.fields {
        let default = field.default.as_ref().map(|default| format!(" = {default}")).unwrap_or_default();
        text.push_str(&format!("    {}: {}{default}\n", python_name(&field.key), field.annotation));
    }
    text.push('\n');
    text
}

/// The words that a property takes, where each has a meaning of its own.
fn choices(defs: &Map<String, Json>, property: &Json) -> Vec<(String, String)> {
    let name = property["$ref"].as_str().map(last).unwrap_or_default();
    let all = defs.get(name).and_then(|def| def["oneOf"].as_array());
    let choice =
        |one: &Json| Some((one["const"].as_str()?.to_owned(), one["description"].as_str()?.to_owned()));
    all.into_iter().flatten().filter_map(choice).collect()
}

/// A type for the reader of a docstring.
fn in_words(annotation: &str) -> String {
    let plain = annotation.replace(" | Table", "").replace(" | None", "");
    let word = |part: &str| match part {
        "Vector" => "array".to_owned(),
        "Matrix" => "array of rows".to_owned(),
        "MatrixLike" => "array, sparse matrix, path or dict".to_owned(),
        "PatchBase" => "Patch".to_owned(),
        "Friction" => "Law or Contact".to_owned(),
        "Sequence[str]" => "lists of str".to_owned(),
        "Mapping[str, float]" => "dict of float".to_owned(),
        other => other.replace("Literal[", "{").replace(']', "}").replace(" | ", " or "),
    };
    if let Some((one, _)) = plain.split_once(" | Sequence[").filter(|(one, many)| *many == format!("{one}]"))
    {
        return format!("{}, or a list of them", word(one));
    }
    let words: Vec<String> = plain
        .split(" | ")
        .map(|part| match part.strip_prefix("Sequence[").and_then(|rest| rest.strip_suffix(']')) {
            Some(item) => format!("list of {}", word(item)),
            None => word(part),
        })
        .collect();
    words.join(" or ")
}

/// The unit at the end of a description.
fn unit(text: &str) -> Option<&str> {
    let unit = text.strip_suffix(").")?.rsplit_once('(')?.1;
    (unit.len() < 10).then_some(unit)
}

/// The head of a source file, without what only rustdoc understands.
pub fn head(source: &str) -> String {
    let lines = source.lines().map_while(|line| line.strip_prefix("//!"));
    let mut text = String::new();
    let mut is_formula = false;
    for line in lines {
        let line = line.strip_prefix(' ').unwrap_or(line);
        if line.starts_with("```") {
            is_formula = !is_formula;
            continue;
        }
        let line = line.replace('@', "").replace("**", "");
        text.push_str(&format!("{}{line}\n", if is_formula { "  " } else { "" }));
    }
    text.trim_end().to_owned()
}

fn indented(text: &str) -> String {
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default().to_owned();
    lines.fold(first, |text, line| {
        let margin = if line.trim().is_empty() { "" } else { "    " };
        format!("{text}\n{margin}{}", line.trim_end())
    })
}

/// A key that is a word of Python's gets an underscore.
fn python_name(key: &str) -> String {
    if key == "from" { "from_".into() } else { key.to_owned() }
}

fn camel(tag: &str) -> String {
    let part = |part: &str| {
        let mut chars = part.chars();
        chars.next().map(|c| c.to_uppercase().chain(chars).collect::<String>()).unwrap_or_default()
    };
    tag.split('-').map(part).collect()
}

fn last(reference: &str) -> &str {
    reference.rsplit('/').next().unwrap_or(reference)
}
