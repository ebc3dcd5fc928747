//! The collector: non-moving mark-region, with generations.
//!
//! Small objects go to the holes between lines that survived the last collection. An object over
//! one line that fits neither in the current hole nor, if it may be allocated inline, in the next
//! one goes to an overflow block, an object over 16 KB to pages of its own. A collection resolves
//! root words first, while the start bits of the last collection are still there, and then marks.
//!
//! Marks are sticky: a collection of the young generation keeps those of earlier ones. What has
//! them is old, and neither looked at nor freed; but references that have been stored in old
//! objects since are roots, which the cards tell ([`crate::memory::address_space`]). Everything
//! that survives is old from then on, so that no card is needed any more. A collection of
//! everything begins without marks; [`crate::collector::pacing`] decides when there is one.
//!
//! Invariants: holes are zeroed when they are taken; a free line holds no live object; between
//! collections, start bits are right in lines that survived the last one; an old object that refers
//! to a young one does so at a place whose card is dirty.
//!
//! Source: "Combining Generational and Conservative Garbage Collection: Framework and
//! Implementations" (Demers, Weiser, Hayes, Boehm, Bobrow, Shenker, 1990), for sticky marks; "Fast
//! Conservative Garbage Collection" (Shahriyar, Blackburn, McKinley, 2014) for lines and
//! conservative roots.

use crate::collector::large::LargeSpace;
use crate::collector::limit::HeapLimit;
use crate::collector::mark::{Candidates, Marker, object_size, starts_in_block};
use crate::collector::options::{HeapOptions, Stress};
use crate::collector::pacing::Pacing;
use crate::collector::spare::SpareChunks;
use crate::collector::stress_checks::{Roots, StressChecks, YOUNG_IN_A_ROW};
use crate::collector::{Bound, Bump, CollectScope, HeapStats, RootVisitor, Survivors};
use crate::layout::descr::bits;
use crate::memory::address_space::CHUNK;
use crate::memory::chunk::{BLOCK, BLOCK_LINES, Block, Chunk, INLINE_MAX, LINE, MEDIUM_MAX};
use crate::memory::chunk::{SMALL_MAX, State};
use std::ptr::{NonNull, null_mut};
use std::time::Instant;

