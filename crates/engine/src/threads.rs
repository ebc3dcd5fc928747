//! Threaded code: the first tier, which costs almost nothing. In: places of the guest program that are passed. Out: a record for each, and
//! code that all places with the same instruction share. Invariants: a place runs as threaded code as long as it has no code
//! of another tier; where threaded code is left, the interpreter's state is found as behind any exit, and the place it comes to is
//! entered again.
//!
//! An instruction is compiled when a place with it comes up, for the arms that the guest program has taken there. When another arm
//! is taken, the instruction is compiled anew, and all places go over to the new code. Source: "Two-level Just-in-Time Compilation
//! with One Interpreter and One Engine" (2022), section 3.

#![allow(unsafe_code)]

use crate::compile::Drafted;
use crate::enter::Next;
use crate::host::OptimiserHost;
use crate::log::Stage;
use crate::meter::Phase;
use crate::state::Engine;
use crate::state::assumed::Watching;
use crate::state::attempt::{Failed, Place};
use crate::state::cells::Code;
use crate::state::roots::Pins;
use crate::state::sites::GuardSite;
use crate::state::threads::{Common, StencilId, ThreadId};
use crate::stats::Maker;
use crate::tiers::{LONGER, RESTS};
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use verdigris_heap::{Context, Tier, detector, hash_greens};
use verdigris_opt::{Host, Optimised, Optimiser};
use verdigris_specialise::{
    Decoded, Decoder, Lazy, Left, Limits, Stencil, Threading, entrance, learn, stencil,
    without_code,
};
use verdigris_trace::{GuardId, RecordedTrace};

/// An instruction is compiled anew for other arms so often.
const REMAKES: u32 = 24;

/// Arrivals that are never all counted.
const FOREVER: u64 = u64::MAX;

/// What compiled code calls to find the record of a place: it takes the greens.
///
/// # Safety
/// `ctx` is the current context, exposed as a number; `greens` are as many words as the merge point has greens.
pub(crate) unsafe extern "C" fn record_of(ctx: usize, greens: *const u64) -> u64 {
    let ctx = std::ptr::with_exposed_provenance_mut::<Context>(ctx);
    // SAFETY: the caller's promise; the engine lives as long as its context is current.
    let engine = unsafe { &*(*ctx).engine.cast::<Engine>() };
    let _own = detector::own();
    // SAFETY: the caller's promise.
    let greens = unsafe { std::slice::from_raw_parts(greens, engine.linked.greens.len()) };
    match engine.threads.short(greens) {
        Some(record) => record,
        None => {
            let thread = engine.thread(greens);
            engine.threads.shorten(thread)
        }
    }
}

/// What compiled code calls where it cannot call threaded code: it takes the greens, their record and the reds, and runs the portal from there.
///
/// # Safety
/// As [`record_of`]; `words` are as many as there are greens and reds, and one more.
pub(crate) unsafe extern "C" fn run_thread(ctx: usize, words: *const u64) -> u64 {
    let ctx = std::ptr::with_exposed_provenance_mut::<Context>(ctx);
    let _own = detector::own();
    // SAFETY: the caller's promise.
    let (engine, words) = unsafe {
        let engine = &*(*ctx).engine.cast::<Engine>();
        let greens = engine.linked.greens.len();
        let len = greens + 1 + engine.linked.reds.len();
        (engine, std::slice::from_raw_parts(words, len))
    };
    let greens = engine.linked.greens.len();
    let state = [&words[..greens], &words[greens + 1..]].concat();
    // No panic unwinds through compiled code.
    let result = catch_unwind(AssertUnwindSafe(|| engine.run_from(state)));
    // SAFETY: the context is current; no other reference to its fields lives now.
    unsafe {
        match result {
            Ok(words) => {
                let results = &mut (*ctx).results;
                results[..words.len()].copy_from_slice(&words);
                words.first().copied().unwrap_or(0)
            }
            Err(payload) => {
                (*ctx).set_payload(payload);
                0
            }
        }
    }
}

impl Engine {
    /// The place with these greens.
    fn thread(&self, greens: &[u64]) -> ThreadId {
        self.threads.add(greens, self.arrivals(), || {
            // SAFETY: the context outlives the engine.
            let mut pins = unsafe { Pins::new(self.ctx) };
            let objects = self.linked.objects(greens);
            objects.for_each(|object| pins.add(object));
            pins
        })
    }

