//! Long work: progress is told, and Ctrl-C is heard.

use crate::errors;
use crate::threads::is_forked;
use pyo3::prelude::*;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};
use stiction::{Error, Progress};

/// Between two looks at the keyboard: too short to be noticed, too long to cost anything.
const PAUSE: Duration = Duration::from_millis(50);

/// Listens while others compute without the interpreter.
struct Listener {
    last: Instant,
    progress: Option<Py<PyAny>>,
    /// What made the work stop.
    error: Option<PyErr>,
}

impl Listener {
    fn new(progress: Option<Py<PyAny>>) -> Self {
        Self { last: Instant::now(), progress, error: None }
    }

    /// Told the fraction done; says whether to go on.
    fn tell(&mut self, fraction: f64) -> bool {
        if self.last.elapsed() < PAUSE {
            return self.error.is_none();
        }
        self.last = Instant::now();
        let heard = Python::attach(|py| {
            py.check_signals()?;
            // who has raised an error is told no more
            if let Some(progress) = self.progress.as_ref().filter(|_| self.error.is_none()) {
                progress.call1(py, (fraction,))?;
            }
            Ok(())
        });
        self.error = self.error.take().or(heard.err());
        self.error.is_none()
    }

    /// Tells that all is done.
    fn close(&self, py: Python) -> PyResult<()> {
        self.progress.as_ref().map_or(Ok(()), |progress| progress.call1(py, (1.0,)).map(drop))
    }
}

/// Runs `work` on the calling thread, which listens whenever it is told the fraction done.
pub fn watched<T: Send>(
    py: Python,
    progress: Option<Py<PyAny>>,
    work: impl FnOnce(&mut Progress) -> Result<T, Error> + Send,
) -> PyResult<T> {
    let mut watch = Listener::new(progress);
    let found = py.detach(|| work(&mut Progress::new(&mut |fraction| watch.tell(fraction))));
    if let Some(error) = watch.error.take() {
        return Err(error);
    }
    let found = found.map_err(|error| errors::run(py, None, &error))?;
    watch.close(py)?;
    Ok(found)
}

/// `f` of every item on all cores, in order, while the calling thread listens. What fails first in that order is the error,
/// after the name of the item.
pub fn watched_all<T: Sync, U: Send>(
    py: Python,
    progress: Option<Py<PyAny>>,
    items: &[T],
    name: impl Fn(usize) -> String,
    f: impl Fn(&T, &mut Progress) -> Result<U, Error> + Send + Sync,
) -> PyResult<Vec<U>> {
    let mut watch = Listener::new(progress);
    // fractions as bits, which for positive numbers are in the order of the numbers
    let parts: Vec<AtomicU64> = items.iter().map(|_| AtomicU64::new(0)).collect();
    let fraction = || parts.iter().map(|part| f64::from_bits(part.load(Relaxed))).sum::<f64>();
    // items from here on need not be done
    let end = AtomicUsize::new(items.len());
    let one = |(i, item): (usize, &T)| {
        let mut tell = |part: f64| {
            parts[i].fetch_max(part.clamp(0.0, 1.0).to_bits(), Relaxed);
            i < end.load(Relaxed)
        };
        let mut progress = Progress::new(&mut tell);
        progress.tell(0.0)?;
        let found = f(item, &mut progress);
        match found {
            Ok(_) => parts[i].store(1.0f64.to_bits(), Relaxed),
            Err(_) => drop(end.fetch_min(i, Relaxed)),
        }
        found
    };
    let all = || -> Vec<Result<U, Error>> {
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
                    Err(RecvTimeoutError::Timeout) if watch.tell(fraction() / items.len() as f64) => {}
                    Err(RecvTimeoutError::Timeout) => end.store(0, Relaxed),
                }
            }
        })
    });
    if let Some(error) = watch.error.take() {
        return Err(error);
    }
    let named =
        |(i, one): (usize, Result<U, Error>)| one.map_err(|error| errors::run(py, Some(name(i)), &error));
    let found = found.into_iter().enumerate().map(named).collect::<PyResult<_>>()?;
    watch.close(py)?;
    Ok(found)
}
