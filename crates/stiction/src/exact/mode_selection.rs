//! Contact modes after an event: which contacts stick and which slip.
//!
//! Every contact at a corner of its law has a trial mode; the series of the motion that follows from all of
//! them says whether each is right:
//!
//! * a resting contact holds a force within its limits, or at a limit and not on its way out of it;
//! * a sliding contact that starts at a corner moves to the side of the corner that its piece lies on.
//!
//! "On its way" is the sign of the first Taylor coefficient that is not rounding, so no time step decides. A
//! resting contact that asks for more than it can hold slides, with kinetic friction, to where it is pulled;
//! if other resting contacts keep it in place it stays and yields, holding what it can. A sliding contact
//! that would move the wrong way rests. One change at a time, the worst first; static friction above kinetic
//! can leave more than one answer, and then none in which one contact more could rest is taken. With equal
//! static and kinetic friction this is a linear complementarity problem on the accelerations and, at their
//! zeros, on their derivatives.

use super::load_harmonics::Side;
use super::prepared::{Basis, Prepared, sparse_dot};
use super::segment::{PolylineMode, Segment};

/// Orders that are asked before a direction counts as none.
const ORDERS: usize = 4;

enum Wrong {
    /// The contact cannot hold: it leaves at this end.
    Exceeds(Side),
    /// It would slide into the corner that it starts from.
    TurnsBack,
    /// It yields, but need not.
    Unloads,
}

/// Settles the modes of `patch`, whose time, state and trial modes are set. `Err` names contacts that keep
/// changing.
pub(super) fn settle(body: &Prepared, patch: &mut Segment) -> Result<(), Vec<usize>> {
    let m = body.contacts.len();
    let limit = 20 + 6 * m;
    let mut changed = Vec::new();
    // late rounds take the first fault, not the worst: that rule cannot cycle if static and kinetic friction
    // agree
    while let Some((i, wrong)) = trial(body, patch, changed.len() > limit / 2) {
        if changed.len() == limit {
            changed.sort_unstable();
            changed.dedup();
            return Err(changed);
        }
        changed.push(i);
        change(body, patch, i, wrong);
    }
    // a contact that was let go may be able to rest after those that were let go later, with those that it
    // then keeps in place
    for &i in changed.iter().take(changed.len().saturating_sub(1)) {
        let Some(corner) = corner_left(body, patch, i) else { continue };
        let before = patch.clone();
        rest(patch, i, corner);
        let kept = resting(body, patch, None);
        for &j in &changed {
            if let Some(corner) = corner_left(body, patch, j)
                && !kept.clone().add(&body.delassus, j)
            {
                rest(patch, j, corner);
            }
        }
        if trial(body, patch, true).is_some() {
            patch.clone_from(&before);
        }
    }
    Ok(())
}

/// The jump that contact `i` starts to slide from, if it does.
fn corner_left(body: &Prepared, patch: &Segment, i: usize) -> Option<usize> {
    let PolylineMode::Slide { piece } = patch.mode[i] else { return None };
    let corner = if patch.at[i]? == Side::Low { piece - 1 } else { piece };
    body.contacts[i].line.corners[corner].is_jump().then_some(corner)
}

fn rest(patch: &mut Segment, i: usize, corner: usize) {
    patch.mode[i] = PolylineMode::Rest { corner, yields: None };
    patch.at[i] = None;
}

/// The directions of the contacts that rest without yielding, all but `one`.
fn resting(body: &Prepared, patch: &Segment, one: Option<usize>) -> Basis {
    let mut basis = patch.basis.clone();
    basis.clear();
    for j in 0..body.contacts.len() {
        if Some(j) != one && matches!(patch.mode[j], PolylineMode::Rest { yields: None, .. }) {
            basis.add(&body.delassus, j);
        }
    }
    basis
}

/// The series that follows from the modes, and a contact in a wrong mode, if there is one.
fn trial(body: &Prepared, patch: &mut Segment, first: bool) -> Option<(usize, Wrong)> {
    patch.constrain(body);
    patch.begin(body, 0.0);
    patch.extend(body, ORDERS);
    fault(body, patch, first)
}

