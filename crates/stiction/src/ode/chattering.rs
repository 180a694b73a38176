//! Chattering: guards that stay at zero over several steps are ignored for one step, so that they cannot stall the
//! integration.
//!
//! A guard chatters if several steps in a row end on it, if steps are cut very short for it without reaching it, or
//! if it does not move at all while steps aim at it, hidden in the round-off of the state. Several guards that
//! chatter in turns are found by the number of very short steps.

/// A guard that ends more steps in a row, or cuts so many short in vain, chatters.
const CHATTERS: u32 = 4;
/// Guards that cut more steps in a row very short chatter together.
const TOGETHER: u32 = 12;

/// Steps that guards have ended or cut short.
pub(crate) struct Chattering {
    /// Steps in a row that ended on each guard, or were cut short for it in vain.
    streak: Vec<u32>,
    /// The guard that the step under way was cut very short for, in vain.
    evader: Option<usize>,
    /// The guard that the step under way was cut short for, in vain.
    aim: Option<usize>,
    /// Steps in a row that were cut very short, and the guards that did it.
    cuts: u32,
    cuts_by: Vec<bool>,
}

impl Chattering {
    pub fn new(n_guards: usize) -> Self {
        Self { streak: vec![0; n_guards], evader: None, aim: None, cuts: 0, cuts_by: vec![false; n_guards] }
    }

    /// Whether guard `j` is ignored in the next step.
    pub fn is_ignored(&self, j: usize) -> bool {
        self.streak[j] > CHATTERS || self.cuts > TOGETHER && self.cuts_by[j]
    }

    /// Records that the step under way was cut short for the guard `aim` and does not end on it.
    pub fn missed(&mut self, aim: Option<usize>, is_very_short: bool) {
        (self.aim, self.evader) = (aim, aim.filter(|_| is_very_short));
    }

    /// Records whether the step under way is cut very short, and for which guard.
    pub fn cut(&mut self, by: Option<usize>) {
        match by {
            Some(guard) => {
                self.cuts += 1;
                self.cuts_by[guard] = true;
            }
            None if self.cuts > 0 => {
                self.cuts = 0;
                self.cuts_by.fill(false);
            }
            None => {}
        }
    }

    /// Counts the step that ends: whether it ends on guard `j`, and whether this guard has kept its value.
    pub fn count(&mut self, j: usize, is_reached: bool, is_constant: bool) {
        let counts = is_reached || self.evader == Some(j) || self.aim == Some(j) && is_constant;
        self.streak[j] = if counts { self.streak[j] + 1 } else { 0 };
    }

    /// Begins with the next step.
    pub fn end_step(&mut self) {
        (self.evader, self.aim) = (None, None);
    }
}
