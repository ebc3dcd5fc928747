//! How the guest program is run: which places get code, of which compiler, and when none is
//! entered. In: what compiling has cost and what there was to gain ([`crate::policy::meter`]), the
//! account of each tree ([`crate::policy::profitability`]), attempts that were given up, how many
//! bridges a tree has. Out: whether anything may be compiled now; code that rests, places that go
//! over from one tier to another.
//!
//! Invariant: compiling, and leaving compiled code, take no more time than an allowance, a share of
//! the time that was spent interpreting, and a share of that in compiled code, for what that has
//! saved: so a program takes hardly longer than without a JIT, as far as compiled code saves that
//! share. Where no time is measured ([`crate::JitParams::compile_allowance`]), what is compiled
//! depends on the guest program alone. Source: "Two-level Just-in-Time Compilation with One
//! Interpreter and One Engine" (2022), which leaves the choice of the tier to later work.

use crate::code::jit_cells::{CellId, Code};
use crate::code::trees::TreeId;
use crate::engine::Engine;
use crate::observe::log::Stage;
use crate::params::Compiler;
use crate::policy::profitability::Verdict;
use verdigris_heap::{Tier, hash_greens};

/// How often code rests until its place gets other code, or none.
pub(crate) const RESTS: u32 = 3;

/// How many times as long each rest is as the one before.
pub(crate) const LONGER: u32 = 8;

impl Engine {
    /// Whether anything may be compiled now.
    pub(crate) fn may_compile(&self) -> bool {
        self.may_trace() && self.can_afford()
    }

    /// Whether compiling may go on taking time.
    pub(crate) fn can_afford(&self) -> bool {
        if self.is_refused_at_random() {
            return false;
        }
        let Some(allowance) = self.params.compile_allowance.seconds() else {
            return true;
        };
        let balance = self.meter.balance();
        let share = |percent: u32, seconds: f64| f64::from(percent) / 100.0 * seconds;
        let may = allowance
            + share(self.params.compile_share, balance.interpreted)
            + share(self.params.compile_gain, balance.compiled);
        let can = balance.cost <= may;
        if !can && !self.is_waiting.get() {
            self.meter.note(|s| s.tiers.waits += 1);
            self.log.piece(Stage::Tier, || {
                let (cost, may) = (balance.cost * 1e3, may * 1e3);
                let title = format!(
                    "compiling waits: it has taken {cost:.2} ms, and may have taken {may:.2}"
                );
                (title, String::new())
            });
        }
        self.is_waiting.set(!can);
        can
    }

    /// Code was entered often enough for a verdict.
    #[inline(never)]
    pub(crate) fn judge(&self, code: &Code) {
        let [inside, leaving] = code.in_use.account.seconds();
        let verdict = code.in_use.account.verdict();
        if verdict == Verdict::Worth || self.params.compile_allowance.seconds().is_none() {
            return;
        }
        if let Some(record) = &code.record {
            return self.judge_threads(record.get());
        }
        let Some((cell, greens)) = self.place_with(code.tree) else {
            return;
        };
        self.tell_tier(cell, "left too soon", || {
            format!(
                "of the last entries {:.1} us were in compiled code, and {:.1} us went to find the interpreter's state",
                inside * 1e6,
                leaving * 1e6
            )
        });
        let rests = self.cells.borrow()[cell].rests;
        if rests >= RESTS {
            return self.settle(cell, &greens, code.tree);
        }
        self.cells.borrow_mut()[cell].rests += 1;
        self.rest(cell, &greens, LONGER.pow(rests) - 1);
    }

    /// What follows an exit of a tree cannot be compiled now: the code rests until it can.
    pub(crate) fn rest_tree(&self, tree: TreeId) {
        if let Some((cell, greens)) = self.place_with(tree) {
            self.rest(cell, &greens, 0);
        }
    }

    /// One more bridge is wanted in a tree that has many: there are more ways through its place
    /// than traces suit. True if the place goes over to the other compiler, so that there is
    /// nothing to continue.
    pub(crate) fn outgrows(&self, tree: TreeId) -> bool {
        let bridges = self.trees.borrow().get(tree).map_or(0, |tree| tree.bridges);
        if bridges < self.params.max_bridges {
            return false;
        }
        let Some((cell, greens)) = self.place_with(tree) else {
            return false;
        };
        if !self.can_settle(cell) {
            return false;
        }
        let what = format!("it has {bridges} bridges, and wants one more");
        self.tell_tier(cell, &what, String::new);
        self.settle(cell, &greens, tree);
        true
    }

