//! Residual calls. Elidable ones are folded and shared. Read-only ones are shared until something
//! is written that they read, so that those whose places a loop leaves alone are made before it.
//! Opaque ones see and change the places that their effects name: what is delayed there is done
//! before them, and what is known of places that they write is forgotten behind them. A store that
//! stays delayed is carried by the call's `guard_no_panic`, which also keeps what it stores alive
//! during the call.
//!
//! Invariant: the results of a call are known together or not at all: an elidable call is removed
//! if all of them are known.

use crate::node::{Node, NodeId};
use crate::pure::PureKey;
use crate::sabotage::Sabotage;
use crate::section::{Cx, Section, real};
use smallvec::SmallVec;
use verdigris_ops::{ClassId, Descrs, FieldId, FnId, FnKind, HeapSlot, Places, Ty};
use verdigris_trace::{Arg, Descr, Opcode, RecordedOp};

/// The results of a call.
type Results = SmallVec<[NodeId; 4]>;
/// Under what each of them is known.
type Keys = SmallVec<[PureKey; 2]>;

/// What a store writes, over all objects.
#[derive(Clone, Copy)]
pub(crate) enum Written {
    Field(FieldId),
    /// Items of an array class.
    Items(ClassId),
}

impl Section {
    /// A residual call.
    pub fn call(&mut self, cx: &mut Cx<'_>, op: RecordedOp<'_>) -> Results {
        let function = op.function();
        let args = self.arg_nodes(op);
        self.call_removed = false;
        self.kept.clear();
        match cx.descrs.fns[function].kind {
            // The tracer records no calls of `as_recorded`. If a trace had one, it could be folded
            // as an elidable one.
            FnKind::Elidable | FnKind::Recorded => self.elidable_call(cx, op, function, args),
            FnKind::Readonly => self.readonly_call(cx, op, args),
            FnKind::Conditional if cx.passes.fold && self.nodes.is_zero(args[0]) => {
                self.call_removed = true;
                Results::new()
            }
            FnKind::Opaque | FnKind::Conditional | FnKind::Portal | FnKind::Runner => {
                // Arguments first: what they refer to escapes and is stored to by the callee's
                // eyes.
                let vals = self.call_args(cx, op, &args);
                let descrs = cx.descrs;
                let effects = &descrs.fns[function].effects;
                let keeps = Section::keeps_across(cx, effects);
                let stays = |p: HeapSlot| keeps && p.is_virtualizable(descrs);
                self.flush_if(cx, |p| {
                    !stays(p) && (p.is_in(&effects.reads) || p.is_in(&effects.writes))
                });
                let results = self.emit_call(cx, op, &vals);
                if !Sabotage::TrustCall.is_on() {
                    self.heap.forget(|p| p.is_in(&effects.writes) && !stays(p));
                }
                self.heap
                    .variable_items
                    .forget(|class| effects.writes.has_items(class));
                if keeps {
                    self.note_kept(cx);
                }
                self.pure
                    .forget_calls(|f| descrs.fns[f].effects.reads.meets(&effects.writes));
                results
            }
        }
    }

    /// A call that writes nothing. What it reads must have been stored, unless the result is known.
    fn readonly_call(
        &mut self,
        cx: &mut Cx<'_>,
        op: RecordedOp<'_>,
        args: SmallVec<[NodeId; 3]>,
    ) -> Results {
        let keys = self.result_keys(cx, op.descr(), &args);
        if let Some(known) = self.known_results(cx, &keys) {
            return self.known_call(cx, op, &args, known);
        }
        let vals = self.call_args(cx, op, &args);
        let function = op.function();
        let reads = &cx.descrs.fns[function].effects.reads;
        self.flush_if(cx, |p| p.is_in(reads));
        let results = self.emit_call(cx, op, &vals);
        if cx.passes.pure && !results.is_empty() {
            self.enter_results(keys, &results);
            self.pure.watch(function);
        }
        results
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
        op: RecordedOp<'_>,
        function: FnId,
        args: SmallVec<[NodeId; 3]>,
    ) -> Results {
        let descrs = cx.descrs;
        let types = &descrs.fns[function].ret[..];
        if cx.passes.fold
            && !types.is_empty()
            && !types.contains(&Ty::Word)
            && let Some(words) = self.const_words(&args)
            && let Some(words) = cx.host.call(function, &words)
        {
            self.call_removed = true;
            let words = types.iter().zip(words);
            let known = words.map(|(&ty, word)| self.constant(ty, word)).collect();
            return self.known_call(cx, op, &args, known);
        }
        let keys = self.result_keys(cx, op.descr(), &args);
        if let Some(known) = self.known_results(cx, &keys) {
            return self.known_call(cx, op, &args, known);
        }
        let vals = self.call_args(cx, op, &args);
        let results = self.emit_call(cx, op, &vals);
        if cx.passes.pure {
            self.enter_results(keys, &results);
        }
        results
    }

