//! A schema that is committed beside the types that it is generated from.

use keyed::Schema;
use serde_json::Value as Json;
use std::sync::OnceLock;

/// The text of a schema, read when it is first asked for.
pub(crate) struct Embedded {
    text: &'static str,
    value: OnceLock<Json>,
    by_definition: OnceLock<Schema>,
}

impl Embedded {
    pub(crate) const fn new(text: &'static str) -> Self {
        Self { text, value: OnceLock::new(), by_definition: OnceLock::new() }
    }

    /// The schema. A text that cannot be read, which the tests find, checks nothing. What generates it is not
    /// called here, so that programs that never do are smaller by it.
    pub(crate) fn get(&self) -> &Json {
        self.value.get_or_init(|| serde_json::from_str(self.text).unwrap_or(Json::Bool(true)))
    }

    /// The schema for checks, of which no more is read than they need.
    pub(crate) fn by_definition(&self) -> &Schema {
        self.by_definition.get_or_init(|| Schema::new(self.text))
    }

    /// Puts a generated schema in place of the text, unless that has been read already.
    pub(crate) fn refresh(&self, generate: fn() -> Json) {
        self.value.get_or_init(generate);
        self.by_definition.get_or_init(|| self.get().clone().into());
    }
}

#[cfg(test)]
mod tests {
    use crate::patch_file::{generated_patch_schema, patch_schema};
    use crate::scenario::{generated_schema, schema};

    #[test]
    fn the_committed_schemas_are_those_of_the_types() {
        assert!(*schema() == generated_schema(), "run `cargo xtask generate`");
        assert!(*patch_schema() == generated_patch_schema(), "run `cargo xtask generate`");
    }

    #[test]
    fn definitions_that_are_read_one_by_one_are_those_of_the_whole() {
        let patches = crate::patch_file::SCHEMA.by_definition();
        for (whole, schema) in [(schema(), crate::scenario::checks()), (patch_schema(), patches)] {
            for (name, definition) in whole["$defs"].as_object().unwrap() {
                assert_eq!(schema.referred(&format!("#/$defs/{name}")), Some(definition), "{name}");
            }
            // the generator writes them so that they can be distinguished without being read
            assert!(schema.root().get("$defs").is_none());
            assert_eq!(schema.root()["properties"], whole["properties"]);
        }
    }
}
