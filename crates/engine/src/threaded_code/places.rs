//! The places that run as threaded code: a record for each, and the stencils that they share.
//!
//! Invariants: records and code are freed all at once, when no activation runs threaded code, so
//! that code with the address of a record may jump there; the record of a place without code leads
//! to code that leaves at once; objects in records are pinned. Machine code counts in records, so
//! each word is a `Cell`.

#![forbid(unsafe_code)]

use crate::code::entry_cache::EntryCache;
use crate::code::jit_cells::Code;
use crate::code::roots::Pins;
use crate::code::trace_id::TraceId;
use crate::code::trees::TreeId;
use cranelift_entity::{PrimaryMap, entity_impl};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use verdigris_backend::COUNT;
use verdigris_heap::hash_greens;
use verdigris_specialise::{Choice, Decoded, Decoder, GREENS, Green};

/// The logarithm of the most generations for which threaded code does not begin again after it was
/// freed, for want of room or for its age.
const LONGEST_REST: u32 = 12;

/// A place that has a record. Not reused before all records are freed.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct ThreadedPlaceId(u32);
entity_impl!(ThreadedPlaceId, "thread");

/// The code of an instruction, for all places that share it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct StencilId(u32);
entity_impl!(StencilId, "stencil");

/// Stencils that test the same value, by the word that they test for; 0 for those without a test.
type Choices = FxHashMap<u64, Vec<StencilId>>;

/// The words of a record.
type Record = Box<[Cell<u64>]>;

/// The greens of a place. Most interpreters have two: a function and a position in it.
pub(crate) type Greens = SmallVec<[u64; 2]>;

/// A stencil.
pub(crate) struct Stencil {
    pub(crate) decoder: Decoder,
    /// The first word of records with this code.
    word: u64,
    /// The place that it was made for.
    pub(crate) like: ThreadedPlaceId,
    /// The key of the arms that were taken in it.
    pub(crate) number: TraceId,
    /// How often it was compiled again, with one more arm.
    pub(crate) remade: u32,
}

/// A place. There are many, most of them with one record for life.
struct Thread {
    /// Holds the greens, behind the words that all records begin with.
    record: Record,
    /// The current address of the record, shared with readers.
    address: Option<Rc<Cell<u64>>>,
    stencil: Option<StencilId>,
    /// The words of records that hold its address.
    named_by: SmallVec<[(ThreadedPlaceId, u32); 1]>,
    /// Whether its instruction cannot be compiled.
    blocked: bool,
}

impl Thread {
    fn address(&self) -> u64 {
        address(&self.record)
    }

    fn greens(&self, len: usize) -> Greens {
        self.record[GREENS..GREENS + len]
            .iter()
            .map(Cell::get)
            .collect()
    }
}

/// The code that all threaded code shares.
pub(crate) struct Common {
    /// The generation in which it was compiled.
    pub(crate) since: u64,
    /// The first word of records without code.
    pub(crate) cold: u64,
    /// The code that jumps to a record's code.
    pub(crate) enter: Code,
    /// The address of that code.
    pub(crate) entrance: usize,
    /// The addresses of records that code has asked for.
    pub(crate) records: RefCell<EntryCache<Rc<Cell<u64>>>>,
}

/// The threaded code of one VM.
pub(crate) struct ThreadedCode {
    /// The number of greens of a place.
    greens: usize,
    /// The tree of all threaded code.
    pub(crate) tree: Cell<Option<TreeId>>,
    common: RefCell<Option<Rc<Common>>>,
    by_greens: RefCell<FxHashMap<Greens, ThreadedPlaceId>>,
    threads: RefCell<PrimaryMap<ThreadedPlaceId, Thread>>,
    /// Bytes of records, retired ones included.
    bytes: Cell<usize>,
    stencils: RefCell<PrimaryMap<StencilId, Rc<Stencil>>>,
    /// The stencils by their first test.
    by_choice: RefCell<FxHashMap<Option<Green>, Choices>>,
    /// The stencils by the number of their trace.
    by_trace: RefCell<FxHashMap<TraceId, StencilId>>,
    /// Whether compiling had to wait: until it need not, native code does not enter.
    pub(crate) is_waiting: Cell<bool>,
    /// How often all of it was freed, for want of room or for its age.
    evictions: Cell<u32>,
    /// The generation in which threaded code may begin again.
    rests_until: Cell<u64>,
    /// Replaced records. Code may still have their addresses, and read them.
    retired: RefCell<Vec<Record>>,
    /// The objects in current and retired records.
    mentioned: RefCell<FxHashSet<u64>>,
    pins: RefCell<Pins>,
}