    /// How many arrivals are counted before a place may have code of another tier.
    fn arrivals(&self) -> u64 {
        match self.params.compiler.is_threaded_only() {
            true => FOREVER,
            false => self.params.threshold.into(),
        }
    }

    /// Whether a place that has been passed a few times gets threaded code.
    pub(crate) fn threads_place(&self, greens: &[u64]) -> bool {
        let is_first = self.params.thread_threshold > 0 || self.params.compiler.is_threaded_only();
        if !is_first || self.params.check_hints || self.linked.red_dispatch.is_some() {
            return false;
        }
        let cells = self.cells.borrow();
        let is_out = |cell| cells[cell].unthreaded || cells[cell].code().is_some();
        let is_blocked = |thread| self.threads.is_blocked(thread);
        !(cells.find(greens).is_some_and(is_out)
            || self.threads.find(greens).is_some_and(is_blocked))
    }

    /// A place gets threaded code, which native code enters from now on.
    #[inline(never)]
    pub(crate) fn thread_header(&self, hash: u64, state: &[u64]) -> Next {
        let greens = self.greens(state);
        let cell = self.cell_for(greens);
        if self.wake(cell, hash) {
            self.threads.is_waiting.set(false);
            return Next::Header(state.to_vec());
        }
        if let Some(code) = self.threaded(state) {
            let before = self.cells.borrow_mut().set_code(cell, Some(code));
            if before.is_none() {
                self.counters.hold(hash);
            }
            return Next::Header(state.to_vec());
        }
        self.counters.delay(hash, self.params.threshold);
        Next::Interpreter(state.to_vec())
    }

    /// The code that the guest program goes on in where threaded code has been left at a merge point.
    pub(crate) fn go_on_threaded(&self, state: &[u64]) -> Option<Code> {
        let greens = self.greens(state);
        let code = self.code(greens);
        if let Some(code) = code.as_ref().filter(|code| !code.is_threaded()) {
            if let Some(thread) = self.threads.find(greens) {
                self.threads.close(thread);
            }
            return Some(code.clone());
        }
        if self.threads.is_waiting.get() {
            return None;
        }
        self.threaded(state)
    }

    /// Threaded code that native code has entered at a place was left too soon, too often.
    pub(crate) fn judge_threads(&self, record: u64) {
        let Some(greens) = self.threads.greens_of(record) else {
            return;
        };
        let cell = self.cell_for(&greens);
        self.tell_tier(cell, || "threaded code is left too soon".to_string());
        let rests = self.cells.borrow()[cell].rests;
        if rests < RESTS {
            self.cells.borrow_mut()[cell].rests += 1;
            return self.rest(cell, &greens, LONGER.pow(rests) - 1);
        }
        self.cells.borrow_mut()[cell].rests = 0;
        self.cells.borrow_mut()[cell].unthreaded = true;
        if self.cells.borrow_mut().set_code(cell, None).is_some() {
            self.counters.release(hash_greens(&greens));
        }
    }

    /// There was no time to compile what native code comes to: it does not enter until there is.
    #[inline(never)]
    pub(crate) fn rest_threads(&self, state: &[u64]) {
        let greens = self.greens(state);
        let cell = self.cell_for(greens);
        self.rest(cell, greens, 0);
    }

    /// Whether there is time to compile an instruction.
    fn can_afford_instruction(&self) -> bool {
        let can = self.can_afford();
        self.threads.is_waiting.set(!can);
        can
    }

    /// Counts that native code has entered a place. True if it has done so often enough for another tier.
    pub(crate) fn count_thread(&self, greens: &[u64]) -> bool {
        let Some(thread) = self.threads.find(greens) else {
            return false;
        };
        match self.threads.count(thread) {
            FOREVER => false,
            0 => true,
            count => {
                self.threads.set_count(thread, count - 1);
                count == 1
            }
        }
    }

    /// A place that runs as threaded code is hot: it may go over to another tier.
    pub(crate) fn leave_threads(&self, state: &[u64]) -> Option<Next> {
        let greens = self.greens(state);
        let thread = self.threads.find(greens)?;
        if self.threads.count(thread) != 0 {
            return None;
        }
        self.threads.set_count(thread, self.arrivals());
        let tier = self.tier(greens);
        let is_blocked = {
            let cells = self.cells.borrow();
            cells.find(greens).is_some_and(|cell| cells[cell].blocked)
        };
        if tier == Tier::Interpreter
            || is_blocked
            || self.params.compiler.is_threaded_only()
            || !self.may_compile()
            || !self.has_room_at_header(greens)
            || !self.tidy()
        {
            return None;
        }
        // To tidy forgets cells.
        let (hash, cell) = (hash_greens(greens), self.cell_for(greens));
        Some(match self.specialises_place(tier, cell) {
            true => self.specialise_header(hash, cell, state),
            false => self.trace_header(hash, cell, state),
        })
    }

