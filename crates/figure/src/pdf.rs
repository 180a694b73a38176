//! From SVG to PDF: one page of paths, with the letters as outlines of the embedded font.

use super::{Figure, FigureError, svg_outlined};
use flate2::{Compression, write::ZlibEncoder};
use resvg::tiny_skia::{PathSegment, Transform};
use resvg::usvg::{self, FillRule, LineCap, LineJoin, Node, Paint, Path};
use std::fmt::Write as _;
use std::io::Write as _;

/// Points (1/72 inch) in a pixel of CSS (1/96 inch).
const POINT: f64 = 0.75;

/// The figure as PDF. The same figure always gives the same bytes: no date is written into it.
pub fn pdf(figure: &Figure) -> Result<Vec<u8>, FigureError> {
    let svg = svg_outlined(figure);
    let tree = usvg::Tree::from_str(&svg, &usvg::Options::default())
        .map_err(|e| FigureError::Vector(e.to_string()))?;
    let [width, height] = [tree.size().width(), tree.size().height()].map(|v| POINT * f64::from(v));
    let mut page = Page::default();
    // y points down in SVG, up in PDF
    let _ = writeln!(page.content, "{POINT} 0 0 -{POINT} 0 {height:.3} cm 1 j");
    page.group(tree.root());
    page.document([width, height], &figure.note).map_err(|e| FigureError::Encoding(e.to_string()))
}

#[derive(Default)]
struct Page {
    content: String,
    /// Opacities in use; each is a graphics state of the page.
    opacities: Vec<f32>,
}

impl Page {
    fn group(&mut self, group: &usvg::Group) {
        for node in group.children() {
            match node {
                Node::Group(inner) => self.group(inner),
                Node::Path(path) if path.is_visible() => self.path(path),
                // figures have neither images nor, outlined, texts
                _ => {}
            }
        }
    }

    fn path(&mut self, path: &Path) {
        let fill =
            path.fill().and_then(|fill| Some((colour(fill.paint())?, fill.opacity().get(), fill.rule())));
        let stroke = path.stroke().and_then(|stroke| Some((colour(stroke.paint())?, stroke)));
        let Transform { sx, kx, ky, sy, tx, ty } = path.abs_transform();
        let _ = writeln!(self.content, "q {sx} {ky} {kx} {sy} {tx} {ty} cm");
        let mut paint = match &fill {
            Some((_, _, FillRule::EvenOdd)) => "f*",
            Some(_) => "f",
            None => "n",
        };
        if let Some(([r, g, b], opacity, _)) = &fill {
            let _ = writeln!(self.content, "{r} {g} {b} rg");
            self.opacity(*opacity);
        }
        if let Some(([r, g, b], stroke)) = &stroke {
            let cap = match stroke.linecap() {
                LineCap::Butt => 0,
                LineCap::Round => 1,
                LineCap::Square => 2,
            };
            let join = match stroke.linejoin() {
                LineJoin::Round => 1,
                LineJoin::Bevel => 2,
                _ => 0,
            };
            let dashes: Vec<String> =
                stroke.dasharray().into_iter().flatten().map(|dash| format!("{dash}")).collect();
            let width = stroke.width().get();
            let _ = writeln!(
                self.content,
                "{r} {g} {b} RG {width} w {cap} J {join} j [{}] {} d",
                dashes.join(" "),
                stroke.dashoffset()
            );
            self.opacity(stroke.opacity().get());
            paint = match paint {
                "f*" => "B*",
                "f" => "B",
                _ => "S",
            };
        }
        self.segments(path);
        let _ = writeln!(self.content, "{paint} Q");
    }

    fn segments(&mut self, path: &Path) {
        let mut last = [0.0f32; 2];
        for segment in path.data().segments() {
            let _ = match segment {
                PathSegment::MoveTo(p) => {
                    last = [p.x, p.y];
                    writeln!(self.content, "{} {} m", p.x, p.y)
                }
                PathSegment::LineTo(p) => {
                    last = [p.x, p.y];
                    writeln!(self.content, "{} {} l", p.x, p.y)
                }
                PathSegment::QuadTo(c, p) => {
                    // the cubic curve that is the quadratic one
                    let third = |a: f32, c: f32| a + (c - a) * (2.0 / 3.0);
                    let (ax, ay) = (third(last[0], c.x), third(last[1], c.y));
                    let (bx, by) = (third(p.x, c.x), third(p.y, c.y));
                    last = [p.x, p.y];
                    writeln!(self.content, "{ax} {ay} {bx} {by} {} {} c", p.x, p.y)
                }
                PathSegment::CubicTo(a, b, p) => {
                    last = [p.x, p.y];
                    writeln!(self.content, "{} {} {} {} {} {} c", a.x, a.y, b.x, b.y, p.x, p.y)
                }
                PathSegment::Close => writeln!(self.content, "h"),
            };
        }
    }

