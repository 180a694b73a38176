//! Where a key that a document lacks could stand: along the tables that are there and the schema.

use crate::definitions::Schema;
use crate::document::{Node, Value};
use serde_json::Value as Json;
use std::collections::BTreeSet;

/// The paths of tables of the document, with `wanted` behind them, at which the schema has a key.
pub(crate) fn places(root: &Node, schema: &Schema, wanted: &[String]) -> Vec<Vec<String>> {
    let mut search = KeySearch { schema, wanted, path: Vec::new(), found: Vec::new() };
    search.visit(root, &[schema.root()]);
    search.found
}

/// Paths of the schema that end as `wanted` in tables that the document lacks, beside the choices that it has made; at most `most`.
pub(crate) fn absent_places(
    root: &Node,
    schema: &Schema,
    wanted: &[String],
    most: usize,
) -> Vec<Vec<String>> {
    let mut search = KeySearch { schema, wanted, path: Vec::new(), found: Vec::new() };
    search.visit_schema(Some(root), &[schema.root()], most);
    search.found.truncate(most);
    search.found
}

/// Tables below tables in which a key is looked for.
const DEEPEST_TABLE: usize = 6;

struct KeySearch<'a> {
    schema: &'a Schema,
    wanted: &'a [String],
    path: Vec<String>,
    found: Vec<Vec<String>>,
}

impl<'a> KeySearch<'a> {
    fn visit(&mut self, node: &Node, forms: &[&'a Json]) {
        match &node.value {
            Value::Table(entries) => {
                if self.fits(Some(node), forms, self.wanted) {
                    self.found.push([self.path.as_slice(), self.wanted].concat());
                }
                for (key, child) in entries {
                    let below = below(self.schema, forms, key);
                    self.step(key, child, &below);
                }
            }
            Value::Array(items) => {
                let below = below_list(self.schema, forms);
                items.iter().enumerate().for_each(|(i, item)| self.step(&i.to_string(), item, &below));
            }
            _ => {}
        }
    }

    fn step(&mut self, key: &str, child: &Node, forms: &[&'a Json]) {
        if forms.is_empty() {
            return;
        }
        self.path.push(key.to_owned());
        self.visit(child, forms);
        self.path.pop();
    }

    /// Visits all tables of the schema, with the node of the document where it has one.
    fn visit_schema(&mut self, node: Option<&Node>, forms: &[&'a Json], most: usize) {
        if self.path.len() == DEEPEST_TABLE || self.found.len() >= most {
            return;
        }
        if self.fits(node, forms, self.wanted) {
            self.found.push([self.path.as_slice(), self.wanted].concat());
        }
        let entries = match node.map(|node| &node.value) {
            Some(Value::Table(entries)) => entries.as_slice(),
            None => &[],
            Some(_) => return,
        };
        let child = |key: &str| entries.iter().find(|(name, _)| name == key).map(|(_, child)| child);
        for key in keys(self.schema, forms, &|key| child(key).is_some()) {
            self.path.push(key.to_owned());
            self.visit_schema(child(key), &below(self.schema, forms, key), most);
            self.path.pop();
        }
    }

    /// Whether the schema has a key at the rest of a path, below what the document has.
    fn fits(&self, node: Option<&Node>, forms: &[&'a Json], rest: &[String]) -> bool {
        let Some((first, rest)) = rest.split_first() else { return true };
        let (child, forms) = match node.map(|node| &node.value) {
            Some(Value::Array(items)) => {
                let item = first.parse::<usize>().ok().and_then(|i| items.get(i));
                if item.is_none() {
                    return false;
                }
                (item, below_list(self.schema, forms))
            }
            Some(Value::Table(entries)) => {
                let child = entries.iter().find(|(key, _)| key == first).map(|(_, child)| child);
                (child, below(self.schema, forms, first))
            }
            _ => (None, below(self.schema, forms, first)),
        };
        !forms.is_empty() && self.fits(child, &forms, rest)
    }
}

/// Follows `$ref` and the choices of a schema.
fn resolved<'a>(schema: &'a Schema, form: &'a Json, visit: &mut dyn FnMut(&'a Json)) {
    if let Some(target) = form.get("$ref").and_then(Json::as_str).and_then(|name| schema.referred(name)) {
        return resolved(schema, target, visit);
    }
    visit(form);
    for choices in ["anyOf", "oneOf"] {
        let choices = form.get(choices).and_then(Json::as_array);
        choices.into_iter().flatten().for_each(|choice| resolved(schema, choice, visit));
    }
}

/// The keys of a table; of a choice between keys the one that the document has, if it has one.
fn keys<'a>(schema: &'a Schema, forms: &[&'a Json], is_there: &dyn Fn(&str) -> bool) -> BTreeSet<&'a str> {
    let names = |form: &'a Json| {
        form.get("properties").and_then(Json::as_object).into_iter().flatten().map(|(name, _)| name.as_str())
    };
    let (mut found, mut others) = (BTreeSet::new(), BTreeSet::new());
    for form in forms {
        resolved(schema, form, &mut |form| {
            found.extend(names(form));
            let choices = form.get("oneOf").and_then(Json::as_array);
            let tags: Vec<&str> = choices.into_iter().flatten().flat_map(names).collect();
            if tags.iter().any(|tag| is_there(tag)) {
                others.extend(tags.into_iter().filter(|tag| !is_there(tag)));
            }
        });
    }
    &found - &others
}

/// The schemas of a key of a table.
pub(crate) fn below<'a>(schema: &'a Schema, forms: &[&'a Json], key: &str) -> Vec<&'a Json> {
    let mut found = Vec::new();
    for form in forms {
        resolved(schema, form, &mut |form| found.extend(form.get("properties").and_then(|all| all.get(key))));
    }
    found
}

/// The schemas of the members of a list.
fn below_list<'a>(schema: &'a Schema, forms: &[&'a Json]) -> Vec<&'a Json> {
    let mut found = Vec::new();
    for form in forms {
        resolved(schema, form, &mut |form| found.extend(form.get("items")));
    }
    found
}

/// Keys that cannot stand beside the one at `path`, since they are the same in another unit.
pub(crate) fn in_other_units(schema: &Schema, path: &[String]) -> Vec<String> {
    let Some((key, above)) = path.split_last() else { return Vec::new() };
    let mut forms: Vec<&Json> = vec![schema.root()];
    for name in above {
        let is_index = name.parse::<usize>().is_ok();
        forms = if is_index { below_list(schema, &forms) } else { below(schema, &forms, name) };
    }
    let mut others = Vec::new();
    for form in &forms {
        resolved(schema, form, &mut |form| {
            let properties = form.get("properties").and_then(Json::as_object);
            for (name, property) in properties.into_iter().flatten() {
                let Some(instead) = property.get("x-instead-of").and_then(Json::as_str) else { continue };
                match (name == key, instead == key) {
                    (true, _) => others.push(instead.to_owned()),
                    (_, true) => others.push(name.clone()),
                    _ => {}
                }
            }
        });
    }
    others
}
