//! Recipe: closures. In: a function and what it captures. Out: closures. Invariant: a closure's
//! function is a plain field, so it is a constant where the closure is one.

use crate::program::{Function, Value};
use verdigris::prelude::*;

// ANCHOR: closure
/// A function value. What changes after it was made is in the cell.
#[gc]
pub struct Closure {
    pub function: Gc<Function>,
    pub captured: Cell<Value>,
}

/// The function to call: compiled code is for the *function* of the closure, not for the closure,
/// so that closures of one function share code.
pub fn callee(closure: Gc<Closure>) -> Gc<Function> {
    promote(closure.function)
}
// ANCHOR_END: closure
