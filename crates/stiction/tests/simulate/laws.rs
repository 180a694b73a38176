//! The adaptive integrator with every continuous law, against motions that another program computed piece by
//! piece.
//!
//! `reference/adaptive_laws.py` says how; each row carries an estimate of its own error.

use std::collections::BTreeSet;
use stiction::Faults;
use stiction::Progress;
use stiction::law::{Friction, FrictionLaw, Graph, Law};
use stiction::math::Matrix;
use stiction::ode::{Adaptive, Method};
use stiction::simulate::{Integrator, Plan, Record, drive};
use stiction::system::{Contact, Harmonic, System};

/// Tolerances per step at which the bar is to be met.
const RTOL: f64 = 1e-10;
const ATOL: f64 = 1e-12;
/// Agreement after twenty periods of motions of order 1 to 20.
const AGREEMENT: f64 = 1e-8;
/// What the reference may err by.
const REFERENCE: f64 = 1e-9;
/// Part of the work put in that the balance of energy may miss.
const BALANCE: f64 = 1e-8;

/// A ceiling on the work: `implicit` takes 2.4e6 for the stiffest contact that oscillates, `auto` 0.5e6.
const MOST_EVALUATIONS: u64 = 3_000_000;

struct Row {
    name: String,
    system: System,
    width: f64,
    t_end: f64,
    position: Vec<f64>,
    velocity: Vec<f64>,
    error: f64,
}

/// The systems of the reference program.
fn system(name: &str, law: FrictionLaw) -> System {
    let mut system = System::oscillator(1.0, 0.1, 1.0).with_friction(law.clone()).with_force(4.0, 1.0);
    match name {
        "oscillator" => {}
        "viscous" => system.contacts[0].friction.viscous = 0.05,
        "belt" => system.contacts[0].belt = 0.5,
        "pair" => {
            let square = |data: [f64; 4]| Matrix { n_rows: 2, n_cols: 2, data: data.to_vec() };
            let contact = |load: f64, direction: [f64; 2]| Contact {
                friction: Friction::from(law.clone()),
                load,
                direction: direction.to_vec(),
                belt: 0.0,
            };
            system = System {
                elements: Default::default(),
                mass: square([1.0, 0.2, 0.2, 0.8]),
                damping: square([0.15, -0.05, -0.05, 0.1]),
                stiffness: square([2.0, -1.0, -1.0, 1.5]),
                contacts: vec![contact(1.0, [1.0, 0.0]), contact(0.6, [-1.0, 1.0])],
                constant: vec![0.0; 2],
                harmonics: vec![Harmonic { amplitude: vec![4.0, 1.0], omega: 1.0, phase: 0.0 }],
                position: vec![0.0; 2],
                velocity: vec![0.0; 2],
            };
        }
        other => panic!("unknown system {other}"),
    }
    system
}

fn rows() -> Vec<Row> {
    let table = include_str!("../reference/adaptive_laws.csv");
    let row = |line: &str| {
        let cells: Vec<&str> = line.split(';').collect();
        let number = |i: usize| cells[i].parse::<f64>().ok();
        let system = system(cells[0], serde_json::from_str(cells[1]).unwrap());
        Row {
            name: format!("{} {}", cells[0], cells[1]),
            system,
            width: number(3).unwrap(),
            t_end: number(4).unwrap(),
            position: number(5).into_iter().chain(number(6)).collect(),
            velocity: number(7).into_iter().chain(number(8)).collect(),
            error: number(9).unwrap(),
        }
    };
    table.lines().skip(1).map(row).collect()
}

fn run(row: &Row, method: Method) -> Record {
    let settings = Adaptive { rtol: RTOL, atol: ATOL, method, ..Adaptive::default() };
    let plan = Plan {
        t_end: row.t_end,
        window: [row.t_end, row.t_end],
        times: vec![row.t_end],
        lands_on_times: true,
        max_steps: None,
    };
    drive(&row.system, &Integrator::Adaptive(settings), &plan, &mut Progress::none()).unwrap()
}

