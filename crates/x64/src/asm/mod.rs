//! The assembler: one call for each instruction, which has one form for its operands ([`Ins`]).
//! Jumps within the code are resolved at the end.
//!
//! Source: the Intel 64 manual, volume 2, chapters 2 (formats) and 3 to 5 (instructions).

#[cfg(test)]
mod encoding;
pub(crate) mod instructions;
pub(crate) mod operands;
pub(crate) mod unwind;

use instructions::{ALU_IMM, ALU_IMM_D, SHIFT_IMM, SHIFT_ONE, named};
use operands::{Alu, Cond, Data, Gpr, Ins, Label, Mem, Rm, Shift, Shown, Width};
use std::fmt::Write;
use verdigris_backend::journal::UnwindRule;

/// Code that is being emitted, whose memory is used again.
#[derive(Default)]
pub(crate) struct Asm {
    pub(crate) code: Vec<u8>,
    labels: Vec<u32>,
    fixups: Vec<(u32, Label)>,
    data: Vec<u64>,
    data_fixups: Vec<(u32, Data, u8)>,
    /// Addresses outside the code: where the distances to them belong, and the addresses.
    pub(crate) outside: Vec<(u32, usize)>,
    /// Whether the flags are still needed, so that no instruction may change them.
    pub(crate) keeps_flags: bool,
    /// The end of the last instruction whose flags compare its result with 0, and the result's
    /// register.
    tested: (u32, u8),
    /// The unwind rules of code around traces, by offset.
    pub(crate) unwind: Vec<(u32, UnwindRule)>,
    /// The code as text, if the log wants it.
    pub(crate) text: Option<String>,
}

const UNBOUND: u32 = u32::MAX;

impl Asm {
    pub(crate) fn clear(&mut self, wants_text: bool) {
        self.code.clear();
        self.labels.clear();
        self.fixups.clear();
        self.data.clear();
        self.data_fixups.clear();
        self.outside.clear();
        self.unwind.clear();
        self.keeps_flags = false;
        self.tested = (0, 0);
        self.text = wants_text.then(String::new);
    }

    pub(crate) fn here(&self) -> u32 {
        self.code.len() as u32
    }

    pub(crate) fn new_label(&mut self) -> Label {
        self.labels.push(UNBOUND);
        Label(self.labels.len() as u32 - 1)
    }

    pub(crate) fn new_labels(&mut self) -> (Label, Label) {
        (self.new_label(), self.new_label())
    }

    /// The flags of the last instruction compare its result, in this register, with 0.
    pub(crate) fn tests(&mut self, reg: Gpr) {
        self.tested = (self.here(), reg.0);
    }

    /// Whether the flags compare this register with 0.
    pub(crate) fn has_tested(&self, reg: u8) -> bool {
        self.here() != 0 && self.tested == (self.here(), reg)
    }

    /// Binds a label to this place.
    pub(crate) fn bind(&mut self, label: Label) {
        self.tested = (0, 0);
        self.labels[label.0 as usize] = self.here();
        self.note(|out| write!(out, ".{}:", label.0));
    }

    /// Binds a label to the place of another one, which has been bound.
    pub(crate) fn alias(&mut self, label: Label, other: Label) {
        self.labels[label.0 as usize] = self.labels[other.0 as usize];
        self.note(|out| write!(out, ".{} is .{}", label.0, other.0));
    }

    /// The offset of a label, which has been bound.
    pub(crate) fn offset_of(&self, label: Label) -> u32 {
        self.labels[label.0 as usize]
    }

    /// A word of data that is never written, shared with equal ones.
    pub(crate) fn constant(&mut self, word: u64) -> Data {
        // A handful of words is searched faster than a table.
        let known = self.data.iter().rev().take(16).position(|&d| d == word);
        if let Some(back) = known {
            return Data((self.data.len() - 1 - back) as u32);
        }
        self.cell(word)
    }

