//! Descriptors: what operations know about classes, fields and functions outside the traced code.
//!
//! The translator fills in names, types and mutability at build time; the engine's linker fills in
//! [`SlotLayout`], [`ClassInfo::size`], [`ClassInfo::word`] and the addresses in [`FnInfo`] from
//! the descriptors that the attribute macros emit. Text forms print names, never indices or
//! addresses, so names are unique per table.

use crate::effects::Effects;
use crate::held::Held;
use crate::ids::{ClassId, FieldId, FnId, FnKind};
use crate::table::Ty;
use cranelift_entity::{EntityRef, PrimaryMap};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Where a field or item lies. All zero until linked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SlotLayout {
    /// Bytes from the start of the object (fields), or from the start of the item (items made of
    /// several words).
    pub offset: u32,
    /// Size in bytes: 1, 2, 4 or 8.
    pub size: u8,
    /// Whether a narrower integer is sign-extended when loaded.
    pub signed: bool,
    /// Items: bytes from one to the next. Fields: 0.
    pub stride: u32,
}

/// Struct or array.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum ClassKind {
    /// A `#[gc] struct`.
    Struct {
        /// The fields in declaration order.
        fields: Vec<FieldId>,
    },
    /// A `GcArray`.
    Array {
        /// The type of an item.
        item: Ty,
        /// The layout of an item.
        layout: SlotLayout,
        /// Whether items never change after construction (the item type is not a `Cell`).
        immutable: bool,
        /// Whether compiled code may keep the items to itself (they are `Virtualizable`); then they
        /// are not `immutable`.
        virtualizable: bool,
    },
}

/// A class.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ClassInfo {
    /// Unique name: the struct's path in the crate, or `GcArray<...>`.
    pub name: String,
    /// Fields or items.
    pub kind: ClassKind,
    /// Bytes of an instance with its header (struct), or of the header and length before the first
    /// item (array).
    pub size: u32,
    /// The word in the header of the objects that compiled code makes. Zero until linked.
    pub word: i32,
    /// Whether items are written without a barrier. False until linked.
    #[serde(skip)]
    pub has_registers: bool,
}

impl ClassInfo {
    /// Whether the word in an object's header says whether it is of this class. Of arrays and of
    /// structs with parameters, whose names end with their arguments, the program may use several
    /// words for one class.
    pub fn is_unique(&self) -> bool {
        matches!(self.kind, ClassKind::Struct { .. }) && !self.name.ends_with('>')
    }
}

/// A field of a struct class.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FieldInfo {
    /// The class it belongs to.
    pub class: ClassId,
    /// The field's name in the struct.
    pub name: String,
    /// The type of its value.
    pub ty: Ty,
    /// Whether it never changes after construction (it is not a `Cell`).
    pub immutable: bool,
    /// Whether it changes so rarely that compiled code assumes it does not (it is a `Quasi`); then
    /// it is not `immutable`.
    pub quasi: bool,
    /// Whether compiled code may keep what it holds to itself until other code looks (it is a
    /// `Virtualizable`); then it is not `immutable`.
    pub virtualizable: bool,
    /// Where it lies.
    pub layout: SlotLayout,
}

impl FieldInfo {
    /// How it may change.
    pub fn held(&self) -> Held {
        Held::of(self.immutable, self.quasi, self.virtualizable)
    }
}

/// When a component of a value in memory can be other than zero: a value with variants leaves the
/// components zero that its variant does not use.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct UsedBy<Id> {
    /// The field (or class of items) that holds the value's tag.
    pub tag: Id,
    /// The tags with which the component is used, as bits.
    pub tags: u64,
}

/// Which word of a value in memory a field or class of items is: one of several that lie one behind
/// the other and make up one value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Part<Id> {
    /// The value's first word, which stands for the value.
    pub first: Id,
    /// Which word this is.
    pub index: u32,
    /// How many there are; more than one.
    pub count: u32,
}

/// A function that is called, not traced.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FnInfo {
    /// Unique name: the function's path in the crate.
    pub name: String,
    /// The types of its parameters.
    pub params: Vec<Ty>,
    /// The types of its results: the components of the value it returns. One is returned in a
    /// register; several are left in the context, whence they are read directly behind the call.
    pub ret: Vec<Ty>,
    /// The assumptions that the optimiser may make.
    pub kind: FnKind,
    /// Its effects.
    pub effects: Effects,
    /// Address of the Rust function (`fn(A, B) -> R`). Zero until linked.
    #[serde(skip)]
    pub target: usize,
    /// Address of `unsafe extern "C" fn(target, a, b, ...) -> r`, with words for `int` and `ref`
    /// and `f64` for `float`; catches panics. Compiled code calls this. Zero until linked, and if a
    /// parameter has several words: `invoke` is called then.
    #[serde(skip)]
    pub thunk: usize,
    /// Address of `unsafe extern "C" fn(target, args: *const u64) -> u64`, the same with the
    /// arguments in memory. The interpreting stages call this. Zero until linked.
    #[serde(skip)]
    pub invoke: usize,
}

