//! Threaded code: the first tier. In: places of the guest program that are passed. Out: code that
//! native code enters and leaves there, which is that of their instructions
//! ([`crate::threaded_code::stencils`]). Invariants: a place runs as threaded code as long as it
//! has no code of another tier; where threaded code is left, the interpreter's state is found as
//! behind any exit, and the place it comes to is entered again; where there is no time to compile,
//! native code does not enter. Source: "Two-level Just-in-Time Compilation with One Interpreter and
//! One Engine" (2022), section 3.

#![forbid(unsafe_code)]

use crate::code::jit_cells::Code;
use crate::code::roots::Pins;
use crate::code::trees::{Held, InUse};
use crate::engine::Engine;
use crate::policy::tiers::{LONGER, RESTS};
use crate::run::enter::Next;
use std::rc::Rc;
use verdigris_heap::{Tier, hash_greens};

/// Arrivals that are never all counted.
const FOREVER: u64 = u64::MAX;

impl Engine {
    /// Keeps all threaded code until the result is dropped.
    pub(crate) fn hold_threads(&self) -> Held<Rc<InUse>> {
        let common = self.threads.common();
        self.trees.borrow().hold(Rc::clone(&common.enter.in_use))
    }

    /// Threaded code has been freed: no place has any, and none has a record. `pins` has no objects
    /// yet.
    pub(crate) fn forget_threads(&self, pins: Pins) {
        self.threads.clear(pins);
        let freed = self.cells.borrow_mut().drop_threaded();
        for hash in freed {
            self.counters.release(hash);
        }
    }

    /// How many arrivals are counted before a place may have code of another tier.
    pub(crate) fn arrivals(&self) -> u64 {
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

    /// The code that the guest program goes on in where threaded code has been left at a merge
    /// point.
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
        self.tell_tier(cell, "threaded code is left too soon", String::new);
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

    /// Counts that native code has entered a place. True if it has done so often enough for another
    /// tier.
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
        self.make_room();
        self.begin_threads(state)?;
        let _held = self.hold_threads();
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
}
