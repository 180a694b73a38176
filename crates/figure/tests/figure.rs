//! What every figure must satisfy, whatever is in it.

use figure::{
    Across, Arrow, Axis, AxisSide, Band, Color, Dash, Figure, HeatMap, Legend, Line, Marker, MarkerShape,
    Note, Panel, Rule, Scale, Series, SharedLegend, TWO_COLUMNS, png, svg, svg_outlined,
};
use roxmltree::{Document, Node};

/// A small deterministic generator (64-bit linear congruential, upper bits).
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % n
    }

    fn pick<T: Clone>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())].clone()
    }

    fn unit(&mut self) -> f64 {
        self.below(1 << 30) as f64 / (1_u64 << 30) as f64
    }

    /// Ordinary values, and those that break plotters.
    fn value(&mut self) -> f64 {
        let nasty =
            [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -0.0, 1e-310, 1e308, -1e308, 1e-12, 1e9, 1.0];
        match self.below(4) {
            0 => self.pick(&nasty),
            1 => 1e9 + self.unit(),
            _ => 10.0 * self.unit() - 5.0,
        }
    }

    fn list(&mut self) -> Vec<f64> {
        let n = self.pick(&[0, 1, 2, 7, 700]);
        let is_constant = self.below(4) == 0;
        let first = self.value();
        (0..n).map(|_| if is_constant { first } else { self.value() }).collect()
    }

    fn text(&mut self) -> String {
        let words = [
            "",
            "*u̇*",
            "a & b < c > d",
            "long label with *many* words_{sub} and 10^{-3}",
            "\\*",
            "_{",
            "\"'",
            "\u{1}x",
        ];
        self.pick(&words).to_string()
    }

    fn axis(&mut self) -> Axis {
        let range = if self.below(3) == 0 { Some([self.value(), self.value()]) } else { None };
        Axis { label: self.text(), unit: self.text(), scale: self.pick(&[Scale::Linear, Scale::Log]), range }
    }

    fn series(&mut self) -> Series {
        let line = Line {
            width: self.pick(&[0.9, 0.0, f64::NAN, 1e9]),
            dash: self.pick(&[Dash::Auto, Dash::Dotted]),
        };
        let marker = Marker {
            shape: self.pick(&[MarkerShape::Auto, MarkerShape::Plus]),
            size: self.value(),
            filled: self.below(2) == 0,
        };
        Series {
            label: self.text(),
            x: self.list(),
            y: self.list(),
            color: self.pick(&[Color::Auto, Color::Rgb([1, 2, 3])]),
            line: self.pick(&[None, Some(line)]),
            marker: self.pick(&[None, Some(marker)]),
            fill: self.pick(&[None, None, Some(0.3), Some(f64::NAN)]),
        }
    }

    fn heat(&mut self) -> HeatMap {
        let (x, y) = (self.list(), (0..self.below(4)).map(|_| self.value()).collect::<Vec<_>>());
        let odd = usize::from(self.below(8) == 0);
        let z: Vec<f64> = (0..x.len() * y.len() + odd).map(|_| self.value()).collect();
        HeatMap { x, y, z, axis: self.axis(), is_discrete: self.below(2) == 0 }
    }

    fn panel(&mut self) -> Panel {
        Panel {
            title: self.text(),
            x: self.axis(),
            y: self.axis(),
            heat: (self.below(3) == 0).then(|| self.heat()),
            series: (0..self.below(4)).map(|_| self.series()).collect(),
            bands: (0..self.below(3))
                .map(|_| Band { label: self.text(), x: [self.value(), self.value()] })
                .collect(),
            rules: (0..self.below(3))
                .map(|i| Rule {
                    label: self.text(),
                    at: if i == 0 { Across::X(self.value()) } else { Across::Y(self.value()) },
                })
                .collect(),
            arrows: (0..self.below(2))
                .map(|_| Arrow {
                    from: [self.value(), self.value()],
                    to: [self.value(), self.value()],
                    color: Color::Black,
                })
                .collect(),
            notes: (0..self.below(2))
                .map(|_| Note { text: self.text(), at: [self.value(), self.value()], side: AxisSide::Above })
                .collect(),
            legend: self.pick(&[Legend::Auto, Legend::None, Legend::Below, Legend::TopLeft]),
            is_bare: self.below(4) == 0,
            equal_aspect: self.below(3) == 0,
            ratio: self.pick(&[None, Some(0.5), Some(f64::NAN), Some(-1.0)]),
        }
    }

    fn figure(&mut self) -> Figure {
        Figure {
            title: self.text(),
            subtitle: self.text(),
            width: self.pick(&[85.0, 175.0, 0.0, f64::NAN, 1e9]),
            columns: self.below(5),
            ratio: self.pick(&[0.7, 0.0, f64::INFINITY]),
            panels: (0..self.below(7)).map(|_| self.panel()).collect(),
            legend: self.pick(&[SharedLegend::None, SharedLegend::Above, SharedLegend::Below]),
            tags: self.below(2) == 0,
            share_x: self.below(3) == 0,
            grid: self.below(2) == 0,
            note: String::new(),
        }
    }
}

