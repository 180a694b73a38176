//! Checks a scenario against the JSON Schema that its types generate: unknown keys, wrong types, missing keys, kinds.
//!
//! Serde stops at the first error and knows no typos; this walk reports all of them, each at its key. One mechanism serves every
//! type: a new law or analysis needs no line here.

use crate::definitions::Schema;
use crate::diagnostic::{Diagnostic, MAX_SHOWN, closest};
use crate::document::{Document, Node, Value};
use crate::plain::start;
use serde_json::{Map, Value as Json};

/// Passes over a scenario: a misspelt table hides what is wrong inside it until it is put right.
const PASSES: usize = 8;

/// What does not fit a schema.
pub enum Misfits {
    /// Everything, and what was guessed to find it.
    All(Vec<Diagnostic>, Guesses),
    /// The first, and the number of the others.
    TooMany(Vec<Diagnostic>),
}

/// What was put into a document in place of what it holds: its consequences are no errors of the user.
#[derive(Default)]
pub struct Guesses {
    /// Paths of the values that were guessed, or stand under a guessed name.
    paths: Vec<String>,
    /// Whether keys were left out that mean nothing here: what the document lacks then may stand in them.
    has_gaps: bool,
}

impl Guesses {
    /// Whether a fault may follow from a guess. A number out of its range, with which the message then begins, does not
    /// follow from what the document lacks.
    pub fn may_cause(&self, fault: &Diagnostic) -> bool {
        let is_number = fault.message.starts_with(|c: char| c.is_ascii_digit() || c == '-');
        (self.has_gaps && !is_number) || self.covers(&fault.key)
    }

    /// Whether the value at `key` is guessed or within what is.
    fn covers(&self, key: &str) -> bool {
        let is_within = |path: &String| {
            key.strip_prefix(path.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        self.paths.iter().any(is_within)
    }

    fn note(&mut self, key: &str, repair: &Repair) {
        let parent = key.rsplit_once('.').map_or("", |(parent, _)| parent);
        match repair {
            Repair::Rename(name) => self.paths.push(join(parent, name)),
            Repair::Insert(name) => self.paths.push(join(key, name)),
            Repair::Number | Repair::Remove => self.paths.push(key.to_owned()),
            Repair::Forget => self.has_gaps = true,
            Repair::None => {}
        }
    }
}

/// Everything in `document` that does not fit `schema`. The document is put right on the way by the likeliest guess, so that
/// the rest of it can be checked too; what is found within a guess is not reported. The time is linear in the size of the document: one with more misfits than are shown is
/// walked through once and not put right.
pub fn misfits(document: &mut Document, schema: &Schema) -> Misfits {
    let mut all: Vec<Diagnostic> = Vec::new();
    let mut guesses = Guesses::default();
    for _ in 0..PASSES {
        let mut walk = Walk { document, schema, found: Vec::new(), n_more: 0 };
        walk.node(&document.root, schema.root(), "");
        let (found, n_more) = (walk.found, walk.n_more);
        if found.is_empty() {
            break;
        }
        if n_more > 0 || all.len() + found.len() > MAX_SHOWN {
            all.extend(found.into_iter().map(|(diagnostic, _)| diagnostic));
            let n = n_more + all.len().saturating_sub(MAX_SHOWN);
            all.truncate(MAX_SHOWN);
            all.push(Diagnostic::more(n));
            return Misfits::TooMany(all);
        }
        for (diagnostic, repair) in found {
            let path: Vec<&str> = diagnostic.key.split('.').filter(|s| !s.is_empty()).collect();
            mend(&mut document.root, &path, &repair);
            let is_own = !guesses.covers(&diagnostic.key) && !all.contains(&diagnostic);
            if is_own {
                guesses.note(&diagnostic.key, &repair);
                all.push(diagnostic);
            }
        }
    }
    Misfits::All(all, guesses)
}

struct Walk<'a> {
    document: &'a Document,
    schema: &'a Schema,
    /// The first [`MAX_SHOWN`] misfits.
    found: Vec<(Diagnostic, Repair)>,
    /// Number of the others.
    n_more: usize,
}

/// What was probably meant.
#[derive(Clone, Debug)]
enum Repair {
    /// Another key.
    Rename(String),
    /// Nothing: the default holds.
    Remove,
    /// Nothing that is known here.
    Forget,
    /// A number.
    Number,
    /// A number at a key that is missing.
    Insert(String),
    /// No idea.
    None,
}

fn mend(node: &mut Node, path: &[&str], repair: &Repair) {
    match (&mut node.value, path) {
        (Value::Table(entries), [last])
            if matches!(repair, Repair::Rename(_) | Repair::Remove | Repair::Forget) =>
        {
            if let Repair::Rename(name) = repair
                && !entries.iter().any(|(key, _)| key == name)
            {
                entries.iter_mut().filter(|(key, _)| key == last).for_each(|(key, _)| *key = name.clone());
            } else {
                entries.retain(|(key, _)| key != last);
            }
        }
        (Value::Table(entries), [first, rest @ ..]) => {
            if let Some((_, child)) = entries.iter_mut().find(|(key, _)| key == first) {
                mend(child, rest, repair);
            }
        }
        (Value::Array(items), [first, rest @ ..]) => {
            if let Some(child) = first.parse::<usize>().ok().and_then(|i| items.get_mut(i)) {
                mend(child, rest, repair);
            }
        }
        (Value::Table(entries), []) if matches!(repair, Repair::Insert(_)) => {
            if let Repair::Insert(name) = repair {
                entries.push((name.clone(), Node { value: Value::Integer(1), origin: node.origin.clone() }));
            }
        }
        (value, []) if matches!(repair, Repair::Number) => *value = Value::Integer(1),
        _ => {}
    }
}

impl<'a> Walk<'a> {
    fn fault(&mut self, node: &Node, key: &str, message: String, hint: Option<String>, repair: Repair) {
        if self.found.len() == MAX_SHOWN {
            self.n_more += 1;
            return;
        }
        let place = Some(self.document.place(&node.origin));
        self.found.push((Diagnostic { key: key.into(), message, place, hint }, repair));
    }

