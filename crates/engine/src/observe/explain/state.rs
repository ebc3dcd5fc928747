//! The data from which a run is explained, as it is collected. It is numbers and texts, so it keeps
//! neither code nor objects alive, except for the counts of entries.

use crate::code::trace_id::TraceId;
use crate::code::trees::{InUse, TreeId};
use crate::observe::explain::interpreted::Interpreted;
use crate::observe::explain::promoted::Promoted;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::rc::Rc;
use verdigris_explain::{CodeChange, CodeReport};
use verdigris_report::{AbortReason, ChangeKind, SourcePos};
use verdigris_trace::GuardId;

/// A piece of code, with the guards in the order of its findings.
pub(crate) struct Piece {
    pub(crate) code: CodeReport,
    pub(crate) guards: Vec<Option<GuardId>>,
    /// The count of entries, if native code enters it.
    pub(crate) in_use: Option<Rc<InUse>>,
}

/// More about an attempt that was given up.
#[derive(Clone, Default)]
pub(crate) struct Ended {
    pub(crate) guard: Option<String>,
    pub(crate) place: Option<SourcePos>,
    pub(crate) source: Vec<String>,
    pub(crate) from: Vec<(SourcePos, u64)>,
}

/// The data so far.
#[derive(Default)]
pub(crate) struct Explained {
    pub(crate) pieces: RefCell<Vec<Piece>>,
    /// The pieces that native code enters.
    roots: RefCell<FxHashMap<TreeId, u32>>,
    pub(crate) failures: RefCell<FxHashMap<GuardId, u64>>,
    /// The guards that have bridges.
    pub(crate) bridges: RefCell<FxHashMap<GuardId, u32>>,
    pub(crate) blocked: RefCell<FxHashSet<GuardId>>,
    /// The interpreter's lines where the attempt stands that is about to be given up.
    pub(crate) lines: RefCell<Vec<String>>,
    pub(crate) ended: RefCell<FxHashMap<(String, AbortReason), Ended>>,
    pub(crate) changes: RefCell<Vec<CodeChange>>,
    /// The roots that are being run, the outermost first.
    running: RefCell<Vec<u32>>,
    pub(crate) entered: RefCell<FxHashMap<(u32, u32), u64>>,
    pub(crate) interpreted: Interpreted,
    pub(crate) promoted: Promoted,
}

impl Explained {
    /// Adds a piece that belongs to a tree. `is_root` says whether native code enters it.
    pub(crate) fn made(&self, mut piece: Piece, tree: TreeId, is_root: bool) {
        let trace = piece.code.trace;
        let mut roots = self.roots.borrow_mut();
        if is_root {
            roots.insert(tree, trace);
        }
        piece.code.root = *roots.entry(tree).or_insert(trace);
        self.pieces.borrow_mut().push(piece);
    }

    /// Code of a tree is entered.
    pub(crate) fn enter(&self, tree: TreeId) {
        let root = self.roots.borrow().get(&tree).copied();
        // Code that was made before anybody wanted to know is of no root.
        let root = root.unwrap_or(u32::MAX);
        let mut running = self.running.borrow_mut();
        if let Some(&outer) = running.last() {
            *self.entered.borrow_mut().entry((outer, root)).or_insert(0) += 1;
        }
        running.push(root);
    }

    /// The code that was entered last is left.
    pub(crate) fn leave(&self) {
        self.running.borrow_mut().pop();
    }

    /// A guard has failed, and has led out of compiled code.
    pub(crate) fn failed(&self, guard: GuardId) {
        *self.failures.borrow_mut().entry(guard).or_insert(0) += 1;
    }

    /// Notes a change; of equal ones, how many there are.
    pub(crate) fn change(&self, kind: ChangeKind, place: SourcePos, what: String) {
        let mut changes = self.changes.borrow_mut();
        let is_it = |c: &&mut CodeChange| c.kind == kind && c.place == place && c.what == what;
        match changes.iter_mut().find(is_it) {
            Some(change) => change.times += 1,
            None => changes.push(CodeChange {
                kind,
                place,
                what,
                times: 1,
            }),
        }
    }

    /// These traces have been invalidated.
    pub(crate) fn invalidated(&self, traces: &[TraceId]) {
        for &trace in traces {
            let pieces = self.pieces.borrow();
            let piece = pieces
                .iter()
                .find(|piece| piece.code.trace == trace.as_u32());
            let Some(code) = piece.map(|piece| &piece.code) else {
                continue;
            };
            let what = format!(
                "the code of this {} was invalidated: a `Quasi` field was written that it took for constant",
                code.kind
            );
            self.change(ChangeKind::Invalidated, code.place.clone(), what);
        }
    }
}
