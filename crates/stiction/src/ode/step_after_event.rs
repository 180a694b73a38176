//! Lengths of the first steps after an event.
//!
//! After an event the solution may be another one: steps as long as those on the last stretch are tried only where
//! the stiffness allows that, and a guard that has been left before to the same side is remembered with the length
//! of the first step that succeeded.

/// After a kink a transient e^(−λt) may begin. A first step of `TRANSIENT` rtol^⅛ / λ resolves it.
const TRANSIENT: f64 = 10.0;
/// A stretch whose stiffness is at most this multiple of that before the last event has room for its steps.
const SIMILAR: f64 = 1.5;

/// What is known about steps after events.
pub(crate) struct StepAfterEvent {
    /// Estimate of the largest modulus of an eigenvalue where the next step starts (1/s).
    pub stiffness: f64,
    /// Stiffness and length of the steps before the last event.
    before: Option<(f64, f64)>,
    /// For each guard, left downwards and upwards, a length that a first step after it can have; infinite at first.
    known: Vec<[f64; 2]>,
    /// The guard that the last step ended on, and whether it is left upwards.
    leaves: Option<(usize, usize)>,
    /// Product h λ that resolves a transient.
    transient: f64,
}

impl StepAfterEvent {
    pub fn new(n_guards: usize, rtol: f64) -> Self {
        Self {
            stiffness: 0.0,
            before: None,
            known: vec![[f64::INFINITY; 2]; n_guards],
            leaves: None,
            transient: TRANSIENT * libm::pow(rtol, 1.0 / 8.0),
        }
    }

    /// Starts from scratch.
    pub fn restart(&mut self) {
        self.before = None;
        self.known.fill([f64::INFINITY; 2]);
        self.leaves = None;
    }

    /// Learns the length `h` that error control chooses after the first step behind an event.
    pub fn learn(&mut self, h: f64) {
        if let Some((guard, side)) = self.leaves.take() {
            self.known[guard][side] = h;
        }
    }

    /// The length of the first step after an event of `guard`, which is left upwards if it `rises`: the steps before
    /// had the length `h`, `next` is what error control would choose, and the method may have changed.
    pub fn first(
        &mut self,
        stiffness: f64,
        [h, next]: [f64; 2],
        has_changed: bool,
        guard: usize,
        rises: bool,
    ) -> f64 {
        let mut first = next;
        if let Some((before, h)) = self.before
            && stiffness <= SIMILAR * before
        {
            // the length of implicit steps says nothing about explicit ones
            first = if has_changed { h } else { first.max(h) };
        }
        self.before = Some((self.stiffness, h));
        self.stiffness = stiffness;
        let side = usize::from(rises);
        self.leaves = Some((guard, side));
        // a regularised law begins flat: how short the steps on it must be is known from the last time
        first.min(self.transient / stiffness).min(self.known[guard][side])
    }
}
