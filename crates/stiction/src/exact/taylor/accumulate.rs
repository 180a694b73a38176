//! Extrema and work of a stretch.

use super::elements::Power;
use super::stretch::{ORDER, Stretch};
use super::{Model, Taylor};
use crate::contact::ContactMode;
use crate::exact::extrema::{NOISE, seek};
use crate::exact::panel::{GAUSS, PanelSeries};
use crate::record::{Balance, Ranges};
use crate::system::Motion;

/// Velocities, positions and states at the nodes of a quadrature, a row for each component.
#[derive(Clone, Debug)]
pub(super) struct QuadratureNodes {
    places: [f64; 10],
    q: Vec<[f64; 10]>,
    v: Vec<[f64; 10]>,
    x: Vec<[f64; 10]>,
    signals: Vec<[f64; 10]>,
}

impl QuadratureNodes {
    pub fn new(model: &Model) -> Self {
        let rows = |n: usize| vec![[0.0; 10]; n];
        let n_positions = if model.has_elements() { model.n } else { 0 };
        Self {
            places: [0.0; 10],
            q: rows(n_positions),
            v: rows(model.n),
            x: rows(model.n_states()),
            signals: rows(model.signals.len()),
        }
    }

    fn fill(&mut self, stretch: &Stretch, [a, b]: [f64; 2]) {
        self.places = GAUSS.map(|[node, _]| a + (b - a) * node);
        let Self { places, q, v, x, signals } = self;
        for (rows, series) in [
            (q, &stretch.series.q),
            (v, &stretch.series.v),
            (x, &stretch.series.x),
            (signals, &stretch.series.signals),
        ] {
            Stretch::at_nodes(series, places, rows);
        }
    }

    fn row(&self, row: &super::row::Row) -> [f64; 10] {
        let mut sum = [row.constant; 10];
        for (part, values) in
            [(&row.q, &self.q), (&row.v, &self.v), (&row.x, &self.x), (&row.signals, &self.signals)]
        {
            add_product(part, values, &mut sum);
        }
        sum
    }
}

fn add_product(row: &[(usize, f64)], values: &[[f64; 10]], sum: &mut [f64; 10]) {
    for &(k, a) in row {
        sum.iter_mut().zip(&values[k]).for_each(|(sum, x)| *sum += a * x);
    }
}

fn times(a: &[f64; 10], b: &[f64; 10]) -> [f64; 10] {
    std::array::from_fn(|k| a[k] * b[k])
}

impl Taylor {
    /// Adds the work of the current stretch between the times `from` and `to`, and to `ranges` its extrema:
    /// those inside, and what holds at `to`, on both sides of an event there.
    pub fn accumulate(
        &mut self,
        [from, to]: [f64; 2],
        mut ranges: Option<&mut Ranges>,
        balance: &mut Balance,
    ) {
        let start = self.current.start;
        let a = start.since(from);
        // the end of a stretch is known better than its rounded time
        let is_end = to == self.now.t;
        let b = if is_end { start.until(to) + self.now.rest } else { start.until(to) };
        if let Some(modal) = self.modal.as_mut().filter(|_| self.in_modes) {
            modal.accumulate(&self.model, &self.current, [a, b], ranges.as_deref_mut(), balance);
        } else {
            let length = self.current.length;
            let span = [a / length, b / length];
            self.add_work(span, balance);
            if let Some(ranges) = ranges.as_deref_mut() {
                self.add_extrema(span, ranges);
            }
        }
        if is_end && self.ended {
            balance.impact_loss += self.resolved.loss;
            balance.work_in += self.resolved.work;
        }
        if let Some(ranges) = ranges {
            if !self.events.is_empty() && is_end {
                ranges.add_at(to, |t, out| self.motion_of(false, t, out));
            }
            ranges.add_at(to, |t, out| self.motion(t, out));
        }
    }

    /// A sliding velocity of contact `i` inside the current stretch (m/s): while it slides one inside its
    /// piece, whatever the time; infinite while it is open.
    pub fn sliding_inside(&self, i: usize) -> f64 {
        let line = &self.model.contacts[i].line;
        match self.current.regime.contacts[i] {
            ContactMode::Open => f64::INFINITY,
            ContactMode::Stick { corner, .. } => line.corners[corner].v,
            ContactMode::Slip { piece } => line.inside(piece),
        }
    }

