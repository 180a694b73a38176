//! A measured curve: points joined by straight lines.
//!
//! ```text
//!   φ(v) = s · (the line through the points (vᵢ, φᵢ) at v),   φ ∈ [−s μs, s μs] at v = 0
//! ```
//!
//! Points at velocities v ≥ 0 alone are a curve over the speed, and hold in both directions. With a negative velocity among them the points
//! are the whole graph, which may differ in the two directions: φ is then negative at negative velocities, and there is a point at
//! v = 0, or several: friction at rest is anything from the smallest to the largest of these, the first is the limit from below and the
//! last the limit from above. Beyond the first and last point friction is held; a run that slides faster says so.
//!
//! Set-valued at zero velocity, unless the curve begins in (0, 0) without a static value. May fall or rise with speed, and is carried by the exact engine.
//!
#![cfg_attr(doc, doc = include_str!("../../images/law/polyline.svg"))]

use super::{FrictionBounds, Graph, Law, RestBand, Scales, Slip, StickCriterion};
use crate::{Error, Faults};
#[cfg(feature = "serde")]
use {schemars::JsonSchema, serde::Deserialize, serde::Serialize};

/// A measured curve: points joined by straight lines, set-valued at rest.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize, JsonSchema), serde(deny_unknown_fields))]
pub struct Polyline {
    /// Sliding velocities of the points, ascending; none negative if the curve holds in both directions (m/s).
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub velocities: Vec<f64>,
    /// Friction coefficients at these velocities (-).
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub coefficients: Vec<f64>,
    /// A CSV file with named columns, instead; paths begin at the folder of the scenario.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub file: Option<String>,
    /// Column of the velocities in the file; the first if absent.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub velocity_column: Option<String>,
    /// Column of the coefficients in the file; the second if absent.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub coefficient_column: Option<String>,
    /// Static friction coefficient μs at v = 0, not below the curve beside it; that of the curve if absent (-).
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub mu_static: Option<f64>,
    /// Factor s of all coefficients (-).
    #[cfg_attr(feature = "serde", serde(default = "crate::absent::one"))]
    pub scale: f64,
}

/// The most points: what a figure shows, and a run looks through, in no time.
pub const MAX_POINTS: usize = 10_000;

impl Polyline {
    /// The curve through the points (v, φ).
    pub fn new(points: &[[f64; 2]]) -> Self {
        Self {
            velocities: points.iter().map(|point| point[0]).collect(),
            coefficients: points.iter().map(|point| point[1]).collect(),
            file: None,
            velocity_column: None,
            coefficient_column: None,
            mu_static: None,
            scale: 1.0,
        }
    }

    pub(super) fn examples() -> Vec<Self> {
        let falling = Self::new(&[[0.0, 0.45], [0.05, 0.38], [0.2, 0.31], [0.5, 0.3]]);
        let excess = Self { mu_static: Some(0.6), scale: 0.5, ..falling.clone() };
        let rising = Self::new(&[[0.0, 0.04], [0.1, 0.09], [0.6, 0.15]]);
        let ramp = Self::new(&[[0.0, 0.0], [0.02, 0.4], [0.3, 0.3]]);
        // harder to pull than to push
        let uneven =
            Self::new(&[[-0.3, -0.2], [-0.1, -0.25], [0.0, -0.3], [0.0, 0.5], [0.0, 0.4], [0.4, 0.35]]);
        let uneven_ramp = Self::new(&[[-0.1, -0.2], [0.0, 0.0], [0.1, 0.4]]);
        vec![falling, excess, rising, ramp, uneven, uneven_ramp]
    }

    /// The curve beyond `width`, and a straight ramp through zero within: continuous. None of a curve that differs in the two directions.
    pub(super) fn with_ramp(&self, width: f64) -> Option<Self> {
        if !self.is_half() || !(width > 0.0) {
            return None;
        }
        let beyond = self.velocities.iter().zip(&self.coefficients).filter(|(v, _)| **v > width);
        let mut points = vec![[0.0, 0.0], [width, self.line(width)[0]]];
        points.extend(beyond.map(|(v, phi)| [*v, *phi]));
        Some(Self { scale: self.scale, ..Self::new(&points) })
    }

    fn n(&self) -> usize {
        self.velocities.len().min(self.coefficients.len())
    }

    /// Whether the points are those of a curve over the speed.
    fn is_half(&self) -> bool {
        self.velocities.first().is_some_and(|v| *v >= 0.0)
    }

