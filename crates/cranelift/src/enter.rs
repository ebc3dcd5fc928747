//! Compiled code as Rust sees it: guards, labels, and running from a label to an exit.
//!
//! Machine code returns the address of an [`ExitDescr`], which lives as long as the code that
//! refers to it. Code is freed only while no code of its backend runs.

#![allow(unsafe_code)]

use rustc_hash::FxHashMap;
use std::cell::{Cell, OnceCell, RefCell};
use std::mem::offset_of;
use std::rc::Rc;
use verdigris_backend::arena::{CodeArena, CodeBlock};
use verdigris_backend::{CodeExit, Entry, Retired};
use verdigris_heap::Context;
use verdigris_ops::Ty;
use verdigris_trace::{GuardId, TargetId};

/// An exit that machine code refers to when it leaves: a guard, or one of the two others.
#[repr(C)]
pub(crate) struct ExitDescr {
    /// Where a failing guard jumps to: a stub that stores the fail arguments and returns, or a
    /// bridge.
    target: Cell<usize>,
    /// Not zero if the guard has still to fail once although it holds.
    forced: Cell<u64>,
    /// Not zero if the trace has been invalidated; `guard_not_invalidated` tests it.
    invalid: Cell<u64>,
    /// The stub of a guard.
    stub: Option<Rc<CodeBlock>>,
    kind: ExitKind,
    /// The types of the fail arguments.
    pub(crate) types: Box<[Ty]>,
    bridge: RefCell<Option<Unit>>,
}

#[derive(Clone, Copy, Debug)]
enum ExitKind {
    Guard(GuardId),
    Finish,
    OutOfMemory,
}

impl ExitDescr {
    /// Where [`ExitDescr::target`] is, for machine code.
    pub(crate) const TARGET: i32 = offset_of!(ExitDescr, target) as i32;
    /// Where [`ExitDescr::forced`] is, for machine code.
    pub(crate) const FORCED: i32 = offset_of!(ExitDescr, forced) as i32;

    /// Where [`ExitDescr::invalid`] is, for machine code.
    pub(crate) const INVALID: i32 = offset_of!(ExitDescr, invalid) as i32;

    /// A guard that leaves through this stub.
    pub(crate) fn guard(
        id: GuardId,
        types: Box<[Ty]>,
        stub: Rc<CodeBlock>,
        forced: bool,
    ) -> Rc<ExitDescr> {
        Rc::new(ExitDescr {
            target: Cell::new(stub.address()),
            forced: Cell::new(u64::from(forced)),
            invalid: Cell::new(0),
            stub: Some(stub),
            kind: ExitKind::Guard(id),
            types,
            bridge: RefCell::new(None),
        })
    }

    fn other(kind: ExitKind) -> Rc<ExitDescr> {
        Rc::new(ExitDescr {
            target: Cell::new(0),
            forced: Cell::new(0),
            invalid: Cell::new(0),
            stub: None,
            kind,
            types: Box::default(),
            bridge: RefCell::new(None),
        })
    }

    /// The address that machine code returns.
    pub(crate) fn address(self: &Rc<ExitDescr>) -> u64 {
        Rc::as_ptr(self).expose_provenance() as u64
    }

    /// Sends the guard to a bridge. Returns the bridge that it replaces.
    pub(crate) fn attach(&self, bridge: Unit) -> Option<Unit> {
        self.target.set(bridge.address());
        self.bridge.replace(Some(bridge))
    }

    /// Sends the guard to its stub. Returns the bridge that it had.
    pub(crate) fn detach(&self) -> Option<Unit> {
        self.target
            .set(self.stub.as_ref().map_or(0, |s| s.address()));
        self.bridge.take()
    }

    /// Makes a `guard_not_invalidated` fail.
    pub(crate) fn invalidate(&self) {
        self.invalid.set(1);
    }
}

/// A compiled function and the guards in it.
pub(crate) struct Unit {
    piece: CodeBlock,
    /// Kept alive for the code, which names them by address.
    _guards: Vec<Rc<ExitDescr>>,
}

impl Unit {
    pub(crate) fn new(piece: CodeBlock, guards: Vec<Rc<ExitDescr>>) -> Unit {
        Unit {
            piece,
            _guards: guards,
        }
    }

    pub(crate) fn address(&self) -> usize {
        self.piece.address()
    }
}

