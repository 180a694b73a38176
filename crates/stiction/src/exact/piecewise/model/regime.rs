//! How everything stands, and the linear system under it.

use super::super::super::load_harmonics::Side;
use super::super::super::prepared::Basis;
use super::{GuardKind, GuardRow, Model, ZRow, add};
use crate::contact::StopMode;
use crate::math::dense::{Matrix, dot};

/// A sum that is smaller than this part of its terms is their rounding.
const CANCELLED: f64 = 4.0 * f64::EPSILON;

/// A velocity whose square is not a normal number is none (m/s).
const NO_MOTION: f64 = 1e-154;

/// Mode of a contact that may open.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum UnilateralMode {
    /// Its normal load is zero.
    Open,
    /// On a piece of its law.
    Slide { piece: usize },
    /// At a corner of its law.
    Rest { corner: usize },
}

/// Mode of a spring with a slider.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SliderMode {
    /// The slider sticks, the spring follows the sliding velocity.
    Stick,
    /// The slider slides at this end of the spring's range.
    Slip(Side),
}

/// Modes of all elements.
#[derive(Clone, Debug)]
pub struct ModeSet {
    pub contact_modes: Vec<UnilateralMode>,
    /// The springs with sliders.
    pub slider_modes: Vec<SliderMode>,
    /// Which stops hold.
    pub holds: Vec<bool>,
    /// The elastic stops.
    pub stop_modes: Vec<StopMode>,
    /// Which thresholds are exceeded.
    pub beyond: Vec<bool>,
}

impl ModeSet {
    /// Everything open, free and below its threshold.
    pub fn free(model: &Model) -> Self {
        Self {
            contact_modes: vec![UnilateralMode::Open; model.m()],
            slider_modes: vec![SliderMode::Stick; model.sliders.len()],
            holds: vec![false; model.stops.len()],
            stop_modes: vec![StopMode::Free; model.elastic.len()],
            beyond: vec![false; model.thresholds.len()],
        }
    }

    /// The same again, in place.
    pub fn set_free(&mut self) {
        self.contact_modes.fill(UnilateralMode::Open);
        self.slider_modes.fill(SliderMode::Stick);
        self.holds.fill(false);
        self.stop_modes.fill(StopMode::Free);
        self.beyond.fill(false);
    }

    /// Takes over other modes without allocation.
    pub fn copy_from(&mut self, other: &Self) {
        self.contact_modes.copy_from_slice(&other.contact_modes);
        self.slider_modes.copy_from_slice(&other.slider_modes);
        self.holds.copy_from_slice(&other.holds);
        self.stop_modes.copy_from_slice(&other.stop_modes);
        self.beyond.copy_from_slice(&other.beyond);
    }
}

/// Rows of a former regime, to be filled again without allocation.
#[derive(Debug, Default)]
pub struct RowPool {
    pub(super) spare: Vec<ZRow>,
    /// Length of a row.
    length: usize,
}

impl RowPool {
    pub(super) fn zeros(&mut self) -> ZRow {
        let mut row = self.spare.pop().unwrap_or_default();
        row.clear();
        row.resize(self.length, 0.0);
        row
    }
    pub(super) fn copy(&mut self, other: &[f64]) -> ZRow {
        self.scaled(other, 1.0)
    }
    pub(super) fn scaled(&mut self, other: &[f64], scale: f64) -> ZRow {
        let mut row = self.spare.pop().unwrap_or_default();
        row.clear();
        row.extend(other.iter().map(|x| scale * x));
        row
    }
}

/// The system under one set of modes, from some time on.
#[derive(Debug, Default)]
pub struct Regime {
    pub matrix: Matrix,
    pub normal: Vec<ZRow>,
    pub sliding: Vec<ZRow>,
    pub belt: Vec<ZRow>,
    pub force: Vec<ZRow>,
    /// External loads and feedback on each degree of freedom.
    pub external: Vec<ZRow>,
    pub feedback: Vec<ZRow>,
    pub guards: Vec<GuardRow>,
    /// Force of each elastic stop against its direction, while it presses.
    pub elastic: Vec<ZRow>,
    /// Sizes of the terms of the acceleration of each degree of freedom, before the reactions take some of
    /// them away.
    pub terms: Vec<ZRow>,
    /// Size of the constant parts of the acceleration of each degree of freedom, before they cancel.
    pub constants: Vec<f64>,
    /// The same of the normal load of each contact.
    pub loads: Vec<f64>,
    /// Bound on the rates (1/s).
    pub rate: f64,
    pool: RowPool,
}

