//! Power series of a fixed degree in a part s of a stretch, 0 ≤ s ≤ 1, the constant first.

/// Degree of the series.
pub const DEGREE: usize = 22;

/// A power series in the part of a step, the constant first.
pub type PowerSeries = [f64; DEGREE + 1];

/// 1/j.
pub(crate) const RECIPROCAL: PowerSeries = {
    let mut table = [0.0; DEGREE + 1];
    let mut j = 1;
    while j <= DEGREE {
        table[j] = 1.0 / j as f64;
        j += 1;
    }
    table
};

/// Value at s: even and odd terms apart, which need not wait for each other.
#[inline]
pub(crate) fn value_at(c: &PowerSeries, s: f64) -> f64 {
    let square = s * s;
    let (mut even, mut odd) = (c[DEGREE], 0.0);
    for j in (0..DEGREE / 2).rev() {
        odd = odd * square + c[2 * j + 1];
        even = even * square + c[2 * j];
    }
    even + s * odd
}

/// Values at several places, all at once.
#[inline]
pub(crate) fn values_at<const N: usize>(c: &PowerSeries, places: &[f64; N]) -> [f64; N] {
    let mut values = [0.0; N];
    for c in c.iter().rev() {
        for (value, s) in values.iter_mut().zip(places) {
            *value = *value * s + c;
        }
    }
    values
}

/// Slope at s.
#[inline]
pub(crate) fn slope_at(c: &PowerSeries, s: f64) -> f64 {
    let square = s * s;
    let (mut even, mut odd) = (0.0, 0.0);
    for j in (0..DEGREE / 2).rev() {
        even = even * square + (2 * j + 1) as f64 * c[2 * j + 1];
        odd = odd * square + (2 * j + 2) as f64 * c[2 * j + 2];
    }
    even + s * odd
}

/// Makes a series that over the first `part` of the stretch.
#[inline]
pub(crate) fn shorten(c: &mut PowerSeries, part: f64) {
    let mut power = 1.0;
    for c in c {
        *c *= power;
        power *= part;
    }
}

/// The rate of a quantity whose series is over a time `length`.
#[inline]
pub(crate) fn rate_of(c: &PowerSeries, length: f64) -> PowerSeries {
    let (mut rate, per) = (PowerSeries::default(), 1.0 / length);
    for j in 0..DEGREE {
        rate[j] = (j + 1) as f64 * per * c[j + 1];
    }
    rate
}

/// Number of the terms of a series that are bounded by their Bernstein coefficients.
const HULL: usize = 8;

/// Bernstein coefficient i of sʲ, column after column: C(i, j)/C(7, j).
const BERNSTEIN: [[f64; HULL]; HULL] = {
    let mut table = [[0.0; HULL]; HULL];
    let mut j = 0;
    while j < HULL {
        let mut i = j;
        while i < HULL {
            // i (i−1) … (i−j+1) over 7 · 6 … (7−j+1)
            let (mut above, mut below, mut k) = (1, 1, 0);
            while k < j {
                above *= i - k;
                below *= HULL - 1 - k;
                k += 1;
            }
            table[j][i] = above as f64 / below as f64;
            i += 1;
        }
        j += 1;
    }
    table
};

/// Smallest and largest value that a series may have on its stretch: those of the Bernstein coefficients of its first terms
/// (@farouki2012), give or take the others.
#[inline]
pub(crate) fn hull(c: &PowerSeries) -> [f64; 2] {
    let (first, others) = c.split_at(HULL);
    let mut b = [first[0]; HULL];
    for (column, c) in BERNSTEIN[1..].iter().zip(&first[1..]) {
        for (b, share) in b.iter_mut().zip(column) {
            *b += share * c;
        }
    }
    let mut rests = [0.0; 3];
    for block in others.chunks_exact(3) {
        rests.iter_mut().zip(block).for_each(|(rest, c)| *rest += c.abs());
    }
    let rest = rests[0] + rests[1] + rests[2];
    let (mut low, mut high) = ([b[0], b[1]], [b[0], b[1]]);
    for block in b[2..].chunks_exact(2) {
        for k in 0..2 {
            low[k] = if block[k] < low[k] { block[k] } else { low[k] };
            high[k] = if block[k] > high[k] { block[k] } else { high[k] };
        }
    }
    [low[0].min(low[1]) - rest, high[0].max(high[1]) + rest]
}

// what is not bounded by coefficients is summed three by three
const _: () = assert!((DEGREE + 1 - HULL).is_multiple_of(3));

#[cfg(test)]
mod tests {
    use super::*;

    /// sin 2s and e⁻²ˢ.
    fn examples() -> [PowerSeries; 2] {
        let mut terms = [PowerSeries::default(); 2];
        let mut size = 1.0;
        for j in 0..=DEGREE {
            terms[0][j] = size * [0.0, 1.0, 0.0, -1.0][j % 4];
            terms[1][j] = size * [1.0, -1.0][j % 2];
            size *= 2.0 / (j + 1) as f64;
        }
        terms
    }

    #[test]
    fn values_slopes_and_rates_are_those_of_the_functions() {
        let [sine, decay] = examples();
        let mut half = sine;
        shorten(&mut half, 0.5);
        for s in [0.0f64, 0.2, 0.7, 1.0] {
            let (x, e) = (2.0 * s, (-2.0 * s).exp());
            for (found, expected) in [
                (value_at(&sine, s), x.sin()),
                (slope_at(&sine, s), 2.0 * x.cos()),
                (value_at(&decay, s), e),
                (slope_at(&decay, s), -2.0 * e),
                (values_at(&decay, &[0.5, s])[1], e),
                (value_at(&half, s), s.sin()),
                (value_at(&rate_of(&sine, 0.1), s), 20.0 * x.cos()),
            ] {
                // what is left out of the series is 2²³/23!, of the slope 2²²/22!
                assert!((found - expected).abs() < 1e-13, "{s}: {found} {expected}");
            }
        }
    }

    #[test]
    fn a_series_stays_within_its_hull() {
        // the Bernstein polygon is off by no more than an eighth of the largest curvature, 4, over the degree, 7
        for (c, bounds) in examples().iter().zip([[0.0, 1.0], [(-2.0f64).exp(), 1.0]]) {
            let [min, max] = hull(c);
            assert!(min <= bounds[0] && min > bounds[0] - 0.08, "{min} {bounds:?}");
            assert!(max >= bounds[1] && max < bounds[1] + 0.08, "{max} {bounds:?}");
            for i in 0..=100 {
                let f = value_at(c, f64::from(i) / 100.0);
                assert!(f <= max && f >= min);
            }
        }
    }
}
