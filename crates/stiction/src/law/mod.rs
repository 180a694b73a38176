//! Friction laws on a line.
//!
//! **Sign, said once:** the friction force `H = N φ` stands on the left of `m ü + c u̇ + k u + H = f(t)`, so a
//! positive `H` opposes a positive sliding velocity. Laws give the coefficient `φ`; the normal load `N` multiplies it.
//!
//! A law is plain data. [`FrictionLaw`] is the closed family that users name; [`Law`] is what the code calls.
//! What an integrator must know about a law is data too: [`Law::graph`], [`Law::breakpoints`], [`Law::corners`],
//! [`Law::friction_bounds`], [`Law::scales`].
//!
//! ```
//! use stiction::law::{FrictionLaw, Law, Slip, Tanh};
//!
//! let law = FrictionLaw::Tanh(Tanh { mu: 0.3, width: 0.01 });
//! assert!((law.coefficient(Slip::at(0.1)) - 0.3).abs() < 1e-8);
//! assert_eq!(law.steepest(), law.slope(Slip::at(0.0)));
//! ```

pub mod bouc_wen;
mod bristles;
pub mod circular_linear;
pub mod coulomb;
pub mod coulomb_dwell;
pub mod custom;
pub mod dahl;
pub mod directed;
pub mod elasto_plastic;
pub mod expression;
mod family;
pub mod four_parameter_iwan;
mod friction;
pub mod gms;
pub mod iwan;
pub mod jenkins;
pub mod karnopp;
pub mod linear;
pub mod lugre;
pub mod polyline;
pub mod quinn;
pub mod rate_and_state;
mod rest_band;
mod scales;
pub mod sign_coulomb;
mod size;
mod sliders;
mod states;
mod steady_sliding;
pub mod stribeck;
pub mod tanh;
mod transition;
pub mod trigonometric;

pub use bouc_wen::BoucWen;
pub use circular_linear::CircularLinear;
pub use coulomb::Coulomb;
pub use coulomb_dwell::CoulombDwell;
pub use custom::{Custom, SharedLaw};
pub use dahl::Dahl;
pub use directed::Directed;
pub use elasto_plastic::ElastoPlastic;
pub use expression::{Expression, ExpressionTable};
pub use four_parameter_iwan::FourParameterIwan;
pub use friction::Friction;
pub use gms::Gms;
pub use iwan::Iwan;
pub use jenkins::Jenkins;
pub use karnopp::Karnopp;
pub use linear::Linear;
pub use lugre::Lugre;
pub use polyline::Polyline;
pub use quinn::Quinn;
pub use rate_and_state::{Evolution, RateAndState};
pub use rest_band::{RestBand, breakpoints_within};
pub use scales::{STICK_SHARE, Scales, StickCriterion};
pub use sign_coulomb::SignCoulomb;
pub use size::Size;
pub use sliders::{MAX_SLIDERS, Slider, SliderLag};
pub use states::{StateName, StateSlopes, States};
pub use steady_sliding::SteadySliding;
pub use stribeck::{Stribeck, Weakening};
pub use tanh::Tanh;
pub use trigonometric::Trigonometric;
#[cfg(feature = "serde")]
use {schemars::JsonSchema, serde::Deserialize, serde::Serialize};

use crate::Faults;
use family::{Number, PARAMETERS, laws, second};
use size::StandsIn;
use stribeck::FallingLimit;

/// Inputs of a friction law.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Slip<'a> {
    /// Sliding velocity (m/s).
    pub v: f64,
    /// The coefficient that would keep `v` constant (-).
    pub demand: f64,
    /// Internal states, for laws with memory; missing ones are zero.
    pub z: &'a [f64],
}

impl Slip<'_> {
    /// A contact that slides at `v`, with nothing to hold and no history.
    pub fn at(v: f64) -> Self {
        Self { v, ..Self::default() }
    }

    /// Internal state `k`.
    #[inline]
    pub fn state(&self, k: usize) -> f64 {
        self.z.get(k).copied().unwrap_or(0.0)
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

/// Bounds between which friction balances the demand `d`: `φ = clamp(d + shift, low, high)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrictionBounds {
    /// Added to the demand (-).
    pub shift: f64,
    /// Smallest coefficient (-).
    pub low: f64,
    /// Largest coefficient (-).
    pub high: f64,
}

