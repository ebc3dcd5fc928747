//! The collector: non-moving mark-region. In: requests and roots. Out: holes, objects too large for them, and free lines.
//!
//! Small objects go to the holes between lines that survived the last collection. An object over one line that does not fit in
//! the current hole goes to an overflow block, an object over 16 KB to memory of its own. A collection resolves root words
//! first, while the start bits of the last collection are still there, and then marks from scratch.
//!
//! Invariants: holes are zeroed when they are taken; a free line holds no live object; between collections, start bits are right in
//! lines that survived the last one.

use crate::check::check_heap;
use crate::chunk::{BLOCK, BLOCK_LINES, BLOCKS, Block, Chunk, LINE, State};
use crate::collector::{Bump, Collector, HeapStats, RootVisitor, Survivors};
use crate::descr::bits;
use crate::large::LargeSpace;
use crate::mark::{Candidates, Marker, object_size};
use crate::{Header, HeapOptions};
use std::ptr::{NonNull, null_mut};
use std::time::Instant;

/// Objects up to this size may be allocated inline: they fit in every hole.
pub const SMALL_MAX: usize = LINE;
/// Larger objects do not go into blocks.
pub(crate) const MEDIUM_MAX: usize = 16 << 10;
/// The least that is allocated between two collections. Otherwise it is one and a half times what was live after the last one: with as much
/// as was live, marking took half as long again for a program that keeps 20 MB, and with twice as much the heap grows by a fifth more.
const MIN_TRIGGER: usize = 4 << 20;
/// How many collections there are from one check of the whole heap to the next in stress mode.
const CHECK_EVERY: u64 = 16;
/// What freed memory is filled with in stress mode.
pub(crate) const POISON: u64 = 0xDEAD_BEEF_DEAD_BEEF;

/// A collector with its memory.
pub(crate) struct MarkRegion {
    limit: usize,
    stress: bool,
    chunks: Vec<Chunk>,
    /// Blocks with holes that have not been taken yet; the last is next.
    partial: Vec<Block>,
    /// Free blocks; the last is next.
    free: Vec<Block>,
    /// The block that small objects are allocated in, if its holes are not used up.
    current: Option<Block>,
    /// Where the current hole began.
    hole_start: *mut u8,
    /// The hole for medium objects, and where it began.
    overflow: Bump,
    overflow_start: *mut u8,
    large: LargeSpace,
    used_blocks: usize,
    /// Bytes handed out as holes and large objects since the last collection, and when to collect.
    since_collection: usize,
    trigger: usize,
    /// The last collection left so little room that going on would mean to collect all the time.
    starved: bool,
    /// What a check of the heap has found, until somebody asks.
    stray: Option<String>,
    /// Without the objects in the current holes.
    stats: HeapStats,
}

const NO_HOLE: Bump = Bump {
    cursor: null_mut(),
    limit: null_mut(),
};

impl MarkRegion {
    pub(crate) fn new(options: HeapOptions) -> MarkRegion {
        MarkRegion {
            limit: options.limit,
            stress: options.stress,
            chunks: Vec::new(),
            partial: Vec::new(),
            free: Vec::new(),
            current: None,
            hole_start: null_mut(),
            overflow: NO_HOLE,
            overflow_start: null_mut(),
            large: LargeSpace::default(),
            used_blocks: 0,
            since_collection: 0,
            trigger: MIN_TRIGGER,
            starved: false,
            stray: None,
            stats: HeapStats::default(),
        }
    }

    /// Whether the check of the heap has found something in stress mode.
    pub(crate) fn has_stray(&self) -> bool {
        self.stray.is_some()
    }

    /// What it has found.
    pub(crate) fn take_stray(&mut self) -> Option<String> {
        self.stray.take()
    }

    /// What the limit bounds.
    fn heap_bytes(&self) -> usize {
        self.used_blocks * BLOCK + self.large.bytes()
    }

    fn has_room(&self, size: usize) -> bool {
        self.heap_bytes()
            .checked_add(size)
            .is_some_and(|bytes| bytes <= self.limit)
    }

    fn alloc_large(&mut self, size: usize) -> Option<NonNull<u8>> {
        if !self.has_room(size) {
            return None;
        }
        let object = self.large.alloc(size)?;
        self.since_collection += size;
        self.stats.bytes_allocated += size as u64;
        Some(object)
    }

    /// Takes holes until the object fits.
    fn alloc_in_holes(&mut self, bump: &mut Bump, size: usize) -> Option<NonNull<u8>> {
        loop {
            if let Some(object) = take(bump, size) {
                return Some(object);
            }
            self.leave_hole(bump);
            *bump = self.next_hole(size)?;
            self.hole_start = bump.cursor;
        }
    }

