//! A stretch of motion of several degrees of freedom as a Taylor series that is exact to rounding.
//!
//! With the contacts either resting or on one straight piece the motion is linear, and its Taylor
//! coefficients follow from each other:
//!
//! ```text
//!   (j+1) q_{j+1} = v_j,    (j+1) v_{j+1} = M⁻¹( f_j − C v_j − K q_j − Σ wᵢ Hᵢⱼ )
//!   sliding:  Hᵢⱼ = slope·wᵢᵀv_j (+ force − slope·belt for j = 0)
//!   resting:  Hᵢⱼ such that wᵢᵀv_{j+1} = 0,   that is  G H = Wᵀ M⁻¹(the rest)
//! ```
//!
//! In the norm of the kinetic energy `‖v_{j+1}‖ ≤ ρ‖v_j‖/(j+1)` with ρ = ‖M⁻¹C‖ + √‖M⁻¹K‖, the projection
//! onto the resting contacts having norm one. A series of degree [`ORDER`] over the time [`ANGLE`]/ρ leaves
//! out less than rounding. Unlike an eigen-decomposition this costs no n³ per phase (a chain of n blocks has
//! 3ⁿ phases, none of which comes twice), keeps the sparsity, and does not mind defective matrices: critical
//! damping, bodies without springs, resonance.

use super::load_harmonics::Side;
use super::prepared::{Basis, Prepared, Sparse, sparse_dot};
use super::time::Time;
use crate::math::dense::{dot, factor, solve};

/// Degree of the series.
pub(super) const ORDER: usize = 22;
/// Length of a patch times the fastest rate: 1.5²³/23! = 4e-19.
pub(super) const ANGLE: f64 = 1.5;
/// Most columns of the matrix of a recurrence, each of which costs as much as an order of the series, and
/// most rows.
const WIDEST: usize = 12;
const TALLEST: usize = 8;
/// Rounding of a balance of forces in units of its terms; events before it were located to a few of these.
const NOISE: f64 = 512.0 * f64::EPSILON;

