//! A progress bar for work that takes longer than a second; none when nobody watches.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{IsTerminal, stderr};
use std::time::{Duration, Instant};

/// Work shorter than this shows no bar.
const PATIENCE: Duration = Duration::from_secs(1);
/// Parts of the bar.
const PARTS: u64 = 1000;

/// Shows how far a run has come.
pub struct Progress {
    start: Instant,
    name: String,
    bar: Option<ProgressBar>,
    is_watched: bool,
}

impl Progress {
    pub fn new(name: &str) -> Self {
        Self { start: Instant::now(), name: name.into(), bar: None, is_watched: stderr().is_terminal() }
    }

    /// Called by the run with the fraction done. Goes on always: Ctrl-C ends the process, and files appear whole or not at all.
    pub fn tell(&mut self, fraction: f64) -> bool {
        if self.is_watched && self.start.elapsed() > PATIENCE {
            let bar = self.bar.get_or_insert_with(|| {
                let bar = ProgressBar::with_draw_target(Some(PARTS), ProgressDrawTarget::stderr());
                let style = ProgressStyle::with_template("{msg} {wide_bar} {percent:>3} % · {eta} left");
                if let Ok(style) = style {
                    bar.set_style(style);
                }
                bar.set_message(self.name.clone());
                bar
            });
            bar.set_position((fraction * PARTS as f64) as u64);
        }
        true
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
