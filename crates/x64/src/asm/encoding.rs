//! Tests that the encoder makes the bytes that Cranelift's assembler makes, for all registers and
//! all kinds of addresses.

use crate::asm::Asm;
use crate::asm::instructions::*;
use crate::asm::operands::{Gpr, Mem, Rm, cond};
use cranelift_assembler_x64::inst;
use cranelift_assembler_x64::{
    Amode, AmodeOffset, AmodeOffsetPlusKnownOffset, GprMem, NonRspGpr, Registers, Scale, XmmMem,
};

/// Registers as numbers.
struct Numbers;

impl Registers for Numbers {
    type ReadGpr = u8;
    type ReadWriteGpr = u8;
    type WriteGpr = u8;
    type ReadXmm = u8;
    type ReadWriteXmm = u8;
    type WriteXmm = u8;
}

const DISTANCES: [i32; 8] = [0, 1, 127, 128, -128, -129, 4096, -100_000];

/// All kinds of addresses with these registers.
fn addresses(base: u8, index: u8) -> impl Iterator<Item = (Mem, Amode<u8>)> {
    DISTANCES.into_iter().flat_map(move |disp| {
        let plain = Amode::ImmReg {
            base,
            simm32: AmodeOffsetPlusKnownOffset {
                simm32: AmodeOffset::new(disp),
                offset: None,
            },
            trap: None,
        };
        let scaled = (0..4u8).filter(move |_| index != 4).map(move |scale| {
            let theirs = Amode::ImmRegRegShift {
                base,
                index: NonRspGpr::new(index),
                scale: Scale::new(scale),
                simm32: AmodeOffset::new(disp),
                trap: None,
            };
            (Mem::Indexed(Gpr(base), Gpr(index), scale, disp), theirs)
        });
        std::iter::once((Mem::At(Gpr(base), disp), plain)).chain(scaled)
    })
}

/// Compares the bytes of an instruction.
fn same(ours: impl FnOnce(&mut Asm), theirs: impl FnOnce(&mut Vec<u8>)) {
    let mut asm = Asm::default();
    asm.clear(true);
    ours(&mut asm);
    let mut expected = Vec::new();
    theirs(&mut expected);
    let text = asm.text.unwrap_or_default();
    assert_eq!(asm.code, expected, "{text}");
    assert_eq!(text.lines().count(), 1, "{text}");
}

#[test]
fn general_registers() {
    for a in 0..16 {
        for b in 0..16 {
            let (x, y) = (GprMem::<u8, u8>::Gpr(b), Rm::Reg(b));
            same(
                |asm| asm.reg_rm(&ADD, a, y),
                |out| inst::addq_rm::<Numbers>::new(a, x).encode(out),
            );
            // Theirs has a prefix that says nothing if the first register's low byte would need
            // one.
            if !(4..8).contains(&a) {
                same(
                    |asm| asm.reg_rm(&MOVZX_B, a, y),
                    |out| inst::movzbl_rm::<Numbers>::new(a, x).encode(out),
                );
            }
            same(
                |asm| asm.reg_rm(&LZCNT, a, y),
                |out| inst::lzcntq_rm::<Numbers>::new(a, x).encode(out),
            );
            same(
                |asm| asm.reg_rm(&CVTSI2SD, a, y),
                |out| inst::cvtsi2sdq_a::<Numbers>::new(a, x).encode(out),
            );
            same(
                |asm| asm.imul_imm(Gpr(a), y, 1000),
                |out| inst::imulq_rmi_sxl::<Numbers>::new(a, x, 1000).encode(out),
            );
            let vector = XmmMem::<u8, u8>::Xmm(b);
            same(
                |asm| asm.reg_rm(&UCOMISD, a, y),
                |out| inst::ucomisd_a::<Numbers>::new(a, vector).encode(out),
            );
            same(
                |asm| asm.reg_rm_byte(&ROUNDSD, a, y, 9),
                |out| inst::roundsd_rmi::<Numbers>::new(a, vector, 9).encode(out),
            );
            for by in 0..16 {
                same(
                    |asm| asm.shift_by(1, "shlx", Gpr(a), Gpr(b), Gpr(by)),
                    |out| inst::shlxq_rmv::<Numbers>::new(a, x, by).encode(out),
                );
            }
        }
    }
}

#[test]
fn memory() {
    for base in 0..16 {
        for index in 0..16 {
            for (ours, theirs) in addresses(base, index) {
                let reg = (base * 5 + index) % 16;
                same(
                    |asm| asm.reg_rm(&MOV, reg, ours),
                    |out| inst::movq_rm::<Numbers>::new(reg, theirs).encode(out),
                );
                same(
                    |asm| asm.rm_reg(&MOV_STORE, ours, reg),
                    |out| inst::movq_mr::<Numbers>::new(theirs, reg).encode(out),
                );
                same(
                    |asm| asm.rm_reg(&MOV_STORE_B, ours, reg),
                    |out| inst::movb_mr::<Numbers>::new(theirs, reg).encode(out),
                );
                same(
                    |asm| asm.reg_rm(&LEA, reg, ours),
                    |out| inst::leaq_rm::<Numbers>::new(reg, theirs).encode(out),
                );
                same(
                    |asm| asm.reg_rm(&MOVSD_LOAD, reg, ours),
                    |out| inst::movsd_a_m::<Numbers>::new(reg, theirs).encode(out),
                );
                same(
                    |asm| asm.rm_imm(&named(&ALU_IMM, "add"), 0, ours, 70_000, 4),
                    |out| inst::addq_mi_sxl::<Numbers>::new(theirs, 70_000).encode(out),
                );
            }
        }
    }
}

/// Constants are loaded by the shortest instruction; with the flags in use, none that changes them.
#[test]
fn constants() {
    let bytes = |word: u64, keeps_flags: bool| {
        let mut asm = Asm {
            keeps_flags,
            ..Asm::default()
        };
        asm.mov_imm(Gpr(0), word);
        asm.code
    };
    assert_eq!(bytes(0, false), [0x31, 0xC0]);
    assert_eq!(bytes(0, true), [0xB8, 0, 0, 0, 0]);
    assert_eq!(bytes(0xFFFF_FFFF, false), [0xB8, 0xFF, 0xFF, 0xFF, 0xFF]);
    assert_eq!(
        bytes(-2i64 as u64, false),
        [0x48, 0xC7, 0xC0, 0xFE, 0xFF, 0xFF, 0xFF]
    );
    assert_eq!(bytes(1 << 40, false).len(), 10);
}

/// Jumps and data are resolved at the end.
#[test]
fn places_in_the_code() {
    let mut asm = Asm::default();
    let (start, end) = (asm.new_label(), asm.new_label());
    asm.bind(start);
    asm.jump_if(cond::E, end);
    asm.jump(start);
    asm.bind(end);
    let word = asm.constant(7);
    asm.reg_rm(&MOV, 0, Mem::Data(word));
    assert_eq!(asm.constant(7), word);
    let data = asm.finish();
    assert_eq!(data, 16);
    let expected = [
        0x0F, 0x84, 2, 0, 0, 0, 0xEB, 0xF8, 0x48, 0x8B, 0x05, 1, 0, 0, 0, 0xCC, 7, 0, 0, 0, 0, 0,
        0, 0,
    ];
    assert_eq!(asm.code, expected);
}
