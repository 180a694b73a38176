//! Sums of series and linear equations.

use super::*;

/// Σ series_k τᵏ.
pub(super) fn sum(series: &[Vec<f64>], tau: f64) -> Vec<f64> {
    let mut x = vec![0.0; series[0].len()];
    for c in series.iter().rev() {
        x.iter_mut().zip(c).for_each(|(x, c)| *x = *x * tau + c);
    }
    x
}

/// The polynomial of a row along a series; a coefficient that is rounding is zero until one is not.
pub(super) fn along(row: &[f64], series: &Series) -> Vec<f64> {
    let mut is_first = true;
    let value = |(x, terms): (&Vec<f64>, &Vec<f64>)| {
        let value = dot(row, x);
        let terms: f64 = row.iter().zip(terms).map(|(r, t)| (r * t).abs()).sum();
        let is_rounding = is_first && value.abs() <= ROUNDING * terms;
        is_first &= is_rounding;
        if is_rounding { 0.0 } else { value }
    };
    series.x.iter().zip(&series.terms).map(value).collect()
}

/// Whether two series are those of one motion.
pub(super) fn is_same(a: &[Vec<f64>], b: &[Vec<f64>]) -> bool {
    let size = |x: &Vec<f64>| x.iter().fold(1e-9, |m: f64, x| m.max(x.abs()));
    a.iter().zip(b).all(|(a, b)| a.iter().zip(b).all(|(x, y)| (x - y).abs() <= 1e-9 * size(a).max(size(b))))
}

/// Conditions on x alone under which some z satisfies `bound·x + z_row·z ≥ 0` for all rows: Fourier–Motzkin
/// elimination.
pub(super) fn eliminated(
    mut rows: Vec<(Vec<f64>, Vec<f64>)>,
    n_free: usize,
) -> Result<Vec<Vec<f64>>, String> {
    for k in 0..n_free {
        let (mut above, mut below, mut rest) = (Vec::new(), Vec::new(), Vec::new());
        for (bound, z) in rows {
            let c = z[k];
            if c.abs() <= DEPENDENT {
                rest.push((bound, z));
                continue;
            }
            let unit = |v: Vec<f64>| v.into_iter().map(|x| x / c.abs()).collect::<Vec<f64>>();
            let side = if c > 0.0 { &mut above } else { &mut below };
            side.push((unit(bound), unit(z)));
        }
        for (a, za) in &above {
            for (b, zb) in &below {
                let add = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| x + y).collect::<Vec<f64>>();
                rest.push((add(a, b), add(za, zb)));
            }
        }
        if rest.len() > 400 {
            return Err("own integration: too many ways to share a load".into());
        }
        rows = rest;
    }
    Ok(rows.into_iter().map(|(bound, _)| bound).collect())
}

/// The inverse of a matrix, by elimination with row pivots.
pub fn inverse(a: &Rows) -> Option<Rows> {
    let n = a.len();
    let mut left = a.clone();
    let mut right: Rows = (0..n).map(|i| (0..n).map(|j| if i == j { 1.0 } else { 0.0 }).collect()).collect();
    for k in 0..n {
        let p = (k..n).max_by(|i, j| left[*i][k].abs().total_cmp(&left[*j][k].abs()))?;
        left.swap(k, p);
        right.swap(k, p);
        let pivot = left[k][k];
        if pivot == 0.0 {
            return None;
        }
        left[k].iter_mut().chain(&mut right[k]).for_each(|x| *x /= pivot);
        let (row_left, row_right) = (left[k].clone(), right[k].clone());
        for i in (0..n).filter(|i| *i != k) {
            let factor = left[i][k];
            left[i].iter_mut().zip(&row_left).for_each(|(x, y)| *x -= factor * y);
            right[i].iter_mut().zip(&row_right).for_each(|(x, y)| *x -= factor * y);
        }
    }
    Some(right)
}