    /// The threaded code of a place; none if there is none.
    fn threaded(&self, state: &[u64]) -> Option<Code> {
        self.begin_threads(state)?;
        let thread = self.thread(self.greens(state));
        if !self.threads.has_code(thread) && !self.give_code(thread, state) {
            return None;
        }
        Some(Code {
            record: Some(self.threads.address(thread)),
            // Each place where native code enters has its own account.
            in_use: Rc::default(),
            ..self.threads.common().enter.clone()
        })
    }

    /// What all threaded code needs.
    fn begin_threads(&self, state: &[u64]) -> Option<()> {
        if self.threads.common.get().is_some() {
            return Some(());
        }
        let unit = &self.linked.unit;
        let enter = self.make(state, |optimiser, host, _| {
            (entrance(unit, optimiser, host), ())
        });
        let (enter, _, ()) = enter?;
        let cold = self.make(state, |optimiser, host, threading| {
            let Stencil { specialised, .. } = without_code(unit, threading, optimiser, host);
            (specialised.optimised, ())
        });
        let (cold, _, ()) = cold?;
        let (tree, _) = self.threads.tree.get()?;
        let entry = self.backend.borrow().entry(enter)?;
        let common = Common {
            entrance: Cell::new(entry.address()),
            cold: self.backend.borrow().thread_word(cold),
            enter: Code {
                target: enter,
                entry,
                maker: Maker::Threader,
                tree: *tree,
                in_use: self.trees.borrow().in_use(*tree),
                record: None,
            },
        };
        self.threads.common.set(common).ok()
    }

    /// Gives a place the code of its instruction. False if there is none.
    fn give_code(&self, thread: ThreadId, state: &[u64]) -> bool {
        if self.threads.is_blocked(thread) {
            return false;
        }
        let _phase = self.meter.enter(Phase::Optimising);
        let choice = self.threads.any_stencil().map(|some| {
            let greens = self.greens(state);
            self.with_host(|host| some.decoder.first_choice(greens, host))
                .0
        });
        let candidates = choice.map_or(Vec::new(), |choice| self.threads.candidates(choice));
        if candidates
            .into_iter()
            .any(|stencil| self.instantiate(thread, stencil))
        {
            return true;
        }
        let made = match self.can_afford_instruction() {
            true => self.make_stencil(thread, state),
            false => return false,
        };
        let is_done = made.is_some_and(|stencil| self.instantiate(thread, stencil));
        if !is_done {
            self.threads.block(thread);
        }
        is_done
    }

    /// Compiles the instruction at a place.
    fn make_stencil(&self, thread: ThreadId, state: &[u64]) -> Option<StencilId> {
        let (word, piece, decoder) = self.compile_stencil(state, self.pieces.get())?;
        Some(self.threads.add_stencil(piece, word, thread, decoder))
    }

    /// The code of an instruction: what records begin with, the number of the trace, and how places find what they have in their records.
    fn compile_stencil(&self, state: &[u64], number: u32) -> Option<(u64, u32, Decoder)> {
        let (unit, greens) = (&self.linked.unit, self.greens(state));
        let limits = Limits {
            lazy: self.arms_of_stencils(),
            operations: 4000,
            ways: 200,
            ..Limits::default()
        };
        let (target, piece, decoder) = self.make(state, |optimiser, host, threading| {
            let threading = Threading {
                number,
                ..threading
            };
            let made = stencil(unit, greens, threading, optimiser, host, limits);
            (made.specialised.optimised, made.decoder)
        })?;
        let word = self.backend.borrow().thread_word(target);
        Some((word, piece, decoder))
    }

    /// Which arms of an instruction wait. If the branches of the guest program did, it would be compiled anew for each of its ways.
    fn arms_of_stencils(&self) -> Lazy {
        match self.params.lazy_arms.lazy() {
            Lazy::None => Lazy::None,
            Lazy::Types | Lazy::All => Lazy::Types,
        }
    }