    /// The points at rest, as indices; empty if there is none.
    fn at_rest(&self) -> std::ops::Range<usize> {
        let velocities = &self.velocities[..self.n()];
        velocities.partition_point(|v| *v < 0.0)..velocities.partition_point(|v| *v <= 0.0)
    }

    /// φ beside rest, from below and from above, without the factor (-).
    fn beside_rest(&self) -> [f64; 2] {
        let (rest, phi) = (self.at_rest(), |i: usize| self.coefficients.get(i).copied().unwrap_or(0.0));
        let above = phi(if rest.is_empty() { rest.start } else { rest.end - 1 });
        [if self.is_half() { -above } else { phi(rest.start) }, above]
    }

    /// The coefficients at rest.
    fn rest(&self) -> RestBand {
        let [below, above] = self.beside_rest();
        let mut rest = RestBand { low: below.min(above), high: below.max(above) };
        for phi in &self.coefficients[self.at_rest()] {
            rest = RestBand { low: rest.low.min(*phi), high: rest.high.max(*phi) };
            if self.is_half() {
                rest.low = rest.low.min(-phi);
            }
        }
        let mu_static = self.mu_static.unwrap_or(0.0);
        RestBand { low: rest.low.min(-mu_static), high: rest.high.max(mu_static) }.scaled(self.scale)
    }

    /// φ and its slope at a place that is not rest, without the factor.
    #[inline]
    fn line(&self, v: f64) -> [f64; 2] {
        let (x, sign) = if self.is_half() { (v.abs(), 1f64.copysign(v)) } else { (v, 1.0) };
        let n = self.n();
        // at a point the piece farther from rest counts
        let right = self.velocities[..n].partition_point(|point| *point < x || *point == x && x >= 0.0);
        let phi = |i: usize| self.coefficients[i];
        let [value, slope] = match right {
            _ if n == 0 => [0.0; 2],
            0 => [phi(0), 0.0],
            right if right == n => [phi(n - 1), 0.0],
            right => {
                let (v0, v1) = (self.velocities[right - 1], self.velocities[right]);
                let (f0, f1) = (phi(right - 1), phi(right));
                [f0 + (f1 - f0) * ((x - v0) / (v1 - v0)), (f1 - f0) / (v1 - v0)]
            }
        };
        [sign * value, slope]
    }

    /// The largest slope of its pieces (s/m).
    fn steepest(&self) -> f64 {
        let n = self.n();
        let slope = |i: usize| {
            let dv = self.velocities[i] - self.velocities[i - 1];
            if dv > 0.0 { ((self.coefficients[i] - self.coefficients[i - 1]) / dv).abs() } else { 0.0 }
        };
        self.scale * (1..n).map(slope).fold(0.0, f64::max)
    }

    /// Speed of the last point (m/s).
    fn last_speed(&self) -> f64 {
        let ends = [self.velocities.first(), self.velocities.last()];
        ends.into_iter().flatten().fold(0.0, |speed, v| speed.max(v.abs()))
    }

    /// The speed at which the curve has risen as far as it does on its way out of rest, the faster of both directions.
    fn top(&self) -> f64 {
        let rest = self.at_rest();
        let out = |mut here: usize, next: &dyn Fn(usize) -> Option<usize>| {
            while let Some(i) = next(here)
                .filter(|i| *i < self.n() && self.coefficients[*i].abs() > self.coefficients[here].abs())
            {
                here = i;
            }
            self.velocities[here].abs()
        };
        let up = out(rest.end.saturating_sub(1), &|i| Some(i + 1));
        let down = out(rest.start.min(self.n() - 1), &|i| i.checked_sub(1));
        up.max(down)
    }
}

