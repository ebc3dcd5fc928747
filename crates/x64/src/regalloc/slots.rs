//! The slots of the frame.

use crate::locations::Loc;

/// Which slots of the frame are in use.
#[derive(Default)]
pub(crate) struct Slots {
    used: Vec<bool>,
    /// No slot below this one is free.
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

    /// Takes `len` slots in a row. Returns the number of the first.
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
        let n = slot.slot_number() as usize;
        self.used.get(n).copied().unwrap_or(false)
    }

    /// Marks a slot as used.
    pub(crate) fn claim(&mut self, slot: Loc) {
        let n = slot.slot_number() as usize;
        if self.used.len() <= n {
            self.used.resize(n + 1, false);
        }
        self.used[n] = true;
    }

    pub(crate) fn release(&mut self, slot: Loc) {
        let n = slot.slot_number() as usize;
        self.used[n] = false;
        self.lowest = self.lowest.min(n);
    }

    /// How many slots the frame needs.
    pub(crate) fn count(&self) -> usize {
        self.used.len()
    }

    /// Forgets how many slots there were, at the beginning of a compilation.
    pub(crate) fn forget(&mut self) {
        self.used.clear();
        self.lowest = 0;
    }

    /// Frees all slots.
    pub(crate) fn clear(&mut self) {
        self.used.fill(false);
        self.lowest = 0;
    }
}
