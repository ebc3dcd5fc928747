//! Values in components: what a type is in graphs and on the heap. In: types. Out: the scalars and
//! words that hold a value, and where each field of each variant lies among them. The runtime's
//! `PartsLayout` numbers them in the same way.
//!
//! An enum marked `#[value]` of which a variant has fields is *lean*: its tag (the variant's index)
//! and the words behind it, in which each variant lies as in a C struct behind a tag of 8 bytes,
//! narrow integers packed. What a word holds follows from the tag, so it has a type of its own, and
//! a field is a [`View`] of a word. Words that a variant does not use hold anything.
//!
//! Other types with several variants, such as `Option` and `Result`, are a tag and the components
//! of all variants; components of one scalar type are shared by the variants, so `Result<i64, f64>`
//! is a tag, an integer and a float. Those that a value's variant does not use are zero: they are
//! constants where a value is made. Lean values share nothing, so that the tag of each word is
//! known.
//!
//! Source: the memory of lean values is that of `#[repr(u64)]`, RFC 2195.

pub(crate) mod classes;
pub(crate) mod components;
pub(crate) mod inline_values;

use crate::tast::{Adt, AdtId, Type, fields_of, shape};
use cranelift_entity::PrimaryMap;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use verdigris_ops::Ty;

/// How a type with variants lies in its components.
pub struct ValueLayout {
    /// The components.
    pub types: Vec<Ty>,
    /// Whether the first component is the variant's index.
    pub tagged: bool,
    /// For each variant and each of its fields, the components that hold it.
    pub variants: Vec<Vec<Vec<FieldSlot>>>,
}

/// Where a component of a field is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FieldSlot {
    /// The component of the whole that holds it.
    pub index: usize,
    /// What of it, and as what; none if that component is the field's.
    pub view: Option<View>,
}

/// A scalar in a word of a lean value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct View {
    /// Its type; not `word`.
    pub ty: Ty,
    /// Its lowest bit.
    pub shift: u32,
    /// Its bytes: 1, 2, 4 or 8, and 8 if it is not an integer.
    pub size: u32,
    /// Whether a narrow integer is sign-extended.
    pub signed: bool,
}

/// How a type lies in memory.
#[derive(Clone)]
struct Memory {
    size: u32,
    align: u32,
    /// Where each component lies.
    parts: Vec<Part>,
}

/// A component in memory.
#[derive(Clone, Copy)]
struct Part {
    offset: u32,
    size: u32,
    signed: bool,
}

impl Memory {
    fn scalar(size: u32, signed: bool) -> Memory {
        let offset = 0;
        Memory {
            size,
            align: size,
            parts: vec![Part {
                offset,
                size,
                signed,
            }],
        }
    }

    /// Components one behind the other, 8 bytes each.
    fn words(count: usize) -> Memory {
        let part = |n| Part {
            offset: n * 8,
            size: 8,
            signed: true,
        };
        Memory {
            size: count as u32 * 8,
            align: if count == 0 { 1 } else { 8 },
            parts: (0..count as u32).map(part).collect(),
        }
    }

    /// A C struct with these fields behind `start` bytes, and where each field is.
    fn fields(start: u32, fields: &[Memory]) -> (Memory, Vec<u32>) {
        let (mut end, mut align) = (start, if start == 0 { 1 } else { 8 });
        let (mut parts, mut offsets) = (Vec::new(), Vec::new());
        for field in fields {
            let at = end.next_multiple_of(field.align);
            offsets.push(at);
            parts.extend(field.parts.iter().map(|part| Part {
                offset: at + part.offset,
                ..*part
            }));
            end = at + field.size;
            align = align.max(field.align);
        }
        let size = end.next_multiple_of(align);
        (Memory { size, align, parts }, offsets)
    }
}

/// The layouts that have been asked for.
pub struct ValueLayouts<'a> {
    adts: &'a PrimaryMap<AdtId, Adt>,
    known: FxHashMap<Type, Rc<ValueLayout>>,
}

