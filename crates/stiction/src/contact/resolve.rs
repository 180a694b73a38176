//! Resolution: the modes of all elements after an event.
//!
//! Every guard must be positive, or zero and about to grow: the sign of its first derivative that is not
//! round-off says which, so no time step decides. A guard that is wrong asks for a change of mode; the worst is
//! followed first, until none is wrong:
//!
//! * a sticking contact carries a force within its limits, or at a limit and not on its way out of it; one that
//!   exceeds it slips, or yields if other sticking contacts keep it in place (see `redundancy`);
//! * a contact that starts to slip accelerates in the direction of its slip, or sticks.
//!
//! With equal static and kinetic friction the modes solve the linear complementarity problem (@acary2008)
//!
//! ```text
//!   u̇ = c − G h,   |h| ≤ L,   u̇ = 0 inside,  u̇ ≥ 0 at h = L,  u̇ ≤ 0 at h = −L
//! ```
//!
//! whose accelerations are unique, and at ties the same problem for the derivatives. Pivoting by the worst guard is
//! fast but may cycle; late rounds take any wrong guard, drawn by the number of the round, which leaves every cycle
//! sooner or later.
//!
//! Static friction above kinetic leaves several consistent answers. Contacts that start to slip keep their static
//! friction at first, which makes the problem the one above. Of those the one that accelerates most, by |u̇|/√G, goes
//! over to its kinetic friction, and the others are resolved again, until none is left. Neither the order, nor gearing,
//! nor cutting a contact in two changes that measure.

/// How wrong a guard is, compared as pairs: guards that follow from the state come first, then forces by how fast
/// the contact would leave, then what only derivatives decide.
pub(crate) type Weight = [f64; 2];

/// Weights of guards whose value is negative: of the state, and of a force.
pub(crate) fn of_state(excess: f64) -> Weight {
    [4.0, excess]
}

/// Of a force beyond its limit by `excess`; `compliance` is the diagonal entry of G.
pub(crate) fn of_force(excess: f64, compliance: f64) -> Weight {
    [3.0, excess * compliance.sqrt()]
}

/// Rounds at most, as a multiple of those that pivoting by the worst guard may take.
const DRAWN: usize = 20;

/// Of a guard that is zero and falls.
pub(crate) const FALLS: Weight = [2.0, 0.0];
/// Of a contact that starts to slip and is pushed back.
pub(crate) const RETURNS: Weight = [1.0, 0.0];
/// Of a contact that slips with a velocity that stays zero.
pub(crate) const STAYS: Weight = [0.5, 0.0];
/// Of a contact that need not yield any longer.
pub(crate) const UNLOADS: Weight = [0.0, 0.0];

/// The wrong guard to be followed.
pub(crate) struct Choice<C> {
    /// The state of a generator of numbers where any guard is taken; `None` where the worst is.
    draw: Option<u64>,
    offered: u64,
    chosen: Option<(Weight, C)>,
}

impl<C> Choice<C> {
    fn new(draw: Option<usize>) -> Self {
        Self { draw: draw.map(|number| number as u64), offered: 0, chosen: None }
    }

    /// Offers a wrong guard.
    pub fn offer(&mut self, weight: Weight, change: C) {
        self.offered += 1;
        let is_taken = match &mut self.draw {
            Some(state) => {
                *state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                (*state >> 33) % self.offered == 0
            }
            None => self.chosen.as_ref().is_none_or(|worst| weight > worst.0),
        };
        if is_taken {
            self.chosen = Some((weight, change));
        }
    }
}

/// The elements of a system at an event, as an engine evaluates them.
pub(crate) trait Elements {
    /// A change of mode, named by the guard that asks for it.
    type Change: Copy;

    /// Number of elements.
    fn len(&self) -> usize;

    /// Evaluates forces and accelerations in the present modes, and offers all guards that are wrong.
    fn offer_wrong(&mut self, changed: &[Self::Change], choice: &mut Choice<Self::Change>);

    /// Changes a mode.
    fn change(&mut self, change: Self::Change);

    /// Lets that contact go over from static to kinetic friction which accelerates most by |u̇|/√G, of those that have
    /// started to slip. Returns whether there was one.
    fn weaken(&mut self) -> bool;

    /// Closes stops off which the system would bounce without end. Returns whether one was closed.
    fn close_bouncing(&mut self) -> bool {
        false
    }
}

/// Resolves the modes after the changes of an event; further ones are added to `changed`. Returns whether that came
/// to an end.
pub(crate) fn resolve<E: Elements>(elements: &mut E, changed: &mut Vec<E::Change>) -> bool {
    let regular = changed.len() + 10 + 3 * elements.len();
    let limit = DRAWN * regular;
    loop {
        let draw = (changed.len() > regular).then_some(changed.len());
        let mut choice = Choice::new(draw);
        elements.offer_wrong(changed, &mut choice);
        if let Some((_, change)) = choice.chosen {
            if changed.len() >= limit {
                return false;
            }
            changed.push(change);
            elements.change(change);
        } else if !elements.close_bouncing() && !elements.weaken() {
            return true;
        }
    }
}
