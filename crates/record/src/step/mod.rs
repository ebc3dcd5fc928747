//! The loop of the tracer: one instruction after the other, until something ends the trace.
//!
//! An instruction that aborts has not been executed, so the blackhole interpreter can start with
//! it.

mod calls;
mod data;
mod guards;
mod merge_point;
mod portals;

use crate::end::Halt;
use crate::state::recorder::Recorder;
use crate::state::value::TracedValue;
use verdigris_heap::class_word_of;
use verdigris_jitcode::{Insn, JitCode, Opnd, Pc, Question, Reg};
use verdigris_ops::{DataOp, Ty};
use verdigris_report::AbortReason;
use verdigris_resume::class_case;
use verdigris_trace::{Arg, Descr, OpOrigin, Opcode};

impl Recorder<'_> {
    /// Traces until the trace ends.
    pub fn run(&mut self) -> Halt {
        let keeps = self.limits.keep_origins || self.limits.keep_activations;
        loop {
            let done = match keeps {
                true => self.step_with_origin(),
                false => self.within_limits().and_then(|()| self.step()),
            };
            if let Err(halt) = done {
                return halt;
            }
        }
    }

    /// Executes an instruction, and enters where the operations that it records come from.
    #[cold]
    fn step_with_origin(&mut self) -> Result<(), Halt> {
        let origin = self.limits.keep_origins.then(|| self.origin());
        let activations = self.limits.keep_activations.then(|| self.activations());
        let done = self.within_limits().and_then(|()| self.step());
        let recorded = self.trace.ops().len();
        if let Some(origin) = origin {
            self.trace.exits.origins.resize(recorded, origin);
        }
        if let Some(activations) = activations {
            self.trace.exits.activations.resize(recorded, activations);
        }
        done
    }

    /// The current instruction and the calls around it.
    fn origin(&self) -> OpOrigin {
        let frames = self.frames.frames().iter().rev();
        frames
            .map(|frame| (frame.code.as_u32(), frame.pc.0))
            .collect()
    }

    /// How many operations have been recorded since the frames were rebuilt.
    pub fn length(&self) -> usize {
        self.trace.ops().len() - self.begun
    }

    /// The number of activations of the portal around the current instruction.
    fn activations(&self) -> u32 {
        let portal = self.unit.portal;
        let frames = self.frames.frames().iter();
        frames.filter(|frame| frame.code == portal).count() as u32
    }

    #[inline]
    fn within_limits(&mut self) -> Result<(), Halt> {
        self.steps += 1;
        // A trace that is to be cut goes on to the next merge point, but not for ever.
        let patience = if self.limits.cut_traces { 2 } else { 1 };
        let reason = if self.length() > patience * self.limits.trace_limit {
            AbortReason::TraceTooLong
        } else if self.steps > self.limits.step_limit {
            AbortReason::TooManySteps
        } else if self.overfull {
            AbortReason::TooManyLiveValues
        } else {
            return Ok(());
        };
        Err(Halt::Abort(reason))
    }

    fn step(&mut self) -> Result<(), Halt> {
        let code = self.code();
        let pc = self.frames.top().pc;
        match &code.insns[pc.0 as usize] {
            Insn::Data {
                op,
                args,
                descr,
                dst,
            } => {
                return self.data(code, *op, &args[..op.params().len()], *descr, *dst);
            }
            Insn::Move { dst, src } => {
                let known = self.operand(code, *src);
                self.set(*dst, known);
                self.next();
            }
            Insn::Goto { target } => self.goto(*target),
            Insn::BranchFalse { cond, target } => self.branch(code, *cond, *target, pc),
            Insn::Switch { value, table } => self.switch(code, *value, *table, pc),
            Insn::ClassSwitch { value, table } => {
                return self.class_switch(code, *value, *table, pc);
            }
            Insn::Promote { dst, src } => {
                let mut known = self.operand(code, *src);
                if self.limits.promote {
                    known = self.promote(known, pc);
                }
                self.set(*dst, known);
                self.next();
            }
            Insn::Ask { dst, question, src } => self.ask(code, *question, *src, *dst),
            Insn::Call { target, args, dsts } => return self.call(code, *target, args, dsts),
            Insn::Return { values } => return self.leave(code, values),
            Insn::Panic { .. } => return Err(Halt::Abort(AbortReason::PanicInTracedCode)),
            Insn::MergePoint { greens, reds } => return self.merge_point(code, greens, reds, pc),
            Insn::LoopHeader => {
                self.headers.pending = true;
                self.next();
            }
        }
        Ok(())
    }

    /// Evaluates a question about a value to a constant of the trace.
    fn ask(&mut self, code: &JitCode, question: Question, src: Opnd, dst: Reg) {
        let known = self.operand(code, src);
        let yes = match question {
            Question::IsConstant => self.knowledge.is_constant(known),
            Question::IsVirtual => self.knowledge.is_virtual(known),
        };
        let answer = self.constant(Ty::Int, u64::from(yes));
        self.set(dst, answer);
        self.next();
    }

    fn branch(&mut self, code: &JitCode, cond: Opnd, target: Pc, pc: Pc) {
        let cond = self.operand(code, cond);
        let holds = cond.word != 0;
        if !cond.is_const() {
            let opcode = if holds {
                Opcode::GuardTrue
            } else {
                Opcode::GuardFalse
            };
            self.guard(opcode, &[cond.val], Descr::None, pc);
            self.decided(cond, holds);
        }
        self.goto(if holds { Pc(pc.0 + 1) } else { target });
    }

    /// A guard has shown whether a value is 0: replaces it if that makes it a constant.
    fn decided(&mut self, known: TracedValue, holds: bool) {
        if let (Some(cache), Some(value)) = (&mut self.cache, known.val.as_ref())
            && let Some(constant) = cache.decided(value, holds)
        {
            self.replace(value, Arg::Const(constant));
        }
    }

    fn switch(&mut self, code: &JitCode, value: Opnd, table: u16, pc: Pc) {
        let table = &code.switches[usize::from(table)];
        let known = self.operand(code, value);
        let number = known.word as i64;
        if table.names(number) {
            self.promote(known, pc);
        } else if !known.is_const() {
            self.guard_no_case(known, table.cases.iter().map(|case| case.0), pc);
        }
        self.goto(table.lookup(number));
    }

    /// Guards that a value is none of the cases.
    fn guard_no_case(&mut self, known: TracedValue, cases: impl Iterator<Item = i64>, pc: Pc) {
        let snapshot = self.snapshot(pc);
        for case in cases {
            let args = [known.val, Arg::int(case)];
            let equal = self.record(
                Opcode::Data(DataOp::IntEq),
                &args,
                Descr::None,
                Some(Ty::Int),
                0,
            );
            self.guard_at(Opcode::GuardFalse, &[equal.val], Descr::None, snapshot);
        }
    }

    fn class_switch(
        &mut self,
        code: &JitCode,
        value: Opnd,
        table: u16,
        pc: Pc,
    ) -> Result<(), Halt> {
        let known = self.operand(code, value);
        // SAFETY: the operand of a class switch is an object.
        let word = unsafe { class_word_of(known.word) };
        let (class, target) = class_case(self.unit, &code.switches[usize::from(table)], word);
        let Some(class) = class else {
            return Err(Halt::Abort(AbortReason::ClassNotInEnum));
        };
        if let Arg::Ref(object) = known.val {
            let cache = self.cache.as_mut();
            if !cache.is_some_and(|cache| cache.shows_class(object, class)) {
                self.guard(Opcode::GuardClass, &[known.val], class.into(), pc);
            }
        }
        self.goto(target);
        Ok(())
    }
}
