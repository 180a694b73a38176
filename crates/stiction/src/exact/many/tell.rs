//! Extrema and work of a patch of several degrees of freedom.

use super::super::panel::{GAUSS, NOISE, PanelSeries, seek};
use super::super::prepared::sparse_dot;
use super::super::segment::{ContactMode, ORDER, Segment};
use super::Many;
use crate::simulate::{Balance, Ranges};
use crate::system::Motion;

impl Many {
    /// Adds the work of the current patch between the times `from` and `to`, and to `ranges` its extrema: those inside, and what holds
    /// at `to`, on both sides of an event there.
    pub fn tell(&mut self, span: [f64; 2], mut ranges: Option<&mut Ranges>, balance: &mut Balance) {
        self.tell_inside(span, ranges.as_deref_mut(), balance);
        if let Some(ranges) = ranges {
            let to = span[1];
            if !self.events.is_empty() && to == self.now.t {
                ranges.add_at(to, |t, out| self.motion_of(false, t, out));
            }
            ranges.add_at(to, |t, out| self.motion(t, out));
        }
    }

    fn tell_inside(&mut self, [from, to]: [f64; 2], ranges: Option<&mut Ranges>, balance: &mut Balance) {
        let start = self.patch.start;
        let a = start.since(from);
        // the end of a patch is known better than its rounded time
        let b = if to == self.now.t { start.until(to) + self.now.rest } else { start.until(to) };
        if self.rests {
            return self.tell_rest(a, b, ranges, balance);
        }
        if let Some(modal) = self.modal.as_mut().filter(|_| self.in_modes) {
            return modal.tell(&self.body, &self.patch, [a, b], ranges, balance);
        }
        let length = self.patch.length;
        let span = [a / length, b / length];
        self.add_work(span, balance);
        if let Some(ranges) = ranges {
            self.add_extrema(span, ranges);
        }
    }

    /// A sliding velocity of contact `i` inside the current patch (m/s): while it slides one inside its piece, whatever the time.
    pub fn sliding_inside(&self, i: usize) -> f64 {
        let line = &self.body.contacts[i].line;
        match self.patch.mode[i] {
            ContactMode::Rest { corner, .. } => line.corners[corner].v,
            ContactMode::Slide { piece } => line.inside(piece),
        }
    }

    /// Work from s = `a` to s = `b` of the patch.
    fn add_work(&mut self, [a, b]: [f64; 2], balance: &mut Balance) {
        let (n, m) = (self.body.n, self.body.contacts.len());
        let Self { body, patch, scratch, at_nodes, .. } = self;
        let places = GAUSS.map(|[node, _]| a + (b - a) * node);
        patch.velocities(&places, at_nodes);
        for (node, (s, [_, weight])) in places.into_iter().zip(GAUSS).enumerate() {
            let dt = weight * (b - a) * patch.length;
            let v = &mut scratch[..n];
            v.iter_mut().zip(&*at_nodes).for_each(|(v, values)| *v = values[node]);
            let v = &*v;
            let mut power: f64 = body.constant.iter().zip(v).map(|(f, v)| f * v).sum();
            let time = patch.start.plus(s * patch.length);
            for (omega, phase, amplitude) in &body.tones {
                let pushed: f64 = amplitude.iter().zip(v).map(|(f, v)| f * v).sum();
                if pushed != 0.0 {
                    power += pushed * libm::sin(time.angle(*omega, *phase));
                }
            }
            let lost: f64 = (0..n).map(|k| v[k] * sparse_dot(&body.damping[k], v)).sum();
            balance.viscous_loss += dt * lost;
            for (i, contact) in body.contacts.iter().enumerate() {
                let (sliding, force) = match patch.mode[i] {
                    ContactMode::Slide { piece } => {
                        let piece = contact.line.pieces[piece];
                        let sliding = body.sliding(i, v);
                        (sliding, piece.force + piece.slope * sliding)
                    }
                    ContactMode::Rest { corner, .. } => {
                        let sliding = contact.line.corners[corner].v;
                        if sliding == 0.0 && contact.belt == 0.0 {
                            continue;
                        }
                        let held = || Segment::value(&patch.force[i..], m, s)[0];
                        (sliding, patch.yielded(body, i).unwrap_or_else(held))
                    }
                };
                power -= force * contact.belt;
                balance.friction_loss += dt * force * sliding;
            }
            balance.work_in += dt * power;
        }
    }

