//! A panic is a bug of ours: it is said to be one, and nothing half-done is left behind.

use crate::failure::Failure;
use stiction_study::bug;

/// Runs `work` on `subject`; a panic becomes a failure.
pub fn guarded<T>(subject: &str, work: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    bug::guarded(work).unwrap_or_else(|bug| Err(Failure::Internal { subject: subject.into(), bug }))
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
