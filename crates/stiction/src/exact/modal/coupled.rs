//! Natural modes that damping couples: pairs of exponents of the whole system.
//!
//! In natural modes η″ + Dη′ + Ω²η = p(τ), with D = ΦᵀCΦ full. Its exponents λ and vectors x, (λ² + λD + Ω²)x = 0, come as complex
//! pairs and as real ones, which are paired too. A pair is an oscillator of its own:
//!
//! ```text
//!   y″ + 2σy′ + ω²y = 0,    2σ = −(λ₁ + λ₂),  ω² = λ₁λ₂
//!   η = e₀ + e₁τ + Re Σ Ψ e^{i(ωτ+θ)} + Σ (P y + Q ẏ),      P + λQ = x for both exponents
//!   η̇ = e₁ + … + Σ (−ω²Q y + (P − 2σQ) ẏ)
//! ```
//!
//! e₀ + e₁τ answers loads that are constant or grow with time, Ψ harmonic ones; without coupling Q = 0.
//! Exponents that nearly agree, with one vector, have no such pair; near resonance Ψ and the free motion
//! cancel. The first is seen from the condition of the vectors, the second from the distance of the exponents
//! from the loads; both are left to Taylor series.

use super::Phase;
use super::exponents::{Exponent, ExponentPair, ZERO, answer, exponent_pairs, inverse, over};
use super::modes::{ModalRows, Modes};
use crate::exact::forced::Forced;
use crate::exact::taylor::Model;
use crate::math::complex::{Complex, complex};
use crate::math::dense::{Matrix, dot};

/// A load nearer to an exponent than this part of its frequency is at resonance.
const RESONANT: f64 = 1e-4;

/// What is different where damping couples the modes.
#[derive(Debug)]
pub(super) struct Coupled {
    /// Ω² and D of the natural modes.
    natural: Vec<f64>,
    damping: Matrix,
    /// The forces of the resting contacts in natural modes.
    natural_held: ModalRows,
    /// Steady waves of the natural modes, one row a mode.
    natural_waves: Vec<Vec<Complex>>,
    /// Maps (η, η̇) of free motions to (y, ẏ).
    from_natural: Matrix,
    /// Positions, velocities and sliding velocities, and the steady waves in them, one amplitude a load.
    pub position: ModalRows,
    pub velocity: ModalRows,
    pub sliding: ModalRows,
    pub position_waves: Vec<Vec<Complex>>,
    pub sliding_waves: Vec<Vec<Complex>>,
    /// The exponentials that velocities are made of, then the steady waves.
    pub terms: Vec<Term>,
    /// xᵀDx′ and xᵀDx̄′ of all pairs of terms, row after row up to the diagonal.
    pub grams: Vec<[Complex; 2]>,
}

/// A term x e^{zτ} of the velocities of the natural modes, times a number that the phase gives.
#[derive(Debug)]
pub(super) struct Term {
    /// z (1/s).
    pub exponent: Complex,
    /// Velocities x of the natural modes.
    pub vector: Vec<Complex>,
    /// Power of the constant loads in it, and the forces of each harmonic one.
    pub constant: Complex,
    pub loads: Vec<Complex>,
    /// How the contacts slide in it.
    pub sliding: Vec<Complex>,
    /// What it asks of the resting contacts; nothing of a steady wave, which they have for themselves.
    pub held: Vec<Complex>,
}

/// Σ cⱼxⱼ.
pub(super) fn along(c: &[f64], x: &[Complex]) -> Complex {
    c.iter().zip(x).fold(ZERO, |sum, (c, x)| sum + x.times(*c))
}

impl Coupled {
    /// Couples natural modes by D; `None` if that cannot be done without loss.
    pub fn couple(modes: &mut Modes, model: &Model, damping: Matrix) -> Option<()> {
        let natural = std::mem::take(&mut modes.squares);
        // a rigid motion without damping has one vector for two exponents
        if natural.first().is_some_and(|square| *square <= 0.0) {
            return None;
        }
        let n = modes.n_modes;
        let pairs = exponent_pairs(&natural, &damping)?;
        let from_natural = inverse(&natural, &pairs)?;
        let mut natural_waves = vec![Vec::new(); n];
        for (k, (omega, ..)) in model.harmonics.iter().enumerate() {
            let at = complex(0.0, *omega);
            let is_near = |term: &Exponent| (term.0 - at).modulus() < RESONANT * omega;
            if pairs.iter().flat_map(|pair| &pair.terms).any(is_near) {
                return None;
            }
            // sin x = Re(−i e^{ix})
            let tones = (0..n).map(|j| complex(0.0, -modes.tones.at(j, k)));
            let wave = answer(&natural, &damping, *omega, tones)?;
            natural_waves.iter_mut().zip(wave).for_each(|(waves, wave)| waves.push(wave));
        }
        let natural_held = std::mem::take(&mut modes.held);
        let mut coupled = Self {
            natural,
            damping,
            natural_held,
            natural_waves,
            from_natural,
            position: ModalRows::default(),
            velocity: ModalRows::default(),
            sliding: ModalRows::default(),
            position_waves: Vec::new(),
            sliding_waves: Vec::new(),
            terms: Vec::new(),
            grams: Vec::new(),
        };
        coupled.map(modes, &pairs);
        coupled.add_waves(modes, model);
        coupled.list_terms(modes, model, pairs);
        modes.tones = Matrix::zeros(n, 0);
        modes.coupled = Some(coupled);
        Some(())
    }

