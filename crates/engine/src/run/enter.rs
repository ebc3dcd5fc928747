//! Entering compiled code from native code, and following the guest program until the interpreter
//! takes over.
//!
//! Invariant: every path makes progress in the guest program, or leaves the counter such that the
//! next pass is decided natively.

use crate::code::entry_cache::CachedEntry;
use crate::code::jit_cells::Code;
use crate::code::roots::rooted;
use crate::engine::Engine;
use crate::observe::event::{Event, InterpretedFor};
use crate::observe::observers::EnteredCode;
use crate::observe::profile::state::Profiled;
use crate::policy::counters::SILENT;
use crate::policy::phase_clock::Phase;
use crate::run::stack;
use smallvec::SmallVec;
use std::rc::Rc;
use verdigris_backend::CodeExit;
use verdigris_heap::{Context, EntryKind, StateShape, Tier, detector, memory_is_low};
use verdigris_report::WhyInterpreted;

/// What the interpreter does next.
pub(crate) enum Outcome {
    /// Continues as if it had not asked.
    Interpret,
    /// Continues from another state at the merge point.
    Resume(Vec<u64>),
    /// Returns the value of these words.
    Return(Vec<u64>),
}

/// Where the guest program is after an exit or a recording. The collector does not see the words:
/// no guest code runs and nothing is allocated until they are passed on.
pub(crate) enum Next {
    /// At a header that may have code.
    Header(Vec<u64>),
    /// At a merge point where a trace was cut, and another may start.
    Segment(Vec<u64>),
    /// At a merge point where the interpreter takes over.
    Interpreter(Vec<u64>),
    /// At a merge point that threaded code has come to.
    Thread(Vec<u64>),
    /// Behind the portal's return, with the words of its result.
    Return(Vec<u64>),
}

/// The state of a header.
enum HeaderState {
    Code(Rc<CachedEntry<Code>>),
    /// It may be traced.
    Cold,
    /// Attempts were given up for good.
    Blocked,
    /// An attempt that starts here is under way further out.
    Tracing,
}

/// The slow path of `can_enter_jit!` and `enter_function`. Returns 0 to interpret on, 1 to continue
/// with the new state in `state`, 2 to return the value whose words are at the start of `state`.
/// Panics of the guest program unwind through it.
///
/// # Safety
/// `ctx` is the current context and has an engine; `state` has as many words as the shape says, the
/// greens, then the reds of the merge point, and room for the words of the portal's result.
pub(crate) unsafe fn can_enter(
    ctx: *mut Context,
    pass: EntryKind,
    hash: u64,
    frame: usize,
    state: *mut u64,
    shape: &'static StateShape,
) -> u32 {
    // SAFETY: the caller's promise; the engine lives as long as its context is current.
    let engine = unsafe { &*(*ctx).engine.cast::<Engine>() };
    if engine.observers.is_asking() {
        return 0;
    }
    // SAFETY: the caller's promise; the words are copied, so that nothing aliases them while guest
    // code runs.
    let words = unsafe { std::slice::from_raw_parts_mut(state, shape.len) };
    if let Some((cached, exit)) = engine.enter_unwatched((pass, hash, frame), words) {
        if let CodeExit::Finish(_) = exit {
            engine.raise_late();
            // SAFETY: the caller's promise.
            return unsafe { finish(ctx, engine, state) };
        }
        let _own = detector::own();
        let outcome = engine.drive(engine.leave_from(&cached.code, exit));
        // SAFETY: the caller's promise.
        return unsafe { hand_over(outcome, state, shape.len) };
    }
    let _own = detector::own();
    if let Some(profiled) = &engine.observers.profiled
        && engine.profile_pass(profiled, (pass, hash, frame), words)
    {
        return 0;
    }
    engine.check_room();
    engine.check_heap();
    engine.poll();
    if !engine.run.is_shape_checked.get() {
        engine.program.check_shape(shape);
        engine.run.is_shape_checked.set(true);
    }
    engine.compile_ahead(words);
    let cached = (engine.code.cells.borrow()).cached_entry(hash, engine.greens(words));
    let intercepted = match &cached {
        Some(cached) if cached.code.is_threaded() => engine.threaded().arrive(words),
        _ => None,
    };
    let outcome = match (intercepted, cached) {
        (Some(outcome), _) => outcome,
        (None, Some(cached)) => {
            let exit = engine.enter(&cached.code, engine.reds(words));
            if let CodeExit::Finish(_) = exit {
                engine.raise_late();
                // SAFETY: the caller's promise.
                return unsafe { finish(ctx, engine, state) };
            }
            engine.drive(engine.leave_from(&cached.code, exit))
        }
        (None, None) => engine.at_header(pass, hash, words),
    };
    // SAFETY: the caller's promise.
    unsafe { hand_over(outcome, state, shape.len) }
}

