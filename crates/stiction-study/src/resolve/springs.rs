//! Springs of straight pieces and polynomial ones.

use super::Resolve;
use super::directions::{Degrees, member_key};
use crate::scenario::{OneOrMany, SpringTable};
use stiction::ShortNumber;
use stiction::system::{CurvedSpring, SignalLoad, System, Threshold};

/// Most points of a spring: each is looked at in every event.
const MAX_CORNERS: usize = 200;

/// Highest power of a polynomial spring.
const MAX_POWER: usize = 20;

impl Resolve<'_> {
    /// Adds springs of straight pieces: the piece about zero to the stiffness, and a threshold for each other corner.
    pub(super) fn springs(
        &mut self,
        prefix: &str,
        degrees: &Degrees,
        springs: &OneOrMany<SpringTable>,
        system: &mut System,
    ) {
        // matrices of other sizes are refused
        if !system.has_matching_sizes() {
            return;
        }
        for (i, spring) in springs.iter().enumerate() {
            let key = member_key(prefix, "spring", springs, i);
            if !self.is_spring(&key, spring) {
                continue;
            }
            for w in self.directions(&key, degrees, &spring.on) {
                // another length has been refused
                if w.len() != degrees.n {
                    continue;
                }
                if spring.polynomial.is_empty() {
                    add_spring(spring, &w, system);
                } else {
                    add_polynomial(&spring.polynomial, &w, system);
                }
            }
        }
    }

    fn is_spring(&mut self, key: &str, spring: &SpringTable) -> bool {
        let SpringTable { positions, forces, polynomial, .. } = spring;
        let n = positions.len();
        let (name, message) = if !polynomial.is_empty() {
            if !positions.is_empty() || !forces.is_empty() {
                ("polynomial", "given beside positions and forces, but one is enough".to_owned())
            } else if polynomial.len() > MAX_POWER {
                ("polynomial", format!("{} numbers, but at most {MAX_POWER} are allowed", polynomial.len()))
            } else if polynomial.iter().any(|c| !c.is_finite()) {
                ("polynomial", "not finite".to_owned())
            } else {
                return true;
            }
        } else if n < 2 {
            ("positions", format!("{n} points, but a spring has at least 2"))
        } else if n > MAX_CORNERS {
            ("positions", format!("{n} points, but at most {MAX_CORNERS} are allowed"))
        } else if forces.len() != n {
            ("forces", format!("{} numbers, but there are {n} positions", forces.len()))
        } else if let Some(k) = (1..n).find(|k| !(positions[*k] > positions[k - 1])) {
            ("positions", {
                let [a, b] = [positions[k], positions[k - 1]].map(ShortNumber);
                format!("{a} after {b}, but they must ascend")
            })
        } else if !positions.iter().chain(forces).all(|x| x.is_finite()) {
            ("forces", "not finite".to_owned())
        } else {
            return true;
        };
        self.fault(&format!("{key}.{name}"), message, None);
        false
    }
}

/// Adds a polynomial spring along a direction: what is linear of it to the stiffness.
fn add_polynomial(polynomial: &[f64], w: &[f64], system: &mut System) {
    for (a, b) in (0..w.len()).flat_map(|a| (0..w.len()).map(move |b| (a, b))) {
        *system.stiffness.at_mut(a, b) += polynomial[0] * w[a] * w[b];
    }
    if polynomial[1..].iter().any(|c| *c != 0.0) {
        let mut coefficients = polynomial.to_vec();
        coefficients[0] = 0.0;
        let direction = w.to_vec();
        system.elements.curved.push(CurvedSpring { direction, coefficients, ..CurvedSpring::default() });
    }
}

/// Adds a spring along a direction.
fn add_spring(SpringTable { positions, forces, .. }: &SpringTable, w: &[f64], system: &mut System) {
    let slope = |k: usize| (forces[k + 1] - forces[k]) / (positions[k + 1] - positions[k]);
    // the piece about zero, or the one next to it
    let n_pieces = positions.len() - 1;
    let own = positions[1..n_pieces].partition_point(|position| *position < 0.0);
    for (a, b) in (0..w.len()).flat_map(|a| (0..w.len()).map(move |b| (a, b))) {
        *system.stiffness.at_mut(a, b) += slope(own) * w[a] * w[b];
    }
    let preload = forces[own] - slope(own) * positions[own];
    if preload != 0.0 {
        let direction = w.iter().map(|w| -w).collect();
        system.elements.loads.push(SignalLoad { direction, signal: preload.into() });
    }
    let above = |k: usize| Threshold::corner(w, positions[k], slope(k) - slope(k - 1));
    let back: Vec<f64> = w.iter().map(|w| -w).collect();
    let below = |k: usize| Threshold::corner(&back, -positions[k], slope(k - 1) - slope(k));
    system.elements.thresholds.extend((own + 1..n_pieces).map(above).chain((1..=own).map(below)));
}
