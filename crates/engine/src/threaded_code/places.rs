//! The places of the guest program that run as threaded code. In: greens; code that places share,
//! with what differs between them. Out: a record for each place, whose address is what code goes on
//! at. Invariants: records and code are freed all at once, when nobody runs threaded code, so that
//! whoever has the address of a record may go there; a place without code has a record whose code
//! leaves at once; the objects that a record mentions are pinned.
//!
//! Records are written by machine code, which counts there, so each word is a `Cell`.

#![forbid(unsafe_code)]

use crate::code::entry_cache::Ways;
use crate::code::jit_cells::Code;
use crate::code::roots::Pins;
use crate::code::trees::TreeId;
use cranelift_entity::{PrimaryMap, entity_impl};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use verdigris_backend::COUNT;
use verdigris_heap::hash_greens;
use verdigris_specialise::{Choice, Decoded, Decoder, GREENS, Green};

/// A place that has a record. Not used again before all records are freed.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct ThreadId(u32);
entity_impl!(ThreadId, "thread");

/// The code of an instruction, for all places that share it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct StencilId(u32);
entity_impl!(StencilId, "stencil");

/// Stencils that ask for the same value, by the word that it should have. Those that ask for none
/// have 0 there.
type Choices = FxHashMap<u64, Vec<StencilId>>;

/// The words of a record.
type Record = Box<[Cell<u64>]>;

/// The greens of a place. Most interpreters have no more: a place in a function.
pub(crate) type Greens = SmallVec<[u64; 2]>;

/// The code of an instruction.
pub(crate) struct Stencil {
    pub(crate) decoder: Decoder,
    /// What records begin with whose code this is.
    word: u64,
    /// The place that it was made for.
    pub(crate) like: ThreadId,
    /// By which the arms are known that were taken in it.
    pub(crate) number: u32,
    /// How often it was made anew, with one more arm.
    pub(crate) remade: u32,
}

/// A place of the guest program. There are many, most of them with one record for all of their
/// life.
struct Thread {
    /// The greens are in it, behind what all records begin with.
    record: Record,
    /// Where the record is, for those that ask again and again.
    address: Option<Rc<Cell<u64>>>,
    stencil: Option<StencilId>,
    /// The words of records that name it.
    named_by: SmallVec<[(ThreadId, u32); 1]>,
    /// There is no code for it.
    blocked: bool,
}

impl Thread {
    /// Where it is now.
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

/// What code is made of once for all.
pub(crate) struct Common {
    /// The generation in which it was made.
    pub(crate) since: u64,
    /// What records begin with whose place has no code.
    pub(crate) cold: u64,
    /// Goes where a record says.
    pub(crate) enter: Code,
    /// The address of the code that does so.
    pub(crate) entrance: usize,
    /// Where the records of places are that code has asked for.
    pub(crate) ways: RefCell<Ways<Rc<Cell<u64>>>>,
}

/// The places of one VM.
pub(crate) struct Threads {
    /// How many greens a place has.
    greens: usize,
    /// What all threaded code is freed with.
    pub(crate) tree: Cell<Option<TreeId>>,
    common: RefCell<Option<Rc<Common>>>,
    by_greens: RefCell<FxHashMap<Greens, ThreadId>>,
    threads: RefCell<PrimaryMap<ThreadId, Thread>>,
    /// How many bytes records take, with those that places do not have any more.
    bytes: Cell<usize>,
    stencils: RefCell<PrimaryMap<StencilId, Rc<Stencil>>>,
    /// The stencils by what they first ask for: a value, and the word that it should have.
    by_choice: RefCell<FxHashMap<Option<Green>, Choices>>,
    /// The stencils by the number of the trace that they are.
    by_piece: RefCell<FxHashMap<u32, StencilId>>,
    /// Whether there was something to compile, and no time for it: until there is, native code does
    /// not enter.
    pub(crate) is_waiting: Cell<bool>,
    /// Records that places do not have any more. Code may still have their addresses, and read
    /// them.
    retired: RefCell<Vec<Record>>,
    /// The objects that are in records or were: neighbours mention the same few.
    mentioned: RefCell<FxHashSet<u64>>,
    pins: RefCell<Pins>,
}

impl Threads {
    /// No places yet, which have so many greens. `pins` has no objects yet.
    pub(crate) fn new(greens: usize, pins: Pins) -> Threads {
        Threads {
            greens,
            tree: Cell::new(None),
            common: RefCell::default(),
            by_greens: RefCell::default(),
            threads: RefCell::default(),
            bytes: Cell::new(0),
            stencils: RefCell::default(),
            by_choice: RefCell::default(),
            by_piece: RefCell::default(),
            is_waiting: Cell::new(false),
            retired: RefCell::default(),
            mentioned: RefCell::default(),
            pins: RefCell::new(pins),
        }
    }

    /// The place with these greens, if it has a record.
    pub(crate) fn find(&self, greens: &[u64]) -> Option<ThreadId> {
        self.by_greens.borrow().get(greens).copied()
    }

