//! Extrema and work of a phase of one degree of freedom.
//!
//! On a straight piece the powers are `F w`, `c w²` and `Σ (fᵢ + gᵢ xᵢ) xᵢ` with the sliding velocities `xᵢ = wᵢ w − beltᵢ`, so
//! that three integrals of the velocity are all that is needed: ∫w, ∫w² and ∫F w. None of them comes from the positions, which
//! the balance of energy compares them with.

use super::super::panel::{GAUSS, PanelSeries, at_nodes, panel_length, seek};
use super::super::segment::ORDER;
use super::super::short;
use super::super::tones::angle;
use super::{Mode, Single};
use crate::Error;
use crate::simulate::{Balance, Ranges};
use crate::system::Motion;

impl Single {
    /// Adds the work of the current phase between the times `from` and `to`, and its extrema to `ranges`.
    pub fn tell(
        &mut self,
        [from, to]: [f64; 2],
        mut ranges: Option<&mut Ranges>,
        balance: &mut Balance,
    ) -> Result<(), Error> {
        let start = self.phase.start;
        let mut tau = start.since(from);
        // the end of a phase is known better than its rounded time
        let end = if to == self.now.t { start.until(to) + self.now.rest } else { start.until(to) };
        let mut series = [0.0; ORDER + 1];
        while tau < end {
            let length = match self.phase.mode {
                Mode::Slide { piece, .. } => {
                    self.slide_panel(piece, tau, end, &mut series, ranges.as_deref_mut(), balance)?
                }
                Mode::Rest { knot, .. } => {
                    if !self.needs_rest(knot, ranges.as_deref()) {
                        break;
                    }
                    self.rest_panel(knot, tau, end, &mut series, ranges.as_deref_mut(), balance)
                }
            };
            tau += length.max(f64::EPSILON * tau);
        }
        Ok(())
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
        let phase = &*self.phase;
        let forced = &self.pieces[piece];
        forced.jet(&phase.slide, tau, &mut self.jet);
        if tau == 0.0 {
            (self.jet.w[0], self.jet.w[1]) = (phase.slide.v0, phase.slide.a0);
        }
        if !(self.jet.w[0].abs() <= self.largest) {
            return Err(Error::diverged(phase.start.plus(tau).t, &[self.jet.w[0]]));
        }
        let time = phase.start.plus(tau);
        self.angles.clear();
        self.angles.extend(self.tones.iter().map(|tone| angle(tone, time)));
        let length = panel_length(forced.rate(&self.jet), end - tau);
        forced.panel(&self.jet, &self.angles, length, series);

        // ∫w, ∫w² and ∫Fw
        let path = length * series.iter().enumerate().map(|(j, c)| c / (j + 1) as f64).sum::<f64>();
        let (mut square, mut push) = (0.0, 0.0);
        for (w, [s, weight]) in at_nodes(series).into_iter().zip(GAUSS) {
            square += weight * w * w;
            for (tone, [sine, cosine]) in self.tones.iter().zip(&self.angles) {
                let [s, c] = short::sincos(tone.omega * length * s);
                push += weight * tone.size * (sine * c + cosine * s) * w;
            }
        }
        let (square, push) = (length * square, length * push + self.constant * path);
        balance.work_in += push;
        balance.viscous_loss += self.damping * square;
        for (i, contact) in self.q.contacts.iter().enumerate() {
            let line = contact.line.pieces[self.q.own_piece(piece, i)];
            let (w, belt) = (contact.direction, contact.belt);
            let slid = w * path - belt * length;
            let slid_square = w * w * square - belt * (2.0 * w * path - belt * length);
            balance.friction_loss += line.force * slid + line.slope * slid_square;
            balance.work_in -= belt * (line.force * length + line.slope * slid);
        }
        if let Some(ranges) = ranges {
            self.slide_extrema(piece, tau, length, series, ranges);
        }
        Ok(length)
    }

    /// Quantities: position, velocity, acceleration, the friction forces, the slopes.
    fn slide_extrema(&mut self, piece: usize, tau: f64, length: f64, w: &PanelSeries, ranges: &mut Ranges) {
        let start = self.phase.start;
        let mut shifted = [0.0; ORDER + 1];
        let below = piece.checked_sub(1).map_or(f64::NEG_INFINITY, |knot| self.q.knots[knot].v);
        let above = self.q.knots.get(piece).map_or(f64::INFINITY, |knot| knot.v);
        let spread: f64 = w[1..].iter().map(|c| c.abs()).sum();
        // the position turns where the velocity vanishes
        if below < 0.0 && above > 0.0 && w[0].abs() <= spread {
            shifted[0] = self.phase.u0 + self.pieces[piece].travel(&self.phase.slide, tau);
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
        let is_moving = self.q.knots[knot].v != 0.0 || self.q.contacts.iter().any(|c| c.belt != 0.0);
        if is_moving {
            return true;
        }
        let Some(ranges) = ranges else { return false };
        let [low, high] = self.phase.demand.reach();
        (0..self.q.contacts.len()).any(|i| {
            let Some([base, gain]) = self.held(knot, i) else { return false };
            let (a, b) = (base + gain * low, base + gain * high);
            let range = ranges.range(3 + i);
            !(a.max(b) <= range.max && a.min(b) >= range.min)
        })
    }

    /// The force of contact `i` at rest on a knot as base + gain · demand, if it holds anything.
    fn held(&self, knot: usize, i: usize) -> Option<[f64; 2]> {
        let k = &self.q.knots[knot];
        let corner = |i: usize| {
            let member = k.members.iter().find(|member| member.0 == i)?;
            Some(self.q.contacts[i].line.corners[member.1]).filter(|corner| corner.is_jump())
        };
        let others: f64 = (self.q.contacts.iter().enumerate())
            .filter(|(j, _)| corner(*j).is_none())
            .map(|(j, contact)| contact.direction * contact.force(self.q.own_piece(knot, j), k.v))
            .sum();
        let gain = (corner(i)?.high / k.capacity).copysign(self.q.contacts[i].direction);
        Some([-gain * others, gain])
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
                let [s, c] = short::sincos(tone.omega * length * s);
                load += weight * tone.size * (sine * c + cosine * s);
            }
        }
        balance.work_in += load * v * length;
        balance.viscous_loss += self.damping * v * v * length;
        let mean = series.iter().enumerate().map(|(j, c)| c / (j + 1) as f64).sum::<f64>();
        for (i, contact) in self.q.contacts.iter().enumerate() {
            let (force, slid) = match self.held(knot, i) {
                Some([base, gain]) => (base + gain * mean, self.corner_velocity(knot, i)),
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

    fn corner_velocity(&self, knot: usize, i: usize) -> f64 {
        let member = self.q.knots[knot].members.iter().find(|member| member.0 == i);
        member.map_or(0.0, |&(i, c)| self.q.contacts[i].line.corners[c].v)
    }
}
