//! What ends a set of modes: rows over z that are positive until their event.

use super::super::super::load_harmonics::Side;
use super::super::super::prepared::Basis;
use super::regime::RowPool;
use super::{ModeSet, Model, Regime, SliderMode, UnilateralMode, ZRow, add};
use crate::contact::StopMode;

/// What becomes of a guard at zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GuardKind {
    /// A sliding contact reaches the end of its piece.
    Corner { contact: usize, side: Side },
    /// A resting contact reaches its limit.
    Limit { contact: usize, side: Side },
    /// The normal load vanishes.
    Opens { contact: usize },
    /// The normal load comes back.
    Lands { contact: usize },
    /// A spring reaches an end of its range.
    Yields { slider: usize, side: Side },
    /// The sliding velocity under a sliding slider vanishes.
    Catches { slider: usize },
    /// A stop is reached.
    Hits { stop: usize },
    /// A stop would have to pull.
    Releases { stop: usize },
    /// An elastic stop begins to press.
    Presses { stop: usize },
    /// The damper of an elastic stop would have to pull.
    Slackens { stop: usize },
    /// An elastic stop is left.
    Leaves { stop: usize },
    /// A threshold is passed.
    Crosses { threshold: usize, upwards: bool },
}

/// A row that is positive until its event.
#[derive(Debug)]
pub struct GuardRow {
    pub row: ZRow,
    /// Size of the constants that the row is the sum of, and of those of its rate (1/s): what cancels leaves
    /// its rounding.
    pub sizes: [f64; 2],
    pub kind: GuardKind,
}

impl Clone for GuardRow {
    fn clone(&self) -> Self {
        Self { row: self.row.clone(), ..*self }
    }
    fn clone_from(&mut self, other: &Self) {
        self.row.clone_from(&other.row);
        (self.sizes, self.kind) = (other.sizes, other.kind);
    }
}

impl Model {
    pub(super) fn add_guards(&self, modes: &ModeSet, basis: &Basis, out: &mut Regime, pool: &mut RowPool) {
        let ModeSet { contact_modes, slider_modes, holds, .. } = modes;
        let one = self.layout.one();
        for (i, mode) in contact_modes.iter().enumerate() {
            let corners = &self.contacts[i].line.corners;
            let moved = self.along(&self.contacts[i].direction, out);
            let load = out.loads[i];
            let varies = out.normal[i].iter().enumerate().any(|(k, x)| k != one && *x != 0.0);
            match *mode {
                UnilateralMode::Open => {
                    let row = pool.scaled(&out.normal[i], -1.0);
                    out.guards.push(GuardRow {
                        row,
                        sizes: [load, 0.0],
                        kind: GuardKind::Lands { contact: i },
                    });
                    continue;
                }
                UnilateralMode::Slide { piece } => {
                    for (side, corner) in [(Side::Low, piece.checked_sub(1)), (Side::High, Some(piece))] {
                        let Some(corner) = corner.and_then(|corner| corners.get(corner)) else { continue };
                        let sign = if side == Side::High { -1.0 } else { 1.0 };
                        let mut row = pool.scaled(&out.sliding[i], sign);
                        row[one] -= sign * corner.v;
                        let sizes = [corner.v.abs(), moved];
                        out.guards.push(GuardRow {
                            row,
                            sizes,
                            kind: GuardKind::Corner { contact: i, side },
                        });
                    }
                }
                UnilateralMode::Rest { corner } if basis.members.contains(&(self.stops.len() + i)) => {
                    let corner = corners[corner];
                    for (side, limit) in [(Side::Low, corner.low), (Side::High, corner.high)] {
                        let sign = if side == Side::High { -1.0 } else { 1.0 };
                        let mut row = pool.scaled(&out.force[i], sign);
                        add(-sign * limit, &out.normal[i], &mut row);
                        let own = self.stops.len() + i;
                        let sizes = [limit.abs() * load + moved / self.delassus.at(own, own), 0.0];
                        out.guards.push(GuardRow { row, sizes, kind: GuardKind::Limit { contact: i, side } });
                    }
                }
                // a stop holds it in place
                UnilateralMode::Rest { .. } => {}
            }
            if varies {
                let row = pool.copy(&out.normal[i]);
                out.guards.push(GuardRow { row, sizes: [load, 0.0], kind: GuardKind::Opens { contact: i } });
            }
        }
        for (k, (slider, mode)) in self.sliders.iter().zip(slider_modes).enumerate() {
            // without friction the slider slides for ever
            if !slider.holds() {
                continue;
            }
            match *mode {
                SliderMode::Stick => {
                    for (side, reach) in [Side::Low, Side::High].into_iter().zip(slider.reach) {
                        let mut row = pool.zeros();
                        row[slider.place] = if side == Side::High { -1.0 } else { 1.0 };
                        row[one] = reach;
                        out.guards.push(GuardRow {
                            row,
                            sizes: [0.0; 2],
                            kind: GuardKind::Yields { slider: k, side },
                        });
                    }
                }
                SliderMode::Slip(side) => {
                    let sign = if side == Side::High { 1.0 } else { -1.0 };
                    let row = pool.scaled(&out.sliding[slider.contact], sign);
                    out.guards.push(GuardRow {
                        row,
                        sizes: [0.0; 2],
                        kind: GuardKind::Catches { slider: k },
                    });
                }
            }
        }
        for (k, stop) in self.stops.iter().enumerate().filter(|(k, _)| !holds[*k]) {
            let mut row = pool.zeros();
            row.iter_mut().zip(&stop.direction).for_each(|(x, w)| *x = -w);
            row[one] = stop.position;
            let sizes = [stop.position.abs(), 0.0];
            out.guards.push(GuardRow { row, sizes, kind: GuardKind::Hits { stop: k } });
        }
    }

    pub(super) fn add_threshold_guards(&self, t: f64, beyond: &[bool], out: &mut Regime, pool: &mut RowPool) {
        for (k, is_beyond) in beyond.iter().enumerate() {
            let mut row = pool.zeros();
            self.set_threshold_row(k, t, &mut row);
            if !is_beyond {
                row.iter_mut().for_each(|x| *x = -*x);
            }
            let kind = GuardKind::Crosses { threshold: k, upwards: !is_beyond };
            let moved = self.along(&self.thresholds[k].row[self.layout.n..2 * self.layout.n], out);
            out.guards.push(GuardRow { row, sizes: [self.threshold_size(k, t), moved], kind });
        }
    }

    pub(super) fn add_elastic_guards(&self, stop_modes: &[StopMode], out: &mut Regime, pool: &mut RowPool) {
        for (k, (stop, mode)) in self.elastic.iter().zip(stop_modes).enumerate() {
            let [mut depth, mut force] = [pool.zeros(), pool.zeros()];
            self.set_elastic_rows(stop, [&mut depth, &mut force]);
            let mut push = |row, kind| out.guards.push(GuardRow { row, sizes: [0.0; 2], kind });
            match mode {
                StopMode::Free => push(pool.scaled(&depth, -1.0), GuardKind::Presses { stop: k }),
                StopMode::Closed if stop.damping == 0.0 => {
                    push(pool.copy(&depth), GuardKind::Leaves { stop: k });
                }
                StopMode::Closed => push(pool.copy(&force), GuardKind::Slackens { stop: k }),
                StopMode::Slack => {
                    push(pool.scaled(&force, -1.0), GuardKind::Presses { stop: k });
                    push(pool.copy(&depth), GuardKind::Leaves { stop: k });
                }
            }
            pool.spare.extend([depth, force]);
        }
    }
}
