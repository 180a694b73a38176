//! How far a run has come, for who watches and for who stops it.

use crate::failure::say;
use crate::interrupt::{self, UnderWay};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use keyed::plain;
use std::cell::RefCell;
use std::io::{IsTerminal, stderr};
use std::sync::Mutex;
use std::time::{Duration, Instant};
use stiction::Progress;
use stiction_dataset::SweepProgress;
use stiction_study::patience::{FIRST_LINE, is_long, so_far};

/// Work shorter than this shows no bar.
const PATIENCE: Duration = Duration::from_secs(1);
/// Parts of the bar.
const PARTS: u64 = 1000;

/// Runs `work`, shows how far it has come, and asks it to stop when it is to stop.
pub fn with_bar<T>(name: &str, work: impl FnOnce(&mut Progress) -> T) -> T {
    with_advice(name, None, work)
}

/// The same; if it will take long, `advice` says what to write instead.
pub fn with_advice<T>(name: &str, advice: Option<&'static str>, work: impl FnOnce(&mut Progress) -> T) -> T {
    let mut watch = Watch::new(name);
    watch.advice = advice;
    let watch = RefCell::new(watch);
    let hear = |words: &str| watch.borrow_mut().note = format!(" · {words}");
    work(&mut Progress::new(&mut |fraction| watch.borrow_mut().report(fraction)).saying(&hear))
}

/// Runs a sweep, shows how many points it makes a second and how long it will take, and asks it to stop when it is to stop.
pub fn with_rows<T>(name: &str, work: impl FnOnce(&mut (dyn FnMut(SweepProgress) -> bool + Send)) -> T) -> T {
    let mut watch = Watch::new(name);
    work(&mut |done| {
        let SweepProgress { before, computed, rows } = done;
        let rate = computed as f64 / watch.start.elapsed().as_secs_f64();
        watch.note = format!(" · {} of {rows} points · {rate:.0} points/s", before + computed);
        // what was there before takes no time
        let wanted = (rows - before).max(1);
        watch.report(computed as f64 / wanted as f64)
    })
}

/// How far the last run has come: the fraction done, and the time that it took.
pub fn last() -> Option<(f64, Duration)> {
    LAST.lock().ok().and_then(|last| *last)
}

static LAST: Mutex<Option<(f64, Duration)>> = Mutex::new(None);

struct Watch {
    start: Instant,
    name: String,
    /// What is said beside it.
    note: String,
    bar: Option<ProgressBar>,
    next_line: Duration,
    /// What to write instead; none once it was said.
    advice: Option<&'static str>,
    has_terminal: bool,
    _under_way: UnderWay,
}

impl Watch {
    fn new(name: &str) -> Self {
        Self {
            start: Instant::now(),
            name: plain(name).replace('\n', " "),
            note: String::new(),
            bar: None,
            next_line: FIRST_LINE,
            advice: None,
            has_terminal: stderr().is_terminal(),
            _under_way: UnderWay::begin(),
        }
    }

    /// Called by the run with the fraction done; returns whether to go on.
    fn report(&mut self, fraction: f64) -> bool {
        let (fraction, elapsed) = (fraction.clamp(0.0, 1.0), self.start.elapsed());
        if self.has_terminal && elapsed > PATIENCE {
            self.draw(fraction);
        } else if !self.has_terminal && elapsed > self.next_line {
            self.next_line = 2 * elapsed;
            say(&format!("{}: {}{}", self.name, so_far(fraction, elapsed), self.note));
        }
        if elapsed > FIRST_LINE {
            self.advise(fraction, elapsed);
        }
        let goes_on = interrupt::stop().is_none();
        if !goes_on && let Ok(mut last) = LAST.lock() {
            *last = Some((fraction, elapsed));
        }
        goes_on
    }

    /// Says once what to write instead of what takes long.
    fn advise(&mut self, fraction: f64, elapsed: Duration) {
        let Some(advice) = self.advice.take() else { return };
        if !is_long(fraction, elapsed) {
            return;
        }
        match &self.bar {
            Some(bar) => {
                bar.println(format!("{}: {}\nhint: {advice}", self.name, so_far(fraction, elapsed)));
            }
            None => say(&format!("hint: {advice}")),
        }
    }

    fn draw(&mut self, fraction: f64) {
        let bar = self.bar.get_or_insert_with(|| {
            let bar = ProgressBar::with_draw_target(Some(PARTS), ProgressDrawTarget::stderr());
            let style = ProgressStyle::with_template("{msg} {wide_bar} {percent:>3} % · {eta} left");
            if let Ok(style) = style {
                bar.set_style(style);
            }
            bar
        });
        bar.set_message(format!("{}{}", self.name, self.note));
        bar.set_position((fraction * PARTS as f64) as u64);
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
