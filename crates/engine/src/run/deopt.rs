//! From a failed guard back to the interpreter, or to a bridge. In: the guard and the values that
//! compiled code left in the exit buffer. Out: where the guest program is. Invariant: the exit
//! buffer is copied before anything runs that may enter compiled code again.

use crate::code::guard_info::GuardSite;
use crate::code::roots::rooted;
use crate::engine::Engine;
use crate::observe::log::Stage;
use crate::observe::stats::Maker;
use crate::run::enter::Next;
use crate::run::virtualizable::owners::Taken;
use std::fmt::{Display, Write};
use std::panic::resume_unwind;
use std::rc::Rc;
use verdigris_backend::CodeExit;
use verdigris_heap::HeapExhausted;
use verdigris_jitcode::CodeId;
use verdigris_resume::{FrameStack, NativeCalls, Stop, blackhole, rebuild, rebuild_taken};
use verdigris_trace::GuardId;

/// What native code does meanwhile is no part of leaving compiled code.
impl NativeCalls for Engine {
    fn make(&self, call: &mut dyn FnMut()) {
        let _phase = self.meter.call_native();
        call();
    }
}

impl Engine {
    /// A guard has failed and has no bridge.
    pub(crate) fn guard_failed(&self, guard: GuardId) -> Next {
        let site = Rc::clone(self.guards.borrow()[guard].site());
        let taken = self.taken();
        // SAFETY: the context is current; compiled code has filled as many words as the guard has
        // fail arguments, and nothing else runs while they are copied.
        unsafe {
            let exits = (&raw mut (*self.ctx).exits).cast::<u64>();
            let exit = std::ptr::slice_from_raw_parts(exits, site.types.len());
            rooted(self.ctx, exit, |exit| {
                // The collector looks into the buffer: what has died since must not live until the
                // next failure.
                exits.write_bytes(0, exit.len());
                self.after_failure(guard, &site, exit, taken)
            })
        }
    }

    /// Whether code is left there so often that it would be compiled what follows, if it could be.
    pub(crate) fn is_hopeless(&self, exit: CodeExit) -> bool {
        let CodeExit::Guard(guard) = exit else {
            return false;
        };
        let often = 4 * self.params.trace_eagerness.max(self.params.arm_eagerness);
        self.guards.borrow()[guard].failures >= often
    }

    fn after_failure(
        &self,
        guard: GuardId,
        site: &Rc<GuardSite>,
        exit: &[u64],
        taken: Option<Taken>,
    ) -> Next {
        // SAFETY: the context is current.
        if unsafe { (*self.ctx).panicked } != 0 {
            self.panic_on(guard, site, exit, taken);
        }
        self.exhausted_at(guard, site, exit, taken.as_ref());
        if let Some(lie) = self.lie(site, exit) {
            let lie = match self.guard_location(guard) {
                Some(location) => format!("{lie}, at {location}"),
                None => lie,
            };
            self.report(site, exit, lie);
        }
        if self.is_sampled(site.asks_for_signals) {
            return self.after_sample(self.rebuilt(site, exit, None, Engine::blackhole));
        }
        let count = self.count_failure(guard, site, exit);
        self.log_exit(guard, site, format_args!("failed, {count} times so far"));
        if site.maker == Maker::Threader {
            if self.wants_bridge(guard, count) {
                self.learn_arm(guard, site, exit);
            }
        } else if self.wants_bridge(guard, count) && self.tidy_for(site.tree) {
            if !self.specialises_exit(site) {
                return self.trace_guard(guard, site, exit);
            }
            self.specialise_guard(guard, site, exit);
        }
        if taken.is_some() {
            self.note_taken(site, count);
        }
        self.rebuilt(site, exit, taken, Engine::give_to_interpreter)
    }

    /// The state of the interpreter behind an exit is found, and goes to `run`.
    fn rebuilt(
        &self,
        site: &GuardSite,
        exit: &[u64],
        taken: Option<Taken>,
        run: fn(&Engine, FrameStack) -> Next,
    ) -> Next {
        let _phase = self.meter.leave_code();
        // SAFETY: the context is current; the words are the guard's fail arguments.
        let frames = unsafe {
            let (unit, resume) = (&self.linked.unit, &site.resume);
            match taken {
                Some(taken) => rebuild_taken(self.ctx, unit, resume, exit, &taken.made),
                None => rebuild(self.ctx, unit, resume, exit),
            }
        };
        match frames {
            Ok(frames) => match run(self, frames) {
                Next::Interpreter(state) if site.maker == Maker::Threader => Next::Thread(state),
                next => next,
            },
            Err(_) => self.raise_lost(),
        }
    }

