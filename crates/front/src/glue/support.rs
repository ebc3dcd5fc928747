//! Functions that the translator writes into the glue, for what traced code does by a call although
//! the source has none: panics with formatted messages, and tables.
//!
//! In: types and the text of a body. Out: an entry of the table of called functions, and the
//! function's text. Invariants: equal functions are written once; every type is written with a path
//! from the crate root, or there is a diagnostic.

use crate::cx::Cx;
use crate::cx::sources::ConstValue;
use crate::items::TypeKey;
use crate::layout::{FieldSlot, ValueLayouts};
use crate::std_model::cmp::raw;
use crate::tast::{IntTy, Support};
use crate::types::ty::{Ty, machine};
use verdigris_ops as ops;
use verdigris_ops::{Effects, FnId, FnInfo, FnKind};

/// The largest number of words that a called function can take.
const MAX_WORDS: usize = 10;

/// The parameters of a function that takes values apart into words.
#[derive(Default)]
pub(crate) struct Words {
    /// The Rust types.
    types: Vec<String>,
    machine: Vec<ops::Ty>,
}

impl Words {
    /// One more parameter; its name.
    pub fn push(&mut self, ty: String, machine: ops::Ty) -> String {
        self.types.push(ty);
        self.machine.push(machine);
        format!("p{}", self.types.len() - 1)
    }
}

/// The Rust expression for what a slot holds, if these are the components of the whole.
fn seen(slot: &FieldSlot, names: &[String]) -> String {
    let name = &names[slot.index];
    match slot.view {
        None => name.clone(),
        Some(view) if view.ty == ops::Ty::Float => format!("f64::from_bits({name}.0)"),
        Some(view) => {
            let sign = if view.signed { 'i' } else { 'u' };
            let (shift, bits) = (view.shift, view.size * 8);
            format!("(({name}.0 >> {shift}) as {sign}{bits} as i64)")
        }
    }
}

impl Cx {
    /// A function with these parameters and this body; `ret` is the type of its result.
    pub fn support_fn(
        &mut self,
        words: Words,
        ret: Option<&Ty>,
        body: String,
        kind: FnKind,
    ) -> FnId {
        let support = Support {
            name: String::new(),
            params: words.types,
            ret: ret.map(|ty| self.glue_ty(ty)),
            body,
        };
        if let Some(&id) = self.glue.supports.known.get(&support) {
            return id;
        }
        let name = format!("__vd_support_{}", self.glue.supports.list.len());
        let id = self.descrs.fns.push(FnInfo {
            name: name.clone(),
            params: words.machine,
            ret: ret.and_then(machine).into_iter().collect(),
            kind,
            effects: Effects::of_kind(kind),
            target: 0,
            thunk: 0,
            invoke: 0,
        });
        self.glue.fns.push(format!("{name}_descr"));
        self.glue.supports.known.insert(support.clone(), id);
        self.glue.supports.list.push(Support { name, ..support });
        id
    }

    /// A function that gives one of these scalars of a type by its index.
    pub fn table_fn(&mut self, values: &[&ConstValue], ty: &Ty) -> FnId {
        // A function pointer is a number.
        let ty = match ty {
            Ty::Fn(_) => &Ty::Int(IntTy::U32),
            ty => ty,
        };
        let unsigned = matches!(ty, Ty::Int(int) if !int.signed());
        let items = values.iter().map(|value| match (value, ty) {
            (ConstValue::Float(value), _) => value.to_bits().to_string(),
            (ConstValue::Int(value), Ty::Bool) => (*value != 0).to_string(),
            (ConstValue::Int(value), _) if unsigned => (*value as u64).to_string(),
            (ConstValue::Int(value), _) => value.to_string(),
            // Scalars are not made of anything.
            (ConstValue::Make(..), _) => "0".to_owned(),
        });
        let items: Vec<String> = items.collect();
        let mut words = Words::default();
        let index = words.push("usize".to_owned(), ops::Ty::Int);
        let (name, read) = match ty {
            Ty::F64 => ("u64".to_owned(), format!("f64::from_bits(TABLE[{index}])")),
            ty => (self.glue_ty(ty), format!("TABLE[{index}]")),
        };
        let table = format!(
            "static TABLE: [{name}; {}] = [{}];",
            items.len(),
            items.join(", ")
        );
        self.support_fn(words, Some(ty), format!("{table} {read}"), FnKind::Elidable)
    }

    /// Adds the parameters that a value of this type is passed in; the Rust expression that makes
    /// the value of them again. None if that cannot be done.
    pub fn passed(&mut self, ty: &Ty, words: &mut Words) -> Option<String> {
        let text = match ty {
            Ty::Unit | Ty::Never => "()".to_owned(),
            ty if machine(ty).is_some() => {
                let name = self.glue_ty(ty);
                words.push(name, machine(ty)?)
            }
            ty => {
                let types = self.parts_of(ty)?;
                let names: Vec<String> = types
                    .iter()
                    .map(|ty| match ty {
                        ops::Ty::Float => words.push("f64".to_owned(), *ty),
                        ops::Ty::Word => words.push("::verdigris::rt::RawWord".to_owned(), *ty),
                        _ => words.push("i64".to_owned(), *ty),
                    })
                    .collect();
                self.rebuilt(ty, &names)?
            }
        };
        (words.types.len() <= MAX_WORDS).then_some(text)
    }

