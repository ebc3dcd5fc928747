//! What opaque functions can do to the heap of the guest: an analysis of their source.
//!
//! In: the crate as written, and the opaque functions that traced code calls. Out: their
//! [`Effects`]. Driver: a body that is in the subset is checked as if it were traced, and says by
//! type what it touches and whom it calls ([`typed`], [`typed_effects`]); any other says it by the
//! names in it ([`survey`] looks at the crate as a whole, [`foreign_crates`] says where other
//! crates come in, [`index`] says what names lead to, [`body`] what a body does by itself,
//! [`named`] which places have a name, [`known_struct_types`] whose fields some variables have).
//! The effects are the union over all that the function reaches ([`reach`]); [`explain`] tells the
//! author, with names from [`effect_names`]; [`suggest_attribute`] says which attribute fits a
//! function.
//!
//! Invariant: what is not in a summary cannot happen. The argument, for code that rustc accepts:
//!
//! 1. *Places.* What changes in the heap are the `Cell`s in fields of `#[gc]` structs and items of
//!    `GcArray`s, and they change in `Cell::set` and `Cell::replace` alone. A caller of these has
//!    a reference to the cell, and without `unsafe` such a reference is made by naming the field or
//!    by indexing or slicing an array.
//! 2. *Closed world.* An opaque function is given words. So every reference, closure or trait
//!    object that exists while it runs was made by the code it runs, lay in a static, or is reached
//!    by a reference that it is lent. Statics and what is lent are refused unless their types say
//!    that they hold data only. So it is enough to look at the bodies of everything that the
//!    function may run, and to count a field where it is *named*: code that receives the reference
//!    then needs no look.
//! 3. *What may run, by name.* Functions of the crate whose name is written, called or not;
//!    closures, where they are written; and methods of the crate's impls of other crates' traits,
//!    always, because operators, drops, formatting and the standard library call them unseen; those
//!    of `FromStr` where something is named `parse`. Of the methods with a name, those count that
//!    take as many arguments and are not private to another module. A derived `Debug` reads the
//!    fields; other derives cannot touch a cell.
//! 4. *What may run, by type.* A body in the subset runs what its typed form says, for that is what
//!    the tracer takes traced functions for: each call in it, operators, conversions, loops and
//!    comparisons included, is a call of one function of the crate with its arguments, and each
//!    access is to a field of one class, or to items of one. What it writes to objects that it has
//!    made itself does not count: no caller knows anything of them. Nothing runs unseen: values of
//!    types that have a `Drop`, or parts that are not understood, are not in the subset; a
//!    reference to Rust data can be handed on and no more; there are no references to cells, no
//!    trait objects, and no closures that are handed on. Two things are refused beyond what the
//!    checker refuses: a call of a function pointer, and a body of which parts are there in some
//!    builds only. The message of a panic is made by impls of the formatting traits: they count as
//!    in 3, unless all that it shows is primitive. What traced code leaves out because it is traced
//!    code (`we_are_jitted`, `debug_assert!`) is checked too.
//! 5. *Both.* A body by name may lead to bodies by type, and the other way round. The former hand
//!    nothing to the latter that these could use in a way that is not in their typed form. The
//!    latter hand on words and what they were lent themselves, so that 2 holds for whom they call.
//! 6. *What is declared.* A function whose attribute says what it reads and what it writes does
//!    that and no more ([`declared`]): that is its author's promise. What such promises hide from
//!    the summary is suspect ([`Effects::suspects`]): the same search without them.
//! 7. Everything else is refused: the function gets [`Effects::all`], with the reason.
//!
//! A `#[loop_invariant]` function promises that no loop changes what it reads, so it reads nothing.
//! A `#[readonly]` function promises that it writes nothing. What it reaches by name may be more
//! than what it calls, so that a summary does not refute the promise; a cell that its own body sets
//! does, or the body of a function that it calls by its path ([`promise`]).

mod bindings;
pub(crate) mod body;
mod declared;
mod effect_names;
pub(crate) mod explain;
mod foreign_crates;
pub(crate) mod index;
mod known_struct_types;
mod macros;
mod named;
mod node;
mod promise;
mod reach;
pub(crate) mod suggest_attribute;
pub(crate) mod survey;
pub(crate) mod typed;
mod typed_effects;

use crate::cx::Cx;
use crate::cx::sources::{ClassSrc, Target};
use crate::effects::index::Index;
use crate::effects::reach::Summaries;
use crate::effects::typed_effects::HeapPlaces;
use crate::items::{Crate, FnItemId};
use verdigris_ops::{Effects, FnId, FnKind, Places};

/// The functions of which it matters what they do: the others promise enough.
const EFFECTS_MATTER: [FnKind; 3] = [FnKind::Opaque, FnKind::Conditional, FnKind::Readonly];

