//! Overrides of a scenario: a key that is there or could be, and the law of a contact by its name.
//!
//! `law=lugre` takes another law for every contact, `friction.0.law=lugre` for one. Parameters that both laws
//! have are kept; those that the new one needs besides are reported as missing, unless another override gives
//! them.

use crate::scenario::checks;
use keyed::{Document, Node, Value, closest};
use stiction::law::FrictionLaw;

/// Sets a key of a scenario to a value; `written` is how the user put it. Otherwise what is wrong, and
/// perhaps a hint.
pub fn assign(
    document: &mut Document,
    key: &str,
    value: Value,
    written: &str,
) -> Result<(), (String, Option<String>)> {
    match (key.strip_suffix("law"), &value) {
        (Some(above), Value::String(law)) if above.is_empty() || above.ends_with('.') => {
            let law = law.clone();
            switch(document, above.trim_end_matches('.'), &law, written)
        }
        _ => document.assign_within(key, value, written, checks()),
    }
}

/// Takes another law for the contacts at a path, for all if it is empty.
fn switch(
    document: &mut Document,
    above: &str,
    law: &str,
    written: &str,
) -> Result<(), (String, Option<String>)> {
    if !FrictionLaw::NAMES.contains(&law) {
        let known = FrictionLaw::NAMES.join(", ");
        let hint = closest(law, FrictionLaw::NAMES.iter().copied())
            .map_or_else(|| format!("one of: {known}"), |word| format!("did you mean {word}?"));
        return Err((format!("no law is called {law}"), Some(hint)));
    }
    let mut contacts = Vec::new();
    collect(&document.root, &mut Vec::new(), &mut contacts);
    let end: Vec<&str> = above.split('.').filter(|part| !part.is_empty()).collect();
    contacts.retain(|(path, _)| {
        path.len() >= end.len()
            && path[path.len() - end.len()..].iter().zip(&end).all(|(own, part)| own == part)
    });
    if contacts.is_empty() {
        let message =
            format!("no contact with a law at {}", if above.is_empty() { "friction" } else { above });
        return Err((message, None));
    }
    for (path, old) in contacts {
        let own = [path.as_slice(), std::slice::from_ref(&old)].concat();
        let kept = match &document.nearest(&own.join(".")).value {
            Value::Table(entries) => entries.iter().filter(|(key, _)| has(law, key)).cloned().collect(),
            _ => Vec::new(),
        };
        document.root.remove(&own);
        let table: Vec<(String, Node)> = kept;
        let path = [path.as_slice(), &[law.to_owned()]].concat().join(".");
        document.assign_within(&path, Value::Table(table), written, checks())?;
    }
    Ok(())
}

/// Whether a law has a parameter.
fn has(law: &str, key: &str) -> bool {
    let path = ["system", "oscillator", "friction", law, key].map(str::to_owned);
    crate::sweep::described(&path).is_some()
}

/// Contacts, by their paths, with the names of their laws.
fn collect(node: &Node, path: &mut Vec<String>, found: &mut Vec<(Vec<String>, String)>) {
    let children: Vec<(String, &Node)> = match &node.value {
        Value::Table(entries) => {
            let law = entries.iter().find(|(key, _)| FrictionLaw::NAMES.contains(&key.as_str()));
            if let Some((law, _)) = law.filter(|_| path.iter().any(|part| part == "friction")) {
                found.push((path.clone(), law.clone()));
                return;
            }
            entries.iter().map(|(key, child)| (key.clone(), child)).collect()
        }
        Value::Array(items) => items.iter().enumerate().map(|(i, item)| (i.to_string(), item)).collect(),
        _ => return,
    };
    for (key, child) in children {
        path.push(key);
        collect(child, path, found);
        path.pop();
    }
}
