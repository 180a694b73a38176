//! A contact patch as its author writes it: the file of `stiction patch`.

use crate::budget::Budget;
use crate::embedded::Embedded;
use crate::placed::placed;
use keyed::Diagnostic;
use keyed::{Document, Value};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stiction::Faults;
use stiction::patch::Patch;

/// A contact patch for stiction. SI units; lists count from 0.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PatchFile {
    /// What the figures and the summary are called.
    #[serde(default)]
    pub title: String,
    /// The patch: shape, pressure, friction coefficient, load.
    pub patch: Patch,
}

/// The committed schema.
pub(crate) static SCHEMA: Embedded = Embedded::new(include_str!("../schema/patch.schema.json"));

/// The JSON Schema of patch files.
pub fn patch_schema() -> &'static serde_json::Value {
    SCHEMA.get()
}

/// The JSON Schema of patch files, built from their types.
pub fn generated_patch_schema() -> serde_json::Value {
    schemars::schema_for!(PatchFile).to_value()
}

/// Sets a key of a patch file to a value; `written` is how the user put it. Otherwise what is wrong, and
/// perhaps a hint.
pub fn assign_to_patch(
    document: &mut Document,
    key: &str,
    value: Value,
    written: &str,
) -> Result<(), (String, Option<String>)> {
    document.assign_within(key, value, written, SCHEMA.by_definition())
}

impl PatchFile {
    /// Reads and checks a patch; `name` is the file's, for messages, and `sets` are overrides `key=value`.
    /// All errors are found in one go.
    pub fn read(name: &str, text: &str, sets: &[String]) -> Result<Self, Vec<Diagnostic>> {
        Budget::default().check_file(name, text)?;
        Self::from_document(keyed::parsed(name, text, sets, &assign_to_patch)?)
    }

    /// Checks a patch. All errors are found in one go.
    pub fn from_document(document: Document) -> Result<Self, Vec<Diagnostic>> {
        keyed::checked(document, SCHEMA.by_definition(), |document, file: Self| {
            let faults = Faults::of(|faults| file.patch.check(faults));
            if faults.is_empty() { Ok(file) } else { Err(placed(document, "patch", &faults)) }
        })
    }
}
