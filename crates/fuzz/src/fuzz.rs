//! Mutates, reads, and keeps what is answered in a new way.

use crate::answer::Answer;
use crate::corpus::seeds;
use crate::mutate::mutated;
use crate::targets::{Target, words};
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use stiction_soak::dice::Dice;

/// Texts that are mutated at most; then new ones take the place of old ones.
const MOST: usize = 2000;

/// Something that does not hold.
pub struct Finding {
    /// The text.
    pub text: Vec<u8>,
    /// What was said.
    pub message: String,
}

/// Texts that are answered in different ways.
#[derive(Default)]
struct Pool {
    texts: Vec<Vec<u8>>,
    answers: BTreeSet<u64>,
}

impl Pool {
    fn add(&mut self, answer: u64, text: Vec<u8>, dice: &mut Dice) {
        if !self.answers.insert(answer) {
            return;
        }
        if self.texts.len() < MOST {
            self.texts.push(text);
        } else {
            let place = dice.below(MOST);
            self.texts[place] = text;
        }
    }
}

/// A target under way.
pub struct Fuzz<'a> {
    target: &'a Target,
    dice: Dice,
    seeds: Vec<Vec<u8>>,
    sound: Pool,
    refused: Pool,
    n_sound: u64,
}

impl<'a> Fuzz<'a> {
    /// Begins with the committed texts.
    pub fn new(target: &'a Target, seed: u64) -> Self {
        let (sound, refused) = (Pool::default(), Pool::default());
        Self { target, dice: Dice::new(seed), seeds: seeds(target.name), sound, refused, n_sound: 0 }
    }

    /// Reads the committed texts; gives what does not hold for them.
    pub fn replay(&mut self) -> Vec<Finding> {
        self.seeds.clone().into_iter().filter_map(|text| self.read(text)).collect()
    }

    /// The next text.
    pub fn next_text(&mut self) -> Vec<u8> {
        let (text, other) = (self.pick(), self.pick());
        mutated(&text, &other, words(), &mut self.dice)
    }

    /// A text to mutate: rarely one that was refused, because most of what it becomes is refused for the same reason.
    fn pick(&mut self) -> Vec<u8> {
        let pools = [&self.seeds, &self.sound.texts, &self.sound.texts, &self.refused.texts];
        let pool = Some(*self.dice.pick(&pools)).filter(|pool| !pool.is_empty()).unwrap_or(&self.seeds);
        self.dice.pick(pool).clone()
    }

    /// Reads a text; gives what does not hold.
    pub fn read(&mut self, text: Vec<u8>) -> Option<Finding> {
        match catch_unwind(AssertUnwindSafe(|| (self.target.run)(&text))) {
            Ok(Answer::Sound(answer)) => {
                self.n_sound += 1;
                self.sound.add(answer, text, &mut self.dice);
                None
            }
            Ok(Answer::Refused(answer)) => {
                self.refused.add(answer, text, &mut self.dice);
                None
            }
            Err(panic) => {
                let said = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
                let message = said.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
                Some(Finding { text, message })
            }
        }
    }

    /// Number of texts that were taken.
    pub fn n_sound(&self) -> u64 {
        self.n_sound
    }

    /// Number of different answers so far.
    pub fn n_answers(&self) -> usize {
        self.sound.answers.len() + self.refused.answers.len()
    }
}
