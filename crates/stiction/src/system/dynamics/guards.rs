//! Guards: functions of the state that stay positive, or at least keep their sign, while the right-hand side is smooth.
//!
//! In this order: of every contact those of its law and of its mode, normal loads that vary, thresholds, and two of
//! every stop.

use super::Dynamics;
use super::springs::limits_ahead;
use crate::contact::{ContactMode, Side, StopMode, direction};
use crate::law::{FrictionBounds, Law, Slip};

/// Least number of steps in a period of the load, where a contact may rest.
const STEPS_PER_PERIOD: f64 = 8.0;

impl Dynamics {
    /// Number of guards.
    pub fn n_kinks(&self) -> usize {
        let elements = &self.forces.elements;
        self.first_load_guard()
            + elements.n_contacts()
            + elements.n_thresholds()
            + 2 * self.regime.stops.len()
    }

    /// The first guard of the normal loads that vary.
    fn first_load_guard(&self) -> usize {
        self.prepared.contacts.iter().map(|own| own.n_own_guards() + own.n_mode_guards()).sum()
    }

    /// The first guard of the stops.
    pub(super) fn first_stop_guard(&self) -> usize {
        self.n_kinks() - 2 * self.regime.stops.len()
    }

    /// The guards: each changes its sign where the derivative of the state has a kink, or where a
    /// smooth law begins to bend.
    pub fn kinks(&mut self, t: f64, y: &[f64], out: &mut [f64]) {
        let (n, prepared) = (self.prepared.n(), &self.prepared);
        if prepared.is_plain {
            return self.plain_kinks(&y[n..2 * n], out);
        }
        let depends = |i: usize| prepared.contacts[i].answers || self.regime.contacts[i].sticks();
        if (0..prepared.contacts.len()).any(depends) || !prepared.stops.is_empty() {
            self.forces.evaluate(prepared, &self.regime, t, y);
        }
        self.forces.read_inputs(prepared, t, y);
        let mut k = 0;
        for i in 0..prepared.contacts.len() {
            let sliding = self.forces.sliding(prepared, i, &y[n..2 * n]);
            let (contact, fixed) = (&prepared.system.contacts[i], &prepared.contacts[i]);
            let n_own = fixed.n_own_guards();
            let own = &mut out[k..k + n_own];
            k += n_own;
            if fixed.answers {
                own.copy_from_slice(&self.bound_guards(i, sliding));
                continue;
            }
            own.iter_mut().zip(&fixed.breakpoints).for_each(|(own, b)| *own = sliding - b);
            if fixed.n_switches > 0 {
                let slip = Slip { v: sliding, demand: 0.0, z: &y[fixed.memory.clone()] };
                contact.friction.law.switches(slip, &mut own[fixed.breakpoints.len()..]);
            }
            let n_mode_guards = fixed.n_mode_guards();
            self.mode_guards(i, sliding, y, &mut out[k..k + n_mode_guards]);
            k += n_mode_guards;
        }
        if prepared.has_elements {
            self.element_guards(t, y, &mut out[k..]);
        }
    }

    /// Writes the guards of normal loads that vary, of thresholds and of stops.
    fn element_guards(&self, t: f64, y: &[f64], out: &mut [f64]) {
        let (n, prepared, elements) = (self.prepared.n(), &self.prepared, &self.forces.elements);
        let mut k = 0;
        // a contact opens where its normal load vanishes
        for varying in 0..elements.n_contacts() {
            let i = elements.load_slopes(varying).0;
            let (is_open, normal) =
                (self.regime.contacts[i].mode == Some(ContactMode::Open), self.forces.contacts[i].normal);
            out[k] = if is_open { -normal } else { normal };
            k += 1;
        }
        let state = [&y[..n], &y[n..2 * n], &y[prepared.feedback_states()]];
        for threshold in 0..elements.n_thresholds() {
            out[k] = elements.excess(threshold, t, state);
            k += 1;
        }
        for (stop, out) in out[k..].chunks_exact_mut(2).enumerate() {
            let (fixed, own) = (&prepared.stops[stop], &self.forces.stops[stop]);
            let (depth, force) =
                (fixed.depth(&y[..n], own)[0], fixed.spring_force(&y[..n], &y[n..2 * n], own));
            out.copy_from_slice(&match self.regime.stops[stop] {
                StopMode::Free => [-depth, 1.0],
                StopMode::Closed if fixed.is_rigid() => [own.reaction, 1.0],
                StopMode::Closed => [force, 1.0],
                StopMode::Slack => [depth, -force],
            });
        }
    }

    /// The guards of a force-dependent law at the last evaluation.
    fn bound_guards(&self, i: usize, sliding: f64) -> [f64; 4] {
        if !self.prepared.contacts[i].partners.is_empty() {
            // a redundant contact may go on at its limit while others take what it cannot: the error control sees
            // where all have reached theirs
            return [1.0; 4];
        }
        // φ = c + μ clamp(s + clamp(ξ, −1, 1), −1, 1): both clamps have two ends
        let width = self.prepared.system.contacts[i].friction.law.scales().transition.unwrap_or(1.0);
        let [c, mu] = self
            .prepared
            .range_at_rest(i)
            .map_or([0.0; 2], |FrictionBounds { low, high, .. }| [0.5 * (low + high), 0.5 * (high - low)]);
        // a contact without friction has no guards
        let xi = if mu > 0.0 { (self.forces.contacts[i].demand - c) / mu } else { 0.0 };
        let sum = sliding / width + xi.clamp(-1.0, 1.0);
        [xi - 1.0, xi + 1.0, sum - 1.0, sum + 1.0]
    }

