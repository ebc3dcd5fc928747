//! Which function each call in traced code means, to be compared with what rustc says.
//!
//! In: a crate that has been checked with notes on its calls. Out: for each traced instance of a
//! function, where its source is, what its parameters stand for, and its callees in the order in
//! which they were found. Invariants: what is named is what the source calls, not what the
//! translator makes of it (`x.min(y)` is a method, though a comparison is what is traced); a type
//! of which references are no part for the translator is written without them, except where an
//! implementation is for one.
//!
//! Operators on scalars, fields, constructors, macros of the standard library and the steps of
//! `for` loops over ranges and arrays are no calls here. A function that is named as a value is no
//! callee.

use crate::callee::{Callee, Noted, Notes};
use crate::cx::Cx;
use crate::cx::sources::{RefKind, Target};
use crate::items::*;
use crate::tast::{FuncId, Span};
use crate::types::generics::{Inst, SubstId};
use crate::types::infer::Infer;
use crate::types::ty::Ty;
use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};

/// Where the source of a traced function comes from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum FuncOrigin {
    /// The crate, as it is written.
    Written,
    /// The library of Verdigris.
    Library,
    /// The translator: what the standard library and derives have.
    Text,
    /// The translator has made it of an `index_mut` of the crate.
    Accessor,
    /// An attribute has made it of a function that is called: it promotes what that one is given.
    Promoting,
}

/// A traced function, and what it calls.
#[derive(Clone, Debug)]
pub struct Resolved {
    /// Where it comes from.
    pub origin: FuncOrigin,
    /// The path of its module, empty in the root of the crate. Functions in blocks are in the
    /// module around.
    pub module: String,
    /// Its name.
    pub name: String,
    /// Where the `impl` block begins that it is in: `src/main.rs:12:1`. What a macro makes is where
    /// the macro is called.
    pub block: Option<String>,
    /// The trait that provides it.
    pub of_trait: Option<String>,
    /// What `Self` is in it, if it is a member.
    pub this: Option<String>,
    /// What its generic parameters and those around stand for.
    pub params: Vec<(String, String)>,
    /// What it calls.
    pub callees: Vec<Callee>,
    /// Those among them that are in guards of arms with alternatives: rustc may have such a guard
    /// for each alternative.
    pub guards: Vec<Callee>,
    /// The functions that it names as values.
    pub values: Vec<Callee>,
    /// What it calls behind something that does not go on, as `return`: rustc leaves that out.
    pub unreachable: Vec<Callee>,
    /// The names of what is called where traced code never comes: under `if !we_are_jitted()`, in
    /// closures that are never called.
    pub skipped: Vec<String>,
    /// The names of the functions that the engine asks, as the attribute of the portal says:
    /// `tier`, `location`.
    pub asked: Vec<String>,
}

impl Display for Resolved {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let of = match (&self.of_trait, &self.block) {
            (Some(of_trait), _) => format!("{of_trait}::"),
            (None, Some(block)) => format!("<impl at {block}>::"),
            (None, None) => String::new(),
        };
        let module = match self.module.as_str() {
            "" => String::new(),
            module => format!("{module}::"),
        };
        write!(f, "{module}{of}{}", self.name)?;
        let this = self.this.iter().map(|this| format!("Self = {this}"));
        let params = self
            .params
            .iter()
            .map(|(name, ty)| format!("{name} = {ty}"));
        let known: Vec<String> = this.chain(params).collect();
        if !known.is_empty() {
            write!(f, " with {}", known.join(", "))?;
        }
        writeln!(f)?;
        for callee in &self.callees {
            writeln!(f, "    {callee}")?;
        }
        for value in &self.values {
            writeln!(f, "    value {value}")?;
        }
        for callee in &self.unreachable {
            writeln!(f, "    unreachable {callee}")?;
        }
        Ok(())
    }
}

/// The traits of the standard library that the members are of which types have without the crate's
/// doing.
const PROVIDED: &[(&str, &str)] = &[
    ("clamp", "Ord"),
    ("clone", "Clone"),
    ("cmp", "Ord"),
    ("default", "Default"),
    ("eq", "PartialEq"),
    ("from", "From"),
    ("ge", "PartialOrd"),
    ("gt", "PartialOrd"),
    ("into", "Into"),
    ("le", "PartialOrd"),
    ("lt", "PartialOrd"),
    ("max", "Ord"),
    ("min", "Ord"),
    ("ne", "PartialEq"),
    ("partial_cmp", "PartialOrd"),
    ("try_from", "TryFrom"),
    ("try_into", "TryInto"),
];

