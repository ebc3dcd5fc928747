//! The verifier of graphs: every operand is defined on every path before its use and has the right
//! type, edges pass what their blocks take, descriptors fit operations, and behind the merge point
//! nothing is used that is not in it.

use crate::flow::Dominators;
use crate::ir::{BlockId, Graph, GraphDescr, GraphOp, GraphProgram, Term, Val, ValueId};
use crate::table::{Control, GraphDescrKind, GraphOpcode, ResultKind};
use crate::text::{print_op, print_term, print_val};
use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashSet;
use std::fmt;
use verdigris_ops::{ClassKind, DataOp, MAX_RESULTS, Ty};

/// An error in a graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GraphVerifyError {
    /// The graph's name.
    pub graph: String,
    /// The message.
    pub message: String,
}

impl fmt::Display for GraphVerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.graph, self.message)
    }
}

impl std::error::Error for GraphVerifyError {}

type Check = Result<(), String>;

fn ensure(ok: bool, message: impl FnOnce() -> String) -> Check {
    if ok { Ok(()) } else { Err(message()) }
}

/// Checks all graphs of a program.
///
/// # Errors
/// With the first violation.
pub fn verify(program: &GraphProgram) -> Result<(), GraphVerifyError> {
    for (id, graph) in &program.graphs {
        let mut check = Checker::new(program, graph);
        check
            .graph(id == program.portal)
            .map_err(|message| GraphVerifyError {
                graph: graph.name.clone(),
                message,
            })?;
    }
    Ok(())
}

/// Where a value is defined: by a parameter (position 0) or the operation before the position.
type OpPosition = (BlockId, usize);

struct Checker<'a> {
    program: &'a GraphProgram,
    graph: &'a Graph,
    dominators: Dominators,
    places: SecondaryMap<ValueId, Option<OpPosition>>,
}

