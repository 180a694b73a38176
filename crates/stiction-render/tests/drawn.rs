//! Figures show the reported numbers.

use figure::Series;
use stiction::Progress;
use stiction_render::outcome_figure;
use stiction_study::Study;

const LUGRE: &str = r#"
[system.oscillator]
mass = 1.0
stiffness = 1.0
[system.oscillator.friction]
belt = 0.1
[system.oscillator.friction.lugre]
mu = 0.3
mu_static = 0.5
stiffness = 1e5
damping = 300.0
velocity = 0.01
[analysis.transient]
duration = 20.0
samples = 51
"#;

const COULOMB: &str = r#"
[system.oscillator]
mass = 2.0
damping = 4.0
stiffness = 8000.0
force = { amplitude = 60.0, omega = 30.0 }
friction = { coulomb = { mu = 0.3 }, load = 20.0 }
[analysis.transient]
periods = 20
samples = 101
"#;

/// The curve of the panel whose y axis is labelled `label`, over time.
fn curve(text: &str, label: &str) -> (Series, stiction_study::Outcome) {
    let study = Study::read("test", text, &[]).unwrap();
    let outcome = study.run(&mut Progress::none()).unwrap();
    let figure = outcome_figure(&outcome);
    let is_wanted = |panel: &&figure::Panel| panel.y.label.ends_with(label) && panel.x.label.ends_with("*t*");
    let panel = figure.panels.iter().find(is_wanted).unwrap();
    (panel.series[0].clone(), outcome)
}

fn ends(values: &[f64]) -> [f64; 2] {
    values.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[a, b], v| [a.min(*v), b.max(*v)])
}

#[test]
fn a_curve_reaches_the_extrema_that_are_reported_however_few_the_samples() {
    for (text, label, name) in
        [(LUGRE, "*H*", "friction"), (COULOMB, "*u̇*", "velocity"), (COULOMB, "*ü*", "acceleration")]
    {
        let (series, outcome) = curve(text, label);
        let reported =
            [format!("{name}_min"), format!("{name}_max")].map(|fact| outcome.fact(&fact).unwrap());
        assert_eq!(ends(&series.y), reported, "{name}");
        assert!(series.x.is_sorted(), "{name}");
    }
}

#[test]
fn a_jump_is_drawn_upright() {
    let (series, outcome) = curve(COULOMB, "*ü*");
    let reversals = outcome.events.iter().filter(|event| event.kind.name() == "reverse");
    let mut seen = 0;
    for event in reversals {
        let at = |i: &usize| series.x[*i] == event.t;
        let rows: Vec<f64> = (0..series.x.len()).filter(at).map(|i| series.y[i]).collect();
        // the friction force of 6 N changes its sign on 2 kg
        assert!((ends(&rows)[1] - ends(&rows)[0] - 6.0).abs() < 1e-9, "t = {}: {rows:?}", event.t);
        seen += 1;
    }
    assert!(seen > 10, "{seen}");
}

/// Two masses between walls, a contact on the first and one between both.
const PAIR: &str = r#"
[system.matrices]
mass = [[1.0, 0.0], [0.0, 1.0]]
stiffness = [[300.0, -100.0], [-100.0, 200.0]]
force = { amplitude = 8.0, omega = 8.0, dof = 0 }
friction = [
  { coulomb = { mu = 0.3 }, load = 5.0, dof = 0 },
  { coulomb = { mu = 0.3 }, load = 2.0, direction = [-1.0, 1.0] },
]
[analysis.transient]
periods = 4
samples = 201
"#;

#[test]
fn several_contacts_have_hysteresis_loops_over_their_own_displacements() {
    let outcome = Study::read("test", PAIR, &[]).unwrap().run(&mut Progress::none()).unwrap();
    let figure = outcome_figure(&outcome);
    let panel = figure.panels.iter().find(|panel| panel.x.label == "displacement of contact").unwrap();
    let area = |series: &Series| {
        let sides = series.x.windows(2).zip(series.y.windows(2));
        sides.map(|(x, y)| 0.5 * (y[0] + y[1]) * (x[1] - x[0])).filter(|part| part.is_finite()).sum::<f64>()
    };
    assert_eq!(panel.series.len(), 2);
    // the area that a loop encloses is the work of friction
    let [first, second] = [&panel.series[0], &panel.series[1]].map(area);
    let loss = outcome.fact("friction_loss").unwrap();
    assert!(first > 0.0 && second > 0.0, "{first} {second}");
    assert!((first + second - loss).abs() < 1e-9 * loss, "{first} + {second}, {loss}");
}
