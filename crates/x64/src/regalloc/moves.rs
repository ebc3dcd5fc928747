//! Parallel moves: emits moves in an order in which none overwrites what another still reads, with
//! cycles broken by the scratch registers. The flags stay as they are.
//!
//! Source: the usual sequentialisation of parallel copies, which counts the moves that still read a
//! place; a move takes constant time.

use crate::asm::Asm;
use crate::asm::instructions::*;
use crate::asm::operands::{Gpr, Mem, Rm, Xmm};
use crate::locations::{Loc, ValueLoc, as_gpr, as_xmm, gpr_loc, slot_mem};
use crate::registers::{SCRATCH, SCRATCH_XMM};
use verdigris_backend::sabotage::Sabotage;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Move {
    pub(crate) from: ValueLoc,
    pub(crate) to: Loc,
}

/// Moves to emit at once. The tables are used again.
#[derive(Default)]
pub(crate) struct ParallelMoves {
    list: Vec<Move>,
    /// How many moves read each [`Loc`].
    readers: Vec<u32>,
    /// The move that writes each [`Loc`], counted from 1.
    writers: Vec<u32>,
    ready: Vec<u32>,
}

impl ParallelMoves {
    /// Adds a move to those that are emitted at once.
    pub(crate) fn add(&mut self, from: ValueLoc, to: Loc) {
        if from != ValueLoc::At(to) {
            self.list.push(Move { from, to });
        }
    }

    /// Emits them.
    pub(crate) fn emit(&mut self, asm: &mut Asm) {
        if Sabotage::SwapMoves.is_on() {
            let is_xmm = |loc: Loc| !loc.is_slot() && !loc.is_gpr();
            let doubles =
                |m: &mut Move| is_xmm(m.to) && matches!(m.from, ValueLoc::At(from) if is_xmm(from));
            let doubles = self.list.extract_if(.., doubles);
            doubles.for_each(|m| move_one(asm, m.from, m.to));
        }
        self.count();
        for n in 0..self.list.len() {
            if self.readers[index(self.list[n].to)] == 0 {
                self.ready.push(n as u32);
            }
        }
        let mut next = 0;
        loop {
            while let Some(n) = self.ready.pop() {
                self.one(asm, n);
            }
            // The moves that are left form cycles: one place is copied for all moves that still
            // read it.
            let Some(n) = (next..self.list.len()).find(|&n| self.is_pending(n)) else {
                break;
            };
            next = n;
            cov_mark::hit!(moves_go_in_a_circle);
            self.open(asm, self.list[n].to);
            self.ready.push(n as u32);
        }
        for m in &self.list {
            self.writers[index(m.to)] = 0;
            self.readers[index(m.to)] = 0;
            if let ValueLoc::At(from) = m.from {
                self.readers[index(from)] = 0;
            }
        }
        self.list.clear();
    }

    fn count(&mut self) {
        let places = |m: &Move| match m.from {
            ValueLoc::At(from) => index(from).max(index(m.to)),
            ValueLoc::Const(_) => index(m.to),
        };
        let most = self.list.iter().map(places).max().map_or(0, |n| n + 1);
        // Scratch places are read when a cycle has been opened.
        let most = most.max(32);
        if self.readers.len() < most {
            self.readers.resize(most, 0);
            self.writers.resize(most, 0);
        }
        for (n, m) in self.list.iter().enumerate() {
            self.writers[index(m.to)] = n as u32 + 1;
            if let ValueLoc::At(from) = m.from {
                self.readers[index(from)] += 1;
            }
        }
    }

    fn is_pending(&self, n: usize) -> bool {
        self.writers[index(self.list[n].to)] == n as u32 + 1
    }

    fn one(&mut self, asm: &mut Asm, n: u32) {
        let Move { from, to } = self.list[n as usize];
        move_one(asm, from, to);
        self.writers[index(to)] = 0;
        let ValueLoc::At(from) = from else { return };
        self.readers[index(from)] -= 1;
        if self.readers[index(from)] == 0 && self.writers[index(from)] != 0 {
            self.ready.push(self.writers[index(from)] - 1);
        }
    }

    /// ParallelMoves that read a place read the scratch register from now on.
    fn open(&mut self, asm: &mut Asm, place: Loc) {
        let scratch = gpr_loc(SCRATCH);
        move_one(asm, ValueLoc::At(place), scratch);
        for n in 0..self.list.len() {
            if self.list[n].from == ValueLoc::At(place) && self.is_pending(n) {
                self.list[n].from = ValueLoc::At(scratch);
                self.readers[index(place)] -= 1;
                self.readers[index(scratch)] += 1;
            }
        }
    }
}

fn index(loc: Loc) -> usize {
    usize::from(loc.0)
}

