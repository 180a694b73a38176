//! What a run may take. Every limit is checked before the memory is taken: a small file can ask for much.

use keyed::Diagnostic;
use std::fmt;
use std::time::Duration;

/// The most degrees of freedom: matrices of this size are still factored within a second.
pub const MAX_DEGREES: usize = 1000;
/// The most degrees of freedom of a model that is reduced.
pub const MAX_SPARSE_DEGREES: usize = 100_000;
/// The most friction contacts.
pub const MAX_CONTACTS: usize = 1000;
/// The most loads and base motions.
pub const MAX_LOADS: usize = 1000;
/// The most samples of a grid: more than any figure or spreadsheet shows.
pub const MAX_SAMPLES: usize = 1_000_000;
/// The most states from which a search begins.
pub const MAX_STARTS: usize = 10_000;

/// Memory that a byte of a file takes once it is parsed: a list of ones is two bytes each, and every value
/// carries its place.
const PARSED: u64 = 256;
/// Memory of a number in a table (bytes): itself, and its 24 letters in a file.
const NUMBER: u64 = 32;
/// Memory of a state in a diagram beside its numbers (bytes).
const STATE: u64 = 96;

/// Memory and time that a run may take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Budget {
    /// Memory for what is read and kept (bytes).
    pub memory: u64,
    /// Time after which a run is stopped; without end if absent.
    pub time: Option<Duration>,
}

impl Default for Budget {
    fn default() -> Self {
        Self { memory: 1_000_000_000, time: None }
    }
}

impl Budget {
    /// The longest file (bytes).
    pub fn file(&self) -> u64 {
        self.memory / PARSED
    }

    /// Refuses a file that is too long to be parsed; `name` is its name, for messages.
    pub fn check_file(&self, name: &str, text: &str) -> Result<(), Vec<Diagnostic>> {
        if text.len() as u64 <= self.file() {
            return Ok(());
        }
        let message =
            format!("{name}: {}, but at most {} are read", bytes(text.len() as u64), bytes(self.file()));
        let hint = Some(Excess::HINT.into());
        Err(vec![Diagnostic { key: String::new(), message, place: None, hint }])
    }

    /// Whether a table fits; otherwise what it would take.
    pub fn table(&self, rows: usize, columns: usize) -> Result<(), Excess> {
        self.fits((rows as u64).saturating_mul(columns as u64).saturating_mul(NUMBER))
    }

    /// Whether the states of a diagram fit; otherwise what they would take.
    pub fn states(&self, n_states: u64, n: usize) -> Result<(), Excess> {
        let each = (2 * n as u64 + 3).saturating_mul(NUMBER).saturating_add(STATE);
        self.fits(n_states.saturating_mul(each))
    }

    /// Entries that a factor of a sparse matrix may have: two of them are held at a time.
    pub fn factor(&self) -> usize {
        usize::try_from(self.memory / 16).unwrap_or(usize::MAX)
    }

    fn fits(&self, wanted: u64) -> Result<(), Excess> {
        if wanted <= self.memory { Ok(()) } else { Err(Excess { wanted, allowed: self.memory }) }
    }
}

/// Memory that is wanted, and the less that is allowed (bytes).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Excess {
    wanted: u64,
    allowed: u64,
}

impl Excess {
    /// The way out.
    pub const HINT: &str = "ask for less, or raise the limit by --max-memory (Python: max_memory)";
}

impl fmt::Display for Excess {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "takes {} of memory, but {} are allowed", bytes(self.wanted), bytes(self.allowed))
    }
}

/// A number of bytes in the unit that suits it.
pub fn bytes(n: u64) -> String {
    let (unit, name) = match n {
        0..1_000 => return format!("{n} bytes"),
        1_000..1_000_000 => (1e3, "kB"),
        1_000_000..1_000_000_000 => (1e6, "MB"),
        _ => (1e9, "GB"),
    };
    format!("{:.1} {name}", n as f64 / unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_million_samples_of_an_oscillator_fit_and_of_twenty_masses_do_not() {
        let budget = Budget::default();
        assert_eq!(budget.table(MAX_SAMPLES, 7), Ok(()));
        let excess = budget.table(MAX_SAMPLES, 61).unwrap_err();
        assert_eq!(excess.to_string(), "takes 2.0 GB of memory, but 1.0 GB are allowed");
    }

    #[test]
    fn no_product_overflows() {
        assert!(Budget::default().table(usize::MAX, usize::MAX).is_err());
        assert!(Budget::default().states(u64::MAX, usize::MAX / 4).is_err());
    }
}
