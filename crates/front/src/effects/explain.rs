//! What called functions are believed to do to the heap, and who is to blame, as text for the
//! author of an interpreter.
//!
//! In: the crate, checked, and the functions that traced code calls. Out: for each of them what is
//! assumed, and for each place that it may read or write the shortest chain of names that leads
//! from it to a body that names the place. Invariant: it is what [`crate::effects::summarise`]
//! finds, place by place.

use crate::cx::Cx;
use crate::cx::sources::Target;
use crate::effects::index::Index;
use crate::effects::lent;
use crate::effects::reach::{Reach, Summaries, Way, chain};
use crate::types::generics::Inst;
use std::fmt::Write;
use verdigris_ops::{Effects, FnId, FnKind, Places};

/// What is assumed of the functions that traced code calls, in the order of their names. The
/// effects have been summarised.
pub(crate) fn explain(cx: &Cx) -> String {
    let index = Index::new(&cx.krate, crate::effects::names_library(cx));
    let mut summaries = Summaries::new(cx, &index);
    let mut doubting = Summaries::suspicious(cx, &index);
    let called = cx
        .queue
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
        text += &doubts(cx, &mut doubting, inst, &info.effects.suspects);
    }
    text
}

/// What a function may write although attributes promise that it does not, and who is to blame:
/// these places are loaded again behind each call. Of a function about which nothing is known, the
/// reason.
fn doubts(cx: &Cx, doubting: &mut Summaries<'_>, inst: Inst, suspects: &Places) -> String {
    if *suspects == Places::none() {
        return String::new();
    }
    let mut text = "    in doubt, whatever attributes say: loaded again behind a call\n".to_owned();
    let reach = doubting.reach(inst);
    if let (Some(what), Some(last)) = (&reach.refusal, reach.steps.len().checked_sub(1)) {
        let who = who(doubting, &reach, last);
        let _ = writeln!(text, "        anything in several words: {what}, {who}");
        return text;
    }
    let mut left = suspects.clone();
    for at in 0..reach.steps.len() {
        let others = left.without(&reach.steps[at].effects.writes);
        let writes = left.without(&others);
        left = others;
        if writes != Places::none() {
            let _ = writeln!(text, "        {}", who(doubting, &reach, at));
            by_name(&mut text, doubting, &reach, at, "            ");
            text += "    ";
            line(cx, &mut text, "writes", &writes);
        }
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
    if !crate::effects::EFFECTS_MATTER.contains(&kind) {
        return "    touches nothing that changes, by its attribute\n".to_owned();
    }
    if item.attrs.loop_invariant {
        return "    reads nothing that a loop changes, by its attribute\n".to_owned();
    }
    let said = summaries.declared(inst);
    let mut text = String::new();
    if said.reads.is_some() || said.writes.is_some() {
        text += "    by its attribute\n";
        for (what, touched, all) in [
            ("reads", &said.reads, &effects.reads),
            ("writes", &said.writes, &effects.writes),
        ] {
            match (touched, all) {
                (Some(_), all) if *all == Places::none() => {
                    let _ = writeln!(text, "        {what} nothing that traced code knows");
                }
                (Some(_), all) => line(cx, &mut text, what, all),
                (None, _) => {}
            }
        }
    }
    let (by_reads, by_writes) = (said.reads.is_some(), said.writes.is_some());
    if by_reads && (by_writes || kind == FnKind::Readonly) {
        return text;
    }
    let anything = match kind {
        FnKind::Readonly => "may read anything",
        _ => "may do anything",
    };
    if let Some(why) = crate::effects::refusal(krate, summaries.index) {
        return text + &format!("    {anything}: {why}\n");
    }
    if let Err(why) = lent(krate, summaries.index, inst.item) {
        return text + &format!("    {anything}: it is lent {why}\n");
    }
    let reach = summaries.reach(inst);
    if let (Some(what), Some(last)) = (&reach.refusal, reach.steps.len().checked_sub(1)) {
        let who = who(summaries, &reach, last);
        let _ = writeln!(text, "    {anything}: {what}, {who}");
        by_name(&mut text, summaries, &reach, last, "    ");
        return text;
    }
    let mut before = Effects::none();
    if by_reads {
        before.reads = Places::All;
    }
    if by_writes || kind == FnKind::Readonly {
        // Read-only functions promise that their writes cannot be noticed.
        before.writes = Places::All;
    }
    for at in 0..reach.steps.len() {
        let effects = &reach.steps[at].effects;
        let reads = effects.reads.without(&before.reads);
        let writes = effects.writes.without(&before.writes);
        before.reads.join(&reads);
        before.writes.join(&writes);
        if reads == Places::none() && writes == Places::none() {
            continue;
        }
        let _ = writeln!(text, "    {}", who(summaries, &reach, at));
        by_name(&mut text, summaries, &reach, at, "        ");
        line(cx, &mut text, "reads", &reads);
        line(cx, &mut text, "writes", &writes);
    }
    if text.is_empty() {
        text += "    touches nothing that traced code knows\n";
    }
    text
}

/// Who runs a body: the names of the functions that lead to it.
fn who(summaries: &mut Summaries<'_>, reach: &Reach, at: usize) -> String {
    let ways = chain(&reach.steps, at);
    let mut names: Vec<String> = Vec::new();
    for &way in &ways {
        names.push(summaries.name(reach.steps[way].way));
    }
    match ways[0] {
        _ if at == 0 => "by itself".to_owned(),
        0 => format!("by `{}`", names[1..].join("` -> `")),
        _ if reach.steps[at].way == Way::Derived => format!("by {}", names[0]),
        _ => format!(
            "by what the standard library may call: `{}`",
            names.join("` -> `")
        ),
    }
}

/// Says why a body counts by the names in it: something in it, or in what leads to it, is outside
/// of the subset.
fn by_name(
    text: &mut String,
    summaries: &mut Summaries<'_>,
    reach: &Reach,
    at: usize,
    indent: &str,
) {
    if !matches!(reach.steps[at].way, Way::Named(_)) {
        return;
    }
    for &way in chain(&reach.steps, at).iter().rev() {
        let step = &reach.steps[way];
        let Some(beyond) = &step.beyond else { continue };
        let _ = match way == at {
            true => writeln!(
                text,
                "{indent}by the names in it, for it is outside of the subset: {beyond}"
            ),
            false => {
                let who = summaries.name(step.way);
                writeln!(
                    text,
                    "{indent}by the names in it, for `{who}` is outside of the subset: {beyond}"
                )
            }
        };
        return;
    }
    let _ = writeln!(text, "{indent}by the names in it");
}

fn line(cx: &Cx, text: &mut String, what: &str, places: &Places) {
    if *places != Places::none() {
        let names = crate::effects::effect_names::places(&cx.descrs, places);
        let _ = writeln!(text, "        {what} {}", names.join(", "));
    }
}
