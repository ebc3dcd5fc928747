//! The smallest failing case. In: a tape or a list that fails, a function that says whether another
//! one still does, and how much may be spent on it. Out: a shorter and lower one that fails.
//! Invariant: what comes out has been tried and fails; it is never larger than what went in.
//!
//! Delta debugging: chunks are removed, halving their size until they are single bytes, then set to
//! zero, then single bytes are lowered; all of it again until nothing changes or the tries are used
//! up.

use std::time::{Duration, Instant};

/// The budget for making one failure smaller.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    tries: usize,
    /// Nothing if that is further away than clocks go.
    until: Option<Instant>,
}

/// The most that a campaign spends on making a failure smaller.
#[derive(Clone, Copy, Debug)]
pub struct Shrinking {
    /// How many tries.
    pub tries: usize,
    /// The time after which no try begins.
    pub time: Duration,
}

impl From<Duration> for Shrinking {
    fn from(time: Duration) -> Shrinking {
        let tries = usize::MAX;
        Shrinking { tries, time }
    }
}

impl Budget {
    /// This many tries, or as many as the campaign allows.
    pub fn new(tries: usize, most: Shrinking) -> Budget {
        Budget {
            tries: tries.min(most.tries),
            until: Instant::now().checked_add(most.time),
        }
    }

    /// Whether nothing more may be tried.
    pub fn is_spent(&self) -> bool {
        self.tries == 0 || self.until.is_some_and(|until| Instant::now() >= until)
    }

    /// Takes a try, if there is one.
    pub fn spend(&mut self) -> bool {
        let left = !self.is_spent();
        self.tries -= usize::from(left);
        left
    }
}

/// Shrinks a tape.
pub fn tape(tape: &[u8], budget: &mut Budget, mut fails: impl FnMut(&[u8]) -> bool) -> Vec<u8> {
    let mut smallest = Smallest {
        tape: tape.to_vec(),
        budget,
        fails: &mut fails,
    };
    loop {
        let before = smallest.tape.clone();
        smallest.chunks(|tape, from, to| drop(tape.drain(from..to)));
        smallest.chunks(|tape, from, to| tape[from..to].fill(0));
        smallest.lower();
        if smallest.tape == before || smallest.budget.is_spent() {
            return smallest.tape;
        }
    }
}

/// Removes from a list what it fails without.
pub fn list<T: Clone>(
    items: &[T],
    budget: &mut Budget,
    mut fails: impl FnMut(&[T]) -> bool,
) -> Vec<T> {
    let mut smallest = items.to_vec();
    let mut index = smallest.len();
    while index > 0 && budget.spend() {
        index -= 1;
        let mut smaller = smallest.clone();
        smaller.remove(index);
        if fails(&smaller) {
            smallest = smaller;
        }
    }
    smallest
}

struct Smallest<'a> {
    tape: Vec<u8>,
    budget: &'a mut Budget,
    fails: &'a mut dyn FnMut(&[u8]) -> bool,
}

impl Smallest<'_> {
    /// Takes another tape if it fails.
    fn attempt(&mut self, other: Vec<u8>) -> bool {
        if other == self.tape || !self.budget.spend() {
            return false;
        }
        let fails = (self.fails)(&other);
        if fails {
            self.tape = other;
        }
        fails
    }

    /// Changes chunks from the end, where what matters least is.
    fn chunks(&mut self, change: impl Fn(&mut Vec<u8>, usize, usize)) {
        let mut size = self.tape.len();
        while size > 0 {
            let mut end = self.tape.len();
            while end > 0 {
                let start = end.saturating_sub(size);
                let mut other = self.tape.clone();
                change(&mut other, start, end);
                self.attempt(other);
                end = start.min(self.tape.len());
            }
            size /= 2;
        }
    }

    /// Lowers each byte, first by much.
    fn lower(&mut self) {
        for index in 0..self.tape.len() {
            let mut step = 128;
            while step > 0 {
                let mut other = self.tape.clone();
                match other[index].checked_sub(step) {
                    Some(lower) => other[index] = lower,
                    None => {
                        step /= 2;
                        continue;
                    }
                }
                if !self.attempt(other) {
                    step /= 2;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tries(tries: usize) -> Budget {
        Budget::new(tries, Duration::MAX.into())
    }

    #[test]
    fn a_tape_shrinks_to_what_fails() {
        let long: Vec<u8> = (0..200).map(|n| (n * 37 % 251) as u8).collect();
        let fails = |tape: &[u8]| {
            let first = tape.iter().position(|&b| b >= 100);
            first.is_some_and(|at| tape[at..].iter().any(|&b| (17..60).contains(&b)))
        };
        assert!(fails(&long));
        assert_eq!(tape(&long, &mut tries(10_000), fails), [100, 17]);
    }

    #[test]
    fn lengths_shrink_too() {
        assert_eq!(
            tape(&[9; 300], &mut tries(10_000), |t| t.len() >= 7),
            [0; 7]
        );
        assert!(tape(&[9; 300], &mut tries(10_000), |_| true).is_empty());
    }

    #[test]
    fn tries_and_time_are_bounded() {
        let mut budget = tries(50);
        let mut tried = 0;
        tape(&[255; 64], &mut budget, |_| {
            tried += 1;
            false
        });
        assert_eq!((tried, budget.is_spent()), (50, true));
        let mut no_time = Budget::new(50, Duration::ZERO.into());
        assert_eq!(tape(&[9; 30], &mut no_time, |_| true), [9; 30]);
        assert_eq!(list(&[9; 30], &mut no_time, |_| true), [9; 30]);
    }

    #[test]
    fn a_list_keeps_what_it_needs() {
        let items: Vec<u32> = (0..30).collect();
        let fails = |list: &[u32]| list.contains(&3) && list.contains(&20);
        assert_eq!(list(&items, &mut tries(1000), fails), [3, 20]);
    }
}
