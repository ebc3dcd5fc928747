//! Which attribute fits a function that cannot be inlined, because it has a loop or is recursive.
//!
//! In: the complaints about such functions, and the crate. Out: the same complaints with a help
//! that begins with the attribute that fits best, which also is what they propose to insert.
//! Invariant: an attribute with a promise is proposed only where the source keeps it: every body
//! that the function runs is looked at by type, so that there is nothing in it that could be
//! noticed and is not seen, such as output.

use crate::cx::Cx;
use crate::effects::effect_names;
use crate::effects::index::Index;
use crate::effects::reach::{Summaries, Way};
use crate::glue::signatures::can_be_called;
use crate::glue::targets::mentions_self;
use crate::source::diag::{DiagCode, Diagnostic};
use crate::source::trip_count::{Turns, turns};
use crate::types::generics::Inst;
use verdigris_ops::Places;

/// How many places a help names.
const SHOWN: usize = 3;

/// What a call of the function does.
enum TypedEffects {
    /// It neither reads nor writes what changes, and makes no object.
    Nothing,
    /// It reads what changes, writes nothing, and makes no object.
    Reads(Vec<String>),
    /// It makes objects, or gives no result.
    Makes,
    /// It may write these places.
    Writes(Vec<String>),
    /// Nothing that traced code could miss, by the names in it.
    Unseen,
    /// Unknown, and why.
    Anything(String),
}

/// Gives complaints about loops and recursion the help that fits.
pub(crate) fn advise(cx: &mut Cx) {
    let is_about = |d: &&Diagnostic| matches!(d.code, DiagCode::Loop | DiagCode::Recursion);
    if !cx.diags.list.iter().any(|d| is_about(&d)) {
        return;
    }
    let known: Vec<Option<Inst>> = cx.diags.list.iter().map(|d| subject(cx, d)).collect();
    for inst in known.iter().flatten() {
        // Signatures are asked for below, where the tables do not change.
        cx.signature(*inst);
    }
    let index = Index::new(&cx.krate, super::names_library(cx));
    let mut summaries = Summaries::new(cx, &index);
    let mut helps = Vec::new();
    for (d, inst) in cx.diags.list.iter().zip(known) {
        let is_loop = d.code == DiagCode::Loop;
        helps.push(match inst {
            _ if !is_about(&d) => None,
            Some(inst) => Some(help(&mut summaries, inst, is_loop)),
            // A function into which closures are copied is no function by itself.
            None if is_loop => Some(not_called("it takes a closure")),
            None => None,
        });
    }
    drop(summaries);
    for (d, help) in cx.diags.list.iter_mut().zip(helps) {
        let Some((attribute, text)) = help else {
            continue;
        };
        d.help = Some(text);
        d.attribute = d.attribute.map(|(_, span)| (attribute, span));
    }
}

/// The function that a complaint is about, if it is one by itself.
fn subject(cx: &Cx, d: &Diagnostic) -> Option<Inst> {
    let mut funcs = cx.queue.func_items.values().copied();
    let is_it = |inst: &Inst| d.span == Some(cx.krate.fns[inst.item].span);
    let asked = d.found_in.map(|func| cx.queue.func_items[func]);
    asked.filter(is_it).or_else(|| funcs.find(is_it))
}

fn not_called(why: &str) -> (&'static str, String) {
    let text = format!(
        "put `#[unroll_safe]` in front of the function, if the turns of its loop are always few: they become part of every trace; it cannot be called as a whole, for {why}, so a longer loop belongs into a function of its own that can be `#[opaque]`"
    );
    ("#[unroll_safe]", text)
}

