//! Marking, from root words to start bits (the marks) and line marks. An object on the work list is
//! marked and scanned once, or has been in an earlier collection whose marks are still there.

use crate::collector::held::Held;
use crate::collector::large::LargeSpace;
use crate::collector::{CollectScope, RootVisitor, Survivors};
use crate::layout::descr::{
    ARRAY_ITEMS_OFFSET, ARRAY_LEN_OFFSET, ClassDescr, Header, array_size, bits, class_of_object,
    class_of_word,
};
use crate::layout::refs::RefPlace;
use crate::memory::address_space::{self, CARD, CHUNK};
use crate::memory::chunk::{BLOCK, Block, Chunk, GRANULE, LINE, State, prefetch};
use std::ptr::null_mut;

/// Bytes of an object.
///
/// # Safety
/// `object` is a live object of this class.
#[inline(always)]
unsafe fn size_of_object(object: *mut u8, class: &ClassDescr) -> usize {
    match class.item {
        None => class.size as usize,
        // SAFETY: arrays have a length.
        Some(item) => unsafe { array_size(item.stride as u64, array_len(object)) as usize },
    }
}

/// The number of items.
///
/// # Safety
/// `array` is a live array.
#[inline(always)]
pub(crate) unsafe fn array_len(array: *mut u8) -> u64 {
    // SAFETY: the caller's promise.
    unsafe { array.add(ARRAY_LEN_OFFSET).cast::<u64>().read() }
}

/// Bytes of an object.
///
/// # Safety
/// `object` is a live object.
pub(crate) unsafe fn object_size(object: *mut u8) -> usize {
    // SAFETY: the caller's promise.
    unsafe { size_of_object(object, class_of_object(object)) }
}

/// Resolves candidate words to objects of a scope.
pub(crate) struct Candidates<'a> {
    scope: CollectScope,
    chunks: ChunkSet,
    large: &'a LargeSpace,
    /// The objects found, with repetitions.
    pub found: Vec<*mut u8>,
    /// Those that count only if others are reached.
    pub held: Held,
    /// Bytes that have been searched for candidates.
    pub searched: usize,
}

/// The chunks of a heap, by their addresses.
struct ChunkSet {
    first: usize,
    /// A bit for each chunk from the first to the last.
    bits: Vec<u64>,
}

impl ChunkSet {
    fn new(chunks: &[Chunk]) -> ChunkSet {
        let numbers = || chunks.iter().map(|c| c.address() / CHUNK);
        let first = numbers().min().unwrap_or(0);
        let last = numbers().max().unwrap_or(0);
        let mut bits = vec![0; (last - first) / 64 + 1];
        for number in numbers() {
            bits[(number - first) / 64] |= 1 << ((number - first) % 64);
        }
        ChunkSet { first, bits }
    }

    fn at(&self, address: usize) -> Option<Chunk> {
        let number = (address / CHUNK).wrapping_sub(self.first);
        let is_there = *self.bits.get(number / 64)? >> (number % 64) & 1 != 0;
        is_there.then(|| Chunk::of(std::ptr::with_exposed_provenance_mut::<u8>(address)))
    }
}

impl<'a> Candidates<'a> {
    /// The large objects are sorted.
    pub(crate) fn new(
        scope: CollectScope,
        chunks: &[Chunk],
        large: &'a LargeSpace,
    ) -> Candidates<'a> {
        Candidates {
            scope,
            chunks: ChunkSet::new(chunks),
            large,
            found: Vec::new(),
            held: Held::default(),
            searched: 0,
        }
    }

    /// From here on all objects are resolved.
    pub(crate) fn widen(&mut self) {
        self.scope = CollectScope::All;
    }

    /// The object with this address in it, if this is an address of the heap.
    pub(crate) fn object_at(&self, address: usize) -> Option<*mut u8> {
        match address_space::contains(address) {
            true => self.resolve(address),
            false => None,
        }
    }

    fn resolve(&self, address: usize) -> Option<*mut u8> {
        match self.chunks.at(address) {
            Some(chunk) => resolve_in_block(chunk.block_at(address)?, address, self.scope),
            None => self.large.resolve(address, self.scope),
        }
    }
}

