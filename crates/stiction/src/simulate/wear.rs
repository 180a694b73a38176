//! What friction does contact by contact: its work, the work without signs, and the way slid; and the work of
//! what is neither a load nor a spring: feedback, the part of the stiffness that has no potential, and the
//! actuators of prescribed motions.
//!
//! ```text
//!   W = ∫ H v dt,   ∫ |H v| dt,   s = ∫ |v| dt,   ∫ q̇·(F_q q + F_v q̇ + F_x x + F_r r) dt,   −½ ∫ q̇·(K − Kᵀ) q dt,   ∫ R ṗ dt
//! ```
//!
//! Archard's wear grows with the second (@archard1953). Each step is cut into parts that are short against
//! everything that moves and at the zeros of H and v, and a Gauss formula of ten nodes is exact to rounding
//! on each.

use super::{Integrator, Journey, Stepper};
use crate::exact::GAUSS;
use crate::math::dense::dot;
use crate::math::root::bisected;
use crate::system::{Dynamics, Motion, Prescribed, System};
use crate::{Error, Progress};

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

/// Angle of the fastest rate over which the formula is exact to rounding (rad).
const ANGLE: f64 = 2.5;
/// Parts that a step is cut into at most.
const MAX_PARTS: f64 = 65536.0;

/// Work of friction, feedback and the actuators of prescribed motions between two times, from a separate run.
pub fn wear(
    system: &System,
    prescribed: Option<&Prescribed>,
    integrator: &Integrator,
    window: [f64; 2],
    progress: &mut Progress,
) -> Result<Wear, Error> {
    integrator.know(system)?;
    let mut dynamics = Dynamics::new(system).ok_or(Error::NotPositiveDefinite)?;
    integrator.start(&mut dynamics, window[1], WearJourney { window, prescribed, progress })
}

/// From when to when wear is reported.
struct WearJourney<'a, 'p> {
    window: [f64; 2],
    prescribed: Option<&'a Prescribed>,
    progress: &'a mut Progress<'p>,
}

impl Journey for WearJourney<'_, '_> {
    type End = Wear;
    fn go(self, stepper: impl Stepper, dynamics: &mut Dynamics) -> Result<Self::End, Error> {
        wear_by(stepper, dynamics, (self.window, self.prescribed), self.progress)
    }
}

fn wear_by(
    mut stepper: impl Stepper,
    dynamics: &mut Dynamics,
    ([from, to], prescribed): ([f64; 2], Option<&Prescribed>),
    progress: &mut Progress,
) -> Result<Wear, Error> {
    let (n, m) = (dynamics.system().n(), dynamics.system().contacts.len());
    let n_states = dynamics.system().initial_states().len();
    let mut motion = Motion::zero(n, m).with_states(n_states);
    let mut feedback = dynamics.system().elements.feedback.as_ref().map(|_| 0.0);
    let mut circulatory = dynamics.system().stiffness.asymmetry().is_some().then_some(0.0);
    let actuators = |prescribed: &Prescribed| ActuatorWork {
        reactions: vec![0.0; prescribed.motions.len()],
        viscous_loss: 0.0,
    };
    let mut actuators = prescribed.map(|prescribed| (prescribed, actuators(prescribed)));
    let mut found = vec![ContactWear::default(); m];
    let base_rate = dynamics.base_rate().max(dynamics.fastest_load());
    let finds_events = stepper.events().is_some();
    let (mut last, mut edges) = (vec![0.0; 2 * m], Vec::new());
    while stepper.t() < to {
        stepper.step(dynamics, to)?;
        let (a, b) = (stepper.t_old().max(from), stepper.t().min(to));
        progress.report_time(stepper.t(), to)?;
        if a >= b {
            continue;
        }
        stepper.motion(dynamics, 0.5 * (a + b), &mut motion);
        // steps that are found by error control are short already
        let n_parts = if finds_events {
            let steep = |i: usize| motion.slope[i].abs() * dynamics.compliance(i);
            let rate = base_rate + (0..m).map(steep).sum::<f64>();
            ((b - a) * rate / ANGLE).ceil().clamp(1.0, MAX_PARTS)
        } else {
            1.0
        };
        for part in 0..n_parts as usize {
            let ends = [part, part + 1].map(|k| a + (b - a) * k as f64 / n_parts);
            cut(&mut stepper, dynamics, ends, &mut motion, (&mut last, &mut edges));
            for edge in edges.windows(2) {
                let length = edge[1] - edge[0];
                for [node, weight] in GAUSS {
                    let (t, dt) = (edge[0] + length * node, weight * length);
                    stepper.motion(dynamics, t, &mut motion);
                    if let Some(work) = &mut feedback {
                        *work += dt * dynamics.system().feedback_power(t, &motion);
                    }
                    if let Some(work) = &mut circulatory {
                        *work += dt * circulatory_power(dynamics.system(), &motion);
                    }
                    if let Some((prescribed, work)) = &mut actuators {
                        let (reactions, viscous) = prescribed.powers(t, &motion);
                        work.reactions
                            .iter_mut()
                            .zip(reactions)
                            .for_each(|(work, power)| *work += dt * power);
                        work.viscous_loss += dt * viscous;
                    }
                    for (i, wear) in found.iter_mut().enumerate() {
                        let power = motion.friction[i] * motion.sliding[i];
                        wear.work += dt * power;
                        wear.rubbed += dt * power.abs();
                        wear.way += dt * motion.sliding[i].abs();
                    }
                }
            }
        }
    }
    Ok(Wear { contacts: found, feedback, circulatory, actuators: actuators.map(|(_, work)| work) })
}

/// Power of the part of the stiffness that has no potential (W).
fn circulatory_power(system: &System, motion: &Motion) -> f64 {
    let (q, v) = (&motion.position, &motion.velocity);
    let forth: f64 = v.iter().enumerate().map(|(i, v)| v * dot(system.stiffness.row(i), q)).sum();
    let back: f64 = q.iter().enumerate().map(|(i, q)| q * dot(system.stiffness.row(i), v)).sum();
    0.5 * (back - forth)
}

/// The ends of a part of a step and, between them, where friction forces or sliding velocities change their
/// signs, in order.
fn cut(
    stepper: &mut impl Stepper,
    dynamics: &mut Dynamics,
    [start, end]: [f64; 2],
    motion: &mut Motion,
    (last, edges): (&mut [f64], &mut Vec<f64>),
) {
    edges.clear();
    edges.push(start);
    let m = motion.friction.len();
    let value = |motion: &Motion, k: usize| if k < m { motion.friction[k] } else { motion.sliding[k - m] };
    let nodes = GAUSS.iter().map(|[node, _]| start + (end - start) * node);
    let mut before = start;
    for t in std::iter::once(start).chain(nodes).chain(std::iter::once(end)) {
        stepper.motion(dynamics, t, motion);
        for (k, last) in last.iter_mut().enumerate() {
            let (x, sign) = (value(motion, k), *last);
            if t > start && x * sign < 0.0 {
                edges.push(bisected(before, t, |t| {
                    stepper.motion(dynamics, t, motion);
                    value(motion, k) * sign > 0.0
                }));
                stepper.motion(dynamics, t, motion);
            }
            *last = x;
        }
        before = t;
    }
    edges.push(end);
    edges.sort_by(f64::total_cmp);
}
