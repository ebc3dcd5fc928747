//! What the typed form of a function does to the heap by itself, and what it calls.
//!
//! In: a checked function and the tables. Out: [`TypedEffects`]. Invariant: the typed form has an
//! expression for every access to a field or an item and for every call, operators and conversions
//! included, and values in it have no `Drop`, so what is not in an expression does not happen; the
//! one exception is the message of a panic, which is made by impls of the formatting traits.

use crate::cx::Cx;
use crate::tast::{AdtId, Expr, ExprKind, Func, FuncId, LocalId, Pat, Type};
use crate::types::ty::Ty;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use verdigris_ops::{ClassId, ClassKind, Descrs, FieldId, FnId, FnKind, Places};

/// What a typed body does by itself.
#[derive(Clone, Default)]
pub(crate) struct TypedEffects {
    pub reads: HeapPlaces,
    pub writes: HeapPlaces,
    /// The traced functions that it calls.
    pub calls: BTreeSet<FuncId>,
    /// The other functions that it calls, except those that promise to do nothing, if promises
    /// count.
    pub others: BTreeSet<FnId>,
    /// Whether it formats a value that is not of a primitive type.
    pub formats: bool,
    /// Whether it makes objects.
    pub makes: bool,
}

/// Places, by identity.
#[derive(Clone, Default)]
pub(crate) struct HeapPlaces {
    pub fields: BTreeSet<FieldId>,
    pub items: BTreeSet<ClassId>,
}

impl HeapPlaces {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.fields.is_empty() && self.items.is_empty()
    }

    /// Those of them that traced code knows; what it does not know, it cannot miss.
    pub fn known(&self, descrs: &Descrs) -> Places {
        let fields = self.fields.iter().copied();
        let items = self.items.iter().copied();
        Places::Of {
            fields: fields.filter(|&f| descrs.fields.is_valid(f)).collect(),
            items: items.filter(|&c| descrs.classes.is_valid(c)).collect(),
        }
    }
}

/// What a function does; or what in it is beyond the typed form. `trusting` says whether promises
/// count.
pub(crate) fn collect(cx: &Cx, func: &Func, trusting: bool) -> Result<TypedEffects, String> {
    let mut collector = Collector {
        cx,
        trusting,
        deeds: TypedEffects::default(),
        sound: FxHashSet::default(),
        fresh: fresh(&func.body),
    };
    for local in func.locals.values() {
        collector.ty(&local.ty)?;
    }
    collector.ty(&func.ret)?;
    collector.expr(&func.body)?;
    Ok(collector.deeds)
}

struct Collector<'a> {
    cx: &'a Cx,
    trusting: bool,
    deeds: TypedEffects,
    /// Structs and enums that have been looked at.
    sound: FxHashSet<AdtId>,
    /// Variables that hold nothing but objects which the body has made itself: no caller knows
    /// anything of them.
    fresh: FxHashSet<LocalId>,
}

/// The variables of a body that are bound to new objects and never assigned.
fn fresh(body: &Expr) -> FxHashSet<LocalId> {
    let mut bound = FxHashSet::default();
    let mut other = FxHashSet::default();
    let mut open = vec![body];
    while let Some(e) = open.pop() {
        match &e.kind {
            ExprKind::Let(local, value) => match makes_object(value) {
                true => bound.insert(*local),
                false => other.insert(*local),
            },
            ExprKind::Declare(local) | ExprKind::Assign(local, _) => other.insert(*local),
            ExprKind::AssignPart(place, _) => other.insert(place.local),
            ExprKind::Call(_, _, places) => {
                other.extend(places.iter().map(|place| place.local));
                false
            }
            _ => false,
        };
        open.extend(parts(e));
    }
    bound.retain(|local| !other.contains(local));
    bound
}

fn makes_object(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::New(..) | ExprKind::NewArray(..) => true,
        ExprKind::Block(list) => list.last().is_some_and(makes_object),
        _ => false,
    }
}

