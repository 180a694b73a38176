//! Which contacts stick after an event, by trying all combinations.

use super::*;

impl Exponential {
    /// The modes from now on of contacts at zero velocity: those in `reached` and those that stick.
    pub(super) fn decide(&mut self, reached: &[usize]) {
        let (n, one, before) = (self.n, self.one, self.mode.clone());
        let open: Vec<usize> =
            (0..self.contacts.len()).filter(|i| reached.contains(i) || before[*i] == Mode::Stick).collect();
        for &i in &open {
            // take the rounding out of the velocity
            let image = &self.inverse * &self.contacts[i].w;
            let excess = self.sliding(i) / self.contacts[i].w.dot(&image);
            let change = &self.tree.relative * image * excess;
            let mut y = self.x.rows_mut(0, n);
            y -= change;
        }
        for (i, mode) in before.iter().enumerate() {
            let slides = !open.contains(&i);
            let force = if let Mode::Slip(sign) = mode { sign * self.contacts[i].kinetic } else { 0.0 };
            self.x[one + 1 + i] = if slides { force } else { 0.0 };
        }
        let free = self.free_rows() * &self.x;
        let r = open.len();
        let demand = DVector::from_fn(r, |a, _| self.contacts[open[a]].w.dot(&free));
        let compliance = DMatrix::from_fn(r, r, |a, b| {
            self.contacts[open[a]].w.dot(&(&self.inverse * &self.contacts[open[b]].w))
        });
        let mut best: Option<(usize, Vec<Mode>)> = None;
        let mut ties = 0;
        for code in 0..3usize.pow(r as u32) {
            let choice: Vec<Mode> = (0..r)
                .map(|a| [Mode::Stick, Mode::Slip(1.0), Mode::Slip(-1.0)][code / 3usize.pow(a as u32) % 3])
                .collect();
            let resting: Vec<usize> = (0..r).filter(|&a| choice[a] == Mode::Stick).collect();
            if best.as_ref().is_some_and(|best| best.0 > resting.len()) {
                continue;
            }
            let mut force = DVector::zeros(r);
            for a in 0..r {
                if let Mode::Slip(sign) = choice[a] {
                    force[a] = sign * self.contacts[open[a]].kinetic;
                }
            }
            let left = &demand - &compliance * &force;
            if !resting.is_empty() {
                let inner = DMatrix::from_fn(resting.len(), resting.len(), |a, b| {
                    compliance[(resting[a], resting[b])]
                });
                let rest = DVector::from_fn(resting.len(), |a, _| left[resting[a]]);
                let held = inner.lu().solve(&rest).unwrap();
                resting.iter().zip(held.iter()).for_each(|(&a, held)| force[a] = *held);
            }
            let pushed = &demand - &compliance * &force;
            let mut is_doubtful = false;
            let is_right = (0..r).all(|a| {
                let contact = &self.contacts[open[a]];
                // a contact that has just reached its limit goes on beyond it
                let is_at_limit =
                    reached.contains(&open[a]) && before[open[a]] == Mode::Stick && self.t > 0.0;
                match choice[a] {
                    Mode::Stick => {
                        let room = 1.0 - force[a].abs() / contact.limit;
                        is_doubtful |= room.abs() < 1e-7 && !is_at_limit;
                        room > if is_at_limit { 1e-9 } else { 0.0 }
                    }
                    Mode::Slip(sign) => {
                        let part = sign * pushed[a] / (compliance[(a, a)] * contact.kinetic);
                        is_doubtful |= part.abs() < 1e-7 && !is_at_limit;
                        part > if is_at_limit { -1e-9 } else { 0.0 }
                    }
                }
            });
            if is_right {
                self.ambiguous |= is_doubtful;
                ties = if best.as_ref().is_some_and(|best| best.0 == resting.len()) { ties + 1 } else { 1 };
                best = Some((resting.len(), choice));
            }
        }
        self.ambiguous |= ties > 1;
        let Some((_, choice)) = best else { panic!("no consistent modes at t = {}", self.t) };
        for (&i, &now) in open.iter().zip(&choice) {
            self.mode[i] = now;
            if let Mode::Slip(sign) = now {
                self.x[one + 1 + i] = sign * self.contacts[i].kinetic;
            }
            let kind = match (before[i], now) {
                (Mode::Stick, Mode::Slip(_)) => EventKind::Slip,
                (Mode::Slip(_), Mode::Stick) => EventKind::Stick,
                (Mode::Slip(a), Mode::Slip(b)) if a != b => EventKind::Reverse,
                _ => continue,
            };
            self.events.push(Event { t: self.t, contact: i, kind });
        }
    }
}