impl ThreadedCode {
    /// No places yet, with this number of greens. `pins` has no objects yet.
    pub(crate) fn new(greens: usize, pins: Pins) -> ThreadedCode {
        ThreadedCode {
            greens,
            tree: Cell::new(None),
            common: RefCell::default(),
            by_greens: RefCell::default(),
            threads: RefCell::default(),
            bytes: Cell::new(0),
            stencils: RefCell::default(),
            by_choice: RefCell::default(),
            by_trace: RefCell::default(),
            is_waiting: Cell::new(false),
            evictions: Cell::new(0),
            rests_until: Cell::new(0),
            retired: RefCell::default(),
            mentioned: RefCell::default(),
            pins: RefCell::new(pins),
        }
    }

    /// The place with these greens, if it has a record.
    pub(crate) fn find(&self, greens: &[u64]) -> Option<ThreadedPlaceId> {
        self.by_greens.borrow().get(greens).copied()
    }

    /// Adds a record for a place, with or without the code of a stencil. Its jumps to other places
    /// are linked later ([`ThreadedCode::link`]).
    pub(crate) fn add(
        &self,
        greens: &[u64],
        count: u64,
        code: Option<(StencilId, &Decoded)>,
    ) -> ThreadedPlaceId {
        let record = match code {
            Some((stencil, decoded)) => self.record(stencil, decoded, count),
            None => {
                let head = [self.common().cold, count];
                let words = head.iter().chain(greens);
                words.map(|&word| Cell::new(word)).collect()
            }
        };
        self.bytes.set(self.bytes.get() + size_of_val(&*record));
        let thread = Thread {
            record,
            address: None,
            stencil: code.map(|(stencil, _)| stencil),
            named_by: SmallVec::new(),
            blocked: false,
        };
        let id = self.threads.borrow_mut().push(thread);
        let before = self.by_greens.borrow_mut().insert(greens.into(), id);
        debug_assert!(before.is_none(), "a place has one record");
        id
    }

    /// A record for a stencil's code, with its jumps not linked.
    fn record(&self, stencil: StencilId, decoded: &Decoded, count: u64) -> Record {
        let code = self.stencil(stencil);
        let record: Record = vec![Cell::new(0); code.decoder.record_len()].into();
        record[0].set(code.word);
        record[COUNT].set(count);
        for &(slot, word, _) in &decoded.holes {
            record[slot].set(word);
        }
        record
    }

    /// Links a jump from one place to another.
    pub(crate) fn link(&self, from: ThreadedPlaceId, slot: usize, to: ThreadedPlaceId) {
        let mut threads = self.threads.borrow_mut();
        let address = threads[to].address();
        threads[from].record[slot].set(address);
        let slot = u32::try_from(slot).expect("a record has few words");
        threads[to].named_by.push((from, slot));
    }

    /// Keeps these objects alive as long as there are records.
    pub(crate) fn keep(&self, objects: impl Iterator<Item = u64>) {
        let mut mentioned = self.mentioned.borrow_mut();
        let mut pins = self.pins.borrow_mut();
        for object in objects {
            if mentioned.insert(object) {
                pins.add(object);
            }
        }
    }

    /// The shared code, if there is any threaded code.
    pub(crate) fn begun(&self) -> Option<Rc<Common>> {
        self.common.borrow().clone()
    }

    /// The word with the address of the code that runs a record, if there is any threaded code.
    pub(crate) fn entrance(&self) -> Option<u64> {
        let common = self.begun()?;
        Some((&raw const common.entrance).expose_provenance() as u64)
    }

