//! Loads and stores: forwarding, and stores that are delayed until somebody could see them.
//!
//! In: `getfield`, `setfield`, `getitem`, `setitem`, `arraylen`. Out: few of them; the rest are nodes, contents of
//! virtuals, or delayed stores in [`Heap`], which guards carry in their resume data.
//!
//! Invariant: for every known entry, the place holds the entry's value once the delayed stores have been done in the
//! order of `delayed`. A store makes unknown what other objects hold at places that may be the same.

use crate::bounds::Range;
use crate::calls::Written;
use crate::node::{Contents, Node, NodeId};
use crate::pure::PureKey;
use crate::ranges;
use crate::sabotage::Sabotage;
use crate::scattered::ScatteredItems;
use crate::section::{Cx, Section};
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};
use verdigris_ops::{ClassId, DataOp, Descrs, FieldId, Places, Ty};
use verdigris_trace::{Const, Op, Opcode, Val};

/// What a store writes.
fn written(data: DataOp, descr: u32) -> Written {
    use DataOp::*;
    match data {
        SetFieldI | SetFieldR | SetFieldF => Written::Field(FieldId::from_u32(descr)),
        _ => Written::Items(ClassId::from_u32(descr)),
    }
}

/// As many stores are delayed at once. Every guard lists the delayed stores, keeps their values alive, and does them when
/// it fails: without a bound, what a long trace costs would grow with the square of its length.
const MAX_DELAYED: usize = 24;

/// The same of stores to virtualizable places: a frame with all its variables should fit.
const MAX_KEPT: usize = 128;

/// A mutable place, relative to an object.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub(crate) enum Place {
    /// A field.
    Field(FieldId),
    /// An item at a constant index of an array of this class.
    Item(ClassId, u32),
}

impl Place {
    /// Whether it is one of these.
    pub fn is_in(self, places: &Places) -> bool {
        match self {
            Place::Field(field) => places.has_field(field),
            Place::Item(class, _) => places.has_items(class),
        }
    }
}

/// What is known of a place of an object.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub base: NodeId,
    pub value: NodeId,
    /// The store has been delayed.
    pub delayed: bool,
    /// The place holds the value once all delayed stores are done. False for a delayed store that a younger one to what
    /// may be the same place may overwrite.
    pub known: bool,
    /// The fact of the label's state that it comes from.
    pub fact: Option<u32>,
}

/// What is known of the heap.
#[derive(Clone, Default)]
pub(crate) struct Heap {
    entries: FxHashMap<Place, SmallVec<[Entry; 2]>>,
    /// Delayed stores, oldest first.
    delayed: Vec<(Place, NodeId)>,
    /// Items at indices that are not constant.
    pub scattered: ScatteredItems,
}

impl Heap {
    /// Delayed stores, oldest first, as place, object and value.
    pub fn delayed(&self) -> impl Iterator<Item = (Place, NodeId, NodeId)> + '_ {
        self.delayed.iter().map(|&(place, base)| {
            let entry = self.entries[&place]
                .iter()
                .find(|e| e.base == base)
                .expect("a delayed store has an entry");
            (place, base, entry.value)
        })
    }

    /// All entries in a stable order.
    pub fn entries(&self) -> Vec<(Place, Entry)> {
        let mut all: Vec<_> = self
            .entries
            .iter()
            .flat_map(|(&p, list)| list.iter().map(move |&e| (p, e)))
            .collect();
        all.sort_by_key(|(p, e)| (*p, e.base));
        all
    }

    /// Adds an entry, delayed entries being the youngest delayed store.
    pub fn add(&mut self, place: Place, entry: Entry) {
        if entry.delayed {
            self.delayed.push((place, entry.base));
        }
        self.entries.entry(place).or_default().push(entry);
    }

    /// Forgets what is known of places that may have changed. Their delayed stores have been done.
    pub fn forget(&mut self, changed: impl Fn(Place) -> bool) {
        debug_assert!(!self.delayed.iter().any(|&(p, _)| changed(p)));
        self.entries.retain(|&place, _| !changed(place));
        self.scattered
            .forget(|class| changed(Place::Item(class, 0)));
    }

    /// Keeps what is known for which `keep` holds, of a place and its object.
    pub fn retain(&mut self, keep: impl Fn(Place, NodeId) -> bool) {
        for (&place, list) in &mut self.entries {
            list.retain(|e| e.delayed || keep(place, e.base));
        }
    }

    fn places_of_array(&self, class: ClassId) -> Vec<Place> {
        let mut places: Vec<Place> = self
            .entries
            .keys()
            .copied()
            .filter(|p| matches!(p, Place::Item(c, _) if *c == class))
            .collect();
        places.sort();
        places
    }
}

