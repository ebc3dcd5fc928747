//! What a host implements, and what its methods reach beyond their own blocks.

#![allow(unsafe_code)]

use crate::block_id::MethodBlockId;
use crate::input_args::InputArgs;
use crate::method::{DirectCall, Method};
use std::rc::Rc;
use verdigris_backend::BackendError;
use verdigris_heap::Context;
use verdigris_ops::FnInfo;

/// A host that makes methods, whose code cannot be changed from then on.
pub trait MethodHost {
    /// The name of the backend with this host.
    fn name(&self) -> &'static str;

    /// The most operations that a method should have, since hosts compile large methods badly or
    /// not at all. A trace with more becomes several methods; a single section is never cut.
    fn most_operations(&self) -> usize;

    /// Makes a method. The host forgets it when the result is dropped, which happens when nothing
    /// can be running it.
    ///
    /// # Errors
    /// If the host cannot make it, or has a method of this number: none is written twice.
    fn make(&mut self, method: Method) -> Result<Rc<dyn MadeMethod>, BackendError>;
}

/// A method that a host has made.
pub trait MadeMethod {
    /// Runs from a block on, whose arguments are in the slots of `outside`, until the next block is
    /// not in this method. Returns the id of that block, with its arguments in the slots. A host
    /// with tail calls may have gone on in other methods meanwhile; one of the engine's blocks is
    /// always returned.
    ///
    /// Nothing of the host is borrowed meanwhile: residual calls may make methods and run any.
    ///
    /// # Safety
    /// `ctx` is the current context of this thread; the block is one of this method; the slots hold
    /// its arguments.
    unsafe fn call(
        &self,
        ctx: *mut Context,
        block: u16,
        outside: &dyn Surroundings,
    ) -> MethodBlockId;
}

/// What a method reaches beyond its own blocks.
pub trait Surroundings {
    /// The slots for the arguments of external links.
    fn args(&self) -> &InputArgs;

    /// Calls code in the place of a function, if there is code now and room on the stacks. Returns
    /// the first word of the result, as the function's thunk does.
    ///
    /// # Safety
    /// `ctx` is the current context of this thread; `callee` belongs to a call of this function,
    /// and `args` are words of its parameters.
    unsafe fn call_code(
        &self,
        ctx: *mut Context,
        callee: DirectCall,
        function: &FnInfo,
        args: &[u64],
    ) -> Option<u64>;
}
