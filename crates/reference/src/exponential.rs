//! Coulomb friction by the matrix exponential, sharing nothing with the exact method.
//!
//! The structure is a tree of masses and springs, each mass with a spring to the ground. In place of
//! velocities and positions stand those relative to the neighbour towards the root, y = Bq̇ and z = SBq, S²
//! being the stiffness of the spring: nothing cancels, however stiff some of them are. While a set of
//! contacts rests, x = (y, z, 1, friction of each contact, sines and cosines of the loads) obeys ẋ = Ax. With
//! F(h) = e^{Ah} − I a step is x + F(h)x, and
//!
//! ```text
//!   F(2h) = 2F(h) + F(h)²
//! ```
//!
//! loses nothing as h → 0. Steps of h, h/2, h/4, … down to where a Taylor series of the state converges at
//! once: after an event they begin at the shortest and double, so that transients of any rate are seen. An
//! event is a guard below zero at the end of a step, or a dip inside it, which is halved until it is certain.

mod decide;

use nalgebra::{DMatrix, DVector};
use std::collections::BTreeMap;
use std::rc::Rc;
use stiction::event::{Event, EventKind};
use stiction::law::FrictionLaw;
use stiction::math::Matrix;
use stiction::system::System;

/// Product of the fastest rate and the shortest step.
const SHORT: f64 = 0.25;
/// Order of the Taylor series over the shortest step: 0.25¹⁴/14! is rounding.
const ORDER: usize = 14;
/// Places of the shortest step at which its polynomials are looked at.
const PLACES: usize = 32;
/// Rounding of a guard, in units of the terms of its sum.
const NOISE: f64 = 1e-13;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Mode {
    Stick,
    Slip(f64),
}

/// What belongs to one set of resting contacts.
struct Set {
    a: DMatrix<f64>,
    /// F of the longest step, its half, and so on.
    ladder: Vec<DMatrix<f64>>,
    /// Sliding velocity or holding force of each contact, and its derivative, as rows.
    rows: Vec<[DVector<f64>; 2]>,
}

struct Friction {
    w: DVector<f64>,
    kinetic: f64,
    limit: f64,
    belt: f64,
}

/// Coordinates of the tree and its forces.
struct TreeForces {
    /// B, its inverse, and S.
    relative: DMatrix<f64>,
    absolute: DMatrix<f64>,
    roots: DVector<f64>,
    /// Forces on the masses by y and z.
    by_rates: DMatrix<f64>,
    by_springs: DMatrix<f64>,
}

pub struct Exponential {
    n: usize,
    inverse: DMatrix<f64>,
    tree: TreeForces,
    constant: DVector<f64>,
    tones: Vec<(DVector<f64>, f64)>,
    contacts: Vec<Friction>,
    /// Longest step and fastest rate.
    step: f64,
    rate: f64,
    sets: BTreeMap<u32, Rc<Set>>,
    mode: Vec<Mode>,
    x: DVector<f64>,
    /// Index of the constant 1; friction and loads follow.
    one: usize,
    pub t: f64,
    pub events: Vec<Event>,
    /// Two choices with as many sticking contacts were both consistent, or one was so by a hair.
    pub ambiguous: bool,
}

/// A tree of masses and springs.
pub struct Tree {
    /// Stiffness of the spring that joins each mass to the ground.
    pub grounds: Vec<f64>,
    /// The neighbour of each mass but the first, and the stiffness between them.
    pub parents: Vec<(usize, f64)>,
    /// Multiples of mass and stiffness in the damping.
    pub rayleigh: [f64; 2],
    /// More damping.
    pub damping: Option<Matrix>,
}

fn matrix(a: &Matrix) -> DMatrix<f64> {
    DMatrix::from_row_slice(a.n_rows, a.n_cols, &a.data)
}

