//! The largest and the smallest value of a response between its points.
//!
//! A grid of parameters misses the peak of a resonance that is narrower than its cells. Next to every point
//! that is larger than its neighbours the maximum is refined by Brent's method (@brent1973, ch. 5), parabolas
//! safeguarded by golden sections, with the response itself as the function. Limits: a peak that no point of
//! the grid hints at is missed, that is one between two points of a slope that rises all the way, unless a
//! point is put there, as next to the natural frequencies of the linear systems (`linear_resonances`); of
//! several peaks between two points one is found.

use crate::Error;
use crate::math::maximum::Maximum;

/// Which extremum is sought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extreme {
    /// The largest value.
    Largest,
    /// The smallest value between larger ones.
    Smallest,
}

/// An extremum of a response.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extremum {
    /// The parameter.
    pub at: f64,
    /// The value there.
    pub value: f64,
    /// The points of the grid on both sides; the same where the extremum is an end of the grid.
    pub between: [f64; 2],
    /// Points of the grid between which the function grows without bound, or has no value on the way: a more
    /// extreme value may lie between them.
    pub unresolved: Option<[f64; 2]>,
}

/// Extrema that are refined at most, the best of the grid first.
const MOST: usize = 6;
/// Evaluations for each of them.
const EVALUATIONS: usize = 60;
/// Distance between parameters, as a part of the bracket, at which a search ends: the value is then right to
/// its square.
const CLOSE: f64 = 1e-8;
/// Part of a cell in which the slope at an end of the grid is taken.
const INSIDE: f64 = 1e-3;
/// By this part of a value others differ from it by round-off.
const ROUNDING: f64 = 1e-12;
/// Values that agree to this part belong to a smooth extremum.
const SMOOTH: f64 = 1e-6;

/// The extremum of a function whose values at the points `[parameter, value]`, in the order of a sweep, are
/// known; NaN where there is none. `evaluate` gives further values, none where the function has none. An
/// extremum at an end of the grid counts as the largest, not as the smallest.
pub fn extremum(
    points: &[[f64; 2]],
    extreme: Extreme,
    evaluate: &mut dyn FnMut(f64) -> Result<Option<f64>, Error>,
) -> Result<Option<Extremum>, Error> {
    let sign = if extreme == Extreme::Largest { 1.0 } else { -1.0 };
    let mut raised = |at: f64| Ok(evaluate(at)?.map(|value| sign * value).filter(|value| value.is_finite()));
    let grid: Vec<[f64; 2]> = points.iter().map(|[at, value]| [*at, sign * value]).collect();
    let mut brackets = inner_brackets(&grid, extreme);
    if extreme == Extreme::Largest {
        brackets.extend(outer_brackets(&grid, &mut raised)?);
    }
    brackets.sort_by(|a, b| b.middle[1].total_cmp(&a.middle[1]));
    brackets.truncate(MOST);
    let known = grid.iter().enumerate().filter(|(_, point)| !point[1].is_nan());
    let best = known.max_by(|a, b| a.1[1].total_cmp(&b.1[1])).filter(|_| extreme == Extreme::Largest);
    let mut best =
        best.map(|(_, [at, value])| Extremum { at: *at, value: *value, between: [*at; 2], unresolved: None });
    let mut unresolved = None;
    for bracket in &brackets {
        match bracket.refined(&mut raised)? {
            Some([at, value]) if best.is_none_or(|best| value >= best.value) => {
                best = Some(Extremum { at, value, between: bracket.between, unresolved: None });
            }
            Some(_) => {}
            None => unresolved = unresolved.or(Some(bracket.between)),
        }
    }
    if let (None, Some(_), Some(bracket)) = (best, unresolved, brackets.first()) {
        let [at, value] = bracket.middle;
        best = Some(Extremum { at, value, between: bracket.between, unresolved });
    }
    Ok(best.map(|best| Extremum { value: sign * best.value, unresolved, ..best }))
}

/// Three parameters in a row of which the middle one has the largest value.
#[derive(Debug)]
struct Bracket {
    ends: [f64; 2],
    middle: [f64; 2],
    /// The points of the grid around it.
    between: [f64; 2],
}

/// Points of the grid that are larger than their neighbours.
fn inner_brackets(grid: &[[f64; 2]], extreme: Extreme) -> Vec<Bracket> {
    let peak = |three: &[[f64; 2]]| {
        let [[a, low], middle @ [b, value], [c, high]] = [three[0], three[1], three[2]];
        // a contact that holds gives a plateau at zero, which is no dip
        let counts = extreme == Extreme::Largest || value < 0.0;
        // of a plateau only the edges count
        let rise = ROUNDING * value.abs();
        let is_peak = value >= low && value >= high && (value > low + rise || value > high + rise);
        let is_ordered = (a < b && b < c) || (a > b && b > c);
        (counts && is_peak && is_ordered).then_some(Bracket { ends: [a, c], middle, between: [a, c] })
    };
    grid.windows(3).filter_map(peak).collect()
}

