//! Periodic motions along a list of parameters, each from the one before.

use super::supervised::attempted;
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
/// that ends. Parameters without periodic motion are left out. `progress` is told the part of the parameters done, at each
/// of them and while one takes long, and may stop the sweep by `false`.
pub fn sweep(
    steady: &Steady,
    family: &dyn Fn(f64) -> System,
    parameters: &[f64],
    progress: &mut dyn FnMut(f64) -> bool,
) -> Result<Vec<Point>, Error> {
    let near = Steady { transient: 0, ..steady.clone() };
    let mut points: Vec<Point> = Vec::with_capacity(parameters.len());
    let mut last: Option<State> = None;
    for (i, &parameter) in parameters.iter().enumerate() {
        let mut tell = |_| progress(i as f64 / parameters.len() as f64);
        if !tell(0.0) {
            return Err(Error::Interrupted { t: None });
        }
        let system = family(parameter);
        let next = match &last {
            Some(state) => attempted(near.from(&system, state, &mut tell))?,
            None => None,
        };
        let found = match next {
            Some(orbit) => Ok(orbit),
            None => first(steady, &system, &mut tell),
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
pub(super) fn first(
    steady: &Steady,
    system: &System,
    progress: &mut dyn FnMut(f64) -> bool,
) -> Result<Orbit, Error> {
    let starts = steady.starts(system);
    let mut other = None;
    let mut missed = Error::NoPeriodicMotion { starts: starts.len(), residual: f64::INFINITY };
    for start in &starts {
        match steady.from(system, start, progress) {
            Ok(orbit) if orbit.is_stable => return Ok(orbit),
            Ok(orbit) => other = other.or(Some(orbit)),
            Err(error @ Error::Interrupted { .. }) => return Err(error),
            Err(error) => missed = error,
        }
    }
    other.ok_or(missed)
}
