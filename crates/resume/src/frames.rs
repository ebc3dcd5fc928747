//! Frames of jitcode, whose registers lie on the context's shadow stack, visible to the collector.
//!
//! Frames are released in the reverse order of their creation, also when the host unwinds. A frame
//! for which there is no room is refused with
//! [`StackExhausted`](verdigris_heap::StackExhausted) before the call has begun.

use verdigris_heap::Context;
use verdigris_jitcode::{CodeId, Insn, JitCode, Opnd, Pc, Reg, Unit};

/// Words on the shadow stack, zero at first, released when dropped.
pub struct Scratch {
    ctx: *mut Context,
    mark: usize,
    words: *mut u64,
    len: usize,
}

impl Scratch {
    /// Takes words from the shadow stack.
    ///
    /// # Safety
    /// `ctx` outlives the result, and whatever takes from the shadow stack later gives back
    /// earlier.
    #[inline]
    pub unsafe fn new(ctx: *mut Context, len: usize) -> Scratch {
        // SAFETY: the caller's promise.
        let (mark, words) = unsafe { ((*ctx).shadow_mark(), (*ctx).shadow_alloc(len)) };
        Scratch {
            ctx,
            mark,
            words,
            len,
        }
    }

    /// Takes the registers of a frame. Frames have a limit of their own, so [`Scratch::new`] still
    /// finds room when they have reached it.
    ///
    /// # Safety
    /// As [`Scratch::new`].
    #[inline]
    unsafe fn of_frame(ctx: *mut Context, len: usize) -> Scratch {
        // SAFETY: the caller's promise.
        let (mark, words) = unsafe { ((*ctx).shadow_mark(), (*ctx).shadow_alloc_frame(len)) };
        Scratch {
            ctx,
            mark,
            words,
            len,
        }
    }

    /// Takes words from the shadow stack and copies these to them.
    ///
    /// # Safety
    /// As [`Scratch::new`].
    pub unsafe fn holding(ctx: *mut Context, words: &[u64]) -> Scratch {
        // SAFETY: the caller's promise.
        let scratch = unsafe { Scratch::new(ctx, words.len()) };
        // SAFETY: it has just got that many words, which nothing else refers to.
        unsafe { std::ptr::copy_nonoverlapping(words.as_ptr(), scratch.words, words.len()) };
        scratch
    }

    /// A word.
    #[inline]
    pub fn get(&self, n: usize) -> u64 {
        assert!(n < self.len);
        // SAFETY: in bounds, and the words are this object's until it is dropped.
        unsafe { *self.words.add(n) }
    }

    /// Changes a word.
    #[inline]
    pub fn set(&mut self, n: usize, word: u64) {
        assert!(n < self.len);
        // SAFETY: as in `get`.
        unsafe { *self.words.add(n) = word }
    }

    /// All words.
    #[inline]
    pub fn words(&self) -> &[u64] {
        // SAFETY: as in `get`.
        unsafe { std::slice::from_raw_parts(self.words, self.len) }
    }

    /// All words, to be changed.
    #[inline]
    fn words_mut(&mut self) -> &mut [u64] {
        // SAFETY: as in `get`.
        unsafe { std::slice::from_raw_parts_mut(self.words, self.len) }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // SAFETY: by the promise of `new` the context is alive and nothing later is still in use.
        unsafe { (*self.ctx).shadow_release(self.mark) }
    }
}

/// A frame: which jitcode, where, and its registers.
pub struct JitFrame {
    /// The jitcode.
    pub code: CodeId,
    /// The innermost frame: the instruction to execute next. An outer frame: its call instruction.
    pub pc: Pc,
    regs: Scratch,
}

impl JitFrame {
    /// A register.
    #[inline]
    pub fn get(&self, reg: Reg) -> u64 {
        self.regs.get(usize::from(reg.0))
    }

    /// Changes a register.
    #[inline]
    pub fn set(&mut self, reg: Reg, word: u64) {
        self.regs.set(usize::from(reg.0), word);
    }

    /// The registers, to be used while the frame lives, and nothing else of it meanwhile.
    #[inline]
    pub(crate) fn registers(&mut self) -> Registers {
        Registers(self.regs.words)
    }

    /// The value of an operand; `code` is this frame's jitcode.
    #[inline]
    pub fn word(&self, code: &JitCode, opnd: Opnd) -> u64 {
        word(code, self.regs.words(), opnd)
    }
}

/// The value of an operand in jitcode whose registers these are.
#[inline]
fn word(code: &JitCode, regs: &[u64], opnd: Opnd) -> u64 {
    match opnd {
        Opnd::Reg(reg) => regs[usize::from(reg.0)],
        Opnd::Const(n) => code.consts[usize::from(n)].word(),
    }
}

/// The registers of a frame whose jitcode is verified: none that it names is out of bounds.
#[derive(Clone, Copy)]
pub(crate) struct Registers(*mut u64);

impl Registers {
    /// A register.
    ///
    /// # Safety
    /// The frame lives, and its jitcode has the register.
    #[inline(always)]
    pub(crate) unsafe fn get(self, reg: Reg) -> u64 {
        // SAFETY: the caller's promise.
        unsafe { *self.0.add(usize::from(reg.0)) }
    }

