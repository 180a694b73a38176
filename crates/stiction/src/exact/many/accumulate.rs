//! Extrema and work of a patch of several degrees of freedom.

use super::super::panel::{GAUSS, NOISE, PanelSeries, seek};
use super::super::prepared::sparse_dot;
use super::super::segment::{ORDER, PolylineMode, Segment};
use super::Many;
use crate::math::dense::dot;
use crate::simulate::{Balance, Ranges};
use crate::system::Motion;

/// Factors of the orders 1, 2, … of a velocity in its derivative, which the first is the constant of: 0, 2,
/// 3, …
const FACTORS: [f64; ORDER] = {
    let mut factors = [0.0; ORDER];
    let mut j = 1;
    while j < ORDER {
        factors[j] = (j + 1) as f64;
        j += 1;
    }
    factors
};

impl Many {
    /// Adds the work of the current patch between the times `from` and `to`, and to `ranges` its extrema:
    /// those inside, and what holds at `to`, on both sides of an event there.
    pub fn accumulate(&mut self, span: [f64; 2], mut ranges: Option<&mut Ranges>, balance: &mut Balance) {
        self.accumulate_inside(span, ranges.as_deref_mut(), balance);
        if let Some(ranges) = ranges {
            let to = span[1];
            if !self.events.is_empty() && to == self.now.t {
                ranges.add_at(to, |t, out| self.motion_of(false, t, out));
            }
            ranges.add_at(to, |t, out| self.motion(t, out));
        }
    }

    fn accumulate_inside(
        &mut self,
        [from, to]: [f64; 2],
        ranges: Option<&mut Ranges>,
        balance: &mut Balance,
    ) {
        let start = self.patch.start;
        let a = start.since(from);
        // the end of a patch is known better than its rounded time
        let b = if to == self.now.t { start.until(to) + self.now.rest } else { start.until(to) };
        if self.rests {
            return self.accumulate_stick(a, b, ranges, balance);
        }
        if let Some(modal) = self.modal.as_mut().filter(|_| self.in_modes) {
            return modal.accumulate(&self.body, &self.patch, [a, b], ranges, balance);
        }
        let length = self.patch.length;
        let span = [a / length, b / length];
        self.add_work(span, balance);
        if let Some(ranges) = ranges {
            self.add_extrema(span, ranges);
        }
    }

    /// A sliding velocity of contact `i` inside the current patch (m/s): while it slides one inside its
    /// piece, whatever the time.
    pub fn sliding_inside(&self, i: usize) -> f64 {
        let line = &self.body.contacts[i].line;
        match self.patch.mode[i] {
            PolylineMode::Rest { corner, .. } => line.corners[corner].v,
            PolylineMode::Slide { piece } => line.inside(piece),
        }
    }

    /// Work from s = `a` to s = `b` of the patch: of constant forces by what they are moved, of others by
    /// quadrature.
    fn add_work(&mut self, [a, b]: [f64; 2], balance: &mut Balance) {
        let (n, m) = (self.body.n, self.body.contacts.len());
        let Self { body, patch, scratch, at_nodes, .. } = self;
        let places = GAUSS.map(|[node, _]| a + (b - a) * node);
        let time = (b - a) * patch.length;
        let integral = |values: [f64; 10]| -> f64 {
            time * values.iter().zip(GAUSS).map(|(value, [_, weight])| weight * value).sum::<f64>()
        };
        patch.velocities(&places, at_nodes);
        let moved = &mut scratch[..n];
        moved.iter_mut().zip(&*at_nodes).for_each(|(moved, v)| *moved = integral(*v));
        let moved = &*moved;
        balance.work_in += dot(&body.constant, moved);
        for (omega, phase, amplitude) in &body.tones {
            let mut power = [0.0; 10];
            for (v, f) in at_nodes.iter().zip(amplitude).filter(|(_, f)| **f != 0.0) {
                power.iter_mut().zip(v).for_each(|(power, v)| *power += f * v);
            }
            if power != [0.0; 10] {
                let angle = |s: f64| patch.start.plus(s * patch.length).angle(*omega, *phase);
                power.iter_mut().zip(places).for_each(|(power, s)| *power *= libm::sin(angle(s)));
                balance.work_in += integral(power);
            }
        }
        let mut lost = [0.0; 10];
        for (v, row) in at_nodes.iter().zip(&body.damping) {
            for (other, c) in row.iter().map(|&(l, c)| (&at_nodes[l], c)) {
                lost.iter_mut().zip(v).zip(other).for_each(|((lost, v), other)| *lost += c * v * other);
            }
        }
        balance.viscous_loss += integral(lost);
        for (i, contact) in body.contacts.iter().enumerate() {
            // the force integrated over time, and over the way slid
            let [pushed, loss] = match patch.mode[i] {
                PolylineMode::Slide { piece } => {
                    let piece = contact.line.pieces[piece];
                    let slid = sparse_dot(&contact.direction, moved) - contact.belt * time;
                    let mut loss = piece.force * slid;
                    if piece.slope != 0.0 {
                        let mut sliding = [-contact.belt; 10];
                        for &(k, w) in &contact.direction {
                            sliding.iter_mut().zip(&at_nodes[k]).for_each(|(sum, v)| *sum += w * v);
                        }
                        loss += piece.slope * integral(sliding.map(|v| v * v));
                    }
                    [piece.force * time + piece.slope * slid, loss]
                }
                PolylineMode::Rest { corner, .. } => {
                    let sliding = contact.line.corners[corner].v;
                    if sliding == 0.0 && contact.belt == 0.0 {
                        continue;
                    }
                    let held = || integral(places.map(|s| Segment::value(&patch.force[i..], m, s)[0]));
                    let pushed = patch.yielded(body, i).map_or_else(held, |force| force * time);
                    [pushed, pushed * sliding]
                }
            };
            balance.work_in -= pushed * contact.belt;
            balance.friction_loss += loss;
        }
    }

