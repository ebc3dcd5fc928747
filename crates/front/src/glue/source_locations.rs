//! Where the functions and fields are declared that compiled code relies on, for messages at run
//! time.
//!
//! In: the tables. Out: pairs of a name, as jitcode has it, and a place such as `src/main.rs:12`;
//! for a function that reads a plain value, what it reads, in words. Likewise the words of
//! `#[advice(..)]`. Invariant: other functions that the translator makes itself have no place.

use crate::cx::Cx;
use crate::cx::sources::{ClassSrc, Target};
use crate::items::StructId;
use crate::source::load::span_of;
use crate::source::syntax::name_of;
use crate::tast::Span;

/// The places of all called functions and of the fields of all classes.
pub(crate) fn declared(cx: &Cx) -> Vec<(String, String)> {
    let mut places = Vec::new();
    for (inst, target) in &cx.queue.targets {
        if let Target::Called(id) = target {
            let name = cx.descrs.fns[*id].name.clone();
            places.push((name, place(cx, cx.krate.fns[inst.item].span)));
        }
    }
    for class in cx.interned.classes.values() {
        let ClassSrc::Struct { item, fields, .. } = class else {
            continue;
        };
        for field in fields.iter() {
            let Some(place) = field_place(cx, *item, &field.name) else {
                continue;
            };
            let parts = match &cx.interned.field_parts[field.id][..] {
                [] => std::slice::from_ref(&field.id),
                parts => parts,
            };
            let names = parts.iter().map(|&part| cx.descrs.field_name(part));
            places.extend(names.map(|name| (name, place.clone())));
        }
    }
    let readers = cx.glue.read_by.iter();
    places.extend(readers.map(|(id, what)| (cx.descrs.fns[*id].name.clone(), what.clone())));
    places.sort();
    places.dedup();
    places
}

/// What `#[advice("..")]` says of functions, by their names in jitcode.
pub(crate) fn advice(cx: &Cx) -> Vec<(String, String)> {
    let mut advice = Vec::new();
    for (inst, target) in &cx.queue.targets {
        let Some(words) = &cx.krate.fns[inst.item].advice else {
            continue;
        };
        let name = match target {
            Target::Called(id) => cx.descrs.fns[*id].name.clone(),
            Target::Traced(_) => cx.inst_path(*inst),
            Target::Error => continue,
        };
        advice.push((name, words.to_string()));
    }
    advice.sort();
    advice.dedup();
    advice
}

/// Where a field of a struct is declared.
pub(crate) fn field_place(cx: &Cx, item: StructId, name: &str) -> Option<String> {
    let item = &cx.krate.structs[item];
    let file = cx.krate.modules[item.module].file;
    let mut names = item.fields.iter().filter_map(|f| f.ident.as_ref());
    let found = names.find(|ident| name_of(ident) == name)?;
    Some(place(cx, span_of(file, found.span())))
}

/// A place as messages show it.
pub(crate) fn place(cx: &Cx, span: Span) -> String {
    let file = &cx.krate.files[span.file];
    let before = |breaks: &[usize]| breaks.partition_point(|&at| at < span.lo as usize);
    let line = 1 + cx.with_line_ends(span.file, before);
    format!("{}:{line}", file.path)
}
