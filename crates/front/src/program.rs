//! The driver: from the root file to the typed program.
//!
//! In: where the source is. Out: the program or all diagnostics. Invariant: the tables of the
//! program hold what the portal reaches and no more.

use crate::callees::Resolved;
use crate::check::check_func;
use crate::collect::collect;
use crate::cx::Cx;
use crate::expand::Places;
use crate::items::{Crate, FnItemId};
use crate::sabotage::Sabotage;
use crate::source::cfg::Cfg;
use crate::source::diag::{DiagCode, Diagnostic, Diagnostics};
use crate::source::load::{Disk, Files, Loader, Memory};
use crate::tast::{Func, FuncId, TypedProgram};
use crate::{blame, effects, recursion};
use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Stack for passes that recurse over syntax; the depth of that is bounded when it is read.
const STACK: usize = 256 << 20;

/// Checks the crate whose root file is `root`, as `src/main.rs`.
///
/// # Errors
/// All mistakes in the code that the `#[portal]` function reaches.
pub fn check_crate(root: &Path) -> Result<TypedProgram, Diagnostics> {
    check_configured(root, &[])
}

/// As [`check_crate`], if the crate is compiled with conditions of its own: names as in
/// `#[cfg(name)]` or `#[cfg(name = "value")]`, with what holds.
///
/// # Errors
/// As [`check_crate`].
pub fn check_configured(root: &Path, cfgs: &[(&str, Cfg)]) -> Result<TypedProgram, Diagnostics> {
    let base = package_dir(root);
    on_big_stack(|| {
        crate::source::cfg::declare(cfgs);
        check(&Disk, root, base)
    })
}

/// Checks a crate in memory: paths and texts, the root first.
///
/// # Errors
/// As [`check_crate`].
pub fn check_source(files: &[(&str, &str)]) -> Result<TypedProgram, Diagnostics> {
    check_source_configured(files, &[])
}

/// As [`check_source`], if the crate is compiled with conditions of its own, as in
/// [`check_configured`].
///
/// # Errors
/// As [`check_crate`].
pub fn check_source_configured(
    files: &[(&str, &str)],
    cfgs: &[(&str, Cfg)],
) -> Result<TypedProgram, Diagnostics> {
    let (root, map) = in_memory(files);
    on_big_stack(|| {
        crate::source::cfg::declare(cfgs);
        check(&Memory(map), root, PathBuf::new())
    })
}

fn in_memory<'f>(files: &[(&'f str, &str)]) -> (&'f Path, FxHashMap<PathBuf, String>) {
    let root = files.first().map_or("", |f| f.0);
    let map = files
        .iter()
        .map(|(path, text)| (PathBuf::from(path), (*text).to_owned()))
        .collect();
    (Path::new(root), map)
}

/// What is assumed of the functions that traced code of the crate calls, and who is to blame, as
/// text. The crate has conditions of its own as in [`check_configured`].
///
/// For each function, in the order of names, a line with its name and kind, and indented lines: who
/// names places, and which it reads and writes there; or what could do anything, and how the
/// function leads to it.
///
/// # Errors
/// As [`check_crate`].
pub fn explain_effects(root: &Path, cfgs: &[(&str, Cfg)]) -> Result<String, Diagnostics> {
    let base = package_dir(root);
    on_big_stack(|| {
        crate::source::cfg::declare(cfgs);
        explained(&checked(&Disk, root, base)?)
    })
}

/// The same for sources in memory.
///
/// # Errors
/// As [`check_crate`].
pub fn explain_effects_of_source(files: &[(&str, &str)]) -> Result<String, Diagnostics> {
    let (root, map) = in_memory(files);
    on_big_stack(|| explained(&checked(&Memory(map), root, PathBuf::new())?))
}

