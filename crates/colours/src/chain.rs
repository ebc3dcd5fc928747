//! Why a value is not green. In: a value of a specialisation. Out: the way from there to what cannot be known, link by
//! link, each with a place in the source; and what can be done. Invariant: the way ends, also where functions call each
//! other in circles.

use crate::Analysis;
use crate::flow::Def;
use crate::solve::SpecId;
use crate::spec::{Cause, Spec};
use std::collections::HashSet;
use verdigris_front::tast::{FuncId, Span};
use verdigris_graph::{BlockId, Control, Descr, Op, Opcode, ValueId};
use verdigris_ops::{ClassKind, DataOp, FnKind};

/// Longer pieces of source are not quoted.
const QUOTE: usize = 32;

/// More links are left out from the middle.
const MOST: usize = 10;

/// A step from a value towards the reason of its colour.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Link {
    /// Where.
    pub span: Option<Span>,
    /// What happens there.
    pub text: String,
}

/// The reason of a colour.
#[derive(Clone, Debug, Default)]
pub struct Chain {
    /// From the value to the origin.
    pub links: Vec<Link>,
    /// The way out.
    pub help: String,
}

/// A value of a function, wherever its specialisations agree.
type Seen = HashSet<(SpecId, ValueId)>;

struct Walk<'w, 'a> {
    analysis: &'w Analysis<'a>,
    chain: Chain,
    /// The calls into whose results the walk has gone.
    calls: Vec<(SpecId, BlockId, usize)>,
    seen: Seen,
}

/// Explains the colour of a value; no links if it is green.
pub fn explain(analysis: &Analysis<'_>, spec: SpecId, value: ValueId) -> Chain {
    let mut walk = Walk {
        analysis,
        chain: Chain::default(),
        calls: Vec::new(),
        seen: Seen::new(),
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

    /// Adds the link of a value, and answers which value is the reason.
    fn step(&mut self, id: SpecId, value: ValueId) -> Option<(SpecId, ValueId)> {
        let func = self.spec(id).func;
        let def = self.analysis.flows[func].defs[value]?;
        match self.spec(id).causes[value]? {
            Cause::Origin => {
                self.origin(func, value, def);
                None
            }
            Cause::From(arg) => {
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
                let mut operands = operands.into_iter().filter_map(|v| v.value());
                let red = operands.find(|&v| !self.spec(id).colours[v].is_green())?;
                Some((id, red))
            }
            Cause::Result(callee, n, (block, op)) => {
                let callee_func = self.spec(callee).func;
                let name = &self.analysis.input.source.funcs[callee_func].name;
                let text = format!("this is the result of `{name}`");
                self.link(self.op_span(func, block, op), text);
                self.calls.push((id, block, op));
                let result = self.analysis.flows[callee_func].results[n].value()?;
                Some((callee, result))
            }
            Cause::Argument(n) => self.argument(id, func, value, n),
        }
    }

    fn argument(
        &mut self,
        id: SpecId,
        func: FuncId,
        value: ValueId,
        n: usize,
    ) -> Option<(SpecId, ValueId)> {
        let precise = self.calls.pop().filter(|&(caller, block, op)| {
            let arg = self.op(self.spec(caller).func, block, op).args[n];
            !self.spec(caller).colour(arg).is_green()
        });
        let (caller, block, op) = precise.or_else(|| {
            let callers = &self.analysis.solution.callers[id];
            let red = callers.iter().find(|&&(caller, block, op)| {
                let arg = self.op(self.spec(caller).func, block, op).args[n];
                !self.spec(caller).colour(arg).is_green()
            });
            red.copied()
        })?;
        let caller_func = self.spec(caller).func;
        let name = self.name(func, value);
        let callee = &self.analysis.input.source.funcs[func].name;
        let text = format!("argument {name} of `{callee}` here");
        self.link(self.op_span(caller_func, block, op), text);
        let arg = self.op(caller_func, block, op).args[n].value()?;
        Some((caller, arg))
    }

    fn op(&self, func: FuncId, block: BlockId, op: usize) -> &Op {
        &self.analysis.input.graphs[func].graph.blocks[block].ops[op]
    }

    fn op_span(&self, func: FuncId, block: BlockId, op: usize) -> Option<Span> {
        let spans = &self.analysis.input.graphs[func].notes.ops[block];
        spans.get(op).copied()
    }

    /// A value that is computed from others.
    fn computed(&mut self, func: FuncId, value: ValueId, block: BlockId, n: usize) {
        let op = self.op(func, block, n);
        if op.code == Opcode::Control(Control::Concrete) {
            return;
        }
        let span = self.op_span(func, block, n);
        let text = match (op.code, op.descr) {
            (Opcode::Data(DataOp::ArrayLen), _) => "this is the length of a red array".to_string(),
            (_, Descr::Field(field)) => {
                let name = &self.analysis.input.descrs.fields[field].name;
                format!("`{name}` of a red object is read here")
            }
            (_, Descr::Class(_)) => {
                "an item of a red array, or at a red index, is read here".into()
            }
            (_, Descr::Fn(callee)) => {
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
            Def::Param(..) => return self.red_local(func, value, &name),
        };
        let span = self.op_span(func, block, n);
        let op = self.op(func, block, n).clone();
        let descrs = self.analysis.input.descrs;
        let (text, help) = match (op.code, op.descr) {
            (_, Descr::Field(field)) => {
                let name = &descrs.fields[field].name;
                (
                    format!("`{name}` is a `Cell`: it can change"),
                    format!(
                        "`promote` the value, or make the field `{name}` a plain one if nothing ever sets it"
                    ),
                )
            }
            (Opcode::Data(DataOp::New), _) => (
                "this object is made when the program runs".to_string(),
                "`promote` what is read from the object".to_string(),
            ),
            (Opcode::Data(_), Descr::Class(class)) => match is_new(&op) {
                true => (
                    "this array is made when the program runs".to_string(),
                    "`promote` what is read from the array, or use what it was made from"
                        .to_string(),
                ),
                false => {
                    debug_assert!(matches!(
                        descrs.classes[class].kind,
                        ClassKind::Array { .. }
                    ));
                    (
                        "the items of this array are `Cell`s: they can change".to_string(),
                        "`promote` the value, or make it an array without `Cell` if nothing ever sets its items"
                            .to_string(),
                    )
                }
            },
            (_, Descr::Fn(callee)) => {
                let info = &descrs.fns[callee];
                let what = match info.kind {
                    FnKind::Portal => "is the portal, whose result",
                    _ => "is opaque: its result",
                };
                (
                    format!("`{}` {what} is known only when the program runs", info.name),
                    format!(
                        "`promote` the result, or mark `{}` `#[elidable]` if it depends on its arguments alone",
                        info.name
                    ),
                )
            }
            _ => (
                format!("{name} is known only when the program runs"),
                "`promote` the value".to_string(),
            ),
        };
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
        self.chain.links.push(Link { span, text });
    }
}

fn is_new(op: &Op) -> bool {
    matches!(op.code, Opcode::Data(data) if data.effect() == verdigris_ops::Effect::Alloc)
}
