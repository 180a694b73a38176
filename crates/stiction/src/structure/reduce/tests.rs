//! Reduced models against full ones.

use super::super::{Beam, Chain, ChainEnd, Support};
use super::*;
use crate::math::complex::{Complex, complex};
use crate::math::lu::Lu;

fn beam(right: Support, damping: StructuralDamping) -> StructuralModel {
    let (length, young, inertia, density, area) = (1.0, 1.0, 1.0, 1.0, 1.0);
    let left = if right == Support::Clamped { Support::Free } else { Support::Clamped };
    let beam = Beam { elements: 15, length, young, inertia, density, area, left, right };
    let made = beam.assemble();
    StructuralModel { mass: made.mass, stiffness: made.stiffness, damping }
}

fn free_chain() -> StructuralModel {
    let chain = Chain {
        mass: vec![1.0; 24],
        stiffness: 9.0,
        ground: 0.0,
        left: ChainEnd::Free,
        right: ChainEnd::Free,
    };
    let made = chain.assemble();
    StructuralModel {
        mass: made.mass,
        stiffness: made.stiffness,
        damping: StructuralDamping::Rayleigh { alpha: 0.05, beta: 0.01 },
    }
}

fn unit(n: usize, at: usize) -> Vec<f64> {
    (0..n).map(|i| f64::from(u8::from(i == at))).collect()
}

fn request(n: usize, reported: &[usize], size: ReducedSize, band: f64) -> Reduction {
    let slope = (0..n).map(|i| libm::sin(i as f64)).collect();
    Reduction {
        size,
        band: Some(band),
        inputs: vec![unit(n, 0), slope],
        reported: reported.to_vec(),
        states: Vec::new(),
        max_entries: 1_000_000,
    }
}

/// (K − ω²M + iωC)⁻¹ b.
fn response([mass, damping, stiffness]: [&Matrix; 3], omega: f64, b: &[f64]) -> Vec<Complex> {
    let n = b.len();
    let mut factor = Lu::new(n);
    for i in 0..n * n {
        factor.a[i] = complex(stiffness.data[i] - omega * omega * mass.data[i], omega * damping.data[i]);
    }
    assert!(factor.factor());
    let mut x: Vec<Complex> = b.iter().map(|b| complex(*b, 0.0)).collect();
    factor.solve(&mut x);
    x
}

/// The largest error of the compliance between the inputs within the band, relative to the static one.
fn true_error(model: &StructuralModel, request: &Reduction, reduced: &Reduced) -> f64 {
    let full = [&model.mass.to_dense(), &model.damping_matrix().unwrap(), &model.stiffness.to_dense()];
    let small = [&reduced.mass, &reduced.damping, &reduced.stiffness];
    let n = model.mass.n();
    let mut inputs = request.inputs.clone();
    inputs.extend(request.reported.iter().map(|&dof| unit(n, dof)));
    let envelope = Envelope::new(&[&model.mass, &model.stiffness]);
    let pencil = Pencil::new(&model.mass, &model.stiffness, envelope).unwrap();
    let lowest = pencil.lowest(reduced.report.modes).unwrap();
    let totals: Vec<f64> =
        shares(&pencil, &model.mass, &lowest, &inputs).iter().map(|share| share.total).collect();
    let mut largest = 0.0f64;
    for step in 1..=60 {
        let omega = request.band.unwrap() * step as f64 / 60.0;
        for (j, b) in inputs.iter().enumerate() {
            let exact = response(full, omega, b);
            let found = response(small, omega, &reduced.direction(b));
            for (i, w) in inputs.iter().enumerate() {
                let along = |x: &[Complex], w: &[f64]| {
                    x.iter().zip(w).fold(complex(0.0, 0.0), |sum, (x, w)| sum + x.times(*w))
                };
                let error = (along(&exact, w) - along(&found, &reduced.direction(w))).modulus();
                largest = largest.max(error / (totals[i] * totals[j]).sqrt());
            }
        }
    }
    largest
}

