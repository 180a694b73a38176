//! Random systems on lines: everything that a scenario can say, and the coincidences that chance does not
//! bring.

use crate::dice::Dice;
use crate::lines::{Lines, Rows};
use serde_json::Value as Json;
use stiction::Faults;
use stiction::law::{Coulomb, FrictionLaw, Graph, Law};
use stiction::ode::Adaptive;
use stiction::system::Harmonic;
use stiction_study::{ActsOn, ContactTable, ExactSettings, FixedStep, IntegratorKind};

/// Widths of transition laws below this share of their examples' make runs slow and say nothing new.
const FACTORS: [f64; 2] = [0.5, 2.0];
/// Fixed steps in a run of rk4: a thousand in a cycle of the fastest oscillation.
const FIXED_STEPS: f64 = 20_000.0;

/// Part of the contacts whose friction differs in the two directions.
const DIRECTED: f64 = 0.15;

/// What the laws of a system let integrate it.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Coulomb,
    Polyline,
    Continuous,
    Jump,
    /// Springs with sliders.
    Springs,
    /// Sticks and slips at events, and is no polyline between them.
    Curved,
}

/// Stiffness of a chain: for each mass that of the spring to the ground, of the one to the mass before, and
/// what that mass feels of it.
pub fn chain(n: usize, mut draw: impl FnMut(usize) -> [f64; 3]) -> Rows {
    let mut k = vec![vec![0.0; n]; n];
    for i in 0..n {
        let [ground, spring, back] = draw(i);
        k[i][i] += ground;
        if i > 0 {
            k[i][i] += spring;
            k[i - 1][i - 1] += spring;
            k[i][i - 1] -= spring;
            k[i - 1][i] -= back;
        }
    }
    k
}

/// The same with all masses on the ground; `back` is what the mass before feels of a spring.
pub fn grounded_chain(dice: &mut Dice, n: usize, back: impl Fn(&mut Dice, f64) -> f64) -> Rows {
    chain(n, |i| {
        let ground = dice.between(0.3, 3.0);
        let spring = if i > 0 { dice.between(0.2, 2.0) } else { 0.0 };
        [ground, spring, if i > 0 { back(dice, spring) } else { 0.0 }]
    })
}

