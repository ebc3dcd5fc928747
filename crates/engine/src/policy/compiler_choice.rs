//! Which of the two compilers makes which code, if any may. In: a place of the guest program or an
//! exit of compiled code, what the function says of it that `#[portal(tier = ..)]` names, and the
//! parameters. Out: a choice. Invariants: each place is asked about once as long as its cell lives;
//! code grows by the compiler that its place is for, wherever it leads.

use crate::code::guard_info::GuardSite;
use crate::code::jit_cells::CellId;
use crate::engine::Engine;
use crate::observe::stats::Maker;
use std::panic::{AssertUnwindSafe, catch_unwind};
use verdigris_heap::Tier;

impl Engine {
    /// Whether code can be made here by partial evaluation, whatever the parameters say of what
    /// becomes hot.
    pub(crate) fn can_specialise(&self) -> bool {
        // Only what a run has found can be compared with what a hint promises.
        !self.params.check_hints && self.linked.red_dispatch.is_none()
    }

    /// Whether code for a place of this tier is made by partial evaluation.
    pub(crate) fn specialises_place(&self, tier: Tier, cell: CellId) -> bool {
        let has_settled = || self.cells.borrow()[cell].settled;
        match tier {
            Tier::Specialised if self.can_specialise() => true,
            Tier::Traced => false,
            _ if self.params.check_hints => false,
            _ => self.params.compiler.specialises_places() || has_settled(),
        }
    }

    /// Whether a trace may hold what begins at a place of this tier.
    pub(crate) fn may_be_traced(&self, tier: Tier) -> bool {
        match tier {
            Tier::Any | Tier::Traced => true,
            Tier::Specialised => !self.can_specialise(),
            Tier::Interpreter => false,
        }
    }

    /// Whether code by partial evaluation may hold what begins at the place with these greens.
    /// Asked while the optimiser is at work, through which no panic unwinds: the place is then
    /// asked about again when the guest program comes there.
    pub(crate) fn may_be_specialised_at(&self, greens: &[u64]) -> bool {
        let tier = catch_unwind(AssertUnwindSafe(|| self.tier(greens)));
        matches!(tier, Ok(Tier::Any | Tier::Specialised))
    }

    /// Whether what follows an exit is compiled without a run.
    pub(crate) fn specialises_exit(&self, site: &GuardSite) -> bool {
        match self.tier_of(site) {
            Tier::Specialised if self.can_specialise() => true,
            Tier::Traced => false,
            // Only what a run has found can be compared with what a hint promises.
            _ if self.params.check_hints => false,
            _ => self
                .params
                .compiler
                .specialises_exits(site.maker, site.leaves),
        }
    }

    /// How often an exit is taken before what follows is compiled.
    pub(crate) fn eagerness(&self, site: &GuardSite) -> u32 {
        match site.maker == Maker::Threader || self.specialises_exit(site) {
            true => self.params.arm_eagerness,
            false => self.params.trace_eagerness,
        }
    }

    /// The tier of the place that an exit's code was made for.
    fn tier_of(&self, site: &GuardSite) -> Tier {
        match self.linked.has_tiers() {
            true => self.trees.borrow().tier(site.tree),
            false => Tier::Any,
        }
    }
}
