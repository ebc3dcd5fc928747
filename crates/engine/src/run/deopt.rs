//! From a failed guard back to the interpreter, or to a bridge.
//!
//! Invariant: the exit buffer is copied before anything runs that may enter compiled code again.

use crate::code::guard_info::GuardInfo;
use crate::code::promotions::Promotion;
use crate::code::roots::rooted;
use crate::engine::Engine;
use crate::observe::event::{Event, GuardExit};
use crate::run::enter::Next;
use crate::run::virtualizable::owners::Taken;
use std::panic::resume_unwind;
use std::rc::Rc;
use verdigris_backend::CodeExit;
use verdigris_heap::HeapExhausted;
use verdigris_jitcode::{CodeId, Insn};
use verdigris_report::CompilerKind;
use verdigris_resume::{FrameStack, NativeCalls, Stop, blackhole, rebuild, rebuild_taken};
use verdigris_trace::GuardId;

/// Stands for all values that no case of a switch names. Where a case names this one, it shares
/// their count, which costs no more than a bridge that comes earlier.
const UNNAMED: u64 = i64::MIN as u64;

/// Time in native calls is not time spent leaving compiled code.
impl NativeCalls for Engine {
    fn make(&self, call: &mut dyn FnMut()) {
        let _phase = self.clock.call_native();
        call();
    }
}

impl Engine {
    /// Handles the failure of a guard that has no bridge.
    pub(crate) fn guard_failed(&self, guard: GuardId) -> Next {
        let info = Rc::clone(self.code.guards.borrow()[guard].info());
        let taken = self.taken();
        // SAFETY: the context is current; compiled code has filled as many words as the guard has
        // fail arguments, and nothing else runs while they are copied.
        unsafe {
            let exits = (&raw mut (*self.ctx).exits).cast::<u64>();
            let exit = std::ptr::slice_from_raw_parts(exits, info.types.len());
            rooted(self.ctx, exit, |exit| {
                // The collector scans the buffer: garbage must not live until the next failure.
                exits.write_bytes(0, exit.len());
                self.after_failure(guard, &info, exit, taken)
            })
        }
    }

    /// Whether a guard fails so often that it would have a bridge if it could have one.
    pub(crate) fn is_hopeless(&self, exit: CodeExit) -> bool {
        let CodeExit::Guard(guard) = exit else {
            return false;
        };
        let often = 4 * self.params.trace_eagerness.max(self.params.arm_eagerness);
        self.code.guards.borrow()[guard].failures >= often
    }

    fn after_failure(
        &self,
        guard: GuardId,
        info: &Rc<GuardInfo>,
        exit: &[u64],
        taken: Option<Taken>,
    ) -> Next {
        // SAFETY: the context is current.
        if unsafe { (*self.ctx).panicked } != 0 {
            self.panic_on(guard, info, exit, taken);
        }
        self.exhausted_at(guard, info, exit, taken.as_ref());
        if let Some(lie) = self.broken_promise(info, exit) {
            let greens = self.code.greens_at(guard);
            let lie = match greens.and_then(|greens| self.observers.location(&greens)) {
                Some(location) => format!("{lie}, at {location}"),
                None => lie,
            };
            self.report(info, exit, lie);
        }
        if self.is_sampled(info.asks_for_signals) {
            return self.after_sample(self.rebuilt(info, exit, None, Engine::blackhole));
        }
        let count = self.count_failure(guard, info, exit);
        let value = info.promotion.as_ref().map(|p| p.value(exit));
        self.tell_exit(guard, info, GuardExit::Failed(count), value);
        let generalise = self.generalises(guard, info, count);
        let count = match generalise {
            true => self.code.guards.borrow()[guard].failures,
            false => count,
        };
        if info.compiler == CompilerKind::Threaded {
            if self.wants_bridge(guard, count, generalise) {
                self.threaded().learn_arm(guard, info, exit);
            }
        } else if self.wants_bridge(guard, count, generalise)
            && self.make_room_for_bridge(info.tree)
        {
            if generalise {
                self.tell_generalised(guard, info);
            }
            if !self.specialises_exit(info) {
                return self.trace_guard(guard, info, exit, generalise);
            }
            self.specialise_guard(guard, info, exit, generalise);
        }
        if taken.is_some() {
            self.note_taken(info, count);
        }
        self.rebuilt(info, exit, taken, Engine::give_to_interpreter)
    }

