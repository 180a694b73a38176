//! A law with a viscous part.

use super::{FrictionLaw, Law, Slip};
use crate::Faults;

/// A law with a viscous part added: `φ(v) + viscous · v`.
#[derive(Clone, Debug, PartialEq)]
pub struct Friction {
    /// The law.
    pub law: FrictionLaw,
    /// Viscous part of the coefficient (s/m).
    pub viscous: f64,
}

impl Friction {
    /// Whether the force at a constant normal load does not change with the velocity but for jumps.
    pub(crate) fn is_flat(&self) -> bool {
        let is_step = |pair: &[[f64; 2]]| pair[0][0] == pair[1][0] || pair[0][1] == pair[1][1];
        let corners = self.law.corners();
        self.viscous == 0.0 && corners.is_some_and(|corners| corners.windows(2).all(is_step))
    }

    /// Writes every fault into `faults`.
    pub fn check(&self, faults: &mut Faults) {
        self.law.check(faults);
        faults.not_negative("viscous", self.viscous);
    }

    /// Replaces the number called `name` (`viscous`, or one of the law), each one of a list, by `f` of it. Returns whether there is one.
    pub fn map_number(&mut self, name: &str, f: &dyn Fn(f64) -> f64) -> bool {
        if name != "viscous" {
            return self.law.map_number(name, f);
        }
        self.viscous = f(self.viscous);
        true
    }

    /// `φ + viscous · v` (-). The law is asked to hold what the viscous part leaves of the demand.
    #[inline]
    pub fn coefficient(&self, slip: Slip) -> f64 {
        let viscous = self.viscous * slip.v;
        self.law.coefficient(Slip { demand: slip.demand - viscous, ..slip }) + viscous
    }

    /// [`Friction::coefficient`] of many slips (-).
    pub fn coefficients<'a>(&self, slips: impl Iterator<Item = Slip<'a>> + Clone, out: &mut [f64]) {
        let left = |slip: Slip<'a>| Slip { demand: slip.demand - self.viscous * slip.v, ..slip };
        self.law.coefficients(slips.clone().map(left), out);
        for (phi, slip) in out.iter_mut().zip(slips) {
            *phi += self.viscous * slip.v;
        }
    }

    /// Slope of [`Friction::coefficient`] at a fixed demand on the law (s/m).
    #[inline]
    pub fn slope(&self, slip: Slip) -> f64 {
        let viscous = self.viscous * slip.v;
        self.law.slope(Slip { demand: slip.demand - viscous, ..slip }) + self.viscous
    }
}

impl From<FrictionLaw> for Friction {
    fn from(law: FrictionLaw) -> Self {
        Self { law, viscous: 0.0 }
    }
}
