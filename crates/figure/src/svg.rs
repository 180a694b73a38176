//! A small SVG writer with fixed decimals.
//!
//! Coordinates are rounded to 1/100 pt as integers before they are written as differences, so that rounding errors do
//! not add up along a path.

use super::font::{FAMILIES, Fonts};
use super::note::metadata;
use super::text::Rich;
use std::fmt::Write;

/// How letters are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Letters {
    /// As text in the viewer's font.
    Text,
    /// As outlines of the embedded font.
    Outlines,
}

/// Which point of a text stands at the given place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// How a text looks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lettering<'a> {
    pub(crate) size: f64,
    pub(crate) anchor: Anchor,
    pub(crate) color: &'a str,
    /// Reads from below to above.
    pub(crate) upright: bool,
    /// White border that separates the letters from what lies below them.
    pub(crate) halo: bool,
}

/// Width of the white border around letters (pt).
const HALO: f64 = 1.6;

/// The page and what was drawn on it.
pub(crate) struct Canvas<'a> {
    body: String,
    fonts: &'a Fonts,
    letters: Letters,
}

impl<'a> Canvas<'a> {
    pub(crate) fn new(fonts: &'a Fonts, letters: Letters) -> Self {
        Self { body: String::new(), fonts, letters }
    }

    /// A path with attributes in SVG notation.
    pub(crate) fn path(&mut self, path: &PathData, attributes: &str) {
        if !path.is_empty() {
            line(&mut self.body, format_args!("<path d=\"{}\" {attributes}/>", path.data));
        }
    }

    /// A rectangle from its upper left corner.
    pub(crate) fn rect(&mut self, [x, y, w, h]: [f64; 4], attributes: &str) {
        let (x, y, w, h) = (number(x), number(y), number(w), number(h));
        line(
            &mut self.body,
            format_args!("<rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" {attributes}/>"),
        );
    }

    /// A line of text; `at` is on the baseline.
    pub(crate) fn text(&mut self, at: [f64; 2], text: &Rich, how: Lettering) {
        if text.is_empty() {
            return;
        }
        match self.letters {
            Letters::Text => self.letters(at, text, how),
            Letters::Outlines => self.outlines(at, text, how),
        }
    }

    fn letters(&mut self, [x, y]: [f64; 2], text: &Rich, how: Lettering) {
        let mut s =
            format!("<text x=\"{}\" y=\"{}\" font-size=\"{}\"", number(x), number(y), number(how.size));
        s += match how.anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        if how.upright {
            let _ = write!(s, " transform=\"rotate(-90 {} {})\"", number(x), number(y));
        }
        if how.color != "#000" {
            let _ = write!(s, " fill=\"{}\"", how.color);
        }
        if how.halo {
            let _ = write!(
                s,
                " stroke=\"#fff\" stroke-width=\"{HALO}\" stroke-linejoin=\"round\" paint-order=\"stroke\""
            );
        }
        s.push('>');
        let mut shift = 0.0;
        for run in &text.runs {
            let dy = how.size * (run.script.shift() - shift);
            shift = run.script.shift();
            let mut span = String::new();
            if run.italic {
                span += " font-style=\"italic\"";
            }
            if dy != 0.0 {
                let _ = write!(span, " dy=\"{}\"", number(dy));
            }
            if run.script.size() != 1.0 {
                let _ = write!(span, " font-size=\"{}\"", number(how.size * run.script.size()));
            }
            let _ = match span.as_str() {
                "" => write!(s, "{}", escaped(&run.text)),
                _ => write!(s, "<tspan{span}>{}</tspan>", escaped(&run.text)),
            };
        }
        line(&mut self.body, format_args!("{s}</text>"));
    }

    fn outlines(&mut self, [x, y]: [f64; 2], text: &Rich, how: Lettering) {
        let width = text.width(self.fonts, how.size);
        let mut pen = match how.anchor {
            Anchor::Start => x,
            Anchor::Middle => x - 0.5 * width,
            Anchor::End => x - width,
        };
        let mut path = PathData::default();
        for run in &text.runs {
            let size = how.size * run.script.size();
            let origin = [pen, y + how.size * run.script.shift()];
            self.fonts.outline(&run.text, run.italic, origin, size, &mut path);
            pen += size * self.fonts.width(&run.text, run.italic);
        }
        let turn = match how.upright {
            true => format!(" transform=\"rotate(-90 {} {})\"", number(x), number(y)),
            false => String::new(),
        };
        if how.halo {
            let white = format!("fill=\"#fff\" stroke=\"#fff\" stroke-width=\"{HALO}\"{turn}");
            self.path(&path, &white);
        }
        self.path(&path, &format!("fill=\"{}\"{turn}", how.color));
    }

    /// The whole document, for a page in pt.
    pub(crate) fn finish(self, [width, height]: [f64; 2], note: &str) -> String {
        let mm = |pt: f64| number(pt * 25.4 / 72.0);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}mm\" height=\"{}mm\" viewBox=\"0 0 {} {}\" \
             font-family=\"{FAMILIES}\" stroke-linejoin=\"round\">\n\
             {}<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n{}</svg>\n",
            mm(width),
            mm(height),
            number(width),
            number(height),
            metadata(note),
            self.body
        )
    }
}

