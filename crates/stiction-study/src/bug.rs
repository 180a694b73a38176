//! A panic is a bug of ours: a front end catches it at its border and says so.

use std::any::Any;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook};
use std::sync::{Mutex, PoisonError};

/// Where the last panic happened, on whatever thread.
static PLACE: Mutex<String> = Mutex::new(String::new());

/// A panic that was caught.
#[derive(Clone, Debug, PartialEq)]
pub struct Bug {
    /// What it said.
    pub message: String,
    /// File and line of the source; empty if it is not known.
    pub place: String,
}

impl Bug {
    /// What the user can do about it.
    pub const HINT: &str =
        "this is a mistake of stiction, not yours: please report it with the scenario that shows it";
}

impl fmt::Display for Bug {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let at = if self.place.is_empty() { "" } else { ", at " };
        write!(f, "{}{at}{}", self.message, self.place)
    }
}

/// Remembers where a panic happens instead of printing it, from now on.
pub fn quiet() {
    set_hook(Box::new(|info| {
        let place = info.location().map(|at| format!("{}:{}", at.file(), at.line())).unwrap_or_default();
        *PLACE.lock().unwrap_or_else(PoisonError::into_inner) = place;
    }));
}

/// Does `work`; a panic in it becomes a [`Bug`].
pub fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, Bug> {
    // nothing that `work` leaves half-changed is looked at again
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        // two threads may have panicked at once: the place stays for the other
        let place = PLACE.lock().unwrap_or_else(PoisonError::into_inner).clone();
        Bug { message: message(panic.as_ref()), place }
    })
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_reported_with_its_message() {
        let list: Vec<i32> = Vec::new();
        let bug = guarded(|| list[3]).unwrap_err();
        assert!(bug.to_string().starts_with("index out of bounds"), "{bug}");
        assert_eq!(guarded(|| 1), Ok(1));
    }
}
