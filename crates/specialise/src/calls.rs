//! Calls and returns. In: a call instruction. Out: a frame of the callee, for functions with jitcode; a residual `call` with its guard
//! for others, and for what a call of the portal has left at its first merge point. Invariant: a residual call is never executed
//! twice: its guard goes on behind it.

use crate::sabotage::Sabotage;
use crate::step::{End, Flow};
use crate::way::Way;
use crate::{Specialiser, Why};
use smallvec::SmallVec;
use std::ops::ControlFlow;
use verdigris_jitcode::{CallTarget, CodeId, Insn, JitCode, Opnd, Reg};
use verdigris_ops::{FnId, FnKind, Ty};
use verdigris_trace::{Arg, Descr, Opcode, ValRef};

impl Specialiser<'_> {
    /// A call.
    pub fn call(
        &mut self,
        mut way: Way,
        code: &JitCode,
        target: CallTarget,
        args: &[Opnd],
        dsts: &[Reg],
    ) -> Flow {
        let callee = match target {
            CallTarget::Code(callee) => return self.inline(way, code, callee, args),
            CallTarget::Fn(callee) => callee,
        };
        match self.unit.descrs.fns[callee].kind {
            FnKind::Portal if self.unit.runner().is_some() => {
                return self.inline(way, code, self.unit.portal, args);
            }
            FnKind::Recorded => return ControlFlow::Break(End::Leave(way, Why::Recorded)),
            _ => {}
        }
        let args: SmallVec<[Arg; 8]> = args.iter().map(|&arg| way.operand(code, arg)).collect();
        self.residual(&mut way, callee, &args, dsts);
        ControlFlow::Continue(way)
    }

    /// Goes on in the callee.
    fn inline(&mut self, mut way: Way, code: &JitCode, callee: CodeId, args: &[Opnd]) -> Flow {
        if way.frames.len() >= self.limits.depth {
            return ControlFlow::Break(End::Leave(way, Why::Limit));
        }
        let values = args.iter().map(|&arg| way.operand(code, arg));
        let mut values: SmallVec<[Arg; 8]> = values.collect();
        let is_int = |value: &Arg| way.strand.trace.ty(*value) == Ty::Int;
        if Sabotage::SwapArguments.is_on()
            && let [.., a, b] = &mut values[..]
            && is_int(a)
            && is_int(b)
        {
            std::mem::swap(a, b);
        }
        way.push_frame(self.unit, callee);
        for (&param, value) in self.unit.codes[callee].params.iter().zip(values) {
            way.set(param, value);
        }
        ControlFlow::Continue(way)
    }

    /// A call that stays one; the way goes on behind it.
    fn residual(&mut self, way: &mut Way, callee: FnId, args: &[Arg], dsts: &[Reg]) {
        let info = &self.unit.descrs.fns[callee];
        let results = way.strand.trace.push_call(callee, args, &info.ret);
        let results = dsts.iter().copied().zip(results);
        let results: SmallVec<[(Reg, ValRef); 4]> = results.collect();
        if !Sabotage::LateResult.is_on() {
            way.set_all(&results);
        }
        if !Sabotage::CallTwice.is_on() {
            way.next();
        }
        let behind = way.pc();
        let snapshot = way.snapshot(self.unit, behind);
        if Sabotage::LateResult.is_on() {
            way.set_all(&results);
        }
        if Sabotage::CallTwice.is_on() {
            way.next();
        }
        let trace = &mut way.strand.trace;
        trace.push_guard(Opcode::GuardNoPanic, &[], Descr::None, snapshot);
        let may = info.effects.may_invalidate(&self.unit.descrs, &self.quasi);
        if may && !Sabotage::ForgetInvalidation.is_on() {
            trace.push_guard(Opcode::GuardNotInvalidated, &[], Descr::None, snapshot);
        }
    }

    /// Leaves what remains of an inner activation of the portal to the runner.
    pub fn run_rest(&mut self, mut way: Way, greens: &[Reg], reds: &[Reg]) -> Flow {
        let runner = self.unit.runner();
        let runner = runner.expect("a portal without a runner is not inlined");
        let args: SmallVec<[Arg; 8]> = (greens.iter().chain(reds)).map(|&r| way.reg(r)).collect();
        self.pop_frame(&mut way);
        let code = way.code(self.unit);
        let Insn::Call { dsts, .. } = &code.insns[way.pc().0 as usize] else {
            unreachable!("a frame is suspended at its call");
        };
        self.residual(&mut way, runner, &args, dsts);
        ControlFlow::Continue(way)
    }

    /// A return.
    pub fn ret(&mut self, mut way: Way, code: &JitCode, values: &[Opnd]) -> Flow {
        let values: SmallVec<[Arg; 4]> = values.iter().map(|&v| way.operand(code, v)).collect();
        if way.frames.len() == 1 {
            if self.advance(&mut way).is_err() {
                return ControlFlow::Break(End::Dead(way));
            }
            way.strand.trace.push(Opcode::Finish, &values, Descr::None);
            self.draft.finish(*way.strand);
            return ControlFlow::Break(End::Done);
        }
        self.pop_frame(&mut way);
        let code = way.code(self.unit);
        if let Insn::Call { dsts, .. } = &code.insns[way.pc().0 as usize] {
            for (&dst, value) in dsts.iter().zip(values) {
                way.set(dst, value);
            }
        }
        way.next();
        ControlFlow::Continue(way)
    }

    fn pop_frame(&mut self, way: &mut Way) {
        // Another activation is another loop.
        let depth = way.frames.len();
        way.splits.retain(|split| split.0 < depth);
        // Where a loop closes is for its own activation to say.
        way.pending &= depth > 1 && way.top().code != self.unit.portal;
        way.frames.pop();
        way.top().suspended = None;
    }
}
