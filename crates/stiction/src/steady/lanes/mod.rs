//! Several points of a sweep at once: one mass on a spring under Coulomb friction, a constant and a harmonic force.
//!
//! The points ahead are guessed from the last ones by a polynomial, states and lengths of phases alike, and Newton's method goes on from there in
//! all lanes together. A point counts if its phases come in the order of the last ones, which is proved (see `map`), if it is found within a few
//! evaluations near its guess, and if it is stable; the first one for which that does not hold, and whatever is no such mass, is left to the
//! search for one point.

// a lane is an index into many arrays
#![allow(clippy::needless_range_loop)]

mod map;
mod numbers;
mod proof;
mod solve;
mod tally;

use super::flow::{EXACT_ACCURACY, EXACT_SLOPES};
use super::measure::{NO_MOTION, SYMMETRIC};
use super::stuck::SLIGHT;
use super::{Engine, Multiplier, NEUTRAL, Orbit, Point, Stability, State, Steady, check_balance, stability};
use crate::event::{Event, EventKind};
use crate::math::dense::Matrix;
use crate::math::eigen::eigenvalues_of_two;
use crate::math::wide::LANES;
use crate::simulate::Balance;
use crate::system::System;
use map::{MOST_PHASES, PhaseKind};
pub(super) use numbers::PlainMass;
use solve::{LaneFound, LaneStarts};

/// How many points of a sweep are worked on at once. The numbers of one and of eight are the same to the bit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SweepLanes {
    /// Every point is searched for by itself, by what carries any system.
    Off,
    /// Points of one mass under Coulomb friction by the method of lanes, one after the other.
    One,
    /// Eight of them at once.
    #[default]
    Eight,
}

/// Points that a polynomial goes through, at most.
const NODES: usize = 4;
/// A value farther away than this, in units of the last step and for each point on the way, is out of reach of the polynomial.
const REACH: f64 = 1.5;
/// Part of the motion by which it may differ from its guess.
const NEAR: f64 = 0.05;
/// The square of the velocity may be this much smaller than those of its parts before it has lost three digits.
const CANCELS: f64 = 1e6;
/// Motions this many times as large as the loads deflect the mass are left to the search for one point.
const LARGE: f64 = 1e5;
/// Points that are left out after failures, at most.
const LONGEST_PAUSE: usize = 16;

/// A point found.
#[derive(Clone, Copy, Debug, Default)]
struct KnownPoint {
    parameter: f64,
    x: [f64; 2],
    lengths: [f64; MOST_PHASES],
}

/// The points found last, and what is needed to go on from them.
pub(super) struct LaneSweep {
    lanes: SweepLanes,
    tolerance: f64,
    order: Vec<PhaseKind>,
    known: Vec<KnownPoint>,
    /// Points left out before the next attempt, and those after the next failure.
    pause: usize,
    next_pause: usize,
    eight: Option<Box<LaneFound<LANES>>>,
    one: LaneFound<1>,
}

impl LaneSweep {
    pub fn new(steady: &Steady, lanes: SweepLanes) -> Self {
        let suits = steady.subharmonic == 1
            && steady.dof == 0
            && matches!(steady.engine, None | Some(Engine::Exact))
            && steady.max_periods > 0;
        Self {
            lanes: if suits { lanes } else { SweepLanes::Off },
            tolerance: steady.tolerance.max(Engine::Exact.floor()),
            order: Vec::new(),
            known: Vec::new(),
            pause: 0,
            next_pause: 0,
            eight: None,
            one: LaneFound::new(),
        }
    }

    /// Learns a point that was found by itself.
    pub fn learn(&mut self, parameter: f64, system: &System, orbit: &Orbit) {
        if self.lanes == SweepLanes::Off {
            return;
        }
        let Some(mass) = PlainMass::of(system) else { return self.known.clear() };
        let mut lengths = [0.0; MOST_PHASES];
        if !self.arrange(&mass, orbit, &mut lengths) {
            return self.known.clear();
        }
        self.add(KnownPoint { parameter, x: [orbit.state.position[0], orbit.state.velocity[0]], lengths });
    }

    /// Forgets all points.
    pub fn forget(&mut self) {
        self.known.clear();
    }

    fn add(&mut self, point: KnownPoint) {
        if self.known.len() == LANES {
            self.known.rotate_left(1);
            self.known.truncate(LANES - 1);
        }
        self.known.push(point);
    }

