//! The embedded font: widths for the layout, outlines for pictures that must not depend on the viewer.
//!
//! Arimo, regular and italic. Lengths are in ems. Combining marks are centred above their letter along the slant of
//! the face and lifted over tall letters; there is no kerning.

use super::svg::PathData;
use ttf_parser::{Face, GlyphId, OutlineBuilder, Rect};

const REGULAR: &[u8] = include_bytes!("../fonts/Arimo-Regular.ttf");
const ITALIC: &[u8] = include_bytes!("../fonts/Arimo-Italic.ttf");

/// Families for the viewer: the embedded font, then those with the same widths (Arial, Helvetica, Liberation Sans).
pub(crate) const FAMILIES: &str = "Arimo, Arial, Helvetica, 'Liberation Sans', sans-serif";

/// Width of a character that the font lacks (em).
const MISSING: f64 = 0.55;

/// Height of a lower-case letter (em): combining marks are drawn for it.
const X_HEIGHT: f64 = 0.528;

/// Both faces of the embedded font.
pub(crate) struct Fonts {
    regular: Option<Face<'static>>,
    italic: Option<Face<'static>>,
}

impl Fonts {
    pub(crate) fn embedded() -> Self {
        Self { regular: Face::parse(REGULAR, 0).ok(), italic: Face::parse(ITALIC, 0).ok() }
    }

    fn face(&self, italic: bool) -> Option<&Face<'static>> {
        if italic { self.italic.as_ref() } else { self.regular.as_ref() }
    }

    /// Distance from the origin of this character to that of the next (em).
    pub(crate) fn advance(&self, c: char, italic: bool) -> f64 {
        if is_combining(c) {
            return 0.0;
        }
        let known = self.face(italic).and_then(|face| {
            let glyph = face.glyph_index(c)?;
            Some(f64::from(face.glyph_hor_advance(glyph)?) / f64::from(face.units_per_em()))
        });
        known.unwrap_or(MISSING)
    }

    /// Width of a text (em).
    pub(crate) fn width(&self, text: &str, italic: bool) -> f64 {
        text.chars().map(|c| self.advance(c, italic)).sum()
    }

    /// Adds the outlines of a text whose origin is at `x`, `y` on a page where y points down.
    pub(crate) fn outline(&self, text: &str, italic: bool, [x, y]: [f64; 2], size: f64, path: &mut PathData) {
        let Some(face) = self.face(italic) else { return };
        let em = size / f64::from(face.units_per_em());
        let (mut pen, mut base) = (x, None::<(f64, Rect)>);
        for c in text.chars() {
            if let Some(bars) = bars(c) {
                bars.iter().for_each(|bar| path.polygon(&bar.map(|[u, v]| [pen + size * u, y - size * v])));
                pen += size * MISSING;
                continue;
            }
            let glyph = face.glyph_index(c).unwrap_or(GlyphId(0));
            let bounds = face.glyph_bounding_box(glyph);
            let mut origin = [pen, y];
            if let (true, Some((at, letter)), Some(mark)) = (is_combining(c), base, bounds) {
                let [dx, dy] = attach(face, letter, mark);
                origin = [at + dx * em, y - dy * em];
            }
            face.outline_glyph(glyph, &mut Pen { path, origin, em, last: [0.0; 2] });
            if !is_combining(c) {
                base = bounds.map(|b| (pen, b));
                pen += size * self.advance(c, italic);
            }
        }
    }
}

/// Signs of mechanics that the font lacks, as bars (em, y up).
fn bars(c: char) -> Option<[[[f64; 2]; 4]; 2]> {
    let bar = |[left, right]: [f64; 2], [low, high]: [f64; 2]| {
        [[left, low], [right, low], [right, high], [left, high]]
    };
    match c {
        '∥' => Some([bar([0.13, 0.21], [-0.1, 0.72]), bar([0.34, 0.42], [-0.1, 0.72])]),
        '⊥' => Some([bar([0.03, 0.52], [0.0, 0.075]), bar([0.235, 0.315], [0.075, 0.72])]),
        _ => None,
    }
}

/// Combining marks have no width of their own.
fn is_combining(c: char) -> bool {
    ('\u{300}'..='\u{36f}').contains(&c)
}

