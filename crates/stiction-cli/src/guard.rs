//! A panic is a bug of ours: it is said to be one, and nothing half-done is left behind.

use crate::failure::Failure;
use std::any::Any;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook};

thread_local! {
    /// Where the last panic of this thread happened.
    static PLACE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Remembers where a panic happened instead of printing it.
pub fn quiet() {
    set_hook(Box::new(|info| {
        let place = info.location().map(|at| format!("{}:{}", at.file(), at.line())).unwrap_or_default();
        PLACE.with_borrow_mut(|last| *last = place);
    }));
}

/// Runs `work` on `subject`; a panic becomes a failure.
pub fn guarded<T>(subject: &str, work: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    // nothing that `work` leaves half-changed is looked at again
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let place = PLACE.with_borrow_mut(std::mem::take);
        Err(Failure::Internal { subject: subject.into(), message: message(panic.as_ref()), place })
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
    fn a_panic_becomes_an_internal_error_with_exit_code_2() {
        let list: Vec<i32> = Vec::new();
        let failure = guarded("odd.toml", || Ok(list[3])).expect_err("no panic");
        assert_eq!(failure.code(), 2);
        let text = failure.text();
        for word in ["internal error", "odd.toml", "index out of bounds", "report"] {
            assert!(text.contains(word), "{text}");
        }
        assert!(guarded("sound.toml", || Ok(1)).is_ok());
    }
}
