//! The blackhole interpreter: executes jitcode on words until the native interpreter can go on.
//!
//! Calls of functions with jitcode are frames of the one [`FrameStack`], so the depth of guest
//! recursion does not show on the host's stack. A residual call may run the whole JIT again, so
//! nothing is borrowed while one runs.

use crate::frames::{FrameStack, JitFrame, Registers};
use crate::panics::raise;
use std::any::Any;
use verdigris_heap::{
    Context, MAX_WORDS, Panicked, class_word_of, exec_call, exec_data, result_word,
};
use verdigris_jitcode::{CallTarget, Insn, JitCode, Opnd, Pc, Reg, SwitchTable, Unit};
use verdigris_ops::{ClassId, FnId};

/// Makes the calls of native code, which may run the guest program for long.
pub trait NativeCalls {
    /// Makes one.
    fn make(&self, call: &mut dyn FnMut());
}

/// Just makes them.
impl NativeCalls for () {
    fn make(&self, call: &mut dyn FnMut()) {
        call();
    }
}

/// Why the blackhole interpreter has stopped.
pub enum Stop {
    /// At the merge point: the greens, then the reds. The native interpreter takes over.
    MergePoint(Vec<u64>),
    /// The portal returned a value of these words.
    Return(Vec<u64>),
    /// The interpreter panicked; the payload, to be resumed.
    Panic(Box<dyn Any + Send>),
    /// The heap limit was reached.
    Exhausted,
}

/// The state that all instructions need.
#[derive(Clone, Copy)]
struct Machine<'a> {
    ctx: *mut Context,
    unit: &'a Unit,
    calls: &'a dyn NativeCalls,
}

impl Machine<'_> {
    /// Calls a function that is not interpreted.
    ///
    /// # Safety
    /// As [`exec_call`].
    #[inline(always)]
    unsafe fn call(self, callee: FnId, words: &[u64]) -> Result<u64, Panicked> {
        let mut result = Err(Panicked);
        self.calls.make(&mut || {
            // SAFETY: the caller's promise.
            result = unsafe { exec_call(self.ctx, &self.unit.descrs.fns[callee], words) };
        });
        result
    }
}

/// Executes until the merge point, also if it starts there, or until the portal returns or panics.
///
/// # Safety
/// `ctx` is the current context, and the one of `frames`. `unit` is verified and linked, and the
/// frames are of its jitcode, with values of the right types in their live registers.
pub unsafe fn blackhole(
    ctx: *mut Context,
    unit: &Unit,
    mut frames: FrameStack,
    calls: &dyn NativeCalls,
) -> Stop {
    let machine = Machine { ctx, unit, calls };
    loop {
        // SAFETY: the caller's promise, which every instruction of a verified unit keeps.
        match unsafe { run(machine, &mut frames) } {
            // Native code has no frame for an inner portal, so it gets one.
            Stop::MergePoint(state) if frames.len() > 1 => match unit.runner() {
                Some(runner) => {
                    // SAFETY: the caller's promise.
                    let rest = unsafe { run_rest(machine, runner, &mut frames, &state) };
                    if let Err(stop) = rest {
                        return stop;
                    }
                }
                None => frames.top_mut().pc.0 += 1,
            },
            stop => return stop,
        }
    }
}

/// What the innermost frame executes next, and on what.
struct Position<'a> {
    code: &'a JitCode,
    regs: Registers,
    pc: Pc,
}

