//! All contacts of one degree of freedom as one polyline over its velocity.
//!
//! ```text
//!   Q(u̇) = Σ wᵢ Hᵢ(wᵢ u̇ − beltᵢ)
//! ```
//!
//! With the contacts on belts of different speeds Q has several jumps. At a jump the degree of freedom can
//! rest (on that belt) while the demand lies between `low` and `high`; contacts that rest together share the
//! load in proportion to their static friction, from the middle of what each can hold.

use super::polyline::{Corner, ForceLine, LinePiece};
use crate::system::Contact;

/// One contact, seen from the degree of freedom.
#[derive(Clone, Debug)]
pub(super) struct AxialContact {
    pub line: ForceLine,
    pub direction: f64,
    pub belt: f64,
}

/// A corner of Q.
#[derive(Clone, Debug)]
pub(super) struct Knot {
    /// Velocity of the degree of freedom (m/s).
    pub v: f64,
    /// Smallest and largest Q that can be held (N).
    pub low: f64,
    pub high: f64,
    /// `high` − Q just above, and Q just below − `low` (N).
    pub release_up: f64,
    pub release_down: f64,
    /// The contacts that have a corner here, and which.
    pub members: Vec<(usize, usize)>,
    /// Q of the contacts that have no jump here, and of the others in the middle of what they hold (N).
    pub others: f64,
    /// How each contact shares the rest of the demand.
    pub shares: Vec<Share>,
    /// Whether a rest here does work: it moves, or a belt does.
    pub is_carried: bool,
}

/// What a contact does at a knot: those with a jump share the demand by their static friction, the others
/// have their own force.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Share {
    /// Force over the rest of the demand; zero without a jump.
    pub gain: f64,
    /// Force without a rest of the demand: the middle of what several contacts hold, zero of one (N).
    pub base: f64,
    /// Limits of the force; both its own without a jump (N).
    pub low: f64,
    pub high: f64,
    /// Sliding velocity (m/s), to the bit where the contact has a corner.
    pub sliding: f64,
}

#[derive(Clone, Debug)]
pub(super) struct Characteristic {
    pub contacts: Vec<AxialContact>,
    /// Q = force + slope · u̇ between the knots.
    pub pieces: Vec<LinePiece>,
    pub knots: Vec<Knot>,
    /// The piece of contact i on piece k of Q, at k · n + i, and a sliding velocity inside it (m/s).
    own: Vec<usize>,
    inside: Vec<f64>,
}

