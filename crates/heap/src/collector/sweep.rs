//! Sweeping: what becomes of blocks, lines and large objects when marking is over, and what is
//! forgotten of them before it begins.

use crate::collector::CollectScope;
use crate::collector::mark::object_size;
use crate::collector::mark_region::MarkRegion;
use crate::layout::descr::{Header, bits};
use crate::memory::chunk::{BLOCK, BLOCK_LINES, BLOCKS, Block, LINE, State};
use crate::memory::reserve::memory_is_low;

/// Holes of fewer lines are left alone until the next collection of everything: most of what
/// survives is old soon and scattered, and a hole of a line costs as much as one of a block.
const LEAST_HOLE: usize = 4;
/// Fills freed memory in stress mode.
pub(crate) const POISON: u64 = 0xDEAD_BEEF_DEAD_BEEF;

impl MarkRegion {
    /// Makes everything young.
    pub(super) fn clear_marks(&mut self) {
        for mut block in self.used_blocks() {
            block.starts().fill(0);
            block.lines().fill(0);
            self.renew(block);
        }
        self.large.unmark(|object| {
            // SAFETY: large objects start with a header.
            unsafe { (*object.cast::<Header>()).bits &= !bits::MARKED }
        });
    }

    /// Keeps the marks of what is old, and forgets where the objects start that are not.
    pub(super) fn keep_marks(&mut self) {
        for n in 0..self.young.len() {
            let mut block = self.young[n];
            if block.info().indexed > 0 {
                block.forget_young_starts();
            }
            self.renew(block);
        }
    }

    /// Nothing has been allocated in a block since the collection that is going on.
    fn renew(&self, mut block: Block) {
        let info = block.info();
        info.indexed = 0;
        if !self.stress.is_on() {
            info.taken = 0;
        }
        info.dirty = true;
        info.young = false;
    }

    /// Finds free blocks and holes. Returns how many bytes of the used blocks are in holes.
    pub(super) fn sweep(&mut self) -> usize {
        self.partial.clear();
        self.free.clear();
        self.used_blocks = 0;
        let mut free_lines = 0;
        for chunk in std::mem::take(&mut self.chunks).into_iter().rev() {
            let free_before = self.free.len();
            for block in chunk.blocks().rev() {
                free_lines += self.sweep_block(block);
            }
            let all_free = self.free.len() - free_before == BLOCKS - 1;
            // The system may give no more than it gets back.
            let is_wanted = free_before * BLOCK <= self.reserve()[0]
                && (!self.spare.is_lacking() || self.stress.is_on());
            if all_free && !is_wanted {
                self.free.truncate(free_before);
                // SAFETY: no object lies in it, and no list mentions it any more.
                unsafe { chunk.unmap() };
            } else {
                self.chunks.push(chunk);
            }
        }
        self.young.clear();
        self.spare.renew();
        free_lines * LINE
    }

    /// Finds what has become free in blocks that were allocated in since the last collection.
    pub(super) fn sweep_young(&mut self) {
        for mut block in std::mem::take(&mut self.young) {
            // It was used, and is counted again if it is.
            self.used_blocks -= 1;
            let partial = self.partial.len();
            self.sweep_block(block);
            if self.partial.len() > partial && !self.stress.is_on() {
                block.lose_holes(LEAST_HOLE);
                if block.hole(0).is_none() {
                    self.partial.pop();
                }
            }
        }
    }

    /// Bytes of free blocks, and of free memory for large objects, to keep. In stress mode all of
    /// them, so that freed memory stays readable; none if the system has refused some.
    fn reserve(&self) -> [usize; 2] {
        match (self.stress.is_on(), memory_is_low()) {
            (true, _) => [usize::MAX; 2],
            (_, true) => [0; 2],
            _ => self.pacing.reserve(),
        }
    }

    /// Returns how many lines of a used block are free.
    fn sweep_block(&mut self, mut block: Block) -> usize {
        if block.info().state == State::Used {
            if self.stress.is_on() {
                poison_dead(block);
            }
            let live = block.finish_lines();
            self.set_first(block);
            if live > 0 {
                self.used_blocks += 1;
                if live < BLOCK_LINES {
                    self.partial.push(block);
                }
                return BLOCK_LINES - live;
            }
            block.info().state = State::Free;
        }
        self.free.push(block);
        0
    }

    /// Decides where allocation in a block begins.
    fn set_first(&self, mut block: Block) {
        let behind = block.info().taken as usize;
        let first = match self.stress.is_on() && block.hole(behind).is_some() {
            true => behind as u16,
            false => 0,
        };
        block.info().first = first;
        block.info().taken = first;
    }

    pub(super) fn sweep_large(&mut self, scope: CollectScope) {
        let poison = self.stress.is_on().then_some(POISON);
        let [_, keep] = self.reserve();
        let is_marked = |object: *mut u8| {
            // SAFETY: large objects start with a header.
            unsafe { (*object.cast::<Header>()).bits & bits::MARKED != 0 }
        };
        self.large.sweep(scope, is_marked, poison, keep);
    }
}

/// Overwrites everything in a block that is not a live object.
fn poison_dead(block: Block) {
    let mut at = block.start();
    let fill = |from: *mut u8, to: *mut u8| {
        for i in 0..(to.addr() - from.addr()) / 8 {
            // SAFETY: between two live objects of a block.
            unsafe { from.cast::<u64>().add(i).write(POISON) };
        }
    };
    for object in block.objects() {
        fill(at, object);
        // SAFETY: start bits were just set by marking.
        at = object.wrapping_add(unsafe { object_size(object) });
    }
    fill(at, block.line(BLOCK_LINES));
}
