//! Fixed points of the map over one period by Newton's method, with plain iteration where it has no success.
//!
//! ```text
//!   (I − P′(x)) δ = P(x) − x,     x ← x + λδ
//! ```
//!
//! P is smooth as long as the order of the phases stays, so near a fixed point the convergence is quadratic.
//! A step that does not shorten the residual is halved twice; then the motion itself is followed for some
//! periods, twice as many every time.

use super::flow::Flow;
use super::flow::attempted;
use super::starts::{reference, state_units};
use crate::Error;
use crate::math::dense::{Matrix, dot};
use crate::math::pivoted;
use crate::system::System;

/// Residuals below this that do not shrink any more are rounding.
const ROUNDING: f64 = 1e-10;
/// Part of a velocity below which the sliding that is left is rounding.
const SNAP: f64 = 1e-14;
/// A Newton step must shorten the residual at least by this factor.
const PROGRESS: f64 = 0.7;
/// Lengths of a Newton step that are tried.
const LENGTHS: [f64; 3] = [1.0, 0.5, 0.25];
/// Steps shorter than this, relative to the motion, change no digit that counts.
const CLOSE: f64 = 1e-13;
/// A period is cut into so many steps at most; a motion with more events does not end.
const MAX_STEPS: u64 = 2_000_000;

/// The size of states: positions as they are, velocities divided by a frequency (m).
#[derive(Clone, Debug)]
pub(super) struct Norm {
    n: usize,
    pub omega: f64,
    /// A length that belongs to the system (m).
    pub length: f64,
    /// Directions and belts of the contacts.
    contacts: Vec<(Vec<f64>, f64)>,
    /// What the states of laws and feedback are divided by.
    states: Vec<f64>,
}

impl Norm {
    pub fn new(system: &System, period: f64) -> Self {
        let length = 1e-3 * reference(system).0;
        let contacts = system
            .contacts
            .iter()
            .enumerate()
            .map(|(i, contact)| (contact.direction.clone(), contact.belt + system.elements.belt(i, 0.0)))
            .collect();
        let states = state_units(system);
        Self { n: system.n(), omega: std::f64::consts::TAU / period, length, contacts, states }
    }

    /// Which contacts do not slide.
    fn rests(&self, x: &[f64]) -> Vec<bool> {
        let v = &x[self.n..2 * self.n];
        self.contacts.iter().map(|(direction, belt)| dot(direction, v) == *belt).collect()
    }

    /// Puts contacts to rest that slide at the rounding of their velocity only.
    pub fn snap(&self, x: &mut [f64]) {
        let v = &mut x[self.n..2 * self.n];
        for (direction, belt) in &self.contacts {
            let sliding = dot(direction, v) - belt;
            let largest = direction.iter().zip(&*v).map(|(w, v)| (w * v).abs()).fold(belt.abs(), f64::max);
            let square = dot(direction, direction);
            if sliding != 0.0 && sliding.abs() <= SNAP * largest {
                match direction.iter().position(|w| *w != 0.0) {
                    Some(k) if square == direction[k] * direction[k] => v[k] = belt / direction[k],
                    _ => v.iter_mut().zip(direction).for_each(|(v, w)| *v -= sliding / square * w),
                }
            }
        }
    }

    /// Number of degrees of freedom.
    pub fn n(&self) -> usize {
        self.n
    }

    /// What the loads deflect the system by (m).
    pub fn reference(&self) -> f64 {
        1e3 * self.length
    }

    /// What component `i` is divided by.
    pub fn unit(&self, i: usize) -> f64 {
        match i / self.n {
            0 => 1.0,
            1 => self.omega,
            _ => self.states.get(i - 2 * self.n).copied().unwrap_or(1.0),
        }
    }

    pub fn distance(&self, x: &[f64], y: &[f64]) -> f64 {
        let part = |i: usize| (x[i] - y[i]).abs() / self.unit(i);
        // a NaN is far away
        (0..x.len()).map(part).fold(0.0, |a, b| if b.is_nan() { f64::INFINITY } else { f64::max(a, b) })
    }

