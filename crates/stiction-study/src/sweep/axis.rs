//! The values of an axis: a pure function of their number, without a list where there is a formula.

use super::table::Spacing;
use libm::{exp, log};

/// The values that a number takes.
#[derive(Clone, Debug, PartialEq)]
pub enum AxisValues {
    /// Evenly from one end to the other, both included.
    Range {
        /// First and last value.
        ends: [f64; 2],
        /// How they are spread.
        spacing: Spacing,
        /// How many; 0 if points are drawn.
        points: u64,
    },
    /// A list.
    List(Vec<f64>),
}

impl AxisValues {
    /// How many there are.
    pub fn len(&self) -> u64 {
        match self {
            Self::Range { points, .. } => *points,
            Self::List(list) => list.len() as u64,
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Value `k`, below their number. Both ends of a range are as written.
    pub fn at(&self, k: u64) -> f64 {
        match self {
            Self::Range { ends: [from, to], spacing, points } => match points - 1 {
                _ if k == 0 => *from,
                last if k >= last => *to,
                last => between([*from, *to], *spacing, k as f64 / last as f64),
            },
            Self::List(list) => list.get(k as usize).copied().unwrap_or(f64::NAN),
        }
    }

    /// The value at the coordinate `u`, above 0 and below 1, of a point that is drawn.
    pub fn drawn(&self, u: f64) -> f64 {
        match self {
            Self::Range { ends, spacing, .. } => between(*ends, *spacing, u),
            Self::List(list) => {
                let k = (u * list.len() as f64) as usize;
                list.get(k.min(list.len().saturating_sub(1))).copied().unwrap_or(f64::NAN)
            }
        }
    }
}

/// Between two ends at the part `u` of the way.
pub(super) fn between([from, to]: [f64; 2], spacing: Spacing, u: f64) -> f64 {
    match spacing {
        Spacing::Linear => from + (to - from) * u,
        // a negative range is a positive one with its sign
        Spacing::Log => from.signum() * exp(log(from.abs()) + log(to / from) * u),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_end_where_stated_and_keep_their_differences_or_ratios() {
        let range = |ends, spacing, points| AxisValues::Range { ends, spacing, points };
        let linear = range([0.2, 2.0], Spacing::Linear, 7);
        assert_eq!((linear.at(0), linear.at(6)), (0.2, 2.0));
        assert!((1..7).all(|k| (linear.at(k) - linear.at(k - 1) - 0.3).abs() < 1e-15));
        for sign in [1.0, -1.0] {
            let log = range([sign * 1e-3, sign * 1e3], Spacing::Log, 7);
            assert_eq!((log.at(0), log.at(6)), (sign * 1e-3, sign * 1e3));
            assert!((1..7).all(|k| (log.at(k) / log.at(k - 1) / 10.0 - 1.0).abs() < 1e-14));
        }
        // as many values as points, however few
        assert_eq!(range([3.0, 4.0], Spacing::Linear, 1).at(0), 3.0);
    }

    #[test]
    fn what_is_drawn_from_a_list_is_of_the_list() {
        let list = AxisValues::List(vec![1.0, 2.0, 4.0]);
        let drawn: Vec<f64> =
            [1e-9, 0.3, 0.34, 0.66, 0.67, 1.0 - 1e-16].iter().map(|u| list.drawn(*u)).collect();
        assert_eq!(drawn, [1.0, 1.0, 2.0, 2.0, 4.0, 4.0]);
    }
}
