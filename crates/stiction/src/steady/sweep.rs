//! Periodic motions along a list of parameters, each from the one before.

use super::supervised::attempted;
use super::{Orbit, State, Steady, nearest_miss};
use crate::system::System;
use crate::{Error, Faults, Progress};

/// A value of a parameter, and the periodic motion there.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// The parameter.
    pub parameter: f64,
    /// The motion, or why there is none.
    pub orbit: Result<Orbit, Error>,
}

/// The periodic motions of `family` at the given parameters, a point for each of them, in time that grows as their number.
/// The first is what [`Steady::find`] finds, a stable one if there is one; each of the others is looked for from the one
/// before, so that the sweep stays on its branch, stable or not, until that ends. A parameter that does not fit the system,
/// or has no periodic motion, has a point that says why. `progress` is told the part of the parameters done, at each of
/// them and while one takes long.
pub fn sweep(
    steady: &Steady,
    family: &dyn Fn(f64) -> System,
    parameters: &[f64],
    progress: &mut Progress,
) -> Result<Vec<Point>, Error> {
    let mut points: Vec<Point> = Vec::with_capacity(parameters.len());
    let mut last: Option<State> = None;
    for (i, &parameter) in parameters.iter().enumerate() {
        let mut own = progress.at(i as f64 / parameters.len() as f64);
        own.tell(0.0)?;
        let orbit = match sound(family(parameter)) {
            Ok(system) => steady.next(&system, last.as_ref(), &mut own),
            Err(error) => Err(error),
        };
        match &orbit {
            Ok(orbit) => last = Some(orbit.state.clone()),
            Err(error @ Error::Interrupted { .. }) => return Err(error.clone()),
            Err(_) => {}
        }
        points.push(Point { parameter, orbit });
    }
    Ok(points)
}

impl Steady {
    /// The periodic motion that a motion nearby leads to; where there is none, or that leads nowhere, the first stable one that
    /// the starts lead to, else the first. The system must have passed its check.
    pub fn next(
        &self,
        system: &System,
        near: Option<&State>,
        progress: &mut Progress,
    ) -> Result<Orbit, Error> {
        if let Some(state) = near {
            let steady = Self { transient: 0, starts: Vec::new(), ..self.clone() };
            if let Some(orbit) = attempted(steady.from(system, state, progress))? {
                return Ok(orbit);
            }
        }
        first(self, system, progress)
    }
}

/// The system, if it passes its check; else its first fault.
pub(super) fn sound(system: System) -> Result<System, Error> {
    match Faults::of(|faults| system.check(faults)).into_iter().next() {
        None => Ok(system),
        Some(fault) => Err(fault.error),
    }
}

/// The first stable motion found, or the first.
pub(super) fn first(steady: &Steady, system: &System, progress: &mut Progress) -> Result<Orbit, Error> {
    let starts = steady.starts(system);
    let mut other = None;
    let mut misses = Vec::new();
    for start in &starts {
        match steady.from(system, start, progress) {
            Ok(orbit) if orbit.is_stable() => return Ok(orbit),
            Ok(orbit) => other = other.or(Some(orbit)),
            Err(error @ Error::Interrupted { .. }) => return Err(error),
            Err(error) => misses.push(error),
        }
    }
    other.ok_or_else(|| nearest_miss(misses))
}