    /// A place that has no record yet gets one: with the code of a stencil and what was decoded for
    /// it, or without code. What goes on elsewhere has yet to be linked ([`Threads::link`]).
    pub(crate) fn add(
        &self,
        greens: &[u64],
        count: u64,
        code: Option<(StencilId, &Decoded)>,
    ) -> ThreadId {
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

    /// What a place has whose code is a stencil's, except for the places that its code goes on at.
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

    /// The code of a place goes on at another.
    pub(crate) fn link(&self, from: ThreadId, slot: usize, to: ThreadId) {
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

    /// What all share, if there is any threaded code.
    pub(crate) fn begun(&self) -> Option<Rc<Common>> {
        self.common.borrow().clone()
    }

    /// What all share is there.
    pub(crate) fn begin(&self, common: Common) {
        *self.common.borrow_mut() = Some(Rc::new(common));
    }

    /// What all share.
    pub(crate) fn common(&self) -> Rc<Common> {
        self.begun().expect("threaded code has been begun")
    }

    /// There is no threaded code any more, and there are no places. Nobody runs it, and the machine
    /// code is freed elsewhere. `pins` has no objects yet.
    pub(crate) fn clear(&self, pins: Pins) {
        self.tree.set(None);
        self.common.take();
        self.by_greens.take();
        self.threads.take();
        self.bytes.set(0);
        self.stencils.take();
        self.by_choice.take();
        self.by_piece.take();
        self.is_waiting.set(false);
        self.retired.take();
        self.mentioned.take();
        self.pins.replace(pins);
    }

    /// The short way to the record of a place, if somebody has asked for it.
    #[inline]
    pub(crate) fn short(&self, greens: &[u64]) -> Option<u64> {
        let common = self.common.borrow();
        let ways = common.as_ref()?.ways.borrow();
        let address = ways.code(hash_greens(greens), greens)?;
        Some(address.get())
    }

    /// From now on there is a short way to a place. Answers the address of its record.
    pub(crate) fn shorten(&self, id: ThreadId) -> u64 {
        let (greens, address) = (self.greens(id), self.address(id));
        let common = self.common();
        let mut ways = common.ways.borrow_mut();
        ways.add(hash_greens(&greens), greens[..].into(), address)
            .code
            .get()
    }

    /// Where the record of a place is, now and later.
    pub(crate) fn address(&self, id: ThreadId) -> Rc<Cell<u64>> {
        let thread = &mut self.threads.borrow_mut()[id];
        let now = thread.address();
        Rc::clone(
            thread
                .address
                .get_or_insert_with(|| Rc::new(Cell::new(now))),
        )
    }

    /// The greens of a place.
    pub(crate) fn greens(&self, id: ThreadId) -> Greens {
        self.threads.borrow()[id].greens(self.greens)
    }

    /// The greens of the place that a record is of.
    pub(crate) fn greens_of(&self, record: u64) -> Option<Greens> {
        let threads = self.threads.borrow();
        let mut of = threads.values().filter(|thread| thread.address() == record);
        of.next().map(|thread| thread.greens(self.greens))
    }

    /// Whether a place has code.
    pub(crate) fn has_code(&self, id: ThreadId) -> bool {
        self.threads.borrow()[id].stencil.is_some()
    }

    /// Whether there is no code for a place.
    pub(crate) fn is_blocked(&self, id: ThreadId) -> bool {
        self.threads.borrow()[id].blocked
    }

    /// There is no code for a place.
    pub(crate) fn block(&self, id: ThreadId) {
        self.threads.borrow_mut()[id].blocked = true;
    }

    /// The arrivals that are left to be counted.
    pub(crate) fn count(&self, id: ThreadId) -> u64 {
        self.threads.borrow()[id].record[COUNT].get()
    }

    /// So many arrivals are to be counted.
    pub(crate) fn set_count(&self, id: ThreadId, count: u64) {
        self.threads.borrow()[id].record[COUNT].set(count);
    }

    /// The code of an instruction is there.
    pub(crate) fn add_stencil(
        &self,
        number: u32,
        like: ThreadId,
        (word, piece, decoder): (u64, u32, Decoder),
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
        self.by_piece.borrow_mut().insert(piece, id);
        id
    }

    /// The code of an instruction has been made anew.
    pub(crate) fn replace_stencil(
        &self,
        id: StencilId,
        (word, piece, decoder): (u64, u32, Decoder),
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
        self.by_piece.borrow_mut().insert(piece, id);
    }

    /// The stencil that a trace was made for.
    pub(crate) fn stencil_of(&self, piece: u32) -> Option<StencilId> {
        self.by_piece.borrow().get(&piece).copied()
    }

    /// A stencil.
    pub(crate) fn stencil(&self, id: StencilId) -> Rc<Stencil> {
        Rc::clone(&self.stencils.borrow()[id])
    }

    /// Some stencil; all begin to decode in the same way, mostly up to the number of the
    /// instruction.
    pub(crate) fn any_stencil(&self) -> Option<Rc<Stencil>> {
        self.stencils.borrow().values().next().cloned()
    }

    /// The stencils that a place may have which has this where one of them asks for it: those that
    /// ask for this word, and those that ask for something else.
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
    pub(crate) fn with_stencil(&self, id: StencilId) -> Vec<ThreadId> {
        let threads = self.threads.borrow();
        let with = threads
            .iter()
            .filter(|(_, thread)| thread.stencil == Some(id));
        with.map(|(id, _)| id).collect()
    }

    /// A place has other code from now on, and this in its record.
    pub(crate) fn instantiate(&self, id: ThreadId, stencil: StencilId, decoded: &Decoded) {
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
        // What named it may itself have another record by now, in which that word is something
        // else.
        names.retain(|&mut (from, slot)| {
            let word = threads[from].record.get(slot as usize);
            let names = word.filter(|word| word.get() == before);
            names.inspect(|word| word.set(now)).is_some()
        });
        threads[id].named_by = names;
    }

    /// A place has no code from now on: what comes there leaves.
    pub(crate) fn close(&self, id: ThreadId) {
        let mut threads = self.threads.borrow_mut();
        threads[id].record[0].set(self.common().cold);
        threads[id].stencil = None;
    }

    /// How many places there are.
    pub(crate) fn len(&self) -> usize {
        self.threads.borrow().len()
    }

    /// How many bytes records take.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes.get()
    }
}

/// Where a record is.
fn address(record: &Record) -> u64 {
    record.as_ptr().expose_provenance() as u64
}
