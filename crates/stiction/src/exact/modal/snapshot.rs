//! The search for the first event: all modes at one instant, and the guards that are sums over them.

use super::super::forced::Jet;
use super::super::oscillator::Bounds;
use super::super::root_isolation::{Guard, RootSearch, Stalled};
use super::super::taylor::Stretch;
use super::super::taylor::{Model, sparse_dot};
use super::modes::{ModalRow, Modes};
use super::{Modal, Phase};
use crate::contact::{ContactMode, Side};
use crate::math::complex::Complex;

/// Rounding of a sum over modes, in units of its terms.
const NOISE: f64 = 16.0 * f64::EPSILON;
/// The free motion of fast modes is taken off a guard as a whole up to this part of its value.
const SILENT: f64 = 0.25;

/// All modes at one instant.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    pub jets: Vec<Jet>,
    /// η, η̇ and its derivatives up to the third.
    pub whole: Vec<[f64; 5]>,
    /// The part that is not a steady wave.
    free: Vec<[f64; 5]>,
    /// Bounds on the derivatives of displacement and velocity of the free part.
    bounds: Vec<[Bounds; 2]>,
    sizes: Vec<Option<[f64; 3]>>,
    /// Sine and cosine of the loads' angles.
    pub waves: Vec<[f64; 2]>,
}

/// A sum over modes whose guard is asked for.
struct Sum<'a> {
    /// The part without modes and its derivatives.
    plain: [f64; 4],
    third: f64,
    fourth: f64,
    /// Size of the terms, for the rounding.
    size: f64,
    row: ModalRow<'a>,
}

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
            self.look_at(&modes, model, tau);
            #[cfg(test)]
            (self.n_looks += 1);
            if self.look.whole[..modes.n_modes].iter().flatten().any(|x| !x.is_finite()) {
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

    /// Takes the modes to τ, with their bounds.
    fn look_at(&mut self, modes: &Modes, model: &Model, tau: f64) {
        let (phase, look) = (&mut self.phase, &mut self.look);
        for j in 0..modes.n_modes {
            let (oscillator, jet) = (&modes.oscillators[j], &mut phase.jets[j]);
            if tau > jet.tau {
                oscillator.advance(&phase.amplitudes[j], tau - jet.tau, jet);
            }
        }
        look.waves_at(model, &phase.angles, tau);
        for j in 0..modes.n_modes {
            let (oscillator, jet) = (&modes.oscillators[j], &phase.jets[j]);
            look.whole[j] = phase.whole(modes, &look.waves, j, jet);
            look.free[j] = oscillator.free_jet(jet);
            look.bounds[j] = oscillator.free_bounds(look.free[j]);
            look.sizes[j] = oscillator.free_sizes(jet);
        }
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
        let rests = matches!(stretch.mode[i], ContactMode::Stick { .. });
        let tau = self.phase.searched;
        let sum = self.sum(modes, model, i);
        let (whole, split) = self.look.guards(modes, &sum, sign, limit);
        let Some(mut guard) = whole else { return Ok(f64::INFINITY) };
        if rests {
            // what settles the modes knows the force to its own rounding, and must see the limit reached
            guard.noise = guard.noise.max(0.25 * stretch.force_noise[i]);
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

    /// The sliding velocity of contact `i`, or its force if it rests, as a sum over modes.
    fn sum<'a>(&self, modes: &'a Modes, model: &Model, i: usize) -> Sum<'a> {
        let phase = &self.phase;
        let Some(a) = modes.members.iter().position(|&member| member == i) else {
            let contact = &model.contacts[i];
            let plain = sparse_dot(&contact.direction, &phase.u_c) - contact.belt;
            let mut sum = Sum {
                plain: [plain, 0.0, 0.0, 0.0],
                third: 0.0,
                fourth: 0.0,
                size: plain.abs() + contact.belt.abs(),
                row: modes.sliding(i),
            };
            self.add_waves(model, modes.sliding_waves(i), &mut sum);
            return sum;
        };
        self.held_sum(modes, model, a, phase.searched)
    }

    /// The force of a resting contact at τ, the instant of the last look, as a sum over modes.
    fn held_sum<'a>(&self, modes: &'a Modes, model: &Model, a: usize, tau: f64) -> Sum<'a> {
        let phase = &self.phase;
        let mut sum = Sum {
            plain: [phase.base[a] + phase.force_ramp[a] * tau, phase.force_ramp[a], 0.0, 0.0],
            third: 0.0,
            fourth: 0.0,
            size: phase.force_size[a] + (phase.force_ramp[a] * tau).abs(),
            row: modes.held.row(a),
        };
        self.add_waves(model, &modes.held_waves[a], &mut sum);
        sum
    }

    /// Adds steady waves at the instant of the last look to a sum.
    fn add_waves(&self, model: &Model, waves: &[Complex], sum: &mut Sum) {
        let wave = self.look.wave(model, waves);
        sum.plain.iter_mut().zip(wave).for_each(|(plain, wave)| *plain += wave);
        let t = self.phase.start.t.abs() + self.phase.searched;
        for (wave, (omega, ..)) in waves.iter().zip(&model.harmonics) {
            let (size, square) = (wave.modulus(), omega * omega);
            sum.size += size * (1.0 + 0.125 * omega * t);
            sum.third += size * square * omega;
            sum.fourth += size * square * square;
        }
    }
}

impl Snapshot {
    pub fn new(n: usize, n_tones: usize) -> Self {
        let none = Bounds { third: 0.0, fourth: 0.0, reach: f64::INFINITY };
        Self {
            jets: vec![Jet::with_capacity(n_tones); n],
            whole: vec![[0.0; 5]; n],
            free: vec![[0.0; 5]; n],
            bounds: vec![[none; 2]; n],
            sizes: vec![None; n],
            waves: vec![[0.0; 2]; n_tones],
        }
    }

