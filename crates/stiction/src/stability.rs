//! Small motions about steady sliding: do they die out or grow?
//!
//! With the velocities at zero and each contact on its belt, sliding at −belt, the equations are
//!
//! ```text
//!   (K − F_q) q + Σ wᵢ φᵢ Nᵢ = f + F_x x + F_r r,   0 = A x + B_q q + B_r r,   Nᵢ = loadᵢ + nᵢ·q
//! ```
//!
//! with the coefficients φᵢ of steady sliding. Motions about that state obey M δq̈ + … = 0 with the slopes of
//! the laws, their internal states and the normal loads in it; their eigenvalues λ grow (Re λ > 0, flutter or
//! divergence) or decay. A normal load that depends on the position makes the stiffness non-symmetric, and
//! two modes that come together can flutter without any falling friction (@hoffmann2002). Loads are taken at
//! their constant parts.
//!
//! ```
//! use stiction::law::{FrictionLaw, Stribeck, Weakening};
//! use stiction::stability::{critical, steady_sliding};
//! use stiction::system::System;
//!
//! // friction that falls with the speed works against the damper: slow belts squeal
//! let weakening = Weakening::Exponential;
//! let law = Stribeck { mu: 0.3, mu_static: 0.5, velocity: 0.2, width: None, weakening, exponent: None };
//! let on_belt = |belt: f64| {
//!     let mut system = System::oscillator(1.0, 0.1, 1.0).with_friction(FrictionLaw::Stribeck(law.clone()));
//!     system.contacts[0].belt = belt;
//!     system
//! };
//! assert!(steady_sliding(&on_belt(0.1))?.is_unstable);
//! assert!(!steady_sliding(&on_belt(1.0))?.is_unstable);
//! // c = N (μs − μ)/vs exp(−v/vs) at v = 0.2 ln 10 m/s
//! let speed = critical(&on_belt, 1.0, 0.1);
//! assert!((speed - 0.2 * 10f64.ln()).abs() < 1e-9);
//! # Ok::<(), stiction::Error>(())
//! ```

use crate::Error;
use crate::law::{Law, Slip, StateSlopes};
use crate::math::complex::Complex;
use crate::math::dense::Matrix;
use crate::math::eigen::{eigenvalues, refined};
use crate::math::pivoted;
use crate::system::{Feedback, Inertia, System};

/// Growth that is rounding, in units of the largest eigenvalue; more where two eigenvalues are close.
const ROUNDING: f64 = 64.0 * f64::EPSILON;
/// A residual of the equilibrium beyond this part of its terms is not rounding.
const BALANCED: f64 = 1e-8;
/// Halvings of an interval in which the stability changes.
const HALVINGS: usize = 60;

/// Steady sliding, and how small motions about it grow.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SteadySlidingState {
    /// Positions (m).
    pub position: Vec<f64>,
    /// Normal loads of the contacts (N).
    pub load: Vec<f64>,
    /// Growth rate and angular frequency of every motion, the slowest first; of a pair that with positive
    /// frequency (1/s, rad/s).
    pub modes: Vec<[f64; 2]>,
    /// Whether a motion grows.
    pub is_unstable: bool,
}

