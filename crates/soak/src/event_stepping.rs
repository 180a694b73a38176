//! Contacts that stick and slip at events, by classical Runge–Kutta steps that are cut at every event:
//! springs with sliders, and one set-valued contact.

use crate::lines::{Lines, Rows, dot, times};
use crate::modes::inverse;
use stiction::law::{FrictionLaw, Graph, Law, Slider, Slip};

/// Events beyond which a motion chatters.
const MAX_EVENTS: usize = 20_000;
/// Halvings of a step at an event.
const HALVINGS: usize = 60;

/// A sliding velocity below this part of its terms is their rounding.
const STILL: f64 = 1e-13;

/// Mode of a contact.
#[derive(Clone, Debug, PartialEq)]
enum ReferenceMode {
    /// A law of its velocity and states.
    Free,
    /// At rest.
    Resting,
    /// Sliding in a direction.
    Sliding(f64),
    /// For each spring the end at which its slider slips, or 0.
    Springs(Vec<(Slider, f64)>),
}

/// A system under steps that end at events; the state is positions, velocities, internal states.
pub struct EventStepping<'a> {
    lines: &'a Lines,
    inverse: Rows,
}

impl<'a> EventStepping<'a> {
    /// The system; none if several contacts rest, or answer their demand, whose forces these steps do not
    /// share out.
    pub fn new(lines: &'a Lines) -> Option<Self> {
        let answers =
            |law: &FrictionLaw| law.friction_bounds(0.0, &[]).is_some() && law.graph() != Graph::SetValued;
        (!lines.contacts.iter().any(|c| answers(&c.law))).then_some(())?;
        let rests = lines.contacts.iter().filter(|c| c.law.graph() == Graph::SetValued).count();
        (rests <= 1).then_some(())?;
        Some(Self { lines, inverse: inverse(&lines.mass)? })
    }

    /// How many steps a run takes; none if they are too many.
    pub fn steps(&self, duration: f64) -> Option<usize> {
        self.lines.steps(duration, &self.inverse, |contact, g| {
            let slopes = (-30..10).map(|k| contact.law.slope(Slip::at(10f64.powf(0.2 * f64::from(k)))).abs());
            let springs = contact.law.sliders().unwrap_or_default();
            g * contact.load * (slopes.fold(0.0, f64::max) + contact.viscous)
                + (g * contact.load * springs.iter().map(|s| s.stiffness).sum::<f64>()).sqrt()
                + contact.law.lag(1e3).map_or(0.0, |lag| lag.rate / lag.share)
        })
    }

    fn law(&self, i: usize) -> &FrictionLaw {
        &self.lines.contacts[i].law
    }

    /// Where it stands which springs of contact `i` slip, if their deflections do not say.
    fn slips(&self, i: usize) -> std::ops::Range<usize> {
        let first = 2 * self.lines.n() + (0..i).map(|j| self.law(j).n_states()).sum::<usize>();
        let end = first + self.law(i).n_states();
        if self.law(i).lag(0.0).is_some() { first + self.law(i).n_states() / 2..end } else { end..end }
    }

    /// Whether contact `i`, at rest, holds what it is asked to.
    fn holds(&self, i: usize, z: &[f64], demand: f64) -> bool {
        self.law(i)
            .friction_bounds(0.0, z)
            .map_or(demand == 0.0, |hold| (hold.low..=hold.high).contains(&demand))
    }

    fn sliding(&self, i: usize, v: &[f64]) -> f64 {
        dot(self.lines.direction(i), v) - self.lines.contacts[i].belt
    }

