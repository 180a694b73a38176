//! Extrema and work of a phase of one degree of freedom.
//!
//! On a straight piece the powers are `F w`, `c w²` and `Σ (fᵢ + gᵢ xᵢ) xᵢ` with the sliding velocities
//! `xᵢ = wᵢ w − beltᵢ`, so that three integrals of the velocity are all that is needed: ∫w, ∫w² and ∫F w,
//! panel by panel. None of them comes from the positions, which the balance of energy compares them with.

use super::super::characteristic::{Knot, Share};
use super::super::elementary;
use super::super::extrema::seek;
use super::super::load_harmonics::angle;
use super::super::panel::{GAUSS, PanelSeries, at_nodes, panel_length};
use super::super::taylor::ORDER;
use super::{Mode, PhaseEnd, Single};
use crate::Error;
use crate::record::{Balance, Ranges};
use crate::system::Motion;

/// Integrals over a slide.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SlideWork {
    /// ∫w (m).
    pub path: f64,
    /// ∫w² (m²/s).
    pub square: f64,
    /// ∫F w over the waves of the load (J).
    pub push: f64,
}

impl Single {
    /// Adds the work of the current phase between the times `from` and `to`, and to `ranges` its extrema:
    /// those inside, and what holds at `to`, on both sides of an event there.
    pub fn accumulate(
        &mut self,
        [from, to]: [f64; 2],
        mut ranges: Option<&mut Ranges>,
        balance: &mut Balance,
    ) -> Result<(), Error> {
        let start = self.phase.start;
        let tau = start.since(from);
        // the end of a phase is known better than its rounded time
        let end = if to == self.now.t { start.until(to) + self.now.rest } else { start.until(to) };
        match self.phase.mode {
            Mode::Slide { piece, .. } => {
                self.accumulate_slip(piece, tau, end, ranges.as_deref_mut(), balance)?;
            }
            Mode::Rest { knot, .. } => self.accumulate_stick(knot, tau, end, ranges.as_deref_mut(), balance),
        }
        let Some(ranges) = ranges else { return Ok(()) };
        let is_event = self.ended && to == self.now.t;
        if is_event && !self.is_known_before(ranges) {
            ranges.add_at(to, |t, out| self.motion_of(false, t, out));
        }
        if !is_event || !self.is_known_after(ranges) {
            ranges.add_at(to, |t, out| self.motion(t, out));
        }
        Ok(())
    }

    /// Whether what holds just before the event is nothing new. Positions and velocities go on; slopes have
    /// held all along, and so have forces without slope.
    fn is_known_before(&self, ranges: &Ranges) -> bool {
        let PhaseEnd { v, a, demand, .. } = self.end;
        match self.phase.mode {
            Mode::Slide { piece, .. } if self.q.pieces[piece].slope == 0.0 => ranges.covers(2, a),
            mode => ranges.covers(2, a) && self.has_known_forces(mode, v, demand, ranges),
        }
    }

    /// The same just after it.
    fn is_known_after(&self, ranges: &Ranges) -> bool {
        let (next, m) = (&*self.next, self.q.contacts.len());
        let (v, a, demand) = match next.mode {
            Mode::Rest { knot, .. } => (self.q.knots[knot].v, 0.0, next.demand.at_start()),
            Mode::Slide { .. } => (next.slide.v0, next.slide.a0, 0.0),
        };
        for (i, contact) in self.q.contacts.iter().enumerate() {
            let slope = match next.mode {
                Mode::Rest { knot, .. } => self.q.rest_slope(knot, i),
                Mode::Slide { piece, .. } => contact.line.pieces[self.q.own_piece(piece, i)].slope,
            };
            if !ranges.covers(3 + m + i, slope) {
                return false;
            }
        }
        ranges.covers(0, next.u0)
            && ranges.covers(1, v)
            && ranges.covers(2, a)
            && self.has_known_forces(next.mode, v, demand, ranges)
    }

    #[inline(always)]
    fn has_known_forces(&self, mode: Mode, v: f64, demand: f64, ranges: &Ranges) -> bool {
        for (i, contact) in self.q.contacts.iter().enumerate() {
            let force = match mode {
                Mode::Rest { knot, .. } => self.q.held(knot, i, demand),
                Mode::Slide { piece, .. } => contact.force(self.q.own_piece(piece, i), v),
            };
            if !ranges.covers(3 + i, force) {
                return false;
            }
        }
        true
    }

