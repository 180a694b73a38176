//! What the page receives: the numbers of a study run directly, errors at their keys, nothing that ends the instance.

use serde_json::{Value as Json, json};
use stiction::Progress;
use stiction_lab::{Reply, answer};
use stiction_study::Study;

fn example(name: &str) -> String {
    let path = format!("{}/../../examples/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).unwrap()
}

fn asked(question: Json) -> Reply {
    answer(&question.to_string(), &mut |_| true)
}

#[test]
fn a_run_returns_the_bits_of_the_study() {
    for name in ["stick_slip", "spinning_disc", "two_masses", "den_hartog", "frequency_response"] {
        let text = example(name);
        let reply = asked(json!({ "ask": "run", "text": text }));
        let outcome = Study::read(name, &text, &[]).unwrap().run(&mut Progress::none()).unwrap();
        assert_eq!(reply.head()["ok"], true, "{name}");
        let columns = reply.head()["samples"].as_array().unwrap();
        assert_eq!(columns.len(), outcome.samples.len());
        for (sent, column) in columns.iter().zip(&outcome.samples) {
            assert_eq!(sent["name"], column.name);
            let bits = |values: &[f64]| values.iter().map(|v| v.to_bits()).collect::<Vec<_>>();
            assert_eq!(
                bits(reply.numbers(&sent["at"]).unwrap()),
                bits(&column.values),
                "{name} {}",
                column.name
            );
        }
        assert_eq!(reply.head()["facts"].as_array().unwrap().len(), outcome.facts.len());
    }
}

#[test]
fn an_error_comes_with_its_key_and_the_tree() {
    let text = example("stick_slip").replace("mass = 1.0", "mass = -1.0");
    let reply = asked(json!({ "ask": "run", "text": text }));
    assert_eq!(reply.head()["ok"], false);
    assert_eq!(reply.head()["diagnostics"][0]["key"], "system.oscillator.mass");
    assert_eq!(reply.head()["tree"]["system"]["oscillator"]["mass"], -1.0);
}

#[test]
fn the_law_of_a_contact_is_reported_over_the_velocities_of_the_motion() {
    let reply = asked(json!({ "ask": "run", "text": example("stick_slip") }));
    let contact = &reply.head()["contacts"][0];
    let v = reply.numbers(&contact["velocity"]).unwrap();
    let phi = reply.numbers(&contact["coefficient"]).unwrap();
    assert!(v.windows(2).all(|pair| pair[0] < pair[1] || pair == [0.0; 2]));
    for (v, phi) in v.iter().zip(phi).filter(|(v, _)| **v != 0.0) {
        assert_eq!(*phi, v.signum(), "{v}");
    }
    // Coulomb's law at rest: the ends of the interval
    let at_rest: Vec<f64> = v.iter().zip(phi).filter(|(v, _)| **v == 0.0).map(|(_, phi)| *phi).collect();
    assert_eq!(at_rest, [-1.0, 1.0]);
}

#[test]
fn the_limit_surface_of_a_disc_is_round_and_meets_its_poles() {
    let reply = asked(json!({ "ask": "limit", "text": example("spinning_disc"), "rows": 9, "columns": 12 }));
    let mesh = reply.numbers(&reply.head()["mesh"]).unwrap();
    assert_eq!(mesh.len(), 3 * 9 * 13);
    // μN, and ⅔ μNR for uniform pressure; the pole holds no force
    let (force, moment) = (0.2 * 9.81, 2.0 / 3.0 * 0.2 * 9.81 * 0.1);
    let equator = &mesh[3 * 4 * 13..3 * 5 * 13];
    for point in equator.chunks(3) {
        assert!((point[0].hypot(point[1]) - force).abs() < 1e-9 * force, "{point:?}");
    }
    let pole = &mesh[3 * 8 * 13..];
    assert!((pole[2] - moment).abs() < 1e-9 * moment, "{pole:?}");
}

#[test]
fn odd_questions_are_answered_with_an_error() {
    for question in ["", "{}", "[]", "null", r#"{"ask":"fly"}"#, r#"{"ask":"run","text":1}"#] {
        assert_eq!(answer(question, &mut |_| true).head()["ok"], false, "{question}");
    }
    let long = "#".repeat(2_000_000);
    for text in ["", "x = [", "title = 1", long.as_str()] {
        assert_eq!(asked(json!({ "ask": "run", "text": text })).head()["ok"], false);
    }
    let body = json!({ "ask": "limit", "text": example("stick_slip"), "rows": 3, "columns": 3 });
    assert_eq!(asked(body).head()["ok"], false);
}

#[test]
fn a_run_stops_when_it_is_cancelled() {
    let text =
        example("mass_on_belt").replace("duration = 100", "duration = 1e6").replace("[50, 100]", "[0, 1]");
    let mut n = 0;
    let question = json!({ "ask": "run", "text": text }).to_string();
    let reply = answer(&question, &mut |_| {
        n += 1;
        n < 3
    });
    assert_eq!(reply.head()["ok"], false);
    assert_eq!(n, 3);
}

#[test]
fn the_tree_of_a_large_model_comes_without_building_it() {
    let begin = std::time::Instant::now();
    let reply = asked(json!({ "ask": "tree", "text": example("thousand_blocks") }));
    assert_eq!(reply.head()["tree"]["system"]["chain"]["masses"], 1000);
    assert!(reply.head().get("scenario").is_none());
    assert!(begin.elapsed().as_millis() < 100, "{:?}", begin.elapsed());
}

#[test]
fn numbers_that_json_lacks_stay_in_the_tree() {
    let text = example("stick_slip").replace("damping = 0.1", "damping = inf");
    let reply = asked(json!({ "ask": "read", "text": text }));
    assert_eq!(reply.head()["tree"]["system"]["oscillator"]["damping"], "inf");
}

/// Force between terms of the equation of motion that is round-off (N per N of the largest).
const BALANCE: f64 = 1e-9;

fn history<'a>(reply: &'a Reply, name: &str) -> Option<&'a [f64]> {
    let list = reply.head()["histories"].as_array()?;
    let found = list.iter().find(|one| one["name"] == name)?;
    reply.numbers(&found["samples"])
}

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |most, f| most.max(f.abs()))
}