    /// Steady waves of given complex amplitudes at the instant of the last look, and three derivatives.
    #[inline]
    pub fn wave(&self, model: &Model, amplitudes: &[Complex]) -> [f64; 4] {
        let mut sum = [0.0; 4];
        for ((amplitude, (omega, ..)), [sine, cosine]) in
            amplitudes.iter().zip(&model.harmonics).zip(&self.waves)
        {
            let mut re = amplitude.re * cosine - amplitude.im * sine;
            let mut im = amplitude.re * sine + amplitude.im * cosine;
            for sum in &mut sum {
                *sum += re;
                (re, im) = (-omega * im, omega * re);
            }
        }
        sum
    }

    /// Sine and cosine of the loads' angles at τ.
    fn waves_at(&mut self, model: &Model, angles: &[[f64; 2]], tau: f64) {
        for ((wave, [sine, cosine]), (omega, ..)) in self.waves.iter_mut().zip(angles).zip(&model.harmonics) {
            let (s, c) = libm::sincos(omega * tau);
            *wave = [sine * c + cosine * s, cosine * c - sine * s];
        }
    }

    /// The modes of a phase at τ, without bounds.
    pub fn at(&mut self, modes: &Modes, model: &Model, phase: &Phase, tau: f64) {
        self.waves_at(model, &phase.angles, tau);
        for j in 0..modes.n_modes {
            modes.oscillators[j].jet(&phase.amplitudes[j], tau, &mut self.jets[j]);
            self.whole[j] = phase.whole(modes, &self.waves, j, &self.jets[j]);
        }
    }

    /// The guard of `sign · (sum − limit) > 0`, and the same with the free motion of silent fast modes taken
    /// off as a whole.
    fn guards(&self, modes: &Modes, sum: &Sum, sign: f64, limit: f64) -> (Option<Guard>, Option<Guard>) {
        let mixed = |[a, b]: [f64; 2], x: &[f64; 5], order: usize| a * x[order] + b * x[order + 1];
        let mut g = sum.plain;
        let mut bounds = Bounds { third: sum.third, fourth: sum.fourth, reach: f64::INFINITY };
        let mut size = sum.size + limit.abs();
        let mut is_idle = true;
        for j in 0..modes.n_modes {
            let c = sum.row.at(j);
            if c == [0.0; 2] {
                continue;
            }
            is_idle = false;
            for (order, g) in g.iter_mut().enumerate() {
                *g += mixed(c, &self.whole[j], order);
            }
            size += (c[0] * self.whole[j][0]).abs().max((c[1] * self.whole[j][1]).abs());
            self.add_bounds(modes, j, c, &mut bounds, true);
        }
        if is_idle && bounds.third == 0.0 && g[1] == 0.0 {
            return (None, None);
        }
        let noise = NOISE * size;
        let signed =
            |g: [f64; 4], off: f64| [sign * (g[0] - limit) - off, sign * g[1], sign * g[2], sign * g[3]];
        let whole = Guard::new(signed(g, 0.0), bounds, noise);
        // fast modes, as many as are silent
        let (mut off, mut slow) = (0.0, g);
        let mut first_fast = modes.n_modes;
        for j in (0..modes.n_modes).rev() {
            let (c, Some([displacement, velocity, _])) = (sum.row.at(j), self.sizes[j]) else { break };
            let more = c[0].abs() * displacement + c[1].abs() * velocity;
            if off + more > SILENT * whole.g[0] {
                break;
            }
            off += more;
            for (order, slow) in slow.iter_mut().enumerate() {
                *slow -= mixed(c, &self.free[j], order);
            }
            first_fast = j;
        }
        if first_fast == modes.n_modes {
            return (Some(whole), None);
        }
        let mut bounds = Bounds { third: sum.third, fourth: sum.fourth, reach: f64::INFINITY };
        for j in 0..modes.n_modes {
            self.add_bounds(modes, j, sum.row.at(j), &mut bounds, j < first_fast);
        }
        (Some(whole), Some(Guard::new(signed(slow, off), bounds, noise)))
    }

    fn add_bounds(&self, modes: &Modes, j: usize, c: [f64; 2], bounds: &mut Bounds, with_free: bool) {
        let steady = modes.oscillators[j].steady_bounds();
        for ((weight, free), steady) in c.iter().zip(&self.bounds[j]).zip(steady) {
            let weight = weight.abs();
            if weight == 0.0 {
                continue;
            }
            bounds.third += weight * steady[0];
            bounds.fourth += weight * steady[1];
            if with_free {
                bounds.third += weight * free.third;
                bounds.fourth += weight * free.fourth;
                bounds.reach = bounds.reach.min(free.reach);
            }
        }
    }
}

/// The value that contact `i` must not pass: a velocity if it slides, a force if it rests.
fn limit(model: &Model, stretch: &Stretch, i: usize, side: Side) -> Option<f64> {
    let line = &model.contacts[i].line;
    match (stretch.mode[i], side) {
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
        let coefficient = match stretch.mode[i] {
            ContactMode::Slip { .. } => sparse_dot(&model.contacts[i].direction, &stretch.v[lead * n..]),
            ContactMode::Stick { .. } | ContactMode::Open => stretch.force[lead * m + i],
        };
        let factorial = lead as f64;
        guard.g[lead] = sign * coefficient * factorial / stretch.length.powi(lead as i32);
    }
}
