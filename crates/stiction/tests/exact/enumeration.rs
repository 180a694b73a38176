//! Modes at the start of a motion from rest against the enumeration of all modes, for random contacts: coupled,
//! redundant, with static above kinetic friction, at their limits.

use super::resolution::start;
use stiction::law::{Coulomb, FrictionLaw};
use stiction::math::{Matrix, dot};
use stiction::ode::Adaptive;
use stiction::simulate::Integrator;
use stiction::system::{Contact, System};

/// Most contacts.
const MOST: usize = 6;
/// Of the largest acceleration: elimination in systems whose smallest pivot is 1e-3 of the largest entry.
const TOLERANCE: f64 = 1e-10;
/// A number this near to zero, in parts of its terms, may have either sign.
const TIE: f64 = 1e-9;

/// A deterministic stream of numbers.
struct Stream(u64);

impl Stream {
    /// In (−1, 1).
    fn signed(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
    fn below(&mut self, n: usize) -> usize {
        ((0.5 * (self.signed() + 1.0)) * n as f64) as usize % n
    }
}

/// Contacts at rest: G, accelerations without friction, and limits.
struct AtRest {
    g: Vec<Vec<f64>>,
    c: Vec<f64>,
    fixed: Vec<f64>,
    kinetic: Vec<f64>,
}

/// What a contact may do: slip, or stick with a force between its limits or at one.
#[derive(Clone, Copy, PartialEq)]
enum State {
    Slip(f64),
    Between,
    AtLimit(f64),
}

impl AtRest {
    fn new(system: &System, kinetic: Vec<f64>, fixed: Vec<f64>) -> Self {
        let inverse =
            |x: &[f64]| -> Vec<f64> { x.iter().enumerate().map(|(i, x)| x / system.mass.at(i, i)).collect() };
        let w: Vec<&[f64]> = system.contacts.iter().map(|contact| &contact.direction[..]).collect();
        let g = w.iter().map(|a| w.iter().map(|b| dot(a, &inverse(b))).collect()).collect();
        let c = w.iter().map(|a| dot(a, &inverse(&system.constant))).collect();
        Self { g, c, fixed, kinetic }
    }

    /// Solves for the forces of the contacts that stick between their limits; `None` if they are not independent.
    fn forces(&self, states: &[State]) -> Option<Vec<f64>> {
        let m = self.c.len();
        let mut h: Vec<f64> = (0..m)
            .map(|i| match states[i] {
                State::Slip(sign) => sign * self.kinetic[i],
                State::AtLimit(sign) => sign * self.fixed[i],
                State::Between => 0.0,
            })
            .collect();
        let free: Vec<usize> = (0..m).filter(|i| states[*i] == State::Between).collect();
        let f = free.len();
        let mut a = vec![[0.0; MOST + 1]; f];
        for (row, &i) in free.iter().enumerate() {
            free.iter().enumerate().for_each(|(column, &j)| a[row][column] = self.g[i][j]);
            a[row][f] = self.c[i] - dot(&self.g[i], &h);
        }
        for k in 0..f {
            let pivot = (k..f).max_by(|x, y| a[*x][k].abs().total_cmp(&a[*y][k].abs()))?;
            a.swap(k, pivot);
            if a[k][k].abs() < 1e-9 * self.g[free[k]][free[k]] {
                return None;
            }
            for row in 0..f {
                let factor = a[row][k] / a[k][k];
                if row != k {
                    (k..=f).for_each(|column| a[row][column] -= factor * a[k][column]);
                }
            }
        }
        free.iter().enumerate().for_each(|(k, &i)| h[i] = a[k][f] / a[k][k]);
        Some(h)
    }

    /// Relative accelerations under these forces, and sizes of their terms.
    fn accelerations(&self, h: &[f64]) -> Vec<[f64; 2]> {
        let size =
            |i: usize| self.g[i].iter().zip(h).map(|(g, h)| (g * h).abs()).sum::<f64>() + self.c[i].abs();
        (0..self.c.len()).map(|i| [self.c[i] - dot(&self.g[i], h), size(i)]).collect()
    }