/// Arrays of registers that may become old before everything is collected. Every collection looks
/// through them.
const MIN_REGISTERS: usize = 1000;
/// A collector with its memory.
pub(crate) struct MarkRegion {
    pub(super) limit: HeapLimit,
    pub(super) stress: StressChecks,
    pub(super) chunks: Vec<Chunk>,
    pub(super) spare: SpareChunks,
    /// Bytes outside of the heap that count for its limit.
    outside: usize,
    /// Blocks with holes that have not been taken yet; the last is next.
    pub(super) partial: Vec<Block>,
    /// Free blocks; the last is next.
    pub(super) free: Vec<Block>,
    /// The block that small objects are allocated in, if its holes are not used up.
    current: Option<Block>,
    /// Where the current hole began.
    hole_start: *mut u8,
    /// The hole for medium objects, and where it began.
    overflow: Bump,
    overflow_start: *mut u8,
    pub(super) large: LargeSpace,
    pub(super) used_blocks: usize,
    /// Blocks that have been allocated in since the last collection.
    pub(super) young: Vec<Block>,
    /// The arrays of registers that survived the last collection of everything, or one since.
    pub(super) registers: Vec<*mut u8>,
    /// How many of them there may be before everything is collected: most are those of activations
    /// that have ended.
    most_registers: usize,
    /// Counts what is handed out: holes and large objects.
    pub(super) pacing: Pacing,
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
            limit: HeapLimit::new(options.limit),
            stress: StressChecks::new(options.stress),
            chunks: Vec::new(),
            spare: SpareChunks::default(),
            outside: 0,
            partial: Vec::new(),
            free: Vec::new(),
            current: None,
            hole_start: null_mut(),
            overflow: NO_HOLE,
            overflow_start: null_mut(),
            large: LargeSpace::default(),
            used_blocks: 0,
            young: Vec::new(),
            registers: Vec::new(),
            most_registers: MIN_REGISTERS,
            pacing: Pacing::default(),
            stats: HeapStats::default(),
        }
    }

    /// Whether a check in stress mode has found a bad reference.
    pub(crate) fn has_bad_reference(&self) -> bool {
        self.stress.bad_reference.is_some()
    }

    /// Has the next allocation fail with this message.
    pub(crate) fn fail_next_allocation(&mut self, message: String) {
        self.stress.bad_reference = Some(message);
    }

    /// The message about a bad reference, once.
    pub(crate) fn take_bad_reference(&mut self) -> Option<String> {
        self.stress.bad_reference.take()
    }

    fn collections(&self) -> u64 {
        self.stats.collections + self.stats.young_collections
    }

    /// What the limit bounds.
    fn heap_bytes(&self) -> usize {
        self.used_blocks * BLOCK + self.large.bytes()
    }

    fn has_room(&self, size: usize) -> bool {
        self.limit.allows(self.heap_bytes() + self.outside, size)
    }

    /// Counts memory outside of the heap: `after` bytes where there were `before`. False, and
    /// nothing changes, if there is no room for more.
    pub(crate) fn count_outside(&mut self, before: usize, after: usize) -> bool {
        let more = after.saturating_sub(before);
        if more > 0 && (self.limit.is_reached() || !self.has_room(more)) {
            return false;
        }
        self.outside = (self.outside + after).saturating_sub(before);
        true
    }

    /// Allows an overdraft for code that handles the exhaustion of the heap.
    pub(crate) fn allow_handling(&mut self) {
        self.limit.allow_handling();
        self.spare.allow_handling();
    }

    /// Whether the last collection has left so little room that going on would mean to collect all
    /// the time.
    pub(crate) fn is_at_limit(&self) -> bool {
        self.limit.is_reached()
    }

    /// Whether an allocation that cannot fail would find memory again where the system has refused
    /// it.
    pub(crate) fn has_spare_again(&self) -> bool {
        self.spare.is_unfailing()
    }

    fn alloc_large(&mut self, size: usize) -> Option<NonNull<u8>> {
        if !self.has_room(size) {
            return None;
        }
        let object = self.large.alloc(size)?;
        self.pacing.allocate(size);
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
        if let Some(object) = take(bump, size) {
            return Some(object);
        }
        if size <= INLINE_MAX {
            // Compiled code goes on in the next hole by itself.
            self.leave_hole(bump);
            if let Some(hole) = self.next_hole(size) {
                *bump = hole;
                self.hole_start = hole.cursor;
            }
        }
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

    /// The next hole in the current block, in a free block, in the partial blocks, or in a block
    /// that the system gives.
    ///
    /// What was freed last comes first: those are the blocks in which everything died young, and
    /// they are still in the processor's cache. Holes between old objects are spread over as much
    /// memory as these, and each block of them waits for memory.
    fn next_hole(&mut self, size: usize) -> Option<Bump> {
        loop {
            let mut block = match self.current {
                Some(block) => block,
                None => self.next_block()?,
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

    fn next_block(&mut self) -> Option<Block> {
        // In stress mode holes are what has to be tried.
        let free = !self.free.is_empty() && !self.stress.is_on();
        let block = if free { self.take_free_block() } else { None };
        block
            .or_else(|| self.partial.pop())
            .or_else(|| self.take_free_block())
    }

    /// Zeroes a hole and makes it ready for allocation. In stress mode only as much of it as the
    /// object needs.
    fn take_hole(&mut self, mut block: Block, hole: std::ops::Range<usize>, size: usize) -> Bump {
        let end = if self.stress.is_on() {
            hole.end.min(hole.start + size.div_ceil(LINE))
        } else {
            hole.end
        };
        block.info().taken = end as u16;
        if !std::mem::replace(&mut block.info().young, true) {
            self.young.push(block);
        }
        let (cursor, limit) = (block.line(hole.start), block.line(end));
        let bytes = limit.addr() - cursor.addr();
        if block.info().dirty {
            // SAFETY: free lines of a live block.
            unsafe { cursor.write_bytes(0, bytes) };
        }
        self.pacing.allocate(bytes);
        Bump { cursor, limit }
    }

    fn take_free_block(&mut self) -> Option<Block> {
        if !self.has_room(BLOCK) {
            return None;
        }
        if self.free.is_empty() {
            let chunk = self.map_chunk()?;
            self.chunks.push(chunk);
            self.free.extend(chunk.blocks().rev());
        }
        let mut block = self.free.pop()?;
        block.info().state = State::Used;
        self.used_blocks += 1;
        Some(block)
    }

    fn map_chunk(&mut self) -> Option<Chunk> {
        match (Chunk::map(), self.limit.bound) {
            (Some(chunk), Bound::Limit) => {
                self.spare.fill();
                Some(chunk)
            }
            (Some(chunk), Bound::None) => Some(chunk),
            (None, Bound::Limit) => self.spare.take_for_handling(),
            (None, Bound::None) => self.spare.take_unfailing(),
        }
    }

    fn allocate_bound(&mut self, bump: &mut Bump, size: usize) -> Option<(NonNull<u8>, u32)> {
        if self.limit.is_reached() && self.limit.bound == Bound::Limit {
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
        if self.stress.is_on() {
            // The fast path must come back here each time.
            bump.limit = bump.cursor;
        }
        Some((object, 0))
    }

    /// The objects that roots refer to.
    fn resolve_roots(
        &mut self,
        scope: CollectScope,
        roots: &mut dyn FnMut(&mut dyn RootVisitor, CollectScope),
    ) -> Roots {
        self.chunks.sort_unstable();
        self.large.sort();
        let mut candidates = Candidates::new(scope, &self.chunks, &self.large);
        roots(&mut candidates, scope);
        self.pacing.searched(candidates.searched);
        let mut found = Roots {
            found: std::mem::take(&mut candidates.found),
            held: std::mem::take(&mut candidates.held),
            ..Roots::default()
        };
        if self.stress.is_on() {
            let collections = self.collections();
            let objects = self.stats.live_objects;
            (self.stress).check_before(&mut candidates, roots, &mut found, collections, objects);
        }
        found
    }

    /// Whether an object starts at this address.
    pub(crate) fn is_object(&self, address: usize) -> bool {
        let mut chunks = self.chunks.iter();
        match chunks.find(|c| (c.address()..c.address() + CHUNK).contains(&address)) {
            Some(chunk) => chunk
                .block_at(address)
                .is_some_and(|block| starts_in_block(block, address)),
            None => self.large.starts_at(address),
        }
    }

    /// The object with this address in it, if it was there at the last collection: the start bits
    /// are those of old objects in between.
    pub(crate) fn old_object_at(&self, address: usize) -> Option<*mut u8> {
        let mut chunks = self.chunks.iter();
        let chunk = chunks.find(|c| (c.address()..c.address() + CHUNK).contains(&address));
        let Some(chunk) = chunk else {
            return self.large.old_at(address);
        };
        let mut block = chunk.block_at(address)?;
        if block.info().state == State::Free {
            return None;
        }
        let object = block.start_before(address)?;
        // SAFETY: an old object, whose memory is used again only after a collection.
        (address < object.addr() + unsafe { object_size(object) }).then_some(object)
    }

    pub(super) fn used_blocks(&self) -> impl Iterator<Item = Block> + use<> {
        let chunks = self.chunks.clone();
        chunks
            .into_iter()
            .flat_map(Chunk::blocks)
            .filter(|b| { *b }.info().state == State::Used)
    }

    /// Puts on the work list what references lead to that have been stored in old objects, and in
    /// registers.
    fn remember(&self, marker: &mut Marker) {
        for chunk in &self.chunks {
            for card in chunk.dirty_cards() {
                let Some(mut block) = chunk.block_at(card.addr()) else {
                    continue;
                };
                if block.has_old_lines(card) {
                    for object in block.objects_in_card(card) {
                        // SAFETY: start bits are those of old objects.
                        unsafe { marker.remember(object, card) };
                    }
                }
            }
        }
        for (object, card) in self.large.dirty_cards() {
            // SAFETY: old objects.
            unsafe { marker.remember(object, card) };
        }
        for &array in &self.registers {
            // SAFETY: an old object.
            unsafe { marker.remember_items(array) };
        }
    }

    fn clear_cards(&mut self) {
        self.chunks.iter().for_each(|chunk| chunk.clear_cards());
        self.large.clear_cards();
    }

    fn mark(
        &mut self,
        scope: CollectScope,
        mut roots: Roots,
        settle: &mut dyn FnMut(&mut dyn Survivors),
    ) {
        let held = std::mem::take(&mut roots.held);
        let mut marker = Marker::new(std::mem::take(&mut roots.found), held);
        if scope == CollectScope::Young {
            self.remember(&mut marker);
        }
        // SAFETY: roots are live objects, found by their start bits; what old objects refer to is
        // old or was just remembered.
        unsafe { marker.trace() };
        settle(&mut marker);
        match scope {
            CollectScope::Young => self.registers.append(&mut marker.registers),
            CollectScope::All => {
                self.registers = std::mem::take(&mut marker.registers);
                self.most_registers = MIN_REGISTERS + 2 * self.registers.len();
            }
        }
        self.stress.check_marks(&roots, &marker);
        self.count(scope, marker.bytes, marker.objects);
    }

    /// Counts what has survived.
    fn count(&mut self, scope: CollectScope, bytes: u64, objects: u64) {
        if scope == CollectScope::All {
            (self.stats.live_bytes, self.stats.live_objects) = (0, 0);
        }
        self.stats.live_bytes += bytes;
        self.stats.live_objects += objects;
        self.pacing.collected(scope, bytes as usize);
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

impl MarkRegion {
    /// Whether it is time to collect before allocating `size` bytes.
    pub(crate) fn due(&self, size: usize) -> bool {
        // Room beyond the limit is taken back as soon as there is some within it.
        self.pacing.is_due(size) || self.limit.is_overdrawn() && self.pacing.allocated() >= BLOCK
    }

    /// Zeroed memory for an object of `size` bytes, and the bits for its header. `None` if the
    /// limit holds and forbids it, or if the system has no memory: the context then collects and
    /// asks once more.
    pub(crate) fn allocate(
        &mut self,
        bump: &mut Bump,
        size: usize,
        bound: Bound,
    ) -> Option<(NonNull<u8>, u32)> {
        self.limit.bound = bound;
        let object = self.allocate_bound(bump, size);
        self.limit.bound = Bound::Limit;
        object
    }

    /// Whether the limit allows an object of `size` bytes, and the system has memory for it: then
    /// there will be.
    pub(crate) fn make_room(&mut self, size: usize) -> bool {
        if self.limit.is_reached() {
            return false;
        }
        match size {
            ..=MEDIUM_MAX => self.has_room(BLOCK),
            _ => self.has_room(size) && self.large.make_room(size),
        }
    }

    /// What should be collected when it is time.
    pub(crate) fn scope(&self) -> CollectScope {
        let young = match self.stress.mode {
            Stress::Off => {
                let many = self.registers.len() > self.most_registers;
                !self.pacing.wants_everything() && !many && !self.limit.is_overdrawn()
            }
            Stress::All | Stress::Sparse => false,
            Stress::Young => !(self.collections() + 1).is_multiple_of(YOUNG_IN_A_ROW),
        };
        match young {
            true => CollectScope::Young,
            false => CollectScope::All,
        }
    }

    /// Frees what cannot be reached from what `roots` visits, as far as it is in the scope; between
    /// marking and freeing, `settle` learns what has been reached and may keep more. All other
    /// threads of the heap, if there are any, are stopped.
    pub(crate) fn collect(
        &mut self,
        scope: CollectScope,
        bump: &mut Bump,
        roots: &mut dyn FnMut(&mut dyn RootVisitor, CollectScope),
        settle: &mut dyn FnMut(&mut dyn Survivors),
    ) {
        let began = Instant::now();
        self.leave_hole(bump);
        self.leave_overflow();
        self.current = None;
        let roots = self.resolve_roots(scope, roots);
        match scope {
            CollectScope::Young => {
                self.keep_marks();
                self.mark(scope, roots, settle);
                self.sweep_young();
                self.sweep_large(scope);
            }
            CollectScope::All => {
                let blocks = self.used_blocks * BLOCK;
                self.pacing.filled(blocks, self.large.bytes());
                self.clear_marks();
                self.mark(scope, roots, settle);
                let in_holes = self.sweep();
                self.sweep_large(scope);
                self.limit.collected(self.heap_bytes(), in_holes);
            }
        }
        self.clear_cards();
        self.stats.paused(scope, began.elapsed().as_nanos() as u64);
    }

    /// What the collector has done so far.
    pub(crate) fn stats(&self, bump: Bump) -> HeapStats {
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
        for chunk in self.chunks.iter().copied().chain(self.spare.chunks()) {
            // SAFETY: the heap is gone, and its objects with it.
            unsafe { chunk.unmap() };
        }
    }
}
