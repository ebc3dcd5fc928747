//! The tracer's heap cache: results that the trace already has, what memory holds, and what guards
//! have shown.
//!
//! An operation that would only repeat one of these is not recorded, which halves a trace and the
//! time to optimise it. Invariant: code that runs the trace to this point has the same word in the
//! cached value as the operation would give. What a store or a call may have changed is forgotten,
//! and everything at a loop header, since the trace may be cut there.
//!
//! Source: the heap cache of RPython's tracer.

use super::value::TracedValue;
use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use verdigris_ops::{ClassId, DataOp, Descrs, Effect, HeapSlot, Places, Ty};
use verdigris_trace::{Arg, Const, Descr, ValRef};

/// An operation whose result never changes, with its arguments.
type Pure = (DataOp, Descr, [Arg; 3]);

/// The heap cache at this point of the trace.
#[derive(Default)]
pub(crate) struct HeapCache {
    /// Results of pure operations, and of loads of what never changes.
    results: FxHashMap<Pure, TracedValue>,
    /// Contents of slots, by the value that is their object.
    places: FxHashMap<HeapSlot, SmallVec<[(Arg, TracedValue); 2]>>,
    /// What is known of each value.
    values: SecondaryMap<ValRef, Known>,
    /// Comparisons of an index with a length, and lower bounds of lengths.
    bounds: FxHashMap<ValRef, (u64, ValRef)>,
    least: FxHashMap<ValRef, u64>,
    /// Whether there has been a call, which may do more than its author promises.
    is_doubted: bool,
}

/// What is known of a value.
#[derive(Clone, Copy, Default)]
struct Known {
    /// The constant that a guard has made of it.
    constant: Option<Arg>,
    /// The class that a guard or its allocation has shown.
    class: Option<ClassId>,
    /// It is an object made in this trace that is no constant: no value defined before is it.
    is_fresh: bool,
    /// It is 0 or 1.
    is_boolean: bool,
}

impl HeapCache {
    /// An empty cache with room for what a short trace enters.
    pub fn new() -> HeapCache {
        let mut cache = HeapCache::default();
        cache.results.reserve(64);
        cache.places.reserve(16);
        cache
    }

    /// The result of this operation, if the trace has it. `word` is its result this time.
    pub fn get(
        &self,
        descrs: &Descrs,
        op: DataOp,
        args: &[TracedValue],
        descr: Descr,
        word: u64,
    ) -> Option<TracedValue> {
        let known = match place(descrs, op, args, descr) {
            Some(place) if op.effect() == Effect::Read => {
                let list = self.places.get(&place)?;
                list.iter().find(|held| held.0 == args[0].val)?.1
            }
            None if never_changes(descrs, op, descr) => {
                match self.results.get(&pure(op, args, descr)) {
                    Some(&known) => known,
                    None => self.within_bounds(op, args)?,
                }
            }
            _ => return None,
        };
        // A broken promise shows here: memory is not what it was before the call. The trace goes on
        // with what there is.
        let holds = known.word == word;
        debug_assert!(
            holds || self.is_doubted,
            "{op} gave {}, now {word}",
            known.word
        );
        holds.then(|| self.now(known))
    }

    /// A value, or the constant that a guard has made of it.
    fn now(&self, known: TracedValue) -> TracedValue {
        let constant = known.val.as_ref().and_then(|v| self.values[v].constant);
        TracedValue {
            val: constant.unwrap_or(known.val),
            ..known
        }
    }

    /// The result of a comparison with a length that has been compared with a larger index.
    fn within_bounds(&self, op: DataOp, args: &[TracedValue]) -> Option<TracedValue> {
        let (index, len) = bound(op, args)?;
        let least = *self.least.get(&len)?;
        (index < least).then_some(TracedValue {
            word: 1,
            val: Arg::int(1),
        })
    }

