//! A JSON Schema whose definitions are read one by one: a document meets a few of them, and to read them all would take longer than to check it.

use serde_json::Value as Json;
use std::sync::OnceLock;

/// Where the definitions begin and end in a schema as it is written: two spaces for each level.
const BEGIN: &str = "\n  \"$defs\": {\n    \"";
const END: &str = "\n  }";
/// Between two definitions.
const NEXT: &str = "\n    },\n    \"";
/// Between the name of a definition and its table.
const NAMED: &str = "\": {";

/// A JSON Schema.
pub struct Schema {
    root: Json,
    definitions: Vec<Definition>,
}

struct Definition {
    name: &'static str,
    /// From the first key up to the bracket that closes it.
    text: &'static str,
    value: OnceLock<Json>,
}

impl Schema {
    /// The schema in a text, whose definitions are read when they are first asked for if it is written as the generator writes it. A text that
    /// cannot be read checks nothing.
    pub fn new(text: &'static str) -> Self {
        Self::split(text).unwrap_or_else(|| serde_json::from_str(text).unwrap_or(Json::Bool(true)).into())
    }

    fn split(text: &'static str) -> Option<Self> {
        let (head, rest) = text.split_once(BEGIN)?;
        let (body, tail) = rest.rsplit_once(END)?;
        let body = body.strip_suffix("\n    }")?;
        let split = |definition: &'static str| {
            let (name, text) = definition.split_once(NAMED)?;
            Some(Definition { name, text, value: OnceLock::new() })
        };
        let definitions = body.split(NEXT).map(split).collect::<Option<Vec<_>>>()?;
        // the comma before the definitions goes with them
        let root = format!("{}{tail}", head.trim_end().strip_suffix(',')?);
        Some(Self { root: serde_json::from_str(&root).ok()?, definitions })
    }

    /// The schema of the whole document, its definitions left out or not.
    pub fn root(&self) -> &Json {
        &self.root
    }

    /// What a reference such as `#/$defs/Name` stands for.
    pub fn referred(&self, reference: &str) -> Option<&Json> {
        let pointer = reference.trim_start_matches('#');
        let name = pointer.strip_prefix("/$defs/");
        match name.and_then(|name| self.definitions.iter().find(|definition| definition.name == name)) {
            Some(definition) => Some(definition.value.get_or_init(|| definition.read())),
            None => self.root.pointer(pointer),
        }
    }
}

impl Definition {
    fn read(&self) -> Json {
        serde_json::from_str(&format!("{{{}}}", self.text)).unwrap_or(Json::Bool(true))
    }
}

impl From<Json> for Schema {
    fn from(root: Json) -> Self {
        Self { root, definitions: Vec::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r##"{
  "$ref": "#/$defs/A",
  "$defs": {
    "A": {
      "type": "object",
      "properties": {
        "b": {
          "$ref": "#/$defs/B"
        }
      }
    },
    "B": {
      "type": "number"
    }
  }
}
"##;

    #[test]
    fn definitions_are_read_one_by_one() {
        let whole: Json = serde_json::from_str(TEXT).unwrap();
        let schema = Schema::new(TEXT);
        assert_eq!(schema.definitions.len(), 2);
        for name in ["A", "B"] {
            assert_eq!(schema.referred(&format!("#/$defs/{name}")), Some(&whole["$defs"][name]), "{name}");
        }
        assert_eq!(schema.root(), &serde_json::json!({ "$ref": "#/$defs/A" }));
    }

    #[test]
    fn a_text_that_is_written_otherwise_is_read_whole() {
        let schema = Schema::new(r##"{ "$ref": "#/$defs/A", "$defs": { "A": { "type": "number" } } }"##);
        assert_eq!(schema.referred("#/$defs/A").unwrap()["type"], "number");
        assert_eq!(Schema::new("{").root(), &Json::Bool(true));
    }
}
