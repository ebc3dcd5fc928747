//! Chunks of memory: 1 MB each, aligned to their size, divided into blocks of 32 KB and lines of
//! 128 B. The first block of a chunk holds the metadata of all blocks and no objects. Fresh memory
//! from the system is not touched before it is used.

use crate::memory::address_space::{self, CARD, CHUNK, CHUNK_CARDS};

/// Bytes of a block.
pub(crate) const BLOCK: usize = 32 << 10;
/// Bytes of a line.
pub(crate) const LINE: usize = 128;
/// Bytes of a granule: objects start at multiples of it.
pub(crate) const GRANULE: usize = 8;
/// Objects up to this size fit in every hole.
pub(crate) const SMALL_MAX: usize = LINE;
/// Objects up to this size may be allocated inline. Where a hole ends that is too short for one, at
/// most this much of it is lost.
pub const INLINE_MAX: usize = 4 * LINE;
/// Larger objects do not go into blocks.
pub(crate) const MEDIUM_MAX: usize = 16 << 10;
/// Lines of a block.
pub(crate) const BLOCK_LINES: usize = BLOCK / LINE;
/// Blocks of a chunk, the first (metadata) included.
pub(crate) const BLOCKS: usize = CHUNK / BLOCK;
/// A line that a live object has touched.
const LIVE: u8 = 1;
/// A line in a hole that is too small to be worth the trouble until all holes are found anew: no
/// object is in it, and none will be.
const LOST: u8 = 2;
/// Words of the start bitmap of a block.
const BLOCK_WORDS: usize = BLOCK / GRANULE / 64;

/// What is known of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum State {
    /// No objects. (0: what fresh memory says.)
    Free = 0,
    /// Objects, or room being allocated in.
    Used = 1,
}

/// The metadata of a block.
#[repr(C)]
pub(crate) struct BlockInfo {
    /// What is known of it.
    pub state: State,
    /// Free lines may hold something else than zeros.
    pub dirty: bool,
    /// Allocated in since the last collection.
    pub young: bool,
    /// Up to this granule the start bits of objects allocated since the last collection are set.
    pub indexed: u16,
    /// Where allocation began after the last collection: at the first line, but in stress mode
    /// behind what was allocated before, so that freed memory is not used again at once.
    pub first: u16,
    /// Free lines from `first` to this one have been allocated in since the last collection.
    pub taken: u16,
}

/// The metadata of a chunk.
#[repr(C)]
struct ChunkInfo {
    /// One bit per granule: an object starts here. For objects allocated since the last collection:
    /// see `indexed`.
    starts: [u64; BLOCKS * BLOCK_WORDS],
    /// One byte per line, 0 if it is free: 1 if a live object touched it at the last collection, or
    /// [`LOST`]. While marking: only for objects that started in an earlier line.
    lines: [u8; BLOCKS * BLOCK_LINES],
    blocks: [BlockInfo; BLOCKS],
}

const _: () = assert!(size_of::<ChunkInfo>() <= BLOCK);
// A card has the objects whose start bits are in one word.
const _: () = assert!(CARD == 64 * GRANULE);

/// A chunk, by its address.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Chunk(*mut ChunkInfo);

/// A block, by the address of its first byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Block(*mut u8);

impl Chunk {
    /// A new chunk of zeros, or `None` if there is no memory.
    pub(crate) fn map() -> Option<Chunk> {
        Some(Chunk(address_space::take(1)?.cast()))
    }

    /// Gives the memory back.
    ///
    /// # Safety
    /// Nothing refers to the chunk any more.
    pub(crate) unsafe fn unmap(self) {
        // SAFETY: what `map` has taken, and the caller's promise.
        unsafe { address_space::give_back(self.0.cast(), 1) };
    }

    /// The chunk that an address in it belongs to.
    #[inline(always)]
    pub(crate) fn of<T>(address: *mut T) -> Chunk {
        Chunk(address.map_addr(|a| a & !(CHUNK - 1)).cast())
    }

    pub(crate) fn address(self) -> usize {
        self.0.addr()
    }

    /// The blocks that hold objects, in the order of their addresses.
    pub(crate) fn blocks(self) -> impl DoubleEndedIterator<Item = Block> {
        (1..BLOCKS).map(move |i| Block(self.0.cast::<u8>().wrapping_add(i * BLOCK)))
    }

    /// The block at an address in the chunk; `None` in the metadata.
    pub(crate) fn block_at(self, address: usize) -> Option<Block> {
        let offset = (address - self.0.addr()) & !(BLOCK - 1);
        (offset != 0).then(|| Block(self.0.cast::<u8>().wrapping_add(offset)))
    }

