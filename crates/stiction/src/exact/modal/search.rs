//! The search for the first event.

use super::super::oscillator::Bounds;
use super::super::root_isolation::{Guard, RootSearch, Stalled};
use super::super::taylor::Stretch;
use super::super::taylor::{Model, sparse_dot};
use super::natural::Modes;
use super::snapshot::PhaseQuantity;
use super::{Modal, Phase};
use crate::contact::{ContactMode, Side};

/// Rounding of a sum of terms, in units of their sizes.
const NOISE: f64 = 16.0 * f64::EPSILON;
/// Fast terms are taken off a guard as a whole up to this part of its value.
const SILENT: f64 = 0.25;
/// Rounding of the angle of a wave, in units of the last place of the angle.
const ANGLE_NOISE: f64 = 0.125;

impl Modal {
    /// The first event of the current phase up to τ = `end`: its time, contact and side.
    pub fn search(
        &mut self,
        model: &Model,
        stretch: &Stretch,
        end: f64,
    ) -> Result<Option<(f64, usize, Side)>, Stalled> {
        if let Some(found) = self.phase.found {
            return Ok(Some(found).filter(|found| found.0 <= end));
        }
        let Some(modes) = self.phase.modes.clone() else { return Ok(None) };
        let mut march = RootSearch::default();
        while self.phase.searched < end {
            let tau = self.phase.searched;
            self.look.take(&modes.terms, &self.phase.amplitudes, tau);
            #[cfg(test)]
            (self.n_looks += 1);
            if !self.look.is_finite() {
                return Ok(None);
            }
            let mut step = f64::INFINITY;
            for i in 0..model.contacts.len() {
                for side in [Side::Low, Side::High] {
                    let Some(limit) = limit(model, stretch, i, side) else { continue };
                    match self.guarded(&modes, model, stretch, i, side, limit) {
                        Ok(safe) => step = step.min(safe),
                        Err(arrival) => {
                            let event = (tau + arrival).max(0.0);
                            // another contact may be before it
                            if self.phase.found.is_none_or(|found| event < found.0) {
                                self.phase.found = Some((event, i, side));
                            }
                        }
                    }
                }
            }
            if let Some(found) = self.phase.found {
                return Ok(Some(found).filter(|found| found.0 <= end));
            }
            self.phase.searched = march.after(tau, step)?;
        }
        Ok(None)
    }

    /// A step in which contact `i` does not reach its limit, or the time to when it does.
    fn guarded(
        &mut self,
        modes: &Modes,
        model: &Model,
        stretch: &Stretch,
        i: usize,
        side: Side,
        limit: f64,
    ) -> Result<f64, f64> {
        let sign = if side == Side::High { -1.0 } else { 1.0 };
        let rests = stretch.sticks(i);
        let tau = self.phase.searched;
        let quantity = self.phase.guarded(modes, i);
        let (whole, split) = self.guards(modes, &quantity, sign, limit);
        let Some(mut guard) = whole else { return Ok(f64::INFINITY) };
        if rests {
            // what settles the modes knows the force to its own rounding, and must see the limit reached
            guard.noise = guard.noise.max(0.25 * stretch.rounding.force[i]);
        }
        if self.phase.open[i] == Some(side) {
            if tau == 0.0 {
                clear_before(&mut guard, model, stretch, i, sign);
                return Ok(guard.first_step().unwrap_or_else(|| guard.blind_step()));
            }
            if guard.g[0].abs() <= 2.0 * guard.noise {
                return Ok(guard.blind_step().max(f64::EPSILON * tau));
            }
            self.phase.open[i] = None;
        }
        if rests
            && guard.has_come()
            && let Some(past) = guard.passes()
        {
            // the crest reaches the limit and no more: that is held
            return Ok(past);
        }
        if let Some(arrival) = guard.arrival() {
            return Err(arrival);
        }
        let step = guard.safe_step();
        Ok(split.map_or(step, |split| step.max(split.safe_step())))
    }

