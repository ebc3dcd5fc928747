//! Values made of others. In: constructions, fields, assignments of fields. Out: choices among components; no
//! operations. Invariant: what is made has zero in the components that its variant does not use.

use super::ssa::{Builder, UNIT, Value};
use crate::ir::Val;
use verdigris_front::tast::{Expr, ExprKind, LocalId, Type};

impl Builder<'_> {
    /// An expression that makes a value of others or takes one apart.
    pub fn aggregate(&mut self, expr: &Expr) -> Value {
        match &expr.kind {
            ExprKind::Make(variant, fields) => self.make(&expr.ty, *variant, fields),
            ExprKind::Part(whole, index) => {
                let value = self.expr(whole);
                self.field(&whole.ty, 0, *index, &value)
            }
            ExprKind::AssignPart(local, path, value) => {
                let (indices, ty) = self.part(*local, path);
                let types = self.layouts.components(&ty);
                let value = self.value_of(value, &types);
                for (index, part) in indices.into_iter().zip(value) {
                    self.write_part(*local, index, part);
                }
                Value::new()
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

    fn make(&mut self, ty: &Type, variant: u32, fields: &[(u32, Expr)]) -> Value {
        let Some(layout) = self.layouts.layout(ty) else {
            // An option of a reference.
            return match fields {
                [(_, reference)] => vec![self.word(reference)],
                _ => vec![Val::NULL],
            };
        };
        let mut value: Value = layout.types.iter().map(|&ty| Val::zero(ty)).collect();
        if layout.tagged {
            value[0] = Val::int(i64::from(variant));
        }
        for (index, field) in fields {
            let places = &layout.variants[variant as usize][*index as usize];
            let parts = self.expr(field);
            for (&place, part) in places.iter().zip(parts) {
                value[place] = part;
            }
        }
        value
    }

    /// The components of a field of a value that is known to be of a variant.
    pub fn field(&mut self, ty: &Type, variant: u32, index: u32, value: &[Val]) -> Value {
        let Some(layout) = self.layouts.layout(ty) else {
            // The payload of an option of a reference.
            return value.to_vec();
        };
        let places = &layout.variants[variant as usize][index as usize];
        // An expression of type `!` has no components.
        let part = |&place: &usize| value.get(place).copied();
        places.iter().filter_map(part).collect()
    }

    /// The components of a part of a local, and the part's type.
    fn part(&mut self, local: LocalId, path: &[u32]) -> (Vec<usize>, Type) {
        let mut ty = self.func.locals[local].ty.clone();
        let mut indices: Vec<usize> = (0..self.types_of(local).len()).collect();
        for &index in path {
            let layout = self
                .layouts
                .layout(&ty)
                .expect("the front end found a field");
            let places = &layout.variants[0][index as usize];
            indices = places.iter().map(|&place| indices[place]).collect();
            ty = self.layouts.field_types(&ty, 0).swap_remove(index as usize);
        }
        (indices, ty)
    }
}
