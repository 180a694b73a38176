//! Periodic motions: one system, or a family along a parameter.

use crate::document::Document;
use crate::outcome::{Column, Fact, Outcome, Shown};
use crate::resolve::Resolve;
use crate::scenario::SystemKind;
use serde::Deserialize;
use stiction::Error;
use stiction::integrate::{Integrator, Plan, drive};
use stiction::steady::{Bifurcation, Continuation, Engine, Orbit, Steady, bifurcation, sweep};
use stiction::system::System;

/// A value of the parameter, and the periodic motion that was found there.
type Row<'a> = (f64, Option<&'a Orbit>);

/// Samples of one period.
const SAMPLES: usize = 2000;

/// What is looked for.
#[derive(Clone, Debug)]
pub enum Search {
    /// The periodic motions of the system.
    Orbits,
    /// A sweep through these values.
    Sweep(Vec<f64>),
    /// A branch through its folds.
    Branch {
        /// First value.
        from: f64,
        /// Last value.
        to: f64,
        /// Points at most.
        max_points: usize,
    },
    /// The state once per period at these values.
    Bifurcation {
        /// The values.
        values: Vec<f64>,
        /// What to record.
        settings: Bifurcation,
    },
}

/// A search for periodic motions.
#[derive(Clone, Debug)]
pub struct Periodic {
    /// The system as written.
    pub system: System,
    /// How to search.
    pub steady: Steady,
    /// What to search.
    pub search: Search,
    /// The system as written, in which the parameter is varied.
    pub(crate) document: Document,
    /// Path of the parameter.
    pub(crate) parameter: Vec<String>,
}

impl Periodic {
    /// The system at a value of the parameter; the one as written if the value does not fit.
    fn system_at(&self, value: f64) -> System {
        let mut document = self.document.clone();
        let kind = document
            .put(&self.parameter, value)
            .ok()
            .and_then(|()| SystemKind::deserialize(document.nearest("system").to_toml()).ok());
        kind.and_then(|kind| Resolve::new(&document).system(&kind)).unwrap_or_else(|| self.system.clone())
    }

    /// Runs the search.
    pub(crate) fn run(&self, title: &str, progress: &mut dyn FnMut(f64) -> bool) -> Result<Outcome, Error> {
        let family = |value: f64| self.system_at(value);
        match &self.search {
            Search::Orbits => self.orbits(title, progress),
            Search::Sweep(values) => {
                let found = sweep(&self.steady, &family, values, progress)?;
                // a value without a periodic motion keeps its place
                let at = |value: &f64| found.iter().find(|point| point.parameter == *value);
                let rows: Vec<Row> =
                    values.iter().map(|value| (*value, at(value).map(|p| &p.orbit))).collect();
                Ok(self.response(title, &rows))
            }
            Search::Branch { from, to, max_points } => {
                let continuation = Continuation {
                    steady: self.steady.clone(),
                    from: *from,
                    to: *to,
                    max_points: *max_points,
                    ..Continuation::default()
                };
                let points = continuation.run(&family, progress)?.points;
                let rows: Vec<Row> = points.iter().map(|p| (p.parameter, Some(&p.orbit))).collect();
                Ok(self.response(title, &rows))
            }
            Search::Bifurcation { values, settings } => {
                let sections = bifurcation(settings, &family, values, progress)?;
                let rows =
                    || sections.iter().flat_map(|s| s.states.iter().map(move |state| (s.parameter, state)));
                let samples = vec![
                    self.parameter_column(rows().map(|(value, _)| value).collect()),
                    column("position", "u", "m", rows().map(|(_, s)| s.position[self.steady.dof]).collect()),
                    column(
                        "velocity",
                        "u̇",
                        "m/s",
                        rows().map(|(_, s)| s.velocity[self.steady.dof]).collect(),
                    ),
                ];
                Ok(outcome(title, Vec::new(), samples, Shown::Bifurcation))
            }
        }
    }

    /// All periodic motions that were found; one period of the first stable one.
    fn orbits(&self, title: &str, progress: &mut dyn FnMut(f64) -> bool) -> Result<Outcome, Error> {
        let orbits = self.steady.find(&self.system, progress)?;
        let chosen = orbits.iter().find(|orbit| orbit.is_stable).or(orbits.first());
        let Some(orbit) = chosen else {
            return Err(Error::NoPeriodicMotion {
                starts: self.steady.starts.len(),
                residual: f64::INFINITY,
            });
        };
        let mut facts = facts_of(orbit, "");
        facts.push(Fact { name: "orbits".into(), value: orbits.len() as f64, unit: "-" });
        for (i, other) in orbits.iter().enumerate().filter(|(_, other)| orbits.len() > 1 && *other != orbit) {
            facts.extend(facts_of(other, &format!("orbit_{i}_")));
        }
        if !orbit.state.memory.is_empty() {
            // the internal states belong to the orbit, and a run starts without them
            return Ok(outcome(title, facts, Vec::new(), Shown::Response));
        }
        let mut system = self.system.clone();
        (system.position, system.velocity) = (orbit.state.position.clone(), orbit.state.velocity.clone());
        let t_end = orbit.period;
        let times = (0..=SAMPLES).map(|i| t_end * i as f64 / SAMPLES as f64).collect();
        let plan = Plan { t_end, window: [0.0, t_end], times, lands_on_times: false };
        let integrator = match self.steady.engine.clone().unwrap_or_else(|| Engine::of(&system)) {
            Engine::Exact => Integrator::Exact,
            Engine::Adaptive(settings) => Integrator::Adaptive(settings),
        };
        let record = drive(&system, &integrator, &plan, &mut |_| progress(1.0))?;
        let (n, m) = (system.n(), system.elements.len());
        let mut outcome = Outcome::from_record(title, None, n, m, record);
        outcome.facts.retain(|fact| !fact.name.starts_with("stick_fraction"));
        facts.append(&mut outcome.facts);
        outcome.facts = facts;
        Ok(outcome)
    }