    /// Changes a register.
    ///
    /// # Safety
    /// As [`Registers::get`].
    #[inline(always)]
    pub(crate) unsafe fn set(self, reg: Reg, word: u64) {
        // SAFETY: the caller's promise.
        unsafe { *self.0.add(usize::from(reg.0)) = word }
    }

    /// The value of an operand; `code` is the frame's jitcode.
    ///
    /// # Safety
    /// As [`Registers::get`].
    #[inline(always)]
    pub(crate) unsafe fn word(self, code: &JitCode, opnd: Opnd) -> u64 {
        match opnd {
            // SAFETY: the caller's promise.
            Opnd::Reg(reg) => unsafe { self.get(reg) },
            Opnd::Const(n) => code.consts[usize::from(n)].word(),
        }
    }
}

/// Frames, outermost first.
pub struct FrameStack {
    ctx: *mut Context,
    frames: Vec<JitFrame>,
}

impl FrameStack {
    /// No frames yet.
    ///
    /// # Safety
    /// `ctx` outlives the frames, and whatever takes from its shadow stack later gives back
    /// earlier.
    #[inline]
    pub unsafe fn new(ctx: *mut Context) -> FrameStack {
        FrameStack {
            ctx,
            frames: Vec::with_capacity(8),
        }
    }

    /// The context whose shadow stack holds the registers.
    pub fn context(&self) -> *mut Context {
        self.ctx
    }

    /// A new innermost frame at the start of its code, all registers zero. `jitcode` is that of
    /// `code`.
    ///
    /// # Panics
    /// With [`StackExhausted`](verdigris_heap::StackExhausted) if there is no room.
    #[inline]
    pub fn push(&mut self, code: CodeId, jitcode: &JitCode) -> &mut JitFrame {
        // SAFETY: the promise of `new`; frames are popped in the opposite order (see `Drop`).
        let regs = unsafe { Scratch::of_frame(self.ctx, jitcode.regs.len()) };
        self.frames.push(JitFrame {
            code,
            pc: Pc(0),
            regs,
        });
        self.frames.last_mut().expect("a frame was just pushed")
    }

    /// A new innermost frame for a call in the frame that was innermost, with its arguments.
    #[inline]
    pub fn enter(&mut self, unit: &Unit, callee: CodeId, args: &[Opnd]) {
        let callee_code = &unit.codes[callee];
        self.push(callee, callee_code);
        let [.., outer, inner] = &mut self.frames[..] else {
            unreachable!("a call is made by a frame");
        };
        let code = &unit.codes[outer.code];
        let (from, to) = (outer.regs.words(), inner.regs.words_mut());
        for (&param, &arg) in callee_code.params.iter().zip(args) {
            to[usize::from(param.0)] = word(code, from, arg);
        }
    }

    /// Drops the innermost frame, which returns these values: they go where the caller's call
    /// instruction says, and the caller goes on behind it.
    #[inline]
    pub fn leave(&mut self, unit: &Unit, values: &[Opnd]) {
        let [.., outer, inner] = &mut self.frames[..] else {
            unreachable!("a call returns to a frame");
        };
        let Insn::Call { dsts, .. } = &unit.codes[outer.code].insns[outer.pc.0 as usize] else {
            unreachable!("a frame waits at a call");
        };
        let code = &unit.codes[inner.code];
        let (from, to) = (inner.regs.words(), outer.regs.words_mut());
        for (&dst, &value) in dsts.iter().zip(values) {
            to[usize::from(dst.0)] = word(code, from, value);
        }
        outer.pc.0 += 1;
        self.pop();
    }

    /// Drops the innermost frame.
    #[inline]
    pub fn pop(&mut self) {
        self.frames.pop();
    }

    /// How many frames there are.
    pub fn len(&self) -> usize {
        self.frames.len()
    }

    /// Whether there are no frames.
    pub fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    /// The frames, outermost first.
    pub fn frames(&self) -> &[JitFrame] {
        &self.frames
    }

    /// The same, to be changed.
    #[inline]
    pub fn frames_mut(&mut self) -> &mut [JitFrame] {
        &mut self.frames
    }

    /// The innermost frame.
    ///
    /// # Panics
    /// If there is none.
    #[inline]
    pub fn top(&self) -> &JitFrame {
        self.frames.last().expect("a running stack has a frame")
    }

    /// The innermost frame.
    ///
    /// # Panics
    /// If there is none.
    #[inline]
    pub fn top_mut(&mut self) -> &mut JitFrame {
        self.frames.last_mut().expect("a running stack has a frame")
    }

    /// A frame, counted from the outermost.
    ///
    /// # Panics
    /// If there are not so many.
    #[inline]
    pub fn frame_mut(&mut self, depth: usize) -> &mut JitFrame {
        &mut self.frames[depth]
    }
}

impl Drop for FrameStack {
    fn drop(&mut self) {
        // A vector drops its elements first to last; the shadow stack wants the opposite.
        while self.frames.pop().is_some() {}
    }
}