impl Exponential {
    /// The tree makes up stiffness and damping of the system; `step` resolves every oscillation, `rate` is
    /// the fastest that there is.
    pub fn new(system: &System, tree: &Tree, step: f64, rate: f64) -> Self {
        let n = system.n();
        let mut relative = DMatrix::identity(n, n);
        let mut absolute = DMatrix::<f64>::identity(n, n);
        let mut roots = DVector::from_element(n, 1.0);
        for (i, &(parent, k)) in (1..).zip(&tree.parents) {
            relative[(i, parent)] = -1.0;
            let above = absolute.row(parent).into_owned();
            let row = absolute.row(i) + above;
            absolute.set_row(i, &row);
            roots[i] = k.sqrt();
        }
        let [alpha, beta] = tree.rayleigh;
        let ground = DMatrix::from_diagonal(&DVector::from_column_slice(&tree.grounds)) * &absolute;
        let by_springs = {
            let mut forces = -relative.transpose() * DMatrix::from_diagonal(&roots);
            // the first mass has a spring to the ground only
            forces.column_mut(0).fill(0.0);
            let moved = DMatrix::from_diagonal(&roots.map(|root| 1.0 / root));
            forces - &ground * moved
        };
        let mut by_rates =
            -relative.transpose() * DMatrix::from_diagonal(&roots.map(|root| root * root * beta));
        by_rates.column_mut(0).fill(0.0);
        by_rates -= &ground * beta + matrix(&system.mass) * &absolute * alpha;
        if let Some(damping) = &tree.damping {
            by_rates -= matrix(damping) * &absolute;
        }
        let contacts: Vec<Friction> = (system.contacts.iter())
            .map(|contact| {
                let FrictionLaw::Coulomb(law) = &contact.friction.law else { panic!("not Coulomb's law") };
                Friction {
                    w: DVector::from_column_slice(&contact.direction),
                    kinetic: law.mu * contact.load,
                    limit: law.static_mu() * contact.load,
                    belt: contact.belt,
                }
            })
            .collect();
        let (m, p) = (contacts.len(), system.harmonics.len());
        let one = 2 * n;
        let mut x = DVector::zeros(one + 1 + m + 2 * p);
        let [position, velocity] =
            [&system.position, &system.velocity].map(|x| DVector::from_column_slice(x));
        x.rows_mut(0, n).copy_from(&(&relative * velocity));
        x.rows_mut(n, n).copy_from(&(&relative * position).component_mul(&roots));
        x[one] = 1.0;
        for (k, harmonic) in system.harmonics.iter().enumerate() {
            let (sine, cosine) = harmonic.phase.sin_cos();
            (x[one + 1 + m + 2 * k], x[one + 2 + m + 2 * k]) = (sine, cosine);
        }
        let tones = system.harmonics.iter().map(|h| (DVector::from_column_slice(&h.amplitude), h.omega));
        let mut made = Self {
            n,
            inverse: matrix(&system.mass).try_inverse().unwrap(),
            tree: TreeForces { relative, absolute, roots, by_rates, by_springs },
            one,
            constant: DVector::from_column_slice(&system.constant),
            tones: tones.collect(),
            mode: vec![Mode::Stick; m],
            contacts,
            step,
            rate,
            sets: BTreeMap::new(),
            x,
            t: 0.0,
            events: Vec::new(),
            ambiguous: false,
        };
        let mut reached = Vec::new();
        for i in 0..m {
            let v = made.sliding(i);
            if v == 0.0 {
                reached.push(i);
            } else {
                made.mode[i] = Mode::Slip(v.signum());
            }
        }
        made.decide(&reached);
        made.events.clear();
        made
    }

    /// Positions and velocities.
    pub fn state(&self) -> [DVector<f64>; 2] {
        let position = &self.tree.absolute * self.x.rows(self.n, self.n).component_div(&self.tree.roots);
        [position, self.velocity()]
    }

    fn velocity(&self) -> DVector<f64> {
        &self.tree.absolute * self.x.rows(0, self.n)
    }

    fn sliding(&self, i: usize) -> f64 {
        self.contacts[i].w.dot(&self.velocity()) - self.contacts[i].belt
    }

    /// The accelerations of the masses without constraints, by x.
    fn free_rows(&self) -> DMatrix<f64> {
        let (n, m, one) = (self.n, self.contacts.len(), self.one);
        let mut rows = DMatrix::zeros(n, self.x.len());
        rows.view_mut((0, 0), (n, n)).copy_from(&(&self.inverse * &self.tree.by_rates));
        rows.view_mut((0, n), (n, one - n)).copy_from(&(&self.inverse * &self.tree.by_springs));
        rows.set_column(one, &(&self.inverse * &self.constant));
        for (i, contact) in self.contacts.iter().enumerate() {
            rows.set_column(one + 1 + i, &-(&self.inverse * &contact.w));
        }
        for (k, (amplitude, _)) in self.tones.iter().enumerate() {
            rows.set_column(one + 1 + m + 2 * k, &(&self.inverse * amplitude));
        }
        rows
    }