    fn parameter_column(&self, values: Vec<f64>) -> Column {
        let key = self.parameter.last().map_or("parameter", String::as_str);
        // a response has columns of these names too
        let is_taken = matches!(key, "amplitude" | "phase" | "period" | "position" | "velocity");
        let above = self.parameter.iter().rev().skip(1).find(|part| part.parse::<usize>().is_err());
        let name = match above {
            Some(above) if is_taken => format!("{above}_{key}"),
            _ => key.to_owned(),
        };
        let (symbol, unit) = match key {
            "omega" => ("ω", "rad/s"),
            "amplitude" if above.is_some_and(|above| above == "base") => ("base amplitude", "m"),
            "amplitude" => ("P", "N"),
            "constant" => ("constant force", "N"),
            "load" => ("normal load", "N"),
            "phase" => ("phase of the load", "rad"),
            "velocity" => ("velocity", "m/s"),
            "mu" => ("μ", ""),
            "belt" => ("belt speed", "m/s"),
            "damping" => ("c", "N s/m"),
            "stiffness" => ("k", "N/m"),
            "mass" => ("m", "kg"),
            "width" => ("Δ", "m/s"),
            other => (other, ""),
        };
        column(&name, symbol, unit, values)
    }

    fn response(&self, title: &str, rows: &[Row]) -> Outcome {
        let of =
            |f: &dyn Fn(&Orbit) -> f64| rows.iter().map(|(_, o)| o.map_or(f64::NAN, f)).collect::<Vec<f64>>();
        let parameter = self.parameter_column(rows.iter().map(|(parameter, _)| *parameter).collect());
        let parameter_unit = if parameter.unit.is_empty() { "-" } else { parameter.unit };
        let samples = vec![
            parameter,
            column("amplitude", "X", "m", of(&|o| o.amplitude)),
            column("phase", "phase", "rad", of(&|o| o.phase.unwrap_or(f64::NAN))),
            column("friction_loss", "friction loss", "J", of(&|o| o.friction_loss)),
            column("stops", "stops per period", "", of(&|o| f64::from(o.stops))),
            column("stick_fraction", "stick fraction", "", of(&|o| o.stick_fraction)),
            column("stable", "stable", "", of(&|o| f64::from(u8::from(o.is_stable)))),
            column(
                "multiplier",
                "largest |multiplier|",
                "",
                of(&|o| o.multipliers.first().map_or(0.0, |m| m.modulus())),
            ),
            column("period", "period", "s", of(&|o| o.period)),
        ];
        let orbits = || rows.iter().filter_map(|(parameter, orbit)| Some((*parameter, (*orbit)?)));
        let count = |name: &str, n: usize| Fact { name: name.into(), value: n as f64, unit: "-" };
        let mut facts = vec![count("points", orbits().count())];
        let missing = rows.len() - orbits().count();
        if missing > 0 {
            facts.push(count("missing_points", missing));
        }
        let peak = orbits().max_by(|(_, a), (_, b)| a.amplitude.total_cmp(&b.amplitude));
        if let Some((parameter, orbit)) = peak {
            facts.push(Fact { name: "peak_amplitude".into(), value: orbit.amplitude, unit: "m" });
            facts.push(Fact { name: "peak_at".into(), value: parameter, unit: parameter_unit });
        }
        facts.push(count("unstable_points", orbits().filter(|(_, orbit)| !orbit.is_stable).count()));
        outcome(title, facts, samples, Shown::Response)
    }
}

fn facts_of(orbit: &Orbit, prefix: &str) -> Vec<Fact> {
    let fact =
        |name: &str, value: f64, unit: &'static str| Fact { name: format!("{prefix}{name}"), value, unit };
    let mut facts = vec![
        fact("period", orbit.period, "s"),
        fact("amplitude", orbit.amplitude, "m"),
        fact("fundamental", orbit.fundamental, "m"),
    ];
    facts.extend(orbit.phase.map(|phase| fact("phase", phase, "rad")));
    facts.extend([
        fact("cycle_work_in", orbit.work_in, "J"),
        fact("cycle_friction_loss", orbit.friction_loss, "J"),
        fact("cycle_viscous_loss", orbit.viscous_loss, "J"),
        fact("stops", f64::from(orbit.stops), "-"),
        fact("stick_fraction", orbit.stick_fraction, "-"),
        fact("stable", f64::from(u8::from(orbit.is_stable)), "-"),
        fact("symmetric", f64::from(u8::from(orbit.is_symmetric)), "-"),
    ]);
    let multipliers = orbit.multipliers.iter().enumerate();
    facts.extend(multipliers.map(|(i, m)| fact(&format!("multiplier_{i}"), m.modulus(), "-")));
    facts.push(fact("orbit_residual", orbit.residual, "-"));
    facts
}

fn column(name: &str, symbol: &str, unit: &'static str, values: Vec<f64>) -> Column {
    Column { name: name.into(), symbol: symbol.into(), unit, values }
}

fn outcome(title: &str, facts: Vec<Fact>, samples: Vec<Column>, shown: Shown) -> Outcome {
    Outcome { title: title.into(), facts, samples, events: Vec::new(), work: Default::default(), shown }
}
