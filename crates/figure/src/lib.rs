//! Figures for print: plain data in, SVG, PDF or PNG out.
//!
//! A [`Figure`] is a grid of [`Panel`]s; a panel has two axes and [`Series`] of points in data units. Everything
//! else (ranges, ticks, margins, legends, simplification of long series) follows from the data and the width, so
//! that a figure is readable at one column (85 mm) and at two columns (175 mm). The layout unit is the point
//! (1/72 inch); margins are computed from the metrics of the embedded font.
//!
//! Labels take a little markup: `*u*` is italic, `_{max}` a subscript, `^{2}` a superscript; a backslash makes the
//! next character literal. Greek letters and combining dots (`u̇`) are written as they are.
//!
//! A value that is NaN, infinite or beyond ±1e300 breaks its line. The same figure always gives the same bytes.

#![warn(clippy::unwrap_used, clippy::expect_used)]

mod annotate;
mod axis;
mod clip;
mod cover;
mod draw;
mod error;
mod font;
mod heat;
mod layout;
mod legend;
mod marks;
mod note;
mod pdf;
mod png;
mod range;
mod shape;
mod simplify;
mod style;
mod svg;
mod text;
mod ticks;

pub use error::FigureError;
pub use heat::{HeatMap, viridis};
pub use layout::panel_letters;
pub use note::note_of;
pub use pdf::pdf;
pub use png::{png, svg_and_png};
pub use style::{Color, Dash, Line, Marker, MarkerShape};

/// Width of a figure in one column of a journal (mm).
pub const ONE_COLUMN: f64 = 85.0;
/// Width of a figure across two columns of a journal (mm).
pub const TWO_COLUMNS: f64 = 175.0;

/// A grid of panels with a common width.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// Heading above the panels; usually empty, because the caption says it.
    pub title: String,
    /// Smaller text below the heading, such as the values of parameters.
    pub subtitle: String,
    /// Total width; brought into 30 … 1000 (mm).
    pub width: f64,
    /// Panels in a row, filled row by row; fewer if the boxes became narrower than 14 mm.
    pub columns: usize,
    /// Height of an axes box divided by its width, for panels that do not say otherwise (-).
    pub ratio: f64,
    /// The panels, in reading order.
    pub panels: Vec<Panel>,
    /// One legend for all panels; with it the panels draw none of their own.
    pub legend: SharedLegend,
    /// Letters (a), (b), … above the panels, if there are at least two.
    pub tags: bool,
    /// Panels that stand above each other and have the same x scale share its range; the lowest names and numbers it.
    pub share_x: bool,
    /// Light lines at the numbered ticks.
    pub grid: bool,
    /// Text that the file carries and nobody sees, such as where the numbers come from.
    pub note: String,
}

impl Default for Figure {
    fn default() -> Self {
        Self {
            title: String::new(),
            subtitle: String::new(),
            width: ONE_COLUMN,
            columns: 1,
            ratio: 0.7,
            panels: Vec::new(),
            legend: SharedLegend::None,
            tags: true,
            share_x: false,
            grid: false,
            note: String::new(),
        }
    }
}

impl Figure {
    /// The letters of the panels, in reading order.
    pub fn letters(&self) -> Vec<String> {
        (0..self.panels.len()).map(panel_letters).collect()
    }

    /// The figure with these panels alone, by their letters; the letter that no panel has otherwise.
    pub fn with_panels<'a>(&self, wished: &'a [String]) -> Result<Self, &'a str> {
        let letters = self.letters();
        let panel = |wish: &'a String| {
            let place = letters.iter().position(|own| own == wish.trim());
            place.map(|i| self.panels[i].clone()).ok_or(wish.trim())
        };
        let panels: Vec<Panel> = wished.iter().map(panel).collect::<Result<_, _>>()?;
        Ok(Self { columns: self.columns.min(panels.len()), panels, ..self.clone() })
    }
}

/// Where the legend common to all panels stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SharedLegend {
    /// Every panel has its own.
    #[default]
    None,
    /// Above the panels.
    Above,
    /// Below the panels.
    Below,
}

/// One pair of axes and what is drawn in it, from back to front: heat map, bands, rules, series, arrows, notes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Panel {
    /// Heading above the box, after the letter; may be empty.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// A quantity as colours, with its bar on the right.
    pub heat: Option<HeatMap>,
    /// Curves, points and polygons; later ones lie on top.
    pub series: Vec<Series>,
    /// Shaded intervals of x.
    pub bands: Vec<Band>,
    /// Reference lines.
    pub rules: Vec<Rule>,
    /// Arrows.
    pub arrows: Vec<Arrow>,
    /// Texts at points.
    pub notes: Vec<Note>,
    /// The panel's own legend.
    pub legend: Legend,
    /// Without box, ticks and axis labels: for drawings that are no graphs.
    pub is_bare: bool,
    /// One unit has the same length on both axes (for linear scales).
    pub equal_aspect: bool,
    /// Height of the box divided by its width; by default that of the figure, or with equal aspect that of the data (-).
    pub ratio: Option<f64>,
}

