//! Delayed stores: they wait until an operation could see them.
//!
//! Stores are done as late as possible and mostly never; guards list those that wait
//! ([`HeapTable::delayed`](crate::state::heap_table::HeapTable::delayed)).
//!
//! Invariants: of two stores that may be to one slot, the older is done first. A value of several
//! words is stored as a whole: everything that it leads to is allocated first, and nothing that can
//! collect or call stands between its words. So a callee, or the collector at an allocation, never
//! finds half a value.
//!
//! Every guard lists the delayed values and keeps them alive, so
//! [limits](crate::state::heap_table::DelayLimits) bound their number. A value beyond the limit is
//! chosen once, for good: its slot is *late* from then on, in this section and in the body behind
//! it. Late values wait only for a moment and never across the loop, so each costs its own stores.
//! If they could push out others, soon all would be stored in each iteration.

use crate::sabotage::Sabotage;
use crate::section::{Cx, Section};
use crate::state::heap_table::DelayedWord;
use crate::state::node::NodeId;
use crate::state::remarks::{MissedOptimisation, Remark};
use smallvec::{SmallVec, smallvec};
use verdigris_ops::{ClassId, DataOp, Descrs, HeapSlot, Ty};
use verdigris_trace::{Arg, Descr, Opcode, PendingStore, RecordedOp, RecordedTrace, Src};

/// The stores behind the one at `at` in a recorded trace that write the other words of its value.
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

