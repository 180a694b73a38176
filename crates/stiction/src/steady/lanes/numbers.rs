//! One mass on a spring under Coulomb friction, a constant and a harmonic force: its numbers, and those of W such masses prepared.

use crate::law::FrictionLaw;
use crate::math::complex::{Complex, complex};
use crate::system::System;
use std::f64::consts::TAU;

/// |Z| below this part of ω² is near resonance, where other formulas hold.
const RESONANT: f64 = 0.02;
/// Numbers whose eighth powers, and products of those, are numbers with room: 2^±60.
const ROOM: std::ops::RangeInclusive<f64> = 8.673617379884035e-19..=1.152921504606847e18;

/// The numbers of a mass on a spring.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct PlainMass {
    pub mass: f64,
    pub damping: f64,
    pub stiffness: f64,
    pub constant: f64,
    pub size: f64,
    pub omega: f64,
    pub phase: f64,
    /// Kinetic friction, and the most that is held at rest (N).
    pub kinetic: f64,
    pub limit: f64,
}

impl PlainMass {
    /// The numbers of a system that passes its check and has nothing else; `None` if it has, or would not pass.
    pub fn of(system: &System) -> Option<Self> {
        let System { mass, damping, stiffness, contacts, constant, harmonics, position, velocity, wider } =
            system;
        let number = |matrix: &crate::math::Matrix| match matrix.data[..] {
            [x] if matrix.n_rows == 1 && matrix.n_cols == 1 => Some(x),
            _ => None,
        };
        let ([contact], [harmonic], [constant], [u], [v]) =
            (&contacts[..], &harmonics[..], &constant[..], &position[..], &velocity[..])
        else {
            return None;
        };
        let ([w], [size], FrictionLaw::Coulomb(law)) =
            (&contact.direction[..], &harmonic.amplitude[..], &contact.friction.law)
        else {
            return None;
        };
        if !(wider.is_empty() && wider.memory.is_empty() && contact.belt == 0.0)
            || contact.friction.viscous != 0.0
        {
            return None;
        }
        let force = w.abs() * contact.load;
        let own = Self {
            mass: number(mass)?,
            damping: number(damping)?,
            stiffness: number(stiffness)?,
            constant: *constant,
            size: *size,
            omega: harmonic.omega,
            phase: harmonic.phase,
            kinetic: force * law.mu,
            limit: force * law.static_mu(),
        };
        let is_sound = contact.load > 0.0 && law.mu > 0.0 && law.static_mu() >= law.mu;
        let numbers = [own.mass, own.stiffness, own.size.abs(), own.omega, own.kinetic, own.limit];
        let has_room = numbers.iter().all(|x| ROOM.contains(x));
        let is_finite = [own.constant, own.damping, own.phase, *u, *v].iter().all(|x| x.is_finite());
        (is_sound && has_room && is_finite && own.is_calm()).then_some(own)
    }

    /// Whether the spring is underdamped and the load far from its resonance.
    fn is_calm(&self) -> bool {
        let (sigma, square) = (0.5 * self.damping / self.mass, self.stiffness / self.mass);
        let z = [square - self.omega * self.omega, 2.0 * sigma * self.omega];
        let near = RESONANT * self.omega * self.omega;
        // nearly critical damping would divide by nearly nothing
        sigma >= 0.0 && sigma * sigma < 0.9 * square && z[0] * z[0] + z[1] * z[1] >= near * near
    }

    /// The period of the load (s).
    pub fn period(&self) -> f64 {
        TAU / self.omega
    }

    /// What its largest load, friction included, deflects it by (m).
    pub fn reference(&self) -> f64 {
        let force = self.size.abs() + self.constant.abs() + self.limit;
        force / self.stiffness.max(self.mass * self.omega * self.omega)
    }

    /// A length that belongs to it, for the size of motions (m).
    pub fn length(&self) -> f64 {
        1e-3 * self.reference()
    }

    /// The fastest rate (1/s).
    pub fn rate(&self) -> f64 {
        (self.stiffness / self.mass).sqrt().max(self.omega)
    }
}