    /// The accelerations of all consistent modes; `None` where a number is too near to zero to decide.
    fn enumerate(&self) -> Option<Vec<Vec<f64>>> {
        let m = self.c.len();
        let has_excess = self.fixed != self.kinetic;
        let kinds =
            [State::Between, State::Slip(1.0), State::Slip(-1.0), State::AtLimit(1.0), State::AtLimit(-1.0)];
        // without excess a contact that slips may as well have no acceleration
        let kinds = if has_excess { &kinds[..] } else { &kinds[..3] };
        let mut found: Vec<Vec<f64>> = Vec::new();
        for number in 0..kinds.len().pow(m as u32) {
            let states: Vec<State> =
                (0..m).map(|i| kinds[number / kinds.len().pow(i as u32) % kinds.len()]).collect();
            let Some(h) = self.forces(&states) else { continue };
            let u = self.accelerations(&h);
            let (mut is_consistent, mut is_near) = (true, false);
            for i in 0..m {
                let limit = self.fixed[i];
                let margin = match states[i] {
                    State::Between => (limit - h[i].abs()) / limit,
                    State::Slip(sign) => sign * u[i][0] / u[i][1],
                    State::AtLimit(_) => TIE - u[i][0].abs() / u[i][1],
                };
                is_near |= margin.abs() < TIE && !matches!(states[i], State::AtLimit(_)) && has_excess;
                is_consistent &= margin > if has_excess { 0.0 } else { -TIE };
            }
            if is_near {
                return None;
            }
            let u: Vec<f64> = u.iter().map(|u| u[0]).collect();
            if is_consistent && !found.iter().any(|other| deviation(other, &u) < TOLERANCE) {
                found.push(u);
            }
        }
        Some(found)
    }
}

/// The largest difference, of the largest number.
fn deviation(a: &[f64], b: &[f64]) -> f64 {
    let size = a.iter().fold(1.0, |size: f64, x| size.max(x.abs()));
    a.iter().zip(b).fold(0.0, |worst: f64, (a, b)| worst.max((a - b).abs() / size))
}

/// Random contacts: every third problem has static above kinetic friction, every fourth redundant contacts, and every
/// fifth forces that just reach a limit.
fn problem(stream: &mut Stream, number: usize) -> (System, AtRest) {
    let has_excess = number.is_multiple_of(3);
    let m = 1 + stream.below(if has_excess { 4 } else { MOST });
    let n = if number.is_multiple_of(4) { 1 + stream.below(m) } else { m + stream.below(3) };
    let mass: Vec<f64> = (0..n).map(|_| 1.0 + 0.9 * stream.signed()).collect();
    // small whole numbers: directions depend on each other or do not
    let mut directions: Vec<Vec<f64>> = Vec::new();
    while directions.len() < m {
        let direction: Vec<f64> = (0..n).map(|_| (2.6 * stream.signed()).round()).collect();
        if direction.iter().any(|w| *w != 0.0) {
            directions.push(direction);
        }
    }
    let kinetic: Vec<f64> = (0..m).map(|_| 0.05 + stream.signed().abs()).collect();
    let ratio = |stream: &mut Stream| if has_excess { 1.0 + 0.5 * stream.signed().abs() } else { 1.0 };
    let fixed: Vec<f64> = kinetic.iter().map(|mu| mu * ratio(stream)).collect();
    let mut constant: Vec<f64> = (0..n).map(|_| 2.0 * stream.signed()).collect();
    if number.is_multiple_of(5) {
        // the forces of contacts at their limits
        constant.fill(0.0);
        for (direction, limit) in directions.iter().zip(&fixed) {
            let part = [1.0, -1.0, 0.5 * stream.signed()][stream.below(3)];
            constant.iter_mut().zip(direction).for_each(|(f, w)| *f += part * limit * w);
        }
    }
    let contact = |(direction, (&mu, &mu_static)): (Vec<f64>, (&f64, &f64))| {
        let law = FrictionLaw::Coulomb(Coulomb { mu, mu_static: Some(mu_static) });
        Contact { friction: law.into(), load: 1.0, direction, belt: 0.0 }
    };
    let system = System {
        elements: Default::default(),
        contacts: directions.into_iter().zip(kinetic.iter().zip(&fixed)).map(contact).collect(),
        mass: Matrix::diagonal(&mass),
        damping: Matrix::zeros(n, n),
        stiffness: Matrix::zeros(n, n),
        constant,
        harmonics: Vec::new(),
        position: vec![0.0; n],
        velocity: vec![0.0; n],
    };
    let at_rest = AtRest::new(&system, kinetic, fixed);
    (system, at_rest)
}

/// Compares `count` problems. Returns how many had one answer, several, and none that could be decided.
fn compare(integrator: &Integrator, seed: u64, count: usize) -> [usize; 3] {
    let mut stream = Stream(seed);
    let mut numbers = [0; 3];
    for number in 0..count {
        let (system, at_rest) = problem(&mut stream, number);
        let Some(answers) = at_rest.enumerate() else {
            numbers[2] += 1;
            continue;
        };
        assert!(!answers.is_empty(), "{number}: the enumeration found nothing");
        let [found, _] = start(&system, integrator);
        let nearest = answers.iter().map(|answer| deviation(answer, &found)).fold(f64::INFINITY, f64::min);
        assert!(nearest < TOLERANCE, "{number}: {found:?} is none of {answers:?}\n{system:?}");
        numbers[usize::from(answers.len() > 1)] += 1;
    }
    numbers
}

#[test]
fn a_hundred_thousand_random_starts_are_among_the_consistent_modes() {
    let [one, several, near] = compare(&Integrator::Exact, 1, 100_000);
    assert!(one > 80_000 && several > 300 && near < 10_000, "{one} {several} {near}");
}

#[test]
fn random_starts_of_the_adaptive_method_are_among_the_consistent_modes() {
    let [one, several, near] = compare(&Integrator::Adaptive(Adaptive::default()), 2, 20_000);
    assert!(one > 16_000 && several > 60 && near < 2000, "{one} {several} {near}");
}

/// Neither the order of contacts, nor gearing (w → αw, limit → limit/α), nor cutting one in two changes the motion or
/// the forces.
#[test]
fn forces_do_not_depend_on_how_contacts_are_written() {
    let mut stream = Stream(3);
    let mut n_redundant = 0;
    for number in 0..2000usize {
        // static above kinetic friction chooses by the forces, which ties leave to round-off
        if number.is_multiple_of(3) || number.is_multiple_of(5) {
            continue;
        }
        let (system, _) = problem(&mut stream, number);
        let m = system.contacts.len();
        n_redundant += usize::from(m > system.constant.len());
        let mut reversed = system.clone();
        reversed.contacts.reverse();
        let mut geared = system.clone();
        let alpha: Vec<f64> = (0..m).map(|_| 2.0 * stream.signed() + 2.5).collect();
        for (contact, alpha) in geared.contacts.iter_mut().zip(&alpha) {
            contact.direction.iter_mut().for_each(|w| *w *= alpha);
            contact.load /= alpha;
        }
        let mut cut = system.clone();
        let part = 0.5 + 0.4 * stream.signed();
        cut.contacts.push(cut.contacts[0].clone());
        cut.contacts[0].load = part;
        cut.contacts[m].load = 1.0 - part;
        for integrator in [Integrator::Exact, Integrator::Adaptive(Adaptive::default())] {
            let [motion, forces] = start(&system, &integrator);
            let check = |name: &str, own: [Vec<f64>; 2]| {
                let off = deviation(&motion, &own[0]).max(deviation(&forces, &own[1]));
                assert!(
                    off < 1e-9,
                    "{number} {name} {}: {off:e}\n{forces:?}\n{:?}\n{system:?}",
                    integrator.name(),
                    own[1]
                );
            };
            let [u, h] = start(&reversed, &integrator);
            check("reversed", [u, h].map(|x| x.into_iter().rev().collect()));
            let [u, h] = start(&geared, &integrator);
            let back =
                |x: Vec<f64>, f: fn(f64, f64) -> f64| x.iter().zip(&alpha).map(|(x, a)| f(*x, *a)).collect();
            check("geared", [back(u, |u, a| u / a), back(h, |h, a| h * a)]);
            let [mut u, mut h] = start(&cut, &integrator);
            let other = h.pop().unwrap();
            u.pop();
            assert!(
                (h[0] * (1.0 - part) - other * part).abs() < 1e-9,
                "{number}: the parts of a contact differ"
            );
            h[0] += other;
            check("cut", [u, h]);
        }
    }
    assert!(n_redundant > 150, "{n_redundant}");
}
