//! The peak of a response from few points is that of a fine search.

use super::stuck::Chain;
use crate::dice::Dice;
use stiction::steady::{Extreme, Steady, extremum, sweep};
use stiction::{Error, Progress};

/// Amplitudes of the last mass along the frequency of the load.
fn response(chain: &Chain, values: &[f64]) -> Vec<[f64; 2]> {
    let steady = Steady { dof: chain.system.n() - 1, ..Steady::default() };
    let points = sweep(&steady, &|part| chain.at(part), values, &mut Progress::none()).unwrap();
    points.iter().map(|point| [point.parameter, point.orbit.as_ref().unwrap().amplitude]).collect()
}

fn grid([from, to]: [f64; 2], cells: usize) -> Vec<f64> {
    (0..=cells).map(|i| from + (to - from) * i as f64 / cells as f64).collect()
}

/// The largest of many points, then of many points about it, and again.
fn fine_search(chain: &Chain, mut range: [f64; 2]) -> [f64; 2] {
    loop {
        let values = grid(range, 300);
        let largest = response(chain, &values).into_iter().max_by(|a, b| a[1].total_cmp(&b[1])).unwrap();
        let step = values[1] - values[0];
        if step < 1e-7 {
            return largest;
        }
        range = [(largest[0] - step).max(0.0), (largest[0] + step).min(1.0)];
    }
}

fn same_peaks(responses: u32) {
    let mut dice = Dice::new(2);
    for case in 0..responses {
        let mut chain = Chain::draw(&mut dice);
        chain.is_by_load = false;
        // resonances that are narrower than a cell
        chain.system.damping.data.iter_mut().for_each(|c| *c *= 0.05);
        chain.system.contacts.iter_mut().for_each(|contact| contact.load *= 0.3);
        let points = response(&chain, &grid([0.0, 1.0], 49));
        let mut evaluate = |part: f64| Ok::<_, Error>(Some(response(&chain, &[part])[0][1]));
        let found = extremum(&points, Extreme::Largest, &mut evaluate).unwrap().unwrap();
        // everywhere, and where the peak is said to be: it may be narrower than the cells of a fine grid
        let own = [(found.at - 1e-3).max(0.0), (found.at + 1e-3).min(1.0)];
        let fine = [[0.0, 1.0], own].map(|range| fine_search(&chain, range));
        let fine = if fine[0][1] > fine[1][1] { fine[0] } else { fine[1] };
        assert!(
            (found.value - fine[1]).abs() <= 1e-6 * fine[1],
            "case {case}: {found:?} for {fine:?}, {} masses",
            chain.system.n()
        );
        assert_eq!(found.unresolved, None, "case {case}");
    }
}

#[test]
fn the_peak_from_few_points_is_that_of_a_fine_search() {
    same_peaks(10);
}

#[test]
#[ignore = "two hundred responses take a minute"]
fn the_peaks_of_many_responses_from_few_points_are_those_of_fine_searches() {
    same_peaks(200);
}