/// The state of steady sliding of `system`, which has passed its check.
///
/// An error if a contact under a set-valued law has no belt and so rests, if there is no equilibrium, or if a
/// contact would be open.
pub fn steady_sliding(system: &System) -> Result<SteadySlidingState, Error> {
    let (n, m) = (system.n(), system.contacts.len());
    let elements = &system.elements;
    if !(elements.stops.is_empty()
        && elements.elastic.is_empty()
        && elements.thresholds.is_empty()
        && elements.curved.is_empty())
    {
        return Err(Error::OnlyTransient);
    }
    let feedback = system.elements.feedback.clone().unwrap_or_else(|| Feedback::none(n, 0, 0));
    let p = feedback.initial.len();
    let mut by_position = vec![vec![0.0; n]; m];
    let mut by_velocity = by_position.clone();
    let (mut load, mut sliding) = (vec![0.0; m], vec![0.0; m]);
    for (i, contact) in system.contacts.iter().enumerate() {
        (load[i], sliding[i]) = (contact.load, -contact.belt);
    }
    for varying in &system.elements.contacts {
        let i = varying.contact;
        load[i] += varying.load.constant;
        sliding[i] -= varying.belt.constant;
        by_position[i].clone_from(&varying.by_position);
        by_velocity[i].clone_from(&varying.by_velocity);
    }
    let mut phi = vec![0.0; m];
    let mut memory: Vec<Vec<f64>> = Vec::with_capacity(m);
    for (i, contact) in system.contacts.iter().enumerate() {
        let law = &contact.friction.law;
        let rests = sliding[i] == 0.0
            && (law.corners().is_some_and(|c| c.windows(2).any(|c| c[0][0] == c[1][0]))
                || law.friction_bounds(0.0, &[]).is_some());
        if rests {
            return Err(Error::Rests { contact: i });
        }
        let mut z = vec![0.0; law.n_states()];
        law.steady_states(sliding[i], &mut z);
        phi[i] = law.coefficient(Slip { v: sliding[i], demand: 0.0, z: &z })
            + contact.friction.viscous * sliding[i];
        memory.push(z);
    }
    // the equilibrium
    let size = n + p;
    let (mut a, mut b) = (Matrix::zeros(size, size), vec![0.0; size]);
    let inputs: Vec<f64> = feedback.inputs.iter().map(|input| input.constant).collect();
    let along = |i: usize, k: usize| system.contacts[i].direction[k] * phi[i];
    let coupling = |k: usize, j: usize| (0..m).map(|i| along(i, k) * by_position[i][j]).sum::<f64>();
    for (k, b) in b.iter_mut().take(n).enumerate() {
        for j in 0..n {
            *a.at_mut(k, j) = system.stiffness.at(k, j) - feedback.f_position.at(k, j) + coupling(k, j);
        }
        (0..p).for_each(|j| *a.at_mut(k, n + j) = -feedback.f_state.at(k, j));
        *b = system.constant[k]
            + system.elements.loads.iter().map(|load| load.direction[k] * load.signal.constant).sum::<f64>()
            + inputs.iter().enumerate().map(|(j, r)| feedback.f_input.at(k, j) * r).sum::<f64>()
            - (0..m).map(|i| along(i, k) * load[i]).sum::<f64>();
    }
    for k in 0..p {
        (0..n).for_each(|j| *a.at_mut(n + k, j) = feedback.b_position.at(k, j));
        (0..p).for_each(|j| *a.at_mut(n + k, n + j) = feedback.a.at(k, j));
        b[n + k] = -inputs.iter().enumerate().map(|(j, r)| feedback.b_input.at(k, j) * r).sum::<f64>();
    }
    let (known, wanted) = (a.clone(), b.clone());
    let is_finite = pivoted::solve(&mut a, &mut b);
    // a singular matrix leaves what it cannot reach
    let balances = (0..size).all(|k| {
        let terms = known.row(k).iter().zip(&b).map(|(a, x)| a * x);
        let (sum, scale) = terms.fold((0.0, wanted[k].abs()), |(sum, scale), x| (sum + x, scale + x.abs()));
        (sum - wanted[k]).abs() <= BALANCED * scale
    });
    if !is_finite || !balances {
        return Err(Error::NoEquilibrium);
    }
    for i in 0..m {
        load[i] += by_position[i].iter().zip(&b).map(|(n, q)| n * q).sum::<f64>();
        if load[i] < 0.0 {
            return Err(Error::OpensInEquilibrium { contact: i, load: load[i] });
        }
    }
    let inertia = Inertia::new(&system.mass).ok_or(Error::NotPositiveDefinite)?;
    let contacts = SlidingContacts {
        phi: &phi,
        load: &load,
        sliding: &sliding,
        by_position: &by_position,
        by_velocity: &by_velocity,
        memory: &memory,
    };
    let matrix = linearised(system, &feedback, &inertia, &contacts);
    let values = eigenvalues(&matrix);
    let is_unstable = grows(&matrix, &values);
    let mut modes: Vec<[f64; 2]> = values.iter().filter(|l| l.im >= 0.0).map(|l| [l.re, l.im]).collect();
    modes.sort_by(|x, y| x[1].total_cmp(&y[1]).then(x[0].total_cmp(&y[0])));
    b.truncate(n);
    Ok(SteadySlidingState { position: b, load, modes, is_unstable })
}

