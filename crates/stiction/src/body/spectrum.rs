//! The wrench that a body at rest must be held against, as a sum of harmonics.
//!
//! ```text
//!   A(t) = A₀ + Σ Aᵢ sin(ωᵢ t + φᵢ)
//! ```
//!
//! Everything that drives a body is harmonic; the moments of the inner mass are products of two harmonics, which are
//! sums of two others, and so are loads that turn backwards under a turntable. With the load factor ‖·‖ of the limit surface, a norm, ‖A″‖ ≤ Σ ωᵢ² ‖Aᵢ‖ at all times.

use super::mechanics::Mechanics;
use super::{Axes, Oscillation};
use crate::math::plane::{Turn, cross, turned};
use crate::patch::Wrench;
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// Frequencies whose ratio is closer to a whole number than this have it (-).
const WHOLE: f64 = 1e-14;
/// The common period is looked for among so many divisors of the slowest frequency.
const DIVISORS: u32 = 32;

/// Aᵢ sin(ωᵢ t + φᵢ), and ‖Aᵢ‖.
#[derive(Clone, Copy, Debug)]
struct SpectralTerm {
    wrench: Wrench,
    omega: f64,
    phase: f64,
    size: f64,
}

/// A(t) and what bounds it.
#[derive(Clone, Debug, Default)]
pub(super) struct Spectrum {
    constant: Wrench,
    terms: Vec<SpectralTerm>,
    /// ‖A₀‖ + Σ‖Aᵢ‖.
    pub largest: f64,
    /// Σ ωᵢ² ‖Aᵢ‖.
    pub curvature: f64,
    /// Largest frequency (rad/s).
    pub fastest: f64,
    /// Common period of the terms, if they have one (s).
    pub period: Option<f64>,
}

/// A vector `value` times sin(omega t + phase), and the constant 1 as sin(π/2).
#[derive(Clone, Copy)]
struct VectorWave {
    value: [f64; 2],
    omega: f64,
    phase: f64,
}

/// Waves that a wave of the plane becomes in axes that turn.
const TURNING: usize = 4;

impl VectorWave {
    /// The wave in axes that turn by `spin` t: v sin a cos b − ẑ × v sin a sin b with b = spin t.
    fn turning(self, spin: f64) -> impl Iterator<Item = Self> {
        let Self { value, omega, phase } = self;
        let half = value.map(|v| 0.5 * v);
        let across = turned(half);
        let parts = [
            (half, omega + spin, phase),
            (half, omega - spin, phase),
            (across, omega + spin, phase + FRAC_PI_2),
            (across.map(|v| -v), omega - spin, phase + FRAC_PI_2),
        ];
        parts.into_iter().map(|(value, omega, phase)| Self { value, omega, phase })
    }

    /// The wave in the axes of a body that stands like this.
    fn back(self, turn: Turn) -> Self {
        Self { value: turn.back(self.value), ..self }
    }

    fn scaled(self, factor: f64) -> Self {
        Self { value: self.value.map(|v| factor * v), ..self }
    }
}

impl Spectrum {
    /// Room for the harmonics of a body; nothing is allocated afterwards.
    pub fn new(mechanics: &Mechanics) -> Self {
        let (path, plane) = (mechanics.inner.path.len() + 1, mechanics.vibration.len() + 1);
        // waves that a wave of the plane becomes, and those of the surface and of the inner mass over it
        let (each, more) = if mechanics.frame.is_some() { (TURNING, 1 + 2 * path) } else { (1, 0) };
        let room = 2 * each * mechanics.forces.len() + (path + each * plane + more) * (2 * path + 1);
        Self { terms: Vec::with_capacity(room), ..Self::default() }
    }

