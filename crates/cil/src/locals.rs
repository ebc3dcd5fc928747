//! Local variables: which of them holds which value. A variable is used again when the value that
//! it has held is not needed any more, since making variables is what takes Mono the most time in
//! front of its compiler.

use crate::code::Kind;
use rustc_hash::FxHashMap;
use verdigris_ops::Ty;
use verdigris_trace::ValRef;

/// The number of a local variable.
pub(crate) type Local = u16;

/// The local variables of a method, and the values in them.
#[derive(Default)]
pub(crate) struct Locals {
    kinds: Vec<Kind>,
    /// Those that hold nothing.
    free: Vec<Local>,
    places: FxHashMap<ValRef, Local>,
}

/// The type of the variables for values of a type.
pub(crate) fn kind_of(ty: Ty) -> Kind {
    match ty {
        Ty::Int | Ty::Word => Kind::Int,
        Ty::Float => Kind::Float,
        Ty::Ref => Kind::Address,
    }
}

impl Locals {
    /// A variable that holds nothing.
    pub(crate) fn take(&mut self, kind: Kind) -> Local {
        let kinds = &self.kinds;
        let fits = |&local: &Local| kinds[usize::from(local)] == kind;
        match self.free.iter().rposition(fits) {
            Some(found) => self.free.remove(found),
            None => self.fresh(kind),
        }
    }

    /// A variable that has never held anything, so that no way out finds a value in it.
    pub(crate) fn fresh(&mut self, kind: Kind) -> Local {
        self.kinds.push(kind);
        // A method with more variables is refused before it is made.
        (self.kinds.len() - 1) as Local
    }

    /// A variable that holds nothing is in use from now on.
    pub(crate) fn hold(&mut self, local: Local) {
        self.free.retain(|&free| free != local);
    }

    /// A variable holds nothing any more.
    pub(crate) fn give_back(&mut self, local: Local) {
        self.free.push(local);
    }

    /// The variable for a value from now on.
    pub(crate) fn define(&mut self, value: ValRef, ty: Ty) -> Local {
        let local = self.take(kind_of(ty));
        self.place(value, local);
        local
    }

    /// A value is in this variable from now on.
    pub(crate) fn place(&mut self, value: ValRef, local: Local) {
        self.places.insert(value, local);
    }

    /// Where a value is.
    ///
    /// # Panics
    /// If it is in no variable.
    pub(crate) fn of(&self, value: ValRef) -> Local {
        let place = self.places.get(&value).copied();
        place.unwrap_or_else(|| panic!("{value} is used where it is known"))
    }

    /// A value is not needed any more.
    pub(crate) fn release(&mut self, value: ValRef) {
        if let Some(local) = self.places.remove(&value) {
            self.give_back(local);
        }
    }

    /// No value is needed any more: another block begins.
    pub(crate) fn release_all(&mut self) {
        let places = std::mem::take(&mut self.places);
        let mut locals: Vec<Local> = places.into_values().collect();
        locals.sort_unstable();
        locals
            .into_iter()
            .rev()
            .for_each(|local| self.give_back(local));
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.kinds.len()
    }

    /// The types of all.
    pub(crate) fn kinds(self) -> Vec<Kind> {
        self.kinds
    }
}