    /// Work from s = `a` to s = `b` of the stretch: of constant forces by what they are moved, of others by
    /// quadrature.
    fn add_work(&mut self, [a, b]: [f64; 2], balance: &mut Balance) {
        self.nodes.fill(&self.current, [a, b]);
        let (model, stretch, nodes) = (&self.model, &*self.current, &self.nodes);
        let time = (b - a) * stretch.length;
        let integral = |values: [f64; 10]| -> f64 {
            time * values.iter().zip(GAUSS).map(|(value, [_, weight])| weight * value).sum::<f64>()
        };
        let moved = |k: usize| integral(nodes.v[k]);
        let loads = model.loads.constant.iter().enumerate().filter(|(_, load)| **load != 0.0);
        balance.work_in += loads.map(|(k, load)| load * moved(k)).sum::<f64>();
        for (omega, phase, amplitude) in &model.loads.harmonics {
            let mut power = [0.0; 10];
            for (v, f) in nodes.v.iter().zip(amplitude).filter(|(_, f)| **f != 0.0) {
                power.iter_mut().zip(v).for_each(|(power, v)| *power += f * v);
            }
            if power != [0.0; 10] {
                let angle = |s: f64| stretch.start.plus(s * stretch.length).angle(*omega, *phase);
                power.iter_mut().zip(nodes.places).for_each(|(power, s)| *power *= libm::sin(angle(s)));
                balance.work_in += integral(power);
            }
        }
        let mut lost = [0.0; 10];
        for (v, row) in nodes.v.iter().zip(&model.damping) {
            let mut force = [0.0; 10];
            add_product(row, &nodes.v, &mut force);
            lost.iter_mut().zip(times(v, &force)).for_each(|(lost, power)| *lost += power);
        }
        balance.viscous_loss += integral(lost);
        if model.has_elements() {
            self.add_work_of_elements(nodes, &integral, balance);
        }
        for (i, contact) in model.contacts.iter().enumerate() {
            if contact.varies || !contact.sliders.is_empty() || !contact.sliding.signals.is_empty() {
                self.add_work_of_contact(i, nodes, &integral, balance);
                continue;
            }
            // the force integrated over time, and over the way slid
            let [pushed, loss] = match stretch.regime.contacts[i] {
                ContactMode::Slip { piece } => {
                    let piece = contact.line.pieces[piece];
                    let way: f64 = contact.direction.iter().map(|&(k, w)| w * moved(k)).sum();
                    let slid = way - contact.belt * time;
                    let mut loss = piece.force * slid;
                    if piece.slope != 0.0 {
                        let sliding = nodes.row(&contact.sliding);
                        loss += piece.slope * integral(times(&sliding, &sliding));
                    }
                    [piece.force * time + piece.slope * slid, loss]
                }
                ContactMode::Stick { corner, .. } => {
                    let sliding = contact.line.corners[corner].v;
                    if sliding == 0.0 && contact.belt == 0.0 {
                        continue;
                    }
                    let m = model.contacts.len();
                    let held =
                        || integral(nodes.places.map(|s| Stretch::value(&stretch.series.force[i..], m, s)));
                    let pushed = stretch.yield_limit(model, i).map_or_else(held, |force| force * time);
                    [pushed, pushed * sliding]
                }
                ContactMode::Open => continue,
            };
            balance.work_in -= pushed * contact.belt;
            balance.friction_loss += loss;
        }
    }

