//! The reference of every key of a scenario, written from the JSON Schema: meaning, unit, default, example.
//!
//! The unit stands in parentheses at the end of a description. Examples are lines of the committed scenarios; keys that no
//! scenario uses have theirs in `docs/reference/examples.toml`, or show their default.

use crate::key_pages::{OTHERS, PAGES, ROOT};
use crate::support::SupportTable;
use serde_json::{Map, Value as Json};
use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fmt::Write as _;
use stiction_reference::elements::{ELEMENTS, system};

/// The schema, where each table stands, and an example of each key.
pub struct Reference<'a> {
    schema: &'a Json,
    defs: &'a Map<String, Json>,
    /// Paths of a table below the scenario.
    paths: BTreeMap<String, BTreeSet<String>>,
    /// An example of each key by `Table.key`: the line, and where it is from.
    examples: BTreeMap<String, String>,
}

impl<'a> Reference<'a> {
    /// Reads the schema and the scenarios, by their names and texts; `more` holds examples of keys that no scenario uses.
    pub fn new(schema: &'a Json, scenarios: &[(String, String)], more: &str) -> Result<Self, Box<dyn Error>> {
        let defs = schema["$defs"].as_object().ok_or("the schema has no definitions")?;
        let mut reference = Self { schema, defs, paths: BTreeMap::new(), examples: BTreeMap::new() };
        reference.walk(ROOT, "", &mut Vec::new());
        let mut examples = BTreeMap::new();
        for (name, text) in scenarios {
            let value: Json = toml::from_str(text).map_err(|error| format!("{name}: {error}"))?;
            reference.collect(ROOT, &value, &mut examples);
        }
        let more: BTreeMap<String, BTreeMap<String, Json>> = toml::from_str(more)?;
        for (table, keys) in more {
            for (key, value) in keys {
                let name = format!("{table}.{key}");
                let known = reference.def(&table).and_then(|def| def["properties"].get(&key)).is_some();
                if !known || examples.insert(name.clone(), line(&key, &value)).is_some() {
                    return Err(format!("examples.toml: {name} is unknown, or a scenario shows it").into());
                }
            }
        }
        // what neither shows, the lines of an element may
        for element in ELEMENTS {
            let (value, mut shown) = (toml::from_str(&system(element.lines))?, BTreeMap::new());
            reference.collect(ROOT, &value, &mut shown);
            shown.into_iter().for_each(|(key, line)| _ = examples.entry(key).or_insert(line));
        }
        reference.examples = examples;
        Ok(reference)
    }

    /// The pages, by their paths.
    pub fn pages(&self, support: &SupportTable) -> Result<Vec<(String, String)>, Box<dyn Error>> {
        let mut files = Vec::new();
        for page in PAGES {
            let mut text = format!("# {}\n\n{}\n", page.title, page.about);
            for table in page.tables {
                text.push_str(&self.table(table, support)?);
            }
            if page.file == OTHERS {
                for table in self.missing() {
                    text.push_str(&self.table(table, support)?);
                }
            }
            files.push((format!("docs/reference/{}.md", page.file), text));
        }
        Ok(files)
    }

    /// Definitions that have no place on a page.
    fn missing(&self) -> Vec<&str> {
        let shown: Vec<&str> = PAGES.iter().flat_map(|page| page.tables).copied().collect();
        let is_missing = |name: &&str| {
            !shown.contains(name) && !name.starts_with("OneOrMany") && !self.laws().contains(name)
        };
        self.defs.keys().map(String::as_str).filter(is_missing).collect()
    }

    /// The definitions of the laws and of what only they use.
    fn laws(&self) -> Vec<&str> {
        let laws = self.defs["Contact"]["oneOf"].as_array().into_iter().flatten();
        let tables = laws.filter_map(|law| last(law["properties"].as_object()?.values().next()?));
        tables.chain(["Weakening", "Evolution"]).collect()
    }

    /// The table of a law's parameters.
    pub fn law(&self, tag: &str) -> Result<String, Box<dyn Error>> {
        let laws = self.defs["Contact"]["oneOf"].as_array().ok_or("contacts are no choice")?;
        let body = laws.iter().find_map(|law| law["properties"].get(tag)).ok_or("no such law")?;
        let name = last(body).ok_or("a law without a definition")?;
        let mut text = self.keys(name)?;
        for (key, property) in self.defs[name]["properties"].as_object().into_iter().flatten() {
            if let Some(choice @ ("Weakening" | "Evolution")) = last(property) {
                text.push_str(&choices(&self.defs[choice]).replacen(
                    "One of",
                    &format!("`{key}` is one of"),
                    1,
                ));
            }
        }
        Ok(text)
    }