/// The contacts in steady sliding.
struct SlidingContacts<'a> {
    phi: &'a [f64],
    load: &'a [f64],
    sliding: &'a [f64],
    by_position: &'a [Vec<f64>],
    by_velocity: &'a [Vec<f64>],
    memory: &'a [Vec<f64>],
}

/// d(δ)/dt = A δ for δ = (δq, δq̇, δx, δz).
fn linearised(system: &System, feedback: &Feedback, inertia: &Inertia, contacts: &SlidingContacts) -> Matrix {
    let (n, p) = (system.n(), feedback.initial.len());
    let n_memory: usize = contacts.memory.iter().map(Vec::len).sum();
    let size = 2 * n + p + n_memory;
    let mut force = Matrix::zeros(n, size);
    for k in 0..n {
        for j in 0..n {
            *force.at_mut(k, j) = feedback.f_position.at(k, j) - system.stiffness.at(k, j);
            *force.at_mut(k, n + j) = feedback.f_velocity.at(k, j) - system.damping.at(k, j);
        }
        (0..p).for_each(|j| *force.at_mut(k, 2 * n + j) = feedback.f_state.at(k, j));
    }
    let mut matrix = Matrix::zeros(size, size);
    let mut first = 2 * n + p;
    for (i, contact) in system.contacts.iter().enumerate() {
        let (law, z, w) = (&contact.friction.law, &contacts.memory[i], &contact.direction);
        let slip = Slip { v: contacts.sliding[i], demand: 0.0, z };
        let slope = contacts.load[i] * (law.slope(slip) + contact.friction.viscous);
        let mut slopes = StateSlopes::new(z.len());
        law.state_slopes(slip, &mut slopes);
        for k in 0..n {
            for j in 0..n {
                *force.at_mut(k, j) -= w[k] * contacts.phi[i] * contacts.by_position[i][j];
                *force.at_mut(k, n + j) -=
                    w[k] * (contacts.phi[i] * contacts.by_velocity[i][j] + slope * w[j]);
            }
            for (j, by_state) in slopes.coefficient.iter().enumerate() {
                *force.at_mut(k, first + j) -= w[k] * contacts.load[i] * by_state;
            }
        }
        for r in 0..z.len() {
            (0..n).for_each(|j| *matrix.at_mut(first + r, n + j) = slopes.dot_v[r] * w[j]);
            (0..z.len()).for_each(|j| *matrix.at_mut(first + r, first + j) = slopes.dot_z[r * z.len() + j]);
        }
        first += z.len();
    }
    let mut column = vec![0.0; n];
    for j in 0..size {
        (0..n).for_each(|k| column[k] = force.at(k, j));
        inertia.solve(&mut column);
        (0..n).for_each(|k| *matrix.at_mut(n + k, j) = column[k]);
    }
    (0..n).for_each(|k| *matrix.at_mut(k, n + k) = 1.0);
    for k in 0..p {
        for j in 0..n {
            *matrix.at_mut(2 * n + k, j) = feedback.b_position.at(k, j);
            *matrix.at_mut(2 * n + k, n + j) = feedback.b_velocity.at(k, j);
        }
        (0..p).for_each(|j| *matrix.at_mut(2 * n + k, 2 * n + j) = feedback.a.at(k, j));
    }
    matrix
}