    /// The coefficient that keeps the contact that rests where it is, if there is one, and ẏ.
    fn derivative(&self, t: f64, y: &[f64], standing: &[ReferenceMode], dy: &mut [f64]) -> f64 {
        let (lines, n) = (self.lines, self.lines.n());
        let (q, v) = (&y[..n], &y[n..2 * n]);
        let (kq, cv) = (times(&lines.stiffness, q), times(&lines.damping, v));
        let mut force = lines.force(t);
        (0..n).for_each(|k| force[k] -= kq[k] + cv[k]);
        let (mut at, mut resting) = (2 * n, None);
        for (i, contact) in lines.contacts.iter().enumerate() {
            let (w, law) = (lines.direction(i), &contact.law);
            let states = at..at + law.n_states();
            at = states.end;
            let (z, rates) = (&y[states.clone()], &mut dy[states]);
            let mut sliding = self.sliding(i, v);
            let phi = match &standing[i] {
                ReferenceMode::Resting => {
                    law.state_dot(Slip { v: 0.0, demand: 0.0, z }, rates);
                    resting = Some(i);
                    continue;
                }
                ReferenceMode::Sliding(sign) => {
                    sliding = sign * (sign * sliding).max(1e-300);
                    law.state_dot(Slip { v: sliding, demand: 0.0, z }, rates);
                    law.coefficient(Slip { v: sliding, demand: 0.0, z })
                }
                ReferenceMode::Springs(springs) => {
                    let lag = law.lag(sliding);
                    let mut phi = 0.0;
                    for (((slider, slips), z), rate) in springs.iter().zip(z).zip(rates) {
                        let own = slider.stiffness * z;
                        *rate = match lag {
                            _ if *slips == 0.0 => sliding,
                            Some(lag) => {
                                let limit = slips * slider.limit_towards(*slips);
                                lag.rate * (limit - own / lag.share) / slider.stiffness
                            }
                            None => 0.0,
                        };
                        let is_bent = *slips == 0.0 || lag.is_some();
                        phi += if is_bent { own } else { slips * slider.limit_towards(*slips) };
                    }
                    phi
                }
                ReferenceMode::Free => {
                    law.state_dot(Slip { v: sliding, demand: 0.0, z }, rates);
                    law.coefficient(Slip { v: sliding, demand: 0.0, z })
                }
            };
            let h = contact.load * (phi + contact.viscous * sliding);
            (0..n).for_each(|k| force[k] -= w[k] * h);
        }
        let mut demand = 0.0;
        if let Some(i) = resting {
            let (w, load) = (lines.direction(i), lines.contacts[i].load);
            let mw = times(&self.inverse, w);
            demand = dot(&mw, &force) / dot(w, &mw) / load;
            (0..n).for_each(|k| force[k] -= w[k] * load * demand);
        }
        dy[..n].copy_from_slice(v);
        dy[n..2 * n].copy_from_slice(&times(&self.inverse, &force));
        demand
    }