/// W masses, prepared.
#[derive(Clone, Debug)]
pub(super) struct LaneSystems<const W: usize> {
    pub mass: [f64; W],
    pub damping: [f64; W],
    pub stiffness: [f64; W],
    pub constant: [f64; W],
    pub size: [f64; W],
    pub omega: [f64; W],
    pub kinetic: [f64; W],
    pub limit: [f64; W],
    pub period: [f64; W],
    pub rate: [f64; W],
    pub sigma: [f64; W],
    pub square: [f64; W],
    pub omega_d: [f64; W],
    /// Sine and cosine of the load's angle at t = 0.
    pub sine: [f64; W],
    pub cosine: [f64; W],
    pub phase: [f64; W],
    gain: [[f64; W]; 2],
    by_root: [[f64; W]; 2],
    /// 1/(s + iω), 1/(s − iω), and −imZ/ω: the wave of the load over that of the velocity.
    by_sum: [[f64; W]; 2],
    by_difference: [[f64; W]; 2],
    load: [[f64; W]; 2],
}

impl<const W: usize> LaneSystems<W> {
    #[inline(always)]
    pub fn new(numbers: &[PlainMass; W]) -> Self {
        let (one, two) = ([0.0; W], [[0.0; W]; 2]);
        let of = |f: fn(&PlainMass) -> f64| {
            let mut all = [0.0; W];
            for i in 0..W {
                all[i] = f(&numbers[i]);
            }
            all
        };
        let mut new = Self {
            mass: of(|own| own.mass),
            damping: of(|own| own.damping),
            stiffness: of(|own| own.stiffness),
            constant: of(|own| own.constant),
            size: of(|own| own.size),
            omega: of(|own| own.omega),
            kinetic: of(|own| own.kinetic),
            limit: of(|own| own.limit),
            phase: of(|own| own.phase),
            period: one,
            rate: one,
            sigma: one,
            square: one,
            omega_d: one,
            sine: one,
            cosine: one,
            gain: two,
            by_root: two,
            by_sum: two,
            by_difference: two,
            load: two,
        };
        for (i, own) in numbers.iter().enumerate() {
            // phases stay from one value to the next as a rule
            let before = i.checked_sub(1).filter(|before| numbers[*before].phase == own.phase);
            (new.sine[i], new.cosine[i]) = match before {
                Some(before) => (new.sine[before], new.cosine[before]),
                None => libm::sincos(own.phase),
            };
        }
        for i in 0..W {
            let (mass, omega) = (new.mass[i], new.omega[i]);
            let (sigma, square) = (0.5 * new.damping[i] / mass, new.stiffness[i] / mass);
            let omega_d = (square - sigma * sigma).sqrt();
            new.period[i] = TAU / omega;
            new.rate[i] = square.sqrt().max(omega);
            (new.sigma[i], new.square[i], new.omega_d[i]) = (sigma, square, omega_d);
            let z = complex(square - omega * omega, 2.0 * sigma * omega);
            let gain = inverse(z).times(new.size[i] * omega / mass);
            put(&mut new.gain, i, gain);
            put(&mut new.by_root, i, inverse(complex(-sigma, omega_d)));
            put(&mut new.by_sum, i, inverse(complex(-sigma, omega_d + omega)));
            put(&mut new.by_difference, i, inverse(complex(-sigma, omega_d - omega)));
            put(&mut new.load, i, complex(-z.im, z.re).times(-mass / omega));
        }
        new
    }

    /// q of a load whose angle is zero.
    #[inline(always)]
    pub fn gain(&self, i: usize) -> Complex {
        complex(self.gain[0][i], self.gain[1][i])
    }
    /// 1/s.
    #[inline(always)]
    pub fn by_root(&self, i: usize) -> Complex {
        complex(self.by_root[0][i], self.by_root[1][i])
    }
    /// 1/(s + iω).
    #[inline(always)]
    pub fn by_sum(&self, i: usize) -> Complex {
        complex(self.by_sum[0][i], self.by_sum[1][i])
    }
    /// 1/(s − iω).
    #[inline(always)]
    pub fn by_difference(&self, i: usize) -> Complex {
        complex(self.by_difference[0][i], self.by_difference[1][i])
    }
    /// The wave of the load over that of the velocity.
    #[inline(always)]
    pub fn load(&self, i: usize) -> Complex {
        complex(self.load[0][i], self.load[1][i])
    }
}

#[inline(always)]
fn put<const W: usize>(to: &mut [[f64; W]; 2], i: usize, z: Complex) {
    (to[0][i], to[1][i]) = (z.re, z.im);
}

/// 1/z.
#[inline(always)]
fn inverse(z: Complex) -> Complex {
    let square = z.re * z.re + z.im * z.im;
    complex(z.re / square, -z.im / square)
}