impl Characteristic {
    /// `Err` with the contact whose law is not a polyline.
    pub fn new(system_contacts: &[Contact]) -> Result<Self, usize> {
        let mut contacts = Vec::new();
        for (i, contact) in system_contacts.iter().enumerate() {
            let line = ForceLine::new(contact).ok_or(i)?;
            contacts.push(AxialContact { line, direction: contact.direction[0], belt: contact.belt });
        }
        // corners of all contacts over the velocity of the degree of freedom, with the size of its terms
        let mut all: Vec<(f64, f64, usize, usize)> = Vec::new();
        for (i, contact) in contacts.iter().enumerate() {
            for (c, corner) in contact.line.corners.iter().enumerate() {
                let size = (corner.v.abs() + contact.belt.abs()) / contact.direction.abs();
                all.push(((corner.v + contact.belt) / contact.direction, size, i, c));
            }
        }
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut knots: Vec<Knot> = Vec::new();
        for (v, size, i, c) in all {
            match knots.last_mut() {
                // the same velocity, reached through different roundings
                Some(knot) if v - knot.v <= 4.0 * f64::EPSILON * size => knot.members.push((i, c)),
                _ => knots.push(Knot {
                    v: v + 0.0,
                    low: 0.0,
                    high: 0.0,
                    release_up: 0.0,
                    release_down: 0.0,
                    members: vec![(i, c)],
                    others: 0.0,
                    shares: Vec::new(),
                    is_carried: v != 0.0 || contacts.iter().any(|contact| contact.belt != 0.0),
                }),
            }
        }
        // below all knots a contact is on its first piece, or on its last if its direction is negative
        let mut current: Vec<usize> = contacts
            .iter()
            .map(|contact| if contact.direction > 0.0 { 0 } else { contact.line.corners.len() })
            .collect();
        let mut own = current.clone();
        let mut pieces = vec![sum(&contacts, &current)];
        for knot in &mut knots {
            for &(i, c) in &knot.members {
                let AxialContact { line, direction: w, .. } = &contacts[i];
                let corner = line.corners[c];
                let (below, above, low, high) = if *w > 0.0 {
                    (corner.left, corner.right, corner.low, corner.high)
                } else {
                    (corner.right, corner.left, corner.high, corner.low)
                };
                current[i] = if *w > 0.0 { c + 1 } else { c };
                knot.low += w * low;
                knot.high += w * high;
                knot.release_up += w * (high - above);
                knot.release_down += w * (below - low);
            }
            for (i, contact) in contacts.iter().enumerate() {
                if knot.members.iter().all(|member| member.0 != i) {
                    let value = contact.direction * contact.force(current[i], knot.v);
                    knot.low += value;
                    knot.high += value;
                }
            }
            own.extend_from_slice(&current);
            pieces.push(sum(&contacts, &current));
        }
        let n = contacts.len();
        let inside = |(k, piece): (usize, &usize)| contacts[k % n].line.inside(*piece);
        let inside = own.iter().enumerate().map(inside).collect();
        let mut new = Self { contacts, pieces, knots, own, inside };
        new.share();
        Ok(new)
    }

    /// How the contacts share the demand at each knot.
    fn share(&mut self) {
        for k in 0..self.knots.len() {
            let Knot { v, ref members, .. } = self.knots[k];
            let corner = |&(i, c): &(usize, usize)| (&self.contacts[i], self.contacts[i].line.corners[c]);
            let half = |corner: &Corner| 0.5 * (corner.high - corner.low);
            let jumps = || members.iter().map(corner).filter(|(_, corner)| corner.is_jump());
            // half of what all can hold between their limits, as a force on the degree of freedom
            let capacity: f64 =
                jumps().map(|(contact, corner)| contact.direction.abs() * half(&corner)).sum();
            let is_shared = jumps().count() > 1;
            let own = |(i, contact): (usize, &AxialContact)| {
                let force = contact.force(self.own_piece(k, i), v);
                Share {
                    gain: 0.0,
                    base: 0.0,
                    low: force,
                    high: force,
                    sliding: contact.direction * v - contact.belt,
                }
            };
            let mut shares: Vec<Share> = self.contacts.iter().enumerate().map(own).collect();
            for member in members {
                let (i, (contact, corner)) = (member.0, corner(member));
                // resting is exact, whatever the rounding of belt and direction
                shares[i].sliding = corner.v;
                if corner.is_jump() {
                    let gain = (half(&corner) / capacity).copysign(contact.direction);
                    let base = if is_shared { 0.5 * (corner.high + corner.low) } else { 0.0 };
                    shares[i] = Share { gain, base, low: corner.low, high: corner.high, sliding: corner.v };
                }
            }
            let base = |share: &Share| if share.gain == 0.0 { share.low } else { share.base };
            let others = self
                .contacts
                .iter()
                .zip(&shares)
                .map(|(contact, share)| contact.direction * base(share))
                .sum();
            (self.knots[k].others, self.knots[k].shares) = (others, shares);
        }
    }

    /// The force of contact `i` at rest on a knot that must hold `demand` (N).
    #[inline]
    pub fn held(&self, knot: usize, i: usize, demand: f64) -> f64 {
        let knot = &self.knots[knot];
        let Share { gain, base, low, high, .. } = knot.shares[i];
        // beyond its limits by no more than the rounding of the time
        let held = base + gain * (demand - knot.others);
        if held < low {
            low
        } else if held > high {
            high
        } else {
            held
        }
    }

