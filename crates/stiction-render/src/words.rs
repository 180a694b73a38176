//! Labels of axes: the word for a quantity beside its symbol.

use figure::Axis;
use stiction_study::{Column, ColumnKind};

/// The word for a quantity; none where its name says nothing more than its symbol.
fn word(kind: ColumnKind) -> Option<&'static str> {
    Some(match kind {
        ColumnKind::Time => "time",
        ColumnKind::Position => "position",
        ColumnKind::Velocity => "velocity",
        ColumnKind::Acceleration => "acceleration",
        ColumnKind::AbsolutePosition => "absolute position",
        ColumnKind::AbsoluteVelocity => "absolute velocity",
        ColumnKind::AbsoluteAcceleration => "absolute acceleration",
        ColumnKind::Reaction => "reaction",
        ColumnKind::Sliding | ColumnKind::LawVelocity => "sliding velocity",
        ColumnKind::Friction => "friction",
        ColumnKind::Slope => "slope",
        ColumnKind::Amplitude => "amplitude",
        ColumnKind::GrowthRate => "growth rate",
        ColumnKind::ModeFrequency => "angular frequency",
        ColumnKind::ModalAmplitude => "modal amplitude",
        ColumnKind::NonlinearFrequency => "angular frequency",
        ColumnKind::DampingRatio => "damping ratio",
        ColumnKind::NormalLoad => "normal load",
        ColumnKind::ControlForce => "control force",
        _ => return None,
    })
}

/// A symbol in italics if it is one letter, with its accents and subscripts; words as they are.
fn lettered(symbol: &str) -> String {
    let is_letter = symbol.chars().filter(|c| c.is_alphabetic()).count() == 1;
    if is_letter { format!("*{symbol}*") } else { symbol.to_owned() }
}

/// The symbols of parameters that a search varies, with the words for them.
const PARAMETERS: [(&str, &str); 8] = [
    ("ω", "angular frequency"),
    ("f", "frequency"),
    ("μ", "friction coefficient"),
    ("μs", "static friction coefficient"),
    ("Δ", "width"),
    ("m", "mass"),
    ("k", "stiffness"),
    ("c", "damping"),
];

/// The axis of a quantity: word, symbol, unit. With several curves the symbol stands without a number.
pub(crate) fn axis(column: &Column, is_single: bool) -> Axis {
    let symbol: String = match is_single {
        true => column.symbol.clone(),
        false => column.symbol.chars().filter(|c| !('₀'..='₉').contains(c)).collect(),
    };
    let named = PARAMETERS.iter().find(|(own, _)| *own == symbol).map(|(_, word)| *word);
    let varied = matches!(column.kind, ColumnKind::Parameter | ColumnKind::Overlay);
    let word = word(column.kind).or(named.filter(|_| varied));
    let label = match word {
        Some(word) if symbol != word && !symbol.is_empty() => format!("{word} {}", lettered(&symbol)),
        Some(word) => word.to_owned(),
        None => lettered(&symbol),
    };
    Axis::new(label, if column.unit == "-" { "" } else { column.unit.as_ref() })
}