    /// A word of data of its own.
    pub(crate) fn cell(&mut self, word: u64) -> Data {
        self.data.push(word);
        Data(self.data.len() as u32 - 1)
    }

    /// Resolves jumps and references to data, and puts the data behind the code. Returns its
    /// offset.
    pub(crate) fn finish(&mut self) -> u32 {
        for &(at, label) in &self.fixups {
            let target = self.labels[label.0 as usize];
            assert_ne!(target, UNBOUND, "a label that is used has a place");
            let distance = target.wrapping_sub(at + 4);
            self.code[at as usize..][..4].copy_from_slice(&distance.to_le_bytes());
        }
        if self.data.is_empty() {
            return self.here();
        }
        while !self.code.len().is_multiple_of(8) {
            self.code.push(0xCC);
        }
        let start = self.here();
        for &(at, data, behind) in &self.data_fixups {
            let target = start + 8 * data.0;
            let distance = target.wrapping_sub(at + 4 + u32::from(behind));
            self.code[at as usize..][..4].copy_from_slice(&distance.to_le_bytes());
        }
        for word in &self.data {
            self.code.extend_from_slice(&word.to_le_bytes());
        }
        start
    }

    /// Writes a line of text, if the log wants it.
    pub(crate) fn note(&mut self, line: impl FnOnce(&mut String) -> std::fmt::Result) {
        if let Some(text) = &mut self.text {
            let _ = line(text);
            text.push('\n');
        }
    }

    fn byte(&mut self, byte: u8) {
        self.code.push(byte);
    }

    fn long(&mut self, word: u32) {
        self.code.extend_from_slice(&word.to_le_bytes());
    }

    /// An instruction with a register (or a part of the opcode in its place) and an operand that
    /// may be memory. `behind` bytes follow.
    fn encode(&mut self, ins: &Ins, reg: u8, rm: Rm, behind: u8) {
        if ins.prefix != 0 {
            self.byte(ins.prefix);
        }
        let (base, index) = match rm {
            Rm::Reg(r) => (r, 0),
            Rm::Mem(Mem::At(base, _)) => (base.0, 0),
            Rm::Mem(Mem::Indexed(base, index, ..)) => (base.0, index.0),
            Rm::Mem(Mem::Data(_)) => (0, 0),
        };
        let mut rex =
            u8::from(ins.is_wide()) << 3 | (reg >> 3) << 2 | (index >> 3) << 1 | base >> 3;
        // The low bytes of these registers are named with a prefix only.
        let low_byte = |width: Width, r: u8| width == Width::B && (4..8).contains(&r);
        let is_byte =
            low_byte(ins.widths[0], reg) || matches!(rm, Rm::Reg(r) if low_byte(ins.widths[1], r));
        if rex != 0 || is_byte {
            rex |= 0x40;
            self.byte(rex);
        }
        if ins.map > 0xFF {
            self.byte((ins.map >> 8) as u8);
        }
        if ins.map != 0 {
            self.byte(ins.map as u8);
        }
        self.byte(ins.opcode);
        self.operands(reg, rm, behind);
    }

    fn operands(&mut self, reg: u8, rm: Rm, behind: u8) {
        let reg = (reg & 7) << 3;
        match rm {
            Rm::Reg(r) => self.byte(0xC0 | reg | r & 7),
            Rm::Mem(Mem::At(base, disp)) => {
                let low = base.0 & 7;
                let (mode, bytes) = displacement(low, disp);
                self.byte(mode | reg | low);
                if low == 4 {
                    self.byte(0x24);
                }
                self.code.extend_from_slice(&disp.to_le_bytes()[..bytes]);
            }
            Rm::Mem(Mem::Indexed(base, index, scale, disp)) => {
                let low = base.0 & 7;
                let (mode, bytes) = displacement(low, disp);
                self.byte(mode | reg | 4);
                self.byte(scale << 6 | (index.0 & 7) << 3 | low);
                self.code.extend_from_slice(&disp.to_le_bytes()[..bytes]);
            }
            Rm::Mem(Mem::Data(data)) => {
                self.byte(reg | 5);
                let at = self.here();
                self.data_fixups.push((at, data, behind));
                self.long(0);
            }
        }
    }