/// Rounding of the full model, whose stiffness is ill-conditioned.
const FLOOR: f64 = 1e-9;

#[test]
fn the_error_of_the_compliance_keeps_within_its_bound_and_is_not_far_below_it() {
    let dampings = [
        StructuralDamping::Rayleigh { alpha: 0.0, beta: 0.0 },
        StructuralDamping::Rayleigh { alpha: 2.0, beta: 0.0 },
        StructuralDamping::Rayleigh { alpha: 0.0, beta: 0.01 },
        StructuralDamping::Modal(vec![0.02]),
        StructuralDamping::Modal(vec![0.1, 0.2, 0.05]),
    ];
    for damping in dampings {
        for (modes, part) in [(2, 0.7), (4, 0.5), (6, 0.2)] {
            let model = beam(Support::Free, damping.clone());
            let n = model.mass.n();
            let first = request(n, &[n - 2], ReducedSize::Modes(modes), 1.0).apply(&model).unwrap();
            let request = request(n, &[n - 2], ReducedSize::Modes(modes), part * first.report.neglected);
            let reduced = request.apply(&model).unwrap();
            let ReductionReport { error, is_bound, .. } = reduced.report;
            let actual = true_error(&model, &request, &reduced);
            assert!(is_bound && actual <= error + FLOOR, "{damping:?} {modes}: {actual:e} > {error:e}");
            // a bound that is never near says nothing; that of modal ratios is of first order only
            let slack = if matches!(damping, StructuralDamping::Modal(_)) { 3e4 } else { 300.0 };
            assert!(error <= slack * actual + FLOOR, "{damping:?} {modes}: {actual:e} ≪ {error:e}");
        }
    }
}

#[test]
fn a_structure_that_is_free_to_move_is_reduced_with_its_rigid_motion() {
    let model = free_chain();
    let request = request(24, &[0, 11], ReducedSize::Modes(6), 1.0);
    let reduced = request.apply(&model).unwrap();
    let actual = true_error(&model, &request, &reduced);
    assert!(actual <= reduced.report.error + 1e-12, "{actual:e} {:e}", reduced.report.error);
    // all of it moves with its whole mass
    let mut momentum = vec![0.0; reduced.report.reduced];
    let rigid = reduced.state(&[1.0; 24]);
    reduced.mass.add_product(1.0, &rigid, &mut momentum);
    assert!((dot(&momentum, &rigid) - 24.0).abs() < 1e-10);
    let mut pulled = vec![0.0; reduced.report.reduced];
    reduced.stiffness.add_product(1.0, &rigid, &mut pulled);
    assert!(pulled.iter().all(|x| x.abs() < 1e-10), "{pulled:?}");
}

#[test]
fn another_damping_matrix_has_an_estimate_that_is_near_the_error() {
    let plain = beam(Support::Free, StructuralDamping::Rayleigh { alpha: 0.0, beta: 0.0 });
    let n = plain.mass.n();
    // a dashpot at mid-span
    let dashpot = SparseMatrix::new(n, &[(14, 14, 2.0)]).unwrap();
    let model = StructuralModel {
        damping: StructuralDamping::Matrix(dashpot.combined(1.0, 1e-3, &plain.stiffness)),
        ..plain
    };
    let request = request(n, &[n - 2], ReducedSize::Modes(5), 60.0);
    let reduced = request.apply(&model).unwrap();
    assert!(!reduced.report.is_bound);
    let (error, actual) = (reduced.report.error, true_error(&model, &request, &reduced));
    assert!(actual < 3.0 * error && error < 300.0 * actual, "{actual:e} {error:e}");
}