impl Clone for Regime {
    fn clone(&self) -> Self {
        let mut other = Self::default();
        other.clone_from(self);
        other
    }
    fn clone_from(&mut self, other: &Self) {
        (self.matrix.n_rows, self.matrix.n_cols) = (other.matrix.n_rows, other.matrix.n_cols);
        self.matrix.data.clone_from(&other.matrix.data);
        self.normal.clone_from(&other.normal);
        self.sliding.clone_from(&other.sliding);
        self.belt.clone_from(&other.belt);
        self.force.clone_from(&other.force);
        self.external.clone_from(&other.external);
        self.feedback.clone_from(&other.feedback);
        self.guards.clone_from(&other.guards);
        self.elastic.clone_from(&other.elastic);
        self.terms.clone_from(&other.terms);
        self.constants.clone_from(&other.constants);
        self.loads.clone_from(&other.loads);
        self.rate = other.rate;
    }
}

impl Regime {
    /// Clears everything that is made of rows, and keeps the rows.
    fn recycle(&mut self, length: usize) -> RowPool {
        let mut pool = std::mem::take(&mut self.pool);
        pool.length = length;
        let Self { normal, sliding, belt, force, external, feedback, elastic, terms, guards, .. } = self;
        for rows in [normal, sliding, belt, force, external, feedback, elastic, terms] {
            pool.spare.append(rows);
        }
        pool.spare.extend(guards.drain(..).map(|guard| guard.row));
        pool
    }
}

impl Model {
    /// Notes the sizes of the constant parts of accelerations and normal loads.
    fn add_constants(
        &self,
        t: f64,
        ModeSet { contact_modes, stop_modes, beyond, .. }: &ModeSet,
        out: &mut Regime,
    ) {
        let mut forces = vec![0.0; self.layout.n];
        let mut add_size = |direction: &[f64], size: f64| {
            forces.iter_mut().zip(direction).for_each(|(force, w)| *force += w.abs() * size);
        };
        self.loads.iter().for_each(|(w, signal)| add_size(w, Self::constant_size(signal, t)));
        self.inputs.iter().for_each(|(w, _, signal)| add_size(w, Self::constant_size(signal, t)));
        for (stop, _) in self.elastic.iter().zip(stop_modes).filter(|(_, mode)| **mode == StopMode::Closed) {
            add_size(&stop.direction, stop.stiffness * stop.position.abs());
        }
        for (k, threshold) in self.thresholds.iter().enumerate().filter(|(k, _)| beyond[*k]) {
            add_size(&threshold.force, self.threshold_size(k, t));
        }
        out.loads.clear();
        for (contact, mode) in self.contacts.iter().zip(contact_modes) {
            let load = Self::constant_size(&contact.load, t);
            out.loads.push(load);
            if let UnilateralMode::Slide { piece } = *mode {
                add_size(&contact.direction, contact.line.pieces[piece].force.abs() * load);
            }
        }
        out.constants.clear();
        out.constants.extend((0..self.layout.n).map(|i| dot(self.compliance.row(i), &forces)));
    }

    /// The derivative of a row of signals alone.
    pub(super) fn rate_of(&self, row: &[f64], pool: &mut RowPool) -> ZRow {
        let layout = &self.layout;
        let mut rate = pool.zeros();
        rate[layout.one()] = row[layout.tau()];
        for (k, [omega, _]) in self.waves.iter().enumerate() {
            rate[layout.sine(k) + 1] = omega * row[layout.sine(k)];
            rate[layout.sine(k)] = -omega * row[layout.sine(k) + 1];
        }
        rate
    }

    /// Sliding velocity and normal load of contact `i` from `t` on, and its belt.
    fn contact_rows(&self, i: usize, t: f64, pool: &mut RowPool) -> [ZRow; 3] {
        let (contact, n) = (&self.contacts[i], self.layout.n);
        let [mut sliding, mut normal, mut belt] = [pool.zeros(), pool.zeros(), pool.zeros()];
        self.add_signal(&contact.load, t, 1.0, &mut normal);
        normal[..n].copy_from_slice(&contact.by_position);
        normal[n..2 * n].copy_from_slice(&contact.by_velocity);
        self.add_signal(&contact.belt, t, 1.0, &mut belt);
        sliding.iter_mut().zip(&belt).for_each(|(s, b)| *s = -b);
        sliding[n..2 * n].copy_from_slice(&contact.direction);
        [sliding, normal, belt]
    }