    /// `name reg, rm`: the register is changed, as a rule.
    pub(crate) fn reg_rm(&mut self, ins: &Ins, reg: u8, rm: impl Into<Rm>) {
        let rm = rm.into();
        self.encode(ins, reg, rm, 0);
        self.note(|out| {
            let (a, b) = (Shown(reg, ins.widths[0]), Shown(rm, ins.widths[1]));
            write!(out, "  {} {a}, {b}", ins.name)
        });
    }

    /// `name reg, rm, imm` with a byte.
    pub(crate) fn reg_rm_byte(&mut self, ins: &Ins, reg: u8, rm: impl Into<Rm>, imm: u8) {
        let rm = rm.into();
        self.encode(ins, reg, rm, 1);
        self.byte(imm);
        self.note(|out| {
            let (a, b) = (Shown(reg, ins.widths[0]), Shown(rm, ins.widths[1]));
            write!(out, "  {} {a}, {b}, {imm}", ins.name)
        });
    }

    /// `imul reg, rm, imm` with a byte or four.
    pub(crate) fn imul_imm(&mut self, dst: Gpr, rm: Rm, imm: i32) {
        let short = i8::try_from(imm).is_ok();
        let ins = Ins {
            prefix: 0,
            map: 0,
            opcode: if short { 0x6B } else { 0x69 },
            widths: [Width::Q; 2],
            name: "imul",
        };
        self.encode(&ins, dst.0, rm, if short { 1 } else { 4 });
        let bytes = if short { 1 } else { 4 };
        self.code.extend_from_slice(&imm.to_le_bytes()[..bytes]);
        self.note(|out| {
            let (a, b) = (Shown(dst.0, Width::Q), Shown(rm, Width::Q));
            write!(out, "  imul {a}, {b}, {imm}")
        });
    }

    /// `name rm, reg`: the first operand is changed, as a rule.
    pub(crate) fn rm_reg(&mut self, ins: &Ins, rm: impl Into<Rm>, reg: u8) {
        let rm = rm.into();
        self.encode(ins, reg, rm, 0);
        self.note(|out| {
            let (a, b) = (Shown(rm, ins.widths[1]), Shown(reg, ins.widths[0]));
            write!(out, "  {} {a}, {b}", ins.name)
        });
    }

    /// An instruction with one operand; `extension` is a part of the opcode in place of the
    /// register.
    pub(crate) fn only_rm(&mut self, ins: &Ins, extension: u8, rm: impl Into<Rm>) {
        let rm = rm.into();
        self.encode(ins, extension, rm, 0);
        self.note(|out| {
            // The operand of a call or jump is 64 bits wide whatever the prefix.
            let goes = matches!(ins.name, "call" | "jmp");
            let width = if goes { Width::Q } else { ins.widths[1] };
            write!(out, "  {} {}", ins.name, Shown(rm, width))
        });
    }

    /// An instruction with one operand and a constant of `bytes` bytes.
    pub(crate) fn rm_imm(
        &mut self,
        ins: &Ins,
        extension: u8,
        rm: impl Into<Rm>,
        imm: i32,
        bytes: u8,
    ) {
        let rm = rm.into();
        self.encode(ins, extension, rm, bytes);
        self.code
            .extend_from_slice(&imm.to_le_bytes()[..usize::from(bytes)]);
        self.note(|out| write!(out, "  {} {}, {imm}", ins.name, Shown(rm, ins.widths[1])));
    }

    /// An arithmetic instruction with a constant, in as few bytes as it takes.
    pub(crate) fn alu_imm(&mut self, which: Alu, rm: impl Into<Rm>, imm: i32) {
        self.alu_imm_as(&ALU_IMM, which, rm.into(), imm);
    }

