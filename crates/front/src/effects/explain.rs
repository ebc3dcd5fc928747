//! What called functions are believed to do to the heap, and who is to blame, as text for the author of an interpreter.
//!
//! In: the crate, checked, and the functions that traced code calls. Out: for each of them what is assumed, and for each place that it may read or
//! write the shortest chain of names that leads from it to a body that names the place. Invariant: it is what
//! [`super::summarise`] finds, place by place.

use super::{Index, Named, Node, Summaries, Summary, declared, join, lent, name, places};
use crate::cx::{Cx, Target};
use crate::generics::Inst;
use std::collections::HashMap;
use std::fmt::Write;
use verdigris_ops::{Effects, FnId, FnKind, Places};

/// What is assumed of the functions that traced code calls, in the order of their names. The effects have been summarised.
pub(crate) fn explain(cx: &Cx) -> String {
    let krate = &cx.krate;
    let index = Index::new(krate, super::names_library(cx));
    let mut summaries = Summaries {
        krate,
        index: &index,
        bodies: HashMap::new(),
    };
    let called = cx
        .targets
        .iter()
        .filter_map(|(&inst, target)| match target {
            Target::Called(id) => Some((inst, *id)),
            _ => None,
        });
    let mut called: Vec<(Inst, FnId)> = called.collect();
    called.sort_by(|a, b| cx.descrs.fns[a.1].name.cmp(&cx.descrs.fns[b.1].name));
    let mut text = String::new();
    for (inst, id) in called {
        let info = &cx.descrs.fns[id];
        let _ = writeln!(text, "{} ({})", info.name, info.kind.name());
        text += &about(cx, &mut summaries, inst, info.kind, &info.effects);
    }
    text
}

/// What is assumed of one function.
fn about(
    cx: &Cx,
    summaries: &mut Summaries<'_>,
    inst: Inst,
    kind: FnKind,
    effects: &Effects,
) -> String {
    let krate = &cx.krate;
    let item = &krate.fns[inst.item];
    if !super::EFFECTS_MATTER.contains(&kind) {
        return "    touches nothing that changes, by its attribute\n".to_owned();
    }
    if item.attrs.loop_invariant {
        return "    reads nothing that a loop changes, by its attribute\n".to_owned();
    }
    if declared(cx, inst).is_some() {
        let mut text = "    by its attribute\n".to_owned();
        line(cx, &mut text, "reads", &effects.reads);
        return text;
    }
    let anything = match kind {
        FnKind::Readonly => "may read anything",
        _ => "may do anything",
    };
    if let Some(why) = krate.survey.refusal(krate) {
        return format!("    {anything}: {why}\n");
    }
    if let Err(why) = lent(krate, summaries.index, inst.item) {
        return format!("    {anything}: it is lent {why}\n");
    }
    let reach = summaries.reach(inst.item);
    let leads: HashMap<Node, Option<Node>> = reach.iter().copied().collect();
    let chain = |summaries: &Summaries<'_>, node: Node| {
        let ways = std::iter::successors(Some(node), |n| leads.get(n).copied().flatten());
        let mut names: Vec<String> = ways.map(|n| name(krate, summaries.index, n)).collect();
        names.reverse();
        if node == Node::Fn(inst.item) {
            "by itself".to_owned()
        } else if names[0] == krate.fn_path(inst.item) {
            format!("by `{}`", names[1..].join("` -> `"))
        } else {
            let names = names.join("` -> `");
            format!("by what the standard library may call: `{names}`")
        }
    };
    let mut text = String::new();
    let mut before = Summary::default();
    let shown = Named {
        fields: krate.survey.shown.iter().cloned().collect(),
        items: false,
    };
    let derived = ("by a derived `Debug`".to_owned(), shown, Named::default());
    let mut steps = vec![derived];
    for &(node, _) in &reach {
        let body = summaries.body(node);
        if let Some(what) = body.refusal.clone() {
            let who = chain(summaries, node);
            return format!("    {anything}: {what}, {who}\n");
        }
        let (reads, writes) = (body.reads.clone(), body.writes.clone());
        steps.push((chain(summaries, node), reads, writes));
    }
    for (who, reads, writes) in steps {
        let news = [
            ("reads", new_places(cx, &mut before.reads, &reads)),
            (
                "writes",
                match kind {
                    // It promises that nobody can notice what it writes.
                    FnKind::Readonly => Places::none(),
                    _ => new_places(cx, &mut before.writes, &writes),
                },
            ),
        ];
        if news.iter().all(|(_, new)| *new == Places::none()) {
            continue;
        }
        let _ = writeln!(text, "    {who}");
        for (what, new) in &news {
            line(cx, &mut text, what, new);
        }
    }
    debug_assert_eq!(places(&cx.descrs, &before.reads), effects.reads);
    if text.is_empty() {
        text += "    touches nothing that traced code knows\n";
    }
    text
}

/// The places of these names that nobody has named before.
fn new_places(cx: &Cx, before: &mut Named, named: &Named) -> Places {
    let new = Named {
        fields: named.fields.difference(&before.fields).cloned().collect(),
        items: named.items && !before.items,
    };
    join(before, named);
    places(&cx.descrs, &new)
}

fn line(cx: &Cx, text: &mut String, what: &str, places: &Places) {
    if *places != Places::none() {
        let _ = writeln!(text, "        {what} {}", places.print(&cx.descrs));
    }
}