    fn def(&self, name: &str) -> Option<&'a Json> {
        if name == ROOT { Some(self.schema) } else { self.defs.get(name) }
    }

    /// One table: where it stands, its choices, its keys.
    fn table(&self, name: &str, support: &SupportTable) -> Result<String, Box<dyn Error>> {
        let def = self.def(name).ok_or_else(|| format!("no definition {name}"))?;
        let title = self.title(name);
        let mut text = format!("\n({})=\n## {title}\n\n", anchor(name));
        let about = def["description"].as_str().unwrap_or_default().replace('\n', " ");
        let paths: Vec<String> =
            self.paths.get(name).into_iter().flatten().take(4).map(|path| format!("`{path}`")).collect();
        if !about.is_empty() {
            writeln!(text, "{about}\n")?;
        }
        // a heading that is the path says where the table stands
        if !paths.is_empty() && name != ROOT && !title.starts_with('`') {
            let more = if self.paths[name].len() > 4 { ", …" } else { "" };
            writeln!(text, "Where: {}{more}\n", paths.join(", "))?;
        }
        text.push_str(&support.of(name));
        if def["properties"].as_object().is_some_and(|keys| !keys.is_empty()) {
            text.push_str(&self.keys(name)?);
        }
        if name != "Contact" {
            text.push_str(&choices(def));
            text.push_str(&self.forms(def));
        }
        Ok(text)
    }

    /// What a heading says: the path if there is one, else the name in words.
    fn title(&self, name: &str) -> String {
        match self.paths.get(name).and_then(|paths| if paths.len() == 1 { paths.first() } else { None }) {
            Some(path) if !path.is_empty() && !path.contains(".friction") => format!("`{path}`"),
            _ if name == ROOT => "The file".into(),
            _ => words(name),
        }
    }

    /// The forms of a value that is written in several ways.
    fn forms(&self, def: &Json) -> String {
        let Some(forms) = def["anyOf"].as_array() else { return String::new() };
        let mut text = String::from("One of:\n\n");
        for form in forms.iter().filter(|form| form["type"] != "null") {
            let about = form["description"].as_str().unwrap_or_default().replace('\n', " ");
            let _ = writeln!(
                text,
                "* {}{}",
                self.kind(form),
                if about.is_empty() { String::new() } else { format!(": {about}") }
            );
        }
        text.push('\n');
        text
    }

    /// Rows of a table, one for each key.
    fn keys(&self, name: &str) -> Result<String, Box<dyn Error>> {
        let def = self.def(name).ok_or("no definition")?;
        let mut text = String::from("| key | meaning | unit | default | example |\n|---|---|---|---|---|\n");
        for (key, property) in def["properties"].as_object().into_iter().flatten() {
            let about = property["description"].as_str().unwrap_or_default().replace('\n', " ");
            let kind = self.kind(property);
            let (about, unit) = match split_unit(&about) {
                Some((about, unit)) => (about, unit.to_owned()),
                None if is_number(property) => {
                    return Err(format!("{name}.{key}: no unit in `{about}`").into());
                }
                None => (about, "–".into()),
            };
            // a unit stays on one line, a remark beside it does not
            let unit = if unit.contains(',') { unit } else { unit.replace(' ', "\u{a0}") };
            let required = def["required"].as_array().is_some_and(|keys| keys.iter().any(|one| one == key));
            let default = match property.get("default") {
                _ if required => "required".into(),
                // the same parameter for a contact in N/m or N s/m
                None | Some(Json::Null) if !def["properties"][format!("contact_{key}")].is_null() => {
                    format!("required, or `contact_{key}`")
                }
                None | Some(Json::Null) => "absent".into(),
                Some(value) => format!("`{}`", literal(value)),
            };
            let own = self.examples.get(&format!("{name}.{key}"));
            let example = own.or_else(|| self.example_elsewhere(key, property));
            let example = match property.get("default") {
                Some(default) if !default.is_null() => example.cloned().unwrap_or_else(|| line(key, default)),
                _ => example.cloned().ok_or_else(|| {
                    format!(
                        "{name}.{key}: no scenario shows it, and docs/reference/examples.toml has no line"
                    )
                })?,
            };
            writeln!(
                text,
                "| `{key}` | {} *{kind}* | {unit} | {default} | `{}` |",
                cell(&about),
                cell(&example)
            )?;
        }
        text.push('\n');
        Ok(text)
    }

    /// An example of a key of another table that means the same, or else has the same unit.
    fn example_elsewhere(&self, key: &str, property: &Json) -> Option<&String> {
        let about = |property: &Json| property["description"].as_str().unwrap_or_default().to_owned();
        let unit = |about: &str| split_unit(about).map(|(_, unit)| unit.to_owned());
        let own = about(property);
        let others = self.examples.iter().filter_map(|(of, line)| {
            let (table, _) = of.split_once('.').filter(|(_, other)| *other == key)?;
            Some((about(&self.def(table)?["properties"][key]), line))
        });
        let same = others.clone().find(|(other, _)| *other == own);
        let of_unit = || others.clone().find(|(other, _)| unit(other) == unit(&own));
        same.or_else(of_unit).map(|(_, line)| line)
    }

    /// The type of a value in words.
    fn kind(&self, property: &Json) -> String {
        if let Some(name) = last(property) {
            return match self.defs.get(name) {
                Some(def) if name.starts_with("OneOrMany") => {
                    let inner = def["anyOf"].as_array().and_then(|all| all.first());
                    format!("{}, or a list", inner.map(|one| self.kind(one)).unwrap_or_default())
                }
                Some(def)
                    if def["oneOf"]
                        .as_array()
                        .is_some_and(|all| all.iter().all(|one| one["const"].is_string())) =>
                {
                    let words =
                        def["oneOf"].as_array().into_iter().flatten().filter_map(|one| one["const"].as_str());
                    words.map(|word| format!("`\"{word}\"`")).collect::<Vec<_>>().join(" or ")
                }
                _ if self.laws().contains(&name) => "table".into(),
                _ => format!("[{}](#{})", words(name), anchor(name)),
            };
        }
        if let Some(forms) = property["anyOf"].as_array() {
            let forms: Vec<String> =
                forms.iter().filter(|form| form["type"] != "null").map(|form| self.kind(form)).collect();
            return forms.join(" or ");
        }
        let kinds: Vec<&str> = match &property["type"] {
            Json::String(kind) => vec![kind],
            Json::Array(kinds) => {
                kinds.iter().filter_map(Json::as_str).filter(|kind| *kind != "null").collect()
            }
            _ => return "value".into(),
        };
        let word = |kind: &str| match kind {
            "string" => "text".to_owned(),
            "boolean" => "true or false".to_owned(),
            "object" => "table".to_owned(),
            "array" => format!("list of {}", plural(&self.kind(&property["items"]))),
            other => other.to_owned(),
        };
        kinds.into_iter().map(word).collect::<Vec<_>>().join(" or ")
    }

    /// Notes the paths of all tables below a definition.
    fn walk(&mut self, name: &str, path: &str, above: &mut Vec<String>) {
        if above.iter().any(|other| other == name) {
            return;
        }
        if !name.starts_with("OneOrMany") {
            self.paths.entry(name.to_owned()).or_default().insert(path.to_owned());
        }
        above.push(name.to_owned());
        if let Some(def) = self.def(name) {
            for (step, to) in links(def) {
                let below = match (path, step.as_str()) {
                    (_, "") => path.to_owned(),
                    ("", step) => step.to_owned(),
                    _ => format!("{path}.{step}"),
                };
                self.walk(&to, &below, above);
            }
        }
        above.pop();
    }

    /// Keeps the first line of the scenarios that shows each key.
    fn collect(&self, name: &str, value: &Json, found: &mut BTreeMap<String, String>) {
        let Some(def) = self.def(name) else { return };
        if let Some(items) = value.as_array().filter(|_| def["type"] != "array") {
            let item = |to: &Json| last(&to["items"]).or_else(|| last(to)).map(str::to_owned);
            let inner = def["anyOf"].as_array().into_iter().flatten().find_map(item);
            items.iter().for_each(|one| self.collect(inner.as_deref().unwrap_or(name), one, found));
            return;
        }
        for (key, value) in value.as_object().into_iter().flatten() {
            if !def["properties"][key].is_null() {
                found.entry(format!("{name}.{key}")).or_insert_with(|| line(key, value));
            }
        }
        for (step, to) in links(def) {
            let below = if step.is_empty() { Some(value) } else { value.get(&step) };
            if let Some(below) = below.filter(|below| below.is_object() || below.is_array()) {
                self.collect(&to, below, found);
            }
        }
    }
}

