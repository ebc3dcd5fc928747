//! Calls during which the method keeps values to itself, by a [`Suspended`] in the memory of its
//! frame. The record is complete before the context leads to it, which it does only during the
//! call.

use crate::code::Kind;
use crate::instructions::*;
use crate::lower::state::Lower;
use std::mem::{offset_of, size_of};
use verdigris_heap::{Context, Header, KEPT_BIT, Suspended};
use verdigris_layered::DirectCall;
use verdigris_trace::{Arg, OptimisedOp, Resume, Src};

impl<'m> Lower<'m> {
    /// Lowers a call that keeps virtualizable places, as the guard behind it says.
    pub(super) fn keeping_call(
        &mut self,
        call: OptimisedOp<'m>,
        guard: OptimisedOp<'m>,
        callee: Option<DirectCall>,
    ) {
        self.suspend(guard, guard.resume().expect("it is a guard"));
        self.call(call, callee);
        self.context_place(offset_of!(Context, suspended));
        self.record_word(offset_of!(Suspended, outer));
        self.code.ops(&[CONV_I, STIND_I]);
        self.record_word(offset_of!(Suspended, state));
        let state = self.locals.take(Kind::Int);
        self.code.variable(STLOC, state);
        self.state = Some(state);
    }

    /// Makes the record and leads the context to it.
    fn suspend(&mut self, guard: OptimisedOp<'m>, resume: &Resume) {
        for &object in &resume.kept {
            self.mark_kept(object, resume);
        }
        for (n, &arg) in resume.kept_args().iter().enumerate() {
            self.record_place(size_of::<Suspended>() + 8 * n);
            self.word(Arg::Ref(resume.fail_args[usize::from(arg)]));
            self.code.op(STIND_I8);
        }
        self.record_place(offset_of!(Suspended, outer));
        self.context_place(offset_of!(Context, suspended));
        self.code.ops(&[LDIND_I, STIND_I]);
        let id = guard.guard().expect("a checked guard has an identity");
        self.record_place(offset_of!(Suspended, guard));
        self.code.int(i64::from(id.as_u32()));
        self.code.op(STIND_I8);
        self.record_place(offset_of!(Suspended, state));
        self.code.int(0);
        self.code.op(STIND_I8);
        self.context_place(offset_of!(Context, suspended));
        self.record_place(0);
        self.code.op(STIND_I);
    }

    /// Pushes the address of a place in the record, which lies behind the arguments.
    fn record_place(&mut self, offset: usize) {
        self.memory_address(self.memory.args + offset);
    }

    fn record_word(&mut self, offset: usize) {
        self.record_place(offset);
        self.code.op(LDIND_I8);
    }

    /// Marks an object of which something is kept.
    fn mark_kept(&mut self, object: Src, resume: &Resume) {
        let object = match object {
            Src::Fail(n) => Arg::Ref(resume.fail_args[usize::from(n)]),
            Src::Const(constant) => Arg::Const(constant),
            Src::Virtual(_) => unreachable!("what is kept exists"),
        };
        for _ in 0..2 {
            self.value(object);
            self.offset(offset_of!(Header, bits));
        }
        self.code.op(LDIND_U4);
        self.code.short(KEPT_BIT as i32);
        self.code.ops(&[OR, STIND_I4]);
    }
}