    /// What is asked for in terms of the pairs.
    fn map(&mut self, modes: &mut Modes, pairs: &[ExponentPair]) {
        let n = modes.n_modes;
        let mut columns: [Matrix; 4] = std::array::from_fn(|_| Matrix::zeros(n, n));
        for (j, pair) in pairs.iter().enumerate() {
            for i in 0..n {
                let (p, q) = (pair.p[i], pair.q[i]);
                let entries = [p, q, -pair.square * q, p - 2.0 * pair.sigma * q];
                columns.iter_mut().zip(entries).for_each(|(column, x)| *column.at_mut(j, i) = x);
            }
            modes.squares.push(pair.square);
            modes.oscillators.push(Forced::new(1.0, 2.0 * pair.sigma, pair.square, &[]));
        }
        let [p, q, p_dot, q_dot] = &columns;
        // Σ rows · columns, of which there is one row a pair
        let product = |factors: &[(&Matrix, &Matrix)]| {
            let mut out = Matrix::zeros(factors[0].0.n_rows, n);
            for (rows, columns) in factors {
                for k in 0..rows.n_rows {
                    (0..n).for_each(|j| *out.at_mut(k, j) += dot(rows.row(k), columns.row(j)));
                }
            }
            out
        };
        let both = |a: &[(&Matrix, &Matrix)], b: &[(&Matrix, &Matrix)]| ModalRows {
            displacement: product(a),
            velocity: product(b),
        };
        let (shape, sliding, held) = (&modes.shape, &modes.sliding_shape, &self.natural_held);
        self.position = both(&[(shape, p)], &[(shape, q)]);
        self.velocity = both(&[(shape, p_dot)], &[(shape, q_dot)]);
        self.sliding = both(&[(sliding, p_dot)], &[(sliding, q_dot)]);
        modes.held = both(
            &[(&held.displacement, p), (&held.velocity, p_dot)],
            &[(&held.displacement, q), (&held.velocity, q_dot)],
        );
    }

    /// The steady waves of what is asked for.
    fn add_waves(&mut self, modes: &mut Modes, model: &Model) {
        let n_rows = [modes.shape.n_rows, modes.sliding_shape.n_rows];
        let [position, sliding] = n_rows.map(|n| vec![Vec::with_capacity(model.harmonics.len()); n]);
        (self.position_waves, self.sliding_waves) = (position, sliding);
        for (k, (omega, ..)) in model.harmonics.iter().enumerate() {
            let wave: Vec<Complex> = self.natural_waves.iter().map(|waves| waves[k]).collect();
            let moving: Vec<Complex> = wave.iter().map(|x| x.turned().times(*omega)).collect();
            for (i, waves) in self.position_waves.iter_mut().enumerate() {
                waves.push(along(modes.shape.row(i), &wave));
            }
            for (i, waves) in self.sliding_waves.iter_mut().enumerate() {
                waves.push(along(modes.sliding_shape.row(i), &moving));
            }
            for (a, waves) in modes.held_waves.iter_mut().enumerate() {
                let held = self.natural_held.row(a);
                waves[k] = waves[k] + along(held.displacement, &wave) + along(held.velocity, &moving);
            }
        }
    }

    /// The terms of the velocities, and what they do to each other by damping.
    fn list_terms(&mut self, modes: &Modes, model: &Model, pairs: Vec<ExponentPair>) {
        let n = modes.n_modes;
        let waves = model.harmonics.iter().enumerate().map(|(k, (omega, ..))| {
            let vector = self.natural_waves.iter().map(|waves| waves[k].turned().times(*omega)).collect();
            (complex(0.0, *omega), vector)
        });
        let all: Vec<Exponent> = pairs.into_iter().flat_map(|pair| pair.terms).chain(waves).collect();
        let constant: Vec<f64> =
            (0..n).map(|j| (0..model.n).map(|k| modes.shape.at(k, j) * model.constant[k]).sum()).collect();
        let mut damped: Vec<Vec<Complex>> = Vec::with_capacity(all.len());
        let n_free = all.len() - model.harmonics.len();
        for (t, (exponent, vector)) in all.into_iter().enumerate() {
            damped.push((0..n).map(|i| along(self.damping.row(i), &vector)).collect());
            let sliding = (0..model.contacts.len()).map(|i| along(modes.sliding_shape.row(i), &vector));
            let held = |a: usize| {
                let held = self.natural_held.row(a);
                over(along(held.displacement, &vector), exponent) + along(held.velocity, &vector)
            };
            let n_held = if t < n_free { modes.members.len() } else { 0 };
            let load = |k: usize| (0..n).fold(ZERO, |sum, j| sum + vector[j].times(modes.tones.at(j, k)));
            self.terms.push(Term {
                constant: along(&constant, &vector),
                loads: (0..model.harmonics.len()).map(load).collect(),
                sliding: sliding.collect(),
                held: (0..n_held).map(held).collect(),
                exponent,
                vector,
            });
        }
        for (t, term) in self.terms.iter().enumerate() {
            for damped in &damped[..=t] {
                let product = |turn: &dyn Fn(Complex) -> Complex| {
                    term.vector.iter().zip(damped).fold(ZERO, |sum, (x, y)| sum + *x * turn(*y))
                };
                self.grams.push([product(&|y| y), product(&Complex::conj)]);
            }
        }
    }

