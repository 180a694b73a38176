//! Long work: progress is reported, Ctrl-C is heard, and it ends in time.

use crate::errors;
use crate::guard::inject;
use crate::threads::is_forked;
use pyo3::prelude::*;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};
use stiction::{Error, Progress, ShortNumber};
use stiction_dataset::{DatasetError, SweepProgress};
use stiction_study::patience::{FIRST_LINE, is_long, so_far};
use stiction_study::{Bug, bug};

/// Between two looks at the keyboard: too short to be noticed, too long to cost anything.
const PAUSE: Duration = Duration::from_millis(50);

/// When work has to be done; without end if absent.
#[derive(Clone, Copy)]
pub struct Deadline {
    /// The moment, and the time that was allowed (s).
    end: Option<(Instant, f64)>,
}

impl Deadline {
    /// No end.
    pub const NONE: Self = Self { end: None };

    /// After `max_time` seconds from now.
    pub fn after(max_time: Option<f64>) -> PyResult<Self> {
        let Some(time) = max_time else { return Ok(Self::NONE) };
        if !(time > 0.0) {
            let message = format!("max_time = {}, but it must be positive", ShortNumber(time));
            return Err(errors::value(message, Some("leave it out for no limit")));
        }
        // what no clock measures is no limit
        let wait = Duration::try_from_secs_f64(time).ok();
        Ok(Self { end: wait.and_then(|wait| Instant::now().checked_add(wait)).map(|end| (end, time)) })
    }

    fn is_over(&self) -> bool {
        self.end.is_some_and(|(end, _)| Instant::now() >= end)
    }

    /// The time that was allowed (s).
    fn time(&self) -> f64 {
        self.end.map_or(f64::INFINITY, |(_, time)| time)
    }
}

/// Listens while others compute without the interpreter.
struct Listener {
    last: Instant,
    progress: Option<Py<PyAny>>,
    deadline: Deadline,
    start: Instant,
    /// What to write instead of what takes long; none once it was said.
    advice: Option<&'static str>,
    /// The fraction done when the time was over.
    over_at: Option<f64>,
    /// What made the work stop.
    error: Option<PyErr>,
}

impl Listener {
    fn new(progress: Option<Py<PyAny>>, deadline: Deadline) -> Self {
        let start = Instant::now();
        Self { last: start, progress, deadline, start, advice: None, over_at: None, error: None }
    }

    /// Receives the fraction done; returns whether to go on.
    fn report(&mut self, fraction: f64) -> bool {
        if self.deadline.is_over() {
            self.over_at = self.over_at.or(Some(fraction));
        }
        if self.last.elapsed() < PAUSE {
            return !self.is_stopped();
        }
        self.last = Instant::now();
        let elapsed = self.start.elapsed();
        let advice = if elapsed > FIRST_LINE { self.advice.take() } else { None };
        let heard = Python::attach(|py| {
            py.check_signals()?;
            if let Some(advice) = advice.filter(|_| is_long(fraction, elapsed)) {
                errors::advise(py, &format!("{}\nhint: {advice}", so_far(fraction, elapsed)))?;
            }
            // who has raised an error is called no more
            if let Some(progress) = self.progress.as_ref().filter(|_| !self.is_stopped()) {
                progress.call1(py, (fraction,))?;
            }
            Ok(())
        });
        self.error = self.error.take().or(heard.err());
        !self.is_stopped()
    }

    fn is_stopped(&self) -> bool {
        self.error.is_some() || self.over_at.is_some()
    }

    /// What made the work stop, if anything did: an exception, or the clock unless all is done nevertheless. `t` is the time
    /// that a run has come to.
    fn stopped(&mut self, py: Python, is_done: bool, t: Option<f64>) -> Option<PyErr> {
        let over_at = self.over_at.filter(|_| !is_done);
        let over = || over_at.map(|fraction| errors::time_up(py, self.deadline.time(), fraction, t));
        self.error.take().or_else(over)
    }

    /// Reports that all is done.
    fn close(&self, py: Python) -> PyResult<()> {
        self.progress.as_ref().map_or(Ok(()), |progress| progress.call1(py, (1.0,)).map(drop))
    }
}

/// How work ends without a result.
enum Failed {
    Error(Error),
    Bug(Bug),
}

impl Failed {
    /// As an exception, after the name of the work if it is one of many.
    fn raised(self, py: Python, name: Option<String>) -> PyErr {
        match self {
            Self::Error(error) => errors::run(py, name, &error),
            Self::Bug(bug) => errors::internal(py, &bug),
        }
    }
}

/// `work` with its panics caught.
fn caught<T>(work: impl FnOnce() -> Result<T, Error>) -> Result<T, Failed> {
    let work = || {
        inject("work");
        work()
    };
    bug::guarded(work).map_err(Failed::Bug)?.map_err(Failed::Error)
}

