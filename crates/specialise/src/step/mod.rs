//! Executes a path, one instruction after the other, until it ends, splits or comes to a merge
//! point.
//!
//! An instruction at which a path leaves has not been executed, so the interpreter can start with
//! it.

mod arm_tree;
mod branches;
mod calls;
pub(crate) mod flow;
mod merge_point;
pub(crate) mod taken_arms;
mod within;

use crate::limits::LeaveReason;
use crate::observe;
use crate::sabotage::Sabotage;
use crate::specialiser::Specialiser;
use crate::state::path::Path;
use crate::threaded::DecodeTest;
use crate::threaded::Sourced;
use flow::{Flow, PathEnd};
use smallvec::SmallVec;
use std::cmp::Ordering;
use std::ops::ControlFlow;
use verdigris_jitcode::{Insn, JitCode, Opnd, Pc, Question, Reg};
use verdigris_ops::{DataOp, Effect, Ty, eval};
use verdigris_opt::Ended;
use verdigris_trace::{Arg, Const, Descr, Opcode};

impl Specialiser<'_> {
    /// Follows a path until it stops.
    pub fn follow(&mut self, mut path: Path) {
        loop {
            let from = observe::is_on().then(|| (path.frames.len(), path.pc()));
            let flow = match self.within_limits(&mut path) {
                true => match self.wait_within(path) {
                    ControlFlow::Continue(path) => self.step(path),
                    waits => waits,
                },
                false => ControlFlow::Break(PathEnd::Leave(path, LeaveReason::Limit)),
            };
            match flow {
                ControlFlow::Continue(goes_on) => {
                    path = goes_on;
                    path.waited = false;
                    if let Some(words) = path.arrived.take() {
                        path.left_with = Some(words);
                    }
                    if let Some((depth, pc)) = from
                        && self.observe(&mut path, depth, pc).is_err()
                    {
                        return self.end(path);
                    }
                }
                ControlFlow::Break(PathEnd::Leave(path, why)) => return self.leave(path, why),
                ControlFlow::Break(PathEnd::Dead(path)) => return self.end(path),
                ControlFlow::Break(PathEnd::Done) => return,
            }
        }
    }

    /// Observes the results of the instruction just executed, at `pc` of a frame of this depth.
    fn observe(&mut self, path: &mut Path, depth: usize, pc: Pc) -> Result<(), Ended> {
        let now = path.frames.len();
        let pc = match now.cmp(&depth) {
            Ordering::Greater => return Ok(()),
            Ordering::Equal => pc,
            // It was a return: the results are those of the call.
            Ordering::Less => Pc(path.pc().0 - 1),
        };
        let code = path.frames[now - 1].code;
        let dsts = self.unit.codes[code].insns[pc.0 as usize].dsts();
        for (n, &dst) in dsts.iter().enumerate() {
            let value = path.reg(dst);
            let constant = self.constant(path, value)?;
            observe::note((code, pc, n), constant.is_some());
        }
        Ok(())
    }

    fn within_limits(&mut self, path: &mut Path) -> bool {
        path.steps += 1;
        path.steps <= self.limits.path_steps && self.operations <= self.limits.operations
    }

    /// Ends a path with an exit.
    pub fn leave(&mut self, mut path: Path, why: LeaveReason) {
        let pc = path.pc();
        path.fill_holes(self.unit, pc);
        if self.advance(&mut path).is_err() {
            return self.end(path);
        }
        match self.left.iter_mut().find(|(known, _)| *known == why) {
            Some((_, count)) => *count += 1,
            None => self.left.push((why, 1)),
        }
        if path.arrived.is_some() {
            self.at_once = Some(why);
        }
        let snapshot = path.snapshot(self.unit, pc);
        self.builder.leave(*path.section, snapshot);
    }

    /// The constant that a value is known to be, or becomes behind a guard if compiled code was
    /// left for lack of it.
    ///
    /// # Errors
    /// As [`Specialiser::advance`].
    pub fn promoted(&mut self, path: &mut Path, value: Arg) -> Result<Option<Const>, Ended> {
        let known = self.constant(path, value)?;
        let arrived = (value.as_ref()).and_then(|v| path.arrived.as_ref()?.get(&v).copied());
        let (None, Some(word)) = (known, arrived) else {
            return Ok(known);
        };
        let constant = Const::new(path.section.trace.ty(value), word);
        let pc = path.pc();
        let args = [value, Arg::Const(constant)];
        self.search(path, value, constant);
        if !Sabotage::TrustArm.is_on() {
            self.guard(path, Opcode::GuardValue, &args, Descr::None, pc);
        }
        Ok(Some(constant))
    }

    /// Ends a path behind a guard that cannot hold.
    pub fn end(&mut self, path: Path) {
        if path.arrived.is_some() {
            self.at_once = Some(LeaveReason::Impossible);
        }
        self.builder.end(*path.section);
    }

    /// Passes the new operations of the path's trace to the optimiser.
    ///
    /// # Errors
    /// If the path has ended at a guard that cannot hold.
    pub fn advance(&mut self, path: &mut Path) -> Result<(), Ended> {
        let before = path.section.advanced();
        let result = self.builder.advance(&mut path.section);
        self.operations += path.section.advanced() - before;
        result
    }

    /// The constant that a value is known to be, if it is.
    ///
    /// # Errors
    /// As [`Specialiser::advance`].
    pub fn constant(&mut self, path: &mut Path, value: Arg) -> Result<Option<Const>, Ended> {
        if let Arg::Const(c) = value {
            return Ok(Some(c));
        }
        self.advance(path)?;
        Ok(path.section.constant(value))
    }

    /// Executes the instruction where a path is.
    pub fn step(&mut self, mut path: Path) -> Flow {
        let code = path.code(self.unit);
        let pc = path.pc();
        path.mark_position();
        match &code.insns[pc.0 as usize] {
            Insn::Data {
                op,
                args,
                descr,
                dst,
            } => {
                let descr = Descr::of_data(*op, *descr);
                return self.data(path, code, *op, &args[..op.params().len()], descr, *dst);
            }
            Insn::Move { dst, src } => {
                let value = path.sourced_operand(code, *src);
                path.set_sourced(*dst, value);
                path.next();
            }
            Insn::Goto { target } => path.goto(*target),
            Insn::BranchFalse { cond, target } => {
                let cond = *cond;
                let sourced = path.sourced_operand(code, cond);
                path.decide(sourced, |word| DecodeTest::Holds(word != 0));
                return self.branch(path, code, cond, *target);
            }
            Insn::Switch { value, table } => {
                let sourced = path.sourced_operand(code, *value);
                let cases = &code.switches[usize::from(*table)].cases;
                path.decide(sourced, |word| {
                    match cases.iter().any(|case| case.0 as u64 == word) {
                        true => DecodeTest::Is(word),
                        false => {
                            DecodeTest::IsNot(cases.iter().map(|case| case.0 as u64).collect())
                        }
                    }
                });
                return self.switch(path, code, *value, *table);
            }
            Insn::ClassSwitch { value, table } => {
                let sourced = path.sourced_operand(code, *value);
                if let (Some(_), Arg::Const(object)) = (sourced.source, sourced.value) {
                    let class = self.builder.class_of_live(object.word());
                    path.decide_class(sourced, class.map(|class| class.as_u32().into()));
                }
                return self.class_switch(path, code, *value, *table);
            }
            Insn::Promote { dst, src } => return self.promote(path, code, *dst, *src),
            Insn::Ask { dst, question, src } => return self.ask(path, code, *question, *src, *dst),
            Insn::Call { target, args, dsts } => return self.call(path, code, *target, args, dsts),
            Insn::Return { values } => return self.ret(path, code, values),
            Insn::Panic { .. } => {
                return ControlFlow::Break(PathEnd::Leave(path, LeaveReason::Panic));
            }
            Insn::MergePoint { greens, reds } => return self.merge_point(path, greens, reds),
            Insn::LoopHeader => {
                path.pending = true;
                path.next();
            }
        }
        ControlFlow::Continue(path)
    }

    fn data(
        &mut self,
        mut path: Path,
        code: &JitCode,
        op: DataOp,
        args: &[Opnd],
        descr: Descr,
        dst: Option<Reg>,
    ) -> Flow {
        if self.stencil.is_some() {
            let values = args.iter().map(|&arg| path.sourced_operand(code, arg));
            let values: SmallVec<[Sourced; 3]> = values.collect();
            let decoded = path.decode_data(&mut self.builder, (op, descr), &values);
            if let (Some(decoded), Some(dst)) = (decoded, dst) {
                path.set_sourced(dst, decoded);
                path.next();
                return ControlFlow::Continue(path);
            }
        }
        let mut operands = [Arg::NULL; 3];
        for (operand, &arg) in operands.iter_mut().zip(args) {
            *operand = path.residual_operand(code, arg);
        }
        let operands = &operands[..args.len()];
        let accesses = matches!(op.effect(), Effect::Read | Effect::Write);
        if accesses && operands[0] == Arg::NULL {
            return ControlFlow::Break(PathEnd::Leave(path, LeaveReason::Impossible));
        }
        if op == DataOp::NewArray {
            self.ask_for_room(&mut path, operands[0], descr);
        }
        path.allocates |= op.effect() == Effect::Alloc;
        match (op.ret(), folded(op, operands)) {
            (Some(ty), Some(word)) => {
                if let Some(dst) = dst {
                    path.set(dst, Arg::Const(Const::new(ty, word)));
                }
            }
            (Some(ty), None) => {
                let opcode = Opcode::Data(op);
                let value = path.section.trace.push_def(opcode, operands, descr, ty);
                if let Some(dst) = dst {
                    path.set(dst, Arg::Ref(value));
                }
            }
            (None, _) => path.section.trace.push(Opcode::Data(op), operands, descr),
        }
        path.next();
        if op == DataOp::Invalidate {
            let behind = path.pc();
            self.guard(
                &mut path,
                Opcode::GuardNotInvalidated,
                &[],
                Descr::None,
                behind,
            );
        }
        ControlFlow::Continue(path)
    }

    /// Checks for room in front of an array that may be large.
    fn ask_for_room(&mut self, path: &mut Path, len: Arg, descr: Descr) {
        let most = self.unit.descrs.unasked_len(descr.class());
        let is_small = len.as_const().is_some_and(|len| len.word() <= most);
        if !is_small {
            let pc = path.pc();
            self.guard(path, Opcode::GuardRoom, &[len], descr, pc);
        }
    }

    /// Pushes a guard behind which the interpreter continues at `pc` if it fails.
    pub fn guard(&mut self, path: &mut Path, opcode: Opcode, args: &[Arg], descr: Descr, pc: Pc) {
        let snapshot = path.snapshot(self.unit, pc);
        path.section.trace.push_guard(opcode, args, descr, snapshot);
    }

    fn promote(&mut self, mut path: Path, code: &JitCode, dst: Reg, src: Opnd) -> Flow {
        if self.stencil.is_some() {
            let sourced = path.sourced_operand(code, src);
            path.set_sourced(dst, sourced);
            path.next();
            return ControlFlow::Continue(path);
        }
        let value = path.operand(code, src);
        if std::mem::take(&mut path.generalise) {
            path.set(dst, value);
            path.next();
            return ControlFlow::Continue(path);
        }
        match self.promoted(&mut path, value) {
            Ok(Some(constant)) => {
                path.set(dst, Arg::Const(constant));
                path.next();
                ControlFlow::Continue(path)
            }
            Ok(None) => ControlFlow::Break(PathEnd::Leave(path, LeaveReason::Promotion)),
            Err(Ended) => ControlFlow::Break(PathEnd::Dead(path)),
        }
    }

    /// Evaluates a question about a value.
    fn ask(
        &mut self,
        mut path: Path,
        code: &JitCode,
        question: Question,
        src: Opnd,
        dst: Reg,
    ) -> Flow {
        let value = path.residual_operand(code, src);
        let constant = match self.constant(&mut path, value) {
            Ok(constant) => constant,
            Err(Ended) => return ControlFlow::Break(PathEnd::Dead(path)),
        };
        let yes = match question {
            Question::IsConstant => constant.is_some(),
            Question::IsVirtual => path.section.is_virtual(value),
        };
        path.set(dst, Arg::int(i64::from(yes)));
        path.next();
        ControlFlow::Continue(path)
    }
}

/// The result of an operation on constants, if it is always the same.
fn folded(op: DataOp, args: &[Arg]) -> Option<u64> {
    if op.effect() != Effect::Pure || op.ret() == Some(Ty::Word) {
        return None;
    }
    let words: Option<SmallVec<[u64; 3]>> = args
        .iter()
        .map(|arg| Some(arg.as_const()?.word()))
        .collect();
    eval(op, &words?)
}
