//! The friction law of each contact as a curve, over the velocities that a motion has.

use crate::histories::bound;
use crate::reply::Reply;
use serde_json::{Value as Json, json};
use stiction::law::{FrictionBounds, Graph, Law};
use stiction::system::System;
use stiction_study::{LawCurve, Outcome};

/// Points of a curve; a kink between two is seen on no screen.
const POINTS: usize = 601;
/// Contacts that are reported; the page shows no more.
const MOST: usize = 16;
/// Longest direction that is given.
const LONGEST: usize = 64;
/// How far beyond the fastest sliding a curve goes.
const MARGIN: f64 = 1.1;

/// Load, belt, direction, law and curve of each contact.
pub fn contacts(system: &System, outcome: &Outcome, reply: &mut Reply) -> Json {
    let one = |(i, contact): (usize, &stiction::system::Contact)| {
        let speeds = outcome.quantity("sliding", i).map_or(&[][..], |column| &column.values);
        let fastest = speeds.iter().map(|v| v.abs()).filter(|v| v.is_finite()).fold(0.0, f64::max);
        let mut curve = LawCurve {
            friction: contact.friction.clone(),
            load: contact.load,
            demand: 0.0,
            velocities: Vec::new(),
        };
        curve.velocities = if fastest > 0.0 { grid(MARGIN * fastest, &curve) } else { curve.grid(POINTS) };
        let [velocity, coefficient] = graph(&curve);
        json!({
            "law": contact.friction.law.name(), "load": contact.load, "belt": contact.belt,
            "direction": direction(contact), "bound": bound(contact), "viscous": contact.friction.viscous,
            "memory": contact.friction.law.has_memory(), "sliders": contact.friction.law.sliders().map_or(0, |sliders| sliders.len()), "varies": system.elements.contacts.iter().any(|varying| varying.contact == i),
            "velocity": reply.place(&velocity), "coefficient": reply.place(&coefficient),
        })
    };
    system.contacts.iter().take(MOST).enumerate().map(one).collect()
}

/// Velocities and coefficients; of a set-valued law with the interval of static friction at rest.
fn graph(curve: &LawCurve) -> [Vec<f64>; 2] {
    let [velocity, coefficient, _] = curve.columns().map(|column| column.values);
    let law = &curve.friction.law;
    let at_rest = (law.graph() == Graph::SetValued).then(|| law.friction_bounds(0.0, &[])).flatten();
    let Some(FrictionBounds { low, high, .. }) = at_rest else { return [velocity, coefficient] };
    let ends = [velocity.partition_point(|v| *v < 0.0), velocity.partition_point(|v| *v <= 0.0)];
    let with = |values: &[f64], rest: [f64; 2]| [&values[..ends[0]], &rest, &values[ends[1]..]].concat();
    [with(&velocity, [0.0; 2]), with(&coefficient, [low, high])]
}

/// The direction; of a large model it says nothing that a page draws.
fn direction(contact: &stiction::system::Contact) -> &[f64] {
    if contact.direction.len() <= LONGEST { &contact.direction } else { &[] }
}

/// Velocities up to `reach` on both sides, with the law's kinks and both sides of zero among them.
fn grid(reach: f64, curve: &LawCurve) -> Vec<f64> {
    let mut all: Vec<f64> =
        (0..POINTS).map(|i| reach * (2.0 * i as f64 / (POINTS - 1) as f64 - 1.0)).collect();
    let kinks = curve.friction.law.breakpoints();
    all.extend(kinks.iter().flat_map(|v| [*v, -v]).filter(|v| v.abs() < reach));
    all.extend([-f64::MIN_POSITIVE, f64::MIN_POSITIVE]);
    all.sort_by(f64::total_cmp);
    all.dedup();
    all
}
