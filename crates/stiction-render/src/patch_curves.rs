//! Friction of a patch over the ratio of sliding to spinning: F∥, F⊥ and M, one above the other.

use figure::{Axis, Color, Dash, Figure, Legend, ONE_COLUMN, Panel, Series, SharedLegend};
use stiction::patch::{Closure, Constants};
use stiction_study::paper::PrintedRectangle;
use stiction_study::patch::{Curve, Quantity};

/// Below this part of the largest force a transverse force is rounding, and its panel is left out (-).
const NOTHING: f64 = 1e-9;

/// The figure of a patch: its curves, each named by closure and direction. Directions differ in colour, closures in dash.
pub fn patch_curves(title: &str, curves: &[Curve]) -> Figure {
    let mut directions: Vec<f64> = curves.iter().map(|curve| curve.direction).collect();
    directions.dedup();
    let is_single = directions.iter().all(|phi| *phi == directions[0]);
    let is_exact = curves.iter().all(|curve| curve.closure == Closure::Exact);
    let style = |curve: &Curve| {
        let place = directions.iter().position(|phi| *phi == curve.direction).unwrap_or(0);
        let (color, dash) = look(curve.closure, curve.constants);
        let name = name(curve.closure, curve.constants);
        if curves.len() == 1 {
            (String::new(), color, dash)
        } else if is_single {
            (name.to_owned(), color, dash)
        } else {
            let angle = format!("*φ* = {}°", curve.direction.to_degrees().round());
            let label = if curve.closure == Closure::Exact { angle } else { String::new() };
            // dashes distinguish closures, or directions if there is one closure
            (label, Color::cycle(place), if is_exact { Dash::Auto } else { dash })
        }
    };
    let has_across = curves.iter().flat_map(|curve| &curve.across).any(|v| v.abs() > NOTHING);
    let mut panels = Vec::new();
    for quantity in Quantity::ALL {
        if quantity == Quantity::Across && !has_across {
            continue;
        }
        let mut panel = panel("*v*/(*ωR*)", "", normalised(quantity), "");
        for (i, curve) in curves.iter().enumerate() {
            // both orders have the same fraction for F⊥
            let is_old = curves[..i]
                .iter()
                .any(|c| c.direction == curve.direction && values(c, quantity) == values(curve, quantity));
            if is_old && curve.closure != Closure::Exact {
                continue;
            }
            let (label, color, dash) = style(curve);
            panel.series.push(line(label, &curve.ratio, values(curve, quantity), color, dash));
        }
        // in black, what the dashes mean
        if !is_single {
            for kind in [(Closure::Pade1, Constants::Consistent), (Closure::Pade2, Constants::Consistent)] {
                if curves.iter().any(|curve| (curve.closure, curve.constants) == kind) {
                    let (_, dash) = look(kind.0, kind.1);
                    panel.series.push(line(name(kind.0, kind.1).into(), &[], &[], Color::Black, dash));
                }
            }
        }
        panels.push(panel);
    }
    stacked(title, panels)
}

/// The figure of paper C: every model where it differs from the others, in units of the Coulomb limits F₀ and M₀ and of
/// hfF₀/R for F⊥. The curves are of one patch in one direction; `reach` is hf/R (-).
pub fn disc_forces(curves: &[Curve], moment_limit: f64, reach: f64) -> Figure {
    let mut panels = Vec::new();
    for quantity in Quantity::ALL {
        let (label, unit) = match quantity {
            Quantity::Along => ("*F*_{∥}/*F*_{0}", 1.0),
            Quantity::Across => ("*F*_{⊥}*R*/(*hfF*_{0})", reach),
            Quantity::Moment => ("*M*/*M*_{0}", moment_limit),
        };
        let mut panel = panel("*v*/*u*", "", label, "");
        for curve in curves {
            let (closure, constants) = (curve.closure, curve.constants);
            // F∥ has the same constants in both, F⊥ the same fraction in both orders
            let is_new = match quantity {
                Quantity::Along => constants == Constants::Consistent,
                Quantity::Across => closure != Closure::Pade2,
                Quantity::Moment => true,
            };
            if is_new {
                let (color, dash) = look(closure, constants);
                let y: Vec<f64> = values(curve, quantity).iter().map(|v| v / unit).collect();
                panel.series.push(line(name(closure, constants).into(), &curve.ratio, &y, color, dash));
            }
        }
        panels.push(panel);
    }
    stacked("", panels)
}

