//! A system in other units moves the same way, to the last bit.

use super::*;

/// Units of length, time and force.
pub(super) struct Units {
    pub(super) length: f64,
    pub(super) time: f64,
    pub(super) force: f64,
}

impl Units {
    pub(super) const SAME: Self = Self { length: 1.0, time: 1.0, force: 1.0 };

    /// The factor of a quantity with this unit; none for a unit that is no product of powers.
    fn factor(&self, unit: &str) -> Option<f64> {
        let Self { length: l, time: t, force: f } = self;
        Some(match unit {
            "-" => 1.0,
            "s" => *t,
            "m" => *l,
            "m/s" => l / t,
            "m/s²" => l / t / t,
            "1/m" => 1.0 / l,
            "1/s" => 1.0 / t,
            "s/m" => t / l,
            "N" => *f,
            "N s/m" => f * t / l,
            "J" => f * l,
            _ => return None,
        })
    }

    /// The system in these units.
    fn lines(&self, lines: &Lines) -> Option<Lines> {
        let Self { length: l, time: t, force: f } = self;
        let mut other = lines.clone();
        for (matrix, factor) in
            [(&mut other.mass, f * t * t / l), (&mut other.damping, f * t / l), (&mut other.stiffness, f / l)]
        {
            matrix.iter_mut().flatten().for_each(|x| *x *= factor);
        }
        let harmonics = other.harmonics.iter_mut().map(|h| (&mut h.amplitude, *f));
        let vectors = [(&mut other.position, *l), (&mut other.velocity, l / t), (&mut other.constant, *f)];
        for (vector, factor) in vectors.into_iter().chain(harmonics) {
            vector.iter_mut().for_each(|x| *x *= factor);
        }
        other.harmonics.iter_mut().for_each(|h| h.omega /= t);
        for contact in &mut other.contacts {
            contact.load *= f;
            contact.belt *= l / t;
            contact.viscous *= t / l;
            contact.law = in_units(&contact.law, self)?;
        }
        other.duration *= t;
        other.window = other.window.map(|x| x * t);
        if let Some(IntegratorKind::Rk4(settings)) = &mut other.integrator {
            settings.step = settings.step.map(|step| step * t);
        }
        Some(other)
    }
}

/// The law in other units; none if a number of it has no unit of its own.
pub(super) fn in_units(law: &FrictionLaw, units: &Units) -> Option<FrictionLaw> {
    if let Some(reverse) = law.reverse() {
        return Some(in_units(law.forward(), units)?.directed(reverse));
    }
    let mut other = law.clone();
    match &mut other {
        FrictionLaw::Polyline(curve) => {
            let factor = units.factor("m/s")?;
            curve.velocities.iter_mut().for_each(|v| *v *= factor);
        }
        // nobody knows the units within a formula
        FrictionLaw::Expression(_) if units.length != units.time => return None,
        _ => {}
    }
    for (name, unit) in law.numbers() {
        if let Some(x) = law.number(name) {
            let factor = units.factor(unit);
            // a radius in a plane of velocity and coefficient scales with neither
            other.set_number(name, x * factor.or((units.length == units.time).then_some(1.0))?);
        }
    }
    Some(other)
}

