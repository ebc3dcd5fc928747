//! Words of values: casts that cost nothing.
//!
//! A cast to [`Ty::Word`] is its operand's node, so a word of the recorded trace can be an integer,
//! a double, a constant or a virtual here; a cast back is that node. Where a word is required, the
//! cast is emitted in front.
//!
//! Invariants: a value of another type than word has a node of its own type; nodes of type word are
//! emitted values; an emitted word is cast to a reference only where the recorded trace does it,
//! behind the guard on the tag, or where it has been done before.

use crate::sabotage::Sabotage;
use crate::section::{Cx, Section};
use crate::state::gather::gather;
use crate::state::node::{Node, NodeId};
use crate::state::op_symmetry::makes_word;
use crate::state::pure_table::{ConstantLoad, PureKey};
use smallvec::{SmallVec, smallvec};
use verdigris_ops::{DataOp, DescrKind, Ty};
use verdigris_trace::{Arg, Const, Descr, Opcode};

impl Section {
    /// The zero of a slot of this type. The zero of a word is an integer.
    pub fn zero_node(&mut self, ty: Ty) -> NodeId {
        match ty {
            Ty::Word => self.constant(Ty::Int, 0),
            ty => self.constant(ty, 0),
        }
    }

    /// A constant for a word that a call has returned. As an object it is kept alive, and stores of
    /// it tell the collector; an integer that is the address of one by chance is never cast to it.
    pub fn constant_word(&mut self, cx: &mut Cx<'_>, word: u64) -> NodeId {
        match cx.host.is_object(word) {
            true => self.constant(Ty::Ref, word),
            false => self.constant(Ty::Int, word),
        }
    }

    /// The values of nodes for slots of these types; virtuals are allocated first.
    pub fn force_all_as(
        &mut self,
        cx: &mut Cx<'_>,
        nodes: &[NodeId],
        types: &[Ty],
    ) -> SmallVec<[Arg; 3]> {
        // All of them exist before the first cast: the casts stand together in front of the
        // operation.
        for &n in nodes {
            self.force_node(cx, n);
        }
        let typed = nodes.iter().zip(types);
        gather(typed.map(|(&n, &ty)| self.val_as(n, ty)))
    }

    /// The value of a node that is not virtual for a slot of this type.
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

    /// Emits a cast, unless it has been emitted before.
    fn cast(&mut self, cast: DataOp, n: NodeId) -> NodeId {
        let key = PureKey::data(cast, &[n]);
        if let Some(known) = self.known_result(&key) {
            return known;
        }
        let val = self.val(n);
        let ty = cast.ret().expect("casts have results");
        let result = self.emit_def(cast, &[val], Descr::None, ty);
        self.enter_result(key, result);
        result
    }

    /// The result of a cast that need not be emitted.
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
                let ConstantLoad { load, descr, args } = self.pure.constant_loads.get(&n)?.clone();
                // The tag is as constant as the word, so the cast says what it is.
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

    /// Remembers that this node is the result of a load of a word from a constant object.
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
            self.pure.constant_loads.insert(n, load);
        }
    }
}
