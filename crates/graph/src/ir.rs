//! Programs, graphs, blocks, operations and block ends, in SSA with block parameters: every edge
//! passes one operand for each parameter of its block. [`crate::verify()`] checks the invariants.

use crate::table::{Control, GraphOpcode};
use cranelift_entity::{PrimaryMap, entity_impl};
use verdigris_front::tast::FuncId;
use verdigris_ops::{ClassId, DataOp, Descrs, FieldId, FnId, PanicKind, Ty, eval};

/// A block of one graph.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BlockId(u32);
entity_impl!(BlockId, "b");

/// A value of one graph.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ValueId(u32);
entity_impl!(ValueId, "v");

/// A constant. Objects are never constants here; null is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GraphConst {
    /// An integer word.
    Int(i64),
    /// The bits of a double.
    Float(u64),
    /// The null reference.
    Null,
    /// The word of a value whose variant does not use it: it is never looked at. Its bits are zero.
    Nothing,
}

impl GraphConst {
    /// The type.
    pub fn ty(self) -> Ty {
        match self {
            GraphConst::Int(_) => Ty::Int,
            GraphConst::Float(_) => Ty::Float,
            GraphConst::Null => Ty::Ref,
            GraphConst::Nothing => Ty::Word,
        }
    }

    /// The raw word.
    pub fn word(self) -> u64 {
        match self {
            GraphConst::Int(v) => v as u64,
            GraphConst::Float(bits) => bits,
            GraphConst::Null | GraphConst::Nothing => 0,
        }
    }

    /// The constant of this type with this raw word; a reference can only be null, a word of a
    /// value only nothing.
    pub fn new(ty: Ty, word: u64) -> GraphConst {
        match ty {
            Ty::Int => GraphConst::Int(word as i64),
            Ty::Float => GraphConst::Float(word),
            Ty::Ref => GraphConst::Null,
            Ty::Word => GraphConst::Nothing,
        }
    }

    /// The result of a pure operation on constants, as `verdigris_ops::eval` defines it; none for
    /// words of values, which are not constants.
    pub fn fold(op: DataOp, args: &[Val]) -> Option<GraphConst> {
        if op.ret() == Some(Ty::Word) {
            return None;
        }
        let words: Option<Vec<u64>> = args.iter().map(|a| Some(a.constant()?.word())).collect();
        let word = eval(op, &words?)?;
        op.ret().map(|ty| GraphConst::new(ty, word))
    }
}

/// An operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Val {
    /// A value.
    Value(ValueId),
    /// A constant.
    Const(GraphConst),
}

impl Val {
    /// An integer constant.
    pub fn int(value: i64) -> Val {
        Val::Const(GraphConst::Int(value))
    }

    /// The null reference.
    pub const NULL: Val = Val::Const(GraphConst::Null);

    /// Zero, `0.0` or null.
    pub fn zero(ty: Ty) -> Val {
        Val::Const(GraphConst::new(ty, 0))
    }

    /// The value, if it is one.
    pub fn value(self) -> Option<ValueId> {
        match self {
            Val::Value(v) => Some(v),
            Val::Const(_) => None,
        }
    }

    /// The constant, if it is one.
    pub fn constant(self) -> Option<GraphConst> {
        match self {
            Val::Value(_) => None,
            Val::Const(c) => Some(c),
        }
    }
}

/// A place in the graph's file, both from 1; 0 if there is none.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Pos {
    /// The line.
    pub line: u32,
    /// The column, in characters.
    pub column: u32,
}

/// The descriptor of an operation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GraphDescr {
    /// Nothing.
    None,
    /// A field.
    Field(FieldId),
    /// A class.
    Class(ClassId),
    /// A traced function.
    Graph(FuncId),
    /// A function that is called, not traced.
    Fn(FnId),
}

/// An operation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GraphOp {
    /// Which.
    pub code: GraphOpcode,
    /// Its operands.
    pub args: Vec<Val>,
    /// Its descriptor.
    pub descr: GraphDescr,
    /// Its results: one at most, except for calls of traced functions.
    pub dsts: Vec<ValueId>,
    /// Where it comes from.
    pub pos: Pos,
}

/// An edge to a block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Target {
    /// The block.
    pub block: BlockId,
    /// One operand for each of its parameters.
    pub args: Vec<Val>,
}

impl Target {
    /// An edge that passes nothing.
    pub fn to(block: BlockId) -> Target {
        Target {
            block,
            args: Vec::new(),
        }
    }
}