impl Section {
    /// `getfield`, `getitem`, `arraylen`.
    pub fn load(&mut self, cx: &mut Cx<'_>, data: DataOp, op: &Op) -> NodeId {
        let args = self.arg_nodes(op);
        self.load_nodes(cx, data, op.descr, args)
    }

    /// A load from these nodes.
    pub fn load_nodes(
        &mut self,
        cx: &mut Cx<'_>,
        data: DataOp,
        descr: u32,
        args: SmallVec<[NodeId; 3]>,
    ) -> NodeId {
        if let Some(n) = self.load_virtual(cx, data, descr, &args) {
            return n;
        }
        let Some(by) = self.tag_beside(cx, data, descr, &args) else {
            return self.load_real(cx, data, descr, args);
        };
        if self.is_zero_by_tag(by) {
            return self.constant(data.ret().expect("loads have results"), 0);
        }
        let value = self.load_real(cx, data, descr, args);
        self.relate_to_tag(by, value);
        value
    }

    /// A load from an object that is not virtual.
    fn load_real(
        &mut self,
        cx: &mut Cx<'_>,
        data: DataOp,
        descr: u32,
        args: SmallVec<[NodeId; 3]>,
    ) -> NodeId {
        let base = args[0];
        if let Some(n) = self.load_assumed(cx, data, descr, base) {
            return n;
        }
        if self.is_immutable(cx.descrs, data, descr) {
            return self.load_immutable(cx, data, descr, args);
        }
        let Some(place) = self.place(data, descr, &args) else {
            return self.load_scattered(cx, data, descr, args);
        };
        let known = self.lookup(place, base);
        if let Some(entry) = known
            && !self.nodes.is_phantom(entry.value)
        {
            return self.nodes.find(entry.value);
        }
        self.flush_place(cx, place, base);
        let value = self.emit_load(cx, data, descr, &args);
        if let Some(entry) = known {
            self.materialise(entry.value, value);
        } else if cx.passes.heap {
            self.heap.add(
                place,
                Entry {
                    base,
                    value,
                    delayed: false,
                    known: true,
                    fact: None,
                },
            );
        }
        value
    }

    /// `setfield`, `setitem`.
    pub fn store(&mut self, cx: &mut Cx<'_>, data: DataOp, op: &Op) {
        let args = self.arg_nodes(op);
        let base = args[0];
        let value = *args.last().expect("a store has a value");
        if self.store_virtual(data, op.descr, &args, value) {
            return;
        }
        let base = self.force_node(cx, base);
        if let Some(by) = self.tag_beside(cx, data, op.descr, &args) {
            self.relate_to_tag(by, value);
        }
        if self.is_immutable(cx.descrs, data, op.descr) {
            // The initialisation of an object that exists already: nobody has read the place yet.
            self.emit_store(cx, data, op.descr, &args);
            return;
        }
        self.forget_readers(cx.descrs, written(data, op.descr));
        if let Written::Items(class) = written(data, op.descr) {
            if cx.passes.heap && self.holds(class, base, args[1], value) {
                return;
            }
            self.heap.scattered.forget(|c| c == class);
        }
        match self.place(data, op.descr, &args) {
            Some(place) if cx.passes.heap => {
                self.delay(place, base, value);
                self.flush_surplus(cx);
            }
            Some(_) => self.emit_store(cx, data, op.descr, &args),
            None => {
                let class = ClassId::from_u32(op.descr);
                self.flush_array(cx, class, base);
                self.emit_store(cx, data, op.descr, &args);
                self.invalidate_array(class, base);
                self.remember_scattered(class, base, args[1], value);
            }
        }
    }

    /// Whether a load always gives the same: a plain field, an item of an immutable array, a length.
    pub fn is_immutable(&self, descrs: &Descrs, data: DataOp, descr: u32) -> bool {
        use DataOp::*;
        match data {
            ArrayLen => true,
            GetFieldI | GetFieldR | GetFieldF | SetFieldI | SetFieldR | SetFieldF => {
                descrs.fields[FieldId::from_u32(descr)].immutable
            }
            _ => descrs.item(ClassId::from_u32(descr)).2,
        }
    }

    pub fn place(&self, data: DataOp, descr: u32, args: &[NodeId]) -> Option<Place> {
        use DataOp::*;
        match data {
            GetFieldI | GetFieldR | GetFieldF | SetFieldI | SetFieldR | SetFieldF => {
                Some(Place::Field(FieldId::from_u32(descr)))
            }
            _ => match self.nodes.as_const(args[1])? {
                Const::Int(i) => Some(Place::Item(
                    ClassId::from_u32(descr),
                    u32::try_from(i).ok()?,
                )),
                _ => None,
            },
        }
    }