    /// Enters a recorded operation.
    pub fn recorded(
        &mut self,
        descrs: &Descrs,
        op: DataOp,
        args: &[TracedValue],
        descr: Descr,
        result: TracedValue,
    ) {
        if let Some(v) = result.val.as_ref().filter(|_| op.ret().is_some()) {
            self.values[v].is_boolean = op.gives_boolean();
            if let Some(bound) = bound(op, args) {
                self.bounds.insert(v, bound);
            }
        }
        match (op.effect(), place(descrs, op, args, descr)) {
            (Effect::Read, Some(place)) => {
                let list = self.places.entry(place).or_default();
                list.push((args[0].val, result));
            }
            (Effect::Write, Some(place)) => {
                let (object, value) = (args[0].val, args[args.len() - 1]);
                let list = self.places.entry(place).or_default();
                list.retain(|held| !may_be(&self.values, held.0, object));
                list.push((object, value));
            }
            (Effect::Write, None) => match descr {
                // At an index that is not constant, or at all indices.
                Descr::Class(class) => self.forget(
                    args[0].val,
                    |held| matches!(held, HeapSlot::Item(of, _) if of == class),
                ),
                Descr::Field(field) => {
                    self.forget(args[0].val, |held| held == HeapSlot::Field(field))
                }
                _ => {}
            },
            (Effect::Alloc, _) => self.made(op, args, descr.class(), result),
            _ if never_changes(descrs, op, descr) => {
                self.results.insert(pure(op, args, descr), result);
                if let (Some(inverse), [known]) = (inverse_cast(op), args) {
                    let undone = pure(inverse, &[result], Descr::None);
                    self.results.insert(undone, *known);
                }
            }
            _ => {}
        }
    }

    fn made(&mut self, op: DataOp, args: &[TracedValue], class: ClassId, object: TracedValue) {
        let v = object
            .val
            .as_ref()
            .expect("an object is no constant when it is made");
        self.values[v].is_fresh = true;
        self.values[v].class = Some(class);
        if op == DataOp::NewArray {
            let len = pure(DataOp::ArrayLen, &[object], Descr::Class(class));
            self.results.insert(len, args[0]);
        }
    }

    /// Forgets those places for which `is_written` holds, of all objects that may be this one.
    fn forget(&mut self, object: Arg, is_written: impl Fn(HeapSlot) -> bool) {
        for (&place, list) in &mut self.places {
            if is_written(place) {
                list.retain(|held| !may_be(&self.values, held.0, object));
            }
        }
    }

    /// A call may have written to these places.
    pub fn written(&mut self, writes: &Places) {
        self.places.retain(|&place, _| !place.is_in(writes));
    }

    /// A call may have written to these places against its author's promise: values in several
    /// words are forgotten, since a tag from before the call says nothing of a word from behind it.
    pub fn suspected(&mut self, descrs: &Descrs, suspects: &Places) {
        self.is_doubted = true;
        self.places
            .retain(|&place, _| !place.is_in(suspects) || !place.is_part(descrs));
    }

    /// A guard has shown that a value is this constant.
    pub fn is_constant(&mut self, value: ValRef, constant: Arg) {
        // The object may have another name from now on.
        self.values[value].is_fresh = false;
        self.values[value].constant = Some(constant);
    }

    /// The constant that a value must be behind a guard that has shown whether it is 0, if only one
    /// is possible.
    pub fn decided(&mut self, value: ValRef, holds: bool) -> Option<Const> {
        if let (true, Some(&(index, len))) = (holds, self.bounds.get(&value)) {
            let least = self.least.entry(len).or_default();
            *least = (*least).max(index + 1);
        }
        let one = holds && self.values[value].is_boolean;
        (one || !holds).then_some(Const::Int(i64::from(one)))
    }

    /// Whether an object is known to be of this class. If it is not, a guard shows it now.
    pub fn shows_class(&mut self, object: ValRef, class: ClassId) -> bool {
        self.values[object].class.replace(class) == Some(class)
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.results.clear();
        self.places.clear();
        self.values.clear();
        self.bounds.clear();
        self.least.clear();
        self.is_doubted = false;
    }
}

