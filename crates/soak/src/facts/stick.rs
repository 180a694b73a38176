//! Stick and slip by the columns of a transient.

use super::*;

/// Between stick and slip the contact does not slide: not at all in the exact method.
pub(super) fn stick(lines: &Lines, reported: &Reported) -> Result<(), String> {
    if !is_exact(lines) {
        return Ok(());
    }
    let m = lines.contacts.len();
    let t = reported.column("t");
    for (c, contact) in lines.contacts.iter().enumerate() {
        if !matches!(contact.law, FrictionLaw::Coulomb(_)) {
            continue;
        }
        let sliding = reported.column(&Reported::name("sliding", c, m));
        let mut since = None;
        for event in reported.events_of(c) {
            match event.kind {
                EventKind::Stick => since = Some(event.t),
                EventKind::Slip => {
                    let from = since.take().unwrap_or(lines.window[0]);
                    let moving = (0..t.len()).find(|&i| t[i] > from && t[i] < event.t && sliding[i] != 0.0);
                    if let Some(i) = moving {
                        return Err(format!(
                            "contact {c} sticks from {from} to {}, but slides at {:e} m/s at {}",
                            event.t, sliding[i], t[i]
                        ));
                    }
                }
                _ => {}
            }
        }
    }
    Ok(())
}

/// Whether bristles of a law hold at the velocity v, bent by z: their force is below 0.999 of what they give
/// in steady sliding, at this speed if that is as at rest, and else at any.
fn bristles_hold(law: &FrictionLaw, v: f64, z: f64) -> bool {
    let number = |name: &str, without: f64| law.number(name).unwrap_or(without);
    let mu = number("mu", 0.0);
    let mu_static = number("mu_static", mu);
    let falls = (-(v.abs() / number("velocity", 1.0)).powf(number("exponent", 2.0))).exp();
    let steady = mu + (mu_static - mu) * falls;
    let limit = if steady >= 0.999 * mu_static { steady } else { mu };
    let ahead = if v == 0.0 { z.abs() } else { z * v.signum() };
    number("stiffness", 0.0) * ahead < 0.999 * limit
}

/// The share of the window in which the exact method's contacts rest, and bristles hold, by counting samples.
pub(super) fn stick_fractions(
    lines: &Lines,
    reported: &Reported,
    dense: &Reported,
    n: usize,
) -> Result<(), String> {
    let m = lines.contacts.len();
    let t = dense.column("t");
    for (c, contact) in lines.contacts.iter().enumerate() {
        let sliding = dense.column(&Reported::name("sliding", c, m));
        let law = contact.law.forward();
        let bends = matches!(
            law,
            FrictionLaw::Dahl(_)
                | FrictionLaw::BoucWen(_)
                | FrictionLaw::Lugre(_)
                | FrictionLaw::ElastoPlastic(_)
        );
        if !(bends || is_exact(lines) && matches!(contact.law, FrictionLaw::Coulomb(_))) {
            continue;
        }
        let deflection = if bends { dense.column(&Reported::name("deflection", c, m)) } else { &[] };
        // where another contact holds the mass, the sign of the velocity is rounding
        let still = 1e-12 * size(sliding);
        let seen = |v: f64| if v.abs() <= still { 0.0 } else { v };
        let rests_at = |i: usize| match bends {
            true => bristles_hold(law, seen(sliding[i]), deflection[i]),
            false => sliding[i] == 0.0,
        };
        let rests = |i: usize| rests_at(i) && rests_at(i - 1);
        let rest: f64 = (1..t.len()).filter(|i| rests(*i)).map(|i| t[i] - t[i - 1]).sum();
        let span = lines.window[1] - lines.window[0];
        let fact = reported.fact(&Reported::name("stick_fraction", c, m));
        // a rest or a slip shorter than a step may be missed at each end
        let room = 3.0 / n as f64 + 1e-6;
        let room = room * (1.0 + reported.events_of(c).count() as f64 / 10.0);
        if (fact - rest / span).abs() > room {
            return Err(format!(
                "contact {c}: the stick fraction is said to be {fact}, but the columns give {}",
                rest / span
            ));
        }
    }
    Ok(())
}
