//! What generated code names. In: the expansions of the attributes, and the file that the build script writes.
//! Out: the types and functions of the crates below. Invariant: nothing here is for users, and everything here can be
//! called from a crate that forbids unsafe code.

pub use verdigris_engine::{Program, check_stack};
pub use verdigris_heap::{
    ClassDescr, Entered, FnDescr, GcClass, Parts, Word, array_class, array_part, can_enter,
    gc_class, gc_object, gc_value, hash_greens,
};

/// Fails to compile where a type is not a word.
#[inline(always)]
pub const fn assert_word<T: Word>() {}

/// A value that is made of words.
#[inline(always)]
pub fn parts<T: Parts>(value: T) -> T {
    value
}
