//! Calls and returns. In: a call instruction. Out: a frame of the callee, for functions with
//! jitcode; a residual `call` with its guard for others, and for what a call of the portal has left
//! at its first merge point. Invariant: a residual call is never executed twice: its guard goes on
//! behind it.

use crate::limits::LeaveReason;
use crate::sabotage::Sabotage;
use crate::specialiser::Specialiser;
use crate::state::path::Path;
use crate::step::flow::{Flow, PathEnd};
use crate::threaded::Decoder;
use crate::threaded::Sourced;
use smallvec::SmallVec;
use std::ops::ControlFlow;
use verdigris_jitcode::{CallTarget, CodeId, Insn, JitCode, Opnd, Pc, Reg};
use verdigris_ops::{FnId, FnKind, Ty};
use verdigris_trace::{Arg, Const, Descr, Opcode, ValRef};

impl Specialiser<'_> {
    /// A call.
    pub fn call(
        &mut self,
        mut way: Path,
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
            FnKind::Recorded => {
                return ControlFlow::Break(PathEnd::Leave(way, LeaveReason::Recorded));
            }
            _ => {}
        }
        if self.decode_call(&mut way, code, callee, args, dsts) {
            return ControlFlow::Continue(way);
        }
        let args = args.iter().map(|&arg| way.residual_operand(code, arg));
        let args: SmallVec<[Arg; 8]> = args.collect();
        self.residual(&mut way, callee, &args, dsts);
        ControlFlow::Continue(way)
    }

    /// A call of an elidable function of values that differ from place to place, made while
    /// decoding. False if it is none.
    fn decode_call(
        &mut self,
        way: &mut Path,
        code: &JitCode,
        callee: FnId,
        args: &[Opnd],
        dsts: &[Reg],
    ) -> bool {
        let info = &self.unit.descrs.fns[callee];
        if self.threading.is_none()
            || info.kind != FnKind::Elidable
            || info.ret.contains(&Ty::Word)
            || info.params.contains(&Ty::Word)
        {
            return false;
        }
        let values = args.iter().map(|&arg| way.sourced_operand(code, arg));
        let values: SmallVec<[Sourced; 4]> = values.collect();
        let (Some(inputs), Some(holes)) = (way.inputs(&values), &way.holes) else {
            return false;
        };
        let words = values
            .iter()
            .filter_map(|v| Some(v.value.as_const()?.word()));
        let words: Vec<u64> = words.collect();
        let Some(results) = self.builder.call(callee, &words) else {
            return false;
        };
        let first = holes.decoder.borrow_mut().call(callee, &inputs, &info.ret);
        for (n, ((&dst, word), &ty)) in dsts.iter().zip(results).zip(&info.ret).enumerate() {
            let source = Decoder::behind(first, n);
            way.top().set_from(dst, Const::new(ty, word), source);
        }
        way.next();
        true
    }

    /// Goes on in the callee.
    fn inline(&mut self, mut way: Path, code: &JitCode, callee: CodeId, args: &[Opnd]) -> Flow {
        if way.frames.len() >= self.limits.depth {
            return ControlFlow::Break(PathEnd::Leave(way, LeaveReason::Limit));
        }
        let values = args.iter().map(|&arg| way.sourced_operand(code, arg));
        let mut values: SmallVec<[Sourced; 8]> = values.collect();
        let is_int = |sourced: &Sourced| way.section.trace.ty(sourced.value) == Ty::Int;
        if Sabotage::SwapArguments.is_on()
            && let [.., a, b] = &mut values[..]
            && is_int(a)
            && is_int(b)
        {
            std::mem::swap(a, b);
        }
        way.push_frame(self.unit, callee);
        for (&param, value) in self.unit.codes[callee].params.iter().zip(values) {
            way.set_sourced(param, value);
        }
        ControlFlow::Continue(way)
    }

    /// A call that stays one; the way goes on behind it.
    fn residual(&mut self, way: &mut Path, callee: FnId, args: &[Arg], dsts: &[Reg]) {
        let info = &self.unit.descrs.fns[callee];
        // Nothing may stand between a call and its guard.
        way.fill_holes(self.unit, Pc(way.pc().0 + 1));
        let results = way.section.trace.push_call(callee, args, &info.ret);
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
        let trace = &mut way.section.trace;
        trace.push_guard(Opcode::GuardNoPanic, &[], Descr::None, snapshot);
        let may = info.effects.may_invalidate(&self.unit.descrs, &self.quasi);
        if may && !Sabotage::ForgetInvalidation.is_on() {
            trace.push_guard(Opcode::GuardNotInvalidated, &[], Descr::None, snapshot);
        }
    }

    /// Leaves what remains of an inner activation of the portal to the runner, or to threaded code
    /// that goes on at this record.
    pub fn run_rest(
        &mut self,
        mut way: Path,
        greens: &[Reg],
        record: Option<Arg>,
        reds: &[Reg],
    ) -> Flow {
        let runner = match (record, self.threading) {
            (Some(_), Some(threading)) => Some(threading.run),
            _ => self.unit.runner(),
        };
        let runner = runner.expect("a portal without a runner is not inlined");
        let mut args: SmallVec<[Arg; 8]> = SmallVec::new();
        for &reg in greens {
            let sourced = way.sourced(reg);
            args.push(way.residual_of(sourced));
        }
        args.extend(record);
        for &reg in reds {
            let sourced = way.sourced(reg);
            args.push(way.residual_of(sourced));
        }
        self.pop_frame(&mut way);
        let code = way.code(self.unit);
        let Insn::Call { dsts, .. } = &code.insns[way.pc().0 as usize] else {
            unreachable!("a frame is suspended at its call");
        };
        self.residual(&mut way, runner, &args, dsts);
        ControlFlow::Continue(way)
    }

    /// A return.
    pub fn ret(&mut self, mut way: Path, code: &JitCode, values: &[Opnd]) -> Flow {
        let values = values.iter().map(|&v| way.sourced_operand(code, v));
        let values: SmallVec<[Sourced; 4]> = values.collect();
        if way.frames.len() == 1 {
            let values = values.iter().map(|&value| way.residual_of(value));
            let values: SmallVec<[Arg; 4]> = values.collect();
            if self.advance(&mut way).is_err() {
                return ControlFlow::Break(PathEnd::Dead(way));
            }
            way.section.trace.push(Opcode::Finish, &values, Descr::None);
            self.builder.finish(*way.section);
            return ControlFlow::Break(PathEnd::Done);
        }
        self.pop_frame(&mut way);
        let code = way.code(self.unit);
        if let Insn::Call { dsts, .. } = &code.insns[way.pc().0 as usize] {
            for (&dst, value) in dsts.iter().zip(values) {
                way.set_sourced(dst, value);
            }
        }
        way.next();
        ControlFlow::Continue(way)
    }

    fn pop_frame(&mut self, way: &mut Path) {
        // Another activation is another loop.
        let depth = way.frames.len();
        way.splits.retain(|split| split.0 < depth);
        // Where a loop closes is for its own activation to say.
        way.pending &= depth > 1 && way.top().code != self.unit.portal;
        way.frames.pop();
        way.top().suspended = None;
    }
}
