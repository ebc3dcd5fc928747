//! Stores that wait until an operation could see them.
//!
//! In: stores to places that can be named, and operations that are about to look. Out: stores, done
//! as late as possible and mostly never; guards list those that wait ([`Heap::delayed`]).
//! Invariants: of two stores that may be to one place, the older is done first; a value that lies
//! in several words is stored as a whole: everything that it leads to is made first, and nothing
//! that can collect or call stands between its words. So a callee, or the collector at an
//! allocation, finds words in the heap that belong together.
//!
//! As every guard lists what waits, and keeps it alive, limits bound how many values may wait
//! ([`Limits`]). A value that they leave no room for is chosen once, for good: its place is *late*
//! from then on, in the section at hand and in the body behind it. Late values wait only for a
//! moment and never across the loop, so each costs its own stores; were it to wait as the others
//! do, it would push out one of them, that one the next, and soon all would be stored in each
//! iteration.

use super::Entry;
use crate::node::NodeId;
use crate::remarks::{MissedOptimisation, Remark};
use crate::sabotage::Sabotage;
use crate::section::{Cx, Section};
use smallvec::{SmallVec, smallvec};
use verdigris_ops::{ClassId, DataOp, Descrs, HeapSlot, Ty};
use verdigris_trace::{Arg, Descr, Opcode, PendingStore, RecordedOp, RecordedTrace, Src};

/// When the guards of a section have listed so many words, few may wait from there on: what they
/// cost would grow with the square of a trace's length otherwise.
const LISTED: usize = 16_384;

/// So many values may wait until then: most loops store nothing.
const MOST: usize = 512;

/// So many may wait in any trace.
const LEAST: usize = 24;

/// As many in virtualizable places: a frame with all its variables should fit.
const LEAST_KEPT: usize = 128;

/// So many late values may wait for a moment: what is stored several times in a row is stored once.
const LATE: usize = 8;

/// How many values may wait at once.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    /// In places that other code may look at, first and when the guards have listed much.
    seen: [usize; 2],
    /// The same in virtualizable places.
    kept: [usize; 2],
    /// Of the late ones.
    late: usize,
}

impl Limits {
    /// As usual, unless the passes say how many.
    pub fn new(fixed: Option<u32>) -> Limits {
        match fixed.map(|most| most as usize) {
            None => Limits {
                seen: [MOST, LEAST],
                kept: [MOST, LEAST_KEPT],
                late: LATE,
            },
            Some(most) => Limits {
                seen: [most; 2],
                kept: [most; 2],
                late: most / 2,
            },
        }
    }
}

/// A word whose store waits.
#[derive(Clone, Copy)]
pub(super) struct Waiting {
    pub place: HeapSlot,
    /// The place of the value that it is a word of.
    pub value: HeapSlot,
    pub base: NodeId,
}

/// The stores that follow the one at `at` in a recorded trace and write the other words of its
/// value.
pub(super) fn rest_of_value<'a>(
    trace: &'a RecordedTrace,
    descrs: &'a Descrs,
    at: usize,
) -> impl Iterator<Item = RecordedOp<'a>> {
    let first = trace.ops().at(at);
    let value = stored_value(descrs, first);
    let following = trace.ops().skip_to(at + 1).iter();
    following.take_while(move |&op| {
        value.is_some()
            && stored_value(descrs, op) == value
            && op.descr() != first.descr()
            && all_but_last(op).eq(all_but_last(first))
    })
}

fn all_but_last(op: RecordedOp<'_>) -> impl Iterator<Item = Arg> {
    let args = op.args();
    args.iter().take(args.len() - 1)
}

/// The first word of the value that a store writes a word of, if there are more.
fn stored_value(descrs: &Descrs, op: RecordedOp<'_>) -> Option<Descr> {
    use DataOp::*;
    match op.opcode() {
        Opcode::Data(SetFieldI | SetFieldR | SetFieldF | SetFieldW) => {
            let part = descrs.field_parts.get(&op.field())?;
            Some(part.first.into())
        }
        Opcode::Data(
            SetItemI | SetItemR | SetItemF | SetItemW | FillItemsI | FillItemsR | FillItemsF
            | FillItemsW,
        ) => {
            let part = descrs.item_parts.get(&op.class())?;
            Some(part.first.into())
        }
        _ => None,
    }
}

