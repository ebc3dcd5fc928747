//! Residual calls. In: a call of a function of the table. Out: a call of its thunk, with the
//! arguments in registers or at the end of the frame, and the results where the function's kind
//! says. Invariant: what lives on is in slots or in registers that the callee keeps, so the
//! collector sees it; a panic waits in the context for the guard behind the call.

use crate::asm::{Gpr, Mem, Xmm, cond, regs};
use crate::file::{CONTEXT, Operand, gpr_loc, xmm_loc};
use crate::lower::{Lower, Outcome};
use crate::names::*;
use crate::slow::{Path, Slow, stack_word};
use crate::values::{Loc, Place};
use std::mem::offset_of;
use verdigris_heap::Context;
use verdigris_ops::{FnInfo, FnKind, Ty};
use verdigris_trace::{Arg, OpArgs, Opcode, OptimisedOp, OptimisedOps, ValRef};

/// The registers of the first integer arguments.
const INTS: [Gpr; 6] = [
    regs::RDI,
    regs::RSI,
    regs::RDX,
    regs::RCX,
    regs::R8,
    regs::R9,
];

/// How many doubles are passed in registers.
const FLOATS: usize = 8;

impl<'a> Lower<'a> {
    /// A residual call. Gives the last operation that has been done.
    pub(crate) fn call(&mut self, ops: OptimisedOps<'a>, n: usize) -> Outcome<usize> {
        let op = ops.at(n);
        let info = &self.links.descrs.fns[op.function()];
        self.distance = None;
        let keeping = ops
            .get(n + 1)
            .filter(|next| next.opcode() == Opcode::GuardNotForced);
        if let Some(guard) = keeping {
            self.suspend(guard);
        }
        match self.callee(info, op) {
            Some((word, greens)) => self.call_portal(info, op, word, greens),
            None if info.kind == FnKind::Conditional => self.call_conditionally(info, op),
            None => self.call_thunk(info, op),
        }
        if keeping.is_some() {
            self.resume();
        }
        Ok(n)
    }

    fn call_thunk(&mut self, info: &FnInfo, op: OptimisedOp<'_>) {
        if info.thunk == 0 {
            self.arguments_in_memory(op.args());
            self.file().before_call();
            self.invoke(info);
        } else {
            self.file().before_call();
            self.arguments(Some(info.target as u64), op.args());
            self.call_address(info.thunk);
        }
        self.file().after_call();
        let Some(result) = op.result() else { return };
        let comes_as_double = info.thunk != 0 && info.ret[..] == [Ty::Float];
        if comes_as_double {
            self.result_in(result, xmm_loc(Xmm(0)));
        } else {
            self.result_in(result, gpr_loc(regs::RAX));
        }
        let from = offset_of!(Context, results);
        self.further_results(op, from);
    }

    /// A value is in a register that a call has left it in.
    pub(crate) fn result_in(&mut self, result: ValRef, loc: Loc) {
        let file = self.file();
        file.lock(loc);
        let value = &file.values.map[result];
        if value.death <= file.pos {
            return;
        }
        let crosses = file.values.next_call(file.pos) < file.values.map[result].death;
        let hint = file.values.map[result].hint;
        if loc.is_gpr() && (crosses || (hint.is_some() && hint.is_gpr())) {
            let reg = file.take_gpr(Some(result));
            file.asm.reg_rm(&MOV, reg.0, Gpr(loc.0 as u8));
            return file.put(result, gpr_loc(reg));
        }
        file.put(result, loc);
    }

    /// The second and the further words of a result, which are in the context from here on.
    pub(crate) fn further_results(&mut self, op: OptimisedOp<'_>, from: usize) {
        for (n, value) in op.definitions().enumerate().skip(1) {
            let mem = Mem::At(CONTEXT, (from + 8 * n) as i32);
            let is_float = self.links.trace.types[value] == Ty::Float;
            let file = self.file();
            if file.values.map[value].death <= file.pos {
                continue;
            }
            if is_float || file.values.map[value].wants_xmm {
                let reg = file.take_xmm(Some(value));
                file.asm.reg_rm(&MOVSD_LOAD, reg.0, mem);
                file.put(value, xmm_loc(reg));
            } else {
                let reg = file.take_gpr(Some(value));
                file.asm.reg_rm(&MOV, reg.0, mem);
                file.put(value, gpr_loc(reg));
            }
            // There may be more of them than registers.
            file.unlock();
        }
    }

