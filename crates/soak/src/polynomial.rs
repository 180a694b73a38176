//! The first root of a polynomial, for certain: Bernstein coefficients bound it, and halving sharpens the
//! bounds (@farouki2012).

/// Halvings of an interval before it counts as a point: the digits of a number.
const HALVINGS: usize = 54;

/// The first place in (0, h] at which Σ p_k τᵏ, which is positive just after 0, becomes negative.
///
/// Leading coefficients that are zero are allowed; the first other one must be positive.
pub fn first_crossing(p: &[f64], h: f64) -> Option<f64> {
    let lead = p.iter().position(|x| *x != 0.0)?;
    // in parts of h, without the root at 0
    let scaled: Vec<f64> = p[lead..].iter().enumerate().map(|(k, x)| x * h.powi(k as i32)).collect();
    search(&bernstein(&scaled), 0.0, 1.0, HALVINGS).map(|theta| theta * h)
}

/// The Bernstein coefficients on [0, 1] of Σ p_k θᵏ.
fn bernstein(p: &[f64]) -> Vec<f64> {
    let n = p.len() - 1;
    // b_i = Σ_k C(i, k)/C(n, k) p_k
    let coefficient = |i: usize| {
        let mut ratio = 1.0;
        let terms = p.iter().take(i + 1).enumerate().map(|(k, p)| {
            ratio *= if k == 0 { 1.0 } else { (i + 1 - k) as f64 / (n + 1 - k) as f64 };
            ratio * p
        });
        terms.sum()
    };
    (0..=n).map(coefficient).collect()
}

fn search(b: &[f64], from: f64, to: f64, halvings: usize) -> Option<f64> {
    if b.iter().all(|x| *x >= 0.0) {
        return None;
    }
    if halvings == 0 || b[0] < 0.0 {
        return Some(from);
    }
    // de Casteljau's halving
    let (mut rest, n) = (b.to_vec(), b.len());
    let (mut left, mut right) = (vec![b[0]], vec![b[n - 1]]);
    for len in (1..n).rev() {
        (0..len).for_each(|i| rest[i] = 0.5 * (rest[i] + rest[i + 1]));
        left.push(rest[0]);
        right.push(rest[len - 1]);
    }
    right.reverse();
    let middle = 0.5 * (from + to);
    search(&left, from, middle, halvings - 1).or_else(|| search(&right, middle, to, halvings - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_several_crossings_is_found() {
        // (1 − τ/0.3)(1 − τ/0.300001)(1 − τ/0.9), two roots beside each other
        let roots = [0.3, 0.300_001, 0.9];
        let mut p = vec![1.0];
        for r in roots {
            let mut q = vec![0.0; p.len() + 1];
            for (k, x) in p.iter().enumerate() {
                q[k] += x;
                q[k + 1] -= x / r;
            }
            p = q;
        }
        let found = first_crossing(&p, 1.0).unwrap();
        // the roots are a millionth apart, so that round-off moves them by 1e-10
        assert!((found - 0.3).abs() < 1e-9, "{found}");
        assert_eq!(first_crossing(&p, 0.25), None);
        // a root at 0 is none
        assert_eq!(first_crossing(&[0.0, 1.0, -2.0], 1.0), Some(0.5));
        // a touch is none
        assert_eq!(first_crossing(&[0.25, -1.0, 1.0], 1.0), None);
    }
}