impl Section {
    /// A store that waits, as the youngest of its place.
    pub(super) fn delay(&mut self, descrs: &Descrs, place: HeapSlot, base: NodeId, value: NodeId) {
        let nodes = &self.nodes;
        let same = |b: NodeId| nodes.find(b) == nodes.find(base);
        // An older delayed store to this very place is overwritten; what other objects are known to
        // hold there may be this place, so it is unknown from here on. Their delayed stores stay in
        // the list, before this one.
        self.heap
            .delayed
            .retain(|w| w.place != place || !same(w.base));
        let list = self.heap.entries.entry(place).or_default();
        let may_alias = |b: NodeId| nodes.may_alias(b, base) && !Sabotage::ForgetAlias.is_on();
        list.retain(|e| !same(e.base) && (e.delayed || !may_alias(e.base)));
        for e in list.iter_mut() {
            e.known &= !may_alias(e.base);
        }
        let whole = place.whole(descrs);
        self.heap.gather(whole, same, may_alias);
        let entry = Entry {
            base,
            value,
            delayed: true,
            known: true,
            fact: None,
        };
        self.heap.wait(place, whole, entry);
    }

    /// Does the delayed stores that a load of this place could see.
    pub fn flush_place(&mut self, cx: &mut Cx<'_>, place: HeapSlot, base: NodeId) {
        let nodes = &self.nodes;
        let delayed = self.heap.delayed.iter();
        let due: Vec<Waiting> = delayed
            .filter(|w| w.place == place && nodes.may_alias(w.base, base))
            .copied()
            .collect();
        for word in due {
            self.flush_value(cx, word.value, word.base);
        }
    }

    /// Does the delayed stores that an access at this index of this array could see, or at any if
    /// there is none here.
    pub fn flush_array(
        &mut self,
        cx: &mut Cx<'_>,
        class: ClassId,
        base: NodeId,
        index: Option<NodeId>,
    ) {
        let whole = cx.descrs.item_part(class).0;
        let nodes = &self.nodes;
        let is_item = |w: &&Waiting| matches!(w.value, HeapSlot::Item(c, _) if c == whole);
        let delayed = self.heap.delayed.iter().filter(is_item);
        let mut due: Vec<Waiting> = delayed
            .filter(|w| nodes.may_alias(w.base, base))
            .copied()
            .collect();
        due.retain(|w| self.may_be_at(w.value, index));
        due.sort_by_key(|w| w.value);
        for word in due {
            self.flush_value(cx, word.value, word.base);
        }
    }

    /// Makes room, if too many values wait: behind a store that waits, the last of its value's
    /// words, and in front of a guard.
    pub fn keep_limits(&mut self, cx: &mut Cx<'_>) {
        let (descrs, limits) = (cx.descrs, cx.limits);
        let stage = usize::from(self.listed >= LISTED);
        for (kept, limit) in [(false, limits.seen[stage]), (true, limits.kept[stage])] {
            while self.heap.delayed.len() > limit {
                let late = &cx.late;
                let is_one = |v: HeapSlot| v.is_virtualizable(descrs) == kept && !late.contains(&v);
                let (count, oldest) = self.waiting_values(is_one);
                let Some(oldest) = oldest.filter(|_| count > limit) else {
                    break;
                };
                cov_mark::hit!(value_does_not_wait);
                cx.late.insert(oldest.value);
                let what = oldest.value.name(descrs);
                cx.remarks
                    .push(Remark::new(MissedOptimisation::TooManyStores, what));
            }
        }
        while !cx.late.is_empty() {
            let (count, oldest) = self.waiting_values(|v| cx.late.contains(&v));
            let Some(oldest) = oldest.filter(|_| count > limits.late) else {
                return;
            };
            self.flush_value(cx, oldest.value, oldest.base);
        }
    }

    /// How many values of these wait, and a word of the oldest.
    fn waiting_values(&self, is_one: impl Fn(HeapSlot) -> bool) -> (usize, Option<Waiting>) {
        let (mut count, mut oldest, mut last) = (0, None, None);
        for word in &self.heap.delayed {
            // The words of a value stand side by side.
            let value = Some((word.value, self.nodes.find(word.base)));
            if value != last && is_one(word.value) {
                count += 1;
                oldest = oldest.or(Some(*word));
            }
            last = value;
        }
        (count, oldest)
    }

    /// A guard lists these stores.
    pub fn count_listed(&mut self, pending: &[PendingStore]) {
        // Constants cost no value that has to be alive.
        let alive = |store: &&PendingStore| !matches!(store.srcs()[1], Src::Const(_));
        self.listed += pending.iter().filter(alive).count();
    }

    /// Does all delayed stores.
    pub fn flush_all(&mut self, cx: &mut Cx<'_>) {
        self.flush_if(cx, |_| true);
    }

    /// Does the delayed stores to these places, oldest first. Doing one can allocate, but delays
    /// nothing new.
    pub fn flush_if(&mut self, cx: &mut Cx<'_>, due: impl Fn(HeapSlot) -> bool) {
        while let Some(&word) = self.heap.delayed.iter().find(|w| due(w.place)) {
            self.flush_value(cx, word.value, word.base);
        }
    }

    /// Does the delayed stores of late values.
    pub fn flush_late(&mut self, cx: &mut Cx<'_>) {
        let (late, descrs) = (cx.late.clone(), cx.descrs);
        self.flush_if(cx, |p| late.contains(&p.whole(descrs)));
    }

