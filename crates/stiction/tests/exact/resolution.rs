//! Which contacts stick at the start of a motion from rest, and with which forces: problems whose solutions
//! another program built backwards with 40 digits (`reference/resolve.jsonl`), redundant contacts among them.

use serde_json::Value;
use stiction::Progress;
use stiction::law::{Coulomb, FrictionLaw};
use stiction::math::{Matrix, dot};
use stiction::ode::Adaptive;
use stiction::simulate::{Integrator, Plan, drive};
use stiction::system::{Contact, System};

/// Of the largest force or acceleration: elimination.
const TOLERANCE: f64 = 1e-12;

struct Problem {
    system: System,
    acceleration: Vec<f64>,
    friction: Vec<f64>,
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

/// The problems of a kind: masses without springs, at rest under constant loads.
fn problems(kind: &str) -> Vec<Problem> {
    let lines = include_str!("../reference/resolve.jsonl").lines();
    let rows = lines.map(|line| serde_json::from_str::<Value>(line).unwrap());
    rows.filter(|row| row["kind"] == kind)
        .map(|row| {
            let (constant, n) = (numbers(&row["load"]), row["load"].as_array().unwrap().len());
            let mass = row["mass"].as_array().unwrap().iter().flat_map(numbers).collect();
            let kinetic = numbers(&row[if kind == "box" { "limits" } else { "kinetic" }]);
            let fixed = numbers(&row[if kind == "box" { "limits" } else { "static" }]);
            let directions = row["directions"].as_array().unwrap().iter().map(numbers);
            let contacts = directions.zip(kinetic.iter().zip(fixed)).map(|(direction, (&mu, mu_static))| {
                let law = FrictionLaw::Coulomb(Coulomb { mu, mu_static: Some(mu_static) });
                Contact { friction: law.into(), load: 1.0, direction, belt: 0.0 }
            });
            let system = System {
                elements: Default::default(),
                contacts: contacts.collect(),
                mass: Matrix { n_rows: n, n_cols: n, data: mass },
                damping: Matrix::zeros(n, n),
                stiffness: Matrix::zeros(n, n),
                constant,
                harmonics: Vec::new(),
                position: vec![0.0; n],
                velocity: vec![0.0; n],
            };
            let (acceleration, friction) = (numbers(&row["acceleration"]), numbers(&row["friction"]));
            Problem { system, acceleration, friction }
        })
        .collect()
}

/// Relative accelerations and friction forces soon after the start, where both are still those of the start.
pub fn start(system: &System, integrator: &Integrator) -> [Vec<f64>; 2] {
    let t_end = 1e-3;
    let plan =
        Plan { t_end, window: [0.0, t_end], times: vec![t_end], lands_on_times: true, max_steps: None };
    let samples = drive(system, integrator, &plan, &mut Progress::none()).unwrap().samples;
    let acceleration: Vec<f64> = samples.acceleration.iter().map(|column| column[0]).collect();
    let relative = system.contacts.iter().map(|contact| dot(&contact.direction, &acceleration));
    [relative.collect(), samples.friction.iter().map(|column| column[0]).collect()]
}

/// The largest deviation, of the largest number.
fn deviation(found: &[f64], expected: &[f64]) -> f64 {
    let size = expected.iter().fold(1.0, |size: f64, x| size.max(x.abs()));
    found.iter().zip(expected).fold(0.0, |worst: f64, (a, b)| worst.max((a - b).abs() / size))
}

#[test]
fn contacts_stick_with_the_forces_of_the_reference() {
    let (problems, adaptive) = (problems("box"), Integrator::Adaptive(Adaptive::default()));
    assert_eq!(problems.len(), 400);
    for (k, problem) in problems.iter().enumerate() {
        for integrator in [&Integrator::Exact, &adaptive] {
            let [acceleration, friction] = start(&problem.system, integrator);
            let off =
                [deviation(&acceleration, &problem.acceleration), deviation(&friction, &problem.friction)];
            assert!(
                off[0] < TOLERANCE,
                "{k}: accelerations {acceleration:?}, expected {:?}",
                problem.acceleration
            );
            assert!(off[1] < TOLERANCE, "{k}: friction {friction:?}, expected {:?}", problem.friction);
        }
    }
}

/// Static above kinetic friction leaves more than one consistent answer: with static friction everywhere the contact is
/// released whose acceleration is largest over the root of its mobility, again and again.
#[test]
fn the_contact_farthest_beyond_its_static_limit_slips_first() {
    let problems = problems("release");
    assert_eq!(problems.len(), 200);
    let adaptive = Integrator::Adaptive(Adaptive::default());
    for integrator in [Integrator::Exact, adaptive] {
        for (k, problem) in problems.iter().enumerate() {
            let [acceleration, friction] = start(&problem.system, &integrator);
            let off = deviation(&acceleration, &problem.acceleration);
            let off = off.max(deviation(&friction, &problem.friction));
            assert!(off < TOLERANCE, "{} {k}: {off:e}", integrator.name());
        }
    }
}
