//! Text that a file carries and nobody sees: the element `metadata` of an SVG, a text chunk of a PNG.

/// Keyword of the chunk.
pub(crate) const KEYWORD: &str = "Source";
const TAGS: [&str; 2] = ["<metadata>", "</metadata>\n"];
/// Characters that a text in XML cannot have as they are.
const ESCAPES: [(&str, &str); 3] = [("&", "&amp;"), ("<", "&lt;"), (">", "&gt;")];

/// A note as an element; nothing for none.
pub(crate) fn metadata(note: &str) -> String {
    if note.is_empty() {
        return String::new();
    }
    let text = ESCAPES.iter().fold(note.to_owned(), |text, (from, to)| text.replace(from, to));
    format!("{}{text}{}", TAGS[0], TAGS[1])
}

/// The note of a figure in SVG or PNG.
pub fn note_of(bytes: &[u8]) -> Option<String> {
    if bytes.starts_with(b"\x89PNG") {
        let text = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().ok()?;
        let chunk = text.info().utf8_text.iter().find(|chunk| chunk.keyword == KEYWORD)?;
        return chunk.get_text().ok();
    }
    let svg = std::str::from_utf8(bytes).ok()?;
    let (_, rest) = svg.split_once(TAGS[0])?;
    let (text, _) = rest.split_once(TAGS[1])?;
    Some(ESCAPES.iter().rev().fold(text.to_owned(), |text, (from, to)| text.replace(to, from)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Figure, svg, svg_and_png};

    #[test]
    fn a_note_is_read_back_and_leaves_the_picture_as_it_is() {
        let bare = Figure::default();
        let noted = Figure { note: "µ < 1 & \"x\" > 0 &amp;\n".into(), ..Figure::default() };
        let (svg_file, png_file) = svg_and_png(&noted, 96.0).unwrap();
        for bytes in [svg_file.as_bytes(), &png_file, svg(&noted).as_bytes()] {
            assert_eq!(note_of(bytes).as_ref(), Some(&noted.note));
        }
        let (svg_bare, png_bare) = svg_and_png(&bare, 96.0).unwrap();
        assert_eq!(svg_file.replacen(&metadata(&noted.note), "", 1), svg_bare);
        assert_eq!(note_of(svg_bare.as_bytes()), None);
        assert!(note_of(&png_bare).is_none() && note_of(b"").is_none() && note_of(b"\x89PNG").is_none());
    }
}
