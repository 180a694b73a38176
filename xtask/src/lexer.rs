//! Rust as text: comments, strings, words and brackets, without types.

/// The words of a code and their places.
pub fn words(code: &str) -> impl Iterator<Item = (usize, &str)> {
    let parts = code.split(|c| !is_part(c)).filter(|word| !word.is_empty());
    parts.map(move |word| (word.as_ptr() as usize - code.as_ptr() as usize, word))
}

/// The text with its comments, strings and characters blanked.
pub fn blanked(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    while let Some(c) = text[code.len()..].chars().next() {
        let rest = &text[code.len()..];
        let is_in_word = code.ends_with(is_part);
        match token(rest, is_in_word) {
            0 => code.push(c),
            n => code.extend(rest[..n].bytes().map(|b| if b == b'\n' { '\n' } else { ' ' })),
        }
    }
    code
}

/// Length of the comment, string or character that `rest` begins with.
fn token(rest: &str, is_in_word: bool) -> usize {
    let until = |from: usize, end: &str| rest[from..].find(end).map_or(rest.len(), |k| from + k + end.len());
    if rest.starts_with("//") {
        return rest.find('\n').unwrap_or(rest.len());
    }
    if rest.starts_with("/*") {
        return until(2, "*/");
    }
    let raw = rest.strip_prefix('b').unwrap_or(rest).strip_prefix('r').filter(|_| !is_in_word);
    let hashes = raw.map_or(0, |raw| raw.len() - raw.trim_start_matches('#').len());
    if let Some(raw) = raw.filter(|raw| raw[hashes..].starts_with('"')) {
        return until(rest.len() - raw.len() + hashes + 1, &format!("\"{}", "#".repeat(hashes)));
    }
    let quote = if rest.starts_with('"') { '"' } else { '\'' };
    let mut inside = rest.strip_prefix(quote).unwrap_or_default().char_indices();
    let is_lifetime =
        quote == '\'' && !rest[1..].starts_with('\\') && inside.clone().nth(1).is_none_or(|(_, c)| c != '\'');
    if !rest.starts_with(quote) || is_lifetime {
        return 0;
    }
    while let Some((k, c)) = inside.next() {
        match c {
            '\\' => drop(inside.next()),
            c if c == quote => return k + 2,
            _ => {}
        }
    }
    rest.len()
}

/// Start and end of the block that opens behind `at`; none if a semicolon outside brackets comes first.
pub fn block(code: &str, at: usize) -> Option<(usize, usize)> {
    let (mut level, mut open) = (0, None);
    for (k, c) in code[at..].char_indices().map(|(k, c)| (at + k, c)) {
        match c {
            '{' if level == 0 => open = Some(k + 1),
            ';' if level == 0 => return None,
            '}' if level == 1 && open.is_some() => return Some((open?, k)),
            _ => {}
        }
        level += depth(c);
    }
    None
}

/// By how much a character opens brackets.
pub fn depth(c: char) -> i32 {
    i32::from(matches!(c, '{' | '(' | '[')) - i32::from(matches!(c, '}' | ')' | ']'))
}

/// Whether a character can stand in a word.
pub fn is_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}
