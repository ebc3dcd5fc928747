//! Residual calls by their thunks, with the arguments in registers or at the end of the frame.
//!
//! A value that outlives the call is in a slot or in a register that the callee preserves, where
//! the collector sees it. A panic waits in the context for the guard behind the call.

use crate::asm::instructions::*;
use crate::asm::operands::{Alu, Gpr, Mem, Xmm, cond, regs};
use crate::exits::ColdWork;
use crate::locations::{ValueLoc, gpr_loc, xmm_loc};
use crate::lower::state::Lower;
use crate::regalloc::moves::store;
use crate::registers::CONTEXT;
use crate::trampolines::stack_word;
use smallvec::SmallVec;
use std::mem::offset_of;
use verdigris_heap::Context;
use verdigris_ops::{FnInfo, FnKind, Ty};
use verdigris_trace::{Arg, OpArgs, Opcode, OptimisedOp, OptimisedOps};

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
    pub(super) fn call(&mut self, ops: OptimisedOps<'a>, n: usize) {
        let op = ops.at(n);
        let info = &self.links.descrs.fns[op.function()];
        self.regs().scratch = None;
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
    }

    fn call_thunk(&mut self, info: &FnInfo, op: OptimisedOp<'_>) {
        if info.thunk == 0 {
            self.arguments_in_memory(op.args());
            self.regs().before_call();
            self.invoke(info);
        } else {
            self.regs().before_call();
            self.arguments(Some(info.target as u64), op.args());
            self.call_address(info.thunk);
        }
        self.regs().after_call();
        let Some(result) = op.result() else { return };
        let comes_as_double = info.thunk != 0 && info.ret[..] == [Ty::Float];
        if comes_as_double {
            self.regs().take_result(result, xmm_loc(Xmm(0)));
        } else {
            self.regs().take_result(result, gpr_loc(regs::RAX));
        }
        let from = offset_of!(Context, results);
        self.further_results(op, from);
    }

    /// Loads the second and further words of a result from the context.
    pub(super) fn further_results(&mut self, op: OptimisedOp<'_>, from: usize) {
        for (n, value) in op.definitions().enumerate().skip(1) {
            let mem = Mem::At(CONTEXT, (from + 8 * n) as i32);
            let is_float = self.links.trace.types[value] == Ty::Float;
            let regs = self.regs();
            if regs.values.map[value].death <= regs.pos {
                continue;
            }
            if is_float || regs.values.map[value].wants_xmm {
                let reg = regs.define_xmm(value);
                regs.asm.reg_rm(&MOVSD_LOAD, reg.0, mem);
            } else {
                let reg = regs.define_gpr(value);
                regs.asm.reg_rm(&MOV, reg.0, mem);
            }
            // There may be more of them than registers.
            regs.unlock();
        }
    }

    /// Puts arguments where the C calling convention wants them; `first` in front of them.
    fn arguments(&mut self, first: Option<u64>, args: OpArgs<'_>) {
        let (mut ints, mut floats, mut words) = (0, 0, 0);
        let work = &mut *self.work;
        if let Some(word) = first {
            work.moves.add(ValueLoc::Const(word), gpr_loc(INTS[0]));
            ints = 1;
        }
        for arg in args.iter() {
            let place = work.regs.place(arg);
            let is_float = self.links.trace.ty(arg) == Ty::Float;
            if is_float && floats < FLOATS {
                work.moves.add(place, xmm_loc(Xmm(floats as u8)));
                floats += 1;
            } else if !is_float && ints < INTS.len() {
                work.moves.add(place, gpr_loc(INTS[ints]));
                ints += 1;
            } else {
                store(&mut work.regs.asm, place, stack_word(words));
                words += 1;
            }
        }
        work.moves.emit(&mut work.regs.asm);
        self.frame.pass_on_stack(words);
    }

    /// Puts arguments at the end of the frame.
    pub(super) fn arguments_in_memory(&mut self, args: OpArgs<'_>) {
        for (n, arg) in args.iter().enumerate() {
            let place = self.work.regs.place(arg);
            store(&mut self.work.regs.asm, place, stack_word(n));
        }
        self.frame.pass_on_stack(args.len());
    }

    /// Calls a function with its arguments at the end of the frame.
    pub(super) fn invoke(&mut self, info: &FnInfo) {
        let asm = self.asm();
        asm.mov_imm(regs::RDI, info.target as u64);
        asm.reg_rm(&MOV, regs::RSI.0, regs::RSP);
        self.call_address(info.invoke);
    }

    fn call_address(&mut self, address: usize) {
        let asm = self.asm();
        asm.mov_imm(regs::RAX, address as u64);
        asm.only_rm(&CALL, 2, regs::RAX);
    }

    /// Calls a function of the runtime that takes words, and ignores its result.
    pub(super) fn call_runtime(&mut self, address: usize, args: &[Arg]) {
        self.regs().scratch = None;
        self.regs().before_call();
        let mut places: SmallVec<[ValueLoc; 6]> = SmallVec::new();
        places.extend(args.iter().map(|&arg| self.work.regs.place(arg)));
        let work = &mut *self.work;
        for (&place, reg) in places.iter().zip(INTS) {
            work.moves.add(place, gpr_loc(reg));
        }
        work.moves.emit(&mut work.regs.asm);
        self.call_address(address);
        self.regs().after_call();
    }

    /// Makes a call without results on a cold path, if the first argument is not 0.
    fn call_conditionally(&mut self, info: &FnInfo, op: OptimisedOp<'_>) {
        let test = self.regs().rm(op.arg(0));
        let (enter, back) = self.asm().new_labels();
        self.asm().alu_imm(Alu::Cmp, test, 0);
        // The cold path stores the arguments from where they are now.
        let asm = self.asm();
        asm.jump_if(cond::NE, enter);
        asm.bind(back);
        self.frame.pass_on_stack(op.args().len());
        let work = &mut *self.work;
        let first = work.cold.arguments.len() as u32;
        let places = op.args().iter().map(|arg| work.regs.place(arg));
        work.cold.arguments.extend(places);
        self.work.cold.add(
            (enter, back),
            ColdWork::Invoke {
                target: info.target,
                invoke: info.invoke,
                arguments: (first, op.args().len() as u32),
            },
        );
    }
}
