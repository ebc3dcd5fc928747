//! What the machine keeps while it looks for a match: registers, and a stack of what can be tried
//! otherwise. In: entries, values of registers. Out: the same, as they were. Invariant: a register
//! is put back before anything else is tried; growth can fail.

use super::program::last_register;

/// No place.
pub const NOWHERE: usize = usize::MAX;

/// How many entries the stack may have.
const MAX_ENTRIES: usize = 1 << 26;

/// How many entries are kept from one match to the next.
const KEPT_ENTRIES: usize = 1 << 16;

/// There is not enough memory for what can be tried otherwise.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutOfMemory;

/// What is done when a way does not lead to a match.
#[derive(Clone, Copy, Debug)]
pub(super) enum Entry {
    /// Goes on at an instruction and a place.
    Branch { pc: u32, at: usize },
    /// Puts back what was in a register.
    Restore { register: u32, old: usize },
    /// Takes a repeated character less, down to a place.
    Fewer { pc: u32, least: usize, at: usize },
    /// Takes a repeated character more, of so many that may follow.
    More { pc: u32, left: u32, at: usize },
    /// Begins one more iteration of a loop.
    Iterate { pc: u32, at: usize },
    /// Begins what looks ahead or behind from a place; goes on there if that must not be.
    Look { look: u32, at: usize },
}

/// What matches need, kept from one to the next.
#[derive(Default)]
pub struct Scratch {
    pub(super) stack: Vec<Entry>,
    pub(super) registers: Vec<usize>,
    /// Whether registers have been written without an entry that puts them back.
    pub(super) is_dirty: bool,
    /// Says that there is no memory for more.
    is_low: Option<fn() -> bool>,
}

impl Scratch {
    /// Has the stack grow only as long as this says that memory is not low.
    pub fn watch(&mut self, is_low: fn() -> bool) {
        self.is_low = Some(is_low);
    }

    /// Where a group was in the last match: where it begins and ends.
    pub fn group(&self, group: usize) -> Option<(usize, usize)> {
        let (start, end) = (self.registers[2 * group], self.registers[2 * group + 1]);
        (start != NOWHERE && end != NOWHERE).then_some((start, end))
    }

    /// The group that has closed last.
    pub fn last_group(&self, groups: usize) -> Option<usize> {
        let last = self.registers[last_register(groups)];
        (last != NOWHERE).then_some(last)
    }

    /// Gives memory back that only a large match needed.
    pub fn shrink(&mut self) {
        self.stack.clear();
        self.stack.shrink_to(KEPT_ENTRIES);
    }

    /// Begins with a program that has so many registers.
    pub(super) fn begin(&mut self, registers: usize) {
        self.stack.clear();
        self.registers.clear();
        self.registers.resize(registers, NOWHERE);
        self.is_dirty = false;
    }

    /// Has all registers say nothing.
    #[inline]
    pub(super) fn clean(&mut self) {
        if self.is_dirty {
            self.registers.fill(NOWHERE);
            self.is_dirty = false;
        }
    }

    /// Notes what can be tried otherwise.
    #[inline]
    pub(super) fn push(&mut self, entry: Entry) -> Result<(), OutOfMemory> {
        if self.stack.len() == self.stack.capacity() {
            self.grow()?;
        }
        self.stack.push(entry);
        Ok(())
    }

    #[cold]
    fn grow(&mut self) -> Result<(), OutOfMemory> {
        let is_low = self.is_low.is_some_and(|is_low| is_low());
        let stack = &mut self.stack;
        let more = stack.len().max(64);
        if is_low || stack.len() + more > MAX_ENTRIES {
            return Err(OutOfMemory);
        }
        stack.try_reserve(more).map_err(|_| OutOfMemory)
    }

    /// Writes a register; what was there comes back if something can be tried otherwise.
    #[inline]
    pub(super) fn write(&mut self, register: usize, value: usize) -> Result<(), OutOfMemory> {
        let old = self.registers[register];
        if self.stack.is_empty() {
            self.is_dirty = true;
        } else {
            let register = register as u32;
            self.push(Entry::Restore { register, old })?;
        }
        self.registers[register] = value;
        Ok(())
    }

    /// Drops what can be tried otherwise above a depth, but not what is put back before that.
    pub(super) fn forget(&mut self, depth: usize) {
        let stack = &mut self.stack;
        if depth == 0 {
            self.is_dirty = true;
            stack.clear();
            return;
        }
        let mut kept = depth;
        for n in depth..stack.len() {
            if matches!(stack[n], Entry::Restore { .. }) {
                stack[kept] = stack[n];
                kept += 1;
            }
        }
        stack.truncate(kept);
    }

    /// Puts registers back as they were at a depth, where the entry is dropped too.
    pub(super) fn undo(&mut self, depth: usize) {
        while self.stack.len() > depth {
            if let Some(Entry::Restore { register, old }) = self.stack.pop() {
                self.registers[register as usize] = old;
            }
        }
    }
}
