//! What a study leaves behind: plain tables and facts with units, which nothing here knows how to draw.

use serde::Serialize;
use serde_json::{Value as Json, json};
use stiction::event::Event;
use stiction::integrate::{Record, Work};

/// One number that a study found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Fact {
    /// Name, in snake case.
    pub name: String,
    /// The number.
    pub value: f64,
    /// SI unit, `-` for a pure number.
    pub unit: &'static str,
}

/// A column of samples.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Name, in snake case.
    pub name: String,
    /// Letter of the literature, for axes.
    pub symbol: String,
    /// SI unit.
    pub unit: &'static str,
    /// The samples.
    pub values: Vec<f64>,
}

/// What a study found.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The scenario's title.
    pub title: String,
    /// The numbers.
    pub facts: Vec<Fact>,
    /// The samples; the first column is the time.
    pub samples: Vec<Column>,
    /// The events in the window.
    pub events: Vec<Event>,
    /// What it cost.
    pub work: Work,
    /// What there is to be shown.
    pub shown: Shown,
}

/// What an outcome shows.
#[derive(Clone, Debug, PartialEq)]
pub enum Shown {
    /// The motion of a system on lines.
    Motion {
        /// Number of degrees of freedom.
        n: usize,
        /// Number of friction contacts.
        m: usize,
    },
    /// The motion of a body on the plane.
    Slide {
        /// Outlines of its contact in body axes (m).
        outlines: Vec<Vec<[f64; 2]>>,
    },
    /// Periodic motions along the parameter in the first column.
    Response,
    /// States along the parameter in the first column.
    Bifurcation,
}

impl Outcome {
    /// The fact called `name`.
    pub fn fact(&self, name: &str) -> Option<f64> {
        self.facts.iter().find(|fact| fact.name == name).map(|fact| fact.value)
    }

    /// The column called `name`.
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.samples.iter().find(|column| column.name == name)
    }

    /// The column of a quantity for degree of freedom or contact `i`.
    pub fn quantity(&self, name: &str, i: usize) -> Option<&Column> {
        self.column(name).filter(|_| i == 0).or_else(|| self.column(&format!("{name}_{i}")))
    }

    /// One object in full precision.
    pub fn to_json(&self) -> Json {
        let samples: serde_json::Map<String, Json> =
            self.samples.iter().map(|column| (column.name.clone(), json!(column.values))).collect();
        json!({
            "title": self.title,
            "facts": self.facts,
            "samples": samples,
            "events": self.events,
            "work": self.work,
        })
    }

    pub(crate) fn from_record(title: &str, period: Option<f64>, n: usize, m: usize, record: Record) -> Self {
        let indexed = |name: &str, i: usize, of: usize| {
            if of == 1 { name.to_owned() } else { format!("{name}_{i}") }
        };
        let mut facts = Vec::new();
        let mut fact = |name: String, value: f64, unit: &'static str| facts.push(Fact { name, value, unit });
        if let Some(period) = period {
            fact("period".into(), period, "s");
        }
        let kinds = [
            ("position", "m", n),
            ("velocity", "m/s", n),
            ("acceleration", "m/s²", n),
            ("friction", "N", m),
            ("slope", "N s/m", m),
        ];
        let names =
            kinds.iter().flat_map(|(name, unit, of)| (0..*of).map(|i| (indexed(name, i, *of), *unit)));
        for (range, (name, unit)) in record.ranges.iter().zip(names) {
            fact(format!("{name}_max"), range.max, unit);
            fact(format!("{name}_min"), range.min, unit);
        }
        for (i, fraction) in record.stick_fraction.iter().enumerate() {
            if let Some(fraction) = fraction {
                fact(indexed("stick_fraction", i, m), *fraction, "-");
            }
        }
        if let Some(drift) = record.drift {
            fact("drift".into(), drift, "N");
        }
        fact("work_in".into(), record.balance.work_in, "J");
        fact("stored".into(), record.stored, "J");
        fact("viscous_loss".into(), record.balance.viscous_loss, "J");
        fact("friction_loss".into(), record.balance.friction_loss, "J");
        fact("energy_residual".into(), record.energy_residual(), "J");
        if record.n_events_dropped > 0 {
            fact("events_dropped".into(), record.n_events_dropped as f64, "-");
        }

        let samples = record.samples;
        let mut columns = vec![Column { name: "t".into(), symbol: "t".into(), unit: "s", values: samples.t }];
        let groups = [
            ("position", "u", "m", samples.position),
            ("velocity", "u̇", "m/s", samples.velocity),
            ("acceleration", "ü", "m/s²", samples.acceleration),
            ("sliding", "v", "m/s", samples.sliding),
            ("friction", "H", "N", samples.friction),
            ("slope", "C", "N s/m", samples.slope),
        ];
        for (name, symbol, unit, group) in groups {
            let of = group.len();
            for (i, values) in group.into_iter().enumerate() {
                let symbol = if of == 1 { symbol.to_owned() } else { format!("{symbol}{}", subscript(i)) };
                columns.push(Column { name: indexed(name, i, of), symbol, unit, values });
            }
        }
        let shown = Shown::Motion { n, m };
        Self { title: title.into(), facts, samples: columns, events: record.events, work: record.work, shown }
    }
}

/// A number in subscript digits.
fn subscript(i: usize) -> String {
    let digit = |c: char| char::from_u32('₀' as u32 + c as u32 - '0' as u32).unwrap_or(c);
    i.to_string().chars().map(digit).collect()
}
