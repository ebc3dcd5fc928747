//! The payloads of the panics that end guest code whose heap or stack is used up. They are raised
//! where the guest's objects are what they would be without the JIT, so that the VM can run the
//! next program.

use std::fmt;

/// The heap limit has been reached: the payload of the panic in native code, the error of the
/// interpreting stages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HeapExhausted;

impl fmt::Display for HeapExhausted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the heap limit has been reached")
    }
}

impl std::error::Error for HeapExhausted {}

/// The payload of the panic when guest code has recursed too deeply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StackExhausted;

impl StackExhausted {
    /// Panics with this payload.
    #[cold]
    #[inline(never)]
    pub fn raise() -> ! {
        // Without the panic hook's message: the caller of `Vm::enter` reports this in words, and
        // a message takes stack to make.
        std::panic::resume_unwind(Box::new(StackExhausted))
    }
}

impl fmt::Display for StackExhausted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the guest program has recursed so deeply that the native stack is used up")
    }
}

impl std::error::Error for StackExhausted {}
