//! Which contacts are held in place by other constraints.

use super::model::Model;
use super::stretch::Stretch;
use crate::contact::{Basis, ContactMode, DEPENDENT};

/// Whether the belt of a contact moves as the belts and the stops that keep the contact in place do.
pub(super) fn moves_with(model: &Model, kept: &Basis, contact: usize) -> bool {
    let own = model.stops.len() + contact;
    if (0..model.stops.len() + model.contacts.len()).all(|c| model.velocity_signals(c).is_empty()) {
        return true;
    }
    let mut row: Vec<f64> = kept.members.iter().map(|&a| model.delassus.at(a, own)).collect();
    kept.solve(&mut row);
    let rate = |c: usize, k: usize| {
        let signals = model.velocity_signals(c);
        signals.iter().find(|signal| signal.0 == k).map_or(0.0, |signal| signal.1)
    };
    (0..model.signals.len()).all(|k| {
        let theirs = kept.members.iter().zip(&row).map(|(a, x)| x * rate(*a, k));
        let (sum, size) = theirs.fold((0.0, 0.0f64), |(sum, size), x| (sum + x, size + x.abs()));
        let own = rate(own, k);
        (sum - own).abs() <= DEPENDENT * (size + own.abs())
    })
}

/// Whether a contact stays in place without its own force.
pub(super) fn is_kept(model: &Model, next: &Stretch, contact: usize) -> bool {
    let n_stops = model.stops.len();
    let is_coupled = |c: usize| model.delassus.at(c, n_stops + contact) != 0.0;
    let by_stop = (0..n_stops).any(|k| next.regime.stops[k].is_closed() && is_coupled(k));
    let by_contact =
        || (0..model.contacts.len()).any(|j| j != contact && next.sticks(j) && is_coupled(n_stops + j));
    if !(by_stop || by_contact()) {
        return false;
    }
    let mut kept = others(model, next, contact);
    moves_with(model, &kept, contact) && !kept.add(&model.delassus, model.stops.len() + contact)
}

/// The constraints of the closed stops and of the contacts that stick without yielding, all but `one`.
fn others(model: &Model, next: &Stretch, one: usize) -> Basis {
    let mut basis = next.basis.clone();
    basis.clear();
    for k in (0..model.stops.len()).filter(|k| next.regime.stops[*k].is_closed()) {
        basis.add(&model.delassus, k);
    }
    for j in 0..model.contacts.len() {
        if j != one && matches!(next.regime.contacts[j], ContactMode::Stick { yields: None, .. }) {
            basis.add(&model.delassus, model.stops.len() + j);
        }
    }
    basis
}
