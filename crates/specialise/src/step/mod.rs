//! One instruction after the other, until a way ends, splits or comes to a merge point. In: a
//! [`Path`]. Out: operations on its section. Invariant: an instruction at which a way leaves has not
//! been executed, so that the interpreter can start with it.

mod arm_tree;
mod branches;
mod calls;
pub(crate) mod flow;
mod merge_point;
pub(crate) mod taken_arms;

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
    /// Follows a way until it stops.
    pub fn follow(&mut self, mut way: Path) {
        loop {
            let from = observe::is_on().then(|| (way.frames.len(), way.pc()));
            let flow = match self.within_limits(&mut way) {
                true => self.step(way),
                false => ControlFlow::Break(PathEnd::Leave(way, LeaveReason::Limit)),
            };
            match flow {
                ControlFlow::Continue(goes_on) => {
                    way = goes_on;
                    way.arrived = None;
                    if let Some((depth, pc)) = from
                        && self.observe(&mut way, depth, pc).is_err()
                    {
                        return self.end(way);
                    }
                }
                ControlFlow::Break(PathEnd::Leave(way, why)) => return self.leave(way, why),
                ControlFlow::Break(PathEnd::Dead(way)) => return self.end(way),
                ControlFlow::Break(PathEnd::Done) => return,
            }
        }
    }

    /// Notes what the instruction has given that was executed last, at `pc` of a frame of this
    /// depth.
    fn observe(&mut self, way: &mut Path, depth: usize, pc: Pc) -> Result<(), Ended> {
        let now = way.frames.len();
        let pc = match now.cmp(&depth) {
            Ordering::Greater => return Ok(()),
            Ordering::Equal => pc,
            // It was a return: the call has given something.
            Ordering::Less => Pc(way.pc().0 - 1),
        };
        let code = way.frames[now - 1].code;
        let dsts = self.unit.codes[code].insns[pc.0 as usize].dsts();
        for (n, &dst) in dsts.iter().enumerate() {
            let value = way.reg(dst);
            let constant = self.constant(way, value)?;
            observe::note((code, pc, n), constant.is_some());
        }
        Ok(())
    }

    fn within_limits(&mut self, way: &mut Path) -> bool {
        way.steps += 1;
        way.steps <= self.limits.steps && self.operations <= self.limits.operations
    }

    /// Ends a way with an exit.
    pub fn leave(&mut self, mut way: Path, why: LeaveReason) {
        let pc = way.pc();
        way.fill_holes(self.unit, pc);
        if self.advance(&mut way).is_err() {
            return self.end(way);
        }
        match self.left.iter_mut().find(|(known, _)| *known == why) {
            Some((_, count)) => *count += 1,
            None => self.left.push((why, 1)),
        }
        if way.arrived.is_some() {
            self.at_once = Some(why);
        }
        let snapshot = way.snapshot(self.unit, pc);
        self.builder.leave(*way.section, snapshot);
    }

    /// The constant that a value is known to be, or becomes behind a guard, where compiled code was
    /// left for want of it.
    ///
    /// # Errors
    /// As [`Specialiser::advance`].
    pub fn promoted(&mut self, way: &mut Path, value: Arg) -> Result<Option<Const>, Ended> {
        let known = self.constant(way, value)?;
        let arrived = (value.as_ref()).and_then(|v| way.arrived.as_ref()?.get(&v).copied());
        let (None, Some(word)) = (known, arrived) else {
            return Ok(known);
        };
        let constant = Const::new(way.section.trace.ty(value), word);
        let pc = way.pc();
        let args = [value, Arg::Const(constant)];
        self.search(way, value, constant);
        if !Sabotage::TrustArm.is_on() {
            self.guard(way, Opcode::GuardValue, &args, Descr::None, pc);
        }
        Ok(Some(constant))
    }

    /// Ends a way that has left at a guard which cannot hold.
    pub fn end(&mut self, way: Path) {
        if way.arrived.is_some() {
            self.at_once = Some(LeaveReason::Impossible);
        }
        self.builder.end(*way.section);
    }

    /// Tells the optimiser what has been added to the way's trace.
    ///
    /// # Errors
    /// If the way has ended at a guard that cannot hold.
    pub fn advance(&mut self, way: &mut Path) -> Result<(), Ended> {
        let before = way.section.advanced();
        let result = self.builder.advance(&mut way.section);
        self.operations += way.section.advanced() - before;
        result
    }

    /// The constant that a value is known to be, after all that has been done so far.
    ///
    /// # Errors
    /// As [`Specialiser::advance`].
    pub fn constant(&mut self, way: &mut Path, value: Arg) -> Result<Option<Const>, Ended> {
        if let Arg::Const(c) = value {
            return Ok(Some(c));
        }
        self.advance(way)?;
        Ok(way.section.constant(value))
    }

    /// Executes the instruction where a way is.
    pub fn step(&mut self, mut way: Path) -> Flow {
        let code = way.code(self.unit);
        let pc = way.pc();
        way.standing();
        match &code.insns[pc.0 as usize] {
            Insn::Data {
                op,
                args,
                descr,
                dst,
            } => {
                let descr = Descr::of_data(*op, *descr);
                return self.data(way, code, *op, &args[..op.params().len()], descr, *dst);
            }
            Insn::Move { dst, src } => {
                let value = way.sourced_operand(code, *src);
                way.set_sourced(*dst, value);
                way.next();
            }
            Insn::Goto { target } => way.goto(*target),
            Insn::BranchFalse { cond, target } => {
                let cond = *cond;
                let sourced = way.sourced_operand(code, cond);
                way.decide(sourced, |word| DecodeTest::Holds(word != 0));
                return self.branch(way, code, cond, *target);
            }
            Insn::Switch { value, table } => {
                let sourced = way.sourced_operand(code, *value);
                let cases = &code.switches[usize::from(*table)].cases;
                way.decide(sourced, |word| {
                    match cases.iter().any(|case| case.0 as u64 == word) {
                        true => DecodeTest::Is(word),
                        false => {
                            DecodeTest::IsNot(cases.iter().map(|case| case.0 as u64).collect())
                        }
                    }
                });
                return self.switch(way, code, *value, *table);
            }
            Insn::ClassSwitch { value, table } => {
                let sourced = way.sourced_operand(code, *value);
                if let (Some(_), Arg::Const(object)) = (sourced.source, sourced.value) {
                    let class = self.builder.class_of_live(object.word());
                    way.decide_class(sourced, class.map(|class| class.as_u32().into()));
                }
                return self.class_switch(way, code, *value, *table);
            }
            Insn::Promote { dst, src } => return self.promote(way, code, *dst, *src),
            Insn::Ask { dst, question, src } => return self.ask(way, code, *question, *src, *dst),
            Insn::Call { target, args, dsts } => return self.call(way, code, *target, args, dsts),
            Insn::Return { values } => return self.ret(way, code, values),
            Insn::Panic { .. } => {
                return ControlFlow::Break(PathEnd::Leave(way, LeaveReason::Panic));
            }
            Insn::MergePoint { greens, reds } => return self.merge_point(way, greens, reds),
            Insn::LoopHeader => {
                way.pending = true;
                way.next();
            }
        }
        ControlFlow::Continue(way)
    }

    fn data(
        &mut self,
        mut way: Path,
        code: &JitCode,
        op: DataOp,
        args: &[Opnd],
        descr: Descr,
        dst: Option<Reg>,
    ) -> Flow {
        if self.threading.is_some() {
            let values = args.iter().map(|&arg| way.sourced_operand(code, arg));
            let values: SmallVec<[Sourced; 3]> = values.collect();
            let decoded = way.decode_data(&mut self.builder, (op, descr), &values);
            if let (Some(decoded), Some(dst)) = (decoded, dst) {
                way.set_sourced(dst, decoded);
                way.next();
                return ControlFlow::Continue(way);
            }
        }
        let mut operands = [Arg::NULL; 3];
        for (operand, &arg) in operands.iter_mut().zip(args) {
            *operand = way.residual_operand(code, arg);
        }
        let operands = &operands[..args.len()];
        let accesses = matches!(op.effect(), Effect::Read | Effect::Write);
        if accesses && operands[0] == Arg::NULL {
            return ControlFlow::Break(PathEnd::Leave(way, LeaveReason::Impossible));
        }
        if op == DataOp::NewArray {
            self.ask_for_room(&mut way, operands[0], descr);
        }
        way.allocates |= op.effect() == Effect::Alloc;
        match (op.ret(), folded(op, operands)) {
            (Some(ty), Some(word)) => {
                if let Some(dst) = dst {
                    way.set(dst, Arg::Const(Const::new(ty, word)));
                }
            }
            (Some(ty), None) => {
                let opcode = Opcode::Data(op);
                let value = way.section.trace.push_def(opcode, operands, descr, ty);
                if let Some(dst) = dst {
                    way.set(dst, Arg::Ref(value));
                }
            }
            (None, _) => way.section.trace.push(Opcode::Data(op), operands, descr),
        }
        way.next();
        if op == DataOp::Invalidate {
            let behind = way.pc();
            self.guard(
                &mut way,
                Opcode::GuardNotInvalidated,
                &[],
                Descr::None,
                behind,
            );
        }
        ControlFlow::Continue(way)
    }

    /// In front of the making of an array that may be large.
    fn ask_for_room(&mut self, way: &mut Path, len: Arg, descr: Descr) {
        let most = self.unit.descrs.unasked_len(descr.class());
        let is_small = len.as_const().is_some_and(|len| len.word() <= most);
        if !is_small {
            let pc = way.pc();
            self.guard(way, Opcode::GuardRoom, &[len], descr, pc);
        }
    }

    /// A guard that leads out: the interpreter goes on at `pc`.
    pub fn guard(&mut self, way: &mut Path, opcode: Opcode, args: &[Arg], descr: Descr, pc: Pc) {
        let snapshot = way.snapshot(self.unit, pc);
        way.section.trace.push_guard(opcode, args, descr, snapshot);
    }

    fn promote(&mut self, mut way: Path, code: &JitCode, dst: Reg, src: Opnd) -> Flow {
        if self.threading.is_some() {
            let sourced = way.sourced_operand(code, src);
            way.set_sourced(dst, sourced);
            way.next();
            return ControlFlow::Continue(way);
        }
        let value = way.operand(code, src);
        match self.promoted(&mut way, value) {
            Ok(Some(constant)) => {
                way.set(dst, Arg::Const(constant));
                way.next();
                ControlFlow::Continue(way)
            }
            Ok(None) => ControlFlow::Break(PathEnd::Leave(way, LeaveReason::Promotion)),
            Err(Ended) => ControlFlow::Break(PathEnd::Dead(way)),
        }
    }

    /// Answers a question about a value.
    fn ask(
        &mut self,
        mut way: Path,
        code: &JitCode,
        question: Question,
        src: Opnd,
        dst: Reg,
    ) -> Flow {
        let value = way.residual_operand(code, src);
        let constant = match self.constant(&mut way, value) {
            Ok(constant) => constant,
            Err(Ended) => return ControlFlow::Break(PathEnd::Dead(way)),
        };
        let yes = match question {
            Question::IsConstant => constant.is_some(),
            Question::IsVirtual => way.section.is_virtual(value),
        };
        way.set(dst, Arg::int(i64::from(yes)));
        way.next();
        ControlFlow::Continue(way)
    }
}

/// What an operation on constants gives, if that is always the same.
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