/// Which function each call means in the traced code of a crate that is compiled with these
/// conditions, as in [`check_configured`]: every traced instance of a function, in the order in
/// which they were reached.
///
/// # Errors
/// As [`check_crate`].
pub fn callees(root: &Path, cfgs: &[(&str, Cfg)]) -> Result<Vec<Resolved>, Diagnostics> {
    let base = package_dir(root);
    on_big_stack(|| {
        crate::source::cfg::declare(cfgs);
        resolved(&Disk, root, base)
    })
}

/// The same for sources in memory.
///
/// # Errors
/// As [`check_crate`].
pub fn callees_of_source(
    files: &[(&str, &str)],
    cfgs: &[(&str, Cfg)],
) -> Result<Vec<Resolved>, Diagnostics> {
    let (root, map) = in_memory(files);
    on_big_stack(|| {
        crate::source::cfg::declare(cfgs);
        resolved(&Memory(map), root, PathBuf::new())
    })
}

fn resolved(source: &dyn Files, root: &Path, base: PathBuf) -> Result<Vec<Resolved>, Diagnostics> {
    let mut checked = checked_with(source, root, base, true)?;
    Ok(crate::callees::list(&mut checked.cx))
}

fn explained(checked: &Checked) -> Result<String, Diagnostics> {
    Ok(effects::explain::explain(&checked.cx))
}

/// The directory of the package, which paths in messages are relative to.
fn package_dir(root: &Path) -> PathBuf {
    let mut dirs = root.ancestors().skip(1);
    let package = dirs.find(|d| d.join("Cargo.toml").is_file());
    package
        .or(root.parent())
        .unwrap_or(Path::new(""))
        .to_owned()
}

fn on_big_stack<T, F>(f: F) -> Result<T, Diagnostics>
where
    T: Send,
    F: FnOnce() -> Result<T, Diagnostics> + Send,
{
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new()
            .stack_size(STACK)
            .spawn_scoped(scope, Sabotage::carried(f));
        let why = match thread.map(|t| t.join()) {
            Ok(Ok(result)) => return result,
            Ok(Err(_)) => "a check of its own failed".to_owned(),
            Err(e) => e.to_string(),
        };
        let mut diags = Diagnostics::default();
        diags.push(Diagnostic::global(DiagCode::Internal, &[&why]));
        Err(diags)
    })
}

/// A crate whose traced code is typed, with the effects of what it calls.
struct Checked {
    cx: Cx,
    funcs: PrimaryMap<FuncId, Func>,
    unknown_effects: Vec<Option<String>>,
}

fn checked(source: &dyn Files, root: &Path, base: PathBuf) -> Result<Checked, Diagnostics> {
    checked_with(source, root, base, false)
}

/// The same, with notes on what calls mean if they are asked for.
fn checked_with(
    source: &dyn Files,
    root: &Path,
    base: PathBuf,
    notes: bool,
) -> Result<Checked, Diagnostics> {
    attempt(source, root, &base, notes, Places::Calls).map_err(|failed| {
        let again = || attempt(source, root, &base, notes, Places::Definitions).err();
        let defined = blame::is_expanded(&failed).then(again).flatten();
        blame::settled(*failed, defined.as_deref())
    })
}

