//! Laws against values that were computed with 40 digits from their definitions by another program.

use stiction::law::{CircularLinear, FrictionLaw, Law, Linear, Slip, Trigonometric};

/// Relative; the reference is exact to double precision, and each law takes a handful of roundings.
const TOLERANCE: f64 = 1e-13;

#[test]
fn the_transition_laws_agree_with_the_reference() {
    let table = include_str!("../reference/laws.csv");
    let (mut n, mut worst) = (0, 0.0f64);
    for line in table.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let number = |i: usize| cells[i].parse::<f64>().ok();
        let (mu, width) = (number(1).unwrap(), number(2).unwrap());
        let (rise, rise_height) = (number(3), None);
        let law = match cells[0] {
            "linear" => FrictionLaw::Linear(Linear { mu, width, rise, rise_height }),
            "trigonometric" => FrictionLaw::Trigonometric(Trigonometric { mu, width, rise, rise_height }),
            "circular" => {
                let radius = number(4).unwrap();
                FrictionLaw::CircularLinear(CircularLinear { mu, width, radius, rise, rise_height })
            }
            other => panic!("unknown law {other}"),
        };
        let slip = Slip::at(number(5).unwrap());
        for (what, found, expected) in [
            ("value", law.coefficient(slip), number(6).unwrap()),
            ("slope", law.slope(slip), number(7).unwrap()),
        ] {
            let error = if expected == 0.0 { found.abs() } else { (found / expected - 1.0).abs() };
            worst = worst.max(error);
            assert!(error <= TOLERANCE, "{what} of {line}: {found:e} is off by {error:e}");
        }
        n += 1;
    }
    assert_eq!(n, 150);
    println!("worst relative error {worst:e}");
}
