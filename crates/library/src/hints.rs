//! Functions by which an interpreter speaks to the JIT. Natively they do nothing; the translator
//! gives them their meaning. An interpreter without a JIT computes the same.

use verdigris_heap::Parts;

/// Asks the JIT to compile what follows for the value that it sees here. Returns the value.
///
/// Right for values that rarely change at one place of the guest program: the class of a receiver,
/// the shape of an object, the target of a call. Of a value that is made of others, all components.
/// When another value comes, the compiled code is left, and continued for that value too if it
/// comes often.
#[inline(always)]
pub fn promote<T: Parts>(value: T) -> T {
    value
}

/// Demands that the translator knows this value wherever it knows the position in the guest
/// program: that it follows from greens, constants and what [`promote`] has made constant. If it
/// does not, the build fails and says why. Returns the value.
///
/// Right for values that good compiled code depends on, as the opcode.
#[inline(always)]
pub fn concrete<T: Parts>(value: T) -> T {
    value
}

/// Whether this is compiled code: `false` in the interpreter, and `true` in what the JIT makes of
/// it.
#[inline(always)]
pub fn we_are_jitted() -> bool {
    false
}

/// Whether the JIT, while it records, knows this value: a constant of the guest program, or one
/// that [`promote`] has made constant. `false` in the interpreter.
///
/// Right for choosing between a residual call and code to be looked into, which must compute the
/// same.
#[inline(always)]
pub fn is_constant<T>(_value: T) -> bool {
    false
}

/// Whether the JIT, while it records, has seen this object being made and knows that it has not
/// escaped from the trace: it need not exist in compiled code. `false` in the interpreter.
///
/// Right for choosing between a residual call, for which the object would have to exist, and code
/// to be looked into.
#[inline(always)]
pub fn is_virtual<T>(_object: T) -> bool {
    false
}
