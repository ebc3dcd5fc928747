//! Constructions, fields, and assignments of fields.
//!
//! Components that a variant does not use are zero, words `nothing`.

use super::ssa::{Builder, Scalars, UNIT};
use super::view::Component;
use crate::ir::Val;
use verdigris_front::layout::FieldSlot;
use verdigris_front::tast::{Expr, ExprKind, LocalId, LocalPlace, Type};

impl Builder<'_> {
    /// An expression that makes a value of others or takes one apart.
    pub fn aggregate(&mut self, expr: &Expr) -> Scalars {
        match &expr.kind {
            ExprKind::Make(variant, fields) => self.make(&expr.ty, *variant, fields),
            ExprKind::Part(whole, index) => {
                let value = self.expr(whole);
                self.field(&whole.ty, 0, *index, &value)
            }
            ExprKind::Payload(whole, variant, index) => {
                let value = self.expr(whole);
                self.field(&whole.ty, *variant, *index, &value)
            }
            ExprKind::AssignPart(place, value) => {
                let (slots, ty) = self.part(place);
                let types = self.layouts.components(&ty);
                let value = self.value_of(value, &types);
                for (slot, part) in slots.into_iter().zip(value) {
                    self.assign(place.local, slot, part);
                }
                Scalars::new()
            }
            ExprKind::Tag(value) => {
                let tagged = self.layouts.layout(&value.ty).is_some_and(|l| l.tagged);
                let value = self.expr(value);
                // A type with one variant has no tag.
                let tag = value.first().copied().filter(|_| tagged);
                vec![tag.unwrap_or(UNIT)]
            }
            _ => unreachable!("not an expression of this kind"),
        }
    }

    fn make(&mut self, ty: &Type, variant: u32, fields: &[(u32, Expr)]) -> Scalars {
        let Some(layout) = self.layouts.layout(ty) else {
            // An option of a reference.
            return match fields {
                [(_, reference)] => vec![self.word(reference)],
                _ => vec![Val::NULL],
            };
        };
        let mut value: Scalars = layout.types.iter().map(|&ty| Val::zero(ty)).collect();
        if layout.tagged {
            value[0] = Val::int(i64::from(variant));
        }
        for (index, field) in fields {
            let places = &layout.variants[variant as usize][*index as usize];
            let parts = self.expr(field);
            for (slot, part) in places.iter().zip(parts) {
                let before = value[slot.index];
                value[slot.index] = self.put(slot.view, before, part);
            }
        }
        value
    }

    /// The components of a field of a value that is known to be of a variant.
    pub fn field(&mut self, ty: &Type, variant: u32, index: u32, value: &[Val]) -> Scalars {
        let Some(layout) = self.layouts.layout(ty) else {
            // The payload of an option of a reference.
            return value.to_vec();
        };
        let slots = &layout.variants[variant as usize][index as usize];
        // An expression of type `!` has no components.
        let part = |slot: &FieldSlot| Some(Component::whole(*value.get(slot.index)?).part(slot));
        let parts: Vec<Component> = slots.iter().filter_map(part).collect();
        self.look_at(&parts)
    }

    /// Where the components of a place are among those of its local, and its type.
    pub fn part(&mut self, place: &LocalPlace) -> (Vec<FieldSlot>, Type) {
        let mut ty = self.func.locals[place.local].ty.clone();
        let whole = |index| FieldSlot { index, view: None };
        let mut slots: Vec<FieldSlot> = (0..self.types_of(place.local).len()).map(whole).collect();
        for &(variant, index) in &place.path {
            // The payload of an option of a reference has the option's components.
            if let Some(layout) = self.layouts.layout(&ty) {
                let parts = &layout.variants[variant as usize][index as usize];
                let within = |part: &FieldSlot| FieldSlot {
                    index: slots[part.index].index,
                    // What is seen through a view is a scalar, and has no parts but itself.
                    view: part.view.or(slots[part.index].view),
                };
                slots = parts.iter().map(within).collect();
            }
            let mut fields = self.layouts.field_types(&ty, variant);
            ty = fields.swap_remove(index as usize);
        }
        (slots, ty)
    }

    /// Sets a component of a local.
    pub fn assign(&mut self, local: LocalId, slot: FieldSlot, part: Val) {
        let whole = match slot.view {
            None => part,
            view => {
                let before = self.read(local)[slot.index];
                self.put(view, before, part)
            }
        };
        self.write_part(local, slot.index, whole);
    }
}
