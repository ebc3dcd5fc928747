//! Residual calls. Elidable ones are folded and shared. Read-only ones are shared until something is written that they read,
//! so that those whose places a loop leaves alone are made before it. Opaque ones see and change the places that their effects name: what
//! is delayed there is done before them, and what is known of places that they write is forgotten behind them. A store
//! that stays delayed is carried by the call's `guard_no_panic`, which also keeps what it stores alive during the call.

use crate::node::NodeId;
use crate::pure::PureKey;
use crate::section::{Cx, Section};
use smallvec::SmallVec;
use verdigris_ops::{ClassId, Descrs, FieldId, FnId, FnKind};
use verdigris_trace::{Op, Opcode, Val};

/// What a store writes, over all objects.
#[derive(Clone, Copy)]
pub(crate) enum Written {
    Field(FieldId),
    /// Items of an array class.
    Items(ClassId),
}

impl Section {
    /// A residual call.
    pub fn call(&mut self, cx: &mut Cx<'_>, op: &Op) -> Option<NodeId> {
        let function = FnId::from_u32(op.descr);
        let args = self.arg_nodes(op);
        self.call_removed = false;
        match cx.descrs.fns[function].kind {
            FnKind::Elidable => self.elidable_call(cx, op, function, args),
            FnKind::Readonly => self.readonly_call(cx, op, args),
            FnKind::Opaque | FnKind::Portal => {
                // Arguments first: what they refer to escapes and is stored to by the callee's eyes.
                let vals: SmallVec<[Val; 3]> = args.iter().map(|&n| self.force(cx, n)).collect();
                let descrs = cx.descrs;
                let effects = &descrs.fns[function].effects;
                self.flush_if(cx, |p| p.is_in(&effects.reads) || p.is_in(&effects.writes));
                let result = self.emit_call(cx, op, &vals);
                self.heap.forget(|p| p.is_in(&effects.writes));
                self.pure
                    .forget_calls(|f| descrs.fns[f].effects.reads.meets(&effects.writes));
                result
            }
        }
    }

    /// A call that writes nothing. What it reads must have been stored, unless the result is known.
    fn readonly_call(
        &mut self,
        cx: &mut Cx<'_>,
        op: &Op,
        args: SmallVec<[NodeId; 3]>,
    ) -> Option<NodeId> {
        let key = PureKey {
            opcode: Opcode::Call,
            descr: op.descr,
            args,
        };
        if cx.passes.pure
            && let Some(n) = self.known_result(&key)
        {
            self.call_removed = true;
            return Some(n);
        }
        let vals: SmallVec<[Val; 3]> = key.args.iter().map(|&n| self.force(cx, n)).collect();
        let function = FnId::from_u32(op.descr);
        let reads = &cx.descrs.fns[function].effects.reads;
        self.flush_if(cx, |p| p.is_in(reads));
        let result = self.emit_call(cx, op, &vals);
        if let Some(n) = result
            && cx.passes.pure
        {
            self.enter_result(key, n);
            self.pure.watch(function);
        }
        result
    }

    /// Forgets the results of read-only calls that may read what is about to be written.
    pub fn forget_readers(&mut self, descrs: &Descrs, place: Written) {
        self.pure.forget_calls(|f| {
            let reads = &descrs.fns[f].effects.reads;
            match place {
                Written::Field(field) => reads.has_field(field),
                Written::Items(class) => reads.has_items(class),
            }
        });
    }

    fn elidable_call(
        &mut self,
        cx: &mut Cx<'_>,
        op: &Op,
        function: FnId,
        args: SmallVec<[NodeId; 3]>,
    ) -> Option<NodeId> {
        let ret = cx.descrs.fns[function].ret;
        if cx.passes.fold
            && let Some(ty) = ret
            && let Some(words) = self.const_words(&args)
            && let Some(word) = cx.host.call(function, &words)
        {
            self.call_removed = true;
            return Some(self.constant(ty, word));
        }
        let key = PureKey {
            opcode: Opcode::Call,
            descr: op.descr,
            args,
        };
        if cx.passes.pure
            && let Some(n) = self.known_result(&key)
        {
            self.call_removed = true;
            return Some(n);
        }
        let vals: SmallVec<[Val; 3]> = key.args.iter().map(|&n| self.force(cx, n)).collect();
        let result = self.emit_call(cx, op, &vals);
        if let Some(n) = result
            && cx.passes.pure
        {
            self.enter_result(key, n);
        }
        result
    }

    fn emit_call(&mut self, cx: &Cx<'_>, op: &Op, vals: &[Val]) -> Option<NodeId> {
        let mut call = Op::new(Opcode::Call, vals);
        call.descr = op.descr;
        match cx.descrs.fns[FnId::from_u32(op.descr)].ret {
            Some(ty) => Some(self.emit_def(call, ty)),
            None => {
                self.out.push(call);
                None
            }
        }
    }
}