impl RootVisitor for Candidates<'_> {
    #[inline]
    fn word(&mut self, word: u64) {
        self.found.extend(self.object_at(word as usize));
    }

    unsafe fn words(&mut self, start: *const u64, end: *const u64) {
        self.searched += end.addr().saturating_sub(start.addr());
        let heaps = address_space::range();
        let mut at = start;
        while at < end {
            // SAFETY: the caller promises readable memory. Volatile, since it may be other frames'
            // locals.
            let word = unsafe { at.read_volatile() } as usize;
            if word.wrapping_sub(heaps.start) < heaps.len()
                && let Some(object) = self.resolve(word)
            {
                self.found.push(object);
            }
            at = at.wrapping_add(1);
        }
    }

    unsafe fn held_words(&mut self, key: usize, holder: u64, start: *const u64, end: *const u64) {
        let others = self.found.len();
        // SAFETY: the caller's promise.
        unsafe { self.words(start, end) };
        self.held.add(key, holder, &self.found[others..]);
        self.found.truncate(others);
    }
}

/// Bytes that are searched for new objects at a time.
const INDEXED: usize = 4 << 10;

/// The object of this block with the address in it, if it is of the scope.
fn resolve_in_block(mut block: Block, address: usize, scope: CollectScope) -> Option<*mut u8> {
    // A line that a live object touched at the last collection has not been allocated in since. So
    // one look says of nearly everything on a deep stack that it is old.
    let line = (address - block.line(0).addr()) / LINE;
    let is_old = block.lines()[line] != 0;
    if is_old && scope == CollectScope::Young {
        return None;
    }
    if block.info().state == State::Free {
        return None;
    }
    if !is_old {
        // Candidates often come in the order of their addresses, and to find where to go on takes
        // as long as a few objects.
        index_new_objects(block, address | (INDEXED - 1));
    }
    let object = block.start_before(address)?;
    // SAFETY: start bits are set at objects that survived the last collection, whose lines have not
    // been reused, and at objects allocated since.
    let end = object.addr() + unsafe { object_size(object) };
    (address < end).then_some(object)
}

/// Whether an object starts at this address of a block. Changes nothing, so allocation may go on
/// behind what it has looked at.
pub(crate) fn starts_in_block(mut block: Block, address: usize) -> bool {
    let line = (address - block.line(0).addr()) / LINE;
    let info = block.info();
    let (is_free, new) = (info.state == State::Free, info.first..info.taken);
    if is_free || !address.is_multiple_of(GRANULE) {
        return false;
    }
    let known = block.start_before(address);
    if known.is_some_and(|object| object.addr() == address) {
        return true;
    }
    if block.lines()[line] != 0 || !new.contains(&(line as u16)) {
        return false;
    }
    // The objects of this hole from the last one on that a collection has found.
    let old = block.lines()[usize::from(new.start)..line].iter();
    let hole = line - old.rev().take_while(|&&l| l == 0).count();
    let mut at = block.line(hole);
    if let Some(known) = known.filter(|&known| known > at) {
        at = known;
    }
    loop {
        // SAFETY: from `first` to `taken` there are objects or zeros.
        let is_object = unsafe { (*at.cast::<Header>()).class != 0 };
        match is_object {
            _ if at.addr() > address => return false,
            _ if at.addr() == address => return is_object,
            // SAFETY: as above.
            true => at = at.wrapping_add(unsafe { object_size(at) }),
            false => at = at.map_addr(|a| (a + 1).next_multiple_of(LINE)),
        }
    }
}

