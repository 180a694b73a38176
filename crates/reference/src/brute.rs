//! Coulomb friction by small Runge–Kutta steps and bisection, sharing nothing with the exact method: at most
//! two degrees of freedom and three contacts. Events are looked for at the ends of the steps and at extrema
//! inside them.

use stiction::event::{Event, EventKind};
use stiction::law::{FrictionLaw, Law, Slip};
use stiction::system::System;

type V2 = [f64; 2];

#[derive(Clone, Copy, Debug, PartialEq)]
enum Mode {
    Stick,
    Slip(f64),
    /// A law that is a function of the velocity.
    Smooth,
}

#[derive(Clone)]
struct Contact {
    w: V2,
    belt: f64,
    load: f64,
    viscous: f64,
    law: FrictionLaw,
    kinetic: f64,
    limit: f64,
}

pub struct Brute {
    n: usize,
    inverse: [V2; 2],
    c: [V2; 2],
    k: [V2; 2],
    constant: V2,
    harmonics: Vec<(V2, f64, f64)>,
    contacts: Vec<Contact>,
    mode: Vec<Mode>,
    pub t: f64,
    pub q: V2,
    pub v: V2,
    pub events: Vec<Event>,
    /// Whether two choices with as many sticking contacts were both consistent: static friction above kinetic
    /// allows that.
    pub ambiguous: bool,
}

fn dot(a: V2, b: V2) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

fn apply(m: &[V2; 2], x: V2) -> V2 {
    [dot(m[0], x), dot(m[1], x)]
}

impl Brute {
    pub fn new(system: &System) -> Self {
        let n = system.n();
        let pad = |x: &[f64]| [x[0], if n == 2 { x[1] } else { 0.0 }];
        let matrix = |a: &stiction::math::Matrix| {
            let entry = |i: usize, j: usize| if i < n && j < n { a.at(i, j) } else { 0.0 };
            [[entry(0, 0), entry(0, 1)], [entry(1, 0), entry(1, 1)]]
        };
        let mut mass = matrix(&system.mass);
        if n == 1 {
            mass[1][1] = 1.0;
        }
        let det = mass[0][0] * mass[1][1] - mass[0][1] * mass[1][0];
        let inverse = [[mass[1][1] / det, -mass[0][1] / det], [-mass[1][0] / det, mass[0][0] / det]];
        let contacts: Vec<Contact> = (system.contacts.iter())
            .map(|e| {
                let (kinetic, limit) = match &e.friction.law {
                    FrictionLaw::Coulomb(law) => (law.mu * e.load, law.static_mu() * e.load),
                    _ => (0.0, 0.0),
                };
                let w = pad(&e.direction);
                let viscous = e.friction.viscous;
                Contact {
                    w,
                    belt: e.belt,
                    load: e.load,
                    viscous,
                    law: e.friction.law.clone(),
                    kinetic,
                    limit,
                }
            })
            .collect();
        let mut brute = Self {
            n,
            inverse,
            c: matrix(&system.damping),
            k: matrix(&system.stiffness),
            constant: pad(&system.constant),
            harmonics: system.harmonics.iter().map(|h| (pad(&h.amplitude), h.omega, h.phase)).collect(),
            mode: vec![Mode::Smooth; contacts.len()],
            contacts,
            t: 0.0,
            q: pad(&system.position),
            v: pad(&system.velocity),
            events: Vec::new(),
            ambiguous: false,
        };
        let mut zero = Vec::new();
        for i in 0..brute.contacts.len() {
            if brute.contacts[i].limit > 0.0 {
                let v = brute.sliding(i, brute.v);
                brute.mode[i] = Mode::Slip(v.signum());
                if v == 0.0 {
                    zero.push(i);
                }
            }
        }
        brute.decide(&zero);
        brute.events.clear();
        brute
    }

    fn sliding(&self, i: usize, v: V2) -> f64 {
        dot(self.contacts[i].w, v) - self.contacts[i].belt
    }

