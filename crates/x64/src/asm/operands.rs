//! The operands of instructions, and how they are written. A register is its number in the
//! encoding.

use std::fmt;

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

/// An address.
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

/// An operand that may be in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Rm {
    /// A register, general or vector as the instruction says.
    Reg(u8),
    /// Memory.
    Mem(Mem),
}

/// An operand that may be in memory or a constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RmImm {
    Imm(u64),
    Rm(Rm),
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

    /// The condition for exchanged operands.
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

/// An operation of an arithmetic instruction with a constant, by its number in the encoding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Alu {
    Add = 0,
    Or = 1,
    And = 4,
    Sub = 5,
    Xor = 6,
    Cmp = 7,
}

/// A shift by a constant, by its number in the encoding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shift {
    Left = 4,
    Right = 5,
    RightSigned = 7,
}

/// How wide an operand is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Width {
    /// 8 bits.
    B,
    /// 16 bits.
    W,
    /// 32 bits.
    D,
    /// 64 bits.
    Q,
    /// A double in a vector register.
    X,
}

/// The encoding of an instruction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ins {
    /// A prefix that belongs to the opcode; 0 if there is none.
    pub(crate) prefix: u8,
    /// The bytes in front of the last one of the opcode: 0, `0F`, or `0F 38` and the like.
    pub(crate) map: u16,
    pub(crate) opcode: u8,
    /// The widths of the operands: of the register, and of the one that may be memory.
    pub(crate) widths: [Width; 2],
    pub(crate) name: &'static str,
}

impl Ins {
    pub(crate) fn is_wide(&self) -> bool {
        self.widths.contains(&Width::Q)
    }
}

const GPRS: [[&str; 16]; 4] = [
    [
        "al", "cl", "dl", "bl", "spl", "bpl", "sil", "dil", "r8b", "r9b", "r10b", "r11b", "r12b",
        "r13b", "r14b", "r15b",
    ],
    [
        "ax", "cx", "dx", "bx", "sp", "bp", "si", "di", "r8w", "r9w", "r10w", "r11w", "r12w",
        "r13w", "r14w", "r15w",
    ],
    [
        "eax", "ecx", "edx", "ebx", "esp", "ebp", "esi", "edi", "r8d", "r9d", "r10d", "r11d",
        "r12d", "r13d", "r14d", "r15d",
    ],
    [
        "rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12",
        "r13", "r14", "r15",
    ],
];

const CONDITIONS: [&str; 16] = [
    "o", "no", "b", "ae", "e", "ne", "be", "a", "s", "ns", "p", "np", "l", "ge", "le", "g",
];

/// An operand as text.
pub(crate) struct Shown<T>(pub(crate) T, pub(crate) Width);

impl fmt::Display for Shown<u8> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Shown(reg, width) = *self;
        match width {
            Width::X => write!(f, "xmm{reg}"),
            _ => f.write_str(GPRS[width as usize][usize::from(reg)]),
        }
    }
}

impl fmt::Display for Shown<Cond> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(CONDITIONS[usize::from(self.0.0)])
    }
}

impl fmt::Display for Shown<Rm> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Shown(rm, width) = *self;
        let full = |reg: Gpr| Shown(reg.0, Width::Q);
        let mem = match rm {
            Rm::Reg(reg) => return Shown(reg, width).fmt(f),
            Rm::Mem(mem) => mem,
        };
        let size = match width {
            Width::B => "byte",
            Width::W => "word",
            Width::D => "dword",
            Width::Q | Width::X => "qword",
        };
        write!(f, "{size} [")?;
        let disp = match mem {
            Mem::At(base, disp) => {
                write!(f, "{}", full(base))?;
                disp
            }
            Mem::Indexed(base, index, scale, disp) => {
                write!(f, "{} + {}*{}", full(base), full(index), 1 << scale)?;
                disp
            }
            Mem::Data(data) => {
                write!(f, "data + {}", 8 * data.0)?;
                0
            }
        };
        match disp {
            0 => f.write_str("]"),
            _ if disp < 0 => write!(f, " - {:#x}]", disp.unsigned_abs()),
            _ => write!(f, " + {disp:#x}]"),
        }
    }
}
