//! The exact method: no step size, every phase exact to rounding, every event located to rounding.
//!
//! For Coulomb's law (static ≥ kinetic), every law whose graph is a polyline, and springs with sliders
//! (Jenkins, Iwan), beside stops, signals, feedback and piecewise linear springs. Between events each element
//! has a fixed mode, so the motion is linear: in closed form for one degree of freedom under constant and
//! harmonic loads, otherwise by Taylor series with a proved remainder or in natural modes. The first event is
//! isolated for certain, from bounds on the derivatives and not from samples; a load that only touches the
//! limit of static friction is held.
//!
//! While a contact sticks its sliding velocity is exactly zero. Redundant contacts share the load by the least
//! Σ √G h²/L; that choice has no influence on the motion. With static friction above kinetic friction and
//! several contacts more than one continuation may exist: then as many contacts stick as can, and the one that
//! exceeds its limit most slips first.
//!
//! ```
//! use stiction::exact::Exact;
//! use stiction::law::{Coulomb, FrictionLaw};
//! use stiction::system::{Motion, System};
//!
//! let law = FrictionLaw::Coulomb(Coulomb { mu: 0.8, mu_static: Some(1.2) });
//! let system = System::oscillator(1.0, 0.05, 1.0).with_friction(law).with_force(2.0, 0.5);
//! let (mut exact, mut motion) = (Exact::new(&system)?, Motion::zero(1, 1));
//! while exact.t() < 20.0 {
//!     exact.step(20.0)?;
//!     exact.motion(0.5 * (exact.start() + exact.t()), &mut motion);
//!     for event in exact.events() {
//!         println!("{} at {} s", event.kind.name(), event.t);
//!     }
//! }
//! # Ok::<(), stiction::Error>(())
//! ```

mod characteristic;
mod elementary;
mod extrema;
mod forced;
mod load_harmonics;
mod modal;
mod oscillator;
mod panel;
mod polyline;
mod root_isolation;
mod series_root;
mod single;
mod taylor;
mod time;

use crate::Error;
use crate::event::Event;
use crate::math::dense::Matrix;
use crate::record::{Balance, Ranges};
use crate::system::{InputSlot, Motion, System, TimeTable, limits};
use single::Single;
use taylor::Taylor;

/// Phases between two looks at the progress made.
const WATCHED: u64 = 1000;
/// So many phases within this fraction of the system's own time (1/rate), or without one of the time so far,
/// are an accumulation.
const INSTANT: f64 = 1e-9;

#[derive(Clone, Debug)]
enum Dispatch {
    Single(Box<Single>),
    Taylor(Box<Taylor>),
}

/// Whether some contact is made of springs with sliders.
pub(crate) fn has_sliders(system: &System) -> bool {
    system.contacts.iter().any(|contact| contact.friction.law.sliders().is_some())
}

/// A motion that is carried from event to event.
#[derive(Clone, Debug)]
pub struct Exact {
    method: Dispatch,
    rate: f64,
    n_steps: u64,
    /// Steps and time at the last look at the progress.
    watched: (u64, f64),
}

impl Exact {
    /// Prepares a system that has passed its check, at its initial state and t = 0.
    pub fn new(system: &System) -> Result<Self, Error> {
        let limits = limits(system).ok_or(Error::NotPositiveDefinite)?;
        let (method, rate) = if system.n() == 1 && !system.is_general() && !has_sliders(system) {
            let not_polyline = |contact: usize| Error::NotPiecewiseLinear {
                contact,
                law: system.contacts[contact].friction.law.name(),
            };
            let mut single = Single::new(system).map_err(not_polyline)?;
            single.largest = limits[1];
            let rate = single.rate();
            (Dispatch::Single(Box::new(single)), rate)
        } else {
            let mut taylor = Taylor::new(system)?;
            taylor.largest = limits;
            let rate = taylor.rate();
            (Dispatch::Taylor(Box::new(taylor)), rate)
        };
        Ok(Self { method, rate, n_steps: 0, watched: (0, f64::NEG_INFINITY) })
    }

    /// Starts again at time `t` from another state.
    pub fn restart(&mut self, t: f64, position: &[f64], velocity: &[f64]) -> Result<(), Error> {
        self.watched = (self.n_steps, f64::NEG_INFINITY);
        match &mut self.method {
            Dispatch::Single(single) => single.restart(t, position[0], velocity[0]),
            Dispatch::Taylor(taylor) => taylor.restart(t, position, velocity, None)?,
        }
        Ok(())
    }

    /// The same with states of feedback, as many as [`Exact::n_states`] says.
    pub fn restart_with(
        &mut self,
        t: f64,
        position: &[f64],
        velocity: &[f64],
        states: &[f64],
    ) -> Result<(), Error> {
        match &mut self.method {
            Dispatch::Taylor(taylor) if states.len() == taylor.n_states() => {
                self.watched = (self.n_steps, f64::NEG_INFINITY);
                taylor.restart(t, position, velocity, Some(states))
            }
            _ => self.restart(t, position, velocity),
        }
    }

