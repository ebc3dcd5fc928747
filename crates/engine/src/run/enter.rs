//! Where native code comes in and compiled code is run. In: the interpreter's state at a header,
//! from the slow path of `can_enter_jit!`, or at the first merge point of a call. Out: what the
//! interpreter does next. Invariant: every way through here makes progress in the guest program or
//! leaves the counter such that the next pass is decided natively.

use crate::code::entry_cache::Way;
use crate::code::jit_cells::Code;
use crate::code::roots::rooted;
use crate::engine::Engine;
use crate::observe::profile::state::Profiled;
use crate::policy::meter::Phase;
use crate::run::stack;
use smallvec::SmallVec;
use std::rc::Rc;
use verdigris_backend::CodeExit;
use verdigris_heap::{Context, EntryKind, StateShape, Tier, detector};

/// What the interpreter does next.
pub(crate) enum Outcome {
    /// Goes on as if nothing had been.
    Interpret,
    /// Goes on from another state at the merge point.
    Resume(Vec<u64>),
    /// Returns the value of these words.
    Return(Vec<u64>),
}

/// Where the guest program is after compiled code was left or a trace recorded. The words are not
/// seen by the collector: no guest code runs and nothing is allocated until they are handed on.
pub(crate) enum Next {
    /// At a header that may have code.
    Header(Vec<u64>),
    /// At a merge point, where the interpreter takes over.
    Interpreter(Vec<u64>),
    /// At a merge point that threaded code has come to.
    Thread(Vec<u64>),
    /// Behind the portal's return, with the words of its result.
    Return(Vec<u64>),
}

/// What is known of a header.
enum Found {
    Code(Rc<Way<Code>>),
    /// Nothing hinders a trace.
    Cold,
    /// Given up.
    Blocked,
    /// A trace that starts here is under way further out.
    Tracing,
}

/// The slow path of `can_enter_jit!` and `enter_function`: 0 to interpret on, 1 to go on with the
/// new state in `state`, 2 to return the value whose words are at the start of `state`. Panics of
/// the guest program come out by unwinding.
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
    if engine.is_asking() {
        return 0;
    }
    let _own = detector::own();
    // SAFETY: the caller's promise; the words are copied, so that nothing aliases them while guest
    // code runs.
    let words = unsafe { std::slice::from_raw_parts_mut(state, shape.len) };
    if let Some(profiled) = &engine.profiled
        && engine.profile_pass(profiled, (pass, hash, frame), words)
    {
        return 0;
    }
    engine.check_room();
    engine.check_heap();
    engine.poll();
    if !engine.is_shape_checked.get() {
        engine.linked.check_shape(shape);
        engine.is_shape_checked.set(true);
    }
    engine.compile_ahead(words);
    let way = (engine.cells.borrow()).way(hash, engine.greens(words));
    let outcome = match way {
        Some(way) if way.code.is_threaded() && engine.threads.is_waiting.get() => {
            engine.rest_threads(words);
            Outcome::Interpret
        }
        Some(way) if way.code.is_threaded() && engine.count_thread(engine.greens(words)) => {
            engine.drive(Next::Thread(words.to_vec()))
        }
        Some(way) => {
            let exit = engine.enter(&way.code, engine.reds(words));
            if let CodeExit::Finish(_) = exit {
                engine.raise_late();
                // SAFETY: the caller's promise: there is room for the result, which compiled code
                // has just left there.
                unsafe {
                    let result = (*ctx).exits.as_ptr();
                    match engine.linked.result.len() {
                        // To call `memcpy` for a word takes longer than to find the code.
                        1 => *state = *result,
                        len => state.copy_from_nonoverlapping(result, len),
                    }
                }
                return 2;
            }
            engine.drive(engine.leave_from(&way.code, exit))
        }
        None => engine.at_header(pass, hash, words),
    };
    match outcome {
        Outcome::Interpret => 0,
        Outcome::Resume(new) => {
            words.copy_from_slice(&new);
            1
        }
        Outcome::Return(result) => {
            // SAFETY: the caller's promise.
            let words = unsafe { std::slice::from_raw_parts_mut(state, result.len()) };
            words.copy_from_slice(&result);
            2
        }
    }
}

impl Engine {
    /// Decides about a header whose slot has run out.
    fn at_header(&self, pass: EntryKind, hash: u64, state: &[u64]) -> Outcome {
        if !self.params.on {
            return Outcome::Interpret;
        }
        match self.find(hash, self.greens(state)) {
            Found::Code(way) => self.run(&way.code, self.reds(state)),
            Found::Blocked => {
                self.counters.silence(hash);
                Outcome::Interpret
            }
            Found::Tracing => {
                self.counters.rearm(hash);
                Outcome::Interpret
            }
            Found::Cold => self.count(pass, hash, state),
        }
    }

    fn find(&self, hash: u64, greens: &[u64]) -> Found {
        let mut cells = self.cells.borrow_mut();
        let Some(id) = cells.find(greens) else {
            return Found::Cold;
        };
        let cell = &mut cells[id];
        cell.used = self.trees.borrow().generation();
        let (blocked, tracing) = (cell.blocked, cell.tracing);
        match cells.add_way(hash, id) {
            Some(way) => Found::Code(way),
            None if blocked => Found::Blocked,
            None if tracing => Found::Tracing,
            None => Found::Cold,
        }
    }

