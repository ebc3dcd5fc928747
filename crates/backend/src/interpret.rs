//! The operations of a section by their definition: what the oracle and the hosts that interpret
//! have in common. In come the values of a section so far, out come those of the next operation,
//! or whether a guard holds. Where a guard leads that does not is the caller's affair.
//!
//! Values live in the context's shadow stack, where the collector finds them. Nothing of the caller
//! has to be borrowed while an operation runs.

#![allow(unsafe_code)]

use crate::interface::COUNT;
use cranelift_entity::EntityRef;
use smallvec::SmallVec;
use std::sync::atomic::Ordering;
use verdigris_heap::{
    Context, HeapExhausted, Suspended, class_word_of, exec_call, exec_data_beyond, mark_kept,
    result_word, vd_has_room,
};
use verdigris_ops::{Descrs, FnInfo};
use verdigris_trace::{Arg, GuardId, Opcode, OptimisedOp, OptimisedTrace, Src, ValRef};

/// The words of an operation's arguments.
type Words = SmallVec<[u64; 12]>;

/// An activation of a section.
pub struct Interpreter<'a> {
    ctx: *mut Context,
    descrs: &'a Descrs,
    frame: Frame,
    /// The state of the last call's record of kept values.
    state: u64,
}

impl<'a> Interpreter<'a> {
    /// An activation of a section of this trace. No value has a word yet.
    ///
    /// # Panics
    /// With [`StackExhausted`](verdigris_heap::StackExhausted) if the shadow stack is full.
    ///
    /// # Safety
    /// `ctx` is the current context of this thread and outlives the activation; activations end in
    /// reverse order.
    pub unsafe fn new(
        ctx: *mut Context,
        descrs: &'a Descrs,
        trace: &OptimisedTrace,
    ) -> Interpreter<'a> {
        Interpreter {
            ctx,
            descrs,
            // SAFETY: the caller's promise.
            frame: unsafe { Frame::new(ctx, trace.types.len()) },
            state: 0,
        }
    }

    /// Gives a value its word.
    ///
    /// # Panics
    /// If the value is not the trace's.
    pub fn set(&self, value: ValRef, word: u64) {
        self.frame.set(value, word);
    }

    /// The word of a value; 0 if it has none yet.
    ///
    /// # Panics
    /// If the value is not the trace's.
    pub fn get(&self, value: ValRef) -> u64 {
        self.frame.get(value)
    }

    /// The word of an argument.
    ///
    /// # Panics
    /// If it is a value that is not the trace's.
    pub fn word(&self, arg: Arg) -> u64 {
        match arg {
            Arg::Const(constant) => constant.word(),
            Arg::Ref(value) => self.frame.get(value),
        }
    }

    fn words(&self, op: OptimisedOp<'_>) -> Words {
        op.args().iter().map(|arg| self.word(arg)).collect()
    }

    /// Does an operation that is neither a call nor a guard.
    ///
    /// # Errors
    /// If the system has no memory for what it allocates.
    ///
    /// # Panics
    /// If it is a call or a guard.
    ///
    /// # Safety
    /// The operation has been checked ([`loop_sections`](crate::loop_sections)), and what it uses
    /// has its word. A record that it reads is as long.
    pub unsafe fn compute(&mut self, op: OptimisedOp<'_>) -> Result<(), HeapExhausted> {
        let args = self.words(op);
        let word = match op.opcode() {
            // SAFETY: the arguments have the types that the operation wants.
            Opcode::Data(data) => unsafe {
                exec_data_beyond(self.ctx, self.descrs, data, &args, op.descr().raw())?
            },
            // SAFETY: the caller's promise.
            Opcode::Hole => unsafe { record_word(args[0], args[1] as usize).read() },
            Opcode::MergePoint => return Ok(()),
            other => panic!("{} is neither a call nor a guard", other.name()),
        };
        if let Some(result) = op.result() {
            self.frame.set(result, word);
        }
        Ok(())
    }

    /// Does a call, which `make` makes with the words of the arguments: [`residual_call`], or
    /// another way to the first word of the result, with the others in
    /// [`Context::results`](verdigris_heap::Context::results). A panic leaves its mark in the
    /// context, where the guard behind the call looks.
    ///
    /// # Safety
    /// As [`Interpreter::compute`]; the operation is a call.
    pub unsafe fn call(
        &mut self,
        op: OptimisedOp<'_>,
        make: impl FnOnce(*mut Context, &FnInfo, &[u64]) -> u64,
    ) {
        let args = self.words(op);
        let first = make(self.ctx, &self.descrs.fns[op.function()], &args);
        for (n, result) in op.definitions().enumerate() {
            // SAFETY: the call has just been made.
            let word = unsafe { result_word(self.ctx, first, n) };
            self.frame.set(result, word);
        }
    }

    /// Runs `call`, the call in front of this `guard_not_forced`, while virtualizable places are
    /// kept as the guard says.
    ///
    /// # Panics
    /// If the operation is no guard with an identity.
    ///
    /// # Safety
    /// As [`Interpreter::compute`].
    pub unsafe fn keeping<R>(
        &mut self,
        guard: OptimisedOp<'_>,
        call: impl FnOnce(&mut Self) -> R,
    ) -> R {
        let resume = guard.resume().expect("it is a guard");
        let value = |n: u16| self.frame.get(resume.fail_args[usize::from(n)]);
        let words: Vec<u64> = resume.kept_args().into_iter().map(value).collect();
        for &object in &resume.kept {
            let object = match object {
                Src::Fail(n) => value(n),
                Src::Const(constant) => constant.word(),
                Src::Virtual(_) => unreachable!("what is kept exists"),
            };
            // SAFETY: the value is a live object.
            unsafe { mark_kept(object) };
        }
        let ctx = self.ctx;
        // SAFETY: the context is current; the record lies on the shadow stack, where the collector
        // finds its words, until the call is over.
        unsafe {
            let mark = (*ctx).shadow_mark();
            let head = size_of::<Suspended>() / size_of::<u64>();
            let record = (*ctx).shadow_alloc(head + words.len()).cast::<Suspended>();
            record.write(Suspended {
                outer: (*ctx).suspended,
                guard: u64::from(identity(guard).as_u32()),
                state: 0,
            });
            for (n, word) in words.into_iter().enumerate() {
                record.add(1).cast::<u64>().add(n).write(word);
            }
            (*ctx).suspended = record;
            let result = call(self);
            (*ctx).suspended = (*record).outer;
            self.state = (*record).state;
            (*ctx).shadow_release(mark);
            result
        }
    }

    /// Whether a guard holds. `is_invalid` says of a `guard_not_invalidated` whether its trace has
    /// been invalidated.
    ///
    /// # Safety
    /// As [`Interpreter::compute`]; the operation is a guard.
    pub unsafe fn holds(&self, op: OptimisedOp<'_>, is_invalid: impl FnOnce() -> bool) -> bool {
        let args = self.words(op);
        match op.opcode() {
            Opcode::GuardTrue => args[0] != 0,
            Opcode::GuardFalse => args[0] == 0,
            Opcode::Leave => false,
            Opcode::GuardValue | Opcode::GuardSame => args[0] == args[1],
            Opcode::GuardClass => {
                let class = &self.descrs.classes[op.class()];
                // SAFETY: the argument is an object.
                class.word == unsafe { class_word_of(args[0]) }
            }
            Opcode::GuardNotInvalidated => !is_invalid(),
            // SAFETY: the context is current, and the word lives as long.
            Opcode::GuardNoSignal => unsafe { (*(*self.ctx).signal).load(Ordering::Relaxed) == 0 },
            // SAFETY: the argument is a record, whose count only compiled code changes.
            Opcode::GuardCount => unsafe {
                let count = record_word(args[0], COUNT);
                count.write(count.read().wrapping_sub(1));
                count.read() != 0
            },
            // SAFETY: the context is current.
            Opcode::GuardNotExhausted => unsafe { !(*self.ctx).is_exhausted() },
            Opcode::GuardRoom => {
                let class = op.class();
                let stride = self.descrs.item(class).1.stride;
                // SAFETY: the context is current, and the item size is the class's.
                args[0] <= self.descrs.unasked_len(class)
                    || unsafe { vd_has_room(self.ctx, u64::from(stride), args[0]) != 0 }
            }
            Opcode::GuardNotForced if self.state & Suspended::TAKEN != 0 => false,
            // SAFETY: the context is current; no other reference to its fields lives now.
            _ => unsafe { (*self.ctx).panicked == 0 },
        }
    }

    /// Leaves at a guard: what has to be said in the context, whether the guard has a bridge or
    /// not.
    ///
    /// # Safety
    /// As [`Interpreter::holds`], which has said that it does not hold.
    pub unsafe fn leave(&self, op: OptimisedOp<'_>) {
        if op.opcode() == Opcode::GuardNotForced {
            // SAFETY: the context is current; no other reference to its fields lives now.
            unsafe { (*self.ctx).resumed = self.state };
        }
    }
}

