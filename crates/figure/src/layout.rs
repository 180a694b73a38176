//! Where everything stands on the page.
//!
//! All boxes have the same width w. The margins of a column are the widest that one of its panels needs, so labels
//! line up; the numbers at the ticks depend on w, and w on the margins: a few rounds settle it.

use super::axis::{Block, LABEL, Map, NUMBER, Way, label};
use super::font::Fonts;
use super::heat::ColorBar;
use super::legend::{Key, entries};
use super::shape::Frame;
use super::text::{Rich, Script};
use super::ticks::Ticks;
use super::{Figure, Legend, Panel, Scale, SharedLegend, annotate, range, style};

/// Length of a tick with a number (pt).
pub(crate) const TICK: f64 = 2.6;
/// Space between a tick and its number (pt).
pub(crate) const NUMBER_GAP: f64 = 1.8;
/// Space between numbers and axis label, and between box and heading (pt).
pub(crate) const LABEL_GAP: f64 = 2.6;
/// Space between a legend and what is next to it (pt).
const LEGEND_GAP: f64 = 5.0;

/// A panel on the page.
pub(crate) struct Placed {
    pub(crate) frame: Frame,
    pub(crate) x_ticks: Ticks,
    pub(crate) y_ticks: Ticks,
    /// Whether the x axis is numbered and named.
    pub(crate) is_numbered: bool,
    pub(crate) heading: Block,
    /// Bottom of the heading above the box (pt).
    pub(crate) heading_bottom: f64,
    pub(crate) x_label: Block,
    /// Top of the x label (pt).
    pub(crate) x_label_top: f64,
    pub(crate) y_label: Block,
    /// Left of the y label (pt).
    pub(crate) y_label_left: f64,
    /// The legend, its corner, and whether it lies on the box.
    pub(crate) key: Option<(Key, [f64; 2], bool)>,
    /// The bar of the colours.
    pub(crate) bar: Option<ColorBar>,
}

/// The page.
pub(crate) struct Layout {
    /// Width and height (pt).
    pub(crate) size: [f64; 2],
    pub(crate) panels: Vec<Placed>,
    pub(crate) title: Block,
    /// Top of the title (pt).
    pub(crate) title_top: f64,
    pub(crate) subtitle: Block,
    /// Top of the subtitle (pt).
    pub(crate) subtitle_top: f64,
    /// The common legend and its corner.
    pub(crate) key: Option<(Key, [f64; 2])>,
}

