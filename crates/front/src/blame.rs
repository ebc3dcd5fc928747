//! Whose token a mistake is about, and which mistakes are one.
//!
//! In: the diagnostics of a check that has failed, with its tables; and those of the same check
//! with the tokens of macros at the places where the macros define them. Out: the diagnostics that
//! are shown. Invariants: what was found in the library is shown at the call in the user's source
//! that leads there, if there is one; what has one cause, a token of a macro or of a function with
//! several instances, is shown once.

use crate::cx::Cx;
use crate::expand::Expansions;
use crate::items::Crate;
use crate::source::diag::{DiagCode, Diagnostic, Diagnostics};
use crate::std_model::library::PREFIX;
use crate::tast::{FileId, FuncId, Span};
use rustc_hash::{FxHashMap, FxHashSet};

/// How many places or messages of one kind are shown.
const SHOWN: usize = 3;

/// Whether a diagnostic has to do with a macro of the crate.
pub(crate) fn is_expanded(cx: &Cx) -> bool {
    let expansions = &cx.krate.expansions;
    let places = |d: &Diagnostic| places(d).any(|span| expansions.at(span).is_some());
    cx.diags.list.iter().any(places)
}

/// What is shown. `defined` is the same check with macros' tokens at their definitions, if it has
/// failed too.
pub(crate) fn settled(mut cx: Cx, defined: Option<&Cx>) -> Diagnostics {
    let found = std::mem::take(&mut cx.diags.list);
    let blamed = match defined {
        Some(defined) => with_definitions(&cx.krate, found, defined),
        None => found.into_iter().map(Blamed::from).collect(),
    };
    let blamed = at_users_calls(&cx, blamed);
    let blamed = once_for_instances(blamed);
    let list = once_for_macros(&cx.krate.expansions, blamed);
    let mut diags = Diagnostics::new(cx.krate.files);
    for mut diagnostic in list {
        diagnostic.found_in = None;
        diags.push(diagnostic);
    }
    diags.sort();
    diags
}

/// A diagnostic, and the token of a macro that it is about.
struct Blamed {
    shown: Diagnostic,
    token: Option<Span>,
}

impl From<Diagnostic> for Blamed {
    fn from(shown: Diagnostic) -> Blamed {
        Blamed { shown, token: None }
    }
}

/// The main place, then the others.
fn places(d: &Diagnostic) -> impl Iterator<Item = Span> {
    let others = d.labels.iter().map(|label| label.0);
    d.span.into_iter().chain(others)
}

/// Finds the tokens of macros: the mistakes of both checks are found in the same order, but for
/// those that the places of tokens have to do with.
fn with_definitions(krate: &Crate, found: Vec<Diagnostic>, defined: &Cx) -> Vec<Blamed> {
    let mut twins: FxHashMap<(DiagCode, Option<FuncId>), Vec<&Diagnostic>> = FxHashMap::default();
    for twin in &defined.diags.list {
        let kind = (twin.code, twin.found_in);
        twins.entry(kind).or_default().push(twin);
    }
    let mut counts: FxHashMap<(DiagCode, Option<FuncId>), usize> = FxHashMap::default();
    for d in &found {
        *counts.entry((d.code, d.found_in)).or_default() += 1;
    }
    twins.retain(|kind, twins| counts.get(kind) == Some(&twins.len()));
    twins.values_mut().for_each(|twins| twins.reverse());
    let blame = |mut shown: Diagnostic| {
        let twins = twins.get_mut(&(shown.code, shown.found_in));
        let Some(twin) = twins.and_then(Vec::pop) else {
            return Blamed::from(shown);
        };
        let token = |call: Span, other: Option<Span>| {
            let inside = krate.expansions.definition_around(other?)?;
            let is_call = krate.expansions.at(call).is_some();
            (is_call && inside.extent != other?).then_some(other?)
        };
        let main = shown.span.and_then(|span| token(span, twin.span));
        let mut first = None;
        for (n, label) in shown.labels.iter_mut().enumerate() {
            let other = twin.labels.get(n).map(|label| label.0);
            if let Some(span) = token(label.0, other) {
                label.0 = span;
                first = first.or(Some(span));
            }
        }
        Blamed {
            shown,
            token: main.or(first),
        }
    };
    found.into_iter().map(blame).collect()
}

