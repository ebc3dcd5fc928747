//! The slots of the frame. In: values that have to be kept in memory. Out: slots, and the memory
//! that they are. Invariant: a slot is where it is whatever the frame's size, so that a bridge
//! finds what the code in front of it has left.

use crate::asm::{Mem, regs};
use crate::values::{FIRST_SLOT, Loc};

/// The frame's slots. Slot `n` lies `8 * (n + 1)` below the frame pointer.
#[derive(Default)]
pub(crate) struct Slots {
    used: Vec<bool>,
    /// None below is free.
    lowest: usize,
}

impl Slots {
    pub(crate) fn take(&mut self) -> Loc {
        let free = self.used[self.lowest..].iter().position(|used| !used);
        let n = match free {
            Some(n) => self.lowest + n,
            None => {
                self.used.push(false);
                self.used.len() - 1
            }
        };
        self.used[n] = true;
        self.lowest = n + 1;
        Loc::slot(n as u16)
    }

    /// So many slots in a row. Gives the number of the first.
    pub(crate) fn take_row(&mut self, len: u32) -> u32 {
        let len = len as usize;
        let mut start = self.used.len();
        while start > 0 && !self.used[start - 1] {
            start -= 1;
        }
        let inner = self.used[..start]
            .windows(len)
            .position(|row| row.iter().all(|used| !used));
        let start = inner.unwrap_or(start);
        if self.used.len() < start + len {
            self.used.resize(start + len, false);
        }
        self.used[start..start + len].fill(true);
        start as u32
    }

    pub(crate) fn is_used(&self, slot: Loc) -> bool {
        let n = usize::from(slot.0 - FIRST_SLOT);
        self.used.get(n).copied().unwrap_or(false)
    }

    /// The slot is in use.
    pub(crate) fn claim(&mut self, slot: Loc) {
        let n = usize::from(slot.0 - FIRST_SLOT);
        if self.used.len() <= n {
            self.used.resize(n + 1, false);
        }
        self.used[n] = true;
    }

    pub(crate) fn release(&mut self, slot: Loc) {
        let n = usize::from(slot.0 - FIRST_SLOT);
        self.used[n] = false;
        self.lowest = self.lowest.min(n);
    }

    /// So many slots have ever been in use.
    pub(crate) fn count(&self) -> usize {
        self.used.len()
    }

    /// There are none any more.
    pub(crate) fn forget(&mut self) {
        self.used.clear();
        self.lowest = 0;
    }

    /// None is in use any more.
    pub(crate) fn clear(&mut self) {
        self.used.fill(false);
        self.lowest = 0;
    }
}

/// The memory of a slot.
pub(crate) fn slot_mem(slot: Loc) -> Mem {
    Mem::At(regs::RBP, -8 * (i32::from(slot.0 - FIRST_SLOT) + 1))
}