    /// The system under these modes from `t` on. The basis lists the constraints: stops, then contacts.
    pub fn regime(&self, t: f64, modes: &ModeSet, basis: &mut Basis, out: &mut Regime) {
        let ModeSet { contact_modes, slider_modes, stop_modes, beyond, .. } = modes;
        let layout = self.layout;
        let (n, d) = (layout.n, layout.len());
        let mut pool = out.recycle(d);
        let mut row = pool.zeros();
        out.external.extend((0..n).map(|_| pool.zeros()));
        for (direction, signal) in &self.loads {
            row.fill(0.0);
            self.add_signal(signal, t, 1.0, &mut row);
            out.external.iter_mut().zip(direction).for_each(|(out, w)| add(*w, &row, out));
        }
        out.feedback.extend(self.feedback.iter().map(|row| pool.copy(row)));
        let mut states: Vec<ZRow> = self.states.iter().map(|row| pool.copy(row)).collect();
        for (force, rate, signal) in &self.inputs {
            row.fill(0.0);
            self.add_signal(signal, t, 1.0, &mut row);
            out.feedback.iter_mut().zip(force).for_each(|(out, w)| add(*w, &row, out));
            states.iter_mut().zip(rate).for_each(|(out, w)| add(*w, &row, out));
        }
        let mut balance: Vec<ZRow> = self.passive.iter().map(|row| pool.copy(row)).collect();
        for (k, threshold) in self.thresholds.iter().enumerate().filter(|(k, _)| beyond[*k]) {
            self.set_threshold_row(k, t, &mut row);
            // the energy of a spring is kept, feedback does work
            let forces = if threshold.is_spring { &mut balance } else { &mut out.feedback };
            forces.iter_mut().zip(&threshold.force).for_each(|(out, force)| add(*force, &row, out));
            states.iter_mut().zip(&threshold.rate).for_each(|(out, rate)| add(*rate, &row, out));
        }
        for (row, (external, feedback)) in balance.iter_mut().zip(out.external.iter().zip(&out.feedback)) {
            add(1.0, external, row);
            add(1.0, feedback, row);
        }
        for (stop, mode) in self.elastic.iter().zip(stop_modes) {
            let mut force = pool.zeros();
            self.set_elastic_rows(stop, [&mut row, &mut force]);
            if *mode == StopMode::Closed {
                balance.iter_mut().zip(&stop.direction).for_each(|(row, w)| add(-w, &force, row));
            }
            out.elastic.push(force);
        }
        for (i, mode) in contact_modes.iter().enumerate() {
            let [sliding, normal, belt] = self.contact_rows(i, t, &mut pool);
            let mut force = pool.zeros();
            if let UnilateralMode::Slide { piece } = *mode {
                let piece = self.contacts[i].line.pieces[piece];
                add(piece.force, &normal, &mut force);
                // a slope only stands beside a constant load
                add(piece.slope * normal[layout.one()], &sliding, &mut force);
                for slider in self.sliders.iter().filter(|slider| slider.contact == i) {
                    force[slider.place] = slider.stiffness;
                }
                let direction = &self.contacts[i].direction;
                balance.iter_mut().zip(direction).for_each(|(row, w)| add(-w, &force, row));
            }
            out.sliding.push(sliding);
            out.normal.push(normal);
            out.belt.push(belt);
            out.force.push(force);
        }
        // accelerations: M⁻¹ of every column
        let mut column = vec![0.0; n];
        for k in 0..d {
            column.iter_mut().zip(&balance).for_each(|(x, row)| *x = row[k]);
            self.inertia.solve(&mut column);
            balance.iter_mut().zip(&column).for_each(|(row, x)| row[k] = *x);
        }
        let mut acceleration = balance;
        self.add_constants(t, modes, out);
        let reactions =
            self.constrain(modes, &out.belt, basis, (&mut acceleration, &mut out.terms), &mut pool);
        for (a, &c) in basis.members.iter().enumerate() {
            match c.checked_sub(self.stops.len()) {
                Some(i) => out.force[i].copy_from_slice(&reactions[a]),
                None => {
                    let sizes = [self.along(&self.stops[c].direction, out) / self.delassus.at(c, c), 0.0];
                    let kind = GuardKind::Releases { stop: c };
                    out.guards.push(GuardRow { row: pool.copy(&reactions[a]), sizes, kind });
                }
            }
        }
        self.add_guards(modes, basis, out, &mut pool);
        self.add_elastic_guards(stop_modes, out, &mut pool);
        self.add_threshold_guards(t, beyond, out, &mut pool);
        (out.matrix.n_rows, out.matrix.n_cols) = (d, d);
        out.matrix.data.clear();
        out.matrix.data.resize(d * d, 0.0);
        for (k, row) in acceleration.iter().enumerate() {
            *out.matrix.at_mut(k, n + k) = 1.0;
            out.matrix.data[(n + k) * d..(n + k + 1) * d].copy_from_slice(row);
        }
        for (k, row) in states.iter().enumerate() {
            let place = 2 * n + self.sliders.len() + k;
            out.matrix.data[place * d..(place + 1) * d].copy_from_slice(row);
        }
        for (slider, mode) in self.sliders.iter().zip(slider_modes) {
            if *mode == SliderMode::Stick && slider.holds() {
                out.matrix.data[slider.place * d..][..d].copy_from_slice(&out.sliding[slider.contact]);
            }
        }
        *out.matrix.at_mut(layout.tau(), layout.one()) = 1.0;
        for (k, [omega, _]) in self.waves.iter().enumerate() {
            *out.matrix.at_mut(layout.sine(k), layout.sine(k) + 1) = *omega;
            *out.matrix.at_mut(layout.sine(k) + 1, layout.sine(k)) = -omega;
        }
        out.rate = rate(&out.matrix, layout.state()).max(self.fastest_wave);
        pool.spare.extend(acceleration.into_iter().chain(states).chain(reactions).chain([row]));
        out.pool = pool;
    }

