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
//! fast but may cycle, so late rounds take the first wrong guard (Murty's rule), which ends if G is regular.
//!
//! Static friction above kinetic leaves several consistent answers. The contact that exceeds its static limit most
//! slips first, measured by √G times the excess force with all others as they are (twice the root of the kinetic
//! energy that a unit of time would gain): neither the order, nor gearing, nor cutting a contact in two changes it.
//! Contacts that slipped before others did are then tried again, so that no answer is taken in which one contact
//! more could stick.

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
    /// Takes the first instead of the worst.
    takes_first: bool,
    chosen: Option<(Weight, C)>,
}

impl<C> Choice<C> {
    /// Offers a wrong guard. Returns whether no other needs to be looked at.
    pub fn offer(&mut self, weight: Weight, change: C) -> bool {
        if self.chosen.as_ref().is_none_or(|worst| weight > worst.0) {
            self.chosen = Some((weight, change));
        }
        self.takes_first
    }
}

/// The elements of a system at an event, as an engine evaluates them.
pub(crate) trait Elements {
    /// A change of mode, named by the guard that asks for it.
    type Change: Copy;
    /// Modes, and the state as far as changes of mode reset it.
    type Saved;

    /// Number of elements.
    fn len(&self) -> usize;

    /// Evaluates forces and accelerations in the present modes, and offers all guards that are wrong.
    fn offer_wrong(&mut self, changed: &[Self::Change], choice: &mut Choice<Self::Change>);

    /// Changes a mode.
    fn change(&mut self, change: Self::Change);

    /// The contact that a change lets slip.
    fn released(&self, change: Self::Change) -> Option<usize>;

    /// Lets a slipping contact stick, with those that it then keeps in place. Returns whether it can.
    fn stick(&mut self, contact: usize) -> bool;

    /// Closes stops off which the system would bounce without end. Returns whether one was closed.
    fn close_bouncing(&mut self) -> bool {
        false
    }

    fn save(&self) -> Self::Saved;

    fn restore(&mut self, saved: &Self::Saved);
}

fn wrong<E: Elements>(elements: &mut E, changed: &[E::Change], takes_first: bool) -> Option<E::Change> {
    let mut choice = Choice { takes_first, chosen: None };
    elements.offer_wrong(changed, &mut choice);
    choice.chosen.map(|chosen| chosen.1)
}

/// Resolves the modes. `Err` has the changes that follow each other without end.
pub(crate) fn resolve<E: Elements>(elements: &mut E) -> Result<Vec<E::Change>, Vec<E::Change>> {
    let limit = 20 + 6 * elements.len();
    let mut changed = Vec::new();
    loop {
        while let Some(change) = wrong(elements, &changed, changed.len() > limit / 2) {
            if changed.len() >= limit {
                return Err(changed);
            }
            changed.push(change);
            elements.change(change);
        }
        if !elements.close_bouncing() {
            break;
        }
    }
    stick_again(elements, &changed);
    Ok(changed)
}

/// Contacts that were released before others may be able to stick after these.
fn stick_again<E: Elements>(elements: &mut E, changed: &[E::Change]) {
    let Some((_, earlier)) = changed.split_last() else { return };
    for change in earlier {
        let Some(contact) = elements.released(*change) else { continue };
        let before = elements.save();
        if elements.stick(contact) && wrong(elements, changed, true).is_some() {
            elements.restore(&before);
        }
    }
}
