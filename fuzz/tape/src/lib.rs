//! Choices made of bytes. In: bytes of any kind. Out: numbers and choices. Invariant: every
//! sequence of bytes is good; when they are used up, each choice is the first, so generators put
//! what is smallest there.

use arbitrary::Unstructured;
use arbitrary::unstructured::Int;

/// The longest tape that [`bytes`] makes.
const LONGEST: usize = 600;

/// Bytes that have not been used yet.
pub struct Tape<'a>(Unstructured<'a>);

impl<'a> Tape<'a> {
    /// All of these bytes.
    pub fn new(bytes: &'a [u8]) -> Tape<'a> {
        Tape(Unstructured::new(bytes))
    }

    /// Whether the bytes are used up, so that whatever is chosen is smallest.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A number in a range, or its start.
    pub fn within<T: Int>(&mut self, low: T, high: T) -> T {
        // It fails for no range that has a number in it.
        self.0.int_in_range(low..=high).unwrap_or(low)
    }

    /// A number below another one, which is not 0.
    pub fn below(&mut self, end: usize) -> usize {
        self.within(0, end - 1)
    }

    /// One of these.
    pub fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    /// The index of one of these weights, each as likely as its weight says.
    pub fn weighted(&mut self, weights: &[u16]) -> usize {
        let mut rest = self.within(0, weights.iter().sum::<u16>() - 1);
        for (index, &weight) in weights.iter().enumerate() {
            match rest.checked_sub(weight) {
                Some(less) => rest = less,
                None => return index,
            }
        }
        0
    }

    /// Whether something happens that does in `times` of `of` cases. It does not when the bytes
    /// are used up.
    pub fn chance(&mut self, times: usize, of: usize) -> bool {
        self.below(of) >= of - times
    }

    /// An integer of 64 bits: small, next to a power of two, next to the ends, or any.
    pub fn integer(&mut self) -> i64 {
        match self.weighted(&[8, 3, 2, 1]) {
            0 => i64::from(self.within(0u8, 255) as i8),
            1 => (1i64 << self.below(63)).wrapping_add(self.pick(&[0, -1, 1])),
            2 => self.pick(&[i64::MAX, i64::MIN, i64::MAX - 1, i64::MIN + 1]),
            _ => self.within(i64::MIN, i64::MAX),
        }
    }
}

/// The tape with this number of a campaign: other numbers, other tapes.
pub fn bytes(campaign: &str, seed: u64, number: u64) -> Vec<u8> {
    let mut mixed = seed;
    for word in campaign.bytes().map(u64::from).chain([number]) {
        mixed = (mixed ^ word)
            .wrapping_mul(0x9E37_79B9_7F4A_7C15)
            .rotate_left(29);
    }
    let mut random = fastrand::Rng::with_seed(mixed);
    // Short tapes are quick, long ones are worth more.
    let length = random.usize(8..=LONGEST).min(random.usize(40..=LONGEST));
    let mut bytes = vec![0; length];
    random.fill(&mut bytes);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn used_up_tapes_choose_what_is_first() {
        let mut tape = Tape::new(&[]);
        assert!(tape.is_empty());
        assert_eq!((tape.below(9), tape.pick(&["a", "b"])), (0, "a"));
        assert_eq!((tape.weighted(&[1, 5]), tape.integer()), (0, 0));
        assert!(!tape.chance(8, 9));
    }

    #[test]
    fn weights_say_how_often() {
        let mut counts = [0; 3];
        for byte in 0..=255 {
            counts[Tape::new(&[byte]).weighted(&[4, 3, 1])] += 1;
        }
        assert_eq!(counts, [128, 96, 32]);
    }

    #[test]
    fn numbers_of_tapes_differ_and_stay() {
        assert_eq!(bytes("a", 1, 2), bytes("a", 1, 2));
        assert_ne!(bytes("a", 1, 2), bytes("a", 1, 3));
        assert_ne!(bytes("a", 1, 2), bytes("a", 2, 2));
        assert_ne!(bytes("a", 1, 2), bytes("b", 1, 2));
    }
}