    /// Compiles what `write` writes. Answers its label, and the number of the trace.
    fn make<T>(
        &self,
        state: &[u64],
        write: impl FnOnce(&mut Optimiser, &mut dyn Host, Threading) -> (Optimised, T),
    ) -> Option<(verdigris_trace::TargetId, u32, T)> {
        let piece = self.next_piece();
        let title = self.title(Place::Stencil, piece, state);
        let threading = Threading {
            record_of: self.linked.record_of,
            run: self.linked.run_thread,
            number: piece,
        };
        let written = {
            let _phase = self.meter.enter(Phase::Optimising);
            let mut optimiser = self.optimiser.try_borrow_mut().ok()?;
            self.with_host(|host| write(&mut optimiser, host, threading))
        };
        let ((optimised, more), pins) = written;
        let target = optimised.entry?;
        let drafted = Drafted {
            place: Place::Stencil,
            maker: Maker::Threader,
            piece,
            pins,
            // SAFETY: the context outlives the engine.
            watching: unsafe { Watching::new(self.ctx, piece) },
            given: Vec::new(),
        };
        let done = self.put_to_use(drafted, &title, &RecordedTrace::default(), optimised, state);
        if let Err(Failed { reason, detail }) = done {
            self.meter.abort(reason);
            self.log.piece(Stage::Trace, || {
                (format!("{title} given up: {reason}"), detail)
            });
            return None;
        }
        Some((target, piece, more))
    }

    /// Does something with a view of the heap that assumes nothing. What it mentions stays alive with the result.
    fn with_host<T>(&self, work: impl FnOnce(&mut dyn Host) -> T) -> (T, Pins) {
        // SAFETY: the context outlives the engine.
        let mut pins = unsafe { Pins::new(self.ctx) };
        let mut host = OptimiserHost {
            engine: self,
            ctx: self.ctx,
            linked: &self.linked,
            pins: &mut pins,
            watching: None,
            keeps: false,
        };
        let done = work(&mut host);
        (done, pins)
    }

    /// Gives a place the code of a stencil. False if the place has another instruction.
    fn instantiate(&self, thread: ThreadId, stencil: StencilId) -> bool {
        let code = self.threads.stencil(stencil);
        let greens = self.threads.greens(thread);
        let (decoded, mentioned) = self.with_host(|host| code.decoder.decode(&greens, host));
        let Some(decoded) = decoded else {
            return false;
        };
        let successors = self.successors(&decoded);
        self.threads
            .instantiate(thread, stencil, &decoded, &successors, mentioned);
        true
    }

    /// The places that the code of a place goes on at.
    fn successors(&self, decoded: &Decoded) -> Vec<ThreadId> {
        let greens = decoded.successors.iter();
        greens.map(|(_, greens)| self.thread(greens)).collect()
    }

    /// Threaded code is always left at a guard.
    fn stays(&self, guard: GuardId, why: &str) {
        self.guards.borrow_mut()[guard].blocked = true;
        self.log.piece(Stage::Tier, || {
            let title = format!("threaded code is always left at {guard}: {why}");
            (title, String::new())
        });
    }

    /// Threaded code has been left at a guard. If that is because an arm is wanting, the instruction is compiled anew with it.
    pub(crate) fn learn_arm(&self, guard: GuardId, site: &Rc<GuardSite>, exit: &[u64]) {
        let Some(stencil) = self.threads.stencil_of(site.piece) else {
            return;
        };
        let before = self.threads.stencil(stencil);
        if before.remade >= REMAKES {
            self.stays(guard, "it has been made anew too often");
            return;
        }
        if !self.can_afford_instruction() {
            return;
        }
        let left = Left {
            resume: &site.resume,
            facts: &site.facts,
            types: &site.types,
            words: exit,
            compared: 0,
        };
        let limits = Limits {
            lazy: self.arms_of_stencils(),
            ..Limits::default()
        };
        let is_new = {
            let Ok(mut optimiser) = self.optimiser.try_borrow_mut() else {
                return;
            };
            let unit = &self.linked.unit;
            self.with_host(|host| learn(unit, &left, &mut optimiser, host, limits))
                .0
        };
        if !is_new {
            return self.stays(guard, "no arm is wanting");
        }
        let number = site.facts.place().unwrap_or(site.piece);
        let greens = self.threads.greens(before.like);
        let Some((word, piece, decoder)) = self.compile_stencil(&greens, number) else {
            return;
        };
        let places = self.threads.with_stencil(stencil);
        self.threads.replace_stencil(stencil, piece, word, decoder);
        for place in places {
            if !self.instantiate(place, stencil) {
                self.threads.close(place);
            }
        }
    }
}
