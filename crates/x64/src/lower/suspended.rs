//! What compiled code keeps to itself during a call. In: a call with a `guard_not_forced` behind
//! it. Out: a [`Suspended`] in this frame, put up in front of the call and taken down behind it.
//! Invariant: the record is complete before the context leads to it, and the context leads there
//! only during the call; its words are copies, since the engine cannot find registers that a callee
//! keeps.

use crate::asm::Mem;
use crate::file::{CONTEXT, SCRATCH, slot_mem};
use crate::lower::{Lower, slot_number};
use crate::moves::store;
use crate::names::*;
use crate::values::{Loc, Place};
use std::mem::{offset_of, size_of};
use verdigris_heap::{Context, Header, KEPT_BIT, Suspended};
use verdigris_trace::{Arg, OptimisedOp, Src};

const OUTER: i32 = offset_of!(Suspended, outer) as i32;
const GUARD: i32 = offset_of!(Suspended, guard) as i32;
const STATE: i32 = offset_of!(Suspended, state) as i32;
const SUSPENDED: i32 = offset_of!(Context, suspended) as i32;

/// A record: where it starts, and its slots, the lowest address first.
#[derive(Clone, Copy)]
pub(crate) struct Record {
    first: Loc,
    words: u32,
}

impl Record {
    fn at(self, offset: i32) -> Mem {
        let Mem::At(base, start) = slot_mem(self.first) else {
            unreachable!("slots lie behind the frame pointer")
        };
        Mem::At(base, start + offset)
    }
}

impl Lower<'_> {
    /// Puts up the record.
    pub(crate) fn suspend(&mut self, guard: OptimisedOp<'_>) {
        let resume = guard.resume().expect("it is a guard");
        let fail = |n: u16| Arg::Ref(resume.fail_args[usize::from(n)]);
        for &object in &resume.kept {
            let object = match object {
                Src::Fail(n) => fail(n),
                Src::Const(constant) => Arg::Const(constant),
                Src::Virtual(_) => unreachable!("what is kept exists"),
            };
            let file = self.file();
            let reg = file.gpr(object);
            let bits = Mem::At(reg, offset_of!(Header, bits) as i32);
            let or = named(&ALU_IMM_D, "or");
            file.asm.rm_imm(&or, 1, bits, KEPT_BIT as i32, 4);
            file.unlock();
        }
        let args = resume.kept_args();
        let head = size_of::<Suspended>() / 8;
        let record = self.take_record((head + args.len()) as u32);
        let asm = &mut self.work.file.asm;
        asm.reg_rm(&MOV, SCRATCH.0, Mem::At(CONTEXT, SUSPENDED));
        asm.rm_reg(&MOV_STORE, record.at(OUTER), SCRATCH.0);
        let id = guard.guard().expect("a checked guard has an identity");
        store(asm, Place::Const(u64::from(id.as_u32())), record.at(GUARD));
        store(asm, Place::Const(0), record.at(STATE));
        for (n, &arg) in args.iter().enumerate() {
            let place = self.work.file.place(fail(arg));
            let to = record.at(8 * (head + n) as i32);
            store(&mut self.work.file.asm, place, to);
        }
        let asm = &mut self.work.file.asm;
        asm.reg_rm(&LEA, SCRATCH.0, record.at(0));
        asm.rm_reg(&MOV_STORE, Mem::At(CONTEXT, SUSPENDED), SCRATCH.0);
    }

    /// Takes the record down. Its state stays in its slot.
    pub(crate) fn resume(&mut self) {
        self.distance = None;
        let record = self.record.expect("the record has been put up");
        let asm = &mut self.work.file.asm;
        asm.reg_rm(&MOV, SCRATCH.0, record.at(OUTER));
        asm.rm_reg(&MOV_STORE, Mem::At(CONTEXT, SUSPENDED), SCRATCH.0);
        let last = slot_number(record.first);
        for n in 0..record.words {
            if 8 * n as i32 != STATE {
                self.file().slots.release(Loc::slot((last - n) as u16));
            }
        }
    }

    /// The slot with the state of the record after the last call.
    pub(crate) fn state_slot(&mut self) -> Loc {
        let record = self
            .record
            .expect("it stands behind a call that keeps something");
        Loc::slot((slot_number(record.first) - STATE as u32 / 8) as u16)
    }

    /// The guard behind the call is done.
    pub(crate) fn release_state(&mut self) {
        let state = self.state_slot();
        self.file().slots.release(state);
    }

    fn take_record(&mut self, words: u32) -> Record {
        let slots = &mut self.work.file.slots;
        let lowest = slots.take_row(words);
        let first = Loc::slot((lowest + words - 1) as u16);
        let record = Record { first, words };
        self.record = Some(record);
        record
    }
}