    /// Acceleration and the forces of sticking contacts.
    fn acceleration(&self, t: f64, q: V2, v: V2, mode: &[Mode]) -> (V2, [f64; 3]) {
        let mut f = self.constant;
        for (amplitude, omega, phase) in &self.harmonics {
            let s = (omega * t + phase).sin();
            f[0] += amplitude[0] * s;
            f[1] += amplitude[1] * s;
        }
        let (cv, kq) = (apply(&self.c, v), apply(&self.k, q));
        f = [f[0] - cv[0] - kq[0], f[1] - cv[1] - kq[1]];
        let mut stuck = Vec::new();
        for (i, contact) in self.contacts.iter().enumerate() {
            let sliding = self.sliding(i, v);
            let h = match mode[i] {
                Mode::Stick => {
                    stuck.push(i);
                    continue;
                }
                Mode::Slip(sign) => sign * contact.kinetic + contact.load * contact.viscous * sliding,
                Mode::Smooth => {
                    contact.load * (contact.law.coefficient(Slip::at(sliding)) + contact.viscous * sliding)
                }
            };
            f = [f[0] - contact.w[0] * h, f[1] - contact.w[1] * h];
        }
        let free = apply(&self.inverse, f);
        let mut forces = [0.0; 3];
        match stuck[..] {
            [] => (free, forces),
            [i] => {
                let w = self.contacts[i].w;
                let mw = apply(&self.inverse, w);
                forces[i] = dot(w, free) / dot(w, mw);
                ([free[0] - mw[0] * forces[i], free[1] - mw[1] * forces[i]], forces)
            }
            [i, j] => {
                let (a, b) = (self.contacts[i].w, self.contacts[j].w);
                let (ma, mb) = (apply(&self.inverse, a), apply(&self.inverse, b));
                let (g11, g12, g22) = (dot(a, ma), dot(a, mb), dot(b, mb));
                let (r1, r2) = (dot(a, free), dot(b, free));
                let det = g11 * g22 - g12 * g12;
                (forces[i], forces[j]) = ((g22 * r1 - g12 * r2) / det, (g11 * r2 - g12 * r1) / det);
                ([0.0; 2], forces)
            }
            _ => panic!("three independent contacts on two degrees of freedom"),
        }
    }