    /// The table of an input; it counts from the next start on.
    pub(crate) fn input_table(&mut self, slot: InputSlot) -> Option<&mut TimeTable> {
        match &mut self.method {
            Dispatch::Taylor(taylor) => taylor.input_table(slot),
            Dispatch::Single(_) => None,
        }
    }

    /// Number of states of feedback.
    pub fn n_states(&self) -> usize {
        match &self.method {
            Dispatch::Taylor(taylor) => taylor.n_states(),
            Dispatch::Single(_) => 0,
        }
    }

    /// Rates of the states of feedback at [`Exact::t`].
    pub(crate) fn state_rates(&self, out: &mut [f64]) {
        if let Dispatch::Taylor(taylor) = &self.method {
            taylor.state_rates(out);
        }
    }

    /// The rate to which the cost of a motion in modes is tied, whatever their fastest (1/s).
    pub(crate) fn pace(&self) -> Option<f64> {
        match &self.method {
            Dispatch::Single(_) => None,
            Dispatch::Taylor(taylor) => taylor.pace(),
        }
    }

    /// The time reached (s).
    #[inline]
    pub fn t(&self) -> f64 {
        match &self.method {
            Dispatch::Single(single) => single.t(),
            Dispatch::Taylor(taylor) => taylor.t(),
        }
    }

    /// From here to [`Exact::t`] the motion can be asked (s).
    pub fn start(&self) -> f64 {
        match &self.method {
            Dispatch::Single(single) => single.start(),
            Dispatch::Taylor(taylor) => taylor.start(),
        }
    }

    /// Goes on to the next event, or to `t_end` if that is earlier. With several degrees of freedom a stretch
    /// may also end without event.
    pub fn step(&mut self, t_end: f64) -> Result<(), Error> {
        match &mut self.method {
            Dispatch::Single(single) => single.step(t_end)?,
            Dispatch::Taylor(taylor) => taylor.step(t_end)?,
        }
        self.n_steps += 1;
        if self.n_steps - self.watched.0 >= WATCHED {
            let span = self.t() - self.watched.1;
            let own = if self.rate > 0.0 { 1.0 / self.rate } else { self.t().abs() };
            if self.t() < t_end && span < INSTANT * own {
                let contacts = self.events().iter().map(|event| event.contact).collect();
                return Err(Error::EventsAccumulate { t: self.t(), span, n: WATCHED, contacts });
            }
            self.watched = (self.n_steps, self.t());
        }
        Ok(())
    }

    /// The events at [`Exact::t`].
    #[inline]
    pub fn events(&self) -> &[Event] {
        match &self.method {
            Dispatch::Single(single) => &single.events,
            Dispatch::Taylor(taylor) => &taylor.events,
        }
    }

    /// The whole motion at `t`, between [`Exact::start`] and [`Exact::t`]; at an event what holds just after
    /// it.
    pub fn motion(&mut self, t: f64, out: &mut Motion) {
        match &mut self.method {
            Dispatch::Single(single) => single.motion(t, out),
            Dispatch::Taylor(taylor) => taylor.motion(t, out),
        }
    }

    /// The whole motion at `t`, between [`Exact::start`] and [`Exact::t`]; at an event what holds just before
    /// it.
    pub fn motion_before(&mut self, t: f64, out: &mut Motion) {
        match &mut self.method {
            Dispatch::Single(single) => single.motion_before(t, out),
            Dispatch::Taylor(taylor) => taylor.motion_before(t, out),
        }
    }

    /// Adds the work done between two times from [`Exact::start`] to [`Exact::t`] to `balance`, and the
    /// extrema there to `ranges`: those inside, and what holds at the end of the span, on both sides of an
    /// event there.
    pub(crate) fn accumulate(
        &mut self,
        span: [f64; 2],
        ranges: Option<&mut Ranges>,
        balance: &mut Balance,
    ) -> Result<(), Error> {
        match &mut self.method {
            Dispatch::Single(single) => single.accumulate(span, ranges, balance),
            Dispatch::Taylor(taylor) => {
                taylor.accumulate(span, ranges, balance);
                Ok(())
            }
        }
    }

    /// A sliding velocity of contact `i` inside the last step (m/s): exact where it is constant, else one on
    /// the same piece of the contact's law.
    #[inline]
    pub(crate) fn sliding_inside(&self, i: usize) -> f64 {
        match &self.method {
            Dispatch::Single(single) => single.sliding_inside(i),
            Dispatch::Taylor(taylor) => taylor.sliding_inside(i),
        }
    }

    /// Carries small differences of the state, the columns (δq, δq̇), with those of the states of feedback
    /// below them, of `differences`, from the time `from` between [`Exact::start`] and [`Exact::t`] to the
    /// latter and through the events there: the derivative of the motion.
    pub fn carry(&self, from: f64, differences: &mut Matrix) {
        match &self.method {
            Dispatch::Single(single) => single.carry(from, differences),
            Dispatch::Taylor(taylor) => taylor.carry(from, differences),
        }
    }
}
