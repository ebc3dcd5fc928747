//! The places of the guest program that run as threaded code. In: greens; code that places share, with what differs between them. Out: a record for
//! each place, whose address is what code goes on at. Invariants: a record lives as long as the VM, so that whoever has its address may go
//! there; a place without code has a record whose code leaves at once; the objects that a record mentions are pinned.
//!
//! Records are written by machine code, which counts there, so each word is a `Cell`.

#![forbid(unsafe_code)]

use crate::state::cells::Code;
use crate::state::roots::Pins;
use crate::state::trees::{Held, InUse, TreeId};
use crate::state::ways::Ways;
use cranelift_entity::{PrimaryMap, entity_impl};
use rustc_hash::FxHashMap;
use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;
use verdigris_backend::COUNT;
use verdigris_heap::hash_greens;
use verdigris_specialise::{Decoded, Decoder};

/// A place that has a record. Never reused in a VM.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct ThreadId(u32);
entity_impl!(ThreadId, "thread");

/// The code of an instruction, for all places that share it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct StencilId(u32);
entity_impl!(StencilId, "stencil");

/// The words of a record.
type Record = Box<[Cell<u64>]>;

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

/// A place of the guest program.
struct Thread {
    greens: Rc<[u64]>,
    record: Record,
    /// Where the record is.
    address: Rc<Cell<u64>>,
    stencil: Option<StencilId>,
    /// The words of records that name it.
    named_by: Vec<(ThreadId, usize)>,
    /// The objects among its greens.
    _pins: Pins,
    /// What is mentioned in its record.
    mentioned: Option<Pins>,
    /// There is no code for it.
    blocked: bool,
}

/// What code is made of once for all.
pub(crate) struct Common {
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
#[derive(Default)]
pub(crate) struct Threads {
    /// What all threaded code belongs to, which is never freed.
    pub(crate) tree: OnceCell<(TreeId, Held<Rc<InUse>>)>,
    pub(crate) common: OnceCell<Common>,
    by_greens: RefCell<FxHashMap<Rc<[u64]>, ThreadId>>,
    threads: RefCell<PrimaryMap<ThreadId, Thread>>,
    stencils: RefCell<PrimaryMap<StencilId, Rc<Stencil>>>,
    /// The stencils by what their first choice was made for.
    by_choice: RefCell<FxHashMap<Option<u64>, Vec<StencilId>>>,
    /// The stencils by the number of the trace that they are.
    by_piece: RefCell<FxHashMap<u32, StencilId>>,
    /// Whether there was something to compile, and no time for it: until there is, native code does not enter.
    pub(crate) is_waiting: Cell<bool>,
    /// Records that places do not have any more, with what they mention. Code may still have their addresses, and read them.
    retired: RefCell<Vec<(Record, Option<Pins>)>>,
}

impl Threads {
    /// The place with these greens, if it has a record.
    pub(crate) fn find(&self, greens: &[u64]) -> Option<ThreadId> {
        self.by_greens.borrow().get(greens).copied()
    }

    /// The place with these greens. `pins` keeps the objects among them.
    pub(crate) fn add(&self, greens: &[u64], count: u64, pins: impl FnOnce() -> Pins) -> ThreadId {
        if let Some(known) = self.find(greens) {
            return known;
        }
        let head = [self.common().cold, count];
        let record: Record = head
            .iter()
            .chain(greens)
            .map(|&word| Cell::new(word))
            .collect();
        let greens: Rc<[u64]> = greens.into();
        let thread = Thread {
            greens: Rc::clone(&greens),
            address: Rc::new(Cell::new(address(&record))),
            record,
            stencil: None,
            named_by: Vec::new(),
            _pins: pins(),
            mentioned: None,
            blocked: false,
        };
        let id = self.threads.borrow_mut().push(thread);
        self.by_greens.borrow_mut().insert(greens, id);
        id
    }

    /// What all share.
    pub(crate) fn common(&self) -> &Common {
        self.common.get().expect("threaded code has been begun")
    }

    /// The short way to the record of a place, if somebody has asked for it.
    #[inline]
    pub(crate) fn short(&self, greens: &[u64]) -> Option<u64> {
        let ways = self.common().ways.borrow();
        let address = ways.code(hash_greens(greens), greens)?;
        Some(address.get())
    }

