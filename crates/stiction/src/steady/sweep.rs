//! Periodic motions along a list of parameters, each from those before.

use super::trail::{DEGREE, Trail};
use super::{Orbit, Steady, nearest_miss};
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

/// The periodic motions of `family` at the given parameters, a point for each of them, in time that grows as
/// their number. The first is what [`Steady::find`] finds, a stable one if there is one; each of the others
/// is looked for from those before, so that the sweep stays on its branch, stable or not, until that ends. A
/// parameter that does not fit the system, or has no periodic motion, has a point with the reason. `progress`
/// reports the part of the parameters done, at each of them and while one takes long.
pub fn sweep(
    steady: &Steady,
    family: &dyn Fn(f64) -> System,
    parameters: &[f64],
    progress: &mut Progress,
) -> Result<Vec<Point>, Error> {
    let mut points = Vec::with_capacity(parameters.len());
    sweep_onto(&mut points, steady, family, parameters, progress)?;
    Ok(points)
}

/// As [`sweep`], appended to the points of the first parameters that are already there. Finished points stay
/// when it is stopped.
pub fn sweep_onto(
    points: &mut Vec<Point>,
    steady: &Steady,
    family: &dyn Fn(f64) -> System,
    parameters: &[f64],
    progress: &mut Progress,
) -> Result<(), Error> {
    let n = parameters.len() as f64;
    let mut trail = Trail::default();
    for point in &points[points.len().saturating_sub(DEGREE)..] {
        if let Ok(orbit) = &point.orbit {
            trail.add(point.parameter, orbit);
        }
    }
    for &parameter in parameters.get(points.len()..).unwrap_or_default() {
        let mut own = progress.at(points.len() as f64 / n);
        own.report(0.0)?;
        let orbit = sound(family(parameter))
            .and_then(|system| steady.along(&system, &mut trail, parameter, &mut own));
        if let Err(error @ Error::Interrupted { .. }) = &orbit {
            return Err(error.clone());
        }
        points.push(Point { parameter, orbit });
    }
    Ok(())
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
    // of a continuum the same motion as at other points
    let steady = Steady { starts: Vec::new(), ..steady.clone() };
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