/// What the interpreter decides of calls of the portal by itself, for given greens: functions that
/// the tracer calls. They take the greens and return a `bool`, and no trace contains them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Policies {
    /// Whether an activation that begins with these greens is called and never inlined.
    pub can_never_inline: Option<FnId>,
    /// Whether one iteration of an inlined activation's loop with these greens at its header is
    /// traced before the loop is called.
    pub should_unroll_one_iteration: Option<FnId>,
}

impl Policies {
    /// The names in attributes and text forms.
    pub const NAMES: [&str; 2] = ["can_never_inline", "should_unroll_one_iteration"];

    /// The policies with their names.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, FnId)> {
        let fns = [self.can_never_inline, self.should_unroll_one_iteration];
        let named = Policies::NAMES.into_iter().zip(fns);
        named.filter_map(|(name, function)| Some((name, function?)))
    }

    /// The policy with this name; none if there is no such policy.
    pub fn by_name(&mut self, name: &str) -> Option<&mut Option<FnId>> {
        let [never, once] = Policies::NAMES;
        match name {
            _ if name == never => Some(&mut self.can_never_inline),
            _ if name == once => Some(&mut self.should_unroll_one_iteration),
            _ => None,
        }
    }
}

/// Arrays up to so many bytes are made by traced code also at the heap limit, which is noticed
/// later: the length of a trace bounds how much that can be. In front of larger ones a guard asks
/// for room.
pub const UNASKED_MAX: u32 = 4 << 10;

/// The most words of a value that a called function or the portal returns.
pub const MAX_RESULTS: usize = 32;

/// The descriptor tables of one translated interpreter.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Descrs {
    /// Classes.
    #[serde(with = "crate::serial")]
    pub classes: PrimaryMap<ClassId, ClassInfo>,
    /// Fields of all struct classes.
    #[serde(with = "crate::serial")]
    pub fields: PrimaryMap<FieldId, FieldInfo>,
    /// Functions that are called, not traced.
    #[serde(with = "crate::serial")]
    pub fns: PrimaryMap<FnId, FnInfo>,
    /// The interpreter's policies for calls of the portal.
    pub policies: Policies,
    /// Fields that are components of values with variants, and not used by all of them.
    pub used_fields: BTreeMap<FieldId, UsedBy<FieldId>>,
    /// The same of array classes whose items are such components.
    pub used_items: BTreeMap<ClassId, UsedBy<ClassId>>,
    /// Fields that are words of values of several words: see [`Descrs::find_parts`].
    pub field_parts: BTreeMap<FieldId, Part<FieldId>>,
    /// The same of array classes.
    pub item_parts: BTreeMap<ClassId, Part<ClassId>>,
}

impl Descrs {
    /// `Class.field`, as text forms print a field.
    pub fn field_name(&self, field: FieldId) -> String {
        let info = &self.fields[field];
        format!("{}.{}", self.classes[info.class].name, info.name)
    }

    /// The fields that are quasi-immutable.
    pub fn quasi_fields(&self) -> Vec<FieldId> {
        let fields = self.fields.iter();
        let quasi = fields.filter(|(_, field)| field.quasi);
        quasi.map(|(id, _)| id).collect()
    }

    /// The class with this name.
    pub fn class_by_name(&self, name: &str) -> Option<ClassId> {
        self.classes
            .iter()
            .find(|(_, c)| c.name == name)
            .map(|(id, _)| id)
    }

    /// Finds the values of several words, from names: the words of a field `x` are the fields
    /// `x#0`, `x#1`, .. of its class, those of the items of an array class `A` are the classes `A`,
    /// `A#1`, .. (and `#` is in no name of Rust). Code that fills the tables calls this behind it.
    pub fn find_parts(&mut self) {
        (self.field_parts, self.item_parts) = self.parts();
    }

    /// Whether the values of several words are those that [`Descrs::find_parts`] finds.
    pub fn has_found_parts(&self) -> bool {
        let (fields, items) = self.parts();
        fields == self.field_parts && items == self.item_parts
    }

    fn parts(
        &self,
    ) -> (
        BTreeMap<FieldId, Part<FieldId>>,
        BTreeMap<ClassId, Part<ClassId>>,
    ) {
        let fields = self.fields.iter();
        let fields = groups(fields.map(|(id, f)| (id, (f.class, split_part(&f.name)))));
        let classes = self.classes.iter();
        let items = groups(classes.map(|(id, c)| match c.kind {
            ClassKind::Array { .. } => {
                let (stem, n) = split_part(&c.name);
                (id, ((), (stem, Some(n.unwrap_or(0)))))
            }
            ClassKind::Struct { .. } => (id, ((), (c.name.as_str(), None))),
        }));
        (fields, items)
    }

    /// The field that stands for the value that this field is a word of, and which word it is.
    pub fn field_part(&self, field: FieldId) -> (FieldId, u32) {
        let part = self.field_parts.get(&field);
        part.map_or((field, 0), |part| (part.first, part.index))
    }

