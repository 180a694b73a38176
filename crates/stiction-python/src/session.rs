//! A motion that Python leads: inputs from step to step, the state read, saved and restored.

use crate::errors;
use crate::guard::guarded;
use crate::study::PyStudy;
use pyo3::prelude::*;
use stiction::Error;
use stiction::simulate::{Session, SessionInput, SessionState};
use stiction::system::InputPlace;
use stiction_study::{Scenario, Task, files_hash, sha256};

/// A motion under way.
#[pyclass(name = "Session", module = "stiction._core")]
pub struct PySession {
    session: Session,
    /// Which system, integrator and inputs a state belongs to.
    system: String,
}

/// SHA-256 of a system without its initial state, of its integrator, of the files that it names and of the places of inputs.
fn identity(scenario: &Scenario, inputs: &[InputIn]) -> String {
    let mut system = serde_json::to_value(&scenario.system).unwrap_or_default();
    for table in system.as_object_mut().into_iter().flat_map(|kinds| kinds.values_mut()) {
        table.as_object_mut().map(|entries| entries.remove("initial"));
    }
    let places: Vec<(&String, &Vec<f64>)> = inputs.iter().map(|(kind, at, ..)| (kind, at)).collect();
    let decides = serde_json::json!([system, scenario.integrator, files_hash(&scenario.system), places]);
    sha256(decides.to_string().as_bytes())
}

/// Where an input acts, a number or a direction with it, its value at the start, and a typical one.
type InputIn = (String, Vec<f64>, f64, f64);
/// Time, positions, velocities, states, inputs.
type StateParts = (f64, Vec<f64>, Vec<f64>, Vec<f64>, Vec<f64>);
/// Positions, velocities, accelerations, sliding velocities, friction forces, states.
type MotionOut = [Vec<f64>; 6];

fn raised(py: Python, error: Error) -> PyErr {
    errors::run(py, None, &error)
}

#[pymethods]
impl PySession {
    #[new]
    fn new(py: Python, study: &PyStudy, inputs: Vec<InputIn>) -> PyResult<Self> {
        guarded(|| {
            let study = study.within(py, None)?;
            let Task::Transient(task) = &study.task else {
                let message = "a session leads the motion of a system on lines".to_owned();
                return Err(errors::value(message, Some("give a scenario with a transient, or a system")));
            };
            if task.prescribed.is_some() {
                let message = "a session has no prescribed motions".to_owned();
                return Err(errors::value(message, Some("lead a belt, or the reference of a controller")));
            }
            let system = identity(&study.scenario, &inputs);
            let n = task.system.n();
            let place = |kind: &str, at: Vec<f64>| -> PyResult<InputPlace> {
                let number = match at[..] {
                    [x] if x >= 0.0 && x.fract() == 0.0 => Some(x as usize),
                    _ => None,
                };
                let odd = || errors::value(format!("{kind} acts at a number from 0, not at {at:?}"), None);
                Ok(match kind {
                    "direction" => InputPlace::Load { direction: at },
                    "load" => match number.ok_or_else(odd)? {
                        dof if dof < n => InputPlace::Load {
                            direction: (0..n).map(|k| if k == dof { 1.0 } else { 0.0 }).collect(),
                        },
                        dof => {
                            let message =
                                format!("load on degree of freedom {dof}, but they are 0 to {}", n - 1);
                            return Err(errors::value(message, None));
                        }
                    },
                    "normal_load" => InputPlace::NormalLoad { contact: number.ok_or_else(odd)? },
                    "belt" => InputPlace::Belt { contact: number.ok_or_else(odd)? },
                    "reference" => InputPlace::Reference { input: number.ok_or_else(odd)? },
                    other => {
                        let message = format!("no input acts on {other}");
                        let hint = Some("one of load, normal_load, belt, reference");
                        return Err(errors::value(message, hint));
                    }
                })
            };
            let mut given = Vec::with_capacity(inputs.len());
            for (kind, at, value, size) in inputs {
                given.push(SessionInput { place: place(&kind, at)?, value, size });
            }
            let session = Session::new(&task.system, &task.integrator, &given);
            session.map(|session| Self { session, system }).map_err(|error| raised(py, error))
        })
    }

    /// Holds an input at a value from now on.
    fn set(&mut self, py: Python, input: usize, value: f64) -> PyResult<()> {
        guarded(|| self.session.set(input, value).map_err(|error| raised(py, error)))
    }

    /// Leads an input to a value by the end of the next advance.
    fn lead(&mut self, py: Python, input: usize, value: f64) -> PyResult<()> {
        guarded(|| self.session.lead(input, value).map_err(|error| raised(py, error)))
    }

    /// Goes on to a time.
    fn advance(&mut self, py: Python, t: f64) -> PyResult<()> {
        guarded(|| {
            let session = &mut self.session;
            py.detach(|| session.advance(t)).map_err(|error| raised(py, error))
        })
    }

    /// Everything that is needed to go on.
    fn state(&self) -> PyResult<StateParts> {
        guarded(|| {
            let SessionState { t, position, velocity, states, inputs } = self.session.state();
            Ok((t, position, velocity, states, inputs))
        })
    }

    /// Goes on from another state.
    fn restore(&mut self, py: Python, state: StateParts) -> PyResult<()> {
        let (t, position, velocity, states, inputs) = state;
        let state = SessionState { t, position, velocity, states, inputs };
        guarded(|| self.session.restore(&state).map_err(|error| raised(py, error)))
    }

    /// The motion at the time reached.
    fn motion(&self) -> PyResult<MotionOut> {
        guarded(|| {
            let m = self.session.motion().clone();
            Ok([m.position, m.velocity, m.acceleration, m.sliding, m.friction, m.states])
        })
    }

    /// The events of the last advance.
    fn events(&self) -> PyResult<Vec<(f64, usize, &'static str)>> {
        guarded(|| {
            let events = self.session.events().iter();
            Ok(events.map(|event| (event.t, event.contact, event.kind.name())).collect())
        })
    }

    /// Which system, integrator and inputs its states belong to.
    #[getter]
    fn system(&self) -> &str {
        &self.system
    }

    /// The time reached (s).
    #[getter]
    fn t(&self) -> f64 {
        self.session.t()
    }
}
