//! Friction laws on a line.
//!
//! **Sign, said once:** the friction force `H = N φ` stands on the left of `m ü + c u̇ + k u + H = f(t)`, so a
//! positive `H` opposes a positive sliding velocity. Laws give the coefficient `φ`; the normal load `N` multiplies it.
//!
//! A law is plain data. [`FrictionLaw`] is the closed family that users name; [`Law`] is what the code calls.
//! What an integrator must know about a law is data too: [`Law::graph`], [`Law::breakpoints`], [`Law::corners`],
//! [`Law::hold`].

pub mod circular_linear;
pub mod coulomb;
pub mod dahl;
pub mod demand_aware;
pub mod karnopp;
pub mod linear;
pub mod lugre;
pub mod sign_coulomb;
pub mod stribeck;
pub mod tanh;
mod transition;
pub mod trigonometric;

pub use circular_linear::CircularLinear;
pub use coulomb::Coulomb;
pub use dahl::Dahl;
pub use demand_aware::DemandAware;
pub use karnopp::Karnopp;
pub use linear::Linear;
pub use lugre::Lugre;
pub use sign_coulomb::SignCoulomb;
pub use stribeck::{Stribeck, Weakening};
pub use tanh::Tanh;
pub use trigonometric::Trigonometric;

use crate::Faults;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a law is told about its contact.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Slip {
    /// Sliding velocity (m/s).
    pub v: f64,
    /// The coefficient that would keep `v` constant (-).
    pub demand: f64,
    /// Internal state, for laws with memory (m).
    pub z: f64,
}

impl Slip {
    /// A contact that slides at `v`, with nothing to hold and no history.
    pub fn at(v: f64) -> Self {
        Self { v, ..Self::default() }
    }
}

/// The kind of graph that a law has over the sliding velocity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Graph {
    /// A continuous function of velocity, demand and internal state.
    Continuous,
    /// A function with a jump.
    Jump,
    /// A whole interval of forces at zero velocity.
    SetValued,
}

/// A law that answers the demand `d`: `φ = clamp(d + shift, low, high)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hold {
    /// Added to the demand (-).
    pub shift: f64,
    /// Smallest coefficient (-).
    pub low: f64,
    /// Largest coefficient (-).
    pub high: f64,
}

/// Derivatives of a law with memory.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MemorySlopes {
    /// `∂φ/∂z` (1/m).
    pub coefficient_z: f64,
    /// `∂ż/∂v` (-).
    pub z_dot_v: f64,
    /// `∂ż/∂z` (1/s).
    pub z_dot_z: f64,
}

/// What the code calls: one coefficient, its slope, and the facts that integrators need.
pub trait Law {
    /// Writes every fault of the parameters into `faults`. Evaluation is total after a clean check.
    fn check(&self, faults: &mut Faults);

    /// `φ` (-).
    fn coefficient(&self, slip: Slip) -> f64;

    /// `φ` of many slips (-): a loop that is compiled for each law, and need not ask which it is at every step.
    fn coefficients(&self, slips: impl Iterator<Item = Slip>, out: &mut [f64])
    where
        Self: Sized,
    {
        for (phi, slip) in out.iter_mut().zip(slips) {
            *phi = self.coefficient(slip);
        }
    }

    /// `∂φ/∂v` (s/m).
    fn slope(&self, slip: Slip) -> f64;

    /// The largest `|∂φ/∂v|` (s/m): with the load and the mass it says how stiff the contact is.
    fn steepest(&self) -> f64;

    /// The largest `|φ|` while sliding or sticking, memory aside (-).
    fn bound(&self) -> f64;

    /// Speed below which the contact counts as sticking (m/s), where the law has such a speed.
    fn stick_speed(&self) -> Option<f64> {
        None
    }

    /// Speed beyond which the coefficient is constant (m/s); infinite if it never is.
    fn flat_beyond(&self) -> f64 {
        f64::INFINITY
    }

    /// Velocities at which the graph has a kink of some order, ascending (m/s).
    fn breakpoints(&self) -> Vec<f64> {
        Vec::new()
    }

    /// The corners of the graph in order, if the graph is a polyline with flat ends: pairs (v, φ).
    fn corners(&self) -> Option<Vec<[f64; 2]>> {
        None
    }

    /// The kind of graph.
    fn graph(&self) -> Graph {
        Graph::Continuous
    }

    /// How the law answers its demand at the velocity `v`, if it does.
    fn hold(&self, _v: f64) -> Option<Hold> {
        None
    }

    /// Whether the law has an internal state `z`.
    fn has_memory(&self) -> bool {
        false
    }

    /// `ż` (m/s), for laws with memory.
    fn z_dot(&self, _slip: Slip) -> f64 {
        0.0
    }

    /// The internal state that steady sliding at `v` tends to (m).
    fn z_steady(&self, _v: f64) -> f64 {
        0.0
    }

    /// Derivatives with respect to the internal state.
    fn memory_slopes(&self, _slip: Slip) -> MemorySlopes {
        MemorySlopes::default()
    }
}