    /// Sets the shared code.
    pub(crate) fn begin(&self, common: Common) {
        *self.common.borrow_mut() = Some(Rc::new(common));
    }

    /// The shared code.
    pub(crate) fn common(&self) -> Rc<Common> {
        self.begun().expect("threaded code has been begun")
    }

    /// All of it is freed in this generation, for want of room or for its age. What was freed would
    /// be made again at once, and freed again: each time it has to wait twice as long as before.
    pub(crate) fn evict(&self, generation: u64) {
        let evictions = self.evictions.get();
        self.evictions.set((evictions + 1).min(LONGEST_REST));
        self.rests_until.set(generation + (1 << evictions));
    }

    /// Whether it was freed a short time before this generation.
    pub(crate) fn rests(&self, generation: u64) -> bool {
        generation < self.rests_until.get()
    }

    /// Removes all places. No activation runs them, and the machine code is freed elsewhere. `pins`
    /// has no objects yet.
    pub(crate) fn clear(&self, pins: Pins) {
        self.tree.set(None);
        self.common.take();
        self.by_greens.take();
        self.threads.take();
        self.bytes.set(0);
        self.stencils.take();
        self.by_choice.take();
        self.by_trace.take();
        self.is_waiting.set(false);
        self.retired.take();
        self.mentioned.take();
        self.pins.replace(pins);
    }

    /// The address of a place's record, if it is cached.
    #[inline]
    pub(crate) fn short(&self, greens: &[u64]) -> Option<u64> {
        let common = self.common.borrow();
        let records = common.as_ref()?.records.borrow();
        let address = records.code(hash_greens(greens), greens)?;
        Some(address.get())
    }

    /// Caches the address of a place's record, and returns it.
    pub(crate) fn shorten(&self, id: ThreadedPlaceId) -> u64 {
        let (greens, address) = (self.greens(id), self.address(id));
        let common = self.common();
        let mut records = common.records.borrow_mut();
        records
            .add(hash_greens(&greens), greens[..].into(), address)
            .code
            .get()
    }

    /// The address of a place's record, now and later.
    pub(crate) fn address(&self, id: ThreadedPlaceId) -> Rc<Cell<u64>> {
        let thread = &mut self.threads.borrow_mut()[id];
        let now = thread.address();
        Rc::clone(
            thread
                .address
                .get_or_insert_with(|| Rc::new(Cell::new(now))),
        )
    }

    /// The greens of a place.
    pub(crate) fn greens(&self, id: ThreadedPlaceId) -> Greens {
        self.threads.borrow()[id].greens(self.greens)
    }

    /// The greens of the place with this record.
    pub(crate) fn greens_of(&self, record: u64) -> Option<Greens> {
        let threads = self.threads.borrow();
        let mut of = threads.values().filter(|thread| thread.address() == record);
        of.next().map(|thread| thread.greens(self.greens))
    }

    /// Whether a place has code.
    pub(crate) fn has_code(&self, id: ThreadedPlaceId) -> bool {
        self.threads.borrow()[id].stencil.is_some()
    }

    /// Whether a place's instruction cannot be compiled.
    pub(crate) fn is_blocked(&self, id: ThreadedPlaceId) -> bool {
        self.threads.borrow()[id].blocked
    }

    /// Records that a place's instruction cannot be compiled.
    pub(crate) fn block(&self, id: ThreadedPlaceId) {
        self.threads.borrow_mut()[id].blocked = true;
    }

    /// The arrivals that are still to be counted.
    pub(crate) fn count(&self, id: ThreadedPlaceId) -> u64 {
        self.threads.borrow()[id].record[COUNT].get()
    }

    /// Sets the arrivals to be counted.
    pub(crate) fn set_count(&self, id: ThreadedPlaceId, count: u64) {
        self.threads.borrow()[id].record[COUNT].set(count);
    }