impl FrictionBounds {
    /// The same bound in both directions.
    #[inline]
    pub fn symmetric(bound: f64) -> Self {
        Self { shift: 0.0, low: -bound, high: bound }
    }
}

/// What the code calls: one coefficient, its derivatives, and the law's properties as data.
pub trait Law {
    /// Writes every fault of the parameters into `faults`. Evaluation is total after a clean check.
    fn check(&self, faults: &mut Faults);

    /// `φ` (-).
    fn coefficient(&self, slip: Slip) -> f64;

    /// `∂φ/∂v` (s/m); zero unless given.
    fn slope(&self, _slip: Slip) -> f64 {
        0.0
    }

    /// The largest `|φ|` while sliding or sticking, memory aside (-).
    fn bound(&self) -> f64;

    /// The kind of graph.
    fn graph(&self) -> Graph {
        Graph::Continuous
    }

    /// Velocities and slopes that characterise the curve.
    fn scales(&self) -> Scales {
        Scales::default()
    }

    /// Velocities at which the graph has a kink of some order, ascending (m/s); what remembers, by |v|, has one at 0.
    fn breakpoints(&self) -> Vec<f64> {
        if self.states().n() > 0 { vec![0.0] } else { Vec::new() }
    }

    /// Functions of velocity and internal states that vanish where the law has a kink, beside its breakpoints: writes them into `out`
    /// as far as it reaches, and returns their number.
    fn switches(&self, _slip: Slip, _out: &mut [f64]) -> usize {
        0
    }

    /// The corners of the graph in order, if the graph is a polyline with flat ends: pairs (v, φ).
    fn corners(&self) -> Option<Vec<[f64; 2]>> {
        None
    }

    /// Of a force-dependent law the bounds between which friction balances its demand at the velocity `v`: of a set-valued law those of
    /// sticking after what its internal states `z` remember, and after a long time if they are not given.
    fn friction_bounds(&self, _v: f64, _z: &[f64]) -> Option<FrictionBounds> {
        None
    }

    /// Of a law made of springs with sliders, spring `k`, whose deflection is internal state `k`.
    fn slider(&self, _k: usize) -> Option<Slider> {
        None
    }

    /// The internal states `z`.
    fn states(&self) -> States {
        States::None
    }

    /// The rates `ż` of the internal states into `out`.
    fn state_dot(&self, _slip: Slip, _out: &mut [f64]) {}

    /// The internal states that steady sliding at `v` tends to, into `out`.
    fn steady_states(&self, _v: f64, _out: &mut [f64]) {}

    /// The derivatives by the internal states into `out`, made for their number.
    fn state_slopes(&self, _slip: Slip, _out: &mut StateSlopes) {}
}

/// Writes switch functions into `out` as far as it reaches; their number.
fn write_switches<const N: usize>(values: [f64; N], out: &mut [f64]) -> usize {
    out.iter_mut().zip(values).for_each(|(out, value)| *out = value);
    N
}