#[test]
fn a_tolerance_takes_as_many_modes_as_it_needs() {
    let model = beam(Support::Clamped, StructuralDamping::Rayleigh { alpha: 0.0, beta: 1e-4 });
    let n = model.mass.n();
    let mut before = 0;
    for tolerance in [1e-2, 1e-4, 1e-6, 1e-8] {
        let request = request(n, &[0], ReducedSize::Tolerance(tolerance), 50.0);
        let reduced = request.apply(&model).unwrap();
        let ReductionReport { modes, error, .. } = reduced.report;
        assert!(error <= tolerance && modes >= before, "{tolerance:e}: {modes} modes, {error:e}");
        assert!(true_error(&model, &request, &reduced) <= tolerance + FLOOR);
        // one mode less would not do
        let less = Reduction { size: ReducedSize::Modes(modes - 1), ..request }.apply(&model).unwrap();
        assert!(modes == 1 || less.report.error > tolerance, "{tolerance:e}: {:?}", less.report);
        before = modes;
    }
    assert!(before > 4);
    let missed = request(n, &[0], ReducedSize::Tolerance(1e-30), 50.0).apply(&model).unwrap_err();
    assert!(matches!(missed, Error::ToleranceMissed { .. }), "{missed}");
    let wide = request(n, &[0], ReducedSize::Tolerance(1e-2), 1e9).apply(&model).unwrap_err();
    assert_eq!(wide, Error::BandTooWide { band: 1e9, modes: n, limit: n - 1 });
}

#[test]
fn reported_degrees_of_freedom_come_first() {
    let model = beam(Support::Pinned, StructuralDamping::Modal(vec![0.01]));
    let n = model.mass.n();
    let reported = [n - 1, 4, 0];
    let shape: Vec<f64> = (0..n).map(|i| libm::cos(0.3 * i as f64)).collect();
    let request =
        Reduction { states: vec![shape.clone()], ..request(n, &reported, ReducedSize::Modes(4), 10.0) };
    let reduced = request.apply(&model).unwrap();
    let state = reduced.state(&shape);
    for (i, &dof) in reported.iter().enumerate() {
        assert_eq!(reduced.direction(&unit(n, dof)), unit(reduced.report.reduced, i));
        assert!((state[i] - shape[dof]).abs() < 1e-9, "{} {}", state[i], shape[dof]);
        assert_eq!(reduced.reported(dof), Some(i));
    }
    assert_eq!(reduced.reported(1), None);
    // the static compliance is that of the full model
    let compliance = |stiffness: &Matrix, b: &[f64]| {
        let mut x = b.to_vec();
        crate::math::dense::Cholesky::new(stiffness).unwrap().solve(&mut x);
        dot(&x, b)
    };
    for b in &request.inputs {
        let exact = compliance(&model.stiffness.to_dense(), b);
        let found = compliance(&reduced.stiffness, &reduced.direction(b));
        assert!((found / exact - 1.0).abs() < 1e-9, "{found} {exact}");
    }
}

#[test]
fn what_cannot_be_reduced_is_refused() {
    let model = beam(Support::Free, StructuralDamping::Modal(vec![0.01]));
    let n = model.mass.n();
    let of = |model: &StructuralModel, request: Reduction| request.apply(model).unwrap_err();
    let wanted = request(n, &[0], ReducedSize::Modes(n), 1.0);
    assert_eq!(of(&model, wanted.clone()), Error::TooManyModes { wanted: n, limit: n - 1 });
    let twice = request(n, &[0, 0], ReducedSize::Modes(2), 1.0);
    assert_eq!(of(&model, twice.clone()), Error::DependentDegrees);
    let small = Reduction { max_entries: 10, ..twice.clone() };
    assert!(matches!(of(&model, small), Error::FactorTooLarge { .. }));
    let negative =
        StructuralModel { stiffness: model.stiffness.combined(1.0, -100.0, &model.mass), ..model.clone() };
    assert_eq!(of(&negative, twice.clone()), Error::NegativeStiffness);
    let light = StructuralModel { mass: SparseMatrix::zeros(n), ..model };
    assert_eq!(of(&light, twice), Error::NotPositiveDefinite);
}