    /// The same on 32 bits.
    pub(crate) fn alu_imm_d(&mut self, which: Alu, rm: impl Into<Rm>, imm: i32) {
        self.alu_imm_as(&ALU_IMM_D, which, rm.into(), imm);
    }

    fn alu_imm_as(&mut self, ins: &Ins, which: Alu, rm: Rm, imm: i32) {
        const NAMES: [&str; 8] = ["add", "or", "adc", "sbb", "and", "sub", "xor", "cmp"];
        let which = which as u8;
        let mut ins = named(ins, NAMES[usize::from(which)]);
        let bytes = match i8::try_from(imm) {
            Ok(_) => {
                ins.opcode = 0x83;
                1
            }
            Err(_) => 4,
        };
        self.rm_imm(&ins, which, rm, imm, bytes);
    }

    /// A shift by a constant.
    pub(crate) fn shift(&mut self, which: Shift, by: u8, reg: Gpr) {
        let name = match which {
            Shift::Left => "shl",
            Shift::Right => "shr",
            Shift::RightSigned => "sar",
        };
        match by {
            0 => {}
            1 => self.only_rm(&named(&SHIFT_ONE, name), which as u8, reg),
            _ => self.rm_imm(&named(&SHIFT_IMM, name), which as u8, reg, i32::from(by), 1),
        }
    }

    /// `mov reg, imm` with as few bytes as the constant takes.
    pub(crate) fn mov_imm(&mut self, reg: Gpr, word: u64) {
        let (high, low) = (reg.0 >> 3, reg.0 & 7);
        if word == 0 && !self.keeps_flags {
            if high != 0 {
                self.byte(0x45);
            }
            self.byte(0x31);
            self.byte(0xC0 | low << 3 | low);
        } else if let Ok(word) = u32::try_from(word) {
            if high != 0 {
                self.byte(0x41);
            }
            self.byte(0xB8 | low);
            self.long(word);
        } else if let Ok(word) = i32::try_from(word as i64) {
            self.byte(0x48 | high);
            self.byte(0xC7);
            self.byte(0xC0 | low);
            self.long(word as u32);
        } else {
            self.byte(0x48 | high);
            self.byte(0xB8 | low);
            self.code.extend_from_slice(&word.to_le_bytes());
        }
        self.note(|out| write!(out, "  mov {}, {:#x}", Shown(reg.0, Width::Q), word));
    }

    /// `shlx` and its like: a shift by the content of a register.
    pub(crate) fn shift_by(&mut self, prefix: u8, name: &str, dst: Gpr, src: Gpr, by: Gpr) {
        let inverted = |r: u8, bit: u8| u8::from(r < 8) << bit;
        self.byte(0xC4);
        self.byte(inverted(dst.0, 7) | 1 << 6 | inverted(src.0, 5) | 2);
        self.byte(1 << 7 | (!by.0 & 15) << 3 | prefix);
        self.byte(0xF7);
        self.byte(0xC0 | (dst.0 & 7) << 3 | src.0 & 7);
        self.note(|out| {
            let [dst, src, by] = [dst, src, by].map(|r| Shown(r.0, Width::Q));
            write!(out, "  {name} {dst}, {src}, {by}")
        });
    }

    pub(crate) fn push(&mut self, reg: Gpr) {
        if reg.0 > 7 {
            self.byte(0x41);
        }
        self.byte(0x50 | reg.0 & 7);
        self.note(|out| write!(out, "  push {}", Shown(reg.0, Width::Q)));
    }

    pub(crate) fn pop(&mut self, reg: Gpr) {
        if reg.0 > 7 {
            self.byte(0x41);
        }
        self.byte(0x58 | reg.0 & 7);
        self.note(|out| write!(out, "  pop {}", Shown(reg.0, Width::Q)));
    }