/// The first word of the value that a store writes a word of, if it has several words.
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
    /// Delays a store, as the youngest to its slot.
    pub(super) fn delay(&mut self, descrs: &Descrs, slot: HeapSlot, base: NodeId, value: NodeId) {
        let nodes = &self.nodes;
        let same = |b: NodeId| nodes.find(b) == nodes.find(base);
        let may_alias = |b: NodeId| nodes.may_alias(b, base) && !Sabotage::ForgetAlias.is_on();
        let whole = slot.whole(descrs);
        let word = DelayedWord { slot, whole, base };
        self.heap.delay(word, value, same, may_alias);
    }

    /// Does the delayed stores that a load from this slot could see.
    pub fn flush_slot(&mut self, cx: &mut Cx<'_>, slot: HeapSlot, base: NodeId) {
        let due = self.delayed_words(|s, w| w.slot == slot && s.nodes.may_alias(w.base, base));
        for word in due {
            self.flush_value(cx, word.whole, word.base);
        }
    }

    /// Does the delayed stores that an access at this index of this array could see, or at any
    /// index.
    pub fn flush_array(
        &mut self,
        cx: &mut Cx<'_>,
        class: ClassId,
        base: NodeId,
        index: Option<NodeId>,
    ) {
        let whole = cx.descrs.item_part(class).0;
        let mut due = self.delayed_words(|s, w| {
            matches!(w.whole, HeapSlot::Item(c, _) if c == whole) && s.nodes.may_alias(w.base, base)
        });
        due.retain(|w| self.may_be_at(w.whole, index));
        due.sort_by_key(|w| w.whole);
        for word in due {
            self.flush_value(cx, word.whole, word.base);
        }
    }

    /// The delayed words for which `is_due` holds.
    fn delayed_words(&self, is_due: impl Fn(&Section, &DelayedWord) -> bool) -> Vec<DelayedWord> {
        let words = self.heap.delayed_words().iter();
        words.filter(|w| is_due(self, w)).copied().collect()
    }

    /// Stores values if too many are delayed: behind the last store of a delayed value's words, and
    /// in front of a guard.
    pub fn keep_limits(&mut self, cx: &mut Cx<'_>) {
        let (descrs, limits) = (cx.descrs, cx.limits);
        for kept in [false, true] {
            let limit = self.heap.limit(limits, kept);
            while self.heap.delayed_words().len() > limit {
                let late = &cx.whole.late;
                let is_one = |v: HeapSlot| v.is_virtualizable(descrs) == kept && !late.contains(&v);
                let (count, oldest) = self.delayed_values(is_one);
                let Some(oldest) = oldest.filter(|_| count > limit) else {
                    break;
                };
                cov_mark::hit!(value_does_not_wait);
                cx.whole.late.insert(oldest.whole);
                let what = oldest.whole.name(descrs);
                let remark = Remark::new(MissedOptimisation::TooManyStores, what);
                cx.whole.remarks.push(remark);
            }
        }
        while !cx.whole.late.is_empty() {
            let (count, oldest) = self.delayed_values(|v| cx.whole.late.contains(&v));
            let Some(oldest) = oldest.filter(|_| count > limits.late) else {
                return;
            };
            self.flush_value(cx, oldest.whole, oldest.base);
        }
    }

    /// How many delayed values satisfy `is_one`, and a word of the oldest.
    fn delayed_values(&self, is_one: impl Fn(HeapSlot) -> bool) -> (usize, Option<DelayedWord>) {
        let (mut count, mut oldest, mut last) = (0, None, None);
        for word in self.heap.delayed_words() {
            // The words of a value are neighbours.
            let value = Some((word.whole, self.nodes.find(word.base)));
            if value != last && is_one(word.whole) {
                count += 1;
                oldest = oldest.or(Some(*word));
            }
            last = value;
        }
        (count, oldest)
    }

    /// A guard lists these stores. Constants cost nothing: they are not kept alive.
    pub fn count_listed(&mut self, pending: &[PendingStore]) {
        let alive = |store: &&PendingStore| !matches!(store.srcs()[1], Src::Const(_));
        self.heap.count_listed(pending.iter().filter(alive).count());
    }

    /// Does all delayed stores.
    pub fn flush_all(&mut self, cx: &mut Cx<'_>) {
        self.flush_if(cx, |_| true);
    }

    /// Does the delayed stores to these slots, oldest first. Doing one can allocate, but delays
    /// nothing new.
    pub fn flush_if(&mut self, cx: &mut Cx<'_>, due: impl Fn(HeapSlot) -> bool) {
        while let Some(&word) = self.heap.delayed_words().iter().find(|w| due(w.slot)) {
            self.flush_value(cx, word.whole, word.base);
        }
    }

    /// Does the delayed stores of late values.
    pub fn flush_late(&mut self, cx: &mut Cx<'_>) {
        let (late, descrs) = (cx.whole.late.clone(), cx.descrs);
        self.flush_if(cx, |p| late.contains(&p.whole(descrs)));
    }

    /// Does the delayed stores of a value's words, if any. Older ones to possible aliases are done
    /// before, with the other words of their values.
    pub fn flush_value(&mut self, cx: &mut Cx<'_>, whole: HeapSlot, base: NodeId) {
        let mut due = self.due_with(whole, base);
        for word in &due {
            let content = self.heap.delayed_value(word);
            self.force_node(cx, content);
        }
        if Sabotage::TearValue.is_on()
            && due.len() > 1
            && let Some(torn) = due.pop()
        {
            // If it stayed delayed, the next flush would store it.
            self.heap.complete(&torn);
        }
        for word in due {
            self.do_store(cx, word);
        }
    }

    /// The words that must be stored together, in the order of the stores.
    fn due_with(&self, whole: HeapSlot, base: NodeId) -> SmallVec<[DelayedWord; 4]> {
        let nodes = &self.nodes;
        let delayed = self.heap.delayed_words().iter();
        let mut words: SmallVec<[DelayedWord; 4]> =
            delayed.filter(|w| w.whole == whole).copied().collect();
        let base = nodes.find(base);
        let mut due: SmallVec<[bool; 4]> =
            words.iter().map(|w| nodes.find(w.base) == base).collect();
        let pulls = |n: usize, w: usize| {
            nodes.find(words[n].base) == nodes.find(words[w].base)
                || n < w
                    && words[n].slot == words[w].slot
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
        words.retain(|_| due.next().expect("a flag each"));
        words
    }

    fn do_store(&mut self, cx: &mut Cx<'_>, word: DelayedWord) {
        let DelayedWord { slot, base, .. } = word;
        let value = self.heap.complete(&word);
        let (data, descr, index): (_, Descr, _) = match slot {
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
