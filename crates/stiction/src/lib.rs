//! Dry friction: laws, the systems they act on, and the integrators that carry them.
//!
//! The core reads no file, no clock and no environment: numbers in, numbers out. SI units throughout. Models
//! are plain data with public fields; `check` names every fault of a model at its key, and after a clean
//! check evaluation does not fail.
//!
//! # A block on a spring that sticks and slips
//!
//! Coulomb's law as it is, from event to event, without a step size:
//!
//! ```
//! use stiction::law::{Coulomb, FrictionLaw};
//! use stiction::simulate::{Integrator, Plan, drive};
//! use stiction::system::System;
//! use stiction::{Error, Faults, Progress};
//!
//! let coulomb = FrictionLaw::Coulomb(Coulomb { mu: 0.3, mu_static: Some(0.4) });
//! // 1 kg on 1 N/m, pushed by 0.5 sin(0.2 t) N, on the ground with a normal load of 1 N
//! let system = System::oscillator(1.0, 0.0, 1.0).with_friction(coulomb).with_force(0.5, 0.2);
//! assert!(Faults::of(|faults| system.check(faults)).is_empty());
//!
//! let record = drive(&system, &Integrator::Exact, &Plan::new(100.0, 501), &mut Progress::none())?;
//! let stuck = record.stick_fraction[0].unwrap_or(0.0);
//! println!("sticks {:.0} % of the time, {} events", 100.0 * stuck, record.events.len());
//! assert!(stuck > 0.5 && record.warnings.is_empty());
//! # Ok::<(), Error>(())
//! ```
//!
//! # A disc that slides and spins
//!
//! The friction of a patch couples translation and spin: a spinning disc slides farther.
//!
//! ```
//! use stiction::patch::{Disc, Patch, Pressure, Shape, Twist};
//!
//! let disc = Shape::Disc(Disc { radius: 0.1 });
//! let friction = Patch::new(disc, Pressure::Uniform, 0.3, 10.0).prepare().expect("a sound patch");
//! let sliding = friction.wrench(Twist { vx: 1.0, vy: 0.0, omega: 0.0 });
//! let spinning = friction.wrench(Twist { vx: 1.0, vy: 0.0, omega: 30.0 });
//! assert_eq!(sliding.fx, -3.0);
//! assert!(spinning.fx > -2.0 && spinning.mz < 0.0);
//! ```
//!
//! # Periodic motions without transients
//!
//! ```
//! use stiction::law::{Coulomb, FrictionLaw};
//! use stiction::steady::Steady;
//! use stiction::system::System;
//! use stiction::{Error, Progress};
//!
//! let coulomb = FrictionLaw::Coulomb(Coulomb { mu: 0.5, mu_static: None });
//! let system = System::oscillator(1.0, 0.0, 1.0).with_friction(coulomb).with_force(1.0, 0.7);
//! let orbits = Steady::default().find(&system, &mut Progress::none())?;
//! let orbit = &orbits[0];
//! println!("amplitude {} m, {} stops a period", orbit.amplitude, orbit.stops);
//! assert!(orbit.is_stable() && (orbit.energy.work_in - orbit.energy.friction_loss).abs() < 1e-9);
//! # Ok::<(), Error>(())
//! ```
//!
//! # Which call answers which question
//!
//! | question | call |
//! |---|---|
//! | What is the friction coefficient at this velocity? | [`Law::coefficient`](law::Law::coefficient), [`SteadySliding`](law::SteadySliding) for laws with memory |
//! | How does the system move? | [`simulate::drive`] with an [`Integrator`](simulate::Integrator) and a [`Plan`](simulate::Plan) |
//! | When exactly does it stick? | [`exact::Exact`], or `drive` with [`Integrator::Exact`](simulate::Integrator::Exact) |
//! | Which periodic motions are there, and are they stable? | [`Steady::find`](steady::Steady::find) |
//! | How does the amplitude depend on a parameter? | [`steady::sweep`], through folds [`Continuation::run`](steady::Continuation::run) |
//! | Where does the motion stop repeating itself? | [`steady::bifurcation`] |
//! | Does steady sliding squeal? | [`stability::steady_sliding`] |
//! | A few harmonics of a large model? | [`harmonic::HarmonicBalance`] |
//! | What force and moment resist a motion in the plane? | [`PatchFriction::wrench`](patch::PatchFriction::wrench) |
//! | Which load moves the patch? | [`LimitSurface::limit`](patch::LimitSurface::limit) |
//! | How far does a body slide, and how does it stop? | [`Body::simulation`](body::Body::simulation) |
//! | What is wrong with my numbers? | `check` of every model; [`Warning`] beside every result |
//! | How far is it, and how do I stop it? | [`Progress`] |
//!
//! The feature `serde` (on by default) lets models be read and written as text and gives them a JSON Schema.

#![warn(clippy::unwrap_used, clippy::expect_used)]

#[cfg(feature = "serde")]
mod absent;
pub mod body;
mod contact;
mod error;
pub mod event;
pub mod exact;
mod fault;
pub mod formula;
pub mod harmonic;
pub mod law;
pub mod math;
mod number;
pub mod ode;
pub mod patch;
mod progress;
mod record;
pub mod simulate;
pub mod stability;
pub mod steady;
pub mod structure;
pub mod system;
mod warning;

pub use error::Error;
pub use fault::{Fault, Faults};
pub use number::ShortNumber;
pub use progress::Progress;
pub use warning::Warning;
