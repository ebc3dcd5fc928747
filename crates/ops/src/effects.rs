//! The effects of a residual call on the mutable slots of the guest heap.
//!
//! Too large a set costs speed, too small a set is wrong. A set names slots of all objects of a
//! class that exist before the call. Objects that the function makes itself and loads of immutable
//! slots do not count.

use crate::ids::{ClassId, FieldId, FnKind};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// A set of mutable places, over all objects.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Places {
    /// Every place.
    All,
    /// These and no others.
    Of {
        /// Fields, whatever the object.
        fields: BTreeSet<FieldId>,
        /// Array classes whose items are in the set, whatever the array and the index.
        items: BTreeSet<ClassId>,
    },
}

/// The effects of a function.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Effects {
    /// The slots that its result and behaviour may depend on.
    pub reads: Places,
    /// The slots that may hold something else afterwards.
    pub writes: Places,
    /// Slots that may do so too if the author has promised too much: others that the source leads
    /// to. What is known of single words outlives that, since it is no more than stale. Of values
    /// in several words nothing does: a tag from before the call and a word from behind it would
    /// make a reference of an integer.
    pub suspects: Places,
}

impl Places {
    /// No place.
    pub fn none() -> Places {
        Places::Of {
            fields: BTreeSet::new(),
            items: BTreeSet::new(),
        }
    }

    /// Whether a field is among them.
    pub fn has_field(&self, field: FieldId) -> bool {
        match self {
            Places::All => true,
            Places::Of { fields, .. } => fields.contains(&field),
        }
    }

    /// Whether the items of an array class are among them.
    pub fn has_items(&self, class: ClassId) -> bool {
        match self {
            Places::All => true,
            Places::Of { items, .. } => items.contains(&class),
        }
    }

    /// Whether a place can be in both sets.
    pub fn meets(&self, other: &Places) -> bool {
        match (self, other) {
            (Places::Of { fields, items }, other) | (other, Places::Of { fields, items }) => {
                fields.iter().any(|&f| other.has_field(f))
                    || items.iter().any(|&c| other.has_items(c))
            }
            (Places::All, Places::All) => true,
        }
    }

    /// Adds the places of another set.
    pub fn join(&mut self, other: &Places) {
        match (&mut *self, other) {
            (
                Places::Of { fields, items },
                Places::Of {
                    fields: f,
                    items: i,
                },
            ) => {
                fields.extend(f);
                items.extend(i);
            }
            _ => *self = Places::All,
        }
    }

    /// Those places that are not in another set; all of them if that cannot be said.
    pub fn without(&self, other: &Places) -> Places {
        match self {
            Places::Of { fields, items } => Places::Of {
                fields: fields
                    .iter()
                    .copied()
                    .filter(|&f| !other.has_field(f))
                    .collect(),
                items: items
                    .iter()
                    .copied()
                    .filter(|&c| !other.has_items(c))
                    .collect(),
            },
            Places::All => Places::All,
        }
    }

    /// The same places where fields have other numbers.
    pub fn renumber(&mut self, new: impl Fn(FieldId) -> FieldId) {
        if let Places::Of { fields, .. } = self {
            *fields = fields.iter().map(|&f| new(f)).collect();
        }
    }
}

impl Effects {
    /// Anything: the effects of an unknown function.
    pub fn all() -> Effects {
        Effects::new(Places::All, Places::All)
    }

    /// These, none of which rests on a promise of the interpreter's author.
    pub fn new(reads: Places, writes: Places) -> Effects {
        Effects {
            reads,
            writes,
            suspects: Places::none(),
        }
    }

    /// Nothing that other code could notice.
    pub fn none() -> Effects {
        Effects::new(Places::none(), Places::none())
    }

    /// The effects of a kind of function unless something better is known. Elidable functions
    /// promise to do nothing, read-only ones to write nothing.
    pub fn of_kind(kind: FnKind) -> Effects {
        match kind {
            FnKind::Elidable | FnKind::Recorded => Effects::none(),
            FnKind::Readonly => Effects::new(Places::All, Places::none()),
            FnKind::Opaque | FnKind::Conditional | FnKind::Portal | FnKind::Runner => {
                Effects::all()
            }
        }
    }
}
