//! A law by name, and its curve as a table.

use crate::budget::Budget;
use crate::complete_law::completed;
use crate::facts::ColumnKind;
use crate::outcome::Column;
use crate::placed::placed;
use crate::scenario::{ActsOn, CONTACT, ContactTable};
use keyed::Diagnostic;
use keyed::{Document, Node, Origin, Value};
use std::sync::OnceLock;
use stiction::Faults;
use stiction::law::{Friction, FrictionLaw, Graph, Law, Slider, Slip, SteadySliding};

/// A law with its parameters, and the points at which it is evaluated.
#[derive(Clone, Debug)]
pub struct LawCurve {
    /// The law and its viscous part.
    pub friction: Friction,
    /// Normal load by which stiffness and damping in N/m and N s/m are divided (N).
    pub load: f64,
    /// The demand that the law is shown (-).
    pub demand: f64,
    /// Sliding velocities (m/s).
    pub velocities: Vec<f64>,
}

/// Points of a curve for a figure.
const POINTS: usize = 2001;

/// Part of the largest velocity shown within which a steady curve is taken as it is beside its jump.
const BESIDE: f64 = 1e-6;

/// Amplitudes of hysteresis loops, over the deflection at which the last slider lets go.
const LOOPS: [f64; 3] = [0.5, 1.0, 2.0];
/// Points of a quarter of a loop.
const LOOP_POINTS: usize = 201;

/// Parts of the way between two points of a loop.
const PARTS: usize = 8;
/// Way in which a smooth law comes near its limit, over its deflection there.
const SMOOTH: f64 = 2.5;

/// A law whose force follows from the way alone.
struct Hysteresis {
    /// Way from rest to sliding (m).
    reach: f64,
    /// Its springs, if it is made of them.
    sliders: Option<Vec<Slider>>,
}

/// The deflection at which the last slider lets go (m).
fn largest_reach(sliders: &[Slider]) -> f64 {
    let largest = sliders.iter().map(Slider::reach).fold(0.0, f64::max);
    if largest > 0.0 { largest } else { 1.0 }
}

/// Keys that stand beside a law.
const CONTACT_KEYS: &[&str] = &["viscous", "contact_viscous", "reverse", "load"];

impl LawCurve {
    /// The law called `name`, with its plainest parameters replaced by `sets` (`key=value`).
    pub fn new(name: &str, sets: &[String], demand: f64) -> Result<Self, Vec<Diagnostic>> {
        let Some(example) = FrictionLaw::examples().into_iter().find(|law| law.name() == name) else {
            let known = FrictionLaw::NAMES.join(", ");
            let hint = keyed::closest(name, FrictionLaw::NAMES.iter().copied())
                .map_or_else(|| format!("one of: {known}"), |word| format!("did you mean {word}?"));
            let message = format!("no law is called {name}");
            return Err(vec![Diagnostic { key: String::new(), message, place: None, hint: Some(hint) }]);
        };
        let contact = ContactTable {
            load_varies: None,
            belt_varies: None,
            law: example,
            at_load: Vec::new(),
            viscous: 0.0,
            contact_viscous: None,
            reverse: None,
            load: 1.0,
            belt: 0.0,
            on: ActsOn::default(),
        };
        let root = toml::Value::try_from(contact).map(|value| tree(&value));
        let root = root.unwrap_or(Node { value: Value::Table(Vec::new()), origin: Origin::Nowhere });
        let mut document = Document::from_tree(name, root);
        // a file takes the place of the points
        let is_file = |set: &String| set.split('=').next().is_some_and(|key| key.trim().ends_with("file"));
        if sets.iter().any(is_file)
            && let Value::Table(laws) = &mut document.root.value
        {
            for (_, law) in laws.iter_mut().filter(|(key, _)| key == "polyline") {
                if let Value::Table(entries) = &mut law.value {
                    entries.retain(|(key, _)| key != "velocities" && key != "coefficients");
                }
            }
        }
        let mut faults: Vec<Diagnostic> = Vec::new();
        for set in sets {
            let key = set.split('=').next().unwrap_or("").trim();
            // a number in N/m takes the place of the one per newton of load
            if let (Some(number), Value::Table(laws)) = (key.strip_prefix(CONTACT), &mut document.root.value)
                && !sets.iter().any(|set| set.split('=').next().is_some_and(|key| key.trim() == number))
            {
                for (_, law) in laws.iter_mut().filter(|(key, _)| key == name) {
                    if let Value::Table(entries) = &mut law.value {
                        entries.retain(|(key, _)| key != number);
                    }
                }
            }
            let path = if CONTACT_KEYS.contains(&key) || key.starts_with(name) {
                set.clone()
            } else {
                format!("{name}.{set}")
            };
            faults.extend(document.set(&path, &[&[name], CONTACT_KEYS].concat()).err().map(|d| *d));
        }
        if !faults.is_empty() {
            return Err(faults);
        }
        Self::from_document(document, demand)
    }