/// Summarises the opaque functions in the table; answers for each function why everything must be
/// assumed of it, if so.
pub(crate) fn summarise(cx: &mut Cx) -> Vec<Option<String>> {
    let index = Index::new(&cx.krate, names_library(cx));
    let refusal = refusal(&cx.krate, &index);
    let mut summaries = Summaries::new(cx, &index);
    let mut reasons = vec![None; cx.descrs.fns.len()];
    let (mut found, mut broken) = (Vec::new(), Vec::new());
    for (&inst, target) in &cx.queue.targets {
        let Target::Called(id) = target else { continue };
        let kind = cx.descrs.fns[*id].kind;
        if !EFFECTS_MATTER.contains(&kind) {
            continue;
        }
        if kind == FnKind::Readonly {
            broken.extend(promise::broken(&mut summaries, inst.item));
        }
        if cx.krate.fns[inst.item].attrs.loop_invariant {
            // It promises that nothing a loop does changes its result.
            found.push((*id, Effects::none()));
            continue;
        }
        let said = summaries.declared(inst);
        broken.extend(said.mistakes.iter().cloned());
        let word = |touched: &Option<HeapPlaces>| touched.as_ref().map(|t| t.known(&cx.descrs));
        let reads = word(&said.reads);
        let writes = match kind {
            // It promises that its writes cannot be noticed.
            FnKind::Readonly => Some(Places::none()),
            _ => word(&said.writes),
        };
        let found_out = match (&reads, &writes, &refusal) {
            // The author's word replaces what the source says.
            (Some(_), Some(_), _) => Ok(Effects::none()),
            (_, _, Some(why)) => Err(why.clone()),
            _ => lent(&cx.krate, &index, inst.item).and_then(|()| summaries.of(inst)),
        };
        let found_out = found_out.unwrap_or_else(|why| {
            if said.reads.is_none() && said.writes.is_none() {
                reasons[id.as_u32() as usize] = Some(why);
            }
            Effects::of_kind(kind)
        });
        let reads = reads.unwrap_or(found_out.reads);
        let writes = writes.unwrap_or(found_out.writes);
        found.push((*id, Effects::new(reads, writes)));
    }
    let suspects = suspects(cx, &index, refusal.is_some());
    for (id, effects) in found {
        cx.descrs.fns[id].effects = effects;
    }
    for (id, places) in suspects {
        let effects = &mut cx.descrs.fns[id].effects;
        if effects.writes != Places::All {
            effects.suspects = places.without(&effects.writes);
        }
    }
    broken.into_iter().for_each(|d| cx.report(d));
    reasons
}

/// What makes it impossible to say anything about any function of the crate.
fn refusal(krate: &Crate, index: &Index<'_>) -> Option<String> {
    let refusal = krate.survey.refusal.clone();
    refusal.or_else(|| index.abroad.refusal())
}

/// What functions may write whatever is promised, by them or by those that they reach, of values in
/// several words.
fn suspects(cx: &Cx, index: &Index<'_>, refused: bool) -> Vec<(FnId, Places)> {
    let mut summaries = Summaries::suspicious(cx, index);
    let mut found = Vec::new();
    for (&inst, target) in &cx.queue.targets {
        let Target::Called(id) = target else { continue };
        let kind = cx.descrs.fns[*id].kind;
        if kind != FnKind::Elidable && !EFFECTS_MATTER.contains(&kind) {
            continue;
        }
        let known = match refused || lent(&cx.krate, index, inst.item).is_err() {
            true => None,
            false => summaries.of(inst).ok(),
        };
        let writes = known.map_or(Places::All, |effects| effects.writes);
        found.push((*id, in_several_words(cx, writes)));
    }
    found
}

/// Those places that hold words of values which have several.
fn in_several_words(cx: &Cx, places: Places) -> Places {
    let mut several = HeapPlaces::default();
    for (field, rest) in cx
        .interned
        .field_parts
        .iter()
        .filter(|(_, rest)| !rest.is_empty())
    {
        several.fields.extend(rest.iter().chain([&field]));
    }
    for (class, rest) in cx
        .interned
        .item_parts
        .iter()
        .filter(|(_, rest)| !rest.is_empty())
    {
        several.items.extend(rest.iter().chain([&class]));
    }
    match (several.known(&cx.descrs), places) {
        (several, Places::All) if several != Places::none() => Places::All,
        (
            Places::Of { fields, items },
            Places::Of {
                fields: f,
                items: i,
            },
        ) => Places::Of {
            fields: &fields & &f,
            items: &items & &i,
        },
        _ => Places::none(),
    }
}

/// Whether traced code uses the library.
fn names_library(cx: &Cx) -> bool {
    let krate = &cx.krate;
    cx.queue
        .targets
        .keys()
        .any(|inst| krate.is_library(krate.fns[inst.item].module))
        || cx.interned.classes.values().any(|class| match class {
            ClassSrc::Struct { item, .. } => krate.is_library(krate.structs[*item].module),
            ClassSrc::Array { .. } => false,
        })
}

/// Whether all that a function is lent by reference is data; else what is not.
fn lent(krate: &Crate, index: &Index<'_>, id: FnItemId) -> Result<(), String> {
    let item = &krate.fns[id];
    for input in &item.sig.inputs {
        if let syn::FnArg::Typed(arg) = input
            && let syn::Type::Reference(reference) = &*arg.ty
            && !index.is_lent_data(krate, item.module, &reference.elem)
        {
            return Err("a reference to what could hold functions or be a cell".to_owned());
        }
    }
    Ok(())
}