    /// Follows `$ref`.
    fn resolve(&self, schema: &'a Json) -> &'a Json {
        match schema.get("$ref").and_then(Json::as_str) {
            Some(reference) => self.schema.referred(reference).map_or(schema, |target| self.resolve(target)),
            None => schema,
        }
    }

    fn node(&mut self, node: &Node, schema: &'a Json, key: &str) {
        let schema = self.resolve(schema);
        let branches = schema.get("anyOf").and_then(Json::as_array);
        if let Some(branches) = branches {
            return self.any_of(node, branches, key);
        }
        if let Some(names) = names(schema) {
            return self.name(node, &names, key);
        }
        if let Value::String(text) = &node.value
            && !plain(schema).is_empty()
        {
            return self.plain_or_kind(node, text, schema, key);
        }
        if !self.fits(&node.value, schema) {
            let message = format!("{}, but it must be {}", describe(&node.value), wanted(schema));
            let repair = if types(schema).contains(&"number") { Repair::Number } else { Repair::None };
            return self.fault(node, key, message, None, repair);
        }
        match &node.value {
            Value::Table(entries) => self.table(node, entries, schema, key),
            Value::Array(items) => {
                if let Some(item_schema) = schema.get("items") {
                    for (i, item) in items.iter().enumerate() {
                        self.node(item, item_schema, &join(key, &i.to_string()));
                    }
                }
                let length = schema.get("minItems").and_then(Json::as_u64);
                if length.is_some() && length == schema.get("maxItems").and_then(Json::as_u64) {
                    let length = length.unwrap_or(0);
                    if items.len() as u64 != length {
                        let message = format!("{} values, but there must be {length}", items.len());
                        self.fault(node, key, message, None, Repair::None);
                    }
                }
            }
            Value::Integer(x) if *x < 0 && schema.get("minimum").is_some() => {
                let message = format!("{x}, but it must not be negative");
                self.fault(node, key, message, None, Repair::Number);
            }
            _ => {}
        }
    }

    /// The branch that fits best speaks.
    fn any_of(&mut self, node: &Node, branches: &'a [Json], key: &str) {
        let mut best: Option<(Vec<(Diagnostic, Repair)>, usize)> = None;
        for branch in branches {
            if !self.fits(&node.value, branch) {
                continue;
            }
            let before = (std::mem::take(&mut self.found), std::mem::take(&mut self.n_more));
            self.node(node, branch, key);
            let found =
                (std::mem::replace(&mut self.found, before.0), std::mem::replace(&mut self.n_more, before.1));
            if best.as_ref().is_none_or(|best| found.0.len() + found.1 < best.0.len() + best.1) {
                best = Some(found);
            }
        }
        match best {
            Some((found, n_more)) => {
                let room = MAX_SHOWN - self.found.len();
                self.n_more += n_more + found.len().saturating_sub(room);
                self.found.extend(found.into_iter().take(room));
            }
            None => {
                let mut forms: Vec<String> = branches.iter().flat_map(|branch| self.forms(branch)).collect();
                forms.dedup();
                let message = format!("{}, but it must be {}", describe(&node.value), forms.join(" or "));
                let repair =
                    if forms.iter().any(|form| form == "a number") { Repair::Number } else { Repair::None };
                self.fault(node, key, message, None, repair);
            }
        }
    }

    /// One of a list of names.
    fn name(&mut self, node: &Node, names: &[&str], key: &str) {
        let list = names.join(", ");
        match &node.value {
            Value::String(text) if names.contains(&text.as_str()) => {}
            Value::String(text) => {
                let hint =
                    closest(text, names.iter().copied()).map(|name| format!("did you mean \"{name}\"?"));
                let message = format!("\"{}\", but it must be one of: {list}", start(text));
                self.fault(node, key, message, hint, Repair::Remove);
            }
            other => {
                let message = format!("{}, but it must be one of: {list}", describe(other));
                self.fault(node, key, message, None, Repair::Remove);
            }
        }
    }

    /// A text where a plain name or a table with a kind may stand.
    fn plain_or_kind(&mut self, node: &Node, text: &str, schema: &'a Json, key: &str) {
        let kinds = self.kinds(schema);
        if kinds.iter().any(|(kind, _)| kind == text) {
            let message = format!("\"{text}\" alone, but it must be a table with its parameters");
            let hint = format!("{key}.{text} = {{ … }}");
            return self.fault(node, key, message, Some(hint), Repair::Remove);
        }
        let names: Vec<&str> =
            plain(schema).into_iter().chain(kinds.iter().map(|(kind, _)| kind.as_str())).collect();
        self.name(node, &names, key);
    }

    fn table(&mut self, node: &Node, entries: &[(String, Node)], schema: &'a Json, key: &str) {
        let own = schema.get("properties").and_then(Json::as_object);
        let kinds = self.kinds(schema);
        let is_open = schema.get("additionalProperties").is_some_and(|more| more != &Json::Bool(false));
        let mut chosen: Option<&str> = None;
        for (name, child) in entries {
            let path = join(key, name);
            if let Some(property) = own.and_then(|own| own.get(name)) {
                self.node(child, property, &path);
            } else if let Some((kind, property)) = kinds.iter().find(|(kind, _)| kind == name) {
                if let Some(first) = chosen {
                    let message = format!("a second kind beside {first}, but there must be one");
                    self.fault(child, &path, message, Some("delete one of the two".into()), Repair::Remove);
                }
                chosen = Some(kind);
                self.node(child, property, &path);
            } else if plain(schema).contains(&name.as_str()) {
                let hint = Some(format!("write {key} = \"{name}\""));
                self.fault(
                    child,
                    &path,
                    "a plain name, which takes no parameters".into(),
                    hint,
                    Repair::Remove,
                );
                chosen.get_or_insert(name);
            } else if let Some(more) = schema.get("additionalProperties").filter(|more| more.is_object()) {
                self.node(child, more, &path);
            } else if !is_open {
                let known =
                    || own.iter().flat_map(|own| own.keys()).chain(kinds.iter().map(|(kind, _)| kind));
                let synonym =
                    own.and_then(|own| own.iter().find(|(_, property)| has_synonym(property, name)));
                let meant = synonym.map(|(word, _)| word.as_str());
                let (hint, repair) = match meant.or_else(|| closest(name, known().map(String::as_str))) {
                    Some(word) => (format!("did you mean {word}?"), Repair::Rename(word.to_owned())),
                    None => {
                        let known = known().cloned().collect::<Vec<_>>().join(", ");
                        (format!("known here: {known}"), Repair::Forget)
                    }
                };
                self.fault(child, &path, "unknown key".into(), Some(hint), repair);
                // a misspelt kind is reported once, not as a missing one as well
                if kinds.iter().any(|(kind, _)| closest(name, [kind.as_str()]).is_some()) {
                    chosen.get_or_insert(name);
                }
            }
        }
        let is_there = |name: &str| entries.iter().find(|(key, _)| key == name);
        let mut required: Vec<&str> = listed_at(schema, "required").filter_map(Json::as_str).collect();
        for either in either(schema) {
            let mut given = either.iter().filter_map(|name| is_there(name));
            match (given.next(), given.next()) {
                (Some((one, _)), Some((two, child))) => {
                    let message = format!("given beside {one}, but there must be one");
                    self.fault(child, &join(key, two), message, None, Repair::Remove);
                }
                // a misspelt key has been reported already
                (None, _)
                    if entries.iter().any(|(name, _)| closest(name, either.iter().copied()).is_some()) => {}
                (None, _) => required.extend(either.first()),
                _ => {}
            }
        }
        for name in required {
            // a misspelt key has been reported already
            let is_known = |key: &str| own.is_some_and(|own| own.contains_key(key));
            let near =
                |(key, _): &(String, Node)| key == name || (!is_known(key) && closest(key, [name]).is_some());
            if !entries.iter().any(near) {
                let about = own.and_then(|own| own.get(name)).map(|property| self.resolve(property));
                let about = about.and_then(|p| p.get("description")).and_then(Json::as_str);
                let hint = about.map(|about| format!("{name}: {}", about.lines().next().unwrap_or("")));
                let whole = if key.is_empty() { "the file" } else { key };
                let repair = match own.and_then(|own| own.get(name)).map(|p| types(self.resolve(p))) {
                    Some(types) if types.contains(&"number") => Repair::Insert(name.to_owned()),
                    _ => Repair::None,
                };
                self.fault(node, key, format!("{name} is missing from {whole}"), hint, repair);
            }
        }
        if !kinds.is_empty() && chosen.is_none() {
            let list: Vec<&str> = kinds.iter().map(|(kind, _)| kind.as_str()).collect();
            self.fault(
                node,
                key,
                format!("a kind is missing, one of: {}", list.join(", ")),
                None,
                Repair::None,
            );
        }
    }

    /// Whether a value is of a type that the schema allows.
    fn fits(&self, value: &Value, schema: &'a Json) -> bool {
        let schema = self.resolve(schema);
        if let Some(branches) = schema.get("anyOf").and_then(Json::as_array) {
            return branches.iter().any(|branch| self.fits(value, branch));
        }
        if names(schema).is_some() {
            return matches!(value, Value::String(_));
        }
        types(schema).iter().any(|name| match *name {
            "object" => matches!(value, Value::Table(_)),
            "array" => matches!(value, Value::Array(_)),
            "number" => matches!(value, Value::Float(_) | Value::Integer(_)),
            "integer" => matches!(value, Value::Integer(_)),
            "string" => matches!(value, Value::String(_)),
            "boolean" => matches!(value, Value::Boolean(_)),
            _ => false,
        })
    }

    /// The forms that a schema allows, in words.
    fn forms(&self, schema: &'a Json) -> Vec<String> {
        let schema = self.resolve(schema);
        let mut forms: Vec<String> = match schema.get("anyOf").and_then(Json::as_array) {
            Some(branches) => branches.iter().flat_map(|branch| self.forms(branch)).collect(),
            None => vec![wanted(schema)],
        };
        forms.retain(|form| !form.is_empty());
        forms.dedup();
        forms
    }

    /// The kinds of an enum that is tagged from outside, with the schema of each.
    fn kinds(&self, schema: &'a Json) -> Vec<(String, &'a Json)> {
        let mut kinds = Vec::new();
        for branch in schema.get("oneOf").and_then(Json::as_array).into_iter().flatten() {
            let properties = self.resolve(branch).get("properties").and_then(Json::as_object);
            kinds.extend(properties.into_iter().flatten().map(|(name, schema)| (name.clone(), schema)));
        }
        kinds
    }
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() { name.into() } else { format!("{path}.{name}") }
}

/// The members of a list of the schema.
fn listed_at<'a>(schema: &'a Json, key: &str) -> impl Iterator<Item = &'a Json> {
    schema.get(key).and_then(Json::as_array).into_iter().flatten()
}

