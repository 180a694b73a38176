//! Branches through stuck motions, which form a continuum at every parameter.
//!
//! There the equations of the branch are singular: a whole set of tangents solves them. Of the set one motion
//! is reported (see `stuck`), and it depends on the parameter continuously, so that it is followed by the
//! parameter itself along secants.

use super::{Arrival, BranchPoint, Problem, distance};
use crate::Error;
use crate::steady::flow::attempted;
use crate::steady::{Multiplier, Orbit, Point, Stability};

/// Distance from 1 at which a multiplier belongs to a continuum: the rounding of multipliers on several
/// engines.
const UNIT: f64 = 1e-6;

/// Whether motions next to this one are periodic too.
pub(super) fn is_in_continuum(orbit: &Orbit) -> bool {
    let is_one = |m: &Multiplier| libm::hypot(m.re - 1.0, m.im) <= UNIT;
    orbit.stability == Stability::Neutral && orbit.multipliers.iter().any(is_one)
}

impl Problem<'_> {
    /// The reported motion one `step` on along the last secant, or the one at an end of the way; none if it
    /// is too far from there.
    pub(super) fn along_continuum(
        &mut self,
        now: &BranchPoint,
        step: f64,
        last: Option<&Point>,
    ) -> Result<Option<Arrival>, Error> {
        let (n, before) = (self.n, now.y[self.n]);
        let end = self.left(before, before + step * now.tangent[n]);
        let part = end.map_or(1.0, |(_, _, part)| part);
        let predicted: Vec<f64> =
            (now.y.iter().zip(&now.tangent)).map(|(y, t)| y + part * step * t).collect();
        let parameter = end.map_or_else(|| self.parameter(&predicted), |(_, parameter, _)| parameter);
        let Some(orbit) = attempted(self.describe(&predicted, parameter))? else { return Ok(None) };
        let y = self.scaled(&orbit.state, parameter);
        let chord = distance(&y, &now.y);
        if !(chord > 0.0 && chord <= 2.0 * step) {
            return Ok(None);
        }
        let tangent: Vec<f64> = y.iter().zip(&now.y).map(|(y, before)| (y - before) / chord).collect();
        let mut next = BranchPoint { y, tangent };
        if !is_in_continuum(&orbit)
            && let Some(defect) = attempted(self.defect(&next.y))?
        {
            // beyond the end of the continuum the branch has a tangent and an orientation again
            self.orientation = 0.0;
            if let Some((tangent, _)) = self.tangent(&defect, &next.tangent) {
                next.tangent = tangent;
                self.orientation = self.determinant(&defect.slopes, &next.tangent);
            }
        }
        let point = Point { parameter, orbit: Ok(orbit) };
        let is_torn = self.is_torn(last, &point, chord);
        Ok((!is_torn).then_some((next, point, end.map(|(end, ..)| end))))
    }
}
