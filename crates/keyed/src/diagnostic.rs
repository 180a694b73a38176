//! What is wrong with a scenario, where it stands, and the way out.

use crate::plain::{plain, start};
use std::fmt;

/// Errors that are shown; more would hide the first.
pub const MAX_SHOWN: usize = 50;

/// Letters of the longest word that is compared with others; no key has as many.
const LONGEST_WORD: usize = 64;

/// Letters of a word for each typo in it; a word with more typos is another one, as `height` and `right`.
const LETTERS_PER_TYPO: usize = 4;

/// Where in a scenario something stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// Name of the file, or `--set` for an override.
    pub source: String,
    /// Line in the file, from 1.
    pub line: Option<usize>,
    /// The text there.
    pub text: String,
}

/// One error: what is, what must be, where, and the way out.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// The path of the key, with dots; empty for the scenario as a whole.
    pub key: String,
    /// What is wrong.
    pub message: String,
    /// Where it stands.
    pub place: Option<Place>,
    /// The way out.
    pub hint: Option<String>,
}

impl Diagnostic {
    /// What stands for `n` more errors than are shown.
    pub fn more(n: usize) -> Self {
        let errors = if n == 1 { "error" } else { "errors" };
        Self { key: String::new(), message: format!("{n} more {errors}"), place: None, hint: None }
    }

    /// The first [`MAX_SHOWN`] of a list, and the number of the others.
    pub fn capped(mut list: Vec<Self>) -> Vec<Self> {
        if list.len() > MAX_SHOWN {
            let n = list.len() - MAX_SHOWN;
            list.truncate(MAX_SHOWN);
            list.push(Self::more(n));
        }
        list
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "error: ")?;
        if !self.key.is_empty() {
            write!(f, "{}: ", plain(&start(&self.key)))?;
        }
        write!(f, "{}", plain(&self.message))?;
        if let Some(place) = &self.place {
            write!(f, "\n  --> {}", plain(&place.source))?;
            if let Some(line) = place.line {
                write!(f, ":{line}")?;
            }
            if !place.text.is_empty() {
                write!(f, "  {}", plain(&start(&place.text)))?;
            }
        }
        if let Some(hint) = &self.hint {
            write!(f, "\nhint: {}", plain(hint))?;
        }
        Ok(())
    }
}

/// The candidate that was probably meant by `word`, if one is close.
pub fn closest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if word.len() > LONGEST_WORD {
        return None;
    }
    let (word, limit) = (word.to_lowercase(), (word.chars().count() / LETTERS_PER_TYPO).max(1));
    let scored = candidates.into_iter().map(|c| (strsim::osa_distance(&word, &c.to_lowercase()), c));
    scored.filter(|(d, _)| *d <= limit).min_by_key(|(d, _)| *d).map(|(_, c)| c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_typo_suggests_the_right_name() {
        let names = ["mass", "damping", "stiffness", "trigonometric", "linear"];
        assert_eq!(closest("mas", names), Some("mass"));
        assert_eq!(closest("stifness", names), Some("stiffness"));
        assert_eq!(closest("trigonmetric", names), Some("trigonometric"));
        assert_eq!(closest("Linaer", names), Some("linear"));
        assert_eq!(closest("colour", names), None);
        assert_eq!(closest("height", ["right"]), None);
        assert_eq!(closest("initial", ["inertia"]), None);
        assert_eq!(closest(&"m".repeat(1_000_000), names), None);
    }
}
