//! Where Rust calls methods, and methods call Rust: running from a block, asking a switch, and
//! calls of code. In go addresses that methods were made with, out come block ids and words.
//!
//! A method runs on the stack of its caller, as any function of the convention of the processor,
//! and saves the registers that belong to the caller. Nothing unwinds through it: what it calls
//! catches panics, or is `extern "C"`, which ends the process.

#![allow(unsafe_code)]

use crate::mono::MonoMethod;
use std::rc::Rc;
use verdigris_backend::interpret::residual_call;
use verdigris_heap::Context;
use verdigris_layered::{DirectCall, MadeMethod, Method, MethodBlockId, Surroundings, Switch};
use verdigris_ops::FnInfo;

/// What a method is given besides the context.
#[repr(C)]
pub(crate) struct Activation<'a> {
    /// Where it finds the slots ([`InputArgs::starts`](verdigris_layered::InputArgs::starts)).
    pub(crate) starts: usize,
    outside: &'a dyn Surroundings,
}

/// A call that may go to code.
pub(crate) struct CallSite {
    callee: DirectCall,
    function: *const FnInfo,
}

/// A method that Mono has made.
pub(crate) struct CilMethod {
    pub(crate) code: MonoMethod,
    /// The code refers to the flags of its switches, and to functions of its descriptors.
    pub(crate) _method: Method,
    /// The code refers to them by address.
    pub(crate) _sites: Vec<Rc<CallSite>>,
}

/// The code of a method.
type Entry = unsafe extern "C" fn(u32, *mut Context, *const Activation<'_>) -> u32;

impl CallSite {
    /// A call of `function`, in whose place code can be called. The function must live as long.
    pub(crate) fn new(callee: DirectCall, function: &FnInfo) -> CallSite {
        CallSite { callee, function }
    }

    /// The address that code knows it by.
    pub(crate) fn address(self: &Rc<CallSite>) -> u64 {
        Rc::as_ptr(self).expose_provenance() as u64
    }
}

impl MadeMethod for CilMethod {
    unsafe fn call(
        &self,
        ctx: *mut Context,
        block: u16,
        outside: &dyn Surroundings,
    ) -> MethodBlockId {
        let starts = outside.args().starts();
        let activation = Activation { starts, outside };
        let code = std::ptr::with_exposed_provenance::<()>(self.code.address());
        // SAFETY: Mono has compiled a method of this signature, by the convention of the processor
        // for words, and keeps it as long as `code` lives.
        let next = unsafe {
            let entry = std::mem::transmute::<*const (), Entry>(code);
            entry(u32::from(block), ctx, &raw const activation)
        };
        MethodBlockId::from_word(u64::from(next))
    }
}

/// The block that comes next when a guard fails. Methods call it.
///
/// # Safety
/// The switch is one of the method's, whose activation this is, and the slots hold the guard's fail
/// arguments.
pub(crate) unsafe extern "C" fn next_block(
    switch: *const Switch,
    activation: *const Activation<'_>,
) -> u32 {
    // SAFETY: the caller's promise; the method keeps its switches alive.
    let (switch, activation) = unsafe { (&*switch, &*activation) };
    switch.next(activation.outside.args()).word() as u32
}

/// Calls code in the place of a function, or the function. Methods call it.
///
/// # Safety
/// The activation is the method's and the site one of its own; `args` leads to words of the
/// function's parameters.
pub(crate) unsafe extern "C" fn call_code(
    ctx: *mut Context,
    activation: *const Activation<'_>,
    site: *const CallSite,
    args: *const u64,
) -> u64 {
    // SAFETY: the caller's promise; the method keeps its sites alive, and the descriptors.
    unsafe {
        let (activation, site) = (&*activation, &*site);
        let function = &*site.function;
        let args = std::slice::from_raw_parts(args, function.params.len());
        let direct = activation
            .outside
            .call_code(ctx, site.callee, function, args);
        direct.unwrap_or_else(|| residual_call(ctx, function, args))
    }
}

impl CilMethod {
    /// A method as the dispatcher has it.
    pub(crate) fn shared(self) -> Rc<dyn MadeMethod> {
        Rc::new(self)
    }
}
