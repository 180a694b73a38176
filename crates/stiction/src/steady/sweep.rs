//! Periodic motions along a list of parameters, each from the one before.

use super::{Orbit, State, Steady};
use crate::Error;
use crate::system::System;

/// A periodic motion and the parameter that it belongs to.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// The parameter.
    pub parameter: f64,
    /// The motion.
    pub orbit: Orbit,
}

/// The periodic motions of `family` at the given parameters. The first is what [`Steady::find`] finds, a stable one if there
/// is one; each of the others is looked for from the one before, so that the sweep stays on its branch, stable or not, until
/// that ends. Parameters without periodic motion are left out.
pub fn sweep(
    steady: &Steady,
    family: &dyn Fn(f64) -> System,
    parameters: &[f64],
) -> Result<Vec<Point>, Error> {
    let near = Steady { transient: 0, ..steady.clone() };
    let mut points: Vec<Point> = Vec::with_capacity(parameters.len());
    let mut last: Option<State> = None;
    for &parameter in parameters {
        let system = family(parameter);
        let found = match &last {
            Some(state) => near.from(&system, state).or_else(|_| first(steady, &system)),
            None => first(steady, &system),
        };
        match found {
            Ok(orbit) => {
                last = Some(orbit.state.clone());
                points.push(Point { parameter, orbit });
            }
            Err(Error::NoPeriodicMotion { .. }) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(points)
}

/// The first stable motion found, or the first.
pub(super) fn first(steady: &Steady, system: &System) -> Result<Orbit, Error> {
    let starts = steady.starts(system);
    let mut other = None;
    let mut missed = Error::NoPeriodicMotion { starts: starts.len(), residual: f64::INFINITY };
    for start in &starts {
        match steady.from(system, start) {
            Ok(orbit) if orbit.is_stable => return Ok(orbit),
            Ok(orbit) => other = other.or(Some(orbit)),
            Err(error) => missed = error,
        }
    }
    other.ok_or(missed)
}