    /// Size of the constant part of an acceleration along a direction.
    pub(super) fn along(&self, direction: &[f64], regime: &Regime) -> f64 {
        direction.iter().zip(&regime.constants).map(|(w, size)| w.abs() * size).sum()
    }

    /// Takes the constraints into the accelerations, and notes the sizes of their terms; returns the reaction
    /// of each member of the basis.
    fn constrain(
        &self,
        ModeSet { contact_modes, holds, .. }: &ModeSet,
        belts: &[ZRow],
        basis: &mut Basis,
        (acceleration, terms): (&mut [ZRow], &mut Vec<ZRow>),
        pool: &mut RowPool,
    ) -> Vec<ZRow> {
        let (d, k) = (self.layout.len(), self.stops.len());
        basis.clear();
        for (stop, _) in holds.iter().enumerate().filter(|(_, holds)| **holds) {
            basis.add(&self.delassus, stop);
        }
        for (i, _) in
            contact_modes.iter().enumerate().filter(|(_, mode)| matches!(mode, UnilateralMode::Rest { .. }))
        {
            basis.add(&self.delassus, k + i);
        }
        let mut reactions: Vec<ZRow> = Vec::new();
        for &c in &basis.members {
            let direction =
                c.checked_sub(k).map_or_else(|| &self.stops[c].direction, |i| &self.contacts[i].direction);
            let mut row = match c.checked_sub(k) {
                None => pool.zeros(),
                Some(i) => self.rate_of(&belts[i], pool),
            };
            row.iter_mut().for_each(|x| *x = -*x);
            acceleration.iter().zip(direction).for_each(|(a, w)| add(*w, a, &mut row));
            reactions.push(row);
        }
        let mut column = vec![0.0; basis.members.len()];
        for j in 0..d {
            column.iter_mut().zip(&reactions).for_each(|(x, row)| *x = row[j]);
            basis.solve(&mut column);
            reactions.iter_mut().zip(&column).for_each(|(row, x)| row[j] = *x);
        }
        // what the reactions take away leaves its rounding, by which a contact at rest would creep
        for (k, row) in acceleration.iter_mut().enumerate() {
            let mut size = pool.zeros();
            size.iter_mut().zip(row.iter()).for_each(|(size, a)| *size = a.abs());
            for (&c, reaction) in basis.members.iter().zip(&reactions) {
                let w = self.mobility[c][k];
                add(-w, reaction, row);
                size.iter_mut().zip(reaction).for_each(|(size, x)| *size += (w * x).abs());
            }
            row.iter_mut()
                .zip(&size)
                .filter(|(a, size)| a.abs() <= CANCELLED * **size)
                .for_each(|(a, _)| *a = 0.0);
            terms.push(size);
        }
        reactions
    }

