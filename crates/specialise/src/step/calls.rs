//! Calls and returns: functions with jitcode are inlined, others become a residual `call` with its
//! guard, as does the rest of a portal activation that does not stay inlined.
//!
//! The guard of a residual call resumes behind it, so a call is never executed twice.

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
        mut path: Path,
        code: &JitCode,
        target: CallTarget,
        args: &[Opnd],
        dsts: &[Reg],
    ) -> Flow {
        let callee = match target {
            CallTarget::Code(callee) => return self.inline(path, code, callee, args),
            CallTarget::Fn(callee) => callee,
        };
        match self.unit.descrs.fns[callee].kind {
            FnKind::Portal if self.unit.runner().is_some() => {
                return self.inline(path, code, self.unit.portal, args);
            }
            FnKind::Recorded => {
                return ControlFlow::Break(PathEnd::Leave(path, LeaveReason::Recorded));
            }
            _ => {}
        }
        if self.decode_call(&mut path, code, callee, args, dsts) {
            return ControlFlow::Continue(path);
        }
        let args = args.iter().map(|&arg| path.residual_operand(code, arg));
        let args: SmallVec<[Arg; 8]> = args.collect();
        self.residual(&mut path, callee, &args, dsts);
        ControlFlow::Continue(path)
    }

    /// Moves a call of an elidable function on position-dependent values into the decoder. Returns
    /// whether it did.
    fn decode_call(
        &mut self,
        path: &mut Path,
        code: &JitCode,
        callee: FnId,
        args: &[Opnd],
        dsts: &[Reg],
    ) -> bool {
        let info = &self.unit.descrs.fns[callee];
        if self.stencil.is_none()
            || info.kind != FnKind::Elidable
            || info.ret.contains(&Ty::Word)
            || info.params.contains(&Ty::Word)
        {
            return false;
        }
        let values = args.iter().map(|&arg| path.sourced_operand(code, arg));
        let values: SmallVec<[Sourced; 4]> = values.collect();
        let (Some(inputs), Some(holes)) = (path.inputs(&values), &path.holes) else {
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
            path.top().set_from(dst, Const::new(ty, word), source);
        }
        path.next();
        true
    }

    /// Continues in the callee.
    fn inline(&mut self, mut path: Path, code: &JitCode, callee: CodeId, args: &[Opnd]) -> Flow {
        if path.frames.len() >= self.limits.frames {
            return ControlFlow::Break(PathEnd::Leave(path, LeaveReason::Limit));
        }
        let values = args.iter().map(|&arg| path.sourced_operand(code, arg));
        let mut values: SmallVec<[Sourced; 8]> = values.collect();
        let is_int = |sourced: &Sourced| path.section.trace.ty(sourced.value) == Ty::Int;
        if Sabotage::SwapArguments.is_on()
            && let [.., a, b] = &mut values[..]
            && is_int(a)
            && is_int(b)
        {
            std::mem::swap(a, b);
        }
        path.push_frame(self.unit, callee);
        for (&param, value) in self.unit.codes[callee].params.iter().zip(values) {
            path.set_sourced(param, value);
        }
        ControlFlow::Continue(path)
    }

    /// A residual call; the path continues behind it.
    fn residual(&mut self, path: &mut Path, callee: FnId, args: &[Arg], dsts: &[Reg]) {
        let info = &self.unit.descrs.fns[callee];
        // Nothing may stand between a call and its guard.
        path.fill_holes(self.unit, Pc(path.pc().0 + 1));
        let results = path.section.trace.push_call(callee, args, &info.ret);
        let results = dsts.iter().copied().zip(results);
        let results: SmallVec<[(Reg, ValRef); 4]> = results.collect();
        if !Sabotage::LateResult.is_on() {
            path.set_all(&results);
        }
        if !Sabotage::CallTwice.is_on() {
            path.next();
        }
        let behind = path.pc();
        let snapshot = path.snapshot(self.unit, behind);
        if Sabotage::LateResult.is_on() {
            path.set_all(&results);
        }
        if Sabotage::CallTwice.is_on() {
            path.next();
        }
        let trace = &mut path.section.trace;
        trace.push_guard(Opcode::GuardNoPanic, &[], Descr::None, snapshot);
        let may = info.effects.may_invalidate(&self.unit.descrs, &self.quasi);
        if may && !Sabotage::ForgetInvalidation.is_on() {
            trace.push_guard(Opcode::GuardNotInvalidated, &[], Descr::None, snapshot);
        }
    }

    /// Leaves the rest of an inner activation of the portal to the runner, or to threaded code at
    /// this record.
    pub fn run_rest(
        &mut self,
        mut path: Path,
        greens: &[Reg],
        record: Option<Arg>,
        reds: &[Reg],
    ) -> Flow {
        let runner = match (record, self.stencil) {
            (Some(_), Some(stencil)) => Some(stencil.run),
            _ => self.unit.runner(),
        };
        let runner = runner.expect("a portal without a runner is not inlined");
        let mut args: SmallVec<[Arg; 8]> = SmallVec::new();
        for &reg in greens {
            let sourced = path.sourced(reg);
            args.push(path.residual_of(sourced));
        }
        args.extend(record);
        for &reg in reds {
            let sourced = path.sourced(reg);
            args.push(path.residual_of(sourced));
        }
        self.pop_frame(&mut path);
        let code = path.code(self.unit);
        let Insn::Call { dsts, .. } = &code.insns[path.pc().0 as usize] else {
            unreachable!("a frame is suspended at its call");
        };
        self.residual(&mut path, runner, &args, dsts);
        ControlFlow::Continue(path)
    }

    /// A return.
    pub fn ret(&mut self, mut path: Path, code: &JitCode, values: &[Opnd]) -> Flow {
        let values = values.iter().map(|&v| path.sourced_operand(code, v));
        let values: SmallVec<[Sourced; 4]> = values.collect();
        if path.frames.len() == 1 {
            let values = values.iter().map(|&value| path.residual_of(value));
            let values: SmallVec<[Arg; 4]> = values.collect();
            if self.advance(&mut path).is_err() {
                return ControlFlow::Break(PathEnd::Dead(path));
            }
            path.section
                .trace
                .push(Opcode::Finish, &values, Descr::None);
            self.builder.finish(*path.section);
            return ControlFlow::Break(PathEnd::Done);
        }
        self.pop_frame(&mut path);
        let code = path.code(self.unit);
        if let Insn::Call { dsts, .. } = &code.insns[path.pc().0 as usize] {
            for (&dst, value) in dsts.iter().zip(values) {
                path.set_sourced(dst, value);
            }
        }
        path.next();
        ControlFlow::Continue(path)
    }

    fn pop_frame(&mut self, path: &mut Path) {
        // Another activation is another loop.
        let depth = path.frames.len();
        path.splits.retain(|split| split.0 < depth);
        // Where a loop closes is for its own activation to say.
        path.pending &= depth > 1 && path.top().code != self.unit.portal;
        path.frames.pop();
        path.top().suspended = None;
    }
}
