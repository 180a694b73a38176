//! Text that a file carries and nobody sees: the element `metadata` of an SVG, a text chunk of a PNG.

/// Keyword of the chunk.
pub(crate) const KEYWORD: &str = "Source";
const TAGS: [&str; 2] = ["<metadata>", "</metadata>\n"];
/// Characters that a text in XML cannot have as they are.
const ESCAPES: [(&str, &str); 3] = [("&", "&amp;"), ("<", "&lt;"), (">", "&gt;")];

/// The longest note that is read from a file (bytes): far more than any scenario, far less than a machine has memory.
const LONGEST: usize = 64 << 20;

/// Whether a document in XML 1.0 may have a character, in whatever way it is written.
pub(crate) fn is_xml(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | '\u{20}'..='\u{fffd}' | '\u{10000}'..)
}

/// A note as an element; nothing for none. Characters that XML does not have are left out.
pub(crate) fn metadata(note: &str) -> String {
    if note.is_empty() {
        return String::new();
    }
    let note: String = note.chars().filter(|c| is_xml(*c)).collect();
    let text = ESCAPES.iter().fold(note, |text, (from, to)| text.replace(from, to));
    format!("{}{text}{}", TAGS[0], TAGS[1])
}

/// The note of a figure in SVG or PNG.
pub fn note_of(bytes: &[u8]) -> Option<String> {
    if bytes.starts_with(b"\x89PNG") {
        let text = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().ok()?;
        let mut chunk = text.info().utf8_text.iter().find(|chunk| chunk.keyword == KEYWORD)?.clone();
        chunk.decompress_text_with_limit(LONGEST).ok()?;
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

    #[test]
    fn a_note_that_is_longer_than_any_is_not_unpacked() {
        let packed = |n: usize| {
            let mut bytes = Vec::new();
            let mut encoder = png::Encoder::new(&mut bytes, 1, 1);
            encoder.set_color(png::ColorType::Grayscale);
            let mut writer = encoder.write_header().unwrap();
            let mut chunk = png::text_metadata::ITXtChunk::new(KEYWORD, "a".repeat(n));
            chunk.compress_text().unwrap();
            chunk.compressed = true;
            writer.write_text_chunk(&chunk).unwrap();
            writer.write_image_data(&[0]).unwrap();
            writer.finish().unwrap();
            bytes
        };
        assert_eq!(note_of(&packed(1000)).map(|note| note.len()), Some(1000));
        let bomb = packed(LONGEST + 1);
        assert!(bomb.len() < 1 << 20 && note_of(&bomb).is_none());
    }

    #[test]
    fn characters_that_xml_does_not_have_are_left_out() {
        let figure =
            Figure { title: "a\u{fffe}b\u{ffff}".into(), note: "n\u{fffe}\u{1}".into(), ..Figure::default() };
        let (svg_file, _) = svg_and_png(&figure, 96.0).unwrap();
        assert_eq!(note_of(svg_file.as_bytes()).as_deref(), Some("n"));
        assert!(svg_file.chars().chain(svg(&figure).chars()).all(is_xml));
    }
}
