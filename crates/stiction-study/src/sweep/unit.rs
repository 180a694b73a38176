//! The text of a key in the schema, and its unit, which stands in parentheses at the end of it.

use crate::scenario::schema;
use serde_json::Value as Json;

/// SI unit of the number at a path; `-` if the schema has none.
pub(crate) fn unit(path: &[String]) -> String {
    let text = described(path);
    let inner = text.and_then(|text| text.trim_end_matches('.').strip_suffix(')')?.rsplit_once(" ("));
    inner.map_or_else(|| "-".into(), |(_, unit)| unit.into())
}

/// What the schema says of the key at a path.
pub(crate) fn described(path: &[String]) -> Option<&'static str> {
    let root = schema();
    field(root, root, path).and_then(|field| field.get("description")).and_then(Json::as_str)
}

/// The field at the end of a path: through references, choices and lists.
fn field<'a>(root: &'a Json, at: &'a Json, path: &[String]) -> Option<&'a Json> {
    let Some((first, rest)) = path.split_first() else { return Some(at) };
    if let Some(name) = at.get("$ref").and_then(Json::as_str) {
        let target = root.pointer(name.trim_start_matches('#'))?;
        return field(root, target, path);
    }
    if let Some(next) = at.get("properties").and_then(|properties| properties.get(first)) {
        return field(root, next, rest);
    }
    if let Some(items) = at.get("items")
        && first.parse::<usize>().is_ok()
    {
        return field(root, items, rest);
    }
    let choices = ["oneOf", "anyOf", "allOf"].iter().filter_map(|word| at.get(word)?.as_array()).flatten();
    choices.filter_map(|choice| field(root, choice, path)).next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_those_of_the_schema() {
        let unit = |path: &str| unit(&path.split('.').map(str::to_owned).collect::<Vec<_>>());
        assert_eq!(unit("system.oscillator.mass"), "kg");
        assert_eq!(unit("system.oscillator.friction.coulomb.mu"), "-");
        assert_eq!(unit("system.oscillator.force.0.omega"), "rad/s");
        assert_eq!(unit("analysis.transient.duration"), "s");
        assert_eq!(unit("integrator.rk4.step"), "s");
        assert_eq!(unit("system.body.mass"), "kg");
        assert_eq!(unit("nowhere.at.all"), "-");
    }
}
