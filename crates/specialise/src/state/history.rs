//! The specialiser's memory across traces: which labels exist at each merge point, and which
//! targets each branch has taken.
//!
//! The branch history is advice: code that relies on it has an exit for every other target.
//! Memory is bounded.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use verdigris_opt::Label;
use verdigris_trace::{Const, TargetId};

/// Branch sites that are remembered; beyond that, all are forgotten.
const MAX_SITES: usize = 1 << 16;

/// Targets remembered per branch site. A branch with more of them exits at each new one.
const MAX_TARGETS: usize = 8;

/// The targets that a branch has taken, in the order in which it first took them.
pub(crate) type SeenTargets = SmallVec<[u32; 2]>;

/// The specialiser's memory in one VM, owned by the caller of
/// [`specialise`](crate::specialise()).
#[derive(Default)]
pub struct SpecialiserHistory {
    joins: FxHashMap<Vec<Const>, JoinLabels>,
    branches: FxHashMap<u64, SeenTargets>,
}

/// The labels and passages of compiled code at one merge point of the guest program.
#[derive(Clone, Debug, Default)]
pub(crate) struct JoinLabels {
    /// The labels that code may jump to.
    pub labels: Vec<Label>,
    /// How often code goes past the merge point without a label.
    pub passed: u32,
    /// Where code came from first, if known.
    pub from: Option<u64>,
    /// Code came from more than one place.
    pub is_join: bool,
}

impl JoinLabels {
    /// Records that code comes from `from`.
    pub fn come(&mut self, from: Option<u64>) {
        match (self.from, from) {
            (Some(known), Some(from)) => self.is_join |= known != from,
            _ => self.from = self.from.or(from),
        }
    }
}

/// Labels and passages of a trace that is not finished yet: other code must not see them.
#[derive(Default)]
pub(crate) struct PendingJoins {
    /// New labels, by merge point.
    pub labels: Vec<(Vec<Const>, Label)>,
    /// Merge points passed without a label, and where the code came from.
    pub passed: Vec<(Vec<Const>, Option<u64>)>,
}

impl SpecialiserHistory {
    /// Forgets labels whose code no longer exists.
    pub fn forget(&mut self, targets: &[TargetId]) {
        if targets.is_empty() {
            return;
        }
        // Passages without a label are forgotten too: they may have been in the freed code.
        self.joins.retain(|_, join| {
            join.labels
                .retain(|label| !targets.contains(&label.target()));
            !join.labels.is_empty()
        });
    }

    /// The labels and passages of finished code at a merge point.
    pub(crate) fn at(&self, merge_point: &[Const]) -> JoinLabels {
        self.joins.get(merge_point).cloned().unwrap_or_default()
    }

    /// Makes the labels of a finished trace visible to other code.
    pub(crate) fn publish(&mut self, pending: PendingJoins) {
        for (merge_point, label) in pending.labels {
            self.joins
                .entry(merge_point)
                .or_default()
                .labels
                .push(label);
        }
        for (merge_point, from) in pending.passed {
            let join = self.joins.entry(merge_point).or_default();
            join.passed += 1;
            join.come(from);
        }
    }

    /// The targets that a branch has taken, in any code.
    pub(crate) fn targets(&self, branch_site: u64) -> SeenTargets {
        self.branches.get(&branch_site).cloned().unwrap_or_default()
    }

    /// Records that a branch has taken a target.
    pub(crate) fn record_target(&mut self, branch_site: u64, target: u32) {
        if self.branches.len() >= MAX_SITES {
            self.branches.clear();
        }
        let seen = self.branches.entry(branch_site).or_default();
        if seen.len() < MAX_TARGETS && !seen.contains(&target) {
            seen.push(target);
        }
    }
}
