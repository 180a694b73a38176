//! Any law that is a function of its inputs, by classical Runge–Kutta steps.

use crate::lines::{Lines, Rows, dot, times};
use crate::modes::inverse;
use stiction::law::{Graph, Law, Slip};

/// A system under small steps; the state is positions, velocities, internal states.
pub struct Stepped<'a> {
    lines: &'a Lines,
    inverse: Rows,
}

impl<'a> Stepped<'a> {
    /// The system; none if several contacts answer their demands, which these steps do not share out, or if
    /// one is set-valued: no step ends where its velocity is zero to the last bit, and its static friction
    /// would never act.
    pub fn new(lines: &'a Lines) -> Option<Self> {
        if lines.contacts.iter().any(|contact| contact.law.graph() == Graph::SetValued) {
            return None;
        }
        let answers = lines.contacts.iter().filter(|c| c.law.friction_bounds(0.0, &[]).is_some()).count();
        (answers <= 1).then_some(())?;
        Some(Self { lines, inverse: inverse(&lines.mass)? })
    }

    /// How many steps a run takes; none if they are too many.
    pub fn steps(&self, duration: f64) -> Option<usize> {
        self.lines.steps(duration, &self.inverse, |contact, g| {
            // of a law that gets steeper as it ages its slope at the start
            let steepest = Some(contact.law.steepest()).filter(|slope| slope.is_finite());
            let steepest = steepest.unwrap_or_else(|| contact.law.slope(Slip::at(0.0)));
            // bristles: their own rate, and the stiffness that they add
            let speed = contact.belt.abs() + 3.0;
            let bristles = contact.law.number("stiffness").unwrap_or(0.0);
            g * contact.load * (steepest + contact.viscous)
                + contact.law.number("distance").map_or(0.0, |distance| speed / distance)
                + bristles * speed / contact.law.bound().max(0.1)
                + (g * contact.load * bristles).sqrt()
        })
    }

    fn derivative(&self, t: f64, y: &[f64], dy: &mut [f64]) {
        let (lines, n) = (self.lines, self.lines.n());
        let (q, v) = (&y[..n], &y[n..2 * n]);
        let (kq, cv) = (times(&lines.stiffness, q), times(&lines.damping, v));
        let mut force = lines.force(t);
        (0..n).for_each(|k| force[k] -= kq[k] + cv[k]);
        let mut at = 2 * n;
        let mut asked = None;
        for (i, contact) in lines.contacts.iter().enumerate() {
            let (w, law) = (lines.direction(i), &contact.law);
            let sliding = dot(w, v) - contact.belt;
            let states = law.n_states();
            let z = &y[at..at + states];
            let slip = Slip { v: sliding, demand: 0.0, z };
            law.state_dot(slip, &mut dy[at..at + states]);
            at += states;
            if law.friction_bounds(0.0, &[]).is_some() {
                asked = Some((i, sliding));
                continue;
            }
            let h = contact.load * (law.coefficient(slip) + contact.viscous * sliding);
            (0..n).for_each(|k| force[k] -= w[k] * h);
        }
        if let Some((i, sliding)) = asked {
            // the demand is the force that keeps the sliding velocity, over the load
            let (w, contact) = (lines.direction(i), &lines.contacts[i]);
            let viscous = contact.load * contact.viscous * sliding;
            (0..n).for_each(|k| force[k] -= w[k] * viscous);
            let mw = times(&self.inverse, w);
            let demand = dot(&mw, &force) / dot(w, &mw) / contact.load;
            let h = contact.load * contact.law.coefficient(Slip { v: sliding, demand, z: &[] });
            (0..n).for_each(|k| force[k] -= w[k] * h);
        }
        dy[..n].copy_from_slice(v);
        dy[n..2 * n].copy_from_slice(&times(&self.inverse, &force));
    }

    /// The states at ascending times, by cubics between `steps` steps, from `start`, or from the system's own
    /// if that is empty.
    pub fn rows(&self, start: &[f64], times: &[f64], steps: usize) -> Vec<Vec<f64>> {
        let lines = self.lines;
        let n_states: usize = lines.contacts.iter().map(|c| c.law.n_states()).sum();
        let own = || [&lines.position[..], &lines.velocity, &vec![0.0; n_states]].concat();
        let mut y = if start.is_empty() { own() } else { start.to_vec() };
        let width = y.len();
        let mut k: [Vec<f64>; 5] = std::array::from_fn(|_| vec![0.0; width]);
        let mut stage = vec![0.0; width];
        let end = times.last().copied().unwrap_or(0.0);
        let h = end / steps as f64;
        let mut rows = Vec::with_capacity(times.len());
        let mut next = 0;
        self.derivative(0.0, &y, &mut k[0]);
        for step in 0..steps {
            let t = h * step as f64;
            let old = y.clone();
            for (s, c) in [(1, 0.5), (2, 0.5), (3, 1.0)] {
                (0..width).for_each(|i| stage[i] = old[i] + c * h * k[s - 1][i]);
                self.derivative(t + c * h, &stage, &mut k[s]);
            }
            for i in 0..width {
                y[i] = old[i] + h / 6.0 * (k[0][i] + 2.0 * k[1][i] + 2.0 * k[2][i] + k[3][i]);
            }
            self.derivative(t + h, &y, &mut k[4]);
            while let Some(time) = times.get(next).filter(|time| **time <= t + h || step + 1 == steps) {
                let s = ((time - t) / h).min(1.0);
                let cubic = |i: usize| {
                    let (a, b) = (s * s * (3.0 - 2.0 * s), s * (1.0 - s));
                    old[i] + a * (y[i] - old[i]) + h * b * ((1.0 - s) * k[0][i] - s * k[4][i])
                };
                rows.push((0..width).map(cubic).collect());
                next += 1;
            }
            k.swap(0, 4);
        }
        rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::random_lines;
    use stiction::law::{FrictionLaw, Polyline};

    #[test]
    fn laws_that_really_rest_are_not_stepped() {
        let mut lines = (1..).map(random_lines).find(|lines| lines.contacts.len() == 1).unwrap();
        for (start, is_stepped) in [([0.0, 0.0], true), ([0.0, 0.2], false)] {
            lines.contacts[0].law = FrictionLaw::Polyline(Polyline::new(&[start, [0.1, 0.3]]));
            assert_eq!(Stepped::new(&lines).is_some(), is_stepped, "{start:?}");
        }
    }
}
