//! Calls and returns. In: a call instruction. Out: a frame of the callee (functions with jitcode are inlined), or a residual
//! `call` with its `guard_no_panic`. Invariant: when a residual call runs, the program's state is in the frames, and
//! nothing is borrowed from the engine: the callee may trace and compile on its own.

use crate::end::AbortReason;
use crate::state::{Known, Recorder};
use crate::step::Halt;
use smallvec::SmallVec;
use verdigris_heap::{Panicked, exec_call};
use verdigris_jitcode::{CallTarget, CodeId, Insn, JitCode, Opnd, Reg};
use verdigris_ops::{FnId, FnKind};
use verdigris_resume::MAX_ARGS;
use verdigris_trace::{Op, Opcode, Val};

impl Recorder<'_> {
    /// Executes a call instruction.
    pub fn call(
        &mut self,
        code: &JitCode,
        target: CallTarget,
        args: &[Opnd],
        dsts: &[Reg],
    ) -> Result<(), Halt> {
        match target {
            CallTarget::Code(callee) => self.inline(code, callee, args),
            CallTarget::Fn(callee) => self.residual(code, callee, args, dsts.first().copied()),
        }
    }

    /// Goes on in the callee.
    fn inline(&mut self, code: &JitCode, callee: CodeId, args: &[Opnd]) -> Result<(), Halt> {
        if self.frames.len() >= self.limits.depth_limit {
            return Err(Halt::Abort(AbortReason::TooDeep));
        }
        let unit = self.unit;
        let callee_code = &unit.codes[callee];
        let outer = self.base();
        if let Some(level) = self.levels.last_mut() {
            level.suspended = None;
        }
        self.frames.enter(unit, callee, args);
        self.push_level(callee_code);
        let base = self.base();
        for (param, &arg) in callee_code.params.iter().zip(args) {
            self.values[base + usize::from(param.0)] = match arg {
                Opnd::Reg(reg) => self.values[outer + usize::from(reg.0)],
                Opnd::Const(_) => self.operand(code, arg).val,
            };
        }
        Ok(())
    }

    /// Executes a return instruction.
    pub fn leave(&mut self, code: &JitCode, values: &[Opnd]) -> Result<(), Halt> {
        if self.frames.len() == 1 {
            let value = values.first().map(|&opnd| self.operand(code, opnd));
            let args: &[Val] = value.as_ref().map_or(&[], |v| std::slice::from_ref(&v.val));
            self.trace.ops.push(Op::new(Opcode::Finish, args));
            return Err(self.finish_halt(value, code.ret.first().copied()));
        }
        // The callee's registers are gone once its frame is.
        let values: SmallVec<[Known; 4]> = values.iter().map(|&v| self.operand(code, v)).collect();
        self.pop_frame();
        let pc = self.frames.top().pc.0 as usize;
        if let Insn::Call { dsts, .. } = &self.code().insns[pc] {
            for (&dst, &value) in dsts.iter().zip(&values) {
                self.set(dst, value);
            }
        }
        self.next();
        Ok(())
    }

    fn residual(
        &mut self,
        code: &JitCode,
        callee: FnId,
        args: &[Opnd],
        dst: Option<Reg>,
    ) -> Result<(), Halt> {
        let info = &self.unit.descrs.fns[callee];
        let mut words = [0; MAX_ARGS];
        let mut vals = [Val::NULL; MAX_ARGS];
        let mut constant = true;
        for (n, &arg) in args.iter().enumerate() {
            let known = self.operand(code, arg);
            words[n] = known.word;
            vals[n] = known.val;
            constant &= known.is_const();
            self.knowledge.escapes(known.word);
        }
        let word = self.execute_call(callee, &words[..args.len()])?;
        let fold = constant && info.kind == FnKind::Elidable;
        let known = match info.ret {
            Some(ty) if fold => self.constant(ty, word),
            ret => self.record(
                Opcode::Call,
                &vals[..args.len()],
                callee.as_u32(),
                ret,
                word,
            ),
        };
        if let Some(dst) = dst {
            self.set(dst, known);
        }
        self.next();
        if !fold {
            // The state behind the call, with its result: a call is never executed twice.
            let behind = self.frames.top().pc;
            self.guard(Opcode::GuardNoPanic, &[], 0, behind);
        }
        Ok(())
    }

    fn execute_call(&mut self, callee: FnId, words: &[u64]) -> Result<u64, Halt> {
        // SAFETY: the unit is verified and linked (see `trace_loop`), and the words are the arguments of this execution.
        let result = unsafe { exec_call(self.ctx, &self.unit.descrs.fns[callee], words) };
        result.map_err(|Panicked| {
            // SAFETY: the context is alive.
            let payload = unsafe { (*self.ctx).take_payload() };
            Halt::Panicked(payload.expect("a thunk keeps the payload it catches"))
        })
    }

    fn finish_halt(&mut self, value: Option<Known>, ty: Option<verdigris_ops::Ty>) -> Halt {
        match (value, ty) {
            (Some(value), Some(ty)) => {
                self.keep_word(ty, value.word);
                Halt::Finish(value.word)
            }
            _ => Halt::Finish(0),
        }
    }

    /// Keeps the object alive that the end of the trace mentions.
    pub fn keep_word(&mut self, ty: verdigris_ops::Ty, word: u64) {
        if ty == verdigris_ops::Ty::Ref {
            self.pins.add(word);
        }
    }
}
