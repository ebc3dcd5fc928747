//! Calls during which compiled code keeps values to itself: a [`Suspended`] in this frame leads the
//! engine to copies of them, since it cannot find registers that a callee preserves.
//!
//! The record is complete before the context leads to it, which it does only during the call.

use crate::asm::instructions::*;
use crate::asm::operands::Mem;
use crate::locations::{Loc, ValueLoc};
use crate::lower::state::{Lower, SuspendedRecord};
use crate::regalloc::moves::store;
use crate::registers::{CONTEXT, SCRATCH};
use std::mem::{offset_of, size_of};
use verdigris_heap::{Context, Header, KEPT_BIT, Suspended};
use verdigris_trace::{Arg, OptimisedOp, Src};

const OUTER: i32 = offset_of!(Suspended, outer) as i32;
const GUARD: i32 = offset_of!(Suspended, guard) as i32;
const STATE: i32 = offset_of!(Suspended, state) as i32;
const SUSPENDED: i32 = offset_of!(Context, suspended) as i32;

impl Lower<'_> {
    /// Makes the record and leads the context to it.
    pub(super) fn suspend(&mut self, guard: OptimisedOp<'_>) {
        let resume = guard.resume().expect("it is a guard");
        let fail = |n: u16| Arg::Ref(resume.fail_args[usize::from(n)]);
        for &object in &resume.kept {
            let object = match object {
                Src::Fail(n) => fail(n),
                Src::Const(constant) => Arg::Const(constant),
                Src::Virtual(_) => unreachable!("kept objects exist"),
            };
            let regs = self.regs();
            let reg = regs.gpr(object);
            let bits = Mem::At(reg, offset_of!(Header, bits) as i32);
            let or = named(&ALU_IMM_D, "or");
            regs.asm.rm_imm(&or, 1, bits, KEPT_BIT as i32, 4);
            regs.unlock();
        }
        let args = resume.kept_args();
        let head = size_of::<Suspended>() / 8;
        let record = self.take_record((head + args.len()) as u32);
        let asm = self.asm();
        asm.reg_rm(&MOV, SCRATCH.0, Mem::At(CONTEXT, SUSPENDED));
        asm.rm_reg(&MOV_STORE, record.at(OUTER), SCRATCH.0);
        let id = guard.guard().expect("a checked guard has an identity");
        store(
            asm,
            ValueLoc::Const(u64::from(id.as_u32())),
            record.at(GUARD),
        );
        store(asm, ValueLoc::Const(0), record.at(STATE));
        for (n, &arg) in args.iter().enumerate() {
            let place = self.work.regs.place(fail(arg));
            let to = record.at(8 * (head + n) as i32);
            store(&mut self.work.regs.asm, place, to);
        }
        let asm = self.asm();
        asm.reg_rm(&LEA, SCRATCH.0, record.at(0));
        asm.rm_reg(&MOV_STORE, Mem::At(CONTEXT, SUSPENDED), SCRATCH.0);
    }

    /// Leads the context away from the record, whose state stays in its slot.
    pub(super) fn resume(&mut self) {
        self.regs().scratch = None;
        let record = self.record.expect("the record has been made");
        let asm = self.asm();
        asm.reg_rm(&MOV, SCRATCH.0, record.at(OUTER));
        asm.rm_reg(&MOV_STORE, Mem::At(CONTEXT, SUSPENDED), SCRATCH.0);
        for n in 0..record.words {
            if 8 * n as i32 != STATE {
                self.regs().slots.release(record.slot(n));
            }
        }
    }

    /// The slot with the state of the last call's record.
    pub(crate) fn state_slot(&mut self) -> Loc {
        let record = self
            .record
            .expect("it stands behind a call that keeps something");
        record.slot(STATE as u32 / 8)
    }

    /// Frees the slot with the state, behind the guard that tests it.
    pub(crate) fn release_state(&mut self) {
        let state = self.state_slot();
        self.regs().slots.release(state);
    }

    fn take_record(&mut self, words: u32) -> SuspendedRecord {
        let slots = &mut self.work.regs.slots;
        let lowest = slots.take_row(words);
        let first = Loc::slot((lowest + words - 1) as u16);
        let record = SuspendedRecord { first, words };
        self.record = Some(record);
        record
    }
}
