//! The first event of a patch of Taylor series.

use super::Many;
use crate::exact::load_harmonics::Side;
use crate::exact::oscillator::Bounds;
use crate::exact::panel::DERIVATIVES;
use crate::exact::prepared::sparse_dot;
use crate::exact::root_isolation::{Guard, RootSearch, Stalled};
use crate::exact::segment::{ORDER, PolylineMode};

/// Rounding of a polynomial in units of its terms.
const NOISE: f64 = 8.0 * f64::EPSILON;

impl Many {
    /// The first event in the patch.
    pub(super) fn search(&mut self) -> Result<(), Stalled> {
        self.is_searched = true;
        self.fired.clear();
        let mut first = f64::INFINITY;
        for i in 0..self.body.contacts.len() {
            for side in [Side::Low, Side::High] {
                let Some(limit) = self.limit(i, side) else { continue };
                let lead = self.load_series(i, side, limit);
                let Some(lead) = lead else { continue };
                let rests = matches!(self.patch.mode[i], PolylineMode::Rest { .. });
                if let Some(s) = first_root(&self.series, lead, first.min(1.0), rests)? {
                    if s < first {
                        self.fired.clear();
                        first = s;
                    }
                    self.fired.push((i, side));
                }
            }
        }
        self.found = first.is_finite().then_some(first);
        Ok(())
    }

    /// The value that contact `i` must not pass: a velocity if it slides, a force if it rests.
    fn limit(&self, i: usize, side: Side) -> Option<f64> {
        let line = &self.body.contacts[i].line;
        match self.patch.mode[i] {
            PolylineMode::Slide { piece } => match side {
                Side::Low => piece.checked_sub(1).map(|corner| line.corners[corner].v),
                Side::High => line.corners.get(piece).map(|corner| corner.v),
            },
            PolylineMode::Rest { yields: Some(end), .. } if end != side => None,
            PolylineMode::Rest { corner, .. } => Some(match side {
                Side::Low => line.corners[corner].low,
                Side::High => line.corners[corner].high,
            }),
        }
    }

    /// The distance of contact `i` from its limit as a series, positive until the event, and the order of its
    /// first term; `None` if it stays at the limit.
    fn load_series(&mut self, i: usize, side: Side, limit: f64) -> Option<usize> {
        let (n, m) = (self.body.n, self.body.contacts.len());
        let patch = &self.patch;
        let contact = &self.body.contacts[i];
        let slides = matches!(patch.mode[i], PolylineMode::Slide { .. });
        // a contact that yields is beyond its limit until it unloads
        let beyond = matches!(patch.mode[i], PolylineMode::Rest { yields: Some(_), .. });
        let sign = if (side == Side::High) != beyond { -1.0 } else { 1.0 };
        for (j, c) in self.series.iter_mut().enumerate() {
            *c = sign
                * if slides {
                    sparse_dot(&contact.direction, &patch.v[j * n..])
                } else {
                    patch.force[j * m + i]
                };
        }
        self.series[0] -= sign * if slides { limit + contact.belt } else { limit };
        if patch.at[i] == Some(side) { (patch.lead[i] > 0).then_some(patch.lead[i]) } else { Some(0) }
    }
}

/// The first root in (0, end] of the series, which is positive at first; terms below order `lead` are
/// rounding.
///
/// With `may_touch` a double root is none.
pub(in crate::exact) fn first_root(
    series: &[f64; ORDER + 1],
    lead: usize,
    end: f64,
    may_touch: bool,
) -> Result<Option<f64>, Stalled> {
    let c = &series[lead..];
    let below: f64 = c[1..].iter().map(|c| c.abs()).sum();
    if c[0] > below * (1.0 + NOISE) {
        return Ok(None);
    }
    let (mut third, mut fourth) = (0.0, 0.0);
    for ([to_third, to_fourth], c) in DERIVATIVES.iter().zip(c) {
        third += to_third * c.abs();
        fourth += to_fourth * c.abs();
    }
    let bounds = Bounds { third, fourth, reach: f64::INFINITY };
    let (mut s, mut march) = (0.0, RootSearch::default());
    while s <= end {
        let (mut g, mut size) = ([0.0; 4], 0.0);
        for c in c.iter().rev() {
            g[3] = g[3] * s + g[2];
            g[2] = g[2] * s + g[1];
            g[1] = g[1] * s + g[0];
            g[0] = g[0] * s + c;
            size = size * s + c.abs();
        }
        let guard = Guard::new([g[0], g[1], 2.0 * g[2], 6.0 * g[3]], bounds, NOISE * size);
        if may_touch
            && guard.has_come()
            && let Some(past) = guard.passes()
        {
            s = march.after(s, past)?;
            continue;
        }
        if let Some(step) = guard.arrival() {
            let root = (s + step).max(0.0);
            return Ok((root <= end).then_some(root));
        }
        s = march.after(s, guard.safe_step())?;
    }
    Ok(None)
}