    /// Turns what `phase` holds of the natural modes into the pairs: equilibrium and its drift are added to
    /// what the resting contacts impose. `v` are the velocities.
    pub fn begin(&self, modes: &Modes, model: &Model, phase: &mut Phase, v: &[f64]) {
        let n = modes.n_modes;
        let drift: Vec<f64> = phase.ramp.iter().zip(&self.natural).map(|(p, square)| p / square).collect();
        let rest = |j: usize| (phase.load[j] - dot(self.damping.row(j), &drift)) / self.natural[j];
        let rest: Vec<f64> = (0..n).map(rest).collect();
        // what is left to the free motion
        let mut state = vec![0.0; 2 * n];
        for j in 0..n {
            let velocity = dot(modes.mass_shape.row(j), v);
            (state[j], state[n + j]) = (phase.eta[j] - rest[j], velocity - drift[j]);
            let waves = self.natural_waves[j].iter().zip(&phase.angles).zip(&model.harmonics);
            for ((wave, [sine, cosine]), (omega, ..)) in waves {
                let wave = *wave * complex(*cosine, *sine);
                state[j] -= wave.re;
                state[n + j] += omega * wave.im;
            }
        }
        for (k, (q, u)) in phase.q_c.iter_mut().zip(&mut phase.u_c).enumerate() {
            *q += dot(modes.shape.row(k), &rest);
            *u += dot(modes.shape.row(k), &drift);
        }
        for a in 0..modes.members.len() {
            let held = self.natural_held.row(a);
            phase.base[a] += dot(held.displacement, &rest) + dot(held.velocity, &drift);
            phase.force_ramp[a] += dot(held.displacement, &drift);
        }
        phase.shift.resize(n, 0.0);
        phase.load.fill(0.0);
        phase.ramp.fill(0.0);
        for (j, forced) in modes.oscillators.iter().enumerate() {
            let y = dot(self.from_natural.row(j), &state);
            let rate = dot(self.from_natural.row(n + j), &state);
            let acceleration = -2.0 * forced.oscillator.sigma * rate - modes.squares[j] * y;
            phase.eta[j] = y;
            forced.start(rate, acceleration, &[], &mut phase.amplitudes[j]);
            forced.first(&phase.amplitudes[j], &mut phase.jets[j]);
        }
    }

    /// Carries a difference on: `free` are the free motions of the pairs, `eta` and `rate` the natural modes,
    /// q and v what the resting contacts impose, to which the motion is added.
    pub fn flow(
        &self,
        modes: &Modes,
        free: &[[f64; 2]],
        [eta, rate]: [&mut [f64]; 2],
        [q, v]: [&mut [f64]; 2],
    ) {
        let n = modes.n_modes;
        let rest: Vec<f64> =
            (0..n).map(|j| -dot(modes.stiffness_shape.row(j), q) / self.natural[j]).collect();
        let state: Vec<f64> =
            eta.iter().zip(&rest).map(|(eta, rest)| eta - rest).chain(rate.iter().copied()).collect();
        for j in 0..n {
            let (y, y1) = (dot(self.from_natural.row(j), &state), dot(self.from_natural.row(n + j), &state));
            let (square, sigma, [h, h1]) = (modes.squares[j], modes.oscillators[j].oscillator.sigma, free[j]);
            eta[j] = y * h1 + y1 * h;
            rate[j] = y1 * (h1 - 2.0 * sigma * h) - square * y * h;
        }
        for (k, (q, v)) in q.iter_mut().zip(v).enumerate() {
            let (position, velocity) = (self.position.row(k), self.velocity.row(k));
            *q += dot(modes.shape.row(k), &rest)
                + dot(position.displacement, eta)
                + dot(position.velocity, rate);
            *v += dot(velocity.displacement, eta) + dot(velocity.velocity, rate);
        }
    }
}
