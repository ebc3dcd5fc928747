//! The instructions that the backend uses. The widths are those of the operands in the order of the
//! encoding: the register, then the one that may be memory.

use crate::asm::operands::{Cond, Ins, Width};

macro_rules! instructions {
    ($( $constant:ident $name:literal $prefix:literal $map:literal $opcode:literal $reg:ident $rm:ident )*) => {
        $( pub(crate) const $constant: Ins = Ins {
            prefix: $prefix,
            map: $map,
            opcode: $opcode,
            widths: [Width::$reg, Width::$rm],
            name: $name,
        }; )*
    };
}

instructions! {
    MOV "mov" 0 0 0x8B Q Q
    MOV_STORE "mov" 0 0 0x89 Q Q
    MOV_STORE_D "mov" 0 0 0x89 D D
    MOV_STORE_W "mov" 0x66 0 0x89 W W
    MOV_STORE_B "mov" 0 0 0x88 B B
    MOV_D "mov" 0 0 0x8B D D
    MOV_IMM "mov" 0 0 0xC7 D Q
    MOV_IMM_D "mov" 0 0 0xC7 D D
    MOV_IMM_W "mov" 0x66 0 0xC7 D W
    MOV_IMM_B "mov" 0 0 0xC6 D B
    MOVSXD "movsxd" 0 0 0x63 Q D
    MOVSX_W "movsx" 0 0x0F 0xBF Q W
    MOVSX_B "movsx" 0 0x0F 0xBE Q B
    MOVZX_W "movzx" 0 0x0F 0xB7 D W
    MOVZX_B "movzx" 0 0x0F 0xB6 D B
    LEA "lea" 0 0 0x8D Q Q
    ADD "add" 0 0 0x03 Q Q
    OR "or" 0 0 0x0B Q Q
    AND "and" 0 0 0x23 Q Q
    SUB "sub" 0 0 0x2B Q Q
    XOR "xor" 0 0 0x33 Q Q
    CMP "cmp" 0 0 0x3B Q Q
    CMP_STORE "cmp" 0 0 0x39 Q Q
    TEST "test" 0 0 0x85 Q Q
    TEST_IMM_D "test" 0 0 0xF7 D D
    IMUL "imul" 0 0x0F 0xAF Q Q
    CMOVA "cmova" 0 0x0F 0x47 Q Q
    ALU_IMM "alu" 0 0 0x81 D Q
    ALU_IMM_D "alu" 0 0 0x81 D D
    UNARY "unary" 0 0 0xF7 D Q
    SHIFT_IMM "shift" 0 0 0xC1 D Q
    SHIFT_ONE "shift" 0 0 0xD1 D Q
    CALL "call" 0 0 0xFF D D
    JUMP "jmp" 0 0 0xFF D D
    POPCNT "popcnt" 0xF3 0x0F 0xB8 Q Q
    LZCNT "lzcnt" 0xF3 0x0F 0xBD Q Q
    TZCNT "tzcnt" 0xF3 0x0F 0xBC Q Q
    MOVSD_LOAD "movsd" 0xF2 0x0F 0x10 X X
    MOVSD_STORE "movsd" 0xF2 0x0F 0x11 X X
    MOVAPS "movaps" 0 0x0F 0x28 X X
    MOVQ_TO_XMM "movq" 0x66 0x0F 0x6E X Q
    MOVQ_FROM_XMM "movq" 0x66 0x0F 0x7E X Q
    ADDSD "addsd" 0xF2 0x0F 0x58 X X
    MULSD "mulsd" 0xF2 0x0F 0x59 X X
    SUBSD "subsd" 0xF2 0x0F 0x5C X X
    DIVSD "divsd" 0xF2 0x0F 0x5E X X
    SQRTSD "sqrtsd" 0xF2 0x0F 0x51 X X
    XORPS "xorps" 0 0x0F 0x57 X X
    ANDPS "andps" 0 0x0F 0x54 X X
    UCOMISD "ucomisd" 0x66 0x0F 0x2E X X
    CVTSI2SD "cvtsi2sd" 0xF2 0x0F 0x2A X Q
    CVTTSD2SI "cvttsd2si" 0xF2 0x0F 0x2C Q X
    ROUNDSD "roundsd" 0x66 0x0F3A 0x0B X X
}

/// An instruction with the name of the operation that a part of its opcode selects.
pub(crate) fn named(ins: &Ins, name: &'static str) -> Ins {
    Ins { name, ..*ins }
}

const SETS: [&str; 16] = [
    "seto", "setno", "setb", "setae", "sete", "setne", "setbe", "seta", "sets", "setns", "setp",
    "setnp", "setl", "setge", "setle", "setg",
];

/// The instruction that makes a byte of a condition.
pub(crate) fn set(condition: Cond) -> Ins {
    Ins {
        prefix: 0,
        map: 0x0F,
        opcode: 0x90 | condition.0,
        widths: [Width::D, Width::B],
        name: SETS[usize::from(condition.0)],
    }
}
