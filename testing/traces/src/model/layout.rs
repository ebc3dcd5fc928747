//! Where fields and items lie in the words of an object of the model machine. The components of an
//! item of several words lie next to each other.

use verdigris_ops::{ClassId, ClassKind, Descrs, FieldId, Places, SlotLayout, Ty};

/// The length of the arrays that there are from the start.
pub const STACK_LEN: usize = 3;

/// The components of a `Lean`.
pub(super) const LEAN: usize = 2;

/// The first register of values with words: their tags and words in turn.
pub const LEAN_REGS: u16 = 100;

/// The type of the word of a `Lean` with this tag; none if the word may not be read.
pub(super) fn lean_word(tag: u64) -> Option<Ty> {
    match tag {
        1 => Some(Ty::Int),
        // The bits of a double may be looked at as an integer.
        2 | 4 => Some(Ty::Float),
        3 => Some(Ty::Ref),
        _ => None,
    }
}

/// Which component of its items an array class names, and how many they have.
pub(super) fn component(descrs: &Descrs, class: ClassId) -> (usize, usize) {
    let words = descrs.item_words(class);
    (descrs.item_part(class).1 as usize, words as usize)
}

/// The place of an item's component among the words of an array.
pub(super) fn item_index(descrs: &Descrs, class: ClassId, index: usize) -> usize {
    let (component, components) = component(descrs, class);
    index * components + component
}

pub(super) fn field_index(descrs: &Descrs, field: FieldId) -> usize {
    let class = descrs.fields[field].class;
    match &descrs.classes[class].kind {
        ClassKind::Struct { fields } => fields.iter().position(|f| *f == field).expect("its field"),
        ClassKind::Array { .. } => unreachable!("fields belong to structs"),
    }
}

/// Whether an object's n-th word may be kept by compiled code.
pub(super) fn is_virtualizable(descrs: &Descrs, class: ClassId, n: usize) -> bool {
    match &descrs.classes[class].kind {
        ClassKind::Struct { fields } => descrs.fields[fields[n]].virtualizable,
        ClassKind::Array { .. } => descrs.has_virtualizable_items(class),
    }
}

/// The type of an object's n-th word, whether it can be seen by who may read `places` (plain ones
/// always can), and whether it is mutable and among them.
pub(super) fn place(
    descrs: &Descrs,
    class: ClassId,
    n: usize,
    places: &Places,
) -> (Ty, bool, bool) {
    let (ty, immutable, named) = match &descrs.classes[class].kind {
        ClassKind::Struct { fields } => {
            let field = &descrs.fields[fields[n]];
            (field.ty, field.immutable, places.has_field(fields[n]))
        }
        ClassKind::Array { .. } => {
            let (_, components) = component(descrs, class);
            let word = descrs.item_word(class, (n % components) as u32);
            let class = word.expect("a component");
            let (item, _, immutable) = descrs.item(class);
            (item, immutable, places.has_items(class))
        }
    };
    (ty, immutable || named, !immutable && named)
}

/// The result of a load after a store of this word.
pub(super) fn extended(layout: SlotLayout, word: u64) -> u64 {
    match 64 - 8 * u32::from(layout.size) {
        0 | 64 => word,
        cut if layout.signed => ((word << cut) as i64 >> cut) as u64,
        cut => word << cut >> cut,
    }
}