#[test]
fn a_bare_panel_has_its_curves_but_neither_box_nor_numbers() {
    let panel = Panel { series: vec![Series::line("", vec![0.0, 1.0], vec![0.0, 1.0])], ..Panel::default() };
    let count = |is_bare: bool, tag: &str| {
        let figure = Figure { panels: vec![Panel { is_bare, ..panel.clone() }], ..Figure::default() };
        let text = svg(&figure);
        let document = Document::parse(&text).unwrap();
        document.descendants().filter(|node| node.has_tag_name(tag)).count()
    };
    assert!(count(false, "text") > 4);
    assert_eq!(count(true, "text"), 0);
    assert_eq!(count(true, "rect") + 1, count(false, "rect"));
    assert!(count(true, "path") > 0);
}

#[test]
fn whatever_is_in_a_figure_its_svg_is_well_formed_and_finite() {
    let mut random = Random(7);
    for i in 0..400 {
        let figure = random.figure();
        for text in [svg(&figure), svg_outlined(&figure)] {
            let document = Document::parse(&text).unwrap_or_else(|e| panic!("figure {i}: {e}\n{figure:?}"));
            for node in document.descendants() {
                for attribute in node.attributes() {
                    let value = attribute.value();
                    assert!(!value.contains("NaN") && !value.contains("inf"), "figure {i}: {value}");
                    assert!(!value.contains("-0 ") && !value.ends_with("-0"), "figure {i}: {value}");
                }
            }
            // it may stand in Markdown, where a blank line ends it
            assert!(!text.contains("\n\n") && text.starts_with("<svg"), "figure {i}");
        }
    }
}

#[test]
fn the_same_figure_has_the_same_bytes() {
    let figures = || {
        let mut random = Random(3);
        (0..20).map(|_| random.figure()).collect::<Vec<_>>()
    };
    for (a, b) in figures().iter().zip(&figures()) {
        assert_eq!(svg(a), svg(b));
        let small = |figure: &Figure| png(&Figure { width: 60.0, ..figure.clone() }, 50.0).unwrap();
        assert_eq!(small(a), small(b));
    }
}

#[test]
fn everything_drawn_lies_on_the_page() {
    // the renderer's own bounding box of all that is drawn, against the page
    let mut random = Random(11);
    for i in 0..200 {
        let mut figure = random.figure();
        // markers may be any size, and the narrowest figures cannot hold every label
        figure.width = if i % 2 == 0 { 85.0 } else { 175.0 };
        for series in figure.panels.iter_mut().flat_map(|p| &mut p.series) {
            series.marker = None;
            series.line = series.line.map(|line| Line { width: 0.9, ..line });
        }
        let text = svg_outlined(&figure);
        let tree = resvg::usvg::Tree::from_str(&text, &resvg::usvg::Options::default()).unwrap();
        let (page, drawn) = (tree.size(), tree.root().stroke_bounding_box());
        assert!(drawn.left() >= -0.01 && drawn.top() >= -0.01, "figure {i}: {drawn:?} on {page:?}");
        assert!(drawn.right() <= page.width() + 0.01, "figure {i}: {drawn:?} on {page:?}");
        assert!(drawn.bottom() <= page.height() + 0.01, "figure {i}: {drawn:?} on {page:?}");
    }
}

/// Left, top, right and bottom of every text of a figure, from outlines that are one path per text.
fn texts(tree: &resvg::usvg::Tree) -> Vec<[f32; 4]> {
    let mut list = Vec::new();
    fn collect(group: &resvg::usvg::Group, list: &mut Vec<[f32; 4]>) {
        for node in group.children() {
            match node {
                resvg::usvg::Node::Group(inner) => collect(inner, list),
                // letters are black and have no stroke; nothing else is
                resvg::usvg::Node::Path(path) if path.stroke().is_none() => {
                    let black = resvg::usvg::Paint::Color(resvg::usvg::Color::new_rgb(0, 0, 0));
                    if path.fill().is_some_and(|fill| *fill.paint() == black) {
                        let b = path.abs_bounding_box();
                        list.push([b.left(), b.top(), b.right(), b.bottom()]);
                    }
                }
                _ => (),
            }
        }
    }
    collect(tree.root(), &mut list);
    list
}