/// How long a series holds (s). Without any rate the motion is a polynomial, whatever the length: after an
/// event that of its own time, from velocities and the terms of accelerations, and then twice that of the
/// series `before`, so that any end is reached in few.
pub(super) fn series_length(rate: f64, before: f64, motion: impl Iterator<Item = [f64; 2]>) -> f64 {
    if rate > 0.0 {
        return ANGLE / rate;
    }
    let [v, a] = motion.fold([0.0f64; 2], |[v, a], own| [v.max(own[0].abs()), a.max(own[1])]);
    let own = if a > 0.0 { 2.0 * v / a } else { 0.0 };
    let length = own.max(2.0 * before);
    if length > 0.0 && length.is_finite() { length } else { 1.0 }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum PolylineMode {
    /// At a corner. A contact that yields gives all it can hold, in the direction of that end, and others
    /// hold it in place.
    Rest { corner: usize, yields: Option<Side> },
    /// On a piece.
    Slide { piece: usize },
}

#[derive(Clone, Debug)]
pub(super) struct Segment {
    pub start: Time,
    /// Length of the patch (s); infinite if nothing can move.
    pub length: f64,
    pub mode: Vec<PolylineMode>,
    /// The end of its piece, or of what it can hold, at which a contact starts.
    pub at: Vec<Option<Side>>,
    /// The first order at which it leaves that end; 0 if none does.
    pub lead: Vec<usize>,
    pub basis: Basis,
    /// Coefficients times length^j: q and v by order and degree of freedom, H by order and contact; of a
    /// contact that yields what it would carry without its limit.
    pub q: Vec<f64>,
    pub v: Vec<f64>,
    pub force: Vec<f64>,
    /// Force of each resting contact = row of `share` times forces of the basis, if there are more than the
    /// basis.
    share: Vec<f64>,
    is_shared: bool,
    /// Rounding of the forces, and of the velocities, of each contact.
    pub force_noise: Vec<f64>,
    pub sliding_noise: Vec<f64>,
    n: usize,
    m: usize,
    known: usize,
    waves: Vec<[f64; 2]>,
    residual: Vec<f64>,
    held: Vec<f64>,
    size: Vec<f64>,
    recurrence: Recurrence,
}

/// The recurrence of the series, but for its constants, as a matrix.
#[derive(Debug, Default)]
struct Recurrence {
    /// The modes it holds in.
    mode: Vec<PolylineMode>,
    /// Accelerations and forces that follow from each position, velocity and load.
    columns: Vec<[f64; TALLEST]>,
}

impl Clone for Recurrence {
    fn clone(&self) -> Self {
        Self { mode: self.mode.clone(), columns: self.columns.clone() }
    }

    // without allocation
    fn clone_from(&mut self, other: &Self) {
        self.mode.clone_from(&other.mode);
        self.columns.clone_from(&other.columns);
    }
}

/// Written out, so that it is taken apart into registers.
#[inline(always)]
fn plus([a, b, c, d, e, f, g, h]: [f64; TALLEST], column: &[f64; TALLEST], x: f64) -> [f64; TALLEST] {
    let [i, j, k, l, m, n, o, p] = column;
    [a + i * x, b + j * x, c + k * x, d + l * x, e + m * x, f + n * x, g + o * x, h + p * x]
}

impl Segment {
    pub fn new(body: &Prepared) -> Self {
        let (n, m) = (body.n, body.contacts.len());
        Self {
            start: Time::default(),
            length: 0.0,
            mode: vec![PolylineMode::Slide { piece: 0 }; m],
            at: vec![None; m],
            lead: vec![0; m],
            basis: Basis::default(),
            q: vec![0.0; (ORDER + 1) * n],
            v: vec![0.0; (ORDER + 1) * n],
            force: vec![0.0; (ORDER + 1) * m],
            share: Vec::new(),
            is_shared: false,
            force_noise: vec![0.0; m],
            sliding_noise: vec![0.0; m],
            n,
            m,
            known: 0,
            waves: vec![[0.0; 2]; body.tones.len()],
            residual: vec![0.0; n],
            held: vec![0.0; m],
            size: vec![0.0; n],
            recurrence: Recurrence::default(),
        }
    }

    /// Chooses a basis of the resting contacts, and takes the last rounding out of their velocities.
    pub fn constrain(&mut self, body: &Prepared) {
        let m = self.m;
        self.basis.clear();
        self.is_shared = false;
        for yielding in [false, true] {
            for i in 0..m {
                let PolylineMode::Rest { corner, yields } = self.mode[i] else { continue };
                if yields.is_some() != yielding {
                    continue;
                }
                if self.basis.add(&body.delassus, i) {
                    // a contact that nothing else holds in place cannot yield
                    self.mode[i] = PolylineMode::Rest { corner, yields: None };
                } else {
                    self.is_shared = true;
                }
            }
        }
        if self.is_shared {
            self.divide(body);
        }
        let (v, held) = (&mut self.v[..self.n], &mut self.held);
        for (a, &i) in self.basis.members.iter().enumerate() {
            held[a] = body.sliding(i, v) - corner_velocity(body, &self.mode, i);
        }
        self.basis.solve(held);
        for (a, &i) in self.basis.members.iter().enumerate() {
            subtract(&body.contacts[i].mobility, held[a], v);
        }
        for &i in &self.basis.members {
            if let [(k, w)] = body.contacts[i].direction[..] {
                v[k] = (body.contacts[i].belt + corner_velocity(body, &self.mode, i)) / w;
            }
        }
    }

    /// Redundant contacts: of all forces that keep them at rest, those with the least Σ √Gⱼⱼ Hⱼ²/Lⱼ, which
    /// neither order nor gearing (w → αw, L → L/α) nor cutting a contact in two changes.
    ///
    /// With `w_j = Σ c_ja w_a` over the basis, D = L/√G, and H = D C p for those that do not yield, the force
    /// that the motion needs is `Cᵀ H = Λ`, so p = (Cᵀ D C)⁻¹ Λ. A contact yields while its own D c·p is
    /// beyond its limit.
    fn divide(&mut self, body: &Prepared) {
        let (m, b) = (self.m, self.basis.members.len());
        // of the first member's mobility, so that weights are forces whatever the units
        let unit = self.basis.members.first().map_or(1.0, |&i| body.delassus.at(i, i));
        let weight = |j: usize, corner: usize| {
            body.contacts[j].line.corners[corner].high * (unit / body.delassus.at(j, j)).sqrt()
        };
        let mut c = vec![0.0; m * b];
        let mut normal = vec![0.0; b * b];
        for j in 0..m {
            let PolylineMode::Rest { corner, yields } = self.mode[j] else { continue };
            let row = &mut c[j * b..(j + 1) * b];
            for (a, &i) in self.basis.members.iter().enumerate() {
                row[a] = body.delassus.at(i, j);
            }
            self.basis.solve(row);
            if yields.is_none() {
                let weight = weight(j, corner);
                for (x, y) in (0..b).flat_map(|x| (0..b).map(move |y| (x, y))) {
                    normal[x * b + y] += weight * row[x] * row[y];
                }
            }
        }
        // every member of the basis is among those that do not yield, so the matrix is positive definite
        factor(&mut normal, b, 0.0);
        for j in 0..m {
            let PolylineMode::Rest { corner, .. } = self.mode[j] else { continue };
            let row = &mut c[j * b..(j + 1) * b];
            solve(&normal, b, row);
            let weight = weight(j, corner);
            row.iter_mut().for_each(|x| *x *= weight);
        }
        self.share = c;
    }

    /// The forces of all resting contacts from those of the basis, which are in its order.
    pub fn distribute(&self, basis: &[f64], force: &mut [f64]) {
        let b = self.basis.members.len();
        if self.is_shared {
            for (j, force) in force.iter_mut().enumerate() {
                if let PolylineMode::Rest { .. } = self.mode[j] {
                    *force = dot(&self.share[j * b..(j + 1) * b], &basis[..b]);
                }
            }
        } else {
            for (a, &i) in self.basis.members.iter().enumerate() {
                force[i] = basis[a];
            }
        }
    }

    /// The force of contact `i` at its limit, if it yields.
    pub fn yielded(&self, body: &Prepared, i: usize) -> Option<f64> {
        match self.mode[i] {
            PolylineMode::Rest { corner, yields: Some(side) } => {
                let corner = body.contacts[i].line.corners[corner];
                Some(if side == Side::High { corner.high } else { corner.low })
            }
            _ => None,
        }
    }

    /// Starts the series at the time `start` from the coefficients of order zero; `before` is the length of
    /// the series that it goes on from without event, or 0.
    pub fn begin(&mut self, body: &Prepared, before: f64) {
        let mut slopes = 0.0;
        for (i, contact) in body.contacts.iter().enumerate() {
            if let PolylineMode::Slide { piece } = self.mode[i] {
                slopes += contact.line.pieces[piece].slope.abs() * body.delassus.at(i, i);
            }
        }
        let rate = body.fastest(slopes);
        if rate == 0.0 {
            self.measure_push(body);
        }
        let motion = self.v.iter().zip(&self.residual).map(|(v, a)| [*v, *a]);
        self.length = series_length(rate, before, motion);
        for (wave, &(omega, phase, _)) in self.waves.iter_mut().zip(&body.tones) {
            let (sine, cosine) = libm::sincos(self.start.angle(omega, phase));
            *wave = [sine, cosine];
        }
        self.known = 0;
    }

    /// The accelerations by constant loads and by sliding friction, each without its sign, into `residual`.
    fn measure_push(&mut self, body: &Prepared) {
        self.residual.copy_from_slice(&body.constant);
        body.apply_mobility(&mut self.residual);
        self.residual.iter_mut().for_each(|a| *a = a.abs());
        for (i, contact) in body.contacts.iter().enumerate() {
            if let PolylineMode::Slide { piece } = self.mode[i] {
                let force = contact.line.pieces[piece].force;
                contact.mobility.iter().for_each(|&(k, a)| self.residual[k] += (a * force).abs());
            }
        }
    }

    /// Extends the series to the given order.
    pub fn extend(&mut self, body: &Prepared, order: usize) {
        let (n, m) = (self.n, self.m);
        // a matrix that gives an order from the one before costs less than the orders of a whole series
        let by_matrix = order == ORDER && 2 * n + self.waves.len() <= WIDEST && n + m <= TALLEST;
        let [mut q, mut v, mut force] = [&mut self.q, &mut self.v, &mut self.force].map(std::mem::take);
        let last = if by_matrix { 1 } else { order };
        for j in self.known..last {
            let (q_j, v_j) = (&q[j * n..(j + 1) * n], &v[j * n..(j + 1) * n]);
            if j == 0 {
                self.residual.copy_from_slice(&body.constant)
            } else {
                self.residual.fill(0.0)
            }
            for ([sine, _], (_, _, amplitude)) in self.waves.iter().zip(&body.tones) {
                self.residual.iter_mut().zip(amplitude).for_each(|(r, a)| *r += a * sine);
            }
            self.respond(body, q_j, v_j, j == 0, &mut force[j * m..(j + 1) * m]);
            let step = self.length / (j + 1) as f64;
            for (wave, (omega, ..)) in self.waves.iter_mut().zip(&body.tones) {
                let turn = omega * step;
                *wave = [turn * wave[1], -turn * wave[0]];
            }
            for k in 0..n {
                q[(j + 1) * n + k] = step * v[j * n + k];
                v[(j + 1) * n + k] = step * self.residual[k];
            }
        }
        (self.q, self.v, self.force) = (q, v, force);
        if self.known == 0 && order > 0 {
            self.measure(body);
        }
        if by_matrix {
            self.extend_by_matrix(body, self.known.max(1));
        }
        self.known = self.known.max(order);
        // the forces of the last order are not needed: their term is below rounding
        self.force[ORDER * m..].fill(0.0);
    }

    /// From loads in `residual`, positions and velocities of an order: accelerations into `residual`, forces
    /// into `force`; with the constants of the contacts at the start.
    fn respond(&mut self, body: &Prepared, q: &[f64], v: &[f64], is_start: bool, force: &mut [f64]) {
        let r = &mut self.residual[..];
        for (r, (damping, stiffness)) in r.iter_mut().zip(body.damping.iter().zip(&body.stiffness)) {
            *r -= sparse_dot(damping, v) + sparse_dot(stiffness, q);
        }
        for (i, contact) in body.contacts.iter().enumerate() {
            force[i] = match self.mode[i] {
                PolylineMode::Slide { piece } => {
                    let piece = contact.line.pieces[piece];
                    let v = sparse_dot(&contact.direction, v);
                    if is_start { piece.force + piece.slope * (v - contact.belt) } else { piece.slope * v }
                }
                PolylineMode::Rest { corner, yields: Some(side) } if is_start => {
                    let corner = contact.line.corners[corner];
                    if side == Side::High { corner.high } else { corner.low }
                }
                PolylineMode::Rest { .. } => 0.0,
            };
            if force[i] != 0.0 {
                subtract(&contact.direction, force[i], r);
            }
        }
        body.apply_mobility(r);
        for (a, &i) in self.basis.members.iter().enumerate() {
            self.held[a] = sparse_dot(&body.contacts[i].direction, r);
        }
        self.basis.solve(&mut self.held);
        for (a, &i) in self.basis.members.iter().enumerate() {
            subtract(&body.contacts[i].mobility, self.held[a], r);
        }
        for &i in &self.basis.members {
            if let Some(k) = body.contacts[i].pins {
                r[k] = 0.0;
            }
        }
        self.distribute(&self.held, force);
    }

    /// The orders after `first`, each from the one before.
    fn extend_by_matrix(&mut self, body: &Prepared, first: usize) {
        if self.recurrence.columns.is_empty() || self.recurrence.mode != self.mode {
            self.find_recurrence(body);
        }
        let (n, m) = (self.n, self.m);
        // positions, velocities and loads of an order
        let mut x = [0.0; WIDEST];
        x[..n].copy_from_slice(&self.q[first * n..(first + 1) * n]);
        x[n..2 * n].copy_from_slice(&self.v[first * n..(first + 1) * n]);
        x[2 * n..].iter_mut().zip(&self.waves).for_each(|(slot, [sine, _])| *slot = *sine);
        for j in first..ORDER {
            let mut sum = [0.0; TALLEST];
            for (column, x) in self.recurrence.columns.iter().zip(&x) {
                sum = plus(sum, column, *x);
            }
            let (accelerations, forces) = sum.split_at(n);
            self.force[j * m..(j + 1) * m].iter_mut().zip(forces).for_each(|(slot, value)| *slot = *value);
            let step = self.length / (j + 1) as f64;
            let (q, v) = (&mut self.q[(j + 1) * n..(j + 2) * n], &mut self.v[(j + 1) * n..(j + 2) * n]);
            for (k, (q, v)) in q.iter_mut().zip(v).enumerate() {
                *q = step * x[n + k];
                *v = step * accelerations[k];
                (x[k], x[n + k]) = (*q, *v);
            }
            for ((slot, wave), (omega, ..)) in x[2 * n..].iter_mut().zip(&mut self.waves).zip(&body.tones) {
                let turn = omega * step;
                *wave = [turn * wave[1], -turn * wave[0]];
                *slot = wave[0];
            }
        }
    }

    /// The matrix of the recurrence in the current modes, from the response to each of its columns.
    fn find_recurrence(&mut self, body: &Prepared) {
        let (n, m) = (self.n, self.m);
        let mut recurrence = std::mem::take(&mut self.recurrence);
        recurrence.mode.clone_from(&self.mode);
        recurrence.columns.clear();
        for number in 0..2 * n + body.tones.len() {
            let mut unit = [0.0; WIDEST];
            unit[number] = 1.0;
            match body.tones.get(number.wrapping_sub(2 * n)) {
                Some((_, _, amplitude)) => self.residual.copy_from_slice(amplitude),
                None => self.residual.fill(0.0),
            }
            let mut column = [0.0; TALLEST];
            self.respond(body, &unit[..n], &unit[n..2 * n], false, &mut column[n..n + m]);
            column[..n].copy_from_slice(&self.residual);
            recurrence.columns.push(column);
        }
        self.recurrence = recurrence;
    }

    /// Takes over the recurrence of a segment in the same modes.
    pub fn share_recurrence(&mut self, other: &Self) {
        self.recurrence.clone_from(&other.recurrence);
    }

    /// The rounding of forces and velocities, from the size of the terms in the balance at the start.
    fn measure(&mut self, body: &Prepared) {
        let t = self.start.t.abs();
        for k in 0..self.n {
            let term = |row: &Sparse, x: &[f64]| row.iter().map(|&(l, a)| (a * x[l]).abs()).sum::<f64>();
            let tones: f64 =
                body.tones.iter().map(|(omega, _, a)| a[k].abs() * (1.0 + omega * t / 64.0)).sum();
            self.size[k] = body.constant[k].abs()
                + tones
                + term(&body.damping[k], &self.v)
                + term(&body.stiffness[k], &self.q);
        }
        for (i, contact) in body.contacts.iter().enumerate() {
            for &(k, w) in &contact.direction {
                self.size[k] += (w * self.force[i]).abs();
            }
        }
        for (i, contact) in body.contacts.iter().enumerate() {
            let size: f64 = contact.mobility.iter().map(|&(k, a)| a.abs() * self.size[k]).sum();
            self.force_noise[i] = NOISE * size / body.delassus.at(i, i);
            self.sliding_noise[i] = NOISE * size * self.length;
        }
    }

    /// Value of a series at s = τ/length, and its derivative by s.
    #[inline]
    pub fn value(series: &[f64], stride: usize, s: f64) -> [f64; 2] {
        let (mut value, mut slope) = (0.0, 0.0);
        for c in series.iter().step_by(stride).rev() {
            slope = slope * s + value;
            value = value * s + c;
        }
        [value, slope]
    }

    /// Positions, velocities and accelerations at s into slices; all degrees of freedom at once, order after
    /// order.
    pub fn state(&self, s: f64, q: &mut [f64], v: &mut [f64], a: &mut [f64]) {
        let n = self.n;
        let (q, v, a) = (&mut q[..n], &mut v[..n], &mut a[..n]);
        if s == 0.0 {
            q.copy_from_slice(&self.q[..n]);
            v.copy_from_slice(&self.v[..n]);
            a.iter_mut().zip(&self.v[n..]).for_each(|(a, c)| *a = c / self.length);
            return;
        }
        q.fill(0.0);
        v.fill(0.0);
        a.fill(0.0);
        for (q_j, v_j) in self.q.chunks_exact(n).zip(self.v.chunks_exact(n)).rev() {
            for k in 0..n {
                a[k] = a[k] * s + v[k];
                v[k] = v[k] * s + v_j[k];
                q[k] = q[k] * s + q_j[k];
            }
        }
        a.iter_mut().for_each(|a| *a /= self.length);
    }

    /// Velocities at ten places at once, a row for each degree of freedom.
    pub fn velocities(&self, places: &[f64; 10], out: &mut [[f64; 10]]) {
        out.fill([0.0; 10]);
        for row in self.v.chunks_exact(self.n).rev() {
            for (values, c) in out.iter_mut().zip(row) {
                values.iter_mut().zip(places).for_each(|(value, s)| *value = *value * s + c);
            }
        }
    }
}

/// Velocity of contact `i` while it rests.
fn corner_velocity(body: &Prepared, mode: &[PolylineMode], i: usize) -> f64 {
    match mode[i] {
        PolylineMode::Rest { corner, .. } => body.contacts[i].line.corners[corner].v,
        PolylineMode::Slide { .. } => 0.0,
    }
}

#[inline]
pub(super) fn subtract(direction: &Sparse, scale: f64, x: &mut [f64]) {
    for &(k, w) in direction {
        x[k] -= w * scale;
    }
}