    /// Sets the wrench about the centre of mass, in body axes, at a constant angle and place of the body.
    pub fn set(&mut self, mechanics: &Mechanics, angle: f64, place: [f64; 2]) {
        let turn = mechanics.turn(angle);
        let spin = mechanics.frame.map_or(0.0, |frame| frame.spin);
        self.constant = Wrench::default();
        self.terms.clear();
        for f in &mechanics.forces {
            let wrench =
                |[fx, fy]: [f64; 2], moment| Wrench { fx, fy, mz: moment + cross(f.point, [fx, fy]) };
            let parts = [
                (VectorWave { value: f.constant, omega: 0.0, phase: FRAC_PI_2 }, f.moment),
                (VectorWave { value: f.amplitude, omega: f.omega, phase: f.phase }, f.moment_amplitude),
            ];
            for (wave, moment) in parts {
                if f.axes == Axes::World && spin != 0.0 {
                    self.add(wave.omega, wave.phase, Wrench { mz: moment, ..Wrench::default() });
                    for wave in wave.turning(spin) {
                        self.add(wave.omega, wave.phase, wrench(turn.back(wave.value), 0.0));
                    }
                    continue;
                }
                let value = if f.axes == Axes::World { turn.back(wave.value) } else { wave.value };
                self.add(wave.omega, wave.phase, wrench(value, moment));
            }
        }

        // h acts on the body, h − r̈ on the inner mass at r
        let (m, m1) = (mechanics.mass, mechanics.inner.mass);
        let still = |value| VectorWave { value, omega: 0.0, phase: FRAC_PI_2 };
        let moving = |o: &Oscillation, value| VectorWave { value, omega: o.omega, phase: o.phase };
        let accelerated = |o: &Oscillation, p: [f64; 2]| moving(o, p.map(|v| o.omega * o.omega * v));
        let field = std::iter::once(still(mechanics.gravity))
            .chain(mechanics.vibration.iter().map(|o| accelerated(o, o.amplitude)));
        let drive = mechanics.inner.path.iter().map(|o| accelerated(o, o.amplitude)).map(|w| (w, m1));
        if let Some(frame) = mechanics.frame.filter(|_| spin != 0.0) {
            let turning = field.flat_map(|wave| wave.turning(spin)).map(|w| (w.back(turn), m + m1));
            let away = (still(turn.back(frame.field(place, [0.0; 2]))), m + m1);
            // the inner mass away from the centre of mass: Ω² r − 2Ω ẑ × ṙ
            let about = std::iter::once(still(mechanics.inner.centre))
                .chain(mechanics.inner.path.iter().map(|o| moving(o, o.amplitude)));
            let further = about.map(|w| (w.scaled(spin * spin), m1));
            let across = mechanics.inner.path.iter().map(|o| {
                let value = turned(o.amplitude).map(|v| -2.0 * spin * o.omega * v);
                (VectorWave { value, omega: o.omega, phase: o.phase + FRAC_PI_2 }, m1)
            });
            self.add_pulls(mechanics, turning.chain([away]).chain(further).chain(across).chain(drive));
        } else {
            self.add_pulls(mechanics, field.map(|w| (w.back(turn), m + m1)).chain(drive));
        }
        self.bound(mechanics);
    }

    /// Adds fields on these masses, together with what they do to the inner mass at its places.
    fn add_pulls(&mut self, mechanics: &Mechanics, pulls: impl Iterator<Item = (VectorWave, f64)>) {
        let m1 = mechanics.inner.mass;
        let still = VectorWave { value: mechanics.inner.centre, omega: 0.0, phase: FRAC_PI_2 };
        let moving = |o: &Oscillation| VectorWave { value: o.amplitude, omega: o.omega, phase: o.phase };
        for (pull, mass) in pulls {
            let [fx, fy] = pull.value.map(|v| mass * v);
            self.add(pull.omega, pull.phase, Wrench { fx, fy, mz: 0.0 });
            for place in std::iter::once(still).chain(mechanics.inner.path.iter().map(moving)) {
                // sin a sin b = ½ cos(a − b) − ½ cos(a + b)
                let half = Wrench { mz: 0.5 * m1 * cross(place.value, pull.value), ..Wrench::default() };
                let less = Wrench { mz: -half.mz, ..half };
                self.add(place.omega - pull.omega, place.phase - pull.phase + FRAC_PI_2, half);
                self.add(place.omega + pull.omega, place.phase + pull.phase + FRAC_PI_2, less);
            }
        }
    }

    fn add(&mut self, omega: f64, phase: f64, wrench: Wrench) {
        if wrench == Wrench::default() {
            return;
        }
        if omega == 0.0 {
            let c = libm::sin(phase);
            self.constant = summed(self.constant, c, wrench);
        } else if omega < 0.0 {
            self.add(-omega, PI - phase, wrench);
        } else {
            self.terms.push(SpectralTerm { omega, phase, wrench, size: 0.0 });
        }
    }

    fn bound(&mut self, mechanics: &Mechanics) {
        self.largest = mechanics.load_factor(self.constant);
        [self.curvature, self.fastest] = [0.0; 2];
        for term in &mut self.terms {
            term.size = mechanics.load_factor(term.wrench);
            self.largest += term.size;
            self.curvature += term.omega * term.omega * term.size;
            self.fastest = self.fastest.max(term.omega);
        }
        if let Some(leaning) = &mechanics.leaning {
            (self.largest, self.curvature) = leaning.bounds(self.largest, self.curvature);
        }
        let slowest = self.terms.iter().fold(f64::INFINITY, |min, term| min.min(term.omega));
        let base = (1..=DIVISORS).map(|k| slowest / f64::from(k)).find(|base| {
            self.terms.iter().all(|term| {
                let ratio = term.omega / base;
                (ratio - ratio.round()).abs() <= WHOLE * ratio
            })
        });
        self.period = base.filter(|base| base.is_finite()).map(|base| TAU / base);
    }

