//! The friction of the contacts over their sliding velocity.

use super::{Shown, Task};
use crate::facts::{ColumnKind, FactKind};
use crate::outcome::{Column, Fact, Outcome};
use crate::resolve::Resolve;
use crate::scenario::Scenario;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stiction::law::SteadySliding;
use stiction::system::System;
use stiction::{Error, Progress};

/// The friction of the contacts over their sliding velocity.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Curves {
    /// Largest sliding velocity (m/s).
    pub to: f64,
    /// Number of points (-).
    pub points: usize,
}

impl Default for Curves {
    fn default() -> Self {
        Self { to: 1.0, points: 101 }
    }
}

impl Curves {
    pub(super) fn resolve(&self, resolve: &mut Resolve, scenario: &mut Scenario) -> Option<Task> {
        let system = resolve.system(&scenario.system)?;
        let is_sound = resolve.check(scenario.system.key(), |faults| system.check(faults));
        let has_range = resolve.check("analysis.curves", |faults| {
            faults.positive("to", self.to);
        });
        (is_sound && has_range).then(|| Task::Curves(CurvesTask { system, settings: self.clone() }))
    }
}

/// Checked curves.
#[derive(Clone, Debug)]
pub struct CurvesTask {
    system: System,
    settings: Curves,
}

impl CurvesTask {
    pub(super) fn run(&self, title: &str, progress: &mut Progress) -> Result<Outcome, Error> {
        let n = self.settings.points.max(2);
        let v: Vec<f64> = (0..n).map(|i| self.settings.to * i as f64 / (n - 1) as f64).collect();
        let mut columns = vec![Column::new(ColumnKind::LawVelocity, v.clone())];
        let m = self.system.contacts.len();
        for (i, contact) in self.system.contacts.iter().enumerate() {
            progress.tell(i as f64 / m as f64)?;
            let mut steady = SteadySliding::new(&contact.friction);
            let phi = v.iter().map(|v| steady.coefficient(*v, 0.0)).collect();
            columns.push(Column::new(ColumnKind::Coefficient, phi));
        }
        Ok(Outcome::new(title, vec![Fact::count(FactKind::Points, n)], columns, Shown::Curves))
    }
}
