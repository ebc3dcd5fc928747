//! The collector: non-moving mark-region, with generations. In: requests and roots. Out: holes,
//! objects too large for them, and free lines.
//!
//! Small objects go to the holes between lines that survived the last collection. An object over
//! one line that does not fit in the current hole goes to an overflow block, an object over 16 KB
//! to pages of its own. A collection resolves root words first, while the start bits of the last
//! collection are still there, and then marks.
//!
//! Marks are sticky: a collection of the young generation keeps those of earlier ones. What has
//! them is old, and neither looked at nor freed; but references that have been stored in old
//! objects since are roots, which the cards tell ([`crate::space`]). Everything that survives is
//! old from then on, so that no card is needed any more. A collection of everything begins without
//! marks; when there is one, [`crate::pacing`] says.
//!
//! Invariants: holes are zeroed when they are taken; a free line holds no live object; between
//! collections, start bits are right in lines that survived the last one; an old object that refers
//! to a young one does so at a place whose card is dirty.
//!
//! Source: "Combining Generational and Conservative Garbage Collection: Framework and
//! Implementations" (Demers, Weiser, Hayes, Boehm, Bobrow, Shenker, 1990), for sticky marks; "Fast
//! Conservative Garbage Collection" (Shahriyar, Blackburn, McKinley, 2014) for lines and
//! conservative roots.

use crate::collector::heap_check::{Leftovers, check_heap, check_marked, kept_elsewhere};
use crate::collector::large::LargeSpace;
use crate::collector::mark::{Candidates, Marker, object_size};
use crate::collector::options::{HeapOptions, Stress};
use crate::collector::pacing::Pacing;
use crate::collector::{Bound, Bump, HeapStats, RootVisitor, Scope, Survivors};
use crate::detector;
use crate::layout::descr::{Header, bits};
use crate::memory::address_space::CHUNK;
use crate::memory::chunk::{
    BLOCK, BLOCK_LINES, BLOCKS, Block, Chunk, LINE, MEDIUM_MAX, SMALL_MAX, State,
};
use std::ptr::{NonNull, null_mut};
use std::time::Instant;

/// So many arrays of registers may become old before everything is collected. They are looked
/// through by every collection.
const MIN_REGISTERS: usize = 1000;
/// Holes of fewer lines are left alone until the next collection of everything: most of what
/// survives is old soon and scattered, and a hole of a line costs as much as one of a block.
const LEAST_HOLE: usize = 4;
/// In stress mode for the young generation, one of so many collections is of everything.
const YOUNG_IN_A_ROW: u64 = 40;
/// How many collections there are from one check of the whole heap to the next in stress mode.
const CHECK_EVERY: u64 = 16;
/// A heap with fewer objects can be checked at every collection of the young generation.
const FEW: u64 = 500;
/// Bytes beyond the limit for who handles the exhaustion of the heap.
const HANDLING: usize = 256 << 10;
/// What freed memory is filled with in stress mode.
pub(crate) const POISON: u64 = 0xDEAD_BEEF_DEAD_BEEF;