/// Space around a box: left, right, above, below (pt).
#[derive(Clone, Copy, Default)]
struct Margins {
    /// Numbers of y with their gap to the label, and the label; both stand left of the box.
    numbers: f64,
    label: f64,
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

/// Size of the title of a figure (pt).
const TITLE: f64 = 9.0;
/// Boxes narrower than this are set in fewer columns (pt).
const NARROW: f64 = 40.0;
/// White border of the page (pt).
const EDGE: f64 = 2.0;
/// Space between two rows (pt).
const ROW_GAP: f64 = 6.0;
/// Space between two columns (pt).
const COLUMN_GAP: f64 = 8.0;

pub(crate) fn place(figure: &Figure, fonts: &Fonts) -> Layout {
    let width = if figure.width.is_finite() { figure.width.clamp(30.0, 1000.0) } else { super::ONE_COLUMN };
    let page = width * 72.0 / 25.4;
    let inner = page - 2.0 * EDGE;
    let mut columns = figure.columns.clamp(1, figure.panels.len().max(1));
    let mut grid = PanelGrid::new(figure, columns, inner, fonts);
    while columns > 1 && grid.w < NARROW {
        columns -= 1;
        grid = PanelGrid::new(figure, columns, inner, fonts);
    }
    let PanelGrid { w, heights, mut panels, lefts, rights, numbers } = grid;

    // from above to below
    let title = Block::new(&Rich::parse(&figure.title), TITLE, inner, fonts);
    let title_top = EDGE;
    let subtitle = Block::new(&Rich::parse(&figure.subtitle), NUMBER, inner, fonts);
    let below = |block: &Block| if block.lines.is_empty() { 0.0 } else { block.height() + LEGEND_GAP };
    let subtitle_top = EDGE + below(&title);
    let mut y = subtitle_top + below(&subtitle);
    let shared = match figure.legend {
        SharedLegend::None => Vec::new(),
        _ => entries(&figure.panels, &style::places(figure)),
    };
    let mut key = (!shared.is_empty()).then(|| (Key::spread(shared, inner, fonts), [0.0; 2]));
    if let (Some((key, corner)), SharedLegend::Above) = (&mut key, figure.legend) {
        *corner = [0.5 * (page - key.width), y];
        y += key.height + LEGEND_GAP;
    }
    for (r, row) in panels.chunks_mut(columns).enumerate() {
        let tallest = |f: fn(&Margins) -> f64| row.iter().map(|(_, m)| f(m)).fold(0.0, f64::max);
        let (top, bottom, h) = (tallest(|m| m.top), tallest(|m| m.bottom), heights[r]);
        y += if r > 0 { ROW_GAP } else { 0.0 } + top;
        let mut x = EDGE;
        for (c, (panel, _)) in row.iter_mut().enumerate() {
            x += lefts[c];
            moved(panel, [x, y, w, h], numbers[c]);
            x += w + rights[c] + COLUMN_GAP;
        }
        y += h + bottom;
    }
    if let (Some((key, corner)), SharedLegend::Below) = (&mut key, figure.legend) {
        *corner = [0.5 * (page - key.width), y + LEGEND_GAP];
        y += LEGEND_GAP + key.height;
    }
    let panels = panels.into_iter().map(|(panel, _)| panel).collect();
    Layout { size: [page, y + EDGE], panels, title, title_top, subtitle, subtitle_top, key }
}

/// The panels in columns with a common width of the boxes.
struct PanelGrid {
    /// Width of a box (pt).
    w: f64,
    /// Heights of the rows (pt).
    heights: Vec<f64>,
    /// Panels at the origin, and the space that they need.
    panels: Vec<(Placed, Margins)>,
    /// Margins of the columns (pt).
    lefts: Vec<f64>,
    rights: Vec<f64>,
    /// Distances of the y labels from the boxes (pt).
    numbers: Vec<f64>,
}

/// Narrowest box (pt).
const NARROWEST: f64 = 12.0;
/// Rounds after which the width of the boxes has settled.
const ROUNDS: usize = 12;

impl PanelGrid {
    fn new(figure: &Figure, columns: usize, inner: f64, fonts: &Fonts) -> Self {
        let ranges = ranges(figure, columns);
        let mut is_below = vec![false; figure.panels.len()];
        let mut measure = |w: f64| {
            let heights = row_heights(figure, columns, &ranges, w);
            let panels: Vec<_> = (0..figure.panels.len())
                .map(|i| {
                    let size = [w, heights[i / columns]];
                    measured(figure, i, columns, ranges[i], size, &mut is_below[i], fonts)
                })
                .collect();
            let widest = |f: fn(&Margins) -> f64| -> Vec<f64> {
                let column =
                    |c| panels.iter().skip(c).step_by(columns).map(|(_, m)| f(m)).fold(0.0, f64::max);
                (0..columns).map(column).collect()
            };
            let numbers = widest(|m| m.numbers);
            let labels = widest(|m| m.label);
            let lefts: Vec<f64> = widest(|m| m.left)
                .into_iter()
                .zip(numbers.iter().zip(&labels))
                .map(|(left, (number, label))| left.max(number + label))
                .collect();
            let rights = widest(|m| m.right);
            Self { w, heights, panels, lefts, rights, numbers }
        };
        let mut grid = measure((inner / columns as f64 - 35.0).max(NARROWEST));
        for round in 0..ROUNDS {
            let margins: f64 = grid.lefts.iter().chain(&grid.rights).sum();
            let gaps = COLUMN_GAP * (columns - 1) as f64;
            let w = ((inner - margins - gaps) / columns as f64).max(NARROWEST);
            // late rounds only shrink: ticks that come and go with the width would keep it swinging
            if (w - grid.w).abs() < 1e-3 || (round > 3 && w > grid.w) {
                break;
            }
            grid = measure(w);
        }
        grid
    }
}

/// The ranges of all panels.
fn ranges(figure: &Figure, columns: usize) -> Vec<[[f64; 2]; 2]> {
    let mut ranges: Vec<_> = figure.panels.iter().map(range::of).collect();
    for c in 0..columns {
        if shares_x(figure, columns, c) {
            let common = ranges.iter().skip(c).step_by(columns).map(|r| r[0]);
            let common = common.reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])]).unwrap_or([0.0, 1.0]);
            ranges.iter_mut().skip(c).step_by(columns).for_each(|r| r[0] = common);
        }
    }
    ranges
}

/// Whether the panels of a column have one x axis: asked for, and possible because their scales agree.
fn shares_x(figure: &Figure, columns: usize, c: usize) -> bool {
    let mut scales = figure.panels.iter().skip(c).step_by(columns).map(|p| p.x.scale);
    let first = scales.next();
    figure.share_x && scales.all(|scale| Some(scale) == first)
}

