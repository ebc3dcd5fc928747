//! Guards. In: a guard, or flags that tell whether it holds. Out: a branch to a stub, and a note of
//! where the fail arguments are. Invariant: nothing between a guard's branch and its stub changes a
//! place of a fail argument, so that the note is true for the handler, which writes the exit
//! buffer, and for a bridge, which goes on with the values where they are.

use crate::asm::{Data, Gpr, Label, Mem, cond};
use crate::compare::Flags;
use crate::file::{CONTEXT, Operand, SCRATCH, slot_mem};
use crate::lower::{Lower, Outcome, unsupported};
use crate::names::*;
use crate::sides::Side;
use crate::threads;
use crate::unit::{KnownIfFails, Site};
use crate::values::{Loc, Place};
use std::cell::{Cell, RefCell};
use std::mem::offset_of;
use std::rc::Rc;
use verdigris_backend::COUNT;
use verdigris_backend::sabotage::Sabotage;
use verdigris_heap::{Context, Suspended};
use verdigris_ops::Ty;
use verdigris_trace::{Arg, Const, Opcode, OptimisedOp, ValRef};

/// The code that a failing guard comes to.
pub(crate) struct Stub {
    pub(crate) label: Label,
    pub(crate) goes: Goes,
    /// What is done in it first.
    pub(crate) first: First,
    /// The address of the word which says that the guard has still to fail although it holds.
    pub(crate) forced: Option<usize>,
}

/// Where a stub leads.
#[derive(Clone, Copy)]
pub(crate) enum Goes {
    /// Out of the trace, through the site with this number.
    Out(usize),
    /// To a label of the same trace.
    Side(Side),
}

/// What a stub does before it leaves.
#[derive(Clone, Copy)]
pub(crate) enum First {
    Nothing,
    /// Takes back a sum or difference, by this instruction and operand.
    Undo(bool, Gpr, Operand),
    /// Leaves the state of a call's record, which is in this slot, in the context.
    State(Loc),
}