/// One check; if there are mistakes, the tables with them.
fn attempt(
    source: &dyn Files,
    root: &Path,
    base: &Path,
    notes: bool,
    places: Places,
) -> Result<Checked, Box<Cx>> {
    let mut loader = Loader::new(source, base.to_owned());
    let mut diags = Vec::new();
    let krate = collect(&mut loader, root, places, &mut diags);
    let portal = match diags.is_empty() {
        true => find_portal(&krate, &mut diags),
        false => None,
    };
    let mut cx = Cx::new(krate, diags);
    cx.callees = notes.then(BTreeMap::new);
    let Some(portal) = portal else {
        return Err(Box::new(cx));
    };
    *cx.krate.glob_uses.borrow_mut() = Some(BTreeSet::new());
    // Forget the look-ups made before uses of globs were noted.
    cx.krate.forget_imports();
    cx.enter(portal);
    let mut funcs = PrimaryMap::new();
    while let Some(func) = cx.queue.unchecked.pop_front() {
        let known = cx.diags.list.len();
        let checked = cx.caller_func(func);
        funcs.push(checked.unwrap_or_else(|| check_func(&mut cx, func)));
        for found in &mut cx.diags.list[known..] {
            found.found_in = Some(func);
        }
    }
    crate::glue::pointers::complete(&mut cx, &mut funcs);
    unique_names(&mut funcs);
    crate::names::unknown_attributes::check(&mut cx);
    crate::off_heap::check(&mut cx);
    recursion::check(&mut cx);
    crate::types::adt::check_finite(&mut cx);
    if cx.diags.list.is_empty() {
        crate::layout::components::split(&mut cx);
        crate::layout::inline_values::complete(&mut cx);
        crate::glue::signatures::complete(&mut cx);
    }
    if !cx.diags.list.is_empty() {
        effects::suggest_attribute::advise(&mut cx);
        return Err(Box::new(cx));
    }
    let unknown_effects = effects::summarise(&mut cx);
    if !cx.diags.list.is_empty() {
        return Err(Box::new(cx));
    }
    Ok(Checked {
        cx,
        funcs,
        unknown_effects,
    })
}

fn check(source: &dyn Files, root: &Path, base: PathBuf) -> Result<TypedProgram, Diagnostics> {
    let Checked {
        cx,
        funcs,
        unknown_effects,
    } = checked(source, root, base)?;
    let places = crate::glue::source_locations::declared(&cx);
    let advice = crate::glue::source_locations::advice(&cx);
    let mut has_slots = SecondaryMap::new();
    for (class, src) in &cx.interned.classes {
        has_slots[class] = src.has_slots();
    }
    Ok(TypedProgram {
        places,
        advice,
        has_slots,
        types: crate::glue::declared::types(&cx),
        files: cx.krate.files,
        descrs: cx.descrs,
        class_glue: cx.glue.classes,
        fn_glue: cx.glue.fns,
        portal_glue: cx.glue.portal,
        supports: cx.glue.supports.list,
        own_probes: cx.glue.own_probes.into_iter().collect(),
        unknown_effects,
        objects: cx.interned.objects,
        adts: cx.interned.adts,
        field_parts: cx.interned.field_parts,
        item_parts: cx.interned.item_parts,
        funcs,
        portal: FuncId::new(0),
    })
}

/// Numbers functions that have one path: those declared in blocks.
fn unique_names(funcs: &mut PrimaryMap<FuncId, Func>) {
    let mut seen: FxHashMap<String, u32> = FxHashMap::default();
    for func in funcs.values_mut() {
        let count = seen.entry(func.name.clone()).or_default();
        *count += 1;
        if *count > 1 {
            func.name = format!("{}#{count}", func.name);
        }
    }
}

/// The one portal.
fn find_portal(krate: &Crate, diags: &mut Vec<Diagnostic>) -> Option<FnItemId> {
    let portals = krate.fns.iter().filter(|(_, f)| f.attrs.portal);
    let portals: Vec<FnItemId> = portals.map(|(id, _)| id).collect();
    let Some((&first, others)) = portals.split_first() else {
        diags.push(Diagnostic::global(DiagCode::NoPortal, &[]));
        return None;
    };
    let place = krate.fns[first].span;
    for &other in others {
        let d = Diagnostic::new(DiagCode::ManyPortals, krate.fns[other].span, &[]);
        diags.push(d.at(place, "the first one"));
    }
    if krate.fns[first].owner.is_some() {
        let words = [
            "the portal must be a free function",
            "move it out of the `impl` block",
        ];
        diags.push(Diagnostic::new(DiagCode::BadAttribute, place, &words));
    }
    Some(first)
}