/// Keys of which there must be one: `allOf` of `oneOf` of `required`.
fn either(schema: &Json) -> Vec<Vec<&str>> {
    let required = |of| listed_at(of, "required").filter_map(Json::as_str);
    let keys = listed_at(schema, "allOf").map(|one| listed_at(one, "oneOf").flat_map(required).collect());
    keys.filter(|keys: &Vec<&str>| !keys.is_empty()).collect()
}

/// Whether a property is also known by another name, which it does not take.
fn has_synonym(property: &Json, name: &str) -> bool {
    let synonyms = property.get("x-synonyms").and_then(Json::as_array);
    synonyms.is_some_and(|list| list.iter().any(|synonym| synonym.as_str() == Some(name)))
}

/// The names of an enum of plain names.
fn names(schema: &Json) -> Option<Vec<&str>> {
    if let Some(names) = schema.get("enum").and_then(Json::as_array) {
        return Some(names.iter().filter_map(Json::as_str).collect());
    }
    let branches = schema.get("oneOf")?.as_array()?;
    branches.iter().map(|branch| branch.get("const").and_then(Json::as_str)).collect()
}

/// The plain names of an enum that has kinds with parameters as well.
fn plain(schema: &Json) -> Vec<&str> {
    let branches = schema.get("oneOf").and_then(Json::as_array).into_iter().flatten();
    branches
        .flat_map(|branch| branch.get("const").into_iter().chain(listed_at(branch, "enum")))
        .filter_map(Json::as_str)
        .collect()
}