    fn accumulate_slip(
        &mut self,
        piece: usize,
        tau: f64,
        end: f64,
        mut ranges: Option<&mut Ranges>,
        balance: &mut Balance,
    ) -> Result<(), Error> {
        let mut series = [0.0; ORDER + 1];
        let mut tau = tau;
        while tau < end {
            let length = self.slide_panel(piece, tau, end, &mut series, ranges.as_deref_mut(), balance)?;
            tau += length.max(f64::EPSILON * tau);
        }
        Ok(())
    }

    /// The slide at τ into the scratch jet.
    fn look_at(&mut self, piece: usize, tau: f64) -> Result<(), Error> {
        let (phase, forced) = (&*self.phase, &self.pieces[piece]);
        if tau == 0.0 {
            forced.first(&phase.slide, &mut self.jet);
            (self.jet.w[0], self.jet.w[1]) = (phase.slide.v0, phase.slide.a0);
        } else {
            forced.jet(&phase.slide, tau, &mut self.jet);
        }
        if !(self.jet.w[0].abs() <= self.largest) {
            return Err(Error::diverged(phase.start.plus(tau).t, &[self.jet.w[0]]));
        }
        Ok(())
    }

    /// The work on a piece over `length`.
    pub(super) fn add_work(&self, piece: usize, length: f64, work: SlideWork, balance: &mut Balance) {
        let SlideWork { path, square, push, .. } = work;
        balance.work_in += push + self.constant * path;
        balance.viscous_loss += self.damping * square;
        for (i, contact) in self.q.contacts.iter().enumerate() {
            let line = contact.line.pieces[self.q.own_piece(piece, i)];
            let (w, belt) = (contact.direction, contact.belt);
            let slid = w * path - belt * length;
            let slid_square = w * w * square - belt * (2.0 * w * path - belt * length);
            balance.friction_loss += line.force * slid + line.slope * slid_square;
            balance.work_in -= belt * (line.force * length + line.slope * slid);
        }
    }

    fn slide_panel(
        &mut self,
        piece: usize,
        tau: f64,
        end: f64,
        series: &mut PanelSeries,
        ranges: Option<&mut Ranges>,
        balance: &mut Balance,
    ) -> Result<f64, Error> {
        let (length, work) = self.panel_work(piece, tau, end, series)?;
        self.add_work(piece, length, work, balance);
        if let Some(ranges) = ranges {
            self.slide_extrema(piece, tau, length, series, ranges);
        }
        Ok(length)
    }

    /// The velocity on a panel from τ on as a series, the length of the panel, and the work there.
    pub(super) fn panel_work(
        &mut self,
        piece: usize,
        tau: f64,
        end: f64,
        series: &mut PanelSeries,
    ) -> Result<(f64, SlideWork), Error> {
        self.look_at(piece, tau)?;
        let (phase, forced) = (&*self.phase, &self.pieces[piece]);
        let time = phase.start.plus(tau);
        self.angles.clear();
        self.angles.extend(self.tones.iter().map(|tone| angle(tone, time)));
        let length = panel_length(forced.rate(&self.jet), end - tau);
        forced.panel(&self.jet, &self.angles, length, series);

        let path = length * series.iter().enumerate().map(|(j, c)| c / (j + 1) as f64).sum::<f64>();
        let (mut square, mut push) = (0.0, 0.0);
        for (w, [s, weight]) in at_nodes(series, 1.0).into_iter().zip(GAUSS) {
            square += weight * w * w;
            for (tone, [sine, cosine]) in self.tones.iter().zip(&self.angles) {
                let [s, c] = elementary::sincos(tone.omega * length * s);
                push += weight * tone.size * (sine * c + cosine * s) * w;
            }
        }
        let [square, push] = [square, push].map(|sum| length * sum);
        Ok((length, SlideWork { path, square, push }))
    }

    /// Quantities: position, velocity, acceleration, the friction forces, the slopes.
    fn slide_extrema(&mut self, piece: usize, tau: f64, length: f64, w: &PanelSeries, ranges: &mut Ranges) {
        let start = self.phase.start;
        let mut shifted = [0.0; ORDER + 1];
        let [below, above] = self.q.ends(piece);
        let spread: f64 = w[1..].iter().map(|c| c.abs()).sum();
        // the position turns where the velocity vanishes
        if below < 0.0 && above > 0.0 && w[0].abs() <= spread {
            shifted[0] = self.phase.u0 + self.jet.travelled;
            for j in 0..ORDER {
                shifted[j + 1] = length * w[j] / (j + 1) as f64;
            }
            let mut at =
                |s: f64, out: &mut Motion| self.motion_of(false, start.plus(tau + s * length).t, out);
            seek(&shifted, [0.0, 1.0], ranges, 0, &mut at);
        }
        {
            let mut at =
                |s: f64, out: &mut Motion| self.motion_of(false, start.plus(tau + s * length).t, out);
            seek(w, [0.0, 1.0], ranges, 1, &mut at);
            for j in 0..ORDER {
                shifted[j] = (j + 1) as f64 * w[j + 1] / length;
            }
            shifted[ORDER] = 0.0;
            seek(&shifted, [0.0, 1.0], ranges, 2, &mut at);
        }
        for i in 0..self.q.contacts.len() {
            let contact = &self.q.contacts[i];
            let line = contact.line.pieces[self.q.own_piece(piece, i)];
            if line.slope == 0.0 {
                continue;
            }
            let gain = line.slope * contact.direction;
            for (shifted, w) in shifted.iter_mut().zip(w) {
                *shifted = gain * w;
            }
            shifted[0] += line.force - line.slope * contact.belt;
            let mut at =
                |s: f64, out: &mut Motion| self.motion_of(false, start.plus(tau + s * length).t, out);
            seek(&shifted, [0.0, 1.0], ranges, 3 + i, &mut at);
        }
    }

