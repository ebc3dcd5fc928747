//! Resume data: a snapshot of the recorded trace in terms of what exists in the optimised one.
//!
//! In: a snapshot and what is known at the guard. Out: a [`Resume`]. Invariant: making the virtuals, doing the
//! pending stores and filling the frames gives the state that the recorded trace has at this point.

use crate::heap::Place;
use crate::node::{Contents, Node, NodeId};
use crate::section::{Cx, Section};
use rustc_hash::FxHashMap;
use verdigris_trace::{
    FrameSnap, PendingStore, Resume, ResumeFrame, SnapshotId, Src, ValRef, VirtualInfo, VirtualKind,
};

#[derive(Default)]
struct Builder {
    resume: Resume,
    values: FxHashMap<ValRef, u16>,
    virtuals: FxHashMap<NodeId, u16>,
    /// The virtuals by their index.
    order: Vec<NodeId>,
    /// The nodes of the fail arguments.
    fail_nodes: Vec<NodeId>,
}

impl Section {
    /// The resume data of a guard that stands at the end of what has been emitted, and the nodes of its fail arguments.
    pub fn resume(&mut self, cx: &Cx<'_>, snapshot: SnapshotId) -> (Resume, Vec<NodeId>) {
        let mut builder = Builder::default();
        let mut next = Some(snapshot);
        while let Some(id) = next {
            let snap = &cx.trace.snapshots[id];
            let frame = self.resume_frame(&snap.frame, &mut builder);
            builder.resume.frames.push(frame);
            next = snap.parent;
        }
        let delayed: Vec<_> = self.heap.delayed().collect();
        builder.resume.pending.reserve_exact(delayed.len());
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
        self.describe_virtuals(&mut builder);
        (builder.resume, builder.fail_nodes)
    }

    fn resume_frame(&mut self, frame: &FrameSnap, builder: &mut Builder) -> ResumeFrame {
        ResumeFrame {
            code: frame.code,
            pc: frame.pc,
            regs: frame
                .regs
                .iter()
                .map(|&(reg, val)| {
                    let n = self.node(val);
                    (reg, self.src(n, builder))
                })
                .collect(),
        }
    }

    fn src(&self, n: NodeId, builder: &mut Builder) -> Src {
        let n = self.nodes.find(n);
        match self.nodes.get(n) {
            Node::Const(c) => Src::Const(*c),
            Node::Real(r) => {
                let resume = &mut builder.resume;
                let fail_nodes = &mut builder.fail_nodes;
                Src::Fail(*builder.values.entry(r.val).or_insert_with(|| {
                    resume.fail_args.push(r.val);
                    fail_nodes.push(n);
                    resume.fail_args.len() as u16 - 1
                }))
            }
            Node::Virtual(v) => {
                let virtuals = &mut builder.resume.virtuals;
                let order = &mut builder.order;
                Src::Virtual(*builder.virtuals.entry(n).or_insert_with(|| {
                    // The contents follow: they may refer to this virtual.
                    virtuals.push(VirtualInfo {
                        class: v.class,
                        kind: VirtualKind::Struct { fields: Vec::new() },
                    });
                    order.push(n);
                    virtuals.len() as u16 - 1
                }))
            }
            Node::Forward(_) => unreachable!("find follows forwards"),
        }
    }

    /// Describes the contents of all virtuals; describing one can find more.
    fn describe_virtuals(&self, builder: &mut Builder) {
        let mut done = 0;
        while let Some(&n) = builder.order.get(done) {
            let v = self.nodes.as_virtual(n).expect("only virtuals are listed");
            let kind = match &v.contents {
                Contents::Struct(fields) => VirtualKind::Struct {
                    fields: fields
                        .iter()
                        .filter(|(_, n)| !self.nodes.is_zero(*n))
                        .map(|&(f, n)| (f, self.src(n, builder)))
                        .collect(),
                },
                Contents::Array(items) => VirtualKind::Array {
                    items: items.iter().map(|&n| self.src(n, builder)).collect(),
                },
            };
            builder.resume.virtuals[done].kind = kind;
            done += 1;
        }
    }
}
