//! Co-simulation: inputs are set from step to step, the state is read, saved and restored.
//!
//! What an FMU, a fit or another simulator asks of a system. Between two stops of a session the motion is as
//! exact as the integrator: events, points of tables and what inputs set off are found inside. An advance
//! depends on nothing but the state and the inputs, so that a session that is restored goes on bit by bit as
//! the one that was saved.
//!
//! ```
//! use stiction::law::{Coulomb, FrictionLaw};
//! use stiction::simulate::{Integrator, Session, SessionInput};
//! use stiction::system::{InputPlace, System};
//!
//! // a block on the ground, which holds up to 0.5 N
//! let law = FrictionLaw::Coulomb(Coulomb { mu: 0.5, mu_static: None });
//! let block = System::oscillator(1.0, 0.0, 0.0).with_friction(law);
//! let push = SessionInput::new(InputPlace::Load { direction: vec![1.0] });
//! let mut session = Session::new(&block, &Integrator::Exact, &[push])?;
//! session.lead(0, 1.0)?;
//! session.advance(1.0)?; // the push grows to 1 N; at 0.5 N the block lets go
//! assert_eq!(session.events()[0].t, 0.5);
//! let saved = session.state();
//! session.set(0, 0.0)?;
//! session.advance(5.0)?;
//! assert_eq!(session.motion().velocity, [0.0]);
//! session.restore(&saved)?;
//! assert_eq!(session.motion().t, 1.0);
//! # Ok::<(), stiction::Error>(())
//! ```

use super::{Integrator, Propagator};
use crate::event::Event;
use crate::system::{InputPlace, InputSlot, Motion, System};
use crate::{Error, Faults};

/// An input of a session.
#[derive(Clone, Debug, PartialEq)]
pub struct SessionInput {
    /// Where it acts.
    pub place: InputPlace,
    /// Its value at the start.
    pub value: f64,
    /// A typical value: `adaptive` measures small motions by it.
    pub size: f64,
}

impl SessionInput {
    /// An input that is zero at the start, and typically 1.
    pub fn new(place: InputPlace) -> Self {
        Self { place, value: 0.0, size: 1.0 }
    }
}

/// Everything that a session needs to go on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SessionState {
    /// Time (s).
    pub t: f64,
    /// Positions (m).
    pub position: Vec<f64>,
    /// Velocities (m/s).
    pub velocity: Vec<f64>,
    /// Internal states of the laws, contact by contact, then states of feedback.
    pub states: Vec<f64>,
    /// The inputs.
    pub inputs: Vec<f64>,
}

/// A motion under way.
pub struct Session {
    engine: Box<dyn Propagator>,
    slots: Vec<InputSlot>,
    /// Where the inputs go by the end of the next advance.
    targets: Vec<f64>,
    now: SessionState,
    motion: Motion,
    events: Vec<Event>,
}

/// Most steps of an advance, some minutes.
const MAX_STEPS: u64 = 100_000_000;

impl Session {
    /// Starts a system that has passed its check, at its initial state and t = 0, by `exact` or `adaptive`.
    pub fn new(system: &System, integrator: &Integrator, inputs: &[SessionInput]) -> Result<Self, Error> {
        let mut system = system.clone();
        let mut slots = Vec::with_capacity(inputs.len());
        for input in inputs {
            let faults = Faults::of(|faults| {
                input.place.check(&system, faults);
                faults.finite("value", input.value);
                faults.positive("size", input.size);
            });
            if let Some(fault) = faults.into_iter().next() {
                return Err(fault.error);
            }
            slots.push(input.place.add_to(&mut system, input.size));
        }
        if let Some(fault) = Faults::of(|faults| integrator.admit(&system, faults)).into_iter().next() {
            return Err(fault.error);
        }
        let n_states = system.initial_states().len();
        let engine = integrator.propagator(&system)?;
        let start = SessionState {
            t: 0.0,
            position: system.position.clone(),
            velocity: system.velocity.clone(),
            states: system.initial_states(),
            inputs: inputs.iter().map(|input| input.value).collect(),
        };
        let mut session = Self {
            engine,
            slots,
            targets: start.inputs.clone(),
            now: start.clone(),
            motion: Motion::zero(system.n(), system.contacts.len()).with_states(n_states),
            events: Vec::new(),
        };
        session.restore(&start)?;
        Ok(session)
    }

