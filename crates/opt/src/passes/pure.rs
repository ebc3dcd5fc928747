//! Constant folding and common subexpressions, for pure operations.

use crate::bounds::Range;
use crate::rules::{self, Rewrite};
use crate::section::{Cx, Section};
use crate::state::gather::gather;
use crate::state::node::{Node, NodeId};
use crate::state::op_symmetry::canonical;
use crate::state::pure_table::PureKey;
use smallvec::SmallVec;
use verdigris_ops::{DataOp, Ty, eval};
use verdigris_trace::{Descr, Opcode, RecordedOp};

impl Section {
    /// A known result; marks the fact that it comes from as used.
    pub fn known_result(&mut self, key: &PureKey) -> Option<NodeId> {
        let entry = self.pure.get(key)?;
        self.facts.rely_on(entry.fact);
        let result = self.nodes.find(entry.result);
        (!self.nodes.is_phantom(result)).then_some(result)
    }

    /// A known result, which may be a phantom; marks no fact as used.
    pub fn result_unmarked(&self, opcode: Opcode, descr: Descr, args: &[NodeId]) -> Option<NodeId> {
        let key = PureKey {
            opcode,
            descr,
            args: gather(args.iter().map(|&n| self.nodes.find(n))),
        };
        Some(self.nodes.find(self.pure.get(&key)?.result))
    }

    /// Enters a result that has just been computed. A phantom that stood for it gets its value.
    pub fn enter_result(&mut self, key: PureKey, n: NodeId) {
        if let Some(entry) = self.pure.get(&key) {
            self.materialise(entry.result, n);
        }
        self.pure.insert(key, n, None);
    }

    /// If `phantom` is one, gives it the value of `n` and forwards `n` to it, so that what is known
    /// of the phantom is still found.
    pub fn materialise(&mut self, phantom: NodeId, n: NodeId) {
        let (phantom, n) = (self.nodes.find(phantom), self.nodes.find(n));
        if !self.nodes.is_phantom(phantom) {
            return;
        }
        // A place of a word may be known to hold something of another type.
        let n = self.view(n, self.nodes.ty(phantom));
        let Node::Real(computed) = self.nodes.get(n).clone() else {
            return;
        };
        self.refine(phantom, |r| {
            r.val = computed.val;
            r.seq = computed.seq;
            r.range = r.range.and(computed.range);
            r.taught = r.taught.max(computed.taught);
            r.def = computed.def;
        });
        self.nodes.forward(n, phantom);
    }

    /// A pure operation.
    pub fn pure_op(&mut self, cx: &mut Cx<'_>, data: DataOp, op: RecordedOp<'_>) -> NodeId {
        let args = self.arg_nodes(op);
        self.pure_nodes(cx, data, args)
    }

    /// A pure operation on these nodes.
    pub fn pure_nodes(
        &mut self,
        cx: &mut Cx<'_>,
        mut data: DataOp,
        mut args: SmallVec<[NodeId; 3]>,
    ) -> NodeId {
        if data == DataOp::UintAtMost {
            return self.promised(cx.passes, &args);
        }
        if !cx.passes.fold {
            return self.pure_as_is(cx, data, args);
        }
        if let Some(n) = self.known_cast(cx, data, args[0]) {
            return n;
        }
        let mut asked = None;
        let result = loop {
            if let Some(n) = self.fold(data, &args) {
                break n;
            }
            data = canonical(&self.nodes, data, &mut args);
            match rules::apply(self, data, &args) {
                Some(Rewrite::Node(n)) => break self.nodes.find(n),
                Some(Rewrite::Op(simpler, operands)) => {
                    if asked.is_none() && cx.passes.pure {
                        let key = PureKey::data(data, &args);
                        if let Some(n) = self.known_result(&key) {
                            return n;
                        }
                        asked = Some(key);
                    }
                    (data, args) = (simpler, operands);
                }
                None => {
                    let range = self.result_range(cx, data, &args);
                    let known = self.known_by_range(data, &args, range);
                    break known.unwrap_or_else(|| self.pure_def(cx, data, args, range));
                }
            }
        };
        // In a loop's body the operands may have no definitions, so the same operation is not
        // rewritten there: enter its result under its own key too.
        if let Some(key) = asked {
            self.enter_result(key, result);
        }
        result
    }

    fn fold(&mut self, data: DataOp, args: &[NodeId]) -> Option<NodeId> {
        if data.params() == [Ty::Word] {
            // `known_cast` has not folded it: no word of another type may become a constant object,
            // into which other passes look.
            return None;
        }
        let mut words = [0u64; 3];
        for (word, &n) in words.iter_mut().zip(args) {
            *word = self.nodes.as_const(n)?.word();
        }
        let word = eval(data, &words[..args.len()])?;
        Some(self.constant(data.ret()?, word))
    }

    /// A pure operation, without simplification.
    pub fn pure_as_is(
        &mut self,
        cx: &mut Cx<'_>,
        data: DataOp,
        args: SmallVec<[NodeId; 3]>,
    ) -> NodeId {
        let range = self.result_range(cx, data, &args);
        self.pure_def(cx, data, args, range)
    }

    /// A pure operation that does not fold, with a result in this range: known, or emitted.
    fn pure_def(
        &mut self,
        cx: &mut Cx<'_>,
        data: DataOp,
        args: SmallVec<[NodeId; 3]>,
        range: Range,
    ) -> NodeId {
        let key = PureKey::data(data, &args);
        if cx.passes.pure
            && let Some(n) = self.known_result(&key)
        {
            return n;
        }
        if cx.passes.bounds
            && cx.passes.fold
            && let Some(holds) = self.known_by_order(data, &key.args)
        {
            return self.constant(Ty::Int, u64::from(holds));
        }
        let vals = self.force_all_as(cx, &key.args, data.params());
        let ty = data.ret().expect("pure operations have results");
        let n = self.emit_def(data, &vals, Descr::None, ty);
        let def = (data, SmallVec::from_slice(&key.args));
        self.refine(n, |r| {
            r.range = range;
            r.def = Some(def);
        });
        if cx.passes.bounds {
            self.relate_result(cx, data, &key.args, n);
        }
        if cx.passes.pure {
            self.enter_result(key, n);
        }
        n
    }
}