    /// From now on there is a short way to a place. Answers the address of its record.
    pub(crate) fn shorten(&self, id: ThreadId) -> u64 {
        let (greens, address) = (self.greens(id), self.address(id));
        let mut ways = self.common().ways.borrow_mut();
        ways.add(hash_greens(&greens), greens, address).code.get()
    }

    /// Where the record of a place is, now and later.
    pub(crate) fn address(&self, id: ThreadId) -> Rc<Cell<u64>> {
        Rc::clone(&self.threads.borrow()[id].address)
    }

    /// The greens of a place.
    pub(crate) fn greens(&self, id: ThreadId) -> Rc<[u64]> {
        Rc::clone(&self.threads.borrow()[id].greens)
    }

    /// The greens of the place that a record is of.
    pub(crate) fn greens_of(&self, record: u64) -> Option<Rc<[u64]>> {
        let threads = self.threads.borrow();
        let mut of = threads
            .values()
            .filter(|thread| thread.address.get() == record);
        of.next().map(|thread| Rc::clone(&thread.greens))
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
        self.by_choice
            .borrow_mut()
            .entry(chosen)
            .or_default()
            .push(id);
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

    /// Some stencil; all have the same steps of decoding in front of their first choice.
    pub(crate) fn any_stencil(&self) -> Option<Rc<Stencil>> {
        self.stencils.borrow().values().next().cloned()
    }

    /// The stencils for a place whose first choice is this.
    pub(crate) fn candidates(&self, choice: Option<u64>) -> Vec<StencilId> {
        let by_choice = self.by_choice.borrow();
        let of = |choice| by_choice.get(&choice).into_iter().flatten().copied();
        match choice {
            None => of(None).collect(),
            some => of(some).chain(of(None)).collect(),
        }
    }

    /// The places with the code of a stencil.
    pub(crate) fn with_stencil(&self, id: StencilId) -> Vec<ThreadId> {
        let threads = self.threads.borrow();
        let with = threads
            .iter()
            .filter(|(_, thread)| thread.stencil == Some(id));
        with.map(|(id, _)| id).collect()
    }

    /// A place has this code, and this in its record. `successors` are the places that its code goes on at.
    pub(crate) fn instantiate(
        &self,
        id: ThreadId,
        stencil: StencilId,
        decoded: &Decoded,
        successors: &[ThreadId],
        mentioned: Pins,
    ) {
        let code = self.stencil(stencil);
        let record: Record = vec![Cell::new(0); code.decoder.record_len()].into();
        let mut threads = self.threads.borrow_mut();
        record[0].set(code.word);
        record[COUNT].set(threads[id].record[COUNT].get());
        for &(slot, word, _) in &decoded.holes {
            record[slot].set(word);
        }
        let (before, now) = (threads[id].address.get(), address(&record));
        for (&(slot, _), &to) in decoded.successors.iter().zip(successors) {
            // One that leads to itself leads to what it has from now on.
            let to_address = if to == id {
                now
            } else {
                threads[to].address.get()
            };
            record[slot].set(to_address);
            threads[to].named_by.push((id, slot));
        }
        let thread = &mut threads[id];
        let old = std::mem::replace(&mut thread.record, record);
        old[0].set(self.common().cold);
        thread.address.set(now);
        thread.stencil = Some(stencil);
        let before_mentioned = thread.mentioned.replace(mentioned);
        self.retired.borrow_mut().push((old, before_mentioned));
        let mut names = std::mem::take(&mut threads[id].named_by);
        // What named it may itself have another record by now, in which that word is something else.
        names.retain(|&(from, slot)| {
            let word = threads[from].record.get(slot);
            let names = word.filter(|word| [before, now].contains(&word.get()));
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

    /// How many places there are, and how many bytes their records take.
    pub(crate) fn figures(&self) -> (usize, usize) {
        let threads = self.threads.borrow();
        let bytes = threads.values().map(|thread| size_of_val(&*thread.record));
        (threads.len(), bytes.sum())
    }
}

/// Where a record is.
fn address(record: &Record) -> u64 {
    record.as_ptr().expose_provenance() as u64
}