/// The types that a schema allows, as JSON names them.
fn types(schema: &Json) -> Vec<&str> {
    match schema.get("type") {
        Some(Json::String(name)) => vec![name],
        Some(Json::Array(names)) => {
            names.iter().filter_map(Json::as_str).filter(|name| *name != "null").collect()
        }
        _ if !plain(schema).is_empty() => vec!["string", "object"],
        _ if schema.get("properties").is_some() || schema.get("oneOf").is_some() => vec!["object"],
        _ => Vec::new(),
    }
}

fn wanted(schema: &Json) -> String {
    let word = |name: &&str| match *name {
        "object" => Some("a table"),
        "array" => Some("a list"),
        "number" => Some("a number"),
        "integer" => Some("a whole number"),
        "string" => Some("a text"),
        "boolean" => Some("true or false"),
        _ => None,
    };
    types(schema).iter().filter_map(word).collect::<Vec<_>>().join(" or ")
}

fn describe(value: &Value) -> String {
    match value {
        Value::Table(_) => "a table".into(),
        Value::Array(_) => "a list".into(),
        Value::Float(x) if *x == 0.0 || (1e-5..1e16).contains(&x.abs()) => format!("{x}"),
        Value::Float(x) => format!("{x:e}"),
        Value::Integer(x) => format!("{x}"),
        Value::String(text) => format!("the text \"{}\"", start(text)),
        Value::Boolean(truth) => format!("{truth}"),
        Value::Datetime(time) => format!("the date {time}"),
    }
}

/// The keys of a schema's top level.
pub fn roots(schema: &Json) -> Vec<&str> {
    let properties: Option<&Map<String, Json>> = schema.get("properties").and_then(Json::as_object);
    properties.into_iter().flatten().map(|(key, _)| key.as_str()).collect()
}
