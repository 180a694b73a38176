//! Texts made of other texts.

use stiction_soak::dice::Dice;

/// Numbers at which arithmetic turns.
const NUMBERS: [&str; 36] = [
    "0",
    "-0.0",
    "1",
    "-1",
    "2",
    "3",
    "7",
    "20",
    "64",
    "100",
    "1000",
    "1001",
    "65536",
    "1000000",
    "1000001",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "1e-320",
    "1e-300",
    "1e-15",
    "1e-9",
    "1e9",
    "1e15",
    "1e16",
    "1e100",
    "1e300",
    "-1e300",
    "1.7976931348623157e308",
    "1e999",
    "nan",
    "inf",
    "-inf",
    "0.1",
];
/// What stands between words.
const MARKS: [&str; 30] = [
    "=",
    ".",
    ",",
    "[",
    "]",
    "{",
    "}",
    "\"",
    "'",
    "#",
    "\n",
    "[[",
    "]]",
    "\"\"\"",
    "\\u001b",
    "\\",
    "-",
    "+",
    "_",
    " ",
    "\t",
    "\r\n",
    "\u{feff}",
    "\u{202e}",
    "é",
    "𝄞",
    "\0",
    "true",
    "false",
    "1979-05-27T07:32:00Z",
];
/// No text grows beyond this.
const LONGEST: usize = 20_000;
/// Copies of a piece at most.
const COPIES: usize = 40;

/// A mutation of `text`; `other` lends pieces, `words` are the names that readers know.
pub fn mutated(text: &[u8], other: &[u8], words: &[String], dice: &mut Dice) -> Vec<u8> {
    let mut new = text.to_vec();
    // most texts with many mutations are refused for the first
    let n = *dice.pick(&[1, 1, 1, 2, 2, 4]);
    for _ in 0..n {
        new = step(&new, other, words, dice);
        new.truncate(LONGEST);
    }
    new
}

fn step(text: &[u8], other: &[u8], words: &[String], dice: &mut Dice) -> Vec<u8> {
    match dice.below(16) {
        0..=1 => replace_token(text, &NUMBER, dice.pick(&NUMBERS).as_bytes(), dice),
        12..=15 => {
            let number = format!("{:.3}", dice.decades(1e-2, 1e2));
            let number = if dice.chance(0.3) { dice.below(5).to_string() } else { number };
            replace_token(text, &NUMBER, number.as_bytes(), dice)
        }
        2..=4 => replace_token(text, &WORD, dice.pick(words).as_bytes(), dice),
        5 => {
            let at = dice.below(text.len() + 1);
            let what = match dice.below(3) {
                0 => dice.pick(&NUMBERS),
                1 => dice.pick(&MARKS),
                _ => dice.pick(words).as_str(),
            };
            [&text[..at], what.as_bytes(), &text[at..]].concat()
        }
        6 => {
            let [a, b] = piece(text, dice);
            [&text[..a], &text[b..]].concat()
        }
        7 => {
            let [a, b] = piece(text, dice);
            let n = 2 + dice.below(COPIES.min(1 + LONGEST / (b - a + 1)));
            [&text[..a], &text[a..b].repeat(n), &text[b..]].concat()
        }
        8 => {
            // a piece of another text
            let ([a, b], at) = (piece(other, dice), dice.below(text.len() + 1));
            [&text[..at], &other[a..b], &text[at..]].concat()
        }
        9 => {
            let mut lines: Vec<&[u8]> = text.split(|b| *b == b'\n').collect();
            let (i, j) = (dice.below(lines.len()), dice.below(lines.len()));
            lines.swap(i, j);
            lines.join(&b'\n')
        }
        10 => {
            let mut new = text.to_vec();
            if !new.is_empty() {
                let at = dice.below(new.len());
                new[at] = dice.below(256) as u8;
            }
            new
        }
        11.. => {
            // a line of another text
            let (ours, theirs): (Vec<&[u8]>, Vec<&[u8]>) =
                (text.split(|b| *b == b'\n').collect(), other.split(|b| *b == b'\n').collect());
            let at = dice.below(ours.len());
            let line = *dice.pick(&theirs);
            [&ours[..at], &[line], &ours[at..]].concat().join(&b'\n')
        }
    }
}

/// A piece of a text: some bytes, or whole lines.
fn piece(text: &[u8], dice: &mut Dice) -> [usize; 2] {
    let (a, b) = (dice.below(text.len() + 1), dice.below(text.len() + 1));
    let (a, b) = (a.min(b), a.max(b));
    if dice.chance(0.5) {
        return [a, b.min(a + 30)];
    }
    let line = |at: usize| text[..at].iter().rposition(|b| *b == b'\n').map_or(0, |i| i + 1);
    [line(a), line(b)]
}

/// Which bytes begin a token, and which continue it.
struct Token {
    begins: fn(u8) -> bool,
    goes_on: fn(u8) -> bool,
}

const NUMBER: Token = Token {
    begins: |byte| byte.is_ascii_digit() || byte == b'-',
    goes_on: |byte| byte.is_ascii_digit() || b"+-._eE".contains(&byte),
};
const WORD: Token = Token {
    begins: |byte| byte.is_ascii_alphabetic(),
    goes_on: |byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte),
};

/// Puts `new` in place of one of the tokens of a kind.
fn replace_token(text: &[u8], token: &Token, new: &[u8], dice: &mut Dice) -> Vec<u8> {
    let starts: Vec<usize> = (0..text.len())
        .filter(|i| (token.begins)(text[*i]) && (*i == 0 || !(token.goes_on)(text[*i - 1])))
        .collect();
    if starts.is_empty() {
        return [text, new].concat();
    }
    let a = *dice.pick(&starts);
    let b = (a + 1..text.len()).find(|i| !(token.goes_on)(text[*i])).unwrap_or(text.len());
    [&text[..a], new, &text[b..]].concat()
}
