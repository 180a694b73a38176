//! From text to a checked value: the steps that every kind of file goes through.
//!
//! Parse, override, compare with the schema, deserialise, check. All errors are found in one go.

use crate::diagnostic::Diagnostic;
use crate::document::Document;
use crate::shape;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;
use stiction::Fault;

/// The document in `text` with its overrides `key=value`; `name` is the file's, for messages.
pub(crate) fn parsed(
    name: &str,
    text: &str,
    sets: &[String],
    schema: &Json,
) -> Result<Document, Vec<Diagnostic>> {
    let mut document = Document::parse(name, text)?;
    let roots = shape::roots(schema);
    let refused: Vec<Diagnostic> =
        sets.iter().filter_map(|set| document.set(set, &roots).err()).map(|d| *d).collect();
    if refused.is_empty() { Ok(document) } else { Err(refused) }
}

/// What `check` makes of the value in a document. Where the document does not fit the schema, the likeliest guess is
/// checked, so that the rest of it is looked at too.
pub(crate) fn checked<T: DeserializeOwned, U>(
    mut document: Document,
    schema: &Json,
    check: impl FnOnce(&Document, T) -> Result<U, Vec<Diagnostic>>,
) -> Result<U, Vec<Diagnostic>> {
    let mut diagnostics = shape::misfits(&mut document, schema);
    let value = match T::deserialize(document.root.to_toml()) {
        Ok(value) => value,
        Err(error) => {
            if diagnostics.is_empty() {
                let message = error.message().replace('\n', " ");
                diagnostics.push(document.diagnose("", message, None));
            }
            return Err(diagnostics);
        }
    };
    let is_whole = diagnostics.is_empty();
    match check(&document, value) {
        Ok(good) if is_whole => Ok(good),
        Ok(_) => Err(diagnostics),
        Err(more) => {
            // what was repaired for the sake of the check has been reported already
            let known: Vec<String> = diagnostics.iter().map(|d| d.key.clone()).collect();
            diagnostics.extend(more.into_iter().filter(|d| !known.contains(&d.key)));
            Err(diagnostics)
        }
    }
}

/// Faults that the core found below `prefix`, each at its place.
pub(crate) fn placed(document: &Document, prefix: &str, faults: &[Fault]) -> Vec<Diagnostic> {
    let place = |fault: &Fault| {
        let parts = [prefix, fault.key.as_str()];
        let key = parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(".");
        document.diagnose(&key, fault.error.to_string(), fault.error.hint().map(str::to_owned))
    };
    faults.iter().map(place).collect()
}
