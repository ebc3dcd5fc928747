//! What generated code names. In: the expansions of the attributes, and the file that the build script writes.
//! Out: the types and functions of the crates below. Invariant: nothing here is for users, and everything here can be
//! called from a crate that forbids unsafe code.

pub use verdigris_engine::{Program, check_stack};
pub use verdigris_heap::{
    ClassDescr, Entered, FnDescr, GcClass, Word, array_class, can_enter, gc_class, gc_object,
    hash_greens,
};

/// Fails to compile where a type is not a word.
#[inline(always)]
pub const fn assert_word<T: Word>() {}

/// A value that is a word.
#[inline(always)]
pub fn word<T: Word>(value: T) -> T {
    value
}