    fn load_immutable(
        &mut self,
        cx: &mut Cx<'_>,
        data: DataOp,
        descr: u32,
        args: SmallVec<[NodeId; 3]>,
    ) -> NodeId {
        if cx.passes.fold
            && let Some(words) = self.const_words(&args)
            && words[0] != 0
        {
            let word = cx.host.load(data, &words, descr);
            let known = self.constant(data.ret().expect("loads have results"), word);
            return self.known_load(cx, data, descr, &args, known);
        }
        let key = PureKey {
            opcode: Opcode::Data(data),
            descr,
            args,
        };
        if cx.passes.heap
            && let Some(n) = self.known_result(&key)
        {
            return self.known_load(cx, data, descr, &key.args, n);
        }
        let n = self.emit_load(cx, data, descr, &key.args);
        if cx.passes.heap {
            self.enter_result(key, n);
        }
        n
    }

    /// The words of constant arguments, if all are.
    pub fn const_words(&self, args: &[NodeId]) -> Option<SmallVec<[u64; 4]>> {
        args.iter()
            .map(|&n| self.nodes.as_const(n).map(Const::word))
            .collect()
    }

    /// What is known of a place of an object, marking the fact it comes from as used.
    pub fn lookup(&mut self, place: Place, base: NodeId) -> Option<Entry> {
        let entry = self.lookup_unmarked(place, base)?;
        if let Some(fact) = entry.fact {
            self.used_facts[fact as usize] = true;
        }
        Some(entry)
    }

    /// What is known of a place of an object.
    pub fn lookup_unmarked(&self, place: Place, base: NodeId) -> Option<Entry> {
        let base = self.nodes.find(base);
        let list = self.heap.entries.get(&place)?;
        list.iter()
            .find(|e| e.known && self.nodes.find(e.base) == base)
            .copied()
    }

    pub fn emit_load(
        &mut self,
        cx: &mut Cx<'_>,
        data: DataOp,
        descr: u32,
        args: &[NodeId],
    ) -> NodeId {
        let vals: SmallVec<[Val; 3]> = args.iter().map(|&n| self.force(cx, n)).collect();
        let mut op = Op::new(Opcode::Data(data), &vals);
        op.descr = descr;
        let n = self.emit_def(op, data.ret().expect("loads have results"));
        if cx.passes.bounds {
            let range = Range::sure(ranges::of_load(cx.descrs, data, descr));
            self.refine(n, |r| r.range = range);
        }
        n
    }

    fn emit_store(&mut self, cx: &mut Cx<'_>, data: DataOp, descr: u32, args: &[NodeId]) {
        let vals: SmallVec<[Val; 3]> = args.iter().map(|&n| self.force(cx, n)).collect();
        let mut op = Op::new(Opcode::Data(data), &vals);
        op.descr = descr;
        self.out.push(op);
    }

    fn delay(&mut self, place: Place, base: NodeId, value: NodeId) {
        let nodes = &self.nodes;
        let same = |b: NodeId| nodes.find(b) == nodes.find(base);
        // An older delayed store to this very place is overwritten; what other objects are known to hold there may be
        // this place, so it is unknown from here on. Their delayed stores stay in the list, before this one.
        self.heap.delayed.retain(|&(p, b)| p != place || !same(b));
        let list = self.heap.entries.entry(place).or_default();
        let may_alias = |b: NodeId| nodes.may_alias(b, base) && !Sabotage::ForgetAlias.is_on();
        list.retain(|e| !same(e.base) && (e.delayed || !may_alias(e.base)));
        for e in list.iter_mut() {
            e.known &= !may_alias(e.base);
        }
        self.heap.add(
            place,
            Entry {
                base,
                value,
                delayed: true,
                known: true,
                fact: None,
            },
        );
    }

    /// Does the delayed stores that a load of this place could see.
    pub fn flush_place(&mut self, cx: &mut Cx<'_>, place: Place, base: NodeId) {
        let due: Vec<_> = self
            .heap
            .delayed
            .iter()
            .copied()
            .filter(|&(p, b)| p == place && self.nodes.may_alias(b, base))
            .collect();
        for (place, base) in due {
            self.flush_one(cx, place, base);
        }
    }

    /// Does the delayed stores that an access at an unknown index of this array could see.
    pub fn flush_array(&mut self, cx: &mut Cx<'_>, class: ClassId, base: NodeId) {
        for place in self.heap.places_of_array(class) {
            self.flush_place(cx, place, base);
        }
    }