    /// The addresses in blocks where references have been stored since the cards were cleared last:
    /// each means 512 bytes.
    pub(crate) fn dirty_cards(self) -> impl Iterator<Item = *mut u8> {
        dirty_cards(self.0.cast(), CHUNK_CARDS)
    }

    /// Forgets them.
    pub(crate) fn clear_cards(self) {
        // SAFETY: the cards of a live chunk.
        unsafe { address_space::card_at(self.0.addr()).write_bytes(0, CHUNK_CARDS) };
    }

    /// The word of the start bitmap for an object, and its bit.
    #[inline(always)]
    fn start_bit(self, object: *mut u8) -> (*mut u64, u64) {
        let granule = (object.addr() & (CHUNK - 1)) / GRANULE;
        let starts = self.0.cast::<u64>();
        (starts.wrapping_add(granule / 64), 1 << (granule % 64))
    }

    /// Sets the start bit of an object. Returns whether it was not set before.
    ///
    /// # Safety
    /// `object` lies in a block of this live chunk.
    #[inline(always)]
    pub(crate) unsafe fn set_start(self, object: *mut u8) -> bool {
        let (word, bit) = self.start_bit(object);
        // SAFETY: within the bitmap, since the offset is less than a chunk.
        unsafe {
            let new = *word & bit == 0;
            *word |= bit;
            new
        }
    }

    /// Whether it is known that an object starts here, which must be in a block.
    pub(crate) fn is_start(self, object: *mut u8) -> bool {
        let (word, bit) = self.start_bit(object);
        // SAFETY: within the bitmap, since the offset is less than a chunk.
        unsafe { *word & bit != 0 }
    }

    /// Has the processor load what [`Chunk::set_start`] will need. Does nothing for an object that
    /// is in no chunk.
    #[inline(always)]
    pub(crate) fn prefetch_start(self, object: *mut u8) {
        prefetch(self.start_bit(object).0.cast());
    }

    /// Notes that a live object of `size` bytes touches the lines behind the one it starts in.
    ///
    /// # Safety
    /// The object lies in a block of this live chunk.
    #[inline(always)]
    pub(crate) unsafe fn mark_further_lines(self, object: *mut u8, size: usize) {
        let offset = object.addr() & (CHUNK - 1);
        let (first, last) = (offset / LINE, (offset + size - 1) / LINE);
        if first != last {
            // SAFETY: the indices are in the array, since the object ends within its block.
            unsafe {
                let lines = (&raw mut (*self.0).lines).cast::<u8>();
                lines.add(first + 1).write(1);
                if first + 1 != last {
                    lines.add(first + 2).write_bytes(1, last - first - 1);
                }
            }
        }
    }
}

/// The addresses, of this many cards' memory, where references have been stored: each means 512
/// bytes. `start` is that of memory of the heap.
pub(crate) fn dirty_cards(start: *mut u8, cards: usize) -> impl Iterator<Item = *mut u8> {
    let first = address_space::card_at(start.addr());
    // SAFETY: the memory has a card for each 512 bytes.
    let all = unsafe { std::slice::from_raw_parts(first, cards) };
    let base = start.map_addr(|a| a & !(CARD - 1));
    // Most are clean, so that many at a time are looked at.
    let groups = all.chunks(64).enumerate();
    let dirty = groups.filter(|(_, group)| group.iter().fold(0, |any, card| any | card) != 0);
    dirty
        .flat_map(|(n, group)| {
            let cards = group.iter().enumerate();
            cards.filter_map(move |(k, &card)| (card != 0).then_some(n * 64 + k))
        })
        .map(move |n| base.wrapping_add(n * CARD))
}

/// Has the processor load a place that will be read soon. Any address will do.
#[inline(always)]
pub(crate) fn prefetch(address: *const u8) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch has no effect that a program can see.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(address.cast());
    }
    #[cfg(target_arch = "aarch64")]
    // SAFETY: as above.
    unsafe {
        std::arch::asm!("prfm pldl1keep, [{0}]", in(reg) address, options(nostack, readonly, preserves_flags));
    }
}

impl Block {
    /// The address of its first byte.
    pub(crate) fn start(self) -> *mut u8 {
        self.0
    }

    /// The address of line `line`.
    pub(crate) fn line(self, line: usize) -> *mut u8 {
        self.0.wrapping_add(line * LINE)
    }

    fn index(self) -> usize {
        (self.0.addr() & (CHUNK - 1)) / BLOCK
    }

    fn chunk(self) -> *mut ChunkInfo {
        Chunk::of(self.0).0
    }

