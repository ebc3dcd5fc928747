//! Merge points and loop headers.
//!
//! Behind a header the trace knows nothing that it learned before: greens are constants, and every
//! red is a value of its own. So the trace can be cut there if the header is met again. If it is
//! not, [`finish`](crate::finish) renames the new values to the old ones.

use crate::end::Halt;
use crate::state::headers::{Arrival, Header};
use crate::state::recorder::Recorder;
use crate::state::value::TracedValue;
use smallvec::SmallVec;
use verdigris_jitcode::{JitCode, Pc, Reg};
use verdigris_report::AbortReason;
use verdigris_trace::{Arg, Descr, Opcode, TargetId};

/// An inlined call that takes more than this part of a trace is better called.
const LARGE: usize = 4;

impl Recorder<'_> {
    /// Executes a merge point.
    pub fn merge_point(
        &mut self,
        code: &JitCode,
        greens: &[Reg],
        reds: &[Reg],
        pc: Pc,
    ) -> Result<(), Halt> {
        for &reg in greens {
            let known = self.reg(reg);
            let constant = self.promote(known, pc);
            self.set(reg, constant);
        }
        let is_inner = self.frames.len() > 1;
        if is_inner && !self.inner_merge_point(greens, reds)? {
            return Ok(());
        }
        let arrival = match is_inner {
            true => Arrival::Passing,
            false => self.headers.arrive(),
        };
        match arrival {
            Arrival::Header => self.header(code, greens, reds)?,
            Arrival::Passing if !is_inner => self.join_segment(code, greens, reds)?,
            Arrival::Passing | Arrival::Start => (),
        }
        if !is_inner && self.limits.cut_traces && self.length() > self.limits.trace_limit {
            return Err(self.cut(code, greens, reds, pc));
        }
        if self.limits.interruptible && !matches!(arrival, Arrival::Passing) {
            self.guard(Opcode::GuardNoSignal, &[], Descr::None, pc);
        }
        self.push_with(Opcode::MergePoint, Descr::None, greens);
        self.next();
        Ok(())
    }

    /// Ends a trace that is too long in front of this merge point of the outermost portal. If that
    /// is because of an inlined call, it is given up: without that call it may fit.
    fn cut(&mut self, code: &JitCode, greens: &[Reg], reds: &[Reg], pc: Pc) -> Halt {
        let largest = self.portals.largest.as_ref();
        if largest.is_some_and(|(size, _)| *size > self.limits.trace_limit / LARGE) {
            return Halt::Abort(AbortReason::TraceTooLong);
        }
        self.ask_for_exhaustion();
        self.guard(Opcode::Leave, &[], Descr::None, pc);
        let words = self.words(greens);
        let state = self.state(code, words, reds);
        Halt::Cut { state }
    }

    /// Jumps to the code behind the end of a trace that was cut here. So the rest of a long loop is
    /// compiled once, and not once for each bridge that leads there.
    fn join_segment(&mut self, code: &JitCode, greens: &[Reg], reds: &[Reg]) -> Result<(), Halt> {
        if !self.limits.cut_traces {
            return Ok(());
        }
        let words = self.words(greens);
        match self.targets.segment(&words) {
            Some(target) => Err(self.jump(target, code, words, reds)),
            None => Ok(()),
        }
    }

    fn words(&self, regs: &[Reg]) -> Vec<u64> {
        regs.iter().map(|&reg| self.reg(reg).word).collect()
    }

    fn jump(&mut self, to: TargetId, code: &JitCode, greens: Vec<u64>, reds: &[Reg]) -> Halt {
        self.ask_for_exhaustion();
        let snapshot = self.snapshot(self.frames.top().pc);
        self.push_with(Opcode::Jump, to.into(), reds);
        self.trace.exits.arrival = Some(snapshot);
        let state = self.state(code, greens, reds);
        Halt::Jump { target: to, state }
    }

    /// Closes a loop, if this header has been met before or is compiled; else remembers it, if it
    /// may be traced at all.
    fn header(&mut self, code: &JitCode, greens: &[Reg], reds: &[Reg]) -> Result<(), Halt> {
        let words = self.words(greens);
        if self.headers.start.as_ref() == Some(&words) {
            self.ask_for_exhaustion();
            return Err(self.close(code, words, reds, None));
        }
        if let Some(n) = self.headers.met.iter().position(|h| h.greens == words) {
            if self.targets.blocked(&words) {
                return Ok(());
            }
            self.ask_for_exhaustion();
            return Err(self.close(code, words, reds, Some(n)));
        }
        if let Some(target) = self.targets.lookup(&words) {
            return Err(self.jump(target, code, words, reds));
        }
        if !self.targets.traces(&words) {
            return Err(Halt::Abort(AbortReason::NotToBeTraced));
        }
        self.meet(code, words, reds);
        Ok(())
    }

    /// Guards against heap exhaustion at the end of a trace that makes objects, where the guest
    /// program's state is known. So every way around a loop that makes objects has such a guard.
    fn ask_for_exhaustion(&mut self) {
        if self.allocates {
            let pc = self.frames.top().pc;
            self.guard(Opcode::GuardNotExhausted, &[], Descr::None, pc);
        }
    }

    fn close(
        &mut self,
        code: &JitCode,
        greens: Vec<u64>,
        reds: &[Reg],
        header: Option<usize>,
    ) -> Halt {
        self.push_with(Opcode::Close, Descr::None, reds);
        let state = self.state(code, greens, reds);
        Halt::Close { state, header }
    }

    /// Records an operation on registers.
    fn push_with(&mut self, opcode: Opcode, descr: Descr, regs: &[Reg]) {
        let mut args: SmallVec<[Arg; 8]> = SmallVec::new();
        for &reg in regs {
            args.push(self.reg(reg).val);
        }
        self.trace.push(opcode, &args, descr);
    }

    /// The words of the greens and reds; the objects among them stay alive.
    fn state(&mut self, code: &JitCode, greens: Vec<u64>, reds: &[Reg]) -> Vec<u64> {
        // The greens are constants and so kept already.
        let mut state = greens;
        for &reg in reds {
            let word = self.reg(reg).word;
            self.keep_word(code.regs[usize::from(reg.0)], word);
            state.push(word);
        }
        state
    }

    /// Remembers a header, and gives every red a value of its own.
    fn meet(&mut self, code: &JitCode, greens: Vec<u64>, reds: &[Reg]) {
        if let Some(cache) = &mut self.cache {
            cache.clear();
        }
        let mut header = Header {
            greens,
            reds: Vec::with_capacity(reds.len()),
            ops: self.trace.ops().len(),
            snapshots: self.trace.exits.len(),
            values: self.trace.types.len(),
        };
        for &reg in reds {
            let old = self.reg(reg);
            let value = self.trace.value(code.regs[usize::from(reg.0)]);
            self.headers.renamed.push((value, old.val));
            header.reds.push(value);
            self.set(
                reg,
                TracedValue {
                    word: old.word,
                    val: Arg::Ref(value),
                },
            );
        }
        self.headers.met.push(header);
    }
}
