//! What instructions are about. In: nothing. Out: the types of registers, places in memory and in
//! the code, conditions, and of the description of an instruction. Invariant: a register is the
//! number that it has in the encoding.

use crate::names::Width;

/// A general register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Gpr(pub(crate) u8);

/// A vector register, of which the low double is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Xmm(pub(crate) u8);

/// The general registers by name.
pub(crate) mod regs {
    use super::Gpr;
    pub(crate) const RAX: Gpr = Gpr(0);
    pub(crate) const RCX: Gpr = Gpr(1);
    pub(crate) const RDX: Gpr = Gpr(2);
    pub(crate) const RBX: Gpr = Gpr(3);
    pub(crate) const RSP: Gpr = Gpr(4);
    pub(crate) const RBP: Gpr = Gpr(5);
    pub(crate) const RSI: Gpr = Gpr(6);
    pub(crate) const RDI: Gpr = Gpr(7);
    pub(crate) const R8: Gpr = Gpr(8);
    pub(crate) const R9: Gpr = Gpr(9);
    pub(crate) const R11: Gpr = Gpr(11);
    pub(crate) const R12: Gpr = Gpr(12);
    pub(crate) const R13: Gpr = Gpr(13);
    pub(crate) const R14: Gpr = Gpr(14);
    pub(crate) const R15: Gpr = Gpr(15);
}

/// A place in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mem {
    /// Behind a register.
    At(Gpr, i32),
    /// Behind a register and an index times 1, 2, 4 or 8 (the logarithm is given).
    Indexed(Gpr, Gpr, u8, i32),
    /// In the data behind the code.
    Data(Data),
}

/// A word in the data behind the code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Data(pub(crate) u32);

/// The operand of an instruction that may be in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Rm {
    /// A register, general or vector as the instruction says.
    Reg(u8),
    /// Memory.
    Mem(Mem),
}

impl From<Gpr> for Rm {
    fn from(reg: Gpr) -> Rm {
        Rm::Reg(reg.0)
    }
}

impl From<Xmm> for Rm {
    fn from(reg: Xmm) -> Rm {
        Rm::Reg(reg.0)
    }
}

impl From<Mem> for Rm {
    fn from(mem: Mem) -> Rm {
        Rm::Mem(mem)
    }
}

/// A place in the code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Label(pub(crate) u32);

/// The condition of a jump, by its number in the encoding. Its opposite differs in the lowest bit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Cond(pub(crate) u8);

/// The conditions by name.
pub(crate) mod cond {
    use super::Cond;
    pub(crate) const O: Cond = Cond(0);
    pub(crate) const B: Cond = Cond(2);
    pub(crate) const AE: Cond = Cond(3);
    pub(crate) const E: Cond = Cond(4);
    pub(crate) const NE: Cond = Cond(5);
    pub(crate) const BE: Cond = Cond(6);
    pub(crate) const A: Cond = Cond(7);
    pub(crate) const P: Cond = Cond(10);
    pub(crate) const NP: Cond = Cond(11);
    pub(crate) const L: Cond = Cond(12);
    pub(crate) const GE: Cond = Cond(13);
    pub(crate) const LE: Cond = Cond(14);
    pub(crate) const G: Cond = Cond(15);
}

impl Cond {
    pub(crate) fn not(self) -> Cond {
        Cond(self.0 ^ 1)
    }

    /// The condition for the operands the other way round.
    pub(crate) fn swapped(self) -> Cond {
        match self {
            cond::B => cond::A,
            cond::A => cond::B,
            cond::AE => cond::BE,
            cond::BE => cond::AE,
            cond::L => cond::G,
            cond::G => cond::L,
            cond::LE => cond::GE,
            cond::GE => cond::LE,
            other => other,
        }
    }
}

/// How an instruction is encoded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ins {
    /// A prefix that belongs to the opcode; 0 if there is none.
    pub(crate) prefix: u8,
    /// The bytes in front of the last one of the opcode: 0, `0F`, or `0F 38` and the like.
    pub(crate) map: u16,
    pub(crate) opcode: u8,
    /// How wide the operands are: the register, and what may be memory.
    pub(crate) widths: [Width; 2],
    pub(crate) name: &'static str,
}

impl Ins {
    pub(crate) fn is_wide(&self) -> bool {
        self.widths.contains(&Width::Q)
    }
}
