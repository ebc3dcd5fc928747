//! Resume data: a snapshot of the recorded trace in terms of values of the optimised one.
//!
//! Invariant: allocating the virtuals, doing the pending stores and filling the frames gives the
//! state of the recorded trace at this point.

use crate::sabotage::Sabotage;
use crate::section::{Cx, Section};
use crate::state::exit_builder::{DescribedFrame, ExitBuilder};
use crate::state::node::{Node, NodeId};
use verdigris_ops::HeapSlot;
use verdigris_trace::{ItemWord, PendingStore, Resume, SnapshotId, Src, VirtualInfo, VirtualKind};

impl Section {
    /// The resume data of a guard at the section's end; the builder then has the nodes of its fail
    /// arguments. `kept` are the objects whose virtualizable slots are kept across the call in
    /// front of it.
    pub fn resume(
        &mut self,
        cx: &Cx<'_>,
        builder: &mut ExitBuilder,
        snapshot: SnapshotId,
        kept: &[NodeId],
    ) -> Resume {
        self.describe_frames(cx, builder, snapshot);
        let mut resume = Resume {
            frames: builder.frames.clone(),
            ..Resume::default()
        };
        resume.pending.reserve_exact(self.heap.delayed().len());
        for (slot, base, value) in self.heap.delayed() {
            let object = self.src(base, builder);
            let value = self.src(value, builder);
            resume.pending.push(match slot {
                HeapSlot::Field(field) => PendingStore::Field {
                    object,
                    field,
                    value,
                },
                HeapSlot::Item(class, index) => PendingStore::Item {
                    array: object,
                    class,
                    index,
                    value,
                },
            });
        }
        if Sabotage::LosePending.is_on() {
            resume.pending.pop();
        }
        let kept = kept.iter().map(|&object| self.src(object, builder));
        resume.kept = kept.collect();
        resume.virtuals = self.describe_virtuals(builder);
        resume.fail_args = builder.values.order().to_vec();
        resume
    }

    /// Describes the frames of a snapshot, from the first one that differs from the last guard's or
    /// has a node that changed.
    fn describe_frames(&mut self, cx: &Cx<'_>, builder: &mut ExitBuilder, snapshot: SnapshotId) {
        builder.stack.clear();
        let mut next = Some(snapshot);
        while let Some(id) = next {
            builder.stack.push(id);
            next = cx.trace.snapshot(id).parent;
        }
        let known = builder.chain.iter().take(self.nodes.settled_frames());
        let same = known.zip(builder.stack.iter().rev());
        let same = same.take_while(|(described, id)| described.snapshot == **id);
        let same = same.count();
        builder.keep(same);
        let mut frames = std::mem::take(&mut builder.frames);
        for at in (0..builder.stack.len() - same).rev() {
            let id = builder.stack[at];
            let snap = cx.trace.snapshot(id);
            let depth = frames.len();
            let regs = snap.regs().map(|(reg, val)| {
                let n = self.node(val);
                self.nodes.list(n, depth);
                (reg, self.src(n, builder))
            });
            frames.push_inner(snap.code, snap.pc, regs);
            builder.chain.push(DescribedFrame {
                snapshot: id,
                values: builder.values.len(),
                virtuals: builder.virtuals.len(),
            });
        }
        builder.frames = frames;
        self.nodes.settle_frames();
    }

    fn src(&self, n: NodeId, builder: &mut ExitBuilder) -> Src {
        let n = self.nodes.find(n);
        match self.nodes.get(n) {
            Node::Const(c) => Src::Const(*c),
            Node::Real(r) => {
                let (number, first) = builder.values.number(r.val);
                if first {
                    builder.fail_nodes.push(n);
                }
                Src::Fail(number as u16)
            }
            Node::Virtual(_) => Src::Virtual(builder.virtuals.number(n).0 as u16),
            Node::Forward(_) => unreachable!("find follows forwards"),
        }
    }

    /// Describes the contents of all virtuals, including those found on the way.
    fn describe_virtuals(&self, builder: &mut ExitBuilder) -> Vec<VirtualInfo> {
        let mut all = Vec::with_capacity(builder.virtuals.len());
        while let Some(&n) = builder.virtuals.order().get(all.len()) {
            let v = self.nodes.as_virtual(n).expect("only virtuals are listed");
            let words = v.contents.words().filter(|w| !self.nodes.is_zero(w.1));
            let words = words.skip(usize::from(Sabotage::LoseField.is_on()));
            let mut kind = match v.contents.len() {
                None => VirtualKind::Struct {
                    fields: Vec::with_capacity(v.contents.most_words()),
                },
                Some(len) => VirtualKind::Array {
                    len,
                    words: Vec::with_capacity(v.contents.most_words()),
                },
            };
            for (slot, n) in words {
                let value = self.src(n, builder);
                match (&mut kind, slot) {
                    (VirtualKind::Struct { fields }, HeapSlot::Field(field)) => {
                        fields.push((field, value));
                    }
                    (VirtualKind::Array { words, .. }, HeapSlot::Item(class, index)) => {
                        words.push(ItemWord {
                            index,
                            class,
                            value,
                        });
                    }
                    _ => unreachable!("structs have fields, arrays have items"),
                }
            }
            all.push(VirtualInfo {
                class: v.class,
                kind,
            });
        }
        all
    }
}
