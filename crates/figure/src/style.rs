//! Colours, dashes and markers.
//!
//! The colours are those of Okabe and Ito, safe for colour-blind readers; curves differ in dash and points in shape
//! as well, so that a grey print can be read.

use super::{Figure, Panel, Series, SharedLegend};

/// Which colour, dash and shape of the cycles a series gets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CyclePlace {
    pub(crate) color: usize,
    pub(crate) dash: usize,
    pub(crate) shape: usize,
}

impl CyclePlace {
    /// The place after that of `series`: colours go by series, dashes by curve, shapes by series with markers.
    fn after(self, series: &Series) -> Self {
        Self {
            color: self.color + 1,
            dash: self.dash + usize::from(series.line.is_some() && series.fill.is_none()),
            shape: self.shape + usize::from(series.marker.is_some()),
        }
    }

    /// The larger of both places, index by index.
    fn max(self, other: Self) -> Self {
        Self {
            color: self.color.max(other.color),
            dash: self.dash.max(other.dash),
            shape: self.shape.max(other.shape),
        }
    }
}

/// The places of all series of a panel that has a legend of its own.
pub(crate) fn panel_places(panel: &Panel) -> Vec<CyclePlace> {
    let next = |next: &mut CyclePlace, s: &Series| {
        let place = *next;
        *next = place.after(s);
        Some(place)
    };
    panel.series.iter().scan(CyclePlace::default(), next).collect()
}

/// The places of all series, panel by panel. With a common legend a label has one look in all panels, and no two labels
/// the same.
pub(crate) fn places(figure: &Figure) -> Vec<Vec<CyclePlace>> {
    let mut places: Vec<Vec<CyclePlace>> = figure.panels.iter().map(panel_places).collect();
    if figure.legend == SharedLegend::None {
        return places;
    }
    let mut known: Vec<(&str, CyclePlace)> = Vec::new();
    let mut next = CyclePlace::default();
    for (panel, places) in figure.panels.iter().zip(&mut places) {
        for (s, place) in panel.series.iter().zip(places).filter(|(s, _)| !s.label.is_empty()) {
            if let Some((_, first)) = known.iter().find(|(label, _)| *label == s.label) {
                *place = *first;
                continue;
            }
            *place = place.max(next);
            next = place.after(s);
            known.push((&s.label, *place));
        }
    }
    places
}

/// A colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Color {
    /// The next of the palette, by the place of the series in its panel.
    #[default]
    Auto,
    /// #0072b2
    Blue,
    /// #d55e00
    Vermillion,
    /// #009e73
    Green,
    /// #cc79a7
    Purple,
    /// #e69f00
    Orange,
    /// #56b4e9
    Sky,
    /// #000000
    Black,
    /// #7f7f7f
    Gray,
    /// Any other, as red, green, blue.
    Rgb([u8; 3]),
}

/// The order in which the palette is used.
const PALETTE: [Color; 7] =
    [Color::Blue, Color::Vermillion, Color::Green, Color::Purple, Color::Orange, Color::Sky, Color::Black];

impl Color {
    /// The colour of the series number `i` of a panel.
    pub fn cycle(i: usize) -> Self {
        PALETTE[i % PALETTE.len()]
    }

    /// Hexadecimal notation, for the series number `i`.
    pub(crate) fn hex(self, i: usize) -> String {
        let known = match self {
            Self::Auto => return Self::cycle(i).hex(i),
            Self::Rgb([r, g, b]) => return format!("#{r:02x}{g:02x}{b:02x}"),
            Self::Blue => "#0072b2",
            Self::Vermillion => "#d55e00",
            Self::Green => "#009e73",
            Self::Purple => "#cc79a7",
            Self::Orange => "#e69f00",
            Self::Sky => "#56b4e9",
            Self::Black => "#000",
            Self::Gray => "#7f7f7f",
        };
        known.to_string()
    }
}

/// How a curve is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// Width of the stroke (pt).
    pub width: f64,
    /// Dash pattern.
    pub dash: Dash,
}

impl Default for Line {
    fn default() -> Self {
        Self { width: 0.9, dash: Dash::Auto }
    }
}

/// A dash pattern.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dash {
    /// The next pattern, by the place of the series in its panel.
    #[default]
    Auto,
    /// ────
    Solid,
    /// ─ ─ ─
    Dashed,
    /// ─ · ─
    DashDot,
    /// · · ·
    Dotted,
    /// ── ──
    LongDashed,
    /// ─ · · ─
    DashDotDot,
}

/// The order in which the patterns are used.
const PATTERNS: [Dash; 6] =
    [Dash::Solid, Dash::Dashed, Dash::DashDot, Dash::Dotted, Dash::LongDashed, Dash::DashDotDot];

impl Dash {
    /// Lengths of dashes and gaps in stroke widths, for the series number `i`.
    pub(crate) fn pattern(self, i: usize) -> &'static [f64] {
        match self {
            Self::Auto => PATTERNS[i % PATTERNS.len()].pattern(i),
            Self::Solid => &[],
            Self::Dashed => &[4.0, 2.0],
            Self::DashDot => &[5.5, 1.6, 1.1, 1.6],
            Self::Dotted => &[1.1, 1.5],
            Self::LongDashed => &[8.0, 2.2],
            Self::DashDotDot => &[5.5, 1.4, 1.1, 1.4, 1.1, 1.4],
        }
    }
}

/// How a point is marked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Marker {
    /// Its shape.
    pub shape: MarkerShape,
    /// Its diameter (pt).
    pub size: f64,
    /// Filled with the colour, or with white.
    pub filled: bool,
}

impl Default for Marker {
    fn default() -> Self {
        Self { shape: MarkerShape::Auto, size: 3.2, filled: true }
    }
}

/// The shape of a marker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MarkerShape {
    /// The next shape, by the place of the series in its panel.
    #[default]
    Auto,
    /// ●
    Circle,
    /// ■
    Square,
    /// ▲
    Triangle,
    /// ◆
    Diamond,
    /// ×
    Cross,
    /// +
    Plus,
}

/// The order in which the shapes are used.
const SHAPES: [MarkerShape; 6] = [
    MarkerShape::Circle,
    MarkerShape::Square,
    MarkerShape::Triangle,
    MarkerShape::Diamond,
    MarkerShape::Cross,
    MarkerShape::Plus,
];

impl MarkerShape {
    /// The shape for the series number `i`.
    pub(crate) fn resolve(self, i: usize) -> Self {
        if self == Self::Auto { SHAPES[i % SHAPES.len()] } else { self }
    }
}
