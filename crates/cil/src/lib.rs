//! Traces as CIL, which Mono compiles and runs in this process: a host of the layered backend.
//! Source: section 6 of "Automatic Generation of JIT Compilers for Dynamic Languages in .NET"
//! (Ancona, Bolz, Cuni, Rigo, 2009). Decision 30 has the alternatives and figures.
//!
//! Each [`Method`] becomes a `DynamicMethod` of the signature `uint (uint block, native int
//! context, native int activation)`, whose instructions this crate writes as bytes. Mono is found
//! when the first host is made, and nothing links to it.
//!
//! # What Mono knows
//!
//! Nothing of objects: they are not the CLI's, lie at addresses that never change, and are read and
//! written by `ldind` and `stind`. Nothing of threads either. Mono has one thread of its own, which
//! makes methods for all others and waits in between; the threads that run methods are never
//! attached. So Mono does not stop them, scans none of their stacks, and need not know when they
//! change stacks. That holds because a method does nothing that would ask Mono for the current
//! thread: it calls no managed method, makes no object, throws nothing, and polls for nothing
//! (`mono/process.rs` sees to that).
//!
//! # What the collector finds
//!
//! A value is a local variable. Mono has it in a register or in the frame of the method, on the
//! stack of the thread that runs it. Methods save callee-saved registers on that stack, and so does
//! what they call, down to the collector. An object that is needed behind a call is in one of
//! these places by its own address: no variable holds an address within an object, and Mono keeps a
//! variable as it is.

#![warn(missing_docs)]
#![warn(clippy::undocumented_unsafe_blocks)]
#![deny(unsafe_code)]

mod activation;
mod code;
mod functions;
mod instructions;
mod locals;
mod lower;
mod mono;
mod times;

pub use times::{Times, times};

use crate::activation::CilMethod;
use crate::mono::Mono;
use std::rc::Rc;
use verdigris_backend::BackendError;
use verdigris_layered::{Layered, MadeMethod, Method, MethodHost};

/// The operations of a method at most: Mono takes more time for each operation of a larger one.
const MOST_OPERATIONS: usize = 1000;

/// A host whose methods are compiled by Mono.
pub struct CilHost {
    mono: &'static Mono,
    most_operations: usize,
}

impl CilHost {
    /// A host. The first one of the process starts Mono.
    ///
    /// # Errors
    /// If Mono is not installed, or cannot be started; the message says what to install.
    pub fn new() -> Result<CilHost, BackendError> {
        Ok(CilHost {
            mono: Mono::get().map_err(|error| BackendError(error.to_owned()))?,
            most_operations: MOST_OPERATIONS,
        })
    }

    /// A host whose methods have at most so many operations.
    pub fn with_most_operations(self, most_operations: usize) -> CilHost {
        CilHost {
            most_operations,
            ..self
        }
    }

    /// The layered backend with this host.
    ///
    /// # Errors
    /// As [`CilHost::new`].
    pub fn backend() -> Result<Layered<CilHost>, BackendError> {
        Ok(Layered::new(CilHost::new()?))
    }
}

impl MethodHost for CilHost {
    fn name(&self) -> &'static str {
        "cil"
    }

    fn most_operations(&self) -> usize {
        self.most_operations
    }

    fn make(&mut self, method: Method) -> Result<Rc<dyn MadeMethod>, BackendError> {
        let started = times::processor_time();
        let lowered = lower::lower(&method)?;
        let taken = times::processor_time().saturating_sub(started);
        times::note_lowering(taken, operations(&method));
        let code = self.mono.make(lowered.body).map_err(BackendError)?;
        let made = CilMethod {
            code,
            _method: method,
            _sites: lowered.sites,
        };
        Ok(made.shared())
    }
}

/// How many operations a method has.
fn operations(method: &Method) -> usize {
    let blocks = method.blocks().iter();
    blocks.map(|block| method.steps(block).count() + 1).sum()
}
