//! Recursion among traced functions, which inlining could not end.
//!
//! In: who calls whom. Out: a diagnostic per cycle. Invariant: calls of the portal are residual
//! calls and no part of a cycle.

use crate::cx::Cx;
use crate::source::diag::{DiagCode, Diagnostic};
use crate::tast::{FuncId, Span};
use cranelift_entity::SecondaryMap;
use rustc_hash::{FxHashMap, FxHashSet};

/// Complains about every function that can call itself, once per group of functions that call each
/// other.
pub(crate) fn check(cx: &mut Cx) {
    let mut calls: FxHashMap<FuncId, Vec<(FuncId, Span)>> = FxHashMap::default();
    for &(from, to, at) in &cx.queue.calls {
        calls.entry(from).or_default().push((to, at));
    }
    let suspects = between_cycles(cx);
    calls.retain(|from, _| suspects[*from]);
    let mut reported: FxHashSet<FuncId> = FxHashSet::default();
    for func in cx.queue.func_items.keys().collect::<Vec<_>>() {
        if reported.contains(&func) || !suspects[func] {
            continue;
        }
        let Some(cycle) = cycle_of(func, &calls) else {
            continue;
        };
        reported.extend(cycle.iter().map(|(f, _)| *f));
        let inst = cx.queue.func_items[func];
        let span = cx.krate.fns[inst.item].span;
        let path = cx.inst_path(inst);
        let mut d = Diagnostic::new(DiagCode::Recursion, span, &[&path]);
        for (callee, at) in &cycle {
            let name = cx.inst_path(cx.queue.func_items[*callee]);
            d = d.at(*at, format!("calls `{name}`"));
        }
        cx.report(d.attribute("#[opaque]", span));
    }
}

/// The functions in cycles, and on ways from one cycle to another: all others call none of these,
/// or none of these calls them. In most programs there are none.
fn between_cycles(cx: &Cx) -> SecondaryMap<FuncId, bool> {
    let mut suspects = SecondaryMap::new();
    cx.queue
        .func_items
        .keys()
        .for_each(|func| suspects[func] = true);
    for backwards in [false, true] {
        let mut next: SecondaryMap<FuncId, Vec<FuncId>> = SecondaryMap::new();
        let mut before: SecondaryMap<FuncId, usize> = SecondaryMap::new();
        for &(from, to, _) in &cx.queue.calls {
            let (from, to) = if backwards { (to, from) } else { (from, to) };
            if suspects[from] && suspects[to] {
                next[from].push(to);
                before[to] += 1;
            }
        }
        let all = cx.queue.func_items.keys();
        let mut work: Vec<FuncId> = all.filter(|&f| suspects[f] && before[f] == 0).collect();
        while let Some(func) = work.pop() {
            suspects[func] = false;
            for &to in &next[func] {
                before[to] -= 1;
                if before[to] == 0 {
                    work.push(to);
                }
            }
        }
    }
    suspects
}

/// A shortest chain of calls from a function to itself: each callee, and where it is called.
fn cycle_of(
    func: FuncId,
    calls: &FxHashMap<FuncId, Vec<(FuncId, Span)>>,
) -> Option<Vec<(FuncId, Span)>> {
    let mut came: FxHashMap<FuncId, (FuncId, Span)> = FxHashMap::default();
    let mut front = vec![func];
    while !front.is_empty() && !came.contains_key(&func) {
        let mut next = Vec::new();
        for from in front {
            for &(to, at) in calls.get(&from).into_iter().flatten() {
                if let std::collections::hash_map::Entry::Vacant(entry) = came.entry(to) {
                    entry.insert((from, at));
                    next.push(to);
                }
            }
        }
        front = next;
    }
    let mut cycle = Vec::new();
    let mut at = func;
    loop {
        let &(from, span) = came.get(&at)?;
        cycle.push((at, span));
        at = from;
        if at == func {
            break;
        }
    }
    cycle.reverse();
    Some(cycle)
}
