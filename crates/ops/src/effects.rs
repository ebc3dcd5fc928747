//! What a residual call can do to the mutable places of the guest heap.
//!
//! In: the translator's analysis of function bodies. Out: one [`Effects`] per function, which the
//! optimiser asks whether a call can see or change a place. Invariant: too large is slow, too small
//! is wrong. A set names places of all objects of a class that exist before the call; what the
//! function does to objects that it makes itself, and loads of places that never change, count for
//! nothing.

use crate::text::{TextError, Tokens, name};
use crate::{ClassId, ClassKind, Descrs, FieldId, FnKind};
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

/// What a function reads and writes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Effects {
    /// What its result and behaviour may depend on.
    pub reads: Places,
    /// What may hold something else afterwards.
    pub writes: Places,
    /// What may do so too, if the author has promised too much: other places that the source leads
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

    /// `*`, or the names of fields and, with `[]` behind them, of array classes.
    pub fn print(&self, descrs: &Descrs) -> String {
        let Places::Of { fields, items } = self else {
            return "*".to_owned();
        };
        let fields = fields.iter().map(|&f| name(&descrs.field_name(f)));
        let items = items
            .iter()
            .map(|&c| format!("{}[]", name(&descrs.classes[c].name)));
        fields.chain(items).collect::<Vec<_>>().join(", ")
    }

    /// Adds what a name stands for; the message says why there is no such place.
    ///
    /// # Errors
    /// If the name is of no field, or no array class.
    pub fn add(&mut self, descrs: &Descrs, name: &str, is_array: bool) -> Result<(), String> {
        let Places::Of { fields, items } = self else {
            return Ok(());
        };
        if is_array {
            let class = descrs.class_by_name(name);
            let is_array = |c: &ClassId| matches!(descrs.classes[*c].kind, ClassKind::Array { .. });
            match class.filter(is_array) {
                Some(class) => items.insert(class),
                None => return Err(format!("`{name}` is not an array class")),
            };
        } else {
            match descrs.field_by_name(name) {
                Some(field) => fields.insert(field),
                None => return Err(format!("there is no field `{name}`")),
            };
        }
        Ok(())
    }

    fn parse(descrs: &Descrs, tokens: &mut Tokens) -> Result<Places, TextError> {
        let mut places = Places::none();
        tokens.expect('(')?;
        if tokens.eat('*') {
            tokens.expect(')')?;
            return Ok(Places::All);
        }
        while !tokens.eat(')') {
            let name = tokens.word("a field, an array class or `*`")?;
            let is_array = tokens.eat('[');
            if is_array {
                tokens.expect(']')?;
            }
            if let Err(why) = places.add(descrs, &name, is_array) {
                return tokens.error(why);
            }
            if !tokens.eat(',') {
                tokens.expect(')')?;
                break;
            }
        }
        Ok(places)
    }
}

impl Effects {
    /// Anything: what must be assumed of a function that nothing is known of.
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

    /// What a kind of function does unless something better is known. Elidable functions promise to
    /// do nothing, read-only ones to write nothing.
    pub fn of_kind(kind: FnKind) -> Effects {
        match kind {
            FnKind::Elidable | FnKind::Recorded => Effects::none(),
            FnKind::Readonly => Effects::new(Places::All, Places::none()),
            FnKind::Opaque | FnKind::Conditional | FnKind::Portal | FnKind::Runner => {
                Effects::all()
            }
        }
    }

    /// Whether code that assumes what these quasi-immutable fields hold may have to stop behind a
    /// call: the call may write one, or, if the author has promised too much, a part of one that
    /// lies in several words.
    pub fn may_invalidate(&self, descrs: &Descrs, quasi: &[FieldId]) -> bool {
        let tears =
            |field| self.suspects.has_field(field) && descrs.field_parts.contains_key(&field);
        let mut quasi = quasi.iter();
        quasi.any(|&field| self.writes.has_field(field) || tears(field))
    }

    /// `reads(..) writes(..)` behind a space, with `suspects(..)` if there are any, or nothing for
    /// what the kind implies.
    pub fn print(&self, kind: FnKind, descrs: &Descrs) -> String {
        if *self == Effects::of_kind(kind) {
            return String::new();
        }
        let (reads, writes) = (self.reads.print(descrs), self.writes.print(descrs));
        let suspects = match self.suspects == Places::none() {
            true => String::new(),
            false => format!(" suspects({})", self.suspects.print(descrs)),
        };
        format!(" reads({reads}) writes({writes}){suspects}")
    }

    /// Reads what [`Effects::print`] writes.
    ///
    /// # Errors
    /// If a place is unknown or the text malformed.
    pub fn parse(kind: FnKind, descrs: &Descrs, tokens: &mut Tokens) -> Result<Effects, TextError> {
        if !tokens.eat_word("reads") {
            return Ok(Effects::of_kind(kind));
        }
        let reads = Places::parse(descrs, tokens)?;
        tokens.expect_word("writes")?;
        let writes = Places::parse(descrs, tokens)?;
        let mut effects = Effects::new(reads, writes);
        if tokens.eat_word("suspects") {
            effects.suspects = Places::parse(descrs, tokens)?;
        }
        Ok(effects)
    }
}