/// Every fact and every sample in other units, to the last bit: powers of four change no digit, nor do their
/// roots.
pub(super) fn units(lines: &Lines, reported: &Reported, dice: &mut Dice) -> Result<(), String> {
    let is_adaptive = matches!(lines.integrator, Some(IntegratorKind::Adaptive(_)));
    let mut power = || 4f64.powi(dice.below(2 * POWERS + 1) as i32 - POWERS as i32);
    let (force, length, time) = (power(), power(), power());
    for (name, units) in [
        ("unit of force", Units { force, ..Units::SAME }),
        ("unit of length", Units { length, ..Units::SAME }),
        ("unit of time", Units { time, ..Units::SAME }),
    ] {
        // the absolute tolerance of the adaptive method has the unit of its states
        if is_adaptive && units.force == 1.0 {
            continue;
        }
        let Some(other) = units.lines(lines) else { continue };
        let other = run(name, &other)?;
        if lines.contacts.iter().any(|c| c.law.graph() == Graph::Jump) && (fades(reported) || fades(&other)) {
            continue;
        }
        // springs are carried by series, whose terms are rounded in another way
        if lines.contacts.iter().any(|c| c.law.sliders().is_some()) {
            same_to_rounding(name, &units, reported, &other)?;
            continue;
        }
        for (fact, value) in &reported.facts {
            let Some(factor) = reported.units.get(fact).and_then(|unit| units.factor(unit)) else {
                return Err(format!("{name}: {fact} has a unit that is not known"));
            };
            let (found, expected) = (other.fact(fact), factor * value);
            // the residual is what rounding leaves, and a term below the least number is rounded too
            if !same(found, expected, factor, &units) && fact != "energy_residual" {
                return Err(format!("{name}: {fact} is {found:e}, but it must be {expected:e}"));
            }
        }
        for (column, values) in &reported.columns {
            let factor = reported.units.get(column).and_then(|unit| units.factor(unit)).unwrap_or(f64::NAN);
            let found = other.column(column);
            let wrong = (0..values.len())
                .find(|&i| !found.get(i).is_some_and(|&x| same(x, factor * values[i], factor, &units)));
            if let Some(i) = wrong {
                let (found, expected) = (found.get(i), factor * values[i]);
                return Err(format!("{name}: {column} is {found:?} at row {i}, but it must be {expected:e}"));
            }
        }
        let is_same = reported
            .events
            .iter()
            .zip(&other.events)
            .all(|(a, b)| (a.contact, a.kind) == (b.contact, b.kind) && a.t * units.time == b.t);
        if !is_same || reported.events.len() != other.events.len() {
            return Err(format!("{name}: other events"));
        }
    }
    Ok(())
}

/// Whether sliding velocities die out below the least normal number: they lose digits there, each unit in its
/// own way, until a law that jumps makes a force of the sign of what is left.
fn fades(reported: &Reported) -> bool {
    let is_sliding = |name: &&String| name.starts_with("sliding");
    reported
        .columns
        .keys()
        .filter(is_sliding)
        .any(|name| reported.column(name).iter().any(|v| v.is_subnormal()))
}

/// Whether two values are the same to the last bit; what is below the least normal number in either unit has
/// lost digits, and so has a velocity or an acceleration whose force has: under friction of rate and state
/// motions die out down to there.
fn same(found: f64, expected: f64, factor: f64, units: &Units) -> bool {
    let least = f64::MIN_POSITIVE / units.force.min(1.0);
    found == expected || (found - expected).abs() < least * factor.max(1.0)
}

/// How many events there are but for touches: a spring that comes back to the end of its range slips there
/// for as long as the root of its rounding, or does not.
fn lasting(reported: &Reported) -> usize {
    let (events, short) = (&reported.events, TOUCH * reported.column("t").last().copied().unwrap_or(0.0));
    let is_touch = |(i, slip): &(usize, &Event)| {
        let behind = |stick: &&Event| stick.contact == slip.contact && stick.kind == EventKind::Stick;
        slip.kind == EventKind::Slip
            && events[i + 1..].iter().find(behind).is_some_and(|stick| stick.t - slip.t < short)
    };
    events.len() - 2 * events.iter().enumerate().filter(is_touch).count()
}

/// The motion in other units to round-off.
fn same_to_rounding(name: &str, units: &Units, reported: &Reported, other: &Reported) -> Result<(), String> {
    for (column, values) in &reported.columns {
        let factor = reported.units.get(column).and_then(|unit| units.factor(unit)).unwrap_or(f64::NAN);
        let (found, room) = (other.column(column), EXACT * factor * size(values));
        let differs = (0..values.len())
            .find(|&i| !found.get(i).is_some_and(|x| (x - factor * values[i]).abs() <= room));
        // what jumps at an event may stand on either side of it
        if let Some(i) = differs.filter(|_| matches!(&column[..3], "pos" | "vel")) {
            let (found, expected) = (found.get(i), factor * values[i]);
            return Err(format!("{name}: {column} is {found:?} at row {i}, but it must be {expected:e}"));
        }
    }
    if lasting(reported) != lasting(other) {
        return Err(format!("{name}: other events"));
    }
    Ok(())
}