/// Whether two values can be the same object.
fn may_be(values: &SecondaryMap<ValRef, Known>, a: Arg, b: Arg) -> bool {
    match (a, b) {
        (Arg::Const(a), Arg::Const(b)) => a == b,
        (Arg::Ref(a), Arg::Ref(b)) if a != b => {
            // A new object differs from whatever there was before it.
            !values[a.max(b)].is_fresh
        }
        _ => true,
    }
}

/// The mutable place that a load or store is about, if its index is constant.
fn place(descrs: &Descrs, op: DataOp, args: &[TracedValue], descr: Descr) -> Option<HeapSlot> {
    use DataOp::*;
    match op {
        GetFieldI | GetFieldR | GetFieldF | GetFieldW | SetFieldI | SetFieldR | SetFieldF
        | SetFieldW => {
            let field = &descrs.fields[descr.field()];
            let is_mutable = !field.immutable && !field.quasi;
            is_mutable.then(|| HeapSlot::Field(descr.field()))
        }
        GetItemI | GetItemR | GetItemF | GetItemW | SetItemI | SetItemR | SetItemF | SetItemW => {
            let is_mutable = !descrs.item(descr.class()).2;
            let index = args[1].is_const().then_some(args[1].word)?;
            is_mutable.then_some(HeapSlot::Item(descr.class(), u32::try_from(index).ok()?))
        }
        _ => None,
    }
}

/// Whether an operation gives the same each time.
fn never_changes(descrs: &Descrs, op: DataOp, descr: Descr) -> bool {
    use DataOp::*;
    match op {
        GetFieldI | GetFieldR | GetFieldF | GetFieldW => descrs.fields[descr.field()].immutable,
        GetItemI | GetItemR | GetItemF | GetItemW => descrs.item(descr.class()).2,
        ArrayLen => true,
        _ => op.effect() == Effect::Pure,
    }
}

/// The cast that undoes a cast to or from a word: a value that was put somewhere as a word is the
/// same value when it is taken from there, with all that is known of it.
fn inverse_cast(op: DataOp) -> Option<DataOp> {
    let is_pure = op.effect() == Effect::Pure;
    match (op.params(), op.ret()?) {
        (&[ty], Ty::Word) if is_pure => DataOp::from_word(ty),
        (&[Ty::Word], ty) if is_pure => DataOp::word_from(ty),
        _ => None,
    }
}

fn pure(op: DataOp, args: &[TracedValue], descr: Descr) -> Pure {
    let mut vals = [Arg::NULL; 3];
    for (val, known) in vals.iter_mut().zip(args) {
        *val = known.val;
    }
    (op, descr, vals)
}