    /// The law of a contact, written as a scenario writes it.
    pub fn from_document(document: Document, demand: f64) -> Result<Self, Vec<Diagnostic>> {
        static SCHEMA: OnceLock<keyed::Schema> = OnceLock::new();
        // the part of the scenario's
        let schema = SCHEMA.get_or_init(|| {
            serde_json::json!({ "$ref": "#/$defs/Contact", "$defs": crate::scenario::schema()["$defs"] })
                .into()
        });
        let (friction, load) = keyed::checked(document, schema, |document, contact: ContactTable| {
            let load = contact.load;
            // parameters per newton of load need none
            let is_sound = load > 0.0 && load.is_finite();
            if !is_sound && !contact.all_at_load().is_empty() {
                let message = format!("{load}, but it must be positive and finite");
                return Err(vec![document.diagnose("load", message, None)]);
            }
            let law = completed(&contact.law_per_newton(), Budget::default().memory).map_err(|fault| {
                vec![document.diagnose(fault.key, fault.message, fault.hint.map(str::to_owned))]
            })?;
            let friction = Friction { law: contact.directed(law), viscous: contact.viscous_per_newton() };
            let faults = Faults::of(|faults| friction.check(faults));
            if faults.is_empty() { Ok((friction, load)) } else { Err(placed(document, "", &faults)) }
        })?;
        let mut curve = Self { friction, load, demand, velocities: Vec::new() };
        curve.velocities = curve.grid(POINTS);
        Ok(curve)
    }

    /// Velocities that show all of the law, zero in the middle.
    pub fn grid(&self, n: usize) -> Vec<f64> {
        let reach = self.reach();
        (0..n).map(|i| reach * (2.0 * i as f64 / (n - 1) as f64 - 1.0)).collect()
    }

    /// The velocity up to which the law shows all that it has (m/s).
    fn reach(&self) -> f64 {
        let law = &self.friction.law;
        let last = law.breakpoints().last().copied().unwrap_or(0.0);
        let scale = law.scales().reach.unwrap_or_else(|| {
            let transition = law.scales().transition.or(law.stick_speed()).unwrap_or(0.0);
            (1.6 * last).max(transition * if last > 0.0 { 1.6 } else { 4.0 })
        });
        if scale > 0.0 { scale } else { 1.0 }
    }

    /// The columns v, coefficient and slope; a law with memory slides steadily.
    pub fn columns(&self) -> [Column; 3] {
        let mut steady = SteadySliding::new(&self.friction);
        let column = |kind: ColumnKind, f: &mut dyn FnMut(f64) -> f64| {
            Column::new(kind, self.velocities.iter().map(|v| f(*v)).collect())
        };
        [
            column(ColumnKind::LawVelocity, &mut |v| v),
            column(ColumnKind::Coefficient, &mut |v| steady.coefficient(v, self.demand)),
            column(ColumnKind::LawSlope, &mut |v| self.slope(v)),
        ]
    }

    /// Of a law whose force follows from the way alone: φ over the displacement, pulled from rest to an
    /// amplitude and then once to and fro, for some amplitudes (m, -).
    pub fn loops(&self) -> Option<Vec<[Vec<f64>; 2]>> {
        let hysteresis = self.hysteresis()?;
        Some(LOOPS.iter().map(|part| self.run_loop(&hysteresis, part * hysteresis.reach)).collect())
    }