/// The attribute, and the help that begins with it.
fn help(summaries: &mut Summaries<'_>, inst: Inst, is_loop: bool) -> (&'static str, String) {
    let item = &summaries.krate.fns[inst.item];
    let turns = match is_loop {
        true => turns(&item.body),
        false => Turns::Unknown,
    };
    if let Err(why) = can_be_called(summaries.cx, inst)
        && is_loop
    {
        return not_called(&why);
    }
    // An attribute sees no more than the text of its function.
    let with_self = item.owner.is_some() && !mentions_self(item);
    let deeds = deeds(summaries, inst);
    let (called, why) = match &deeds {
        TypedEffects::Nothing => (
            ["#[elidable]", "#[elidable(Self)]"],
            "its result depends on its arguments alone, and the JIT calls it once for the same ones".to_owned(),
        ),
        TypedEffects::Reads(places) => (
            ["#[readonly]", "#[readonly(Self)]"],
            format!(
                "it reads {} and writes nothing, and the JIT calls it once for the same arguments, until that changes",
                list(places)
            ),
        ),
        TypedEffects::Makes | TypedEffects::Unseen => (
            ["#[opaque]", "#[opaque(Self)]"],
            "the JIT calls it, and goes on with what it knows of the heap, since it writes nothing there".to_owned(),
        ),
        TypedEffects::Writes(places) => (
            ["#[opaque]", "#[opaque(Self)]"],
            format!("the JIT calls it, and sees in its source that it writes {}", list(places)),
        ),
        TypedEffects::Anything(why) => (
            ["#[opaque]", "#[opaque(Self)]"],
            format!(
                "the JIT calls it, and forgets what it knows of the heap, because of {why}; `#[opaque(reads(..), writes(..))]` says what it touches"
            ),
        ),
    };
    let called = called[usize::from(with_self)];
    match turns {
        Turns::Few => (
            "#[unroll_safe]",
            format!(
                "put `#[unroll_safe]` in front of the function: its loop has a fixed number of turns, which become part of every trace; or `{called}`: {why}"
            ),
        ),
        Turns::Unknown if is_loop => (
            called,
            format!(
                "put `{called}` in front of the function: {why}; or `#[unroll_safe]`, if the turns of its loop are always few, as over the arguments of a call: they become part of every trace"
            ),
        ),
        Turns::Unknown => (
            called,
            format!(
                "put `{called}` in front of a function of the cycle: {why}; or recurse through the portal, if it is the guest program that recurses"
            ),
        ),
    }
}

fn list(places: &[String]) -> String {
    let mut text: Vec<String> = places
        .iter()
        .take(SHOWN)
        .map(|p| format!("`{p}`"))
        .collect();
    if let Some(more) = places.len().checked_sub(SHOWN).filter(|more| *more > 0) {
        text.push(format!("{more} more"));
    }
    match text.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}

/// What a call does, as far as its source says it.
fn deeds(summaries: &mut Summaries<'_>, inst: Inst) -> TypedEffects {
    let reach = summaries.reach(inst);
    let (mut reads, mut writes) = (Places::none(), Places::none());
    // Of what only native code touches, traced code knows nothing.
    let (mut reads_any, mut writes_any) = (false, false);
    let (mut seen, mut makes) = (reach.refusal.is_none(), false);
    for step in &reach.steps {
        reads.join(&step.effects.reads);
        writes.join(&step.effects.writes);
        let Way::Typed(callee) = step.way else {
            seen = false;
            continue;
        };
        let said = summaries.declared(callee);
        seen &= said.reads.is_none() && said.writes.is_none();
        match &*summaries.typed_body(callee) {
            Ok(body) => {
                makes |= body.makes;
                reads_any |= !body.reads.is_empty();
                writes_any |= !body.writes.is_empty();
            }
            Err(_) => seen = false,
        }
    }
    let names = |places: &Places| effect_names::places(&summaries.cx.descrs, places);
    if seen && !writes_any {
        let sig = summaries.cx.interned.sigs.get(&inst);
        let has_result = sig.is_some_and(|sig| sig.ret != crate::types::ty::Ty::Unit);
        return match reads_any {
            _ if makes || !has_result => TypedEffects::Makes,
            false => TypedEffects::Nothing,
            true => match names(&reads) {
                places if places.is_empty() => TypedEffects::Makes,
                places => TypedEffects::Reads(places),
            },
        };
    }
    if !seen {
        let krate = summaries.krate;
        let refused = super::refusal(krate, summaries.index)
            .or_else(|| super::lent(krate, summaries.index, inst.item).err())
            .or_else(|| summaries.of(inst).err());
        if let Some(why) = refused {
            return TypedEffects::Anything(why);
        }
    }
    match names(&writes) {
        places if places.is_empty() => TypedEffects::Unseen,
        places => TypedEffects::Writes(places),
    }
}
