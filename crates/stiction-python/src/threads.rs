//! Where work in parallel is done.

use std::sync::OnceLock;

static PROCESS: OnceLock<u32> = OnceLock::new();

/// Remembers the process that loads the module.
pub fn remember() {
    PROCESS.get_or_init(std::process::id);
}

/// Whether this process was forked from the one that loaded the module: the threads stayed behind there, and work that
/// waits for them would wait for ever.
pub fn is_forked() -> bool {
    PROCESS.get().is_some_and(|id| *id != std::process::id())
}
