//! Scenarios that fail a check: refused at their keys, and nothing is prepared from them.

use stiction_study::Study;

fn keys(text: &str) -> Vec<String> {
    let faults = Study::read("a.toml", text, &[]).err().unwrap_or_else(|| panic!("accepted:\n{text}"));
    faults.into_iter().map(|fault| fault.key).collect()
}

/// As many sliders as memory has bytes, and more: memory would be taken for them before the check was looked at.
#[test]
fn a_number_of_sliders_beyond_its_limit_takes_no_memory() {
    let law = |n: u64| {
        format!(
            "four-parameter-iwan = {{ mu = 0.5, stiffness = 2, exponent = -0.5, ratio = 0.5, sliders = {n} }}"
        )
    };
    let analyses = [
        "[analysis.transient]\nduration = 1",
        "[analysis.transient]\nduration = 1\ncompare = { law = \"tanh\", width = 0.1 }",
        "[analysis.steady]",
        "[analysis.steady]\nharmonic_balance = {}",
        "[analysis.response]\nparameter = \"omega\"\nfrom = 1\nto = 2",
        "[analysis.bifurcation]\nparameter = \"omega\"\nfrom = 1\nto = 2",
        "[analysis.transient]\nduration = 1\n[sweep]\nover = [{ parameter = \"mass\", values = [1, 2] }]",
    ];
    for n in [257, 4_294_967_295, 9_223_372_036_854_775_807] {
        for analysis in analyses {
            for extra in ["", "initial.states = [0, 0]\n", "friction.load = 0.5\n"] {
                let force = "force = { amplitude = 1, omega = 1 }";
                let text = format!(
                    "[system.oscillator]\nmass = 1\nstiffness = 1\n{force}\nfriction.{}\n{extra}{analysis}\n",
                    law(n)
                );
                let found = keys(&text);
                let key = "system.oscillator.friction.four-parameter-iwan.sliders";
                assert!(found.iter().any(|found| found == key), "{found:?}\n{text}");
            }
        }
    }
}

#[test]
fn matrices_of_different_sizes_are_refused_before_anything_is_added_to_them() {
    let parts = [
        "spring = { polynomial = [1.5], dof = 0 }",
        "spring = { positions = [-1, 1], forces = [-1, 1], dof = 2 }",
        "stop = { upper = 1, dof = 2 }",
        "prescribed = { dof = 2, position = { constant = 1 } }",
        "control = { kp = 1, dof = 2 }",
        "base = { amplitude = 1, omega = 1 }",
        "initial.position = [1, 2]",
        "reduce = { modes = 1 }",
    ];
    let matrices = [
        ("mass = [[1, 0], [], [0, 1]]", "stiffness = [1, 1]"),
        ("mass = [[1, 0, 0], [0, 1], [0, 0, 1]]", "stiffness = [1, 1, 1]"),
        ("mass = [1, 1, 1]", "stiffness = [1, 1]"),
        ("mass = [1, 1, 1]", "stiffness = [[1, 0], [0, 1]]"),
        ("mass = [1, 1, 1]", "stiffness = [1, 1, 1]\ndamping = [0.1]"),
        ("mass = []", "stiffness = [1, 1]"),
    ];
    for (mass, stiffness) in matrices {
        for part in parts {
            for analysis in ["[analysis.transient]\nduration = 1", "[analysis.steady]"] {
                let text = format!(
                    "[system.matrices]\n{mass}\n{stiffness}\nfriction = {{ coulomb = {{ mu = 0.1 }}, dof = 0 }}\n{part}\n{analysis}\n"
                );
                assert!(!keys(&text).is_empty());
            }
        }
    }
}

/// What is wrong elsewhere is still found.
#[test]
fn a_law_that_is_unsound_hides_no_other_fault() {
    let text = "[system.oscillator]\nmass = -1\nstiffness = 1\nfriction.coulomb = { mu = -0.5 }\n[analysis.transient]\nduration = -2\n";
    assert_eq!(
        keys(text),
        ["system.oscillator.friction.coulomb.mu", "system.oscillator.mass", "analysis.transient.duration"]
    );
}

/// Numbers of any size are quoted in few characters.
#[test]
fn no_message_has_a_number_of_many_digits() {
    let system = "[system.oscillator]\nmass = 1\nstiffness = 1\nfriction.coulomb.mu = 0.3\nforce = { amplitude = 1, omega = 0.7 }\n";
    let rest = [
        "[analysis.transient]\nduration = 1e300\nwindow = [2e300, 1e-300]\n",
        "[analysis.transient]\nduration = 1e300\ntimes = [1e301]\n",
        "[analysis.transient]\nperiods = 1e308\nwindow = [0.0, 1e-200]\n",
        "[analysis.response]\nparameter = \"omega\"\nfrom = 1e200\nto = 1e200\n",
        "[analysis.transient]\nduration = 1\n[sweep]\nover = [{ parameter = \"omega\", from = -1e300, to = 1e-300, points = 3, spacing = \"log\" }]\n",
    ];
    for rest in rest {
        let text = format!("{system}{rest}");
        let faults = Study::read("a.toml", &text, &[]).expect_err(rest);
        for fault in faults {
            let longest = fault.message.split(|c: char| !c.is_ascii_digit()).map(str::len).max();
            assert!(longest < Some(20), "{}: {}", fault.key, fault.message);
        }
    }
}