/// Shows what was found in the library, or in our own texts, where the user's source calls it.
fn at_users_calls(cx: &Cx, blamed: Vec<Blamed>) -> Vec<Blamed> {
    let mut callers: FxHashMap<FuncId, Vec<(FuncId, Span)>> = FxHashMap::default();
    for &(from, to, at) in &cx.queue.calls {
        callers.entry(to).or_default().push((from, at));
    }
    let mut out: Vec<Blamed> = Vec::new();
    let mut at_calls: FxHashMap<(u32, u32, u32), usize> = FxHashMap::default();
    for mut one in blamed {
        let d = &one.shown;
        let inside = d.span.filter(|span| !is_users(&cx.krate, span.file));
        let calls = match (inside, d.found_in) {
            (Some(_), Some(func)) => calls_of_users(&cx.krate, func, &callers),
            _ => Vec::new(),
        };
        let (Some(inside), Some(&(call, callee))) = (inside, calls.first()) else {
            out.push(one);
            continue;
        };
        let key = (call.file.as_u32(), call.lo, call.hi);
        if let Some(&known) = at_calls.get(&key) {
            let d = &mut out[known].shown;
            let note = format!("also there: {}", one.shown.message);
            if d.notes.len() < SHOWN && !d.notes.contains(&note) && d.message != one.shown.message {
                d.notes.push(note);
            }
            continue;
        }
        at_calls.insert(key, out.len());
        let name = cx.inst_path(cx.queue.func_items[callee]);
        let d = &mut one.shown;
        let why = d.label.take();
        d.span = Some(call);
        d.label = Some(format!(
            "this calls `{name}`, which traced code cannot look into"
        ));
        d.labels
            .insert(0, (inside, why.unwrap_or_else(|| "here".to_owned())));
        for (other, _) in calls.iter().skip(1).take(SHOWN) {
            d.labels.push((*other, "and this".to_owned()));
        }
        if let Some(more) = calls.len().checked_sub(SHOWN + 1).filter(|more| *more > 0) {
            d.notes
                .push(format!("calls that lead there, and are not shown: {more}"));
        }
        let method = &cx.krate.fns[cx.queue.func_items[callee].item].name;
        d.help = Some(match d.code {
            // A bound that is not satisfied, which rustc complains about too.
            DiagCode::NoMethod => format!(
                "implement what `{method}` asks of its types, as `cargo check` says; or move the call of `{method}` to a function of yours marked `#[opaque]`, and call that"
            ),
            _ => format!(
                "move the call of `{method}` to a function of yours marked `#[opaque]`, and call that"
            ),
        });
        out.push(one);
    }
    out
}

fn is_users(krate: &Crate, file: FileId) -> bool {
    let file = &krate.files[file];
    !file.is_ours() && !file.path.starts_with(PREFIX)
}

/// The calls in the user's source that lead to a function on ways through the library alone, with
/// what they call, in the order of the source.
fn calls_of_users(
    krate: &Crate,
    func: FuncId,
    callers: &FxHashMap<FuncId, Vec<(FuncId, Span)>>,
) -> Vec<(Span, FuncId)> {
    let mut calls: Vec<(Span, FuncId)> = Vec::new();
    let mut seen = FxHashSet::from_iter([func]);
    let mut work = vec![func];
    while let Some(callee) = work.pop() {
        for &(caller, at) in callers.get(&callee).into_iter().flatten() {
            if is_users(krate, at.file) {
                if !calls.iter().any(|call| call.0 == at) {
                    calls.push((at, callee));
                }
            } else if seen.insert(caller) {
                work.push(caller);
            }
        }
    }
    calls.sort_by_key(|(at, _)| (at.file, at.lo, at.hi));
    calls
}