    /// The place that has the code of a tree, with its greens.
    pub(crate) fn place_with(&self, tree: TreeId) -> Option<(CellId, Box<[u64]>)> {
        let trees = self.trees.borrow();
        let cells = self.cells.borrow();
        let greens = &trees.get(tree)?.greens;
        let cell = cells.find(greens)?;
        // It may have other code meanwhile.
        let is_there = cells[cell].code().is_some_and(|code| code.tree == tree);
        is_there.then(|| (cell, greens.clone()))
    }

    /// The code of a place is not entered until it has been passed as often as it takes to become
    /// hot, and `longer` times as often again.
    pub(crate) fn rest(&self, cell: CellId, greens: &[u64], longer: u32) {
        self.cells.borrow_mut().rest(cell);
        self.meter.note(|s| s.tiers.rests += 1);
        let hash = hash_greens(greens);
        self.counters.release(hash);
        self.counters
            .delay(hash, longer.saturating_mul(self.params.threshold));
    }

    /// A place whose code rests is hot again. True if there is some.
    pub(crate) fn wake(&self, cell: CellId, hash: u64) -> bool {
        let Some(code) = self.cells.borrow_mut().wake(cell) else {
            return false;
        };
        self.counters.hold(hash);
        let cells = self.cells.borrow();
        let greens = cells.greens(cell);
        self.callees.moved(greens, code.callee_address());
        // What was compiled meanwhile calls it from now on.
        self.trees.borrow_mut().called(greens, code.tree);
        true
    }

    /// A place has no code any more; what it had is freed as soon as nobody runs it.
    pub(crate) fn drop_code(&self, cell: CellId, greens: &[u64], tree: TreeId) {
        self.cells.borrow_mut().set_code(cell, None);
        self.callees.moved(greens, 0);
        self.counters.release(hash_greens(greens));
        self.trees.borrow_mut().abandon(tree);
    }

    /// The code that a place has does not suit it: the other compiler makes some when the place is
    /// next reached, or none does.
    fn settle(&self, cell: CellId, greens: &[u64], tree: TreeId) {
        let hash = hash_greens(greens);
        self.drop_code(cell, greens, tree);
        match self.can_settle(cell) {
            true => self.specialise_from_now_on(cell, hash),
            false => {
                self.cells.borrow_mut()[cell].blocked = true;
                self.counters.silence(hash);
                self.meter.note(|s| s.tiers.left_alone += 1);
                self.tell_tier(cell, "left to the interpreter", String::new);
            }
        }
    }

    /// Whether a place that tracing does not suit may get code by partial evaluation.
    pub(crate) fn can_settle(&self, cell: CellId) -> bool {
        let cell = &self.cells.borrow()[cell];
        let is_any = matches!(cell.tier, None | Some(Tier::Any));
        is_any && !cell.settled && self.params.compiler == Compiler::Auto && self.can_specialise()
    }

    /// A place is specialised as soon as it is reached again.
    pub(crate) fn specialise_from_now_on(&self, cell: CellId, hash: u64) {
        {
            let cell = &mut self.cells.borrow_mut()[cell];
            cell.settled = true;
            cell.blocked = false;
            (cell.aborts, cell.rests) = (0, 0);
        }
        self.counters.hurry_both(hash);
        self.meter.note(|s| s.tiers.settled += 1);
        let what = "from now on by partial evaluation, since tracing does not suit it";
        self.tell_tier(cell, what, String::new);
    }

    /// A line about a place, for the log, with figures that are different each time; and a change
    /// for who wants to know why the program is slow.
    pub(crate) fn tell_tier(&self, cell: CellId, what: &str, figures: impl FnOnce() -> String) {
        self.explain_tier(cell, what);
        self.log.piece(Stage::Tier, || {
            let at = self.show_cell(cell);
            let figures = figures();
            let behind = if figures.is_empty() { "" } else { ": " };
            (
                format!("header {at}: {what}{behind}{figures}"),
                String::new(),
            )
        });
    }
}