    /// Quantities: positions, velocities, accelerations, friction forces, slopes.
    fn add_extrema(&mut self, span: [f64; 2], ranges: &mut Ranges) {
        let (n, m) = (self.body.n, self.body.contacts.len());
        let (start, length) = (self.patch.start, self.patch.length);
        let mut c: PanelSeries = [0.0; ORDER + 1];
        let mut scratch = std::mem::take(&mut self.scratch);
        varies(&self.patch, [n, m], &mut scratch);
        for (k, &reach) in scratch.iter().enumerate() {
            let (patch, body) = (&self.patch, &self.body);
            let is_known = |c0: f64| {
                let (range, noise) = (ranges.range(k), NOISE * (c0.abs() + reach));
                c0 + reach <= range.max + noise && c0 - reach >= range.min - noise
            };
            match k / n {
                0 if is_known(patch.q[k]) => continue,
                1 if is_known(patch.v[k - n]) => continue,
                2 if is_known(patch.v[k - n] / length) => continue,
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
                        PolylineMode::Slide { piece } => {
                            let piece = contact.line.pieces[piece];
                            if piece.slope == 0.0 {
                                continue;
                            }
                            let line = |j: usize| sparse_dot(&contact.direction, &patch.v[j * n..]);
                            (0..=ORDER).for_each(|j| c[j] = piece.slope * line(j));
                            c[0] += piece.force - piece.slope * contact.belt;
                        }
                        PolylineMode::Rest { .. } if patch.yielded(body, i).is_some() => continue,
                        PolylineMode::Rest { .. } if is_known(patch.force[i]) => continue,
                        PolylineMode::Rest { .. } => {
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
    fn accumulate_stick(&mut self, a: f64, b: f64, mut ranges: Option<&mut Ranges>, balance: &mut Balance) {
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
                if !matches!(self.patch.mode[i], PolylineMode::Rest { yields: None, .. }) {
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
                    PolylineMode::Slide { piece } => {
                        let (piece, sliding) = (contact.line.pieces[piece], body.sliding(i, v));
                        (sliding, piece.force + piece.slope * sliding)
                    }
                    PolylineMode::Rest { corner, .. } => {
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

/// How far positions, velocities, accelerations and forces can be from what they are at the start: sums of
/// the other terms, in size.
fn varies(patch: &Segment, [n, m]: [usize; 2], out: &mut [f64]) {
    let (states, forces) = out.split_at_mut(3 * n);
    for k in 0..n {
        let (q, v) = (patch.q[n + k..].iter().step_by(n), patch.v[n + k..].iter().step_by(n));
        let [mut position, mut velocity, mut acceleration] = [0.0; 3];
        for ((q, v), factor) in q.zip(v).zip(&FACTORS) {
            let size = v.abs();
            position += q.abs();
            velocity += size;
            acceleration += factor * size;
        }
        states[k] = position;
        states[n + k] = velocity;
        states[2 * n + k] = acceleration / patch.length;
    }
    for (i, sum) in forces.iter_mut().enumerate() {
        *sum = patch.force[m + i..].iter().step_by(m).map(|c| c.abs()).sum();
    }
}
