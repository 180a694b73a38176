//! An own event integration of Coulomb friction and polylines, which shares nothing with the engines.
//!
//! In every mode (each contact sticks, slides one way, or is on one piece of its graph) the motion with its
//! loads is a linear system ẋ = A x in x = (q, q̇, 1, sin ω₁t, cos ω₁t, …), so x(t + τ) = exp(Aτ) x, summed
//! as a Taylor series (@almohy2011). What ends a mode is a polynomial in τ, whose first root is found for
//! certain. After an event all combinations of modes are tried, and the one is taken that is true for the
//! next moment. Resting contacts that depend on each other share their load in any way that respects their
//! limits: Fourier–Motzkin elimination leaves conditions on the whole group.

mod decide;

mod algebra;
pub use algebra::inverse;
use algebra::{along, eliminated, is_same, sum};

use crate::lines::{Lines, Rows, dot, times};
use crate::polynomial::first_crossing;
use stiction::law::{FrictionLaw, Law};
use stiction::system::Harmonic;

/// Terms of the series, with ‖A‖h ≤ 1: the remainder is 1/21!.
const ORDER: usize = 20;
/// Derivatives that are asked for a direction.
const ASKED: usize = 6;
/// A sum below this part of its terms is rounding.
const ROUNDING: f64 = 1e-11;
/// The least part of the largest position or velocity that another one is a sum of.
const LEAST: f64 = 1e-3;
/// A pivot below this part of the first belongs to a contact that depends on others.
const DEPENDENT: f64 = 1e-9;
/// Events beyond which a motion is not followed.
const MAX_EVENTS: usize = 3000;
/// Steps beyond which a motion is not followed.
const MAX_STEPS: usize = 400_000;

/// What a contact does.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Mode {
    Stick,
    /// Slides this way: 1 or −1.
    Slip(f64),
    /// Is on this piece of its graph.
    Piece(usize),
}

#[derive(Clone, Debug)]
enum Graph {
    /// Forces of sliding and of break-away (N), against negative and against positive sliding.
    Coulomb { kinetic: [f64; 2], limit: [f64; 2] },
    /// Corners (v, H) of a continuous polyline; constant beyond the ends.
    Polyline(Vec<[f64; 2]>),
}

#[derive(Clone, Debug)]
struct Place {
    w: Vec<f64>,
    belt: f64,
    /// Viscous force per velocity (N s/m).
    viscous: f64,
    graph: Graph,
}

/// A linear system of one combination of modes.
struct Phase {
    /// Accelerations as rows over x.
    acceleration: Rows,
    /// The sum of what each entry is a sum of, without signs: its rounding is a part of that.
    terms: Rows,
    /// What must stay positive, as rows over x, each with its contact if it has one.
    conditions: Vec<(Option<usize>, Vec<f64>)>,
}

/// Taylor coefficients of x(t + τ), the first being x(t), and of the terms that they are sums of, without
/// signs.
struct Series {
    x: Vec<Vec<f64>>,
    terms: Vec<Vec<f64>>,
}

/// A state that was asked for, and what came before it.
#[derive(Clone, Debug)]
pub struct Followed {
    /// Positions and velocities at the times asked for.
    pub rows: Vec<Vec<f64>>,
    /// Time in which each contact rests within the window (s).
    pub rest: Vec<f64>,
    /// Number of events.
    pub n_events: usize,
    /// Whether some event had more than one answer.
    pub is_ambiguous: bool,
}

/// A system under way.
#[derive(Clone, Debug)]
pub struct Follower {
    n: usize,
    inverse: Rows,
    damping: Rows,
    stiffness: Rows,
    constant: Vec<f64>,
    harmonics: Vec<Harmonic>,
    places: Vec<Place>,
    modes: Vec<Mode>,
    x: Vec<f64>,
    t: f64,
    is_ambiguous: bool,
}