    /// The largest factor by which a matrix enlarges a state.
    pub fn operator(&self, matrix: &Matrix) -> f64 {
        let row = |i: usize| -> f64 {
            (0..matrix.n_cols).map(|j| matrix.at(i, j).abs() * self.unit(j) / self.unit(i)).sum()
        };
        (0..matrix.n_rows).map(row).fold(0.0, f64::max)
    }

    /// Size of a motion that passes through both states.
    pub fn size(&self, x: &[f64], y: &[f64]) -> f64 {
        let part = |i: usize| x[i].abs().max(y[i].abs()) / self.unit(i);
        (0..x.len()).map(part).fold(self.length, f64::max)
    }
}

/// A fixed point.
#[derive(Clone, Debug)]
pub(super) struct Fixed {
    pub x: Vec<f64>,
    /// P′(x).
    pub slopes: Matrix,
    pub residual: f64,
    pub iterations: u32,
    pub periods: u32,
}

/// x ← P(x), `times` times.
pub(super) fn run(flow: &mut Flow, period: f64, x: &mut [f64], times: u32) -> Result<(), Error> {
    for time in 1..=times {
        flow.say(&|| format!("period {time} of {times} on the way"));
        walk(flow, period, x, None)?;
    }
    Ok(())
}

/// x ← P(x); `slopes` becomes P′(x).
pub(super) fn walk(
    flow: &mut Flow,
    period: f64,
    x: &mut [f64],
    mut slopes: Option<&mut Matrix>,
) -> Result<(), Error> {
    flow.begin(0.0, x)?;
    if let Some(slopes) = slopes.as_deref_mut() {
        slopes.data.fill(0.0);
        (0..x.len()).for_each(|i| *slopes.at_mut(i, i) = 1.0);
    }
    let mut steps = 0;
    while flow.t() < period {
        flow.step(period)?;
        if let Some(slopes) = slopes.as_deref_mut() {
            flow.carry(slopes);
        }
        steps += 1;
        if steps > MAX_STEPS {
            return Err(Error::TooManySteps { t: flow.t(), limit: MAX_STEPS });
        }
    }
    flow.state(x);
    Ok(())
}

/// One evaluation of the map.
struct Trial {
    x: Vec<f64>,
    image: Vec<f64>,
    slopes: Matrix,
    residual: f64,
}

impl Trial {
    fn new(flow: &mut Flow, period: f64, norm: &Norm, x: Vec<f64>) -> Result<Self, Error> {
        let mut image = x.clone();
        let mut slopes = Matrix::zeros(x.len(), x.len());
        walk(flow, period, &mut image, Some(&mut slopes))?;
        let residual = norm.distance(&x, &image) / norm.size(&x, &image);
        Ok(Self { x, image, slopes, residual })
    }

    /// δ, if it is finite.
    fn step(&self) -> Option<Vec<f64>> {
        let n = self.x.len();
        let mut matrix = self.slopes.clone();
        matrix.data.iter_mut().for_each(|a| *a = -*a);
        (0..n).for_each(|i| *matrix.at_mut(i, i) += 1.0);
        let mut step: Vec<f64> = self.image.iter().zip(&self.x).map(|(p, x)| p - x).collect();
        pivoted::solve(&mut matrix, &mut step).then_some(step)
    }
}

/// Steps longer than this, relative to the motion, lead to another one of a continuum.
const POLISH: f64 = 1e-8;

/// One step of Newton's method more, where the state may be farther from the fixed point than from its image:
/// where a multiplier is next to 1, and where the tolerance of the engine ended the search early.
fn polished(
    flow: &mut Flow,
    period: f64,
    norm: &Norm,
    now: &Trial,
    tolerance: f64,
) -> Result<Option<Trial>, Error> {
    let Some(step) = now.step().filter(|_| now.residual <= tolerance) else { return Ok(None) };
    let x: Vec<f64> = now.x.iter().zip(&step).map(|(x, step)| x + step).collect();
    let way = norm.distance(&x, &now.x) / norm.size(&x, &now.x);
    if !(CLOSE..=POLISH).contains(&way) {
        return Ok(None);
    }
    let trial = attempted(Trial::new(flow, period, norm, x))?;
    Ok(trial.filter(|trial| trial.residual <= PROGRESS * now.residual))
}

