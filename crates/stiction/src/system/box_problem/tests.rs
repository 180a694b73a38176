use super::*;
use crate::contact::Distribution;
use crate::math::dense::Matrix;

/// Contacts on the same body let go together, whatever their ranges; one that hangs on others by a chain too.
/// A deterministic stream of numbers in (−1, 1).
fn noise(seed: &mut u64) -> f64 {
    *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    (*seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

/// The conditions of the minimum, which only the solution satisfies: at a bound the gradient pushes outwards.
fn worst_violation(held: &BoxProblem, h: usize) -> f64 {
    let mut worst = 0.0f64;
    for i in 0..h {
        let x = held.force[i];
        assert!(held.low[i] <= x && x <= held.high[i]);
        let gradient = dot(&held.g[i * h..(i + 1) * h], &held.force[..h]) - held.b[i];
        let violation = match x {
            x if x == held.low[i] => -gradient,
            x if x == held.high[i] => gradient,
            _ => gradient.abs(),
        };
        worst = worst.max(violation);
    }
    worst
}

#[test]
fn random_problems_are_solved_to_rounding() {
    let mut seed = 7;
    for h in 1..=12 {
        for _ in 0..200 {
            let mut held = BoxProblem::new(h);
            let k = h + 2;
            let w: Vec<f64> = (0..h * k).map(|_| noise(&mut seed)).collect();
            for i in 0..h {
                for j in 0..h {
                    held.g[i * h + j] = dot(&w[i * k..(i + 1) * k], &w[j * k..(j + 1) * k]);
                }
                held.b[i] = 3.0 * noise(&mut seed);
                held.low[i] = -noise(&mut seed).abs();
                held.high[i] = noise(&mut seed).abs();
            }
            held.solve(h);
            let worst = worst_violation(&held, h);
            assert!(worst < 1e-10, "h = {h}: {worst:e}");
        }
    }
}

#[test]
fn contacts_that_depend_on_each_other_are_solved_to_rounding() {
    let mut seed = 11;
    for h in 2..=24 {
        for rank in 1..h.min(7) {
            for round in 0..40 {
                let mut held = BoxProblem::new(h);
                let mut w: Vec<f64> = (0..h * rank).map(|_| noise(&mut seed)).collect();
                if round % 3 == 0 {
                    // beside each other: copies of as many directions as there are
                    w = (0..h * rank).map(|i| w[i % (rank * rank)]).collect();
                }
                let free: Vec<f64> = (0..rank).map(|_| 3.0 * noise(&mut seed)).collect();
                for i in 0..h {
                    let row = |i: usize| &w[i * rank..(i + 1) * rank];
                    for j in 0..h {
                        held.g[i * h + j] = dot(row(i), row(j));
                    }
                    // of laws that creep the demands of contacts beside each other contradict each other
                    let creep = if round % 2 == 0 { 0.1 * noise(&mut seed) } else { 0.0 };
                    held.b[i] = dot(row(i), &free) + creep;
                    held.low[i] = -noise(&mut seed).abs();
                    held.high[i] = noise(&mut seed).abs();
                }
                held.solve(h);
                let worst = worst_violation(&held, h);
                assert!(worst < 1e-9, "h = {h}, rank {rank}, {round}: {worst:e}");
            }
        }
    }
}

#[test]
fn parallel_contacts_share_a_load_that_both_can_carry() {
    let mut held = BoxProblem::new(2);
    held.g = vec![1.0; 4];
    held.b = vec![1.5; 2];
    held.low = vec![-1.0; 2];
    held.high = vec![1.0; 2];
    held.solve(2);
    assert_eq!(held.force[0] + held.force[1], 1.5);
}

/// The share of a problem whose ranges are those of `held`.
fn share_of(held: &mut BoxProblem, h: usize) {
    held.solve(h);
    let g = Matrix { n_rows: h, n_cols: h, data: held.g.clone() };
    let mut share = Distribution::new(h);
    share.force.copy_from_slice(&held.force);
    for i in 0..h {
        share.range[i] = (held.pull(h, i) == 0.0).then(|| [held.low[i], held.high[i]]);
    }
    if share.divide(&g, 0) {
        held.force.copy_from_slice(&share.force);
        held.clamp(h);
    }
}

#[test]
fn parallel_contacts_hold_the_same_part_of_their_ranges() {
    for load in [-5.9, -1.0, 0.0, 1e-9, 0.3, 3.0, 6.0] {
        let mut held = BoxProblem::new(3);
        held.g = vec![2.0; 9];
        held.b = vec![2.0 * load; 3];
        held.high = vec![1.0, 2.0, 3.0];
        held.low = vec![-1.0, -2.0, -3.0];
        share_of(&mut held, 3);
        for (i, force) in held.force.iter().enumerate() {
            let expected = load * (i + 1) as f64 / 6.0;
            assert!((force - expected).abs() <= 1e-11 * load.abs(), "{load}: {:?}", held.force);
        }
    }
}

/// A point of a convex set is nearest to the middle if no other point lies on the middle's side of it.
#[test]
fn no_other_forces_that_hold_the_same_are_nearer_to_the_middle() {
    let mut seed = 5;
    let mut n_others = 0;
    for h in 2..=6 {
        for rank in 1..h.min(4) {
            for round in 0..60 {
                let w: Vec<f64> = (0..h * rank).map(|_| noise(&mut seed)).collect();
                let size = [0.1, 1.0, 3.0][round % 3];
                let free: Vec<f64> = (0..rank).map(|_| size * noise(&mut seed)).collect();
                let low: Vec<f64> = (0..h).map(|_| -noise(&mut seed).abs()).collect();
                let high: Vec<f64> = (0..h).map(|_| noise(&mut seed).abs()).collect();
                // the contacts in the order of `first`, `first + 1`, …
                let solved = |first: usize, is_shared: bool| {
                    let mut held = BoxProblem::new(h);
                    let of = |i: usize| (i + first) % h;
                    let row = |i: usize| &w[of(i) * rank..(of(i) + 1) * rank];
                    for i in 0..h {
                        (0..h).for_each(|j| held.g[i * h + j] = dot(row(i), row(j)));
                        held.b[i] = dot(row(i), &free);
                        (held.low[i], held.high[i]) = (low[of(i)], high[of(i)]);
                    }
                    match is_shared {
                        true => share_of(&mut held, h),
                        false => held.solve(h),
                    }
                    assert!(worst_violation(&held, h) < 1e-9);
                    (0..h).map(|i| held.force[(i + h - first) % h]).collect::<Vec<f64>>()
                };
                let own = solved(0, true);
                for first in 0..h {
                    let again = solved(first, true);
                    let other = solved(first, false);
                    let off = own.iter().zip(&again).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                    assert!(off < 1e-9, "h = {h}, rank {rank}, {round}: {off:e} by the order");
                    n_others += usize::from(own.iter().zip(&other).any(|(a, b)| (a - b).abs() > 1e-3));
                    let side: f64 = (0..h)
                        .map(|i| {
                            let row = &w[i * rank..(i + 1) * rank];
                            let weight = dot(row, row).sqrt() / (high[i] - low[i]);
                            weight * (own[i] - 0.5 * (low[i] + high[i])) * (other[i] - own[i])
                        })
                        .sum();
                    assert!(side > -1e-9, "h = {h}, rank {rank}, {round}: {side:e}");
                }
            }
        }
    }
    assert!(n_others > 1000, "{n_others} other forces");
}

/// Three beside each other, one alone, and three directions in a plane.
#[test]
fn contacts_are_classified_by_what_they_depend_on() {
    let w = [
        [1.0, 0.0, 0.0, 0.0],
        [0.0, 1.0, 0.0, 0.0],
        [-2.0, 0.0, 0.0, 0.0],
        [0.0, 0.0, 1.0, 0.0],
        [0.5, 0.0, 0.0, 0.0],
        [0.0, 0.0, 1.0, -1.0],
        [0.0, 0.0, 0.0, 0.3],
    ];
    let mut held = BoxProblem::new(7);
    for (i, a) in w.iter().enumerate() {
        w.iter().enumerate().for_each(|(j, b)| held.g[7 * i + j] = dot(a, b));
    }
    let set = held.dependent_sets(7);
    for (i, j) in (0..7).flat_map(|i| (0..7).map(move |j| (i, j))) {
        let of = [0, 1, 0, 2, 0, 2, 2];
        assert_eq!(set[i] == set[j], of[i] == of[j], "{i} and {j}");
    }
}