/// The figure of paper D: exact integrals and first-order fractions over v/ω for several directions, and what is finite of
/// the printed fractions. `radius` turns v/(ωR) into v/ω (m), `grip` is fN (N).
pub fn rectangle_forces(curves: &[Curve], printed: &PrintedRectangle, [radius, grip]: [f64; 2]) -> Figure {
    let mut directions: Vec<f64> = curves.iter().map(|curve| curve.direction).collect();
    directions.dedup();
    let mut panels = Vec::new();
    for quantity in Quantity::ALL {
        let (unit, scale) = match quantity {
            Quantity::Moment => ("N m", grip * radius),
            _ => ("N", grip),
        };
        let mut panel = panel("*v*/*ω*", "m", letter(quantity), unit);
        let mut x = Vec::new();
        for curve in curves {
            let place = directions.iter().position(|phi| *phi == curve.direction).unwrap_or(0);
            let is_exact = curve.closure == Closure::Exact;
            let angle = format!("exact, *φ* = {}°", curve.direction.to_degrees().round());
            let (label, dash) = if is_exact { (angle, Dash::Solid) } else { (String::new(), Dash::Dashed) };
            x = curve.ratio.iter().map(|d| d * radius).collect::<Vec<f64>>();
            let y: Vec<f64> = values(curve, quantity).iter().map(|v| v * scale).collect();
            panel.series.push(line(label, &x, &y, Color::cycle(place), dash));
        }
        let as_printed: Vec<f64> = match quantity {
            Quantity::Along => x.iter().map(|v| printed.along(*v)).collect(),
            Quantity::Across => x.iter().map(|_| printed.across()).collect(),
            Quantity::Moment => x.iter().map(|_| printed.moment()).collect(),
        };
        panel.series.push(line("first-order Padé".into(), &[], &[], Color::Black, Dash::Dashed));
        panel.series.push(line("as printed".into(), &x, &as_printed, Color::Black, Dash::Dotted));
        panels.push(panel);
    }
    stacked("", panels)
}

fn letter(quantity: Quantity) -> &'static str {
    match quantity {
        Quantity::Along => "*F*_{∥}",
        Quantity::Across => "*F*_{⊥}",
        Quantity::Moment => "*M*",
    }
}

fn normalised(quantity: Quantity) -> &'static str {
    match quantity {
        Quantity::Along => "*F*_{∥}/(*μN*)",
        Quantity::Across => "*F*_{⊥}/(*μN*)",
        Quantity::Moment => "*M*/(*μNR*)",
    }
}

fn values(curve: &Curve, quantity: Quantity) -> &[f64] {
    match quantity {
        Quantity::Along => &curve.along,
        Quantity::Across => &curve.across,
        Quantity::Moment => &curve.moment,
    }
}

/// The same look for a model in every figure: colour by order, dots for what is printed.
fn look(closure: Closure, constants: Constants) -> (Color, Dash) {
    match (closure, constants) {
        (Closure::Exact, _) => (Color::Black, Dash::Solid),
        (Closure::Pade1, Constants::Consistent) => (Color::Blue, Dash::Dashed),
        (Closure::Pade1, Constants::AsPrinted) => (Color::Sky, Dash::Dotted),
        (Closure::Pade2, Constants::Consistent) => (Color::Vermillion, Dash::DashDot),
        (Closure::Pade2, Constants::AsPrinted) => (Color::Orange, Dash::Dotted),
    }
}

fn name(closure: Closure, constants: Constants) -> &'static str {
    match (closure, constants) {
        (Closure::Exact, _) => "exact",
        (Closure::Pade1, Constants::Consistent) => "first-order Padé",
        (Closure::Pade1, Constants::AsPrinted) => "first order as printed",
        (Closure::Pade2, Constants::Consistent) => "second-order Padé",
        (Closure::Pade2, Constants::AsPrinted) => "second order as printed",
    }
}

fn line(label: String, x: &[f64], y: &[f64], color: Color, dash: Dash) -> Series {
    Series::line(label, x.to_vec(), y.to_vec()).color(color).with_line(0.9, dash)
}

fn panel(x: &str, x_unit: &str, y: &str, y_unit: &str) -> Panel {
    Panel { x: Axis::new(x, x_unit).log(), y: Axis::new(y, y_unit), legend: Legend::None, ..Panel::default() }
}

fn stacked(title: &str, panels: Vec<Panel>) -> Figure {
    Figure {
        title: title.to_owned(),
        width: ONE_COLUMN,
        columns: 1,
        ratio: 0.5,
        panels,
        legend: SharedLegend::Below,
        share_x: true,
        ..Figure::default()
    }
}
