//! The tracer's state: registers with words, and the trace values beside them.
//!
//! Invariant: `values[base + r]` of a frame stands for the word in its register `r`: evaluating the
//! trace so far on the same inputs gives that word.

use super::frame::{FrameValues, Portals};
use super::heap_cache::HeapCache;
use super::knowledge::Knowledge;
use super::value::TracedValue;
use crate::end::Targets;
use crate::limits::TraceLimits;
use crate::state::headers::Headers;
use crate::state::pins::Pins;
use rustc_hash::FxHashMap;
use verdigris_heap::Context;
use verdigris_jitcode::{CodeId, JitCode, Opnd, Pc, Reg, Unit};
use verdigris_ops::{FieldId, Ty};
use verdigris_resume::FrameStack;
use verdigris_trace::{Arg, Const, Descr, Opcode, RecordedTrace, ValRef};

/// The state of the tracer.
pub(crate) struct Recorder<'a> {
    pub ctx: *mut Context,
    pub unit: &'a Unit,
    pub targets: &'a dyn Targets,
    pub limits: TraceLimits,
    pub frames: FrameStack,
    /// One per frame.
    pub frame_values: Vec<FrameValues>,
    /// The registers' values of all frames, outermost first.
    pub values: Vec<Arg>,
    pub trace: RecordedTrace,
    pub pins: Pins,
    pub headers: Headers,
    /// An operation that makes an object has been recorded, or there may be one in front of the
    /// trace.
    pub allocates: bool,
    /// A guard needs more values than [`TraceLimits::live_limit`].
    pub overfull: bool,
    pub knowledge: Knowledge,
    /// Leaves out repeated operations; none if everything is recorded.
    pub cache: Option<HeapCache>,
    /// The program's quasi-immutable fields.
    pub quasi: Vec<FieldId>,
    pub portals: Portals,
    /// Values of type word whose bits are constant: of casts of constants, and of loads that always
    /// give the same. There are no constants of that type; a cast to another type gives one.
    pub constant_words: FxHashMap<ValRef, u64>,
    pub steps: usize,
    /// The operations that rebuild the frames of a bridge.
    pub begun: usize,
}

impl<'a> Recorder<'a> {
    /// A recorder without frames.
    ///
    /// # Safety
    /// As [`trace_loop`](crate::trace_loop) for `ctx` and `unit`.
    pub unsafe fn new(
        ctx: *mut Context,
        unit: &'a Unit,
        targets: &'a dyn Targets,
        limits: TraceLimits,
        headers: Headers,
    ) -> Self {
        let mut trace = RecordedTrace::default();
        trace.reserve(256);
        Recorder {
            ctx,
            unit,
            targets,
            limits,
            // SAFETY: the caller's promise.
            frames: unsafe { FrameStack::new(ctx) },
            frame_values: Vec::with_capacity(16),
            values: Vec::with_capacity(256),
            trace,
            // SAFETY: the caller's promise.
            pins: unsafe { Pins::new(ctx) },
            headers,
            allocates: limits.has_made_objects,
            overfull: false,
            knowledge: Knowledge::default(),
            cache: (limits.heap_cache && !limits.check_hints).then(HeapCache::new),
            quasi: unit.descrs.quasi_fields(),
            portals: Portals::new(unit),
            constant_words: FxHashMap::default(),
            steps: 0,
            begun: 0,
        }
    }

    /// The value side of a frame that has just been pushed.
    pub fn push_frame_values(&mut self, code: &JitCode) {
        let base = self.values.len();
        self.frame_values.push(FrameValues {
            base,
            suspended: None,
            activation: None,
        });
        let unset = |ty| match ty {
            // The jitcode writes the register before it reads it.
            Ty::Word => Arg::int(0),
            ty => Arg::Const(Const::new(ty, 0)),
        };
        self.values.extend(code.regs.iter().map(|&ty| unset(ty)));
    }

    /// Pushes a frame, its registers zero.
    pub fn push_frame(&mut self, code: CodeId) {
        let unit = self.unit;
        self.frames.push(code, &unit.codes[code]);
        self.push_frame_values(&unit.codes[code]);
    }

    /// Drops the innermost frame.
    pub fn pop_frame(&mut self) {
        self.frames.pop();
        if let Some(frame) = self.frame_values.pop() {
            self.values.truncate(frame.base);
        }
    }

    /// The innermost frame's base in `values`.
    #[inline]
    pub fn base(&self) -> usize {
        self.frame_values.last().map_or(0, |frame| frame.base)
    }

    /// The jitcode of the innermost frame.
    #[inline]
    pub fn code(&self) -> &'a JitCode {
        &self.unit.codes[self.frames.top().code]
    }

    /// A register of the innermost frame.
    #[inline]
    pub fn reg(&self, reg: Reg) -> TracedValue {
        let val = self.values[self.base() + usize::from(reg.0)];
        let word = match val {
            Arg::Const(constant) => constant.word(),
            Arg::Ref(_) => self.frames.top().get(reg),
        };
        TracedValue { word, val }
    }

    /// An operand of the innermost frame's instruction.
    #[inline]
    pub fn operand(&self, code: &JitCode, opnd: Opnd) -> TracedValue {
        match opnd {
            Opnd::Reg(reg) => self.reg(reg),
            Opnd::Const(n) => {
                let constant = code.consts[usize::from(n)];
                let word = constant.word();
                TracedValue {
                    word,
                    val: Arg::Const(Const::new(constant.ty(), word)),
                }
            }
        }
    }

    /// Writes a register of the innermost frame.
    #[inline]
    pub fn set(&mut self, reg: Reg, known: TracedValue) {
        self.frames.top_mut().set(reg, known.word);
        let base = self.base();
        self.values[base + usize::from(reg.0)] = known.val;
    }

    /// Goes on at an instruction of the innermost frame.
    #[inline]
    pub fn goto(&mut self, pc: Pc) {
        self.frames.top_mut().pc = pc;
    }

    /// Goes on at the next instruction.
    #[inline]
    pub fn next(&mut self) {
        self.frames.top_mut().pc.0 += 1;
    }

    /// A constant; if it is an object, it stays alive.
    pub fn constant(&mut self, ty: Ty, word: u64) -> TracedValue {
        if ty == Ty::Ref {
            self.pins.add(word);
        }
        TracedValue {
            word,
            val: Arg::Const(Const::new(ty, word)),
        }
    }

    /// Records an operation; its result, if it has one, is of type `ret` and has this word.
    pub fn record(
        &mut self,
        opcode: Opcode,
        args: &[Arg],
        descr: Descr,
        ret: Option<Ty>,
        word: u64,
    ) -> TracedValue {
        let Some(ty) = ret else {
            self.trace.push(opcode, args, descr);
            return TracedValue {
                word,
                val: Arg::int(0),
            };
        };
        let val = Arg::Ref(self.trace.push_def(opcode, args, descr, ty));
        TracedValue { word, val }
    }

    /// From now on a value is this constant wherever it is held.
    pub fn replace(&mut self, value: ValRef, constant: Arg) {
        if let Some(cache) = &mut self.cache {
            cache.is_constant(value, constant);
        }
        for val in &mut self.values {
            if *val == Arg::Ref(value) {
                *val = constant;
            }
        }
    }
}
