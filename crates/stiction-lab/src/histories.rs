//! Energies, forces and normal loads over time, which free-body and energy views draw.
//!
//! ```text
//!   M q̈ = f(t) − K q − C q̇ − Σ wᵢ Hᵢ + r        r: nonlinear springs, controllers, stops
//!   E_f(t) = ∫ Σ Hᵢ vᵢ dt,   E_c(t) = ∫ q̇ᵀ C q̇ dt
//! ```
//!
//! Losses are integrated by the trapezoidal rule over samples and both sides of every event, so a jump of friction costs no
//! accuracy; their error is of second order in the distance of the samples.

use crate::reply::Reply;
use serde_json::{Value as Json, json};
use stiction::law::Law;
use stiction::system::{Contact, Dynamics, Motion, System};
use stiction_study::{Column, Outcome};

/// Degrees of freedom that the page draws one by one, each with its free body; larger systems are drawn as a field.
const MOST: usize = 12;
/// Contacts of a system whose energies are drawn.
const MOST_CONTACTS: usize = 16;

/// One row of a motion in time.
struct HistoryRow {
    motion: Motion,
    /// Whether it is an instant of an event or an extremum instead of a sample, and its number there.
    is_instant: bool,
    number: usize,
}

/// Named histories, each over the samples and over the instants.
pub fn histories(system: &System, outcome: &Outcome, reply: &mut Reply) -> Json {
    let (n, m) = (system.n(), system.contacts.len());
    let Some(mut dynamics) = Dynamics::new(system).filter(|_| n <= MOST && m <= MOST_CONTACTS) else {
        return Json::Null;
    };
    let (Some(samples), Some(instants)) =
        (rows(n, m, &outcome.samples, false), rows(n, m, &outcome.instants, true))
    else {
        return Json::Null;
    };
    let sizes = [samples.len(), instants.len()];
    let mut all: Vec<HistoryRow> = instants.into_iter().chain(samples).collect();
    // stable: both sides of an event stay in their order, before a sample at the same time
    all.sort_by(|a, b| a.motion.t.total_cmp(&b.motion.t));
    let mut out = HistoryTable::new(sizes);
    let mut lost = [0.0; 2];
    let mut last: Option<(f64, [f64; 2])> = None;
    for (k, row) in all.iter().enumerate() {
        let (t, powers) = (row.motion.t, powers(system, &row.motion));
        if let Some((before, old)) = last {
            lost.iter_mut()
                .zip(powers.iter().zip(old))
                .for_each(|(sum, (a, b))| *sum += 0.5 * (t - before) * (a + b));
        }
        last = Some((t, powers));
        let rest = Motion { velocity: vec![0.0; n], ..row.motion.clone() };
        let (total, elastic) = (dynamics.stored(&row.motion), dynamics.stored(&rest));
        out.put("kinetic", row, total - elastic);
        out.put("elastic", row, elastic);
        out.put("friction_loss", row, lost[0]);
        out.put("viscous_loss", row, lost[1]);
        // the first of several rows at one time is the state before the event, and before a jump of the load
        let is_at = |other: usize| all.get(other).is_some_and(|other| other.motion.t == t);
        let is_before = is_at(k + 1) && !(k > 0 && is_at(k - 1));
        forces(system, if is_before { t.next_down() } else { t }, row, &mut out);
        for (i, contact) in system.contacts.iter().enumerate() {
            out.put(&format!("normal_{i}"), row, normal(system, i, contact, &row.motion));
        }
    }
    out.into_json(reply)
}

/// The largest friction coefficient of a contact, sliding or at rest (-).
pub fn bound(contact: &Contact) -> f64 {
    contact.friction.law.bound()
}

/// Columns under construction: values over samples and over instants.
struct HistoryTable {
    sizes: [usize; 2],
    columns: Vec<(String, [Vec<f64>; 2])>,
}

impl HistoryTable {
    fn new(sizes: [usize; 2]) -> Self {
        Self { sizes, columns: Vec::new() }
    }

    fn put(&mut self, name: &str, row: &HistoryRow, value: f64) {
        let at = self.columns.iter().position(|(own, _)| own == name).unwrap_or_else(|| {
            self.columns.push((name.into(), self.sizes.map(|size| vec![f64::NAN; size])));
            self.columns.len() - 1
        });
        self.columns[at].1[usize::from(row.is_instant)][row.number] = value;
    }

