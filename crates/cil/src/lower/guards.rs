//! Guards: tests that branch to a way out.

use crate::code::Label;
use crate::instructions::*;
use crate::locals::Local;
use crate::lower::compare::comparison;
use crate::lower::state::{Exit, Lower, Source};
use crate::lower::uses::{is_forced, zero_behind};
use std::mem::offset_of;
use verdigris_backend::COUNT;
use verdigris_heap::{Context, Suspended, vd_has_room};
use verdigris_layered::GuardLink;
use verdigris_ops::{DataOp, Ty};
use verdigris_trace::{Arg, Opcode, OptimisedOp, ValRef};

impl<'m> Lower<'m> {
    /// Lowers a guard.
    pub(super) fn guard(&mut self, op: OptimisedOp<'m>, link: GuardLink<'m>) {
        let state = match op.opcode() {
            Opcode::GuardNotForced => self.state.take(),
            _ => None,
        };
        let exit = self.code.label();
        let forced = is_forced(&link);
        match op.opcode() {
            Opcode::GuardTrue => self.branch_unless(op.arg(0), exit),
            Opcode::GuardFalse => self.branch_if(op.arg(0), exit),
            Opcode::Leave => self.code.branch(BR, exit),
            Opcode::GuardValue | Opcode::GuardSame => self.guard_equal(op, exit),
            Opcode::GuardClass => {
                self.class_word(op.arg(0));
                self.code.short(self.descrs().classes[op.class()].word);
                self.code.branch(BNE_UN, exit);
            }
            Opcode::GuardNotInvalidated => {
                let GuardLink::Switch(switch) = &link else {
                    unreachable!("a guard of this kind leads out")
                };
                self.address(switch.invalid_byte() as u64);
                self.code.op(LDIND_U1);
                self.code.branch(BRTRUE, exit);
            }
            Opcode::GuardNoSignal => {
                self.context_place(offset_of!(Context, signal));
                self.code.ops(&[LDIND_I, LDIND_I8]);
                self.code.branch(BRTRUE, exit);
            }
            Opcode::GuardCount => {
                self.record_count(op.arg(0));
                self.record_count(op.arg(0));
                self.code.op(LDIND_I8);
                self.code.int(1);
                self.code.ops(&[SUB, STIND_I8]);
                self.record_count(op.arg(0));
                self.code.op(LDIND_I8);
                self.code.branch(BRFALSE, exit);
            }
            Opcode::GuardNotExhausted => {
                self.context_word(offset_of!(Context, exhausted));
                self.code.branch(BRTRUE, exit);
            }
            Opcode::GuardRoom => self.guard_room(op, forced, exit),
            _ => {
                self.context_word(offset_of!(Context, panicked));
                if let Some(state) = state {
                    self.code.variable(LDLOC, state);
                    self.code.int(Suspended::TAKEN as i64);
                    self.code.ops(&[AND, OR]);
                }
                self.code.branch(BRTRUE, exit);
            }
        }
        // What a guard does besides, it does also if it only has to fail.
        if forced
            && op.opcode() != Opcode::Leave
            && let GuardLink::Switch(switch) = &link
        {
            self.address(switch.forced_byte() as u64);
            self.code.op(LDIND_U1);
            self.code.branch(BRTRUE, exit);
        }
        self.add_exit(exit, op, link, state);
        // The way out is written later, from what is in the variables now.
        if let Some(state) = state {
            self.locals.give_back(state);
        }
    }

    /// Pushes the address of a record's count.
    fn record_count(&mut self, record: Arg) {
        self.value(record);
        self.code.op(CONV_I);
        self.offset(8 * COUNT);
    }

    fn branch_unless(&mut self, test: Arg, exit: Label) {
        match self.pending.take() {
            Some(compare) => self.branch_on(compare, false, exit),
            None => {
                self.value(test);
                self.code.branch(BRFALSE, exit);
            }
        }
    }

    fn branch_if(&mut self, test: Arg, exit: Label) {
        match self.pending.take() {
            Some(compare) => self.branch_on(compare, true, exit),
            None => {
                self.value(test);
                self.code.branch(BRTRUE, exit);
            }
        }
    }

    /// Branches if a comparison has this outcome.
    fn branch_on(&mut self, op: OptimisedOp<'m>, outcome: bool, exit: Label) {
        let Opcode::Data(data) = op.opcode() else {
            unreachable!("a comparison is a data operation")
        };
        self.value(op.arg(0));
        if let Some(comparison) = comparison(data) {
            self.value(op.arg(1));
            let branch = match outcome {
                true => comparison.branch_if,
                false => comparison.branch_unless,
            };
            return self.code.branch(branch, exit);
        }
        let when_true = outcome == (data == DataOp::IntIsTrue);
        let branch = if when_true { BRTRUE } else { BRFALSE };
        self.code.branch(branch, exit);
    }

    fn guard_equal(&mut self, op: OptimisedOp<'m>, exit: Label) {
        match self.ty(op.arg(0)) {
            // Doubles are compared as words.
            Ty::Float => {
                self.word(op.arg(0));
                self.word(op.arg(1));
            }
            _ => {
                self.value(op.arg(0));
                self.value(op.arg(1));
            }
        }
        self.code.branch(BNE_UN, exit);
    }

    /// Leaves if there is no room for an array of this length. For a small array the runtime, which
    /// may collect, is not asked.
    fn guard_room(&mut self, op: OptimisedOp<'m>, forced: bool, exit: Label) {
        let class = op.class();
        let done = self.code.label();
        if !forced {
            self.value(op.arg(0));
            self.code.int(self.descrs().unasked_len(class) as i64);
            self.code.branch(BLE_UN, done);
        }
        self.code.op(LDARG_1);
        self.address(u64::from(self.descrs().item(class).1.stride));
        self.value(op.arg(0));
        self.code.op(CONV_I);
        self.call_runtime(vd_has_room as *const () as usize, 3);
        self.code.branch(BRFALSE, exit);
        self.code.bind(done);
        self.barriers.collected();
    }

    fn add_exit(
        &mut self,
        label: Label,
        op: OptimisedOp<'m>,
        link: GuardLink<'m>,
        state: Option<Local>,
    ) {
        let zero = zero_behind(op, &link);
        let source = |value: &ValRef| match zero == Some(*value) {
            true => Source::Zero,
            false => Source::Local(self.locals.of(*value)),
        };
        let args = op.fail_args().iter().map(source).collect();
        self.exits.push(Exit {
            label,
            types: self.method.types(op.fail_args()).collect(),
            args,
            link,
            state,
        });
    }
}