    /// Takes over the order of an orbit's phases and their lengths; what is known of another order is forgotten. False if it has none to follow.
    fn arrange(&mut self, mass: &PlainMass, orbit: &Orbit, lengths: &mut [f64; MOST_PHASES]) -> bool {
        let n = orbit.events.len() + 1;
        if n > MOST_PHASES || !orbit.is_stable() {
            return false;
        }
        let v = orbit.state.velocity[0];
        let mut kind = PhaseKind { sign: if v == 0.0 { 0.0 } else { v.signum() }, order: 0, cells: 2 };
        let (first, mut t, mut is_same) = (kind.sign, 0.0, self.order.len() == n);
        let mut order = [kind; MOST_PHASES];
        for k in 0..n {
            let end = orbit.events.get(k).map_or(orbit.period, |event| event.t);
            lengths[k] = end - t;
            order[k] = kind.covering(lengths[k], mass.rate());
            is_same &= self.order.get(k).is_some_and(|own| (own.sign, own.order) == (kind.sign, kind.order));
            t = end;
            let Some(event) = orbit.events.get(k) else { break };
            kind = match event.kind {
                EventKind::Stick => PhaseKind { sign: 0.0, order: 0, ..kind },
                EventKind::Reverse => PhaseKind { sign: -kind.sign, order: 1, ..kind },
                // it slips upwards where the load rises
                EventKind::Slip => {
                    let rises = mass.size * libm::cos(mass.omega * t + mass.phase);
                    let order = if mass.limit > mass.kinetic { 1 } else { 2 };
                    PhaseKind { sign: rises.signum(), order, ..kind }
                }
                _ => return false,
            };
        }
        let slides = order[..n].iter().any(|kind| kind.sign != 0.0);
        if !(slides && kind.sign == first && lengths[..n].iter().all(|length| *length > 0.0)) {
            return false;
        }
        if !is_same {
            self.known.clear();
        }
        self.order.clear();
        self.order.extend_from_slice(&order[..n]);
        true
    }

    /// How many of the next values are worth an attempt.
    pub fn ahead(&mut self, parameters: &[f64]) -> usize {
        if self.lanes == SweepLanes::Off || self.known.len() < 2 {
            return 0;
        }
        if self.pause > 0 {
            self.pause -= 1;
            return 0;
        }
        let [.., before, last] = &self.known[..] else { return 0 };
        let step = REACH * (last.parameter - before.parameter).abs();
        let is_near = |(j, own): &(usize, &f64)| (*own - last.parameter).abs() <= step * (j + 1) as f64;
        let most = self.known.len().min(LANES);
        parameters.iter().enumerate().take(most).take_while(is_near).count()
    }

    /// The motions at the next values, whose masses are given, up to the first that is not found.
    pub fn find(&mut self, parameters: &[f64], masses: &[PlainMass], out: &mut Vec<Point>) {
        let n = parameters.len().min(masses.len()).min(LANES);
        let Some(last) = n.checked_sub(1) else { return };
        let mut starts = [(KnownPoint::default(), PlainMass::default()); LANES];
        for (i, start) in starts.iter_mut().enumerate() {
            // lanes without a value of their own repeat the last one
            *start = (self.guess(parameters[i.min(last)]), masses[i.min(last)]);
        }
        let mut found = [KnownPoint::default(); LANES];
        let mut n_found = 0;
        match self.lanes {
            SweepLanes::Off => {}
            SweepLanes::One => {
                for start in &starts[..n] {
                    let lanes = lane_starts(std::slice::from_ref(start));
                    self.one.search(&lanes, &self.order, self.tolerance);
                    if !described(&self.one, 0, &self.order, start, (&mut found[n_found], out)) {
                        break;
                    }
                    n_found += 1;
                }
            }
            SweepLanes::Eight => {
                let eight = self.eight.get_or_insert_with(|| Box::new(LaneFound::new()));
                eight.search_wide(&lane_starts(&starts), &self.order, self.tolerance);
                for (i, start) in starts[..n].iter().enumerate() {
                    if !described(eight, i, &self.order, start, (&mut found[n_found], out)) {
                        break;
                    }
                    n_found += 1;
                }
            }
        }
        for point in &found[..n_found] {
            self.add(*point);
        }
        let Some(last) = n_found.checked_sub(1) else {
            self.pause = self.next_pause;
            self.next_pause = (2 * self.next_pause).clamp(1, LONGEST_PAUSE);
            return;
        };
        self.next_pause = 0;
        let rate = masses[last].rate();
        for (kind, length) in self.order.iter_mut().zip(&found[last].lengths) {
            *kind = kind.covering(*length, rate);
        }
    }

    /// The point that the last ones lead to.
    fn guess(&self, parameter: f64) -> KnownPoint {
        let n = self.known.len();
        // spread over what is known, so that its rounding is not enlarged much
        let all = [n.wrapping_sub(8), n.wrapping_sub(6), n.wrapping_sub(3), n.wrapping_sub(1)];
        let few = [n.wrapping_sub(4), n.wrapping_sub(3), n.wrapping_sub(2), n.wrapping_sub(1)];
        let places = if n < LANES { few } else { all };
        let nodes = &places[NODES - n.min(NODES)..];
        let mut guess = KnownPoint { parameter, ..KnownPoint::default() };
        for &i in nodes {
            let own = &self.known[i];
            let mut weight = 1.0;
            for other in nodes.iter().filter(|other| **other != i).map(|other| self.known[*other].parameter) {
                weight *= (parameter - other) / (own.parameter - other);
            }
            for part in 0..2 {
                guess.x[part] += weight * own.x[part];
            }
            for k in 0..self.order.len() {
                guess.lengths[k] += weight * own.lengths[k];
            }
        }
        guess
    }
}

