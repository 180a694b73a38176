//! Sliding in logarithmic time.
//!
//! Friction hardly depends on the size of the twist, but on its direction, which changes ever faster as the body comes
//! to a stop. So the twist at the centre of mass (world axes, spin times the radius of gyration k) is split into a
//! speed s and a direction n on the unit sphere, and time is measured in units of s/a₀, dt = (s/a₀) dτ, where a₀ is the
//! deceleration of pure sliding. With the acceleration α of (v, kω) in units of a₀,
//!
//! ```text
//!   n′ = α − (α·n) n      λ′ = α·n,  λ = ln(s/s₀)      t′ = (s₀/a₀) e^λ      x′ = (s₀²/a₀) e^2λ v/s      …
//! ```
//!
//! Towards a stop n tends to a fixed point and λ falls steadily, for ever: the stop lies at τ = ∞, and what is left of
//! t is s/(a₀|λ′|), which a few dozen steps bring below the rounding of t. Nothing is singular on the way.

use super::mechanics::Mechanics;
use crate::math::plane::{dot, norm, plus, turned, unit};
use crate::math::wide::{LANES, WideLane, exp};
use crate::ode::Ode;
use crate::patch::{Twist, Wrench};

/// Components of the state: n, λ, t, x, y, angle, work of the loads, friction loss; and passive: path.
///
/// The energies feed nothing back, but stand in the error norm: a kink of the friction must not upset their balance.
pub(super) const N: usize = 11;
/// The first of them, which say where the body is and how it moves.
pub(super) const PLACE: usize = 8;
const ACTIVE: usize = 10;
const LOG: usize = 3;
/// The component of the time.
pub(super) const TIME: usize = 4;
const ANGLE: usize = 7;
const WORK: usize = 8;
const LOSS: usize = 9;
const PATH: usize = 10;

/// Largest λ whose exponential is taken in lanes.
const LARGEST_LOG: f64 = 700.0;

/// Speeds below this are as good as this one: friction sees the direction only (m/s).
const SLOWEST: f64 = 1e-50;

/// Step of the differences that approximate the Jacobian of the right-hand side.
const DIFFERENCE: f64 = 1e-7;

/// What a stretch of sliding is measured from, and in.
#[derive(Clone, Copy, Debug)]
pub(super) struct SlideOrigin {
    pub t: f64,
    /// Centre of mass (m).
    pub centre: [f64; 2],
    pub angle: f64,
    /// s₀, the unit of speed (m/s).
    pub speed: f64,
    /// t₀, the unit of time (s).
    pub duration: f64,
    /// Path, work of the loads and friction loss so far.
    pub totals: Totals,
}

/// What adds up along the motion.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Totals {
    /// Length of the path of the reference point (m).
    pub path: f64,
    /// Work of all loads but friction (J).
    pub work_in: f64,
    /// Work lost in the contact (J).
    pub friction_loss: f64,
}

/// The state in plain numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sliding {
    pub t: f64,
    pub centre: [f64; 2],
    pub angle: f64,
    /// At the centre of mass, in world axes.
    pub twist: Twist,
    pub totals: Totals,
}

/// The state at several times, but for what adds up.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Places {
    pub t: WideLane,
    /// Centre of mass (m).
    pub x: WideLane,
    pub y: WideLane,
    pub angle: WideLane,
    /// Its velocity, and the spin, in world axes.
    pub vx: WideLane,
    pub vy: WideLane,
    pub omega: WideLane,
}

impl Places {
    pub fn twist(&self, i: usize) -> Twist {
        Twist { vx: self.vx[i], vy: self.vy[i], omega: self.omega[i] }
    }

    pub fn state(&self, i: usize) -> Sliding {
        let (t, centre, angle) = (self.t[i], [self.x[i], self.y[i]], self.angle[i]);
        Sliding { t, centre, angle, twist: self.twist(i), totals: Totals::default() }
    }
}

/// The right-hand side.
pub(super) struct SlidingOde {
    pub mechanics: Mechanics,
    pub origin: SlideOrigin,
    /// k (m).
    pub gyration: f64,
    /// a₀ (m/s²).
    pub deceleration: f64,
}