/// Definitions that a definition leads to, each with the key in between.
fn links(def: &Json) -> Vec<(String, String)> {
    let mut list = Vec::new();
    let mut add = |step: &str, value: &Json| {
        let forms = value["anyOf"].as_array().into_iter().flatten();
        for form in std::iter::once(value).chain(forms) {
            list.extend(
                last(form).or_else(|| last(&form["items"])).map(|to| (step.to_owned(), to.to_owned())),
            );
        }
    };
    for (key, property) in def["properties"].as_object().into_iter().flatten() {
        add(key, property);
    }
    for one in def["oneOf"].as_array().into_iter().flatten() {
        for (tag, body) in one["properties"].as_object().into_iter().flatten() {
            add(tag, body);
        }
    }
    add("", def);
    list
}

/// Words that a value may be, or tables that it may hold, each with its meaning.
fn choices(def: &Json) -> String {
    let Some(all) = def["oneOf"].as_array() else { return String::new() };
    let mut text = String::from("One of:\n\n");
    for one in all {
        let about = one["description"].as_str().unwrap_or_default().replace('\n', " ");
        if let Some(word) = one["const"].as_str() {
            let _ = writeln!(text, "* `\"{word}\"`: {about}");
        }
        for (tag, body) in one["properties"].as_object().into_iter().flatten() {
            let to = last(body).filter(|name| !name.starts_with("OneOrMany"));
            let to = match (to, last(&body["items"])) {
                (Some(name), _) => format!(" ([keys](#{}))", anchor(name)),
                (None, Some(name)) => format!(" A list ([keys of each](#{})).", anchor(name)),
                (None, None) => String::new(),
            };
            let keys: Vec<String> = body["properties"]
                .as_object()
                .into_iter()
                .flatten()
                .map(|(key, value)| format!("`{key}`: {}", value["description"].as_str().unwrap_or_default()))
                .collect();
            let keys = if keys.is_empty() { String::new() } else { format!(" Its key {}", keys.join("; ")) };
            let _ = writeln!(text, "* `{tag}`: {about}{to}{keys}");
        }
    }
    text.push('\n');
    text
}