/// Whether an eigenvalue grows by more than its rounding, which is ε|λ|²/gap beside another eigenvalue; less
/// where the matrix is graded.
fn grows(matrix: &Matrix, values: &[Complex]) -> bool {
    let largest = values.iter().map(|l| l.re.hypot(l.im)).fold(0.0, f64::max);
    values.iter().enumerate().any(|(i, l)| {
        let others = values.iter().enumerate().filter(|(j, _)| *j != i);
        let gap = others.map(|(_, o)| (l.re - o.re).hypot(l.im - o.im)).fold(largest, f64::min);
        let (growth, rounding) = (l.re * gap, ROUNDING * largest * largest);
        // one of a pair decides for both
        if growth.abs() > rounding || l.im < 0.0 {
            return growth > rounding;
        }
        let (own, rounding) = refined(matrix, *l);
        let is_near = (own.re - l.re).hypot(own.im - l.im) < 0.5 * gap;
        is_near && own.re > rounding
    })
}

/// The value between `stable` and `unstable` at which the stability of `family` changes, to rounding.
pub fn critical(family: &dyn Fn(f64) -> System, stable: f64, unstable: f64) -> f64 {
    let (mut a, mut b) = (stable, unstable);
    for _ in 0..HALVINGS {
        let middle = 0.5 * (a + b);
        if middle == a || middle == b {
            break;
        }
        match steady_sliding(&family(middle)) {
            Ok(state) if !state.is_unstable => a = middle,
            _ => b = middle,
        }
    }
    0.5 * (a + b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::{Coulomb, Evolution, FrictionLaw, RateAndState, Stribeck};
    use crate::system::VaryingContact;

    /// Two coupled springs; friction along x under a load that grows with y.
    fn brake(mu: f64, damping: f64) -> System {
        let law = FrictionLaw::Coulomb(Coulomb { mu, mu_static: None });
        let mut system = System::oscillator(1.0, 0.0, 0.0).with_friction(law);
        system.mass = Matrix::diagonal(&[1.0, 1.0]);
        system.damping = Matrix::diagonal(&[damping, damping]);
        system.stiffness = Matrix { n_rows: 2, n_cols: 2, data: vec![17.0, -6.0, -6.0, 16.0] };
        system.contacts[0].direction = vec![1.0, 0.0];
        system.contacts[0].belt = -2.0;
        (system.constant, system.position, system.velocity) = (vec![0.0; 2], vec![0.0; 2], vec![0.0; 2]);
        let by_position = vec![0.0, 12.0];
        let by_velocity = vec![0.0; 2];
        let (load, belt) = (0.0.into(), 0.0.into());
        system.elements.contacts.push(VaryingContact { contact: 0, load, by_position, by_velocity, belt });
        system
    }

    /// Of λ⁴ + (k₁₁ + k₂₂) λ² + det with k₁₂ = −6 + 12 μ: flutter where (k₁₁ − k₂₂)² + 4 k₁₂ k₂₁ < 0.
    #[test]
    fn modes_couple_at_the_friction_of_the_closed_form() {
        let exact = (1.0 / 24.0 + 6.0) / 12.0;
        let found = critical(&|mu| brake(mu, 0.0), 0.1, 0.9);
        assert!((found - exact).abs() < 1e-12, "{found} for {exact}");
        // with equal damping c the growth rate must reach c/2: Im √(λ²) = c/2
        let (c, k) = (0.2f64, |mu: f64| 24.0 * (12.0 * mu - 6.0));
        let found = critical(&|mu| brake(mu, c), 0.1, 0.9);
        // λ² + cλ + κ = 0 with κ = s ± i d, marginal where d = c √s
        let (s, d) = (16.5f64, 0.5 * (k(found) - 1.0).sqrt());
        assert!((d - c * s.sqrt()).abs() < 1e-10, "{d} for {}", c * s.sqrt());
    }

    /// Falling friction takes damping away: m λ² + (c + N dφ/dv) λ + k = 0.
    #[test]
    fn a_falling_law_is_negative_damping() {
        let law = Stribeck {
            mu: 0.3,
            mu_static: 1.0,
            velocity: 0.3,
            width: Some(0.001),
            ..match FrictionLaw::examples().into_iter().find_map(|law| match law {
                FrictionLaw::Stribeck(law) => Some(law),
                _ => None,
            }) {
                Some(law) => law,
                None => return,
            }
        };
        let mut system = System::oscillator(2.0, 0.3, 5.0).with_friction(FrictionLaw::Stribeck(law.clone()));
        system.contacts[0].belt = 0.2;
        let state = steady_sliding(&system).unwrap();
        let slope = law.slope(Slip::at(-0.2));
        let growth = -(0.3 + slope) / 4.0;
        assert!(slope < -0.3 && state.is_unstable);
        assert!((state.modes[0][0] - growth).abs() < 1e-12, "{:?} {growth}", state.modes);
        assert!((state.modes[0][1] - (2.5 - growth * growth).sqrt()).abs() < 1e-12);
        let rest = law.coefficient(Slip::at(-0.2));
        assert!((state.position[0] + rest / 5.0).abs() < 1e-14);
    }

    /// A spring-slider under rate-and-state friction is stable above k = (b − a) N/D (1 + m V²/(a N D))
    /// (@rice1983).
    #[test]
    fn a_spring_slider_becomes_unstable_at_the_stiffness_of_rice_and_ruina() {
        for evolution in [Evolution::Ageing, Evolution::Slip] {
            for (a, b, m, load, d, v) in [
                (0.01, 0.015, 1.0, 10.0, 1e-5, 1e-6),
                (0.01, 0.015, 5.0, 10.0, 1e-5, 1e-2),
                (0.02, 0.05, 0.3, 200.0, 1e-3, 0.5),
            ] {
                let law = RateAndState { mu: 0.6, a, b, distance: d, velocity: 1e-6, evolution };
                let family = |k: f64| {
                    let mut system =
                        System::oscillator(m, 0.0, k).with_friction(FrictionLaw::RateAndState(law.clone()));
                    (system.contacts[0].belt, system.contacts[0].load) = (v, load);
                    system
                };
                let exact = (b - a) * load / d * (1.0 + m * v * v / (a * load * d));
                let found = critical(&family, 2.0 * exact, 0.5 * exact);
                assert!((found / exact - 1.0).abs() < 1e-8, "{evolution:?}: {found} for {exact}");
            }
        }
    }

    /// One that strengthens with speed is always stable.
    #[test]
    fn rate_strengthening_is_stable() {
        let law = RateAndState {
            mu: 0.6,
            a: 0.015,
            b: 0.01,
            distance: 1e-5,
            velocity: 1e-6,
            evolution: Evolution::Ageing,
        };
        for k in [1e-3, 1.0, 1e6] {
            let mut system =
                System::oscillator(1.0, 0.0, k).with_friction(FrictionLaw::RateAndState(law.clone()));
            (system.contacts[0].belt, system.contacts[0].load) = (1e-4, 10.0);
            assert!(!steady_sliding(&system).unwrap().is_unstable, "{k}");
        }
    }

    #[test]
    fn what_rests_or_opens_is_said() {
        let mut system = brake(0.3, 0.1);
        system.contacts[0].belt = 0.0;
        assert!(matches!(steady_sliding(&system), Err(Error::Rests { contact: 0 })));
        let mut system = brake(0.3, 0.1);
        system.constant[1] = -100.0;
        assert!(matches!(steady_sliding(&system), Err(Error::OpensInEquilibrium { contact: 0, .. })));
        let mut system = brake(0.3, 0.1);
        system.stiffness = Matrix::zeros(2, 2);
        system.elements.contacts.clear();
        assert!(matches!(steady_sliding(&system), Err(Error::NoEquilibrium)));
    }
}
