//! The instructions of CIL that methods are made of: their bytes, and what they take from the stack
//! and leave there. Source: ECMA-335, partition III.

/// An instruction, without its operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Op {
    code: &'static [u8],
    /// How many values it takes from the stack; a call takes its arguments besides.
    pub(crate) pops: u8,
    /// How many values it leaves there.
    pub(crate) pushes: u8,
    /// Whether what is behind it is only reached by branches.
    pub(crate) ends: bool,
}

impl Op {
    const fn new(code: &'static [u8], pops: u8, pushes: u8) -> Op {
        Op {
            code,
            pops,
            pushes,
            ends: false,
        }
    }

    const fn end(self) -> Op {
        Op { ends: true, ..self }
    }

    /// Its bytes.
    pub(crate) fn bytes(self) -> &'static [u8] {
        self.code
    }
}

pub(crate) const LDARG_0: Op = Op::new(&[0x02], 0, 1);
pub(crate) const LDARG_1: Op = Op::new(&[0x03], 0, 1);
pub(crate) const LDARG_2: Op = Op::new(&[0x04], 0, 1);
pub(crate) const DUP: Op = Op::new(&[0x25], 1, 2);
pub(crate) const POP: Op = Op::new(&[0x26], 1, 0);
pub(crate) const LDLOC: Op = Op::new(&[0xfe, 0x0c], 0, 1);
pub(crate) const LDLOCA: Op = Op::new(&[0xfe, 0x0d], 0, 1);
pub(crate) const STLOC: Op = Op::new(&[0xfe, 0x0e], 1, 0);
pub(crate) const LDC_I4: Op = Op::new(&[0x20], 0, 1);
pub(crate) const LDC_I8: Op = Op::new(&[0x21], 0, 1);
pub(crate) const LDC_R8: Op = Op::new(&[0x23], 0, 1);
pub(crate) const CALLI: Op = Op::new(&[0x29], 1, 0);
pub(crate) const RET: Op = Op::new(&[0x2a], 1, 0).end();
pub(crate) const BR: Op = Op::new(&[0x38], 0, 0).end();
pub(crate) const BRFALSE: Op = Op::new(&[0x39], 1, 0);
pub(crate) const BRTRUE: Op = Op::new(&[0x3a], 1, 0);
pub(crate) const BEQ: Op = Op::new(&[0x3b], 2, 0);
pub(crate) const BGE: Op = Op::new(&[0x3c], 2, 0);
pub(crate) const BGT: Op = Op::new(&[0x3d], 2, 0);
pub(crate) const BLE: Op = Op::new(&[0x3e], 2, 0);
pub(crate) const BLT: Op = Op::new(&[0x3f], 2, 0);
pub(crate) const BNE_UN: Op = Op::new(&[0x40], 2, 0);
pub(crate) const BGE_UN: Op = Op::new(&[0x41], 2, 0);
pub(crate) const BGT_UN: Op = Op::new(&[0x42], 2, 0);
pub(crate) const BLE_UN: Op = Op::new(&[0x43], 2, 0);
pub(crate) const BLT_UN: Op = Op::new(&[0x44], 2, 0);
pub(crate) const SWITCH: Op = Op::new(&[0x45], 1, 0);
pub(crate) const LDIND_I1: Op = Op::new(&[0x46], 1, 1);
pub(crate) const LDIND_U1: Op = Op::new(&[0x47], 1, 1);
pub(crate) const LDIND_I2: Op = Op::new(&[0x48], 1, 1);
pub(crate) const LDIND_U2: Op = Op::new(&[0x49], 1, 1);
pub(crate) const LDIND_I4: Op = Op::new(&[0x4a], 1, 1);
pub(crate) const LDIND_U4: Op = Op::new(&[0x4b], 1, 1);
pub(crate) const LDIND_I8: Op = Op::new(&[0x4c], 1, 1);
pub(crate) const LDIND_I: Op = Op::new(&[0x4d], 1, 1);
pub(crate) const LDIND_R8: Op = Op::new(&[0x4f], 1, 1);
pub(crate) const STIND_I1: Op = Op::new(&[0x52], 2, 0);
pub(crate) const STIND_I2: Op = Op::new(&[0x53], 2, 0);
pub(crate) const STIND_I4: Op = Op::new(&[0x54], 2, 0);
pub(crate) const STIND_I8: Op = Op::new(&[0x55], 2, 0);
pub(crate) const STIND_R8: Op = Op::new(&[0x57], 2, 0);
pub(crate) const STIND_I: Op = Op::new(&[0xdf], 2, 0);
pub(crate) const ADD: Op = Op::new(&[0x58], 2, 1);
pub(crate) const SUB: Op = Op::new(&[0x59], 2, 1);
pub(crate) const MUL: Op = Op::new(&[0x5a], 2, 1);
pub(crate) const DIV: Op = Op::new(&[0x5b], 2, 1);
pub(crate) const DIV_UN: Op = Op::new(&[0x5c], 2, 1);
pub(crate) const REM: Op = Op::new(&[0x5d], 2, 1);
pub(crate) const REM_UN: Op = Op::new(&[0x5e], 2, 1);
pub(crate) const AND: Op = Op::new(&[0x5f], 2, 1);
pub(crate) const OR: Op = Op::new(&[0x60], 2, 1);
pub(crate) const XOR: Op = Op::new(&[0x61], 2, 1);
pub(crate) const SHL: Op = Op::new(&[0x62], 2, 1);
pub(crate) const SHR: Op = Op::new(&[0x63], 2, 1);
pub(crate) const SHR_UN: Op = Op::new(&[0x64], 2, 1);
pub(crate) const NEG: Op = Op::new(&[0x65], 1, 1);
pub(crate) const NOT: Op = Op::new(&[0x66], 1, 1);
pub(crate) const CONV_I1: Op = Op::new(&[0x67], 1, 1);
pub(crate) const CONV_I2: Op = Op::new(&[0x68], 1, 1);
pub(crate) const CONV_I4: Op = Op::new(&[0x69], 1, 1);
pub(crate) const CONV_I8: Op = Op::new(&[0x6a], 1, 1);
pub(crate) const CONV_R8: Op = Op::new(&[0x6c], 1, 1);
pub(crate) const CONV_U8: Op = Op::new(&[0x6e], 1, 1);
pub(crate) const CONV_I: Op = Op::new(&[0xd3], 1, 1);
pub(crate) const CEQ: Op = Op::new(&[0xfe, 0x01], 2, 1);
pub(crate) const CGT: Op = Op::new(&[0xfe, 0x02], 2, 1);
pub(crate) const CGT_UN: Op = Op::new(&[0xfe, 0x03], 2, 1);
pub(crate) const CLT: Op = Op::new(&[0xfe, 0x04], 2, 1);
pub(crate) const CLT_UN: Op = Op::new(&[0xfe, 0x05], 2, 1);
pub(crate) const LOCALLOC: Op = Op::new(&[0xfe, 0x0f], 1, 1);
