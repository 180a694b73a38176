//! Bounds on the rates of a motion, which set the length of its series.

use super::elements::OneSided;
use super::model::Model;
use super::row::{Row, norm};
use crate::contact::StopMode;
use crate::math::dense::{Matrix, dot};
use crate::system::{Inertia, System};

/// Bounds on the linear parts of the motion in the norm of the kinetic energy: of `M⁻¹K` (1/s²), `M⁻¹C` (1/s),
/// and of what each state of feedback adds to the accelerations.
#[derive(Clone, Debug)]
pub(super) struct RateBounds {
    pub stiffness: f64,
    pub damping: f64,
    /// |F_x| by state; rates of each state by position and velocity; |A|.
    pub by_state: Vec<f64>,
    pub states: Vec<[f64; 2]>,
    pub a: Vec<f64>,
    /// The highest frequency of loads and signals (rad/s).
    pub load: f64,
}

/// The modes that change the bounds.
pub(super) struct ActiveModes<'a> {
    pub pieces: &'a dyn Fn(usize) -> Option<usize>,
    pub slider_sticks: &'a dyn Fn(usize) -> bool,
    pub one_sided: &'a [StopMode],
    /// Whether nothing can move but with belts.
    pub is_pinned: bool,
}

/// Sweeps over all rows and columns while balancing.
const SWEEPS: usize = 8;

impl RateBounds {
    pub(super) fn new(
        system: &System,
        inertia: &Inertia,
        states: &[Row],
        feedback: &[(usize, Row)],
        first: usize,
        load: f64,
    ) -> Self {
        let n = system.n();
        let norm = |entry: &dyn Fn(usize, usize) -> f64| {
            let mut product = Matrix::zeros(n, n);
            for j in 0..n {
                let mut column: Vec<f64> = (0..n).map(|i| entry(i, j)).collect();
                inertia.solve(&mut column);
                (0..n).for_each(|i| *product.at_mut(i, j) = column[i]);
            }
            balanced_norm(product)
        };
        // M⁻¹S is self-adjoint in the norm of the kinetic energy if S is symmetric, and M⁻¹A skew if A is:
        // their norms are their spectral radii, which no other norm undercuts
        let of = |matrix: &Matrix| {
            let skew = matrix.asymmetry().is_some();
            norm(&|i, j| 0.5 * (matrix.at(i, j) + matrix.at(j, i)))
                + if skew { norm(&|i, j| 0.5 * (matrix.at(i, j) - matrix.at(j, i))) } else { 0.0 }
        };
        let (mut stiffness, mut damping) = (of(&system.stiffness), of(&system.damping));
        let p = states.len();
        let mut by_state = vec![0.0; p];
        for (k, row) in feedback {
            let mut unit = vec![0.0; n];
            unit[*k] = 1.0;
            let push = self::norm(&unit, inertia);
            stiffness += push * row.norm[0];
            damping += push * row.norm[1];
            row.x.iter().for_each(|&(l, f)| by_state[l - first] += push * f.abs());
        }
        let mut a = vec![0.0; p * p];
        for (k, row) in states.iter().enumerate() {
            row.x.iter().for_each(|&(l, x)| a[k * p + l - first] = x.abs());
        }
        Self { stiffness, damping, by_state, states: states.iter().map(|row| row.norm).collect(), a, load }
    }
}

/// A bound on the spectral radius: a norm of the absolute values in scales that make it small (@osborne1960).
fn balanced_norm(mut matrix: Matrix) -> f64 {
    let n = matrix.n_rows;
    let a = &mut matrix.data;
    a.iter_mut().for_each(|x| *x = x.abs());
    for _ in 0..SWEEPS {
        let mut has_moved = false;
        for k in 0..n {
            let own = a[k * n + k];
            let row = a[k * n..(k + 1) * n].iter().sum::<f64>() - own;
            let column = a[k..].iter().step_by(n).sum::<f64>() - own;
            let scale = (row / column).sqrt();
            // units that differ by less cost no more than that
            if row > 0.0 && column > 0.0 && !(0.5..=2.0).contains(&scale) {
                has_moved = true;
                a[k * n..(k + 1) * n].iter_mut().for_each(|x| *x /= scale);
                a[k..].iter_mut().step_by(n).for_each(|x| *x *= scale);
            }
        }
        if !has_moved {
            break;
        }
    }
    let rows = (0..n).map(|i| a[i * n..(i + 1) * n].iter().sum::<f64>()).fold(0.0, f64::max);
    let columns = (0..n).map(|j| a[j..].iter().step_by(n).sum::<f64>()).fold(0.0, f64::max);
    rows.min(columns)
}