/// The worst contact in a wrong mode, or the first. Notes on the way at which end the others start.
fn fault(body: &Prepared, patch: &mut Segment, first: bool) -> Option<(usize, Wrong)> {
    let m = body.contacts.len();
    let mut worst: Option<([f64; 2], usize, Wrong)> = None;
    for i in 0..m {
        let contact = &body.contacts[i];
        let found = match patch.mode[i] {
            PolylineMode::Rest { corner, yields } => {
                let corner = contact.line.corners[corner];
                let (force, noise) = (patch.force[i], patch.force_noise[i]);
                let lead = (1..ORDERS).find(|j| patch.force[j * m + i].abs() > noise).unwrap_or(0);
                patch.at[i] = None;
                let mut found = None;
                for (side, room) in [(Side::High, corner.high - force), (Side::Low, force - corner.low)] {
                    // how the room changes where it is none
                    let sign = if side == Side::High { -1.0 } else { 1.0 };
                    let change = if lead > 0 { sign * patch.force[lead * m + i] } else { 0.0 };
                    // how fast the contact would leave its limit, as the acceleration over the root of its
                    // mobility
                    let excess = -room * body.delassus.at(i, i).sqrt();
                    if yields == Some(side) {
                        if room > noise || (room >= -noise && change > 0.0) {
                            found = Some(([0.0; 2], Wrong::Unloads));
                        } else if room >= -noise {
                            (patch.at[i], patch.lead[i]) = (Some(side), lead);
                        }
                    } else if yields.is_none() && room < -noise {
                        found = Some(([3.0, excess], Wrong::Exceeds(side)));
                    } else if yields.is_none() && room <= noise {
                        if change < 0.0 {
                            found = Some(([2.0, 0.0], Wrong::Exceeds(side)));
                        } else {
                            (patch.at[i], patch.lead[i]) = (Some(side), lead);
                        }
                    }
                }
                found
            }
            PolylineMode::Slide { .. } => {
                let Some(side) = patch.at[i] else { continue };
                let sign = if side == Side::High { -1.0 } else { 1.0 };
                let noise = patch.sliding_noise[i];
                let order = |j: usize| sign * sparse_dot(&contact.direction, &patch.v[j * body.n..]);
                let lead = (1..=ORDERS).find(|&j| order(j).abs() > noise).unwrap_or(0);
                let turns_back = if lead > 0 {
                    order(lead) < 0.0
                } else {
                    // it does not slide at all if resting contacts hold it in place
                    !patch.basis.clone().add(&body.delassus, i)
                };
                patch.lead[i] = lead;
                turns_back.then_some(([1.0, 0.0], Wrong::TurnsBack))
            }
        };
        if let Some((weight, wrong)) = found {
            if first {
                return Some((i, wrong));
            }
            if worst.as_ref().is_none_or(|worst| weight > worst.0) {
                worst = Some((weight, i, wrong));
            }
        }
    }
    worst.map(|(_, i, wrong)| (i, wrong))
}

fn change(body: &Prepared, patch: &mut Segment, i: usize, wrong: Wrong) {
    let corners = &body.contacts[i].line.corners;
    match (patch.mode[i], wrong) {
        (PolylineMode::Rest { corner, .. }, Wrong::Exceeds(side)) => {
            // does it stay in place without its own force?
            let mut others = resting(body, patch, Some(i));
            if others.add(&body.delassus, i) {
                leave(patch, i, corner, side);
            } else {
                patch.mode[i] = PolylineMode::Rest { corner, yields: Some(side) };
            }
        }
        (PolylineMode::Rest { corner, .. }, Wrong::Unloads) => {
            patch.mode[i] = PolylineMode::Rest { corner, yields: None }
        }
        (PolylineMode::Slide { piece }, Wrong::TurnsBack) => {
            let (corner, side) = match patch.at[i] {
                Some(Side::High) => (piece, Side::High),
                _ => (piece - 1, Side::Low),
            };
            if corners[corner].is_jump() {
                rest(patch, i, corner);
            } else {
                // a kink is crossed
                leave(patch, i, corner, side);
            }
        }
        _ => {}
    }
}

/// Contact `i` leaves a corner: above it if `side` is `High`.
pub(super) fn leave(patch: &mut Segment, i: usize, corner: usize, side: Side) {
    let (piece, at) = if side == Side::High { (corner + 1, Side::Low) } else { (corner, Side::High) };
    patch.mode[i] = PolylineMode::Slide { piece };
    patch.at[i] = Some(at);
}