    /// The first contact, and spring, whose way of standing has ended at (t, y).
    fn ended(
        &self,
        t: f64,
        y: &[f64],
        standing: &[ReferenceMode],
        dy: &mut [f64],
    ) -> Option<(usize, usize, f64)> {
        let n = self.lines.n();
        let demand = self.derivative(t, y, standing, dy);
        let rests = standing.contains(&ReferenceMode::Resting);
        let mut at = 2 * n;
        for (i, own) in standing.iter().enumerate() {
            let law = self.law(i);
            let z = &y[at..at + law.n_states()];
            at += z.len();
            let mut sliding = self.sliding(i, &y[n..2 * n]);
            // what a contact at rest keeps still does not slip on by rounding
            let v = &y[n..2 * n];
            let terms: f64 = self.lines.direction(i).iter().zip(v).map(|(w, v)| (w * v).abs()).sum();
            let is_still = rests && sliding.abs() <= STILL * terms;
            if is_still {
                sliding = 0.0;
            }
            match own {
                ReferenceMode::Resting if !self.holds(i, z, demand) => return Some((i, 0, demand.signum())),
                ReferenceMode::Sliding(sign) if sign * sliding < 0.0 => return Some((i, 0, 0.0)),
                ReferenceMode::Springs(springs) => {
                    for (k, ((slider, slips), z)) in springs.iter().zip(z).enumerate() {
                        let limit = |way: f64| {
                            let share = law.lag((way * sliding).max(0.0)).map_or(1.0, |lag| lag.share);
                            slider.reach_towards(way) * share
                        };
                        if *slips == 0.0 && *z > limit(1.0) {
                            return Some((i, k, 1.0));
                        } else if *slips == 0.0 && *z < -limit(-1.0) {
                            return Some((i, k, -1.0));
                        } else if slips * sliding < 0.0 || *slips != 0.0 && is_still {
                            return Some((i, k, 0.0));
                        }
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// Goes on in another way from (t, y).
    fn turn(&self, t: f64, y: &mut [f64], standing: &mut [ReferenceMode], (i, k, to): (usize, usize, f64)) {
        let n = self.lines.n();
        match &mut standing[i] {
            ReferenceMode::Springs(springs) => {
                let before = springs[k].1;
                for (index, spring) in springs.iter_mut().enumerate() {
                    if index == k || before != 0.0 && spring.1 == before {
                        spring.1 = to;
                    }
                }
                for (slips, spring) in y[self.slips(i)].iter_mut().zip(springs) {
                    *slips = spring.1;
                }
            }
            own @ ReferenceMode::Resting => *own = ReferenceMode::Sliding(to),
            own => {
                let before = own.clone();
                *own = ReferenceMode::Resting;
                let at = 2 * n + (0..i).map(|j| self.law(j).n_states()).sum::<usize>();
                let states = at..at + self.law(i).n_states();
                let kept = y.to_vec();
                y[states.clone()].fill(0.0);
                let w = self.lines.direction(i);
                let mw = times(&self.inverse, w);
                let off = self.sliding(i, &y[n..2 * n]) / dot(w, &mw);
                (0..n).for_each(|j| y[n + j] -= mw[j] * off);
                let mut dy = vec![0.0; y.len()];
                let demand = self.derivative(t, y, standing, &mut dy);
                if !self.holds(i, &y[states], demand) {
                    if before == ReferenceMode::Sliding(demand.signum()) {
                        y.copy_from_slice(&kept);
                    }
                    standing[i] = ReferenceMode::Sliding(demand.signum());
                }
            }
        }
    }

    fn step(&self, t: f64, y: &[f64], standing: &[ReferenceMode], h: f64) -> Vec<f64> {
        let width = y.len();
        let mut k = vec![vec![0.0; width]; 4];
        let mut stage = y.to_vec();
        for (s, c) in [(0, 0.0), (1, 0.5), (2, 0.5), (3, 1.0)] {
            if s > 0 {
                (0..width).for_each(|i| stage[i] = y[i] + c * h * k[s - 1][i]);
            }
            self.derivative(t + c * h, &stage, standing, &mut k[s]);
        }
        (0..width).map(|i| y[i] + h / 6.0 * (k[0][i] + 2.0 * k[1][i] + 2.0 * k[2][i] + k[3][i])).collect()
    }

    /// The states at ascending times, by `steps` steps between events, from `start`, or from the system's own
    /// if that is empty; none if the motion chatters.
    pub fn rows(&self, start: &[f64], times: &[f64], steps: usize) -> Option<Vec<Vec<f64>>> {
        let lines = self.lines;
        let (n, n_states) = (lines.n(), lines.contacts.iter().map(|c| c.law.n_states()).sum());
        let own = || [&lines.position[..], &lines.velocity, &vec![0.0; n_states]].concat();
        let mut y = if start.is_empty() { own() } else { start.to_vec() };
        let begin = y[n..2 * n].to_vec();
        // a difference of velocities that is their rounding is none
        let sliding = |i: usize| {
            let terms: f64 = lines.direction(i).iter().zip(&begin).map(|(w, v)| (w * v).abs()).sum();
            let (v, terms) = (self.sliding(i, &begin), terms + lines.contacts[i].belt.abs());
            if v.abs() <= STILL * terms { 0.0 } else { v }
        };
        let stands = |i: usize| match (self.law(i).sliders(), sliding(i)) {
            (Some(sliders), _) => {
                let mut slips = y[self.slips(i)].to_vec();
                slips.resize(sliders.len(), 0.0);
                ReferenceMode::Springs(sliders.into_iter().zip(slips).collect())
            }
            (None, 0.0) if self.law(i).graph() == Graph::SetValued => ReferenceMode::Resting,
            (None, v) if self.law(i).graph() == Graph::SetValued => ReferenceMode::Sliding(v.signum()),
            _ => ReferenceMode::Free,
        };
        let mut standing: Vec<ReferenceMode> = (0..lines.contacts.len()).map(stands).collect();
        let mut scratch = vec![0.0; y.len()];
        let (mut t, mut events) = (0.0, 0);
        let whole = times.last().copied().unwrap_or(0.0) / steps as f64;
        let mut rows = Vec::with_capacity(times.len());
        for &end in times {
            while t < end {
                while let Some(what) = self.ended(t, &y, &standing, &mut scratch) {
                    self.turn(t, &mut y, &mut standing, what);
                    events += 1;
                    if events > MAX_EVENTS {
                        return None;
                    }
                }
                let (mut h, mut low) = (whole.min(end - t), 0.0);
                let mut next = self.step(t, &y, &standing, h);
                if self.ended(t + h, &next, &standing, &mut scratch).is_some() {
                    // the shortest step that ends after an event
                    for _ in 0..HALVINGS {
                        let middle = 0.5 * (low + h);
                        let tried = self.step(t, &y, &standing, middle);
                        if self.ended(t + middle, &tried, &standing, &mut scratch).is_some() {
                            (h, next) = (middle, tried);
                        } else {
                            low = middle;
                        }
                    }
                }
                t = if h == end - t { end } else { t + h };
                y = next;
            }
            // before what happens now
            rows.push(y.clone());
        }
        Some(rows)
    }
}