/// The cases of a choice, to be changed.
type CasesMut<'t, K> = &'t mut [(K, Target)];

/// The end of a block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Term {
    /// Continues there.
    Goto(Target),
    /// Continues at `then` if `cond` is not 0, else at `other`.
    Branch {
        /// An integer.
        cond: Val,
        /// Where to go if it is not 0.
        then: Target,
        /// Where to go if it is 0.
        other: Target,
    },
    /// Continues at the case of an integer.
    Switch {
        /// The integer.
        value: Val,
        /// Sorted by key, no key twice.
        cases: Vec<(i64, Target)>,
        /// Where every other integer goes.
        default: Target,
    },
    /// Continues at the case of an object's class.
    ClassSwitch {
        /// The object, not null.
        value: Val,
        /// Every class that the object can have, once.
        cases: Vec<(ClassId, Target)>,
    },
    /// Leaves the function with its results.
    Return(Vec<Val>),
    /// Panics.
    Panic(PanicKind, Vec<Val>),
    /// The merge point. Its block has no operations, and its parameters are the greens and then the
    /// reds; behind it no value is used that is not one of them or defined behind it.
    MergePoint {
        /// How many of the block's parameters are green.
        greens: usize,
        /// The block behind, which no other edge leads to and which has no parameters.
        next: Target,
    },
}

impl Term {
    /// The row of the table.
    pub fn control(&self) -> Control {
        match self {
            Term::Goto(_) => Control::Goto,
            Term::Branch { .. } => Control::Branch,
            Term::Switch { .. } => Control::Switch,
            Term::ClassSwitch { .. } => Control::ClassSwitch,
            Term::Return(_) => Control::Return,
            Term::Panic(..) => Control::Panic,
            Term::MergePoint { .. } => Control::MergePoint,
        }
    }

    /// The edges, in order.
    pub fn targets(&self) -> impl DoubleEndedIterator<Item = &Target> + ExactSizeIterator + Clone {
        (0..self.target_count()).map(|n| self.target(n))
    }

    /// The edges, in order.
    pub fn targets_mut(&mut self) -> impl Iterator<Item = &mut Target> {
        let (cases, classes, one, other): (CasesMut<'_, i64>, CasesMut<'_, ClassId>, _, _) =
            match self {
                Term::Goto(t) | Term::MergePoint { next: t, .. } => {
                    (&mut [], &mut [], Some(t), None)
                }
                Term::Branch { then, other, .. } => (&mut [], &mut [], Some(then), Some(other)),
                Term::Switch { cases, default, .. } => (cases, &mut [], Some(default), None),
                Term::ClassSwitch { cases, .. } => (&mut [], cases, None, None),
                Term::Return(_) | Term::Panic(..) => (&mut [], &mut [], None, None),
            };
        let cases = cases.iter_mut().map(|c| &mut c.1);
        let classes = classes.iter_mut().map(|c| &mut c.1);
        cases.chain(classes).chain(one).chain(other)
    }

    /// How many edges there are.
    pub fn target_count(&self) -> usize {
        match self {
            Term::Goto(_) | Term::MergePoint { .. } => 1,
            Term::Branch { .. } => 2,
            Term::Switch { cases, .. } => cases.len() + 1,
            Term::ClassSwitch { cases, .. } => cases.len(),
            Term::Return(_) | Term::Panic(..) => 0,
        }
    }

    /// The edge of this number among [`Term::targets`], found without a look at the others: a
    /// `match` may have thousands.
    ///
    /// # Panics
    /// If there is none.
    pub fn target(&self, index: usize) -> &Target {
        match (self, index) {
            (Term::Goto(t) | Term::MergePoint { next: t, .. }, 0) => t,
            (Term::Branch { then, .. }, 0) => then,
            (Term::Branch { other, .. }, 1) => other,
            (Term::Switch { cases, default, .. }, n) if n == cases.len() => default,
            (Term::Switch { cases, .. }, n) => &cases[n].1,
            (Term::ClassSwitch { cases, .. }, n) => &cases[n].1,
            _ => panic!("the block's end has no edge {index}"),
        }
    }

    /// The edge of this number among [`Term::targets`].
    ///
    /// # Panics
    /// If there is none.
    pub fn target_mut(&mut self, index: usize) -> &mut Target {
        match (self, index) {
            (Term::Goto(t) | Term::MergePoint { next: t, .. }, 0) => t,
            (Term::Branch { then, .. }, 0) => then,
            (Term::Branch { other, .. }, 1) => other,
            (Term::Switch { cases, default, .. }, n) if n == cases.len() => default,
            (Term::Switch { cases, .. }, n) => &mut cases[n].1,
            (Term::ClassSwitch { cases, .. }, n) => &mut cases[n].1,
            _ => panic!("the block's end has no edge {index}"),
        }
    }

