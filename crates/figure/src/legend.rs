//! Legends: what they list, how their entries are arranged, and where in a box they hide nothing.

use super::axis::{Block, NUMBER};
use super::clip::{ClipBox, segment};
use super::font::Fonts;
use super::style::CyclePlace;
use super::svg::{Anchor, Canvas, Lettering, PathData, number};
use super::text::{CAPITAL, Rich};
use super::{Legend, Line, Marker, Panel, marks};

/// Length of the sample of a curve (pt): long enough for the longest dash pattern.
const SAMPLE: f64 = 19.0;
/// Space between sample and text (pt).
const GAP: f64 = 3.5;
/// Space between a legend inside a box and the box (pt).
const INSET: f64 = 4.0;

/// What a legend shows before the text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Entry {
    label: String,
    color: String,
    line: Option<Line>,
    marker: Option<Marker>,
    fill: Option<f64>,
    place: CyclePlace,
}

/// The colour of bands.
pub(crate) const BAND: &str = "#e2e2e2";

/// What is listed, each label once.
pub(crate) fn entries(panels: &[Panel], places: &[Vec<CyclePlace>]) -> Vec<Entry> {
    let mut list: Vec<Entry> = Vec::new();
    let mut add = |entry: Entry| {
        let shows = entry.line.is_some() || entry.marker.is_some() || entry.fill.is_some();
        if shows && !entry.label.trim().is_empty() && list.iter().all(|e| e.label != entry.label) {
            list.push(entry);
        }
    };
    for (panel, places) in panels.iter().zip(places) {
        for (&place, s) in places.iter().zip(&panel.series) {
            let color = s.color.hex(place.color);
            add(Entry { label: s.label.clone(), color, line: s.line, marker: s.marker, fill: s.fill, place });
        }
        for band in &panel.bands {
            let (label, color) = (band.label.clone(), BAND.to_string());
            add(Entry {
                label,
                color,
                line: None,
                marker: None,
                fill: Some(1.0),
                place: CyclePlace::default(),
            });
        }
    }
    list
}