    /// The time reached (s).
    pub fn t(&self) -> f64 {
        self.now.t
    }

    /// The motion at the time reached, with its states.
    pub fn motion(&self) -> &Motion {
        &self.motion
    }

    /// The events inside the last advance, which `exact` finds. What an input that jumps sets off at once is
    /// none.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// Everything that is needed to go on.
    pub fn state(&self) -> SessionState {
        self.now.clone()
    }

    /// Goes on from another state, whether this session has been there or another one of the same system and
    /// inputs.
    pub fn restore(&mut self, state: &SessionState) -> Result<(), Error> {
        let pairs = [
            (&state.position, &self.now.position),
            (&state.velocity, &self.now.velocity),
            (&state.states, &self.now.states),
            (&state.inputs, &self.now.inputs),
        ];
        for (given, own) in pairs {
            if given.len() != own.len() {
                return Err(Error::Counts { found: given.len(), expected: own.len(), of: "states" });
            }
            if let Some(x) = given.iter().chain([&state.t]).find(|x| !x.is_finite()) {
                return Err(Error::NotFinite(*x));
            }
        }
        let before = std::mem::replace(&mut self.now, state.clone());
        self.targets.copy_from_slice(&state.inputs);
        match self.begin(state.t) {
            Ok(()) => {
                self.engine.motion(self.engine.t(), &mut self.motion);
                self.events.clear();
                Ok(())
            }
            Err(error) => {
                self.now = before;
                self.targets.copy_from_slice(&self.now.inputs);
                Err(error)
            }
        }
    }

    /// Holds an input at a value from now on.
    pub fn set(&mut self, input: usize, value: f64) -> Result<(), Error> {
        self.lead(input, value)?;
        self.now.inputs[input] = value;
        Ok(())
    }

    /// Leads an input along a straight line, so that it has this value by the end of the next advance.
    pub fn lead(&mut self, input: usize, value: f64) -> Result<(), Error> {
        let limit = self.targets.len() as f64;
        let Some(target) = self.targets.get_mut(input) else {
            let because = "inputs are counted from 0";
            return Err(Error::NotBelow { value: input as f64, limit, because });
        };
        if !value.is_finite() {
            return Err(Error::NotFinite(value));
        }
        *target = value;
        Ok(())
    }

    /// Goes on to the time `t`; after an error the session is where it was.
    pub fn advance(&mut self, t: f64) -> Result<(), Error> {
        if !t.is_finite() {
            return Err(Error::NotFinite(t));
        }
        if t < self.now.t {
            let because = "a session does not go back; restore a state instead";
            return Err(Error::TooSmall { value: t, limit: self.now.t, because });
        }
        self.events.clear();
        if t == self.now.t {
            return Ok(());
        }
        self.begin(t)?;
        let mut steps = 0;
        while self.engine.t() < t {
            self.engine.step(t)?;
            self.events.extend_from_slice(self.engine.events());
            steps += 1;
            if steps > MAX_STEPS {
                return Err(Error::TooManySteps { t: self.engine.t(), limit: MAX_STEPS });
            }
        }
        self.engine.motion(self.engine.t(), &mut self.motion);
        let now = &mut self.now;
        now.t = t;
        now.position.copy_from_slice(&self.motion.position);
        now.velocity.copy_from_slice(&self.motion.velocity);
        now.states.copy_from_slice(&self.motion.states);
        now.inputs.copy_from_slice(&self.targets);
        Ok(())
    }

    /// Starts the engine from the present state, with inputs on their way until `t`.
    fn begin(&mut self, t: f64) -> Result<(), Error> {
        let now = &self.now;
        for ((slot, from), to) in self.slots.iter().zip(&now.inputs).zip(&self.targets) {
            if let Some(table) = self.engine.input_table(*slot) {
                table.set_line([now.t, t], [*from, *to]);
            }
        }
        let mut x = [&now.position[..], &now.velocity, &now.states].concat();
        x.resize(self.engine.n_state(), 0.0);
        self.engine.begin(now.t, &x)
    }
}
