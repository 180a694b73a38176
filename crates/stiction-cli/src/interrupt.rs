//! Ctrl-C and the clock: a run under way is asked to stop, everything else ends at once.
//!
//! A second Ctrl-C ends the process whatever it does. Files appear whole or not at all, so that it harms nothing.

use crate::failure::{Failure, say};
use std::process::exit;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// Exit code of a process that Ctrl-C has ended.
pub const CODE: u8 = 130;
/// A run that has not heard that its time is up after this much more is ended.
const GRACE: Duration = Duration::from_secs(2);

/// Why a run is stopped.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Stop {
    /// Ctrl-C.
    Interrupt,
    /// The time that was allowed is over.
    TimeUp(Duration),
}

struct Signals {
    /// Nothing is under way that could be stopped.
    is_idle: Arc<AtomicBool>,
    /// Ctrl-C was heard.
    is_heard: Arc<AtomicBool>,
}

static SIGNALS: OnceLock<Signals> = OnceLock::new();
static IS_OVER: AtomicBool = AtomicBool::new(false);
static DEADLINE: OnceLock<(Instant, Duration)> = OnceLock::new();

/// Listens from now on. Where the system refuses, Ctrl-C ends the process without a word.
pub fn listen() {
    let signals = Signals { is_idle: Arc::new(AtomicBool::new(true)), is_heard: Arc::default() };
    #[cfg(any(unix, windows))]
    {
        use signal_hook::consts::SIGINT;
        use signal_hook::flag::{register, register_conditional_shutdown};
        let code = i32::from(CODE);
        // in this order: the second Ctrl-C finds the mark of the first
        let _ = register_conditional_shutdown(SIGINT, code, Arc::clone(&signals.is_idle));
        let _ = register_conditional_shutdown(SIGINT, code, Arc::clone(&signals.is_heard));
        let _ = register(SIGINT, Arc::clone(&signals.is_heard));
        // a file that grows beyond the limit of the shell is an error of the write, which is reported
        #[cfg(unix)]
        let _ = register(signal_hook::consts::SIGXFSZ, Arc::default());
    }
    let _ = SIGNALS.set(signals);
}

/// Ends the command after `time`: runs are asked to stop, and what does not hear is ended a little later.
pub fn limit(time: Option<Duration>) {
    let Some(time) = time else { return };
    let deadline = Instant::now().checked_add(time);
    let Some(deadline) = deadline.filter(|deadline| DEADLINE.set((*deadline, time)).is_ok()) else { return };
    std::thread::spawn(move || {
        std::thread::sleep((deadline + GRACE).saturating_duration_since(Instant::now()));
        if !IS_OVER.load(SeqCst) {
            say(&Failure::stopped(Stop::TimeUp(time)).text());
            exit(2);
        }
    });
}

/// The command has stopped: what follows writes down what is finished, and is not asked to stop again. A second Ctrl-C ends it.
pub fn over() {
    IS_OVER.store(true, SeqCst);
}

/// Whether to stop, and why.
pub fn stop() -> Option<Stop> {
    if IS_OVER.load(SeqCst) {
        return None;
    }
    if SIGNALS.get().is_some_and(|signals| signals.is_heard.load(SeqCst)) {
        return Some(Stop::Interrupt);
    }
    DEADLINE.get().filter(|(deadline, _)| Instant::now() >= *deadline).map(|(_, time)| Stop::TimeUp(*time))
}

/// While this lives, Ctrl-C waits for whoever asks [`stop`].
pub struct UnderWay(());

impl UnderWay {
    pub fn begin() -> Self {
        set_idle(false);
        Self(())
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        set_idle(true);
    }
}

fn set_idle(is_idle: bool) {
    if let Some(signals) = SIGNALS.get() {
        signals.is_idle.store(is_idle, SeqCst);
    }
}