    /// Rebuilds the interpreter's frames behind an exit, and passes them to `run`.
    fn rebuilt(
        &self,
        info: &GuardInfo,
        exit: &[u64],
        taken: Option<Taken>,
        run: fn(&Engine, FrameStack) -> Next,
    ) -> Next {
        let _phase = self.clock.leave_code();
        // SAFETY: the context is current; the words are the guard's fail arguments.
        let frames = unsafe {
            let (unit, resume) = (&self.program.unit, &info.resume);
            match taken {
                Some(taken) => rebuild_taken(self.ctx, unit, resume, exit, &taken.made),
                None => rebuild(self.ctx, unit, resume, exit),
            }
        };
        match frames {
            Ok(frames) => match run(self, frames) {
                Next::Interpreter(state) if info.compiler == CompilerKind::Threaded => {
                    Next::Thread(state)
                }
                next => next,
            },
            Err(_) => self.raise_lost(),
        }
    }

    /// Returns to the interpreter behind a guard without a bridge, and counts that.
    pub(crate) fn give_to_interpreter(&self, frames: FrameStack) -> Next {
        let next = self.blackhole(frames);
        if let Next::Interpreter(_) = next {
            self.observers.count(|s| s.guard_failures.interpreter += 1);
        }
        next
    }

    /// A call has panicked: does the delayed stores, and resumes the panic.
    fn panic_on(&self, guard: GuardId, info: &GuardInfo, exit: &[u64], taken: Option<Taken>) -> ! {
        self.tell_exit(guard, info, GuardExit::Panic, None);
        // SAFETY: the context is current, and a panic is stored.
        let payload = unsafe { (*self.ctx).take_payload() };
        let payload = payload.expect("the panic flag is set with a payload");
        self.flush(info, exit, taken.as_ref());
        resume_unwind(payload)
    }

    /// A hint is wrong: does the delayed stores, and panics.
    fn report(&self, info: &GuardInfo, exit: &[u64], lie: String) -> ! {
        self.flush(info, exit, None);
        std::panic::panic_any(lie)
    }

    /// Counts a failure. Returns the number of failures, with this value if the guard is on a
    /// promoted one, or with those that count as one with it.
    fn count_failure(&self, guard: GuardId, info: &GuardInfo, exit: &[u64]) -> u32 {
        self.observers.count(|s| s.guard_failures.total += 1);
        let guard = &mut self.code.guards.borrow_mut()[guard];
        guard.failures = guard.failures.saturating_add(1);
        let count = match &info.promotion {
            Some(promotion) => guard
                .values
                .count(self.counted_as(promotion, promotion.value(exit))),
            None => guard.failures,
        };
        if count <= self.eagerness(info)
            && let Some(tree) = self.code.trees.borrow().get(info.tree)
        {
            tree.early_failures.set(tree.early_failures.get() + 1);
        }
        count
    }

    /// What a value counts as that a guard has failed with: those of a switch that none of its
    /// cases names are one, for one bridge is right for all of them, and each may come once.
    fn counted_as(&self, promotion: &Promotion, value: u64) -> u64 {
        let (code, pc, _) = promotion.place();
        let code = &self.program.unit.codes[CodeId::from_u32(code)];
        match code.insns[pc as usize] {
            Insn::Switch { table, .. }
                if !code.switches[usize::from(table)].names(value as i64) =>
            {
                UNNAMED
            }
            _ => value,
        }
    }

    /// Interprets jitcode until the native interpreter can continue.
    pub(crate) fn blackhole(&self, frames: FrameStack) -> Next {
        // SAFETY: the context is current, and the frames belong to it.
        match unsafe { blackhole(self.ctx, &self.program.unit, frames, self) } {
            Stop::MergePoint(state) => Next::Interpreter(state),
            Stop::Return(words) => Next::Return(words),
            Stop::Panic(payload) => resume_unwind(payload),
            Stop::Exhausted => HeapExhausted::raise(),
        }
    }

    /// Tells observers that a guard has led out of compiled code, on a promotion with this value.
    #[inline]
    pub(crate) fn tell_exit(
        &self,
        guard: GuardId,
        info: &GuardInfo,
        exit: GuardExit,
        value: Option<u64>,
    ) {
        if self.observers.watches_runs() {
            self.emit_exit(guard, info, exit, value);
        }
    }

    /// Not inlined, so that the event is not part of the frames of activations.
    #[cold]
    #[inline(never)]
    fn emit_exit(&self, guard: GuardId, info: &GuardInfo, exit: GuardExit, value: Option<u64>) {
        self.observers.emit(Event::GuardFailed {
            guard,
            info,
            greens: self.code.greens_at(guard).as_deref(),
            exit,
            value,
            interpreted: self.clock.interpreted(),
        });
    }
}