impl Model {
    /// The one-sided elements that act.
    pub(super) fn acting<'a>(&'a self, modes: &'a [StopMode]) -> impl Iterator<Item = &'a OneSided> {
        let acts = |(_, mode): &(&OneSided, &StopMode)| mode.is_closed();
        self.one_sided.iter().zip(modes).filter(acts).map(|(element, _)| element)
    }

    /// A bound on all rates of change in these modes (1/s).
    pub(super) fn rate_in(&self, active: &ActiveModes) -> f64 {
        if active.is_pinned && self.feedback.states.is_empty() {
            return self.bounds.load;
        }
        let RateBounds { mut stiffness, mut damping, .. } = self.bounds;
        for (i, contact) in self.contacts.iter().enumerate() {
            let Some(piece) = (active.pieces)(i) else { continue };
            let piece = contact.line.pieces[piece];
            damping += piece.slope.abs() * self.compliance(i);
            if contact.varies {
                let push = piece.force.abs() * self.compliance(i).sqrt();
                stiffness += push * contact.normal.norm[0];
                damping += push * contact.normal.norm[1];
            }
        }
        for (k, slider) in self.sliders.iter().enumerate() {
            if (active.slider_sticks)(k) {
                stiffness += slider.stiffness * self.compliance(slider.contact);
            }
        }
        for element in self.acting(active.one_sided) {
            stiffness += element.norm * element.force.norm[0];
            damping += element.norm * element.force.norm[1];
        }
        let own = if self.feedback.states.is_empty() {
            damping + stiffness.sqrt()
        } else {
            self.rate_with_states(active, stiffness, damping)
        };
        own.max(self.bounds.load)
    }

    /// The same with states of feedback: the Perron root of the matrix of the norms of all blocks, by the
    /// bound of Collatz and Wielandt along the power iteration.
    fn rate_with_states(&self, active: &ActiveModes, stiffness: f64, damping: f64) -> f64 {
        const ITERATIONS: usize = 12;
        const LEAST: f64 = 1e-12;
        let p = self.feedback.states.len();
        let size = p + 2;
        let mut blocks = vec![0.0; size * size];
        if !active.is_pinned {
            blocks[1] = 1.0;
            (blocks[size], blocks[size + 1]) = (stiffness, damping);
            blocks[size + 2..2 * size].copy_from_slice(&self.bounds.by_state);
        }
        for k in 0..p {
            let row = &mut blocks[(k + 2) * size..(k + 3) * size];
            row[..2].copy_from_slice(&self.bounds.states[k]);
            row[2..].copy_from_slice(&self.bounds.a[k * p..(k + 1) * p]);
        }
        let first = self.sliders.len();
        for element in self.acting(active.one_sided) {
            for &(l, by) in &element.force.x {
                if !active.is_pinned {
                    blocks[size + 2 + l - first] += element.norm * by.abs();
                }
                for &(k, rate) in &element.rate {
                    blocks[(k - first + 2) * size + 2 + l - first] += (rate * by).abs();
                }
            }
            for &(k, rate) in &element.rate {
                let row = &mut blocks[(k - first + 2) * size..];
                row[0] += rate.abs() * element.force.norm[0];
                row[1] += rate.abs() * element.force.norm[1];
            }
        }
        let mut least = f64::INFINITY;
        let mut x = vec![1.0; size];
        x[1] = stiffness.sqrt() + damping + 1.0;
        for _ in 0..ITERATIONS {
            // an iteration of P + 1, which converges where P turns round and round
            let product: Vec<f64> = (0..size).map(|i| dot(&blocks[i * size..(i + 1) * size], &x)).collect();
            let bound = product.iter().zip(&x).map(|(y, x)| y / x).fold(0.0, f64::max);
            least = least.min(bound);
            let largest = product.iter().zip(&x).map(|(y, x)| y / least + x).fold(0.0, f64::max);
            if !(largest > 0.0 && largest.is_finite()) {
                break;
            }
            x.iter_mut().zip(&product).for_each(|(x, y)| *x = (y / least + *x).max(LEAST * *x));
            if x.iter().any(|x| *x > 1e100) {
                x.iter_mut().for_each(|x| *x *= 1e-100);
            }
        }
        least
    }
}