#[test]
fn forces_balance_under_tables_in_chains_and_beside_prescribed_motions() {
    // load, linear springs, dampers and friction are all that act: nothing is left, whatever the load is made of
    for (name, n) in [("earthquake", 1), ("lugre_break_away", 1), ("valve_dwell", 1), ("blocks_on_belt", 5)] {
        let reply = asked(json!({ "ask": "run", "text": example(name) }));
        for i in 0..n {
            let of = |kind: &str| largest(history(&reply, &format!("force_{kind}_{i}")).unwrap());
            let scale = ["load", "spring", "contact"].map(of).into_iter().fold(0.0, f64::max);
            assert!(of("rest") <= BALANCE * scale, "{name} {i}: {} of {scale}", of("rest"));
        }
    }
    // what is left on a prescribed mass is the force of its actuator
    let reply = asked(json!({ "ask": "run", "text": example("dragged_block") }));
    let columns = reply.head()["samples"].as_array().unwrap();
    let reaction = columns.iter().find(|column| column["name"] == "reaction_1").unwrap();
    let reaction = reply.numbers(&reaction["at"]).unwrap();
    let rest = history(&reply, "force_rest_1").unwrap();
    let scale = largest(reaction);
    assert!(scale > 1.0);
    for (own, expected) in rest.iter().zip(reaction) {
        assert!((own - expected).abs() <= BALANCE * scale, "{own} instead of {expected}");
    }
    assert!(largest(history(&reply, "force_rest_0").unwrap()) <= BALANCE * scale);
    assert_eq!(reply.head()["contacts"][0]["direction"], json!([1.0, 0.0]));
}

/// Trapezoidal rule over 2001 samples against the engine's own quadrature (-).
const QUADRATURE: f64 = 2e-4;

#[test]
fn energies_over_time_end_at_the_facts_and_forces_balance() {
    for name in
        ["stick_slip", "cubic_spring", "end_stops", "two_masses", "pid_hunting", "varying_load", "backlash"]
    {
        let reply = asked(json!({ "ask": "run", "text": example(name) }));
        let head = reply.head();
        let fact = |name: &str| {
            let list = head["facts"].as_array().unwrap();
            list.iter().find(|fact| fact["name"] == name).and_then(|fact| fact["value"].as_f64()).unwrap()
        };
        let values = |name: &str| {
            let list = head["histories"].as_array().unwrap();
            let found = list.iter().find(|one| one["name"] == name).unwrap();
            reply.numbers(&found["samples"]).unwrap()
        };
        let turnover = fact("energy_turnover");
        let change = |name: &str| values(name)[values(name).len() - 1] - values(name)[0];
        for (own, expected) in [
            (change("friction_loss"), fact("friction_loss")),
            (change("viscous_loss"), fact("viscous_loss")),
            (change("kinetic") + change("elastic"), fact("stored")),
        ] {
            assert!((own - expected).abs() <= QUADRATURE * turnover, "{name}: {own} instead of {expected}");
        }
        assert!(values("elastic").iter().any(|e| *e > 0.0) || name == "pid_hunting", "{name}");
        // a rigid stop acts at instants only
        let is_plain = ["stick_slip", "two_masses", "varying_load", "end_stops"].contains(&name);
        let rest = values("force_rest_0").iter().fold(0.0f64, |most, f| most.max(f.abs()));
        assert_eq!(rest > 1e-9, !is_plain, "{name}: {rest}");
        assert!(values("normal_0").iter().all(|n| *n >= 0.0));
    }
}