    /// Whether the wrench is the same at all times.
    pub fn is_constant(&self) -> bool {
        self.terms.is_empty()
    }

    /// A and its derivative.
    pub fn at(&self, t: f64) -> (Wrench, Wrench) {
        let (mut value, mut rate) = (self.constant, Wrench::default());
        for term in &self.terms {
            let (sin, cos) = libm::sincos(term.omega * t + term.phase);
            value = summed(value, sin, term.wrench);
            rate = summed(rate, term.omega * cos, term.wrench);
        }
        (value, rate)
    }
}

/// a + c b.
pub(super) fn summed(a: Wrench, c: f64, b: Wrench) -> Wrench {
    Wrench { fx: a.fx + c * b.fx, fy: a.fy + c * b.fy, mz: a.mz + c * b.mz }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::{Body, Force, InnerMass, MovingSurface};
    use crate::patch::{Disc, Patch, Pressure, Shape};

    #[test]
    fn the_sum_of_harmonics_is_the_wrench_to_be_held() {
        let patch = Patch::new(Shape::Disc(Disc { radius: 0.1 }), Pressure::Uniform, 0.3, 0.0);
        let wave = |x, y, omega, phase| Oscillation { amplitude: [x, y], omega, phase };
        let force = Force {
            constant: [1.0, -2.0],
            amplitude: [0.5, 0.3],
            moment: 0.1,
            moment_amplitude: -0.2,
            omega: 3.0,
            phase: 0.3,
            point: [0.05, 0.02],
            axes: Axes::World,
        };
        let path = vec![wave(0.05, 0.01, 6.0, 0.1), wave(0.0, 0.03, 3.0, 0.4), wave(0.02, 0.0, 6.0, 2.0)];
        let turntable = MovingSurface { velocity: [0.1, 0.2], ..MovingSurface::turntable(-1.5, [0.3, 0.1]) };
        let conveyor = MovingSurface::conveyor([0.3, 0.1]);
        let body = Body {
            centre_of_mass: [0.01, 0.02],
            tilt: 0.2,
            downhill: 0.7,
            forces: vec![force.clone(), Force { axes: Axes::Body, omega: 9.0, ..force }],
            vibration: vec![wave(0.01, 0.02, 3.0, 0.0), wave(0.0, 0.01, 12.0, 0.9)],
            inner_mass: Some(InnerMass { mass: 0.4, centre: [0.03, -0.02], path, ..InnerMass::default() }),
            ..Body::new(1.0, 0.01, patch)
        };
        for surface in [None, Some(conveyor), Some(turntable)] {
            is_the_wrench_to_be_held(&Body { surface, ..body.clone() });
        }
    }

    fn is_the_wrench_to_be_held(body: &Body) {
        let place = [0.7, -0.4];
        let period =
            TAU / if body.surface.as_ref().is_some_and(|surface| surface.spin != 0.0) { 1.5 } else { 3.0 };
        let Ok(mechanics) = Mechanics::new(body) else { panic!("a good body") };
        let mut spectrum = Spectrum::new(&mechanics);
        let room = spectrum.terms.capacity();
        spectrum.set(&mechanics, 0.8, place);
        assert_eq!(spectrum.terms.capacity(), room);
        assert!((spectrum.period.unwrap() - period).abs() < 1e-14);
        let h = 1e-5;
        for i in 0..50 {
            let t = 0.07 * i as f64;
            let held = mechanics.held(&mechanics.load(t, mechanics.turn(0.8), place, [0.0; 2]));
            let (value, rate) = spectrum.at(t);
            let difference = |a: Wrench, b: Wrench| {
                let d = summed(a, -1.0, b);
                d.fx.abs() + d.fy.abs() + d.mz.abs()
            };
            assert!(difference(value, held) < 1e-13, "t = {t}");
            let (ahead, behind) = (spectrum.at(t + h).0, spectrum.at(t - h).0);
            let slope = summed(Wrench::default(), 0.5 / h, summed(ahead, -1.0, behind));
            // central differences
            assert!(difference(rate, slope) < 1e-6, "t = {t}");
            assert!(mechanics.load_factor(value) <= spectrum.largest);
        }
    }
}
