//! Resume data: a snapshot of the recorded trace in terms of what exists in the optimised one.
//!
//! In: a snapshot and what is known at the guard. Out: a [`Resume`]. Invariant: making the
//! virtuals, doing the pending stores and filling the frames gives the state that the recorded
//! trace has at this point.

use crate::node::{Node, NodeId};
use crate::numbering::Numbering;
use crate::sabotage::Sabotage;
use crate::section::{Cx, Section};
use verdigris_ops::HeapSlot;
use verdigris_trace::{
    ItemWord, PendingStore, Resume, ResumeFrames, SnapshotId, Src, ValRef, VirtualInfo, VirtualKind,
};

/// What describes one guard after the other: what is the same about the outer frames of the guard
/// before stays.
#[derive(Clone, Default)]
pub(crate) struct Builder {
    /// The fail arguments.
    values: Numbering<ValRef>,
    /// The objects to be made.
    virtuals: Numbering<NodeId>,
    frames: ResumeFrames,
    /// The frames of the guard before, outermost first.
    chain: Vec<Described>,
    /// The nodes of the fail arguments.
    pub fail_nodes: Vec<NodeId>,
    /// What bridges may know of: see [`crate::knowledge`].
    pub nodes: Numbering<NodeId>,
    /// The frames of the guard at hand, innermost first.
    stack: Vec<SnapshotId>,
}

/// A frame of the guard before.
#[derive(Clone, Copy)]
struct Described {
    snapshot: SnapshotId,
    /// How many fail arguments there are in it and the frames outside of it.
    values: usize,
    /// How many virtuals.
    virtuals: usize,
}

impl Builder {
    /// Forgets the guard before: values of the recorded trace are others from here on.
    pub fn clear(&mut self) {
        self.keep(0);
    }

    /// Forgets all but these outer frames.
    fn keep(&mut self, frames: usize) {
        self.chain.truncate(frames);
        self.frames.truncate(frames);
        let (values, virtuals) = match self.chain.last() {
            Some(last) => (last.values, last.virtuals),
            None => (0, 0),
        };
        self.values.truncate(values);
        self.fail_nodes.truncate(values);
        self.virtuals.truncate(virtuals);
    }
}

impl Section {
    /// The resume data of a guard that stands at the end of what has been emitted; the builder has
    /// the nodes of its fail arguments. `kept`: the objects of which virtualizable places are kept
    /// across the call in front of it.
    pub fn resume(
        &mut self,
        cx: &Cx<'_>,
        builder: &mut Builder,
        snapshot: SnapshotId,
        kept: &[NodeId],
    ) -> Resume {
        self.describe_frames(cx, builder, snapshot);
        let mut resume = Resume {
            frames: builder.frames.clone(),
            ..Resume::default()
        };
        resume.pending.reserve_exact(self.heap.delayed().len());
        for (place, base, value) in self.heap.delayed() {
            let object = self.src(base, builder);
            let value = self.src(value, builder);
            resume.pending.push(match place {
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

    /// Describes the frames of a snapshot, from the first on that is another one than at the guard
    /// before, or has a value of which something else is known.
    fn describe_frames(&mut self, cx: &Cx<'_>, builder: &mut Builder, snapshot: SnapshotId) {
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
            builder.chain.push(Described {
                snapshot: id,
                values: builder.values.len(),
                virtuals: builder.virtuals.len(),
            });
        }
        builder.frames = frames;
        self.nodes.settle_frames();
    }

    fn src(&self, n: NodeId, builder: &mut Builder) -> Src {
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

    /// Describes the contents of all virtuals; describing one can find more.
    fn describe_virtuals(&self, builder: &mut Builder) -> Vec<VirtualInfo> {
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
            for (place, n) in words {
                let value = self.src(n, builder);
                match (&mut kind, place) {
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