    /// The metadata.
    #[allow(clippy::mut_from_ref)]
    pub(crate) fn info(&mut self) -> &mut BlockInfo {
        // SAFETY: blocks are made by live chunks and the result borrows this handle; the collector
        // is single-threaded and holds one such reference at a time.
        unsafe { &mut (*self.chunk()).blocks[self.index()] }
    }

    /// Which lines live objects touched at the last collection.
    pub(crate) fn lines(&mut self) -> &mut [u8; BLOCK_LINES] {
        // SAFETY: as in `info`.
        unsafe {
            let lines = (&raw mut (*self.chunk()).lines).cast::<u8>();
            &mut *lines.add(self.index() * BLOCK_LINES).cast()
        }
    }

    /// The start bitmap.
    pub(crate) fn starts(&mut self) -> &mut [u64; BLOCK_WORDS] {
        // SAFETY: as in `info`.
        unsafe {
            let starts = (&raw mut (*self.chunk()).starts).cast::<u64>();
            &mut *starts.add(self.index() * BLOCK_WORDS).cast()
        }
    }

    /// Forgets where the objects start that have been allocated since the last collection: those in
    /// free lines.
    pub(crate) fn forget_young_starts(&mut self) {
        const LINE_GRANULES: usize = LINE / GRANULE;
        let lines = *self.lines();
        for (word, lines) in self
            .starts()
            .iter_mut()
            .zip(lines.chunks(64 / LINE_GRANULES))
        {
            for (n, &line) in lines.iter().enumerate() {
                if line == 0 {
                    *word &= !(0xFFFF << (n * LINE_GRANULES));
                }
            }
        }
    }

    /// Whether an old object is in the 512 bytes at an address.
    #[inline]
    pub(crate) fn has_old_lines(&mut self, card: *mut u8) -> bool {
        let first = (card.addr() - self.0.addr()) / LINE;
        self.lines()[first..first + CARD / LINE].contains(&LIVE)
    }

    /// The objects that start in the 512 bytes at an address, or reach into them.
    pub(crate) fn objects_in_card(mut self, card: *mut u8) -> impl Iterator<Item = *mut u8> {
        let before = match card.addr() - self.0.addr() {
            0 => None,
            _ => self.start_before(card.addr() - 1),
        };
        let word = (card.addr() - self.0.addr()) / CARD;
        let mut bits = self.starts()[word];
        let own = std::iter::from_fn(move || {
            (bits != 0).then(|| {
                let granule = bits.trailing_zeros() as usize;
                bits &= bits - 1;
                card.wrapping_add(granule * GRANULE)
            })
        });
        before.into_iter().chain(own)
    }

    /// Gives up holes of less than this many lines until the next search for holes.
    pub(crate) fn lose_holes(&mut self, least: usize) {
        let mut from = 0;
        while let Some(hole) = self.hole(from) {
            from = hole.end;
            if hole.len() < least {
                self.lines()[hole].fill(LOST);
            }
        }
    }

    /// Completes the line marks from the start bits when marking is over. Returns how many lines
    /// are not free.
    pub(crate) fn finish_lines(&mut self) -> usize {
        const LINE_GRANULES: usize = LINE / GRANULE;
        let starts = *self.starts();
        // Most blocks that were filled since the last collection hold nothing any more.
        if starts == [0; BLOCK_WORDS] {
            self.lines().fill(0);
            return 0;
        }
        let mut marked = 0;
        for (i, line) in self.lines().iter_mut().enumerate() {
            let granule = i * LINE_GRANULES;
            let bits = (starts[granule / 64] >> (granule % 64)) as u16;
            *line |= (bits != 0) as u8;
            marked += usize::from(*line != 0);
        }
        marked
    }

    /// The last object that starts at or before `address`.
    pub(crate) fn start_before(&mut self, address: usize) -> Option<*mut u8> {
        let granule = (address - self.0.addr()) / GRANULE;
        let mut word = granule / 64;
        let mut bits = self.starts()[word] & (u64::MAX >> (63 - granule % 64));
        while bits == 0 {
            word = word.checked_sub(1)?;
            bits = self.starts()[word];
        }
        let granule = word * 64 + 63 - bits.leading_zeros() as usize;
        Some(self.0.wrapping_add(granule * GRANULE))
    }

    /// The objects whose start bits are set, in the order of their addresses.
    pub(crate) fn objects(mut self) -> impl Iterator<Item = *mut u8> {
        let words = *self.starts();
        words
            .into_iter()
            .enumerate()
            .flat_map(move |(i, mut bits)| {
                std::iter::from_fn(move || {
                    (bits != 0).then(|| {
                        let granule = i * 64 + bits.trailing_zeros() as usize;
                        bits &= bits - 1;
                        self.0.wrapping_add(granule * GRANULE)
                    })
                })
            })
    }

