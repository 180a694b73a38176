//! Impacts on rigid stops.
//!
//! Impacts turn n·q̇ into −e n·q̇, with the least change of kinetic energy elsewhere; friction impulses are
//! neglected. Once the remaining bounces take less than [`BOUNCE`] of the system's own time, the geometric
//! series of their times is summed, and the stop stays closed.

use super::resolution::Resolution;
use super::row::{sparse_dot, subtract};
use crate::contact::StopMode;

/// Bounces that together take less than this part of 1/ρ, and of the time so far, are summed: what that
/// neglects is of second order in it, and of first order where friction turns round in every bounce.
const BOUNCE: f64 = 1e-8;

impl Resolution<'_> {
    /// Closed stops whose velocity has jumped hit what they keep, or leave it behind.
    pub(super) fn follow_moved_stops(&mut self) {
        let model = self.model;
        for (k, stop) in model.stops.iter().enumerate().filter(|(_, stop)| stop.velocity.is_some()) {
            let [speed, noise, _] = self.next.measured(model, &stop.approach);
            if self.next.regime.stops[k].is_closed() && speed.abs() > noise {
                self.next.regime.stops[k] = StopMode::rigid(false);
                if speed > 0.0 {
                    self.hit(k);
                }
            }
        }
    }

    /// A stop is reached: the velocity turns round, or stays zero if it is rounding.
    pub(super) fn hit(&mut self, stop: usize) {
        let (model, next, n) = (self.model, &mut *self.next, self.model.n);
        let (wall, compliance) = (&model.stops[stop], model.delassus.at(stop, stop));
        let [speed, noise, _] = next.measured(model, &wall.approach);
        // exactly on the stop: a position beyond it by the rounding of the way there would hit it again
        let position = wall.gap.constant + sparse_dot(&wall.gap.signals, &next.series.signals);
        let off = (sparse_dot(&wall.direction, &next.series.q[..n]) - position) / compliance;
        subtract(&wall.mobility, off, &mut next.series.q[..n]);
        if speed <= noise {
            next.regime.stops[stop] = StopMode::rigid(true);
            return;
        }
        let e = wall.restitution;
        subtract(&wall.mobility, (1.0 + e) * speed / compliance, &mut next.series.v[..n]);
        self.done.loss += 0.5 * (1.0 - e * e) * speed * speed / compliance;
        let moved = wall.velocity.map_or(0.0, |velocity| next.series.signals[velocity]);
        self.done.work -= (1.0 + e) * speed / compliance * moved;
        self.done.impacts.push((stop, None));
    }

    /// Closes a stop that was hit if the bounces that are left take no time. Returns whether one was closed.
    pub(super) fn sum_bounces(&mut self) -> bool {
        let (model, n) = (self.model, self.model.n);
        let next = &mut *self.next;
        for impact in &mut self.done.impacts {
            let (stop, None) = *impact else { continue };
            let wall = &model.stops[stop];
            let order = |j: usize| {
                let signals = &next.series.signals[j * model.signals.len()..];
                sparse_dot(&wall.direction, &next.series.v[j * n..(j + 1) * n])
                    + sparse_dot(&wall.approach.signals, signals)
            };
            let (speed, pressed) = (-order(0), order(1) / next.length);
            if next.regime.stops[stop].is_closed() || !(pressed > 0.0) || wall.restitution >= 1.0 {
                continue;
            }
            let left = 2.0 * speed / (pressed * (1.0 - wall.restitution));
            let rate = next.rate(model);
            if !(left < BOUNCE * next.start.t.abs().min(1.0 / rate)) {
                continue;
            }
            // what is left of the speed goes with the bounces
            let compliance = model.delassus.at(stop, stop);
            self.done.loss += 0.5 * speed * speed / compliance;
            self.done.work +=
                speed / compliance * wall.velocity.map_or(0.0, |velocity| next.series.signals[velocity]);
            impact.1 = Some(left);
            next.regime.stops[stop] = StopMode::rigid(true);
            return true;
        }
        false
    }
}
