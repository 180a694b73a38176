//! While everything rests: what the contacts hold as functions of time, and the first that lets go.

use super::Many;
use crate::exact::load_harmonics::Side;
use crate::exact::prepared::sparse_dot;
use crate::exact::root_isolation::Stalled;
use crate::exact::segment::PolylineMode;

impl Many {
    /// Everything rests: the forces as functions of time.
    pub(super) fn rest(&mut self) {
        let (body, patch) = (&self.body, &self.patch);
        let (n, m) = (body.n, body.contacts.len());
        // H with W H = x, through G H = Wᵀ M⁻¹ x
        let carried = |mut x: Vec<f64>| {
            body.apply_mobility(&mut x);
            let mut held: Vec<f64> =
                patch.basis.members.iter().map(|&i| sparse_dot(&body.contacts[i].direction, &x)).collect();
            patch.basis.solve(&mut held);
            let mut forces = vec![0.0; m];
            patch.distribute(&held, &mut forces);
            forces
        };
        let (q, v) = (&patch.q[..n], &patch.v[..n]);
        let row =
            |k: usize| body.constant[k] - sparse_dot(&body.damping[k], v) - sparse_dot(&body.stiffness[k], q);
        let mut load: Vec<f64> = (0..n).map(row).collect();
        for (i, contact) in body.contacts.iter().enumerate() {
            let force = match patch.mode[i] {
                PolylineMode::Slide { .. } => patch.force[i],
                PolylineMode::Rest { .. } => patch.yielded(body, i).unwrap_or(0.0),
            };
            contact.direction.iter().for_each(|&(k, w)| load[k] -= w * force);
        }
        let base = carried(load);
        let drift = carried((0..n).map(|k| -sparse_dot(&body.stiffness[k], v)).collect());
        for i in 0..m {
            // the measure of rounding of a demand is an eighth of a unit, that of a balance 512
            let scale = patch.force_noise[i] / (64.0 * f64::EPSILON);
            self.demands[i].start(base[i], drift[i], scale);
            self.demand_from[i] = 0.0;
        }
        for (omega, phase, amplitude) in &body.tones {
            let (sine, cosine) = libm::sincos(patch.start.angle(*omega, *phase));
            let wave = carried(amplitude.clone());
            for (demand, size) in self.demands.iter_mut().zip(wave) {
                demand.add(size, *omega, [sine, cosine]);
            }
        }
    }

    /// The first time at which a resting contact can hold no more, or one that yields begins to unload.
    pub(super) fn rest_exit(&mut self, end: f64) -> Result<Option<(f64, usize, Side)>, Stalled> {
        let mut first: Option<(f64, usize, Side)> = None;
        for i in 0..self.body.contacts.len() {
            let PolylineMode::Rest { corner, yields } = self.patch.mode[i] else { continue };
            let corner = self.body.contacts[i].line.corners[corner];
            let at = self.patch.at[i];
            let (low, high, at) = match yields {
                None => (corner.low, corner.high, at),
                Some(Side::High) => (corner.high, f64::INFINITY, at.map(|_| Side::Low)),
                Some(Side::Low) => (f64::NEG_INFINITY, corner.low, at.map(|_| Side::High)),
            };
            let end = first.map_or(end, |first| first.0);
            if let Some((tau, side)) = self.demands[i].exit(low, high, at, &mut self.demand_from[i], end)?
                && first.is_none_or(|first| tau < first.0)
            {
                first = Some((tau, i, side));
            }
        }
        Ok(first)
    }
}
