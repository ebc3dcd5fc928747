//! Results of operations that always give the same.
//!
//! Invariant: a key stands in the table only if its operation has been executed on every path here,
//! or a guard has shown its result; that of a read-only call only as long as nothing is written
//! that it reads.

use super::gather::gather;
use super::node::NodeId;
use super::op_symmetry::mirror;
use crate::sabotage::Sabotage;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use verdigris_ops::{DataOp, Descrs, FnId, FnKind};
use verdigris_trace::{Descr, Opcode};

/// An operation that always gives the same result.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct PureKey {
    pub opcode: Opcode,
    pub descr: Descr,
    pub args: SmallVec<[NodeId; 3]>,
}

impl PureKey {
    /// The key of an operation without a descriptor.
    pub fn data(data: DataOp, args: &[NodeId]) -> PureKey {
        PureKey {
            opcode: Opcode::Data(data),
            descr: Descr::None,
            args: SmallVec::from_slice(args),
        }
    }

    /// The opcode that gives the same result with the arguments swapped, if the table has that
    /// form.
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

/// A load of a word from a constant object that always gives the same.
#[derive(Clone, Debug)]
pub(crate) struct ConstantLoad {
    pub load: DataOp,
    pub descr: Descr,
    pub args: SmallVec<[u64; 4]>,
}

/// A known result.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PureEntry {
    pub result: NodeId,
    /// The label's fact that it comes from.
    pub fact: Option<u32>,
    /// When it was entered, for a stable order.
    pub order: u32,
}

/// Known results. Where the arguments may be in either order, the older node comes first.
#[derive(Clone, Default)]
pub(crate) struct PureTable {
    table: FxHashMap<PureKey, PureEntry>,
    entered: u32,
    /// Read-only functions of which there may be results.
    watched: Vec<FnId>,
    /// The loads from constant objects that gave words of values.
    pub constant_loads: FxHashMap<NodeId, ConstantLoad>,
}

impl PureTable {
    /// Makes room for so many results more.
    pub fn reserve(&mut self, results: usize) {
        self.table.reserve(results);
    }

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
                args: gather(key.args.iter().rev().copied()),
            }),
        }
        .copied()
    }

    /// Records that results of a read-only function are in the table.
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

    /// Whether a key belongs to a read-only call.
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