    fn set(&mut self) -> Rc<Set> {
        let resting: Vec<usize> = (0..self.contacts.len()).filter(|&i| self.mode[i] == Mode::Stick).collect();
        let key = resting.iter().fold(0, |key, i| key | 1u32 << i);
        if let Some(known) = self.sets.get(&key) {
            return known.clone();
        }
        let (n, m, one, size) = (self.n, self.contacts.len(), self.one, self.x.len());
        let mut rows = self.free_rows();
        let mut forces = DMatrix::zeros(0, size);
        if !resting.is_empty() {
            let w = DMatrix::from_fn(n, resting.len(), |k, a| self.contacts[resting[a]].w[k]);
            let compliance = w.transpose() * &self.inverse * &w;
            forces = compliance.lu().solve(&(w.transpose() * &rows)).unwrap();
            rows -= &self.inverse * &w * &forces;
        }
        let mut a = DMatrix::zeros(size, size);
        a.rows_mut(0, n).copy_from(&(&self.tree.relative * rows));
        for i in 0..n {
            a[(n + i, i)] = self.tree.roots[i];
        }
        for (k, (_, omega)) in self.tones.iter().enumerate() {
            let at = one + 1 + m + 2 * k;
            (a[(at, at + 1)], a[(at + 1, at)]) = (*omega, -omega);
        }
        let levels = (self.step * self.rate / SHORT).log2().ceil().max(0.0) as i32;
        let scaled = &a * (self.step / 2f64.powi(levels));
        // F = s(I + s/2(I + s/3(…)))
        let mut f = scaled.clone();
        for k in (2..=ORDER).rev() {
            let mut inner = if k == ORDER { scaled.clone() } else { f };
            inner /= k as f64;
            for i in 0..size {
                inner[(i, i)] += 1.0;
            }
            f = &scaled * inner;
        }
        let mut ladder = vec![f];
        for _ in 0..levels {
            let f = &ladder[ladder.len() - 1];
            let twice = f * 2.0 + f * f;
            ladder.push(twice);
        }
        ladder.reverse();
        let row = |i: usize| {
            let value = match resting.iter().position(|&member| member == i) {
                Some(a) => forces.row(a).transpose(),
                None => {
                    let mut row = DVector::zeros(size);
                    row.rows_mut(0, n).copy_from(&(self.tree.absolute.transpose() * &self.contacts[i].w));
                    row[one] = -self.contacts[i].belt;
                    row
                }
            };
            let slope = a.transpose() * &value;
            [value, slope]
        };
        let set = Rc::new(Set { rows: (0..m).map(row).collect(), a, ladder });
        self.sets.insert(key, set.clone());
        set
    }

    /// Guards as (contact, sign, offset): offset + sign · row stays positive.
    fn guards(&self) -> Vec<(usize, f64, f64)> {
        let of = |(i, mode): (usize, &Mode)| match mode {
            Mode::Slip(sign) => vec![(i, *sign, 0.0)],
            Mode::Stick => [-1.0, 1.0].map(|sign| (i, sign, self.contacts[i].limit)).to_vec(),
        };
        self.mode.iter().enumerate().flat_map(of).collect()
    }

    /// The first event within a step of level k from x: its time and contact.
    fn first(
        &self,
        set: &Set,
        guards: &[(usize, f64, f64)],
        x: &DVector<f64>,
        k: usize,
    ) -> Option<(f64, usize)> {
        let end = x + &set.ladder[k] * x;
        let is_open = |&(i, sign, offset): &(usize, f64, f64)| {
            let [row, slope] = &set.rows[i];
            let g = offset + sign * row.dot(&end);
            let size = self.size(i, row, &end);
            g < -NOISE * size || (sign * slope.dot(x) < 0.0 && sign * slope.dot(&end) > 0.0)
        };
        if !guards.iter().any(is_open) {
            return None;
        }
        if k + 1 == set.ladder.len() {
            return self.first_of_series(set, guards, x);
        }
        self.first(set, guards, x, k + 1).or_else(|| {
            let middle = x + &set.ladder[k + 1] * x;
            let half = self.length(set, k + 1);
            self.first(set, guards, &middle, k + 1).map(|(at, i)| (half + at, i))
        })
    }