/// Sets the start bits of the objects allocated since the last collection, which no side table
/// knows of, up to the one with this address in it: walks the lines that have been allocated in,
/// from where the last walk ended. They were zero before, so a zero class word ends a run of
/// objects; the next can only begin at a line.
fn index_new_objects(mut block: Block, until: usize) {
    let start = block.line(0);
    let taken = block.info().taken as usize;
    let first = block.info().first as usize * (LINE / GRANULE);
    let mut granule = first.max(usize::from(block.info().indexed));
    while let Some(hole) = block
        .hole(granule * GRANULE / LINE)
        .filter(|h| h.start < taken)
    {
        let end = block.line(hole.end.min(taken));
        let mut at = block
            .line(hole.start)
            .max(start.wrapping_add(granule * GRANULE));
        while at < end && at.addr() <= until {
            // SAFETY: from `first` to `taken` there are objects or zeros.
            unsafe {
                if (*at.cast::<Header>()).class == 0 {
                    at = at.map_addr(|a| (a + 1).next_multiple_of(LINE));
                } else {
                    Chunk::of(at).set_start(at);
                    at = at.wrapping_add(object_size(at));
                }
            }
        }
        granule = (at.addr() - start.addr()) / GRANULE;
        if at < end || granule * GRANULE >= BLOCK {
            break;
        }
    }
    block.info().indexed = granule as u16;
}

/// How many objects are being loaded into the cache before they are looked at.
const PREFETCHED: usize = 16;
/// How many objects are known to have been on the work list: most objects of a guest refer to the
/// same few classes, shapes and empty arrays.
const RECENT: usize = 64;
/// Bytes that processors load together.
const CACHE_LINE: usize = 64;
/// Items of a long array that are put on the work list at a time.
const SLICE: usize = 512;

/// Marks what is reachable.
///
/// Marking waits for memory most of the time, so objects pass through a short queue between the
/// work list and the test of their mark, and are prefetched when they enter it ("Software
/// Prefetching for Mark-Sweep Garbage Collection", Cher, Hosking and Vijaykumar, 2004).
pub(crate) struct Marker {
    /// Objects that may be marked already.
    work: Vec<*mut u8>,
    /// Items of long arrays: the next place and the end.
    slices: Vec<Items>,
    /// A ring of objects that are being loaded.
    queue: [*mut u8; PREFETCHED],
    /// Objects that have been put on the work list, by their addresses.
    recent: [*mut u8; RECENT],
    /// What waits for its holder to be reached.
    held: Held,
    /// The arrays of registers among what was marked.
    pub registers: Vec<*mut u8>,
    /// Bytes marked.
    pub bytes: u64,
    /// Objects marked.
    pub objects: u64,
}

/// Items of an array, the end excluded.
#[derive(Clone, Copy)]
struct Items {
    from: *mut u8,
    to: *mut u8,
    stride: usize,
    refs: &'static [RefPlace],
}

impl Marker {
    /// A marker that starts with these roots.
    pub(crate) fn new(roots: Vec<*mut u8>, held: Held) -> Marker {
        Marker {
            work: roots,
            held,
            slices: Vec::new(),
            queue: [null_mut(); PREFETCHED],
            recent: [null_mut(); RECENT],
            registers: Vec::new(),
            bytes: 0,
            objects: 0,
        }
    }

    /// Marks everything that the roots reach.
    ///
    /// # Safety
    /// The roots are live objects of a heap; of objects that are marked already, what they refer to
    /// is marked or on the work list.
    pub(crate) unsafe fn trace(&mut self) {
        let (mut oldest, mut waiting) = (0, 0);
        loop {
            // A list has one object at a time to wait for, so the queue need not be full.
            while waiting < PREFETCHED {
                let next = self.next();
                if next.is_null() {
                    break;
                }
                prefetch(next);
                // What is scanned behind the header often lies in the next cache line: a fifth of
                // the time of marking waited for it.
                prefetch(next.wrapping_add(CACHE_LINE));
                Chunk::of(next).prefetch_start(next);
                self.queue[(oldest + waiting) % PREFETCHED] = next;
                waiting += 1;
            }
            if waiting == 0 {
                return;
            }
            let object = self.queue[oldest % PREFETCHED];
            oldest += 1;
            waiting -= 1;
            // SAFETY: only live objects are put on the work list.
            unsafe { self.mark(object) };
        }
    }

