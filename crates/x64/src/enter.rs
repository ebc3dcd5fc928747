//! Entering compiled code from Rust, and the functions that machine code calls.
//!
//! The label keeps the code that is entered alive. At an exit the registers lie in the save area of
//! the handler, and the slots below the frame pointer that is among them.

#![allow(unsafe_code)]

use crate::code::{LabelCode, Registry, Unit};
use crate::locations::{Loc, ValueLoc};
use crate::trampolines::entry::entry;
use crate::trampolines::handlers::handlers;
use crate::trampolines::{FINISHED, FIRST_GUARD, Handlers, OUT_OF_MEMORY};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;
use verdigris_backend::arena::CodeArena;
use verdigris_backend::{BackendError, CodeExit, Entry, Retired};
use verdigris_heap::Context;
use verdigris_trace::{GuardId, TargetId};

/// Everything that compiled code refers to. It outlives the backend while there are entries.
pub(crate) struct Shared {
    pub(crate) labels: RefCell<FxHashMap<TargetId, Rc<LabelCode>>>,
    /// Replaced and invalid bridges.
    pub(crate) retired: Retired<Rc<Unit>>,
    pub(crate) registry: Rc<Registry>,
    pub(crate) handlers: Handlers,
    pub(crate) arena: CodeArena,
}

impl Shared {
    /// # Errors
    /// If there is no memory.
    pub(crate) fn new() -> Result<Rc<Shared>, BackendError> {
        let registry = Rc::new(Registry::default());
        let arena = CodeArena::default();
        let address = Rc::as_ptr(&registry).expose_provenance() as u64;
        Ok(Rc::new(Shared {
            labels: RefCell::default(),
            retired: Retired::default(),
            handlers: handlers(&arena, address, leave as *const () as u64)?,
            registry,
            arena,
        }))
    }
}

/// An entry of the backend.
pub(crate) struct CodeEntry {
    shared: Rc<Shared>,
    label: Rc<LabelCode>,
    address: usize,
}

impl CodeEntry {
    /// The entry of a label; none if there is no memory for it.
    pub(crate) fn new(shared: &Rc<Shared>, label: Rc<LabelCode>) -> Option<CodeEntry> {
        let address = match label.entry.get() {
            Some(piece) => piece.address(),
            None => {
                let piece = entry(&shared.arena, &label).ok()?;
                label.entry.get_or_init(|| piece).address()
            }
        };
        Some(CodeEntry {
            shared: Rc::clone(shared),
            label,
            address,
        })
    }
}

type Code = unsafe extern "C" fn(ctx: *mut Context, args: *const u64) -> u64;

impl Entry for CodeEntry {
    unsafe fn run(&self, ctx: *mut Context, args: &[u64]) -> CodeExit {
        assert_eq!(
            args.len(),
            self.label.types.len(),
            "a label is entered with its own arguments"
        );
        let _active = self.shared.retired.activation();
        let code = std::ptr::with_exposed_provenance::<()>(self.address);
        // SAFETY: the address is that of an entry made with this signature, which the label keeps
        // alive.
        let code = unsafe { std::mem::transmute::<*const (), Code>(code) };
        // SAFETY: the caller vouches for the context and for the arguments' types; their number has
        // been checked. The code is kept alive by `shared` and the label.
        unsafe {
            let left = code(ctx, args.as_ptr());
            exit_of(ctx, left)
        }
    }

    fn address(&self) -> usize {
        self.address
    }
}

/// Decodes how compiled code was left.
///
/// # Safety
/// It has just been left so, in this context.
unsafe fn exit_of(ctx: *mut Context, left: u64) -> CodeExit {
    match left {
        // SAFETY: the caller's promise: the code has stored the result in the buffer.
        FINISHED => CodeExit::Finish(unsafe { (*ctx).exits[0] }),
        OUT_OF_MEMORY => CodeExit::OutOfMemory,
        guard => CodeExit::Guard(GuardId::from_u32((guard - FIRST_GUARD) as u32)),
    }
}

/// Writes the exit buffer for the guard whose stub ends at this address. Machine code calls it.
/// Returns how code has been left.
///
/// # Safety
/// `ctx` is the current context; `saved` are the general and then the vector registers where the
/// guard's branch was taken; `registry` knows the code.
pub(crate) unsafe extern "C" fn leave(
    ctx: *mut Context,
    saved: *const u64,
    end: usize,
    registry: *const Registry,
) -> u64 {
    // SAFETY: the registry lives as long as the code.
    let (unit, guard) = unsafe { (*registry).guard(end) }.expect("a stub belongs to a guard");
    let guard = &unit.guards[guard];
    // SAFETY: the place was noted for this guard.
    let record = guard.record.map(|loc| unsafe { read(saved, loc) } as usize);
    let record = record.map(std::ptr::with_exposed_provenance::<u64>);
    for (n, &fail) in unit.fails_of(guard).iter().enumerate() {
        let word = match (record.zip(fail.as_hole()), unit.place(fail)) {
            // SAFETY: the record has as many words as the code that it names reads.
            (Some((record, n)), _) => unsafe { record.add(n).read() },
            (None, ValueLoc::Const(word)) => word,
            // SAFETY: the place was noted for this guard, so the word is there.
            (None, ValueLoc::At(loc)) => unsafe { read(saved, loc) },
        };
        // SAFETY: the context is current; no other reference to its fields lives now, and there are
        // no more fail arguments than words.
        unsafe { (*ctx).exits[n] = word };
    }
    FIRST_GUARD + u64::from(guard.id.as_u32())
}

/// The word in a register or slot.
///
/// # Safety
/// As [`leave`]; the frame has the slot.
unsafe fn read(saved: *const u64, loc: Loc) -> u64 {
    const FRAME_POINTER: usize = 5;
    // SAFETY: the caller's promise: the first 32 words are registers, and the slots lie below what
    // the frame pointer says.
    unsafe {
        if !loc.is_slot() {
            return saved.add(usize::from(loc.0)).read();
        }
        let frame = saved.add(FRAME_POINTER).read() as usize;
        let frame = std::ptr::with_exposed_provenance::<u64>(frame);
        frame.sub(loc.slot_number() as usize + 1).read()
    }
}

/// Lets the engine finish a call whose callee has left its code in this way. Machine code calls it.
///
/// # Safety
/// `ctx` is the current context; the code has just been left.
pub(crate) unsafe extern "C" fn finish_call(ctx: *mut Context, left: u64) -> u64 {
    // SAFETY: the caller's promise; code calls others only if the engine said where they are, so
    // there is one.
    unsafe {
        let exit = exit_of(ctx, left);
        let finish = (*ctx)
            .finish_call
            .expect("an engine finishes the calls of its code");
        finish(ctx, (&raw const exit).cast());
    }
    0
}