    /// A guard has failed, and no bridge has been made: counts if the interpreter has to take over.
    pub(crate) fn give_to_interpreter(&self, frames: FrameStack) -> Next {
        let next = self.blackhole(frames);
        if let Next::Interpreter(_) = next {
            self.meter.note(|s| s.guard_failures.interpreter += 1);
        }
        next
    }

    /// A call has panicked: makes the guest's heap what it would be, and lets the panic go on.
    fn panic_on(&self, guard: GuardId, site: &GuardSite, exit: &[u64], taken: Option<Taken>) -> ! {
        self.log_exit(guard, site, "is left by a panic");
        // SAFETY: the context is current, and a panic is stored.
        let payload = unsafe { (*self.ctx).take_payload() };
        let payload = payload.expect("the panic flag is set with a payload");
        self.flush(site, exit, taken.as_ref());
        resume_unwind(payload)
    }

    /// A hint is not true: makes the guest's heap what it would be, and panics.
    fn report(&self, site: &GuardSite, exit: &[u64], lie: String) -> ! {
        self.flush(site, exit, None);
        std::panic::panic_any(lie)
    }

    /// How often the guard has failed, with this value if it is on a promoted one.
    fn count_failure(&self, guard: GuardId, site: &GuardSite, exit: &[u64]) -> u32 {
        self.meter.note(|s| s.guard_failures.total += 1);
        if let Some(places) = &self.places {
            places.borrow_mut().failed(site.piece, guard);
        }
        if let Some(explained) = &self.explained {
            explained.failed(guard);
        }
        let guard = &mut self.guards.borrow_mut()[guard];
        guard.failures = guard.failures.saturating_add(1);
        match &site.promotion {
            Some(promotion) => guard.values.count(promotion.value(exit)),
            None => guard.failures,
        }
    }

    fn wants_bridge(&self, id: GuardId, count: u32) -> bool {
        let mut guards = self.guards.borrow_mut();
        let guard = &mut guards[id];
        if count < self.eagerness(guard.site())
            || guard.blocked
            || guard.tracing
            || !guard.site().bridgeable
            || !self.is_valid(guard.home.piece)
        {
            return false;
        }
        if guard
            .site()
            .promotion
            .is_some_and(|p| p.bridges >= self.params.promotion_limit)
        {
            guard.blocked = true;
            self.meter.note(|s| s.blocked += 1);
            return false;
        }
        if !self.may_trace() {
            return false;
        }
        let site = Rc::clone(guard.site());
        drop(guards);
        if self.outgrows(site.tree) {
            return false;
        }
        if !self.can_afford() {
            // It would be left here again and again.
            match site.maker {
                Maker::Threader => self.threads.is_waiting.set(true),
                _ => self.rest_tree(site.tree),
            }
            return false;
        }
        self.has_room_at_guard(id, &site, count)
    }

    /// Interprets jitcode until the native interpreter can take over.
    pub(crate) fn blackhole(&self, frames: FrameStack) -> Next {
        // SAFETY: the context is current, and the frames belong to it.
        match unsafe { blackhole(self.ctx, &self.linked.unit, frames, self) } {
            Stop::MergePoint(state) => Next::Interpreter(state),
            Stop::Return(words) => Next::Return(words),
            Stop::Panic(payload) => resume_unwind(payload),
            Stop::Exhausted => HeapExhausted::raise(),
        }
    }

    pub(crate) fn log_exit(&self, guard: GuardId, site: &GuardSite, what: impl Display) {
        self.log.piece(Stage::Deopt, || {
            let at = match self.guard_location(guard) {
                Some(location) => format!(" at {location}"),
                None => String::new(),
            };
            let header = format!("{guard} of trace {}{at} {what}", site.piece);
            (header, self.show_frames(site))
        });
    }

    /// The frames that a guard goes back to, innermost first.
    fn show_frames(&self, site: &GuardSite) -> String {
        let mut text = String::new();
        for frame in site.resume.frames.iter() {
            let code = &self.linked.unit.codes[CodeId::from_u32(frame.code)];
            let line = code.lines.get(frame.pc as usize).copied().unwrap_or(0);
            let _ = writeln!(text, "{} at {} ({}:{line})", code.name, frame.pc, code.file);
        }
        text
    }
}
