//! Modes of contacts, sliders and stops after an event.
//!
//! Every guard must be positive, or zero and about to grow: the sign of its first Taylor coefficient that is
//! not rounding says which. One that is wrong changes a mode, the worst first, until all are right.

use super::super::load_harmonics::Side;
use super::model::{GuardKind, GuardRow, Model, SliderMode, UnilateralMode};
use super::{BOUNCE, Stretch};
use crate::contact::StopMode;
use crate::math::dense::dot;

/// Orders that are asked before a guard counts as staying at zero.
const ORDERS: usize = 6;
/// Rounding of a row in units of its terms; events before it were located to a few of these.
const NOISE: f64 = 512.0 * f64::EPSILON;
/// Times that, one after the other, where no choice of modes is consistent: what decides is rounding then.
const COARSER: [f64; 4] = [1.0, 16.0, 256.0, 4096.0];

/// Impacts during the selection.
#[derive(Default)]
pub(super) struct Settled {
    /// Stops that were hit; with the time that the remaining bounces take if the stop then holds (s).
    pub impacts: Vec<(usize, Option<f64>)>,
    /// Energy lost in the impacts (J).
    pub loss: f64,
}

/// Settles the modes of a stretch whose start, state and old modes are set. `Err` names contacts that keep
/// changing.
pub(super) fn settle(model: &Model, next: &mut Stretch, fired: &[GuardKind]) -> Result<Settled, Vec<usize>> {
    let d = model.layout.len();
    let before = (next.modes.clone(), next.z[..d].to_vec());
    let mut failed = Vec::new();
    for coarser in COARSER {
        next.noise = coarser * NOISE;
        match settle_once(model, next, fired) {
            Err(contacts) => failed = contacts,
            settled => return settled,
        }
        next.modes.copy_from(&before.0);
        next.z[..d].copy_from_slice(&before.1);
    }
    Err(failed)
}

fn settle_once(model: &Model, next: &mut Stretch, fired: &[GuardKind]) -> Result<Settled, Vec<usize>> {
    let mut settled = Settled::default();
    refresh(model, next);
    place(model, next, fired.is_empty());
    // what the guards that have come say is tried first; after an impact the velocities say more
    let hits: Vec<GuardKind> =
        fired.iter().copied().filter(|kind| matches!(kind, GuardKind::Hits { .. })).collect();
    for kind in if hits.is_empty() { fired } else { &hits[..] } {
        change(model, next, *kind, &mut settled);
    }
    if !settled.impacts.is_empty() {
        refresh(model, next);
        place(model, next, false);
    }
    let limit = 20
        + 6 * (model.m()
            + model.sliders.len()
            + model.stops.len()
            + model.elastic.len()
            + model.thresholds.len());
    let mut changed: Vec<GuardKind> = Vec::new();
    loop {
        while let Some(wrong) = trial(model, next, changed.len() > limit / 2) {
            if changed.len() >= limit {
                return Err(contacts(model, &changed));
            }
            changed.push(wrong);
            let n_impacts = settled.impacts.len();
            change(model, next, wrong, &mut settled);
            if settled.impacts.len() > n_impacts {
                refresh(model, next);
                place(model, next, false);
            }
        }
        if !hold_bounces(model, next, &mut settled) {
            break;
        }
    }
    rest_again(model, next, &changed);
    Ok(settled)
}

fn contacts(model: &Model, changed: &[GuardKind]) -> Vec<usize> {
    let mut contacts: Vec<usize> = (changed.iter())
        .filter_map(|kind| match *kind {
            GuardKind::Corner { contact, .. }
            | GuardKind::Limit { contact, .. }
            | GuardKind::Opens { contact }
            | GuardKind::Lands { contact } => Some(contact),
            GuardKind::Yields { slider, .. } | GuardKind::Catches { slider } => {
                Some(model.sliders[slider].contact)
            }
            _ => None,
        })
        .collect();
    contacts.sort_unstable();
    contacts.dedup();
    contacts
}

/// The regime of the present modes.
fn refresh(model: &Model, next: &mut Stretch) {
    let Stretch { start, modes, basis, regime, .. } = next;
    model.regime(start.t, modes, basis, regime);
    next.begin(model, 0.0);
}

