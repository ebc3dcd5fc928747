//! Calls and returns: functions with jitcode are inlined (the portal as [`super::portals`] says),
//! others become a residual `call` with its `guard_no_panic`.
//!
//! Invariant: when a residual call runs, the program's state is in the frames, and nothing is
//! borrowed from the engine: the callee may trace and compile on its own.

use crate::end::Halt;
use crate::state::recorder::Recorder;
use crate::state::value::TracedValue;
use smallvec::SmallVec;
use verdigris_heap::{Panicked, exec_call, result_word};
use verdigris_jitcode::{CallTarget, CodeId, JitCode, Opnd, Reg};
use verdigris_ops::{FnId, FnKind, Ty};
use verdigris_report::AbortReason;
use verdigris_resume::MAX_ARGS;
use verdigris_trace::{Arg, Descr, Opcode, ValRef};

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
            CallTarget::Fn(callee) => match self.inlined_portal(callee) {
                Some(portal) => {
                    self.inline(code, portal, args)?;
                    self.begin_activation();
                    Ok(())
                }
                None => self.residual(code, callee, args, dsts),
            },
        }
    }

    /// Continues in the callee.
    fn inline(&mut self, code: &JitCode, callee: CodeId, args: &[Opnd]) -> Result<(), Halt> {
        if self.frames.len() >= self.limits.depth_limit {
            return Err(Halt::Abort(AbortReason::TooDeep));
        }
        let unit = self.unit;
        let callee_code = &unit.codes[callee];
        let outer = self.base();
        if let Some(frame) = self.frame_values.last_mut() {
            frame.suspended = None;
        }
        self.frames.enter(unit, callee, args);
        self.push_frame_values(callee_code);
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
            let values: SmallVec<[TracedValue; 4]> =
                values.iter().map(|&v| self.operand(code, v)).collect();
            let args: SmallVec<[Arg; 4]> = values.iter().map(|v| v.val).collect();
            self.trace.push(Opcode::Finish, &args, Descr::None);
            return Err(self.finish_halt(&values, &code.ret));
        }
        // The callee's registers are gone once its frame is.
        let depth = self.frames.len() - 2;
        let base = self.frame_values[depth].base;
        let caller = &self.frames.frames()[depth];
        let dsts = self.unit.codes[caller.code].insns[caller.pc.0 as usize].dsts();
        for (&dst, &value) in dsts.iter().zip(values) {
            let TracedValue { word, val } = self.operand(code, value);
            self.frames.frame_mut(depth).set(dst, word);
            self.values[base + usize::from(dst.0)] = val;
        }
        self.end_activation();
        self.pop_frame();
        self.next();
        Ok(())
    }

    fn residual(
        &mut self,
        code: &JitCode,
        callee: FnId,
        args: &[Opnd],
        dsts: &[Reg],
    ) -> Result<(), Halt> {
        let info = &self.unit.descrs.fns[callee];
        let mut words = [0; MAX_ARGS];
        let mut vals = [Arg::NULL; MAX_ARGS];
        let mut are_constant = true;
        for (n, &arg) in args.iter().enumerate() {
            let known = self.operand(code, arg);
            words[n] = known.word;
            vals[n] = known.val;
            are_constant &= known.is_const() || self.is_constant_word(known.val);
            self.knowledge.escapes(known.word);
        }
        let results = self.execute_call(callee, &words[..args.len()])?;
        let fold = match info.kind {
            FnKind::Elidable => are_constant && !info.ret.is_empty(),
            FnKind::Recorded => true,
            _ => false,
        };
        let promises = matches!(info.kind, FnKind::Elidable | FnKind::Readonly);
        let check = self.limits.check_hints && promises && !info.ret.is_empty();
        // There are no constants that are words of values, so the call stays; the optimiser knows
        // what to do with its words.
        let is_recorded = !fold || check || info.ret.contains(&Ty::Word);
        let call = is_recorded.then(|| self.record_call(callee, &vals[..args.len()], &info.ret));
        let mut defined = call.into_iter().flatten().map(Arg::Ref);
        let mut checks: SmallVec<[(Arg, Arg); 4]> = SmallVec::new();
        for ((&dst, &word), &ty) in dsts.iter().zip(&results).zip(&info.ret) {
            let recorded = defined.next();
            let known = match recorded {
                Some(val) if !fold || ty == Ty::Word => TracedValue { word, val },
                _ => self.constant(ty, word),
            };
            if let (true, false, Ty::Word, Some(val)) = (fold, check, ty, known.val.as_ref()) {
                self.constant_words.insert(val, word);
                self.pins.add(word);
            }
            // Words depend on their tag, which is compared.
            let compared = recorded.filter(|_| ty != Ty::Word);
            checks.extend(compared.map(|val| (val, known.val)));
            self.set(dst, known);
        }
        self.next();
        if is_recorded {
            self.guard_behind_call(callee);
            if check {
                self.check_same(&checks);
            }
        }
        Ok(())
    }

    /// Records a residual call; gives the values of its results.
    pub fn record_call(
        &mut self,
        callee: FnId,
        args: &[Arg],
        ret: &[Ty],
    ) -> impl Iterator<Item = ValRef> + use<> {
        self.trace.push_call(callee, args, ret)
    }

    /// The words of the result. The collector does not see them: nothing is allocated before they
    /// are in registers.
    pub fn execute_call(
        &mut self,
        callee: FnId,
        words: &[u64],
    ) -> Result<SmallVec<[u64; 4]>, Halt> {
        let info = &self.unit.descrs.fns[callee];
        let mut result = Err(Panicked);
        // SAFETY: the unit is verified and linked (see `trace_loop`), and the words are the
        // arguments of this execution.
        let mut call = || result = unsafe { exec_call(self.ctx, info, words) };
        match info.kind {
            FnKind::Opaque | FnKind::Conditional | FnKind::Portal | FnKind::Runner => {
                self.targets.call_native(&mut call);
            }
            // They are over sooner than a clock is read.
            FnKind::Elidable | FnKind::Readonly | FnKind::Recorded => call(),
        }
        // Whether it will be recorded or not.
        if let Some(cache) = &mut self.cache {
            cache.suspected(&self.unit.descrs, &info.effects.suspects);
        }
        match result {
            // SAFETY: the call has just been made.
            Ok(first) => Ok((0..info.ret.len())
                .map(|n| unsafe { result_word(self.ctx, first, n) })
                .collect()),
            Err(Panicked) => {
                // SAFETY: the context is alive.
                let payload = unsafe { (*self.ctx).take_payload() };
                Err(Halt::Panicked(
                    payload.expect("a thunk keeps the payload it catches"),
                ))
            }
        }
    }

    fn finish_halt(&mut self, values: &[TracedValue], types: &[Ty]) -> Halt {
        for (value, &ty) in values.iter().zip(types) {
            self.keep_word(ty, value.word);
        }
        Halt::Finish(values.iter().map(|v| v.word).collect())
    }

    /// Keeps a reference or word that the end of the trace mentions alive.
    pub fn keep_word(&mut self, ty: Ty, word: u64) {
        if matches!(ty, Ty::Ref | Ty::Word) {
            self.pins.add(word);
        }
    }
}
