//! Explains why a value is not green: the chain of causes, each with its place in the source, and a
//! remedy. The chain ends even if functions call each other in circles.

use super::origin;
use crate::analysis::Analysis;
use crate::solver::flow::Def;
use crate::solver::spec::SpecId;
use crate::solver::spec::{Cause, Spec};
use rustc_hash::FxHashSet;
use verdigris_front::tast::{FuncId, Span, Type, TypedProgram, shape};
use verdigris_graph::{BlockId, Control, GraphDescr, GraphOp, GraphOpcode, ValueId};
use verdigris_ops::DataOp;

/// Longer pieces of source are not quoted.
pub const QUOTE: usize = 32;

/// More links are left out from the middle.
const MOST: usize = 10;

/// A step from a value towards the reason of its colour.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReasonLink {
    /// Where.
    pub span: Option<Span>,
    /// The text.
    pub text: String,
}

/// The reason of a colour.
#[derive(Clone, Debug, Default)]
pub struct ReasonChain {
    /// From the value to the origin.
    pub links: Vec<ReasonLink>,
    /// The remedy.
    pub help: String,
    /// Whether the way goes through a component that several variants of a type share: another
    /// variant may be what is red.
    pub shared: bool,
}

/// The values that were passed.
type Seen = FxHashSet<(SpecId, ValueId)>;

struct Walk<'w, 'a> {
    analysis: &'w Analysis<'a>,
    chain: ReasonChain,
    /// The calls into whose results the walk has gone.
    calls: Vec<(SpecId, BlockId, usize)>,
    seen: Seen,
}

/// Explains the colour of a value; no links if it is green.
pub fn explain(analysis: &Analysis<'_>, spec: SpecId, value: ValueId) -> ReasonChain {
    let mut walk = Walk {
        analysis,
        chain: ReasonChain::default(),
        calls: Vec::new(),
        seen: Seen::default(),
    };
    let mut at = Some((spec, value));
    while let Some((spec, value)) = at {
        at = match walk.seen.insert((spec, value)) {
            true => walk.step(spec, value),
            false => None,
        };
    }
    let mut chain = walk.chain;
    if chain.links.len() > MOST {
        let tail = chain.links.split_off(chain.links.len() - MOST / 2);
        chain.links.truncate(MOST / 2);
        chain.links.extend(tail);
    }
    chain
}

impl Walk<'_, '_> {
    fn spec(&self, id: SpecId) -> &Spec {
        &self.analysis.solution.specs[id]
    }

    /// Adds the link of a value, and returns the value that is the reason.
    fn step(&mut self, id: SpecId, value: ValueId) -> Option<(SpecId, ValueId)> {
        let func = self.spec(id).func;
        let def = self.analysis.flows[func].defs[value]?;
        match self.spec(id).causes[value]? {
            Cause::Origin => {
                self.origin(func, value, def);
                None
            }
            Cause::From(arg) => {
                let known = self.analysis.flows[func].views.base[arg].is_some();
                self.chain.shared |=
                    matches!(def, Def::Param(..)) && !known && self.holds_variants(func, value);
                if let Def::Op(block, n, _) = def {
                    self.computed(func, value, block, n);
                }
                Some((id, arg))
            }
            Cause::Chosen(block) => {
                let annotated = &self.analysis.input.graphs[func];
                let name = self.name(func, value);
                let text = format!("which value {name} has is chosen here");
                self.link(annotated.notes.ends[block], text);
                let operands = annotated.graph.blocks[block].term.operands();
                let mut operands = operands.iter().filter_map(|v| v.value());
                let red = operands.find(|&v| !self.spec(id).colours[v].is_green())?;
                Some((id, red))
            }
            Cause::Result(callee, n, (block, op)) => {
                let callee_func = self.spec(callee).func;
                let source = self.analysis.input.source;
                let name = &source.funcs[callee_func].name;
                let text = format!("this is the result of `{name}`");
                let known = self.analysis.flows[func].views.base[value].is_some();
                self.chain.shared |= !known && has_variants(&source.funcs[callee_func].ret, source);
                self.link(self.op_span(func, block, op), text);
                self.calls.push((id, block, op));
                let result = self.analysis.flows[callee_func].results[n].value()?;
                Some((callee, result))
            }
            Cause::Argument(n) => self.argument(id, func, value, n),
        }
    }

    /// Whether a value was put into a local whose type has variants.
    fn holds_variants(&self, func: FuncId, value: ValueId) -> bool {
        let source = self.analysis.input.source;
        let local = self.analysis.input.graphs[func].notes.names[value];
        local.is_some_and(|l| has_variants(&source.funcs[func].locals[l].ty, source))
    }