    fn into_json(self, reply: &mut Reply) -> Json {
        let one = |(name, [samples, instants]): (String, [Vec<f64>; 2])| json!({ "name": name, "samples": reply.place(&samples), "instants": reply.place(&instants) });
        self.columns.into_iter().map(one).collect()
    }
}

/// The rows of a table of columns; none if a quantity is missing, as where only some nodes are reported.
fn rows(n: usize, m: usize, columns: &[Column], is_instant: bool) -> Option<Vec<HistoryRow>> {
    let Some(time) = columns.first() else { return Some(Vec::new()) };
    let all = |name: &str, count: usize| -> Option<Vec<&[f64]>> {
        let own = |i: usize| {
            let numbered = format!("{name}_{i}");
            columns
                .iter()
                .find(|c| c.name == numbered || (count == 1 && c.name == name))
                .map(|c| &c.values[..])
        };
        let found: Option<Vec<&[f64]>> = (0..count).map(own).collect();
        found.filter(|_| !columns.iter().any(|c| c.name == format!("{name}_{count}")))
    };
    let of_system = ["position", "velocity", "acceleration"].map(|name| all(name, n));
    let of_contacts = ["sliding", "friction"].map(|name| all(name, m));
    let [Some(position), Some(velocity), Some(acceleration)] = of_system else { return None };
    let [Some(sliding), Some(friction)] = of_contacts else { return None };
    let at = |columns: &[&[f64]], k: usize| columns.iter().map(|values| values[k]).collect();
    let row = |(number, t): (usize, &f64)| HistoryRow {
        motion: Motion {
            t: *t,
            position: at(&position, number),
            velocity: at(&velocity, number),
            acceleration: at(&acceleration, number),
            sliding: at(&sliding, number),
            friction: at(&friction, number),
            ..Motion::zero(0, 0)
        },
        is_instant,
        number,
    };
    Some(time.values.iter().enumerate().map(row).collect())
}

/// Power lost in the contacts and in the dampers (W).
fn powers(system: &System, motion: &Motion) -> [f64; 2] {
    let friction = motion.friction.iter().zip(&motion.sliding).map(|(h, v)| h * v).sum();
    let v = &motion.velocity;
    let viscous = (0..v.len()).map(|i| v[i] * product(system.damping.row(i), v)).sum();
    [friction, viscous]
}

/// The forces on each degree of freedom under the loads of time `t`, with their signs on the mass (N).
fn forces(system: &System, t: f64, row: &HistoryRow, out: &mut HistoryTable) {
    let Motion { position, velocity, acceleration, friction, .. } = &row.motion;
    for i in 0..system.n() {
        let waves = system.harmonics.iter().map(|h| h.amplitude[i] * libm::sin(h.omega * t + h.phase));
        let signals = system.elements.loads.iter().map(|load| load.direction[i] * load.signal.at(t));
        let load = system.constant[i] + waves.chain(signals).sum::<f64>();
        let spring = -product(system.stiffness.row(i), position);
        let damper = -product(system.damping.row(i), velocity);
        let rubbed: f64 =
            system.contacts.iter().zip(friction).map(|(contact, h)| -contact.direction[i] * h).sum();
        let inertia = product(system.mass.row(i), acceleration);
        let named = [("load", load), ("spring", spring), ("damper", damper), ("contact", rubbed)];
        let rest = inertia - named.iter().map(|(_, force)| force).sum::<f64>();
        for (name, force) in named.into_iter().chain([("rest", rest)]) {
            out.put(&format!("force_{name}_{i}"), row, force);
        }
    }
}

/// Normal load of a contact (N).
fn normal(system: &System, i: usize, contact: &Contact, motion: &Motion) -> f64 {
    let varying = system.elements.contacts.iter().find(|varying| varying.contact == i);
    let added = varying.map_or(0.0, |v| {
        v.load.at(motion.t)
            + product(&v.by_position, &motion.position)
            + product(&v.by_velocity, &motion.velocity)
    });
    (contact.load + added).max(0.0)
}

fn product(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
