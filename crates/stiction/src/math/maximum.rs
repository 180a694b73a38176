//! The largest value of a function with one peak in a bracket, by Brent's method (@brent1973, ch. 5): parabolas
//! through the best three points, golden sections where they do not help.

/// (3 − √5)/2.
const GOLDEN: f64 = 0.381_966_011_250_105_1;

/// A search under way, and its result.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Maximum {
    /// Ends of the bracket.
    pub ends: [f64; 2],
    /// The best three points (place, value), the best first; equal ones if fewer are known.
    pub best: [[f64; 2]; 3],
    /// Whether the place is known to the distance asked for.
    pub is_found: bool,
}

impl Maximum {
    /// Of a function that is larger at `middle` than at the ends.
    pub fn between(ends: [f64; 2], middle: [f64; 2]) -> Self {
        Self { ends: [ends[0].min(ends[1]), ends[0].max(ends[1])], best: [middle; 3], is_found: false }
    }

    /// Of a function with known values at both ends.
    pub fn within([a, b]: [[f64; 2]; 2], middle: [f64; 2]) -> Self {
        let (second, third) = if a[1] > b[1] { (a, b) } else { (b, a) };
        Self { best: [middle, second, third], ..Self::between([a[0], b[0]], middle) }
    }

    /// Goes on until the place is known to the distance `close`, or the function has been evaluated so often; none
    /// where it has no value.
    pub fn refined<E>(
        mut self,
        close: f64,
        evaluations: usize,
        mut f: impl FnMut(f64) -> Result<Option<f64>, E>,
    ) -> Result<Option<Self>, E> {
        let Self { ends: [a, b], best, is_found } = &mut self;
        let (mut step, mut before) = (*b - *a, *b - *a);
        for _ in 0..evaluations {
            let [x, value] = best[0];
            let middle = 0.5 * (*a + *b);
            if (x - middle).abs() <= 2.0 * close - 0.5 * (*b - *a) {
                *is_found = true;
                break;
            }
            let room = |d: f64| (x + d - *a).min(*b - (x + d));
            let is_trusted = |d: &f64| room(*d) > 0.0 && d.abs() < 0.5 * before.abs();
            (step, before) = match vertex(best).filter(is_trusted) {
                Some(d) if room(d) < 2.0 * close => (close.copysign(middle - x), step),
                Some(d) => (d, step),
                None => {
                    let way = if x >= middle { *a - x } else { *b - x };
                    (GOLDEN * way, way)
                }
            };
            let u = x + if step.abs() >= close { step } else { close.copysign(step) };
            let Some(at_u) = f(u)? else { return Ok(None) };
            // the bracket shrinks to the side of the better one
            let (better, worse) = if at_u >= value { (u, x) } else { (x, u) };
            if better >= worse {
                *a = worse
            } else {
                *b = worse
            }
            if at_u >= value {
                *best = [[u, at_u], best[0], best[1]];
            } else if at_u >= best[1][1] || best[1][0] == x {
                *best = [best[0], [u, at_u], best[1]];
            } else if at_u >= best[2][1] || best[2][0] == x || best[2][0] == best[1][0] {
                best[2] = [u, at_u];
            }
        }
        Ok(Some(self))
    }
}

/// From the best of three points to the vertex of the parabola through them.
fn vertex(best: &[[f64; 2]; 3]) -> Option<f64> {
    let [[x, fx], [w, fw], [v, fv]] = *best;
    let r = (x - w) * (fx - fv);
    let q = (x - v) * (fx - fw);
    let (p, q) = ((x - v) * q - (x - w) * r, 2.0 * (q - r));
    let step = -p / q;
    (q != 0.0 && step.is_finite()).then_some(step)
}

#[cfg(test)]
mod tests {
    use super::Maximum;

    #[test]
    fn a_peak_is_found_to_rounding_in_a_few_tries() {
        type Function = fn(f64) -> f64;
        // d/dt e⁻ᵗ sin 2(t + ½) = 0 where tan 2(t + ½) = 2
        let t = 0.5 * libm::atan(2.0) - 0.5;
        let curves: [(Function, f64, f64, usize); 4] = [
            (|t| libm::cos(t - 0.1234), 1.0, 1e-15, 10),
            (|t| libm::exp(-t) * libm::sin(2.0 * (t + 0.5)), libm::exp(-t) * 2.0 / 5f64.sqrt(), 1e-15, 10),
            (|t| 3.0 - libm::pow(t - 0.2, 4.0), 3.0, 1e-15, 45),
            // at a kink the value is as good as the place
            (|t| -(t - 0.0567).abs(), 0.0, 1e-8, 45),
        ];
        for (curve, highest, tolerance, most) in curves {
            let mut tries = 0;
            let [a, x, b] = [-0.4, 0.1, 0.4].map(|t| [t, curve(t)]);
            let found = Maximum::within([a, b], x).refined(0.8e-8, 60, |t| {
                tries += 1;
                Ok::<_, ()>(Some(curve(t)))
            });
            let found = found.unwrap().unwrap().best[0][1];
            assert!((found - highest).abs() <= tolerance && tries <= most, "{found} {highest} {tries}");
        }
    }
}