/// Value of a row at the start, and its rounding: that of its terms, and of what moves them within the
/// stretch. Below the least normal number nothing can be distinguished: a mass that leaves a stop at zero may
/// stand 5e-324 m beyond it.
fn measured(row: &[f64], next: &Stretch) -> [f64; 2] {
    let sizes = |row: &[f64]| row.iter().zip(&next.z).map(|(a, z)| (a * z).abs()).sum::<f64>();
    let mut size = sizes(row);
    for (k, a) in row.iter().enumerate().filter(|(_, a)| **a != 0.0) {
        size += next.length * a.abs() * sizes(next.regime.matrix.row(k));
    }
    [dot(row, &next.z[..row.len()]), next.noise * size + f64::MIN_POSITIVE]
}

/// The same of a guard, with the rounding of the constants that have cancelled in it.
pub(super) fn measured_guard(guard: &GuardRow, next: &Stretch) -> [f64; 2] {
    let [g, noise] = measured(&guard.row, next);
    let [size, rate] = guard.sizes;
    [g, noise + next.noise * (size + rate * next.length)]
}

/// Rounding of the derivatives of a row, in units of the series: that of the accelerations in it, whose terms
/// cancel where a load lets go of a stop, and of the resulting velocities. The position itself, and its
/// velocity, may be zero there to the last bit.
fn derivative_noise(row: &[f64], model: &Model, next: &Stretch) -> f64 {
    let (n, h) = (model.layout.n, next.length);
    let of = |k: usize| {
        let size = row[n + k].abs() + h * row[k].abs();
        if size == 0.0 {
            return 0.0;
        }
        h * size * (measured(&next.regime.terms[k], next)[1] + next.noise * next.regime.constants[k])
    };
    (0..n).map(of).sum()
}

/// Contacts whose velocity is not where their mode says, after a jump of velocities or belts, slide where
/// they are; those that have no mode yet get one.
fn place(model: &Model, next: &mut Stretch, is_first: bool) {
    for k in 0..if is_first { model.elastic.len() } else { 0 } {
        let [depth, force] = model.elastic_rows(&model.elastic[k]).map(|row| measured(&row, next));
        if depth[0] > depth[1] {
            next.modes.stop_modes[k] = if force[0] > 0.0 { StopMode::Closed } else { StopMode::Slack };
        }
    }
    for k in 0..if is_first { model.thresholds.len() } else { 0 } {
        let mut row = Vec::new();
        model.set_threshold_row(k, next.start.t, &mut row);
        let [excess, noise] = measured(&row, next);
        next.modes.beyond[k] = excess > noise;
    }
    for i in 0..model.m() {
        let [v, noise] = measured(&next.regime.sliding[i], next);
        let line = model.line(i);
        // the velocity of what rests is the rounding of what its reaction takes away, however small its own
        // terms are
        let held = || {
            let force = next.regime.force[i].iter().zip(&next.z).map(|(a, z)| (a * z).abs()).sum::<f64>();
            next.noise * next.length * model.contact_compliance(i) * force
        };
        let is_at = |corner: usize| (v - line.corners[corner].v).abs() <= noise + held();
        match next.modes.contact_modes[i] {
            UnilateralMode::Open if is_first => {
                let [normal, noise] = measured(&next.regime.normal[i], next);
                if normal > noise {
                    next.modes.contact_modes[i] = placed(model, i, v, noise);
                }
            }
            UnilateralMode::Open => {}
            UnilateralMode::Rest { corner } if is_at(corner) => {}
            UnilateralMode::Rest { .. } => next.modes.contact_modes[i] = placed(model, i, v, noise),
            UnilateralMode::Slide { piece } => {
                let is_above = piece.checked_sub(1).is_none_or(|c| v >= line.corners[c].v - noise);
                let is_below = line.corners.get(piece).is_none_or(|c| v <= c.v + noise);
                if !(is_above && is_below) {
                    next.modes.contact_modes[i] = placed(model, i, v, noise);
                }
            }
        }
    }
}

/// The mode of a loaded contact that slides at `v`.
fn placed(model: &Model, i: usize, v: f64, noise: f64) -> UnilateralMode {
    let line = model.line(i);
    if let Some(corner) = line.corners.iter().position(|corner| (v - corner.v).abs() <= noise)
        && line.corners[corner].is_jump()
    {
        return UnilateralMode::Rest { corner };
    }
    match line.place(v) {
        Ok(corner) => UnilateralMode::Slide { piece: corner + 1 },
        Err(piece) => UnilateralMode::Slide { piece },
    }
}