/// Entries with their places, from the upper left corner of the legend (pt).
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Key {
    cells: Vec<(Entry, Block, [f64; 2])>,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

/// Space between two columns of entries (pt).
const COLUMN_GAP: f64 = 11.0;
/// Space between two entries of a column (pt).
const ROW_GAP: f64 = 2.4;
/// White space around a legend inside a box (pt).
const PADDING: f64 = 2.0;

impl Key {
    /// One below the other, with lines at most as broad as `limit` (pt).
    pub(crate) fn stacked(entries: Vec<Entry>, limit: f64, fonts: &Fonts) -> Self {
        Self::in_columns(entries, 1, limit, fonts)
    }

    /// In as many columns as a width allows (pt).
    pub(crate) fn spread(entries: Vec<Entry>, width: f64, fonts: &Fonts) -> Self {
        for n in (2..=entries.len()).rev() {
            // the same rows with fewer columns look better
            let rows = entries.len().div_ceil(n);
            let n = entries.len().div_ceil(rows);
            let key = Self::in_columns(entries.clone(), n, f64::INFINITY, fonts);
            // in several rows only if columns of the same width fit: otherwise holes remain
            let column = key.cells.iter().map(|(_, b, _)| SAMPLE + GAP + b.width(fonts)).fold(0.0, f64::max);
            let equal = n as f64 * (column + COLUMN_GAP) - COLUMN_GAP;
            if key.width <= width && (rows == 1 || equal <= width) {
                return key;
            }
        }
        Self::in_columns(entries, 1, width, fonts)
    }

    fn in_columns(entries: Vec<Entry>, n: usize, limit: f64, fonts: &Fonts) -> Self {
        let n = n.max(1);
        let text_limit = (limit - SAMPLE - GAP).max(20.0);
        let blocks: Vec<(Entry, Block)> = entries
            .into_iter()
            .map(|e| {
                let block = Block::new(&Rich::parse(&e.label), NUMBER, text_limit, fonts);
                (e, block)
            })
            .collect();
        let column = |c: usize| {
            blocks.iter().skip(c).step_by(n).map(|(_, b)| SAMPLE + GAP + b.width(fonts)).fold(0.0, f64::max)
        };
        let lefts: Vec<f64> = (0..n)
            .scan(0.0, |x, c| {
                let left = *x;
                *x += column(c) + COLUMN_GAP;
                Some(left)
            })
            .collect();
        let width = lefts.last().copied().unwrap_or(0.0) + column(n - 1);
        let mut tops = Vec::new();
        let mut y = 0.0;
        for row in blocks.chunks(n) {
            tops.push(y);
            y += row.iter().map(|(_, b)| b.height()).fold(0.0, f64::max) + ROW_GAP;
        }
        let height = (y - ROW_GAP).max(0.0);
        let cells =
            blocks.into_iter().enumerate().map(|(i, (e, b))| (e, b, [lefts[i % n], tops[i / n]])).collect();
        Self { cells, width, height }
    }

    /// The upper left corner in a box, relative to that of the box: where no line is hidden, or where it is wished.
    pub(crate) fn corner(
        &self,
        wish: Legend,
        [w, h]: [f64; 2],
        obstacles: &[Vec<[f64; 2]>],
    ) -> Option<[f64; 2]> {
        let (right, bottom) = (w - INSET - self.width, h - INSET - self.height);
        let (center, middle) = (0.5 * (w - self.width), 0.5 * (h - self.height));
        match wish {
            Legend::TopLeft => return Some([INSET, INSET]),
            Legend::TopRight => return Some([right.max(0.0), INSET]),
            Legend::BottomLeft => return Some([INSET, bottom]),
            Legend::BottomRight => return Some([right, bottom]),
            Legend::None | Legend::Below => return None,
            Legend::Auto => (),
        }
        if right < INSET || bottom < INSET {
            return None;
        }
        let places = [
            [right, INSET],
            [INSET, INSET],
            [right, bottom],
            [INSET, bottom],
            [center, INSET],
            [center, bottom],
            [right, middle],
            [INSET, middle],
        ];
        places.into_iter().find(|&[x, y]| {
            const CLEAR: f64 = 2.5; // pt between the legend and the nearest line
            let around = [x - CLEAR, y - CLEAR, x + self.width + CLEAR, y + self.height + CLEAR];
            !is_crossed(around, obstacles)
        })
    }

    /// Draws the legend with its upper left corner at a place; a white ground separates it from what lies below.
    pub(crate) fn draw(&self, canvas: &mut Canvas, [x, y]: [f64; 2], has_ground: bool) {
        if has_ground {
            let ground = [x - PADDING, y - PADDING, self.width + 2.0 * PADDING, self.height + 2.0 * PADDING];
            canvas.rect(ground, "fill=\"#fff\" fill-opacity=\".85\"");
        }
        for (entry, block, [dx, dy]) in &self.cells {
            let at = [x + dx, y + dy];
            entry.sample(canvas, [at[0], at[1] + NUMBER * (CAPITAL - 0.31)]);
            let how = Lettering {
                size: block.size,
                anchor: Anchor::Start,
                color: "#000",
                upright: false,
                halo: false,
            };
            for (baseline, line) in block.baselines() {
                canvas.text([at[0] + SAMPLE + GAP, at[1] + baseline], line, how);
            }
        }
    }
}

impl Entry {
    /// A piece of the curve, at the height of the middle of the letters.
    fn sample(&self, canvas: &mut Canvas, [x, y]: [f64; 2]) {
        if let Some(opacity) = self.fill {
            let half = 2.6;
            let border = match self.line {
                Some(line) => format!(" stroke=\"{}\" stroke-width=\"{}\"", self.color, number(line.width)),
                None => String::new(),
            };
            let attributes = format!("fill=\"{}\" fill-opacity=\"{}\"{border}", self.color, number(opacity));
            canvas.rect([x + 2.0, y - half, SAMPLE - 4.0, 2.0 * half], &attributes);
        } else if let Some(line) = self.line {
            let mut path = PathData::default();
            path.polyline(&[[x, y], [x + SAMPLE, y]]);
            canvas.path(&path, &super::draw::stroke(line, &self.color, self.place.dash));
        }
        if let Some(marker) = self.marker {
            marks::draw(canvas, &[[x + 0.5 * SAMPLE, y]], marker, &self.color, self.place.shape);
        }
    }
}

fn is_crossed(around: ClipBox, obstacles: &[Vec<[f64; 2]>]) -> bool {
    obstacles.iter().any(|line| line.windows(2).any(|pair| segment(pair[0], pair[1], around).is_some()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Series;
    use crate::style::panel_places;

    fn key() -> Key {
        let named = |name: &str| Series::line(name, vec![0.0], vec![0.0]);
        let panel =
            Panel { series: vec![named("one"), named("two"), named("one"), named("")], ..Panel::default() };
        Key::stacked(
            entries(std::slice::from_ref(&panel), &[panel_places(&panel)]),
            100.0,
            &Fonts::embedded(),
        )
    }

    #[test]
    fn a_label_is_listed_once_and_an_empty_one_never() {
        assert_eq!(key().cells.len(), 2);
    }

    #[test]
    fn a_legend_stands_where_it_hides_nothing_or_nowhere() {
        let size = [100.0, 80.0];
        let diagonal = vec![vec![[0.0, 80.0], [100.0, 0.0]]];
        let free = key().corner(Legend::Auto, size, &diagonal).unwrap();
        assert_eq!(free, [INSET, INSET]);
        let hatch: Vec<_> =
            (0..20).map(|i| vec![[5.0 * f64::from(i), 0.0], [5.0 * f64::from(i), 80.0]]).collect();
        assert_eq!(key().corner(Legend::Auto, size, &hatch), None);
        assert_eq!(key().corner(Legend::Auto, [20.0, 80.0], &[]), None);
    }
}