    /// The velocities between which piece `k` lies; infinite where it does not end (m/s).
    #[inline]
    pub fn ends(&self, k: usize) -> [f64; 2] {
        let below = if k > 0 { self.knots[k - 1].v } else { f64::NEG_INFINITY };
        [below, self.knots.get(k).map_or(f64::INFINITY, |knot| knot.v)]
    }

    /// A sliding velocity of contact `i` inside piece `k` of Q (m/s).
    #[inline]
    pub fn inside(&self, k: usize, i: usize) -> f64 {
        self.inside[k * self.contacts.len() + i]
    }

    /// The piece of contact `i` on piece `k` of Q.
    #[inline]
    pub fn own_piece(&self, k: usize, i: usize) -> usize {
        self.own[k * self.contacts.len() + i]
    }

    /// dH/dv of contact `i` at a knot: zero where it jumps, since its force does not follow from the velocity
    /// there (N s/m).
    pub fn rest_slope(&self, knot: usize, i: usize) -> f64 {
        let Share { low, high, .. } = self.knots[knot].shares[i];
        if high > low { 0.0 } else { self.contacts[i].line.pieces[self.own_piece(knot, i)].slope }
    }

    /// The knot at exactly `v`, or else the piece that `v` lies on.
    pub fn place(&self, v: f64) -> Result<usize, usize> {
        let above = self.knots.partition_point(|knot| knot.v < v);
        match self.knots.get(above) {
            Some(knot) if knot.v == v => Ok(above),
            _ => Err(above),
        }
    }
}

impl AxialContact {
    /// H on piece `p` while the degree of freedom moves at `v` (N).
    #[inline]
    pub fn force(&self, p: usize, v: f64) -> f64 {
        let piece = self.line.pieces[p];
        piece.force + piece.slope * (self.direction * v - self.belt)
    }
}

fn sum(contacts: &[AxialContact], current: &[usize]) -> LinePiece {
    let mut total = LinePiece::default();
    for (contact, &p) in contacts.iter().zip(current) {
        let (piece, w) = (contact.line.pieces[p], contact.direction);
        total.force += w * (piece.force - piece.slope * contact.belt);
        total.slope += w * w * piece.slope;
    }
    total
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::{Coulomb, FrictionLaw, Linear};

    fn contact(law: FrictionLaw, load: f64, direction: f64, belt: f64) -> Contact {
        Contact { friction: law.into(), load, direction: vec![direction], belt }
    }

    #[test]
    fn two_belts_and_a_ramp_add_up() {
        let coulomb = FrictionLaw::Coulomb(Coulomb { mu: 0.3, mu_static: Some(0.5) });
        let ramp = FrictionLaw::Linear(Linear { mu: 1.0, width: 2.0, rise: None, rise_height: None });
        let contacts = [
            contact(coulomb.clone(), 2.0, 1.0, 1.0),
            contact(coulomb, 1.0, -2.0, 1.0),
            contact(ramp, 1.0, 1.0, 0.0),
        ];
        let q = Characteristic::new(&contacts).unwrap();
        let v: Vec<f64> = q.knots.iter().map(|knot| knot.v).collect();
        assert_eq!(v, [-2.0, -0.5, 1.0, 2.0]);
        // between −½ and 1: first contact slides back, second forward with w = −2, ramp at half its slope
        let piece = q.pieces[2];
        assert!((piece.force - (-0.6 + 0.6)).abs() < 1e-15 && piece.slope == 0.5);
        // at u̇ = 1 the first contact holds ±1, the second gives 0.6, the ramp 0.5
        let knot = &q.knots[2];
        assert!((knot.low - 0.1).abs() < 1e-15 && (knot.high - 2.1).abs() < 1e-15);
        assert!((knot.release_up - 0.4).abs() < 1e-15 && (knot.release_down - 0.4).abs() < 1e-15);
    }
}