/// A member of a type that is not the crate's doing.
pub(crate) fn member(cx: &Cx, ty: &Ty, member: &str) -> Callee {
    let provided = PROVIDED.iter().find(|p| p.0 == member);
    match provided.filter(|_| !crate::check::has_itself(ty, member)) {
        Some((_, of_trait)) => operator(cx, ty, of_trait, member),
        None => Callee::Own {
            of: name(cx, ty),
            name: member.to_owned(),
        },
    }
}

/// A member of a trait of the standard library, with any implementation.
pub(crate) fn operator(cx: &Cx, ty: &Ty, of_trait: &str, method: &str) -> Callee {
    Callee::Trait {
        this: name(cx, ty),
        any: true,
        of_trait: of_trait.to_owned(),
        name: method.to_owned(),
    }
}

/// A function of the crate or of one of the translator's texts; none if the source calls something
/// else that it stands for.
pub(crate) fn function(
    cx: &mut Cx,
    (id, subst, by): (FnItemId, SubstId, Option<ImplId>),
    infer: &mut Infer,
) -> Option<Callee> {
    let item = cx.krate.fns[id].clone();
    if cx.is_scalars(item.module) {
        return None;
    }
    let member_name = item.name.clone();
    let this = cx.interned.substs.get(subst).this.clone();
    let by = by.or(item.owner);
    let key = by.and_then(|by| cx.krate.impls[by].key.clone());
    let key = key.or(item.of_trait.map(|id| cx.krate.key_of_trait(id)));
    // What arrays have themselves are methods of traits in our text.
    if let (Some(this), true) = (&this, Some(item.module) == cx.krate.text("array")) {
        return Some(member(cx, this, &member_name));
    }
    let Some(key) = key else {
        let of = match (this, by.and_then(|by| cx.krate.impls[by].target)) {
            (Some(this), _) => name(cx, &this),
            (None, Some(target)) => cx.krate.key_path(target),
            (None, None) => return Some(Callee::Path(cx.krate.fn_path(id))),
        };
        return Some(Callee::Own {
            of,
            name: member_name,
        });
    };
    let (refs, any) = by.map_or((Vec::new(), true), |by| cx.krate.impl_refs(by));
    let mut shown: String = refs.iter().map(|kind_of_ref| kind_of_ref.show()).collect();
    shown += &this.as_ref().map_or("_".to_owned(), |ty| name(cx, ty));
    let mut of_trait = match &key {
        TraitKey::User(id) => {
            let item = &cx.krate.traits[*id];
            cx.krate.path(item.module, &item.name)
        }
        TraitKey::Std(name) => name.clone(),
    };
    let args = by.map_or(Vec::new(), |by| cx.impl_trait_args(by, subst, infer));
    let args: Vec<String> = args.iter().map(|ty| name(cx, &infer.deep(ty))).collect();
    if !args.is_empty() {
        of_trait += &format!("<{}>", args.join(", "));
    }
    Some(Callee::Trait {
        this: shown,
        any,
        of_trait,
        name: member_name,
    })
}

/// A type with paths from the root of the crate.
fn name(cx: &Cx, ty: &Ty) -> String {
    match ty {
        Ty::Cell(inner) => format!("Cell<{}>", name(cx, inner)),
        ty => cx.full_name(ty),
    }
}

impl RefKind {
    fn show(self) -> &'static str {
        match self {
            RefKind::Shared => "&",
            RefKind::Unique => "&mut ",
        }
    }
}

/// What has been noted of all traced functions.
pub(crate) fn list(cx: &mut Cx) -> Vec<Resolved> {
    let noted = cx.callees.take().unwrap_or_default();
    let mut list = Vec::new();
    for (func, notes) in &noted {
        // What a closure calls that becomes a function is called where it is written.
        if cx.krate.fns[cx.queue.func_items[*func].item].name != CLOSURE {
            let mut resolved = about(cx, *func);
            add(
                cx,
                &noted,
                split_off(cx, *func, &notes.found),
                &mut resolved,
            );
            resolved.skipped.clone_from(&notes.skipped);
            resolved.asked.clone_from(&notes.asked);
            list.push(resolved);
        }
    }
    list
}

/// How the function is called that a closure becomes.
pub(crate) const CLOSURE: &str = "{closure}";

