//! Where values are: in registers, in slots of the frame, or known.

use crate::asm::operands::{Gpr, Mem, Xmm, regs};

/// A place for a value: a general register (0 to 15), a vector register (16 to 31), or a slot of
/// the frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Loc(pub(crate) u16);

/// The number of the first slot.
pub(crate) const FIRST_SLOT: u16 = 32;

impl Loc {
    /// Nowhere.
    pub(crate) const NONE: Loc = Loc(u16::MAX);

    pub(crate) fn slot(n: u16) -> Loc {
        Loc(FIRST_SLOT + n)
    }

    /// The number of a slot.
    pub(crate) fn slot_number(self) -> u32 {
        u32::from(self.0 - FIRST_SLOT)
    }

    pub(crate) fn is_some(self) -> bool {
        self != Loc::NONE
    }

    pub(crate) fn is_slot(self) -> bool {
        self.0 >= FIRST_SLOT && self.is_some()
    }

    pub(crate) fn is_gpr(self) -> bool {
        self.0 < 16
    }

    pub(crate) fn is_xmm(self) -> bool {
        (16..FIRST_SLOT).contains(&self.0)
    }
}

/// Where a value is that has to be moved or passed on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ValueLoc {
    /// In a register or a slot.
    At(Loc),
    /// A known word, which is nowhere.
    Const(u64),
}

pub(crate) fn gpr_loc(reg: Gpr) -> Loc {
    Loc(u16::from(reg.0))
}

pub(crate) fn xmm_loc(reg: Xmm) -> Loc {
    Loc(16 + u16::from(reg.0))
}

pub(crate) fn as_gpr(loc: Loc) -> Gpr {
    debug_assert!(loc.is_gpr());
    Gpr(loc.0 as u8)
}

pub(crate) fn as_xmm(loc: Loc) -> Xmm {
    debug_assert!(loc.is_xmm());
    Xmm(loc.0 as u8 - 16)
}

/// The memory of a slot: slot `n` lies `8 * (n + 1)` below the frame pointer, whatever the size of
/// the frame, so that a bridge finds what the code in front of it has left.
pub(crate) fn slot_mem(slot: Loc) -> Mem {
    Mem::At(regs::RBP, -8 * (slot.slot_number() as i32 + 1))
}
