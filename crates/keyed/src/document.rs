//! A scenario as written: a tree of values, each of which knows where it came from.

use crate::Assign;
use crate::definitions::Schema;
use crate::diagnostic::{Diagnostic, MAX_SHOWN, Place, closest};
use crate::places::{absent_places, in_other_units, places};
use crate::plain::start;
use crate::schema::roots;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Parts of a key at most; a scenario needs seven.
const DEEPEST: usize = 64;

thread_local! {
    static CONVERSIONS: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

/// Nodes that this thread has converted for serde so far: a test counts that a search converts none.
#[doc(hidden)]
pub fn conversions() -> u64 {
    CONVERSIONS.with(std::cell::Cell::get)
}

/// Where a value came from.
#[derive(Clone, Debug, PartialEq)]
pub enum Origin {
    /// Bytes of the file.
    File(Range<usize>),
    /// The override of this number.
    Set(usize),
    /// Neither.
    Nowhere,
}

/// A value and where it came from.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// The value.
    pub value: Value,
    /// Where its key (or, in a list, the value itself) stands.
    pub origin: Origin,
}

/// A value of a scenario.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Keys and values in the order of the file.
    Table(Vec<(String, Node)>),
    /// A list.
    Array(Vec<Node>),
    /// A number with a fraction or exponent.
    Float(f64),
    /// A whole number.
    Integer(i64),
    /// A text.
    String(String),
    /// True or false.
    Boolean(bool),
    /// A date or time; no key takes one.
    Datetime(String),
}

/// A scenario as written, with its overrides.
#[derive(Clone, Debug)]
pub struct Document {
    /// Name of the file, for messages.
    pub name: String,
    text: String,
    sets: Vec<String>,
    /// The tree.
    pub root: Node,
}

impl Document {
    /// Reads a scenario; `name` is the file's, for messages.
    pub fn parse(name: &str, text: &str) -> Result<Self, Vec<Diagnostic>> {
        let (table, errors) = DeTable::parse_recoverable(text);
        let mut document = Self {
            name: name.into(),
            text: text.into(),
            sets: Vec::new(),
            root: Node { value: Value::Table(Vec::new()), origin: Origin::Nowhere },
        };
        if !errors.is_empty() {
            let diagnostics = errors.iter().map(|error| Diagnostic {
                key: String::new(),
                message: format!("not valid TOML: {}", error.message().replace('\n', ", ")),
                place: error.span().map(|span| document.place(&Origin::File(span))),
                hint: None,
            });
            let mut shown: Vec<Diagnostic> = diagnostics.take(MAX_SHOWN).collect();
            if errors.len() > MAX_SHOWN {
                shown.push(Diagnostic::more(errors.len() - MAX_SHOWN));
            }
            return Err(shown);
        }
        document.root.value = convert_table(table.get_ref());
        Ok(document)
    }

    /// A document from a tree that no file holds.
    pub fn from_tree(name: &str, root: Node) -> Self {
        Self { name: name.into(), text: String::new(), sets: Vec::new(), root }
    }

    /// Sets `key=value`. The key is a whole path, or the end of the path of exactly one key that is there.
    pub fn set(&mut self, assignment: &str, roots: &[&str]) -> Result<(), Box<Diagnostic>> {
        self.set_by(assignment, &|document, key, value, written| document.assign(key, value, written, roots))
    }

    /// Sets `key=value` by `assign`.
    pub(crate) fn set_by(&mut self, assignment: &str, assign: Assign) -> Result<(), Box<Diagnostic>> {
        let place = || Some(Place { source: "--set".into(), line: None, text: assignment.into() });
        let fault = |message: String, hint: Option<String>| {
            Box::new(Diagnostic { key: String::new(), message, place: place(), hint })
        };
        let Some((key, value)) = assignment.split_once('=') else {
            return Err(fault("an override is written key=value".into(), None));
        };
        let value = parse_literal(value.trim());
        assign(self, key.trim(), value, assignment).map_err(|(message, hint)| fault(message, hint))
    }