    /// Writes the guards of the mode of contact `i`, which are positive until their event, at the state of the last
    /// evaluation; `sliding` is its velocity there.
    fn mode_guards(&self, i: usize, sliding: f64, y: &[f64], out: &mut [f64]) {
        let (fixed, modes, own) =
            (&self.prepared.contacts[i], &self.regime.contacts[i], &self.forces.contacts[i]);
        let (of_law, of_springs) = out.split_at_mut(2 * usize::from(fixed.is_set_valued));
        if fixed.is_set_valued {
            of_law.copy_from_slice(&match modes.mode {
                Some(ContactMode::Stick { yields, .. }) => {
                    let [low, high] = [own.load * own.bounds.low, own.load * own.bounds.high];
                    match yields {
                        None => [high - own.reaction, own.reaction - low],
                        // beyond its limit until it unloads
                        Some(Side::High) => [own.reaction - high, 1.0],
                        Some(Side::Low) => [low - own.reaction, 1.0],
                    }
                }
                Some(ContactMode::Slip { piece }) => [direction(piece) * sliding, 1.0],
                None | Some(ContactMode::Open) => [1.0; 2],
            });
        }
        if fixed.sliders.is_empty() {
            return;
        }
        let [above, below] = limits_ahead(&self.prepared.system.contacts[i].friction.law, sliding);
        let springs = fixed.sliders.iter().zip(&modes.sliders).zip(&y[fixed.memory.clone()]);
        for (out, ((slider, mode), z)) in of_springs.chunks_exact_mut(2).zip(springs) {
            let [high, low] = [1.0, -1.0].map(|way| slider.reach_towards(way));
            out.copy_from_slice(&match mode.way() {
                0.0 if slider.holds() => [above * high - z, below * low + z],
                0.0 => [1.0; 2],
                slips => [slips * sliding, 1.0],
            });
        }
    }

    /// The guards where the velocities decide.
    #[inline]
    fn plain_kinks(&self, v: &[f64], out: &mut [f64]) {
        let mut slots = out.iter_mut();
        for (i, fixed) in self.prepared.contacts.iter().enumerate() {
            let sliding = self.sliding(i, v);
            fixed.breakpoints.iter().zip(&mut slots).for_each(|(b, slot)| *slot = sliding - b);
        }
    }

    /// Whether a guard may vanish in a step of length `h` with these states and derivatives at its ends.
    ///
    /// Of plain laws the sliding velocities decide: cubics with the slopes of both ends, between their
    /// Bernstein coefficients (@farouki2012) and half as much again.
    pub(crate) fn may_kink(&self, h: f64, [y0, f0]: [&[f64]; 2], [y1, f1]: [&[f64]; 2]) -> bool {
        if !self.prepared.is_plain {
            return true;
        }
        let n = self.prepared.n();
        for (contact, fixed) in self.prepared.system.contacts.iter().zip(&self.prepared.contacts) {
            let mut coefficients = [-contact.belt; 4];
            for (k, w) in contact.direction.iter().enumerate() {
                let third = h / 3.0;
                let (v0, v1) = (y0[n + k], y1[n + k]);
                let own = [v0, v0 + third * f0[n + k], v1 - third * f1[n + k], v1];
                coefficients.iter_mut().zip(own).for_each(|(c, own)| *c += w * own);
            }
            let [a, b, c, d] = coefficients;
            let (low, high) = (a.min(b).min(c.min(d)), a.max(b).max(c.max(d)));
            let more = 0.5 * (high - low);
            // not even a NaN is passed over
            if !fixed.breakpoints.iter().all(|point| *point < low - more || *point > high + more) {
                return true;
            }
        }
        false
    }

    /// Whether guard `k` is one that begins at zero and ends there: the velocity of a contact, or of a spring, that
    /// slips, a normal load, or one of a stop.
    pub(crate) fn is_velocity(&self, k: usize) -> bool {
        if k >= self.first_stop_guard() || self.opens_at(k).is_some() {
            return true;
        }
        let mut first = 0;
        self.prepared.contacts.iter().zip(&self.regime.contacts).any(|(fixed, modes)| {
            let own = first + fixed.n_own_guards();
            first = own + fixed.n_mode_guards();
            let springs = own + 2 * usize::from(fixed.is_set_valued);
            let mut slipping = modes.sliders.iter().enumerate().filter(|(_, mode)| !mode.sticks());
            matches!(modes.mode, Some(ContactMode::Slip { .. })) && k == own && fixed.is_set_valued
                || slipping.any(|(i, _)| k == springs + 2 * i)
        })
    }

    /// The contact with a set-valued law that opens or closes at guard `k`.
    pub(super) fn opens_at(&self, k: usize) -> Option<usize> {
        let elements = &self.forces.elements;
        let varying = k.checked_sub(self.first_load_guard()).filter(|k| *k < elements.n_contacts())?;
        let contact = elements.load_slopes(varying).0;
        self.prepared.contacts[contact].is_set_valued.then_some(contact)
    }

    /// The longest step in which no change of sign of a guard is overlooked (s).
    ///
    /// A contact with a force-dependent law rests while the load comes and goes: nothing moves, and steps would
    /// grow over whole periods. The same holds of a contact whose sliding velocity is prescribed.
    pub fn longest_step(&self) -> f64 {
        let may_rest = self.prepared.contacts.iter().any(|own| own.answers || own.is_set_valued);
        let mut contacts = self.prepared.system.contacts.iter();
        if !may_rest && !contacts.any(|contact| contact.direction.iter().all(|w| *w == 0.0)) {
            return f64::INFINITY;
        }
        std::f64::consts::TAU / self.prepared.scales.load / STEPS_PER_PERIOD
    }
}
