//! What an instruction of the interpreter remembers of a field, by [`crate::sites`]. In, out: data.

use crate::shape::Shape;
use crate::table::Table;
use verdigris::prelude::*;

/// The sites of a function's instructions.
pub type Sites = GcArray<Cell<Option<Gc<Site>>>>;

/// What an instruction has seen of the tables of one shape.
#[gc]
pub struct Site {
    /// The shape of the table.
    pub shape: Cell<Option<Gc<Shape>>>,
    /// The place of the field: in the table itself, or in the last class on the way.
    pub place: Cell<usize>,
    /// The way to the class that has the field, if the table has not. For a field that is added:
    /// the metatable that lets it be.
    pub way: Cell<Option<Gc<Class>>>,
    /// The shape that the table gets by a store that adds the field.
    pub next: Cell<Option<Gc<Shape>>>,
    /// The same for another shape.
    pub other: Cell<Option<Gc<Site>>>,
}

/// A class of a table, or of another class: what the `__index` of its metatable is.
#[gc]
pub struct Class {
    /// The metatable.
    pub meta: Gc<Table>,
    /// Its shape.
    pub meta_shape: Gc<Shape>,
    /// The place of `__index` in it.
    pub index: usize,
    /// The class.
    pub class: Gc<Table>,
    /// Its shape.
    pub class_shape: Gc<Shape>,
    /// The class of that, if it has not the field either.
    pub base: Option<Gc<Class>>,
}