    /// Sets a key to a value. The key is a whole path, or the end of the path of exactly one key that is there or, by the schema, could be
    /// in the tables that are there. The same number in another unit gives way to it.
    pub fn assign_within(
        &mut self,
        key: &str,
        value: Value,
        written: &str,
        schema: &Schema,
    ) -> Result<(), (String, Option<String>)> {
        let roots = roots(schema.root());
        let path = match self.find(key, &roots) {
            Ok(path) => path,
            Err((message, hint)) => {
                let wanted: Vec<String> = key.split('.').map(str::to_owned).collect();
                // one that stands in several places is ambiguous already
                let is_there = self.is_there(&wanted);
                let mut places = if is_there { Vec::new() } else { places(&self.root, schema, &wanted) };
                match places.pop() {
                    None if is_there => return Err((message, Some(hint))),
                    None => {
                        let absent = absent_places(&self.root, schema, &wanted, MAX_PLACES);
                        let absent: Vec<String> = absent.iter().map(|path| path.join(".")).collect();
                        let hint = if absent.is_empty() {
                            hint
                        } else {
                            format!("in a table that the scenario lacks: {}", absent.join(", "))
                        };
                        return Err((message, Some(hint)));
                    }
                    Some(path) if places.is_empty() => path,
                    Some(path) => {
                        places.push(path);
                        places.truncate(MAX_PLACES);
                        let places: Vec<String> =
                            places.iter().map(|place| start(&place.join("."))).collect();
                        let message = format!("{} could stand in several places", start(key));
                        return Err((message, Some(format!("one of: {}", places.join(", ")))));
                    }
                }
            }
        };
        for other in in_other_units(schema, &path) {
            let above = path.len() - 1;
            self.root.remove(&[&path[..above], &[other]].concat());
        }
        self.assign(&path.join("."), value, written, &roots)
    }

    /// Whether a key that ends as `wanted` is there.
    fn is_there(&self, wanted: &[String]) -> bool {
        let mut search = PathSearch { wanted, path: Vec::new(), fits: Vec::new(), n_fits: 0 };
        search.visit(&self.root);
        search.n_fits > 0
    }

    /// Sets a key to a value; `written` is how the user put it, for messages. Otherwise what is wrong, and perhaps a hint.
    pub fn assign(
        &mut self,
        key: &str,
        mut value: Value,
        written: &str,
        roots: &[&str],
    ) -> Result<(), (String, Option<String>)> {
        let path = self.find(key, roots).map_err(|(message, hint)| (message, Some(hint)))?;
        let origin = Origin::Set(self.sets.len());
        self.sets.push(written.to_owned());
        stamp(&mut value, &origin);
        self.root.insert(&path, value, &origin).map_err(|message| (message, None))
    }

    /// The path that `key` stands for: a whole path, or the end of the path of exactly one key that is there. Otherwise what is
    /// wrong with it, and a hint.
    pub fn find(&self, key: &str, roots: &[&str]) -> Result<Vec<String>, (String, String)> {
        let path: Vec<String> = key.split('.').map(str::to_owned).collect();
        if path.len() > DEEPEST {
            return Err((
                format!("a key of {} parts", path.len()),
                format!("at most {DEEPEST} are looked at"),
            ));
        }
        if roots.contains(&path[0].as_str()) {
            return Ok(path);
        }
        let mut search = PathSearch { wanted: &path, path: Vec::new(), fits: Vec::new(), n_fits: 0 };
        search.visit(&self.root);
        match (search.fits.as_slice(), search.n_fits) {
            ([one], _) => Ok(one.clone()),
            ([], _) => {
                let last = path.last().map_or("", String::as_str);
                let mut known = Vec::new();
                collect_keys(&self.root, &mut known);
                let hint = closest(last, known.into_iter().chain(roots.iter().copied())).map_or_else(
                    || format!("give the whole path, beginning with one of: {}", roots.join(", ")),
                    |word| format!("did you mean {word}?"),
                );
                Err((format!("no key {} in the scenario", start(key)), hint))
            }
            (many, n) => {
                let mut many: Vec<String> = many.iter().map(|p| start(&p.join("."))).collect();
                if n > many.len() {
                    many.push(format!("{} more", n - many.len()));
                }
                Err((
                    format!("{} stands in several places", start(key)),
                    format!("one of: {}", many.join(", ")),
                ))
            }
        }
    }

    /// The paths of the keys that are there and end as `key` does; none if they are more than a few.
    pub fn places(&self, key: &str) -> Vec<Vec<String>> {
        let wanted: Vec<String> = key.split('.').map(str::to_owned).collect();
        let mut search = PathSearch { wanted: &wanted, path: Vec::new(), fits: Vec::new(), n_fits: 0 };
        search.visit(&self.root);
        if search.n_fits > search.fits.len() { Vec::new() } else { search.fits }
    }