    /// Of such a law: the energy lost per cycle over the normal load, over the amplitude (m, J/N). Each
    /// slider loses 4 μₖ (A − μₖ/σₖ), if it is the same in both directions; a smooth law what its loop
    /// encloses.
    pub fn losses(&self) -> Option<[Vec<f64>; 2]> {
        let hysteresis = self.hysteresis()?;
        let loss = |a: f64| -> f64 {
            if let Some(sliders) = &hysteresis.sliders {
                return sliders.iter().map(|slider| slider.loss(a)).sum();
            }
            let [x, phi] = self.run_loop(&hysteresis, a);
            let last = LOOP_POINTS - 1;
            let ends = |k: usize| 0.5 * (phi[k] + phi[k + 1]) * (x[k + 1] - x[k]);
            (last..x.len() - 1).map(ends).sum()
        };
        let amplitudes = (0..LOOP_POINTS)
            .map(|i| hysteresis.reach * LOOPS[LOOPS.len() - 1] * i as f64 / (LOOP_POINTS - 1) as f64);
        let amplitudes: Vec<f64> = amplitudes.collect();
        let losses = amplitudes.iter().map(|a| loss(*a)).collect();
        Some([amplitudes, losses])
    }

    /// The law as one of the way alone, if it is.
    fn hysteresis(&self) -> Option<Hysteresis> {
        let law = &self.friction.law;
        if let Some(sliders) = law.sliders() {
            return Some(Hysteresis { reach: largest_reach(&sliders), sliders: Some(sliders) });
        }
        // a law that changes with the speed has a scale for it
        let is_of_way = law.has_memory()
            && law.graph() == Graph::Continuous
            && law.scales().reach.is_none()
            && law.states().names().iter().all(|state| state.unit == "m");
        let mut z = vec![0.0; law.n_states()];
        law.steady_states(1.0, &mut z);
        let reach = SMOOTH * z.iter().fold(0.0f64, |largest, z| largest.max(z.abs()));
        is_of_way.then_some(Hysteresis { reach: if reach > 0.0 { reach } else { 1.0 }, sliders: None })
    }

    /// To the amplitude, back, and there again.
    fn run_loop(&self, hysteresis: &Hysteresis, amplitude: f64) -> [Vec<f64>; 2] {
        let law = &self.friction.law;
        let (mut z, mut phi) = (vec![0.0; law.n_states()], vec![0.0]);
        let step = amplitude / (LOOP_POINTS - 1) as f64;
        let quarter = LOOP_POINTS as i64 - 1;
        let places: Vec<i64> =
            (0..=quarter).chain((-quarter..quarter).rev()).chain(1 - quarter..=quarter).collect();
        let (mut rate, mut middle) = (vec![0.0; z.len()], z.clone());
        for pair in places.windows(2) {
            let u = (pair[1] - pair[0]) as f64 * step;
            match &hysteresis.sliders {
                Some(sliders) => {
                    for (z, slider) in z.iter_mut().zip(sliders) {
                        *z = (*z + u).clamp(-slider.reach(), slider.reach());
                    }
                }
                // by the midpoint of small parts of the way
                None => {
                    for _ in 0..PARTS {
                        let (v, way) = (u.signum(), u.abs() / PARTS as f64);
                        law.state_dot(Slip { v, demand: 0.0, z: &z }, &mut rate);
                        middle
                            .iter_mut()
                            .zip(z.iter().zip(&rate))
                            .for_each(|(m, (z, r))| *m = z + 0.5 * way * r);
                        law.state_dot(Slip { v, demand: 0.0, z: &middle }, &mut rate);
                        z.iter_mut().zip(&rate).for_each(|(z, rate)| *z += way * rate);
                    }
                }
            }
            phi.push(law.coefficient(Slip { v: 0.0, demand: 0.0, z: &z }));
        }
        [places.iter().map(|place| *place as f64 * step).collect(), phi]
    }