/// A collector with its memory.
pub(crate) struct MarkRegion {
    limit: usize,
    /// What the heap may take beside, since somebody has handled its exhaustion.
    extra: usize,
    /// How often somebody has handled it since a collection has found room within the limit.
    handled: u32,
    /// Whether the limit holds for what is being allocated.
    bound: Bound,
    stress: Stress,
    chunks: Vec<Chunk>,
    /// A chunk for when the system refuses memory, and whoever asks for it cannot say so.
    spare: Option<Chunk>,
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
    /// Blocks that have been allocated in since the last collection.
    young: Vec<Block>,
    /// The arrays of registers that survived the last collection of everything, or one since.
    registers: Vec<*mut u8>,
    /// How many of them there may be before everything is collected: most are those of activations
    /// that have ended.
    most_registers: usize,
    /// What is handed out counts, as holes and large objects.
    pacing: Pacing,
    /// The last collection of everything left less than 3 % of the limit for new objects: going on
    /// would mean to collect all the time.
    starved: bool,
    /// What a check of the heap has found, until somebody asks.
    stray: Option<String>,
    /// What on Rust's own heap refers to nothing, though it looks so.
    leftovers: Leftovers,
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
            extra: 0,
            handled: 0,
            bound: Bound::Limit,
            stress: options.stress,
            chunks: Vec::new(),
            spare: None,
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
            starved: false,
            stray: None,
            leftovers: Leftovers::default(),
            stats: HeapStats::default(),
        }
    }

    /// Whether the check of the heap has found something in stress mode.
    pub(crate) fn has_stray(&self) -> bool {
        self.stray.is_some()
    }

    /// The next allocation is to say this.
    pub(crate) fn set_stray(&mut self, message: String) {
        self.stray = Some(message);
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
        let bytes = self.heap_bytes().checked_add(size);
        let limit = self.limit.saturating_add(self.extra);
        self.bound == Bound::None || bytes.is_some_and(|bytes| bytes <= limit)
    }

    /// Somebody handles the exhaustion of the heap, and needs some room for it, until a collection
    /// finds room within the limit. Each time before that it is half as much: who has dropped
    /// everything may find that words on the stack keep it alive a little longer, and who never
    /// drops anything must not go on for ever.
    pub(crate) fn allow_handling(&mut self) {
        let more = HANDLING.checked_shr(self.handled).unwrap_or(0);
        self.extra = match self.handled {
            0 => more,
            _ => self.extra + more,
        };
        self.handled = self.handled.saturating_add(1);
        self.starved &= more == 0;
    }

    /// Whether the last collection has left so little room that going on would mean to collect all
    /// the time.
    pub(crate) fn is_starved(&self) -> bool {
        self.starved
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
        let chunk = Chunk::map();
        match self.bound {
            Bound::Limit if chunk.is_some() && self.spare.is_none() => self.spare = Chunk::map(),
            Bound::None if chunk.is_none() => return self.spare.take(),
            _ => {}
        }
        chunk
    }

    fn allocate_bound(&mut self, bump: &mut Bump, size: usize) -> Option<(NonNull<u8>, u32)> {
        if self.starved && self.bound == Bound::Limit {
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
        scope: Scope,
        roots: &mut dyn FnMut(&mut dyn RootVisitor, Scope),
    ) -> Roots {
        self.chunks.sort_unstable();
        self.large.sort();
        let mut candidates = Candidates::new(&self.chunks, &self.large);
        roots(&mut candidates, scope);
        let found = std::mem::take(&mut candidates.found);
        let count = self.stats.collections + self.stats.young_collections;
        let elsewhere = match self.stress.is_on() && detector::is_installed() {
            true => self.leftovers.mentioned(&mut candidates),
            false => Vec::new(),
        };
        let mut all = None;
        let every = match self.stress {
            // A reference that was missed leads to memory that is free from then on, which says
            // less of why.
            Stress::Young if self.stats.live_objects < FEW => 1,
            _ => CHECK_EVERY,
        };
        if self.stress.is_on() && count.is_multiple_of(every) {
            roots(&mut candidates, Scope::All);
            let everything = std::mem::take(&mut candidates.found);
            // SAFETY: the objects have been resolved by start bits, which are still there.
            let stray = unsafe { check_heap(&mut candidates, &everything) };
            let whole = stray.is_none();
            self.stray = self.stray.take().or(stray);
            all = whole.then_some(everything);
        }
        Roots {
            found,
            all,
            elsewhere,
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

    fn used_blocks(&self) -> impl Iterator<Item = Block> + use<> {
        let chunks = self.chunks.clone();
        chunks
            .into_iter()
            .flat_map(Chunk::blocks)
            .filter(|b| { *b }.info().state == State::Used)
    }

    /// Makes everything young.
    fn clear_marks(&mut self) {
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
    fn keep_marks(&mut self) {
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

    fn mark(&mut self, scope: Scope, roots: Roots, settle: &mut dyn FnMut(&mut dyn Survivors)) {
        let mut marker = Marker::new(roots.found);
        if scope == Scope::Young {
            self.remember(&mut marker);
        }
        // SAFETY: roots are live objects, found by their start bits; what old objects refer to is
        // old or was just remembered.
        unsafe { marker.trace() };
        settle(&mut marker);
        match scope {
            Scope::Young => self.registers.append(&mut marker.registers),
            Scope::All => {
                self.registers = std::mem::take(&mut marker.registers);
                self.most_registers = MIN_REGISTERS + 2 * self.registers.len();
            }
        }
        if let Some(all) = roots.all {
            // SAFETY: nothing has been freed yet.
            let missed = unsafe { check_marked(&all, &marker) };
            self.stray = self.stray.take().or(missed);
        }
        let is_dead = |object: &&*mut u8| !marker.is_live(object.addr() as u64);
        if let Some(&object) = roots.elsewhere.iter().find(is_dead) {
            // SAFETY: nothing has been freed yet.
            let kept = unsafe { kept_elsewhere(object) };
            self.stray = self.stray.take().or(Some(kept));
        }
        self.count(scope, marker.bytes, marker.objects);
    }

    /// Counts what has survived.
    fn count(&mut self, scope: Scope, bytes: u64, objects: u64) {
        if scope == Scope::All {
            (self.stats.live_bytes, self.stats.live_objects) = (0, 0);
        }
        self.stats.live_bytes += bytes;
        self.stats.live_objects += objects;
        self.pacing.collected(scope, bytes as usize);
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
        self.young.clear();
        free_lines * LINE
    }

    /// Finds what has become free in blocks that were allocated in since the last collection.
    fn sweep_young(&mut self) {
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

    /// Bytes of free blocks to keep. In stress mode all of them, so that freed memory stays
    /// readable.
    fn reserve(&self) -> usize {
        if self.stress.is_on() {
            usize::MAX
        } else {
            self.pacing.reserve()
        }
    }

    /// Answers how many lines of a used block are free.
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

    fn sweep_large(&mut self, scope: Scope) {
        let poison = self.stress.is_on().then_some(POISON);
        let keep = self.reserve();
        let is_marked = |object: *mut u8| {
            // SAFETY: large objects start with a header.
            unsafe { (*object.cast::<Header>()).bits & bits::MARKED != 0 }
        };
        self.large.sweep(scope, is_marked, poison, keep);
    }

    /// Finds out how much room a collection of everything has left, so many bytes of it in holes.
    /// What lies beyond the limit counts as taken.
    fn look_for_room(&mut self, in_holes: usize) {
        let taken = self.heap_bytes().saturating_sub(in_holes);
        let least = self.limit / 32;
        // As much as there is for handling; in small heaps, what is a lot for them.
        let again = least.max(HANDLING.min(self.limit / 8));
        if taken.saturating_add(again) <= self.limit {
            self.handled = 0;
        }
        if self.handled > 0 {
            // The least room of a large heap would be more than there is for this.
            let limit = self.limit.saturating_add(self.extra);
            self.starved = taken.saturating_add(least.min(BLOCK)) > limit;
            return;
        }
        self.starved = taken.saturating_add(least) > self.limit;
        if self.extra > 0 {
            // Holes are no room for objects that are larger, so that it comes to an end little by
            // little.
            let beyond = (self.heap_bytes() + 2 * BLOCK).saturating_sub(self.limit);
            self.extra = beyond.min(HANDLING);
        }
    }
}

/// What a collection begins with.
struct Roots {
    found: Vec<*mut u8>,
    /// All roots, if the marks are to be checked.
    all: Option<Vec<*mut u8>>,
    /// The objects that Rust's own heap refers to: no roots, but if one of them is not reached,
    /// that is a mistake.
    elsewhere: Vec<*mut u8>,
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

impl MarkRegion {
    /// Whether it is time to collect before allocating `size` bytes.
    pub(crate) fn due(&self, size: usize) -> bool {
        // Room beyond the limit is taken back as soon as there is some within it.
        self.pacing.is_due(size) || self.handled > 0 && self.pacing.allocated() >= BLOCK
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
        self.bound = bound;
        let object = self.allocate_bound(bump, size);
        self.bound = Bound::Limit;
        object
    }

    /// Whether the limit allows an object of `size` bytes, and the system has memory for it: then
    /// there will be.
    pub(crate) fn make_room(&mut self, size: usize) -> bool {
        if self.starved {
            return false;
        }
        match size {
            ..=MEDIUM_MAX => self.has_room(BLOCK),
            _ => self.has_room(size) && self.large.make_room(size),
        }
    }

    /// What should be collected when it is time.
    pub(crate) fn scope(&self) -> Scope {
        let young = match self.stress {
            Stress::Off => {
                let many = self.registers.len() > self.most_registers;
                !self.pacing.wants_everything() && !many && self.handled == 0
            }
            Stress::All => false,
            Stress::Young => {
                let count = self.stats.young_collections + self.stats.collections;
                !(count + 1).is_multiple_of(YOUNG_IN_A_ROW)
            }
        };
        match young {
            true => Scope::Young,
            false => Scope::All,
        }
    }

    /// Frees what cannot be reached from what `roots` visits, as far as it is in the scope; between
    /// marking and freeing, `settle` learns what has been reached and may keep more. All other
    /// threads of the heap, if there are any, are stopped.
    pub(crate) fn collect(
        &mut self,
        scope: Scope,
        bump: &mut Bump,
        roots: &mut dyn FnMut(&mut dyn RootVisitor, Scope),
        settle: &mut dyn FnMut(&mut dyn Survivors),
    ) {
        let began = Instant::now();
        self.leave_hole(bump);
        self.leave_overflow();
        self.current = None;
        let roots = self.resolve_roots(scope, roots);
        match scope {
            Scope::Young => {
                self.keep_marks();
                self.mark(scope, roots, settle);
                self.sweep_young();
                self.sweep_large(scope);
            }
            Scope::All => {
                self.clear_marks();
                self.mark(scope, roots, settle);
                let in_holes = self.sweep();
                self.sweep_large(scope);
                self.look_for_room(in_holes);
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
        for chunk in self.chunks.iter().copied().chain(self.spare) {
            // SAFETY: the heap is gone, and its objects with it.
            unsafe { chunk.unmap() };
        }
    }
}
