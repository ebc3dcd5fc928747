//! Promotions of many values: from which guard on code holds for any value.
//!
//! Invariant: the decision is one guard's, and not that of the place in the interpreter that
//! promotes, since all sites of the guest program share that. Source: the general
//! version in section 2.3 of "Get Your Own Just-In-Time Specializing Compiler For Free" (2007).

use crate::code::guard_info::GuardInfo;
use crate::code::promotions::Promotion;
use crate::engine::Engine;
use crate::policy::reasons::TierChange;
use verdigris_jitcode::{CodeId, Insn};
use verdigris_report::CompilerKind;
use verdigris_trace::GuardId;

impl Engine {
    /// Whether a guard on a promoted value has seen so many values that its bridge should hold for
    /// any: the values that were compared with already, or those that have come lately. `count` is
    /// that of the value that has come.
    pub(crate) fn generalises(&self, guard: GuardId, info: &GuardInfo, count: u32) -> bool {
        let Some(promotion) = info.promotion else {
            return false;
        };
        if info.compiler == CompilerKind::Threaded || !self.can_generalise(promotion) {
            return false;
        }
        let eagerness = self.eagerness(info);
        let most = self.params.polymorphic_limit;
        let failures = self.code.guards.borrow()[guard].failures;
        let come_once = eagerness.saturating_mul(self.params.polymorphic_limit.max(1));
        promotion.bridges >= most || count < eagerness && failures >= come_once
    }

    /// Whether what follows a promotion can do without a constant: the author asked for it, or it
    /// is the code of an inlined guest function, which can be called instead.
    fn can_generalise(&self, promotion: Promotion) -> bool {
        let (code, pc, frames) = promotion.place();
        let unit = &self.program.unit;
        match unit.codes[CodeId::from_u32(code)].insns[pc as usize] {
            Insn::Promote { .. } => true,
            Insn::MergePoint { .. } => frames > 1 && unit.runner().is_some(),
            _ => false,
        }
    }

    /// Tells observers that code for any value is made behind a guard.
    pub(crate) fn tell_generalised(&self, guard: GuardId, info: &GuardInfo) {
        let greens = self.code.greens_at(guard);
        let greens = greens.or_else(|| self.code.place_with(info.tree).map(|(_, greens)| greens));
        self.tell_tier(&greens.unwrap_or_default(), TierChange::Generalised);
    }
}