/// Runs `work` on the calling thread, which listens whenever the fraction done is reported.
pub fn watched<T: Send>(
    py: Python,
    progress: Option<Py<PyAny>>,
    deadline: Deadline,
    work: impl FnOnce(&mut Progress) -> Result<T, Error> + Send,
) -> PyResult<T> {
    advised(py, progress, deadline, None, work)
}

/// The same; if it will take long, `advice` says what to write instead.
pub fn advised<T: Send>(
    py: Python,
    progress: Option<Py<PyAny>>,
    deadline: Deadline,
    advice: Option<&'static str>,
    work: impl FnOnce(&mut Progress) -> Result<T, Error> + Send,
) -> PyResult<T> {
    let mut watch = Listener { advice, ..Listener::new(progress, deadline) };
    let found = py.detach(|| caught(|| work(&mut Progress::new(&mut |fraction| watch.report(fraction)))));
    let t = match &found {
        Err(Failed::Error(Error::Interrupted { t })) => *t,
        _ => None,
    };
    if let Some(error) = watch.stopped(py, found.is_ok(), t) {
        return Err(error);
    }
    let found = found.map_err(|failed| failed.raised(py, None))?;
    watch.close(py)?;
    Ok(found)
}

/// `f` of every item on all cores, in order, while the calling thread listens. What fails first in that order is the error,
/// after the name of the item.
pub fn watched_all<T: Sync, U: Send>(
    py: Python,
    progress: Option<Py<PyAny>>,
    deadline: Deadline,
    items: &[T],
    name: impl Fn(usize) -> String,
    f: impl Fn(&T, &mut Progress) -> Result<U, Error> + Send + Sync,
) -> PyResult<Vec<U>> {
    let mut watch = Listener::new(progress, deadline);
    // fractions as bits, which for positive numbers are in the order of the numbers
    let parts: Vec<AtomicU64> = items.iter().map(|_| AtomicU64::new(0)).collect();
    let fraction = || parts.iter().map(|part| f64::from_bits(part.load(Relaxed))).sum::<f64>();
    // items from here on need not be done
    let end = AtomicUsize::new(items.len());
    let one = |(i, item): (usize, &T)| {
        let mut report = |part: f64| {
            parts[i].fetch_max(part.clamp(0.0, 1.0).to_bits(), Relaxed);
            i < end.load(Relaxed)
        };
        let mut progress = Progress::new(&mut report);
        let found = caught(|| {
            progress.report(0.0)?;
            f(item, &mut progress)
        });
        match found {
            Ok(_) => parts[i].store(1.0f64.to_bits(), Relaxed),
            Err(_) => drop(end.fetch_min(i, Relaxed)),
        }
        found
    };
    let all = || -> Vec<Result<U, Failed>> {
        if is_forked() {
            return items.iter().enumerate().map(one).collect();
        }
        items.par_iter().enumerate().map(one).collect()
    };
    let found = py.detach(|| {
        std::thread::scope(|scope| {
            let (sender, receiver) = channel();
            scope.spawn(move || sender.send(all()));
            loop {
                match receiver.recv_timeout(PAUSE) {
                    Ok(found) => return found,
                    Err(RecvTimeoutError::Disconnected) => return Vec::new(),
                    Err(RecvTimeoutError::Timeout) if watch.report(fraction() / items.len() as f64) => {}
                    Err(RecvTimeoutError::Timeout) => end.store(0, Relaxed),
                }
            }
        })
    });
    let is_done = found.len() == items.len() && found.iter().all(Result::is_ok);
    if let Some(error) = watch.stopped(py, is_done, None) {
        return Err(error);
    }
    let named = |(i, one): (usize, Result<U, Failed>)| one.map_err(|failed| failed.raised(py, Some(name(i))));
    let found = found.into_iter().enumerate().map(named).collect::<PyResult<_>>()?;
    watch.close(py)?;
    Ok(found)
}

/// Runs `work`, which computes on threads of its own and reports to the calling one how far it has come. What is done is kept if it
/// is stopped.
pub fn watched_rows<T: Send>(
    py: Python,
    progress: Option<Py<PyAny>>,
    deadline: Deadline,
    work: impl FnOnce(&mut (dyn FnMut(SweepProgress) -> bool + Send)) -> Result<T, DatasetError> + Send,
) -> PyResult<T> {
    let mut watch = Listener::new(progress, deadline);
    let mut report = |done: SweepProgress| {
        let SweepProgress { before, computed, rows } = done;
        watch.report((before + computed) as f64 / rows.max(1) as f64)
    };
    let found = py.detach(|| {
        bug::guarded(|| {
            inject("work");
            work(&mut report)
        })
    });
    let found = found.map_err(|bug| errors::internal(py, &bug))?;
    if let Some(error) = watch.stopped(py, found.is_ok(), None) {
        return Err(error);
    }
    let found = found.map_err(|error| errors::dataset(py, &error))?;
    watch.close(py)?;
    Ok(found)
}
