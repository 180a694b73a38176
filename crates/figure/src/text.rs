//! Labels with markup: `*italic*`, `_{subscript}`, `^{superscript}`, `\` before a literal character.

use super::font::Fonts;
use crate::note::is_xml;

/// Size of a script relative to its line (-).
pub(crate) const SCRIPT: f64 = 0.7;
/// Height of a superscript's baseline above the line (em).
pub(crate) const RISE: f64 = 0.36;
/// Depth of a subscript's baseline below the line (em).
pub(crate) const DROP: f64 = 0.17;
/// Height of capitals and digits (em).
pub(crate) const CAPITAL: f64 = 0.72;
/// Distance between the baselines of two lines (em).
pub(crate) const LEADING: f64 = 1.22;

/// Letters with the same slant and height.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TextRun {
    pub(crate) text: String,
    pub(crate) italic: bool,
    pub(crate) script: Script,
}

/// Height of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Script {
    Normal,
    Sub,
    Super,
}

/// A line of text.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Rich {
    pub(crate) runs: Vec<TextRun>,
}

impl Rich {
    /// Text without markup.
    pub(crate) fn plain(text: impl Into<String>) -> Self {
        let mut rich = Self::default();
        rich.push(&text.into(), false, Script::Normal);
        rich
    }

    /// Text with markup; marks that are not closed are literal.
    pub(crate) fn parse(source: &str) -> Self {
        let letters: Vec<char> = source.chars().filter(|c| !c.is_control() && is_xml(*c)).collect();
        let (mut rich, mut italic, mut script, mut i) = (Self::default(), false, Script::Normal, 0);
        while i < letters.len() {
            let c = letters[i];
            let next = letters.get(i + 1).copied();
            let closes = |end: char| letters[i + 1..].contains(&end);
            match c {
                '\\' if next.is_some() => {
                    i += 1;
                    rich.push(&letters[i].to_string(), italic, script);
                }
                '*' if italic || closes('*') => italic = !italic,
                '_' | '^' if next == Some('{') && script == Script::Normal && closes('}') => {
                    script = if c == '_' { Script::Sub } else { Script::Super };
                    i += 1;
                }
                '}' if script != Script::Normal => script = Script::Normal,
                '-' if is_minus(&letters, i) => rich.push("\u{2212}", italic, script),
                _ => rich.push(&c.to_string(), italic, script),
            }
            i += 1;
        }
        rich
    }

    /// Appends letters, joining them to the last run where they look the same.
    pub(crate) fn push(&mut self, text: &str, italic: bool, script: Script) {
        match self.runs.last_mut() {
            Some(run) if run.italic == italic && run.script == script => run.text.push_str(text),
            _ if text.is_empty() => (),
            _ => self.runs.push(TextRun { text: text.to_string(), italic, script }),
        }
    }

    /// Appends another line.
    pub(crate) fn append(&mut self, other: &Self) {
        for run in &other.runs {
            self.push(&run.text, run.italic, run.script);
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// Width at a font size (pt).
    pub(crate) fn width(&self, fonts: &Fonts, size: f64) -> f64 {
        let em = |run: &TextRun| fonts.width(&run.text, run.italic) * run.script.size();
        size * self.runs.iter().map(em).sum::<f64>()
    }

    /// Height above the baseline (em).
    pub(crate) fn ascent(&self) -> f64 {
        let tall = |run: &TextRun| match run.script {
            Script::Super => RISE + SCRIPT * CAPITAL,
            _ if run.text.chars().any(|c| !c.is_ascii() && c.is_uppercase()) => 0.9,
            _ => CAPITAL,
        };
        self.runs.iter().map(tall).fold(CAPITAL, f64::max)
    }

    /// Depth below the baseline (em).
    pub(crate) fn descent(&self) -> f64 {
        let is_sub = |run: &TextRun| run.script == Script::Sub;
        if self.runs.iter().any(is_sub) { DROP + 0.2 * SCRIPT } else { 0.21 }
    }

    /// Lines that are at most as broad as `limit` (pt), broken at spaces; a longer word stays whole.
    pub(crate) fn wrap(&self, fonts: &Fonts, size: f64, limit: f64) -> Vec<Self> {
        let mut lines = Vec::new();
        let mut line = Self::default();
        for word in self.words() {
            let mut longer = line.clone();
            if !longer.is_empty() {
                longer.push(" ", false, Script::Normal);
            }
            longer.append(&word);
            if longer.width(fonts, size) > limit && !line.is_empty() {
                lines.push(std::mem::replace(&mut line, word));
            } else {
                line = longer;
            }
        }
        lines.push(line);
        lines
    }

    fn words(&self) -> Vec<Self> {
        let mut words = vec![Self::default()];
        for run in &self.runs {
            for (i, part) in run.text.split(' ').enumerate() {
                if i > 0 {
                    words.push(Self::default());
                }
                if let Some(word) = words.last_mut() {
                    word.push(part, run.italic, run.script);
                }
            }
        }
        words.retain(|word| !word.is_empty());
        words
    }
}

impl Script {
    /// Size relative to the line (-).
    pub(crate) fn size(self) -> f64 {
        if self == Self::Normal { 1.0 } else { SCRIPT }
    }

    /// Shift of the baseline on a page where y points down (em).
    pub(crate) fn shift(self) -> f64 {
        match self {
            Self::Normal => 0.0,
            Self::Sub => DROP,
            Self::Super => -RISE,
        }
    }
}

/// A hyphen before a digit and not after a letter or digit is a minus sign.
fn is_minus(letters: &[char], i: usize) -> bool {
    let digit = letters.get(i + 1).is_some_and(|c| c.is_ascii_digit());
    digit && !(i > 0 && letters[i - 1].is_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spelled(source: &str) -> Vec<(String, bool, Script)> {
        Rich::parse(source).runs.into_iter().map(|r| (r.text, r.italic, r.script)).collect()
    }

    #[test]
    fn markup_gives_slant_and_scripts() {
        let expected = vec![
            ("u̇".to_string(), true, Script::Normal),
            ("max".to_string(), false, Script::Sub),
            (" 10".to_string(), false, Script::Normal),
            ("−3".to_string(), false, Script::Super),
        ];
        assert_eq!(spelled("*u̇*_{max} 10^{-3}"), expected);
    }

    #[test]
    fn marks_without_an_end_are_literal() {
        for text in ["2*3", "run_1", "a^b", "x_{1", "}", "stick-slip", "\\"] {
            assert_eq!(spelled(text), vec![(text.to_string(), false, Script::Normal)]);
        }
        assert_eq!(spelled("\\*u\\*"), vec![("*u*".to_string(), false, Script::Normal)]);
    }

    #[test]
    fn wrapped_lines_keep_every_word_within_the_limit() {
        let fonts = Fonts::embedded();
        let text =
            Rich::parse("implicit *midpoint* rule with a constant step of 10^{-3} s and a regularised law");
        for limit in [40.0, 80.0, 160.0] {
            let lines = text.wrap(&fonts, 7.0, limit);
            let joined: Vec<String> =
                lines.iter().map(|l| l.runs.iter().map(|r| r.text.as_str()).collect::<String>()).collect();
            assert_eq!(
                joined.join(" "),
                "implicit midpoint rule with a constant step of 10−3 s and a regularised law"
            );
            assert!(lines.iter().all(|l| l.width(&fonts, 7.0) <= limit), "{limit}");
        }
    }
}
