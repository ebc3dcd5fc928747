//! The registers and slots, and which values are in them, while code is made. In: values that an
//! operation needs or makes. Out: registers for them, and the moves that this takes. Invariants: a
//! value that lives is in a register or a slot, or is known; no instruction here changes the flags;
//! what an operation has asked for stays where it is until the operation is over.
//!
//! Source: linear scan with Belady's choice of the value that is used farthest ahead.

use crate::asm::{Asm, Gpr, Mem, Rm, Xmm, regs};
use crate::names::*;
pub(crate) use crate::slots::{Slots, slot_mem};
use crate::values::{Loc, Place, Pos, Values};
use cranelift_entity::packed_option::PackedOption;
use verdigris_backend::sabotage::Sabotage;
use verdigris_trace::{Arg, ValRef};

/// Holds the context.
pub(crate) const CONTEXT: Gpr = regs::R15;
/// Holds nothing for longer than an instruction or two.
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

/// Registers that a called function leaves as they are.
pub(crate) const PRESERVED: u32 = set(&[regs::RBX, regs::R12, regs::R13, regs::R14]);
/// General registers that values can be in.
const GPRS: u32 = 0xFFFF & !set(&[regs::RSP, regs::RBP, CONTEXT, SCRATCH]);
/// Vector registers that values can be in, with the numbers of their places.
const XMMS: u32 = 0x7FFF << 16;

/// The registers that values can be in, by place.
pub(crate) fn registers(floats: bool) -> u32 {
    if floats { XMMS } else { GPRS }
}

/// An operand of an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Operand {
    Imm(u64),
    Rm(Rm),
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

/// Registers, slots and values, and the code that is made.
#[derive(Default)]
pub(crate) struct File {
    pub(crate) asm: Asm,
    pub(crate) values: Values,
    pub(crate) slots: Slots,
    /// What is in a register, by its place.
    held: [PackedOption<ValRef>; 32],
    /// Registers in use, by place.
    occupied: u32,
    /// Registers that the current operation relies on.
    locked: u32,
    pub(crate) pos: Pos,
    /// A value that has not been loaded: the operation that is being compiled, which alone needs
    /// it, finds it in memory.
    pub(crate) unloaded: Option<(ValRef, Mem)>,
}

impl File {
    /// Forgets all values: a section begins.
    pub(crate) fn forget(&mut self) {
        self.held = [PackedOption::default(); 32];
        (self.occupied, self.locked) = (0, 0);
        self.slots.clear();
    }

    /// Forgets how many slots there were: a compilation begins.
    pub(crate) fn forget_frame(&mut self) {
        self.slots.forget();
    }

    pub(crate) fn canon(&self, v: ValRef) -> ValRef {
        self.values.map[v].canon
    }

    /// What a value is, if it is known.
    pub(crate) fn known(&self, val: Arg) -> Option<u64> {
        match val {
            Arg::Const(constant) => Some(constant.word()),
            Arg::Ref(v) => self.values.map[self.canon(v)].known,
        }
    }

    /// Whether a value is not needed behind the current operation.
    pub(crate) fn dies(&self, val: Arg) -> bool {
        self.dies_by(val, self.pos)
    }

    pub(crate) fn dies_by(&self, val: Arg, pos: Pos) -> bool {
        val.as_ref()
            .is_some_and(|v| self.values.map[self.canon(v)].death <= pos)
    }

    /// Whether a value is somewhere.
    pub(crate) fn is_defined(&self, v: ValRef) -> bool {
        let value = &self.values.map[self.canon(v)];
        value.known.is_some() || value.gpr.is_some() || value.xmm.is_some() || value.slot.is_some()
    }

    /// Where a value is.
    pub(crate) fn place(&self, val: Arg) -> Place {
        let v = match val {
            Arg::Const(constant) => return Place::Const(constant.word()),
            Arg::Ref(v) => v,
        };
        let value = &self.values.map[self.canon(v)];
        if let Some(word) = value.known {
            return Place::Const(word);
        }
        let loc = [value.gpr, value.xmm, value.slot]
            .into_iter()
            .find(|l| l.is_some());
        Place::At(loc.unwrap_or_else(|| panic!("{v} is defined before it is used")))
    }

