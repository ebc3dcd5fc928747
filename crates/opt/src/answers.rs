//! Which arms the guest program has taken, for whoever writes code. In: questions, as numbers, with
//! the arm that was the answer. Out: the answers so far. Invariant: bounded memory. It is advice:
//! code that takes it has an exit for any other answer.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// So many questions are remembered. When there are more, all are forgotten.
const QUESTIONS: usize = 1 << 16;

/// So many answers to each; who answers in more ways is asked each time.
const ANSWERS: usize = 8;

/// The arms that were an answer, in the order in which they came first.
pub type Arms = SmallVec<[u32; 2]>;

/// The questions that have been answered.
#[derive(Default)]
pub(crate) struct Answers(FxHashMap<u64, Arms>);

impl Answers {
    /// What the answers were.
    pub fn of(&self, question: u64) -> Arms {
        self.0.get(&question).cloned().unwrap_or_default()
    }

    /// This is an answer.
    pub fn note(&mut self, question: u64, arm: u32) {
        if self.0.len() >= QUESTIONS {
            self.0.clear();
        }
        let known = self.0.entry(question).or_default();
        if known.len() < ANSWERS && !known.contains(&arm) {
            known.push(arm);
        }
    }
}