/// Compiled code has finished: the words of the portal's result become the state.
///
/// # Safety
/// As for [`can_enter`].
#[inline(always)]
unsafe fn finish(ctx: *mut Context, engine: &Engine, state: *mut u64) -> u32 {
    // SAFETY: the caller's promise: there is room for the result, which compiled code has just left
    // there.
    unsafe {
        let result = (*ctx).exits.as_ptr();
        match engine.program.result.len() {
            // A call of `memcpy` for one word takes longer than finding the code.
            1 => *state = *result,
            len => state.copy_from_nonoverlapping(result, len),
        }
    }
    2
}

/// Nothing is compiled any more, and the place is looked at again after so many passes.
pub(crate) fn given_up() -> Option<InterpretedFor> {
    Some(InterpretedFor {
        why: WhyInterpreted::GivenUp,
        pass: None,
        passes: u32::from(SILENT),
    })
}

/// Hands an outcome over as [`can_enter`] does. A state has this many words.
///
/// # Safety
/// As for [`can_enter`].
unsafe fn hand_over(outcome: Outcome, state: *mut u64, len: usize) -> u32 {
    let (words, answer) = match &outcome {
        Outcome::Interpret => return 0,
        Outcome::Resume(new) => (&new[..len], 1),
        Outcome::Return(result) => (&result[..], 2),
    };
    // SAFETY: the caller's promise: there is room for as many words.
    unsafe { state.copy_from_nonoverlapping(words.as_ptr(), words.len()) };
    answer
}

impl Engine {
    /// Decides about a header whose slot has run out.
    fn at_header(&self, pass: EntryKind, hash: u64, state: &[u64]) -> Outcome {
        if !self.params.on {
            return Outcome::Interpret;
        }
        match self.find(hash, self.greens(state)) {
            HeaderState::Code(cached) => self.enter_and_follow(&cached.code, self.reds(state)),
            HeaderState::Blocked => {
                self.code.counters.silence(hash);
                self.tell_passed(hash, self.greens(state), u32::from(SILENT), given_up());
                Outcome::Interpret
            }
            HeaderState::Tracing => {
                self.code.counters.rearm(hash);
                Outcome::Interpret
            }
            HeaderState::Cold => self.count(pass, hash, state),
        }
    }

    fn find(&self, hash: u64, greens: &[u64]) -> HeaderState {
        let mut cells = self.code.cells.borrow_mut();
        let Some(id) = cells.find(greens) else {
            return HeaderState::Cold;
        };
        let cell = &mut cells[id];
        cell.used = self.code.trees.borrow().generation();
        let (blocked, tracing) = (cell.blocked, cell.tracing);
        match cells.cache_entry(hash, id) {
            Some(cached) => HeaderState::Code(cached),
            None if blocked => HeaderState::Blocked,
            None if tracing => HeaderState::Tracing,
            None => HeaderState::Cold,
        }
    }

