//! A mutable place in the heap, relative to its object.

use crate::{ClassId, Descrs, FieldId, Places, Ty};

/// A field, or an item of an array at a constant index.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum HeapSlot {
    /// A field.
    Field(FieldId),
    /// An item of an array of this class, or one word of it.
    Item(ClassId, u32),
}

impl HeapSlot {
    /// Whether effects name it.
    pub fn is_in(self, places: &Places) -> bool {
        match self {
            HeapSlot::Field(field) => places.has_field(field),
            HeapSlot::Item(class, _) => places.has_items(class),
        }
    }

    /// Whether it holds one word of a value of several words.
    pub fn is_part(self, descrs: &Descrs) -> bool {
        match self {
            HeapSlot::Field(field) => descrs.field_parts.contains_key(&field),
            HeapSlot::Item(class, _) => descrs.item_parts.contains_key(&class),
        }
    }

    /// The slot of the first word of the value that it holds a word of.
    pub fn whole(self, descrs: &Descrs) -> HeapSlot {
        match self {
            HeapSlot::Field(field) => HeapSlot::Field(descrs.field_part(field).0),
            HeapSlot::Item(class, index) => HeapSlot::Item(descrs.item_part(class).0, index),
        }
    }

    /// The type of its word.
    pub fn ty(self, descrs: &Descrs) -> Ty {
        match self {
            HeapSlot::Field(field) => descrs.fields[field].ty,
            HeapSlot::Item(class, _) => descrs.item(class).0,
        }
    }

    /// Whether compiled code may keep it in registers across calls that read and write anything.
    pub fn is_virtualizable(self, descrs: &Descrs) -> bool {
        match self {
            HeapSlot::Field(field) => descrs.fields[field].virtualizable,
            HeapSlot::Item(class, _) => descrs.has_virtualizable_items(class),
        }
    }

    /// Its name as the text forms print it.
    pub fn name(self, descrs: &Descrs) -> String {
        match self {
            HeapSlot::Field(field) => descrs.field_name(field),
            HeapSlot::Item(class, index) => format!("{}[{index}]", descrs.classes[class].name),
        }
    }
}