    fn invalidate_array(&mut self, class: ClassId, base: NodeId) {
        for place in self.heap.places_of_array(class) {
            let nodes = &self.nodes;
            if let Some(list) = self.heap.entries.get_mut(&place) {
                list.retain(|e| !nodes.may_alias(e.base, base));
            }
        }
    }

    /// Does the oldest delayed stores if there are too many.
    fn flush_surplus(&mut self, cx: &mut Cx<'_>) {
        let descrs = cx.descrs;
        for (kept, limit) in [(false, MAX_DELAYED), (true, MAX_KEPT)] {
            let is_one = |d: &&(Place, NodeId)| d.0.is_virtualizable(descrs) == kept;
            while self.heap.delayed.iter().filter(is_one).count() > limit {
                let oldest = self.heap.delayed.iter().find(is_one).copied();
                let (place, base) = oldest.expect("there are several");
                self.flush_one(cx, place, base);
            }
        }
    }

    /// Does all delayed stores.
    pub fn flush_all(&mut self, cx: &mut Cx<'_>) {
        self.flush_if(cx, |_| true);
    }

    /// Does the delayed stores to these places, oldest first. Doing one can allocate, but delays nothing new.
    pub fn flush_if(&mut self, cx: &mut Cx<'_>, due: impl Fn(Place) -> bool) {
        while let Some(&(place, base)) = self.heap.delayed.iter().find(|&&(p, _)| due(p)) {
            self.flush_one(cx, place, base);
        }
    }

    /// Does one delayed store, and before it the older ones that may be to the same place.
    pub fn flush_one(&mut self, cx: &mut Cx<'_>, place: Place, base: NodeId) {
        loop {
            let position = self.heap.delayed.iter().position(|d| *d == (place, base));
            let Some(position) = position else { return };
            let older = self.heap.delayed[..position]
                .iter()
                .copied()
                .find(|&(p, b)| p == place && self.nodes.may_alias(b, base));
            let (p, b) = older.unwrap_or((place, base));
            self.do_store(cx, p, b);
        }
    }

    fn do_store(&mut self, cx: &mut Cx<'_>, place: Place, base: NodeId) {
        self.heap.delayed.retain(|d| *d != (place, base));
        let list = self.heap.entries.get_mut(&place).expect("has an entry");
        let entry = list
            .iter_mut()
            .find(|e| e.base == base)
            .expect("a delayed store has an entry");
        entry.delayed = false;
        let value = entry.value;
        list.retain(|e| e.known || e.delayed);
        let (data, descr, index) = match place {
            Place::Field(f) => (DataOp::set_field(cx.descrs.fields[f].ty), f.as_u32(), None),
            Place::Item(c, i) => (DataOp::set_item(cx.descrs.item(c).0), c.as_u32(), Some(i)),
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

    fn load_virtual(
        &mut self,
        cx: &mut Cx<'_>,
        data: DataOp,
        descr: u32,
        args: &[NodeId],
    ) -> Option<NodeId> {
        let Node::Virtual(v) = self.nodes.get(args[0]) else {
            return None;
        };
        match &v.contents {
            Contents::Struct(fields) => {
                let field = FieldId::from_u32(descr);
                let found = fields.iter().find(|(f, _)| *f == field).map(|(_, n)| *n);
                let ty = cx.descrs.fields[field].ty;
                Some(match found {
                    Some(n) => self.nodes.find(n),
                    None => self.constant(ty, 0),
                })
            }
            Contents::Array(items) if data == DataOp::ArrayLen => {
                let len = items.len() as u64;
                Some(self.constant(Ty::Int, len))
            }
            Contents::Array(items) => {
                let index = self.nodes.as_const(args[1])?.word() as usize;
                items.get(index).map(|&n| self.nodes.find(n))
            }
        }
    }

    fn store_virtual(&mut self, data: DataOp, descr: u32, args: &[NodeId], value: NodeId) -> bool {
        let index = match data {
            DataOp::SetItemI | DataOp::SetItemR | DataOp::SetItemF => {
                match self.nodes.as_const(args[1]) {
                    Some(c) => c.word() as usize,
                    None => return false,
                }
            }
            _ => 0,
        };
        let Node::Virtual(v) = self.nodes.get_mut(args[0]) else {
            return false;
        };
        match &mut v.contents {
            Contents::Struct(fields) => {
                let field = FieldId::from_u32(descr);
                match fields.iter_mut().find(|(f, _)| *f == field) {
                    Some((_, n)) => *n = value,
                    None => fields.push((field, value)),
                }
                true
            }
            Contents::Array(items) => match items.get_mut(index) {
                Some(n) => {
                    *n = value;
                    true
                }
                None => false,
            },
        }
    }
}
