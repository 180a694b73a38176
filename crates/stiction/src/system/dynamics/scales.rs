//! How fast a system is, how large its motions are, and beyond what they are unbounded.

use super::prepared::{ContactElement, Prepared};
use crate::Error;
use crate::law::Law;
use crate::math::dense::Matrix;
use crate::system::inertia::Inertia;
use crate::system::{Contact, Motion, System, Threshold};

/// A motion so many times larger than the problem is unbounded; a resonance of a century does not reach it.
const DIVERGED: f64 = 1e40;

/// The scales of a system.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SystemScales {
    /// A bound on the eigenfrequencies without friction and damping (rad/s).
    pub oscillation: f64,
    /// A bound on the rates of the system without friction (1/s).
    pub rate: f64,
    /// The fastest wave of a load or a signal (rad/s).
    pub load: f64,
    /// A position (m) and a velocity (m/s) that are typical of the motion, from below: the initial state, the
    /// belts, and what loads and friction reach within one radian of the fastest rate. Zero if nothing moves;
    /// infinite if there is no rate.
    pub sizes: [f64; 2],
}

impl SystemScales {
    pub fn new(system: &System, inertia: &Inertia) -> Self {
        let [oscillation, rate] = rates(system, inertia);
        let harmonics = system.harmonics.iter().map(|harmonic| harmonic.omega);
        let load = harmonics.fold(system.elements.fastest_wave(), f64::max);
        Self { oscillation, rate, load, sizes: sizes(system, inertia, rate) }
    }

    /// The faster one of the rates of the system and of its loads (1/s).
    pub fn fastest(&self) -> f64 {
        self.rate.max(self.load)
    }

    /// A position (m) and a velocity (m/s) beyond every scale of the problem.
    pub fn limits(&self) -> [f64; 2] {
        // a problem without a scale of its own has no limit
        self.sizes.map(|size| if size > 0.0 { DIVERGED * size } else { f64::INFINITY })
    }

    /// An error if the motion has left every scale of the problem.
    pub fn check(&self, motion: &Motion) -> Result<(), Error> {
        let limits = self.limits();
        for (numbers, limit) in [(&motion.position, limits[0]), (&motion.velocity, limits[1])] {
            if !numbers.iter().all(|x| x.is_finite() && x.abs() <= limit) {
                let state: Vec<f64> = motion.position.iter().chain(&motion.velocity).copied().collect();
                return Err(Error::diverged(motion.t, &state));
            }
        }
        Ok(())
    }
}

/// The limits of the scales of a system; `None` where [`super::Dynamics::new`] gives none.
pub(crate) fn limits(system: &System) -> Option<[f64; 2]> {
    if !system.has_matching_sizes() {
        return None;
    }
    Some(SystemScales::new(system, &Inertia::new(&system.mass)?).limits())
}

impl Prepared {
    /// Typical sizes of the components of the state, from below. Internal states have that of steady sliding.
    pub fn state_sizes(&self, out: &mut [f64]) {
        let (n, sizes) = (self.n(), self.scales.sizes);
        out[..n].fill(sizes[0]);
        out[n..2 * n].fill(sizes[1]);
        for (contact, own) in self.system.contacts.iter().zip(&self.contacts) {
            let states = &mut out[own.memory.clone()];
            contact.friction.law.steady_states(sizes[1], states);
            states.iter_mut().for_each(|z| *z = z.abs());
            if let Some((i, speed)) = self.creeping(contact, own) {
                out[n + i] = out[n + i].min(speed);
            }
        }
    }

    /// The degree of freedom whose velocity is the sliding velocity of a contact that creeps, and the least
    /// speed that counts (m/s).
    fn creeping(&self, contact: &Contact, own: &ContactElement) -> Option<(usize, f64)> {
        let speed = contact.friction.law.scales().creep_speed?;
        let (i, w) = own.alone.filter(|_| contact.belt == 0.0 && self.system.elements.is_empty())?;
        Some((i, speed / w.abs()))
    }