/// The highest order of a subharmonic motion that is looked for.
const ORDERS: u32 = 12;
/// Part of its size by which a motion that is still approached may miss itself.
const REPEATS: f64 = 1e-6;
/// Periods after which a motion that a search did not settle on may have settled.
const SETTLING: u32 = 64;

/// The error where there is no fixed point next to `x`, with this residual: the motion from there repeats itself
/// after several periods, or it does not.
fn miss(
    flow: &mut Flow,
    period: f64,
    norm: &Norm,
    (mut x, residual): (Vec<f64>, f64),
) -> Result<Error, Error> {
    run(flow, period, &mut x, SETTLING)?;
    let order = order(flow, period, norm, &x)?;
    let none = Error::NoPeriodicMotion { starts: 1, residual };
    Ok(order.map_or(none, |order| Error::OnlySubharmonic { order }))
}

/// After how many periods the motion from `x` repeats itself, if it takes several.
fn order(flow: &mut Flow, period: f64, norm: &Norm, x: &[f64]) -> Result<Option<u32>, Error> {
    let mut image = x.to_vec();
    for order in 1..=ORDERS {
        run(flow, period, &mut image, 1)?;
        if norm.distance(x, &image) <= REPEATS * norm.size(x, &image) {
            return Ok((order > 1).then_some(order));
        }
    }
    Ok(None)
}

/// Looks for a fixed point from `x`.
pub(super) fn fixed_point(
    flow: &mut Flow,
    period: f64,
    norm: &Norm,
    x: Vec<f64>,
    (tolerance, max_periods): (f64, u32),
) -> Result<Fixed, Error> {
    flow.say(&|| "first period with its derivative".to_owned());
    let mut now = Trial::new(flow, period, norm, x)?;
    let (mut iterations, mut periods, mut burst) = (1, 0, 2);
    loop {
        if now.residual <= tolerance {
            break;
        }
        let residual = now.residual;
        flow.say(&|| {
            format!("Newton's step {iterations}, off by {residual:.0e} of the motion after a period")
        });
        let mut next = None;
        if let Some(step) = now.step() {
            for length in LENGTHS {
                let x = now.x.iter().zip(&step).map(|(x, step)| x + length * step).collect();
                let Some(trial) = attempted(Trial::new(flow, period, norm, x))? else { continue };
                iterations += 1;
                let enough = (PROGRESS * now.residual).max(tolerance);
                if trial.residual <= enough {
                    next = Some(trial);
                    break;
                }
                if now.residual <= ROUNDING {
                    break;
                }
                // the step is long along what dies out slowly, and bent across it: a period later that is
                // gone
                let later = attempted(Trial::new(flow, period, norm, trial.image))?;
                iterations += 1;
                if let Some(trial) = later.filter(|later| later.residual <= enough) {
                    next = Some(trial);
                    break;
                }
            }
        }
        now = match next {
            Some(trial) => trial,
            None if now.residual <= ROUNDING => break,
            None if periods + iterations >= max_periods => {
                return Err(miss(flow, period, norm, (now.image, now.residual))?);
            }
            None => {
                let mut x = now.image;
                run(flow, period, &mut x, burst)?;
                periods += burst;
                burst *= 2;
                Trial::new(flow, period, norm, x)?
            }
        };
    }
    if let Some(better) = polished(flow, period, norm, &now, tolerance)? {
        now = better;
        iterations += 1;
    }
    let Trial { mut x, image, slopes, mut residual } = now;
    if residual > tolerance || norm.rests(&x) != norm.rests(&image) {
        // next to a discontinuity a state may come near itself and then go elsewhere: its image must come
        // back as well
        let mut again = image.clone();
        walk(flow, period, &mut again, None)?;
        let growth = 10.0 * norm.operator(&slopes).max(1.0);
        let missed = norm.distance(&image, &again) / norm.size(&image, &again);
        if missed.is_nan() || missed > growth * residual.max(tolerance).max(ROUNDING) {
            return Err(miss(flow, period, norm, (again, missed))?);
        }
        if norm.rests(&x) != norm.rests(&image) && norm.rests(&image) == norm.rests(&again) {
            (x, residual) = (image, missed);
        }
    }
    Ok(Fixed { x, slopes, residual, iterations, periods })
}
