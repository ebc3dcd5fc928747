//! Values in components: what a type is in graphs and on the heap. In: types. Out: the scalars that hold a value, and where
//! each field of each variant lies among them. The runtime's `PartsLayout` numbers them in the same way.
//!
//! A type with several variants is a tag (the variant's index) and the components of all variants; components of one
//! scalar type are shared by the variants, so `enum Value { Nil, Int(i64), Flag(bool), Float(f64) }` is a tag, an integer
//! and a float. Invariant: the components that a value's variant does not use are zero. So they are constants where a
//! value is made, and two values are equal if their components are.

use crate::tast::{Adt, AdtId, Type, shape};
use cranelift_entity::PrimaryMap;
use std::collections::HashMap;
use std::rc::Rc;
use verdigris_ops::Ty;

/// How a type with variants lies in its components.
pub struct Layout {
    /// The components.
    pub types: Vec<Ty>,
    /// Whether the first component is the variant's index.
    pub tagged: bool,
    /// For each variant and each of its fields, the components that hold it.
    pub variants: Vec<Vec<Vec<usize>>>,
}

/// The layouts that have been asked for.
pub struct Layouts<'a> {
    adts: &'a PrimaryMap<AdtId, Adt>,
    known: HashMap<Type, Rc<Layout>>,
}

impl<'a> Layouts<'a> {
    /// None asked for yet.
    pub fn new(adts: &'a PrimaryMap<AdtId, Adt>) -> Layouts<'a> {
        Layouts {
            adts,
            known: HashMap::new(),
        }
    }

    /// The components of a type; none for `()` and `!`.
    pub fn components(&mut self, ty: &Type) -> Vec<Ty> {
        match ty {
            Type::Unit | Type::Never => Vec::new(),
            Type::Bool | Type::Char | Type::Int(_) | Type::Fn => vec![Ty::Int],
            Type::F64 => vec![Ty::Float],
            Type::Foreign { fat } => vec![Ty::Int; 1 + usize::from(*fat)],
            Type::Gc(_) | Type::Array(_) | Type::Object(_) | Type::Kind(_) => vec![Ty::Ref],
            ty => match self.layout(ty) {
                Some(layout) => layout.types.clone(),
                // An option of a reference is the reference or null.
                None => vec![Ty::Ref],
            },
        }
    }

    /// The types of a variant's fields.
    pub fn field_types(&self, ty: &Type, variant: u32) -> Vec<Type> {
        match ty {
            // The payload of an option is a field, whether it is a reference or not.
            Type::Option(inner) if variant == 1 => vec![(**inner).clone()],
            ty => {
                let shape = shape(ty, self.adts).unwrap_or_default();
                shape.get(variant as usize).cloned().unwrap_or_default()
            }
        }
    }

    /// For each component of a type, the component that is the tag of the value it belongs to and the tags with which it can
    /// be other than zero, as bits; none for those that every variant may use, and for values of more than 64 variants.
    pub fn used_by(&mut self, ty: &Type) -> Vec<Option<(usize, u64)>> {
        let Some(layout) = self.layout(ty) else {
            return vec![None; self.components(ty).len()];
        };
        let mut used = vec![None; layout.types.len()];
        if !layout.tagged {
            // The only variant: its fields share nothing, so what holds in a field holds in the whole.
            let [fields] = &layout.variants[..] else {
                return used;
            };
            for (field, places) in self.field_types(ty, 0).iter().zip(fields) {
                let inner = self.used_by(field);
                for (&place, inner) in places.iter().zip(inner) {
                    used[place] = inner.map(|(tag, tags)| (places[tag], tags));
                }
            }
        } else if layout.variants.len() <= 64 {
            let mut tags = vec![0; layout.types.len()];
            for (variant, fields) in layout.variants.iter().enumerate() {
                fields
                    .iter()
                    .flatten()
                    .for_each(|&n| tags[n] |= 1 << variant);
            }
            used.iter_mut()
                .zip(tags)
                .skip(1)
                .for_each(|(used, tags)| *used = Some((0, tags)));
        }
        used
    }

    /// The layout of a type whose values have variants or fields in the graph.
    pub fn layout(&mut self, ty: &Type) -> Option<Rc<Layout>> {
        if let Some(known) = self.known.get(ty) {
            return Some(known.clone());
        }
        let shape = shape(ty, self.adts)?;
        let tagged = shape.len() > 1;
        let mut layout = Layout {
            types: if tagged { vec![Ty::Int] } else { Vec::new() },
            tagged,
            variants: Vec::new(),
        };
        for fields in shape {
            // Each variant takes the components from the start again.
            let mut next = [usize::from(tagged); 3];
            let mut places = Vec::new();
            for field in fields {
                let parts = self.components(&field);
                let take = |ty| layout.take(ty, &mut next[ty as usize]);
                places.push(parts.into_iter().map(take).collect());
            }
            layout.variants.push(places);
        }
        let layout = Rc::new(layout);
        self.known.insert(ty.clone(), layout.clone());
        Some(layout)
    }
}

impl Layout {
    /// The first component of this type from `next` on, a new one if there is none; `next` goes behind it.
    fn take(&mut self, ty: Ty, next: &mut usize) -> usize {
        let found = (*next..self.types.len()).find(|&n| self.types[n] == ty);
        let index = found.unwrap_or_else(|| {
            self.types.push(ty);
            self.types.len() - 1
        });
        *next = index + 1;
        index
    }
}