/// One list of the whole family: the enum that users name, its names, and the one dispatch.
macro_rules! laws {
    ($($(#[doc = $doc:literal])* $name:literal => $Law:ident,)*) => {
        /// A friction law by name.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
        pub enum FrictionLaw {
            $($(#[doc = $doc])* #[serde(rename = $name)] $Law($Law),)*
        }

        impl FrictionLaw {
            /// The names of all laws, in the order of the documentation.
            pub const NAMES: &[&str] = &[$($name),*];

            /// The name that users write.
            pub fn name(&self) -> &'static str {
                match self { $(Self::$Law(_) => $name,)* }
            }

            /// Members of the family that between them use every parameter, the plainest of each law first.
            pub fn examples() -> Vec<Self> {
                let mut all = Vec::new();
                $(all.extend($Law::examples().into_iter().map(Self::$Law));)*
                all
            }
        }

        impl Law for FrictionLaw {
            fn check(&self, faults: &mut Faults) {
                faults.within(self.name(), |faults| match self { $(Self::$Law(law) => law.check(faults),)* })
            }
            #[inline]
            fn coefficient(&self, slip: Slip) -> f64 {
                match self { $(Self::$Law(law) => law.coefficient(slip),)* }
            }
            fn coefficients(&self, slips: impl Iterator<Item = Slip>, out: &mut [f64]) {
                match self { $(Self::$Law(law) => law.coefficients(slips, out),)* }
            }
            #[inline]
            fn slope(&self, slip: Slip) -> f64 {
                match self { $(Self::$Law(law) => law.slope(slip),)* }
            }
            fn steepest(&self) -> f64 {
                match self { $(Self::$Law(law) => law.steepest(),)* }
            }
            fn bound(&self) -> f64 {
                match self { $(Self::$Law(law) => law.bound(),)* }
            }
            fn stick_speed(&self) -> Option<f64> {
                match self { $(Self::$Law(law) => law.stick_speed(),)* }
            }
            fn flat_beyond(&self) -> f64 {
                match self { $(Self::$Law(law) => law.flat_beyond(),)* }
            }
            fn breakpoints(&self) -> Vec<f64> {
                match self { $(Self::$Law(law) => law.breakpoints(),)* }
            }
            fn corners(&self) -> Option<Vec<[f64; 2]>> {
                match self { $(Self::$Law(law) => law.corners(),)* }
            }
            fn graph(&self) -> Graph {
                match self { $(Self::$Law(law) => law.graph(),)* }
            }
            #[inline]
            fn hold(&self, v: f64) -> Option<Hold> {
                match self { $(Self::$Law(law) => law.hold(v),)* }
            }
            #[inline]
            fn has_memory(&self) -> bool {
                match self { $(Self::$Law(law) => law.has_memory(),)* }
            }
            #[inline]
            fn z_dot(&self, slip: Slip) -> f64 {
                match self { $(Self::$Law(law) => law.z_dot(slip),)* }
            }
            fn z_steady(&self, v: f64) -> f64 {
                match self { $(Self::$Law(law) => law.z_steady(v),)* }
            }
            #[inline]
            fn memory_slopes(&self, slip: Slip) -> MemorySlopes {
                match self { $(Self::$Law(law) => law.memory_slopes(slip),)* }
            }
        }
    };
}

laws! {
    /// Coulomb friction with a linear ramp through zero.
    "linear" => Linear,
    /// Coulomb friction with a sine arc through zero.
    "trigonometric" => Trigonometric,
    /// Coulomb friction with two circular arcs and a straight line through zero.
    "circular-linear" => CircularLinear,
    /// Regularised Coulomb friction that sees the force it must balance, and therefore sticks.
    "demand-aware" => DemandAware,
    /// Coulomb's law itself: set-valued at rest.
    "coulomb" => Coulomb,
    /// Coulomb friction as a sign function, zero at rest.
    "sign-coulomb" => SignCoulomb,
    /// Karnopp's dead zone: inside it friction balances the applied force.
    "karnopp" => Karnopp,
    /// Smooth friction by a hyperbolic tangent.
    "tanh" => Tanh,
    /// Friction that falls from a static to a kinetic value as the speed grows.
    "stribeck" => Stribeck,
    /// Dahl's law: elastic before sliding.
    "dahl" => Dahl,
    /// The LuGre law: elastic bristles with damping and a Stribeck curve.
    "lugre" => Lugre,
}

impl FrictionLaw {
    /// The laws that stand in for Coulomb's with a transition of a given width.
    pub const REGULARISED: &[&str] = &["linear", "trigonometric", "circular-linear", "tanh", "demand-aware"];

    /// The law called `name` (one of [`FrictionLaw::REGULARISED`]) with this coefficient and width.
    pub fn regularised(name: &str, mu: f64, width: f64) -> Option<Self> {
        let (rise, rise_height) = (None, None);
        Some(match name {
            "linear" => Self::Linear(Linear { mu, width, rise, rise_height }),
            "trigonometric" => Self::Trigonometric(Trigonometric { mu, width, rise, rise_height }),
            "circular-linear" => {
                Self::CircularLinear(CircularLinear { mu, width, radius: 0.5 * width, rise, rise_height })
            }
            "tanh" => Self::Tanh(Tanh { mu, width }),
            "demand-aware" => Self::DemandAware(DemandAware { mu, width }),
            _ => return None,
        })
    }
}

/// A law with a viscous part added: `φ(v) + viscous · v`.
#[derive(Clone, Debug, PartialEq)]
pub struct Friction {
    /// The law.
    pub law: FrictionLaw,
    /// Viscous part of the coefficient (s/m).
    pub viscous: f64,
}

impl Friction {
    /// Writes every fault into `faults`.
    pub fn check(&self, faults: &mut Faults) {
        self.law.check(faults);
        faults.not_negative("viscous", self.viscous);
    }

    /// `φ + viscous · v` (-). The law is asked to hold what the viscous part leaves of the demand.
    #[inline]
    pub fn coefficient(&self, slip: Slip) -> f64 {
        let viscous = self.viscous * slip.v;
        self.law.coefficient(Slip { demand: slip.demand - viscous, ..slip }) + viscous
    }

    /// [`Friction::coefficient`] of many slips (-).
    pub fn coefficients(&self, slips: impl Iterator<Item = Slip> + Clone, out: &mut [f64]) {
        let left = |slip: Slip| Slip { demand: slip.demand - self.viscous * slip.v, ..slip };
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
