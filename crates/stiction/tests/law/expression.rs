//! A law by its formula, as its user gives it.

use stiction::law::{Expression, ExpressionTable, FrictionLaw, Graph, Law, Slip, Stribeck, Tanh, Weakening};
use stiction::{Error, Faults};

fn fault(law: Expression) -> (String, Error) {
    let mut all = Faults::of(|faults| law.check(faults));
    assert_eq!(all.len(), 1, "{all:?}");
    let fault = all.remove(0);
    (fault.key, fault.error)
}

fn table(phi: &str) -> ExpressionTable {
    ExpressionTable::from(Expression::new(phi, &[]))
}

#[test]
fn formulas_of_laws_that_have_names_are_these_laws() {
    let stribeck = |weakening, width| {
        let (mu, mu_static, velocity, exponent) = (0.3, 0.5, 0.2, None);
        FrictionLaw::Stribeck(Stribeck { mu, mu_static, velocity, width, weakening, exponent })
    };
    let pairs = [
        ("0.3*tanh(v/0.01)", FrictionLaw::Tanh(Tanh { mu: 0.3, width: 0.01 })),
        ("(0.3 + 0.2*exp(-abs(v)/0.2))*sign(v)", stribeck(Weakening::Exponential, None)),
        ("(0.3 + 0.2*exp(-(v/0.2)^2))*sign(v)", stribeck(Weakening::Gaussian, None)),
        ("(0.3 + 0.2/(1 + abs(v)/0.2))*tanh(v/0.05)", stribeck(Weakening::Hyperbolic, Some(0.05))),
    ];
    for (phi, known) in pairs {
        let law = Expression::new(phi, &[]);
        assert_eq!(
            (law.graph(), law.friction_bounds(0.0, &[])),
            (known.graph(), known.friction_bounds(0.0, &[])),
            "{phi}"
        );
        for v in [-3.0, -0.3, -1e-5, 0.0, 1e-9, 0.02, 0.7] {
            for demand in [-2.0, 0.2] {
                let slip = Slip { v, demand, z: &[] };
                let off = (law.coefficient(slip) - known.coefficient(slip)).abs();
                assert!(off <= 1e-15, "{phi} at {v}: {off}");
                let off = (law.slope(slip) - known.slope(slip)).abs();
                assert!(off <= 1e-14 * known.steepest().min(100.0), "{phi} at {v}: {off}");
            }
        }
        let [found, speed] = [FrictionLaw::Expression(law), known].map(|law| law.stick_speed().unwrap());
        assert!((found - speed).abs() <= 1e-6 * speed, "{phi}: {found} {speed}");
    }
}

#[test]
fn a_bad_formula_is_refused_at_its_key() {
    let (key, error) = fault(Expression::new("1/(1 + 3*w)", &[("mu", 0.3)]));
    assert_eq!(key, "phi");
    assert!(matches!(&error, Error::Formula(fault) if fault.column == 10), "{error}");
    for phi in
        ["sign(v)/(v - 0.2)", "sign(v)*ln(abs(v))", "v/abs(v)", "sign(v)*(1 + sqrt(abs(v)))", "sign(v - 0.3)"]
    {
        let (key, error) = fault(Expression::new(phi, &[]));
        assert_eq!(key, "phi");
        assert!(matches!(error, Error::Unbounded { .. }), "{phi}: {error}");
    }
    for phi in ["1/(1 + 3*abs(v))", "-v", "cos(v)*sign(v)", "0.1 + 0*v"] {
        let (key, error) = fault(Expression::new(phi, &[]));
        assert_eq!(key, "phi");
        assert!(matches!(error, Error::Pushes { .. }), "{phi}: {error}");
    }
    assert_eq!(fault(Expression::new("v", &[("sin", 1.0)])).0, "parameters.sin");
    assert_eq!(fault(Expression::new("a*v", &[("a", f64::NAN)])).0, "parameters.a");
    assert_eq!(fault(ExpressionTable { reach: -1.0, ..table("v") }.into()).0, "reach");
    assert_eq!(fault(ExpressionTable { reach: 1e9, ..table("exp(abs(v))*v") }.into()).0, "phi");
    assert_eq!(fault(ExpressionTable { scale: f64::NAN, ..table("v") }.into()).0, "scale");
    assert_eq!(fault(ExpressionTable { mu_static: Some(0.2), ..table("0.3*sign(v)") }.into()).0, "mu_static");
    assert_eq!(fault(ExpressionTable { kinks: vec![0.2, 0.1], ..table("v") }.into()).0, "kinks");
    // and is harmless until then
    for phi in ["", "1/(", "ln(v)", "0/0"] {
        let law = Expression::new(phi, &[]);
        let slip = Slip { v: 0.1, demand: 0.3, z: &[] };
        assert_eq!((law.coefficient(slip), law.slope(slip), law.bound()), (0.0, 0.0, 0.0), "{phi}");
    }
}

#[test]
fn a_static_value_makes_a_law_rest() {
    let law = Expression::from(ExpressionTable { mu_static: Some(0.2), ..table("0.3*v") });
    assert_eq!(law.graph(), Graph::SetValued);
    let hold = law.friction_bounds(0.0, &[]).unwrap();
    assert_eq!((hold.low, hold.high), (-0.2, 0.2));
    assert_eq!(Expression::new("0.3*v", &[]).graph(), Graph::Continuous);
}

#[test]
fn friction_is_held_beyond_the_reach() {
    let law = Expression::from(ExpressionTable { reach: 2.0, ..table("0.1*v^3") });
    assert_eq!(law.scales().known_to, 2.0);
    for v in [2.0, 2.5, 100.0] {
        assert!((law.coefficient(Slip::at(v)) - 0.8).abs() < 1e-15);
        assert_eq!(law.slope(Slip::at(-v)), 0.0);
    }
}

#[test]
fn parameters_are_numbers_of_the_law() {
    let mut law = FrictionLaw::Expression(Expression::new("mu*sign(v)", &[("mu", 0.3)]));
    assert_eq!(law.number("parameters.mu"), Some(0.3));
    assert!(law.set_number("parameters.mu", 0.5) && !law.set_number("parameters.other", 0.5));
    assert_eq!(law.coefficient(Slip::at(0.1)), 0.5);
    assert_eq!(law.friction_bounds(0.0, &[]).unwrap().high, 0.5);
}