    fn alloc_medium(&mut self, bump: &mut Bump, size: usize) -> Option<NonNull<u8>> {
        if let Some(object) = take(bump, size).or_else(|| take(&mut self.overflow, size)) {
            return Some(object);
        }
        match self.take_free_block() {
            Some(mut block) => {
                self.leave_overflow();
                block.info().first = 0;
                self.overflow = self.take_hole(block, 0..BLOCK_LINES, size);
                self.overflow_start = self.overflow.cursor;
                take(&mut self.overflow, size)
            }
            // Close to the limit: any hole that is large enough will do.
            None => self.alloc_in_holes(bump, size),
        }
    }

    /// Counts what has been allocated in the current hole, and forgets it.
    fn leave_hole(&mut self, bump: &mut Bump) {
        self.stats.bytes_allocated += (bump.cursor.addr() - self.hole_start.addr()) as u64;
        *bump = NO_HOLE;
        self.hole_start = null_mut();
    }

    fn leave_overflow(&mut self) {
        let bytes = self.overflow.cursor.addr() - self.overflow_start.addr();
        self.stats.bytes_allocated += bytes as u64;
        self.overflow = NO_HOLE;
        self.overflow_start = null_mut();
    }

    /// The next hole in the current block, in the partial blocks, or a free block.
    fn next_hole(&mut self, size: usize) -> Option<Bump> {
        loop {
            let mut block = match self.current.or_else(|| self.partial.pop()) {
                Some(block) => block,
                None => self.take_free_block()?,
            };
            let from = block.info().taken as usize;
            match block.hole(from) {
                Some(hole) => {
                    self.current = Some(block);
                    return Some(self.take_hole(block, hole, size));
                }
                None => self.current = None,
            }
        }
    }

    /// Zeroes a hole and makes it ready for allocation. In stress mode only as much of it as the object needs.
    fn take_hole(&mut self, mut block: Block, hole: std::ops::Range<usize>, size: usize) -> Bump {
        let end = if self.stress {
            hole.end.min(hole.start + size.div_ceil(LINE))
        } else {
            hole.end
        };
        block.info().taken = end as u16;
        let (cursor, limit) = (block.line(hole.start), block.line(end));
        let bytes = limit.addr() - cursor.addr();
        if block.info().dirty {
            // SAFETY: free lines of a live block.
            unsafe { cursor.write_bytes(0, bytes) };
        }
        self.since_collection += bytes;
        Bump { cursor, limit }
    }

    fn take_free_block(&mut self) -> Option<Block> {
        if !self.has_room(BLOCK) {
            return None;
        }
        if self.free.is_empty() {
            let chunk = Chunk::map()?;
            self.chunks.push(chunk);
            self.free.extend(chunk.blocks().rev());
        }
        let mut block = self.free.pop()?;
        block.info().state = State::Used;
        self.used_blocks += 1;
        Some(block)
    }

    /// The objects that roots refer to.
    fn resolve_roots(&mut self, roots: &mut dyn FnMut(&mut dyn RootVisitor)) -> Vec<*mut u8> {
        self.chunks.sort_unstable();
        self.large.sort();
        let mut candidates = Candidates::new(&self.chunks, &self.large);
        roots(&mut candidates);
        let found = std::mem::take(&mut candidates.found);
        if self.stress && self.stats.collections.is_multiple_of(CHECK_EVERY) {
            // SAFETY: the objects have been resolved by start bits, which are still there.
            let stray = unsafe { check_heap(&mut candidates, &found) };
            self.stray = self.stray.take().or(stray);
        }
        found
    }

    fn used_blocks(&self) -> impl Iterator<Item = Block> + use<> {
        let chunks = self.chunks.clone();
        chunks
            .into_iter()
            .flat_map(Chunk::blocks)
            .filter(|b| { *b }.info().state == State::Used)
    }

    fn clear_marks(&mut self) {
        for mut block in self.used_blocks() {
            block.starts().fill(0);
            block.lines().fill(0);
            let info = block.info();
            info.indexed = 0;
            if !self.stress {
                info.taken = 0;
            }
            info.dirty = true;
        }
    }