impl Collector<'_> {
    fn expr(&mut self, e: &Expr) -> Result<(), String> {
        self.ty(&e.ty)?;
        match &e.kind {
            ExprKind::GetField(_, field) => {
                let parts = self.field(*field);
                self.deeds.reads.fields.extend(parts);
            }
            ExprKind::SetField(object, ..) | ExprKind::SetItem(object, ..)
                if self.is_fresh(object) => {}
            ExprKind::SetField(_, field, _) => {
                let parts = self.field(*field);
                self.deeds.writes.fields.extend(parts);
            }
            ExprKind::GetItem(array, _) => {
                let parts = self.items(&array.ty);
                self.deeds.reads.items.extend(parts);
            }
            ExprKind::SetItem(array, ..) => {
                let parts = self.items(&array.ty);
                self.deeds.writes.items.extend(parts);
            }
            ExprKind::Call(func, ..) => {
                if self.cx.is_pointer_caller(*func) {
                    return Err("a call of a function pointer".to_owned());
                }
                self.deeds.calls.insert(*func);
            }
            ExprKind::CallFn(called, args) => self.called(*called, args)?,
            ExprKind::New(..) | ExprKind::NewArray(..) => self.deeds.makes = true,
            _ => {}
        }
        if let ExprKind::Match(_, arms) = &e.kind {
            arms.iter().try_for_each(|arm| self.pat(&arm.pat))?;
        }
        parts(e).into_iter().try_for_each(|part| self.expr(part))
    }

    fn is_fresh(&self, object: &Expr) -> bool {
        matches!(&object.kind, ExprKind::Local(local) if self.fresh.contains(local))
    }

    fn called(&mut self, called: FnId, args: &[Expr]) -> Result<(), String> {
        match self.cx.descrs.fns[called].kind {
            // They promise that their effects cannot be noticed; those that the translator writes
            // itself read what never changes.
            FnKind::Recorded => {}
            FnKind::Elidable if self.trusting || self.is_support(called) => {}
            FnKind::Portal | FnKind::Runner => return Err("the interpreter itself".to_owned()),
            // What the translator writes itself and is not elidable makes a message.
            _ if self.is_support(called) => {
                let primitive = |arg: &Expr| {
                    matches!(
                        arg.ty,
                        Type::Unit | Type::Bool | Type::Int(_) | Type::Char | Type::F64
                    )
                };
                self.deeds.formats |= !args.iter().all(primitive);
            }
            _ => {
                self.deeds.others.insert(called);
            }
        }
        Ok(())
    }

    /// Whether the translator has written a function itself.
    fn is_support(&self, called: FnId) -> bool {
        let name = &self.cx.descrs.fns[called].name;
        self.cx.glue.supports.list.iter().any(|s| s.name == *name)
    }

    /// What there is of a field to know, if it changes.
    fn field(&self, field: FieldId) -> Vec<FieldId> {
        match self.cx.descrs.fields[field].immutable {
            true => Vec::new(),
            false => [&[field], self.cx.interned.field_parts[field].as_slice()].concat(),
        }
    }

    /// What there is of an array's items to know, if they change.
    fn items(&self, array: &Type) -> Vec<ClassId> {
        let Type::Array(class) = array else {
            return Vec::new();
        };
        let parts = [&[*class], self.cx.interned.item_parts[*class].as_slice()].concat();
        match self.cx.descrs.classes[*class].kind {
            ClassKind::Array {
                immutable: true, ..
            } => Vec::new(),
            _ => parts,
        }
    }

    fn pat(&mut self, pat: &Pat) -> Result<(), String> {
        match pat {
            Pat::Variant(of, _, pats) => {
                self.ty(of)?;
                pats.iter().try_for_each(|pat| self.pat(pat))
            }
            Pat::Bind(_, Some(pat)) => self.pat(pat),
            Pat::Or(pats) => pats.iter().try_for_each(|pat| self.pat(pat)),
            Pat::Bind(_, None) | Pat::Wild | Pat::Int(_) | Pat::Range(..) | Pat::Class(..) => {
                Ok(())
            }
        }
    }

    /// Makes sure that values of a type have no `Drop`. A mistake in a struct is complained about
    /// once, with the first that names it.
    fn ty(&mut self, ty: &Type) -> Result<(), String> {
        match ty {
            Type::Option(inner) | Type::Fixed(inner, _) => self.ty(inner),
            Type::Result(ok, err) => {
                self.ty(ok)?;
                self.ty(err)
            }
            Type::Tuple(parts) => parts.iter().try_for_each(|part| self.ty(part)),
            Type::Adt(id) if self.sound.insert(*id) => {
                let src = &self.cx.interned.adt_src[*id];
                let fields = src.variants.iter().flat_map(|v| &v.fields);
                for (_, ty) in fields {
                    if has_mistake(ty) {
                        let name = &self.cx.interned.adts[*id].name;
                        return Err(format!("a value of type `{name}`"));
                    }
                    self.ty(&crate::types::ty::final_type(ty))?;
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

/// Whether something in a type stands for a mistake.
pub(super) fn has_mistake(ty: &Ty) -> bool {
    *ty == Ty::Error || ty.parts().into_iter().any(has_mistake)
}

/// The expressions that an expression is made of.
fn parts(e: &Expr) -> Vec<&Expr> {
    use ExprKind::*;
    match &e.kind {
        Int(_) | Float(_) | Unit | Local(_) | Declare(_) | Continue(_) | Panic(_) => Vec::new(),
        MergePoint { .. } | CanEnterJit(_) => Vec::new(),
        Let(_, x) | Assign(_, x) | AssignPart(_, x) => vec![x],
        Unary(_, x) | Cast(x) | Coerce(x) | Part(x, _) | Payload(x, ..) | Tag(x) => vec![x],
        GetField(x, _) | ArrayLen(x) | Kind(x) => vec![x],
        Promote(x) | IsConstant(x) | IsVirtual(x) | Concrete(x) => vec![x],
        Loop { body, .. } => vec![body],
        Break(_, x) | Return(x) => x.as_deref().into_iter().collect(),
        Binary(_, x, y) | AndAlso(x, y) | OrElse(x, y) => vec![x, y],
        SetField(x, _, y) | GetItem(x, y) | NewArray(_, x, y) => vec![x, y],
        If(x, y, z) | SetItem(x, y, z) => vec![x, y, z],
        Make(_, fields) => fields.iter().map(|(_, x)| x).collect(),
        New(_, fields) => fields.iter().map(|(_, x)| x).collect(),
        Intrinsic(_, list) | Call(_, list, _) | CallFn(_, list) | Block(list) => {
            list.iter().collect()
        }
        Match(x, arms) => {
            let arms = arms.iter();
            let arms = arms.flat_map(|arm| arm.guard.iter().chain([&arm.body]));
            [&**x].into_iter().chain(arms).collect()
        }
    }
}
