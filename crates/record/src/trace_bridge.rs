//! The start of a trace at a guard that has failed.
//!
//! The trace first makes the objects and does the stores that the loop had delayed. Its inputs are
//! the guard's fail arguments, in order.

use crate::end::Halt;
use crate::end::{Recorded, Targets};
use crate::limits::TraceLimits;
use crate::state::headers::Headers;
use crate::state::recorder::Recorder;
use crate::state::value::TracedValue;
use verdigris_heap::{Context, HeapExhausted};
use verdigris_jitcode::{CodeId, Insn, Reg, Unit};
use verdigris_ops::{DataOp, Ty};
use verdigris_resume::{Scratch, push_frames};
use verdigris_trace::{Arg, Const, Descr, Resume, VirtualMaker, revive};

/// Traces from a guard that has failed.
///
/// # Safety
/// `ctx` is the current context and outlives the result. `unit` is verified and linked; `resume`
/// belongs to it, `fail_types` are the types of its fail arguments, and `exit` their values.
pub unsafe fn trace_bridge(
    ctx: *mut Context,
    unit: &Unit,
    resume: &Resume,
    fail_types: &[Ty],
    exit: &[u64],
    targets: &dyn Targets,
    limits: TraceLimits,
) -> Recorded {
    let headers = Headers::new(unit);
    // SAFETY: the caller's promise.
    let mut recorder = unsafe { Recorder::new(ctx, unit, targets, limits, headers) };
    for &ty in fail_types {
        let value = recorder.trace.value(ty);
        recorder.trace.inputs.push(value);
    }
    let halt = match recorder.enter_frames(resume, exit) {
        Ok(()) => match recorder.generalise() {
            Ok(()) => recorder.run(),
            Err(halt) => halt,
        },
        Err(HeapExhausted) => Halt::Lost,
    };
    recorder.finish(halt)
}

impl Recorder<'_> {
    /// Rebuilds the frames, recording each step.
    fn enter_frames(&mut self, resume: &Resume, exit: &[u64]) -> Result<(), HeapExhausted> {
        let unit = self.unit;
        push_frames(unit, resume, &mut self.frames);
        for frame in resume.frames.iter().rev() {
            self.push_frame_values(&unit.codes[CodeId::from_u32(frame.code)]);
        }
        let ctx = self.ctx;
        // SAFETY: `Recorder::new` was promised that the context stays; the scratch is dropped at
        // the end of this function.
        let exit = unsafe { Scratch::holding(ctx, &exit[..resume.fail_args.len()]) };
        // SAFETY: as above; it is given back before the exit buffer.
        let roots = unsafe { Scratch::new(ctx, resume.virtuals.len()) };
        let mut maker = Recording {
            recorder: self,
            roots,
            exit,
        };
        let revived = revive(&unit.descrs, resume, &mut maker, &[])?;
        for (depth, frame) in resume.frames.iter().rev().enumerate() {
            for &(reg, src) in frame.regs {
                let known = revived.value(&mut maker, src);
                let code = CodeId::from_u32(frame.code);
                let ty = unit.codes[code].regs[usize::from(reg)];
                let known = maker.as_type(known, ty);
                maker.recorder.set_outer(depth, Reg(reg), known);
            }
        }
        self.resume_activations();
        let pc = self.frames.top().pc.0 as usize;
        // A guard on a green has failed: wherever the guest program goes, a loop compiled there can
        // be jumped to.
        let is_merge_point = matches!(self.code().insns[pc], Insn::MergePoint { .. });
        self.headers.pending = is_merge_point && self.frames.len() == 1;
        self.begun = self.trace.ops().len();
        Ok(())
    }

    /// Leaves out the promotion that the bridge starts at, if it is to hold for any value. An
    /// inlined guest function whose code is not known becomes a call.
    fn generalise(&mut self) -> Result<(), Halt> {
        let code = self.code();
        let insn = &code.insns[self.frames.top().pc.0 as usize];
        match insn {
            Insn::Promote { dst, src } if self.limits.generalise => {
                let known = self.operand(code, *src);
                self.set(*dst, known);
                self.next();
                Ok(())
            }
            Insn::MergePoint { greens, reds }
                if self.limits.generalise && self.frames.len() > 1 =>
            {
                self.run_rest(greens, reds)
            }
            _ => Ok(()),
        }
    }

    /// Writes a register of the frame at a depth, counted from the outermost.
    fn set_outer(&mut self, depth: usize, reg: Reg, known: TracedValue) {
        self.frames.frame_mut(depth).set(reg, known.word);
        let base = self.frame_values[depth].base;
        self.values[base + usize::from(reg.0)] = known.val;
    }
}

/// Makes and stores, and records it.
struct Recording<'r, 'a> {
    recorder: &'r mut Recorder<'a>,
    /// The objects made so far.
    roots: Scratch,
    /// The values of the trace's inputs.
    exit: Scratch,
}

impl Recording<'_, '_> {
    fn data(
        &mut self,
        op: DataOp,
        args: &[TracedValue],
        descr: Descr,
    ) -> Result<TracedValue, HeapExhausted> {
        let mut words = [0; 3];
        let mut operands = [TracedValue::NULL; 3];
        for (n, (&known, &ty)) in args.iter().zip(op.params()).enumerate() {
            words[n] = known.word;
            operands[n] = self.as_type(known, ty);
        }
        let word = self
            .recorder
            .execute_beyond(op, &words[..args.len()], descr);
        let word = word.map_err(|_| HeapExhausted)?;
        let operands = &operands[..args.len()];
        Ok(self.recorder.record_data(op, operands, descr, word))
    }

    /// Converts a value to the type of its place: where the place has the type word, the guard may
    /// have handed over an integer, reference or double.
    fn as_type(&mut self, known: TracedValue, ty: Ty) -> TracedValue {
        let is = self.recorder.trace.ty(known.val);
        match DataOp::word_from(is) {
            Some(cast) if ty == Ty::Word => {
                let word = self
                    .recorder
                    .record_data(cast, &[known], Descr::None, known.word);
                if let (true, Arg::Ref(v)) = (known.is_const(), word.val) {
                    self.recorder.constant_words.insert(v, known.word);
                }
                word
            }
            _ => known,
        }
    }
}

impl VirtualMaker for Recording<'_, '_> {
    type Value = TracedValue;
    type Error = HeapExhausted;

    fn fail_arg(&mut self, n: u16) -> TracedValue {
        let n = usize::from(n);
        TracedValue {
            word: self.exit.get(n),
            val: Arg::Ref(self.recorder.trace.inputs[n]),
        }
    }

    fn constant(&mut self, constant: Const) -> TracedValue {
        self.recorder.constant(constant.ty(), constant.word())
    }

    fn make(
        &mut self,
        op: DataOp,
        args: &[TracedValue],
        descr: Descr,
    ) -> Result<TracedValue, HeapExhausted> {
        self.data(op, args, descr)
    }

    fn store(
        &mut self,
        op: DataOp,
        args: &[TracedValue],
        descr: Descr,
    ) -> Result<(), HeapExhausted> {
        self.data(op, args, descr).map(drop)
    }

    fn keep(&mut self, n: usize, object: TracedValue) {
        self.roots.set(n, object.word);
    }
}