impl Law for Polyline {
    fn check(&self, faults: &mut Faults) {
        if let (Some(_), true) = (&self.file, self.velocities.is_empty() && self.coefficients.is_empty()) {
            let because = "the points of the file must be given as velocities and coefficients";
            return faults.push("file", Error::Unsuited { what: "a file that was not read", because });
        }
        let (n, found) = (self.velocities.len(), self.coefficients.len());
        let least = 2;
        if n < least {
            return faults.push("velocities", Error::TooFew { found: n, least, of: "points" });
        }
        if n > MAX_POINTS {
            let because = "more cannot be distinguished from a smooth curve";
            faults.at_most("velocities", n as f64, MAX_POINTS as f64, because);
            return;
        }
        if found != n {
            return faults.push("coefficients", Error::Counts { found, expected: n, of: "velocities" });
        }
        let mut good = faults.not_negative("scale", self.scale);
        // one fault of a list is enough
        good &= self.velocities.iter().all(|v| faults.finite("velocities", *v));
        good &= self.coefficients.iter().all(|phi| faults.finite("coefficients", *phi));
        if !good {
            return;
        }
        let ascends = |w: &[f64]| w[0] < w[1] || w[0] == 0.0 && w[1] == 0.0;
        if let Some(row) = self.velocities.windows(2).position(|w| !ascends(w)) {
            return faults.push("velocities", Error::NotAscending { row: row + 1, of: "velocities" });
        }
        if self.velocities[n - 1] == 0.0 && self.is_half() {
            return faults.push("velocities", Error::TooFew { found: 1, least, of: "velocities" });
        }
        if !self.is_half() && self.at_rest().is_empty() {
            return faults.push("velocities", Error::NoPointAtRest);
        }
        let rest = self.at_rest();
        let opposes = |i: usize, phi: f64| match i {
            _ if self.is_half() || i >= rest.end => phi >= 0.0,
            _ if i < rest.start => phi <= 0.0,
            // the limits from both sides
            _ => (i > rest.start || phi <= 0.0) && (i + 1 < rest.end || phi >= 0.0),
        };
        if let Some(i) = (0..n).find(|i| !opposes(*i, self.coefficients[*i])) {
            let (v, phi) = (self.velocities[i], self.coefficients[i]);
            return faults.push("coefficients", Error::Pushes { v, phi });
        }
        if let Some(mu_static) = self.mu_static {
            let [below, above] = self.beside_rest();
            let because = "friction at rest is not below that of the slowest sliding";
            faults.at_least("mu_static", mu_static, above.max(-below), because);
        }
    }
    #[inline]
    fn coefficient(&self, Slip { v, demand, .. }: Slip) -> f64 {
        if v != 0.0 {
            return self.scale * self.line(v)[0];
        }
        self.rest().coefficient(demand)
    }
    #[inline]
    fn slope(&self, Slip { v, .. }: Slip) -> f64 {
        match v == 0.0 && self.graph() == Graph::SetValued {
            true => 0.0,
            false => self.scale * self.line(v)[1],
        }
    }
    fn bound(&self) -> f64 {
        let largest = self.coefficients.iter().fold(0.0, |largest: f64, phi| largest.max(phi.abs()));
        self.scale * largest.max(self.mu_static.unwrap_or(0.0))
    }
    fn scales(&self) -> Scales {
        let (is_set_valued, last) = (self.graph() == Graph::SetValued, self.last_speed());
        Scales {
            steepest: (!is_set_valued).then(|| self.steepest()),
            stick: StickCriterion::Speed(if is_set_valued || self.n() == 0 { 0.0 } else { self.top() }),
            flat_beyond: last,
            reach: Some(1.25 * last),
            known_to: last,
            ..Scales::default()
        }
    }
    fn breakpoints(&self) -> Vec<f64> {
        let mut all: Vec<f64> = self.velocities.clone();
        if self.is_half() {
            all.extend(self.velocities.iter().map(|v| -v));
            // the curve and its mirror image are one line
            if self.graph() == Graph::Continuous {
                all.retain(|v| *v != 0.0);
            }
        }
        if self.graph() == Graph::SetValued {
            all.push(0.0);
        }
        // a negative zero is the same velocity
        all.iter_mut().for_each(|v| *v += 0.0);
        all.sort_by(f64::total_cmp);
        all.dedup();
        all
    }
    fn corners(&self) -> Option<Vec<[f64; 2]>> {
        let rest = self.at_rest();
        let point = |i: usize| [self.velocities[i], self.scale * self.coefficients[i]];
        let right: Vec<[f64; 2]> = (rest.end..self.n()).map(point).collect();
        let left: Vec<[f64; 2]> = if self.is_half() {
            right.iter().rev().map(|[v, phi]| [-v, -phi]).collect()
        } else {
            (0..rest.start).map(point).collect()
        };
        let [below, above] = self.beside_rest().map(|phi| self.scale * phi);
        let RestBand { low, high } = self.rest();
        let mut middle = vec![[0.0, below], [0.0, low], [0.0, high], [0.0, above]];
        middle.dedup();
        if self.is_half() && low == high {
            middle.clear();
        }
        Some(left.into_iter().chain(middle).chain(right).collect())
    }
    fn graph(&self) -> Graph {
        self.rest().graph()
    }
    #[inline]
    fn friction_bounds(&self, v: f64, _z: &[f64]) -> Option<FrictionBounds> {
        if v == 0.0 { self.rest().bounds() } else { None }
    }
}