    /// Takes the last rounding out of the velocities that the constraints set, and out of the positions of
    /// stops that hold.
    pub fn project(&self, regime: &Regime, contact_modes: &[UnilateralMode], basis: &Basis, z: &mut [f64]) {
        let (n, k) = (self.layout.n, self.stops.len());
        let mut off: Vec<f64> = (basis.members.iter())
            .map(|&c| match c.checked_sub(k) {
                None => dot(&self.stops[c].direction, &z[n..2 * n]),
                Some(i) => {
                    let UnilateralMode::Rest { corner } = contact_modes[i] else { return 0.0 };
                    dot(&regime.sliding[i], z) - self.contacts[i].line.corners[corner].v
                }
            })
            .collect();
        basis.solve(&mut off);
        let moved = |x: &mut [f64], off: &[f64]| {
            for (&c, off) in basis.members.iter().zip(off) {
                x.iter_mut().zip(&self.mobility[c]).for_each(|(x, w)| *x -= w * off);
            }
        };
        moved(&mut z[n..2 * n], &off);
        if basis.members.iter().any(|c| *c < k) {
            for (off, &c) in off.iter_mut().zip(&basis.members) {
                let stop = self.stops.get(c);
                *off = stop.map_or(0.0, |stop| dot(&stop.direction, &z[..n]) - stop.position);
            }
            basis.solve(&mut off);
            moved(&mut z[..n], &off);
        }
        // the rounding of what rests is halved from stretch to stretch: it would report spurious energies
        z[n..2 * n].iter_mut().filter(|v| v.abs() < NO_MOTION).for_each(|v| *v = 0.0);
    }

    /// Takes out of a difference what the constraints hold: sliding velocities, and the positions of stops.
    pub fn project_difference(&self, basis: &Basis, x: &mut [f64]) {
        let (n, k) = (self.layout.n, self.stops.len());
        for part in [0..n, n..2 * n] {
            let mut off: Vec<f64> = (basis.members.iter())
                .map(|&c| match c.checked_sub(k) {
                    None => dot(&self.stops[c].direction, &x[part.clone()]),
                    Some(_) if part.start == 0 => 0.0,
                    Some(i) => dot(&self.contacts[i].direction, &x[part.clone()]),
                })
                .collect();
            basis.solve(&mut off);
            for (&c, off) in basis.members.iter().zip(&off) {
                x[part.clone()].iter_mut().zip(&self.mobility[c]).for_each(|(x, w)| *x -= w * off);
            }
        }
    }
}

/// Sweeps over all rows and columns while balancing.
const SWEEPS: usize = 8;

/// A bound on the norm of the leading block of `size` rows in scales that are made to make it small
/// (@osborne1960).
fn rate(matrix: &Matrix, size: usize) -> f64 {
    let mut a: Vec<f64> = (0..size).flat_map(|i| &matrix.row(i)[..size]).map(|x| x.abs()).collect();
    let sums = |a: &[f64], k: usize| {
        let row = &a[k * size..(k + 1) * size];
        let column = |from: usize, to: usize| (from..to).map(|i| a[i * size + k]);
        [row[..k].iter().chain(&row[k + 1..]).sum::<f64>(), column(0, k).chain(column(k + 1, size)).sum()]
    };
    // what only drives the rest, or is only driven by it, as the position of a free mass is, brings no rate
    // but its own, whatever its units
    let mut has_gone = true;
    while has_gone {
        has_gone = false;
        for k in 0..size {
            let [row, column] = sums(&a, k);
            if (row == 0.0) != (column == 0.0) {
                let own = a[k * size + k];
                a[k * size..(k + 1) * size].fill(0.0);
                a[k..].iter_mut().step_by(size).for_each(|x| *x = 0.0);
                a[k * size + k] = own;
                has_gone = true;
            }
        }
    }
    for _ in 0..SWEEPS {
        for k in 0..size {
            let [row, column] = sums(&a, k);
            if row > 0.0 && column > 0.0 {
                let scale = (row / column).sqrt();
                a[k * size..(k + 1) * size].iter_mut().for_each(|x| *x /= scale);
                a[k..].iter_mut().step_by(size).for_each(|x| *x *= scale);
            }
        }
    }
    let rows = (0..size).map(|i| a[i * size..(i + 1) * size].iter().sum::<f64>()).fold(0.0, f64::max);
    let columns = (0..size).map(|j| a[j..].iter().step_by(size).sum::<f64>()).fold(0.0, f64::max);
    rows.min(columns)
}
