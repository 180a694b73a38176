//! Several feet that share the load, each with its own outline and pressure.

use super::{Disc, Footprint, Loop, Setting, Shape, finite_point};
use crate::patch::Pressure;
use crate::patch::axial::Axial;
use crate::patch::part::Form;
use crate::patch::profile::Profile;
use crate::{Error, Faults};
#[cfg(feature = "serde")]
use {schemars::JsonSchema, serde::Deserialize, serde::Serialize};

/// One foot of a patch made of several.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize, JsonSchema), serde(deny_unknown_fields))]
pub struct Piece {
    /// Outline of the foot.
    pub shape: Shape,
    /// How the load of the foot is spread over it; `uniform` unless given.
    #[cfg_attr(feature = "serde", serde(default))]
    pub pressure: Pressure,
    /// Position of the foot relative to the centre of the patch (m).
    #[cfg_attr(feature = "serde", serde(default))]
    pub centre: [f64; 2],
    /// Part of the load that the foot carries, relative to the other feet (-).
    #[cfg_attr(feature = "serde", serde(default = "crate::absent::one"))]
    pub share: f64,
}

impl Footprint for Vec<Piece> {
    fn examples() -> Vec<Self> {
        let foot = |centre: [f64; 2], share: f64| Piece {
            shape: Shape::Disc(Disc { radius: 0.02 }),
            pressure: Pressure::Hertz,
            centre,
            share,
        };
        vec![vec![foot([0.1, 0.0], 1.0), foot([-0.1, 0.1], 2.0), foot([-0.1, -0.1], 1.0)]]
    }
    fn check(&self, faults: &mut Faults) -> bool {
        let mut good = !self.is_empty();
        if !good {
            let because = "a patch in pieces needs a piece";
            faults.push("", Error::TooSmall { value: 0.0, limit: 1.0, because });
        }
        for (i, piece) in self.iter().enumerate() {
            faults.within(i.to_string(), |faults| {
                good &= faults.positive("share", piece.share) & finite_point(faults, "centre", piece.centre);
                if piece.shape.pieces().is_some() {
                    let because = "a piece cannot itself be in pieces";
                    faults.push("shape", Error::Unsuited { what: "pieces", because });
                    good = false;
                    return;
                }
                let mut outline = false;
                faults.within("shape", |faults| outline = piece.shape.check(faults));
                good &= piece.pressure.check(&piece.shape, outline, faults) & outline;
            });
        }
        good
    }
    fn radius(&self) -> f64 {
        let far = |piece: &Piece| libm::hypot(piece.centre[0], piece.centre[1]) + piece.shape.radius();
        self.iter().map(far).fold(0.0, f64::max)
    }
    fn outlines(&self, n: usize) -> Vec<Loop> {
        let moved = |piece: &Piece| {
            let [x, y] = piece.centre;
            let loops = piece.shape.outlines(n).into_iter();
            loops.map(|points| points.iter().map(|p| [x + p[0], y + p[1]]).collect()).collect::<Vec<Loop>>()
        };
        self.iter().flat_map(moved).collect()
    }
    fn description(&self, _number: &dyn Fn(f64) -> String) -> String {
        format!("{} pieces", self.len())
    }
    fn check_closure(&self, setting: &Setting, refuse: &mut dyn FnMut(&str, &'static str, &'static str)) {
        for piece in self {
            let own =
                Setting { patch: setting.patch, pressure: piece.pressure, is_single: false, leans: false };
            piece.shape.check_closure(&own, refuse);
        }
    }
    // the parts of a patch are made foot by foot, and the check refuses pieces of pieces
    fn form(&self, setting: &Setting) -> Form {
        setting.axial(Axial::disc(Profile::Uniform, f64::NAN))
    }
}
