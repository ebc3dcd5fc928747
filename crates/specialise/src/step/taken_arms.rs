//! Lazy compilation of arms: only those that the guest program has taken, with guards.
//!
//! A guard's exit is in front of the instruction, so that another arm finds or gets its code there.
//! Later versions of a position have all arms known from the first one, so that a loop is compiled
//! as a whole for the types that its first iteration has shown.
//!
//! Source: basic-block versioning; the growing switch of "Automatic Generation of JIT Compilers for
//! Dynamic Languages in .NET" (2009), section 4, with a branch instead of a promotion.

use crate::specialiser::Specialiser;
use crate::state::history::SeenTargets;
use crate::state::path::Path;
use verdigris_jitcode::SwitchTable;
use verdigris_ops::{DataOp, Ty};
use verdigris_trace::{Arg, Descr, Opcode};

/// The arms of an undecided instruction that the guest program has taken.
pub(crate) enum TakenArms {
    /// None, as far as is known.
    Nothing,
    /// At least one, in order.
    These(SeenTargets),
    /// All arms must be compiled, or the one taken is none of them.
    All,
}

impl Specialiser<'_> {
    /// The arms taken so far where a path is, or the arm `arm_of` the value that came this time.
    pub fn taken(
        &mut self,
        path: &Path,
        value: Arg,
        arm_of: impl FnOnce(&Self, u64) -> Option<usize>,
    ) -> TakenArms {
        let branch_site = path.branch_site();
        let Some(arrived) = &path.arrived else {
            let mut arms =
                branch_site.map_or_else(SeenTargets::new, |site| self.history.targets(site));
            // The optimiser may move the guard of the last arm in front of where code was left. If
            // that is not the arm of the value that has come, the guard fails for it for ever.
            let words = path.left_with.as_ref();
            let word = value.as_ref().and_then(|v| words?.get(&v).copied());
            if let Some(arm) = word.and_then(|word| arm_of(self, word))
                && !arms.contains(&(arm as u32))
            {
                arms.push(arm as u32);
                if let Some(site) = branch_site {
                    self.note_arm(site, arm);
                }
            }
            arms.sort_unstable();
            return match arms.is_empty() {
                true => TakenArms::Nothing,
                false => TakenArms::These(arms),
            };
        };
        let word = value.as_ref().and_then(|v| arrived.get(&v).copied());
        let Some(arm) = word.and_then(|word| arm_of(self, word)) else {
            return TakenArms::All;
        };
        if let Some(site) = branch_site {
            self.note_arm(site, arm);
        }
        TakenArms::These(SeenTargets::from_slice(&[arm as u32]))
    }

    /// Records a taken arm.
    pub fn note_arm(&mut self, branch_site: u64, arm: usize) {
        let arm = arm as u32;
        self.learnt |= !self.history.targets(branch_site).contains(&arm);
        self.history.record_target(branch_site, arm);
    }

    /// Guards that a condition holds, or does not.
    pub fn guard_arm(&mut self, path: &mut Path, condition: Arg, holds: bool) {
        let opcode = match holds {
            false => Opcode::GuardFalse,
            true => Opcode::GuardTrue,
        };
        let pc = path.pc();
        self.guard(path, opcode, &[condition], Descr::None, pc);
    }

    /// Guards that a value leads to this arm of a switch; it is known to be none of `excluded`.
    pub fn guard_case(
        &mut self,
        path: &mut Path,
        value: Arg,
        arm: usize,
        excluded: &[u32],
        table: &SwitchTable,
    ) {
        let pc = path.pc();
        if let Some(&(case, _)) = table.cases.get(arm) {
            let args = [value, Arg::int(case)];
            return self.guard(path, Opcode::GuardValue, &args, Descr::None, pc);
        }
        for (n, &(case, _)) in (0..).zip(&table.cases) {
            if !excluded.contains(&n) {
                let equal = equals(path, value, case);
                self.guard(path, Opcode::GuardFalse, &[equal], Descr::None, pc);
            }
        }
    }
}

/// Whether a value is this case of a switch.
pub(crate) fn equals(path: &mut Path, value: Arg, case: i64) -> Arg {
    let args = [value, Arg::int(case)];
    let opcode = Opcode::Data(DataOp::IntEq);
    Arg::Ref((path.section.trace).push_def(opcode, &args, Descr::None, Ty::Int))
}

/// The arm for a case.
pub(crate) fn arm(table: &SwitchTable, case: i64) -> Option<usize> {
    let found = table.cases.binary_search_by_key(&case, |case| case.0);
    found.ok()
}