impl Follower {
    /// The system at t = 0; none if a law is neither Coulomb's nor a continuous polyline.
    pub fn new(lines: &Lines) -> Option<Self> {
        let n = lines.n();
        let place = |i: usize| {
            let contact = &lines.contacts[i];
            let graph = match (contact.law.forward(), &contact.law) {
                (FrictionLaw::Coulomb(law), whole) => {
                    let both =
                        |mu: f64| [whole.reverse().unwrap_or(1.0), 1.0].map(|part| part * mu * contact.load);
                    Graph::Coulomb { kinetic: both(law.mu), limit: both(law.mu_static.unwrap_or(law.mu)) }
                }
                (_, law) => {
                    let corners = law.corners()?;
                    let is_jump = corners.windows(2).any(|pair| pair[0][0] == pair[1][0]);
                    if is_jump {
                        return None;
                    }
                    Graph::Polyline(corners.iter().map(|[v, phi]| [*v, phi * contact.load]).collect())
                }
            };
            let viscous = contact.viscous * contact.load;
            Some(Place { w: lines.direction(i).to_vec(), belt: contact.belt, viscous, graph })
        };
        let places: Vec<Place> = (0..lines.contacts.len()).map(place).collect::<Option<_>>()?;
        let mut x = [&lines.position[..], &lines.velocity, &[1.0]].concat();
        x.extend(lines.harmonics.iter().flat_map(|h| [h.phase.sin(), h.phase.cos()]));
        let mut follower = Self {
            n,
            inverse: inverse(&lines.mass)?,
            damping: lines.damping.clone(),
            stiffness: lines.stiffness.clone(),
            constant: lines.constant.clone(),
            harmonics: lines.harmonics.clone(),
            modes: vec![Mode::Stick; places.len()],
            places,
            x,
            t: 0.0,
            is_ambiguous: false,
        };
        follower.choose_pieces();
        Some(follower)
    }

    /// Modes by the velocities; what stands at a corner is decided later.
    fn choose_pieces(&mut self) {
        for i in 0..self.places.len() {
            let v = self.sliding(i);
            self.modes[i] = match &self.places[i].graph {
                Graph::Coulomb { .. } => Mode::Slip(v.signum()),
                Graph::Polyline(corners) => Mode::Piece(corners.iter().filter(|[c, _]| *c <= v).count()),
            };
        }
    }

    /// Every number of the state and every limit of friction changed by about this part.
    pub fn disturbed(mut self, mut part: impl FnMut() -> f64) -> Self {
        let n = 2 * self.n;
        self.x[..n].iter_mut().for_each(|x| *x += part() * (1.0 + x.abs()));
        for place in &mut self.places {
            let factor = 1.0 + part();
            match &mut place.graph {
                Graph::Coulomb { kinetic, limit } => {
                    kinetic.iter_mut().chain(limit).for_each(|force| *force *= factor);
                }
                Graph::Polyline(corners) => corners.iter_mut().for_each(|[_, h]| *h *= factor),
            }
        }
        self
    }

    /// Starts at another state, at t = 0.
    pub fn restarted(mut self, q: &[f64], v: &[f64]) -> Self {
        let n = self.n;
        self.x[..n].copy_from_slice(q);
        self.x[n..2 * n].copy_from_slice(v);
        self.choose_pieces();
        self
    }

    fn sliding(&self, i: usize) -> f64 {
        dot(&self.places[i].w, &self.x[self.n..2 * self.n]) - self.places[i].belt
    }