    /// The node at a path with dots. A number in the path is skipped where no list stands, since one table may stand for a
    /// list of one; if the end of the path is missing, the nearest table above it.
    pub fn nearest(&self, path: &str) -> &Node {
        let mut node = &self.root;
        for segment in path.split('.').filter(|s| !s.is_empty()) {
            let next = match &node.value {
                Value::Table(entries) => entries.iter().find(|(key, _)| key == segment).map(|(_, node)| node),
                Value::Array(items) => segment.parse::<usize>().ok().and_then(|i| items.get(i)),
                _ => None,
            };
            match next {
                Some(next) => node = next,
                None if segment.parse::<usize>().is_ok() => {}
                None => break,
            }
        }
        node
    }

    /// Where an origin stands, in words and text.
    pub fn place(&self, origin: &Origin) -> Place {
        match origin {
            Origin::File(span) => {
                let end = span.start.min(self.text.len());
                let line = 1 + self.text.as_bytes()[..end].iter().filter(|b| **b == b'\n').count();
                let text = self.text.lines().nth(line - 1).unwrap_or("").trim();
                Place { source: self.name.clone(), line: Some(line), text: start(text) }
            }
            Origin::Set(i) => {
                // an option of its own is named by itself
                let text = &self.sets[*i];
                let (source, text) = match text.split_once(' ') {
                    Some((option, rest)) if option.starts_with("--") => (option, rest),
                    _ => ("--set", text.as_str()),
                };
                Place { source: source.into(), line: None, text: text.into() }
            }
            Origin::Nowhere => Place { source: self.name.clone(), line: None, text: String::new() },
        }
    }

    /// A diagnostic at the nearest place to a key.
    pub fn diagnose(&self, key: &str, message: String, hint: Option<String>) -> Diagnostic {
        let place = Some(self.place(&self.nearest(key).origin));
        Diagnostic { key: key.into(), message, place, hint }
    }
}

impl Node {
    fn insert(&mut self, path: &[String], new: Value, origin: &Origin) -> Result<(), String> {
        let Some((first, rest)) = path.split_first() else {
            self.value = new;
            self.origin = origin.clone();
            return Ok(());
        };
        match &mut self.value {
            Value::Table(entries) => {
                let at = entries.iter().position(|(key, _)| key == first).unwrap_or_else(|| {
                    let node = Node { value: Value::Table(Vec::new()), origin: origin.clone() };
                    entries.push((first.clone(), node));
                    entries.len() - 1
                });
                entries[at].1.insert(rest, new, origin)
            }
            Value::Array(items) => {
                let n = items.len();
                match first.parse::<usize>().ok().and_then(|i| items.get_mut(i)) {
                    Some(item) => item.insert(rest, new, origin),
                    None => Err(format!("{first} is not a place in a list of {n} (they count from 0)")),
                }
            }
            _ => Err(format!("{first} cannot be set below a plain value")),
        }
    }

    /// Removes the key at a path, if it is there.
    pub fn remove(&mut self, path: &[String]) {
        let Some((first, rest)) = path.split_first() else { return };
        match &mut self.value {
            Value::Table(entries) if rest.is_empty() => entries.retain(|(key, _)| key != first),
            Value::Table(entries) => {
                entries.iter_mut().filter(|(key, _)| key == first).for_each(|(_, child)| child.remove(rest));
            }
            Value::Array(items) => {
                if let Some(item) = first.parse::<usize>().ok().and_then(|i| items.get_mut(i)) {
                    item.remove(rest);
                }
            }
            _ => {}
        }
    }

    /// The value as `toml` knows it, for serde.
    pub fn to_toml(&self) -> toml::Value {
        CONVERSIONS.with(|count| count.set(count.get() + 1));
        match &self.value {
            Value::Table(entries) => {
                toml::Value::Table(entries.iter().map(|(key, node)| (key.clone(), node.to_toml())).collect())
            }
            Value::Array(items) => toml::Value::Array(items.iter().map(Node::to_toml).collect()),
            Value::Float(x) => toml::Value::Float(*x),
            Value::Integer(x) => toml::Value::Integer(*x),
            Value::String(x) | Value::Datetime(x) => toml::Value::String(x.clone()),
            Value::Boolean(x) => toml::Value::Boolean(*x),
        }
    }
}

/// Places that are listed where a key stands in several.
const MAX_PLACES: usize = 8;

/// Looks for paths that end as `wanted` does. Nothing is copied but what is found: a deep tree of many leaves is small.
struct PathSearch<'a> {
    wanted: &'a [String],
    path: Vec<Step<'a>>,
    fits: Vec<Vec<String>>,
    n_fits: usize,
}