    /// A pass of a header without code: compiles it if it is hot.
    fn count(&self, pass: EntryKind, hash: u64, state: &[u64]) -> Outcome {
        self.decay_for_collections();
        if !self.code.counters.tick(pass, hash) {
            return Outcome::Interpret;
        }
        if memory_is_low() {
            self.give_way();
        }
        let may_compile = self.may_compile();
        let passes = self.code.counters.threshold(pass);
        let then = (!may_compile && self.budget.is_waiting.get()).then_some(InterpretedFor {
            why: WhyInterpreted::Waiting,
            pass: Some(pass),
            passes,
        });
        self.tell_passed(hash, self.greens(state), passes, then);
        if !may_compile || !self.has_room_at_header(self.greens(state)) {
            return Outcome::Interpret;
        }
        let tier = self.tier(self.greens(state));
        if tier == Tier::Interpreter {
            self.leave_to_interpreter(hash, state);
            return Outcome::Interpret;
        }
        if !self.make_room_for_trace() {
            return Outcome::Interpret;
        }
        if let Some(next) = self.threaded().begin(hash, state) {
            return self.drive(next);
        }
        let cell = self.code.cell_for(self.greens(state));
        if self.params.compiler.is_threaded_only() {
            self.leave_to_interpreter(hash, state);
            return Outcome::Interpret;
        }
        let next = match self.specialises_place(tier, cell) {
            _ if self.code.resume_entry(cell, hash) => Next::Header(state.to_vec()),
            true => self.specialise_header(hash, cell, state),
            false => self.trace_header(hash, cell, state),
        };
        self.drive(next)
    }

    /// Nothing is compiled for a place any more.
    fn leave_to_interpreter(&self, hash: u64, state: &[u64]) {
        self.code.block(hash, self.greens(state));
        self.tell_passed(hash, self.greens(state), 0, given_up());
    }

    /// Tells observers how often a place was passed, and why it is interpreted from now on.
    pub(crate) fn tell_passed(
        &self,
        hash: u64,
        greens: &[u64],
        passed: u32,
        then: Option<InterpretedFor>,
    ) {
        if self.observers.watches_passes() {
            self.observers.emit(Event::Passed {
                hash,
                greens,
                passed,
                then,
            });
        }
    }

    /// Enters compiled code, and follows the guest program until the interpreter takes over.
    fn enter_and_follow(&self, code: &Code, reds: &[u64]) -> Outcome {
        let exit = self.enter(code, reds);
        let next = self.leave_from(code, exit);
        self.drive(next)
    }

    pub(crate) fn drive(&self, mut next: Next) -> Outcome {
        loop {
            match next {
                Next::Return(_) => self.raise_late(),
                // Maybe an interrupt is why compiled code was left.
                _ => self.poll(),
            }
            let state = match next {
                Next::Header(state) => state,
                Next::Segment(state) => {
                    next = self.trace_segment(state);
                    continue;
                }
                Next::Thread(state) => {
                    // The author's functions may collect.
                    // SAFETY: the context is current.
                    let goes_on = unsafe {
                        rooted(self.ctx, &raw const *state, |state| {
                            self.threaded().go_on(state)
                        })
                    };
                    let code = match goes_on {
                        Ok(Some(code)) => code,
                        Ok(None) => return Outcome::Resume(state),
                        Err(goes_on) => {
                            next = goes_on;
                            continue;
                        }
                    };
                    self.check_exhaustion_with(self.reds(&state));
                    let exit = self.enter(&code, self.reds(&state));
                    next = self.leave_from(&code, exit);
                    continue;
                }
                Next::Interpreter(state) => return Outcome::Resume(state),
                Next::Return(words) => return Outcome::Return(words),
            };
            let Some(code) = self.code.find(self.greens(&state)) else {
                return Outcome::Resume(state);
            };
            self.check_exhaustion_with(self.reds(&state));
            let exit = self.enter(&code, self.reds(&state));
            next = self.leave_from(&code, exit);
        }
    }

    /// Enters compiled code as [`Engine::enter`] does, where no observer watches: then all that is
    /// left to do is to measure the entry. None if it has to be entered by the book, or if there is
    /// no code.
    #[inline(always)]
    fn enter_unwatched(
        &self,
        (pass, hash, frame): (EntryKind, u64, usize),
        state: &[u64],
    ) -> Option<(Rc<CachedEntry<Code>>, CodeExit)> {
        let run = &self.run;
        // SAFETY: the context outlives the engine.
        let has_late = unsafe { (*self.ctx).has_late() };
        if !run.is_unwatched
            || has_late
            || run.signals.is_raised()
            || run.broken.get()
            || !run.is_shape_checked.get()
            || self.pipeline.is_ahead.get()
        {
            return None;
        }
        let cached = (self.code.cells.borrow()).cached_entry(hash, self.greens(state))?;
        let code = &cached.code;
        if code.is_threaded() {
            return None;
        }
        self.check_room();
        let held = self.code.trees.borrow().hold(&*code.in_use);
        let call = (pass == EntryKind::Function).then_some(frame);
        let phase = self.clock.enter_code(code.compiler, call);
        let running = Phase::Running(code.compiler);
        let before = self.clock.seconds(running);
        // SAFETY: the context is current, and an entry's label takes the reds.
        let exit = unsafe { code.entry.run(self.ctx, self.reds(state)) };
        let is_measured = phase.is_measured();
        drop(phase);
        let inside = self.clock.seconds(running) - before;
        let profitability = &code.in_use.profitability;
        match is_measured {
            // Its seconds are among those of the code further out.
            false => profitability.entered_aside(),
            true if profitability.entered(inside) => self.check_profitability(code),
            true => {}
        }
        drop(held);
        Some((cached, exit))
    }

