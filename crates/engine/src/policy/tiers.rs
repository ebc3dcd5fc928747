//! Changes of tier: whether anything may be compiled now, suspended entries, and places that go
//! over to another compiler.
//!
//! Invariant: compiling takes no more time than an allowance, a share of the time spent
//! interpreting, and a share of that in compiled code, for what it has saved: so a program takes
//! hardly longer than without a JIT, as far as compiled code saves that share. Failures of guards
//! are no part of it, since bridges are what they call for. Where no time is measured
//! ([`crate::JitParams::compile_allowance`]), what is compiled depends on the guest program alone.
//! Source: "Two-level Just-in-Time Compilation with One Interpreter and One Engine" (2022), which
//! leaves the choice of the tier to later work.

use crate::code::jit_cells::{Code, JitCellId};
use crate::code::trees::TreeId;
use crate::engine::Engine;
use crate::observe::event::{Event, InterpretedFor};
use crate::params::Compiler;
use crate::policy::reasons::TierChange;
use verdigris_heap::{Tier, hash_greens};
use verdigris_report::WhyInterpreted;

/// Suspensions until a place gets other code, or none.
pub(crate) const SUSPENSIONS: u32 = 3;

/// Each suspension is this many times as long as the one before.
pub(crate) const LONGER: u32 = 8;

impl Engine {
    /// Whether anything may be compiled now.
    pub(crate) fn may_compile(&self) -> bool {
        self.may_trace() && self.can_afford()
    }

    /// Whether compiling may take more time.
    pub(crate) fn can_afford(&self) -> bool {
        if (self.budget).is_refused_at_random(self.params.shuffle_tiers != 0) {
            return false;
        }
        let Some(allowance) = self.params.compile_allowance.seconds() else {
            return true;
        };
        if self.budget.is_waiting.get() && self.clock.now() < self.budget.waits_until.get() {
            return false;
        }
        let balance = self.clock.balance();
        let share = |percent: u32, seconds: f64| f64::from(percent) / 100.0 * seconds;
        let allowed = allowance
            + share(self.params.compile_share, balance.interpreted)
            + share(self.params.compile_gain, balance.compiled);
        let can = balance.cost <= allowed;
        let interpreted = self.clock.interpreted();
        match (can, self.budget.is_waiting.replace(!can)) {
            (false, false) => self.observers.emit(Event::CompilingWaits {
                cost: balance.cost,
                allowed,
                interpreted,
            }),
            (true, true) => (self.observers).emit(Event::CompilingGoesOn { interpreted }),
            _ => {}
        }
        if !can {
            let rate = share(self.params.compile_share.max(self.params.compile_gain), 1.0);
            let until = self.clock.now() + (balance.cost - allowed) / rate;
            self.budget.waits_until.set(until);
        }
        can
    }

    /// Code has been entered often enough to decide whether it pays: if not, its entry is
    /// suspended, or its place goes over to another compiler.
    #[inline(never)]
    pub(crate) fn check_profitability(&self, code: &Code) {
        let [inside, leaving] = code.in_use.profitability.seconds();
        if code.in_use.profitability.pays() || self.params.compile_allowance.seconds().is_none() {
            if let (Some((cell, _)), None) = (self.code.place_with(code.tree), &code.record) {
                self.code.cells.borrow_mut()[cell].suspensions = 0;
            }
            return;
        }
        if let Some(record) = &code.record {
            return self.threaded().suspend(record.get());
        }
        let Some((cell, greens)) = self.code.place_with(code.tree) else {
            return;
        };
        self.tell_tier(&greens, TierChange::LeftTooSoon { inside, leaving });
        let suspensions = self.code.cells.borrow()[cell].suspensions;
        if suspensions >= SUSPENSIONS && self.can_switch_compiler(cell) {
            return self.switch_compiler(cell, &greens, code.tree);
        }
        let longer = LONGER.pow(suspensions) - 1;
        self.code.cells.borrow_mut()[cell].suspensions = SUSPENSIONS.min(suspensions + 1);
        self.suspend_entry(cell, &greens, longer);
    }

    /// The code behind an exit of a tree cannot be compiled now: suspends the tree's entry, if it
    /// is left there all the time.
    pub(crate) fn wait_for_bridge(&self, tree: TreeId) {
        let in_use = self.code.trees.borrow().in_use(tree);
        if !in_use.profitability.refused(self.clock.now()) {
            return;
        }
        if let Some((cell, greens)) = self.code.place_with(tree) {
            self.suspend_entry(cell, &greens, 0);
        }
    }

    /// Suspends the entry of a place's code until it has been passed as often as it takes to become
    /// hot, and `longer` times as often again.
    pub(crate) fn suspend_entry(&self, cell: JitCellId, greens: &[u64], longer: u32) {
        let passes = longer.saturating_mul(self.params.threshold);
        self.code.suspend_entry(cell, greens, passes);
        self.observers.count(|s| s.tiers.rests += 1);
        let then = InterpretedFor {
            why: WhyInterpreted::Resting,
            pass: None,
            passes: self.params.threshold.saturating_add(passes),
        };
        self.tell_passed(hash_greens(greens), greens, 0, Some(then));
    }

    /// Tracing does not suit a place: lets the other compiler make its code when the place is next
    /// reached.
    pub(crate) fn switch_compiler(&self, cell: JitCellId, greens: &[u64], tree: TreeId) {
        self.code.remove(cell, greens, tree);
        self.specialise_from_now_on(cell, hash_greens(greens));
    }

    /// Whether a place that tracing does not suit may be specialised.
    pub(crate) fn can_switch_compiler(&self, cell: JitCellId) -> bool {
        let cell = &self.code.cells.borrow()[cell];
        let is_any = matches!(cell.tier, None | Some(Tier::Any));
        is_any
            && !cell.is_specialised
            && self.params.compiler == Compiler::Auto
            && self.can_specialise()
    }

    /// Lets the specialiser make the code of a place as soon as it is reached again.
    pub(crate) fn specialise_from_now_on(&self, cell: JitCellId, hash: u64) {
        {
            let cell = &mut self.code.cells.borrow_mut()[cell];
            cell.is_specialised = true;
            cell.blocked = false;
            (cell.aborts, cell.suspensions) = (0, 0);
        }
        self.code.counters.hurry_both(hash);
        let greens = self.code.greens_of(cell);
        self.tell_tier(&greens, TierChange::Specialised);
    }

    pub(crate) fn tell_tier(&self, greens: &[u64], change: TierChange) {
        let change = &change;
        self.observers.emit(Event::TierChanged { greens, change });
    }
}
