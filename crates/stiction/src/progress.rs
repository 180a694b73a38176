//! Progress of long work, and the way to stop it.
//!
//! Long computations take a [`Progress`] and report the fraction done now and then, and in words what it is
//! doing. Whoever waits sees the fraction, and stops the work by answering `false`; the work then ends with
//! [`Error::Interrupted`].

use crate::Error;

/// Receives the fraction done (0 to 1), some hundred times a second or more often; the answer is whether to
/// go on.
///
/// ```
/// use stiction::Progress;
///
/// let mut reported = Vec::new();
/// let mut listen = |fraction: f64| {
///     reported.push(fraction);
///     fraction < 0.5
/// };
/// let mut progress = Progress::new(&mut listen);
/// // the second of four pieces of work, half done
/// assert!(progress.part(0.25, 0.5).report(0.5).is_ok());
/// assert!(progress.report(0.5).is_err());
/// assert_eq!(reported, [0.375, 0.5]);
/// ```
pub struct Progress<'a> {
    listener: Option<&'a mut dyn FnMut(f64) -> bool>,
    words: Option<&'a dyn Fn(&str)>,
    from: f64,
    to: f64,
}

impl<'a> Progress<'a> {
    /// Nobody listens, and nothing stops the work.
    pub fn none() -> Self {
        Self { listener: None, words: None, from: 0.0, to: 1.0 }
    }

    /// `listener` receives the fraction done, and stops the work by `false`.
    pub fn new(listener: &'a mut dyn FnMut(f64) -> bool) -> Self {
        Self { listener: Some(listener), words: None, from: 0.0, to: 1.0 }
    }

    /// `words` hears what the work is doing, where that is more than going on.
    pub fn saying(self, words: &'a dyn Fn(&str)) -> Self {
        Self { words: Some(words), ..self }
    }

    /// Says what is being done; nothing is formatted if nobody hears it.
    pub fn say(&self, words: impl FnOnce() -> String) {
        if let Some(hear) = self.words {
            hear(&words());
        }
    }

    /// Reports that `fraction` of this work is done; [`Error::Interrupted`] if it is to stop.
    pub fn report(&mut self, fraction: f64) -> Result<(), Error> {
        let Some(listener) = &mut self.listener else { return Ok(()) };
        let whole = self.from + (self.to - self.from) * fraction.clamp(0.0, 1.0);
        if listener(whole) { Ok(()) } else { Err(Error::Interrupted { t: None }) }
    }

    /// Reports that a run to `t_end` has come to the time `t`, which the error names.
    pub fn report_time(&mut self, t: f64, t_end: f64) -> Result<(), Error> {
        self.report(t / t_end).map_err(|_| Error::Interrupted { t: Some(t) })
    }

    /// The progress of that part of this work that leads from the fraction `from` to the fraction `to`.
    pub fn part(&mut self, from: f64, to: f64) -> Progress<'_> {
        let at = |fraction: f64| self.from + (self.to - self.from) * fraction.clamp(0.0, 1.0);
        let (from, to) = (at(from), at(to));
        let words = self.words;
        match &mut self.listener {
            Some(listener) => Progress { listener: Some(&mut **listener), words, from, to },
            None => Progress { listener: None, words, from, to },
        }
    }

    /// The progress of work of unknown length: the fraction of this work stays at `fraction` meanwhile.
    pub fn at(&mut self, fraction: f64) -> Progress<'_> {
        self.part(fraction, fraction)
    }
}