/// Calls a function through its thunk. Returns the first word of its result, 0 if it has none or
/// has panicked.
///
/// # Safety
/// As [`exec_call`].
pub unsafe fn residual_call(ctx: *mut Context, info: &FnInfo, args: &[u64]) -> u64 {
    // SAFETY: the caller's promise.
    unsafe { exec_call(ctx, info, args) }.unwrap_or(0)
}

/// The guard in front of which an operation is a call during which virtualizable places are kept.
pub fn keeping_guard(next: Option<OptimisedOp<'_>>) -> Option<OptimisedOp<'_>> {
    next.filter(|next| next.opcode() == Opcode::GuardNotForced)
}

/// The identity of a guard that has no side.
///
/// # Panics
/// If it is none.
pub fn identity(op: OptimisedOp<'_>) -> GuardId {
    op.guard().expect("a checked guard has an identity")
}

/// A word of a record.
pub fn record_word(record: u64, n: usize) -> *mut u64 {
    std::ptr::with_exposed_provenance_mut::<u64>(record as usize).wrapping_add(n)
}

/// The values of one section, in memory that the collector scans.
struct Frame {
    ctx: *mut Context,
    mark: usize,
    values: *mut u64,
    len: usize,
}

impl Frame {
    /// # Safety
    /// The context is current and outlives the frame; frames are dropped in reverse order.
    unsafe fn new(ctx: *mut Context, len: usize) -> Frame {
        // SAFETY: the caller's promise.
        unsafe {
            let mark = (*ctx).shadow_mark();
            let values = (*ctx).shadow_alloc(len);
            Frame {
                ctx,
                mark,
                values,
                len,
            }
        }
    }

    fn get(&self, value: ValRef) -> u64 {
        assert!(value.index() < self.len);
        // SAFETY: the frame has `len` words, zeroed when they were allocated.
        unsafe { self.values.add(value.index()).read() }
    }

    fn set(&self, value: ValRef, word: u64) {
        assert!(value.index() < self.len);
        // SAFETY: the frame has `len` words.
        unsafe { self.values.add(value.index()).write(word) };
    }
}

impl Drop for Frame {
    fn drop(&mut self) {
        // SAFETY: the context outlives the frame.
        unsafe { (*self.ctx).shadow_release(self.mark) };
    }
}