    /// The results of a call are known; answers them. With `check_hints` it is made all the same.
    fn known_call(
        &mut self,
        cx: &mut Cx<'_>,
        op: RecordedOp<'_>,
        args: &[NodeId],
        known: Results,
    ) -> Results {
        if cx.check_hints {
            let vals = self.call_args(cx, op, args);
            self.flush_all(cx);
            let now = self.emit_call(cx, op, &vals);
            self.unchecked
                .extend(now.into_iter().zip(known.iter().copied()));
            self.call_removed = false;
        }
        known
    }

    /// The results of a call that need not be made, since all of them are known.
    fn known_results(&mut self, cx: &Cx<'_>, keys: &[PureKey]) -> Option<Results> {
        if !cx.passes.pure || keys.is_empty() {
            return None;
        }
        let known: Option<Results> = keys.iter().map(|key| self.known_result(key)).collect();
        self.call_removed = known.is_some();
        known
    }

    fn enter_results(&mut self, keys: Keys, results: &[NodeId]) {
        for (key, &n) in keys.into_iter().zip(results) {
            self.enter_result(key, n);
        }
    }

    /// Under which keys the results are known.
    fn result_keys(&mut self, cx: &Cx<'_>, descr: Descr, args: &[NodeId]) -> Keys {
        let results = cx.descrs.fns[descr.function()].ret.len();
        (0..results)
            .map(|n| self.result_key(descr, args, n))
            .collect()
    }

    /// Under which key the `n`-th result of an elidable call is known: the further ones have their
    /// number as an argument more.
    fn result_key(&mut self, descr: Descr, args: &[NodeId], n: usize) -> PureKey {
        let mut args = SmallVec::from_slice(args);
        if n > 0 {
            args.push(self.constant(Ty::Int, n as u64));
        }
        PureKey {
            opcode: Opcode::Call,
            descr,
            args,
        }
    }

    /// The values that a call passes.
    fn call_args(
        &mut self,
        cx: &mut Cx<'_>,
        op: RecordedOp<'_>,
        args: &[NodeId],
    ) -> SmallVec<[Arg; 3]> {
        let descrs = cx.descrs;
        self.force_all_as(cx, args, &descrs.fns[op.function()].params)
    }

    fn emit_call(&mut self, cx: &Cx<'_>, op: RecordedOp<'_>, vals: &[Arg]) -> Results {
        let seq = self.next_seq();
        let types = &cx.descrs.fns[op.function()].ret;
        let values = self.out.push_call(op.function(), vals, types);
        let values = values.zip(types);
        let results = values
            .map(|(val, &ty)| self.nodes.add(Node::Real(real(val, ty, seq))))
            .collect();
        self.forget_suspects(cx.descrs, op.function());
        results
    }

    /// Behind a call: forgets the words of values that it may have changed against a promise. What
    /// is delayed there is known whatever memory holds, and goes there as a whole.
    fn forget_suspects(&mut self, descrs: &Descrs, function: FnId) {
        let suspects = &descrs.fns[function].effects.suspects;
        if *suspects == Places::none() {
            return;
        }
        let doubtful = |p: HeapSlot| p.is_in(suspects) && p.is_part(descrs);
        self.heap.retain(|p, _| !doubtful(p));
        self.heap
            .variable_items
            .forget(|class| doubtful(HeapSlot::Item(class, 0)));
    }
}
