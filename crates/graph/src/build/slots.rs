//! Checks for vacant array slots, where zero is no value of the item type.
//!
//! The library type that owns the array knows which slots have values, so the check fails only if
//! the type was deceived: by an `#[elidable]` function that changes something, or by a key that
//! changes its own map. Native code panics there.

use super::ssa::{Builder, Scalars};
use super::view::Component;
use crate::ir::Val;
use verdigris_front::tast::Type;
use verdigris_ops::{DataOp, PanicKind, VACANT_SLOT};

/// The component of a value that is never zero if the tags in front of it are.
struct Witness {
    /// Tags, from the outside in.
    tags: Scalars,
    /// A reference, which is null in a vacant slot alone.
    reference: Val,
}

impl Builder<'_> {
    /// Panics if a slot of this type is vacant.
    pub fn check_occupied(&mut self, ty: &Type, slot: &[Val]) {
        let Some(witness) = self.witness(ty, slot) else {
            return;
        };
        let go_on = self.block();
        for tag in witness.tags {
            let first = self.pure(DataOp::IntIsZero, &[tag]);
            let next = self.block();
            self.branch(first, next, go_on);
            self.enter_sealed(next);
        }
        let occupied = self.pure(DataOp::PtrNe, &[witness.reference, Val::NULL]);
        let vacant = self.block();
        self.branch(occupied, go_on, vacant);
        self.enter_sealed(vacant);
        self.panic(PanicKind::Message(VACANT_SLOT.to_owned()), Vec::new());
        self.enter_sealed(go_on);
    }

    /// None for types of which zero is a value.
    fn witness(&mut self, ty: &Type, slot: &[Val]) -> Option<Witness> {
        let mut ty = ty.clone();
        let mut parts: Vec<Component> = slot.iter().map(|&part| Component::whole(part)).collect();
        let mut tags = Scalars::new();
        while !ty.is_ref() {
            let field = self.layouts.never_zero(&ty)?;
            let layout = self.layouts.layout(&ty)?;
            if layout.tagged {
                tags.push(self.look(*parts.first()?));
            }
            let places = &layout.variants[0][field];
            parts = places
                .iter()
                .map(|place| parts[place.index].part(place))
                .collect();
            ty = self.layouts.field_types(&ty, 0).swap_remove(field);
        }
        let reference = self.look(*parts.first()?);
        Some(Witness { tags, reference })
    }
}
