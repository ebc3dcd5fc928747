//! The smallest failing case. In: a tape or a list that fails, and a function that says whether another one still does. Out: a
//! shorter and lower one that fails. Invariant: what comes out has been tried and fails; it is never larger than what went in.
//!
//! Delta debugging: chunks are removed, halving their size until they are single bytes, then set to zero, then single bytes are
//! lowered; all of it again until nothing changes or the tries are used up.

/// Shrinks a tape, with at most so many tries.
pub fn tape(tape: &[u8], tries: usize, mut fails: impl FnMut(&[u8]) -> bool) -> Vec<u8> {
    let mut smallest = Smallest {
        tape: tape.to_vec(),
        tries,
        fails: &mut fails,
    };
    loop {
        let before = smallest.tape.clone();
        smallest.chunks(|tape, from, to| drop(tape.drain(from..to)));
        smallest.chunks(|tape, from, to| tape[from..to].fill(0));
        smallest.lower();
        if smallest.tape == before || smallest.tries == 0 {
            return smallest.tape;
        }
    }
}

/// Removes from a list what it fails without, with at most so many tries.
pub fn list<T: Clone>(items: &[T], tries: usize, mut fails: impl FnMut(&[T]) -> bool) -> Vec<T> {
    let mut smallest = items.to_vec();
    let mut tries = tries;
    let mut index = smallest.len();
    while index > 0 && tries > 0 {
        index -= 1;
        tries -= 1;
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
    tries: usize,
    fails: &'a mut dyn FnMut(&[u8]) -> bool,
}

impl Smallest<'_> {
    /// Takes another tape if it fails.
    fn attempt(&mut self, other: Vec<u8>) -> bool {
        if self.tries == 0 || other == self.tape {
            return false;
        }
        self.tries -= 1;
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

    #[test]
    fn a_tape_shrinks_to_what_fails() {
        let long: Vec<u8> = (0..200).map(|n| (n * 37 % 251) as u8).collect();
        let fails = |tape: &[u8]| {
            let first = tape.iter().position(|&b| b >= 100);
            first.is_some_and(|at| tape[at..].iter().any(|&b| (17..60).contains(&b)))
        };
        assert!(fails(&long));
        assert_eq!(tape(&long, 10_000, fails), [100, 17]);
    }

    #[test]
    fn lengths_shrink_too() {
        assert_eq!(tape(&[9; 300], 10_000, |t| t.len() >= 7), [0; 7]);
        assert!(tape(&[9; 300], 10_000, |_| true).is_empty());
    }

    #[test]
    fn the_tries_are_bounded() {
        let mut tries = 0;
        tape(&[255; 64], 50, |_| {
            tries += 1;
            false
        });
        assert_eq!(tries, 50);
    }

    #[test]
    fn a_list_keeps_what_it_needs() {
        let items: Vec<u32> = (0..30).collect();
        let fails = |list: &[u32]| list.contains(&3) && list.contains(&20);
        assert_eq!(list(&items, 1000, fails), [3, 20]);
    }
}