    /// The motion at ascending times, the time at rest within the window; or why it cannot be followed.
    pub fn follow(mut self, times: &[f64], window: [f64; 2]) -> Result<Followed, String> {
        let mut found = Followed {
            rows: Vec::with_capacity(times.len()),
            rest: vec![0.0; self.places.len()],
            n_events: 0,
            is_ambiguous: false,
        };
        let end = times.last().copied().unwrap_or(0.0).max(window[1]);
        self.decide(None)?;
        let mut phase = self.phase(&self.modes)?;
        let mut steps = 0;
        let mut next = 0;
        while next < times.len() || self.t < end {
            let h = (1.0 / self.rate(&phase)).min(end - self.t);
            let series = self.series(&phase, ORDER);
            let first = self.first_event(&phase, &series, h);
            let tau = first.as_ref().map_or(h, |(tau, _)| *tau);
            let t_new = if first.is_none() && h == end - self.t { end } else { self.t + tau };
            while let Some(t) = times.get(next).filter(|t| **t <= t_new) {
                let x = sum(&series.x, t - self.t);
                found.rows.push(x[..2 * self.n].to_vec());
                next += 1;
            }
            let overlap = (t_new.min(window[1]) - self.t.max(window[0])).max(0.0);
            for (rest, mode) in found.rest.iter_mut().zip(&self.modes) {
                *rest += if *mode == Mode::Stick { overlap } else { 0.0 };
            }
            self.x = sum(&series.x, tau);
            self.t = t_new;
            self.refresh();
            if let Some((_, contact)) = first {
                self.decide(contact)?;
                phase = self.phase(&self.modes)?;
                found.n_events += 1;
            }
            steps += 1;
            if found.n_events > MAX_EVENTS || steps > MAX_STEPS {
                return Err("own integration: too many events".into());
            }
            if !self.x.iter().all(|x| x.abs() < 1e12) {
                return Err("own integration: the motion diverges".into());
            }
        }
        found.is_ambiguous = self.is_ambiguous;
        Ok(found)
    }

    /// Sines and cosines from their definition, so that roundings do not add up.
    fn refresh(&mut self) {
        let at = 2 * self.n + 1;
        for (j, h) in self.harmonics.iter().enumerate() {
            let (s, c) = (h.omega * self.t + h.phase).sin_cos();
            (self.x[at + 2 * j], self.x[at + 2 * j + 1]) = (s, c);
        }
    }

    /// A bound on the rate of the system (1/s), after lengths are measured by the velocity in one unit of the
    /// fastest time.
    fn rate(&self, phase: &Phase) -> f64 {
        let n = self.n;
        let norm = |columns: std::ops::Range<usize>| {
            let row = |row: &Vec<f64>| row[columns.clone()].iter().map(|a| a.abs()).sum::<f64>();
            phase.acceleration.iter().map(row).fold(0.0, f64::max)
        };
        let (k, c) = (norm(0..n), norm(n..2 * n));
        let loads = self.harmonics.iter().map(|h| h.omega).fold(0.0, f64::max);
        (k.sqrt() + c).max(loads).max(1e-3)
    }

    /// The sliding velocity of a contact as a row over x.
    fn sliding_row(&self, i: usize) -> Vec<f64> {
        let mut row = vec![0.0; self.x.len()];
        row[self.n..2 * self.n].copy_from_slice(&self.places[i].w);
        row[2 * self.n] = -self.places[i].belt;
        row
    }

    /// The force of a contact that does not stick as a row over x.
    fn force_row(&self, i: usize, mode: Mode) -> Vec<f64> {
        let (n, place) = (self.n, &self.places[i]);
        let sliding = self.sliding_row(i);
        let (slope, constant) = match (mode, &place.graph) {
            (Mode::Slip(sign), Graph::Coulomb { kinetic, .. }) => {
                (0.0, sign * kinetic[usize::from(sign > 0.0)])
            }
            (Mode::Piece(0), Graph::Polyline(c)) => (0.0, c[0][1]),
            (Mode::Piece(k), Graph::Polyline(c)) if k == c.len() => (0.0, c[k - 1][1]),
            (Mode::Piece(k), Graph::Polyline(c)) => {
                let slope = (c[k][1] - c[k - 1][1]) / (c[k][0] - c[k - 1][0]);
                (slope, c[k - 1][1] - slope * c[k - 1][0])
            }
            _ => (0.0, 0.0),
        };
        let mut row: Vec<f64> = sliding.iter().map(|s| s * (slope + place.viscous)).collect();
        row[2 * n] += constant;
        row
    }