fn row_heights(figure: &Figure, columns: usize, ranges: &[[[f64; 2]; 2]], w: f64) -> Vec<f64> {
    let ratio = |panel: &Panel, [x, y]: [[f64; 2]; 2]| {
        let default = if is_equal(panel) { (y[1] - y[0]) / (x[1] - x[0]) } else { figure.ratio };
        let ratio = panel.ratio.unwrap_or(default.clamp(0.2, 1.3));
        if ratio.is_finite() { ratio.clamp(0.05, 10.0) } else { 0.7 }
    };
    let heights: Vec<f64> = figure.panels.iter().zip(ranges).map(|(p, &r)| w * ratio(p, r)).collect();
    heights.chunks(columns).map(|row| row.iter().copied().fold(NARROWEST, f64::max)).collect()
}

fn is_equal(panel: &Panel) -> bool {
    panel.equal_aspect && panel.x.scale == Scale::Linear && panel.y.scale == Scale::Linear
}

/// A panel whose box of the given size stands at the origin, and the space it needs around it.
fn measured(
    figure: &Figure,
    i: usize,
    columns: usize,
    ranges: [[f64; 2]; 2],
    [w, h]: [f64; 2],
    is_below: &mut bool,
    fonts: &Fonts,
) -> (Placed, Margins) {
    let panel = &figure.panels[i];
    let [x, y] = if is_equal(panel) { range::equalised(ranges, [w, h]) } else { ranges };
    let frame = Frame {
        x: Map { scale: panel.x.scale, range: x },
        y: Map { scale: panel.y.scale, range: y },
        area: [0.0, 0.0, w, h],
    };
    let [mut x_ticks, mut y_ticks] = [Ticks::default(), Ticks::default()];
    if !panel.is_bare {
        x_ticks = frame.x.ticks(w, Way::Right, fonts);
        y_ticks = frame.y.ticks(h, Way::Up, fonts);
    }
    let is_numbered = !shares_x(figure, columns, i % columns) || i + columns >= figure.panels.len();
    let mut margins = Margins { right: 0.5, top: 0.5, bottom: TICK, ..Margins::default() };

    let y_label = y_axis(panel, &frame, &y_ticks, &mut margins, fonts);
    let (x_label, x_label_top) = match is_numbered {
        true => x_axis(panel, &frame, &x_ticks, &mut margins, fonts),
        false => (Block::default(), TICK),
    };

    // bar of the colours
    let bar = panel.heat.as_ref().map(|heat| heat.bar(h, fonts));
    let bar = bar.map(|(bar, space)| {
        let excess = bar.excess(h, fonts);
        margins.right = margins.right.max(space);
        margins.top = margins.top.max(excess);
        margins.bottom = margins.bottom.max(excess);
        bar
    });

    // letter and title
    let heading = Block::new(&heading(figure, i), LABEL, w, fonts);
    let (aside, mut above) = annotate::margins(panel, &frame, fonts);
    margins.right = margins.right.max(aside);
    margins.top = margins.top.max(above);
    // in one row with the names of the reference lines, if these leave room
    let is_free = annotate::first_name(panel, &frame, fonts) > heading.width(fonts) + LABEL;
    if is_free && heading.lines.len() < 2 {
        above = 0.0;
    }
    margins.top =
        margins.top.max(above + if heading.lines.is_empty() { 0.0 } else { heading.height() + LABEL_GAP });

    let mut placed = Placed {
        frame,
        x_ticks,
        y_ticks,
        is_numbered,
        heading,
        heading_bottom: above + LABEL_GAP,
        x_label,
        x_label_top,
        y_label,
        y_label_left: 0.0,
        key: None,
        bar,
    };
    if figure.legend == SharedLegend::None {
        legend(panel, &mut placed, &mut margins, is_below, fonts);
    }
    (placed, margins)
}

/// The label of y, and the space that it and the numbers need.
fn y_axis(panel: &Panel, frame: &Frame, ticks: &Ticks, margins: &mut Margins, fonts: &Fonts) -> Block {
    let [_, _, _, h] = frame.area;
    let widest = ticks.labels.iter().map(|l| l.width(fonts, NUMBER)).fold(0.0, f64::max);
    margins.numbers = TICK + if widest > 0.0 { NUMBER_GAP + widest } else { 0.0 };
    let y_label = Block::new(&label(&panel.y, ticks), LABEL, (1.2 * h).max(60.0), fonts);
    margins.label = if y_label.lines.is_empty() { 0.0 } else { LABEL_GAP + y_label.height() };
    for &v in &ticks.major {
        let at = h * (1.0 - frame.y.fraction(v));
        margins.top = margins.top.max(0.5 * NUMBER - at);
        margins.bottom = margins.bottom.max(at + 0.5 * NUMBER - h);
    }
    // a label longer than its box
    let excess = 0.5 * (y_label.width(fonts) - h);
    margins.top = margins.top.max(excess);
    margins.bottom = margins.bottom.max(excess);
    y_label
}