/// ParallelMoves one value; what goes from memory to memory goes through the scratch vector
/// register.
pub(crate) fn move_one(asm: &mut Asm, from: ValueLoc, to: Loc) {
    if to.is_slot() {
        return store(asm, from, slot_mem(to));
    }
    match (from, to.is_gpr()) {
        (ValueLoc::Const(word), true) => asm.mov_imm(as_gpr(to), word),
        (ValueLoc::Const(0), false) => asm.reg_rm(&XORPS, as_xmm(to).0, as_xmm(to)),
        (ValueLoc::Const(word), false) => {
            let data = asm.constant(word);
            asm.reg_rm(&MOVSD_LOAD, as_xmm(to).0, Mem::Data(data));
        }
        (ValueLoc::At(from), true) => to_gpr(asm, from, as_gpr(to)),
        (ValueLoc::At(from), false) => to_xmm(asm, from, as_xmm(to)),
    }
}

fn to_gpr(asm: &mut Asm, from: Loc, to: Gpr) {
    if from.is_slot() {
        asm.reg_rm(&MOV, to.0, slot_mem(from));
    } else if from.is_gpr() {
        asm.reg_rm(&MOV, to.0, as_gpr(from));
    } else {
        asm.rm_reg(&MOVQ_FROM_XMM, to, as_xmm(from).0);
    }
}

fn to_xmm(asm: &mut Asm, from: Loc, to: Xmm) {
    if from.is_slot() {
        asm.reg_rm(&MOVSD_LOAD, to.0, slot_mem(from));
    } else if from.is_gpr() {
        asm.reg_rm(&MOVQ_TO_XMM, to.0, as_gpr(from));
    } else {
        asm.reg_rm(&MOVAPS, to.0, as_xmm(from));
    }
}

/// Stores a word that is in a register, in a slot, or known.
pub(crate) fn store(asm: &mut Asm, from: ValueLoc, to: Mem) {
    match from {
        ValueLoc::Const(word) => store_word(asm, word, to),
        ValueLoc::At(from) if from.is_gpr() => asm.rm_reg(&MOV_STORE, to, as_gpr(from).0),
        ValueLoc::At(from) if from.is_xmm() => asm.rm_reg(&MOVSD_STORE, to, as_xmm(from).0),
        ValueLoc::At(from) => {
            asm.reg_rm(&MOVSD_LOAD, SCRATCH_XMM.0, slot_mem(from));
            asm.rm_reg(&MOVSD_STORE, to, SCRATCH_XMM.0);
        }
    }
}

/// Stores a constant word, through the scratch vector register if it is long.
pub(crate) fn store_word(asm: &mut Asm, word: u64, to: Mem) {
    if let Ok(short) = i32::try_from(word as i64) {
        return asm.rm_imm(&MOV_IMM, 0, to, short, 4);
    }
    let data = asm.constant(word);
    asm.reg_rm(&MOVSD_LOAD, SCRATCH_XMM.0, Rm::Mem(Mem::Data(data)));
    asm.rm_reg(&MOVSD_STORE, to, SCRATCH_XMM.0);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::locations::FIRST_SLOT;

    fn loc(name: &str) -> Loc {
        let (kind, number) = name.split_at(1);
        let number: u16 = number.parse().expect("a number");
        Loc(match kind {
            "g" => number,
            "x" => 16 + number,
            _ => FIRST_SLOT + number,
        })
    }

    /// The text of moves, given as `to=from` with places `g` general, `x` vector, `s` slot, or a
    /// number.
    fn moved(moves: &str) -> String {
        let mut asm = Asm::default();
        asm.clear(true);
        let mut list = ParallelMoves::default();
        for pair in moves.split_whitespace() {
            let (to, from) = pair.split_once('=').expect("a move");
            let from = match from.parse() {
                Ok(word) => ValueLoc::Const(word),
                Err(_) => ValueLoc::At(loc(from)),
            };
            list.add(from, loc(to));
        }
        list.emit(&mut asm);
        // Emitting has emptied the list.
        list.emit(&mut asm);
        let text = asm.text.unwrap_or_default();
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        lines.join("; ")
    }

    #[test]
    fn chains_go_from_their_end() {
        cov_mark::check_count!(moves_go_in_a_circle, 0);
        assert_eq!(
            moved("g0=g1 g1=g2 g2=5"),
            "mov rax, rcx; mov rcx, rdx; mov rdx, 0x5"
        );
        assert_eq!(moved("g0=g0"), "");
    }

    #[test]
    fn cycles_go_through_the_scratch_register() {
        // Two of the lists have one, the last has two.
        cov_mark::check_count!(moves_go_in_a_circle, 4);
        assert_eq!(
            moved("g0=g1 g1=g0 g2=g0"),
            "mov rdx, rax; mov r11, rax; mov rax, rcx; mov rcx, r11"
        );
        assert_eq!(
            moved("x0=x1 x1=x0"),
            "movq r11, xmm0; movaps xmm0, xmm1; movq xmm1, r11"
        );
        assert_eq!(
            moved("g0=g1 g1=g0 g6=g7 g7=g6"),
            "mov r11, rax; mov rax, rcx; mov rcx, r11; mov r11, rsi; mov rsi, rdi; mov rdi, r11"
        );
    }

    #[test]
    fn slots_are_swapped() {
        assert_eq!(
            moved("s0=s1 s1=s0"),
            "mov r11, qword [rbp - 0x8]; movsd xmm15, qword [rbp - 0x10]; movsd qword [rbp - 0x8], xmm15; \
             mov qword [rbp - 0x10], r11"
        );
    }
}
