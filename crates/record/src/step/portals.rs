//! Calls of the portal by itself: the calls of the guest program.
//!
//! An activation is inlined from its call on. At its first merge point, where its greens are known,
//! the engine decides whether it stays inlined; if not, the trace calls the runner, which does the
//! rest of the activation. A loop inside ends the inlining: it is better compiled alone. Only the
//! outermost portal closes loops.
//!
//! Source: RPython's `opimpl_recursive_call` and `opimpl_jit_merge_point`.

use crate::end::Halt;
use crate::state::frame::{Activation, FrameValues};
use crate::state::recorder::Recorder;
use crate::state::value::TracedValue;
use smallvec::SmallVec;
use verdigris_jitcode::{CodeId, Insn, Reg};
use verdigris_ops::{FnId, FnKind};
use verdigris_resume::MAX_ARGS;
use verdigris_trace::{Arg, Descr, Opcode};

impl Recorder<'_> {
    /// The portal's jitcode, if a call of this function can be inlined as an activation of it.
    pub fn inlined_portal(&self, callee: FnId) -> Option<CodeId> {
        let info = &self.unit.descrs.fns[callee];
        let room = self.frames.len() < self.limits.depth_limit;
        let inlined = info.kind == FnKind::Portal && self.portals.runner.is_some() && room;
        inlined.then_some(self.unit.portal)
    }

    /// The frame that has just been pushed is an activation of the portal.
    pub fn begin_activation(&mut self) {
        let start = self.trace.ops().len();
        if let Some(frame) = self.frame_values.last_mut() {
            frame.activation = Some(Activation {
                greens: None,
                start,
                passed: Vec::new(),
                unrolled: false,
            });
        }
    }

    /// The frames have been rebuilt at a guard: marks those of inner portals.
    pub fn resume_activations(&mut self) {
        let portal = self.unit.portal;
        let frames = self.frames.frames().iter().skip(1);
        for (values, frame) in self.frame_values.iter_mut().skip(1).zip(frames) {
            values.activation = (frame.code == portal).then(Activation::resumed);
        }
    }

    /// The innermost frame is left: remembers the largest activation.
    pub fn end_activation(&mut self) {
        let now = self.trace.ops().len();
        let frame = self.frame_values.last_mut();
        if let Some(activation) = frame.and_then(|frame| frame.activation.take()) {
            self.portals.measure(activation, now);
        }
    }

    /// The greens of the largest inlined activation.
    pub fn culprit(&mut self) -> Option<Vec<u64>> {
        let now = self.trace.ops().len();
        for frame in &mut self.frame_values {
            if let Some(activation) = frame.activation.take() {
                self.portals.measure(activation, now);
            }
        }
        self.portals.largest.take().map(|(_, greens)| greens)
    }

    /// Executes the merge point of an inner portal, whose greens are constants by now. Returns
    /// whether it stays inlined; if not, it has returned.
    pub fn inner_merge_point(&mut self, greens: &[Reg], reds: &[Reg]) -> Result<bool, Halt> {
        let words: Vec<u64> = greens.iter().map(|&reg| self.reg(reg).word).collect();
        let marked = std::mem::take(&mut self.headers.pending);
        if self.stays_inlined(&words, marked)? {
            return Ok(true);
        }
        self.run_rest(greens, reds).map(|()| false)
    }

    fn stays_inlined(&mut self, words: &[u64], marked: bool) -> Result<bool, Halt> {
        let always = self.headers.always;
        let depth = self.depth_of(words);
        let policies = self.unit.descrs.policies;
        let activation = self.activation();
        let back = always && activation.passed.iter().any(|greens| greens == words);
        if always {
            activation.passed.push(words.to_vec());
        }
        if activation.greens.is_none() {
            activation.greens = Some(words.to_vec());
            let never = self.decide(policies.can_never_inline, words)?;
            let may = self.limits.inline && !never;
            return Ok(may && self.targets.inlines(words, depth));
        }
        if !marked && !back {
            return Ok(true);
        }
        let first = !std::mem::replace(&mut activation.unrolled, true);
        Ok(first && self.decide(policies.should_unroll_one_iteration, words)?)
    }

    /// The innermost frame's.
    fn activation(&mut self) -> &mut Activation {
        let innermost = self.frame_values.last_mut().map(|l| l.activation.as_mut());
        innermost
            .flatten()
            .expect("an inner portal has an activation")
    }

    /// Calls a policy of the interpreter for these greens, outside the trace; false without one.
    fn decide(&mut self, policy: Option<FnId>, words: &[u64]) -> Result<bool, Halt> {
        match policy {
            Some(policy) => {
                let yes = self.execute_call(policy, words)?[0] != 0;
                if let Some(cache) = &mut self.cache {
                    cache.written(&self.unit.descrs.fns[policy].effects.writes);
                }
                Ok(yes)
            }
            None => Ok(false),
        }
    }

    /// How many activations that began with these greens are being inlined.
    fn depth_of(&self, words: &[u64]) -> usize {
        let begun = |frame: &&FrameValues| match &frame.activation {
            Some(activation) => activation.greens.as_deref() == Some(words),
            None => false,
        };
        self.frame_values.iter().filter(begun).count()
    }

    /// Leaves the rest of the innermost activation to the runner.
    pub fn run_rest(&mut self, greens: &[Reg], reds: &[Reg]) -> Result<(), Halt> {
        let runner = self.portals.runner.expect("an inner portal has a runner");
        let mut words = [0; MAX_ARGS];
        let mut vals: SmallVec<[Arg; 8]> = SmallVec::new();
        for (word, &reg) in words.iter_mut().zip(greens.iter().chain(reds)) {
            let known = self.reg(reg);
            self.knowledge.escapes(known.word);
            *word = known.word;
            vals.push(known.val);
        }
        self.end_activation();
        self.pop_frame();
        let results = self.execute_call(runner, &words[..vals.len()])?;
        let code = self.code();
        let pc = self.frames.top().pc.0 as usize;
        let Insn::Call { dsts, .. } = &code.insns[pc] else {
            unreachable!("a frame is suspended at its call");
        };
        let ret = &self.unit.descrs.fns[runner].ret;
        let values = self.record_call(runner, &vals, ret);
        for ((&dst, &word), value) in dsts.iter().zip(&results).zip(values) {
            let val = Arg::Ref(value);
            self.set(dst, TracedValue { word, val });
        }
        self.next();
        self.guard_behind_call(runner);
        Ok(())
    }

    /// The guard behind a residual call. Its state is the one behind the call, with the result: a
    /// call is never executed twice.
    pub fn guard_behind_call(&mut self, callee: FnId) {
        let behind = self.snapshot(self.frames.top().pc);
        self.guard_at(Opcode::GuardNoPanic, &[], Descr::None, behind);
        let unit = self.unit;
        let effects = &unit.descrs.fns[callee].effects;
        if let Some(cache) = &mut self.cache {
            cache.written(&effects.writes);
        }
        if effects.may_invalidate(&unit.descrs, &self.quasi) {
            self.guard_at(Opcode::GuardNotInvalidated, &[], Descr::None, behind);
        }
    }
}