/// The callees without what `#[look_inside_iff(..)]` has made: the condition, and the call of the
/// same function.
fn split_off<'n>(cx: &Cx, func: FuncId, callees: &'n [Noted]) -> Vec<&'n Noted> {
    let item = &cx.krate.fns[cx.queue.func_items[func].item];
    if item.attrs.hint.is_none() {
        return callees.iter().collect();
    }
    let called = |noted: &&Noted| {
        let of_hint = |inst: Inst| {
            let called = &cx.krate.fns[inst.item];
            called.attrs.hint.is_some() && called.name == item.name
        };
        !noted.called.is_some_and(of_hint)
    };
    callees.iter().skip(1).filter(called).collect()
}

/// Adds callees, with what is in the functions that the translator has made of parts of the source.
fn add(cx: &Cx, noted: &BTreeMap<FuncId, Notes>, callees: Vec<&Noted>, resolved: &mut Resolved) {
    for callee in callees {
        let inside = callee
            .called
            .and_then(|inst| match cx.queue.targets.get(&inst) {
                Some(Target::Traced(func)) => noted.get(func),
                _ => None,
            });
        let inside = inside.map_or(&[][..], |notes| &notes.found);
        let item = callee.called.map(|inst| inst.item);
        if item.is_some_and(|id| cx.krate.fns[id].name == CLOSURE) {
            add(cx, noted, inside.iter().collect(), resolved);
            continue;
        }
        if callee.in_guard {
            resolved.guards.push(callee.callee.clone());
        }
        let list = match callee {
            Noted { is_value: true, .. } => &mut resolved.values,
            Noted { is_dead: true, .. } => &mut resolved.unreachable,
            _ => &mut resolved.callees,
        };
        list.push(callee.callee.clone());
        // The operator is in the function that changes what `index_mut` refers to.
        if item.is_some_and(|id| is_updater(cx, id)) {
            let assigns = |callee: &&Noted| match &callee.callee {
                Callee::Trait { name, .. } => name.ends_with("_assign"),
                Callee::Path(_) | Callee::Own { .. } => false,
            };
            let operator = inside.iter().rfind(assigns);
            list.extend(operator.map(|operator| operator.callee.clone()));
        }
    }
}

fn is_updater(cx: &Cx, item: FnItemId) -> bool {
    cx.generated.updaters.values().any(|made| *made == item)
}

/// A traced function without its callees.
fn about(cx: &Cx, func: FuncId) -> Resolved {
    let inst = cx.queue.func_items[func];
    let krate = &cx.krate;
    let item = &krate.fns[inst.item];
    let made = |a: &crate::cx::sources::Accessors| a.parts().contains(&inst.item);
    let accessor = cx.generated.accessors.values().flatten().any(made) || is_updater(cx, inst.item);
    let origin = match () {
        () if krate.is_library(item.module) => FuncOrigin::Library,
        () if krate.is_text(item.module) => FuncOrigin::Text,
        () if accessor => FuncOrigin::Accessor,
        () if item.attrs.hint.is_some() && !item.attrs.unroll_safe => FuncOrigin::Promoting,
        () => FuncOrigin::Written,
    };
    let subst = cx.interned.substs.get(inst.subst);
    let target = item.owner.and_then(|owner| krate.impls[owner].target);
    let around = |param: &str| -> String {
        let known = subst.around.iter().rev().find(|known| known.0 == param);
        let refs = known.into_iter().flat_map(|known| &known.1);
        refs.map(|kind_of_ref| kind_of_ref.show()).collect()
    };
    let this = match (&subst.this, target) {
        (Some(this), _) => Some(around("Self") + &name(cx, this)),
        (None, target) => target.map(|key| krate.key_path(key)),
    };
    let params = subst.args.iter();
    Resolved {
        origin,
        module: krate
            .path(item.module, "")
            .trim_end_matches("::")
            .to_owned(),
        name: item.name.clone(),
        block: item
            .owner
            .map(|owner| position(cx, krate.impls[owner].span)),
        of_trait: item.of_trait.map(|id| krate.traits[id].name.clone()),
        this,
        params: params
            .map(|(param, ty)| (param.clone(), around(param) + &name(cx, ty)))
            .collect(),
        callees: Vec::new(),
        guards: Vec::new(),
        values: Vec::new(),
        unreachable: Vec::new(),
        skipped: Vec::new(),
        asked: Vec::new(),
    }
}

/// A place as rustc writes it: the file, the line and the column.
fn position(cx: &Cx, span: Span) -> String {
    let text = &cx.krate.files[span.file].text;
    let before = text.get(..span.lo as usize).unwrap_or("");
    let line = before.rsplit('\n').next().unwrap_or("");
    format!(
        "{}:{}",
        crate::glue::source_locations::place(cx, span),
        line.chars().count() + 1
    )
}