/// Lane by lane where to begin.
fn lane_starts<const W: usize>(starts: &[(KnownPoint, PlainMass)]) -> LaneStarts<W> {
    LaneStarts {
        masses: std::array::from_fn(|i| starts[i].1),
        x: [0, 1].map(|part| std::array::from_fn(|i| starts[i].0.x[part])),
        lengths: std::array::from_fn(|k| std::array::from_fn(|i| starts[i].0.lengths[k])),
    }
}

/// Adds the motion in a lane to those found, if it counts.
fn described<const W: usize>(
    found: &LaneFound<W>,
    i: usize,
    order: &[PhaseKind],
    (start, mass): &(KnownPoint, PlainMass),
    (point, out): (&mut KnownPoint, &mut Vec<Point>),
) -> bool {
    if !found.is_found[i] {
        return false;
    }
    let (tally, walk, x) = (&found.tally, &found.walk, found.x.map(|x| x[i]));
    let omega = mass.omega;
    let size = x[0].abs().max(x[1].abs() / omega).max(mass.length());
    let moved = (x[0] - start.x[0]).abs().max((x[1] - start.x[1]).abs() / omega);
    let reference = mass.reference();
    // whether a slight motion slips at all is left to the search for one point
    let is_sound = moved <= NEAR * size
        && size <= LARGE * reference
        && tally.high[i] - tally.low[i] > SLIGHT * reference.max(size)
        && tally.parts[i] <= CANCELS * tally.square[i];
    if !is_sound {
        return false;
    }
    let balance = Balance {
        work_in: tally.work_in[i],
        viscous_loss: tally.viscous_loss[i],
        friction_loss: tally.friction_loss[i],
        ..Balance::default()
    };
    let turned_over = reference * reference * mass.stiffness.max(mass.mass * omega * omega);
    if check_balance(&balance, tally.exchange[i], EXACT_ACCURACY, turned_over).is_err() {
        return false;
    }
    let slopes = walk.end.slopes.map(|slope| slope[i]);
    let operator = (slopes[0].abs() + slopes[1].abs() * omega).max(slopes[2].abs() / omega + slopes[3].abs());
    let multipliers = eigenvalues_of_two(slopes).map(|z| Multiplier { re: z.re, im: z.im });
    let stability = stability(&multipliers, false, NEUTRAL * EXACT_SLOPES * operator.max(1.0));
    if stability != Stability::Stable {
        return false;
    }
    let period = mass.period();
    (point.parameter, point.x) = (start.parameter, x);
    let mut events = Vec::with_capacity(order.len() - 1);
    let mut stops = 0;
    for (k, kind) in order.iter().enumerate() {
        point.lengths[k] = walk.phases[k].length[i];
        let Some(next) = order.get(k + 1) else { break };
        let kind = match (kind.sign == 0.0, next.sign == 0.0) {
            (_, true) => EventKind::Stick,
            (true, false) => EventKind::Slip,
            (false, false) => EventKind::Reverse,
        };
        stops += u32::from(kind == EventKind::Stick);
        events.push(Event { t: walk.phases[k + 1].t[i], contact: 0, kind });
    }
    let (low, high) = (tally.low[i], tally.high[i]);
    let amplitude = 0.5 * (high - low);
    let extent = low.abs().max(high.abs());
    let [a, b] = tally.sums.map(|sum| 2.0 * sum[i] / period);
    let fundamental = libm::hypot(a, b);
    // half a period later a mirror image goes its way about where the constant load deflects the spring
    let [u, v] = tally.half.map(|half| half[i]);
    let drift = (x[0] + u) - 2.0 * mass.constant / mass.stiffness;
    let is_symmetric =
        drift.abs() <= SYMMETRIC * amplitude && (x[1] + v).abs() <= SYMMETRIC * amplitude * omega;
    let state = |[u, v]: [f64; 2]| State { position: vec![u], velocity: vec![v], memory: Vec::new() };
    let orbit = Ok(Orbit {
        period,
        subharmonic: 1,
        state: state(x),
        start: state(start.x),
        multipliers: multipliers.to_vec(),
        stability,
        monodromy: Matrix { n_rows: 2, n_cols: 2, data: slopes.to_vec() },
        residual: found.residual[i],
        iterations: found.iterations[i],
        periods: 0,
        amplitude,
        extent,
        fundamental,
        phase: (fundamental > NO_MOTION * extent).then(|| libm::atan2(b, a)),
        friction_loss: balance.friction_loss,
        viscous_loss: balance.viscous_loss,
        impact_loss: 0.0,
        work_in: balance.work_in,
        exchange: tally.exchange[i],
        stops,
        stick_fraction: Some((tally.rest[i] / period).clamp(0.0, 1.0)),
        is_symmetric,
        events,
    });
    out.push(Point { parameter: start.parameter, orbit });
    true
}