    /// One Runge–Kutta step of order 4.
    fn advance(&self, h: f64) -> (V2, V2) {
        let (t, q, v) = (self.t, self.q, self.v);
        let add = |x: V2, s: f64, d: V2| [x[0] + s * d[0], x[1] + s * d[1]];
        let a = |t, q, v| self.acceleration(t, q, v, &self.mode).0;
        let k1 = a(t, q, v);
        let (v2, q2) = (add(v, 0.5 * h, k1), add(q, 0.5 * h, v));
        let k2 = a(t + 0.5 * h, q2, v2);
        let (v3, q3) = (add(v, 0.5 * h, k2), add(q, 0.5 * h, v2));
        let k3 = a(t + 0.5 * h, q3, v3);
        let (v4, q4) = (add(v, h, k3), add(q, h, v3));
        let k4 = a(t + h, q4, v4);
        let mean = |a: V2, b: V2, c: V2, d: V2, i: usize| (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]) / 6.0;
        let dq = [mean(v, v2, v3, v4, 0), mean(v, v2, v3, v4, 1)];
        let dv = [mean(k1, k2, k3, k4, 0), mean(k1, k2, k3, k4, 1)];
        (add(q, h, dq), add(v, h, dv))
    }

    /// How far contact `i` is from its event after a step of h: negative beyond it.
    fn room(&self, i: usize, h: f64) -> f64 {
        let (q, v) = self.advance(h);
        match self.mode[i] {
            Mode::Slip(sign) => sign * self.sliding(i, v),
            Mode::Stick => {
                let force = self.acceleration(self.t + h, q, v, &self.mode).1[i];
                self.contacts[i].limit - force.abs()
            }
            Mode::Smooth => 1.0,
        }
    }

    /// The first time within the step at which contact `i` has its event, to bisection.
    fn event_within(&self, i: usize, h: f64) -> Option<f64> {
        let start = 1e-9 * h;
        let mut end = h;
        if self.room(i, h) >= 0.0 {
            // an extremum inside the step, by golden section on the (then convex) distance
            let (mut a, mut b) = (start, h);
            if self.room(i, a + 1e-3 * h) >= self.room(i, a) || self.room(i, b - 1e-3 * h) >= self.room(i, b)
            {
                return None;
            }
            for _ in 0..40 {
                let (x, y) = (a + 0.382 * (b - a), a + 0.618 * (b - a));
                if self.room(i, x) < self.room(i, y) { b = y } else { a = x }
            }
            end = 0.5 * (a + b);
            if self.room(i, end) >= 0.0 {
                return None;
            }
        }
        let (mut low, mut high) = (0.0, end);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if self.room(i, middle) < 0.0 { high = middle } else { low = middle }
        }
        Some(high)
    }

    pub fn run(&mut self, t_end: f64, step: f64) {
        while self.t < t_end {
            let h = step.min(t_end - self.t);
            let mut first: Option<(f64, usize)> = None;
            for i in 0..self.contacts.len() {
                if let Some(at) = self.event_within(i, h)
                    && first.is_none_or(|first| at < first.0)
                {
                    first = Some((at, i));
                }
            }
            let at = first.map_or(h, |first| first.0);
            (self.q, self.v) = self.advance(at);
            self.t = if first.is_none() && h < step { t_end } else { self.t + at };
            if let Some((_, i)) = first {
                self.decide(&[i]);
            }
            assert!(self.events.len() < 2000, "the brute-force integration chatters at t = {}", self.t);
        }
    }

    /// Tries all modes for the contacts at zero velocity: those in `reached` and those that stick.
    fn decide(&mut self, reached: &[usize]) {
        let before = self.mode.clone();
        let open: Vec<usize> =
            (0..self.contacts.len()).filter(|i| reached.contains(i) || before[*i] == Mode::Stick).collect();
        if open.is_empty() {
            return;
        }
        let choices = [Mode::Stick, Mode::Slip(1.0), Mode::Slip(-1.0)];
        let mut best: Option<(usize, Vec<Mode>)> = None;
        let mut ties = 0;
        for code in 0..3usize.pow(open.len() as u32) {
            let mut mode = before.clone();
            for (place, &i) in open.iter().enumerate() {
                mode[i] = choices[code / 3usize.pow(place as u32) % 3];
            }
            let n_stick = mode.iter().filter(|mode| **mode == Mode::Stick).count();
            if n_stick > self.n || best.as_ref().is_some_and(|best| best.0 > n_stick) {
                continue;
            }
            // what holds a moment later: contacts slide where they go, sticking ones are inside their limits
            let saved = (self.mode.clone(), self.v);
            self.mode = mode.clone();
            for &i in &open {
                // take the rounding out of the velocity
                let w = self.contacts[i].w;
                let mw = apply(&self.inverse, w);
                let excess = self.sliding(i, self.v) / dot(w, mw);
                self.v = [self.v[0] - mw[0] * excess, self.v[1] - mw[1] * excess];
            }
            let right = [1e-5, 1e-6].iter().all(|&h| open.iter().all(|&i| self.room(i, h) > 0.0));
            (self.mode, self.v) = saved;
            if right {
                ties = if best.as_ref().is_some_and(|best| best.0 == n_stick) { ties + 1 } else { 1 };
                best = Some((n_stick, mode));
            }
        }
        self.ambiguous |= ties > 1;
        let Some((_, mode)) = best else { panic!("no consistent modes at t = {}", self.t) };
        for &i in &open {
            let w = self.contacts[i].w;
            let mw = apply(&self.inverse, w);
            let excess = self.sliding(i, self.v) / dot(w, mw);
            self.v = [self.v[0] - mw[0] * excess, self.v[1] - mw[1] * excess];
        }
        for &i in &open {
            let kind = match (before[i], mode[i]) {
                (Mode::Stick, Mode::Slip(_)) => EventKind::Slip,
                (Mode::Slip(_), Mode::Stick) => EventKind::Stick,
                (Mode::Slip(a), Mode::Slip(b)) if a != b => EventKind::Reverse,
                _ => continue,
            };
            self.events.push(Event { t: self.t, contact: i, kind });
        }
        self.mode = mode;
    }
}