impl<'a> Checker<'a> {
    fn new(program: &'a GraphProgram, graph: &'a Graph) -> Checker<'a> {
        Checker {
            program,
            graph,
            dominators: Dominators::new(graph),
            places: SecondaryMap::new(),
        }
    }

    fn graph(&mut self, portal: bool) -> Check {
        ensure(!portal || self.graph.ret.len() <= MAX_RESULTS, || {
            "the portal has too many results".to_string()
        })?;
        self.definitions()?;
        self.entry()?;
        for block in self.graph.reverse_postorder() {
            self.block(block).map_err(|m| format!("{m} in {block}"))?;
        }
        self.merge_points(portal)
    }

    fn definitions(&mut self) -> Check {
        for (id, block) in &self.graph.blocks {
            for &param in &block.params {
                self.definition(param, (id, 0))?;
            }
            for (n, op) in block.ops.iter().enumerate() {
                for &dst in &op.dsts {
                    self.definition(dst, (id, n + 1))?;
                }
            }
        }
        Ok(())
    }

    fn definition(&mut self, v: ValueId, place: OpPosition) -> Check {
        ensure(self.graph.values.get(v).is_some(), || {
            format!("{v} has no type")
        })?;
        ensure(self.places[v].is_none(), || {
            format!("{} is defined twice", self.show(v))
        })?;
        self.places[v] = Some(place);
        Ok(())
    }

    fn entry(&self) -> Check {
        let preds = self.graph.predecessors();
        ensure(preds[self.graph.entry].is_empty(), || {
            "an edge leads to the entry".to_string()
        })
    }

    fn show(&self, v: ValueId) -> String {
        print_val(self.graph, Val::Value(v))
    }

    fn block(&self, id: BlockId) -> Check {
        let block = &self.graph.blocks[id];
        for (n, op) in block.ops.iter().enumerate() {
            let text = || print_op(self.program, self.graph, op);
            let uses = self.uses(&op.args, (id, n));
            uses.and_then(|()| self.op(op))
                .map_err(|m| format!("{m}: `{}`", text()))?;
        }
        let at = (id, block.ops.len());
        let uses = self.uses(block.term.operands(), at);
        uses.and_then(|()| self.term(&block.term))
            .and_then(|()| self.edges(&block.term, at))
            .map_err(|m| format!("{m}: `{}`", print_term(self.program, self.graph, id)))
    }

    /// Every value is defined on every path to `at`.
    fn uses(&self, args: &[Val], at: OpPosition) -> Check {
        for v in args.iter().filter_map(|a| a.value()) {
            let defined = self.places[v].is_some_and(|(block, position)| {
                self.dominators.reachable(block)
                    && self.dominators.dominates(block, at.0)
                    && (block != at.0 || position <= at.1)
            });
            ensure(defined, || {
                format!("{} is not defined on every path to its use", self.show(v))
            })?;
        }
        Ok(())
    }

    fn types(&self, what: &dyn fmt::Display, args: &[Val], want: &[Ty]) -> Check {
        let found: Vec<Ty> = args.iter().map(|&a| self.graph.ty(a)).collect();
        ensure(found == want, || {
            format!("{what} are {found:?}, not {want:?}")
        })
    }

    fn results(&self, op: &GraphOp, want: &[Ty]) -> Check {
        let found: Vec<Ty> = op.dsts.iter().map(|&v| self.graph.values[v]).collect();
        ensure(found == want, || {
            format!("the results are {found:?}, not {want:?}")
        })
    }

    fn op(&self, op: &GraphOp) -> Check {
        match op.code {
            GraphOpcode::Data(data) => {
                self.types(&"the operands", &op.args, data.params())?;
                self.results(op, data.ret().as_slice())?;
                self.names(op, Some(data))
            }
            GraphOpcode::Control(control) => {
                self.names(op, None)?;
                self.control(control, op)
            }
        }
    }

    fn control(&self, control: Control, op: &GraphOp) -> Check {
        match control.gives() {
            ResultKind::Nothing => {
                self.types(&"the operands", &op.args, &[])?;
                self.results(op, &[])
            }
            ResultKind::SameType => {
                ensure(op.args.len() == 1, || "not one operand".to_string())?;
                self.results(op, &[self.graph.ty(op.args[0])])
            }
            ResultKind::Int => {
                ensure(op.args.len() == 1, || "not one operand".to_string())?;
                if control == Control::IsVirtual {
                    self.types(&"the operands", &op.args, &[Ty::Ref])?;
                }
                self.results(op, &[Ty::Int])
            }
            ResultKind::Callee => {
                let (params, ret) = match op.descr {
                    GraphDescr::Graph(id) => {
                        let callee = &self.program.graphs[id];
                        (callee.params(), callee.ret.clone())
                    }
                    GraphDescr::Fn(id) => {
                        let info = &self.program.descrs.fns[id];
                        (info.params.clone(), info.ret.clone())
                    }
                    _ => return Err("there is no callee".to_string()),
                };
                self.types(&"the operands", &op.args, &params)?;
                self.results(op, &ret)
            }
        }
    }

    /// The descriptor exists and fits the operation.
    fn names(&self, op: &GraphOp, data: Option<DataOp>) -> Check {
        let descrs = &self.program.descrs;
        // What the operation loads or stores: its result, or else its last operand.
        let moved = match data {
            Some(
                DataOp::New
                | DataOp::NewArray
                | DataOp::ArrayLen
                | DataOp::HasClass
                | DataOp::Invalidate
                | DataOp::Reclaim,
            )
            | None => None,
            Some(op) => op.ret().or(op.params().last().copied()),
        };
        let fits = match (op.code.names(), op.descr) {
            (GraphDescrKind::Nothing, GraphDescr::None) => true,
            (GraphDescrKind::Graph, GraphDescr::Graph(id)) => self.program.graphs.get(id).is_some(),
            (GraphDescrKind::Fn, GraphDescr::Fn(id)) => descrs.fns.get(id).is_some(),
            (GraphDescrKind::Field, GraphDescr::Field(id)) => {
                let field = descrs.fields.get(id);
                field.is_some_and(|f| moved.is_none_or(|ty| f.ty == ty))
            }
            (GraphDescrKind::Class, GraphDescr::Class(id)) => matches!(
                descrs.classes.get(id).map(|c| &c.kind),
                Some(ClassKind::Struct { .. })
            ),
            (GraphDescrKind::Array, GraphDescr::Class(id)) => {
                match descrs.classes.get(id).map(|c| &c.kind) {
                    Some(ClassKind::Array { item, .. }) => moved.is_none_or(|ty| ty == *item),
                    _ => false,
                }
            }
            _ => false,
        };
        ensure(fits, || "the name does not fit the operation".to_string())
    }

    fn term(&self, term: &Term) -> Check {
        let operands = term.operands();
        let read = "the operands";
        match term {
            Term::Goto(_) | Term::MergePoint { .. } => Ok(()),
            Term::Branch { .. } => self.types(&read, operands, &[Ty::Int]),
            Term::Switch { cases, .. } => {
                self.types(&read, operands, &[Ty::Int])?;
                ensure(cases.is_sorted_by(|a, b| a.0 < b.0), || {
                    "the cases are not sorted".to_string()
                })
            }
            Term::ClassSwitch { cases, .. } => {
                self.types(&read, operands, &[Ty::Ref])?;
                ensure(!cases.is_empty(), || "there are no cases".to_string())?;
                let mut seen = FxHashSet::default();
                for (class, _) in cases {
                    let known = self.program.descrs.classes.get(*class).is_some();
                    let twice = !seen.insert(*class);
                    ensure(known && !twice, || {
                        "a class is there twice or does not exist".to_string()
                    })?;
                }
                Ok(())
            }
            Term::Return(_) => self.types(&read, operands, &self.graph.ret),
            Term::Panic(kind, _) => self.types(&read, operands, &vec![Ty::Int; kind.arity()]),
        }
    }

    fn edges(&self, term: &Term, at: OpPosition) -> Check {
        for target in term.targets() {
            let Some(block) = self.graph.blocks.get(target.block) else {
                return Err(format!("{} does not exist", target.block));
            };
            self.uses(&target.args, at)?;
            let want: Vec<Ty> = block.params.iter().map(|&p| self.graph.values[p]).collect();
            let what = format_args!("the operands of the edge to {}", target.block);
            self.types(&what, &target.args, &want)?;
        }
        Ok(())
    }

    fn merge_points(&self, portal: bool) -> Check {
        let blocks = self.graph.blocks.iter();
        let all: Vec<BlockId> = blocks
            .filter(|(id, _)| self.dominators.reachable(*id) && self.graph.is_merge_point(*id))
            .map(|(id, _)| id)
            .collect();
        ensure(all.len() == usize::from(portal), || {
            format!("there are {} merge points", all.len())
        })?;
        all.iter().try_for_each(|&head| self.merge_point(head))
    }

    fn merge_point(&self, head: BlockId) -> Check {
        let block = &self.graph.blocks[head];
        let Term::MergePoint { greens, next } = &block.term else {
            unreachable!("found by its end");
        };
        ensure(block.ops.is_empty() && head != self.graph.entry, || {
            "the merge point's block has operations or is the entry".to_string()
        })?;
        ensure(*greens <= block.params.len(), || {
            "there are more greens than parameters".to_string()
        })?;
        let preds = self.graph.predecessors();
        ensure(preds[next.block].len() == 1, || {
            "an edge leads behind the merge point".to_string()
        })?;
        let behind = |b: BlockId| self.dominators.dominates(head, b);
        for id in self.graph.reverse_postorder() {
            // The edges back to the merge point pass values from behind it, so they are no
            // exception.
            if id == head || !behind(id) {
                continue;
            }
            for v in used(self.graph, id) {
                let (block, _) = self.places[v].expect("checked before");
                ensure(behind(block), || {
                    format!(
                        "{} is used behind the merge point but not in it",
                        self.show(v)
                    )
                })?;
            }
        }
        Ok(())
    }
}

fn used(graph: &Graph, block: BlockId) -> Vec<ValueId> {
    let block = &graph.blocks[block];
    let ops = block.ops.iter().flat_map(|op| op.args.iter().copied());
    let edges = block.term.targets();
    let edges = edges.flat_map(|t| t.args.iter().copied());
    let read = block.term.operands().iter().copied();
    let all = ops.chain(read).chain(edges);
    all.filter_map(Val::value).collect()
}