/// Where a panel's legend stands; one that is larger than the box stands below it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Legend {
    /// In the box where it hides nothing, otherwise below the panel.
    #[default]
    Auto,
    /// No legend.
    None,
    /// In the upper left corner of the box.
    TopLeft,
    /// In the upper right corner of the box.
    TopRight,
    /// In the lower left corner of the box.
    BottomLeft,
    /// In the lower right corner of the box.
    BottomRight,
    /// Below the panel.
    Below,
}

/// What an axis measures and which part of it is shown.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Axis {
    /// Name of the quantity, as `*u*`.
    pub label: String,
    /// Unit without parentheses, as `m/s`; may be empty.
    pub unit: String,
    /// How values become lengths.
    pub scale: Scale,
    /// The values at both ends; by default what the data need.
    pub range: Option<[f64; 2]>,
}

impl Axis {
    /// A linear axis that shows all data.
    pub fn new(label: impl Into<String>, unit: impl Into<String>) -> Self {
        Self { label: label.into(), unit: unit.into(), ..Self::default() }
    }

    /// The same axis with a logarithmic scale.
    pub fn log(self) -> Self {
        Self { scale: Scale::Log, ..self }
    }

    /// The same axis from `lo` to `hi`.
    pub fn range(self, lo: f64, hi: f64) -> Self {
        Self { range: Some([lo, hi]), ..self }
    }
}

/// How values become lengths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scale {
    /// Equal differences have equal lengths.
    #[default]
    Linear,
    /// Equal ratios have equal lengths; values that are not positive are not shown.
    Log,
}

/// Points that belong together: a curve, a cloud or closed polygons (one after the other, with NaN between them).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// Name in the legend; empty: not listed.
    pub label: String,
    /// Abscissae.
    pub x: Vec<f64>,
    /// Ordinates; where the lengths differ, the shorter one counts.
    pub y: Vec<f64>,
    /// Colour of everything in the series.
    pub color: Color,
    /// Connect the points.
    pub line: Option<Line>,
    /// Mark the points.
    pub marker: Option<Marker>,
    /// Close the polygon and fill it with this opacity, 0 … 1 (-).
    pub fill: Option<f64>,
}

impl Series {
    /// A curve through the points.
    pub fn line(label: impl Into<String>, x: Vec<f64>, y: Vec<f64>) -> Self {
        Self { label: label.into(), x, y, line: Some(Line::default()), ..Self::default() }
    }

    /// The points alone.
    pub fn points(label: impl Into<String>, x: Vec<f64>, y: Vec<f64>) -> Self {
        Self { label: label.into(), x, y, marker: Some(Marker::default()), ..Self::default() }
    }

    /// A closed polygon, outlined and lightly filled.
    pub fn polygon(label: impl Into<String>, x: Vec<f64>, y: Vec<f64>) -> Self {
        let line = Some(Line { width: 0.5, dash: Dash::Solid });
        Self { label: label.into(), x, y, line, fill: Some(0.2), ..Self::default() }
    }

    /// The same series in this colour.
    pub fn color(self, color: Color) -> Self {
        Self { color, ..self }
    }

    /// The same series with its points connected by lines of this width (pt) and dash.
    pub fn with_line(self, width: f64, dash: Dash) -> Self {
        Self { line: Some(Line { width, dash }), ..self }
    }

    /// The same series with marked points.
    pub fn with_marker(self, shape: MarkerShape) -> Self {
        Self { marker: Some(Marker { shape, ..Marker::default() }), ..self }
    }
}

/// A shaded interval of x, over the whole height.
#[derive(Clone, Debug, PartialEq)]
pub struct Band {
    /// Name in the legend; empty: not listed. Bands with the same name are listed once.
    pub label: String,
    /// First and last x.
    pub x: [f64; 2],
}

/// A reference line across the box.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// Text at the end of the line, outside the box; may be empty.
    pub label: String,
    /// Where the line crosses its axis.
    pub at: Across,
}

/// The axis that a reference line crosses, and the value there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Across {
    /// A vertical line at this x.
    X(f64),
    /// A horizontal line at this y.
    Y(f64),
}

/// An arrow between two points in data units.
#[derive(Clone, Debug, PartialEq)]
pub struct Arrow {
    /// The tail.
    pub from: [f64; 2],
    /// The head.
    pub to: [f64; 2],
    /// Colour.
    pub color: Color,
}

/// A text at a point in data units.
#[derive(Clone, Debug, PartialEq)]
pub struct Note {
    /// The text.
    pub text: String,
    /// The point.
    pub at: [f64; 2],
    /// Where the text stands, seen from the point.
    pub side: AxisSide,
}

/// A direction seen from a point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AxisSide {
    /// To the right of the point.
    #[default]
    Right,
    /// To the left of the point.
    Left,
    /// Above the point.
    Above,
    /// Below the point.
    Below,
    /// Centred on the point.
    Center,
}

/// The figure as SVG with text as text: searchable, editable, and with the look of the viewer's fonts.
///
/// There is no prolog, identifier, style sheet or blank line in it: it can stand inside HTML and Markdown.
pub fn svg(figure: &Figure) -> String {
    draw::figure(figure, svg::Letters::Text)
}

/// The figure as SVG with text as outlines: the same picture in every viewer.
pub fn svg_outlined(figure: &Figure) -> String {
    draw::figure(figure, svg::Letters::Outlines)
}