    fn argument(
        &mut self,
        id: SpecId,
        func: FuncId,
        value: ValueId,
        n: usize,
    ) -> Option<(SpecId, ValueId)> {
        let precise = self.calls.pop().filter(|&(caller, block, op)| {
            let arg = self.analysis.call_args(caller, block, op)[n];
            !self.spec(caller).colour(arg).is_green()
        });
        let (caller, block, op) = precise.or_else(|| {
            let callers = &self.analysis.solution.callers[id];
            let red = callers.iter().find(|&&(caller, block, op)| {
                let arg = self.analysis.call_args(caller, block, op)[n];
                !self.spec(caller).colour(arg).is_green()
            });
            red.copied()
        })?;
        let caller_func = self.spec(caller).func;
        let name = self.name(func, value);
        let callee = &self.analysis.input.source.funcs[func].name;
        let text = format!("argument {name} of `{callee}` here");
        self.link(self.op_span(caller_func, block, op), text);
        let arg = self.analysis.call_args(caller, block, op)[n].value()?;
        Some((caller, arg))
    }

    fn op(&self, func: FuncId, block: BlockId, op: usize) -> &GraphOp {
        &self.analysis.input.graphs[func].graph.blocks[block].ops[op]
    }

    fn op_span(&self, func: FuncId, block: BlockId, op: usize) -> Option<Span> {
        let spans = &self.analysis.input.graphs[func].notes.ops[block];
        spans.get(op).copied()
    }

    /// A value that is computed from others.
    fn computed(&mut self, func: FuncId, value: ValueId, block: BlockId, n: usize) {
        let op = self.op(func, block, n);
        if op.code == GraphOpcode::Control(Control::Concrete) {
            return;
        }
        let span = self.op_span(func, block, n);
        let text = match (op.code, op.descr) {
            (GraphOpcode::Data(DataOp::ArrayLen), _) => {
                "this is the length of a red array".to_string()
            }
            (_, GraphDescr::Field(field)) => {
                let name = &self.analysis.input.descrs.fields[field].name;
                format!("`{name}` of a red object is read here")
            }
            (_, GraphDescr::Class(_)) => {
                "an item of a red array, or at a red index, is read here".into()
            }
            (_, GraphDescr::Fn(callee)) => {
                let name = &self.analysis.input.descrs.fns[callee].name;
                format!("`{name}` is called with a red argument here")
            }
            _ => format!("{} is computed here", self.name(func, value)),
        };
        self.link(span, text);
    }

    /// The end of the chain.
    fn origin(&mut self, func: FuncId, value: ValueId, def: Def) {
        let name = self.name(func, value);
        let (block, n) = match def {
            Def::Op(block, n, _) => (block, n),
            Def::Param(..) | Def::View => return self.red_local(func, value, &name),
        };
        let span = self.op_span(func, block, n);
        let op = self.op(func, block, n);
        let (text, help) = origin::of(self.analysis.input.descrs, op, &name);
        self.link(span, text);
        self.chain.help = help;
    }

    /// A red of the merge point, or a parameter of the portal.
    fn red_local(&mut self, func: FuncId, value: ValueId, name: &str) {
        let flow = &self.analysis.flows[func];
        let at_merge =
            matches!(flow.defs[value], Some(Def::Param(block, _)) if Some(block) == flow.merge);
        let text = match at_merge {
            true => format!("{name} is red in `merge_point!`"),
            false => format!("{name} is given to the portal"),
        };
        let span = flow.places[value];
        self.link(span, text);
        self.chain.help = format!(
            "`promote` the value, or make {name} a green of `merge_point!` if it is part of the position in the guest program"
        );
    }

    /// How the user calls a value.
    fn name(&self, func: FuncId, value: ValueId) -> String {
        let source = self.analysis.input.source;
        let annotated = &self.analysis.input.graphs[func];
        let value = self.analysis.flows[func].base(value);
        if let Some(local) = annotated.notes.names[value] {
            return format!("`{}`", source.funcs[func].locals[local].name);
        }
        let quote = self.analysis.flows[func].places[value].and_then(|span| {
            let text = &source.files.get(span.file)?.text;
            text.get(span.lo as usize..span.hi as usize)
        });
        match quote {
            Some(text) if text.len() <= QUOTE && !text.contains('\n') => format!("`{text}`"),
            _ => "this".to_string(),
        }
    }

    fn link(&mut self, span: Option<Span>, text: String) {
        // Of several things that happen at one place, the last is nearest to the origin.
        if self.chain.links.last().is_some_and(|l| l.span == span) {
            self.chain.links.pop();
        }
        self.chain.links.push(ReasonLink { span, text });
    }
}

/// Whether values of a type have components that variants share.
fn has_variants(ty: &Type, source: &TypedProgram) -> bool {
    let variants = shape(ty, &source.adts).unwrap_or_default();
    let mut fields = variants.iter().flatten();
    variants.len() > 1 || fields.any(|field| has_variants(field, source))
}
