//! The register allocator: linear scan, one section at a time, while code is emitted.
//!
//! A live value is in a register or a slot, or is known. No instruction emitted here changes the
//! flags, and registers that an operation has asked for stay until the operation is over. Source:
//! linear scan with Belady's choice of the value that is used farthest ahead.

pub(crate) mod moves;
pub(crate) mod slots;

use crate::asm::Asm;
use crate::asm::instructions::*;
use crate::asm::operands::{Gpr, Mem, Rm, RmImm, Xmm};
use crate::liveness::{Pos, ValueTable};
use crate::locations::{Loc, ValueLoc, as_gpr, as_xmm, gpr_loc, slot_mem, xmm_loc};
use crate::registers::{CONTEXT, GPRS, PRESERVED, SCRATCH, XMMS, preferred};
use cranelift_entity::packed_option::PackedOption;
use slots::Slots;
use verdigris_backend::sabotage::Sabotage;
use verdigris_trace::{Arg, ValRef};

/// Registers, slots and values, and the code that is emitted.
#[derive(Default)]
pub(crate) struct RegAlloc {
    pub(crate) asm: Asm,
    pub(crate) values: ValueTable,
    pub(crate) slots: Slots,
    /// The value in each register, by [`Loc`].
    held: [PackedOption<ValRef>; 32],
    /// Registers in use, as a set of [`Loc`]s.
    occupied: u32,
    /// Registers that the current operation relies on, as a set of [`Loc`]s.
    locked: u32,
    pub(crate) pos: Pos,
    /// A value in memory that only the current operation needs.
    pub(crate) unloaded: Option<(ValRef, Mem)>,
    /// The content of the scratch register: a value times a factor.
    pub(crate) scratch: Option<(ValRef, u32)>,
}

impl RegAlloc {
    /// Forgets all values, at the beginning of a section.
    pub(crate) fn forget(&mut self) {
        self.held = [PackedOption::default(); 32];
        (self.occupied, self.locked) = (0, 0);
        self.slots.clear();
        self.scratch = None;
    }

    pub(crate) fn canon(&self, v: ValRef) -> ValRef {
        self.values.map[v].canon
    }

    /// The word of a value, if it is known.
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
    pub(crate) fn place(&self, val: Arg) -> ValueLoc {
        let v = match val {
            Arg::Const(constant) => return ValueLoc::Const(constant.word()),
            Arg::Ref(v) => v,
        };
        let value = &self.values.map[self.canon(v)];
        if let Some(word) = value.known {
            return ValueLoc::Const(word);
        }
        let loc = [value.gpr, value.xmm, value.slot]
            .into_iter()
            .find(|l| l.is_some());
        ValueLoc::At(loc.unwrap_or_else(|| panic!("{v} is defined before it is used")))
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

    /// The registers that the operation relies on so far.
    pub(crate) fn locked(&self) -> u32 {
        self.locked
    }

    /// Lets registers move that the operation has asked for since [`Self::locked`].
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

    /// Lets registers move that the operation has asked for.
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

    /// Puts a value into a register or slot.
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

    /// Empties a register.
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

    /// Frees the registers and the slot of a value.
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

    /// Ends an operation: its registers may move, and values that die at it are dropped.
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

    /// A free general register: the hint of the value it is for, if that is free.
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
        let loc = preferred(free, preserved);
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

    /// Frees this register; a value in it goes elsewhere.
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

    /// Frees a register of these: that of the value which is used farthest ahead. Returns which.
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

    /// Puts a copy of a value into a slot, if there is none.
    pub(crate) fn save(&mut self, v: ValRef) -> Loc {
        let value = self.values.map[v];
        if value.slot.is_some() {
            return value.slot;
        }
        let slot = self.slots.take();
        if value.gpr.is_some() {
            cov_mark::hit!(general_register_is_spilled);
            (self.asm).rm_reg(&MOV_STORE, slot_mem(slot), as_gpr(value.gpr).0);
        } else if Sabotage::WrongSlot.is_on() {
            // Not what happens to be there, which may be right.
            (self.asm).rm_reg(&MOV_STORE, slot_mem(slot), CONTEXT.0);
        } else {
            cov_mark::hit!(double_is_spilled);
            (self.asm).rm_reg(&MOVSD_STORE, slot_mem(slot), as_xmm(value.xmm).0);
        }
        self.values.map[v].slot = slot;
        slot
    }

    /// The memory of a value that has not been loaded.
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

    /// A value as an operand that may be a constant or lie in memory, where it stays if no
    /// operation needs it soon.
    pub(crate) fn operand(&mut self, val: Arg) -> RmImm {
        if let Some(word) = self.known(val) {
            return RmImm::Imm(word);
        }
        let v = self.canon(val.as_ref().expect("it is no constant"));
        let value = self.values.map[v];
        if let Some(mem) = self.unloaded(val) {
            return RmImm::Rm(mem.into());
        }
        let is_full = !self.has_free();
        if !value.gpr.is_some() && value.slot.is_some() && (is_full || value.death <= self.pos) {
            cov_mark::hit!(operand_stays_in_its_slot);
            return RmImm::Rm(slot_mem(value.slot).into());
        }
        RmImm::Rm(self.gpr(val).into())
    }

    /// A value as an operand that may lie in memory.
    pub(crate) fn rm(&mut self, val: Arg) -> Rm {
        match self.operand(val) {
            RmImm::Rm(rm) => rm,
            RmImm::Imm(_) => self.gpr(val).into(),
        }
    }

    /// A value as the second operand of an instruction: a constant only if it fits in one.
    pub(crate) fn source(&mut self, val: Arg) -> RmImm {
        match self.operand(val) {
            RmImm::Imm(word) if i32::try_from(word as i64).is_err() => {
                let reg = self.take_gpr(None);
                self.asm.mov_imm(reg, word);
                RmImm::Rm(reg.into())
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

    /// The register of a result whose instruction changes its first operand in place: it holds the
    /// operand.
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
        let RmImm::Rm(rm) = operand else {
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

    /// Saves values that live on from registers that a called function changes.
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

    /// Empties the registers that a call has changed.
    pub(crate) fn after_call(&mut self) {
        let mut changed = self.occupied & !PRESERVED;
        while changed != 0 {
            let loc = Loc(changed.trailing_zeros() as u16);
            changed &= changed - 1;
            self.vacate(loc);
        }
    }

    /// Takes over a value that a call has left in a register.
    pub(crate) fn take_result(&mut self, result: ValRef, loc: Loc) {
        self.lock(loc);
        let value = self.values.map[result];
        if value.death <= self.pos {
            return;
        }
        let moves = value.hint.is_some() && value.hint.is_gpr() || self.crosses_call(result);
        if loc.is_gpr() && moves {
            let reg = self.take_gpr(Some(result));
            self.asm.reg_rm(&MOV, reg.0, as_gpr(loc));
            return self.put(result, gpr_loc(reg));
        }
        self.put(result, loc);
    }

    /// Loads a constant into the scratch register.
    pub(crate) fn load_scratch(&mut self, word: usize) {
        self.scratch = None;
        self.asm.mov_imm(SCRATCH, word as u64);
    }
}