    pub(crate) fn lock(&mut self, loc: Loc) {
        if !loc.is_slot() {
            self.locked |= 1 << loc.0;
        }
    }

    /// Whether a general register is free.
    pub(crate) fn has_free(&self) -> bool {
        GPRS & !self.occupied & !self.locked != 0
    }

    /// What the operation relies on so far.
    pub(crate) fn locked(&self) -> u32 {
        self.locked
    }

    /// What it has asked for since then may move again.
    pub(crate) fn lock_only(&mut self, locked: u32) {
        self.locked = locked;
    }

    /// Whether a value is in a vector register.
    pub(crate) fn has_doubles(&self) -> bool {
        self.occupied & XMMS != 0
    }

    /// Whether a value is in this general register.
    pub(crate) fn is_in(&self, val: Arg, reg: Loc) -> bool {
        val.as_ref()
            .is_some_and(|v| self.values.map[self.canon(v)].gpr == reg)
    }

    /// What the operation has asked for so far may move again.
    pub(crate) fn unlock(&mut self) {
        self.locked = 0;
    }

    pub(crate) fn is_free(&self, loc: Loc) -> bool {
        (GPRS | XMMS) & !self.occupied & !self.locked & (1 << loc.0) != 0
    }

    /// Whether a register or slot has a value.
    pub(crate) fn is_taken(&self, loc: Loc) -> bool {
        match loc.is_slot() {
            true => self.slots.is_used(loc),
            false => self.occupied & 1 << loc.0 != 0,
        }
    }

    /// The value in a register.
    pub(crate) fn holder(&self, loc: Loc) -> Option<ValRef> {
        self.held[usize::from(loc.0)].expand()
    }

    /// A value is in a register from now on.
    pub(crate) fn put(&mut self, v: ValRef, loc: Loc) {
        let value = &mut self.values.map[v];
        if loc.is_slot() {
            value.slot = loc;
            return self.slots.claim(loc);
        }
        match loc.is_gpr() {
            true => value.gpr = loc,
            false => value.xmm = loc,
        }
        self.held[usize::from(loc.0)] = v.into();
        self.occupied |= 1 << loc.0;
    }

    /// A register holds nothing any more.
    pub(crate) fn vacate(&mut self, loc: Loc) {
        if let Some(v) = self.held[usize::from(loc.0)].take() {
            let value = &mut self.values.map[v];
            match loc.is_gpr() {
                true => value.gpr = Loc::NONE,
                false => value.xmm = Loc::NONE,
            }
        }
        self.occupied &= !(1 << loc.0);
    }

    /// A value is not needed any more: its register and slot are free.
    pub(crate) fn drop_value(&mut self, v: ValRef) {
        let value = self.values.map[v];
        for loc in [value.gpr, value.xmm] {
            if loc.is_some() {
                self.vacate(loc);
            }
        }
        if value.slot.is_some() {
            self.slots.release(value.slot);
            self.values.map[v].slot = Loc::NONE;
        }
    }

    /// The operation is over: what it needed may move, and what dies at it is gone.
    pub(crate) fn end_operation(&mut self, used: impl Iterator<Item = ValRef>) {
        self.locked = 0;
        for v in used {
            let canon = self.canon(v);
            if self.values.map[canon].death <= self.pos {
                self.drop_value(canon);
            }
        }
    }

    fn crosses_call(&mut self, v: ValRef) -> bool {
        self.values.next_call(self.pos) < self.values.map[v].death
    }

    /// A free general register, for a value if one is given: its hint if that is free.
    pub(crate) fn take_gpr(&mut self, v: Option<ValRef>) -> Gpr {
        let hint = v.map_or(Loc::NONE, |v| self.values.map[v].hint);
        if hint.is_some() && hint.is_gpr() && self.is_free(hint) {
            self.lock(hint);
            return as_gpr(hint);
        }
        let mut free = GPRS & !self.occupied & !self.locked;
        if free == 0 {
            free = 1 << self.evict(GPRS);
        }
        let preserved = v.is_some_and(|v| self.crosses_call(v));
        let liked = match preserved {
            true => free & PRESERVED,
            false => free & !PRESERVED,
        };
        let loc = Loc((if liked != 0 { liked } else { free }).trailing_zeros() as u16);
        self.lock(loc);
        as_gpr(loc)
    }

