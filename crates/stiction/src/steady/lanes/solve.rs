//! Newton's method on the map over one period, W masses at once.

use super::map::{LaneWalk, MOST_PHASES, PhaseKind};
use super::numbers::{LaneSystems, PlainMass};
use super::tally::LaneTally;

/// Evaluations of the map before a lane is given up.
const MOST: u32 = 6;
/// A step must shorten the residual at least by this factor.
const PROGRESS: f64 = 0.7;

/// Where W searches begin.
#[derive(Clone, Debug)]
pub(super) struct LaneStarts<const W: usize> {
    pub masses: [PlainMass; W],
    /// Positions and velocities.
    pub x: [[f64; W]; 2],
    /// Lengths of the phases.
    pub lengths: [[f64; W]; MOST_PHASES],
}

/// What W searches have found.
#[derive(Clone, Debug)]
pub(super) struct LaneFound<const W: usize> {
    pub walk: Box<LaneWalk<W>>,
    pub tally: LaneTally<W>,
    pub x: [[f64; W]; 2],
    pub residual: [f64; W],
    pub iterations: [u32; W],
    pub is_found: [bool; W],
}

impl<const W: usize> LaneFound<W> {
    pub fn new() -> Self {
        Self {
            walk: Box::new(LaneWalk::new()),
            tally: LaneTally::new(),
            x: [[0.0; W]; 2],
            residual: [f64::INFINITY; W],
            iterations: [0; W],
            is_found: [false; W],
        }
    }

    /// Looks for the fixed points.
    #[inline(always)]
    pub fn search(&mut self, starts: &LaneStarts<W>, order: &[PhaseKind], tolerance: f64) {
        let systems = LaneSystems::new(&starts.masses);
        let mut lengths = starts.lengths;
        self.x = starts.x;
        self.is_found = [false; W];
        self.residual = [f64::INFINITY; W];
        let mut is_over = [false; W];
        for evaluation in 1..=MOST {
            for k in 0..order.len().min(MOST_PHASES) {
                self.walk.phases[k].length = lengths[k];
            }
            self.walk.period(&systems, order, &self.x);
            for i in 0..W {
                if is_over[i] {
                    // the same again
                    continue;
                }
                self.iterations[i] = evaluation;
                let before = self.residual[i];
                self.residual[i] = self.residual_of(i, &starts.masses[i]);
                self.is_found[i] = self.walk.end.faults[i] == 0.0 && self.residual[i] <= tolerance;
                let goes_on = self.walk.end.faults[i] == 0.0 && self.residual[i] <= PROGRESS * before;
                is_over[i] = self.is_found[i] || !goes_on;
                if !is_over[i] {
                    self.step(i);
                    for k in 0..order.len().min(MOST_PHASES) {
                        lengths[k][i] = self.walk.phases[k].length[i];
                    }
                }
            }
            if is_over.iter().all(|is_over| *is_over) {
                break;
            }
        }
        self.tally.measure(&systems, order, &self.walk);
    }

    /// Distance between a state and its image, over the size of the motion.
    fn residual_of(&self, i: usize, mass: &PlainMass) -> f64 {
        let (x, end) = ([self.x[0][i], self.x[1][i] / mass.omega], &self.walk.end);
        let image = [end.u[i], end.v[i] / mass.omega];
        let size = x.iter().chain(&image).fold(mass.length(), |size, x| size.max(x.abs()));
        let distance = (x[0] - image[0]).abs().max((x[1] - image[1]).abs());
        // a NaN is far away
        if distance.is_nan() { f64::INFINITY } else { distance / size }
    }

    /// x ← x + δ, (I − P′) δ = P(x) − x.
    fn step(&mut self, i: usize) {
        let end = &self.walk.end;
        let [a, b, c, d] = end.slopes.map(|slope| slope[i]);
        let (du, dv) = (end.u[i] - self.x[0][i], end.v[i] - self.x[1][i]);
        let determinant = (1.0 - a) * (1.0 - d) - b * c;
        self.x[0][i] += ((1.0 - d) * du + b * dv) / determinant;
        self.x[1][i] += (c * du + (1.0 - a) * dv) / determinant;
    }
}

impl LaneFound<8> {
    /// The same with the widest registers that the processor has: same operations, same bits.
    pub fn search_wide(&mut self, starts: &LaneStarts<8>, order: &[PhaseKind], tolerance: f64) {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has been asked on the line above
            #[allow(unsafe_code)]
            return unsafe { self.search_in_vectors(starts, order, tolerance) };
        }
        self.search(starts, order, tolerance);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn search_in_vectors(&mut self, starts: &LaneStarts<8>, order: &[PhaseKind], tolerance: f64) {
        self.search(starts, order, tolerance);
    }
}
