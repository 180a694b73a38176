//! A friction law, evaluated.

use crate::arrays::{Real, broadcast, filled, map, number, real, slice};
use crate::custom::raised_by;
use crate::guard::guarded;
use crate::{errors, tree};
use keyed::Document;
use numpy::{PyArray1, PyReadonlyArrayDyn, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyFloat;
use stiction::law::{Friction, FrictionLaw, Graph, Law as _, Slip, SteadySliding};
use stiction_study::LawCurve;

/// A checked friction law with its viscous part.
#[pyclass(name = "Law", frozen, module = "stiction._core")]
pub struct PyLaw {
    curve: LawCurve,
}

/// Points of the longest grid: more would fill the memory.
const MOST: usize = 100_000_000;

pub type PyAnyRef<'a, 'py> = &'a Bound<'py, PyAny>;

/// What is asked of a law, for many slips.
trait Asked: Send + Sync {
    fn fill<'a>(&self, slips: impl Iterator<Item = Slip<'a>> + Clone, out: &mut [f64]);
}

/// The coefficients, by a loop of each law's own.
struct Coefficients<'a>(&'a Friction);

impl Asked for Coefficients<'_> {
    fn fill<'a>(&self, slips: impl Iterator<Item = Slip<'a>> + Clone, out: &mut [f64]) {
        self.0.coefficients(slips, out);
    }
}

/// The coefficients of steady sliding.
struct SteadyCoefficients<'a>(&'a Friction);

impl Asked for SteadyCoefficients<'_> {
    fn fill<'a>(&self, slips: impl Iterator<Item = Slip<'a>> + Clone, out: &mut [f64]) {
        let mut steady = SteadySliding::new(self.0);
        for (x, slip) in out.iter_mut().zip(slips) {
            *x = steady.coefficient(slip.v, slip.demand);
        }
    }
}

/// A number for each slip.
struct Each<F>(F);

impl<F: Fn(Slip) -> f64 + Send + Sync> Asked for Each<F> {
    fn fill<'a>(&self, slips: impl Iterator<Item = Slip<'a>> + Clone, out: &mut [f64]) {
        for (x, slip) in out.iter_mut().zip(slips) {
            *x = self.0(slip);
        }
    }
}

/// Numbers that may be absent.
type Given<'a, 'py> = Option<PyAnyRef<'a, 'py>>;
/// Inputs of a law, as Python gives them.
#[derive(Clone, Copy)]
struct SlipArrays<'a, 'py> {
    v: PyAnyRef<'a, 'py>,
    demand: Given<'a, 'py>,
    z: Given<'a, 'py>,
}

/// Numbers, as Python gets them.
type Answer<'py> = PyResult<Bound<'py, PyAny>>;

#[pymethods]
impl PyLaw {
    #[new]
    fn new(py: Python, tree: PyAnyRef) -> PyResult<Self> {
        guarded(|| {
            let document = Document::from_tree("", tree::node(tree)?);
            let curve = LawCurve::from_document(document, 0.0);
            curve.map(|curve| Self { curve }).map_err(|faults| errors::scenario(py, &faults))
        })
    }