    /// Puts on the work list what an object refers to from the 512 bytes at `card`, or from
    /// anywhere if it is small.
    ///
    /// # Safety
    /// The object is live.
    pub(crate) unsafe fn remember(&mut self, object: *mut u8, card: *mut u8) {
        // SAFETY: the caller's promise.
        unsafe {
            let class = class_of_object(object);
            let Some(item) = class.item else {
                if object.addr() + class.size as usize > card.addr() {
                    self.scan(object, class);
                }
                return;
            };
            if item.refs.is_empty() {
                return;
            }
            // Items that lie in the card in part are looked at as a whole.
            let from = object.wrapping_add(ARRAY_ITEMS_OFFSET);
            let len = array_len(object) as usize;
            let first = card.addr().saturating_sub(from.addr()) / item.stride;
            let end = (card.addr() + CARD).saturating_sub(from.addr());
            let end = end.div_ceil(item.stride).min(len);
            self.push_all(Items {
                from: from.wrapping_add(first.min(end) * item.stride),
                to: from.wrapping_add(end * item.stride),
                stride: item.stride,
                refs: item.refs,
            });
        }
    }

    /// Puts on the work list what the items of an array refer to.
    ///
    /// # Safety
    /// It is live, and an array of references.
    pub(crate) unsafe fn remember_items(&mut self, array: *mut u8) {
        // SAFETY: the caller's promise.
        unsafe {
            if let Some(item) = &class_of_object(array).item {
                self.scan_items(array, item.stride, item.refs);
            }
        }
    }

    /// Takes an object off the work list; null if there is none.
    #[inline(always)]
    fn next(&mut self) -> *mut u8 {
        while self.work.is_empty()
            && let Some(items) = self.slices.pop()
        {
            let end = items.to.min(items.from.wrapping_add(SLICE * items.stride));
            if end < items.to {
                self.slices.push(Items { from: end, ..items });
            }
            // SAFETY: items of a live array. They may all be null, then the next slice is taken.
            unsafe { self.push_all(Items { to: end, ..items }) };
        }
        self.work.pop().unwrap_or(null_mut())
    }

    /// Marks an object and puts what it refers to on the work list, unless it is marked.
    #[inline(always)]
    unsafe fn mark(&mut self, object: *mut u8) {
        debug_assert_eq!(object.addr() % GRANULE, 0);
        // SAFETY: every object starts with a header; objects without the large bit lie in a block.
        unsafe {
            let header = object.cast::<Header>();
            let is_large = (*header).bits & bits::LARGE != 0;
            let new = if is_large {
                let new = (*header).bits & bits::MARKED == 0;
                (*header).bits |= bits::MARKED;
                new
            } else {
                Chunk::of(object).set_start(object)
            };
            if !new {
                return;
            }
            let class = class_of_word((*header).class);
            let size = size_of_object(object, class);
            self.bytes += size as u64;
            self.objects += 1;
            if !is_large {
                Chunk::of(object).mark_further_lines(object, size);
            }
            self.scan(object, class);
        }
    }

    /// Puts what an object refers to on the work list.
    #[inline(always)]
    unsafe fn scan(&mut self, object: *mut u8, class: &'static ClassDescr) {
        // SAFETY: the descriptor tells which places hold null or the address of a live object.
        unsafe {
            let mut plain = class.refs.plain;
            while plain != 0 {
                self.push(object.add(plain.trailing_zeros() as usize * 8));
                plain &= plain - 1;
            }
            if class.refs.others {
                self.scan_others(object, class);
            }
            if let Some(item) = &class.item
                && !item.refs.is_empty()
            {
                if item.register {
                    self.registers.push(object);
                }
                if (*object.cast::<Header>()).bits & bits::HIDDEN == 0 {
                    self.scan_items(object, item.stride, item.refs);
                }
            }
        }
    }

