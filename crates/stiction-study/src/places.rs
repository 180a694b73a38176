//! Degrees of freedom of beams and plates: rotations have the unit rad, and nodes may be reported by their numbers.

use crate::facts::{ColumnKind, FactKind};
use crate::outcome::{Column, Fact, Outcome};
use crate::task::Shown;
use crate::units::of_rotation;

/// Quantities of degrees of freedom.
const COLUMNS: [ColumnKind; 6] = [
    ColumnKind::Position,
    ColumnKind::Velocity,
    ColumnKind::Acceleration,
    ColumnKind::AbsolutePosition,
    ColumnKind::AbsoluteVelocity,
    ColumnKind::AbsoluteAcceleration,
];
/// Numbers of degrees of freedom.
const FACTS: [FactKind; 6] = [
    FactKind::PositionMax,
    FactKind::PositionMin,
    FactKind::VelocityMax,
    FactKind::VelocityMin,
    FactKind::AccelerationMax,
    FactKind::AccelerationMin,
];

/// Where the degrees of freedom of a structure are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NodePlaces {
    /// Degree of freedom that displaces each node; none where a support holds it. Empty without nodes.
    nodes: Vec<Option<usize>>,
    /// Whether each degree of freedom is a rotation.
    rotates: Vec<bool>,
    /// Nodes whose displacements are reported, and nothing else; all degrees of freedom if absent.
    pub(crate) reported: Option<Vec<usize>>,
}

impl NodePlaces {
    /// The places of a structure with nodes; `together` is 0 at rotations.
    pub(crate) fn new(nodes: Vec<Option<usize>>, together: &[f64]) -> Self {
        Self { nodes, rotates: together.iter().map(|part| *part == 0.0).collect(), reported: None }
    }

    /// The degree of freedom that displaces each node.
    pub(crate) fn nodes(&self) -> &[Option<usize>] {
        &self.nodes
    }

    /// Puts the facts into the form in which they are reported.
    pub(crate) fn facts(&self, facts: &mut Vec<Fact>) {
        facts.retain_mut(|fact| {
            !FACTS.contains(&fact.kind) || self.place(fact.index, &mut fact.unit, &mut fact.node)
        });
    }

    /// Puts facts and columns into the form in which they are reported.
    pub(crate) fn apply(&self, outcome: &mut Outcome) {
        self.facts(&mut outcome.facts);
        for columns in [&mut outcome.samples, &mut outcome.instants] {
            columns.retain_mut(|column| !COLUMNS.contains(&column.kind) || self.column(column));
        }
        if let (Shown::Motion { n, .. }, Some(reported)) = (&mut outcome.shown, &self.reported) {
            *n = reported.len();
        }
    }

    fn column(&self, column: &mut Column) -> bool {
        let is_reported = self.place(column.index, &mut column.unit, &mut column.node);
        if let Some(node) = column.node {
            column.name = column.kind.row().name_at_node(node);
        }
        is_reported
    }

    /// Unit and node of a degree of freedom. Returns whether it is reported.
    fn place(
        &self,
        index: Option<usize>,
        unit: &mut std::borrow::Cow<'static, str>,
        node: &mut Option<usize>,
    ) -> bool {
        let dof = index.unwrap_or(0);
        if self.rotates.get(dof) == Some(&true) {
            *unit = of_rotation(unit).unwrap_or("-").into();
        }
        let Some(reported) = &self.reported else { return true };
        *node = reported.iter().copied().find(|node| self.nodes.get(*node) == Some(&Some(dof)));
        node.is_some()
    }
}