    /// Work of signal loads, feedback, circulatory stiffness and elastic stops.
    fn add_work_of_elements(
        &self,
        nodes: &QuadratureNodes,
        integral: &dyn Fn([f64; 10]) -> f64,
        balance: &mut Balance,
    ) {
        let (model, stretch) = (&self.model, &*self.current);
        let along = |direction: &[(usize, f64)]| {
            let mut v = [0.0; 10];
            add_product(direction, &nodes.v, &mut v);
            v
        };
        for (direction, k) in &model.loads.by_signal {
            balance.work_in += integral(times(&along(direction), &nodes.signals[*k]));
        }
        for (k, row) in &model.feedback.forces {
            balance.work_in += integral(times(&nodes.v[*k], &nodes.row(row)));
        }
        for (row, v) in model.circulatory.iter().zip(&nodes.v).filter(|(row, _)| !row.is_empty()) {
            let mut force = [0.0; 10];
            add_product(row, &nodes.q, &mut force);
            balance.work_in -= integral(times(v, &force));
        }
        for element in model.acting(&stretch.regime.one_sided) {
            let given = || integral(times(&along(&element.direction), &nodes.row(&element.force)));
            match &element.power {
                Power::Stored => {}
                Power::Supplied => balance.work_in -= given(),
                Power::Lost { approach, moves } => {
                    let lost = integral(times(&nodes.row(approach), &nodes.row(&element.force)));
                    balance.impact_loss += lost;
                    if *moves {
                        // the rest of what the system gives goes to what moves the stop
                        balance.work_in += lost - given();
                    }
                }
            }
        }
        for (k, stop) in model.stops.iter().enumerate().filter(|(k, _)| stretch.regime.stops[*k].is_closed())
        {
            let Some(velocity) = stop.velocity else { continue };
            let reaction =
                nodes.places.map(|s| Stretch::value(&stretch.series.reaction[k..], model.stops.len(), s));
            balance.work_in -= integral(times(&reaction, &nodes.signals[velocity]));
        }
    }

    /// Work of a contact by quadrature.
    fn add_work_of_contact(
        &self,
        i: usize,
        nodes: &QuadratureNodes,
        integral: &dyn Fn([f64; 10]) -> f64,
        balance: &mut Balance,
    ) {
        let (model, stretch) = (&self.model, &*self.current);
        let contact = &model.contacts[i];
        let mut belt = [contact.belt; 10];
        for &(k, a) in &contact.sliding.signals {
            belt.iter_mut().zip(&nodes.signals[k]).for_each(|(belt, s)| *belt -= a * s);
        }
        let sliding = match stretch.regime.contacts[i] {
            ContactMode::Open => return,
            ContactMode::Slip { .. } => nodes.row(&contact.sliding),
            ContactMode::Stick { corner, .. } => [contact.line.corners[corner].v; 10],
        };
        let m = model.contacts.len();
        let force = match stretch.yield_limit(model, i) {
            Some(limit) => nodes.row(&contact.normal).map(|normal| limit * normal),
            None => nodes.places.map(|s| Stretch::value(&stretch.series.force[i..], m, s)),
        };
        balance.work_in -= integral(times(&force, &belt));
        balance.friction_loss += integral(times(&force, &sliding));
    }

    /// Quantities: positions, velocities, accelerations, friction forces.
    fn add_extrema(&mut self, span: [f64; 2], ranges: &mut Ranges) {
        let (n, m) = (self.model.n, self.model.contacts.len());
        let (start, length) = (self.current.start, self.current.length);
        let mut c: PanelSeries = [0.0; ORDER + 1];
        for k in 0..3 * n + m {
            let stretch = &self.current;
            let limit = k.checked_sub(3 * n).and_then(|i| stretch.yield_limit(&self.model, i));
            let (series, stride) = match k / n {
                0 => (&stretch.series.q[k..], n),
                1 => (&stretch.series.v[k - n..], n),
                2 => (&stretch.series.v[k - 2 * n..], n),
                _ => (&stretch.series.force[k - 3 * n..], m),
            };
            if k / n == 2 {
                let rate = |j: usize| (j + 1) as f64 * series[(j + 1) * stride] / length;
                (0..ORDER).for_each(|j| c[j] = rate(j));
                c[ORDER] = 0.0;
            } else if let Some(limit) = limit {
                let normal = &self.model.contacts[k - 3 * n].normal;
                let at = |j: usize| limit * normal.at(&stretch.terms(&self.model, j));
                c.iter_mut().enumerate().for_each(|(j, c)| *c = at(j));
            } else {
                c.iter_mut().enumerate().for_each(|(j, c)| *c = series[j * stride]);
            }
            let reach: f64 = c[1..].iter().map(|c| c.abs()).sum();
            let (range, noise) = (ranges.range(k), NOISE * (c[0].abs() + reach));
            if c[0] + reach <= range.max + noise && c[0] - reach >= range.min - noise {
                continue;
            }
            let mut at = |s: f64, out: &mut Motion| self.motion_of(false, start.plus(s * length).t, out);
            seek(&c, span, ranges, k, &mut at);
        }
    }
}