    /// The linear system of a combination of modes.
    fn phase(&self, modes: &[Mode]) -> Result<Phase, String> {
        let (n, d) = (self.n, self.x.len());
        let mut force: Rows = vec![vec![0.0; d]; n];
        for (k, row) in force.iter_mut().enumerate() {
            for j in 0..n {
                row[j] = -self.stiffness[k][j];
                row[n + j] = -self.damping[k][j];
            }
            row[2 * n] = self.constant[k];
            for (j, h) in self.harmonics.iter().enumerate() {
                row[2 * n + 1 + 2 * j] += h.amplitude[k];
            }
        }
        let mut conditions = Vec::new();
        let mut stuck = Vec::new();
        for (i, mode) in modes.iter().enumerate() {
            if *mode == Mode::Stick {
                stuck.push(i);
                continue;
            }
            let h = self.force_row(i, *mode);
            for (row, w) in force.iter_mut().zip(&self.places[i].w) {
                row.iter_mut().zip(&h).for_each(|(f, h)| *f -= w * h);
            }
            conditions.extend(self.bounds(i, *mode).into_iter().map(|row| (Some(i), row)));
        }
        let product = |f: fn(f64) -> f64| -> Rows {
            let entry = |k: usize, j: usize| (0..n).map(|i| f(self.inverse[k][i] * force[i][j])).sum();
            (0..n).map(|k| (0..d).map(|j| entry(k, j)).collect()).collect()
        };
        let (mut acceleration, mut terms) = (product(|x| x), product(f64::abs));
        // G H = W a₀ for the resting contacts, by elimination with pivots on the diagonal
        let s = stuck.len();
        let mw: Vec<Vec<f64>> = stuck.iter().map(|&i| times(&self.inverse, &self.places[i].w)).collect();
        let mut g: Rows =
            (0..s).map(|a| (0..s).map(|b| dot(&self.places[stuck[a]].w, &mw[b])).collect()).collect();
        let mut rhs: Rows = (0..s)
            .map(|a| {
                let w = &self.places[stuck[a]].w;
                (0..d).map(|j| (0..n).map(|k| w[k] * acceleration[k][j]).sum()).collect()
            })
            .collect();
        let largest = (0..s).map(|a| g[a][a]).fold(0.0, f64::max);
        let mut basis: Vec<usize> = Vec::new();
        while let Some(p) =
            (0..s).filter(|a| !basis.contains(a)).max_by(|a, b| g[*a][*a].total_cmp(&g[*b][*b]))
        {
            if g[p][p] <= DEPENDENT * largest {
                break;
            }
            basis.push(p);
            let pivot = g[p][p];
            g[p].iter_mut().for_each(|x| *x /= pivot);
            rhs[p].iter_mut().for_each(|x| *x /= pivot);
            let (row, right) = (g[p].clone(), rhs[p].clone());
            for a in (0..s).filter(|a| *a != p) {
                let factor = g[a][p];
                g[a].iter_mut().zip(&row).for_each(|(x, y)| *x -= factor * y);
                rhs[a].iter_mut().zip(&right).for_each(|(x, y)| *x -= factor * y);
            }
        }
        // H of the basis = rhs − g z, with the forces z of the others free
        let free: Vec<usize> = (0..s).filter(|a| !basis.contains(a)).collect();
        for &a in &basis {
            for (k, mw) in mw[a].iter().enumerate() {
                for (j, h) in rhs[a].iter().enumerate() {
                    acceleration[k][j] -= mw * h;
                    terms[k][j] += (mw * h).abs();
                }
            }
        }
        let mut inequalities = Vec::new();
        for a in 0..s {
            let Graph::Coulomb { limit, .. } = self.places[stuck[a]].graph else { continue };
            let (row, z): (Vec<f64>, Vec<f64>) = if basis.contains(&a) {
                (rhs[a].clone(), free.iter().map(|f| -g[a][*f]).collect())
            } else {
                (vec![0.0; d], free.iter().map(|f| if *f == a { 1.0 } else { 0.0 }).collect())
            };
            for sign in [1.0, -1.0] {
                let mut bound: Vec<f64> = row.iter().map(|x| -sign * x).collect();
                bound[2 * n] += limit[usize::from(sign > 0.0)];
                inequalities.push((bound, z.iter().map(|x| -sign * x).collect::<Vec<f64>>()));
            }
        }
        conditions.extend(eliminated(inequalities, free.len())?.into_iter().map(|row| (None, row)));
        Ok(Phase { acceleration, terms, conditions })
    }

