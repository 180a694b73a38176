//! What is wrong with a scenario, where it stands, and the way out.

use std::fmt;

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

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "error: ")?;
        if !self.key.is_empty() {
            write!(f, "{}: ", self.key)?;
        }
        write!(f, "{}", self.message)?;
        if let Some(place) = &self.place {
            write!(f, "\n  --> {}", place.source)?;
            if let Some(line) = place.line {
                write!(f, ":{line}")?;
            }
            if !place.text.is_empty() {
                write!(f, "  {}", place.text)?;
            }
        }
        if let Some(hint) = &self.hint {
            write!(f, "\nhint: {hint}")?;
        }
        Ok(())
    }
}

/// The candidate that was probably meant by `word`, if one is close.
pub fn closest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let (word, limit) = (word.to_lowercase(), 1 + word.chars().count() / 3);
    let scored = candidates.into_iter().map(|c| (distance(&word, &c.to_lowercase()), c));
    scored.filter(|(d, _)| *d <= limit).min_by_key(|(d, _)| *d).map(|(_, c)| c)
}

/// Number of insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            rows[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let replaced = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                let mut best = replaced.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
                if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                    best = best.min(rows[i - 2][j - 2] + 1);
                }
                best
            };
        }
    }
    rows[a.len()][b.len()]
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
    }
}
