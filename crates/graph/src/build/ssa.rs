//! The builder's state: the block being filled, the value of each local in each block, and how ends
//! and edges are made.
//!
//! A block is *sealed* once all edges to it are known; reading a local in a block that is not
//! sealed makes a parameter whose operands are filled in later. Code behind a `return` or `break`
//! is built into a block that no edge leads to, and vanishes later.

use super::place::Lines;
use crate::flow::Edge;
use crate::ir::{
    Block, BlockId, Graph, GraphConst, GraphDescr, GraphOp, Pos, Target, Term, Val, ValueId,
};
use crate::source::SourceNotes;
use crate::table::{Control, GraphOpcode};
use cranelift_entity::{PrimaryMap, SecondaryMap};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use verdigris_front::layout::ValueLayouts;
use verdigris_front::tast::{Func, LocalId, LoopId, Span, Type, TypedProgram};
use verdigris_front::{DiagCode, Diagnostic};
use verdigris_ops::{DataOp, PanicKind, Ty};

/// The word of an expression of type `!`; nothing reads it.
pub const UNIT: Val = Val::Const(GraphConst::Int(0));

/// The components of a value, none for `()` and `!`.
pub type Scalars = Vec<Val>;

/// A component of a local.
type Slot = (LocalId, usize);

/// A loop or labelled block around the expression being built.
pub struct Loop {
    /// Its name.
    pub id: LoopId,
    /// Where `continue` goes; none for labelled blocks.
    pub head: Option<BlockId>,
    /// Where `break` goes.
    pub exit: Join,
}

/// A block where control flow meets again, with a parameter for each component of the value that
/// comes along.
#[derive(Clone)]
pub struct Join {
    /// The block.
    pub block: BlockId,
    /// The components.
    pub types: Rc<[Ty]>,
}

/// The merge point, once it has been met.
struct MergePoint {
    block: BlockId,
    span: Span,
}

/// Builds one graph.
pub struct Builder<'a> {
    pub(super) program: &'a TypedProgram,
    pub(super) func: &'a Func,
    pub(super) graph: Graph,
    pub(super) loops: Vec<Loop>,
    pub(super) span: Span,
    pub(super) layouts: ValueLayouts<'a>,
    pub(super) notes: SourceNotes,
    /// The scrutinee of the `match` whose choices are being built.
    pub(super) scrutinee: Option<Span>,
    slots: SecondaryMap<LocalId, Rc<[Ty]>>,
    lines: &'a Lines<'a>,
    errors: &'a mut Vec<Diagnostic>,
    current: BlockId,
    pos: Pos,
    preds: SecondaryMap<BlockId, Vec<Edge>>,
    sealed: SecondaryMap<BlockId, bool>,
    locals: FxHashMap<(BlockId, Slot), Val>,
    unfilled: FxHashMap<BlockId, Vec<(Slot, ValueId)>>,
    /// Words, with the scalars that they have been made of.
    made: FxHashMap<ValueId, (Ty, Val)>,
    merge_point: Option<MergePoint>,
}