impl<'a> ValueLayouts<'a> {
    /// None asked for yet.
    pub fn new(adts: &'a PrimaryMap<AdtId, Adt>) -> ValueLayouts<'a> {
        ValueLayouts {
            adts,
            known: FxHashMap::default(),
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

    /// Whether a value of this type can hold a reference.
    pub fn holds_refs(&mut self, ty: &Type) -> bool {
        match shape(ty, self.adts) {
            Some(shape) => shape.iter().flatten().any(|field| self.holds_refs(field)),
            None => self.components(ty).contains(&Ty::Ref),
        }
    }

    /// Whether components of zero are a value of this type: of its first variant, with fields of
    /// zero.
    pub fn has_zero(&self, ty: &Type) -> bool {
        !ty.is_ref() && self.never_zero(ty).is_none()
    }

    /// The first field of the first variant that cannot be zero.
    pub fn never_zero(&self, ty: &Type) -> Option<usize> {
        let shape = shape(ty, self.adts)?;
        let fields = shape.first()?;
        fields.iter().position(|field| !self.has_zero(field))
    }

    /// Whether a type is an enum that is a tag and words.
    pub fn is_lean(&self, ty: &Type) -> bool {
        let Type::Adt(id) = ty else { return false };
        let adt = &self.adts[*id];
        let has_fields = adt.variants.iter().any(|v| !v.fields.is_empty());
        adt.is_enum && adt.is_value && adt.variants.len() > 1 && has_fields
    }

    /// Whether Rust lays a type out as its components lie in memory, so that they can be found in a
    /// plain field.
    pub fn is_exact(&self, ty: &Type) -> bool {
        match ty {
            Type::Adt(id) => {
                let adt = &self.adts[*id];
                let fields = adt.variants.iter().flat_map(|v| &v.fields);
                adt.is_sound && fields.into_iter().all(|(_, field)| self.is_exact(field))
            }
            Type::Option(inner) => inner.is_ref(),
            Type::Tuple(_) | Type::Result(..) | Type::Fixed(..) | Type::Fn => false,
            _ => true,
        }
    }

    /// The types of a variant's fields.
    pub fn field_types(&self, ty: &Type, variant: u32) -> Vec<Type> {
        match ty {
            // The payload of an option is a field, whether it is a reference or not.
            Type::Option(inner) if variant == 1 => vec![(**inner).clone()],
            ty => fields_of(ty, variant, self.adts).unwrap_or_default(),
        }
    }

    /// For each component of a type, the component that is the tag of the value it belongs to and
    /// the tags with which it can be other than zero, as bits; none for those that every variant
    /// may use, for values of more than 64 variants, and for words, which are never known to be
    /// zero.
    pub fn used_by(&mut self, ty: &Type) -> Vec<Option<(usize, u64)>> {
        let Some(layout) = self.layout(ty) else {
            return vec![None; self.components(ty).len()];
        };
        let mut used = vec![None; layout.types.len()];
        if self.is_lean(ty) {
            return used;
        }
        if !layout.tagged {
            // The only variant: its fields share nothing, so what holds in a field holds in the
            // whole.
            let [fields] = &layout.variants[..] else {
                return used;
            };
            for (field, places) in self.field_types(ty, 0).iter().zip(fields) {
                let inner = self.used_by(field);
                for (place, inner) in places.iter().zip(inner) {
                    used[place.index] = inner.map(|(tag, tags)| (places[tag].index, tags));
                }
            }
        } else if layout.variants.len() <= 64 {
            let mut tags = vec![0; layout.types.len()];
            for (variant, fields) in layout.variants.iter().enumerate() {
                let places = fields.iter().flatten();
                places.for_each(|place| tags[place.index] |= 1 << variant);
            }
            let parts = used.iter_mut().zip(&layout.types).zip(tags).skip(1);
            parts
                .filter(|((_, ty), _)| **ty != Ty::Word)
                .for_each(|((used, _), tags)| *used = Some((0, tags)));
        }
        used
    }

    /// The layout of a type whose values have variants or fields in the graph.
    pub fn layout(&mut self, ty: &Type) -> Option<Rc<ValueLayout>> {
        if let Some(known) = self.known.get(ty) {
            return Some(known.clone());
        }
        let shape = shape(ty, self.adts)?;
        let layout = match self.is_lean(ty) {
            true => self.lean(shape),
            false => self.shared(shape),
        };
        let layout = Rc::new(layout);
        self.known.insert(ty.clone(), layout.clone());
        Some(layout)
    }

    /// A tag and the components of all variants.
    fn shared(&mut self, shape: Vec<Vec<Type>>) -> ValueLayout {
        let tagged = shape.len() > 1;
        let mut slots = Slots {
            types: if tagged { vec![Ty::Int] } else { Vec::new() },
            own: vec![false; usize::from(tagged)],
        };
        let mut variants = Vec::new();
        for fields in shape {
            // Each variant takes the components from the start again.
            let mut next = [usize::from(tagged); 4];
            let mut places = Vec::new();
            for field in fields {
                let parts = self.components(&field);
                let own = parts.contains(&Ty::Word);
                let take = |ty| FieldSlot {
                    index: match own {
                        true => slots.add(ty, true),
                        false => slots.take(ty, &mut next[ty as usize]),
                    },
                    view: None,
                };
                places.push(parts.into_iter().map(take).collect());
            }
            variants.push(places);
        }
        ValueLayout {
            types: slots.types,
            tagged,
            variants,
        }
    }

    /// A tag and the words behind it.
    fn lean(&mut self, shape: Vec<Vec<Type>>) -> ValueLayout {
        let mut words = 1;
        let mut variants = Vec::new();
        for fields in shape {
            let memory: Vec<Memory> = fields.iter().map(|field| self.memory(field)).collect();
            let (whole, offsets) = Memory::fields(8, &memory);
            words = words.max(whole.size as usize / 8);
            let fields = fields.iter().zip(&memory).zip(offsets);
            let places = fields.map(|((field, memory), offset)| {
                let types = self.components(field);
                let parts = types.into_iter().zip(&memory.parts);
                parts.map(|(ty, part)| slot(ty, part, offset)).collect()
            });
            variants.push(places.collect());
        }
        let mut types = vec![Ty::Word; words];
        types[0] = Ty::Int;
        ValueLayout {
            types,
            tagged: true,
            variants,
        }
    }

    /// How a type lies in memory.
    fn memory(&mut self, ty: &Type) -> Memory {
        match ty {
            Type::Bool => Memory::scalar(1, false),
            Type::Char => Memory::scalar(4, false),
            Type::Int(int) => Memory::scalar(int.bits() / 8, int.signed()),
            Type::Adt(id) if self.is_lean(ty) || !self.adts[*id].is_value => {
                let count = self.components(ty).len();
                Memory::words(count)
            }
            Type::Adt(id) if !self.adts[*id].is_enum && self.is_exact(ty) => {
                let fields = self.field_types(ty, 0);
                let fields: Vec<Memory> = fields.iter().map(|field| self.memory(field)).collect();
                Memory::fields(0, &fields).0
            }
            Type::Adt(id) if self.adts[*id].is_enum && self.adts[*id].variants.len() > 1 => {
                Memory::scalar(tag_size(self.adts[*id].variants.len()), false)
            }
            _ => Memory::words(self.components(ty).len()),
        }
    }
}

/// The bytes of the tag of an enum without fields.
fn tag_size(variants: usize) -> u32 {
    match variants {
        ..=0x100 => 1,
        0x101..=0x1_0000 => 2,
        _ => 4,
    }
}

/// Where a component of a field is in the words of a lean value, of which the field begins at this
/// byte.
fn slot(ty: Ty, part: &Part, offset: u32) -> FieldSlot {
    let at = offset + part.offset;
    let view = View {
        ty,
        shift: at % 8 * 8,
        size: part.size,
        signed: part.signed,
    };
    FieldSlot {
        index: at as usize / 8,
        view: (ty != Ty::Word).then_some(view),
    }
}

/// The components of a value whose variants share them.
struct Slots {
    types: Vec<Ty>,
    /// Whether a component belongs to one lean value alone.
    own: Vec<bool>,
}

impl Slots {
    fn add(&mut self, ty: Ty, own: bool) -> usize {
        self.types.push(ty);
        self.own.push(own);
        self.types.len() - 1
    }

    /// The first component of this type from `next` on, a new one if there is none; `next` goes
    /// behind it.
    fn take(&mut self, ty: Ty, next: &mut usize) -> usize {
        let found = (*next..self.types.len()).find(|&n| self.types[n] == ty && !self.own[n]);
        let index = found.unwrap_or_else(|| self.add(ty, false));
        *next = index + 1;
        index
    }
}
