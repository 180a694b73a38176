//! A contact patch as its author writes it: the file of `stiction patch`.

use crate::diagnostic::Diagnostic;
use crate::document::Document;
use crate::read;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::OnceLock;
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

/// The JSON Schema of patch files.
pub fn patch_schema() -> &'static serde_json::Value {
    static SCHEMA: OnceLock<serde_json::Value> = OnceLock::new();
    SCHEMA.get_or_init(|| schemars::schema_for!(PatchFile).to_value())
}

impl PatchFile {
    /// Reads and checks a patch; `name` is the file's, for messages, and `sets` are overrides `key=value`. All errors
    /// are found in one go.
    pub fn read(name: &str, text: &str, sets: &[String]) -> Result<Self, Vec<Diagnostic>> {
        Self::from_document(read::parsed(name, text, sets, patch_schema())?)
    }

    /// Checks a patch. All errors are found in one go.
    pub fn from_document(document: Document) -> Result<Self, Vec<Diagnostic>> {
        read::checked(document, patch_schema(), |document, file: Self| {
            let faults = Faults::of(|faults| file.patch.check(faults));
            if faults.is_empty() { Ok(file) } else { Err(read::placed(document, "patch", &faults)) }
        })
    }
}