    /// The components of a value that holds no references.
    fn parts_of(&self, ty: &Ty) -> Option<Vec<ops::Ty>> {
        let (mut layouts, ty) = (
            ValueLayouts::new(&self.interned.adts),
            crate::types::ty::final_type(ty),
        );
        (!layouts.holds_refs(&ty)).then(|| layouts.components(&ty))
    }

    /// The Rust expression for a value of which these are the components.
    fn rebuilt(&mut self, ty: &Ty, names: &[String]) -> Option<String> {
        let layout =
            ValueLayouts::new(&self.interned.adts).layout(&crate::types::ty::final_type(ty));
        let Some(layout) = layout else {
            let word = names.first().map_or("()", |n| n.as_str());
            return Some(match ty {
                Ty::Unit => "()".to_owned(),
                Ty::Bool => format!("({word} != 0)"),
                Ty::Int(int) => format!("({word} as {})", crate::names::written::int_name(*int)),
                Ty::F64 => word.to_owned(),
                _ => return None,
            });
        };
        let mut variants = Vec::new();
        for (number, places) in layout.variants.iter().enumerate() {
            let types = self.source_fields(ty, number);
            let mut fields = Vec::new();
            for (ty, places) in types.iter().zip(places) {
                let names: Vec<String> = places.iter().map(|slot| seen(slot, names)).collect();
                fields.push(self.rebuilt(ty, &names)?);
            }
            variants.push(self.written(ty, number, &fields)?);
        }
        if !layout.tagged {
            return variants.pop();
        }
        let last = variants.pop()?;
        let arms = variants.iter().enumerate();
        let arms: Vec<String> = arms.map(|(n, v)| format!("{n} => {v}, ")).collect();
        Some(format!(
            "match {} {{ {}_ => {last} }}",
            names.first()?,
            arms.concat()
        ))
    }

    /// The types of a variant's fields.
    fn source_fields(&self, ty: &Ty, variant: usize) -> Vec<Ty> {
        match (ty, variant) {
            (Ty::Tuple(parts), _) => parts.clone(),
            (Ty::Fixed(item, len), _) => vec![(**item).clone(); *len as usize],
            (Ty::Option(inner), 1) | (Ty::Result(inner, _), 0) | (Ty::Result(_, inner), 1) => {
                vec![(**inner).clone()]
            }
            (Ty::Adt(id), n) => {
                let fields = &self.interned.adt_src[*id].variants[n].fields;
                fields.iter().map(|f| f.1.clone()).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The Rust expression for a variant with these fields.
    fn written(&mut self, ty: &Ty, variant: usize, fields: &[String]) -> Option<String> {
        let list = fields.join(", ");
        Some(match (ty, variant) {
            (Ty::Tuple(_), _) => format!("({list},)"),
            (Ty::Fixed(..), _) => format!("[{list}]"),
            (Ty::Option(_), 0) => "::core::option::Option::None".to_owned(),
            (Ty::Option(_), _) => format!("::core::option::Option::Some({list})"),
            (Ty::Result(..), 0) => format!("::core::result::Result::Ok({list})"),
            (Ty::Result(..), _) => format!("::core::result::Result::Err({list})"),
            (Ty::Adt(id), n) => {
                let key = self.interned.adt_src[*id].key;
                let variant = self.interned.adt_src[*id].variants[n].clone();
                let path = match key {
                    TypeKey::Struct(s) if !self.fields_are_visible(s) => return None,
                    TypeKey::Struct(_) => self.glue_key(key),
                    _ => format!("{}::{}", self.glue_key(key), raw(&variant.name)),
                };
                let named = variant.fields.iter().zip(fields);
                // Fields in parentheses have numbers for names, which can be written in braces too.
                let named: Vec<String> = named
                    .map(
                        |((n, _), v)| match n.starts_with(|c: char| c.is_ascii_digit()) {
                            true => format!("{n}: {v}"),
                            false => format!("{}: {v}", raw(n)),
                        },
                    )
                    .collect();
                format!("{path} {{ {} }}", named.join(", "))
            }
            _ => return None,
        })
    }

    /// Whether the glue can name all fields of a struct.
    fn fields_are_visible(&self, id: crate::items::StructId) -> bool {
        let item = &self.krate.structs[id];
        let root = item.module == self.krate.root();
        item.fields.iter().all(|f| is_visible(f, root))
    }
}

/// Whether the glue can name a field of a struct, which the root declares or another module.
pub(crate) fn is_visible(field: &syn::Field, root: bool) -> bool {
    match &field.vis {
        syn::Visibility::Public(_) => true,
        syn::Visibility::Restricted(r) => r.path.is_ident("crate"),
        // What the root declares for itself is visible everywhere.
        syn::Visibility::Inherited => root,
    }
}