/// The label of x with its top, and the space that it and the numbers need.
fn x_axis(panel: &Panel, frame: &Frame, ticks: &Ticks, margins: &mut Margins, fonts: &Fonts) -> (Block, f64) {
    let [_, _, w, _] = frame.area;
    let mut x_label_top = TICK;
    for (&v, number) in ticks.major.iter().zip(&ticks.labels) {
        let (at, half) = (w * frame.x.fraction(v), 0.5 * number.width(fonts, NUMBER));
        margins.left = margins.left.max(half - at);
        margins.right = margins.right.max(at + half - w);
    }
    let ascent = ticks.labels.iter().map(Rich::ascent).fold(0.0, f64::max);
    if ascent > 0.0 {
        x_label_top += NUMBER_GAP + NUMBER * ascent;
    }
    let x_label = Block::new(&label(&panel.x, ticks), LABEL, w + 0.5 * margins.numbers, fonts);
    let bottom = match x_label.lines.is_empty() {
        true => x_label_top + 0.5,
        false => {
            x_label_top += LABEL_GAP + 1.0;
            x_label_top + x_label.height()
        }
    };
    margins.bottom = margins.bottom.max(bottom);
    // a label broader than its box
    let excess = 0.5 * (x_label.width(fonts) - w);
    margins.left = margins.left.max(excess);
    margins.right = margins.right.max(excess);
    (x_label, x_label_top)
}

/// Finds a place for the legend of a panel: in the box, or below it; once below, it stays there.
fn legend(panel: &Panel, placed: &mut Placed, margins: &mut Margins, is_below: &mut bool, fonts: &Fonts) {
    let list = entries(std::slice::from_ref(panel), &[style::panel_places(panel)]);
    if list.is_empty() || panel.legend == Legend::None {
        return;
    }
    let [_, _, w, h] = placed.frame.area;
    if !*is_below && panel.legend != Legend::Below {
        let key = Key::stacked(list.clone(), 0.75 * w, fonts);
        // unasked it may fill a part of the box, asked for the whole
        let [part_x, part_y] = if panel.legend == Legend::Auto { [0.8, 0.6] } else { [1.0, 1.0] };
        let is_small = key.width <= part_x * w && key.height <= part_y * h;
        let corner = match panel.legend {
            _ if !is_small => None,
            Legend::Auto => {
                let mut obstacles = placed.frame.obstacles(&panel.series);
                obstacles.extend(annotate::obstacles(panel, &placed.frame, fonts));
                // rather not on a reference line either
                let mut more = obstacles.clone();
                more.extend(annotate::lines(panel, &placed.frame));
                let free = key.corner(Legend::Auto, [w, h], &more);
                free.or_else(|| key.corner(Legend::Auto, [w, h], &obstacles))
            }
            wish => key.corner(wish, [w, h], &[]),
        };
        if let Some(corner) = corner {
            placed.key = Some((key, corner, true));
            return;
        }
    }
    *is_below = true;
    let key = Key::spread(list, w, fonts);
    let top = h + margins.bottom + LEGEND_GAP;
    margins.bottom += LEGEND_GAP + key.height;
    let left = (0.5 * (w - key.width)).max(0.0);
    placed.key = Some((key, [left, top], false));
}

/// `(a) title`
fn heading(figure: &Figure, i: usize) -> Rich {
    let mut rich = Rich::default();
    if figure.tags && figure.panels.len() > 1 {
        rich.push(&format!("({})", panel_letters(i)), false, Script::Normal);
    }
    let title = Rich::parse(&figure.panels[i].title);
    if !title.is_empty() {
        rich.push(if rich.is_empty() { "" } else { " " }, false, Script::Normal);
        rich.append(&title);
    }
    rich
}

/// The letters of panel `i`: a, b, …, z, aa, ab, …
pub fn panel_letters(i: usize) -> String {
    let last = char::from(b'a' + (i % 26) as u8);
    if i < 26 { last.to_string() } else { panel_letters(i / 26 - 1) + &last.to_string() }
}

/// Brings a panel from the origin to its place; `numbers` is the space between the boxes and labels of its column.
fn moved(panel: &mut Placed, area: [f64; 4], numbers: f64) {
    panel.frame.area = area;
    panel.x_label_top += area[1] + area[3];
    panel.y_label_left = area[0] - numbers - LABEL_GAP - panel.y_label.height();
    if let Some((_, corner, _)) = &mut panel.key {
        *corner = [corner[0] + area[0], corner[1] + area[1]];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panels_are_lettered_like_columns_of_a_sheet() {
        assert_eq!([0, 25, 26, 27, 52].map(panel_letters), ["a", "z", "aa", "ab", "ba"]);
    }
}