    /// Does the delayed stores of a value's words, if there are any, and before them the older ones
    /// that may be to the same places, with the other words of their values.
    pub fn flush_value(&mut self, cx: &mut Cx<'_>, value: HeapSlot, base: NodeId) {
        let mut due = self.due_with(value, base);
        for word in &due {
            let content = self.heap.waiting(word);
            self.force_node(cx, content);
        }
        if Sabotage::TearValue.is_on()
            && due.len() > 1
            && let Some(torn) = due.pop()
        {
            // Were it to wait on, the next one to come along would store it.
            self.heap.is_done(&torn);
        }
        for word in due {
            self.do_store(cx, word);
        }
    }

    /// What has to be stored together, in the order of the stores.
    fn due_with(&self, value: HeapSlot, base: NodeId) -> SmallVec<[Waiting; 4]> {
        let nodes = &self.nodes;
        let delayed = self.heap.delayed.iter();
        let words: SmallVec<[Waiting; 4]> = delayed.filter(|w| w.value == value).copied().collect();
        let base = nodes.find(base);
        let mut due: SmallVec<[bool; 4]> =
            words.iter().map(|w| nodes.find(w.base) == base).collect();
        let pulls = |n: usize, w: usize| {
            nodes.find(words[n].base) == nodes.find(words[w].base)
                || n < w
                    && words[n].place == words[w].place
                    && nodes.may_alias(words[n].base, words[w].base)
        };
        loop {
            let is_new = |&n: &usize| !due[n] && (0..due.len()).any(|w| due[w] && pulls(n, w));
            let Some(new) = (0..due.len()).find(is_new) else {
                break;
            };
            due[new] = true;
        }
        let mut due = due.into_iter();
        let mut words = words;
        words.retain(|_| due.next().expect("a flag each"));
        words
    }

    fn do_store(&mut self, cx: &mut Cx<'_>, word: Waiting) {
        let Waiting { place, base, .. } = word;
        let value = self.heap.is_done(&word);
        let (data, descr, index): (_, Descr, _) = match place {
            HeapSlot::Field(f) => (DataOp::set_field(cx.descrs.fields[f].ty), f.into(), None),
            HeapSlot::Item(c, i) => (DataOp::set_item(cx.descrs.item(c).0), c.into(), Some(i)),
        };
        let mut args: SmallVec<[NodeId; 3]> = smallvec![base];
        if let Some(i) = index {
            args.push(self.constant(Ty::Int, u64::from(i)));
        }
        args.push(value);
        if Sabotage::SkipStore.is_on() && index.is_some() {
            return;
        }
        self.emit_store(cx, data, descr, &args);
    }
}

impl super::Heap {
    /// Adds the youngest delayed store, of a word of the value at `whole`.
    pub fn wait(&mut self, place: HeapSlot, whole: HeapSlot, entry: Entry) {
        debug_assert!(entry.delayed);
        self.delayed.push(Waiting {
            place,
            value: whole,
            base: entry.base,
        });
        self.entries.entry(place).or_default().push(entry);
    }

    /// Puts the words of an object's value that wait behind all others, as far as none is in
    /// between that may be of the same place.
    fn gather(
        &mut self,
        whole: HeapSlot,
        same: impl Fn(NodeId) -> bool,
        may_alias: impl Fn(NodeId) -> bool,
    ) {
        let is_other = |w: &Waiting| w.value == whole && !same(w.base) && may_alias(w.base);
        let behind = self.delayed.iter().rposition(is_other);
        let from = behind.map_or(0, |n| n + 1);
        let is_one = |w: &Waiting| w.value == whole && same(w.base);
        let Some(first) = self.delayed[from..].iter().position(is_one) else {
            return;
        };
        let (words, others): (Vec<Waiting>, Vec<Waiting>) =
            self.delayed.drain(from + first..).partition(is_one);
        self.delayed.extend(others);
        self.delayed.extend(words);
    }

    /// What a delayed store writes.
    pub(super) fn waiting(&self, word: &Waiting) -> NodeId {
        let entry = self.entries[&word.place]
            .iter()
            .find(|e| e.base == word.base && e.delayed);
        entry.expect("a delayed store has an entry").value
    }

    /// A delayed store is being done. Answers what it writes.
    fn is_done(&mut self, word: &Waiting) -> NodeId {
        let at = self
            .delayed
            .iter()
            .position(|w| (w.place, w.base) == (word.place, word.base));
        self.delayed.remove(at.expect("it waits"));
        let list = self.entries.get_mut(&word.place).expect("has an entry");
        let entry = list.iter_mut().find(|e| e.base == word.base && e.delayed);
        let entry = entry.expect("a delayed store has an entry");
        entry.delayed = false;
        let value = entry.value;
        list.retain(|e| e.known || e.delayed);
        value
    }
}