laws! {
    /// Coulomb friction with a linear ramp through zero.
    "linear" => Linear { mu: "-", width: "m/s", rise: "m/s", rise_height: "-" } by Width,
    /// Coulomb friction with a sine arc through zero.
    "trigonometric" => Trigonometric { mu: "-", width: "m/s", rise: "m/s", rise_height: "-" } by Width,
    /// Coulomb friction with two circular arcs and a straight line through zero.
    "circular-linear" => CircularLinear { mu: "-", width: "m/s", radius: "", rise: "m/s", rise_height: "-" } by Width,
    /// Regularised Coulomb friction that depends on the force to be balanced, and therefore sticks.
    "quinn" => Quinn { mu: "-", width: "m/s" } by Width,
    /// Coulomb's law itself: set-valued at rest.
    "coulomb" => Coulomb { mu: "-", mu_static: "-" },
    /// Coulomb's law whose static friction grows with the time at rest.
    "coulomb-dwell" => CoulombDwell { mu: "-", mu_static: "-", time: "s", exponent: "-" },
    /// Coulomb friction as a sign function, zero at rest.
    "sign-coulomb" => SignCoulomb { mu: "-" },
    /// Karnopp's dead zone: inside it friction balances the applied force.
    "karnopp" => Karnopp { mu: "-", mu_static: "-", width: "m/s" },
    /// Smooth friction by a hyperbolic tangent.
    "tanh" => Tanh { mu: "-", width: "m/s" } by Width,
    /// Friction that falls from a static to a kinetic value as the speed grows.
    "stribeck" => Stribeck { mu: "-", mu_static: "-", velocity: "m/s", width: "m/s", exponent: "-" },
    /// A measured curve: points joined by straight lines, set-valued at rest.
    "polyline" => Polyline { mu_static: "-", scale: "-" },
    /// A law by its formula in v: checked, differentiated, set-valued at rest if it jumps there.
    "expression" => Expression { mu_static: "-", scale: "-" },
    /// Dahl's law: elastic before sliding.
    "dahl" => Dahl { mu: "-", stiffness: "1/m" } by Stiffness,
    /// The LuGre law: elastic bristles with damping and a Stribeck curve.
    "lugre" => Lugre { mu: "-", mu_static: "-", velocity: "m/s", stiffness: "1/m", damping: "s/m", exponent: "-" } by Stiffness,
    /// The elasto-plastic law: bristles that do not creep below break-away.
    "elasto-plastic" => ElastoPlastic { mu: "-", mu_static: "-", velocity: "m/s", stiffness: "1/m", damping: "s/m", elastic: "-", exponent: "-" } by Stiffness,
    /// The hysteresis of Bouc and Wen: a smooth passage from elastic to sliding.
    "bouc-wen" => BoucWen { mu: "-", stiffness: "1/m", exponent: "-", share: "-" } by Stiffness,
    /// Rate- and state-dependent friction: of rocks, and of most dry contacts at low speed.
    "rate-and-state" => RateAndState { mu: "-", a: "-", b: "-", distance: "m", velocity: "m/s" },
    /// The Jenkins element: a spring in series with a slider.
    "jenkins" => Jenkins { mu: "-", stiffness: "1/m" } by Stiffness,
    /// Iwan's model: springs with sliders side by side, also called Maxwell slip.
    "iwan" => Iwan { mu: "-", stiffness: "1/m" } by Stiffness,
    /// Generalised Maxwell slip: Iwan's springs with a Stribeck curve and frictional lag.
    "gms" => Gms { mu: "-", mu_static: "-", velocity: "m/s", stiffness: "1/m", attraction: "1/s", exponent: "-" } by Stiffness,
    /// Segalman's four-parameter Iwan model: a bolted joint.
    "four-parameter-iwan" => FourParameterIwan { mu: "-", stiffness: "1/m", exponent: "-", ratio: "-" } by Stiffness,
}

/// What follows from the law's data.
impl FrictionLaw {
    /// The largest `|∂φ/∂v|` (s/m): with the load and the mass it determines how stiff the contact is.
    pub fn steepest(&self) -> f64 {
        let of_graph = || if self.graph() == Graph::Continuous { 0.0 } else { f64::INFINITY };
        self.scales().steepest.unwrap_or_else(of_graph)
    }

    /// Speed below which the contact sticks (m/s); none if internal states decide it.
    pub fn stick_speed(&self) -> Option<f64> {
        match self.scales().stick {
            StickCriterion::Speed(speed) => Some(speed),
            StickCriterion::Share { width } => Some(scales::share_speed(self, width)),
            StickCriterion::Bristles { .. } | StickCriterion::States => None,
        }
    }

    /// By how much friction is below [`STICK_SHARE`] of the break-away force, for bristles: the contact sticks where it is positive (-).
    pub fn stick_margin(&self, slip: Slip) -> Option<f64> {
        scales::bristle_margin(self.forward(), slip)
    }

    /// Number of functions of velocity and internal states that vanish where the law has a kink, beside its breakpoints.
    pub fn n_switches(&self) -> usize {
        self.switches(Slip::default(), &mut [])
    }

    /// Number of internal states.
    #[inline]
    pub fn n_states(&self) -> usize {
        self.states().n()
    }

    /// Whether the law has internal states.
    #[inline]
    pub fn has_memory(&self) -> bool {
        self.n_states() > 0
    }