/// The first and the last cell, if the function is larger inside it than at the end.
fn outer_brackets(
    grid: &[[f64; 2]],
    evaluate: &mut dyn FnMut(f64) -> Result<Option<f64>, Error>,
) -> Result<Vec<Bracket>, Error> {
    let mut brackets = Vec::new();
    let [first, second, ..] = grid else { return Ok(brackets) };
    let [.., before, last] = grid else { return Ok(brackets) };
    for ([end, value], [next, inner]) in [(first, second), (last, before)] {
        if !(value > inner) {
            continue;
        }
        let at = end + INSIDE * (next - end);
        if let Some(inside) = evaluate(at)?.filter(|inside| inside > value) {
            let ends = [*end, *next];
            brackets.push(Bracket { ends, middle: [at, inside], between: ends });
        }
    }
    Ok(brackets)
}

impl Bracket {
    /// The maximum inside, parameter and value; none if it is not smooth.
    fn refined(
        &self,
        evaluate: &mut dyn FnMut(f64) -> Result<Option<f64>, Error>,
    ) -> Result<Option<[f64; 2]>, Error> {
        let close = CLOSE * (self.ends[1] - self.ends[0]).abs();
        let Some(peak) = Maximum::between(self.ends, self.middle).refined(close, EVALUATIONS, evaluate)?
        else {
            return Ok(None);
        };
        let [[at, value], [_, second], _] = peak.best;
        let is_smooth = peak.is_found && (value - second).abs() <= SMOOTH * value.abs();
        Ok(is_smooth.then_some([at, value]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plateau_has_no_peaks_of_round_off() {
        let plateau = |x: f64| 0.02 * (1.0 + f64::EPSILON * (1e4 * x).sin().round());
        let mut tries = 0;
        let mut evaluate = |x: f64| {
            tries += 1;
            Ok(Some(plateau(x)))
        };
        for extreme in [Extreme::Largest, Extreme::Smallest] {
            extremum(&sampled(&plateau, 200), extreme, &mut evaluate).unwrap();
        }
        assert!(tries <= 2, "{tries}");
    }

    fn sampled(f: &dyn Fn(f64) -> f64, n: usize) -> Vec<[f64; 2]> {
        (0..=n).map(|i| i as f64 / n as f64).map(|x| [x, f(x)]).collect()
    }

    fn found(f: &dyn Fn(f64) -> f64, n: usize, extreme: Extreme) -> Option<Extremum> {
        extremum(&sampled(f, n), extreme, &mut |x| Ok(Some(f(x)))).unwrap()
    }

    /// Resonances thirty times as narrow as a cell, wherever they lie in it, and at the ends.
    #[test]
    fn a_narrow_peak_is_found_from_its_skirts() {
        for k in 0..200 {
            let place = 0.003 + 0.005 * f64::from(k);
            let f = |x: f64| 1.0 / ((x - place).powi(2) + 1e-6).sqrt();
            for extreme in [Extreme::Largest, Extreme::Smallest] {
                let sign = if extreme == Extreme::Largest { 1.0 } else { -1.0 };
                let own = |x: f64| 2e3 + sign * f(x);
                let Some(peak) = found(&own, 30, extreme) else {
                    // a dip at an end is none
                    assert!(extreme == Extreme::Smallest && !(0.03..0.97).contains(&place), "{place}");
                    continue;
                };
                assert!(peak.unresolved.is_none() && (peak.at - place).abs() < 1e-7, "{place}: {peak:?}");
                assert!((peak.value - own(place)).abs() < 1e-6, "{place}: {peak:?}");
                let [low, high] = peak.between;
                assert!(low.min(high) <= place && place <= low.max(high));
            }
        }
    }

    /// Without bound, without a value, at an end, on a plateau.
    #[test]
    fn what_is_no_smooth_peak_is_said() {
        let pole = found(&|x| 1.0 / (x - 0.512_345_f64).abs(), 20, Extreme::Largest).unwrap();
        assert!(pole.unresolved == Some([0.45, 0.55]) && pole.value < 1e3, "{pole:?}");
        let hole = extremum(&sampled(&|x| x * (1.0 - x), 10), Extreme::Largest, &mut |_| Ok(None)).unwrap();
        assert_eq!(hole.unwrap().unresolved, Some([0.4, 0.6]));
        let end = found(&|x| 1.0 - x, 10, Extreme::Largest).unwrap();
        assert_eq!((end.at, end.value, end.between), (0.0, 1.0, [0.0; 2]));
        assert_eq!(found(&|x| 1.0 - x, 10, Extreme::Smallest), None);
        assert_eq!(found(&|x: f64| (x - 0.5).abs().max(0.2) - 0.2, 10, Extreme::Smallest), None);
        assert_eq!(extremum(&[], Extreme::Largest, &mut |_| Ok(None)).unwrap(), None);
    }
}