impl<'a> Position<'a> {
    #[inline(always)]
    fn of(unit: &'a Unit, frames: &mut FrameStack) -> Position<'a> {
        let frame = frames.top_mut();
        Position {
            code: &unit.codes[frame.code],
            regs: frame.registers(),
            pc: frame.pc,
        }
    }
}

/// Executes until something stops it, at the latest at the merge point of any frame.
///
/// # Safety
/// As [`blackhole`].
unsafe fn run(machine: Machine<'_>, frames: &mut FrameStack) -> Stop {
    let Machine { ctx, unit, .. } = machine;
    let mut at = Position::of(unit, frames);
    loop {
        let Position { code, regs, pc } = at;
        // SAFETY: the caller's promise: the frame lives, and its jitcode is verified.
        let word = |opnd: Opnd| unsafe { regs.word(code, opnd) };
        // SAFETY: as above.
        let set = |reg: Reg, word: u64| unsafe { regs.set(reg, word) };
        let next = Pc(pc.0 + 1);
        at.pc = match &code.insns[pc.0 as usize] {
            Insn::Data {
                op,
                args: [a, b, c],
                descr,
                dst,
            } => {
                // Operands that an operation does not have are there too.
                let words = [word(*a), word(*b), word(*c)];
                // SAFETY: the caller's promise.
                match unsafe { exec_data(ctx, &unit.descrs, *op, &words, *descr) } {
                    Ok(word) => {
                        if let Some(dst) = *dst {
                            set(dst, word);
                        }
                    }
                    Err(_) => return Stop::Exhausted,
                }
                next
            }
            Insn::Move { dst, src } | Insn::Promote { dst, src } => {
                set(*dst, word(*src));
                next
            }
            // Nothing is recorded here, so nothing is known.
            Insn::Ask { dst, .. } => {
                set(*dst, 0);
                next
            }
            Insn::Goto { target } => *target,
            Insn::BranchFalse { cond, target } => match word(*cond) {
                0 => *target,
                _ => next,
            },
            Insn::Switch { value, table } => {
                code.switches[usize::from(*table)].lookup(word(*value) as i64)
            }
            Insn::ClassSwitch { value, table } => {
                // SAFETY: the operand of a class switch is an object.
                let class = unsafe { class_word_of(word(*value)) };
                class_case(unit, &code.switches[usize::from(*table)], class).1
            }
            Insn::Call { target, args, dsts } => {
                frames.top_mut().pc = pc;
                match target {
                    CallTarget::Code(callee) => {
                        frames.enter(unit, *callee, args);
                        at = Position::of(unit, frames);
                        continue;
                    }
                    CallTarget::Fn(callee) => {
                        let frame = frames.top_mut();
                        // SAFETY: the caller's promise.
                        let called = unsafe { residual(machine, code, frame, *callee, args, dsts) };
                        match called {
                            Ok(()) => next,
                            Err(stop) => return stop,
                        }
                    }
                }
            }
            Insn::Return { values } => {
                if frames.len() == 1 {
                    return Stop::Return(values.iter().map(|&value| word(value)).collect());
                }
                frames.leave(unit, values);
                at = Position::of(unit, frames);
                continue;
            }
            Insn::Panic { kind, args } => {
                let words: Vec<u64> = args.iter().map(|&arg| word(arg)).collect();
                return Stop::Panic(raise(kind, &words));
            }
            Insn::MergePoint { greens, reds } => {
                frames.top_mut().pc = pc;
                let mut state = Vec::with_capacity(greens.len() + reds.len());
                for regs_of in [greens, reds] {
                    // SAFETY: as above.
                    state.extend(regs_of.iter().map(|&reg| unsafe { regs.get(reg) }));
                }
                return Stop::MergePoint(state);
            }
            Insn::LoopHeader => next,
        };
    }
}

/// Runs the rest of an inner portal, which is at its merge point.
///
/// # Safety
/// As [`blackhole`].
unsafe fn run_rest(
    machine: Machine<'_>,
    runner: FnId,
    frames: &mut FrameStack,
    state: &[u64],
) -> Result<(), Stop> {
    // On the host's stack, where the collector looks.
    let mut words = [0_u64; MAX_ARGS];
    words[..state.len()].copy_from_slice(state);
    frames.pop();
    let outer = frames.top_mut();
    let call = &machine.unit.codes[outer.code].insns[outer.pc.0 as usize];
    // SAFETY: the caller's promise; the words are a state of the merge point.
    unsafe {
        let result = machine.call(runner, &words[..state.len()]);
        called(machine.ctx, outer, call.dsts(), result)?;
    }
    outer.pc.0 += 1;
    Ok(())
}

/// Calls a function that is not interpreted, for the frame.
///
/// # Safety
/// As [`run`].
unsafe fn residual(
    machine: Machine<'_>,
    code: &JitCode,
    frame: &mut JitFrame,
    callee: FnId,
    args: &[Opnd],
    dsts: &[Reg],
) -> Result<(), Stop> {
    // The arguments stay on the host's stack, where the collector looks, although their registers
    // may be dead.
    let mut words = [0_u64; MAX_ARGS];
    for (word, &arg) in words.iter_mut().zip(args) {
        *word = frame.word(code, arg);
    }
    // SAFETY: the caller's promise.
    unsafe {
        let result = machine.call(callee, &words[..args.len()]);
        called(machine.ctx, frame, dsts, result)
    }
}

/// A call has come back: its results go to the registers.
///
/// # Safety
/// The call has just been made, and has as many results.
unsafe fn called(
    ctx: *mut Context,
    frame: &mut JitFrame,
    dsts: &[Reg],
    result: Result<u64, Panicked>,
) -> Result<(), Stop> {
    // SAFETY: the caller's promise; the context is alive.
    unsafe {
        match result {
            Ok(first) => {
                for (n, &dst) in dsts.iter().enumerate() {
                    frame.set(dst, result_word(ctx, first, n));
                }
                Ok(())
            }
            Err(Panicked) => {
                let payload = (*ctx).take_payload();
                let payload = payload.expect("a thunk keeps the payload it catches");
                Err(Stop::Panic(payload))
            }
        }
    }
}

/// The most words of the parameters of a function that is called, not traced.
pub const MAX_ARGS: usize = MAX_WORDS;

/// The case for the class with this word in a class switch: the class, if it is one of the cases,
/// and the target.
pub fn class_case(unit: &Unit, table: &SwitchTable, word: i32) -> (Option<ClassId>, Pc) {
    for &(key, target) in &table.cases {
        let class = ClassId::from_u32(key as u32);
        if unit.descrs.classes[class].word == word {
            return (Some(class), target);
        }
    }
    (None, table.default)
}