#[test]
fn no_two_texts_overlap() {
    let mut random = Random(5);
    for i in 0..300 {
        let columns = 1 + random.below(3);
        let panels = (0..1 + random.below(6))
            .map(|_| {
                let [lo, span] =
                    [random.pick(&[0.0, -3.0, 1e6, 113.0, -1e-9]), random.pick(&[1.0, 13.0, 1e-4, 2e7])];
                let label = random.pick(&["*u*", "position *u*_{max}", "largest amplitude"]);
                let list: Vec<f64> = (0..50).map(|_| lo + span * random.unit()).collect();
                let other: Vec<f64> = (0..50).map(|_| random.unit() * span).collect();
                Panel {
                    title: random.pick(&["", "a title"]).to_string(),
                    x: Axis { scale: random.pick(&[Scale::Linear, Scale::Log]), ..Axis::new("*t*", "s") },
                    y: Axis { scale: random.pick(&[Scale::Linear, Scale::Log]), ..Axis::new(label, "m/s²") },
                    series: vec![Series::line(random.pick(&["", "one run", "another"]), list, other)],
                    rules: vec![Rule { label: "*μ*".to_string(), at: Across::Y(0.3 * span) }],
                    ..Panel::default()
                }
            })
            .collect();
        let legend = random.pick(&[SharedLegend::None, SharedLegend::Above, SharedLegend::Below]);
        let share_x = random.below(2) == 0;
        let width = random.pick(&[85.0, 120.0, 175.0]);
        let figure = Figure { width, columns, panels, legend, share_x, ..Figure::default() };
        let outlined = svg_outlined(&figure);
        let tree = resvg::usvg::Tree::from_str(&outlined, &resvg::usvg::Options::default()).unwrap();
        let boxes = texts(&tree);
        // numbers and labels are found at all
        assert!(boxes.len() >= 4 * figure.panels.len(), "figure {i}: {} texts", boxes.len());
        for (j, a) in boxes.iter().enumerate() {
            for b in &boxes[..j] {
                let is_apart = a[2] <= b[0] || b[2] <= a[0] || a[3] <= b[1] || b[3] <= a[1];
                assert!(is_apart, "figure {i}: {a:?} and {b:?}\n{}", svg(&figure));
            }
        }
    }
}

#[test]
fn nine_panels_of_a_hundred_thousand_points_stay_below_300_kilobytes() {
    let t: Vec<f64> = (0..100_000).map(|i| 1e-3 * f64::from(i)).collect();
    let of = |f: &dyn Fn(f64) -> f64| t.iter().map(|&t| f(t)).collect::<Vec<f64>>();
    let u = of(&|t| libm::cos(3.0 * t) + 0.2 * libm::sin(7.1 * t));
    let v = of(&|t| -3.0 * libm::sin(3.0 * t) + 1.42 * libm::cos(7.1 * t));
    let a = of(&|t| -9.0 * libm::cos(3.0 * t) - 10.0 * libm::sin(7.1 * t));
    let pairs = [(&t, &u), (&t, &v), (&t, &a), (&u, &v), (&v, &a), (&u, &a), (&v, &u), (&a, &v), (&a, &u)];
    let panel = |(x, y): (&Vec<f64>, &Vec<f64>)| Panel {
        series: vec![Series::line("", x.clone(), y.clone())],
        ..Panel::default()
    };
    let figure = Figure { width: 175.0, columns: 3, panels: pairs.map(panel).into(), ..Figure::default() };
    let size = svg(&figure).len();
    assert!(size < 300_000, "{size} bytes");
}

#[test]
fn text_is_text_and_letters_are_escaped() {
    let figure = Figure {
        panels: vec![Panel { x: Axis::new("a < *b* & c", "m"), ..Panel::default() }],
        ..Figure::default()
    };
    let text = svg(&figure);
    let document = Document::parse(&text).unwrap();
    let read = |node: Node| {
        node.descendants().filter_map(|n| if n.is_text() { n.text() } else { None }).collect::<String>()
    };
    let all: Vec<String> = document.descendants().filter(|n| n.has_tag_name("text")).map(read).collect();
    assert!(all.contains(&"a < b & c (m)".to_string()), "{all:?}");
}

#[test]
fn with_a_common_legend_a_label_has_one_look_in_all_panels() {
    let line = |label: &str| Series::line(label, vec![0.0, 1.0], vec![0.0, 1.0]);
    let panel = |labels: &[&str]| Panel {
        series: labels.iter().map(|label| line(label)).collect(),
        legend: Legend::None,
        ..Panel::default()
    };
    // the second panel lacks the first curve, the third brings a new one
    let panels = vec![panel(&["a", "b"]), panel(&["b"]), panel(&["c", "b"])];
    let figure =
        Figure { panels, legend: SharedLegend::Below, columns: 3, width: TWO_COLUMNS, ..Figure::default() };
    let text = svg(&figure);
    let document = Document::parse(&text).unwrap();
    let strokes: Vec<(&str, Option<&str>)> = document
        .descendants()
        .filter(|node| node.attribute("stroke-width") == Some(".9"))
        .map(|node| (node.attribute("stroke").unwrap(), node.attribute("stroke-dasharray")))
        .collect();
    // five curves, and three samples in the legend: a, b, c
    let [a, b, b_alone, c, b_last, legend @ ..] = strokes.as_slice() else { panic!("{strokes:?}") };
    assert_eq!(legend, [*a, *b, *c]);
    assert_eq!([b_alone, b_last], [b, b]);
    assert!(a != b && b != c && a != c);
}