    /// The friction coefficient (-).
    #[pyo3(signature = (v, demand=None, z=None))]
    fn coefficient<'py>(
        &self,
        v: PyAnyRef<'_, 'py>,
        demand: Given<'_, 'py>,
        z: Given<'_, 'py>,
    ) -> Answer<'py> {
        let friction = &self.curve.friction;
        match z {
            None if friction.law.has_memory() => {
                self.map(SlipArrays { v, demand, z }, SteadyCoefficients(friction))
            }
            _ => self.map(SlipArrays { v, demand, z }, Coefficients(friction)),
        }
    }

    /// Its slope over the velocity (s/m); infinite at rest where the curve jumps.
    #[pyo3(signature = (v, demand=None, z=None))]
    fn slope<'py>(&self, v: PyAnyRef<'_, 'py>, demand: Given<'_, 'py>, z: Given<'_, 'py>) -> Answer<'py> {
        let friction = &self.curve.friction;
        match z {
            None if friction.law.has_memory() => {
                self.map(SlipArrays { v, demand, z }, Each(|s: Slip| self.curve.slope(s.v)))
            }
            None => {
                let jumps = self.curve.jumps_at_rest();
                let slope = |s: Slip| if jumps && s.v == 0.0 { f64::INFINITY } else { friction.slope(s) };
                self.map(SlipArrays { v, demand, z }, Each(slope))
            }
            _ => self.map(SlipArrays { v, demand, z }, Each(|s: Slip| friction.slope(s))),
        }
    }

    /// Rate of the internal state (m/s).
    fn z_dot<'py>(&self, v: PyAnyRef<'_, 'py>, z: PyAnyRef<'_, 'py>) -> Answer<'py> {
        let law = &self.curve.friction.law;
        self.map(
            SlipArrays { v, demand: None, z: Some(z) },
            Each(|slip: Slip| {
                let mut rate = [0.0];
                law.state_dot(slip, &mut rate);
                rate[0]
            }),
        )
    }

    /// Internal state of steady sliding (m).
    fn z_steady<'py>(&self, v: PyAnyRef<'_, 'py>) -> Answer<'py> {
        self.one_state()?;
        let law = &self.curve.friction.law;
        self.map(
            SlipArrays { v, demand: None, z: None },
            Each(|slip: Slip| {
                let mut state = [0.0];
                law.steady_states(slip.v, &mut state);
                state[0]
            }),
        )
    }

    /// Velocities that show all of the law (m/s).
    fn grid<'py>(&self, py: Python<'py>, n: i64) -> PyResult<Bound<'py, PyArray1<f64>>> {
        match usize::try_from(n) {
            Ok(n @ 2..=MOST) => guarded(|| Ok(PyArray1::from_vec(py, self.curve.grid(n)))),
            _ => Err(errors::value(format!("n = {n}, but a grid has 2 to {MOST} points"), None)),
        }
    }

    /// The kind of graph: continuous, jump or set-valued.
    #[getter]
    fn graph(&self) -> PyResult<&'static str> {
        guarded(|| {
            Ok(match self.curve.friction.law.graph() {
                Graph::Continuous => "continuous",
                Graph::Jump => "jump",
                Graph::SetValued => "set-valued",
            })
        })
    }

    /// Velocities at which the graph has a kink (m/s).
    #[getter]
    fn breakpoints(&self) -> PyResult<Vec<f64>> {
        guarded(|| Ok(self.curve.friction.law.breakpoints()))
    }

    /// Corners (v, φ) of a graph of straight pieces; None for any other.
    #[getter]
    fn corners(&self) -> PyResult<Option<Vec<[f64; 2]>>> {
        guarded(|| Ok(self.curve.friction.law.corners()))
    }

    /// The largest slope (s/m).
    #[getter]
    fn steepest(&self) -> PyResult<f64> {
        guarded(|| Ok(self.curve.friction.law.steepest()))
    }

    /// The largest coefficient (-).
    #[getter]
    fn bound(&self) -> PyResult<f64> {
        guarded(|| Ok(self.curve.friction.law.bound()))
    }

    /// Names and units of the internal states.
    #[getter]
    fn states(&self) -> PyResult<Vec<(String, &'static str)>> {
        let names = |law: &FrictionLaw| {
            law.states().names().into_iter().map(|state| (state.name, state.unit)).collect()
        };
        guarded(|| Ok(names(&self.curve.friction.law)))
    }

    /// Whether the law has internal states.
    #[getter]
    fn has_memory(&self) -> PyResult<bool> {
        guarded(|| Ok(self.curve.friction.law.has_memory()))
    }

    /// The figure of `stiction law`, as SVG.
    fn svg(&self) -> PyResult<String> {
        guarded(|| Ok(figure::svg(&stiction_render::law_curve(&self.curve))))
    }
}

impl PyLaw {
    /// Refuses a law with several internal states, which one number z cannot hold.
    fn one_state(&self) -> PyResult<()> {
        match self.curve.friction.law.n_states() {
            0 | 1 => Ok(()),
            n => {
                let message = format!("the law has {n} internal states, but z is one number");
                Err(errors::value(message, Some("leave z out: the law then slides steadily")))
            }
        }
    }

    /// What is `asked` for every velocity, with demand and internal state beside it; what a callable raises is raised.
    fn map<'py>(&self, slips: SlipArrays<'_, 'py>, asked: impl Asked) -> Answer<'py> {
        let answer = self.mapped(slips, asked);
        raised_by(&self.curve.friction.law).map_or(answer, Err)
    }

    fn mapped<'py>(
        &self,
        SlipArrays { v, demand, z }: SlipArrays<'_, 'py>,
        asked: impl Asked,
    ) -> Answer<'py> {
        let py = v.py();
        if z.is_some() {
            self.one_state()?;
        }
        let plain = |value: Option<PyAnyRef>, name| value.map_or(Some(Ok(0.0)), |value| number(value, name));
        if let (Some(demand), Some(z)) = (plain(demand, "demand"), plain(z, "z")) {
            let (demand, z) = (demand?, [z?]);
            return match real(v, "v", "m/s")? {
                Real::One(v) => filled(py, &[], |one| {
                    asked.fill(std::iter::once(Slip { v, demand, z: &z }), one);
                    Ok(())
                }),
                Real::Many(array) => {
                    let v = slice(&array)?;
                    map(py, array.shape(), [("v", v)], |[v], out| {
                        asked.fill(v.iter().map(|v| Slip { v: *v, demand, z: &z }), out);
                    })
                }
            };
        }
        let zero = PyFloat::new(py, 0.0).into_any();
        let arrays = broadcast(
            py,
            &[(v, "v", "m/s"), (demand.unwrap_or(&zero), "demand", "-"), (z.unwrap_or(&zero), "z", "m")],
        )?;
        let [va, da, za]: [PyReadonlyArrayDyn<f64>; 3] =
            arrays.try_into().map_err(|_| errors::value("three arrays were expected".into(), None))?;
        let (vs, ds, zs) = (slice(&va)?, slice(&da)?, slice(&za)?);
        let inputs = [("v", vs), ("demand", ds), ("z", zs)];
        map(py, va.shape(), inputs, |[v, demand, z], out| {
            let slip = |i: usize| Slip { v: v[i], demand: demand[i], z: &z[i..=i] };
            asked.fill((0..out.len()).map(slip), out);
        })
    }
}
