//! Text of others on a terminal: control characters are shown, not obeyed.

use std::borrow::Cow;

/// Characters of a user's text that a message shows.
const SHOWN: usize = 90;

/// The text with every control character but the newline written out, as in `\u{1b}`, and likewise those that reverse
/// the direction of writing or have no width.
pub fn plain(text: &str) -> Cow<'_, str> {
    if !text.contains(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_hidden(c) { shown.extend(c.escape_default()) } else { shown.push(c) }
    }
    Cow::Owned(shown)
}

fn is_hidden(c: char) -> bool {
    let has_no_width =
        matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}');
    has_no_width || (c.is_control() && c != '\n')
}

/// The beginning of a text in one line, for a message.
pub fn start(text: &str) -> String {
    let mut shown: String = text.chars().take(SHOWN).map(|c| if c == '\n' { ' ' } else { c }).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_obeys_nothing() {
        assert_eq!(plain("μ = 0.3\nü"), "μ = 0.3\nü");
        assert_eq!(plain("\u{1b}[31mred\u{7}\r\t\u{9b}"), "\\u{1b}[31mred\\u{7}\\r\\t\\u{9b}");
        assert_eq!(plain("a\u{202e}b\u{200b}"), "a\\u{202e}b\\u{200b}");
    }

    #[test]
    fn long_texts_end_in_an_ellipsis() {
        assert_eq!(start("short\ntext"), "short text");
        assert_eq!(start(&"é".repeat(91)).chars().count(), 91);
    }
}
