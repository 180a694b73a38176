//! From text to a checked value: the steps that every kind of file goes through.
//!
//! Parse, override, compare with the schema, deserialise, check. All errors are found in one go.

#![warn(clippy::unwrap_used, clippy::expect_used)]

mod definitions;
mod diagnostic;
mod document;
mod places;
mod plain;
mod schema;

pub use definitions::Schema;
pub use diagnostic::{Diagnostic, MAX_SHOWN, Place, closest};
#[doc(hidden)]
pub use document::conversions;
pub use document::{Document, Node, Origin, Value};
pub use plain::{plain, start};
pub use schema::roots;

use schema::Misfits;
use serde::de::DeserializeOwned;

/// Sets a key of a document to a value; the third is how the user put it. Otherwise what is wrong, and perhaps a hint.
pub type Assign<'a> = &'a dyn Fn(&mut Document, &str, Value, &str) -> Result<(), (String, Option<String>)>;

/// The document in `text` with its overrides `key=value`, each set by `assign`; `name` is the file's, for messages.
pub fn parsed(name: &str, text: &str, sets: &[String], assign: Assign) -> Result<Document, Vec<Diagnostic>> {
    let mut document = Document::parse(name, text)?;
    let refused: Vec<Diagnostic> =
        sets.iter().filter_map(|set| document.set_by(set, assign).err()).map(|d| *d).collect();
    if refused.is_empty() { Ok(document) } else { Err(Diagnostic::capped(refused)) }
}

/// [`checked`], after `prepare` has put the document into the form that the schema describes; faults of both are reported together.
pub fn prepared<T: DeserializeOwned, U>(
    mut document: Document,
    schema: &Schema,
    prepare: impl FnOnce(&mut Document) -> Vec<Diagnostic>,
    check: impl FnOnce(&Document, T) -> Result<U, Vec<Diagnostic>>,
) -> Result<U, Vec<Diagnostic>> {
    let mut faults = prepare(&mut document);
    match checked(document, schema, check) {
        found if faults.is_empty() => found,
        Ok(_) => Err(faults),
        Err(more) => {
            faults.extend(more);
            Err(Diagnostic::capped(faults))
        }
    }
}

/// What `check` makes of the value in a document. Where the document does not fit the schema, the likeliest guess is
/// checked, so that the rest of it is looked at too; what may follow from the guess is not reported.
pub fn checked<T: DeserializeOwned, U>(
    mut document: Document,
    schema: &Schema,
    check: impl FnOnce(&Document, T) -> Result<U, Vec<Diagnostic>>,
) -> Result<U, Vec<Diagnostic>> {
    let (mut diagnostics, guesses) = match schema::misfits(&mut document, schema) {
        Misfits::All(found, guesses) => (found, guesses),
        // what can be guessed of such a document says nothing
        Misfits::TooMany(found) => return Err(found),
    };
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
            let is_own = |d: &Diagnostic| !guesses.may_cause(d) && !known.contains(&d.key);
            diagnostics.extend(more.into_iter().filter(|d| is_whole || is_own(d)));
            Err(Diagnostic::capped(diagnostics))
        }
    }
}