    /// What must stay positive while a contact slides.
    fn bounds(&self, i: usize, mode: Mode) -> Vec<Vec<f64>> {
        let sliding = self.sliding_row(i);
        let shifted = |sign: f64, corner: f64| {
            let mut row: Vec<f64> = sliding.iter().map(|x| sign * x).collect();
            row[2 * self.n] -= sign * corner;
            row
        };
        match (mode, &self.places[i].graph) {
            (Mode::Slip(sign), _) => vec![shifted(sign, 0.0)],
            (Mode::Piece(k), Graph::Polyline(corners)) => {
                let below = k.checked_sub(1).map(|k| shifted(1.0, corners[k][0]));
                below.into_iter().chain(corners.get(k).map(|c| shifted(-1.0, c[0]))).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The series of the motion.
    fn series(&self, phase: &Phase, order: usize) -> Series {
        let n = self.n;
        // what was taken to zero by a projection had terms like those of the others
        let least = |part: &[f64]| LEAST * part.iter().fold(1.0, |size: f64, x| size.max(x.abs()));
        let least = [least(&self.x[..n]), least(&self.x[n..2 * n])];
        let term = |(i, x): (usize, &f64)| x.abs() + least.get(i / n).copied().unwrap_or(0.0);
        let terms = self.x.iter().enumerate().map(term).collect();
        let mut series = Series { x: vec![self.x.clone()], terms: vec![terms] };
        for k in 1..=order {
            let next = |rows: &Rows, x: &[f64], sign: f64| {
                self.derivative(rows, x, sign).iter().map(|x| x / k as f64).collect()
            };
            let x = next(&phase.acceleration, &series.x[k - 1], -1.0);
            let terms = next(&phase.terms, &series.terms[k - 1], 1.0);
            series.x.push(x);
            series.terms.push(terms);
        }
        series
    }

    /// A x, with this sign before the derivative of a cosine.
    fn derivative(&self, acceleration: &Rows, x: &[f64], sign: f64) -> Vec<f64> {
        let n = self.n;
        let mut dx = vec![0.0; x.len()];
        dx[..n].copy_from_slice(&x[n..2 * n]);
        for (i, row) in acceleration.iter().enumerate() {
            dx[n + i] = dot(row, x);
        }
        for (j, h) in self.harmonics.iter().enumerate() {
            let at = 2 * n + 1 + 2 * j;
            (dx[at], dx[at + 1]) = (h.omega * x[at + 1], sign * h.omega * x[at]);
        }
        dx
    }

    /// The first end of the phase within h: when, and by which contact, or by the resting ones.
    fn first_event(&self, phase: &Phase, series: &Series, h: f64) -> Option<(f64, Option<usize>)> {
        let mut first: Option<(f64, Option<usize>)> = None;
        for (contact, row) in &phase.conditions {
            let p = along(row, series);
            if p.iter().find(|x| **x != 0.0).is_some_and(|x| *x < 0.0) {
                return Some((0.0, *contact));
            }
            if let Some(tau) = first_crossing(&p, h)
                && first.is_none_or(|(least, _)| tau < least)
            {
                first = Some((tau, *contact));
            }
        }
        first
    }

    /// Whether a contact stands at a corner of its graph, or at rest.
    fn is_open(&self, i: usize) -> bool {
        let v = self.sliding(i);
        let n = self.n;
        let terms = self.places[i].w.iter().zip(&self.x[n..2 * n]).map(|(w, v)| (w * v).abs()).sum::<f64>();
        let room = 10.0 * ROUNDING * (terms + self.places[i].belt.abs() + 1e-3);
        match &self.places[i].graph {
            Graph::Coulomb { .. } => v.abs() <= room,
            Graph::Polyline(corners) => corners.iter().any(|[c, _]| (v - c).abs() <= room),
        }
    }
}
