//! The optimiser's view of the running program.
//!
//! Invariant: objects that loads and calls return are kept alive, since the optimised trace may
//! mention them.

use crate::code::assumed::Watching;
use crate::code::roots::Pins;
use crate::engine::Engine;
use crate::program::LinkedProgram;
use verdigris_heap::{Context, exec_call, exec_data, result_word};
use verdigris_ops::{ClassId, DataOp, FieldId, FnId, Ty};
use verdigris_opt::Host;
use verdigris_trace::Descr;

/// Answers the optimiser for one trace.
pub(crate) struct OptimiserHost<'a> {
    pub(crate) engine: &'a Engine,
    pub(crate) ctx: *mut Context,
    pub(crate) program: &'a LinkedProgram,
    /// The objects that the trace mentions or calls have returned.
    pub(crate) pins: &'a mut Pins,
    /// Records the assumptions of the trace, if it may make some.
    pub(crate) watching: Option<&'a Watching>,
    /// Whether the trace may keep virtualizable places across calls.
    pub(crate) keeps: bool,
}

impl Host for OptimiserHost<'_> {
    fn load(&mut self, op: DataOp, args: &[u64], descr: Descr) -> u64 {
        let descrs = &self.program.unit.descrs;
        // SAFETY: the optimiser loads from constants of the trace, which are pinned, as the trace
        // itself would.
        let loaded = unsafe { exec_data(self.ctx, descrs, op, args, descr.raw()) };
        let Ok(word) = loaded else {
            unreachable!("a load allocates nothing")
        };
        if op.ret() == Some(Ty::Ref) {
            self.pins.add(word);
        }
        word
    }

    fn assume(&mut self, object: u64, field: FieldId) -> bool {
        let offset = self.program.unit.descrs.fields[field].layout.offset;
        let may = self.watching.is_some();
        if let Some(watching) = self.watching {
            self.pins.add(object);
            watching.add(object + u64::from(offset));
        }
        may
    }

    fn keeps_virtualizables(&self) -> bool {
        self.keeps
    }

    fn call(&mut self, f: FnId, args: &[u64]) -> Option<Vec<u64>> {
        let info = &self.program.unit.descrs.fns[f];
        // SAFETY: the function was linked, and the arguments have the types of the traced call.
        match unsafe { exec_call(self.ctx, info, args) } {
            Ok(first) => {
                let mut words = Vec::with_capacity(info.ret.len());
                for (n, &ty) in info.ret.iter().enumerate() {
                    // SAFETY: the call has just been made.
                    let word = unsafe { result_word(self.ctx, first, n) };
                    if matches!(ty, Ty::Ref | Ty::Word) {
                        self.pins.add(word);
                    }
                    words.push(word);
                }
                Some(words)
            }
            Err(_) => {
                // SAFETY: the context is current. The trace still has the call, which will panic
                // again.
                drop(unsafe { (*self.ctx).take_payload() });
                None
            }
        }
    }

    fn is_object(&mut self, word: u64) -> bool {
        // SAFETY: the context is alive.
        unsafe { (*self.ctx).is_object(word) }
    }

    fn may_specialise(&mut self, greens: &[u64]) -> bool {
        self.engine.may_be_specialised_at(greens)
    }

    fn class_of(&self, object: u64) -> Option<ClassId> {
        // SAFETY: the optimiser asks for constants of the trace, which are pinned.
        unsafe { self.program.class_of(object) }
    }
}

impl Engine {
    /// The result of a `getfield`, `getitem` or `arraylen`.
    ///
    /// # Safety
    /// `args` begins with a live object of the class that the operation is for; an index is in
    /// bounds.
    pub(crate) unsafe fn peek(&self, op: DataOp, args: &[u64], descr: u32) -> u64 {
        // SAFETY: the caller's promise.
        match unsafe { exec_data(self.ctx, &self.program.unit.descrs, op, args, descr) } {
            Ok(word) => word,
            Err(_) => unreachable!("a load allocates nothing"),
        }
    }
}
