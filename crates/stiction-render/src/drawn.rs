//! What a curve is drawn through: the samples, and between them every event and every extremum.
//!
//! Samples on a grid miss peaks, and connect the states before and after a jump by a slope that is none. At an event the instants
//! hold the values on both sides.

use stiction_study::{Column, Outcome};

/// The rows of an outcome in the order of time, samples and instants together.
pub(crate) struct Drawn<'a> {
    outcome: &'a Outcome,
    /// Row numbers; from the number of samples on they count the instants.
    order: Vec<usize>,
}

impl<'a> Drawn<'a> {
    pub fn new(outcome: &'a Outcome) -> Self {
        let times = |columns: &'a [Column]| columns.first().map_or(&[][..], |t| t.values.as_slice());
        let (samples, instants) = (times(&outcome.samples), times(&outcome.instants));
        let n = samples.len();
        let mut order: Vec<usize> = Vec::with_capacity(n + instants.len());
        let mut next = 0;
        for (i, t) in samples.iter().enumerate() {
            // a sample at an event holds what is after it
            while next < instants.len() && instants[next] <= *t {
                order.push(n + next);
                next += 1;
            }
            order.push(i);
        }
        order.extend((next..instants.len()).map(|i| n + i));
        Self { outcome, order }
    }

    /// The values of a column of the samples in that order.
    pub fn values(&self, column: &Column) -> Vec<f64> {
        let n = column.values.len();
        let same = |other: &&Column| (other.kind, other.index) == (column.kind, column.index);
        let instants = self.outcome.instants.iter().find(same);
        let value = |&row: &usize| match row.checked_sub(n) {
            None => column.values[row],
            Some(instant) => instants.and_then(|c| c.values.get(instant)).copied().unwrap_or(f64::NAN),
        };
        self.order.iter().map(value).collect()
    }
}
