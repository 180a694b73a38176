//! Laws that the calling program brings along, by the names that scenarios call them.
//!
//! A scenario is text, and such a law is not: it is looked up where a scenario is resolved. A law is here as
//! long as somebody holds it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use stiction::law::{Law, SharedLaw};

type WeakLaw = Weak<dyn Law + Send + Sync>;

static LAWS: Mutex<BTreeMap<String, WeakLaw>> = Mutex::new(BTreeMap::new());

/// Makes a law known under a name for as long as it is held; another one of that name is forgotten.
pub fn give_law(name: &str, law: &SharedLaw) {
    let mut laws = LAWS.lock().unwrap_or_else(PoisonError::into_inner);
    laws.retain(|_, law| law.strong_count() > 0);
    laws.insert(name.to_owned(), Arc::downgrade(&law.0));
}

/// The law of this name, if somebody still holds it.
pub(crate) fn given(name: &str) -> Option<SharedLaw> {
    let laws = LAWS.lock().unwrap_or_else(PoisonError::into_inner);
    laws.get(name).and_then(Weak::upgrade).map(SharedLaw)
}
