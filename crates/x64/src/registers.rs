//! The roles of the registers, and the convention of threaded code.

use crate::asm::operands::{Gpr, Xmm, regs};
use crate::locations::Loc;
use verdigris_ops::Ty;

/// Holds the context.
pub(crate) const CONTEXT: Gpr = regs::R15;
/// Holds nothing for longer than an instruction or two, except
/// [`RegAlloc::scratch`](crate::regalloc::RegAlloc::scratch).
pub(crate) const SCRATCH: Gpr = regs::R11;
/// The same for doubles.
pub(crate) const SCRATCH_XMM: Xmm = Xmm(15);

const fn set(regs: &[Gpr]) -> u32 {
    let (mut bits, mut n) = (0, 0);
    while n < regs.len() {
        bits |= 1 << regs[n].0;
        n += 1;
    }
    bits
}

/// Registers for values that a called function preserves.
pub(crate) const PRESERVED: u32 = set(&[regs::RBX, regs::R12, regs::R13, regs::R14]);
/// General registers for values.
pub(crate) const GPRS: u32 = 0xFFFF & !set(&[regs::RSP, regs::RBP, CONTEXT, SCRATCH]);
/// Vector registers for values, numbered as [`Loc`] does.
pub(crate) const XMMS: u32 = 0x7FFF << 16;

/// The callee-saved registers of the C convention, in the order in which an entry pushes them; the
/// frame pointer comes last.
pub(crate) const CALLEE_SAVED: [Gpr; 6] = [
    regs::R15,
    regs::R14,
    regs::R13,
    regs::R12,
    regs::RBX,
    regs::RBP,
];

/// Registers that a called function may change.
pub(crate) const CALLER_SAVED: [Gpr; 8] = [
    regs::RAX,
    regs::RCX,
    regs::RDX,
    regs::RSI,
    regs::RDI,
    regs::R8,
    regs::R9,
    Gpr(10),
];

/// The registers for values, as a set of [`Loc`]s.
pub(crate) fn registers(floats: bool) -> u32 {
    if floats { XMMS } else { GPRS }
}

/// The register of a set that suits a value best: one that calls preserve, or one that they do not.
pub(crate) fn preferred(free: u32, preserved: bool) -> Loc {
    let liked = match preserved {
        true => free & PRESERVED,
        false => free & !PRESERVED,
    };
    Loc((if liked != 0 { liked } else { free }).trailing_zeros() as u16)
}

/// How many parameters of threaded code are in general and in vector registers; operations need
/// some too.
const THREADED: [usize; 2] = [6, 8];

/// Where code that records name takes parameters of these types: the first ones in registers that
/// calls preserve, those that exceed [`THREADED`] in slots.
pub(crate) fn threaded_convention(types: impl Iterator<Item = Ty>) -> Vec<Loc> {
    let mut free = [registers(false), registers(true)];
    let (mut left, mut slots) = (THREADED, 0..);
    let locations = types.map(|ty| {
        let file = usize::from(ty == Ty::Float);
        if left[file] == 0 {
            return Loc::slot(slots.next().unwrap_or_default());
        }
        left[file] -= 1;
        let loc = preferred(free[file], true);
        free[file] &= !(1 << loc.0);
        loc
    });
    locations.collect()
}
