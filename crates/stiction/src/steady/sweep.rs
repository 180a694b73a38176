//! Periodic motions along a list of parameters, each from those before.

use super::lanes::{LaneSweep, PlainMass, SweepLanes};
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

/// The periodic motions of `family` at the given parameters, a point for each of them, in time that grows as their number.
/// The first is what [`Steady::find`] finds, a stable one if there is one; each of the others is looked for from those
/// before, so that the sweep stays on its branch, stable or not, until that ends. A parameter that does not fit the system,
/// or has no periodic motion, has a point that says why. `progress` is told the part of the parameters done, at each of
/// them and while one takes long.
pub fn sweep(
    steady: &Steady,
    family: &dyn Fn(f64) -> System,
    parameters: &[f64],
    progress: &mut Progress,
) -> Result<Vec<Point>, Error> {
    sweep_in(SweepLanes::default(), steady, &family, parameters, progress)
}

/// Systems that differ by a number.
pub trait SystemFamily {
    /// The system at a value of the number.
    fn at(&self, value: f64) -> System;

    /// Makes another system of the family the one at a value.
    fn set(&self, system: &mut System, value: f64) {
        *system = self.at(value);
    }
}

impl SystemFamily for &dyn Fn(f64) -> System {
    fn at(&self, value: f64) -> System {
        self(value)
    }
}

/// The same as [`sweep`], with the choice of how many points are worked on at once where that is possible.
pub fn sweep_in(
    lanes: SweepLanes,
    steady: &Steady,
    family: &dyn SystemFamily,
    parameters: &[f64],
    progress: &mut Progress,
) -> Result<Vec<Point>, Error> {
    let mut points = Vec::with_capacity(parameters.len());
    sweep_onto(&mut points, lanes, steady, family, parameters, progress)?;
    Ok(points)
}

/// The same behind the points of the first parameters that are there already. Those that are finished stay when it is stopped.
pub fn sweep_onto(
    points: &mut Vec<Point>,
    lanes: SweepLanes,
    steady: &Steady,
    family: &dyn SystemFamily,
    parameters: &[f64],
    progress: &mut Progress,
) -> Result<(), Error> {
    let n = parameters.len() as f64;
    let mut trail = Trail::default();
    let mut lanes = LaneSweep::new(steady, lanes);
    let mut masses = Vec::new();
    // one of the family, and how many points were found in lanes, or before, that the trail does not know yet
    let (mut member, mut fresh) = (None, points.len());
    while let Some(rest @ [parameter, ..]) = parameters.get(points.len()..) {
        progress.at(points.len() as f64 / n).tell(0.0)?;
        masses.clear();
        let mut mass_at = |value: &f64| {
            let system = member.get_or_insert_with(|| family.at(*value));
            family.set(system, *value);
            PlainMass::of(system)
        };
        masses.extend(rest[..lanes.ahead(rest)].iter().map_while(&mut mass_at));
        let before = points.len();
        lanes.find(rest, &masses, points);
        if points.len() > before {
            fresh += points.len() - before;
            // the next one is told when it begins
            for done in before + 1..points.len() {
                progress.at(done as f64 / n).tell(0.0)?;
            }
            continue;
        }
        for point in &points[points.len() - fresh.min(DEGREE)..] {
            if let Ok(orbit) = &point.orbit {
                trail.add(point.parameter, orbit, true);
            }
        }
        fresh = 0;
        let orbit = match sound(family.at(*parameter)) {
            Ok(system) => {
                let mut own = progress.at(points.len() as f64 / n);
                let orbit = steady.along(&system, &mut trail, *parameter, &mut own);
                match &orbit {
                    Ok(orbit) => lanes.learn(*parameter, &system, orbit),
                    Err(_) => lanes.forget(),
                }
                orbit
            }
            Err(error) => Err(error),
        };
        if let Err(error @ Error::Interrupted { .. }) = &orbit {
            return Err(error.clone());
        }
        points.push(Point { parameter: *parameter, orbit });
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
