//! Extrema and work of a stretch.

use super::super::panel::{GAUSS, PanelSeries, seek};
use super::super::segment::ORDER;
use super::model::UnilateralMode;
use super::{Piecewise, value};
use crate::contact::StopMode;
use crate::math::dense::dot;
use crate::simulate::{Balance, Ranges};
use crate::system::Motion;

impl Piecewise {
    /// Adds the work of the current stretch between the times `from` and `to`, and its extrema to `ranges`.
    pub fn accumulate(&mut self, [from, to]: [f64; 2], ranges: Option<&mut Ranges>, balance: &mut Balance) {
        let (start, length) = (self.current.start, self.current.length);
        // the end of a stretch is known better than its rounded time
        let is_end = to == self.now.t;
        let b = if is_end { start.until(to) + self.now.rest } else { start.until(to) };
        let span = [start.since(from) / length, b / length];
        self.add_work(span, balance);
        if is_end && self.ended {
            balance.impact_loss += self.impact_loss;
        }
        if let Some(ranges) = ranges {
            self.add_extrema(span, ranges);
        }
    }

    /// A sliding velocity of contact `i` inside the current stretch (m/s); infinite while it is open.
    pub fn sliding_inside(&self, i: usize) -> f64 {
        let line = self.model.line(i);
        match self.current.modes.contact_modes[i] {
            UnilateralMode::Open => f64::INFINITY,
            UnilateralMode::Rest { corner } => line.corners[corner].v,
            UnilateralMode::Slide { piece } => line.inside(piece),
        }
    }

    fn add_work(&self, [a, b]: [f64; 2], balance: &mut Balance) {
        let (n, d) = (self.model.layout.n, self.model.layout.len());
        let (stretch, regime) = (&self.current, &self.current.regime);
        let mut z = vec![0.0; d];
        for [node, weight] in GAUSS {
            let s = a + (b - a) * node;
            let dt = weight * (b - a) * stretch.length;
            z.iter_mut().enumerate().for_each(|(k, x)| *x = value(&stretch.z, d, k, s));
            let (q, v) = (&z[..n], &z[n..2 * n]);
            for k in 0..n {
                let driven = dot(&regime.external[k], &z) + dot(&regime.feedback[k], &z);
                balance.work_in += dt * v[k] * (driven - dot(self.model.circulatory.row(k), q));
                balance.viscous_loss += dt * v[k] * dot(self.model.damping.row(k), v);
            }
            for (k, stop) in self.model.elastic.iter().enumerate() {
                if stretch.modes.stop_modes[k] == StopMode::Closed {
                    balance.impact_loss += dt * dot(&regime.elastic[k], &z) * dot(&stop.direction, v);
                }
            }
            for (i, mode) in stretch.modes.contact_modes.iter().enumerate() {
                let sliding = match *mode {
                    UnilateralMode::Open => continue,
                    UnilateralMode::Slide { .. } => dot(&regime.sliding[i], &z),
                    UnilateralMode::Rest { corner } => self.model.line(i).corners[corner].v,
                };
                let force = dot(&regime.force[i], &z);
                balance.work_in -= dt * force * dot(&regime.belt[i], &z);
                balance.friction_loss += dt * force * sliding;
            }
        }
    }

    /// Quantities: positions, velocities, accelerations, friction forces.
    fn add_extrema(&self, span: [f64; 2], ranges: &mut Ranges) {
        let (n, m, d) = (self.model.layout.n, self.model.m(), self.model.layout.len());
        let stretch = &self.current;
        let (start, length) = (stretch.start, stretch.length);
        let mut at = |s: f64, out: &mut Motion| self.motion_of(false, start.plus(s * length).t, out);
        for k in 0..3 * n + m {
            let mut c: PanelSeries = [0.0; ORDER + 1];
            match k / n {
                0 | 1 => (0..=ORDER).for_each(|j| c[j] = stretch.z[j * d + k]),
                2 => {
                    let slope = |j: usize| (j + 1) as f64 * stretch.z[(j + 1) * d + k - n] / length;
                    (0..ORDER).for_each(|j| c[j] = slope(j));
                }
                _ => {
                    let row = &stretch.regime.force[k - 3 * n];
                    (0..=ORDER).for_each(|j| c[j] = dot(row, &stretch.z[j * d..(j + 1) * d]));
                }
            }
            seek(&c, span, ranges, k, &mut at);
        }
    }
}
