//! A contact's friction force as a polyline over the sliding velocity, load and viscous part included.
//!
//! Pieces and corners alternate: piece i lies below corner i, the last piece above the last corner. A corner
//! is a jump with an interval of forces to hold (Coulomb at rest), or a kink, whose interval is one point.

use crate::law::Law;
use crate::system::Contact;

/// A straight piece, `H = force + slope · v`.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LinePiece {
    /// H that the piece would have at v = 0 (N).
    pub force: f64,
    /// dH/dv (N s/m).
    pub slope: f64,
}

/// Where two pieces meet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Corner {
    /// Sliding velocity (m/s).
    pub v: f64,
    /// Limit of H from below (N).
    pub left: f64,
    /// Limit of H from above (N).
    pub right: f64,
    /// Smallest force at the corner (N).
    pub low: f64,
    /// Largest force at the corner (N).
    pub high: f64,
}

impl Corner {
    /// Whether the contact can rest here.
    pub fn is_jump(&self) -> bool {
        self.high > self.low
    }
}

#[derive(Clone, Debug)]
pub(super) struct ForceLine {
    pub pieces: Vec<LinePiece>,
    pub corners: Vec<Corner>,
}

impl ForceLine {
    /// dH/dv at a corner: zero at a jump, where the force does not follow from the velocity (N s/m).
    pub fn rest_slope(&self, corner: usize) -> f64 {
        if self.corners[corner].is_jump() { 0.0 } else { self.pieces[corner].slope }
    }

    /// `None` if the law is not a polyline; of springs with sliders the viscous part alone.
    pub fn new(contact: &Contact) -> Option<Self> {
        let load = contact.load;
        let viscous = load * contact.friction.viscous;
        if contact.friction.law.sliders().is_some() {
            return Some(Self {
                pieces: vec![LinePiece { force: 0.0, slope: viscous }],
                corners: Vec::new(),
            });
        }
        let points = contact.friction.law.corners()?;
        let mut corners: Vec<Corner> = Vec::new();
        for [v, phi] in points {
            let h = load * phi;
            match corners.last_mut() {
                Some(corner) if corner.v == v => {
                    corner.right = h;
                    corner.low = corner.low.min(h);
                    corner.high = corner.high.max(h);
                }
                _ => corners.push(Corner { v, left: h, right: h, low: h, high: h }),
            }
        }
        let (first, last) = (corners.first()?, corners.last()?);
        let mut pieces = vec![LinePiece { force: first.left, slope: viscous }];
        for pair in corners.windows(2) {
            let slope = (pair[1].left - pair[0].right) / (pair[1].v - pair[0].v);
            pieces.push(LinePiece { force: pair[0].right - slope * pair[0].v, slope: slope + viscous });
        }
        pieces.push(LinePiece { force: last.right, slope: viscous });
        for corner in &mut corners {
            let extra = viscous * corner.v;
            corner.left += extra;
            corner.right += extra;
            corner.low += extra;
            corner.high += extra;
        }
        Some(Self { pieces, corners })
    }

    /// A velocity inside a piece (m/s).
    pub fn inside(&self, piece: usize) -> f64 {
        let corner = |i: usize| self.corners.get(i).map(|corner| corner.v);
        match (piece.checked_sub(1).and_then(corner), corner(piece)) {
            (Some(low), Some(high)) => 0.5 * (low + high),
            (Some(low), None) => low + low.abs().max(1.0),
            (None, Some(high)) => high - high.abs().max(1.0),
            (None, None) => 0.0,
        }
    }

    /// The corner at exactly `v`, or else the piece that `v` lies on.
    pub fn place(&self, v: f64) -> Result<usize, usize> {
        let above = self.corners.partition_point(|corner| corner.v < v);
        match self.corners.get(above) {
            Some(corner) if corner.v == v => Ok(above),
            _ => Err(above),
        }
    }

    /// The same, at a jump from `noise` on: a sum that rounds to nearly nothing is rest.
    pub fn place_within(&self, v: f64, noise: f64) -> Result<usize, usize> {
        let is_here = |corner: &Corner| corner.is_jump() && (corner.v - v).abs() <= noise;
        self.corners.iter().position(is_here).map_or_else(|| self.place(v), Ok)
    }
}