impl<'a> Builder<'a> {
    /// An empty graph for a function.
    pub fn new(
        program: &'a TypedProgram,
        lines: &'a Lines<'a>,
        func: &'a Func,
        errors: &'a mut Vec<Diagnostic>,
    ) -> Builder<'a> {
        let mut layouts = ValueLayouts::new(&program.adts);
        let mut slots = SecondaryMap::with_default(Rc::from([]));
        for (id, local) in &func.locals {
            slots[id] = Rc::from(layouts.components(&local.ty));
        }
        let graph = Graph {
            name: func.name.clone(),
            file: lines.path(func.span),
            ret: results(&mut layouts, func),
            blocks: PrimaryMap::new(),
            values: PrimaryMap::new(),
            entry: BlockId::from_u32(0),
        };
        let mut builder = Builder {
            program,
            func,
            graph,
            loops: Vec::new(),
            span: func.span,
            layouts,
            notes: SourceNotes::default(),
            scrutinee: None,
            slots,
            lines,
            errors,
            current: BlockId::from_u32(0),
            pos: lines.pos(func.span),
            preds: SecondaryMap::new(),
            sealed: SecondaryMap::new(),
            locals: FxHashMap::default(),
            unfilled: FxHashMap::default(),
            made: FxHashMap::default(),
            merge_point: None,
        };
        builder.current = builder.dead_block();
        builder
    }

    /// Builds the function's graph, and notes on its source.
    pub fn build(mut self) -> (Graph, SourceNotes) {
        for &local in &self.func.params {
            let types = self.types_of(local);
            let param = |ty: &Ty| Val::Value(self.param(self.current, *ty));
            let value = types.iter().map(param).collect();
            self.write(local, value);
        }
        self.note_params();
        let func = self.func;
        let ret = self.layouts.components(&func.ret);
        let value = self.value_of(&func.body, &ret);
        match func.ret {
            Type::Never => self.panic(
                PanicKind::Message("a function that never returns has returned".to_string()),
                Vec::new(),
            ),
            _ => self.leave(value),
        }
        (self.graph, self.notes)
    }

    /// Reports an error at the current expression.
    pub fn complain(&mut self, code: DiagCode, words: &[&str]) {
        self.errors.push(Diagnostic::new(code, self.span, words));
    }

    /// Goes to another place in the source, and returns the previous one.
    pub fn at(&mut self, span: Span) -> Span {
        self.pos = self.lines.pos(span);
        std::mem::replace(&mut self.span, span)
    }

    // Blocks.

    /// A block whose edges are not known yet.
    pub fn block(&mut self) -> BlockId {
        self.graph.blocks.push(Block {
            params: Vec::new(),
            ops: Vec::new(),
            term: Term::Return(Vec::new()),
            pos: self.pos,
        })
    }

    /// A block that no edge will lead to.
    fn dead_block(&mut self) -> BlockId {
        let block = self.block();
        self.sealed[block] = true;
        block
    }

    /// The block being filled, and how many operations it has.
    pub fn here(&self) -> (BlockId, usize) {
        let ops = &self.graph.blocks[self.current].ops;
        (self.current, ops.len())
    }

    /// Continues in a block.
    pub fn enter(&mut self, block: BlockId) {
        self.current = block;
    }

    /// Continues in a block that no further edge will lead to.
    pub fn enter_sealed(&mut self, block: BlockId) {
        self.seal(block);
        self.current = block;
    }

    /// Ends the block; what follows is unreachable until another block is entered.
    pub fn end(&mut self, term: Term) {
        let from = self.current;
        for (index, target) in term.targets().enumerate() {
            debug_assert!(!self.sealed[target.block], "an edge to a sealed block");
            self.preds[target.block].push(Edge { from, index });
        }
        self.notes.ends[from] = Some(self.scrutinee.unwrap_or(self.span));
        self.graph.blocks[from].term = term;
        self.graph.blocks[from].pos = self.pos;
        self.current = self.dead_block();
    }

    /// The components that a function returns: its result's, then those of what is lent to it.
    pub fn results(&mut self, func: &Func) -> Vec<Ty> {
        results(&mut self.layouts, func)
    }

    /// Returns a value, and what is lent to the function as it is now.
    pub fn leave(&mut self, mut value: Scalars) {
        for &local in &self.func.lent {
            value.extend(self.read(local));
        }
        self.end(Term::Return(value));
    }

    /// Ends the block with an edge.
    pub fn goto(&mut self, block: BlockId, args: Vec<Val>) {
        self.end(Term::Goto(Target { block, args }));
    }

    /// Ends the block with a choice.
    pub fn branch(&mut self, cond: Val, then: BlockId, other: BlockId) {
        let (then, other) = (Target::to(then), Target::to(other));
        self.end(Term::Branch { cond, then, other });
    }

    /// Ends the block with a panic.
    pub fn panic(&mut self, kind: PanicKind, args: Vec<Val>) {
        self.end(Term::Panic(kind, args));
    }

    /// Panics if `cond` is 0 (or, with `if_true`, if it is not), else continues.
    pub fn check(&mut self, cond: Val, panic_if: bool, kind: PanicKind, args: Vec<Val>) {
        let (go_on, fail) = (self.block(), self.block());
        match panic_if {
            true => self.branch(cond, fail, go_on),
            false => self.branch(cond, go_on, fail),
        }
        self.enter_sealed(fail);
        self.panic(kind, args);
        self.enter_sealed(go_on);
    }

    /// A block where control flow meets with a value of these components.
    pub fn join(&mut self, types: &[Ty]) -> Join {
        let block = self.block();
        for &ty in types {
            self.param(block, ty);
        }
        Join {
            block,
            types: types.into(),
        }
    }

    /// Ends the block with an edge to a join.
    pub fn goto_join(&mut self, join: &Join, value: Scalars) {
        self.goto(join.block, value);
    }

    /// Continues in the join, to which no further edge will lead, with the value.
    pub fn enter_join(&mut self, join: &Join) -> Scalars {
        // Sealing may add parameters behind these.
        let params = &self.graph.blocks[join.block].params[..join.types.len()];
        let value = params.iter().map(|&p| Val::Value(p)).collect();
        self.enter_sealed(join.block);
        value
    }

    // Locals.

    fn param(&mut self, block: BlockId, ty: Ty) -> ValueId {
        let value = self.graph.values.push(ty);
        self.graph.blocks[block].params.push(value);
        value
    }

    /// Sets a local.
    pub fn write(&mut self, local: LocalId, value: Scalars) {
        for (index, part) in value.into_iter().enumerate() {
            self.write_part(local, index, part);
        }
    }

    /// Sets a component of a local.
    pub fn write_part(&mut self, local: LocalId, index: usize, part: Val) {
        if let Val::Value(v) = part {
            self.notes.names[v].get_or_insert(local);
        }
        self.locals.insert((self.current, (local, index)), part);
    }

    /// The value of a local.
    pub fn read(&mut self, local: LocalId) -> Scalars {
        let types = self.slots[local].clone();
        let parts = types.iter().enumerate();
        parts
            .map(|(index, &ty)| self.read_in(self.current, (local, index), ty))
            .collect()
    }

    /// The components of a local.
    pub fn types_of(&self, local: LocalId) -> Rc<[Ty]> {
        self.slots[local].clone()
    }

    fn read_in(&mut self, block: BlockId, slot: Slot, ty: Ty) -> Val {
        if let Some(value) = self.locals.get(&(block, slot)) {
            return *value;
        }
        let value = if self.merge_point.as_ref().is_some_and(|m| m.block == block) {
            self.unlisted(slot.0);
            Val::zero(ty)
        } else if !self.sealed[block] {
            let param = self.param(block, ty);
            self.notes.names[param] = Some(slot.0);
            self.unfilled.entry(block).or_default().push((slot, param));
            Val::Value(param)
        } else {
            match self.preds[block].as_slice() {
                // Not reachable, since rustc has checked that the local is initialised.
                [] => Val::zero(ty),
                [edge] => {
                    let from = edge.from;
                    self.read_in(from, slot, ty)
                }
                _ => {
                    let param = self.param(block, ty);
                    self.notes.names[param] = Some(slot.0);
                    self.locals.insert((block, slot), Val::Value(param));
                    self.fill(block, slot, ty);
                    Val::Value(param)
                }
            }
        };
        self.locals.insert((block, slot), value);
        value
    }

    /// Passes a component along every edge to a block, for the parameter that was made for it last.
    fn fill(&mut self, block: BlockId, slot: Slot, ty: Ty) {
        for edge in self.preds[block].clone() {
            let value = self.read_in(edge.from, slot, ty);
            self.graph.target_mut(edge).args.push(value);
        }
    }

    /// All edges to the block are known now.
    pub fn seal(&mut self, block: BlockId) {
        self.sealed[block] = true;
        for (slot, param) in self.unfilled.remove(&block).unwrap_or_default() {
            self.fill(block, slot, self.graph.values[param]);
        }
    }

    /// Splits the block at the merge point: behind it there are only its locals.
    pub fn merge(&mut self, greens: &[LocalId], reds: &[LocalId]) {
        let count = greens.iter().map(|&l| self.slots[l].len()).sum();
        for &local in greens {
            if self.slots[local].contains(&Ty::Word) {
                let name = &self.func.locals[local].name;
                let what = format!("the green `{name}`, an enum with fields,");
                let help =
                    "make what tells positions apart a green of its own: an integer or a reference";
                self.complain(DiagCode::UnsupportedWithHelp, &[&what, help]);
            }
        }
        let listed = [greens, reds].concat();
        let args = listed.iter().flat_map(|&l| self.read(l)).collect();
        let (head, next) = (self.block(), self.block());
        self.goto(head, args);
        self.enter_sealed(head);
        self.merge_point = Some(MergePoint {
            block: head,
            span: self.span,
        });
        for local in listed {
            let types = self.types_of(local);
            let param = |ty: &Ty| Val::Value(self.param(head, *ty));
            let value = types.iter().map(param).collect();
            self.write(local, value);
        }
        self.end(Term::MergePoint {
            greens: count,
            next: Target::to(next),
        });
        self.enter_sealed(next);
    }

    fn unlisted(&mut self, local: LocalId) {
        let name = self.func.locals[local].name.as_str();
        let span = self.merge_point.as_ref().map_or(self.span, |m| m.span);
        let complaint = Diagnostic::new(DiagCode::MissingLive, span, &[name]);
        self.errors.push(complaint.at(self.span, "needed here"));
    }

    // Operations.

    fn push(
        &mut self,
        code: GraphOpcode,
        args: Vec<Val>,
        descr: GraphDescr,
        types: &[Ty],
    ) -> Scalars {
        let dsts: Vec<ValueId> = types.iter().map(|&ty| self.graph.values.push(ty)).collect();
        let value = dsts.iter().map(|&v| Val::Value(v)).collect();
        self.notes.ops[self.current].push(self.span);
        self.graph.blocks[self.current].ops.push(GraphOp {
            code,
            args,
            descr,
            dsts,
            pos: self.pos,
        });
        value
    }

    /// A word has been made of a scalar.
    pub fn remember_made(&mut self, word: Val, ty: Ty, scalar: Val) {
        if let Val::Value(word) = word {
            self.made.insert(word, (ty, scalar));
        }
    }

    /// The scalar of this type that a word has been made of, if that is known.
    pub fn made_of(&self, word: Val, ty: Ty) -> Option<Val> {
        let (made, scalar) = self.made.get(&word.value()?)?;
        (*made == ty).then_some(*scalar)
    }

    fn push_one(
        &mut self,
        code: GraphOpcode,
        args: Vec<Val>,
        descr: GraphDescr,
        ty: Option<Ty>,
    ) -> Val {
        let value = self.push(code, args, descr, ty.as_slice());
        value.first().copied().unwrap_or(UNIT)
    }

    /// A data operation with a descriptor.
    pub fn data(&mut self, op: DataOp, args: &[Val], descr: GraphDescr) -> Val {
        self.push_one(GraphOpcode::Data(op), args.to_vec(), descr, op.ret())
    }

    /// A pure operation; folded if all arguments are constants.
    pub fn pure(&mut self, op: DataOp, args: &[Val]) -> Val {
        match GraphConst::fold(op, args) {
            Some(constant) => Val::Const(constant),
            None => self.data(op, args, GraphDescr::None),
        }
    }

    /// `promote`; a constant is one already.
    pub fn promote(&mut self, value: Val) -> Val {
        self.hint(Control::Promote, value)
    }

    /// `concrete`; a constant is known to be.
    pub fn concrete(&mut self, value: Val) -> Val {
        self.hint(Control::Concrete, value)
    }

    fn hint(&mut self, hint: Control, value: Val) -> Val {
        if value.constant().is_some() {
            return value;
        }
        let ty = self.graph.ty(value);
        let code = GraphOpcode::Control(hint);
        self.push_one(code, vec![value], GraphDescr::None, Some(ty))
    }

    /// `is_constant`, `is_virtual`.
    pub fn ask(&mut self, question: Control, value: Val) -> Val {
        let code = GraphOpcode::Control(question);
        self.push_one(code, vec![value], GraphDescr::None, Some(Ty::Int))
    }

    /// A call.
    pub fn call(&mut self, descr: GraphDescr, args: Vec<Val>, ret: &[Ty]) -> Scalars {
        let code = match descr {
            GraphDescr::Graph(_) => Control::Call,
            _ => Control::CallFn,
        };
        self.push(GraphOpcode::Control(code), args, descr, ret)
    }

    /// `can_enter_jit!`
    pub fn loop_header(&mut self) {
        let code = GraphOpcode::Control(Control::LoopHeader);
        self.push(code, Vec::new(), GraphDescr::None, &[]);
    }
}

fn results(layouts: &mut ValueLayouts<'_>, func: &Func) -> Vec<Ty> {
    let mut types = layouts.components(&func.ret);
    for &local in &func.lent {
        types.extend(layouts.components(&func.locals[local].ty));
    }
    types
}