impl Lower<'_> {
    /// A guard by itself.
    pub(crate) fn guard(&mut self, op: OptimisedOp<'_>) -> Outcome {
        let stub = self.work.file.asm.new_label();
        let mut first = First::Nothing;
        let mut invalid = None;
        let (flags, leaves_when) = match op.opcode() {
            Opcode::GuardTrue => (self.test_zero(op.arg(0)), true),
            Opcode::GuardFalse => (self.test_zero(op.arg(0)), false),
            Opcode::GuardValue | Opcode::GuardSame => {
                (self.compare_words(op.arg(0), op.arg(1)), false)
            }
            Opcode::GuardClass => {
                let class = &self.links.descrs.classes[op.class()];
                let word = class.word;
                let object = self.file().gpr(op.arg(0));
                self.alu_imm_d(7, Mem::At(object, 0), word);
                (Flags::from(cond::E), false)
            }
            Opcode::GuardNotInvalidated => {
                let cell = self.file().asm.cell(0);
                invalid = Some(cell);
                self.alu_imm_d(7, Mem::Data(cell), 0);
                (Flags::from(cond::E), false)
            }
            Opcode::GuardNoSignal => {
                let at = offset_of!(Context, signal) as i32;
                self.distance = None;
                let asm = &mut self.work.file.asm;
                asm.reg_rm(&MOV, SCRATCH.0, Mem::At(CONTEXT, at));
                self.alu_imm_q(7, Mem::At(SCRATCH, 0), 0);
                (Flags::from(cond::E), false)
            }
            Opcode::GuardNotExhausted => {
                let at = offset_of!(Context, exhausted) as i32;
                self.alu_imm_q(7, Mem::At(CONTEXT, at), 0);
                (Flags::from(cond::E), false)
            }
            Opcode::GuardCount => {
                let record = self.file().gpr(op.arg(0));
                self.alu_imm_q(5, threads::word(record, COUNT), 1);
                (Flags::from(cond::E), true)
            }
            Opcode::GuardNoPanic => {
                self.test_panicked();
                (Flags::from(cond::E), false)
            }
            Opcode::GuardNotForced => {
                let state = self.state_slot();
                first = First::State(state);
                self.test_panicked();
                self.work.file.asm.jump_if(cond::NE, stub);
                let taken = Suspended::TAKEN as i32;
                (self.work.file.asm).rm_imm(&TEST_IMM_D, 0, slot_mem(state), taken, 4);
                (Flags::from(cond::E), false)
            }
            Opcode::Leave => {
                self.work.file.asm.jump(stub);
                self.note_exit(op, &[], stub, first, None);
                return Ok(());
            }
            other => return unsupported(other.name()),
        };
        self.leave_if(flags, leaves_when, op, &[], stub, first);
        if let Some(cell) = invalid {
            self.note_invalid(cell);
        }
        if op.opcode() == Opcode::GuardNotForced {
            self.release_state();
        }
        Ok(())
    }

    fn test_panicked(&mut self) {
        let at = offset_of!(Context, panicked) as i32;
        self.alu_imm_d(7, Mem::At(CONTEXT, at), 0);
    }

    /// `x == 0` as flags.
    fn test_zero(&mut self, x: Arg) -> Flags {
        match self.file().operand(x) {
            Operand::Rm(crate::asm::Rm::Mem(mem)) => self.alu_imm_q(7, mem, 0),
            Operand::Rm(crate::asm::Rm::Reg(reg)) if self.work.file.asm.has_tested(reg) => {}
            Operand::Rm(crate::asm::Rm::Reg(reg)) => {
                self.work.file.asm.rm_reg(&TEST, Gpr(reg), reg);
            }
            Operand::Imm(_) => {
                let reg = self.file().gpr(x);
                self.work.file.asm.rm_reg(&TEST, reg, reg.0);
            }
        }
        Flags::from(cond::E)
    }

    /// Whether two values are the same words, as flags.
    fn compare_words(&mut self, x: Arg, y: Arg) -> Flags {
        match self.links.trace.ty(x) {
            Ty::Float => {
                let x = self.file().gpr(x);
                let y = match y {
                    Arg::Const(Const::Float(bits)) => Arg::Const(Const::Int(bits as i64)),
                    other => other,
                };
                let y = self.file().gpr(y);
                self.work.file.asm.reg_rm(&CMP, x.0, y);
                Flags::from(cond::E)
            }
            _ => self.compare_ints(cond::E, x, y),
        }
    }

    /// Leaves through a guard if the flags say so.
    pub(crate) fn leave_if(
        &mut self,
        flags: Flags,
        when: bool,
        guard: OptimisedOp<'_>,
        known: &[KnownIfFails],
        stub: Label,
        first: First,
    ) {
        self.branch(flags, when, stub);
        // What stands at a side knows that the guard does not hold.
        let forced = match guard.side() {
            Some(_) => None,
            None => self.test_forced(stub),
        };
        self.note_exit(guard, known, stub, first, forced);
    }

    /// Notes where the code leads that a failing guard comes to.
    pub(crate) fn note_exit(
        &mut self,
        guard: OptimisedOp<'_>,
        known: &[KnownIfFails],
        stub: Label,
        first: First,
        forced: Option<usize>,
    ) {
        let goes = match guard.side() {
            Some(target) => self.note_side(guard, target, known),
            None => self.note_site(guard, known),
        };
        self.work.stubs.push(Stub {
            label: stub,
            goes,
            first,
            forced,
        });
    }

    /// Branches to a stub too if the guard has to fail although it holds. Nothing has moved since
    /// it was tested.
    pub(crate) fn test_forced(&mut self, stub: Label) -> Option<usize> {
        if !self.links.forced {
            return None;
        }
        let word = Rc::new(Cell::new(1));
        let address = std::ptr::from_ref(&*word).expose_provenance();
        self.work.sites.forced.push(word);
        self.address(address);
        self.alu_imm_d(7, Mem::At(SCRATCH, 0), 0);
        self.work.file.asm.jump_if(cond::NE, stub);
        Some(address)
    }

    /// Jumps if the flags say so.
    pub(crate) fn branch(&mut self, flags: Flags, when: bool, to: Label) {
        let asm = &mut self.work.file.asm;
        let condition = if when { flags.cond } else { flags.cond.not() };
        if !flags.unordered {
            return asm.jump_if(condition, to);
        }
        // Equality of doubles: they are equal if `e` holds and `p` does not; `ne` is the opposite.
        let on_unordered = (flags.cond == cond::NE) == when;
        if on_unordered {
            asm.jump_if(cond::P, to);
            asm.jump_if(condition, to);
        } else {
            let over = asm.skip_if(cond::P);
            asm.jump_if(condition, to);
            asm.land(over);
        }
    }

    /// Notes where a guard's fail arguments are.
    pub(crate) fn note_site(&mut self, guard: OptimisedOp<'_>, known: &[KnownIfFails]) -> Goes {
        let first = self.work.sites.fails.len() as u32;
        let args = guard.fail_args();
        let mut record = None;
        for (n, &arg) in args.iter().enumerate() {
            let arg = match n {
                1 if Sabotage::WrongExit.is_on() => args[0],
                _ => arg,
            };
            let ty = self.links.trace.types[arg];
            let file = &self.work.file;
            let hole = file.values.map[file.canon(arg)].hole;
            if let (Some(word), Some(value)) = (hole, file.values.record)
                && let Place::At(loc) = file.place(Arg::Ref(value))
            {
                record = Some(loc);
                self.work.sites.add_hole(word, ty);
                continue;
            }
            let place = self.place_at_exit(arg, known);
            self.work.sites.add(place, ty);
        }
        self.work.sites.sites.push(Site {
            id: guard.guard().expect("a checked guard has an identity"),
            end: 0,
            first,
            len: args.len() as u32,
            record,
            invalid: None,
            bridge: RefCell::new(None),
        });
        Goes::Out(self.work.sites.sites.len() - 1)
    }

    /// Where a fail argument is when its guard fails.
    pub(crate) fn place_at_exit(&self, arg: ValRef, known: &[KnownIfFails]) -> Place {
        let canon = self.work.file.canon(arg);
        let place = known.iter().find(|k| k.0 == canon).map(|k| k.1);
        place.unwrap_or_else(|| self.work.file.place(Arg::Ref(arg)))
    }

    /// The last guard tests this word. Where it lies in the code is known at the end.
    fn note_invalid(&mut self, cell: Data) {
        if let Some(site) = self.work.sites.sites.last_mut() {
            site.invalid = Some(cell.0);
        }
    }

    /// Makes the stubs.
    pub(crate) fn stubs(&mut self) {
        for (n, stub) in std::mem::take(&mut self.work.stubs).into_iter().enumerate() {
            if let (First::Nothing, Goes::Side(side)) = (stub.first, stub.goes)
                && self.is_right_there(side)
            {
                (self.work.file.asm).alias(stub.label, self.locals[side.local].label);
                continue;
            }
            let mark = self.work.mark();
            let asm = &mut self.work.file.asm;
            asm.bind(stub.label);
            if let Some(address) = stub.forced {
                asm.mov_imm(SCRATCH, address as u64);
                asm.rm_imm(&MOV_IMM, 0, Mem::At(SCRATCH, 0), 0, 4);
            }
            match stub.first {
                First::Nothing => {}
                First::Undo(adds, reg, operand) => match operand {
                    Operand::Imm(word) => {
                        let imm = word as i32;
                        self.alu_imm_q(if adds { 0 } else { 5 }, reg, imm);
                    }
                    Operand::Rm(rm) => asm.reg_rm(if adds { &ADD } else { &SUB }, reg.0, rm),
                },
                First::State(state) => {
                    let at = offset_of!(Context, resumed) as i32;
                    asm.reg_rm(&MOV, SCRATCH.0, slot_mem(state));
                    asm.rm_reg(&MOV_STORE, Mem::At(CONTEXT, at), SCRATCH.0);
                }
            }
            match stub.goes {
                Goes::Out(site) => {
                    let asm = &mut self.work.file.asm;
                    asm.call_out(self.links.handlers.exit);
                    self.work.sites.sites[site].end = asm.here();
                }
                Goes::Side(side) => self.go_to_side(side),
            }
            self.work.originate_stub(mark, n);
        }
    }

    /// An operation with a constant: 0 is `add`, 1 `or`, 4 `and`, 5 `sub`, 6 `xor`, 7 `cmp`.
    pub(crate) fn alu_imm_q(&mut self, which: u8, rm: impl Into<crate::asm::Rm>, imm: i32) {
        alu_imm(&mut self.work.file.asm, &ALU_IMM, which, rm.into(), imm);
    }

    /// The same on 32 bits.
    pub(crate) fn alu_imm_d(&mut self, which: u8, rm: impl Into<crate::asm::Rm>, imm: i32) {
        alu_imm(&mut self.work.file.asm, &ALU_IMM_D, which, rm.into(), imm);
    }
}

const ALU_NAMES: [&str; 8] = ["add", "or", "adc", "sbb", "and", "sub", "xor", "cmp"];

/// An arithmetic instruction with a constant, in as few bytes as it takes.
pub(crate) fn alu_imm(
    asm: &mut crate::asm::Asm,
    ins: &crate::asm::Ins,
    which: u8,
    rm: crate::asm::Rm,
    imm: i32,
) {
    let mut ins = named(ins, ALU_NAMES[usize::from(which)]);
    let bytes = match i8::try_from(imm) {
        Ok(_) => {
            ins.opcode = 0x83;
            1
        }
        Err(_) => 4,
    };
    asm.rm_imm(&ins, which, rm, imm, bytes);
}

/// The condition under which a guard leaves, where it is on a truth value: whether it leaves when
/// the value is true.
pub(crate) fn leaves_when_true(guard: OptimisedOp<'_>) -> Option<bool> {
    match (guard.opcode(), guard.args().get(1)) {
        (Opcode::GuardTrue, _) => Some(false),
        (Opcode::GuardFalse, _) => Some(true),
        (Opcode::GuardValue, Some(Arg::Const(Const::Int(n @ 0..=1)))) => Some(n == 0),
        _ => None,
    }
}