    /// Size of the terms of a guard, for its rounding.
    fn size(&self, i: usize, row: &DVector<f64>, x: &DVector<f64>) -> f64 {
        match self.mode[i] {
            // a velocity near zero is a sum of modes that are not
            Mode::Slip(_) => {
                self.contacts[i].belt.abs()
                    + self.contacts[i].w.amax() * (&self.tree.absolute * x.rows(0, self.n)).amax()
            }
            Mode::Stick => {
                self.contacts[i].limit + row.iter().zip(x).map(|(r, x)| (r * x).abs()).sum::<f64>()
            }
        }
    }

    fn length(&self, _: &Set, k: usize) -> f64 {
        self.step / 2f64.powi(k as i32)
    }

    /// Terms of the Taylor series of the state over the shortest step.
    fn series(&self, set: &Set, x: &DVector<f64>) -> Vec<DVector<f64>> {
        let h = self.length(set, set.ladder.len() - 1);
        let mut terms = vec![x.clone()];
        for k in 1..=ORDER {
            let next = &set.a * &terms[k - 1] * (h / k as f64);
            terms.push(next);
        }
        terms
    }

    fn first_of_series(
        &self,
        set: &Set,
        guards: &[(usize, f64, f64)],
        x: &DVector<f64>,
    ) -> Option<(f64, usize)> {
        let terms = self.series(set, x);
        let mut first: Option<(f64, usize)> = None;
        for &(i, sign, offset) in guards {
            let row = &set.rows[i][0];
            let mut c: Vec<f64> = terms.iter().map(|term| sign * row.dot(term)).collect();
            c[0] += offset;
            let size = self.size(i, row, x);
            let value = |s: f64| c.iter().rev().fold(0.0, |sum, c| sum * s + c);
            let slope = |s: f64| (1..c.len()).rev().fold(0.0, |sum, k| sum * s + k as f64 * c[k]);
            for place in 0..PLACES {
                let [mut a, b] = [place, place + 1].map(|i| i as f64 / PLACES as f64);
                let mut beyond = b;
                if value(b) >= -NOISE * size {
                    if !(slope(a) < 0.0 && slope(b) > 0.0) {
                        continue;
                    }
                    let (mut low, mut high) = (a, b);
                    for _ in 0..60 {
                        let middle = 0.5 * (low + high);
                        if slope(middle) < 0.0 { low = middle } else { high = middle }
                    }
                    if value(low) >= -NOISE * size {
                        continue;
                    }
                    beyond = low;
                }
                for _ in 0..60 {
                    let middle = 0.5 * (a + beyond);
                    if value(middle) > 0.0 { a = middle } else { beyond = middle }
                }
                if first.is_none_or(|(at, _)| beyond < at) {
                    first = Some((beyond, i));
                }
                break;
            }
        }
        let h = self.length(set, set.ladder.len() - 1);
        first.map(|(s, i)| (s * h, i))
    }

    /// The state a time `tau` below the longest step later.
    fn after(&self, set: &Set, mut tau: f64) -> DVector<f64> {
        let mut x = self.x.clone();
        for (k, f) in set.ladder.iter().enumerate().skip(1) {
            let length = self.length(set, k);
            if tau >= length {
                x = &x + f * &x;
                tau -= length;
            }
        }
        let shortest = self.length(set, set.ladder.len() - 1);
        let s = tau / shortest;
        let terms = self.series(set, &x);
        terms.iter().rev().fold(DVector::zeros(x.len()), |sum, term| sum * s + term)
    }

    /// Goes to `t_end`.
    pub fn run(&mut self, t_end: f64) {
        let mut set = self.set();
        let mut guards = self.guards();
        let bottom = |set: &Set| 2 * (set.ladder.len() - 1);
        // two steps of each length, from the shortest on
        let mut countdown = bottom(&set);
        while self.t < t_end {
            let level = countdown / 2;
            countdown = countdown.saturating_sub(1);
            let length = self.length(&set, level);
            let first = self.first(&set, &guards, &self.x, level);
            let rest = t_end - self.t;
            match first.filter(|(at, _)| *at <= rest) {
                Some((at, i)) => {
                    self.x = self.after(&set, at);
                    self.t += at;
                    self.decide(&[i]);
                    set = self.set();
                    guards = self.guards();
                    countdown = bottom(&set);
                }
                None if length <= rest => {
                    self.x = &self.x + &set.ladder[level] * &self.x;
                    self.t += length;
                }
                None => {
                    self.x = self.after(&set, rest);
                    self.t = t_end;
                }
            }
            assert!(
                self.events.len() < 5000,
                "the integration by exponentials chatters: {:?}",
                &self.events[self.events.len() - 8..]
            );
        }
    }
}