    /// Adds a stencil.
    pub(crate) fn add_stencil(
        &self,
        number: TraceId,
        like: ThreadedPlaceId,
        (word, trace, decoder): (u64, TraceId, Decoder),
    ) -> StencilId {
        let chosen = decoder.chosen();
        let stencil = Stencil {
            decoder,
            word,
            like,
            number,
            remade: 0,
        };
        let id = self.stencils.borrow_mut().push(Rc::new(stencil));
        let word = chosen.map_or(0, |chosen| chosen.word);
        let mut by_choice = self.by_choice.borrow_mut();
        let of_value = by_choice.entry(chosen.map(|chosen| chosen.value));
        of_value.or_default().entry(word).or_default().push(id);
        self.by_trace.borrow_mut().insert(trace, id);
        id
    }

    /// Replaces the code of a stencil.
    pub(crate) fn replace_stencil(
        &self,
        id: StencilId,
        (word, trace, decoder): (u64, TraceId, Decoder),
    ) {
        let mut stencils = self.stencils.borrow_mut();
        let before = &stencils[id];
        stencils[id] = Rc::new(Stencil {
            decoder,
            word,
            like: before.like,
            number: before.number,
            remade: before.remade + 1,
        });
        self.by_trace.borrow_mut().insert(trace, id);
    }

    /// The stencil of a trace.
    pub(crate) fn stencil_of(&self, trace: TraceId) -> Option<StencilId> {
        self.by_trace.borrow().get(&trace).copied()
    }

    /// A stencil.
    pub(crate) fn stencil(&self, id: StencilId) -> Rc<Stencil> {
        Rc::clone(&self.stencils.borrow()[id])
    }

    /// Any stencil; all decode in the same way up to the number of the instruction.
    pub(crate) fn any_stencil(&self) -> Option<Rc<Stencil>> {
        self.stencils.borrow().values().next().cloned()
    }

    /// The stencils for a place with this choice: those that test for this word, and those that
    /// test another value.
    pub(crate) fn candidates(&self, choice: Option<Choice>) -> SmallVec<[StencilId; 8]> {
        let by_choice = self.by_choice.borrow();
        let value = choice.map(|choice| choice.value);
        let of_word = choice.and_then(|choice| by_choice.get(&value)?.get(&choice.word));
        let others = by_choice
            .iter()
            .filter(|(other, _)| other.is_none() || **other != value)
            .flat_map(|(_, choices)| choices.values());
        of_word
            .into_iter()
            .chain(others)
            .flatten()
            .copied()
            .collect()
    }

    /// The places with the code of a stencil.
    pub(crate) fn with_stencil(&self, id: StencilId) -> Vec<ThreadedPlaceId> {
        let threads = self.threads.borrow();
        let with = threads
            .iter()
            .filter(|(_, thread)| thread.stencil == Some(id));
        with.map(|(id, _)| id).collect()
    }

    /// Gives a place this code and record.
    pub(crate) fn instantiate(&self, id: ThreadedPlaceId, stencil: StencilId, decoded: &Decoded) {
        let record = self.record(stencil, decoded, self.count(id));
        self.bytes.set(self.bytes.get() + size_of_val(&*record));
        let mut threads = self.threads.borrow_mut();
        let thread = &mut threads[id];
        let (before, now) = (thread.address(), address(&record));
        let old = std::mem::replace(&mut thread.record, record);
        old[0].set(self.common().cold);
        thread.address.iter().for_each(|address| address.set(now));
        thread.stencil = Some(stencil);
        self.retired.borrow_mut().push(old);
        let mut names = std::mem::take(&mut thread.named_by);
        // The record that held its address may have been replaced since.
        names.retain(|&mut (from, slot)| {
            let word = threads[from].record.get(slot as usize);
            let names = word.filter(|word| word.get() == before);
            names.inspect(|word| word.set(now)).is_some()
        });
        threads[id].named_by = names;
    }

    /// Takes the code of a place away: arrivals leave.
    pub(crate) fn close(&self, id: ThreadedPlaceId) {
        let mut threads = self.threads.borrow_mut();
        threads[id].record[0].set(self.common().cold);
        threads[id].stencil = None;
    }

    /// The number of places.
    pub(crate) fn len(&self) -> usize {
        self.threads.borrow().len()
    }

    /// Bytes of records.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes.get()
    }
}

/// The address of a record.
fn address(record: &Record) -> u64 {
    record.as_ptr().expose_provenance() as u64
}
