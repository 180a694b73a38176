//! Size and structure of the sources: numbers that may fall and must not grow.
//!
//! A number above its limit fails; lowering a limit is an edit of [`LIMITS`]. Counted are the Rust files below `src`
//! that git tracks, tests in them included; comments and strings are blanked first.

use crate::Done;
use crate::lexer::{blanked, block, depth, is_part, words};
use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::Command;

/// The core.
const CORE: &str = "crates/stiction/src/";
/// Rooms of the core that carry motions in time.
const ENGINES: &[&str] = &["contact", "exact", "ode", "simulate", "steady", "system"];
/// Words that stand where the field has a term, one in a line.
const DIALECT: &str = include_str!("../words.txt");
/// Texts that are searched for them: sources and documentation that are written by hand.
const PROSE: &[&str] = &["*.rs", "*.md", "*.py", "*.pyi", "*.js", "*.toml", "*.html"];
const NO_PROSE: &[&str] = &["THIRD-PARTY.md", "crates/stiction-lab/lab.html", "tests/golden", "tests/soak"];
/// What a function, a file and a struct may have.
const MOST_LINES: usize = 100;
const MOST_IN_FILE: usize = 500;
const MOST_FIELDS: usize = 16;

/// The largest number allowed of each: lower it when the number has fallen.
const LIMITS: &[(&str, usize)] = &[
    ("lines of the core", 51735),
    ("lines of its engines, and of each room", 28600),
    ("functions over 100 lines", 0),
    ("files over 500 lines", 0),
    ("structs over 16 fields", 0),
    ("cycles between modules of the core", 0),
    ("files that label stick and slip events", 1),
    ("files that decide contact modes", 2),
    ("dialect words", 0),
];

/// Prints all numbers; fails if one is above its limit.
pub fn check(root: &Path) -> Done {
    let mut sources = Vec::new();
    for path in tracked(root, &["*.rs"])?.into_iter().filter(|path| path.contains("src/")) {
        let text = fs::read_to_string(root.join(&path))?;
        let code = blanked(&text);
        sources.push(Source { path, lines: text.lines().count(), code });
    }
    let mut prose = Vec::new();
    let is_prose = |path: &String| !NO_PROSE.iter().any(|no| path.starts_with(no));
    for path in tracked(root, PROSE)?.into_iter().filter(is_prose) {
        prose.extend(dialect(&fs::read_to_string(root.join(&path))?).map(|word| format!("{word} in {path}")));
    }
    let mut grown = Vec::new();
    for ((name, limit), (number, places)) in LIMITS.iter().zip(numbers(&sources, prose)) {
        println!("{number:>7} (limit {limit}) {name}");
        places.iter().for_each(|place| println!("          {place}"));
        if number > *limit {
            grown.push(format!("{name}: {number}, limit {limit}"));
        }
    }
    if grown.is_empty() { Ok(()) } else { Err(format!("grown: {}", grown.join("; ")).into()) }
}

/// A file without its comments, strings and characters, positions kept.
struct Source {
    path: String,
    lines: usize,
    code: String,
}

impl Source {
    /// The room of the core that the file belongs to.
    fn room(&self) -> Option<&str> {
        let below = self.path.strip_prefix(CORE)?;
        below.split('/').next()?.split('.').next()
    }

    /// What stands before the tests.
    fn live(&self) -> &str {
        self.code.split("#[cfg(test)]").next().unwrap_or_default()
    }
}

/// The numbers in the order of [`LIMITS`], each with the places that it comes from.
fn numbers(sources: &[Source], prose: Vec<String>) -> [(usize, Vec<String>); 9] {
    let mut rooms: BTreeMap<&str, usize> = BTreeMap::new();
    for source in sources {
        *rooms.entry(source.room().unwrap_or("crates above the core")).or_default() += source.lines;
    }
    let listed = |places: Vec<String>| (places.len(), places);
    let in_all = |find: &dyn Fn(&Source) -> Vec<String>| listed(sources.iter().flat_map(find).collect());
    let in_core = |is_one: fn(&str) -> bool| {
        let found = |source: &&Source| source.room().is_some() && is_one(source.live());
        listed(sources.iter().filter(found).map(|source| source.path.clone()).collect())
    };
    let long = |file: &Source| (file.lines > MOST_IN_FILE).then(|| format!("{} {}", file.path, file.lines));
    [
        (sources.iter().filter(|file| file.room().is_some()).map(|file| file.lines).sum(), Vec::new()),
        (
            ENGINES.iter().filter_map(|room| rooms.get(room)).sum(),
            rooms.iter().map(|(room, n)| format!("{n:>6} {room}")).collect(),
        ),
        in_all(&|source| items(source, "fn", MOST_LINES)),
        in_all(&|source| long(source).into_iter().collect()),
        in_all(&|source| items(source, "struct", MOST_FIELDS)),
        listed(cycles(sources)),
        in_core(|code| code.contains("EventKind::Stick") || code.contains("EventKind::Slip")),
        in_core(assigns_mode),
        listed(prose),
    ]
}

/// Functions with more lines, or structs with more fields, than `most`.
fn items(source: &Source, keyword: &str, most: usize) -> Vec<String> {
    let code = &source.code;
    let mut found = Vec::new();
    for (at, _) in words(code).filter(|(_, word)| *word == keyword) {
        let Some((open, close)) = block(code, at) else { continue };
        let n = if keyword == "fn" { code[at..=close].lines().count() } else { fields(&code[open..close]) };
        if n > most {
            let name = words(&code[at + keyword.len()..]).next().map_or("", |(_, name)| name);
            found.push(format!("{}:{} {name} {n}", source.path, code[..at].matches('\n').count() + 1));
        }
    }
    found
}

