//! The state of a merge point as words, and how native code came there.

use crate::layout::parts::{MAX_PARTS, Parts};
use verdigris_ops::Ty;

/// How the interpreter came to the merge point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub enum EntryKind {
    /// By a back edge.
    BackEdge,
    /// From the start of the portal.
    Function,
}

/// What happened at a merge point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Entered<G, R, T> {
    /// Nothing: the interpreter goes on.
    Interpret,
    /// Compiled code ran, and the interpreter goes on at the merge point with these values.
    Resume(G, R),
    /// Compiled code ran to the end of the portal, with this result.
    Return(T),
}

/// How native code comes into a portal.
pub enum Start<A> {
    /// It is called with these arguments.
    Call(A),
    /// Traced code has come to its merge point: it goes on there.
    At(Words),
}

/// A state of the merge point, in memory that is there for the time of a call.
pub struct Words(*const u64);

impl Words {
    /// # Safety
    /// The words are a state of the receiver's merge point, or the greens of one if it calls
    /// [`Words::greens`]. They stay where they are until it has called that or [`Words::load`].
    pub unsafe fn new(words: *const u64) -> Words {
        Words(words)
    }

    /// The greens and the reds.
    #[inline(always)]
    pub fn load<G: State, R: State>(self) -> (G, R) {
        // SAFETY: promised to `new`; the portal's variables are of these types.
        unsafe {
            let words = std::slice::from_raw_parts(self.0, G::LEN + R::LEN);
            (G::load(words), R::load(&words[G::LEN..]))
        }
    }

    /// The greens.
    #[inline(always)]
    pub fn greens<G: State>(self) -> G {
        // SAFETY: promised to `new`; the portal's greens are of these types, and they come first.
        unsafe { G::load(std::slice::from_raw_parts(self.0, G::LEN)) }
    }
}

/// Variables of a merge point: `()`, or a value and more variables.
pub trait State: Copy + sealed::Sealed {
    /// How many words they are.
    const LEN: usize;
    /// Adds the types of the words.
    fn types(types: &mut Vec<Ty>);
    /// Continues a hash over the words.
    fn hash(self, hash: u64) -> u64;
    /// Writes the words to the start of a slice.
    fn store(self, words: &mut [u64]);
    /// Reads the words from the start of a slice.
    ///
    /// # Safety
    /// [`Parts::load`] may be called for each of the values.
    unsafe fn load(words: &[u64]) -> Self;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for () {}
    impl<W, S> Sealed for (W, S) {}
}

impl State for () {
    const LEN: usize = 0;
    fn types(_: &mut Vec<Ty>) {}
    #[inline(always)]
    fn hash(self, hash: u64) -> u64 {
        hash
    }
    #[inline(always)]
    fn store(self, _: &mut [u64]) {}
    #[inline(always)]
    unsafe fn load(_: &[u64]) -> Self {}
}

impl<P: Parts, S: State> State for (P, S) {
    const LEN: usize = P::KINDS.len() + S::LEN;
    fn types(types: &mut Vec<Ty>) {
        types.extend(P::KINDS.iter().map(|kind| kind.ty));
        S::types(types);
    }
    #[inline(always)]
    fn hash(self, mut hash: u64) -> u64 {
        let mut words = [0; MAX_PARTS];
        self.0.store(&mut words);
        for &word in &words[..P::KINDS.len()] {
            hash = hash_step(hash, word);
        }
        self.1.hash(hash)
    }
    #[inline(always)]
    fn store(self, words: &mut [u64]) {
        self.0.store(words);
        self.1.store(&mut words[P::KINDS.len()..]);
    }
    #[inline(always)]
    unsafe fn load(words: &[u64]) -> Self {
        // SAFETY: the caller's promise.
        unsafe { (P::load(words), S::load(&words[P::KINDS.len()..])) }
    }
}

/// What the variables of a merge point and the result of its portal are made of, in the program
/// that rustc has compiled.
#[derive(Clone, Copy, Debug)]
pub struct StateShape {
    /// The words of the variables.
    pub len: usize,
    /// The types of the words: the greens, the reds, the result.
    pub types: fn() -> [Vec<Ty>; 3],
}

impl StateShape {
    pub(crate) const fn of<G: State, R: State, T: Parts>() -> StateShape {
        StateShape {
            len: G::LEN + R::LEN,
            types: || {
                let (mut greens, mut reds) = (Vec::new(), Vec::new());
                G::types(&mut greens);
                R::types(&mut reds);
                let result = T::KINDS.iter().map(|kind| kind.ty);
                [greens, reds, result.collect()]
            },
        }
    }
}

const MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15;

/// Linear in what becomes of each word, so whether two places of one object share a counter does
/// not depend on the object's address: what is hot first is the same from run to run.
#[inline(always)]
fn hash_step(hash: u64, word: u64) -> u64 {
    let mixed = word.wrapping_mul(MULTIPLIER) >> 32;
    hash.wrapping_mul(3).wrapping_add(mixed)
}

/// The hash of a position in the guest program, from its greens as words: the index of its counter,
/// to be masked.
#[inline(always)]
pub fn hash_greens(greens: &[u64]) -> u64 {
    greens.iter().fold(0, |hash, &word| hash_step(hash, word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbouring_greens_have_different_counters() {
        let slots: std::collections::BTreeSet<u64> = (0..512u64)
            .map(|pc| hash_greens(&[pc, 0x7F00_1234_5678]) & 0x3FFF)
            .collect();
        assert_eq!(slots.len(), 512);
    }

    #[test]
    fn places_of_one_object_share_counters_wherever_it_lies() {
        let distance = |object: u64, a: u64, b: u64| {
            let hash = |pc| hash_greens(&[pc, 2, object, 1]);
            hash(a).wrapping_sub(hash(b))
        };
        for (a, b) in [(0, 1), (3, 700), (12, u64::MAX)] {
            let here = distance(0x7F00_1234_5678, a, b);
            assert_eq!(distance(0x55AA_0000_0010, a, b), here);
        }
    }
}