    fn opacity(&mut self, opacity: f32) {
        if opacity >= 1.0 {
            return;
        }
        let known = self.opacities.iter().position(|own| *own == opacity);
        let k = known.unwrap_or_else(|| {
            self.opacities.push(opacity);
            self.opacities.len() - 1
        });
        let _ = writeln!(self.content, "/G{k} gs");
    }

    /// The file: catalogue, pages, page, content, states, information.
    fn document(&self, [width, height]: [f64; 2], note: &str) -> std::io::Result<Vec<u8>> {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(self.content.as_bytes())?;
        let stream = encoder.finish()?;
        let states: String = (self.opacities.iter().enumerate())
            .map(|(k, opacity)| format!("/G{k} << /ca {opacity} /CA {opacity} >> "))
            .collect();
        // UTF-16 with its mark, in hexadecimal digits
        let note: String = note.encode_utf16().map(|unit| format!("{unit:04X}")).collect();
        let page = format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width:.3} {height:.3}] /Contents 4 0 R \
             /Resources << /ExtGState << {states}>> >> >>"
        );
        let mut head = format!("<< /Length {} /Filter /FlateDecode >>\nstream\n", stream.len()).into_bytes();
        head.extend(stream);
        head.extend(b"\nendstream");
        let objects = [
            b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_vec(),
            page.into_bytes(),
            head,
            format!("<< /Producer (stiction) /Keywords <FEFF{note}> >>").into_bytes(),
        ];
        let mut file = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n".to_vec();
        let mut places = Vec::new();
        for (i, object) in objects.iter().enumerate() {
            places.push(file.len());
            file.extend(format!("{} 0 obj\n", i + 1).into_bytes());
            file.extend(object);
            file.extend(b"\nendobj\n");
        }
        let start = file.len();
        let n = objects.len() + 1;
        file.extend(format!("xref\n0 {n}\n0000000000 65535 f \n").into_bytes());
        places.iter().for_each(|place| file.extend(format!("{place:010} 00000 n \n").into_bytes()));
        let trailer =
            format!("trailer\n<< /Size {n} /Root 1 0 R /Info 5 0 R >>\nstartxref\n{start}\n%%EOF\n");
        file.extend(trailer.into_bytes());
        Ok(file)
    }
}

/// A plain colour, 0 … 1.
fn colour(paint: &Paint) -> Option<[f32; 3]> {
    match paint {
        Paint::Color(colour) => Some([colour.red, colour.green, colour.blue].map(|c| f32::from(c) / 255.0)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Panel, Series};

    #[test]
    fn a_file_has_its_page_size_and_every_object_where_its_table_says() {
        let panel = Panel {
            series: vec![Series::polygon("a", vec![0.0, 1.0, 1.0], vec![0.0, 1.0, 0.0])],
            ..Panel::default()
        };
        let figure =
            Figure { width: 85.0, panels: vec![panel], note: "{\"ü\":1}".into(), ..Figure::default() };
        let bytes = pdf(&figure).unwrap();
        assert_eq!(bytes, pdf(&figure).unwrap());
        let text = String::from_utf8_lossy(&bytes).into_owned();
        // 85 mm
        assert!(text.contains("/MediaBox [0 0 240.9"), "{text}");
        assert!(text.contains("<FEFF007B002200FC0022003A0031007D>"));
        assert!(text.contains("/ca 0.2"), "the opacity of the polygon");
        let table = bytes.windows(5).rposition(|word| word == b"xref\n").unwrap();
        let table = String::from_utf8_lossy(&bytes[table..]).into_owned();
        for (i, line) in table.lines().skip(3).take(5).enumerate() {
            let at: usize = line[..10].parse().unwrap();
            assert!(bytes[at..].starts_with(format!("{} 0 obj", i + 1).as_bytes()), "{line}");
        }
    }
}