/// Number of fields: colons of the outermost level that are no path.
fn fields(body: &str) -> usize {
    let (mut level, mut n) = (0, 0);
    let bytes = body.as_bytes();
    for (k, c) in body.char_indices() {
        level += depth(c);
        let is_path = bytes.get(k + 1) == Some(&b':') || k > 0 && bytes[k - 1] == b':';
        n += usize::from(c == ':' && level == 0 && !is_path);
    }
    n
}

/// Pairs of rooms of the core that import each other, also by names that `lib.rs` exports.
fn cycles(sources: &[Source]) -> Vec<String> {
    let lib = sources.iter().find(|source| source.room() == Some("lib")).map_or("", |lib| &lib.code);
    let exports = lib.lines().filter_map(|line| line.strip_prefix("pub use ")?.split_once("::"));
    let exported: BTreeMap<&str, &str> =
        exports.flat_map(|(room, names)| words(names).map(move |(_, name)| (name, room))).collect();
    let mut edges = BTreeSet::new();
    for source in sources {
        let Some(room) = source.room().filter(|room| *room != "lib") else { continue };
        for rest in source.live().split("crate::").skip(1) {
            let end = if rest.starts_with('{') { rest.find(';') } else { rest.find(|c| !is_part(c)) };
            let names = words(&rest[..end.unwrap_or(rest.len())]).map(|(_, name)| name);
            edges.extend(names.map(|name| (room, exported.get(name).copied().unwrap_or(name))));
        }
    }
    let is_cycle = |(a, b): &&(&str, &str)| a < b && edges.contains(&(*b, *a));
    edges.iter().filter(is_cycle).map(|(a, b)| format!("{a} <-> {b}")).collect()
}

/// Whether a variant of a contact's, stop's or slider's mode is assigned; what a function of the mode returns is
/// decided there.
fn assigns_mode(code: &str) -> bool {
    code.lines().any(|line| {
        let value = line.split_once(" = ").map_or("", |(_, value)| value.trim_start_matches("Some("));
        let (kind, variant) = value.split_once("::").unwrap_or_default();
        let is_variant = variant.starts_with(|c: char| c.is_uppercase());
        is_variant
            && kind.ends_with("Mode")
            && !line.trim_start().starts_with("if let")
            && words(kind).count() == 1
    })
}

/// Dialect in a text: whole words, in either case, with nothing but space and the marks of comments between those of a phrase. A
/// name that is called or defined, as that of a file's cursor, is none.
fn dialect(text: &str) -> impl Iterator<Item = &'static str> {
    let text = text.to_lowercase();
    let (mut plain, mut end) = (String::from(" "), 0);
    for (at, word) in words(&text) {
        let is_apart = text[end..at].contains(|c: char| !(c.is_whitespace() || "/!#*".contains(c)));
        end = at + word.len();
        let is_called = text[end..].starts_with('(');
        plain += if is_apart { " |  " } else { " " };
        plain += if is_called { "()" } else { word };
        plain.push(' ');
    }
    DIALECT
        .lines()
        .flat_map(move |word| vec![word; plain.matches(&format!(" {} ", word.replace(' ', "  "))).count()])
}

/// Files that git tracks.
fn tracked(root: &Path, patterns: &[&str]) -> Result<Vec<String>, Box<dyn Error>> {
    let output = Command::new("git").arg("ls-files").args(patterns).current_dir(root).output()?;
    Ok(String::from_utf8(output.stdout)?.lines().map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "/// fn a() {}\nfn b<'a>(x: [u8; 2]) -> char {\n    \"}\\\"\";\n    r#\"{\"#;\n    '{'\n}\n\
        struct C { a: f64, #[x(y: 1)] b: std::f64, c: Vec<u8> }\n";

    #[test]
    fn functions_and_fields_are_counted_past_comments_strings_and_arrays() {
        let source = Source { path: String::new(), lines: 0, code: blanked(TEXT) };
        assert_eq!(items(&source, "fn", 0), [":2 b 5"]);
        assert_eq!(items(&source, "struct", 0), [":7 C 3"]);
    }

    #[test]
    fn imports_in_both_directions_are_a_cycle() {
        let source =
            |path: &str, code: &str| Source { path: format!("{CORE}{path}"), lines: 0, code: code.into() };
        let lib = source("lib.rs", "pub use law::{Law, Slip};\n");
        let law = source("law/a.rs", "use crate::{ode::B, math};");
        assert_eq!(cycles(&[lib, law, source("ode.rs", "use crate::Law;")]), ["law <-> ode"]);
    }

    #[test]
    fn modes_are_decided_where_they_are_assigned() {
        assert!(assigns_mode("self.mode[i] = ContactMode::Stick;"));
        assert!(assigns_mode("next = Some(StopMode::Shut);"));
        assert!(!assigns_mode("self.mode[i] = ContactMode::placed(true, v);"));
        assert!(!assigns_mode("if let Mode::Stick = x {") && !assigns_mode("x == Mode::Stick"));
    }

    #[test]
    fn dialect_is_whole_words() {
        let word = DIALECT.lines().next().unwrap_or_default();
        assert_eq!(dialect(&format!("Un{word} {word}, {word}.")).count(), 2);
        assert_eq!(dialect(&format!("fn {word}(x: f64) {{ x.{word}() }}")).count(), 0);
        let [first, second] = DIALECT.lines().find_map(|line| line.split_once(' ')).unwrap().into();
        let text = format!("{first} {second}, {first}\n/// {second}, {first} - {second}");
        assert_eq!(dialect(&text).count(), 2);
    }
}
