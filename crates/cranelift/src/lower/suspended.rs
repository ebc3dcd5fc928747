//! Calls during which compiled code keeps values to itself, by a [`Suspended`] in this function's
//! frame. The record is complete before the context leads to it, which it does only during the
//! call.

use crate::compiler::{WORD, trusted};
use crate::lower::state::{Lower, SuspendedRecord};
use cranelift_codegen::ir::{InstBuilder, StackSlot, StackSlotData, StackSlotKind, Value, types};
use std::mem::{offset_of, size_of};
use verdigris_heap::{Context, Header, KEPT_BIT, Suspended, vd_reclaim};
use verdigris_trace::{Arg, OptimisedOp, Resume, Src};

const OUTER: i32 = offset_of!(Suspended, outer) as i32;
const GUARD: i32 = offset_of!(Suspended, guard) as i32;
const STATE: i32 = offset_of!(Suspended, state) as i32;
const BITS: i32 = offset_of!(Header, bits) as i32;
const SUSPENDED: i32 = offset_of!(Context, suspended) as i32;

impl Lower<'_, '_> {
    /// Lowers a call that keeps virtualizable places, as the guard behind it says. Returns the
    /// state of the record after it.
    pub(crate) fn keeping_call(&mut self, call: OptimisedOp<'_>, guard: OptimisedOp<'_>) -> Value {
        let resume = guard.resume().expect("it is a guard");
        let slot = self.suspend(guard, resume);
        self.op(call);
        let context = self.context();
        let outer = self.b.ins().stack_load(WORD, WORD, slot, OUTER);
        self.b.ins().store(trusted(), outer, context, SUSPENDED);
        self.b.ins().stack_load(WORD, WORD, slot, STATE)
    }

    /// Makes the record and leads the context to it.
    fn suspend(&mut self, guard: OptimisedOp<'_>, resume: &Resume) -> StackSlot {
        for &object in &resume.kept {
            self.mark_kept(object, resume);
        }
        let args = resume.kept_args();
        let slot = self.record(size_of::<Suspended>() as u32 + 8 * args.len() as u32);
        for (n, &arg) in args.iter().enumerate() {
            let value = self.raw(Arg::Ref(resume.fail_args[usize::from(arg)]));
            let place = size_of::<Suspended>() + 8 * n;
            self.b.ins().stack_store(WORD, value, slot, place as i32);
        }
        let context = self.context();
        let outer = self.b.ins().load(WORD, trusted(), context, SUSPENDED);
        self.b.ins().stack_store(WORD, outer, slot, OUTER);
        let id = guard.guard().expect("a checked guard has an identity");
        let id = self.int(i64::from(id.as_u32()));
        self.b.ins().stack_store(WORD, id, slot, GUARD);
        let fresh = self.int(0);
        self.b.ins().stack_store(WORD, fresh, slot, STATE);
        let record = self.b.ins().stack_addr(WORD, slot, 0);
        self.b.ins().store(trusted(), record, context, SUSPENDED);
        slot
    }

    /// The place for a record of this size.
    fn record(&mut self, size: u32) -> StackSlot {
        let known = self.record;
        let slot = match known {
            Some(record) => record.slot,
            None => {
                let data = StackSlotData::new(StackSlotKind::ExplicitSlot, size, 3);
                self.b.create_sized_stack_slot(data)
            }
        };
        let size = size.max(known.map_or(0, |record| record.size));
        self.b.func.sized_stack_slots[slot].size = size;
        self.record = Some(SuspendedRecord { slot, size });
        slot
    }

    /// Marks an object of which something is kept.
    fn mark_kept(&mut self, object: Src, resume: &Resume) {
        let object = match object {
            Src::Fail(n) => self.value(Arg::Ref(resume.fail_args[usize::from(n)])),
            Src::Const(constant) => self.address(constant.word()),
            Src::Virtual(_) => unreachable!("what is kept exists"),
        };
        let bits = self.b.ins().load(types::I32, trusted(), object, BITS);
        let bits = self.b.ins().bor_imm_u(bits, i64::from(KEPT_BIT));
        self.b.ins().store(trusted(), bits, object, BITS);
    }

    /// The value that a `guard_not_forced` tests, behind a call that left the record in this state:
    /// not zero if the call panicked or what was kept has been taken.
    pub(crate) fn is_forced(&mut self, state: Value) -> Value {
        let taken = (self.b.ins()).band_imm_u(state, Suspended::TAKEN as i64);
        let context = self.context();
        let panicked = offset_of!(Context, panicked) as i32;
        let panicked = self.b.ins().load(WORD, trusted(), context, panicked);
        self.b.ins().bor(taken, panicked)
    }

    /// Makes suspended code give back what it keeps of this object.
    pub(crate) fn reclaim(&mut self, object: Arg) {
        let object = self.value(object);
        let bits = self.b.ins().load(types::I32, trusted(), object, BITS);
        let kept = self.b.ins().band_imm_u(bits, i64::from(KEPT_BIT));
        let (slow, done) = (self.cold_block(), self.b.create_block());
        self.b.ins().brif(kept, slow, &[], done, &[]);
        self.b.switch_to_block(slow);
        let context = self.context();
        let given = self.call_runtime(vd_reclaim as *const () as usize, &[context, object]);
        let exhausted = self.out_of_memory();
        self.b.ins().brif(given, done, &[], exhausted, &[]);
        self.b.switch_to_block(done);
    }
}