    /// Slope of the curve (s/m); for a law with memory that of steady sliding. Infinite where the curve jumps
    /// at rest.
    pub fn slope(&self, v: f64) -> f64 {
        if v == 0.0 && self.jumps_at_rest() {
            return f64::INFINITY;
        }
        if !self.friction.law.has_memory() {
            return self.friction.slope(Slip { v, demand: self.demand, z: &[] });
        }
        // the steady curve jumps at zero: beside it the slope is that of its branch, but digits are lost
        let v = if v.abs() < BESIDE * self.reach() { (BESIDE * self.reach()).copysign(v) } else { v };
        SteadySliding::new(&self.friction).slope(v, 0.0)
    }
}

impl LawCurve {
    /// Whether the two branches of the curve do not meet at rest.
    pub fn jumps_at_rest(&self) -> bool {
        let bound = self.friction.law.bound();
        let mut steady = SteadySliding::new(&self.friction);
        let [below, above] =
            [-f64::MIN_POSITIVE, f64::MIN_POSITIVE].map(|v| steady.coefficient(v, self.demand));
        above - below > BESIDE * bound
    }
}

/// A tree that no file holds.
fn tree(value: &toml::Value) -> Node {
    let value = match value {
        toml::Value::Table(table) => Value::Table(table.iter().map(|(k, v)| (k.clone(), tree(v))).collect()),
        toml::Value::Array(items) => Value::Array(items.iter().map(tree).collect()),
        toml::Value::Float(x) => Value::Float(*x),
        toml::Value::Integer(x) => Value::Integer(*x),
        toml::Value::String(x) => Value::String(x.clone()),
        toml::Value::Boolean(x) => Value::Boolean(*x),
        toml::Value::Datetime(x) => Value::Datetime(x.to_string()),
    };
    Node { value, origin: Origin::Nowhere }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Dahl's law from −A to A loads as φ = 1 − (1 + φ₀) e^(−x): the ends of its loop follow from tanh, and
    /// so does what it encloses.
    #[test]
    fn the_loss_of_a_smooth_law_is_that_of_its_closed_form() {
        let sets = ["mu=1".into(), "stiffness=10".into()];
        let curve = LawCurve::new("dahl", &sets, 0.0).unwrap();
        let [amplitudes, losses] = curve.losses().unwrap();
        for (a, loss) in amplitudes.iter().zip(&losses).skip(20) {
            // in units of the deflection 0.1; the loop from rest has nearly closed after its first turn
            let (x, first) = (10.0 * a, 1.0 - libm::exp(-10.0 * a));
            let below = -1.0 + (1.0 + first) * libm::exp(-2.0 * x);
            let down = -2.0 * x + (1.0 + first) * (1.0 - libm::exp(-2.0 * x));
            let up = 2.0 * x - (1.0 - below) * (1.0 - libm::exp(-2.0 * x));
            let exact = 0.1 * (up - down);
            assert!((loss / exact - 1.0).abs() < 1e-3, "{a}: {loss} for {exact}");
        }
    }

    #[test]
    fn the_slope_at_rest_is_infinite_where_the_curve_jumps_and_nowhere_else() {
        for law in FrictionLaw::NAMES {
            let slope = LawCurve::new(law, &[], 0.0).unwrap().slope(0.0);
            let is_smooth = ["linear", "trigonometric", "circular-linear", "quinn", "karnopp", "tanh"];
            // the example of the stribeck law has a width; rate-and-state friction is steep, but continuous
            let is_smooth = is_smooth.contains(law) || ["stribeck", "rate-and-state"].contains(law);
            assert_eq!(slope.is_finite(), is_smooth, "{law}: {slope}");
        }
    }

    #[test]
    fn the_slope_of_steady_sliding_is_that_of_the_curve() {
        for name in ["lugre", "dahl"] {
            let curve = LawCurve::new(name, &["viscous=0.2".into()], 0.0).unwrap();
            let mut steady = SteadySliding::new(&curve.friction);
            let mut steady = |v: f64| steady.coefficient(v, 0.0);
            for v in [-0.3, -0.01, 1e-3, 0.02, 0.1, 1.0] {
                let h = 1e-5 * f64::abs(v);
                let quotient = (steady(v + h) - steady(v - h)) / (2.0 * h);
                // rounding 1e-16/h and the third derivative h²
                assert!((curve.slope(v) - quotient).abs() < 1e-7, "{name} {v}: {quotient}");
            }
        }
    }
}
