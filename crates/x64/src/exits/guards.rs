//! Guards: a branch to a stub, and a record of where the fail arguments are.
//!
//! Nothing between the branch and its stub changes a place of a fail argument, so the record is
//! true for the handler, which writes the exit buffer, and for a bridge, which goes on with the
//! values where they are.

use crate::asm::instructions::*;
use crate::asm::operands::{Alu, Gpr, Label, Mem, Rm, cond};
use crate::code::GuardPatch;
use crate::exits::{ExitTarget, KnownIfFails, Stub, StubAction};
use crate::locations::{ValueLoc, slot_mem};
use crate::lower::compare::compare_ints;
use crate::lower::flags::Flags;
use crate::lower::links::{Outcome, unsupported};
use crate::lower::state::Lower;
use crate::lower::threaded::record_word;
use crate::regalloc::RegAlloc;
use crate::registers::{CONTEXT, SCRATCH};
use std::cell::{Cell, RefCell};
use std::mem::offset_of;
use std::rc::Rc;
use verdigris_backend::COUNT;
use verdigris_backend::sabotage::Sabotage;
use verdigris_heap::{Context, Suspended};
use verdigris_ops::Ty;
use verdigris_trace::{Arg, Const, Opcode, OptimisedOp, ValRef};

impl Lower<'_> {
    /// Compiles a guard that is not compiled together with what it tests.
    pub(crate) fn guard(&mut self, op: OptimisedOp<'_>) -> Outcome {
        let stub = self.asm().new_label();
        let mut action = StubAction::Nothing;
        let mut invalid = None;
        let (flags, leaves_when) = match op.opcode() {
            Opcode::GuardTrue => (test_zero(self.regs(), op.arg(0)), true),
            Opcode::GuardFalse => (test_zero(self.regs(), op.arg(0)), false),
            Opcode::GuardValue | Opcode::GuardSame => {
                (self.compare_words(op.arg(0), op.arg(1)), false)
            }
            Opcode::GuardClass => {
                let word = self.links.descrs.classes[op.class()].word;
                let object = self.regs().gpr(op.arg(0));
                self.asm().alu_imm_d(Alu::Cmp, Mem::At(object, 0), word);
                (Flags::from(cond::E), false)
            }
            Opcode::GuardNotInvalidated => {
                let cell = self.asm().cell(0);
                invalid = Some(cell.0);
                self.asm().alu_imm_d(Alu::Cmp, Mem::Data(cell), 0);
                (Flags::from(cond::E), false)
            }
            Opcode::GuardNoSignal => {
                let at = offset_of!(Context, signal) as i32;
                self.regs().scratch = None;
                let asm = self.asm();
                asm.reg_rm(&MOV, SCRATCH.0, Mem::At(CONTEXT, at));
                asm.alu_imm(Alu::Cmp, Mem::At(SCRATCH, 0), 0);
                (Flags::from(cond::E), false)
            }
            Opcode::GuardNotExhausted => {
                let at = offset_of!(Context, exhausted) as i32;
                self.asm().alu_imm(Alu::Cmp, Mem::At(CONTEXT, at), 0);
                (Flags::from(cond::E), false)
            }
            Opcode::GuardCount => {
                let record = self.regs().gpr(op.arg(0));
                self.asm().alu_imm(Alu::Sub, record_word(record, COUNT), 1);
                (Flags::from(cond::E), true)
            }
            Opcode::GuardNoPanic => {
                self.test_panicked();
                (Flags::from(cond::E), false)
            }
            Opcode::GuardNotForced => {
                let state = self.state_slot();
                action = StubAction::State(state);
                self.test_panicked();
                let taken = Suspended::TAKEN as i32;
                let asm = self.asm();
                asm.jump_if(cond::NE, stub);
                asm.rm_imm(&TEST_IMM_D, 0, slot_mem(state), taken, 4);
                (Flags::from(cond::E), false)
            }
            Opcode::Leave => {
                self.asm().jump(stub);
                self.add_exit(op, &[], stub, action, None);
                return Ok(());
            }
            other => return unsupported(other.name()),
        };
        self.leave_if(flags, leaves_when, op, &[], stub, action);
        if let (Some(_), Some(guard)) = (invalid, self.work.exits.guards.guards.last_mut()) {
            guard.invalid = invalid;
        }
        if op.opcode() == Opcode::GuardNotForced {
            self.release_state();
        }
        Ok(())
    }

    fn test_panicked(&mut self) {
        let at = offset_of!(Context, panicked) as i32;
        self.asm().alu_imm_d(Alu::Cmp, Mem::At(CONTEXT, at), 0);
    }

    /// Leaves through a guard if the flags are as `when` says.
    pub(crate) fn leave_if(
        &mut self,
        flags: Flags,
        when: bool,
        guard: OptimisedOp<'_>,
        known: &[KnownIfFails],
        stub: Label,
        action: StubAction,
    ) {
        flags.branch(when, stub, self.asm());
        // The code at a side relies on it that the guard does not hold.
        let forced = match guard.side() {
            Some(_) => None,
            None => self.test_forced(stub),
        };
        self.add_exit(guard, known, stub, action, forced);
    }

    /// Records where the stub of a guard leads.
    pub(crate) fn add_exit(
        &mut self,
        guard: OptimisedOp<'_>,
        known: &[KnownIfFails],
        stub: Label,
        action: StubAction,
        forced: Option<usize>,
    ) {
        let target = match guard.side() {
            Some(target) => self.side_exit(guard, target, known),
            None => self.exit_out(guard, known),
        };
        self.work.exits.stubs.push(Stub {
            label: stub,
            target,
            action,
            forced,
        });
    }

    /// Branches to a stub also if the guard has to fail although it holds. Nothing has moved since
    /// it was tested.
    pub(crate) fn test_forced(&mut self, stub: Label) -> Option<usize> {
        if !self.links.forced {
            return None;
        }
        let word = Rc::new(Cell::new(1));
        let address = std::ptr::from_ref(&*word).expose_provenance();
        self.work.exits.guards.forced.push(word);
        self.regs().load_scratch(address);
        let asm = self.asm();
        asm.alu_imm_d(Alu::Cmp, Mem::At(SCRATCH, 0), 0);
        asm.jump_if(cond::NE, stub);
        Some(address)
    }

    /// Records a guard that leads out of the trace, with the places of its fail arguments.
    fn exit_out(&mut self, guard: OptimisedOp<'_>, known: &[KnownIfFails]) -> ExitTarget {
        let table = &mut self.work.exits.guards;
        let regs = &self.work.regs;
        let first = table.fails.len() as u32;
        let args = guard.fail_args();
        let mut record = None;
        for (n, &arg) in args.iter().enumerate() {
            let arg = match n {
                1 if Sabotage::WrongExit.is_on() => args[0],
                _ => arg,
            };
            let ty = self.links.trace.types[arg];
            let hole = regs.values.map[regs.canon(arg)].hole;
            if let (Some(word), Some(value)) = (hole, regs.values.record)
                && let ValueLoc::At(loc) = regs.place(Arg::Ref(value))
            {
                record = Some(loc);
                table.add_hole(word, ty);
            } else {
                table.add_value(place_at_exit(regs, arg, known), ty);
            }
        }
        table.guards.push(GuardPatch {
            id: guard.guard().expect("a checked guard has an identity"),
            end: 0,
            first,
            len: args.len() as u32,
            record,
            invalid: None,
            bridge: RefCell::new(None),
        });
        ExitTarget::Out(table.guards.len() - 1)
    }

    /// Compares two values as words.
    fn compare_words(&mut self, x: Arg, y: Arg) -> Flags {
        match self.links.trace.ty(x) {
            Ty::Float => {
                let regs = self.regs();
                let x = regs.gpr(x);
                let y = match y {
                    Arg::Const(Const::Float(bits)) => Arg::Const(Const::Int(bits as i64)),
                    other => other,
                };
                let y = regs.gpr(y);
                regs.asm.reg_rm(&CMP, x.0, y);
                Flags::from(cond::E)
            }
            _ => compare_ints(self.regs(), cond::E, x, y),
        }
    }
}

/// Where a fail argument is when its guard fails.
pub(super) fn place_at_exit(regs: &RegAlloc, arg: ValRef, known: &[KnownIfFails]) -> ValueLoc {
    let canon = regs.canon(arg);
    let place = known.iter().find(|k| k.0 == canon).map(|k| k.1);
    place.unwrap_or_else(|| regs.place(Arg::Ref(arg)))
}

/// Compares a value with 0.
fn test_zero(regs: &mut RegAlloc, x: Arg) -> Flags {
    match regs.rm(x) {
        Rm::Mem(mem) => regs.asm.alu_imm(Alu::Cmp, mem, 0),
        Rm::Reg(reg) if regs.asm.has_tested(reg) => {}
        Rm::Reg(reg) => regs.asm.rm_reg(&TEST, Gpr(reg), reg),
    }
    Flags::from(cond::E)
}