/// The plural of a type in words: `list of numbers` as `lists of numbers`; links stay as they are.
fn plural(kind: &str) -> String {
    match (kind, kind.strip_prefix("list ")) {
        ("text" | "number" | "integer", _) => format!("{kind}s"),
        (_, Some(of)) => format!("lists {of}"),
        _ => kind.to_owned(),
    }
}

/// Whether a value is a number, or a list of numbers.
fn is_number(property: &Json) -> bool {
    let is = |kind: &str| {
        property["type"] == kind
            || property["type"].as_array().is_some_and(|all| all.iter().any(|one| one == kind))
    };
    is("number") || is("array") && is_number(&property["items"])
}

/// A description and the unit at its end.
fn split_unit(text: &str) -> Option<(String, &str)> {
    let (about, unit) = text.strip_suffix(").")?.rsplit_once(" (")?;
    Some((format!("{about}."), unit))
}

/// A line of a scenario; long values are cut.
fn line(key: &str, value: &Json) -> String {
    const LONGEST: usize = 48;
    let text = literal(value);
    let short: String = text.chars().take(LONGEST).collect();
    let value = if short.len() < text.len() { format!("{} …", short.trim_end()) } else { text };
    format!("{key} = {value}")
}

/// A value as TOML writes it on one line.
pub fn literal(value: &Json) -> String {
    match value {
        Json::Array(items) => format!("[{}]", items.iter().map(literal).collect::<Vec<_>>().join(", ")),
        Json::Object(table) => {
            let pairs: Vec<String> =
                table.iter().map(|(key, value)| format!("{key} = {}", literal(value))).collect();
            if pairs.is_empty() { "{}".into() } else { format!("{{ {} }}", pairs.join(", ")) }
        }
        other => other.to_string(),
    }
}

/// Text inside a cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace("$", "\\$")
}

/// `BeamSystem` as `table-beam-system`.
fn anchor(name: &str) -> String {
    format!("table-{}", words(name).replace(' ', "-"))
}

/// `BeamSystem` as `beam system`.
fn words(name: &str) -> String {
    let mut text = String::new();
    for c in name.chars() {
        if c.is_uppercase() && !text.is_empty() {
            text.push(' ');
        }
        text.extend(c.to_lowercase());
    }
    text
}

fn last(value: &Json) -> Option<&str> {
    value["$ref"].as_str()?.rsplit('/').next()
}
