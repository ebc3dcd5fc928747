//! Virtualizable slots: kept in registers across calls that may do anything.
//!
//! Delayed stores to them stay delayed across such a call, and a `guard_not_forced` behind it says
//! what was kept. Calls with known effects need none of this.
//!
//! Invariants: an object's virtualizable slots are accessed only behind a `reclaim` of it. Code
//! that accesses one during the call reclaims the object first, so the guard holds if no such slot
//! was written. A reclaimed object stays reclaimed as long as the activation lives, because no
//! activation around it can run before it is left.
//!
//! Source: RPython's virtualizables and virtual references.

use crate::section::{Cx, Section};
use crate::state::node::{Node, NodeId};
use crate::state::pure_table::PureKey;
use verdigris_ops::{DataOp, Effects, Places, Ty};
use verdigris_trace::{Descr, Opcode};

impl Section {
    /// Whether virtualizable slots are kept across a call.
    pub fn keeps_across(cx: &Cx<'_>, effects: &Effects) -> bool {
        cx.passes.virtualizable && effects.reads == Places::All && cx.host.keeps_virtualizables()
    }

    /// Behind a call across which virtualizable slots are kept: records their objects for its
    /// guard.
    pub fn note_kept(&mut self, cx: &Cx<'_>) {
        let nodes = &self.nodes;
        // An object without a value cannot be named.
        self.heap
            .retain(|slot, base| !(slot.is_virtualizable(cx.descrs) && nodes.is_phantom(base)));
        let mut kept: Vec<NodeId> = Vec::new();
        for (slot, entry) in self.heap.entries() {
            let base = self.nodes.find(entry.base);
            if slot.is_virtualizable(cx.descrs) && !kept.contains(&base) {
                kept.push(base);
            }
        }
        self.call.kept = kept;
    }

    /// In front of an access to a virtualizable slot.
    pub fn reclaim(&mut self, cx: &mut Cx<'_>, object: NodeId) {
        let object = self.nodes.find(object);
        let fresh = match self.nodes.get(object) {
            Node::Virtual(_) => return,
            Node::Real(r) => r.fresh,
            Node::Const(_) | Node::Forward(_) => false,
        };
        let key = reclaimed(object);
        if cx.passes.pure && self.known_result(&key).is_some() {
            return;
        }
        if !fresh || !cx.passes.virtualizable {
            let val = self.force(cx, object);
            self.code
                .trace
                .push(Opcode::Data(DataOp::Reclaim), &[val], Descr::None);
        }
        if cx.passes.pure {
            let done = self.constant(Ty::Int, 0);
            self.pure.insert(key, done, None);
        }
    }
}

/// The key of the knowledge that an object has been reclaimed.
pub(crate) fn reclaimed(object: NodeId) -> PureKey {
    PureKey::data(DataOp::Reclaim, &[object])
}