    pub(crate) fn push_imm(&mut self, imm: i32) {
        self.byte(0x68);
        self.long(imm as u32);
        self.note(|out| write!(out, "  push {imm}"));
    }

    /// Returns, and pops `args` bytes of arguments.
    pub(crate) fn ret(&mut self, args: u16) {
        if args == 0 {
            self.byte(0xC3);
        } else {
            self.byte(0xC2);
            self.code.extend_from_slice(&args.to_le_bytes());
        }
        self.note(|out| write!(out, "  ret {args}"));
    }

    /// Sign-extends `rax` into `rdx`.
    pub(crate) fn cqo(&mut self) {
        self.code.extend_from_slice(&[0x48, 0x99]);
        self.note(|out| write!(out, "  cqo"));
    }

    pub(crate) fn bswap(&mut self, reg: Gpr) {
        self.code
            .extend_from_slice(&[0x48 | reg.0 >> 3, 0x0F, 0xC8 | reg.0 & 7]);
        self.note(|out| write!(out, "  bswap {}", Shown(reg.0, Width::Q)));
    }

    pub(crate) fn jump(&mut self, label: Label) {
        self.note(|out| write!(out, "  jmp .{}", label.0));
        let target = self.labels[label.0 as usize];
        if target != UNBOUND
            && let Ok(distance) = i8::try_from(i64::from(target) - i64::from(self.here() + 2))
        {
            self.byte(0xEB);
            return self.byte(distance as u8);
        }
        self.byte(0xE9);
        self.fixup(label);
    }

    pub(crate) fn jump_if(&mut self, condition: Cond, label: Label) {
        self.byte(0x0F);
        self.byte(0x80 | condition.0);
        self.fixup(label);
        self.note(|out| write!(out, "  j{} .{}", Shown(condition, Width::Q), label.0));
    }

    /// A jump over a few bytes. Returns its end, for [`Asm::land`].
    pub(crate) fn skip_if(&mut self, condition: Cond) -> u32 {
        self.byte(0x70 | condition.0);
        self.byte(0);
        self.note(|out| write!(out, "  j{} over", Shown(condition, Width::Q)));
        self.here()
    }

    /// Binds the target of a short jump to this place.
    pub(crate) fn land(&mut self, from: u32) {
        let distance = self.here() - from;
        assert!(distance < 0x80, "a short jump is short");
        self.code[from as usize - 1] = distance as u8;
        self.note(|out| write!(out, "over:"));
    }

    fn fixup(&mut self, label: Label) {
        let at = self.here();
        self.fixups.push((at, label));
        self.long(0);
    }

    /// Jumps to an address outside.
    pub(crate) fn jump_out(&mut self, address: usize) {
        self.byte(0xE9);
        self.outside.push((self.here(), address));
        self.long(0);
        self.note(|out| write!(out, "  jmp outside"));
    }

    /// Calls an address outside.
    pub(crate) fn call_out(&mut self, address: usize) {
        self.byte(0xE8);
        self.outside.push((self.here(), address));
        self.long(0);
        self.note(|out| write!(out, "  call outside"));
    }

    /// `rsp = rbp - n`, where `n` is known at the end. Returns where it belongs.
    pub(crate) fn set_frame(&mut self) -> u32 {
        self.code.extend_from_slice(&[0x48, 0x8D, 0xA5]);
        self.long(0);
        self.note(|out| write!(out, "  lea rsp, [rbp - frame]"));
        self.here() - 4
    }

    /// Writes four bytes over earlier code.
    pub(crate) fn patch(&mut self, at: u32, word: i32) {
        self.code[at as usize..][..4].copy_from_slice(&word.to_le_bytes());
    }
}

/// The mode and length of a displacement.
fn displacement(low: u8, disp: i32) -> (u8, usize) {
    match i8::try_from(disp) {
        Ok(0) if low != 5 => (0, 0),
        Ok(_) => (0x40, 1),
        Err(_) => (0x80, 4),
    }
}
