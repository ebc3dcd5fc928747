//! The descriptors and macros that the attributes' expansions name. None is for users, and all can
//! be used in a crate that forbids unsafe code.

pub use verdigris_heap::{
    BorrowedArg, BorrowedArgMut, ClassDescr, FnDescr, GcClass, GcRef, Parts, Receive, Slot,
    WeakHolder, address, address_mut, array_class, array_part, gc_class, gc_object, gc_value,
    struct_class, weak_attach, weak_attached, with_heap,
};

/// The word. Promises to compiled code, which does not check it, that it is at most `most`: an
/// index that is less than it is within an array of `most` items. For types of the library whose
/// fields only the library writes.
#[inline(always)]
pub fn at_most(word: usize, most: usize) -> usize {
    debug_assert!(word <= most, "{word} is above {most}");
    word
}

/// Where an object is, as long as it lives.
#[inline(always)]
pub fn address_of<R: GcRef>(object: R) -> u64 {
    object.to_word()
}

/// Fails to compile where a type is not made of words.
#[inline(always)]
pub const fn assert_parts<T: Parts>() {}

/// A value that is made of words.
#[inline(always)]
pub fn parts<T: Parts>(value: T) -> T {
    value
}
