//! `docs/laws.md`: what it says of each law.

use stiction::Faults;
use stiction::law::FrictionLaw;
use stiction::ode::Adaptive;
use stiction::simulate::Integrator;
use stiction::system::System;

const PAGE: &str = include_str!("../../../../docs/laws.md");

#[test]
fn the_page_about_laws_has_true_rows() {
    let integrators = [
        ("exact", Integrator::Exact),
        ("adaptive", Integrator::Adaptive(Adaptive::default())),
        ("incremental", Integrator::Incremental { step: 1e-9 }),
        ("rk4", Integrator::Rk4 { step: 1e-9 }),
    ];
    let rows: Vec<Vec<&str>> = PAGE
        .lines()
        .filter(|line| line.starts_with("| `"))
        .map(|line| line.split('|').map(str::trim).skip(1).collect())
        .collect();
    assert!(rows.len() >= 21);
    let mut wrong = Vec::new();
    for row in &rows {
        let is_it = |name: &&&str| row[0] == format!("`{name}`");
        let name = FrictionLaw::NAMES.iter().find(is_it).unwrap_or_else(|| panic!("{}", row[0]));
        let size = FrictionLaw::size(name).map_or(String::new(), |size| format!("`{}`", size.name()));
        assert_eq!(row[2].split(" (").next(), Some(size.as_str()), "{name}");
        // of the examples, some of which may be more than the plain law
        let admits = |integrator: &Integrator| {
            FrictionLaw::examples().into_iter().filter(|law| law.name() == *name).any(|law| {
                let system = System::oscillator(1.0, 0.0, 1.0).with_friction(law);
                Faults::of(|faults| integrator.admit(&system, faults)).is_empty()
            })
        };
        let known = integrators.iter().filter(|(_, integrator)| admits(integrator));
        let methods: Vec<String> = known.map(|(method, _)| format!("`{method}`")).collect();
        let methods = methods.join(", ");
        if row[3] != methods {
            wrong.push(format!("{name}: {} is said, {methods} is so", row[3]));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