    /// The springs with sliders that the law is made of, if it is: their deflections are its internal states.
    pub fn sliders(&self) -> Option<Vec<Slider>> {
        self.slider(0)?;
        Some((0..).map_while(|k| self.slider(k)).collect())
    }

    /// How the limits of the sliders depend on the sliding velocity, and how they are followed, if they are not constant. Then a second half of
    /// the internal states says which of them slip: −1, 0 or 1.
    #[inline]
    pub fn lag(&self, v: f64) -> Option<SliderLag> {
        match self {
            Self::Gms(law) => Some(law.lag(v)),
            Self::Directed(own) => own.law.lag(v),
            _ => None,
        }
    }

    /// Largest error of the force in a hysteresis loop, over that of full sliding, of a law that integrates a density of sliders by a
    /// finite number of them (-).
    pub fn discretisation_error(&self) -> Option<f64> {
        match self.forward() {
            Self::FourParameterIwan(law) => Some(law.loop_error()),
            _ => None,
        }
    }

    /// Whether a motion under the law is linear between events, so that the exact engine carries it.
    pub fn is_piecewise_linear(&self) -> bool {
        self.corners().is_some() || self.slider(0).is_some() && self.lag(0.0).is_none()
    }

    /// Whether sliding velocity, load and internal states determine the force, also at rest.
    pub(crate) fn follows_velocity(&self) -> bool {
        self.graph() == Graph::Continuous && self.friction_bounds(0.0, &[]).is_none()
    }

    /// The law called `name` (one of [`FrictionLaw::REGULARISED`]) with this coefficient and size.
    pub fn regularised(name: &str, mu: f64, size: f64) -> Option<Self> {
        Self::standing_in(name, &FallingLimit::constant(mu), size, 0.0)
    }

    /// The law as it holds in the positive direction.
    pub fn forward(&self) -> &Self {
        match self {
            Self::Directed(own) => own.law.forward(),
            law => law,
        }
    }

    /// The numbers that are per newton of the normal load: stiffness (1/m) and damping (s/m). Times the load they are the contact
    /// stiffness (N/m) and the contact damping (N s/m) of the literature.
    pub fn per_newton(&self) -> impl Iterator<Item = &'static str> {
        let is_per_newton = |unit: &str| matches!(unit, "1/m" | "s/m");
        self.numbers().iter().filter(move |(_, unit)| is_per_newton(unit)).map(|(name, _)| *name)
    }

    /// Friction against negative sliding over that of [`FrictionLaw::forward`], if it is said (-).
    pub fn reverse(&self) -> Option<f64> {
        match self {
            Self::Directed(own) => Some(own.reverse),
            _ => None,
        }
    }

    /// The law with friction against negative sliding multiplied by `reverse`.
    pub fn directed(self, reverse: f64) -> Self {
        Self::Directed(Box::new(Directed { law: self, reverse }))
    }

    /// The law called `name` (one of [`FrictionLaw::REGULARISED`]) that regularises this one, which is set-valued at zero velocity: a transition of this size
    /// in place of the jump at rest, and beyond it the same curve. A static value above the curve is lost. `inertia` is the mass that moves with
    /// the contact over its load (s²/m): laws with damping of their own come to rest by it without swinging on.
    pub fn regularised_as(&self, name: &str, size: f64, inertia: f64) -> Option<Self> {
        if let Self::Directed(own) = self {
            return Some(own.law.regularised_as(name, size, inertia)?.directed(own.reverse));
        }
        if !matches!(self, Self::Coulomb(_)) && self.graph() != Graph::SetValued {
            return None;
        }
        match (self, name) {
            (Self::Coulomb(law), _) => {
                Self::standing_in(name, &FallingLimit::constant(law.mu), size, inertia)
            }
            (Self::Stribeck(law), "tanh") if law.mu <= law.mu_static => {
                Some(Self::Stribeck(Stribeck { width: Some(size), ..law.clone() }))
            }
            (Self::Stribeck(law), _) => Self::standing_in(name, &law.limit()?, size, inertia),
            (Self::Expression(law), "tanh") => law.with_transition(size).map(Self::Expression),
            (Self::Polyline(law), "linear") => law.with_ramp(size).map(Self::Polyline),
            _ => None,
        }
    }
}
