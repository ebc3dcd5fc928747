//! The specialiser's memory across traces: which labels exist at each place where paths
//! meet, and which targets each branch has taken.
//!
//! The branch history is advice: code that relies on it has an exit for every other target.
//! Memory is bounded.

use super::merge_key::MergeKey;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use verdigris_opt::Label;
use verdigris_trace::TargetId;

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
    joins: FxHashMap<MergeKey, JoinLabels>,
    /// The positions of places within instructions among them.
    within: FxHashSet<u64>,
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
    /// New labels, by place.
    pub labels: Vec<(MergeKey, Label)>,
    /// Merge points passed without a label, and where the code came from.
    pub passed: Vec<(MergeKey, Option<u64>)>,
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
        self.within = self.joins.keys().filter_map(MergeKey::position).collect();
    }

    /// The labels and passages of finished code at a place.
    pub(crate) fn at(&self, place: &MergeKey) -> JoinLabels {
        self.joins.get(place).cloned().unwrap_or_default()
    }

    /// Whether there are labels at this position within an instruction, for some constants.
    pub(crate) fn may_join_within(&self, position: u64) -> bool {
        self.within.contains(&position)
    }

    /// Makes the labels of a finished trace visible to other code.
    pub(crate) fn publish(&mut self, pending: PendingJoins) {
        for (place, label) in pending.labels {
            self.within.extend(place.position());
            self.joins.entry(place).or_default().labels.push(label);
        }
        for (place, from) in pending.passed {
            let join = self.joins.entry(place).or_default();
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