    /// Quantities: positions, velocities, accelerations, friction forces, slopes.
    fn add_extrema(&mut self, span: [f64; 2], ranges: &mut Ranges) {
        let (n, m) = (self.body.n, self.body.contacts.len());
        let (start, length) = (self.patch.start, self.patch.length);
        let mut c: PanelSeries = [0.0; ORDER + 1];
        let mut scratch = std::mem::take(&mut self.scratch);
        for k in 0..3 * n + m {
            let (patch, body) = (&self.patch, &self.body);
            if k % n == 0 && k <= 3 * n {
                // how far the series of all degrees of freedom, or contacts, can be from their constants
                match k / n {
                    0 => varies(&patch.q, n, |_| 1.0, &mut scratch),
                    1 => varies(&patch.v, n, |_| 1.0, &mut scratch),
                    2 => varies(&patch.v[n..], n, |j| (j + 1) as f64 / length, &mut scratch),
                    _ => varies(&patch.force, m, |_| 1.0, &mut scratch),
                }
            }
            let is_known = |c0: f64, varies: f64| {
                let (range, noise) = (ranges.range(k), NOISE * (c0.abs() + varies));
                c0 + varies <= range.max + noise && c0 - varies >= range.min - noise
            };
            match k / n {
                0 if is_known(patch.q[k], scratch[k]) => continue,
                1 if is_known(patch.v[k - n], scratch[k - n]) => continue,
                2 if is_known(patch.v[k - n] / length, scratch[k - 2 * n]) => continue,
                0 => (0..=ORDER).for_each(|j| c[j] = patch.q[j * n + k]),
                1 => (0..=ORDER).for_each(|j| c[j] = patch.v[j * n + k - n]),
                2 => {
                    let step = |j: usize| (j + 1) as f64 * patch.v[(j + 1) * n + k - 2 * n] / length;
                    (0..ORDER).for_each(|j| c[j] = step(j));
                    c[ORDER] = 0.0;
                }
                _ => {
                    let i = k - 3 * n;
                    let contact = &body.contacts[i];
                    match patch.mode[i] {
                        ContactMode::Slide { piece } => {
                            let piece = contact.line.pieces[piece];
                            if piece.slope == 0.0 {
                                continue;
                            }
                            let line = |j: usize| sparse_dot(&contact.direction, &patch.v[j * n..]);
                            (0..=ORDER).for_each(|j| c[j] = piece.slope * line(j));
                            c[0] += piece.force - piece.slope * contact.belt;
                        }
                        ContactMode::Rest { .. } if patch.yielded(body, i).is_some() => continue,
                        ContactMode::Rest { .. } if is_known(patch.force[i], scratch[i]) => continue,
                        ContactMode::Rest { .. } => {
                            (0..=ORDER).for_each(|j| c[j] = patch.force[j * m + i]);
                        }
                    }
                }
            }
            let mut at = |s: f64, out: &mut Motion| self.motion_of(false, start.plus(s * length).t, out);
            seek(&c, span, ranges, k, &mut at);
        }
        self.scratch = scratch;
    }

    /// Everything rests, on the ground or on belts, from τ = `a` to τ = `b`.
    fn tell_rest(&mut self, a: f64, b: f64, mut ranges: Option<&mut Ranges>, balance: &mut Balance) {
        let (n, m) = (self.body.n, self.body.contacts.len());
        let (start, v) = (self.patch.start, &self.patch.v[..n]);
        let is_moving = v.iter().any(|v| *v != 0.0) || self.body.contacts.iter().any(|c| c.belt != 0.0);
        let holds = |i: usize| self.patch.yielded(&self.body, i).is_none();
        let may_grow = ranges.as_ref().is_some_and(|ranges| {
            (0..m).any(|i| {
                let ([low, high], range) = (self.demands[i].reach(), ranges.range(3 * n + i));
                holds(i) && !(high <= range.max && low >= range.min)
            })
        });
        if !is_moving && !may_grow {
            return;
        }
        let mut c: PanelSeries = [0.0; ORDER + 1];
        let mut tau = a;
        while tau < b {
            // all contacts feel the same waves
            let mut length = b - tau;
            for demand in &self.demands {
                length = demand.panel(tau, length, &mut c);
            }
            if is_moving {
                self.add_rest_work(tau, length, balance);
            }
            for i in 0..m {
                let Some(ranges) = ranges.as_deref_mut() else { break };
                if !matches!(self.patch.mode[i], ContactMode::Rest { yields: None, .. }) {
                    continue;
                }
                self.demands[i].panel(tau, length, &mut c);
                let mut at =
                    |s: f64, out: &mut Motion| self.motion_of(false, start.plus(tau + s * length).t, out);
                seek(&c, [0.0, 1.0], ranges, 3 * n + i, &mut at);
            }
            tau += length.max(f64::EPSILON * tau);
        }
    }

    /// Work from τ on over `length`, while all rest and some are carried along.
    fn add_rest_work(&mut self, tau: f64, length: f64, balance: &mut Balance) {
        let (body, patch) = (&self.body, &self.patch);
        let v = &patch.v[..body.n];
        let dot = |f: &[f64]| f.iter().zip(v).map(|(f, v)| f * v).sum::<f64>();
        let lost: f64 = (0..body.n).map(|k| v[k] * sparse_dot(&body.damping[k], v)).sum();
        balance.viscous_loss += lost * length;
        balance.work_in += dot(&body.constant) * length;
        for [s, weight] in GAUSS {
            let time = patch.start.plus(tau + s * length);
            let tones = body.tones.iter();
            let power: f64 =
                tones.map(|(omega, phase, f)| dot(f) * libm::sin(time.angle(*omega, *phase))).sum();
            balance.work_in += weight * length * power;
            for (i, contact) in body.contacts.iter().enumerate() {
                let (sliding, force) = match patch.mode[i] {
                    ContactMode::Slide { piece } => {
                        let (piece, sliding) = (contact.line.pieces[piece], body.sliding(i, v));
                        (sliding, piece.force + piece.slope * sliding)
                    }
                    ContactMode::Rest { corner, .. } => {
                        let held = || self.demands[i].jet(tau + s * length)[0];
                        (contact.line.corners[corner].v, patch.yielded(body, i).unwrap_or_else(held))
                    }
                };
                balance.work_in -= weight * length * force * contact.belt;
                balance.friction_loss += weight * length * force * sliding;
            }
        }
    }
}

/// Sums of the terms of series beside their constants, in size, for each of the `stride` series that stand side by side.
fn varies(series: &[f64], stride: usize, weight: impl Fn(usize) -> f64, out: &mut [f64]) {
    let out = &mut out[..stride];
    out.fill(0.0);
    for (j, row) in series.chunks_exact(stride.max(1)).enumerate().skip(1) {
        let weight = weight(j);
        out.iter_mut().zip(row).for_each(|(sum, c)| *sum += weight * c.abs());
    }
}