    /// The operands that the block end itself reads (not those that its edges pass).
    pub fn operands(&self) -> &[Val] {
        match self {
            Term::Goto(_) | Term::MergePoint { .. } => &[],
            Term::Branch { cond: v, .. }
            | Term::Switch { value: v, .. }
            | Term::ClassSwitch { value: v, .. } => std::slice::from_ref(v),
            Term::Return(args) | Term::Panic(_, args) => args,
        }
    }

    /// The operands that the block end itself reads.
    pub fn operands_mut(&mut self) -> &mut [Val] {
        match self {
            Term::Goto(_) | Term::MergePoint { .. } => &mut [],
            Term::Branch { cond: v, .. }
            | Term::Switch { value: v, .. }
            | Term::ClassSwitch { value: v, .. } => std::slice::from_mut(v),
            Term::Return(args) | Term::Panic(_, args) => args,
        }
    }
}

/// A block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    /// Parameters.
    pub params: Vec<ValueId>,
    /// Operations in order.
    pub ops: Vec<GraphOp>,
    /// The end.
    pub term: Term,
    /// Where the end comes from.
    pub pos: Pos,
}

/// The flow graph of one function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Graph {
    /// The function's path in the crate.
    pub name: String,
    /// The source file.
    pub file: String,
    /// The types of the results: the scalar components of what the function returns.
    pub ret: Vec<Ty>,
    /// The blocks.
    pub blocks: PrimaryMap<BlockId, Block>,
    /// The type of each value.
    pub values: PrimaryMap<ValueId, Ty>,
    /// Where execution starts; its parameters are the function's, and no edge leads to it.
    pub entry: BlockId,
}

impl Graph {
    /// The type of an operand.
    pub fn ty(&self, val: Val) -> Ty {
        match val {
            Val::Value(v) => self.values[v],
            Val::Const(c) => c.ty(),
        }
    }

    /// The types of the parameters.
    pub fn params(&self) -> Vec<Ty> {
        let params = &self.blocks[self.entry].params;
        params.iter().map(|&p| self.values[p]).collect()
    }

    /// The reachable block that ends in the merge point.
    pub fn merge_point(&self) -> Option<BlockId> {
        // Few graphs have one, so it is looked for before it is asked what is reached.
        let mut ends = self.blocks.keys().filter(|&b| self.is_merge_point(b));
        ends.next()?;
        let mut blocks = self.reverse_postorder().into_iter();
        blocks.find(|&b| self.is_merge_point(b))
    }

    /// Whether a block ends in the merge point: its parameters must stay as they are.
    pub fn is_merge_point(&self, block: BlockId) -> bool {
        matches!(self.blocks[block].term, Term::MergePoint { .. })
    }

    /// Calls `f` on every operand of operations, block ends and edges in a block.
    pub fn map_operands(&mut self, block: BlockId, mut f: impl FnMut(&mut Val)) {
        let block = &mut self.blocks[block];
        for op in &mut block.ops {
            op.args.iter_mut().for_each(&mut f);
        }
        block.term.operands_mut().iter_mut().for_each(&mut f);
        for target in block.term.targets_mut() {
            target.args.iter_mut().for_each(&mut f);
        }
    }
}

/// All graphs of a translated interpreter.
#[derive(Clone, PartialEq, Debug)]
pub struct GraphProgram {
    /// Classes, fields, called functions.
    pub descrs: Descrs,
    /// The classes of each `#[object]` enum.
    pub objects: Vec<(String, Vec<ClassId>)>,
    /// The traced functions reachable from the portal.
    pub graphs: PrimaryMap<FuncId, Graph>,
    /// The portal.
    pub portal: FuncId,
}

impl GraphOp {
    /// A data operation without a place.
    pub fn data(op: DataOp, args: Vec<Val>, descr: GraphDescr, dst: Option<ValueId>) -> GraphOp {
        GraphOp {
            code: GraphOpcode::Data(op),
            args,
            descr,
            dsts: dst.into_iter().collect(),
            pos: Pos::default(),
        }
    }

    /// The result of an operation that has one at most.
    pub fn dst(&self) -> Option<ValueId> {
        debug_assert!(self.dsts.len() <= 1, "the operation has several results");
        self.dsts.first().copied()
    }
}