    /// Runs compiled code up to an exit.
    fn enter(&self, code: &Code, reds: &[u64]) -> CodeExit {
        let _held = self.code.trees.borrow().hold(&*code.in_use);
        let _threads = code.is_threaded().then(|| self.threaded().hold());
        let running = Phase::Running(code.compiler);
        let continues = (self.observers.profiled.as_ref()).is_some_and(Profiled::continues_entry);
        if continues {
            self.clock.continue_entry(code.compiler);
        }
        let before = self.clock.seconds(running);
        let with_record: SmallVec<[u64; 16]>;
        let reds = match &code.record {
            Some(record) => {
                with_record = std::iter::once(record.get())
                    .chain(reds.iter().copied())
                    .collect();
                &with_record
            }
            None => reds,
        };
        let observers = &self.observers;
        let is_watched = observers.watches_runs();
        let _inside = is_watched.then(|| EnteredCode::tell(observers, &self.clock, code.tree));
        let exit = match &self.observers.profiled {
            Some(profiled) => self.run_profiled(profiled, code, reds),
            None => self.run_code(code, reds),
        };
        let inside = self.clock.seconds(running) - before;
        if continues {
            code.in_use.profitability.went_on(inside);
        } else if code.in_use.profitability.entered(inside) {
            self.check_profitability(code);
        }
        if self.params.shuffle_tiers != 0 {
            self.shuffle(code);
        }
        exit
    }

    #[inline(always)]
    fn run_code(&self, code: &Code, reds: &[u64]) -> CodeExit {
        let _phase = self.clock.enter_code(code.compiler, None);
        let _guests = detector::guests();
        // SAFETY: the context is current, and an entry's label takes the reds.
        unsafe { code.entry.run(self.ctx, reds) }
    }

    /// Runs compiled code under a profile. The stack below the address that the level gets is
    /// searched for return addresses into compiled code, so it excludes this frame, which may hold
    /// stale ones.
    #[inline(never)]
    fn run_profiled(&self, profiled: &Profiled, code: &Code, reds: &[u64]) -> CodeExit {
        let level = profiled.enter_code(code.compiler, stack::below());
        let exit = self.run_code(code, reds);
        if self.run.signals.has_sample() {
            // While the entry is still on record.
            profiled.take(None);
        }
        drop(level);
        exit
    }

    /// Handles an exit of the code that was entered. Without a native frame of its own: recursion
    /// has one for each activation.
    #[inline(always)]
    fn leave_from(&self, code: &Code, exit: CodeExit) -> Next {
        let before = self.clock.seconds(Phase::Leaving);
        let is_hopeless = self.is_hopeless(exit);
        let next = self.leave(exit);
        if is_hopeless {
            let leaving = self.clock.seconds(Phase::Leaving) - before;
            code.in_use.profitability.left(leaving);
        }
        next
    }

    /// Handles an exit of compiled code.
    pub(crate) fn leave(&self, exit: CodeExit) -> Next {
        match exit {
            CodeExit::Finish(_) => {
                let len = self.program.result.len();
                // SAFETY: the context is current; compiled code has left the words of the portal's
                // result there.
                Next::Return(unsafe { (&(*self.ctx).exits)[..len].to_vec() })
            }
            CodeExit::Guard(guard) => self.guard_failed(guard),
            CodeExit::OutOfMemory => self.raise_lost(),
        }
    }
}
