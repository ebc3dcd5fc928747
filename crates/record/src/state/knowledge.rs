//! Which values the optimiser will know and which objects it will not need, for `is_constant` and
//! `is_virtual`.
//!
//! Both answers of these questions lead to code that computes the same, so an imprecise one is
//! harmless. Source: the heap cache of RPython's tracer.

use super::value::TracedValue;
use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashMap;
use verdigris_ops::{ClassKind, DataOp, DescrKind, Descrs, Effect};
use verdigris_trace::{Arg, Descr, ValRef};

/// Knowledge of values that are not constants of the trace, and of objects.
#[derive(Default)]
pub(crate) struct Knowledge {
    /// Values that will turn out to be constant.
    constant: SecondaryMap<ValRef, bool>,
    /// Objects made in this trace to which code outside of it can have no reference, by address.
    objects: FxHashMap<u64, Object>,
}

/// The content of such an object.
#[derive(Default)]
struct Object {
    /// By descriptor and index. A place that has not been written holds what its array was filled
    /// with, or a constant zero.
    places: FxHashMap<(Descr, u64), Content>,
    /// The value that filled an array, by descriptor.
    filled: FxHashMap<Descr, Content>,
}

impl Object {
    /// The content of a place, unless it is a constant zero.
    fn get(&self, place: (Descr, u64)) -> Option<Content> {
        let held = self.places.get(&place).or(self.filled.get(&place.0));
        held.copied()
    }
}

/// A value in an object.
#[derive(Clone, Copy)]
struct Content {
    word: u64,
    constant: bool,
}

/// Whether the operation loads a quasi-immutable field.
fn is_quasi(descrs: &Descrs, op: DataOp, descr: Descr) -> bool {
    op.descr_kind() == DescrKind::Field && descrs.fields[descr.field()].quasi
}

impl Knowledge {
    /// Whether the optimiser will know the value.
    pub fn is_constant(&self, known: TracedValue) -> bool {
        match known.val {
            Arg::Const(_) => true,
            Arg::Ref(v) => self.constant[v],
        }
    }

    /// Whether the object has been made in this trace and has not escaped from it.
    pub fn is_virtual(&self, known: TracedValue) -> bool {
        !known.is_const() && self.objects.contains_key(&known.word)
    }

    /// Enters a recorded data operation.
    pub fn data(
        &mut self,
        descrs: &Descrs,
        op: DataOp,
        args: &[TracedValue],
        descr: Descr,
        result: TracedValue,
    ) {
        let constant = match op.effect() {
            Effect::Pure => args.iter().all(|&a| self.is_constant(a)),
            Effect::Read if is_quasi(descrs, op, descr) && args[0].is_const() => true,
            Effect::Read if op == DataOp::HasClass => true,
            Effect::Read => self.load(op, args, descr),
            Effect::Write if matches!(op, DataOp::Invalidate | DataOp::Reclaim) => false,
            Effect::Write => {
                self.store(op, args, descr);
                false
            }
            Effect::Alloc => {
                self.made(descrs, args, descr, result.word);
                false
            }
        };
        if constant && let Arg::Ref(v) = result.val {
            self.constant[v] = true;
        }
    }

    fn made(&mut self, descrs: &Descrs, args: &[TracedValue], descr: Descr, address: u64) {
        let is_array = matches!(descrs.classes[descr.class()].kind, ClassKind::Array { .. });
        // The items of an array of unknown length cannot become values.
        if is_array && !self.is_constant(args[0]) {
            self.objects.remove(&address);
            return;
        }
        self.objects.insert(address, Object::default());
    }

    /// Whether a load gives a constant.
    fn load(&self, op: DataOp, args: &[TracedValue], descr: Descr) -> bool {
        if args.iter().all(|a| a.is_const()) {
            return false;
        }
        let Some(object) = self.objects.get(&args[0].word) else {
            return false;
        };
        if op == DataOp::ArrayLen {
            return true;
        }
        match self.place(args, descr, 1) {
            Some(place) => object.get(place).is_none_or(|c| c.constant),
            None => false,
        }
    }

    fn store(&mut self, op: DataOp, args: &[TracedValue], descr: Descr) {
        use DataOp::{FillItemsF, FillItemsI, FillItemsR, FillItemsW};
        let value = args[args.len() - 1];
        let constant = self.is_constant(value);
        let word = value.word;
        if matches!(op, FillItemsI | FillItemsR | FillItemsF | FillItemsW) {
            match self.objects.get_mut(&args[0].word) {
                Some(object) => {
                    object.places.retain(|place, _| place.0 != descr);
                    object.filled.insert(descr, Content { word, constant });
                }
                None => self.escapes(word),
            }
            return;
        }
        let place = self.place(args, descr, 2);
        match (self.objects.get_mut(&args[0].word), place) {
            (Some(object), Some(place)) => {
                object.places.insert(place, Content { word, constant });
            }
            // At an index that the optimiser does not know, it needs the array.
            (Some(_), None) => {
                self.escapes(args[0].word);
                self.escapes(word);
            }
            (None, _) => self.escapes(word),
        }
    }

    /// The slot of an operation, if its index is constant; `fields` is the number of arguments of
    /// an operation on a field.
    fn place(&self, args: &[TracedValue], descr: Descr, fields: usize) -> Option<(Descr, u64)> {
        if args.len() == fields {
            return Some((descr, 0));
        }
        self.is_constant(args[1]).then_some((descr, args[1].word))
    }

    /// Code outside of the trace gets this word: if it is an object, it escapes with all that it
    /// refers to.
    pub fn escapes(&mut self, word: u64) {
        if !self.objects.contains_key(&word) {
            return;
        }
        let mut work = vec![word];
        while let Some(word) = work.pop() {
            if let Some(object) = self.objects.remove(&word) {
                let held = object.places.values().chain(object.filled.values());
                work.extend(held.map(|c| c.word));
            }
        }
    }
}
