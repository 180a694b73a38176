//! Faults of the core as diagnostics, each at its place in the document.

use keyed::{Diagnostic, Document};
use stiction::Fault;

/// Faults that the core found below `prefix`, each at its place.
pub(crate) fn placed(document: &Document, prefix: &str, faults: &[Fault]) -> Vec<Diagnostic> {
    let place = |fault: &Fault| {
        let parts = [prefix, fault.key.as_str()];
        let key = parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(".");
        document.diagnose(&key, fault.error.to_string(), fault.error.hint().map(str::to_owned))
    };
    faults.iter().map(place).collect()
}
