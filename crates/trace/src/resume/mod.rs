//! Resume data: the interpreter's state at a guard of an optimised trace.
//!
//! Source: RPython's resume data; "Allocation Removal by Partial Evaluation in a Tracing JIT"
//! (2011), section 4 for virtual objects in exits.

pub(crate) mod frames;

use crate::descr::Descr;
use crate::resume::frames::ResumeFrames;
use crate::value::{Const, ValRef};
use verdigris_ops::{ClassId, DataOp, Descrs, FieldId};

/// Where a value comes from when a guard has failed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Src {
    /// Index in [`Resume::fail_args`].
    Fail(u16),
    /// A constant.
    Const(Const),
    /// Index in [`Resume::virtuals`]: an object to be made. The same index is the same object.
    Virtual(u16),
}

/// The shape of an object that was never allocated.
#[derive(Clone, PartialEq, Debug)]
pub enum VirtualKind {
    /// An object; fields not listed are zero.
    Struct {
        /// Fields and their values.
        fields: Vec<(FieldId, Src)>,
    },
    /// An array; words of items not listed are zero.
    Array {
        /// How many items it has.
        len: u32,
        /// Words of its items and their values, by index and then by class.
        words: Vec<ItemWord>,
    },
}

/// A word of an item of a virtual array.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ItemWord {
    /// The item.
    pub index: u32,
    /// The class that names the word: the array's own, or that of another word of its items
    /// ([`Descrs::item_part`]).
    pub class: ClassId,
    /// The value.
    pub value: Src,
}

impl VirtualKind {
    /// Its descriptor.
    #[inline]
    pub fn srcs(&self) -> impl Iterator<Item = Src> + '_ {
        let (fields, words) = match self {
            VirtualKind::Struct { fields } => (&fields[..], &[][..]),
            VirtualKind::Array { words, .. } => (&[][..], &words[..]),
        };
        let words = words.iter().map(|w: &ItemWord| w.value);
        fields.iter().map(|f| f.1).chain(words)
    }
}

/// An object to be made when the guard fails. Objects may refer to each other, and to themselves,
/// in any order.
#[derive(Clone, PartialEq, Debug)]
pub struct VirtualInfo {
    /// Its class.
    pub class: ClassId,
    /// Its contents.
    pub kind: VirtualKind,
}

/// A store that the optimiser has delayed past the guard: to be done when the guard fails, in
/// order.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum PendingStore {
    /// `object.field = value`.
    Field {
        /// The object.
        object: Src,
        /// The field.
        field: FieldId,
        /// The value.
        value: Src,
    },
    /// `array[index] = value`.
    Item {
        /// The array.
        array: Src,
        /// The array's class.
        class: ClassId,
        /// The constant index.
        index: u32,
        /// The value.
        value: Src,
    },
}

impl PendingStore {
    /// The object and the value.
    #[inline]
    pub fn srcs(&self) -> [Src; 2] {
        match *self {
            PendingStore::Field { object, value, .. } => [object, value],
            PendingStore::Item { array, value, .. } => [array, value],
        }
    }

    /// The operation that does it, with what it refers to, and the index, if it has one.
    #[inline]
    pub fn operation(&self, descrs: &Descrs) -> (DataOp, Descr, Option<u32>) {
        match *self {
            PendingStore::Field { field, .. } => {
                let op = DataOp::set_field(descrs.fields[field].ty);
                (op, field.into(), None)
            }
            PendingStore::Item { class, index, .. } => {
                let op = DataOp::set_item(descrs.item(class).0);
                (op, class.into(), Some(index))
            }
        }
    }
}

/// How to rebuild the interpreter's state when a guard fails: make the virtuals, do the pending
/// stores, fill the frames.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Resume {
    /// The values that compiled code hands over, no value twice.
    pub fail_args: Vec<ValRef>,
    /// Objects to be made.
    pub virtuals: Vec<VirtualInfo>,
    /// Stores to be done after that.
    pub pending: Vec<PendingStore>,
    /// Of `guard_not_forced`: existing objects whose virtualizable places other code has to claim
    /// before it touches them during the call. What they hold that is not in memory is in
    /// `pending`.
    pub kept: Vec<Src>,
    /// The frames, innermost first.
    pub frames: ResumeFrames,
}

impl Resume {
    /// Which of the virtuals the delayed stores lead to: those that have to be made when other code
    /// takes what is kept.
    pub fn kept_virtuals(&self) -> Vec<bool> {
        let mut kept = vec![false; self.virtuals.len()];
        let mut work: Vec<Src> = self.pending.iter().flat_map(PendingStore::srcs).collect();
        while let Some(src) = work.pop() {
            if let Src::Virtual(n) = src
                && !std::mem::replace(&mut kept[usize::from(n)], true)
            {
                work.extend(self.virtuals[usize::from(n)].kind.srcs());
            }
        }
        kept
    }

    /// Changes where values come from: of virtuals' contents, of delayed stores, of what is kept,
    /// of registers.
    pub fn for_each_src(&mut self, mut change: impl FnMut(&mut Src)) {
        for info in &mut self.virtuals {
            match &mut info.kind {
                VirtualKind::Struct { fields } => fields.iter_mut().for_each(|f| change(&mut f.1)),
                VirtualKind::Array { words, .. } => {
                    words.iter_mut().for_each(|w| change(&mut w.value));
                }
            }
        }
        for store in &mut self.pending {
            let (PendingStore::Field { object, value, .. }
            | PendingStore::Item {
                array: object,
                value,
                ..
            }) = store;
            change(object);
            change(value);
        }
        self.kept.iter_mut().for_each(&mut change);
        self.frames.srcs_mut().for_each(change);
    }

    /// The indices of the fail arguments that have to be known during the call, ascending: the
    /// words of a `Suspended` in this order.
    pub fn kept_args(&self) -> Vec<u16> {
        let virtuals = self.virtuals.iter().zip(self.kept_virtuals());
        let inside = virtuals
            .filter(|v| v.1)
            .flat_map(|(info, _)| info.kind.srcs());
        let stores = self.pending.iter().flat_map(PendingStore::srcs);
        let srcs = self.kept.iter().copied().chain(stores).chain(inside);
        let mut args: Vec<u16> = srcs
            .filter_map(|src| match src {
                Src::Fail(n) => Some(n),
                Src::Const(_) | Src::Virtual(_) => None,
            })
            .collect();
        args.sort_unstable();
        args.dedup();
        args
    }
}