    /// A free vector register.
    pub(crate) fn take_xmm(&mut self, v: Option<ValRef>) -> Xmm {
        let hint = v.map_or(Loc::NONE, |v| self.values.map[v].hint);
        if hint.is_xmm() && self.is_free(hint) {
            self.lock(hint);
            return as_xmm(hint);
        }
        let mut free = XMMS & !self.occupied & !self.locked;
        if free == 0 {
            free = 1 << self.evict(XMMS);
        }
        let loc = Loc(free.trailing_zeros() as u16);
        self.lock(loc);
        as_xmm(loc)
    }

    /// This register, free: what is in it goes elsewhere.
    pub(crate) fn take_this(&mut self, reg: Gpr) {
        let loc = gpr_loc(reg);
        if let Some(v) = self.holder(loc) {
            let free = GPRS & !self.occupied & !self.locked & !(1 << loc.0);
            if free != 0 {
                cov_mark::hit!(taken_register_is_moved);
                let to = Loc(free.trailing_zeros() as u16);
                self.asm.reg_rm(&MOV, as_gpr(to).0, reg);
                self.vacate(loc);
                self.put(v, to);
            } else {
                cov_mark::hit!(taken_register_is_saved);
                self.save(v);
                self.vacate(loc);
            }
        }
        self.lock(loc);
    }

    /// Makes a register of these free: that of the value which is used farthest ahead. Gives its
    /// place.
    fn evict(&mut self, among: u32) -> u16 {
        let mut candidates = among & self.occupied & !self.locked;
        let mut best: Option<((Pos, bool), u16, ValRef)> = None;
        while candidates != 0 {
            let loc = candidates.trailing_zeros() as u16;
            candidates &= candidates - 1;
            let Some(v) = self.holder(Loc(loc)) else {
                continue;
            };
            let value = &self.values.map[v];
            let is_elsewhere = value.slot.is_some() || (value.gpr.is_some() && value.xmm.is_some());
            let rank = (value.next, is_elsewhere);
            if best.is_none_or(|(known, ..)| rank > known) {
                best = Some((rank, loc, v));
            }
        }
        let (_, loc, v) = best.expect("an operation does not need all registers");
        let value = &self.values.map[v];
        let has_other = value.gpr.is_some() && value.xmm.is_some();
        if has_other {
            cov_mark::hit!(evicted_value_stays_in_the_other_file);
        } else if value.slot.is_some() {
            cov_mark::hit!(evicted_value_has_a_slot);
        }
        if !has_other && value.death >= self.pos {
            self.save(v);
        }
        self.vacate(Loc(loc));
        loc
    }

    /// Makes sure that a value is in a slot.
    pub(crate) fn save(&mut self, v: ValRef) -> Loc {
        let value = self.values.map[v];
        if value.slot.is_some() {
            return value.slot;
        }
        let slot = self.slots.take();
        if value.gpr.is_some() {
            cov_mark::hit!(general_register_is_spilled);
            (self.asm).rm_reg(&MOV_STORE, slot_mem(slot), as_gpr(value.gpr).0);
        } else if !Sabotage::WrongSlot.is_on() {
            cov_mark::hit!(double_is_spilled);
            (self.asm).rm_reg(&MOVSD_STORE, slot_mem(slot), as_xmm(value.xmm).0);
        }
        self.values.map[v].slot = slot;
        slot
    }

    /// Where a value is in memory that has not been loaded.
    fn unloaded(&self, val: Arg) -> Option<Mem> {
        let (v, mem) = self.unloaded?;
        let is_it = val.as_ref().is_some_and(|val| self.canon(val) == v);
        (is_it && !self.is_defined(v)).then_some(mem)
    }