/// The worst guard that is wrong under the present modes, or the first. Notes the leads of the others.
fn trial(model: &Model, next: &mut Stretch, first: bool) -> Option<GuardKind> {
    refresh(model, next);
    let Stretch { regime, modes, basis, z, .. } = next;
    model.project(regime, &modes.contact_modes, basis, z);
    next.extend(ORDERS);
    let d = model.layout.len();
    let mut worst: Option<(f64, GuardKind)> = None;
    next.leads.clear();
    for guard in &next.regime.guards {
        let z = |j: usize| &next.z[j * d..(j + 1) * d];
        let [g, mut noise] = measured_guard(guard, next);
        if let GuardKind::Yields { slider, .. } = guard.kind {
            // a spring moves with a velocity whose rounding is that of what moves it
            let sliding = &next.regime.sliding[model.sliders[slider].contact];
            noise += next.length * measured(sliding, next)[1];
        }
        let weight =
            if g < -noise {
                next.leads.push(Some(0));
                1.0 - g / (noise / next.noise)
            } else if g <= noise {
                let rounding = noise.max(derivative_noise(&guard.row, model, next));
                let lead = (1..=ORDERS).find(|&j| dot(&guard.row, z(j)).abs() > rounding);
                next.leads.push(lead);
                match lead {
                    Some(j) if dot(&guard.row, z(j)) < 0.0 => {
                        if matches!(guard.kind, GuardKind::Corner { .. }) { 0.2 } else { 0.5 }
                    }
                    // what does not move at all rests
                    None if can_rest(model, &next.modes.contact_modes, guard.kind) => 0.1,
                    _ => continue,
                }
            } else {
                next.leads.push(Some(0));
                continue;
            };
        if first {
            return Some(guard.kind);
        }
        if worst.as_ref().is_none_or(|worst| weight > worst.0) {
            worst = Some((weight, guard.kind));
        }
    }
    worst.map(|worst| worst.1).or_else(|| left_behind(model, next))
}

/// A contact that would rest, but whose velocity others hold, a stop above all, while its belt moves on: it
/// slides to that side.
fn left_behind(model: &Model, next: &Stretch) -> Option<GuardKind> {
    let d = model.layout.len();
    (0..model.m()).find_map(|contact| {
        let is_held = next.basis.members.contains(&(model.stops.len() + contact));
        if is_held || !matches!(next.modes.contact_modes[contact], UnilateralMode::Rest { .. }) {
            return None;
        }
        let row = &next.regime.sliding[contact];
        let [_, noise] = measured(row, next);
        let lead = (1..=ORDERS).map(|j| dot(row, &next.z[j * d..(j + 1) * d])).find(|c| c.abs() > noise)?;
        Some(GuardKind::Limit { contact, side: if lead > 0.0 { Side::High } else { Side::Low } })
    })
}

/// Whether what reaches this guard can stay there.
fn can_rest(model: &Model, contact_modes: &[UnilateralMode], kind: GuardKind) -> bool {
    match kind {
        GuardKind::Corner { contact, side } => {
            let UnilateralMode::Slide { piece } = contact_modes[contact] else { return false };
            corner_of(piece, side)
                .and_then(|c| model.line(contact).corners.get(c))
                .is_some_and(|c| c.is_jump())
        }
        _ => false,
    }
}

/// The corner at an end of a piece.
fn corner_of(piece: usize, side: Side) -> Option<usize> {
    if side == Side::High { Some(piece) } else { piece.checked_sub(1) }
}

/// The change of mode that a guard asks for.
fn change(model: &Model, next: &mut Stretch, kind: GuardKind, settled: &mut Settled) {
    match kind {
        GuardKind::Corner { contact, side } => {
            let UnilateralMode::Slide { piece } = next.modes.contact_modes[contact] else { return };
            // a jump of velocities or belts may have put it on another piece, which does not end there
            let corners = &model.line(contact).corners;
            let Some(corner) = corner_of(piece, side).filter(|corner| *corner < corners.len()) else {
                return;
            };
            let is_jump = corners[corner].is_jump();
            let beyond = if side == Side::High { corner + 1 } else { corner };
            next.modes.contact_modes[contact] = if is_jump {
                UnilateralMode::Rest { corner }
            } else {
                UnilateralMode::Slide { piece: beyond }
            };
        }
        GuardKind::Limit { contact, side } => {
            let UnilateralMode::Rest { corner } = next.modes.contact_modes[contact] else { return };
            next.modes.contact_modes[contact] =
                UnilateralMode::Slide { piece: if side == Side::High { corner + 1 } else { corner } };
        }
        GuardKind::Opens { contact } => next.modes.contact_modes[contact] = UnilateralMode::Open,
        GuardKind::Lands { contact } => {
            let [v, noise] = measured(&next.regime.sliding[contact], next);
            next.modes.contact_modes[contact] = placed(model, contact, v, noise);
        }
        GuardKind::Yields { slider, side } => {
            next.modes.slider_modes[slider] = SliderMode::Slip(side);
            let slider = &model.sliders[slider];
            let [below, above] = slider.reach;
            next.z[slider.place] = if side == Side::High { above } else { -below };
        }
        GuardKind::Catches { slider } => next.modes.slider_modes[slider] = SliderMode::Stick,
        GuardKind::Hits { stop } => hit(model, next, stop, settled),
        GuardKind::Releases { stop } => next.modes.holds[stop] = false,
        GuardKind::Crosses { threshold, upwards } => next.modes.beyond[threshold] = upwards,
        GuardKind::Presses { stop } => next.modes.stop_modes[stop] = StopMode::Closed,
        GuardKind::Leaves { stop } => next.modes.stop_modes[stop] = StopMode::Free,
        GuardKind::Slackens { stop } => {
            let [depth, _] = model.elastic_rows(&model.elastic[stop]);
            let [depth, noise] = measured(&depth, next);
            next.modes.stop_modes[stop] = if depth > noise { StopMode::Slack } else { StopMode::Free };
        }
    }
}

