//! Wear: the work of friction contact by contact, its modulus, and the slip distance; the work of feedback, of the part
//! of the stiffness that has no potential, and of the actuators of prescribed motions.
//!
//! ```text
//!   W = ∫ H v dt,   ∫ |H v| dt,   s = ∫ |v| dt,   ∫ q̇·(F_q q + F_v q̇ + F_x x + F_r r) dt,   −½ ∫ q̇·(K − Kᵀ) q dt,   ∫ R ṗ dt
//! ```
//!
//! Archard's wear grows with the second (@archard1953). Each step is cut into parts that are short against
//! everything that moves and at the zeros of H and v, and a Gauss formula of ten nodes is exact to rounding
//! on each.

use super::Stepper;
use crate::math::dense::dot;
use crate::math::gauss::ten;
use crate::math::root::{bisected, opposed};
use crate::system::{Motion, Prescribed, System};

/// What friction has done in a contact.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactWear {
    /// Energy lost in the contact (J).
    pub work: f64,
    /// The same without signs: springs in a contact give back what they have taken (J).
    pub rubbed: f64,
    /// Way slid (m).
    pub way: f64,
}

/// What friction and feedback have done.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Wear {
    /// Contact by contact.
    pub contacts: Vec<ContactWear>,
    /// Work that feedback has put in; none without feedback (J).
    pub feedback: Option<f64>,
    /// Work that the part of the stiffness that is not symmetric has put in; none without one (J).
    pub circulatory: Option<f64>,
    /// Work of the actuators of prescribed motions; none without them.
    pub actuators: Option<ActuatorWork>,
}

/// The work of prescribed motions, and what the whole system lost.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ActuatorWork {
    /// Work of the actuator of each motion (J).
    pub reactions: Vec<f64>,
    /// Viscous loss of the whole system, prescribed degrees of freedom included (J).
    pub viscous_loss: f64,
}

/// What the wear of a run is asked for.
#[derive(Clone, Copy, Debug, Default)]
pub struct WearOf<'a> {
    /// The prescribed motions that the system was made of, whose actuators work.
    pub prescribed: Option<&'a Prescribed>,
}

/// Integrates the powers along a run.
pub(super) struct WearObserver<'a> {
    system: &'a System,
    prescribed: Option<&'a Prescribed>,
    found: Wear,
    motion: Motion,
    /// Scratch: signs of the friction forces and sliding velocities, and the edges of their stretches.
    last: Vec<f64>,
    edges: Vec<f64>,
}

impl<'a> WearObserver<'a> {
    pub fn new(system: &'a System, WearOf { prescribed }: WearOf<'a>) -> Self {
        let m = system.contacts.len();
        let actuators = |prescribed: &Prescribed| ActuatorWork {
            reactions: vec![0.0; prescribed.motions.len()],
            viscous_loss: 0.0,
        };
        Self {
            system,
            prescribed,
            found: Wear {
                contacts: vec![ContactWear::default(); m],
                feedback: system.elements.feedback.as_ref().map(|_| 0.0),
                circulatory: system.stiffness.asymmetry().is_some().then_some(0.0),
                actuators: prescribed.map(actuators),
            },
            motion: Motion::zero(system.n(), m).with_states(system.initial_states().len()),
            last: vec![0.0; 2 * m],
            edges: Vec::new(),
        }
    }

    /// Adds the part `[a, b]` of the last step.
    pub fn observe(&mut self, stepper: &mut dyn Stepper, [a, b]: [f64; 2]) {
        let n_parts = stepper.n_parts([a, b]);
        for part in 0..n_parts {
            let ends = [part, part + 1].map(|k| a + (b - a) * k as f64 / n_parts as f64);
            self.cut(stepper, ends);
            for k in 1..self.edges.len() {
                let (from, length) = (self.edges[k - 1], self.edges[k] - self.edges[k - 1]);
                for (node, weight) in ten() {
                    stepper.motion(from + length * node, &mut self.motion);
                    self.add(weight * length);
                }
            }
        }
    }

    /// Adds the powers of the motion over `dt`.
    fn add(&mut self, dt: f64) {
        let Self { system, prescribed, found, motion, .. } = self;
        if let Some(work) = &mut found.feedback {
            *work += dt * system.feedback_power(motion.t, motion);
        }
        if let Some(work) = &mut found.circulatory {
            *work += dt * circulatory_power(system, motion);
        }
        if let (Some(prescribed), Some(work)) = (prescribed, &mut found.actuators) {
            let (reactions, viscous) = prescribed.powers(motion.t, motion);
            work.reactions.iter_mut().zip(reactions).for_each(|(work, power)| *work += dt * power);
            work.viscous_loss += dt * viscous;
        }
        for (i, wear) in found.contacts.iter_mut().enumerate() {
            let power = motion.friction[i] * motion.sliding[i];
            wear.work += dt * power;
            wear.rubbed += dt * power.abs();
            wear.way += dt * motion.sliding[i].abs();
        }
    }

    /// What was found.
    pub fn found(self) -> Wear {
        self.found
    }

    /// The ends of a part of a step and, between them, where friction forces or sliding velocities change their
    /// signs, in order.
    fn cut(&mut self, stepper: &mut dyn Stepper, [start, end]: [f64; 2]) {
        let Self { motion, last, edges, .. } = self;
        edges.clear();
        edges.push(start);
        let m = motion.friction.len();
        let value =
            |motion: &Motion, k: usize| if k < m { motion.friction[k] } else { motion.sliding[k - m] };
        let nodes = ten().map(|(node, _)| start + (end - start) * node);
        let mut before = start;
        for t in std::iter::once(start).chain(nodes).chain(std::iter::once(end)) {
            stepper.motion(t, motion);
            for (k, last) in last.iter_mut().enumerate() {
                let (x, sign) = (value(motion, k), *last);
                if t > start && opposed(x, sign) {
                    edges.push(bisected(before, t, |t| {
                        stepper.motion(t, motion);
                        value(motion, k) * sign > 0.0
                    }));
                    stepper.motion(t, motion);
                }
                *last = x;
            }
            before = t;
        }
        edges.push(end);
        edges.sort_by(f64::total_cmp);
    }
}

/// Power of the part of the stiffness that has no potential (W).
fn circulatory_power(system: &System, motion: &Motion) -> f64 {
    let (q, v) = (&motion.position, &motion.velocity);
    let forth: f64 = v.iter().enumerate().map(|(i, v)| v * dot(system.stiffness.row(i), q)).sum();
    let back: f64 = q.iter().enumerate().map(|(i, q)| q * dot(system.stiffness.row(i), v)).sum();
    0.5 * (back - forth)
}