    /// Puts what an object refers to on the work list where a tag decides whether it does, or far
    /// from its start.
    #[inline(never)]
    unsafe fn scan_others(&mut self, object: *mut u8, class: &'static ClassDescr) {
        for field in class.fields {
            // SAFETY: the object has this class.
            unsafe { self.push_refs(object.add(field.offset as usize), field.refs) };
        }
    }

    /// Puts what the items of an array refer to on the work list.
    unsafe fn scan_items(&mut self, array: *mut u8, stride: usize, refs: &'static [RefPlace]) {
        // SAFETY: the caller's promise: the array is alive, and so are its items.
        unsafe {
            let from = array.add(ARRAY_ITEMS_OFFSET);
            let len = array_len(array) as usize;
            let items = Items {
                from,
                to: from.wrapping_add(len * stride),
                stride,
                refs,
            };
            if len <= SLICE {
                self.push_all(items);
            } else {
                self.slices.push(items);
            }
        }
    }

    unsafe fn push_all(&mut self, items: Items) {
        let mut at = items.from;
        // Most arrays hold references alone, or values that have one in some of their variants.
        if let [place] = items.refs
            && let Some((tag_at, tags)) = place.only_test()
        {
            while at < items.to {
                // SAFETY: the caller's promise: a tag is there, and behind the right one a
                // reference.
                unsafe {
                    let tag = at.add(tag_at).cast::<u64>().read();
                    if tag < 64 && tags >> tag & 1 != 0 {
                        self.push(at.add(place.offset as usize));
                    }
                }
                at = at.wrapping_add(items.stride);
            }
            return;
        }
        while at < items.to {
            // SAFETY: the caller's promise.
            unsafe { self.push_refs(at, items.refs) };
            at = at.wrapping_add(items.stride);
        }
    }

    /// Puts what a value refers to on the work list.
    #[inline(always)]
    unsafe fn push_refs(&mut self, value: *mut u8, refs: &[RefPlace]) {
        for place in refs {
            // SAFETY: the caller's promise: a value of this form is there.
            if let Some(place) = unsafe { place.find(value) } {
                // SAFETY: as above.
                unsafe { self.push(place) };
            }
        }
    }

    #[inline(always)]
    unsafe fn push(&mut self, place: *mut u8) {
        // SAFETY: the caller's promise.
        let object = unsafe { place.cast::<*mut u8>().read() };
        if !object.is_null() {
            let recent = &mut self.recent[(object.addr() / GRANULE) % RECENT];
            if *recent != object {
                *recent = object;
                self.work.push(object);
            }
        }
    }
}

/// Between marking and sweeping: addresses are those of objects that were live before the
/// collection.
impl Survivors for Marker {
    fn is_live(&self, object: u64) -> bool {
        let object = std::ptr::with_exposed_provenance_mut::<u8>(object as usize);
        // SAFETY: nothing has been freed yet, so the object still has its header.
        let bits = unsafe { (*object.cast::<Header>()).bits };
        match bits & bits::LARGE {
            0 => Chunk::of(object).is_start(object),
            _ => bits & bits::MARKED != 0,
        }
    }

    fn keep(&mut self, object: u64) {
        self.work
            .push(std::ptr::with_exposed_provenance_mut(object as usize));
        // SAFETY: the object and what it refers to have not been freed.
        unsafe { self.trace() };
    }

    fn reach_held(&mut self) {
        let mut held = std::mem::take(&mut self.held);
        held.reach(self, |marker, objects| {
            marker.work.extend_from_slice(objects);
            // SAFETY: as above.
            unsafe { marker.trace() };
        });
        self.held = held;
    }

    fn keep_held(&mut self) -> Vec<usize> {
        let (objects, keys) = self.held.take_rest();
        self.work.extend(objects);
        // SAFETY: as above.
        unsafe { self.trace() };
        keys
    }
}
