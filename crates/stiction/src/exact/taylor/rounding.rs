//! Rounding of forces and rows, from the sizes of their terms.

use super::model::Model;
use super::row::{Row, Terms, size, sparse_dot};
use super::stretch::{NOISE, Stretch};
use crate::contact::ContactMode;

/// Rounding at the start of a stretch, and the sizes that it follows from.
#[derive(Clone, Debug)]
pub(in crate::exact) struct Rounding {
    /// Of the friction forces (N).
    pub force: Vec<f64>,
    /// Times the rounding that counts, where no choice of modes is consistent with less.
    pub coarser: f64,
    /// Sizes of the terms in the balance of each degree of freedom, and of the signals.
    pub sizes: Vec<f64>,
    pub signals: Vec<f64>,
}

impl Rounding {
    pub fn new(model: &Model) -> Self {
        Self {
            force: vec![0.0; model.contacts.len()],
            coarser: 1.0,
            sizes: vec![0.0; model.n],
            signals: vec![0.0; model.signals.len()],
        }
    }
}

impl Stretch {
    /// The accelerations by constant loads and by sliding friction, each without its sign.
    pub(super) fn measure_push(&mut self, model: &Model) {
        let push = &mut self.response.acceleration;
        push.copy_from_slice(&model.loads.constant);
        for (direction, k) in &model.loads.by_signal {
            direction.iter().for_each(|&(i, w)| push[i] += (w * self.rounding.signals[*k]).abs());
        }
        model.apply_mobility(push);
        push.iter_mut().for_each(|a| *a = a.abs());
        for (i, contact) in model.contacts.iter().enumerate() {
            if let ContactMode::Slip { piece } = self.regime.contacts[i] {
                let normal =
                    contact.normal.constant + sparse_dot(&contact.normal.signals, &self.series.signals);
                let springs =
                    contact.sliders.clone().map(|k| model.sliders[k].stiffness * self.series.x[k].abs());
                let force = (contact.line.pieces[piece].force * normal).abs() + springs.sum::<f64>();
                contact.mobility.iter().for_each(|&(k, a)| push[k] += (a * force).abs());
            }
        }
    }

    /// Sizes of the terms of the balance at the start, and the rounding of the friction forces.
    pub(super) fn measure(&mut self, model: &Model) {
        let t = self.start.t;
        let mut sizes = std::mem::take(&mut self.rounding.sizes);
        let terms = self.terms(model, 0);
        for (k, slot) in sizes.iter_mut().enumerate() {
            let loads: f64 =
                model.loads.harmonics.iter().map(|(omega, _, a)| a[k].abs() * turned(*omega, t)).sum();
            *slot = model.loads.constant[k].abs()
                + loads
                + size(&model.damping[k], terms.v)
                + size(&model.stiffness[k], terms.q);
        }
        for (direction, k) in &model.loads.by_signal {
            direction.iter().for_each(|&(i, w)| sizes[i] += (w * self.rounding.signals[*k]).abs());
        }
        for (k, row) in &model.feedback.forces {
            sizes[*k] += self.row_size(row, &terms);
        }
        for element in model.acting(&self.regime.one_sided) {
            let force = self.row_size(&element.force, &terms);
            element.direction.iter().for_each(|&(k, w)| sizes[k] += (w * force).abs());
        }
        for (stop, reaction) in model.stops.iter().zip(&self.series.reaction) {
            stop.direction.iter().for_each(|&(k, w)| sizes[k] += (w * reaction).abs());
        }
        for (contact, force) in model.contacts.iter().zip(&self.series.force) {
            contact.direction.iter().for_each(|&(k, w)| sizes[k] += (w * force).abs());
        }
        self.rounding.sizes = sizes;
        for i in 0..model.contacts.len() {
            self.rounding.force[i] =
                self.rounding.coarser * NOISE * self.push_size(model, model.stops.len() + i);
        }
    }

    /// Size of the terms of the force of a constraint (N).
    pub(super) fn push_size(&self, model: &Model, c: usize) -> f64 {
        size(model.constraint(c)[1], &self.rounding.sizes) / model.delassus.at(c, c)
    }

    /// Size of the terms of a row.
    fn row_size(&self, row: &Row, terms: &Terms) -> f64 {
        let signals: f64 = row.signals.iter().map(|&(k, a)| (a * self.rounding.signals[k]).abs()).sum();
        row.constant.abs() + size(&row.q, terms.q) + size(&row.v, terms.v) + size(&row.x, terms.x) + signals
    }

    /// Rounding of the coefficients of positions and velocities up to order `most`, as the springs and dampers carry
    /// it from the balance of each degree of freedom to the others.
    pub(super) fn spread_rounding(&self, model: &Model, most: usize) -> Vec<[Vec<f64>; 2]> {
        let (n, rounding) = (model.n, self.rounding.coarser * NOISE);
        let mut spread = vec![[vec![0.0; n], vec![0.0; n]]];
        let mut push = self.rounding.sizes.clone();
        for j in 0..most {
            let step = self.length / (j + 1) as f64;
            let [q, v] = &spread[j];
            if j > 0 {
                for (k, push) in push.iter_mut().enumerate() {
                    *push = size(&model.damping[k], v) + size(&model.stiffness[k], q);
                }
            }
            model.apply_mobility(&mut push);
            let factor = if j == 0 { rounding * step } else { step };
            let next_q = v.iter().map(|v| step * v).collect();
            let next_v = push.iter().map(|a| factor * a.abs()).collect();
            spread.push([next_q, next_v]);
        }
        spread
    }

    /// Value of a row at the start and its rounding: that of its terms, and of what moves them within the
    /// stretch; third, the rounding of its further coefficients.
    pub(super) fn measured(&self, model: &Model, row: &Row) -> [f64; 3] {
        let terms = self.terms(model, 0);
        let (h, p) = (self.length, model.n_states());
        let accelerated = h * size(&row.mobility[1], &self.rounding.sizes);
        let moved = h * size(&row.q, terms.v) + accelerated;
        let driven: f64 = if row.x.is_empty() { 0.0 } else { size(&row.x, &self.series.x[p..2 * p]) };
        let changed: f64 = if row.signals.is_empty() {
            0.0
        } else {
            let s = model.signals.len();
            row.signals.iter().map(|&(k, a)| (a * self.series.signals[s + k]).abs()).sum()
        };
        let rounding = self.rounding.coarser * NOISE;
        let noise = rounding * (self.row_size(row, &terms) + moved + driven + changed);
        let bent = rounding * h * h * size(&row.mobility[0], &self.rounding.sizes);
        [row.at(&terms), noise, noise + bent]
    }
}

/// The size of a wave of unit amplitude at `t`, whose angle ωt is rounded as well.
pub(super) fn turned(omega: f64, t: f64) -> f64 {
    1.0 + omega * t.abs() / 64.0
}
