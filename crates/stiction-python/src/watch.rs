//! Long work: progress is told, and Ctrl-C is heard.

use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Between two looks at the keyboard: too short to be noticed, too long to cost anything.
const PAUSE: Duration = Duration::from_millis(50);

/// Listens while the calling thread computes without the interpreter.
pub struct Watch {
    last: Instant,
    progress: Option<Py<PyAny>>,
    /// What made the work stop.
    pub error: Option<PyErr>,
}

impl Watch {
    pub fn new(progress: Option<Py<PyAny>>) -> Self {
        Self { last: Instant::now(), progress, error: None }
    }

    /// Told the fraction done; says whether to go on.
    pub fn tell(&mut self, fraction: f64) -> bool {
        if self.last.elapsed() < PAUSE {
            return self.error.is_none();
        }
        self.last = Instant::now();
        let heard = Python::attach(|py| {
            py.check_signals()?;
            if let Some(progress) = &self.progress {
                progress.call1(py, (fraction,))?;
            }
            Ok(())
        });
        self.error = self.error.take().or(heard.err());
        self.error.is_none()
    }
}

/// Runs `work` on threads of its own while the calling thread listens; `work` is given a flag that says when to stop.
pub fn listened<T: Send>(
    py: Python,
    watch: &mut Watch,
    fraction: impl Fn() -> f64 + Send + Sync,
    work: impl FnOnce(&AtomicBool) -> T + Send,
) -> Option<T> {
    let stop = AtomicBool::new(false);
    py.detach(|| {
        std::thread::scope(|scope| {
            let (sender, receiver) = std::sync::mpsc::channel();
            let stop = &stop;
            scope.spawn(move || sender.send(work(stop)));
            loop {
                match receiver.recv_timeout(PAUSE) {
                    Ok(found) => return Some(found),
                    Err(std::sync::mpsc::RecvTimeoutError::Disconnected) => return None,
                    Err(std::sync::mpsc::RecvTimeoutError::Timeout) => {
                        if !watch.tell(fraction()) {
                            stop.store(true, Ordering::Relaxed);
                        }
                    }
                }
            }
        })
    })
}