/// A stop is reached: the velocity turns round, or is held if it is rounding.
fn hit(model: &Model, next: &mut Stretch, stop: usize, settled: &mut Settled) {
    let n = model.layout.n;
    let wall = &model.stops[stop];
    let mut row = vec![0.0; model.layout.len()];
    row[n..2 * n].copy_from_slice(&wall.direction);
    let [speed, noise] = measured(&row, next);
    // exactly on the stop: a position beyond it by the rounding of the way there would hit it again at once
    let off = (dot(&wall.direction, &next.z[..n]) - wall.position) / model.stop_compliance(stop);
    let (q, v) = next.z[..2 * n].split_at_mut(n);
    q.iter_mut().zip(model.stop_mobility(stop)).for_each(|(q, mobility)| *q -= off * mobility);
    if speed <= noise {
        next.modes.holds[stop] = true;
        return;
    }
    let e = wall.restitution;
    let impulse = (1.0 + e) * speed / model.stop_compliance(stop);
    v.iter_mut().zip(model.stop_mobility(stop)).for_each(|(v, mobility)| *v -= impulse * mobility);
    settled.loss += 0.5 * (1.0 - e * e) * speed * speed / model.stop_compliance(stop);
    settled.impacts.push((stop, None));
}

/// Stops off which the system would bounce again and again in no time hold. Returns whether one does.
fn hold_bounces(model: &Model, next: &mut Stretch, settled: &mut Settled) -> bool {
    let (n, d) = (model.layout.n, model.layout.len());
    for k in 0..settled.impacts.len() {
        let (stop, None) = settled.impacts[k] else { continue };
        let wall = &model.stops[stop];
        let speed = -dot(&wall.direction, &next.z[n..2 * n]);
        let pressed: f64 = wall
            .direction
            .iter()
            .enumerate()
            .map(|(i, w)| w * dot(next.regime.matrix.row(n + i), &next.z[..d]))
            .sum();
        if next.modes.holds[stop] || !(pressed > 0.0) || wall.restitution >= 1.0 {
            continue;
        }
        let left = 2.0 * speed / (pressed * (1.0 - wall.restitution));
        let scale = next.start.t.abs().min(1.0 / next.regime.rate);
        if !(left < BOUNCE * scale) {
            continue;
        }
        // what is left of the speed goes with the bounces
        settled.loss += 0.5 * speed * speed / model.stop_compliance(stop);
        settled.impacts[k].1 = Some(left);
        next.modes.holds[stop] = true;
        return true;
    }
    false
}

/// A contact that was let go may be able to rest after those that were let go later.
fn rest_again(model: &Model, next: &mut Stretch, changed: &[GuardKind]) {
    let Some((_, earlier)) = changed.split_last() else { return };
    for kind in earlier {
        let GuardKind::Limit { contact, .. } = *kind else { continue };
        let UnilateralMode::Slide { .. } = next.modes.contact_modes[contact] else { continue };
        let [v, noise] = measured(&next.regime.sliding[contact], next);
        let UnilateralMode::Rest { corner } = placed(model, contact, v, noise) else { continue };
        let before = next.clone();
        next.modes.contact_modes[contact] = UnilateralMode::Rest { corner };
        if trial(model, next, true).is_some() {
            next.clone_from(&before);
        }
    }
}
