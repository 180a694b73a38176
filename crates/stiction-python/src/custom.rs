//! A friction law that is a Python callable. Each evaluation takes the interpreter's lock: slow, but whatever the reader likes.

use crate::errors;
use crate::guard::guarded;
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use stiction::Faults;
use stiction::law::{
    FrictionBounds, FrictionLaw, Graph, Law, RestBand, Scales, SharedLaw, Slip, StickCriterion,
    breakpoints_within,
};
use stiction_study::{Study, give_law};

/// Velocities at which a callable is tried, each way, over nine decades.
const TRIES: i32 = 60;
/// Half the step of a difference quotient, as a part of the speed: rounding and the third derivative meet.
const DIFFERENCE: f64 = 1e-5;
/// Limits of both sides that differ by less than this part of the largest value are the same.
const SAME: f64 = 1e-9;
/// What follows from tried values may be exceeded between them by this part.
const MARGIN: f64 = 1.05;

/// A law by its callables.
struct Callable {
    name: String,
    f: Py<PyAny>,
    slope: Option<Py<PyAny>>,
    breakpoints: Vec<f64>,
    mu_static: f64,
    reach: f64,
    /// Limits at rest, from below and from above.
    beside_rest: [f64; 2],
    largest: f64,
    steepest: f64,
    stick_speed: f64,
    /// The first exception, which ends the run.
    raised: Mutex<Option<PyErr>>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Callable {
    /// A number of a callable; NaN once something has been raised.
    fn ask(&self, f: &Py<PyAny>, v: f64) -> f64 {
        if locked(&self.raised).is_some() {
            return f64::NAN;
        }
        let answer = Python::attach(|py| f.call1(py, (v,))?.extract::<f64>(py));
        let answer = answer.and_then(|x| {
            let message = || format!("the law {} gives {x} at v = {v} m/s, but it must be finite", self.name);
            if x.is_finite() { Ok(x) } else { Err(errors::value(message(), None)) }
        });
        answer.unwrap_or_else(|error| {
            locked(&self.raised).get_or_insert(error);
            f64::NAN
        })
    }

    fn value(&self, v: f64) -> f64 {
        self.ask(&self.f, v.clamp(-self.reach, self.reach))
    }

    /// The coefficients at rest.
    fn rest(&self) -> RestBand {
        RestBand::new(self.beside_rest, self.mu_static, SAME * self.largest)
    }

    /// The first of the tried speeds with nearly the largest friction on the way out (m/s).
    fn first_peak(&self) -> f64 {
        let speeds =
            (0..=TRIES).rev().map(|k| self.reach * 10f64.powf(-9.0 * f64::from(k) / f64::from(TRIES)));
        let mut best = (0.0, 0.0);
        for speed in speeds {
            let phi = self.value(speed).abs();
            if phi < best.1 {
                break;
            }
            if phi > best.1 * (1.0 + 1e-3) {
                best = (speed, phi);
            }
        }
        best.0
    }

    /// Tries the callable, and takes what follows from it.
    fn tried(mut self) -> PyResult<Self> {
        let mut steepest = 0.0f64;
        for sign in [-1.0, 1.0] {
            for k in 0..=TRIES {
                let v = sign * self.reach * 10f64.powf(-9.0 * f64::from(k) / f64::from(TRIES));
                let (phi, slope) = (self.value(v), self.slope(Slip::at(v)));
                if let Some(error) = locked(&self.raised).take() {
                    return Err(error);
                }
                if phi * sign < 0.0 {
                    let name = &self.name;
                    let message = format!("the law {name} gives {phi} at v = {v} m/s: friction would push");
                    let hint = "it must have the sign of v: multiply a function of the speed by np.sign(v)";
                    return Err(errors::value(message, Some(hint)));
                }
                self.largest = self.largest.max(phi.abs());
                steepest = steepest.max(slope.abs());
            }
        }
        // as near as sliding begins: otherwise a contact would break away and be pushed back
        self.beside_rest = [-f64::MIN_POSITIVE, f64::MIN_POSITIVE].map(|v| self.value(v));
        if let Some(error) = locked(&self.raised).take() {
            return Err(error);
        }
        self.steepest = MARGIN * steepest;
        self.stick_speed = self.first_peak();
        let beside = self.beside_rest[1].max(-self.beside_rest[0]);
        if self.mu_static > 0.0 && self.mu_static < beside {
            let message = format!("mu_static = {}, but it must be at least {beside}", self.mu_static);
            return Err(errors::value(message, Some("friction at rest is not below that of sliding")));
        }
        Ok(self)
    }
}

impl Law for Callable {
    fn check(&self, _faults: &mut Faults) {}
    fn coefficient(&self, Slip { v, demand, .. }: Slip) -> f64 {
        if v == 0.0 { self.rest().coefficient(demand) } else { self.value(v) }
    }
    fn slope(&self, Slip { v, .. }: Slip) -> f64 {
        if v.abs() >= self.reach || v == 0.0 && self.graph() == Graph::SetValued {
            return 0.0;
        }
        if let Some(slope) = &self.slope {
            return self.ask(slope, v);
        }
        // a step that never reaches the other side of rest
        let h = DIFFERENCE * v.abs().max(1e-6 * self.reach);
        let out = h.copysign(v);
        let (far, near) = (v + out, if v.abs() <= h { v } else { v - out });
        (self.value(far) - self.value(near)) / (far - near)
    }
    fn bound(&self) -> f64 {
        (MARGIN * self.largest).max(self.mu_static)
    }
    fn scales(&self) -> Scales {
        let is_set_valued = self.graph() == Graph::SetValued;
        Scales {
            steepest: (!is_set_valued).then_some(self.steepest),
            stick: StickCriterion::Speed(if is_set_valued { 0.0 } else { self.stick_speed }),
            reach: Some(self.reach),
            known_to: self.reach,
            ..Scales::default()
        }
    }
    fn breakpoints(&self) -> Vec<f64> {
        breakpoints_within(self.reach, &self.breakpoints)
    }
    fn graph(&self) -> Graph {
        self.rest().graph()
    }
    fn friction_bounds(&self, v: f64, _z: &[f64]) -> Option<FrictionBounds> {
        if v == 0.0 { self.rest().bounds() } else { None }
    }
}

/// All callables that somebody holds, by name.
static CALLABLES: Mutex<BTreeMap<String, Weak<Callable>>> = Mutex::new(BTreeMap::new());

/// Holds a law that is a callable.
#[pyclass(name = "CustomLaw", frozen, module = "stiction._core")]
pub struct PyCustomLaw {
    _law: Arc<Callable>,
}

#[pymethods]
impl PyCustomLaw {
    #[new]
    fn new(
        name: String,
        f: Py<PyAny>,
        slope: Option<Py<PyAny>>,
        breakpoints: Vec<f64>,
        mu_static: Option<f64>,
        reach: f64,
    ) -> PyResult<Self> {
        if !(reach.is_finite() && reach > 0.0) {
            return Err(errors::value(format!("reach = {reach}, but it must be positive"), None));
        }
        let mu_static = mu_static.unwrap_or(0.0);
        if !(mu_static.is_finite() && mu_static >= 0.0) {
            return Err(errors::value(format!("mu_static = {mu_static}, but it must not be negative"), None));
        }
        if breakpoints.iter().any(|v| !v.is_finite()) {
            return Err(errors::value("breakpoints must be finite numbers".into(), None));
        }
        let (beside_rest, largest, raised) = ([0.0; 2], 0.0, Mutex::new(None));
        let law = Callable {
            name,
            f,
            slope,
            breakpoints,
            mu_static,
            reach,
            beside_rest,
            largest,
            steepest: 0.0,
            stick_speed: 0.0,
            raised,
        };
        let law = guarded(|| law.tried().map(Arc::new))?;
        let mut callables = locked(&CALLABLES);
        callables.retain(|_, law| law.strong_count() > 0);
        callables.insert(law.name.clone(), Arc::downgrade(&law));
        give_law(&law.name, &SharedLaw(law.clone()));
        Ok(Self { _law: law })
    }
}

/// What the callable of a law has raised, if it is one.
pub fn raised_by(law: &FrictionLaw) -> Option<PyErr> {
    let FrictionLaw::Custom(custom) = law.forward() else { return None };
    let law = locked(&CALLABLES).get(&custom.name).and_then(Weak::upgrade)?;
    locked(&law.raised).take()
}

/// What the callables of a study have raised.
pub fn raised(study: &Study) -> Option<PyErr> {
    let acting = study.scenario.system.acting()?;
    acting.friction.iter().find_map(|contact| raised_by(&contact.law))
}