/// Shift of a mark that brings its middle over the middle of a letter (font units).
fn attach(face: &Face, letter: Rect, mark: Rect) -> [f64; 2] {
    let middle = |a: i16, b: i16| 0.5 * (f64::from(a) + f64::from(b));
    let lift = f64::from(letter.y_max) - X_HEIGHT * f64::from(face.units_per_em());
    // small overshoots are no reason to lift
    let dy = if lift > 0.05 * f64::from(face.units_per_em()) { lift } else { 0.0 };
    let height = middle(mark.y_min, mark.y_max) + dy - middle(letter.y_min, letter.y_max);
    let lean = -libm::tan(f64::from(face.italic_angle()).to_radians());
    [middle(letter.x_min, letter.x_max) + lean * height - middle(mark.x_min, mark.x_max), dy]
}

/// Writes a glyph (y up, font units) into a path (y down, pt).
struct Pen<'a> {
    path: &'a mut PathData,
    origin: [f64; 2],
    em: f64,
    last: [f64; 2],
}

impl Pen<'_> {
    fn at(&self, x: f32, y: f32) -> [f64; 2] {
        [self.origin[0] + f64::from(x) * self.em, self.origin[1] - f64::from(y) * self.em]
    }
}

impl OutlineBuilder for Pen<'_> {
    fn move_to(&mut self, x: f32, y: f32) {
        self.last = self.at(x, y);
        self.path.move_to(self.last);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.last = self.at(x, y);
        self.path.line_to(self.last);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.last = self.at(x, y);
        self.path.quad_to(self.at(x1, y1), self.last);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        // TrueType outlines are quadratic; a cubic would come from another kind of font
        let middle = [
            0.75 * (self.at(x1, y1)[0] + self.at(x2, y2)[0]) - 0.25 * (self.last[0] + self.at(x, y)[0]),
            0.75 * (self.at(x1, y1)[1] + self.at(x2, y2)[1]) - 0.25 * (self.last[1] + self.at(x, y)[1]),
        ];
        self.last = self.at(x, y);
        self.path.quad_to(middle, self.last);
    }

    fn close(&mut self) {
        self.path.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_font_has_every_character_that_a_label_needs() {
        let fonts = Fonts::embedded();
        for italic in [false, true] {
            let face = fonts.face(italic).unwrap();
            for c in "AZaz09−±×·°µμΔφϕωξθ∂√∞≤≥≈≠→⁰¹²³⁴⁵⁶⁷⁸⁹⁻₀₁₂₃₄₅₆₇₈₉ẋẍẏÿüöä\u{307}\u{308}\u{2009}\u{202f}"
                .chars()
            {
                assert!(face.glyph_index(c).is_some(), "{c} ({:x})", c as u32);
            }
        }
    }

    #[test]
    fn signs_that_the_font_lacks_are_drawn_within_their_width() {
        for c in "∥⊥".chars() {
            let face = Fonts::embedded();
            assert!(face.face(false).unwrap().glyph_index(c).is_none(), "{c} need not be drawn");
            assert_eq!(face.advance(c, false), MISSING);
            let inside = |[x, y]: &[f64; 2]| (0.0..=MISSING).contains(x) && (-0.2..=0.75).contains(y);
            assert!(bars(c).unwrap().iter().flatten().all(inside), "{c}");
        }
    }

    #[test]
    fn digits_are_as_wide_as_those_of_arial() {
        // 1139 of 2048 units: the published width of Arial's digits
        let fonts = Fonts::embedded();
        for c in "0123456789".chars() {
            assert_eq!(fonts.advance(c, false), 1139.0 / 2048.0);
        }
    }

    #[test]
    fn a_composed_diaeresis_is_as_high_as_the_type_designer_put_it() {
        // the designer's ü, ö, Ü against letter + combining mark, placed here
        const DESIGN: f64 = 0.02; // em; invisible at 8 pt
        let fonts = Fonts::embedded();
        for italic in [false, true] {
            let face = fonts.face(italic).unwrap();
            let units = f64::from(face.units_per_em());
            for (whole, letter) in [('ü', 'u'), ('ö', 'o'), ('ÿ', 'y'), ('ä', 'a')] {
                let bounds = |c| face.glyph_bounding_box(face.glyph_index(c).unwrap()).unwrap();
                let mark = bounds('\u{308}');
                let [_, dy] = attach(face, bounds(letter), mark);
                let top = f64::from(mark.y_max) + dy;
                assert!((top - f64::from(bounds(whole).y_max)).abs() < DESIGN * units, "{whole} {italic}");
            }
        }
    }
}