/// Shows a mistake once that several instances of a function have, or several functions into which
/// it is copied.
fn once_for_instances(blamed: Vec<Blamed>) -> Vec<Blamed> {
    let mut out: Vec<Blamed> = Vec::new();
    let mut firsts: FxHashMap<(DiagCode, u32, u32, u32), Vec<usize>> = FxHashMap::default();
    let mut others: FxHashMap<usize, usize> = FxHashMap::default();
    // What lacks an attribute, by the message that names it.
    let mut declared: FxHashMap<String, usize> = FxHashMap::default();
    for one in blamed {
        let Some(span) = one.shown.span.filter(|_| one.token.is_none()) else {
            out.push(one);
            continue;
        };
        let key = (one.shown.code, span.file.as_u32(), span.lo, span.hi);
        let missing = matches!(one.shown.code, DiagCode::NotGcStruct | DiagCode::NotAValue);
        if missing && let Some(&first) = declared.get(&one.shown.message) {
            also_needed(&mut out[first].shown, span);
            continue;
        }
        if missing {
            declared.insert(one.shown.message.clone(), out.len());
        }
        let firsts = firsts.entry(key).or_default();
        let same = firsts.iter().copied().find(|&first| {
            let shown = &out[first].shown;
            shown.found_in.is_some() && shown.found_in != one.shown.found_in
        });
        match same {
            Some(first) => {
                let count = others.entry(first).or_default();
                *count += 1;
                if *count < SHOWN {
                    add(&mut out[first].shown, one.shown);
                }
            }
            None => {
                firsts.push(out.len());
                out.push(one);
            }
        }
    }
    for (first, count) in others {
        if count >= SHOWN {
            let more = count + 1 - SHOWN;
            let note = match more {
                1 => "and once more".to_owned(),
                more => format!("and {more} times more"),
            };
            out[first].shown.notes.push(note);
        }
    }
    out
}

/// Adds a place to a mistake that is repaired where a type is declared.
fn also_needed(shown: &mut Diagnostic, span: Span) {
    const LABEL: &str = "needed here too";
    let others = shown.labels.iter().filter(|label| label.1 == LABEL);
    let known = shown.span == Some(span) || others.clone().any(|label| label.0 == span);
    if !known && others.count() < SHOWN {
        shown.labels.push((span, LABEL.to_owned()));
    }
}

/// Adds to a mistake what the same one says elsewhere.
fn add(shown: &mut Diagnostic, other: Diagnostic) {
    if other.message != shown.message {
        shown.notes.push(format!("also: {}", other.message));
    }
    for note in other.notes {
        if !shown.notes.contains(&note) {
            shown.notes.push(note);
        }
    }
}

/// Shows a mistake of a macro once, however often the macro is used.
fn once_for_macros(expansions: &Expansions, blamed: Vec<Blamed>) -> Vec<Diagnostic> {
    let mut out: Vec<(Blamed, Vec<Blamed>)> = Vec::new();
    let mut firsts: FxHashMap<(DiagCode, u32, u32, u32), usize> = FxHashMap::default();
    for one in blamed {
        let of_macro = one
            .token
            .filter(|_| one.shown.code != DiagCode::BadExpansion);
        let Some(token) = of_macro else {
            out.push((one, Vec::new()));
            continue;
        };
        let key = (one.shown.code, token.file.as_u32(), token.lo, token.hi);
        match firsts.get(&key) {
            Some(&first) => out[first].1.push(one),
            None => {
                firsts.insert(key, out.len());
                out.push((one, Vec::new()));
            }
        }
    }
    let settle = |(first, others): (Blamed, Vec<Blamed>)| in_macro(expansions, first, others);
    out.into_iter().map(settle).collect()
}

fn in_macro(expansions: &Expansions, first: Blamed, mut others: Vec<Blamed>) -> Diagnostic {
    let Blamed { mut shown, token } = first;
    let Some(call) = shown.span.filter(|_| shown.code != DiagCode::BadExpansion) else {
        return shown;
    };
    let Some(token) = token else {
        return match expansions.at(call) {
            Some(of) => {
                let label = format!("in the expansion of `{}!`", of.name);
                shown.at(of.defined, label)
            }
            None => shown,
        };
    };
    let name = expansions.definition_around(token);
    let name = name.map_or(String::new(), |of| of.name.clone());
    let mut times = vec![(call, shown.found_in)];
    others.retain(|other| match other.shown.span {
        Some(span) if times.contains(&(span, other.shown.found_in)) => {
            shown.message != other.shown.message
        }
        span => {
            times.extend(span.map(|span| (span, other.shown.found_in)));
            true
        }
    });
    times.sort_by_key(|(call, _)| (call.file, call.lo));
    if times.len() > 1 {
        shown.span = Some(token);
        shown.labels.retain(|label| label.0 != token);
        shown = shown.at(times[0].0, "first here");
        let times = times.len();
        let note = format!("this token of `{name}!` gives the same mistake {times} times");
        shown.notes.push(note);
    } else if !shown.labels.iter().any(|label| label.0 == token) {
        shown = shown.at(token, format!("in the expansion of `{name}!`"));
    }
    for other in others.into_iter().take(SHOWN - 1) {
        add(&mut shown, other.shown);
    }
    shown
}