    /// A value in a general register, which is locked.
    pub(crate) fn gpr(&mut self, val: Arg) -> Gpr {
        if let Some(word) = self.known(val) {
            let reg = self.take_gpr(None);
            self.asm.mov_imm(reg, word);
            return reg;
        }
        let v = self.canon(val.as_ref().expect("it is no constant"));
        let value = self.values.map[v];
        if value.gpr.is_some() {
            self.lock(value.gpr);
            return as_gpr(value.gpr);
        }
        let unloaded = self.unloaded(val);
        let reg = self.take_gpr(Some(v));
        // Taking it may have moved the value to a slot.
        let value = self.values.map[v];
        if let Some(mem) = unloaded {
            self.asm.reg_rm(&MOV, reg.0, mem);
        } else if value.xmm.is_some() {
            (self.asm).rm_reg(&MOVQ_FROM_XMM, reg, as_xmm(value.xmm).0);
        } else {
            assert!(value.slot.is_some(), "{v} is defined before it is used");
            cov_mark::hit!(general_register_is_reloaded);
            self.asm.reg_rm(&MOV, reg.0, slot_mem(value.slot));
        }
        self.put(v, gpr_loc(reg));
        reg
    }

    /// A value in a vector register, which is locked.
    pub(crate) fn xmm(&mut self, val: Arg) -> Xmm {
        if let Some(word) = self.known(val) {
            let reg = self.take_xmm(None);
            self.load_float(reg, word);
            return reg;
        }
        let v = self.canon(val.as_ref().expect("it is no constant"));
        let value = self.values.map[v];
        if value.xmm.is_some() {
            self.lock(value.xmm);
            return as_xmm(value.xmm);
        }
        let unloaded = self.unloaded(val);
        let reg = self.take_xmm(Some(v));
        let value = self.values.map[v];
        if let Some(mem) = unloaded {
            self.asm.reg_rm(&MOVSD_LOAD, reg.0, mem);
        } else if value.gpr.is_some() {
            (self.asm).reg_rm(&MOVQ_TO_XMM, reg.0, as_gpr(value.gpr));
        } else {
            assert!(value.slot.is_some(), "{v} is defined before it is used");
            cov_mark::hit!(double_is_reloaded);
            self.asm.reg_rm(&MOVSD_LOAD, reg.0, slot_mem(value.slot));
        }
        self.put(v, xmm_loc(reg));
        reg
    }

    pub(crate) fn load_float(&mut self, reg: Xmm, word: u64) {
        if word == 0 {
            return self.asm.reg_rm(&XORPS, reg.0, reg);
        }
        let data = self.asm.constant(word);
        self.asm.reg_rm(&MOVSD_LOAD, reg.0, Mem::Data(data));
    }

    /// A value as an operand that may be a constant or lie in memory: there it stays if no
    /// operation needs it soon.
    pub(crate) fn operand(&mut self, val: Arg) -> Operand {
        if let Some(word) = self.known(val) {
            return Operand::Imm(word);
        }
        let v = self.canon(val.as_ref().expect("it is no constant"));
        let value = self.values.map[v];
        if let Some(mem) = self.unloaded(val) {
            return Operand::Rm(mem.into());
        }
        let is_full = !self.has_free();
        if !value.gpr.is_some() && value.slot.is_some() && (is_full || value.death <= self.pos) {
            cov_mark::hit!(operand_stays_in_its_slot);
            return Operand::Rm(slot_mem(value.slot).into());
        }
        Operand::Rm(self.gpr(val).into())
    }

    /// A value as the second operand of an instruction: a constant only if it fits in one.
    pub(crate) fn source(&mut self, val: Arg) -> Operand {
        match self.operand(val) {
            Operand::Imm(word) if i32::try_from(word as i64).is_err() => {
                let reg = self.take_gpr(None);
                self.asm.mov_imm(reg, word);
                Operand::Rm(reg.into())
            }
            operand => operand,
        }
    }