    /// Whether a rest does any work or can reach a new extremum.
    fn needs_rest(&self, knot: usize, ranges: Option<&Ranges>) -> bool {
        let Knot { is_carried, ref shares, .. } = self.q.knots[knot];
        let Some(ranges) = ranges.filter(|_| !is_carried) else { return is_carried };
        for (i, share) in shares.iter().enumerate() {
            if ranges.covers(3 + i, share.low) && ranges.covers(3 + i, share.high) {
                continue;
            }
            // what the demand can reach of its limits
            let reached = self.phase.demand.reach().map(|demand| self.q.held(knot, i, demand));
            if !(ranges.covers(3 + i, reached[0]) && ranges.covers(3 + i, reached[1])) {
                return true;
            }
        }
        false
    }

    /// The force of contact `i` at rest on a knot as base + gain · demand, if it holds anything.
    fn held(&self, knot: usize, i: usize) -> Option<[f64; 2]> {
        let Knot { others, ref shares, .. } = self.q.knots[knot];
        let Share { gain, base, .. } = shares[i];
        (gain != 0.0).then_some([base - gain * others, gain])
    }

    fn accumulate_stick(
        &mut self,
        knot: usize,
        mut tau: f64,
        end: f64,
        mut ranges: Option<&mut Ranges>,
        balance: &mut Balance,
    ) {
        if !self.needs_rest(knot, ranges.as_deref()) {
            return;
        }
        let mut series = [0.0; ORDER + 1];
        while tau < end && self.needs_rest(knot, ranges.as_deref()) {
            let length = self.rest_panel(knot, tau, end, &mut series, ranges.as_deref_mut(), balance);
            tau += length.max(f64::EPSILON * tau);
        }
    }

    fn rest_panel(
        &mut self,
        knot: usize,
        tau: f64,
        end: f64,
        series: &mut PanelSeries,
        ranges: Option<&mut Ranges>,
        balance: &mut Balance,
    ) -> f64 {
        let length = self.phase.demand.panel(tau, end - tau, series);
        let (start, v) = (self.phase.start, self.q.knots[knot].v);
        let time = start.plus(tau);
        // the load pushes what the belts carry along
        let mut load = self.constant;
        for [s, weight] in GAUSS {
            for tone in &self.tones {
                let [sine, cosine] = angle(tone, time);
                let [s, c] = elementary::sincos(tone.omega * length * s);
                load += weight * tone.size * (sine * c + cosine * s);
            }
        }
        balance.work_in += load * v * length;
        balance.viscous_loss += self.damping * v * v * length;
        let mean = series.iter().enumerate().map(|(j, c)| c / (j + 1) as f64).sum::<f64>();
        for (i, contact) in self.q.contacts.iter().enumerate() {
            let (force, slid) = match self.held(knot, i) {
                Some([base, gain]) => (base + gain * mean, self.q.knots[knot].shares[i].sliding),
                None => {
                    let force = contact.force(self.q.own_piece(knot, i), v);
                    (force, contact.direction * v - contact.belt)
                }
            };
            balance.friction_loss += force * slid * length;
            balance.work_in -= force * contact.belt * length;
        }
        if let Some(ranges) = ranges {
            let mut shifted = [0.0; ORDER + 1];
            for i in 0..self.q.contacts.len() {
                let Some([base, gain]) = self.held(knot, i) else { continue };
                for (shifted, d) in shifted.iter_mut().zip(&*series) {
                    *shifted = gain * d;
                }
                shifted[0] += base;
                let mut at =
                    |s: f64, out: &mut Motion| self.motion_of(false, start.plus(tau + s * length).t, out);
                seek(&shifted, [0.0, 1.0], ranges, 3 + i, &mut at);
            }
        }
        length
    }
}
