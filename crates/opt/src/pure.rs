//! Constant folding and common subexpressions.
//!
//! In: pure operations, loads that always give the same, elidable calls. Out: their nodes, most of
//! them without an emitted operation. Invariant: a key stands in the table only if its operation
//! has been executed on every path here, or a guard has shown its result; that of a read-only call
//! only as long as nothing is written that it reads.

use crate::bounds::Range;
use crate::node::{Node, NodeId};
use crate::rules::{self, Rewrite};
use crate::sabotage::Sabotage;
use crate::section::{Cx, Section};
use crate::simplify::{canonical, mirror};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use verdigris_ops::{DataOp, Descrs, FnId, FnKind, Ty, eval};
use verdigris_trace::{Descr, Opcode, RecordedOp};

/// An operation that always gives the same result: its opcode, descriptor and arguments.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct PureKey {
    pub opcode: Opcode,
    pub descr: Descr,
    pub args: SmallVec<[NodeId; 3]>,
}

impl PureKey {
    /// The key of a pure operation.
    fn of(data: DataOp, args: SmallVec<[NodeId; 3]>) -> PureKey {
        PureKey {
            opcode: Opcode::Data(data),
            descr: Descr::None,
            args,
        }
    }

    /// The opcode that gives the same with the arguments swapped, if that is the form that the
    /// table has.
    fn mirrored(&self) -> Option<Opcode> {
        match (self.opcode, &self.args[..]) {
            (Opcode::Data(DataOp::IntSub), [x, y]) if x > y && Sabotage::SwapOperands.is_on() => {
                Some(self.opcode)
            }
            (Opcode::Data(op), [x, y]) if x > y => mirror(op).map(Opcode::Data),
            _ => None,
        }
    }
}

/// A known result.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PureEntry {
    pub result: NodeId,
    /// The fact of the label's state that it comes from.
    pub fact: Option<u32>,
    /// When it was entered, for a stable order.
    pub order: u32,
}

/// Known results. Of an operation that can be written with its arguments in either order, it has
/// the one with the older node first.
#[derive(Clone, Default)]
pub(crate) struct PureTable {
    table: FxHashMap<PureKey, PureEntry>,
    entered: u32,
    /// Read-only functions of which there may be results.
    watched: Vec<FnId>,
}

impl PureTable {
    /// Enters a result.
    pub fn insert(&mut self, mut key: PureKey, result: NodeId, fact: Option<u32>) {
        if let Some(opcode) = key.mirrored() {
            key.opcode = opcode;
            key.args.swap(0, 1);
        }
        self.entered += 1;
        let order = self.entered;
        self.table.insert(
            key,
            PureEntry {
                result,
                fact,
                order,
            },
        );
    }

    /// The entry for a key.
    pub fn get(&self, key: &PureKey) -> Option<PureEntry> {
        match key.mirrored() {
            None => self.table.get(key),
            Some(opcode) => self.table.get(&PureKey {
                opcode,
                descr: key.descr,
                args: key.args.iter().rev().copied().collect(),
            }),
        }
        .copied()
    }

    /// Declares that results of a read-only function are in the table.
    pub fn watch(&mut self, function: FnId) {
        if !self.watched.contains(&function) {
            self.watched.push(function);
        }
    }

    /// As [`PureTable::watch`], if the function is one.
    pub fn watch_call(&mut self, descrs: &Descrs, function: FnId) {
        if descrs.fns[function].kind == FnKind::Readonly {
            self.watch(function);
        }
    }

    /// Whether a key is of a read-only call.
    pub fn is_watched(&self, key: &PureKey) -> bool {
        (self.watched.iter()).any(|&f| key.descr == Descr::Fn(f))
    }

    /// Forgets the results of the read-only functions for which `changed` holds.
    pub fn forget_calls(&mut self, changed: impl Fn(FnId) -> bool) {
        let before = self.watched.len();
        let mut gone = Vec::new();
        self.watched.retain(|&f| {
            let keep = !changed(f);
            if !keep {
                gone.push(Descr::Fn(f));
            }
            keep
        });
        if self.watched.len() < before {
            self.table.retain(|key, _| !gone.contains(&key.descr));
        }
    }

    /// All entries in the order they were entered.
    pub fn entries(&self) -> Vec<(&PureKey, PureEntry)> {
        let mut all: Vec<_> = self.table.iter().map(|(k, e)| (k, *e)).collect();
        all.sort_by_key(|(_, e)| e.order);
        all
    }
}

impl Section {
    /// A known result, marking the fact it comes from as used.
    pub fn known_result(&mut self, key: &PureKey) -> Option<NodeId> {
        let entry = self.pure.get(key)?;
        if let Some(fact) = entry.fact {
            self.used_facts[fact as usize] = true;
        }
        let result = self.nodes.find(entry.result);
        (!self.nodes.is_phantom(result)).then_some(result)
    }

    /// A known result, without marking the fact it comes from as used; it may be a phantom.
    pub fn result_unmarked(&self, opcode: Opcode, descr: Descr, args: &[NodeId]) -> Option<NodeId> {
        let key = PureKey {
            opcode,
            descr,
            args: args.iter().map(|&n| self.nodes.find(n)).collect(),
        };
        Some(self.nodes.find(self.pure.get(&key)?.result))
    }

    /// Enters a result that has just been computed. A phantom that stood for it gets a value that
    /// way.
    pub fn enter_result(&mut self, key: PureKey, n: NodeId) {
        if let Some(entry) = self.pure.get(&key) {
            self.materialise(entry.result, n);
        }
        self.pure.insert(key, n, None);
    }

    /// If `phantom` is one, it gets the value of `n`, and `n` is the same from now on: what is
    /// known of the phantom is found under the phantom's name.
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
                        let key = PureKey::of(data, args);
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
        // In a loop's body the operands may have no definitions, so that the same operation is not
        // rewritten there: its result has to be known under its own name too.
        if let Some(key) = asked {
            self.enter_result(key, result);
        }
        result
    }

    fn fold(&mut self, data: DataOp, args: &[NodeId]) -> Option<NodeId> {
        if data.params() == [Ty::Word] {
            // What `known_cast` does not know stays: no word of another type becomes a constant
            // object, into which other passes look.
            return None;
        }
        let mut words = [0u64; 3];
        for (word, &n) in words.iter_mut().zip(args) {
            *word = self.nodes.as_const(n)?.word();
        }
        let word = eval(data, &words[..args.len()])?;
        Some(self.constant(data.ret()?, word))
    }

    /// A pure operation that is not to be simplified.
    pub fn pure_as_is(
        &mut self,
        cx: &mut Cx<'_>,
        data: DataOp,
        args: SmallVec<[NodeId; 3]>,
    ) -> NodeId {
        let range = self.result_range(cx, data, &args);
        self.pure_def(cx, data, args, range)
    }

    /// A pure operation that does not fold, with a result in this range: one that is known, or an
    /// emitted one.
    fn pure_def(
        &mut self,
        cx: &mut Cx<'_>,
        data: DataOp,
        args: SmallVec<[NodeId; 3]>,
        range: Range,
    ) -> NodeId {
        let key = PureKey::of(data, args);
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