/// A key, or a number in a list.
#[derive(Clone, Copy)]
enum Step<'a> {
    Key(&'a str),
    Index(usize),
}

impl Step<'_> {
    fn is(self, word: &str) -> bool {
        match self {
            Self::Key(key) => key == word,
            Self::Index(i) => {
                word.parse() == Ok(i) && (i == 0 || !word.starts_with('0')) && !word.starts_with('+')
            }
        }
    }
}

impl<'a> PathSearch<'a> {
    fn visit(&mut self, node: &'a Node) {
        match &node.value {
            Value::Table(entries) => entries.iter().for_each(|(key, node)| self.step(Step::Key(key), node)),
            Value::Array(items) => {
                items.iter().enumerate().for_each(|(i, node)| self.step(Step::Index(i), node));
            }
            _ => {}
        }
    }

    fn step(&mut self, step: Step<'a>, node: &'a Node) {
        self.path.push(step);
        let n = self.wanted.len();
        let is_end = self.path.len() >= n
            && self.path[self.path.len() - n..]
                .iter()
                .zip(self.wanted)
                .rev()
                .all(|(step, word)| step.is(word));
        if is_end {
            self.n_fits += 1;
            if self.fits.len() < MAX_PLACES {
                let name = |step: &Step| match step {
                    Step::Key(key) => (*key).to_owned(),
                    Step::Index(i) => i.to_string(),
                };
                self.fits.push(self.path.iter().map(name).collect());
            }
        }
        self.visit(node);
        self.path.pop();
    }
}

/// Adds the names of all keys below a node.
fn collect_keys<'a>(node: &'a Node, keys: &mut Vec<&'a str>) {
    match &node.value {
        Value::Table(entries) => {
            for (key, node) in entries {
                keys.push(key);
                collect_keys(node, keys);
            }
        }
        Value::Array(items) => items.iter().for_each(|node| collect_keys(node, keys)),
        _ => {}
    }
}

/// A TOML literal, or else a text.
fn parse_literal(text: &str) -> Value {
    let line = format!("x = {text}");
    let parsed = DeTable::parse(&line).ok().and_then(|table| {
        let (_, value) = table.get_ref().iter().next()?;
        let value = convert(value.get_ref());
        (table.get_ref().len() == 1).then_some(value)
    });
    parsed.unwrap_or_else(|| Value::String(text.into()))
}

fn stamp(value: &mut Value, origin: &Origin) {
    let visit = |node: &mut Node| {
        node.origin = origin.clone();
        stamp(&mut node.value, origin);
    };
    match value {
        Value::Table(entries) => entries.iter_mut().for_each(|(_, node)| visit(node)),
        Value::Array(items) => items.iter_mut().for_each(visit),
        _ => {}
    }
}

fn convert_table(table: &DeTable) -> Value {
    let mut entries: Vec<(String, Node)> = table
        .iter()
        .map(|(key, value)| {
            let node = Node { value: convert(value.get_ref()), origin: Origin::File(key.span()) };
            (key.get_ref().to_string(), node)
        })
        .collect();
    // the order of the file, whatever the map's
    entries.sort_by_key(|(_, node)| match &node.origin {
        Origin::File(span) => span.start,
        _ => 0,
    });
    Value::Table(entries)
}

fn convert(value: &DeValue) -> Value {
    match value {
        DeValue::String(text) => Value::String(text.to_string()),
        DeValue::Boolean(truth) => Value::Boolean(*truth),
        DeValue::Datetime(time) => Value::Datetime(time.to_string()),
        DeValue::Integer(number) => {
            let digits = number.as_str().replace('_', "");
            match i64::from_str_radix(&digits, number.radix()) {
                Ok(x) => Value::Integer(x),
                // too long for a whole number: its size is what matters
                Err(_) => Value::Float(digits.parse().unwrap_or(f64::INFINITY)),
            }
        }
        DeValue::Float(number) => match number.as_str().replace('_', "").parse() {
            Ok(x) => Value::Float(x),
            Err(_) => Value::Float(f64::NAN),
        },
        DeValue::Array(items) => Value::Array(items.iter().map(spanned).collect()),
        DeValue::Table(table) => convert_table(table),
    }
}

fn spanned(item: &Spanned<DeValue>) -> Node {
    Node { value: convert(item.get_ref()), origin: Origin::File(item.span()) }
}