/// The system of a seed.
pub fn random_lines(seed: u64) -> Lines {
    let mut dice = Dice::new(seed);
    let n = *dice.pick(&[1, 1, 1, 2, 2, 3, 3, 4, 5, 6]);
    // round numbers bring coincidences: simultaneous events, exact resonance, forces on their limits
    let is_round = dice.chance(0.3);
    let mut number = {
        let mut dice = Dice::new(seed ^ 0x5EED);
        move |a: f64, b: f64| {
            let x = dice.between(a, b);
            if is_round { (4.0 * x).round() / 4.0 } else { x }
        }
    };
    let mass = mass(&mut dice, n);
    let stiffness = stiffness(&mut dice, &mut number, n);
    let damping = match dice.below(4) {
        0 => vec![vec![0.0; n]; n],
        1 => diagonal(&(0..n).map(|_| number(0.0, 0.5)).collect::<Vec<_>>()),
        2 => diagonal(&(0..n).map(|_| number(0.5, 6.0)).collect::<Vec<_>>()),
        _ => {
            let (a, b) = (0.2 * dice.roll(), 0.1 * dice.roll());
            let entry = |i: usize, j: usize| a * mass[i][j] + b * stiffness[i][j];
            (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect()
        }
    };
    let mut vector = |dice: &mut Dice, p: f64, size: f64| -> Vec<f64> {
        (0..n).map(|_| if dice.chance(p) { number(-size, size) } else { 0.0 }).collect()
    };
    let constant = vector(&mut dice, 0.3, 1.0);
    let (position, velocity) = (vector(&mut dice, 0.6, 2.0), vector(&mut dice, 0.6, 1.0));
    let harmonics: Vec<Harmonic> = (0..dice.below(4))
        .map(|_| Harmonic {
            amplitude: vector(&mut dice, 0.7, 2.0),
            omega: frequency(&mut dice, &mass, &stiffness),
            phase: if dice.chance(0.5) { 0.0 } else { dice.between(-3.0, 3.0) },
        })
        .collect();
    let kind = *dice.pick(&[
        Kind::Coulomb,
        Kind::Coulomb,
        Kind::Coulomb,
        Kind::Coulomb,
        Kind::Polyline,
        Kind::Continuous,
        Kind::Continuous,
        Kind::Continuous,
        Kind::Continuous,
        Kind::Springs,
        Kind::Curved,
        Kind::Curved,
        Kind::Jump,
    ]);
    let mut contacts = contacts(&mut dice, n, kind, &constant);
    direct(&mut Dice::new(seed ^ 0x0D1A), &mut contacts);
    let duration = match harmonics.first() {
        Some(first) => dice.between(2.0, 5.0) * std::f64::consts::TAU / first.omega,
        None => dice.between(4.0, 15.0),
    }
    .min(40.0);
    let window = if dice.chance(0.5) {
        [0.0, duration]
    } else {
        [duration * dice.between(0.0, 0.6), duration * dice.between(0.7, 1.0)]
    };
    let integrator = match kind {
        Kind::Springs if dice.chance(0.5) => IntegratorKind::Adaptive(Adaptive::default()),
        Kind::Coulomb | Kind::Polyline | Kind::Springs => IntegratorKind::Exact(ExactSettings {}),
        Kind::Continuous | Kind::Curved => IntegratorKind::Adaptive(Adaptive::default()),
        Kind::Jump => {
            IntegratorKind::Rk4(FixedStep { step: Some(duration / FIXED_STEPS), steps_per_period: None })
        }
    };
    Lines {
        mass,
        damping,
        stiffness,
        constant,
        harmonics,
        contacts,
        position,
        velocity,
        integrator: Some(integrator),
        duration,
        window,
        samples: 501,
    }
}

fn diagonal(d: &[f64]) -> Rows {
    (0..d.len()).map(|i| (0..d.len()).map(|j| if i == j { d[i] } else { 0.0 }).collect()).collect()
}

fn mass(dice: &mut Dice, n: usize) -> Rows {
    let mut mass = diagonal(&(0..n).map(|_| dice.decades(0.3, 3.0)).collect::<Vec<_>>());
    if n > 1 && dice.chance(0.3) {
        // small couplings leave it positive definite
        for i in 1..n {
            let c = 0.1 * dice.roll();
            (mass[i][i - 1], mass[i - 1][i]) = (c, c);
        }
    }
    mass
}

/// A chain of springs, tied to the ground here and there, or nowhere: then K is singular.
fn stiffness(dice: &mut Dice, number: &mut impl FnMut(f64, f64) -> f64, n: usize) -> Rows {
    let is_free = dice.chance(0.2);
    chain(n, |i| {
        let is_tied = !is_free && (i == 0 || dice.chance(0.4));
        let ground = if is_tied { number(0.25, 4.0) } else { 0.0 };
        let spring = if i > 0 { number(0.25, 4.0) } else { 0.0 };
        [ground, spring, spring]
    })
}

/// An angular frequency, now and then that of the first mass on its springs.
fn frequency(dice: &mut Dice, mass: &Rows, stiffness: &Rows) -> f64 {
    let own = (stiffness[0][0] / mass[0][0]).sqrt();
    if dice.chance(0.15) && own > 0.2 { own } else { dice.decades(0.3, 4.0) }
}

fn contacts(dice: &mut Dice, n: usize, kind: Kind, constant: &[f64]) -> Vec<ContactTable> {
    let mut list: Vec<ContactTable> = Vec::new();
    for _ in 0..dice.below(5) {
        if let Some(last) = list.last().filter(|_| dice.chance(0.12)) {
            // another contact beside the last one: what each of them holds is not determined
            let copy = last.clone();
            list.push(copy);
            continue;
        }
        let mut direction = vec![0.0; n];
        let i = dice.below(n);
        direction[i] = *dice.pick(&[1.0, 1.0, 1.0, -1.0, 1.5]);
        if n > 1 && dice.chance(0.35) {
            direction[(i + 1) % n] = -direction[i];
        } else if dice.chance(0.1) {
            direction = (0..n).map(|_| dice.between(-1.0, 1.0)).collect();
        }
        let law = law(dice, kind);
        let mut load = dice.between(0.3, 1.5);
        if dice.chance(0.08) && constant[i] != 0.0 {
            // at rest the load stands exactly on the limit
            load = constant[i].abs() / law.bound();
        }
        list.push(ContactTable {
            load_varies: None,
            belt_varies: None,
            law,
            reverse: None,
            at_load: Vec::new(),
            contact_viscous: None,
            viscous: if dice.chance(0.15) { 0.2 * dice.roll() } else { 0.0 },
            load,
            belt: if dice.chance(0.35) { dice.between(-0.7, 0.7) } else { 0.0 },
            on: ActsOn { direction: Some(direction), ..ActsOn::default() },
        });
    }
    list
}

/// Makes friction of some contacts differ in the two directions, where the law lets it.
fn direct(dice: &mut Dice, contacts: &mut [ContactTable]) {
    for contact in contacts {
        let any = dice.decades(0.2, 5.0);
        let reverse = *dice.pick(&[0.0, 0.5, any, any]);
        let directed = contact.law.clone().directed(reverse);
        if dice.chance(DIRECTED) && Faults::of(|faults| directed.check(faults)).is_empty() {
            contact.law = directed;
        }
    }
}

fn law(dice: &mut Dice, kind: Kind) -> FrictionLaw {
    if kind == Kind::Coulomb {
        let mu = dice.between(0.1, 1.0);
        let mu_static = dice.chance(0.3).then(|| mu * dice.between(1.0, 1.8));
        return FrictionLaw::Coulomb(Coulomb { mu, mu_static });
    }
    let fits = |law: &FrictionLaw| match kind {
        Kind::Coulomb | Kind::Polyline => law.corners().is_some(),
        Kind::Continuous => law.graph() == Graph::Continuous && law.sliders().is_none(),
        Kind::Jump => law.graph() == Graph::Jump,
        Kind::Springs => law.sliders().is_some() && law.is_piecewise_linear(),
        Kind::Curved => law.graph() == Graph::SetValued && law.corners().is_none() || law.lag(0.0).is_some(),
    };
    let laws: Vec<FrictionLaw> = FrictionLaw::examples().into_iter().filter(fits).collect();
    let example = dice.pick(&laws).clone();
    varied(dice, &example)
}

/// Attempts at a law whose parameters are within their bounds.
const ATTEMPTS: usize = 10;

/// The law with every parameter multiplied by a number of its own, if that is a law.
pub fn varied(dice: &mut Dice, example: &FrictionLaw) -> FrictionLaw {
    fn vary(dice: &mut Dice, value: &mut Json) {
        match value {
            Json::Object(map) => {
                for (key, value) in map {
                    match value {
                        // the points of a curve keep their order
                        Json::Array(items) if key == "velocities" || key == "coefficients" => {
                            let factor = dice.decades(FACTORS[0], FACTORS[1]);
                            items.iter_mut().for_each(|x| *x = (x.as_f64().unwrap_or(0.0) * factor).into());
                        }
                        value => vary(dice, value),
                    }
                }
            }
            Json::Array(list) => list.iter_mut().for_each(|value| vary(dice, value)),
            Json::Number(number) if number.is_f64() => {
                let x = number.as_f64().unwrap_or(0.0) * dice.decades(FACTORS[0], FACTORS[1]);
                *value = x.into();
            }
            _ => {}
        }
    }
    for _ in 0..ATTEMPTS {
        let Ok(mut json) = serde_json::to_value(example) else { break };
        vary(dice, &mut json);
        match serde_json::from_value::<FrictionLaw>(json) {
            Ok(law) if Faults::of(|faults| law.check(faults)).is_empty() => return law,
            _ => {}
        }
    }
    example.clone()
}