    /// A double as an operand that may lie in memory.
    pub(crate) fn float_operand(&mut self, val: Arg) -> Rm {
        if let Some(word) = self.known(val) {
            return Mem::Data(self.asm.constant(word)).into();
        }
        if let Some(mem) = self.unloaded(val) {
            return mem.into();
        }
        let v = self.canon(val.as_ref().expect("it is no constant"));
        let value = self.values.map[v];
        if !value.xmm.is_some() && value.slot.is_some() && value.death <= self.pos {
            cov_mark::hit!(double_operand_stays_in_its_slot);
            return slot_mem(value.slot).into();
        }
        self.xmm(val).into()
    }

    /// The register for a result of an operation that changes its first operand in place, with the
    /// operand in it.
    pub(crate) fn in_place(&mut self, result: ValRef, x: Arg) -> Gpr {
        let hint = self.values.map[result].hint;
        let wanted = hint.is_some() && hint.is_gpr() && self.is_free(hint);
        if let Some(word) = self.known(x) {
            let reg = self.take_gpr(Some(result));
            self.asm.mov_imm(reg, word);
            self.put(result, gpr_loc(reg));
            return reg;
        }
        let v = self.canon(x.as_ref().expect("it is no constant"));
        if self.dies(x) && !wanted && !self.is_in_memory_only(v) {
            let reg = self.gpr(x);
            self.vacate(gpr_loc(reg));
            self.put(result, gpr_loc(reg));
            return reg;
        }
        let operand = self.operand(x);
        let reg = self.take_gpr(Some(result));
        let Operand::Rm(rm) = operand else {
            unreachable!("it is no constant")
        };
        self.asm.reg_rm(&MOV, reg.0, rm);
        self.put(result, gpr_loc(reg));
        reg
    }

    fn is_in_memory_only(&self, v: ValRef) -> bool {
        let value = &self.values.map[v];
        !value.gpr.is_some() && !value.xmm.is_some()
    }

    /// The same for doubles.
    pub(crate) fn in_place_xmm(&mut self, result: ValRef, x: Arg) -> Xmm {
        let hint = self.values.map[result].hint;
        let wanted = hint.is_xmm() && self.is_free(hint);
        if self.known(x).is_none() && self.dies(x) && !wanted {
            let reg = self.xmm(x);
            self.vacate(xmm_loc(reg));
            self.put(result, xmm_loc(reg));
            return reg;
        }
        let operand = self.float_operand(x);
        let reg = self.take_xmm(Some(result));
        match operand {
            Rm::Reg(_) => self.asm.reg_rm(&MOVAPS, reg.0, operand),
            Rm::Mem(_) => self.asm.reg_rm(&MOVSD_LOAD, reg.0, operand),
        }
        self.put(result, xmm_loc(reg));
        reg
    }

    /// A register for a result.
    pub(crate) fn define_gpr(&mut self, result: ValRef) -> Gpr {
        let reg = self.take_gpr(Some(result));
        self.put(result, gpr_loc(reg));
        reg
    }

    /// A vector register for a result.
    pub(crate) fn define_xmm(&mut self, result: ValRef) -> Xmm {
        let reg = self.take_xmm(Some(result));
        self.put(result, xmm_loc(reg));
        reg
    }

    /// Saves everything in registers that a called function changes and that lives on, and forgets
    /// those registers.
    pub(crate) fn before_call(&mut self) {
        let mut changed = self.occupied & !PRESERVED;
        while changed != 0 {
            let loc = Loc(changed.trailing_zeros() as u16);
            changed &= changed - 1;
            let Some(v) = self.holder(loc) else { continue };
            let value = self.values.map[v];
            let is_kept = loc.is_xmm() && value.gpr.is_some() && PRESERVED & 1 << value.gpr.0 != 0;
            if value.death > self.pos && !is_kept {
                self.save(v);
            }
        }
    }

    /// Forgets the registers that a call has changed.
    pub(crate) fn after_call(&mut self) {
        let mut changed = self.occupied & !PRESERVED;
        while changed != 0 {
            let loc = Loc(changed.trailing_zeros() as u16);
            changed &= changed - 1;
            self.vacate(loc);
        }
    }
}