impl SlidingOde {
    pub fn new(mechanics: Mechanics) -> Self {
        let origin = SlideOrigin {
            t: 0.0,
            centre: [0.0; 2],
            angle: 0.0,
            speed: 1.0,
            duration: 1.0,
            totals: Totals::default(),
        };
        Self { gyration: mechanics.gyration(), deceleration: mechanics.deceleration(), mechanics, origin }
    }

    /// Speed and direction of a twist at the centre of mass; the direction of rest has no meaning.
    pub fn polar(&self, twist: Twist) -> (f64, [f64; 3]) {
        let q = [twist.vx, twist.vy, self.gyration * twist.omega];
        // squares must not leave the range of numbers
        let largest = q.iter().fold(0.0, |max: f64, v| max.max(v.abs()));
        if largest == 0.0 {
            return (0.0, [0.0; 3]);
        }
        let scaled = q.map(|v| v / largest);
        let size = norm(scaled);
        (largest * size, scaled.map(|v| v / size))
    }

    /// A twist at the centre of mass from its direction.
    pub fn twist(&self, speed: f64, n: [f64; 3]) -> Twist {
        Twist { vx: speed * n[0], vy: speed * n[1], omega: speed * n[2] / self.gyration }
    }

    /// The initial vector of a stretch that begins at `origin` with this direction and speed.
    pub fn begin(&mut self, origin: SlideOrigin, n: [f64; 3], speed: f64) -> [f64; N] {
        self.origin = origin;
        let mut y = [0.0; N];
        y[..3].copy_from_slice(&n);
        y[LOG] = libm::log(speed / origin.speed);
        y
    }

    /// Time (s).
    pub fn time(&self, y: &[f64]) -> f64 {
        self.origin.t + self.origin.duration * y[TIME]
    }

    /// The value that the component of time has at `t`.
    pub fn time_component(&self, t: f64) -> f64 {
        (t - self.origin.t) / self.origin.duration
    }

    /// dt/dτ (s).
    pub fn pace(&self, y: &[f64]) -> f64 {
        self.origin.speed / self.deceleration * libm::exp(y[LOG])
    }

    /// The states of several times in plain numbers, from the components that they depend on; those at speeds which the exponential in
    /// lanes does not reach are not known.
    #[inline]
    pub fn unpack_wide(&self, t: WideLane, y: &[WideLane; PLACE], is_known: &mut [bool; LANES]) -> Places {
        let (k, length, [cx, cy]) = (self.gyration, self.unit_length(), self.origin.centre);
        let mut places = Places { t, ..Places::default() };
        let growth = exp(&y[LOG]);
        for i in 0..LANES {
            let speed = self.origin.speed * growth[i];
            is_known[i] &= y[LOG][i].abs() < LARGEST_LOG && speed > 0.0;
            let n = unit([y[0][i], y[1][i], y[2][i]]);
            (places.vx[i], places.vy[i], places.omega[i]) = (speed * n[0], speed * n[1], speed * n[2] / k);
            (places.x[i], places.y[i]) = (cx + length * y[5][i], cy + length * y[6][i]);
            places.angle[i] = self.origin.angle + length / k * y[ANGLE][i];
        }
        places
    }

    /// The state in plain numbers.
    pub fn unpack(&self, y: &[f64]) -> Sliding {
        let o = &self.origin;
        let (length, energy) = (self.unit_length(), self.unit_energy());
        let totals = Totals {
            path: o.totals.path + length * y[PATH],
            work_in: o.totals.work_in + energy * y[WORK],
            friction_loss: o.totals.friction_loss + energy * y[LOSS],
        };
        let (speed, n) = self.direction(y);
        let centre = plus(o.centre, length, [y[5], y[6]]);
        Sliding { t: self.time(y), centre, angle: self.angle(y), twist: self.twist(speed, n), totals }
    }

    /// Time that is left to the stop if the direction stays, as a part of the time since the stretch began; `dy` is the right-hand side
    /// at `y`.
    pub fn remainder(y: &[f64], dy: &[f64]) -> f64 {
        if dy[LOG] < 0.0 { dy[TIME] / (-dy[LOG] * y[TIME]) } else { f64::INFINITY }
    }

    fn unit_length(&self) -> f64 {
        self.origin.speed * self.origin.speed / self.deceleration
    }