    /// The class that objects have of whose items this class names a word, and which word.
    pub fn item_part(&self, class: ClassId) -> (ClassId, u32) {
        let part = self.item_parts.get(&class);
        part.map_or((class, 0), |part| (part.first, part.index))
    }

    /// How many words an item of this array class has.
    pub fn item_words(&self, class: ClassId) -> u32 {
        self.item_parts.get(&class).map_or(1, |part| part.count)
    }

    /// The class that names a word of the items of arrays of a class, if they have that word.
    pub fn item_word(&self, array: ClassId, index: u32) -> Option<ClassId> {
        if index == 0 {
            return Some(array);
        }
        let is_it = |part: &Part<ClassId>| part.first == array && part.index == index;
        let found = self.item_parts.iter().find(|(_, part)| is_it(part));
        found.map(|(&class, _)| class)
    }

    /// What a guard can test for, if an object is of this class: the class, unless it has several
    /// words ([`ClassInfo::is_unique`]).
    pub fn testable(&self, class: Option<ClassId>) -> Option<ClassId> {
        class.filter(|&class| self.classes[class].is_unique())
    }

    /// The field printed as `Class.field`.
    pub fn field_by_name(&self, name: &str) -> Option<FieldId> {
        let (class, field) = name.rsplit_once('.')?;
        self.fields
            .iter()
            .find(|(_, f)| f.name == field && self.classes[f.class].name == class)
            .map(|(id, _)| id)
    }

    /// The function with this name.
    pub fn fn_by_name(&self, name: &str) -> Option<FnId> {
        self.fns
            .iter()
            .find(|(_, f)| f.name == name)
            .map(|(id, _)| id)
    }

    /// The item type, layout and immutability of an array class.
    ///
    /// # Panics
    /// If the class is a struct.
    #[inline]
    pub fn item(&self, class: ClassId) -> (Ty, SlotLayout, bool) {
        match &self.classes[class].kind {
            ClassKind::Array {
                item,
                layout,
                immutable,
                ..
            } => (*item, *layout, *immutable),
            ClassKind::Struct { .. } => {
                panic!("{} is not an array class", self.classes[class].name)
            }
        }
    }

    /// The most items of an array of this class that traced code makes without asking for room
    /// first: those of arrays of [`UNASKED_MAX`] bytes.
    ///
    /// # Panics
    /// If the class is a struct.
    pub fn unasked_len(&self, class: ClassId) -> u64 {
        let (_, layout, _) = self.item(class);
        let room = UNASKED_MAX.saturating_sub(self.classes[class].size);
        u64::from(room / layout.stride.max(1))
    }

    /// Whether the items of an array class are virtualizable. False for structs.
    pub fn has_virtualizable_items(&self, class: ClassId) -> bool {
        let kind = self.classes.get(class).map(|c| &c.kind);
        matches!(
            kind,
            Some(ClassKind::Array {
                virtualizable: true,
                ..
            })
        )
    }
}

/// The name of a value, and which of its words the name says.
fn split_part(name: &str) -> (&str, Option<u32>) {
    let split = name.rsplit_once('#');
    let split = split.and_then(|(stem, n)| Some((stem, n.parse().ok()?)));
    split.map_or((name, None), |(stem, n)| (stem, Some(n)))
}

/// Those that have one owner and one stem, and are numbered from 0.
fn groups<'a, Id: EntityRef + Ord, O: Ord>(
    all: impl Iterator<Item = (Id, (O, (&'a str, Option<u32>)))>,
) -> BTreeMap<Id, Part<Id>> {
    let mut values: BTreeMap<(O, &str), Vec<(u32, Id)>> = BTreeMap::new();
    for (id, (owner, (stem, n))) in all {
        if let Some(n) = n {
            values.entry((owner, stem)).or_default().push((n, id));
        }
    }
    let mut parts = BTreeMap::new();
    for words in values.values_mut() {
        words.sort_unstable();
        let in_order = words.iter().zip(0..).take_while(|(word, n)| word.0 == *n);
        let count = in_order.count() as u32;
        let words = &words[..count as usize];
        if let [(_, first), _, ..] = *words {
            let part = |&(index, id): &(u32, Id)| {
                let part = Part {
                    first,
                    index,
                    count,
                };
                (id, part)
            };
            parts.extend(words.iter().map(part));
        }
    }
    parts
}

impl Effects {
    /// Whether code that assumes what these quasi-immutable fields hold may have to stop behind a
    /// call: the call may write one, or, if the author has promised too much, a part of one that
    /// lies in several words.
    pub fn may_invalidate(&self, descrs: &Descrs, quasi: &[FieldId]) -> bool {
        let tears =
            |field| self.suspects.has_field(field) && descrs.field_parts.contains_key(&field);
        let mut quasi = quasi.iter();
        quasi.any(|&field| self.writes.has_field(field) || tears(field))
    }
}