    fn mark(&mut self, roots: Vec<*mut u8>, settle: &mut dyn FnMut(&mut dyn Survivors)) {
        let mut marker = Marker::new(roots);
        // SAFETY: roots are live objects, found by their start bits; marks have been cleared.
        unsafe { marker.trace() };
        settle(&mut marker);
        self.stats.live_bytes = marker.bytes;
        self.stats.live_objects = marker.objects;
        self.trigger = MIN_TRIGGER.max((marker.bytes as usize).saturating_mul(3) / 2);
    }

    /// Finds free blocks and holes. Answers how many bytes of the used blocks are in holes.
    fn sweep(&mut self) -> usize {
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
            if all_free && free_before * BLOCK > self.reserve() {
                self.free.truncate(free_before);
                // SAFETY: no object lies in it, and no list mentions it any more.
                unsafe { chunk.unmap() };
            } else {
                self.chunks.push(chunk);
            }
        }
        self.sweep_large();
        free_lines * LINE
    }

    /// Bytes of free blocks to keep. In stress mode all of them, so that freed memory stays readable.
    fn reserve(&self) -> usize {
        if self.stress {
            usize::MAX
        } else {
            self.trigger.saturating_mul(2)
        }
    }

    /// Answers how many lines of a used block are free.
    fn sweep_block(&mut self, mut block: Block) -> usize {
        if block.info().state == State::Used {
            if self.stress {
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
        let first = match self.stress && block.hole(behind).is_some() {
            true => behind as u16,
            false => 0,
        };
        block.info().first = first;
        block.info().taken = first;
    }

    fn sweep_large(&mut self) {
        let poison = self.stress.then_some(POISON);
        self.large.sweep(
            |object| {
                let header = object.cast::<Header>();
                // SAFETY: large objects start with a header.
                unsafe {
                    let live = (*header).bits & bits::MARKED != 0;
                    (*header).bits &= !bits::MARKED;
                    live
                }
            },
            poison,
        );
    }

    /// Whether a collection has left less than 3 % of the limit for new objects.
    fn is_starved(&self, in_holes: usize) -> bool {
        let room = self.limit.saturating_sub(self.heap_bytes());
        room.saturating_add(in_holes) < self.limit / 32
    }
}

/// Takes memory off a hole, if the object fits.
#[inline]
fn take(bump: &mut Bump, size: usize) -> Option<NonNull<u8>> {
    if size > bump.limit.addr() - bump.cursor.addr() {
        return None;
    }
    let object = NonNull::new(bump.cursor)?;
    bump.cursor = bump.cursor.wrapping_add(size);
    Some(object)
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

impl Collector for MarkRegion {
    fn due(&self, size: usize) -> bool {
        self.since_collection.saturating_add(size) > self.trigger
    }

    fn allocate(&mut self, bump: &mut Bump, size: usize) -> Option<(NonNull<u8>, u32)> {
        if self.starved {
            return None;
        }
        if size > MEDIUM_MAX {
            return Some((self.alloc_large(size)?, bits::LARGE));
        }
        let object = if size > SMALL_MAX {
            self.alloc_medium(bump, size)?
        } else {
            self.alloc_in_holes(bump, size)?
        };
        if self.stress {
            // The fast path must come back here each time.
            bump.limit = bump.cursor;
        }
        Some((object, 0))
    }

    fn collect(
        &mut self,
        bump: &mut Bump,
        roots: &mut dyn FnMut(&mut dyn RootVisitor),
        settle: &mut dyn FnMut(&mut dyn Survivors),
    ) {
        let began = Instant::now();
        self.leave_hole(bump);
        self.leave_overflow();
        self.current = None;
        let roots = self.resolve_roots(roots);
        self.clear_marks();
        self.mark(roots, settle);
        let in_holes = self.sweep();
        self.starved = self.is_starved(in_holes);
        self.since_collection = 0;
        let pause = began.elapsed().as_nanos() as u64;
        self.stats.collections += 1;
        self.stats.pause_nanos += pause;
        self.stats.max_pause_nanos = self.stats.max_pause_nanos.max(pause);
    }

    fn stats(&self, bump: Bump) -> HeapStats {
        let in_holes = (bump.cursor.addr() - self.hole_start.addr())
            + (self.overflow.cursor.addr() - self.overflow_start.addr());
        HeapStats {
            bytes_allocated: self.stats.bytes_allocated + in_holes as u64,
            heap_bytes: self.heap_bytes() as u64,
            large_objects: self.large.len() as u64,
            ..self.stats
        }
    }
}

impl Drop for MarkRegion {
    fn drop(&mut self) {
        for &chunk in &self.chunks {
            // SAFETY: the heap is gone, and its objects with it.
            unsafe { chunk.unmap() };
        }
    }
}
