//! What an outcome says of a model that was reduced: its facts, and the degrees of freedom under their own
//! numbers.

use crate::facts::{ColumnKind, FactKind};
use crate::outcome::{Caution, Column, Fact, Outcome};
use crate::task::Shown;
use stiction::Warning;
use stiction::structure::{Reduced, ReductionReport};

/// Relative error of the lowest frequency from which on rounding is warned of.
const ILL_CONDITIONED: f64 = 1e-6;

/// What was reduced, and which degrees of freedom are reported.
#[derive(Clone, Debug)]
pub struct ReductionNotes {
    /// Numbers in the full model of the first degrees of freedom; the others are not reported.
    pub reported: Vec<usize>,
    /// What was left out.
    pub report: ReductionReport,
}

impl ReductionNotes {
    pub(crate) fn new(reduced: &Reduced) -> Self {
        Self { reported: reduced.reported_dofs().to_vec(), report: reduced.report }
    }

    /// Expands an outcome of the reduced model to the full model.
    pub(crate) fn expand(&self, outcome: &mut Outcome) {
        self.renumber_facts(&mut outcome.facts);
        for columns in [&mut outcome.samples, &mut outcome.instants] {
            let own = ReportedDegrees(&self.reported);
            let reported = std::mem::take(columns).into_iter().filter_map(|column| own.column(column));
            *columns = reported.collect();
        }
        if let Shown::Motion { n, .. } = &mut outcome.shown {
            *n = self.reported.len();
        }
        let ReductionReport { degrees, reduced, modes, neglected, band, error, rounding, .. } = self.report;
        outcome.facts.extend([
            Fact::count(FactKind::ModelDegrees, degrees),
            Fact::count(FactKind::ReducedDegrees, reduced),
            Fact::count(FactKind::ModesKept, modes),
            Fact::new(FactKind::NeglectedFrequency, neglected),
            Fact::new(FactKind::ComplianceBand, band),
            Fact::new(FactKind::ComplianceError, error),
            Fact::new(FactKind::ReductionRounding, rounding),
        ]);
        let mut warnings = Vec::new();
        if !error.is_finite() {
            warnings.push(Warning::BandNeglected { band, neglected });
        }
        if rounding > ILL_CONDITIONED {
            warnings.push(Warning::IllConditioned { rounding });
        }
        outcome.warnings.extend(warnings.iter().map(Caution::from));
    }

    /// Gives facts of degrees of freedom the numbers of the full model, and drops those that are not
    /// reported.
    pub(crate) fn renumber_facts(&self, facts: &mut Vec<Fact>) {
        ReportedDegrees(&self.reported).renumber_facts(facts);
    }
}

/// Numbers in the full model of the degrees of freedom that are computed; those beyond the list are not
/// reported.
pub(crate) struct ReportedDegrees<'a>(pub &'a [usize]);

impl ReportedDegrees<'_> {
    /// Gives facts of degrees of freedom the numbers of the full model, and drops those that are not
    /// reported.
    pub(crate) fn renumber_facts(&self, facts: &mut Vec<Fact>) {
        let of_degree = [
            FactKind::PositionMax,
            FactKind::PositionMin,
            FactKind::VelocityMax,
            FactKind::VelocityMin,
            FactKind::AccelerationMax,
            FactKind::AccelerationMin,
        ];
        facts.retain_mut(|fact| !of_degree.contains(&fact.kind) || self.renumber(&mut fact.index));
    }

    /// Replaces the number of a degree of freedom by that of the full model. Returns whether it is reported.
    fn renumber(&self, index: &mut Option<usize>) -> bool {
        let reported = self.0.get(index.unwrap_or(0)).copied();
        *index = reported;
        reported.is_some()
    }

    /// A column under the number of the full model; none if it is not reported.
    pub(crate) fn column(&self, column: Column) -> Option<Column> {
        if !matches!(column.kind, ColumnKind::Position | ColumnKind::Velocity | ColumnKind::Acceleration) {
            return Some(column);
        }
        let mut index = column.index;
        self.renumber(&mut index).then_some(())?;
        Some(Column::new(column.kind, column.values).numbered(index?, usize::MAX))
    }
}