/// Largest difference from the reference.
fn error(row: &Row, record: &Record) -> f64 {
    let found = record.samples.position.iter().chain(&record.samples.velocity);
    let expected = row.position.iter().chain(&row.velocity);
    found.zip(expected).map(|(column, x)| (column[0] - x).abs()).fold(0.0, f64::max)
}

/// Runs every row that is wanted and checks it.
fn check(method: Method, wanted: impl Fn(&Row) -> bool) {
    for row in rows().iter().filter(|row| wanted(row)) {
        let record = run(row, method);
        let error = error(row, &record);
        assert!(error < AGREEMENT, "{method:?}, {}: {error:e}, {:?}", row.name, record.work);
        let residual = record.energy_residual().abs() / record.total.work_in;
        assert!(residual < BALANCE, "{method:?}, {}: {residual:e}", row.name);
        assert!(
            method == Method::Explicit || record.work.evaluations < MOST_EVALUATIONS,
            "{method:?}, {}",
            row.name
        );
    }
}

#[test]
fn the_reference_is_an_order_better_than_what_it_judges() {
    let rows = rows();
    assert!(!rows.is_empty());
    for row in rows {
        assert!(row.error <= REFERENCE, "{}: {:e}", row.name, row.error);
        let faults = Faults::of(|faults| row.system.check(faults));
        assert!(faults.is_empty(), "{}: {faults:?}", row.name);
    }
}

#[test]
fn the_table_has_wide_and_narrow_widths_of_its_laws_and_both_systems() {
    let rows = rows();
    let laws: BTreeSet<&str> = rows.iter().map(|row| row.system.contacts[0].friction.law.name()).collect();
    assert!(laws.len() > 5, "{laws:?}");
    for law in laws {
        let own: Vec<&Row> =
            rows.iter().filter(|row| row.system.contacts[0].friction.law.name() == law).collect();
        let has = |wanted: &dyn Fn(&Row) -> bool| own.iter().any(|row| wanted(row));
        assert!(has(&|row| row.width > 5e-3) && has(&|row| row.width < 5e-3), "{law}");
        assert!(has(&|row| row.system.n() == 1), "{law}");
    }
    assert!(rows.iter().any(|row| row.system.n() == 2), "two coupled contacts");
}

/// The reference table is made by a script and may not know the newest law; two kernels that have nothing in
/// common but the law agree for every one.
#[test]
fn both_kernels_agree_for_every_continuous_law() {
    for law in FrictionLaw::examples().into_iter().filter(|law| law.graph() != Graph::Jump) {
        let name = format!("{law:?}");
        let system = System::oscillator(1.0, 0.1, 1.0).with_force(2.0 * law.bound(), 0.9);
        let system = system.with_friction(law);
        let row =
            Row { name, system, width: 0.0, t_end: 20.0, position: vec![], velocity: vec![], error: 0.0 };
        let [explicit, implicit] =
            [Method::Explicit, Method::Implicit].map(|method| run(&row, method).samples);
        for (a, b) in [(&explicit.position, &implicit.position), (&explicit.velocity, &implicit.velocity)] {
            let size = row.system.harmonics[0].amplitude[0].max(1.0);
            assert!((a[0][0] - b[0][0]).abs() < AGREEMENT * size, "{}: {a:?} {b:?}", row.name);
        }
    }
}

#[test]
fn auto_is_right_for_every_law_at_every_width() {
    check(Method::Auto, |_| true);
}

#[test]
fn explicit_is_right_for_every_law_while_it_is_not_stiff() {
    check(Method::Explicit, |row| row.width > 5e-3);
}

#[test]
fn implicit_is_right_for_every_law_wide_and_narrow() {
    check(Method::Implicit, |row| row.width == 1e-1 || row.width == 1e-4);
}

#[test]
#[ignore = "takes a minute or two"]
fn all_methods_are_right_for_every_law_at_every_width() {
    check(Method::Explicit, |_| true);
    check(Method::Implicit, |_| true);
}