/// A compiled label.
#[repr(C)]
pub(crate) struct LabelCode {
    /// Where its code is; 0 until it has been compiled. Machine code that was compiled before reads
    /// it here.
    address: Cell<usize>,
    /// The types of its parameters.
    pub(crate) params: Box<[Ty]>,
    /// Enters it from Rust.
    trampoline: Rc<CodeBlock>,
    unit: OnceCell<Unit>,
}

impl LabelCode {
    pub(crate) fn new(params: Box<[Ty]>, trampoline: Rc<CodeBlock>) -> Rc<LabelCode> {
        Rc::new(LabelCode {
            address: Cell::new(0),
            params,
            trampoline,
            unit: OnceCell::new(),
        })
    }

    /// The address of the word that holds [`LabelCode::address`], for machine code.
    pub(crate) fn cell(&self) -> u64 {
        std::ptr::from_ref(&self.address).expose_provenance() as u64
    }

    /// Where its code is, if it has been compiled.
    pub(crate) fn address(&self) -> Option<usize> {
        Some(self.address.get()).filter(|&a| a != 0)
    }

    /// Sets its code.
    pub(crate) fn define(&self, unit: Unit) {
        self.address.set(unit.address());
        assert!(self.unit.set(unit).is_ok(), "a label is compiled once");
    }
}

/// Everything that compiled code refers to. It outlives the backend while there are entries.
pub(crate) struct Shared {
    pub(crate) arena: CodeArena,
    pub(crate) finish: Rc<ExitDescr>,
    pub(crate) out_of_memory: Rc<ExitDescr>,
    pub(crate) labels: RefCell<FxHashMap<TargetId, Rc<LabelCode>>>,
    /// Replaced and invalid bridges.
    pub(crate) retired: Retired<Unit>,
}

impl Shared {
    pub(crate) fn new() -> Rc<Shared> {
        Rc::new(Shared {
            arena: CodeArena::default(),
            finish: ExitDescr::other(ExitKind::Finish),
            out_of_memory: ExitDescr::other(ExitKind::OutOfMemory),
            labels: RefCell::default(),
            retired: Retired::default(),
        })
    }
}

/// An entry of the Cranelift backend.
pub(crate) struct CodeEntry {
    pub(crate) shared: Rc<Shared>,
    pub(crate) label: Rc<LabelCode>,
}

type Trampoline =
    unsafe extern "C" fn(ctx: *mut Context, args: *const u64, code: usize) -> *const ExitDescr;

impl Entry for CodeEntry {
    unsafe fn run(&self, ctx: *mut Context, args: &[u64]) -> CodeExit {
        assert_eq!(
            args.len(),
            self.label.params.len(),
            "a label is entered with its own arguments"
        );
        let _active = self.shared.retired.activation();
        let trampoline = std::ptr::with_exposed_provenance::<()>(self.label.trampoline.address());
        // SAFETY: the address is that of a trampoline compiled with this signature, which the label
        // keeps alive.
        let trampoline = unsafe { std::mem::transmute::<*const (), Trampoline>(trampoline) };
        // SAFETY: the caller vouches for the context and for the arguments' types; their number has
        // been checked. The code is kept alive by `shared`, and what it returns is the address of a
        // descriptor that the code keeps alive.
        unsafe {
            let exit = trampoline(ctx, args.as_ptr(), self.label.address.get());
            exit_of(ctx, exit)
        }
    }

    fn address(&self) -> usize {
        self.label.address.get()
    }
}

/// Decodes how compiled code was left.
///
/// # Safety
/// `exit` is what it has just returned, in this context.
unsafe fn exit_of(ctx: *mut Context, exit: *const ExitDescr) -> CodeExit {
    // SAFETY: the descriptor is kept alive by the code, which has stored the word of a result in
    // the buffer.
    unsafe {
        match (*exit).kind {
            ExitKind::Guard(guard) => CodeExit::Guard(guard),
            ExitKind::Finish => CodeExit::Finish((*ctx).exits[0]),
            ExitKind::OutOfMemory => CodeExit::OutOfMemory,
        }
    }
}

/// Lets the engine finish a call whose callee has left its code by this exit. Machine code calls
/// it.
///
/// # Safety
/// `ctx` is the current context; `exit` is what compiled code has just returned.
pub(crate) unsafe extern "C" fn finish_call(ctx: *mut Context, exit: *const ExitDescr) -> u64 {
    // SAFETY: the caller's promise; code calls others only if the engine said where they are, so
    // there is one.
    unsafe {
        let exit = exit_of(ctx, exit);
        let finish = (*ctx)
            .finish_call
            .expect("an engine finishes the calls of its code");
        finish(ctx, (&raw const exit).cast());
    }
    0
}
