//! Arms one by one, as the guest program comes to them. In: a way at a branch or switch that is not
//! decided. Out: the arms that the guest program has taken there, this time or before; guards that
//! it takes them again. Where it has taken none, code ends. Invariant: a guard's exit is in front
//! of the instruction, so that what comes there takes another arm, and finds or gets code for it.
//!
//! Code grows piece by piece when a place is compiled for the first time. Nobody would want its
//! second version to do so again: a loop is compiled as a whole for the types that its first
//! iteration has shown.
//!
//! Source: this makes of the specialiser what basic-block versioning is: code grows by what is
//! between two choices, with what is known there of the values. The switch that grows is that of
//! "Automatic Generation of JIT Compilers for Dynamic Languages in .NET" (2009), section 4, with a
//! branch in the place of a promotion.

use crate::specialiser::Specialiser;
use crate::state::history::SeenTargets;
use crate::state::path::Path;
use verdigris_jitcode::SwitchTable;
use verdigris_ops::{DataOp, Ty};
use verdigris_trace::{Arg, Descr, Opcode};

/// Which arms of an undecided instruction the guest program has taken.
pub(crate) enum Taken {
    /// None, as far as is known.
    Nothing,
    /// These, in their order; there is one at least.
    Arms(SeenTargets),
    /// All have to be there, or the one that it takes is none of them.
    All,
}

impl Specialiser<'_> {
    /// The arms that were taken where a way is, or the one that is taken this time, which is what
    /// `arm_of` says of the value.
    pub fn taken(
        &mut self,
        way: &Path,
        value: Arg,
        arm_of: impl FnOnce(&Self, u64) -> Option<usize>,
    ) -> Taken {
        let branch_site = way.branch_site();
        let Some(arrived) = &way.arrived else {
            let mut arms =
                branch_site.map_or_else(SeenTargets::new, |site| self.history.targets(site));
            arms.sort_unstable();
            return match arms.is_empty() {
                true => Taken::Nothing,
                false => Taken::Arms(arms),
            };
        };
        let word = value.as_ref().and_then(|v| arrived.get(&v).copied());
        let Some(arm) = word.and_then(|word| arm_of(self, word)) else {
            return Taken::All;
        };
        if let Some(site) = branch_site {
            self.note_arm(site, arm);
        }
        Taken::Arms(SeenTargets::from_slice(&[arm as u32]))
    }

    /// An arm has been taken.
    pub fn note_arm(&mut self, branch_site: u64, arm: usize) {
        let arm = arm as u32;
        self.learnt |= !self.history.targets(branch_site).contains(&arm);
        self.history.record_target(branch_site, arm);
    }

    /// A condition holds, or does not.
    pub fn guard_arm(&mut self, way: &mut Path, condition: Arg, holds: bool) {
        let opcode = match holds {
            false => Opcode::GuardFalse,
            true => Opcode::GuardTrue,
        };
        let pc = way.pc();
        self.guard(way, opcode, &[condition], Descr::None, pc);
    }

    /// A value is what leads to this arm of a switch. That it is none of `excluded` is known.
    pub fn guard_case(
        &mut self,
        way: &mut Path,
        value: Arg,
        arm: usize,
        excluded: &[u32],
        table: &SwitchTable,
    ) {
        let pc = way.pc();
        if let Some(&(case, _)) = table.cases.get(arm) {
            let args = [value, Arg::int(case)];
            return self.guard(way, Opcode::GuardValue, &args, Descr::None, pc);
        }
        for (n, &(case, _)) in (0..).zip(&table.cases) {
            if !excluded.contains(&n) {
                let equal = equals(way, value, case);
                self.guard(way, Opcode::GuardFalse, &[equal], Descr::None, pc);
            }
        }
    }
}

/// Whether a value is this case of a switch.
pub(crate) fn equals(way: &mut Path, value: Arg, case: i64) -> Arg {
    let args = [value, Arg::int(case)];
    let opcode = Opcode::Data(DataOp::IntEq);
    Arg::Ref((way.section.trace).push_def(opcode, &args, Descr::None, Ty::Int))
}

/// The arm for a case.
pub(crate) fn arm(table: &SwitchTable, case: i64) -> Option<usize> {
    let found = table.cases.binary_search_by_key(&case, |case| case.0);
    found.ok()
}