    /// The guard of `sign · (quantity − limit) > 0`, and the same with silent fast terms taken off as a whole.
    fn guards(
        &self,
        modes: &Modes,
        quantity: &PhaseQuantity,
        sign: f64,
        limit: f64,
    ) -> (Option<Guard>, Option<Guard>) {
        let (look, n) = (&self.look, quantity.n_terms());
        let guard = |n: usize, off: f64, noise: f64| {
            let [g, g1, g2, g3] = [0, 1, 2, 3].map(|k| sign * quantity.slow(look, k, n));
            let [third, fourth] = [3, 4].map(|k| quantity.bound(&look.sizes, k, 0..n));
            let bounds = Bounds { third, fourth, reach: f64::INFINITY };
            Guard::new([g - sign * limit - off, g1, g2, g3], bounds, noise)
        };
        let mut size = quantity.polynomial_size(look.tau) + limit.abs();
        let t = self.phase.start.t.abs() + look.tau;
        for (k, (term, load)) in look.sizes.row(quantity.order).iter().zip(&modes.terms.loads).enumerate() {
            let turned = if load.is_some() { 1.0 + ANGLE_NOISE * modes.terms.moduli[k] * t } else { 1.0 };
            size += quantity.factor(k) * term * turned;
        }
        let noise = NOISE * size;
        let whole = guard(n, 0.0, noise);
        if whole.size == 0.0 && whole.g[1] == 0.0 && whole.g[2] == 0.0 {
            return (None, None);
        }
        // fast terms, as many as are silent
        let (mut off, mut n_slow) = (0.0, n);
        for (k, term) in look.sizes.row(quantity.order).iter().enumerate().skip(modes.terms.n_braked).rev() {
            let more = quantity.factor(k) * term;
            if off + more > SILENT * whole.g[0] {
                break;
            }
            (off, n_slow) = (off + more, k);
        }
        let split = (n_slow < n).then(|| guard(n_slow, off, noise));
        (Some(whole), split)
    }
}

impl Phase {
    /// The sliding velocity of contact `i`, or its force if it rests.
    fn guarded<'a>(&self, modes: &'a Modes, i: usize) -> PhaseQuantity<'a> {
        match modes.members.iter().position(|&member| member == i) {
            Some(a) => self.held(modes, a),
            None => self.sliding(modes, i),
        }
    }
}

/// The value that contact `i` must not pass: a velocity if it slides, a force if it rests.
fn limit(model: &Model, stretch: &Stretch, i: usize, side: Side) -> Option<f64> {
    let line = &model.contacts[i].line;
    match (stretch.regime.contacts[i], side) {
        (ContactMode::Slip { piece }, Side::Low) => Some(line.corners[piece.checked_sub(1)?].v),
        (ContactMode::Slip { piece }, Side::High) => line.corners.get(piece).map(|corner| corner.v),
        (ContactMode::Stick { corner, .. }, Side::Low) => Some(line.corners[corner].low),
        (ContactMode::Stick { corner, .. }, Side::High) => Some(line.corners[corner].high),
        (ContactMode::Open, _) => None,
    }
}

/// A contact that starts at its limit leaves it by the first order of its series that is not rounding.
fn clear_before(guard: &mut Guard, model: &Model, stretch: &Stretch, i: usize, sign: f64) {
    let (n, m, lead) = (model.n, model.contacts.len(), stretch.lead[i]);
    let cleared = if lead == 0 { 3 } else { lead.min(3) };
    guard.g[..cleared].fill(0.0);
    if let 1..=2 = lead {
        let coefficient = match stretch.regime.contacts[i] {
            ContactMode::Slip { .. } => {
                sparse_dot(&model.contacts[i].direction, &stretch.series.v[lead * n..])
            }
            ContactMode::Stick { .. } | ContactMode::Open => stretch.series.force[lead * m + i],
        };
        let factorial = lead as f64;
        guard.g[lead] = sign * coefficient * factorial / stretch.length.powi(lead as i32);
    }
}
