//! From SVG to pixels, with the letters as outlines of the embedded font: no font of the system is asked.

use super::note::KEYWORD;
use super::{Figure, FigureError, svg_outlined};
use resvg::{tiny_skia, usvg};

/// The largest picture (pixels).
const LIMIT: f64 = 2e8;

/// The figure as PNG on white, with its resolution written into it (dpi).
pub fn png(figure: &Figure, dpi: f64) -> Result<Vec<u8>, FigureError> {
    svg_and_png(figure, dpi).map(|(_, png)| png)
}

/// The figure as SVG with outlined letters and as PNG, laid out once.
pub fn svg_and_png(figure: &Figure, dpi: f64) -> Result<(String, Vec<u8>), FigureError> {
    let svg = svg_outlined(figure);
    let png = pixels(&svg, dpi, &figure.note)?;
    Ok((svg, png))
}

/// An SVG with outlined letters as PNG.
fn pixels(svg: &str, dpi: f64, note: &str) -> Result<Vec<u8>, FigureError> {
    if !(dpi.is_finite() && dpi > 0.0) {
        return Err(FigureError::Resolution(dpi));
    }
    let tree = usvg::Tree::from_str(svg, &usvg::Options::default())
        .map_err(|e| FigureError::Vector(e.to_string()))?;
    // the tree is in CSS pixels of 1/96 inch
    let scale = dpi / 96.0;
    let [width, height] =
        [tree.size().width(), tree.size().height()].map(|v| (f64::from(v) * scale).round().max(1.0));
    if width * height > LIMIT {
        return Err(FigureError::Pixels { width, height, limit: LIMIT });
    }
    let too_large = FigureError::Pixels { width, height, limit: LIMIT };
    let mut pixels = tiny_skia::Pixmap::new(width as u32, height as u32).ok_or(too_large)?;
    pixels.fill(tiny_skia::Color::WHITE);
    let transform = tiny_skia::Transform::from_scale(scale as f32, scale as f32);
    resvg::render(&tree, transform, &mut pixels.as_mut());
    encoded(&pixels, dpi, note).map_err(|e| FigureError::Encoding(e.to_string()))
}

/// The pixels as PNG, without their opacity: they lie on white.
fn encoded(pixels: &tiny_skia::Pixmap, dpi: f64, note: &str) -> Result<Vec<u8>, png::EncodingError> {
    let mut colours = Vec::with_capacity(3 * pixels.pixels().len());
    pixels.pixels().iter().for_each(|p| colours.extend([p.red(), p.green(), p.blue()]));
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, pixels.width(), pixels.height());
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    // a sixth of the time that the usual level takes, for files that are half as large again
    encoder.set_deflate_compression(png::DeflateCompression::Level(1));
    encoder.set_filter(png::Filter::Up);
    let per_metre = (dpi / 0.0254).round() as u32;
    encoder.set_pixel_dims(Some(png::PixelDimensions {
        xppu: per_metre,
        yppu: per_metre,
        unit: png::Unit::Meter,
    }));
    if !note.is_empty() {
        encoder.add_itxt_chunk(KEYWORD.into(), note.into())?;
    }
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&colours)?;
    writer.finish()?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Panel, Series};

    #[test]
    fn a_picture_has_the_pixels_that_width_and_resolution_ask_for() {
        let panel =
            Panel { series: vec![Series::line("", vec![0.0, 1.0], vec![0.0, 1.0])], ..Panel::default() };
        let figure = Figure { width: 85.0, panels: vec![panel], ..Figure::default() };
        let bytes = png(&figure, 300.0).unwrap();
        let word = |i: usize| u32::from_be_bytes([bytes[i], bytes[i + 1], bytes[i + 2], bytes[i + 3]]);
        // 85 mm at 300 dpi
        assert_eq!(word(16), 1004);
        assert_eq!(&bytes[37..41], b"pHYs");
        assert_eq!(word(41), 11811);
    }

    #[test]
    fn svg_and_png_are_of_one_layout() {
        let figure = Figure { panels: vec![Panel::default()], ..Figure::default() };
        let laid_out = || crate::draw::LAYOUTS.with(std::cell::Cell::get);
        let before = laid_out();
        let (svg, image) = svg_and_png(&figure, 100.0).unwrap();
        assert_eq!(laid_out() - before, 1);
        assert_eq!((svg, image), (svg_outlined(&figure), png(&figure, 100.0).unwrap()));
    }

    #[test]
    fn impossible_pictures_are_refused() {
        let figure = Figure { panels: vec![Panel::default()], ..Figure::default() };
        assert_eq!(png(&figure, 0.0), Err(FigureError::Resolution(0.0)));
        assert!(matches!(png(&figure, f64::NAN), Err(FigureError::Resolution(_))));
        assert!(matches!(png(&figure, 1e6), Err(FigureError::Pixels { .. })));
    }
}
