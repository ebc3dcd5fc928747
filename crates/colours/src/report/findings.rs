//! Diagnostics: errors for `concrete` that cannot be met, warnings for greens that follow from reds
//! and for a dispatch by a red. Each place is reported once.

use super::chain::{QUOTE, ReasonChain, explain};
use crate::analysis::Analysis;
use crate::colour::Colour;
use crate::solver::demand::{Demand, DemandKind, demands};
use rustc_hash::FxHashSet;
use verdigris_front::tast::Span;
use verdigris_front::{DiagCode, Diagnostic};
use verdigris_graph::{BlockId, ValueId};

const SHARED: &str =
    "values of different variants share places here, so that one red variant makes all of them red";

/// The note on a dispatch that keeps the specialiser from working.
const REFUSED: &str = "the second compiler refuses this interpreter: it has to know the instruction before the program runs";

/// The error of an interpreter whose every dispatch is by a red value, so that it cannot be
/// specialised. None if one dispatch is not red, or may not be.
pub fn red_dispatch(analysis: &Analysis<'_>) -> Option<Diagnostic> {
    let mut demands = demands(analysis);
    demands.retain(|demand| matches!(demand.kind, DemandKind::Dispatch(_)));
    let colours = |d: &Demand| analysis.solution.specs[d.spec].colours[d.value];
    if demands.iter().any(|demand| colours(demand) != Colour::Red) {
        return None;
    }
    let explained = demands
        .iter()
        .map(|d| (d, explain(analysis, d.spec, d.value)));
    let explained: Vec<(&Demand, ReasonChain)> = explained.collect();
    if explained.iter().any(|(_, chain)| chain.shared) {
        return None;
    }
    let (demand, chain) = explained.into_iter().next()?;
    Some(complaint(analysis, demand, chain))
}

/// All complaints, in the order of the source.
pub fn findings(analysis: &Analysis<'_>) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    let mut seen: FxHashSet<(DiagCode, u32, u32, u32)> = FxHashSet::default();
    let is_refused = red_dispatch(analysis).is_some();
    for demand in demands(analysis) {
        let spec = &analysis.solution.specs[demand.spec];
        if spec.colours[demand.value] != Colour::Red {
            continue;
        }
        let chain = explain(analysis, demand.spec, demand.value);
        let advice = !matches!(demand.kind, DemandKind::Concrete(..));
        if advice && chain.shared {
            // It may be another variant that is red; advice that is wrong is worse than none.
            continue;
        }
        let mut complaint = complaint(analysis, &demand, chain);
        if is_refused && complaint.code == DiagCode::RedDispatch {
            complaint = complaint.note(REFUSED);
        }
        let key = complaint
            .span
            .map_or((0, 0, 0), |s| (s.file.as_u32(), s.lo, s.hi));
        if seen.insert((complaint.code, key.0, key.1, key.2)) {
            out.push(complaint);
        }
    }
    out.sort_by_key(|d| d.span.map(|s| (s.file, s.lo, s.hi)));
    out
}

fn complaint(analysis: &Analysis<'_>, demand: &Demand, chain: ReasonChain) -> Diagnostic {
    let func = analysis.solution.specs[demand.spec].func;
    let annotated = &analysis.input.graphs[func];
    let fallback = analysis.input.source.funcs[func].span;
    let (code, span, word) = match demand.kind {
        DemandKind::Concrete(block, n) => {
            let span = annotated.notes.ops[block].get(n).copied();
            (DiagCode::NotConcrete, span, String::new())
        }
        DemandKind::Green(_, n) => {
            let merge = analysis.flows[func].merge;
            let green = merge.and_then(|m| annotated.graph.blocks[m].params.get(n).copied());
            let span = green.and_then(|v| merge_point_span(analysis, demand, v));
            let name = green.and_then(|v| annotated.notes.names[v]);
            let name = name.map(|l| analysis.input.source.funcs[func].locals[l].name.clone());
            (DiagCode::ChangingGreen, span, name.unwrap_or_default())
        }
        DemandKind::Dispatch(block) => (
            DiagCode::RedDispatch,
            end(analysis, demand, block),
            String::new(),
        ),
    };
    let span = span.unwrap_or(fallback);
    let mut out = Diagnostic::new(code, span, &[&word]);
    let several = chain.links.len() > 1;
    for (n, link) in chain.links.iter().enumerate() {
        let text = match several {
            true => format!("{}. {}", n + 1, link.text),
            false => link.text.clone(),
        };
        out = match link.span {
            Some(at) if at == span => out.label(text),
            Some(at) => out.at(at, text),
            None => out.note(text),
        };
    }
    if chain.shared {
        out = out.note(SHARED);
    }
    let help = match (code, short(analysis, span)) {
        // Names the value that is to be promoted.
        (DiagCode::RedDispatch, Some(text)) => {
            let written = format!("write `promote({text})`");
            let help = chain.help.replacen("`promote` the value", &written, 1);
            help.replacen("`promote` the result", &written, 1)
        }
        _ => chain.help,
    };
    match help.is_empty() {
        true => out,
        false => out.help(help),
    }
}

/// The source of a span, if it is short.
fn short<'a>(analysis: &'a Analysis<'_>, span: Span) -> Option<&'a str> {
    let text = &analysis.input.source.files.get(span.file)?.text;
    let text = text.get(span.lo as usize..span.hi as usize)?;
    (text.len() <= QUOTE && !text.contains('\n')).then_some(text)
}

fn end(analysis: &Analysis<'_>, demand: &Demand, block: BlockId) -> Option<Span> {
    let func = analysis.solution.specs[demand.spec].func;
    analysis.input.graphs[func].notes.ends[block]
}

/// Where a green stands in the list of the merge point.
fn merge_point_span(analysis: &Analysis<'_>, demand: &Demand, green: ValueId) -> Option<Span> {
    let func = analysis.solution.specs[demand.spec].func;
    analysis.flows[func].places[green]
}