/// Path data in SVG notation.
#[derive(Default)]
pub(crate) struct PathData {
    data: String,
    /// The last point in 1/100 pt.
    last: [i64; 2],
    /// Where the subpath began, in 1/100 pt.
    start: [i64; 2],
    /// The last command, which need not be repeated.
    command: char,
}

impl PathData {
    pub(crate) fn is_empty(&self) -> bool {
        self.data.is_empty()
    }

    pub(crate) fn move_to(&mut self, p: [f64; 2]) {
        let to = p.map(hundredths);
        if self.data.is_empty() {
            self.data.push('M');
            self.pair(to);
        } else {
            self.data.push('m');
            self.pair([to[0] - self.last[0], to[1] - self.last[1]]);
        }
        self.last = to;
        self.start = to;
        self.command = 'm';
    }

    /// A segment; nothing where it is shorter than the rounding.
    pub(crate) fn line_to(&mut self, p: [f64; 2]) {
        let to = p.map(hundredths);
        if to != self.last || self.command == 'm' {
            self.repeat('l');
            self.pair([to[0] - self.last[0], to[1] - self.last[1]]);
            self.last = to;
        }
    }

    pub(crate) fn quad_to(&mut self, c: [f64; 2], p: [f64; 2]) {
        let [c, to] = [c, p].map(|q| q.map(hundredths));
        self.repeat('q');
        self.pair([c[0] - self.last[0], c[1] - self.last[1]]);
        self.pair([to[0] - self.last[0], to[1] - self.last[1]]);
        self.last = to;
    }

    pub(crate) fn close(&mut self) {
        self.data.push('z');
        self.last = self.start;
        self.command = 'z';
    }

    /// A closed polygon.
    pub(crate) fn polygon(&mut self, points: &[[f64; 2]]) {
        for (i, &p) in points.iter().enumerate() {
            if i == 0 { self.move_to(p) } else { self.line_to(p) }
        }
        if !points.is_empty() {
            self.close();
        }
    }

    /// A segment without length, which round ends make a dot.
    pub(crate) fn dot(&mut self, p: [f64; 2]) {
        self.move_to(p);
        self.data += "h0";
    }

    /// An open polyline.
    pub(crate) fn polyline(&mut self, points: &[[f64; 2]]) {
        for (i, &p) in points.iter().enumerate() {
            if i == 0 { self.move_to(p) } else { self.line_to(p) }
        }
    }

    /// A circle of two arcs.
    pub(crate) fn circle(&mut self, [x, y]: [f64; 2], r: f64) {
        self.move_to([x - r, y]);
        let (r, d) = (number(r), number(2.0 * r));
        // writing to a string cannot fail
        let _ = write!(self.data, "a{r} {r} 0 1 0 {d} 0 {r} {r} 0 1 0-{d} 0");
        self.close();
    }

    fn repeat(&mut self, command: char) {
        if self.command != command {
            self.data.push(command);
            self.command = command;
        }
    }

    fn pair(&mut self, [x, y]: [i64; 2]) {
        self.scalar(x);
        self.scalar(y);
    }

    fn scalar(&mut self, v: i64) {
        let glued = self.data.ends_with(|c: char| c.is_ascii_alphabetic()) || v < 0;
        if !glued {
            self.data.push(' ');
        }
        self.data += &decimal(v);
    }
}

fn line(body: &mut String, args: std::fmt::Arguments) {
    // writing to a string cannot fail
    let _ = body.write_fmt(args);
    body.push('\n');
}

/// Rounds to 1/100; what is not finite becomes 0.
fn hundredths(v: f64) -> i64 {
    // `as` maps NaN to 0 and clamps; the bound keeps differences within range
    (100.0 * v).round().clamp(-1e12, 1e12) as i64
}

/// A length in 1/100 as the shortest decimal.
fn decimal(v: i64) -> String {
    let (whole, part) = (v.abs() / 100, v.abs() % 100);
    let mut s = String::from(if v < 0 { "-" } else { "" });
    if whole > 0 || part == 0 {
        s += &whole.to_string();
    }
    if part > 0 {
        s += format!(".{part:02}").trim_end_matches('0');
    }
    s
}

/// A number with at most two decimals.
pub(crate) fn number(v: f64) -> String {
    decimal(hundredths(v))
}

/// Text that is safe between tags.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_never_minus_zero() {
        let pairs = [
            (0.0, "0"),
            (-0.0, "0"),
            (-0.001, "0"),
            (0.5, ".5"),
            (-12.34, "-12.34"),
            (7.1, "7.1"),
            (f64::NAN, "0"),
        ];
        for (value, text) in pairs {
            assert_eq!(number(value), text);
        }
    }

    #[test]
    fn rounding_does_not_add_up_along_a_path() {
        let mut path = PathData::default();
        let points: Vec<_> = (0..1000).map(|i| [0.0149 * f64::from(i), 0.0]).collect();
        path.polyline(&points);
        // 999 steps of 0.0149 end at 14.8851
        assert_eq!(path.last, [1489, 0]);
    }
}