    fn unit_energy(&self) -> f64 {
        self.mechanics.mass * self.origin.speed * self.origin.speed
    }

    fn angle(&self, y: &[f64]) -> f64 {
        self.origin.angle + self.unit_length() / self.gyration * y[ANGLE]
    }

    /// Speed and direction.
    pub fn direction(&self, y: &[f64]) -> (f64, [f64; 3]) {
        (self.origin.speed * libm::exp(y[LOG]), unit([y[0], y[1], y[2]]))
    }
}

impl Ode for SlidingOde {
    fn n(&self) -> usize {
        N
    }

    fn n_passive(&self) -> usize {
        N - ACTIVE
    }

    fn rhs(&mut self, _tau: f64, y: &[f64], dy: &mut [f64]) {
        let (k, a0) = (self.gyration, self.deceleration);
        let e = libm::exp(y[LOG]);
        let (speed, n) = (self.origin.speed * e, unit([y[0], y[1], y[2]]));
        let turn = self.mechanics.turn(self.angle(y));
        let [nx, ny] = turn.back([n[0], n[1]]);
        let body = [nx, ny, n[2]];
        let twist = self.twist(speed, body);

        let place = plus(self.origin.centre, self.unit_length(), [y[5], y[6]]);
        let load = self.mechanics.load(self.time(y), turn, place, [speed * n[0], speed * n[1]]);
        let lean = self.mechanics.lean(load.r);
        let friction = self.mechanics.contact.wrench_leaning(self.twist(speed.max(SLOWEST), body), lean);
        let response = self.mechanics.response(&load, twist, friction);

        let [ax, ay] = turn.out(response.linear);
        let alpha = [ax / a0, ay / a0, k * response.angular / a0];
        let growth = dot(alpha, n);
        for i in 0..3 {
            dy[i] = alpha[i] - growth * n[i];
        }
        dy[LOG] = growth;
        let e2 = e * e;
        dy[TIME] = self.origin.speed / a0 * e / self.origin.duration;
        dy[5] = e2 * n[0];
        dy[6] = e2 * n[1];
        dy[ANGLE] = e2 * n[2];

        // per s₀², like the energies
        let [ox, oy] = plus([nx, ny], -n[2] / k, turned(self.mechanics.offset));
        dy[PATH] = e2 * libm::hypot(ox, oy);
        let unit = self.mechanics.mass * a0;
        dy[WORK] = e * (response.power / (unit * self.origin.speed));
        let Wrench { fx, fy, mz } = friction;
        dy[LOSS] = -e2 / unit * (fx * nx + fy * ny + mz * n[2] / k);
    }

    fn jacobian(&mut self, tau: f64, y: &[f64], jac: &mut [f64]) {
        let [mut state, mut base, mut moved] = [[0.0; N]; 3];
        state.copy_from_slice(y);
        self.rhs(tau, y, &mut base);
        for k in 0..ACTIVE {
            let step = DIFFERENCE * y[k].abs().max(1.0);
            state[k] = y[k] + step;
            self.rhs(tau, &state, &mut moved);
            state[k] = y[k];
            for i in 0..ACTIVE {
                jac[i * ACTIVE + k] = (moved[i] - base[i]) / step;
            }
        }
    }

    fn is_never_stiff(&self) -> bool {
        self.mechanics.is_slow()
    }

    fn stiffness(&mut self, _tau: f64, y: &[f64]) -> f64 {
        let (speed, n) = self.direction(y);
        let turn = self.mechanics.turn(self.angle(y));
        let [nx, ny] = turn.back([n[0], n[1]]);
        let speed = speed.max(SLOWEST);
        let lean = self.mechanics.lean_at(self.time(y));
        let j = self.mechanics.contact.jacobian_leaning(self.twist(speed, [nx, ny, n[2]]), lean);
        // the wrench's slope in units of a₀ and s
        let (m, k) = (self.mechanics.mass, self.gyration);
        let scale = [1.0, 1.0, 1.0 / k];
        let mut sum = 0.0;
        for (i, row) in j.iter().enumerate() {
            for (c, v) in row.iter().enumerate() {
                sum += (v * scale[i] * scale[c]) * (v * scale[i] * scale[c]);
            }
        }
        sum.sqrt() * speed / (m * self.deceleration)
    }
}