    /// The first run of free lines at or behind `from`.
    pub(crate) fn hole(&mut self, from: usize) -> Option<std::ops::Range<usize>> {
        let lines = self.lines();
        let start = from + lines[from..].iter().position(|&l| l == 0)?;
        let end = lines[start..]
            .iter()
            .position(|&l| l != 0)
            .map_or(BLOCK_LINES, |n| start + n);
        Some(start..end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::address_space::barrier;

    #[test]
    fn cards_lead_to_objects_and_young_ones_are_forgotten() {
        let chunk = Chunk::map().unwrap();
        let mut block = chunk.block_at(chunk.address() + 3 * BLOCK).unwrap();
        let objects = [0, 480, 1000, 1024, 1528].map(|o| block.start().wrapping_add(o));
        for object in objects {
            // SAFETY: in a live chunk.
            unsafe { chunk.set_start(object) };
        }
        let card = |n: usize| block.start().wrapping_add(n * CARD);
        let found = |n| block.objects_in_card(card(n)).collect::<Vec<_>>();
        assert_eq!(found(0), objects[..2]);
        assert_eq!(found(1), objects[1..3]);
        assert_eq!(found(2), objects[2..]);
        assert_eq!(found(3), objects[4..]);
        barrier(objects[2]);
        barrier(objects[4]);
        assert_eq!(chunk.dirty_cards().collect::<Vec<_>>(), [card(1), card(2)]);
        chunk.clear_cards();
        assert_eq!(chunk.dirty_cards().next(), None);
        block.lines()[8] = 1;
        block.forget_young_starts();
        assert_eq!(block.objects().collect::<Vec<_>>(), objects[3..4]);
        // SAFETY: nothing refers to it.
        unsafe { chunk.unmap() };
    }

    #[test]
    fn metadata_starts_as_that_of_free_blocks() {
        let chunk = Chunk::map().unwrap();
        assert_eq!(chunk.address() % CHUNK, 0);
        assert_eq!(chunk.blocks().count(), BLOCKS - 1);
        for mut block in chunk.blocks() {
            assert_eq!(block.info().state, State::Free);
            assert!(!block.info().dirty);
            assert_eq!(block.hole(0), Some(0..BLOCK_LINES));
            assert_eq!(block.start_before(block.start().addr() + BLOCK - 1), None);
        }
        assert_eq!(chunk.block_at(chunk.address() + BLOCK - 1), None);
        // SAFETY: nothing refers to it.
        unsafe { chunk.unmap() };
    }

    #[test]
    fn starts_lines_and_holes() {
        let chunk = Chunk::map().unwrap();
        let mut block = chunk.block_at(chunk.address() + 5 * BLOCK + 77).unwrap();
        let objects = [0, 8, 512, 1024 - 8, BLOCK - 16].map(|o| block.start().wrapping_add(o));
        for object in objects {
            // SAFETY: objects of 16 bytes in a live chunk.
            unsafe {
                assert!(chunk.set_start(object));
                assert!(!chunk.set_start(object));
                chunk.mark_further_lines(object, 16);
            }
        }
        assert_eq!(block.finish_lines(), 5);
        assert_eq!(block.objects().collect::<Vec<_>>(), objects);
        let at = |block: &mut Block, offset: usize| {
            let address = block.start().addr() + offset;
            block
                .start_before(address)
                .map(|o| o.addr() - block.start().addr())
        };
        assert_eq!(at(&mut block, 0), Some(0));
        assert_eq!(at(&mut block, 7), Some(0));
        assert_eq!(at(&mut block, 511), Some(8));
        assert_eq!(at(&mut block, 512), Some(512));
        assert_eq!(at(&mut block, BLOCK - 1), Some(BLOCK - 16));
        assert_eq!(at(&mut block, BLOCK - 17), Some(1016));
        assert_eq!(block.hole(0), Some(1..4));
        assert_eq!(block.hole(4), Some(5..7));
        assert_eq!(block.hole(7), Some(9..BLOCK_LINES - 1));
        assert_eq!(block.hole(BLOCK_LINES - 1), None);
        block.lose_holes(3);
        assert_eq!(block.hole(1), Some(1..4));
        assert_eq!(block.hole(4), Some(9..BLOCK_LINES - 1));
        assert_eq!(block.finish_lines(), 7);
        // SAFETY: nothing refers to it.
        unsafe { chunk.unmap() };
    }
}
