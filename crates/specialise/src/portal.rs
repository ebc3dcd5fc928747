//! The merge point of the portal.

use verdigris_jitcode::{Insn, Reg, Unit};
use verdigris_ops::Ty;

/// The registers of the merge point: the greens, and the reds.
pub(crate) fn state(unit: &Unit) -> (&[Reg], &[Reg]) {
    match &unit.portal().insns[unit.merge_point.0 as usize] {
        Insn::MergePoint { greens, reds } => (greens, reds),
        _ => unreachable!("a verified unit has a merge point where it says"),
    }
}

/// The types of registers of the portal.
pub(crate) fn types(unit: &Unit, regs: &[Reg]) -> Vec<Ty> {
    let code = unit.portal();
    let types = regs.iter().map(|reg| code.regs[usize::from(reg.0)]);
    types.collect()
}