    /// Puts arguments where the C calling convention wants them; `first` in front of them.
    fn arguments(&mut self, first: Option<u64>, args: OpArgs<'_>) {
        let (mut ints, mut floats, mut words) = (0, 0, 0);
        let work = &mut *self.work;
        if let Some(word) = first {
            work.moves.add(Place::Const(word), gpr_loc(INTS[0]));
            ints = 1;
        }
        for arg in args.iter() {
            let place = work.file.place(arg);
            let is_float = self.links.trace.ty(arg) == Ty::Float;
            if is_float && floats < FLOATS {
                work.moves.add(place, xmm_loc(Xmm(floats as u8)));
                floats += 1;
            } else if !is_float && ints < INTS.len() {
                work.moves.add(place, gpr_loc(INTS[ints]));
                ints += 1;
            } else {
                crate::moves::store(&mut work.file.asm, place, stack_word(words));
                words += 1;
            }
        }
        work.moves.emit(&mut work.file.asm);
        self.out_words = self.out_words.max(words as u32);
    }

    /// Puts arguments at the end of the frame.
    pub(crate) fn arguments_in_memory(&mut self, args: OpArgs<'_>) {
        for (n, arg) in args.iter().enumerate() {
            let place = self.work.file.place(arg);
            crate::moves::store(&mut self.work.file.asm, place, stack_word(n));
        }
        self.out_words = self.out_words.max(args.len() as u32);
    }

    /// Calls a function with its arguments at the end of the frame.
    pub(crate) fn invoke(&mut self, info: &FnInfo) {
        let asm = &mut self.work.file.asm;
        asm.mov_imm(regs::RDI, info.target as u64);
        asm.reg_rm(&MOV, regs::RSI.0, regs::RSP);
        self.call_address(info.invoke);
    }

    fn call_address(&mut self, address: usize) {
        let asm = &mut self.work.file.asm;
        asm.mov_imm(regs::RAX, address as u64);
        asm.only_rm(&CALL, 2, regs::RAX);
    }

    /// Calls a function of the runtime that takes words and whose answer means nothing.
    pub(crate) fn call_runtime(&mut self, address: usize, args: &[Arg]) {
        self.distance = None;
        self.file().before_call();
        let mut places: smallvec::SmallVec<[Place; 6]> = smallvec::SmallVec::new();
        places.extend(args.iter().map(|&arg| self.work.file.place(arg)));
        let work = &mut *self.work;
        for (&place, reg) in places.iter().zip(INTS) {
            work.moves.add(place, gpr_loc(reg));
        }
        work.moves.emit(&mut work.file.asm);
        self.call_address(address);
        self.file().after_call();
    }

    /// A call without results that is made if the first argument is not 0, where it is out of the
    /// way.
    fn call_conditionally(&mut self, info: &FnInfo, op: OptimisedOp<'_>) {
        let test = match self.file().operand(op.arg(0)) {
            Operand::Rm(rm) => rm,
            Operand::Imm(_) => self.file().gpr(op.arg(0)).into(),
        };
        let (enter, back) = self.slow_labels();
        self.alu_imm_q(7, test, 0);
        // The arguments are stored on the way that is rare, from where they are now.
        let asm = &mut self.work.file.asm;
        asm.jump_if(cond::NE, enter);
        asm.bind(back);
        self.out_words = self.out_words.max(op.args().len() as u32);
        let work = &mut *self.work;
        let first = work.stores.len() as u32;
        let places = op.args().iter().map(|arg| work.file.place(arg));
        work.stores.extend(places);
        self.work.slow.push(Slow {
            enter,
            back,
            path: Path::Invoke {
                target: info.target,
                invoke: info.invoke,
                stores: (first, op.args().len() as u32),
            },
        });
    }
}
