//! Functions by which an interpreter speaks to the JIT. In: values. Out: the same values, when run natively; the
//! translator gives them their meaning. Invariant: an interpreter without a JIT computes the same.

use crate::rt::Word;

/// Asks the JIT to compile what follows for the value that it sees here. Returns the value.
///
/// Right for values that rarely change at one place of the guest program: the class of a receiver, the shape of an
/// object, the target of a call. When another value comes, the compiled code is left, and continued for that value too
/// if it comes often.
#[inline(always)]
pub fn promote<T: Word>(value: T) -> T {
    value
}

/// Whether this is compiled code: `false` in the interpreter, and `true` in what the JIT makes of it.
#[inline(always)]
pub fn we_are_jitted() -> bool {
    false
}
