//! Words of values: casts that cost nothing.
//!
//! In: casts to and from [`Ty::Word`]. Out: a cast to a word is its operand's node, so that a value
//! of the recorded trace that is a word can be an integer, a double, a constant or a virtual here;
//! a cast back is that node. Where the form wants a word, the cast is emitted in front. Invariants:
//! a value of another type than word has a node of its own type; nodes of type word are emitted
//! values; a cast of an emitted word to a reference is only done where the recorded trace does it,
//! which is behind the guard on the tag, or where it has been done before.

use crate::node::{Node, NodeId};
use crate::pure::PureKey;
use crate::sabotage::Sabotage;
use crate::section::{Cx, Section};
use smallvec::{SmallVec, smallvec};
use verdigris_ops::{DataOp, DescrKind, Ty};
use verdigris_trace::{Arg, Const, Descr, Opcode};

/// A load of a word from a constant object that always gives the same.
#[derive(Clone, Debug)]
pub(crate) struct ConstantLoad {
    load: DataOp,
    descr: Descr,
    args: SmallVec<[u64; 4]>,
}

/// Whether an operation is a cast to a word.
pub(crate) fn makes_word(opcode: Opcode) -> bool {
    use DataOp::{WordFromFloat, WordFromInt, WordFromRef};
    matches!(
        opcode,
        Opcode::Data(WordFromInt | WordFromRef | WordFromFloat)
    )
}

impl Section {
    /// The node of zero in a place of this type. A word that is zero is an integer.
    pub fn zero_node(&mut self, ty: Ty) -> NodeId {
        match ty {
            Ty::Word => self.constant(Ty::Int, 0),
            ty => self.constant(ty, 0),
        }
    }

    /// The values of nodes for places of these types; virtuals are allocated first.
    pub fn force_all_as(
        &mut self,
        cx: &mut Cx<'_>,
        nodes: &[NodeId],
        types: &[Ty],
    ) -> SmallVec<[Arg; 3]> {
        // All of them exist before the first is cast: the casts of one operation stand together in
        // front of it.
        for &n in nodes {
            self.force_node(cx, n);
        }
        let typed = nodes.iter().zip(types);
        typed.map(|(&n, &ty)| self.val_as(n, ty)).collect()
    }

    /// The value of a node that is not virtual for a place of this type.
    pub fn val_as(&mut self, n: NodeId, ty: Ty) -> Arg {
        let n = self.view(n, ty);
        self.val(n)
    }

    /// The node of the same bits, of this type. The node is not virtual.
    pub fn view(&mut self, n: NodeId, ty: Ty) -> NodeId {
        let mut n = self.nodes.find(n);
        let is = self.nodes.ty(n);
        if is == ty {
            return n;
        }
        if let Some(cast) = DataOp::word_from(is) {
            n = self.cast(cast, n);
        }
        match DataOp::from_word(ty) {
            Some(cast) => self.cast(cast, n),
            None => n,
        }
    }

    /// A cast that is emitted, unless it has been.
    fn cast(&mut self, cast: DataOp, n: NodeId) -> NodeId {
        let key = PureKey {
            opcode: Opcode::Data(cast),
            descr: Descr::None,
            args: smallvec![n],
        };
        if let Some(known) = self.known_result(&key) {
            return known;
        }
        let val = self.val(n);
        let ty = cast.ret().expect("casts have results");
        let result = self.emit_def(cast, &[val], Descr::None, ty);
        self.enter_result(key, result);
        result
    }

    /// The node of a cast that need not be done.
    pub fn known_cast(&mut self, cx: &mut Cx<'_>, data: DataOp, n: NodeId) -> Option<NodeId> {
        let n = self.nodes.find(n);
        if makes_word(Opcode::Data(data)) {
            return Some(n);
        }
        let ty = match (data.params(), data.ret()) {
            (&[Ty::Word], Some(ty)) => ty,
            _ => return None,
        };
        let is = self.nodes.ty(n);
        if is == ty {
            return Some(n);
        }
        if Sabotage::WrongView.is_on() && (is, ty) == (Ty::Float, Ty::Int) {
            return Some(self.pure_nodes(cx, DataOp::FloatToInt, smallvec![n]));
        }
        match self.nodes.get(n) {
            Node::Const(c @ (Const::Int(_) | Const::Float(_))) if ty != Ty::Ref => {
                let word = c.word();
                Some(self.constant(ty, word))
            }
            Node::Real(_) if is == Ty::Word => {
                let ConstantLoad { load, descr, args } = self.constant_loads.get(&n)?.clone();
                // The program says what it is, for the tag does, which is as constant.
                let load = match load.descr_kind() {
                    DescrKind::Field => DataOp::get_field(ty),
                    _ => DataOp::get_item(ty),
                };
                let word = cx.host.load(load, &args, descr);
                Some(self.constant(ty, word))
            }
            _ => None,
        }
    }

    /// A load of a word from a constant object has given this node, and always will.
    pub fn remember_constant_load(
        &mut self,
        cx: &Cx<'_>,
        load: DataOp,
        descr: Descr,
        args: &[NodeId],
        n: NodeId,
    ) {
        if load.ret() != Some(Ty::Word) || !cx.passes.fold || cx.check_hints {
            return;
        }
        if let Some(args) = self.const_words(args)
            && args[0] != 0
        {
            let n = self.nodes.find(n);
            let load = ConstantLoad { load, descr, args };
            self.constant_loads.insert(n, load);
        }
    }
}
