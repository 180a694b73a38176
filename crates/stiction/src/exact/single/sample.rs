//! Samples of a phase of one degree of freedom, many at once.

use super::super::closed::{Closed, Glimpse};
use super::super::forced::Forced;
use super::super::tones::Demand;
use super::{BALANCE, Mode, Single};
use crate::math::wide::{LANES, LARGEST, exp, sincos};
use crate::simulate::Samples;
use crate::system::Motion;
use std::iter::repeat_n;

impl Single {
    /// The motion at `times`, which ascend inside the current phase, as new rows of `samples`; `now` is scratch.
    pub fn sample(&mut self, times: &[f64], now: &mut Motion, samples: &mut Samples) {
        let mut rest = times;
        while let Some((&t, later)) = rest.split_first() {
            let (many, after) = rest.split_at(self.wide_count(rest));
            if many.is_empty() {
                self.motion(t, now);
                samples.push(now);
                rest = later;
                continue;
            }
            for block in many.chunks(LANES) {
                match self.phase.mode {
                    Mode::Slide { piece, .. } => self.sample_slide(piece, block, samples),
                    Mode::Rest { knot, .. } => self.sample_rest(knot, block, samples),
                }
            }
            rest = after;
        }
    }

    /// How many of the next times can be taken at once: before the event, and of a slide in closed form from where the balance of forces
    /// gives the position.
    fn wide_count(&self, times: &[f64]) -> usize {
        let start = self.phase.start;
        let (earliest, fastest) = match self.phase.mode {
            Mode::Rest { .. } => (0.0, self.phase.demand.fastest()),
            Mode::Slide { piece, .. } => match &self.closed[piece] {
                Some(closed) => ((BALANCE / self.pieces[piece].oscillator.square).sqrt(), closed.fastest()),
                None => return 0,
            },
        };
        let is_early = |t: f64| start.since(t) < earliest;
        let is_late = |t: f64| (self.ended && t >= self.now.t) || start.since(t) * fastest > LARGEST;
        match times {
            [first, ..] if !is_early(*first) => times.partition_point(|t| !is_late(*t)),
            _ => 0,
        }
    }

    /// Times since the start of the phase; of fewer than there are lanes the rest are zero.
    #[inline]
    fn since_start(&self, times: &[f64]) -> [f64; LANES] {
        let mut tau = [0.0; LANES];
        for (tau, t) in tau.iter_mut().zip(times) {
            *tau = self.phase.start.since(*t);
        }
        tau
    }

    fn sample_slide(&self, piece: usize, times: &[f64], samples: &mut Samples) {
        let Some(closed) = &self.closed[piece] else { return };
        let (first, line) = (Forced::first_look(&self.phase.slide), self.q.pieces[piece]);
        let [v, a, wave] = closed.wide(&first, &self.since_start(times));
        let mut u = [0.0; LANES];
        for i in 0..LANES {
            // the balance of forces, as where a slide ends
            let held = self.damping * v[i] + (line.force + line.slope * v[i]);
            u[i] = ((self.constant + wave[i]) - held - self.mass * a[i]) / self.stiffness;
        }
        let n = times.len();
        samples.t.extend_from_slice(times);
        samples.position[0].extend_from_slice(&u[..n]);
        samples.velocity[0].extend_from_slice(&v[..n]);
        samples.acceleration[0].extend_from_slice(&a[..n]);
        for (i, contact) in self.q.contacts.iter().enumerate().take(samples.sliding.len()) {
            let p = self.q.own_piece(piece, i);
            samples.sliding[i].extend(v[..n].iter().map(|v| contact.direction * v - contact.belt));
            samples.friction[i].extend(v[..n].iter().map(|v| contact.force(p, *v)));
            samples.slope[i].extend(repeat_n(contact.line.pieces[p].slope, n));
        }
    }

    fn sample_rest(&self, knot: usize, times: &[f64], samples: &mut Samples) {
        let (tau, n, v) = (self.since_start(times), times.len(), self.q.knots[knot].v);
        let demand = self.phase.demand.wide(&tau);
        samples.t.extend_from_slice(times);
        samples.position[0].extend(tau[..n].iter().map(|tau| self.phase.u0 + v * tau));
        samples.velocity[0].extend(repeat_n(v, n));
        samples.acceleration[0].extend(repeat_n(0.0, n));
        for i in 0..self.q.contacts.len().min(samples.sliding.len()) {
            let slope = self.q.rest_slope(knot, i);
            samples.sliding[i].extend(repeat_n(self.q.knots[knot].shares[i].sliding, n));
            samples.friction[i].extend(demand[..n].iter().map(|demand| self.q.held(knot, i, *demand)));
            samples.slope[i].extend(repeat_n(slope, n));
        }
    }
}

impl Demand {
    /// d at several times after the start of a phase.
    #[inline]
    fn wide(&self, tau: &[f64; LANES]) -> [f64; LANES] {
        let mut d = tau.map(|tau| self.base + self.drift * tau);
        for &[size, omega, sine0, cosine0] in self.waves() {
            let [sine, cosine] = sincos(&tau.map(|tau| omega * tau));
            for i in 0..LANES {
                d[i] += size * (sine0 * cosine[i] + cosine0 * sine[i]);
            }
        }
        d
    }
}

impl Closed {
    /// w, w′ and the wave of the load at several times after the start of a phase.
    #[inline]
    fn wide(&self, first: &Glimpse, tau: &[f64; LANES]) -> [[f64; LANES]; 3] {
        let [sigma, omega_d, omega] = self.rates();
        let decay = exp(&tau.map(|tau| -sigma * tau));
        let [sine, cosine] = sincos(&tau.map(|tau| omega_d * tau));
        let [wave_sine, wave_cosine] = sincos(&tau.map(|tau| omega * tau));
        let (c, q, load) = (self.free_amplitude(first), first.wave, self.load());
        let [mut v, mut a, mut push] = [[0.0; LANES]; 3];
        for i in 0..LANES {
            let y = decay[i] * (c.re * cosine[i] - c.im * sine[i]);
            let other = decay[i] * (c.re * sine[i] + c.im * cosine[i]);
            let x = q.re * wave_cosine[i] - q.im * wave_sine[i];
            let x_other = q.re * wave_sine[i] + q.im * wave_cosine[i];
            v[i] = y + x;
            a[i] = -sigma * y - omega_d * other - omega * x_other;
            push[i] = load.re * x - load.im * x_other;
        }
        [v, a, push]
    }
}
