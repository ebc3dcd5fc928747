//! Resume data: a snapshot of the recorded trace in terms of what exists in the optimised one.
//!
//! In: a snapshot and what is known at the guard. Out: a [`Resume`]. Invariant: making the virtuals, doing the
//! pending stores and filling the frames gives the state that the recorded trace has at this point.

use crate::heap::Place;
use crate::node::{Node, NodeId};
use crate::numbering::Numbering;
use crate::sabotage::Sabotage;
use crate::section::{Cx, Section};
use verdigris_trace::{
    ItemWord, PendingStore, Resume, SnapshotId, Src, ValRef, VirtualInfo, VirtualKind,
};

/// What describes one guard after the other, in memory that is used again.
#[derive(Default)]
pub(crate) struct Builder {
    values: Numbering<ValRef>,
    virtuals: Numbering<NodeId>,
    /// What bridges may know of: see [`crate::knowledge`].
    pub nodes: Numbering<NodeId>,
    resume: Resume,
    /// The virtuals by their index.
    order: Vec<NodeId>,
    /// The nodes of the fail arguments.
    fail_nodes: Vec<NodeId>,
}

impl Builder {
    /// Forgets the guard before.
    fn begin(&mut self) {
        self.values.begin();
        self.virtuals.begin();
        self.resume.fail_args.clear();
        self.resume.pending.clear();
        self.resume.frames.clear();
        self.order.clear();
        self.fail_nodes.clear();
    }

    /// What has been built, in no more memory than it takes.
    fn finish(&mut self) -> (Resume, Vec<NodeId>) {
        let resume = Resume {
            virtuals: std::mem::take(&mut self.resume.virtuals),
            kept: std::mem::take(&mut self.resume.kept),
            ..self.resume.clone()
        };
        (resume, self.fail_nodes.clone())
    }
}

impl Section {
    /// The resume data of a guard that stands at the end of what has been emitted, and the nodes of its fail arguments.
    /// `kept`: the objects of which virtualizable places are kept across the call in front of it.
    pub fn resume(
        &mut self,
        cx: &mut Cx<'_>,
        snapshot: SnapshotId,
        kept: &[NodeId],
    ) -> (Resume, Vec<NodeId>) {
        let mut builder = std::mem::take(&mut cx.exits);
        builder.begin();
        let mut frames = std::mem::take(&mut builder.resume.frames);
        let mut next = Some(snapshot);
        while let Some(id) = next {
            let snap = cx.trace.snapshot(id);
            let regs = snap.regs().map(|(reg, val)| {
                let n = self.node(val);
                (reg, self.src(n, &mut builder))
            });
            frames.push(snap.code, snap.pc, regs);
            next = snap.parent;
        }
        builder.resume.frames = frames;
        let mut delayed: Vec<_> = self.heap.delayed().collect();
        if Sabotage::LosePending.is_on() {
            delayed.pop();
        }
        for (place, base, value) in delayed {
            let object = self.src(base, &mut builder);
            let value = self.src(value, &mut builder);
            builder.resume.pending.push(match place {
                Place::Field(field) => PendingStore::Field {
                    object,
                    field,
                    value,
                },
                Place::Item(class, index) => PendingStore::Item {
                    array: object,
                    class,
                    index,
                    value,
                },
            });
        }
        for &object in kept {
            let object = self.src(object, &mut builder);
            builder.resume.kept.push(object);
        }
        self.describe_virtuals(&mut builder);
        let done = builder.finish();
        cx.exits = builder;
        done
    }

    fn src(&self, n: NodeId, builder: &mut Builder) -> Src {
        let n = self.nodes.find(n);
        match self.nodes.get(n) {
            Node::Const(c) => Src::Const(*c),
            Node::Real(r) => {
                let (number, first) = builder.values.number(r.val);
                if first {
                    builder.resume.fail_args.push(r.val);
                    builder.fail_nodes.push(n);
                }
                Src::Fail(number as u16)
            }
            Node::Virtual(v) => {
                let (number, first) = builder.virtuals.number(n);
                if first {
                    // The contents follow: they may refer to this virtual.
                    builder.resume.virtuals.push(VirtualInfo {
                        class: v.class,
                        kind: VirtualKind::Struct { fields: Vec::new() },
                    });
                    builder.order.push(n);
                }
                Src::Virtual(number as u16)
            }
            Node::Forward(_) => unreachable!("find follows forwards"),
        }
    }

    /// Describes the contents of all virtuals; describing one can find more.
    fn describe_virtuals(&self, builder: &mut Builder) {
        let mut done = 0;
        while let Some(&n) = builder.order.get(done) {
            let v = self.nodes.as_virtual(n).expect("only virtuals are listed");
            let words = v.contents.words().filter(|w| !self.nodes.is_zero(w.1));
            let words = words.skip(usize::from(Sabotage::LoseField.is_on()));
            let mut kind = match v.contents.len() {
                None => VirtualKind::Struct { fields: Vec::new() },
                Some(len) => VirtualKind::Array {
                    len,
                    words: Vec::new(),
                },
            };
            for (place, n) in words {
                let value = self.src(n, builder);
                match (&mut kind, place) {
                    (VirtualKind::Struct { fields }, Place::Field(field)) => {
                        fields.push((field, value));
                    }
                    (VirtualKind::Array { words, .. }, Place::Item(class, index)) => {
                        words.push(ItemWord {
                            index,
                            class,
                            value,
                        });
                    }
                    _ => unreachable!("structs have fields, arrays have items"),
                }
            }
            builder.resume.virtuals[done].kind = kind;
            done += 1;
        }
    }
}
