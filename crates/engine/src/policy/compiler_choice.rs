//! Which compiler makes which code, by the portal's `tier` function and the parameters.
//!
//! Invariants: the function is asked once for each cell; the code of a tree grows by the compiler
//! of its place, wherever it leads.

use crate::code::guard_info::GuardInfo;
use crate::code::jit_cells::JitCellId;
use crate::engine::Engine;
use std::panic::{AssertUnwindSafe, catch_unwind};
use verdigris_heap::Tier;

impl Engine {
    /// Whether the interpreter can be specialised at all.
    pub(crate) fn can_specialise(&self) -> bool {
        // Only a run can be compared with what a hint promises.
        !self.params.check_hints && self.program.red_dispatch.is_none()
    }

    /// Whether the specialiser makes the code of a place of this tier.
    pub(crate) fn specialises_place(&self, tier: Tier, cell: JitCellId) -> bool {
        let is_specialised = || self.code.cells.borrow()[cell].is_specialised;
        match tier {
            Tier::Specialised if self.can_specialise() => true,
            Tier::Traced => false,
            _ if self.params.check_hints => false,
            _ => self.params.compiler.specialises_places() || is_specialised(),
        }
    }

    /// Whether traces may cover places of this tier.
    pub(crate) fn may_be_traced(&self, tier: Tier) -> bool {
        match tier {
            Tier::Any | Tier::Traced => true,
            Tier::Specialised => !self.can_specialise(),
            Tier::Interpreter => false,
        }
    }

    /// Whether specialised code may cover the place with these greens. Asked while the optimiser is
    /// at work, through which no panic unwinds: if the `tier` function panics, it is asked again
    /// when the guest program comes there.
    pub(crate) fn may_be_specialised_at(&self, greens: &[u64]) -> bool {
        let tier = catch_unwind(AssertUnwindSafe(|| self.tier(greens)));
        matches!(tier, Ok(Tier::Any | Tier::Specialised))
    }

    /// Whether the specialiser makes the code behind an exit.
    pub(crate) fn specialises_exit(&self, info: &GuardInfo) -> bool {
        match self.tier_of(info) {
            Tier::Specialised if self.can_specialise() => true,
            Tier::Traced => false,
            // Only a run can be compared with what a hint promises.
            _ => {
                let compiler = self.params.compiler;
                !self.params.check_hints && compiler.specialises_exits(info.compiler, info.leaves)
            }
        }
    }
}