    /// A pass of a header without code: traces if it is hot.
    fn count(&self, pass: EntryKind, hash: u64, state: &[u64]) -> Outcome {
        self.decay_for_collections();
        let is_hot = self.counters.tick(pass, hash) && self.may_compile();
        if !is_hot || !self.has_room_at_header(self.greens(state)) {
            return Outcome::Interpret;
        }
        let tier = self.tier(self.greens(state));
        if tier == Tier::Interpreter {
            self.leave_to_interpreter(hash, self.greens(state));
            return Outcome::Interpret;
        }
        if !self.tidy() {
            return Outcome::Interpret;
        }
        if self.threads_place(self.greens(state)) {
            let next = self.thread_header(hash, state);
            return self.drive(next);
        }
        let cell = self.cell_for(self.greens(state));
        if self.params.compiler.is_threaded_only() {
            self.leave_to_interpreter(hash, self.greens(state));
            return Outcome::Interpret;
        }
        let next = match self.specialises_place(tier, cell) {
            _ if self.wake(cell, hash) => Next::Header(state.to_vec()),
            true => self.specialise_header(hash, cell, state),
            false => self.trace_header(hash, cell, state),
        };
        self.drive(next)
    }

    /// From now on, nobody asks for code for these greens.
    fn leave_to_interpreter(&self, hash: u64, greens: &[u64]) {
        let cell = self.cell_for(greens);
        self.cells.borrow_mut()[cell].blocked = true;
        self.counters.silence(hash);
    }

    /// Enters compiled code and follows the guest program until the interpreter has to take over.
    fn run(&self, code: &Code, reds: &[u64]) -> Outcome {
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
                Next::Thread(state) => {
                    // What the author's functions allocate may collect.
                    // SAFETY: the context is current.
                    let goes_on = unsafe {
                        rooted(self.ctx, &raw const *state, |state| {
                            match self.leave_threads(state) {
                                Some(next) => Err(next),
                                None => Ok(self.go_on_threaded(state)),
                            }
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
            let Some(code) = self.code(self.greens(&state)) else {
                return Outcome::Resume(state);
            };
            self.check_exhaustion_with(self.reds(&state));
            let exit = self.enter(&code, self.reds(&state));
            next = self.leave_from(&code, exit);
        }
    }

    /// Runs compiled code until an exit.
    fn enter(&self, code: &Code, reds: &[u64]) -> CodeExit {
        let _held = self.trees.borrow().hold(&*code.in_use);
        let _threads = code.is_threaded().then(|| self.hold_threads());
        let running = Phase::Running(code.maker);
        // An explanation must not miss the one entry in which all the time went.
        let weight = match self.explained {
            Some(_) => Some(1.0),
            None => code.in_use.account.weight(),
        };
        let continues = (self.profiled.as_ref()).is_some_and(Profiled::continues_entry);
        if continues {
            self.meter.continue_entry(code.maker);
        }
        let before = self.meter.seconds(running);
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
        let _inside = self.explained.as_ref().map(|e| e.enter(code.tree));
        let exit = match &self.profiled {
            Some(profiled) => self.run_profiled(profiled, code, reds, weight),
            None => self.run_code(code, reds, weight),
        };
        let inside = self.meter.seconds(running) - before;
        if continues {
            code.in_use.account.went_on(inside);
        } else if code.in_use.account.entered(inside, weight) {
            self.judge(code);
        }
        if self.params.shuffle_tiers != 0 {
            self.shuffle(code);
        }
        exit
    }

    #[inline(always)]
    fn run_code(&self, code: &Code, reds: &[u64], weight: Option<f64>) -> CodeExit {
        let _phase = self.meter.enter_code(code.maker, weight);
        let _guests = detector::guests();
        // SAFETY: the context is current, and an entry's label takes the reds.
        unsafe { code.entry.run(self.ctx, reds) }
    }

    /// Runs compiled code of a guest program that is profiled. It has a frame of its own, which is
    /// small: whatever lies below an address in it is looked through for return addresses into
    /// compiled code, and a large frame, such as its caller's, may hold old ones.
    #[inline(never)]
    fn run_profiled(
        &self,
        profiled: &Profiled,
        code: &Code,
        reds: &[u64],
        weight: Option<f64>,
    ) -> CodeExit {
        let level = profiled.enter_code(code.maker, stack::here());
        let exit = self.run_code(code, reds, weight);
        if self.signals.has_sample() {
            // As long as it is known that the code was entered.
            profiled.take(None);
        }
        drop(level);
        exit
    }

    /// What follows an exit of the code that was entered. It has no frame of its own on the native
    /// stack, where recursion has one of each.
    #[inline(always)]
    fn leave_from(&self, code: &Code, exit: CodeExit) -> Next {
        let before = self.meter.seconds(Phase::Leaving);
        let is_hopeless = self.is_hopeless(exit);
        let next = self.leave(exit);
        if is_hopeless {
            let leaving = self.meter.seconds(Phase::Leaving) - before;
            code.in_use.account.left(leaving);
        }
        next
    }

    /// What follows an exit of compiled code.
    pub(crate) fn leave(&self, exit: CodeExit) -> Next {
        match exit {
            CodeExit::Finish(_) => {
                let len = self.linked.result.len();
                // SAFETY: the context is current; compiled code has left the words of the portal's
                // result there.
                Next::Return(unsafe { (&(*self.ctx).exits)[..len].to_vec() })
            }
            CodeExit::Guard(guard) => self.guard_failed(guard),
            CodeExit::OutOfMemory => self.raise_lost(),
        }
    }
}
