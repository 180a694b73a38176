//! Velocities inside steps of the stiff method, made to agree with its accelerations.
//!
//! Where friction is steep, a velocity that is right to the tolerance leaves the force undecided: at rest
//! under rate-and-state friction 10⁻¹² m/s may be 10⁻² N. The polynomial of a step knows the acceleration ā,
//! and with it the force, far better. One searches the change u = Wᵀδv of the sliding velocities with which
//! the laws give that force, by Newton's method:
//!
//! ```text
//!   (λ 1 + h G S) u = h Wᵀ r,   δv = (h/λ) (r − M⁻¹W S u),   r = a(v) − ā,   S = dH/dv,   G = WᵀM⁻¹W
//! ```
//!
//! λ leaves alone what is not stiff, h G S ≪ λ: there the velocity is the better known of the two.

use super::Dynamics;
use crate::math::dense::dot;
use crate::math::lu::eliminate;

/// λ: a direction is stiff if friction changes its velocity this many times faster than the step is long.
const STIFF: f64 = 1e3;
/// The same of a state without a step: from here on the velocity is quasi-static, which changes it by 1e-9 of itself.
const QUASI_STATIC: f64 = 1e9;
/// Most iterations inside a step, and from a state whose velocity may have the wrong sign.
const ROUNDS: usize = 6;
const MOST_ROUNDS: usize = 60;
/// Halvings of one that leads away.
const HALVINGS: usize = 8;
/// Accelerations agree to this part of the largest.
const AGREES: f64 = 1e-13;

/// Scratch of the search.
#[derive(Clone, Debug, Default)]
pub(super) struct PolishScratch {
    /// r (m/s²).
    off: Vec<f64>,
    /// δv (m/s).
    change: Vec<f64>,
}

impl PolishScratch {
    pub fn new(n: usize) -> Self {
        Self { off: vec![0.0; n], change: vec![0.0; n] }
    }
}

impl Dynamics {
    /// Changes the velocities of `y` at time `t`, inside a step of the stiff method of length `h`, so that
    /// the accelerations are `rates` where friction is stiff.
    pub(crate) fn polish(&mut self, t: f64, y: &mut [f64], rates: &[f64], h: f64) {
        self.polish_beyond((STIFF, ROUNDS), t, y, rates, h);
    }

    /// Changes the velocities of a state that is known to a tolerance: contacts that creep so slowly that friction
    /// changes their velocities at once get the quasi-static ones. `rates` is scratch.
    pub(crate) fn polish_creep(&mut self, t: f64, y: &mut [f64], rates: &mut [f64]) {
        let rate = self.prepared.scales.fastest();
        if rate > 0.0 && self.prepared.creeps {
            rates.fill(0.0);
            self.polish_beyond((QUASI_STATIC, MOST_ROUNDS), t, y, rates, 1.0 / rate);
        }
    }

    fn polish_beyond(&mut self, (stiff, rounds): (f64, usize), t: f64, y: &mut [f64], rates: &[f64], h: f64) {
        let n = self.prepared.n();
        if self.prepared.contacts.is_empty() || self.prepared.contacts.iter().any(|own| own.answers) {
            return;
        }
        let mut own = std::mem::take(&mut self.polish);
        let mut distance = self.distance(t, y, rates, &mut own.off);
        for _ in 0..rounds {
            let largest = rates.iter().chain(&own.off).fold(0.0, |most: f64, a| most.max(a.abs()));
            if distance <= AGREES * largest || !self.newton(y, (h, stiff), &mut own) {
                break;
            }
            let mut taken = 0.0;
            let mut found = None;
            for halving in 0..HALVINGS {
                let part = 0.5_f64.powi(halving as i32);
                y[n..2 * n].iter_mut().zip(&own.change).for_each(|(v, d)| *v += (part - taken) * d);
                taken = part;
                let next = self.distance(t, y, rates, &mut own.off);
                if next < distance {
                    found = Some(next);
                    break;
                }
            }
            let Some(next) = found else {
                y[n..2 * n].iter_mut().zip(&own.change).for_each(|(v, d)| *v -= taken * d);
                break;
            };
            distance = next;
        }
        self.polish = own;
    }

    /// The largest difference of the sliding accelerations at (t, y) from those of `rates`, leaving the
    /// differences in `off`.
    fn distance(&mut self, t: f64, y: &[f64], rates: &[f64], off: &mut [f64]) -> f64 {
        let Self { prepared, forces, regime, .. } = self;
        forces.evaluate(prepared, regime, t, y);
        forces.accelerate(prepared, regime, off);
        off.iter_mut().zip(rates).for_each(|(a, rate)| *a -= rate);
        let sliding = |contact: &crate::system::Contact| dot(&contact.direction, off).abs();
        prepared.system.contacts.iter().map(sliding).fold(0.0, f64::max)
    }

    /// One step of Newton's method from the state of the last evaluation; whether there is one in a stiff
    /// direction.
    fn newton(&mut self, y: &[f64], (h, stiff): (f64, f64), own: &mut PolishScratch) -> bool {
        let Self { prepared, forces, regime, .. } = self;
        let m = prepared.contacts.len();
        let mut is_stiff = false;
        for i in 0..m {
            let sticks = regime.contacts[i].sticks();
            let slope = if sticks { 0.0 } else { forces.slope(prepared, i, y).max(0.0) };
            is_stiff |= h * prepared.delassus(i, i) * slope > stiff;
            forces.held.low[i] = slope;
            forces.held.b[i] = h * dot(&prepared.system.contacts[i].direction, &own.off);
        }
        // the room of the contacts at rest, which are done with
        let held = &mut forces.held;
        let (slopes, matrix, u) = (&held.low[..m], &mut held.g[..m * m], &mut held.b[..m]);
        for (i, row) in matrix.chunks_exact_mut(m).enumerate() {
            for (j, a) in row.iter_mut().enumerate() {
                *a = h * prepared.delassus(i, j) * slopes[j] + if i == j { stiff } else { 0.0 };
            }
        }
        if !is_stiff || !eliminate(matrix, m, u) {
            return false;
        }
        own.change.copy_from_slice(&own.off);
        for (contact, (slope, u)) in prepared.contacts.iter().zip(slopes.iter().zip(u)) {
            own.change
                .iter_mut()
                .zip(&contact.mobility)
                .for_each(|(d, mobility)| *d -= mobility * slope * *u);
        }
        own.change.iter_mut().for_each(|d| *d *= h / stiff);
        own.change.iter().all(|d| d.is_finite())
    }
}