/// A constant index and the length that it is compared with.
fn bound(op: DataOp, args: &[TracedValue]) -> Option<(u64, ValRef)> {
    match (op, args) {
        (DataOp::UintLt, [index, len]) if index.is_const() => Some((index.word, len.val.as_ref()?)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use DataOp::*;
    use cranelift_entity::EntityRef;
    use verdigris_trace::parse_descrs;

    /// A cache with the descriptors that its operations are about.
    struct Trace {
        descrs: Descrs,
        cache: HeapCache,
    }

    fn trace() -> Trace {
        let text = "class Box { value: int, kind: int imm }\n\
                    array Slots { ref }\narray Numbers { int }\n";
        Trace {
            descrs: parse_descrs(text).expect("they parse"),
            cache: HeapCache::default(),
        }
    }

    /// A value with a word that is its own.
    fn value(n: usize) -> TracedValue {
        TracedValue {
            word: n as u64,
            val: Arg::Ref(ValRef::new(n)),
        }
    }

    fn constant(n: i64) -> TracedValue {
        TracedValue {
            word: n as u64,
            val: Arg::int(n),
        }
    }

    impl Trace {
        fn field(&self, name: &str) -> Descr {
            self.descrs.field_by_name(name).expect("it is there").into()
        }

        fn class(&self, name: &str) -> Descr {
            self.descrs.class_by_name(name).expect("it is there").into()
        }

        fn record(&mut self, op: DataOp, args: &[TracedValue], descr: Descr, result: TracedValue) {
            self.cache.recorded(&self.descrs, op, args, descr, result);
        }

        /// The cached result of an operation that gives this word.
        fn get(&self, op: DataOp, args: &[TracedValue], descr: Descr, word: u64) -> Option<Arg> {
            let known = self.cache.get(&self.descrs, op, args, descr, word);
            known.map(|known| known.val)
        }
    }

    #[test]
    fn a_store_forgets_what_other_objects_may_hold() {
        let mut t = trace();
        let field = t.field("Box.value");
        t.record(GetFieldI, &[value(0)], field, value(1));
        assert_eq!(t.get(GetFieldI, &[value(0)], field, 1), Some(value(1).val));
        assert_eq!(t.get(GetFieldI, &[value(2)], field, 1), None);
        t.record(SetFieldI, &[value(2), value(3)], field, constant(0));
        assert_eq!(t.get(GetFieldI, &[value(2)], field, 3), Some(value(3).val));
        assert_eq!(t.get(GetFieldI, &[value(0)], field, 1), None);
    }

    #[test]
    fn a_new_object_is_none_of_the_older_ones() {
        let mut t = trace();
        let (field, class) = (t.field("Box.value"), t.class("Box"));
        t.record(GetFieldI, &[value(0)], field, value(1));
        t.record(New, &[], class, value(2));
        t.record(SetFieldI, &[value(2), value(1)], field, constant(0));
        assert_eq!(t.get(GetFieldI, &[value(0)], field, 1), Some(value(1).val));
        // What is loaded later may be the new object.
        t.record(SetFieldI, &[value(3), value(0)], field, constant(0));
        assert_eq!(t.get(GetFieldI, &[value(2)], field, 1), None);
        // Once it is a constant, other constants may be it.
        t.record(SetFieldI, &[value(2), value(1)], field, constant(0));
        t.cache.is_constant(ValRef::new(2), Arg::NULL);
        t.record(SetFieldI, &[value(0), value(1)], field, constant(0));
        assert_eq!(t.get(GetFieldI, &[value(2)], field, 1), None);
    }

    #[test]
    fn casts_undo_each_other() {
        let mut t = trace();
        let word = TracedValue {
            val: Arg::Ref(ValRef::new(2)),
            ..value(1)
        };
        t.record(WordFromRef, &[value(1)], Descr::None, word);
        assert_eq!(
            t.get(RefFromWord, &[word], Descr::None, 1),
            Some(value(1).val)
        );
        assert_eq!(t.get(IntFromWord, &[word], Descr::None, 1), None);
        let loaded = value(3);
        let int = TracedValue {
            val: Arg::Ref(ValRef::new(4)),
            ..loaded
        };
        t.record(IntFromWord, &[loaded], Descr::None, int);
        assert_eq!(t.get(WordFromInt, &[int], Descr::None, 3), Some(loaded.val));
    }

    #[test]
    fn a_store_at_an_unknown_index_forgets_all_items_of_the_class() {
        let mut t = trace();
        let (slots, numbers) = (t.class("Slots"), t.class("Numbers"));
        t.record(GetItemR, &[value(0), constant(3)], slots, value(1));
        t.record(GetItemI, &[value(0), constant(3)], numbers, value(2));
        t.record(
            SetItemR,
            &[value(4), value(5), value(1)],
            slots,
            constant(0),
        );
        assert_eq!(t.get(GetItemR, &[value(0), constant(3)], slots, 1), None);
        let kept = t.get(GetItemI, &[value(0), constant(3)], numbers, 2);
        assert_eq!(kept, Some(value(2).val));
    }

    #[test]
    fn calls_forget_what_they_write_and_nothing_forgets_what_never_changes() {
        let mut t = trace();
        let (mutable, immutable) = (t.field("Box.value"), t.field("Box.kind"));
        t.record(GetFieldI, &[value(0)], mutable, value(1));
        t.record(GetFieldI, &[value(0)], immutable, value(2));
        t.cache.written(&Places::none());
        assert_eq!(
            t.get(GetFieldI, &[value(0)], mutable, 1),
            Some(value(1).val)
        );
        t.cache.written(&Places::All);
        assert_eq!(t.get(GetFieldI, &[value(0)], mutable, 1), None);
        assert_eq!(
            t.get(GetFieldI, &[value(0)], immutable, 2),
            Some(value(2).val)
        );
        t.cache.clear();
        assert_eq!(t.get(GetFieldI, &[value(0)], immutable, 2), None);
    }

    #[test]
    fn a_broken_promise_concerns_values_in_several_words() {
        let text = "array Ints { int }\narray Values { int }\narray Values#1 { ref }\n";
        let mut t = Trace {
            descrs: parse_descrs(text).expect("they parse"),
            cache: HeapCache::default(),
        };
        let (one, tag, word) = (t.class("Ints"), t.class("Values"), t.class("Values#1"));
        let at = [value(0), constant(3)];
        t.record(GetItemI, &at, one, value(1));
        t.record(GetItemI, &at, tag, value(2));
        t.record(GetItemR, &at, word, value(3));
        t.cache.suspected(&t.descrs, &Places::none());
        assert_eq!(t.get(GetItemI, &at, tag, 2), Some(value(2).val));
        t.cache.suspected(&t.descrs, &Places::All);
        assert_eq!(t.get(GetItemI, &at, one, 1), Some(value(1).val));
        assert_eq!(t.get(GetItemI, &at, one, 0), None);
        assert_eq!(t.get(GetItemI, &at, tag, 2), None);
        assert_eq!(t.get(GetItemR, &at, word, 3), None);
    }

    #[test]
    fn an_index_below_one_that_was_within_bounds_is_too() {
        let mut t = trace();
        let none = Descr::None;
        t.record(UintLt, &[constant(5), value(0)], none, value(1));
        assert_eq!(t.get(UintLt, &[constant(4), value(0)], none, 1), None);
        assert_eq!(t.cache.decided(ValRef::new(1), true), Some(Const::Int(1)));
        let one = Some(Arg::int(1));
        assert_eq!(t.get(UintLt, &[constant(4), value(0)], none, 1), one);
        assert_eq!(t.get(UintLt, &[constant(6), value(0)], none, 1), None);
        assert_eq!(t.get(UintLt, &[constant(4), value(2)], none, 1), None);
    }

    #[test]
    fn a_guard_makes_constants_of_booleans_and_of_zeros() {
        let mut t = trace();
        t.record(IntAnd, &[value(0), constant(3)], Descr::None, value(1));
        t.record(IntEq, &[value(0), constant(3)], Descr::None, value(2));
        assert_eq!(t.cache.decided(ValRef::new(1), true), None);
        assert_eq!(t.cache.decided(ValRef::new(1), false), Some(Const::Int(0)));
        assert_eq!(t.cache.decided(ValRef::new(2), true), Some(Const::Int(1)));
        t.cache.is_constant(ValRef::new(2), Arg::int(1));
        let again = t.get(IntEq, &[value(0), constant(3)], Descr::None, 2);
        assert_eq!(again, Some(Arg::int(1)));
    }

    #[test]
    fn the_length_of_a_new_array_is_what_it_was_made_with() {
        let mut t = trace();
        let class = t.class("Numbers");
        t.record(NewArray, &[constant(4)], class, value(0));
        assert_eq!(t.get(ArrayLen, &[value(0)], class, 4), Some(Arg::int(4)));
        assert!(t.cache.shows_class(ValRef::new(0), class.class()));
        assert!(!t.cache.shows_class(ValRef::new(1), class.class()));
        assert!(t.cache.shows_class(ValRef::new(1), class.class()));
    }
}