    /// The time in which the slowest creep that counts is overcome by friction (s); none without such
    /// contacts.
    pub fn creep_time(&self) -> Option<f64> {
        let time = |(i, (contact, own)): (usize, (&Contact, &ContactElement))| {
            let (_, speed) = self.creeping(contact, own)?;
            let rate = self.delassus(i, i) * contact.load * contact.friction.law.bound();
            Some(speed / rate.max(f64::MIN_POSITIVE))
        };
        self.system.contacts.iter().zip(&self.contacts).enumerate().filter_map(time).reduce(f64::min)
    }
}

/// Rate of the undamped system, and a bound on all rates without the slopes of the laws (1/s).
fn rates(system: &System, inertia: &Inertia) -> [f64; 2] {
    let n = system.n();
    let columns = |matrix: &Matrix| {
        let mut product = matrix.clone();
        for j in 0..n {
            let mut column: Vec<f64> = (0..n).map(|i| matrix.at(i, j)).collect();
            inertia.solve(&mut column);
            (0..n).for_each(|i| *product.at_mut(i, j) = column[i]);
        }
        product.norm()
    };
    let (mut stiffness, mut damping) = (system.stiffness.clone(), system.damping.clone());
    if let Some(f) = &system.elements.feedback {
        stiffness.data.iter_mut().zip(&f.f_position.data).for_each(|(k, f)| *k -= f);
        damping.data.iter_mut().zip(&f.f_velocity.data).for_each(|(c, f)| *c -= f);
    }
    // springs that stiffen; limits only ever weaken feedback
    let stiffens = |threshold: &&Threshold| threshold.stiffness().is_some_and(|k| k > 0.0);
    for threshold in system.elements.thresholds.iter().filter(stiffens) {
        for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
            *stiffness.at_mut(i, j) -= threshold.force[i] * threshold.by_position[j];
        }
    }
    let oscillation = columns(&stiffness).sqrt();
    let controller = system.elements.feedback.as_ref().map_or(0.0, |f| f.a.norm());
    [oscillation, columns(&damping) + oscillation + controller]
}

/// See [`SystemScales::sizes`].
fn sizes(system: &System, inertia: &Inertia, base_rate: f64) -> [f64; 2] {
    let largest = |x: &[f64]| x.iter().fold(0.0f64, |size, x| size.max(x.abs()));
    let (mut force, mut acceleration) = (vec![0.0; system.n()], 0.0);
    let mut add = |force: &mut Vec<f64>| {
        inertia.solve(force);
        acceleration += largest(force);
    };
    for own in std::iter::once(&system.constant).chain(system.harmonics.iter().map(|own| &own.amplitude)) {
        force.copy_from_slice(own);
        add(&mut force);
    }
    system.elements.sizes(system).into_iter().for_each(|mut force| add(&mut force));
    for contact in &system.contacts {
        let size = contact.load * contact.friction.law.bound();
        force.iter_mut().zip(&contact.direction).for_each(|(force, w)| *force = w * size);
        add(&mut force);
    }
    for (matrix, state) in [(&system.stiffness, &system.position), (&system.damping, &system.velocity)] {
        force.fill(0.0);
        matrix.add_product(1.0, state, &mut force);
        add(&mut force);
    }
    let rate = system.harmonics.iter().map(|harmonic| harmonic.omega).fold(base_rate, f64::max);
    let belts = system.contacts.iter().enumerate().map(|(i, contact)| {
        // a contact between prescribed motions moves nothing
        let width = largest(&contact.direction);
        let belt = contact.belt.abs() + system.elements.belt_size(i);
        if width > 0.0 { belt / width } else { belt }
    });
    // without a rate a force has no limit
    let reached = |x: f64| if x == 0.0 { 0.0 } else { x / rate };
    let velocity = belts.fold(largest(&system.velocity), f64::max).max(reached(acceleration));
    [largest(&system.position).max(reached(velocity)), velocity]
}
